/* Sense: the exact k nearest neighbours within sight, and the wall segments
 * within reach; ties by slot. Nothing here depends on the grid: it only bounds
 * what is looked at.
 *
 * Agents are sorted by cell, so a vector of agents stands in a few neighbouring
 * cells of one row: the block of cells around all of them is searched once for
 * the whole vector, candidate by candidate, each compared with every lane at a
 * time. Rings are added until no lane can have a nearer neighbour outside. A
 * first guess of the distance to the k-th neighbour (that of the last frame and
 * what everybody can have moved since) keeps most candidates out of the sorted
 * lists; a guess that proves too small is dropped and the search repeated, so
 * the result is exact whatever the guess. */
#ifndef THRONG_NEIGHBOURS_H
#define THRONG_NEIGHBOURS_H

#include "kernels/sheets.h"

/* The k best so far of every lane: squared distance, slot; -1: free. */
typedef struct nearest_list {
    lane_f distance[THRONG_NEIGHBOURS_MAX];
    lane_i slot[THRONG_NEIGHBOURS_MAX];
} nearest_list;

LANE_FN void nearest_init(nearest_list *list, int k, lane_f bound)
{
    LANE_UNROLL
    for (int s = 0; s < k; s++) {
        list->distance[s] = bound;
        list->slot[s] = lane_set_i(-1);
    }
}

LANE_FN void nearest_clear(nearest_list *list, int k, lane_f bound, lane_m lanes)
{
    LANE_UNROLL
    for (int s = 0; s < k; s++) {
        list->distance[s] = lane_select(lanes, bound, list->distance[s]);
        list->slot[s] = lane_select_i(lanes, lane_set_i(-1), list->slot[s]);
    }
}

/* (distance, slot) of a before b? A free entry has slot -1, so what lies at the
 * bound itself stays out. */
LANE_FN lane_m nearest_before(lane_f da, lane_i sa, lane_f db, lane_i sb)
{
    return (da < db) | ((da == db) & (sa < sb));
}

LANE_FN void nearest_insert(nearest_list *list, int k, lane_f distance, lane_i slot, lane_m lanes)
{
    lane_m before = lanes & nearest_before(distance, slot, list->distance[k - 1], list->slot[k - 1]);
    LANE_UNROLL
    for (int s = k - 1; s > 0; s--) {
        if (!lane_any(before))
            return;
        lane_m further = before & nearest_before(distance, slot, list->distance[s - 1], list->slot[s - 1]);
        lane_f d = lane_select(further, list->distance[s - 1], distance);
        lane_i i = lane_select_i(further, list->slot[s - 1], slot);
        list->distance[s] = lane_select(before, d, list->distance[s]);
        list->slot[s] = lane_select_i(before, i, list->slot[s]);
        before = further;
    }
    list->distance[0] = lane_select(before, distance, list->distance[0]);
    list->slot[0] = lane_select_i(before, slot, list->slot[0]);
}

/* What is looked for: whose positions (m), and on which sheet. */
typedef struct neighbours_wanted {
    lane_i me;
    lane_f x, y;
    int32_t sheet;
} neighbours_wanted;

/* One run of candidates, [from, to) in sorted order. */
LANE_FN void neighbours_scan(const crowd *c, int32_t from, int32_t to, int k, const neighbours_wanted *w, lane_m lanes,
                             nearest_list *list)
{
    lane_i me = w->me;
    lane_f x = w->x, y = w->y;
    for (int32_t j = from; j < to; j++) {
        if (!sheets_hold(c, j, w->sheet))
            continue;
        lane_f dx = c->sx[j] - x, dy = c->sy[j] - y;
        crowd_nearest_image(c, &dx, &dy);
        lane_f distance = dx * dx + dy * dy;
        lane_m near = lanes & (distance <= list->distance[k - 1]) & (me != j);
        if (lane_any(near))
            nearest_insert(list, k, distance, lane_set_i(c->slot[j]), near);
    }
}

/* The agents of some cells: two runs of sorted indices, [from, to) each. */
typedef struct cell_runs {
    int32_t from[2], to[2];
} cell_runs;

/* Those of the cells [x0, x0 + width) of row y, which wrap. */
LANE_FN cell_runs neighbours_runs(const crowd *c, int32_t x0, int32_t width, int32_t y)
{
    int32_t row = (y & (c->frame.grid_height - 1)) * c->frame.grid_width;
    int32_t first = x0 & (c->frame.grid_width - 1), until = first + width;
    int32_t wrapped = until > c->frame.grid_width ? until - c->frame.grid_width : 0;
    cell_runs runs = {{c->cell_start[row + first], c->cell_start[row]},
                      {c->cell_start[row + until - wrapped], c->cell_start[row + wrapped]}};
    return runs;
}

/* The candidates in those cells. */
LANE_FN void neighbours_row(const crowd *c, int32_t x0, int32_t width, int32_t y, int k, const neighbours_wanted *w,
                            lane_m lanes, nearest_list *list)
{
    cell_runs runs = neighbours_runs(c, x0, width, y);
    neighbours_scan(c, runs.from[0], runs.to[0], k, w, lanes, list);
    neighbours_scan(c, runs.from[1], runs.to[1], k, w, lanes, list);
}

/* What a search has covered so far: cells [x0, x1] x [y0, y1]. */
typedef struct cell_block {
    int32_t x0, x1, y0, y1;
} cell_block;

LANE_FN bool block_all_columns(const crowd *c, cell_block b) { return b.x1 - b.x0 + 1 >= c->frame.grid_width; }
LANE_FN bool block_all_rows(const crowd *c, cell_block b) { return b.y1 - b.y0 + 1 >= c->frame.grid_height; }
LANE_FN int32_t block_width(const crowd *c, cell_block b)
{
    return block_all_columns(c, b) ? c->frame.grid_width : b.x1 - b.x0 + 1;
}

/* Squared distance within which every lane has seen everybody, less what
 * rounding can have misplaced. */
LANE_FN lane_f block_cover(const crowd *c, cell_block b, lane_f x, lane_f y)
{
    lane_f cover = lane_set(3e18f);
    if (!block_all_columns(c, b))
        cover = lane_min(x - (float)b.x0 * c->frame.cell_x, (float)(b.x1 + 1) * c->frame.cell_x - x);
    if (!block_all_rows(c, b))
        cover = lane_min(cover, lane_min(y - (float)b.y0 * c->frame.cell_y, (float)(b.y1 + 1) * c->frame.cell_y - y));
    cover = cover - 1e-6f * (lane_abs(x) + lane_abs(y) + c->extent);
    cover = lane_max(cover, lane_set(0));
    return cover * cover;
}

/* The next ring of cells around the block. */
LANE_FN cell_block neighbours_ring(const crowd *c, cell_block b, int k, const neighbours_wanted *w, lane_m lanes,
                                   nearest_list *list)
{
    cell_block old = b;
    if (!block_all_columns(c, b)) {
        b.x0--;
        b.x1 += block_all_columns(c, b) ? 0 : 1;
    }
    for (int32_t row = old.y0; row <= old.y1; row++) {
        if (b.x0 < old.x0)
            neighbours_row(c, b.x0, 1, row, k, w, lanes, list);
        if (b.x1 > old.x1)
            neighbours_row(c, b.x1, 1, row, k, w, lanes, list);
    }
    if (!block_all_rows(c, b))
        neighbours_row(c, b.x0, block_width(c, b), --b.y0, k, w, lanes, list);
    if (!block_all_rows(c, b))
        neighbours_row(c, b.x0, block_width(c, b), ++b.y1, k, w, lanes, list);
    return b;
}

/* Searches around lanes that stand in cells [x0, x1] of one row, at places (x, y) of the grid: the three rows around
 * them first, then ring by ring. The grid has at least four rows. */
LANE_FN void neighbours_search(const crowd *c, int32_t x0, int32_t x1, int32_t row, int k, const neighbours_wanted *w,
                               lane_f x, lane_f y, lane_m lanes, nearest_list *list)
{
    cell_block b = {x0 - 1, x1 + 1, row - 1, row + 1};
    neighbours_row(c, b.x0, block_width(c, b), row, k, w, lanes, list);
    neighbours_row(c, b.x0, block_width(c, b), row - 1, k, w, lanes, list);
    neighbours_row(c, b.x0, block_width(c, b), row + 1, k, w, lanes, list);
    for (;;) {
        lanes = lanes & (block_cover(c, b, x, y) <= list->distance[k - 1]);
        if (!lane_any(lanes) || (block_all_columns(c, b) && block_all_rows(c, b)))
            return;
        b = neighbours_ring(c, b, k, w, lanes, list);
    }
}

enum { NEIGHBOURS_GROUP_CELLS = 8 }; /* lanes farther apart than this are searched for in turn */

/* Those of `lanes` that stand close to the first of them, in cells of one row. */
LANE_FN lane_m neighbours_group(lane_i column, lane_i row, lane_m lanes)
{
    int32_t x0 = lane_first_i(column, lanes), y0 = lane_first_i(row, lanes);
    return lanes & (row == y0) & (column >= x0) & (column < x0 + NEIGHBOURS_GROUP_CELLS);
}

/* Searches a sheet for all lanes, group by group of those that stand close together. */
LANE_FN void neighbours_search_groups(const crowd *c, int k, const neighbours_wanted *w, lane_m lanes,
                                      nearest_list *list)
{
    lane_f x = w->x + sheets_off_x(c, w->sheet), y = w->y + sheets_off_y(c, w->sheet);
    lane_i column = crowd_column(c, x), row = crowd_row(c, y);
    while (lane_any(lanes)) {
        lane_m group = neighbours_group(column, row, lanes);
        neighbours_search(c, lane_first_i(column, group), lane_most_i(column, group), lane_first_i(row, group), k, w, x,
                          y, group, list);
        lanes = lanes & lane_not(group);
    }
}

/* Searches for all lanes: on their sheets, then on those joined to them. */
LANE_FN void neighbours_search_sheets(const crowd *c, int k, neighbours_wanted *w, lane_i slot, lane_m lanes,
                                      nearest_list *list)
{
    lane_i sheet = sheets_of(c, slot);
    while (lane_any(lanes)) {
        int32_t on = lane_first_i(sheet, lanes);
        lane_m together = lanes & (sheet == on), near = together;
        for (int32_t n = 0; (w->sheet = sheets_looked_at(c, on, n)) != SHEETS_NONE; n++) {
            if (n > 0)
                near = together & (sheets_distance(c, w->sheet, w->x, w->y) <= list->distance[k - 1]);
            neighbours_search_groups(c, k, w, near, list);
        }
        lanes = lanes & lane_not(together);
    }
}

/* Writes the lists: slots become sorted indices, each agent's own limit is kept. */
LANE_FN void neighbours_write(const crowd *c, int k, lane_i me, lane_m lanes, const nearest_list *list, lane_i limit,
                              lane_f sight)
{
    lane_i count = lane_set_i(0);
    lane_f complete = lane_select(limit > 0, sight * sight, lane_set(0));
    LANE_UNROLL
    for (int s = 0; s < k; s++) {
        lane_m in = lanes & (list->slot[s] >= 0) & (limit > s);
        lane_i found = lane_gather_i(c->rank, lane_select_i(in, list->slot[s], lane_set_i(0)));
        lane_scatter_i(c->seen + (int64_t)s * c->stride, me, lane_select_i(in, found, lane_set_i(-1)), lanes);
        count = count + lane_select_i(in, lane_set_i(1), lane_set_i(0));
        complete = lane_select(s == k - 1 ? in : in & (limit == s + 1), list->distance[s], complete);
    }
    lane_scatter_i(c->seen_count, me, count, lanes);
    lane_scatter(c->seen_reach, me, complete, lanes);
}

/* The lists of the agents at sorted indices `me`; of lanes that are not in, too, it is somebody's of this stage. */
LANE_FN void neighbours_sense(const crowd *c, int k, lane_i me, lane_m lanes)
{
    lane_i slot = lane_gather_i(c->slot, me);
    lane_f x = lane_gather(c->sx, me), y = lane_gather(c->sy, me);
    lane_f sight = lane_gather(c->sight, slot);
    lane_f guess = lane_min(lane_gather(c->reach, slot) + 2 * c->largest_step, sight);
    neighbours_wanted wanted = {me, x, y, -1};
    nearest_list list;
    nearest_init(&list, k, guess * guess);
    neighbours_search_sheets(c, k, &wanted, slot, lanes, &list);
    lane_m again = lanes & (list.slot[k - 1] == -1) & (guess < sight);
    if (lane_any(again)) {
        nearest_clear(&list, k, sight * sight, again);
        neighbours_search_sheets(c, k, &wanted, slot, again, &list);
    }
    neighbours_write(c, k, me, lanes, &list, lane_gather_i(c->neighbours, slot), sight);
    lane_f farthest = lane_select(list.slot[k - 1] >= 0, lane_sqrt(list.distance[k - 1]), sight);
    lane_scatter(c->reach, slot, farthest, lanes);
}

#endif
