/* The solver's bodies where a thread has an agent, and reads several of its partners at a time: memory then has several
 * requests to answer; and where a thread group has one. What comes of either is what solver.h gives.
 *
 * Each block has agents of its own. Whoever goes on marks whom the next iteration looks at, and when all blocks have
 * met, each lists those of its own that are marked: nothing is counted or exchanged by all, and an iteration is a few
 * requests to memory, one after the other, and a barrier. */
#ifndef THRONG_CUDA_SOLVER_CUH
#define THRONG_CUDA_SOLVER_CUH

#include <cuda/atomic>

#include "cuda_thread_group.cuh"

#include "kernels/contacts/guard.h"
#include "kernels/contacts/solver.h"

enum { SOLVER_BLOCK = 256 };

/* This thread, of all that the grid has. */
static __device__ int32_t grid_thread(void) { return (int32_t)(blockIdx.x * blockDim.x + threadIdx.x); }
static __device__ int32_t grid_threads(void) { return (int32_t)(gridDim.x * blockDim.x); }

/* --- the barrier ------------------------------------------------------------------------------------------ */

/* The blocks, and the barrier they wait at: a word each time, of those who came (16 bits), and those who go on (16). */
struct grid_barrier {
    unsigned long long *arrived;
    int32_t blocks;
};

/* Waits for the other blocks, the `n`th time. Does anybody go on? */
static __device__ bool grid_barrier_wait(const grid_barrier *barrier, int32_t n, bool goes_on)
{
    __shared__ unsigned all;
    bool any = __syncthreads_or(goes_on);
    if (threadIdx.x == 0) {
        cuda::atomic_ref<unsigned long long, cuda::thread_scope_device> word(barrier->arrived[n]);
        unsigned long long mine = 1 | (unsigned long long)any << 16;
        mine += word.fetch_add(mine, cuda::memory_order_acq_rel);
        while ((int32_t)(mine & 0xffff) < barrier->blocks)
            mine = word.load(cuda::memory_order_acquire);
        all = (unsigned)mine;
    }
    __syncthreads();
    return all >> 16 != 0;
}

/* --- partners ------------------------------------------------------------------------------------------- */

/* A thread's share of an agent's partners, or of one thread's as many as are read together: memory then has several
 * requests at a time to answer. */
template <int SIZE> struct partner_share {
    enum { ALL = THRONG_CONTACTS_MAX / SIZE, READ = SIZE == 1 ? 4 : ALL };
    static_assert(ALL * SIZE == THRONG_CONTACTS_MAX && ALL % READ == 0, "a share for everybody");
    int32_t index[READ]; /* the agent itself where there is none */
    bool there[READ];
    int count; /* of the group's, in these entries */
};

template <int SIZE> GROUP_FN int32_t partner_at(const crowd *c, const thread_group<SIZE> &g, int32_t i, int entry)
{
    return i + (entry * SIZE + g.rank) * c->stride;
}

/* From a thread's entry `entry` on. */
template <int SIZE>
GROUP_FN partner_share<SIZE> partners_read(const crowd *c, const contacts *k, const thread_group<SIZE> &g, int32_t i,
                                           int entry)
{
    enum { READ = partner_share<SIZE>::READ };
    partner_share<SIZE> p;
    unsigned listed = 0;
#pragma unroll
    for (int e = 0; e < READ; e++)
        p.index[e] = k->partner[partner_at(c, g, i, entry + e)];
#pragma unroll
    for (int e = 0; e < READ; e++)
        listed |= group_ballot(g, p.index[e] >= 0) << (e * SIZE);
    p.count = __ffs((int)~listed) - 1; /* a list ends at its first -1; what lies behind is old */
#pragma unroll
    for (int e = 0; e < READ; e++) {
        p.there[e] = e * SIZE + g.rank < p.count;
        p.index[e] = p.there[e] ? p.index[e] : i;
    }
    return p;
}

/* Calls visit(share, entry) for all of an agent's partners, by one thread, which has read the `first` of them. */
template <typename Visit>
GROUP_FN void partners_visit(const crowd *c, const contacts *k, int32_t i, const partner_share<1> &first, Visit visit)
{
    enum { READ = partner_share<1>::READ };
#pragma unroll
    for (int entry = 0; entry < THRONG_CONTACTS_MAX; entry += READ) {
        partner_share<1> share = entry ? partners_read(c, k, thread_group<1>(), i, entry) : first;
        if (share.count)
            visit(share, entry);
        if (share.count < READ)
            return;
    }
}

/* Agent `i` is looked at: from the first time on it takes part. */
GROUP_FN void solver_look(const contacts *k, int32_t i, int32_t status)
{
    if (!(status & CONTACT_ITERATED))
        k->status[i] = CONTACT_ACTIVE | CONTACT_ITERATED;
}

/* --- an iteration, of agents a thread each ---------------------------------------------------------------------- */

GROUP_FN void thread_push_partners(const crowd *c, contacts *k, const partner_share<1> &first, float beta,
                                   solver_turn *t)
{
    enum { READ = partner_share<1>::READ };
    int32_t i = t->me.index;
    partners_visit(c, k, i, first, [&](const partner_share<1> &share, int entry) {
        contact_body other[READ];
        solver_multiplier multiplier[READ];
#pragma unroll
        for (int e = 0; e < READ; e++) {
            other[e] = contacts_body(k, share.index[e]);
            multiplier[e] = solver_read(k->lambda, k->ahead, i + (entry + e) * c->stride, t->fresh);
        }
#pragma unroll
        for (int e = 0; e < READ; e++)
            if (share.there[e]) {
                solver_contact contact = solver_contact_of(c, &t->me, &other[e]);
                bool live = solver_partner(&contact, &multiplier[e], other[e].dx, other[e].dy, other[e].stiffness, true,
                                           beta, t);
                solver_write(k->lambda, k->ahead, i + (entry + e) * c->stride, &multiplier[e], live, t->fresh);
                solver_push mine = solver_pushes(&contact, &multiplier[e], true);
                solver_add(&t->sum, &mine);
            }
    });
}

/* solver_list_beyond, apart: few need it, and whoever does not should not have to fetch its instructions. */
static __device__ __noinline__ void list_beyond(const crowd *c, contacts k, int32_t i, int32_t turn, int32_t rank,
                                                int32_t threads)
{
    solver_list_beyond(c, &k, i, true, turn, rank, threads);
}

/* Marks whom iteration `turn` looks at since agent `i` goes on. */
GROUP_FN void thread_mark(const crowd *c, contacts *k, int32_t i, const partner_share<1> &first, bool crowded,
                          int32_t turn)
{
    enum { READ = partner_share<1>::READ };
    bool hard = turn > SOLVER_HARD;
    contacts_mark(k, i, turn);
    solver_harden(c, k, i, hard);
    partners_visit(c, k, i, first, [&](const partner_share<1> &share, int) {
#pragma unroll
        for (int e = 0; e < READ; e++)
            if (share.there[e]) {
                contacts_mark(k, share.index[e], turn);
                solver_harden(c, k, share.index[e], hard);
            }
    });
    if (crowded)
        list_beyond(c, *k, i, turn, 0, 1);
}

/* solver_iterate. With friction, a partner after the other. Returns whether the agent goes on. */
template <bool FRICTION> GROUP_FN bool thread_iterate(const crowd *c, contacts *k, int32_t i, float beta, int32_t turn)
{
    int32_t status = k->status[i];
    partner_share<1> first = partners_read(c, k, thread_group<1>(), i, 0);
    solver_turn t = solver_begin(c, k, i, !(status & CONTACT_ITERATED));
    solver_look(k, i, status);
    friction_sum sum = friction_none(), *drag = FRICTION ? &sum : NULL;
    lane_row row = lane_row_of(i, true);
    if (FRICTION)
        solver_partners(c, k, &row, beta, &t, drag);
    else
        thread_push_partners(c, k, first, beta, &t);
    if (c->walls.count)
        solver_walls(c, k, i, true, beta, &t, drag);
    bool goes_on = solver_end(c, k, i, true, &t, drag);
    if (goes_on)
        thread_mark(c, k, i, first, solver_crowded(&t.me), turn + 1);
    return goes_on;
}

/* --- an iteration by groups ------------------------------------------------------------------------------- */

/* A group has an agent, whose partners and walls its threads share out. */
enum { SOLVER_GROUP = 4 };
typedef thread_group<SOLVER_GROUP> solver_group;
static_assert((int)CONTACT_WALLS_MAX == SOLVER_GROUP, "a wall a thread");

/* Adds what the threads' contacts push, the first `count` of them, thread by thread. */
template <bool FRICTION>
GROUP_FN void group_add(const crowd *c, const solver_group &g, const solver_push &own, float dx, float dy,
                        int32_t count, solver_sum *sum, friction_sum *drag)
{
#pragma unroll
    for (int q = 0; q < SOLVER_GROUP; q++) {
        solver_push p = {group_take(g, own.nx, q), group_take(g, own.ny, q), group_take(g, own.push, q)};
        float theirs_x = FRICTION ? group_take(g, dx, q) : 0, theirs_y = FRICTION ? group_take(g, dy, q) : 0;
        if (q >= count)
            continue;
        solver_add(sum, &p);
        if (FRICTION)
            friction_add(c, drag, p.nx, p.ny, p.push, theirs_x, theirs_y);
    }
}

/* A thread's share of an agent's contacts with others. */
struct group_contacts {
    enum { READ = partner_share<SOLVER_GROUP>::READ };
    contact_body other[READ];
    solver_multiplier multiplier[READ];
};

GROUP_FN group_contacts group_read(const crowd *c, const contacts *k, const solver_group &g, int32_t i,
                                   const partner_share<SOLVER_GROUP> &share, bool fresh)
{
    group_contacts r;
#pragma unroll
    for (int e = 0; e < group_contacts::READ; e++) {
        r.other[e] = contacts_body(k, share.index[e]);
        r.multiplier[e] = solver_read(k->lambda, k->ahead, partner_at(c, g, i, e), fresh);
    }
    return r;
}

template <bool FRICTION>
GROUP_FN void group_push_partners(const crowd *c, contacts *k, const solver_group &g,
                                  const partner_share<SOLVER_GROUP> &share, group_contacts *r, float beta,
                                  solver_turn *t, friction_sum *drag)
{
#pragma unroll
    for (int e = 0; e < group_contacts::READ; e++) {
        int32_t count = share.count - e * SOLVER_GROUP;
        solver_push push = {0, 0, 0};
        const contact_body &other = r->other[e];
        solver_multiplier *multiplier = &r->multiplier[e];
        if (!group_any(g, count > 0))
            break;
        if (share.there[e]) {
            solver_contact contact = solver_contact_of(c, &t->me, &other);
            bool live = solver_partner(&contact, multiplier, other.dx, other.dy, other.stiffness, true, beta, t);
            solver_write(k->lambda, k->ahead, partner_at(c, g, t->me.index, e), multiplier, live, t->fresh);
            push = solver_pushes(&contact, multiplier, true);
        }
        group_add<FRICTION>(c, g, push, other.dx, other.dy, count, &t->sum, drag);
    }
}

template <bool FRICTION>
GROUP_FN void group_push_walls(const crowd *c, contacts *k, const solver_group &g, bool on, float beta, solver_turn *t,
                               friction_sum *drag)
{
    int32_t wall = on ? k->wall[t->me.index * CONTACT_WALLS_MAX + g.rank] : -1;
    int32_t count = __ffs((int)~group_ballot(g, wall >= 0)) - 1;
    solver_push push = {0, 0, 0};
    if (!group_any(g, count > 0))
        return;
    if (g.rank < count)
        push = solver_wall_listed(c, k, t->me.index, g.rank, wall, true, beta, t);
    group_add<FRICTION>(c, g, push, 0, 0, count, &t->sum, drag);
}

/* Marks whom iteration `turn` looks at since agent `i` goes on. */
GROUP_FN void group_mark(const crowd *c, contacts *k, const solver_group &g, int32_t i,
                         const partner_share<SOLVER_GROUP> &share, bool crowded, int32_t turn)
{
    bool hard = turn > SOLVER_HARD;
    contacts_mark(k, i, turn);
    solver_harden(c, k, i, hard);
#pragma unroll
    for (int e = 0; e < partner_share<SOLVER_GROUP>::READ; e++)
        if (share.there[e]) {
            contacts_mark(k, share.index[e], turn);
            solver_harden(c, k, share.index[e], hard);
        }
    if (crowded)
        list_beyond(c, *k, i, turn, g.rank, SOLVER_GROUP);
}

/* solver_iterate; by all of a warp together, those `on`. Returns whether the agent goes on. */
template <bool FRICTION>
GROUP_FN bool group_iterate(const crowd *c, contacts *k, const solver_group &g, int32_t i, bool on, float beta,
                            int32_t turn)
{
    int32_t status = k->status[i];
    bool fresh = on && !(status & CONTACT_ITERATED);
    partner_share<SOLVER_GROUP> share = partners_read(c, k, g, i, 0);
    share.count = on ? share.count : 0;
#pragma unroll
    for (int e = 0; e < partner_share<SOLVER_GROUP>::READ; e++)
        share.there[e] = on && share.there[e];
    group_contacts pairs = group_read(c, k, g, i, share, fresh); /* before anything is written: all are under way */
    solver_turn t = solver_begin(c, k, i, fresh);
    friction_sum sum = friction_none(), *drag = FRICTION ? &sum : NULL;
    group_meet(g);
    if (on && g.rank == 0)
        solver_look(k, i, status);
    group_push_partners<FRICTION>(c, k, g, share, &pairs, beta, &t, drag);
    if (c->walls.count)
        group_push_walls<FRICTION>(c, k, g, on, beta, &t, drag);
    t.turned = group_ballot(g, t.turned) != 0;
    t.wrong = group_ballot(g, t.wrong) != 0;
    bool goes_on = on && solver_end(c, k, i, true, &t, drag);
    if (goes_on)
        group_mark(c, k, g, i, share, solver_crowded(&t.me), turn + 1);
    return goes_on;
}

/* --- a block's agents ------------------------------------------------------------------------------------ */

/* Of every gridDim.x rows of agents a block has one, so that jams are shared out. */
enum { OWN_ROW = 32 };

/* Agent `n` of the block; a row may end before it. */
GROUP_FN int32_t own_agent(int32_t n)
{
    return (n / OWN_ROW * (int32_t)gridDim.x + (int32_t)blockIdx.x) * OWN_ROW + n % OWN_ROW;
}

/* How many it has, of all, in whole rows. */
GROUP_FN int32_t own_agents(int32_t agents)
{
    int32_t rows = (agents + OWN_ROW - 1) / OWN_ROW, blocks = (int32_t)gridDim.x;
    return (rows - (int32_t)blockIdx.x + blocks - 1) / blocks * OWN_ROW;
}

/* Some of OWN_MOST of them. */
enum { OWN_MOST = 4096 };
struct own_list {
    int32_t from, length;
    uint16_t own[OWN_MOST]; /* less `from` */
};
enum { OWN_ACTIVE = 0, OWN_CUT = -1 }; /* no iteration */

GROUP_FN int32_t list_agent(const own_list *list, int32_t a) { return own_agent(list->from + list->own[a]); }

/* Lists those of a block's agents `from` .. whom iteration `turn` looks at; OWN_ACTIVE: those who take part, OWN_CUT:
 * whom solver_cut cut. All threads of the block call this, and have met since the last list; where `from` is not 0 they
 * do so here. */
static __device__ void list_own(const crowd &c, const contacts *k, own_list *list, int32_t from, int32_t turn)
{
    enum { READ = 8 }; /* at a time */
    const volatile int32_t *of = turn <= 1 ? k->status : k->turn;
    int32_t to = min(own_agents(c.frame.agents) - from, (int32_t)OWN_MOST), threads = (int32_t)blockDim.x;
    if (from)
        __syncthreads();
    if (threadIdx.x == 0) {
        list->from = from;
        list->length = 0;
    }
    __syncthreads();
    for (int32_t first = (int32_t)threadIdx.x; first < to; first += READ * threads) {
        int32_t word[READ];
#pragma unroll
        for (int e = 0; e < READ; e++) {
            int32_t n = first + e * threads, i = own_agent(from + n);
            word[e] = n < to && i < c.frame.agents ? of[i] : 0;
        }
#pragma unroll
        for (int e = 0; e < READ; e++) {
            int32_t n = first + e * threads;
            if (turn == OWN_CUT ? (word[e] & CONTACT_CUT) != 0
                : turn <= 1     ? word[e] != CONTACT_IDLE
                                : contacts_is_marked(word[e], turn))
                list->own[atomicAdd(&list->length, 1)] = (uint16_t)n;
        }
    }
    __syncthreads();
}

/* Calls visit(agent) for all who are listed, a thread each. */
template <typename Visit> GROUP_FN void list_visit(const own_list *list, Visit visit)
{
    for (int32_t a = (int32_t)threadIdx.x; a < list->length; a += (int32_t)blockDim.x)
        visit(list_agent(list, a));
}

/* The same by a group each, all of a warp together: visit(group, agent, is it one of the list's?). */
template <typename Visit> GROUP_FN void list_visit_groups(const own_list *list, Visit visit)
{
    enum { AGENTS = 32 / SOLVER_GROUP }; /* of a warp */
    const solver_group g = group_of_warp<SOLVER_GROUP>();
    int32_t first = (int32_t)threadIdx.x / 32 * AGENTS, mine = (int32_t)threadIdx.x % 32 / SOLVER_GROUP;
    for (int32_t a = first; a < list->length; a += (int32_t)blockDim.x / SOLVER_GROUP) {
        bool on = a + mine < list->length;
        visit(g, list_agent(list, on ? a + mine : a), on);
    }
}

/* Iteration `turn` of those listed: by groups where there is one for each of them, which took less long (of 100,000
 * agents on an H200 all iterations took 54 us, with a thread each 65), or `always`; else by a thread each, which was
 * less work (of 1,000,000 a frame took 1.11 ms, by groups 1.16). Returns whether any of the thread's goes on. */
template <bool FRICTION>
GROUP_FN bool list_iterate(const crowd *c, contacts *k, const own_list *list, bool always, float beta, int32_t turn)
{
    bool goes_on = false;
    if (always || list->length <= (int32_t)blockDim.x / SOLVER_GROUP)
        list_visit_groups(list, [&](const solver_group &g, int32_t i, bool on) {
            goes_on |= group_iterate<FRICTION>(c, k, g, i, on, beta, turn);
        });
    else
        list_visit(list, [&](int32_t i) { goes_on |= thread_iterate<FRICTION>(c, k, i, beta, turn); });
    return goes_on;
}

#endif
