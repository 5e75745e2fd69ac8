/* A frame: its phases, what the backend is told before, who arrived, and what is measured after. */
#ifndef THRONG_WORLD_FRAME_H
#define THRONG_WORLD_FRAME_H

#include "world.h"

/* Of the frame's phases: see world_phases.c. */
typedef struct world_phases {
    throng_hook hook;
    void *context;
    uint32_t wanted;                    /* bit 2 * phase + after */
    uint32_t called;                    /* the step in which it was called last, + 1 */
    double seconds[THRONG_PHASE_COUNT]; /* of the last frame; NAN: not known */
    double hook_seconds;                /* of the frame so far */
    bool hooked;                        /* a hook of a stage runs: planners hold lists of the sides of bodies */
    bool timed;                         /* somebody has asked for times */
    bool torn;                          /* a stage was given up in its middle: what followed would not be repeatable */
    int32_t ready;                      /* the next stage that has what it needs, of sense, plan and move */
    int32_t iterations;                 /* contacts: see throng_frame */
    double tolerance;
    double capacity; /* 1/(m s): of portals, see congestion.c */
} world_phases;

/* Agents or walls are others: sense, plan and move must run again, in order. */
static inline void world_phases_restart(world_phases *phases) { phases->ready = 0; }

/* What is measured, and where everybody was before the step: as on the sheet where each is now, and, in buildings, the
 * places on the map. */
typedef struct world_measures {
    struct throng_measure *first; /* a list */
    float *x, *y;                 /* [room] m, by slot */
    float *was_x, *was_y;         /* [was_room] m; in worlds of one floor NULL */
    int32_t room, was_room, slots;
} world_measures;

/* Of the last sense stage. */
typedef struct world_sensed {
    int32_t capacity, neighbours;
    bool walls; /* it listed walls that are there still */
} world_sensed;

/* What sense has found are numbers of walls that are gone. */
static inline void world_sensed_forget_walls(world_sensed *sensed) { sensed->walls = false; }

typedef struct world_arrivals {
    throng_handle *list;
    int32_t *slots;
    int32_t room, count;
    bool known;
    int32_t expected; /* sources that will bring more agents */
    int64_t outside;  /* agents who are due, and find no room at their source */
    /* those who walk to a goal and have not arrived: at `pending_at` arrivals there were `pending` */
    int64_t pending;
    uint64_t pending_at;
    bool some_had_arrived; /* and live, when these were counted */
} world_arrivals;

/* Places that are watched, and who crossed into them or out: world_crossings.c. */
typedef struct world_crossings {
    throng_places table; /* its arrays are these */
    throng_point *corner, *least, *most;
    int32_t *end;
    int32_t corner_room, room;
    bool changed;         /* since the backend was told */
    throng_crossed *list; /* [count] of `step`, which was the last one when it was asked for */
    int32_t count, list_room;
    uint32_t step;
} world_crossings;

/* Of agents that were removed. */
typedef struct world_gone {
    int32_t arrived;
    double travel, worst; /* s */
    int32_t first, last;  /* steps, -1: none */
    uint64_t hash;
    bool kept; /* is there a list? */
    throng_gone *list;
    int32_t count, room; /* of the list */
} world_gone;

typedef struct world_times {
    double steps; /* s: spent in steps */
    bool stages_wanted;
    double stage[THRONG_STAGE_COUNT];
} world_times;

/* world_frame.c: brings the backend up to date: it is given every table that has changed, moved or grown since, and
 * what was written to columns. Stages and probes run after this and at no other time, so no pointer that the backend
 * has is older. A table whose upload fails is still marked as changed. */
bool throng_world_sync_backend(throng_world *world, throng_error *error);
/* The frame knows the step and the crowd's bounds. */
bool throng_world_begin_frame(throng_world *world, throng_error *error);
throng_column_set throng_world_written_columns(const throng_world *world); /* columns that the stages write */

/* world_phases.c */
void throng_world_init_phases(throng_world *world);
bool throng_world_phase(throng_world *world, throng_phase phase, throng_error *error); /* with its hooks */

/* world_arrivals.c: these have arrived in the last step, though they are not at their goals. */
bool throng_world_arrive(throng_world *world, const throng_handle *handles, int32_t count, throng_error *error);

/* world_crossings.c */
bool throng_world_upload_places(throng_world *world, throng_error *error);
void throng_world_free_crossings(throng_world *world);

/* world_pending.c */
bool throng_world_count_pending(throng_world *world, throng_error *error);

/* world.c */
uint64_t throng_world_mix(uint64_t hash, uint64_t value); /* one step of the hash of the world */

#endif
