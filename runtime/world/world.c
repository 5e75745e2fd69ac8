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
    free(w->door_shut);
    throng_path_queue_destroy(w->paths);
    throng_world_free_own_paths(w);
    throng_world_free_goals(w);
    throng_world_free_programs(w);
    throng_world_free_navigation(w);
    throng_world_free_fsm(w);
    throng_world_free_stuck(w);
    throng_agents_destroy(w->agents);
    throng_stages_close(&w->stages);
    for (int32_t k = 0; k < w->kind_count; k++)
        free(w->kinds[k]);
    free(w->kinds);
    free(w->planners);
    throng_world_free_influences(w);
    free(w->player.handles);
    free(w->arrivals);
    free(w->arrival_slots);
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
    w->frame.wrap_x = (float)def->wrap.x;
    w->frame.wrap_y = (float)def->wrap.y;
    w->gone_first = w->gone_last = -1;
    w->watched.agent.slot = -1;
    w->goals_changed = true;
    w->path_budget = THRONG_PATH_BUDGET;
    throng_world_init_phases(w);
    w->own_cache = !def->cache;
    w->cache = def->cache ? def->cache : throng_cache_create(0);
    if (!w->cache) {
        throng_fail(error, "out of memory for a world");
        free_world(w);
        return NULL;
    }
    if (!throng_stages_open(def->backend ? def->backend : "auto", &def->options, &w->stages, error) ||
        !(w->agents = throng_agents_create(&w->stages, error))) {
        free_world(w);
        return NULL;
    }
    w->map = def->map;
    if (!throng_world_init_floor(w, error) || !throng_world_init_doors(w, error)) {
        free_world(w);
        return NULL;
    }
    return w;
}

/* --- what the frame is told --------------------------------------------------------------- */

#define BIT(column) ((uint64_t)1 << THRONG_COLUMN_##column)

/* Columns the stages write. */
#define STAGE_COLUMNS                                                                                                  \
    (BIT(x) | BIT(y) | BIT(vx) | BIT(vy) | BIT(hx) | BIT(hy) | BIT(desired_vx) | BIT(desired_vy) | BIT(face) |         \
     BIT(corner) | BIT(via) | BIT(frustration) | BIT(still_at) | BIT(still_since) | BIT(force_x) | BIT(force_y) |      \
     BIT(planned_vx) | BIT(planned_vy) | BIT(arrived))

uint64_t throng_world_written_columns(const throng_world *w)
{
    return STAGE_COLUMNS | throng_world_program_columns(w) | throng_world_fsm_columns(w);
}

/* The rare ones that the stages need in this step. */
static uint64_t needed_columns(const throng_world *w)
{
    uint64_t needed = throng_world_program_columns(w) | throng_world_fsm_columns(w);
    if (w->frame.planners >> THRONG_PLANNER_forces & 1)
        needed |= BIT(force_x) | BIT(force_y);
    if (w->frame.latency)
        needed |= BIT(planned_vx) | BIT(planned_vy);
    if (w->mesh_count)
        needed |= BIT(face) | BIT(via) | BIT(corner);
    return needed;
}

static float larger(float a, float b) { return a > b ? a : b; }

/* Halves the cells of a world that wraps, the longer side first, while there are fewer than agents. */
static void divide_wrapping(throng_frame *f, float least)
{
    f->cell_x = f->wrap_x / 4;
    f->cell_y = f->wrap_y / 4;
    while ((int64_t)f->grid_width * f->grid_height < f->agents && larger(f->cell_x, f->cell_y) >= 2 * least) {
        bool wide = f->cell_x > f->cell_y;
        *(wide ? &f->grid_width : &f->grid_height) *= 2;
        *(wide ? &f->cell_x : &f->cell_y) *= 0.5f;
    }
}

#define MOST_RADII 10    /* a cell is wide */
#define LEAST_CELL 0.01f /* m: 1e6 m are not too many of them to count */

/* Cells of about the distance at which an agent has seen its neighbours: half its sight, if that is not so far that a
 * cell holds a crowd. (Evacuation of 10,000, who see 15 m, on an H200: 1,318 frames a second with cells of 7.5 m;
 * 1,448, 1,534 and 1,506 with 16, 10 and 6 radii.) The grid wraps, so its size is a matter of speed alone: about as
 * many cells as agents. Where the world wraps the grid must be as wide as it is. */
static void choose_grid(throng_frame *f)
{
    float cell = f->sight > 0 ? 0.5f * f->sight : 2, most = MOST_RADII * f->bulk_radius;
    cell = larger(f->bulk_radius > 0 && most < cell ? most : cell, 2 * f->bulk_radius);
    cell = larger(cell, LEAST_CELL);
    f->grid_width = f->grid_height = 4;
    if (f->wrap_x > 0) {
        divide_wrapping(f, cell);
        return;
    }
    f->cell_x = f->cell_y = cell;
    while ((int64_t)f->grid_width * f->grid_height < f->agents && f->grid_height < 8192)
        *(f->grid_width > f->grid_height ? &f->grid_height : &f->grid_width) *= 2;
}

/* Nobody may see or touch the same agent on two sides. */
static bool check_wrap(const throng_frame *f, throng_error *error)
{
    float least = f->wrap_x < f->wrap_y ? f->wrap_x : f->wrap_y;
    float sight = larger(f->sight, 2 * (f->radius + f->max_speed * f->dt * 1.01f));
    return f->wrap_x == 0 || 2 * sight <= least ||
           throng_fail(error,
                       "the world wraps after %g m, and its agents see %g m: it must be at least twice as large as "
                       "that; make it larger or their sight shorter",
                       least, sight);
}

/* The frame's bounds. */
static bool take_limits(throng_world *w, throng_error *error)
{
    throng_frame *f = &w->frame;
    bool found;
    if (!throng_world_follow_limits(w, &found, error) || (found && !check_wrap(f, error)))
        return false;
    choose_grid(f);
    f->sensed = w->sensed_capacity == throng_agents_capacity(w->agents) && f->neighbours <= w->sensed_neighbours;
    float reach = larger(f->wall_reach, throng_world_body_reach(w));
    return !(w->map || w->bodies) || reach <= w->walls_reach || throng_world_build_walls(w, reach, error);
}

static bool begin_frame(throng_world *w, throng_error *error)
{
    throng_frame *f = &w->frame;
    f->slots = throng_agents_slots(w->agents);
    f->agents = throng_agents_count(w->agents);
    f->step = w->step;
    f->dt = (float)w->dt;
    f->look = (int32_t)fmax(round(1 / w->dt), 1);
    f->time = (float)(w->step * w->dt);
    f->seed = w->seed;
    f->iterations = w->phases.iterations;
    f->tolerance = (float)w->phases.tolerance;
    return take_limits(w, error);
}

bool throng_world_hand_over(throng_world *w, throng_error *error)
{
    if (!take_limits(w, error) || !throng_world_follow_bodies(w, error) || !throng_world_upload_walls(w, error))
        return false;
    return throng_agents_use(w->agents, needed_columns(w), error) && throng_world_upload_planners(w, error) &&
           throng_world_upload_influences(w, error) && throng_world_upload_goals(w, error) &&
           throng_world_upload_corners(w, error) && throng_world_upload_programs(w, error) &&
           throng_world_upload_fsm(w, error) && throng_agents_flush(w->agents, error);
}

/* --- the frame ----------------------------------------------------------------------------- */

bool throng_world_step(throng_world *w, throng_error *error)
{
    if (!begin_frame(w, error))
        return false;
    for (int p = 0; p < THRONG_HOST_PHASE_COUNT; p++)
        if (!throng_world_phase(w, (throng_phase)p, error))
            return false;
    if (!throng_world_hand_over(w, error) || !throng_measures_before(w, error))
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
    w->arrivals_known = false;
    w->seconds += throng_clock() - start - w->phases.hook_seconds - (w->stages.waited - waited);
    return throng_measures_after(w, error) && throng_world_note_stuck(w, error);
}

bool throng_world_run_phase(throng_world *w, throng_phase phase, throng_error *error)
{
    static const char *const needs[] = {"sense", "plan"};
    int stage = (int)phase - THRONG_HOST_PHASE_COUNT;
    if (stage >= THRONG_STAGE_plan && w->phases.ready < stage)
        return throng_fail(error, "%s needs what %s leaves, and agents have moved, come or gone since: run %s first",
                           throng_phase_names[phase], needs[stage - THRONG_STAGE_plan],
                           needs[w->phases.ready < THRONG_STAGE_plan ? 0 : 1]);
    if (!begin_frame(w, error))
        return false;
    if (stage < 0)
        return throng_world_phase(w, phase, error);
    if (!throng_world_hand_over(w, error) || (w->frame.agents && !throng_world_phase(w, phase, error)))
        return false;
    throng_agents_stepped(w->agents, w->frame.agents ? throng_world_written_columns(w) : 0);
    return true;
}

/* --- plain answers ------------------------------------------------------------------------------ */

void throng_world_time_stages(throng_world *w, bool on)
{
    w->time_stages = on;
    w->seconds = w->stages.waited = 0;
    memset(w->stage_seconds, 0, sizeof w->stage_seconds);
}

uint64_t throng_world_mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * 0x9E3779B97F4A7C15u;
    return hash ^ hash >> 32;
}

bool throng_world_hash(throng_world *w, uint64_t *hash, throng_error *error)
{
    if (!throng_agents_hash(w->agents, hash, error))
        return false;
    *hash = throng_world_mix(throng_world_mix(*hash, w->step), w->gone_hash);
    *hash = w->bodies ? throng_world_mix(*hash, throng_bodies_hash(w->bodies)) : *hash;
    *hash = throng_world_mix_hazards(w, *hash);
    return true;
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
int32_t throng_world_kinds(const throng_world *w) { return w->kind_count; }
const char *throng_world_kind_name(const throng_world *w, int32_t kind) { return w->kinds[kind]; }
const char *throng_world_backend(const throng_world *w) { return w->stages.api->name; }
throng_stages *throng_world_stages(throng_world *w) { return &w->stages; }

void throng_world_backend_info(const throng_world *w, throng_backend_info *info)
{
    w->stages.api->info(w->stages.backend, info);
}

bool throng_world_snapshot(throng_world *w, uint64_t columns, throng_snapshot *snapshot, throng_error *error)
{
    snapshot->time = throng_world_time(w);
    snapshot->gone_arrived = w->gone_arrived;
    return throng_agents_copy(w->agents, columns, &snapshot->agents, error);
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
