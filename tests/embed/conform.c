/* The conformance list by throng.h, in C and C++: conform SCENARIO... prints what conform.lua and conform.py print. */
#include <assert.h>
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <throng.h>

#define HALL "tests/embed/conform_hall.lua"
enum { MOST = 64 };

static throng_message message;

static void need(bool fine)
{
    if (fine)
        return;
    fprintf(stderr, "%s\n", message.text);
    exit(1);
}

/* The message's first line, without file and line. */
static void tell(void)
{
    char *text = message.text, *place = strstr(text, ": ");
    text[strcspn(text, "\n")] = 0;
    if (place && place > text && isdigit((unsigned char)place[-1]) && !memchr(text, ' ', (size_t)(place - text)))
        text = place + 2;
    printf("error\t%s\n", text);
}

static throng_sim *load(const char *path, const char *param, bool keep)
{
    throng_sim_settings settings = throng_sim_settings_default();
    settings.params = &param;
    settings.param_count = param ? 1 : 0;
    settings.seed = keep ? 5 : -1;
    settings.keep_inputs = keep;
    return throng_sim_load(path, &settings, &message);
}

static void print_hash(throng_sim *sim, const char *what)
{
    uint64_t hash;
    need(throng_sim_hash(sim, &hash, &message));
    printf("%s\t%016" PRIx64 "\n", what, hash);
}

static const void *column(throng_sim *sim, const char *name)
{
    const void *values = throng_sim_read(sim, throng_sim_column_named(sim, name), &message);
    need(values != NULL);
    return values;
}

/* Those whose id is from `least` to `most`. */
static int32_t with_ids(throng_sim *sim, int32_t least, int32_t most, throng_agent *found)
{
    throng_agent all[MOST];
    int32_t count = throng_sim_agents(sim, all), kept = 0;
    const int32_t *id = (const int32_t *)column(sim, "id");
    for (int32_t i = 0; i < count; i++)
        if (id[all[i].slot] >= least && id[all[i].slot] <= most)
            found[kept++] = all[i];
    return kept;
}

static int by_number(const void *a, const void *b) { return *(const int32_t *)a - *(const int32_t *)b; }

static const struct {
    const char *event, *place;
} HEARD[] = {{"arrived", NULL}, {"entered", "right"}, {"left", "left"}};
enum { LISTENERS = sizeof HEARD / sizeof *HEARD };

static void listen(throng_sim *sim)
{
    int32_t listener;
    for (int32_t l = 0; l < LISTENERS; l++)
        need(throng_sim_listen(sim, HEARD[l].event, HEARD[l].place, &listener, &message) && listener == l);
}

static void print_events(throng_sim *sim, int step)
{
    const throng_event *events;
    int32_t count, ids[MOST];
    const int32_t *id = (const int32_t *)column(sim, "id");
    throng_sim_events(sim, &events, &count);
    for (int32_t l = 0; l < LISTENERS; l++) {
        int32_t those = 0;
        for (int32_t i = 0; i < count; i++)
            if (events[i].listener == l)
                ids[those++] = id[events[i].agent.slot];
        qsort(ids, (size_t)those, sizeof *ids, by_number);
        for (int32_t i = 0; i < those; i++)
            printf("event\t%d\t%s\t%d\n", step, HEARD[l].event, (int)ids[i]);
    }
}

static throng_agent walk(throng_sim *sim)
{
    throng_agent some[MOST], gone = {-1, 0};
    const double slow[] = {0.5, 0.5, 0.5};
    const float place[] = {2, 4};
    int32_t speed = throng_sim_column_named(sim, "speed");
    listen(sim);
    for (int step = 1; step <= 120; step++) {
        if (step == 10) {
            int32_t count = with_ids(sim, 0, 2, some);
            need(throng_sim_write(sim, speed, some, slow, count, &message));
        }
        if (step == 20)
            need(throng_sim_spawn(sim, "{ name = 'late' }", place, 1, some, &message) &&
                 throng_sim_do_with(sim, some, 1, "group:go_to 'right'", &message));
        if (step == 30) {
            with_ids(sim, 4, 4, &gone);
            need(throng_sim_do_with(sim, &gone, 1, "group:remove()", &message));
        }
        need(throng_sim_step(sim, &message));
        print_events(sim, step);
    }
    return gone;
}

static void print_column(throng_sim *sim, const char *name)
{
    throng_sim_column_info info;
    info.size = sizeof info;
    throng_sim_column(sim, throng_sim_column_named(sim, name), &info);
    const void *values = column(sim, name);
    throng_agent all[MOST];
    int32_t count = throng_sim_agents(sim, all);
    printf("column\t%s\t", name);
    for (int32_t i = 0; i < count; i++) {
        int32_t slot = all[i].slot;
        double value = info.whole ? (double)((const int32_t *)values)[slot] : (double)((const float *)values)[slot];
        printf("%s%.9g", i ? " " : "", value);
    }
    printf("\n");
}

int main(int argc, char **argv)
{
    static const char *const NAMES[] = {"id", "x", "vy", "speed", "patience"};
    void *snapshot;
    size_t size;
    for (int a = 1; a < argc; a++) {
        char what[512];
        throng_sim *sim = load(argv[a], NULL, false);
        need(sim != NULL);
        for (int step = 0; step < 40; step++)
            need(throng_sim_step(sim, &message));
        snprintf(what, sizeof what, "hash\t%s", argv[a]);
        print_hash(sim, what);
        throng_sim_destroy(sim);
    }
    assert(!load("none.lua", NULL, false) && strstr(message.text, "'none.lua': there is no such file"));
    printf("error\tnone.lua\n");
    need(!load(HALL, "cuont=3", false));
    tell();
    need(!load(HALL, "count=many", false));
    tell();

    throng_sim *sim = load(HALL, "count=14", true);
    need(sim != NULL);
    throng_agent gone = walk(sim);
    int32_t speed;
    printf("text\t%s\n", throng_sim_text(sim, "table.concat({ world.groups.people.name, #world.agents }, ' ')", &message));
    printf("living\t%d\t%.14g\n", (int)throng_sim_count(sim), throng_sim_time(sim));
    for (int i = 0; i < 5; i++)
        print_column(sim, NAMES[i]);
    print_hash(sim, "hash\thall");
    assert(throng_sim_column_named(sim, "sped") < 0);
    printf("error\tcolumn\n");
    assert(!throng_sim_do(sim, "world:spawn { cuont = 1 }", &message));
    tell();
    assert(!throng_sim_text(sim, "{}", &message) && strstr(message.text, "no text"));
    assert(!throng_sim_listen(sim, "entered", "rigth", &speed, &message));
    tell();
    speed = throng_sim_column_named(sim, "speed");
    throng_agent first;
    assert(throng_sim_agent_at(sim, 0, &first));
    const double negative = -1, walking = 1;
    assert(!throng_sim_write(sim, speed, &first, &negative, 1, &message) && strstr(message.text, "from 0 to 1000"));
    assert(!throng_sim_write(sim, speed, &gone, &walking, 1, &message) && strstr(message.text, "is gone"));
    printf("error\tvalue\n");

    need(throng_sim_snapshot(sim, &snapshot, &size, &message));
    throng_sim *again = throng_sim_restore(snapshot, size, NULL, &message);
    need(again != NULL);
    for (int step = 0; step < 10; step++)
        need(throng_sim_step(again, &message));
    print_hash(again, "snapshot");
    throng_sim_snapshot_free(snapshot);
    throng_sim_destroy(again);
    throng_sim_destroy(sim);
    return 0;
}
