/* The least that a path through a node of a search through portals can measure. */
#ifndef THRONG_PORTALS_ESTIMATE_H
#define THRONG_PORTALS_ESTIMATE_H

#include "portals_view.h"

/* The goal, or its mirror image where it lies on this side of the portal right -> left. */
LANE_FN throng_point portals_goal_beyond(throng_point goal, throng_point right, throng_point left)
{
    double x = left.x - right.x, y = left.y - right.y, side = portals_cross(x, y, goal.x - right.x, goal.y - right.y);
    double k = (side + fabs(side)) / (x * x + y * y); /* 0 where it lies beyond */
    return (throng_point){goal.x + k * y, goal.y - k * x};
}

/* Where the way through the node bends last if nothing else is in the way: at which share of the portal right -> left,
 * or at its root, -1. Without branches: nothing foretells them. */
LANE_FN double portals_bend_of(const portal_node *n, throng_point right, throng_point left, throng_point goal)
{
    bool is_left = portals_cross(n->rays[PORTALS_LEFT].x, n->rays[PORTALS_LEFT].y, goal.x, goal.y) > 0;
    bool is_right = portals_cross(n->rays[PORTALS_RIGHT].x, n->rays[PORTALS_RIGHT].y, goal.x, goal.y) < 0;
    throng_point ray = n->rays[is_left];
    double at_left = portals_cross(ray.x, ray.y, left.x, left.y),
           at_right = portals_cross(ray.x, ray.y, right.x, right.y);
    double t = at_right / (at_right - at_left), beside = is_left | is_right;
    t = t >= 0 ? t : is_left; /* not a number: the portal lies along the ray */
    t = t <= 1 ? t : 1;
    return beside * (t + 1) - 1;
}

/* m: the least that a path through the node can measure; *t is where it bends last, as bend_of has it. */
LANE_FN double portals_least_length(const portal_search *s, const portal_node *n, double *t)
{
    const portal_root *r = &s->roots[n->root];
    const throng_path_portal *p = &s->net->portals[n->portal];
    *t = -1;
    if (n->pivot)
        return r->length + r->ahead; /* the mirror image is as far */
    throng_point left = portals_between(r->at, p->start), right = portals_between(r->at, p->end);
    throng_point goal = portals_goal_beyond(portals_between(r->at, s->to), right, left);
    *t = portals_bend_of(n, right, left, goal);
    double beside = *t >= 0;
    double x = beside * (right.x + *t * (left.x - right.x)), y = beside * (right.y + *t * (left.y - right.y));
    double ahead = sqrt(x * x + y * y) + sqrt((goal.x - x) * (goal.x - x) + (goal.y - y) * (goal.y - y));
    return r->length + (ahead > r->ahead ? ahead : r->ahead);
}

#endif
