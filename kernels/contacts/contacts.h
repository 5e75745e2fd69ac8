/* Contacts: what makes the planners' wishes possible, for every planner alike.
 *
 * The wanted displacements d* are projected onto the set where nobody enters
 * anybody (the discrete contact model of B. Maury and J. Venel, 2011): the d
 * nearest to d* (weighted by mass) with
 *     n_ij . (d_i - d_j) <= gap_ij   for every pair within reach,
 *     n . d_i <= gap                 for every wall segment within reach,
 * n_ij the unit vector from i to j, gap_ij the distance less both radii. The
 * dual has a multiplier a contact, lambda >= 0; projected gradient with
 * Nesterov's acceleration solves it in parallel, free of order, and both sides
 * of a pair compute the same multiplier to the bit, so nothing is exchanged.
 *
 * Only agents whose constraints are violated, and those that they come to push,
 * take part (`active`); for all others lambda = 0 solves it. The solver is in
 * solver.h; here is who is within reach of whom.
 *
 * Linear constraints that hold exclude contact also on the way (a separating
 * line stays), at any speed. What the iterations leave undone is caught at the
 * end: displacements are cut at walls, and whoever would come closer than 0.99
 * of the sum of radii is held where it is, with everybody who counted on its
 * leaving, round by round; standing still is always possible.
 *
 * An agent keeps the THRONG_CONTACTS_MAX pairs of least gap. Where more are
 * within reach it moves at most half of the least gap left out (`cap`), which
 * keeps those pairs apart whatever the others do. */
#ifndef THRONG_CONTACTS_H
#define THRONG_CONTACTS_H

#include "kernels/lane/lane_shared.h"
#include "kernels/sense/walls.h"
#include "kernels/planners/yield.h"

enum { CONTACT_WALLS_MAX = 4, CONTACTS_KEPT = 6 };

#define CONTACTS_LIMIT 0.99f /* of the sum of radii: nobody who started farther apart comes closer */
#define CONTACTS_MASS  80.0f /* kg: an agent of this mass has weight 1 */

enum contact_status {
    CONTACT_IDLE = 0,
    CONTACT_ACTIVE = 1,    /* takes part */
    CONTACT_ITERATED = 2,  /* has been looked at by an iteration */
    CONTACT_HELD = 4,      /* the guard holds it where it is */
    CONTACT_PERSISTENT = 8 /* it stays with a team of threads until all is solved (cuda_persistent.cuh) */
};

enum { CONTACT_HOLD = -1 }; /* as a turn: the guard wants it to stand still */

enum { CONTACTS_BLOCK_BITS = 7 }; /* CPU: two to this power are the agents of a block, which share a mark */

/* What is appended to a list goes through a batch: of one thread on the CPU, of a block (in shared memory) on CUDA. */
#if defined(__CUDACC__)
enum { CONTACTS_BATCH = 2048 };
#else
enum { CONTACTS_BATCH = 128 };
#endif

/* Neighbours read together: on CUDA memory then has several requests at a time to answer, which is what it waits for.
 */
#if defined(__CUDACC__)
enum { CONTACTS_GROUP = 4 };
#else
enum { CONTACTS_GROUP = 1 };
#endif

typedef struct contacts_batch {
    int32_t agent[CONTACTS_BATCH], count;
} contacts_batch;

typedef struct contacts {
    contacts_batch *active_batch, *next_batch; /* those of whoever holds this copy of the struct */
    float *body;                               /* sorted, four an agent: x, y, radius, m; CONTACTS_MASS over its mass */
    float *a, *b;                   /* sorted, four an agent: displacement x, y, m; stiffness, how hard its contacts
                                       pull together, negative while a constraint of its own is violated; cap, m,
                                       it moves no farther. Read from a and written to b, then the other way */
    int32_t *status;                /* sorted: contact_status */
    int32_t *turn;                  /* sorted: the iteration that it was last put on the list for, or CONTACT_HOLD; on
                                       CUDA also a persistent agent's cap, and whom the guard's spreading depends on */
    int32_t *marked;                /* CPU: the same of a block of agents: of some of them */
    int32_t *beyond;                /* CPU, sorted: the iteration after the last one that a crowded agent went on in,
                                       0: none yet; see solver_list_crowded */
    int32_t *watched;               /* CPU: of a block of agents: some of them may have such a partner */
    int32_t *active, *active_count; /* sorted indices of all that take part, in any order */
    int32_t *list;                  /* those that this iteration looks at, */
    int32_t *next, *next_count;     /* and the next one: see contacts_share */
    int32_t *partner;               /* [s * stride + i]: sorted index, -1: no more */
    float *lambda, *ahead;          /* likewise: multiplier, and the one Nesterov looks ahead to, m. From frame to
                                       frame `ahead` holds what is kept, by slot: see solver_keep */
    int32_t *kept_step;             /* by slot: 2 + the step in which its multipliers were kept, 0: never; negative:
                                       they will be, see solver_harden */
    int32_t *wall;                  /* [i * CONTACT_WALLS_MAX + s]: segment, -1: none */
    float *wall_lambda, *wall_ahead;
    struct contacts_persistent *persistent; /* CUDA: while they are iterated; else NULL */
} contacts;

/* Places and radii are in `body` from contacts_begin on: the lists take their arrays, until contacts_return. */
static inline void contacts_share(const crowd *c, contacts *k)
{
    k->active = (int32_t *)(void *)c->sx;
    k->list = (int32_t *)(void *)c->sy;
    k->next = (int32_t *)(void *)c->sr;
}

/* An agent as its contacts see it. */
typedef struct contact_body {
    lane_i index; /* sorted */
    lane_f x, y, radius, weight;
    lane_f dx, dy, stiffness, cap;
} contact_body;

LANE_FN contact_body contacts_join_parts(lane_i i, const lane_four *body, const lane_four *a)
{
    contact_body me = {i, body->a, body->b, body->c, body->d, a->a, a->b, a->c, a->d};
    return me;
}

LANE_FN contact_body contacts_body(const contacts *k, lane_i i)
{
    lane_four body = lane_gather_four(k->body, i), a = lane_gather_four(k->a, i);
    return contacts_join_parts(i, &body, &a);
}

/* A pair as both see it: exactly opposite normals, equal gaps. */
typedef struct contact_pair {
    lane_f nx, ny, distance, radii;
} contact_pair;

LANE_FN contact_pair contacts_pair(const crowd *c, const contact_body *me, const contact_body *other)
{
    lane_f px = other->x - me->x, py = other->y - me->y;
    crowd_nearest_image(c, &px, &py);
    lane_f distance = lane_sqrt(lane_dot(px, py, px, py)), over = 1.0f / distance, side = lane_set(1);
    lane_m apart = distance > 0;
    if (lane_any(lane_not(apart)))
        side = lane_select(lane_gather_i(c->slot, me->index) < lane_gather_i(c->slot, other->index), side, -side);
    contact_pair p = {lane_select(apart, px * over, side), lane_select(apart, py * over, lane_set(0)), distance,
                      me->radius + other->radius};
    return p;
}

/* How much nearer the two come, along the line between them. */
LANE_FN lane_f contacts_approach(const contact_pair *p, const contact_body *me, const contact_body *other)
{
    return lane_dot(p->nx, p->ny, me->dx - other->dx, me->dy - other->dy);
}

/* --- who is within reach ---------------------------------------------------- */

enum contacts_visit { CONTACTS_DETECT = 1, CONTACTS_COLLECT = 2, CONTACTS_LIST = 4 };

typedef struct contacts_visitor {
    lane_m violated;    /* DETECT: some constraint is */
    int overlaps;       /* DETECT: pairs closer than CONTACTS_LIMIT, each counted once */
    int conflicts;      /* DETECT: pairs that would be after this step if they all had their wish */
    lane_f worst;       /* DETECT: least distance / sum of radii */
    nearest_list list;  /* COLLECT: gap, sorted index */
    lane_f left_out;    /* COLLECT: least gap that found no place */
    int longest;        /* COLLECT: no lane's list has more entries */
    int32_t turn;       /* LIST: for this iteration */
    int32_t rank, team; /* LIST: of every `team` agents of a cell those from `rank` on; a team of threads shares them */
    /* DETECT: conflicts with somebody who has this planner */
    int conflicts_of[THRONG_PLANNER_COUNT];
} contacts_visitor;

/* Appends an agent to one of the lists, whose order does not matter; by batches, so that neighbours stay together in
 * the list and not everybody waits for one counter. One by one the move stage took twice as long on 16 threads of a
 * CPU; on an H200 an iteration of a million agents' contacts that listed 400,000 took 670 us, and takes 200. */
#if defined(__CUDACC__)
LANE_FN void contacts_append_batch(contacts_batch *batch, int32_t agent, int32_t *list, int32_t *count)
{
    int32_t at = atomicAdd(&batch->count, 1);
    if (at < CONTACTS_BATCH)
        batch->agent[at] = agent;
    else
        list[atomicAdd(count, 1)] = agent;
}

/* By all threads of the block. */
static __device__ void contacts_flush(contacts_batch *batch, int32_t *list, int32_t *count)
{
    __shared__ int32_t at;
    __syncthreads();
    int32_t n = batch->count < CONTACTS_BATCH ? batch->count : CONTACTS_BATCH;
    __syncthreads();
    if (n == 0)
        return;
    if (threadIdx.x == 0) {
        at = atomicAdd(count, n);
        batch->count = 0;
    }
    __syncthreads();
    for (int32_t i = (int32_t)threadIdx.x; i < n; i += (int32_t)blockDim.x)
        list[at + i] = batch->agent[i];
    __syncthreads();
}

LANE_FN void contacts_append_lanes(contacts_batch *batch, lane_i agents, lane_m lanes, int32_t *list, int32_t *count)
{
    if (lanes)
        contacts_append_batch(batch, agents, list, count);
}
#else
LANE_FN void contacts_flush(contacts_batch *batch, int32_t *list, int32_t *count)
{
    int32_t at = __atomic_fetch_add(count, batch->count, __ATOMIC_RELAXED);
    memcpy(list + at, batch->agent, (size_t)batch->count * sizeof *list);
    batch->count = 0;
}

LANE_FN void contacts_append_batch(contacts_batch *batch, int32_t agent, int32_t *list, int32_t *count)
{
    batch->agent[batch->count++] = agent;
    if (batch->count == CONTACTS_BATCH)
        contacts_flush(batch, list, count);
}

LANE_FN void contacts_append_lanes(contacts_batch *batch, lane_i agents, lane_m lanes, int32_t *list, int32_t *count)
{
    if (batch->count > CONTACTS_BATCH - LANES)
        contacts_flush(batch, list, count);
    batch->count += lane_pack_i(batch->agent + batch->count, agents, lanes);
}
#endif
#define contacts_append(k, name, agent) contacts_append_batch((k)->name##_batch, agent, (k)->name, (k)->name##_count)

/* Makes an agent active, once, whoever asks. */
LANE_FN void contacts_wake(contacts *k, int32_t agent)
{
    if (lane_shared_load(&k->status[agent]) != CONTACT_IDLE)
        return;
#if defined(__CUDACC__)
    if (atomicCAS(&k->status[agent], CONTACT_IDLE, CONTACT_ACTIVE) == CONTACT_IDLE)
        contacts_append(k, active, agent);
#else
    int32_t idle = CONTACT_IDLE;
    if (__atomic_compare_exchange_n(&k->status[agent], &idle, CONTACT_ACTIVE, false, __ATOMIC_RELAXED,
                                    __ATOMIC_RELAXED))
        contacts_append(k, active, agent);
#endif
}

LANE_FN void contacts_wake_lanes(contacts *k, lane_i agents, lane_m lanes)
{
    for (; lane_any(lanes); lanes = lanes & lane_not(lane_only_first(lanes)))
        contacts_wake(k, lane_first_i(agents, lanes));
}

#if defined(__CUDACC__)
/* The agents that stay with their teams; see cuda_persistent.cuh. */
typedef struct contacts_persistent {
    int32_t *list, *count;
    int32_t *joined; /* of the block: how many it appended */
    int32_t mark;    /* CONTACT_PERSISTENT, or CONTACT_ACTIVE where all that take part are persistent */
} contacts_persistent;

/* Makes an agent a persistent agent and active, once, whoever asks. */
LANE_FN void contacts_join(contacts *k, int32_t agent)
{
    const contacts_persistent *r = k->persistent;
    if (k->status[agent] & r->mark)
        return;
    int32_t before = atomicOr(&k->status[agent], CONTACT_ACTIVE | r->mark);
    if (before & r->mark)
        return;
    k->turn[agent] = __float_as_int(k->a[4 * agent + 3]);
    atomicAdd(r->joined, 1);
    r->list[atomicAdd(r->count, 1)] = agent;
    if (before == CONTACT_IDLE && r->list != k->active)
        k->active[atomicAdd(k->active_count, 1)] = agent;
}
#endif

/* Puts agents on the list of iteration `turn`, once; wakes those that took no part yet. On the CPU they are marked,
 * and contacts_list_marked makes a list of them: in their order, and without locked instructions, which took a sixth of
 * the solver's time. */
LANE_FN void contacts_list_lanes(contacts *k, lane_i agents, int32_t turn, lane_m lanes)
{
#if defined(__CUDACC__)
    if (k->persistent) {
        if (lanes)
            contacts_join(k, agents);
        return;
    }
    if (!lanes || k->turn[agents] == turn || atomicExch(&k->turn[agents], turn) == turn)
        return;
    contacts_append(k, next, agents);
    contacts_wake(k, agents);
#else
    lane_shared_scatter(k->turn, agents, lane_set_i(turn), lanes);
    lane_shared_scatter(k->marked, agents >> CONTACTS_BLOCK_BITS, lane_set_i(turn), lanes);
#endif
}

/* Those whom a crowded agent could touch, beyond its partners, are on the list of iteration `turn`; from then on they
 * look themselves whether it goes on, if it is a partner of theirs. */
LANE_FN void contacts_list_beyond(contacts *k, lane_i agents, int32_t turn, lane_m lanes)
{
    contacts_list_lanes(k, agents, turn, lanes);
#if !defined(__CUDACC__)
    lane_shared_scatter(k->watched, agents >> CONTACTS_BLOCK_BITS, lane_set_i(1), lanes);
#endif
}

/* Makes agents `first` .. active, of which nobody else knows yet. */
LANE_FN void contacts_start(contacts *k, int32_t first, lane_m lanes)
{
    if (!lane_any(lanes))
        return;
    lane_store_i(k->status + first, lane_set_i(CONTACT_ACTIVE), lanes);
    contacts_append_lanes(k->active_batch, lane_iota(first), lanes, k->active, k->active_count);
}

#if !defined(__CUDACC__)
/* The lanes of agents `first` .. that have been iterated, and have a crowded partner that went on before iteration
 * `turn`. */
LANE_FN lane_m contacts_followers(const crowd *c, const contacts *k, int32_t first, lane_m lanes, int32_t turn)
{
    lanes = lanes & ((lane_load_i(k->status + first) & CONTACT_ITERATED) != 0);
    lane_m follow = lane_none();
    for (int s = 0; s < THRONG_CONTACTS_MAX; s++) {
        lane_i j = lane_load_i(k->partner + s * c->stride + first);
        lanes = lanes & (j >= 0);
        if (!lane_any(lanes))
            break;
        follow = follow | (lanes & (lane_gather_i(k->beyond, lane_select_i(lanes, j, lane_set_i(0))) == turn));
    }
    return follow;
}

/* The list of iteration `turn`: those of the agents `first` .. that were put on it, or put themselves on it. */
LANE_FN void contacts_list_marked(const crowd *c, contacts *k, int32_t first, lane_m lanes, int32_t turn)
{
    lane_m listed = lanes & (lane_load_i(k->turn + first) == turn);
    if (k->watched[first >> CONTACTS_BLOCK_BITS])
        listed = listed | contacts_followers(c, k, first, lanes & lane_not(listed), turn);
    lanes = listed;
    if (!lane_any(lanes))
        return;
    contacts_append_lanes(k->next_batch, lane_iota(first), lanes, k->next, k->next_count);
    contacts_start(k, first, lanes & (lane_load_i(k->status + first) == CONTACT_IDLE));
}
#endif

/* Counts a conflict of agent `me` with agent j, also for the planners of both. */
LANE_FN void contacts_conflict(const crowd *c, const contact_body *me, lane_i j, lane_m lanes, contacts_visitor *v)
{
    if (!lane_any(lanes))
        return;
    lane_i mine = crowd_planner_kind(c, lane_gather_i(c->planner, lane_gather_i(c->slot, me->index)));
    lane_i theirs = crowd_planner_kind(c, lane_gather_i(c->planner, lane_gather_i(c->slot, j)));
    v->conflicts += lane_count(lanes);
    for (int kind = 0; kind < THRONG_PLANNER_COUNT; kind++)
        v->conflicts_of[kind] += lane_count(lanes & ((mine == kind) | (theirs == kind)));
}

/* (gap, slot) of agent j before that of agent `other`, or of a free entry? */
LANE_FN lane_m contacts_before(const crowd *c, lane_f gap, lane_i j, lane_f other_gap, lane_i other)
{
    lane_m before = gap < other_gap, same = gap == other_gap;
    if (lane_any(same))
        before = before | (same & (lane_gather_i(c->slot, j) < lane_gather_i(c->slot, lane_select_i(same, other, j))));
    return before;
}

/* nearest_insert, from the last entry on that may be there. */
LANE_FN void contacts_insert(const crowd *c, contacts_visitor *v, lane_f gap, lane_i j, lane_m lanes)
{
    nearest_list *list = &v->list;
#if defined(__CUDACC__)
    const int last = THRONG_CONTACTS_MAX - 1; /* a constant: the list is in registers */
#else
    int last = v->longest < THRONG_CONTACTS_MAX ? v->longest++ : THRONG_CONTACTS_MAX - 1;
#endif
    lane_m before = lanes & contacts_before(c, gap, j, list->distance[last], list->slot[last]);
    LANE_UNROLL
    for (int s = last; s > 0; s--) {
        if (!lane_any(before))
            return;
        lane_m further = before & contacts_before(c, gap, j, list->distance[s - 1], list->slot[s - 1]);
        lane_f d = lane_select(further, list->distance[s - 1], gap);
        lane_i i = lane_select_i(further, list->slot[s - 1], j);
        list->distance[s] = lane_select(before, d, list->distance[s]);
        list->slot[s] = lane_select_i(before, i, list->slot[s]);
        before = further;
    }
    list->distance[0] = lane_select(before, gap, list->distance[0]);
    list->slot[0] = lane_select_i(before, j, list->slot[0]);
}

/* Could the two touch in this step? */
LANE_FN lane_m contacts_could_touch(const crowd *c, lane_f gap) { return gap < 2 * c->largest_step; }

/* Notes which of the pairs `p` of agents `me` and j, so far apart, are violated, and counts. */
LANE_FN void contacts_check(const crowd *c, const contact_body *me, const contact_body *other, const contact_pair *p,
                            lane_f gap, lane_m lanes, contacts_visitor *v)
{
    lane_i j = other->index;
    lane_m violated = lanes & (contacts_approach(p, me, other) > gap + c->frame.tolerance * p->radii);
    lane_m inside = lanes & (p->distance < CONTACTS_LIMIT * p->radii);
    v->violated = v->violated | violated;
    if (lane_any(violated | inside)) {
        lane_m once = lane_gather_i(c->slot, me->index) < lane_gather_i(c->slot, j);
        lane_f x = other->x + other->dx - me->x - me->dx, y = other->y + other->dy - me->y - me->dy;
        crowd_nearest_image(c, &x, &y);
        lane_f limit = CONTACTS_LIMIT * p->radii;
        v->overlaps += lane_count(inside & once);
        contacts_conflict(c, me, j, violated & once & (lane_dot(x, y, x, y) < limit * limit), v);
    }
    v->worst = lane_min(lane_select(lanes, p->distance / p->radii, v->worst), v->worst);
}

LANE_FN void contacts_meet(const crowd *c, contacts *k, int visit, const contact_body *me, const contact_body *other,
                           lane_m lanes, contacts_visitor *v)
{
    lane_i j = other->index;
    contact_pair p = contacts_pair(c, me, other);
    lane_f gap = p.distance - p.radii;
    lanes = lanes & contacts_could_touch(c, gap);
    if (!lane_any(lanes))
        return;
    if (visit & CONTACTS_DETECT)
        contacts_check(c, me, other, &p, gap, lanes, v);
    if (visit & CONTACTS_COLLECT) {
        lane_m full = lanes & (v->list.slot[THRONG_CONTACTS_MAX - 1] >= 0);
        lane_f out = lane_max(gap, v->list.distance[THRONG_CONTACTS_MAX - 1]);
        v->left_out = lane_select(full & (out < v->left_out), out, v->left_out);
        contacts_insert(c, v, gap, j, lanes);
    }
    if (visit & CONTACTS_LIST)
        contacts_list_beyond(k, j, v->turn, lanes);
}

/* One of the few who are much larger than all others: everybody looks at them, wherever they stand. */
LANE_FN lane_m contacts_large(const crowd *c, lane_f radius) { return radius > c->frame.bulk_radius; }

/* Visits everybody but the large by cells: for lanes whose neighbour list does not reach as far as they can touch. */
LANE_FN void contacts_visit_cells(const crowd *c, contacts *k, int visit, const contact_body *self, lane_i i,
                                  lane_f reach, lane_m lanes, contacts_visitor *v)
{
    lane_f x = self->x, y = self->y;
    reach = reach + 1e-6f * (lane_abs(x) + lane_abs(y) + c->extent);
    lane_i x0 = crowd_column(c, x - reach), x1 = crowd_column(c, x + reach);
    lane_i y0 = crowd_row(c, y - reach), y1 = crowd_row(c, y + reach);
    for (; lane_any(lanes); lanes = lanes & lane_not(lane_only_first(lanes))) {
        lane_m one = lane_only_first(lanes);
        int32_t me = lane_first_i(i, one);
        int32_t left = lane_first_i(x0, one), width = lane_first_i(x1, one) - left + 1;
        int32_t low = lane_first_i(y0, one), height = lane_first_i(y1, one) - low + 1;
        width = width < c->frame.grid_width ? width : c->frame.grid_width;
        height = height < c->frame.grid_height ? height : c->frame.grid_height;
        for (int32_t row = low; row < low + height; row++)
            for (int32_t column = left; column < left + width; column++) {
                int32_t cell =
                    (row & (c->frame.grid_height - 1)) * c->frame.grid_width + (column & (c->frame.grid_width - 1));
                int32_t first = visit & CONTACTS_LIST ? v->rank : 0, stride = visit & CONTACTS_LIST ? v->team : 1;
                for (int32_t j = c->cell_start[cell] + first; j < c->cell_start[cell + 1]; j += stride)
                    if (j != me) {
                        contact_body other = contacts_body(k, lane_set_i(j));
                        if (!c->frame.large_count || !lane_any(contacts_large(c, other.radius)))
                            contacts_meet(c, k, visit, self, &other, one, v);
                    }
            }
    }
}

/* Visits the large. */
LANE_FN void contacts_visit_large(const crowd *c, contacts *k, int visit, const contact_body *me, lane_m lanes,
                                  contacts_visitor *v)
{
    for (int32_t n = 0; n < c->frame.large_count; n++) {
        int32_t j = c->rank[c->frame.large[n]];
        if (!c->state[c->frame.large[n]] || j >= crowd_shown(c))
            continue;
        contact_body other = contacts_body(k, lane_set_i(j));
        contacts_meet(c, k, visit, me, &other, lanes & (me->index != j), v);
    }
}

/* How far apart the middles are of those who could touch in this step, at most, but for the large. m */
LANE_FN lane_f contacts_reach(const crowd *c, const contact_body *me)
{
    return me->radius + c->frame.bulk_radius + 2 * c->largest_step;
}

/* Visits everybody who could touch agents `i` in this step. Whom nobody sees meets nobody: contacts are mutual. */
LANE_FN void contacts_visit_all(const crowd *c, contacts *k, int visit, lane_i i, lane_m lanes, contacts_visitor *v)
{
    contact_body me = contacts_body(k, i);
    lane_f reach = contacts_reach(c, &me);
    lanes = lanes & (i < crowd_shown(c));
    lane_m listed = c->k > 0 ? lanes & (reach * reach <= lane_gather(c->seen_reach, i)) : lane_none();
    lane_i count = lane_gather_i(c->seen_count, i);
    for (int s = 0; s < c->k; s += CONTACTS_GROUP) {
        lane_i j[CONTACTS_GROUP];
        lane_m near[CONTACTS_GROUP];
        lane_four body[CONTACTS_GROUP], a[CONTACTS_GROUP];
        LANE_UNROLL
        for (int g = 0; g < CONTACTS_GROUP; g++) {
            near[g] = listed & (count > s + g);
            lane_i at = lane_select_i(near[g], i + (s + g) * c->stride, lane_set_i(0));
            j[g] = lane_select_i(near[g], lane_gather_i(c->seen, at), i);
        }
        LANE_UNROLL
        for (int g = 0; g < CONTACTS_GROUP; g++) {
            body[g] = lane_gather_four(k->body, j[g]);
            lane_f px = body[g].a - me.x, py = body[g].b - me.y;
            crowd_nearest_image(c, &px, &py);
            near[g] = near[g] & (lane_dot(px, py, px, py) < reach * reach);
        }
        if (!lane_any(near[0])) /* the list is sorted by distance */
            break;
        if (c->frame.large_count)
            for (int g = 0; g < CONTACTS_GROUP; g++)
                near[g] = near[g] & lane_not(contacts_large(c, body[g].c));
        LANE_UNROLL
        for (int g = 0; g < CONTACTS_GROUP; g++)
            a[g] = lane_gather_four(k->a, lane_select_i(near[g], j[g], i));
        LANE_UNROLL
        for (int g = 0; g < CONTACTS_GROUP; g++)
            if (lane_any(near[g])) {
                contact_body other = contacts_join_parts(j[g], &body[g], &a[g]);
                contacts_meet(c, k, visit, &me, &other, near[g], v);
            }
    }
    lane_m search = lanes & lane_not(listed);
    if (lane_any(search))
        contacts_visit_cells(c, k, visit, &me, i, reach, search, v);
    contacts_visit_large(c, k, visit, &me, lanes, v);
}

/* --- walls -------------------------------------------------------------------- */

enum { CONTACTS_WALLS_DETECT, CONTACTS_WALLS_SLIDE, CONTACTS_WALLS_STOP };

#define CONTACTS_WALL_SKIN 0.0001f /* of the radius: as deep as rounding may leave a disc in a wall */

/* A wall as an agent meets it: the direction to its nearest point, and how far that is from the agent's side. m */
typedef struct contact_wall {
    lane_f nx, ny, gap;
} contact_wall;

/* Segments `s` as seen by discs at (x, y); `near`: the lanes that could touch theirs in this step. */
LANE_FN contact_wall contacts_wall(const crowd *c, lane_i s, lane_f x, lane_f y, lane_f radius, lane_m *near)
{
    contact_wall w;
    lane_f distance = lane_sqrt(walls_nearest(&c->walls, s, x, y, &w.nx, &w.ny));
    w.gap = distance - radius;
    *near = *near & (w.gap < c->largest_step);
    if (!lane_any(*near))
        return w;
    *near = *near & walls_open_side(&c->walls, s, x, y);
    w.nx = w.nx / distance;
    w.ny = w.ny / distance;
    return w;
}

/* A displacement, and the wall that it was last slid along. m */
typedef struct contact_slide {
    lane_f x, y;
    contact_wall last;
} contact_slide;

LANE_FN contact_slide contacts_slide_begin(lane_f x, lane_f y)
{
    contact_slide d = {x, y, {lane_set(0), lane_set(0), lane_set(0)}};
    return d;
}

/* Takes the part of a displacement out that enters the wall. Where that leads back into the last one, as in the mouth
 * of a gap hardly wider than the agent, it becomes the vertex of both, which is where its projection on what both
 * leave free is. (Without, the second wall stopped it: one of 0.4 m stood before a gap of 0.41 m for ever.) */
LANE_FN void contacts_slide_along(const contact_wall *w, lane_f radius, lane_m near, contact_slide *d)
{
    lane_f gap = lane_max(w->gap, -0.05f * radius), excess = lane_dot(w->nx, w->ny, d->x, d->y) - gap;
    lane_m enters = near & (excess > 0);
    lane_f x = d->x - w->nx * excess, y = d->y - w->ny * excess;
    const contact_wall *last = &d->last;
    lane_m back =
        enters & (lane_dot(last->nx, last->ny, x, y) > last->gap) & (lane_dot(w->nx, w->ny, last->nx, last->ny) < 0);
    if (lane_any(back)) {
        lane_f over = 1.0f / lane_det(w->nx, w->ny, last->nx, last->ny);
        lane_f vx = (gap * last->ny - last->gap * w->ny) * over, vy = (last->gap * w->nx - gap * last->nx) * over;
        back = back & (lane_dot(vx, vy, vx, vy) <= lane_dot(d->x, d->y, d->x, d->y)); /* nearly opposite: far away */
        x = lane_select(back, vx, x);
        y = lane_select(back, vy, y);
    }
    d->x = lane_select(enters, x, d->x);
    d->y = lane_select(enters, y, d->y);
    d->last.nx = lane_select(enters, w->nx, d->last.nx);
    d->last.ny = lane_select(enters, w->ny, d->last.ny);
    d->last.gap = lane_select(enters, gap, d->last.gap);
}

/* The share of (x, y) that does not enter the wall, if that is less than `share`. */
LANE_FN lane_f contacts_stop(const contact_wall *w, lane_f radius, lane_m near, lane_f x, lane_f y, lane_f share)
{
    lane_f approach = lane_dot(w->nx, w->ny, x, y);
    lane_f room = lane_max(w->gap + CONTACTS_WALL_SKIN * radius, lane_set(0));
    lane_f part = room / approach;
    return lane_select(near & (approach > room) & (part < share), part, share);
}

/* The walls of a grid that an agent could touch, one after the other.
 *   DETECT   returns the lanes whose displacement violates one, and puts the nearest into `list`;
 *   SLIDE    takes the part of it out that enters a wall, wall by wall;
 *   STOP     shortens it so that none is entered. */
LANE_FN lane_m contacts_visit_grid(const crowd *c, const contacts *k, const throng_wall_grid *grid, int visit, lane_i i,
                                   lane_m lanes, nearest_list *list, contact_slide *d)
{
    lane_four body = lane_gather_four(k->body, i);
    lane_f px = body.a, py = body.b, radius = body.c;
    lane_m violated = lane_none();
    lane_f share = lane_set(1);
    lane_i at, to;
    walls_range(grid, px, py, lanes, &at, &to);
    for (lane_m more = lanes & (at < to); lane_any(more); at = at + 1, more = lanes & (at < to)) {
        lane_i s = lane_gather_i(grid->list, lane_select_i(more, at, lane_set_i(0)));
        lane_m near = more;
        contact_wall w = contacts_wall(c, s, px, py, radius, &near);
        if (!lane_any(near))
            continue;
        if (visit == CONTACTS_WALLS_DETECT) {
            nearest_insert(list, CONTACT_WALLS_MAX, w.gap, s, near);
            violated = violated | (near & (lane_dot(w.nx, w.ny, d->x, d->y) > w.gap + CONTACTS_WALL_SKIN * radius));
        } else if (visit == CONTACTS_WALLS_SLIDE)
            contacts_slide_along(&w, radius, near, d);
        else
            share = contacts_stop(&w, radius, near, d->x, d->y, share);
    }
    d->x = d->x * share;
    d->y = d->y * share;
    return violated;
}

/* Those in `lanes` who could touch a wall or the side of a body in this step. */
LANE_FN lane_m contacts_walled(const crowd *c, lane_i i, lane_m lanes)
{
    lane_m walled = lanes & (lane_gather_i(c->wall_count, i) > 0);
    if (c->walls.sides)
        walled = walled | (lanes & (lane_gather_i(c->near_body, lane_gather_i(c->slot, i)) != 0));
    return walled;
}

/* The same for the walls and the sides of bodies, where bodies are at the end of the step. */
LANE_FN lane_m contacts_walls(const crowd *c, const contacts *k, int visit, lane_i i, lane_m lanes, nearest_list *list,
                              contact_slide *d)
{
    lane_m violated = contacts_visit_grid(c, k, &c->walls.still, visit, i, lanes, list, d);
    if (c->walls.sides)
        violated = violated | contacts_visit_grid(c, k, &c->walls.moving, visit, i, lanes, list, d);
    return violated;
}

/* --- the stages of the solver ------------------------------------------------- */

/* Wanted displacements of agents `first` .. into both buffers. */
LANE_FN void contacts_begin(const crowd *c, contacts *k, int32_t first, lane_m lanes)
{
    yield_push(c, first, lanes);
    lane_i slot = crowd_slots(c, first, lanes);
    lane_four body = {lane_load(c->sx + first), lane_load(c->sy + first), lane_load(c->sr + first),
                      CONTACTS_MASS / crowd_mass(c, slot)};
    lane_four wish = {lane_load(c->nx + first) * c->frame.dt, lane_load(c->ny + first) * c->frame.dt, lane_set(1),
                      lane_set(c->largest_step)};
    lane_store_four(k->body, first, body, lanes);
    lane_store_four(k->a, first, wish, lanes);
    lane_store_four(k->b, first, wish, lanes);
    lane_store_i(k->status + first, lane_set_i(CONTACT_IDLE), lanes);
    lane_store_i(k->turn + first, lane_set_i(0), lanes);
#if !defined(__CUDACC__)
    lane_store_i(k->beyond + first, lane_set_i(0), lanes);
#endif
}

/* Puts places and radii of agents `first` .. back where the lists were. */
LANE_FN void contacts_return(const crowd *c, const contacts *k, int32_t first, lane_m lanes)
{
    lane_four body = lane_load_four(k->body, first);
    lane_store(c->sx + first, body.a, lanes);
    lane_store(c->sy + first, body.b, lanes);
    lane_store(c->sr + first, body.c, lanes);
}

/* The lanes whose contacts pressed in the last step. */
LANE_FN lane_m contacts_pressed(const crowd *c, const contacts *k, lane_i i)
{
    return lane_gather_i(k->kept_step, lane_gather_i(c->slot, i)) == (int32_t)(c->frame.step + 1);
}

/* The walls of agents `i` that they could touch, nearest first; nothing presses yet. Returns whose wishes enter one. */
LANE_FN lane_m contacts_detect_walls(const crowd *c, contacts *k, lane_i i, lane_m lanes)
{
    nearest_list list;
    nearest_init(&list, CONTACT_WALLS_MAX, lane_set(INFINITY));
    contact_slide wish = contacts_slide_begin(lane_gather(k->a, 4 * i), lane_gather(k->a + 1, 4 * i));
    lane_m violated = lane_none(), walled = contacts_walled(c, i, lanes);
    if (lane_any(walled))
        violated = contacts_walls(c, k, CONTACTS_WALLS_DETECT, i, walled, &list, &wish);
    for (int s = 0; s < CONTACT_WALLS_MAX; s++) {
        lane_scatter_i(k->wall, i * CONTACT_WALLS_MAX + s, list.slot[s], lanes);
        lane_scatter(k->wall_lambda, i * CONTACT_WALLS_MAX + s, lane_set(0), lanes);
        if (!lane_any(lanes & (list.slot[s] >= 0)))
            break;
    }
    return violated;
}

LANE_FN void contacts_collect_begin(contacts_visitor *v)
{
    nearest_init(&v->list, THRONG_CONTACTS_MAX, lane_set(INFINITY));
    v->left_out = lane_set(INFINITY);
    v->longest = 0;
}

/* How far agents may move whose lists left out others, at this gap or more. m */
LANE_FN lane_f contacts_cap(const crowd *c, lane_f radius, lane_f left_out)
{
    lane_f part = lane_set(0.05f) * radius; /* who starts inside others may still part */
    lane_f cap = lane_select(left_out < 0, part, 0.5f * left_out);
    return lane_min(cap, lane_set(0.999999f * c->largest_step)); /* less: see solver_crowded */
}

/* The lists of agents `first` .., of what was visited; nothing presses yet. */
LANE_FN void contacts_collect_end(const crowd *c, contacts *k, int32_t first, lane_i i, lane_m lanes,
                                  const contacts_visitor *v)
{
    for (int s = 0; s < THRONG_CONTACTS_MAX; s++) {
        lane_m there = lanes & (v->list.slot[s] >= 0);
        lane_store_i(k->partner + s * c->stride + first, v->list.slot[s], lanes);
        lane_store(k->lambda + s * c->stride + first, lane_set(0), there);
        if (!lane_any(there))
            break;
    }
    lane_m crowded = lanes & (v->left_out < INFINITY);
    if (lane_any(crowded)) {
        lane_f cap = contacts_cap(c, lane_gather(k->body + 2, 4 * i), v->left_out);
        lane_scatter(k->a + 3, 4 * i, cap, crowded);
        lane_scatter(k->b + 3, 4 * i, cap, crowded);
    }
}

/* Lists whom everybody could touch. Whose wishes violate a constraint, or who was pressed in the last step, takes part
 * from the first; counts what overlaps already. What it finds goes to b, as others read a. (Lists for those alone who
 * take part, when they do, read all that is read here again, and wait for it: a tenth of the frame.) */
LANE_FN void contacts_detect(const crowd *c, contacts *k, int32_t first, lane_m lanes, contacts_visitor *v)
{
    lane_i i = lane_select_i(lanes, lane_iota(first), lane_set_i(first));
    v->violated = lane_none();
    crowd_fetch_seen(c, c->k < 5 ? c->k : 5, first + 2 * LANES);
    contacts_collect_begin(v);
    contacts_visit_all(c, k, CONTACTS_DETECT | CONTACTS_COLLECT, i, lanes, v);
    contacts_collect_end(c, k, first, i, lanes, v);
    if (c->walls.count)
        v->violated = v->violated | contacts_detect_walls(c, k, i, lanes);
    lane_scatter(k->b + 2, 4 * i, lane_set(-1), v->violated);
    contacts_start(k, first, v->violated | (lanes & contacts_pressed(c, k, i)));
}

#endif
