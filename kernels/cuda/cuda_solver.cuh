/* The solver's bodies where a thread has an agent, and reads several of its partners at a time: memory then has several
 * requests to answer. What comes of it is what solver.h gives. */
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

/* solver_cut. Returns whether it changed anything. */
GROUP_FN bool list_cut(const crowd *c, contacts *k, int32_t i)
{
    float dx = k->a[4 * i], dy = k->a[4 * i + 1];
    solver_cut(c, k, i, true);
    return k->a[4 * i] != dx || k->a[4 * i + 1] != dy;
}

#endif
