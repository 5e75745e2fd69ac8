/* Do two maps have the same floor? */
#ifndef THRONG_MAP_COMPARE_H
#define THRONG_MAP_COMPARE_H

#include "map.h"

/* Floor that one map has and the other has not. */
typedef struct throng_map_extra {
    double area;     /* m^2 */
    throng_point at; /* somewhere in it */
} throng_map_extra;

/* What the first has beyond the second, and the other way round; areas below a square decimetre, which roundings make,
 * are 0. Of open maps the plane round both is looked at. False and a message when GEOS fails. */
bool throng_map_compare(const throng_map *first, const throng_map *second, throng_map_extra *of_first,
                        throng_map_extra *of_second, throng_error *error);

#endif
