/* The potential of a goal on a grid of cells by nested dissection: the geometry of it, and what each entry is.
 *
 * Lines of cells halve the grid, again and again, until blocks of at most 4 x 4 cells are left. A block's front is the
 * matrix of its own cells (those of the line that halves it; all of them in the smallest blocks), of the cells around
 * it that touch it across a side, its ring, and, last, of the goal. From the smallest blocks up a block's own cells are
 * eliminated from its front, and what is left, the matrix of the ring, is added to the front of the block it is half of
 * (the multifrontal method; George, 1973, Duff and Reid, 1983). From the largest down each own cell then follows from
 * those around.
 *
 * A cell's equation is 4 q - (sum of q of its neighbours) = 0, q = 1 - p: walls have 0, the goal 1. Entries beside the
 * diagonal stay below zero, and no diagonal falls near it, as walls take from every room: nothing is ever cancelled, so
 * that q is as precise, relative to itself, where it is e^-300 as beside the goal. Only below 1e-308 is there an end.
 *
 * Where a front's entries lie follows from counts along rows and columns of cells, so that no front has to be known to
 * make another, and every one of a level can be made at once. Whoever does it, an entry is what the first half left,
 * then the second, then what the equations have, less own cell after own cell; and an own cell the sum over the ring,
 * in FRONTS_PARTS parts that are added by halves, then over the own cells behind it, the last first: the same bits
 * everywhere. */
#ifndef THRONG_KERNEL_FRONTS_H
#define THRONG_KERNEL_FRONTS_H

#include <stdbool.h>
#include <stdint.h>

#include "kernels/contract/point.h"

enum {
    FRONTS_SIDE_MAX = 32767,       /* cells: a cell is row << 16 | column */
    FRONTS_LEAF = 4,               /* cells: the most on a side of the smallest blocks */
    FRONTS_PARTS = 32,             /* sums over a ring are of so many parts */
    FRONTS_ENTRIES_MAX = 384 << 20 /* 8 bytes each: about what an open hall of 2,300 x 2,300 has */
};

enum fronts_cell { FRONTS_WALL, FRONTS_FREE, FRONTS_GOAL }; /* as enum throng_field_cell */

/* The sides of a block, in the order in which its ring lies in the front. */
enum { FRONTS_TOP, FRONTS_BOTTOM, FRONTS_LEFT, FRONTS_RIGHT, FRONTS_SIDES };

/* Counts before a place: [rows + 1][columns + 1] along rows, [columns + 1][rows + 1] along columns. */
typedef struct fronts {
    int32_t columns, rows;
    int32_t halvings_x, halvings_y;
    const uint8_t *cells;            /* [rows * columns] */
    const uint16_t *free_x, *free_y; /* free cells of a row, a column */
    const uint16_t *edge_x, *edge_y; /* free cells of a row (column) with a free one before them in the last */
} fronts;

typedef struct front {
    int32_t x0, y0, x1, y1;         /* the block's cells: x0 <= x < x1 */
    int32_t line;                   /* that halves it: a column, or a row */
    bool leaf, upright;             /* upright: a column */
    int32_t own;                    /* cells that are eliminated */
    int32_t side[FRONTS_SIDES + 1]; /* where the sides begin in the ring, and its end, where the goal is */
    int32_t size;                   /* own, ring and goal */
} front;

/* A cell of a front, or the goal. */
typedef struct front_place {
    int32_t index, cell;
    int32_t a, b; /* its place in the rings of the block's halves, -1: none */
} front_place;

/* --- levels ---------------------------------------------------------------------------------------------- */

THRONG_SHARED_FN int32_t fronts_halvings(int32_t cells)
{
    int32_t halvings = 0;
    while ((cells + 1) >> halvings > FRONTS_LEAF)
        halvings++;
    return halvings;
}

/* How often the blocks of a level, 0 the whole grid, have been halved along x; along y: the rest of `depth`. */
THRONG_SHARED_FN int32_t fronts_halved_x(const fronts *g, int32_t depth)
{
    int32_t x = 0, y = 0;
    while (x + y < depth)
        if (y == g->halvings_y || (x < g->halvings_x && (g->columns + 1) >> x >= (g->rows + 1) >> y))
            x++;
        else
            y++;
    return x;
}

THRONG_SHARED_FN int32_t fronts_depth(const fronts *g) { return g->halvings_x + g->halvings_y; }

/* --- fronts ---------------------------------------------------------------------------------------------- */

/* The line between parts i - 1 and i of 1 << halvings. */
THRONG_SHARED_FN int32_t fronts_line(int32_t cells, int32_t halvings, int32_t i)
{
    return (int32_t)(((int64_t)i * (cells + 1)) >> halvings) - 1;
}

/* The counts along a side, and from where. */
THRONG_SHARED_FN const uint16_t *front_side(const fronts *g, const front *f, int32_t side, int32_t *from, int32_t *to)
{
    bool along_x = side == FRONTS_TOP || side == FRONTS_BOTTOM;
    *from = along_x ? f->x0 : f->y0;
    *to = along_x ? f->x1 : f->y1;
    if (along_x)
        return g->edge_x + (int64_t)(side == FRONTS_TOP ? f->y0 : f->y1) * (g->columns + 1);
    return g->edge_y + (int64_t)(side == FRONTS_LEFT ? f->x0 : f->x1) * (g->rows + 1);
}

/* The counts of free cells along the line. */
THRONG_SHARED_FN const uint16_t *front_line(const fronts *g, const front *f)
{
    return f->upright ? g->free_y + (int64_t)f->line * (g->rows + 1) : g->free_x + (int64_t)f->line * (g->columns + 1);
}

/* Free cells of the block in row y, left of x. */
THRONG_SHARED_FN int32_t front_in_row(const fronts *g, const front *f, int32_t x, int32_t y)
{
    const uint16_t *count = g->free_x + (int64_t)y * (g->columns + 1);
    return count[x] - count[f->x0];
}

/* The front of a block of a level. */
THRONG_SHARED_FN front front_of(const fronts *g, int32_t depth, int32_t block)
{
    front f = {0};
    int32_t x = fronts_halved_x(g, depth), y = depth - x;
    int32_t i = block & ((1 << x) - 1), j = block >> x;
    f.x0 = fronts_line(g->columns, x, i) + 1;
    f.x1 = fronts_line(g->columns, x, i + 1);
    f.y0 = fronts_line(g->rows, y, j) + 1;
    f.y1 = fronts_line(g->rows, y, j + 1);
    f.leaf = depth == fronts_depth(g);
    f.upright = fronts_halved_x(g, depth + 1) > x;
    f.line = f.upright ? fronts_line(g->columns, x + 1, 2 * i + 1) : fronts_line(g->rows, y + 1, 2 * j + 1);
    f.own = 0;
    if (f.leaf)
        for (int32_t row = f.y0; row < f.y1; row++)
            f.own += front_in_row(g, &f, f.x1, row);
    else
        f.own = front_line(g, &f)[f.upright ? f.y1 : f.x1] - front_line(g, &f)[f.upright ? f.y0 : f.x0];
    f.side[0] = 0;
    for (int32_t side = 0; side < FRONTS_SIDES; side++) {
        int32_t from, to;
        const uint16_t *count = front_side(g, &f, side, &from, &to);
        f.side[side + 1] = f.side[side] + count[to] - count[from];
    }
    f.size = f.own + f.side[FRONTS_SIDES] + 1;
    return f;
}

/* One half of a block, 0 or 1, in the next level. */
THRONG_SHARED_FN int32_t front_half(const fronts *g, int32_t depth, int32_t block, int32_t half)
{
    int32_t x = fronts_halved_x(g, depth), i = block & ((1 << x) - 1), j = block >> x;
    bool upright = fronts_halved_x(g, depth + 1) > x;
    return upright ? j << (x + 1) | (2 * i + half) : (2 * j + half) << x | i;
}

/* Where the cell across a side lies in the ring; -1: it does not. */
THRONG_SHARED_FN int32_t front_beside(const fronts *g, const front *f, int32_t side, int32_t at)
{
    int32_t from, to;
    const uint16_t *count = front_side(g, f, side, &from, &to);
    return at >= from && at < to && count[at + 1] > count[at] ? f->side[side] + count[at] - count[from] : -1;
}

/* --- places ---------------------------------------------------------------------------------------------- */

/* How many places front_place_at looks at; the goal's is the last. */
THRONG_SHARED_FN int32_t front_places(const front *f)
{
    int32_t w = f->x1 - f->x0, h = f->y1 - f->y0;
    return 2 * w + 2 * h + (f->leaf ? w * h : f->upright ? h : w) + 1;
}

THRONG_SHARED_FN bool front_ring_place(const fronts *g, const front *f, const front *a, const front *b, int32_t side,
                                       int32_t at, front_place *p)
{
    p->index = front_beside(g, f, side, at);
    if (p->index < 0)
        return false;
    p->index += f->own;
    bool along_x = side == FRONTS_TOP || side == FRONTS_BOTTOM;
    int32_t x = along_x ? at : side == FRONTS_LEFT ? f->x0 - 1 : f->x1;
    int32_t y = !along_x ? at : side == FRONTS_TOP ? f->y0 - 1 : f->y1;
    p->cell = y << 16 | x;
    p->a = p->b = -1;
    if (f->leaf)
        return true;
    p->a = side == (f->upright ? FRONTS_RIGHT : FRONTS_BOTTOM) ? -1 : front_beside(g, a, side, at);
    p->b = side == (f->upright ? FRONTS_LEFT : FRONTS_TOP) ? -1 : front_beside(g, b, side, at);
    return true;
}

THRONG_SHARED_FN bool front_own_place(const fronts *g, const front *f, const front *a, const front *b, int32_t at,
                                      front_place *p)
{
    if (f->leaf) {
        int32_t w = f->x1 - f->x0, x = f->x0 + at % w, y = f->y0 + at / w;
        if (g->cells[y * g->columns + x] != FRONTS_FREE)
            return false;
        p->index = front_in_row(g, f, x, y);
        for (int32_t row = f->y0; row < y; row++)
            p->index += front_in_row(g, f, f->x1, row);
        p->cell = y << 16 | x;
        p->a = p->b = -1;
        return true;
    }
    const uint16_t *count = front_line(g, f);
    int32_t from = f->upright ? f->y0 : f->x0;
    at += from;
    if (count[at + 1] == count[at])
        return false;
    p->index = count[at] - count[from];
    p->cell = f->upright ? at << 16 | f->line : f->line << 16 | at;
    p->a = front_beside(g, a, f->upright ? FRONTS_RIGHT : FRONTS_BOTTOM, at);
    p->b = front_beside(g, b, f->upright ? FRONTS_LEFT : FRONTS_TOP, at);
    return true;
}

/* False: there is no free cell at `place`. `a`, `b`: the fronts of the halves, of no meaning for leaves. */
THRONG_SHARED_FN bool front_place_at(const fronts *g, const front *f, const front *a, const front *b, int32_t place,
                                     front_place *p)
{
    int32_t w = f->x1 - f->x0, h = f->y1 - f->y0;
    for (int32_t side = 0; side < FRONTS_SIDES; side++) {
        bool along_x = side == FRONTS_TOP || side == FRONTS_BOTTOM;
        int32_t length = along_x ? w : h;
        if (place < length)
            return front_ring_place(g, f, a, b, side, place + (along_x ? f->x0 : f->y0), p);
        place -= length;
    }
    if (place < (f->leaf ? w * h : f->upright ? h : w))
        return front_own_place(g, f, a, b, place, p);
    p->index = f->size - 1;
    p->cell = -1;
    p->a = f->leaf ? -1 : a->side[FRONTS_SIDES];
    p->b = f->leaf ? -1 : b->side[FRONTS_SIDES];
    return true;
}

/* --- entries --------------------------------------------------------------------------------------------- */

/* Between two cells. */
THRONG_SHARED_FN double front_entry_of(int32_t cell, int32_t other)
{
    int32_t apart = cell < other ? other - cell : cell - other;
    return apart == 0 ? 4 : apart == 1 || apart == 1 << 16 ? -1 : 0;
}

/* What the equations themselves have between an own cell and a cell of the front that is not before it; to that comes
 * what the first half left between the two, before it, and what the second left, after that. */
THRONG_SHARED_FN double front_entry(const fronts *g, int32_t cell, int32_t other)
{
    if (other >= 0)
        return front_entry_of(cell, other);
    int32_t x = cell & 0xffff, y = cell >> 16, goals = 0;
    const uint8_t *at = g->cells + y * g->columns + x;
    goals += x > 0 && at[-1] == FRONTS_GOAL;
    goals += x + 1 < g->columns && at[1] == FRONTS_GOAL;
    goals += y > 0 && at[-g->columns] == FRONTS_GOAL;
    goals += y + 1 < g->rows && at[g->columns] == FRONTS_GOAL;
    return -goals;
}

#endif
