/* What a node of a search through portals sees beyond the face that it enters. */
#ifndef THRONG_PORTALS_EXPAND_H
#define THRONG_PORTALS_EXPAND_H

#include "portals_roots.h"

/* True when the portal leads to the goal only back through its face. */
LANE_FN bool portals_leads_astray(const portal_search *s, const throng_path_portal *p)
{
    if (p->beyond >= 0)
        return false;
    const throng_path_branch *b = &s->net->branches[~p->beyond];
    return (s->to_number >= b->first && s->to_number <= b->last) != b->inside;
}

/* Notes what the root sees of a portal between two rays. */
LANE_FN void portals_find(portal_search *s, const throng_path_portal *p, int32_t root, double right_x, double right_y,
                          double left_x, double left_y, int ends, int pivot)
{
    portal_node *n = &s->nodes[s->node_count++];
    n->rays[PORTALS_RIGHT].x = right_x;
    n->rays[PORTALS_RIGHT].y = right_y;
    n->rays[PORTALS_LEFT].x = left_x;
    n->rays[PORTALS_LEFT].y = left_y;
    n->portal = p->twin;
    n->root = p->cost > 0 ? portals_pay(s, root, p->cost) : root;
    n->ends = (uint8_t)ends;
    n->pivot = (uint8_t)pivot;
    LANE_PREFETCH(&s->net->portals[p->twin]);
    LANE_PREFETCH(&s->net->portals[p->twin + 1]); /* the next one, as a rule */
}

/* Notes that the root sees all of the portal. */
LANE_FN void portals_find_whole(portal_search *s, const throng_path_portal *p, int32_t root, int pivot)
{
    throng_point at = s->roots[root].at;
    portals_find(s, p, root, p->start.x - at.x, p->start.y - at.y, p->end.x - at.x, p->end.y - at.y,
                 PORTALS_TURN_LEFT | PORTALS_TURN_RIGHT, pivot);
}

/* A pivot's root is a corner of the face and sees all of it; a portal that it is an end of takes it round the corner
 * once more. */
LANE_FN void portals_expand_pivot(portal_search *s, const portal_node *n)
{
    const throng_path_portal *entrance = &s->net->portals[n->portal], *p;
    for (int32_t i = entrance->next; i != n->portal; i = p->next) {
        p = &s->net->portals[i];
        bool again = n->pivot == PORTALS_TURN_RIGHT ? portals_same(p->start, entrance->end)
                                                    : portals_same(p->end, entrance->start);
        if (!portals_leads_astray(s, p))
            portals_find_whole(s, p, n->root, again ? n->pivot : 0);
    }
}

/* What of the portal lies right of the cone is reached by bending at the entrance's right end. `root` is that for the
 * whole face once it was asked for. */
LANE_FN void portals_find_right(portal_search *s, const portal_node *n, const throng_path_portal *p, bool whole,
                                int32_t *root)
{
    const throng_path_portal *entrance = &s->net->portals[n->portal];
    if (*root == PORTALS_NOT_ASKED)
        *root = portals_turn_at(s, entrance, n->root, PORTALS_TURN_RIGHT);
    int again = portals_same(p->start, entrance->end) ? PORTALS_TURN_RIGHT : 0;
    if (*root >= 0 && whole)
        portals_find_whole(s, p, *root, again);
    else if (*root >= 0)
        portals_find(s, p, *root, p->start.x - entrance->end.x, p->start.y - entrance->end.y, n->rays[PORTALS_RIGHT].x,
                     n->rays[PORTALS_RIGHT].y, PORTALS_TURN_RIGHT, again);
}

LANE_FN void portals_find_left(portal_search *s, const portal_node *n, const throng_path_portal *p, bool whole,
                               int32_t *root)
{
    const throng_path_portal *entrance = &s->net->portals[n->portal];
    if (*root == PORTALS_NOT_ASKED)
        *root = portals_turn_at(s, entrance, n->root, PORTALS_TURN_LEFT);
    int again = portals_same(p->end, entrance->start) ? PORTALS_TURN_LEFT : 0;
    if (*root >= 0 && whole)
        portals_find_whole(s, p, *root, again);
    else if (*root >= 0)
        portals_find(s, p, *root, n->rays[PORTALS_LEFT].x, n->rays[PORTALS_LEFT].y, p->end.x - entrance->start.x,
                     p->end.y - entrance->start.y, PORTALS_TURN_LEFT, again);
}

/* `a` when `first` is 1, `b` when it is 0; without a branch. */
LANE_FN double portals_either(double first, double a, double b) { return first * a + (1 - first) * b; }

/* What a ray of the node leaves on its right (below 0) or left. */
LANE_FN double portals_side(throng_point ray, throng_point at, throng_point p)
{
    return portals_cross(ray.x, ray.y, p.x - at.x, p.y - at.y);
}

/* Portals that lie right of the cone, from portal i on, are reached by bending at its right end. Returns the first that
 * does not, or the entrance. */
LANE_FN int32_t portals_pass_right(portal_search *s, const portal_node *n, throng_point at, int32_t i, int32_t *root)
{
    const throng_path_portal *portals = s->net->portals;
    for (; i != n->portal; i = portals[i].next) {
        const throng_path_portal *p = &portals[i];
        double end = portals_side(n->rays[PORTALS_RIGHT], at, p->end);
        if (end > 0 || (end == 0 && portals_side(n->rays[PORTALS_RIGHT], at, p->start) >= 0))
            break;
        if (*root != -1 && !portals_leads_astray(s, p))
            portals_find_right(s, n, p, true, root);
    }
    return i;
}

/* Portals right of the cone are reached by bending at its right end (when that is a corner), those in it are seen,
 * those left of it are reached round its left end. A portal along a ray is seen, if from nowhere in it: paths run along
 * it to the corner where it starts. */
LANE_FN void portals_expand_cone(portal_search *s, const portal_node *n)
{
    const throng_path_portal *portals = s->net->portals, *p;
    throng_point at = s->roots[n->root].at, right = n->rays[PORTALS_RIGHT], left = n->rays[PORTALS_LEFT];
    int32_t right_root = n->ends & PORTALS_TURN_RIGHT ? PORTALS_NOT_ASKED : -1,
            left_root = n->ends & PORTALS_TURN_LEFT ? PORTALS_NOT_ASKED : -1;
    int32_t i = portals_pass_right(s, n, at, portals[n->portal].next, &right_root);
    for (; i != n->portal; i = p->next) {
        p = &portals[i];
        double p_right = portals_side(right, at, p->start), p_left = portals_side(left, at, p->start),
               q_left = portals_side(left, at, p->end);
        if (p_left >= 0 && !(p_left == 0 && q_left == 0))
            break;
        if (portals_leads_astray(s, p))
            continue;
        if ((p_right == 0 && portals_side(right, at, p->end) == 0) || (p_left == 0 && q_left == 0)) {
            portals_find_whole(s, p, n->root, 0);
            continue;
        }
        if (right_root != -1 && p_right < 0)
            portals_find_right(s, n, p, false, &right_root);
        int is_right = p_right<0, is_left = q_left> 0; /* the rays bound what is seen of it */
        double by_right = is_right, by_left = is_left;
        portals_find(s, p, n->root, portals_either(by_right, right.x, p->start.x - at.x),
                     portals_either(by_right, right.y, p->start.y - at.y),
                     portals_either(by_left, left.x, p->end.x - at.x), portals_either(by_left, left.y, p->end.y - at.y),
                     (1 - is_right) * PORTALS_TURN_RIGHT | (1 - is_left) * PORTALS_TURN_LEFT, 0);
        if (left_root != -1 && q_left > 0)
            portals_find_left(s, n, p, false, &left_root);
    }
    for (; left_root != -1 && i != n->portal; i = portals[i].next)
        if (!portals_leads_astray(s, &portals[i]))
            portals_find_left(s, n, &portals[i], true, &left_root);
}

#endif
