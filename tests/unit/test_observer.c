/* Observers: they see every moment that they are shown, as it was, however slow they are and whatever the world does
 * meanwhile; also from the device, where there is one. */
#include <string.h>
#include <time.h>

#include "record/observer.h"
#include "crowds.h"

enum { AGENTS = 200, STEPS = 150 };

#define BIT(column) ((uint64_t)1 << THRONG_COLUMN_##column)

/* What the world was at each moment, and what an observer made of it. */
typedef struct notes {
    double shown[STEPS][2], seen[STEPS][2]; /* time, sum of places */
    int32_t shown_count, seen_count, recounted, fail_at;
    long pause; /* ns */
} notes;

static double sum(const float *x, const float *y, const int32_t *state, int32_t slots)
{
    double total = 0;
    for (int32_t s = 0; s < slots; s++)
        total += (state[s] & THRONG_STATE_ALIVE) ? (double)x[s] + 3 * (double)y[s] : 0;
    return total;
}

static bool look(void *context, throng_snapshot *snapshot, throng_error *error)
{
    notes *n = context;
    const throng_agent_columns *c = &snapshot->agents.columns;
    nanosleep(&(struct timespec){0, n->pause}, NULL);
    if (n->seen_count == n->fail_at)
        return throng_fail(error, "the disk is full");
    n->seen[n->seen_count][0] = snapshot->time;
    n->seen[n->seen_count++][1] = sum(c->x, c->y, c->state, snapshot->agents.slots);
    for (int32_t s = 0; s < snapshot->agents.slots; s++)
        c->x[s] = 0; /* its own to change */
    return true;
}

/* Comes after that, on another thread, and finds what it left. */
static bool look_again(void *context, throng_snapshot *snapshot, throng_error *error)
{
    notes *n = context;
    for (int32_t s = 0; s < snapshot->agents.slots; s++)
        if (snapshot->agents.columns.x[s] != 0)
            return throng_fail(error, "not looked at before");
    if (snapshot->time != n->seen[n->recounted++][0])
        return throng_fail(error, "not in order");
    return true;
}

static const throng_look looks[] = {look, look_again};

static throng_world *crowd(const char *backend, throng_handle **handles)
{
    throng_point at[AGENTS];
    for (int32_t i = 0; i < AGENTS; i++)
        at[i] = (throng_point){0.7 * (i % 20) - 7, 0.7 * (i / 20) + 1};
    throng_world *world = crowd_world(backend, strcmp(backend, "cpu") == 0 ? 4 : 0, 0, NULL);
    *handles = crowd_spawn(world, at, AGENTS, throng_spawn_def_default());
    return world;
}

/* What the script does between two frames is shown, too. */
static void change(throng_world *world, const throng_handle *handles, int32_t step)
{
    throng_error error;
    if (step % 10 == 4)
        assert_int_equal(throng_world_remove(world, &handles[step], 1, &error), 1);
    if (step % 10 == 7)
        ((float *)throng_agents_write(throng_world_agents(world), THRONG_COLUMN_x, &error))[step] += 0.125f;
}

static void show_all(notes *n, const char *backend)
{
    throng_error error = {""};
    throng_handle *handles;
    throng_world *world = crowd(backend, &handles);
    throng_agents *agents = throng_world_agents(world);
    throng_observer *o = throng_observer_start(BIT(x) | BIT(y) | BIT(state), looks, 2, n, &error);
    assert_non_null(o);
    for (int32_t step = 0; step < STEPS; step++) {
        assert_true(throng_world_step(world, &error));
        change(world, handles, step);
        assert_true(throng_observer_show(o, world, &error));
        n->shown[n->shown_count][0] = throng_world_time(world);
        n->shown[n->shown_count++][1] = sum(
            throng_agents_read(agents, THRONG_COLUMN_x, &error), throng_agents_read(agents, THRONG_COLUMN_y, &error),
            throng_agents_read(agents, THRONG_COLUMN_state, &error), throng_agents_slots(agents));
    }
    throng_world_destroy(world); /* what was shown outlives it */
    throng_observer_wait(o);
    assert_int_equal(n->recounted, STEPS); /* by both looks */
    assert_true(throng_observer_stop(o, &error));
    free(handles);
}

static void every_moment_is_seen_as_it_was(const char *backend)
{
    static const long pauses[] = {0, 1000000};
    for (int p = 0; p < 2; p++) {
        notes *n = calloc(1, sizeof *n);
        n->fail_at = -1;
        n->pause = pauses[p];
        show_all(n, backend);
        assert_int_equal(n->seen_count, STEPS);
        assert_int_equal(n->recounted, STEPS);
        assert_memory_equal(n->shown, n->seen, sizeof n->shown);
        free(n);
    }
}

static void on_the_host(void **state)
{
    (void)state;
    every_moment_is_seen_as_it_was("cpu");
}

static void on_the_device(void **state)
{
    (void)state;
    skip_without_device();
    every_moment_is_seen_as_it_was("cuda");
}

static void a_failure_is_told_at_the_next_moment(void **state)
{
    (void)state;
    throng_error error = {""}, last;
    throng_handle *handles;
    throng_world *world = crowd("cpu", &handles);
    notes *n = calloc(1, sizeof *n);
    n->fail_at = 3;
    throng_observer *o = throng_observer_start(BIT(x) | BIT(y) | BIT(state), looks, 2, n, &error);
    int32_t shown = 0;
    while (shown < STEPS && throng_observer_show(o, world, &error))
        nanosleep(&(struct timespec){0, 1000000}, NULL), shown++;
    assert_true(shown >= 4 && shown < STEPS);
    assert_string_equal(error.text, "the disk is full");
    assert_false(throng_observer_stop(o, &last));
    assert_string_equal(last.text, "the disk is full");
    assert_int_equal(n->seen_count, 3);
    assert_int_equal(n->recounted, 3);
    throng_world_destroy(world);
    free(handles);
    free(n);
}

static void nothing_is_nothing(void **state)
{
    (void)state;
    throng_error error;
    notes n = {.fail_at = -1};
    throng_world *world = crowd_world("cpu", 4, 1, NULL);
    throng_observer *o = throng_observer_start(BIT(x) | BIT(y) | BIT(state), looks, 2, &n, &error);
    for (int i = 0; i < 3; i++)
        assert_true(throng_observer_show(o, world, &error));
    assert_true(throng_observer_stop(o, &error) && throng_observer_stop(NULL, &error));
    assert_int_equal(n.seen_count, 3);
    throng_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(on_the_host),
        cmocka_unit_test(on_the_device),
        cmocka_unit_test(a_failure_is_told_at_the_next_moment),
        cmocka_unit_test(nothing_is_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
