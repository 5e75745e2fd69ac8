/* The first half of building a mesh: free space, shrunk and triangulated. */
#ifndef THRONG_NAVMESH_SPACE_H
#define THRONG_NAVMESH_SPACE_H

#include "map.h"

/* Triangles, counter-clockwise, on the mesh's grid. */
typedef struct throng_triangles {
    throng_point *corners; /* [3 * count] m */
    int32_t count;
    double area; /* m^2 of them, and of the polygons they came from */
    int32_t rim; /* segments of those polygons' rings */
} throng_triangles;

/* Metres between the points that the mesh of this map may use: a power of two,
 * so that every multiple within the map is exact in a float. */
double throng_navmesh_grid(const throng_map *map, double margin);

/* Shrinks the free space by `radius` and cuts it into triangles. `count` is 0
 * when nothing is left; false only when GEOS fails. */
bool throng_navmesh_triangulate(const throng_map *map, double radius, throng_triangles *triangles, throng_error *error);

#endif
