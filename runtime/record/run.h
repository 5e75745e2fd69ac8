/* The run loop, shared by `throng run` and world:run: steps until the time is
 * up, everyone has arrived, somebody says stop, a step fails, or the watchdog
 * wants it to come back. Knows no Lua. */
#ifndef THRONG_RUN_H
#define THRONG_RUN_H

#include "world/world.h"

typedef enum throng_run_end {
    THRONG_RUN_FAILED,      /* a step failed; the error says how */
    THRONG_RUN_UNWATCHED,   /* the watcher failed (its files cannot be written); likewise */
    THRONG_RUN_ARRIVED,     /* everyone with a goal has arrived or was removed */
    THRONG_RUN_TIME,        /* the steps asked for were taken */
    THRONG_RUN_STOPPED,     /* the script stopped it */
    THRONG_RUN_INTERRUPTED, /* by a signal */
} throng_run_end;

extern const char
    *const throng_run_end_names[]; /* "failed", "unwritten", "arrived", "time", "stopped", "interrupted" */
#define THRONG_RUN_EMPTIED "nobody was left on the way" /* THRONG_RUN_ARRIVED, but not all did: some were removed */

typedef struct throng_run_def {
    throng_world *world;
    uint32_t steps;                                   /* at most so many more */
    bool until_done;                                  /* end when everyone has arrived */
    bool (*step)(void *context, throng_error *error); /* NULL: throng_world_step */
    bool (*stopped)(void *context);                   /* asked after each step; may be NULL */
    void *context;
    bool (*watch)(void *watcher, throng_error *error); /* called before the first step and after each; may be NULL */
    void *watcher;
} throng_run_def;

throng_run_end throng_run(const throng_run_def *def, throng_error *error);

/* Steps that make up `seconds`, rounded to the nearest. */
uint32_t throng_run_steps(const throng_world *world, double seconds);

#endif
