/* Random places on a map. */
#ifndef THRONG_MAP_RANDOM_H
#define THRONG_MAP_RANDOM_H

#include "map.h"

/* A point, evenly distributed over the free space in the polygons (none: the whole map, which must not be open) where
 * a disc of `radius` metres fits; it follows from `key` alone. False when a thousand draws found none. */
bool throng_map_random_point(const throng_map *map, const throng_region *areas, int32_t count, double radius,
                             uint64_t key, throng_point *point);

#endif
