/* The agent store: handles, growth, columns, hash. */
#include <string.h>

#include "crowds.h"

static throng_agents *store(throng_world **world)
{
    *world = crowd_world("cpu", 1, 1, NULL);
    return throng_world_agents(*world);
}

static void a_stale_handle_is_never_another_agent(void **state)
{
    (void)state;
    throng_world *world;
    throng_error error;
    throng_agents *a = store(&world);
    throng_handle h[3], again;
    assert_true(throng_agents_add(a, 3, h, &error));
    assert_true(throng_agents_remove(a, h[1]));
    assert_false(throng_agents_remove(a, h[1]));
    assert_true(throng_agents_add(a, 1, &again, &error));
    assert_int_equal(again.slot, h[1].slot); /* the lowest free slot is used again */
    assert_false(throng_agents_alive(a, h[1]));
    assert_true(throng_agents_alive(a, again));
    assert_int_equal(throng_agents_id(a, again.slot), 3); /* but an id never is */
    throng_world_destroy(world);
}

static void columns_keep_their_values_when_the_store_grows(void **state)
{
    (void)state;
    throng_world *world;
    throng_error error;
    throng_agents *a = store(&world);
    throng_handle h[2000];
    assert_true(throng_agents_add(a, 10, h, &error));
    float *x = throng_agents_write(a, THRONG_COLUMN_x, &error);
    for (int i = 0; i < 10; i++)
        x[i] = (float)i + 0.5f;
    assert_true(throng_agents_add(a, 1990, h + 10, &error));
    const float *now = throng_agents_read(a, THRONG_COLUMN_x, &error);
    for (int i = 0; i < 10; i++)
        assert_true(now[i] == (float)i + 0.5f);
    assert_true(now[1999] == 0);
    assert_true(((const float *)throng_agents_read(a, THRONG_COLUMN_radius, &error))[1999] == 0.25f);
    assert_int_equal(throng_agents_count(a), 2000);
    throng_world_destroy(world);
}

static void free_slots_are_used_lowest_first(void **state)
{
    (void)state;
    throng_world *world;
    throng_error error;
    throng_agents *a = store(&world);
    throng_handle h[50], fresh[6];
    static const int gone[] = {40, 3, 17, 9, 31};
    assert_true(throng_agents_add(a, 50, h, &error));
    for (int i = 0; i < 5; i++)
        assert_true(throng_agents_remove(a, h[gone[i]]));
    assert_true(throng_agents_add(a, 6, fresh, &error));
    static const int expected[] = {3, 9, 17, 31, 40, 50};
    for (int i = 0; i < 6; i++)
        assert_int_equal(fresh[i].slot, expected[i]);
    throng_world_destroy(world);
}

static void the_hash_sees_every_column(void **state)
{
    (void)state;
    throng_world *world;
    throng_error error;
    throng_agents *a = store(&world);
    throng_handle h[5];
    uint64_t before, after;
    assert_true(throng_agents_add(a, 5, h, &error));
    for (int k = 0; k < THRONG_OWN_COLUMNS; k++)
        assert_int_equal(throng_agents_declare(a, (char[]){'o', (char)('a' + k), '\0'}, "", &error),
                         THRONG_COLUMN_GIVEN + k);
    for (int c = 0; c < THRONG_COLUMN_COUNT; c++) {
        assert_true(throng_agents_hash(a, &before, &error));
        uint32_t *values = throng_agents_write(a, c, &error);
        values[2] ^= 1; /* the last bit */
        assert_true(throng_agents_hash(a, &after, &error));
        assert_true(before != after);
        values[2] ^= 1;
        assert_true(throng_agents_hash(a, &after, &error));
        assert_true(before == after);
    }
    throng_world_destroy(world);
}

/* What a script has not declared takes no memory and has no name; what it has, counts. */
static void own_columns_are_there_once_they_are_declared(void **state)
{
    (void)state;
    throng_world *world;
    throng_error error;
    throng_agents *a = store(&world);
    throng_handle h[100];
    uint64_t before, after;
    assert_true(throng_agents_add(a, 100, h, &error));
    size_t bytes = throng_agents_bytes(a);
    assert_int_equal(throng_agents_columns(a), THRONG_COLUMN_GIVEN);
    assert_int_equal(throng_agents_column_named(a, "own_1"), -1);
    assert_true(throng_agents_hash(a, &before, &error));
    assert_int_equal(throng_agents_declare(a, "speed", "", &error), -1);
    assert_int_equal(throng_agents_declare(a, "patience", "a unit of more than thirty-one letters", &error), -1);
    assert_int_equal(throng_agents_bytes(a), bytes);
    assert_int_equal(throng_agents_declare(a, "patience", "s", &error), THRONG_COLUMN_GIVEN);
    assert_true(throng_agents_bytes(a) > bytes);
    assert_int_equal(throng_agents_column_named(a, "patience"), THRONG_COLUMN_GIVEN);
    assert_string_equal(throng_agents_column(a, THRONG_COLUMN_GIVEN)->name, "patience");
    assert_string_equal(throng_agents_column(a, THRONG_COLUMN_GIVEN)->unit, "s");
    assert_true(throng_agents_hash(a, &after, &error));
    assert_true(before == after); /* nobody has another value than the first */
    ((float *)throng_agents_write(a, THRONG_COLUMN_GIVEN, &error))[7] = 1;
    assert_true(throng_agents_hash(a, &after, &error));
    assert_true(before != after);
    throng_world_destroy(world);
}

static void rare_columns_take_memory_when_they_are_used(void **state)
{
    (void)state;
    throng_world *world;
    throng_error error;
    throng_agents *a = store(&world);
    throng_handle h[100];
    uint64_t before, after;
    assert_true(throng_agents_add(a, 100, h, &error));
    assert_true(throng_agents_hash(a, &before, &error));
    size_t bytes = throng_agents_bytes(a);
    assert_true(throng_agents_set(a, THRONG_COLUMN_waypoint, h, 100, -1, &error)); /* as it is */
    assert_false(throng_agents_uses(a, THRONG_COLUMN_waypoint));
    const int32_t *corner = throng_agents_read(a, THRONG_COLUMN_waypoint, &error);
    assert_true(throng_agents_uses(a, THRONG_COLUMN_waypoint));
    for (int i = 0; i < 100; i++)
        assert_int_equal(corner[i], -1);
    assert_true(throng_agents_bytes(a) == bytes + 4 * (size_t)throng_agents_capacity(a));
    assert_true(throng_agents_hash(a, &after, &error));
    assert_true(before == after); /* the hash does not see who looked */
    assert_true(throng_agents_set(a, THRONG_COLUMN_waypoint, h + 7, 1, 3, &error));
    assert_true(throng_agents_add(a, 100, h, &error)); /* who comes later has the column, too */
    corner = throng_agents_read(a, THRONG_COLUMN_waypoint, &error);
    assert_int_equal(corner[7], 3);
    assert_int_equal(corner[150], -1);
    throng_world_destroy(world);
}

/* Who had a column before the step, and is told what it wrote, need not fetch it; who had an older one must. */
static void a_column_that_was_followed_is_not_fetched(void **state)
{
    (void)state;
    throng_world *world;
    throng_error error;
    throng_agents *a = store(&world);
    throng_handle h[4];
    const int32_t slot = 2;
    const throng_column_set written = THRONG_COLUMN_BIT(arrived);
    assert_true(throng_agents_add(a, 4, h, &error));
    throng_agents_stepped(a, written);
    throng_agents_follow(a, THRONG_COLUMN_arrived, &slot, 1, 7);
    const int32_t *arrived = throng_agents_read(a, THRONG_COLUMN_arrived, &error);
    assert_int_equal(arrived[2], 7);
    assert_int_equal(arrived[1], -1);
    assert_int_equal(throng_agents_fetched(a), 0);
    throng_agents_stepped(a, written);
    throng_agents_stepped(a, written); /* and nobody was told what the first of the two wrote */
    throng_agents_follow(a, THRONG_COLUMN_arrived, &slot, 1, 9);
    throng_agents_read(a, THRONG_COLUMN_arrived, &error);
    assert_int_equal(throng_agents_fetched(a), 16);
    throng_world_destroy(world);
}

static void columns_are_found_by_name(void **state)
{
    (void)state;
    assert_int_equal(throng_column_named("radius"), THRONG_COLUMN_radius);
    assert_int_equal(throng_column_named("arrived"), THRONG_COLUMN_arrived);
    assert_int_equal(throng_column_named("colour"), -1);
}

/* Draws of the same script and seed must not change with a version that has more columns. */
static void streams_of_random_numbers_do_not_depend_on_how_many_columns_there_are(void **state)
{
    (void)state;
    assert_int_equal(throng_column_stream(THRONG_COLUMN_radius), 9);
    assert_int_equal(throng_column_stream(THRONG_COLUMN_lift), 53);
    assert_int_equal(throng_column_stream(THRONG_COLUMN_own_1), 54);
    assert_int_equal(throng_column_stream(THRONG_COLUMN_COUNT), 62); /* a planner's first parameter */
    for (int a = 0; a < THRONG_COLUMN_COUNT + THRONG_PLANNER_VALUES; a++)
        for (int b = 0; b < a; b++)
            assert_int_not_equal(throng_column_stream(a), throng_column_stream(b));
}

static void too_many_agents_are_refused(void **state)
{
    (void)state;
    throng_world *world;
    throng_error error;
    throng_agents *a = store(&world);
    throng_handle h;
    assert_false(throng_agents_add(a, -1, &h, &error));
    assert_false(throng_agents_add(a, INT32_MAX, &h, &error));
    assert_non_null(strstr(error.text, "more than"));
    assert_int_equal(throng_agents_count(a), 0);
    throng_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stale_handle_is_never_another_agent),
        cmocka_unit_test(columns_keep_their_values_when_the_store_grows),
        cmocka_unit_test(free_slots_are_used_lowest_first),
        cmocka_unit_test(the_hash_sees_every_column),
        cmocka_unit_test(own_columns_are_there_once_they_are_declared),
        cmocka_unit_test(rare_columns_take_memory_when_they_are_used),
        cmocka_unit_test(a_column_that_was_followed_is_not_fetched),
        cmocka_unit_test(columns_are_found_by_name),
        cmocka_unit_test(streams_of_random_numbers_do_not_depend_on_how_many_columns_there_are),
        cmocka_unit_test(too_many_agents_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
