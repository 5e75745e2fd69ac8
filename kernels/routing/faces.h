/* The faces of the navigation mesh: which one an agent stands in. On CUDA a thread group shares the sides of a face, of
 * which a long corridor has hundreds. */
#ifndef THRONG_FACES_H
#define THRONG_FACES_H

#include "kernels/sheets.h"
#include "kernels/lane/thread_group.h"

enum { FACES_AHEAD = 8 };

/* The lanes whose (x, y) lies in face `f`, and not close to a side: a few lines say so. */
LANE_FN lane_m faces_hold(const throng_navigation *w, lane_i f, lane_m lanes, lane_f x, lane_f y)
{
    lane_i line = lane_gather_i(w->within_start, f), end = lane_gather_i(w->within_start, f + 1);
    for (lane_m more = lanes & (line < end); lane_any(more); line = line + 1, more = lanes & (line < end)) {
        lane_i at = lane_select_i(more, line, lane_set_i(0));
        lane_f beyond = lane_dot(lane_gather(w->within_x, at), lane_gather(w->within_y, at), x, y);
        lanes = lanes & lane_not(more & (beyond < lane_gather(w->within_least, at)));
    }
    return lanes;
}

/* The face that (x, y) stands in, walking there from face `f` over shared sides. */
SHARED_FN lane_i faces_locate(const crowd *c, lane_i f, lane_m lanes, lane_f x, lane_f y, SHARED_BY g)
{
    const throng_navigation *w = &c->navigation;
    lane_m moving = lanes & (f >= 0);
    for (int hop = 0; hop < FACES_AHEAD && lane_any(moving); hop++) {
        lane_i at = lane_select_i(moving, f, lane_set_i(0));
        lane_i e = lane_gather_i(w->face_start, at) + g.rank, end = lane_gather_i(w->face_start, at + 1);
        lane_f worst = lane_set(0);
        lane_i by = lane_set_i(-1); /* the side that it is farthest beyond */
        for (lane_m more = moving & (e < end); lane_any(more); e = e + group_size(g), more = moving & (e < end)) {
            lane_i edge = lane_select_i(more, e, lane_set_i(0));
            lane_f ax = lane_gather(w->ax, edge), ay = lane_gather(w->ay, edge);
            lane_f side = lane_det(lane_gather(w->bx, edge) - ax, lane_gather(w->by, edge) - ay, x - ax, y - ay);
            lane_i twin = lane_gather_i(w->twin, edge);
            lane_m outside = more & (side < worst) & (twin >= 0);
            worst = lane_select(outside, side, worst);
            by = lane_select_i(outside, edge, by);
        }
        group_least(g, &worst, &by);
        moving = moving & (by >= 0);
        lane_i through = lane_gather_i(w->twin, lane_select_i(moving, by, lane_set_i(0)));
        lane_i next = lane_gather_i(w->face, lane_select_i(moving, through, lane_set_i(0)));
        f = lane_select_i(moving, next, f);
    }
    return f;
}

/* Squared distance from (x, y) to face `f`, 0 inside. */
SHARED_FN lane_f faces_distance(const throng_navigation *w, lane_i f, lane_m lanes, lane_f x, lane_f y, SHARED_BY g)
{
    lane_i e = lane_gather_i(w->face_start, f) + g.rank, end = lane_gather_i(w->face_start, f + 1);
    lane_f least = lane_set(INFINITY);
    lane_m outside = lane_none();
    for (lane_m more = lanes & (e < end); lane_any(more); e = e + group_size(g), more = lanes & (e < end)) {
        lane_i edge = lane_select_i(more, e, lane_set_i(0));
        lane_f ax = lane_gather(w->ax, edge), ay = lane_gather(w->ay, edge);
        lane_f ex = lane_gather(w->bx, edge) - ax, ey = lane_gather(w->by, edge) - ay;
        lane_f t = lane_clamp(lane_dot(x - ax, y - ay, ex, ey) / lane_dot(ex, ey, ex, ey), lane_set(0), lane_set(1));
        lane_f dx = ax + t * ex - x, dy = ay + t * ey - y;
        lane_f distance = lane_dot(dx, dy, dx, dy);
        least = lane_select(more & (distance < least), distance, least);
        outside = outside | (more & (lane_det(ex, ey, x - ax, y - ay) < 0));
    }
    lane_i any = lane_set_i(0);
    group_least(g, &least, &any);
    return lane_select(group_any(g, outside), least, lane_set(0));
}

#define FACES_ASTRAY 0.000025f /* m^2: who is farther than five millimetres from its face looks for a nearer one */

/* Who has left its face where there is no other (small agents come nearer to walls than the mesh does, and
 * slip round its corners) finds the nearest face of those around it. */
SHARED_FN lane_i faces_recover(const crowd *c, lane_i slot, lane_i f, lane_i tree, lane_m lanes, lane_f x, lane_f y,
                               SHARED_BY g)
{
    const throng_navigation *w = &c->navigation;
    lane_f least = faces_distance(w, f, lanes, x, y, g);
    lane_m astray = lanes & (least > FACES_ASTRAY);
    if (!lane_any(astray))
        return f;
    lane_i mesh = lane_gather_i(w->tree_mesh, tree);
    lane_f cell = lane_gather(w->mesh_cell, mesh), at_x = x, at_y = y;
    sheets_lay_out(c, slot, &at_x, &at_y);
    lane_i column = lane_floor_i((at_x - lane_gather(w->mesh_x, mesh)) / cell),
           columns = lane_gather_i(w->mesh_columns, mesh);
    lane_i row = lane_floor_i((at_y - lane_gather(w->mesh_y, mesh)) / cell), rows = lane_gather_i(w->mesh_rows, mesh);
    astray = astray & (column >= 0) & (column < columns) & (row >= 0) & (row < rows);
    lane_i at = lane_select_i(astray, lane_gather_i(w->mesh_cells, mesh) + row * columns + column, lane_set_i(0));
    lane_i i = lane_gather_i(w->face_cell, at), end = lane_gather_i(w->face_cell, at + 1);
    for (lane_m more = astray & (i < end); lane_any(more); i = i + 1, more = astray & (i < end)) {
        lane_i other = lane_select_i(more, lane_gather_i(w->face_list, lane_select_i(more, i, lane_set_i(0))), f);
        lane_f distance = faces_distance(w, other, more, x, y, g);
        lane_m nearer = more & (distance < least);
        least = lane_select(nearer, distance, least);
        f = lane_select_i(nearer, other, f);
    }
    return f;
}

/* The face that agents in slots `slot` stand in, who stood in `f` before, on the mesh of `tree`. */
SHARED_FN lane_i faces_find(const crowd *c, lane_i slot, lane_i f, lane_i tree, lane_m lanes, lane_f x, lane_f y,
                            SHARED_BY g)
{
    lanes = lanes & lane_not(faces_hold(&c->navigation, f, lanes, x, y));
    if (!lane_any(lanes))
        return f;
    f = faces_locate(c, f, lanes, x, y, g);
    return faces_recover(c, slot, f, tree, lanes, x, y, g);
}

/* Nearest point of segment a -> b to (x, y); a segment may be a point. Returns its squared distance. */
LANE_FN lane_f faces_nearest_on(lane_f ax, lane_f ay, lane_f bx, lane_f by, lane_f x, lane_f y, lane_f *near_x,
                                lane_f *near_y)
{
    lane_f ex = bx - ax, ey = by - ay, square = lane_dot(ex, ey, ex, ey);
    lane_f t = lane_clamp(lane_dot(x - ax, y - ay, ex, ey) / square, lane_set(0), lane_set(1));
    t = lane_select(square > 0, t, lane_set(0));
    *near_x = ax + t * ex;
    *near_y = ay + t * ey;
    return lane_dot(*near_x - x, *near_y - y, *near_x - x, *near_y - y);
}

/* What an agent may do next: a corner to walk to, and how long its way is then. */
typedef struct path_choice {
    lane_f x, y, length; /* m; INFINITY: no path */
    lane_i exit_edge;    /* the portal it leaves its face by, -1: none */
} path_choice;

LANE_FN void path_choice_take(path_choice *best, lane_m lanes, const path_choice *choice)
{
    best->x = lane_select(lanes, choice->x, best->x);
    best->y = lane_select(lanes, choice->y, best->y);
    best->length = lane_select(lanes, choice->length, best->length);
    best->exit_edge = lane_select_i(lanes, choice->exit_edge, best->exit_edge);
}

#endif
