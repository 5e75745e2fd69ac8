/* The social force model: D. Helbing, I. Farkas, T. Vicsek, "Simulating dynamical features of escape panic" (Nature
 * 407, 2000), equations (1) to (3):
 *
 *     m dv/dt = m (v0 e - v) / tau + sum_j f_ij + sum_W f_iW
 *     f_ij    = A exp((r_ij - d_ij) / B) n_ij          n_ij from j to i, r_ij the sum of the radii
 *     f_iW    = A exp((r_i - d_iW) / B) n_iW           from the nearest point of the wall
 * A = 2,000 N, B = 0.08 m, tau = 0.5 s, m = 80 kg (the agents' own). The forces of bodies that touch are the contacts',
 * for this planner as for all: k (r - d) n is what keeps rigid bodies apart, and kappa (r - d) dv t the friction of
 * kernels/contacts/friction.h, where the world has it. Steps are those of pushes.h. */

/*--- throng.social_force(settings)
 * The social force model (Helbing, Farkas and Vicsek, 2000): inertia, and forces that fall off exponentially with the
 * gaps to neighbours and walls. Bodies that touch are kept apart by contacts, as under all planners; their friction,
 * with which faster is slower at doors, is `friction = 2` of throng.world (scenarios/panic.lua). Stable at any dt. It
 * ignores the column time_gap.
 * @example
 * group.planner = throng.social_force { relaxation = 0.4 } */

#ifndef THRONG_SOCIAL_FORCE_H
#define THRONG_SOCIAL_FORCE_H

#include "pushes.h"

/* What pushes agents `me`, who prefer (dx, dy): neighbours, then walls. */
LANE_FN void social_force_collect(const crowd *c, const pairs_self *me, lane_f dx, lane_f dy, lane_m lanes, pushes *all)
{
    lane_i slot = me->slot, entry = lane_gather_i(c->planner, slot);
#define VALUE(name) crowd_planner_value(c, entry, slot, THRONG_social_force_##name)
    pair p;
    lane_m counts;
    lane_f mass = crowd_mass(c, slot), force = VALUE(force) / mass, wall_force = VALUE(wall_force) / mass;
    pushes_begin(c, me, dx, dy, VALUE(relaxation), VALUE(range), all);
    for (int s = 0; s < c->k; s++) {
        lane_m there = pairs_neighbour(c, me, s, lanes, &p);
        if (!lane_any(there))
            break;
        pushes_add(me, &p, p.gap, pushes_reaction(c, me, &p, there), force, lane_set(0), there, all);
    }
    if (c->walls.count)
        for (int s = 0; s < THRONG_WALLS_MAX && pairs_wall(c, me, s, lanes, &p, &counts); s++)
            pushes_add(me, &p, p.gap, lane_set(1), wall_force, lane_set(0), counts, all);
#undef VALUE
}

LANE_FN void plan_social_force(const crowd *c, int32_t first, lane_m lanes, lane_i slot, lane_f dx, lane_f dy)
{
    pairs_self me = pairs_look_at_self(c, first, slot);
    pushes all;
    social_force_collect(c, &me, dx, dy, lanes, &all);
    pushes_solve(c, PUSHES_EXPONENTIAL, &me, &all, lanes);
}

#endif
