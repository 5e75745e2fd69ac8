/* Time gap: nobody walks faster than the space ahead allows.
 *
 * The speed of an agent is bounded by what keeps its time gap T to everybody who walks ahead of it, in a strip along
 * its direction e: v <= gap / T, the gap measured along e until the two bodies touch (the collision-free speed model of
 * A. Tordeux, M. Chraibi and A. Seyfried, "Collision-free speed model for pedestrian dynamics", 2016, equation 2: the
 * direction is chosen first, then the speed). A leader who walks on makes room, so a part s of the bound is its own
 * speed along e: v <= (1 - s) gap / T + s leader, which is gap / T where all walk as fast. (S. Narang, A. Best, S.
 * Curtis and D. Manocha, "Generating pedestrian trajectories consistent with the fundamental diagram", 2015, bound the
 * preferred speed by the space ahead, before the planner: see walk.h.)
 *
 * A leader is in the way until he has left the strip: who steps out of it before the gap is over, at the speed that he
 * has, bounds by gap / t, with t the time until then, and not by gap / T. Those who cross let each other pass behind
 * them, and who files into a door or round a bend does not stop for everybody beside him. Two streams of 150 people who
 * cross lost 43 % of their time (ORCA, RVO 44 %) when all kept the whole gap, and were carried off together; they lose
 * 28 and 22 %. Through a bend of 2.4 m came 3.3 persons/s (RVO 2.7), and come 3.7 and 2.9 (people 3.8).
 *
 * Only who is farther ahead of the agent than the agent is of him, along what he prefers, leads it: who walks the same
 * way does, of two whose ways cross the one who is first, and of two who meet head-on neither. Who has arrived leads
 * nobody. With everybody, doors and two-way flow freeze, and two who come to one corner wait for each other.
 *
 * Who gets nowhere grows impatient. (Impatience as 1 - mean speed / preferred speed: D. Helbing, I. Farkas and T.
 * Vicsek, "Simulating dynamical features of escape panic", 2000; here the frustration of yield.h.) Where not all around
 * it want to go to one place, it keeps less and less of its gap to those who do not go its way, and contacts decide who
 * passes. Otherwise those who cross wait in circles, each for one who waits for the next: of four streams of 100 people
 * (scenarios/streams.lua) 46 came through in 250 s under ORCA, 77 to 211 under the other planners of people, and all
 * do in 69 to 72; of two hundreds who meet in a corridor of 2 m (IMO 8, discs), 7 of 200 in the worst of four seeds in
 * 400 s, and all do in 141 to 147. Where all want to go to one place they would push and sway before its doors: 10 to
 * 14 % of their steps in scenarios/evacuation.lua went backwards, where .9 % do.
 *
 * Those who are held stop and go, in waves, as people do (slow to start: C. Eilhardt and A. Schadschneider, "Stochastic
 * headway dependent velocity model for 1D pedestrian dynamics at high densities", 2014): each has spans of 4 s of his
 * own, and of seven one begins with a stop, if he is held to 0.1 to 0.4 m/s; then he stands until the gap lets him
 * walk at that, or the span is over. As that only ever slows, it pushes nobody: in scenarios/evacuation.lua .9 % of all
 * steps go backwards, .8 without it, but 1.0 to 3.3 with noise that is laid upon the bound (A. Tordeux, A.
 * Schadschneider and S. Lassarre, "Stop-and-go waves induced by correlated noise in pedestrian models without inertia",
 * 2020). In single file of 1.8 persons/m people stop 4 to 6 times a minute, where hardly anybody
 * did (RVO: .5).
 *
 * Speeds and flows beside what was measured of people: tests/people/RESULTS.md. The default, 0.6 s, is the gap with
 * which both hold at once; the part of the leader lets queues start sooner, so doors pass more of the same crowd. The
 * strip is narrower than bodies: with a strip of the full width (1) doors of 1 and 2 m pass 11 and 15 % fewer, as
 * people stop for those beside them.
 */
#ifndef THRONG_TIME_GAP_H
#define THRONG_TIME_GAP_H

#include "kernels/lane/philox.h"
#include "kernels/sheets.h"
#include "kernels/stadium.h"
#include "yield.h"

#define TIME_GAP_STRIP  0.8f   /* of the sum of radii: half the width of the strip ahead in which others count */
#define TIME_GAP_LEADER 0.5f   /* s: the part that the leader's speed is of the bound */
#define TIME_GAP_BODIES 0.5f   /* of what bodies leave between them, see time_gap_of_bodies */
#define TIME_GAP_AGREE  0.75f  /* square of the cosine from which on somebody goes one's way: 30 degrees */
#define TIME_GAP_HURRY  4.0f   /* times the frustration: the part of the gap to others that is not kept */
#define TIME_GAP_MARGIN 1.001f /* what rounding may do to a squared distance */

#define TIME_GAP_STARTS 0.4f  /* m/s: who stands goes on as soon as he may be as fast */
#define TIME_GAP_STANDS 0.1f  /* m/s: who is slower stands */
#define TIME_GAP_SPAN   4.0f  /* s */
#define TIME_GAP_WAITS  0.15f /* the part of all spans that begin with a stop */
#define TIME_GAP_STOP   0.5f  /* s: how long that is at least */
enum { TIME_GAP_RANDOM = 17 };

/* Where bodies are wider than deep, the gap is at least a part of what they leave between them along (ex, ey): as the
 * discs that planners see they touch from 4 persons/m^2 on, and stand, where people do 0.16 m/s. With all of it, 0.55
 * and 0.35 m/s at 3 and 4 (people: 0.33 and 0.16), with half of it 0.30 and 0.19, with nothing 0.28 and 0.05. */
LANE_FN lane_f time_gap_of_bodies(const crowd *c, lane_i slot, lane_i theirs, lane_f ex, lane_f ey, lane_f along,
                                  lane_f gap)
{
    lane_f ax, ay, bx, by, radii = lane_gather(c->radius, slot) + lane_gather(c->radius, theirs);
    stadium_arm(c, slot, &ax, &ay);
    stadium_arm(c, theirs, &bx, &by);
    lane_f deep = radii + lane_abs(lane_dot(ex, ey, ax, ay)) + lane_abs(lane_dot(ex, ey, bx, by));
    lane_m wide = (ax != 0) | (ay != 0) | (bx != 0) | (by != 0);
    return lane_select(wide, lane_max(gap, TIME_GAP_BODIES * (along - deep)), gap);
}

/* The part, 0 to 1, of the gap to those who do not go their way that agents `first` .., in slots `slot`, keep. */
LANE_FN lane_f time_gap_patience(const crowd *c, int k, int32_t first, lane_m lanes, lane_i slot)
{
    lane_f frustration = lane_gather(c->frustration, slot);
    lane_m held = lanes & (frustration > 0);
    if (!lane_any(held))
        return lane_set(1);
    held = held & (yield_mixed(c, k, first, held, slot) | (lane_gather_i(c->goal, slot) < 0));
    return lane_select(held, lane_max(1.0f - TIME_GAP_HURRY * frustration, lane_set(0)), lane_set(1));
}

/* Agents that walk along (ex, ey), and no faster than `limit`. */
typedef struct time_gap_walk {
    lane_i slot;
    lane_f x, y, radius, ex, ey, gap_time, limit;
    lane_f ground_x, ground_y; /* m/s: of what carries them */
    lane_f patience;
    bool asked; /* for their patience: few have to be */
} time_gap_walk;

/* From them to those at sorted indices `other`, m. */
LANE_FN void time_gap_offset(const crowd *c, const time_gap_walk *w, lane_i other, lane_f *px, lane_f *py)
{
    *px = lane_gather(c->sx, other) - w->x;
    *py = lane_gather(c->sy, other) - w->y;
    crowd_nearest_image(c, px, py);
}

/* Bounds the lanes in `there` of agents `first` .. by those at sorted indices `other`, (px, py) from them. */
LANE_FN void time_gap_keep(const crowd *c, int k, int32_t first, lane_m lanes, lane_m there, lane_i other, lane_f px,
                           lane_f py, time_gap_walk *w)
{
    lane_f ex = w->ex, ey = w->ey, radii = w->radius + lane_gather(c->sr, other);
    lane_f along = lane_dot(ex, ey, px, py), aside = lane_det(ex, ey, px, py);
    lane_f gap = along - lane_sqrt(lane_max(radii * radii - aside * aside, lane_set(0)));
    there = there & (gap < w->limit * w->gap_time);
    if (!lane_any(there))
        return;
    if (c->width)
        gap = time_gap_of_bodies(c, w->slot, lane_gather_i(c->slot, other), ex, ey, along, gap);
    lane_f wx = lane_gather(c->swx, other), wy = lane_gather(c->swy, other);
    lane_f wish = lane_dot(wx, wy, wx, wy), facing = lane_dot(wx, wy, ex, ey);
    lane_m leads = along * lane_sqrt(wish) > -lane_dot(wx, wy, px, py);
    lane_m my_way = (facing > 0) & (facing * facing > TIME_GAP_AGREE * wish);
    lane_f their_x = lane_gather(c->svx, other) - w->ground_x, their_y = lane_gather(c->svy, other) - w->ground_y;
    lane_f lead = lane_dot(their_x, their_y, ex, ey), off = lane_det(ex, ey, their_x, their_y);
    lane_f leaves = TIME_GAP_STRIP * radii - lane_select(off > 0, aside, -aside); /* m, to the side of the strip */
    lane_m soon = leaves < lane_abs(off) * w->gap_time;
    lane_f kept_for = lane_select(soon, lane_max(leaves / lane_abs(off), lane_set(c->frame.dt)), w->gap_time);
    lane_f allowed = lane_max(gap, lane_set(0)) / kept_for + TIME_GAP_LEADER * lane_max(lead, lane_set(0));
    there = there & leads & (lane_gather_i(c->sarrived, other) < 0) & (allowed < w->limit);
    if (!w->asked && lane_any(there & lane_not(my_way))) {
        w->patience = time_gap_patience(c, k, first, lanes, w->slot);
        w->asked = true;
    }
    lane_f kept = lane_select(my_way, lane_set(1), w->patience);
    w->limit = lane_select(there & (allowed < w->limit * kept), allowed / kept, w->limit);
}

/* Bounds agents `first` .. by all who are in the strip ahead of them. On CUDA these are noted first, and met together:
 * a warp then waits for as many of them as one of its threads has. */
LANE_FN void time_gap_look(const crowd *c, int k, int32_t first, lane_m lanes, time_gap_walk *w)
{
    lane_f most = w->radius + (c->frame.large_count ? INFINITY : c->frame.bulk_radius);
    lane_m searching = lanes;
#if defined(__CUDACC__)
    uint32_t noted = 0;
#endif
    crowd_seen seen = crowd_see(c, k, first);
    for (int s = 0; s < k; s++) {
        lane_i other = crowd_see_next(c, &seen);
        lane_m there = searching & (other >= 0);
        if (!lane_any(there))
            break;
        other = lane_select_i(there, other, lane_set_i(first));
        lane_f px, py;
        time_gap_offset(c, w, other, &px, &py);
        lane_f far = w->limit * w->gap_time + most, side = TIME_GAP_STRIP * most;
        searching = there & (lane_dot(px, py, px, py) <= TIME_GAP_MARGIN * (far * far + side * side));
        if (!lane_any(searching)) /* the nearest come first */
            break;
        lane_f radii = w->radius + lane_gather(c->sr, other), along = lane_dot(w->ex, w->ey, px, py);
        there = searching & (along > 0) & (lane_abs(lane_det(w->ex, w->ey, px, py)) < TIME_GAP_STRIP * radii) &
                (along - radii < w->limit * w->gap_time);
#if defined(__CUDACC__)
        noted |= (uint32_t)there << s;
#else
        if (lane_any(there))
            time_gap_keep(c, k, first, lanes, there, other, px, py, w);
#endif
    }
#if defined(__CUDACC__)
    for (; noted; noted &= noted - 1) {
        lane_i other = lane_load_i(c->seen + (int64_t)(__ffs(noted) - 1) * c->stride + first);
        lane_f px, py;
        time_gap_offset(c, w, other, &px, &py);
        time_gap_keep(c, k, first, lanes, lanes, other, px, py, w);
    }
#endif
}

/* Which of those who walk at less than TIME_GAP_STARTS, as they are held, stand still instead. */
LANE_FN lane_m time_gap_waits(const crowd *c, int32_t first, lane_m lanes, const time_gap_walk *w)
{
    uint32_t span = (uint32_t)(TIME_GAP_SPAN / c->frame.dt + 0.5f); /* steps; one takes 1e-4 to 1 s */
    lane_u step = (lane_u)w->slot * 0x9E3779B1u % span + (uint32_t)c->frame.step, number = step / span;
    lane_f drawn = philox_unit(philox_random(c->frame.seed, (lane_u)w->slot, number, 0, TIME_GAP_RANDOM).a);
    lane_f since = lane_to_f((lane_i)(step - number * span)) * c->frame.dt;
    lane_f x = lane_load(c->svx + first) - w->ground_x, y = lane_load(c->svy + first) - w->ground_y;
    lane_m stands = lane_dot(x, y, x, y) < TIME_GAP_STANDS * TIME_GAP_STANDS;
    return lanes & (drawn < TIME_GAP_WAITS) & (stands | (since < TIME_GAP_STOP));
}

/* Slows the velocities (vx, vy) of agents `first` .., in slots `slot`. */
LANE_FN void time_gap_slow(const crowd *c, int k, int32_t first, lane_m lanes, lane_i slot, lane_f *vx, lane_f *vy)
{
    time_gap_walk w = {.slot = slot,
                       .x = lane_load(c->sx + first),
                       .y = lane_load(c->sy + first),
                       .radius = lane_load(c->sr + first),
                       .gap_time = crowd_time_gap(c, slot) * (1.0f / (1.0f - TIME_GAP_LEADER)),
                       .ground_x = lane_set(0),
                       .ground_y = lane_set(0),
                       .patience = lane_set(1)};
    lane_f x_speed = *vx, y_speed = *vy;
    if (c->sheets.count) { /* all by how they walk on what carries them */
        sheets_carry(c, slot, *vx, *vy, &w.ground_x, &w.ground_y);
        x_speed = *vx - w.ground_x;
        y_speed = *vy - w.ground_y;
        w.gap_time = sheets_time_gap(c, slot, x_speed, y_speed, w.gap_time);
    }
    lane_f square = lane_dot(x_speed, y_speed, x_speed, y_speed);
    lanes = lanes & (w.gap_time > 0) & (square > 0);
    if (!lane_any(lanes))
        return;
    w.limit = lane_sqrt(square);
    w.ex = x_speed / w.limit;
    w.ey = y_speed / w.limit;
    lane_f wished = w.limit;
    time_gap_look(c, k, first, lanes, &w);
    lane_m held = lanes & (w.limit < wished) & (w.limit < TIME_GAP_STARTS) & (w.limit > TIME_GAP_STANDS);
    if (lane_any(held))
        w.limit = lane_select(time_gap_waits(c, first, held, &w), lane_set(0), w.limit);
    x_speed = w.ex * w.limit;
    y_speed = w.ey * w.limit;
    if (c->sheets.count) {
        x_speed = x_speed + w.ground_x;
        y_speed = y_speed + w.ground_y;
    }
    *vx = lane_select(lanes, x_speed, *vx);
    *vy = lane_select(lanes, y_speed, *vy);
}

#endif
