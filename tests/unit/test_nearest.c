/* The nearest of many points, against looking at all of them. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/random.h"
#include "world/nearest.h"

enum { POINTS = 500, MOST = 40 };

typedef double place_function(uint32_t number, uint32_t which);

static double anywhere(uint32_t number, uint32_t which) { return 100 * throng_random(3, number, 0, which, 98); }
static double on_a_line(uint32_t number, uint32_t which) { return which ? 7 : anywhere(number, 0); }
static double in_steps(uint32_t number, uint32_t which) { return floor(anywhere(number, which) / 20); }
static double at_one_point(uint32_t number, uint32_t which) { return 4 + 0 * anywhere(number, which); }

static int by_distance(const void *a, const void *b)
{
    const throng_found *x = a, *y = b;
    int order = (x->square > y->square) - (x->square < y->square);
    return order ? order : x->number - y->number;
}

static void check(const throng_point *points, const int32_t *order, int32_t count, int32_t from, double reach,
                  int32_t most)
{
    throng_found all[POINTS], found[POINTS];
    int32_t within = 0;
    for (int32_t i = 0; i < count; i++) {
        double dx = points[i].x - points[from].x, dy = points[i].y - points[from].y;
        if (dx * dx + dy * dy <= reach * reach)
            all[within++] = (throng_found){dx * dx + dy * dy, i};
    }
    qsort(all, (size_t)within, sizeof *all, by_distance);
    int32_t got = throng_nearest_find(order, count, points, points[from], reach, found, most);
    assert_int_equal(got, within < most ? within : most);
    for (int32_t i = 0; i < got; i++) {
        assert_int_equal(found[i].number, all[i].number);
        assert_true(found[i].square == all[i].square);
    }
}

static void test_like_all(void **state)
{
    (void)state;
    place_function *const places[] = {anywhere, on_a_line, in_steps, at_one_point};
    throng_point points[POINTS];
    int32_t order[POINTS];
    for (size_t p = 0; p < sizeof places / sizeof *places; p++)
        for (int32_t count = 1; count <= POINTS; count = count * 3 + 1) {
            for (int32_t i = 0; i < count; i++) {
                points[i] = (throng_point){places[p]((uint32_t)i, 0), places[p]((uint32_t)i, 1)};
                order[i] = i;
            }
            throng_nearest_sort(order, count, points);
            for (int32_t from = 0; from < count; from += 7)
                for (int32_t most = 0; most <= MOST; most += 13) {
                    check(points, order, count, from, INFINITY, most);
                    check(points, order, count, from, 10, most);
                    check(points, order, count, from, 0, most);
                }
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_like_all)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
