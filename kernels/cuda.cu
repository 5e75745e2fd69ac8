/* The CUDA launcher: the stage table over grids of threads, one agent a thread.
 *
 * Columns and scratch live in device memory; the agent store's arrays on the
 * host are pinned, so that whole columns travel at the bus's speed. Everything
 * of a frame is queued on one stream and nothing waits for it but a transfer
 * that the runtime asks for.
 *
 * Sorting by cell is a counting sort: every agent draws its place in its cell
 * with an atomic, so the order within a cell differs from run to run. No result
 * depends on it: lists are ordered by (distance, slot), sums run in the order of
 * lists, and counters are integers or maxima. */
#include <cub/device/device_scan.cuh>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <new>

#include "cuda_bvp.cuh"
#include "cuda_move.cuh"
#include "cuda_ceilings.cuh"
#include "cuda_paths.cuh"
#include "desire.h"
#include "fsm.h"
#include "headway.h"
#include "plan.h"
#include "program.h"

#include "../runtime/backend.h"

static_assert((int)CROWD_WALLS_MAX == (int)THRONG_WALLS_MAX, "one limit");
static_assert((int)CROWD_NEIGHBOURS_MAX == (int)THRONG_NEIGHBOURS_MAX, "one limit");
static_assert(sizeof(crowd_goal) == sizeof(throng_goal), "one goal");
static_assert(sizeof(fsm_state) == sizeof(throng_fsm_state), "one state");
static_assert(sizeof(fsm_option) == sizeof(throng_fsm_option), "one option");
static_assert(sizeof(fsm_condition) == sizeof(throng_fsm_condition), "one condition");

/* The world's fixed parts, and the most arrays one of them has. */
enum {
    FIXED_WALLS,
    FIXED_WAYS,
    FIXED_GOALS,
    FIXED_CORNERS,
    FIXED_PLANNERS,
    FIXED_INFLUENCES,
    FIXED_PROGRAMS,
    FIXED_FSM,
    FIXED_KINDS,
    FIXED_EACH = 64
};

enum { BLOCK = 128, ITERATIONS_MAX = 1024 };

struct throng_backend {
    crowd c;
    contacts k;
    programs p;
    fsm f;
    throng_agent_columns host, device;
    int32_t pinned;                /* slots of the host's arrays that are pinned, 0: none */
    int32_t capacity, cells, rows; /* rows: of the neighbour lists */
    int32_t *key, *place, *arrival_list;
    throng_near *near_list; /* [near_room] */
    int32_t near_room;
    int32_t *side_start, *side_list; /* the grid over the sides of bodies */
    size_t side_start_room, side_list_room;
    float *beta;
    void *scan;
    size_t scan_bytes, bytes;
    void *fixed[FIXED_KINDS * FIXED_EACH]; /* freed when replaced */
    int fixed_count[FIXED_KINDS];
    int32_t most_samples; /* of sampled RVO */
    tally *counts;
    cudaStream_t stream;
    cuda_paths paths;
    int processors;
    int solver_blocks;
    char name[128];
};

#define CHECK(call)                                                                                                    \
    do {                                                                                                               \
        cudaError_t status_ = (call);                                                                                  \
        if (status_ != cudaSuccess)                                                                                    \
            return throng_fail(error, "cuda: %s (%s, line %d)", cudaGetErrorString(status_), __FILE__, __LINE__);      \
    } while (0)

/* --- kernels ------------------------------------------------------------------------------------- */

#define AGENT_OR_RETURN(count)                                                                                         \
    int32_t i = (int32_t)(blockIdx.x * blockDim.x + threadIdx.x);                                                      \
    if (i >= (count))                                                                                                  \
    return

__global__ void kernel_goals(const crowd c, tally *t, int32_t *arrivals)
{
    AGENT_OR_RETURN(c.slots);
    if (headway_look(&c, NULL, i, true))
        atomicAdd(&t->stuck, 1ull);
    if (goals_arrive(&c, i, true)) {
        arrivals[atomicAdd(&t->arrived, 1)] = i;
        atomicAdd(&t->arrivals, 1ull);
    }
}

__global__ void kernel_fsm(const crowd c, const fsm f, tally *t, int32_t *arrivals)
{
    AGENT_OR_RETURN(c.slots);
    int32_t event;
    bool last;
    if (headway_look(&c, &f, i, true))
        atomicAdd(&t->stuck, 1ull);
    if (fsm_events(&c, &f, i, true, &event, &last))
        arrivals[atomicAdd(&t->arrived, 1)] = i;
    if (last)
        atomicAdd(&t->arrivals, 1ull);
    if (event == FSM_NOTHING)
        return;
    if (event != FSM_RENEWS)
        atomicAdd(&t->transitions, 1ull);
    fsm_act(&c, &f, i, event, true);
}

__global__ void kernel_desire(const crowd c)
{
    AGENT_OR_RETURN(c.slots);
    desire_stage(&c, i, true);
}

__global__ void __launch_bounds__(BLOCK)
    kernel_programs(const crowd c, const programs p, int32_t from, int32_t to, tally *t)
{
    AGENT_OR_RETURN(c.slots);
    int undefined = program_stage(&c, &p, from, to, i, i + 1);
    if (undefined)
        atomicAdd(&t->undefined, (unsigned long long)undefined);
}

/* Cell of every living agent, and its place among those of the cell. */
__global__ void kernel_count(const crowd c, int32_t *key, int32_t *place, int32_t *cell_count)
{
    AGENT_OR_RETURN(c.slots);
    if (!c.state[i]) {
        key[i] = -1;
        return;
    }
    int32_t column = crowd_column(&c, c.x[i]) & (c.grid_width - 1);
    int32_t row = crowd_row(&c, c.y[i]) & (c.grid_height - 1);
    int32_t cell = row * c.grid_width + column;
    key[i] = cell;
    place[i] = atomicAdd(&cell_count[cell], 1);
}

__global__ void kernel_gather(const crowd c, const int32_t *key, const int32_t *place)
{
    AGENT_OR_RETURN(c.slots);
    if (key[i] < 0)
        return;
    int32_t at = c.cell_start[key[i]] + place[i];
    c.slot[at] = i;
    c.rank[i] = at;
    c.sx[at] = c.x[i];
    c.sy[at] = c.y[i];
    c.svx[at] = c.vx[i];
    c.svy[at] = c.vy[i];
    c.sr[at] = c.radius[i];
}

template <int K> __global__ void __launch_bounds__(BLOCK) kernel_neighbours(const crowd c)
{
    AGENT_OR_RETURN(c.agents);
    neighbours_sense(&c, K, i, true);
}

__global__ void __launch_bounds__(BLOCK) kernel_walls(const crowd c)
{
    AGENT_OR_RETURN(c.agents);
    walls_sense(&c, i, true);
}

/* Agent i's slot and preferred velocity, or it has another planner and the thread is done. */
#define PLAN_OR_RETURN(name)                                                                                           \
    AGENT_OR_RETURN(c.agents);                                                                                         \
    int32_t slot = c.slot[i];                                                                                          \
    if (crowd_planner_kind(&c, c.planner[slot]) != THRONG_PLANNER_##name)                                              \
        return;                                                                                                        \
    float dx, dy;                                                                                                      \
    plan_desired(&c, i, true, slot, &dx, &dy)

__global__ void __launch_bounds__(BLOCK) kernel_plan_none(const crowd c)
{
    PLAN_OR_RETURN(none);
    plan_none(&c, i, true, slot, dx, dy);
}

template <int K, bool WALLS> __global__ void __launch_bounds__(BLOCK) kernel_plan_orca(const crowd c)
{
    PLAN_OR_RETURN(orca);
    orca_problem p;
    orca_solve(&c, K, WALLS, i, true, dx, dy, &p);
    if (p.failed < p.count)
        orca_program3(&p.lines, p.walls, p.count, p.failed, p.max_speed, true, &p.vx, &p.vy);
    c.nx[i] = p.vx;
    c.ny[i] = p.vy;
}

template <int K, bool WALLS> __global__ void __launch_bounds__(BLOCK) kernel_plan_rvo(const crowd c)
{
    PLAN_OR_RETURN(rvo);
    rvo_best best;
    rvo_solve(&c, K, WALLS, i, true, dx, dy, &best);
    c.nx[i] = best.vx;
    c.ny[i] = best.vy;
}

/* Up to so many samples in a step a block takes an agent (nested mode), beyond that a thread. */
#ifndef NESTED_MOST
#define NESTED_MOST (1 << 23)
#endif
enum { NESTED_BLOCK = 128 };

/* A block an agent, a thread a few of its samples. */
__global__ void __launch_bounds__(NESTED_BLOCK) kernel_plan_rvo_nested(const crowd c)
{
    __shared__ rvo_scene scene;
    __shared__ rvo_best best[NESTED_BLOCK];
    __shared__ int32_t index[NESTED_BLOCK];
    int32_t i = (int32_t)blockIdx.x, thread = (int32_t)threadIdx.x, slot = c.slot[i];
    if (crowd_planner_kind(&c, c.planner[slot]) != THRONG_PLANNER_rvo)
        return;
    rvo_self me = rvo_look_at_self(&c, i);
    int32_t discs = c.k ? c.seen_count[i] : 0, flats = c.walls.count ? c.wall_count[i] : 0;
    if (thread == 0) {
        scene.discs = discs;
        scene.flats = flats;
    }
    if (thread < discs)
        scene.disc[thread] = rvo_neighbour(&c, &me, thread, true);
    else if (thread - CROWD_NEIGHBOURS_MAX >= 0 && thread - CROWD_NEIGHBOURS_MAX < flats) {
        int32_t s = thread - CROWD_NEIGHBOURS_MAX;
        scene.flat[s] = rvo_wall(&c, &me, s, true, &scene.end[2 * s], &scene.end[2 * s + 1]);
    }
    float wx, wy;
    plan_desired(&c, i, true, slot, &wx, &wy);
    __syncthreads();
    rvo_best mine = {INFINITY, 0, 0};
    int32_t at = INT32_MAX;
    for (int32_t n = thread; n <= me.samples; n += NESTED_BLOCK) {
        float before = mine.cost;
        rvo_try_numbered(&c, &me, &scene, wx, wy, n, &mine);
        at = mine.cost < before ? n : at;
    }
    best[thread] = mine;
    index[thread] = at;
    __syncthreads();
    for (int32_t half = NESTED_BLOCK / 2; half; half /= 2) {
        if (thread < half) {
            float theirs = best[thread + half].cost;
            if (theirs < best[thread].cost || (theirs == best[thread].cost && index[thread + half] < index[thread])) {
                best[thread] = best[thread + half];
                index[thread] = index[thread + half];
            }
        }
        __syncthreads();
    }
    if (thread == 0) {
        c.nx[i] = best[0].vx;
        c.ny[i] = best[0].vy;
    }
}

template <int K, bool WALLS>
__global__ void __launch_bounds__(BLOCK) kernel_plan_clearpath(const crowd c, int32_t *again, int *count)
{
    PLAN_OR_RETURN(clearpath);
    clearpath_task t = clearpath_first_task(&c, i, true, dx, dy);
    if (clearpath_solve(&c, K, WALLS, true, &t)) {
        again[atomicAdd(count, 1)] = i;
        return;
    }
    c.nx[i] = t.vx;
    c.ny[i] = t.vy;
}

/* Threads for each agent whose first attempt failed: one an attempt. At 1/m^2 those are three in a hundred, and they
 * need up to ten more, one as often as the other: in the threads of the first they kept nearly all warps waiting, which
 * took 3.4 attempts on average where an agent takes 1.2. */
enum { ATTEMPTS = 16 };

/* The attempt after `attempts` more that fail; is there one? */
static __device__ bool ease(clearpath_task *t, bool sided, int attempts)
{
    bool possible = true;
    for (int n = 0; n < attempts && possible; n++)
        possible = clearpath_ease(t, sided, true);
    return possible;
}

/* The agents of the list; of those attempts that succeed the first counts. The last possible one always does. */
template <int K, bool WALLS>
__global__ void __launch_bounds__(BLOCK)
    kernel_plan_clearpath_again(const crowd c, const int32_t *again, const int *count)
{
    int32_t thread = (int32_t)(blockIdx.x * blockDim.x + threadIdx.x), step = (int32_t)(gridDim.x * blockDim.x);
    int mine = (int)threadIdx.x % ATTEMPTS, first = (int)threadIdx.x % 32 - mine;
    unsigned group = ((1u << ATTEMPTS) - 1) << first;
    for (int32_t n = thread / ATTEMPTS; n < *count; n += step / ATTEMPTS) {
        int32_t i = again[n], slot = c.slot[i];
        float dx, dy;
        plan_desired(&c, i, true, slot, &dx, &dy);
        clearpath_task t = clearpath_first_task(&c, i, true, dx, dy);
        bool sided = clearpath_sided(&c, slot), possible = ease(&t, sided, 1 + mine);
        unsigned succeeds;
        while (!(succeeds = __ballot_sync(group, possible && !clearpath_solve(&c, K, WALLS, true, &t))))
            possible = possible && ease(&t, sided, ATTEMPTS - 1); /* the solver has eased it once */
        if (first + mine == __ffs((int)succeeds) - 1) {
            c.nx[i] = t.vx;
            c.ny[i] = t.vy;
        }
    }
}

__global__ void __launch_bounds__(BLOCK) kernel_plan_forces(const crowd c)
{
    PLAN_OR_RETURN(forces);
    plan_forces(&c, i, true, slot, dx, dy);
}

/* --- memory ------------------------------------------------------------------------------------------------ */

template <typename T> static bool allocate(throng_backend *b, T **block, size_t count, throng_error *error)
{
    void *fresh;
    cudaError_t status = cudaMalloc(&fresh, count * sizeof(T));
    if (status != cudaSuccess)
        return throng_fail(error, "the device has no %.1f MiB left (%s); use fewer agents or --backend cpu",
                           (double)(count * sizeof(T)) / (1 << 20), cudaGetErrorString(status));
    *block = (T *)fresh;
    b->bytes += count * sizeof(T);
    return true;
}

/* Replaces a scratch block by one of `count` elements; what it held is gone. */
template <typename T>
static bool replace(throng_backend *b, T **block, size_t old_count, size_t count, throng_error *error)
{
    CHECK(cudaFree(*block));
    b->bytes -= *block ? old_count * sizeof(T) : 0;
    *block = NULL;
    return allocate(b, block, count, error);
}

static void **column_of(throng_agent_columns *columns, int column)
{
    static const size_t offsets[] = {
#define X(name, type, initial, unit, text) offsetof(throng_agent_columns, name),
        THRONG_COLUMNS(X)
#undef X
    };
    return (void **)((char *)columns + offsets[column]);
}

/* Those that the store has, with room for `capacity` agents each. */
static bool grow_columns(throng_backend *b, int32_t capacity, int32_t slots, throng_error *error)
{
    for (int column = 0; column < THRONG_COLUMN_COUNT; column++) {
        void **at = column_of(&b->device, column);
        int32_t *fresh;
        if (!*column_of(&b->host, column) || (*at && capacity == b->capacity))
            continue;
        if (!allocate(b, &fresh, (size_t)capacity, error))
            return false;
        if (*at && slots)
            CHECK(cudaMemcpyAsync(fresh, *at, (size_t)slots * 4, cudaMemcpyDeviceToDevice, b->stream));
        CHECK(cudaStreamSynchronize(b->stream));
        CHECK(cudaFree(*at));
        b->bytes -= *at ? (size_t)b->capacity * 4 : 0;
        *at = fresh;
    }
    return true;
}

static bool grow_scratch(throng_backend *b, int32_t capacity, throng_error *error)
{
    crowd *c = &b->c;
    contacts *k = &b->k;
    size_t from = (size_t)b->capacity, to = (size_t)capacity;
    return replace(b, &c->reach, from, to, error) && replace(b, &c->slot, from, to, error) &&
           replace(b, &c->rank, from, to, error) && replace(b, &c->sx, from, to, error) &&
           replace(b, &c->sy, from, to, error) && replace(b, &c->svx, from, to, error) &&
           replace(b, &c->svy, from, to, error) && replace(b, &c->sr, from, to, error) &&
           replace(b, &c->seen_count, from, to, error) && replace(b, &c->seen_reach, from, to, error) &&
           replace(b, &c->nx, from, to, error) && replace(b, &c->ny, from, to, error) &&
           replace(b, &k->body, from * 4, to * 4, error) && replace(b, &k->a, from * 4, to * 4, error) &&
           replace(b, &k->b, from * 4, to * 4, error) && replace(b, &k->status, from, to, error) &&
           replace(b, &k->turn, from, to, error) && replace(b, &k->kept_step, from, to, error) &&
           replace(b, &k->partner, from * CONTACTS_MAX, to * CONTACTS_MAX, error) &&
           replace(b, &k->lambda, from * CONTACTS_MAX, to * CONTACTS_MAX, error) &&
           replace(b, &k->ahead, from * CONTACTS_MAX, to * CONTACTS_MAX, error) &&
           replace(b, &b->arrival_list, from, to, error);
}

/* Scratch that is never in use together. */
static void share_scratch(throng_backend *b)
{
    b->key = (int32_t *)b->k.b; /* the sort is done with them when the solver begins */
    b->place = b->key + b->capacity;
    contacts_share(&b->c, &b->k);
}

/* Only needed where there are walls. */
static bool grow_wall_scratch(throng_backend *b, int32_t from, int32_t to, throng_error *error)
{
    size_t f = (size_t)from, t = (size_t)to;
    return replace(b, &b->c.wall, f * CROWD_WALLS_MAX, t * CROWD_WALLS_MAX, error) &&
           replace(b, &b->c.wall_count, f, t, error) && replace(b, &b->c.near_body, f, t, error) &&
           replace(b, &b->k.wall, f * CONTACT_WALLS_MAX, t * CONTACT_WALLS_MAX, error) &&
           replace(b, &b->k.wall_lambda, f * CONTACT_WALLS_MAX, t * CONTACT_WALLS_MAX, error) &&
           replace(b, &b->k.wall_ahead, f * CONTACT_WALLS_MAX, t * CONTACT_WALLS_MAX, error);
}

/* Pins the store's arrays, and lets go of those it had before. Not being able to costs speed, nothing else. */
static void pin(throng_backend *b, const throng_agent_columns *host, int32_t capacity)
{
    throng_agent_columns fresh = *host;
    for (int column = 0; column < THRONG_COLUMN_COUNT; column++) {
        void *before = *column_of(&b->host, column), *after = *column_of(&fresh, column);
        if (before == after && capacity == b->pinned)
            continue;
        if (before)
            cudaHostUnregister(before);
        if (after)
            cudaHostRegister(after, (size_t)capacity * 4, cudaHostRegisterDefault);
    }
    b->host = fresh;
    b->pinned = capacity;
    cudaGetLastError();
}

static void take_columns(throng_backend *b)
{
    crowd *c = &b->c;
    fsm *f = &b->f;
    const throng_agent_columns *d = &b->device;
#define TAKE(name) c->name = d->name;
    CROWD_COLUMNS(TAKE)
#undef TAKE
    f->now = d->fsm_state;
    f->before = d->fsm_before;
    f->since = d->fsm_since;
    f->until = d->fsm_until;
    f->asked = d->fsm_asked;
    f->leg = d->fsm_leg;
    f->home_x = d->home_x;
    f->home_y = d->home_y;
    memcpy(f->column, d, sizeof *d);
    memcpy(b->p.column, d, sizeof *d);
}

__global__ void kernel_fill(float *values, float value, int32_t count)
{
    AGENT_OR_RETURN(count);
    values[i] = value;
}

static int blocks(int32_t count) { return (count + BLOCK - 1) / BLOCK; }

static bool cuda_reserve(throng_backend *b, int32_t capacity, int32_t slots, const throng_agent_columns *host,
                         throng_error *error)
{
    pin(b, host, capacity);
    if (!grow_columns(b, capacity, slots, error))
        return false;
    if (capacity > b->capacity) {
        if (!grow_scratch(b, capacity, error) ||
            (b->c.walls.count && !grow_wall_scratch(b, b->capacity, capacity, error)))
            return false;
        if (b->rows &&
            !replace(b, &b->c.seen, (size_t)b->rows * (size_t)b->capacity, (size_t)b->rows * (size_t)capacity, error))
            return false;
        b->capacity = b->c.stride = capacity;
        share_scratch(b);
        kernel_fill<<<blocks(capacity), BLOCK, 0, b->stream>>>(b->c.reach, 1e9f, capacity);
        CHECK(cudaMemsetAsync(b->k.kept_step, 0, (size_t)capacity * 4, b->stream));
        CHECK(cudaGetLastError());
    }
    take_columns(b);
    return true;
}

static bool cuda_put(throng_backend *b, int column, int32_t slots, throng_error *error)
{
    CHECK(cudaMemcpyAsync(*column_of(&b->device, column), *column_of(&b->host, column), (size_t)slots * 4,
                          cudaMemcpyHostToDevice, b->stream));
    CHECK(cudaStreamSynchronize(b->stream));
    return true;
}

static bool cuda_get(throng_backend *b, int column, int32_t slots, throng_error *error)
{
    CHECK(cudaMemcpyAsync(*column_of(&b->host, column), *column_of(&b->device, column), (size_t)slots * 4,
                          cudaMemcpyDeviceToHost, b->stream));
    CHECK(cudaStreamSynchronize(b->stream));
    return true;
}

/* --- the world's fixed parts --------------------------------------------------------------------------------- */

static bool forget_fixed(throng_backend *b, int what, throng_error *error)
{
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
           upload(b, FIXED_WALLS, w->middle_x, n, &d->middle_x, error) &&
           upload(b, FIXED_WALLS, w->middle_y, n, &d->middle_y, error) &&
           upload(b, FIXED_WALLS, w->body, n, &d->body, error);
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
        if (!replace(b, device, *room, 2 * count, error))
            return false;
        *room = 2 * count;
    }
    CHECK(cudaMemcpyAsync(*device, host, count * sizeof *host, cudaMemcpyHostToDevice, b->stream));
    return true;
}

static bool copy_moving_grid(throng_backend *b, const throng_wall_grid *grid, crowd_wall_grid *d, throng_error *error)
{
    size_t cells = (size_t)grid->columns * (size_t)grid->rows;
    if (!copy_list(b, grid->start, cells + 1, &b->side_start, &b->side_start_room, error) ||
        !copy_list(b, grid->list, (size_t)grid->start[cells], &b->side_list, &b->side_list_room, error))
        return false;
    memcpy(d, grid, sizeof *d);
    d->start = b->side_start;
    d->list = b->side_list;
    return true;
}

static bool cuda_set_sides(throng_backend *b, const throng_walls *w, throng_error *error)
{
    crowd_walls *d = &b->c.walls;
    int32_t first = w->count - w->sides, n = w->sides;
    d->body_step = w->body_step;
    return copy_moving_grid(b, &w->moving, &d->moving, error) && copy_tail(b, d->ax, w->ax, first, n, error) &&
           copy_tail(b, d->ay, w->ay, first, n, error) && copy_tail(b, d->bx, w->bx, first, n, error) &&
           copy_tail(b, d->by, w->by, first, n, error) && copy_tail(b, d->dx, w->dx, first, n, error) &&
           copy_tail(b, d->dy, w->dy, first, n, error) && copy_tail(b, d->vx, w->vx, 0, n, error) &&
           copy_tail(b, d->vy, w->vy, 0, n, error) && copy_tail(b, d->middle_x, w->middle_x, 0, n, error) &&
           copy_tail(b, d->middle_y, w->middle_y, 0, n, error);
}

static bool cuda_set_walls(throng_backend *b, const throng_walls *w, throng_error *error)
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
    return had || !b->capacity || grow_wall_scratch(b, 0, b->capacity, error);
}

static bool upload_sides(throng_backend *b, const throng_ways *w, crowd_ways *d, throng_error *error)
{
    size_t n = (size_t)w->sides;
    return upload(b, FIXED_WAYS, w->side_base, (size_t)w->trees, &d->side_base, error) &&
           upload(b, FIXED_WAYS, w->side_start, (size_t)w->side_entries, &d->side_start, error) &&
           upload(b, FIXED_WAYS, w->side_ax, n, &d->side_ax, error) &&
           upload(b, FIXED_WAYS, w->side_ay, n, &d->side_ay, error) &&
           upload(b, FIXED_WAYS, w->side_bx, n, &d->side_bx, error) &&
           upload(b, FIXED_WAYS, w->side_by, n, &d->side_by, error);
}

static bool upload_face_grids(throng_backend *b, const throng_ways *w, crowd_ways *d, throng_error *error)
{
    size_t m = (size_t)w->meshes;
    return upload(b, FIXED_WAYS, w->tree_mesh, (size_t)w->trees, &d->tree_mesh, error) &&
           upload(b, FIXED_WAYS, w->mesh_x, m, &d->mesh_x, error) &&
           upload(b, FIXED_WAYS, w->mesh_y, m, &d->mesh_y, error) &&
           upload(b, FIXED_WAYS, w->mesh_cell, m, &d->mesh_cell, error) &&
           upload(b, FIXED_WAYS, w->mesh_columns, m, &d->mesh_columns, error) &&
           upload(b, FIXED_WAYS, w->mesh_rows, m, &d->mesh_rows, error) &&
           upload(b, FIXED_WAYS, w->mesh_cells, m, &d->mesh_cells, error) &&
           upload(b, FIXED_WAYS, w->face_cell, (size_t)w->cells + 1, &d->face_cell, error) &&
           upload(b, FIXED_WAYS, w->face_list, (size_t)w->listed, &d->face_list, error);
}

static bool upload_queues(throng_backend *b, const throng_ways *w, crowd_ways *d, throng_error *error)
{
    size_t e = (size_t)w->edges;
    return upload(b, FIXED_WAYS, w->tree_queues, (size_t)w->trees, &d->tree_queues, error) &&
           upload(b, FIXED_WAYS, w->delay, e, &d->delay, error) &&
           upload(b, FIXED_WAYS, w->queue_square, e, &d->queue_square, error);
}

static bool upload_roadmaps(throng_backend *b, const throng_ways *w, crowd_ways *d, throng_error *error)
{
    size_t n = (size_t)w->nodes, t = (size_t)w->trees;
    return upload(b, FIXED_WAYS, w->node_x, n, &d->node_x, error) &&
           upload(b, FIXED_WAYS, w->node_y, n, &d->node_y, error) &&
           upload(b, FIXED_WAYS, w->node_start, (size_t)w->faces + 1, &d->node_start, error) &&
           upload(b, FIXED_WAYS, w->node_list, (size_t)w->node_entries, &d->node_list, error) &&
           upload(b, FIXED_WAYS, w->road_side, t, &d->road_side, error) &&
           upload(b, FIXED_WAYS, w->road_side_end, t, &d->road_side_end, error) &&
           upload(b, FIXED_WAYS, w->road_base, t, &d->road_base, error) &&
           upload(b, FIXED_WAYS, w->road_heeds, t, &d->road_heeds, error) &&
           upload(b, FIXED_WAYS, w->road_cost, (size_t)w->road_entries, &d->road_cost, error);
}

static bool cuda_set_ways(throng_backend *b, const throng_ways *w, throng_error *error)
{
    if (!forget_fixed(b, FIXED_WAYS, error))
        return false;
    crowd_ways d = {};
    size_t e = (size_t)w->edges, n = (size_t)w->tree_entries, t = (size_t)w->trees;
    if (!upload(b, FIXED_WAYS, w->face_start, (size_t)w->faces + 1, &d.face_start, error) ||
        !upload(b, FIXED_WAYS, w->ax, e, &d.ax, error) || !upload(b, FIXED_WAYS, w->ay, e, &d.ay, error) ||
        !upload(b, FIXED_WAYS, w->bx, e, &d.bx, error) || !upload(b, FIXED_WAYS, w->by, e, &d.by, error) ||
        !upload(b, FIXED_WAYS, w->twin, e, &d.twin, error) || !upload(b, FIXED_WAYS, w->face, e, &d.face, error) ||
        !upload(b, FIXED_WAYS, w->shut, e, &d.shut, error) ||
        !upload(b, FIXED_WAYS, w->tree_base, t, &d.tree_base, error) ||
        !upload(b, FIXED_WAYS, w->cost, n, &d.cost, error) ||
        !upload(b, FIXED_WAYS, w->target_x, n, &d.target_x, error) ||
        !upload(b, FIXED_WAYS, w->target_y, n, &d.target_y, error) ||
        !upload(b, FIXED_WAYS, w->end_ax, n, &d.end_ax, error) ||
        !upload(b, FIXED_WAYS, w->end_ay, n, &d.end_ay, error) ||
        !upload(b, FIXED_WAYS, w->end_bx, n, &d.end_bx, error) ||
        !upload(b, FIXED_WAYS, w->end_by, n, &d.end_by, error) || !upload(b, FIXED_WAYS, w->next, n, &d.next, error) ||
        !upload(b, FIXED_WAYS, w->cost_left, n, &d.cost_left, error) ||
        !upload(b, FIXED_WAYS, w->cost_right, n, &d.cost_right, error) || !upload_sides(b, w, &d, error) ||
        !upload_face_grids(b, w, &d, error) || !upload_roadmaps(b, w, &d, error) || !upload_queues(b, w, &d, error))
        return false;
    d.faces = w->faces;
    b->c.ways = d;
    return true;
}

static bool upload_fields(throng_backend *b, const throng_fields *f, crowd_fields *d, throng_error *error)
{
    size_t n = (size_t)f->count, cells = (size_t)f->cells;
    return upload(b, FIXED_GOALS, f->x, n, &d->x, error) && upload(b, FIXED_GOALS, f->y, n, &d->y, error) &&
           upload(b, FIXED_GOALS, f->cell, n, &d->cell, error) &&
           upload(b, FIXED_GOALS, f->columns, n, &d->columns, error) &&
           upload(b, FIXED_GOALS, f->rows, n, &d->rows, error) && upload(b, FIXED_GOALS, f->base, n, &d->base, error) &&
           upload(b, FIXED_GOALS, f->way_x, cells, &d->way_x, error) &&
           upload(b, FIXED_GOALS, f->way_y, cells, &d->way_y, error) &&
           upload(b, FIXED_GOALS, f->aim, cells, &d->aim, error);
}

static bool cuda_set_goals(throng_backend *b, const throng_goals *g, throng_error *error)
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
    return true;
}

static bool cuda_set_corners(throng_backend *b, const throng_corners *c, throng_error *error)
{
    if (!forget_fixed(b, FIXED_CORNERS, error))
        return false;
    crowd_corners d = {};
    size_t n = (size_t)c->count;
    if (!upload(b, FIXED_CORNERS, c->x, n, &d.x, error) || !upload(b, FIXED_CORNERS, c->y, n, &d.y, error) ||
        !upload(b, FIXED_CORNERS, c->turn, n, &d.turn, error))
        return false;
    d.count = c->count;
    b->c.corners = d;
    return true;
}

static bool cuda_set_planners(throng_backend *b, const throng_planner *planners, int32_t count, throng_error *error)
{
    b->most_samples = 0;
    for (int32_t i = 0; i < count; i++)
        if (planners[i].kind == THRONG_PLANNER_rvo)
            b->most_samples = std::max(b->most_samples, (int32_t)planners[i].value[THRONG_rvo_samples]);
    return forget_fixed(b, FIXED_PLANNERS, error) &&
           upload(b, FIXED_PLANNERS, planners, (size_t)count, &b->c.planners, error);
}

static bool cuda_set_influences(throng_backend *b, const throng_influences *given, throng_error *error)
{
    throng_influences d = *given;
    size_t weights = (size_t)given->kinds * (size_t)given->kinds;
    b->c.influences.kinds = b->c.influences.hazards = 0;
    if (!forget_fixed(b, FIXED_INFLUENCES, error) ||
        !upload(b, FIXED_INFLUENCES, given->weight, weights, &d.weight, error) ||
        !upload(b, FIXED_INFLUENCES, given->hazard, (size_t)given->hazards, &d.hazard, error))
        return false;
    b->c.influences = d;
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
    t->to[0] = g->values ? (float *)values : (float *)*column_of(&b->device, column);
    t->to[1] = second >= 0 ? (float *)*column_of(&b->device, second) : NULL;
    if (g->values)
        b->c.computed[column - THRONG_COLUMN_COUNT] = values;
    if (column == THRONG_COLUMN_desired_vx)
        b->c.steered = t->bound;
    return true;
}

static bool cuda_set_fsm(throng_backend *b, const throng_fsm *given, throng_error *error)
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

static bool cuda_set_programs(throng_backend *b, const throng_programs *given, throng_error *error)
{
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
    p.targets = given->targets;
    p.parameters = given->parameters;
    b->p = p;
    return true;
}

/* --- stages ----------------------------------------------------------------------------------------------------- */

/* Lists have as many rows as the kernels are unrolled for. */
static int32_t rows_for(int32_t neighbours)
{
    return neighbours == 0 ? 0 : neighbours <= 10 ? 10 : CROWD_NEIGHBOURS_MAX;
}

static bool fit_frame(throng_backend *b, const throng_frame *f, throng_error *error)
{
    int32_t cells = f->grid_width * f->grid_height, rows = rows_for(f->neighbours);
    if (cells != b->cells) {
        if (!replace(b, &b->c.cell_start, (size_t)b->cells + 1, (size_t)cells + 1, error))
            return false;
        b->cells = cells;
        CHECK(
            cub::DeviceScan::ExclusiveSum(NULL, b->scan_bytes, b->c.cell_start, b->c.cell_start, cells + 1, b->stream));
        CHECK(cudaFree(b->scan));
        CHECK(cudaMalloc(&b->scan, b->scan_bytes));
    }
    if (rows > b->rows) {
        if (!replace(b, &b->c.seen, (size_t)b->rows * (size_t)b->capacity, (size_t)rows * (size_t)b->capacity, error))
            return false;
        b->rows = rows;
    }
    crowd *c = &b->c;
    c->kinds = f->planners;
    c->seed = f->seed;
    c->slots = f->slots;
    c->agents = f->agents;
    c->step = f->step;
    c->look = f->look;
    c->dt = f->dt;
    c->cell_x = f->cell_x;
    c->cell_y = f->cell_y;
    c->inverse_cell_x = 1.0f / f->cell_x;
    c->inverse_cell_y = 1.0f / f->cell_y;
    c->extent = 4 * (f->cell_x + f->cell_y) + f->wrap_x + f->wrap_y;
    c->wrap_x = f->wrap_x;
    c->wrap_y = f->wrap_y;
    c->grid_width = f->grid_width;
    c->grid_height = f->grid_height;
    c->k = rows;
    c->largest_radius = f->radius;
    c->tolerance = f->tolerance;
    c->largest_step = f->max_speed * f->dt * 1.001f;
    b->p.time = f->time;
    c->sensed = f->sensed;
    return true;
}

static bool stage_goals(throng_backend *b, throng_error *error)
{
    CHECK(cudaMemsetAsync(&b->counts->arrived, 0, sizeof(int), b->stream));
    if (b->f.states)
        kernel_fsm<<<blocks(b->c.slots), BLOCK, 0, b->stream>>>(b->c, b->f, b->counts, b->arrival_list);
    else
        kernel_goals<<<blocks(b->c.slots), BLOCK, 0, b->stream>>>(b->c, b->counts, b->arrival_list);
    CHECK(cudaGetLastError());
    return true;
}

static bool stage_desire(throng_backend *b, throng_error *error)
{
    const programs &p = b->p;
    int n = blocks(b->c.slots);
    if (p.parameters)
        kernel_programs<<<n, BLOCK, 0, b->stream>>>(b->c, p, 0, p.parameters, b->counts);
    kernel_desire<<<n, BLOCK, 0, b->stream>>>(b->c);
    if (p.parameters < p.targets)
        kernel_programs<<<n, BLOCK, 0, b->stream>>>(b->c, p, p.parameters, p.targets, b->counts);
    CHECK(cudaGetLastError());
    return true;
}

static bool stage_sense(throng_backend *b, throng_error *error)
{
    const crowd &c = b->c;
    CHECK(cudaMemsetAsync(c.cell_start, 0, ((size_t)b->cells + 1) * 4, b->stream));
    kernel_count<<<blocks(c.slots), BLOCK, 0, b->stream>>>(c, b->key, b->place, c.cell_start);
    CHECK(cub::DeviceScan::ExclusiveSum(b->scan, b->scan_bytes, c.cell_start, c.cell_start, b->cells + 1, b->stream));
    kernel_gather<<<blocks(c.slots), BLOCK, 0, b->stream>>>(c, b->key, b->place);
    if (c.k == 10)
        kernel_neighbours<10><<<blocks(c.agents), BLOCK, 0, b->stream>>>(c);
    else if (c.k)
        kernel_neighbours<CROWD_NEIGHBOURS_MAX><<<blocks(c.agents), BLOCK, 0, b->stream>>>(c);
    if (c.walls.count)
        kernel_walls<<<blocks(c.agents), BLOCK, 0, b->stream>>>(c);
    CHECK(cudaGetLastError());
    return true;
}

/* Launches the instance of a kernel for the rows of the neighbour lists, with or without walls. */
#define LAUNCH_FITTING(kernel, b, grid, ...)                                                                           \
    do {                                                                                                               \
        bool walls_ = (b)->c.walls.count > 0;                                                                          \
        auto fitting_ = (b)->c.k == 0    ? (walls_ ? kernel<0, true> : kernel<0, false>)                               \
                        : (b)->c.k == 10 ? (walls_ ? kernel<10, true> : kernel<10, false>)                             \
                        : walls_         ? kernel<CROWD_NEIGHBOURS_MAX, true>                                          \
                                         : kernel<CROWD_NEIGHBOURS_MAX, false>;                                                \
        fitting_<<<grid, BLOCK, 0, (b)->stream>>>((b)->c, ##__VA_ARGS__);                                              \
    } while (0)

/* The list of who needs more attempts is where the sort has its keys: it is done with them. */
static bool plan_clearpath(throng_backend *b, throng_error *error)
{
    int n = blocks(b->c.agents), few = n < 8 * b->processors ? n : 8 * b->processors;
    CHECK(cudaMemsetAsync(&b->counts->again, 0, sizeof b->counts->again, b->stream));
    LAUNCH_FITTING(kernel_plan_clearpath, b, n, b->key, &b->counts->again);
    LAUNCH_FITTING(kernel_plan_clearpath_again, b, few, b->key, &b->counts->again);
    return true;
}

static bool stage_plan(throng_backend *b, const throng_frame *f, throng_error *error)
{
    if (f->planners >> THRONG_PLANNER_none & 1)
        kernel_plan_none<<<blocks(b->c.agents), BLOCK, 0, b->stream>>>(b->c);
    if (f->planners >> THRONG_PLANNER_orca & 1)
        LAUNCH_FITTING(kernel_plan_orca, b, blocks(b->c.agents));
    if (f->planners >> THRONG_PLANNER_clearpath & 1 && !plan_clearpath(b, error))
        return false;
    if (f->planners >> THRONG_PLANNER_bvp & 1)
        kernel_plan_bvp<<<(b->c.agents + BVP_AGENTS - 1) / BVP_AGENTS, 32 * BVP_AGENTS, 0, b->stream>>>(b->c);
    if (f->planners >> THRONG_PLANNER_forces & 1)
        kernel_plan_forces<<<blocks(b->c.agents), BLOCK, 0, b->stream>>>(b->c);
    if (f->planners >> THRONG_PLANNER_rvo & 1) {
        if ((int64_t)f->agents * b->most_samples <= NESTED_MOST)
            kernel_plan_rvo_nested<<<f->agents, NESTED_BLOCK, 0, b->stream>>>(b->c);
        else
            LAUNCH_FITTING(kernel_plan_rvo, b, blocks(b->c.agents));
    }
    CHECK(cudaGetLastError());
    return true;
}

static bool stage_move(throng_backend *b, const throng_frame *f, throng_error *error)
{
    int n = blocks(b->c.agents);
    CHECK(cudaMemsetAsync(b->k.active_count, 0, sizeof(int32_t), b->stream));
    CHECK(cudaMemsetAsync(b->counts->listed, 0, sizeof b->counts->listed, b->stream));
    kernel_contacts_begin<<<n, BLOCK, 0, b->stream>>>(b->c, b->k);
    kernel_contacts_detect<<<n, BLOCK, 0, b->stream>>>(b->c, b->k, b->counts);
    CHECK(cudaGetLastError());
    solver s = {b->c, b->k, b->counts, b->beta, f->iterations < ITERATIONS_MAX ? f->iterations : ITERATIONS_MAX};
    void *arguments[] = {&s};
    CHECK(cudaLaunchCooperativeKernel((const void *)kernel_solve, dim3((unsigned)b->solver_blocks), dim3(SOLVER_BLOCK),
                                      arguments, 0, b->stream));
    kernel_move<<<n, BLOCK, 0, b->stream>>>(b->c, b->k, b->counts);
    CHECK(cudaGetLastError());
    return true;
}

static bool cuda_stage(throng_backend *b, throng_stage stage, const throng_frame *f, throng_error *error)
{
    if (!fit_frame(b, f, error))
        return false;
    switch (stage) {
    case THRONG_STAGE_goals: return stage_goals(b, error);
    case THRONG_STAGE_desire: return stage_desire(b, error);
    case THRONG_STAGE_sense: return stage_sense(b, error);
    case THRONG_STAGE_plan: return stage_plan(b, f, error);
    case THRONG_STAGE_move: return stage_move(b, f, error);
    default: return true;
    }
}

/* --- what came of it
 * -------------------------------------------------------------------------------------------------- */

static bool read_counts(throng_backend *b, tally *t, throng_error *error)
{
    CHECK(cudaMemcpyAsync(t, b->counts, sizeof *t, cudaMemcpyDeviceToHost, b->stream));
    CHECK(cudaStreamSynchronize(b->stream));
    return true;
}

static bool cuda_arrivals(throng_backend *b, int32_t *slots, int32_t *count, throng_error *error)
{
    tally t;
    if (!read_counts(b, &t, error))
        return false;
    int32_t room = *count;
    *count = t.arrived;
    if (!t.arrived || t.arrived > room)
        return true;
    CHECK(cudaMemcpy(slots, b->arrival_list, (size_t)t.arrived * 4, cudaMemcpyDeviceToHost));
    std::sort(slots, slots + t.arrived);
    return true;
}

__global__ void kernel_near(const crowd c, throng_near *list, int32_t room, int32_t *count)
{
    AGENT_OR_RETURN(c.slots);
    if (!c.state[i] || !c.near_body[i])
        return;
    crowd_near near = walls_near(&c, i);
    int32_t at = atomicAdd(count, 1);
    if (at < room)
        memcpy(&list[at], &near, sizeof near);
}

__global__ void kernel_push(const crowd c, const throng_near *list, int32_t count)
{
    AGENT_OR_RETURN(count);
    c.nx[c.rank[list[i].slot]] = list[i].wish_x;
    c.ny[c.rank[list[i].slot]] = list[i].wish_y;
}

static bool cuda_near_bodies(throng_backend *b, throng_near *list, int32_t *count, throng_error *error)
{
    int32_t room = *count;
    if (room > b->near_room && !replace(b, &b->near_list, (size_t)b->near_room, (size_t)room, error))
        return false;
    b->near_room = room > b->near_room ? room : b->near_room;
    CHECK(cudaMemsetAsync(b->key, 0, sizeof *b->key, b->stream)); /* the sort is done with it */
    kernel_near<<<blocks(b->c.slots), BLOCK, 0, b->stream>>>(b->c, b->near_list, room, b->key);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpyAsync(count, b->key, sizeof *count, cudaMemcpyDeviceToHost, b->stream));
    CHECK(cudaStreamSynchronize(b->stream));
    if (!*count || *count > room)
        return true;
    CHECK(cudaMemcpy(list, b->near_list, (size_t)*count * sizeof *list, cudaMemcpyDeviceToHost));
    std::sort(list, list + *count, [](const throng_near &a, const throng_near &c) { return a.slot < c.slot; });
    return true;
}

static bool cuda_push(throng_backend *b, const throng_near *list, int32_t count, throng_error *error)
{
    if (!count)
        return true;
    CHECK(cudaMemcpyAsync(b->near_list, list, (size_t)count * sizeof *list, cudaMemcpyHostToDevice, b->stream));
    kernel_push<<<blocks(count), BLOCK, 0, b->stream>>>(b->c, b->near_list, count);
    CHECK(cudaGetLastError());
    return true;
}

static bool cuda_counters(throng_backend *b, throng_counters *counters, throng_error *error)
{
    tally t;
    if (!read_counts(b, &t, error))
        return false;
    float worst;
    memcpy(&worst, &t.worst, sizeof worst);
    *counters = {t.overlaps,    t.conflicts, worst,      (uint32_t)t.iterations, t.held, t.arrivals,
                 t.transitions, t.stuck,     t.undefined};
    std::copy(t.conflicts_of, t.conflicts_of + THRONG_PLANNER_COUNT, counters->conflicts_of);
    return true;
}

/* Entry `row` of the list of sorted agent `i`. */
static bool read_entry(throng_backend *b, const int32_t *list, int32_t row, int32_t i, int32_t *value,
                       throng_error *error)
{
    CHECK(cudaMemcpy(value, list + (size_t)row * (size_t)b->c.stride + i, 4, cudaMemcpyDeviceToHost));
    return true;
}

static bool cuda_seen(throng_backend *b, int32_t slot, int32_t *neighbours, int32_t *neighbour_count, int32_t *walls,
                      int32_t *wall_count, throng_error *error)
{
    const crowd *c = &b->c;
    int32_t i, sorted;
    CHECK(cudaStreamSynchronize(b->stream));
    *neighbour_count = *wall_count = 0;
    if (!read_entry(b, c->rank, 0, slot, &i, error) ||
        (c->k && !read_entry(b, c->seen_count, 0, i, neighbour_count, error)) ||
        (c->walls.count && !read_entry(b, c->wall_count, 0, i, wall_count, error)))
        return false;
    for (int32_t s = 0; s < *neighbour_count; s++)
        if (!read_entry(b, c->seen, s, i, &sorted, error) || !read_entry(b, c->slot, 0, sorted, &neighbours[s], error))
            return false;
    for (int32_t s = 0; s < *wall_count; s++)
        if (!read_entry(b, c->wall, s, i, &walls[s], error))
            return false;
    return true;
}

static bool cuda_local_map(throng_backend *b, int32_t slot, throng_local_map *map, throng_error *error)
{
    throng_local_map *copy;
    CHECK(cudaMalloc(&copy, sizeof *copy));
    kernel_local_map<<<1, 32, 0, b->stream>>>(b->c, slot, copy);
    cudaError_t status = cudaMemcpyAsync(map, copy, sizeof *map, cudaMemcpyDeviceToHost, b->stream);
    if (status == cudaSuccess)
        status = cudaStreamSynchronize(b->stream);
    cudaFree(copy);
    CHECK(status);
    return true;
}

static bool cuda_finish(throng_backend *b, throng_error *error)
{
    CHECK(cudaStreamSynchronize(b->stream));
    return true;
}

static bool cuda_find_paths(throng_backend *b, const throng_graph *graph, const throng_path_batch *batch,
                            throng_path_results *results, throng_error *error)
{
    if (paths_run(&b->paths, b->processors, graph, batch, results, b->stream))
        return true;
    cudaError_t status = cudaGetLastError();
    return throng_fail(error,
                       "the device cannot find %d paths on a graph of %d nodes (%s); ask for fewer at a time, or "
                       "use --backend cpu",
                       batch->queries, graph->nodes,
                       status == cudaSuccess ? "no memory left" : cudaGetErrorString(status));
}

static size_t cuda_bytes(const throng_backend *b) { return b->bytes; }

static bool cuda_ceilings(throng_backend *b, throng_ceilings *ceilings, throng_error *error)
{
    if (ceilings_measure(b->processors, b->stream, ceilings))
        return true;
    return throng_fail(error, "cannot measure the device's limits: %s", cudaGetErrorString(cudaGetLastError()));
}

/* --- lifetime
 * ------------------------------------------------------------------------------------------------------------ */

static void cuda_destroy(throng_backend *b)
{
    if (!b)
        return;
    const throng_agent_columns none = {};
    if (b->stream)
        cudaStreamSynchronize(b->stream);
    pin(b, &none, 0);
    paths_free(&b->paths);
    for (int column = 0; column < THRONG_COLUMN_COUNT; column++)
        cudaFree(*column_of(&b->device, column));
    crowd *c = &b->c;
    contacts *k = &b->k;
    void *scratch[] = {c->reach,
                       c->slot,
                       c->rank,
                       c->cell_start,
                       c->sx,
                       c->sy,
                       c->svx,
                       c->svy,
                       c->sr,
                       c->seen,
                       c->seen_count,
                       c->seen_reach,
                       c->wall,
                       c->wall_count,
                       c->nx,
                       c->ny,
                       c->near_body,
                       b->near_list,
                       b->side_start,
                       b->side_list,
                       k->body,
                       k->a,
                       k->b,
                       k->status,
                       k->turn,
                       k->partner,
                       k->lambda,
                       k->ahead,
                       k->wall,
                       k->wall_lambda,
                       k->wall_ahead,
                       k->kept_step,
                       b->k.active_count,
                       b->arrival_list,
                       b->beta,
                       b->scan,
                       b->counts};
    for (void *block : scratch)
        cudaFree(block);
    for (int what = 0; what < FIXED_KINDS; what++)
        forget_fixed(b, what, NULL);
    if (b->stream)
        cudaStreamDestroy(b->stream);
    delete b;
}

static bool find_device(throng_backend *b, throng_error *error)
{
    int count = 0;
    cudaError_t status = cudaGetDeviceCount(&count);
    if (status != cudaSuccess || count == 0)
        return throng_fail(error, "the cuda backend finds no device here (%s); run with --backend cpu, or auto",
                           status != cudaSuccess ? cudaGetErrorString(status) : "none found");
    cudaDeviceProp p;
    CHECK(cudaGetDeviceProperties(&p, 0));
    if (!p.cooperativeLaunch)
        return throng_fail(error, "%s lacks cooperative launches; run with --backend cpu", p.name);
    snprintf(b->name, sizeof b->name, "%s", p.name);
    int per_sm = 0;
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_sm, kernel_solve, SOLVER_BLOCK, 0));
    b->solver_blocks = per_sm * p.multiProcessorCount;
    b->processors = p.multiProcessorCount;
    return true;
}

static bool set_up(throng_backend *b, throng_error *error)
{
    if (!find_device(b, error))
        return false;
    CHECK(cudaStreamCreateWithFlags(&b->stream, cudaStreamNonBlocking));
    if (!allocate(b, &b->counts, 1, error) || !allocate(b, &b->k.active_count, 1, error) ||
        !allocate(b, &b->beta, ITERATIONS_MAX, error))
        return false;
    tally t = {};
    float one = 1;
    memcpy(&t.worst, &one, sizeof one);
    CHECK(cudaMemcpy(b->counts, &t, sizeof t, cudaMemcpyHostToDevice));
    float beta[ITERATIONS_MAX];
    double nesterov = 1;
    for (int i = 0; i < ITERATIONS_MAX; i++)
        beta[i] = solver_beta(&nesterov);
    CHECK(cudaMemcpy(b->beta, beta, sizeof beta, cudaMemcpyHostToDevice));
    return true;
}

static bool cuda_create(const throng_backend_options *options, throng_backend **out, throng_error *error)
{
    (void)options; /* lanes and threads are the CPU's */
    throng_backend *b = new (std::nothrow) throng_backend();
    if (!b)
        return throng_fail(error, "out of memory for the CUDA backend");
    if (!set_up(b, error)) {
        cuda_destroy(b);
        return false;
    }
    *out = b;
    return true;
}

static void cuda_info(const throng_backend *b, throng_backend_info *info)
{
    snprintf(info->device, sizeof info->device, "%s", b->name);
    info->lanes = info->threads = 0;
}

extern "C" __attribute__((visibility("default"))) const throng_backend_api throng_cuda_backend;
const throng_backend_api throng_cuda_backend = {
    THRONG_BACKEND_VERSION,
    "cuda",
    cuda_create,
    cuda_destroy,
    cuda_info,
    cuda_reserve,
    cuda_put,
    cuda_get,
    cuda_set_walls,
    cuda_set_sides,
    cuda_near_bodies,
    cuda_push,
    cuda_set_ways,
    cuda_set_goals,
    cuda_set_corners,
    cuda_set_planners,
    cuda_set_influences,
    cuda_set_programs,
    cuda_set_fsm,
    cuda_stage,
    cuda_arrivals,
    cuda_counters,
    cuda_seen,
    cuda_local_map,
    cuda_find_paths,
    cuda_finish,
    cuda_bytes,
    cuda_ceilings,
};
