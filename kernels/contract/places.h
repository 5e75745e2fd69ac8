/* Places that are watched: polygons, where sheets are laid out (contract/sheets.h). */
#ifndef THRONG_PLACES_TABLE_H
#define THRONG_PLACES_TABLE_H

#include "array_table.h"
#include "point.h"

/* clang-format off */
#define THRONG_PLACES_ARRAYS(X) \
    X(throng_point, corner, t->corners) /* m: polygon after polygon */ \
    X(int32_t, end, t->count) /* where a polygon's corners end */ \
    X(throng_point, least, t->count) /* m: its lower left, and its upper right */ \
    X(throng_point, most, t->count)
/* clang-format on */

typedef struct throng_places {
    int32_t count, corners;
    THRONG_PLACES_ARRAYS(THRONG_ARRAY_MEMBER)
} throng_places;

/* Somebody who was in a place when a frame began and is not when it ends, or the other way round; or who came into the
 * world with it, and is in one when it ends. */
typedef struct throng_crossing {
    int32_t slot, is_new;
    float from_x, from_y, to_x, to_y; /* m, laid out */
} throng_crossing;

#endif
