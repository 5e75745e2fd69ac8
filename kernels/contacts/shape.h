/* Shape: contacts of bodies that are wider than deep (kernels/stadium.h).
 *
 * All is as with discs but for where two come nearest: at the nearest points of the segments across their shoulders.
 * The normal is the direction from one to the other, the distance is theirs, and the gap what both radii leave of it.
 * Stadiums are convex: the line between the two, across the normal, parts them, so the linear constraints hold off
 * contact on the way, as they do for discs. Nothing turns meanwhile: see shoulders.h. */
#ifndef THRONG_SHAPE_H
#define THRONG_SHAPE_H

#include "kernels/lane/lane_four.h"
#include "kernels/sense/walls.h"

/* A pair as both see it: exactly opposite normals, equal gaps. */
typedef struct contact_pair {
    lane_f nx, ny, distance, radii;
} contact_pair;

/* What crowd.shape has of an agent: its arm, x, y, m; the radius that planners saw; how far it reaches. m */
LANE_FN void shape_store(const crowd *c, int32_t first, lane_m lanes, lane_i slot, lane_f planned)
{
    lane_four shape = {lane_set(0), lane_set(0), planned, stadium_reach(c, slot)};
    stadium_arm(c, slot, &shape.a, &shape.b);
    lane_store_four(c->shape, first, shape, lanes);
}

/* Puts the shapes of agents `first` .. there. Returns their radii. */
LANE_APART lane_f shape_begin(const crowd *c, int32_t first, lane_m lanes, lane_i slot)
{
    shape_store(c, first, lanes, slot, lane_load(c->sr + first));
    return lane_gather(c->radius, slot);
}

/* m: how far agents `i`, of this radius, reach from their middles. */
LANE_FN lane_f shape_reach(const crowd *c, lane_i i, lane_f radius)
{
    return c->shape ? lane_gather(c->shape + 3, 4 * i) : radius;
}

/* The pair of agents `i` and `j`, which is at p from it. Both sides compute what the one in the lower slot does. */
LANE_APART contact_pair shape_pair(const crowd *c, lane_i i, lane_i j, lane_f px, lane_f py, lane_f radii)
{
    lane_four mine = lane_gather_four(c->shape, i), theirs = lane_gather_four(c->shape, j);
    lane_m lower = lane_gather_i(c->slot, i) < lane_gather_i(c->slot, j);
    lane_f dx, dy, way = lane_select(lower, lane_set(1), lane_set(-1));
    px = px * way;
    py = py * way;
    stadium_nearest(lane_select(lower, mine.a, theirs.a), lane_select(lower, mine.b, theirs.b), px, py,
                    lane_select(lower, theirs.a, mine.a), lane_select(lower, theirs.b, mine.b), &dx, &dy);
    lane_f distance = lane_sqrt(lane_dot(dx, dy, dx, dy)), middles = lane_sqrt(lane_dot(px, py, px, py));
    lane_f over = 1.0f / distance; /* as contacts_pair has it, of two discs */
    lane_m apart = distance > 0, beside = middles > 0;
    lane_f nx = lane_select(apart, dx * over, lane_select(beside, px / middles, lane_set(1)));
    lane_f ny = lane_select(apart, dy * over, lane_select(beside, py / middles, lane_set(0)));
    contact_pair p = {nx * way, ny * way, distance, radii};
    return p;
}

#define SHAPE_CROSSED 1e-6f /* m: what crosses a wall counts as so far before it, as a whole */

/* From the nearest points of bodies with these arms, at (x, y), to those of segments `s`, and how far that is, squared:
 * walls_nearest, which it is for discs. m */
LANE_FN lane_f shape_wall_from(const crowd *c, lane_i s, lane_f arm_x, lane_f arm_y, lane_f x, lane_f y, lane_f *dx,
                               lane_f *dy)
{
    const throng_walls *w = &c->walls;
    lane_f ax = lane_gather(w->ax, s) - x, ay = lane_gather(w->ay, s) - y;
    lane_f bx = lane_gather(w->bx, s) - x, by = lane_gather(w->by, s) - y, mx, my;
    lane_f middle = walls_nearest(w, s, x, y, &mx, &my), off = lane_sqrt(middle);
    stadium_nearest(arm_x, arm_y, 0.5f * (ax + bx), 0.5f * (ay + by), 0.5f * (bx - ax), 0.5f * (by - ay), dx, dy);
    lane_f square = lane_dot(*dx, *dy, *dx, *dy);
    lane_m disc = (arm_x == 0) & (arm_y == 0), crossed = lane_not(square > 0) & (off > 0);
    *dx = lane_select(disc, mx, lane_select(crossed, mx / off * SHAPE_CROSSED, *dx));
    *dy = lane_select(disc, my, lane_select(crossed, my / off * SHAPE_CROSSED, *dy));
    return lane_select(disc, middle, lane_select(crossed, lane_set(SHAPE_CROSSED * SHAPE_CROSSED), square));
}

LANE_APART lane_f shape_wall(const crowd *c, lane_i s, lane_i i, lane_f x, lane_f y, lane_f *dx, lane_f *dy)
{
    lane_four shape = lane_gather_four(c->shape, i);
    return shape_wall_from(c, s, shape.a, shape.b, x, y, dx, dy);
}

/* The same of agents `i`, whatever they are. */
LANE_FN lane_f shape_nearest_wall(const crowd *c, lane_i s, lane_i i, lane_f x, lane_f y, lane_f *dx, lane_f *dy)
{
    return c->shape ? shape_wall(c, s, i, x, y, dx, dy) : walls_nearest(&c->walls, s, x, y, dx, dy);
}

#endif
