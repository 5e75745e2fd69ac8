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

enum { WAITS = 16 };

/* Of one run; work is on several threads, so that it counts what is wrong and asserts nothing. */
static struct {
    int32_t count, calls[MOST], begun, wrong;
    struct {
        int32_t working, served, served_other;
        int32_t asked[WAITS], asked_other[WAITS]; /* has any waited for it the n-th time that it waits? */
        int32_t order[64], ordered;
    } half[FIBERS_HALVES];
} run;

static void add(int32_t *to, int32_t n) { __atomic_add_fetch(to, n, __ATOMIC_SEQ_CST); }
static int32_t get(const int32_t *from) { return __atomic_load_n(from, __ATOMIC_SEQ_CST); }
static void set(int32_t *to, int32_t value) { __atomic_store_n(to, value, __ATOMIC_SEQ_CST); }
static void expect(bool what) { add(&run.wrong, !what); }

static void expect_all_wait(int32_t half)
{
    expect(get(&run.half[half].working) == 0 && get(&run.begun) == run.count && !fibers_inside() &&
           fibers_half_of() == -1);
}

static void serve(int32_t half)
{
    expect_all_wait(half);
    add(&run.half[half].served, 1);
}

static void serve_other(int32_t half)
{
    expect_all_wait(half);
    add(&run.half[half].served_other, 1);
}

static void begin(int32_t i)
{
    expect(fibers_inside() && fibers_half_of() >= 0 && fibers_half_of() < FIBERS_HALVES);
    add(&run.begun, 1);
    add(&run.half[fibers_half_of()].working, 1);
    run.calls[i]++;
}

static void end(void) { add(&run.half[fibers_half_of()].working, -1); }

static void wait_for(fibers_service *what)
{
    pthread_t thread = pthread_self();
    int32_t half = fibers_half_of();
    add(&run.half[half].working, -1);
    fibers_wait(what);
    add(&run.half[half].working, 1);
    expect(pthread_equal(thread, pthread_self()) && fibers_inside() && fibers_half_of() == half);
}

/* The n-th time that it waits. */
static void wait_the(int32_t n, fibers_service *what)
{
    set((what == serve_other ? run.half[fibers_half_of()].asked_other : run.half[fibers_half_of()].asked) + n, 1);
    wait_for(what);
}

static void wait_once(int32_t n)
{
    int32_t half = fibers_half_of(), before = get(&run.half[half].served);
    wait_the(n, serve);
    expect(get(&run.half[half].served) == before + 1);
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
    for (int32_t half = 0; half < FIBERS_HALVES; half++)
        for (int32_t n = 0; n < WAITS; n++) {
            run.half[half].served -= run.half[half].asked[n];
            run.half[half].served_other -= run.half[half].asked_other[n];
        }
    for (int32_t half = 0; half < FIBERS_HALVES; half++) {
        assert_int_equal(run.half[half].served, 0);
        assert_int_equal(run.half[half].served_other, 0);
    }
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
        wait_once(n);
    end();
}

static void each_is_called_once(void **state)
{
    (void)state;
    for (int c = 0; c < COUNTS_COUNT; c++)
        for (int t = 0; t < THREADS_COUNT; t++)
            go(COUNTS[c], THREADS[t], wait_never);
}

static void all_are_served_when_all_wait(void **state)
{
    (void)state;
    for (int c = 0; c < COUNTS_COUNT; c++)
        for (int t = 0; t < THREADS_COUNT; t++) {
            go(COUNTS[c], THREADS[t], wait_unevenly);
            assert_int_equal(run.half[0].asked[5] + run.half[1].asked[5], COUNTS[c] > 7 ? 2 : COUNTS[c] == 7);
        }
}

static void those_who_sleep_are_woken(void **state)
{
    (void)state;
    for (int n = 0; n < 200; n++)
        go(5, 3, wait_unevenly);
}

/* Others sleep by then. */
static void serve_late(int32_t half)
{
    usleep(2000);
    serve(half);
}

static void wait_long(void *context, int32_t i)
{
    (void)context;
    begin(i);
    for (int n = 0; n < 5; n++) {
        if (i == 0)
            usleep(2000);
        wait_the(n, serve_late);
    }
    end();
}

static void the_slow_are_waited_for(void **state)
{
    (void)state;
    go(6, 3, wait_long);
}

static void note(int32_t half, int32_t what) { run.half[half].order[run.half[half].ordered++] = what; }

static void serve_noting(int32_t half)
{
    serve(half);
    note(half, -1);
}

static void wait_noting(void *context, int32_t i)
{
    (void)context;
    begin(i);
    note(fibers_half_of(), i);
    for (int32_t n = 0; n < 3 - i / 2; n++) {
        wait_the(n, serve_noting);
        note(fibers_half_of(), i);
    }
    end();
}

static void a_thread_goes_on_with_others(void **state)
{
    (void)state;
    static const int32_t ORDER[] = {0, 2, 4, -1, 0, 2, 4, -1, 0, 2, -1, 0};
    go(6, 1, wait_noting);
    for (int32_t half = 0; half < FIBERS_HALVES; half++) {
        assert_int_equal(run.half[half].ordered, sizeof ORDER / sizeof *ORDER);
        for (int32_t n = 0; n < run.half[half].ordered; n++)
            assert_int_equal(run.half[half].order[n], ORDER[n] < 0 ? -1 : ORDER[n] + half);
    }
}

/* The first half is held up until the second was served three times. */
static void serve_when_others_are(int32_t half)
{
    for (int n = 0; half == 0 && get(&run.half[1].served) < 3 && n < 2000; n++)
        usleep(1000);
    expect(half == 1 || get(&run.half[1].served) >= 3);
    serve(half);
}

static void wait_while_others_go_on(void *context, int32_t i)
{
    (void)context;
    begin(i);
    for (int32_t n = 0; n < (fibers_half_of() == 0 ? 1 : 3); n++)
        wait_the(n, serve_when_others_are);
    end();
}

static void a_half_goes_on_while_the_other_is_served(void **state)
{
    (void)state;
    for (int t = 0; t < THREADS_COUNT; t++)
        go(32, THREADS[t], wait_while_others_go_on);
}

static void wait_for_either(void *context, int32_t i)
{
    (void)context;
    begin(i);
    wait_the(0, i % 3 ? serve : serve_other);
    wait_the(1, i % 5 ? serve : serve_other);
    wait_the(2, serve_other);
    end();
}

static void each_function_is_called_once(void **state)
{
    (void)state;
    for (int t = 0; t < THREADS_COUNT; t++) {
        go(50, THREADS[t], wait_for_either);
        assert_int_equal(run.half[0].asked[0] + run.half[0].asked_other[0], 2);
    }
}

static int32_t sum_down(volatile int32_t *above, int32_t i, int32_t depth)
{
    volatile int32_t own[16];
    for (int32_t n = 0; n < 16; n++)
        own[n] = i * n + depth;
    int32_t sum = depth > 0 ? sum_down(own, i, depth - 1) : 0;
    if (depth % 20 == 0)
        wait_once(depth / 20);
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
    for (int t = 0; t < THREADS_COUNT; t++)
        go(40, THREADS[t], wait_deep);
}

/* ---- Lua */

static int lua_wait(lua_State *L)
{
    wait_once((int32_t)lua_tointeger(L, 1));
    return 0;
}

static const char CHUNK[] =
    "local wait, i = ...\n"
    "local sum = 0\n"
    "for n = 1, 4 do\n"
    "  local fine, why = pcall(function() wait(2 * n) error { n * i } end)\n"
    "  sum = sum + (not fine and why[1] or 0)\n"
    "  local step = coroutine.wrap(function() pcall(error, wait(2 * n + 1)) coroutine.yield(n) end)\n"
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
    for (int t = 0; t < THREADS_COUNT; t++)
        go(30, THREADS[t], run_lua);
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
        assert_in_range(run.half[0].served + run.half[1].served, 6, 20);
    }
}

static void stacks_are_used_again(void **state)
{
    (void)state;
    fibers *of = fibers_create(2);
    for (int n = 0; n < 3; n++) {
        memset(&run, 0, sizeof run);
        fibers_run_on(of, MOST, wait_twice, NULL);
        assert_true(run.half[0].served == 2 && run.half[1].served == 2);
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
        cmocka_unit_test(a_half_goes_on_while_the_other_is_served),
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
