/* ClearPath on CUDA: a team of eight threads an agent, in small crowds of 64.
 *
 * Each thread of a team builds some of the regions, in shared memory, and then walks up those lines that are its own,
 * what can cost least first; of all that were found the least cost counts, and of those that cost the same the first,
 * so that the velocity is the one that comes of trying one line after the other. Regions farther away than what was
 * found are passed over. A million agents at 1/m^2 on an H200: 1.9 ms, of which 0.5 build the regions. With a thread an
 * agent, whose regions overflow into local memory, it took half as long again; teams of 4 or 16 are no faster. A
 * thousand leave the device idle, and all wait for the last: in an office 29 us on average with teams of 8, 15 with 32,
 * 13 with 64, of which one warp builds the regions of neighbours and the other those of walls. (At 1/m^2 both attempts
 * of 2,000 take 78 us with 8 and 59 with 64, of 5,000 71 and 103. Letting the walk that promises most go first, or
 * looking at four regions together, gained nothing.)
 *
 * Agents whose first attempt failed are listed, and get a block, a team an attempt. At 1/m^2 those are three in a
 * hundred, and they need up to ten more, one as often as the other: in the teams of the first they would keep others
 * waiting. In large crowds most of 16 attempts at once are made for nothing: 1.4 ms for the million, 0.55 with four; in
 * small ones the device has room for all (10,000: 76 us, and 87 with four). */
#include "cuda_plan.cuh"

enum {
    TEAM_BLOCK = 64,
    FEW = 2500,   /* agents: up to so many get a team of 64 threads each, then one of 8 */
    MANY = 50000, /* of so many and more fewer attempts are made at once: */
    ATTEMPTS = 16,
    AT_ONCE_FEW = 12,
    FEWER = 4
};

/* What teams of more than a warp tell each other. */
struct notes {
    clearpath_point found[2]; /* by warp */
    int halves;
};

template <int TEAM> struct team {
    int thread;    /* of the team */
    unsigned mask; /* its threads, of their warp */
    int barrier;   /* of more than a warp */
    notes *own;    /* likewise */
};

template <int TEAM> static __device__ team<TEAM> my_team(notes *of_teams)
{
    constexpr int of_warp = TEAM < 32 ? TEAM : 32;
    int nth = (int)threadIdx.x / TEAM, first = (int)threadIdx.x % 32 / of_warp * of_warp;
    return {(int)threadIdx.x % TEAM, ~0u >> (32 - of_warp) << first, 1 + nth, of_teams + nth};
}

/* Has any of the team found something? What they have written all of them see. */
template <int TEAM> static __device__ bool any(const team<TEAM> &us, bool found)
{
    if (TEAM <= 32) {
        __syncwarp(us.mask);
        return __any_sync(us.mask, found);
    }
    int result;
    asm volatile("{ .reg .pred p, q; setp.ne.s32 p, %1, 0; bar.red.or.pred q, %2, %3, p; selp.s32 %0, 1, 0, q; }"
                 : "=r"(result)
                 : "r"((int)found), "r"(us.barrier), "n"(TEAM)
                 : "memory");
    return result;
}

/* A walk that has begun: how far, and what it costs at least; INFINITY: there is none, or it was taken. */
typedef struct begun {
    float t, high, least;
} begun;

/* A team's place in shared memory. */
template <int K, bool WALLS> struct place {
    enum { REGIONS = K + (WALLS ? CLEARPATH_WALLS : 0), LINES = CLEARPATH_SIDES * REGIONS + K + (K == 0) };
    clearpath_line line[LINES];
    begun walk[LINES];
    float nearest[REGIONS + 1]; /* by region: no point of it is nearer to w, m/s */
    float apart[5];             /* teams of a warp in different banks */
};

static __device__ void put_region(clearpath_line *sides, const clearpath_region &r)
{
    for (int side = 0; side < CLEARPATH_SIDES; side++)
        sides[side] = r.line[side];
}

/* The lines of attempt `t`, in clearpath_collect's order; do any collide? */
template <int TEAM>
static __device__ bool collect(const crowd *c, const team<TEAM> &us, const clearpath_self *me, const clearpath_task *t,
                               bool with_walls, clearpath_lines *g)
{
    const bool apart = TEAM > 32; /* neighbours by the first warp, walls by the second */
    const int first = apart ? 32 : 0, each = apart ? 32 : TEAM;
    int walls = with_walls ? c->wall_count[t->i] : 0;
    bool collides = false;
    g->regions = walls + me->cones;
    g->halves = 0;
    for (int n = us.thread - first; n >= 0 && n < walls; n += each)
        put_region(&g->line[CLEARPATH_SIDES * n], clearpath_wall(&c->walls, me, c->wall[t->i + n * c->stride], true));
    for (int from = 0; from < me->halves && (!apart || us.thread < 32); from += each) {
        int s = from + us.thread;
        clearpath_line half;
        bool matters = false;
        if (s < me->halves) {
            clearpath_other o = clearpath_look(c, me, c->seen[t->i + s * c->stride], true);
            clearpath_region cone;
            if (s < me->cones) {
                collides |= clearpath_neighbour(c, me, &o, true, &cone);
                put_region(&g->line[CLEARPATH_SIDES * (walls + s)], cone);
            }
            matters = clearpath_half(c, me, &o, true, &half);
        }
        unsigned those = __ballot_sync(us.mask, matters) & us.mask, before = those & ((1u << threadIdx.x % 32) - 1);
        if (matters)
            *clearpath_half_line(g, g->halves + __popc(before)) = half;
        g->halves += __popc(those);
    }
    if (apart && us.thread == 0)
        us.own->halves = g->halves;
    collides = any(us, collides);
    if (apart)
        g->halves = us.own->halves;
    return collides;
}

/* Moves all lines so that w is 0; is what is nearest to it anywhere where it may not be? */
template <int TEAM>
static __device__ bool centre(const team<TEAM> &us, const clearpath_lines *g, const clearpath_goal *w, float *nearest)
{
    bool inside = false;
    for (int r = us.thread; r < g->regions; r += TEAM) {
        clearpath_line *sides = &g->line[CLEARPATH_SIDES * r];
        inside |= clearpath_centre_region(sides, w);
        nearest[r] = fmaxf(sides[0].d, fmaxf(sides[1].d, sides[2].d)) - 2 * CLEARPATH_SLIT;
    }
    for (int half = us.thread; half < g->halves; half += TEAM)
        inside |= clearpath_centre(clearpath_half_line(g, half), w);
    return any(us, inside);
}

/* The walk of its own that can cost least, and no more than `most`; -1: none. */
template <int TEAM> static __device__ int next_walk(const team<TEAM> &us, const begun *walk, int lines, float most)
{
    int at = -1;
    for (int n = us.thread; n < lines; n += TEAM)
        if (walk[n].least < INFINITY && walk[n].least <= most) {
            most = walk[n].least;
            at = n;
        }
    return at;
}

/* Walks to the end, round and round the regions that are not too far away. */
static __device__ void go(const clearpath_lines *g, const float *nearest, clearpath_walk *w)
{
    int own = w->of < CLEARPATH_SIDES * g->regions ? w->of / CLEARPATH_SIDES : -1;
    for (int j = 0, calm = 0; calm < g->regions && w->lanes; j = j + 1 < g->regions ? j + 1 : 0) {
        bool far = nearest[j] > 0 && nearest[j] * nearest[j] > w->best;
        calm = !far && j != own && clearpath_leave(w, &g->line[CLEARPATH_SIDES * j], true) ? 1 : calm + 1;
    }
    for (int half = 0; half < g->halves && w->lanes; half++)
        if (w->of != CLEARPATH_SIDES * g->regions + half)
            clearpath_keep(w, clearpath_half_line(g, half), true);
}

/* The best of what the team found, for all of it. */
template <int TEAM> static __device__ clearpath_point best_of(const team<TEAM> &us, clearpath_point mine)
{
    for (int other = (TEAM < 32 ? TEAM : 32) / 2; other; other /= 2) {
        clearpath_point theirs = {__shfl_xor_sync(us.mask, mine.x, other), __shfl_xor_sync(us.mask, mine.y, other),
                                  __shfl_xor_sync(us.mask, mine.cost, other),
                                  __shfl_xor_sync(us.mask, mine.line, other)};
        if (clearpath_before(&theirs, &mine))
            mine = theirs;
    }
    if (TEAM <= 32)
        return mine;
    if (us.thread % 32 == 0)
        us.own->found[us.thread / 32] = mine;
    any(us, false);
    const clearpath_point *found = us.own->found;
    return found[clearpath_before(&found[1], &found[0])];
}

template <int TEAM>
static __device__ clearpath_point search(const team<TEAM> &us, const clearpath_lines *g, const float *nearest,
                                         begun *walk, const clearpath_bounds *b)
{
    int lines = clearpath_line_count(g);
    for (int n = us.thread; n < lines; n += TEAM) {
        clearpath_walk w = clearpath_start(g, b, n, true);
        walk[n] = {w.t, w.high, w.lanes ? clearpath_cost(&w) : INFINITY};
    }
    clearpath_point best = {0, 0, INFINITY, INT32_MAX};
    for (;;) {
        int n = next_walk(us, walk, lines, best.cost);
        if (!any(us, n >= 0))
            return best;
        clearpath_point mine = best;
        if (n >= 0) {
            clearpath_walk w = {n, g->line[n], walk[n].t, walk[n].high, best.cost, 0, true};
            walk[n].least = INFINITY;
            go(g, nearest, &w);
            clearpath_point point = clearpath_arrive(&w, CLEARPATH_SIDES * g->regions);
            if (w.lanes && clearpath_before(&point, &best))
                mine = point;
        }
        best = best_of(us, mine);
    }
}

/* Solves attempt `t`, as clearpath_solve does; is another needed? */
template <int TEAM, int K, bool WALLS>
static __device__ bool solve(const crowd *c, const team<TEAM> &us, clearpath_task *t, place<K, WALLS> *p)
{
    clearpath_self me = clearpath_look_at_self(c, t);
    clearpath_lines g = {p->line, 0, 0};
    clearpath_goal w = clearpath_wish(&me, t, collect(c, us, &me, t, WALLS, &g));
    clearpath_point found = {0, 0, 0, 0};
    bool inside = centre(us, &g, &w, p->nearest);
    if (inside) {
        limits within = clearpath_limits(&me);
        clearpath_bounds bounds = clearpath_bound(&within, &w);
        found = search(us, &g, p->nearest, p->walk, &bounds);
    }
    clearpath_take(inside, &w, found.x, found.y, &t->vx, &t->vy);
    any(us, false);
    return clearpath_settle(c, &me, true, found.cost == INFINITY, t);
}

/* The first attempts; who fails has what it desires for its new velocity till then. `next_listed` is that of the next
 * step. */
template <int TEAM, int K, bool WALLS>
static __device__ void plan_first(const crowd &c, int32_t *again, int *listed, int *next_listed)
{
    __shared__ place<K, WALLS> places[TEAM_BLOCK / TEAM];
    __shared__ notes of_teams[TEAM_BLOCK / TEAM];
    await_previous_launch();
    int32_t i = (int32_t)(blockIdx.x * blockDim.x + threadIdx.x) / TEAM;
    if (blockIdx.x == 0 && threadIdx.x == 0)
        *next_listed = 0;
    if (i >= c.frame.agents)
        return;
    int32_t slot = c.slot[i];
    if (crowd_planner_kind(&c, c.planner[slot]) != THRONG_PLANNER_clearpath)
        return;
    team<TEAM> us = my_team<TEAM>(of_teams);
    float dx, dy;
    plan_desired_by(&c, i, true, slot, &dx, &dy, us.thread % 32, TEAM < 32 ? TEAM : 32);
    clearpath_task t = clearpath_first_task(&c, i, true, dx, dy);
    bool fails = solve(&c, us, &t, &places[threadIdx.x / TEAM]);
    if (us.thread)
        return;
    if (fails)
        again[atomicAdd(listed, 1)] = i;
    c.nx[i] = fails ? dx : t.vx;
    c.ny[i] = fails ? dy : t.vy;
}

/* The attempt after `attempts` more that fail; is there one? */
static __device__ bool ease(const crowd *c, clearpath_task *t, int attempts)
{
    bool possible = true;
    for (int n = 0; n < attempts && possible; n++)
        possible = clearpath_ease(c, t, true, false);
    return possible;
}

/* The agents of the list; of those attempts that succeed the first counts. The last possible one always does. */
template <int TEAM, int AT_ONCE, int K, bool WALLS>
static __device__ void plan_again(const crowd &c, const int32_t *again, const int *listed)
{
    __shared__ place<K, WALLS> places[AT_ONCE];
    __shared__ notes of_teams[AT_ONCE];
    __shared__ int first;
    await_previous_launch();
    team<TEAM> us = my_team<TEAM>(of_teams);
    int mine = (int)threadIdx.x / TEAM;
    for (int32_t n = (int32_t)blockIdx.x; n < *listed; n += (int32_t)gridDim.x) {
        int32_t i = again[n];
        clearpath_task t = clearpath_first_task(&c, i, true, c.nx[i], c.ny[i]);
        bool in_turn = clearpath_published(&c, c.slot[i]); /* what is next depends on how the last one failed */
        bool possible = in_turn ? mine == 0 : ease(&c, &t, 1 + mine);
        for (;;) {
            if (threadIdx.x == 0)
                first = AT_ONCE;
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
            if (winner < AT_ONCE)
                break;
            possible = possible && (in_turn || ease(&c, &t, AT_ONCE - 1)); /* the solver has eased it once */
        }
    }
}

/* Their kernels, by a team of so many threads an agent or attempt. */
#define FIRST(name, TEAM)                                                                                              \
    template <int K, bool WALLS>                                                                                       \
    __global__ void __launch_bounds__(TEAM_BLOCK)                                                                      \
        kernel_plan_clearpath_##name(const crowd c, int32_t *again, int *listed, int *next_listed)                     \
    {                                                                                                                  \
        plan_first<TEAM, K, WALLS>(c, again, listed, next_listed);                                                     \
    }

#define AGAIN(name, TEAM, AT_ONCE)                                                                                     \
    template <int K, bool WALLS>                                                                                       \
    __global__ void __launch_bounds__(AT_ONCE *TEAM)                                                                   \
        kernel_plan_clearpath_##name(const crowd c, const int32_t *again, const int *listed)                           \
    {                                                                                                                  \
        plan_again<TEAM, AT_ONCE, K, WALLS>(c, again, listed);                                                         \
    }

FIRST(few, 64)
FIRST(many, 8)
AGAIN(again_few, 64, AT_ONCE_FEW)
AGAIN(again, 8, ATTEMPTS)
AGAIN(again_many, 8, FEWER)

bool cuda_plan_clearpath(throng_backend *b, const planning &p, throng_error *error)
{
    int agents = p.c.frame.agents, teams = 1024 / 8 * b->processors;
    int *listed = &b->counts->again[b->again], *next_listed = &b->counts->again[!b->again];
    b->again = !b->again;
    if (agents <= FEW)
        LAUNCH_FITTING(kernel_plan_clearpath_few, p, agents, TEAM_BLOCK, p.again, listed, next_listed);
    else
        LAUNCH_FITTING(kernel_plan_clearpath_many, p, (agents + 7) / 8, TEAM_BLOCK, p.again, listed, next_listed);
    if (agents <= FEW)
        LAUNCH_FITTING(kernel_plan_clearpath_again_few, p, b->processors, AT_ONCE_FEW * 64, p.again, listed);
    else if (agents < MANY)
        LAUNCH_FITTING(kernel_plan_clearpath_again, p, teams / ATTEMPTS, ATTEMPTS * 8, p.again, listed);
    else
        LAUNCH_FITTING(kernel_plan_clearpath_again_many, p, teams / FEWER, FEWER * 8, p.again, listed);
    CHECK(cudaGetLastError());
    return true;
}
