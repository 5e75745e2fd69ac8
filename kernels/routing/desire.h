/* Desire: the velocity an agent would take if it were alone.
 *
 * Towards its goal at its preferred speed: straight where the goal's face is its
 * own (or the goal has no paths), else to the corner that the path bends around.
 * The corner comes from the goal's shortest-path map, which all agents of that goal
 * share: each window of the agent's own face leads straight to a corner from where
 * the rest is known (runtime/navigation/path_map_search.h), and the shortest path is taken, again
 * each frame. No agent stores a path. */
#ifndef THRONG_DESIRE_H
#define THRONG_DESIRE_H

#include "kernels/contract/programs.h"
#include "fields.h"
#include "roadmap.h"

#define DESIRE_SLOW_DOWN 1.0f /* s: who is nearer to a point than it walks in this time slows down */

/* Squared distance to portal `e`. */
LANE_FN lane_f desire_portal_distance(const throng_navigation *w, lane_i e, lane_f x, lane_f y)
{
    lane_f nx, ny;
    return faces_nearest_on(lane_gather(w->ax, e), lane_gather(w->ay, e), lane_gather(w->bx, e), lane_gather(w->by, e),
                            x, y, &nx, &ny);
}

#define DESIRE_HAIR 1e-8f /* m^2: who is nearer to a corner than a tenth of a millimetre is there */

#define DESIRE_CLEARLY                                                                                                 \
    3.0f /* m: a path must be this much shorter than the present one to be turned to, where congestion counts */
#define DESIRE_SETTLED 1e6f     /* m: likewise for those who are not reconsidering at the moment */
enum { DESIRE_RECONSIDER = 8 }; /* one agent in so many reconsiders, for a second */

/* How much shorter another way must be. Who reconsiders changes every second, in turn: when everybody did at once,
 * nine in ten of a crowd before two doors changed door together, and half of them back again. */
LANE_FN lane_f desire_reluctance(const crowd *c, int32_t first)
{
    float steps = 1.0f / c->frame.dt + 0.5f;
    int32_t second = (int32_t)(c->frame.step / (steps > 1 ? (uint32_t)steps : 1));
    lane_i turn = (lane_iota(first) * 5 + second) & (DESIRE_RECONSIDER - 1);
    return lane_select(turn == 0, lane_set(DESIRE_CLEARLY), lane_set(DESIRE_SETTLED));
}

/* What congestion at the portals before the root of window `i` cost, in metres. Who stands in the crowd waits only for
 * those nearer to the portal, which are as many as the square of its distance. */
LANE_FN lane_f desire_delay(const throng_navigation *w, lane_i i, lane_m lanes, lane_f x, lane_f y)
{
    lane_f sum = lane_set(0);
    for (lane_m on = lanes; lane_any(on);) {
        lane_i at = lane_select_i(on, i, lane_set_i(0)), edge = lane_gather_i(w->window_edge, at);
        lane_f part = desire_portal_distance(w, edge, x, y) / lane_gather(w->congestion_square, edge);
        lane_f delay = lane_gather(w->delay, edge) * lane_min(part, lane_set(1));
        sum = lane_select(on, sum + delay, sum);
        i = lane_select_i(on, lane_gather_i(w->window_next, at), i);
        on = on & (i >= 0);
    }
    return sum;
}

/* The way out through window `i` of the agent's face: straight to the nearest point of its root, or round the end of
 * the window that this line passes by. Walking out, an end passed by on the left turns right of the line. */
LANE_FN path_choice desire_through(const throng_navigation *w, lane_i i, lane_m lanes, lane_m congested, lane_f x,
                                   lane_f y)
{
    lane_i r = lane_gather_i(w->window_root, i);
    lane_f ax = lane_gather(w->root_ax, r), ay = lane_gather(w->root_ay, r), bx = lane_gather(w->root_bx, r),
           by = lane_gather(w->root_by, r), nx, ny;
    lane_f length = lane_sqrt(faces_nearest_on(ax, ay, bx, by, x, y, &nx, &ny));
    lane_m there = (length * length < DESIRE_HAIR) & (ax == bx) & (ay == by); /* on a side of the goal paths end */
    lane_f dx = lane_select(there, lane_gather(w->root_on_x, r), nx) - x,
           dy = lane_select(there, lane_gather(w->root_on_y, r), ny) - y;
    lane_f lx = lane_gather(w->left_x, i) - x, ly = lane_gather(w->left_y, i) - y;
    lane_f rx = lane_gather(w->right_x, i) - x, ry = lane_gather(w->right_y, i) - y;
    lane_m at_left = lane_not(there) & (lane_det(dx, dy, lx, ly) < 0) & (lane_dot(lx, ly, lx, ly) > DESIRE_HAIR);
    lane_m at_right =
        lane_not(there | at_left) & (lane_det(dx, dy, rx, ry) > 0) & (lane_dot(rx, ry, rx, ry) > DESIRE_HAIR);
    dx = lane_select(at_left, lx, lane_select(at_right, rx, dx));
    dy = lane_select(at_left, ly, lane_select(at_right, ry, dy));
    lane_m bends = at_left | at_right;
    if (lane_any(lanes & bends)) {
        lane_f onward = lane_sqrt(faces_nearest_on(ax, ay, bx, by, x + dx, y + dy, &nx, &ny));
        length = lane_select(bends, lane_sqrt(lane_dot(dx, dy, dx, dy)) + onward, length);
    }
    path_choice choice = {x + dx, y + dy, length + lane_gather(w->root_rest, r), lane_gather_i(w->window_edge, i)};
    if (lane_any(lanes & congested)) {
        lane_f delay = desire_delay(w, i, lanes & congested, x, y);
        choice.length = lane_select(lanes & congested, choice.length + delay, choice.length);
    }
    return choice;
}

/* The portal of face `f` by which the path went on that has led out through `exit_edge`, -1: it is not here. */
LANE_FN lane_i desire_present(const throng_navigation *w, lane_i f, lane_i base, lane_i exit_edge, lane_m lanes)
{
    lanes = lanes & (exit_edge >= 0);
    exit_edge = lane_select_i(lanes, exit_edge, lane_set_i(0));
    lane_m here = lanes & (lane_gather_i(w->face, exit_edge) == f);
    lane_i twin = lane_gather_i(w->twin, exit_edge);
    lane_m passed = lanes & lane_not(here) & (twin >= 0);
    passed = passed & (lane_gather_i(w->face, lane_select_i(passed, twin, lane_set_i(0))) == f);
    lane_i next = lane_gather_i(w->next, lane_select_i(passed, base + exit_edge, lane_set_i(0)));
    return lane_select_i(here, exit_edge, lane_select_i(passed, next, lane_set_i(-1)));
}

/* The shortest path from (x, y) in face `f`: to the goal in the face, or out through the best of its windows.
 * Lengths only ever fall on such a way, so nobody turns back and forth between two of them; choosing a
 * portal by an estimate (distance to a fixed point on it) left 2 walkers of 320 undecided for ever. Where congestion
 * counts lengths may rise, and the path that has led through `exit_edge` is kept until another is clearly shorter. */
LANE_FN path_choice desire_follow(const crowd *c, lane_i f, lane_i tree, lane_i exit_edge, lane_f reluctance,
                                  lane_m lanes, lane_f x, lane_f y)
{
    const throng_navigation *w = &c->navigation;
    path_choice best = {x, y, lane_set(INFINITY), lane_set_i(-1)};
    lane_m congested = lanes & (lane_gather_i(w->tree_congestion, tree) != 0);
    lane_i at = lane_select_i(lanes, lane_gather_i(w->side_base, tree) + f, lane_set_i(0)); /* roads have no sides */
    lane_i s = lane_gather_i(w->side_start, at), end = lane_gather_i(w->side_start, at + 1);
    for (lane_m more = lanes & (s < end); lane_any(more); s = s + 1, more = lanes & (s < end)) {
        lane_i side = lane_select_i(more, s, lane_set_i(0));
        lane_f nx, ny;
        lane_f square = faces_nearest_on(lane_gather(w->side_ax, side), lane_gather(w->side_ay, side),
                                         lane_gather(w->side_bx, side), lane_gather(w->side_by, side), x, y, &nx, &ny);
        lane_f length = lane_sqrt(square);
        path_choice straight = {nx, ny, length, lane_set_i(-1)};
        path_choice_take(&best, more & (length < best.length), &straight);
    }
    lane_i base = lane_gather_i(w->tree_base, tree);
    lane_i present = lane_any(congested) ? desire_present(w, f, base, exit_edge, congested) : exit_edge;
    lane_i i = lane_gather_i(w->window_start, at), stop = lane_gather_i(w->window_start, at + 1);
    for (lane_m more = lanes & (i < stop); lane_any(more); i = i + 1, more = more & (i < stop)) {
        lane_i window = lane_select_i(more, i, lane_set_i(0));
        more = more & (lane_gather(w->window_least, window) < best.length);
        if (!lane_any(more))
            break;
        path_choice choice = desire_through(w, window, more, congested, x, y);
        lane_m turns = congested & (present >= 0) & lane_not(choice.exit_edge == present);
        choice.length = lane_select(turns, choice.length + reluctance, choice.length);
        lane_m better = more & (choice.length < best.length);
        path_choice_take(&best, better, &choice);
    }
    return best;
}

/* Whom a potential leads comes to other floors, too: positions alone do not tell the face there, if it is not kept. */
LANE_FN void desire_keep_face(const crowd *c, int32_t first, lane_i tree, lane_m lanes, lane_f x, lane_f y)
{
    lane_i face = lane_load_i(c->face + first);
    lanes = lanes & (face >= 0);
    face = faces_find(c, lane_iota(first), lane_select_i(lanes, face, lane_set_i(0)),
                      lane_select_i(lanes, tree, lane_set_i(0)), lanes, x, y);
    lane_store_i(c->face + first, face, lanes);
}

/* Replaces the goal's point by the corner to walk to. Returns the lanes that do not see their goal. */
LANE_FN lane_m desire_corner(const crowd *c, int32_t first, lane_i tree, lane_m lanes, lane_f x, lane_f y, lane_f *to_x,
                             lane_f *to_y)
{
    lane_i face = lane_load_i(c->face + first);
    lane_m placed = lanes & (face >= 0);
    tree = lane_select_i(placed, tree, lane_set_i(0));
    face = faces_find(c, lane_iota(first), lane_select_i(placed, face, lane_set_i(0)), tree, placed, x, y);
    lane_m road = placed & (lane_gather_i(c->navigation.road_side, tree) >= 0), portals = placed & lane_not(road);
    path_choice choice = {x, y, lane_set(INFINITY), lane_set_i(-1)};
    if (lane_any(portals))
        choice =
            desire_follow(c, face, tree, lane_load_i(c->exit_edge + first), desire_reluctance(c, first), portals, x, y);
    if (lane_any(road)) {
        path_choice by_nodes = roadmap_follow(c, face, tree, road, x, y);
        path_choice_take(&choice, road, &by_nodes);
    }
    lane_store_i(c->face + first, face, placed);
    lane_store_i(c->exit_edge + first, choice.exit_edge, placed);
    lane_m found = placed & (choice.length < INFINITY);
    *to_x = lane_select(found, choice.x, *to_x);
    *to_y = lane_select(found, choice.y, *to_y);
    if (c->sheets.count) { /* straight on may be another floor: who has no way stands */
        lane_m lost = placed & lane_not(found);
        *to_x = lane_select(lost, x, *to_x);
        *to_y = lane_select(lost, y, *to_y);
    }
    lane_f dx = choice.x - x, dy = choice.y - y;
    return found & (choice.length > 1.001f * lane_sqrt(lane_dot(dx, dy, dx, dy)) + 0.001f);
}

#define DESIRE_AT_CORNER 0.0025f /* m^2: who is nearer to a corner than five centimetres is there */

/* Replaces the goal's point by the next corner of the agent's own path; who has none yet waits where it is. Returns the
 * lanes whose path goes on from there. */
LANE_FN lane_m desire_next_corner(const crowd *c, int32_t first, lane_m lanes, lane_f x, lane_f y, lane_f *to_x,
                                  lane_f *to_y)
{
    const throng_waypoints *k = &c->waypoints;
    lane_i at = lane_load_i(c->waypoint + first);
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
    lane_store_i(c->waypoint + first, at, has);
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
        lanes = lanes & (lane_load_i(c->steered + first) > THRONG_KEPT);
    lane_m wants = lanes & (goal >= 0);
    lane_f vx = lane_set(0), vy = lane_set(0);
    if (lane_any(wants)) {
        goal = lane_select_i(wants, goal, lane_set_i(0));
        lane_f x = lane_load(c->x + first), y = lane_load(c->y + first), to_x, to_y;
        lane_m there = goals_target(c, goal, slot, wants, x, y, &to_x, &to_y);
        lane_i tree = GOALS_INT(c, goal, tree);
        lane_m guided = wants & (tree >= 0) & lane_not(there);
        lane_m corner = fields_follow(c, slot, goal, guided, x, y, &to_x, &to_y);
        if (c->sheets.count && lane_any(corner))
            desire_keep_face(c, first, tree, corner, x, y);
        guided = guided & lane_not(corner);
        if (lane_any(guided))
            corner = corner | desire_corner(c, first, tree, guided, x, y, &to_x, &to_y);
        lane_m own = wants & (tree == THRONG_BY_WAYPOINTS) & lane_not(there);
        if (lane_any(own))
            corner = corner | desire_next_corner(c, first, own, x, y, &to_x, &to_y);
        lane_m region = GOALS_INT(c, goal, kind) == THRONG_GOAL_REGION;
        lane_f dx = to_x - x, dy = to_y - y, speed = lane_load(c->speed + first);
        lane_f length = lane_sqrt(lane_dot(dx, dy, dx, dy));
        lane_m slow = lane_not(corner | region) & (length <= speed * DESIRE_SLOW_DOWN);
        lane_f scale = lane_select(slow, lane_set(1.0f / DESIRE_SLOW_DOWN), speed * (1.0f / length));
        lane_m go = wants & (length > 0) & lane_not(region & there);
        if (c->pre_movement)
            go = go & crowd_has_started(c, slot);
        if (c->lift)
            go = go & lane_not(crowd_waits_for_lift(c, slot));
        vx = lane_select(go, dx * scale, vx);
        vy = lane_select(go, dy * scale, vy);
    }
    sheets_walk(c, slot, &vx, &vy);
    if (c->pace) {
        vx = vx * lane_load(c->pace + first);
        vy = vy * lane_load(c->pace + first);
    }
    lane_store(c->desired_vx + first, vx, lanes);
    lane_store(c->desired_vy + first, vy, lanes);
}

#endif
