/* Desire: the velocity an agent would take if it were alone.
 *
 * Towards its goal at its preferred speed: straight where the goal's face is its
 * own (or the goal has no ways), else to the corner that the way bends around.
 * The corner comes from the goal's way tree, which all agents of that goal
 * share: the best portal of the agent's own face, then portal after portal,
 * pulled straight by a funnel (Lee and Preparata; Mononen's "simple stupid
 * funnel"), anew each frame, so no agent stores a path. */
#ifndef THRONG_DESIRE_H
#define THRONG_DESIRE_H

#include "goals.h"

enum { DESIRE_FACES_AHEAD = 8, DESIRE_PORTALS_AHEAD = 48 };

#define DESIRE_SLOW_DOWN 1.0f /* s: who is nearer to a point than it walks in this time slows down */

/* The face that (x, y) stands in, walking there from face `f` over shared sides. */
LANE_FN lane_i desire_locate(const crowd *c, lane_i f, lane_m lanes, lane_f x, lane_f y)
{
    const crowd_ways *w = &c->ways;
    lane_m moving = lanes & (f >= 0);
    for (int hop = 0; hop < DESIRE_FACES_AHEAD && lane_any(moving); hop++) {
        lane_i at = lane_select_i(moving, f, lane_set_i(0));
        lane_i e = lane_gather_i(w->face_start, at), end = lane_gather_i(w->face_start, at + 1);
        lane_f worst = lane_set(0);
        lane_i through = lane_set_i(-1);
        for (lane_m more = moving & (e < end); lane_any(more); e = e + 1, more = moving & (e < end)) {
            lane_i edge = lane_select_i(more, e, lane_set_i(0));
            lane_f ax = lane_gather(w->ax, edge), ay = lane_gather(w->ay, edge);
            lane_f side = lane_det(lane_gather(w->bx, edge) - ax, lane_gather(w->by, edge) - ay, x - ax, y - ay);
            lane_i twin = lane_gather_i(w->twin, edge);
            lane_m outside = more & (side < worst) & (twin >= 0);
            worst = lane_select(outside, side, worst);
            through = lane_select_i(outside, twin, through);
        }
        moving = moving & (through >= 0);
        lane_i next = lane_gather_i(w->face, lane_select_i(moving, through, lane_set_i(0)));
        f = lane_select_i(moving, next, f);
    }
    return f;
}

/* The portal of face `f` with the shortest way to the goal from (x, y); -1: none leads there. */
LANE_FN lane_i desire_portal(const crowd *c, lane_i f, lane_i base, lane_m lanes, lane_f x, lane_f y)
{
    const crowd_ways *w = &c->ways;
    lane_i e = lane_gather_i(w->face_start, f), end = lane_gather_i(w->face_start, f + 1);
    lane_f best = lane_set(INFINITY);
    lane_i portal = lane_set_i(-1);
    for (lane_m more = lanes & (e < end); lane_any(more); e = e + 1, more = lanes & (e < end)) {
        lane_i entry = lane_select_i(more, base + e, lane_set_i(0));
        lane_f dx = lane_gather(w->target_x, entry) - x, dy = lane_gather(w->target_y, entry) - y;
        lane_f length = lane_gather(w->cost, entry) + lane_sqrt(lane_dot(dx, dy, dx, dy));
        lane_m better = more & (length < best);
        best = lane_select(better, length, best);
        portal = lane_select_i(better, e, portal);
    }
    return portal;
}

/* Where the way beyond portal entry `entry` ends: the nearest point of the goal's side, or the portal's own
 * target where the way goes on. */
LANE_FN void desire_end(const crowd_ways *w, lane_i entry, lane_m ends, lane_f x, lane_f y, lane_f *to_x, lane_f *to_y)
{
    lane_f ax = lane_gather(w->end_ax, entry), ay = lane_gather(w->end_ay, entry);
    lane_f ex = lane_gather(w->end_bx, entry) - ax, ey = lane_gather(w->end_by, entry) - ay;
    lane_f square = lane_dot(ex, ey, ex, ey);
    lane_f t = lane_clamp(lane_dot(x - ax, y - ay, ex, ey) / square, lane_set(0), lane_set(1));
    t = lane_select(square > 0, t, lane_set(0));
    *to_x = lane_select(ends, ax + t * ex, lane_gather(w->target_x, entry));
    *to_y = lane_select(ends, ay + t * ey, lane_gather(w->target_y, entry));
}

/* The first corner of the way that leaves by `portal`. */
LANE_FN void desire_corner(const crowd *c, lane_i portal, lane_i base, lane_m lanes, lane_f x, lane_f y, lane_f *to_x,
                           lane_f *to_y)
{
    const crowd_ways *w = &c->ways;
    /* leaving a face by its side a -> b, b is on the left */
    lane_f lx = lane_gather(w->bx, portal) - x, ly = lane_gather(w->by, portal) - y;
    lane_f rx = lane_gather(w->ax, portal) - x, ry = lane_gather(w->ay, portal) - y;
    lane_f cx = *to_x - x, cy = *to_y - y;
    for (int ahead = 0; ahead < DESIRE_PORTALS_AHEAD && lane_any(lanes); ahead++) {
        lane_i entry = lane_select_i(lanes, base + portal, lane_set_i(0));
        lane_i next = lane_gather_i(w->next, entry);
        lane_m last = lanes & ((next < 0) | (ahead == DESIRE_PORTALS_AHEAD - 1));
        lane_i edge = lane_select_i(last | lane_not(lanes), lane_set_i(0), next);
        lane_f tx, ty;
        desire_end(w, entry, next < 0, x, y, &tx, &ty);
        tx = tx - x;
        ty = ty - y;
        lane_f nlx = lane_select(last, tx, lane_gather(w->bx, edge) - x), nly = lane_select(last, ty, lane_gather(w->by, edge) - y);
        lane_f nrx = lane_select(last, tx, lane_gather(w->ax, edge) - x), nry = lane_select(last, ty, lane_gather(w->ay, edge) - y);

        /* the way bends where one side of the next portal lies beyond the other side of the funnel */
        lane_m at_left = lanes & (lane_det(lx, ly, nrx, nry) > 0);
        lane_m at_right = lanes & lane_not(at_left) & (lane_det(rx, ry, nlx, nly) < 0);
        lane_m straight = last & lane_not(at_left | at_right);
        cx = lane_select(at_left, lx, lane_select(at_right, rx, lane_select(straight, tx, cx)));
        cy = lane_select(at_left, ly, lane_select(at_right, ry, lane_select(straight, ty, cy)));
        lanes = lanes & lane_not(at_left | at_right | last);

        lane_m narrow_l = lanes & (lane_det(lx, ly, nlx, nly) <= 0), narrow_r = lanes & (lane_det(rx, ry, nrx, nry) >= 0);
        lx = lane_select(narrow_l, nlx, lx);
        ly = lane_select(narrow_l, nly, ly);
        rx = lane_select(narrow_r, nrx, rx);
        ry = lane_select(narrow_r, nry, ry);
        portal = lane_select_i(lanes, edge, portal);
    }
    *to_x = cx + x;
    *to_y = cy + y;
}

/* Replaces the goal's point by the corner to walk to, for lanes with ways. Returns the lanes that
 * see their goal. */
LANE_FN lane_m desire_way(const crowd *c, int32_t first, lane_i tree, lane_m lanes, lane_f x, lane_f y, lane_f *to_x,
                          lane_f *to_y)
{
    const crowd_ways *w = &c->ways;
    lane_i face = desire_locate(c, lane_load_i(c->face + first), lanes, x, y);
    lane_store_i(c->face + first, face, lanes);
    lane_m placed = lanes & (face >= 0);
    face = lane_select_i(placed, face, lane_set_i(0));
    tree = lane_select_i(placed, tree, lane_set_i(0));
    lane_i holds = lane_gather_i(w->holds, lane_select_i(placed, lane_gather_i(w->holds_base, tree) + face, lane_set_i(0)));
    lane_m ways = placed & (holds == 0);
    if (!lane_any(ways))
        return lane_not(lane_none());
    lane_i base = lane_gather_i(w->tree_base, tree);
    lane_i portal = desire_portal(c, face, base, ways, x, y);
    ways = ways & (portal >= 0);
    if (!lane_any(ways))
        return lane_not(lane_none());
    lane_f corner_x = *to_x, corner_y = *to_y;
    desire_corner(c, lane_select_i(ways, portal, lane_set_i(0)), base, ways, x, y, &corner_x, &corner_y);
    *to_x = lane_select(ways, corner_x, *to_x);
    *to_y = lane_select(ways, corner_y, *to_y);
    return lane_not(ways);
}

/* Preferred velocities of the agents in slots `first` .. */
LANE_FN void desire_stage(const crowd *c, int32_t first, lane_m lanes)
{
    lane_i slot = lane_iota(first);
    lane_i goal = lane_load_i(c->goal + first);
    lanes = lanes & (lane_load_i(c->state + first) != 0);
    lane_m wants = lanes & (goal >= 0);
    lane_f vx = lane_set(0), vy = lane_set(0);
    if (lane_any(wants)) {
        goal = lane_select_i(wants, goal, lane_set_i(0));
        lane_f x = lane_load(c->x + first), y = lane_load(c->y + first), to_x, to_y;
        lane_m there = goals_target(c, goal, slot, wants, x, y, &to_x, &to_y);
        lane_i tree = GOALS_INT(c, goal, tree);
        lane_m guided = wants & (tree >= 0) & lane_not(there);
        lane_m sees = lane_not(lane_none());
        if (lane_any(guided))
            sees = desire_way(c, first, tree, guided, x, y, &to_x, &to_y) | lane_not(guided);
        lane_m region = GOALS_INT(c, goal, kind) == GOALS_REGION;
        lane_f dx = to_x - x, dy = to_y - y, speed = lane_load(c->speed + first);
        lane_f length = lane_sqrt(lane_dot(dx, dy, dx, dy));
        lane_m slow = sees & lane_not(region) & (length <= speed * DESIRE_SLOW_DOWN);
        lane_f scale = lane_select(slow, lane_set(1.0f / DESIRE_SLOW_DOWN), speed * (1.0f / length));
        lane_m go = wants & (length > 0) & lane_not(region & there);
        vx = lane_select(go, dx * scale, vx);
        vy = lane_select(go, dy * scale, vy);
    }
    lane_store(c->desired_vx + first, vx, lanes);
    lane_store(c->desired_vy + first, vy, lanes);
}

#endif
