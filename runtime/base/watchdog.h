/* What one call of a script may cost, in seconds and in memory, and how a signal ends it.
 *
 * A thread looks every 25 ms, then every 5, at what the main thread does. It first asks: throng_interrupted() is true
 * from then on, and whoever the main thread works for is told, on that thread. What does not come back within a grace
 * period is ended from outside: the watchdog says what it was, has the files of the run closed and ends the process. So
 * nothing that is called needs to count what it does; a loop in C that may be long asks throng_given_up(), or is cut
 * off.
 *
 * Time is that of Lua and of what it asks of the host, without the frames of worlds that are run meanwhile; while the
 * process is stopped it does not pass. One of all: there is one process, one memory and one set of signals.
 *
 * Work on fibers (fibers.h) has begun and ended what it does for itself, on whatever thread. A limit that it is over is
 * known to it alone, when it asks: throng_interrupted() looks then, once a tick, at the processor time that what it
 * does has had, and at the memory of the process. So what ends is who is over a deadline, or has worked for a tick
 * while memory is out; the others go on. Only who does not ask any more is ended from outside, and with it the process.
 * A signal is for all. */
#ifndef THRONG_WATCHDOG_H
#define THRONG_WATCHDOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "error.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What is done now, as far as limits differ. */
typedef enum throng_task {
    THRONG_TASK_NONE,     /* nothing of a script's */
    THRONG_TASK_FRAME,    /* a frame of a world: no deadline */
    THRONG_TASK_TEST,     /* a test, between the callbacks and frames of its worlds: ten deadlines */
    THRONG_TASK_LOAD,     /* loading a scenario: ten deadlines */
    THRONG_TASK_CALLBACK, /* one deadline */
} throng_task;

typedef enum throng_stop {
    THRONG_STOP_NONE,
    THRONG_STOP_SIGNAL,
    THRONG_STOP_DEADLINE,
    THRONG_STOP_MEMORY,
} throng_stop;

#define THRONG_DEADLINE 10.0 /* s, when nobody says otherwise */

typedef struct throng_watchdog_def {
    const char *name; /* "run": in messages, and for ever */
    double deadline;  /* s; 0: none */
    size_t memory;    /* bytes that the process may hold beside what it holds now; 0: no limit */
    bool ends_idle;   /* nobody looks at throng_interrupted() between calls: a signal ends the process at once then */
    bool ignores_int; /* ... but SIGINT, which means nothing then */
} throng_watchdog_def;

/* From now on, until the process ends; on the main thread, before others are started. A SIGHUP that
 * is ignored, as nohup(1) does it, stays so. */
bool throng_watchdog_start(const throng_watchdog_def *def, throng_error *error);

/* Why what is running must come back; cheap enough for the inside of loops. */
throng_stop throng_interrupted(void);
/* Why a long loop must give up what it is in the middle of: at once, but in a frame only after 0.03 s,
 * so that most are finished; once yes, it is yes as long as the frame or call lasts. Whoever gives up fails, and leaves
 * things as they were; what the failure says does not matter: it is told as the interruption that it is. On any thread.
 */
throng_stop throng_given_up(void);
/* The same in a loop of short turns: asked in the first and in every 65,536th, so that it costs nothing. */
static inline bool throng_given_up_at(int64_t turn) { return (turn & 0xffff) == 0 && throng_given_up(); }
/* The signal that was heard; 0: none. */
int throng_interrupted_by(void);
/* For messages: "interrupted", "stopped after 10 s without coming back ...". */
const char *throng_interrupted_text(void);
/* SIGINT was for what has ended now. */
void throng_interrupted_forget(void);

/* What runs, for messages; "" for what is not known. */
typedef struct throng_watched_place {
    char line[288];  /* "room.lua:3" */
    char doing[288]; /* "in a world:every callback" */
} throng_watched_place;

/* What the watchdog calls on the main thread, in a signal's handler, when what is running must come back; with `place`
 * to be filled, when it did not. Only what is safe in a handler. */
typedef void throng_watchdog_ask(void *context, throng_watched_place *place);

typedef struct throng_watched {
    throng_task work;
    throng_watchdog_ask *ask; /* NULL: that of the work outside */
    void *context;
    /* the watchdog's */
    bool timed; /* it is, or is inside of, a callback or a load */
    struct throng_watched *outside;
    struct {
        unsigned tick, turns; /* at the last look */
        double ran, spent;    /* s: the thread's then, below 0: there was none; its own so far */
        throng_stop stop;
    } own; /* of the outermost that is timed, on fibers */
} throng_watched;

/* The main thread, or work on fibers, does this until _end; `watched` must live as long. What is inside of a callback
 * or a load counts as part of it. */
void throng_watchdog_begin(throng_watched *watched);
void throng_watchdog_end(throng_watched *watched);

/* What the watchdog calls, on its thread, before it ends the process, to close the files of a run whose frame or
 * callback stands; NULL: nothing any more. */
void throng_watchdog_at_end(void (*close)(void *context), void *context);

/* Is there room for so many more bytes within the limit? */
bool throng_memory_fits(size_t bytes);
/* Memory of a device counts, too: so many bytes more, or less, are held there. NULL: they may be; else why not, and
 * nothing has changed. On any thread. */
const char *throng_memory_claim(int64_t bytes);
/* Bytes of memory that the process holds. */
size_t throng_memory_taken(void);
/* So many more are the host's own. */
void throng_memory_allow(size_t bytes);
/* Of the machine's memory, or of what this process's control group may have, the share that scripts have when nobody
 * says otherwise. */
size_t throng_memory_default(void);

#ifdef __cplusplus
}
#endif

#endif
