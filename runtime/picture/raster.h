/* Exact area coverage of polygons on a grid of unit cells, by signed areas
 * (each edge adds what it covers to its row; a running sum gives the winding). */
#ifndef THRONG_RASTER_H
#define THRONG_RASTER_H

#include "map/map.h"

/* Closed contours in grid units, one after the other, y down or up as the grid's rows. */
typedef struct throng_outline {
    const throng_point *points;
    const int32_t *start; /* [count + 1]: contour c is points[start[c] .. start[c + 1]) */
    int32_t count;
} throng_outline;

/* The cells an outline can touch: columns [x0, x1), rows [y0, y1). */
typedef struct throng_cells {
    int32_t x0, y0, x1, y1;
} throng_cells;

/* Adds the outline's edges to `sums` ([rows * (columns + 2)], all zero before)
 * and returns the cells touched. */
throng_cells throng_raster_edges(float *sums, int32_t columns, int32_t rows, const throng_outline *outline);

/* Turns one row of sums into coverage from 0 to 1 by the even-odd rule, and clears it. */
void throng_raster_row(float *sums, float *coverage, int32_t columns);

/* Coverage of a whole grid, [rows * columns]; false when memory runs out. */
bool throng_raster_cover(float *coverage, int32_t columns, int32_t rows, const throng_outline *outline);

#endif
