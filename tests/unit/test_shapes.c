/* Crowds of shapes that nobody plans: what a step of them costs, as the counting build counts it (cpu_counted.h), and
 * that it comes to the same bits at any SIMD width. */
#include <string.h>

#include "crowds.h"

/* A crowd: its places, and what else there is to it. */
typedef struct shape {
    const throng_point *at;
    int32_t count;
    throng_spawn_def def;
    float (*radius)(int32_t i); /* m; NULL: def's */
} shape;

static throng_world *make(const shape *s, const char *backend, int32_t simd, int32_t threads)
{
    throng_error error;
    throng_world *world = crowd_world(backend, simd, threads, NULL);
    free(crowd_spawn(world, s->at, s->count, s->def));
    if (s->radius) {
        float *radius = throng_agents_write(throng_world_agents(world), THRONG_COLUMN_radius, &error);
        for (int32_t i = 0; i < s->count; i++)
            radius[i] = s->radius(i);
    }
    return world;
}

static void set_iterations(throng_world *world, int32_t iterations)
{
    for (int p = 0; p < THRONG_PHASE_PARAMETERS; p++)
        if (strcmp(throng_phase_parameters[p].name, "iterations") == 0)
            throng_world_set_phase_parameter(world, p, iterations);
}

/* What the last of some steps takes, of so many iterations at most: operations on floats in sense and move. */
static double work(const shape *s, int32_t steps, int32_t iterations)
{
    throng_world *world = make(s, "cpu", THRONG_LANES_COUNTED, 1);
    set_iterations(world, iterations);
    crowd_step(world, steps);
    double done =
        (double)(throng_cpu_work[THRONG_STAGE_sense].operations + throng_cpu_work[THRONG_STAGE_move].operations);
    throng_world_destroy(world);
    return done;
}

static uint64_t hash_of(const shape *s, int32_t steps, const char *backend, int32_t simd, int32_t threads)
{
    throng_error error;
    uint64_t hash;
    throng_world *world = make(s, backend, simd, threads);
    crowd_step(world, steps);
    assert_true(throng_world_hash(world, &hash, &error));
    throng_world_destroy(world);
    return hash;
}

static void same_bits(const shape *s, int32_t steps)
{
    uint64_t first = hash_of(s, steps, "cpu", 1, 1);
    for (int32_t simd = 4; simd <= 16; simd *= 2)
        if (has_simd(simd))
            assert_int_equal(hash_of(s, steps, "cpu", simd, simd / 4), first);
    throng_stages stages;
    throng_backend_options none = {0};
    if (throng_stages_open("cuda", &none, &stages, NULL)) {
        throng_stages_close(&stages);
        assert_int_equal(hash_of(s, steps, "cuda", 0, 0), first);
    }
}

/* --- all in one place ------------------------------------------------------------------ */

enum { PLACE_MOST = 3000 };

static shape place_of(int32_t count)
{
    static throng_point at[PLACE_MOST];
    for (int32_t i = 0; i < count; i++)
        at[i] = (throng_point){5, 5};
    return (shape){at, count, throng_spawn_def_default(), NULL};
}

static void iterations_do_not_look_at_all_pairs(void **state)
{
    (void)state;
    shape s = place_of(400);
    double done = work(&s, 2, 200) / (400.0 * 400);
    if (done > 1000) /* 200 iterations of a dozen partners each are 240 */
        fail_msg("%.0f operations a pair: the iterations look at all pairs", done);
}

static void a_heap_costs_by_its_agents(void **state)
{
    (void)state;
    shape small = place_of(1000), large;
    double each = work(&small, 1, 1) / small.count;
    large = place_of(PLACE_MOST);
    double more = work(&large, 1, 1) / large.count;
    if (more > 1.5 * each)
        fail_msg("%.0f operations an agent of %d, %.0f of %d", more, large.count, each, small.count);
}

static void a_heap_has_the_same_bits(void **state)
{
    (void)state;
    shape s = place_of(700);
    same_bits(&s, 3);
    s = place_of(200);
    same_bits(&s, 5);
}

/* Heaps in several cells, among others: sorted by another way on CUDA. */
static void overfull_cells_have_the_same_bits(void **state)
{
    (void)state;
    enum { COUNT = 5000 };
    throng_point at[COUNT];
    for (int32_t i = 0; i < COUNT; i++)
        at[i] = i < 4000 ? (throng_point){3.0 * (i % 6), 1e-4 * i} : (throng_point){i % 100, 20 + i / 100};
    shape s = {at, COUNT, throng_spawn_def_default(), NULL};
    same_bits(&s, 2);
}

/* --- a giant --------------------------------------------------------------------------- */

static float giant(int32_t i) { return i ? 0.1f : 100; }
static float tiny(int32_t i) { return i < 0 ? 0 : 0.1f; }
static float bus(int32_t i) { return i % 100 ? 0.2f : 2; }

enum { GIANT_COUNT = 1500 };

static shape beside_giant(float (*radius)(int32_t))
{
    static throng_point at[GIANT_COUNT];
    for (int32_t i = 0; i < GIANT_COUNT; i++)
        at[i] = (throng_point){99 + i % 30, i / 30 - 25};
    at[0] = (throng_point){0, 0};
    return (shape){at, GIANT_COUNT, throng_spawn_def_default(), radius};
}

static void a_giant_costs_nobody_else(void **state)
{
    (void)state;
    shape with = beside_giant(giant), without = beside_giant(tiny);
    double more = work(&with, 2, 1), less = work(&without, 2, 1);
    if (more > 2 * less)
        fail_msg("%.0f operations with a giant, %.0f without", more, less);
}

static void giants_have_the_same_bits(void **state)
{
    (void)state;
    shape s = beside_giant(giant);
    same_bits(&s, 10);
    s = beside_giant(bus);
    same_bits(&s, 10);
}

/* Pairs that overlap before the first step. */
static uint64_t overlaps(const shape *s)
{
    throng_error error;
    throng_counters counters;
    throng_world *world = make(s, "cpu", 0, 2);
    throng_stages *stages = throng_world_stages(world);
    crowd_step(world, 1);
    assert_true(stages->api->counters(stages->backend, &counters, &error));
    throng_world_destroy(world);
    return counters.overlaps;
}

static void giants_are_met(void **state)
{
    (void)state;
    shape s = beside_giant(giant);
    uint64_t inside = 0;
    for (int32_t i = 1; i < GIANT_COUNT; i++)
        inside += hypot(s.at[i].x, s.at[i].y) < 0.99 * 100.1;
    assert_true(inside > 5);
    assert_int_equal(overlaps(&s), inside);
}

/* Pairs far apart, all of whom the grid puts into one cell, are no heap. */
static void far_pairs_are_met(void **state)
{
    (void)state;
    enum { COUNT = 700 };
    throng_point at[COUNT];
    for (int32_t i = 0; i < COUNT; i++)
        at[i] = (throng_point){80.0 * (i / 2) + 0.1 * (i % 2), 1};
    shape s = {at, COUNT, throng_spawn_def_default(), NULL};
    assert_int_equal(overlaps(&s), COUNT / 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(iterations_do_not_look_at_all_pairs),
        cmocka_unit_test(a_heap_costs_by_its_agents),
        cmocka_unit_test(a_heap_has_the_same_bits),
        cmocka_unit_test(overfull_cells_have_the_same_bits),
        cmocka_unit_test(a_giant_costs_nobody_else),
        cmocka_unit_test(giants_have_the_same_bits),
        cmocka_unit_test(giants_are_met),
        cmocka_unit_test(far_pairs_are_met),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
