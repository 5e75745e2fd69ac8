/* What a frame says of the crowd, and what follows from it: taken over by the launchers before every stage. */
#ifndef THRONG_KERNEL_FRAME_H
#define THRONG_KERNEL_FRAME_H

#include "crowd.h"

static inline void crowd_take_frame(crowd *c, const throng_frame *f)
{
    c->frame = *f;
    c->inverse_cell_x = 1.0f / f->cell_x;
    c->inverse_cell_y = 1.0f / f->cell_y;
    c->extent = 4 * (f->cell_x + f->cell_y) + f->wrap_x + f->wrap_y;
    c->largest_step = f->max_speed * f->dt * 1.001f; /* planners keep to max_speed but for rounding */
}

#endif
