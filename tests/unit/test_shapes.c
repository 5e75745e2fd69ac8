/* Crowds of shapes that nobody plans: what a step of them costs, as the counting build counts it (cpu_counted.h), and
 * that it comes to the same bits on all lanes. */
#include "crowds.h"

/* Operations on floats in the last step's sense and move stages. */
static double work_of(const throng_world *world)
{
    (void)world;
    return (double)(throng_cpu_work[THRONG_STAGE_sense].operations + throng_cpu_work[THRONG_STAGE_move].operations);
}

static bool has_lanes(int32_t lanes)
{
    throng_stages stages;
    throng_backend_options options = {lanes, 1};
    if (!throng_stages_open("cpu", &options, &stages, NULL))
        return false;
    throng_stages_close(&stages);
    return true;
}

/* A crowd: its places, and what else there is to it. */
typedef struct shape {
    const throng_point *at;
    int32_t count;
    throng_spawn_def def;
    float (*radius)(int32_t i); /* m; NULL: def's */
} shape;

static throng_world *make(const shape *s, const char *backend, int32_t lanes, int32_t threads)
{
    throng_error error;
    throng_world *world = crowd_world(backend, lanes, threads, NULL);
    free(crowd_spawn(world, s->at, s->count, s->def));
    if (s->radius) {
        float *radius = throng_agents_write(throng_world_agents(world), THRONG_COLUMN_radius, &error);
        for (int32_t i = 0; i < s->count; i++)
            radius[i] = s->radius(i);
    }
    return world;
}

static double work(const shape *s, int32_t steps)
{
    throng_world *world = make(s, "cpu", THRONG_LANES_COUNTED, 1);
    crowd_step(world, steps);
    double done = work_of(world);
    throng_world_destroy(world);
    return done;
}

static uint64_t hash_of(const shape *s, int32_t steps, const char *backend, int32_t lanes, int32_t threads)
{
    throng_error error;
    uint64_t hash;
    throng_world *world = make(s, backend, lanes, threads);
    crowd_step(world, steps);
    assert_true(throng_world_hash(world, &hash, &error));
    throng_world_destroy(world);
    return hash;
}

static void same_bits(const shape *s, int32_t steps)
{
    uint64_t first = hash_of(s, steps, "cpu", 1, 1);
    for (int32_t lanes = 4; lanes <= 16; lanes *= 2)
        if (has_lanes(lanes))
            assert_int_equal(hash_of(s, steps, "cpu", lanes, lanes / 4), first);
    throng_stages stages;
    throng_backend_options none = {0};
    if (throng_stages_open("cuda", &none, &stages, NULL)) {
        throng_stages_close(&stages);
        assert_int_equal(hash_of(s, steps, "cuda", 0, 0), first);
    }
}

/* --- all in one place ------------------------------------------------------------------ */

static void one_place(void **state)
{
    (void)state;
    enum { COUNT = 500 };
    throng_point at[COUNT];
    for (int32_t i = 0; i < COUNT; i++)
        at[i] = (throng_point){5, 5};
    shape s = {at, COUNT, throng_spawn_def_default(), NULL};
    double done = work(&s, 3) / ((double)COUNT * COUNT);
    if (done > 1000) /* 200 iterations of a dozen partners each are 200 */
        fail_msg("%.0f operations a pair: the iterations look at all pairs", done);
    same_bits(&s, 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
