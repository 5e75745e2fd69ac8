/* Worlds that are stepped together (base/fibers.h): each is bit for bit what it is alone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/cache.h"
#include "base/fibers.h"
#include "embed/sim.h"
#include "skips.h"
#include "throng.h"

/* All that a frame is made of: planners, machines, floors and lifts, smoke, bodies, routes, who comes and goes. */
static const char *const SCENARIOS[] = {"corridor", "evacuation", "errands",        "two_doors", "tower",
                                        "smoke",    "cluttered",  "back_and_forth", "panic",     "museum",
                                        "sway",     "roadmap",    "company",        "zombies"};

enum { KINDS = sizeof SCENARIOS / sizeof *SCENARIOS, MOST = KINDS + 5, STEPS = 15 };

typedef struct batch {
    const char *backend;
    uint64_t hash[MOST];
    char failed[MOST];
} batch;

static throng_sim *load(const char *backend, int32_t world, throng_message *message)
{
    char path[64];
    throng_sim_settings settings = throng_sim_settings_default();
    settings.backend = backend;
    settings.threads = 1;
    settings.seed = 1 + world / KINDS;
    snprintf(path, sizeof path, "scenarios/%s.lua", SCENARIOS[world % KINDS]);
    return throng_sim_load(path, &settings, message);
}

static void step_world(void *context, int32_t i)
{
    throng_message message;
    batch *b = context;
    throng_sim *sim = load(b->backend, i, &message);
    bool fine = sim != NULL;
    for (int32_t step = 0; fine && step < STEPS + i % 5; step++)
        fine = throng_sim_step(sim, &message);
    b->failed[i] = !fine || !throng_sim_hash(sim, &b->hash[i], &message);
    if (b->failed[i])
        print_message("%s: %s\n", SCENARIOS[i % KINDS], message.text);
    throng_sim_destroy(sim);
}

static void step_all(batch *b, int32_t worlds, int32_t threads)
{
    throng_error error;
    assert_true(fibers_run(worlds, threads, step_world, b, &error));
}

static batch alone = {.backend = "cpu"};

static void check(const char *backend, int32_t worlds, int32_t threads)
{
    batch b = {.backend = backend};
    step_all(&b, worlds, threads);
    for (int32_t i = 0; i < worlds; i++) {
        if (b.failed[i] || b.hash[i] != alone.hash[i])
            print_message("%s, world %d of %d\n", SCENARIOS[i % KINDS], (int)i, (int)worlds);
        assert_false(b.failed[i]);
        assert_int_equal(b.hash[i], alone.hash[i]);
    }
}

static int step_alone(void **state)
{
    (void)state;
    for (int32_t i = 0; i < MOST; i++)
        step_world(&alone, i);
    return 0;
}

static void worlds_on_the_cpu(void **state)
{
    (void)state;
    check("cpu", MOST, 2);
}

static void worlds_on_a_device(void **state)
{
    (void)state;
    skip_without_device();
    check("cuda", 1, 1);
    check("cuda", 2, 1);
    check("cuda", MOST, 1);
    check("cuda", MOST, 8);
}

/* ---- worlds that share one map, which some change */

/* What is left as it is comes first, and last. */
static const char *const CHANGES[] = {"none", "close", "cost", "way", "belt", "lift", "body", "none"};

enum { CHANGED = sizeof CHANGES / sizeof *CHANGES, SHARING = 3 * CHANGED, FRAMES = 30 };

typedef struct sharing {
    throng_cache *cache; /* NULL: each has its own */
    throng_sim *sims[SHARING];
    uint64_t hash[SHARING];
    char failed[SHARING];
} sharing;

static void load_sharing(void *context, int32_t i)
{
    throng_message message;
    sharing *s = context;
    char change[32];
    const char *const params[] = {change};
    throng_sim_settings settings = throng_sim_settings_default();
    snprintf(change, sizeof change, "change=%s", CHANGES[i % CHANGED]);
    settings.backend = "cpu";
    settings.threads = 1;
    settings.seed = 1 + i / CHANGED;
    settings.params = params;
    settings.param_count = 1;
    if (!(s->sims[i] = throng_load_cached("tests/unit/one_map.lua", &settings, s->cache, &message)))
        print_message("%s\n", message.text);
    s->failed[i] = !s->sims[i];
}

static void step_sharing(void *context, int32_t i)
{
    throng_message message;
    sharing *s = context;
    if (!s->failed[i])
        s->failed[i] = !throng_sim_step(s->sims[i], &message) || !throng_sim_hash(s->sims[i], &s->hash[i], &message);
}

/* Frame by frame, so that all are there while some change. */
static void run_sharing(sharing *s, int32_t threads)
{
    throng_error error;
    assert_true(fibers_run(SHARING, threads, load_sharing, s, &error));
    for (int32_t frame = 0; frame < FRAMES; frame++)
        assert_true(fibers_run(SHARING, threads, step_sharing, s, &error));
    for (int32_t i = 0; i < SHARING; i++)
        throng_sim_destroy(s->sims[i]);
}

static void changes_are_a_worlds_own(void **state)
{
    (void)state;
    static sharing apart, together;
    run_sharing(&apart, 1);
    for (int32_t i = 0; i < SHARING; i++) {
        assert_false(apart.failed[i]);
        assert_true((apart.hash[i] == apart.hash[i - i % CHANGED]) == !strcmp(CHANGES[i % CHANGED], "none"));
    }
    for (int32_t threads = 1; threads <= 4; threads += 3) {
        together = (sharing){.cache = throng_cache_create(1 << 20)};
        run_sharing(&together, threads);
        throng_cache_destroy(together.cache);
        for (int32_t i = 0; i < SHARING; i++) {
            if (together.failed[i] || together.hash[i] != apart.hash[i])
                print_message("%s, world %d on %d threads\n", CHANGES[i % CHANGED], (int)i, (int)threads);
            assert_false(together.failed[i]);
            assert_int_equal(together.hash[i], apart.hash[i]);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(worlds_on_the_cpu), cmocka_unit_test(worlds_on_a_device),
                                       cmocka_unit_test(changes_are_a_worlds_own)};
    return cmocka_run_group_tests(tests, step_alone, NULL);
}
