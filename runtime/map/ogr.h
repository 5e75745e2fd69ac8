/* What is used of GDAL's vector part, OGR (https://gdal.org), which is loaded when a drawing is read first; the names
 * are its own. Opened by name, and no part that is compiled with GDAL's headers, as throng-view.so is with SDL2's: such
 * a part goes with one version of GDAL alone, and libgdal-dev takes 420 MB more than the library does. */
#ifndef THRONG_OGR_H
#define THRONG_OGR_H

#include "base/error.h"

enum { OGR_POINT = 1, OGR_LINE = 2, OGR_POLYGON = 3 }; /* of geometries, those in three dimensions alike */
enum { OGR_FAILURE = 3 };                              /* types of errors from there on are more than warnings */

typedef struct throng_ogr {
    void (*GDALAllRegister)(void);
    void *(*GDALOpenEx)(const char *path, unsigned flags, const char *const *drivers, const char *const *options,
                        const char *const *siblings);
    void (*GDALClose)(void *dataset);
    int (*GDALDatasetGetLayerCount)(void *dataset);
    void *(*GDALDatasetGetLayer)(void *dataset, int index);
    void (*CPLSetThreadLocalConfigOption)(const char *key, const char *value);
    void (*CPLPushErrorHandler)(void (*handler)(int, int, const char *));
    void (*CPLPopErrorHandler)(void);
    const char *(*CPLGetLastErrorMsg)(void);
    int (*CPLGetLastErrorType)(void);
    void (*CPLErrorReset)(void);
    const char *(*OGR_L_GetName)(void *layer);
    void *(*OGR_L_GetNextFeature)(void *layer);
    void *(*OGR_L_GetSpatialRef)(void *layer);
    void (*OGR_F_Destroy)(void *feature);
    long long (*OGR_F_GetFID)(void *feature);
    void *(*OGR_F_GetGeometryRef)(void *feature);
    int (*OGR_F_GetFieldIndex)(void *feature, const char *name);
    int (*OGR_F_IsFieldSetAndNotNull)(void *feature, int field);
    const char *(*OGR_F_GetFieldAsString)(void *feature, int field);
    void *(*OGR_G_GetLinearGeometry)(void *geometry, double step, char **options);
    void (*OGR_G_DestroyGeometry)(void *geometry);
    unsigned (*OGR_G_GetGeometryType)(void *geometry);
    int (*OGR_G_GetGeometryCount)(void *geometry);
    void *(*OGR_G_GetGeometryRef)(void *geometry, int index);
    int (*OGR_G_GetPointCount)(void *geometry);
    double (*OGR_G_GetX)(void *geometry, int index);
    double (*OGR_G_GetY)(void *geometry, int index);
    const char *(*OSRGetName)(void *reference);
    int (*OSRIsGeographic)(void *reference);
    double (*OSRGetLinearUnits)(void *reference, char **name);
} throng_ogr;

/* NULL and a message that says how to get GDAL when it is not there. */
const throng_ogr *throng_ogr_load(throng_error *error);

/* Before and after all that throng reads: the program that it is in may use GDAL itself, with settings and a handler of
 * errors of its own. */
void throng_ogr_begin(const throng_ogr *ogr);
void throng_ogr_end(const throng_ogr *ogr);

/* The first relation of an OSM file that was left out since throng_ogr_begin as the file has not all of its ways; "":
 * none. Valid on this thread until the next begin. */
const char *throng_ogr_incomplete(void);

#endif
