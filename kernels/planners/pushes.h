/* Pushes: one step of agents with inertia who are pushed along the lines to others, for the models of forces.
 *
 *     dv/dt = (v0 e - v) / tau + sum_j f_j n_j          f_j(gap, approach) >= 0, n_j away from the other
 *
 * Such forces are stiff: those of social_force have a rate of 18 /s at a touch, and ask explicit steps for dt = 0.01 s.
 * Here a step is implicit: forces are those at its end, at a gap of gap - dt a and an approach of a = n . (v_j' - v'),
 * in which the other is taken to react as it must when two push each other alone, by -m_i / m_j times the change of v.
 * So each pair by itself makes a backward Euler step, and since every pair counts its whole reaction on both sides, any
 * number of them stay stable at any dt. The change u of an agent's velocity is the root of
 *     e^(dt / tau) u = (e^(dt / tau) - 1) (v0 e - v + tau sum_j f_j(u) n_j)
 * (so relaxation, and a constant force, are exact at any dt), found by Newton's method in the plane: what pushes grows
 * with u against it, so the root is the minimum of a convex function. */
#ifndef THRONG_PUSHES_H
#define THRONG_PUSHES_H

#include "pairs.h"
#include "kernels/lane/lane_math.h"

enum { PUSHES_MOST = THRONG_NEIGHBOURS_MAX + THRONG_WALLS_MAX, PUSHES_ITERATIONS = 12 };
#define PUSHES_GROWTH 20.0f /* dt / tau, at most */
#define PUSHES_HEAVY  1e3f  /* times another's mass: who is heavier is no more of a match */
#define PUSHES_WEIGHT 1e6f  /* m/s: no push is stronger, whatever the mass */
#define PUSHES_FAST   1e3f  /* m/s: no approach is faster */
#define PUSHES_EXACT  1e-5f /* m/s: smaller changes end the search */

/* How pushes grow: PUSHES_EXPONENTIAL: exp(-gap / range); PUSHES_CENTRIFUGAL: (drive + approach)^2 / gap. */
enum pushes_law { PUSHES_EXPONENTIAL, PUSHES_CENTRIFUGAL };
#define PUSHES_EXPONENT 12.0f /* exponential ones grow no further */

/* Somebody who pushes; (nx, ny) points to it. */
typedef struct push {
    lane_f nx, ny, gap, approach; /* m, m/s: now */
    lane_f reaction;              /* 1 + its change of velocity along the line for one of the agent's */
    lane_f weight, drive;         /* tau (e^(dt/tau) - 1) times the law's factor; 0: nobody. drive: m/s */
} push;

typedef struct pushes {
    lane_f growth, scale; /* e^(dt / tau) - 1; tau times that, s */
    lane_f wx, wy;        /* growth (v0 e - v), m/s */
    lane_f range;         /* m: of the exponential; the least gap that counts of the centrifugal */
    push push[PUSHES_MOST];
    int count;
} pushes;

/* Of agents `me`, who prefer (dx, dy) and come to that in `tau` s. */
LANE_FN void pushes_begin(const crowd *c, const pairs_self *me, lane_f dx, lane_f dy, lane_f tau, lane_f range,
                          pushes *all)
{
    all->growth = lane_exp(lane_min(c->frame.dt / tau, lane_set(PUSHES_GROWTH))) - 1.0f;
    all->scale = tau * all->growth;
    all->wx = all->growth * (dx - me->vx);
    all->wy = all->growth * (dy - me->vy);
    all->range = range;
    all->count = 0;
}

/* How a neighbour reacts: as it must, or not at all where it leaves all avoiding to others. */
LANE_FN lane_f pushes_reaction(const crowd *c, const pairs_self *me, const pair *p, lane_m lanes)
{
    lane_f reaction = lane_min(crowd_mass(c, me->slot) / crowd_mass(c, p->slot), lane_set(PUSHES_HEAVY));
    return lane_select(crowd_passive(c, p->slot, lanes), lane_set(1), 1.0f + reaction);
}

/* `factor`: m/s^2, or 1 / s^2 m; in the lanes of `lanes`. */
LANE_FN void pushes_add(const pairs_self *me, const pair *p, lane_f gap, lane_f reaction, lane_f factor, lane_f drive,
                        lane_m lanes, pushes *all)
{
    lane_f weight = lane_min(factor * all->scale, lane_set(PUSHES_WEIGHT));
    lane_f approach = lane_dot(me->vx - p->vx, me->vy - p->vy, p->nx, p->ny);
    push push = {p->nx, p->ny, gap, approach, reaction, lane_select(lanes, weight, lane_set(0)), drive};
    all->push[all->count++] = push;
}

/* What a push is, m/s, and by how much it grows with u along its line. */
LANE_FN lane_f pushes_law(const crowd *c, int law, const pushes *all, const push *p, lane_f ux, lane_f uy,
                          lane_f *slope)
{
    lane_f approach = p->approach + p->reaction * lane_dot(p->nx, p->ny, ux, uy), gap = p->gap - c->frame.dt * approach;
    if (law == PUSHES_EXPONENTIAL) {
        lane_f strength = p->weight * lane_exp(lane_min(-gap / all->range, lane_set(PUSHES_EXPONENT)));
        *slope = strength * p->reaction * c->frame.dt / all->range;
        return strength;
    }
    lane_m closes = approach > 0, apart = gap > all->range;
    lane_f speed = lane_min(p->drive + lane_select(closes, approach, lane_set(0)), lane_set(PUSHES_FAST));
    gap = lane_select(apart, gap, all->range);
    lane_f strength = p->weight * (speed * speed / gap);
    lane_f by_speed = lane_select(closes, p->weight * (2.0f * speed / gap), lane_set(0));
    lane_f by_gap = lane_select(apart, strength * (c->frame.dt / gap), lane_set(0));
    *slope = (by_speed + by_gap) * p->reaction;
    return strength;
}

/* A sum of stiffnesses along lines, sum s n n^T. */
typedef struct pushes_stiffness {
    lane_f xx, xy, yy;
} pushes_stiffness;

/* Solves (c + stiffness) u = (gx, gy). Where one line is much stiffer than all else the determinant of the sum, 0,
 * comes out as what rounding leaves: below 0 it would make u anything, above it u is a little less than it should be.
 */
LANE_FN void pushes_invert(lane_f c, const pushes_stiffness *s, lane_f gx, lane_f gy, lane_f *ux, lane_f *uy)
{
    lane_f own = lane_max(s->xx * s->yy - s->xy * s->xy, lane_set(0));
    lane_f determinant = c * c + c * (s->xx + s->yy) + own;
    *ux = (c * gx + (s->yy * gx - s->xy * gy)) / determinant;
    *uy = (c * gy + (s->xx * gy - s->xy * gx)) / determinant;
}

/* A Newton step of u; how far it went. */
LANE_FN lane_f pushes_improve(const crowd *c, int law, const pushes *all, lane_m lanes, lane_f *ux, lane_f *uy)
{
    pushes_stiffness sum = {lane_set(0), lane_set(0), lane_set(0)};
    lane_f inert = 1.0f + all->growth, gx = inert * *ux - all->wx, gy = inert * *uy - all->wy, sx, sy;
    for (int s = 0; s < all->count; s++) {
        const push *p = &all->push[s];
        lane_f slope, strength = pushes_law(c, law, all, p, *ux, *uy, &slope);
        gx = gx + strength * p->nx;
        gy = gy + strength * p->ny;
        sum.xx = sum.xx + slope * p->nx * p->nx;
        sum.xy = sum.xy + slope * p->nx * p->ny;
        sum.yy = sum.yy + slope * p->ny * p->ny;
    }
    pushes_invert(inert, &sum, gx, gy, &sx, &sy);
    *ux = lane_select(lanes, *ux - sx, *ux);
    *uy = lane_select(lanes, *uy - sy, *uy);
    return lane_max(lane_abs(sx), lane_abs(sy));
}

/* Stores a velocity, m/s, no faster than the agents can be. */
LANE_FN void pushes_store(const crowd *c, const pairs_self *me, lane_f vx, lane_f vy, lane_m lanes)
{
    lane_f speed = lane_sqrt(lane_dot(vx, vy, vx, vy)), limit = lane_gather(c->max_speed, me->slot);
    lane_f scale = lane_select(speed > limit, limit / speed, lane_set(1));
    lane_store(c->nx + me->first, vx * scale, lanes);
    lane_store(c->ny + me->first, vy * scale, lanes);
}

/* The new velocities. */
LANE_FN void pushes_solve(const crowd *c, int law, const pairs_self *me, const pushes *all, lane_m lanes)
{
    lane_f ux = lane_set(0), uy = lane_set(0);
    lane_m searching = lanes; /* a lane that is done stays, whatever the others do */
    for (int n = 0; n < PUSHES_ITERATIONS && lane_any(searching); n++)
        searching = searching & (pushes_improve(c, law, all, searching, &ux, &uy) > PUSHES_EXACT);
    pushes_store(c, me, me->vx + ux, me->vy + uy, lanes);
}

#endif
