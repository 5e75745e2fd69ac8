/* The first half of building a mesh: free space, shrunk and triangulated. */
#ifndef THRONG_NAVMESH_SPACE_H
#define THRONG_NAVMESH_SPACE_H

#include "map/triangulate.h"

/* Metres between the points that the mesh of this map may use: a power of two,
 * so that every multiple within the map is exact in a float. */
double throng_navmesh_grid(const throng_map *map, double margin);

/* What free space is shrunk by for `radius`. m */
double throng_navmesh_clearance(double radius, double grid);

/* Shrinks the free space by `radius` and cuts it into triangles; where `map` is a building up to its seams. `count` is
 * 0 when nothing is left; false when GEOS fails or rings cross (`unfit`), and when memory is out. */
bool throng_navmesh_triangulate(const throng_map *map, double radius, throng_triangles *triangles, throng_error *error);

/* The convex outline of a body, `count` corners counter-clockwise, grown by `radius` and what the mesh's outlines stay
 * away from walls. Writes at most three corners for each, clockwise; returns how many. */
int32_t throng_navmesh_grow(const throng_point *corners, int32_t count, double radius, double grid,
                            throng_point *grown);

#endif
