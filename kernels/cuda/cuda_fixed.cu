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
        CHECK(cudaFree(b->fixed[what * FIXED_EACH + i]));
    b->fixed_count[what] = 0;
    return true;
}

/* A copy of `count` elements on the device, in place of the host's pointer. */
template <typename T>
static bool upload(throng_backend *b, int what, const T *host, size_t count, const T **device, throng_error *error)
{
    void *block;
    if (b->fixed_count[what] == FIXED_EACH)
        return throng_fail(error, "cuda: more fixed arrays than %d of a kind", (int)FIXED_EACH);
    CHECK(cudaMalloc(&block, (count + 1) * sizeof(T)));
    b->fixed[what * FIXED_EACH + b->fixed_count[what]++] = block;
    if (count)
        CHECK(cudaMemcpy(block, host, count * sizeof(T), cudaMemcpyHostToDevice));
    *device = (const T *)block;
    return true;
}

static bool upload_grid(throng_backend *b, const throng_wall_grid *grid, crowd_wall_grid *d, throng_error *error)
{
    size_t cells = (size_t)grid->columns * (size_t)grid->rows;
    memcpy(d, grid, sizeof *d);
    return upload(b, FIXED_WALLS, grid->start, cells + 1, &d->start, error) &&
           upload(b, FIXED_WALLS, grid->list, (size_t)grid->start[cells], &d->list, error);
}

/* What of bodies stays as they move. */
static bool upload_bodies(throng_backend *b, const throng_walls *w, crowd_walls *d, throng_error *error)
{
    size_t n = (size_t)w->sides;
    d->sides = w->sides;
    return upload(b, FIXED_WALLS, w->vx, n, &d->vx, error) && upload(b, FIXED_WALLS, w->vy, n, &d->vy, error) &&
           upload(b, FIXED_WALLS, w->mass, n, &d->mass, error) &&
           upload(b, FIXED_WALLS, w->depth, n, &d->depth, error) &&
           upload(b, FIXED_WALLS, w->reach, n, &d->reach, error) &&
           upload(b, FIXED_WALLS, w->middle_x, n, &d->middle_x, error) &&
           upload(b, FIXED_WALLS, w->middle_y, n, &d->middle_y, error) &&
           upload(b, FIXED_WALLS, w->corners, n, &d->corners, error);
}

static bool copy_tail(throng_backend *b, const float *device, const float *host, int32_t first, int32_t count,
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

static bool copy_moving_grid(throng_backend *b, const throng_wall_grid *grid, cuda_grid *lists, crowd_wall_grid *d,
                             throng_error *error)
{
    size_t cells = (size_t)grid->columns * (size_t)grid->rows;
    if (!copy_list(b, grid->start, cells + 1, &lists->start, &lists->start_room, error) ||
        !copy_list(b, grid->list, (size_t)grid->start[cells], &lists->list, &lists->list_room, error))
        return false;
    memcpy(d, grid, sizeof *d);
    d->start = lists->start;
    d->list = lists->list;
    return true;
}

bool cuda_set_sides(throng_backend *b, const throng_walls *w, throng_error *error)
{
    crowd_walls *d = &b->c.walls;
    int32_t first = w->count - w->sides, n = w->sides;
    if (!cuda_wait_for_plan(b, error))
        return false;
    d->body_step = w->body_step;
    return copy_moving_grid(b, &w->moving, &b->side_grid, &d->moving, error) &&
           copy_moving_grid(b, &w->boxes, &b->box_grid, &d->boxes, error) &&
           copy_tail(b, d->ax, w->ax, first, n, error) && copy_tail(b, d->ay, w->ay, first, n, error) &&
           copy_tail(b, d->bx, w->bx, first, n, error) && copy_tail(b, d->by, w->by, first, n, error) &&
           copy_tail(b, d->dx, w->dx, first, n, error) && copy_tail(b, d->dy, w->dy, first, n, error) &&
           copy_tail(b, d->vx, w->vx, 0, n, error) && copy_tail(b, d->vy, w->vy, 0, n, error) &&
           copy_tail(b, d->middle_x, w->middle_x, 0, n, error) && copy_tail(b, d->middle_y, w->middle_y, 0, n, error);
}

bool cuda_set_walls(throng_backend *b, const throng_walls *w, throng_error *error)
{
    if (!forget_fixed(b, FIXED_WALLS, error))
        return false;
    crowd_walls d = {};
    size_t n = (size_t)w->count;
    bool had = b->c.walls.count > 0;
    b->c.walls = d;
    if (!n)
        return true;
    if (!upload(b, FIXED_WALLS, w->ax, n, &d.ax, error) || !upload(b, FIXED_WALLS, w->ay, n, &d.ay, error) ||
        !upload(b, FIXED_WALLS, w->bx, n, &d.bx, error) || !upload(b, FIXED_WALLS, w->by, n, &d.by, error) ||
        !upload(b, FIXED_WALLS, w->dx, n, &d.dx, error) || !upload(b, FIXED_WALLS, w->dy, n, &d.dy, error) ||
        !upload(b, FIXED_WALLS, w->next, n, &d.next, error) ||
        !upload(b, FIXED_WALLS, w->previous, n, &d.previous, error) ||
        !upload(b, FIXED_WALLS, w->convex, n, &d.convex, error) || !upload_grid(b, &w->still, &d.still, error) ||
        !upload_bodies(b, w, &d, error))
        return false;
    d.count = w->count;
    b->c.walls = d;
    if (w->sides && !cuda_set_sides(b, w, error))
        return false;
    return had || !b->capacity || cuda_grow_wall_scratch(b, 0, b->capacity, error);
}

static bool upload_sides(throng_backend *b, const throng_navigation *w, crowd_navigation *d, throng_error *error)
{
    size_t n = (size_t)w->sides;
    return upload(b, FIXED_NAVIGATION, w->side_base, (size_t)w->trees, &d->side_base, error) &&
           upload(b, FIXED_NAVIGATION, w->side_start, (size_t)w->side_entries, &d->side_start, error) &&
           upload(b, FIXED_NAVIGATION, w->side_ax, n, &d->side_ax, error) &&
           upload(b, FIXED_NAVIGATION, w->side_ay, n, &d->side_ay, error) &&
           upload(b, FIXED_NAVIGATION, w->side_bx, n, &d->side_bx, error) &&
           upload(b, FIXED_NAVIGATION, w->side_by, n, &d->side_by, error);
}

static bool upload_windows(throng_backend *b, const throng_navigation *w, crowd_navigation *d, throng_error *error)
{
    size_t n = (size_t)w->windows, r = (size_t)w->roots;
    return upload(b, FIXED_NAVIGATION, w->window_start, (size_t)w->side_entries, &d->window_start, error) &&
           upload(b, FIXED_NAVIGATION, w->window_edge, n, &d->window_edge, error) &&
           upload(b, FIXED_NAVIGATION, w->window_root, n, &d->window_root, error) &&
           upload(b, FIXED_NAVIGATION, w->window_next, n, &d->window_next, error) &&
           upload(b, FIXED_NAVIGATION, w->right_x, n, &d->right_x, error) &&
           upload(b, FIXED_NAVIGATION, w->right_y, n, &d->right_y, error) &&
           upload(b, FIXED_NAVIGATION, w->left_x, n, &d->left_x, error) &&
           upload(b, FIXED_NAVIGATION, w->left_y, n, &d->left_y, error) &&
           upload(b, FIXED_NAVIGATION, w->root_ax, r, &d->root_ax, error) &&
           upload(b, FIXED_NAVIGATION, w->root_ay, r, &d->root_ay, error) &&
           upload(b, FIXED_NAVIGATION, w->root_bx, r, &d->root_bx, error) &&
           upload(b, FIXED_NAVIGATION, w->root_by, r, &d->root_by, error) &&
           upload(b, FIXED_NAVIGATION, w->root_on_x, r, &d->root_on_x, error) &&
           upload(b, FIXED_NAVIGATION, w->root_on_y, r, &d->root_on_y, error) &&
           upload(b, FIXED_NAVIGATION, w->root_rest, r, &d->root_rest, error);
}

static bool upload_face_grids(throng_backend *b, const throng_navigation *w, crowd_navigation *d, throng_error *error)
{
    size_t m = (size_t)w->meshes;
    return upload(b, FIXED_NAVIGATION, w->tree_mesh, (size_t)w->trees, &d->tree_mesh, error) &&
           upload(b, FIXED_NAVIGATION, w->mesh_x, m, &d->mesh_x, error) &&
           upload(b, FIXED_NAVIGATION, w->mesh_y, m, &d->mesh_y, error) &&
           upload(b, FIXED_NAVIGATION, w->mesh_cell, m, &d->mesh_cell, error) &&
           upload(b, FIXED_NAVIGATION, w->mesh_columns, m, &d->mesh_columns, error) &&
           upload(b, FIXED_NAVIGATION, w->mesh_rows, m, &d->mesh_rows, error) &&
           upload(b, FIXED_NAVIGATION, w->mesh_cells, m, &d->mesh_cells, error) &&
           upload(b, FIXED_NAVIGATION, w->face_cell, (size_t)w->cells + 1, &d->face_cell, error) &&
           upload(b, FIXED_NAVIGATION, w->face_list, (size_t)w->listed, &d->face_list, error);
}

static bool upload_congestion(throng_backend *b, const throng_navigation *w, crowd_navigation *d, throng_error *error)
{
    size_t e = (size_t)w->edges;
    return upload(b, FIXED_NAVIGATION, w->tree_congestion, (size_t)w->trees, &d->tree_congestion, error) &&
           upload(b, FIXED_NAVIGATION, w->delay, e, &d->delay, error) &&
           upload(b, FIXED_NAVIGATION, w->congestion_square, e, &d->congestion_square, error);
}

static bool upload_roadmaps(throng_backend *b, const throng_navigation *w, crowd_navigation *d, throng_error *error)
{
    size_t n = (size_t)w->nodes, t = (size_t)w->trees;
    return upload(b, FIXED_NAVIGATION, w->node_x, n, &d->node_x, error) &&
           upload(b, FIXED_NAVIGATION, w->node_y, n, &d->node_y, error) &&
           upload(b, FIXED_NAVIGATION, w->node_start, (size_t)w->faces + 1, &d->node_start, error) &&
           upload(b, FIXED_NAVIGATION, w->node_list, (size_t)w->node_entries, &d->node_list, error) &&
           upload(b, FIXED_NAVIGATION, w->road_side, t, &d->road_side, error) &&
           upload(b, FIXED_NAVIGATION, w->road_side_end, t, &d->road_side_end, error) &&
           upload(b, FIXED_NAVIGATION, w->road_base, t, &d->road_base, error) &&
           upload(b, FIXED_NAVIGATION, w->road_heeds, t, &d->road_heeds, error) &&
           upload(b, FIXED_NAVIGATION, w->road_cost, (size_t)w->road_entries, &d->road_cost, error);
}

bool cuda_set_navigation(throng_backend *b, const throng_navigation *w, throng_error *error)
{
    if (!forget_fixed(b, FIXED_NAVIGATION, error))
        return false;
    crowd_navigation d = {};
    size_t e = (size_t)w->edges, n = (size_t)w->tree_entries, t = (size_t)w->trees;
    if (!upload(b, FIXED_NAVIGATION, w->face_start, (size_t)w->faces + 1, &d.face_start, error) ||
        !upload(b, FIXED_NAVIGATION, w->ax, e, &d.ax, error) || !upload(b, FIXED_NAVIGATION, w->ay, e, &d.ay, error) ||
        !upload(b, FIXED_NAVIGATION, w->bx, e, &d.bx, error) || !upload(b, FIXED_NAVIGATION, w->by, e, &d.by, error) ||
        !upload(b, FIXED_NAVIGATION, w->twin, e, &d.twin, error) ||
        !upload(b, FIXED_NAVIGATION, w->face, e, &d.face, error) ||
        !upload(b, FIXED_NAVIGATION, w->shut, e, &d.shut, error) ||
        !upload(b, FIXED_NAVIGATION, w->tree_base, t, &d.tree_base, error) ||
        !upload(b, FIXED_NAVIGATION, w->next, n, &d.next, error) || !upload_windows(b, w, &d, error) ||
        !upload_sides(b, w, &d, error) || !upload_face_grids(b, w, &d, error) || !upload_roadmaps(b, w, &d, error) ||
        !upload_congestion(b, w, &d, error))
        return false;
    d.faces = w->faces;
    b->c.navigation = d;
    return true;
}

static bool upload_fields(throng_backend *b, const throng_fields *f, crowd_fields *d, throng_error *error)
{
    size_t n = (size_t)f->count, cells = (size_t)f->cells;
    return upload(b, FIXED_GOALS, f->x, n, &d->x, error) && upload(b, FIXED_GOALS, f->y, n, &d->y, error) &&
           upload(b, FIXED_GOALS, f->cell, n, &d->cell, error) &&
           upload(b, FIXED_GOALS, f->columns, n, &d->columns, error) &&
           upload(b, FIXED_GOALS, f->rows, n, &d->rows, error) && upload(b, FIXED_GOALS, f->base, n, &d->base, error) &&
           upload(b, FIXED_GOALS, f->direction_x, cells, &d->direction_x, error) &&
           upload(b, FIXED_GOALS, f->direction_y, cells, &d->direction_y, error) &&
           upload(b, FIXED_GOALS, f->aim, cells, &d->aim, error);
}

bool cuda_set_goals(throng_backend *b, const throng_goals *g, throng_error *error)
{
    if (!forget_fixed(b, FIXED_GOALS, error))
        return false;
    crowd_goals d = {};
    size_t e = (size_t)g->edge_count;
    if (!upload(b, FIXED_GOALS, (const crowd_goal *)g->goal, (size_t)g->count, &d.goal, error) ||
        !upload(b, FIXED_GOALS, g->ax, e, &d.ax, error) || !upload(b, FIXED_GOALS, g->ay, e, &d.ay, error) ||
        !upload(b, FIXED_GOALS, g->bx, e, &d.bx, error) || !upload(b, FIXED_GOALS, g->by, e, &d.by, error) ||
        !upload(b, FIXED_GOALS, g->last, e, &d.last, error) || !upload_fields(b, &g->fields, &d.fields, error))
        return false;
    d.count = g->count;
    b->c.goals = d;
    cuda_end_fields(b); /* those of the goals are solved by now */
    return true;
}

bool cuda_set_waypoints(throng_backend *b, const throng_waypoints *c, throng_error *error)
{
    if (!forget_fixed(b, FIXED_WAYPOINTS, error))
        return false;
    crowd_waypoints d = {};
    size_t n = (size_t)c->count;
    if (!upload(b, FIXED_WAYPOINTS, c->x, n, &d.x, error) || !upload(b, FIXED_WAYPOINTS, c->y, n, &d.y, error) ||
        !upload(b, FIXED_WAYPOINTS, c->turn, n, &d.turn, error))
        return false;
    d.count = c->count;
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
            b->bvp_sizes |= 1u << ((int)planners[i].value[THRONG_bvp_size] - 1);
    }
    return forget_fixed(b, FIXED_PLANNERS, error) &&
           upload(b, FIXED_PLANNERS, planners, (size_t)count, &b->c.planners, error);
}

bool cuda_set_influences(throng_backend *b, const throng_influences *given, throng_error *error)
{
    throng_influences d = *given;
    size_t weights = (size_t)given->groups * (size_t)given->groups;
    b->c.influences.groups = b->c.influences.hazards = 0;
    if (!forget_fixed(b, FIXED_INFLUENCES, error) ||
        !upload(b, FIXED_INFLUENCES, given->weight, weights, &d.weight, error) ||
        !upload(b, FIXED_INFLUENCES, given->hazard, (size_t)given->hazards, &d.hazard, error))
        return false;
    b->c.influences = d;
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

static bool set_target(throng_backend *b, const throng_program_target *g, program_target *t, throng_error *error)
{
    int column = g->column[0], second = g->column[1];
    const float *values = NULL;
    t->column = (uint32_t)column;
    t->parameter = g->values != NULL;
    if (!upload(b, FIXED_PROGRAMS, g->bound, (size_t)b->capacity, &t->bound, error) ||
        (g->values && !upload(b, FIXED_PROGRAMS, g->values, (size_t)b->capacity, &values, error)))
        return false;
    t->to[0] = g->values ? (float *)values : (float *)*cuda_column_of(&b->device, column);
    t->to[1] = second >= 0 ? (float *)*cuda_column_of(&b->device, second) : NULL;
    if (g->values)
        b->c.computed[column - THRONG_COLUMN_COUNT] = values;
    if (column == THRONG_COLUMN_desired_vx)
        b->c.steered = t->bound;
    return true;
}

bool cuda_set_fsm(throng_backend *b, const throng_fsm *given, throng_error *error)
{
    if (!forget_fixed(b, FIXED_FSM, error))
        return false;
    fsm f = b->f;
    b->f.states = 0;
    if (!upload(b, FIXED_FSM, (const fsm_state *)given->state, (size_t)given->states, &f.state, error) ||
        !upload(b, FIXED_FSM, (const fsm_option *)given->option, (size_t)given->options, &f.option, error) ||
        !upload(b, FIXED_FSM, (const fsm_condition *)given->condition, (size_t)given->conditions, &f.condition,
                error) ||
        !upload(b, FIXED_FSM, given->goal, (size_t)given->goals, &f.goal, error))
        return false;
    f.states = given->states;
    f.own = given->own;
    b->f = f;
    return true;
}

bool cuda_set_programs(throng_backend *b, const throng_programs *given, throng_error *error)
{
    if (!cuda_wait_for_plan(b, error))
        return false;
    CHECK(cudaStreamSynchronize(b->stream));
    for (int32_t t = 0; t < given->targets; t++)
        if (!fetch_computed(b, &given->target[t], error))
            return false;
    if (!forget_fixed(b, FIXED_PROGRAMS, error))
        return false;
    programs p = b->p;
    p.targets = p.parameters = 0;
    b->p = p;
    b->c.steered = NULL;
    memset(b->c.computed, 0, sizeof b->c.computed);
    if (!upload(b, FIXED_PROGRAMS, given->code, (size_t)given->code_count, &p.code, error) ||
        !upload(b, FIXED_PROGRAMS, given->list, (size_t)given->count, &p.list, error))
        return false;
    for (int32_t t = 0; t < given->targets; t++)
        if (!set_target(b, &given->target[t], &p.target[t], error))
            return false;
    for (int32_t t = 0; t < given->targets; t++)
        if (given->target[t].values)
            std::fill_n(given->target[t].values, b->capacity, 0.0f);
    b->computed = b->capacity;
    p.targets = given->targets;
    p.parameters = given->parameters;
    b->p = p;
    return true;
}

void cuda_free_fixed(throng_backend *b)
{
    for (int what = 0; what < FIXED_KINDS; what++)
        forget_fixed(b, what, NULL);
}
