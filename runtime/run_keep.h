/* What is kept of a run as it goes: its recording, how long people stood where, traces of some, the curve of arrivals;
 * all from snapshots, on the thread of an observer. A million agents take it about 10 ms. */
#ifndef THRONG_RUN_KEEP_H
#define THRONG_RUN_KEEP_H

#include "record.h"
#include "run_occupancy.h"
#include "run_traces.h"
#include "world.h"

typedef struct throng_run_kept {
    throng_recorder *recorder; /* NULL: none */
    double seconds;            /* between snapshots */
    int32_t frame;
    throng_occupancy occupancy;
    throng_traces traces;
    float *times, *arrived; /* [points] s, agents: the curve */
    int32_t points, times_room, arrived_room;
} throng_run_kept;

/* The columns that snapshots must have. */
extern const uint64_t throng_run_keep_columns;

/* Takes in the next snapshot; `kept` is a throng_run_kept. */
bool throng_run_keep(void *kept, throng_snapshot *snapshot, throng_error *error);

/* One more point of the curve. */
bool throng_run_keep_point(throng_run_kept *kept, double time, int32_t arrived, throng_error *error);

/* Frees it all, and discards a recording that was not closed. */
void throng_run_kept_fini(throng_run_kept *kept);

#endif
