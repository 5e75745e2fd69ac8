/* Progress of a run on stderr: a bar on a terminal, plain lines otherwise. */
#ifndef THRONG_PROGRESS_H
#define THRONG_PROGRESS_H

#include "world/world.h"

typedef struct throng_progress {
    throng_world *world;
    uint32_t first_step, steps; /* the run's range */
    bool bar;                   /* stderr is a terminal */
    bool drawn;
    double shown_at;     /* s, monotonic: last time the bar was drawn */
    int shown_part;      /* tenths: last line printed */
    uint32_t look_every; /* steps between looks at the world */
} throng_progress;

void throng_progress_init(throng_progress *progress, throng_world *world, uint32_t steps);
/* After a step; never fails a run. */
void throng_progress_step(throng_progress *progress);
/* Takes the bar away, or prints the last line. */
void throng_progress_end(throng_progress *progress);

#endif
