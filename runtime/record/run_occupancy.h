/* How long people stood where: person-seconds on a grid that grows with the crowd. */
#ifndef THRONG_RUN_OCCUPANCY_H
#define THRONG_RUN_OCCUPANCY_H

#include "picture/heat_walls.h"

typedef struct throng_occupancy {
    float *seconds; /* [rows * columns] person-seconds, row 0 at the bottom */
    int32_t columns, rows;
    double cell;              /* m */
    double x0, y0;            /* m, lower left corner */
    throng_heat_walls *walls; /* who stands beside one counts on its own side; NULL: there are none */
} throng_occupancy;

/* A grid over the bounds, with the walls of a map (NULL: none). */
bool throng_occupancy_init(throng_occupancy *grid, const throng_bounds *bounds, const throng_map *map,
                           throng_error *error);
void throng_occupancy_fini(throng_occupancy *grid);

/* Adds `seconds` for each of `count` people. */
bool throng_occupancy_add(throng_occupancy *grid, const float *x, const float *y, int32_t count, double seconds,
                          throng_error *error);

#endif
