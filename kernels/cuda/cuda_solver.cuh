/* The solver's bodies where a thread has an agent, and reads several of its partners at a time: memory then has several
 * requests to answer; and where a thread group has one. What comes of either is what solver.h gives. */
#ifndef THRONG_CUDA_SOLVER_CUH
#define THRONG_CUDA_SOLVER_CUH

#include "cuda_thread_group.cuh"

#include "kernels/contacts/guard.h"
#include "kernels/contacts/solver.h"

enum { SOLVER_BLOCK = 256 };

/* This thread, of all that the grid has. */
static __device__ int32_t grid_thread(void) { return (int32_t)(blockIdx.x * blockDim.x + threadIdx.x); }
static __device__ int32_t grid_threads(void) { return (int32_t)(gridDim.x * blockDim.x); }

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

/* Calls visit(share, entry) for all of an agent's partners, by one thread. */
template <typename Visit> GROUP_FN void partners_visit(const crowd *c, const contacts *k, int32_t i, Visit visit)
{
    enum { READ = partner_share<1>::READ };
#pragma unroll
    for (int entry = 0; entry < THRONG_CONTACTS_MAX; entry += READ) {
        partner_share<1> share = partners_read(c, k, thread_group<1>(), i, entry);
        if (share.count)
            visit(share, entry);
        if (share.count < READ)
            return;
    }
}

/* --- an iteration by lists ------------------------------------------------------------------------------ */

GROUP_FN void list_push_partners(const crowd *c, contacts *k, int32_t i, float beta, solver_turn *t)
{
    enum { READ = partner_share<1>::READ };
    partners_visit(c, k, i, [&](const partner_share<1> &share, int entry) {
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

/* solver_list, with the requests of a share to memory all under way at a time. */
GROUP_FN void list_next(const crowd *c, contacts *k, int32_t i, bool crowded, int32_t turn)
{
    enum { READ = partner_share<1>::READ };
    bool hard = turn > SOLVER_HARD;
    int32_t own = k->turn[i];
    if (own != turn)
        own = atomicExch(&k->turn[i], turn);
    solver_harden(c, k, i, hard);
    partners_visit(c, k, i, [&](const partner_share<1> &share, int) {
        int32_t before[READ], status[READ];
#pragma unroll
        for (int e = 0; e < READ; e++) {
            before[e] = share.there[e] ? k->turn[share.index[e]] : turn;
            status[e] = k->status[share.index[e]];
        }
#pragma unroll
        for (int e = 0; e < READ; e++) {
            solver_harden(c, k, share.index[e], hard && share.there[e]);
            if (before[e] != turn)
                before[e] = atomicExch(&k->turn[share.index[e]], turn);
        }
#pragma unroll
        for (int e = 0; e < READ; e++)
            if (before[e] != turn) {
                contacts_append(k, next, share.index[e]);
                if (status[e] == CONTACT_IDLE)
                    contacts_wake(k, share.index[e]);
            }
    });
    if (own != turn)
        contacts_append(k, next, i);
    if (crowded)
        list_beyond(c, *k, i, turn, 0, 1);
}

/* solver_iterate, by lists. With friction, a partner after the other. */
template <bool FRICTION> GROUP_FN void list_iterate(const crowd *c, contacts *k, int32_t i, float beta, int32_t turn)
{
    int32_t status = k->status[i];
    bool fresh = !(status & CONTACT_ITERATED);
    if (fresh)
        k->status[i] = status | CONTACT_ITERATED;
    solver_turn t = solver_begin(c, k, i, fresh);
    friction_sum sum = friction_none(), *drag = FRICTION ? &sum : NULL;
    lane_row row = lane_row_of(i, true);
    if (FRICTION)
        solver_partners(c, k, &row, beta, &t, drag);
    else
        list_push_partners(c, k, i, beta, &t);
    if (c->walls.count)
        solver_walls(c, k, i, true, beta, &t, drag);
    if (solver_end(c, k, i, true, &t, drag))
        list_next(c, k, i, solver_crowded(&t.me), turn + 1);
}

/* --- an iteration by groups, of agents that are marked ---------------------------------------------------- */

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

template <bool FRICTION>
GROUP_FN void group_push_partners(const crowd *c, contacts *k, const solver_group &g,
                                  const partner_share<SOLVER_GROUP> &share, float beta, solver_turn *t,
                                  friction_sum *drag)
{
    enum { READ = partner_share<SOLVER_GROUP>::READ };
    contact_body other[READ];
    solver_multiplier multiplier[READ];
#pragma unroll
    for (int e = 0; e < READ; e++) {
        other[e] = contacts_body(k, share.index[e]);
        multiplier[e] = solver_read(k->lambda, k->ahead, partner_at(c, g, t->me.index, e), t->fresh);
    }
#pragma unroll
    for (int e = 0; e < READ; e++) {
        int32_t count = share.count - e * SOLVER_GROUP;
        solver_push push = {0, 0, 0};
        if (!group_any(g, count > 0))
            break;
        if (share.there[e]) {
            solver_contact contact = solver_contact_of(c, &t->me, &other[e]);
            bool live =
                solver_partner(&contact, &multiplier[e], other[e].dx, other[e].dy, other[e].stiffness, true, beta, t);
            solver_write(k->lambda, k->ahead, partner_at(c, g, t->me.index, e), &multiplier[e], live, t->fresh);
            push = solver_pushes(&contact, &multiplier[e], true);
        }
        group_add<FRICTION>(c, g, push, other[e].dx, other[e].dy, count, &t->sum, drag);
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
    k->turn[i] = turn;
    solver_harden(c, k, i, hard);
#pragma unroll
    for (int e = 0; e < partner_share<SOLVER_GROUP>::READ; e++)
        if (share.there[e]) {
            k->turn[share.index[e]] = turn;
            solver_harden(c, k, share.index[e], hard);
        }
    if (crowded)
        list_beyond(c, *k, i, turn, g.rank, SOLVER_GROUP);
}

/* solver_iterate; by all of a warp together, those `on`. */
template <bool FRICTION>
GROUP_FN void group_iterate(const crowd *c, contacts *k, const solver_group &g, int32_t i, bool on, float beta,
                            int32_t turn)
{
    int32_t status = k->status[i];
    bool fresh = on && !(status & CONTACT_ITERATED);
    partner_share<SOLVER_GROUP> share = partners_read(c, k, g, i, 0);
    share.count = on ? share.count : 0;
#pragma unroll
    for (int e = 0; e < partner_share<SOLVER_GROUP>::READ; e++)
        share.there[e] = on && share.there[e];
    group_meet(g);
    if (fresh && g.rank == 0)
        k->status[i] = status | CONTACT_ITERATED;
    solver_turn t = solver_begin(c, k, i, fresh);
    friction_sum sum = friction_none(), *drag = FRICTION ? &sum : NULL;
    group_push_partners<FRICTION>(c, k, g, share, beta, &t, drag);
    if (c->walls.count)
        group_push_walls<FRICTION>(c, k, g, on, beta, &t, drag);
    t.turned = group_ballot(g, t.turned) != 0;
    t.wrong = group_ballot(g, t.wrong) != 0;
    if (on && solver_end(c, k, i, true, &t, drag))
        group_mark(c, k, g, i, share, solver_crowded(&t.me), turn + 1);
}

/* solver_cut. Returns whether it changed anything. */
GROUP_FN bool list_cut(const crowd *c, contacts *k, int32_t i)
{
    float dx = k->a[4 * i], dy = k->a[4 * i + 1];
    solver_cut(c, k, i, true);
    return k->a[4 * i] != dx || k->a[4 * i + 1] != dy;
}

#endif
