#include "map_enclose.h"

#include <math.h>
#include <stdlib.h>

#include "map_findings.h"

#define DOOR  0.05 /* m: lines across openings reach so far into the walls beside them */
#define ROOMS 0.5  /* so much of a building is rooms, and not wall: houses in a street are solid */

/* The walls with their openings shut. */
static GEOSGeometry *shut(throng_draft *draft)
{
    throng_geos *geos = &draft->geos;
    GEOSGeometry *all = throng_draft_unite(geos, &draft->walls);
    for (int32_t i = 0; all && i < draft->held.door_count; i++) {
        const throng_point ends[2] = {draft->held.doors[i].a, draft->held.doors[i].b};
        GEOSGeometry *door = throng_geos_line(geos, ends, 2);
        if (door)
            throng_geos_replace(
                geos, &door,
                GEOSBufferWithStyle_r(geos->handle, door, DOOR, 4, GEOSBUF_CAP_SQUARE, GEOSBUF_JOIN_MITRE, 2));
        throng_geos_replace(geos, &all, door ? GEOSUnion_r(geos->handle, all, door) : NULL);
        throng_geos_free(geos, door);
    }
    return all;
}

/* The same without holes. */
static GEOSGeometry *fill(throng_geos *geos, const GEOSGeometry *solid)
{
    int count = GEOSGetNumGeometries_r(geos->handle, solid), made = 0;
    GEOSGeometry **parts = malloc((size_t)(count > 0 ? count : 1) * sizeof *parts);
    for (int i = 0; parts && i < count; i++) {
        const GEOSGeometry *part = GEOSGetGeometryN_r(geos->handle, solid, i);
        if (GEOSGeomTypeId_r(geos->handle, part) != GEOS_POLYGON || GEOSisEmpty_r(geos->handle, part))
            continue;
        GEOSGeometry *ring = GEOSGeom_clone_r(geos->handle, GEOSGetExteriorRing_r(geos->handle, part));
        parts[made++] = ring ? GEOSGeom_createPolygon_r(geos->handle, ring, NULL, 0) : NULL;
    }
    GEOSGeometry *all = parts ? throng_geos_collect(geos, GEOS_MULTIPOLYGON, parts, made) : NULL;
    free(parts);
    if (all)
        throng_geos_replace(geos, &all, GEOSUnaryUnion_r(geos->handle, all));
    return all;
}

static bool holds_regions(throng_draft *draft, const GEOSGeometry *inside)
{
    throng_geos *geos = &draft->geos;
    const GEOSPreparedGeometry *prepared = GEOSPrepare_r(geos->handle, inside);
    bool holds = prepared != NULL;
    for (int32_t r = 0; holds && r < draft->held.region_count; r++) {
        const throng_region *region = &draft->held.regions[r];
        GEOSGeometry *area = throng_geos_polygon(geos, region->points, region->count);
        holds = area && GEOSPreparedCovers_r(geos->handle, prepared, area) == 1;
        throng_geos_free(geos, area);
    }
    if (prepared)
        GEOSPreparedGeom_destroy_r(geos->handle, prepared);
    return holds;
}

bool throng_draft_enclose(throng_draft *draft, throng_error *error)
{
    throng_geos *geos = &draft->geos;
    double walls = 0, inside = 0;
    if (draft->walls.count == 0) /* what was to be one has no area */
        return true;
    GEOSGeometry *solid = shut(draft), *filled = solid ? fill(geos, solid) : NULL;
    bool fine = filled && GEOSArea_r(geos->handle, solid, &walls) && GEOSArea_r(geos->handle, filled, &inside);
    throng_geos_free(geos, solid);
    if (!fine) {
        throng_geos_free(geos, filled);
        return throng_geos_fail(geos, draft->path, error);
    }
    if (inside - walls < ROOMS * inside || !holds_regions(draft, filled)) {
        throng_geos_free(geos, filled);
        return true;
    }
    const throng_point nowhere = {NAN, NAN};
    return throng_draft_take(draft, &draft->floors, "what the walls enclose", draft->walls.list[0].at, filled, error) &&
           (throng_findings_add(&draft->held.findings, THRONG_FINDING_SOURCE, nowhere, nowhere,
                                "nothing is the boundary: what lies outside of the outermost walls is left out") ||
            throng_fail(error, "%s: out of memory", draft->path));
}
