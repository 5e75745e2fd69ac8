/* Threads that look at a world while its frames go on. */
#ifndef THRONG_OBSERVER_H
#define THRONG_OBSERVER_H

#include "world/world.h"

typedef struct throng_observer throng_observer;

/* Looks at a snapshot, which is its own to change. After a failure it is not called again. */
typedef bool (*throng_look)(void *context, throng_snapshot *snapshot, throng_error *error);

enum { THRONG_LOOKS_MAX = 2 };

/* `columns`: what it looks at, bit each. Each of the `count` looks, THRONG_LOOKS_MAX at most, has a thread of its own:
 * a snapshot goes from one to the next, in order; after a failed look the next ones do not get it. */
throng_observer *throng_observer_start(throng_column_set columns, const throng_look *looks, int32_t count,
                                       void *context, throng_error *error);

/* Shows it the world as it is now, and returns at once; waits only while 64 snapshots or 128 MiB of them, two at least,
 * are still to be looked at. False, with the message of the first failure, once it has failed. */
bool throng_observer_show(throng_observer *observer, throng_world *world, throng_error *error);

/* Waits until everything that it was shown was looked at. */
void throng_observer_wait(throng_observer *observer);

/* Waits until everything was looked at and frees it (NULL: nothing to do). False likewise. */
bool throng_observer_stop(throng_observer *observer, throng_error *error);

#endif
