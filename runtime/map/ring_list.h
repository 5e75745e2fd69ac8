/* Rings one after the other, while they are being collected. */
#ifndef THRONG_RING_LIST_H
#define THRONG_RING_LIST_H

#include "map.h"

typedef struct throng_ring_list {
    throng_point *points;
    int32_t point_count, point_capacity;
    int32_t *start; /* [count]: where each ring's points begin; the last one ends at point_count */
    int32_t count, capacity;
} throng_ring_list;

/* Begins a ring; points added from now on are its. False when memory is out. */
bool throng_ring_list_begin(throng_ring_list *list);
bool throng_ring_list_add(throng_ring_list *list, throng_point point);

int32_t throng_ring_list_end(const throng_ring_list *list, int32_t ring);
void throng_ring_list_fini(throng_ring_list *list);

/* m^2 enclosed, positive for counter-clockwise rings. */
double throng_ring_area(const throng_point *points, int32_t count);
void throng_ring_reverse(throng_point *points, int32_t count);

#endif
