/* ClearPath on CUDA: a team of eight threads an agent.
 *
 * Each thread of a team builds some of the regions, in shared memory, and then walks up those sides that are its own,
 * what can cost least first; of all that were found the least cost counts, and of those that cost the same the first,
 * so that the velocity is the one that comes of trying one side after the other. On an H200, cones alone: 68 us for
 * 10,000 agents at 1/m^2 and 2.3 ms for a million; with a thread an agent, whose regions overflowed into local memory,
 * 183 us and 3.3 ms.
 *
 * Agents whose first attempt failed are listed, and get a block, a team an attempt. At 1/m^2 those are three in a
 * hundred, and they need up to ten more, one as often as the other: in the teams of the first they would keep others
 * waiting. */
#include "cuda_plan.cuh"

enum { TEAM = 8, TEAM_BLOCK = 64, ATTEMPTS = 16 };

typedef struct team {
    int thread;    /* of the team */
    unsigned mask; /* its threads, of their warp */
} team;

static __device__ team my_team(void)
{
    int thread = (int)threadIdx.x % TEAM, first = (int)threadIdx.x % 32 - thread;
    return {thread, ((1u << TEAM) - 1) << first};
}

/* A team's place in shared memory. */
template <int K, bool WALLS> struct place {
    enum { REGIONS = 2 * K + (WALLS ? CLEARPATH_WALLS : 0) + (K == 0) };
    clearpath_region region[REGIONS];
    float least[CLEARPATH_SIDES * REGIONS]; /* by side: what it costs at least; INFINITY: it was tried */
    float apart[5];                         /* teams of a warp in different banks */
};

/* The regions of attempt `t`, in clearpath_collect's order; do any collide? */
template <int K, bool WALLS>
static __device__ bool collect(const crowd *c, const team &us, const clearpath_self *me, const clearpath_task *t,
                               place<K, WALLS> *p, int *count)
{
    int walls = WALLS ? c->wall_count[t->i] : 0, all = walls + me->cones;
    bool collides = false;
    for (int n = us.thread; n < walls; n += TEAM)
        p->region[n] = clearpath_wall(&c->walls, me, c->wall[t->i + n * c->stride], true);
    for (int from = 0; from < me->halves; from += TEAM) {
        int s = from + us.thread;
        clearpath_region half;
        bool matters = false;
        if (s < me->halves) {
            clearpath_other o = clearpath_look(c, me, c->seen[t->i + s * c->stride], true);
            if (s < me->cones)
                collides |= clearpath_neighbour(c, me, &o, true, &p->region[walls + s]);
            matters = clearpath_half(c, me, &o, true, &half);
        }
        unsigned those = __ballot_sync(us.mask, matters) & us.mask, before = those & ((1u << threadIdx.x % 32) - 1);
        if (matters)
            p->region[all + __popc(before)] = half;
        all += __popc(those);
    }
    *count = all;
    __syncwarp(us.mask);
    return __any_sync(us.mask, collides);
}

/* The side of its own that can cost least, and less than `limit`; -1: none. */
static __device__ int next_side(const team &us, float *least, int sides, float limit)
{
    int at = -1;
    for (int n = us.thread; n < sides; n += TEAM)
        if (least[n] < limit) {
            limit = least[n];
            at = n;
        }
    if (at >= 0)
        least[at] = INFINITY;
    return at;
}

struct find {
    clearpath_point point;
    int side;
};

static __device__ bool find_before(float cost, int side, const find &other)
{
    return cost < other.point.cost || (cost == other.point.cost && side < other.side);
}

/* The best of the team's finds, for all of it. */
static __device__ find best_of(const team &us, find f)
{
    for (int other = TEAM / 2; other; other /= 2) {
        find g = {{__shfl_xor_sync(us.mask, f.point.x, other), __shfl_xor_sync(us.mask, f.point.y, other),
                   __shfl_xor_sync(us.mask, f.point.cost, other)},
                  __shfl_xor_sync(us.mask, f.side, other)};
        if (find_before(g.point.cost, g.side, f))
            f = g;
    }
    return f;
}

template <int K, bool WALLS>
static __device__ clearpath_point search(const team &us, place<K, WALLS> *p, int count, const clearpath_bounds *b)
{
    int sides = CLEARPATH_SIDES * count;
    for (int n = us.thread; n < sides; n += TEAM) {
        clearpath_walk w = clearpath_start(p->region, b, n / CLEARPATH_SIDES, n % CLEARPATH_SIDES, INFINITY, true);
        p->least[n] = w.lanes ? w.square + w.t * w.t : INFINITY;
    }
    find best = {clearpath_nowhere(), INT32_MAX};
    for (;;) {
        float limit = nextafterf(best.point.cost, INFINITY); /* one that costs as much may come before */
        int n = next_side(us, p->least, sides, limit);
        if (!__any_sync(us.mask, n >= 0))
            return best.point;
        find mine = best;
        if (n >= 0) {
            int r = n / CLEARPATH_SIDES, side = n % CLEARPATH_SIDES;
            clearpath_walk w = clearpath_start(p->region, b, r, side, limit, true);
            if (w.lanes) {
                clearpath_point point = clearpath_arrive(p->region, count, r, side, &w);
                if (point.cost < INFINITY && find_before(point.cost, n, best))
                    mine = {point, n};
            }
        }
        best = best_of(us, mine);
    }
}

/* Solves attempt `t`, as clearpath_solve does; is another needed? */
template <int K, bool WALLS>
static __device__ bool solve(const crowd *c, const team &us, clearpath_task *t, place<K, WALLS> *p)
{
    clearpath_self me = clearpath_look_at_self(c, t);
    int count;
    float wx, wy;
    bool inside = false;
    clearpath_wish(&me, t, collect(c, us, &me, t, p, &count), &wx, &wy);
    for (int n = us.thread; n < count; n += TEAM)
        inside |= clearpath_centre(&p->region[n], wx, wy, true);
    __syncwarp(us.mask);
    clearpath_point found = {0, 0, 0};
    if (__any_sync(us.mask, inside)) {
        clearpath_bounds bounds = clearpath_bound(&me.limits, wx, wy);
        found = search(us, p, count, &bounds);
    }
    t->vx = wx + found.x;
    t->vy = wy + found.y;
    __syncwarp(us.mask);
    return clearpath_settle(c, &me, found.cost == INFINITY, t);
}

template <int K, bool WALLS>
__global__ void __launch_bounds__(TEAM_BLOCK) kernel_plan_clearpath(const crowd c, int32_t *again, int *listed)
{
    __shared__ place<K, WALLS> places[TEAM_BLOCK / TEAM];
    int32_t i = (int32_t)(blockIdx.x * blockDim.x + threadIdx.x) / TEAM;
    if (i >= c.agents)
        return;
    int32_t slot = c.slot[i];
    if (crowd_planner_kind(&c, c.planner[slot]) != THRONG_PLANNER_clearpath)
        return;
    team us = my_team();
    float dx, dy;
    plan_desired(&c, i, true, slot, &dx, &dy);
    clearpath_task t = clearpath_first_task(&c, i, true, dx, dy);
    bool fails = solve(&c, us, &t, &places[threadIdx.x / TEAM]);
    if (us.thread)
        return;
    if (fails) {
        again[atomicAdd(listed, 1)] = i;
        return;
    }
    c.nx[i] = t.vx;
    c.ny[i] = t.vy;
}

/* The attempt after `attempts` more that fail; is there one? */
static __device__ bool ease(const crowd *c, clearpath_task *t, int attempts)
{
    bool possible = true;
    for (int n = 0; n < attempts && possible; n++)
        possible = clearpath_ease(c, t, true);
    return possible;
}

/* The agents of the list; of those attempts that succeed the first counts. The last possible one always does. */
template <int K, bool WALLS>
__global__ void __launch_bounds__(ATTEMPTS *TEAM)
    kernel_plan_clearpath_again(const crowd c, const int32_t *again, const int *listed)
{
    __shared__ place<K, WALLS> places[ATTEMPTS];
    __shared__ int first;
    team us = my_team();
    int mine = (int)threadIdx.x / TEAM;
    for (int32_t n = (int32_t)blockIdx.x; n < *listed; n += (int32_t)gridDim.x) {
        int32_t i = again[n], slot = c.slot[i];
        float dx, dy;
        plan_desired(&c, i, true, slot, &dx, &dy);
        clearpath_task t = clearpath_first_task(&c, i, true, dx, dy);
        bool possible = ease(&c, &t, 1 + mine);
        for (;;) {
            if (threadIdx.x == 0)
                first = ATTEMPTS;
            __syncthreads();
            if (possible && !solve(&c, us, &t, &places[mine]))
                atomicMin(&first, mine);
            __syncthreads();
            int winner = first;
            __syncthreads();
            if (mine == winner && us.thread == 0) {
                c.nx[i] = t.vx;
                c.ny[i] = t.vy;
            }
            if (winner < ATTEMPTS)
                break;
            possible = possible && ease(&c, &t, ATTEMPTS - 1); /* the solver has eased it once */
        }
    }
}

bool cuda_plan_clearpath(throng_backend *b, const planning &p, throng_error *error)
{
    int agents = p.c.agents, each = TEAM_BLOCK / TEAM, few = 8 * b->processors;
    int *listed = &b->counts->again;
    CHECK(cudaMemsetAsync(listed, 0, sizeof *listed, p.stream));
    LAUNCH_FITTING(kernel_plan_clearpath, p, (agents + each - 1) / each, TEAM_BLOCK, p.again, listed);
    LAUNCH_FITTING(kernel_plan_clearpath_again, p, agents < few ? agents : few, ATTEMPTS * TEAM, p.again, listed);
    CHECK(cudaGetLastError());
    return true;
}
