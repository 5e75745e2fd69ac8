/* The whole frame: the same bits on every backend, no walls entered, nobody overlapped, nothing but numbers. */
#include <string.h>

#include "crowds.h"
#include "world/world_parts.h"

/* --- scenes ------------------------------------------------------------------------------------------ */

static throng_map *room_with_pillars(void)
{
    throng_error error;
    throng_point boundary[] = {{-15, -15}, {15, -15}, {15, 15}, {-15, 15}};
    throng_point thin[] = {{-15, 0}, {-1, 0}, {-1, 0.05}, {-15, 0.05}}; /* walls of five centimetres */
    throng_point thin2[] = {{1, 0}, {15, 0}, {15, 0.05}, {1, 0.05}};
    throng_point pillar[] = {{5, 5}, {7, 5.5}, {6, 8}};
    const throng_point *boundaries[] = {boundary}, *obstacles[] = {thin, thin2, pillar};
    int32_t four[] = {4, 4, 3};
    throng_map *map = throng_map_from_polygons("room", boundaries, four, 1, obstacles, four, 3, &error);
    if (!map)
        fail_msg("%s", error.text);
    return map;
}

/* `count` agents of mixed sizes and masses in the room, all to its far end and through each other. */
static throng_world *room_scene(const char *backend, int32_t simd, int32_t threads, int32_t count, double speed)
{
    throng_error error = {""};
    throng_world *world = crowd_world(backend, simd, threads, room_with_pillars());
    throng_handle *handles = calloc((size_t)count, sizeof *handles);
    for (int half = 0; half < 2; half++) {
        double y = half ? 1 : -14;
        throng_point area[] = {{-14, y}, {14, y}, {14, y + 13}, {-14, y + 13}}, goal = {half ? -5 : 5, half ? -10 : 10};
        throng_region region = {.name = "half", .points = area, .count = 4};
        throng_spawn_def def = throng_spawn_def_discs();
        def.count = count / 2;
        def.areas = &region;
        def.area_count = 1;
        def.radius = (throng_sampler){.kind = THRONG_UNIFORM, .a = 0.15, .b = 0.35};
        def.mass = (throng_sampler){.kind = THRONG_UNIFORM, .a = 40, .b = 160};
        def.speed.a = speed;
        def.max_speed.a = speed;
        int32_t target = throng_world_goal_point(world, goal, 1, &error);
        if (target < 0 || !throng_world_spawn(world, &def, handles, &error) ||
            !throng_world_send(world, handles, def.count, target, NULL, &error))
            fail_msg("%s", error.text);
    }
    free(handles);
    return world;
}

static throng_world *crossing_scene(const char *backend, int32_t simd, int32_t threads, int32_t count)
{
    throng_point *at = calloc((size_t)count, sizeof *at);
    double radius = count * 0.6 / 6.2831853;
    for (int32_t i = 0; i < count; i++)
        at[i] = (throng_point){radius * cos(6.2831853 * i / count), radius * sin(6.2831853 * i / count)};
    throng_world *world = crowd_world(backend, simd, threads, NULL);
    free(crowd_spawn(world, at, count, throng_spawn_def_discs()));
    free(at);
    return world;
}

static uint64_t hash_after(throng_world *world, int32_t steps)
{
    throng_error error;
    uint64_t hash = 0;
    crowd_step(world, steps);
    if (!throng_world_hash(world, &hash, &error))
        fail_msg("%s", error.text);
    throng_world_destroy(world);
    return hash;
}

/* --- the same bits --------------------------------------------------------------------------------------- */

static bool opens(const char *backend, int32_t simd)
{
    throng_stages stages;
    throng_backend_options options = {.simd = simd};
    if (!throng_stages_open(backend, &options, &stages, NULL))
        return false;
    throng_stages_close(&stages);
    return true;
}

enum { ROOM_STEPS = 120, CROSSING_STEPS = 300 };

static void expect_the_same(const char *backend, int32_t simd, int32_t threads)
{
    uint64_t room = hash_after(room_scene("cpu", 1, 1, 500, 1.4), ROOM_STEPS);
    uint64_t crossing = hash_after(crossing_scene("cpu", 1, 1, 300), CROSSING_STEPS);
    assert_true(hash_after(room_scene(backend, simd, threads, 500, 1.4), ROOM_STEPS) == room);
    assert_true(hash_after(crossing_scene(backend, simd, threads, 300), CROSSING_STEPS) == crossing);
}

static void same_bits_on_every_width(void **state)
{
    (void)state;
    for (int32_t simd = 4; simd <= 16; simd *= 2)
        if (opens("cpu", simd))
            expect_the_same("cpu", simd, 1);
}

/* The counting build, which benchmarks take: ORCA makes a line of each neighbour, so every agent that has some
 * takes more operations than one alone. */
static void same_bits_where_work_is_counted(void **state)
{
    (void)state;
    throng_error error; /* many times slower: until the guard has cut displacements in both */
    assert_true(hash_after(room_scene("cpu", THRONG_LANES_COUNTED, 1, 500, 1.4), 70) ==
                hash_after(room_scene("cpu", 1, 1, 500, 1.4), 70));
    assert_true(hash_after(crossing_scene("cpu", THRONG_LANES_COUNTED, 1, 200), 150) ==
                hash_after(crossing_scene("cpu", 1, 1, 200), 150));
    throng_world *world = crossing_scene("cpu", THRONG_LANES_COUNTED, 1, 300);
    assert_true(throng_world_step(world, &error));
    const throng_work first = throng_cpu_work[THRONG_STAGE_plan];
    assert_true(first.operations > 300 * 20 && first.operations < 300 * 10000);
    assert_true(first.bytes >= 300 * 8 && first.bytes % 64 == 0); /* two floats of everybody at the least */
    throng_world_destroy(world);
    world = crossing_scene("cpu", THRONG_LANES_COUNTED, 1, 1);
    assert_true(throng_world_step(world, &error));
    assert_true(throng_cpu_work[THRONG_STAGE_plan].operations < first.operations / 300);
    throng_world_destroy(world);
}

static void same_bits_on_any_number_of_threads(void **state)
{
    (void)state;
    uint64_t one = hash_after(crossing_scene("cpu", 0, 1, 3000), 60);
    for (int32_t threads = 2; threads <= 5; threads++)
        assert_true(hash_after(crossing_scene("cpu", 0, threads, 3000), 60) == one);
}

static void same_bits_on_cuda(void **state)
{
    (void)state;
    skip_without_device();
    expect_the_same("cuda", 0, 0);
}

/* --- what must never happen ---------------------------------------------------------------------------------- */

static void check_state(throng_world *world, bool walls)
{
    throng_error error;
    throng_agents *a = throng_world_agents(world);
    const float *x = throng_agents_read(a, THRONG_COLUMN_x, &error),
                *y = throng_agents_read(a, THRONG_COLUMN_y, &error);
    const float *vx = throng_agents_read(a, THRONG_COLUMN_vx, &error),
                *vy = throng_agents_read(a, THRONG_COLUMN_vy, &error);
    const float *radius = throng_agents_read(a, THRONG_COLUMN_radius, &error);
    for (int32_t i = 0; i < throng_agents_slots(a); i++) {
        assert_true(isfinite(x[i]) && isfinite(y[i]) && isfinite(vx[i]) && isfinite(vy[i]));
        if (walls && !throng_map_fits(throng_world_map(world), (throng_point){x[i], y[i]}, radius[i] * 0.999))
            fail_msg("agent %d is in a wall at (%g, %g) after %u steps", i, x[i], y[i], throng_world_steps(world));
    }
}

static void expect_apart(throng_world *world)
{
    throng_error error;
    throng_world_stats stats;
    assert_true(throng_world_get_stats(world, &stats, &error));
    if (stats.counters.overlaps)
        fail_msg("%llu pairs overlapped, the worst at %g of the sum of radii",
                 (unsigned long long)stats.counters.overlaps, stats.counters.worst);
}

static void nobody_enters_a_wall_at_any_speed(void **state)
{
    (void)state;
    static const double speeds[] = {1.4, 10, 300};
    for (size_t s = 0; s < sizeof speeds / sizeof *speeds; s++) {
        throng_world *world = room_scene("cpu", 0, 0, 200, speeds[s]);
        for (int step = 0; step < 60; step++) {
            crowd_step(world, 1);
            check_state(world, true);
        }
        expect_apart(world);
        throng_world_destroy(world);
    }
}

static void nobody_overlaps_in_a_jam(void **state)
{
    (void)state;
    throng_world *world = crossing_scene("cpu", 0, 0, 600);
    crowd_step(world, 900);
    expect_apart(world);
    throng_world_destroy(world);
}

static void agents_in_one_place_part(void **state)
{
    (void)state;
    enum { COUNT = 40 };
    throng_error error;
    throng_point at[COUNT];
    for (int i = 0; i < COUNT; i++)
        at[i] = (throng_point){3, 4};
    throng_world *world = crowd_world("cpu", 0, 1, NULL);
    free(crowd_spawn(world, at, COUNT, throng_spawn_def_discs()));
    for (int step = 0; step < 300; step++) {
        crowd_step(world, 1);
        check_state(world, false);
    }
    const float *x = throng_agents_read(throng_world_agents(world), THRONG_COLUMN_x, &error);
    const float *y = throng_agents_read(throng_world_agents(world), THRONG_COLUMN_y, &error);
    for (int i = 0; i < COUNT; i++)
        for (int j = 0; j < i; j++)
            assert_true(hypotf(x[i] - x[j], y[i] - y[j]) > 0.99f * 0.5f);
    throng_world_destroy(world);
}

static void the_heavier_pushes_the_lighter(void **state)
{
    (void)state;
    throng_error error;
    throng_point at[] = {{-1, 0}, {1, 0}};
    throng_world *world = crowd_world("cpu", 1, 1, NULL);
    throng_spawn_def def = throng_spawn_def_discs();
    def.planner = throng_planner_default(THRONG_PLANNER_none); /* both walk straight at each other */
    throng_handle *handles = crowd_spawn(world, at, 2, def);
    float *mass = throng_agents_write(throng_world_agents(world), THRONG_COLUMN_mass, &error);
    mass[0] = 240;
    mass[1] = 80;
    crowd_step(world, 12);
    const float *x = throng_agents_read(throng_world_agents(world), THRONG_COLUMN_x, &error);
    expect_apart(world);
    assert_true(x[0] + x[1] > 0.1f); /* where they push has moved the heavy one's way */
    free(handles);
    throng_world_destroy(world);
}

static void equal_planners_are_one_entry(void **state)
{
    (void)state;
    throng_error error;
    throng_point at[] = {{-1, 0}, {1, 0}};
    throng_world *world = crowd_world("cpu", 1, 1, NULL);
    throng_spawn_def def = throng_spawn_def_discs();
    free(crowd_spawn(world, at, 2, def));
    int32_t *planner = throng_agents_write(throng_world_agents(world), THRONG_COLUMN_planner, &error);
    assert_int_equal(planner[0], planner[1]);
    assert_int_equal(throng_world_planner(world, &def.planner, &error), planner[0]);
    throng_planner none = throng_planner_default(THRONG_PLANNER_none);
    planner[0] = throng_world_planner(world, &none, &error);
    assert_int_not_equal(planner[0], planner[1]);
    assert_int_equal(throng_world_planner_kind(world, planner[0]), THRONG_PLANNER_none);
    int32_t vacant = planner[1];
    planner[1] = planner[0];
    crowd_step(world, 1);
    none.kind = THRONG_PLANNER_COUNT;
    assert_int_equal(throng_world_planner(world, &none, &error), -1);
    assert_non_null(strstr(error.text, "there is no planner"));
    assert_int_equal(throng_world_planner(world, &def.planner, &error), vacant); /* nobody had it: there or again */
    throng_world_destroy(world);
}

static void spawning_too_many_says_how_many_fit(void **state)
{
    (void)state;
    throng_error error;
    throng_world *world = crowd_world("cpu", 1, 1, room_with_pillars());
    throng_point area[] = {{-3, -5}, {-1, -5}, {-1, -3}, {-3, -3}};
    throng_region region = {.name = "corner", .points = area, .count = 4};
    throng_spawn_def def = throng_spawn_def_discs();
    def.areas = &region;
    def.area_count = 1;
    def.count = 500;
    throng_handle *handles = calloc(500, sizeof *handles);
    assert_false(throng_world_spawn(world, &def, handles, &error));
    int fit = 0;
    assert_int_equal(sscanf(error.text, "only %d of 500 agents fit", &fit), 1);
    assert_in_range(fit, 15, 30); /* discs of half a metre, centres in four square metres */
    def.count = fit;
    assert_true(throng_world_spawn(world, &def, handles, &error));
    crowd_step(world, 1);
    expect_apart(world);
    free(handles);
    throng_world_destroy(world);
}

static void send_to(throng_world *world, const throng_handle *agent, double x, double y)
{
    throng_error error;
    int32_t goal = throng_world_goal_point(world, (throng_point){x, y}, 0.5, &error);
    if (goal < 0 || !throng_world_send(world, agent, 1, goal, NULL, &error))
        fail_msg("%s", error.text);
}

/* One agent keeps its goal, another has a new one before each step. */
static void routes_that_nobody_walks_are_given_back(void **state)
{
    (void)state;
    enum { STEPS = 400 };
    throng_error error;
    throng_world *world = crowd_world("cpu", 1, 1, room_with_pillars());
    throng_point at[] = {{-10, 10}, {-10, -10}};
    throng_spawn_def def = throng_spawn_def_discs();
    def.positions = at;
    def.count = 2;
    throng_handle agents[2];
    assert_true(throng_world_spawn(world, &def, agents, &error));
    send_to(world, &agents[0], -10, -10);
    for (int i = 0; i < STEPS; i++) {
        send_to(world, &agents[1], 12, 1 + 0.03 * i);
        crowd_step(world, 1);
        assert_in_range(world->routing.navigation.trees, 2, 40);
    }
    const float *y = throng_agents_read(throng_world_agents(world), THRONG_COLUMN_y, &error);
    assert_true(y[agents[0].slot] < -9); /* through the gap, its route was kept */
    assert_true(y[agents[1].slot] > 7);
    throng_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(routes_that_nobody_walks_are_given_back),
        cmocka_unit_test(same_bits_on_every_width),
        cmocka_unit_test(same_bits_where_work_is_counted),
        cmocka_unit_test(same_bits_on_any_number_of_threads),
        cmocka_unit_test(same_bits_on_cuda),
        cmocka_unit_test(nobody_enters_a_wall_at_any_speed),
        cmocka_unit_test(nobody_overlaps_in_a_jam),
        cmocka_unit_test(agents_in_one_place_part),
        cmocka_unit_test(the_heavier_pushes_the_lighter),
        cmocka_unit_test(equal_planners_are_one_entry),
        cmocka_unit_test(spawning_too_many_says_how_many_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
