#include "map_draft.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "map_crossings.h"
#include "map_findings.h"

bool throng_draft_init(throng_draft *draft, const char *path, throng_error *error)
{
    *draft = (throng_draft){.path = path};
    return throng_geos_init(&draft->geos, error);
}

static void free_drawing(throng_geos *geos, throng_drawing *all)
{
    for (int32_t i = 0; i < all->count; i++) {
        throng_geos_free(geos, all->list[i].shape);
        free(all->list[i].what);
    }
    free(all->list);
    *all = (throng_drawing){0};
}

void throng_draft_fini(throng_draft *draft)
{
    free_drawing(&draft->geos, &draft->floors);
    free_drawing(&draft->geos, &draft->walls);
    throng_map_contents_fini(&draft->held);
    throng_geos_fini(&draft->geos);
}

bool throng_draft_take(throng_draft *draft, throng_drawing *into, const char *what, throng_point at,
                       GEOSGeometry *shape, throng_error *error)
{
    throng_drawn drawn = {shape, strdup(what), at};
    if (shape && drawn.what &&
        throng_array_reserve((void **)&into->list, &into->capacity, (int64_t)into->count + 1, sizeof *into->list)) {
        into->list[into->count++] = drawn;
        return true;
    }
    throng_geos_free(&draft->geos, shape);
    free(drawn.what);
    return throng_geos_fail(&draft->geos, draft->path, error);
}

static bool note(throng_draft *draft, throng_finding_kind kind, throng_point at, const char *what, const char *text,
                 throng_error *error)
{
    return throng_findings_add(&draft->held.findings, kind, at, at, "%s %s", what, text) ||
           throng_fail(error, "%s: out of memory", draft->path);
}

/* What of a geometry has an area; mending leaves lines where an outline runs back along itself. */
static GEOSGeometry *polygons_of(throng_geos *geos, const GEOSGeometry *mixed)
{
    int parts = GEOSGetNumGeometries_r(geos->handle, mixed), count = 0;
    GEOSGeometry **list = malloc(((size_t)parts + 1) * sizeof(GEOSGeometry *));
    for (int i = 0; list && i < parts; i++) {
        const GEOSGeometry *part = GEOSGetGeometryN_r(geos->handle, mixed, i);
        int type = GEOSGeomTypeId_r(geos->handle, part);
        if (type == GEOS_POLYGON)
            list[count++] = GEOSGeom_clone_r(geos->handle, part);
        else if (type == GEOS_MULTIPOLYGON)
            list[count++] = polygons_of(geos, part);
    }
    GEOSGeometry *all = list ? throng_geos_collect(geos, GEOS_GEOMETRYCOLLECTION, list, count) : NULL;
    free(list);
    if (all)
        throng_geos_replace(geos, &all, GEOSUnaryUnion_r(geos->handle, all));
    return all;
}

enum { MOST_CROSSINGS = 2000 }; /* GEOS mends so many in 1.5 s, ten times as many in a minute */

static bool mend(throng_draft *draft, const char *what, const throng_point *points, int32_t count,
                 GEOSGeometry **polygon, throng_error *error)
{
    throng_geos *geos = &draft->geos;
    throng_point where;
    char simple = throng_geos_simple(geos, *polygon, &where);
    if (simple == 1)
        return true;
    int32_t crossings = simple == 0 ? throng_ring_crossings(points, count, MOST_CROSSINGS) : 0;
    if (crossings < 0)
        return throng_fail(error, "out of memory for %s", what);
    if (crossings > MOST_CROSSINGS)
        return throng_fail(error,
                           "%s crosses itself more than %d times, as at (%g, %g): give its corners in order, once "
                           "round, or make several outlines of it",
                           what, MOST_CROSSINGS, where.x, where.y);
    if (simple != 0 || !throng_geos_replace(geos, polygon, GEOSMakeValid_r(geos->handle, *polygon)) ||
        !throng_geos_replace(geos, polygon, polygons_of(geos, *polygon)))
        return throng_geos_fail(geos, draft->path, error);
    return note(draft, THRONG_FINDING_CROSSING, where, what,
                "crosses or touches itself; areas that it goes round an odd number of times were taken", error);
}

bool throng_draft_sound(throng_draft *draft, const char *what, const throng_point *points, int32_t count,
                        GEOSGeometry **sound, throng_error *error)
{
    double area = 0;
    *sound = NULL;
    if (!throng_geos_check_points(what, points, count, error))
        return false;
    if (count < 3)
        return note(draft, THRONG_FINDING_SOURCE, count ? points[0] : (throng_point){NAN, NAN}, what,
                    "has fewer than three points and was left out", error);
    if (throng_points_on_line(points, count))
        return note(draft, THRONG_FINDING_SOURCE, points[0], what, "has no area and was left out", error);
    GEOSGeometry *polygon = throng_geos_polygon(&draft->geos, points, count);
    if (!polygon)
        return throng_geos_fail(&draft->geos, draft->path, error);
    bool fine = mend(draft, what, points, count, &polygon, error);
    if (fine && GEOSArea_r(draft->geos.handle, polygon, &area) && area > 0) {
        *sound = polygon;
        return true;
    }
    throng_geos_free(&draft->geos, polygon);
    return fine && note(draft, THRONG_FINDING_SOURCE, points[0], what, "has no area and was left out", error);
}

static bool add(throng_draft *draft, throng_drawing *into, const char *what, const throng_point *points, int32_t count,
                throng_error *error)
{
    GEOSGeometry *sound;
    if (!throng_draft_sound(draft, what, points, count, &sound, error))
        return false;
    return !sound || throng_draft_take(draft, into, what, points[0], sound, error);
}

bool throng_draft_floor(throng_draft *draft, const char *what, const throng_point *points, int32_t count,
                        throng_error *error)
{
    return add(draft, &draft->floors, what, points, count, error);
}

static bool keep_face(throng_map *map, const throng_point *points, int32_t count)
{
    if (!map->faces)
        map->faces = calloc(1, sizeof *map->faces);
    bool fine = map->faces && throng_ring_list_begin(map->faces);
    for (int32_t i = 0; fine && i < count; i++)
        fine = throng_ring_list_add(map->faces, points[i]);
    return fine;
}

bool throng_draft_face(throng_draft *draft, const char *what, const throng_point *points, int32_t count,
                       throng_error *error)
{
    bool area = count >= 3 && !throng_points_on_line(points, count); /* else it is left out as a floor, too */
    return throng_draft_floor(draft, what, points, count, error) &&
           (!area || keep_face(&draft->held, points, count) || throng_fail(error, "%s: out of memory", draft->path));
}

bool throng_draft_wall(throng_draft *draft, const char *what, const throng_point *points, int32_t count,
                       throng_error *error)
{
    return add(draft, &draft->walls, what, points, count, error);
}

bool throng_draft_wall_line(throng_draft *draft, const char *what, const throng_point *points, int32_t count,
                            double thickness, throng_error *error)
{
    throng_geos *geos = &draft->geos;
    if (!throng_geos_check_points(what, points, count, error))
        return false;
    if (count < 2)
        return note(draft, THRONG_FINDING_SOURCE, count ? points[0] : (throng_point){NAN, NAN}, what,
                    "has fewer than two points and was left out", error);
    GEOSGeometry *line = throng_geos_line(geos, points, count);
    if (!line)
        return throng_geos_fail(geos, draft->path, error);
    throng_geos_replace(
        geos, &line,
        GEOSBufferWithStyle_r(geos->handle, line, 0.5 * thickness, 4, GEOSBUF_CAP_SQUARE, GEOSBUF_JOIN_MITRE, 2));
    return throng_draft_take(draft, &draft->walls, what, points[0], line, error);
}

/* The outer ring of each polygon as a region; regions have no holes. */
static bool add_regions(throng_draft *draft, const throng_ring_list *rings, const char *name, const char *group,
                        int32_t *added, throng_error *error)
{
    for (int32_t r = 0; r < rings->count; r++) {
        const throng_point *points = rings->points + rings->start[r];
        int32_t count = throng_ring_list_end(rings, r) - rings->start[r];
        if (throng_ring_area(points, count) <= 0)
            continue;
        if (!throng_map_add_region(&draft->held, name, points, count, error))
            return false;
        throng_region *region = &draft->held.regions[draft->held.region_count - 1];
        if (group && !(region->group = strdup(group)))
            return throng_fail(error, "%s: out of memory", draft->path);
        ++*added;
    }
    return true;
}

bool throng_draft_region(throng_draft *draft, const char *what, const char *name, const char *group,
                         const throng_point *points, int32_t count, int32_t *added, throng_error *error)
{
    throng_ring_list rings = {0};
    GEOSGeometry *sound;
    int32_t none = 0;
    added = added ? added : &none;
    *added = 0;
    if (!throng_draft_sound(draft, what, points, count, &sound, error))
        return false;
    if (!sound)
        return true;
    bool fine = throng_geos_rings(&draft->geos, sound, &rings) || throng_geos_fail(&draft->geos, draft->path, error);
    fine = fine && add_regions(draft, &rings, name, group, added, error);
    throng_ring_list_fini(&rings);
    throng_geos_free(&draft->geos, sound);
    return fine;
}

GEOSGeometry *throng_draft_unite(throng_geos *geos, const throng_drawing *drawing)
{
    if (drawing->count == 0)
        return GEOSGeom_createEmptyPolygon_r(geos->handle);
    GEOSGeometry **parts = malloc((size_t)drawing->count * sizeof(GEOSGeometry *));
    for (int32_t i = 0; parts && i < drawing->count; i++)
        parts[i] = GEOSGeom_clone_r(geos->handle, drawing->list[i].shape);
    GEOSGeometry *all = parts ? throng_geos_collect(geos, GEOS_GEOMETRYCOLLECTION, parts, drawing->count) : NULL;
    free(parts);
    if (all)
        throng_geos_replace(geos, &all, GEOSUnaryUnion_r(geos->handle, all));
    return all;
}

/* A wall that does not even touch the floor holds nobody off. */
static bool check_walls(throng_draft *draft, const GEOSGeometry *space, throng_error *error)
{
    throng_geos *geos = &draft->geos;
    const GEOSPreparedGeometry *prepared = GEOSPrepare_r(geos->handle, space);
    bool fine = prepared || throng_geos_fail(geos, draft->path, error);
    for (int32_t i = 0; fine && i < draft->walls.count; i++) {
        const throng_drawn *wall = &draft->walls.list[i];
        if (GEOSPreparedIntersects_r(geos->handle, prepared, wall->shape) == 0)
            fine = note(draft, THRONG_FINDING_HOLE, wall->at, wall->what,
                        "is not an obstacle: it lies outside of the floor", error);
    }
    if (prepared)
        GEOSPreparedGeom_destroy_r(geos->handle, prepared);
    return fine;
}

throng_map *throng_draft_finish(throng_draft *draft, throng_error *error)
{
    throng_geos *geos = &draft->geos;
    bool open = draft->floors.count == 0;
    GEOSGeometry *solid = throng_draft_unite(geos, &draft->walls),
                 *space = open ? NULL : throng_draft_unite(geos, &draft->floors);
    throng_map *map = NULL;
    if (!solid || (!open && !space))
        throng_geos_fail(geos, draft->path, error);
    else if (open || check_walls(draft, space, error))
        map = throng_geos_map(geos, draft->path, space, solid, error);
    throng_geos_free(geos, solid);
    throng_geos_free(geos, space);
    if (!map)
        return NULL;
    throng_map made = draft->held;
    map->regions = made.regions;
    map->region_count = made.region_count;
    map->doors = made.doors;
    map->door_count = made.door_count;
    map->properties = made.properties;
    map->findings = made.findings;
    map->faces = made.faces;
    draft->held = (throng_map){0};
    return map;
}

bool throng_draft_door(throng_draft *draft, const char *what, const char *name, const throng_point *points,
                       int32_t count, throng_error *error)
{
    throng_point a = {0, 0}, b = {0, 0};
    if (!throng_geos_check_points(what, points, count, error))
        return false;
    if (count < 2)
        return throng_fail(error, "%s has fewer than two points: draw a line or a polygon across the opening", what);
    a = points[0];
    b = points[count - 1];
    if (count > 2 && !throng_geos_middle_line(&draft->geos, points, count, &a, &b))
        return throng_fail(error, "%s has no area: draw a line or a polygon across the opening", what);
    return throng_map_add_door(&draft->held, name, a, b, error);
}
