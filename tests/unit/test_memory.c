/* One budget of memory for the host and for devices: what a device holds is claimed (throng_memory_claim). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/watchdog.h"

enum { MIB = 1 << 20 };

static void device_and_host_share_a_limit(void **state)
{
    (void)state;
    assert_null(throng_memory_claim(200 * MIB));
    assert_string_equal(throng_memory_claim(200 * MIB), "out of memory: more than 300 MiB (limit: --memory MIB)");
    assert_false(throng_memory_fits(200 * MIB)); /* nor has the host room for it, */
    void *block = malloc(200 * MIB);             /* which takes large blocks within the limit */
    assert_null(block);
    assert_null(throng_memory_claim(-200 * MIB));
    block = malloc(200 * MIB);
    assert_non_null(block);
    free(block);
    assert_null(throng_memory_claim(200 * MIB)); /* what was refused was not counted */
    assert_null(throng_memory_claim(-200 * MIB));
}

/* The watchdog looks at both together, too. */
static void what_both_hold_is_told(void **state)
{
    (void)state;
    throng_watched work = {.work = THRONG_TASK_CALLBACK};
    throng_watchdog_begin(&work);
    assert_null(throng_memory_claim(250 * MIB));
    struct link {
        struct link *before;
        char room[4000];
    } *last = NULL;
    while (!throng_interrupted()) { /* in small blocks, which nobody asks about */
        struct link *next = calloc(1, sizeof *next);
        assert_non_null(next);
        next->before = last;
        last = next;
    }
    assert_int_equal(throng_interrupted(), THRONG_STOP_MEMORY);
    assert_int_equal(throng_given_up(), THRONG_STOP_MEMORY);
    throng_memory_claim(-250 * MIB);
    throng_watchdog_end(&work); /* soon: what does not come back is ended */
    assert_int_equal(throng_interrupted(), THRONG_STOP_NONE);
    for (struct link *before; last; last = before) {
        before = last->before;
        free(last);
    }
}

int main(void)
{
    throng_error error;
    const throng_watchdog_def def = {.name = "test", .memory = 300 * (size_t)MIB};
    if (!throng_watchdog_start(&def, &error))
        return 1;
    const struct CMUnitTest tests[] = {cmocka_unit_test(device_and_host_share_a_limit),
                                       cmocka_unit_test(what_both_hold_is_told)};
    return cmocka_run_group_tests_name("memory", tests, NULL, NULL);
}
