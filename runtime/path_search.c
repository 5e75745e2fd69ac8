#include "path_search.h"

#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "face_grid.h"
#include "geometry.h"
#include "path_net.h"
#include "ring_list.h"
#include "way_funnel.h"

/* m: ways to a corner whose lengths differ by less (times 1 + length) are taken as equal, and one of them dropped. */
static const double SAME = 1e-11;

enum { TURN_LEFT = 1, TURN_RIGHT = 2, FACES_AT_A_POINT = 16 };

enum { RIGHT, LEFT }; /* rays of a node */

enum { NOT_ASKED = -2 }; /* for a root; -1: there is none */

/* Where ways bend, and how far it is there. */
typedef struct root {
    throng_point at;
    double length;  /* m from the start */
    double ahead;   /* m straight to the goal */
    int32_t before; /* the root before it, -1: this is the start */
    int32_t corner; /* -1: the start */
    int32_t slot;   /* of the table */
    uint8_t turns;  /* TURN_... that were followed */
    bool beaten;    /* a shorter way to the corner was found since */
} root;

/* What a root sees of a portal, which is the entered face's: the part of it between two rays. A ray through an end of
 * the portal sets its bit in `ends`. A pivot's root is itself an end of the portal, the left or the right one. */
typedef struct node {
    throng_point rays[2]; /* m: their directions, RIGHT and LEFT */
    int32_t portal, root;
    int32_t face;        /* that is entered */
    uint8_t ends, pivot; /* TURN_LEFT, TURN_RIGHT */
} node;

typedef struct open_node {
    double length; /* m: of the shortest way that the node may lead to */
    int32_t node;
} open_node;

struct throng_path_search {
    const throng_navmesh *mesh;
    const throng_path_net *net;
    throng_point from, to;
    int32_t to_face, to_number; /* the goal's face, and its number among dead ends */
    double longest;             /* m: paths longer than this are not looked for */
    throng_path_state state;
    throng_path path;
    int32_t path_room;

    node *nodes;
    open_node *heap; /* of four below each, least first */
    root *roots;
    int32_t *table; /* from corners to roots: open addressing, -1 where free; a power of two */
    int32_t node_count, heap_count, root_count;
    int32_t node_room, heap_room, root_room, table_size;
    int32_t next; /* the node to expand next, -1: the best of the open ones */
};

static double cross(double ax, double ay, double bx, double by) { return ax * by - ay * bx; }

/* --- open nodes --- */

/* Room for all that an expansion may find, so that nodes stay where they are while it lasts. */
static bool grow_nodes(throng_path_search *s, int32_t most)
{
    if (throng_array_reserve((void **)&s->nodes, &s->node_room, (int64_t)s->node_count + most, sizeof *s->nodes) &&
        throng_array_reserve((void **)&s->heap, &s->heap_room, (int64_t)s->heap_count + most, sizeof *s->heap))
        return true;
    s->state = THRONG_PATH_FAILED;
    return false;
}

static inline bool reserve_nodes(throng_path_search *s)
{
    int32_t most = 3 * s->net->most_portals;
    return (s->node_room - s->node_count >= most && s->heap_room - s->heap_count >= most) || grow_nodes(s, most);
}

/* Moves down those above the free place `at` that come after `entry`, and puts it there. Ties go to the newer node,
 * which is nearer to the goal as a rule. */
static void settle(open_node *heap, int32_t at, open_node entry)
{
    for (int32_t above; at > 0 && entry.length <= heap[above = (at - 1) / 4].length; at = above)
        heap[at] = heap[above];
    heap[at] = entry;
}

static void push(throng_path_search *s, int32_t n, double length)
{
    settle(s->heap, s->heap_count++, (open_node){length, n});
}

static int32_t lesser(const open_node *heap, int32_t a, int32_t b)
{
    return a + (b - a) * (heap[b].length < heap[a].length); /* no branch: nothing foretells it */
}

/* The least below move up without a look at the last, which belongs near the bottom. */
static int32_t pop(throng_path_search *s)
{
    open_node *heap = s->heap;
    int32_t top = heap[0].node, count = --s->heap_count, at = 0, child = 1;
    for (; child + 3 < count; child = 4 * at + 1) {
        child = lesser(heap, lesser(heap, child, child + 1), lesser(heap, child + 2, child + 3));
        heap[at] = heap[child];
        at = child;
    }
    if (child < count) {
        for (int32_t other = child + 1; other < count; other++)
            child = lesser(heap, child, other);
        heap[at] = heap[child];
        at = child;
    }
    settle(heap, at, heap[count]);
    return top;
}

/* --- roots --- */

static int32_t *slot_of(throng_path_search *s, int32_t corner)
{
    uint32_t mask = (uint32_t)s->table_size - 1, at = (uint32_t)corner * 2654435769u >> 7 & mask;
    while (s->table[at] >= 0 && s->roots[s->table[at]].corner != corner)
        at = (at + 1) & mask;
    return &s->table[at];
}

static bool grow_table(throng_path_search *s)
{
    int32_t size = s->table_size ? 2 * s->table_size : 64;
    int32_t *table = malloc((size_t)size * sizeof *table);
    if (!table)
        return false;
    for (int32_t i = 0; i < size; i++)
        table[i] = -1;
    free(s->table);
    s->table = table;
    s->table_size = size;
    for (int32_t i = 0; i < s->root_count; i++) {
        if (s->roots[i].corner < 0)
            continue;
        int32_t *slot = slot_of(s, s->roots[i].corner);
        *slot = i; /* the last of a corner's roots is the best */
        s->roots[i].slot = (int32_t)(slot - table);
    }
    return true;
}

static int32_t add_root(throng_path_search *s, root r)
{
    if ((2 * s->root_count >= s->table_size && !grow_table(s)) ||
        !throng_array_reserve((void **)&s->roots, &s->root_room, (int64_t)s->root_count + 1, sizeof r)) {
        s->state = THRONG_PATH_FAILED;
        return -1;
    }
    if (r.corner >= 0) {
        int32_t *slot = slot_of(s, r.corner);
        if (*slot >= 0)
            s->roots[*slot].beaten = true;
        *slot = s->root_count;
        r.slot = (int32_t)(slot - s->table);
    }
    s->roots[s->root_count] = r;
    return s->root_count++;
}

/* The walls at the corner lie on the side that the way along (x, y) bends to: it is tangent there. */
static bool is_tangent(const throng_path_corner *c, throng_point at, double x, double y, int turn)
{
    double a = cross(x, y, c->ax - at.x, c->ay - at.y), b = cross(x, y, c->bx - at.x, c->by - at.y);
    return turn == TURN_LEFT ? a >= 0 && b >= 0 : a <= 0 && b <= 0;
}

/* The root at the corner, which lies at `at`, for ways that come from root `from` and turn there; -1 when none do: no
 * corner (-1), not tangent, or there is a way there as short. */
static int32_t turn_at(throng_path_search *s, int32_t corner, throng_point at, int32_t from, int turn)
{
    const root *f = &s->roots[from];
    double x = at.x - f->at.x, y = at.y - f->at.y;
    if (corner < 0 || !is_tangent(&s->net->corners[corner], at, x, y, turn))
        return -1;
    double length = f->length + sqrt(x * x + y * y);
    int32_t known = s->table_size ? *slot_of(s, corner) : -1;
    if (known >= 0) {
        root *k = &s->roots[known];
        double hair = SAME * (1 + length);
        if (length > k->length + hair || (length >= k->length - hair && (k->turns & turn)))
            return -1;
        if (length >= k->length - hair) {
            k->turns |= (uint8_t)turn;
            return known;
        }
    }
    return add_root(s, (root){at, length, throng_distance(at, s->to), from, corner, 0, (uint8_t)turn, false});
}

/* --- the estimate --- */

static throng_point between(throng_point from, throng_point to) { return (throng_point){to.x - from.x, to.y - from.y}; }

/* The goal, or its mirror image where it lies on this side of the portal right -> left. */
static inline throng_point goal_beyond(throng_point goal, throng_point right, throng_point left)
{
    double x = left.x - right.x, y = left.y - right.y, side = cross(x, y, goal.x - right.x, goal.y - right.y);
    double k = (side + fabs(side)) / (x * x + y * y); /* 0 where it lies beyond */
    return (throng_point){goal.x + k * y, goal.y - k * x};
}

/* Where the way through the node bends last if nothing else is in the way: at which share of the portal right -> left,
 * or at its root, -1. Without branches: nothing foretells them. */
static inline double bend_of(const node *n, throng_point right, throng_point left, throng_point goal)
{
    bool is_left = cross(n->rays[LEFT].x, n->rays[LEFT].y, goal.x, goal.y) > 0;
    bool is_right = cross(n->rays[RIGHT].x, n->rays[RIGHT].y, goal.x, goal.y) < 0;
    throng_point ray = n->rays[is_left];
    double at_left = cross(ray.x, ray.y, left.x, left.y), at_right = cross(ray.x, ray.y, right.x, right.y);
    double t = at_right / (at_right - at_left), beside = is_left | is_right;
    t = t >= 0 ? t : is_left; /* not a number: the portal lies along the ray */
    t = t <= 1 ? t : 1;
    return beside * (t + 1) - 1;
}

/* m: the least that a way through the node can measure; *t is where it bends last, as bend_of has it. */
static inline double least_length(const throng_path_search *s, const node *n, double *t)
{
    const root *r = &s->roots[n->root];
    const throng_path_portal *p = &s->net->portals[n->portal];
    *t = -1;
    if (n->pivot)
        return r->length + r->ahead; /* the mirror image is as far */
    throng_point left = between(r->at, p->start), right = between(r->at, p->end);
    throng_point goal = goal_beyond(between(r->at, s->to), right, left);
    *t = bend_of(n, right, left, goal);
    double beside = *t >= 0;
    double x = beside * (right.x + *t * (left.x - right.x)), y = beside * (right.y + *t * (left.y - right.y));
    return r->length + sqrt(x * x + y * y) + sqrt((goal.x - x) * (goal.x - x) + (goal.y - y) * (goal.y - y));
}

/* --- expansion --- */

/* True when nothing but a dead end without the goal lies beyond. */
static bool leads_astray(const throng_path_search *s, const throng_path_portal *p)
{
    if (p->beyond >= 0)
        return false;
    int32_t branch = ~p->beyond;
    return s->to_number < s->net->branch_first[branch] || s->to_number > s->net->branch_last[branch];
}

/* Notes what the root sees of a portal between two rays. */
static inline void find(throng_path_search *s, const throng_path_portal *p, int32_t root, double right_x,
                        double right_y, double left_x, double left_y, int ends, int pivot)
{
    node *n = &s->nodes[s->node_count++];
    n->rays[RIGHT].x = right_x;
    n->rays[RIGHT].y = right_y;
    n->rays[LEFT].x = left_x;
    n->rays[LEFT].y = left_y;
    n->portal = p->twin;
    n->root = root;
    n->face = p->beyond < 0 ? ~p->beyond : p->beyond;
    n->ends = (uint8_t)ends;
    n->pivot = (uint8_t)pivot;
}

/* Notes that the root sees all of the portal. */
static void find_whole(throng_path_search *s, const throng_path_portal *p, int32_t root, int pivot)
{
    throng_point at = s->roots[root].at;
    find(s, p, root, p->start.x - at.x, p->start.y - at.y, p->end.x - at.x, p->end.y - at.y, TURN_LEFT | TURN_RIGHT,
         pivot);
}

static bool same(throng_point a, throng_point b) { return a.x == b.x && a.y == b.y; }

/* A pivot's root is a corner of the face and sees all of it; a portal that it is an end of takes it round the corner
 * once more. */
static void expand_pivot(throng_path_search *s, const node *n)
{
    const throng_path_portal *entrance = &s->net->portals[n->portal], *p;
    for (int32_t i = entrance->next; i != n->portal; i = p->next) {
        p = &s->net->portals[i];
        bool again = n->pivot == TURN_RIGHT ? same(p->start, entrance->end) : same(p->end, entrance->start);
        if (!leads_astray(s, p))
            find_whole(s, p, n->root, again ? n->pivot : 0);
    }
}

/* What of the portal lies right of the cone is reached by bending at the entrance's right end. `root` is that for the
 * whole face once it was asked for. */
static void find_right(throng_path_search *s, const node *n, const throng_path_portal *p, bool whole, int32_t *root)
{
    const throng_path_portal *entrance = &s->net->portals[n->portal];
    if (*root == NOT_ASKED)
        *root = turn_at(s, entrance->at_end, entrance->end, n->root, TURN_RIGHT);
    int again = same(p->start, entrance->end) ? TURN_RIGHT : 0;
    if (*root >= 0 && whole)
        find_whole(s, p, *root, again);
    else if (*root >= 0)
        find(s, p, *root, p->start.x - entrance->end.x, p->start.y - entrance->end.y, n->rays[RIGHT].x,
             n->rays[RIGHT].y, TURN_RIGHT, again);
}

static void find_left(throng_path_search *s, const node *n, const throng_path_portal *p, bool whole, int32_t *root)
{
    const throng_path_portal *entrance = &s->net->portals[n->portal];
    if (*root == NOT_ASKED)
        *root = turn_at(s, entrance->at_start, entrance->start, n->root, TURN_LEFT);
    int again = same(p->end, entrance->start) ? TURN_LEFT : 0;
    if (*root >= 0 && whole)
        find_whole(s, p, *root, again);
    else if (*root >= 0)
        find(s, p, *root, n->rays[LEFT].x, n->rays[LEFT].y, p->end.x - entrance->start.x, p->end.y - entrance->start.y,
             TURN_LEFT, again);
}

/* `a` when `first` is 1, `b` when it is 0; without a branch. */
static inline double either(double first, double a, double b) { return first * a + (1 - first) * b; }

/* Portals right of the cone are reached by bending at its right end (when that is a corner), those in it are seen,
 * those left of it are reached round its left end. A portal along a ray is seen, if from nowhere in it: ways run along
 * it to the corner where it starts. */
static void expand_cone(throng_path_search *s, const node *n)
{
    const throng_path_portal *portals = s->net->portals, *p;
    throng_point at = s->roots[n->root].at;
    double right_x = n->rays[RIGHT].x, right_y = n->rays[RIGHT].y, left_x = n->rays[LEFT].x, left_y = n->rays[LEFT].y;
    int32_t right_root = n->ends & TURN_RIGHT ? NOT_ASKED : -1, left_root = n->ends & TURN_LEFT ? NOT_ASKED : -1;
    for (int32_t i = portals[n->portal].next; i != n->portal; i = p->next) {
        p = &portals[i];
        double px = p->start.x - at.x, py = p->start.y - at.y, qx = p->end.x - at.x, qy = p->end.y - at.y;
        double p_right = cross(right_x, right_y, px, py), q_right = cross(right_x, right_y, qx, qy);
        double p_left = cross(left_x, left_y, px, py), q_left = cross(left_x, left_y, qx, qy);
        if (leads_astray(s, p))
            continue;
        if ((p_right == q_right && p_right == 0) || (p_left == q_left && p_left == 0)) {
            find_whole(s, p, n->root, 0);
            continue;
        }
        if (right_root != -1 && (p_right < 0 || q_right <= 0))
            find_right(s, n, p, q_right <= 0, &right_root);
        if (q_right > 0 && p_left < 0) {
            double by_right = p_right<0, by_left = q_left> 0; /* the rays bound what is seen of it */
            find(s, p, n->root, either(by_right, right_x, px), either(by_right, right_y, py),
                 either(by_left, left_x, qx), either(by_left, left_y, qy),
                 (p_right < 0 ? 0 : TURN_RIGHT) | (q_left > 0 ? 0 : TURN_LEFT), 0);
        }
        if (left_root != -1 && (q_left > 0 || p_left >= 0))
            find_left(s, n, p, p_left >= 0, &left_root);
    }
}

/* --- the path --- */

static void add_corner(throng_path_search *s, throng_point corner)
{
    if (!throng_path_add(&s->path, &s->path_room, corner))
        s->state = THRONG_PATH_FAILED;
}

/* The corners, which the roots link from the goal back, in order; and their length. */
static void finish(throng_path_search *s, int32_t root, throng_point bend)
{
    throng_path *path = &s->path;
    s->state = THRONG_PATH_FOUND;
    add_corner(s, s->to);
    add_corner(s, bend);
    for (int32_t i = root; i >= 0; i = s->roots[i].before)
        add_corner(s, s->roots[i].at);
    throng_ring_reverse(path->corners, path->count);
    for (int32_t i = 0; i + 1 < path->count; i++)
        path->length += throng_distance(path->corners[i], path->corners[i + 1]);
}

static void finish_with(throng_path_search *s, const node *n)
{
    const throng_path_portal *p = &s->net->portals[n->portal];
    double t;
    least_length(s, n, &t);
    finish(s, n->root, t < 0 ? s->roots[n->root].at : t < 1 ? throng_between(p->end, p->start, t) : p->start);
}

/* --- the search --- */

/* Opens the node unless it leads to ways that are too long. */
static void open_node_at(throng_path_search *s, int32_t at, double length)
{
    if (length <= s->longest)
        push(s, at, length);
}

/* m: nodes that may lead to shorter ways than this are better than all that are open. */
static double limit_of(const throng_path_search *s) { return s->heap_count > 0 ? s->heap[0].length : s->longest; }

/* Opens the nodes that were found from `first` on, but the best if it is better than all that are open: that is
 * returned, for it would be the next (-1: none is). */
static int32_t open_found(throng_path_search *s, int32_t first)
{
    if (s->node_count == first)
        return -1;
    int32_t best = first;
    double t, best_length = least_length(s, &s->nodes[first], &t);
    for (int32_t at = first + 1; at < s->node_count; at++) {
        double length = least_length(s, &s->nodes[at], &t);
        bool better = length < best_length;
        open_node_at(s, better ? best : at, better ? best_length : length);
        best = better ? at : best;
        best_length = better ? length : best_length;
    }
    if (best_length <= limit_of(s))
        return best;
    open_node_at(s, best, best_length);
    return -1;
}

/* Nothing else was found than the node `first`, and its root alone tells nothing against it. */
static bool is_only(const throng_path_search *s, int32_t first)
{
    if (s->node_count != first + 1 || s->nodes[first].face == s->to_face)
        return false;
    const root *r = &s->roots[s->nodes[first].root];
    return r->length + r->ahead <= limit_of(s);
}

/* Expands the node, which is the best, and goes on with what it leads to: while that is the best, or without looking
 * while there is but one. -1 when the next is to be taken from the open ones. */
static int32_t expand(throng_path_search *s, int32_t at)
{
    int32_t first = s->node_count;
    if (!reserve_nodes(s))
        return -1;
    const node *n = &s->nodes[at];
    if (n->pivot)
        expand_pivot(s, n);
    else
        expand_cone(s, n);
    return is_only(s, first) ? first : open_found(s, first);
}

/* The best of the open nodes whose roots are not beaten; -1 when none is left. */
static int32_t take(throng_path_search *s)
{
    while (s->heap_count > 0) {
        int32_t at = pop(s);
        if (!s->roots[s->nodes[at].root].beaten)
            return at;
    }
    s->state = THRONG_PATH_NONE;
    return -1;
}

throng_path_state throng_path_search_step(throng_path_search *s, int32_t *expansions)
{
    int32_t left = *expansions, at = s->next;
    while (s->state == THRONG_PATH_OPEN && left > 0 && (at >= 0 || (at = take(s)) >= 0)) {
        if (s->nodes[at].face == s->to_face) {
            finish_with(s, &s->nodes[at]);
            break;
        }
        left--;
        at = expand(s, at);
    }
    s->next = at;
    *expansions = left;
    return s->state;
}

/* Every portal of the face is seen from the start, except those whose neighbour holds the start as well. */
static void begin_in(throng_path_search *s, int32_t face)
{
    for (int32_t i = s->net->first[face]; i < s->net->first[face + 1]; i++) {
        const throng_path_portal *p = &s->net->portals[i];
        if (!leads_astray(s, p) && !throng_face_holds(s->mesh, s->mesh->face[s->mesh->twin[p->edge]], s->from))
            find_whole(s, p, 0, 0);
    }
}

static void finish_straight(throng_path_search *s)
{
    s->state = THRONG_PATH_FOUND;
    add_corner(s, s->from);
    add_corner(s, s->to);
    s->path.length = throng_distance(s->from, s->to);
}

/* The start may lie in several faces, on their common corner or portal. */
static void begin_from(throng_path_search *s, const int32_t *faces, int32_t count)
{
    bool joined = false;
    for (int32_t i = 0; i < count; i++) {
        if (faces[i] == s->to_face || throng_face_holds(s->mesh, faces[i], s->to)) {
            finish_straight(s);
            return;
        }
        joined = joined || s->mesh->component[faces[i]] == s->mesh->component[s->to_face];
    }
    if (!joined || add_root(s, (root){s->from, 0, throng_distance(s->from, s->to), -1, -1, -1, 0, false}) < 0)
        return;
    for (int32_t i = 0; i < count; i++) {
        int32_t first = s->node_count;
        if (!reserve_nodes(s))
            return;
        begin_in(s, faces[i]);
        for (int32_t at = first; at < s->node_count; at++) {
            double t;
            open_node_at(s, at, least_length(s, &s->nodes[at], &t));
        }
    }
}

static void forget(throng_path_search *s)
{
    for (int32_t i = 0; i < s->root_count; i++)
        if (s->roots[i].corner >= 0)
            s->table[s->roots[i].slot] = -1;
    s->node_count = s->heap_count = s->root_count = 0;
    s->next = -1;
    s->path.count = 0;
    s->path.length = 0;
}

static void begin(throng_path_search *s, const throng_navmesh *mesh, throng_point from, throng_point to, double longest)
{
    int32_t faces[FACES_AT_A_POINT];
    forget(s);
    s->mesh = mesh;
    s->net = mesh->net;
    s->from = from;
    s->to = to;
    s->longest = longest;
    s->state = THRONG_PATH_OPEN; /* with nothing open there is no way */
    if (throng_navmesh_faces_at(mesh, to, faces, 1) == 0)
        return;
    s->to_face = faces[0];
    s->to_number = s->net->branch_first[s->to_face];
    begin_from(s, faces, throng_navmesh_faces_at(mesh, from, faces, FACES_AT_A_POINT));
}

void throng_path_search_begin(throng_path_search *s, const throng_navmesh *mesh, throng_point from, throng_point to)
{
    begin(s, mesh, from, to, INFINITY);
}

void throng_path_search_begin_straight(throng_path_search *s, const throng_navmesh *mesh, throng_point from,
                                       throng_point to)
{
    begin(s, mesh, from, to, throng_distance(from, to) * (1 + 1e-12));
}

const throng_path *throng_path_search_path(const throng_path_search *s) { return &s->path; }

/* --- lifetime --- */

throng_path_search *throng_path_search_create(void) { return calloc(1, sizeof(throng_path_search)); }

void throng_path_search_destroy(throng_path_search *s)
{
    if (!s)
        return;
    free(s->nodes);
    free(s->heap);
    free(s->roots);
    free(s->table);
    throng_path_fini(&s->path);
    free(s);
}

size_t throng_path_search_bytes(const throng_path_search *s)
{
    return sizeof *s + (size_t)s->node_room * sizeof *s->nodes + (size_t)s->heap_room * sizeof *s->heap +
           (size_t)s->root_room * sizeof *s->roots + (size_t)s->table_size * sizeof *s->table +
           (size_t)s->path_room * sizeof *s->path.corners;
}
