/* Sense on vectors: the lists of neighbours.h (their reference), found faster.
 *
 * What the first guess reaches is known beforehand, so all candidates are looked at
 * in one pass: those in the box around what all lanes reach (of 103 in its cells 78
 * at 1/m^2, of 46 on a circle of 10,000 23). A candidate is one positive float: its
 * squared distance as a fixed-point number of 21 bits, in units of the lane's bound,
 * above its number in the pass, 10 bits. Such keys are kept sorted by minima and maxima
 * alone, in registers, without masks, branches or payload. Two in a list with the same
 * 21 bits (about one agent in 10,000, and lattices) are put in order afterwards; where
 * there are more, or a pass has too many candidates, neighbours.h decides.
 *
 * Measured (100,000 agents at 1/m^2, 10 neighbours, one thread, the whole stage):
 * 0.063 us an agent with 8 lanes, 0.049 with 16, an eighth more where candidates are
 * put in one by one; neighbours.h takes 0.17 and 0.14. That was with all in the cells;
 * the box saves a twentieth and a fifth.
 * Skipping candidates that no lane has room for costs a third more (branches are
 * mispredicted); cells of 0.2, 0.3, 0.4 and 0.5 of the sight take 9.4, 7.0, 6.1 and
 * 5.4 ms with 16 lanes. */
#ifndef THRONG_NEIGHBOURS_PACKED_H
#define THRONG_NEIGHBOURS_PACKED_H

#include "neighbours.h"

enum { PACKED_CANDIDATES = 1024 };

#define PACKED_SCALE 2e9f /* below the bits of FLT_MAX, so that every key is a finite float */
#define PACKED_NONE  3.4028234663852886e38f

/* A pass: who the candidates were, and what each lane looks for. */
typedef struct packed_pass {
    lane_i me;     /* sorted index */
    int32_t first; /* that of the first lane, where the others' follow; or -1 */
    lane_f x, y, bound, scale;
    int32_t count;
    int32_t who[PACKED_CANDIDATES + LANES];
} packed_pass;

/* The key of candidate `t` of the pass. */
LANE_FN lane_f packed_key(const crowd *c, const packed_pass *p, int32_t t)
{
    int32_t j = p->who[t];
    lane_f dx = c->sx[j] - p->x, dy = c->sy[j] - p->y;
    crowd_nearest_image(c, &dx, &dy);
    lane_f distance = dx * dx + dy * dy;
    lane_m near = (distance < p->bound) & (p->me != j);
    lane_i bits = (lane_truncate(distance * p->scale) & -PACKED_CANDIDATES) | t;
    return lane_select(near, (lane_f)bits, lane_set(PACKED_NONE));
}

LANE_FN void packed_order(lane_f *a, lane_f *b)
{
    lane_f least = lane_min(*a, *b);
    *b = lane_max(*a, *b);
    *a = least;
}

/* Sorts eight: 19 comparisons (Knuth, The Art of Computer Programming 3, 5.3.4). */
LANE_FN void packed_sort(lane_f *a)
{
    static const unsigned char pair[19][2] = {{0, 2}, {1, 3}, {4, 6}, {5, 7}, {0, 4}, {1, 5}, {2, 6},
                                              {3, 7}, {0, 1}, {2, 3}, {4, 5}, {6, 7}, {2, 4}, {3, 5},
                                              {1, 4}, {3, 6}, {1, 2}, {3, 4}, {5, 6}};
#pragma GCC unroll 19
    for (int i = 0; i < 19; i++)
        packed_order(&a[pair[i][0]], &a[pair[i][1]]);
}

/* A step of Batcher's merge of `width` keys, the first of which are not there: they are less than all others. */
LANE_FN void packed_halve(int n, lane_f *key, int width, int step)
{
#pragma GCC unroll 32
    for (int i = 0; i < n; i++)
        if (!((i + width - n) & step) && i + step < n)
            packed_order(&key[i], &key[i + step]);
}

/* The `n` least of the n sorted keys and eight more that are sorted: the lesser of the first and the last, of the
 * second and the last but one, ... which rise and then fall, and are sorted by K. Batcher's merge. */
LANE_FN void packed_merge(int n, lane_f *key, const lane_f *more)
{
#pragma GCC unroll 8
    for (int i = 0; i < 8; i++)
        if (i < n)
            key[n - 1 - i] = lane_min(key[n - 1 - i], more[i]);
    if (n > 16)
        packed_halve(n, key, 32, 16);
    int width = n > 16 ? 32 : 16;
    packed_halve(n, key, width, 8);
    packed_halve(n, key, width, 4);
    packed_halve(n, key, width, 2);
    packed_halve(n, key, width, 1);
}

/* All candidates of the pass into the `n` keys: eight at a time, which takes half as many minima and maxima as one by
 * one. */
LANE_FN void packed_scan(const crowd *c, const packed_pass *p, int n, lane_f *key)
{
    int32_t t = 0;
    for (; t + 8 <= p->count; t += 8) {
        lane_f more[8];
#pragma GCC unroll 8
        for (int g = 0; g < 8; g++)
            more[g] = packed_key(c, p, t + g);
        packed_sort(more);
        packed_merge(n, key, more);
    }
    for (; t < p->count; t++) {
        lane_f candidate = packed_key(c, p, t);
#pragma GCC unroll 17
        for (int s = n - 1; s > 0; s--)
            key[s] = lane_min(key[s], lane_max(key[s - 1], candidate));
        key[0] = lane_min(key[0], candidate);
    }
}

/* What lies within `reach` of the lanes, and what rounding can misplace. m */
typedef struct packed_box {
    float x0, x1, y0, y1;
} packed_box;

LANE_FN packed_box packed_around(const crowd *c, lane_f x, lane_f y, lane_f reach, lane_m lanes)
{
    reach = reach + 1e-6f * (reach + lane_abs(x) + lane_abs(y) + c->extent);
    packed_box b;
    b.x0 = -lane_greatest(reach - x, lanes, -1e30f);
    b.x1 = lane_greatest(x + reach, lanes, b.x0);
    b.y0 = -lane_greatest(reach - y, lanes, -1e30f);
    b.y1 = lane_greatest(y + reach, lanes, b.y0);
    return b;
}

/* Its cells on a sheet. */
LANE_FN cell_block packed_block(const crowd *c, packed_box b, int32_t sheet)
{
    lane_m any = lane_not(lane_none());
    float off_x = sheets_off_x(c, sheet), off_y = sheets_off_y(c, sheet);
    cell_block block = {lane_first_i(crowd_column(c, lane_set(b.x0 + off_x)), any),
                        lane_first_i(crowd_column(c, lane_set(b.x1 + off_x)), any),
                        lane_first_i(crowd_row(c, lane_set(b.y0 + off_y)), any),
                        lane_first_i(crowd_row(c, lane_set(b.y1 + off_y)), any)};
    return block;
}

/* Those of the sorted agents [from, to) on a sheet that are in a box join the pass. False when there are too many. */
LANE_FN bool packed_join(const crowd *c, packed_pass *p, int32_t sheet, packed_box b, int32_t from, int32_t to)
{
    int32_t count = p->count;
    for (int32_t j = from; j < to && count <= PACKED_CANDIDATES; j += LANES) {
        lane_f x = lane_load(c->sx + j), y = lane_load(c->sy + j);
        lane_m in = (lane_iota(j) < to) & (x >= b.x0) & (x <= b.x1) & (y >= b.y0) & (y <= b.y1);
        if (sheet >= 0)
            in = in & (lane_load_i(c->sheet + j) == sheet);
        count += lane_pack_i(p->who + count, lane_iota(j), in);
    }
    p->count = count;
    return count <= PACKED_CANDIDATES;
}

/* All candidates on a sheet within `reach` of the lanes join the pass. False when there are too many. */
LANE_FN bool packed_collect(const crowd *c, packed_pass *p, int32_t sheet, lane_f reach, lane_m lanes)
{
    packed_box box = packed_around(c, p->x, p->y, reach, lanes);
    cell_block b = packed_block(c, box, sheet);
    int32_t width = block_width(c, b), height = block_all_rows(c, b) ? c->frame.grid_height : b.y1 - b.y0 + 1;
    if (c->frame.wrap_x > 0) /* who is near may be on the other side */
        box = (packed_box){-1e30f, 1e30f, -1e30f, 1e30f};
    for (int32_t y = b.y0; y < b.y0 + height; y++) {
        cell_runs runs = neighbours_runs(c, b.x0, width, y);
        for (int r = 0; r < 2; r++)
            if (!packed_join(c, p, sheet, box, runs.from[r], runs.to[r]))
                return false;
    }
    return true;
}

/* All candidates for lanes on a sheet: on it, and on those joined to it. */
LANE_FN bool packed_collect_all(const crowd *c, packed_pass *p, int32_t sheet, lane_f reach, lane_m lanes)
{
    p->count = 0;
    lane_m near = lanes;
    for (int32_t n = 0, at; (at = sheets_looked_at(c, sheet, n)) != SHEETS_NONE; n++) {
        if (n > 0)
            near = lanes & (sheets_distance(c, at, p->x, p->y) <= reach * reach);
        if (lane_any(near) && !packed_collect(c, p, at, reach, near))
            return false;
    }
    return true;
}

LANE_FN lane_f packed_distance(const crowd *c, const packed_pass *p, lane_i j)
{
    lane_f dx = lane_gather(c->sx, j) - p->x, dy = lane_gather(c->sy, j) - p->y;
    crowd_nearest_image(c, &dx, &dy);
    return dx * dx + dy * dy;
}

/* Whose key it is: sorted indices. */
LANE_FN lane_i packed_who(const packed_pass *p, lane_f key, lane_m there)
{
    return lane_gather_i(p->who, lane_select_i(there, (lane_i)key & (PACKED_CANDIDATES - 1), lane_set_i(0)));
}

/* Puts those in order whose keys have the same 21 bits, two each; the lanes in which the order of the first k, or who
 * they are, hangs on more. */
LANE_FN lane_m packed_settle(const crowd *c, const packed_pass *p, int k, lane_f *key)
{
    lane_m left = lane_none(), before = lane_none();
    for (int s = 0; s < k; s++) {
        lane_m same = (((lane_i)key[s] ^ (lane_i)key[s + 1]) < PACKED_CANDIDATES) & (key[s] < PACKED_NONE);
        left = left | (s == k - 1 ? same : same & before);
        before = same;
        if (s == k - 1 || !lane_any(same))
            continue;
        lane_i a = packed_who(p, key[s], same), b = packed_who(p, key[s + 1], same);
        lane_f da = packed_distance(c, p, a), db = packed_distance(c, p, b);
        lane_m swap = same & nearest_before(db, lane_gather_i(c->slot, b), da, lane_gather_i(c->slot, a));
        lane_f first = lane_select(swap, key[s + 1], key[s]);
        key[s + 1] = lane_select(swap, key[s], key[s + 1]);
        key[s] = first;
    }
    return left;
}

LANE_FN void packed_store_i(int32_t *p, const packed_pass *pass, lane_i a, lane_m lanes)
{
    if (pass->first >= 0)
        lane_store_i(p + pass->first, a, lanes);
    else
        lane_scatter_i(p, pass->me, a, lanes);
}

/* As neighbours_write; also where the next frame's guess starts. */
LANE_FN lane_f packed_write(const crowd *c, const packed_pass *p, int k, lane_m lanes, const lane_f *key, lane_i limit,
                            lane_f sight)
{
    lane_i count = lane_set_i(0), last = lane_set_i(0), farthest = lane_set_i(0);
    for (int s = 0; s < k; s++) {
        lane_m there = lanes & (key[s] < PACKED_NONE), in = there & (limit > s);
        farthest = packed_who(p, key[s], there);
        packed_store_i(c->seen + (int64_t)s * c->stride, p, lane_select_i(in, farthest, lane_set_i(-1)), lanes);
        count = count + lane_select_i(in, lane_set_i(1), lane_set_i(0));
        last = lane_select_i(in, farthest, last);
    }
    packed_store_i(c->seen_count, p, count, lanes);
    lane_f complete = lane_select((count == limit) | (count == k), packed_distance(c, p, last), sight * sight);
    packed_store_i((int32_t *)(void *)c->seen_reach, p, lane_as_i(lane_select(limit > 0, complete, lane_set(0))),
                   lanes);
    return lane_select(key[k - 1] < PACKED_NONE, lane_sqrt(packed_distance(c, p, farthest)), sight);
}

/* As neighbours_sense, of lanes that stand close together on a sheet; with lists of n - 1 >= k, and `first` as in a
 * pass. */
LANE_FN void packed_sense(const crowd *c, int k, int n, lane_i me, int32_t first, lane_m lanes)
{
    packed_pass p; /* not cleared: it is large */
    p.me = me;
    p.first = first;
    p.x = lane_gather(c->sx, me);
    p.y = lane_gather(c->sy, me);
    lane_i slot = lane_gather_i(c->slot, me);
    lane_f sight = lane_gather(c->sight, slot);
    lane_f reach = lane_min(lane_gather(c->reach, slot) + 2 * c->largest_step, sight);
    p.bound = lane_select(lanes, reach * reach, lane_set(0));
    p.scale = PACKED_SCALE / p.bound;
    lane_m left = lanes;
    if (packed_collect_all(c, &p, c->sheet[lane_first_i(me, lanes)], reach, lanes)) {
        lane_f key[THRONG_NEIGHBOURS_MAX + 1];
        for (int s = 0; s < n; s++)
            key[s] = lane_set(PACKED_NONE);
        packed_scan(c, &p, n, key);
        left = lanes & (packed_settle(c, &p, k, key) | ((key[k - 1] == PACKED_NONE) & (reach < sight)));
        lanes = lanes & lane_not(left);
        lane_f farthest = packed_write(c, &p, k, lanes, key, lane_gather_i(c->neighbours, slot), sight);
        lane_scatter(c->reach, slot, farthest, lanes);
    }
    if (lane_any(left))
        neighbours_sense(c, k, me, left);
}

#endif
