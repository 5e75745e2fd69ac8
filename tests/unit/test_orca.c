/* ORCA's linear programs, one lane wide. */
#include <string.h>

#include "crowds.h"

#include "kernels/planners/orca.h"

enum { LINES = 6, EMPTY = 3, PROBLEMS = 200000 };

static float draw(int32_t problem, int32_t line, uint32_t what, double least, double most)
{
    return (float)(least + (most - least) * throng_random(11, (uint32_t)problem, (uint32_t)line, what, 98));
}

/* Lines that nearly touch one circle: what the first program finds no velocity for, the second may, by rounding. */
static void make_lines(int32_t problem, orca_lines *l)
{
    memset(l, 0, sizeof *l);
    for (int32_t i = 0; i < LINES; i++) {
        float angle = draw(problem, i, 0, 0, 6.2831853), off = draw(problem, i, 1, -1e-6, 1e-6);
        l->dx[i] = cosf(angle);
        l->dy[i] = sinf(angle);
        l->px[i] = 0.3f - off * l->dy[i];
        l->py[i] = 0.2f + off * l->dx[i];
    }
}

/* Is it solved by the second program? */
static bool solve(const orca_lines *l, int count, float *x, float *y)
{
    int32_t failed = orca_program2(l, count, 2, 2, -1, false, true, x, y);
    orca_program3(l, 0, count, failed, 2, true, x, y);
    return failed < count;
}

/* Lanes of one vector have as many lines as the one that has most: the others' last are empty. */
static void empty_lines_change_nothing(void **state)
{
    (void)state;
    orca_lines lines;
    int32_t hard = 0;
    for (int32_t p = 0; p < PROBLEMS; p++) {
        float x, y, also_x, also_y;
        make_lines(p, &lines);
        hard += solve(&lines, LINES, &x, &y);
        solve(&lines, LINES + EMPTY, &also_x, &also_y);
        if (x != also_x || y != also_y)
            fail_msg("problem %d: (%g, %g), with empty lines (%g, %g)", p, (double)x, (double)y, (double)also_x,
                     (double)also_y);
    }
    assert_true(hard > PROBLEMS / 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(empty_lines_change_nothing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
