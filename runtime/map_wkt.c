/* Well-known text: JuPedSim's geometry. One POLYGON with holes, a MULTIPOLYGON, or a GEOMETRYCOLLECTION of them;
 * they are united. Holes are walls. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "map_draft.h"
#include "map_file.h"
#include "map_findings.h"
#include "map_readers.h"

typedef struct reading {
    throng_draft draft;
    int polygons;
} reading;

/* A ring's own points, the first not repeated; NULL when memory is out. */
static throng_point *ring_points(throng_geos *geos, const GEOSGeometry *ring, int32_t *count)
{
    const GEOSCoordSequence *sequence = GEOSGeom_getCoordSeq_r(geos->handle, ring);
    unsigned size = 0;
    if (!sequence || !GEOSCoordSeq_getSize_r(geos->handle, sequence, &size))
        return NULL;
    *count = size ? (int32_t)size - 1 : 0;
    throng_point *points = malloc((size_t)(size + 1) * sizeof *points);
    for (int32_t i = 0; points && i < *count; i++)
        GEOSCoordSeq_getXY_r(geos->handle, sequence, (unsigned)i, &points[i].x, &points[i].y);
    return points;
}

static bool sound_ring(reading *in, const char *what, const GEOSGeometry *ring, GEOSGeometry **sound,
                       throng_point *first, throng_error *error)
{
    int32_t count;
    throng_point *points = ring_points(&in->draft.geos, ring, &count);
    if (!points)
        return throng_geos_fail(&in->draft.geos, in->draft.path, error);
    *first = count ? points[0] : (throng_point){0, 0};
    bool fine = throng_draft_sound(&in->draft, what, points, count, sound, error);
    free(points);
    return fine || throng_fail_in(error, "%s", in->draft.path);
}

/* Why a hole is none; NULL when it is one. */
static const char *no_hole(throng_geos *geos, const GEOSGeometry *shell, const GEOSGeometry *hole)
{
    if (GEOSContains_r(geos->handle, shell, hole) == 1)
        return NULL;
    if (GEOSIntersects_r(geos->handle, shell, hole) == 1)
        return "is no hole: it crosses its polygon's outline, which has an opening there now";
    return "is no hole: it lies outside of its polygon";
}

static bool note(reading *in, const char *what, const char *why, throng_point at, throng_error *error)
{
    return throng_findings_add(&in->draft.held.findings, THRONG_FINDING_HOLE, at, at, "%s %s", what, why) ||
           throng_fail(error, "%s: out of memory", in->draft.path);
}

static bool cut_hole(reading *in, const GEOSGeometry *polygon, int hole, const GEOSGeometry *shell, GEOSGeometry **rest,
                     throng_error *error)
{
    throng_geos *geos = &in->draft.geos;
    char what[64];
    snprintf(what, sizeof what, "hole %d of polygon %d", hole + 1, in->polygons);
    GEOSGeometry *sound;
    throng_point at;
    if (!sound_ring(in, what, GEOSGetInteriorRingN_r(geos->handle, polygon, hole), &sound, &at, error))
        return false;
    if (!sound)
        return true;
    const char *why = no_hole(geos, shell, sound);
    if (!why && GEOSContains_r(geos->handle, *rest, sound) != 1)
        why = "overlaps a hole before it";
    bool fine = !why || note(in, what, why, at, error);
    if (fine && !throng_geos_replace(geos, rest, GEOSDifference_r(geos->handle, *rest, sound)))
        fine = throng_geos_fail(geos, in->draft.path, error);
    throng_geos_free(geos, sound);
    return fine;
}

static bool add_polygon(reading *in, const GEOSGeometry *polygon, throng_error *error)
{
    throng_geos *geos = &in->draft.geos;
    char what[64];
    throng_point at;
    GEOSGeometry *shell = NULL;
    in->polygons++;
    if (GEOSisEmpty_r(geos->handle, polygon))
        return true;
    snprintf(what, sizeof what, "polygon %d", in->polygons);
    if (!sound_ring(in, what, GEOSGetExteriorRing_r(geos->handle, polygon), &shell, &at, error))
        return false;
    if (!shell)
        return true;
    GEOSGeometry *rest = GEOSGeom_clone_r(geos->handle, shell);
    bool fine = rest || throng_geos_fail(geos, in->draft.path, error);
    for (int h = 0, holes = GEOSGetNumInteriorRings_r(geos->handle, polygon); fine && h < holes; h++)
        fine = cut_hole(in, polygon, h, shell, &rest, error);
    throng_geos_free(geos, shell);
    if (!fine) {
        throng_geos_free(geos, rest);
        return false;
    }
    return throng_draft_take(&in->draft, &in->draft.floors, rest, error);
}

static bool add_all(reading *in, const GEOSGeometry *geometry, throng_error *error)
{
    throng_geos *geos = &in->draft.geos;
    int type = GEOSGeomTypeId_r(geos->handle, geometry);
    if (type == GEOS_POLYGON)
        return add_polygon(in, geometry, error);
    if (type != GEOS_MULTIPOLYGON && type != GEOS_GEOMETRYCOLLECTION) {
        char *name = GEOSGeomType_r(geos->handle, geometry);
        throng_fail(error, "%s: holds a %s: give the floor as POLYGON, MULTIPOLYGON or a GEOMETRYCOLLECTION of those",
                    in->draft.path, name ? name : "geometry");
        GEOSFree_r(geos->handle, name);
        return false;
    }
    for (int i = 0, parts = GEOSGetNumGeometries_r(geos->handle, geometry); i < parts; i++)
        if (!add_all(in, GEOSGetGeometryN_r(geos->handle, geometry, i), error))
            return false;
    return true;
}

static GEOSGeometry *parse(throng_geos *geos, const char *path, throng_error *error)
{
    throng_bytes file;
    if (!throng_file_read(path, &file, error))
        return NULL;
    while (file.size && strchr(" \t\r\n", file.data[file.size - 1]))
        file.data[--file.size] = 0;
    GEOSWKTReader *reader = GEOSWKTReader_create_r(geos->handle);
    GEOSGeometry *geometry = NULL;
    if (file.size == 0)
        throng_fail(error, "%s: the file is empty: give a POLYGON ((x y, ...), (hole), ...)", path);
    else if (reader)
        geometry = GEOSWKTReader_read_r(geos->handle, reader, (const char *)file.data);
    if (!geometry && file.size)
        throng_fail(error, "%s: is no well-known text (%s): give a POLYGON ((x y, ...), (hole), ...)", path,
                    geos->text[0] ? geos->text : "out of memory");
    if (reader)
        GEOSWKTReader_destroy_r(geos->handle, reader);
    free(file.data);
    return geometry;
}

static throng_map *build(reading *in, const char *path, throng_error *error)
{
    throng_geos *geos = &in->draft.geos;
    GEOSGeometry *geometry = parse(geos, path, error);
    if (!geometry)
        return NULL;
    throng_map *map = NULL;
    if (add_all(in, geometry, error)) {
        if (in->draft.floors.count)
            map = throng_draft_finish(&in->draft, error);
        else
            throng_fail(error, "%s: no polygon in it has an area", path);
    }
    throng_geos_free(geos, geometry);
    return map;
}

throng_map *throng_map_read_wkt(const char *path, const throng_map_options *options, throng_map_report *report,
                                throng_error *error)
{
    reading in = {.polygons = 0};
    throng_map *map = NULL;
    (void)options;
    report->format = "well-known text";
    if (throng_draft_init(&in.draft, path, error))
        map = build(&in, path, error);
    throng_draft_fini(&in.draft);
    return map;
}
