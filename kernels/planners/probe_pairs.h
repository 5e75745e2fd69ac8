/* What the models of pairs saw and chose, to look at: each neighbour's and each wall's push, and what they add up to.
 * For lanes of one; see probe.h. */
#ifndef THRONG_PROBE_PAIRS_H
#define THRONG_PROBE_PAIRS_H

#include "kernels/contract/choice.h"
#include "plan.h"
#include "kernels/lane/lane_math.h"

LANE_FN void probe_push(float x, float y, float fx, float fy, throng_choice *out)
{
    throng_choice_push push = {x, y, fx, fy};
    if (out->count < THRONG_CHOICE_PUSHES)
        out->push[out->count++] = push;
}

/* Of somebody, or a wall, at p, (fx, fy); what does not push is left out. */
LANE_FN void probe_pair(const pair *p, float fx, float fy, throng_choice *out)
{
    if (fx != 0 || fy != 0)
        probe_push(p->nx * p->distance, p->ny * p->distance, fx, fy, out);
}

LANE_FN bool probe_wall(const crowd *c, const pairs_self *me, int s, pair *p, lane_m *counts)
{
    return c->walls.count && s < THRONG_WALLS_MAX && pairs_wall(c, me, s, lane_not(lane_none()), p, counts);
}

LANE_FN bool probe_neighbour(const crowd *c, const pairs_self *me, int s, pair *p)
{
    return s < c->k && pairs_neighbour(c, me, s, lane_not(lane_none()), p);
}

/* What it did, m/s^2. */
LANE_FN void probe_acceleration(const crowd *c, throng_choice *out)
{
    out->force_x = (out->chosen_x - out->vx) / c->frame.dt;
    out->force_y = (out->chosen_y - out->vy) / c->frame.dt;
}

/* The pushes of `all`, which were added for neighbours and then for walls, at the end of the step. m/s^2 */
LANE_FN void probe_all_pushes(const crowd *c, int law, const pairs_self *me, const pushes *all, throng_choice *out)
{
    float ux = out->chosen_x - out->vx, uy = out->chosen_y - out->vy, slope;
    int neighbours = 0;
    pair p;
    lane_m counts;
    while (probe_neighbour(c, me, neighbours, &p))
        neighbours++;
    for (int s = 0; probe_wall(c, me, s, &p, &counts); s++) {
        float push = -pushes_law(c, law, all, &all->push[neighbours + s], ux, uy, &slope) / all->scale;
        probe_pair(&p, push * p.nx, push * p.ny, out);
    }
    out->walls = out->count;
    for (int s = 0; probe_neighbour(c, me, s, &p); s++) {
        float push = -pushes_law(c, law, all, &all->push[s], ux, uy, &slope) / all->scale;
        probe_pair(&p, push * p.nx, push * p.ny, out);
    }
    out->attraction_x = all->wx / all->scale;
    out->attraction_y = all->wy / all->scale;
    probe_acceleration(c, out);
}

LANE_FN void probe_social_force(const crowd *c, int32_t i, float dx, float dy, throng_choice *out)
{
    int32_t slot = c->slot[i];
    pairs_self me = pairs_look_at_self(c, i, slot);
    pushes all;
    social_force_collect(c, &me, dx, dy, lane_not(lane_none()), &all);
    probe_all_pushes(c, PUSHES_EXPONENTIAL, &me, &all, out);
}

LANE_FN void probe_generalized_centrifugal_force(const crowd *c, int32_t i, float dx, float dy, throng_choice *out)
{
    centrifugal_self me;
    pushes all;
    centrifugal_collect(c, i, c->slot[i], dx, dy, lane_not(lane_none()), &me, &all);
    probe_all_pushes(c, PUSHES_CENTRIFUGAL, &me.body, &all, out);
}

/* As they are when the step begins. m/s^2 */
LANE_FN void probe_power_law(const crowd *c, int32_t i, float dx, float dy, throng_choice *out)
{
    int32_t slot = c->slot[i], entry = c->planner[slot];
#define VALUE(name) crowd_planner_value(c, entry, slot, THRONG_power_law_##name)
    pairs_self me = pairs_look_at_self(c, i, slot);
    lane_m counts, all = lane_not(lane_none());
    pair p;
    for (int s = 0; probe_wall(c, &me, s, &p, &counts); s++) {
        power_sum sum = {{0, 0, 0}, 0, 0};
        power_add(-p.nx * p.distance, -p.ny * p.distance, me.vx - p.vx, me.vy - p.vy, me.radius, VALUE(strength),
                  VALUE(time), 1, 1, counts, &sum);
        probe_pair(&p, sum.gx, sum.gy, out);
    }
    out->walls = out->count;
    for (int s = 0; probe_neighbour(c, &me, s, &p); s++) {
        power_sum sum = {{0, 0, 0}, 0, 0};
        power_add(-p.nx * p.distance, -p.ny * p.distance, me.vx - p.vx, me.vy - p.vy, p.distance - p.gap,
                  VALUE(strength), VALUE(time), 1, pushes_reaction(c, &me, &p, all), all, &sum);
        probe_pair(&p, sum.gx, sum.gy, out);
    }
    out->attraction_x = (dx - me.vx) / VALUE(relaxation);
    out->attraction_y = (dy - me.vy) / VALUE(relaxation);
    probe_acceleration(c, out);
#undef VALUE
}

/* Repulsions, beside the direction wanted, which is of length 1. Variant 3 is turned by neighbours. */
LANE_FN void probe_collision_free_speed(const crowd *c, int32_t i, float dx, float dy, throng_choice *out)
{
    int32_t slot = c->slot[i], entry = c->planner[slot];
#define VALUE(name) crowd_planner_value(c, entry, slot, THRONG_collision_free_speed_##name)
    pairs_self me = pairs_look_at_self(c, i, slot);
    lane_m counts, all = lane_not(lane_none());
    pair p;
    bool turns = VALUE(variant) > 2.5f;
    spacing_unit(c, slot, &dx, &dy);
    out->attraction_x = dx;
    out->attraction_y = dy;
    for (int s = 0; probe_wall(c, &me, s, &p, &counts); s++) {
        float push = counts ? -spacing_repulsion(p.gap, VALUE(wall_strength), VALUE(wall_range)) : 0;
        probe_pair(&p, push * p.nx, push * p.ny, out);
        dx += push * p.nx;
        dy += push * p.ny;
    }
    out->walls = out->count;
    for (int s = 0; !turns && probe_neighbour(c, &me, s, &p); s++) {
        if (!pairs_visible(c, &me, &p, all))
            continue;
        float push = -spacing_repulsion(p.gap, VALUE(strength), VALUE(range));
        probe_pair(&p, push * p.nx, push * p.ny, out);
        dx += push * p.nx;
        dy += push * p.ny;
    }
    spacing_unit(c, slot, &dx, &dy);
    float sine = 0, cosine = 1;
    if (turns)
        lane_sincos(c->force_x[slot], &sine, &cosine);
    out->force_x = dx * cosine - dy * sine;
    out->force_y = dx * sine + dy * cosine;
    out->ahead = spacing_ahead(c, &me, out->force_x, out->force_y, 0, all);
#undef VALUE
}

/* Deflections, beside the direction wanted, which is of length 1, and the direction that it took. */
LANE_FN void probe_anticipation(const crowd *c, int32_t i, float dx, float dy, throng_choice *out)
{
    int32_t slot = c->slot[i];
    lane_m counts, all = lane_not(lane_none());
    pair p;
    anticipation_self me;
    me.body = pairs_look_at_self(c, i, slot);
    me.entry = c->planner[slot];
    me.ex = c->force_x[slot];
    me.ey = c->force_y[slot];
    spacing_unit(c, slot, &dx, &dy);
    me.wx = dx;
    me.wy = dy;
    float ex, ey, buffer = crowd_planner_value(c, me.entry, slot, THRONG_anticipation_wall_buffer),
                  push = crowd_planner_value(c, me.entry, slot, THRONG_anticipation_push_out);
    anticipation_look(c, &me, all, &ex, &ey);
    for (int s = 0; probe_wall(c, &me.body, s, &p, &counts); s++) {
        float into = lane_dot(ex, ey, p.nx, p.ny);
        if (counts && p.gap <= buffer && into > 0)
            probe_pair(&p, -(into + push) * p.nx, -(into + push) * p.ny, out);
    }
    out->walls = out->count;
    for (int s = 0; probe_neighbour(c, &me.body, s, &p); s++) {
        float sx = 0, sy = 0;
        bool ahead = lane_dot(me.wx, me.wy, p.nx, p.ny) >= 0 || lane_dot(me.ex, me.ey, p.nx, p.ny) >= 0;
        if (ahead && pairs_visible(c, &me.body, &p, all))
            anticipation_deflect(c, &me, &p, all, &sx, &sy);
        probe_pair(&p, sx, sy, out);
    }
    out->attraction_x = dx;
    out->attraction_y = dy;
    out->force_x = me.ex;
    out->force_y = me.ey;
    out->ahead = spacing_ahead(c, &me.body, me.ex, me.ey, ANTICIPATION_MARGIN, all);
}

#endif
