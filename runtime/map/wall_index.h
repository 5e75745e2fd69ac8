/* Where the walls of a map are: a regular grid over the segments of its rings. */
#ifndef THRONG_WALL_INDEX_H
#define THRONG_WALL_INDEX_H

#include "map.h"

typedef struct throng_wall_index {
    double origin_x, origin_y, cell; /* m */
    int32_t columns, rows;
    int32_t *next;  /* [point_count]: segment i runs from point i to point next[i] */
    int32_t *start; /* [columns * rows + 1]: segments that come into cell c */
    int32_t *list;
    int32_t *row_start; /* [rows + 1]: segments that come into row r, for telling inside from outside */
    int32_t *row_list;
    float *width_at_start, *width_at_end; /* [point_count] m: see wall_widths.h */
} throng_wall_index;

/* NULL when memory is out. */
throng_wall_index *throng_wall_index_create(const throng_map *map);
void throng_wall_index_destroy(throng_wall_index *index);

#endif
