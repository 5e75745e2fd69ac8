/* The features of a drawing: lines and polygons of layers, as readers of such files find them. */
#ifndef THRONG_FEATURE_LIST_H
#define THRONG_FEATURE_LIST_H

#include <stddef.h>

#include "feature_roles.h"
#include "map.h"

/* A line, or a polygon: its outline, and its holes. */
typedef struct throng_feature {
    throng_feature_role role;
    char *what;   /* "entity 2F of layer \"A-WALL\"" */
    char *name;   /* by an attribute, or its layer */
    char *level;  /* "0", "0;1" or "-1-2", as OpenStreetMap has it; NULL: it says none */
    double width; /* m: of a door that is one point; 0: it does not say */
    bool is_area;
    int32_t first_ring, ring_count;
} throng_feature;

/* A layer, or a layer of a DXF's entities. */
typedef struct throng_feature_layer {
    char *name;
    int32_t count, used; /* features: all, and those with a role */
} throng_feature_layer;

typedef struct throng_features {
    const char *path;
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
    char unit[160];                   /* what a unit of the file was taken for, and why; "": it says metres */
    char storeys[160];                /* the levels that it has, of which none was chosen; "": one, or none */
    char unread[512];                 /* the first that GDAL went on behind; "": none */
    throng_point moved;               /* m: what was taken off all coordinates */
} throng_features;

void throng_features_fini(throng_features *features);

/* ---- for readers, which give points in units of the file */

/* The layer of that name, which begins with no features. NULL and a message when memory is out. */
throng_feature_layer *throng_features_layer(throng_features *features, const char *name, throng_error *error);

/* Begins a feature, of that role, with no ring; begins its next ring; adds a point to that. */
bool throng_features_begin(throng_features *features, throng_feature_role role, const char *what, const char *name,
                           bool is_area, throng_error *error);
bool throng_features_begin_ring(throng_features *features, throng_error *error);
bool throng_features_add(throng_features *features, throng_point point, throng_error *error);

#endif
