/* Who meets a crowd coming the other way and gets nowhere steps to the right.
 *
 * Contacts keep bodies apart, but head-on crowds lock: with contacts alone 699
 * of 1,000 agents that cross a circle arrived in 4,000 steps. So an agent that
 * touches others grows frustrated (the mean of 1 - speed / preferred speed over
 * about YIELD_MEMORY seconds) and turns its preferred velocity to the right by
 * up to YIELD_TURN radians. Only where somebody in front wants to go the other way: in a
 * crowd that wants to go through the same door the turn costs flow (0.6 rad: a
 * few per cent). Away from contacts nothing changes. The whole rule is here. */
#ifndef THRONG_YIELD_H
#define THRONG_YIELD_H

#include "crowd.h"

#define YIELD_TURN 1.1f      /* rad, times the frustration */
#define YIELD_MEMORY 2.0f    /* s */
#define YIELD_STARTED 0.02f  /* frustration that goes on without a touch */
#define YIELD_OPPOSED -0.5f  /* cosine between preferred directions from which two oppose each other */

/* The frustration after a step of `dt` that got `speed` of the `wanted` one. */
LANE_FN lane_f yield_frustration(lane_f before, lane_f speed, lane_f wanted, lane_m touching, float dt)
{
    lane_f lost = lane_select((touching | (before > YIELD_STARTED)) & (wanted > 0), 1.0f - lane_min(speed / wanted, lane_set(1)), lane_set(0));
    float share = dt < YIELD_MEMORY ? dt / YIELD_MEMORY : 1;
    return before + share * (lost - before);
}

/* The lanes that have somebody in front of them who wants to go the other way. */
LANE_FN lane_m yield_opposed(const crowd *c, int k, int32_t first, lane_m lanes, lane_f dx, lane_f dy)
{
    lane_f x = lane_load(c->sx + first), y = lane_load(c->sy + first);
    lane_f own = lane_sqrt(lane_dot(dx, dy, dx, dy));
    lane_m opposed = lane_none();
    for (int s = 0; s < k; s++) {
        lane_i other = lane_load_i(c->seen + (int64_t)s * c->stride + first);
        lane_m there = lanes & (other >= 0) & lane_not(opposed);
        if (!lane_any(there))
            break;
        other = lane_select_i(there, other, lane_set_i(0));
        lane_i slot = lane_gather_i(c->slot, other);
        lane_f ex = lane_gather(c->desired_vx, slot), ey = lane_gather(c->desired_vy, slot);
        lane_f theirs = lane_sqrt(lane_dot(ex, ey, ex, ey));
        lane_m ahead = lane_dot(lane_gather(c->sx, other) - x, lane_gather(c->sy, other) - y, dx, dy) > 0;
        opposed = opposed | (there & ahead & (lane_dot(dx, dy, ex, ey) < YIELD_OPPOSED * (own * theirs)));
    }
    return opposed;
}

/* Turns preferred velocities (dx, dy) of agents `first` .. */
LANE_FN void yield_turn(const crowd *c, int k, int32_t first, lane_m lanes, lane_f frustration, lane_f *dx, lane_f *dy)
{
    lane_m turns = lanes & (frustration > 0.01f);
    if (!lane_any(turns))
        return;
    turns = turns & yield_opposed(c, k, first, turns, *dx, *dy);
    lane_f sine, cosine;
    lane_sincos(-YIELD_TURN * frustration, &sine, &cosine);
    lane_f x = *dx * cosine - *dy * sine, y = *dx * sine + *dy * cosine;
    *dx = lane_select(turns, x, *dx);
    *dy = lane_select(turns, y, *dy);
}

#endif
