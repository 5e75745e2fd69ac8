/* Local maps: what they are relaxed to. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "kernels/planners/bvp.h"

/* Equation 2 with constant epsilon and v is solved on the grid by (left / right)^i and (down / up)^j, i and j counted
 * in cells; as cells shrink these become e^(-epsilon v_x x) and e^(-epsilon v_y y). Given on the rim, they come out
 * inside. */
static void test_closed_form(void **state)
{
    (void)state;
    static const float cases[][3] = {{0, 1, 0}, {-1, 1, 0}, {1, 3, -4}, {-1.9f, 0, 2}, {1.5f, -1, -1}};
    static bvp_maps maps;
    for (int width = 9; width <= BVP_CELLS_MAX; width += width < 22 ? 1 : 6)
        for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
            int height = c % 2 == 0 ? width : 9 + 17 * width % 56;
            bvp_map m = {.width = width, .height = height, .sweeps = width < 22 && height < 22 ? 800 : 3000};
            bvp_weigh(cases[c][0], cases[c][1], cases[c][2], &m);
            double x = (0.25 - m.bend_x) / (0.25 + m.bend_x), y = (0.25 - m.bend_y) / (0.25 + m.bend_y);
            for (int k = 0; k < width * height; k++) {
                int i = k % width, j = k / width;
                bool rim = i == 0 || j == 0 || i == width - 1 || j == height - 1;
                double exact = (pow(x, x > 1 ? i - width : i) + pow(y, y > 1 ? j - height : j)) / 2;
                maps.q[k] = rim ? (float)exact : 0;
                maps.changes[k] = !rim;
            }
            bvp_relax(&m, &maps, -1);
            for (int k = 0; k < width * height; k++) {
                int i = k % width, j = k / width;
                double exact = (pow(x, x > 1 ? i - width : i) + pow(y, y > 1 ? j - height : j)) / 2;
                if (fabs(maps.q[k] - exact) > 5e-6)
                    fail_msg("%d x %d cells, case %zu, cell (%d, %d): %g, not %g", width, height, c, i, j, maps.q[k],
                             exact);
            }
        }
}

static double draw(uint32_t *seed, double from, double to)
{
    *seed = *seed * 1664525 + 1013904223;
    return from + (to - from) * *seed / 4294967296.0;
}

/* Equation 2 as the paper has it: the row of cell k of `a`, in columns k - l .. k + l, and its side of the equation. */
static void equation_of(const bvp_map *m, const bvp_maps *drawn, int k, double bend_x, double bend_y, double *a,
                        double *b)
{
    int l = m->width;
    a[l] = 1;
    *b = drawn->changes[k] ? 0 : (double)drawn->q[k] / (double)BVP_ONE;
    if (!drawn->changes[k])
        return;
    a[l + 1] = -(0.25 + bend_x);
    a[l - 1] = -(0.25 - bend_x);
    a[2 * l] = -(0.25 + bend_y); /* rows count upwards here */
    a[0] = -(0.25 - bend_y);
}

/* All of them at once, by elimination; exact[k] is 1 - p, which the equation holds for, too. Rows are dominated by
 * their middle, so no pivots are needed. */
static void solve_directly(const bvp_map *m, const bvp_maps *drawn, double epsilon, double vx, double vy, double *exact)
{
    int l = m->width, n = l * m->height, row = 2 * l + 1;
    double *a = calloc((size_t)(n * row), sizeof *a), scale = epsilon / hypot(vx, vy) / 8;
    for (int k = 0; k < n; k++)
        equation_of(m, drawn, k, scale * vx, scale * vy, a + k * row, &exact[k]);
    for (int k = 0; k < n; k++)
        for (int i = k + 1; i <= k + l && i < n; i++) {
            double factor = a[i * row + k - i + l] / a[k * row + l];
            for (int j = k; factor != 0 && j <= k + l; j++)
                a[i * row + j - i + l] -= factor * a[k * row + j - k + l];
            exact[i] -= factor * exact[k];
        }
    for (int k = n - 1; k >= 0; k--) {
        for (int j = k + 1; j <= k + l && j < n; j++)
            exact[k] -= a[k * row + j - k + l] * exact[j];
        exact[k] /= a[k * row + l];
    }
    free(a);
}

/* Somebody, a wall, the goal and a way to the rim somewhere, and a heading. */
static void draw_map(uint32_t *seed, int width, int height, bvp_map *m, bvp_around *around)
{
    double heading = draw(seed, -M_PI, M_PI), to = draw(seed, -M_PI, M_PI);
    *around = (bvp_around){.others = 3, .walls = 1};
    for (int s = 0; s < around->others; s++)
        around->other[s] = (bvp_other){(float)draw(seed, -2, 2), (float)draw(seed, -2, 2), 0.2f, -1};
    float ex = (float)draw(seed, -3, 3), ey = (float)draw(seed, 1, 3);
    around->wall[0] = (bvp_wall){1, (float)draw(seed, -2, 0), ex, ey, 1 / (ex * ex + ey * ey), -1};
    *m = (bvp_map){.width = width,
                   .height = height,
                   .column = (width - 1) / 2,
                   .row = (height - 1) / 2,
                   .cell = 0.25f,
                   .radius = 0.25f,
                   .around = around};
    m->hx = (float)cos(heading);
    m->hy = (float)sin(heading);
    m->to_x = (float)cos(to);
    m->to_y = (float)sin(to);
    m->cone = -0.5f;
    m->goal_x = (float)floor(draw(seed, -6, 6));
    m->goal_y = (float)floor(draw(seed, -6, 6));
}

/* Among obstacles and goals there is no closed form: the equations of all cells, solved at once. */
static void test_direct_solution(void **state)
{
    (void)state;
    static const int sizes[][2] = {{9, 9}, {11, 11}, {16, 16}, {21, 21}, {9, 24}, {26, 10}};
    static bvp_maps maps;
    static double exact[BVP_CELLS_MAX * BVP_CELLS_MAX];
    uint32_t seed = 5;
    int given = 0;
    for (int run = 0; run < 24; run++) {
        double epsilon = draw(&seed, -1.95, 1.95), vx = draw(&seed, -2, 2), vy = draw(&seed, -2, 2);
        int width = sizes[run % 6][0], height = sizes[run % 6][1];
        bvp_around around;
        bvp_map m;
        draw_map(&seed, width, height, &m, &around);
        bvp_weigh((float)epsilon, (float)vx, (float)vy, &m);
        m.sweeps = 400;
        bvp_fill(&m, &maps);
        solve_directly(&m, &maps, epsilon, vx, vy, exact);
        bvp_relax(&m, &maps, -1);
        for (int k = 0; k < width * height; k++) {
            given += !maps.changes[k];
            double q = (double)maps.q[k] / (double)BVP_ONE;
            if (fabs(q - exact[k]) > 3e-6)
                fail_msg("run %d, %d x %d cells, epsilon %g, v (%g, %g), cell (%d, %d): %g, not %g", run, width, height,
                         epsilon, vx, vy, k % width, k / width, q, exact[k]);
        }
        given -= 2 * (width + height) - 4;
    }
    assert_true(given > 200); /* not the rims alone */
}

/* A map of l x l cells of 0.15 m in a crowd of bodies of 0.25 m, one to 44 cells: what they touch is an obstacle, but
 * in the outer zone and where the agent is; the way leads to the right. */
static void draw_crowd(uint32_t *seed, int l, bvp_map *m, bvp_maps *maps)
{
    enum { LESS = 2 }; /* cells of the zone */
    *m = (bvp_map){.width = l, .height = l, .column = (l - 1) / 2, .row = (l - 1) / 2};
    m->sweeps = bvp_enough_sweeps(l);
    for (int k = 0; k < l * l; k++) {
        int i = k % l, j = k / l;
        maps->changes[k] = i > 0 && j > 0 && i < l - 1 && j < l - 1;
        maps->q[k] = i == l - 1 && abs(j - m->row) < 2 ? BVP_ONE : 0;
    }
    for (int s = 0; s < l * l / 44; s++) {
        double x = draw(seed, 0, l), y = draw(seed, 0, l);
        for (int k = 0; k < l * l; k++) {
            int i = k % l, j = k / l;
            bool inner = i >= LESS && j >= LESS && i < l - LESS && j < l - LESS && (i != m->column || j != m->row);
            if (inner && hypot(x - i, y - j) < 0.98 * 0.5 / 0.15)
                maps->changes[k] = 0;
        }
    }
}

static double direction(double left, double right, double down, double up) { return atan2(up - down, right - left); }

/* Where the agent in cell `at` goes, which walks as it was heading before. */
static double direction_taken(const bvp_maps *maps, int at, int l)
{
    float x = maps->q[at + 1] - maps->q[at - 1], y = maps->q[at + l] - maps->q[at - l], vx, vy, hx, hy;
    double to = atan2(y, x);
    bvp_map m = {.speed = 1, .hx = (float)cos(to), .hy = (float)sin(to)};
    m.to_x = -m.hx;
    m.to_y = -m.hy;
    bvp_move(&m, x, y, &vx, &vy, &hx, &hy);
    return atan2(vy, vx);
}

/* The sweeps that maps have by default are enough, in crowds, at any size, however small q is at the middle. */
static void test_crowds_settle(void **state)
{
    (void)state;
    static const int sizes[] = {9, 16, 22, 32, 40, 48};
    static bvp_maps maps;
    static double exact[BVP_CELLS_MAX * BVP_CELLS_MAX];
    uint32_t seed = 8;
    int open = 0, faint = 0;
    for (int run = 0; run < 240; run++) {
        int l = sizes[run % 6], at = (l - 1) / 2 * (l + 1);
        double epsilon = run % 3 == 0 ? draw(&seed, -1.9, 1.9) : 0, vx = draw(&seed, -1, 1), vy = draw(&seed, -1, 1);
        bvp_map m;
        draw_crowd(&seed, l, &m, &maps);
        bvp_weigh((float)epsilon, (float)vx, (float)vy, &m);
        solve_directly(&m, &maps, epsilon, vx, vy, exact);
        bvp_relax(&m, &maps, -1);
        if (exact[at] == 0) /* shut in */
            continue;
        open++;
        faint += exact[at] < 1e-30;
        double to = direction(exact[at - 1], exact[at + 1], exact[at - l], exact[at + l]),
               angle = direction_taken(&maps, at, l);
        if (fabs(remainder(angle - to, 2 * M_PI)) > 0.1)
            fail_msg("run %d, %d cells, epsilon %g, q %g: %g rad, not %g", run, l, epsilon, exact[at], angle, to);
    }
    assert_true(open > 150 && faint > 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_closed_form), cmocka_unit_test(test_direct_solution),
                                       cmocka_unit_test(test_crowds_settle)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
