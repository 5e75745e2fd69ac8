/* What the iterations leave undone: displacements are cut at walls, and whoever would come too close is held. */
#ifndef THRONG_GUARD_H
#define THRONG_GUARD_H

#include "solver.h"

#define SOLVER_LIMIT 0.991f /* of the sum of radii: a hair above CONTACTS_LIMIT, for what positions are rounded to */
/* Of the sum of radii: a pair nearer than this was put there, and must be free to part. */
#define SOLVER_STARTED 0.98f

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
    lane_i j;
    for (int s = 0; s < THRONG_CONTACTS_MAX && contacts_partner(c, k, i, s, &lanes, &j); s++)
        solver_guard_partner(c, k, &me, j, lanes);
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

#endif
