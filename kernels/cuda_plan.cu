/* Stage plan on CUDA: a kernel a planner, which leaves other planners' agents alone. */
#include "cuda.cuh"

#include "plan.h"

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

template <bool WRAPS> __global__ void __launch_bounds__(BLOCK) kernel_plan_forces(const crowd c)
{
    PLAN_OR_RETURN(forces);
    const crowd own = cuda_crowd<WRAPS>(c);
    plan_forces(&own, i, true, slot, dx, dy);
}

/* Launches the instance of a kernel for the rows of the neighbour lists, with or without walls. */
#define LAUNCH_FITTING(kernel, p, grid, ...)                                                                           \
    do {                                                                                                               \
        bool walls_ = (p).c.walls.count > 0;                                                                           \
        auto fitting_ = (p).c.k == 0    ? (walls_ ? kernel<0, true> : kernel<0, false>)                                \
                        : (p).c.k == 10 ? (walls_ ? kernel<10, true> : kernel<10, false>)                              \
                        : walls_        ? kernel<CROWD_NEIGHBOURS_MAX, true>                                           \
                                        : kernel<CROWD_NEIGHBOURS_MAX, false>;                                                \
        fitting_<<<grid, BLOCK, 0, (p).stream>>>((p).c, ##__VA_ARGS__);                                                \
    } while (0)

static bool plan_clearpath(throng_backend *b, const planning &p, throng_error *error)
{
    int n = cuda_blocks(p.c.agents), few = n < 8 * b->processors ? n : 8 * b->processors;
    CHECK(cudaMemsetAsync(&b->counts->again, 0, sizeof b->counts->again, p.stream));
    LAUNCH_FITTING(kernel_plan_clearpath, p, n, p.again, &b->counts->again);
    LAUNCH_FITTING(kernel_plan_clearpath_again, p, few, p.again, &b->counts->again);
    return true;
}

static bool plan(throng_backend *b, const planning &p, const throng_frame *f, throng_error *error)
{
    int n = cuda_blocks(p.c.agents);
    if (f->planners >> THRONG_PLANNER_none & 1)
        kernel_plan_none<<<n, BLOCK, 0, p.stream>>>(p.c);
    if (f->planners >> THRONG_PLANNER_orca & 1)
        LAUNCH_FITTING(kernel_plan_orca, p, n);
    if (f->planners >> THRONG_PLANNER_clearpath & 1 && !plan_clearpath(b, p, error))
        return false;
    if (f->planners >> THRONG_PLANNER_bvp & 1 && !cuda_plan_bvp(p, error))
        return false;
    if (f->planners >> THRONG_PLANNER_forces & 1) {
        auto forces = p.c.wrap_x > 0 ? kernel_plan_forces<true> : kernel_plan_forces<false>;
        forces<<<n, BLOCK, 0, p.stream>>>(p.c);
    }
    if (f->planners >> THRONG_PLANNER_rvo & 1) {
        if ((int64_t)f->agents * b->most_samples <= NESTED_MOST)
            kernel_plan_rvo_nested<<<f->agents, NESTED_BLOCK, 0, p.stream>>>(p.c);
        else
            LAUNCH_FITTING(kernel_plan_rvo, p, n);
    }
    CHECK(cudaGetLastError());
    return true;
}

bool cuda_plan(throng_backend *b, const throng_frame *f, throng_error *error)
{
    planning p = {b->c, b->stream, b->key}; /* the sort is done with its keys */
    if (!f->latency)
        return plan(b, p, f, error);
    return cuda_split(b, &p, error) && plan(b, p, f, error) && cuda_planned(b, error);
}
