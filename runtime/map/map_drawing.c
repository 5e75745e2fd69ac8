/* Drawings: SVG, and by GDAL DXF, GeoJSON, GeoPackage, shapefiles and OpenStreetMap. Lines are walls so thick, polygons
 * are solid; doors that are points are cut into the walls that they are on. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "map_draft.h"
#include "map_drawing_doors.h"
#include "map_drawing_gaps.h"
#include "map_enclose.h"
#include "map_features.h"
#include "map_findings.h"
#include "map_readers.h"

#define USUAL_WIDTH 1.0 /* m: of a door that says none */
#define MOST_WIDTH  20.0
#define CLOSED      0.01  /* m: so far apart may the ends of a closed line be */
#define THIN        0.002 /* m: points of arcs within that of the line of others are left out */

typedef struct drawing {
    throng_features features;
    throng_draft draft;
    throng_ring_list lines; /* walls that were drawn as such; a closed one ends where it begins */
    double thickness;
    int32_t doors;  /* so far */
    int32_t widths; /* of doors that were taken for the usual */
} drawing;

static bool note(drawing *d, const char *what, const char *text, throng_point at, throng_error *error)
{
    return throng_findings_add(&d->draft.held.findings, THRONG_FINDING_SOURCE, at, at, "%s%s", what, text) ||
           throng_fail(error, "%s: out of memory", d->draft.path);
}

/* The points of a ring, which may be asked for once; of a closed one the first is not repeated. */
static const throng_point *ring(drawing *d, int32_t r, int32_t *count, bool *closed)
{
    const throng_features *f = &d->features;
    throng_point *p = f->points + f->ring_start[r];
    *count = f->ring_start[r + 1] - f->ring_start[r];
    int32_t all = *count;
    if (all > 4 && !throng_geos_thin(&d->draft.geos, p, count, THIN))
        *count = all;
    *closed = *count > 3 && hypot(p[0].x - p[*count - 1].x, p[0].y - p[*count - 1].y) <= CLOSED;
    *count -= *closed;
    return p;
}

/* What is inside an odd number of a polygon's rings: its outline less its holes, or several that lie apart. */
static bool add_solid(drawing *d, const throng_feature *f, const throng_point *p, int32_t count, throng_drawing *into,
                      throng_error *error)
{
    throng_geos *geos = &d->draft.geos;
    GEOSGeometry *solid = NULL, *hole;
    bool closed;
    if (!throng_draft_sound(&d->draft, f->what, p, count, &solid, error))
        return false;
    for (int32_t r = 1; solid && r < f->ring_count; r++) {
        const throng_point *q = ring(d, f->first_ring + r, &count, &closed);
        if (!throng_draft_sound(&d->draft, f->what, q, count, &hole, error)) {
            throng_geos_free(geos, solid);
            return false;
        }
        if (hole) {
            throng_geos_replace(geos, &solid, GEOSSymDifference_r(geos->handle, solid, hole));
            throng_geos_free(geos, hole);
            if (!solid)
                return throng_geos_fail(geos, d->draft.path, error);
        }
    }
    return !solid || throng_draft_take(&d->draft, into, f->what, p[0], solid, error);
}

static bool keep_line(drawing *d, const throng_point *p, int32_t count, throng_error *error)
{
    bool kept = throng_ring_list_begin(&d->lines);
    for (int32_t i = 0; kept && i < count; i++)
        kept = throng_ring_list_add(&d->lines, p[i]);
    return kept || throng_fail(error, "out of memory for its walls");
}

static bool add_wall(drawing *d, const throng_feature *f, const throng_point *p, int32_t count, bool closed,
                     throng_error *error)
{
    if (f->is_area || (closed && f->role == THRONG_ROLE_OBSTACLES))
        return add_solid(d, f, p, count, &d->draft.walls, error);
    return keep_line(d, p, count + closed, error) &&
           throng_draft_wall_line(&d->draft, f->what, p, count + closed, d->thickness, error);
}

/* A point on a wall is a door that is cut into it. */
static bool add_door(drawing *d, const throng_feature *f, const throng_point *p, int32_t count, bool closed,
                     throng_error *error)
{
    char name[160];
    throng_point ends[2] = {p[0], p[count - 1]};
    if (count == 1) {
        bool told = f->width > 0 && f->width <= MOST_WIDTH;
        if (!throng_drawing_door_ends(&d->lines, p[0], told ? f->width : USUAL_WIDTH, d->thickness, ends))
            return note(d, f->what, " is a door on no wall, and was left out", p[0], error);
        if (!throng_drawing_cut(&d->draft, ends, d->thickness, error))
            return false;
        d->widths += !told;
    }
    snprintf(name, sizeof name, "%.120s %d", f->name, ++d->doors);
    if (closed)
        return throng_draft_door(&d->draft, f->what, name, p, count, error);
    return throng_draft_door(&d->draft, f->what, name, ends, 2, error);
}

static bool add_room(drawing *d, const throng_feature *f, const throng_point *p, int32_t count, throng_error *error)
{
    bool fine = throng_draft_region(&d->draft, f->what, f->name, NULL, p, count, NULL, error);
    for (int32_t r = 0; fine && r < f->ring_count; r++) {
        bool closed = true;
        const throng_point *q = r ? ring(d, f->first_ring + r, &count, &closed) : p;
        fine = keep_line(d, q, count + closed, error) &&
               throng_draft_wall_line(&d->draft, f->what, q, count + closed, d->thickness, error);
    }
    return fine;
}

static bool add_area(drawing *d, const throng_feature *f, const throng_point *p, int32_t count, bool closed,
                     throng_error *error)
{
    if (!closed && !f->is_area)
        return note(d, f->what, " is a line that does not close, and was left out", p[0], error);
    if (f->role == THRONG_ROLE_ROOMS)
        return add_room(d, f, p, count, error);
    if (f->role == THRONG_ROLE_REGIONS)
        return throng_draft_region(&d->draft, f->what, f->name, NULL, p, count, NULL, error);
    return add_solid(d, f, p, count, &d->draft.floors, error);
}

static bool add(drawing *d, const throng_feature *f, throng_error *error)
{
    int32_t count;
    bool closed;
    if (f->ring_count == 0)
        return true;
    const throng_point *p = ring(d, f->first_ring, &count, &closed);
    if (f->role == THRONG_ROLE_DOORS)
        return count < 1 || add_door(d, f, p, count, closed, error);
    if (count < 2)
        return count < 1 || note(d, f->what, " is one point, and was left out", p[0], error);
    if (f->role == THRONG_ROLE_WALLS || f->role == THRONG_ROLE_OBSTACLES)
        return add_wall(d, f, p, count, closed, error);
    return add_area(d, f, p, count, closed, error);
}

/* ---- what was read, and what was not */

static bool refuse_empty(const drawing *d, throng_error *error)
{
    const throng_features *f = &d->features;
    char list[400] = "";
    size_t used = 0;
    for (int32_t i = 0; i < f->layer_count && used < sizeof list - 1; i++)
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s (%d)", i ? ", " : "", f->layers[i].name,
                                 f->layers[i].count);
    return throng_fail(error,
                       "%s: no layer of it is taken for walls or the boundary; say which is, like "
                       "layers = { walls = \"A-WALL*\" }. It has: %s",
                       d->draft.path, f->layer_count ? list : "nothing");
}

static bool note_all(drawing *d, throng_error *error)
{
    const throng_features *f = &d->features;
    const throng_point nowhere = {NAN, NAN};
    char text[320];
    if (*f->unit && !note(d, f->unit, "", nowhere, error))
        return false;
    if (*f->unread && !note(d, f->unread, "", nowhere, error))
        return false;
    if (f->moved.x != 0 || f->moved.y != 0) {
        snprintf(text, sizeof text,
                 "all of it was moved by (%.0f, %.0f) m, since positions so far from (0, 0) are not precise",
                 -f->moved.x, -f->moved.y);
        if (!note(d, text, "", nowhere, error))
            return false;
    }
    if (*f->storeys) {
        snprintf(text, sizeof text, "features of levels %s lie over each other: level = N takes one of these",
                 f->storeys);
        if (!note(d, text, "", nowhere, error))
            return false;
    }
    if (d->widths) {
        snprintf(text, sizeof text, "doors that are points without a width were taken for %g m wide: %d", USUAL_WIDTH,
                 d->widths);
        if (!note(d, text, "", nowhere, error))
            return false;
    }
    for (int32_t i = 0; i < f->layer_count; i++) {
        const throng_feature_layer *layer = &f->layers[i];
        snprintf(text, sizeof text, "layer \"%.80s\": %d of %d features have no role, and are not used", layer->name,
                 layer->count - layer->used, layer->count);
        if (layer->used < layer->count && !note(d, text, "", nowhere, error))
            return false;
    }
    return true;
}

static throng_map *make(drawing *d, throng_error *error)
{
    const throng_features *f = &d->features;
    if (f->roles[THRONG_ROLE_WALLS] + f->roles[THRONG_ROLE_OBSTACLES] + f->roles[THRONG_ROLE_ROOMS] +
            f->roles[THRONG_ROLE_BOUNDARY] ==
        0) {
        refuse_empty(d, error);
        return NULL;
    }
    for (int doors = 0; doors < 2; doors++) /* which come behind the walls that they are in */
        for (int32_t i = 0; i < f->count; i++)
            if ((f->list[i].role == THRONG_ROLE_DOORS) == doors && !add(d, &f->list[i], error)) {
                throng_fail_in(error, "%s", d->draft.path);
                return NULL;
            }
    bool fine = (f->roles[THRONG_ROLE_BOUNDARY] > 0 || throng_draft_enclose(&d->draft, error)) &&
                throng_drawing_note_gaps(&d->draft, &d->lines, d->thickness, error);
    return fine && note_all(d, error) ? throng_draft_finish(&d->draft, error) : NULL;
}

throng_map *throng_map_read_drawing(const char *path, const throng_map_options *options, throng_map_report *report,
                                    throng_error *error)
{
    drawing d = {.thickness = options->thickness};
    throng_map *map = NULL;
    if (!throng_features_read(&d.features, path, options, error))
        return NULL;
    if (throng_draft_init(&d.draft, path, error)) {
        report->format = d.features.format;
        map = make(&d, error);
        throng_draft_fini(&d.draft);
    }
    throng_features_fini(&d.features);
    throng_ring_list_fini(&d.lines);
    return map;
}
