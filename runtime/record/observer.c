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
    bool failed; /* a look at it did */
} shown;

/* A look, its thread and what that is to look at, in order. */
typedef struct stage {
    throng_observer *observer;
    throng_look look;
    pthread_t thread;
    pthread_cond_t work;
    shown *first, **last;
    bool closing; /* nothing more comes */
} stage;

struct throng_observer {
    throng_column_set columns;
    void *context;
    stage stages[THRONG_LOOKS_MAX];
    int32_t stage_count;
    pthread_mutex_t lock; /* guards everything below, and the stages' queues */
    pthread_cond_t room;
    shown *spare;
    int32_t count; /* of snapshots there are */
    bool failed;
    throng_error failure;
};

/* --- its threads ---------------------------------------------------------------------------- */

/* The next to look at; NULL when there are no more. */
static shown *take_next(stage *s)
{
    pthread_mutex_lock(&s->observer->lock);
    while (!s->first && !s->closing)
        pthread_cond_wait(&s->work, &s->observer->lock);
    shown *next = s->first;
    if (next) {
        s->first = next->next;
        if (!s->first)
            s->last = &s->first;
    }
    pthread_mutex_unlock(&s->observer->lock);
    return next;
}

/* To the stage, or, after the last one, back to be filled again. */
static void pass_on(throng_observer *o, shown *item, stage *to, const throng_error *failure)
{
    bool kept = to < o->stages + o->stage_count;
    pthread_mutex_lock(&o->lock);
    if (failure && !o->failed) {
        o->failed = true;
        o->failure = *failure;
    }
    item->next = kept ? NULL : o->spare;
    *(kept ? to->last : &o->spare) = item;
    if (kept)
        to->last = &item->next;
    pthread_cond_signal(kept ? &to->work : &o->room);
    pthread_mutex_unlock(&o->lock);
}

static void *look_at_all(void *argument)
{
    stage *s = argument;
    throng_observer *o = s->observer;
    bool failed = false;
    shown *next;
    while ((next = take_next(s))) {
        throng_error error;
        bool skip = failed || next->failed;
        bool ok =
            skip || (throng_copy_wait(&next->snapshot.agents, &error) && s->look(o->context, &next->snapshot, &error));
        failed = failed || !ok;
        next->failed = next->failed || failed;
        pass_on(o, next, s + 1, ok ? NULL : &error);
    }
    return NULL;
}

/* --- lifetime ------------------------------------------------------------------------------ */

/* Signals go to the host's own threads: Ctrl-C must not land here. */
static int start_thread(stage *s)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int code = pthread_create(&s->thread, NULL, look_at_all, s);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return code;
}

static int add_stage(throng_observer *o, throng_look look)
{
    stage *s = &o->stages[o->stage_count];
    *s = (stage){.observer = o, .look = look, .last = &s->first};
    pthread_cond_init(&s->work, NULL);
    int code = start_thread(s);
    if (code == 0)
        o->stage_count++;
    else
        pthread_cond_destroy(&s->work);
    return code;
}

/* One after the other: what an earlier stage still looks at goes on to the later ones. */
static void end_stages(throng_observer *o)
{
    for (stage *s = o->stages; s < o->stages + o->stage_count; s++) {
        pthread_mutex_lock(&o->lock);
        s->closing = true;
        pthread_cond_signal(&s->work);
        pthread_mutex_unlock(&o->lock);
        pthread_join(s->thread, NULL);
        pthread_cond_destroy(&s->work);
    }
}

static void destroy(throng_observer *o)
{
    end_stages(o);
    for (shown *next; o->spare; o->spare = next) {
        next = o->spare->next;
        throng_snapshot_fini(&o->spare->snapshot);
        free(o->spare);
    }
    pthread_cond_destroy(&o->room);
    pthread_mutex_destroy(&o->lock);
    free(o);
}

throng_observer *throng_observer_start(throng_column_set columns, const throng_look *looks, int32_t count,
                                       void *context, throng_error *error)
{
    throng_observer *o = calloc(1, sizeof *o);
    if (!o) {
        throng_fail(error, "out of memory");
        return NULL;
    }
    o->columns = columns;
    o->context = context;
    pthread_mutex_init(&o->lock, NULL);
    pthread_cond_init(&o->room, NULL);
    for (int32_t i = 0; i < count; i++) {
        int code = add_stage(o, looks[i]);
        if (code == 0)
            continue;
        destroy(o);
        throng_fail(error, "cannot start a thread to record with: %s (raise ulimit -u, or record nothing: --out none)",
                    strerror(code));
        return NULL;
    }
    return o;
}

bool throng_observer_stop(throng_observer *o, throng_error *error)
{
    if (!o)
        return true;
    end_stages(o);
    o->stage_count = 0;
    bool ok = !o->failed || throng_fail(error, "%s", o->failure.text);
    destroy(o);
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

static int32_t count_spare(const throng_observer *o)
{
    int32_t count = 0;
    for (const shown *s = o->spare; s; s = s->next)
        count++;
    return count;
}

void throng_observer_wait(throng_observer *o)
{
    pthread_mutex_lock(&o->lock);
    while (count_spare(o) < o->count)
        pthread_cond_wait(&o->room, &o->lock);
    pthread_mutex_unlock(&o->lock);
}

bool throng_observer_show(throng_observer *o, throng_world *world, throng_error *error)
{
    size_t slots = (size_t)throng_agents_slots(throng_world_agents(world));
    shown *next = take_spare(o, slots * 4 * (size_t)throng_column_set_size(o->columns), error);
    if (!next)
        return false;
    next->failed = false;
    bool ok = throng_world_snapshot(world, o->columns, &next->snapshot, error);
    pass_on(o, next, o->stages + (ok ? 0 : o->stage_count), NULL);
    return ok;
}
