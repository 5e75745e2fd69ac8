/* Stadiums: bodies that are wider than deep.
 *
 * A person seen from above is a stadium: all points within `radius` (half the depth) of a segment across the shoulders,
 * whose length is `width` less the depth. (An ellipse, which the literature has as well, is closer to nobody's outline,
 * and the distance of two has no closed form; of stadiums it is that of two segments.) Shoulders have no front, so a
 * direction of theirs is an angle from -pi/2 to pi/2.
 *
 * What touches what goes by the stadium (contacts/shape.h). To planners everybody is a disc, with the breadth that it
 * has across the way it wants to go: narrow to all when it turns its shoulders (contacts/shoulders.h). */
#ifndef THRONG_STADIUM_H
#define THRONG_STADIUM_H

#include "crowd.h"
#include "lane/lane_math.h"

/* m: half the segment across the shoulders of the agents in these slots; of discs 0. */
LANE_FN lane_f stadium_half(const crowd *c, lane_i slot)
{
    return lane_max(0.5f * lane_gather(c->width, slot) - lane_gather(c->radius, slot), lane_set(0));
}

/* m: how far the agents in these slots reach from their middles. */
LANE_FN lane_f stadium_reach(const crowd *c, lane_i slot)
{
    lane_f radius = lane_gather(c->radius, slot);
    return c->width ? radius + stadium_half(c, slot) : radius;
}

/* From the middle to the end of the segment. m */
LANE_FN void stadium_arm(const crowd *c, lane_i slot, lane_f *x, lane_f *y)
{
    lane_f half = stadium_half(c, slot);
    lane_sincos(CROWD_FLOAT(c, shoulders, slot), y, x);
    *x = *x * half;
    *y = *y * half;
}

/* The direction that the agents in these slots want to go in, a unit vector; where they want to go nowhere, their
 * heading. */
LANE_FN void stadium_way(const crowd *c, lane_i slot, lane_f *x, lane_f *y)
{
    lane_f wx = lane_gather(c->desired_vx, slot), wy = lane_gather(c->desired_vy, slot);
    lane_f wish = lane_sqrt(lane_dot(wx, wy, wx, wy));
    *x = lane_select(wish > 0, wx / wish, lane_gather(c->hx, slot));
    *y = lane_select(wish > 0, wy / wish, lane_gather(c->hy, slot));
}

/* m: the radius that planners see. */
LANE_FN lane_f stadium_planned(const crowd *c, lane_i slot)
{
    lane_f radius = lane_gather(c->radius, slot);
    if (!c->width)
        return radius;
    lane_f x, y, ex, ey;
    stadium_arm(c, slot, &x, &y);
    stadium_way(c, slot, &ex, &ey);
    return radius + lane_abs(lane_det(ex, ey, x, y));
}

/* From the nearest point of a segment about (0, 0), with the arm a, to the nearest one of a segment about p, with the
 * arm b: exactly opposite the other way round where the two are exchanged, and p is -p, by an order that both agree on.
 * (0, 0): they cross. */
LANE_FN void stadium_nearest(lane_f ax, lane_f ay, lane_f px, lane_f py, lane_f bx, lane_f by, lane_f *dx, lane_f *dy)
{
    lane_f zero = lane_set(0), one = lane_set(1), least = lane_set(INFINITY);
    lane_f aa = lane_dot(ax, ay, ax, ay), bb = lane_dot(bx, by, bx, by);
    lane_f over_a = lane_select(aa > 0, 1.0f / aa, zero), over_b = lane_select(bb > 0, 1.0f / bb, zero);
    *dx = px;
    *dy = py;
    LANE_UNROLL
    for (int side = -1; side <= 1; side += 2) { /* from ends of a to b */
        lane_f x = px - (float)side * ax, y = py - (float)side * ay;
        lane_f t = lane_clamp(-lane_dot(x, y, bx, by) * over_b, -one, one);
        x = x + t * bx;
        y = y + t * by;
        lane_f square = lane_dot(x, y, x, y);
        lane_m nearer = square < least;
        least = lane_select(nearer, square, least);
        *dx = lane_select(nearer, x, *dx);
        *dy = lane_select(nearer, y, *dy);
    }
    LANE_UNROLL
    for (int side = -1; side <= 1; side += 2) { /* from a to ends of b */
        lane_f x = px + (float)side * bx, y = py + (float)side * by;
        lane_f t = lane_clamp(lane_dot(x, y, ax, ay) * over_a, -one, one);
        x = x - t * ax;
        y = y - t * ay;
        lane_f square = lane_dot(x, y, x, y);
        lane_m nearer = square < least;
        least = lane_select(nearer, square, least);
        *dx = lane_select(nearer, x, *dx);
        *dy = lane_select(nearer, y, *dy);
    }
    lane_f from = lane_det(ax, ay, px - bx, py - by), to = lane_det(ax, ay, px + bx, py + by);
    lane_f start = lane_det(bx, by, -ax - px, -ay - py), end = lane_det(bx, by, ax - px, ay - py);
    lane_m cross = (from * to < 0) & (start * end < 0);
    *dx = lane_select(cross, zero, *dx);
    *dy = lane_select(cross, zero, *dy);
}

#endif
