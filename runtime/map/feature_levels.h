/* Storeys of a drawing: which of its features are on a level. */
#ifndef THRONG_FEATURE_LEVELS_H
#define THRONG_FEATURE_LEVELS_H

#include "feature_list.h"

/* Is `level` in a list as OpenStreetMap has it: "0", "0;1", "-1-2"? */
bool throng_level_is_in(const char *list, double level);

/* Leaves out features of other levels; those that say none are on all. NAN: leaves out none, and says in `storeys`
 * which levels there are, if several. False and a message when no feature is on the level. */
bool throng_features_take_level(throng_features *features, double level, throng_error *error);

#endif
