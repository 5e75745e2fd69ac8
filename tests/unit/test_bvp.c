/* Local maps: what they are relaxed to. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../../kernels/bvp.h"

/* Equation 2 with constant epsilon and v is solved on the grid by (left / right)^i and (down / up)^j, i and j counted
 * in cells; as cells shrink these become e^(-epsilon v_x x) and e^(-epsilon v_y y). Given on the rim, they come out
 * inside. */
static void test_closed_form(void **state)
{
    (void)state;
    static const float cases[][3] = {{0, 1, 0}, {-1, 1, 0}, {1, 3, -4}, {-1.9f, 0, 2}, {1.5f, -1, -1}};
    static bvp_maps maps;
    for (int size = 9; size <= BVP_CELLS_MAX; size++)
        for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
            bvp_map m = {.size = size};
            bvp_weigh(cases[c][0], cases[c][1], cases[c][2], &m);
            double x = (double)m.left / m.right, y = (double)m.down / m.up;
            for (int k = 0; k < size * size; k++) {
                int i = k % size, j = k / size;
                bool rim = i == 0 || j == 0 || i == size - 1 || j == size - 1;
                double exact = (pow(x, x > 1 ? i - size : i) + pow(y, y > 1 ? j - size : j)) / 2;
                maps.q[k] = rim ? (float)exact : 0;
                maps.rate[k] = rim ? 0 : m.over;
            }
            for (int s = 0; s < 200; s++) {
                bvp_sweep(&m, &maps, 0);
                bvp_sweep(&m, &maps, 1);
            }
            for (int k = 0; k < size * size; k++) {
                int i = k % size, j = k / size;
                double exact = (pow(x, x > 1 ? i - size : i) + pow(y, y > 1 ? j - size : j)) / 2;
                if (fabs(maps.q[k] - exact) > 2e-6)
                    fail_msg("size %d, case %zu, cell (%d, %d): %g, not %g", size, c, i, j, maps.q[k], exact);
            }
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_closed_form)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
