/* Features by GDAL. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "map_features.h"
#include "ogr.h"
#include "base/file.h"

enum { NESTED = 16, HEADER_LINES = 20000, OPEN_VECTOR = 0x04, LONGEST_TAG = 256 };

typedef struct reading {
    throng_features *to;
    const char *patterns;
    const throng_ogr *ogr;
    throng_feature_units *units;
    bool is_dxf, is_osm;
} reading;

/* ---- one feature */

typedef struct current {
    const reading *in;
    void *feature;
    char what[256]; /* in messages */
    char tag[LONGEST_TAG];
} current;

static const char *field_of(const char *name, const current *c)
{
    const throng_ogr *ogr = c->in->ogr;
    int field = ogr->OGR_F_GetFieldIndex(c->feature, name);
    if (field < 0 || !ogr->OGR_F_IsFieldSetAndNotNull(c->feature, field))
        return NULL;
    const char *value = ogr->OGR_F_GetFieldAsString(c->feature, field);
    return value && *value ? value : NULL;
}

/* Copies the text between quotes at `at`, without the backslashes before quotes and backslashes, as far as there is
 * room; returns what comes behind it. */
static const char *take_quoted(const char *at, char *text, size_t size)
{
    size_t count = 0;
    for (at++; *at && *at != '"'; at++) {
        at += *at == '\\' && at[1];
        if (count + 1 < size)
            text[count++] = *at;
    }
    text[count] = 0;
    return *at ? at + 1 : at;
}

/* The value of a tag that GDAL keeps with others in one field: "indoor"=>"wall","level"=>"0". */
static const char *tag_of(const char *name, const char *tags, char *value, size_t size)
{
    char key[LONGEST_TAG];
    while (*tags == '"') {
        tags = take_quoted(tags, key, sizeof key);
        if (strncmp(tags, "=>\"", 3) != 0)
            return NULL;
        tags = take_quoted(tags + 2, value, size);
        if (strcmp(key, name) == 0)
            return *value ? value : NULL;
        tags += *tags == ',';
    }
    return NULL;
}

/* NULL: it has none, or an empty one. Valid until the next attribute of the feature. */
static const char *attribute(const char *name, void *feature)
{
    current *c = feature;
    const char *value = field_of(name, c), *tags = value || !c->in->is_osm ? NULL : field_of("other_tags", c);
    return tags ? tag_of(name, tags, c->tag, sizeof c->tag) : value;
}

static bool add_ring(reading *in, void *geometry, throng_error *error)
{
    const throng_ogr *ogr = in->ogr;
    int count = ogr->OGR_G_GetPointCount(geometry);
    bool fine = throng_features_begin_ring(in->to, error);
    for (int i = 0; fine && i < count; i++) {
        throng_point p = {ogr->OGR_G_GetX(geometry, i), ogr->OGR_G_GetY(geometry, i)};
        fine = throng_features_add(in->to, p, error);
    }
    return fine;
}

static unsigned flat_type(const throng_ogr *ogr, void *geometry)
{
    unsigned type = ogr->OGR_G_GetGeometryType(geometry) & 0x7fffffffu; /* without the old mark of three dimensions */
    return type % 1000;
}

/* A geometry's lines and polygons as features like `like`, which stays the caller's. */
static bool add_geometry(reading *in, void *geometry, const throng_feature *like, int depth, throng_error *error)
{
    const throng_ogr *ogr = in->ogr;
    unsigned type = flat_type(ogr, geometry);
    int parts = ogr->OGR_G_GetGeometryCount(geometry);
    if (type != OGR_LINE && type != OGR_POLYGON && type != OGR_POINT) {
        if (depth == NESTED)
            return throng_fail(error, "%s: %s is nested too deep", in->to->path, like->what);
        for (int i = 0; i < parts; i++)
            if (!add_geometry(in, ogr->OGR_G_GetGeometryRef(geometry, i), like, depth + 1, error))
                return false;
        return true;
    }
    if (!throng_features_begin(in->to, like->role, like->what, like->name, type == OGR_POLYGON, error))
        return false;
    throng_feature *made = &in->to->list[in->to->count - 1];
    made->width = like->width;
    if (like->level && !(made->level = strdup(like->level)))
        return throng_fail(error, "%s: out of memory", in->to->path);
    if (type != OGR_POLYGON)
        return add_ring(in, geometry, error);
    for (int i = 0; i < parts; i++)
        if (!add_ring(in, ogr->OGR_G_GetGeometryRef(geometry, i), error))
            return false;
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

/* OpenStreetMap's storeys: level=0, and repeat_on=1-3 of what is the same on others. NULL: it says none. */
static const char *level_of(current *c, char *text, size_t size)
{
    const char *level = attribute("level", c);
    int used = snprintf(text, size, "%s", level ? level : "");
    const char *others = attribute("repeat_on", c);
    if (others && used >= 0 && (size_t)used < size)
        snprintf(text + used, size - (size_t)used, ";%s", others);
    return level || others ? text : NULL;
}

static void describe(current *c, const char *layer)
{
    const char *handle = c->in->is_dxf ? attribute("EntityHandle", c) : NULL;
    if (handle)
        snprintf(c->what, sizeof c->what, "entity %.40s of layer \"%.120s\"", handle, layer);
    else
        snprintf(c->what, sizeof c->what, "feature %lld of layer \"%.120s\"", c->in->ogr->OGR_F_GetFID(c->feature),
                 layer);
}

/* GDAL goes on behind what it cannot read as if that were not there. Of a DXF, in which all that a program has drawn
 * lies together, what it skips before it comes to `what` is told; of others that is damage. */
static bool was_read(reading *in, const char *what, throng_error *error)
{
    const throng_ogr *ogr = in->ogr;
    throng_features *to = in->to;
    if (ogr->CPLGetLastErrorType() < OGR_FAILURE)
        return true;
    if (!in->is_dxf)
        return throng_fail(error, "%s: %s cannot be read: %s", to->path, what, ogr->CPLGetLastErrorMsg());
    if (!*to->unread)
        snprintf(to->unread, sizeof to->unread, "before %s something cannot be read, and was left out: %s", what,
                 ogr->CPLGetLastErrorMsg());
    return true;
}

static bool add_used(reading *in, current *c, const char *layer, throng_feature_role role, void *given,
                     throng_error *error)
{
    const throng_ogr *ogr = in->ogr;
    char level[2 * LONGEST_TAG], *name = strdup(name_of(c, layer));
    const char *width = role == THRONG_ROLE_DOORS ? attribute("width", c) : NULL;
    throng_feature like = {.role = role, .what = c->what, .name = name, .width = width ? strtod(width, NULL) : 0};
    like.level = (char *)level_of(c, level, sizeof level);
    void *linear = ogr->OGR_G_GetLinearGeometry(given, 0, NULL);
    bool fine = (name && linear) || throng_fail(error, "%s: out of memory", in->to->path);
    fine = fine && add_geometry(in, linear, &like, 0, error);
    if (linear)
        ogr->OGR_G_DestroyGeometry(linear);
    free(name);
    return fine;
}

static bool add_of_role(reading *in, current *c, throng_feature_layer *layer, throng_feature_role role,
                        throng_error *error)
{
    void *given = in->ogr->OGR_F_GetGeometryRef(c->feature);
    bool used = given && (role == THRONG_ROLE_DOORS || flat_type(in->ogr, given) != OGR_POINT);
    layer->used += used;
    return !used || add_used(in, c, layer->name, role, given, error);
}

static bool add_feature(reading *in, void *feature, const char *ogr_layer, throng_error *error)
{
    current c = {.in = in, .feature = feature};
    const char *own = in->is_dxf ? attribute("Layer", &c) : NULL;
    throng_feature_layer *layer = throng_features_layer(in->to, own ? own : ogr_layer, error);
    if (!layer)
        return false;
    layer->count++;
    throng_feature_role role = throng_role_of(in->patterns, layer->name, attribute, &c);
    describe(&c, layer->name);
    if ((role != THRONG_ROLE_NONE || in->is_dxf) && !was_read(in, c.what, error))
        return false;
    return role == THRONG_ROLE_NONE || add_of_role(in, &c, layer, role, error);
}

/* GDAL makes an "Undefined geographic SRS" up for what a GeoPackage knows nothing of. */
static void take_unit(reading *in, void *reference)
{
    const throng_ogr *ogr = in->ogr;
    const char *name = reference ? ogr->OSRGetName(reference) : NULL;
    if (!reference || (name && strncmp(name, "Undefined ", 10) == 0))
        return;
    if (ogr->OSRIsGeographic(reference))
        in->units->geographic = true;
    else
        in->units->linear = ogr->OSRGetLinearUnits(reference, NULL);
}

static bool add_layer(reading *in, void *layer, throng_error *error)
{
    const throng_ogr *ogr = in->ogr;
    const char *name = ogr->OGR_L_GetName(layer);
    take_unit(in, ogr->OGR_L_GetSpatialRef(layer));
    void *feature;
    bool fine = true;
    while (fine && (ogr->CPLErrorReset(), feature = ogr->OGR_L_GetNextFeature(layer))) {
        fine = add_feature(in, feature, name, error);
        ogr->OGR_F_Destroy(feature);
    }
    char end[160];
    snprintf(end, sizeof end, "the end of layer \"%.120s\"", name);
    return fine && was_read(in, end, error);
}

/* What a DXF says of its unit in its header, which comes first; 0: nothing. */
static double dxf_unit(FILE *file)
{
    /* clang-format off */
    static const double units[] = {
        0, 0.0254, 0.3048, 1609.344, 0.001, 0.01, 1, 1000, 2.54e-8, 2.54e-5, 0.9144, 1e-10, 1e-9, 1e-6, 0.1, 10, 100, 1e9,
        149597870700, 9.4607304725808e15, 3.0856775814913673e16,      /* astronomers' */
        1200 / 3937.0, 100 / 3937.0, 3600 / 3937.0, 6336000 / 3937.0, /* US surveyors' feet, inches, yards and miles */
    };
    /* clang-format on */
    char line[256];
    for (int read = 0; read < HEADER_LINES && fgets(line, sizeof line, file); read++)
        if (strstr(line, "$INSUNITS")) { /* then its type, and its value */
            bool there = fgets(line, sizeof line, file) && fgets(line, sizeof line, file);
            long code = there ? strtol(line, NULL, 10) : 0;
            return code > 0 && code < (long)(sizeof units / sizeof *units) ? units[code] : 0;
        }
    return 0;
}

/* Is a DXF's mark at its end? */
static bool is_whole(FILE *file)
{
    char end[64];
    if (fseek(file, -(long)sizeof end, SEEK_END) != 0) /* it is shorter */
        rewind(file);
    return memmem(end, fread(end, 1, sizeof end, file), "EOF", 3) != NULL;
}

/* ---- the file */

static bool read_all(reading *in, const char *driver, throng_error *error)
{
    const throng_ogr *ogr = in->ogr;
    const char *const drivers[] = {driver, NULL};
    ogr->CPLErrorReset();
    void *dataset = ogr->GDALOpenEx(in->to->path, OPEN_VECTOR, drivers, NULL, NULL);
    const char *why = ogr->CPLGetLastErrorMsg();
    if (!dataset)
        return throng_fail(error, "%s: GDAL cannot read it as %s%s%s", in->to->path, driver, *why ? ": " : "", why);
    bool fine = true;
    int layers = ogr->GDALDatasetGetLayerCount(dataset);
    for (int i = 0; fine && i < layers; i++)
        fine = add_layer(in, ogr->GDALDatasetGetLayer(dataset, i), error);
    ogr->GDALClose(dataset);
    const char *incomplete = throng_ogr_incomplete();
    if (*incomplete)
        snprintf(in->to->unread, sizeof in->to->unread, "%s has ways that the file lacks, and was left out",
                 incomplete);
    return fine;
}

bool throng_features_read_ogr(throng_features *features, const char *patterns, throng_feature_units *units,
                              throng_error *error)
{
    static const struct {
        const char *ending, *driver;
    } drivers[] = {
        {".dxf", "DXF"}, {".geojson", "GeoJSON"}, {".gpkg", "GPKG"}, {".shp", "ESRI Shapefile"}, {"", "OSM"}};
    size_t d = 0;
    while (!throng_file_ends_in(features->path, drivers[d].ending))
        d++;
    features->format = drivers[d].driver;
    reading in = {.to = features, .patterns = patterns, .units = units, .is_dxf = d == 0, .is_osm = d == 4};
    FILE *file = throng_file_open(features->path, THRONG_FILE_MOST_MAP, error); /* GDAL would wait for a pipe */
    if (!file)
        return false;
    units->linear = in.is_dxf ? dxf_unit(file) : 0;
    bool whole = !in.is_dxf || is_whole(file);
    fclose(file);
    throng_error why;
    if (!(in.ogr = throng_ogr_load(&why)))
        return throng_fail(error, "%s: %s", features->path, why.text);
    throng_ogr_begin(in.ogr);
    bool fine = read_all(&in, drivers[d].driver, error);
    throng_ogr_end(in.ogr);
    return fine && (whole || throng_fail(error, "%s: its end is missing: a DXF ends with EOF", features->path));
}
