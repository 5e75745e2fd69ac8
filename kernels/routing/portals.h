/* One shortest path between two points of a navigation mesh: Polyanya (Cui, Harabor and Grastien, "Compromise-free
 * pathfinding on a navigation mesh", IJCAI 2017), in double; see runtime/navigation/path_search.h for what is here on
 * top of the paper. A search works in memory that its caller gives and never gets more: when that is full it says so
 * before it begins an expansion, so that the caller can give more and let it go on. */
#ifndef THRONG_PORTALS_H
#define THRONG_PORTALS_H

#include "portals_estimate.h"
#include "portals_expand.h"
#include "portals_open.h"

/* Opens the node unless it leads to paths that are too long. */
LANE_FN void portals_open_node_at(portal_search *s, int32_t at, double length)
{
    if (length <= s->longest)
        portals_push(s, at, length);
}

/* m: nodes that may lead to shorter paths than this are better than all that are open. */
LANE_FN double portals_limit_of(const portal_search *s) { return s->heap_count > 0 ? s->heap[0].length : s->longest; }

/* Opens the nodes that were found from `first` on, but the best if it is better than all that are open: that is
 * returned, for it would be the next (-1: none is). */
LANE_FN int32_t portals_open_found(portal_search *s, int32_t first)
{
    if (s->node_count == first)
        return -1;
    int32_t best = first;
    double t, best_length = portals_least_length(s, &s->nodes[first], &t);
    for (int32_t at = first + 1; at < s->node_count; at++) {
        double length = portals_least_length(s, &s->nodes[at], &t);
        bool better = length < best_length;
        portals_open_node_at(s, better ? best : at, better ? best_length : length);
        best = better ? at : best;
        best_length = better ? length : best_length;
    }
    if (best_length <= portals_limit_of(s))
        return best;
    portals_open_node_at(s, best, best_length);
    return -1;
}

/* The node enters the goal's face. */
LANE_FN bool portals_arrives(const portal_search *s, int32_t at)
{
    return (uint32_t)(s->nodes[at].portal - s->to_first) < (uint32_t)s->to_count;
}

/* Nothing else was found than the node `first`, and its root alone tells nothing against it. */
LANE_FN bool portals_is_only(const portal_search *s, int32_t first)
{
    if (s->node_count != first + 1 || portals_arrives(s, first))
        return false;
    const portal_root *r = &s->roots[s->nodes[first].root];
    return r->length + r->ahead <= portals_limit_of(s);
}

/* Expands the node, which is the best, and goes on with what it leads to: while that is the best, or without looking
 * while there is but one. -1 when the next is to be taken from the open ones. */
LANE_FN int32_t portals_expand(portal_search *s, int32_t at)
{
    const portal_node n = s->nodes[at];
    s->node_count -= at == s->node_count - 1; /* what is found may take its place */
    int32_t first = s->node_count;
    if (n.pivot)
        portals_expand_pivot(s, &n);
    else
        portals_expand_cone(s, &n);
    return portals_is_only(s, first) ? first : portals_open_found(s, first);
}

/* The best of the open nodes whose roots are not beaten; -1 when none is left. */
LANE_FN int32_t portals_take(portal_search *s)
{
    while (s->heap_count > 0) {
        int32_t at = portals_pop(s);
        if (!s->roots[s->nodes[at].root].beaten)
            return at;
    }
    return -1;
}

/* Goes on for at most `expansions` nodes; *expansions becomes how many of them are left. When memory is full nothing is
 * lost: with more of it the search goes on. */
LANE_FN int32_t portals_step(portal_search *s, int32_t *expansions)
{
    int32_t left = *expansions, at = s->next, state = THRONG_SEARCH_OPEN;
    while (state == THRONG_SEARCH_OPEN && left > 0) {
        if (at < 0 && (at = portals_take(s)) < 0)
            state = THRONG_SEARCH_NONE;
        else if (portals_arrives(s, at))
            state = THRONG_SEARCH_FOUND;
        else if (!portals_has_room(s))
            state = THRONG_SEARCH_FULL;
        else {
            left--;
            if (++s->expanded == s->ask_at)
                portals_ask_landmarks(s, portals_limit_of(s));
            at = portals_expand(s, at);
        }
    }
    s->next = at;
    *expansions = left;
    return state;
}

/* Forgets everything, and begins another. */
LANE_FN void portals_begin(portal_search *s, const throng_path_net *net, throng_point from, throng_point to,
                           int32_t to_face)
{
    for (int32_t i = 0; i < s->root_count; i++)
        if (s->roots[i].corner >= 0)
            s->table[s->roots[i].slot] = -1;
    s->node_count = s->heap_count = s->root_count = 0;
    s->next = -1;
    s->expanded = s->landmark_count = 0;
    s->ask_at = net->landmark_count > 0 ? PORTALS_LANDMARKS_EACH : 0;
    s->net = net;
    s->from = from;
    s->to = to;
    s->to_face = to_face;
    s->to_number = net->number[to_face];
    s->to_first = net->first[to_face];
    s->to_count = net->first[to_face + 1] - s->to_first;
    s->longest = INFINITY;
}

/* Every portal of the face is seen from the start, except those whose neighbour holds the start as well. */
LANE_FN void portals_begin_in(portal_search *s, int32_t face, const int32_t *faces, int32_t count)
{
    for (int32_t i = s->net->first[face]; i < s->net->first[face + 1]; i++) {
        const throng_path_portal *p = &s->net->portals[i];
        bool passed = portals_leads_astray(s, p);
        for (int32_t k = 0; k < count; k++)
            passed = passed || faces[k] == portals_beyond(s->net, p);
        if (!passed)
            portals_find_whole(s, p, 0, 0);
    }
}

/* Opens what is seen from the start, which lies in all of `faces`: several on their common corner or portal. False when
 * memory is too small; with more of it, call it again. */
LANE_FN bool portals_start(portal_search *s, const int32_t *faces, int32_t count)
{
    s->root_count = s->node_count = s->heap_count = 0;
    for (int32_t i = 0; i < count; i++) {
        if (!portals_has_room(s))
            return false;
        if (i == 0)
            portals_add_root(s, (portal_root){s->from, 0, portals_distance(s->from, s->to), -1, -1, -1, 0, false});
        int32_t first = s->node_count;
        portals_begin_in(s, faces[i], faces, count);
        for (int32_t at = first; at < s->node_count; at++) {
            double t;
            portals_open_node_at(s, at, portals_least_length(s, &s->nodes[at], &t));
        }
    }
    return true;
}

LANE_FN int32_t portals_add_corner(throng_point *corners, int32_t count, throng_point at)
{
    if (count > 0 && portals_same(corners[count - 1], at))
        return count;
    corners[count] = at;
    return count + 1;
}

/* Corners of the path that was found, at most. */
LANE_FN int32_t portals_most_corners(const portal_search *s)
{
    int32_t count = 2;
    for (int32_t i = s->nodes[s->next].root; i >= 0; i = s->roots[i].before)
        count++;
    return count;
}

/* Where the path that was found bends last. */
LANE_FN throng_point portals_last_bend(const portal_search *s)
{
    const portal_node *n = &s->nodes[s->next];
    const throng_path_portal *p = &s->net->portals[n->portal];
    double t;
    portals_least_length(s, n, &t);
    return t < 0 ? s->roots[n->root].at : t < 1 ? portals_at(p->end, p->start, t) : p->start;
}

/* The corners from the start to the goal, which the roots link from the goal back; equal ones in a row are one. Returns
 * how many. */
LANE_FN int32_t portals_write(const portal_search *s, throng_point *corners)
{
    int32_t count = portals_add_corner(corners, portals_add_corner(corners, 0, s->to), portals_last_bend(s));
    for (int32_t i = s->nodes[s->next].root; i >= 0; i = s->roots[i].before)
        count = portals_add_corner(corners, count, s->roots[i].at);
    for (int32_t i = 0; i < count / 2; i++) {
        throng_point swapped = corners[i];
        corners[i] = corners[count - 1 - i];
        corners[count - 1 - i] = swapped;
    }
    return count;
}

#endif
