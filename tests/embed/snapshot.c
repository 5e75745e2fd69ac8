/* Snapshots and inputs: a simulation that is made again from a snapshot goes on as the one that it was taken of, and one
 * that is told the same inputs is the same at each step. cc snapshot.c $(pkg-config --cflags --libs throng) -o snapshot
 *   ./snapshot scenario.lua ...
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <throng.h>

enum { BEFORE = 40, AFTER = 40 }; /* steps */

static throng_message message;

static int fail(const char *scenario, const char *what)
{
    fprintf(stderr, "%s: %s: %s\n", scenario, what, message.text);
    return 1;
}

/* What a program may do with it from step to step, by the step's number; some of it fails, and leaves variables. */
static bool play_on(throng_sim *sim, int steps)
{
    for (int n = 0; n < steps; n++) {
        uint32_t step = throng_sim_steps(sim);
        const float velocity[4] = {1, 0.2f * (float)(step % 5), -0.5f, 0};
        throng_agent *all = malloc(((size_t)throng_sim_count(sim) + 1) * sizeof *all);
        int32_t count = throng_sim_agents(sim, all), speed = throng_sim_column_named(sim, "speed");
        double value, speeds[2] = {0.5 + 0.01 * step, 1.1};
        bool ok = all != NULL;
        if (ok && step % 7 == 3 && count > 1)
            ok = throng_sim_steer(sim, all, velocity, 2, &message);
        if (ok && step % 11 == 4 && count > 1)
            ok = throng_sim_release(sim, all + 1, 1, &message) &&
                 throng_sim_write(sim, speed, all, speeds, 2, &message);
        if (step % 13 == 5)
            throng_sim_do(sim, "told = (told or 0) + math.random(); error 'as it wants'", NULL);
        if (ok && step % 17 == 6)
            ok = throng_sim_number(sim, "(told or 0) + math.random()", &value, &message);
        if (ok && step == BEFORE + 2 && count > 0)
            ok = throng_sim_do_with(sim, all + count - 1, 1, "group.speed = 0.4 + (told or 0) / 100", &message);
        free(all);
        if (!ok || !throng_sim_step(sim, &message))
            return false;
    }
    return true;
}

static throng_sim *load(const char *scenario, const char *backend, int simd)
{
    throng_sim_settings settings = throng_sim_settings_default();
    settings.keep_inputs = true;
    settings.backend = backend;
    settings.simd = simd;
    return throng_sim_load(scenario, &settings, &message);
}

static uint64_t hash_of(throng_sim *sim)
{
    uint64_t hash = 0;
    throng_sim_hash(sim, &hash, &message);
    return hash;
}

/* A snapshot with its last bytes cut off is refused, wherever it is cut. */
static bool refuses_pieces(const void *snapshot, size_t size)
{
    for (size_t n = 0; n < size; n++) {
        throng_sim *none = throng_sim_restore(snapshot, n, NULL, &message);
        if (none) {
            fprintf(stderr, "%zu of %zu bytes made a simulation\n", n, size);
            throng_sim_destroy(none);
            return false;
        }
    }
    return true;
}

static int restore(const char *scenario)
{
    throng_sim *sim = load(scenario, NULL, 0), *again = NULL, *plain = throng_sim_load(scenario, NULL, &message);
    void *snapshot = NULL;
    size_t size = 0;
    throng_sim_settings one = throng_sim_settings_default();
    one.simd = 1;
    if (!sim || !plain || !play_on(sim, BEFORE) || !throng_sim_snapshot(sim, &snapshot, &size, &message) ||
        !(again = throng_sim_restore(snapshot, size, &one, &message)))
        return fail(scenario, "snapshot");
    bool same = hash_of(sim) == hash_of(again);
    if (!play_on(sim, AFTER) || !play_on(again, AFTER) || !play_on(plain, BEFORE + AFTER))
        return fail(scenario, "play");
    printf("%016" PRIx64 " %016" PRIx64 " %016" PRIx64 " %s\n", hash_of(plain), hash_of(sim), hash_of(again), scenario);
    same = same && hash_of(sim) == hash_of(again) && hash_of(sim) == hash_of(plain);
    throng_sim_snapshot_free(snapshot);
    throng_sim_destroy(sim);
    throng_sim_destroy(again);
    throng_sim_destroy(plain);
    snprintf(message.text, sizeof message.text, "they differ");
    return same ? 0 : fail(scenario, "restore");
}

/* What only asks changes nothing, and need not be told. */
static void ask(throng_sim *sim)
{
    throng_place corners[4];
    int32_t count;
    double length;
    bool ended;
    for (int32_t c = 0; c < throng_sim_column_count(sim); c++)
        throng_sim_read(sim, c, NULL);
    throng_sim_path(sim, (throng_place){1, 1, 0}, (throng_place){4, 4, 0}, 0.31, corners, 4, &count, &length, NULL);
    throng_sim_count_in(sim, "exit", &count, NULL);
    throng_sim_ended(sim, &ended, NULL);
}

/* One that plays, and one that hears of it step by step. */
static int lockstep(const char *scenario)
{
    throng_sim *sim = load(scenario, NULL, 0), *other = throng_sim_load(scenario, NULL, &message);
    const void *inputs;
    size_t size;
    for (int n = 0; sim && other && n < BEFORE; n++) {
        ask(sim);
        if (!play_on(sim, 1) || !throng_sim_inputs(sim, &inputs, &size, &message) ||
            !throng_sim_apply(other, inputs, size, &message) || hash_of(sim) != hash_of(other))
            return fail(scenario, "lockstep");
    }
    if (!sim || !other)
        return fail(scenario, "load");
    if (throng_sim_inputs(other, &inputs, &size, &message) ||
        strcmp(message.text, "this simulation does not keep its inputs: load it with keep_inputs in its settings") != 0)
        return fail(scenario, "inputs of one that keeps none");
    throng_sim_destroy(sim);
    throng_sim_destroy(other);
    return 0;
}

/* The scenario has changed since. */
static int changed(void)
{
    static const char text[] = "local throng = require 'throng'\nlocal world = throng.world { seed = %d }\n"
                               "world:spawn { at = { { 0, 0 } } }:go_to(throng.box(8, -1, 9, 1))\nreturn world\n";
    throng_sim_settings settings = throng_sim_settings_default();
    void *snapshot;
    size_t size;
    char first[400], *seed;
    settings.keep_inputs = true;
    snprintf(first, sizeof first, text, 3);
    throng_sim *sim = throng_sim_load_text("walk.lua", first, strlen(first), &settings, &message);
    if (!sim || !throng_sim_step(sim, &message) || !throng_sim_snapshot(sim, &snapshot, &size, &message))
        return fail("walk.lua", "snapshot");
    if (!refuses_pieces(snapshot, size))
        return 1;
    seed = memchr(snapshot, '{', size); /* of throng.world */
    memcpy(seed + 9, "4", 1);
    throng_sim *none = throng_sim_restore(snapshot, size, NULL, &message);
    printf("%s\n", none ? "restored" : message.text);
    throng_sim_snapshot_free(snapshot);
    throng_sim_destroy(sim);
    throng_sim_destroy(none);
    none = throng_sim_restore("THRONG", 6, NULL, &message);
    printf("%s\n", none ? "restored" : message.text);
    return none != NULL;
}

static throng_sim *load_empty(void)
{
    static const char text[] = "return require('throng').world {}\n";
    throng_sim_settings settings = throng_sim_settings_default();
    settings.keep_inputs = true;
    return throng_sim_load_text("empty.lua", text, strlen(text), &settings, &message);
}

/* A count of steps that was damaged is found before they are run, which would take for ever. */
static int too_many_steps(void)
{
    const int32_t many = 2000000000;
    const void *inputs;
    unsigned char told[64];
    void *snapshot;
    size_t size, told_size;
    throng_sim *sim = load_empty(), *other = load_empty();
    if (!sim || !other || !throng_sim_step(sim, &message) || !throng_sim_snapshot(sim, &snapshot, &size, &message) ||
        !throng_sim_inputs(sim, &inputs, &told_size, &message) || told_size > sizeof told)
        return fail("empty.lua", "snapshot");
    /* the last input is the step: how many there are, and how many there have been then */
    memcpy((char *)snapshot + size - 2 * sizeof many, &many, sizeof many);
    throng_sim *none = throng_sim_restore(snapshot, size, NULL, &message);
    printf("restore: %s\n", none ? "restored" : message.text);
    memcpy(told, inputs, told_size);
    memcpy(told + told_size - 2 * sizeof many, &many, sizeof many);
    bool heard = throng_sim_apply(other, told, told_size, &message);
    printf("apply: %s\n", heard ? "heard" : message.text);
    bool late = throng_sim_apply(sim, inputs, told_size, &message); /* it has made that step */
    printf("late: %s\n", late ? "heard" : message.text);
    throng_sim_snapshot_free(snapshot);
    throng_sim_destroy(sim);
    throng_sim_destroy(other);
    throng_sim_destroy(none);
    return none || heard || late;
}

/* What went well there and fails here: they are not the same. */
static int told_wrong(void)
{
    const void *inputs;
    unsigned char told[64];
    size_t size;
    throng_sim *sim = load_empty(), *other = load_empty(), *third = load_empty();
    if (!sim || !other || !third || !throng_sim_step(sim, &message) || throng_sim_do(sim, "error 'no'", NULL) ||
        !throng_sim_inputs(sim, &inputs, &size, &message) || size > sizeof told)
        return fail("empty.lua", "inputs");
    memcpy(told, inputs, size);
    told[11] = 1; /* behind the step's ten bytes, a letter and whether that went well */
    bool heard = throng_sim_apply(other, told, size, &message);
    printf("%s\n", heard ? "heard" : message.text);
    bool damaged = !throng_sim_apply(third, told, size - 1, &message);
    printf("%s\n", message.text);
    throng_sim_destroy(sim);
    throng_sim_destroy(other);
    throng_sim_destroy(third);
    return heard || !damaged;
}

int main(int argc, char **argv)
{
    int bad = changed() | too_many_steps() | told_wrong();
    for (int i = 1; i < argc; i++)
        bad |= restore(argv[i]) || lockstep(argv[i]);
    return bad;
}
