/* The faces of the navigation mesh: which one an agent stands in. */
#ifndef THRONG_FACES_H
#define THRONG_FACES_H

#include "kernels/sheets.h"

enum { FACES_AHEAD = 8 };

#define FACES_ASTRAY 0.000025f /* m^2: who is farther than five millimetres from its face looks for a nearer one */

/* The lanes that may be outside sides `first` .. `end` in line `line`: the others are inside all of them. */
LANE_FN lane_m faces_beyond(const throng_navigation *w, lane_i line, lane_m lanes, lane_f x, lane_f y, lane_i *first,
                            lane_i *end)
{
    lane_i at = lane_select_i(lanes, line, lane_set_i(0));
    lane_f inside = lane_dot(lane_gather(w->line_x, at), lane_gather(w->line_y, at), x, y);
    lanes = lanes & (inside < lane_gather(w->line_least, at));
    if (lane_any(lanes)) {
        *first = lane_gather_i(w->line_side, at);
        *end = lane_gather_i(w->line_side, at + 1);
    }
    return lanes;
}

/* The side beside which (x, y) is, of sides `side` .. `end` in line `line`: a corridor may have hundreds, a door each.
 */
LANE_FN lane_i faces_beside(const throng_navigation *w, lane_i line, lane_i side, lane_i end, lane_m lanes, lane_f x,
                            lane_f y)
{
    lane_i at = lane_select_i(lanes, line, lane_set_i(0)), count = end - side;
    lane_f nx = lane_gather(w->line_x, at), ny = lane_gather(w->line_y, at);
    for (lane_m more = lanes & (count > 1); lane_any(more); more = more & (count > 1)) {
        lane_i half = count >> 1, middle = lane_select_i(more, side + half, lane_set_i(0));
        lane_m past = more & (lane_det(x - lane_gather(w->ax, middle), y - lane_gather(w->ay, middle), nx, ny) >= 0);
        side = lane_select_i(past, middle, side);
        count = lane_select_i(past, count - half, half);
    }
    return side;
}

/* Squared distance from (x, y) to face `f`, 0 inside. `by`: the shared side that it has left the face by, -1: none. */
LANE_FN lane_f faces_distance(const throng_navigation *w, lane_i f, lane_m lanes, lane_f x, lane_f y, lane_i *by)
{
    lane_i line = lane_gather_i(w->line_start, f), end = lane_gather_i(w->line_start, f + 1);
    lane_f least = lane_set(INFINITY), least_shared = least;
    *by = lane_set_i(-1);
    for (lane_m more = lanes & (line < end); lane_any(more); line = line + 1, more = more & (line < end)) {
        lane_i side = lane_set_i(0), last = side;
        lane_m beyond = faces_beyond(w, line, more, x, y, &side, &last);
        if (!lane_any(beyond))
            continue;
        side = lane_select_i(beyond, faces_beside(w, line, side, last, beyond, x, y), lane_set_i(0));
        lane_f ax = lane_gather(w->ax, side), ay = lane_gather(w->ay, side);
        lane_f ex = lane_gather(w->bx, side) - ax, ey = lane_gather(w->by, side) - ay;
        beyond = beyond & (lane_det(ex, ey, x - ax, y - ay) < 0);
        lane_f t = lane_clamp(lane_dot(x - ax, y - ay, ex, ey) / lane_dot(ex, ey, ex, ey), lane_set(0), lane_set(1));
        lane_f dx = ax + t * ex - x, dy = ay + t * ey - y;
        lane_f distance = lane_dot(dx, dy, dx, dy);
        least = lane_select(beyond & (distance < least), distance, least);
        lane_m nearer = beyond & (lane_gather_i(w->twin, side) >= 0) & (distance < least_shared);
        least_shared = lane_select(nearer, distance, least_shared);
        *by = lane_select_i(nearer, side, *by);
    }
    *by = lane_select_i(least_shared <= lane_max(least, lane_set(FACES_ASTRAY)), *by, lane_set_i(-1));
    return lane_select(least < INFINITY, least, lane_set(0));
}

/* Walks from face `f` to that which (x, y) lies in, over shared sides. Returns the squared distance to the face where
 * that ends: who is beyond a wall is not in it. */
LANE_FN lane_f faces_walk(const throng_navigation *w, lane_i *f, lane_m lanes, lane_f x, lane_f y)
{
    lane_f least = lane_set(0);
    for (int hop = 0; hop < FACES_AHEAD && lane_any(lanes); hop++) {
        lane_i by;
        lane_f distance = faces_distance(w, lane_select_i(lanes, *f, lane_set_i(0)), lanes, x, y, &by);
        least = lane_select(lanes, distance, least);
        lanes = lanes & (by >= 0);
        lane_i through = lane_gather_i(w->twin, lane_select_i(lanes, by, lane_set_i(0)));
        *f = lane_select_i(lanes, lane_gather_i(w->face, lane_select_i(lanes, through, lane_set_i(0))), *f);
    }
    return lane_select(lanes, lane_set(INFINITY), least); /* farther away than that */
}

/* The face that agents in slots `slot` stand in, who stood in `f` before, on the mesh of `tree`. Who has left it where
 * there is no other (small agents come nearer to walls than the mesh does, and slip round its corners) finds the
 * nearest face of those around it. */
LANE_FN lane_i faces_find(const crowd *c, lane_i slot, lane_i f, lane_i tree, lane_m lanes, lane_f x, lane_f y)
{
    const throng_navigation *w = &c->navigation;
    lane_f least = faces_walk(w, &f, lanes, x, y);
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
        lane_i other = lane_select_i(more, lane_gather_i(w->face_list, lane_select_i(more, i, lane_set_i(0))), f), by;
        lane_f distance = faces_distance(w, other, more, x, y, &by);
        lane_m nearer = more & (distance < least);
        least = lane_select(nearer, distance, least);
        f = lane_select_i(nearer, other, f);
    }
    return f;
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
