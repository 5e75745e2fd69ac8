/* Which walls cross or touch another. */
#ifndef THRONG_MAP_CROSSINGS_H
#define THRONG_MAP_CROSSINGS_H

#include "ring_list.h"

/* crossing[i] = 1 where the segment from point i to the next of its ring meets
 * another one elsewhere than in the corner they share; `count` says how many
 * pairs do. False when memory is out. */
bool throng_map_crossings(throng_ring_list *rings, uint8_t *crossing, int32_t *count);

#endif
