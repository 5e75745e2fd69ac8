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
    for (int width = 9; width <= BVP_CELLS_MAX; width++)
        for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
            int height = c % 2 == 0 ? width : 9 + 17 * width % 56;
            bvp_map m = {.width = width, .height = height, .sweeps = 800};
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

/* Solves a x = b of n unknowns by elimination with pivots; the solution is left in b. */
static void solve(double *a, double *b, int n)
{
    for (int k = 0; k < n; k++) {
        int pivot = k;
        for (int i = k + 1; i < n; i++)
            pivot = fabs(a[i * n + k]) > fabs(a[pivot * n + k]) ? i : pivot;
        for (int j = 0; pivot != k && j <= n; j++) {
            double *one = j < n ? &a[k * n + j] : &b[k], *two = j < n ? &a[pivot * n + j] : &b[pivot], kept = *one;
            *one = *two;
            *two = kept;
        }
        for (int i = k + 1; i < n; i++) {
            double factor = a[i * n + k] / a[k * n + k];
            for (int j = k; factor != 0 && j < n; j++)
                a[i * n + j] -= factor * a[k * n + j];
            b[i] -= factor * b[k];
        }
    }
    for (int k = n - 1; k >= 0; k--) {
        for (int j = k + 1; j < n; j++)
            b[k] -= a[k * n + j] * b[j];
        b[k] /= a[k * n + k];
    }
}

/* Equation 2 as the paper has it, of p: a row a cell, all of them at once; exact[k] is 1 - p. */
static void solve_directly(const bvp_map *m, const bvp_maps *drawn, double epsilon, double vx, double vy, double *exact)
{
    int l = m->width, n = l * m->height;
    double *a = calloc((size_t)(n * n), sizeof *a), length = hypot(vx, vy);
    vx /= length;
    vy /= length;
    for (int k = 0; k < n; k++) {
        a[k * n + k] = 1;
        exact[k] = drawn->changes[k] ? 0 : 1 - (double)drawn->q[k];
        if (!drawn->changes[k])
            continue;
        a[k * n + k + 1] = -(0.25 + epsilon * vx / 8);
        a[k * n + k - 1] = -(0.25 - epsilon * vx / 8);
        a[k * n + k + l] = -(0.25 + epsilon * vy / 8); /* rows count upwards here */
        a[k * n + k - l] = -(0.25 - epsilon * vy / 8);
    }
    solve(a, exact, n);
    for (int k = 0; k < n; k++)
        exact[k] = 1 - exact[k];
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
            if (fabs(maps.q[k] - exact[k]) > 3e-6)
                fail_msg("run %d, %d x %d cells, epsilon %g, v (%g, %g), cell (%d, %d): %g, not %g", run, width, height,
                         epsilon, vx, vy, k % width, k / width, maps.q[k], exact[k]);
        }
        given -= 2 * (width + height) - 4;
    }
    assert_true(given > 200); /* not the rims alone */
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_closed_form), cmocka_unit_test(test_direct_solution)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
