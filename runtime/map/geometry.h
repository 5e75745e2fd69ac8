/* Small plane geometry in double, shared by map and mesh. */
#ifndef THRONG_GEOMETRY_H
#define THRONG_GEOMETRY_H

#include <math.h>

#include "map.h"

/* By x, then by y: which end of a side is the lesser. */
static inline int throng_compare_points(throng_point a, throng_point b)
{
    if (a.x != b.x)
        return a.x < b.x ? -1 : 1;
    return (a.y > b.y) - (a.y < b.y);
}

static inline double throng_distance(throng_point a, throng_point b)
{
    double x = b.x - a.x, y = b.y - a.y;
    return sqrt(x * x + y * y);
}

static inline throng_point throng_between(throng_point a, throng_point b, double t)
{
    return (throng_point){a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)};
}

/* What two boxes have in common; of two that are apart, a box of no size. */
static inline throng_bounds throng_bounds_common(throng_bounds a, throng_bounds b)
{
    double x0 = fmax(a.x0, b.x0), y0 = fmax(a.y0, b.y0);
    return (throng_bounds){x0, y0, fmax(x0, fmin(a.x1, b.x1)), fmax(y0, fmin(a.y1, b.y1))};
}

static inline double throng_bounds_area(throng_bounds b) { return (b.x1 - b.x0) * (b.y1 - b.y0); }

/* The point of the segment a, b nearest to p. */
static inline throng_point throng_nearest_on(throng_point a, throng_point b, throng_point p)
{
    double x = b.x - a.x, y = b.y - a.y, length2 = x * x + y * y;
    double t = length2 > 0 ? ((p.x - a.x) * x + (p.y - a.y) * y) / length2 : 0;
    if (!(t > 0))
        return a;
    return t >= 1 ? b : throng_between(a, b, t);
}

static inline double throng_segment_distance(throng_point a, throng_point b, throng_point p)
{
    return throng_distance(throng_nearest_on(a, b, p), p);
}

/* True when the segment comes into the box (closed on all sides). */
static inline bool throng_segment_in_box(throng_point a, throng_point b, throng_bounds box)
{
    if ((a.x < box.x0 && b.x < box.x0) || (a.x > box.x1 && b.x > box.x1) || (a.y < box.y0 && b.y < box.y0) ||
        (a.y > box.y1 && b.y > box.y1))
        return false;
    /* the box's corners on both sides of the line, or on it */
    double s0 = throng_turn(a, b, (throng_point){box.x0, box.y0});
    double s1 = throng_turn(a, b, (throng_point){box.x1, box.y0});
    double s2 = throng_turn(a, b, (throng_point){box.x1, box.y1});
    double s3 = throng_turn(a, b, (throng_point){box.x0, box.y1});
    return !((s0 > 0 && s1 > 0 && s2 > 0 && s3 > 0) || (s0 < 0 && s1 < 0 && s2 < 0 && s3 < 0));
}

static inline int32_t throng_cell_of(double at, double origin, double cell, int32_t count)
{
    double c = floor((at - origin) / cell);
    return c < 0 ? 0 : c >= count ? count - 1 : (int32_t)c;
}

#endif
