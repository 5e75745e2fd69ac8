#include "navmesh_space.h"

#include <stdlib.h>

#include "map/geometry.h"
#include "map/map_geos.h"
#include "navmesh.h"
#include "navmesh_groups.h"
#include "navmesh_seams.h"
#include "navmesh_trim.h"

/* m: outlines of the shrunk space are straightened by this, and what that and the grid may take from the
 * clearance is added to the radius first. */
static const double STRAIGHTEN = 0.001;

/* Arcs round a corner turn by 60 degrees a step at most. */
static const double COS_STEP = 0.5, SIN_STEP = 0.8660254037844386;
enum { MOST_NORMALS = 4 };

/* Steps of the grid: corners are blunted by this before the space shrinks; and GEOS is to mitre what turns by 60
 * degrees (1 / cos 30) and a hair. */
static const double TINY = 1.0 / 16, MITRE_LIMIT = 1.2;

/* m^2: a piece of the shrunk space smaller than this is no place to be. */
static const double LEAST_AREA = 1e-3;

double throng_navmesh_grid(const throng_map *map, double margin)
{
    const throng_bounds *b = &map->bounds;
    double far = fmax(fmax(fabs(b->x0), fabs(b->x1)), fmax(fabs(b->y0), fabs(b->y1))) + margin;
    double grid = 1.0 / 4096;
    while (far >= grid * (1 << 24))
        grid *= 2;
    return grid;
}

double throng_navmesh_clearance(double radius, double grid) { return radius > 0 ? radius + STRAIGHTEN + grid : 0; }

static throng_point direction(throng_point a, throng_point b)
{
    double length = throng_distance(a, b);
    return (throng_point){(b.x - a.x) / length, (b.y - a.y) / length};
}

static throng_point offset(throng_point p, throng_point normal, double by)
{
    return (throng_point){p.x + by * normal.x, p.y + by * normal.y};
}

static throng_point turned_right(throng_point n)
{
    return (throng_point){COS_STEP * n.x + SIN_STEP * n.y, COS_STEP * n.y - SIN_STEP * n.x};
}

static throng_point turned_left(throng_point n)
{
    return (throng_point){COS_STEP * n.x - SIN_STEP * n.y, COS_STEP * n.y + SIN_STEP * n.x};
}

/* Normals (unit vectors) at which the arc from `from` clockwise to `to` touches its tangents: its ends and, where
 * it turns farther than a step, its middle or two between. */
static int32_t tangents(throng_point from, throng_point to, throng_point normals[MOST_NORMALS])
{
    double cosine = from.x * to.x + from.y * to.y;
    int32_t count = 0;
    normals[count++] = from;
    if (cosine < -COS_STEP) {
        normals[count++] = turned_right(from);
        normals[count++] = turned_left(to);
    } else if (cosine < COS_STEP) {
        double scale = 1 / sqrt(2 + 2 * cosine);
        normals[count++] = (throng_point){scale * (from.x + to.x), scale * (from.y + to.y)};
    }
    normals[count++] = to;
    return count;
}

/* Where the tangents at two normals of the circle meet. */
static throng_point tangents_meet(throng_point centre, throng_point m, throng_point n, double radius)
{
    double scale = radius / (1 + m.x * n.x + m.y * n.y);
    return offset(centre, (throng_point){m.x + n.x, m.y + n.y}, scale);
}

/* The points that stand for a convex wall corner: tangents of a tiny circle round it meet there. Grown farther with
 * mitres, they make the tangents of the arc round the corner meet. */
static int32_t blunted(throng_point before, throng_point corner, throng_point after, double tiny,
                       throng_point points[MOST_NORMALS - 1])
{
    throng_point in = direction(before, corner), out = direction(corner, after), normals[MOST_NORMALS];
    int32_t touching = tangents((throng_point){-in.y, in.x}, (throng_point){-out.y, out.x}, normals);
    for (int32_t i = 1; i < touching; i++)
        points[i - 1] = tangents_meet(corner, normals[i - 1], normals[i], tiny);
    return touching - 1;
}

int32_t throng_navmesh_grow(const throng_point *corners, int32_t count, double radius, double grid, throng_point *grown)
{
    int32_t made = 0;
    for (int32_t i = count - 1; i >= 0; i--)
        made += blunted(corners[(i + 1) % count], corners[i], corners[(i + count - 1) % count],
                        radius + STRAIGHTEN + grid, grown + made);
    return made;
}

/* Adds a ring of the map with every convex wall corner blunted; walls only grow by it, and by no more than twice
 * `tiny`. */
static bool add_blunted(const throng_map *map, int32_t ring, double tiny, throng_ring_list *rings)
{
    const throng_point *p = map->points + map->ring_start[ring];
    int32_t n = map->ring_start[ring + 1] - map->ring_start[ring];
    bool fine = throng_ring_list_begin(rings);
    for (int32_t i = 0; i < n; i++) {
        throng_point a = p[(i + n - 1) % n], c = p[(i + 1) % n], points[MOST_NORMALS - 1] = {p[i]};
        bool convex = throng_turn(a, p[i], c) < -1e-6 * throng_distance(a, p[i]) * throng_distance(p[i], c);
        int32_t count = convex ? blunted(a, p[i], c, tiny, points) : 1;
        for (int32_t k = 0; k < count; k++)
            fine = fine && throng_ring_list_add(rings, points[k]);
    }
    return fine;
}

/* Shrinking a map goes batch by batch of rings that what others lose does not concern: GEOS (3.11) compares every
 * piece of a buffer with every other. 30,000 pillars in one took a minute and a half. */
enum { BATCH = 64 };

typedef struct shrinking {
    throng_geos *geos;
    const throng_map *map;
    double by, grid;       /* m */
    throng_ring_list part; /* the batch: free space, or obstacles the other way round */
    throng_ring_list *out;
} shrinking;

/* The polygons of the rings, grown (or shrunk, by less than 0): with mitres, straightened, and on the grid. */
static bool grow(shrinking *s, const throng_map *polygons, double by)
{
    throng_geos *g = s->geos;
    GEOSGeometry *space = throng_geos_free_space(g, polygons, 0);
    bool fine = space &&
                throng_geos_replace(g, &space,
                                    GEOSBufferWithStyle_r(g->handle, space, by, 1, GEOSBUF_CAP_ROUND,
                                                          GEOSBUF_JOIN_MITRE, MITRE_LIMIT)) &&
                throng_geos_replace(g, &space, GEOSTopologyPreserveSimplify_r(g->handle, space, STRAIGHTEN)) &&
                throng_geos_replace(g, &space, GEOSGeom_setPrecision_r(g->handle, space, s->grid, 0)) &&
                GEOSNormalize_r(g->handle, space) == 0 && throng_geos_rings(g, space, s->out);
    throng_geos_free(g, space);
    return fine;
}

static void reverse_rings(throng_ring_list *rings, int32_t first)
{
    for (int32_t r = first; r < rings->count; r++)
        throng_ring_reverse(rings->points + rings->start[r], throng_ring_list_end(rings, r) - rings->start[r]);
}

/* Shrinks the batch and begins another. */
static bool flush(shrinking *s, bool obstacles)
{
    throng_ring_list *part = &s->part;
    int32_t first = s->out->count;
    if (part->count == 0)
        return true;
    part->start[part->count] = part->point_count;
    if (obstacles)
        reverse_rings(part, 0);
    throng_map polygons = {.points = part->points, .ring_start = part->start, .ring_count = part->count};
    bool fine = grow(s, &polygons, obstacles ? s->by : -s->by);
    if (fine && obstacles)
        reverse_rings(s->out, first);
    part->count = part->point_count = 0;
    return fine;
}

/* Every outer ring with the holes that are joined to it; one by one, for it may lie in another's hole that is not. */
static bool shrink_outer(shrinking *s, const int32_t *group, const int32_t *outer)
{
    bool fine = true;
    for (int32_t r = 0; r < s->map->ring_count; r++) {
        if (outer[r] < 0 || group[r] != group[outer[r]])
            continue;
        if (outer[r] == r)
            fine = fine && flush(s, false);
        fine = fine && add_blunted(s->map, r, TINY * s->grid, &s->part);
    }
    return fine && flush(s, false);
}

/* The other holes, those of one piece of free space in a batch: none lies in another. `next` is a chain through each
 * group. */
static bool shrink_holes(shrinking *s, const int32_t *group, const int32_t *outer, const int32_t *next)
{
    int32_t piece = -1;
    bool fine = true;
    for (int32_t first = 0; first < s->map->ring_count; first++) {
        if (group[first] != first || (outer[first] >= 0 && group[outer[first]] == first))
            continue;
        if (s->part.count >= BATCH || outer[first] != piece)
            fine = fine && flush(s, true);
        piece = outer[first];
        for (int32_t r = first; r >= 0; r = next[r])
            fine = fine && add_blunted(s->map, r, TINY * s->grid, &s->part);
    }
    return fine && flush(s, true);
}

static void chain_groups(const int32_t *group, int32_t count, int32_t *next, int32_t *last)
{
    for (int32_t r = 0; r < count; r++) {
        next[r] = -1;
        last[r] = r;
        if (group[r] != r) {
            next[last[group[r]]] = r;
            last[group[r]] = r;
        }
    }
}

/* The rim of an open map's plane. */
static bool shrink_plane(shrinking *s, double margin)
{
    throng_bounds b = s->map->bounds;
    throng_point corners[4] = {{b.x0 - margin, b.y0 - margin},
                               {b.x1 + margin, b.y0 - margin},
                               {b.x1 + margin, b.y1 + margin},
                               {b.x0 - margin, b.y1 + margin}};
    bool fine = throng_ring_list_begin(&s->part);
    for (int32_t i = 0; i < 4; i++)
        fine = fine && throng_ring_list_add(&s->part, corners[i]);
    return fine && flush(s, false);
}

/* The rings of the map's free space less the clearance along every wall, on the grid; round convex wall corners less
 * what the tangents take. */
static bool shrink(throng_geos *geos, const throng_map *map, double radius, double grid, throng_ring_list *out)
{
    shrinking s = {.geos = geos, .map = map, .by = throng_navmesh_clearance(radius, grid), .grid = grid, .out = out};
    size_t rings = (size_t)map->ring_count + 1;
    int32_t *group = malloc(rings * sizeof *group), *outer = malloc(rings * sizeof *outer);
    int32_t *next = malloc(rings * sizeof *next), *last = malloc(rings * sizeof *last);
    double reach = 2 * (MITRE_LIMIT * s.by + STRAIGHTEN) + 8 * grid;
    bool fine = group && outer && next && last && throng_navmesh_group_rings(map, reach, group, outer);
    if (fine) {
        chain_groups(group, map->ring_count, next, last);
        fine = (!map->open || shrink_plane(&s, THRONG_NAVMESH_MARGIN + radius)) && shrink_outer(&s, group, outer) &&
               shrink_holes(&s, group, outer, next);
    }
    throng_ring_list_fini(&s.part);
    free(group);
    free(outer);
    free(next);
    free(last);
    return fine;
}

/* A map whose corners lie on the grid is, for points, what it is: grid maps, plans drawn to the millimetre. */
static bool lies_on_grid(const throng_map *map, double grid)
{
    for (int32_t i = 0; i < map->point_count; i++)
        if (fmod(map->points[i].x, grid) != 0 || fmod(map->points[i].y, grid) != 0)
            return false;
    return !map->open;
}

static bool triangulate_map(const throng_map *map, double grid, throng_triangles *out)
{
    throng_ring_list rings = {map->points, map->point_count, 0, map->ring_start, map->ring_count, 0};
    return throng_triangulate(&rings, grid, LEAST_AREA, out);
}

/* The shrunk space of a building, opened at its seams. */
static bool triangulate_parts(throng_geos *geos, const throng_map *map, const throng_map *shrunk, double radius,
                              double grid, throng_triangles *out)
{
    throng_ring_list rings = {0};
    bool fine = throng_navmesh_open_seams(geos, map, shrunk, throng_navmesh_clearance(radius, grid), grid, &rings) &&
                throng_geos_forget(geos) && throng_triangulate(&rings, grid, LEAST_AREA, out);
    throng_ring_list_fini(&rings);
    return fine;
}

/* See navmesh_trim.h; by way of a map, which knows what lies near what. */
static bool triangulate_shrunk(throng_geos *geos, const throng_map *map, double radius, double grid,
                               throng_triangles *out)
{
    throng_ring_list rings = {0};
    bool fine = shrink(geos, map, radius, grid, &rings) && throng_geos_forget(geos);
    throng_map *ragged = fine ? throng_map_from_ring_list("", false, &rings, NULL) : NULL;
    throng_map *trimmed = ragged ? throng_navmesh_trim(ragged, fmin(THRONG_NAVMESH_NOOK, 0.4 * radius)) : NULL;
    fine = trimmed && (map->sheets ? triangulate_parts(geos, map, trimmed, radius, grid, out)
                                   : triangulate_map(trimmed, grid, out));
    throng_map_destroy(trimmed);
    throng_map_destroy(ragged);
    throng_ring_list_fini(&rings);
    return fine;
}

/* For points, which may touch walls: nothing shrinks. */
static bool triangulate_whole(throng_geos *geos, const throng_map *map, double grid, throng_triangles *out)
{
    throng_ring_list rings = {0};
    GEOSGeometry *space = throng_geos_free_space(geos, map, THRONG_NAVMESH_MARGIN);
    bool fine = space && throng_geos_replace(geos, &space, GEOSGeom_setPrecision_r(geos->handle, space, grid, 0)) &&
                throng_geos_rings(geos, space, &rings) && throng_geos_forget(geos) &&
                throng_triangulate(&rings, grid, LEAST_AREA, out);
    throng_ring_list_fini(&rings);
    throng_geos_free(geos, space);
    return fine;
}

bool throng_navmesh_triangulate(const throng_map *map, double radius, throng_triangles *triangles, throng_error *error)
{
    throng_geos geos;
    double grid = throng_navmesh_grid(map, THRONG_NAVMESH_MARGIN + radius);
    *triangles = (throng_triangles){0};
    if (radius == 0 && lies_on_grid(map, grid))
        return triangulate_map(map, grid, triangles) || throng_fail(error, "%s: out of memory", map->name);
    if (!throng_geos_init(&geos, error))
        return false;
    bool made = radius == 0 ? triangulate_whole(&geos, map, grid, triangles)
                            : triangulate_shrunk(&geos, map, radius, grid, triangles);
    bool fine = made || throng_geos_fail(&geos, map->name, error);
    triangles->unfit |= !made && throng_geos_complained(&geos);
    throng_geos_fini(&geos);
    return fine;
}
