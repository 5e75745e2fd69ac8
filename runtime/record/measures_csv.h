/* What a run measured, over time, as a table: time,measure,kind,place,who,unit,value; a row for each value. */
#ifndef THRONG_MEASURES_CSV_H
#define THRONG_MEASURES_CSV_H

#include "world/world.h"

/* False and a message, and no file, when it cannot be written. */
bool throng_measures_csv(const char *path, const throng_world *world, throng_error *error);

#endif
