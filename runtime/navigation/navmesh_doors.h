/* Doors in a mesh: triangles are cut along the doors, so that sides of faces lie on them and a door can be shut. */
#ifndef THRONG_NAVMESH_DOORS_H
#define THRONG_NAVMESH_DOORS_H

#include "navmesh_faces.h"

/* Cuts the triangles that the map's doors cross. Cuts lie on the grid and a step of it beside the line at most. A door
 * is prolonged by `radius`, the clearance, at both ends: that is where the walls it hangs in keep the mesh away.
 * A door that ends in the open, where someone could walk round it, is left out; *open becomes the last of these that
 * costs something or lets not all through, -1: there is none. False when memory is out or a cut left no room between
 * two corners, which makes the triangles `unfit`. */
bool throng_navmesh_cut_doors(const throng_map *map, double radius, double grid, throng_triangles *triangles,
                              int32_t *open);

/* Notes at every half-edge the door it lies on. False when memory is out. */
bool throng_navmesh_find_doors(const throng_map *map, double radius, double grid, throng_half_edges *edges);

#endif
