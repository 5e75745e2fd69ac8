/* The power law: I. Karamouzas, B. Skinner, S. J. Guy, "Universal power law governing pedestrian interactions"
 * (Physical Review Letters 113, 238701, 2014). People act as if the energy of a pair were
 *     E(t) = k / t^2 exp(-t / t0)          t the time to collision, if both keep their velocities
 * and the force of it, by the agent's place x, is with r the sum of the radii, x and v those relative to the other:
 *     F = -grad E = k exp(-t / t0) / (a t^2) (2 / t + 1 / t0) ((b v + a x) / s - v)
 *     a = v . v,   b = -x . v,   s = sqrt(b^2 - a (x . x - r^2)),   t = (b - s) / a
 * for pairs that are to collide (b > 0, s real), none for others; and (v0 e - v) / xi towards what is wanted.
 * k = 1.5 m^2 (per unit of mass), t0 = 3 s and xi = 0.54 s as in the paper. The nearest points of walls are discs of
 * radius 0 that move as their walls do: whether a wall is hit along its length is seen from there as the agent nears.
 *
 * F has no bound, neither as t goes to 0 nor where velocities graze. Explicit steps need dt = 0.005 s and a limit. Here
 * a step has four parts, between which places go on by their velocities, each linearly implicit: since a change of
 * velocity by d shifts what collides by t d, a force F along its own direction loses |F| (3 + t / t0) |grad t| per m/s,
 * twice that as the other does the same. So a part of a step takes at most what ends the collision. */

/*--- throng.power_law(settings)
 * The power law of the time to collision: pairs repel by an energy k / t^2 exp(-t / t0), t the time to their collision
 * (Karamouzas, Skinner and Guy, 2014). Stable at any dt. It ignores the column time_gap.
 * @example
 * group.planner = throng.power_law { strength = 2, time = 3 } */

#ifndef THRONG_POWER_LAW_H
#define THRONG_POWER_LAW_H

#include "pushes.h"
#include "kernels/lane/lane_math.h"

#define POWER_PARTS 4     /* of a step */
#define POWER_SOON  0.01f /* s: sooner collisions push no harder */
#define POWER_GRAZE 1e-4f /* least of s: grazing ones, too */
#define POWER_SLOW  1e-6f /* (m/s)^2: pairs that move less against each other do not collide */

#define POWER_STEEP 1e3f /* s/m: the time to collision changes no faster, */
#define POWER_HARD  1e5f /* and nothing pushes harder: sums stay finite */

/* Of a part of a step. */
typedef struct power_sum {
    pushes_stiffness stiff;
    lane_f gx, gy;
} power_sum;

/* Adds the force between agents and something, (px, py) from it to them at a relative velocity (vx, vy). h: weight of
 * forces in this part, s. */
LANE_FN void power_add(lane_f px, lane_f py, lane_f vx, lane_f vy, lane_f radii, lane_f k, lane_f t0, lane_f h,
                       lane_f reaction, lane_m lanes, power_sum *sum)
{
    lane_f a = lane_dot(vx, vy, vx, vy), b = -lane_dot(px, py, vx, vy);
    lane_f room = lane_max(lane_dot(px, py, px, py) - radii * radii, lane_set(0));
    lane_f square = b * b - a * room;
    lanes = lanes & (a > POWER_SLOW) & (b > 0) & (square > 0);
    if (!lane_any(lanes))
        return;
    lane_f s = lane_max(lane_sqrt(lane_max(square, lane_set(0))), lane_set(POWER_GRAZE));
    lane_f t = lane_max((b - s) / a, lane_set(POWER_SOON));
    lane_f tx = ((b * vx + a * px) / s - vx) / a, ty = ((b * vy + a * py) / s - vy) / a; /* grad t */
    lane_f steep = lane_sqrt(lane_dot(tx, ty, tx, ty)), least = lane_min(POWER_STEEP / steep, lane_set(1));
    lane_f push = h * k * lane_exp(-t / t0) / (t * t) * (2.0f / t + 1.0f / t0); /* times grad t */
    lanes = lanes & (steep > 0);
    push = lane_select(lanes, lane_min(push, lane_set(POWER_HARD)), lane_set(0));
    /* |F| (3 + t / t0) |grad t| along the unit vector of grad t */
    lane_f stiff = lane_select(lanes, push * (3.0f + lane_min(t / t0, lane_set(104))) * reaction, lane_set(0));
    tx = lane_select(lanes, tx * least, lane_set(0));
    ty = lane_select(lanes, ty * least, lane_set(0));
    sum->gx = sum->gx + push * tx;
    sum->gy = sum->gy + push * ty;
    sum->stiff.xx = sum->stiff.xx + stiff * tx * tx;
    sum->stiff.xy = sum->stiff.xy + stiff * tx * ty;
    sum->stiff.yy = sum->stiff.yy + stiff * ty * ty;
}

/* What all push with after `time` s at velocities (vx, vy), which ends at (x, y) from where the agents are. */
LANE_FN void power_collect(const crowd *c, const pairs_self *me, lane_f x, lane_f y, lane_f vx, lane_f vy, float time,
                           lane_f k, lane_f t0, lane_f h, lane_m lanes, power_sum *sum)
{
    pair p;
    lane_m counts;
    for (int s = 0; s < c->k; s++) {
        lane_m there = pairs_neighbour(c, me, s, lanes, &p);
        if (!lane_any(there))
            break;
        lane_f px = x + p.vx * -time - p.nx * p.distance, py = y + p.vy * -time - p.ny * p.distance;
        power_add(px, py, vx - p.vx, vy - p.vy, p.distance - p.gap, k, t0, h, pushes_reaction(c, me, &p, there), there,
                  sum);
    }
    if (c->walls.count)
        for (int s = 0; s < THRONG_WALLS_MAX && pairs_wall(c, me, s, lanes, &p, &counts); s++) {
            lane_f px = x + p.vx * -time - p.nx * p.distance, py = y + p.vy * -time - p.ny * p.distance;
            power_add(px, py, vx - p.vx, vy - p.vy, me->radius, k, t0, h, lane_set(1), counts, sum);
        }
}

LANE_FN void plan_power_law(const crowd *c, int32_t first, lane_m lanes, lane_i slot, lane_f dx, lane_f dy)
{
    lane_i entry = lane_gather_i(c->planner, slot);
#define VALUE(name) crowd_planner_value(c, entry, slot, THRONG_power_law_##name)
    pairs_self me = pairs_look_at_self(c, first, slot);
    lane_f xi = VALUE(relaxation), k = VALUE(strength), t0 = VALUE(time);
    float part = c->frame.dt * (1.0f / POWER_PARTS);
    lane_f growth = lane_exp(lane_min(part / xi, lane_set(PUSHES_GROWTH))) - 1.0f;
    lane_f vx = me.vx, vy = me.vy, x = lane_set(0), y = lane_set(0), limit = lane_gather(c->max_speed, slot);
    for (int n = 0; n < POWER_PARTS; n++) {
        power_sum sum = {{lane_set(0), lane_set(0), lane_set(0)}, growth * (dx - vx), growth * (dy - vy)};
        power_collect(c, &me, x, y, vx, vy, part * (float)n, k, t0, xi * growth, lanes, &sum);
        lane_f ux, uy;
        pushes_invert(1.0f + growth, &sum.stiff, sum.gx, sum.gy, &ux, &uy);
        vx = vx + ux;
        vy = vy + uy;
        lane_f speed = lane_sqrt(lane_dot(vx, vy, vx, vy)),
               scale = lane_select(speed > limit, limit / speed, lane_set(1));
        vx = vx * scale;
        vy = vy * scale;
        x = x + vx * part;
        y = y + vy * part;
    }
    pushes_store(c, &me, vx, vy, lanes);
#undef VALUE
}

#endif
