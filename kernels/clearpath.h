/* ClearPath: the velocity nearest to the preferred one outside the union of the neighbours' truncated cones (S. Guy,
 * J. Chhugani, C. Kim, N. Satish, M. Lin, D. Manocha, P. Dubey, "ClearPath: highly parallel collision avoidance for
 * multi-agent simulation", 2009).
 *
 * What a neighbour or a wall forbids is a convex region of three sides: the cut, where the finite horizon begins to
 * matter (constraint of type I), and the two legs of the cone. By lemma 1 the optimum is the preferred velocity or
 * lies on a side. Since regions are convex, each covers one interval of the line through a side; what the paper finds
 * by sorting tagged intersections (lemma 2) is here a walk up the line from its point nearest to the preferred
 * velocity over the intervals that cover it, given up where it is farther than the best so far. Nobody need walk down:
 * where two sides meet in an optimum, it is up the one and down the other, since all are oriented alike.
 *
 * Limits of speed and acceleration clip the lines: an optimum within them is on a line, too. Where no velocity within
 * them is outside, the farthest neighbour is dropped and the problem solved again; such agents wait until there is a
 * vector of them (cpu_lanes.c). The paper optimises without limits and drops when the optimum breaks them; that forgot
 * neighbours who could be avoided: 11 people in front of a car, 27 conflicts, so 0.
 *
 * 20,000 agents at 1/m^2, 10 neighbours, one thread of a Xeon of 2023: 1.53 us an agent with one lane, 0.37 with 16.
 * What did not help: packing the agents whose preferred velocity is not free into vectors of their own (at 1/m^2 that
 * is 86 of 100; where it is few, planning costs nothing beside the rest); grouping by the number of neighbours (where
 * it is crowded all have as many as they may); trying the nearest side first, in each lane another (a lane tries 15 of
 * 28 sides as it is, but one in five finds nothing and tries all, so that vectors save little and gathers cost more).
 *
 * Variant 2, the paper's own choice, is type I alone. Variant 1 adds type II, to pass on the side of the axis that
 * the present relative velocity is on, and halves the horizon where nothing is free. With the leg through the apex
 * theorem 1 does not hold: one may go fast along its leg while the other goes slowly inside the cone, short of the cut,
 * and the sum of both is inside. The leg of the side taken is therefore moved back by what the other can be inside,
 * (cut distance) * sin(half-angle); the sum of two such velocities then never collides within the horizon. */
#ifndef THRONG_CLEARPATH_H
#define THRONG_CLEARPATH_H

#include "limits.h"
#include "walls.h"
#include "yield.h"

#define CLEARPATH_TOUCH 0.99f   /* of the sum of radii: pairs closer than this collide, others only touch */
#define CLEARPATH_HAND  1.01f   /* squared distances on the left count so much more: ties go to the right, for all */
#define CLEARPATH_SLIT  0.0001f /* m/s: no way between regions closer than this */
#define CLEARPATH_SHORT 0.03f   /* of the horizon: variant 1 halves it down to this */

enum {
    CLEARPATH_WALLS = CROWD_WALLS_MAX,
    CLEARPATH_REGIONS = CROWD_WALLS_MAX + 2 * CROWD_NEIGHBOURS_MAX /* two a neighbour in variant 1 */
};

enum clearpath_side { CLEARPATH_CUT, CLEARPATH_LEFT, CLEARPATH_RIGHT, CLEARPATH_SIDES };

/* The velocities with n . v > d; n a unit vector, or 0: all (d < 0) or none (d > 0). */
typedef struct clearpath_line {
    lane_f nx, ny, d;
} clearpath_line;

/* What may not be: velocities beyond all three lines of a region. */
typedef struct clearpath_regions {
    clearpath_line line[CLEARPATH_REGIONS][CLEARPATH_SIDES];
    int count;
} clearpath_regions;

/* --- the nearest velocity outside -------------------------------------------------------- */

/* A line's points, by their distance t from the one nearest to the preferred velocity; `off` is what that is away. */
typedef struct clearpath_points {
    lane_f x, y, dx, dy, off;
} clearpath_points;

LANE_FN clearpath_points clearpath_along(clearpath_line l, lane_f wx, lane_f wy)
{
    lane_f off = lane_dot(l.nx, l.ny, wx, wy) - l.d;
    clearpath_points p = {wx - off * l.nx, wy - off * l.ny, -l.ny, l.nx, off};
    return p;
}

/* Shortens the interval (from, to) of points to those beyond line l. */
LANE_FN void clearpath_clip(clearpath_line l, const clearpath_points *p, lane_f *from, lane_f *to)
{
    lane_f need = l.d - lane_dot(l.nx, l.ny, p->x, p->y), slope = lane_dot(l.nx, l.ny, p->dx, p->dy);
    lane_f at = need / slope;
    *from = lane_select((slope > 0) & (at > *from), at, *from);
    *to = lane_select((slope < 0) & (at < *to), at, *to);
    *to = lane_select((slope == 0) & (need >= 0), lane_set(-INFINITY), *to);
}

/* The part of the line within `radius` of (cx, cy). */
LANE_FN void clearpath_chord(const clearpath_points *p, lane_f cx, lane_f cy, lane_f radius, lane_f *low, lane_f *high)
{
    lane_f ex = p->x - cx, ey = p->y - cy, along = lane_dot(ex, ey, p->dx, p->dy);
    lane_f square = along * along + radius * radius - lane_dot(ex, ey, ex, ey);
    lane_f half = lane_sqrt(lane_max(square, lane_set(0)));
    lane_m meets = square >= 0;
    *low = lane_select(meets, lane_max(*low, -along - half), lane_set(INFINITY));
    *high = lane_min(*high, half - along);
}

/* The walk up a line over the intervals that cover it: to t, as far as `high`, and while t^2 < room. */
typedef struct clearpath_walk {
    lane_f t, low, high, room;
    lane_m lanes;
} clearpath_walk;

/* Steps out of the interval (from, to); the lanes that were in it. */
LANE_FN lane_m clearpath_leave(clearpath_walk *w, lane_f from, lane_f to)
{
    lane_m in = w->lanes & (from - CLEARPATH_SLIT < w->t) & (w->t < to);
    w->t = lane_select(in, to, w->t);
    w->lanes = w->lanes & (w->t <= w->high) & (w->t * w->t < w->room);
    return in & w->lanes;
}

LANE_FN void clearpath_cross(const clearpath_regions *g, int r, const clearpath_points *p, clearpath_walk *w)
{
    lane_f from[CLEARPATH_REGIONS], to[CLEARPATH_REGIONS];
    lane_m moved = lane_none();
    for (int j = 0; j < g->count; j++) {
        from[j] = lane_set(-INFINITY);
        to[j] = lane_set(j == r ? -INFINITY : INFINITY);
        for (int side = 0; side < CLEARPATH_SIDES; side++)
            clearpath_clip(g->line[j][side], p, &from[j], &to[j]);
        moved = moved | clearpath_leave(w, from[j], to[j]);
        if (!lane_any(w->lanes))
            return;
    }
    while (lane_any(moved & w->lanes)) {
        moved = lane_none();
        for (int j = 0; j < g->count; j++)
            moved = moved | clearpath_leave(w, from[j], to[j]);
    }
}

/* Side `side` of region r: its point nearest to the preferred velocity (wx, wy) that no other region covers, into
 * (vx, vy) where it costs less than `best`. */
LANE_FN void clearpath_try(const clearpath_regions *g, const limits *within, int r, int side, lane_f wx, lane_f wy,
                           lane_m lanes, lane_f *best, lane_f *vx, lane_f *vy)
{
    clearpath_line l = g->line[r][side];
    clearpath_points p = clearpath_along(l, wx, wy);
    lane_f square = p.off * p.off;
    lanes = lanes & (square < *best) & ((l.nx != 0) | (l.ny != 0));
    if (!lane_any(lanes))
        return;
    clearpath_walk w = {lane_set(0), lane_set(-INFINITY), lane_set(INFINITY), *best - square, lanes};
    /* beyond the side the line's points are free, too, but never the best: keeping to the side takes half the time */
    for (int other = 0; other < CLEARPATH_SIDES; other++)
        if (other != side)
            clearpath_clip(g->line[r][other], &p, &w.low, &w.high);
    clearpath_chord(&p, lane_set(0), lane_set(0), within->speed, &w.low, &w.high);
    clearpath_chord(&p, within->vx, within->vy, within->reach, &w.low, &w.high);
    w.t = lane_max(w.low, lane_min(w.high, w.t));
    w.lanes = w.lanes & (w.t <= w.high) & (w.t * w.t < w.room);
    clearpath_cross(g, r, &p, &w);
    lane_f cost = square + w.t * w.t;
    if (side == CLEARPATH_CUT) /* up the cut is left of the axis */
        cost = lane_select(w.t > 0, cost * CLEARPATH_HAND, cost);
    else if (side == CLEARPATH_LEFT)
        cost = cost * CLEARPATH_HAND;
    lane_m better = w.lanes & (cost < *best);
    *best = lane_select(better, cost, *best);
    *vx = lane_select(better, p.x + w.t * p.dx, *vx);
    *vy = lane_select(better, p.y + w.t * p.dy, *vy);
}

/* The velocity nearest to (wx, wy), which is within the limits, of those within them and outside all regions; the lanes
 * that have one. */
LANE_FN lane_m clearpath_nearest(const clearpath_regions *g, const limits *within, lane_f wx, lane_f wy, lane_m lanes,
                                 lane_f *vx, lane_f *vy)
{
    lane_m inside = lane_none();
    for (int r = 0; r < g->count; r++) {
        lane_m in = lanes;
        for (int side = 0; side < CLEARPATH_SIDES; side++)
            in = in & (lane_dot(g->line[r][side].nx, g->line[r][side].ny, wx, wy) > g->line[r][side].d);
        inside = inside | in;
    }
    *vx = wx;
    *vy = wy;
    lane_f best = lane_select(inside, lane_set(INFINITY), lane_set(0));
    if (lane_any(inside))
        for (int r = 0; r < g->count; r++)
            for (int side = 0; side < CLEARPATH_SIDES; side++)
                clearpath_try(g, within, r, side, wx, wy, inside, &best, vx, vy);
    return lanes & (best < INFINITY);
}

/* --- regions ----------------------------------------------------------------------------------- */

LANE_FN clearpath_line clearpath_line_select(lane_m m, clearpath_line a, clearpath_line b)
{
    clearpath_line l = {lane_select(m, a.nx, b.nx), lane_select(m, a.ny, b.ny), lane_select(m, a.d, b.d)};
    return l;
}

/* Beyond this line is everything, or nothing. */
LANE_FN clearpath_line clearpath_line_all(void)
{
    clearpath_line l = {lane_set(0), lane_set(0), lane_set(-1)};
    return l;
}
LANE_FN clearpath_line clearpath_line_none(void)
{
    clearpath_line l = {lane_set(0), lane_set(0), lane_set(1)};
    return l;
}

/* Adds the region of three lines for the lanes in `m`. */
LANE_FN void clearpath_add(clearpath_regions *g, lane_m m, clearpath_line cut, clearpath_line left,
                           clearpath_line right)
{
    g->line[g->count][CLEARPATH_CUT] = clearpath_line_select(m, cut, clearpath_line_none());
    g->line[g->count][CLEARPATH_LEFT] = clearpath_line_select(m, left, clearpath_line_all());
    g->line[g->count][CLEARPATH_RIGHT] = clearpath_line_select(m, right, clearpath_line_all());
    g->count++;
}

/* An agent, and the problem it poses. */
typedef struct clearpath_self {
    lane_i slot;
    lane_f x, y, vx, vy, radius;
    limits limits;
    lane_f horizon, wall_horizon;
    lane_m sided; /* variant 1 */
} clearpath_self;

/* A neighbour: where it is, how large both are together, and the apex of its cone. */
typedef struct clearpath_other {
    lane_f ux, uy; /* unit vector to it */
    lane_f distance, radii;
    lane_f ax, ay; /* apex, m/s */
    lane_f share;  /* 2: of a change of velocity counts double, as the other does as much; 1: the other will not */
    lane_f turn;   /* > 0: the present velocity passes it on the left */
} clearpath_other;

LANE_FN clearpath_other clearpath_look(const crowd *c, const clearpath_self *me, lane_i j, lane_m lanes)
{
    lane_f px = lane_gather(c->sx, j) - me->x, py = lane_gather(c->sy, j) - me->y;
    crowd_nearest_image(c, &px, &py);
    lane_f vx = lane_gather(c->svx, j), vy = lane_gather(c->svy, j);
    lane_i slot = lane_gather_i(c->slot, j);
    lane_m passive = crowd_passive(c, slot, lanes);
    lane_f side = lane_select(me->slot < slot, lane_set(1), lane_set(-1)); /* two in one place part by slot */
    lane_f distance = lane_sqrt(lane_dot(px, py, px, py)), over = 1.0f / distance;
    lane_m apart = distance > 0;
    clearpath_other o = {
        .ux = lane_select(apart, px * over, side),
        .uy = lane_select(apart, py * over, lane_set(0)),
        .distance = distance,
        .radii = me->radius + lane_gather(c->sr, j),
        .ax = lane_select(passive, vx, 0.5f * (me->vx + vx)),
        .ay = lane_select(passive, vy, 0.5f * (me->vy + vy)),
        .share = lane_select(passive, lane_set(1), lane_set(2)),
        .turn = lane_det(px, py, me->vx - vx, me->vy - vy),
    };
    return o;
}

/* The line through the apex, moved by `back`, beyond which are the velocities on the side of n. */
LANE_FN clearpath_line clearpath_apex_line(const clearpath_other *o, lane_f nx, lane_f ny, lane_f back)
{
    clearpath_line l = {nx, ny, lane_dot(nx, ny, o->ax, o->ay) + back};
    return l;
}

LANE_FN clearpath_line clearpath_at_apex(const clearpath_other *o, lane_f nx, lane_f ny, lane_f beyond)
{
    clearpath_line l = {nx, ny, lane_dot(nx, ny, o->ax, o->ay) + beyond};
    return l;
}

/* Pairs that collide: the disc of velocities that leave them overlapping after dt, as far as the agent can reach it.
 * Conservatively, its tangents where the circle of what it can reach meets the disc, as legs, and the tangent nearest
 * to its velocity, as cut. */
LANE_FN void clearpath_part(const crowd *c, const clearpath_self *me, const clearpath_other *o, lane_m lanes,
                            clearpath_regions *g)
{
    lane_f over = 1.0f / (o->share * c->dt);
    lane_f x = o->ax + o->distance * over * o->ux, y = o->ay + o->distance * over * o->uy, disc = o->radii * over;
    lane_f ex = me->vx - x, ey = me->vy - y, off = lane_sqrt(lane_dot(ex, ey, ex, ey));
    lanes = lanes & (off < disc + me->limits.reach);
    lane_m there = off > 0;
    ex = lane_select(there, ex / off, -o->ux);
    ey = lane_select(there, ey / off, -o->uy);
    lane_f cosine = (off * off + disc * disc - me->limits.reach * me->limits.reach) / (2.0f * off * disc);
    cosine = lane_clamp(cosine, lane_set(0), lane_set(1));
    lane_f sine = lane_sqrt(1.0f - cosine * cosine);
    lane_f lx = -(ex * cosine + ey * sine), ly = -(ey * cosine - ex * sine);
    lane_f rx = -(ex * cosine - ey * sine), ry = -(ey * cosine + ex * sine);
    clearpath_line cut = {-ex, -ey, -lane_dot(ex, ey, x, y) - disc};
    clearpath_line left = {lx, ly, lane_dot(lx, ly, x, y) - disc}, right = {rx, ry, lane_dot(rx, ry, x, y) - disc};
    lane_m wedge = sine > 0;
    clearpath_add(g, lanes, cut, clearpath_line_select(wedge, left, clearpath_line_all()),
                  clearpath_line_select(wedge, right, clearpath_line_all()));
}

/* The cone, cut where both touch at the horizon; with type II in the lanes `sided`, the half-plane of the other side of
 * the axis as well. */
LANE_FN void clearpath_cone(const clearpath_self *me, const clearpath_other *o, lane_m lanes, lane_m sided,
                            clearpath_regions *g)
{
    lane_f sine = lane_min(o->radii / o->distance, lane_set(1)); /* of the half-angle */
    lane_f cosine = lane_sqrt(1.0f - sine * sine);
    lane_f beyond = lane_max(o->distance - o->radii, lane_set(0)) / (o->share * me->horizon);
    lane_f back = lane_select(sided, -beyond * sine, lane_set(0));
    clearpath_line all = clearpath_line_all();
    clearpath_line cut = clearpath_at_apex(o, o->ux, o->uy, beyond);
    clearpath_line left = clearpath_at_apex(o, o->ux * sine + o->uy * cosine, o->uy * sine - o->ux * cosine, back);
    clearpath_line right = clearpath_at_apex(o, o->ux * sine - o->uy * cosine, o->uy * sine + o->ux * cosine, back);
    lane_m touches = cosine == 0, keeps_left = sided & (o->turn > 0), keeps_right = sided & lane_not(keeps_left);
    clearpath_add(g, lanes, cut, clearpath_line_select(touches | keeps_right, all, left),
                  clearpath_line_select(touches | keeps_left, all, right));
    if (!lane_any(sided))
        return;
    lane_f hand = lane_select(keeps_left, lane_set(1), lane_set(-1));
    clearpath_add(g, sided, clearpath_at_apex(o, hand * o->uy, -hand * o->ux, lane_set(0)), all, all);
}

/* Adds the region of neighbour j; the lanes that collide with it. */
LANE_FN lane_m clearpath_neighbour(const crowd *c, const clearpath_self *me, lane_i j, lane_m lanes,
                                   clearpath_regions *g)
{
    clearpath_other o = clearpath_look(c, me, j, lanes);
    lane_m collides = lanes & (o.distance < CLEARPATH_TOUCH * o.radii);
    clearpath_cone(me, &o, lanes & lane_not(collides), lanes & me->sided & (o.share > 1) & lane_not(collides), g);
    if (lane_any(collides))
        clearpath_part(c, me, &o, collides, g);
    return collides;
}

/* Moves a line by the velocity (vx, vy). */
LANE_FN clearpath_line clearpath_moved(clearpath_line l, lane_f vx, lane_f vy)
{
    l.d = l.d + lane_dot(l.nx, l.ny, vx, vy);
    return l;
}

/* The velocity obstacle of a wall: the cone around the segment with discs about it, from the wall's own velocity; the
 * cut is the tangent nearest to the agent, as far off as it gets within the horizon. */
LANE_FN void clearpath_wall(const crowd_walls *walls, const clearpath_self *me, lane_i s, lane_m lanes,
                            clearpath_regions *g)
{
    lane_f qx, qy, r = me->radius;
    lane_f distance = lane_sqrt(walls_nearest(walls, s, me->x, me->y, &qx, &qy));
    clearpath_line cut = {qx / distance, qy / distance, lane_max(distance - r, lane_set(0)) / me->wall_horizon};
    lane_f ax = lane_gather(walls->ax, s) - me->x, ay = lane_gather(walls->ay, s) - me->y;
    lane_f bx = lane_gather(walls->bx, s) - me->x, by = lane_gather(walls->by, s) - me->y;
    lane_f aa = lane_dot(ax, ay, ax, ay), bb = lane_dot(bx, by, bx, by);
    lane_f sa = r / lane_sqrt(aa), sb = r / lane_sqrt(bb); /* sines of the half-angles of the ends */
    lane_f oa = 1.0f / lane_sqrt(aa), ob = 1.0f / lane_sqrt(bb);
    lane_f ca = lane_sqrt(lane_max(1.0f - sa * sa, lane_set(0))), cb = lane_sqrt(lane_max(1.0f - sb * sb, lane_set(0)));
    ax = ax * oa, ay = ay * oa, bx = bx * ob, by = by * ob;
    lane_f lx = ax * ca - ay * sa, ly = ax * sa + ay * ca, mx = bx * cb - by * sb, my = bx * sb + by * cb;
    lane_m b_left = lane_det(lx, ly, mx, my) > 0;
    clearpath_line left = {lane_select(b_left, my, ly), -lane_select(b_left, mx, lx), lane_set(0)};
    lx = ax * ca + ay * sa, ly = ay * ca - ax * sa, mx = bx * cb + by * sb, my = by * cb - bx * sb;
    lane_m b_right = lane_det(lx, ly, mx, my) < 0;
    clearpath_line right = {-lane_select(b_right, my, ly), lane_select(b_right, mx, lx), lane_set(0)};
    lane_m touches = distance <= r;
    lane_f vx, vy;
    walls_velocity(walls, s, lanes, &vx, &vy);
    cut = clearpath_moved(cut, vx, vy);
    left = clearpath_moved(left, vx, vy);
    right = clearpath_moved(right, vx, vy);
    clearpath_add(g, lanes & (distance > 0), cut, clearpath_line_select(touches, clearpath_line_all(), left),
                  clearpath_line_select(touches, clearpath_line_all(), right));
}

/* --- the planner ---------------------------------------------------------------------------------- */

/* One attempt: with the `used` nearest neighbours, and `part` of the horizon. */
typedef struct clearpath_task {
    lane_i i; /* sorted index */
    lane_f desired_x, desired_y;
    lane_i used;
    lane_f part;
    lane_f vx, vy; /* what came of it */
} clearpath_task;

LANE_FN clearpath_task clearpath_first_task(const crowd *c, int32_t first, lane_m lanes, lane_f dx, lane_f dy)
{
    lane_i i = lane_select_i(lanes, lane_iota(first), lane_set_i(first));
    lane_i seen = c->k ? lane_gather_i(c->seen_count, i) : lane_set_i(0);
    clearpath_task t = {i, dx, dy, seen, lane_set(1), lane_set(0), lane_set(0)};
    return t;
}

LANE_FN lane_m clearpath_sided(const crowd *c, lane_i slot)
{
    return crowd_planner_value(c, lane_gather_i(c->planner, slot), slot, THRONG_clearpath_variant) == 1;
}

/* Makes the attempt easier in the lanes that `failed`: half the horizon, then the farthest neighbour dropped. The lanes
 * where that is possible. */
LANE_FN lane_m clearpath_ease(clearpath_task *t, lane_m sided, lane_m failed)
{
    lane_m halves = failed & sided & (t->part > CLEARPATH_SHORT);
    lane_m drops = failed & lane_not(halves) & (t->used > 0);
    t->part = lane_select(halves, 0.5f * t->part, t->part);
    t->used = t->used - lane_select_i(drops, lane_set_i(1), lane_set_i(0));
    return halves | drops;
}

LANE_FN clearpath_self clearpath_look_at_self(const crowd *c, const clearpath_task *t)
{
    lane_i slot = lane_gather_i(c->slot, t->i), entry = lane_gather_i(c->planner, slot);
    clearpath_self me = {
        .slot = slot,
        .x = lane_gather(c->sx, t->i),
        .y = lane_gather(c->sy, t->i),
        .vx = lane_gather(c->svx, t->i),
        .vy = lane_gather(c->svy, t->i),
        .radius = lane_gather(c->sr, t->i),
        .limits = {lane_gather(c->svx, t->i), lane_gather(c->svy, t->i),
                   crowd_planner_value(c, entry, slot, THRONG_clearpath_max_acceleration) * c->dt,
                   lane_gather(c->max_speed, slot)},
        .horizon = crowd_horizon(c, slot) * t->part,
        .wall_horizon = yield_wall_horizon(c, slot) * t->part,
        .sided = clearpath_sided(c, slot),
    };
    return me;
}

/* All regions; the lanes that collide with somebody. */
LANE_FN lane_m clearpath_collect(const crowd *c, int k, bool walls, const clearpath_self *me, const clearpath_task *t,
                                 lane_m lanes, clearpath_regions *g)
{
    g->count = 0;
    if (walls) {
        lane_i listed = lane_gather_i(c->wall_count, t->i);
        for (int s = 0; s < CLEARPATH_WALLS; s++) {
            lane_m there = lanes & (listed > s);
            if (!lane_any(there))
                break;
            lane_i wall = lane_gather_i(c->wall, t->i + s * c->stride);
            clearpath_wall(&c->walls, me, lane_select_i(there, wall, lane_set_i(0)), there, g);
        }
    }
    lane_m collides = lane_none();
    for (int s = 0; s < k; s++) {
        lane_m there = lanes & (t->used > s);
        if (!lane_any(there))
            break;
        lane_i j = lane_gather_i(c->seen, t->i + s * c->stride);
        collides = collides | clearpath_neighbour(c, me, lane_select_i(there, j, lane_set_i(0)), there, g);
    }
    return collides;
}

/* Solves the attempt `t`; the lanes that need another, to which `t` is then set. */
LANE_FN lane_m clearpath_solve(const crowd *c, int k, bool walls, lane_m lanes, clearpath_task *t)
{
    clearpath_self me = clearpath_look_at_self(c, t);
    clearpath_regions g;
    lane_m collides = clearpath_collect(c, k, walls, &me, t, lanes, &g);
    lane_f wx = lane_select(collides, lane_set(0), t->desired_x), wy = lane_select(collides, lane_set(0), t->desired_y);
    limits_pull(&me.limits, &wx, &wy);
    lane_m failed = lanes & lane_not(clearpath_nearest(&g, &me.limits, wx, wy, lanes, &t->vx, &t->vy));
    t->vx = lane_select(failed, lane_set(0), t->vx); /* between walls, and too fast to avoid them: stop */
    t->vy = lane_select(failed, lane_set(0), t->vy);
    limits_pull(&me.limits, &t->vx, &t->vy);
    return clearpath_ease(t, me.sided, failed);
}

#endif
