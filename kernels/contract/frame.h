/* What every stage is told of the step. */
#ifndef THRONG_FRAME_H
#define THRONG_FRAME_H

#include <stdbool.h>
#include <stdint.h>

#include "sizes.h"

typedef struct throng_frame {
    int32_t slots;  /* slots in use */
    int32_t agents; /* living agents among them */
    uint32_t step;  /* counted from 0 */
    float dt;       /* s */
    float time;     /* s: at the beginning of the step */
    uint64_t seed;
    float cell_x, cell_y; /* m: sides of a cell of the neighbour grid */
    float wrap_x, wrap_y; /* m: of a world that wraps, whose width is grid_width cells; 0: it does not */
    int32_t grid_width;   /* cells, a power of two; the grid wraps, so the world has no bounds */
    int32_t grid_height;
    int32_t neighbours;                           /* largest `neighbours` of any agent */
    float sight;                                  /* m: largest `sight` of any agent */
    float radius;                                 /* m: largest radius of any agent, */
    float bulk_radius;                            /* of any but the large */
    int32_t large_count, large[THRONG_LARGE_MAX]; /* slots of the large, who may have died: see world_limits.c */
    float max_speed;                              /* m/s: largest of any agent */
    float wall_reach;                             /* m: how far walls matter to any but a few: see world_limits.c */
    uint32_t planners;                            /* bit for each kind of planner in use */
    int32_t latency;    /* frames by which what is planned is late, 0 or 1 (kernels/planners/latency.h) */
    int32_t iterations; /* contact iterations at most */
    float tolerance;    /* contacts: worst violation to stop at, as a part of the sum of radii */
    float friction; /* s/m: sliding friction of bodies over what presses them (kernels/contacts/friction.h), 0: none */
    int32_t look;   /* steps between looks at who makes progress (kernels/routing/progress.h): about a second */
    bool sensed;    /* the last step's neighbour lists are there: not when the store grew or lists got longer */
} throng_frame;

#endif
