/* Gaps: pairs of a corner and the wall point nearest to it across free space, where the distance is least both
 * paths along the walls. Between two walls that come close there always is such a pair, as the end of a straight
 * stretch is a corner, too. */
#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/watchdog.h"
#include "map/geometry.h"
#include "map/map_findings.h"
#include "map/map_geos.h"
#include "map_lint.h"
#include "map/wall_index.h"

/* m^2: a pocket this large is taken to hold an agent without looking closer. */
static const double LARGE = 4;

typedef struct gap {
    throng_point from, to;
    double width;
    int32_t corner, wall; /* from point `corner` to the segment after point `wall` */
} gap;

typedef struct search {
    const throng_map *map;
    throng_geos geos;
    double width;
    int32_t *before;  /* [points] the point before it in its ring */
    int32_t *ring_of; /* [points] */
    double *swept;    /* [points] twice the area that the ring sweeps from its first point up to this one, about it */
    gap *gaps;
    int32_t count, room;
    bool failed;
} search;

static double cross(throng_point a, throng_point b, throng_point about)
{
    return (a.x - about.x) * (b.y - about.y) - (a.y - about.y) * (b.x - about.x);
}

static bool prepare(search *s)
{
    const throng_map *map = s->map;
    size_t room = (size_t)map->point_count + 1;
    s->before = malloc(room * sizeof *s->before);
    s->ring_of = malloc(room * sizeof *s->ring_of);
    s->swept = malloc(room * sizeof *s->swept);
    if (!s->before || !s->ring_of || !s->swept)
        return false;
    for (int32_t r = 0; r < map->ring_count; r++) {
        int32_t start = map->ring_start[r], end = map->ring_start[r + 1];
        for (int32_t i = start; i < end; i++) {
            s->before[i] = i > start ? i - 1 : end - 1;
            s->ring_of[i] = r;
            s->swept[i] =
                i > start ? s->swept[i - 1] + cross(map->points[i - 1], map->points[i], map->points[start]) : 0;
        }
    }
    return true;
}

/* Going from `corner` along either of its walls leads away from `other`. */
static bool is_nearest(const search *s, int32_t corner, throng_point other)
{
    const throng_point *p = s->map->points;
    throng_point at = p[corner], a = p[s->before[corner]], b = p[s->map->walls->next[corner]];
    double x = other.x - at.x, y = other.y - at.y;
    return (a.x - at.x) * x + (a.y - at.y) * y <= 0 && (b.x - at.x) * x + (b.y - at.y) * y <= 0;
}

typedef struct cells {
    int32_t c0, c1, r0, r1;
} cells;

static cells cells_round(const throng_wall_index *g, throng_point p, double reach)
{
    return (cells){throng_cell_of(p.x - reach, g->origin_x, g->cell, g->columns),
                   throng_cell_of(p.x + reach, g->origin_x, g->cell, g->columns),
                   throng_cell_of(p.y - reach, g->origin_y, g->cell, g->rows),
                   throng_cell_of(p.y + reach, g->origin_y, g->cell, g->rows)};
}

static bool opposite(double a, double b) { return (a > 0 && b < 0) || (a < 0 && b > 0); }

/* A wall runs between the two. */
static bool is_blocked(const search *s, const cells *near, throng_point a, throng_point b)
{
    const throng_wall_index *g = s->map->walls;
    const throng_point *p = s->map->points;
    for (int32_t r = near->r0; r <= near->r1; r++)
        for (int32_t k = g->start[r * g->columns + near->c0]; k < g->start[r * g->columns + near->c1 + 1]; k++) {
            throng_point c = p[g->list[k]], d = p[g->next[g->list[k]]];
            if (opposite(throng_turn(a, b, c), throng_turn(a, b, d)) &&
                opposite(throng_turn(c, d, a), throng_turn(c, d, b)))
                return true;
        }
    return false;
}

/* Twice the area of the polygon of the ring's points i .. j and `to`; negative when that is the solid side. */
static double chain_area(const search *s, int32_t i, int32_t j, throng_point to)
{
    const throng_map *map = s->map;
    int32_t ring = s->ring_of[i], last = map->ring_start[ring + 1] - 1;
    throng_point about = map->points[map->ring_start[ring]];
    double area = s->swept[j] - s->swept[i] + (j < i ? s->swept[last] : 0);
    return area + cross(map->points[j], to, about) + cross(to, map->points[i], about);
}

/* A disc of the gap's least allowed width fits into the pocket of points i .. j and `to`. */
static bool holds_disc(search *s, int32_t i, int32_t j, throng_point to)
{
    throng_geos *geos = &s->geos;
    throng_ring_list ring = {0};
    bool room = false, fine = throng_ring_list_begin(&ring);
    for (int32_t k = i; fine; k = s->map->walls->next[k]) {
        fine = throng_ring_list_add(&ring, s->map->points[k]);
        if (k == j)
            break;
    }
    fine = fine && throng_ring_list_add(&ring, to);
    GEOSGeometry *pocket = fine ? throng_geos_polygon(geos, ring.points, ring.point_count) : NULL;
    if (pocket && throng_geos_replace(geos, &pocket, GEOSBuffer_r(geos->handle, pocket, -0.48 * s->width, 8)))
        room = GEOSisEmpty_r(geos->handle, pocket) == 0;
    s->failed |= !pocket;
    throng_geos_free(geos, pocket);
    throng_ring_list_fini(&ring);
    return room;
}

/* The polygon of the ring's points i .. j and `to` is free space without room for an agent. */
static bool is_nook(search *s, int32_t i, int32_t j, throng_point to)
{
    double area = 0.5 * chain_area(s, i, j, to);
    if (area <= 0 || area >= LARGE)
        return false;
    return area < 0.78 * s->width * s->width || !holds_disc(s, i, j, to);
}

static bool leads_nowhere(search *s, int32_t corner, int32_t wall, throng_point to)
{
    return s->ring_of[corner] == s->ring_of[wall] &&
           (is_nook(s, corner, wall, to) || is_nook(s, s->map->walls->next[wall], corner, to));
}

static bool compare(search *s, int32_t corner, int32_t wall, const cells *near)
{
    const throng_map *map = s->map;
    throng_point at = map->points[corner], a = map->points[wall], b = map->points[map->walls->next[wall]];
    throng_point to = throng_nearest_on(a, b, at);
    double width = throng_distance(at, to);
    if (!(width > 0) || width >= s->width - 1e-6 || (to.x == b.x && to.y == b.y) || !is_nearest(s, corner, to))
        return true;
    /* two corners find each other: once is enough */
    if (to.x == a.x && to.y == a.y && (wall < corner || !is_nearest(s, wall, at)))
        return true;
    if (is_blocked(s, near, at, to) || !throng_map_fits(map, throng_between(at, to, 0.5), 0) ||
        leads_nowhere(s, corner, wall, to))
        return true;
    if (!throng_array_reserve((void **)&s->gaps, &s->room, (int64_t)s->count + 1, sizeof *s->gaps))
        return false;
    s->gaps[s->count++] = (gap){at, to, width, corner, wall};
    return true;
}

static bool look_round(search *s, int32_t corner)
{
    const throng_map *map = s->map;
    const throng_wall_index *g = map->walls;
    cells near = cells_round(g, map->points[corner], s->width);
    for (int32_t r = near.r0; r <= near.r1; r++)
        for (int32_t k = g->start[r * g->columns + near.c0]; k < g->start[r * g->columns + near.c1 + 1]; k++)
            if (g->list[k] != corner && g->next[g->list[k]] != corner && !compare(s, corner, g->list[k], &near))
                return false;
    return true;
}

static int by_width(const void *a, const void *b)
{
    const gap *g = a, *h = b;
    if (g->width != h->width)
        return g->width < h->width ? -1 : 1;
    return g->from.x != h->from.x ? (g->from.x < h->from.x ? -1 : 1)
                                  : (g->from.y > h->from.y) - (g->from.y < h->from.y);
}

static bool are_neighbours(const search *s, int32_t a, int32_t b) { return s->before[a] == b || s->before[b] == a; }

/* The other is near, or at the other end of a slot between the same two walls. */
static bool stands_for(const search *s, const gap *kept, const gap *other)
{
    throng_point a = throng_between(kept->from, kept->to, 0.5), b = throng_between(other->from, other->to, 0.5);
    return throng_distance(a, b) < 2 * s->width ||
           (are_neighbours(s, kept->corner, other->corner) &&
            (kept->wall == other->wall || are_neighbours(s, kept->wall, other->wall)));
}

static bool report(search *s, throng_findings *findings)
{
    int32_t kept = 0;
    if (s->count)
        qsort(s->gaps, (size_t)s->count, sizeof *s->gaps, by_width);
    for (int32_t i = 0; i < s->count; i++) {
        int32_t k = 0;
        while (k < kept && !stands_for(s, &s->gaps[k], &s->gaps[i]))
            k++;
        if (k < kept)
            continue;
        gap g = s->gaps[kept++] = s->gaps[i];
        if (!throng_findings_add(findings, THRONG_FINDING_GAP, g.from, g.to,
                                 "an opening of %.2f m is too narrow for a body of %.2g m radius", g.width,
                                 0.5 * s->width))
            return false;
    }
    return true;
}

bool throng_map_lint_gaps(const throng_map *map, double width, throng_findings *findings, throng_error *error)
{
    search s = {.map = map, .width = width};
    if (!throng_geos_init(&s.geos, error))
        return false;
    bool fine = prepare(&s);
    for (int32_t i = 0; fine && i < map->point_count && !throng_given_up(); i++)
        if (throng_turn(map->points[s.before[i]], map->points[i], map->points[map->walls->next[i]]) < 0)
            fine = look_round(&s, i);
    fine = fine && !s.failed && !throng_given_up() && report(&s, findings);
    throng_geos_fini(&s.geos);
    free(s.before);
    free(s.ring_of);
    free(s.swept);
    free(s.gaps);
    return fine || throng_fail(error, "%s: out of memory", map->name);
}
