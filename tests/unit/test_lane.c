/* The lane type's own functions against the C library's in double precision, at the scalar width (the programs' test
 * holds the other widths to that). */
#include "kernels/lane/lane_math.h"
#include "kernels/lane/noise.h"
#include "kernels/lane/philox.h"

#include "crowds.h"

/* Numbers of all sizes: a sign, a power of two in [from, to), a fraction. */
static float sample(int32_t i, double from, double to)
{
    double power = from + (to - from) * crowd_uniform(i, 10), sign = crowd_uniform(i, 11) < 0.5 ? -1 : 1;
    return (float)(sign * exp2(power) * (1 + crowd_uniform(i, 12)));
}

enum { SAMPLES = 200000 };

static void near(const char *name, float argument, float got, double expected, double within)
{
    if (!(fabs((double)got - expected) <= within))
        fail_msg("%s(%a) is %a, expected %a within %g", name, (double)argument, (double)got, expected, within);
}

/* What a compiler must keep (Makefile: EXACT): a double that becomes a float is rounded, also where two of them do. */
typedef struct pair {
    double x, y;
} pair;

__attribute__((noipa)) static bool is_rounded(pair p) { return p.x == 1 && p.y == 3; }

__attribute__((noipa)) static bool keep_rounded(pair *to, pair p)
{
    p = (pair){(float)p.x, (float)p.y};
    if (!is_rounded(p))
        return false;
    *to = p;
    return true;
}

static void test_rounding(void **state)
{
    (void)state;
    pair got = {0, 0};
    assert_true(keep_rounded(&got, (pair){0x1p-30 + 1, 0x1p-30 + 3}));
    assert_true(got.x == 1 && got.y == 3);
}

static void test_exp(void **state)
{
    (void)state;
    for (int32_t i = 0; i < SAMPLES; i++) {
        float a = sample(i, -20, 6);
        double expected = exp((double)a);
        if (expected < 3.4e38 && expected > 1.2e-38)
            near("exp", a, lane_exp(a), expected, 1.2e-7 * expected);
        else if (expected < 1e-38)
            near("exp", a, lane_exp(a), expected, 2e-45); /* denormals, to a bit */
    }
    assert_true(lane_exp(-INFINITY) == 0 && lane_exp(-200) == 0 && lane_exp(0) == 1);
    assert_true(isinf(lane_exp(INFINITY)) && isinf(lane_exp(89)) && isnan(lane_exp(NAN)));
}

static void test_log(void **state)
{
    (void)state;
    for (int32_t i = 0; i < SAMPLES; i++) {
        float a = fabsf(sample(i, i % 2 ? -148 : -2, i % 2 ? 127 : 2));
        double expected = log((double)a);
        near("log", a, lane_log(a), expected, 1.2e-7 * fmax(1, fabs(expected)));
    }
    assert_true(lane_log(1) == 0 && lane_log(0) == -INFINITY && lane_log(INFINITY) == INFINITY);
    assert_true(isnan(lane_log(-1)) && isnan(lane_log(NAN)) && isnan(lane_log(-INFINITY)));
}

static void test_atan2(void **state)
{
    (void)state;
    for (int32_t i = 0; i < SAMPLES; i++) {
        float x = sample(i, -30, 30), y = sample(i + SAMPLES, -30, 30);
        near("atan2", y / x, lane_atan2(y, x), atan2((double)y, (double)x), 3e-7);
    }
    const float special[] = {0.0f, -0.0f, 1, -1, INFINITY, -INFINITY};
    for (int a = 0; a < 6; a++)
        for (int b = 0; b < 6; b++) {
            float got = lane_atan2(special[a], special[b]);
            near("atan2", special[a], got, atan2((double)special[a], (double)special[b]), 3e-7);
            assert_int_equal(signbit(got) != 0, signbit(special[a]) != 0);
        }
    assert_true(isnan(lane_atan2(NAN, 1)) && isnan(lane_atan2(1, NAN)));
}

static void test_sincos(void **state)
{
    (void)state;
    for (int32_t i = 0; i < SAMPLES; i++) {
        float a = sample(i, -20, 12), s, c;
        lane_sincos(a, &s, &c);
        near("sin", a, s, sin((double)a), 2e-7);
        near("cos", a, c, cos((double)a), 2e-7);
    }
}

static void test_floor(void **state)
{
    (void)state;
    for (int32_t i = 0; i < SAMPLES; i++) {
        float a = sample(i, -10, 40);
        assert_true(lane_floor(a) == floorf(a));
    }
    assert_true(lane_floor(-0.5f) == -1 && lane_floor(2) == 2 && lane_floor(-INFINITY) == -INFINITY);
    assert_true(isnan(lane_floor(NAN)));
}

static void test_philox(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 1000; i++) {
        uint32_t words[4];
        uint64_t key = 0x9E3779B97F4A7C15u * (i + 1);
        throng_philox(key, (const uint32_t[4]){i, 7 * i, ~i, 3}, words);
        philox_words got = philox_random(key, i, 7 * i, ~i, 3);
        assert_true(got.a == words[0] && got.b == words[1] && got.c == words[2] && got.d == words[3]);
    }
    assert_true(philox_unit(0) == 0 && philox_unit(UINT32_MAX) < 1);
}

/* Within -1 .. 1, 0 at whole coordinates, smooth, and not the same everywhere. */
static void test_noise(void **state)
{
    (void)state;
    double sum = 0, squares = 0;
    for (int32_t i = 0; i < SAMPLES; i++) {
        float x = sample(i, -3, 9), y = sample(i + SAMPLES, -3, 9), z = sample(i + 2 * SAMPLES, -3, 9);
        float at = noise_at(x, y, z), beside = noise_at(x + 0.001f, y, z);
        assert_true(fabsf(at) <= 1 && fabsf(at - beside) < 0.005f);
        assert_true(noise_at(floorf(x), floorf(y), floorf(z)) == 0);
        sum += (double)at;
        squares += (double)at * (double)at;
    }
    assert_true(fabs(sum / SAMPLES) < 0.01 && squares / SAMPLES > 0.05);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rounding), cmocka_unit_test(test_exp),
                                       cmocka_unit_test(test_log),      cmocka_unit_test(test_atan2),
                                       cmocka_unit_test(test_sincos),   cmocka_unit_test(test_floor),
                                       cmocka_unit_test(test_philox),   cmocka_unit_test(test_noise)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
