/* The features of a drawing in metres: which reader its file is for, and how long its unit is. */
#ifndef THRONG_MAP_FEATURES_H
#define THRONG_MAP_FEATURES_H

#include "feature_list.h"

/* Reads the file's features that have a role. `scale`: metres a unit, 0: as the file says, or as it seems. */
bool throng_features_read(throng_features *features, const char *path, const char *patterns, double scale,
                          throng_error *error);

/* ---- for readers */

/* How long a unit is. */
typedef struct throng_feature_units {
    double linear;          /* m, as the file says; 0: it does not */
    bool geographic, paper; /* degrees; a unit of a sheet of paper */
} throng_feature_units;

typedef bool throng_features_reader(throng_features *features, const char *patterns, throng_feature_units *units,
                                    throng_error *error);
throng_features_reader throng_features_read_ogr, throng_features_read_svg;

#endif
