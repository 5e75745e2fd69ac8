/* Limits of what is done on fibers. A process has one watchdog for ever, so that each test has a process of its own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include <signal.h>

#include "base/fibers.h"
#include "base/watchdog.h"
#include "skips.h"
#include "throng.h"

enum { MEMORY = 64 << 20, WORLDS = 6, STEPS = 20 };

static char said[4096]; /* what the process wrote to stderr */

/* The code with which a process ends in which the work is done; below 0: of a signal. */
static int end_of(double deadline, int32_t count, int32_t threads, fibers_work *work)
{
    int ends[2], status;
    ssize_t size, used = 0;
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        throng_error error;
        const throng_watchdog_def def = {.name = "test", .deadline = deadline, .memory = MEMORY, .ends_idle = true};
        int32_t wrong = 0;
        dup2(ends[1], STDERR_FILENO);
        if (!throng_watchdog_start(&def, &error) || !fibers_run(count, threads, work, &wrong, &error))
            _exit(99);
        _exit(wrong > 98 ? 98 : wrong);
    }
    close(ends[1]);
    while ((size = read(ends[0], said + used, sizeof said - 1 - (size_t)used)) > 0)
        used += size;
    said[used] = 0;
    close(ends[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

/* In the process; says on stderr what was wrong. */
static void expect(bool what, const char *expression, int line, const char *detail, void *wrong)
{
    if (what)
        return;
    fprintf(stderr, "line %d: %s: %s\n", line, expression, detail);
    __atomic_add_fetch((int32_t *)wrong, 1, __ATOMIC_RELAXED);
}
#define EXPECT(what, detail) expect(what, #what, __LINE__, detail, context)
#define EXPECT_STOP(stop)    EXPECT(throng_interrupted() == (stop), throng_interrupted_text())

static void assert_fine(int code)
{
    if (code != 0)
        fail_msg("%d wrong: %s", code, said);
}

static double ran(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Has the processor for so many s, and asks meanwhile. */
static void work_for(double seconds)
{
    for (double start = ran(); ran() - start < seconds && !throng_interrupted();)
        ;
}

static void serve(int32_t half) { (void)half; }

static throng_watched begun(throng_task work) { return (throng_watched){.work = work}; }

/* ---- time */

/* The first is in a callback while the others have the processor. */
static void wait_in_a_callback(void *context, int32_t i)
{
    throng_watched callback = begun(THRONG_TASK_CALLBACK);
    if (i == 0)
        throng_watchdog_begin(&callback);
    for (int n = 0; n < 3; n++) {
        work_for(i == 0 ? 0.03 : 0.3);
        EXPECT_STOP(THRONG_STOP_NONE);
        fibers_wait(serve);
    }
    if (i == 0) {
        EXPECT_STOP(THRONG_STOP_NONE);
        work_for(10);
        EXPECT_STOP(THRONG_STOP_DEADLINE);
        throng_watchdog_end(&callback);
    }
    EXPECT_STOP(THRONG_STOP_NONE);
}

static void time_of_others_does_not_count(void **state)
{
    (void)state;
    assert_fine(end_of(0.3, 3, 1, wait_in_a_callback));
}

/* Deadlines are of calls, and what is begun in between is another's. */
static void take_turns(void *context, int32_t i)
{
    throng_watched frame = begun(THRONG_TASK_FRAME), callback = begun(THRONG_TASK_CALLBACK);
    for (int n = 0; n < 3; n++) {
        throng_watchdog_begin(&frame);
        fibers_wait(serve);
        callback = begun(THRONG_TASK_CALLBACK);
        throng_watchdog_begin(&callback);
        fibers_wait(serve);
        work_for(n == 1 && i % 4 == 0 ? 10 : 0.05);
        EXPECT_STOP(n == 1 && i % 4 == 0 ? THRONG_STOP_DEADLINE : THRONG_STOP_NONE);
        EXPECT(throng_given_up() == throng_interrupted(), throng_interrupted_text());
        throng_watchdog_end(&callback);
        fibers_wait(serve);
        EXPECT_STOP(THRONG_STOP_NONE);
        throng_watchdog_end(&frame);
    }
}

static void each_has_its_own_deadlines(void **state)
{
    (void)state;
    assert_fine(end_of(0.3, 12, 3, take_turns));
}

static void run_frames(void *context, int32_t i)
{
    throng_watched callback = begun(THRONG_TASK_CALLBACK), frame, inner;
    (void)i;
    throng_watchdog_begin(&callback);
    for (int n = 0; n < 8; n++) {
        frame = begun(THRONG_TASK_FRAME);
        work_for(0.026); /* after a tick, so that it looks */
        throng_watchdog_begin(&frame);
        work_for(0.2);
        throng_watchdog_end(&frame);
        EXPECT_STOP(THRONG_STOP_NONE);
    }
    frame = begun(THRONG_TASK_FRAME);
    inner = begun(THRONG_TASK_CALLBACK);
    throng_watchdog_begin(&frame);
    throng_watchdog_begin(&inner);
    work_for(0.2); /* with the above it is more than the deadline */
    EXPECT_STOP(THRONG_STOP_DEADLINE);
    throng_watchdog_end(&inner);
    throng_watchdog_end(&frame);
    EXPECT_STOP(THRONG_STOP_DEADLINE);
    throng_watchdog_end(&callback);
    EXPECT_STOP(THRONG_STOP_NONE);
}

static void frames_in_a_callback_do_not_count(void **state)
{
    (void)state;
    assert_fine(end_of(0.3, 2, 2, run_frames));
}

static void load_long(void *context, int32_t i)
{
    throng_watched load = begun(THRONG_TASK_LOAD);
    (void)i;
    throng_watchdog_begin(&load);
    work_for(1);
    EXPECT_STOP(THRONG_STOP_NONE);
    throng_watchdog_end(&load);
}

static void loading_takes_longer(void **state)
{
    (void)state;
    assert_fine(end_of(0.3, 2, 2, load_long));
}

static void stand(void *context, int32_t i)
{
    throng_watched callback = begun(THRONG_TASK_CALLBACK);
    (void)context;
    throng_watchdog_begin(&callback);
    if (i == 1)
        for (double start = ran(); ran() - start < 20;)
            ;
    throng_watchdog_end(&callback);
}

static void what_does_not_ask_ends_the_process(void **state)
{
    (void)state;
    assert_int_equal(end_of(0.3, 4, 2, stand), 2);
    assert_non_null(strstr(said, "throng test: stopped after 0.3 s without coming back: an endless loop? (limit: "
                                 "--deadline S)\n"));
}

/* ---- memory */

static void call(double seconds, throng_stop stop, void *context)
{
    throng_watched callback = begun(THRONG_TASK_CALLBACK);
    throng_watchdog_begin(&callback);
    work_for(seconds);
    EXPECT_STOP(stop);
    throng_watchdog_end(&callback);
}

static _Atomic bool given_back;

/* The first takes more than there is for a while. */
static void take_memory(void *context, int32_t i)
{
    char *block = NULL;
    if (i == 0) {
        block = mmap(NULL, 2 * MEMORY, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        memset(block, 1, 2 * MEMORY);
    }
    fibers_wait(serve);
    for (int n = 0; i > 0 && n < 10; n++)
        call(0.015, THRONG_STOP_NONE, context);
    if (i == 0)
        call(0.2, THRONG_STOP_MEMORY, context);
    fibers_wait(serve);
    if (i == 0)
        given_back = munmap(block, 2 * MEMORY) == 0;
    do
        fibers_wait(serve);
    while (!given_back); /* the other half does not wait for this one */
    call(0.1, THRONG_STOP_NONE, context);
}

static void who_works_while_memory_is_out_ends(void **state)
{
    (void)state;
    assert_fine(end_of(20, 4, 2, take_memory));
}

/* ---- worlds */

static const char SCENARIO[] =
    "local throng = require 'throng'\n"
    "local params = throng.params { what = '' }\n"
    "local world = throng.world { map = throng.map { boundary = throng.box(0, 0, 20, 10) } }\n"
    "world:spawn { count = 5, where = throng.box(1, 1, 9, 9) }:go_to { 19, 5 }\n"
    "local t = {}\n"
    "world:every(0.5, function()\n"
    "  if params.what == 'loop' then print() pcall(function() while true do end end) while true do end end\n"
    "  if params.what == 'bomb' then local n = 0 while true do n, t = n + 1, { t, ('x'):rep(10000) .. n } end end\n"
    "  if params.what == 'pattern' then (('a'):rep(300)):find(('.-'):rep(20) .. 'b') end\n"
    "  local function deep() throng.map(setmetatable({}, { __index = deep, __pairs = deep })) end\n"
    "  if params.what == 'deep' then deep() end\n"
    "  for i = 1, 1e5 do t[i % 100 + 1] = i end\n"
    "end)\n"
    "return world\n";

/* Steps a world; "": it went well, or why not. */
static throng_message step(const char *what, void (*print)(void *context, const char *text, size_t size))
{
    throng_message message = {""};
    throng_sim_settings settings = throng_sim_settings_default();
    settings.backend = "cpu";
    settings.threads = 1;
    settings.instructions = 1000000000000;
    settings.memory = 8 * (size_t)MEMORY;
    settings.print = print;
    settings.params = &what;
    settings.param_count = 1;
    throng_sim *sim = throng_sim_load_text("scenario.lua", SCENARIO, sizeof SCENARIO - 1, &settings, &message);
    for (int s = 0; sim && s < STEPS && throng_sim_step(sim, &message); s++)
        if (s % 7 == 0)
            fibers_wait(serve);
    throng_sim_destroy(sim);
    return message;
}

static void loop_in_one(void *context, int32_t i)
{
    throng_message message = step(i == 2 ? "what=loop" : "what=", NULL);
    if (i == 2)
        EXPECT(strstr(message.text, "scenario.lua:7: stopped after 0.3 s without coming back: an endless loop? (limit: "
                                    "--deadline S)") != NULL,
               message.text);
    else
        EXPECT(!*message.text, message.text);
}

static void a_runaway_script_ends_alone(void **state)
{
    (void)state;
    assert_fine(end_of(0.3, WORLDS, 2, loop_in_one));
}

/* What it took is there again. */
static void bomb_in_one(void *context, int32_t i)
{
    throng_message message = step(i == 2 ? "what=bomb" : "what=", NULL);
    if (i == 2)
        EXPECT(strstr(message.text, "scenario.lua:8: out of memory: more than 64 MiB (limit: --memory MIB)") != NULL,
               message.text);
    else
        EXPECT(!*message.text, message.text);
    call(0.1, THRONG_STOP_NONE, context);
}

static void a_memory_bomb_ends_alone(void **state)
{
    (void)state;
#if defined(__SANITIZE_ADDRESS__)
    skip_because("the address sanitizer keeps what was freed");
#endif
    assert_fine(end_of(20, WORLDS, 2, bomb_in_one));
}

static void go_deep(void *context, int32_t i)
{
    (void)i;
    throng_message message = step("what=deep", NULL);
    EXPECT(strstr(message.text, "C stack overflow") != NULL, message.text);
}

static void their_stacks_hold_what_lua_allows(void **state)
{
    (void)state;
    assert_fine(end_of(20, 3, 2, go_deep));
}

/* On another thread than the main one, which waits till that has begun. */
static void pattern_in_some(void *context, int32_t i)
{
    static int32_t elsewhere;
    bool on_main = gettid() == getpid();
    (void)context, (void)i;
    if (!on_main)
        __atomic_store_n(&elsewhere, 1, __ATOMIC_RELAXED);
    while (!__atomic_load_n(&elsewhere, __ATOMIC_RELAXED))
        ;
    step(on_main ? "what=" : "what=pattern", NULL);
}

static void a_script_that_stands_is_named(void **state)
{
    (void)state;
    assert_int_equal(end_of(0.3, WORLDS, 2, pattern_in_some), 2);
    assert_non_null(strstr(said, "throng test: scenario.lua:9: stopped after 0.3 s without coming back"));
    assert_non_null(strstr(said, "\n  in a world:every callback, step 5"));
}

/* ---- signals */

/* They have 0.15 s to come back, of a clock that others' work does not stop: once of many times they do. */
static void assert_ends_with(int code, int32_t count, fibers_work *work)
{
    int end = 0;
    for (int n = 0; n < 40 && (n == 0 || end == 128 + SIGTERM); n++)
        end = end_of(20, count, 3, work);
    if (end != code)
        fail_msg("ended with %d: %s", end, said);
}

/* Which the first that goes on raises. */
static void loop_till_a_signal(void *context, int32_t i)
{
    static int32_t going_on;
    throng_watched callback = begun(THRONG_TASK_CALLBACK);
    (void)i;
    throng_watchdog_begin(&callback);
    fibers_wait(serve);
    if (__atomic_fetch_add(&going_on, 1, __ATOMIC_RELAXED) == 0)
        raise(SIGTERM);
    work_for(10);
    EXPECT_STOP(THRONG_STOP_SIGNAL);
    throng_watchdog_end(&callback);
    EXPECT_STOP(THRONG_STOP_SIGNAL);
}

static void a_signal_ends_all(void **state)
{
    (void)state;
    assert_ends_with(0, WORLDS, loop_till_a_signal);
}

/* Who loops says so before. */
static void hear(void *context, const char *text, size_t size)
{
    (void)context, (void)text, (void)size;
    raise(SIGTERM);
}

static void loop_worlds(void *context, int32_t i)
{
    (void)i;
    throng_message message = step("what=loop", hear);
    EXPECT(strstr(message.text, "interrupted") != NULL, message.text);
}

static void a_signal_ends_their_scripts(void **state)
{
    (void)state;
    assert_ends_with(0, 2, loop_worlds);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(time_of_others_does_not_count),
        cmocka_unit_test(each_has_its_own_deadlines),
        cmocka_unit_test(frames_in_a_callback_do_not_count),
        cmocka_unit_test(loading_takes_longer),
        cmocka_unit_test(what_does_not_ask_ends_the_process),
        cmocka_unit_test(who_works_while_memory_is_out_ends),
        cmocka_unit_test(a_runaway_script_ends_alone),
        cmocka_unit_test(a_memory_bomb_ends_alone),
        cmocka_unit_test(their_stacks_hold_what_lua_allows),
        cmocka_unit_test(a_script_that_stands_is_named),
        cmocka_unit_test(a_signal_ends_all),
        cmocka_unit_test(a_signal_ends_their_scripts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
