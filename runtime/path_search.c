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

/* Where ways bend, and how far it is there. */
typedef struct root {
    throng_point at;
    double length;  /* m from the start */
    int32_t before; /* the root before it, -1: this is the start */
    int32_t corner; /* -1: the start */
    int32_t slot;   /* of the table */
    uint8_t turns;  /* TURN_... that were followed */
    bool beaten;    /* a shorter way to the corner was found since */
} root;

/* What a root sees of the portal `edge`, a half-edge of the face that is entered: the part of it between the rays to
 * `left` and `right`. A ray through an end of the portal sets its bit in `ends`. A pivot's root is itself an end of
 * the portal, the left or the right one. */
typedef struct node {
    int32_t edge, root;
    throng_point left, right;
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
    open_node *heap; /* binary, least first */
    root *roots;
    int32_t *table; /* from corners to roots: open addressing, -1 where free; a power of two */
    int32_t node_count, heap_count, root_count;
    int32_t node_room, heap_room, root_room, table_size;

    node best; /* of what the present expansion has found; kept out of the heap, for it is expanded next as a rule */
    double best_length;
};

static double cross(double ax, double ay, double bx, double by) { return ax * by - ay * bx; }

/* --- open nodes --- */

/* Ties go to the newer node, which is nearer to the goal as a rule. */
static bool before(open_node a, open_node b) { return a.length != b.length ? a.length < b.length : a.node > b.node; }

static void push(throng_path_search *s, const node *n, double length)
{
    if (!throng_array_reserve((void **)&s->nodes, &s->node_room, (int64_t)s->node_count + 1, sizeof *n) ||
        !throng_array_reserve((void **)&s->heap, &s->heap_room, (int64_t)s->heap_count + 1, sizeof *s->heap)) {
        s->state = THRONG_PATH_FAILED;
        return;
    }
    open_node entry = {length, s->node_count};
    s->nodes[s->node_count++] = *n;
    int32_t at = s->heap_count++;
    while (at > 0 && before(entry, s->heap[(at - 1) / 2])) {
        s->heap[at] = s->heap[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    s->heap[at] = entry;
}

static node pop(throng_path_search *s)
{
    open_node top = s->heap[0], last = s->heap[--s->heap_count];
    int32_t at = 0, child;
    while ((child = 2 * at + 1) < s->heap_count) {
        child += child + 1 < s->heap_count && before(s->heap[child + 1], s->heap[child]);
        if (!before(s->heap[child], last))
            break;
        s->heap[at] = s->heap[child];
        at = child;
    }
    s->heap[at] = last;
    return s->nodes[top.node];
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

/* The walls at the corner lie on the side that the way from `from` bends to: it is tangent there. */
static bool is_tangent(const throng_path_corner *c, throng_point from, throng_point at, int turn)
{
    double x = at.x - from.x, y = at.y - from.y;
    double a = cross(x, y, c->ax - at.x, c->ay - at.y), b = cross(x, y, c->bx - at.x, c->by - at.y);
    return turn == TURN_LEFT ? a >= 0 && b >= 0 : a <= 0 && b <= 0;
}

/* The root at the corner where half-edge `e` starts, for ways that come from root `from` and turn there; -1 when
 * none do: no corner, not tangent, or there is a way there as short. */
static int32_t turn_at(throng_path_search *s, int32_t e, int32_t from, int turn)
{
    int32_t corner = s->net->sides[e].corner;
    const root *f = &s->roots[from];
    throng_point at = {s->net->sides[e].x, s->net->sides[e].y};
    if (corner < 0 || !is_tangent(&s->net->corners[corner], f->at, at, turn))
        return -1;
    double length = f->length + throng_distance(f->at, at);
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
    return add_root(s, (root){at, length, from, corner, 0, (uint8_t)turn, false});
}

/* --- the estimate --- */

static throng_point corner_of(const throng_path_search *s, int32_t e)
{
    return (throng_point){s->net->sides[e].x, s->net->sides[e].y};
}

/* Where the ray from `from` to `to` meets the line through a and b, kept between them. */
static throng_point meet(throng_point from, throng_point to, throng_point a, throng_point b)
{
    double x = to.x - from.x, y = to.y - from.y;
    double at_a = cross(x, y, a.x - from.x, a.y - from.y), at_b = cross(x, y, b.x - from.x, b.y - from.y);
    double t = at_a / (at_a - at_b);
    return t > 0 ? throng_between(a, b, t < 1 ? t : 1) : a;
}

/* The goal, or its mirror image where it lies on this side of the portal right -> left. */
static throng_point goal_beyond(throng_point goal, throng_point right, throng_point left)
{
    double x = left.x - right.x, y = left.y - right.y;
    double side = cross(x, y, goal.x - right.x, goal.y - right.y);
    if (side <= 0)
        return goal;
    double k = 2 * side / (x * x + y * y);
    return (throng_point){goal.x + k * y, goal.y - k * x};
}

/* m: the least there can be from the node's root through its interval to the goal; `bend` is where that way bends. */
static double remaining(const throng_path_search *s, const node *n, throng_point left, throng_point right,
                        throng_point *bend)
{
    throng_point r = s->roots[n->root].at, goal = goal_beyond(s->to, right, left);
    double x = goal.x - r.x, y = goal.y - r.y;
    *bend = r;
    if (n->pivot)
        return sqrt(x * x + y * y);
    if (cross(n->left.x - r.x, n->left.y - r.y, x, y) > 0)
        *bend = n->ends & TURN_LEFT ? left : meet(r, n->left, right, left);
    else if (cross(n->right.x - r.x, n->right.y - r.y, x, y) < 0)
        *bend = n->ends & TURN_RIGHT ? right : meet(r, n->right, right, left);
    else
        return sqrt(x * x + y * y);
    return throng_distance(r, *bend) + throng_distance(*bend, goal);
}

/* --- expansion --- */

/* True when the face behind is a dead end without the goal. */
static bool leads_astray(const throng_path_search *s, int32_t branch)
{
    return branch >= 0 && (s->to_number < s->net->branch_first[branch] || s->to_number > s->net->branch_last[branch]);
}

/* Notes what the root sees of side `e` of the face, from p (its start, on the right) to q. */
static void find(throng_path_search *s, int32_t e, throng_point p, throng_point q, node n)
{
    throng_point bend;
    if (leads_astray(s, s->net->sides[e].branch))
        return;
    n.edge = s->net->sides[e].twin;
    double length = s->roots[n.root].length + remaining(s, &n, q, p, &bend);
    if (length < s->best_length) {
        if (isfinite(s->best_length))
            push(s, &s->best, s->best_length);
        s->best = n;
        s->best_length = length;
    } else {
        push(s, &n, length);
    }
}

static int32_t side_after(const throng_navmesh *mesh, int32_t face, int32_t e)
{
    return e + 1 == mesh->face_start[face + 1] ? mesh->face_start[face] : e + 1;
}

/* A pivot's root is a corner of the face and sees all of it; the side that it is an end of takes it round the corner
 * once more. */
static void expand_pivot(throng_path_search *s, const node *n, int32_t face)
{
    int32_t first = side_after(s->mesh, face, n->edge), e = first;
    while (e != n->edge) {
        int32_t next = side_after(s->mesh, face, e);
        throng_point p = corner_of(s, e), q = corner_of(s, next);
        bool again = n->pivot == TURN_RIGHT ? e == first : next == n->edge;
        if (s->net->sides[e].twin >= 0)
            find(s, e, p, q, (node){0, n->root, q, p, TURN_LEFT | TURN_RIGHT, again ? n->pivot : 0});
        e = next;
    }
}

/* A cone that enters a face, with what ways round its ends start from: roots that are asked for when something lies
 * beside the cone (the next face may show more of it), -1 where ways do not bend. */
typedef struct cone {
    const node *node;
    int32_t first; /* the side at its right end */
    throng_point root;
    double left_x, left_y, right_x, right_y; /* directions of the rays */
    int32_t left_root, right_root;
} cone;

enum { NOT_ASKED = -2 };

static double from_left(const cone *c, throng_point p)
{
    return cross(c->left_x, c->left_y, p.x - c->root.x, p.y - c->root.y);
}

static double from_right(const cone *c, throng_point p)
{
    return cross(c->right_x, c->right_y, p.x - c->root.x, p.y - c->root.y);
}

/* A point of the same ray, beyond the portal. */
static throng_point ahead(throng_point root, throng_point on_ray)
{
    return (throng_point){2 * on_ray.x - root.x, 2 * on_ray.y - root.y};
}

static void find_right(throng_path_search *s, cone *c, int32_t e, throng_point p, throng_point q, bool whole)
{
    if (c->right_root == NOT_ASKED)
        c->right_root = turn_at(s, c->first, c->node->root, TURN_RIGHT);
    if (c->right_root >= 0)
        find(s, e, p, q,
             (node){0, c->right_root, whole ? q : ahead(c->root, c->node->right), p,
                    whole ? TURN_LEFT | TURN_RIGHT : TURN_RIGHT, e == c->first ? TURN_RIGHT : 0});
}

static void find_left(throng_path_search *s, cone *c, int32_t e, throng_point p, throng_point q, bool whole, bool last)
{
    if (c->left_root == NOT_ASKED)
        c->left_root = turn_at(s, c->node->edge, c->node->root, TURN_LEFT);
    if (c->left_root >= 0)
        find(s, e, p, q,
             (node){0, c->left_root, q, whole ? p : ahead(c->root, c->node->left),
                    whole ? TURN_LEFT | TURN_RIGHT : TURN_LEFT, last ? TURN_LEFT : 0});
}

/* Sides of the face from its entrance's right end round to the left: those right of the cone are reached by bending
 * at its right end (when that is a corner), those in it are seen, those left of it are reached round its left end. A
 * side along a ray is seen, if from nowhere in it: ways run along it to the corner where it starts. */
static void expand_cone(throng_path_search *s, const node *n, int32_t face)
{
    int32_t e = side_after(s->mesh, face, n->edge);
    throng_point r = s->roots[n->root].at, p = corner_of(s, e);
    cone c = {n,
              e,
              r,
              n->left.x - r.x,
              n->left.y - r.y,
              n->right.x - r.x,
              n->right.y - r.y,
              n->ends & TURN_LEFT ? NOT_ASKED : -1,
              n->ends & TURN_RIGHT ? NOT_ASKED : -1};
    double p_left = from_left(&c, p), p_right = from_right(&c, p);
    while (e != n->edge) {
        int32_t next = side_after(s->mesh, face, e);
        throng_point q = corner_of(s, next);
        double q_left = from_left(&c, q), q_right = from_right(&c, q);
        if (s->net->sides[e].twin >= 0) {
            bool on_ray = (p_right == 0 && q_right == 0) || (p_left == 0 && q_left == 0);
            if (on_ray)
                find(s, e, p, q, (node){0, n->root, q, p, TURN_LEFT | TURN_RIGHT, 0});
            if (c.right_root != -1 && !on_ray && (p_right < 0 || q_right <= 0))
                find_right(s, &c, e, p, q, q_right <= 0);
            if (q_right > 0 && p_left < 0 && !on_ray) {
                bool to_q = q_left <= 0, from_p = p_right >= 0;
                find(s, e, p, q,
                     (node){0, n->root, to_q ? q : n->left, from_p ? p : n->right,
                            (to_q ? TURN_LEFT : 0) | (from_p ? TURN_RIGHT : 0), 0});
            }
            if (c.left_root != -1 && !on_ray && (q_left > 0 || p_left >= 0))
                find_left(s, &c, e, p, q, p_left >= 0, next == n->edge);
        }
        e = next;
        p = q;
        p_left = q_left;
        p_right = q_right;
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
    throng_point bend;
    int32_t next = side_after(s->mesh, s->to_face, n->edge);
    remaining(s, n, corner_of(s, n->edge), corner_of(s, next), &bend);
    finish(s, n->root, bend);
}

/* --- the search --- */

static void keep_best(throng_path_search *s)
{
    if (s->best_length < INFINITY)
        push(s, &s->best, s->best_length);
}

/* Expands the node, then the best of what it leads to, and so on while that is the best of all. */
static void expand(throng_path_search *s, node n, int32_t *expansions)
{
    for (;;) {
        int32_t face = s->mesh->face[n.edge];
        if (face == s->to_face) {
            finish_with(s, &n);
            return;
        }
        s->best_length = INFINITY;
        --*expansions;
        if (n.pivot)
            expand_pivot(s, &n, face);
        else
            expand_cone(s, &n, face);
        if (*expansions == 0 || !(s->best_length < INFINITY) ||
            s->best_length > (s->heap_count > 0 ? fmin(s->heap[0].length, s->longest) : s->longest))
            break;
        n = s->best;
    }
    keep_best(s);
}

throng_path_state throng_path_search_step(throng_path_search *s, int32_t *expansions)
{
    while (s->state == THRONG_PATH_OPEN && *expansions > 0) {
        if (s->heap_count == 0 || s->heap[0].length > s->longest) {
            s->state = THRONG_PATH_NONE;
            break;
        }
        node n = pop(s);
        if (!s->roots[n.root].beaten)
            expand(s, n, expansions);
    }
    return s->state;
}

/* Every side of the face is seen from the start, except those whose neighbour holds the start as well. */
static void begin_in(throng_path_search *s, int32_t face)
{
    for (int32_t e = s->mesh->face_start[face]; e < s->mesh->face_start[face + 1]; e++) {
        int32_t twin = s->net->sides[e].twin;
        if (twin < 0 || throng_face_holds(s->mesh, s->mesh->face[twin], s->from))
            continue;
        throng_point p = corner_of(s, e), q = corner_of(s, side_after(s->mesh, face, e));
        find(s, e, p, q, (node){0, 0, q, p, TURN_LEFT | TURN_RIGHT, 0});
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
    s->best_length = INFINITY;
    if (!joined || add_root(s, (root){s->from, 0, -1, -1, -1, 0, false}) < 0)
        return;
    for (int32_t i = 0; i < count; i++)
        begin_in(s, faces[i]);
    keep_best(s);
}

static void forget(throng_path_search *s)
{
    for (int32_t i = 0; i < s->root_count; i++)
        if (s->roots[i].corner >= 0)
            s->table[s->roots[i].slot] = -1;
    s->node_count = s->heap_count = s->root_count = 0;
    s->path.count = 0;
    s->path.length = 0;
}

void throng_path_search_begin(throng_path_search *s, const throng_navmesh *mesh, throng_point from, throng_point to)
{
    int32_t faces[FACES_AT_A_POINT];
    forget(s);
    s->mesh = mesh;
    s->net = mesh->net;
    s->from = from;
    s->to = to;
    s->longest = INFINITY;
    s->state = THRONG_PATH_OPEN; /* with nothing open there is no way */
    if (throng_navmesh_faces_at(mesh, to, faces, 1) == 0)
        return;
    s->to_face = faces[0];
    s->to_number = s->net->branch_first[s->to_face];
    begin_from(s, faces, throng_navmesh_faces_at(mesh, from, faces, FACES_AT_A_POINT));
}

void throng_path_search_begin_straight(throng_path_search *s, const throng_navmesh *mesh, throng_point from,
                                       throng_point to)
{
    throng_path_search_begin(s, mesh, from, to);
    s->longest = throng_distance(from, to) * (1 + 1e-12);
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
