/* The solver's bodies for a team of threads an agent, or a thread: its partners are shared out, thread q of a team has
 * partners q, q + TEAM, ... and wall q. What they push is summed in the order of the lists, which gives what one thread
 * gives (solver.h).
 *
 * An iteration of one agent is a chain: a list's entry, the partner's body, a root and four quotients, for partner
 * after partner. With a thread an agent that took 12 to 20 us on an H200, however few took part, and there are fifteen
 * iterations in a step of 100,000; a meeting of the grid takes 2. Where there are more agents than threads for their
 * teams, one an agent has more to do at a time, and is faster. */
#ifndef THRONG_CUDA_SOLVER_CUH
#define THRONG_CUDA_SOLVER_CUH

#include "solver.h"

enum { SOLVER_TEAM = 4 };

#define TEAM_FN static __device__ __forceinline__

/* A thread's place: in its team, of the team in the warp, and who they are. All threads of a team do the same calls. */
template <int TEAM> struct team {
    enum {
        EACH = CONTACTS_MAX / TEAM,  /* entries of a list, a thread */
        GROUP = TEAM == 1 ? 4 : EACH /* read together: memory then has several requests at a time to answer */
    };
    static_assert(EACH * TEAM == CONTACTS_MAX && EACH % GROUP == 0, "a share for everybody");
    static_assert(TEAM == 1 || TEAM == (int)CONTACT_WALLS_MAX, "a wall for everybody");
    int rank, first;
    unsigned mask;
};

template <int TEAM> TEAM_FN team<TEAM> team_of_thread(void)
{
    int lane = (int)threadIdx.x % 32, rank = lane % TEAM, first = lane - rank;
    return {rank, first, ((1u << TEAM) - 1) << first};
}

/* For which of the team's threads it is true, as bits. */
template <int TEAM> TEAM_FN unsigned team_ballot(const team<TEAM> &m, bool is)
{
    return TEAM == 1 ? is : (__ballot_sync(m.mask, is) & m.mask) >> m.first;
}

/* What thread q has. */
template <int TEAM, typename T> TEAM_FN T team_take(const team<TEAM> &m, T value, int q)
{
    return TEAM == 1 ? value : __shfl_sync(m.mask, value, m.first + q);
}

/* Adds what each thread pushes, in their order. */
template <int TEAM> TEAM_FN void team_add(const team<TEAM> &m, solver_sum *sum, const solver_push *mine)
{
#pragma unroll
    for (int q = 0; q < TEAM; q++) {
        solver_push p = {team_take(m, mine->nx, q), team_take(m, mine->ny, q), team_take(m, mine->push, q)};
        solver_add(sum, &p);
    }
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
    enum { GROUP = team<TEAM>::GROUP };
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
TEAM_FN void team_walls_of(const crowd *c, const team<TEAM> &m, const crowd_wall_grid *grid, const contact_body *me,
                           Visit visit)
{
    int32_t at, to;
    walls_range(grid, me->x, me->y, true, &at, &to);
    for (; at < to; at += TEAM) {
        bool near = at + m.rank < to;
        int32_t s = grid->list[near ? at + m.rank : at];
        contact_wall w = contacts_wall(c, s, me->x, me->y, me->radius, &near);
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

/* contacts_collect_walls: the nearest of what every thread finds, and where each has its place among all. */
template <int TEAM>
TEAM_FN void team_collect_walls(const crowd *c, contacts *k, const team<TEAM> &m, const contact_body *me)
{
    if (TEAM == 1) {
        contacts_collect_walls(c, k, me->index, true);
        return;
    }
    nearest_list list;
    nearest_init(&list, CONTACT_WALLS_MAX, INFINITY);
    team_walls(c, m, me, [&](const contact_wall *w, bool near, int32_t s) {
        nearest_insert(&list, CONTACT_WALLS_MAX, w->gap, s, near);
    });
    int32_t base = me->index * CONTACT_WALLS_MAX, place[CONTACT_WALLS_MAX] = {};
#pragma unroll
    for (int s = 0; s < CONTACT_WALLS_MAX; s++)
#pragma unroll
        for (int q = 0; q < TEAM; q++) {
            float gap = team_take(m, list.distance[s], q);
            int32_t who = team_take(m, list.slot[s], q);
#pragma unroll
            for (int o = 0; o < CONTACT_WALLS_MAX; o++)
                place[o] += who >= 0 && nearest_before(gap, who, list.distance[o], list.slot[o]);
        }
    k->wall_lambda[base + m.rank] = 0;
    k->wall[base + m.rank] = -1;
    __syncwarp(m.mask);
#pragma unroll
    for (int o = 0; o < CONTACT_WALLS_MAX; o++)
        if (list.slot[o] >= 0 && place[o] < CONTACT_WALLS_MAX)
            k->wall[base + place[o]] = list.slot[o];
}

/* --- the stages ----------------------------------------------------------------------------------------- */

/* The partners of an agent whose neighbours within reach are all on its list, and no more than it has places for: what
 * contacts_collect finds. False when they are not. */
template <int TEAM>
TEAM_FN bool team_collect_partners(const crowd *c, contacts *k, const team<TEAM> &m, const contact_body *me)
{
    enum { EACH = team<TEAM>::EACH };
    int32_t i = me->index;
    float reach = contacts_reach(c, me);
    int count = c->k ? c->seen_count[i] : 0;
    if (reach * reach > c->seen_reach[i] || count > CONTACTS_MAX)
        return false;
    int32_t index[EACH], slot[EACH], place[EACH] = {}, all = 0;
    float gap[EACH];
    bool near[EACH];
#pragma unroll
    for (int e = 0; e < EACH; e++) {
        near[e] = e * TEAM + m.rank < count;
        index[e] = near[e] ? c->seen[team_entry(c, m, i, e)] : i;
    }
#pragma unroll
    for (int e = 0; e < EACH; e++) {
        slot[e] = c->slot[index[e]];
        contact_body other = contacts_body(k, index[e]);
        contact_pair p = contacts_pair(c, me, &other);
        float px = other.x - me->x, py = other.y - me->y;
        crowd_nearest_image(c, &px, &py);
        gap[e] = p.distance - p.radii;
        near[e] = near[e] && lane_dot(px, py, px, py) < reach * reach && gap[e] < 2 * c->largest_step;
    }
#pragma unroll
    for (int e = 0; e < EACH; e++) {
        all += __popc(team_ballot(m, near[e]));
#pragma unroll
        for (int q = 0; q < TEAM; q++) {
            float theirs = team_take(m, gap[e], q);
            int32_t who = team_take(m, near[e] ? slot[e] : INT32_MAX, q);
            if (who == INT32_MAX)
                continue;
#pragma unroll
            for (int o = 0; o < EACH; o++)
                place[o] += nearest_before(theirs, who, gap[o], slot[o]);
        }
    }
#pragma unroll
    for (int e = 0; e < EACH; e++)
        if (near[e]) {
            k->partner[i + place[e] * c->stride] = index[e];
            k->lambda[i + place[e] * c->stride] = 0;
        }
    if (all < CONTACTS_MAX)
        k->partner[i + all * c->stride] = -1;
    k->a[4 * i + 3] = c->largest_step;
    k->status[i] |= CONTACT_LISTED;
    return true;
}

/* contacts_collect */
template <int TEAM> TEAM_FN void team_collect(const crowd *c, contacts *k, const team<TEAM> &m, int32_t i)
{
    contact_body me = contacts_body(k, i);
    if (TEAM > 1)
        __syncwarp(m.mask); /* all have read the agent's status */
    if (!team_collect_partners(c, k, m, &me)) {
        if (m.rank == 0)
            contacts_collect(c, k, i, true);
    } else if (c->walls.count)
        team_collect_walls(c, k, m, &me);
    if (TEAM > 1)
        __syncwarp(m.mask);
}

template <int TEAM>
TEAM_FN void team_push_partners(const crowd *c, contacts *k, const team<TEAM> &m, int32_t i, float beta, solver_turn *t)
{
    enum { GROUP = team<TEAM>::GROUP };
    team_partners(c, k, m, i, [&](const team_group<TEAM> &group, int e) {
        contact_body other[GROUP];
        solver_multiplier multiplier[GROUP];
#pragma unroll
        for (int g = 0; g < GROUP; g++) {
            other[g] = contacts_body(k, group.index[g]);
            multiplier[g] = solver_read(k->lambda, k->ahead, team_entry(c, m, i, e + g), t->fresh);
        }
#pragma unroll
        for (int g = 0; g < GROUP; g++)
            if (g * TEAM < group.count) {
                solver_push mine = solver_partner(c, k, team_entry(c, m, i, e + g), &other[g], &multiplier[g],
                                                  group.there[g], beta, t);
                team_add(m, &t->sum, &mine);
            }
    });
}

template <int TEAM>
TEAM_FN void team_push_walls(const crowd *c, contacts *k, const team<TEAM> &m, int32_t i, float beta, solver_turn *t)
{
    if (TEAM == 1) {
        solver_walls(c, k, i, true, beta, t);
        return;
    }
    int32_t wall = k->wall[i * CONTACT_WALLS_MAX + m.rank];
    int count = __ffs((int)~team_ballot(m, wall >= 0)) - 1;
    if (count == 0)
        return;
    solver_push mine = solver_wall(c, k, i, m.rank, wall, m.rank < count, beta, t);
    team_add(m, &t->sum, &mine);
}

/* What the threads found out each, for all of them. */
template <int TEAM> TEAM_FN void team_agree(const team<TEAM> &m, solver_turn *t)
{
    t->turned = team_ballot(m, t->turned) != 0;
    t->wrong = team_ballot(m, t->wrong) != 0;
}

/* solver_list, with a group's requests to memory all under way at a time. */
template <int TEAM>
TEAM_FN void team_list(const crowd *c, contacts *k, const team<TEAM> &m, int32_t i, bool crowded, int32_t turn)
{
    enum { GROUP = team<TEAM>::GROUP };
    int32_t own = m.rank == TEAM - 1 ? k->turn[i] : turn; /* who has least to do */
    if (own != turn)
        own = atomicExch(&k->turn[i], turn);
    team_partners(c, k, m, i, [&](const team_group<TEAM> &group, int) {
        int32_t before[GROUP], status[GROUP];
#pragma unroll
        for (int g = 0; g < GROUP; g++) {
            before[g] = group.there[g] ? k->turn[group.index[g]] : turn;
            status[g] = k->status[group.index[g]];
        }
#pragma unroll
        for (int g = 0; g < GROUP; g++)
            if (before[g] != turn)
                before[g] = atomicExch(&k->turn[group.index[g]], turn);
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
    if (m.rank == TEAM - 1 && crowded)
        solver_list_beyond(c, k, i, true, turn);
}

/* solver_iterate */
template <int TEAM>
TEAM_FN void team_iterate(const crowd *c, contacts *k, const team<TEAM> &m, int32_t i, float beta, int32_t turn)
{
    bool fresh = !(k->status[i] & CONTACT_LISTED);
    if (fresh)
        team_collect(c, k, m, i);
    solver_turn t = solver_begin(c, k, i, fresh || turn == 1);
    team_push_partners(c, k, m, i, beta, &t);
    if (c->walls.count)
        team_push_walls(c, k, m, i, beta, &t);
    team_agree(m, &t);
    if (solver_end(k, i, true, &t))
        team_list(c, k, m, i, solver_crowded(c, &t.me), turn + 1);
}

/* solver_recall */
template <int TEAM> TEAM_FN void team_recall(const crowd *c, contacts *k, const team<TEAM> &m, int32_t i)
{
    enum { GROUP = team<TEAM>::GROUP };
    team_collect(c, k, m, i);
    if (!contacts_pressed(c, k, i))
        return;
    contact_body me = contacts_body(k, i);
    int32_t slot = c->slot[i];
    solver_sum sum = {};
    team_partners(c, k, m, i, [&](const team_group<TEAM> &group, int e) {
#pragma unroll
        for (int g = 0; g < GROUP; g++) {
            solver_push mine =
                solver_recall_partner(c, k, &me, slot, (e + g) * TEAM + m.rank, group.index[g], group.there[g]);
            team_add(m, &sum, &mine);
        }
    });
    solver_recalled(k, &me, &sum, true);
}

/* Shortens an agent's displacement so that it enters no wall of a grid. */
template <int TEAM>
TEAM_FN void team_stop(const crowd *c, const team<TEAM> &m, const crowd_wall_grid *grid, contact_body *me)
{
    float share = 1;
    team_walls_of(c, m, grid, me, [&](const contact_wall *w, bool near, int32_t) {
        share = contacts_stop(w, me->radius, near, me->dx, me->dy, share);
    });
#pragma unroll
    for (int q = 1; q < TEAM; q *= 2)
        share = fminf(share, __shfl_xor_sync(m.mask, share, q));
    me->dx = me->dx * share;
    me->dy = me->dy * share;
}

/* solver_cut */
template <int TEAM> TEAM_FN void team_cut(const crowd *c, contacts *k, const team<TEAM> &m, int32_t i)
{
    if (TEAM == 1) {
        solver_cut(c, k, i, true);
        return;
    }
    contact_body me = contacts_body(k, i);
    solver_within(me.cap, &me.dx, &me.dy);
    if (c->walls.count) {
        team_walls(c, m, &me, [&](const contact_wall *w, bool near, int32_t) {
#pragma unroll
            for (int q = 0; q < TEAM; q++) {
                contact_wall one = {team_take(m, w->nx, q), team_take(m, w->ny, q), team_take(m, w->gap, q)};
                contacts_slide(&one, me.radius, team_take(m, (int)near, q), &me.dx, &me.dy);
            }
        });
        team_stop(c, m, &c->walls.still, &me);
        if (c->walls.sides)
            team_stop(c, m, &c->walls.moving, &me);
    }
    k->a[4 * i] = me.dx;
    k->a[4 * i + 1] = me.dy;
}

/* solver_guard */
template <int TEAM> TEAM_FN void team_guard(const crowd *c, contacts *k, const team<TEAM> &m, int32_t i)
{
    enum { GROUP = team<TEAM>::GROUP };
    contact_body me = contacts_body(k, i);
    team_partners(c, k, m, i, [&](const team_group<TEAM> &group, int) {
#pragma unroll
        for (int g = 0; g < GROUP; g++)
            solver_guard_partner(c, k, &me, group.index[g], group.there[g]);
    });
}

#endif
