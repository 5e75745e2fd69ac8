/* What a run notes for its recording as it goes (notes.h): the people on the thread that looks at snapshots, the rest
 * from the world, after each step. */
#ifndef THRONG_RUN_NOTES_H
#define THRONG_RUN_NOTES_H

#include "notes_lifts.h"

/* One of the people when seen last; by id. */
typedef struct throng_run_seen {
    int32_t first, group; /* the groups at first and now; -1: it was never seen */
    int32_t state;        /* of its machine, -1: none */
    float radius;         /* m */
    float arrived;        /* s, NAN: it has not */
    float spawned;        /* s */
} throng_run_seen;

typedef struct throng_run_notes {
    throng_notes notes;
    throng_run_seen *seen; /* [ids] */
    int32_t ids, seen_room;
    bool *open; /* [doors] as each was told of last */
    throng_told_lifts lifts;
    int32_t first_group, first_state; /* the notes' numbers of the world's first group and state */
} throng_run_notes;

/* The columns that snapshots must have for it. */
throng_column_set throng_run_notes_columns(const throng_world *world);

/* Of a snapshot, on the thread that looks at it; slots of who is gone are passed over. */
bool throng_run_notes_people(throng_run_notes *run, const throng_snapshot *snapshot, double dt, throng_error *error);

/* Before the first step and after each: names of groups and states, doors, who is stuck. */
bool throng_run_notes_watch(throng_run_notes *run, throng_world *world, throng_error *error);

/* In each frame that is recorded: lifts, belts, smoke. */
bool throng_run_notes_frame(throng_run_notes *run, const throng_world *world, throng_error *error);

/* From now on of another world, which a reload made: its groups and states are further ones. Nobody may look then. */
void throng_run_notes_follow(throng_run_notes *run);

/* Once nobody looks any more: all that is known at the end, and the curve of arrivals (s, people). */
bool throng_run_notes_end(throng_run_notes *run, throng_world *world, const float *times, const float *arrived,
                          int32_t points, throng_error *error);

void throng_run_notes_fini(throng_run_notes *run);

#endif
