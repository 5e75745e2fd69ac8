/* What a frame is told before the backend works on it: the crowd's bounds and the grid that follows from them, and
 * every table and column that has changed since (throng_world_sync_backend). */
#include <math.h>

#include "world_parts.h"

throng_column_set throng_world_written_columns(const throng_world *w)
{
    const int stages = THRONG_BY_GOALS | THRONG_BY_DESIRE | THRONG_BY_PLAN | THRONG_BY_MOVE;
    return throng_columns_with(stages) | throng_world_program_columns(w) | throng_world_fsm_columns(w);
}

/* The rare ones that the stages need in this step. */
static throng_column_set needed_columns(const throng_world *w)
{
    throng_column_set needed = throng_world_program_columns(w) | throng_world_fsm_columns(w);
    if (w->frame.planners & THRONG_PLANNERS_REMEMBER)
        needed |= THRONG_COLUMN_BIT(force_x) | THRONG_COLUMN_BIT(force_y);
    if (throng_agents_uses(w->agents, THRONG_COLUMN_width))
        needed |= THRONG_COLUMN_BIT(shoulders);
    if (w->frame.latency)
        needed |= THRONG_COLUMN_BIT(planned_vx) | THRONG_COLUMN_BIT(planned_vy);
    if (w->routing.mesh_count)
        needed |= THRONG_COLUMN_BIT(face) | THRONG_COLUMN_BIT(exit_edge) | THRONG_COLUMN_BIT(waypoint);
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
    f->sensed = w->sensed.capacity == throng_agents_capacity(w->agents) && f->neighbours <= w->sensed.neighbours;
    float reach = larger(f->wall_reach, throng_world_body_reach(w));
    return !(w->map || w->bodies.all) || reach <= w->walls.reach || throng_world_build_walls(w, reach, error);
}

#define TEXT(number)    #number
#define TEXT_OF(number) TEXT(number)

/* A large crowd goes to the device, if there is one with room for it. Only before the first frame: from then on the
 * backend remembers what presses whom. */
static void choose_backend(throng_world *w)
{
    throng_backend_options any = {0};
    throng_stages device;
    if (!w->may_choose)
        return;
    w->may_choose = false;
    if (throng_agents_count(w->agents) < THRONG_AUTO_AGENTS) {
        w->chosen = "fewer than " TEXT_OF(THRONG_AUTO_AGENTS) " agents began";
        return;
    }
    w->chosen = "no CUDA here, or no room on its device";
    if (!throng_stages_open("cuda", &any, &device, NULL))
        return;
    if (throng_agents_change_backend(w->agents, &device, NULL)) {
        throng_stages_close(&w->stages);
        w->stages = device;
        w->chosen = TEXT_OF(THRONG_AUTO_AGENTS) " agents or more began";
    } else
        throng_stages_close(&device);
}

bool throng_world_begin_frame(throng_world *w, throng_error *error)
{
    throng_frame *f = &w->frame;
    if (w->phases.torn)
        return throng_fail(error, "step %u was interrupted in its middle, and this world ends with it; make it again",
                           w->step);
    choose_backend(w);
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

bool throng_world_sync_backend(throng_world *w, throng_error *error)
{
    if (!take_limits(w, error) || !throng_world_follow_bodies(w, error) || !throng_world_upload_sheets(w, error) ||
        !throng_world_upload_walls(w, error))
        return false;
    return throng_agents_use(w->agents, needed_columns(w), error) && throng_world_upload_planners(w, error) &&
           throng_world_upload_influences(w, error) && throng_world_upload_air(w, error) &&
           throng_world_upload_places(w, error) && throng_world_follow_leaders(w, error) &&
           throng_world_upload_goals(w, error) && throng_world_upload_waypoints(w, error) &&
           throng_world_upload_programs(w, error) && throng_world_upload_fsm(w, error) &&
           throng_agents_flush(w->agents, error);
}
