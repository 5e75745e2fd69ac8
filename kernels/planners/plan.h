/* Plan: every agent's planner turns its preferred velocity into a new one. Each kind of planner is run for the agents
 * that have it, and only kinds that are in use (see planners.h); last comes what people can walk (walk.h). */
#ifndef THRONG_PLAN_H
#define THRONG_PLAN_H

#include "anticipation.h"
#include "bvp.h"
#include "clearpath.h"
#include "collision_free_speed.h"
#include "body_avoidance.h"
#include "company.h"
#include "corners.h"
#include "forces.h"
#include "generalized_centrifugal_force.h"
#include "hazards.h"
#include "orca.h"
#include "passing.h"
#include "power_law.h"
#include "rvo.h"
#include "social_force.h"
#include "walk.h"
#include "yield.h"

/* What agents `first` .. want, for all who look at them: read by sorted index it lies side by side for those who stand
 * side by side, wherever their slots are. */
LANE_FN void plan_show(const crowd *c, int32_t first, lane_m lanes)
{
    lane_i slot = crowd_slots(c, first, lanes);
    lane_store(c->swx + first, lane_gather(c->desired_vx, slot), lanes);
    lane_store(c->swy + first, lane_gather(c->desired_vy, slot), lanes);
    lane_store_i(c->splace + first, goals_place(c, lane_gather_i(c->goal, slot)), lanes);
    lane_store_i(c->sarrived + first, lane_gather_i(c->arrived, slot), lanes);
}

/* What planners start from: the preferred velocity, with those it walks with, in its lane round corners, turned past
 * those who come the other way, where crowds oppose each other, past bodies, and away from hazards. */
LANE_FN void plan_desired(const crowd *c, int32_t first, lane_m lanes, lane_i slot, lane_f *dx, lane_f *dy)
{
    *dx = lane_load(c->swx + first);
    *dy = lane_load(c->swy + first);
    company_keep(c, first, lanes, slot, dx, dy);
    if (c->walls.count)
        corners_keep_lane(c, c->k, first, lanes, slot, dx, dy);
    passing_turn(c, c->k, first, lanes & lane_not(limits_unbound(c, slot)), slot, dx, dy);
    yield_turn(c, c->k, first, lanes, slot, dx, dy);
    if (c->walls.sides + c->walls.pillars)
        body_avoidance_turn(c, first, lanes, slot, dx, dy);
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
