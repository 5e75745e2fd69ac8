/* Vectors of agents that stand close together, out of those that are sorted by cell.
 *
 * Where a crowd is sparse the agents of one vector stand in several rows of cells, or at several places of one, each of
 * which would be searched on its own, for a few lanes. Such agents wait, each with the others of its tile of cells,
 * until they are a vector. (A circle of 10,000, four to a row: 1.3 searches a vector in place of 3.3.) */
#ifndef THRONG_TOGETHER_H
#define THRONG_TOGETHER_H

#include "neighbours.h"

enum { TOGETHER_TILE = 16 /* cells wide and high */, TOGETHER_BITS = 8, TOGETHER_BINS = 1 << TOGETHER_BITS };

/* Those of a tile who wait, by sorted index. Tiles share bins; who finds those of another does not wait for more. */
typedef struct together_bin {
    int32_t column, row, sheet, waiting;
    int32_t who[2 * LANES];
} together_bin;

/* What is done with a vector: sorted indices, of which lanes that are not in repeat one; the first of them where the
 * others follow, or -1. */
typedef void together_done(const crowd *c, lane_i me, int32_t first, lane_m lanes);

typedef struct together {
    together_done *done;
    together_bin bin[TOGETHER_BINS];
} together;

LANE_FN void together_begin(together *t, together_done *done)
{
    t->done = done;
    for (int b = 0; b < TOGETHER_BINS; b++)
        t->bin[b].waiting = 0;
}

/* The first of those who wait, at most a vector. */
LANE_FN void together_take(const crowd *c, const together *t, together_bin *b)
{
    lane_m lanes = lane_iota(0) < b->waiting;
    t->done(c, lane_select_i(lanes, lane_load_i(b->who), lane_set_i(b->who[0])), -1, lanes);
    memcpy(b->who, b->who + LANES, LANES * sizeof *b->who);
    b->waiting = b->waiting > LANES ? b->waiting - LANES : 0;
}

/* Agents of one tile wait. */
LANE_FN void together_wait(const crowd *c, together *t, int32_t column, int32_t row, int32_t sheet, lane_i me,
                           lane_m lanes)
{
    uint32_t mixed = ((uint32_t)column * 31 + (uint32_t)row * 17 + (uint32_t)sheet) * 0x9E3779B9u;
    together_bin *b = &t->bin[mixed >> (32 - TOGETHER_BITS)];
    if (b->waiting && (b->column != column || b->row != row || b->sheet != sheet))
        together_take(c, t, b);
    b->column = column;
    b->row = row;
    b->sheet = sheet;
    b->waiting += lane_pack_i(b->who + b->waiting, me, lanes);
    if (b->waiting >= LANES)
        together_take(c, t, b);
}

/* The agents from sorted index `first` on. */
LANE_FN void together_add(const crowd *c, together *t, int32_t first, lane_m lanes)
{
    lane_i me = lane_select_i(lanes, lane_iota(first), lane_set_i(first)), slot = crowd_slots(c, first, lanes);
    lane_f x = lane_load(c->sx + first), y = lane_load(c->sy + first);
    sheets_lay_out(c, slot, &x, &y);
    lane_i column = crowd_column(c, x), row = crowd_row(c, y), sheet = sheets_sorted(c, first, lanes);
    lane_m close = neighbours_group(column, row, lanes) & (sheet == lane_first_i(sheet, lanes));
    if (!lane_any(lanes & lane_not(close))) {
        t->done(c, me, first, lanes);
        return;
    }
    column = column & -TOGETHER_TILE;
    row = row & -TOGETHER_TILE;
    while (lane_any(lanes)) {
        int32_t x0 = lane_first_i(column, lanes), y0 = lane_first_i(row, lanes), on = lane_first_i(sheet, lanes);
        lane_m tile = lanes & (column == x0) & (row == y0) & (sheet == on);
        together_wait(c, t, x0, y0, on, me, tile);
        lanes = lanes & lane_not(tile);
    }
}

/* All who still wait. */
LANE_FN void together_end(const crowd *c, together *t)
{
    for (int b = 0; b < TOGETHER_BINS; b++)
        if (t->bin[b].waiting)
            together_take(c, t, &t->bin[b]);
}

#endif
