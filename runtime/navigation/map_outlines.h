/* Outlines with fewer corners, of a map from any source. */
#ifndef THRONG_MAP_OUTLINES_H
#define THRONG_MAP_OUTLINES_H

#include "map/map.h"

/* Leaves out corners of the map's outlines: each may move `by` metres at most (map_simplify.h), and none crosses
 * another. Fewer corners are fewer walls, and fewer faces of the meshes (O'Sullivan, 2009, section 6.2.4, wishes for
 * faces that are simplified). Where that closes a passage for a body of THRONG_MAP_BODY, or opens one, the map gets a
 * finding that says so. False and a message when that fails; the map is as it was then. */
bool throng_map_simplify_outlines(throng_map *map, double by, throng_error *error);

#endif
