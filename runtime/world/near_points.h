/* Points of the plane, numbered, to be found by who is near: in square cells, which are hashed. */
#ifndef THRONG_NEAR_POINTS_H
#define THRONG_NEAR_POINTS_H

#include "map/map.h"

typedef struct near_point {
    throng_point at;
    int32_t next; /* of those of the cell; -1: no more */
} near_point;

typedef struct near_points {
    double cell; /* m: a cell's side */
    uint32_t mask;
    int32_t *first;    /* [mask + 1] */
    near_point *point; /* [count] */
} near_points;

/* Empty, for points numbered from 0 to below `count`; to be closed also where it failed. */
bool throng_near_points_open(near_points *points, double cell, int32_t count, throng_error *error);
void throng_near_points_close(near_points *points);
/* Numbers are added in descending order. */
void throng_near_points_add(near_points *points, throng_point at, int32_t number);
/* Calls `visit` for all within a cell's side of the place, for some more than once, until it is true. */
bool throng_near_points_visit(const near_points *points, throng_point at, bool (*visit)(void *context, int32_t number),
                              void *context);

#endif
