/* Passing: how people get past those who come the other way.
 *
 * An agent looks at the neighbours ahead of it, along the unit vector e it wants to walk in, and at what they want, not
 * at where they go at the moment: in a jam nobody goes anywhere. It turns what it prefers by PASSING_TURN times the
 * sum, cut at -1 and 1, of
 *   - away from each who wants the opposite way, to the side it is not on; who is straight ahead, or less than
 *     PASSING_SIDE to the right, is passed on the right, so that both step aside to different sides: people share such
 *     a preference (M. Moussaid and others, "Experimental study of the behavioural mechanisms underlying
 *     self-organization in human crowds", 2009). The farther ahead and aside, the less;
 *   - towards those who walk ahead the same way, while somebody comes the other way: behind them is a lane. (People
 *     take the direction that is free the farthest: M. Moussaid, D. Helbing and G. Theraulaz, "How simple rules
 *     determine pedestrian behavior and crowd disasters", 2011. Weighing others by how they face: Q. Xu, M. Chraibi
 *     and A. Seyfried, "Anticipation in a velocity-based model for pedestrian dynamics", 2021, equation 4);
 *   - the mean turn of those same, in proportion to its frustration: who is held up in the third row sees nobody come,
 *     and sidesteps with those before it. Without this, two crowds that met stood face to face for ever, since those
 *     behind went on straight ahead.
 * Planners take this as what it prefers. Where they see no way out, and the agent is frustrated, it takes it anyway:
 * people who meet in a dense crowd turn sideways and squeeze past each other, and the contacts, and the time gap,
 * decide how far that goes. (Without this two ways jam from 2 persons/m^2 on.) Who has been held up for long does so
 * whoever is in the way, but behind those who have arrived where it goes: there is no nearer place. Where somebody
 * who goes elsewhere comes the other way that begins later: in a dense lane everybody who walks as fast as people do at
 * 3 persons/m^2 has a frustration of 0.6 or more, and those who squeezed on broke the lanes (ORCA, after 160 to 180 s:
 * 0.05 m/s, 0.16 now; people 0.42).
 *
 * Agents with a time gap do so; two ways through a corridor beside people: tests/people/RESULTS.md. */
#ifndef THRONG_PASSING_H
#define THRONG_PASSING_H

#include "kernels/crowd.h"
#include "kernels/lane/lane_math.h"
#include "kernels/routing/goals.h"

#define PASSING_AHEAD 3.0f  /* m: who is farther ahead does not count */
#define PASSING_ASIDE 2.0f  /* sums of radii: nor does who comes the other way and is farther to the side */
#define PASSING_LANE  3.0f  /* sums of radii: the same, of who walks the same way */
#define PASSING_SIDE  0.3f  /* m */
#define PASSING_TURN  1.3f  /* rad */
#define PASSING_AGREE 0.25f /* square of the cosine from which on two want the same, or the opposite way */
#define PASSING_LED   0.8f  /* of the turn of those ahead, */
#define PASSING_SLOW  0.05f /* m/s: who is slower than this counts less there */
#define PASSING_HELD  2.0f  /* times the frustration: how much of that counts, up to all of it */
#define PASSING_PRESS 5.0f  /* times the frustration: how much of what it prefers is taken, up to all of it, */
#define PASSING_SURE  3.0f  /* times how much others are in its way, */
#define PASSING_LONG  0.5f  /* or how much the frustration is beyond that, */
#define PASSING_LANES 0.8f  /* or that, where somebody comes the other way */

/* What an agent sees of those who come and those who go its way. */
typedef struct passing_view {
    lane_f turn;    /* rad, to the left */
    lane_f crossed; /* how much others are in its way, 0: not at all */
    lane_m opposed; /* somebody with another goal, or none, comes the other way */
    lane_m there;   /* those it stands behind have arrived where it goes, too */
} passing_view;

/* From 1 at 0 to 0 at `end`. */
LANE_FN lane_f passing_fall(lane_f at, lane_f end) { return lane_max(1.0f - at / end, lane_set(0)); }

/* What agents `first` .. see who want to walk along the unit vectors (ex, ey), and of whom those in
 * the lanes of `held` are frustrated. */
LANE_FN passing_view passing_look(const crowd *c, int k, int32_t first, lane_m lanes, lane_m held, lane_f frustration,
                                  lane_f ex, lane_f ey)
{
    lane_f x = lane_load(c->sx + first), y = lane_load(c->sy + first), radius = lane_load(c->sr + first);
    lane_f zero = lane_set(0), away = zero, near = zero, lane = zero, ways = zero, walkers = zero;
    lane_m ends = lane_none(), opposed = lane_none();
    lane_i place = lane_load_i(c->splace + first);
    crowd_seen seen = crowd_see(c, k, first);
    for (int s = 0; s < k; s++) {
        lane_i other = crowd_see_next(c, &seen);
        lane_m there = lanes & (other >= 0);
        if (!lane_any(there))
            break;
        other = lane_select_i(there, other, lane_set_i(first));
        lane_f px = lane_gather(c->sx, other) - x, py = lane_gather(c->sy, other) - y;
        crowd_nearest_image(c, &px, &py);
        lane_f along = lane_dot(ex, ey, px, py), aside = lane_det(ex, ey, px, py), off = lane_abs(aside);
        lane_f radii = radius + lane_gather(c->sr, other), lane_width = PASSING_LANE * radii;
        there = there & (along > 0) & (along < PASSING_AHEAD) & (off < lane_width);
        if (!lane_any(there))
            continue;
        lane_f wx = lane_gather(c->swx, other), wy = lane_gather(c->swy, other);
        lane_f wish = lane_dot(wx, wy, wx, wy), facing = lane_dot(wx, wy, ex, ey), square = facing * facing;
        lane_f weight = passing_fall(along, lane_set(PASSING_AHEAD));
        lane_f comes = weight * passing_fall(off, PASSING_ASIDE * radii);
        lane_m opposite = there & (facing < 0) & (square > PASSING_AGREE * wish);
        if (lane_any(opposite & lane_not(opposed)))
            opposed = opposed | (opposite & ((place < 0) | lane_not(lane_gather_i(c->splace, other) == place)));
        comes = lane_select(opposite, comes, zero);
        away = away + lane_select(aside > -PASSING_SIDE, -comes, comes);
        near = near + comes;
        lane_m same = there & (facing > 0) & (square > PASSING_AGREE * wish);
        lane_f within = aside / lane_width;
        weight = lane_select(same, weight * lane_max(1.0f - lane_abs(within), zero), zero);
        lane = lane + weight * within;
        if (!lane_any(same & held))
            continue;
        ends = ends | (same & (lane_gather_i(c->sarrived, other) >= 0) & (lane_gather_i(c->splace, other) == place));
        walkers = walkers + weight;
        lane_f vx = lane_gather(c->svx, other), vy = lane_gather(c->svy, other);
        lane_f speed = lane_max(lane_sqrt(lane_dot(vx, vy, vx, vy)), lane_set(PASSING_SLOW));
        ways = ways + weight * (lane_det(ex, ey, vx, vy) / speed);
    }
    lane_f led = lane_min(PASSING_HELD * frustration, lane_set(1)) * lane_select(walkers > 0, ways / walkers, zero);
    led = lane_select(held & lane_not(ends), PASSING_LED * led, zero);
    lane_f sum = away + lane * lane_min(near, lane_set(1)) + led;
    passing_view view = {PASSING_TURN * lane_clamp(sum, lane_set(-1), lane_set(1)), lane_max(near, lane_abs(led)),
                         opposed, ends};
    return view;
}

/* What those in `lanes` squeeze towards. */
LANE_FN void passing_aim(const crowd *c, int32_t first, lane_m lanes, lane_i slot, lane_f dx, lane_f dy)
{
    if (!lane_any(lanes))
        return;
    lane_f wish = lane_sqrt(lane_dot(dx, dy, dx, dy)), limit = lane_gather(c->max_speed, slot);
    lane_f scale = lane_select(wish > limit, limit / wish, lane_set(1));
    lane_store(c->press_x + first, dx * scale, lanes);
    lane_store(c->press_y + first, dy * scale, lanes);
}

/* Turns the preferred velocities (dx, dy) of agents `first` .., in slots `slot`. What passing_squeeze() needs of it
 * goes to `press`, `press_x` and `press_y`: others are looked at once a frame. */
LANE_FN void passing_turn(const crowd *c, int k, int32_t first, lane_m lanes, lane_i slot, lane_f *dx, lane_f *dy)
{
    lane_f wish = lane_sqrt(lane_dot(*dx, *dy, *dx, *dy)), zero = lane_set(0), one = lane_set(1);
    lane_m walks = lanes & (crowd_time_gap(c, slot) > 0) & (wish > 0);
    if (!lane_any(walks)) {
        lane_store(c->press + first, zero, lanes);
        return;
    }
    lane_f frustration = lane_gather(c->frustration, slot);
    lane_m held = walks & (frustration > 0);
    passing_view view = passing_look(c, k, first, walks, held, frustration, *dx / wish, *dy / wish);
    lane_f calm = lane_select(view.opposed, lane_set(PASSING_LANES), lane_set(PASSING_LONG));
    lane_f least = lane_select(held & lane_not(view.there), frustration - calm, zero);
    lane_f crossed = lane_max(view.crossed, least), sine, cosine;
    lane_m turns = walks & (crossed > 0);
    lane_sincos(view.turn, &sine, &cosine);
    lane_f x = *dx * cosine - *dy * sine, y = *dx * sine + *dy * cosine;
    *dx = lane_select(turns, x, *dx);
    *dy = lane_select(turns, y, *dy);
    lane_f press = lane_min(PASSING_PRESS * frustration, one) * lane_min(PASSING_SURE * crossed, one);
    held = held & turns;
    lane_store(c->press + first, lane_select(held, press, zero), lanes);
    passing_aim(c, first, held, slot, *dx, *dy);
}

/* Brings the velocities (vx, vy) that planners have chosen for agents `first` .. nearer to what they prefer, of the
 * frustrated who have others in their way. */
LANE_FN void passing_squeeze(const crowd *c, int32_t first, lane_m lanes, lane_f *vx, lane_f *vy)
{
    lane_f press = lane_load(c->press + first);
    lanes = lanes & (press > 0);
    if (!lane_any(lanes))
        return;
    *vx = lane_select(lanes, *vx + press * (lane_load(c->press_x + first) - *vx), *vx);
    *vy = lane_select(lanes, *vy + press * (lane_load(c->press_y + first) - *vy), *vy);
}

#endif
