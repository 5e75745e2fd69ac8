/* Stage plan on CUDA: what planners start from, then a kernel a planner, which leaves other planners' agents alone,
 * then what people can walk. */
#include "cuda_plan.cuh"

/* Agent i's slot and what its planner starts from, or it has another planner and the thread is done. */
#define PLAN_OR_RETURN(name)                                                                                           \
    AGENT_OR_RETURN(c.frame.agents);                                                                                   \
    int32_t slot = c.slot[i];                                                                                          \
    if (crowd_planner_kind(&c, c.planner[slot]) != THRONG_PLANNER_##name)                                              \
        return;                                                                                                        \
    float dx = c.nx[i], dy = c.ny[i]

/* These two wait for what neighbours want: so many blocks at a time do so together. */
enum { WAITING_BLOCKS = 12 };

BODY show(const crowd &c)
{
    AGENT_OR_RETURN(c.frame.agents);
    plan_show(&c, i, true);
}

/* What planners start from is where their new velocities will be. */
template <bool PLAIN> BODY take_desired(const crowd &given)
{
    const crowd c = cuda_crowd<PLAIN>(given);
    AGENT_OR_RETURN(c.frame.agents);
    float dx, dy;
    plan_desired(&c, i, true, c.slot[i], &dx, &dy);
    c.nx[i] = dx;
    c.ny[i] = dy;
}

template <bool PLAIN> BODY walk(const crowd &given)
{
    const crowd c = cuda_crowd<PLAIN>(given);
    AGENT_OR_RETURN(c.frame.agents);
    walk_stage(&c, i, true);
}

/* Where there are no walls, lines are in shared memory: as registers they would have to be written out line by line. */
template <int K, bool WALLS, bool PLAIN> static __device__ __forceinline__ void plan_orca(const crowd &given)
{
    const crowd c = cuda_crowd<PLAIN>(given);
    PLAN_OR_RETURN(orca);
    orca_problem p;
    __shared__ orca_line shared[WALLS || K == 0 ? 1 : K * BLOCK];
    orca_line own[WALLS ? THRONG_WALLS_MAX + K : 1];
    p.lines.line = WALLS ? own : shared + threadIdx.x;
    p.lines.stride = WALLS ? 1 : BLOCK;
    orca_solve(&c, K, WALLS, i, true, dx, dy, &p);
    if (p.failed < p.count)
        orca_program3(&p.lines, p.walls, p.count, p.failed, p.max_speed, true, &p.vx, &p.vy);
    c.nx[i] = p.vx;
    c.ny[i] = p.vy;
}

template <int K, bool WALLS> BODY plan_orca_body(const crowd &c) { plan_orca<K, WALLS, false>(c); }
template <int K, bool WALLS> BODY plan_orca_plain(const crowd &c) { plan_orca<K, WALLS, true>(c); }

template <int K, bool WALLS> BODY plan_rvo_body(const crowd &c)
{
    PLAN_OR_RETURN(rvo);
    rvo_best best;
    rvo_solve(&c, K, WALLS, i, true, dx, dy, &best);
    c.nx[i] = best.vx;
    c.ny[i] = best.vy;
}

/* Up to so many samples in a step a block takes an agent (nested mode), beyond that a thread. */
#ifndef NESTED_MOST
#define NESTED_MOST (1 << 22)
#endif
enum { NESTED_BLOCK = 128 };

/* A block an agent, a thread a few of its samples. */
BODY plan_rvo_nested(const crowd &c)
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
    else if (thread - THRONG_NEIGHBOURS_MAX >= 0 && thread - THRONG_NEIGHBOURS_MAX < flats) {
        int32_t s = thread - THRONG_NEIGHBOURS_MAX;
        scene.flat[s] = rvo_wall(&c, &me, s, true, &scene.end[2 * s], &scene.end[2 * s + 1]);
    }
    __syncthreads();
    float wx = c.nx[i], wy = c.ny[i];
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

template <bool PLAIN> BODY plan_forces_body(const crowd &c)
{
    PLAN_OR_RETURN(forces);
    const crowd own = cuda_crowd<PLAIN>(c);
    plan_forces(&own, i, true, slot, dx, dy);
}

/* --- launches by the planners' rows -------------------------------------------------------- */

#define LAUNCH(name)                                                                                                   \
    static bool launch_##name(throng_backend *b, const planning &p, const throng_frame *f, throng_error *error)

LAUNCH(orca)
{
    (void)b, (void)f, (void)error;
    if (cuda_is_plain(p.c))
        LAUNCH_FITTING(plan_orca_plain, p, BLOCK, 6, cuda_blocks(p.c.frame.agents));
    else
        LAUNCH_FITTING(plan_orca_body, p, BLOCK, 6, cuda_blocks(p.c.frame.agents));
    return true;
}

LAUNCH(clearpath)
{
    (void)f;
    return cuda_plan_clearpath(b, p, error);
}

LAUNCH(rvo)
{
    (void)error;
    if ((int64_t)f->agents * b->most_samples <= NESTED_MOST && !p.queue->notes)
        cuda_launch<plan_rvo_nested, NESTED_BLOCK, 1>(p.queue, f->agents, p.c);
    else
        LAUNCH_FITTING(plan_rvo_body, p, BLOCK, 1, cuda_blocks(p.c.frame.agents));
    return true;
}

LAUNCH(forces)
{
    (void)b, (void)f, (void)error;
    if (cuda_is_plain(p.c))
        cuda_launch<plan_forces_body<true>, BLOCK, 1>(p.queue, cuda_blocks(p.c.frame.agents), p.c);
    else
        cuda_launch<plan_forces_body<false>, BLOCK, 1>(p.queue, cuda_blocks(p.c.frame.agents), p.c);
    return true;
}

LAUNCH(bvp)
{
    (void)f;
    return cuda_plan_bvp(b, p, error);
}

/* A thread an agent. */
#define DEFINE_simple(name)                                                                                            \
    BODY plan_##name##_body(const crowd &c)                                                                            \
    {                                                                                                                  \
        PLAN_OR_RETURN(name);                                                                                          \
        plan_##name(&c, i, true, slot, dx, dy);                                                                        \
    }                                                                                                                  \
    LAUNCH(name)                                                                                                       \
    {                                                                                                                  \
        (void)b, (void)f, (void)error;                                                                                 \
        cuda_launch<plan_##name##_body, BLOCK, 1>(p.queue, cuda_blocks(p.c.frame.agents), p.c);                        \
        return true;                                                                                                   \
    }
#define DEFINE_own(name)      /* above */
#define X(name, columns, how) DEFINE_##how(name)
THRONG_PLANNERS(X)
#undef X

static bool plan(throng_backend *b, const planning &p, const throng_frame *f, throng_error *error)
{
    bool plain = cuda_is_plain(p.c);
    int blocks = cuda_blocks(p.c.frame.agents);
    cuda_launch<show>(p.queue, blocks, p.c);
    if (plain)
        cuda_launch<take_desired<true>, BLOCK, WAITING_BLOCKS>(p.queue, blocks, p.c);
    else
        cuda_launch<take_desired<false>, BLOCK, WAITING_BLOCKS>(p.queue, blocks, p.c);
#define X(name, columns, how)                                                                                          \
    if (f->planners >> THRONG_PLANNER_##name & 1 && !launch_##name(b, p, f, error))                                    \
        return false;
    THRONG_PLANNERS(X)
#undef X
    if (walk_acts(&p.c) && plain)
        cuda_launch<walk<true>, BLOCK, WAITING_BLOCKS>(p.queue, blocks, p.c);
    else if (walk_acts(&p.c))
        cuda_launch<walk<false>, BLOCK, WAITING_BLOCKS>(p.queue, blocks, p.c);
    CHECK(cudaGetLastError());
    return true;
}

bool cuda_plan(throng_backend *b, const throng_frame *f, throng_error *error)
{
    planning p = {b->c, &b->queue, b->key}; /* the sort is done with its keys */
    if (!f->latency)
        return plan(b, p, f, error);
    return cuda_split(b, &p, error) && plan(b, p, f, error) && cuda_planned(b, error);
}
