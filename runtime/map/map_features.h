/* The features of a drawing (lines and polygons of layers with attributes) as GDAL reads them, in metres. */
#ifndef THRONG_MAP_FEATURES_H
#define THRONG_MAP_FEATURES_H

#include <stddef.h>

#include "feature_roles.h"
#include "map.h"

/* A line, or a polygon: its outline, and its holes. */
typedef struct throng_feature {
    throng_feature_role role;
    char *what; /* "entity 2F of layer \"A-WALL\"" */
    char *name; /* by an attribute, or its layer */
    bool is_area;
    int32_t first_ring, ring_count;
} throng_feature;

/* A layer, or a layer of a DXF's entities. */
typedef struct throng_feature_layer {
    char *name;
    int32_t count, used; /* features: all, and those with a role */
} throng_feature_layer;

typedef struct throng_features {
    throng_feature *list;
    int32_t count, capacity;
    int32_t *ring_start; /* [ring_count + 1] in points; the last point of a ring may repeat its first */
    int32_t ring_count, ring_capacity;
    throng_point *points; /* m */
    int32_t point_count, point_capacity;
    throng_feature_layer *layers;
    int32_t layer_count, layer_capacity;
    int32_t roles[THRONG_ROLE_COUNT]; /* features of each */
    const char *format;               /* "DXF", ... */
    char unit[96];                    /* what a unit of the file was taken for, and why; "": it says metres */
    throng_point moved;               /* m: what was taken off all coordinates */
} throng_features;

/* Reads the file's features that have a role. `scale`: metres a unit, 0: as the file says, or as it seems. */
bool throng_features_read(throng_features *features, const char *path, const char *patterns, double scale,
                          throng_error *error);
void throng_features_fini(throng_features *features);

#endif
