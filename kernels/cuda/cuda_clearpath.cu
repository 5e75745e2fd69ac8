/* ClearPath on CUDA: a thread group an agent.
 *
 * Each thread of a group builds some of the regions, in shared memory, and then walks up those lines that are its own,
 * what can cost least first; of all that were found the least cost counts, and of those that cost the same the first,
 * so that the velocity is the one that comes of trying one line after the other. Regions farther away than what was
 * found are passed over. A million agents at 1/m^2 on an H200: 2.2 ms. With a thread an agent, whose regions overflow
 * into local memory, it took half as long again; groups of 4 or 16 are no faster than those of eight.
 *
 * Agents whose first attempt failed are listed, and try on when all have tried once. At 1/m^2 those are three in a
 * hundred, and they need up to ten more, one after the other: the others would wait for them (a frame of a million
 * takes 2.66 ms, and took 3.09 when their groups tried on at once). A group of theirs is a warp: with eight threads a
 * frame of 10,000 takes .26 ms in place of .24. */
#include "cuda_plan.cuh"

#include <algorithm>

#include "cuda_thread_group.cuh"

enum { CLEARPATH_BLOCK = 64, EACH = 8, FEW = 32 /* threads of a group: of every agent, and of those few */ };

/* Has any of the group found something? What they have written all of them see. */
template <int GROUP> static __device__ bool any(const thread_group<GROUP> &g, bool found)
{
    group_meet(g);
    return group_any(g, found);
}

/* A walk that has begun: how far, and what it costs at least; INFINITY: there is none, or it was taken. */
typedef struct begun {
    float t, high, least;
} begun;

/* A group's place in shared memory. */
template <int K, bool WALLS, int GROUP> struct place {
    enum {
        REGIONS = K + (WALLS ? CLEARPATH_WALLS : 0),
        LINES = CLEARPATH_SIDES * REGIONS + K + (K == 0),
        WORDS = (sizeof(clearpath_line) + sizeof(begun)) / 4 * LINES + REGIONS + 1,
        BANKS = 32
    };
    clearpath_line line[LINES];
    begun walk[LINES];
    float nearest[REGIONS + 1];                           /* by region: no point of it is nearer to w, m/s */
    float apart[BANKS - (WORDS + BANKS - GROUP) % BANKS]; /* lines of a warp's groups lie in different banks */
};

static __device__ void put_region(clearpath_line *sides, const clearpath_region &r)
{
    for (int side = 0; side < CLEARPATH_SIDES; side++)
        sides[side] = r.line[side];
}

/* The lines of attempt `t`, in clearpath_collect's order; do any collide? */
template <int GROUP>
static __device__ bool collect(const crowd *c, const thread_group<GROUP> &g, const clearpath_self *me,
                               const clearpath_task *t, bool with_walls, clearpath_lines *l)
{
    int walls = with_walls ? c->wall_count[t->i] : 0;
    bool collides = false;
    l->regions = walls + me->cones;
    l->halves = 0;
    for (int n = g.rank; n < walls; n += GROUP)
        put_region(&l->line[CLEARPATH_SIDES * n], clearpath_wall(&c->walls, me, c->wall[t->i + n * c->stride], true));
    for (int from = 0; from < me->halves; from += GROUP) {
        int s = from + g.rank;
        clearpath_line half;
        bool matters = false;
        if (s < me->halves) {
            clearpath_other o = clearpath_look(c, me, c->seen[t->i + s * c->stride], true);
            clearpath_region cone;
            if (s < me->cones) {
                collides |= clearpath_neighbour(c, me, &o, true, &cone);
                put_region(&l->line[CLEARPATH_SIDES * (walls + s)], cone);
            }
            matters = clearpath_half(c, me, &o, true, &half);
        }
        unsigned those = group_ballot(g, matters), before = those & ((1u << g.rank) - 1);
        if (matters)
            *clearpath_half_line(l, l->halves + __popc(before)) = half;
        l->halves += __popc(those);
    }
    return any(g, collides);
}

/* Moves all lines so that w is 0; is what is nearest to it anywhere where it may not be? */
template <int GROUP>
static __device__ bool centre(const thread_group<GROUP> &g, const clearpath_lines *l, const clearpath_goal *w,
                              float *nearest)
{
    bool inside = false;
    for (int r = g.rank; r < l->regions; r += GROUP) {
        clearpath_line *sides = &l->line[CLEARPATH_SIDES * r];
        inside |= clearpath_centre_region(sides, w);
        nearest[r] = fmaxf(sides[0].d, fmaxf(sides[1].d, sides[2].d)) - 2 * CLEARPATH_SLIT;
    }
    for (int half = g.rank; half < l->halves; half += GROUP)
        inside |= clearpath_centre(clearpath_half_line(l, half), w);
    return any(g, inside);
}

/* The walk of its own that can cost least, and no more than `most`; -1: none. */
template <int GROUP>
static __device__ int next_walk(const thread_group<GROUP> &g, const begun *walk, int lines, float most)
{
    int at = -1;
    for (int n = g.rank; n < lines; n += GROUP)
        if (walk[n].least < INFINITY && walk[n].least <= most) {
            most = walk[n].least;
            at = n;
        }
    return at;
}

/* Walks to the end, round and round the regions that are not too far away. */
static __device__ void go(const clearpath_lines *l, const float *nearest, clearpath_walk *w)
{
    int own = w->of < CLEARPATH_SIDES * l->regions ? w->of / CLEARPATH_SIDES : -1;
    for (int j = 0, calm = 0; calm < l->regions && w->lanes; j = j + 1 < l->regions ? j + 1 : 0) {
        bool far = nearest[j] > 0 && nearest[j] * nearest[j] > w->best;
        calm = !far && j != own && clearpath_leave(w, &l->line[CLEARPATH_SIDES * j], true) ? 1 : calm + 1;
    }
    for (int half = 0; half < l->halves && w->lanes; half++)
        if (w->of != CLEARPATH_SIDES * l->regions + half)
            clearpath_keep(w, clearpath_half_line(l, half), true);
}

/* The best of what the group found, for all of it. */
template <int GROUP> static __device__ clearpath_point best_of(const thread_group<GROUP> &g, clearpath_point mine)
{
    for (int other = GROUP / 2; other; other /= 2) {
        clearpath_point theirs = {group_swap(g, mine.x, other), group_swap(g, mine.y, other),
                                  group_swap(g, mine.cost, other), group_swap(g, mine.line, other)};
        if (clearpath_before(&theirs, &mine))
            mine = theirs;
    }
    return mine;
}

template <int GROUP>
static __device__ clearpath_point search(const thread_group<GROUP> &g, const clearpath_lines *l, const float *nearest,
                                         begun *walk, const clearpath_bounds *b)
{
    int lines = clearpath_line_count(l);
    for (int n = g.rank; n < lines; n += GROUP) {
        clearpath_walk w = clearpath_start(l, b, n, true);
        walk[n] = {w.t, w.high, w.lanes ? clearpath_cost(&w) : INFINITY};
    }
    clearpath_point best = {0, 0, INFINITY, INT32_MAX};
    for (;;) {
        int n = next_walk(g, walk, lines, best.cost);
        if (!any(g, n >= 0))
            return best;
        clearpath_point mine = best;
        if (n >= 0) {
            clearpath_walk w = {n, l->line[n], walk[n].t, walk[n].high, best.cost, 0, true};
            walk[n].least = INFINITY;
            go(l, nearest, &w);
            clearpath_point point = clearpath_arrive(&w, CLEARPATH_SIDES * l->regions);
            if (w.lanes && clearpath_before(&point, &best))
                mine = point;
        }
        best = best_of(g, mine);
    }
}

/* Solves attempt `t`, as clearpath_solve does; is another needed? */
template <int K, bool WALLS, int GROUP>
static __device__ bool solve(const crowd *c, const thread_group<GROUP> &g, clearpath_task *t, place<K, WALLS, GROUP> *p)
{
    clearpath_self me = clearpath_look_at_self(c, t);
    clearpath_lines l = {p->line, 0, 0};
    clearpath_goal w = clearpath_wish(&me, t, collect(c, g, &me, t, WALLS, &l));
    clearpath_point found = {0, 0, 0, 0};
    bool inside = centre(g, &l, &w, p->nearest);
    if (inside) {
        limits within = clearpath_limits(&me);
        clearpath_bounds bounds = clearpath_bound(&within, &w);
        found = search(g, &l, p->nearest, p->walk, &bounds);
    }
    clearpath_take(inside, &w, found.x, found.y, &t->vx, &t->vy);
    any(g, false);
    return clearpath_settle(c, &me, true, found.cost == INFINITY, t);
}

/* The first attempts; who fails keeps what it started from for its new velocity till then. `next_listed` is that of the
 * next step. */
template <int K, bool WALLS> BODY try_first(const crowd &c, int32_t *again, int *listed, int *next_listed)
{
    __shared__ place<K, WALLS, EACH> places[CLEARPATH_BLOCK / EACH];
    int32_t i = (int32_t)(blockIdx.x * blockDim.x + threadIdx.x) / EACH;
    if (blockIdx.x == 0 && threadIdx.x == 0)
        *next_listed = 0;
    if (i >= c.frame.agents)
        return;
    int32_t slot = c.slot[i];
    if (crowd_planner_kind(&c, c.planner[slot]) != THRONG_PLANNER_clearpath)
        return;
    thread_group<EACH> g = group_of_thread<EACH>();
    clearpath_task t = clearpath_first_task(&c, i, true, c.nx[i], c.ny[i]);
    bool fails = solve(&c, g, &t, &places[threadIdx.x / EACH]);
    if (g.rank)
        return;
    if (fails) {
        again[atomicAdd(listed, 1)] = i;
        return;
    }
    c.nx[i] = t.vx;
    c.ny[i] = t.vy;
}

/* The other attempts of those on the list. */
template <int K, bool WALLS> BODY try_again(const crowd &c, const int32_t *again, const int *listed, int blocks)
{
    enum { GROUPS = CLEARPATH_BLOCK / FEW };
    __shared__ place<K, WALLS, FEW> places[GROUPS];
    thread_group<FEW> g = group_of_thread<FEW>();
    int32_t mine = (int32_t)threadIdx.x / FEW;
    for (int32_t n = (int32_t)blockIdx.x * GROUPS + mine; n < *listed; n += blocks * GROUPS) {
        int32_t i = again[n];
        clearpath_task t = clearpath_first_task(&c, i, true, c.nx[i], c.ny[i]);
        if (!clearpath_published(&c, c.slot[i])) /* else what is next depends on how it failed */
            clearpath_ease(&c, &t, true, false);
        while (solve(&c, g, &t, &places[mine]))
            ;
        if (g.rank == 0) {
            c.nx[i] = t.vx;
            c.ny[i] = t.vy;
        }
    }
}

bool cuda_plan_clearpath(throng_backend *b, const planning &p, throng_error *error)
{
    int *listed = &b->counts->again[b->again], *next_listed = &b->counts->again[!b->again];
    b->again = !b->again;
    int first = (p.c.frame.agents * EACH + CLEARPATH_BLOCK - 1) / CLEARPATH_BLOCK;
    int again = std::min(first, 1024 / CLEARPATH_BLOCK * b->processors);
    LAUNCH_FITTING(try_first, p, CLEARPATH_BLOCK, 1, first, p.again, listed, next_listed);
    LAUNCH_FITTING(try_again, p, CLEARPATH_BLOCK, 1, again, p.again, listed, again);
    CHECK(cudaGetLastError());
    return true;
}
