#include "field.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "field_relax.h"

enum { SIDES = 4, RINGS = 3 };

#define LN_4 1.38629436111989062

static const int32_t STEP_X[SIDES] = {1, -1, 0, 0}, STEP_Y[SIDES] = {0, 0, 1, -1};

throng_field_options throng_field_options_default(void)
{
    return (throng_field_options){.cycles = 40, .tolerance = 1e-4};
}

/* The cells connected to the goal, in order of their distance from it. Number n, behind the last, is a wall. */
typedef struct solver {
    const uint8_t *cells;
    int32_t columns, rows;
    int32_t n, goals; /* cells; those of the goal come first */
    int32_t *cell;    /* [n] place in the grid */
    int32_t *number;  /* [rows * columns] -1: not connected */
    int32_t *beside;  /* [4 n] numbers of the neighbours */
    int32_t *away;    /* [n] steps from the goal */
    double *u;        /* [n] ln(1 - p) */
} solver;

/* --- order ------------------------------------------------------------------------------------- */

static int32_t neighbour(const solver *s, int32_t cell, int side)
{
    int32_t x = cell % s->columns + STEP_X[side], y = cell / s->columns + STEP_Y[side];
    return x >= 0 && x < s->columns && y >= 0 && y < s->rows ? y * s->columns + x : -1;
}

static void append(solver *s, int32_t cell, int32_t away)
{
    s->number[cell] = s->n;
    s->cell[s->n] = cell;
    s->away[s->n++] = away;
}

static void find_order(solver *s)
{
    for (int32_t c = 0; c < s->columns * s->rows; c++)
        s->number[c] = -1;
    for (int32_t c = 0; c < s->columns * s->rows; c++)
        if (s->cells[c] == THRONG_FIELD_GOAL)
            append(s, c, 0);
    s->goals = s->n;
    for (int32_t k = 0; k < s->n; k++)
        for (int side = 0; side < SIDES; side++) {
            int32_t c = neighbour(s, s->cell[k], side);
            if (c >= 0 && s->number[c] < 0 && s->cells[c] != THRONG_FIELD_WALL)
                append(s, c, s->away[k] + 1);
        }
}

static void find_neighbours(solver *s)
{
    for (int32_t k = 0; k < s->n; k++)
        for (int side = 0; side < SIDES; side++) {
            int32_t c = neighbour(s, s->cell[k], side);
            s->beside[SIDES * k + side] = c < 0 || s->number[c] < 0 ? s->n : s->number[c];
        }
}

/* --- relaxation -------------------------------------------------------------------------------- */

static bool allocate_graph(throng_field_graph *g)
{
    size_t n = (size_t)g->n + 1;
    return (g->x = malloc(n * 4)) && (g->y = malloc(n * 4)) && (g->start = malloc(n * 4)) &&
           (g->beside = malloc(SIDES * n * 4));
}

static void free_graph(throng_field_graph *g)
{
    free(g->x);
    free(g->y);
    free(g->start);
    free(g->beside);
}

/* The cells that are not the goal's. */
static void fill_graph(const solver *s, throng_field_graph *g)
{
    int32_t edges = 0;
    for (int32_t k = 0; k < g->n; k++) {
        g->x[k] = s->cell[s->goals + k] % s->columns;
        g->y[k] = s->cell[s->goals + k] / s->columns;
        g->start[k] = edges;
        for (int side = 0; side < SIDES; side++) {
            int32_t b = s->beside[SIDES * (s->goals + k) + side];
            if (b < s->n)
                g->beside[edges++] = b < s->goals ? g->n : b - s->goals;
        }
    }
    g->start[g->n] = edges;
}

/* False when out of memory. */
static bool relax(solver *s, throng_field *f, const throng_field_options *o)
{
    throng_field_graph g = {.n = s->n - s->goals};
    double *u = malloc(((size_t)g.n + 1) * sizeof *u);
    bool ok = u && allocate_graph(&g);
    if (ok) {
        fill_graph(s, &g);
        ok = throng_field_guess(&g, u) && throng_field_relax(&g, u, o->cycles, o->tolerance, &f->cycles, &f->change);
    }
    if (ok)
        memcpy(s->u + s->goals, u, (size_t)g.n * sizeof *u);
    free_graph(&g);
    free(u);
    return ok;
}

/* --- the check --------------------------------------------------------------------------------- */

/* Is number `a` nearer to the goal than `b`: greater by u, or, where that is equal, by distance? */
static bool greater(const solver *s, int32_t a, int32_t b)
{
    if (a == s->n || b == s->n)
        return a != s->n;
    return s->u[a] != s->u[b] ? s->u[a] > s->u[b] : s->away[a] < s->away[b];
}

/* The side of the greatest neighbour. */
static int best_side(const solver *s, int32_t k)
{
    int best = 0;
    for (int side = 1; side < SIDES; side++)
        if (greater(s, s->beside[SIDES * k + side], s->beside[SIDES * k + best]))
            best = side;
    return best;
}

static bool every_cell_ascends(const solver *s)
{
    for (int32_t k = s->goals; k < s->n; k++)
        if (!greater(s, s->beside[SIDES * k + best_side(s, k)], k))
            return false;
    return true;
}

/* --- directions -------------------------------------------------------------------------------- */

static bool ascends(const solver *s, int32_t k, int side) { return greater(s, s->beside[SIDES * k + side], k); }

static bool open_at(const throng_field *f, const solver *s, int32_t cell, int32_t x, int32_t y)
{
    int32_t column = cell % f->columns + x, row = cell / f->columns + y;
    return column >= 0 && column < f->columns && row >= 0 && row < f->rows && s->number[row * f->columns + column] >= 0;
}

static bool open_around(const throng_field *f, const solver *s, int32_t cell)
{
    for (int32_t y = -1; y <= 1; y++)
        for (int32_t x = -1; x <= 1; x++)
            if (!open_at(f, s, cell, x, y))
                return false;
    return true;
}

/* 1 - p of a neighbour by that of the cell; neighbours of a cell differ by up to a factor of 16. */
static double beside(const solver *s, int32_t k, int side)
{
    int32_t b = s->beside[SIDES * k + side];
    return b == s->n ? 0 : throng_field_exp(s->u[b] - s->u[k]);
}

/* The gradient, where walking along it leaves the cell over sides that ascend; else straight over the best side.
 * Who aims at a point outside the cell, from the cell's centre by a unit vector, leaves it over the sides beyond which
 * that lies: those where the vector has a component of more than a half. */
static void direct(throng_field *f, const solver *s, int32_t k)
{
    int32_t cell = s->cell[k];
    double x = beside(s, k, 0) - beside(s, k, 1), y = beside(s, k, 2) - beside(s, k, 3);
    double length = sqrt(x * x + y * y);
    int side_x = x > 0 ? 0 : 1, side_y = y > 0 ? 2 : 3, best = best_side(s, k);
    x = length > 0 ? x / length : 0;
    y = length > 0 ? y / length : 0;
    bool up_x = ascends(s, k, side_x), up_y = ascends(s, k, side_y);
    bool over_x = fabs(x) > 0.5, over_y = fabs(y) > 0.5;
    f->aim[cell] = !((x == 0 || up_x) && (y == 0 || up_y) && open_around(f, s, cell));
    bool safe = length > 0 && (!over_x || up_x) && (!over_y || up_y);
    if (safe && over_x && over_y)
        safe = open_at(f, s, cell, STEP_X[side_x], STEP_Y[side_y]);
    if (length == 0 || (f->aim[cell] && !safe)) {
        x = STEP_X[best];
        y = STEP_Y[best];
        f->aim[cell] = 1;
    }
    f->x[cell] = (float)x;
    f->y[cell] = (float)y;
}

/* Walls beside cells with an answer lead to the greatest of these, and walls beside them to them. */
static void direct_walls(throng_field *f, const solver *s, uint8_t *ring)
{
    for (int32_t c = 0; c < f->columns * f->rows; c++)
        ring[c] = s->number[c] >= 0 ? 0 : UINT8_MAX;
    for (int r = 1; r <= RINGS; r++)
        for (int32_t c = 0; c < f->columns * f->rows; c++) {
            if (ring[c] < r)
                continue;
            int32_t best = -1;
            for (int i = 0; i < 9; i++) {
                int32_t x = i % 3 - 1, y = i / 3 - 1, column = c % f->columns + x, row = c / f->columns + y;
                int32_t o = row * f->columns + column;
                if (column < 0 || column >= f->columns || row < 0 || row >= f->rows || ring[o] != r - 1)
                    continue;
                if (best >= 0 && !(r == 1 && greater(s, s->number[o], s->number[best])))
                    continue;
                best = o;
                f->x[c] = (float)x;
                f->y[c] = (float)y;
            }
            if (best >= 0) {
                f->aim[c] = 1;
                ring[c] = (uint8_t)r;
            }
        }
}

static void read_levels(throng_field *f, const solver *s)
{
    for (int32_t c = 0; c < f->columns * f->rows; c++)
        f->level[c] = -INFINITY;
    for (int32_t k = 0; k < s->n; k++)
        f->level[s->cell[k]] = (float)s->u[k];
}

/* --- all of it --------------------------------------------------------------------------------- */

static bool allocate_solver(solver *s)
{
    size_t cells = (size_t)s->columns * (size_t)s->rows + 1;
    return (s->cell = malloc(cells * 4)) && (s->number = malloc(cells * 4)) &&
           (s->beside = malloc(SIDES * cells * 4)) && (s->away = malloc(cells * 4)) &&
           (s->u = calloc(cells, sizeof *s->u));
}

static void free_solver(solver *s)
{
    void *blocks[] = {s->cell, s->number, s->beside, s->away, s->u};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        free(blocks[i]);
}

static throng_field *create(int32_t columns, int32_t rows)
{
    throng_field *f = calloc(1, sizeof *f);
    if (!f)
        return NULL;
    size_t cells = (size_t)columns * (size_t)rows + 1;
    f->cell = 1;
    f->columns = columns;
    f->rows = rows;
    f->x = calloc(cells, sizeof *f->x);
    f->y = calloc(cells, sizeof *f->y);
    f->aim = calloc(cells, sizeof *f->aim);
    f->level = malloc(cells * sizeof *f->level);
    if (f->x && f->y && f->aim && f->level)
        return f;
    throng_field_destroy(f);
    return NULL;
}

void throng_field_destroy(throng_field *f)
{
    if (!f)
        return;
    free(f->x);
    free(f->y);
    free(f->aim);
    free(f->level);
    free(f);
}

/* False when out of memory. */
static bool solve(throng_field *f, solver *s, const throng_field_options *o)
{
    find_order(s);
    find_neighbours(s);
    f->reached = s->n;
    if (o->cycles && !relax(s, f, o))
        return false;
    if (!o->cycles || !every_cell_ascends(s))
        for (int32_t k = s->goals; k < s->n; k++)
            s->u[k] = -LN_4 * s->away[k];
    read_levels(f, s);
    for (int32_t k = s->goals; k < s->n; k++)
        direct(f, s, k);
    return true;
}

throng_field *throng_field_solve(const uint8_t *cells, int32_t columns, int32_t rows,
                                 const throng_field_options *options, throng_error *error)
{
    const throng_field_options usual = throng_field_options_default();
    solver s = {.cells = cells, .columns = columns, .rows = rows};
    uint8_t *ring = malloc((size_t)columns * (size_t)rows + 1);
    throng_field *f = create(columns, rows);
    bool ok = (f && ring && allocate_solver(&s) && solve(f, &s, options ? options : &usual)) ||
              throng_fail(error, "out of memory for a field of %d x %d cells", columns, rows);
    ok = ok && (s.goals || throng_fail(error, "no cell of the field is a goal"));
    if (ok) {
        direct_walls(f, &s, ring);
    } else {
        throng_field_destroy(f);
        f = NULL;
    }
    free(ring);
    free_solver(&s);
    return f;
}
