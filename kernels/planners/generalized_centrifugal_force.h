/* The generalized centrifugal force model: M. Chraibi, A. Seyfried, A. Schadschneider, "Generalized centrifugal-force
 * model for pedestrian dynamics" (Physical Review E 82, 046111, 2010):
 *
 *     dv/dt = (v0 e - v) / tau + sum_j f_ij + sum_W f_iW
 *     f_ij  = -k_ij (eta v0 + v_ij)^2 / d_ij n_ij      n_ij from i to j
 *     v_ij  = max(0, (v_i - v_j) . n_ij),   k_ij = max(0, v_i . n_ij) / |v_i|
 * d_ij is the distance of the centres less what of it is in two ellipses, of which a is along the direction walked in
 * and b across: a = a_min + tau_a |v|, b = b_max - (b_max - b_min) |v| / v0. Of walls, v_j is that of the wall, and the
 * ellipse the agent's alone. Who stands has the direction it wants to walk in: with k = 0 it walks into who is ahead.
 *
 * Constants: a_min = 0.18 m, tau_a = 0.53 s, b = 0.2 to 0.25 m, eta = 0.2 as in the paper; tau = 0.5 s; a range of 2 m,
 * in whose last 0.1 m forces fade out, is JuPedSim's (1.4), which has eta = 0.3, and 0.2 of walls. Below a distance of
 * 0.01 m forces grow no further; JuPedSim's interpolation ends at 0.5 m. Steps are those of pushes.h, with k and the
 * ellipses as they are at the beginning. Bodies that touch are discs of the agents' radii, as under all planners. */

/*--- throng.generalized_centrifugal_force(settings)
 * The generalized centrifugal force model: ellipses that grow longer and narrower with speed, and forces that grow with
 * the speed of approach (Chraibi, Seyfried and Schadschneider, 2010). Stable at any dt. It ignores the column time_gap.
 * @example
 * group.planner = throng.generalized_centrifugal_force { strength = 0.3 } */

#ifndef THRONG_GENERALIZED_CENTRIFUGAL_FORCE_H
#define THRONG_GENERALIZED_CENTRIFUGAL_FORCE_H

#include "pushes.h"

#define CENTRIFUGAL_NEAR 0.01f /* m: forces grow no further */
#define CENTRIFUGAL_FADE 0.1f  /* m: of the range */

/* The ellipses of agents that walk in direction (ex, ey) with `speed` of `wanted`. m */
typedef struct centrifugal_ellipse {
    lane_f ex, ey, a, b;
} centrifugal_ellipse;

typedef struct centrifugal_self {
    pairs_self body;
    lane_i entry;
    lane_f a_min, a_time, b_min, b_max, range;
    centrifugal_ellipse ellipse;
} centrifugal_self;

LANE_FN centrifugal_ellipse centrifugal_ellipse_of(const centrifugal_self *me, lane_f ex, lane_f ey, lane_f speed,
                                                   lane_f wanted)
{
    lane_f part = lane_select(wanted > 0, lane_min(speed / wanted, lane_set(1)), lane_set(0));
    centrifugal_ellipse ellipse = {ex, ey, me->a_min + me->a_time * speed, me->b_max - (me->b_max - me->b_min) * part};
    return ellipse;
}

/* How far an ellipse reaches from its middle in direction (nx, ny), m. */
LANE_FN lane_f centrifugal_reach(const centrifugal_ellipse *e, lane_f nx, lane_f ny)
{
    lane_f along = e->b * lane_dot(e->ex, e->ey, nx, ny), across = e->a * lane_det(e->ex, e->ey, nx, ny);
    return e->a * e->b / lane_sqrt(along * along + across * across);
}

/* Adds what somebody `gap` off, between the ellipses, pushes with. */
LANE_FN void centrifugal_add(const centrifugal_self *me, const pair *p, lane_f gap, lane_f reaction, lane_f drive,
                             lane_m lanes, pushes *all)
{
    lane_f ahead = lane_max(lane_dot(me->ellipse.ex, me->ellipse.ey, p->nx, p->ny), lane_set(0));
    lane_f fade = lane_clamp((me->range - gap) / CENTRIFUGAL_FADE, lane_set(0), lane_set(1));
    pushes_add(&me->body, p, gap, reaction, ahead * fade, drive, lanes, all);
}

LANE_FN void centrifugal_neighbours(const crowd *c, const centrifugal_self *me, lane_f drive, lane_m lanes, pushes *all)
{
    pair p;
    for (int s = 0; s < c->k; s++) {
        lane_m there = pairs_neighbour(c, &me->body, s, lanes, &p);
        if (!lane_any(there))
            break;
        there = pairs_visible(c, &me->body, &p, there);
        lane_f ex, ey, speed = lane_sqrt(lane_dot(p.vx, p.vy, p.vx, p.vy));
        pairs_direction(c, &p, &ex, &ey);
        centrifugal_ellipse theirs = centrifugal_ellipse_of(me, ex, ey, speed, lane_gather(c->speed, p.slot));
        lane_f gap = p.distance - centrifugal_reach(&me->ellipse, p.nx, p.ny) - centrifugal_reach(&theirs, p.nx, p.ny);
        centrifugal_add(me, &p, gap, pushes_reaction(c, &me->body, &p, there), drive, there, all);
    }
}

LANE_FN void centrifugal_walls(const crowd *c, const centrifugal_self *me, lane_f drive, lane_m lanes, pushes *all)
{
    pair p;
    lane_m counts;
    for (int s = 0; s < THRONG_WALLS_MAX && pairs_wall(c, &me->body, s, lanes, &p, &counts); s++)
        centrifugal_add(me, &p, p.distance - centrifugal_reach(&me->ellipse, p.nx, p.ny), lane_set(1), drive, counts,
                        all);
}

/* Agents `first` .., who prefer (dx, dy), and what pushes them: neighbours, then walls. */
LANE_FN void centrifugal_collect(const crowd *c, int32_t first, lane_i slot, lane_f dx, lane_f dy, lane_m lanes,
                                 centrifugal_self *self, pushes *all)
{
    lane_i entry = lane_gather_i(c->planner, slot);
#define VALUE(name) crowd_planner_value(c, entry, slot, THRONG_generalized_centrifugal_force_##name)
    centrifugal_self me = {.body = pairs_look_at_self(c, first, slot),
                           .entry = entry,
                           .a_min = VALUE(a_min),
                           .a_time = VALUE(a_time),
                           .b_min = VALUE(b_min),
                           .b_max = VALUE(b_max),
                           .range = VALUE(range)};
    lane_f wanted = lane_sqrt(lane_dot(dx, dy, dx, dy));
    lane_f speed = lane_sqrt(lane_dot(me.body.vx, me.body.vy, me.body.vx, me.body.vy));
    lane_m walks = speed > PAIRS_STILL, wants = wanted > 0;
    lane_f ex = lane_select(wants, dx / wanted, lane_gather(c->hx, slot));
    lane_f ey = lane_select(wants, dy / wanted, lane_gather(c->hy, slot));
    ex = lane_select(walks, me.body.vx / speed, ex);
    ey = lane_select(walks, me.body.vy / speed, ey);
    /* who hardly moves, and backwards, is not longer for it: its gap ahead would shrink as it makes room */
    speed = lane_max(lane_dot(me.body.vx, me.body.vy, ex, ey), lane_set(0));
    me.ellipse = centrifugal_ellipse_of(&me, ex, ey, speed, wanted);
    pushes_begin(c, &me.body, dx, dy, VALUE(relaxation), lane_set(CENTRIFUGAL_NEAR), all);
    centrifugal_neighbours(c, &me, VALUE(strength) * wanted, lanes, all);
    if (c->walls.count)
        centrifugal_walls(c, &me, VALUE(wall_strength) * wanted, lanes, all);
    *self = me;
#undef VALUE
}

LANE_FN void plan_generalized_centrifugal_force(const crowd *c, int32_t first, lane_m lanes, lane_i slot, lane_f dx,
                                                lane_f dy)
{
    centrifugal_self me;
    pushes all;
    centrifugal_collect(c, first, slot, dx, dy, lanes, &me, &all);
    pushes_solve(c, PUSHES_CENTRIFUGAL, &me.body, &all, lanes);
}

#endif
