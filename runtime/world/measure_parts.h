/* What a measure is made of: private to measure*.c. */
#ifndef THRONG_MEASURE_PARTS_H
#define THRONG_MEASURE_PARTS_H

#include "measure.h"

/* A strip of lanes. */
typedef struct measure_strip {
    int32_t all, excess; /* who moves in it; those who go forth less those who go back */
} measure_strip;

struct throng_measure {
    throng_measure *next;
    throng_measure_def def; /* its pointers are the copies below */
    char *name, *place, *who;
    throng_region *regions;
    int32_t *ids;
    throng_measured got;
    double sum;             /* of the samples */
    double *times, *values; /* [points] s; over time */
    int32_t points, times_room, values_room;

    int32_t *net, *net_of; /* [net_room] by slot: passages forth less those back, and the agent's id */
    int32_t net_room;
    measure_strip *strips;
    int32_t strip_room;
};

/* The agents before and after the step that was taken; by slot. */
typedef struct measure_view {
    int32_t slots;
    const int32_t *id, *kind, *state;
    const float *before_x, *before_y, *x, *y; /* m */
    const float *vx, *vy;                     /* m/s */
    throng_point wrap;                        /* m: of a world that wraps, else 0 */
    double dt, time;                          /* s: of the step, at its end */
} measure_view;

/* One step, by kind; false when memory is out. */
bool throng_measure_flow(throng_measure *measure, const measure_view *view);
bool throng_measure_density(throng_measure *measure, const measure_view *view);
bool throng_measure_count(throng_measure *measure, const measure_view *view);
bool throng_measure_inside(throng_measure *measure, const measure_view *view);
bool throng_measure_lanes(throng_measure *measure, const measure_view *view);

#endif
