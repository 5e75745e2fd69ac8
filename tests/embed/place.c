/* Movement of a program's own: a character that the program moves, by the velocities that its planner gives, among people
 * who move by themselves; prints what embed_spec.lua asks for. place SCENARIO_OF_A_BUILDING */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <throng.h>

static const char HALL[] = "local throng = require 'throng'\n"
                           "local world = throng.world { map = throng.map { boundary = throng.box(0, 0, 30, 6) },\n"
                           "  regions = { left = throng.box(1, 1, 4, 5), right = throng.box(20, 1, 29, 5) },\n"
                           "  threads = 1, until_done = false }\n"
                           "world:spawn { count = 20, where = 'right', name = 'visitors' }:go_to 'left'\n"
                           "return world\n";

static throng_message message;

static void need(bool fine)
{
    if (!fine) {
        fprintf(stderr, "%s\n", message.text);
        exit(1);
    }
}

static throng_sim *load(void)
{
    throng_sim_settings settings = throng_sim_settings_default();
    settings.keep_inputs = true;
    throng_sim *sim = throng_sim_load_text("hall.lua", HALL, strlen(HALL), &settings, &message);
    need(sim != NULL);
    return sim;
}

static float value(throng_sim *sim, const char *name, throng_agent agent)
{
    const float *all = throng_sim_read(sim, throng_sim_column_named(sim, name), &message);
    need(all != NULL);
    return all[agent.slot];
}

static uint64_t hash_of(throng_sim *sim)
{
    uint64_t hash;
    need(throng_sim_hash(sim, &hash, &message));
    return hash;
}

/* Everybody is put where they are: nothing changes. */
static void put_all(throng_sim *sim)
{
    throng_agent all[32];
    float xy[64];
    int32_t count = throng_sim_agents(sim, all);
    for (int32_t i = 0; i < count; i++) {
        xy[2 * i] = value(sim, "x", all[i]);
        xy[2 * i + 1] = value(sim, "y", all[i]);
    }
    need(throng_sim_place(sim, all, xy, count, &message));
}

static void refused(throng_sim *sim, throng_agent agent, float x, float y)
{
    uint64_t before = hash_of(sim);
    throng_agent all[32];
    throng_sim_agents(sim, all);
    bool placed = throng_sim_place(sim, (throng_agent[]){all[1], agent}, (float[]){3.5f, 3.5f, x, y}, 2, &message);
    printf("refused %d %d %s\n", placed, hash_of(sim) == before, message.text);
}

int main(int argc, char **argv)
{
    throng_sim *sim = load(), *other = load();
    for (int step = 0; step < 50; step++) {
        put_all(sim);
        need(throng_sim_step(sim, &message) && throng_sim_step(other, &message));
    }
    printf("put where they are %s\n", hash_of(sim) == hash_of(other) ? "same" : "other");

    /* the character walks at a third of what its planner says: it is slow, and throng does not know why */
    throng_agent own;
    float at[2] = {2, 3};
    throng_sim_group group = throng_sim_group_default();
    group.name = "own";
    need(throng_sim_spawn_group(sim, &group, at, 1, &own, &message));
    need(throng_sim_steer(sim, &own, (float[]){1.2f, 0}, 1, &message));
    double nearest = 1e9, fastest = 0;
    for (int step = 0; step < 100; step++) {
        need(throng_sim_place(sim, &own, at, 1, &message) && throng_sim_step(sim, &message));
        at[0] += 0.1f * value(sim, "vx", own) / 3;
        at[1] += 0.1f * value(sim, "vy", own) / 3;
        fastest = fmax(fastest, hypot((double)value(sim, "vx", own), (double)value(sim, "vy", own)));
        throng_agent all[32];
        for (int32_t i = 0, count = throng_sim_agents(sim, all); i < count; i++)
            if (all[i].slot != own.slot)
                nearest = fmin(nearest, hypot((double)(value(sim, "x", all[i]) - at[0]),
                                              (double)(value(sim, "y", all[i]) - at[1])));
    }
    printf("own %.1f %d %d\n", (double)at[0], nearest > 0.3, fastest > 1 && fastest < 1.5);

    refused(sim, own, -1, 3);
    refused(sim, own, NAN, 3);
    need(throng_sim_remove(sim, &own, 1, &message));
    refused(sim, own, 3, 3);

    void *snapshot;
    size_t size;
    need(throng_sim_snapshot(sim, &snapshot, &size, &message));
    throng_sim *again = throng_sim_restore(snapshot, size, NULL, &message);
    need(again != NULL);
    printf("again %s\n", hash_of(again) == hash_of(sim) ? "same" : "other");

    throng_sim *building = throng_sim_load(argc > 1 ? argv[1] : "", NULL, &message);
    need(building != NULL);
    for (int step = 0; step < 262; step++)
        need(throng_sim_step(building, &message));
    throng_agent upper[2];
    float heights[2];
    need(throng_sim_spawn(building, "{ name = 'upper', floor = world.floors[2].name }", (float[]){8, 6, 9, 6}, 2, upper,
                          &message) &&
         throng_sim_heights(building, upper, 2, heights, &message));
    printf("upper %g %g\n", (double)heights[0], (double)heights[1]);
    bool spawned = throng_sim_spawn(building, "{ floor = 'attic' }", (float[]){8, 6}, 1, upper, &message);
    printf("attic %d %s\n", spawned, message.text);
    throng_agent all[2000];
    int32_t count = throng_sim_agents(building, all);
    need(count <= 2000);
    int told[2] = {0, 0};
    for (int32_t i = 0; i < count; i++) {
        bool fine = throng_sim_place(building, &all[i], (float[]){500, 500}, 1, &message);
        told[0] += !fine && strstr(message.text, "off the agent's floor: it walks to others");
        told[1] += !fine && strstr(message.text, "rides in a lift, which carries it");
    }
    printf("building %d %d\n", told[0] + told[1] == count, told[1] > 0);
    throng_sim_snapshot_free(snapshot);
    throng_sim_destroy(building);
    throng_sim_destroy(again);
    throng_sim_destroy(other);
    throng_sim_destroy(sim);
    return 0;
}
