/* What is seen through portals from a place, without bending. */
#ifndef THRONG_PORTALS_VIEW_H
#define THRONG_PORTALS_VIEW_H

#include "portals_parts.h"

/* What of a portal, walking out, is seen between two rays. */
typedef struct portals_cone {
    throng_point rays[2]; /* m: their directions, PORTALS_RIGHT and PORTALS_LEFT */
    int32_t portal;
} portals_cone;

LANE_FN throng_point portals_between(throng_point from, throng_point to)
{
    throng_point p = {to.x - from.x, to.y - from.y};
    return p;
}

/* m: from a place to the nearest point of a portal. */
LANE_FN double portals_distance_to(throng_point at, const throng_path_portal *p)
{
    double x = p->end.x - p->start.x, y = p->end.y - p->start.y;
    double t = ((at.x - p->start.x) * x + (at.y - p->start.y) * y) / (x * x + y * y);
    return portals_distance(at, portals_at(p->start, p->end, t < 0 ? 0 : t > 1 ? 1 : t));
}

LANE_FN portals_cone portals_whole_cone(throng_point at, int32_t portal, const throng_path_portal *p)
{
    portals_cone c = {{portals_between(at, p->start), portals_between(at, p->end)}, portal};
    return c;
}

/* What of portal `i` of the face behind a cone is seen in it, and which of its ends. False: nothing. */
LANE_FN bool portals_see(throng_point at, const portals_cone *from, int32_t i, const throng_path_portal *p,
                         portals_cone *seen, int *ends)
{
    throng_point right = from->rays[PORTALS_RIGHT], left = from->rays[PORTALS_LEFT];
    throng_point start = portals_between(at, p->start), end = portals_between(at, p->end);
    double start_right = portals_cross(right.x, right.y, start.x, start.y),
           start_left = portals_cross(left.x, left.y, start.x, start.y),
           end_right = portals_cross(right.x, right.y, end.x, end.y),
           end_left = portals_cross(left.x, left.y, end.x, end.y);
    if (end_right < 0 || start_left > 0)
        return false;
    seen->rays[PORTALS_RIGHT] = start_right < 0 ? right : start;
    seen->rays[PORTALS_LEFT] = end_left > 0 ? left : end;
    seen->portal = i;
    *ends = (start_right >= 0 ? PORTALS_TURN_RIGHT : 0) | (end_left <= 0 ? PORTALS_TURN_LEFT : 0);
    return true;
}

#endif
