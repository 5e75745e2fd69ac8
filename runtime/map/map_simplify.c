#include "map_simplify.h"

#include <stdlib.h>
#include <string.h>

#include "base/watchdog.h"
#include "geometry.h"
#include "map_crossings.h"

/* Below this part of the tolerance halving goes straight to the traced points. */
static const double LEAST_SHARE = 0.1;

/* The traced rings, and how far each of their points may be left aside. */
typedef struct traced {
    const throng_ring_list *rings;
    double *tolerance; /* [point_count] m */
    uint8_t *corner;   /* [point_count] 1: a corner of the simple ring */
    int32_t *stack;
} traced;

/* A ring as a circle of points: indices count on past its end. */
typedef struct circle {
    const throng_point *points;
    const double *tolerance;
    uint8_t *corner;
    int32_t count;
} circle;

static circle circle_of(const traced *t, int32_t ring)
{
    int32_t start = t->rings->start[ring];
    return (circle){t->rings->points + start, t->tolerance + start, t->corner + start,
                    throng_ring_list_end(t->rings, ring) - start};
}

static throng_point point_at(const circle *c, int32_t i) { return c->points[i >= c->count ? i - c->count : i]; }

static double tolerance_at(const circle *c, int32_t i) { return c->tolerance[i >= c->count ? i - c->count : i]; }

/* The point between `from` and `to` that is farthest beyond its tolerance, or -1. */
static int32_t worst_between(const circle *c, int32_t from, int32_t to)
{
    throng_point a = point_at(c, from), b = point_at(c, to);
    int32_t worst = -1;
    double excess = 1e-9;
    for (int32_t i = from + 1; i < to; i++) {
        double over = throng_segment_distance(a, b, point_at(c, i)) - tolerance_at(c, i);
        if (over > excess) {
            excess = over;
            worst = i;
        }
    }
    return worst;
}

static void mark_corners(const circle *c, int32_t from, int32_t to, int32_t *stack)
{
    int32_t depth = 0;
    stack[depth++] = from;
    stack[depth++] = to;
    while (depth > 0) {
        int32_t b = stack[--depth], a = stack[--depth];
        int32_t worst = worst_between(c, a, b);
        c->corner[b % c->count] = 1;
        if (worst < 0)
            continue;
        stack[depth++] = worst;
        stack[depth++] = b;
        stack[depth++] = a;
        stack[depth++] = worst;
    }
}

/* Two points that are corners of any reasonable choice: the leftmost, and the farthest from it. */
static void choose_corners(const circle *c, int32_t *stack)
{
    int32_t first = 0, far = 0;
    memset(c->corner, 0, (size_t)c->count);
    for (int32_t i = 1; i < c->count; i++)
        if (c->points[i].x < c->points[first].x ||
            (c->points[i].x == c->points[first].x && c->points[i].y < c->points[first].y))
            first = i;
    for (int32_t i = 0; i < c->count; i++)
        if (throng_distance(c->points[first], c->points[i]) > throng_distance(c->points[first], c->points[far]))
            far = i;
    int32_t to = far > first ? far : far + c->count;
    mark_corners(c, first, to, stack);
    mark_corners(c, far, far > first ? first + c->count : first, stack);
}

/* A wall: the points from one corner to the next, and the line fitted to them. */
typedef struct wall {
    int32_t from, to;
    throng_point on, along; /* a point of the line and its unit direction */
} wall;

/* Least squares across the line. The corners' own neighbours are left out where enough remain: tracing
 * cut the corner there. */
static void fit_wall(const circle *c, wall *w)
{
    int32_t span = w->to - w->from, trim = span >= 8 ? 2 : span >= 4 ? 1 : 0, count = span + 1 - 2 * trim;
    throng_point mean = {0, 0};
    for (int32_t i = w->from + trim; i <= w->to - trim; i++) {
        mean.x += point_at(c, i).x / count;
        mean.y += point_at(c, i).y / count;
    }
    double xx = 0, xy = 0, yy = 0;
    for (int32_t i = w->from + trim; i <= w->to - trim; i++) {
        double x = point_at(c, i).x - mean.x, y = point_at(c, i).y - mean.y;
        xx += x * x;
        xy += x * y;
        yy += y * y;
    }
    /* the direction of the larger eigenvalue, in the form that does not cancel */
    double half = 0.5 * (xx - yy), root = sqrt(half * half + xy * xy);
    throng_point d = half > 0 ? (throng_point){half + root, xy} : (throng_point){xy, root - half};
    double length = sqrt(d.x * d.x + d.y * d.y);
    throng_point a = point_at(c, w->from), b = point_at(c, w->to);
    if (!(length > 0)) {
        d = (throng_point){b.x - a.x, b.y - a.y};
        length = sqrt(d.x * d.x + d.y * d.y);
    }
    double sign = d.x * (b.x - a.x) + d.y * (b.y - a.y) < 0 ? -1 : 1;
    w->on = mean;
    w->along = (throng_point){sign * d.x / length, sign * d.y / length};
}

static throng_point onto(const wall *w, throng_point p)
{
    double t = (p.x - w->on.x) * w->along.x + (p.y - w->on.y) * w->along.y;
    return (throng_point){w->on.x + t * w->along.x, w->on.y + t * w->along.y};
}

/* Where two walls meet, near the traced corner; the middle between both lines where they run on. */
static throng_point corner_of(const wall *before, const wall *after, throng_point traced)
{
    double sine = before->along.x * after->along.y - before->along.y * after->along.x;
    if (fabs(sine) < 0.2) {
        throng_point p = onto(before, traced), q = onto(after, traced);
        return throng_between(p, q, 0.5);
    }
    double t = ((after->on.x - before->on.x) * after->along.y - (after->on.y - before->on.y) * after->along.x) / sine;
    return (throng_point){before->on.x + t * before->along.x, before->on.y + t * before->along.y};
}

/* One ring while its corners are being placed. */
typedef struct fitting {
    circle c;
    wall *walls;
    throng_point *corners; /* corner i lies between walls i - 1 and i */
    int32_t count;
    double slack;
} fitting;

static double wall_error(const fitting *f, int32_t i, bool excess)
{
    double worst = excess ? -1 : 0;
    throng_point a = f->corners[i], b = f->corners[(i + 1) % f->count];
    for (int32_t k = f->walls[i].from; k <= f->walls[i].to; k++) {
        double off = throng_segment_distance(a, b, point_at(&f->c, k));
        worst = fmax(worst, excess ? off - tolerance_at(&f->c, k) - f->slack : off);
    }
    return worst;
}

static bool at_traced(const fitting *f, int32_t i)
{
    throng_point p = point_at(&f->c, f->walls[i].from);
    return f->corners[i].x == p.x && f->corners[i].y == p.y;
}

/* Walls that left their points too far aside get their traced corners back; that can only spread to
 * their neighbours, so it ends. */
static void hold_tolerance(fitting *f)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (int32_t i = 0; i < f->count; i++) {
            int32_t next = (i + 1) % f->count;
            if ((at_traced(f, i) && at_traced(f, next)) || wall_error(f, i, true) <= 1e-9)
                continue;
            f->corners[i] = point_at(&f->c, f->walls[i].from);
            f->corners[next] = point_at(&f->c, f->walls[next].from);
            changed = true;
        }
    }
}

static int32_t list_walls(fitting *f)
{
    f->count = 0;
    for (int32_t i = 0; i < f->c.count; i++)
        if (f->c.corner[i])
            f->walls[f->count++].from = i;
    for (int32_t i = 0; i < f->count; i++)
        f->walls[i].to = i + 1 < f->count ? f->walls[i + 1].from : f->walls[0].from + f->c.count;
    return f->count;
}

static void place_corners(fitting *f)
{
    for (int32_t i = 0; i < f->count; i++)
        fit_wall(&f->c, &f->walls[i]);
    for (int32_t i = 0; i < f->count; i++) {
        int32_t at = f->walls[i].from;
        throng_point traced = point_at(&f->c, at);
        throng_point p = corner_of(&f->walls[(i + f->count - 1) % f->count], &f->walls[i], traced);
        bool fine = throng_distance(p, traced) <= tolerance_at(&f->c, at) + f->slack;
        /* a tolerance that was halved asks for the traced points themselves */
        f->corners[i] = fine && tolerance_at(&f->c, at) > 0 ? p : traced;
    }
    hold_tolerance(f);
}

/* Simple rings, with the traced point each corner stands for. */
typedef struct simple {
    throng_ring_list rings;
    int32_t *origin; /* [rings.point_count] index into the traced points */
    double deviation;
} simple;

static bool emit_ring(fitting *f, int32_t first, simple *out)
{
    if (!throng_ring_list_begin(&out->rings))
        return false;
    for (int32_t i = 0; i < f->count; i++) {
        out->origin[out->rings.point_count] = first + f->walls[i].from;
        if (!throng_ring_list_add(&out->rings, f->corners[i]))
            return false;
        out->deviation = fmax(out->deviation, wall_error(f, i, false));
    }
    return true;
}

static bool simplify_ring(const traced *t, int32_t ring, double slack, fitting *f, simple *out)
{
    f->c = circle_of(t, ring);
    f->slack = slack;
    choose_corners(&f->c, t->stack);
    if (list_walls(f) < 3) {
        /* all of it within the tolerance of a line: too small to simplify */
        memset(f->c.corner, 1, (size_t)f->c.count);
        list_walls(f);
    }
    place_corners(f);
    return emit_ring(f, t->rings->start[ring], out);
}

static bool simplify_all(const traced *t, double slack, fitting *f, simple *out)
{
    out->rings.count = out->rings.point_count = 0;
    out->deviation = 0;
    for (int32_t r = 0; r < t->rings->count; r++)
        if (!simplify_ring(t, r, slack, f, out))
            return false;
    return true;
}

/* The traced points that the wall after simple corner `i` stands for get half their tolerance. False: they had none. */
static bool tighten_wall(traced *t, const simple *s, int32_t ring, int32_t i, double least)
{
    bool tighter = false;
    int32_t start = t->rings->start[ring], count = throng_ring_list_end(t->rings, ring) - start;
    int32_t last = throng_ring_list_end(&s->rings, ring) - 1;
    int32_t from = s->origin[i] - start;
    int32_t to = i < last ? s->origin[i + 1] - start : s->origin[s->rings.start[ring]] - start + count;
    for (int32_t k = from; k <= to; k++) {
        double *tolerance = &t->tolerance[start + k % count];
        tighter = tighter || *tolerance > 0;
        *tolerance = *tolerance > least ? 0.5 * *tolerance : 0;
    }
    return tighter;
}

static bool tighten(traced *t, const simple *s, const uint8_t *crossing, double least)
{
    bool tighter = false;
    for (int32_t r = 0; r < s->rings.count; r++)
        for (int32_t i = s->rings.start[r]; i < throng_ring_list_end(&s->rings, r); i++)
            if (crossing[i] && tighten_wall(t, s, r, i, least))
                tighter = true;
    return tighter;
}

static bool simplify_until_simple(traced *t, throng_simplify *how, fitting *f, simple *out, uint8_t *crossing)
{
    for (;;) {
        int32_t crossings;
        if (throng_given_up() || !simplify_all(t, how->slack, f, out) ||
            !throng_map_crossings(&out->rings, crossing, &crossings))
            return false;
        how->deviation = out->deviation;
        /* what meets without a tolerance met before: outlines that touch at a corner */
        if (crossings == 0 || !tighten(t, out, crossing, LEAST_SHARE * how->tolerance))
            return true;
    }
}

bool throng_map_simplify(throng_ring_list *rings, throng_simplify *how)
{
    size_t count = (size_t)rings->point_count + 1;
    traced t = {rings, malloc(count * sizeof(double)), malloc(count), malloc(4 * count * sizeof(int32_t))};
    fitting f = {.walls = malloc(count * sizeof(wall)), .corners = malloc(count * sizeof(throng_point))};
    simple out = {.origin = malloc(count * sizeof(int32_t))};
    uint8_t *crossing = malloc(count);
    bool fine = t.tolerance && t.corner && t.stack && f.walls && f.corners && out.origin && crossing;
    for (size_t i = 0; fine && i < count; i++)
        t.tolerance[i] = how->tolerance;
    fine = fine && simplify_until_simple(&t, how, &f, &out, crossing);
    free(t.tolerance);
    free(t.corner);
    free(t.stack);
    free(f.walls);
    free(f.corners);
    free(out.origin);
    free(crossing);
    if (!fine) {
        throng_ring_list_fini(&out.rings);
        return false;
    }
    throng_ring_list_fini(rings);
    *rings = out.rings;
    return true;
}
