/* The roadmap: an agent steers for the node from which its way is shortest in
 * all, of those it sees, or for the goal when it sees that (A. Bleiweiss, 2009).
 *
 * Only nodes that can be seen from somewhere in the agent's face are looked at,
 * and of those only the ones that promise a shorter path than the best so far. A
 * look is a walk through the faces; a closed door is a wall to it. So are seams between the parts of a building: over
 * them lead nodes that lie just behind, and one look passes one of them. */
#ifndef THRONG_KERNEL_ROADMAP_H
#define THRONG_KERNEL_ROADMAP_H

#include "faces.h"

enum { ROADMAP_FACES_AHEAD = 1024 }; /* that a look passes at most */

#define ROADMAP_HAIR  1e-4f /* m: a point this little outside a face's side is still in it */
#define ROADMAP_AT    0.02f /* m: who is nearer to a node stands on it, */
#define ROADMAP_LEAVE 0.05f /* m: and prefers a path by another node that is up to this much longer */

/* Of sides `side` .. `end` in line `line` the one that (x, y) -> (tx, ty) passes through, or comes next to. */
LANE_FN lane_i roadmap_crossed(const throng_navigation *w, lane_i line, lane_i side, lane_i end, lane_m lanes, lane_f x,
                               lane_f y, lane_f tx, lane_f ty)
{
    lane_i at = lane_select_i(lanes, line, lane_set_i(0)), first = lane_select_i(lanes, side, lane_set_i(0));
    lane_f nx = lane_gather(w->line_x, at), ny = lane_gather(w->line_y, at);
    lane_f ax = lane_gather(w->ax, first), ay = lane_gather(w->ay, first);
    lane_f here = lane_dot(nx, ny, x - ax, y - ay), there = lane_dot(nx, ny, tx - ax, ty - ay);
    lane_f t = lane_clamp(here / (here - there), lane_set(0), lane_set(1));
    return lane_select_i(lanes, faces_beside(w, line, side, end, lanes, x + t * (tx - x), y + t * (ty - y)), first);
}

/* The side of face `f` by which the line from (x, y) to (tx, ty) leaves it, -1: it ends there. Who starts a hair
 * outside may pass through none; then it is the one next to that. */
LANE_FN lane_i roadmap_side_out(const throng_navigation *w, lane_i f, lane_m lanes, lane_f x, lane_f y, lane_f tx,
                                lane_f ty)
{
    lane_i out = lane_set_i(-1);
    lane_f first = lane_set(INFINITY);
    lane_m through = lane_none();
    lane_i line = lane_gather_i(w->line_start, f), last = lane_gather_i(w->line_start, f + 1);
    for (lane_m more = lanes & (line < last); lane_any(more); line = line + 1, more = more & (line < last)) {
        lane_i edge = lane_set_i(0), end = edge;
        lane_m beyond = faces_beyond(w, line, more, tx, ty, &edge, &end);
        if (!lane_any(beyond))
            continue;
        edge = roadmap_crossed(w, line, edge, end, beyond, x, y, tx, ty);
        lane_f ax = lane_gather(w->ax, edge), ay = lane_gather(w->ay, edge);
        lane_f bx = lane_gather(w->bx, edge), by = lane_gather(w->by, edge), ex = bx - ax, ey = by - ay;
        lane_f there = lane_det(ex, ey, tx - ax, ty - ay);
        lane_m leaves = beyond & (there < 0) & (there * there > ROADMAP_HAIR * ROADMAP_HAIR * lane_dot(ex, ey, ex, ey));
        lane_f here = lane_max(lane_det(ex, ey, x - ax, y - ay), lane_set(0));
        lane_f t = here / (here - there);
        lane_m between =
            (lane_det(tx - x, ty - y, ax - x, ay - y) <= 0) & (lane_det(tx - x, ty - y, bx - x, by - y) >= 0);
        lane_m sooner = leaves & ((between & lane_not(through)) | ((t < first) & (between | lane_not(through))));
        first = lane_select(sooner, t, first);
        out = lane_select_i(sooner, edge, out);
        through = through | (sooner & between);
    }
    return out;
}

/* The lanes that see (tx, ty) on `part` of a building from (x, y) in face `f`, on a path of `tree`; over a seam those
 * of `cross` do. */
LANE_FN lane_m roadmap_sees(const throng_navigation *w, lane_i f, lane_i tree, lane_m lanes, lane_m cross, lane_f x,
                            lane_f y, lane_i part, lane_f tx, lane_f ty)
{
    lane_m looking = lanes, seen = lane_none(), heeds = lane_gather_i(w->road_heeds, tree) != 0;
    for (int passed = 0; passed < ROADMAP_FACES_AHEAD && lane_any(looking); passed++) {
        lane_i out = roadmap_side_out(w, lane_select_i(looking, f, lane_set_i(0)), looking, x, y, tx, ty);
        lane_i here = lane_gather_i(w->part, lane_select_i(looking, f, lane_set_i(0)));
        seen = seen | (looking & (out < 0) & (here == part));
        looking = looking & (out >= 0);
        out = lane_select_i(looking, out, lane_set_i(0));
        lane_i twin = lane_gather_i(w->twin, out), shut = lane_gather_i(w->shut, out);
        lane_m seam = shut == THRONG_SIDE_ON_SEAM;
        looking = looking & (twin >= 0) & lane_not(heeds & (shut == THRONG_SIDE_SHUT)) & (cross | lane_not(seam));
        cross = cross & lane_not(seam);
        f = lane_select_i(looking, lane_gather_i(w->face, lane_select_i(looking, twin, lane_set_i(0))), f);
    }
    return seen;
}

/* Moves points outside their face to its nearest point. */
LANE_FN void roadmap_enter(const throng_navigation *w, lane_i f, lane_m lanes, lane_f *x, lane_f *y)
{
    lane_f least = lane_set(INFINITY), near_x = *x, near_y = *y;
    lane_i line = lane_gather_i(w->line_start, f), last = lane_gather_i(w->line_start, f + 1);
    for (lane_m more = lanes & (line < last); lane_any(more); line = line + 1, more = more & (line < last)) {
        lane_i e = lane_set_i(0), end = e;
        lane_m beyond = faces_beyond(w, line, more, *x, *y, &e, &end);
        for (lane_m on = beyond & (e < end); lane_any(on); e = e + 1, on = on & (e < end)) {
            lane_i edge = lane_select_i(on, e, lane_set_i(0));
            lane_f ax = lane_gather(w->ax, edge), ay = lane_gather(w->ay, edge);
            lane_f bx = lane_gather(w->bx, edge), by = lane_gather(w->by, edge), nx, ny;
            lane_f square = faces_nearest_on(ax, ay, bx, by, *x, *y, &nx, &ny);
            lane_m nearer = on & (lane_det(bx - ax, by - ay, *x - ax, *y - ay) < 0) & (square < least);
            least = lane_select(nearer, square, least);
            near_x = lane_select(nearer, nx, near_x);
            near_y = lane_select(nearer, ny, near_y);
        }
    }
    *x = near_x;
    *y = near_y;
}

/* Straight to the nearest point of a side of the goal. */
LANE_FN void roadmap_goal(const throng_navigation *w, lane_i f, lane_i tree, lane_m lanes, lane_f x, lane_f y,
                          path_choice *best)
{
    lane_i s = lane_gather_i(w->road_side, tree), end = lane_gather_i(w->road_side_end, tree);
    for (lane_m more = lanes & (s < end); lane_any(more); s = s + 1, more = lanes & (s < end)) {
        lane_i side = lane_select_i(more, s, lane_set_i(0));
        lane_f nx, ny;
        lane_f square = faces_nearest_on(lane_gather(w->side_ax, side), lane_gather(w->side_ay, side),
                                         lane_gather(w->side_bx, side), lane_gather(w->side_by, side), x, y, &nx, &ny);
        lane_f length = lane_sqrt(square);
        lane_m shorter = more & (length < best->length);
        if (!lane_any(shorter))
            continue;
        path_choice choice = {nx, ny, length, lane_set_i(-1)};
        lane_i part = lane_gather_i(w->side_part, side);
        path_choice_take(best, shorter & roadmap_sees(w, f, tree, shorter, lane_none(), x, y, part, nx, ny), &choice);
    }
}

/* By way of a node. */
LANE_FN void roadmap_nodes(const throng_navigation *w, lane_i f, lane_i tree, lane_m lanes, lane_f x, lane_f y,
                           path_choice *best)
{
    lane_i base = lane_gather_i(w->road_base, tree);
    lane_i i = lane_gather_i(w->node_start, f), end = lane_gather_i(w->node_start, f + 1);
    for (lane_m more = lanes & (i < end); lane_any(more); i = i + 1, more = lanes & (i < end)) {
        lane_i node = lane_gather_i(w->node_list, lane_select_i(more, i, lane_set_i(0)));
        node = lane_select_i(more, node, lane_set_i(0));
        lane_f nx = lane_gather(w->node_x, node), ny = lane_gather(w->node_y, node);
        lane_f away = lane_sqrt(lane_dot(nx - x, ny - y, nx - x, ny - y));
        lane_f length = away + lane_gather(w->road_cost, lane_select_i(more, base + node, lane_set_i(0)));
        length = lane_select(away < ROADMAP_AT, length + ROADMAP_LEAVE, length);
        lane_m shorter = more & (length < best->length);
        if (!lane_any(shorter))
            continue;
        path_choice choice = {nx, ny, length, lane_set_i(-1)};
        lane_i part = lane_gather_i(w->node_part, node);
        path_choice_take(best, shorter & roadmap_sees(w, f, tree, shorter, shorter, x, y, part, nx, ny), &choice);
    }
}

/* The shortest path from (x, y) in or near face `f`. */
LANE_FN path_choice roadmap_follow(const crowd *c, lane_i f, lane_i tree, lane_m lanes, lane_f x, lane_f y)
{
    path_choice best = {x, y, lane_set(INFINITY), lane_set_i(-1)};
    roadmap_enter(&c->navigation, f, lanes, &x, &y);
    roadmap_goal(&c->navigation, f, tree, lanes, x, y, &best);
    roadmap_nodes(&c->navigation, f, tree, lanes, x, y, &best);
    return best;
}

#endif
