#include "map_geos.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/watchdog.h"
#include "geometry.h"

/* m: beyond, a float tells no two agents apart any more. */
static const double FARTHEST = 1e6;

static void keep_message(const char *message, void *user)
{
    throng_geos *geos = user;
    snprintf(geos->text, sizeof geos->text, "%s", message);
}

static void drop_notice(const char *message, void *user)
{
    (void)message;
    (void)user;
}

/* GEOS asks now and then; what it was doing fails. */
static void interrupt(void)
{
    if (throng_given_up())
        GEOS_interruptRequest();
}

bool throng_geos_init(throng_geos *geos, throng_error *error)
{
    GEOS_interruptRegisterCallback(interrupt);
    memset(geos, 0, sizeof *geos);
    geos->handle = GEOS_init_r();
    if (!geos->handle)
        return throng_fail(error, "GEOS cannot start: out of memory");
    GEOSContext_setErrorMessageHandler_r(geos->handle, keep_message, geos);
    GEOSContext_setNoticeMessageHandler_r(geos->handle, drop_notice, geos);
    return true;
}

void throng_geos_fini(throng_geos *geos)
{
    if (geos->handle)
        GEOS_finish_r(geos->handle);
    geos->handle = NULL;
}

bool throng_geos_fail(throng_geos *geos, const char *what, throng_error *error)
{
    return throng_fail(error, "%s: %s", what, geos->text[0] ? geos->text : "out of memory");
}

bool throng_geos_forget(throng_geos *geos)
{
    geos->text[0] = 0;
    return true;
}

bool throng_geos_complained(const throng_geos *geos) { return geos->text[0] && !strstr(geos->text, "bad_alloc"); }

void throng_geos_free(throng_geos *geos, GEOSGeometry *geometry)
{
    if (geometry)
        GEOSGeom_destroy_r(geos->handle, geometry);
}

bool throng_geos_replace(throng_geos *geos, GEOSGeometry **geometry, GEOSGeometry *result)
{
    throng_geos_free(geos, *geometry);
    *geometry = result;
    return result != NULL;
}

static GEOSGeometry *linear_ring(throng_geos *geos, const throng_point *points, int32_t count)
{
    GEOSCoordSequence *sequence = GEOSCoordSeq_create_r(geos->handle, (unsigned)count + 1, 2);
    if (!sequence)
        return NULL;
    for (int32_t i = 0; i <= count; i++)
        GEOSCoordSeq_setXY_r(geos->handle, sequence, (unsigned)i, points[i % count].x, points[i % count].y);
    return GEOSGeom_createLinearRing_r(geos->handle, sequence);
}

GEOSGeometry *throng_geos_polygon(throng_geos *geos, const throng_point *points, int32_t count)
{
    GEOSGeometry *ring = linear_ring(geos, points, count);
    return ring ? GEOSGeom_createPolygon_r(geos->handle, ring, NULL, 0) : NULL;
}

GEOSGeometry *throng_geos_line(throng_geos *geos, const throng_point *points, int32_t count)
{
    GEOSCoordSequence *sequence = GEOSCoordSeq_create_r(geos->handle, (unsigned)count, 2);
    for (int32_t i = 0; sequence && i < count; i++)
        GEOSCoordSeq_setXY_r(geos->handle, sequence, (unsigned)i, points[i].x, points[i].y);
    return sequence ? GEOSGeom_createLineString_r(geos->handle, sequence) : NULL;
}

bool throng_geos_thin(throng_geos *geos, throng_point *points, int32_t *count, double tolerance)
{
    unsigned kept = 0;
    GEOSGeometry *line = throng_geos_line(geos, points, *count);
    if (!line || !throng_geos_replace(geos, &line, GEOSSimplify_r(geos->handle, line, tolerance)))
        return false;
    const GEOSCoordSequence *sequence = GEOSGeom_getCoordSeq_r(geos->handle, line);
    bool fine = sequence && GEOSCoordSeq_getSize_r(geos->handle, sequence, &kept);
    for (unsigned i = 0; fine && i < kept; i++)
        GEOSCoordSeq_getXY_r(geos->handle, sequence, i, &points[i].x, &points[i].y);
    *count = (int32_t)kept;
    throng_geos_free(geos, line);
    return fine;
}

GEOSGeometry *throng_geos_box(throng_geos *geos, throng_bounds box)
{
    throng_point corners[4] = {{box.x0, box.y0}, {box.x1, box.y0}, {box.x1, box.y1}, {box.x0, box.y1}};
    return throng_geos_polygon(geos, corners, 4);
}

GEOSGeometry *throng_geos_collect(throng_geos *geos, int type, GEOSGeometry **parts, int32_t count)
{
    bool whole = true;
    for (int32_t i = 0; i < count; i++)
        whole = whole && parts[i];
    if (whole)
        return GEOSGeom_createCollection_r(geos->handle, type, parts, (unsigned)count);
    for (int32_t i = 0; i < count; i++)
        throng_geos_free(geos, parts[i]);
    return NULL;
}

/* The free space is put together polygon by polygon: a shell and the holes that follow it. */
typedef struct assembly {
    throng_geos *geos;
    GEOSGeometry *shell;
    GEOSGeometry **holes;
    int32_t hole_count;
    GEOSGeometry **polygons;
    int32_t polygon_count;
    bool failed;
} assembly;

static void finish_polygon(assembly *a)
{
    if (!a->shell)
        return;
    GEOSGeometry *polygon = GEOSGeom_createPolygon_r(a->geos->handle, a->shell, a->holes, (unsigned)a->hole_count);
    a->failed = a->failed || !polygon;
    a->polygons[a->polygon_count++] = polygon;
    a->shell = NULL;
    a->hole_count = 0;
}

static void add_ring(assembly *a, const throng_point *points, int32_t count)
{
    GEOSGeometry *ring = linear_ring(a->geos, points, count);
    a->failed = a->failed || !ring;
    if (!ring)
        return;
    if (throng_ring_area(points, count) > 0) {
        finish_polygon(a);
        a->shell = ring;
    } else if (a->shell) {
        a->holes[a->hole_count++] = ring;
    } else {
        throng_geos_free(a->geos, ring);
    }
}

static void add_plane(assembly *a, throng_bounds box, double margin)
{
    throng_bounds b = {box.x0 - margin, box.y0 - margin, box.x1 + margin, box.y1 + margin};
    throng_point corners[4] = {{b.x0, b.y0}, {b.x1, b.y0}, {b.x1, b.y1}, {b.x0, b.y1}};
    add_ring(a, corners, 4);
}

GEOSGeometry *throng_geos_free_space(throng_geos *geos, const throng_map *map, double margin)
{
    assembly a = {.geos = geos};
    size_t room = (size_t)map->ring_count + 1;
    a.holes = malloc(room * sizeof(GEOSGeometry *));
    a.polygons = malloc(room * sizeof(GEOSGeometry *));
    GEOSGeometry *space = NULL;
    if (a.holes && a.polygons) {
        if (map->open)
            add_plane(&a, map->bounds, margin);
        for (int32_t r = 0; r < map->ring_count; r++)
            add_ring(&a, map->points + map->ring_start[r], map->ring_start[r + 1] - map->ring_start[r]);
        finish_polygon(&a);
        space = throng_geos_collect(geos, GEOS_MULTIPOLYGON, a.polygons, a.polygon_count);
    }
    if (a.failed && space) {
        throng_geos_free(geos, space);
        space = NULL;
    }
    free(a.holes);
    free(a.polygons);
    return space;
}

static bool append_ring(throng_geos *geos, const GEOSGeometry *ring, bool hole, throng_ring_list *rings)
{
    const GEOSCoordSequence *sequence = GEOSGeom_getCoordSeq_r(geos->handle, ring);
    unsigned count = 0;
    if (!sequence || !GEOSCoordSeq_getSize_r(geos->handle, sequence, &count) || !throng_ring_list_begin(rings))
        return false;
    for (unsigned i = 0; i + 1 < count; i++) {
        throng_point p;
        GEOSCoordSeq_getXY_r(geos->handle, sequence, i, &p.x, &p.y);
        if (!throng_ring_list_add(rings, p))
            return false;
    }
    int32_t start = rings->start[rings->count - 1], points = rings->point_count - start;
    if ((throng_ring_area(rings->points + start, points) > 0) == hole)
        throng_ring_reverse(rings->points + start, points);
    return true;
}

static bool append_polygon(throng_geos *geos, const GEOSGeometry *polygon, throng_ring_list *rings)
{
    if (GEOSisEmpty_r(geos->handle, polygon))
        return true;
    if (!append_ring(geos, GEOSGetExteriorRing_r(geos->handle, polygon), false, rings))
        return false;
    int holes = GEOSGetNumInteriorRings_r(geos->handle, polygon);
    for (int h = 0; h < holes; h++)
        if (!append_ring(geos, GEOSGetInteriorRingN_r(geos->handle, polygon, h), true, rings))
            return false;
    return true;
}

bool throng_geos_rings(throng_geos *geos, const GEOSGeometry *geometry, throng_ring_list *rings)
{
    int type = GEOSGeomTypeId_r(geos->handle, geometry);
    if (type == GEOS_POLYGON)
        return append_polygon(geos, geometry, rings);
    if (type != GEOS_MULTIPOLYGON && type != GEOS_GEOMETRYCOLLECTION)
        return true;
    int parts = GEOSGetNumGeometries_r(geos->handle, geometry);
    for (int i = 0; i < parts; i++)
        if (!throng_geos_rings(geos, GEOSGetGeometryN_r(geos->handle, geometry, i), rings))
            return false;
    return true;
}

char throng_geos_simple(throng_geos *geos, const GEOSGeometry *polygon, throng_point *where)
{
    char *reason = NULL;
    GEOSGeometry *place = NULL;
    *where = (throng_point){NAN, NAN};
    char valid = GEOSisValidDetail_r(geos->handle, polygon, 0, &reason, &place);
    if (valid == 0 && place) {
        GEOSGeomGetX_r(geos->handle, place, &where->x);
        GEOSGeomGetY_r(geos->handle, place, &where->y);
    }
    GEOSFree_r(geos->handle, reason);
    throng_geos_free(geos, place);
    return valid;
}

bool throng_points_on_line(const throng_point *points, int32_t count)
{
    int32_t other = 1;
    while (other + 1 < count && throng_distance(points[0], points[other]) == 0)
        other++;
    for (int32_t i = other + 1; i < count; i++)
        if (throng_turn(points[0], points[other], points[i]) != 0)
            return false;
    return true;
}

bool throng_geos_check_points(const char *what, const throng_point *points, int32_t count, throng_error *error)
{
    for (int32_t i = 0; i < count; i++)
        if (!(fabs(points[i].x) <= FARTHEST && fabs(points[i].y) <= FARTHEST))
            return throng_fail(error, "%s: point %d is (%g, %g): coordinates must be finite and within %g m", what,
                               (int)i + 1, points[i].x, points[i].y, FARTHEST);
    return true;
}

bool throng_geos_check_polygon(throng_geos *geos, const char *what, const throng_point *points, int32_t count,
                               throng_error *error)
{
    if (count < 3)
        return throng_fail(error, "%s has %d point%s: a polygon needs three or more", what, (int)count,
                           count == 1 ? "" : "s");
    if (!throng_geos_check_points(what, points, count, error))
        return false;
    if (throng_points_on_line(points, count))
        return throng_fail(error, "%s has no area: its points lie on one line", what);
    GEOSGeometry *polygon = throng_geos_polygon(geos, points, count);
    if (!polygon)
        return throng_geos_fail(geos, what, error);
    throng_point where;
    char simple = throng_geos_simple(geos, polygon, &where);
    throng_geos_free(geos, polygon);
    if (simple == 0)
        return throng_fail(error, "%s crosses or touches itself at (%g, %g): give its corners in order, once round",
                           what, where.x, where.y);
    return simple == 1 || throng_geos_fail(geos, what, error);
}

bool throng_geos_middle_line(throng_geos *geos, const throng_point *points, int32_t count, throng_point *a,
                             throng_point *b)
{
    throng_ring_list rings = {0};
    GEOSGeometry *box = throng_geos_polygon(geos, points, count);
    bool fine = box && throng_geos_replace(geos, &box, GEOSMinimumRotatedRectangle_r(geos->handle, box)) &&
                throng_geos_rings(geos, box, &rings);
    bool four = fine && rings.point_count == 4;
    if (four) {
        const throng_point *p = rings.points;
        bool longer = throng_distance(p[0], p[1]) >= throng_distance(p[1], p[2]);
        *a = longer ? throng_between(p[3], p[0], 0.5) : throng_between(p[0], p[1], 0.5);
        *b = longer ? throng_between(p[1], p[2], 0.5) : throng_between(p[2], p[3], 0.5);
    }
    throng_ring_list_fini(&rings);
    throng_geos_free(geos, box);
    return four;
}
