/* A local map of the planner bvp (kernels/planners/bvp.h), to look at. */
#ifndef THRONG_LOCAL_MAP_H
#define THRONG_LOCAL_MAP_H

#include <stdint.h>

enum throng_zone { THRONG_ZONE_FREE, THRONG_ZONE_OBSTACLE, THRONG_ZONE_GOAL };

enum { THRONG_LOCAL_CELLS_MAX = 64 };

/* Cell (column, row), from the lower left one on, is entry row * width + column. */
typedef struct throng_local_map {
    int32_t width, height; /* cells */
    float x, y, cell; /* m: the middle of the agent's cell, column (width - 1) / 2 of row (height - 1) / 2; its side */
    float to_x, to_y; /* preferred direction, a unit vector */
    float potential[THRONG_LOCAL_CELLS_MAX * THRONG_LOCAL_CELLS_MAX]; /* p, 1: obstacle .. 0: goal */
    double rest[THRONG_LOCAL_CELLS_MAX * THRONG_LOCAL_CELLS_MAX];     /* 1 - p, which stays precise where p is near 1 */
    uint8_t zone[THRONG_LOCAL_CELLS_MAX * THRONG_LOCAL_CELLS_MAX];    /* throng_zone */
} throng_local_map;

#endif
