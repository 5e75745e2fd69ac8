/* What an agent saw in the last step, and made of it. */
#include "world_parts.h"

/* Whoever was spawned after it took no part. */
static bool took_part(const throng_world *w, int32_t slot)
{
    const int32_t *born = throng_agents_read(w->agents, THRONG_COLUMN_born, NULL);
    return born && born[slot] < (int32_t)throng_world_steps(w);
}

/* The backend is asked when it has the world as it is, and what the last step left in its scratch is there. */
static bool begin(throng_world *w, throng_error *error)
{
    if (!throng_world_sync_backend(w, error))
        return false;
    return (w->sensed.capacity == throng_agents_capacity(w->agents) && w->sensed.walls) ||
           throng_fail(error,
                       "agents, walls, doors or bodies have changed since the last step: probe before the change, or "
                       "after the next step");
}

bool throng_world_neighbours(throng_world *w, int32_t slot, int32_t *neighbours, int32_t *count, throng_error *error)
{
    int32_t wall_count, walls[THRONG_WALLS_MAX];
    *count = 0;
    return !took_part(w, slot) || (begin(w, error) && w->stages.api->seen(w->stages.backend, slot, neighbours, count,
                                                                          walls, &wall_count, error));
}

bool throng_world_local_map(throng_world *w, int32_t slot, throng_local_map *map, throng_error *error)
{
    const int32_t *planner = throng_agents_read(w->agents, THRONG_COLUMN_planner, error);
    if (!planner)
        return false;
    if (w->planners.list[planner[slot]].kind != THRONG_PLANNER_bvp)
        return throng_fail(error, "only agents with the planner bvp have a local map");
    if (!took_part(w, slot))
        return throng_fail(error, "the agent has taken no step yet");
    return begin(w, error) && w->stages.api->local_map(w->stages.backend, slot, map, error);
}

bool throng_world_choice_of_last_step(throng_world *w, int32_t slot, throng_choice *choice, bool *known,
                                      throng_error *error)
{
    *known = took_part(w, slot);
    return !*known || (begin(w, error) && w->stages.api->choice(w->stages.backend, slot, choice, error));
}

void throng_world_watch(throng_world *w, throng_handle agent)
{
    if (agent.slot != w->watched.agent.slot || agent.generation != w->watched.agent.generation)
        w->watched = (world_watched){.agent = agent};
}

bool throng_world_keep_choice(throng_world *w, throng_error *error)
{
    world_watched *kept = &w->watched;
    kept->known = false;
    if (kept->agent.slot < 0 || !throng_agents_alive(w->agents, kept->agent))
        return true;
    int32_t slot = kept->agent.slot;
    const throng_backend_api *api = w->stages.api;
    if (!api->choice(w->stages.backend, slot, &kept->choice, error) ||
        (kept->choice.planner == THRONG_PLANNER_bvp &&
         !api->local_map(w->stages.backend, slot, &kept->choice.map, error)))
        return false;
    kept->known = true;
    kept->step = w->step;
    return true;
}

const throng_choice *throng_world_choice(const throng_world *w, throng_handle agent)
{
    const world_watched *kept = &w->watched;
    bool same = agent.slot == kept->agent.slot && agent.generation == kept->agent.generation;
    return same && kept->known && kept->step + 1 == w->step ? &kept->choice : NULL;
}

throng_point throng_local_map_slope(const throng_local_map *map)
{
    int32_t row = map->width, column = (map->width - 1) / 2;
    const double *at = map->rest + (map->height - 1) / 2 * row + column;
    double scale = 1 / (2 * (double)map->cell);
    return (throng_point){scale * (at[-1] - at[1]), scale * (at[-row] - at[row])};
}
