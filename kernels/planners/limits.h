/* Limits: which velocities an agent can have after a step. */
#ifndef THRONG_LIMITS_H
#define THRONG_LIMITS_H

#include "kernels/crowd.h"
#include "kernels/lane/lane_math.h"

/* From the velocity (vx, vy), changed by at most `reach`, and at most `speed`; m/s. */
typedef struct limits {
    lane_f vx, vy, reach, speed;
} limits;

#define LIMITS_MARGIN  1.00001f /* what rounding may do */
#define LIMITS_FASTEST 1.2f     /* of one's own speed: people go no faster, whoever pushes them */

#define LIMITS_UNBOUND (THRONG_PLANNERS_KEEP_GAP | 1 << THRONG_PLANNER_none) /* kinds of planners */

/* The agents in these slots who walk as their planners say. */
LANE_FN lane_m limits_unbound(const crowd *c, lane_i slot)
{
    if (!(c->frame.planners & LIMITS_UNBOUND))
        return lane_none();
    return ((lane_set_i(LIMITS_UNBOUND) >> crowd_planner_kind(c, lane_gather_i(c->planner, slot))) & 1) != 0;
}

/* m/s: the own speed of who wants to go at (wx, wy), or that where it is more. */
LANE_FN lane_f limits_own(const crowd *c, lane_i slot, lane_f wx, lane_f wy)
{
    return lane_max(lane_gather(c->speed, slot), lane_sqrt(lane_dot(wx, wy, wx, wy)));
}

/* Is a velocity within the limits, times `margin`? */
LANE_FN lane_m limits_hold(const limits *l, lane_f vx, lane_f vy, float margin)
{
    lane_f ex = vx - l->vx, ey = vy - l->vy, reach = l->reach * margin, speed = l->speed * margin;
    return (lane_dot(ex, ey, ex, ey) <= reach * reach) & (lane_dot(vx, vy, vx, vy) <= speed * speed);
}

LANE_FN void limits_slow(const limits *l, lane_f *vx, lane_f *vy)
{
    lane_f speed = lane_sqrt(lane_dot(*vx, *vy, *vx, *vy)), slower = l->speed / speed;
    *vx = lane_select(speed > l->speed, *vx * slower, *vx);
    *vy = lane_select(speed > l->speed, *vy * slower, *vy);
}

/* Where the circles of both limits meet, on the side of (wx, wy); the lanes where they do. */
LANE_FN lane_m limits_corner(const limits *l, lane_f wx, lane_f wy, lane_f *x, lane_f *y)
{
    lane_f square = lane_dot(l->vx, l->vy, l->vx, l->vy), present = lane_sqrt(square);
    lane_f ux = l->vx / present, uy = l->vy / present;
    lane_f along = (l->speed * l->speed - l->reach * l->reach + square) / (2.0f * present);
    lane_f off = l->speed * l->speed - along * along, across = lane_sqrt(lane_max(off, lane_set(0)));
    across = lane_select(lane_det(ux, uy, wx, wy) < 0, -across, across);
    *x = ux * along - uy * across;
    *y = uy * along + ux * across;
    return (present > 0) & (off >= 0);
}

/* The velocity within the limits that is nearest to this one. Where none is within both, that of the limit of speed
 * counts. */
LANE_FN void limits_pull(const limits *l, lane_f *vx, lane_f *vy)
{
    lane_f wx = *vx, wy = *vy, ex = wx - l->vx, ey = wy - l->vy, change = lane_sqrt(lane_dot(ex, ey, ex, ey));
    lane_f scale = l->reach / change;
    lane_m far = change > l->reach;
    *vx = lane_select(far, l->vx + ex * scale, wx);
    *vy = lane_select(far, l->vy + ey * scale, wy);
    lane_f fast = l->speed * LIMITS_MARGIN;
    lane_m both = far & (lane_dot(*vx, *vy, *vx, *vy) > fast * fast);
    limits_slow(l, vx, vy);
    if (!lane_any(both))
        return;
    lane_f x, y;
    lane_m meet = both & limits_corner(l, wx, wy, &x, &y);
    limits_slow(l, &wx, &wy);
    lane_m slowed = both & limits_hold(l, wx, wy, LIMITS_MARGIN);
    *vx = lane_select(slowed, wx, lane_select(meet, x, *vx));
    *vy = lane_select(slowed, wy, lane_select(meet, y, *vy));
}

#define LIMITS_ARC 0.1f /* m/s: who cannot face where it wants to go yet walks an arc, no slower than this */

/* The unit vector (fx, fy), or the one nearest to it of those at most `most` rad from (hx, hy), about to the right; the
 * lanes where it was farther. */
LANE_FN lane_m limits_face(lane_f hx, lane_f hy, lane_f most, lane_f *fx, lane_f *fy)
{
    lane_f sine, cosine;
    lane_sincos(lane_min(most, lane_set(3.1415927f)), &sine, &cosine);
    lane_m too_far = lane_dot(hx, hy, *fx, *fy) < cosine;
    sine = lane_select(lane_det(hx, hy, *fx, *fy) > 0, sine, -sine);
    *fx = lane_select(too_far, hx * cosine - hy * sine, *fx);
    *fy = lane_select(too_far, hx * sine + hy * cosine, *fy);
    return too_far;
}

/* The velocity that is nearest to (vx, vy) of those at most `most` rad from the unit vector (hx, hy) (MaxTurnRate of
 * B. O'Sullivan's agents, 2009, section 4.3.1). */
LANE_FN void limits_turn(lane_f hx, lane_f hy, lane_f most, lane_m lanes, lane_f *vx, lane_f *vy)
{
    lane_f speed = lane_sqrt(lane_dot(*vx, *vy, *vx, *vy)), ex = *vx / speed, ey = *vy / speed;
    lanes = lanes & (speed > 0) & limits_face(hx, hy, most, &ex, &ey);
    lane_f along = lane_max(lane_dot(*vx, *vy, ex, ey), lane_min(speed, lane_set(LIMITS_ARC)));
    *vx = lane_select(lanes, ex * along, *vx);
    *vy = lane_select(lanes, ey * along, *vy);
}

#endif
