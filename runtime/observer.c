#include "observer.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SHOWN = 64, LEAST_SHOWN = 2 };
static const size_t MOST_BYTES = (size_t)128 << 20;

/* Snapshots that were looked at are kept for the next ones: fresh memory, pinned for a device, costs much more. */
typedef struct shown {
    struct shown *next;
    throng_snapshot snapshot;
} shown;

struct throng_observer {
    uint64_t columns;
    throng_observe observe;
    void *context;
    pthread_t thread;
    pthread_mutex_t lock; /* guards everything below */
    pthread_cond_t work, room;
    shown *first, **last, *spare;
    int32_t count; /* of snapshots there are */
    bool closing, failed;
    throng_error failure;
};

/* --- its thread ---------------------------------------------------------------------------- */

/* The next to look at, in order; NULL when there are no more. */
static shown *take_next(throng_observer *o)
{
    pthread_mutex_lock(&o->lock);
    while (!o->first && !o->closing)
        pthread_cond_wait(&o->work, &o->lock);
    shown *next = o->first;
    if (next) {
        o->first = next->next;
        if (!o->first)
            o->last = &o->first;
    }
    pthread_mutex_unlock(&o->lock);
    return next;
}

static void give_back(throng_observer *o, shown *seen, const throng_error *failure)
{
    pthread_mutex_lock(&o->lock);
    seen->next = o->spare;
    o->spare = seen;
    if (failure) {
        o->failed = true;
        o->failure = *failure;
    }
    pthread_cond_signal(&o->room);
    pthread_mutex_unlock(&o->lock);
}

static void *look(void *argument)
{
    throng_observer *o = argument;
    bool failed = false;
    shown *next;
    while ((next = take_next(o))) {
        throng_error error;
        bool ok = failed ||
                  (throng_copy_wait(&next->snapshot.agents, &error) && o->observe(o->context, &next->snapshot, &error));
        failed = failed || !ok;
        give_back(o, next, ok ? NULL : &error);
    }
    return NULL;
}

/* --- lifetime ------------------------------------------------------------------------------ */

/* Signals go to the host's own threads: Ctrl-C must not land here. */
static int start_thread(throng_observer *o)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int code = pthread_create(&o->thread, NULL, look, o);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return code;
}

static void release(throng_observer *o)
{
    for (shown *next; o->spare; o->spare = next) {
        next = o->spare->next;
        throng_copy_free(&o->spare->snapshot.agents);
        free(o->spare);
    }
    pthread_cond_destroy(&o->room);
    pthread_cond_destroy(&o->work);
    pthread_mutex_destroy(&o->lock);
    free(o);
}

throng_observer *throng_observer_start(uint64_t columns, throng_observe observe, void *context, throng_error *error)
{
    throng_observer *o = calloc(1, sizeof *o);
    if (!o) {
        throng_fail(error, "out of memory");
        return NULL;
    }
    o->columns = columns;
    o->observe = observe;
    o->context = context;
    o->last = &o->first;
    pthread_mutex_init(&o->lock, NULL);
    pthread_cond_init(&o->work, NULL);
    pthread_cond_init(&o->room, NULL);
    int code = start_thread(o);
    if (code == 0)
        return o;
    throng_fail(error, "no thread to record with: %s", strerror(code));
    release(o);
    return NULL;
}

bool throng_observer_stop(throng_observer *o, throng_error *error)
{
    if (!o)
        return true;
    pthread_mutex_lock(&o->lock);
    o->closing = true;
    pthread_cond_signal(&o->work);
    pthread_mutex_unlock(&o->lock);
    pthread_join(o->thread, NULL);
    bool ok = !o->failed || throng_fail(error, "%s", o->failure.text);
    release(o);
    return ok;
}

/* --- the frame's side ------------------------------------------------------------------------ */

/* One to fill; waits while there are enough. NULL when it has failed or memory is out. */
static shown *take_spare(throng_observer *o, size_t bytes, throng_error *error)
{
    pthread_mutex_lock(&o->lock);
    while (!o->failed && !o->spare && o->count >= LEAST_SHOWN &&
           (o->count >= MOST_SHOWN || (size_t)(o->count + 1) * bytes > MOST_BYTES))
        pthread_cond_wait(&o->room, &o->lock);
    shown *spare = NULL;
    if (o->failed)
        throng_fail(error, "%s", o->failure.text);
    else if ((spare = o->spare))
        o->spare = spare->next;
    else if ((spare = calloc(1, sizeof *spare)))
        o->count++;
    else
        throng_fail(error, "out of memory");
    pthread_mutex_unlock(&o->lock);
    return spare;
}

bool throng_observer_show(throng_observer *o, throng_world *world, throng_error *error)
{
    size_t slots = (size_t)throng_agents_slots(throng_world_agents(world));
    shown *next = take_spare(o, slots * 4 * (size_t)__builtin_popcountll(o->columns), error);
    if (!next)
        return false;
    if (!throng_world_snapshot(world, o->columns, &next->snapshot, error)) {
        give_back(o, next, NULL);
        return false;
    }
    pthread_mutex_lock(&o->lock);
    next->next = NULL;
    *o->last = next;
    o->last = &next->next;
    pthread_cond_signal(&o->work);
    pthread_mutex_unlock(&o->lock);
    return true;
}
