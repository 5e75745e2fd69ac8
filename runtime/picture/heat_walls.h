/* The walls of a map on a grid of densities, so that none leaks through them: people count for the nearest cell whose
 * middle they see, densities spread from a cell to the next one where no wall is between their middles, and a point of
 * the map shows the cells that it sees. */
#ifndef THRONG_HEAT_WALLS_H
#define THRONG_HEAT_WALLS_H

#include "map/map.h"

typedef struct throng_heat_grid {
    int32_t columns, rows;
    double cell, x0, y0; /* m: of a cell; of the grid's corner */
} throng_heat_grid;

typedef struct throng_heat_walls throng_heat_walls;

/* NULL: memory is out. */
throng_heat_walls *throng_heat_walls_create(const throng_map *map, const throng_heat_grid *grid);
void throng_heat_walls_destroy(throng_heat_walls *walls); /* NULL is fine */

/* Does a wall reach into the cell? */
bool throng_heat_walls_cut(const throng_heat_walls *walls, size_t cell);

/* The cell that a place in `cell` counts for. */
size_t throng_heat_walls_cell(const throng_heat_walls *walls, throng_point place, size_t cell);

/* Does a place see the middle of a cell near it? */
bool throng_heat_walls_sees(const throng_heat_walls *walls, throng_point place, int32_t column, int32_t row);

/* Moves what is free of cut cells (their shares of floor) to the cells that it counts for. */
void throng_heat_walls_floor(const throng_heat_walls *walls, const throng_map *map, float *floor);

/* One pass of a 1-2-1 filter along rows or columns that keeps what it spreads on its side of the walls. */
void throng_heat_walls_smooth(const throng_heat_walls *walls, float *grid, bool along_rows);

#endif
