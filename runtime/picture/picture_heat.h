/* Mean density on a grid, from how long people stood in each cell. */
#ifndef THRONG_PICTURE_HEAT_H
#define THRONG_PICTURE_HEAT_H

#include "heat_walls.h"
#include "picture.h"

typedef struct throng_heat {
    float *density; /* [rows * columns] persons/m^2, smoothed; NULL: none */
    int32_t columns, rows;
    double cell, origin_x, origin_y; /* m */
    double top;                      /* persons/m^2 at the dark end of the ramp; 0: nobody anywhere */
    throng_heat_walls *walls;        /* NULL: of a world without */
} throng_heat;

/* Density of the plan's occupancy over its `seconds`, per area of floor: cells
 * that walls cut count only what is free of them. Smoothed over about a cell's
 * neighbours (a standard deviation of a cell), without losing people into walls or to the other side of them. False
 * when memory runs out. */
bool throng_heat_init(throng_heat *heat, const throng_plan_picture *plan);
void throng_heat_fini(throng_heat *heat);

/* Where the density at a point of the map lies on the ramp, 0 to 1: by the square root, because a door is a
 * hundred times as busy as the room behind it and both should show. */
double throng_heat_shade(const throng_heat *heat, double x, double y);

/* For densities of other kinds, on a grid [rows * columns]: the free part of each of the plan's cells, all of it
 * without a map, counted where throng_heat_walls_cell says, false when memory runs out; and passes of a 1-2-1 filter
 * along columns and rows, which walls (NULL: there are none) hold up, beyond the grid is nothing. */
bool throng_heat_floor(float *part, const throng_plan_picture *plan, const throng_heat_walls *walls);
void throng_heat_smooth(float *grid, int32_t columns, int32_t rows, int32_t passes, const throng_heat_walls *walls);

#endif
