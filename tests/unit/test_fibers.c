/* Work in flight on stacks of its own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include <lauxlib.h>
#include <lualib.h>
#include <pthread.h>

#include "base/fibers.h"

enum { MOST = 1000 };

static const int32_t COUNTS[] = {0, 1, 2, 7, 100, MOST}, THREADS[] = {1, 2, 3, 8};
enum { COUNTS_COUNT = sizeof COUNTS / sizeof *COUNTS, THREADS_COUNT = sizeof THREADS / sizeof *THREADS };

/* Of one run; work is on several threads, so that it counts what is wrong and asserts nothing. */
static struct {
    int32_t count, calls[MOST], begun, working, served, served_other, wrong;
    int32_t order[64], ordered;
} run;

static void add(int32_t *to, int32_t n) { __atomic_add_fetch(to, n, __ATOMIC_SEQ_CST); }
static int32_t get(const int32_t *from) { return __atomic_load_n(from, __ATOMIC_SEQ_CST); }
static void expect(bool what) { add(&run.wrong, !what); }

static void expect_all_wait(void)
{
    expect(get(&run.working) == 0 && get(&run.begun) == run.count && !fibers_inside());
}

static void serve(void)
{
    expect_all_wait();
    add(&run.served, 1);
}

static void serve_other(void)
{
    expect_all_wait();
    add(&run.served_other, 1);
}

static void begin(int32_t i)
{
    expect(fibers_inside());
    add(&run.begun, 1);
    add(&run.working, 1);
    run.calls[i]++;
}

static void end(void) { add(&run.working, -1); }

static void wait_for(void (*what)(void))
{
    pthread_t thread = pthread_self();
    add(&run.working, -1);
    fibers_wait(what);
    add(&run.working, 1);
    expect(pthread_equal(thread, pthread_self()) && fibers_inside());
}

static void wait_once(void)
{
    int32_t before = get(&run.served);
    wait_for(serve);
    expect(get(&run.served) == before + 1);
}

static void go(int32_t count, int32_t threads, fibers_work *work)
{
    throng_error error;
    memset(&run, 0, sizeof run);
    run.count = count;
    assert_true(fibers_run(count, threads, work, NULL, &error));
    assert_int_equal(run.wrong, 0);
    assert_int_equal(run.begun, count);
    for (int32_t i = 0; i < count; i++)
        assert_int_equal(run.calls[i], 1);
    assert_false(fibers_inside());
}

/* ---- */

static void wait_never(void *context, int32_t i)
{
    (void)context;
    begin(i);
    end();
}

/* How often differs: not at all, once ... six times. */
static void wait_unevenly(void *context, int32_t i)
{
    (void)context;
    begin(i);
    for (int32_t n = 0; n < i % 7; n++)
        wait_once();
    end();
}

static void each_is_called_once(void **state)
{
    (void)state;
    for (int c = 0; c < COUNTS_COUNT; c++)
        for (int t = 0; t < THREADS_COUNT; t++) {
            go(COUNTS[c], THREADS[t], wait_never);
            assert_int_equal(run.served, 0);
        }
}

static void all_are_served_when_all_wait(void **state)
{
    (void)state;
    for (int c = 0; c < COUNTS_COUNT; c++)
        for (int t = 0; t < THREADS_COUNT; t++) {
            go(COUNTS[c], THREADS[t], wait_unevenly);
            assert_int_equal(run.served, COUNTS[c] > 6 ? 6 : COUNTS[c] > 0 ? COUNTS[c] - 1 : 0);
        }
}

static void those_who_sleep_are_woken(void **state)
{
    (void)state;
    for (int n = 0; n < 200; n++)
        go(5, 3, wait_unevenly);
}

/* Others sleep by then. */
static void serve_late(void)
{
    usleep(2000);
    serve();
}

static void wait_long(void *context, int32_t i)
{
    (void)context;
    begin(i);
    for (int n = 0; n < 5; n++) {
        if (i == 0)
            usleep(2000);
        wait_for(serve_late);
    }
    end();
}

static void the_slow_are_waited_for(void **state)
{
    (void)state;
    go(6, 3, wait_long);
    assert_int_equal(run.served, 5);
}

static void note(int32_t what) { run.order[run.ordered++] = what; }

static void serve_noting(void)
{
    serve();
    note(-1);
}

static void wait_noting(void *context, int32_t i)
{
    (void)context;
    begin(i);
    note(i);
    for (int n = 0; n < 3 - i; n++) {
        wait_for(serve_noting);
        note(i);
    }
    end();
}

static void a_thread_goes_on_with_others(void **state)
{
    (void)state;
    static const int32_t ORDER[] = {0, 1, 2, -1, 0, 1, 2, -1, 0, 1, -1, 0};
    go(3, 1, wait_noting);
    assert_int_equal(run.ordered, sizeof ORDER / sizeof *ORDER);
    assert_memory_equal(run.order, ORDER, sizeof ORDER);
}

static void wait_for_either(void *context, int32_t i)
{
    (void)context;
    begin(i);
    wait_for(i % 3 ? serve : serve_other);
    wait_for(i % 2 ? serve : serve_other);
    wait_for(serve_other);
    end();
}

static void each_function_is_called_once(void **state)
{
    (void)state;
    for (int t = 0; t < THREADS_COUNT; t++) {
        go(50, THREADS[t], wait_for_either);
        assert_int_equal(run.served, 2);
        assert_int_equal(run.served_other, 3);
    }
}

static int32_t sum_down(volatile int32_t *above, int32_t i, int32_t depth)
{
    volatile int32_t own[16];
    for (int32_t n = 0; n < 16; n++)
        own[n] = i * n + depth;
    int32_t sum = depth > 0 ? sum_down(own, i, depth - 1) : 0;
    if (depth % 20 == 0)
        wait_once();
    for (int32_t n = 0; n < 16; n++)
        expect(own[n] == i * n + depth && (!above || above[n] == i * n + depth + 1));
    return sum + own[1];
}

static void wait_deep(void *context, int32_t i)
{
    (void)context;
    begin(i);
    expect(sum_down(NULL, i, 100) == 101 * i + 5050);
    end();
}

static void stacks_are_kept(void **state)
{
    (void)state;
    for (int t = 0; t < THREADS_COUNT; t++) {
        go(40, THREADS[t], wait_deep);
        assert_int_equal(run.served, 6);
    }
}

/* ---- Lua */

static int lua_wait(lua_State *L)
{
    (void)L;
    wait_once();
    return 0;
}

static const char CHUNK[] = "local wait, i = ...\n"
                            "local sum = 0\n"
                            "for n = 1, 4 do\n"
                            "  local fine, why = pcall(function() wait() error { n * i } end)\n"
                            "  sum = sum + (not fine and why[1] or 0)\n"
                            "  local step = coroutine.wrap(function() pcall(error, wait()) coroutine.yield(n) end)\n"
                            "  sum = sum + step()\n"
                            "end\n"
                            "local depth = 0\n"
                            "local function deeper() depth = depth + 1 return (('x'):gsub('x', deeper)) end\n"
                            "local fine, why = pcall(deeper)\n"
                            "assert(not fine and why:find 'C stack overflow', why)\n"
                            "assert(depth > 150, depth)\n"
                            "return sum";

static void run_lua(void *context, int32_t i)
{
    (void)context;
    begin(i);
    lua_State *L = luaL_newstate();
    luaL_openlibs(L);
    expect(luaL_loadstring(L, CHUNK) == LUA_OK);
    lua_pushcfunction(L, lua_wait);
    lua_pushinteger(L, i);
    expect(lua_pcall(L, 2, 1, 0) == LUA_OK && lua_tointeger(L, -1) == 10 * i + 10);
    lua_close(L);
    end();
}

static void lua_states_catch_their_errors(void **state)
{
    (void)state;
    for (int t = 0; t < THREADS_COUNT; t++) {
        go(30, THREADS[t], run_lua);
        assert_int_equal(run.served, 8);
    }
}

/* ---- runs in runs */

static void run_others(void *context, int32_t i)
{
    throng_error error;
    int32_t inner = i;
    (void)context;
    expect(fibers_run(2, 1, context, &inner, &error));
    expect(fibers_inside());
    fibers_wait(serve);
    add(&run.calls[i], inner);
}

static void count_and_wait(void *context, int32_t i)
{
    fibers_wait(serve_other);
    add(context, 10 * (i + 1));
}

static void work_runs_other_work(void **state)
{
    (void)state;
    throng_error error;
    memset(&run, 0, sizeof run);
    assert_true(fibers_run(4, 1, run_others, count_and_wait, &error));
    for (int32_t i = 0; i < 4; i++)
        assert_int_equal(run.calls[i], i + 30);
}

/* ---- stacks */

static int32_t mapped, most_mapped;

void *__real_mmap(void *at, size_t size, int protection, int flags, int file, off_t offset);
void *__wrap_mmap(void *at, size_t size, int protection, int flags, int file, off_t offset);
void *__wrap_mmap(void *at, size_t size, int protection, int flags, int file, off_t offset)
{
    if (__atomic_fetch_add(&mapped, 1, __ATOMIC_SEQ_CST) < most_mapped)
        return __real_mmap(at, size, protection, flags, file, offset);
    return MAP_FAILED;
}

static int stacks_are_scarce(void **state)
{
    (void)state;
    mapped = 0;
    most_mapped = 4;
    return 0;
}

static int stacks_are_plenty(void **state)
{
    (void)state;
    mapped = 0;
    most_mapped = INT32_MAX;
    return 0;
}

static void without_a_stack_nothing_is_called(void **state)
{
    throng_error error;
    (void)state;
    memset(&run, 0, sizeof run);
    most_mapped = 2;
    assert_false(fibers_run(10, 3, wait_never, NULL, &error));
    assert_string_equal(error.text, "out of memory for the stacks of 3 threads");
    assert_int_equal(run.begun, 0);
}

static void wait_twice(void *context, int32_t i)
{
    (void)context;
    add(&run.calls[i], 1);
    fibers_wait(serve);
    fibers_wait(serve);
}

/* They begin as others end: 4 at a time. */
static void with_few_stacks_few_are_in_flight(void **state)
{
    throng_error error;
    (void)state;
    for (int32_t threads = 1; threads <= 3; threads++) {
        memset(&run, 0, sizeof run);
        stacks_are_scarce(NULL);
        assert_true(fibers_run(10, threads, wait_twice, NULL, &error));
        for (int32_t i = 0; i < 10; i++)
            assert_int_equal(run.calls[i], 1);
        assert_in_range(run.served, 6, 20);
    }
}

static void stacks_are_used_again(void **state)
{
    (void)state;
    fibers *of = fibers_create(2);
    for (int n = 0; n < 3; n++) {
        memset(&run, 0, sizeof run);
        fibers_run_on(of, MOST, wait_twice, NULL);
        assert_int_equal(run.served, 2);
    }
    assert_in_range(mapped, MOST, 2 * MOST);
    fibers_destroy(of);
    mapped = 0;
    go(MOST, 2, wait_never);
    assert_int_equal(mapped, 2);
}

static int32_t fall(volatile char *above, int32_t depth)
{
    volatile char own[1024];
    own[0] = (char)(above ? above[0] + 1 : 0);
    return (depth > 0 ? fall(own, depth - 1) : 0) + own[0];
}

/* Below its stack lies the other's. */
static void fall_down(void *context, int32_t i)
{
    (void)context;
    fibers_wait(serve);
    if (i > 0)
        return;
    fall(NULL, 9000); /* 9 MB and more */
    _exit(0);
}

static void a_stack_has_an_end(void **state)
{
    int status = 0;
    (void)state;
    pid_t child = fork();
    if (child == 0) {
        throng_error error;
        close(STDERR_FILENO);
        fibers_run(2, 1, fall_down, NULL, &error);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_false(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

int main(void)
{
    stacks_are_plenty(NULL);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_is_called_once),
        cmocka_unit_test(all_are_served_when_all_wait),
        cmocka_unit_test(those_who_sleep_are_woken),
        cmocka_unit_test(the_slow_are_waited_for),
        cmocka_unit_test(a_thread_goes_on_with_others),
        cmocka_unit_test(each_function_is_called_once),
        cmocka_unit_test(stacks_are_kept),
        cmocka_unit_test(lua_states_catch_their_errors),
        cmocka_unit_test(work_runs_other_work),
        cmocka_unit_test_setup_teardown(without_a_stack_nothing_is_called, stacks_are_scarce, stacks_are_plenty),
        cmocka_unit_test_setup_teardown(with_few_stacks_few_are_in_flight, stacks_are_scarce, stacks_are_plenty),
        cmocka_unit_test_setup_teardown(stacks_are_used_again, stacks_are_plenty, stacks_are_plenty),
        cmocka_unit_test(a_stack_has_an_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
