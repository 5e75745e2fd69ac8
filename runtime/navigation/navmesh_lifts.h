/* Lifts on a mesh: where each stop's car is, for the paths that lead through it. They go up to its middle, and on from
 * the middle of another stop of the lift: no side joins the two. */
#ifndef THRONG_NAVMESH_LIFTS_H
#define THRONG_NAVMESH_LIFTS_H

#include "navmesh.h"

typedef struct throng_mesh_stop {
    int32_t face;      /* that holds the middle, -1: agents of that size have no room */
    throng_point at;   /* m: the middle of the car */
    throng_point a, b; /* m: along its back, up to where who rides goes */
} throng_mesh_stop;

enum { THRONG_STOP_BOARD = 1, THRONG_STOP_LEAVE = 2, THRONG_STOP_BOTH = 3 };

typedef struct throng_mesh_lifts {
    throng_map_sheets map;   /* the lifts and stops of the map's, and nothing else */
    throng_mesh_stop *stops; /* [map.stop_count] */
    uint8_t *use;            /* [map.stop_count] THRONG_STOP_...: what paths may do there */
    int32_t *stop;           /* [face_count] the stop that the face is of, -1: none */
} throng_mesh_lifts;

/* Finds the lifts of the map on a mesh that has its faces and their sheets. False when memory is out. */
bool throng_navmesh_find_lifts(throng_navmesh *mesh, const throng_map *map);
/* Those of a mesh, every stop in use, for its copy. */
bool throng_navmesh_copy_lifts(const throng_navmesh *from, throng_navmesh *to);
void throng_navmesh_free_lifts(throng_navmesh *mesh);

/* The face of a stop's car that holds a position, -1: none. */
int32_t throng_navmesh_face_in_car(const throng_navmesh *mesh, int32_t stop, throng_point position);

/* What paths may do at a stop: both at first. True when that changed something. */
bool throng_navmesh_use_stop(throng_navmesh *mesh, int32_t stop, uint8_t use);

/* What lifts join, in service or not, is one: `component` [component_count] becomes, for each of the mesh's, the least
 * of those that it is one with. */
void throng_navmesh_join_by_lifts(const throng_navmesh *mesh, int32_t *component);

#endif
