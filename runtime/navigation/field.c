#include "field.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/watchdog.h"
#include "field_continue.h"
#include "field_fronts.h"
#include "kernels/routing/field_directions.h"
#include "stages/backend.h"

enum { LARGEST = 1 << 17 /* cells of a piece of a grid that is too large to be solved at once */ };

#define ENCLOSED 1e-6 /* -u of floor that goals enclose, at most */

/* --- the check --------------------------------------------------------------------------------- */

static bool holds(const field_grid *g)
{
    for (int32_t c = 0; c < g->columns * g->rows && !throng_given_up_at(c); c++)
        if (!field_holds(g, c, -INFINITY))
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

/* --- levels ------------------------------------------------------------------------------------ */

/* Where the grid was solved at once, what the fronts can tell; else the goal alone. */
static void set_levels(const field_grid *g, double *u, bool solved)
{
    for (int32_t c = 0; c < g->columns * g->rows && !throng_given_up_at(c); c++) {
        double level = solved && g->cells[c] == THRONG_FIELD_FREE ? field_level(u[c]) : -INFINITY;
        u[c] = g->cells[c] == THRONG_FIELD_GOAL ? 0 : level >= FIELD_LOWEST ? level : -INFINITY;
    }
}

/* Where goals enclose floor 1 - p rounds to 1: cells of almost 1, which hang together with a goal, get levels by their
 * distance from it that stay above all others. False when out of memory. */
static bool tell_apart(const field_grid *g, double *u)
{
    int32_t n = g->columns * g->rows, count = 0, *queue = malloc((size_t)n * sizeof *queue);
    for (int32_t c = 0; queue && c < n; c++) {
        if (g->cells[c] == THRONG_FIELD_GOAL)
            queue[count++] = c;
        else if (u[c] > -ENCLOSED)
            u[c] = 1;
    }
    for (int32_t i = 0; i < count && !throng_given_up_at(i); i++)
        for (int side = 0; side < FIELD_SIDES; side++) {
            int32_t b = field_beside(g, queue[i], side);
            if (b < 0 || u[b] != 1)
                continue;
            u[b] = u[queue[i]] - ENCLOSED / n;
            queue[count++] = b;
        }
    bool ok = queue;
    free(queue);
    return ok;
}

bool throng_field_out_of_memory(int32_t columns, int32_t rows, throng_error *error)
{
    return throng_fail(error,
                       "out of memory for a field of %d x %d cells; use routing = \"navmesh\" there, or larger agents, "
                       "or allow more (--memory MIB)",
                       columns, rows);
}

/* Where fronts take much memory, piece after piece; and at once all the same where floor is too open for that. */
static bool find_levels(const field_grid *g, int32_t threads, double *u, throng_error *error)
{
    const int64_t most[] = {FRONTS_ENTRIES_MAX, INT64_MAX};
    bool ok = true, solved = false, known = false;
    for (int i = 0; i < 2 && ok && !known; i++) {
        ok = throng_field_dissect(g->cells, g->columns, g->rows, NULL, most[i], threads, u, &solved);
        if (!ok || (i > 0 && !solved))
            break;
        set_levels(g, u, solved);
        ok = throng_field_continue(g->cells, g->columns, g->rows, threads, u, solved ? g->columns * g->rows : LARGEST,
                                   &known);
    }
    if (ok && !known)
        return throng_fail(error,
                           "a field of %d x %d cells is too wide for so much open floor; use routing = \"navmesh\" "
                           "there, or larger agents",
                           g->columns, g->rows);
    ok = ok && (holds(g) || tell_apart(g, u));
    return ok || throng_field_out_of_memory(g->columns, g->rows, error);
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

/* As many as the stages have; of a device, all that the machine has. */
static int32_t threads_of(const throng_stages *stages)
{
    throng_backend_info info = {.threads = 1};
    if (stages)
        stages->api->info(stages->backend, &info);
    return info.threads > 0 ? info.threads : (int32_t)sysconf(_SC_NPROCESSORS_ONLN);
}

static bool solve_here(throng_field *f, const uint8_t *cells, int32_t threads, throng_error *error)
{
    size_t n = (size_t)f->columns * (size_t)f->rows + 1;
    double *u = malloc(n * sizeof *u);
    uint8_t *ring = malloc(n);
    field_grid g = {f->columns, f->rows, cells, u};
    bool ok = (u && ring) || throng_field_out_of_memory(f->columns, f->rows, error);
    ok = ok && find_levels(&g, threads, u, error);
    if (ok) {
        direct(f, &g);
        direct_walls(f, &g, ring);
    }
    free(u);
    free(ring);
    return ok && (!throng_given_up() || throng_fail(error, "%s", throng_interrupted_text()));
}

throng_field *throng_field_solve(const uint8_t *cells, int32_t columns, int32_t rows, const throng_stages *stages,
                                 throng_error *error)
{
    if (!memchr(cells, THRONG_FIELD_GOAL, (size_t)columns * (size_t)rows)) {
        throng_fail(error, "no cell of the field is a goal");
        return NULL;
    }
    throng_field *f = create(columns, rows);
    if (!f)
        throng_field_out_of_memory(columns, rows, error);
    else if (!solve_on(stages, f, cells) && !solve_here(f, cells, threads_of(stages), error)) {
        throng_field_destroy(f);
        f = NULL;
    }
    return f;
}
