/* Time gap: nobody wishes to be faster than the space ahead allows.
 *
 * The speed that an agent prefers is bounded by what keeps its time gap T to everybody who walks ahead of it, in a
 * strip along its preferred direction e: v <= gap / T, the gap measured along e until the two bodies touch (the
 * collision-free speed model of Tordeux, Chraibi and Seyfried, 2016), plus a share of the leader's own speed along e,
 * since a leader who walks on makes room. It holds for every planner alike, as it bounds what planners start from.
 *
 * Only those who themselves prefer to go that way count. With everybody, doors and two-way flow freeze: who comes the
 * other way does not lead, and keeping away from him is the planner's matter.
 *
 * One way through a corridor of 5 m, T = 0.6 s, radii 0.25 m, 1 / 1.5 / 2 persons/m^2: ORCA 1.26 / 1.19 / 0.84 m/s,
 * ClearPath 1.26 / 1.06 / 0.66, RVO 1.26 / 1.00 / 0.58; Weidmann (1993) 1.06 / 0.81 / 0.61, open corridors (Zhang and
 * others, 2011) 1.33 / 1.15 / 0.80. In regular rows, where nobody stands in another's strip, speeds differ more. */
#ifndef THRONG_TIME_GAP_H
#define THRONG_TIME_GAP_H

#include "crowd.h"

#define TIME_GAP_STRIP  0.7f /* of the sum of radii: half the width of the strip ahead in which others count */
#define TIME_GAP_LEADER 0.3f /* share of a leader's speed that is counted on */

/* Slows the preferred velocities (dx, dy) of agents `first` .., in slots `slot`. */
LANE_FN void time_gap_slow(const crowd *c, int k, int32_t first, lane_m lanes, lane_i slot, lane_f *dx, lane_f *dy)
{
    lane_f gap_time = lane_gather(c->time_gap, slot);
    lane_f square = lane_dot(*dx, *dy, *dx, *dy);
    lanes = lanes & (gap_time > 0) & (square > 0);
    if (!lane_any(lanes))
        return;
    lane_f speed = lane_sqrt(square), ex = *dx / speed, ey = *dy / speed, limit = speed;
    lane_f x = lane_load(c->sx + first), y = lane_load(c->sy + first), radius = lane_load(c->sr + first);
    for (int s = 0; s < k; s++) {
        lane_i other = lane_load_i(c->seen + (int64_t)s * c->stride + first);
        lane_m there = lanes & (other >= 0);
        if (!lane_any(there))
            break;
        other = lane_select_i(there, other, lane_set_i(first));
        lane_f px = lane_gather(c->sx, other) - x, py = lane_gather(c->sy, other) - y;
        crowd_nearest_image(c, &px, &py);
        lane_f radii = radius + lane_gather(c->sr, other), along = lane_dot(ex, ey, px, py);
        lane_f aside = lane_det(ex, ey, px, py);
        there = there & (along > 0) & (lane_abs(aside) < TIME_GAP_STRIP * radii);
        lane_i theirs = lane_gather_i(c->slot, other);
        lane_f wish = lane_dot(lane_gather(c->desired_vx, theirs), lane_gather(c->desired_vy, theirs), ex, ey);
        there = there & (wish > 0);
        lane_f gap = along - lane_sqrt(lane_max(radii * radii - aside * aside, lane_set(0)));
        lane_f lead = lane_dot(lane_gather(c->svx, other), lane_gather(c->svy, other), ex, ey);
        lane_f allowed = lane_max(gap, lane_set(0)) / gap_time + TIME_GAP_LEADER * lane_max(lead, lane_set(0));
        limit = lane_select(there & (allowed < limit), allowed, limit);
    }
    *dx = lane_select(lanes, ex * limit, *dx);
    *dy = lane_select(lanes, ey * limit, *dy);
}

#endif
