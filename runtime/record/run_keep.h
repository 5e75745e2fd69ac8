/* What is kept of a run as it goes: its recording, how long people stood where, trajectories of some, the curve of
 * arrivals; all from snapshots, on the threads of an observer. A million agents take either look about 5 ms, and the
 * frames of an H200 0.1 % more when every tenth is kept (1.0076 ms, 1.0066 when none is). */
#ifndef THRONG_RUN_KEEP_H
#define THRONG_RUN_KEEP_H

#include "observer.h"
#include "record.h"
#include "run_notes.h"
#include "run_occupancy.h"
#include "run_trajectories.h"

/* Of one id, when it was seen last: the step at which it had arrived, -1: it had not; the point of the curve, -1: none.
 */
typedef struct throng_run_done {
    int32_t step, point;
} throng_run_done;

typedef struct throng_run_kept {
    throng_recorder *recorder; /* NULL: none */
    double seconds;            /* between snapshots */
    int32_t frame;
    throng_occupancy occupancy;
    throng_trajectories trajectories;
    throng_run_notes notes; /* of people, where there is a recorder; who runs the world may add the others meanwhile */
    double dt;              /* s */
    float *times, *arrived; /* [points] s, agents: the curve; until throng_run_keep_curve, of those who are gone */
    int32_t points, times_room, arrived_room;
    throng_run_done *done; /* [ids] by id */
    int32_t ids, done_room;
    const throng_map *map;                  /* NULL: none */
    bool sheets;                            /* the last two of `own` are `sheet` and `z`, m: of a building */
    throng_record_own own;                  /* of the recording; with `width` and `shoulders` where bodies have them */
    int32_t own_column[THRONG_OWN_COLUMNS]; /* which of the world's each is, -1: it has none of that name any more */
    float *zeros;                           /* [zeros_room] what is recorded of one that is gone */
    float *sheet, *z;                       /* [sheets_room] what is recorded of these */
    int32_t zeros_room, sheets_room;
} throng_run_kept;

/* The columns that snapshots must have, in a building those of sheets, too, and those that tell the groups of
 * trajectories, of which there is one without; a recording needs those of throng_run_notes_columns. */
extern const throng_column_set throng_run_keep_columns, throng_run_keep_sheets, throng_run_keep_groups;

/* The own columns that the world has: all of them, into a recording that is to begin; and what is wide of bodies. */
void throng_run_keep_own(throng_run_kept *kept, throng_world *world);

/* Finds the recording's own columns among those of a world; their set, for snapshots. */
throng_column_set throng_run_find_own(throng_run_kept *kept, throng_world *world);

/* What an observer is to do with every snapshot, of a throng_run_kept: first all but the recording, and the gone are
 * dropped; then that. */
extern const throng_look throng_run_looks[2];

/* Ends the curve: who is at a time where it stays, or leaves from, has arrived by then; who was sent on from there, as
 * out of a queue, has not. `last`: a last point behind those of the snapshots, where it is not NULL. */
typedef struct throng_run_last {
    double time;     /* s */
    int32_t arrived; /* in all */
} throng_run_last;
bool throng_run_keep_curve(throng_run_kept *kept, const throng_run_last *last, throng_error *error);

/* Before it: when those arrived who were removed since they were seen last. */
void throng_run_keep_gone(throng_run_kept *kept, const throng_world *world);

/* Frees it all, and discards a recording that was not closed. */
void throng_run_kept_fini(throng_run_kept *kept);

#endif
