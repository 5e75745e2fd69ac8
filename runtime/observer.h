/* A thread that looks at a world while its frames go on. */
#ifndef THRONG_OBSERVER_H
#define THRONG_OBSERVER_H

#include "world.h"

typedef struct throng_observer throng_observer;

/* Looks at a snapshot, which is its own to change. After a failure it is not called again. */
typedef bool (*throng_observe)(void *context, throng_snapshot *snapshot, throng_error *error);

/* `columns`: what it looks at, bit each. */
throng_observer *throng_observer_start(uint64_t columns, throng_observe observe, void *context, throng_error *error);

/* Shows it the world as it is now, and returns at once; waits only while 64 snapshots or 128 MiB of them, two at least,
 * are still to be looked at. False, with the message of the first failure, once it has failed. */
bool throng_observer_show(throng_observer *observer, throng_world *world, throng_error *error);

/* Waits until it has seen everything and frees it (NULL: nothing to do). False likewise. */
bool throng_observer_stop(throng_observer *observer, throng_error *error);

#endif
