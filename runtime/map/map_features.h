/* The features of a drawing in metres: which reader its file is for, and how long its unit is. */
#ifndef THRONG_MAP_FEATURES_H
#define THRONG_MAP_FEATURES_H

#include "feature_list.h"

/* Reads the file's features that have a role, by the patterns, scale and level of the options; where a feature lies
 * does not depend on the level. */
bool throng_features_read(throng_features *features, const char *path, const throng_map_options *options,
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
