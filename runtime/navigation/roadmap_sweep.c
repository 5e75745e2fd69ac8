#include "roadmap_sweep.h"

#include <stdlib.h>

#include "map/geometry.h"

/* A corner as seen from the eye. */
typedef struct sighting {
    double angle; /* grows with the angle, from 0 to 4; right to about 1e-15 */
    int32_t corner;
} sighting;

/* The sides that cross the sweeping ray, nearest first: a treap. Sides are named by the corner they start at. */
struct throng_sweep {
    const throng_outline *outline;
    throng_point eye;
    sighting *order;       /* [count] corners by angle around the eye, nearest first */
    int32_t *left, *right; /* [count] the treap's children, -1: none */
    uint32_t *priority;    /* [count] */
    int32_t root;
};

static throng_point start_of(const throng_sweep *s, int32_t side) { return s->outline->at[side]; }
static throng_point end_of(const throng_sweep *s, int32_t side) { return s->outline->at[s->outline->next[side]]; }

static int sign(double value) { return (value > 0) - (value < 0); }

/* Do two sides that some ray crosses both come in this order? They do not cross each other: one lies on one side of
 * the other's line. */
static bool nearer(const throng_sweep *s, int32_t a, int32_t b)
{
    throng_point p = start_of(s, a), q = end_of(s, a), u = start_of(s, b), v = end_of(s, b);
    int at_p = sign(throng_turn(u, v, p)), at_q = sign(throng_turn(u, v, q)), eye = sign(throng_turn(u, v, s->eye));
    if (at_p * at_q >= 0 && (at_p || at_q))
        return (at_p ? at_p : at_q) == eye;
    int at_u = sign(throng_turn(p, q, u)), at_v = sign(throng_turn(p, q, v));
    return (at_u ? at_u : at_v) != sign(throng_turn(p, q, s->eye));
}

/* --- the treap --- */

/* Parts the sides below `root` into those before `side` and those behind. */
static void split(throng_sweep *s, int32_t root, int32_t side, int32_t *before, int32_t *behind)
{
    if (root < 0) {
        *before = *behind = -1;
    } else if (nearer(s, root, side)) {
        split(s, s->right[root], side, &s->right[root], behind);
        *before = root;
    } else {
        split(s, s->left[root], side, before, &s->left[root]);
        *behind = root;
    }
}

static int32_t merge(throng_sweep *s, int32_t before, int32_t behind)
{
    if (before < 0 || behind < 0)
        return before < 0 ? behind : before;
    if (s->priority[before] > s->priority[behind]) {
        s->right[before] = merge(s, s->right[before], behind);
        return before;
    }
    s->left[behind] = merge(s, before, s->left[behind]);
    return behind;
}

static void insert(throng_sweep *s, int32_t side)
{
    int32_t *at = &s->root;
    while (*at >= 0 && s->priority[*at] >= s->priority[side])
        at = nearer(s, *at, side) ? &s->right[*at] : &s->left[*at];
    int32_t below = *at;
    split(s, below, side, &s->left[side], &s->right[side]);
    *at = side;
}

static void take_out(throng_sweep *s, int32_t side)
{
    int32_t *at = &s->root;
    while (*at >= 0 && *at != side)
        at = nearer(s, *at, side) ? &s->right[*at] : &s->left[*at];
    if (*at >= 0)
        *at = merge(s, s->left[side], s->right[side]);
}

static int32_t nearest(const throng_sweep *s)
{
    int32_t at = s->root;
    while (at >= 0 && s->left[at] >= 0)
        at = s->left[at];
    return at;
}

/* --- the sweep --- */

/* Angles start at the direction of +x, which belongs to the first half turn. */
static bool in_second_half(throng_point eye, throng_point p) { return p.y < eye.y || (p.y == eye.y && p.x < eye.x); }

static int compare_angles(throng_point eye, throng_point p, throng_point q)
{
    bool p_late = in_second_half(eye, p), q_late = in_second_half(eye, q);
    if (p_late != q_late)
        return p_late ? 1 : -1;
    return -sign(throng_turn(eye, p, q));
}

/* The exact comparison only where the rough one cannot tell: sorting is most of the sweep. */
static int by_angle(const void *a, const void *b, void *sweep)
{
    const throng_sweep *s = sweep;
    const sighting *i = a, *k = b;
    if (fabs(i->angle - k->angle) > 1e-12)
        return i->angle < k->angle ? -1 : 1;
    throng_point p = s->outline->at[i->corner], q = s->outline->at[k->corner];
    int order = compare_angles(s->eye, p, q);
    order = order ? order : sign(throng_distance(s->eye, p) - throng_distance(s->eye, q));
    return order ? order : (i->corner > k->corner) - (i->corner < k->corner);
}

static double rough_angle(throng_point eye, throng_point p)
{
    double x = p.x - eye.x, y = p.y - eye.y, along = x / (fabs(x) + fabs(y));
    return in_second_half(eye, p) ? 3 + along : 1 - along;
}

/* Returns how many corners there are around the eye. */
static int32_t sort_corners(throng_sweep *s)
{
    const throng_outline *o = s->outline;
    int32_t count = 0;
    for (int32_t i = 0; i < o->count; i++)
        if (o->at[i].x != s->eye.x || o->at[i].y != s->eye.y)
            s->order[count++] = (sighting){rough_angle(s->eye, o->at[i]), i};
    qsort_r(s->order, (size_t)count, sizeof *s->order, by_angle, s);
    return count;
}

/* +1: the ray meets the side's start first, -1: its end; 0: the side points at the eye, or is the eye's own. */
static int direction(const throng_sweep *s, int32_t side)
{
    return sign(throng_turn(s->eye, start_of(s, side), end_of(s, side)));
}

/* Sides that the first ray crosses strictly between their ends. */
static void insert_first(throng_sweep *s)
{
    for (int32_t side = 0; side < s->outline->count; side++) {
        int way = direction(s, side);
        throng_point first = way > 0 ? start_of(s, side) : end_of(s, side);
        throng_point last = way > 0 ? end_of(s, side) : start_of(s, side);
        if (way && compare_angles(s->eye, first, last) > 0 && !(last.y == s->eye.y && last.x > s->eye.x))
            insert(s, side);
    }
}

/* The two sides at a corner: `enter` says whether to take those that begin there, or those that end. */
static void pass_corner(throng_sweep *s, int32_t corner, bool enter)
{
    int32_t before = s->outline->previous[corner];
    int out = direction(s, corner), in = -direction(s, before);
    int wanted = enter ? 1 : -1;
    void (*change)(throng_sweep *, int32_t) = enter ? insert : take_out;
    if (in == wanted)
        change(s, before);
    if (out == wanted)
        change(s, corner);
}

/* Both neighbours of the corner on one side of the line, or on it. */
static bool is_tangent(const throng_outline *o, int32_t corner, throng_point other)
{
    double before = throng_turn(other, o->at[corner], o->at[o->previous[corner]]);
    double after = throng_turn(other, o->at[corner], o->at[o->next[corner]]);
    return sign(before) * sign(after) >= 0;
}

bool throng_outline_is_reflex(const throng_outline *o, int32_t corner)
{
    return throng_turn(o->at[o->previous[corner]], o->at[corner], o->at[o->next[corner]]) < 0;
}

/* Is the corner before the nearest side on its ray? */
static bool is_seen(const throng_sweep *s, int32_t from, int32_t corner)
{
    const throng_outline *o = s->outline;
    if (!throng_outline_is_reflex(o, corner) || !is_tangent(o, corner, s->eye) || !is_tangent(o, from, o->at[corner]))
        return false;
    int32_t side = nearest(s);
    return side < 0 || sign(throng_turn(start_of(s, side), end_of(s, side), o->at[corner])) *
                               sign(throng_turn(start_of(s, side), end_of(s, side), s->eye)) >=
                           0;
}

/* The end of the run of corners in the direction of the one at `first`. */
static int32_t end_of_direction(const throng_sweep *s, int32_t first, int32_t count)
{
    const throng_point *at = s->outline->at;
    int32_t end = first + 1;
    while (end < count && s->order[end].angle - s->order[first].angle < 1e-12 &&
           compare_angles(s->eye, at[s->order[first].corner], at[s->order[end].corner]) == 0)
        end++;
    return end;
}

int32_t throng_sweep_around(throng_sweep *s, int32_t from, int32_t *seen)
{
    int32_t count = 0;
    s->eye = s->outline->at[from];
    s->root = -1;
    int32_t others = sort_corners(s);
    insert_first(s);
    for (int32_t i = 0, end; i < others; i = end) {
        end = end_of_direction(s, i, others);
        for (int32_t k = i; k < end; k++)
            pass_corner(s, s->order[k].corner, false);
        if (is_seen(s, from, s->order[i].corner))
            seen[count++] = s->order[i].corner;
        for (int32_t k = i; k < end; k++)
            pass_corner(s, s->order[k].corner, true);
    }
    return count;
}

throng_sweep *throng_sweep_create(const throng_outline *outline)
{
    size_t n = (size_t)outline->count + 1;
    throng_sweep *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    s->outline = outline;
    s->order = malloc(n * sizeof *s->order);
    s->left = malloc(n * sizeof *s->left);
    s->right = malloc(n * sizeof *s->right);
    s->priority = malloc(n * sizeof *s->priority);
    if (!s->order || !s->left || !s->right || !s->priority) {
        throng_sweep_destroy(s);
        return NULL;
    }
    uint32_t mixed = 1;
    for (int32_t i = 0; i < outline->count; i++)
        s->priority[i] = mixed = mixed * 1664525u + 1013904223u;
    return s;
}

void throng_sweep_destroy(throng_sweep *s)
{
    if (!s)
        return;
    free(s->order);
    free(s->left);
    free(s->right);
    free(s->priority);
    free(s);
}
