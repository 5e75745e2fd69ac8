/* Residents: agents that stay with a team of threads from iteration to iteration.
 *
 * What an agent's contacts are does not change in a step; only where its partners want to go does. As soon as there are
 * teams for everybody who is listed, each team takes one in for good: contacts, multipliers and wishes stay in shared
 * memory, and an iteration is the partners' displacements, some arithmetic, and a meeting (3 us on an H200; by lists
 * 10). (They are too many for registers, and what is put aside for want of them is fetched from far away after every
 * meeting, which empties the cache.) There is no list any more: an agent writes beside its displacement in which
 * iteration it last went on, in place of its cap, and who finds that neither it nor a partner went on in the last one
 * rests. Nothing would come of looking: all it depends on is as it was. Who goes on for the first time makes all whom
 * it could touch residents; they are taken in by the next teams that have nobody, and where teams are used up, these
 * look after the rest from memory.
 */
#ifndef THRONG_CUDA_RESIDENT_CUH
#define THRONG_CUDA_RESIDENT_CUH

#include <cuda/atomic>

#include "cuda_solver.cuh"

typedef team<SOLVER_TEAM> resident_team;

/* An agent with a team; each thread has its share of the contacts. An odd number of words: the threads of a warp then
 * find theirs in different banks. */
struct resident {
    enum { EACH = resident_team::EACH };
    int32_t agent; /* -1: none */
    solver_turn turn;
    int32_t went_on;     /* in this iteration, last */
    bool hard;           /* it and its partners were hardened */
    bool new_here;       /* it was not iterated as a resident yet */
    bool spread;         /* all whom it could touch are residents */
    int partners, walls; /* of the team */
    int32_t partner[EACH];
    bool there[EACH];
    solver_contact contact[EACH], wall;
    solver_multiplier multiplier[EACH], wall_multiplier;
};
static_assert(sizeof(resident) / 4 % 2 == 1, "an odd number of words");
static_assert(SOLVER_TEAM == (int)CONTACT_WALLS_MAX, "a wall for everybody");

/* The shared memory of a block: batches before and after there are residents. */
union resident_shared {
    struct {
        contacts_batch active, next;
    } batches;
    resident own[SOLVER_BLOCK];
};
static_assert(sizeof(resident_shared) <= 64 << 10, "what every device has");

/* The block's batches, empty; all its threads call this. */
static __device__ void resident_begin_batches(contacts *k, resident_shared *shared)
{
    k->active_batch = &shared->batches.active;
    k->next_batch = &shared->batches.next;
    __syncthreads();
    if (threadIdx.x == 0)
        k->active_batch->count = k->next_batch->count = 0;
    __syncthreads();
}

TEAM_FN void resident_take_walls(const crowd *c, contacts *k, const resident_team &m, resident *r)
{
    int32_t at = r->agent * CONTACT_WALLS_MAX + m.rank, wall = k->wall[at];
    r->walls = __ffs((int)~team_ballot(m, wall >= 0)) - 1;
    r->wall = solver_contact_wall(c, &r->turn.me, wall, m.rank < r->walls);
    r->wall_multiplier = solver_read(k->wall_lambda, k->wall_ahead, at, r->turn.fresh);
}

/* Agent `i` as it is in memory. */
TEAM_FN void resident_take(const crowd *c, contacts *k, const resident_team &m, int32_t i, bool fresh, resident *r)
{
    r->agent = i;
    r->turn = solver_begin(c, k, i, fresh);
    r->went_on = 0;
    r->hard = r->spread = false;
    r->new_here = true;
    team_group<SOLVER_TEAM> group = team_read(c, k, m, i, 0);
    static_assert(resident_team::GROUP == resident_team::EACH, "one group is all");
    r->partners = group.count;
#pragma unroll
    for (int g = 0; g < resident::EACH; g++) {
        contact_body other = contacts_body(k, group.index[g]);
        r->partner[g] = group.index[g];
        r->there[g] = group.there[g];
        r->contact[g] = solver_contact_of(c, &r->turn.me, &other);
        r->multiplier[g] = solver_read(k->lambda, k->ahead, team_entry(c, m, i, g), r->turn.fresh);
    }
    r->walls = 0;
    if (c->walls.count)
        resident_take_walls(c, k, m, r);
}

/* The same before iteration `turn` of residents, whose caps make way. */
TEAM_FN void resident_take_in(const crowd *c, contacts *k, const resident_team &m, int32_t i, int32_t turn, resident *r)
{
    resident_take(c, k, m, i, team_begins(k, m, i) || turn == 1, r);
    r->turn.me.cap = __int_as_float(k->turn[i]);
}

/* Its multipliers, to memory. */
TEAM_FN void resident_keep(const crowd *c, contacts *k, const resident_team &m, const resident *r)
{
#pragma unroll
    for (int g = 0; g < resident::EACH; g++)
        solver_write(k->lambda, k->ahead, team_entry(c, m, r->agent, g), &r->multiplier[g], r->there[g], false);
    if (m.rank < r->walls)
        solver_write(k->wall_lambda, k->wall_ahead, r->agent * CONTACT_WALLS_MAX + m.rank, &r->wall_multiplier, true,
                     false);
}

/* All whom it could touch become residents. */
TEAM_FN void resident_spread(const crowd *c, contacts *k, const resident_team &m, resident *r)
{
#pragma unroll
    for (int g = 0; g < resident::EACH; g++)
        if (r->there[g])
            contacts_join(k, r->partner[g]);
    if (solver_crowded(c, &r->turn.me))
        team_list_beyond(c, *k, r->agent, 0, m.rank, SOLVER_TEAM);
    r->spread = true;
}

TEAM_FN void resident_harden(const crowd *c, contacts *k, resident *r)
{
    solver_harden(c, k, r->agent, true);
#pragma unroll
    for (int g = 0; g < resident::EACH; g++)
        solver_harden(c, k, r->partner[g], r->there[g]);
    r->hard = true;
}

/* The longest lists of those who do the same calls, or a little more: none has more partners, or any walls. */
struct resident_longest {
    int partners;
    bool walls;
};

TEAM_FN resident_longest resident_longest_of(const resident_team &m, const resident *r, bool on)
{
    int partners = SOLVER_TEAM;
    while (team_any(m, on && r->partners > partners))
        partners += SOLVER_TEAM;
    return {partners, team_any(m, on && r->walls)};
}

/* solver_iterate of those who are `on`, whose partners want `a`; by all who do the same calls together. Returns whether
 * it goes on; what it wants then is in `own`. */
TEAM_FN bool resident_push(const resident_team &m, resident *r, const resident_longest &lists, const lane_four *a,
                           bool on, float beta, lane_four *own)
{
    enum { EACH = resident::EACH };
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
TEAM_FN bool resident_iterate(const crowd *c, contacts *k, const resident_team &m, resident *r, float beta,
                              int32_t turn)
{
    enum { EACH = resident::EACH };
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
    bool goes_on = resident_push(m, r, resident_longest_of(m, r, on), a, on, beta, &own);
    if (!on)
        return false;
    r->went_on = goes_on ? turn : r->went_on;
    own.d = __int_as_float(r->went_on);
    lane_scatter_four(k->b, r->agent, own, true);
    if (goes_on && !r->spread)
        resident_spread(c, k, m, r);
    if (goes_on && !r->hard && turn >= SOLVER_HARD)
        resident_harden(c, k, r);
    return goes_on;
}

/* The same, apart, for one that has no team of its own. Where memory does not say that it went on before, it is looked
 * at again. */
static __device__ __noinline__ bool resident_iterate_kept(const crowd *c, contacts of, const resident_team m, int32_t i,
                                                          float beta, int32_t turn)
{
    resident r;
    contacts *k = &of;
    int32_t went_on = __float_as_int(k->a[4 * i + 3]);
    resident_take_in(c, k, m, i, turn, &r);
    if (went_on > 0 && went_on <= ITERATIONS_MAX) {
        r.new_here = false;
        r.spread = true;
        r.went_on = went_on;
    }
    bool goes_on = resident_iterate(c, k, m, &r, beta, turn);
    resident_keep(c, k, m, &r);
    return goes_on;
}

/* --- all of them ------------------------------------------------------------------------------------------ */

/* The blocks that take part, and what they meet at: a word an iteration, of those who came (16 bits), those who go on
 * (16) and how many joined (32). */
struct resident_crew {
    unsigned long long *meeting;
    int32_t blocks;
};

/* Waits for the other blocks, all of whose writes are seen then. Returns the word. */
static __device__ unsigned long long resident_meet(const resident_crew *crew, int32_t turn, bool goes_on,
                                                   int32_t *joined)
{
    __shared__ unsigned long long all;
    bool any = __syncthreads_or(goes_on);
    if (threadIdx.x == 0) {
        unsigned long long *word = &crew->meeting[turn];
        unsigned long long mine = 1ull | (unsigned long long)any << 16 | (unsigned long long)(unsigned)*joined << 32;
        *joined = 0;
        if (crew->blocks > 1) {
            cuda::atomic_ref<unsigned long long, cuda::thread_scope_device> all_words(*word);
            mine += all_words.fetch_add(mine, cuda::memory_order_acq_rel);
            while ((int32_t)(mine & 0xffff) < crew->blocks)
                mine = all_words.load(cuda::memory_order_acquire);
        }
        all = mine;
    }
    __syncthreads();
    return all;
}

/* The agents of the list begin or end being residents: their caps make way for what they write there, or come back. */
static __device__ void resident_enter(contacts *k, int32_t count, const resident_crew *crew)
{
    const int32_t *list = k->residents->list;
    for (int32_t e = whole_grid().thread; e < count; e += crew->blocks * SOLVER_BLOCK) {
        k->turn[list[e]] = __float_as_int(k->a[4 * list[e] + 3]);
        if (k->residents->mark != CONTACT_ACTIVE)
            k->status[list[e]] |= k->residents->mark;
    }
}

static __device__ void resident_leave(contacts *k, int32_t count, const resident_crew *crew)
{
    const int32_t *list = k->residents->list;
    for (int32_t e = whole_grid().thread; e < count; e += crew->blocks * SOLVER_BLOCK)
        k->a[4 * list[e] + 3] = __int_as_float(k->turn[list[e]]);
}

/* Iterates the `count` agents on the list, and all who join them, from iteration `turn` on until nobody goes on or
 * `last` is done. Returns the next. */
static __device__ int32_t resident_solve(const crowd *c, contacts *k, const float *beta, int32_t count, int32_t turn,
                                         int32_t last, const resident_crew *crew, resident_shared *shared)
{
    __shared__ int32_t joined;
    resident_team m = team_of_thread<SOLVER_TEAM>();
    int32_t teams = crew->blocks * SOLVER_TEAMS, mine = whole_grid().thread / SOLVER_TEAM;
    const int32_t *list = k->residents->list;
    resident *r = &shared->own[threadIdx.x];
    *r = {};
    r->agent = -1;
    joined = 0;
    k->residents->joined = &joined;
    resident_enter(k, count, crew);
    resident_meet(crew, 0, false, &joined);
    for (bool on = true; on && turn <= last; turn++) {
        bool goes_on = false;
        if (r->agent < 0 && mine < count)
            resident_take_in(c, k, m, list[mine], turn, r);
        __syncwarp();
        goes_on = resident_iterate(c, k, team_together(m), r, beta[turn - 1], turn);
        for (int32_t e = mine + teams; e < count; e += teams)
            goes_on |= resident_iterate_kept(c, *k, m, list[e], beta[turn - 1], turn);
        unsigned long long all = resident_meet(crew, turn, goes_on, &joined);
        on = (all >> 16 & 0xffff) != 0;
        count += (int32_t)(all >> 32);
        float *a = k->a;
        k->a = k->b;
        k->b = a;
    }
    if (r->agent >= 0)
        resident_keep(c, k, m, r);
    resident_leave(k, count, crew);
    return turn;
}

#endif
