/* Shortest paths on the cells of a grid map: the octile grid, as the Moving AI benchmarks have it.
 *
 * A step goes to one of eight neighbours; a diagonal one costs sqrt 2 and needs both cells beside it free (no corner
 * is cut). This is what any-angle paths are measured against; agents walk on the mesh. */
#ifndef THRONG_PATH_GRID_H
#define THRONG_PATH_GRID_H

#include "map/map.h"

typedef struct throng_path_grid throng_path_grid;

/* A grid of `width` x `height` cells over the map's (equal to the map's own numbers, or finer). NULL when memory is
 * out. */
throng_path_grid *throng_path_grid_create(const throng_map_grid *grid, int32_t width, int32_t height);
void throng_path_grid_destroy(throng_path_grid *grid);

/* Length in cells of the shortest path between two cells, INFINITY when there is none. Exact: the numbers of straight
 * and diagonal steps are counted. A search allocates nothing. */
double throng_path_grid_length(throng_path_grid *grid, int32_t from_x, int32_t from_y, int32_t to_x, int32_t to_y);

#endif
