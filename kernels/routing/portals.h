/* One shortest path between two points of a navigation mesh: Polyanya (Cui, Harabor and Grastien, "Compromise-free
 * pathfinding on a navigation mesh", IJCAI 2017), in double; see runtime/navigation/path_search.h for what is here on
 * top of the paper. A search works in memory that its caller gives and never gets more: when that is full it says so
 * before it begins an expansion, so that the caller can give more and let it go on. */
#ifndef THRONG_PORTALS_H
#define THRONG_PORTALS_H

#include "kernels/lane/lane.h"
#include "kernels/contract/path_net.h"

/* m: paths to a corner whose lengths differ by less (times 1 + length) are taken as equal, and one of them dropped. */
#define PORTALS_SAME 1e-11

enum { PORTALS_TURN_LEFT = 1, PORTALS_TURN_RIGHT = 2 };

enum { PORTALS_RIGHT, PORTALS_LEFT }; /* rays of a node */

enum { PORTALS_NOT_ASKED = -2 }; /* for a root; -1: there is none */

/* Where paths bend, and how far it is there. */
typedef struct portal_root {
    throng_point at;
    double length;  /* m from the start */
    double ahead;   /* m straight to the goal */
    int32_t before; /* the root before it, -1: this is the start */
    int32_t corner; /* -1: the start */
    int32_t slot;   /* of the table */
    uint8_t turns;  /* PORTALS_TURN_... that were followed */
    bool beaten;    /* a shorter path to the corner was found since */
} portal_root;

/* What a root sees of a portal, which is the entered face's: the part of it between two rays. A ray through an end of
 * the portal sets its bit in `ends`. A pivot's root is itself an end of the portal, the left or the right one. */
typedef struct portal_node {
    throng_point rays[2]; /* m: their directions, PORTALS_RIGHT and PORTALS_LEFT */
    int32_t portal, root;
    uint8_t ends, pivot; /* PORTALS_TURN_LEFT, PORTALS_TURN_RIGHT */
} portal_node;

typedef struct portal_open {
    double length; /* m: of the shortest path that the node may lead to */
    int32_t node;
} portal_open;

typedef struct portal_search {
    const throng_path_net *net;
    throng_point from, to;      /* m */
    int32_t to_face, to_number; /* the goal's face, and its number among dead ends */
    int32_t to_first, to_count; /* that face's portals */
    double longest;             /* m: paths longer than this are not looked for */

    portal_node *nodes;
    portal_open *heap; /* of four below each, least first */
    portal_root *roots;
    int32_t *table; /* from corners to roots: open addressing, -1 where free; a power of two */
    int32_t node_count, heap_count, root_count;
    int32_t node_room, heap_room, root_room, table_size;
    int32_t next; /* the node to expand next, -1: the best of the open ones; when found: the last */
} portal_search;

LANE_FN double portals_distance(throng_point a, throng_point b)
{
    double x = b.x - a.x, y = b.y - a.y;
    return sqrt(x * x + y * y);
}

LANE_FN throng_point portals_at(throng_point a, throng_point b, double t)
{
    throng_point p = {a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)};
    return p;
}

LANE_FN double portals_cross(double ax, double ay, double bx, double by) { return ax * by - ay * bx; }

/* --- open nodes --- */

/* Nodes that an expansion may find at most. */
LANE_FN int32_t portals_most_found(const throng_path_net *net) { return 3 * net->most_portals; }

/* Room for all that an expansion may find, and two roots. */
LANE_FN bool portals_has_room(const portal_search *s)
{
    int32_t most = portals_most_found(s->net);
    return s->node_room - s->node_count >= most && s->heap_room - s->heap_count >= most &&
           s->root_room - s->root_count >= 2 && s->table_size >= 2 * (s->root_count + 2);
}

/* Moves down those above the free place `at` that come after `entry`, and puts it there. Ties go to the newer node,
 * which is nearer to the goal as a rule. */
LANE_FN void portals_settle(portal_open *heap, int32_t at, portal_open entry)
{
    for (int32_t above; at > 0 && entry.length <= heap[above = (at - 1) / 4].length; at = above)
        heap[at] = heap[above];
    heap[at] = entry;
}

LANE_FN void portals_push(portal_search *s, int32_t n, double length)
{
    portals_settle(s->heap, s->heap_count++, (portal_open){length, n});
}

LANE_FN int32_t portals_lesser(const portal_open *heap, int32_t a, int32_t b)
{
    return a + (b - a) * (heap[b].length < heap[a].length); /* no branch: nothing foretells it */
}

/* The least below move up without a look at the last, which belongs near the bottom. */
LANE_FN int32_t portals_pop(portal_search *s)
{
    portal_open *heap = s->heap;
    int32_t top = heap[0].node, count = --s->heap_count, at = 0, child = 1;
    for (; child + 3 < count; child = 4 * at + 1) {
        child =
            portals_lesser(heap, portals_lesser(heap, child, child + 1), portals_lesser(heap, child + 2, child + 3));
        heap[at] = heap[child];
        at = child;
    }
    if (child < count) {
        for (int32_t other = child + 1; other < count; other++)
            child = portals_lesser(heap, child, other);
        heap[at] = heap[child];
        at = child;
    }
    portals_settle(heap, at, heap[count]);
    return top;
}

/* --- roots --- */

LANE_FN int32_t *portals_slot_of(portal_search *s, int32_t corner)
{
    uint32_t mask = (uint32_t)s->table_size - 1, at = (uint32_t)corner * 2654435769u >> 7 & mask;
    while (s->table[at] >= 0 && s->roots[s->table[at]].corner != corner)
        at = (at + 1) & mask;
    return &s->table[at];
}

LANE_FN int32_t portals_add_root(portal_search *s, portal_root r)
{
    if (r.corner >= 0) {
        int32_t *slot = portals_slot_of(s, r.corner);
        if (*slot >= 0)
            s->roots[*slot].beaten = true;
        *slot = s->root_count;
        r.slot = (int32_t)(slot - s->table);
    }
    s->roots[s->root_count] = r;
    return s->root_count++;
}

/* The walls at the corner lie on the side that the path along (x, y) bends to: it is tangent there. */
LANE_FN bool portals_is_tangent(const throng_path_corner *c, throng_point at, double x, double y, int turn)
{
    double a = portals_cross(x, y, c->ax - at.x, c->ay - at.y), b = portals_cross(x, y, c->bx - at.x, c->by - at.y);
    return turn == PORTALS_TURN_LEFT ? a >= 0 && b >= 0 : a <= 0 && b <= 0;
}

/* The root at the corner that the entrance ends at, for paths that come from root `from` and turn there; -1 when none
 * do: no corner (-1), not tangent, or there is a path there as short. The cone is free on its side of the ray to the
 * corner, so the walls are on the other, unless it has no width because the entrance lies along the ray. */
LANE_FN int32_t portals_turn_at(portal_search *s, const throng_path_portal *entrance, int32_t from, int turn)
{
    bool is_left = turn == PORTALS_TURN_LEFT;
    int32_t corner = is_left ? entrance->at_start : entrance->at_end;
    throng_point at = is_left ? entrance->start : entrance->end, other = is_left ? entrance->end : entrance->start;
    const portal_root *f = &s->roots[from];
    double x = at.x - f->at.x, y = at.y - f->at.y;
    if (corner < 0 || (portals_cross(x, y, other.x - at.x, other.y - at.y) == 0 &&
                       !portals_is_tangent(&s->net->corners[corner], at, x, y, turn)))
        return -1;
    double length = f->length + sqrt(x * x + y * y);
    int32_t known = *portals_slot_of(s, corner);
    if (known >= 0) {
        portal_root *k = &s->roots[known];
        double hair = PORTALS_SAME * (1 + length);
        if (length > k->length + hair || (length >= k->length - hair && (k->turns & turn)))
            return -1;
        if (length >= k->length - hair) {
            k->turns |= (uint8_t)turn;
            return known;
        }
    }
    return portals_add_root(
        s, (portal_root){at, length, portals_distance(at, s->to), from, corner, 0, (uint8_t)turn, false});
}

/* --- the estimate --- */

LANE_FN throng_point portals_between(throng_point from, throng_point to)
{
    return (throng_point){to.x - from.x, to.y - from.y};
}

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
    return r->length + sqrt(x * x + y * y) + sqrt((goal.x - x) * (goal.x - x) + (goal.y - y) * (goal.y - y));
}

/* --- expansion --- */

/* True when nothing but a dead end without the goal lies beyond. */
LANE_FN bool portals_leads_astray(const portal_search *s, const throng_path_portal *p)
{
    if (p->beyond >= 0)
        return false;
    int32_t branch = ~p->beyond;
    return s->to_number < s->net->branch_first[branch] || s->to_number > s->net->branch_last[branch];
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
    n->root = root;
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

LANE_FN bool portals_same(throng_point a, throng_point b) { return a.x == b.x && a.y == b.y; }

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

/* --- the search --- */

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
    s->net = net;
    s->from = from;
    s->to = to;
    s->to_face = to_face;
    s->to_number = net->branch_first[to_face];
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
            passed = passed || faces[k] == (p->beyond < 0 ? ~p->beyond : p->beyond);
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
