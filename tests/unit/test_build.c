/* throng.h: worlds built in C, which are those that Lua makes. */
#include <dirent.h>
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "throng.h"

enum { VISITORS = 25, MOST = 64 };

static const double HALL[] = {0, 0, 20, 10}, WALL[] = {10, 0, 10.2, 4.4}, UPPER[] = {10, 5.6, 10.2, 10},
                    DOOR[] = {10.1, 4.4, 10.1, 5.6}, LEFT[] = {1, 1, 8, 9}, RIGHT[] = {15, 1, 19, 1, 19, 9, 15, 9},
                    NICHE[] = {12, 8, 14, 9.5};

static const char LUA[] =
    "local throng = require 'throng'\n"
    "local right = throng.polygon { {15, 1}, {19, 1}, {19, 9}, {15, 9} }\n"
    "local world = throng.world { dt = 0.05, map = throng.map { boundary = throng.box(0, 0, 20, 10),\n"
    "    walls = { throng.box(10, 0, 10.2, 4.4), throng.box(10, 5.6, 10.2, 10) },\n"
    "    doors = { middle = { {10.1, 4.4}, {10.1, 5.6} } } },\n"
    "  regions = { ['the \"left\"'] = throng.box(1, 1, 8, 9), right = { right, throng.box(12, 8, 14, 9.5) } } }\n"
    "local visitors = world:spawn { count = 25, name = 'visitors', planner = 'rvo', where = 'the \"left\"',\n"
    "  speed = throng.normal(1.3, 0.2), radius = 0.21 }\n"
    "local late = world:spawn { at = { { 2, 0.5 }, { 3.25, 0.5 } }, max_speed = 1.7, speed = 1.6 }\n"
    "visitors:go_to 'right'\n"
    "late:go_to { 18.1, 5.3 }\n"
    "world:at(3, function() world.map:door 'middle':close() end)\n"
    "world:at(5, function() world.map:door 'middle':open() late:remove() end)\n"
    "return world\n";

static const throng_shape BOUNDARY = {NULL, HALL, 2}, WALLS[] = {{NULL, WALL, 2}, {NULL, UPPER, 2}},
                          DOORS[] = {{"middle", DOOR, 2}},
                          REGIONS[] = {{"right", RIGHT, 4}, {"the \"left\"", LEFT, 2}, {"right", NICHE, 2}};

static throng_sim_world hall(void)
{
    throng_sim_world world = throng_sim_world_default();
    world.boundary = &BOUNDARY;
    world.boundary_count = 1;
    world.walls = WALLS;
    world.wall_count = 2;
    world.doors = DOORS;
    world.door_count = 1;
    world.regions = REGIONS;
    world.region_count = 3;
    world.dt = 0.05;
    return world;
}

static throng_sim *create(const throng_sim_world *world, bool keep_inputs)
{
    throng_message message = {""};
    throng_sim_settings settings = throng_sim_settings_default();
    settings.keep_inputs = keep_inputs;
    settings.threads = 1;
    throng_sim *sim = throng_sim_create(world, &settings, &message);
    assert_string_equal("", message.text);
    assert_non_null(sim);
    return sim;
}

static void steps(throng_sim *sim, int count)
{
    throng_message message = {""};
    for (int i = 0; i < count; i++)
        if (!throng_sim_step(sim, &message))
            fail_msg("%s", message.text);
}

static uint64_t hash_of(throng_sim *sim)
{
    uint64_t hash = 0;
    assert_true(throng_sim_hash(sim, &hash, NULL));
    return hash;
}

#define FINE(call)                                                                                                     \
    do {                                                                                                               \
        throng_message message = {""};                                                                                 \
        if (!(call))                                                                                                   \
            fail_msg("%s", message.text);                                                                              \
    } while (0)

/* What LUA says, until step 120. */
static void play(throng_sim *sim)
{
    const float at[] = {2, 0.5f, 3.25f, 0.5f};
    throng_agent agents[VISITORS], late[2];
    throng_sim_group visitors = throng_sim_group_default(), others = throng_sim_group_default();
    visitors.name = "visitors";
    visitors.planner = "rvo";
    visitors.where = "the \"left\"";
    visitors.speed = 1.3;
    visitors.speed_deviation = 0.2;
    visitors.radius = 0.21;
    others.speed = 1.6;
    others.max_speed = 1.7;
    FINE(throng_sim_spawn_group(sim, &visitors, NULL, VISITORS, agents, &message));
    FINE(throng_sim_spawn_group(sim, &others, at, 2, late, &message));
    FINE(throng_sim_go_to(sim, agents, VISITORS, "right", &message));
    FINE(throng_sim_go_to_point(sim, late, 2, (throng_place){18.1, 5.3, 0}, &message));
    steps(sim, 60);
    FINE(throng_sim_set_door(sim, "middle", false, &message));
    steps(sim, 40);
    FINE(throng_sim_set_door(sim, "middle", true, &message));
    FINE(throng_sim_remove(sim, late, 2, &message));
    steps(sim, 20);
}

static void has_the_bits_of_lua(void **state)
{
    (void)state;
    throng_message message = {""};
    throng_sim_world world = hall();
    throng_sim *built = create(&world, true), *other = create(&world, false);
    throng_sim *told = throng_sim_load_text("hall.lua", LUA, strlen(LUA), NULL, &message);
    assert_string_equal("", message.text);
    play(built);
    steps(told, 120);
    assert_int_equal(VISITORS, throng_sim_count(built));
    assert_true(hash_of(told) == hash_of(built));
    /* and is made again of what was told */
    void *snapshot;
    const void *inputs;
    size_t size;
    FINE(throng_sim_snapshot(built, &snapshot, &size, &message));
    throng_sim *again = throng_sim_restore(snapshot, size, NULL, &message);
    assert_string_equal("", message.text);
    FINE(throng_sim_inputs(built, &inputs, &size, &message));
    FINE(throng_sim_apply(other, inputs, size, &message));
    steps(built, 50);
    steps(again, 50);
    steps(other, 50);
    assert_true(hash_of(built) == hash_of(again) && hash_of(built) == hash_of(other));
    throng_sim_snapshot_free(snapshot);
    throng_sim_destroy(built);
    throng_sim_destroy(told);
    throng_sim_destroy(again);
    throng_sim_destroy(other);
}

static void counts_who_is_in_a_region_and_that_is_no_input(void **state)
{
    (void)state;
    throng_message message = {""};
    throng_sim_world world = hall();
    throng_sim *sim = create(&world, true);
    throng_sim_group group = throng_sim_group_default();
    throng_agent agents[3];
    const float at[] = {2, 2, 16, 2, 13, 9};
    const void *inputs;
    size_t size;
    int32_t count = -1;
    FINE(throng_sim_spawn_group(sim, &group, at, 3, agents, &message));
    FINE(throng_sim_inputs(sim, &inputs, &size, &message));
    FINE(throng_sim_count_in(sim, "right", &count, &message));
    assert_int_equal(2, count);
    assert_false(throng_sim_count_in(sim, "rigth", &count, &message));
    assert_ptr_equal(message.text, strstr(message.text, "group:inside: unknown region 'rigth', did you mean 'right'?"));
    assert_int_equal(2, count);
    FINE(throng_sim_inputs(sim, &inputs, &size, &message));
    assert_int_equal(0, size);
    throng_sim_destroy(sim);
}

static void a_world_built_in_c_has_no_parameters(void **state)
{
    (void)state;
    throng_message message = {""};
    throng_sim_settings settings = throng_sim_settings_default();
    settings.params = (const char *const[]){"count=3"};
    settings.param_count = 1;
    assert_null(throng_sim_create(NULL, &settings, &message));
    assert_non_null(strstr(message.text, "throng_sim_settings.params: a world built in C has none"));
}

static void refused(const throng_sim_world *world, const char *why)
{
    throng_message message = {""};
    assert_null(throng_sim_create(world, NULL, &message));
    if (!strstr(message.text, why))
        fail_msg("'%s' is not in '%s'", why, message.text);
}

static void a_wrong_world_is_named(void **state)
{
    (void)state;
    throng_sim_world world = hall();
    world.dt = NAN;
    refused(&world, "throng.world: field 'dt' must be");
    world = hall();
    world.dt = 100;
    refused(&world, "throng.world: field 'dt' must be");
    world = hall();
    world.region_count = -1;
    refused(&world, "throng_sim_world.region_count must be a whole number >= 0, got -1");
    world = hall();
    world.map = "none.xml";
    world.boundary_count = world.wall_count = 0;
    refused(&world, "none.xml");
    world = hall();
    world.map = "none.xml";
    refused(&world, "throng.map: 'file' and 'walls' do not go together");
    world = hall();
    world.walls = &(throng_shape){NULL, WALL, 1};
    world.wall_count = 1;
    refused(&world, "a polygon needs at least 3 points, got 1");
    world = hall();
    world.doors = (throng_shape[]){DOORS[0], DOORS[0]};
    world.door_count = 2;
    refused(&world, "throng_sim_world.doors[1]: there is a door 'middle' already: give it another name");
    world = hall();
    world.regions = &BOUNDARY;
    world.region_count = 1;
    refused(&world, "throng_sim_world.regions[0] has no name: give it one");
    world = hall();
    world.size = 0;
    refused(&world, "throng_sim_world.size is none, or larger than this library's: begin with "
                    "throng_sim_world_default()");
    world.size = sizeof world + 1;
    refused(&world, "throng_sim_world.size is none");
}

#define REFUSED(call, why)                                                                                             \
    do {                                                                                                               \
        throng_message message = {""};                                                                                 \
        assert_false(call);                                                                                            \
        if (strncmp(message.text, why, strlen(why)) != 0)                                                              \
            fail_msg("'%s' begins otherwise: '%s'", why, message.text);                                                \
    } while (0)

static void what_is_wrong_with_a_call_is_named(void **state)
{
    (void)state;
    throng_sim_world world = hall();
    throng_sim *sim = create(&world, false);
    throng_sim_group group = throng_sim_group_default();
    throng_agent agents[MOST];
    const float at[] = {2, 2}, outside[] = {-50, 2};
    group.planner = "orka";
    REFUSED(throng_sim_spawn_group(sim, &group, at, 1, agents, &message),
            "world:spawn: field 'planner': unknown planner 'orka', did you mean 'orca'?");
    group = throng_sim_group_default();
    group.radius = -1;
    REFUSED(throng_sim_spawn_group(sim, &group, at, 1, agents, &message), "world:spawn: field 'radius' must be");
    group = throng_sim_group_default();
    group.speed_deviation = -1;
    REFUSED(throng_sim_spawn_group(sim, &group, at, 1, agents, &message), "throng.normal: ");
    group = throng_sim_group_default();
    group.where = "lefd";
    REFUSED(throng_sim_spawn_group(sim, &group, NULL, 1, agents, &message),
            "world:spawn: field 'where': unknown region 'lefd'");
    group.where = "right";
    REFUSED(throng_sim_spawn_group(sim, &group, at, 1, agents, &message),
            "world:spawn: give 'where' or 'at', not both");
    group = throng_sim_group_default();
    REFUSED(throng_sim_spawn_group(sim, &group, outside, 1, agents, &message), "world:spawn 'agents': ");
    REFUSED(throng_sim_spawn_group(sim, &group, at, 0, agents, &message), "nobody to spawn");
    group.floor = 1;
    REFUSED(throng_sim_spawn_group(sim, &group, at, 1, agents, &message),
            "there is no floor 1: throng_sim_floor_named gives the numbers");
    group.size = 3;
    REFUSED(throng_sim_spawn_group(sim, &group, at, 1, agents, &message), "throng_sim_group.size is none");
    group = throng_sim_group_default();
    FINE(throng_sim_spawn_group(sim, &group, at, 1, agents, &message));
    REFUSED(throng_sim_go_to(sim, agents, 1, "rihgt", &message),
            "group:go_to: unknown region 'rihgt', did you mean 'right'?");
    REFUSED(throng_sim_go_to_point(sim, agents, 1, (throng_place){NAN, 2, 0}, &message), "group:go_to: the target: x");
    REFUSED(throng_sim_go_to_point(sim, agents, 1, (throng_place){1, 2, -1}, &message), "there is no floor -1");
    REFUSED(throng_sim_set_door(sim, "midle", true, &message),
            "map:door: unknown door 'midle', did you mean 'middle'?");
    FINE(throng_sim_go_to(sim, NULL, 0, "right", &message)); /* nobody */
    FINE(throng_sim_remove(sim, NULL, 0, &message));
    FINE(throng_sim_remove(sim, agents, 1, &message));
    REFUSED(throng_sim_remove(sim, agents, 1, &message), "agent 0 of 1 is gone");
    throng_sim_destroy(sim);
    sim = create(NULL, false);
    REFUSED(throng_sim_set_door(sim, "middle", true, &message), "there is no door 'middle': the world has no map");
    throng_sim_destroy(sim);
}

static void a_periodic_plane_of_discs(void **state)
{
    (void)state;
    throng_sim_world world = throng_sim_world_default();
    world.wrap_width = 30;
    world.wrap_height = 20.5;
    world.discs = true;
    throng_sim *sim = create(&world, false), *plane = create(NULL, false);
    throng_sim_group group = throng_sim_group_default();
    throng_agent agent;
    const float at[] = {29, 2}, east[] = {1, 0};
    FINE(throng_sim_spawn_group(sim, &group, at, 1, &agent, &message));
    FINE(throng_sim_steer(sim, &agent, east, 1, &message));
    steps(sim, 20);
    const float *x = throng_sim_read(sim, throng_sim_column_named(sim, "x"), NULL),
                *radius = throng_sim_read(sim, throng_sim_column_named(sim, "radius"), NULL);
    assert_true(fabsf(x[agent.slot] - 1) < 0.05f && radius[agent.slot] == 0.25f);
    assert_int_equal(0, throng_sim_count(plane));
    throng_sim_destroy(sim);
    throng_sim_destroy(plane);
}

/* ---- floors */

static const char HOUSE[] =
    "<map><floor name='ground' z='0'>\n"
    "<face><point x='0' y='0'/><point x='20' y='0'/><point x='20' y='10'/><point x='0' y='10'/></face>\n"
    "<region name='exit'><point x='0' y='4'/><point x='1' y='4'/><point x='1' y='6'/><point x='0' y='6'/></region>\n"
    "<stairs name='up' to='first' x0='8' y0='8' x1='14' y1='8' width='1.5'/></floor>\n"
    "<floor name='first' z='3.5'>\n"
    "<face><point x='0' y='0'/><point x='20' y='0'/><point x='20' y='10'/><point x='0' y='10'/></face>\n"
    "<region name='office'><point x='2' y='1'/><point x='6' y='1'/><point x='6' y='5'/><point x='2' y='5'/></region>\n"
    "</floor></map>\n";

static char house[] = "/tmp/throng-house-XXXXXX.xml";

static int write_house(void **state)
{
    (void)state;
    int descriptor = mkstemps(house, 4);
    FILE *file = descriptor >= 0 ? fdopen(descriptor, "w") : NULL;
    return file && fputs(HOUSE, file) >= 0 ? fclose(file) : -1;
}

static int remove_house(void **state)
{
    (void)state;
    return remove(house);
}

static void people_walk_down_from_the_first_floor(void **state)
{
    (void)state;
    const double desk[] = {16, 2, 18, 4};
    throng_sim_world world = throng_sim_world_default();
    world.map = house;
    world.regions = &(throng_shape){"desk", desk, 2};
    world.region_count = 1;
    throng_sim *sim = create(&world, true);
    int32_t first = throng_sim_floor_named(sim, "first"), in = -1;
    assert_true(first > 0 && throng_sim_floor_named(sim, "second") == -1);
    assert_string_equal("ground", throng_sim_floor_name(sim, 0));
    assert_int_equal(4, throng_sim_floor_count(sim)); /* two, and the halves of the stairs */
    assert_null(throng_sim_floor_name(sim, 4));
    throng_sim_group group = throng_sim_group_default();
    throng_agent agents[5];
    const float at[] = {3, 2, 4, 3};
    group.floor = first;
    FINE(throng_sim_spawn_group(sim, &group, at, 2, agents, &message));
    group = throng_sim_group_default();
    group.where = "first/office";
    FINE(throng_sim_spawn_group(sim, &group, NULL, 3, agents + 2, &message));
    FINE(throng_sim_count_in(sim, "first/office", &in, &message));
    assert_int_equal(5, in);
    FINE(throng_sim_go_to(sim, agents, 3, "exit", &message));
    FINE(throng_sim_go_to_point(sim, agents + 3, 2, (throng_place){12, 2, 0}, &message));
    steps(sim, 500);
    FINE(throng_sim_count_in(sim, "ground/exit", &in, &message));
    assert_int_equal(3, in);
    FINE(throng_sim_count_in(sim, "ground", &in, &message));
    assert_int_equal(5, in);
    void *snapshot;
    size_t size;
    FINE(throng_sim_snapshot(sim, &snapshot, &size, &message));
    throng_sim *again = throng_sim_restore(snapshot, size, NULL, NULL);
    assert_true(again && hash_of(again) == hash_of(sim));
    throng_sim_snapshot_free(snapshot);
    throng_sim_destroy(again);
    throng_sim_destroy(sim);
}

static void paths_lead_over_floors(void **state)
{
    (void)state;
    double length, expected, height;
    int32_t count = 0;
    throng_place way[16];
    throng_sim_world world = throng_sim_world_default();
    world.map = house;
    throng_sim *sim = create(&world, false);
    throng_place desk = {2, 2, throng_sim_floor_named(sim, "first")}, exit = {0.5, 5, 0};
    FINE(throng_sim_path(sim, desk, exit, 0.25, way, 16, &count, &length, &message));
    FINE(throng_sim_number(sim, "world.map:distance({ 2, 2, floor = 'first' }, { 0.5, 5, floor = 'ground' }, 0.25)",
                           &expected, &message));
    assert_true(length == expected && length > 20 && length < 60 && count >= 6);
    assert_true(way[0].floor == desk.floor && way[0].x == 2 && way[count - 1].floor == 0 && way[count - 1].y == 5);
    height = throng_sim_height(sim, way[0]);
    assert_true(height == 3.5);
    for (int32_t i = 0; i < count; i++) { /* down, and the same where it comes to another floor */
        assert_true(throng_sim_height(sim, way[i]) <= height + 1e-6);
        height = throng_sim_height(sim, way[i]);
    }
    assert_true(height == 0);
    FINE(throng_sim_path(sim, desk, (throng_place){2, 2, desk.floor}, 0.25, NULL, 0, &count, &length, &message));
    assert_true(length == 0);
    FINE(throng_sim_path(sim, desk, (throng_place){50, 2, 0}, 0.25, way, 16, &count, &length, &message));
    assert_true(count == 0 && isinf(length));
    REFUSED(throng_sim_path(sim, desk, (throng_place){2, 2, 9}, 0.25, way, 16, &count, &length, &message),
            "there is no floor 9");
    throng_sim_destroy(sim);
}

static void *run_one(void *hash)
{
    throng_sim_world world = hall();
    throng_sim_group group = throng_sim_group_default();
    throng_sim_settings settings = throng_sim_settings_default();
    throng_agent agents[VISITORS];
    settings.threads = 1;
    throng_sim *sim = throng_sim_create(&world, &settings, NULL);
    group.where = "the \"left\"";
    bool fine = sim && throng_sim_spawn_group(sim, &group, NULL, VISITORS, agents, NULL) &&
                throng_sim_go_to(sim, agents, VISITORS, "right", NULL);
    for (int i = 0; fine && i < 50; i++)
        fine = throng_sim_step(sim, NULL) && throng_sim_set_door(sim, "middle", i % 20 < 15, NULL);
    if (fine)
        throng_sim_hash(sim, hash, NULL);
    throng_sim_destroy(sim);
    return NULL;
}

static void worlds_on_threads_are_apart(void **state)
{
    (void)state;
    enum { THREADS = 8 };
    uint64_t hash[THREADS] = {0}, alone = 0;
    pthread_t threads[THREADS];
    run_one(&alone);
    assert_true(alone != 0);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(0, pthread_create(&threads[i], NULL, run_one, &hash[i]));
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        assert_true(hash[i] == alone);
    }
}

/* Under the address sanitizer (make sanitize) nothing may be left of them. */
/* How many entries the folder of /proc/self has: files that are open, threads. */
static int entries_of(const char *folder)
{
    int count = 0;
    DIR *all = opendir(folder);
    assert_non_null(all);
    while (readdir(all))
        count++;
    closedir(all);
    return count;
}

static void a_hundred_leave_nothing(void **state)
{
    (void)state;
    int files = entries_of("/proc/self/fd"), threads = entries_of("/proc/self/task");
    throng_sim_world world = hall();
    throng_sim_group group = throng_sim_group_default();
    throng_agent agents[3];
    for (int i = 0; i < 100; i++) {
        throng_sim *sim = create(&world, i % 2 == 0);
        FINE(throng_sim_spawn_group(sim, &group, NULL, 3, agents, &message));
        FINE(throng_sim_go_to(sim, agents, 3, "right", &message));
        steps(sim, 1);
        throng_sim_destroy(sim);
    }
    assert_int_equal(entries_of("/proc/self/fd"), files);
    assert_int_equal(entries_of("/proc/self/task"), threads);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(has_the_bits_of_lua),
        cmocka_unit_test(counts_who_is_in_a_region_and_that_is_no_input),
        cmocka_unit_test(a_world_built_in_c_has_no_parameters),
        cmocka_unit_test(a_wrong_world_is_named),
        cmocka_unit_test(what_is_wrong_with_a_call_is_named),
        cmocka_unit_test(a_periodic_plane_of_discs),
        cmocka_unit_test(people_walk_down_from_the_first_floor),
        cmocka_unit_test(paths_lead_over_floors),
        cmocka_unit_test(worlds_on_threads_are_apart),
        cmocka_unit_test(a_hundred_leave_nothing),
    };
    return cmocka_run_group_tests(tests, write_house, remove_house);
}
