#include "map_lint.h"

#include <stdlib.h>
#include <string.h>

#include "map/geometry.h"
#include "map/map_findings.h"
#include "map/map_geos.h"
#include "navmesh_lifts.h"

static bool copy_findings(const throng_map *map, throng_findings *findings)
{
    for (int32_t i = 0; i < map->findings.count; i++) {
        const throng_finding *f = &map->findings.list[i];
        if (!throng_findings_add(findings, f->kind, f->at, f->to, "%s", f->text))
            return false;
    }
    return true;
}

static bool note_area(throng_findings *findings, throng_point at, double area)
{
    return throng_findings_add(findings, THRONG_FINDING_REACH, at, at,
                               "an area of %.1f m2 cannot be reached from the rest", area);
}

/* m^2: a nook in which one agent could stand, but into which nobody comes, is no area. */
static const double NOOK = 0.5;

/* --- areas of the mesh */

static double face_area(const throng_navmesh *mesh, int32_t face, throng_point *centre)
{
    int32_t first = mesh->face_start[face], end = mesh->face_start[face + 1];
    throng_point a = {mesh->ax[first], mesh->ay[first]};
    double twice = 0;
    *centre = (throng_point){0, 0};
    for (int32_t e = first; e < end; e++) {
        throng_point b = {mesh->ax[e], mesh->ay[e]}, c = {mesh->bx[e], mesh->by[e]};
        twice += throng_turn(a, b, c);
        centre->x += b.x / (end - first);
        centre->y += b.y / (end - first);
    }
    return 0.5 * twice;
}

/* An area is shown at its largest face. */
typedef struct part {
    double area, largest;
    throng_point at;
} part;

static bool parts_of_mesh(const throng_navmesh *mesh, throng_findings *findings)
{
    part *parts = calloc((size_t)mesh->component_count + 1, sizeof *parts);
    int32_t *component = malloc(((size_t)mesh->component_count + 1) * sizeof *component);
    bool fine = parts && component;
    if (fine)
        throng_navmesh_join_by_lifts(mesh, component);
    for (int32_t f = 0; fine && f < mesh->face_count; f++) {
        part *p = &parts[component[mesh->component[f]]];
        throng_point centre;
        double area = face_area(mesh, f, &centre);
        p->area += area;
        if (area > p->largest) {
            p->largest = area;
            p->at = throng_navmesh_place(mesh, f, centre);
        }
    }
    for (int32_t i = 1; fine && i < mesh->component_count; i++)
        fine = parts[i].area < NOOK || note_area(findings, parts[i].at, parts[i].area);
    free(parts);
    free(component);
    return fine;
}

/* --- areas of the walls */

static bool note_polygon(throng_geos *geos, const GEOSGeometry *polygon, throng_findings *findings)
{
    throng_point at = {0, 0};
    double area = 0;
    GEOSGeometry *inside = GEOSPointOnSurface_r(geos->handle, polygon);
    bool fine = inside && GEOSGeomGetX_r(geos->handle, inside, &at.x) && GEOSGeomGetY_r(geos->handle, inside, &at.y) &&
                GEOSArea_r(geos->handle, polygon, &area) && note_area(findings, at, area);
    throng_geos_free(geos, inside);
    return fine;
}

static int32_t largest_of(throng_geos *geos, const GEOSGeometry *space, int32_t count)
{
    int32_t largest = 0;
    double most = 0, area;
    for (int32_t i = 0; i < count; i++)
        if (GEOSArea_r(geos->handle, GEOSGetGeometryN_r(geos->handle, space, i), &area) && area > most) {
            most = area;
            largest = i;
        }
    return largest;
}

static bool parts_of_walls(const throng_map *map, throng_findings *findings, throng_error *error)
{
    throng_geos geos;
    if (!throng_geos_init(&geos, error))
        return false;
    GEOSGeometry *space = throng_geos_free_space(&geos, map, 1e3);
    int32_t count = space ? GEOSGetNumGeometries_r(geos.handle, space) : 0;
    int32_t largest = count > 1 ? largest_of(&geos, space, count) : 0;
    bool fine = space != NULL;
    for (int32_t i = 0; fine && i < count; i++)
        fine = i == largest || note_polygon(&geos, GEOSGetGeometryN_r(geos.handle, space, i), findings);
    if (!fine)
        throng_geos_fail(&geos, map->name, error);
    throng_geos_free(&geos, space);
    throng_geos_fini(&geos);
    return fine;
}

/* Of a building only its mesh knows what reaches what. */
static bool parts_of(const throng_map *map, const throng_navmesh *mesh, throng_findings *findings, throng_error *error)
{
    throng_navmesh *own = NULL;
    if (!mesh && !map->sheets)
        return parts_of_walls(map, findings, error);
    if (!mesh && !(own = throng_navmesh_build(map, 0, error)))
        return false;
    bool fine = parts_of_mesh(mesh ? mesh : own, findings) || throng_fail(error, "%s: out of memory", map->name);
    throng_navmesh_destroy(own);
    return fine;
}

/* --- all */

static bool sort_by_kind(throng_findings *findings, int32_t first)
{
    throng_finding *sorted = malloc(((size_t)findings->count + 1) * sizeof *sorted);
    int32_t count = first;
    for (int kind = 0; sorted && kind < THRONG_FINDING_COUNT; kind++)
        for (int32_t i = first; i < findings->count; i++)
            if ((int)findings->list[i].kind == kind)
                sorted[count++] = findings->list[i];
    for (int32_t i = first; sorted && i < count; i++)
        findings->list[i] = sorted[i];
    free(sorted);
    return sorted != NULL;
}

bool throng_map_lint(const throng_map *map, double radius, const throng_navmesh *mesh, throng_findings *findings,
                     throng_error *error)
{
    int32_t first = findings->count;
    if (!copy_findings(map, findings))
        return throng_fail(error, "%s: out of memory", map->name);
    if (!throng_map_lint_gaps(map, 2 * radius, findings, error))
        return false;
    if (!parts_of(map, mesh, findings, error))
        return false;
    if (!throng_map_lint_regions(map, radius, findings, error))
        return false;
    return sort_by_kind(findings, first) || throng_fail(error, "%s: out of memory", map->name);
}
