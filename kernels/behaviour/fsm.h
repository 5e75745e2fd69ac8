/* Goal state machines: what an agent does (its state's goal), for how long, and what comes next.
 *
 * All machines of a world are one table of states. A frame has two parts. fsm_events finds, for every agent, what
 * happens to it: it was asked to change, it arrived, a condition holds, the path it asked for is there, it is held up
 * or stuck, its time is over; the first of these that its state goes on from is taken, and an agent changes its state
 * once a step at most. fsm_act does it, for full vectors of only those to whom something happens.
 *
 * Random choices are Philox numbers of (seed, agent id, step, what for), so no order of agents matters. */
#ifndef THRONG_KERNEL_FSM_H
#define THRONG_KERNEL_FSM_H

#include "kernels/contract/machines.h"
#include "kernels/routing/goals.h"
#include "kernels/sense/nearest.h"
#include "kernels/lane/lane_math.h"
#include "kernels/lane/philox.h"
#include "kernels/sense/walls.h"

enum { FSM_NOTHING = -1, FSM_RENEWS = -2, FSM_ASKS = -3 }; /* events; others are first options of transitions */

#define FSM_HELD_UP  0.75f /* frustration of who is blocked: less than a quarter of its speed for about 3 s */
#define FSM_CROWDED  0.5f  /* of who waits, and is kept from its place: it waits where it is */
#define FSM_PATIENCE 2.0f  /* s in a state before it can be blocked: frustration remembers the state before */
#define FSM_AHEAD    2.0f  /* s: who seeks or flees has its own point so far ahead, and does not slow down */

#define FSM_WORDS ((int)(sizeof(throng_fsm_state) / 4))
#define FSM_INT(f, s, field)                                                                                           \
    lane_gather_i((const int32_t *)(f)->state + offsetof(throng_fsm_state, field) / 4, (s)*FSM_WORDS)
#define FSM_FLOAT(f, s, field)                                                                                         \
    lane_gather((const float *)(f)->state + offsetof(throng_fsm_state, field) / 4, (s)*FSM_WORDS)

/* What random numbers are for. */
enum { FSM_DRAW_OPTION, FSM_DRAW_TIME, FSM_DRAW_GOAL, FSM_DRAW_ANGLE, FSM_DRAW_DISTANCE };
#define FSM_RANDOM 0x46534d53u

LANE_FN lane_f fsm_draw(const crowd *c, lane_i slot, uint32_t what)
{
    lane_u id = (lane_u)lane_gather_i(c->id, slot);
    return philox_unit(
        philox_random(c->frame.seed, id, (lane_u)lane_set_i((int32_t)c->frame.step), what, FSM_RANDOM).a);
}

/* --- places ---------------------------------------------------------------------------------- */

/* How far the way from (x, y) along the unit vector (dx, dy) leads before it meets a wall, `length` at most. The
 * walls' grid lists at any point what is within `reach` of it, so steps of that length miss nothing. */
LANE_FN lane_f fsm_free_distance(const crowd *c, lane_i slot, lane_m lanes, lane_f x, lane_f y, lane_f dx, lane_f dy,
                                 lane_f length)
{
    const throng_walls *w = &c->walls;
    const throng_wall_grid *grid = &w->still;
    if (w->count == w->sides)
        return length;
    lane_f at = lane_set(0);
    for (lane_m on = lanes; lane_any(on); at = at + grid->reach, on = on & (at < length)) {
        lane_i i, end;
        walls_range(c, grid, slot, x + dx * at, y + dy * at, lane_set(grid->reach), on, &i, &end);
        for (lane_m more = on & (i < end); lane_any(more); i = i + 1, more = on & (i < end)) {
            lane_i s = lane_gather_i(grid->list, lane_select_i(more, i, lane_set_i(0)));
            s = lane_select_i(more, s, lane_set_i(0));
            lane_f ax = lane_gather(w->ax, s), ay = lane_gather(w->ay, s);
            lane_f ex = lane_gather(w->bx, s) - ax, ey = lane_gather(w->by, s) - ay;
            lane_f across = lane_det(dx, dy, ex, ey);
            lane_f t = lane_det(ax - x, ay - y, ex, ey) / across, u = lane_det(ax - x, ay - y, dx, dy) / across;
            lane_m meets = more & (t >= 0) & (t < length) & (u >= 0) & (u <= 1);
            if (c->sheets.count)
                meets = sheets_meet(c, slot, lane_gather_i(w->sheet, s), meets);
            length = lane_select(meets, t, length);
        }
    }
    return length;
}

/* A point of its own to wander to: evenly distributed over the disc around home, and where a wall is in between,
 * before the wall. */
LANE_FN void fsm_roam(const crowd *c, lane_i slot, lane_f reach, lane_m lanes)
{
    lane_f sine, cosine, x = lane_gather(c->x, slot), y = lane_gather(c->y, slot);
    lane_sincos(fsm_draw(c, slot, FSM_DRAW_ANGLE) * 6.2831853f, &sine, &cosine);
    lane_f r = reach * lane_sqrt(fsm_draw(c, slot, FSM_DRAW_DISTANCE));
    lane_f dx = lane_gather(c->home_x, slot) + r * cosine - x, dy = lane_gather(c->home_y, slot) + r * sine - y;
    crowd_nearest_image(c, &dx, &dy);
    lane_f length = lane_sqrt(lane_dot(dx, dy, dx, dy));
    lane_m far = lanes & (length > 0);
    dx = lane_select(far, dx / length, lane_set(1));
    dy = lane_select(far, dy / length, lane_set(0));
    lane_f radius = lane_gather(c->radius, slot);
    lane_f free = fsm_free_distance(c, slot, far, x, y, dx, dy, length + radius) - radius;
    free = lane_max(free, lane_set(0));
    goals_set_own(c, slot, x + free * dx, y + free * dy, lanes);
}

/* Who seeks or flees gets a point of its own, straight ahead; returns who is near (or far) enough. */
LANE_FN lane_m fsm_steer(const crowd *c, const throng_fsm *f, lane_i slot, lane_i state, lane_m lanes)
{
    lane_i kind = FSM_INT(f, state, kind);
    lane_m own = lanes & (kind == THRONG_FSM_POINT), flees = lanes & (FSM_INT(f, state, action) == THRONG_FSM_FLEE);
    lane_i other = nearest_of_group(c, kind, slot, lanes & lane_not(own));
    lane_m found = own | (lanes & (other >= 0));
    other = lane_select_i(lanes & (other >= 0), other, lane_set_i(0));
    lane_f x = lane_gather(c->x, slot), y = lane_gather(c->y, slot), at_x = x, at_y = y;
    sheets_lay_out(c, slot, &at_x, &at_y); /* the state's point lies there */
    lane_f dx = lane_select(own, FSM_FLOAT(f, state, x) - at_x, lane_gather(c->x, other) - x);
    lane_f dy = lane_select(own, FSM_FLOAT(f, state, y) - at_y, lane_gather(c->y, other) - y);
    crowd_nearest_image(c, &dx, &dy);
    lane_f length = lane_sqrt(lane_dot(dx, dy, dx, dy));
    lane_f ahead = FSM_AHEAD * lane_gather(c->speed, slot);
    lane_f scale = lane_select(flees, -ahead, length + ahead) / length;
    lane_m goes = found & (length > 0);
    goals_set_own(c, slot, lane_select(goes, x + scale * dx, x), lane_select(goes, y + scale * dy, y), lanes);
    lane_f reach = FSM_FLOAT(f, state, reach);
    return (flees & (lane_not(found) | (length >= reach))) | (found & lane_not(flees) & (length <= reach));
}

/* --- what happens ------------------------------------------------------------------------------ */

LANE_FN lane_m fsm_holds(const crowd *c, const throng_fsm_condition *q, int32_t first, lane_m lanes)
{
    if (q->column == THRONG_FSM_NEAR) {
        lane_i other = nearest_of_group(c, lane_set_i(q->kind), lane_iota(first), lanes);
        lanes = lanes & (other >= 0);
        other = lane_select_i(lanes, other, lane_set_i(0));
        lane_f dx = lane_gather(c->x, other) - lane_load(c->x + first);
        lane_f dy = lane_gather(c->y, other) - lane_load(c->y + first);
        crowd_nearest_image(c, &dx, &dy);
        return lanes & (lane_dot(dx, dy, dx, dy) <= q->value * q->value);
    }
    lane_f value = q->kind ? lane_to_f(lane_load_i(crowd_ints(c, q->column) + first))
                           : lane_load(crowd_floats(c, q->column) + first);
    return lanes & (q->above ? value > q->value : value < q->value);
}

/* The options of the first condition that holds, a state at a time. */
LANE_FN lane_i fsm_conditions(const crowd *c, const throng_fsm *f, int32_t first, lane_i state, lane_m lanes)
{
    lane_i option = lane_set_i(FSM_NOTHING);
    while (lane_any(lanes)) {
        int32_t one = lane_first_i(state, lanes);
        lane_m same = lanes & (state == one);
        lanes = lanes & lane_not(same);
        const throng_fsm_state *s = &f->state[one];
        for (int32_t k = s->first_condition; k < s->first_condition + s->conditions && lane_any(same); k++) {
            lane_m holds = fsm_holds(c, &f->condition[k], first, same);
            option = lane_select_i(holds, lane_set_i(f->condition[k].option), option);
            same = same & lane_not(holds);
        }
    }
    return option;
}

LANE_FN lane_i fsm_else(lane_i event, lane_m lanes, lane_i then)
{
    return lane_select_i(lanes & (event == FSM_NOTHING), then, event);
}

/* Those whose state asks for a path of their own, and who have it: without a mesh they need none. */
LANE_FN lane_m fsm_has_path(const crowd *c, const throng_fsm *f, int32_t first, lane_i state, lane_m lanes)
{
    lane_i goal = FSM_INT(f, state, path);
    lanes = lanes & (goal >= 0);
    goal = lane_select_i(lanes, goal, lane_set_i(0));
    lane_m asks = lanes & (GOALS_INT(c, goal, tree) == THRONG_BY_WAYPOINTS);
    if (!lane_any(asks))
        return lanes;
    return lanes & (lane_not(asks) | (lane_load_i(c->waypoint + first) >= 0));
}

/* What happens to the agents in slots `first` .. that have a machine; `there` are those who reach their goal. */
LANE_FN lane_i fsm_happens(const crowd *c, const throng_fsm *f, int32_t first, lane_i state, lane_m lanes,
                           lane_m *there)
{
    lane_i action = FSM_INT(f, state, action), step = lane_set_i((int32_t)c->frame.step);
    lane_m steered = lanes & (action >= THRONG_FSM_SEEK);
    *there = *there & lane_not(steered | (lanes & (action == THRONG_FSM_WAIT)));
    if (lane_any(steered))
        *there = *there | fsm_steer(c, f, lane_iota(first), state, steered);
    lane_i event = lane_set_i(FSM_NOTHING);
    lane_m asks = lanes & (FSM_INT(f, state, path) >= 0), ready = lane_none();
    if (lane_any(asks)) {
        ready = fsm_has_path(c, f, first, state, asks);
        *there = *there & (ready | lane_not(asks)); /* also who is there already waits for its path */
    }
    lane_m follows = lanes & *there & (action == THRONG_FSM_FOLLOW);
    if (lane_any(follows)) {
        follows = follows & (lane_load_i(c->fsm_leg + first) + 1 < FSM_INT(f, state, goals));
        event = lane_select_i(follows, lane_set_i(FSM_RENEWS), event);
        *there = *there & lane_not(follows);
    }
    event = fsm_else(event, lanes & *there, FSM_INT(f, state, arrived));
    lane_m tests = lanes & (event == FSM_NOTHING) & (FSM_INT(f, state, conditions) > 0);
    if (lane_any(tests))
        event = fsm_else(event, tests, fsm_conditions(c, f, first, state, tests));
    event = fsm_else(event, ready, FSM_INT(f, state, ready));
    lane_f frustration = lane_load(c->frustration + first);
    lane_m held = lanes & (crowd_stuck(c, first) | (frustration > FSM_HELD_UP));
    if (lane_any(held)) {
        lane_i after = lane_load_i(c->fsm_since + first) + (int32_t)(FSM_PATIENCE / c->frame.dt);
        event = fsm_else(event, held & (step > after), FSM_INT(f, state, blocked));
    }
    lane_i until = lane_load_i(c->fsm_until + first);
    event = fsm_else(event, lanes & (until >= 0) & (until <= step), FSM_INT(f, state, timeout));
    lane_m again =
        *there | (held & (((step - lane_load_i(c->fsm_since + first)) & 15) == 15)); /* not again in every step */
    lane_m crowded = (action == THRONG_FSM_WAIT) & (frustration > FSM_CROWDED);
    return fsm_else(event, lanes & (crowded | ((action == THRONG_FSM_WANDER) & again)), lane_set_i(FSM_RENEWS));
}

/* The goals stage: notes the step at which agents in slots `first` .. reach a goal that nothing follows; returns those
 * that do now, of them in `last` those that will do nothing else, and in `event` what happens to each agent. */
LANE_FN lane_m fsm_events(const crowd *c, const throng_fsm *f, int32_t first, lane_m lanes, lane_i *event, lane_m *last)
{
    lane_i state = lane_load_i(c->fsm_state + first), asked = lane_load_i(c->fsm_asked + first);
    lanes = lanes & (lane_load_i(c->state + first) != 0);
    lane_m runs = lanes & (state >= 0), asks = lanes & (asked != FSM_NOTHING), there = goals_reach(c, first, lanes);
    *event = lane_set_i(FSM_NOTHING);
    *last = there;
    if (lane_any(runs)) {
        state = lane_select_i(runs, state, lane_set_i(0));
        *event = fsm_happens(c, f, first, state, runs, &there);
        there = there & lane_not(runs & (FSM_INT(f, state, action) == THRONG_FSM_WANDER));
        *last = there & (lane_not(runs) | (FSM_INT(f, state, last) != 0));
    }
    *event = lane_select_i(asks, lane_set_i(FSM_ASKS), *event);
    there = there & (*event == FSM_NOTHING) & (lane_load_i(c->arrived + first) < 0);
    *last = *last & there;
    lane_store_i(c->arrived + first, lane_set_i((int32_t)c->frame.step), there);
    return there;
}

/* --- and what is done ---------------------------------------------------------------------------- */

/* The state that the random number `u` picks from the options at `option` on. */
LANE_FN lane_i fsm_choose(const throng_fsm *f, lane_i option, lane_f u, lane_m lanes)
{
    lane_i state = lane_set_i(0);
    for (lane_m more = lanes; lane_any(more); option = option + 1) {
        lane_i at = lane_select_i(more, option, lane_set_i(0));
        lane_m taken = more & (u < lane_gather(&f->option->below, 2 * at));
        state = lane_select_i(taken, lane_gather_i(&f->option->state, 2 * at), state);
        more = more & lane_not(taken);
    }
    return state;
}

/* Sends the agents to goal number `leg` of their state's; by a path of their own they wait where they are until the
 * host has it. */
LANE_FN void fsm_send(const crowd *c, const throng_fsm *f, lane_i slot, lane_i state, lane_i leg, lane_m lanes)
{
    lane_i entry = lane_select_i(lanes, FSM_INT(f, state, first_goal) + leg, lane_set_i(0));
    lane_i goal = lane_gather_i(f->goal, entry), path = FSM_INT(f, state, path);
    lane_m own = lanes & (path >= 0);
    lane_scatter_i(c->goal, slot, lane_select_i(own, path, goal), lanes);
    lane_scatter_i(c->fsm_leg, slot, leg, lanes);
    if (!lane_any(own))
        return;
    goal = lane_select_i(own, goal, lane_set_i(0));
    lane_scatter(c->goal_x, slot, GOALS_FLOAT(c, goal, x), own);
    lane_scatter(c->goal_y, slot, GOALS_FLOAT(c, goal, y), own);
    if (c->waypoint)
        lane_scatter_i(c->waypoint, slot, lane_set_i(-1), own);
}

/* The step at which the time of a state that is entered now is over, -1: never. */
LANE_FN lane_i fsm_deadline(const crowd *c, const throng_fsm *f, lane_i slot, lane_i state, lane_m lanes)
{
    lane_f least = FSM_FLOAT(f, state, least), seconds = least, most = FSM_FLOAT(f, state, most);
    if (lane_any(lanes & (most > least)))
        seconds = least + (most - least) * fsm_draw(c, slot, FSM_DRAW_TIME);
    lane_i steps = lane_floor_i(seconds / c->frame.dt + 0.5f);
    steps = lane_select_i(steps < 1, lane_set_i(1), steps);
    return lane_select_i(least >= 0, steps + (int32_t)c->frame.step, lane_set_i(-1));
}

LANE_FN void fsm_enter(const crowd *c, const throng_fsm *f, lane_i slot, lane_i state, lane_m lanes)
{
    lane_i action = FSM_INT(f, state, action);
    lane_i goal = lane_select_i(action == THRONG_FSM_STAND, lane_set_i(-1), lane_set_i(f->own));
    lane_f x = lane_gather(c->x, slot), y = lane_gather(c->y, slot);
    lane_scatter_i(c->fsm_before, slot, lane_gather_i(c->fsm_state, slot), lanes);
    lane_scatter_i(c->fsm_state, slot, state, lanes);
    lane_scatter_i(c->fsm_since, slot, lane_set_i((int32_t)c->frame.step), lanes);
    lane_scatter_i(c->fsm_until, slot, fsm_deadline(c, f, slot, state, lanes), lanes);
    lane_scatter_i(c->fsm_asked, slot, lane_set_i(FSM_NOTHING), lanes);
    lane_scatter_i(c->arrived, slot, lane_set_i(-1), lanes);
    lane_scatter_i(c->goal, slot, goal, lanes & lane_not(action == THRONG_FSM_ON));
    lane_m goes = lanes & ((action == THRONG_FSM_GO) | (action == THRONG_FSM_FOLLOW));
    if (lane_any(goes)) {
        lane_i goals = FSM_INT(f, state, goals), pick = lane_set_i(0);
        lane_m picks = goes & (action == THRONG_FSM_GO) & (goals > 1);
        if (lane_any(picks))
            pick = lane_floor_i(fsm_draw(c, slot, FSM_DRAW_GOAL) * lane_to_f(goals));
        fsm_send(c, f, slot, state, lane_select_i(picks, pick, lane_set_i(0)), goes);
    }
    lane_m stays = lanes & (action == THRONG_FSM_WAIT), wanders = lanes & (action == THRONG_FSM_WANDER);
    goals_set_own(c, slot, x, y, stays);
    lane_scatter(c->home_x, slot, x, wanders);
    lane_scatter(c->home_y, slot, y, wanders);
    lane_m steered = lanes & (action >= THRONG_FSM_SEEK);
    if (lane_any(steered))
        fsm_steer(c, f, slot, state, steered);
}

/* Does what happens (`event`, of fsm_events) to the agents at `slot`. */
LANE_FN void fsm_act(const crowd *c, const throng_fsm *f, lane_i slot, lane_i event, lane_m lanes)
{
    lane_i state = lane_gather_i(c->fsm_state, slot), asked = lane_gather_i(c->fsm_asked, slot);
    lane_m asks = lanes & (event == FSM_ASKS), renews = lanes & (event == FSM_RENEWS);
    event = lane_select_i(asks & (asked < 0), -2 - asked, event);
    lane_m chooses = lanes & (event >= 0);
    if (lane_any(chooses))
        state = lane_select_i(chooses, fsm_choose(f, event, fsm_draw(c, slot, FSM_DRAW_OPTION), chooses), state);
    state = lane_select_i(asks & (asked >= 0), asked, state);
    state = lane_select_i(lanes, state, lane_set_i(0));
    fsm_enter(c, f, slot, state, lanes & lane_not(renews));
    lane_m wanders = lanes & (FSM_INT(f, state, action) == THRONG_FSM_WANDER);
    if (lane_any(wanders))
        fsm_roam(c, slot, FSM_FLOAT(f, state, reach), wanders);
    lane_m waits = renews & (FSM_INT(f, state, action) == THRONG_FSM_WAIT);
    if (lane_any(waits))
        goals_set_own(c, slot, lane_gather(c->x, slot), lane_gather(c->y, slot), waits);
    lane_m follows = renews & (FSM_INT(f, state, action) == THRONG_FSM_FOLLOW);
    if (lane_any(follows))
        fsm_send(c, f, slot, state, lane_gather_i(c->fsm_leg, slot) + 1, follows);
}

#endif
