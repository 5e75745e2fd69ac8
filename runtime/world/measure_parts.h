/* What a measure is made of: private to measure*.c. */
#ifndef THRONG_MEASURE_PARTS_H
#define THRONG_MEASURE_PARTS_H

#include "map/map_geos.h"
#include "measure.h"

/* A strip of lanes. */
typedef struct measure_strip {
    int32_t all, excess; /* who moves in it; those who go forth less those who go back */
} measure_strip;

/* On whose way a travel time is; by slot. */
typedef struct measure_trip {
    int32_t id;
    double since; /* s; NAN: it has not begun, or is over */
} measure_trip;

typedef struct measure_cells measure_cells; /* measure_voronoi.c */

struct throng_measure {
    throng_measure *next;
    throng_measure_def def; /* its pointers are the copies below */
    char *name, *place, *who;
    throng_region *regions, *since;
    int32_t *ids;
    throng_measured got;
    double sum;             /* of the samples */
    double recent;          /* of the samples since the last value over time, */
    int32_t recent_samples; /* how many those are */
    double *times, *values; /* [points] s; over time */
    int32_t points, times_room, values_room;

    int32_t *net, *net_of;   /* [net_room] by slot: passages forth less those back, and the agent's id */
    throng_point *passed_at; /* [net_room] by slot: of regions, where the last was */
    int32_t net_room;
    measure_strip *strips;
    int32_t strip_room;
    double *passages; /* [passage_count] s: of this step */
    int32_t passage_count, passage_room;
    double *event_times, *events; /* [event_count] s; passages, and each time gap and travel time */
    int32_t event_count, event_times_room, events_room;
    measure_trip *trips; /* [trip_room] by slot */
    int32_t trip_room;
    measure_cells *cells; /* NULL: it needs none */
};

/* The agents before and after the step that was taken; by slot. */
typedef struct measure_view {
    int32_t slots;
    const int32_t *id, *kind, *state;
    const float *before_x, *before_y, *x, *y; /* m: as on the sheet where it is now; places on the map */
    const float *was_x, *was_y;               /* m: the place on the map before the step */
    const float *vx, *vy;                     /* m/s */
    throng_point wrap;                        /* m: of a world that wraps, else 0 */
    const int32_t *born;                      /* step at which each was spawned */
    double dt, time;                          /* s: of the step, at its end */
    bool due;                                 /* the measure's values over time get one */
} measure_view;

/* A step of a world of steps of dt s that has taken so many; nothing where the measure does not go over that time. */
bool throng_measure_step(throng_measure *measure, measure_view *view, int64_t steps, throng_error *error);

/* One step, by kind; false when memory is out. */
bool throng_measure_flow(throng_measure *measure, const measure_view *view);
bool throng_measure_density(throng_measure *measure, const measure_view *view);
bool throng_measure_count(throng_measure *measure, const measure_view *view);
bool throng_measure_inside(throng_measure *measure, const measure_view *view);
bool throng_measure_lanes(throng_measure *measure, const measure_view *view);
bool throng_measure_speed(throng_measure *measure, const measure_view *view);
bool throng_measure_time_gap(throng_measure *measure, const measure_view *view);
bool throng_measure_travel_time(throng_measure *measure, const measure_view *view);
bool throng_measure_level(throng_measure *measure, const measure_view *view);

/* measure_whom.c: is the agent one of those who are measured? */
bool throng_measure_counts(const throng_measure *measure, const measure_view *view, int32_t slot);
/* All its regions as one; NULL: GEOS failed. */
GEOSGeometry *throng_measure_place(throng_geos *geos, const throng_measure *measure);

/* measure_voronoi.c: cells for the regions on the map's floor. False and a message when memory is out. */
bool throng_cells_init(throng_measure *measure, const throng_map *map, throng_error *error);
void throng_cells_fini(measure_cells *cells);
/* 1/m^2; NAN: GEOS failed. */
double throng_cells_density(throng_measure *measure, const measure_view *view);

#endif
