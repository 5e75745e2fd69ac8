/* The world's fixed parts on the device: copies, replaced as a whole when the runtime changes them. */
#include "cuda.cuh"

#include <algorithm>
#include <vector>

static bool forget_fixed(throng_backend *b, int what, throng_error *error)
{
    if (!cuda_wait_for_plan(b, error))
        return false;
    CHECK(cudaStreamSynchronize(b->stream));
    for (int i = 0; i < b->fixed_count[what]; i++)
        CHECK(cuda_free(b->fixed[what * FIXED_EACH + i]));
    b->fixed_count[what] = 0;
    return true;
}

/* A copy of `count` elements on the device, in place of the host's pointer. It is there when this returns: the stream
 * does not wait for others, and a copy that belongs to none may come after what is launched next. */
template <typename T>
static bool upload(throng_backend *b, int what, const T *host, size_t count, const T **device, throng_error *error)
{
    void *block;
    if (b->fixed_count[what] == FIXED_EACH)
        return throng_fail(error, "cuda: more fixed arrays than %d of a kind", (int)FIXED_EACH);
    CHECK(cuda_malloc(&block, (count + 1) * sizeof(T)));
    b->fixed[what * FIXED_EACH + b->fixed_count[what]++] = block;
    if (count) {
        CHECK(cudaMemcpyAsync(block, host, count * sizeof(T), cudaMemcpyHostToDevice, b->stream));
        CHECK(cudaStreamSynchronize(b->stream));
    }
    *device = (const T *)block;
    return true;
}

/* All arrays of a table in place of the host's: those of the list, `what` they are of, from *t to `d`. */
#define UPLOAD(type, name, count, ...) &&upload(b, what, t->name, (size_t)(count), &d.name, error)

static bool upload_grid(throng_backend *b, const throng_wall_grid *grid, throng_wall_grid *d, throng_error *error)
{
    size_t lists = throng_wall_grid_lists(grid);
    *d = *grid;
    return upload(b, FIXED_WALLS, grid->start, lists + 1, &d->start, error) &&
           upload(b, FIXED_WALLS, grid->list, (size_t)grid->start[lists], &d->list, error);
}

template <typename T>
static bool copy_tail(throng_backend *b, const T *device, const T *host, int32_t first, int32_t count,
                      throng_error *error)
{
    CHECK(cudaMemcpyAsync((void *)(device + first), host + first, (size_t)count * sizeof *host, cudaMemcpyHostToDevice,
                          b->stream));
    return true;
}

/* Into memory that is kept from frame to frame. */
static bool copy_list(throng_backend *b, const int32_t *host, size_t count, int32_t **device, size_t *room,
                      throng_error *error)
{
    if (count > *room) {
        CHECK(cudaStreamSynchronize(b->stream));
        if (!cuda_replace(b, device, *room, 2 * count, error))
            return false;
        *room = 2 * count;
    }
    CHECK(cudaMemcpyAsync(*device, host, count * sizeof *host, cudaMemcpyHostToDevice, b->stream));
    return true;
}

static bool copy_moving_grid(throng_backend *b, const throng_wall_grid *grid, cuda_grid *lists, throng_wall_grid *d,
                             throng_error *error)
{
    size_t count = throng_wall_grid_lists(grid);
    if (!copy_list(b, grid->start, count + 1, &lists->start, &lists->start_room, error) ||
        !copy_list(b, grid->list, (size_t)grid->start[count], &lists->list, &lists->list_room, error))
        return false;
    *d = *grid;
    d->start = lists->start;
    d->list = lists->list;
    return true;
}

/* In many frames they are as they were. */
static bool copy_moving_grids(throng_backend *b, const throng_walls *t, throng_error *error)
{
    throng_walls *d = &b->c.walls;
    if (d->moving.start && d->listed == t->listed)
        return true;
    if (!copy_moving_grid(b, &t->moving, &b->side_grid, &d->moving, error) ||
        !copy_moving_grid(b, &t->boxes, &b->box_grid, &d->boxes, error))
        return false;
    d->listed = t->listed;
    return true;
}

bool cuda_set_sides(throng_backend *b, const throng_walls *t, throng_error *error)
{
    throng_walls *d = &b->c.walls;
    if (!cuda_wait_for_plan(b, error))
        return false;
    d->body_step = t->body_step;
#define MOVE(type, name, count, moves) &&(!moves || copy_tail(b, d->name, t->name, (count)-t->sides, t->sides, error))
    return copy_moving_grids(b, t, error) THRONG_WALLS_ARRAYS(MOVE);
#undef MOVE
}

bool cuda_set_walls(throng_backend *b, const throng_walls *t, throng_error *error)
{
    const int what = FIXED_WALLS;
    if (!forget_fixed(b, what, error))
        return false;
    bool had = b->c.walls.count > 0;
    b->c.walls = {};
    if (!t->count)
        return true;
    throng_walls d = *t;
    d.moving = d.boxes = {};
    if (!upload_grid(b, &t->still, &d.still, error) || !(true THRONG_WALLS_ARRAYS(UPLOAD)))
        return false;
    b->c.walls = d;
    if (t->sides && !cuda_set_sides(b, t, error))
        return false;
    return had || !b->capacity || cuda_grow_wall_scratch(b, 0, b->capacity, error);
}

bool cuda_set_navigation(throng_backend *b, const throng_navigation *t, throng_error *error)
{
    const int what = FIXED_NAVIGATION;
    throng_navigation d = *t;
    if (!forget_fixed(b, what, error) || !(true THRONG_NAVIGATION_ARRAYS(UPLOAD)))
        return false;
    b->c.navigation = d;
    return true;
}

static bool upload_fields(throng_backend *b, const throng_fields *t, throng_fields *fields, throng_error *error)
{
    const int what = FIXED_GOALS;
    throng_fields d = *t;
    bool fine = true THRONG_FIELDS_ARRAYS(UPLOAD);
    *fields = d;
    return fine;
}

bool cuda_set_goals(throng_backend *b, const throng_goals *t, throng_error *error)
{
    const int what = FIXED_GOALS;
    throng_goals d = *t;
    if (!forget_fixed(b, what, error) || !(true THRONG_GOALS_ARRAYS(UPLOAD)) ||
        !upload_fields(b, &t->fields, &d.fields, error))
        return false;
    b->c.goals = d;
    cuda_end_fields(b); /* those of the goals are solved by now */
    return true;
}

bool cuda_set_waypoints(throng_backend *b, const throng_waypoints *t, throng_error *error)
{
    const int what = FIXED_WAYPOINTS;
    throng_waypoints d = *t;
    if (!forget_fixed(b, what, error) || !(true THRONG_WAYPOINTS_ARRAYS(UPLOAD)))
        return false;
    b->c.waypoints = d;
    return true;
}

bool cuda_set_planners(throng_backend *b, const throng_planner *planners, int32_t count, throng_error *error)
{
    b->most_samples = 0;
    b->bvp_sizes = 0;
    for (int32_t i = 0; i < count; i++) {
        if (planners[i].kind == THRONG_PLANNER_rvo)
            b->most_samples = std::max(b->most_samples, (int32_t)planners[i].value[THRONG_rvo_samples]);
        if (planners[i].kind == THRONG_PLANNER_bvp)
            b->bvp_sizes |=
                1ull << ((int)std::max(planners[i].value[THRONG_bvp_width], planners[i].value[THRONG_bvp_height]) - 1);
    }
    return forget_fixed(b, FIXED_PLANNERS, error) &&
           upload(b, FIXED_PLANNERS, planners, (size_t)count, &b->c.planners, error);
}

bool cuda_set_sheets(throng_backend *b, const throng_sheets *t, throng_error *error)
{
    const int what = FIXED_SHEETS;
    throng_sheets d = *t;
    b->c.sheets.count = 0;
    if (!forget_fixed(b, what, error) || !(true THRONG_SHEETS_ARRAYS(UPLOAD)))
        return false;
    b->c.sheets = d;
    return true;
}

bool cuda_set_influences(throng_backend *b, const throng_influences *t, throng_error *error)
{
    const int what = FIXED_INFLUENCES;
    throng_influences d = *t;
    b->c.influences.groups = b->c.influences.hazards = 0;
    if (!forget_fixed(b, what, error) || !(true THRONG_INFLUENCES_ARRAYS(UPLOAD)))
        return false;
    b->c.influences = d;
    return true;
}

bool cuda_set_air(throng_backend *b, const throng_air *t, throng_error *error)
{
    const int what = FIXED_AIR;
    throng_air d = *t;
    b->c.air.layers = 0;
    if (!forget_fixed(b, what, error) || !(true THRONG_AIR_ARRAYS(UPLOAD)))
        return false;
    b->c.air = d;
    return true;
}

/* What programs have computed of a parameter stays, as it does on the CPU, whose array the host's is. The host's array
 * says only which slots have none any more (NaN). */
static bool fetch_computed(throng_backend *b, const throng_program_target *g, throng_error *error)
{
    const float *device = g->values ? b->c.computed[g->column[0] - THRONG_COLUMN_COUNT] : NULL;
    if (!device)
        return true;
    std::vector<float> computed((size_t)b->computed);
    CHECK(cudaMemcpy(computed.data(), device, computed.size() * sizeof(float), cudaMemcpyDeviceToHost));
    for (size_t s = 0; s < computed.size(); s++)
        if (!isnan(g->values[s]))
            g->values[s] = computed[s];
    return true;
}

static bool set_target(throng_backend *b, const throng_program_target *g, throng_program_target *t, throng_error *error)
{
    const float *values = NULL;
    *t = *g;
    if (!upload(b, FIXED_PROGRAMS, g->bound, (size_t)b->capacity, &t->bound, error) ||
        (g->values && !upload(b, FIXED_PROGRAMS, g->values, (size_t)b->capacity, &values, error)))
        return false;
    t->values = (float *)values;
    if (values)
        b->c.computed[g->column[0] - THRONG_COLUMN_COUNT] = values;
    if (g->column[0] == THRONG_COLUMN_desired_vx)
        b->c.steered = t->bound;
    return true;
}

bool cuda_set_fsm(throng_backend *b, const throng_fsm *t, throng_error *error)
{
    const int what = FIXED_FSM;
    throng_fsm d = *t;
    b->f.states = 0;
    if (!forget_fixed(b, what, error) || !(true THRONG_FSM_ARRAYS(UPLOAD)))
        return false;
    b->f = d;
    return true;
}

bool cuda_set_programs(throng_backend *b, const throng_programs *t, throng_error *error)
{
    const int what = FIXED_PROGRAMS;
    if (!cuda_wait_for_plan(b, error))
        return false;
    CHECK(cudaStreamSynchronize(b->stream));
    for (int32_t i = 0; i < t->targets; i++)
        if (!fetch_computed(b, &t->target[i], error))
            return false;
    b->p.targets = b->p.parameters = 0;
    b->c.steered = NULL;
    memset(b->c.computed, 0, sizeof b->c.computed);
    throng_programs d = *t;
    if (!forget_fixed(b, what, error) || !(true THRONG_PROGRAMS_ARRAYS(UPLOAD)))
        return false;
    for (int32_t i = 0; i < t->targets; i++)
        if (!set_target(b, &t->target[i], &d.target[i], error))
            return false;
    for (int32_t i = 0; i < t->targets; i++)
        if (t->target[i].values)
            std::fill_n(t->target[i].values, b->capacity, 0.0f);
    b->computed = b->capacity;
    b->p = d;
    return true;
}

void cuda_free_fixed(throng_backend *b)
{
    for (int what = 0; what < FIXED_KINDS; what++)
        forget_fixed(b, what, NULL);
}
