/* The world's fixed parts on the device: copies, replaced as a whole when the runtime changes them. */
#include "cuda.cuh"

#include <algorithm>
#include <vector>

static bool forget_fixed(throng_backend *b, int what, throng_error *error)
{
    if (!b->fixed[what])
        return true;
    if (!cuda_wait_for_plan(b, error))
        return false;
    CHECK(cudaStreamSynchronize(cuda_stream(b)));
    CHECK(cuda_free(b->fixed[what]));
    b->fixed[what] = NULL;
    return true;
}

/* The arrays of a table, which travel as one block. */
struct fixed_array {
    const void *host, **device; /* the host's pointer is replaced by the device's */
    size_t bytes, at;
};

struct fixed_arrays {
    std::vector<fixed_array> list;
    size_t bytes;
};

/* A copy of `count` elements, once all are sent. */
template <typename T> static void upload(fixed_arrays *all, const T *host, size_t count, const T **device)
{
    enum { ALIGN = 256 };
    all->list.push_back({host, (const void **)device, count * sizeof(T), all->bytes});
    all->bytes = (all->bytes + (count + 1) * sizeof(T) + ALIGN - 1) / ALIGN * ALIGN;
}

/* In place of what the world had of that kind. Without room aside it is there when this returns, whatever is noted, as
 * nobody knows the block yet: the stream does not wait for others, and a copy that belongs to none may come after what
 * is launched next. */
static bool send(throng_backend *b, int what, const fixed_arrays *all, throng_error *error)
{
    void *block;
    std::vector<char> bytes(all->bytes);
    if (!forget_fixed(b, what, error))
        return false;
    CHECK(cuda_malloc(&block, all->bytes));
    b->fixed[what] = block;
    for (const fixed_array &a : all->list) {
        if (a.bytes)
            memcpy(bytes.data() + a.at, a.host, a.bytes);
        *a.device = (const char *)block + a.at;
    }
    if (cuda_send_aside(b, block, bytes.data(), all->bytes)) {
        CHECK(cudaGetLastError());
        return true;
    }
    CHECK(cudaMemcpyAsync(block, bytes.data(), all->bytes, cudaMemcpyHostToDevice, b->queue.stream));
    CHECK(cudaStreamSynchronize(b->queue.stream));
    return true;
}

/* All arrays of the table *t, in place of those of `d`. */
#define UPLOAD(type, name, count, ...) upload(&all, t->name, (size_t)(count), &d.name);

static void upload_grid(fixed_arrays *all, const throng_wall_grid *grid, throng_wall_grid *d)
{
    size_t lists = throng_wall_grid_lists(grid);
    *d = *grid;
    upload(all, grid->start, lists + 1, &d->start);
    upload(all, grid->list, (size_t)grid->start[lists], &d->list);
}

template <typename T>
static bool copy_tail(throng_backend *b, const T *device, const T *host, int32_t first, int32_t count,
                      throng_error *error)
{
    CHECK(cudaMemcpyAsync((void *)(device + first), host + first, (size_t)count * sizeof *host, cudaMemcpyHostToDevice,
                          cuda_stream(b)));
    return true;
}

/* Into memory that is kept from frame to frame. */
static bool copy_list(throng_backend *b, const int32_t *host, size_t count, int32_t **device, size_t *room,
                      throng_error *error)
{
    if (count > *room) {
        CHECK(cudaStreamSynchronize(cuda_stream(b)));
        if (!cuda_replace(b, device, *room, 2 * count, error))
            return false;
        *room = 2 * count;
    }
    CHECK(cudaMemcpyAsync(*device, host, count * sizeof *host, cudaMemcpyHostToDevice, cuda_stream(b)));
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
    bool had = b->c.walls.count > 0;
    b->c.walls = {};
    if (!t->count)
        return forget_fixed(b, FIXED_WALLS, error);
    fixed_arrays all = {};
    throng_walls d = *t;
    d.moving = d.boxes = {};
    upload_grid(&all, &t->still, &d.still);
    THRONG_WALLS_ARRAYS(UPLOAD)
    if (!send(b, FIXED_WALLS, &all, error))
        return false;
    b->c.walls = d;
    if (t->sides && !cuda_set_sides(b, t, error))
        return false;
    return had || !b->capacity || cuda_grow_wall_scratch(b, 0, b->capacity, error);
}

bool cuda_set_navigation(throng_backend *b, const throng_navigation *t, throng_error *error)
{
    fixed_arrays all = {};
    throng_navigation d = *t;
    THRONG_NAVIGATION_ARRAYS(UPLOAD)
    if (!send(b, FIXED_NAVIGATION, &all, error))
        return false;
    b->c.navigation = d;
    return true;
}

bool cuda_set_goals(throng_backend *b, const throng_goals *given, throng_error *error)
{
    fixed_arrays all = {};
    throng_goals goals = *given;
    {
        const throng_goals *t = given;
        throng_goals &d = goals;
        THRONG_GOALS_ARRAYS(UPLOAD)
    }
    {
        const throng_fields *t = &given->fields;
        throng_fields &d = goals.fields;
        THRONG_FIELDS_ARRAYS(UPLOAD)
    }
    if (!send(b, FIXED_GOALS, &all, error))
        return false;
    b->c.goals = goals;
    cuda_end_fields(b); /* those of the goals are solved by now */
    return true;
}

bool cuda_set_waypoints(throng_backend *b, const throng_waypoints *t, throng_error *error)
{
    fixed_arrays all = {};
    throng_waypoints d = *t;
    THRONG_WAYPOINTS_ARRAYS(UPLOAD)
    if (!send(b, FIXED_WAYPOINTS, &all, error))
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
    fixed_arrays all = {};
    upload(&all, planners, (size_t)count, &b->c.planners);
    return send(b, FIXED_PLANNERS, &all, error);
}

bool cuda_set_sheets(throng_backend *b, const throng_sheets *t, throng_error *error)
{
    fixed_arrays all = {};
    throng_sheets d = *t;
    b->c.sheets.count = 0;
    THRONG_SHEETS_ARRAYS(UPLOAD)
    if (!send(b, FIXED_SHEETS, &all, error))
        return false;
    b->c.sheets = d;
    return true;
}

bool cuda_set_influences(throng_backend *b, const throng_influences *t, throng_error *error)
{
    fixed_arrays all = {};
    throng_influences d = *t;
    b->c.influences.groups = b->c.influences.hazards = 0;
    THRONG_INFLUENCES_ARRAYS(UPLOAD)
    if (!send(b, FIXED_INFLUENCES, &all, error))
        return false;
    b->c.influences = d;
    return true;
}

bool cuda_set_places(throng_backend *b, const throng_places *t, throng_error *error)
{
    fixed_arrays all = {};
    throng_places d = *t;
    b->c.places.count = 0;
    THRONG_PLACES_ARRAYS(UPLOAD)
    if (!send(b, FIXED_PLACES, &all, error))
        return false;
    b->c.places = d;
    return true;
}

bool cuda_set_air(throng_backend *b, const throng_air *t, throng_error *error)
{
    fixed_arrays all = {};
    throng_air d = *t;
    b->c.air.layers = 0;
    THRONG_AIR_ARRAYS(UPLOAD)
    if (!send(b, FIXED_AIR, &all, error))
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

bool cuda_set_fsm(throng_backend *b, const throng_fsm *t, throng_error *error)
{
    fixed_arrays all = {};
    throng_fsm d = *t;
    b->f.states = 0;
    THRONG_FSM_ARRAYS(UPLOAD)
    if (!send(b, FIXED_FSM, &all, error))
        return false;
    b->f = d;
    return true;
}

bool cuda_set_programs(throng_backend *b, const throng_programs *t, throng_error *error)
{
    if (!cuda_wait_for_plan(b, error))
        return false;
    CHECK(cudaStreamSynchronize(cuda_stream(b)));
    for (int32_t i = 0; i < t->targets; i++)
        if (!fetch_computed(b, &t->target[i], error))
            return false;
    b->p.targets = b->p.parameters = 0;
    b->c.steered = NULL;
    memset(b->c.computed, 0, sizeof b->c.computed);
    fixed_arrays all = {};
    throng_programs d = *t;
    THRONG_PROGRAMS_ARRAYS(UPLOAD)
    for (int32_t i = 0; i < t->targets; i++) {
        upload(&all, t->target[i].bound, (size_t)b->capacity, &d.target[i].bound);
        if (t->target[i].values)
            upload(&all, t->target[i].values, (size_t)b->capacity, (const float **)&d.target[i].values);
    }
    if (!send(b, FIXED_PROGRAMS, &all, error))
        return false;
    for (int32_t i = 0; i < t->targets; i++) {
        int first = t->target[i].column[0];
        if (d.target[i].values)
            b->c.computed[first - THRONG_COLUMN_COUNT] = d.target[i].values;
        if (first == THRONG_COLUMN_desired_vx)
            b->c.steered = d.target[i].bound;
    }
    for (int32_t i = 0; i < t->targets; i++)
        if (t->target[i].values)
            std::fill_n(t->target[i].values, b->capacity, 0.0f);
    b->computed = b->capacity;
    b->p = d;
    return true;
}

void cuda_free_fixed(throng_backend *b)
{
    for (void *fixed : b->fixed)
        cuda_free(fixed);
}
