/* What an agent saw in the last step, and made of it. */
#include "world_parts.h"

/* Whoever was spawned after it took no part. */
static bool took_part(const throng_world *w, int32_t slot)
{
    const int32_t *born = throng_agents_read(w->agents, THRONG_COLUMN_born, NULL);
    return born && born[slot] < (int32_t)throng_world_steps(w);
}

int32_t throng_world_neighbours(const throng_world *w, int32_t slot, int32_t *neighbours)
{
    int32_t count = 0, wall_count, walls[THRONG_WALLS_MAX];
    bool seen = took_part(w, slot) &&
                w->stages.api->seen(w->stages.backend, slot, neighbours, &count, walls, &wall_count, NULL);
    return seen ? count : 0;
}

bool throng_world_local_map(const throng_world *w, int32_t slot, throng_local_map *map, throng_error *error)
{
    const int32_t *planner = throng_agents_read(w->agents, THRONG_COLUMN_planner, error);
    if (!planner)
        return false;
    if (w->planners[planner[slot]].kind != THRONG_PLANNER_bvp)
        return throng_fail(error, "only agents with the planner bvp have a local map");
    if (!took_part(w, slot))
        return throng_fail(error, "the agent has taken no step yet");
    return w->stages.api->local_map(w->stages.backend, slot, map, error);
}

throng_point throng_local_map_slope(const throng_local_map *map)
{
    int32_t middle = (map->size - 1) / 2;
    const float *at = map->potential + middle * map->size + middle;
    double scale = 1 / (2 * (double)map->cell);
    return (throng_point){scale * (double)(at[1] - at[-1]), scale * (double)(at[map->size] - at[-map->size])};
}
