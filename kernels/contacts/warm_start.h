/* Warm start: in a jam what pressed in one step presses in the next. Agents that
 * needed more than SOLVER_HARD iterations start the next step from nine tenths of
 * their multipliers, so that the pressure need not be found again. Four streams of
 * 4,000: 6 ms a step where it took 28, nobody held where 7,932 were, everybody
 * through after 200 s where 1,113 were after 150. With a warm start for everybody a
 * step took 8.5 ms, and loose crowds, whose contacts last a step or two, a third
 * longer than without. */
#ifndef THRONG_WARM_START_H
#define THRONG_WARM_START_H

#include "solver.h"

enum { WARM_START_KEPT = 6 }; /* multipliers of an agent */

#define WARM_START_SHARE 0.9f /* of the last step's multipliers: what the solver starts from */

/* Which of agents `i` needed more than SOLVER_HARD iterations. Some are kept already. */
LANE_FN lane_m warm_start_is_hard(const crowd *c, const contacts *k, lane_i i)
{
    lane_i step = lane_shared_gather(k->kept_step, lane_gather_i(c->slot, i));
    return (step == (int32_t)(c->frame.step + 2)) | (step == -(int32_t)(c->frame.step + 2));
}

/* What is kept of agents in slots `slot` from the last step: entry n is the slot of a partner and the multiplier. */
LANE_FN lane_i warm_start_kept(const crowd *c, lane_i slot, int n) { return slot + 2 * n * c->stride; }

/* The multiplier kept for partners in slots `partner`, 0: none. */
LANE_FN lane_f warm_start_remembered(const crowd *c, const contacts *k, lane_i slot, lane_i partner, lane_m lanes)
{
    lane_f lambda = lane_set(0);
    for (int n = 0; n < WARM_START_KEPT; n++) {
        lane_i at = warm_start_kept(c, slot, n), kept = lane_as_i(lane_gather(k->ahead, at));
        lanes = lanes & (kept >= 0);
        if (!lane_any(lanes))
            break;
        lambda = lane_select(lanes & (kept == partner), lane_gather(k->ahead, at + c->stride), lambda);
    }
    return lambda;
}

/* Partner `s` of agents `me`, in slots `slot`, presses as it did in the last step. */
LANE_FN solver_push warm_start_partner(const crowd *c, contacts *k, const contact_body *me, lane_i slot, lane_i s,
                                       lane_i j, lane_m lanes)
{
    contact_body other = contacts_body(k, j);
    contact_pair p = contacts_pair(c, me, &other);
    lane_f lambda = WARM_START_SHARE * warm_start_remembered(c, k, slot, lane_gather_i(c->slot, j), lanes);
    lane_scatter(k->lambda, me->index + s * c->stride, lambda, lanes);
    solver_push pushed = {p.nx, p.ny, lane_select(lanes, lambda, lane_set(0))};
    return pushed;
}

/* Where that takes them. */
LANE_FN void warm_start_outcome(const crowd *c, contacts *k, const contact_body *me, const solver_sum *sum,
                                lane_m lanes)
{
    lane_f x = me->dx - me->weight * sum->x, y = me->dy - me->weight * sum->y;
    solver_within(lane_abs(solver_cap(c, me->index, me->cap)), &x, &y);
    lane_f stiffness = lane_max(solver_stiffness(sum), lane_set(1));
    lane_four b = {x, y, lane_select(me->stiffness < 0, -stiffness, stiffness), me->cap};
    lane_scatter_four(k->b, me->index, b, lanes);
}

/* Before the first iteration: what pressed agents `i` in the last step presses again. */
LANE_FN void warm_start_recall(const crowd *c, contacts *k, lane_i i, lane_m lanes)
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
    lane_i j;
    for (int s = 0; s < THRONG_CONTACTS_MAX && contacts_partner(c, k, i, s, &there, &j); s++) {
        solver_push pushed = warm_start_partner(c, k, &me, slot, lane_set_i(s), j, there);
        solver_add(&sum, &pushed);
    }
    warm_start_outcome(c, k, &me, &sum, lanes);
}

/* After the last iteration: keeps what presses active agents `i`, the pairs of least gap first. */
LANE_FN void warm_start_keep(const crowd *c, contacts *k, lane_i i, lane_m lanes)
{
    lanes = lanes & warm_start_is_hard(c, k, i);
    lane_i slot = lane_gather_i(c->slot, i), at = slot;
    lane_i end = warm_start_kept(c, slot, WARM_START_KEPT);
    lane_m there = lanes;
    lane_i j;
    for (int s = 0; s < THRONG_CONTACTS_MAX && contacts_partner(c, k, i, s, &there, &j); s++) {
        lane_f lambda = lane_gather(k->lambda, i + s * c->stride);
        lane_m presses = there & (lambda > 0) & (at < end) & warm_start_is_hard(c, k, j);
        lane_scatter(k->ahead, at, lane_as_f(lane_gather_i(c->slot, j)), presses);
        lane_scatter(k->ahead, at + c->stride, lambda, presses);
        at = lane_select_i(presses, at + 2 * c->stride, at);
    }
    lane_scatter(k->ahead, at, lane_as_f(lane_set_i(-1)), lanes & (at < end));
    lane_shared_scatter(k->kept_step, slot, lane_set_i((int32_t)(c->frame.step + 2)), lanes & (at > slot));
}

#endif
