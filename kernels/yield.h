/* Giving way: what an agent does who touches others and gets nowhere.
 *
 * It grows frustrated: the mean of 1 - progress / preferred speed over about
 * YIELD_MEMORY seconds, progress being its speed towards where it wants to go.
 * Frustration begins with a touch and goes on while progress is poor; before
 * anybody touches anybody nothing here acts.
 *
 * Among people with other goals it turns its preferred velocity to the right by
 * up to YIELD_TURN radians, so that crowds that meet swirl past each other.
 * 1,000 agents that cross a circle (1,590 steps if they were alone): all arrived
 * by step 1,945; turning only for somebody in front who wants the opposite
 * way: 147 by step 3,000, since those behind keep pushing straight on.
 *
 * Among people with the same goal nobody turns, and walls matter less: the time
 * horizon for walls shrinks with frustration to nothing, so that people close up
 * in a doorway. Flow of 150 agents through doors of 0.8 / 1.0 / 1.2 m: 0.9 / 1.75
 * / 2.3 a second; without it 0.5 / 1.0 / 2.0. What was tried and did not help:
 * random turns and pauses (arches last longer), a shorter horizon for agents (little),
 * pushing with the preferred velocity instead of the planner's (3.7 a second at
 * 1.2 m, and arches that never break at 0.8 m).
 *
 * The whole rule is here. */
#ifndef THRONG_YIELD_H
#define THRONG_YIELD_H

#include "crowd.h"

#define YIELD_TURN 1.1f     /* rad, times the frustration */
#define YIELD_MEMORY 2.0f   /* s */
#define YIELD_STARTED 0.02f /* frustration that goes on without a touch */
#define YIELD_WALLS 4.0f    /* times the frustration: the part of the time horizon for walls that is given up */

/* The frustration after a step of `dt` at velocity (vx, vy), wanting (wx, wy). */
LANE_FN lane_f yield_frustration(lane_f before, lane_f vx, lane_f vy, lane_f wx, lane_f wy, lane_m touching, float dt)
{
    lane_f wanted = lane_dot(wx, wy, wx, wy);
    lane_f progress = lane_clamp(lane_dot(vx, vy, wx, wy) / wanted, lane_set(0), lane_set(1));
    lane_m suffers = (touching | (before > YIELD_STARTED)) & (wanted > 0);
    lane_f lost = lane_select(suffers, 1.0f - progress, lane_set(0));
    float share = dt < YIELD_MEMORY ? dt / YIELD_MEMORY : 1;
    return before + share * (lost - before);
}

/* The lanes that have a neighbour with another goal. */
LANE_FN lane_m yield_mixed(const crowd *c, int k, int32_t first, lane_m lanes, lane_i slot)
{
    lane_i goal = lane_gather_i(c->goal, slot);
    lane_f x = lane_gather(c->goal_x, slot), y = lane_gather(c->goal_y, slot);
    lane_m mixed = lane_none();
    for (int s = 0; s < k; s++) {
        lane_i other = lane_load_i(c->seen + (int64_t)s * c->stride + first);
        lane_m there = lanes & (other >= 0) & lane_not(mixed);
        if (!lane_any(there))
            break;
        lane_i theirs = lane_gather_i(c->slot, lane_select_i(there, other, lane_set_i(0)));
        lane_m same = (lane_gather_i(c->goal, theirs) == goal) & (lane_gather(c->goal_x, theirs) == x) &
                      (lane_gather(c->goal_y, theirs) == y);
        mixed = mixed | (there & lane_not(same));
    }
    return mixed;
}

/* Turns preferred velocities (dx, dy) of agents `first` .., in slots `slot`. */
LANE_FN void yield_turn(const crowd *c, int k, int32_t first, lane_m lanes, lane_i slot, lane_f *dx, lane_f *dy)
{
    lane_f frustration = lane_gather(c->frustration, slot);
    lane_m turns = lanes & (frustration > 0.01f);
    if (!lane_any(turns))
        return;
    turns = turns & yield_mixed(c, k, first, turns, slot);
    lane_f sine, cosine;
    lane_sincos(-YIELD_TURN * frustration, &sine, &cosine);
    lane_f x = *dx * cosine - *dy * sine, y = *dx * sine + *dy * cosine;
    *dx = lane_select(turns, x, *dx);
    *dy = lane_select(turns, y, *dy);
}

/* The time horizon for walls, s. */
LANE_FN lane_f yield_wall_horizon(const crowd *c, lane_i slot)
{
    lane_f horizon = lane_gather(c->wall_horizon, slot), calm = 1.0f - YIELD_WALLS * lane_gather(c->frustration, slot);
    return lane_max(horizon * lane_max(calm, lane_set(0)), lane_min(horizon, lane_set(c->dt)));
}

#endif
