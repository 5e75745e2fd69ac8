/* Memory that runs out under calls of throng.h that write Lua (build.c) or edit columns (edit.c): each allocation fails
 * in turn. What fails says so and leaves the simulation as it was beside one in which nothing failed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "allocations.h"
#include "base/array.h"
#include "skips.h"

enum { CROWD = 20, LATE = 2, MOST = 100000, DENSER = 400 };

/* A simulation, and who was spawned in it. */
typedef struct scene {
    throng_sim *sim;
    throng_agent crowd[CROWD], late[LATE];
} scene;

static const double HALL[] = {0, 0, 20, 10}, WALL[] = {10, 0, 10.2, 4.4}, UPPER[] = {10, 5.6, 10.2, 10},
                    DOOR[] = {10.1, 4.4, 10.1, 5.6}, LEFT[] = {1, 1, 8, 9}, RIGHT[] = {15, 1, 19, 9};

static bool create(scene *s, throng_message *message)
{
    const throng_shape boundary = {NULL, HALL, 2}, walls[] = {{NULL, WALL, 2}, {NULL, UPPER, 2}},
                       doors[] = {{"middle", DOOR, 2}}, regions[] = {{"left", LEFT, 2}, {"right", RIGHT, 2}};
    throng_sim_settings settings = throng_sim_settings_default();
    throng_sim_world world = throng_sim_world_default();
    settings.backend = "cpu";
    settings.threads = settings.simd = 1;
    settings.seed = 5;
    world.boundary = &boundary;
    world.walls = walls;
    world.doors = doors;
    world.regions = regions;
    world.boundary_count = world.door_count = 1;
    world.wall_count = world.region_count = 2;
    s->sim = throng_sim_create(&world, &settings, message);
    return s->sim;
}

static bool spawn(scene *s, throng_message *message)
{
    throng_sim_group group = throng_sim_group_default();
    group.name = "crowd";
    group.where = "left";
    group.speed = 1.3;
    group.speed_deviation = 0.2;
    return throng_sim_spawn_group(s->sim, &group, NULL, CROWD, s->crowd, message);
}

static bool spawn_at(scene *s, throng_message *message)
{
    const float at[2 * LATE] = {2, 0.5f, 3.25f, 0.5f};
    throng_sim_group group = throng_sim_group_default();
    group.planner = "rvo";
    return throng_sim_spawn_group(s->sim, &group, at, LATE, s->late, message);
}

static bool go_to(scene *s, throng_message *message)
{
    return throng_sim_go_to(s->sim, s->crowd, CROWD, "right", message);
}

static bool go_to_point(scene *s, throng_message *message)
{
    return throng_sim_go_to_point(s->sim, s->late, LATE, (throng_place){18, 5, 0}, message);
}

static bool close_door(scene *s, throng_message *message)
{
    return throng_sim_set_door(s->sim, "middle", false, message);
}

static bool count_in(scene *s, throng_message *message)
{
    int32_t count = -1;
    bool fine = throng_sim_count_in(s->sim, "left", &count, message);
    assert_true(fine == (count >= 0));
    return fine;
}

/* What was edited before is not there any more when that fails. */
static bool edit(scene *s, const char *name, float value, throng_message *message)
{
    int32_t column = throng_sim_column_named(s->sim, name);
    float *values = throng_sim_edit(s->sim, column, message);
    int64_t after = left;
    if (!values) {
        left = -1;
        assert_false(throng_sim_commit(s->sim, column, NULL));
        left = after;
        return false;
    }
    values[s->crowd[0].slot] = values[s->crowd[3].slot] = value;
    return throng_sim_commit(s->sim, column, message);
}

static bool edit_speed(scene *s, throng_message *message) { return edit(s, "speed", 0.7f, message); }

/* Of one that is edited. */
static bool edit_again(scene *s, throng_message *message)
{
    int64_t after = left;
    left = -1;
    assert_non_null(throng_sim_edit(s->sim, throng_sim_column_named(s->sim, "speed"), NULL));
    left = after;
    return edit(s, "speed", 0.8f, message);
}

/* Nobody has used it before. */
static bool edit_turn_rate(scene *s, throng_message *message) { return edit(s, "turn_rate", 2, message); }

static bool follow(scene *s, throng_message *message)
{
    return throng_sim_do_with(s->sim, s->crowd, CROWD, "group.speed = function(t) return 1 + 0.1 * t end", message);
}

/* It has a behaviour function, which is kept where this fails. */
static bool edit_followed(scene *s, throng_message *message) { return edit(s, "speed", 0.9f, message); }

static bool find_path(scene *s, throng_message *message)
{
    int32_t count;
    double length;
    return throng_sim_path(s->sim, (throng_place){2, 2, 0}, (throng_place){18, 8, 0}, 0.3, NULL, 0, &count, &length,
                           message);
}

static bool remove_late(scene *s, throng_message *message) { return throng_sim_remove(s->sim, s->late, LATE, message); }

typedef bool call(scene *s, throng_message *message);

static const struct {
    const char *what;
    call *run;
} CALLS[] = {{"spawn_group", spawn},       {"spawn_group at", spawn_at},     {"go_to", go_to},
             {"go_to_point", go_to_point}, {"set_door", close_door},         {"count_in", count_in},
             {"edit", edit_speed},         {"edit again", edit_again},       {"edit turn_rate", edit_turn_rate},
             {"follow", follow},           {"edit followed", edit_followed}, {"path", find_path},
             {"remove", remove_late}};

/* True when the call came to an allocation that failed. */
static bool fails_at(int64_t n, scene *s, call *run, bool *fine, throng_message *message)
{
    message->text[0] = 0;
    left = n;
    *fine = run(s, message);
    bool came = left < 0;
    left = -1;
    refused = false;
    assert_true(*fine || *message->text);
    return came;
}

static void step(scene *s)
{
    throng_message message;
    if (!throng_sim_step(s->sim, &message))
        fail_msg("%s", message.text);
}

static void assert_same(const scene *a, const scene *b, const char *what, int64_t n)
{
    uint64_t hashes[2];
    assert_true(throng_sim_hash(a->sim, &hashes[0], NULL) && throng_sim_hash(b->sim, &hashes[1], NULL));
    if (hashes[0] != hashes[1] || throng_sim_count(a->sim) != throng_sim_count(b->sim))
        fail_msg("%s, allocation %d: the simulation is another", what, (int)n);
}

/* Until nothing fails any more, beside one in which it is called as often as it was done here. */
static int64_t fail_in_turn(scene *failing, scene *other, const char *what, call *run)
{
    throng_message message, theirs;
    int64_t failures = 0, n = 0;
    bool fine;
    for (bool came = true; came; n += 1 + n / DENSER) {
        came = fails_at(n, failing, run, &fine, &message);
        if ((fine || !came) && (run(other, &theirs) != fine || (!fine && strcmp(message.text, theirs.text) != 0)))
            fail_msg("%s, allocation %d: '%s', and '%s'", what, (int)n, message.text, theirs.text);
        failures += !fine;
        assert_same(failing, other, what, n);
        step(failing);
        step(other);
        assert_same(failing, other, what, n);
        assert_true(n < MOST);
    }
    return failures;
}

static void calls_that_fail_leave_the_simulation_as_it_was(void **state)
{
    (void)state;
    scene failing, other;
    if (THRONG_MOVES_ARRAYS) /* there is always memory for what was made room for before */
        skip_because("arrays with room are moved here, which takes memory");
    assert_true(create(&failing, NULL) && create(&other, NULL));
    for (size_t i = 0; i < sizeof CALLS / sizeof *CALLS; i++)
        assert_true(fail_in_turn(&failing, &other, CALLS[i].what, CALLS[i].run) > 0);
    throng_sim_destroy(failing.sim);
    throng_sim_destroy(other.sim);
}

static void worlds_that_fail_leave_nothing(void **state)
{
    (void)state;
    throng_message message;
    scene s;
    bool fine;
    int64_t failures = 0, n = 0;
    for (bool came = true; came; n += 1 + n / DENSER) {
        came = fails_at(n, &s, create, &fine, &message);
        if (!fine && !came)
            fail_msg("%s", message.text);
        failures += !fine;
        throng_sim_destroy(s.sim);
        assert_true(n < MOST);
    }
    assert_true(failures > 100);
}

static void worlds_that_find_no_memory_from_then_on_fail_too(void **state)
{
    (void)state;
    scene s;
    int64_t failures = 0, n = 0;
    for_good = true;
    for (bool came = true; came; n += 1 + n / DENSER) {
        throng_message message = {""};
        left = n;
        bool fine = create(&s, &message);
        came = left == 0;
        left = -1;
        refused = false;
        assert_true(fine || *message.text);
        failures += !fine;
        throng_sim_destroy(s.sim);
        assert_true(n < MOST);
    }
    for_good = false;
    assert_true(failures > 100);
}

int main(void)
{
    asks_again = true;
    const struct CMUnitTest tests[] = {cmocka_unit_test(calls_that_fail_leave_the_simulation_as_it_was),
                                       cmocka_unit_test(worlds_that_fail_leave_nothing),
                                       cmocka_unit_test(worlds_that_find_no_memory_from_then_on_fail_too)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
