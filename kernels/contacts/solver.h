/* The contact solver: projected gradient on the multipliers, with a look-ahead.
 *
 * The step of a pair is one over the sum, for both sides, of weight times
 * stiffness, the greatest eigenvalue of the sum of n n^T over the contacts that
 * press on the agent: a diagonal preconditioner, stable however many press.
 *
 * The work goes where it is needed: an agent is hot while one of its own
 * constraints is violated by more than the tolerance, and a pair's multiplier
 * changes only while one of its sides is hot. An iteration looks at the hot, at those
 * whose multipliers changed, and at the partners of both; a few hard places then
 * do not make the whole crowd iterate. Both sides of a pair read the same flags, so both
 * compute the same multiplier.
 *
 * The look-ahead (Nesterov) is dropped for a contact whose multiplier moves
 * against its violation. */
#ifndef THRONG_SOLVER_H
#define THRONG_SOLVER_H

#include "detect.h"
#include "friction.h"
#include "kernels/planners/limits.h"

#define SOLVER_RECOVER 0.05f /* of the sum of radii: who overlaps is pushed apart by at most this in a step */

#define SOLVER_HARD  10   /* iterations: who needs more than this is in a jam */
#define SOLVER_SLACK 0.2f /* what pressing without touching counts, of what entering counts */

/* What an agent's contacts add up to: the push, and the matrix whose greatest eigenvalue is its stiffness. */
typedef struct solver_sum {
    lane_f x, y, xx, xy, yy;
} solver_sum;

/* What a contact adds to them. */
typedef struct solver_push {
    lane_f nx, ny, push;
} solver_push;

LANE_FN void solver_add(solver_sum *sum, const solver_push *p)
{
    lane_f one = lane_select(p->push != 0, lane_set(1), lane_set(0));
    sum->x = sum->x + p->push * p->nx;
    sum->y = sum->y + p->push * p->ny;
    sum->xx = sum->xx + one * (p->nx * p->nx);
    sum->xy = sum->xy + one * (p->nx * p->ny);
    sum->yy = sum->yy + one * (p->ny * p->ny);
}

LANE_FN lane_f solver_stiffness(const solver_sum *sum)
{
    lane_f across = sum->xx - sum->yy;
    return 0.5f * (sum->xx + sum->yy + lane_sqrt(across * across + 4.0f * (sum->xy * sum->xy)));
}

/* Shortens (x, y) to at most `cap`. */
LANE_FN void solver_within(lane_f cap, lane_f *x, lane_f *y)
{
    lane_f length = lane_sqrt(lane_dot(*x, *y, *x, *y));
    lane_f share = lane_select(length > cap, cap / length, lane_set(1));
    *x = *x * share;
    *y = *y * share;
}

/* Do the lists of agents `me` lack some whom they could touch? */
LANE_FN lane_m solver_crowded(const contact_body *me) { return me->cap < 0; }

/* Caps of agents `i`, who are pushed: people are not pushed along faster than they can walk, or chose to. m */
LANE_FN lane_f solver_cap(const crowd *c, lane_i i, lane_f cap)
{
    lane_i slot = lane_gather_i(c->slot, i);
    lane_m people = (crowd_relaxation(c, slot) > 0) & lane_not(limits_unbound(c, slot));
    if (!lane_any(people))
        return cap;
    lane_f vx = lane_gather(c->nx, i), vy = lane_gather(c->ny, i), chosen = lane_sqrt(lane_dot(vx, vy, vx, vy));
    lane_f wx = lane_gather(c->desired_vx, slot), wy = lane_gather(c->desired_vy, slot);
    lane_f farthest = lane_max(LIMITS_FASTEST * limits_own(c, slot, wx, wy), chosen) * c->frame.dt;
    return lane_select(people, contacts_shorter(cap, farthest), cap);
}

/* A contact's multiplier, and the one looked ahead to. */
typedef struct solver_multiplier {
    lane_f now, ahead;
} solver_multiplier;

/* Of lanes that iterate for the first time, `fresh`, the multiplier is all there is. */
LANE_FN solver_multiplier solver_begun(lane_f lambda, lane_f ahead, lane_m fresh)
{
    solver_multiplier m = {lambda, lane_select(fresh, lambda, ahead)};
    return m;
}

LANE_FN solver_multiplier solver_read(const float *lambda, const float *ahead, lane_i at, lane_m fresh)
{
    return solver_begun(lane_gather(lambda, at), lane_gather(ahead, at), fresh);
}

/* Keeps it: of lanes that changed it, `live`, and of those that had none to look ahead to. */
LANE_FN void solver_write(float *lambda, float *ahead, lane_i at, const solver_multiplier *m, lane_m live, lane_m fresh)
{
    lane_scatter(lambda, at, m->now, live);
    lane_scatter(ahead, at, m->ahead, live | fresh);
}

/* A gradient step from where the look-ahead was, then ahead again. Lanes not in `live` keep theirs. */
LANE_FN void solver_multiply(solver_multiplier *m, lane_f step, lane_f violation, float beta, lane_m live)
{
    lane_f now = lane_max(m->ahead + step * violation, lane_set(0));
    lane_f change = now - m->now;
    lane_f next = lane_select(violation * change < 0, now, now + beta * change);
    m->now = lane_select(live, now, m->now);
    m->ahead = lane_select(live, next, m->ahead);
}

/* How far a contact is from solved: entered by so much, or pressing without touching. m */
LANE_FN lane_f solver_residual(lane_f violation, lane_f ahead)
{
    return lane_max(violation, SOLVER_SLACK * lane_min(-violation, 2.0f * ahead));
}

/* What an iteration finds out about an agent. */
typedef struct solver_turn {
    contact_body me;
    lane_f stiffness;
    lane_m fresh;  /* iterates for the first time */
    lane_m hot;    /* was, before this iteration */
    lane_m turned; /* some multiplier of it changed */
    lane_m wrong;  /* some constraint is violated by more than the tolerance */
    solver_sum sum;
    lane_f wish_x, wish_y; /* m */
} solver_turn;

/* The turn of agents `i`, `fresh` of which iterate for the first time. */
LANE_FN solver_turn solver_begin(const crowd *c, const contacts *k, lane_i i, lane_m fresh)
{
    lane_f zero = lane_set(0);
    lane_m none = lane_none();
    solver_turn t = {contacts_body(k, i),
                     zero,
                     fresh,
                     none,
                     none,
                     none,
                     {zero, zero, zero, zero, zero},
                     lane_gather(c->nx, i) * c->frame.dt,
                     lane_gather(c->ny, i) * c->frame.dt};
    t.stiffness = lane_abs(t.me.stiffness);
    t.hot = t.me.stiffness < 0;
    if (lane_any(fresh)) {
        t.me.cap = lane_select(fresh, solver_cap(c, i, t.me.cap), t.me.cap);
        lane_scatter(k->a + 3, 4 * i, t.me.cap, fresh); /* who does not go on is not written to the other side again */
    }
    return t;
}

/* What a contact is for as long as the step lasts. */
typedef struct solver_contact {
    lane_f nx, ny; /* to the partner or the wall */
    lane_f gap;    /* how far the two may come nearer, m */
    lane_f slack;  /* of the violation that is tolerated, m */
    lane_f weight; /* of the partner */
} solver_contact;

LANE_FN solver_contact solver_contact_of(const crowd *c, const contact_body *me, const contact_body *other)
{
    contact_pair p = contacts_pair(c, me, other);
    lane_f gap = lane_max(p.distance - p.radii, -SOLVER_RECOVER * p.radii);
    solver_contact contact = {p.nx, p.ny, gap, c->frame.tolerance * p.radii, other->weight};
    return contact;
}

/* An iteration of a contact with somebody who wants to go (dx, dy), which may press with `pressing` without touching.
 * Returns the lanes whose multiplier may have changed. */
LANE_FN lane_m solver_meet(const solver_contact *contact, solver_multiplier *m, lane_f dx, lane_f dy, lane_f stiffness,
                           lane_f pressing, lane_m lanes, float beta, solver_turn *t)
{
    lane_f violation = lane_dot(contact->nx, contact->ny, t->me.dx - dx, t->me.dy - dy) - contact->gap;
    t->wrong = t->wrong | (lanes & (solver_residual(violation, pressing) > contact->slack));
    lane_m live = lanes & (t->hot | (stiffness < 0));
    lane_f step = 1.0f / (t->me.weight * t->stiffness + contact->weight * lane_abs(stiffness));
    solver_multiply(m, step, violation, beta, live);
    t->turned = t->turned | live;
    return live;
}

/* The same with a partner. */
LANE_FN lane_m solver_partner(const solver_contact *contact, solver_multiplier *m, lane_f dx, lane_f dy,
                              lane_f stiffness, lane_m lanes, float beta, solver_turn *t)
{
    return solver_meet(contact, m, dx, dy, stiffness, m->ahead, lanes, beta, t);
}

/* What it pushes with. */
LANE_FN solver_push solver_pushes(const solver_contact *contact, const solver_multiplier *m, lane_m lanes)
{
    solver_push pushed = {contact->nx, contact->ny, lane_select(lanes, m->ahead, lane_set(0))};
    return pushed;
}

/* `drag`: what the contacts' friction adds up to; NULL: there is none. */
LANE_FN void solver_partners(const crowd *c, contacts *k, const lane_row *row, float beta, solver_turn *t,
                             friction_sum *drag)
{
    lane_m lanes = row->lanes;
    lane_i j;
    for (int s = 0; s < THRONG_CONTACTS_MAX && contacts_partner_row(c, k, row, s, &lanes, &j); s++) {
        float *lambda = k->lambda + s * c->stride, *ahead = k->ahead + s * c->stride;
        contact_body other = contacts_body(k, j);
        solver_contact contact = solver_contact_of(c, &t->me, &other);
        solver_multiplier m = solver_begun(lane_row_load(lambda, row), lane_row_load(ahead, row), t->fresh);
        solver_partner(&contact, &m, other.dx, other.dy, other.stiffness, lanes, beta, t);
        lane_row_store(lambda, row, m.now);
        lane_row_store(ahead, row, m.ahead);
        solver_push pushed = solver_pushes(&contact, &m, lanes);
        solver_add(&t->sum, &pushed);
        if (drag)
            friction_add(c, drag, pushed.nx, pushed.ny, pushed.push, other.dx, other.dy);
    }
}

/* A wall as a contact of agents `me`. */
LANE_FN solver_contact solver_contact_wall(const crowd *c, const contact_body *me, lane_i wall, lane_m lanes)
{
    lane_f nx, ny;
    wall = lane_select_i(lanes, wall, lane_set_i(0));
    lane_f distance = lane_sqrt(shape_nearest_wall(c, wall, me->index, me->x, me->y, &nx, &ny));
    lane_f over = lane_select(distance > 0, 1.0f / distance, lane_set(0));
    lane_f gap = lane_max(distance - me->radius, -SOLVER_RECOVER * me->radius);
    solver_contact contact = {nx * over, ny * over, gap, c->frame.tolerance * (2 * me->radius), lane_set(0)};
    return contact;
}

/* solver_partner for a wall, which wants to go nowhere. */
LANE_FN lane_m solver_wall(const solver_contact *contact, solver_multiplier *m, lane_m lanes, float beta,
                           solver_turn *t)
{
    lane_f violation = lane_dot(contact->nx, contact->ny, t->me.dx, t->me.dy) - contact->gap;
    t->wrong = t->wrong | (lanes & (violation > contact->slack));
    lane_m live = lanes & t->hot;
    solver_multiply(m, 1.0f / (t->me.weight * t->stiffness), violation, beta, live);
    t->turned = t->turned | live;
    return live;
}

/* Wall `s` of agents `i`. */
LANE_FN solver_push solver_wall_listed(const crowd *c, contacts *k, lane_i i, lane_i s, lane_i wall, lane_m lanes,
                                       float beta, solver_turn *t)
{
    lane_i at = i * CONTACT_WALLS_MAX + s;
    solver_contact contact = solver_contact_wall(c, &t->me, wall, lanes);
    solver_multiplier m = solver_read(k->wall_lambda, k->wall_ahead, at, t->fresh);
    lane_m live = solver_wall(&contact, &m, lanes, beta, t);
    solver_write(k->wall_lambda, k->wall_ahead, at, &m, live, lanes & t->fresh);
    return solver_pushes(&contact, &m, lanes);
}

LANE_FN void solver_walls(const crowd *c, contacts *k, lane_i i, lane_m lanes, float beta, solver_turn *t,
                          friction_sum *drag)
{
    for (int s = 0; s < CONTACT_WALLS_MAX; s++) {
        lane_i wall = lane_gather_i(k->wall, i * CONTACT_WALLS_MAX + s);
        lanes = lanes & (wall >= 0);
        if (!lane_any(lanes))
            return;
        solver_push pushed = solver_wall_listed(c, k, i, lane_set_i(s), wall, lanes, beta, t);
        solver_add(&t->sum, &pushed);
        if (drag)
            friction_add(c, drag, pushed.nx, pushed.ny, pushed.push, lane_set(0), lane_set(0));
    }
}

/* Agents that want to go by (x, y), m, as contacts.a has it. */
LANE_FN lane_four solver_going(const solver_turn *t, lane_f x, lane_f y)
{
    lane_f stiffness = lane_max(t->stiffness, solver_stiffness(&t->sum));
    lane_four b = {lane_select(t->turned, x, t->me.dx), lane_select(t->turned, y, t->me.dy),
                   lane_select(t->wrong, -stiffness, stiffness), t->me.cap};
    return b;
}

/* Where the pushes take agents `i`: as contacts.a has it. */
LANE_FN lane_four solver_outcome(const solver_turn *t)
{
    lane_f x = t->wish_x - t->me.weight * t->sum.x, y = t->wish_y - t->me.weight * t->sum.y;
    solver_within(lane_abs(t->me.cap), &x, &y);
    return solver_going(t, x, y);
}

/* The same with friction. Who goes elsewhere than before, by more than the tolerance, has not settled. */
LANE_FN lane_four solver_dragged(const crowd *c, solver_turn *t, const friction_sum *drag)
{
    lane_f x = t->wish_x - t->me.weight * t->sum.x, y = t->wish_y - t->me.weight * t->sum.y;
    friction_slow(drag, t->me.weight, &x, &y);
    solver_within(lane_abs(t->me.cap), &x, &y);
    lane_f off_x = x - t->me.dx, off_y = y - t->me.dy, slack = (2.0f * c->frame.tolerance) * t->me.radius;
    t->wrong = t->wrong | (t->turned & (lane_dot(off_x, off_y, off_x, off_y) > slack * slack));
    return solver_going(t, x, y);
}

/* Keeps it. Returns who goes on, with all whom it touches. */
LANE_FN lane_m solver_end(const crowd *c, contacts *k, lane_i i, lane_m lanes, solver_turn *t, const friction_sum *drag)
{
    lane_scatter_four(k->b, i, drag ? solver_dragged(c, t, drag) : solver_outcome(t), lanes);
    return lanes & (t->wrong | t->turned);
}

/* Agents `i` went on after SOLVER_HARD iterations, or were partners of somebody who did: what presses them is kept for
 * the next step. */
LANE_FN void solver_harden(const crowd *c, contacts *k, lane_i i, lane_m lanes)
{
    lane_shared_scatter(k->kept_step, lane_gather_i(c->slot, i), lane_set_i(-(int32_t)(c->frame.step + 2)), lanes);
}

/* Puts whom agents `i` could touch on the list of iteration `turn`, beyond their partners; of every `threads` the ones
 * from `rank` on. */
LANE_FN void solver_list_beyond(const crowd *c, contacts *k, lane_i i, lane_m lanes, int32_t turn, int32_t rank,
                                int32_t threads)
{
    contacts_visitor v;
    v.turn = turn;
    v.rank = rank;
    v.threads = threads;
    contacts_visit_all(c, k, CONTACTS_LIST, i, lanes, &v);
}

#if !defined(__CUDACC__)
/* The same on the CPU, when agents `i` go on for the first time. Later nothing new comes of looking but at those whose
 * partners they are, who look themselves (contacts_followers): of 500 agents in one place each listed all others in
 * every iteration, 1 s a step. */
LANE_FN void solver_list_crowded(const crowd *c, contacts *k, lane_i i, lane_m lanes, int32_t turn)
{
    lane_m first = lanes & (lane_gather_i(k->beyond, i) == 0);
    lane_scatter_i(k->beyond, i, lane_set_i(turn), lanes);
    if (lane_any(first))
        solver_list_beyond(c, k, i, first, turn, 0, 1);
}

/* Puts agents in a row, and all whom they could touch, on the list of iteration `turn`. */
LANE_FN void solver_list(const crowd *c, contacts *k, const lane_row *row, lane_m lanes, lane_m crowded, int32_t turn)
{
    contacts_list_lanes(k, row->at, turn, lanes);
    if (lane_any(lanes & crowded))
        solver_list_crowded(c, k, row->at, lanes & crowded, turn);
    lane_i j;
    for (int s = 0; s < THRONG_CONTACTS_MAX && contacts_partner_row(c, k, row, s, &lanes, &j); s++)
        contacts_list_lanes(k, j, turn, lanes);
}

/* Hardens agents in a row, and their partners. */
LANE_FN void solver_harden_all(const crowd *c, contacts *k, const lane_row *row, lane_m lanes)
{
    solver_harden(c, k, row->at, lanes);
    lane_i j;
    for (int s = 0; s < THRONG_CONTACTS_MAX && contacts_partner_row(c, k, row, s, &lanes, &j); s++)
        solver_harden(c, k, j, lanes);
}

/* Iteration `turn`, 1, 2, ..., of agents in a row: reads displacements and stiffness from a, writes them to b. */
LANE_FN void solver_iterate(const crowd *c, contacts *k, const lane_row *row, float beta, int32_t turn)
{
    lane_i status = lane_row_load_i(k->status, row), after = status | CONTACT_ITERATED;
    lane_m lanes = row->lanes, fresh = lanes & ((status & CONTACT_ITERATED) == 0);
    solver_turn t = solver_begin(c, k, row->at, fresh);
    friction_sum sum = friction_none(), *drag = c->frame.friction > 0 ? &sum : NULL;
    solver_partners(c, k, row, beta, &t, drag);
    if (c->walls.count)
        solver_walls(c, k, row->at, lanes, beta, &t, drag);
    lane_m again = solver_end(c, k, row->at, lanes, &t, drag);
    if (lane_any(again))
        solver_list(c, k, row, again, solver_crowded(&t.me), turn + 1);
    lane_m hardens = again & ((status & CONTACT_HARDENED) == 0);
    if (turn >= SOLVER_HARD && lane_any(hardens)) {
        solver_harden_all(c, k, row, hardens);
        after = lane_select_i(hardens, after | CONTACT_HARDENED, after);
    }
    if (lane_any(lanes & (after != status)))
        lane_row_store_i(k->status, row, after);
}
#endif

/* How far to look ahead in the next iteration (t_n in Nesterov's notation is kept in *t, 1 at first). */
static inline float solver_beta(double *t)
{
    double next = (1 + sqrt(1 + 4 * *t * *t)) / 2;
    double beta = (*t - 1) / next;
    *t = next;
    return (float)beta;
}

#endif
