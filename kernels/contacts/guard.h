/* What the iterations leave undone: displacements are cut at walls, and whoever would come too close goes a part of its
 * way.
 *
 * Two may come nearer by the room between them: half of it each, or what the other leaves. Who follows another may go
 * as far as the other makes way, too, so that who goes less far makes those behind go less far. Parts are sixteenths.
 * The less others go the less an agent may, and nothing else matters: so whatever order they are looked at in, the same
 * parts come of it, the greatest that fit all of them. Standing still always fits.
 *
 * Where the iterations ended since nobody went on, no pair comes nearer than its sum of radii less the tolerance: only
 * those that are cut are looked at then, and whoever must go less far because of one that is. Else all who take part
 * are.
 *
 * (With whole ways or none those behind stand, too: four streams of 800 are through after 162 s where there is one
 * iteration a step, mean of three seeds, and after 136 with parts; with 200 iterations after 107.) */
#ifndef THRONG_GUARD_H
#define THRONG_GUARD_H

#include "solver.h"

#define SOLVER_LIMIT 0.991f /* of the sum of radii: a hair above CONTACTS_LIMIT, for what positions are rounded to */
/* Of the sum of radii: a pair nearer than this was put there, and must be free to part. */
#define SOLVER_STARTED 0.98f

#define GUARD_PARTS 16 /* of a displacement */

/* The greatest tolerance, of the sum of radii, that leaves pairs farther apart than SOLVER_LIMIT. */
#define GUARD_TOLERANCE 0.008f

/* Cuts what active agents `i` may not do: farther than their caps, into walls. In place. No part of it is taken yet.
 * Returns the lanes. */
LANE_FN lane_m solver_cut(const crowd *c, contacts *k, lane_i i, lane_m lanes)
{
    lane_four a = lane_gather_four(k->a, i);
    lane_f dx = a.a, dy = a.b;
    solver_within(LIMITS_MARGIN * lane_abs(a.d), &dx, &dy);
    if (c->walls.count) {
        contact_slide d = contacts_slide_begin(dx, dy);
        contacts_walls(c, k, CONTACTS_WALLS_SLIDE, i, lanes, 0, &d);
        contacts_walls(c, k, CONTACTS_WALLS_STOP, i, lanes, 0, &d);
        dx = d.x;
        dy = d.y;
    }
    lane_scatter(k->a, 4 * i, dx, lanes);
    lane_scatter(k->a + 1, 4 * i, dy, lanes);
    lane_scatter_i(k->turn, i, lane_set_i(0), lanes);
    return lanes & lane_not((dx == a.a) & (dy == a.b));
}

/* How much of a displacement is left of which `less` parts are taken. */
LANE_FN lane_f guard_share(lane_i less) { return lane_set(1) - lane_to_f(less) * lane_set(1.0f / GUARD_PARTS); }

/* How many parts must be taken from who goes `mine` towards another, who goes `theirs` the same way, or will when
 * `their_less` are taken, with so much room between them. m */
LANE_FN lane_i guard_less(lane_f room, lane_f mine, lane_f theirs, lane_i their_less)
{
    lane_f way = lane_select(theirs > 0, room + guard_share(their_less) * theirs, lane_max(0.5f * room, room + theirs));
    lane_f all = lane_set(GUARD_PARTS), left = lane_select(mine > 0, lane_min(all * way / mine, all), all);
    return GUARD_PARTS - lane_truncate(left);
}

/* Takes as many parts from agents, from whom fewer were seen to be taken. Returns how many it changed. */
LANE_FN int guard_take(contacts *k, lane_i agents, lane_i less, lane_m lanes)
{
    int changed = 0;
    for (; lane_any(lanes); lanes = lanes & lane_not(lane_only_first(lanes)))
        changed += lane_shared_raise(&k->turn[lane_first_i(agents, lanes)], lane_first_i(less, lanes));
    return changed;
}

/* A pair as the guard sees it. */
typedef struct guard_pair {
    lane_f room, mine, theirs; /* see guard_less */
    lane_m blind;              /* the partner is not looked at, or may not have the agent on a list of its own */
} guard_pair;

/* Returns the lanes whose pairs may need parts to be taken. */
LANE_FN lane_m guard_pair_of(const crowd *c, const contacts *k, const contact_body *me, lane_i j, lane_m lanes,
                             guard_pair *pair)
{
    contact_body other = contacts_body(k, j);
    contact_pair p = contacts_pair(c, me, &other);
    pair->room = lane_max(p.distance - SOLVER_LIMIT * p.radii, lane_set(0));
    pair->mine = lane_dot(p.nx, p.ny, me->dx, me->dy);
    pair->theirs = lane_dot(p.nx, p.ny, other.dx, other.dy);
    pair->blind = ((lane_shared_gather(k->status, j) & CONTACT_GUARDED) == 0) | solver_crowded(&other);
    lane_f half = 0.5f * pair->room;
    return lanes & (p.distance > SOLVER_STARTED * p.radii) &
           ((pair->mine > half) | (pair->blind & (-pair->theirs > half)));
}

/* What must be taken from agents because of partners j, from whom `their_less` are taken; takes from these what they
 * would not see themselves, and then they are looked at, too. */
LANE_FN lane_i guard_meet(contacts *k, const guard_pair *pair, lane_i less, lane_i j, lane_i their_less, lane_m lanes,
                          int *changed)
{
    lane_m blind = lanes & pair->blind;
    if (lane_any(blind)) {
        lane_i theirs = guard_less(pair->room, -pair->theirs, -pair->mine, less);
        blind = blind & (theirs > their_less);
        *changed += guard_take(k, j, theirs, blind);
        contacts_guard_lanes(k, j, blind);
    }
    lane_i more = guard_less(pair->room, pair->mine, pair->theirs, their_less);
    return lane_select_i(lanes & (more > less), more, less);
}

/* One look of the guard. Returns how many agents now go less far than before. */
LANE_FN int solver_guard(const crowd *c, contacts *k, lane_i i, lane_m lanes)
{
    contact_body me = contacts_body(k, i);
    lane_i before = lane_shared_gather(k->turn, i), less = before, j;
    lane_m there = lanes;
    int changed = 0;
    for (int s = 0; s < THRONG_CONTACTS_MAX && contacts_partner(c, k, i, s, &there, &j); s++) {
        guard_pair pair;
        lane_m near = guard_pair_of(c, k, &me, j, there, &pair);
        if (lane_any(near))
            less = guard_meet(k, &pair, less, j, lane_shared_gather(k->turn, j), near, &changed);
    }
    return changed + guard_take(k, i, less, lanes & (less > before));
}

/* Shortens what the guard wants shorter. Returns the lanes. */
LANE_FN lane_m solver_hold(contacts *k, lane_i i, lane_m lanes)
{
    lane_i less = lane_gather_i(k->turn, i);
    lane_m held = lanes & (less > 0);
    if (!lane_any(held))
        return held;
    lane_f share = guard_share(less);
    lane_scatter(k->a, 4 * i, share * lane_gather(k->a, 4 * i), held);
    lane_scatter(k->a + 1, 4 * i, share * lane_gather(k->a + 1, 4 * i), held);
    return held;
}

#endif
