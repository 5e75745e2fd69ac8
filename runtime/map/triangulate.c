#include "triangulate.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/watchdog.h"
#include "geometry.h"

enum { FIXED = 1, FREE_LEFT = 2, INSIDE = 4, KEPT = 8, OUTER_CORNERS = 4 };

typedef struct corner {
    int32_t x, y; /* in steps of the grid */
} corner;

typedef struct side {
    int32_t from, to;
} side;

/* Three half-edges a triangle: 3t, 3t + 1, 3t + 2, counter-clockwise. The first four corners are those of a box
 * round all others. */
typedef struct net {
    corner *corners;
    int32_t corner_count;
    int32_t *origin; /* [half-edge] the corner it starts at */
    int32_t *twin;   /* [half-edge] -1 on the box */
    uint8_t *flags;  /* [half-edge] FIXED: on a ring; FREE_LEFT: in the ring's direction; INSIDE: its triangle is */
    int32_t *out;    /* [corner] a half-edge that starts there */
    int32_t count;   /* half-edges */
    int32_t *stack;  /* half-edges to look at */
    int32_t stack_count, stack_room;
    side *crossing; /* edges that cross the side that is being made */
    int32_t crossing_count, crossing_room;
    bool failed, crossed; /* memory is out, or rings cross */
} net;

static int32_t next(int32_t e) { return e % 3 == 2 ? e - 2 : e + 1; }

static int32_t previous(int32_t e) { return e % 3 == 0 ? e + 2 : e - 1; }

static int32_t apex(const net *n, int32_t e) { return n->origin[previous(e)]; }

/* --- decisions, exact --- */

/* Positive when c is on the left of a -> b. Differences have 27 bits at most, products 54. */
static int64_t turn(const net *n, int32_t a, int32_t b, int32_t c)
{
    const corner *p = n->corners;
    return (int64_t)(p[b].x - p[a].x) * (p[c].y - p[a].y) - (int64_t)(p[b].y - p[a].y) * (p[c].x - p[a].x);
}

/* True when d lies inside the circle through the triangle a, b, c: in doubles, and where those leave doubt in 128
 * bits. */
static bool in_circle(const net *n, int32_t a, int32_t b, int32_t c, int32_t d)
{
    const corner *p = n->corners;
    int64_t ax = p[a].x - p[d].x, ay = p[a].y - p[d].y, bx = p[b].x - p[d].x, by = p[b].y - p[d].y;
    int64_t cx = p[c].x - p[d].x, cy = p[c].y - p[d].y;
    int64_t aa = ax * ax + ay * ay, bb = bx * bx + by * by, cc = cx * cx + cy * cy;
    int64_t bc = bx * cy - by * cx, ca = cx * ay - cy * ax, ab = ax * by - ay * bx;
    double u = (double)aa * (double)bc, v = (double)bb * (double)ca, w = (double)cc * (double)ab, sum = u + v + w;
    double doubt = 1e-14 * (fabs(u) + fabs(v) + fabs(w));
    if (sum > doubt || sum < -doubt)
        return sum > 0;
    return (__int128)aa * bc + (__int128)bb * ca + (__int128)cc * ab > 0;
}

/* --- flips --- */

static void push(net *n, int32_t e)
{
    if (!throng_array_reserve((void **)&n->stack, &n->stack_room, (int64_t)n->stack_count + 1, sizeof e))
        n->failed = true;
    else
        n->stack[n->stack_count++] = e;
}

static void join(net *n, int32_t e, int32_t f)
{
    n->twin[e] = f;
    if (f >= 0)
        n->twin[f] = e;
}

/* Edge a -> b between the triangles a b c and b a d becomes d -> c. */
static void flip(net *n, int32_t e)
{
    int32_t f = n->twin[e], en = next(e), fn = next(f), ep = previous(e), fp = previous(f);
    int32_t beyond_bc = n->twin[en], beyond_ad = n->twin[fn];
    uint8_t bc = n->flags[en], ad = n->flags[fn];
    n->origin[en] = n->origin[fp];
    n->origin[fn] = n->origin[ep];
    join(n, e, beyond_ad);
    join(n, f, beyond_bc);
    join(n, en, fn);
    n->flags[e] = ad;
    n->flags[f] = bc;
    n->flags[en] = n->flags[fn] = 0;
    n->out[n->origin[e]] = e;
    n->out[n->origin[f]] = f;
    n->out[n->origin[ep]] = ep;
    n->out[n->origin[fp]] = fp;
}

/* Lawson: flips edges with a corner in the circle beyond, until the stack is empty. */
static void make_delaunay(net *n)
{
    while (n->stack_count > 0 && !n->failed) {
        int32_t e = n->stack[--n->stack_count], f = n->twin[e];
        if (f < 0 || (n->flags[e] & FIXED) || !in_circle(n, n->origin[e], n->origin[f], apex(n, e), apex(n, f)))
            continue;
        flip(n, e);
        push(n, e);
        push(n, previous(e));
        push(n, f);
        push(n, previous(f));
    }
}

/* --- corners --- */

static void set_triangle(net *n, int32_t t, int32_t a, int32_t b, int32_t c)
{
    n->origin[t] = a;
    n->origin[t + 1] = b;
    n->origin[t + 2] = c;
    n->out[a] = t;
    n->out[b] = t + 1;
    n->out[c] = t + 2;
    n->flags[t] = n->flags[t + 1] = n->flags[t + 2] = 0;
}

/* The triangle (its first half-edge) that holds corner p, walking there from triangle `t`; the half-edge that p lies
 * on, or -1. */
static int32_t locate(const net *n, int32_t t, int32_t p, int32_t *on)
{
    for (;;) {
        int32_t outside = -1;
        *on = -1;
        for (int32_t e = t; e < t + 3 && outside < 0; e++) {
            int64_t side = turn(n, n->origin[e], n->origin[next(e)], p);
            outside = side < 0 ? e : outside;
            *on = side == 0 ? e : *on;
        }
        if (outside < 0)
            return t;
        t = n->twin[outside] / 3 * 3;
    }
}

/* Splits the triangle in three; where p lies on a side, one of them is flat until that side is flipped. */
static int32_t add_corner(net *n, int32_t near, int32_t p)
{
    int32_t on, t = locate(n, near, p, &on);
    int32_t a = n->origin[t], b = n->origin[t + 1], c = n->origin[t + 2];
    int32_t beyond_bc = n->twin[t + 1], beyond_ca = n->twin[t + 2], u = n->count, v = n->count + 3;
    n->count += 6;
    set_triangle(n, t, a, b, p);
    set_triangle(n, u, b, c, p);
    set_triangle(n, v, c, a, p);
    join(n, u, beyond_bc);
    join(n, v, beyond_ca);
    join(n, t + 1, u + 2);
    join(n, u + 1, v + 2);
    join(n, v + 1, t + 2);
    if (on >= 0) {
        int32_t e = on == t ? t : on == t + 1 ? u : v, f = n->twin[e];
        flip(n, e);
        push(n, e);
        push(n, f);
        push(n, previous(f));
    }
    push(n, t);
    push(n, u);
    push(n, v);
    make_delaunay(n);
    return n->out[p] / 3 * 3;
}

/* --- sides --- */

/* The half-edge from a to b, -1 when there is none. Only one of them may be a corner of the box, which no path leads
 * round. */
static int32_t edge_between(const net *n, int32_t a, int32_t b)
{
    if (a < OUTER_CORNERS) {
        int32_t back = edge_between(n, b, a);
        return back < 0 ? -1 : n->twin[back];
    }
    int32_t first = n->out[a], e = first;
    do {
        if (n->origin[next(e)] == b)
            return e;
        e = n->twin[previous(e)];
    } while (e != first);
    return -1;
}

/* From a towards b: the half-edge to the first corner on the way, when one lies on it, or else the one that starts
 * the triangle (a, right, left) through whose far side the way leads. */
static int32_t leave(const net *n, int32_t a, int32_t b, bool *along)
{
    int32_t first = n->out[a], e = first;
    do {
        int32_t right = n->origin[next(e)], left = apex(n, e);
        int64_t r = turn(n, a, b, right);
        const corner *p = n->corners;
        *along =
            r == 0 &&
            (int64_t)(p[right].x - p[a].x) * (p[b].x - p[a].x) + (int64_t)(p[right].y - p[a].y) * (p[b].y - p[a].y) > 0;
        if (*along || (r < 0 && turn(n, a, b, left) > 0))
            return e;
        e = n->twin[previous(e)];
    } while (e != first);
    return -1;
}

static void note_crossing(net *n, int32_t from, int32_t to)
{
    if (!throng_array_reserve((void **)&n->crossing, &n->crossing_room, (int64_t)n->crossing_count + 1, sizeof(side)))
        n->failed = true;
    else
        n->crossing[n->crossing_count++] = (side){from, to};
}

/* Notes the edges that cross the way from a to b, up to the first corner on it, which is returned. */
static int32_t find_crossing(net *n, int32_t a, int32_t b, int32_t start)
{
    n->crossing_count = 0;
    for (int32_t e = next(start); !n->failed;) { /* from right to left */
        int32_t f = n->twin[e], far = apex(n, f);
        if (n->flags[e] & FIXED)
            n->failed = n->crossed = true;
        note_crossing(n, n->origin[e], n->origin[f]);
        int64_t side = turn(n, a, b, far);
        if (side == 0)
            return far;
        e = side > 0 ? next(f) : previous(f);
    }
    return b;
}

/* Flips crossing edges, those that cannot be flipped yet (the two triangles are not convex together) later, until a
 * and b are joined. */
static void clear_way(net *n, int32_t a, int32_t b)
{
    for (int32_t k = 0; k < n->crossing_count && !n->failed; k++) {
        side s = n->crossing[k];
        int32_t e = edge_between(n, s.from, s.to), f = n->twin[e], c = apex(n, e), d = apex(n, f);
        bool convex = turn(n, d, c, s.from) > 0 && turn(n, d, c, s.to) < 0;
        if (!convex) {
            note_crossing(n, s.from, s.to);
            continue;
        }
        flip(n, e);
        int64_t at_c = turn(n, a, b, c), at_d = turn(n, a, b, d);
        if ((at_c > 0 && at_d < 0) || (at_c < 0 && at_d > 0))
            note_crossing(n, c, d);
    }
}

/* Makes the side from a to b edges, from corner to corner on it. */
static void add_side(net *n, int32_t a, int32_t b)
{
    while (a != b && !n->failed) {
        bool along;
        int32_t e = leave(n, a, b, &along);
        if (e < 0) {
            n->failed = n->crossed = true;
            return;
        }
        if (!along) {
            int32_t to = find_crossing(n, a, b, e);
            clear_way(n, a, to);
            e = n->failed ? -1 : edge_between(n, a, to);
            n->crossed |= e < 0 && !n->failed;
        }
        if (e < 0) {
            n->failed = true;
            return;
        }
        n->flags[e] |= FIXED | FREE_LEFT;
        n->flags[n->twin[e]] |= FIXED;
        a = n->origin[next(e)];
    }
}

/* --- input --- */

typedef struct place {
    uint64_t key; /* along the curve */
    int32_t x, y, point;
} place;

/* Distance along a Hilbert curve over 2^24 x 2^24 places. */
static uint64_t hilbert(uint32_t x, uint32_t y)
{
    uint64_t d = 0;
    for (uint32_t s = 1u << 23; s > 0; s /= 2) {
        uint32_t rx = (x & s) > 0, ry = (y & s) > 0;
        d += (uint64_t)s * s * ((3 * rx) ^ ry);
        if (ry == 0) {
            if (rx == 1) {
                x = (1u << 24) - 1 - x;
                y = (1u << 24) - 1 - y;
            }
            uint32_t swap = x;
            x = y;
            y = swap;
        }
    }
    return d;
}

static int compare_places(const void *a, const void *b)
{
    const place *p = a, *q = b;
    if (p->key != q->key)
        return p->key < q->key ? -1 : 1;
    return (p->point > q->point) - (p->point < q->point);
}

typedef struct extent {
    int32_t x0, y0, x1, y1;
} extent;

static extent place_points(const throng_ring_list *rings, double grid, place *places)
{
    extent b = {INT32_MAX, INT32_MAX, INT32_MIN, INT32_MIN};
    for (int32_t i = 0; i < rings->point_count; i++) {
        int32_t x = (int32_t)lrint(rings->points[i].x / grid), y = (int32_t)lrint(rings->points[i].y / grid);
        places[i] = (place){0, x, y, i};
        b = (extent){x < b.x0 ? x : b.x0, y < b.y0 ? y : b.y0, x > b.x1 ? x : b.x1, y > b.y1 ? y : b.y1};
    }
    for (int32_t i = 0; i < rings->point_count; i++)
        places[i].key = hilbert((uint32_t)(places[i].x - b.x0) / 2, (uint32_t)(places[i].y - b.y0) / 2);
    return b;
}

static void add_box(net *n, extent b)
{
    int32_t margin = (b.x1 - b.x0 > b.y1 - b.y0 ? b.x1 - b.x0 : b.y1 - b.y0) / 2 + 16;
    n->corners[0] = (corner){b.x0 - margin, b.y0 - margin};
    n->corners[1] = (corner){b.x1 + margin, b.y0 - margin};
    n->corners[2] = (corner){b.x1 + margin, b.y1 + margin};
    n->corners[3] = (corner){b.x0 - margin, b.y1 + margin};
    n->corner_count = OUTER_CORNERS;
    set_triangle(n, 0, 0, 1, 2);
    set_triangle(n, 3, 0, 2, 3);
    n->twin[0] = n->twin[1] = n->twin[4] = n->twin[5] = -1;
    join(n, 2, 3);
    n->count = 6;
}

/* `corner_of` tells the corner of each point; equal points are one. */
static void add_corners(net *n, const place *places, int32_t count, int32_t *corner_of)
{
    for (int32_t i = 0, near = 0; i < count && !n->failed; i++) {
        n->failed = throng_given_up();
        int32_t p = n->corner_count, on;
        n->corners[p] = (corner){places[i].x, places[i].y};
        int32_t t = locate(n, near, p, &on);
        for (int32_t e = t; e < t + 3; e++) {
            const corner *c = &n->corners[n->origin[e]];
            if (c->x == places[i].x && c->y == places[i].y)
                p = n->origin[e];
        }
        corner_of[places[i].point] = p;
        near = t;
        if (p < n->corner_count)
            continue;
        n->corner_count++;
        near = add_corner(n, t, p);
    }
}

static void add_sides(net *n, const throng_ring_list *rings, const int32_t *corner_of)
{
    for (int32_t r = 0; r < rings->count; r++) {
        int32_t first = rings->start[r], end = throng_ring_list_end(rings, r);
        for (int32_t i = first; i < end && !n->failed; i++)
            add_side(n, corner_of[i], corner_of[i + 1 < end ? i + 1 : first]);
        n->failed = n->failed || throng_given_up();
    }
    for (int32_t e = 0; e < n->count && !n->failed; e++)
        push(n, e);
    make_delaunay(n);
}

/* --- output --- */

static double area_of(const net *n, int32_t t, double grid)
{
    return 0.5 * (double)turn(n, n->origin[t], n->origin[t + 1], n->origin[t + 2]) * grid * grid;
}

static void enter(net *n, int32_t t, double *area, double grid)
{
    if (n->flags[t] & INSIDE)
        return;
    n->flags[t] |= INSIDE;
    *area += area_of(n, t, grid);
    push(n, t);
}

/* Marks the triangles joined to triangle `t`; they are listed on the stack. Their area. */
static double flood(net *n, int32_t t, double grid)
{
    double area = 0;
    n->stack_count = 0;
    enter(n, t, &area, grid);
    for (int32_t k = 0; k < n->stack_count; k++)
        for (int32_t e = n->stack[k]; e < n->stack[k] + 3; e++)
            if (!(n->flags[e] & FIXED) && n->twin[e] >= 0)
                enter(n, n->twin[e] / 3 * 3, &area, grid);
    return area;
}

static void put(net *n, double grid, throng_triangles *out)
{
    for (int32_t k = 0; k < n->stack_count; k++) {
        for (int32_t e = n->stack[k]; e < n->stack[k] + 3; e++) {
            const corner *c = &n->corners[n->origin[e]];
            out->corners[3 * out->count + e % 3] = (throng_point){c->x * grid, c->y * grid};
            n->flags[e] |= KEPT;
            out->rim += n->flags[e] & FIXED;
        }
        out->count++;
    }
}

static int32_t count_shared(const net *n)
{
    int32_t shared = 0;
    for (int32_t e = 0; e < n->count; e++)
        shared += (n->flags[e] & FIXED) && (n->flags[e] & KEPT) && n->twin[e] >= 0 && (n->flags[n->twin[e]] & KEPT);
    return shared;
}

static bool put_all(net *n, double grid, double least, throng_triangles *out)
{
    throng_triangles made = {.corners = malloc((size_t)n->count * sizeof *made.corners)};
    if (!made.corners)
        return false;
    for (int32_t e = 0; e < n->count; e++) {
        if (!(n->flags[e] & FREE_LEFT) || (n->flags[e / 3 * 3] & INSIDE))
            continue;
        double area = flood(n, e / 3 * 3, grid);
        if (area < least)
            continue;
        put(n, grid, &made);
        made.area += area;
    }
    if (n->failed) { /* what was not gone through is missing */
        free(made.corners);
        return false;
    }
    made.shared = count_shared(n);
    *out = made;
    return true;
}

static void net_fini(net *n)
{
    free(n->corners);
    free(n->origin);
    free(n->twin);
    free(n->flags);
    free(n->out);
    free(n->stack);
    free(n->crossing);
}

static bool net_init(net *n, int32_t points)
{
    size_t corners = (size_t)points + OUTER_CORNERS, edges = 6 * corners;
    *n = (net){.corners = malloc(corners * sizeof *n->corners),
               .origin = malloc(edges * sizeof *n->origin),
               .twin = malloc(edges * sizeof *n->twin),
               .flags = malloc(edges),
               .out = malloc(corners * sizeof *n->out)};
    return n->corners && n->origin && n->twin && n->flags && n->out;
}

bool throng_triangulate(const throng_ring_list *rings, double grid, double least, throng_triangles *triangles)
{
    net n;
    size_t points = (size_t)rings->point_count + 1;
    place *places = malloc(points * sizeof *places);
    int32_t *corner_of = malloc(points * sizeof *corner_of);
    bool fine = net_init(&n, rings->point_count) && places && corner_of;
    if (fine && rings->point_count > 0) {
        add_box(&n, place_points(rings, grid, places));
        qsort(places, (size_t)rings->point_count, sizeof *places, compare_places);
        add_corners(&n, places, rings->point_count, corner_of);
        add_sides(&n, rings, corner_of);
    }
    *triangles = (throng_triangles){.unfit = n.crossed};
    fine = fine && !n.failed && put_all(&n, grid, least, triangles);
    net_fini(&n);
    free(places);
    free(corner_of);
    return fine;
}
