#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/cache.h"
#include "base/clock.h"
#include "measure.h"
#include "base/random.h"
#include "world_parts.h"

throng_world_def throng_world_def_default(void) { return (throng_world_def){.dt = 0.1, .seed = 1, .backend = "auto"}; }

/* --- lifetime ----------------------------------------------------------------------------- */

static void free_world(throng_world *w)
{
    throng_measures_free(w);
    throng_world_free_floor(w);
    throng_world_free_bodies(w);
    throng_world_free_standing(w);
    throng_world_free_walls(w);
    free(w->doors.shut);
    free(w->doors.held);
    free(w->doors.cost);
    free(w->doors.way);
    throng_world_free_lifts(w);
    throng_world_free_floors(w);
    throng_path_queue_destroy(w->paths.queue);
    throng_world_free_path_own(w);
    throng_world_free_goal_table(w);
    throng_world_free_goals(w);
    throng_world_free_programs(w);
    throng_world_free_navigation(w);
    throng_world_free_meshes(w);
    throng_world_free_fsm(w);
    throng_world_free_stuck(w);
    throng_agents_destroy(w->agents);
    throng_world_free_taken(w);
    throng_stages_close(&w->stages);
    for (int32_t k = 0; k < w->groups.count; k++)
        free(w->groups.list[k].name);
    free(w->groups.list);
    free(w->groups.index);
    free(w->planners.list);
    throng_world_free_influences(w);
    throng_world_free_air(w);
    throng_world_free_crossings(w);
    throng_world_free_overcome(w);
    throng_world_free_sheets(w);
    free(w->player.handles);
    free(w->arrivals.list);
    free(w->arrivals.slots);
    free(w->gone.list);
    if (w->own_cache)
        throng_cache_destroy(w->cache);
    free(w);
}

void throng_world_destroy(throng_world *w)
{
    if (!w)
        return;
    throng_map *map = w->map;
    free_world(w);
    throng_map_destroy(map);
}

static bool check_def(const throng_world_def *def, throng_error *error)
{
    if (!(def->dt >= THRONG_DT_LEAST && def->dt <= THRONG_DT_MOST))
        return throng_fail(error, "dt must be %g to %g s, not %g", THRONG_DT_LEAST, THRONG_DT_MOST, def->dt);
    if (def->latency != 0 && def->latency != 1)
        return throng_fail(error,
                           "latency must be 0, or 1: agents move by what was planned a frame ago, so that planning and "
                           "moving overlap; not %d",
                           def->latency);
    return true;
}

throng_world *throng_world_create(const throng_world_def *def, throng_error *error)
{
    if (!check_def(def, error))
        return NULL;
    throng_world *w = calloc(1, sizeof *w);
    if (!w) {
        throng_fail(error, "out of memory for a world");
        return NULL;
    }
    w->dt = def->dt;
    w->seed = def->seed;
    w->frame.latency = def->latency;
    w->frame.friction = (float)def->friction;
    w->frame.wrap_x = (float)def->wrap.x;
    w->frame.wrap_y = (float)def->wrap.y;
    w->gone.first = w->gone.last = -1;
    w->watched.agent.slot = -1;
    w->routing.changed = true;
    w->paths.budget = THRONG_PATH_BUDGET;
    throng_world_init_phases(w);
    w->own_cache = !def->cache;
    w->cache = def->cache ? def->cache : throng_cache_create(0);
    if (!w->cache) {
        throng_fail(error, "out of memory for a world");
        free_world(w);
        return NULL;
    }
    bool by_size = !def->backend || strcmp(def->backend, "auto") == 0;
    w->may_choose = by_size && !def->options.simd && !def->options.threads; /* which speak of the CPU */
    if (!throng_stages_open(by_size ? "cpu" : def->backend, &def->options, &w->stages, error) ||
        !(w->agents = throng_agents_create(&w->stages, error))) {
        free_world(w);
        return NULL;
    }
    w->map = def->map;
    if (!throng_world_init_floor(w, error) || !throng_world_init_sheets(w, error) ||
        !throng_world_init_doors(w, error) || !throng_world_init_lifts(w, error)) {
        free_world(w);
        return NULL;
    }
    return w;
}

/* --- the frame ----------------------------------------------------------------------------- */

bool throng_world_step(throng_world *w, throng_error *error)
{
    throng_world_free_taken(w); /* they all move */
    if (!throng_world_begin_frame(w, error) || !throng_world_floors_before(w, error))
        return false;
    for (int p = 0; p < THRONG_HOST_PHASE_COUNT; p++)
        if (!throng_world_phase(w, (throng_phase)p, error))
            return false;
    if (!throng_world_sync_backend(w, error) || !throng_measures_before(w, error))
        return false;
    double start = throng_clock(), waited = w->stages.waited;
    w->phases.hook_seconds = 0;
    for (int p = THRONG_HOST_PHASE_COUNT; w->frame.agents && p < THRONG_PHASE_COUNT; p++)
        if (!throng_world_phase(w, (throng_phase)p, error))
            return false;
    if (!w->frame.agents && !throng_world_move_bodies(w, error))
        return false;
    throng_agents_stepped(w->agents, w->frame.agents ? throng_world_written_columns(w) : 0);
    w->step++;
    throng_world_move_hazards(w);
    w->arrivals.known = false;
    w->times.steps += throng_clock() - start - w->phases.hook_seconds - (w->stages.waited - waited);
    return throng_measures_after(w, error) && throng_world_floors_after(w, error) && throng_world_note_stuck(w, error);
}

bool throng_world_run_phase(throng_world *w, throng_phase phase, throng_error *error)
{
    static const char *const needs[] = {"sense", "plan"};
    int stage = (int)phase - THRONG_HOST_PHASE_COUNT;
    if (stage >= THRONG_STAGE_plan && w->phases.ready < stage)
        return throng_fail(error, "%s needs the results of %s, and agents have moved, come or gone since: run %s first",
                           throng_phase_names[phase], needs[stage - THRONG_STAGE_plan],
                           needs[w->phases.ready < THRONG_STAGE_plan ? 0 : 1]);
    if (!throng_world_begin_frame(w, error))
        return false;
    if (stage < 0)
        return throng_world_phase(w, phase, error);
    if (!throng_world_sync_backend(w, error) || (w->frame.agents && !throng_world_phase(w, phase, error)))
        return false;
    throng_agents_stepped(w->agents, w->frame.agents ? throng_world_written_columns(w) : 0);
    return true;
}

bool throng_world_hash(throng_world *w, uint64_t *hash, throng_error *error)
{
    if (!throng_agents_hash(w->agents, hash, error))
        return false;
    *hash = throng_world_mix(throng_world_mix(*hash, w->step), w->gone.hash);
    *hash = throng_world_mix_lifts(w, *hash);
    *hash = w->bodies.all ? throng_world_mix(*hash, throng_bodies_hash(w->bodies.all)) : *hash;
    *hash = throng_world_mix_hazards(w, *hash);
    return true;
}
