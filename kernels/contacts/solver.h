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
 * against its violation.
 *
 * In a jam what pressed in one step presses in the next: where more than
 * SOLVER_HARD iterations were needed the multipliers start from nine tenths of
 * the last step's, so that the pressure need not be found again. Four streams of
 * 4,000: 6 ms a step where it took 28, nobody held where 7,932 were, everybody
 * through after 200 s where 1,113 were after 150. Recalled everywhere it took
 * 8.5 ms, and loose crowds, whose contacts last a step or two, a third longer
 * than without. */
#ifndef THRONG_SOLVER_H
#define THRONG_SOLVER_H

#include "contacts.h"

#define SOLVER_RECOVER 0.05f /* of the sum of radii: who overlaps is pushed apart by at most this in a step */

#define SOLVER_LIMIT 0.991f /* of the sum of radii: a hair above CONTACTS_LIMIT, for what positions are rounded to */
/* Of the sum of radii: a pair nearer than this was put there, and must be free to part. */
#define SOLVER_STARTED 0.98f

#define SOLVER_HARD   10   /* iterations: who needs more than this is in a jam */
#define SOLVER_RECALL 0.9f /* of the last step's multipliers: what the solver starts from */
#define SOLVER_SLACK  0.2f /* what pressing without touching counts, of what entering counts */

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

/* A contact's multiplier, and the one looked ahead to. */
typedef struct solver_multiplier {
    lane_f now, ahead;
} solver_multiplier;

/* Of lanes that iterate for the first time, `fresh`, the multiplier is all there is. */
LANE_FN solver_multiplier solver_read(const float *lambda, const float *ahead, lane_i at, lane_m fresh)
{
    solver_multiplier m = {lane_gather(lambda, at), lane_gather(ahead, at)};
    m.ahead = lane_select(fresh, m.now, m.ahead);
    return m;
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

/* An iteration of a contact with a partner who wants to go (dx, dy). Returns the lanes whose multiplier may have
 * changed. */
LANE_FN lane_m solver_partner(const solver_contact *contact, solver_multiplier *m, lane_f dx, lane_f dy,
                              lane_f stiffness, lane_m lanes, float beta, solver_turn *t)
{
    lane_f violation = lane_dot(contact->nx, contact->ny, t->me.dx - dx, t->me.dy - dy) - contact->gap;
    t->wrong = t->wrong | (lanes & (solver_residual(violation, m->ahead) > contact->slack));
    lane_m live = lanes & (t->hot | (stiffness < 0));
    lane_f step = 1.0f / (t->me.weight * t->stiffness + contact->weight * lane_abs(stiffness));
    solver_multiply(m, step, violation, beta, live);
    t->turned = t->turned | live;
    return live;
}

/* What it pushes with. */
LANE_FN solver_push solver_pushes(const solver_contact *contact, const solver_multiplier *m, lane_m lanes)
{
    solver_push pushed = {contact->nx, contact->ny, lane_select(lanes, m->ahead, lane_set(0))};
    return pushed;
}

LANE_FN void solver_partners(const crowd *c, contacts *k, lane_i i, lane_m lanes, float beta, solver_turn *t)
{
    for (int s = 0; s < THRONG_CONTACTS_MAX; s++) {
        lane_i at = i + s * c->stride, j = lane_gather_i(k->partner, at);
        lanes = lanes & (j >= 0); /* a list ends at its first -1; what lies behind is old */
        if (!lane_any(lanes))
            return;
        contact_body other = contacts_body(k, lane_select_i(lanes, j, i));
        solver_contact contact = solver_contact_of(c, &t->me, &other);
        solver_multiplier m = solver_read(k->lambda, k->ahead, at, t->fresh);
        lane_m live = solver_partner(&contact, &m, other.dx, other.dy, other.stiffness, lanes, beta, t);
        solver_write(k->lambda, k->ahead, at, &m, live, lanes & t->fresh);
        solver_push pushed = solver_pushes(&contact, &m, lanes);
        solver_add(&t->sum, &pushed);
    }
}

/* A wall as a contact of discs like `me`. */
LANE_FN solver_contact solver_contact_wall(const crowd *c, const contact_body *me, lane_i wall, lane_m lanes)
{
    lane_f nx, ny;
    lane_f distance =
        lane_sqrt(walls_nearest(&c->walls, lane_select_i(lanes, wall, lane_set_i(0)), me->x, me->y, &nx, &ny));
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

LANE_FN void solver_walls(const crowd *c, contacts *k, lane_i i, lane_m lanes, float beta, solver_turn *t)
{
    for (int s = 0; s < CONTACT_WALLS_MAX; s++) {
        lane_i wall = lane_gather_i(k->wall, i * CONTACT_WALLS_MAX + s);
        lanes = lanes & (wall >= 0);
        if (!lane_any(lanes))
            return;
        solver_push pushed = solver_wall_listed(c, k, i, lane_set_i(s), wall, lanes, beta, t);
        solver_add(&t->sum, &pushed);
    }
}

/* Where the pushes take agents `i`: as contacts.a has it. */
LANE_FN lane_four solver_outcome(const solver_turn *t)
{
    lane_f x = t->wish_x - t->me.weight * t->sum.x, y = t->wish_y - t->me.weight * t->sum.y;
    solver_within(t->me.cap, &x, &y);
    lane_f stiffness = lane_max(t->stiffness, solver_stiffness(&t->sum));
    lane_four b = {lane_select(t->turned, x, t->me.dx), lane_select(t->turned, y, t->me.dy),
                   lane_select(t->wrong, -stiffness, stiffness), t->me.cap};
    return b;
}

/* Keeps it. Returns who goes on, with all whom it touches. */
LANE_FN lane_m solver_end(contacts *k, lane_i i, lane_m lanes, const solver_turn *t)
{
    lane_scatter_four(k->b, i, solver_outcome(t), lanes);
    return lanes & (t->wrong | t->turned);
}

/* Agents `i` went on after SOLVER_HARD iterations, or were partners of somebody who did: what presses them is kept for
 * the next step. */
LANE_FN void solver_harden(const crowd *c, contacts *k, lane_i i, lane_m lanes)
{
    lane_shared_scatter(k->kept_step, lane_gather_i(c->slot, i), lane_set_i(-(int32_t)(c->frame.step + 2)), lanes);
}

/* Which of them are. Some are kept already. */
LANE_FN lane_m solver_is_hard(const crowd *c, const contacts *k, lane_i i)
{
    lane_i step = lane_shared_gather(k->kept_step, lane_gather_i(c->slot, i));
    return (step == (int32_t)(c->frame.step + 2)) | (step == -(int32_t)(c->frame.step + 2));
}

/* Do the lists of agents `me` lack some whom they could touch? */
LANE_FN lane_m solver_crowded(const crowd *c, const contact_body *me) { return me->cap < c->largest_step; }

/* Puts whom agents `i` could touch on the list of iteration `turn`, beyond their partners; of every `team` the ones
 * from `rank` on. */
LANE_FN void solver_list_beyond(const crowd *c, contacts *k, lane_i i, lane_m lanes, int32_t turn, int32_t rank,
                                int32_t team)
{
    contacts_visitor v;
    v.turn = turn;
    v.rank = rank;
    v.team = team;
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

/* Puts agents `i`, and all whom they could touch, on the list of iteration `turn`. */
LANE_FN void solver_list(const crowd *c, contacts *k, lane_i i, lane_m lanes, lane_m crowded, int32_t turn)
{
    contacts_list_lanes(k, i, turn, lanes);
    if (turn > SOLVER_HARD)
        solver_harden(c, k, i, lanes);
    if (lane_any(lanes & crowded))
        solver_list_crowded(c, k, i, lanes & crowded, turn);
    for (int s = 0; s < THRONG_CONTACTS_MAX; s++) {
        lane_i j = lane_gather_i(k->partner, i + s * c->stride);
        lanes = lanes & (j >= 0);
        if (!lane_any(lanes))
            return;
        j = lane_select_i(lanes, j, i);
        contacts_list_lanes(k, j, turn, lanes);
        if (turn > SOLVER_HARD)
            solver_harden(c, k, j, lanes);
    }
}
#endif

/* What is kept of agents in slots `slot` from the last step: entry n is the slot of a partner and the multiplier. */
LANE_FN lane_i solver_kept(const crowd *c, lane_i slot, int n) { return slot + 2 * n * c->stride; }

/* The multiplier kept for partners in slots `partner`, 0: none. */
LANE_FN lane_f solver_remembered(const crowd *c, const contacts *k, lane_i slot, lane_i partner, lane_m lanes)
{
    lane_f lambda = lane_set(0);
    for (int n = 0; n < CONTACTS_KEPT; n++) {
        lane_i at = solver_kept(c, slot, n), kept = lane_as_i(lane_gather(k->ahead, at));
        lanes = lanes & (kept >= 0);
        if (!lane_any(lanes))
            break;
        lambda = lane_select(lanes & (kept == partner), lane_gather(k->ahead, at + c->stride), lambda);
    }
    return lambda;
}

/* Partner `s` of agents `me`, in slots `slot`, presses as it did in the last step. */
LANE_FN solver_push solver_recall_partner(const crowd *c, contacts *k, const contact_body *me, lane_i slot, lane_i s,
                                          lane_i j, lane_m lanes)
{
    contact_body other = contacts_body(k, j);
    contact_pair p = contacts_pair(c, me, &other);
    lane_f lambda = SOLVER_RECALL * solver_remembered(c, k, slot, lane_gather_i(c->slot, j), lanes);
    lane_scatter(k->lambda, me->index + s * c->stride, lambda, lanes);
    solver_push pushed = {p.nx, p.ny, lane_select(lanes, lambda, lane_set(0))};
    return pushed;
}

/* Where that takes them. */
LANE_FN void solver_recalled(contacts *k, const contact_body *me, const solver_sum *sum, lane_m lanes)
{
    lane_f x = me->dx - me->weight * sum->x, y = me->dy - me->weight * sum->y;
    solver_within(me->cap, &x, &y);
    lane_f stiffness = lane_max(solver_stiffness(sum), lane_set(1));
    lane_four b = {x, y, lane_select(me->stiffness < 0, -stiffness, stiffness), me->cap};
    lane_scatter_four(k->b, me->index, b, lanes);
}

/* Before the first iteration: what pressed agents `i` in the last step presses again. */
LANE_FN void solver_recall(const crowd *c, contacts *k, lane_i i, lane_m lanes)
{
    lanes = lanes & contacts_pressed(c, k, i);
    if (!lane_any(lanes))
        return;
    lane_four body = lane_gather_four(k->body, i), b = lane_gather_four(k->b, i);
    contact_body me = contacts_join_parts(i, &body, &b);
    lane_i slot = lane_gather_i(c->slot, i);
    lane_f zero = lane_set(0);
    solver_sum sum = {zero, zero, zero, zero, zero};
    lane_m there = lanes;
    for (int s = 0; s < THRONG_CONTACTS_MAX; s++) {
        lane_i j = lane_gather_i(k->partner, i + s * c->stride);
        there = there & (j >= 0);
        if (!lane_any(there))
            break;
        solver_push pushed = solver_recall_partner(c, k, &me, slot, lane_set_i(s), lane_select_i(there, j, i), there);
        solver_add(&sum, &pushed);
    }
    solver_recalled(k, &me, &sum, lanes);
}

/* After the last iteration: keeps what presses active agents `i`, the pairs of least gap first. */
LANE_FN void solver_keep(const crowd *c, contacts *k, lane_i i, lane_m lanes)
{
    lanes = lanes & solver_is_hard(c, k, i);
    lane_i slot = lane_gather_i(c->slot, i), at = slot;
    lane_i end = solver_kept(c, slot, CONTACTS_KEPT);
    lane_m there = lanes;
    for (int s = 0; s < THRONG_CONTACTS_MAX; s++) {
        lane_i j = lane_gather_i(k->partner, i + s * c->stride);
        there = there & (j >= 0);
        if (!lane_any(there))
            break;
        j = lane_select_i(there, j, i);
        lane_f lambda = lane_gather(k->lambda, i + s * c->stride);
        lane_m presses = there & (lambda > 0) & (at < end) & solver_is_hard(c, k, j);
        lane_scatter(k->ahead, at, lane_as_f(lane_gather_i(c->slot, j)), presses);
        lane_scatter(k->ahead, at + c->stride, lambda, presses);
        at = lane_select_i(presses, at + 2 * c->stride, at);
    }
    lane_scatter(k->ahead, at, lane_as_f(lane_set_i(-1)), lanes & (at < end));
    lane_shared_scatter(k->kept_step, slot, lane_set_i((int32_t)(c->frame.step + 2)), lanes & (at > slot));
}

#if !defined(__CUDACC__)
/* Iteration `turn`, 1, 2, ..., of agents `i`: reads displacements and stiffness from a, writes them to b. */
LANE_FN void solver_iterate(const crowd *c, contacts *k, lane_i i, lane_m lanes, float beta, int32_t turn)
{
    lane_m fresh = lanes & ((lane_gather_i(k->status, i) & CONTACT_ITERATED) == 0);
    if (lane_any(fresh))
        lane_scatter_i(k->status, i, lane_set_i(CONTACT_ACTIVE | CONTACT_ITERATED), fresh);
    solver_turn t = solver_begin(c, k, i, fresh);
    solver_partners(c, k, i, lanes, beta, &t);
    if (c->walls.count)
        solver_walls(c, k, i, lanes, beta, &t);
    lane_m again = solver_end(k, i, lanes, &t);
    if (lane_any(again))
        solver_list(c, k, i, again, solver_crowded(c, &t.me), turn + 1);
}
#endif

/* Cuts what active agents `i` may not do: farther than their cap, into walls. In place. */
LANE_FN void solver_cut(const crowd *c, contacts *k, lane_i i, lane_m lanes)
{
    lane_four a = lane_gather_four(k->a, i);
    lane_f dx = a.a, dy = a.b;
    solver_within(a.d, &dx, &dy);
    if (c->walls.count) {
        contact_slide d = contacts_slide_begin(dx, dy);
        contacts_walls(c, k, CONTACTS_WALLS_SLIDE, i, lanes, 0, &d);
        contacts_walls(c, k, CONTACTS_WALLS_STOP, i, lanes, 0, &d);
        dx = d.x;
        dy = d.y;
    }
    lane_scatter(k->a, 4 * i, dx, lanes);
    lane_scatter(k->a + 1, 4 * i, dy, lanes);
}

/* Would a pair come too close? */
LANE_FN lane_m solver_too_close(const contact_pair *p, const contact_body *me, const contact_body *other)
{
    lane_f room = lane_max(p->distance - SOLVER_LIMIT * p->radii, lane_set(0));
    return (contacts_approach(p, me, other) > room) & (p->distance > SOLVER_STARTED * p->radii);
}

/* Wants both sides of a pair to hold that would come too close; wakes who took no part yet. */
LANE_FN void solver_guard_partner(const crowd *c, contacts *k, const contact_body *me, lane_i j, lane_m lanes)
{
    contact_body other = contacts_body(k, j);
    contact_pair p = contacts_pair(c, me, &other);
    lane_m close = lanes & solver_too_close(&p, me, &other);
    lane_shared_scatter(k->turn, me->index, lane_set_i(CONTACT_HOLD), close);
    lane_shared_scatter(k->turn, j, lane_set_i(CONTACT_HOLD), close);
    contacts_wake_lanes(k, j, close & (lane_shared_gather(k->status, j) == CONTACT_IDLE));
}

/* One round of the guard. */
LANE_FN void solver_guard(const crowd *c, contacts *k, lane_i i, lane_m lanes)
{
    contact_body me = contacts_body(k, i);
    for (int s = 0; s < THRONG_CONTACTS_MAX; s++) {
        lane_i j = lane_gather_i(k->partner, i + s * c->stride);
        lanes = lanes & (j >= 0);
        if (!lane_any(lanes))
            return;
        solver_guard_partner(c, k, &me, lane_select_i(lanes, j, i), lanes);
    }
}

/* Holds whom the guard wants held; the lanes that were not before. */
LANE_FN lane_m solver_hold(contacts *k, lane_i i, lane_m lanes)
{
    lane_i status = lane_gather_i(k->status, i);
    lane_m held = lanes & (lane_gather_i(k->turn, i) == CONTACT_HOLD) & ((status & CONTACT_HELD) == 0);
    lane_scatter(k->a, 4 * i, lane_set(0), held);
    lane_scatter(k->a + 1, 4 * i, lane_set(0), held);
    lane_scatter_i(k->status, i, status | CONTACT_HELD, held);
    return held;
}

/* How far to look ahead in the next iteration (t_n in Nesterov's notation is kept in *t, 1 at first). */
static inline float solver_beta(double *t)
{
    double next = (1 + sqrt(1 + 4 * *t * *t)) / 2;
    double beta = (*t - 1) / next;
    *t = next;
    return (float)beta;
}

#endif
