/* Pairs: an agent and somebody or something near it, as models see them that add up what each of the others does.
 *
 * Others are the neighbours that sense listed, and the nearest points of the walls that it listed; a corner, which is
 * the nearest point of both walls that meet there, counts once. */
#ifndef THRONG_PAIRS_H
#define THRONG_PAIRS_H

#include "kernels/sense/walls.h"

typedef struct pairs_self {
    int32_t first;
    lane_i slot;
    lane_f x, y, vx, vy, radius;
} pairs_self;

/* From the agent to the other. */
typedef struct pair {
    lane_f nx, ny;        /* unit vector */
    lane_f distance, gap; /* m: of the centres, or to the wall; and between the bodies */
    lane_f vx, vy;        /* m/s: the other's velocity */
    lane_i slot;          /* of the neighbour; of walls none */
} pair;

LANE_FN pairs_self pairs_look_at_self(const crowd *c, int32_t first, lane_i slot)
{
    pairs_self me = {first,
                     slot,
                     lane_load(c->sx + first),
                     lane_load(c->sy + first),
                     lane_load(c->svx + first),
                     lane_load(c->svy + first),
                     lane_load(c->sr + first)};
    return me;
}

/* The unit vector of (x, y) and its length; of (0, 0) it is (1, 0), or the opposite in the lanes of `turned`. */
LANE_FN lane_f pairs_unit(lane_f x, lane_f y, lane_m turned, lane_f *ux, lane_f *uy)
{
    lane_f length = lane_sqrt(lane_dot(x, y, x, y));
    lane_m none = lane_not(length > 0);
    *ux = lane_select(none, lane_select(turned, lane_set(-1), lane_set(1)), x / length);
    *uy = lane_select(none, lane_set(0), y / length);
    return length;
}

/* The s-th nearest neighbour, in those of `lanes` that are returned. Two in one place part along x. */
LANE_FN lane_m pairs_neighbour(const crowd *c, const pairs_self *me, int s, lane_m lanes, pair *p)
{
    lane_i other = lane_load_i(c->seen + (int64_t)s * c->stride + me->first);
    lane_m there = lanes & (other >= 0);
    if (!lane_any(there))
        return there;
    other = lane_select_i(there, other, lane_set_i(me->first));
    lane_f px = lane_gather(c->sx, other) - me->x, py = lane_gather(c->sy, other) - me->y;
    crowd_nearest_image(c, &px, &py);
    p->slot = lane_gather_i(c->slot, other);
    p->distance = pairs_unit(px, py, p->slot < me->slot, &p->nx, &p->ny);
    p->gap = p->distance - (me->radius + lane_gather(c->sr, other));
    p->vx = lane_gather(c->svx, other);
    p->vy = lane_gather(c->svy, other);
    return there;
}

#define PAIRS_STILL 0.05f /* m/s: who is slower stands */

/* The unit vector of where a neighbour walks, of who stands where it wants to go, and of who does neither its heading;
 * but under BVP, which turns that in this very stage, also of who wants nothing and makes way for a hazard, to or from
 * the agent, whichever. */
LANE_FN void pairs_direction(const crowd *c, const pair *p, lane_f *ex, lane_f *ey)
{
    lane_f wx = lane_gather(c->desired_vx, p->slot), wy = lane_gather(c->desired_vy, p->slot);
    lane_f wish = lane_sqrt(lane_dot(wx, wy, wx, wy)), speed = lane_sqrt(lane_dot(p->vx, p->vy, p->vx, p->vy));
    lane_f hx = lane_gather(c->hx, p->slot), hy = lane_gather(c->hy, p->slot);
    if (c->frame.planners >> THRONG_PLANNER_bvp & 1) {
        lane_m turns = crowd_planner_kind(c, lane_gather_i(c->planner, p->slot)) == THRONG_PLANNER_bvp;
        hx = lane_select(turns, p->nx, hx);
        hy = lane_select(turns, p->ny, hy);
    }
    lane_m walks = speed > PAIRS_STILL, wants = wish > 0;
    *ex = lane_select(walks, p->vx / speed, lane_select(wants, wx / wish, hx));
    *ey = lane_select(walks, p->vy / speed, lane_select(wants, wy / wish, hy));
}

/* The s-th nearest wall, in those of `lanes` that are returned. */
LANE_FN lane_i pairs_wall_at(const crowd *c, const pairs_self *me, int s, lane_m lanes, lane_m *there)
{
    *there = lanes & (lane_load_i(c->wall_count + me->first) > s);
    return lane_select_i(*there, lane_load_i(c->wall + (int64_t)s * c->stride + me->first), lane_set_i(0));
}

/* The nearest point of the s-th nearest wall, in the lanes of `counts`. False: nobody has so many walls. */
LANE_FN bool pairs_wall(const crowd *c, const pairs_self *me, int s, lane_m lanes, pair *p, lane_m *counts)
{
    lane_m there;
    lane_i wall = pairs_wall_at(c, me, s, lanes, &there);
    if (!lane_any(there))
        return false;
    const throng_walls *w = &c->walls;
    lane_f px, py;
    walls_nearest(w, wall, me->x, me->y, &px, &py);
    lane_f bx = lane_gather(w->bx, wall) - me->x, by = lane_gather(w->by, wall) - me->y;
    lane_m at_end = lane_dot(px - bx, py - by, lane_gather(w->dx, wall), lane_gather(w->dy, wall)) >= 0;
    lane_i next = lane_select_i(there, lane_gather_i(w->next, wall), lane_set_i(0));
    *counts = there & lane_not(at_end & walls_open_side(w, next, me->x, me->y));
    p->distance = pairs_unit(px, py, lane_none(), &p->nx, &p->ny);
    p->gap = p->distance - me->radius;
    walls_velocity(w, wall, there, &p->vx, &p->vy);
    p->slot = lane_set_i(-1);
    return true;
}

/* Those of `lanes` between whom and the other no wall stands, of those that sense listed. */
LANE_FN lane_m pairs_visible(const crowd *c, const pairs_self *me, const pair *p, lane_m lanes)
{
    if (!c->walls.count)
        return lanes;
    lane_f px = p->nx * p->distance, py = p->ny * p->distance;
    for (int s = 0; s < THRONG_WALLS_MAX; s++) {
        lane_m there;
        lane_i wall = pairs_wall_at(c, me, s, lanes, &there);
        if (!lane_any(there))
            break;
        lane_f ax = lane_gather(c->walls.ax, wall) - me->x, ay = lane_gather(c->walls.ay, wall) - me->y;
        lane_f bx = lane_gather(c->walls.bx, wall) - me->x, by = lane_gather(c->walls.by, wall) - me->y;
        lane_m parts = (lane_det(px, py, ax, ay) > 0) != (lane_det(px, py, bx, by) > 0);
        lane_f side = lane_det(bx - ax, by - ay, -ax, -ay), theirs = lane_det(bx - ax, by - ay, px - ax, py - ay);
        lanes = lanes & lane_not(there & parts & ((side > 0) != (theirs > 0)));
    }
    return lanes;
}

#endif
