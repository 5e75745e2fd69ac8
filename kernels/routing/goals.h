/* Goals: who has arrived, and where a goal is seen from an agent. */
#ifndef THRONG_KERNEL_GOALS_H
#define THRONG_KERNEL_GOALS_H

#include "kernels/sheets.h"

/* Field `offset` (in words) of every lane's goal. */
#define GOALS_WORDS ((int)(sizeof(throng_goal) / 4))
#define GOALS_INT(c, goal, field)                                                                                      \
    lane_gather_i((const int32_t *)(c)->goals.goal + offsetof(throng_goal, field) / 4, (goal)*GOALS_WORDS)
#define GOALS_FLOAT(c, goal, field)                                                                                    \
    lane_gather((const float *)(c)->goals.goal + offsetof(throng_goal, field) / 4, (goal)*GOALS_WORDS)

/* Where goals are: of those to the same place the same number, of who has none the goal itself, which is negative. */
LANE_FN lane_i goals_place(const crowd *c, lane_i to)
{
    lane_m there = to >= 0;
    if (!lane_any(there))
        return to;
    lane_i goal = lane_select_i(there, to, lane_set_i(0));
    return lane_select_i(there, GOALS_INT(c, goal, place), to);
}

/* m: who is so near to a region is there, as those are who stop at its outline, on whichever side rounding puts them.
 */
#define GOALS_EDGE 0.001f

/* Nearest point of the regions' outlines to (x, y); returns the lanes inside any of the polygons (even-odd rule each),
 * or at an outline. */
LANE_FN lane_m goals_region(const crowd *c, lane_i goal, lane_m lanes, lane_f x, lane_f y, lane_f *near_x,
                            lane_f *near_y)
{
    lane_i edge = GOALS_INT(c, goal, first_edge), end = edge + GOALS_INT(c, goal, edges);
    lane_m inside = lane_none(), any = lane_none();
    lane_f best = lane_set(INFINITY);
    for (lane_m more = lanes & (edge < end); lane_any(more); edge = edge + 1, more = lanes & (edge < end)) {
        lane_i e = lane_select_i(more, edge, lane_set_i(0));
        lane_f ax = lane_gather(c->goals.ax, e), ay = lane_gather(c->goals.ay, e);
        lane_f bx = lane_gather(c->goals.bx, e), by = lane_gather(c->goals.by, e);
        lane_f ex = bx - ax, ey = by - ay;
        lane_m spans = lane_not((ay > y) == (by > y));
        lane_m crosses = more & spans & (x < ax + (y - ay) / ey * ex);
        inside = (inside & lane_not(crosses)) | (crosses & lane_not(inside));
        lane_m last = more & (lane_gather_i(c->goals.last, e) != 0);
        any = any | (last & inside);
        inside = inside & lane_not(last);
        lane_f t = lane_clamp(lane_dot(x - ax, y - ay, ex, ey) / lane_dot(ex, ey, ex, ey), lane_set(0), lane_set(1));
        lane_f qx = ax + t * ex, qy = ay + t * ey;
        lane_f distance = lane_dot(qx - x, qy - y, qx - x, qy - y);
        lane_m nearer = more & (distance < best);
        best = lane_select(nearer, distance, best);
        *near_x = lane_select(nearer, qx, *near_x);
        *near_y = lane_select(nearer, qy, *near_y);
    }
    return any | (lanes & (best <= GOALS_EDGE * GOALS_EDGE));
}

/* The goal as seen from (x, y): the point to walk to; returns the lanes that are there. Goals lie where sheets are laid
 * out, side by side, so that none is on two of them. */
LANE_FN lane_m goals_target(const crowd *c, lane_i goal, lane_i slot, lane_m lanes, lane_f x, lane_f y, lane_f *to_x,
                            lane_f *to_y)
{
    lane_f at_x = x, at_y = y;
    sheets_lay_out(c, slot, &x, &y);
    lane_i kind = GOALS_INT(c, goal, kind);
    lane_m own = kind == THRONG_GOAL_OWN;
    crowd_own_goal(c, slot, to_x, to_y);
    *to_x = lane_select(own, *to_x, GOALS_FLOAT(c, goal, x));
    *to_y = lane_select(own, *to_y, GOALS_FLOAT(c, goal, y));
    lane_f dx = *to_x - x, dy = *to_y - y, radius = GOALS_FLOAT(c, goal, radius);
    crowd_nearest_image(c, &dx, &dy);
    lane_m region = lanes & (kind == THRONG_GOAL_REGION);
    lane_m there = lanes & lane_not(region) & (lane_dot(dx, dy, dx, dy) <= radius * radius);
    if (lane_any(region))
        there = there | (region & goals_region(c, goal, region, x, y, to_x, to_y));
    if (c->frame.wrap_x > 0) { /* the point across the seam, where that is nearer */
        dx = *to_x - x;
        dy = *to_y - y;
        crowd_nearest_image(c, &dx, &dy);
        *to_x = x + dx;
        *to_y = y + dy;
    }
    if (c->sheets.count) {
        *to_x = *to_x - (x - at_x);
        *to_y = *to_y - (y - at_y);
    }
    return there;
}

/* Gives the agents in these slots a goal of their own, a position on their sheets. */
LANE_FN void goals_set_own(const crowd *c, lane_i slot, lane_f x, lane_f y, lane_m lanes)
{
    sheets_lay_out(c, slot, &x, &y);
    lane_scatter(c->goal_x, slot, x, lanes);
    lane_scatter(c->goal_y, slot, y, lanes);
}

/* Those of the agents in slots `first` .. that are at their goal and were not before. */
LANE_FN lane_m goals_reach(const crowd *c, int32_t first, lane_m lanes)
{
    lane_i goal = lane_load_i(c->goal + first);
    lanes = lanes & (lane_load_i(c->state + first) != 0) & (goal >= 0) & (lane_load_i(c->arrived + first) < 0);
    if (!lane_any(lanes))
        return lanes;
    lane_f x = lane_load(c->x + first), y = lane_load(c->y + first), to_x, to_y;
    goal = lane_select_i(lanes, goal, lane_set_i(0));
    return lanes & goals_target(c, goal, lane_iota(first), lanes, x, y, &to_x, &to_y);
}

/* Notes the step at which agents in slots `first` .. reach their goal; returns those that do now. */
LANE_FN lane_m goals_arrive(const crowd *c, int32_t first, lane_m lanes)
{
    lane_m there = goals_reach(c, first, lanes);
    lane_store_i(c->arrived + first, lane_set_i((int32_t)c->frame.step), there);
    return there;
}

#endif
