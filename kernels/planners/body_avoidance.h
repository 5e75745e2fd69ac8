/* Body avoidance: rigid bodies stand in paths that know nothing of them, and so do the pillars that a map leaves out of
 * its meshes. Whose preferred velocity leads into one before its goal prefers the direction nearest to it that does
 * not, for every planner alike: planners avoid what comes, but in front of something flat the nearest velocity to be
 * had is to stand.
 *
 * Seen from an agent, each side of a body or wall takes an interval of directions: those in which a disc a little
 * larger than the agent would touch it. The directions at their ends are the candidates; the one that is in no
 * interval and turns least is taken, the right one of two alike. */
#ifndef THRONG_BODY_AVOIDANCE_H
#define THRONG_BODY_AVOIDANCE_H

#include "kernels/lane/lane_math.h"
#include "kernels/routing/goals.h"
#include "kernels/sense/walls.h"
#include "passing.h"

#define BODY_AVOIDANCE_ROOM 1.05f /* of the radius: what is kept from bodies that are passed */
#define BODY_AVOIDANCE_TURN 1.9f  /* rad: who would have to turn farther goes on */
#define BODY_AVOIDANCE_HAIR 1e-3f /* rad */

/* The intervals of what is around, from the preferred direction, anticlockwise. rad */
typedef struct body_avoidance_view {
    lane_f low[THRONG_WALLS_MAX], high[THRONG_WALLS_MAX];
    int count;
    lane_m blocked; /* by a body or a pillar, straight ahead */
} body_avoidance_view;

/* How far from the direction of the unit vector n the end (px, py) of a side and the disc about it reach, to the left;
 * the same to the right with n and the end mirrored. */
LANE_FN lane_f body_avoidance_end(lane_f nx, lane_f ny, lane_f px, lane_f py, lane_f radius)
{
    lane_f off = lane_sqrt(lane_max(lane_dot(px, py, px, py) - radius * radius, lane_set(0)));
    return lane_atan2(lane_det(nx, ny, px, py), lane_dot(nx, ny, px, py)) + lane_atan2(radius, off);
}

/* Side s, of agents at (x, y), who prefer the direction (hx, hy) and have `far` to go. */
LANE_FN void body_avoidance_look(const throng_walls *w, lane_i s, lane_f x, lane_f y, lane_f radius, lane_f hx,
                                 lane_f hy, lane_f far, lane_m lanes, body_avoidance_view *v)
{
    lane_f nx, ny;
    lane_f distance = lane_sqrt(walls_nearest(w, s, x, y, &nx, &ny));
    lanes = lanes & (distance > 0) & (distance - radius < far);
    nx = nx / distance;
    ny = ny / distance;
    lane_f ax = lane_gather(w->ax, s) - x, ay = lane_gather(w->ay, s) - y;
    lane_f bx = lane_gather(w->bx, s) - x, by = lane_gather(w->by, s) - y;
    lane_f middle = lane_atan2(lane_det(hx, hy, nx, ny), lane_dot(hx, hy, nx, ny));
    lane_f left = lane_max(body_avoidance_end(nx, ny, ax, ay, radius), body_avoidance_end(nx, ny, bx, by, radius));
    lane_f right = lane_max(body_avoidance_end(nx, -ny, ax, -ay, radius), body_avoidance_end(nx, -ny, bx, -by, radius));
    lane_f low = lane_select(lanes, middle - right, lane_set(INFINITY));
    lane_f high = lane_select(lanes, middle + left, lane_set(-INFINITY));
    v->blocked = v->blocked | (walls_in_paths(w, s, lanes) & (low < 0) & (high > 0));
    v->low[v->count] = low;
    v->high[v->count++] = high;
}

/* Takes the candidate where it is free, and turns less than the best so far. */
LANE_FN void body_avoidance_try(const body_avoidance_view *v, lane_f turn, lane_m lanes, lane_f *best)
{
    lanes = lanes & (lane_abs(turn) < lane_abs(*best));
    for (int k = 0; k < v->count && lane_any(lanes); k++)
        lanes = lanes & lane_not((v->low[k] < turn) & (turn < v->high[k]));
    *best = lane_select(lanes, turn, *best);
}

/* How far agents in slots `slot` have to go. m */
LANE_FN lane_f body_avoidance_far(const crowd *c, lane_i slot, lane_m lanes, lane_f x, lane_f y)
{
    lane_i goal = lane_gather_i(c->goal, slot);
    lanes = lanes & (goal >= 0);
    lane_f to_x = x, to_y = y;
    if (!lane_any(lanes))
        return lane_set(INFINITY);
    goals_target(c, lane_select_i(lanes, goal, lane_set_i(0)), slot, lanes, x, y, &to_x, &to_y);
    to_x = to_x - x;
    to_y = to_y - y;
    return lane_select(lanes, lane_sqrt(lane_dot(to_x, to_y, to_x, to_y)), lane_set(INFINITY));
}

/* Turns the preferred velocities (dx, dy) of agents `first` .. past bodies. */
LANE_FN void body_avoidance_turn(const crowd *c, int32_t first, lane_m lanes, lane_i slot, lane_f *dx, lane_f *dy)
{
    lane_f speed = lane_sqrt(lane_dot(*dx, *dy, *dx, *dy));
    lane_i listed = lane_load_i(c->wall_count + first);
    lanes = lanes & (speed > 0) & (listed > 0);
    if (!lane_any(lanes))
        return;
    lane_f x = lane_load(c->sx + first), y = lane_load(c->sy + first);
    lane_f radius = BODY_AVOIDANCE_ROOM * lane_load(c->sr + first), hx = *dx / speed, hy = *dy / speed;
    lane_f far = body_avoidance_far(c, slot, lanes, x, y);
    body_avoidance_view v;
    v.count = 0;
    v.blocked = lane_none();
    for (int n = 0; n < THRONG_WALLS_MAX && lane_any(lanes & (listed > n)); n++) {
        lane_m there = lanes & (listed > n);
        lane_i s = lane_load_i(c->wall + (int64_t)n * c->stride + first);
        body_avoidance_look(&c->walls, lane_select_i(there, s, lane_set_i(0)), x, y, radius, hx, hy, far, there, &v);
    }
    if (!lane_any(v.blocked))
        return;
    lane_f best = lane_set(BODY_AVOIDANCE_TURN), sine, cosine;
    for (int n = 0; n < v.count; n++) {
        body_avoidance_try(&v, v.low[n] - BODY_AVOIDANCE_HAIR, v.blocked, &best);
        body_avoidance_try(&v, v.high[n] + BODY_AVOIDANCE_HAIR, v.blocked, &best);
    }
    lane_m turns = v.blocked & (lane_abs(best) < BODY_AVOIDANCE_TURN);
    lane_sincos(best, &sine, &cosine);
    *dx = lane_select(turns, speed * (hx * cosine - hy * sine), *dx);
    *dy = lane_select(turns, speed * (hx * sine + hy * cosine), *dy);
    passing_aim(c, first, turns, slot, *dx, *dy); /* or the frustrated would press on against it for ever */
}

#endif
