/* Progress: since when does an agent that wants to walk get nowhere?
 *
 * Looked at once a second (every `look` steps). Who is farther from the place that was noted than it walks in
 * PROGRESS_SECONDS has made progress, and its place is noted again; but near its goal, and frustrated (yield.h), it
 * must come nearer, since one who finds others on it may walk round and round them. Who has made none for
 * THRONG_STUCK_LOOKS seconds is stuck: it was slower than a fourteenth of its preferred speed, or walked to and fro.
 * (With half that time everybody in the queue at a door was stuck: 585 times in scenarios/evacuation.lua, of 500
 * people.) The cause is found on the host (world_stuck.c), for those few alone.
 *
 * Among bodies, under forces, one can walk in a circle at full speed, touching nothing, so that no frustration begins:
 * bodies push harder than it wants on. There only a way to where an agent wants to go is progress, which a circle of
 * any size is not; and who is stuck and walks elsewhere turns, each time it is looked at, and heeds bodies no more. (Of
 * 1,200 people in 150 small halls full of boxes one is left after 60 s, 14 without this.) */
#ifndef THRONG_KERNEL_PROGRESS_H
#define THRONG_KERNEL_PROGRESS_H

#include "kernels/behaviour/fsm.h"

#define PROGRESS_SECONDS 0.7f

/* A place in one whole number: x and y in sixty-fourths of a metre, modulo 1024 m, x in the lower half. */
#define PROGRESS_UNIT 64.0f

LANE_FN lane_i progress_upper(lane_i a) { return (lane_i)((lane_u)a << 16); }

LANE_FN lane_i progress_pack(lane_f x, lane_f y)
{
    return (lane_floor_i(x * PROGRESS_UNIT) & 0xffff) | progress_upper(lane_floor_i(y * PROGRESS_UNIT));
}

/* How far the upper halves are apart, m; up to 512 m. */
LANE_FN lane_f progress_apart(lane_i a, lane_i b)
{
    return lane_to_f(progress_upper((a >> 16) - (b >> 16)) >> 16) / PROGRESS_UNIT;
}

/* Those of the agents in slots `first` .. that want to get somewhere; `f` may be NULL. */
LANE_FN lane_m progress_wanted(const crowd *c, const throng_fsm *f, int32_t first, lane_m lanes)
{
    lanes = lanes & (lane_load_i(c->goal + first) >= 0) & (lane_load_i(c->arrived + first) < 0);
    lanes = lanes & (lane_load(c->speed + first) > 0);
    if (c->pre_movement)
        lanes = lanes & crowd_has_started(c, lane_iota(first));
    if (c->lift)
        lanes = lanes & lane_not(crowd_waits_for_lift(c, lane_iota(first)));
    if (c->steered) {
        lane_f vx = lane_load(c->desired_vx + first), vy = lane_load(c->desired_vy + first);
        lanes = lanes & ((lane_load_i(c->steered + first) == -1) | (lane_dot(vx, vy, vx, vy) > 0));
    }
    if (!f || !f->states)
        return lanes;
    lane_i state = lane_load_i(c->fsm_state + first);
    lane_m runs = lanes & (state >= 0);
    return lanes & lane_not(runs & (FSM_INT(f, lane_select_i(runs, state, lane_set_i(0)), action) == THRONG_FSM_WAIT));
}

#define PROGRESS_CIRCLES    2.0f /* s of walking from a goal: who is farther away does not walk round it, */
#define PROGRESS_FRUSTRATED 0.5f /* nor who is less frustrated, */
#define PROGRESS_NEARER     0.1f /* m: nor who has come nearer by this */

/* m: how far it is from (x, y) to the goals of agents `first` .., a region's nearest place. */
LANE_FN lane_f progress_left(const crowd *c, int32_t first, lane_m lanes, lane_f x, lane_f y)
{
    lane_f to_x, to_y;
    lane_i goal = lane_select_i(lanes, lane_load_i(c->goal + first), lane_set_i(0));
    goals_target(c, goal, lane_iota(first), lanes, x, y, &to_x, &to_y);
    to_x = to_x - x;
    to_y = to_y - y;
    return lane_sqrt(lane_dot(to_x, to_y, to_x, to_y));
}

/* Do those in `lanes`, at (x, y), who were at (x - dx, y - dy), walk round their goals? */
LANE_FN lane_m progress_circles(const crowd *c, int32_t first, lane_m lanes, lane_f x, lane_f y, lane_f dx, lane_f dy)
{
    lanes = lanes & (lane_load(c->frustration + first) > PROGRESS_FRUSTRATED);
    if (!lane_any(lanes))
        return lanes;
    lane_f left = progress_left(c, first, lanes, x, y), before = progress_left(c, first, lanes, x - dx, y - dy);
    return lanes & (left < PROGRESS_CIRCLES * lane_load(c->speed + first)) & (left + PROGRESS_NEARER > before);
}

#define PROGRESS_ALONG 0.5f /* cosine of how far from where it wants to go a way may lead */
#define PROGRESS_WALKS 0.5f /* of its preferred speed: who is slower may stand in a queue */

/* The agents under forces in a world with bodies. */
LANE_FN lane_m progress_pushed(const crowd *c, int32_t first, lane_m lanes)
{
    if (!c->walls.sides || !(c->frame.planners >> THRONG_PLANNER_forces & 1))
        return lane_none();
    return lanes & (crowd_planner_kind(c, lane_load_i(c->planner + first)) == THRONG_PLANNER_forces);
}

/* Does (x, y) lead where agents `first` .. want to go? */
LANE_FN lane_m progress_along(const crowd *c, int32_t first, lane_f x, lane_f y)
{
    lane_f wx = lane_load(c->desired_vx + first), wy = lane_load(c->desired_vy + first), along = lane_dot(x, y, wx, wy);
    lane_f most = lane_dot(x, y, x, y) * lane_dot(wx, wy, wx, wy);
    return (along > 0) & (along * along > PROGRESS_ALONG * PROGRESS_ALONG * most);
}

/* Those who are stuck and walk elsewhere turn to where they want to go, and are as frustrated as can be. */
LANE_FN void progress_turn(const crowd *c, int32_t first, lane_m stuck)
{
    if (!lane_any(stuck))
        return;
    lane_f vx = lane_load(c->vx + first), vy = lane_load(c->vy + first);
    lane_f wx = lane_load(c->desired_vx + first), wy = lane_load(c->desired_vy + first);
    lane_f wanted = lane_sqrt(lane_dot(wx, wy, wx, wy)), slow = PROGRESS_WALKS * lane_load(c->speed + first);
    lane_f speed = lane_sqrt(lane_dot(vx, vy, vx, vy)), ex = wx / wanted, ey = wy / wanted;
    lane_m turns = stuck & (speed > slow) & (wanted > 0);
    turns = turns & lane_not(progress_along(c, first, vx, vy));
    lane_store(c->vx + first, speed * ex, turns);
    lane_store(c->vy + first, speed * ey, turns);
    lane_store(c->hx + first, ex, turns);
    lane_store(c->hy + first, ey, turns);
    lane_store(c->frustration + first, lane_set(1), turns);
}

/* The goals stage, first of all: notes who makes progress; returns those who are stuck from now on. */
LANE_FN lane_m progress_look(const crowd *c, const throng_fsm *f, int32_t first, lane_m lanes)
{
    if (c->frame.step % (uint32_t)c->frame.look != 0)
        return lane_none();
    lane_i since = lane_load_i(c->last_progress_step + first), step = lane_set_i((int32_t)c->frame.step);
    lanes = lanes & (lane_load_i(c->state + first) != 0);
    lane_m wants = progress_wanted(c, f, first, lanes);
    lane_f x = lane_load(c->x + first), y = lane_load(c->y + first);
    lane_i at = progress_pack(x, y), was = lane_load_i(c->last_progress_cell + first);
    lane_f dx = progress_apart(progress_upper(at), progress_upper(was)), dy = progress_apart(at, was);
    lane_f near = PROGRESS_SECONDS * lane_load(c->speed + first);
    lane_m moved = wants & (lane_dot(dx, dy, dx, dy) > near * near);
    moved = moved & lane_not(progress_circles(c, first, moved, x, y, dx, dy));
    lane_m pushed = progress_pushed(c, first, wants);
    moved = moved & (lane_not(pushed) | progress_along(c, first, dx, dy));
    lane_m progressed = moved | (wants & (since < 0));
    lane_store_i(c->last_progress_cell + first, at, progressed);
    since = lane_select_i(progressed, step, lane_select_i(wants, since, lane_set_i(-1)));
    lane_store_i(c->last_progress_step + first, since, lanes);
    progress_turn(c, first, pushed & (step - since >= THRONG_STUCK_LOOKS * c->frame.look));
    return wants & (step - since == THRONG_STUCK_LOOKS * c->frame.look);
}

#endif
