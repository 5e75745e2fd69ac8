/* Seams between the parts of a building, in the making of a mesh. Shrinking takes them for walls; they are opened
 * again, and the faces on both sides made neighbours. */
#ifndef THRONG_NAVMESH_SEAMS_H
#define THRONG_NAVMESH_SEAMS_H

#include "map/map_geos.h"
#include "navmesh_faces.h"

/* The rings of the space that was shrunk, with strips up to all seams of the building `map` that are wide enough for
 * `radius`. `clearance` is what was shrunk by. False when GEOS fails. */
bool throng_navmesh_open_seams(throng_geos *geos, const throng_map *map, const throng_map *shrunk, double clearance,
                               double grid, throng_ring_list *rings);

/* Pairs the sides on seams, and takes all places to positions. False when memory is out. */
bool throng_navmesh_join_seams(const throng_map *map, double clearance, double grid, throng_half_edges *edges);

#endif
