#include "run_occupancy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CELLS = 1 << 22, CELLS_ACROSS = 400 };

static const double FINEST = 0.5; /* m: about what one person fills */

static bool allocate(throng_occupancy *grid, throng_error *error)
{
    grid->seconds = calloc((size_t)grid->columns * (size_t)grid->rows, sizeof *grid->seconds);
    return grid->seconds || throng_fail(error, "out of memory for the density map");
}

bool throng_occupancy_init(throng_occupancy *grid, const throng_bounds *bounds, const throng_map *map,
                           throng_error *error)
{
    double width = fmax(bounds->x1 - bounds->x0, 1), height = fmax(bounds->y1 - bounds->y0, 1);
    double cell = fmax(FINEST, fmax(width, height) / CELLS_ACROSS);
    *grid = (throng_occupancy){.columns = (int32_t)ceil(width / cell) + 1,
                               .rows = (int32_t)ceil(height / cell) + 1,
                               .cell = cell,
                               .x0 = bounds->x0,
                               .y0 = bounds->y0};
    if (!allocate(grid, error))
        return false;
    const throng_heat_grid walled = {grid->columns, grid->rows, cell, grid->x0, grid->y0};
    grid->walls = map && map->ring_count ? throng_heat_walls_create(map, &walled) : NULL;
    return grid->walls || !map || !map->ring_count || throng_fail(error, "out of memory for the density map");
}

void throng_occupancy_fini(throng_occupancy *grid)
{
    free(grid->seconds);
    throng_heat_walls_destroy(grid->walls);
    grid->seconds = NULL;
    grid->walls = NULL;
}

/* Adds cells on every side: half the grid again. False when it would be too large. */
static bool grow(throng_occupancy *grid, throng_error *error)
{
    throng_occupancy old = *grid;
    int32_t across = old.columns / 4 + 1, up = old.rows / 4 + 1;
    if ((int64_t)(old.columns + 2 * across) * (old.rows + 2 * up) > MOST_CELLS)
        return false;
    grid->columns += 2 * across;
    grid->rows += 2 * up;
    grid->x0 -= across * grid->cell;
    grid->y0 -= up * grid->cell;
    if (!allocate(grid, error)) {
        *grid = old;
        return false;
    }
    for (int32_t row = 0; row < old.rows; row++)
        memcpy(grid->seconds + (size_t)(row + up) * (size_t)grid->columns + across,
               old.seconds + (size_t)row * (size_t)old.columns, (size_t)old.columns * sizeof *old.seconds);
    free(old.seconds);
    throng_heat_walls_destroy(old.walls); /* of an open world: behind its obstacles is none who could be seen there */
    grid->walls = NULL;
    return true;
}

enum { BATCH = 1024 };

/* The column or row of each of some coordinates, -1: outside. The cast rounds down, as nothing below 0 is cast. */
static void find_cells(const float *at, int32_t count, double origin, double cell, int32_t cells, int32_t *out)
{
    for (int32_t i = 0; i < count; i++) {
        double place = ((double)at[i] - origin) / cell;
        out[i] = place >= 0 && place < cells ? (int32_t)place : -1;
    }
}

/* Adds people up to the first one outside; how many that are. */
static int32_t add_batch(throng_occupancy *grid, const float *x, const float *y, int32_t count, float seconds)
{
    int32_t column[BATCH], row[BATCH], i = 0;
    find_cells(x, count, grid->x0, grid->cell, grid->columns, column);
    find_cells(y, count, grid->y0, grid->cell, grid->rows, row);
    for (; i < count && (column[i] | row[i]) >= 0; i++) {
        size_t cell = (size_t)row[i] * (size_t)grid->columns + (size_t)column[i];
        if (grid->walls)
            cell = throng_heat_walls_cell(grid->walls, (throng_point){(double)x[i], (double)y[i]}, cell);
        grid->seconds[cell] += seconds;
    }
    return i;
}

bool throng_occupancy_add(throng_occupancy *grid, const float *x, const float *y, int32_t count, double seconds,
                          throng_error *error)
{
    bool grows = true;
    for (int32_t i = 0; i < count;) {
        int32_t batch = count - i < BATCH ? count - i : BATCH;
        int32_t added = add_batch(grid, x + i, y + i, batch, (float)seconds);
        i += added;
        grows = grows && (added == batch || grow(grid, error));
        if (added < batch && !grows)
            i++; /* people beyond the largest grid are left out */
    }
    return true;
}
