/* The nearest of many points, by a k-d tree. */
#ifndef THRONG_NEAREST_H
#define THRONG_NEAREST_H

#include <stdint.h>

#include "map/geometry.h"

/* Puts numbers of points into the order of a tree: the middle one divides those before it from those after it, by x,
 * the middles of these halves by y, and so on. */
void throng_nearest_sort(int32_t *order, int32_t count, const throng_point *points);

typedef struct throng_found {
    double square; /* m^2: of the distance */
    int32_t number;
} throng_found;

/* The nearest points within `reach` of a place, at most `most`, from the nearest on, ties by their numbers: how many.
 * `order` is one of _sort's. */
int32_t throng_nearest_find(const int32_t *order, int32_t count, const throng_point *points, throng_point place,
                            double reach, throng_found *found, int32_t most);

#endif
