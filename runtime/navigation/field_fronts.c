/* The potential of a goal by nested dissection, on the host: front after front, halves before the whole. */
#include "field_fronts.h"

#include <stdlib.h>
#include <string.h>

#include "base/watchdog.h"
#include "kernels/routing/field_directions.h"

enum { ROWS = 4, STRIP = 32 /* rows that are eliminated before others hear of them */, WIDE = 8, DEPTH_MAX = 32 };

/* Which clone is called is settled before ThreadSanitizer has begun, which would crash. The bits are the same. */
#ifdef __SANITIZE_THREAD__
#define CLONES
#else
#define CLONES __attribute__((target_clones("arch=x86-64-v4", "avx2", "default")))
#endif

/* Columns side by side. */
typedef double wide __attribute__((vector_size(8 * WIDE), aligned(8)));

/* What is kept of a front: its own rows. */
typedef struct kept {
    int32_t own, size, stride; /* stride: size in whole WIDEs */
    int64_t at;                /* of its rows in `rows`; in `cells` it is `listed` */
    int64_t listed;
} kept;

typedef struct solver {
    fronts g;
    uint16_t *counts[4];
    kept *kept; /* all fronts of level 0, 1, ... */
    double *rows;
    int32_t *cells;             /* of the fronts, packed */
    double *rest[DEPTH_MAX][2]; /* what a half leaves of its ring: [size - own] rows of that many in whole WIDEs */
    int32_t *from[2];           /* [size of the largest] where entries of a half's ring lie in the whole */
    const double *given;        /* q of the goal's cells; NULL: 1 */
    double *q;
} solver;

static int32_t whole_wides(int32_t n) { return (n + WIDE - 1) / WIDE * WIDE; }

/* --- counting ----------------------------------------------------------------------------------------- */

static bool is_free(const fronts *g, int32_t x, int32_t y)
{
    return x >= 0 && y >= 0 && g->cells[y * g->columns + x] == FRONTS_FREE;
}

static void count_cells(solver *s)
{
    fronts *g = &s->g;
    int32_t w = g->columns + 1, h = g->rows + 1;
    for (int32_t y = 0; y < h && !throng_given_up(); y++)
        for (int32_t x = 0; x < w; x++) {
            int64_t i = (int64_t)y * w + x;
            bool in = y < g->rows, left = x && in && is_free(g, x - 1, y), before = x && y && is_free(g, x - 1, y - 1);
            s->counts[0][i] = x ? (uint16_t)(s->counts[0][i - 1] + left) : 0;
            s->counts[2][i] = x ? (uint16_t)(s->counts[2][i - 1] + (left && before)) : 0;
        }
    for (int32_t x = 0; x < w && !throng_given_up(); x++)
        for (int32_t y = 0; y < h; y++) {
            int64_t i = (int64_t)x * h + y;
            bool in = x < g->columns, up = y && in && is_free(g, x, y - 1), before = x && y && is_free(g, x - 1, y - 1);
            s->counts[1][i] = y ? (uint16_t)(s->counts[1][i - 1] + up) : 0;
            s->counts[3][i] = y ? (uint16_t)(s->counts[3][i - 1] + (up && before)) : 0;
        }
    g->free_x = s->counts[0];
    g->free_y = s->counts[1];
    g->edge_x = s->counts[2];
    g->edge_y = s->counts[3];
}

/* --- elimination -------------------------------------------------------------------------------------- */

/* Some rows of `to`, whole WIDEs of columns: less their part in each of `rank` own rows. In those the rows are columns
 * from `row` on, and the columns from `column` on. */
static inline __attribute__((always_inline)) void subtract(double *to, int32_t stride, const double *own,
                                                           int32_t own_stride, int32_t rank, int32_t row,
                                                           int32_t column, int32_t columns, const int rows)
{
    for (int32_t j = 0; j < columns; j += WIDE) {
        wide sum[ROWS];
        for (int r = 0; r < rows; r++)
            sum[r] = *(const wide *)(to + (int64_t)r * stride + j);
        const double *u = own;
        for (int32_t p = 0; p < rank; p++, u += own_stride) {
            wide at = *(const wide *)(u + column + j);
            double over = u[p];
            for (int r = 0; r < rows; r++)
                sum[r] -= (u[row + r] * over) * at;
        }
        for (int r = 0; r < rows; r++)
            *(wide *)(to + (int64_t)r * stride + j) = sum[r];
    }
}

/* Rows and columns begin .. end of a matrix from its diagonal on, whose first row and column is the own rows' column
 * `first`. */
CLONES static void subtract_rows(double *to, int32_t stride, const double *own, int32_t own_stride, int32_t rank,
                                 int32_t first, int32_t begin, int32_t end, int32_t size)
{
    for (int32_t i = begin; i < end;) {
        int32_t left = i / WIDE * WIDE;
        double *row = to + (int64_t)i * stride + left;
        if (end - i >= ROWS)
            subtract(row, stride, own, own_stride, rank, first + i, first + left, size - left, ROWS);
        else
            subtract(row, stride, own, own_stride, rank, first + i, first + left, size - left, 1);
        i += end - i >= ROWS ? ROWS : 1;
    }
}

/* Own rows of a strip, which have heard of all before it. */
CLONES static void eliminate_strip(double *rows, int32_t stride, int32_t size, int32_t begin, int32_t end)
{
    for (int32_t p = begin; p < end; p++) {
        double *u = rows + (int64_t)p * stride, over = 1 / u[p];
        u[p] = over;
        for (int32_t i = p + 1; i < end; i++) {
            double part = u[i] * over, *row = rows + (int64_t)i * stride;
            for (int32_t j = i; j < size; j++)
                row[j] -= part * u[j];
        }
    }
}

static void eliminate(const kept *k, double *rows, double *rest)
{
    int32_t ring = k->size - k->own;
    for (int32_t begin = 0; begin < k->own && !throng_given_up(); begin += STRIP) {
        int32_t end = begin + STRIP < k->own ? begin + STRIP : k->own;
        subtract_rows(rows, k->stride, rows, k->stride, begin, 0, begin, end, k->size);
        eliminate_strip(rows, k->stride, k->size, begin, end);
    }
    for (int32_t begin = 0; begin < ring && !throng_given_up(); begin += STRIP) {
        int32_t end = begin + STRIP < ring ? begin + STRIP : ring;
        subtract_rows(rest, whole_wides(ring), rows, k->stride, k->own, k->own, begin, end, ring);
    }
}

/* --- fronts ------------------------------------------------------------------------------------------- */

/* Adds what a half left, `from` where its ring lies in the whole. */
static void add_half(const kept *k, double *rows, double *rest, const double *half, const int32_t *from, int32_t ring)
{
    int32_t stride = whole_wides(ring), rest_stride = whole_wides(k->size - k->own);
    for (int32_t i = 0; i < ring; i++)
        for (int32_t j = i; j < ring; j++) {
            int32_t a = from[i] < from[j] ? from[i] : from[j], b = from[i] < from[j] ? from[j] : from[i];
            double *to = a < k->own ? rows + (int64_t)a * k->stride + b
                                    : rest + (int64_t)(a - k->own) * rest_stride + b - k->own;
            *to += half[(int64_t)i * stride + j];
        }
}

static int64_t place(const solver *s, int32_t cell) { return (int64_t)(cell >> 16) * s->g.columns + (cell & 0xffff); }

/* An entry of a cell with the goal is less what is given beside it. */
static double entry(const solver *s, int32_t cell, int32_t other)
{
    if (other >= 0 || !s->given)
        return front_entry(&s->g, cell, other);
    const field_grid g = {.columns = s->g.columns, .rows = s->g.rows};
    double sum = 0;
    for (int side = 0; side < FIELD_SIDES; side++) {
        int32_t b = field_beside(&g, (int32_t)place(s, cell), side);
        if (b >= 0 && s->g.cells[b] == FRONTS_GOAL)
            sum += s->given[b];
    }
    return -sum;
}

static void add_equations(const solver *s, const kept *k, double *rows)
{
    const int32_t *cell = s->cells + k->listed;
    for (int32_t i = 0; i < k->own; i++)
        for (int32_t j = i; j < k->size; j++)
            rows[(int64_t)i * k->stride + j] += entry(s, cell[i], cell[j]);
}

static void list_places(solver *s, int32_t depth, int32_t block, const kept *k, int32_t *rings)
{
    front f = front_of(&s->g, depth, block), a = f, b = f;
    if (!f.leaf) {
        a = front_of(&s->g, depth + 1, front_half(&s->g, depth, block, 0));
        b = front_of(&s->g, depth + 1, front_half(&s->g, depth, block, 1));
    }
    rings[0] = a.size - a.own;
    rings[1] = b.size - b.own;
    for (int32_t i = 0, count = front_places(&f); i < count; i++) {
        front_place p;
        if (!front_place_at(&s->g, &f, &a, &b, i, &p))
            continue;
        s->cells[k->listed + p.index] = p.cell;
        if (p.a >= 0)
            s->from[0][p.a] = p.index;
        if (p.b >= 0)
            s->from[1][p.b] = p.index;
    }
}

/* Eliminates a block's own cells, and before them all within it. */
static void solve_block(solver *s, int32_t depth, int32_t block, double *rest)
{
    const kept *k = &s->kept[(1 << depth) - 1 + block];
    double *rows = s->rows + k->at;
    bool leaf = depth == fronts_depth(&s->g);
    for (int32_t half = 0; !leaf && half < 2; half++)
        solve_block(s, depth + 1, front_half(&s->g, depth, block, half), s->rest[depth + 1][half]);
    int32_t ring = k->size - k->own, rings[2];
    list_places(s, depth, block, k, rings);
    memset(rows, 0, (size_t)k->own * (size_t)k->stride * sizeof *rows);
    memset(rest, 0, (size_t)ring * (size_t)whole_wides(ring) * sizeof *rest);
    for (int32_t half = 0; !leaf && half < 2; half++)
        add_half(k, rows, rest, s->rest[depth + 1][half], s->from[half], rings[half]);
    add_equations(s, k, rows);
    eliminate(k, rows, rest);
}

/* --- from the ring to the cells ----------------------------------------------------------------------- */

static double sum_over_ring(const double *row, const double *q, int32_t count)
{
    double part[FRONTS_PARTS] = {0};
    int32_t j = 0;
    for (; j + FRONTS_PARTS <= count; j += FRONTS_PARTS)
        for (int32_t i = 0; i < FRONTS_PARTS; i++)
            part[i] += row[j + i] * q[j + i];
    for (int32_t i = 0; j + i < count; i++)
        part[i] += row[j + i] * q[j + i];
    for (int32_t half = FRONTS_PARTS / 2; half; half /= 2)
        for (int32_t i = 0; i < half; i++)
            part[i] += part[i + half];
    return part[0];
}

/* The own cells of a front; `q`: [its size]. */
static void follow(solver *s, const kept *k, double *q)
{
    const int32_t *cell = s->cells + k->listed;
    for (int32_t i = k->own; i < k->size - 1; i++)
        q[i] = s->q[place(s, cell[i])];
    q[k->size - 1] = 1;
    for (int32_t p = k->own - 1; p >= 0; p--) {
        const double *row = s->rows + k->at + (int64_t)p * k->stride;
        double sum = sum_over_ring(row + k->own, q + k->own, k->size - k->own);
        for (int32_t j = k->own - 1; j > p; j--)
            sum += row[j] * q[j];
        q[p] = -sum * row[p];
        s->q[place(s, cell[p])] = q[p];
    }
}

/* --- all of it ---------------------------------------------------------------------------------------- */

/* Sizes and places of all fronts; how many entries the own rows have. `ring`: the largest of each level. */
static int64_t lay_out(solver *s, int32_t *largest, int32_t *ring, int64_t *room, int64_t *listed)
{
    int64_t at = 0, entries = 0;
    kept *k = s->kept;
    *listed = *largest = 0;
    for (int32_t depth = 0; depth <= fronts_depth(&s->g); depth++) {
        ring[depth] = 0;
        for (int32_t block = 0; block < 1 << depth && !throng_given_up_at(block); block++, k++) {
            front f = front_of(&s->g, depth, block);
            *k = (kept){f.own, f.size, whole_wides(f.size), at, *listed};
            at += (int64_t)k->own * k->stride;
            entries += (int64_t)k->own * k->size;
            *listed += f.size;
            *largest = f.size > *largest ? f.size : *largest;
            ring[depth] = f.size - f.own > ring[depth] ? f.size - f.own : ring[depth];
        }
    }
    *room = at;
    return entries;
}

static bool allocate(solver *s)
{
    size_t places = ((size_t)s->g.columns + 1) * ((size_t)s->g.rows + 1);
    bool ok = (s->kept = malloc(((size_t)2 << fronts_depth(&s->g)) * sizeof *s->kept));
    for (int i = 0; i < 4; i++)
        ok = (s->counts[i] = malloc(places * sizeof *s->counts[i])) && ok;
    return ok;
}

static bool allocate_fronts(solver *s, int64_t room, int64_t listed, int32_t largest, const int32_t *ring)
{
    bool ok = (s->rows = malloc(((size_t)room + 2 * WIDE) * sizeof *s->rows)) &&
              (s->cells = malloc((size_t)listed * sizeof *s->cells)) &&
              (s->from[0] = malloc((size_t)largest * sizeof *s->from[0])) &&
              (s->from[1] = malloc((size_t)largest * sizeof *s->from[1]));
    for (int32_t depth = 0; depth <= fronts_depth(&s->g); depth++)
        for (int half = 0; half < 2; half++)
            ok = (s->rest[depth][half] =
                      malloc((size_t)ring[depth] * (size_t)whole_wides(ring[depth]) * sizeof(double))) &&
                 ok;
    return ok;
}

static void free_solver(solver *s)
{
    for (int i = 0; i < 4; i++)
        free(s->counts[i]);
    for (int i = 0; i < DEPTH_MAX; i++) {
        free(s->rest[i][0]);
        free(s->rest[i][1]);
    }
    free(s->from[0]);
    free(s->from[1]);
    free(s->kept);
    free(s->rows);
    free(s->cells);
}

/* False when memory is out, or it was given up. */
static bool solve(solver *s, int64_t room, int64_t listed, int32_t largest, const int32_t *ring)
{
    double *front = malloc((size_t)largest * sizeof *front);
    bool ok = front && allocate_fronts(s, room, listed, largest, ring);
    if (ok) {
        solve_block(s, 0, 0, s->rest[0][0]);
        for (int32_t i = 0; i < (2 << fronts_depth(&s->g)) - 1 && !throng_given_up(); i++)
            follow(s, &s->kept[i], front);
    }
    free(front);
    return ok && !throng_given_up();
}

bool throng_field_dissect(const uint8_t *cells, int32_t columns, int32_t rows, const double *given, double *q,
                          bool *solved)
{
    *solved = false;
    if (columns > FRONTS_SIDE_MAX || rows > FRONTS_SIDE_MAX)
        return true;
    solver s = {.g = {columns, rows, fronts_halvings(columns), fronts_halvings(rows), cells, 0, 0, 0, 0},
                .given = given,
                .q = q};
    int32_t largest, ring[DEPTH_MAX];
    int64_t listed, room;
    bool ok = allocate(&s);
    if (ok) {
        count_cells(&s);
        ok = !throng_given_up();
    }
    if (ok) {
        *solved = lay_out(&s, &largest, ring, &room, &listed) <= FRONTS_ENTRIES_MAX;
        ok = !throng_given_up();
    }
    if (ok && *solved)
        ok = solve(&s, room, listed, largest, ring);
    free_solver(&s);
    return ok;
}
