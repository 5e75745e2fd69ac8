#include "navmesh_space.h"

#include <stdlib.h>

#include "geometry.h"
#include "map_geos.h"
#include "navmesh.h"
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

/* The map's rings with every convex wall corner blunted; walls only grow by it, and by no more than twice `tiny`. */
static bool blunt_rings(const throng_map *map, double tiny, throng_ring_list *rings)
{
    bool fine = true;
    for (int32_t r = 0; r < map->ring_count; r++) {
        const throng_point *p = map->points + map->ring_start[r];
        int32_t n = map->ring_start[r + 1] - map->ring_start[r];
        fine = fine && throng_ring_list_begin(rings);
        for (int32_t i = 0; i < n; i++) {
            throng_point a = p[(i + n - 1) % n], c = p[(i + 1) % n], points[MOST_NORMALS - 1] = {p[i]};
            bool convex = throng_turn(a, p[i], c) < -1e-6 * throng_distance(a, p[i]) * throng_distance(p[i], c);
            int32_t count = convex ? blunted(a, p[i], c, tiny, points) : 1;
            for (int32_t k = 0; k < count; k++)
                fine = fine && throng_ring_list_add(rings, points[k]);
        }
    }
    return fine;
}

/* Free space less `by` along every wall, and round convex wall corners less what the tangents take. */
static GEOSGeometry *less_clearance(throng_geos *geos, const throng_map *map, double margin, double by, double tiny)
{
    throng_ring_list rings = {0};
    GEOSGeometry *space = NULL;
    if (blunt_rings(map, tiny, &rings)) {
        throng_map blunt = *map;
        blunt.points = rings.points;
        if (rings.count) {
            rings.start[rings.count] = rings.point_count;
            blunt.ring_start = rings.start;
        }
        space = throng_geos_free_space(geos, &blunt, margin);
    }
    throng_ring_list_fini(&rings);
    if (space)
        throng_geos_replace(
            geos, &space,
            GEOSBufferWithStyle_r(geos->handle, space, -by, 1, GEOSBUF_CAP_ROUND, GEOSBUF_JOIN_MITRE, MITRE_LIMIT));
    return space;
}

static int compare_points(const void *a, const void *b)
{
    const throng_point *p = a, *q = b;
    if (p->x != q->x)
        return p->x < q->x ? -1 : 1;
    return (p->y > q->y) - (p->y < q->y);
}

/* Small boxes round the points where rings touch; `count` says how many. */
static GEOSGeometry *boxes_at_touches(throng_geos *geos, throng_ring_list *rings, double half, int32_t *count)
{
    throng_point *p = rings->points;
    GEOSGeometry **boxes = malloc(((size_t)rings->point_count + 1) * sizeof *boxes);
    *count = 0;
    if (!boxes)
        return NULL;
    if (rings->point_count)
        qsort(p, (size_t)rings->point_count, sizeof *p, compare_points);
    for (int32_t i = 1; i < rings->point_count; i++)
        if (compare_points(&p[i - 1], &p[i]) == 0)
            boxes[(*count)++] =
                throng_geos_box(geos, (throng_bounds){p[i].x - half, p[i].y - half, p[i].x + half, p[i].y + half});
    GEOSGeometry *all = throng_geos_collect(geos, GEOS_MULTIPOLYGON, boxes, *count);
    free(boxes);
    if (all)
        throng_geos_replace(geos, &all, GEOSUnaryUnion_r(geos->handle, all));
    return all;
}

/* GEOS 3.11 triangulates wrongly, or not at all, where rings touch: they are parted by a few steps of the grid.
 * Nobody fits through a point anyway. */
static bool part_rings(throng_geos *geos, GEOSGeometry **space, double grid)
{
    for (int round = 0; round < 8; round++) {
        throng_ring_list rings = {0};
        int32_t touches = 0;
        GEOSGeometry *boxes = throng_geos_rings(geos, *space, &rings)
                                  ? boxes_at_touches(geos, &rings, (2 + round) * grid, &touches)
                                  : NULL;
        bool fine = boxes != NULL;
        throng_ring_list_fini(&rings);
        if (fine && touches > 0)
            fine = throng_geos_replace(geos, space, GEOSDifference_r(geos->handle, *space, boxes)) &&
                   throng_geos_replace(geos, space, GEOSGeom_setPrecision_r(geos->handle, *space, grid, 0));
        throng_geos_free(geos, boxes);
        if (!fine || touches == 0)
            return fine;
    }
    return true;
}

/* See navmesh_trim.h; by way of a map, which knows what lies near what. */
static bool trim_nooks(throng_geos *geos, GEOSGeometry **space, double depth)
{
    throng_ring_list rings = {0};
    throng_map *ragged = throng_geos_rings(geos, *space, &rings) ? throng_ring_list_map("", false, &rings, NULL) : NULL;
    throng_map *trimmed = ragged ? throng_navmesh_trim(ragged, depth) : NULL;
    bool fine = trimmed && throng_geos_replace(geos, space, throng_geos_free_space(geos, trimmed, 0));
    throng_map_destroy(trimmed);
    throng_map_destroy(ragged);
    throng_ring_list_fini(&rings);
    return fine;
}

/* The shrunk free space on the grid, as a multipolygon in normal form. */
static GEOSGeometry *shrink(throng_geos *geos, const throng_map *map, double radius, double grid)
{
    double margin = THRONG_NAVMESH_MARGIN + radius;
    if (radius == 0) { /* points may touch walls: there is nothing to shrink */
        GEOSGeometry *space = throng_geos_free_space(geos, map, margin);
        if (space)
            throng_geos_replace(geos, &space, GEOSGeom_setPrecision_r(geos->handle, space, grid, 0));
        return space;
    }
    GEOSGeometry *space = less_clearance(geos, map, margin, radius + STRAIGHTEN + grid, TINY * grid);
    bool fine = space &&
                throng_geos_replace(geos, &space, GEOSTopologyPreserveSimplify_r(geos->handle, space, STRAIGHTEN)) &&
                throng_geos_replace(geos, &space, GEOSGeom_setPrecision_r(geos->handle, space, grid, 0)) &&
                part_rings(geos, &space, grid) && trim_nooks(geos, &space, fmin(THRONG_NAVMESH_NOOK, 0.4 * radius)) &&
                GEOSNormalize_r(geos->handle, space) == 0;
    if (fine)
        return space;
    throng_geos_free(geos, space);
    return NULL;
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

static bool triangulate_shrunk(throng_geos *geos, const throng_map *map, double radius, double grid,
                               throng_triangles *out)
{
    throng_ring_list rings = {0};
    GEOSGeometry *space = shrink(geos, map, radius, grid);
    bool fine = space && throng_geos_rings(geos, space, &rings) && throng_triangulate(&rings, grid, LEAST_AREA, out);
    throng_ring_list_fini(&rings);
    throng_geos_free(geos, space);
    return fine;
}

bool throng_navmesh_triangulate(const throng_map *map, double radius, throng_triangles *triangles, throng_error *error)
{
    throng_geos geos;
    double grid = throng_navmesh_grid(map, THRONG_NAVMESH_MARGIN + radius);
    if (radius == 0 && lies_on_grid(map, grid))
        return triangulate_map(map, grid, triangles) || throng_fail(error, "%s: out of memory", map->name);
    if (!throng_geos_init(&geos, error))
        return false;
    bool fine = triangulate_shrunk(&geos, map, radius, grid, triangles) || throng_geos_fail(&geos, map->name, error);
    throng_geos_fini(&geos);
    return fine;
}
