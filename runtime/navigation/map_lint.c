#include "map_lint.h"

#include <stdlib.h>
#include <string.h>

#include "map/building.h"
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

/* --- areas of the mesh */

/* An area is shown at its largest face. */
typedef struct part {
    double area, largest;
    throng_point at;
    int32_t face;
} part;

/* What is known of the areas of a mesh. */
typedef struct areas {
    const throng_map *map;
    const throng_navmesh *mesh;
    int32_t *component; /* [components] those that lifts join are one */
    double *island;     /* [faces] of buildings, see throng_map_lint_islands; else NULL */
    part *parts;        /* [components] */
} areas;

/* Is no more than a nook of the floor in the first area? */
static bool is_lost(const areas *all, int32_t sheet)
{
    const throng_navmesh *mesh = all->mesh;
    for (int32_t f = 0; f < mesh->face_count; f++)
        if (mesh->sheet[f] == sheet && all->component[mesh->component[f]] == 0 && all->island[f] >= THRONG_MAP_NOOK)
            return false;
    return true;
}

static bool note_part(const areas *all, const part *p, throng_findings *findings)
{
    const throng_navmesh *mesh = all->mesh;
    const throng_map_sheet *sheet = mesh->sheet ? &all->map->sheets->list[mesh->sheet[p->face]] : NULL;
    if (!sheet)
        return note_area(findings, p->at, p->area);
    const char *kind = throng_sheet_kinds[sheet->kind];
    if (!sheet->flight && is_lost(all, mesh->sheet[p->face]))
        return throng_findings_add(findings, THRONG_FINDING_REACH, p->at, p->at,
                                   "nobody reaches %s \"%s\" (%.1f m2): no stairs, ramp, escalator or lift leads from "
                                   "the rest there",
                                   kind, sheet->name, p->area);
    return throng_findings_add(findings, THRONG_FINDING_REACH, p->at, p->at,
                               "an area of %.1f m2 on %s \"%s\" cannot be reached from the rest", p->area, kind,
                               sheet->name);
}

static void sum_up(areas *all)
{
    throng_navmesh_join_by_lifts(all->mesh, all->component);
    for (int32_t f = 0; f < all->mesh->face_count; f++) {
        part *p = &all->parts[all->component[all->mesh->component[f]]];
        throng_point centre;
        double area = throng_map_lint_face(all->mesh, f, &centre);
        p->area += area;
        if (area > p->largest) {
            p->largest = area;
            p->face = f;
            p->at = throng_navmesh_place(all->mesh, f, centre);
        }
    }
}

static bool parts_of_mesh(const throng_map *map, const throng_navmesh *mesh, throng_findings *findings)
{
    size_t components = (size_t)mesh->component_count + 1;
    areas all = {.map = map,
                 .mesh = mesh,
                 .component = malloc(components * sizeof *all.component),
                 .island = mesh->sheet ? malloc(((size_t)mesh->face_count + 1) * sizeof *all.island) : NULL,
                 .parts = calloc(components, sizeof *all.parts)};
    bool fine = all.component && all.parts;
    if (fine && mesh->sheet)
        fine = all.island && throng_map_lint_islands(mesh, all.island) &&
               throng_map_lint_seams(map, mesh, all.island, findings);
    if (fine)
        sum_up(&all);
    for (int32_t i = 1; fine && i < mesh->component_count; i++)
        fine = all.parts[i].area < THRONG_MAP_NOOK || note_part(&all, &all.parts[i], findings);
    free(all.component);
    free(all.island);
    free(all.parts);
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
static bool parts_of(const throng_map *map, double radius, const throng_navmesh *mesh, throng_findings *findings,
                     throng_error *error)
{
    throng_navmesh *own = NULL;
    if (!mesh && !map->sheets)
        return parts_of_walls(map, findings, error);
    if (!mesh && !(mesh = own = throng_navmesh_build(map, radius, error)))
        return false;
    bool fine = parts_of_mesh(map, mesh, findings) || throng_fail(error, "%s: out of memory", map->name);
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
    if (!parts_of(map, radius, mesh, findings, error))
        return false;
    if (!throng_map_lint_regions(map, radius, findings, error))
        return false;
    return sort_by_kind(findings, first) || throng_fail(error, "%s: out of memory", map->name);
}
