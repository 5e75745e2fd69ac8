/* The potential of a goal from where it is known to where it is not, piece after piece.
 *
 * A piece is the unknown cells nearest to one beside a known cell, which the greatest known of the whole map is next
 * to. It is solved as a whole grid is (field_fronts.h), with 1 - p of the known cells around it given, divided by that
 * greatest. Where it ends at other unknown cells, its cut, these are taken for walls, so its q are too small.
 *
 * How much too small is q at a cell x? It lacks what random walks from x bring that cross the cut before they reach a
 * known cell. Each brings at most 1, as nothing beyond is above the greatest. Their share is G(x, c) / 4, summed over
 * the cells c beside the cut; G(x, c) counts the visits to c. G is symmetric, and q(c) >= q(x) G(c, x) / G(x, x), since
 * a walk from c may go by x. So q(x) lacks at most G(x, x) C / (4 q(x)), where C is the sum of q over the cells beside
 * the cut; G(x, x) grows with the logarithm of the piece's width and is below 8. Cells of q(x)^2 > 2^51 C are thus
 * known to 2^-50 of themselves, but for rounding: about half of the way to the cut. A piece in which they are few is
 * tried again, four times as large. */
#include "field_continue.h"

#include <math.h>
#include <stdlib.h>

#include "base/heap.h"
#include "base/watchdog.h"
#include "field_fronts.h"
#include "kernels/routing/field_directions.h"

enum { SMALLEST = 512, LEAST_PART = 8 /* of a piece's cells, one in so many, is to become known */ };
#define NEAR 1e-100 /* where the least that is known is below, a larger piece would not do better */

typedef struct continuation {
    const uint8_t *cells;
    int32_t columns, rows, threads;
    double *u;
    throng_heap seeds; /* cells beside known ones, that beside the greatest first */
    int32_t *piece;    /* [count] its cells, nearest first */
    int32_t *piece_of; /* [rows * columns] number of the last piece that a cell was in */
    int32_t count, number;
    int32_t x0, y0, columns_in, rows_in; /* the grid of the piece, with what is around it */
    uint8_t *grid;                       /* [rows_in * columns_in], and the following */
    double *given, *q;
} continuation;

static int32_t beside(const continuation *s, int32_t cell, int side)
{
    const field_grid g = {.columns = s->columns, .rows = s->rows};
    int32_t b = field_beside(&g, cell, side);
    return b >= 0 && s->cells[b] != FRONTS_WALL ? b : -1;
}

static bool is_known(const continuation *s, int32_t cell) { return s->u[cell] > -INFINITY; }

/* --- pieces -------------------------------------------------------------------------------------------- */

/* The greatest u beside a cell. */
static double greatest(const continuation *s, int32_t cell)
{
    double u = -INFINITY;
    for (int side = 0; side < FIELD_SIDES; side++) {
        int32_t b = beside(s, cell, side);
        if (b >= 0)
            u = fmax(u, s->u[b]);
    }
    return u;
}

/* Finds the piece of at most so many cells from a seed. */
static void find_piece(continuation *s, int32_t seed, int32_t most)
{
    int32_t x0 = s->columns, y0 = s->rows, x1 = 0, y1 = 0;
    s->number++;
    s->piece[0] = seed;
    s->piece_of[seed] = s->number;
    s->count = 1;
    for (int32_t i = 0; i < s->count; i++) {
        int32_t cell = s->piece[i], x = cell % s->columns, y = cell / s->columns;
        x0 = x < x0 ? x : x0;
        x1 = x > x1 ? x : x1;
        y0 = y < y0 ? y : y0;
        y1 = y > y1 ? y : y1;
        for (int side = 0; side < FIELD_SIDES && s->count < most; side++) {
            int32_t b = beside(s, cell, side);
            if (b < 0 || is_known(s, b) || s->piece_of[b] == s->number)
                continue;
            s->piece_of[b] = s->number;
            s->piece[s->count++] = b;
        }
    }
    s->x0 = x0 - 1;
    s->y0 = y0 - 1;
    s->columns_in = x1 - x0 + 3;
    s->rows_in = y1 - y0 + 3;
}

/* Where a cell lies in the grid of the piece. */
static int32_t place(const continuation *s, int32_t cell)
{
    return (cell / s->columns - s->y0) * s->columns_in + cell % s->columns - s->x0;
}

/* e^x, x from -900 to 0. */
static double exp_far(double x)
{
    double e = field_exp(x / 16);
    for (int i = 0; i < 4; i++)
        e *= e;
    return e;
}

/* The grid of the piece, and what is given around it, over e^level. */
static void fill_grid(continuation *s, double level)
{
    for (int32_t i = 0; i < s->count; i++) {
        s->grid[place(s, s->piece[i])] = FRONTS_FREE;
        for (int side = 0; side < FIELD_SIDES; side++) {
            int32_t b = beside(s, s->piece[i], side);
            if (b < 0 || !is_known(s, b))
                continue;
            s->grid[place(s, b)] = FRONTS_GOAL;
            s->given[place(s, b)] = exp_far(s->u[b] - level);
        }
    }
}

/* Above what a cell of the piece is known. */
static double least_known(const continuation *s)
{
    double sum = 0;
    for (int32_t i = 0; i < s->count; i++)
        for (int side = 0; side < FIELD_SIDES; side++) {
            int32_t b = beside(s, s->piece[i], side);
            if (b >= 0 && !is_known(s, b) && s->piece_of[b] != s->number)
                sum += s->q[place(s, s->piece[i])] + 1e-300;
        }
    return fmax(sqrt(sum * 0x1p51), exp_far(FIELD_LOWEST));
}

static bool push_seeds(continuation *s, int32_t cell)
{
    for (int side = 0; side < FIELD_SIDES; side++) {
        int32_t b = beside(s, cell, side);
        if (b >= 0 && !is_known(s, b) && !throng_heap_push(&s->seeds, -s->u[cell], b))
            return false;
    }
    return true;
}

/* Writes u of what is known now; false when that is little, as the cut is too near. */
static bool take(continuation *s, double level)
{
    double least = least_known(s);
    int32_t known = 0;
    for (int32_t i = 0; i < s->count; i++)
        known += s->q[place(s, s->piece[i])] >= least;
    if (known < s->count / LEAST_PART && least > NEAR)
        return false;
    for (int32_t i = 0; i < s->count; i++) {
        double q = s->q[place(s, s->piece[i])];
        if (q >= least)
            s->u[s->piece[i]] = level + field_level(q);
    }
    return true;
}

/* --- all of it ---------------------------------------------------------------------------------------- */

static bool make_grid(continuation *s)
{
    size_t n = (size_t)s->columns_in * (size_t)s->rows_in;
    return (s->grid = calloc(n, 1)) && (s->given = malloc(n * sizeof *s->given)) && (s->q = malloc(n * sizeof *s->q));
}

static void free_grid(continuation *s)
{
    free(s->grid);
    free(s->given);
    free(s->q);
    s->grid = NULL;
    s->given = s->q = NULL;
}

/* Tries a piece of at most so many cells; `enough`: some are known now. As throng_field_continue. */
static bool try_piece(continuation *s, int32_t seed, int32_t most, bool *enough, bool *solved)
{
    double level = greatest(s, seed);
    find_piece(s, seed, most);
    bool ok = make_grid(s);
    if (ok) {
        fill_grid(s, level);
        ok = throng_field_dissect(s->grid, s->columns_in, s->rows_in, s->given, INT64_MAX, s->threads, s->q, solved);
    }
    *enough = ok && *solved && take(s, level);
    for (int32_t i = 0; *enough && ok && i < s->count; i++)
        ok = !is_known(s, s->piece[i]) || push_seeds(s, s->piece[i]);
    free_grid(s);
    return ok;
}

/* Pieces from all seeds, each of about the size that the last one took. */
static bool solve_pieces(continuation *s, int32_t largest, bool *solved)
{
    int32_t most = SMALLEST;
    while (*solved && s->seeds.count) {
        int32_t seed = throng_heap_pop(&s->seeds);
        for (bool enough = is_known(s, seed); *solved && !enough;) {
            most = most < largest ? most : largest;
            if (!try_piece(s, seed, most, &enough, solved))
                return false;
            *solved = *solved && (enough || most < largest);
            most = !enough ? 4 * most : most > SMALLEST ? most / 2 : SMALLEST;
        }
    }
    return true;
}

bool throng_field_continue(const uint8_t *cells, int32_t columns, int32_t rows, int32_t threads, double *u,
                           int32_t largest, bool *solved)
{
    continuation s = {.cells = cells, .columns = columns, .rows = rows, .threads = threads, .u = u};
    size_t n = (size_t)columns * (size_t)rows;
    bool ok = (s.piece = malloc(n * sizeof *s.piece)) && (s.piece_of = calloc(n, sizeof *s.piece_of));
    for (int32_t c = 0; ok && c < columns * rows; c++)
        ok = !(throng_given_up_at(c) || (is_known(&s, c) && !push_seeds(&s, c)));
    *solved = true;
    ok = ok && solve_pieces(&s, largest, solved);
    free(s.seeds.entries);
    free(s.piece);
    free(s.piece_of);
    return ok;
}
