/* Plain answers about a world, and numbers that follow from its seed. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/random.h"
#include "world_parts.h"

void throng_world_time_stages(throng_world *w, bool on)
{
    w->times.stages_wanted = on;
    w->times.steps = w->stages.waited = 0;
    memset(w->times.stage, 0, sizeof w->times.stage);
}

uint64_t throng_world_mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * 0x9E3779B97F4A7C15u;
    return hash ^ hash >> 32;
}

throng_agents *throng_world_agents(throng_world *w) { return w->agents; }
const throng_map *throng_world_map(const throng_world *w) { return w->map; }
throng_point throng_world_wrap(const throng_world *w)
{
    return (throng_point){(double)w->frame.wrap_x, (double)w->frame.wrap_y};
}

double throng_world_dt(const throng_world *w) { return w->dt; }
double throng_world_time(const throng_world *w) { return w->step * w->dt; }
uint32_t throng_world_steps(const throng_world *w) { return w->step; }
uint64_t throng_world_seed(const throng_world *w) { return w->seed; }
int32_t throng_world_group_count(const throng_world *w) { return w->groups.count; }
const char *throng_world_group_name(const throng_world *w, int32_t group) { return w->groups.list[group].name; }

bool throng_world_group_colour(const throng_world *w, int32_t group, uint32_t *rgb)
{
    bool known = group >= 0 && group < w->groups.count && w->groups.list[group].colour != THRONG_NO_COLOUR;
    *rgb = known ? w->groups.list[group].colour : 0;
    return known;
}

const char *throng_world_backend(const throng_world *w) { return w->stages.api->name; }
const char *throng_world_backend_reason(const throng_world *w) { return w->chosen; }
throng_stages *throng_world_stages(throng_world *w) { return &w->stages; }

void throng_world_backend_info(const throng_world *w, throng_backend_info *info)
{
    w->stages.api->info(w->stages.backend, info);
}

bool throng_world_snapshot(throng_world *w, throng_column_set columns, throng_snapshot *snapshot, throng_error *error)
{
    snapshot->time = throng_world_time(w);
    snapshot->gone_arrived = w->gone.arrived;
    if (!throng_array_reserve((void **)&snapshot->lift_z, &snapshot->lift_room, w->lifts.count,
                              sizeof *snapshot->lift_z))
        return throng_fail(error, "out of memory for %d lifts", w->lifts.count);
    for (int32_t l = 0; l < w->lifts.count; l++)
        snapshot->lift_z[l] = (float)w->lifts.list[l].z;
    return throng_agents_copy(w->agents, columns, &snapshot->agents, error);
}

void throng_snapshot_fini(throng_snapshot *snapshot)
{
    throng_copy_free(&snapshot->agents);
    free(snapshot->lift_z);
    *snapshot = (throng_snapshot){0};
}

double throng_world_random(const throng_world *w, uint32_t id, uint32_t step, uint32_t purpose)
{
    return throng_random(w->seed, id, step, 0, purpose);
}

void throng_world_bytes(const throng_world *w, size_t *host, size_t *device)
{
    size_t scratch = w->stages.api->bytes(w->stages.backend);
    bool on_host = w->stages.api == &throng_cpu_backend;
    *host = throng_agents_bytes(w->agents) + (on_host ? scratch : 0);
    *device = on_host ? 0 : scratch;
}
