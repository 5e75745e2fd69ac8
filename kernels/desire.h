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

#include "fields.h"
#include "roadmap.h"

enum { DESIRE_PORTALS_AHEAD = 256 };

#define DESIRE_SLOW_DOWN 1.0f /* s: who is nearer to a point than it walks in this time slows down */

/* Squared distance to portal `e`. */
LANE_FN lane_f desire_portal_distance(const crowd_ways *w, lane_i e, lane_f x, lane_f y)
{
    lane_f nx, ny;
    return faces_nearest_on(lane_gather(w->ax, e), lane_gather(w->ay, e), lane_gather(w->bx, e), lane_gather(w->by, e),
                            x, y, &nx, &ny);
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

#define DESIRE_CLEARLY                                                                                                 \
    3.0f /* m: a way must be this much shorter than the present one to be turned to, where queues count */
#define DESIRE_SETTLED 1e6f     /* m: likewise for those who are not reconsidering at the moment */
enum { DESIRE_RECONSIDER = 8 }; /* one agent in so many reconsiders, for a second */

/* How much shorter another way must be. Who reconsiders changes every second, in turn: when everybody did at once,
 * nine in ten of a crowd before two doors changed door together, and half of them back again. */
LANE_FN lane_f desire_reluctance(const crowd *c, int32_t first)
{
    float steps = 1.0f / c->dt + 0.5f;
    int32_t second = (int32_t)(c->step / (steps > 1 ? (uint32_t)steps : 1));
    lane_i turn = (lane_iota(first) * 5 + second) & (DESIRE_RECONSIDER - 1);
    return lane_select(turn == 0, lane_set(DESIRE_CLEARLY), lane_set(DESIRE_SETTLED));
}

/* What queues at the portals from `e` to the one of entry `last` cost, in metres. Who stands in a queue waits only for
 * those nearer to the portal, which are as many as the square of its distance. */
LANE_FN lane_f desire_delay(const crowd_ways *w, lane_i e, lane_i base, lane_i last, lane_m lanes, lane_f x, lane_f y)
{
    lane_f sum = lane_set(0);
    for (lane_m on = lanes; lane_any(on);) {
        lane_i edge = lane_select_i(on, e, lane_set_i(0));
        lane_f part = desire_portal_distance(w, edge, x, y) / lane_gather(w->queue_square, edge);
        lane_f delay = lane_gather(w->delay, edge) * lane_min(part, lane_set(1));
        sum = lane_select(on, sum + delay, sum);
        on = on & lane_not(base + e == last);
        e = lane_select_i(on, lane_gather_i(w->next, lane_select_i(on, base + e, lane_set_i(0))), e);
        on = on & (e >= 0);
    }
    return sum;
}

/* The way out through portal `e` of the agent's face: the funnel down to its first bend, from where the
 * way's length is known (cost_left, cost_right), or to the goal. Leaving a face by its side a -> b, b is on the left.
 */
LANE_FN way_choice desire_through(const crowd_ways *w, lane_i e, lane_i base, lane_m lanes, lane_m queues, lane_f x,
                                  lane_f y)
{
    lane_i portal = e;
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
    faces_nearest_on(lane_gather(w->end_ax, entry), lane_gather(w->end_ay, entry), lane_gather(w->end_bx, entry),
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
    way_choice way = {x + bx, y + by, lane_sqrt(lane_dot(bx, by, bx, by)) + rest, portal};
    if (lane_any(funnel & queues)) {
        lane_i until = lane_select_i(at_left, left.entry, lane_select_i(at_right, right.entry, entry));
        lane_f delay = desire_delay(w, first, base, until, funnel & queues, x, y);
        way.length = lane_select(funnel & queues, way.length + delay, way.length);
    }
    return way;
}

/* The portal of face `f` by which the way went on that has led out through `via`, -1: it is not here. */
LANE_FN lane_i desire_present(const crowd_ways *w, lane_i f, lane_i base, lane_i via, lane_m lanes)
{
    lanes = lanes & (via >= 0);
    via = lane_select_i(lanes, via, lane_set_i(0));
    lane_m here = lanes & (lane_gather_i(w->face, via) == f);
    lane_i twin = lane_gather_i(w->twin, via);
    lane_m passed = lanes & lane_not(here) & (twin >= 0);
    passed = passed & (lane_gather_i(w->face, lane_select_i(passed, twin, lane_set_i(0))) == f);
    lane_i next = lane_gather_i(w->next, lane_select_i(passed, base + via, lane_set_i(0)));
    return lane_select_i(here, via, lane_select_i(passed, next, lane_set_i(-1)));
}

/* The shortest way from (x, y) in face `f`: to the goal in the face, or out through the best of its portals.
 * Lengths only ever fall on such a way, so nobody turns back and forth between two of them; choosing the
 * portal by an estimate (distance to a fixed point on it) left 2 walkers of 320 undecided for ever. Where queues count
 * lengths may rise, and the way that has led through `via` is kept until another is clearly shorter. */
LANE_FN way_choice desire_follow(const crowd *c, lane_i f, lane_i tree, lane_i via, lane_f reluctance, lane_m lanes,
                                 lane_f x, lane_f y)
{
    const crowd_ways *w = &c->ways;
    way_choice best = {x, y, lane_set(INFINITY), lane_set_i(-1)};
    lane_m queues = lanes & (lane_gather_i(w->tree_queues, tree) != 0);
    lane_i at = lane_select_i(lanes, lane_gather_i(w->side_base, tree) + f, lane_set_i(0)); /* roads have no sides */
    lane_i s = lane_gather_i(w->side_start, at), end = lane_gather_i(w->side_start, at + 1);
    for (lane_m more = lanes & (s < end); lane_any(more); s = s + 1, more = lanes & (s < end)) {
        lane_i side = lane_select_i(more, s, lane_set_i(0));
        lane_f nx, ny;
        lane_f square = faces_nearest_on(lane_gather(w->side_ax, side), lane_gather(w->side_ay, side),
                                         lane_gather(w->side_bx, side), lane_gather(w->side_by, side), x, y, &nx, &ny);
        lane_f length = lane_sqrt(square);
        way_choice straight = {nx, ny, length, lane_set_i(-1)};
        way_take(&best, more & (length < best.length), &straight);
    }
    lane_i base = lane_gather_i(w->tree_base, tree);
    lane_i present = lane_any(queues) ? desire_present(w, f, base, via, queues) : via;
    lane_i e = lane_gather_i(w->face_start, f), stop = lane_gather_i(w->face_start, f + 1);
    for (lane_m more = lanes & (e < stop); lane_any(more); e = e + 1, more = lanes & (e < stop)) {
        lane_i edge = lane_select_i(more, e, lane_set_i(0));
        lane_f least = lane_gather(w->cost, lane_select_i(more, base + e, lane_set_i(0)));
        least = least + lane_sqrt(desire_portal_distance(w, edge, x, y));
        lane_m worth = more & (lane_gather_i(w->twin, edge) >= 0) & (least < best.length);
        if (!lane_any(worth))
            continue;
        way_choice way = desire_through(w, edge, base, worth, queues, x, y);
        lane_m turns = queues & (present >= 0) & lane_not(edge == present);
        way.length = lane_select(turns, way.length + reluctance, way.length);
        way_take(&best, worth & (way.length < best.length), &way);
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
    face = faces_locate(c, lane_select_i(placed, face, lane_set_i(0)), placed, x, y);
    face = faces_recover(&c->ways, face, tree, placed, x, y);
    lane_store_i(c->face + first, face, placed);
    lane_m road = placed & (lane_gather_i(c->ways.road_side, tree) >= 0), portals = placed & lane_not(road);
    way_choice way = {x, y, lane_set(INFINITY), lane_set_i(-1)};
    if (lane_any(portals))
        way = desire_follow(c, face, tree, lane_load_i(c->via + first), desire_reluctance(c, first), portals, x, y);
    if (lane_any(road)) {
        way_choice by_nodes = roadmap_follow(c, face, tree, road, x, y);
        way_take(&way, road, &by_nodes);
    }
    lane_store_i(c->via + first, way.via, placed);
    lane_m found = placed & (way.length < INFINITY);
    *to_x = lane_select(found, way.x, *to_x);
    *to_y = lane_select(found, way.y, *to_y);
    lane_f dx = way.x - x, dy = way.y - y;
    return found & (way.length > 1.001f * lane_sqrt(lane_dot(dx, dy, dx, dy)) + 0.001f);
}

#define DESIRE_AT_CORNER 0.0025f /* m^2: who is nearer to a corner than five centimetres is there */

/* Replaces the goal's point by the next corner of the agent's own path; who has none yet waits where it is. Returns the
 * lanes whose path goes on from there. */
LANE_FN lane_m desire_next_corner(const crowd *c, int32_t first, lane_m lanes, lane_f x, lane_f y, lane_f *to_x,
                                  lane_f *to_y)
{
    const crowd_corners *k = &c->corners;
    lane_i at = lane_load_i(c->corner + first);
    lane_m has = lanes & (at >= 0), ahead = has, last = lane_none();
    lane_f cx = x, cy = y;
    while (lane_any(ahead)) {
        lane_i here = lane_select_i(ahead, at, lane_set_i(0));
        lane_f kx = lane_gather(k->x, here), ky = lane_gather(k->y, here), turn = lane_gather(k->turn, here);
        cx = lane_select(ahead, kx, cx);
        cy = lane_select(ahead, ky, cy);
        last = last | (ahead & (turn == 0));
        ahead = ahead & (turn != 0);
        here = lane_select_i(ahead, at + 1, lane_set_i(0));
        lane_f px = x - kx, py = y - ky;
        lane_f side = lane_det(lane_gather(k->x, here) - kx, lane_gather(k->y, here) - ky, px, py);
        ahead = ahead & ((side * turn <= 0) | (lane_dot(px, py, px, py) < DESIRE_AT_CORNER));
        at = lane_select_i(ahead, at + 1, at);
    }
    lane_store_i(c->corner + first, at, has);
    *to_x = lane_select(lanes, cx, *to_x);
    *to_y = lane_select(lanes, cy, *to_y);
    return has & lane_not(last);
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
        lane_m corner = fields_follow(c, goal, guided, x, y, &to_x, &to_y);
        guided = guided & lane_not(corner);
        if (lane_any(guided))
            corner = corner | desire_corner(c, first, tree, guided, x, y, &to_x, &to_y);
        lane_m own = wants & (tree == GOALS_BY_CORNERS) & lane_not(there);
        if (lane_any(own))
            corner = corner | desire_next_corner(c, first, own, x, y, &to_x, &to_y);
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
