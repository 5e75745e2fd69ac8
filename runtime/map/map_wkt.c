/* Well-known text: JuPedSim's geometry. One POLYGON with holes, a MULTIPOLYGON, or a GEOMETRYCOLLECTION of them;
 * they are united. Holes are walls. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "map_draft.h"
#include "base/file.h"
#include "map_findings.h"
#include "map_readers.h"

enum { DEEPEST = 64 };

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

/* One hole, sound (NULL: without an area), and where it begins. */
typedef struct hole {
    GEOSGeometry *area;
    throng_point at;
    throng_bounds box;
} hole;

static bool note(reading *in, int which, const char *why, throng_point at, throng_error *error)
{
    return throng_findings_add(&in->draft.held.findings, THRONG_FINDING_HOLE, at, at, "hole %d of polygon %d %s",
                               which + 1, in->polygons, why) ||
           throng_fail(error, "%s: out of memory", in->draft.path);
}

static bool read_hole(reading *in, const GEOSGeometry *polygon, int which, hole *to, throng_error *error)
{
    throng_geos *geos = &in->draft.geos;
    char what[64];
    snprintf(what, sizeof what, "hole %d of polygon %d", which + 1, in->polygons);
    if (!sound_ring(in, what, GEOSGetInteriorRingN_r(geos->handle, polygon, which), &to->area, &to->at, error))
        return false;
    if (to->area) {
        GEOSGeom_getXMin_r(geos->handle, to->area, &to->box.x0);
        GEOSGeom_getYMin_r(geos->handle, to->area, &to->box.y0);
        GEOSGeom_getXMax_r(geos->handle, to->area, &to->box.x1);
        GEOSGeom_getYMax_r(geos->handle, to->area, &to->box.y1);
    }
    return true;
}

static bool check_in_shell(reading *in, const GEOSPreparedGeometry *shell, const hole *holes, int which,
                           throng_error *error)
{
    throng_geos *geos = &in->draft.geos;
    const hole *h = &holes[which];
    if (!h->area || GEOSPreparedContains_r(geos->handle, shell, h->area) == 1)
        return true;
    bool crosses = GEOSPreparedIntersects_r(geos->handle, shell, h->area) == 1;
    return note(in, which,
                crosses ? "is not a hole: it crosses its polygon's outline, which has an opening there now"
                        : "is not a hole: it lies outside of its polygon",
                h->at, error);
}

/* Holes may touch, but one within or over another is a mistake. */
static bool check_overlap(reading *in, const hole *holes, int which, throng_error *error)
{
    const hole *h = &holes[which];
    for (int i = 0; h->area && i < which; i++) {
        const hole *o = &holes[i];
        if (o->area && o->box.x0 < h->box.x1 && h->box.x0 < o->box.x1 && o->box.y0 < h->box.y1 &&
            h->box.y0 < o->box.y1 && GEOSRelatePattern_r(in->draft.geos.handle, o->area, h->area, "T********") == 1)
            return note(in, which, "overlaps a hole before it", h->at, error);
    }
    return true;
}

static bool check_holes(reading *in, const GEOSGeometry *shell, const hole *holes, int count, throng_error *error)
{
    throng_geos *geos = &in->draft.geos;
    const GEOSPreparedGeometry *prepared = GEOSPrepare_r(geos->handle, shell);
    bool fine = prepared || throng_geos_fail(geos, in->draft.path, error);
    for (int i = 0; fine && i < count; i++)
        fine = check_in_shell(in, prepared, holes, i, error) && check_overlap(in, holes, i, error);
    if (prepared)
        GEOSPreparedGeom_destroy_r(geos->handle, prepared);
    return fine;
}

/* The shell, which is used up, less the holes, which are, too. */
static GEOSGeometry *cut_holes(throng_geos *geos, GEOSGeometry *shell, hole *holes, int count)
{
    GEOSGeometry **list = malloc(((size_t)count + 1) * sizeof *list);
    int32_t used = 0;
    for (int i = 0; list && i < count; i++) {
        if (holes[i].area)
            list[used++] = holes[i].area;
        holes[i].area = NULL;
    }
    GEOSGeometry *all = list ? throng_geos_collect(geos, GEOS_GEOMETRYCOLLECTION, list, used) : NULL;
    free(list);
    if (all)
        throng_geos_replace(geos, &all, GEOSUnaryUnion_r(geos->handle, all));
    if (!all || used)
        throng_geos_replace(geos, &shell, all ? GEOSDifference_r(geos->handle, shell, all) : NULL);
    throng_geos_free(geos, all);
    return shell;
}

static bool add_holes(reading *in, const GEOSGeometry *polygon, const char *what, throng_point at, GEOSGeometry *shell,
                      throng_error *error)
{
    throng_geos *geos = &in->draft.geos;
    int count = GEOSGetNumInteriorRings_r(geos->handle, polygon);
    hole *holes = calloc((size_t)count + 1, sizeof *holes);
    bool fine = holes || throng_fail(error, "%s: out of memory", in->draft.path);
    for (int i = 0; fine && i < count; i++)
        fine = read_hole(in, polygon, i, &holes[i], error);
    fine = fine && check_holes(in, shell, holes, count, error);
    if (fine)
        shell = cut_holes(geos, shell, holes, count);
    for (int i = 0; holes && i < count; i++)
        throng_geos_free(geos, holes[i].area);
    free(holes);
    if (fine)
        return throng_draft_take(&in->draft, &in->draft.floors, what, at, shell, error);
    throng_geos_free(geos, shell);
    return false;
}

static bool add_polygon(reading *in, const GEOSGeometry *polygon, throng_error *error)
{
    throng_geos *geos = &in->draft.geos;
    char what[64];
    throng_point at;
    GEOSGeometry *shell;
    in->polygons++;
    if (GEOSisEmpty_r(geos->handle, polygon))
        return true;
    snprintf(what, sizeof what, "polygon %d", in->polygons);
    if (!sound_ring(in, what, GEOSGetExteriorRing_r(geos->handle, polygon), &shell, &at, error))
        return false;
    return !shell || add_holes(in, polygon, what, at, shell, error);
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

/* GEOS reads brackets within brackets by recursion. Where there are too many, or NULL. */
static const char *too_deep(const char *text)
{
    int depth = 0;
    for (; *text; text++) {
        depth += (*text == '(') - (*text == ')');
        if (depth > DEEPEST)
            return text;
    }
    return NULL;
}

/* True when nothing is wrong with the first `length` characters but that there are no more of them. */
static bool ends_early(throng_geos *geos, GEOSWKTReader *reader, char *text, size_t length)
{
    char kept = text[length];
    text[length] = 0;
    geos->text[0] = 0;
    GEOSGeometry *geometry = GEOSWKTReader_read_r(geos->handle, reader, text);
    text[length] = kept;
    throng_geos_free(geos, geometry);
    return geometry || strstr(geos->text, "end of stream");
}

/* The end of a word between two places, the one nearest to the middle from there on or else before it; `high` when
 * there is none. */
static size_t word_between(const char *text, size_t low, size_t high)
{
    static const char marks[] = " \t\r\n(),";
    size_t middle = low + (high - low + 1) / 2, at = middle;
    while (at < high && !strchr(marks, text[at]))
        at++;
    for (; at == high && middle > low; middle--)
        if (strchr(marks, text[middle]))
            return middle;
    return at;
}

/* Where reading stops, as GEOS does not say: the end of the shortest beginning, in whole words, that fails for another
 * reason than that it ends. Leaves that reason in geos->text. */
static const char *stop_of(throng_geos *geos, GEOSWKTReader *reader, char *text)
{
    size_t low = 0, high = strlen(text);
    if (ends_early(geos, reader, text, high))
        return text + high;
    for (size_t at; (at = word_between(text, low, high)) < high;) {
        if (ends_early(geos, reader, text, at))
            low = at;
        else
            high = at;
    }
    ends_early(geos, reader, text, strlen(text));
    return text + high - (high > 0);
}

static void fail_at(const char *path, const char *text, const char *at, const char *why, throng_error *error)
{
    int line = 1, column = 1;
    for (const char *c = text; c < at; c++, column++)
        if (*c == '\n') {
            line++;
            column = 0;
        }
    throng_fail(error, "%s:%d: column %d: this is not well-known text (%s%s): give a POLYGON ((x y, ...), (hole), ...)",
                path, line, column, why, *at ? "" : "; the text ends there");
}

static void fail_to_parse(throng_geos *geos, GEOSWKTReader *reader, const char *path, const char *text,
                          throng_error *error)
{
    char *copy = strdup(text);
    if (copy)
        fail_at(path, copy, stop_of(geos, reader, copy), geos->text, error);
    else
        throng_fail(error, "%s: out of memory", path);
    free(copy);
}

static GEOSGeometry *parse(throng_geos *geos, const char *path, const char *text, throng_error *error)
{
    const char *deep = too_deep(text);
    if (deep) {
        char why[64];
        snprintf(why, sizeof why, "more than %d brackets within each other", DEEPEST);
        fail_at(path, text, deep, why, error);
        return NULL;
    }
    GEOSWKTReader *reader = GEOSWKTReader_create_r(geos->handle);
    GEOSGeometry *geometry = reader ? GEOSWKTReader_read_r(geos->handle, reader, text) : NULL;
    if (!reader)
        throng_fail(error, "%s: out of memory", path);
    else if (!geometry)
        fail_to_parse(geos, reader, path, text, error);
    if (reader)
        GEOSWKTReader_destroy_r(geos->handle, reader);
    return geometry;
}

static throng_map *build(reading *in, const char *path, const char *text, throng_error *error)
{
    throng_geos *geos = &in->draft.geos;
    GEOSGeometry *geometry = parse(geos, path, text, error);
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

throng_map *throng_map_from_wkt(const char *path, const char *text, throng_error *error)
{
    reading in = {.polygons = 0};
    throng_map *map = NULL;
    if (throng_draft_init(&in.draft, path, error))
        map = build(&in, path, text, error);
    throng_draft_fini(&in.draft);
    return map;
}

throng_map *throng_map_read_wkt(const char *path, const throng_map_options *options, throng_map_report *report,
                                throng_error *error)
{
    throng_bytes file;
    throng_map *map = NULL;
    (void)options; /* it is in metres */
    report->format = "well-known text";
    if (!throng_file_read(path, THRONG_FILE_MOST_MAP, &file, error))
        return NULL;
    while (file.size && memchr(" \t\r\n", file.data[file.size - 1], 4))
        file.data[--file.size] = 0;
    const char *text = (const char *)file.data;
    if (strlen(text) < file.size)
        fail_at(path, text, text + strlen(text), "a zero byte", error);
    else if (file.size)
        map = throng_map_from_wkt(path, text, error);
    else
        throng_fail(error, "%s: the file is empty: give a POLYGON ((x y, ...), (hole), ...)", path);
    free(file.data);
    return map;
}
