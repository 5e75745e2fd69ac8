/* How wide free space is beside the corners that walls turn at, as passages are: straight across, from wall to wall. */
#ifndef THRONG_WALL_WIDTHS_H
#define THRONG_WALL_WIDTHS_H

#include "wall_index.h"

/* Fills the index's widths: of segment i, beside its start and its end, m, up to 5 m; 0 where the solid has no convex
 * corner there, or the wall is shorter than 1 m or than the passage is wide; negative beside the end of a wall, whose
 * sides have both. False: given up. */
bool throng_wall_widths_fill(const throng_map *map, throng_wall_index *index);

#endif
