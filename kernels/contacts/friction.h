/* Friction: bodies that press against each other slow each other's sliding.
 *
 * D. Helbing, I. Farkas and T. Vicsek, "Simulating dynamical features of escape panic" (Nature 407, 2000), equations
 * (2) and (3), have two forces between bodies that are compressed by g, m: k g along the normal, and the sliding
 * friction kappa g dv_t along the tangent, dv_t being how fast one slides along the other, m/s. The friction is the
 * pressure times kappa / k = 2.4e5 / 1.2e5 = 2 s/m times that speed. Bodies here are rigid, which is the limit of large
 * k: the pressure is the contact's multiplier lambda, and what friction takes from the displacements d of a step of
 * length dt is
 *
 *     -drag (t . (d_i - d_j)) t   of i, times its weight,   drag = friction lambda / dt
 *
 * and as much, the other way, of j; walls have d_j = 0. (Coulomb's friction, at most mu times the pressure whatever the
 * speed, has no speed of its own: with all wishes doubled everything goes twice as fast, and nobody is slower for
 * hurrying. Here who presses twice as hard has twice the pressure, and twice the drag at the same speed.)
 *
 * It is taken where the displacement ends, not where it begins (implicit): each iteration of the solver solves the two
 * equations of an agent for its own displacement, with those of its partners as they are (Jacobi's iteration, which
 * converges however large the drag), while the multipliers go on. It goes on until displacements change by less than
 * the solver's tolerance.
 *
 * Off (0) unless a world says otherwise. It shows where people push, as in the paper: without a time gap, or under
 * social_force. Then doors have arches that hold, and faster is slower: tests/specs/friction_spec.lua. */
#ifndef THRONG_FRICTION_H
#define THRONG_FRICTION_H

#include "kernels/crowd.h"

/* What drags at an agent: the sum of drag t t^T over its contacts, and where it drags to: that of drag (t . d_j) t. */
typedef struct friction_sum {
    lane_f xx, xy, yy;
    lane_f x, y; /* m */
} friction_sum;

LANE_FN friction_sum friction_none(void)
{
    friction_sum none = {lane_set(0), lane_set(0), lane_set(0), lane_set(0), lane_set(0)};
    return none;
}

/* Adds a contact with normal (nx, ny) that presses with `lambda`, m, on whom goes by (dx, dy), m. */
LANE_FN void friction_add(const crowd *c, friction_sum *sum, lane_f nx, lane_f ny, lane_f lambda, lane_f dx, lane_f dy)
{
    lane_f drag = lambda * (c->frame.friction / c->frame.dt), along = drag * lane_det(nx, ny, dx, dy);
    sum->xx = sum->xx + drag * (ny * ny);
    sum->xy = sum->xy - drag * (nx * ny);
    sum->yy = sum->yy + drag * (nx * nx);
    sum->x = sum->x - along * ny;
    sum->y = sum->y + along * nx;
}

/* Slows the displacements (x, y), m, of agents of this weight. */
LANE_FN void friction_slow(const friction_sum *sum, lane_f weight, lane_f *x, lane_f *y)
{
    lane_f xx = 1.0f + weight * sum->xx, xy = weight * sum->xy, yy = 1.0f + weight * sum->yy;
    lane_f to_x = *x + weight * sum->x, to_y = *y + weight * sum->y, over = 1.0f / (xx * yy - xy * xy);
    *x = (yy * to_x - xy * to_y) * over;
    *y = (xx * to_y - xy * to_x) * over;
}

#endif
