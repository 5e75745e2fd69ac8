/* Persistent agents: they stay with a team of threads from iteration to iteration.
 *
 * What an agent's contacts are does not change in a step; only where its partners want to go does. As soon as there are
 * teams for everybody who is listed, each team takes one in for good: contacts, multipliers and wishes stay in shared
 * memory, and an iteration is the partners' displacements, some arithmetic, and a grid barrier (3 us on an H200; by
 * lists 10). (They are too many for registers, and what is put aside for want of them is fetched from far away after
 * every barrier, which empties the cache.) There is no list any more: an agent writes beside its displacement in which
 * iteration it last went on, in place of its cap, and who finds that neither it nor a partner went on in the last one
 * rests. Nothing would come of looking: all it depends on is as it was. Who goes on for the first time makes all whom
 * it could touch persistent; they are taken in by the next teams that have nobody, and where teams are used up, these
 * look after the rest from memory.
 */
#ifndef THRONG_CUDA_PERSISTENT_CUH
#define THRONG_CUDA_PERSISTENT_CUH

#include <cuda/atomic>

#include "cuda_solver.cuh"

typedef team<SOLVER_TEAM> persistent_team;

/* An agent with a team; each thread has its share of the contacts. An odd number of words: the threads of a warp then
 * find theirs in different banks. */
struct persistent_agent {
    enum { EACH = persistent_team::EACH };
    int32_t agent; /* -1: none */
    solver_turn turn;
    int32_t went_on;     /* in this iteration, last */
    bool hard;           /* it and its partners were hardened */
    bool new_here;       /* it was not iterated as a persistent agent yet */
    bool spread;         /* all whom it could touch are persistent */
    int partners, walls; /* of the team */
    int32_t partner[EACH];
    bool there[EACH];
    solver_contact contact[EACH], wall;
    solver_multiplier multiplier[EACH], wall_multiplier;
};
static_assert(sizeof(persistent_agent) / 4 % 2 == 1, "an odd number of words");
static_assert(SOLVER_TEAM == (int)CONTACT_WALLS_MAX, "a wall for everybody");

/* The shared memory of a block: batches before and after there are persistent. */
union persistent_shared {
    struct {
        contacts_batch active, next;
    } batches;
    persistent_agent own[SOLVER_BLOCK];
};
static_assert(sizeof(persistent_shared) <= 64 << 10, "what every device has");

/* The block's batches, empty; all its threads call this. */
static __device__ void persistent_begin_batches(contacts *k, persistent_shared *shared)
{
    k->active_batch = &shared->batches.active;
    k->next_batch = &shared->batches.next;
    __syncthreads();
    if (threadIdx.x == 0)
        k->active_batch->count = k->next_batch->count = 0;
    __syncthreads();
}

TEAM_FN void persistent_take_walls(const crowd *c, contacts *k, const persistent_team &m, persistent_agent *r)
{
    int32_t at = r->agent * CONTACT_WALLS_MAX + m.rank, wall = k->wall[at];
    r->walls = __ffs((int)~team_ballot(m, wall >= 0)) - 1;
    r->wall = solver_contact_wall(c, &r->turn.me, wall, m.rank < r->walls);
    r->wall_multiplier = solver_read(k->wall_lambda, k->wall_ahead, at, r->turn.fresh);
}

/* Agent `i` as it is in memory. */
TEAM_FN void persistent_take(const crowd *c, contacts *k, const persistent_team &m, int32_t i, bool fresh,
                             persistent_agent *r)
{
    r->agent = i;
    r->turn = solver_begin(c, k, i, fresh);
    r->went_on = 0;
    r->hard = r->spread = false;
    r->new_here = true;
    team_group<SOLVER_TEAM> group = team_read(c, k, m, i, 0);
    static_assert(persistent_team::GROUP == persistent_team::EACH, "one group is all");
    r->partners = group.count;
#pragma unroll
    for (int g = 0; g < persistent_agent::EACH; g++) {
        contact_body other = contacts_body(k, group.index[g]);
        r->partner[g] = group.index[g];
        r->there[g] = group.there[g];
        r->contact[g] = solver_contact_of(c, &r->turn.me, &other);
        r->multiplier[g] = solver_read(k->lambda, k->ahead, team_entry(c, m, i, g), r->turn.fresh);
    }
    r->walls = 0;
    if (c->walls.count)
        persistent_take_walls(c, k, m, r);
}

/* The same before iteration `turn` of persistent agents, whose caps make way. */
TEAM_FN void persistent_take_in(const crowd *c, contacts *k, const persistent_team &m, int32_t i, int32_t turn,
                                persistent_agent *r)
{
    bool fresh = team_begins(k, m, i) || turn == 1;
    persistent_take(c, k, m, i, fresh, r);
    if (fresh && m.rank == 0)
        k->turn[i] = __float_as_int(r->turn.me.cap);
    else if (!fresh)
        r->turn.me.cap = __int_as_float(k->turn[i]);
}

/* Its multipliers, to memory. */
TEAM_FN void persistent_keep(const crowd *c, contacts *k, const persistent_team &m, const persistent_agent *r)
{
#pragma unroll
    for (int g = 0; g < persistent_agent::EACH; g++)
        solver_write(k->lambda, k->ahead, team_entry(c, m, r->agent, g), &r->multiplier[g], r->there[g], false);
    if (m.rank < r->walls)
        solver_write(k->wall_lambda, k->wall_ahead, r->agent * CONTACT_WALLS_MAX + m.rank, &r->wall_multiplier, true,
                     false);
}

/* All whom it could touch become persistent. */
TEAM_FN void persistent_spread(const crowd *c, contacts *k, const persistent_team &m, persistent_agent *r)
{
#pragma unroll
    for (int g = 0; g < persistent_agent::EACH; g++)
        if (r->there[g])
            contacts_join(k, r->partner[g]);
    if (solver_crowded(&r->turn.me))
        team_list_beyond(c, *k, r->agent, 0, m.rank, SOLVER_TEAM);
    r->spread = true;
}

TEAM_FN void persistent_harden(const crowd *c, contacts *k, persistent_agent *r)
{
    solver_harden(c, k, r->agent, true);
#pragma unroll
    for (int g = 0; g < persistent_agent::EACH; g++)
        solver_harden(c, k, r->partner[g], r->there[g]);
    r->hard = true;
}

/* The longest lists of those who do the same calls, or a little more: none has more partners, or any walls. */
struct persistent_longest {
    int partners;
    bool walls;
};

TEAM_FN persistent_longest persistent_longest_of(const persistent_team &m, const persistent_agent *r, bool on)
{
    int partners = SOLVER_TEAM;
    while (team_any(m, on && r->partners > partners))
        partners += SOLVER_TEAM;
    return {partners, team_any(m, on && r->walls)};
}

/* solver_iterate of those who are `on`, whose partners want `a`; by all who do the same calls together. Returns whether
 * it goes on; what it wants then is in `own`. */
TEAM_FN bool persistent_push(const persistent_team &m, persistent_agent *r, const persistent_longest &lists,
                             const lane_four *a, bool on, float beta, lane_four *own)
{
    enum { EACH = persistent_agent::EACH };
    solver_turn t = r->turn; /* read once, and all pushes computed before the first is summed: nothing waits */
    t.sum = {};
    t.turned = t.wrong = false;
    solver_push mine[EACH + 1];
#pragma unroll
    for (int g = 0; g < EACH; g++) {
        if (g * SOLVER_TEAM >= lists.partners)
            break;
        solver_contact contact = r->contact[g];
        solver_multiplier multiplier = r->multiplier[g];
        bool there = r->there[g] && on;
        solver_partner(&contact, &multiplier, a[g].a, a[g].b, a[g].c, there, beta, &t);
        mine[g] = solver_pushes(&contact, &multiplier, there);
        r->multiplier[g] = multiplier;
    }
    if (lists.walls) {
        solver_contact contact = r->wall;
        solver_multiplier multiplier = r->wall_multiplier;
        bool there = m.rank < r->walls && on;
        solver_wall(&contact, &multiplier, there, beta, &t);
        mine[EACH] = solver_pushes(&contact, &multiplier, there);
        r->wall_multiplier = multiplier;
    }
#pragma unroll
    for (int g = 0; g < EACH; g++)
        if (g * SOLVER_TEAM < lists.partners)
            team_add(m, &t.sum, &mine[g]);
    if (lists.walls)
        team_add(m, &t.sum, &mine[EACH]);
    team_agree(m, &t);
    if (!on)
        return false;
    *own = solver_outcome(&t);
    r->new_here = false;
    r->turn.me.dx = own->a;
    r->turn.me.dy = own->b;
    r->turn.me.stiffness = own->c;
    r->turn.stiffness = fabsf(own->c);
    r->turn.hot = own->c < 0;
    return t.wrong || t.turned;
}

/* An iteration, if there is cause; by all who do the same calls together, also by teams that have no agent. Returns
 * whether it goes on. */
TEAM_FN bool persistent_iterate(const crowd *c, contacts *k, const persistent_team &m, persistent_agent *r, float beta,
                                int32_t turn)
{
    enum { EACH = persistent_agent::EACH };
    lane_four a[EACH], own;
    bool moved = r->new_here || r->went_on == turn - 1;
#pragma unroll
    for (int g = 0; g < EACH; g++) {
        a[g] = lane_gather_four(k->a, r->partner[g]);
        moved |= __float_as_int(a[g].d) == turn - 1;
    }
    bool on = team_ballot(m, moved && r->agent >= 0) != 0;
    if (!team_any(m, on))
        return false;
    bool goes_on = persistent_push(m, r, persistent_longest_of(m, r, on), a, on, beta, &own);
    if (!on)
        return false;
    r->went_on = goes_on ? turn : r->went_on;
    own.d = __int_as_float(r->went_on);
    lane_scatter_four(k->b, r->agent, own, true);
    if (goes_on && !r->spread)
        persistent_spread(c, k, m, r);
    if (goes_on && !r->hard && turn >= SOLVER_HARD)
        persistent_harden(c, k, r);
    return goes_on;
}

/* The same, apart, for one that has no team of its own. Where memory does not say that it went on before, it is looked
 * at again. */
static __device__ __noinline__ bool persistent_iterate_kept(const crowd *c, contacts of, const persistent_team m,
                                                            int32_t i, float beta, int32_t turn)
{
    persistent_agent r;
    contacts *k = &of;
    int32_t went_on = __float_as_int(k->a[4 * i + 3]);
    persistent_take_in(c, k, m, i, turn, &r);
    if (went_on > 0 && went_on <= ITERATIONS_MAX) {
        r.new_here = false;
        r.spread = true;
        r.went_on = went_on;
    }
    bool goes_on = persistent_iterate(c, k, m, &r, beta, turn);
    persistent_keep(c, k, m, &r);
    return goes_on;
}

/* --- all of them ------------------------------------------------------------------------------------------ */

/* The blocks that take part, and the barrier they wait at: a word an iteration, of those who came (16 bits), those who
 * go on (16) and how many joined (32). */
struct grid_barrier {
    unsigned long long *arrived;
    int32_t blocks;
};

/* Waits for the other blocks, all of whose writes are seen then. Returns the word. */
static __device__ unsigned long long grid_barrier_wait(const grid_barrier *barrier, int32_t turn, bool goes_on,
                                                       int32_t *joined)
{
    __shared__ unsigned long long all;
    bool any = __syncthreads_or(goes_on);
    if (threadIdx.x == 0) {
        unsigned long long *word = &barrier->arrived[turn];
        unsigned long long mine = 1ull | (unsigned long long)any << 16 | (unsigned long long)(unsigned)*joined << 32;
        *joined = 0;
        if (barrier->blocks > 1) {
            cuda::atomic_ref<unsigned long long, cuda::thread_scope_device> all_words(*word);
            mine += all_words.fetch_add(mine, cuda::memory_order_acq_rel);
            while ((int32_t)(mine & 0xffff) < barrier->blocks)
                mine = all_words.load(cuda::memory_order_acquire);
        }
        all = mine;
    }
    __syncthreads();
    return all;
}

/* The agents of the list begin or end being persistent: their caps make way for what they write there, or come back. */
static __device__ void persistent_enter(contacts *k, int32_t count, const grid_barrier *barrier)
{
    const int32_t *list = k->persistent->list;
    for (int32_t e = whole_grid().thread; e < count; e += barrier->blocks * SOLVER_BLOCK) {
        k->turn[list[e]] = __float_as_int(k->a[4 * list[e] + 3]);
        if (k->persistent->mark != CONTACT_ACTIVE)
            k->status[list[e]] |= k->persistent->mark;
    }
}

static __device__ void persistent_leave(contacts *k, int32_t count, const grid_barrier *barrier)
{
    const int32_t *list = k->persistent->list;
    for (int32_t e = whole_grid().thread; e < count; e += barrier->blocks * SOLVER_BLOCK)
        k->a[4 * list[e] + 3] = __int_as_float(k->turn[list[e]]);
}

/* Iterates the `count` agents on the list, and all who join them, from iteration `turn` on until nobody goes on or
 * `last` is done. Returns the next. */
static __device__ int32_t persistent_solve(const crowd *c, contacts *k, const float *beta, int32_t count, int32_t turn,
                                           int32_t last, const grid_barrier *barrier, persistent_shared *shared)
{
    __shared__ int32_t joined;
    persistent_team m = team_of_thread<SOLVER_TEAM>();
    int32_t teams = barrier->blocks * SOLVER_TEAMS, mine = whole_grid().thread / SOLVER_TEAM;
    const int32_t *list = k->persistent->list;
    persistent_agent *r = &shared->own[threadIdx.x];
    *r = {};
    r->agent = -1;
    joined = 0;
    k->persistent->joined = &joined;
    persistent_enter(k, count, barrier);
    grid_barrier_wait(barrier, 0, false, &joined);
    for (bool on = true; on && turn <= last; turn++) {
        bool goes_on = false;
        if (r->agent < 0 && mine < count)
            persistent_take_in(c, k, m, list[mine], turn, r);
        __syncwarp();
        goes_on = persistent_iterate(c, k, team_together(m), r, beta[turn - 1], turn);
        for (int32_t e = mine + teams; e < count; e += teams)
            goes_on |= persistent_iterate_kept(c, *k, m, list[e], beta[turn - 1], turn);
        unsigned long long all = grid_barrier_wait(barrier, turn, goes_on, &joined);
        on = (all >> 16 & 0xffff) != 0;
        count += (int32_t)(all >> 32);
        float *a = k->a;
        k->a = k->b;
        k->b = a;
    }
    if (r->agent >= 0)
        persistent_keep(c, k, m, r);
    persistent_leave(k, count, barrier);
    return turn;
}

#endif
