/* The collision-free speed model: A. Tordeux, M. Chraibi, A. Seyfried, "Collision-free speed model for pedestrian
 * dynamics" (Traffic and Granular Flow '15, 2016; arXiv 1512.05597), of first order: an agent has a speed and a
 * direction, and no inertia.
 *
 *     dx_i/dt = V(s_i) e_i                                                             (1)
 *     V(s)    = min(v0, max(0, (s - l) / T))                                           (2)
 *     s_i     = min over J_i of s_ij,   J_i = { j: e_i . e_ij >= 0, |det(e_i, e_ij)| <= l / s_ij }  (3)
 *     e_i     = unit(e_i^0 + sum_j R(s_ij) -e_ij),   R(s) = a exp((l - s) / D)         (4), (5)
 * e_ij points from i to j, s_ij is the distance of their centres and l the sum of their radii. Walls repel with
 * parameters of their own, from their nearest points. Who is behind a wall does not count.
 *
 * Constants: the paper has v0 = 1.2 m/s, T = 1 s, l = 0.3 m, a = 5, D = 0.1 m; a = 8, walls 5 and 0.02 m are JuPedSim's
 * (versions 1.4, models CollisionFreeSpeedModel and CollisionFreeSpeedModelV2, which differ in whose parameters are
 * whose).
 *
 * Variant 3 turns instead of adding up (JuPedSim's CollisionFreeSpeedModelV3, read from its source): of the neighbours
 * ahead of the reference direction unit(e^0 + walls) the one of greatest weight
 *     w = exp(-x / ahead - y / aside)         x along the reference, y to its side
 * turns it by -max_turn tanh(w y' / (|y'| + 0.05)), y' > 0 to the left, approached with a relaxation time of 0.3 s;
 * spacing is blended with 0.15 of that in the direction wanted, and who is too near walks backwards at 0.01 m/s. */

/*--- throng.collision_free_speed(settings)
 * The collision-free speed model: the speed is the gap to the agent ahead over time_gap, and neighbours and walls repel
 * the direction (Tordeux, Chraibi and Seyfried, 2016; versions 1 to 3 of JuPedSim). It ignores the column time_gap.
 * @example
 * group.planner = throng.collision_free_speed { time_gap = 0.8, strength = 6 } */

#ifndef THRONG_COLLISION_FREE_SPEED_H
#define THRONG_COLLISION_FREE_SPEED_H

#include "pairs.h"
#include "kernels/lane/lane_math.h"

#define SPACING_EXPONENT 20.0f  /* repulsions grow no further: deep overlaps stay finite */
#define SPACING_TURNING  0.3f   /* s: variant 3's relaxation of its turn */
#define SPACING_SIDE     0.05f  /* m: variant 3's turn changes sides over about so much */
#define SPACING_BLEND    0.15f  /* variant 3's share of the spacing in the direction wanted */
#define SPACING_REVERSE  -0.01f /* m/s: variant 3's least speed */

/* strength exp(-gap / range) */
LANE_FN lane_f spacing_repulsion(lane_f gap, lane_f strength, lane_f range)
{
    return strength * lane_exp(lane_min(-gap / range, lane_set(SPACING_EXPONENT)));
}

/* The gap to the nearest in the strip ahead along (ex, ey), as wide as both bodies; m. (2), (3) */
LANE_FN lane_f spacing_ahead(const crowd *c, const pairs_self *me, lane_f ex, lane_f ey, float margin, lane_m lanes)
{
    lane_f least = lane_set(INFINITY);
    pair p;
    for (int s = 0; s < c->k; s++) {
        lane_m there = pairs_neighbour(c, me, s, lanes, &p);
        if (!lane_any(there))
            break;
        lane_f along = lane_dot(ex, ey, p.nx, p.ny), aside = lane_abs(lane_det(ex, ey, p.nx, p.ny)) * p.distance;
        there = there & (along >= 0) & (aside <= p.distance - p.gap + margin) & (p.gap - margin < least);
        if (lane_any(there))
            there = pairs_visible(c, me, &p, there);
        least = lane_select(there, p.gap - margin, least);
    }
    return least;
}

/* Adds what walls repel with to the direction. */
LANE_FN void spacing_walls(const crowd *c, const pairs_self *me, lane_f strength, lane_f range, lane_m lanes,
                           lane_f *ex, lane_f *ey)
{
    pair p;
    lane_m counts;
    for (int s = 0; s < THRONG_WALLS_MAX && pairs_wall(c, me, s, lanes, &p, &counts); s++) {
        lane_f push = lane_select(counts, spacing_repulsion(p.gap, strength, range), lane_set(0));
        *ex = *ex - push * p.nx;
        *ey = *ey - push * p.ny;
    }
}

/* Adds what neighbours repel with. */
LANE_FN void spacing_neighbours(const crowd *c, const pairs_self *me, lane_f strength, lane_f range, lane_m lanes,
                                lane_f *ex, lane_f *ey)
{
    pair p;
    for (int s = 0; s < c->k; s++) {
        lane_m there = pairs_neighbour(c, me, s, lanes, &p);
        if (!lane_any(there))
            break;
        there = pairs_visible(c, me, &p, there);
        lane_f push = lane_select(there, spacing_repulsion(p.gap, strength, range), lane_set(0));
        *ex = *ex - push * p.nx;
        *ey = *ey - push * p.ny;
    }
}

/* Variant 3: how far the neighbours ahead turn the reference direction (ex, ey), rad to the left. */
LANE_FN lane_f spacing_turn(const crowd *c, const pairs_self *me, lane_f ex, lane_f ey, lane_f ahead, lane_f aside,
                            lane_f most, lane_m lanes)
{
    lane_f heaviest = lane_set(0), influence = lane_set(0);
    pair p;
    for (int s = 0; s < c->k; s++) {
        lane_m there = pairs_neighbour(c, me, s, lanes, &p);
        if (!lane_any(there))
            break;
        lane_f x = lane_dot(ex, ey, p.nx, p.ny) * p.distance, y = lane_det(ex, ey, p.nx, p.ny) * p.distance;
        lane_f weight = lane_exp(-x / ahead) * lane_exp(-lane_abs(y) / aside);
        there = there & (x > 0) & (weight > heaviest);
        if (lane_any(there))
            there = pairs_visible(c, me, &p, there);
        heaviest = lane_select(there, weight, heaviest);
        influence = lane_select(there, -weight * (y / (lane_abs(y) + SPACING_SIDE)), influence);
    }
    lane_f twice = lane_exp(2.0f * influence);
    return most * ((twice - 1.0f) / (twice + 1.0f)); /* tanh */
}

/* A unit vector of (ex, ey); where they cancel, the agents' headings. */
LANE_FN void spacing_unit(const crowd *c, lane_i slot, lane_f *ex, lane_f *ey)
{
    lane_f length = lane_sqrt(lane_dot(*ex, *ey, *ex, *ey));
    lane_m some = length > 1e-6f;
    *ex = lane_select(some, *ex / length, lane_gather(c->hx, slot));
    *ey = lane_select(some, *ey / length, lane_gather(c->hy, slot));
}

/* Variant 3's direction, by a turn that is remembered in the column force_x, and its spacing. */
LANE_FN lane_f spacing_by_turning(const crowd *c, const pairs_self *me, lane_i entry, lane_f wx, lane_f wy,
                                  lane_m lanes, lane_f *ex, lane_f *ey)
{
    lane_f ahead = crowd_planner_value(c, entry, me->slot, THRONG_collision_free_speed_ahead);
    lane_f aside = crowd_planner_value(c, entry, me->slot, THRONG_collision_free_speed_aside);
    lane_f most = crowd_planner_value(c, entry, me->slot, THRONG_collision_free_speed_max_turn);
    lane_f target = spacing_turn(c, me, *ex, *ey, ahead, aside, most, lanes);
    lane_f turn = lane_gather(c->force_x, me->slot), sine, cosine;
    turn = turn + (c->frame.dt < SPACING_TURNING ? c->frame.dt / SPACING_TURNING : 1.0f) * (target - turn);
    lane_scatter(c->force_x, me->slot, turn, lanes);
    lane_sincos(turn, &sine, &cosine);
    lane_f x = *ex * cosine - *ey * sine, y = *ex * sine + *ey * cosine;
    *ex = x;
    *ey = y;
    lane_f move = spacing_ahead(c, me, x, y, 0, lanes), wanted = spacing_ahead(c, me, wx, wy, 0, lanes);
    return move * (1.0f - SPACING_BLEND) + wanted * SPACING_BLEND;
}

LANE_FN void plan_collision_free_speed(const crowd *c, int32_t first, lane_m lanes, lane_i slot, lane_f dx, lane_f dy)
{
    lane_i entry = lane_gather_i(c->planner, slot);
#define VALUE(name) crowd_planner_value(c, entry, slot, THRONG_collision_free_speed_##name)
    pairs_self me = pairs_look_at_self(c, first, slot);
    lane_f wanted = lane_sqrt(lane_dot(dx, dy, dx, dy)), wx = dx, wy = dy;
    lane_m turns = lanes & (VALUE(variant) > 2.5f), adds = lanes & lane_not(turns);
    spacing_unit(c, slot, &wx, &wy);
    lane_f ex = wx, ey = wy;
    if (c->walls.count)
        spacing_walls(c, &me, VALUE(wall_strength), VALUE(wall_range), lanes, &ex, &ey);
    if (lane_any(adds))
        spacing_neighbours(c, &me, VALUE(strength), VALUE(range), adds, &ex, &ey);
    spacing_unit(c, slot, &ex, &ey);
    lane_f gap = lane_set(INFINITY), least = lane_select(turns, lane_set(SPACING_REVERSE), lane_set(0));
    if (lane_any(adds))
        gap = spacing_ahead(c, &me, ex, ey, 0, adds);
    if (lane_any(turns)) {
        lane_f tx = ex, ty = ey;
        gap = lane_select(turns, spacing_by_turning(c, &me, entry, wx, wy, turns, &tx, &ty) - VALUE(buffer), gap);
        ex = lane_select(turns, tx, ex);
        ey = lane_select(turns, ty, ey);
    }
    lane_f speed = lane_min(lane_max(gap / sheets_time_gap(c, slot, ex, ey, VALUE(time_gap)), least),
                            lane_min(wanted, lane_gather(c->max_speed, slot)));
    lane_store(c->nx + first, ex * speed, lanes);
    lane_store(c->ny + first, ey * speed, lanes);
#undef VALUE
}

#endif
