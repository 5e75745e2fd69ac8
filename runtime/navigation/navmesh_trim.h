/* Ragged free space made simpler before it is triangulated. */
#ifndef THRONG_NAVMESH_TRIM_H
#define THRONG_NAVMESH_TRIM_H

#include "map/map.h"

/* Cuts off corners of the free space, and so nooks, that are up to `depth`
 * metres deep. Space is only ever taken away and corners that walls stick out
 * with stay, so clearances and the widths of doors stay too. Corners are left
 * out, never moved. NULL when memory is out. */
throng_map *throng_navmesh_trim(const throng_map *map, double depth);

#endif
