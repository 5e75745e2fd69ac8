/* The social force model: D. Helbing, I. Farkas, T. Vicsek, "Simulating dynamical features of escape panic" (Nature
 * 407, 2000), equations (1) to (3):
 *
 *     m dv/dt = m (v0 e - v) / tau + sum_j f_ij + sum_W f_iW
 *     f_ij    = A exp((r_ij - d_ij) / B) n_ij          n_ij from j to i, r_ij the sum of the radii
 *     f_iW    = A exp((r_i - d_iW) / B) n_iW           from the nearest point of the wall
 * A = 2,000 N, B = 0.08 m, tau = 0.5 s, m = 80 kg (the agents' own). The forces of bodies that touch, k (r - d) n and
 * the friction kappa (r - d) dv t, are left out: contacts keep bodies apart, for this planner as for all, and where
 * r - d is never above 0 both are 0.
 *
 * The exponential is stiff: at a touch its rate is sqrt(A / (m B)) = 18 /s, and 25 m/s^2 are had after 0.1 s from where
 * there was a tenth of it. Explicit steps need dt = 0.01 s. Here each step is implicit: forces are those at the end of
 * it, at gap - dt n . (v' - v_j'), in which the other is taken to react as it must when two push each other alone, by
 * -m_i / m_j times the change of v. So each pair by itself makes a backward Euler step, and since every pair counts
 * its whole reaction on both sides, any number of them stay stable at any dt. The velocity of an agent is the root of
 *     e^(dt / tau) u = (e^(dt / tau) - 1) (v0 e - v + tau / m sum_j f_j(u))            u = v' - v
 * (relaxation and a constant force are exact at any dt), the minimum of a convex function, by Newton's method in the
 * plane. */

/*--- throng.social_force(settings)
 * The social force model (Helbing, Farkas and Vicsek, 2000): inertia, and forces that fall off exponentially with the
 * gaps to neighbours and walls. Bodies that touch are kept apart by contacts, as under all planners, without friction.
 * Stable at any dt. The column time_gap of agents does not count for it.
 * @example
 * group.planner = throng.social_force { relaxation = 0.4 } */

#ifndef THRONG_SOCIAL_FORCE_H
#define THRONG_SOCIAL_FORCE_H

#include "pairs.h"

enum { SOCIAL_MOST = CROWD_NEIGHBOURS_MAX + CROWD_WALLS_MAX, SOCIAL_ITERATIONS = 12 };
#define SOCIAL_EXPONENT 12.0f /* forces grow no further */
#define SOCIAL_GROWTH   20.0f /* dt / tau: no longer than that an agent takes to relax */
#define SOCIAL_HEAVY    1e3f  /* times another's mass: who is heavier is no more of a match */
#define SOCIAL_WEIGHT   1e6f  /* m/s: no push is stronger, whatever the mass */
#define SOCIAL_EXACT    1e-5f /* m/s: smaller changes end the search */

/* What pushes: the gap at the end of the step is gap - along n . u. */
typedef struct social_push {
    lane_f nx, ny, gap, along, weight; /* weight: tau (e^(dt/tau) - 1) A / m, m/s; 0: nobody */
} social_push;

typedef struct social_self {
    lane_f growth; /* e^(dt / tau) - 1 */
    lane_f wx, wy; /* growth (v0 e - v), m/s */
    lane_f range;  /* m */
    social_push push[SOCIAL_MOST];
    int pushes;
} social_self;

LANE_FN void social_add(const crowd *c, const pairs_self *me, const pair *p, lane_f reaction, lane_f weight,
                        lane_m lanes, social_self *all)
{
    lane_f closing = lane_dot(me->vx - p->vx, me->vy - p->vy, p->nx, p->ny);
    social_push push = {p->nx, p->ny, p->gap - c->dt * closing, c->dt * (1.0f + reaction),
                        lane_select(lanes, lane_min(weight, lane_set(SOCIAL_WEIGHT)), lane_set(0))};
    all->push[all->pushes++] = push;
}

LANE_FN void social_collect(const crowd *c, const pairs_self *me, lane_f force, lane_f wall_force, lane_f scale,
                            lane_m lanes, social_self *all)
{
    lane_f mass = crowd_mass(c, me->slot);
    pair p;
    lane_m counts;
    all->pushes = 0;
    for (int s = 0; s < c->k; s++) {
        lane_m there = pairs_neighbour(c, me, s, lanes, &p);
        if (!lane_any(there))
            break;
        lane_f reaction = lane_min(mass / crowd_mass(c, p.slot), lane_set(SOCIAL_HEAVY));
        reaction = lane_select(crowd_passive(c, p.slot, there), lane_set(0), reaction);
        social_add(c, me, &p, reaction, force * scale / mass, there, all);
    }
    if (c->walls.count)
        for (int s = 0; s < CROWD_WALLS_MAX && pairs_wall(c, me, s, lanes, &p, &counts); s++)
            social_add(c, me, &p, lane_set(0), wall_force * scale / mass, counts, all);
}

/* A Newton step of u; how far it went. */
LANE_FN lane_f social_improve(const social_self *all, lane_m lanes, lane_f *ux, lane_f *uy)
{
    lane_f gx = (1.0f + all->growth) * *ux - all->wx, gy = (1.0f + all->growth) * *uy - all->wy;
    lane_f xx = 1.0f + all->growth, xy = lane_set(0), yy = xx;
    for (int s = 0; s < all->pushes; s++) {
        const social_push *p = &all->push[s];
        lane_f gap = p->gap - p->along * lane_dot(p->nx, p->ny, *ux, *uy);
        lane_f push = p->weight * lane_exp(lane_min(-gap / all->range, lane_set(SOCIAL_EXPONENT)));
        lane_f stiff = push * p->along / all->range;
        gx = gx + push * p->nx;
        gy = gy + push * p->ny;
        xx = xx + stiff * p->nx * p->nx;
        xy = xy + stiff * p->nx * p->ny;
        yy = yy + stiff * p->ny * p->ny;
    }
    lane_f determinant = xx * yy - xy * xy;
    lane_f sx = (yy * gx - xy * gy) / determinant, sy = (xx * gy - xy * gx) / determinant;
    *ux = lane_select(lanes, *ux - sx, *ux);
    *uy = lane_select(lanes, *uy - sy, *uy);
    return lane_max(lane_abs(sx), lane_abs(sy));
}

LANE_FN void plan_social_force(const crowd *c, int32_t first, lane_m lanes, lane_i slot, lane_f dx, lane_f dy)
{
    lane_i entry = lane_gather_i(c->planner, slot);
#define VALUE(name) crowd_planner_value(c, entry, slot, THRONG_social_force_##name)
    pairs_self me = pairs_look_at_self(c, first, slot);
    social_self all;
    lane_f tau = VALUE(relaxation), ux = lane_set(0), uy = lane_set(0);
    all.growth = lane_exp(lane_min(c->dt / tau, lane_set(SOCIAL_GROWTH))) - 1.0f;
    all.wx = all.growth * (dx - me.vx);
    all.wy = all.growth * (dy - me.vy);
    all.range = VALUE(range);
    social_collect(c, &me, VALUE(force), VALUE(wall_force), tau * all.growth, lanes, &all);
    lane_m searching = lanes;
    for (int n = 0; n < SOCIAL_ITERATIONS && lane_any(searching); n++)
        searching = searching & (social_improve(&all, searching, &ux, &uy) > SOCIAL_EXACT);
    ux = me.vx + ux;
    uy = me.vy + uy;
    lane_f speed = lane_sqrt(lane_dot(ux, uy, ux, uy)), limit = lane_gather(c->max_speed, slot);
    lane_f scale = lane_select(speed > limit, limit / speed, lane_set(1));
    lane_store(c->nx + first, ux * scale, lanes);
    lane_store(c->ny + first, uy * scale, lanes);
#undef VALUE
}

#endif
