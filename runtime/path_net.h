/* What the path search needs of a mesh, packed for it: one record a half-edge, and the corners that ways bend at. */
#ifndef THRONG_PATH_NET_H
#define THRONG_PATH_NET_H

#include "navmesh.h"

typedef struct throng_path_side {
    float x, y;     /* m: where the half-edge starts; it ends where the next of its face starts */
    int32_t twin;   /* as in the mesh, but -1 on doors that are closed */
    int32_t beyond; /* the face that twin belongs to */
    int32_t corner; /* the corner it starts at, -1: free space round there is no wider than half a turn */
    int32_t branch; /* the face beyond, when only a dead end lies there (see below), else -1 */
} throng_path_side;

/* A corner sticks into free space: walls on both sides, more than half a turn of free space between. A vertex where
 * several such wedges of free space meet in a point is a corner for each of them. */
typedef struct throng_path_corner {
    float ax, ay; /* m: the far end of the wall that leads here, free space on its left */
    float bx, by; /* m: the far end of the wall that leads on */
} throng_path_corner;

/* Faces in dead ends hang like trees from the rest of their component: whatever leads into such a tree leads
 * nowhere else. Face f and all behind it have the numbers branch_first[f] .. branch_last[f] (a face's own number is
 * its branch_first). */
typedef struct throng_path_net {
    throng_path_side *sides; /* [edge_count] */
    throng_path_corner *corners;
    int32_t corner_count;
    int32_t most_sides;                  /* of a face */
    int32_t *branch_first, *branch_last; /* [face_count] -1 for faces in no dead end */
} throng_path_net;

/* NULL when memory is out. */
throng_path_net *throng_path_net_create(const throng_navmesh *mesh);

/* After doors of the mesh were opened or closed. False when memory is out: the net is not to be used then. */
bool throng_path_net_update(throng_path_net *net, const throng_navmesh *mesh);
void throng_path_net_destroy(throng_path_net *net);

#endif
