/* The lower envelope of windows over a portal. */
#include <math.h>

#include "base/array.h"
#include "map/geometry.h"
#include "path_map_search.h"

static const double HAIR = 1e-9;  /* m: paths that differ by less are equal, and the older window stays */
static const double THIN = 1e-10; /* m: narrower windows are left out */
enum { PIECES = 16, RIGHT = THRONG_WINDOW_RIGHT, LEFT = THRONG_WINDOW_LEFT };

static const throng_path_portal *portal_of(const throng_path_map_search *s, const throng_window *w)
{
    return &s->net->portals[w->portal];
}

throng_point throng_window_at(const throng_path_map_search *s, const throng_window *w, double t)
{
    const throng_path_portal *p = portal_of(s, w);
    return t <= 0 ? p->end : t >= 1 ? p->start : throng_between(p->end, p->start, t);
}

static bool is_side(const throng_window_root *r) { return r->normal.x != 0 || r->normal.y != 0; }

/* m: the path from the point `t` of the window's portal. */
static double length_at(const throng_path_map_search *s, const throng_window *w, double t)
{
    const throng_window_root *r = &s->roots[w->root];
    throng_point p = throng_window_at(s, w, t);
    double x = p.x - r->a.x, y = p.y - r->a.y;
    return r->rest + w->delay + (is_side(r) ? x * r->normal.x + y * r->normal.y : sqrt(x * x + y * y));
}

/* --- open windows --- */

/* m: the shortest path from the window. */
static double least_length(const throng_path_map_search *s, const throng_window *w)
{
    const throng_window_root *r = &s->roots[w->root];
    throng_point at[] = {throng_window_at(s, w, w->t[RIGHT]), throng_window_at(s, w, w->t[LEFT])};
    if (r->normal.x == 0 && r->normal.y == 0)
        return r->rest + w->delay + throng_segment_distance(at[0], at[1], r->a);
    return fmin(length_at(s, w, w->t[RIGHT]), length_at(s, w, w->t[LEFT]));
}

static void open_window(throng_path_map_search *s, int32_t window)
{
    if (!throng_heap_push(&s->open, least_length(s, &s->windows[window]), window))
        s->failed = true;
}

void throng_window_note(throng_path_map_search *s, int32_t window)
{
    if (throng_array_reserve((void **)&s->order, &s->order_room, (int64_t)s->settled + 1, sizeof *s->order))
        s->order[s->settled++] = window;
    else
        s->failed = true;
}

/* --- where two windows are equal --- */

/* Lengths along the portal: base + sqrt(q0 + q1 t + q2 t^2), or base + slope t for sides. */
typedef struct course {
    bool straight;
    double base, slope, q0, q1, q2;
} course;

static course course_of(const throng_path_map_search *s, const throng_window *w)
{
    const throng_window_root *r = &s->roots[w->root];
    throng_point p = portal_of(s, w)->end, q = portal_of(s, w)->start;
    double x = p.x - r->a.x, y = p.y - r->a.y, u = q.x - p.x, v = q.y - p.y, base = r->rest + w->delay;
    if (is_side(r))
        return (course){true, base + x * r->normal.x + y * r->normal.y, u * r->normal.x + v * r->normal.y, 0, 0, 0};
    return (course){false, base, 0, x * x + y * y, 2 * (x * u + y * v), u * u + v * v};
}

/* The roots of a t^2 + b t + c = 0, in order; where it comes nearest to 0 when rounding may have kept it from that. */
static int quadratic(double a, double b, double c, double *t)
{
    double q = -0.5 * (b + copysign(sqrt(fmax(b * b - 4 * a * c, 0)), b));
    int count = 0;
    if (a != 0)
        t[count++] = q / a;
    if (q != 0)
        t[count++] = c / q;
    if (count == 2 && t[0] > t[1]) {
        double swapped = t[0];
        t[0] = t[1];
        t[1] = swapped;
    }
    return count;
}

/* Where lengths may be equal: all such places, and perhaps others. */
static int crossings(course f, course g, double *t)
{
    if (f.straight && g.straight)
        return quadratic(0, f.slope - g.slope, f.base - g.base, t);
    if (f.straight || g.straight) {
        course line = f.straight ? f : g, curve = f.straight ? g : f;
        double k = line.base - curve.base;
        return quadratic(curve.q2 - line.slope * line.slope, curve.q1 - 2 * k * line.slope, curve.q0 - k * k, t);
    }
    double k = g.base - f.base, m = f.q1 - g.q1, c = f.q0 - g.q0 - k * k; /* m t + c = 2 k sqrt(g's) */
    if (k == 0)
        return quadratic(0, m, c, t);
    return quadratic(m * m - 4 * k * k * g.q2, 2 * m * c - 4 * k * k * g.q1, c * c - 4 * k * k * g.q0, t);
}

/* --- cutting --- */

/* Takes [from, to] away on one side: the ray there no longer passes the portal's end. */
static void bound(const throng_path_map_search *s, throng_window *w, int side, double t)
{
    const throng_window_root *r = &s->roots[w->root];
    w->t[side] = t;
    w->ends &= (uint8_t) ~(1 << side);
    throng_point at = throng_window_at(s, w, t);
    if (!is_side(r) && (at.x != r->a.x || at.y != r->a.y))
        w->rays[side] = (throng_point){at.x - r->a.x, at.y - r->a.y};
}

/* Not where paths may bend at its end. */
static bool is_thin(const throng_path_map_search *s, const throng_window *w)
{
    const throng_path_portal *p = portal_of(s, w);
    return !w->ends && (w->t[1] - w->t[0]) * throng_distance(p->start, p->end) < THIN;
}

bool throng_window_is_pivot(const throng_path_map_search *s, const throng_window *w)
{
    const throng_window_root *r = &s->roots[w->root];
    const throng_path_portal *p = portal_of(s, w);
    return !is_side(r) &&
           ((r->a.x == p->start.x && r->a.y == p->start.y) || (r->a.x == p->end.x && r->a.y == p->end.y));
}

/* What is left of a window, in order of t. */
typedef struct pieces {
    throng_window piece[PIECES];
    int count;
} pieces;

/* Takes [from, to] away from piece i, which holds it; false when there is no room for what is left. */
static bool cut(const throng_path_map_search *s, pieces *all, int i, double from, double to)
{
    throng_window below = all->piece[i], above = below;
    bool has_below = from > below.t[0], has_above = to < above.t[1];
    if (has_below && has_above && all->count == PIECES)
        return false;
    if (has_below)
        bound(s, &below, THRONG_WINDOW_LEFT, from);
    if (has_above)
        bound(s, &above, THRONG_WINDOW_RIGHT, to);
    has_below = has_below && !is_thin(s, &below);
    has_above = has_above && !is_thin(s, &above);
    int left = has_below + has_above;
    for (int k = all->count - 1; k > i && left == 2; k--)
        all->piece[k + 1] = all->piece[k];
    for (int k = i + 1; k < all->count && left == 0; k++)
        all->piece[k - 1] = all->piece[k];
    all->count += left - 1;
    if (has_below)
        all->piece[i++] = below;
    if (has_above)
        all->piece[i] = above;
    return true;
}

/* Takes [from, to] away from all pieces. */
static void cut_all(const throng_path_map_search *s, pieces *all, double from, double to)
{
    for (int i = all->count - 1; i >= 0; i--) {
        double low = fmax(from, all->piece[i].t[0]), high = fmin(to, all->piece[i].t[1]);
        if (low < high && !cut(s, all, i, low, high))
            return;
    }
}

/* --- adding --- */

static int32_t append(throng_path_map_search *s, const throng_window *w)
{
    if (!throng_array_reserve((void **)&s->windows, &s->window_room, (int64_t)s->window_count + 1, sizeof *w)) {
        s->failed = true;
        return -1;
    }
    int32_t at = s->window_count++;
    s->windows[at] = *w;
    s->windows[at].sibling = s->first[w->portal];
    s->first[w->portal] = at;
    return at;
}

/* Puts what is left of window `at` in its place. What was seen on through it stays. */
static void shrink(throng_path_map_search *s, int32_t at, const pieces *left)
{
    bool settled = s->windows[at].settled;
    int32_t sibling = s->windows[at].sibling;
    s->windows[at].dead = left->count == 0;
    for (int i = 0; i < left->count && !s->failed; i++) {
        int32_t k = i == 0 ? at : append(s, &left->piece[i]);
        if (i == 0) {
            s->windows[at] = left->piece[0];
            s->windows[at].sibling = sibling;
        }
        if (k >= 0 && !settled)
            open_window(s, k);
        else if (i > 0)
            throng_window_note(s, k);
    }
}

/* Cuts the pieces of a new window and an older one of the portal, each where the other is better. A pivot that was not
 * seen on through yet is not cut: though others are better on all of the portal but its corner, paths turn round that.
 */
static void compare(throng_path_map_search *s, const throng_window *w, pieces *left, int32_t other)
{
    throng_window old = s->windows[other];
    double low = fmax(w->t[0], old.t[0]), high = fmin(w->t[1], old.t[1]), t[4] = {low};
    if (!(low < high))
        return;
    double at[2];
    int count = 1, found = crossings(course_of(s, w), course_of(s, &old), at);
    for (int i = 0; i < found; i++)
        if (at[i] > t[count - 1] && at[i] < high)
            t[count++] = at[i];
    t[count] = high;
    pieces olds;
    olds.piece[0] = old;
    olds.count = 1;
    bool pivot = throng_window_is_pivot(s, w), fixed = !old.settled && throng_window_is_pivot(s, &old), keeps = true;
    for (int i = 0; i < count; i++) {
        double middle = 0.5 * (t[i] + t[i + 1]);
        double better = length_at(s, &old, middle) - length_at(s, w, middle);
        if (better > HAIR && !fixed) {
            cut_all(s, &olds, t[i], t[i + 1]);
            keeps = false;
        } else if (better <= HAIR && !pivot) {
            cut_all(s, left, t[i], t[i + 1]);
        }
    }
    if (!keeps)
        shrink(s, other, &olds);
}

void throng_window_add(throng_path_map_search *s, const throng_window *w)
{
    pieces left;
    left.piece[0] = *w;
    left.count = 1;
    for (int32_t i = s->first[w->portal], next; i >= 0 && left.count > 0 && !s->failed; i = next) {
        next = s->windows[i].sibling;
        if (!s->windows[i].dead)
            compare(s, w, &left, i);
    }
    for (int i = 0; i < left.count && !s->failed; i++) {
        int32_t at = append(s, &left.piece[i]);
        if (at >= 0)
            open_window(s, at);
    }
}
