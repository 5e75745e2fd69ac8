/* Facing: where people look, which is not always where they go.
 *
 * Who walks looks where it walks; the slower it goes, the more it looks where it wants to go: who waits before a door
 * faces the door, whoever pushes it about, and who is made to step back does not turn for it. Heads and shoulders turn
 * in time (FACING_TIME): the heading is what other programs animate people by. (It was the direction last walked in:
 * of those who stood at scenarios/door.lua one in five had its back to the door, and one step in fifty turned
 * somebody faster than 360 degrees a second.)
 *
 * Under BVP, whose agents turn while they plan, and without a planner the heading is the direction last walked in. */
#ifndef THRONG_FACING_H
#define THRONG_FACING_H

#include "limits.h"

#define FACING_WALKS 0.05f /* m/s: slower than this an agent keeps its heading */
#define FACING_WISH  0.3f  /* part of the preferred velocity that counts beside the velocity */
#define FACING_TIME  0.3f  /* s: what is left to turn falls to 1/e in it; never faster than 1 / FACING_TIME rad/s */

/* The unit vector of the way that agents `first` .. in slots `slot` walk, or face if they stand; who walks. */
LANE_FN lane_m facing_way(const crowd *c, int32_t first, lane_i slot, lane_f *ex, lane_f *ey)
{
    lane_f vx = lane_load(c->svx + first), vy = lane_load(c->svy + first), speed = lane_sqrt(lane_dot(vx, vy, vx, vy));
    lane_m walks = speed > FACING_WALKS;
    *ex = lane_select(walks, vx / speed, lane_gather(c->hx, slot));
    *ey = lane_select(walks, vy / speed, lane_gather(c->hy, slot));
    return walks;
}

#define FACING_AHEAD (1u << THRONG_PLANNER_none | 1u << THRONG_PLANNER_bvp) /* kinds of planners */

/* The agents in these slots who look where they want to go: not those without a planner, who do what they are told,
 * nor those under BVP. */
LANE_FN lane_m facing_looks(const crowd *c, lane_i slot)
{
    if (!(c->frame.planners & FACING_AHEAD))
        return lane_not(lane_none());
    return ((lane_set_i(FACING_AHEAD) >> crowd_planner_kind(c, lane_gather_i(c->planner, slot))) & 1) == 0;
}

/* Turns (hx, hy) towards the unit vector (fx, fy), as if that were no farther than a right angle. */
LANE_FN void facing_turn(const crowd *c, lane_i slot, lane_f hx, lane_f hy, lane_f *fx, lane_f *fy)
{
    lane_m behind = lane_dot(hx, hy, *fx, *fy) < 0;
    lane_f side = lane_select(lane_det(hx, hy, *fx, *fy) > 0, lane_set(1), lane_set(-1));
    lane_f x = lane_select(behind, -side * hy, *fx), y = lane_select(behind, side * hx, *fy);
    lane_f part = lane_set(c->frame.dt / (FACING_TIME + c->frame.dt));
    x = hx + part * (x - hx);
    y = hy + part * (y - hy);
    lane_f length = lane_sqrt(lane_dot(x, y, x, y));
    *fx = x / length;
    *fy = y / length;
    if (c->turn_rate)
        limits_face(hx, hy, crowd_turn_rate(c, slot) * c->frame.dt, fx, fy);
}

/* New headings of agents in slots `slot`, who walk with (vx, vy) and prefer (wx, wy). */
LANE_FN void facing_look(const crowd *c, lane_i slot, lane_m lanes, lane_f vx, lane_f vy, lane_f wx, lane_f wy)
{
    lane_m looks = facing_looks(c, slot);
    lane_f to_x = lane_select(looks, vx + FACING_WISH * wx, vx), to_y = lane_select(looks, vy + FACING_WISH * wy, vy);
    lane_f far = lane_sqrt(lane_dot(to_x, to_y, to_x, to_y));
    lanes = lanes & (far > FACING_WALKS);
    lane_f fx = to_x / far, fy = to_y / far;
    lane_f x = fx, y = fy;
    facing_turn(c, slot, lane_gather(c->hx, slot), lane_gather(c->hy, slot), &x, &y);
    lane_scatter(c->hx, slot, lane_select(looks, x, fx), lanes);
    lane_scatter(c->hy, slot, lane_select(looks, y, fy), lanes);
}

#endif
