/* Giving way: what an agent does who touches others and gets nowhere.
 *
 * It grows frustrated: the mean of 1 - progress / preferred speed over about
 * YIELD_MEMORY seconds, progress being its speed towards where it wants to go.
 * Frustration begins with a touch, or when the planner brings it to a standstill,
 * and goes on while progress is poor; before that nothing here acts. (Without
 * standstills four who cross stood before each other for ever under BVP.)
 *
 * Among people with other goals it turns its preferred velocity to the right by
 * up to YIELD_TURN radians, so that crowds that meet swirl past each other.
 * 1,000 agents that cross a circle (1,590 steps if they were alone): all arrived
 * by step 1,945; turning only for somebody in front who wants the opposite
 * way: 147 by step 3,000, since those behind keep pushing straight on.
 *
 * Among people with the same goal nobody turns, and walls matter less: the time
 * horizon for walls shrinks with frustration to nothing, so that people close up
 * in a doorway. And some of the frustrated, others every half second, push: they
 * take their preferred velocity instead of the planner's, in proportion to their
 * frustration: one in fifty, but in a queue one in twelve of those at its front,
 * and nobody behind them, who would only sway those ahead. The contacts decide what
 * comes of it; since the pressure comes and goes, arches at doors do not last. Flow
 * of 200 people through doors of 0.8 / 1.0 / 1.2 m, five seeds each: 1.18-1.27 /
 * 1.81-1.93 / 2.23-2.33 a second (people: 1.29 / 1.90 / 2.36, Seyfried 2009);
 * without pushers 0.64-0.97 / 1.04-1.54 / 2.22-2.53, without either 0.3-0.5 /
 * 1.0-1.4 / 2.1 (earlier versions). When one in fifty pushed wherever it stood:
 * 1.11-1.24 / 1.66-1.90 / 2.17-2.30, and in scenarios/evacuation.lua 2.7 to 3.6 % of
 * steps went backwards, 1.3 to 1.4 now.
 *
 * Bodies that are wider than deep hold each other more firmly before a door than discs do, so more of them push. And of
 * those who touch, side by side, one does at a time: where two push against each other neither gets in, and two pairs
 * of shoulders held each other before a door of 0.5 m for up to 16 s. 75 people through doors of 0.5 / 0.8 / 1.0 / 1.2
 * / 2.0 m, twelve seeds each: 1.07 / 1.65 / 2.00 / 2.22 / 3.54 a second (people: 1.09 / 1.36 / 1.88 / 2.25 / 3.71);
 * when three in ten pushed, whoever was beside them, 1.00 / 1.60 / 1.94 / 2.19 / 3.49, and with one in twelve 0.80 at
 * 0.5 m.
 *
 * Those who have got nowhere for long rest all together now and then. Who stands across a gap narrower than its
 * shoulders, or two who both want to the middle of a mouth and straight at each other, find their way only while nobody
 * presses. Of 20 crowds of 75 before a gap of 0.48 m (shoulders are 0.456 m wide, in the mean, and some of 0.5) 4 of
 * 1,500 people were left after 300 s, 257 if nobody rests; of 30 such crowds without trials.h, too, 1,071 of 2,250.
 *
 * Two discs that just do not fit side by side hold each other for good, however hard one pushes, where an opening gets
 * narrower behind them: the one below would have to lift the other by twenty times what it gains. So those who have
 * stood before a door for 9 s take turns. 40 people, all 0.48 m wide, before openings of 0.945 and 0.955 m with a door
 * of 0.75 m behind, under five planners, eight seeds each: 10 and 332 of 1,600 are left after 150 s, 1,097 and 1,101
 * were. In 200 runs of scenarios/evacuation.lua nobody is left, 14 people in two of them were. Who rests as well holds
 * up dense crowds: at 4 persons/m^2 people walked 0.03 m/s, 0.08 now.
 *
 * What was tried and did not help: random turns, waiting or stepping back by all
 * (arches last longer), a shorter time horizon for agents (little), everybody pushing a
 * little (3.4 a second at 1.2 m, and arches that never break at 0.8 m).
 *
 * The whole rule is here. */
#ifndef THRONG_YIELD_H
#define THRONG_YIELD_H

#include "kernels/crowd.h"
#include "kernels/routing/goals.h"
#include "kernels/stadium.h"

#define YIELD_TURN    1.1f  /* rad, times the frustration */
#define YIELD_MEMORY  2.0f  /* s */
#define YIELD_STARTED 0.02f /* frustration that goes on without a touch */
#define YIELD_STALLED 0.01f /* of the preferred speed: who is slower stands still */
#define YIELD_WALLS   4.0f  /* times the frustration: the part of the time horizon for walls that is given up */

/* Does somebody who wants (wx, wy) stand still? */
LANE_FN lane_m yield_stalls(lane_f vx, lane_f vy, lane_f wx, lane_f wy)
{
    return lane_dot(vx, vy, vx, vy) < YIELD_STALLED * YIELD_STALLED * lane_dot(wx, wy, wx, wy);
}

/* The frustration after a step of `dt` at velocity (vx, vy), wanting (wx, wy); it begins in the lanes of `starts`. */
LANE_FN lane_f yield_frustration(lane_f before, lane_f vx, lane_f vy, lane_f wx, lane_f wy, lane_m starts, float dt)
{
    lane_f wanted = lane_dot(wx, wy, wx, wy);
    lane_f progress = lane_clamp(lane_dot(vx, vy, wx, wy) / wanted, lane_set(0), lane_set(1));
    lane_m suffers = (starts | (before > YIELD_STARTED)) & (wanted > 0);
    lane_f lost = lane_select(suffers, 1.0f - progress, lane_set(0));
    float share = dt < YIELD_MEMORY ? dt / YIELD_MEMORY : 1;
    return before + share * (lost - before);
}

/* The lanes that have a neighbour who goes to another place. */
LANE_FN lane_m yield_mixed(const crowd *c, int k, int32_t first, lane_m lanes, lane_i slot)
{
    lane_i place = goals_place(c, lane_gather_i(c->goal, slot));
    lane_f x, y, their_x, their_y;
    crowd_own_goal(c, slot, &x, &y);
    lane_m mixed = lane_none();
    crowd_seen seen = crowd_see(c, k, first);
    for (int s = 0; s < k; s++) {
        lane_i other = crowd_see_next(c, &seen);
        lane_m there = lanes & (other >= 0) & lane_not(mixed);
        if (!lane_any(there))
            break;
        lane_i theirs = lane_gather_i(c->slot, lane_select_i(there, other, lane_set_i(0)));
        crowd_own_goal(c, theirs, &their_x, &their_y);
        lane_m same = (goals_place(c, lane_gather_i(c->goal, theirs)) == place) & (their_x == x) & (their_y == y);
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
    lane_f horizon = crowd_wall_horizon(c, slot), calm = 1.0f - YIELD_WALLS * lane_gather(c->frustration, slot);
    return lane_max(horizon * lane_max(calm, lane_set(0)), lane_min(horizon, lane_set(c->frame.dt)));
}

#define YIELD_PUSHERS 0.02f /* of the frustrated, at any time */
#define YIELD_QUEUES  0.5f  /* who is more frustrated, among people with the same goal, stands in a queue */
#define YIELD_FRONT   0.08f /* of those at the front of one, */
#define YIELD_WIDE    0.3f  /* and if they are wider than deep, */
#define YIELD_LONG    0.8f  /* all of them who are more frustrated than this, */
#define YIELD_STUCK   0.97f /* who is more frustrated than this has got nowhere for 7 s */
#define YIELD_RESTS   4     /* and rests in one of so many spells */
#define YIELD_TOUCH   0.1f  /* m: but of those who leave less between them, side by side, one at a time */
#define YIELD_AHEAD   2     /* of an agent's neighbours: it is at the front if no more are ahead of it */
#define YIELD_SPELL   0.5f  /* s: how long one pushes */

#define YIELD_STANDS   0.99f  /* who is more frustrated than this has got nowhere for 9 s */
#define YIELD_EACH     16     /* spells: how long each has its turn */
#define YIELD_FREE     0.5f   /* m: if nobody is nearer, straight ahead of it: */
#define YIELD_STRAIGHT 0.7f   /* a cosine, from the way it wants to go; */
#define YIELD_BEHIND   -0.25f /* that of those behind, who are not asked */
#define YIELD_BACK     0.3f   /* of its preferred speed, at which one steps back */

#if LANES == 1
typedef uint32_t yield_bits;
#else
typedef uint32_t yield_bits __attribute__((vector_size(4 * LANES)));
#endif

/* A bijection that mixes 32 bits well (C. Wellons' "lowbias32"); unsigned, so that it wraps. */
LANE_FN yield_bits yield_mix(yield_bits x)
{
    x = (x ^ (x >> 16)) * 0x7feb352du;
    x = (x ^ (x >> 15)) * 0x846ca68bu;
    return x ^ (x >> 16);
}

/* The number of this spell. */
LANE_FN uint32_t yield_spell(const crowd *c)
{
    float steps = YIELD_SPELL / c->frame.dt + 0.5f;
    return c->frame.step / (steps > 1 ? (uint32_t)steps : 1);
}

/* A number in [0, 1) of every slot, another one for each `time`. */
LANE_FN lane_f yield_draw_at(lane_i slot, uint32_t time)
{
    yield_bits x = yield_mix(yield_mix((yield_bits)slot + 0x9E3779B9u) + time * 0x85EBCA6Bu);
    return lane_to_f((lane_i)(x >> 8)) * (1.0f / 16777216.0f);
}

/* Another one every spell. */
LANE_FN lane_f yield_draw(const crowd *c, lane_i slot) { return yield_draw_at(slot, yield_spell(c)); }

/* Those of agents `first` .., who want (wx, wy), that are at the front of a queue: at most YIELD_AHEAD of their
 * neighbours are within 60 degrees of there, and all these want to get on. Who wants to go back there, by 145 degrees
 * or more, is ahead of nobody: where stairs begin behind a turn, those who come up to it beside the handrail would
 * leave nobody at the front. `against`: those who have a neighbour who wants to go the other way. */
LANE_FN lane_m yield_leads(const crowd *c, int32_t first, lane_m lanes, lane_f wx, lane_f wy, lane_m *against)
{
    lane_f x = lane_load(c->sx + first), y = lane_load(c->sy + first), wanted = lane_dot(wx, wy, wx, wy);
    lane_i count = lane_set_i(0);
    lane_m free = lanes;
    *against = lane_none();
    for (int s = 0; s < c->k; s++) {
        lane_i other = lane_load_i(c->seen + (int64_t)s * c->stride + first);
        lane_m there = lanes & (other >= 0);
        if (!lane_any(there))
            break;
        other = lane_select_i(there, other, lane_set_i(0));
        lane_i slot = lane_gather_i(c->slot, other);
        lane_f their_x = lane_gather(c->desired_vx, slot), their_y = lane_gather(c->desired_vy, slot);
        lane_f same_way = lane_dot(their_x, their_y, wx, wy), theirs = lane_dot(their_x, their_y, their_x, their_y);
        *against = *against | (there & (same_way < 0));
        lane_m turns_back = (same_way < 0) & (3.0f * (same_way * same_way) > 2.0f * (theirs * wanted));
        lane_f px = lane_gather(c->sx, other) - x, py = lane_gather(c->sy, other) - y;
        crowd_nearest_image(c, &px, &py);
        lane_f along = lane_dot(px, py, wx, wy);
        lane_m ahead =
            there & lane_not(turns_back) & (along > 0) & (4.0f * (along * along) > lane_dot(px, py, px, py) * wanted);
        free = free & lane_not(ahead & (their_x == 0) & (their_y == 0));
        count = count + lane_select_i(ahead, lane_set_i(1), lane_set_i(0));
    }
    return free & (count <= YIELD_AHEAD);
}

/* Which part of the agents in these slots would push at the front of a queue. */
LANE_FN lane_f yield_front(const crowd *c, lane_i slot, lane_f frustration)
{
    if (!c->width)
        return lane_set(YIELD_FRONT);
    lane_f wide = lane_select(frustration > YIELD_LONG, lane_set(1), lane_set(YIELD_WIDE));
    return lane_select(stadium_half(c, slot) > 0, wide, lane_set(YIELD_FRONT));
}

/* Those of agents `first` .., who want (wx, wy), that have drawn the least of the frustrated who stand beside them,
 * within 30 degrees, and touch them. */
LANE_FN lane_m yield_goes_first(const crowd *c, int32_t first, lane_m lanes, lane_f wx, lane_f wy, lane_f drawn)
{
    lane_f x = lane_load(c->sx + first), y = lane_load(c->sy + first), wanted = lane_dot(wx, wy, wx, wy);
    lane_f reach = lane_load(c->sr + first) + YIELD_TOUCH;
    for (int s = 0; s < c->k; s++) {
        lane_i other = lane_load_i(c->seen + (int64_t)s * c->stride + first);
        lane_m there = lanes & (other >= 0);
        if (!lane_any(there))
            break;
        other = lane_select_i(there, other, lane_set_i(0));
        lane_f px = lane_gather(c->sx, other) - x, py = lane_gather(c->sy, other) - y;
        crowd_nearest_image(c, &px, &py);
        lane_f along = lane_dot(px, py, wx, wy), square = lane_dot(px, py, px, py),
               touch = reach + lane_gather(c->sr, other);
        lane_m beside = there & (square < touch * touch) & (4.0f * (along * along) <= square * wanted);
        lane_i slot = lane_gather_i(c->slot, other);
        beside = beside & (lane_gather(c->frustration, slot) > YIELD_QUEUES);
        lanes = lanes & lane_not(beside & (yield_draw(c, slot) < drawn));
    }
    return lanes;
}

/* Those of agents `first` .., who want (wx, wy), that stand in a queue; `front`: and at its front, and go first. */
LANE_FN lane_m yield_queues(const crowd *c, int32_t first, lane_m lanes, lane_i slot, lane_f wx, lane_f wy,
                            lane_f drawn, lane_m *front)
{
    lane_m against;
    *front = yield_leads(c, first, lanes, wx, wy, &against);
    lane_m wide = *front & (c->width ? stadium_half(c, slot) > 0 : lane_none());
    if (lane_any(wide))
        *front = *front & (lane_not(wide) | yield_goes_first(c, first, wide, wx, wy, drawn));
    lane_m mixed = yield_mixed(c, c->k, first, lanes, slot) | (against & (lane_gather_i(c->goal, slot) < 0));
    return lanes & lane_not(mixed);
}

/* Draws who pushes among agents `first` ..: their new velocity becomes the preferred one, in proportion to
 * their frustration. */
LANE_FN void yield_push(const crowd *c, int32_t first, lane_m lanes)
{
    lane_i slot = crowd_slots(c, first, lanes);
    lane_f frustration = lane_gather(c->frustration, slot), drawn = yield_draw(c, slot);
    lane_m pushes = lanes & (frustration > 0) & (drawn < yield_front(c, slot, frustration));
    lane_m held = pushes & (frustration > YIELD_QUEUES), front = lane_none(), queues = lane_none();
    pushes = pushes & (held | (drawn < YIELD_PUSHERS));
    if (!lane_any(pushes))
        return;
    lane_f wx = lane_gather(c->desired_vx, slot), wy = lane_gather(c->desired_vy, slot);
    if (lane_any(held))
        queues = yield_queues(c, first, held, slot, wx, wy, drawn, &front);
    pushes = pushes & ((queues & front) | (lane_not(queues) & (drawn < YIELD_PUSHERS)));
    if (!lane_any(pushes))
        return;
    lane_f wanted = lane_sqrt(lane_dot(wx, wy, wx, wy)), limit = lane_gather(c->max_speed, slot);
    lane_f scale = lane_select(wanted > limit, limit / wanted, lane_set(1));
    lane_f vx = lane_load(c->nx + first), vy = lane_load(c->ny + first);
    lane_store(c->nx + first, vx + frustration * (wx * scale - vx), pushes);
    lane_store(c->ny + first, vy + frustration * (wy * scale - vy), pushes);
}

/* Those who are wider than deep and have got nowhere for long rest, all together, for a spell now and then. */
LANE_FN void yield_rest(const crowd *c, lane_m lanes, lane_i slot, lane_f *vx, lane_f *vy)
{
    if (!c->width || yield_spell(c) % YIELD_RESTS)
        return;
    lanes = lanes & (lane_gather(c->frustration, slot) > YIELD_STUCK) & (stadium_half(c, slot) > 0);
    *vx = lane_select(lanes, lane_set(0), *vx);
    *vy = lane_select(lanes, lane_set(0), *vy);
}

/* Where discs hold each other before a door for long they take turns, of those who touch side by side with nobody ahead
 * one at a time: it goes as it prefers to, and the others step back. Of agents `first` .. those who go, whom no time
 * gap holds. */
LANE_FN lane_m yield_take_turns(const crowd *c, int32_t first, lane_m lanes, lane_i slot, lane_f *vx, lane_f *vy)
{
    lane_f own = lane_gather(c->frustration, slot), most = lane_set(0);
    lanes = lanes & (own > YIELD_LONG) & (crowd_time_gap(c, slot) > 0);
    if (c->width)
        lanes = lanes & lane_not(stadium_half(c, slot) > 0);
    if (!lane_any(lanes))
        return lanes;
    uint32_t turn = yield_spell(c) / YIELD_EACH;
    lane_f x = lane_load(c->sx + first), y = lane_load(c->sy + first), drawn = yield_draw_at(slot, turn);
    lane_f wx = lane_gather(c->desired_vx, slot), wy = lane_gather(c->desired_vy, slot);
    lane_f wanted = lane_sqrt(lane_dot(wx, wy, wx, wy)), reach = lane_load(c->sr + first) + YIELD_TOUCH;
    lane_m after = lane_none();
    for (int s = 0; s < c->k; s++) {
        lane_i other = lane_load_i(c->seen + (int64_t)s * c->stride + first);
        lane_m there = lanes & (other >= 0);
        if (!lane_any(there))
            break;
        other = lane_select_i(there, other, lane_set_i(0));
        lane_i theirs = lane_gather_i(c->slot, other);
        lane_f px = lane_gather(c->sx, other) - x, py = lane_gather(c->sy, other) - y;
        crowd_nearest_image(c, &px, &py);
        lane_f distance = lane_sqrt(lane_dot(px, py, px, py)), gap = distance - reach - lane_gather(c->sr, other);
        lane_f cosine = lane_dot(px, py, wx, wy) / (distance * wanted),
               frustration = lane_gather(c->frustration, theirs);
        lane_m held = there & (frustration > YIELD_LONG), touches = held & (gap < 0);
        lanes = lanes & lane_not(held & (gap < YIELD_FREE) & (cosine > YIELD_STRAIGHT));
        after = after | (touches & (cosine > YIELD_BEHIND) & (yield_draw_at(theirs, turn) < drawn));
        most = lane_select(touches, lane_max(most, lane_max(own, frustration)), most);
    }
    lanes = lanes & (most > YIELD_STANDS);
    lane_f limit = lane_gather(c->max_speed, slot), go = lane_select(wanted > limit, limit / wanted, lane_set(1));
    lane_f part = lane_select(after, lane_set(-YIELD_BACK), lane_set(1)) * go;
    *vx = lane_select(lanes, part * wx, *vx);
    *vy = lane_select(lanes, part * wy, *vy);
    return lanes & lane_not(after);
}

#endif
