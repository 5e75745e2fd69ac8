/* Which boxes meet, against looking at all pairs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/random.h"
#include "map/box_pairs.h"

enum { BOXES = 400 };

static double draw(uint32_t number, uint32_t which, uint32_t list) { return throng_random(5, number, list, which, 99); }

/* `wide` of ten are up to as wide as the plane; on a grid, so that some only touch. */
static throng_bounds box(uint32_t number, uint32_t list, int wide, double grid)
{
    double size = draw(number, 4, list) * 10 < wide ? 100 : 4;
    double x = 100 * draw(number, 0, list), y = 100 * draw(number, 1, list);
    throng_bounds b = {x, y, x + size * draw(number, 2, list), y + size * draw(number, 3, list)};
    double *of[] = {&b.x0, &b.y0, &b.x1, &b.y1};
    for (int i = 0; i < 4 && grid > 0; i++)
        *of[i] = grid * (double)(int)(*of[i] / grid);
    return b;
}

static void check(const throng_bounds *a, int32_t a_count, const throng_bounds *b, int32_t b_count)
{
    throng_box_pairs pairs;
    assert_true(throng_box_pairs_find(a, a_count, b, b_count, &pairs));
    for (int32_t i = 0; i < a_count; i++) {
        int32_t at = pairs.start[i];
        for (int32_t j = 0; j < b_count; j++)
            if (a[i].x0 <= b[j].x1 && b[j].x0 <= a[i].x1 && a[i].y0 <= b[j].y1 && b[j].y0 <= a[i].y1) {
                assert_true(at < pairs.start[i + 1]);
                assert_int_equal(j, pairs.list[at++]);
            }
        assert_int_equal(at, pairs.start[i + 1]);
    }
    throng_box_pairs_fini(&pairs);
}

static void pairs_are_those_of_all(void **state)
{
    (void)state;
    throng_bounds a[BOXES], b[BOXES];
    for (int wide = 0; wide <= 10; wide += 2)
        for (int grid = 0; grid < 3; grid++)
            for (int32_t count = 0; count <= BOXES; count = count * 3 + 1) {
                for (int32_t i = 0; i < BOXES; i++) {
                    a[i] = box((uint32_t)i, 0, wide, grid);
                    b[i] = box((uint32_t)i, 1, wide, grid);
                }
                check(a, BOXES, b, count);
                check(b, count, a, BOXES);
            }
}

static void boxes_of_no_size_at_one_place_meet(void **state)
{
    (void)state;
    const throng_bounds at[3] = {{7, 7, 7, 7}, {7, 7, 7, 7}, {7, 7, 7, 7}};
    check(at, 3, at, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_are_those_of_all),
        cmocka_unit_test(boxes_of_no_size_at_one_place_meet),
    };
    return cmocka_run_group_tests_name("box_pairs", tests, NULL, NULL);
}
