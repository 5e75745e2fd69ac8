#include "ring_list.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

bool throng_ring_list_begin(throng_ring_list *list)
{
    if (!throng_array_reserve((void **)&list->start, &list->capacity, (int64_t)list->count + 2, sizeof *list->start))
        return false;
    list->start[list->count++] = list->point_count;
    return true;
}

bool throng_ring_list_add(throng_ring_list *list, throng_point point)
{
    if (!throng_array_reserve((void **)&list->points, &list->point_capacity, (int64_t)list->point_count + 1,
                              sizeof *list->points))
        return false;
    list->points[list->point_count++] = point;
    return true;
}

int32_t throng_ring_list_end(const throng_ring_list *list, int32_t ring)
{
    return ring + 1 < list->count ? list->start[ring + 1] : list->point_count;
}

void throng_ring_list_fini(throng_ring_list *list)
{
    free(list->points);
    free(list->start);
    memset(list, 0, sizeof *list);
}

double throng_ring_area(const throng_point *points, int32_t count)
{
    /* about the first point: rings far from the origin lose nothing */
    double twice = 0;
    for (int32_t i = 1; i + 1 < count; i++) {
        double ax = points[i].x - points[0].x, ay = points[i].y - points[0].y;
        double bx = points[i + 1].x - points[0].x, by = points[i + 1].y - points[0].y;
        twice += ax * by - ay * bx;
    }
    return 0.5 * twice;
}

void throng_ring_reverse(throng_point *points, int32_t count)
{
    for (int32_t i = 0, j = count - 1; i < j; i++, j--) {
        throng_point held = points[i];
        points[i] = points[j];
        points[j] = held;
    }
}
