#include "ogr.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

static throng_ogr ogr;
static _Thread_local char incomplete[64]; /* what throng_ogr_incomplete tells */

#define FUNCTION(name)                                                                                                 \
    {                                                                                                                  \
#name, offsetof(throng_ogr, name)                                                                              \
    }
static const struct {
    const char *name;
    size_t at;
} functions[] = {
    FUNCTION(GDALAllRegister),
    FUNCTION(GDALOpenEx),
    FUNCTION(GDALClose),
    FUNCTION(GDALDatasetGetLayerCount),
    FUNCTION(GDALDatasetGetLayer),
    FUNCTION(CPLSetThreadLocalConfigOption),
    FUNCTION(CPLPushErrorHandler),
    FUNCTION(CPLPopErrorHandler),
    FUNCTION(CPLGetLastErrorMsg),
    FUNCTION(CPLGetLastErrorType),
    FUNCTION(CPLErrorReset),
    FUNCTION(OGR_L_GetName),
    FUNCTION(OGR_L_GetNextFeature),
    FUNCTION(OGR_L_GetSpatialRef),
    FUNCTION(OGR_F_Destroy),
    FUNCTION(OGR_F_GetFID),
    FUNCTION(OGR_F_GetGeometryRef),
    FUNCTION(OGR_F_GetFieldIndex),
    FUNCTION(OGR_F_IsFieldSetAndNotNull),
    FUNCTION(OGR_F_GetFieldAsString),
    FUNCTION(OGR_G_GetLinearGeometry),
    FUNCTION(OGR_G_DestroyGeometry),
    FUNCTION(OGR_G_GetGeometryType),
    FUNCTION(OGR_G_GetGeometryCount),
    FUNCTION(OGR_G_GetGeometryRef),
    FUNCTION(OGR_G_GetPointCount),
    FUNCTION(OGR_G_GetX),
    FUNCTION(OGR_G_GetY),
    FUNCTION(OSRGetName),
    FUNCTION(OSRIsGeographic),
    FUNCTION(OSRGetLinearUnits),
};

static const struct {
    const char *key, *value;
} settings[] = {
    {"GDAL_DRIVER_PATH", "disable"}, /* no plugins */
    {"OGR_ARC_STEPSIZE", "1"},       /* degrees: arcs as lines, within 2 mm up to 50 m of radius */
    {"CPL_DEBUG", "OSM"},            /* relations that it leaves out */
};

/* Debian 12 has 32 and Debian 13 has 36. */
static void *open_library(void)
{
    enum { FIRST = 30, LAST = 48 };
    void *library = NULL;
    for (int version = LAST; !library && version >= FIRST; version--) {
        char name[32];
        snprintf(name, sizeof name, "libgdal.so.%d", version);
        library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    }
    return library ? library : dlopen("libgdal.so", RTLD_NOW | RTLD_LOCAL);
}

/* "OSM: Relation 5 has missing ways. Ignored" is no error to GDAL; CPLGetLastErrorMsg has those. */
static void be_quiet(int severity, int number, const char *text)
{
    (void)severity, (void)number;
    long long relation;
    if (!*incomplete && strstr(text, "missing ways") && sscanf(text, "OSM: Relation %lld", &relation) == 1)
        snprintf(incomplete, sizeof incomplete, "relation %lld", relation);
}

const char *throng_ogr_incomplete(void) { return incomplete; }

void throng_ogr_begin(const throng_ogr *gdal)
{
    *incomplete = 0;
    gdal->CPLPushErrorHandler(be_quiet);
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        gdal->CPLSetThreadLocalConfigOption(settings[i].key, settings[i].value);
}

void throng_ogr_end(const throng_ogr *gdal)
{
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        gdal->CPLSetThreadLocalConfigOption(settings[i].key, NULL);
    gdal->CPLPopErrorHandler();
}

static const throng_ogr *load(throng_error *error)
{
    static bool loaded;
    if (loaded)
        return &ogr;
    void *library = open_library();
    if (!library) {
        throng_fail(error, "reading it needs GDAL, which is not there: install libgdal of your system (Debian 12: "
                           "apt-get install libgdal32)");
        return NULL;
    }
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (!(*(void **)((char *)&ogr + functions[i].at) = dlsym(library, functions[i].name))) {
            throng_fail(error, "reading it needs another GDAL: the one here has no %s", functions[i].name);
            return NULL;
        }
    throng_ogr_begin(&ogr);
    ogr.GDALAllRegister();
    throng_ogr_end(&ogr);
    loaded = true;
    return &ogr;
}

/* Simulations of a program may read their first drawings at the same time. */
const throng_ogr *throng_ogr_load(throng_error *error)
{
    static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&one_at_a_time);
    const throng_ogr *loaded = load(error);
    pthread_mutex_unlock(&one_at_a_time);
    return loaded;
}
