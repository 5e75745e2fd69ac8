/* Desire: the velocity an agent would take if it were alone.
 *
 * Towards its goal at its preferred speed: straight where the goal's face is its
 * own (or the goal has no ways), else to the corner that the way bends around.
 * The corner comes from the goal's way tree, which all agents of that goal
 * share: the way out through each portal of the agent's own face is pulled straight by
 * a funnel (Lee and Preparata, 1984) as far as its first bend, anew each frame,
 * and the shortest is taken. No agent stores a path. */
#ifndef THRONG_DESIRE_H
#define THRONG_DESIRE_H

#include "goals.h"

enum { DESIRE_FACES_AHEAD = 8, DESIRE_PORTALS_AHEAD = 256 };

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

/* Squared distance from (x, y) to face `f`, 0 inside. */
LANE_FN lane_f desire_face_distance(const crowd_ways *w, lane_i f, lane_m lanes, lane_f x, lane_f y)
{
    lane_i e = lane_gather_i(w->face_start, f), end = lane_gather_i(w->face_start, f + 1);
    lane_f least = lane_set(INFINITY);
    lane_m outside = lane_none();
    for (lane_m more = lanes & (e < end); lane_any(more); e = e + 1, more = lanes & (e < end)) {
        lane_i edge = lane_select_i(more, e, lane_set_i(0));
        lane_f ax = lane_gather(w->ax, edge), ay = lane_gather(w->ay, edge);
        lane_f ex = lane_gather(w->bx, edge) - ax, ey = lane_gather(w->by, edge) - ay;
        lane_f t = lane_clamp(lane_dot(x - ax, y - ay, ex, ey) / lane_dot(ex, ey, ex, ey), lane_set(0), lane_set(1));
        lane_f dx = ax + t * ex - x, dy = ay + t * ey - y;
        lane_f distance = lane_dot(dx, dy, dx, dy);
        least = lane_select(more & (distance < least), distance, least);
        outside = outside | (more & (lane_det(ex, ey, x - ax, y - ay) < 0));
    }
    return lane_select(outside, least, lane_set(0));
}

#define DESIRE_ASTRAY 0.000025f /* m^2: who is farther than five millimetres from its face looks for a nearer one */

/* Who has left its face where there is no other (small agents come nearer to walls than the mesh does, and
 * slip round its corners) finds the nearest face of those around it. */
LANE_FN lane_i desire_recover(const crowd_ways *w, lane_i f, lane_i tree, lane_m lanes, lane_f x, lane_f y)
{
    lane_f least = desire_face_distance(w, f, lanes, x, y);
    lane_m astray = lanes & (least > DESIRE_ASTRAY);
    if (!lane_any(astray))
        return f;
    lane_i mesh = lane_gather_i(w->tree_mesh, tree);
    lane_f cell = lane_gather(w->mesh_cell, mesh);
    lane_i column = lane_floor_i((x - lane_gather(w->mesh_x, mesh)) / cell),
           columns = lane_gather_i(w->mesh_columns, mesh);
    lane_i row = lane_floor_i((y - lane_gather(w->mesh_y, mesh)) / cell), rows = lane_gather_i(w->mesh_rows, mesh);
    astray = astray & (column >= 0) & (column < columns) & (row >= 0) & (row < rows);
    lane_i at = lane_select_i(astray, lane_gather_i(w->mesh_cells, mesh) + row * columns + column, lane_set_i(0));
    lane_i i = lane_gather_i(w->face_cell, at), end = lane_gather_i(w->face_cell, at + 1);
    for (lane_m more = astray & (i < end); lane_any(more); i = i + 1, more = astray & (i < end)) {
        lane_i other = lane_select_i(more, lane_gather_i(w->face_list, lane_select_i(more, i, lane_set_i(0))), f);
        lane_f distance = desire_face_distance(w, other, more, x, y);
        lane_m nearer = more & (distance < least);
        least = lane_select(nearer, distance, least);
        f = lane_select_i(nearer, other, f);
    }
    return f;
}

/* Nearest point of segment a -> b to (x, y); a segment may be a point. Returns its squared distance. */
LANE_FN lane_f desire_nearest_on(lane_f ax, lane_f ay, lane_f bx, lane_f by, lane_f x, lane_f y, lane_f *near_x,
                                 lane_f *near_y)
{
    lane_f ex = bx - ax, ey = by - ay, square = lane_dot(ex, ey, ex, ey);
    lane_f t = lane_clamp(lane_dot(x - ax, y - ay, ex, ey) / square, lane_set(0), lane_set(1));
    t = lane_select(square > 0, t, lane_set(0));
    *near_x = ax + t * ex;
    *near_y = ay + t * ey;
    return lane_dot(*near_x - x, *near_y - y, *near_x - x, *near_y - y);
}

/* Squared distance to portal `e`. */
LANE_FN lane_f desire_portal_distance(const crowd_ways *w, lane_i e, lane_f x, lane_f y)
{
    lane_f nx, ny;
    return desire_nearest_on(lane_gather(w->ax, e), lane_gather(w->ay, e), lane_gather(w->bx, e), lane_gather(w->by, e),
                             x, y, &nx, &ny);
}

/* What an agent may do next: a corner to walk to, and how long its way is then. */
typedef struct desire_way {
    lane_f x, y, length; /* m; INFINITY: no way */
} desire_way;

LANE_FN void desire_take(desire_way *best, lane_m lanes, lane_f x, lane_f y, lane_f length)
{
    best->x = lane_select(lanes, x, best->x);
    best->y = lane_select(lanes, y, best->y);
    best->length = lane_select(lanes, length, best->length);
}

/* One leg of the funnel: a portal's end as seen from the apex, and the entry of that portal. */
typedef struct desire_leg {
    lane_f x, y;
    lane_i entry;
} desire_leg;

LANE_FN desire_leg desire_leg_to(lane_m lanes, lane_f x, lane_f y, lane_i entry, desire_leg old)
{
    desire_leg leg = {lane_select(lanes, x, old.x), lane_select(lanes, y, old.y),
                      lane_select_i(lanes, entry, old.entry)};
    return leg;
}

#define DESIRE_HAIR 1e-8f /* m^2: nearer than a tenth of a millimetre a portal is passed already */

/* The way out through portal `e` of the agent's face: the funnel down to its first bend, from where the
 * way's length is known (cost_left, cost_right), or to the goal. Leaving a face by its side a -> b, b is on the left.
 */
LANE_FN void desire_through(const crowd_ways *w, lane_i e, lane_i base, lane_m lanes, lane_f x, lane_f y,
                            desire_way *best)
{
    lane_i via = e; /* the last portal that was passed */
    for (lane_m on = lanes; lane_any(on);) {
        on = on & (desire_portal_distance(w, lane_select_i(on, e, lane_set_i(0)), x, y) < DESIRE_HAIR);
        via = lane_select_i(on, e, via);
        e = lane_select_i(on, lane_gather_i(w->next, lane_select_i(on, base + e, lane_set_i(0))), e);
        on = on & (e >= 0);
    }
    lane_m funnel = lanes & (e >= 0), ahead = funnel;
    lane_i first = lane_select_i(ahead, e, lane_set_i(0));
    desire_leg left = {lane_gather(w->bx, first) - x, lane_gather(w->by, first) - y, base + first};
    desire_leg right = {lane_gather(w->ax, first) - x, lane_gather(w->ay, first) - y, base + first};
    lane_m at_left = lane_none(), at_right = lane_none();
    lane_i last = lane_select_i(ahead, e, via);
    for (int portals = 0; portals < DESIRE_PORTALS_AHEAD && lane_any(ahead); portals++) {
        lane_i next = lane_gather_i(w->next, lane_select_i(ahead, base + last, lane_set_i(0)));
        ahead = ahead & (next >= 0);
        last = lane_select_i(ahead, next, last);
        lane_i edge = lane_select_i(ahead, next, lane_set_i(0));
        lane_f lx = lane_gather(w->bx, edge) - x, ly = lane_gather(w->by, edge) - y;
        lane_f rx = lane_gather(w->ax, edge) - x, ry = lane_gather(w->ay, edge) - y;
        lane_m has_left = (left.x != 0) | (left.y != 0), has_right = (right.x != 0) | (right.y != 0);

        lane_m narrows = ahead & (lane_det(right.x, right.y, rx, ry) >= 0);
        lane_m bends = narrows & has_right & (lane_det(left.x, left.y, rx, ry) > 0);
        at_left = at_left | bends;
        ahead = ahead & lane_not(bends);
        right = desire_leg_to(narrows & ahead, rx, ry, base + edge, right);

        narrows = ahead & (lane_det(left.x, left.y, lx, ly) <= 0);
        bends = narrows & has_left & (lane_det(right.x, right.y, lx, ly) < 0);
        at_right = at_right | bends;
        ahead = ahead & lane_not(bends);
        left = desire_leg_to(narrows & ahead, lx, ly, base + edge, left);
    }
    /* the goal's nearest point, unless a leg hides it; a way longer than was looked ahead ends on its last portal */
    lane_i entry = lane_select_i(lanes, base + last, lane_set_i(0));
    lane_m far = lane_gather_i(w->next, entry) >= 0;
    lane_f tx, ty;
    desire_nearest_on(lane_gather(w->end_ax, entry), lane_gather(w->end_ay, entry), lane_gather(w->end_bx, entry),
                      lane_gather(w->end_by, entry), x, y, &tx, &ty);
    tx = lane_select(far, lane_gather(w->target_x, entry), tx) - x;
    ty = lane_select(far, lane_gather(w->target_y, entry), ty) - y;
    lane_m open = funnel & lane_not(at_left | at_right);
    at_left = at_left | (open & (lane_det(left.x, left.y, tx, ty) > 0));
    at_right = at_right | (open & lane_not(at_left) & (lane_det(right.x, right.y, tx, ty) < 0));
    lane_f bx = lane_select(at_left, left.x, lane_select(at_right, right.x, tx));
    lane_f by = lane_select(at_left, left.y, lane_select(at_right, right.y, ty));
    lane_f rest = lane_select(at_left, lane_gather(w->cost_left, lane_select_i(at_left, left.entry, lane_set_i(0))),
                              lane_gather(w->cost_right, lane_select_i(at_right, right.entry, lane_set_i(0))));
    rest = lane_select(at_left | at_right, rest, lane_select(far, lane_gather(w->cost, entry), lane_set(0)));
    lane_f length = lane_sqrt(lane_dot(bx, by, bx, by)) + rest;
    desire_take(best, lanes & (length < best->length), x + bx, y + by, length);
}

/* The shortest way from (x, y) in face `f`: to the goal in the face, or out through the best of its portals.
 * Lengths only ever fall on such a way, so nobody turns back and forth between two of them; choosing the
 * portal by an estimate (distance to a fixed point on it) left 2 walkers of 320 undecided for ever. */
LANE_FN desire_way desire_follow(const crowd *c, lane_i f, lane_i tree, lane_m lanes, lane_f x, lane_f y)
{
    const crowd_ways *w = &c->ways;
    desire_way best = {x, y, lane_set(INFINITY)};
    lane_i at = lane_gather_i(w->side_base, tree) + f;
    lane_i s = lane_gather_i(w->side_start, at), end = lane_gather_i(w->side_start, at + 1);
    for (lane_m more = lanes & (s < end); lane_any(more); s = s + 1, more = lanes & (s < end)) {
        lane_i side = lane_select_i(more, s, lane_set_i(0));
        lane_f nx, ny;
        lane_f square = desire_nearest_on(lane_gather(w->side_ax, side), lane_gather(w->side_ay, side),
                                          lane_gather(w->side_bx, side), lane_gather(w->side_by, side), x, y, &nx, &ny);
        lane_f length = lane_sqrt(square);
        desire_take(&best, more & (length < best.length), nx, ny, length);
    }
    lane_i base = lane_gather_i(w->tree_base, tree);
    lane_i e = lane_gather_i(w->face_start, f), stop = lane_gather_i(w->face_start, f + 1);
    for (lane_m more = lanes & (e < stop); lane_any(more); e = e + 1, more = lanes & (e < stop)) {
        lane_i edge = lane_select_i(more, e, lane_set_i(0));
        lane_f least = lane_gather(w->cost, lane_select_i(more, base + e, lane_set_i(0)));
        least = least + lane_sqrt(desire_portal_distance(w, edge, x, y));
        lane_m worth = more & (lane_gather_i(w->twin, edge) >= 0) & (least < best.length);
        if (lane_any(worth))
            desire_through(w, edge, base, worth, x, y, &best);
    }
    return best;
}

/* Replaces the goal's point by the corner to walk to. Returns the lanes that do not see their goal. */
LANE_FN lane_m desire_corner(const crowd *c, int32_t first, lane_i tree, lane_m lanes, lane_f x, lane_f y, lane_f *to_x,
                             lane_f *to_y)
{
    lane_i face = lane_load_i(c->face + first);
    lane_m placed = lanes & (face >= 0);
    tree = lane_select_i(placed, tree, lane_set_i(0));
    face = desire_locate(c, lane_select_i(placed, face, lane_set_i(0)), placed, x, y);
    face = desire_recover(&c->ways, face, tree, placed, x, y);
    lane_store_i(c->face + first, face, placed);
    desire_way way = desire_follow(c, face, tree, placed, x, y);
    lane_m found = placed & (way.length < INFINITY);
    *to_x = lane_select(found, way.x, *to_x);
    *to_y = lane_select(found, way.y, *to_y);
    lane_f dx = way.x - x, dy = way.y - y;
    return found & (way.length > 1.001f * lane_sqrt(lane_dot(dx, dy, dx, dy)) + 0.001f);
}

/* Preferred velocities of the agents in slots `first` .. */
LANE_FN void desire_stage(const crowd *c, int32_t first, lane_m lanes)
{
    lane_i slot = lane_iota(first);
    lane_i goal = lane_load_i(c->goal + first);
    lanes = lanes & (lane_load_i(c->state + first) != 0);
    if (c->steered)
        lanes = lanes & (lane_load_i(c->steered + first) > CROWD_KEPT);
    lane_m wants = lanes & (goal >= 0);
    lane_f vx = lane_set(0), vy = lane_set(0);
    if (lane_any(wants)) {
        goal = lane_select_i(wants, goal, lane_set_i(0));
        lane_f x = lane_load(c->x + first), y = lane_load(c->y + first), to_x, to_y;
        lane_m there = goals_target(c, goal, slot, wants, x, y, &to_x, &to_y);
        lane_i tree = GOALS_INT(c, goal, tree);
        lane_m guided = wants & (tree >= 0) & lane_not(there);
        lane_m corner = lane_none();
        if (lane_any(guided))
            corner = desire_corner(c, first, tree, guided, x, y, &to_x, &to_y);
        lane_m region = GOALS_INT(c, goal, kind) == GOALS_REGION;
        lane_f dx = to_x - x, dy = to_y - y, speed = lane_load(c->speed + first);
        lane_f length = lane_sqrt(lane_dot(dx, dy, dx, dy));
        lane_m slow = lane_not(corner | region) & (length <= speed * DESIRE_SLOW_DOWN);
        lane_f scale = lane_select(slow, lane_set(1.0f / DESIRE_SLOW_DOWN), speed * (1.0f / length));
        lane_m go = wants & (length > 0) & lane_not(region & there);
        vx = lane_select(go, dx * scale, vx);
        vy = lane_select(go, dy * scale, vy);
    }
    lane_store(c->desired_vx + first, vx, lanes);
    lane_store(c->desired_vy + first, vy, lanes);
}

#endif
