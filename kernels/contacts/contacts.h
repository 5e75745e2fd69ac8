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
 * take part (`active`); for all others lambda = 0 solves it.
 *
 * Linear constraints that hold exclude contact also on the way (a separating
 * line stays), at any speed. What the iterations leave undone is caught at the
 * end: displacements are cut at walls, and whoever would come closer than 0.99
 * of the sum of radii goes less far, with everybody who counted on its leaving.
 *
 * An agent keeps the THRONG_CONTACTS_MAX pairs of least gap. Where more are
 * within reach it moves at most half of the least gap left out (`cap`), which
 * keeps those pairs apart whatever the others do. People are not pushed farther than
 * they would walk, either (solver_cap).
 *
 * contacts.h       what a contact is, and what is stored of all of them
 * shape.h          the same of bodies that are wider than deep
 * shoulders.h      who turns them, and how far
 * trials.h         which turns make no overlap
 * active.h         who takes part, and whom the next iteration looks at
 * wall_contacts.h  walls that an agent could touch
 * detect.h         who could touch whom; the lists of pairs
 * solver.h         the iterations
 * friction.h       what bodies that press take from each other's sliding
 * warm_start.h     what pressed in one step presses in the next
 * guard.h          cuts and shortens what the iterations leave undone
 * move.h           displacements become positions */
#ifndef THRONG_CONTACTS_H
#define THRONG_CONTACTS_H

#include "kernels/lane/lane_four.h"
#include "kernels/lane/lane_row.h"
#include "kernels/lane/lane_shared.h"
#include "kernels/planners/yield.h"
#include "shape.h"

enum { CONTACT_WALLS_MAX = 4 };

#define CONTACTS_LIMIT 0.99f /* of the sum of radii: nobody who started farther apart comes closer */
#define CONTACTS_MASS  80.0f /* kg: an agent of this mass has weight 1 */

enum contact_status {
    CONTACT_IDLE = 0,
    CONTACT_ACTIVE = 1,   /* takes part */
    CONTACT_ITERATED = 2, /* has been looked at by an iteration */
    CONTACT_HARDENED = 4, /* CPU: it was hardened, with its partners; see solver_harden */
    CONTACT_CUT = 8,      /* CUDA: solver_cut cut it */
    CONTACT_GUARDED = 16  /* the guard looks at it */
};

typedef struct contacts {
    struct contacts_batch *active_batch, *next_batch; /* of whoever holds this copy of the struct; the first: CPU */
    float *body;                    /* sorted, four an agent: x, y, radius, m; CONTACTS_MASS over its mass */
    float *a, *b;                   /* sorted, four an agent: displacement x, y, m; stiffness, how hard its contacts
                                       pull together, negative while a constraint of its own is violated; cap, m,
                                       it moves no farther, negative if its lists lack some whom it could touch.
                                       Read from a and written to b, then the other way */
    int32_t *status;                /* sorted: contact_status */
    int32_t *turn;                  /* sorted: the iteration that it was last marked for, CUDA: see contacts_mark; then
                                       how many parts of its displacement the guard takes from it */
    int32_t *marked;                /* CPU: the same of a block of agents: of some of them */
    int32_t *beyond;                /* CPU, sorted: the iteration after the last one that a crowded agent went on in,
                                       0: none yet; see solver_list_crowded */
    int32_t *watched;               /* CPU: of a block of agents: some of them may have such a partner */
    int32_t *active, *active_count; /* CPU: sorted indices of all that take part, in any order, */
    int32_t *list;                  /* of those that this iteration looks at, */
    int32_t *next, *next_count;     /* and that the next one does; then, also on CUDA, that the guard does */
    int32_t *everybody;             /* the guard looks at all who take part */
    int32_t *partner;               /* [s * stride + i]: sorted index, -1: no more */
    float *lambda, *ahead;          /* likewise: multiplier, and the one Nesterov looks ahead to, m. From frame to
                                       frame `ahead` holds what is kept, by slot: see warm_start_keep */
    int32_t *kept_step;             /* by slot: 2 + the step in which its multipliers were kept, 0: never; negative:
                                       they will be, see solver_harden */
    int32_t *wall;                  /* [i * CONTACT_WALLS_MAX + s]: segment, -1: none */
    float *wall_lambda, *wall_ahead;
} contacts;

#if !defined(__CUDACC__)
/* Places and radii are in `body` from contacts_begin on: the lists take their arrays, until contacts_return. */
static inline void contacts_share(const crowd *c, contacts *k)
{
    k->active = (int32_t *)(void *)c->sx;
    k->list = (int32_t *)(void *)c->sy;
    k->next = (int32_t *)(void *)c->sr;
}
#endif

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

/* Partner `s` of agents `i`, in `j`, of those in `lanes` who have as many; the others have themselves there, and leave
 * `lanes`. Returns whether anybody is left: a list ends at its first -1; what lies behind is old. */
LANE_FN bool contacts_partner(const crowd *c, const contacts *k, lane_i i, int s, lane_m *lanes, lane_i *j)
{
    *j = lane_gather_i(k->partner, i + s * c->stride);
    *lanes = *lanes & (*j >= 0);
    *j = lane_select_i(*lanes, *j, i);
    return lane_any(*lanes);
}

/* The same of agents in a row. */
LANE_FN bool contacts_partner_row(const crowd *c, const contacts *k, const lane_row *row, int s, lane_m *lanes,
                                  lane_i *j)
{
    *j = lane_row_load_i(k->partner + s * c->stride, row);
    *lanes = *lanes & (*j >= 0);
    *j = lane_select_i(*lanes, *j, row->at);
    return lane_any(*lanes);
}

#define CONTACTS_LEAST 1e-30f /* m: a cap of nothing has a sign, too */

/* A cap of no more than `most`, m. */
LANE_FN lane_f contacts_shorter(lane_f cap, lane_f most)
{
    lane_f shorter = lane_max(lane_min(lane_abs(cap), most), lane_set(CONTACTS_LEAST));
    return lane_select(cap < 0, -shorter, shorter);
}

LANE_FN contact_pair contacts_pair(const crowd *c, const contact_body *me, const contact_body *other)
{
    lane_f px = other->x - me->x, py = other->y - me->y;
    crowd_nearest_image(c, &px, &py);
    if (c->shape)
        return shape_pair(c, me->index, other->index, px, py, me->radius + other->radius);
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

/* Wanted displacements of agents `first` .. into both buffers. */
LANE_FN void contacts_begin(const crowd *c, contacts *k, int32_t first, lane_m lanes)
{
    yield_push(c, first, lanes);
    lane_i slot = crowd_slots(c, first, lanes);
    lane_four body = {lane_load(c->sx + first), lane_load(c->sy + first),
                      c->shape ? shape_begin(c, first, lanes, slot) : lane_load(c->sr + first),
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

#if !defined(__CUDACC__)
/* Puts places and radii of agents `first` .. back where the lists were. */
LANE_FN void contacts_return(const crowd *c, const contacts *k, int32_t first, lane_m lanes)
{
    lane_four body = lane_load_four(k->body, first);
    lane_store(c->sx + first, body.a, lanes);
    lane_store(c->sy + first, body.b, lanes);
    lane_store(c->sr + first, c->shape ? lane_load_four(c->shape, first).c : body.c, lanes);
}
#endif

/* The lanes whose contacts pressed in the last step. */
LANE_FN lane_m contacts_pressed(const crowd *c, const contacts *k, lane_i i)
{
    return lane_gather_i(k->kept_step, lane_gather_i(c->slot, i)) == (int32_t)(c->frame.step + 1);
}

#endif
