/* Where the system gives no more threads: fewer do the same work, and who asked for more is told. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <pthread.h>
#include <string.h>

#include "base/pool.h"
#include "base/watchdog.h"
#include "record/observer.h"
#include "stages/backend.h"

enum { COUNT = 1000 };

/* A thread's stack is to be larger than any address space: none can be started. */
static int no_threads(void **state)
{
    static pthread_attr_t attributes;
    (void)state;
    return pthread_attr_init(&attributes) || pthread_attr_setstacksize(&attributes, (size_t)1 << 50) ||
           pthread_setattr_default_np(&attributes);
}

static int threads_again(void **state)
{
    static pthread_attr_t attributes;
    (void)state;
    return pthread_attr_init(&attributes) || pthread_setattr_default_np(&attributes);
}

static void count_up(void *context, int32_t begin, int32_t end, int thread)
{
    int32_t *counts = context;
    (void)thread;
    for (int32_t i = begin; i < end; i++)
        counts[i]++;
}

static void expect_all_done(int wanted, int expected)
{
    int32_t counts[COUNT] = {0};
    pool *p = pool_create(wanted);
    assert_non_null(p);
    assert_int_equal(pool_threads(p), expected);
    pool_run(p, COUNT, 10, count_up, counts);
    for (int i = 0; i < COUNT; i++)
        assert_int_equal(counts[i], 1);
    pool_destroy(p);
}

static void a_pool_has_the_threads_it_is_given(void **state)
{
    (void)state;
    expect_all_done(4, 4);
}

static void a_pool_without_threads_is_the_caller(void **state)
{
    (void)state;
    expect_all_done(4, 1);
}

static void a_backend_takes_what_there_is_unless_told(void **state)
{
    throng_error error;
    throng_stages stages;
    throng_backend_info info;
    (void)state;
    assert_true(throng_stages_open("cpu", &(throng_backend_options){0}, &stages, &error));
    stages.api->info(stages.backend, &info);
    assert_int_equal(info.threads, 1);
    throng_stages_close(&stages);
    assert_false(throng_stages_open("cpu", &(throng_backend_options){.threads = 4}, &stages, &error));
    assert_non_null(strstr(error.text, "cannot start 4 threads: the system gives 1 here"));
}

static bool look(void *context, throng_snapshot *snapshot, throng_error *error)
{
    (void)context, (void)snapshot, (void)error;
    return true;
}

static void a_recording_says_that_it_needs_one(void **state)
{
    throng_error error;
    (void)state;
    assert_null(throng_observer_start(0, (const throng_look[]){look}, 1, NULL, &error));
    assert_non_null(strstr(error.text, "cannot start a thread to record with: Resource temporarily unavailable"));
}

static void so_does_the_watchdog(void **state)
{
    throng_error error;
    (void)state;
    assert_false(throng_watchdog_start(&(throng_watchdog_def){.name = "test"}, &error));
    assert_string_equal(error.text,
                        "cannot start a thread to watch with: Resource temporarily unavailable (raise ulimit -u)");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pool_has_the_threads_it_is_given),
        cmocka_unit_test_setup_teardown(a_pool_without_threads_is_the_caller, no_threads, threads_again),
        cmocka_unit_test_setup_teardown(a_backend_takes_what_there_is_unless_told, no_threads, threads_again),
        cmocka_unit_test_setup_teardown(a_recording_says_that_it_needs_one, no_threads, threads_again),
        cmocka_unit_test_setup_teardown(so_does_the_watchdog, no_threads, threads_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
