/* The anticipation velocity model: Q. Xu, M. Chraibi, A. Seyfried, "Anticipation in a velocity-based model for
 * pedestrian dynamics" (Transportation Research Part C 133, 2021, 103464). The collision-free speed model
 * (collision_free_speed.h) with another direction: agents look at where others will be, and turn in time.
 *
 *     perceived: j with  d_i . n_ij >= 0  or  e_i . n_ij >= 0          d_i desired, e_i present direction      (1)
 *     R_ij  = max(0, gap_ij - t_a (v_i - v_j) . n_ij)                  the gap after the anticipation time     (3)
 *     a_ij  = k (1 + (1 - d_i . e_j) / 2) exp(-R_ij / D)                                                       (4)
 *     n'_ij = the side of d_i that x_ij + t_a v_j is not on                                                    (5)
 *     e*    = unit(d_i + sum_j a_ij n'_ij),   de/dt = (e* - e) / tau                                           (6), (7)
 *     V     = min(v0, max(0, s / T))           s the gap ahead along e, less 0.02 m
 * Near walls, closer than a buffer, what points into them is taken out of e, and the push-out added away from them.
 *
 * Constants, and the walls' rule, are those of JuPedSim (1.4, AnticipationVelocityModel). Not from there: somebody who
 * will be straight ahead is passed on the right, and not on a side by chance; and who has no gap stands, where it
 * creeps by 0.01 m/s, now on, now back: contacts part people. */

/*--- throng.anticipation(settings)
 * The anticipation velocity model: speed by the gap ahead, as in throng.collision_free_speed, and a direction that
 * turns away from where others will be (Xu, Chraibi and Seyfried, 2021). It ignores the column time_gap.
 * @example
 * group.planner = throng.anticipation { time_gap = 0.8, anticipation = 1.5 } */

#ifndef THRONG_ANTICIPATION_H
#define THRONG_ANTICIPATION_H

#include "collision_free_speed.h"
#include "kernels/lane/lane_math.h"

#define ANTICIPATION_MARGIN 0.02f /* m: bodies count as so much larger where the gap ahead is measured */
#define ANTICIPATION_AHEAD  1e-6f /* m: who will be less to the side than this is straight ahead */

/* What an agent brings. */
typedef struct anticipation_self {
    pairs_self body;
    lane_i entry;
    lane_f wx, wy; /* where it wants to go, a unit vector */
    lane_f ex, ey; /* where it goes, a unit vector, or (0, 0) at first */
} anticipation_self;

/* Adds to the direction (sx, sy) how a neighbour deflects it. (1) to (5) */
LANE_FN void anticipation_deflect(const crowd *c, const anticipation_self *me, const pair *p, lane_m lanes, lane_f *sx,
                                  lane_f *sy)
{
#define VALUE(name) crowd_planner_value(c, me->entry, me->body.slot, THRONG_anticipation_##name)
    lane_f ahead = VALUE(anticipation);
    lane_f closing = lane_dot(me->body.vx - p->vx, me->body.vy - p->vy, p->nx, p->ny);
    lane_f gap = lane_max(p->gap - closing * ahead, lane_set(0));
    lane_f ex, ey;
    pairs_direction(c, p, &ex, &ey);
    lane_f facing = lane_dot(me->wx, me->wy, ex, ey);
    lane_f push = VALUE(strength) * (1.0f + 0.5f * (1.0f - facing)) * lane_exp(-gap / VALUE(range));
    lane_f px = p->nx * p->distance + p->vx * ahead, py = p->ny * p->distance + p->vy * ahead;
    lane_m to_the_right = lane_det(me->wx, me->wy, px, py) > -ANTICIPATION_AHEAD;
    push = lane_select(lanes, lane_select(to_the_right, -push, push), lane_set(0));
    *sx = *sx - push * me->wy;
    *sy = *sy + push * me->wx;
#undef VALUE
}

/* The direction that neighbours leave. (6) */
LANE_FN void anticipation_look(const crowd *c, const anticipation_self *me, lane_m lanes, lane_f *sx, lane_f *sy)
{
    pair p;
    *sx = me->wx;
    *sy = me->wy;
    for (int s = 0; s < c->k; s++) {
        lane_m there = pairs_neighbour(c, &me->body, s, lanes, &p);
        if (!lane_any(there))
            break;
        there = there & ((lane_dot(me->wx, me->wy, p.nx, p.ny) >= 0) | (lane_dot(me->ex, me->ey, p.nx, p.ny) >= 0));
        if (lane_any(there))
            there = pairs_visible(c, &me->body, &p, there);
        anticipation_deflect(c, me, &p, there, sx, sy);
    }
    spacing_unit(c, me->body.slot, sx, sy);
}

/* Turns from e towards (sx, sy) within the reaction time; at once where that is on the other side of what is wanted.
 * (7) */
LANE_FN void anticipation_turn(const crowd *c, const anticipation_self *me, lane_f reaction, lane_f *sx, lane_f *sy)
{
    lane_f share = lane_min(c->frame.dt / reaction, lane_set(1));
    lane_m at_once = lane_dot(me->wx, me->wy, *sx, *sy) * lane_dot(me->wx, me->wy, me->ex, me->ey) < 0;
    share = lane_select(at_once, lane_set(1), share);
    *sx = me->ex + share * (*sx - me->ex);
    *sy = me->ey + share * (*sy - me->ey);
    spacing_unit(c, me->body.slot, sx, sy);
}

/* Turns the direction along walls that are nearer than the buffer, and out from them. */
LANE_FN void anticipation_walls(const crowd *c, const anticipation_self *me, lane_f buffer, lane_f out, lane_m lanes,
                                lane_f *ex, lane_f *ey)
{
    pair p;
    lane_m counts;
    for (int s = 0; s < THRONG_WALLS_MAX && pairs_wall(c, &me->body, s, lanes, &p, &counts); s++) {
        lane_f into = lane_dot(*ex, *ey, p.nx, p.ny);
        counts = counts & (p.gap <= buffer) & (into > 0);
        *ex = *ex - lane_select(counts, (into + out) * p.nx, lane_set(0));
        *ey = *ey - lane_select(counts, (into + out) * p.ny, lane_set(0));
    }
    spacing_unit(c, me->body.slot, ex, ey);
}

LANE_FN void plan_anticipation(const crowd *c, int32_t first, lane_m lanes, lane_i slot, lane_f dx, lane_f dy)
{
    anticipation_self me = {.body = pairs_look_at_self(c, first, slot),
                            .entry = lane_gather_i(c->planner, slot),
                            .wx = dx,
                            .wy = dy,
                            .ex = lane_gather(c->force_x, slot),
                            .ey = lane_gather(c->force_y, slot)};
#define VALUE(name) crowd_planner_value(c, me.entry, slot, THRONG_anticipation_##name)
    lane_f ex, ey, speed = lane_min(lane_sqrt(lane_dot(dx, dy, dx, dy)), lane_gather(c->max_speed, slot));
    spacing_unit(c, slot, &me.wx, &me.wy);
    anticipation_look(c, &me, lanes, &ex, &ey);
    anticipation_turn(c, &me, VALUE(reaction), &ex, &ey);
    lane_f gap = spacing_ahead(c, &me.body, ex, ey, ANTICIPATION_MARGIN, lanes);
    if (c->walls.count)
        anticipation_walls(c, &me, VALUE(wall_buffer), VALUE(push_out), lanes, &ex, &ey);
    lane_scatter(c->force_x, slot, ex, lanes);
    lane_scatter(c->force_y, slot, ey, lanes);
    speed = lane_min(lane_max(gap / sheets_time_gap(c, slot, ex, ey, VALUE(time_gap)), lane_set(0)), speed);
    lane_store(c->nx + first, ex * speed, lanes);
    lane_store(c->ny + first, ey * speed, lanes);
#undef VALUE
}

#endif
