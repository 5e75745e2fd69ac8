/* The nearest neighbour of a group, by the lists that the last sense stage made. */
#ifndef THRONG_NEAREST_H
#define THRONG_NEAREST_H

#include "kernels/crowd.h"

/* Of the agents in the list of the one at `slot`, nearest first, the slot of the first of a group (-1: any) that still
 * lives; -1 when there is none. Who was born in this step has not been sensed, nor has sensed. */
LANE_FN lane_i nearest_of_group(const crowd *c, lane_i kind, lane_i slot, lane_m lanes)
{
    lane_i nearest = lane_set_i(-1);
    if (!c->frame.sensed || c->k == 0 || !lane_any(lanes))
        return nearest;
    lanes = lanes & crowd_was_there(c, slot);
    lane_i rank = lane_select_i(lanes, lane_gather_i(c->rank, slot), lane_set_i(0));
    lane_i count = lane_gather_i(c->seen_count, rank);
    lane_m more = lanes & (count > 0);
    for (int entry = 0; lane_any(more); entry++, more = more & (entry < count)) {
        lane_i at = lane_gather_i(c->seen + (int64_t)entry * c->stride, rank);
        lane_i other = lane_gather_i(c->slot, lane_select_i(more, at, lane_set_i(0)));
        lane_m match = more & (lane_gather_i(c->state, other) != 0) & crowd_was_there(c, other) &
                       ((kind < 0) | (crowd_group(c, other) == kind));
        nearest = lane_select_i(match, other, nearest);
        more = more & lane_not(match);
    }
    return nearest;
}

#endif
