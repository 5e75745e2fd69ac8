/* Writes where the rigid bodies of a run were, beside its recording: bodies.csv (body_log.h). */
#ifndef THRONG_RUN_BODIES_H
#define THRONG_RUN_BODIES_H

#include "run_table.h"
#include "world/world.h"

typedef struct throng_run_bodies {
    throng_run_table table;        /* begun with the first body */
    struct throng_told_body *told; /* [slots] */
    int32_t slots, room, numbers;
    bool restart; /* the next frame's bodies are others */
} throng_run_bodies;

/* In the folder; nothing is written before there is a body. */
void throng_run_bodies_begin(throng_run_bodies *bodies, const char *folder);
/* With each frame that is recorded. */
bool throng_run_bodies_follow(throng_run_bodies *bodies, const throng_world *world, throng_error *error);
/* The frames to come are of another world: its bodies are others, whatever their handles. */
void throng_run_bodies_restart(throng_run_bodies *bodies);
/* Completes the table, or drops it: also where no body ever was. False and a message when it cannot be written. */
bool throng_run_bodies_end(throng_run_bodies *bodies, bool keep, throng_error *error);

#endif
