#include "field.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/watchdog.h"
#include "field_fronts.h"
#include "field_relax.h"
#include "kernels/routing/field_directions.h"
#include "stages/backend.h"

enum { SIDES = FIELD_SIDES };

#define LN_4 1.38629436111989062

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
    int32_t x = cell % s->columns + field_step_x(side), y = cell / s->columns + field_step_y(side);
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
    for (int32_t c = 0; c < s->columns * s->rows && !throng_given_up_at(c); c++) {
        s->number[c] = -1;
        if (s->cells[c] == THRONG_FIELD_GOAL)
            append(s, c, 0);
    }
    s->goals = s->n;
    for (int32_t k = 0; k < s->n && !throng_given_up_at(k); k++)
        for (int side = 0; side < SIDES; side++) {
            int32_t c = neighbour(s, s->cell[k], side);
            if (c >= 0 && s->number[c] < 0 && s->cells[c] != THRONG_FIELD_WALL)
                append(s, c, s->away[k] + 1);
        }
}

static void find_neighbours(solver *s)
{
    for (int32_t k = 0; k < s->n && !throng_given_up_at(k); k++)
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
    for (int32_t k = 0; k < g->n && !throng_given_up_at(k); k++) {
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

/* False when out of memory, or given up. */
static bool relax(solver *s, throng_field *f, const throng_field_options *o)
{
    throng_field_graph g = {.n = s->n - s->goals};
    double *u = malloc(((size_t)g.n + 1) * sizeof *u);
    bool ok = u && allocate_graph(&g);
    if (ok) {
        fill_graph(s, &g);
        ok = !throng_given_up() && throng_field_guess(&g, u) &&
             throng_field_relax(&g, u, o->cycles, o->tolerance, &f->cycles, &f->change);
    }
    if (ok)
        memcpy(s->u + s->goals, u, (size_t)g.n * sizeof *u);
    free_graph(&g);
    free(u);
    return ok;
}

/* --- the check --------------------------------------------------------------------------------- */

static bool holds(const field_grid *g, double lowest)
{
    for (int32_t c = 0; c < g->columns * g->rows && !throng_given_up_at(c); c++)
        if (!field_holds(g, c, lowest))
            return false;
    return true;
}

/* --- directions -------------------------------------------------------------------------------- */

static void put(throng_field *f, int32_t cell, field_direction direction)
{
    f->x[cell] = direction.x;
    f->y[cell] = direction.y;
    f->aim[cell] = direction.aim;
}

static void direct(throng_field *f, const field_grid *g)
{
    for (int32_t c = 0; c < g->columns * g->rows && !throng_given_up_at(c); c++) {
        f->level[c] = (float)g->u[c];
        f->reached += field_reached(g, c);
        if (g->cells[c] == THRONG_FIELD_FREE && field_reached(g, c))
            put(f, c, field_direction_from(g, c));
    }
}

static void direct_walls(throng_field *f, const field_grid *g, uint8_t *ring)
{
    for (int32_t c = 0; c < g->columns * g->rows; c++)
        ring[c] = field_reached(g, c) ? 0 : FIELD_NO_RING;
    for (int r = 1; r <= FIELD_RINGS; r++)
        for (int32_t c = 0; c < g->columns * g->rows && !throng_given_up_at(c); c++) {
            field_direction direction;
            if (ring[c] < r || !field_direction_back(g, ring, r, c, &direction))
                continue;
            put(f, c, direction);
            ring[c] = (uint8_t)r;
        }
}

/* --- by relaxation ------------------------------------------------------------------------------ */

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

/* `u`, `away`: [rows * columns]. */
static void spread_out(const solver *s, double *u, int32_t *away)
{
    for (int32_t c = 0; c < s->columns * s->rows; c++)
        u[c] = -INFINITY;
    for (int32_t k = 0; k < s->n; k++) {
        u[s->cell[k]] = s->u[k];
        away[s->cell[k]] = s->away[k];
    }
}

/* Where cycles are none, or too few, or did not converge: the graph distance. False when out of memory, or given up. */
static bool solve_by_relaxation(throng_field *f, const field_grid *g, double *u, int32_t *away,
                                const throng_field_options *o)
{
    solver s = {.cells = g->cells, .columns = g->columns, .rows = g->rows};
    bool ok = allocate_solver(&s);
    if (ok) {
        find_order(&s);
        find_neighbours(&s);
        ok = !throng_given_up() && (!o->cycles || relax(&s, f, o));
    }
    if (ok)
        spread_out(&s, u, away);
    if (ok && (!o->cycles || !holds(g, -INFINITY))) {
        for (int32_t k = s.goals; k < s.n; k++)
            s.u[k] = -LN_4 * s.away[k];
        spread_out(&s, u, away);
    }
    free_solver(&s);
    return ok;
}

/* --- all of it --------------------------------------------------------------------------------- */

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

/* False: the host has to do it, which comes to the same. */
static bool solve_on(const throng_stages *stages, throng_field *f, const uint8_t *cells)
{
    throng_field_answer answer = {f->x, f->y, f->aim, f->level, 0, false};
    if (!stages || !stages->api->field)
        return false;
    bool solved = stages->api->field(stages->backend, cells, f->columns, f->rows, &answer, NULL) && answer.solved;
    f->reached = solved ? answer.reached : 0;
    return solved;
}

/* False when out of memory, or given up. */
static bool solve_here(throng_field *f, const uint8_t *cells, const throng_field_options *o)
{
    size_t n = (size_t)f->columns * (size_t)f->rows + 1;
    double *u = malloc(n * sizeof *u);
    int32_t *away = NULL;
    uint8_t *ring = malloc(n);
    field_grid g = {f->columns, f->rows, cells, u, NULL};
    bool solved = false, ok = u && ring && (o->relaxed || throng_field_dissect(cells, f->columns, f->rows, u, &solved));
    if (ok && !(solved && holds(&g, FIELD_LOWEST))) {
        g.away = away = malloc(n * sizeof *away);
        ok = away && solve_by_relaxation(f, &g, u, away, o);
    }
    if (ok) {
        direct(f, &g);
        direct_walls(f, &g, ring);
        ok = !throng_given_up();
    }
    free(u);
    free(away);
    free(ring);
    return ok;
}

throng_field *throng_field_solve(const uint8_t *cells, int32_t columns, int32_t rows,
                                 const throng_field_options *options, throng_error *error)
{
    const throng_field_options usual = throng_field_options_default();
    size_t n = (size_t)columns * (size_t)rows;
    if (!memchr(cells, THRONG_FIELD_GOAL, n)) {
        throng_fail(error, "no cell of the field is a goal");
        return NULL;
    }
    const throng_field_options *o = options ? options : &usual;
    throng_field *f = create(columns, rows);
    if (f && ((!o->relaxed && solve_on(o->stages, f, cells)) || solve_here(f, cells, o)))
        return f;
    throng_field_destroy(f);
    throng_fail(error, "out of memory for a field of %d x %d cells", columns, rows);
    return NULL;
}
