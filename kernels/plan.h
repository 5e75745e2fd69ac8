/* Plan: every agent's planner turns its preferred velocity into a new one. Each kind of planner is run for the agents
 * that have it, and only kinds that are in use (see planners.h). */
#ifndef THRONG_PLAN_H
#define THRONG_PLAN_H

#include "bvp.h"
#include "clearpath.h"
#include "detour.h"
#include "forces.h"
#include "hazards.h"
#include "orca.h"
#include "rvo.h"
#include "yield.h"

/* What planners start from: the preferred velocity, turned where crowds oppose each other, past bodies, and away from
 * hazards. */
LANE_FN void plan_desired(const crowd *c, int32_t first, lane_m lanes, lane_i slot, lane_f *dx, lane_f *dy)
{
    *dx = lane_gather(c->desired_vx, slot);
    *dy = lane_gather(c->desired_vy, slot);
    yield_turn(c, c->k, first, lanes, slot, dx, dy);
    if (c->walls.sides)
        detour_turn(c, first, lanes, slot, dx, dy);
    if (c->influences.hazards)
        hazards_turn(c, first, lanes, slot, dx, dy);
}

/* Without a planner an agent takes what it wants, within its speed. */
LANE_FN void plan_none(const crowd *c, int32_t first, lane_m lanes, lane_i slot, lane_f dx, lane_f dy)
{
    lane_f limit = lane_gather(c->max_speed, slot), speed = lane_sqrt(lane_dot(dx, dy, dx, dy));
    lane_f scale = lane_select(speed > limit, limit / speed, lane_set(1));
    lane_store(c->nx + first, dx * scale, lanes);
    lane_store(c->ny + first, dy * scale, lanes);
}

#endif
