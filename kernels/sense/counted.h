/* How many others an agent saw, by the lists that the last sense stage made. */
#ifndef THRONG_COUNTED_H
#define THRONG_COUNTED_H

#include "kernels/crowd.h"

#define COUNTED_WALKS 0.3f /* m/s: who is slower shifts from foot to foot, or is pushed */

/* Of those in the list of the agent at `slot` who still live, how many are of a group (-1: any), and walk, if only
 * those count. Who was born in this step has not been sensed, nor has sensed. Velocities are the last step's, which
 * no program writes. */
LANE_FN lane_f counted_of_group(const crowd *c, int32_t kind, bool walking, lane_i slot, lane_m lanes)
{
    lane_i found = lane_set_i(0);
    if (!c->frame.sensed || c->k == 0 || !lane_any(lanes))
        return lane_to_f(found);
    lanes = lanes & crowd_was_there(c, slot);
    lane_i rank = lane_select_i(lanes, lane_gather_i(c->rank, slot), lane_set_i(0));
    lane_i count = lane_gather_i(c->seen_count, rank);
    lane_m more = lanes & (count > 0);
    for (int entry = 0; lane_any(more); entry++, more = more & (entry < count)) {
        lane_i at = lane_gather_i(c->seen + (int64_t)entry * c->stride, rank);
        lane_i other = lane_gather_i(c->slot, lane_select_i(more, at, lane_set_i(0)));
        lane_m match = more & (lane_gather_i(c->state, other) != 0) & crowd_was_there(c, other);
        if (kind >= 0)
            match = match & (crowd_group(c, other) == kind);
        lane_f vx = lane_gather(c->vx, other), vy = lane_gather(c->vy, other);
        if (walking)
            match = match & (lane_dot(vx, vy, vx, vy) > COUNTED_WALKS * COUNTED_WALKS);
        found = lane_select_i(match, found + 1, found);
    }
    return lane_to_f(found);
}

#endif
