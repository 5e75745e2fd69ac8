/* Global maps: what follows them arrives, from everywhere; and they are harmonic, as far as anyone can tell. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "navigation/field.h"
#include "navigation/field_continue.h"
#include "navigation/field_fronts.h"
#include "skips.h"

static uint32_t draw(uint32_t *seed, uint32_t below)
{
    *seed = *seed * 1664525 + 1013904223;
    return (uint32_t)(((uint64_t)*seed * below) >> 32);
}

static throng_field *solve(const uint8_t *cells, int32_t columns, int32_t rows, const throng_stages *stages)
{
    throng_error error;
    throng_field *f = throng_field_solve(cells, columns, rows, stages, &error);
    if (!f)
        fail_msg("%s", error.text);
    return f;
}

static int32_t refused; /* of whole grids that are to be solved: so many more are too large */

bool __real_throng_field_dissect(const uint8_t *cells, int32_t columns, int32_t rows, const double *given, int64_t most,
                                 int32_t threads, double *q, bool *solved);
bool __wrap_throng_field_dissect(const uint8_t *cells, int32_t columns, int32_t rows, const double *given, int64_t most,
                                 int32_t threads, double *q, bool *solved);

bool __wrap_throng_field_dissect(const uint8_t *cells, int32_t columns, int32_t rows, const double *given, int64_t most,
                                 int32_t threads, double *q, bool *solved)
{
    bool refuses = !given && refused > 0;
    refused -= refuses;
    return __real_throng_field_dissect(cells, columns, rows, given, refuses ? 0 : most, threads, q, solved);
}

/* --- following --- */

enum { STARTS = 5 }; /* the centre of a cell and its corners */

/* The direction, not normalised, from a point; what the kernels do (kernels/routing/fields.h). False where there is
 * none. */
static bool direction_from(const throng_field *f, double x, double y, double *dx, double *dy)
{
    double u = (x - f->origin_x) / f->cell, v = (y - f->origin_y) / f->cell;
    if (!(u >= 0 && v >= 0 && u < f->columns && v < f->rows))
        return false;
    int32_t column = (int32_t)u, row = (int32_t)v, c = row * f->columns + column;
    *dx = f->x[c] + f->aim[c] * (column + 0.5 - u);
    *dy = f->y[c] + f->aim[c] * (row + 0.5 - v);
    return f->x[c] != 0 || f->y[c] != 0;
}

/* The cell that a walker from start `i` of a cell enters next: the side its straight way crosses first. */
static int32_t next_cell(const throng_field *f, int32_t cell, int i)
{
    static const double at_x[STARTS] = {0.5, 0.001, 0.999, 0.001, 0.999},
                        at_y[STARTS] = {0.5, 0.001, 0.001, 0.999, 0.999};
    int32_t column = cell % f->columns, row = cell / f->columns;
    double dx, dy;
    if (!direction_from(f, column + at_x[i], row + at_y[i], &dx, &dy))
        return -1;
    double to_x = dx > 0 ? (1 - at_x[i]) / dx : dx < 0 ? -at_x[i] / dx : INFINITY;
    double to_y = dy > 0 ? (1 - at_y[i]) / dy : dy < 0 ? -at_y[i] / dy : INFINITY;
    if (to_x < to_y)
        column += dx > 0 ? 1 : -1;
    else
        row += dy > 0 ? 1 : -1;
    return row * f->columns + column;
}

typedef struct walkers {
    const throng_field *field;
    const uint8_t *cells;
    uint8_t *state; /* 0: not looked at, 1: on the way, 2: arrives */
    int32_t *stack;
    uint8_t *start;
    int32_t depth;
} walkers;

static void enter(walkers *w, int32_t cell)
{
    if (w->cells[cell] == THRONG_FIELD_WALL)
        fail_msg("walked into the wall at (%d, %d)", cell % w->field->columns, cell / w->field->columns);
    if (w->state[cell] == 1)
        fail_msg("walked in a circle at (%d, %d)", cell % w->field->columns, cell / w->field->columns);
    if (w->state[cell] == 2)
        return;
    w->state[cell] = w->cells[cell] == THRONG_FIELD_GOAL ? 2 : 1;
    if (w->state[cell] == 2)
        return;
    w->start[w->depth] = 0;
    w->stack[w->depth++] = cell;
}

static void walk_from(walkers *w, int32_t cell)
{
    for (enter(w, cell); w->depth;) {
        int32_t at = w->stack[w->depth - 1];
        if (w->start[w->depth - 1] == STARTS) {
            w->state[at] = 2;
            w->depth--;
            continue;
        }
        int32_t next = next_cell(w->field, at, w->start[w->depth - 1]++);
        if (next < 0)
            fail_msg("no way from (%d, %d)", at % w->field->columns, at / w->field->columns);
        enter(w, next);
    }
}

/* Every walk from every free cell that is connected to the goal arrives; how many there are. */
static int32_t assert_all_arrive(const throng_field *f, const uint8_t *cells)
{
    size_t n = (size_t)f->columns * (size_t)f->rows;
    walkers w = {f, cells, calloc(n, 1), malloc(n * 4), malloc(n), 0};
    int32_t walked = 0;
    for (int32_t c = 0; c < f->columns * f->rows; c++) {
        if (cells[c] == THRONG_FIELD_WALL || f->level[c] == -INFINITY)
            continue;
        walk_from(&w, c);
        walked++;
    }
    free(w.state);
    free(w.stack);
    free(w.start);
    assert_int_equal(walked, f->reached);
    return walked;
}

/* Passages one cell wide, one way between any two, by depth-first search from a goal in the corner. */
static uint8_t *perfect_maze(int32_t side)
{
    const int32_t ways[] = {1, -1, side, -side};
    uint8_t *cells = calloc((size_t)side * (size_t)side, 1);
    int32_t *back = calloc((size_t)side * (size_t)side, sizeof *back);
    assert_true(cells && back);
    uint32_t seed = 3;
    cells[side + 1] = THRONG_FIELD_GOAL;
    for (int32_t at = side + 1; at;) {
        int32_t open[4], count = 0;
        for (int d = 0; d < 4; d++) {
            int32_t to = at + 2 * ways[d], x = at % side + 2 * (ways[d] % side), y = to / side;
            if (x > 0 && x < side - 1 && to > 0 && y > 0 && y < side - 1 && !cells[to])
                open[count++] = ways[d];
        }
        if (!count) {
            at = back[at];
            continue;
        }
        seed = seed * 1664525 + 1013904223;
        int32_t way = open[(uint64_t)seed * (uint64_t)count >> 32];
        cells[at + way] = cells[at + 2 * way] = THRONG_FIELD_FREE;
        back[at + 2 * way] = at;
        at += 2 * way;
    }
    free(back);
    return cells;
}

/* Each cell's 1 - p is the mean of its neighbours', as far as floats can tell. */
static void assert_harmonic(const throng_field *f, const uint8_t *cells)
{
    for (int32_t c = 0; c < f->columns * f->rows; c++) {
        if (cells[c] != THRONG_FIELD_FREE || f->level[c] == -INFINITY)
            continue;
        const int32_t x = c % f->columns, y = c / f->columns, step[] = {1, -1, f->columns, -f->columns};
        const bool in[] = {x + 1 < f->columns, x > 0, y + 1 < f->rows, y > 0};
        double sum = 0;
        for (int d = 0; d < 4; d++)
            if (in[d])
                sum += exp((double)f->level[c + step[d]] - (double)f->level[c]) / 4;
        if (!(fabs(sum - 1) < 2e-7 * (1 - (double)f->level[c])))
            fail_msg("at (%d, %d) of %g: the mean of its neighbours is %g of it", x, y, f->level[c], sum);
    }
}

static void test_perfect_maze(void **state)
{
    (void)state;
    uint8_t *cells = perfect_maze(1024);
    throng_field *f = solve(cells, 1024, 1024, NULL);
    assert_int_equal(assert_all_arrive(f, cells), 2 * 511 * 511 - 1);
    assert_harmonic(f, cells);
    float lowest = 0;
    for (int32_t c = 0; c < 1024 * 1024; c++)
        lowest = cells[c] ? fminf(lowest, f->level[c]) : lowest;
    assert_true(lowest < -100000); /* e^-100000: what p = 1 - q could not tell from 1 */
    throng_field_destroy(f);
    free(cells);
}

static void assert_arrives(const uint8_t *cells, int32_t columns, int32_t rows)
{
    throng_field *f = solve(cells, columns, rows, NULL);
    assert_all_arrive(f, cells);
    assert_harmonic(f, cells);
    throng_field_destroy(f);
}

/* A map, a goal in one of its cells. */
static uint8_t *read_map(const char *name, uint32_t *seed, int32_t *columns, int32_t *rows)
{
    char path[256];
    snprintf(path, sizeof path, "tests/data/movingai/%s.map", name);
    throng_error error;
    throng_map *map = throng_map_read(path, NULL, &error);
    if (!map)
        fail_msg("%s", error.text);
    *columns = map->grid->width;
    *rows = map->grid->height;
    int32_t n = *columns * *rows, goal;
    uint8_t *cells = malloc((size_t)n);
    memcpy(cells, map->grid->free, (size_t)n);
    while (!cells[goal = (int32_t)draw(seed, (uint32_t)n)])
        ;
    cells[goal] = THRONG_FIELD_GOAL;
    throng_map_destroy(map);
    return cells;
}

static const char *const map_names[] = {"maze-32-32-2", "maze-128-128-2", "16room_000",
                                        "room-64-64-8", "empty-48-48",    "random-64-64-20"};
enum { MAPS = sizeof map_names / sizeof *map_names };

static void test_maps(void **state)
{
    (void)state;
    uint32_t seed = 7;
    for (int32_t i = 0; i < 2 * MAPS; i++) {
        int32_t columns, rows;
        uint8_t *cells = read_map(map_names[i % MAPS], &seed, &columns, &rows);
        if (i < MAPS || columns < 200)
            assert_arrives(cells, columns, rows);
        free(cells);
    }
}

/* A grid of any size, some of it walls, two cells of it goals; small ones have no line that halves them. */
static uint8_t *scatter(uint32_t *seed, int32_t *columns, int32_t *rows)
{
    *columns = 2 + (int32_t)draw(seed, 150);
    *rows = 1 + (int32_t)draw(seed, 60);
    int32_t n = *columns * *rows;
    uint8_t *cells = malloc((size_t)n);
    uint32_t walls = draw(seed, 35);
    for (int32_t c = 0; c < n; c++)
        cells[c] = draw(seed, 100) < walls ? THRONG_FIELD_WALL : THRONG_FIELD_FREE;
    cells[draw(seed, (uint32_t)n)] = THRONG_FIELD_GOAL;
    cells[draw(seed, (uint32_t)n)] = THRONG_FIELD_GOAL;
    return cells;
}

static void test_any_size(void **state)
{
    (void)state;
    uint32_t seed = 23;
    for (int32_t run = 0; run < 60; run++) {
        int32_t columns, rows;
        uint8_t *cells = scatter(&seed, &columns, &rows);
        assert_arrives(cells, columns, rows);
        free(cells);
    }
}

/* --- on a device --- */

static void assert_same_bits(const throng_stages *stages, const uint8_t *cells, int32_t columns, int32_t rows)
{
    throng_field *here = solve(cells, columns, rows, NULL), *there = solve(cells, columns, rows, stages);
    size_t bytes = (size_t)columns * (size_t)rows * sizeof(float);
    assert_int_equal(here->reached, there->reached);
    assert_memory_equal(here->level, there->level, bytes);
    assert_memory_equal(here->x, there->x, bytes);
    assert_memory_equal(here->y, there->y, bytes);
    assert_memory_equal(here->aim, there->aim, bytes);
    throng_field_destroy(here);
    throng_field_destroy(there);
}

/* The device does it itself: whoever asks for a field does not see whether the host had to. */
static void assert_solved_there(const throng_stages *stages, const uint8_t *cells, int32_t columns, int32_t rows)
{
    throng_field *f = solve(cells, columns, rows, NULL);
    throng_field_answer answer = {f->x, f->y, f->aim, f->level, 0, false};
    throng_error error;
    assert_true(stages->api->field(stages->backend, cells, columns, rows, &answer, &error));
    assert_true(answer.solved);
    assert_int_equal(f->reached, answer.reached);
    throng_field_destroy(f);
}

static void test_cuda(void **state)
{
    (void)state;
    const throng_backend_options any = {0};
    throng_stages stages;
    if (!throng_stages_open("cuda", &any, &stages, NULL))
        skip_because("no device");
    uint32_t seed = 5;
    for (int32_t i = 0; i < MAPS + 60; i++) {
        int32_t columns, rows;
        uint8_t *cells = i < MAPS ? read_map(map_names[i], &seed, &columns, &rows) : scatter(&seed, &columns, &rows);
        assert_same_bits(&stages, cells, columns, rows);
        free(cells);
    }
    enum { SIDE = 700 };
    uint8_t *cells = malloc(SIDE * SIDE);
    memset(cells, THRONG_FIELD_FREE, SIDE * SIDE);
    cells[SIDE * SIDE / 3] = THRONG_FIELD_GOAL;
    assert_solved_there(&stages, cells, SIDE, SIDE);
    assert_same_bits(&stages, cells, SIDE, SIDE);
    free(cells);
    throng_stages_close(&stages);
}

/* --- piece after piece --- */

static double *levels_of(const throng_field *f)
{
    double *u = malloc((size_t)f->columns * (size_t)f->rows * sizeof *u);
    for (int32_t c = 0; c < f->columns * f->rows; c++)
        u[c] = f->level[c] == 0 ? 0 : -INFINITY;
    return u;
}

/* From the goal on, as where the whole takes too much memory, comes to what the whole does. */
static void test_pieces(void **state)
{
    (void)state;
    uint32_t seed = 7;
    for (int32_t i = 0; i < MAPS; i++) {
        int32_t columns, rows;
        bool solved;
        uint8_t *cells = read_map(map_names[i], &seed, &columns, &rows);
        throng_field *f = solve(cells, columns, rows, NULL);
        double *u = levels_of(f);
        assert_true(throng_field_continue(cells, columns, rows, 1, u, columns * rows, &solved) && solved);
        for (int32_t c = 0; c < columns * rows; c++)
            if (!((float)u[c] == f->level[c] || fabs(u[c] - (double)f->level[c]) < 1e-7 * (1 - u[c])))
                fail_msg("%s at (%d, %d): %g, at once %g", map_names[i], c % columns, c / columns, u[c], f->level[c]);
        free(u);
        free(cells);
        throng_field_destroy(f);
    }
}

/* Where a piece ends just before another goal it lacks as much as it may: 2^-50, here beside the fronts' q. */
static void test_cuts(void **state)
{
    (void)state;
    enum { WIDE = 5, LONG = 240 };
    for (int32_t columns = 150; columns <= LONG; columns++) {
        uint8_t cells[WIDE * LONG];
        double q[WIDE * LONG], u[WIDE * LONG];
        bool solved;
        int32_t n = WIDE * columns;
        for (int32_t c = 0; c < n; c++) {
            bool wall = c < columns || c >= n - columns, goal = c % columns == 0 || c % columns == columns - 1;
            cells[c] = wall ? THRONG_FIELD_WALL : goal ? THRONG_FIELD_GOAL : THRONG_FIELD_FREE;
            u[c] = cells[c] == THRONG_FIELD_GOAL ? 0 : -INFINITY;
        }
        assert_true(throng_field_dissect(cells, columns, WIDE, NULL, INT64_MAX, 1, q, &solved) && solved);
        assert_true(throng_field_continue(cells, columns, WIDE, 1, u, n, &solved) && solved);
        for (int32_t c = 0; c < n; c++)
            if (cells[c] == THRONG_FIELD_FREE && !(fabs(u[c] - log(q[c])) < 0x1p-50 * (1 - u[c])))
                fail_msg("%d columns, at (%d, %d): %.17g, at once %.17g", columns, c % columns, c / columns, u[c],
                         log(q[c]));
    }
}

/* --- q, in doubles --- */

/* q by plain elimination in long doubles, of the free cells' equations. */
static long double *reference(const uint8_t *cells, int32_t columns, int32_t rows, const double *given)
{
    int32_t n = columns * rows, band = columns + 1;
    long double *m = calloc((size_t)n * (size_t)(2 * band), sizeof *m), *q = calloc((size_t)n, sizeof *q);
    const int32_t step[] = {1, -1, columns, -columns};
    for (int32_t c = 0; c < n; c++) {
        long double *row = m + (int64_t)c * 2 * band + columns; /* row[b - c] */
        const bool in[] = {c % columns + 1 < columns, c % columns > 0, c / columns + 1 < rows, c >= columns};
        row[0] = 4;
        for (int d = 0; d < 4 && cells[c] == THRONG_FIELD_FREE; d++) {
            if (in[d] && cells[c + step[d]] == THRONG_FIELD_FREE)
                row[step[d]] = -1;
            if (in[d] && cells[c + step[d]] == THRONG_FIELD_GOAL)
                q[c] += (long double)given[c + step[d]];
        }
    }
    for (int32_t p = 0; p < n; p++)
        for (int32_t c = p + 1; c < n && c <= p + columns; c++) {
            const long double *own = m + (int64_t)p * 2 * band + columns;
            long double *row = m + (int64_t)c * 2 * band + columns, part = row[p - c] / own[0];
            for (int32_t b = p; b <= p + columns && part != 0; b++)
                row[b - c] -= part * own[b - p];
            q[c] -= part * q[p];
        }
    for (int32_t c = n - 1; c >= 0; c--) {
        const long double *row = m + (int64_t)c * 2 * band + columns;
        for (int32_t b = c + 1; b < n && b <= c + columns; b++)
            q[c] -= row[b - c] * q[b];
        q[c] /= row[0];
    }
    free(m);
    return q;
}

static void test_precise(void **state)
{
    (void)state;
    uint32_t seed = 31;
    for (int32_t run = 0; run < 30; run++) {
        int32_t columns, rows;
        bool solved;
        uint8_t *cells = scatter(&seed, &columns, &rows);
        size_t n = (size_t)columns * (size_t)rows;
        double *given = malloc(n * sizeof *given), *q = malloc(n * sizeof *q);
        for (size_t c = 0; c < n; c++)
            given[c] = (1 + draw(&seed, 1000)) / 1000.;
        long double *exact = reference(cells, columns, rows, given);
        assert_true(throng_field_dissect(cells, columns, rows, given, INT64_MAX, 1, q, &solved) && solved);
        for (size_t c = 0; c < n; c++)
            if (cells[c] == THRONG_FIELD_FREE && !(fabsl(q[c] - exact[c]) <= 0x1p-46L * exact[c] + 1e-300L))
                fail_msg("%d x %d, cell %zu: %.17g, not %.20Lg", columns, rows, c, q[c], exact[c]);
        free(cells);
        free(given);
        free(q);
        free(exact);
    }
}

/* A hall that is too open for pieces is solved at once, whatever that takes, and to the same bits as a smaller one
 * would be; one that cannot be is an error. */
static void test_too_open(void **state)
{
    (void)state;
    enum { SIDE = 400 };
    static uint8_t cells[SIDE * SIDE];
    memset(cells, THRONG_FIELD_FREE, SIDE * SIDE);
    cells[0] = THRONG_FIELD_GOAL;
    throng_field *f = solve(cells, SIDE, SIDE, NULL);
    refused = 1;
    throng_field *at_last = solve(cells, SIDE, SIDE, NULL);
    assert_int_equal(refused, 0);
    assert_memory_equal(f->level, at_last->level, sizeof(float) * SIDE * SIDE);
    throng_field_destroy(f);
    throng_field_destroy(at_last);
    throng_error error = {""};
    refused = INT32_MAX;
    assert_null(throng_field_solve(cells, SIDE, SIDE, NULL, &error));
    assert_string_equal(error.text, "a field of 400 x 400 cells is too wide for so much open floor; use routing = "
                                    "\"navmesh\" there, or larger agents");
    refused = 0;
}

/* Floor within a goal, and a bay of it, where 1 - p is 1 but for rounding. */
static void test_enclosed(void **state)
{
    (void)state;
    enum { W = 120, H = 60 };
    static uint8_t cells[W * H];
    for (int32_t y = 0; y < H; y++)
        for (int32_t x = 0; x < W; x++) {
            bool goal = x >= 20 && x < 100 && y >= 10 && y < 50, court = x >= 25 && x < 50 && y >= 15 && y < 45;
            bool bay = x >= 60 && y >= 28 && y < 31;
            cells[y * W + x] = goal && !court && !bay ? THRONG_FIELD_GOAL : THRONG_FIELD_FREE;
        }
    throng_field *f = solve(cells, W, H, NULL);
    assert_int_equal(assert_all_arrive(f, cells), W * H);
    throng_field_destroy(f);
}

/* --- the harmonic property --- */

/* 1 on the inner circle, 0 on the outer: q = ln(outer / r) / ln(outer / inner). */
static void test_annulus(void **state)
{
    (void)state;
    enum { SIDE = 161, MIDDLE = SIDE / 2, OUTER = 78, INNER = 20 };
    static uint8_t cells[SIDE * SIDE];
    for (int32_t c = 0; c < SIDE * SIDE; c++) {
        double r = hypot(c % SIDE - MIDDLE, c / SIDE - MIDDLE);
        cells[c] = r >= OUTER ? THRONG_FIELD_WALL : r <= INNER ? THRONG_FIELD_GOAL : THRONG_FIELD_FREE;
    }
    throng_field *f = solve(cells, SIDE, SIDE, NULL);
    for (int32_t c = 0; c < SIDE * SIDE; c++) {
        double x = c % SIDE - MIDDLE, y = c / SIDE - MIDDLE, r = hypot(x, y);
        if (cells[c] != THRONG_FIELD_FREE)
            continue;
        double exact = log(OUTER / r) / log((double)OUTER / INNER);
        if (!(fabs(exp(f->level[c]) - exact) < 0.03)) /* circles of cells are ragged */
            fail_msg("at (%g, %g): %g, not %g", x, y, exp(f->level[c]), exact);
        if (r > INNER + 4 && r < OUTER - 4)
            assert_true(f->x[c] * -x / r + f->y[c] * -y / r > 0.98);
    }
    throng_field_destroy(f);
}

/* One side 1, three 0: the discrete series, which the grid follows to the last digit. */
static void test_rectangle(void **state)
{
    (void)state;
    enum { W = 40, H = 30 };
    static uint8_t cells[(W + 1) * (H + 1)];
    for (int32_t y = 0; y <= H; y++)
        for (int32_t x = 0; x <= W; x++)
            cells[y * (W + 1) + x] = x == 0 || x == W || y == H ? THRONG_FIELD_WALL
                                     : y == 0                   ? THRONG_FIELD_GOAL
                                                                : THRONG_FIELD_FREE;
    throng_field *f = solve(cells, W + 1, H + 1, NULL);
    for (int32_t y = 1; y < H; y++)
        for (int32_t x = 1; x < W; x++) {
            double sum = 0;
            for (int32_t k = 1; k < W; k += 2) {
                double weight = 2.0 / W / tan(M_PI * k / (2 * W)); /* of sin(pi k x / W) in 1 on the grid */
                double fall = acosh(2 - cos(M_PI * k / W));
                sum += weight * sin(M_PI * k * x / W) * sinh(fall * (H - y)) / sinh(fall * H);
            }
            assert_true(fabs(f->level[y * (W + 1) + x] - log(sum)) < 2e-6 * (1 + fabs(log(sum))));
        }
    throng_field_destroy(f);
}

/* Along a corridor n cells wide 1 - p falls by acosh(2 - cos(pi / (n + 1))) a cell, however far from the goal. */
static void test_corridors(void **state)
{
    (void)state;
    enum { LONG = 6000 };
    for (int32_t width = 1; width <= 15; width += 1 + width / 3) {
        int32_t rows = width + 2;
        uint8_t *cells = calloc((size_t)(LONG * rows), 1);
        for (int32_t y = 1; y <= width; y++)
            for (int32_t x = 0; x < LONG; x++)
                cells[y * LONG + x] = x ? THRONG_FIELD_FREE : THRONG_FIELD_GOAL;
        throng_field *f = solve(cells, LONG, rows, NULL);
        double fall = acosh(2 - cos(M_PI / (width + 1)));
        int32_t row = (1 + width / 2) * LONG;
        double measured = (f->level[row + 1000] - f->level[row + 5000]) / 4000;
        if (!(fabs(measured - fall) < 1e-6))
            fail_msg("width %d: %g, not %g, a cell", width, measured, fall);
        throng_field_destroy(f);
        free(cells);
    }
}

static void test_no_goal(void **state)
{
    (void)state;
    const uint8_t cells[4] = {1, 1, 0, 1};
    throng_error error = {""};
    assert_null(throng_field_solve(cells, 2, 2, NULL, &error));
    assert_string_equal(error.text, "no cell of the field is a goal");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_perfect_maze), cmocka_unit_test(test_maps),      cmocka_unit_test(test_any_size),
        cmocka_unit_test(test_cuda),         cmocka_unit_test(test_pieces),    cmocka_unit_test(test_cuts),
        cmocka_unit_test(test_precise),      cmocka_unit_test(test_too_open),  cmocka_unit_test(test_enclosed),
        cmocka_unit_test(test_annulus),      cmocka_unit_test(test_rectangle), cmocka_unit_test(test_corridors),
        cmocka_unit_test(test_no_goal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
