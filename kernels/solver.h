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
 * the last step's, so that the pressure need not be found anew. Four streams of
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

LANE_FN void solver_add(solver_sum *sum, lane_f nx, lane_f ny, lane_f push)
{
    lane_f one = lane_select(push != 0, lane_set(1), lane_set(0));
    sum->x = sum->x + push * nx;
    sum->y = sum->y + push * ny;
    sum->xx = sum->xx + one * (nx * nx);
    sum->xy = sum->xy + one * (nx * ny);
    sum->yy = sum->yy + one * (ny * ny);
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

/* A gradient step from where the look-ahead was, then ahead again. Lanes not in `live` keep theirs. Returns what it
 * pushes with. */
LANE_FN lane_f solver_multiply(float *lambda, float *ahead, lane_i at, const solver_multiplier *m, lane_f step,
                               lane_f violation, float beta, lane_m live, lane_m fresh)
{
    lane_f now = lane_max(m->ahead + step * violation, lane_set(0));
    lane_f change = now - m->now;
    lane_f next = lane_select(violation * change < 0, now, now + beta * change);
    next = lane_select(live, next, m->ahead);
    lane_scatter(lambda, at, now, live);
    lane_scatter(ahead, at, next, live | fresh);
    return next;
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
    lane_f worst;  /* worst violation, as a part of the sum of radii */
    solver_sum sum;
} solver_turn;

/* Partners `s` .. of agents `i`, read together: on CUDA the memory then has several requests at a time to answer,
 * which is what the iterations wait for. */
#if defined(__CUDACC__)
enum { SOLVER_GROUP = 4 };
#else
enum { SOLVER_GROUP = 1 };
#endif

typedef struct solver_group {
    lane_i index[SOLVER_GROUP];
    lane_m there[SOLVER_GROUP];
} solver_group;

LANE_FN solver_group solver_read_group(const crowd *c, const contacts *k, lane_i i, int s, lane_m lanes)
{
    solver_group group;
    LANE_UNROLL
    for (int g = 0; g < SOLVER_GROUP; g++)
        group.index[g] = lane_gather_i(k->partner, i + (s + g) * c->stride);
    LANE_UNROLL
    for (int g = 0; g < SOLVER_GROUP; g++) {
        lanes = lanes & (group.index[g] >= 0); /* a list ends at its first -1; what lies behind is old */
        group.there[g] = lanes;
        group.index[g] = lane_select_i(lanes, group.index[g], i);
    }
    return group;
}

LANE_FN void solver_partner(const crowd *c, contacts *k, lane_i at, const contact_body *other, solver_multiplier m,
                            lane_m lanes, float beta, solver_turn *t)
{
    contact_pair p = contacts_pair(c, &t->me, other);
    lane_f gap = lane_max(p.distance - p.radii, -SOLVER_RECOVER * p.radii);
    lane_f violation = contacts_approach(&p, &t->me, other) - gap;
    lane_f part = solver_residual(violation, m.ahead) / p.radii;
    t->worst = lane_select(lanes & (part > t->worst), part, t->worst);
    lane_m live = lanes & (t->hot | (other->stiffness < 0));
    lane_f step = 1.0f / (t->me.weight * t->stiffness + other->weight * lane_abs(other->stiffness));
    lane_f push = solver_multiply(k->lambda, k->ahead, at, &m, step, violation, beta, live, lanes & t->fresh);
    solver_add(&t->sum, p.nx, p.ny, lane_select(lanes, push, lane_set(0)));
    t->turned = t->turned | live;
}

LANE_FN void solver_partners(const crowd *c, contacts *k, lane_i i, lane_m lanes, float beta, solver_turn *t)
{
    for (int s = 0; s < CONTACTS_MAX; s += SOLVER_GROUP) {
        solver_group group = solver_read_group(c, k, i, s, lanes);
        if (!lane_any(group.there[0]))
            return;
        contact_body other[SOLVER_GROUP];
        solver_multiplier m[SOLVER_GROUP];
        LANE_UNROLL
        for (int g = 0; g < SOLVER_GROUP; g++) {
            other[g] = contacts_body(k, group.index[g]);
            m[g] = solver_read(k->lambda, k->ahead, i + (s + g) * c->stride, t->fresh);
        }
        LANE_UNROLL
        for (int g = 0; g < SOLVER_GROUP; g++)
            solver_partner(c, k, i + (s + g) * c->stride, &other[g], m[g], group.there[g], beta, t);
        lanes = group.there[SOLVER_GROUP - 1];
    }
}

LANE_FN void solver_walls(const crowd *c, contacts *k, lane_i i, lane_m lanes, float beta, solver_turn *t)
{
    lane_f radius = t->me.radius;
    for (int s = 0; s < CONTACT_WALLS_MAX; s++) {
        lane_i at = i * CONTACT_WALLS_MAX + s;
        lane_i wall = lane_gather_i(k->wall, at);
        lane_m there = lanes & (wall >= 0);
        if (!lane_any(there))
            return;
        lane_f nx, ny;
        lane_f distance =
            lane_sqrt(walls_nearest(&c->walls, lane_select_i(there, wall, lane_set_i(0)), t->me.x, t->me.y, &nx, &ny));
        lane_f over = lane_select(distance > 0, 1.0f / distance, lane_set(0));
        nx = nx * over;
        ny = ny * over;
        lane_f gap = lane_max(distance - radius, -SOLVER_RECOVER * radius);
        lane_f violation = lane_dot(nx, ny, t->me.dx, t->me.dy) - gap;
        lane_f part = violation / (2 * radius);
        t->worst = lane_select(there & (part > t->worst), part, t->worst);
        lane_m live = there & t->hot;
        solver_multiplier m = solver_read(k->wall_lambda, k->wall_ahead, at, t->fresh);
        lane_f step = 1.0f / (t->me.weight * t->stiffness);
        lane_f push =
            solver_multiply(k->wall_lambda, k->wall_ahead, at, &m, step, violation, beta, live, there & t->fresh);
        solver_add(&t->sum, nx, ny, lane_select(there, push, lane_set(0)));
        t->turned = t->turned | live;
    }
}

/* Puts agents `i`, and whom they touch or could touch, on the list of iteration `turn`. `crowded`: their lists lack
 * some. */
LANE_FN void solver_list(const crowd *c, contacts *k, lane_i i, lane_m lanes, lane_m crowded, int32_t turn)
{
    contacts_list_lanes(k, i, turn, lanes);
    if (lane_any(lanes & crowded)) {
        contacts_visitor v;
        v.turn = turn;
        contacts_visit_all(c, k, CONTACTS_LIST, i, lanes & crowded, &v);
    }
    for (int s = 0; s < CONTACTS_MAX; s += SOLVER_GROUP) {
        solver_group group = solver_read_group(c, k, i, s, lanes);
        if (!lane_any(group.there[0]))
            return;
        lane_i listed[SOLVER_GROUP];
        LANE_UNROLL
        for (int g = 0; g < SOLVER_GROUP; g++)
            listed[g] = lane_gather_i(k->turn, group.index[g]);
        LANE_UNROLL
        for (int g = 0; g < SOLVER_GROUP; g++)
            contacts_list_lanes(k, group.index[g], turn, group.there[g] & lane_not(listed[g] == turn));
        lanes = group.there[SOLVER_GROUP - 1];
    }
}

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

/* Before the first iteration: the lists of active agents `i`, and what pressed them in the last step presses again. */
LANE_FN void solver_recall(const crowd *c, contacts *k, lane_i i, lane_m lanes)
{
    contacts_collect(c, k, i, lanes);
    lanes = lanes & contacts_pressed(c, k, i);
    contact_body me = contacts_body(k, i);
    lane_i slot = lane_gather_i(c->slot, i);
    lane_f zero = lane_set(0);
    solver_sum sum = {zero, zero, zero, zero, zero};
    lane_m there = lanes;
    for (int s = 0; s < CONTACTS_MAX; s++) {
        lane_i at = i + s * c->stride, j = lane_gather_i(k->partner, at);
        there = there & (j >= 0);
        if (!lane_any(there))
            break;
        j = lane_select_i(there, j, i);
        lane_f lambda = SOLVER_RECALL * solver_remembered(c, k, slot, lane_gather_i(c->slot, j), there);
        contact_body other = contacts_body(k, j);
        contact_pair p = contacts_pair(c, &me, &other);
        lane_scatter(k->lambda, at, lambda, there);
        solver_add(&sum, p.nx, p.ny, lane_select(there, lambda, zero));
    }
    lane_f x = me.dx - me.weight * sum.x, y = me.dy - me.weight * sum.y;
    solver_within(me.cap, &x, &y);
    lane_f stiffness = lane_max(solver_stiffness(&sum), lane_set(1));
    lane_four a = {x, y, lane_select(me.stiffness < 0, -stiffness, stiffness), me.cap};
    lane_scatter_four(k->a, i, a, lanes);
}

/* After the last iteration: keeps what presses active agents `i`, the pairs of least gap first. */
LANE_FN void solver_keep(const crowd *c, contacts *k, lane_i i, lane_m lanes)
{
    lanes = lanes & (lane_gather_i(k->turn, i) > SOLVER_HARD) & ((lane_gather_i(k->status, i) & CONTACT_LISTED) != 0);
    lane_i slot = lane_gather_i(c->slot, i), at = slot;
    lane_i end = solver_kept(c, slot, CONTACTS_KEPT);
    lane_m there = lanes;
    for (int s = 0; s < CONTACTS_MAX; s++) {
        lane_i j = lane_gather_i(k->partner, i + s * c->stride);
        there = there & (j >= 0);
        if (!lane_any(there))
            break;
        j = lane_select_i(there, j, i);
        lane_f lambda = lane_gather(k->lambda, i + s * c->stride);
        lane_m presses = there & (lambda > 0) & (at < end) & (lane_gather_i(k->turn, j) > SOLVER_HARD);
        lane_scatter(k->ahead, at, lane_as_f(lane_gather_i(c->slot, j)), presses);
        lane_scatter(k->ahead, at + c->stride, lambda, presses);
        at = lane_select_i(presses, at + 2 * c->stride, at);
    }
    lane_scatter(k->ahead, at, lane_as_f(lane_set_i(-1)), lanes & (at < end));
    lane_scatter_i(k->kept_step, slot, lane_set_i((int32_t)(c->step + 2)), lanes & (at > slot));
}

/* Iteration `turn`, 1, 2, ..., of agents `i`: reads displacements and stiffness from a, writes them to b. */
LANE_FN void solver_iterate(const crowd *c, contacts *k, lane_i i, lane_m lanes, float beta, int32_t turn)
{
    lane_m fresh = lanes & ((lane_gather_i(k->status, i) & CONTACT_LISTED) == 0);
    if (lane_any(fresh))
        contacts_collect(c, k, i, fresh);
    if (turn == 1) /* the lists were collected by solver_recall */
        fresh = lanes;
    lane_f zero = lane_set(0);
    solver_turn t = {contacts_body(k, i), zero, fresh, lane_none(), lane_none(), zero, {zero, zero, zero, zero, zero}};
    t.stiffness = lane_abs(t.me.stiffness);
    t.hot = t.me.stiffness < 0;
    solver_partners(c, k, i, lanes, beta, &t);
    if (c->walls.count)
        solver_walls(c, k, i, lanes, beta, &t);
    lane_f x = lane_gather(c->nx, i) * c->dt - t.me.weight * t.sum.x,
           y = lane_gather(c->ny, i) * c->dt - t.me.weight * t.sum.y;
    solver_within(t.me.cap, &x, &y);
    lane_m hot = lanes & (t.worst > c->tolerance);
    lane_f stiffness = lane_max(t.stiffness, solver_stiffness(&t.sum));
    lane_four b = {lane_select(t.turned, x, t.me.dx), lane_select(t.turned, y, t.me.dy),
                   lane_select(hot, -stiffness, stiffness), t.me.cap};
    lane_scatter_four(k->b, i, b, lanes);
    lane_m again = hot | (lanes & t.turned);
    if (lane_any(again))
        solver_list(c, k, i, again, t.me.cap < c->largest_step, turn + 1);
}

/* Cuts what active agents `i` may not do: farther than their cap, into walls. In place. */
LANE_FN void solver_cut(const crowd *c, contacts *k, lane_i i, lane_m lanes)
{
    lane_four a = lane_gather_four(k->a, i);
    lane_f dx = a.a, dy = a.b;
    solver_within(a.d, &dx, &dy);
    if (c->walls.count) {
        contacts_walls(c, k, CONTACTS_WALLS_SLIDE, i, lanes, 0, &dx, &dy);
        contacts_walls(c, k, CONTACTS_WALLS_STOP, i, lanes, 0, &dx, &dy);
    }
    lane_scatter(k->a, 4 * i, dx, lanes);
    lane_scatter(k->a + 1, 4 * i, dy, lanes);
}

/* One round of the guard: wants both sides of every pair to hold that would come
 * too close. Those who took no part yet are woken. */
LANE_FN void solver_guard(const crowd *c, contacts *k, lane_i i, lane_m lanes)
{
    contact_body me = contacts_body(k, i);
    for (int s = 0; s < CONTACTS_MAX; s++) {
        lane_i j = lane_gather_i(k->partner, i + s * c->stride);
        lanes = lanes & (j >= 0);
        if (!lane_any(lanes))
            return;
        j = lane_select_i(lanes, j, i);
        contact_body other = contacts_body(k, j);
        contact_pair p = contacts_pair(c, &me, &other);
        lane_f room = lane_max(p.distance - SOLVER_LIMIT * p.radii, lane_set(0));
        lane_m close = lanes & (contacts_approach(&p, &me, &other) > room);
        close = close & (p.distance > SOLVER_STARTED * p.radii);
        lane_scatter_i(k->turn, i, lane_set_i(CONTACT_HOLD), close);
        lane_scatter_i(k->turn, j, lane_set_i(CONTACT_HOLD), close);
        contacts_wake_lanes(k, j, close & (lane_gather_i(k->status, j) == CONTACT_IDLE));
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
