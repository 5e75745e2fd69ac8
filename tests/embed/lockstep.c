/* Lockstep: two processes compute one crowd, each on its own, with another SIMD width or backend. The first one plays,
 * and sends over a socket what it told its simulation in each step (throng_sim_inputs), a few bytes; the second one is
 * told the same (throng_sim_apply). Once a second of the crowd's time they compare hashes; when these differ, the first
 * agent and column that do are named. cc lockstep.c $(pkg-config --cflags --libs throng) -lm -o lockstep
 *   ./lockstep scenarios/zombies.lua 10000 [backend of the first, cpu or cuda [the second is told more before this
 * step]]
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <throng.h>
#include <unistd.h>

enum { SECOND_SIMD = 4 };

static throng_message message;

static bool put(int line, const void *bytes, size_t size)
{
    for (const char *at = bytes; size > 0;) {
        ssize_t sent = send(line, at, size, MSG_NOSIGNAL);
        if (sent <= 0)
            return false;
        at += sent;
        size -= (size_t)sent;
    }
    return true;
}

static bool get(int line, void *bytes, size_t size)
{
    for (char *at = bytes; size > 0;) {
        ssize_t got = read(line, at, size);
        if (got <= 0)
            return false;
        at += got;
        size -= (size_t)got;
    }
    return true;
}

static throng_sim *load(const char *scenario, const char *backend, int simd, bool keep_inputs)
{
    throng_sim_settings settings = throng_sim_settings_default();
    settings.backend = backend;
    settings.simd = simd;
    settings.keep_inputs = keep_inputs;
    return throng_sim_load(scenario, &settings, &message);
}

/* Steps between two looks: a second, or a step. */
static uint32_t period_of(const throng_sim *sim) { return (uint32_t)fmax(1, 1 / throng_sim_dt(sim)); }

static bool is_due(const throng_sim *sim) { return throng_sim_steps(sim) % period_of(sim) == 0; }

/* ---- the second: is told what the first one was, and tells its hash, and all columns where that differs */

static bool tell_columns(int line, throng_sim *sim)
{
    int32_t slots = throng_sim_slots(sim);
    bool fine = put(line, &slots, sizeof slots);
    for (int32_t c = 0; fine && c < throng_sim_column_count(sim); c++) {
        const void *values = throng_sim_read(sim, c, &message);
        fine = values && put(line, values, 4 * (size_t)slots);
    }
    return fine;
}

static bool hear(int line, throng_sim *sim, uint32_t size, uint32_t disturbed)
{
    void *inputs = malloc(size);
    bool fine = inputs && get(line, inputs, size);
    if (fine && throng_sim_steps(sim) + 1 == disturbed)
        fine = throng_sim_do(sim, "world.agents[1].speed = 0.1", &message);
    fine = fine && throng_sim_apply(sim, inputs, size, &message);
    free(inputs);
    return fine;
}

static bool follow(int line, throng_sim *sim, uint32_t disturbed)
{
    uint64_t hash;
    for (uint32_t size; get(line, &size, sizeof size);) {
        if (size == 0) /* they differ */
            return tell_columns(line, sim);
        if (!hear(line, sim, size, disturbed))
            return false;
        if (is_due(sim) && !(throng_sim_hash(sim, &hash, &message) && put(line, &hash, sizeof hash)))
            return false;
    }
    return true;
}

/* ---- the first */

/* What somebody at a keyboard would do: 0 stands, 1 to 8 are the points of the compass. */
static bool play(throng_sim *sim, uint32_t step)
{
    if (step % 25 != 1)
        return true;
    int input = (int)(step / 25 * 5 % 9);
    double angle = (input - 1) * 3.14159265358979 / 4;
    return throng_sim_play(sim, input ? cos(angle) : 0, input ? sin(angle) : 0, &message);
}

/* A scenario without a player gets one. */
static bool begin(throng_sim *sim)
{
    return throng_sim_play(sim, 0, 0, &message) ||
           throng_sim_do(sim, "world:spawn({ name = 'player', count = 1, speed = 1.5 }):control()", &message);
}

static bool is_same(const throng_sim *sim, const void *here, const void *there, int32_t slot)
{
    throng_agent agent;
    return !throng_sim_agent_at(sim, slot, &agent) || ((const int32_t *)here)[slot] == ((const int32_t *)there)[slot];
}

static void name_agent(throng_sim *sim, const throng_sim_column_info *info, const void *here, const void *there,
                       int32_t slot)
{
    double values[2];
    for (int i = 0; i < 2; i++)
        values[i] = info->whole ? (double)((const int32_t *)(i ? there : here))[slot]
                                : (double)((const float *)(i ? there : here))[slot];
    const int32_t *id = throng_sim_read(sim, throng_sim_column_named(sim, "id"), NULL),
                  *group = throng_sim_read(sim, throng_sim_column_named(sim, "group"), NULL);
    const char *name = group ? throng_sim_group_name(sim, group[slot]) : NULL;
    fprintf(stderr, "first: agent %d of group '%s', column '%s': %.9g and %.9g %s\n", id ? (int)id[slot] : -1,
            name ? name : "", info->name, values[0], values[1], info->unit);
}

/* Says which columns differ, and whose value is the first. */
static bool name_difference(int line, throng_sim *sim)
{
    const uint32_t differ = 0;
    int32_t slots, columns = 0;
    if (!put(line, &differ, sizeof differ) || !get(line, &slots, sizeof slots))
        return false;
    if (slots != throng_sim_slots(sim)) {
        fprintf(stderr, "first: %d slots of agents and %d\n", (int)throng_sim_slots(sim), (int)slots);
        return true;
    }
    char *there = malloc(4 * (size_t)slots + 1);
    bool fine = there != NULL;
    for (int32_t c = 0; fine && c < throng_sim_column_count(sim); c++) {
        throng_sim_column_info info = {.size = sizeof info};
        throng_sim_column(sim, c, &info);
        const void *here = throng_sim_read(sim, c, &message);
        fine = here && get(line, there, 4 * (size_t)slots);
        int32_t slot = 0;
        while (fine && slot < slots && is_same(sim, here, there, slot))
            slot++;
        if (fine && slot < slots && columns++ == 0)
            name_agent(sim, &info, here, there, slot);
    }
    free(there);
    if (fine)
        fprintf(stderr, "%d columns differ\n", (int)columns);
    return fine;
}

static bool are_equal(int line, throng_sim *sim)
{
    uint64_t here, there;
    if (!throng_sim_hash(sim, &here, &message) || !get(line, &there, sizeof there)) {
        fprintf(stderr, "the second is gone before step %" PRIu32 "\n", throng_sim_steps(sim));
        return false;
    }
    if (here == there)
        return true;
    fprintf(stderr,
            "the worlds differ since one of the %" PRIu32 " steps before step %" PRIu32 ": %016" PRIx64
            " and %016" PRIx64 "\n",
            period_of(sim), throng_sim_steps(sim), here, there);
    if (!name_difference(line, sim))
        fprintf(stderr, "where cannot be said\n");
    return false;
}

/* What the first one's simulation was told since the last time. */
static bool tell(int line, throng_sim *sim, size_t *told)
{
    const void *inputs;
    size_t size;
    if (!throng_sim_inputs(sim, &inputs, &size, &message))
        return false;
    const uint32_t head = (uint32_t)size;
    *told += size;
    return put(line, &head, sizeof head) && put(line, inputs, size);
}

static bool lead(int line, throng_sim *sim, uint32_t steps)
{
    size_t told = 0;
    bool equal = begin(sim);
    while (equal && throng_sim_steps(sim) < steps) {
        equal = play(sim, throng_sim_steps(sim) + 1) && throng_sim_step(sim, &message) && tell(line, sim, &told);
        if (!equal)
            fprintf(stderr, "%s\n", message.text);
        equal = equal && (!is_due(sim) || are_equal(line, sim));
    }
    if (equal)
        printf("the same for %" PRIu32 " steps on %s and at SIMD width %d, told in %.1f bytes a step\n", steps,
               throng_sim_backend(sim), SECOND_SIMD, (double)told / steps);
    return equal;
}

int main(int argc, char **argv)
{
    int lines[2];
    const char *scenario = argc > 1 ? argv[1] : "", *backend = argc > 3 ? argv[3] : "cpu";
    uint32_t steps = (uint32_t)(argc > 2 ? atoi(argv[2]) : 1000), disturbed = (uint32_t)(argc > 4 ? atoi(argv[4]) : 0);
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, lines) != 0)
        return 1;
    bool first = fork() != 0;
    int line = lines[first ? 0 : 1];
    close(lines[first ? 1 : 0]);
    throng_sim *sim = load(scenario, first ? backend : "cpu", first ? 0 : SECOND_SIMD, first);
    if (!sim)
        fprintf(stderr, "%s\n", message.text);
    bool fine = sim && (first ? lead(line, sim, steps) : follow(line, sim, disturbed));
    if (!first && sim && !fine)
        fprintf(stderr, "the second: %s\n", message.text);
    close(line);
    throng_sim_destroy(sim);
    if (first)
        wait(NULL);
    return fine ? 0 : 1;
}
