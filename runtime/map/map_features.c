#include "map_features.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ogr.h"
#include "base/array.h"
#include "base/file.h"
#include "base/output.h"

enum { MOST_POINTS = 8000000, NESTED = 16, HEADER_LINES = 20000, OPEN_VECTOR = 0x04 };

#define EARTH     6371008.8 /* m: its mean radius */
#define FAR       10000.0   /* m: farther from the origin, positions in 32 bits are known to a millimetre no more */
#define HUGE_PLAN 1000.0

typedef struct reading {
    throng_features *to;
    const char *path, *patterns;
    const throng_ogr *ogr;
    bool is_dxf, geographic;
    double linear; /* m a unit, as the file, or its layers' reference system, says; 0: none does */
} reading;

void throng_features_fini(throng_features *features)
{
    for (int32_t i = 0; i < features->count; i++) {
        free(features->list[i].what);
        free(features->list[i].name);
    }
    for (int32_t i = 0; i < features->layer_count; i++)
        free(features->layers[i].name);
    free(features->list);
    free(features->ring_start);
    free(features->points);
    free(features->layers);
    *features = (throng_features){0};
}

static bool no_memory(const reading *in, throng_error *error)
{
    return throng_fail(error, "%s: out of memory", in->path);
}

/* ---- one feature */

typedef struct current {
    const reading *in;
    void *feature;
} current;

/* NULL: it has none, or an empty one. */
static const char *attribute(const char *name, void *feature)
{
    const current *c = feature;
    const throng_ogr *ogr = c->in->ogr;
    int field = ogr->OGR_F_GetFieldIndex(c->feature, name);
    if (field < 0 || !ogr->OGR_F_IsFieldSetAndNotNull(c->feature, field))
        return NULL;
    const char *value = ogr->OGR_F_GetFieldAsString(c->feature, field);
    return value && *value ? value : NULL;
}

static throng_feature_layer *layer_named(reading *in, const char *name)
{
    throng_features *to = in->to;
    for (int32_t i = 0; i < to->layer_count; i++)
        if (strcmp(to->layers[i].name, name) == 0)
            return &to->layers[i];
    char *copy = strdup(name);
    if (!copy || !throng_array_reserve((void **)&to->layers, &to->layer_capacity, (int64_t)to->layer_count + 1,
                                       sizeof *to->layers)) {
        free(copy);
        return NULL;
    }
    to->layers[to->layer_count] = (throng_feature_layer){.name = copy};
    return &to->layers[to->layer_count++];
}

static bool add_ring(reading *in, void *geometry, throng_error *error)
{
    throng_features *to = in->to;
    const throng_ogr *ogr = in->ogr;
    int count = ogr->OGR_G_GetPointCount(geometry);
    if (count > MOST_POINTS - to->point_count)
        return throng_fail(error, "%s: there are more than %d points in it", in->path, MOST_POINTS);
    if (!throng_array_reserve((void **)&to->points, &to->point_capacity, (int64_t)to->point_count + count + 1,
                              sizeof *to->points) ||
        !throng_array_reserve((void **)&to->ring_start, &to->ring_capacity, (int64_t)to->ring_count + 2,
                              sizeof *to->ring_start))
        return no_memory(in, error);
    to->ring_start[to->ring_count++] = to->point_count;
    for (int i = 0; i < count; i++) {
        throng_point p = {ogr->OGR_G_GetX(geometry, i), ogr->OGR_G_GetY(geometry, i)};
        if (!isfinite(p.x) || !isfinite(p.y))
            return throng_fail(error, "%s: a point is (%g, %g)", in->path, p.x, p.y);
        to->points[to->point_count++] = p;
    }
    to->ring_start[to->ring_count] = to->point_count;
    return true;
}

static unsigned flat_type(const throng_ogr *ogr, void *geometry)
{
    unsigned type = ogr->OGR_G_GetGeometryType(geometry) & 0x7fffffffu; /* without the old mark of three dimensions */
    return type % 1000;
}

/* A geometry's lines and polygons as features like `like`, which stays the caller's. */
static bool add_geometry(reading *in, void *geometry, const throng_feature *like, int depth, throng_error *error)
{
    throng_features *to = in->to;
    const throng_ogr *ogr = in->ogr;
    unsigned type = flat_type(ogr, geometry);
    int parts = ogr->OGR_G_GetGeometryCount(geometry);
    if (type != OGR_LINE && type != OGR_POLYGON) {
        if (depth == NESTED)
            return throng_fail(error, "%s: %s is nested too deep", in->path, like->what);
        for (int i = 0; i < parts; i++)
            if (!add_geometry(in, ogr->OGR_G_GetGeometryRef(geometry, i), like, depth + 1, error))
                return false;
        return true;
    }
    if (!throng_array_reserve((void **)&to->list, &to->capacity, (int64_t)to->count + 1, sizeof *to->list))
        return no_memory(in, error);
    throng_feature *f = &to->list[to->count];
    *f = (throng_feature){like->role, strdup(like->what), strdup(like->name), type == OGR_POLYGON, to->ring_count, 0};
    to->count++; /* so that it is freed */
    if (!f->what || !f->name)
        return no_memory(in, error);
    to->roles[like->role]++;
    if (type == OGR_LINE && !add_ring(in, geometry, error))
        return false;
    for (int i = 0; type == OGR_POLYGON && i < parts; i++)
        if (!add_ring(in, ogr->OGR_G_GetGeometryRef(geometry, i), error))
            return false;
    f->ring_count = to->ring_count - f->first_ring;
    return true;
}

static const char *name_of(current *c, const char *layer)
{
    static const char *const names[] = {"name", "Text", "ref"};
    const char *name = NULL;
    for (size_t i = 0; !name && i < sizeof names / sizeof *names; i++)
        name = attribute(names[i], c);
    return name ? name : layer;
}

static bool add_feature(reading *in, void *feature, const char *ogr_layer, throng_error *error)
{
    const throng_ogr *ogr = in->ogr;
    char what[256];
    current c = {in, feature};
    void *given = ogr->OGR_F_GetGeometryRef(feature);
    const char *own = in->is_dxf ? attribute("Layer", &c) : NULL;
    char *layer_name = strdup(own ? own : ogr_layer);
    throng_feature_layer *layer = layer_name ? layer_named(in, layer_name) : NULL;
    bool fine = layer != NULL || no_memory(in, error);
    throng_feature like = {.role = fine ? throng_role_of(in->patterns, layer_name, attribute, &c) : THRONG_ROLE_NONE};
    if (layer)
        layer->count++;
    if (like.role != THRONG_ROLE_NONE && given) {
        const char *handle = in->is_dxf ? attribute("EntityHandle", &c) : NULL;
        if (handle)
            snprintf(what, sizeof what, "entity %.40s of layer \"%.120s\"", handle, layer_name);
        else
            snprintf(what, sizeof what, "feature %lld of layer \"%.120s\"", ogr->OGR_F_GetFID(feature), layer_name);
        char *name = strdup(name_of(&c, layer_name));
        like.what = what;
        like.name = name;
        void *linear = ogr->OGR_G_GetLinearGeometry(given, 0, NULL);
        layer->used++;
        fine = (name && linear) || no_memory(in, error);
        fine = fine && add_geometry(in, linear, &like, 0, error);
        if (linear)
            ogr->OGR_G_DestroyGeometry(linear);
        free(name);
    }
    free(layer_name);
    return fine;
}

static bool add_layer(reading *in, void *layer, throng_error *error)
{
    const throng_ogr *ogr = in->ogr;
    void *reference = ogr->OGR_L_GetSpatialRef(layer), *feature;
    if (reference && ogr->OSRIsGeographic(reference))
        in->geographic = true;
    else if (reference)
        in->linear = ogr->OSRGetLinearUnits(reference, NULL);
    bool fine = true;
    while (fine && (feature = ogr->OGR_L_GetNextFeature(layer))) {
        fine = add_feature(in, feature, ogr->OGR_L_GetName(layer), error);
        ogr->OGR_F_Destroy(feature);
    }
    return fine;
}

/* ---- metres */

/* What a DXF says of its unit in its header, which comes first; 0: nothing. */
static double dxf_unit(FILE *file)
{
    static const double units[] = {0, 0.0254, 0.3048, 1609.344, 0.001, 0.01, 1, 1000};
    char line[256];
    for (int read = 0; read < HEADER_LINES && fgets(line, sizeof line, file); read++)
        if (strstr(line, "$INSUNITS")) { /* then its type, and its value */
            bool there = fgets(line, sizeof line, file) && fgets(line, sizeof line, file);
            long code = there ? strtol(line, NULL, 10) : 0;
            return code > 0 && code < (long)(sizeof units / sizeof *units) ? units[code] : 0;
        }
    return 0;
}

static throng_bounds bounds_of(const throng_features *f)
{
    throng_bounds b = {0, 0, 0, 0};
    for (int32_t i = 0; i < f->point_count; i++) {
        throng_point p = f->points[i];
        b = i ? (throng_bounds){fmin(b.x0, p.x), fmin(b.y0, p.y), fmax(b.x1, p.x), fmax(b.y1, p.y)}
              : (throng_bounds){p.x, p.y, p.x, p.y};
    }
    return b;
}

/* Metres a unit; `unit` says what it was taken for. */
static double unit_of(reading *in, double scale, throng_bounds b)
{
    throng_features *to = in->to;
    double own = in->linear, extent = fmax(b.x1 - b.x0, b.y1 - b.y0);
    if (scale > 0 || own > 0) {
        if (scale == 0 && own != 1)
            snprintf(to->unit, sizeof to->unit, "a unit of the file is %g m, as it says", own);
        return scale > 0 ? scale : own;
    }
    if (extent <= HUGE_PLAN)
        return 1;
    snprintf(to->unit, sizeof to->unit,
             "the file names no unit; a plan %.0f units wide is taken for one in millimetres", extent);
    return 0.001;
}

/* From degrees: distances on a plane that touches the earth in the middle. */
static void project(throng_features *f, throng_bounds b)
{
    double degree = EARTH * M_PI / 180, middle = (b.y0 + b.y1) / 2, across = degree * cos(middle * M_PI / 180);
    for (int32_t i = 0; i < f->point_count; i++) {
        f->points[i].x = across * (f->points[i].x - b.x0);
        f->points[i].y = degree * (f->points[i].y - b.y0);
    }
    snprintf(f->unit, sizeof f->unit, "degrees are laid out as metres about latitude %.4f, from (%.6f, %.6f) on",
             middle, b.x0, b.y0);
}

static void to_metres(reading *in, double scale)
{
    throng_features *to = in->to;
    throng_bounds b = bounds_of(to);
    if (in->geographic && scale == 0) {
        project(to, b);
        return;
    }
    double unit = unit_of(in, scale, b), far = fmax(fmax(fabs(b.x0), fabs(b.x1)), fmax(fabs(b.y0), fabs(b.y1)));
    if (far * unit > FAR)
        to->moved = (throng_point){floor(b.x0 * unit), floor(b.y0 * unit)};
    for (int32_t i = 0; i < to->point_count; i++)
        to->points[i] = (throng_point){to->points[i].x * unit - to->moved.x, to->points[i].y * unit - to->moved.y};
}

/* ---- the file */

static bool read_all(reading *in, const char *driver, throng_error *error)
{
    const throng_ogr *ogr = in->ogr;
    const char *const drivers[] = {driver, NULL};
    ogr->CPLErrorReset();
    void *dataset = ogr->GDALOpenEx(in->path, OPEN_VECTOR, drivers, NULL, NULL);
    const char *why = ogr->CPLGetLastErrorMsg();
    if (!dataset)
        return throng_fail(error, "%s: GDAL cannot read it as %s%s%s", in->path, driver, *why ? ": " : "", why);
    bool fine = true;
    int layers = ogr->GDALDatasetGetLayerCount(dataset);
    for (int i = 0; fine && i < layers; i++)
        fine = add_layer(in, ogr->GDALDatasetGetLayer(dataset, i), error);
    ogr->GDALClose(dataset);
    return fine;
}

bool throng_features_read(throng_features *features, const char *path, const char *patterns, double scale,
                          throng_error *error)
{
    static const struct {
        const char *ending, *driver;
    } drivers[] = {
        {".dxf", "DXF"}, {".geojson", "GeoJSON"}, {".gpkg", "GPKG"}, {".shp", "ESRI Shapefile"}, {"", "OSM"}};
    size_t d = 0;
    while (!throng_file_ends_in(path, drivers[d].ending))
        d++;
    *features = (throng_features){.format = drivers[d].driver};
    reading in = {.to = features, .path = path, .patterns = patterns, .is_dxf = d == 0};
    FILE *file = throng_file_open(path, THRONG_FILE_MOST_MAP, error); /* GDAL would wait for a pipe */
    if (!file)
        return false;
    in.linear = in.is_dxf ? dxf_unit(file) : 0;
    fclose(file);
    throng_error why;
    if (!(in.ogr = throng_ogr_load(&why)))
        return throng_fail(error, "%s: %s", path, why.text);
    if (!read_all(&in, drivers[d].driver, error)) {
        throng_features_fini(features);
        return false;
    }
    to_metres(&in, scale);
    return true;
}
