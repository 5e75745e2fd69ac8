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
 * Limits of speed and acceleration clip the lines: an optimum within them is the velocity nearest to the preferred one
 * (limits_pull), or on a line, or where a line meets the circle of a limit. Where no velocity within them is outside,
 * the farthest neighbour's region is dropped and the problem solved again; such agents wait until there is a vector of
 * them (cpu_lanes.c). The paper optimises without limits and drops when the optimum breaks them (section 3.5, step 6);
 * that forgot neighbours who could be avoided: 11 people in front of a car, 27 conflicts, so 0. `published` does it.
 *
 * Half-planes are no regions to walk out of and into again: they move where a walk begins, or end it. Whether a region
 * covers a point of a line needs no division, only where the region ends does. Walks wait in a list, the one that can
 * cost least of every agent first, and lanes that are done take the next of whatever agent (clearpath_nearest.h). For
 * 1,000 agents at 1/m^2, 10 neighbours, on one thread of a Xeon of 2023, that is 1.8 us an agent with one lane and 0.37
 * with 16; 1.6 and 0.49 when lanes kept to their agents and half-planes were regions (470 looks at regions for 16
 * agents, of which 3 lanes in 16 took part; 66 with one lane, now 38).
 * What did not help: packing the agents whose preferred velocity is not free into vectors of their own (at 1/m^2 that
 * is 86 of 100; where it is few, planning costs nothing beside the rest); grouping by the number of neighbours (where
 * it is crowded all have as many as they may); each lane trying its agent's walks in order of what they can cost (31
 * looks with one lane, but 195 for 16 agents); finding the least of three fractions by multiplying, to divide once
 * (sixteen lanes took 8 % longer).
 *
 * Variant 2, the paper's own choice, is type I alone, and half-planes of what would make a pair meet within the step
 * (clearpath_half). 80 people who walk back and forth, 1,100 steps: 78 conflicts before there were half-planes; 25 with
 * them, 14 when only cones are dropped, and 0 since the velocity that a pair has in common counts no more than half its
 * gap. With that alone 200 people left through a door in 129 s instead of 93; with the frustrated pressing on, in 92 s.
 * (Pressing on from a frustration of 0.2 on: 91 s, and 5 conflicts among the 80.) Of ten sizes from 10 to 100 with six
 * seeds each, 55 of the 60 runs had no conflict, and five had one or two: somebody frustrated pressed on, or pushed
 * (yield.h). Pushing only from a frustration of 0.2 on left as many, and a door of 0.8 m let 5 % fewer through.
 *
 * Variant 1 adds type II, to pass on the side of the axis that the present relative velocity is on, and halves the
 * horizon where nothing is free. With the leg through the apex theorem 1 does not hold: one may go fast along its leg
 * while the other goes slowly inside the cone, short of the cut, and the sum of both is inside. The leg of the side
 * taken is therefore moved back by what the other can be inside, (cut distance) * sin(half-angle); the sum of two such
 * velocities then never collides within the horizon. With `published` it goes through the apex, and variant 2 has cones
 * alone. */

/*--- throng.clearpath(settings)
 * ClearPath: the velocity nearest to the preferred one outside the neighbours' truncated velocity obstacles (Guy and
 * others, 2009).
 * @example
 * group.planner = throng.clearpath { horizon = 2, max_acceleration = 4 } */

#ifndef THRONG_CLEARPATH_H
#define THRONG_CLEARPATH_H

#include "clearpath_nearest.h"
#include "kernels/sense/walls.h"
#include "yield.h"

#define CLEARPATH_TOUCH 0.99f /* of the sum of radii: pairs closer than this collide, others only touch */
#define CLEARPATH_SHORT 0.03f /* of the horizon: variant 1 halves it down to this */
#define CLEARPATH_PRESS                                                                                                \
    8.0f                    /* times what frustration is beyond that, and the speed: how much the frustrated press on */
#define CLEARPATH_CALM 0.4f /* who is frustrated less is calm */

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

/* A region of three lines in the lanes `m`, in others of nothing. */
LANE_FN clearpath_region clearpath_between(lane_m m, clearpath_line cut, clearpath_line left, clearpath_line right)
{
    clearpath_region r;
    r.line[CLEARPATH_CUT] = clearpath_line_select(m, cut, clearpath_line_none());
    r.line[CLEARPATH_LEFT] = clearpath_line_select(m, left, clearpath_line_all());
    r.line[CLEARPATH_RIGHT] = clearpath_line_select(m, right, clearpath_line_all());
    return r;
}

/* An agent, and the problem it poses. */
typedef struct clearpath_self {
    lane_i slot;
    lane_f x, y, vx, vy, radius;
    limits limits;
    lane_f horizon, wall_horizon;
    lane_m sided;         /* variant 1 */
    lane_m published;     /* as in the paper, to the letter */
    lane_i cones, halves; /* so many of the nearest neighbours' */
    lane_f press;         /* m/s: by how much more than half the gap it counts that others come or go */
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

LANE_FN clearpath_line clearpath_at_apex(const clearpath_other *o, lane_f nx, lane_f ny, lane_f beyond)
{
    clearpath_line l = {nx, ny, lane_dot(nx, ny, o->ax, o->ay) + beyond};
    return l;
}

/* Pairs that collide: the disc of velocities that leave them overlapping after dt, as far as the agent can reach it.
 * Conservatively, its tangents where the circle of what it can reach meets the disc, as legs, and the tangent nearest
 * to its velocity, as cut. */
LANE_FN clearpath_region clearpath_part(const crowd *c, const clearpath_self *me, const clearpath_other *o,
                                        lane_m lanes)
{
    lane_f over = 1.0f / (o->share * c->frame.dt);
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
    return clearpath_between(lanes, cut, clearpath_line_select(wedge, left, clearpath_line_all()),
                             clearpath_line_select(wedge, right, clearpath_line_all()));
}

/* The cone, cut where both touch at the horizon; of type II in the lanes `sided`, where it lacks the leg that the agent
 * keeps away from, since all of that side is forbidden (clearpath_side). */
LANE_FN clearpath_region clearpath_cone(const clearpath_self *me, const clearpath_other *o, lane_m lanes, lane_m sided)
{
    lane_f sine = lane_min(o->radii / o->distance, lane_set(1)); /* of the half-angle */
    lane_f cosine = lane_sqrt(1.0f - sine * sine);
    lane_f beyond = lane_max(o->distance - o->radii, lane_set(0)) / (o->share * me->horizon);
    lane_f back = lane_select(sided & lane_not(me->published), -beyond * sine, lane_set(0));
    clearpath_line all = clearpath_line_all();
    clearpath_line cut = clearpath_at_apex(o, o->ux, o->uy, beyond);
    clearpath_line left = clearpath_at_apex(o, o->ux * sine + o->uy * cosine, o->uy * sine - o->ux * cosine, back);
    clearpath_line right = clearpath_at_apex(o, o->ux * sine - o->uy * cosine, o->uy * sine + o->ux * cosine, back);
    lane_m touches = cosine == 0, keeps_left = o->turn > 0;
    return clearpath_between(lanes, cut, clearpath_line_select(touches | (sided & lane_not(keeps_left)), all, left),
                             clearpath_line_select(touches | (sided & keeps_left), all, right));
}

LANE_FN lane_m clearpath_collides(const clearpath_other *o) { return o->distance < CLEARPATH_TOUCH * o->radii; }

/* The region of a neighbour; the lanes that collide with it. */
LANE_FN lane_m clearpath_neighbour(const crowd *c, const clearpath_self *me, const clearpath_other *o, lane_m lanes,
                                   clearpath_region *r)
{
    lane_m collides = lanes & clearpath_collides(o);
    *r = clearpath_cone(me, o, lanes, me->sided & (o->share > 1));
    if (!lane_any(collides))
        return collides;
    clearpath_region part = clearpath_part(c, me, o, collides);
    for (int side = 0; side < CLEARPATH_SIDES; side++)
        r->line[side] = clearpath_line_select(collides, part.line[side], r->line[side]);
    return collides;
}

/* A half-plane that a neighbour forbids, too; the lanes where it matters. Variant 1, of type II: the other side of its
 * axis.
 *
 * Variant 2: what would make both meet within the step. Cones alone permit that where the two pass on different sides.
 * Each may go towards the other as far as half the gap in the step, and as fast as both go that way together. That
 * counts no more than half the gap, either: so standing is always permitted, and none need drop what keeps them apart.
 * But those in a jam must close up, and count it in full the sooner the more frustrated they are. */
LANE_FN lane_m clearpath_half(const crowd *c, const clearpath_self *me, const clearpath_other *o, lane_m lanes,
                              clearpath_line *l)
{
    lane_f room = lane_max(o->distance - o->radii, lane_set(0)) / (o->share * c->frame.dt), wide = room + me->press;
    lane_f together = lane_dot(o->ux, o->uy, o->ax, o->ay), hand = lane_select(o->turn > 0, lane_set(1), lane_set(-1));
    lane_m shared = o->share > 1;
    together = lane_select(shared, lane_clamp(together, -wide, wide), together);
    clearpath_line side = clearpath_at_apex(o, hand * o->uy, -hand * o->ux, lane_set(0));
    clearpath_line meets = {o->ux, o->uy, together + room};
    lane_m keeps = me->sided & shared & lane_not(clearpath_collides(o));
    *l = clearpath_line_select(me->sided, side, meets);
    return lanes & (keeps | (lane_not(me->sided | me->published) & (meets.d < me->limits.speed)));
}

/* Moves a line by the velocity (vx, vy). */
LANE_FN clearpath_line clearpath_moved(clearpath_line l, lane_f vx, lane_f vy)
{
    l.d = l.d + lane_dot(l.nx, l.ny, vx, vy);
    return l;
}

/* The velocity obstacle of a wall: the cone around the segment with discs about it, from the wall's own velocity; the
 * cut is the tangent nearest to the agent, as far off as it gets within the horizon. */
LANE_FN clearpath_region clearpath_wall(const throng_walls *walls, const clearpath_self *me, lane_i s, lane_m lanes)
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
    return clearpath_between(lanes & (distance > 0), cut, clearpath_line_select(touches, clearpath_line_all(), left),
                             clearpath_line_select(touches, clearpath_line_all(), right));
}

/* --- the planner ---------------------------------------------------------------------------------- */

/* One attempt: with `part` of the horizon, and of the neighbours' regions the first `used`: in variant 2 all
 * half-planes and then the cones, nearest first; in variant 1 both of a neighbour are one. */
typedef struct clearpath_task {
    lane_i i; /* sorted index */
    lane_f desired_x, desired_y;
    lane_i used;
    lane_f part;
    lane_f vx, vy; /* what came of it */
} clearpath_task;

LANE_FN lane_m clearpath_sided(const crowd *c, lane_i slot)
{
    return crowd_planner_value(c, lane_gather_i(c->planner, slot), slot, THRONG_clearpath_variant) == 1;
}

LANE_FN lane_m clearpath_published(const crowd *c, lane_i slot)
{
    return crowd_planner_value(c, lane_gather_i(c->planner, slot), slot, THRONG_clearpath_published) == 1;
}

LANE_FN lane_i clearpath_seen(const crowd *c, lane_i i)
{
    return c->k ? lane_gather_i(c->seen_count, i) : lane_set_i(0);
}

/* How much the agents in these slots press on: 0 while they are calm. */
LANE_FN lane_f clearpath_press(const crowd *c, lane_i slot)
{
    return CLEARPATH_PRESS * lane_max(lane_gather(c->frustration, slot) - CLEARPATH_CALM, lane_set(0));
}

LANE_FN clearpath_task clearpath_first_task(const crowd *c, int32_t first, lane_m lanes, lane_f dx, lane_f dy)
{
    lane_i i = lane_select_i(lanes, lane_iota(first), lane_set_i(first));
    lane_i seen = clearpath_seen(c, i), slot = lane_gather_i(c->slot, i);
    lane_m cones = clearpath_sided(c, slot) | clearpath_published(c, slot);
    clearpath_task t = {i, dx, dy, lane_select_i(cones, seen, seen + seen), lane_set(1), lane_set(0), lane_set(0)};
    return t;
}

/* Can it stand after the step? */
LANE_FN lane_m clearpath_stops(const crowd *c, lane_i i, lane_i slot)
{
    lane_f vx = lane_gather(c->svx, i), vy = lane_gather(c->svy, i),
           most = c->frame.dt *
                  crowd_planner_value(c, lane_gather_i(c->planner, slot), slot, THRONG_clearpath_max_acceleration);
    return lane_dot(vx, vy, vx, vy) <= most * most;
}

/* Makes the attempt easier in the lanes that `failed`: half the horizon in variant 1, unless what was found `breaks`
 * the limits, then the farthest neighbour's region dropped. Who is calm and can stand drops no half-plane of variant 2.
 * The lanes where that is possible. */
LANE_FN lane_m clearpath_ease(const crowd *c, clearpath_task *t, lane_m failed, lane_m breaks)
{
    if (!lane_any(failed))
        return failed;
    lane_i slot = lane_gather_i(c->slot, t->i);
    lane_m sided = clearpath_sided(c, slot);
    lane_m halves = failed & lane_not(breaks) & sided & (t->part > CLEARPATH_SHORT);
    lane_m cones = sided | clearpath_published(c, slot);
    lane_m keeps = lane_not(cones) & (clearpath_press(c, slot) == 0) & clearpath_stops(c, t->i, slot);
    lane_m drops = failed & lane_not(halves) & (t->used > lane_select_i(keeps, clearpath_seen(c, t->i), lane_set_i(0)));
    t->part = lane_select(halves, 0.5f * t->part, t->part);
    t->used = t->used - lane_select_i(drops, lane_set_i(1), lane_set_i(0));
    return halves | drops;
}

LANE_FN clearpath_self clearpath_look_at_self(const crowd *c, const clearpath_task *t)
{
    lane_i slot = lane_gather_i(c->slot, t->i), entry = lane_gather_i(c->planner, slot);
    lane_i seen = clearpath_seen(c, t->i);
    lane_m sided = clearpath_sided(c, slot), published = clearpath_published(c, slot), all = t->used > seen;
    clearpath_self me = {
        .slot = slot,
        .x = lane_gather(c->sx, t->i),
        .y = lane_gather(c->sy, t->i),
        .vx = lane_gather(c->svx, t->i),
        .vy = lane_gather(c->svy, t->i),
        .radius = lane_gather(c->sr, t->i),
        .limits = {lane_gather(c->svx, t->i), lane_gather(c->svy, t->i),
                   crowd_planner_value(c, entry, slot, THRONG_clearpath_max_acceleration) * c->frame.dt,
                   lane_gather(c->max_speed, slot)},
        .horizon = crowd_horizon(c, slot) * t->part,
        .wall_horizon = yield_wall_horizon(c, slot) * t->part,
        .sided = sided,
        .published = published,
        .cones = lane_select_i(sided | published, t->used, lane_select_i(all, t->used - seen, lane_set_i(0))),
        .halves = lane_select_i(all, seen, t->used),
        .press = clearpath_press(c, slot) * lane_gather(c->max_speed, slot),
    };
    return me;
}

/* Half-planes of all lanes, each lane's in its first rows. */
typedef struct clearpath_rows {
    clearpath_line half[CLEARPATH_HALVES];
    lane_i used;
} clearpath_rows;

LANE_FN void clearpath_rows_add(clearpath_rows *rows, const clearpath_line *l, lane_m m)
{
    if (!lane_any(m))
        return;
    float *half = (float *)rows->half;
    lane_i at = rows->used * CLEARPATH_LINE + lane_iota(0);
    lane_scatter(half, at, l->nx, m);
    lane_scatter(half + LANES, at, l->ny, m);
    lane_scatter(half + 2 * LANES, at, l->d, m);
    rows->used = rows->used + lane_select_i(m, lane_set_i(1), lane_set_i(0));
}

LANE_FN void clearpath_put_region(const clearpath_lines *g, int at, const clearpath_region *r)
{
    for (int side = 0; side < CLEARPATH_SIDES; side++)
        g->line[CLEARPATH_SIDES * at + side] = r->line[side];
}

/* All regions, of walls and of neighbours' cones, and half-planes, into g->line, which has room for CLEARPATH_LINES;
 * the lanes that collide with somebody. */
LANE_FN lane_m clearpath_collect(const crowd *c, int k, bool walls, const clearpath_self *me, const clearpath_task *t,
                                 lane_m lanes, clearpath_lines *g)
{
    clearpath_rows rows;
    rows.used = lane_set_i(0);
    clearpath_region region;
    clearpath_line half;
    lane_i listed = walls ? lane_gather_i(c->wall_count, t->i) : lane_set_i(0);
    lane_m collides = lane_none(), there;
    g->regions = 0;
    for (int s = 0; s < CLEARPATH_WALLS && lane_any(there = lanes & (listed > s)); s++) {
        lane_i wall = lane_gather_i(c->wall, t->i + s * c->stride);
        region = clearpath_wall(&c->walls, me, lane_select_i(there, wall, lane_set_i(0)), there);
        clearpath_put_region(g, g->regions++, &region);
    }
    for (int s = 0; s < k && lane_any(there = lanes & (me->halves > s)); s++) {
        lane_i j = lane_select_i(there, lane_gather_i(c->seen, t->i + s * c->stride), lane_set_i(0));
        clearpath_other o = clearpath_look(c, me, j, there);
        if (lane_any(there & (me->cones > s))) {
            collides = collides | clearpath_neighbour(c, me, &o, there & (me->cones > s), &region);
            clearpath_put_region(g, g->regions++, &region);
        }
        rows.half[s] = clearpath_line_none();
        clearpath_rows_add(&rows, &half, clearpath_half(c, me, &o, there, &half));
    }
    g->halves = lane_most_i(rows.used, lane_not(lane_none()));
    for (int s = 0; s < g->halves; s++)
        *clearpath_half_line(g, s) = rows.half[s];
    return collides;
}

/* What it would like best: what it desires, or to stand while it collides. */
LANE_FN clearpath_goal clearpath_wish(const clearpath_self *me, const clearpath_task *t, lane_m collides)
{
    clearpath_goal w;
    w.wx = w.x = lane_select(collides, lane_set(0), t->desired_x);
    w.wy = w.y = lane_select(collides, lane_set(0), t->desired_y);
    limits_pull(&me->limits, &w.x, &w.y);
    w.wx = lane_select(me->published, w.x, w.wx); /* whose preferred velocities keep to the limits */
    w.wy = lane_select(me->published, w.y, w.wy);
    return w;
}

/* What the optimum is sought within: as published, it has no limits. */
LANE_FN limits clearpath_limits(const clearpath_self *me)
{
    limits l = me->limits;
    l.reach = lane_select(me->published, lane_set(INFINITY), l.reach);
    l.speed = lane_select(me->published, lane_set(INFINITY), l.speed);
    return l;
}

/* Takes what the attempt found, in those of the lanes that did not fail; the lanes that need another, to which `t` is
 * then set. */
LANE_FN lane_m clearpath_settle(const crowd *c, const clearpath_self *me, lane_m lanes, lane_m failed,
                                clearpath_task *t)
{
    t->vx = lane_select(failed, lane_set(0), t->vx); /* hemmed in: stop */
    t->vy = lane_select(failed, lane_set(0), t->vy);
    lane_m breaks = lanes & me->published & lane_not(failed | limits_hold(&me->limits, t->vx, t->vy, LIMITS_MARGIN));
    limits_pull(&me->limits, &t->vx, &t->vy);
    return clearpath_ease(c, t, failed | breaks, breaks);
}

/* Solves the attempt `t`; the lanes that need another, to which `t` is then set. */
LANE_FN lane_m clearpath_solve(const crowd *c, int k, bool walls, lane_m lanes, clearpath_task *t)
{
    clearpath_self me = clearpath_look_at_self(c, t);
    clearpath_line line[CLEARPATH_LINES];
    clearpath_lines g = {line, 0, 0};
    lane_m collides = clearpath_collect(c, k, walls, &me, t, lanes, &g);
    clearpath_goal w = clearpath_wish(&me, t, collides);
    limits within = clearpath_limits(&me);
    lane_m found = clearpath_nearest(&g, &within, &w, lanes, &t->vx, &t->vy);
    return clearpath_settle(c, &me, lanes, lanes & lane_not(found), t);
}

#endif
