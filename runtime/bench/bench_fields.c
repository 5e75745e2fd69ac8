/* Benchmarks of global maps: from a grid of cells to a direction in each. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "navigation/field.h"
#include "map/map_image.h"

enum { SIDE = 1024, AROUND = 3 /* cells of the goal around its middle */ };

typedef struct grid {
    const char *name;
    uint8_t *cells;
    int32_t columns, rows;
} grid;

/* --- grids ---------------------------------------------------------------------------------- */

static int32_t draw(uint32_t *seed, int32_t below)
{
    *seed = *seed * 1664525 + 1013904223;
    return (int32_t)(((uint64_t)*seed * (uint64_t)below) >> 32);
}

/* The sides over which the maze may grow from a cell; how many. */
static int32_t open_sides(const uint8_t *cells, int32_t side, int32_t at, int32_t *open)
{
    static const int32_t step_x[] = {2, -2, 0, 0}, step_y[] = {0, 0, 2, -2};
    int32_t count = 0;
    for (int32_t d = 0; d < 4; d++) {
        int32_t x = at % side + step_x[d], y = at / side + step_y[d];
        if (x > 0 && x < side - 1 && y > 0 && y < side - 1 && !cells[y * side + x])
            open[count++] = d;
    }
    return count;
}

/* A perfect maze of side x side cells (field.h), a goal in its corner: passages one cell wide, one way between any two,
 * by depth-first search. NULL when out of memory. */
static uint8_t *make_maze(int32_t side, uint32_t seed)
{
    size_t n = (size_t)side * (size_t)side;
    uint8_t *cells = calloc(n, 1);
    int32_t *stack = malloc(n * sizeof *stack), depth = 0, start = side + 1, step[] = {1, -1, side, -side}, open[4];
    if (cells && stack) {
        cells[start] = THRONG_FIELD_GOAL;
        stack[depth++] = start;
    }
    while (depth) {
        int32_t at = stack[depth - 1], count = open_sides(cells, side, at, open);
        if (!count) {
            depth--;
            continue;
        }
        int32_t to = step[open[draw(&seed, count)]];
        cells[at + to] = cells[at + 2 * to] = THRONG_FIELD_FREE;
        stack[depth++] = at + 2 * to;
    }
    bool ok = stack;
    free(stack);
    if (ok)
        return cells;
    free(cells);
    return NULL;
}

static void put_goal(const grid *g, int32_t x, int32_t y)
{
    for (int32_t row = y - AROUND; row <= y + AROUND; row++)
        for (int32_t column = x - AROUND; column <= x + AROUND; column++)
            if (g->cells[row * g->columns + column] == THRONG_FIELD_FREE)
                g->cells[row * g->columns + column] = THRONG_FIELD_GOAL;
}

/* Pixel by pixel, a goal in one of its rooms. */
static bool read_willow(grid *g, throng_error *error)
{
    char path[4096];
    throng_map_yaml yaml;
    throng_map_image image;
    if (!throng_bench_find_file("maps/willow.yaml", path, sizeof path, error) ||
        !throng_map_yaml_read(path, &yaml, error) || !throng_map_image_read(&yaml, &image, error))
        return false;
    *g = (grid){"field-willow", image.pixel, image.width, image.height};
    for (int32_t c = 0; c < g->columns * g->rows; c++)
        g->cells[c] = image.pixel[c] == THRONG_PIXEL_FREE ? THRONG_FIELD_FREE : THRONG_FIELD_WALL;
    image.pixel = NULL;
    throng_map_image_fini(&image);
    put_goal(g, 214, 721);
    return true;
}

static bool make_grid(int32_t which, grid *g, throng_error *error)
{
    if (which == THRONG_BENCH_FIELD_WILLOW)
        return read_willow(g, error);
    bool maze = which == THRONG_BENCH_FIELD_MAZE;
    *g =
        (grid){maze ? "field-maze" : "field-open", maze ? make_maze(SIDE, 3) : malloc((size_t)SIDE * SIDE), SIDE, SIDE};
    if (!g->cells)
        return throng_fail(error, "out of memory for a grid of %d x %d cells", SIDE, SIDE);
    if (!maze) {
        memset(g->cells, THRONG_FIELD_FREE, (size_t)SIDE * SIDE);
        put_goal(g, SIDE / 3, SIDE / 2);
    }
    return true;
}

/* --- timing --------------------------------------------------------------------------------- */

static bool time_field(const grid *g, const throng_stages *stages, throng_bench_row *row, throng_error *error)
{
    enum { TIMES = 3 };
    double ms[TIMES];
    for (int i = stages->api->field ? -1 : 0; i < TIMES; i++) { /* the device's memory is kept from the first */
        double start = throng_now_ms();
        throng_field *f = throng_field_solve(g->cells, g->columns, g->rows, stages, error);
        if (!f)
            return false;
        if (i >= 0)
            ms[i] = throng_now_ms() - start;
        row->agents = f->reached;
        throng_field_destroy(f);
    }
    row->ms = throng_timing_of(ms, TIMES);
    row->us_per_agent = 1e3 * row->ms.median / row->agents;
    return true;
}

bool throng_bench_field(const char *backend, int32_t which, throng_bench_row *row, throng_error *error)
{
    throng_stages stages;
    throng_backend_info info;
    grid g = {0};
    const throng_backend_options one = {.simd = 1, .threads = 1};
    if (!make_grid(which, &g, error))
        return false;
    bool ok = throng_stages_open(backend, &one, &stages, error);
    if (ok) {
        stages.api->info(stages.backend, &info);
        throng_bench_row_begin(row, g.name, stages.api->name, &info, 0);
        snprintf(row->stage, sizeof row->stage, "solve");
        ok = time_field(&g, &stages, row, error);
        throng_stages_close(&stages);
    }
    free(g.cells);
    return ok;
}
