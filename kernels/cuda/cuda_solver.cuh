/* The solver's bodies for a team of threads an agent, or a thread: its partners are shared out, thread q of a team has
 * partners q, q + TEAM, ... and wall q. What they push is summed in the order of the lists, which gives what one thread
 * gives (solver.h, guard.h).
 *
 * Where more are listed than there are teams an iteration goes by lists, a thread an agent, which reads several
 * partners at a time; persistent agents (cuda_persistent.cuh), cuts at walls and, where there are
 * threads enough, the first look of the guard have teams. */
#ifndef THRONG_CUDA_SOLVER_CUH
#define THRONG_CUDA_SOLVER_CUH

#include "kernels/contacts/guard.h"
#include "kernels/contacts/solver.h"

enum { SOLVER_TEAM = 4, SOLVER_BLOCK = 256, SOLVER_TEAMS = SOLVER_BLOCK / SOLVER_TEAM };

#define TEAM_FN static __device__ __forceinline__

/* A thread's place: in its team, of the team in the warp, who they are, and who does the same calls. All threads of a
 * team do; where all of a warp do, too, they do not wait for each other team by team. */
template <int TEAM> struct team {
    enum {
        EACH = THRONG_CONTACTS_MAX / TEAM, /* entries of a list, a thread */
        GROUP = TEAM == 1 ? 4 : EACH       /* read together: memory then has several requests at a time to answer */
    };
    int rank, first;
    unsigned mask, together;
};

template <int TEAM> TEAM_FN team<TEAM> team_of_thread(void)
{
    int lane = (int)threadIdx.x % 32, rank = lane % TEAM, first = lane - rank;
    unsigned mask = ((1u << TEAM) - 1) << first;
    return {rank, first, mask, mask};
}

/* The same, where all of a warp do the same calls. */
template <int TEAM> TEAM_FN team<TEAM> team_together(team<TEAM> m)
{
    m.together = ~0u;
    return m;
}

/* Is it so for anybody who does the same calls? */
template <int TEAM> TEAM_FN bool team_any(const team<TEAM> &m, bool is)
{
    return TEAM == 1 ? is : __any_sync(m.together, is);
}

/* For which of the team's threads it is true, as bits. */
template <int TEAM> TEAM_FN unsigned team_ballot(const team<TEAM> &m, bool is)
{
    return TEAM == 1 ? is : (__ballot_sync(m.together, is) & m.mask) >> m.first;
}

/* What thread q has. */
template <int TEAM, typename T> TEAM_FN T team_take(const team<TEAM> &m, T value, int q)
{
    return TEAM == 1 ? value : __shfl_sync(m.together, value, m.first + q);
}

/* Adds what each thread pushes, in their order. */
template <int TEAM> TEAM_FN void team_add(const team<TEAM> &m, solver_sum *sum, const solver_push *mine)
{
    solver_sum part = {};
    solver_add(&part, mine);
#pragma unroll
    for (int q = 0; q < TEAM; q++) {
        sum->x = sum->x + team_take(m, part.x, q);
        sum->y = sum->y + team_take(m, part.y, q);
        sum->xx = sum->xx + team_take(m, part.xx, q);
        sum->xy = sum->xy + team_take(m, part.xy, q);
        sum->yy = sum->yy + team_take(m, part.yy, q);
    }
}

/* The threads that share a list out: how many, and which of them this is. */
struct thread_group {
    int32_t thread, threads;
};

static __device__ thread_group whole_grid(void)
{
    return {(int32_t)(blockIdx.x * blockDim.x + threadIdx.x), (int32_t)(gridDim.x * blockDim.x)};
}

/* --- partners ------------------------------------------------------------------------------------------- */

template <int TEAM> TEAM_FN int32_t team_entry(const crowd *c, const team<TEAM> &m, int32_t i, int e)
{
    return i + (e * TEAM + m.rank) * c->stride;
}

/* Entries e, ... of a thread's share of an agent's partners. */
template <int TEAM> struct team_group {
    int32_t index[team<TEAM>::GROUP]; /* the agent itself where there is none */
    bool there[team<TEAM>::GROUP];
    int count; /* of the team's in these entries */
};

template <int TEAM>
TEAM_FN team_group<TEAM> team_read(const crowd *c, const contacts *k, const team<TEAM> &m, int32_t i, int e)
{
    enum { GROUP = team<TEAM>::GROUP, EACH = team<TEAM>::EACH };
    static_assert(EACH * TEAM == THRONG_CONTACTS_MAX && EACH % GROUP == 0, "a share for everybody");
    team_group<TEAM> p;
    unsigned listed = 0;
#pragma unroll
    for (int g = 0; g < GROUP; g++)
        p.index[g] = k->partner[team_entry(c, m, i, e + g)];
#pragma unroll
    for (int g = 0; g < GROUP; g++)
        listed |= team_ballot(m, p.index[g] >= 0) << (g * TEAM);
    p.count = __ffs((int)~listed) - 1; /* a list ends at its first -1; what lies behind is old */
#pragma unroll
    for (int g = 0; g < GROUP; g++) {
        p.there[g] = g * TEAM + m.rank < p.count;
        p.index[g] = p.there[g] ? p.index[g] : i;
    }
    return p;
}

/* Calls visit(group, e) for every group of an agent's partners. */
template <int TEAM, typename Visit>
TEAM_FN void team_partners(const crowd *c, const contacts *k, const team<TEAM> &m, int32_t i, Visit visit)
{
    enum { GROUP = team<TEAM>::GROUP };
#pragma unroll
    for (int e = 0; e < team<TEAM>::EACH; e += GROUP) {
        team_group<TEAM> group = team_read(c, k, m, i, e);
        if (group.count)
            visit(group, e);
        if (group.count < GROUP * TEAM)
            return;
    }
}

/* --- walls ---------------------------------------------------------------------------------------------- */

/* Calls visit(wall, near, s) for all walls of an agent's cell; as many times in each thread of a team. */
template <int TEAM, typename Visit>
TEAM_FN void team_walls_of(const crowd *c, const team<TEAM> &m, const throng_wall_grid *grid, const contact_body *me,
                           Visit visit)
{
    int32_t at, to;
    int32_t slot = c->sheets.count ? c->slot[me->index] : 0;
    walls_range(c, grid, slot, me->x, me->y, shape_reach(c, me->index, me->radius) + c->largest_step, true, &at, &to);
    for (; at < to; at += TEAM) {
        bool near = at + m.rank < to;
        int32_t s = grid->list[near ? at + m.rank : at];
        contact_wall w = contacts_wall(c, s, me->index, me->x, me->y, me->radius, &near);
        near = walls_meet(c, slot, s, near);
        if (team_ballot(m, near))
            visit(&w, near, s);
    }
}

template <int TEAM, typename Visit>
TEAM_FN void team_walls(const crowd *c, const team<TEAM> &m, const contact_body *me, Visit visit)
{
    team_walls_of(c, m, &c->walls.still, me, visit);
    if (c->walls.sides)
        team_walls_of(c, m, &c->walls.moving, me, visit);
}

/* --- the stages ----------------------------------------------------------------------------------------- */

typedef team<1> one_thread;

TEAM_FN void list_push_partners(const crowd *c, contacts *k, int32_t i, float beta, solver_turn *t)
{
    enum { GROUP = one_thread::GROUP };
    one_thread m = {};
    team_partners(c, k, m, i, [&](const team_group<1> &group, int e) {
        contact_body other[GROUP];
        solver_multiplier multiplier[GROUP];
#pragma unroll
        for (int g = 0; g < GROUP; g++) {
            other[g] = contacts_body(k, group.index[g]);
            multiplier[g] = solver_read(k->lambda, k->ahead, team_entry(c, m, i, e + g), t->fresh);
        }
#pragma unroll
        for (int g = 0; g < GROUP; g++)
            if (group.there[g]) {
                solver_contact contact = solver_contact_of(c, &t->me, &other[g]);
                bool live = solver_partner(&contact, &multiplier[g], other[g].dx, other[g].dy, other[g].stiffness, true,
                                           beta, t);
                solver_write(k->lambda, k->ahead, team_entry(c, m, i, e + g), &multiplier[g], live, t->fresh);
                solver_push mine = solver_pushes(&contact, &multiplier[g], true);
                solver_add(&t->sum, &mine);
            }
    });
}

/* What the threads found out each, for all of them. */
template <int TEAM> TEAM_FN void team_agree(const team<TEAM> &m, solver_turn *t)
{
    t->turned = team_ballot(m, t->turned) != 0;
    t->wrong = team_ballot(m, t->wrong) != 0;
}

/* solver_list_beyond, apart: few need it, and whoever does not should not have to fetch its instructions. */
static __device__ __noinline__ void team_list_beyond(const crowd *c, contacts k, int32_t i, int32_t turn, int32_t rank,
                                                     int32_t threads)
{
    solver_list_beyond(c, &k, i, true, turn, rank, threads);
}

/* solver_list, with a group's requests to memory all under way at a time. */
TEAM_FN void list_next(const crowd *c, contacts *k, int32_t i, bool crowded, int32_t turn)
{
    enum { GROUP = one_thread::GROUP };
    bool hard = turn > SOLVER_HARD;
    int32_t own = k->turn[i];
    if (own != turn)
        own = atomicExch(&k->turn[i], turn);
    solver_harden(c, k, i, hard);
    team_partners(c, k, one_thread(), i, [&](const team_group<1> &group, int) {
        int32_t before[GROUP], status[GROUP];
#pragma unroll
        for (int g = 0; g < GROUP; g++) {
            before[g] = group.there[g] ? k->turn[group.index[g]] : turn;
            status[g] = k->status[group.index[g]];
        }
#pragma unroll
        for (int g = 0; g < GROUP; g++) {
            solver_harden(c, k, group.index[g], hard && group.there[g]);
            if (before[g] != turn)
                before[g] = atomicExch(&k->turn[group.index[g]], turn);
        }
#pragma unroll
        for (int g = 0; g < GROUP; g++)
            if (before[g] != turn) {
                contacts_append(k, next, group.index[g]);
                if (status[g] == CONTACT_IDLE)
                    contacts_wake(k, group.index[g]);
            }
    });
    if (own != turn)
        contacts_append(k, next, i);
    if (crowded)
        team_list_beyond(c, *k, i, turn, 0, 1);
}

/* Whether an agent is iterated for the first time. Its whole team calls this. */
template <int TEAM> TEAM_FN bool team_begins(contacts *k, const team<TEAM> &m, int32_t i)
{
    bool fresh = !(k->status[i] & CONTACT_ITERATED);
    if (TEAM > 1)
        __syncwarp(m.together); /* all have read the agent's status */
    if (fresh && m.rank == 0)
        k->status[i] |= CONTACT_ITERATED;
    return fresh;
}

/* solver_iterate, by lists */
TEAM_FN void list_iterate(const crowd *c, contacts *k, int32_t i, float beta, int32_t turn)
{
    solver_turn t = solver_begin(c, k, i, team_begins(k, one_thread(), i) || turn == 1);
    list_push_partners(c, k, i, beta, &t);
    if (c->walls.count)
        solver_walls(c, k, i, true, beta, &t, NULL);
    if (solver_end(c, k, i, true, &t, NULL))
        list_next(c, k, i, solver_crowded(&t.me), turn + 1);
}

/* The same with friction, a partner after the other. */
TEAM_FN void list_iterate_dragged(const crowd *c, contacts *k, int32_t i, float beta, int32_t turn)
{
    solver_turn t = solver_begin(c, k, i, team_begins(k, one_thread(), i) || turn == 1);
    friction_sum drag = friction_none();
    lane_row row = lane_row_of(i, true);
    solver_partners(c, k, &row, beta, &t, &drag);
    if (c->walls.count)
        solver_walls(c, k, i, true, beta, &t, &drag);
    if (solver_end(c, k, i, true, &t, &drag))
        list_next(c, k, i, solver_crowded(&t.me), turn + 1);
}

/* Shortens an agent's displacement so that it enters no wall of a grid. */
template <int TEAM>
TEAM_FN void team_stop(const crowd *c, const team<TEAM> &m, const throng_wall_grid *grid, contact_body *me)
{
    float share = 1;
    team_walls_of(c, m, grid, me, [&](const contact_wall *w, bool near, int32_t) {
        share = contacts_stop(w, me->radius, near, me->dx, me->dy, share);
    });
#pragma unroll
    for (int q = 1; q < TEAM; q *= 2)
        share = fminf(share, __shfl_xor_sync(m.together, share, q));
    me->dx = me->dx * share;
    me->dy = me->dy * share;
}

/* solver_cut. Returns whether it changed anything. */
template <int TEAM> TEAM_FN bool team_cut(const crowd *c, contacts *k, const team<TEAM> &m, int32_t i)
{
    contact_body me = contacts_body(k, i);
    float dx = me.dx, dy = me.dy;
    solver_within(LIMITS_MARGIN * fabsf(me.cap), &me.dx, &me.dy);
    if (TEAM > 1 && c->walls.count) {
        contact_slide d = contacts_slide_begin(me.dx, me.dy);
        team_walls(c, m, &me, [&](const contact_wall *w, bool near, int32_t) {
#pragma unroll
            for (int q = 0; q < TEAM; q++) {
                contact_wall one = {team_take(m, w->nx, q), team_take(m, w->ny, q), team_take(m, w->gap, q)};
                contacts_slide_along(&one, me.radius, team_take(m, (int)near, q), &d);
            }
        });
        me.dx = d.x;
        me.dy = d.y;
        team_stop(c, m, &c->walls.still, &me);
        if (c->walls.sides)
            team_stop(c, m, &c->walls.moving, &me);
    }
    if (TEAM > 1)
        __syncwarp(m.together); /* all have read what they write */
    k->a[4 * i] = me.dx;        /* what is equal, too: zeros have signs */
    k->a[4 * i + 1] = me.dy;
    k->turn[i] = 0;
    return me.dx != dx || me.dy != dy;
}

#endif
