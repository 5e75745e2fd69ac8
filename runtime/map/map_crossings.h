/* Which walls cross or touch another, and how often an outline crosses itself. */
#ifndef THRONG_MAP_CROSSINGS_H
#define THRONG_MAP_CROSSINGS_H

#include "ring_list.h"

/* crossing[i] = 1 where the segment from point i to the next of its ring meets
 * another one elsewhere than in the corner they share; `count` says how many
 * pairs do. False when memory is out. */
bool throng_map_crossings(throng_ring_list *rings, uint8_t *crossing, int32_t *count);

/* How often an outline crosses itself elsewhere than in its corners; one more than `most` when that is more often, and
 * fewer than there are when too many sides lie beside each other to look at all of them. -1: memory is out. */
int32_t throng_ring_crossings(const throng_point *points, int32_t count, int32_t most);

#endif
