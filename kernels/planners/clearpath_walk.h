/* ClearPath's geometry of one line: what regions and limits leave of it, and the walk up it (clearpath.h). */
#ifndef THRONG_CLEARPATH_WALK_H
#define THRONG_CLEARPATH_WALK_H

#include "limits.h"

#define CLEARPATH_HAND 1.01f   /* squared distances on the left count so much more: ties go to the right, for all */
#define CLEARPATH_SLIT 0.0001f /* m/s: no way out of one region closer than this to the next */

enum clearpath_side { CLEARPATH_CUT, CLEARPATH_LEFT, CLEARPATH_RIGHT, CLEARPATH_SIDES };

/* The velocities with n . v > d; n a unit vector, or 0: all (d < 0) or none (d > 0). */
typedef struct clearpath_line {
    lane_f nx, ny, d;
} clearpath_line;

/* Velocities beyond all three lines, which may not be. */
typedef struct clearpath_region {
    clearpath_line line[CLEARPATH_SIDES];
} clearpath_region;

/* How the lines of a problem lie: three a region, and then one a half-plane, beyond which no velocity may be. */
typedef struct clearpath_lines {
    clearpath_line *line;
    int regions, halves;
} clearpath_lines;

LANE_FN int clearpath_line_count(const clearpath_lines *g) { return CLEARPATH_SIDES * g->regions + g->halves; }

LANE_FN clearpath_line *clearpath_half_line(const clearpath_lines *g, int half)
{
    return &g->line[CLEARPATH_SIDES * g->regions + half];
}

/* From here on velocities are relative to the preferred one, w, so that what is near is short. A line's points, by
 * their distance t from the one nearest to w: d * n + t * (n turned left). Where those of line p are beyond line l:
 * t * slope > need. */
typedef struct clearpath_crossing {
    lane_f slope, need;
} clearpath_crossing;

LANE_FN clearpath_crossing clearpath_cross(const clearpath_line *p, const clearpath_line *l)
{
    clearpath_crossing x = {lane_det(p->nx, p->ny, l->nx, l->ny), l->d - p->d * lane_dot(p->nx, p->ny, l->nx, l->ny)};
    return x;
}

/* The preferred velocity, and the one nearest to it that an agent can have. */
typedef struct clearpath_goal {
    lane_f wx, wy, x, y;
} clearpath_goal;

/* Moves a line so that the preferred velocity is 0. The lanes where the nearest one that they can have is beyond it. */
LANE_FN lane_m clearpath_centre(clearpath_line *l, const clearpath_goal *w)
{
    l->d = l->d - lane_dot(l->nx, l->ny, w->wx, w->wy);
    return lane_dot(l->nx, l->ny, w->x - w->wx, w->y - w->wy) > l->d;
}

/* The same for the lines of a region: the lanes where it is inside. */
LANE_FN lane_m clearpath_centre_region(clearpath_line *sides, const clearpath_goal *w)
{
    lane_m inside = lane_not(lane_none());
    for (int side = 0; side < CLEARPATH_SIDES; side++)
        inside = inside & clearpath_centre(&sides[side], w);
    return inside;
}

/* What limits velocities, relative to w: within `speed` of (sx, sy), `reach` of (rx, ry) where that says more. */
typedef struct clearpath_bounds {
    lane_f sx, sy, speed, rx, ry, reach;
    lane_m reaches;
} clearpath_bounds;

LANE_FN clearpath_bounds clearpath_bound(const limits *l, const clearpath_goal *w)
{
    lane_f farthest = l->speed + lane_sqrt(lane_dot(l->vx, l->vy, l->vx, l->vy));
    clearpath_bounds b = {
        -w->wx, -w->wy, l->speed, l->vx - w->wx, l->vy - w->wy, l->reach, l->reach < 1.001f * farthest};
    return b;
}

/* A velocity relative to w, what it costs, and the line that it is on; a cost of INFINITY: there is none. Of those that
 * cost the same the first line's counts, whatever the order in which lines are tried. */
typedef struct clearpath_point {
    lane_f x, y, cost;
    lane_i line;
} clearpath_point;

/* n / CLEARPATH_SIDES, which vectors cannot; n < 512. */
LANE_FN lane_i clearpath_region_of(lane_i n) { return n * 171 >> 9; }

/* The walk up line `of`: to t, as far as `high`, and while it costs no more than `best`. Once it has left a region,
 * gaps before others do not count that are narrower than `slit`. */
typedef struct clearpath_walk {
    lane_i of;
    clearpath_line line;
    lane_f t, high, best, slit;
    lane_m lanes;
} clearpath_walk;

LANE_FN lane_f clearpath_cost(const clearpath_walk *w) { return w->line.d * w->line.d + w->t * w->t; }

LANE_FN void clearpath_check(clearpath_walk *w)
{
    w->lanes = w->lanes & (w->t <= w->high) & (clearpath_cost(w) <= w->best);
}

/* Shortens the walk to the points beyond line l. */
LANE_FN void clearpath_clip(clearpath_walk *w, const clearpath_line *l)
{
    clearpath_crossing x = clearpath_cross(&w->line, l);
    lane_f at = x.need / x.slope;
    w->t = lane_select((x.slope > 0) & (at > w->t), at, w->t);
    w->high = lane_select((x.slope < 0) & (at < w->high), at, w->high);
    w->high = lane_select((x.slope == 0) & (x.need >= 0), lane_set(-INFINITY), w->high);
}

/* The part of the line within `radius` of (cx, cy). */
LANE_FN void clearpath_chord(clearpath_walk *w, lane_f cx, lane_f cy, lane_f radius)
{
    clearpath_line l = w->line;
    lane_f along = lane_det(l.nx, l.ny, cx, cy), across = l.d - lane_dot(l.nx, l.ny, cx, cy);
    lane_f square = radius * radius - across * across, half = lane_sqrt(lane_max(square, lane_set(0)));
    w->t = lane_select(square >= 0, lane_max(w->t, along - half), lane_set(INFINITY));
    w->high = lane_min(w->high, along + half);
}

/* Where the walk is beyond a line, or in the slit before it. */
LANE_FN lane_m clearpath_beyond(const clearpath_walk *w, const clearpath_crossing *x)
{
    return lane_select(x->slope > 0, w->t + w->slit, w->t) * x->slope > x->need;
}

/* Steps out of a region, or of the slit before it; the lanes of `in` that were. Nothing is divided where nobody is. */
LANE_FN lane_m clearpath_leave(clearpath_walk *w, const clearpath_line *sides, lane_m in)
{
    clearpath_crossing x[CLEARPATH_SIDES];
    for (int side = 0; side < CLEARPATH_SIDES; side++) {
        x[side] = clearpath_cross(&w->line, &sides[side]);
        in = in & clearpath_beyond(w, &x[side]);
    }
    if (!lane_any(in))
        return in;
    lane_f to = lane_set(INFINITY);
    for (int side = 0; side < CLEARPATH_SIDES; side++)
        to = lane_select(x[side].slope < 0, lane_min(to, x[side].need / x[side].slope), to);
    in = in & (to > w->t);
    w->t = lane_select(in, to, w->t);
    w->slit = lane_select(in, lane_set(CLEARPATH_SLIT), w->slit);
    clearpath_check(w);
    return in;
}

/* The same for a half-plane, where `in`. Who steps out does not come back in, and who steps in does not come out. */
LANE_FN void clearpath_keep(clearpath_walk *w, const clearpath_line *half, lane_m in)
{
    clearpath_crossing x = clearpath_cross(&w->line, half);
    in = in & clearpath_beyond(w, &x);
    if (!lane_any(in))
        return;
    lane_f to = lane_select(x.slope < 0, x.need / x.slope, lane_set(INFINITY));
    w->t = lane_select(in & (to > w->t), to, w->t);
    clearpath_check(w);
}

/* The walk up line n, from its point nearest to w that the limits, the half-planes and the region's other sides leave.
 * Where the limits end the line short of that, their end is all there is to walk: down from there another line's walk
 * comes up. Beyond the sides the line's points are free, too, but never the best: keeping to the side takes half the
 * time. */
LANE_FN clearpath_walk clearpath_start(const clearpath_lines *g, const clearpath_bounds *b, int n, lane_m lanes)
{
    int first = CLEARPATH_SIDES * (n / CLEARPATH_SIDES), sides = CLEARPATH_SIDES * g->regions;
    clearpath_walk w = {lane_set_i(n), g->line[n], lane_set(-INFINITY), lane_set(INFINITY), lane_set(INFINITY),
                        lane_set(0),   lanes};
    w.lanes = w.lanes & ((w.line.nx != 0) | (w.line.ny != 0));
    if (!lane_any(w.lanes))
        return w;
    for (int other = first; n < sides && other < first + CLEARPATH_SIDES; other++)
        if (other != n)
            clearpath_clip(&w, &g->line[other]);
    lane_f corner = w.high;
    clearpath_chord(&w, b->sx, b->sy, b->speed);
    if (lane_any(b->reaches))
        clearpath_chord(&w, b->rx, b->ry, b->reach);
    w.lanes = w.lanes & ((corner >= 0) | (w.high < corner));
    w.t = lane_max(w.t, lane_min(w.high, lane_set(0)));
    clearpath_check(&w);
    for (int half = 0; half < g->halves && lane_any(w.lanes); half++)
        if (sides + half != n)
            clearpath_keep(&w, clearpath_half_line(g, half), w.lanes);
    return w;
}

/* Where the walk has ended; `sides` lines are of regions. */
LANE_FN clearpath_point clearpath_arrive(const clearpath_walk *w, int sides)
{
    lane_i side = w->of - CLEARPATH_SIDES * clearpath_region_of(w->of);
    side = lane_select_i(w->of < sides, side, lane_set_i(CLEARPATH_CUT));
    /* left of the axis are the left leg, and what is up the cut */
    lane_m left = (side == CLEARPATH_LEFT) | ((side == CLEARPATH_CUT) & (w->t > 0));
    lane_f cost = clearpath_cost(w);
    clearpath_point p = {w->line.d * w->line.nx - w->t * w->line.ny, w->line.d * w->line.ny + w->t * w->line.nx,
                         lane_select(left, cost * CLEARPATH_HAND, cost), w->of};
    return p;
}

/* The new velocity: (px, py) from the preferred one where what is nearest to that is not free, else the latter, with
 * the signs of its zeros. */
LANE_FN void clearpath_take(lane_m inside, const clearpath_goal *w, lane_f px, lane_f py, lane_f *vx, lane_f *vy)
{
    *vx = lane_select(inside, w->wx + px, w->x);
    *vy = lane_select(inside, w->wy + py, w->y);
}

LANE_FN lane_m clearpath_before(const clearpath_point *a, const clearpath_point *b)
{
    return (a->cost < b->cost) | ((a->cost == b->cost) & (a->line < b->line));
}

#endif
