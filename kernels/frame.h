/* What a frame says of the crowd: taken over by the launchers before every stage. */
#ifndef THRONG_KERNEL_FRAME_H
#define THRONG_KERNEL_FRAME_H

#include "crowd.h"

#include <string.h>

#include "stages/backend.h"

static inline void crowd_take_frame(crowd *c, const throng_frame *f)
{
    c->kinds = f->planners;
    c->seed = f->seed;
    c->slots = f->slots;
    c->agents = f->agents;
    c->step = f->step;
    c->look = f->look;
    c->dt = f->dt;
    c->cell_x = f->cell_x;
    c->cell_y = f->cell_y;
    c->inverse_cell_x = 1.0f / f->cell_x;
    c->inverse_cell_y = 1.0f / f->cell_y;
    c->extent = 4 * (f->cell_x + f->cell_y) + f->wrap_x + f->wrap_y;
    c->wrap_x = f->wrap_x;
    c->wrap_y = f->wrap_y;
    c->grid_width = f->grid_width;
    c->grid_height = f->grid_height;
    c->bulk_radius = f->bulk_radius;
    c->large_count = f->large_count;
    memcpy(c->large, f->large, sizeof c->large);
    c->tolerance = f->tolerance;
    c->largest_step = f->max_speed * f->dt * 1.001f; /* planners keep to max_speed but for rounding */
    c->sensed = f->sensed;
}

#endif
