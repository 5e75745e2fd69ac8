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
    double ahead;   /* m straight to the goal */
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
    open_node *heap; /* binary, least first */
    root *roots;
    int32_t *table; /* from corners to roots: open addressing, -1 where free; a power of two */
    int32_t node_count, heap_count, root_count;
    int32_t node_room, heap_room, root_room, table_size;
    int32_t next; /* the node to expand next, -1: the best of the open ones */
};

static double cross(double ax, double ay, double bx, double by) { return ax * by - ay * bx; }

/* --- open nodes --- */

/* Ties go to the newer node, which is nearer to the goal as a rule. */
static bool before(open_node a, open_node b) { return a.length != b.length ? a.length < b.length : a.node > b.node; }

/* Room for all that an expansion may find, so that nodes stay where they are while it lasts. */
static bool reserve_nodes(throng_path_search *s)
{
    int64_t most = 2 * (int64_t)s->net->most_sides + 2;
    if (throng_array_reserve((void **)&s->nodes, &s->node_room, s->node_count + most, sizeof *s->nodes) &&
        throng_array_reserve((void **)&s->heap, &s->heap_room, s->heap_count + most, sizeof *s->heap))
        return true;
    s->state = THRONG_PATH_FAILED;
    return false;
}

static void push(throng_path_search *s, int32_t n, double length)
{
    open_node entry = {length, n}, *heap = s->heap;
    int32_t at = s->heap_count++;
    while (at > 0 && before(entry, heap[(at - 1) / 2])) {
        heap[at] = heap[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    heap[at] = entry;
}

static int32_t pop(throng_path_search *s)
{
    open_node *heap = s->heap, top = heap[0], last = heap[--s->heap_count];
    int32_t at = 0, child;
    while ((child = 2 * at + 1) < s->heap_count) {
        child += child + 1 < s->heap_count && before(heap[child + 1], heap[child]);
        if (!before(heap[child], last))
            break;
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = last;
    return top.node;
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
    return add_root(s, (root){at, length, throng_distance(at, s->to), from, corner, 0, (uint8_t)turn, false});
}

/* --- the estimate --- */

static throng_point corner_of(const throng_path_search *s, int32_t e)
{
    return (throng_point){s->net->sides[e].x, s->net->sides[e].y};
}

static int32_t side_after(const throng_navmesh *mesh, int32_t face, int32_t e)
{
    return e + 1 == mesh->face_start[face + 1] ? mesh->face_start[face] : e + 1;
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

/* m: the least that a way through the node can measure; `bend` is where it bends last. */
static double least_length(const throng_path_search *s, const node *n, throng_point *bend)
{
    const root *r = &s->roots[n->root];
    throng_point left = corner_of(s, n->edge), right = corner_of(s, side_after(s->mesh, n->face, n->edge));
    throng_point goal = goal_beyond(s->to, right, left);
    double x = goal.x - r->at.x, y = goal.y - r->at.y;
    *bend = r->at;
    if (n->pivot)
        return r->length + r->ahead; /* the mirror image is as far */
    if (cross(n->left.x - r->at.x, n->left.y - r->at.y, x, y) > 0)
        *bend = n->ends & TURN_LEFT ? left : meet(r->at, n->left, right, left);
    else if (cross(n->right.x - r->at.x, n->right.y - r->at.y, x, y) < 0)
        *bend = n->ends & TURN_RIGHT ? right : meet(r->at, n->right, right, left);
    else
        return r->length + (goal.x == s->to.x && goal.y == s->to.y ? r->ahead : sqrt(x * x + y * y));
    return r->length + throng_distance(r->at, *bend) + throng_distance(*bend, goal);
}

/* --- expansion --- */

/* The face that is being left, and the node that sees it. Roots for ways round the cone's ends are asked for when
 * something lies beside the cone (the next face may show more of it); -1 where ways do not bend. */
typedef struct cone {
    const node *node;
    int32_t first; /* the side at its right end */
    throng_point root;
    double left_x, left_y, right_x, right_y; /* directions of the rays */
    int32_t left_root, right_root;
} cone;

enum { NOT_ASKED = -2 };

/* True when the face behind is a dead end without the goal. */
static bool leads_astray(const throng_path_search *s, int32_t branch)
{
    return branch >= 0 && (s->to_number < s->net->branch_first[branch] || s->to_number > s->net->branch_last[branch]);
}

/* A side of the face, with its start on the right and its end on the left. */
typedef struct side {
    const throng_path_side *of;
    throng_point right, left;
} side;

/* Notes what the root sees of the side, between its ends or rays through `left` and `right`. */
static void find(throng_path_search *s, const side *e, int32_t root, throng_point left, throng_point right, int ends,
                 int pivot)
{
    if (leads_astray(s, e->of->branch))
        return;
    node *n = &s->nodes[s->node_count++];
    n->edge = e->of->twin;
    n->face = e->of->beyond;
    n->root = root;
    n->left = left;
    n->right = right;
    n->ends = (uint8_t)ends;
    n->pivot = (uint8_t)pivot;
}

/* A pivot's root is a corner of the face and sees all of it; the side that it is an end of takes it round the corner
 * once more. */
static void expand_pivot(throng_path_search *s, const node *n)
{
    int32_t first = side_after(s->mesh, n->face, n->edge), e = first;
    while (e != n->edge) {
        int32_t next = side_after(s->mesh, n->face, e);
        side to = {&s->net->sides[e], corner_of(s, e), corner_of(s, next)};
        bool again = n->pivot == TURN_RIGHT ? e == first : next == n->edge;
        if (to.of->twin >= 0)
            find(s, &to, n->root, to.left, to.right, TURN_LEFT | TURN_RIGHT, again ? n->pivot : 0);
        e = next;
    }
}

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

static void find_right(throng_path_search *s, cone *c, const side *e, bool whole)
{
    if (c->right_root == NOT_ASKED)
        c->right_root = turn_at(s, c->first, c->node->root, TURN_RIGHT);
    if (c->right_root < 0)
        return;
    throng_point left = whole ? e->left : ahead(c->root, c->node->right);
    bool first = e->of == &s->net->sides[c->first];
    find(s, e, c->right_root, left, e->right, whole ? TURN_LEFT | TURN_RIGHT : TURN_RIGHT, first ? TURN_RIGHT : 0);
}

static void find_left(throng_path_search *s, cone *c, const side *e, bool whole, bool last)
{
    if (c->left_root == NOT_ASKED)
        c->left_root = turn_at(s, c->node->edge, c->node->root, TURN_LEFT);
    if (c->left_root < 0)
        return;
    throng_point right = whole ? e->right : ahead(c->root, c->node->left);
    find(s, e, c->left_root, e->left, right, whole ? TURN_LEFT | TURN_RIGHT : TURN_LEFT, last ? TURN_LEFT : 0);
}

static void find_ahead(throng_path_search *s, const cone *c, const side *e, bool to_left, bool to_right)
{
    find(s, e, c->node->root, to_left ? e->left : c->node->left, to_right ? e->right : c->node->right,
         (to_left ? TURN_LEFT : 0) | (to_right ? TURN_RIGHT : 0), 0);
}

static cone cone_of(const throng_path_search *s, const node *n, int32_t first)
{
    const root *r = &s->roots[n->root];
    return (cone){.node = n,
                  .first = first,
                  .root = r->at,
                  .left_x = n->left.x - r->at.x,
                  .left_y = n->left.y - r->at.y,
                  .right_x = n->right.x - r->at.x,
                  .right_y = n->right.y - r->at.y,
                  .left_root = n->ends & TURN_LEFT ? NOT_ASKED : -1,
                  .right_root = n->ends & TURN_RIGHT ? NOT_ASKED : -1};
}

/* Sides of the face from its entrance's right end round to the left: those right of the cone are reached by bending
 * at its right end (when that is a corner), those in it are seen, those left of it are reached round its left end. A
 * side along a ray is seen, if from nowhere in it: ways run along it to the corner where it starts. */
static void expand_cone(throng_path_search *s, const node *n)
{
    const throng_path_side *sides = s->net->sides;
    int32_t begin = s->mesh->face_start[n->face], end = s->mesh->face_start[n->face + 1];
    int32_t last = n->edge, e = last + 1 == end ? begin : last + 1;
    cone c = cone_of(s, n, e);
    throng_point p = corner_of(s, e);
    double p_left = from_left(&c, p), p_right = from_right(&c, p);
    while (e != last && (p_left <= 0 || c.left_root != -1)) { /* nothing is left of the cone, but round its end */
        int32_t next = e + 1 == end ? begin : e + 1;
        side to = {&sides[e], p, {sides[next].x, sides[next].y}};
        double q_left = from_left(&c, to.left), q_right = from_right(&c, to.left);
        if (to.of->twin < 0) {
        } else if ((p_right == 0 && q_right == 0) || (p_left == 0 && q_left == 0)) {
            find_ahead(s, &c, &to, true, true);
        } else {
            if (c.right_root != -1 && (p_right < 0 || q_right <= 0))
                find_right(s, &c, &to, q_right <= 0);
            if (q_right > 0 && p_left < 0)
                find_ahead(s, &c, &to, q_left <= 0, p_right >= 0);
            if (c.left_root != -1 && (q_left > 0 || p_left >= 0))
                find_left(s, &c, &to, p_left >= 0, next == last);
        }
        e = next;
        p = to.left;
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
    least_length(s, n, &bend);
    finish(s, n->root, bend);
}

/* --- the search --- */

static void open_node_at(throng_path_search *s, int32_t at)
{
    throng_point bend;
    push(s, at, least_length(s, &s->nodes[at], &bend));
}

/* Opens the nodes that were found from `first` on, but the best if it is better than all that are open: that is
 * returned, for it would be the next (-1: none is). */
static int32_t open_found(throng_path_search *s, int32_t first)
{
    int32_t best = -1;
    double best_length = INFINITY;
    for (int32_t at = first; at < s->node_count; at++) {
        throng_point bend;
        double length = least_length(s, &s->nodes[at], &bend);
        if (best < 0 || length < best_length) {
            if (best >= 0)
                push(s, best, best_length);
            best = at;
            best_length = length;
        } else {
            push(s, at, length);
        }
    }
    if (best < 0 || (best_length <= s->longest && (s->heap_count == 0 || best_length <= s->heap[0].length)))
        return best;
    push(s, best, best_length);
    return -1;
}

/* Nothing else was found than the node `first`, and its root alone tells nothing against it. */
static bool is_only(const throng_path_search *s, int32_t first)
{
    if (s->node_count != first + 1 || s->nodes[first].face == s->to_face)
        return false;
    const root *r = &s->roots[s->nodes[first].root];
    return r->length + r->ahead <= (s->heap_count > 0 ? fmin(s->heap[0].length, s->longest) : s->longest);
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

throng_path_state throng_path_search_step(throng_path_search *s, int32_t *expansions)
{
    while (s->state == THRONG_PATH_OPEN && *expansions > 0) {
        if (s->next < 0 && (s->heap_count == 0 || s->heap[0].length > s->longest)) {
            s->state = THRONG_PATH_NONE;
            break;
        }
        int32_t at = s->next < 0 ? pop(s) : s->next;
        s->next = -1;
        if (s->roots[s->nodes[at].root].beaten)
            continue;
        if (s->nodes[at].face == s->to_face) {
            finish_with(s, &s->nodes[at]);
            break;
        }
        --*expansions;
        s->next = expand(s, at);
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
        side to = {&s->net->sides[e], corner_of(s, e), corner_of(s, side_after(s->mesh, face, e))};
        find(s, &to, 0, to.left, to.right, TURN_LEFT | TURN_RIGHT, 0);
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
        for (int32_t at = first; at < s->node_count; at++)
            open_node_at(s, at);
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
