/* Who stands where, to find out whether somebody else fits: bodies in square cells of a plane, found by a hash of the
 * cell, so that neither memory nor time depends on how large the plane is. */
#ifndef THRONG_PLACE_GRID_H
#define THRONG_PLACE_GRID_H

#include <stdbool.h>
#include <stdint.h>

#include "map/geometry.h"

/* A body: all points within `radius` of the segment at +- `arm` from its middle. m */
typedef struct throng_occupant {
    throng_point at, arm;
    double radius;
} throng_occupant;

/* The same of somebody who has a place, as its columns will have it. */
typedef struct throng_placed {
    float x, y, arm_x, arm_y, radius;
} throng_placed;

typedef struct throng_place_grid {
    double cell, largest; /* m; how far any reaches from its middle, at most half a cell */
    uint32_t *head;       /* [buckets] 1 + the last one put there, 0: none */
    int32_t *before;      /* [before_room] the same of the one put there before */
    throng_placed *list;  /* [list_room] */
    int32_t count, before_room, list_room, buckets;
} throng_place_grid;

/* m: how far it reaches from its middle. */
double throng_occupant_reach(const throng_occupant *occupant);

/* Room for `count` bodies in all, none of which reaches further than `largest`. False, with the grid as it was or
 * empty: memory is out. Starts from a zeroed struct. */
bool throng_place_grid_reserve(throng_place_grid *grid, double largest, int32_t count);
void throng_place_grid_free_all(throng_place_grid *grid); /* and zeroes it */

void throng_place_grid_add(throng_place_grid *grid, const throng_occupant *occupant); /* there is room */
void throng_place_grid_shrink(throng_place_grid *grid, int32_t count); /* only the first so many are left */

/* Does it touch nobody? Agents start apart by a hair more than touching, so that floats do not overlap. */
bool throng_place_grid_free(const throng_place_grid *grid, const throng_occupant *occupant);

#endif
