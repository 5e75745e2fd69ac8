#include "record.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "output.h"
#include "record_format.h"
#include "record_wkt.h"

enum { QUEUE_FRAMES = 64 };
static const size_t queue_bytes = (size_t)256 << 20;

/* A frame in the queue, with its arrays behind it in one allocation. Written
 * frames are kept for the next ones: fresh memory for a million agents costs
 * the caller ten times the copy (page faults). */
typedef struct queued_frame {
    struct queued_frame *next;
    size_t size; /* bytes allocated */
    throng_record_frame frame;
} queued_frame;

struct throng_recorder {
    char *path, *part;
    const throng_record_format *format;
    void *store; /* the writer's own until it is joined */
    pthread_t writer;
    pthread_mutex_t lock; /* guards everything below */
    pthread_cond_t work, room;
    queued_frame *first, **last;
    queued_frame *spare;
    int32_t queued; /* frames waiting or being written */
    size_t bytes;
    bool closing, failed;
    throng_error failure;
};

bool throng_record_check(const throng_record_frame *frame, throng_error *error)
{
    for (int32_t i = 0; i < frame->count; i++) {
        float sum = frame->x[i] + frame->y[i] + frame->hx[i] + frame->hy[i];
        if (!isfinite(sum))
            return throng_fail(error, "frame %d: agent %d is at (%g, %g) heading (%g, %g), which is not finite",
                               frame->frame, frame->id[i], frame->x[i], frame->y[i], frame->hx[i], frame->hy[i]);
    }
    return true;
}

static queued_frame *take_spare(throng_recorder *r, size_t size)
{
    pthread_mutex_lock(&r->lock);
    queued_frame *spare = r->spare;
    if (spare)
        r->spare = spare->next;
    pthread_mutex_unlock(&r->lock);
    if (spare && spare->size >= size)
        return spare;
    free(spare);
    spare = malloc(size);
    if (spare)
        spare->size = size;
    return spare;
}

static void give_spare(throng_recorder *r, queued_frame *frame)
{
    pthread_mutex_lock(&r->lock);
    frame->next = r->spare;
    r->spare = frame;
    pthread_mutex_unlock(&r->lock);
}

static queued_frame *copy_frame(throng_recorder *r, const throng_record_frame *frame)
{
    size_t column = (size_t)frame->count * sizeof(float);
    queued_frame *copy = take_spare(r, sizeof *copy + 5 * column);
    if (!copy)
        return NULL;
    char *at = (char *)(copy + 1);
    const void *from[] = {frame->id, frame->x, frame->y, frame->hx, frame->hy};
    for (int c = 0; c < 5 && frame->count; c++)
        memcpy(at + (size_t)c * column, from[c], column);
    const float *floats = (const float *)(const void *)(at + column);
    copy->next = NULL;
    copy->frame = (throng_record_frame){.frame = frame->frame,
                                        .count = frame->count,
                                        .id = (const int32_t *)(const void *)at,
                                        .x = floats,
                                        .y = floats + frame->count,
                                        .hx = floats + 2 * (size_t)frame->count,
                                        .hy = floats + 3 * (size_t)frame->count};
    return copy;
}

/* The next frame to write, in order; NULL when the recorder closes. */
static queued_frame *take_frame(throng_recorder *r)
{
    pthread_mutex_lock(&r->lock);
    while (!r->first && !r->closing)
        pthread_cond_wait(&r->work, &r->lock);
    queued_frame *taken = r->first;
    if (taken) {
        r->first = taken->next;
        if (!r->first)
            r->last = &r->first;
    }
    pthread_mutex_unlock(&r->lock);
    return taken;
}

static void finish_frame(throng_recorder *r, queued_frame *done, const throng_error *failure)
{
    pthread_mutex_lock(&r->lock);
    r->queued--;
    r->bytes -= done->size;
    if (failure) {
        r->failed = true;
        r->failure = *failure;
    }
    pthread_cond_signal(&r->room);
    pthread_mutex_unlock(&r->lock);
    give_spare(r, done);
}

/* Puts the file and what of it is kept around the cause in `error`. */
static bool explain_failure(const char *path, int32_t kept, throng_error *error)
{
    throng_error cause = *error;
    if (kept)
        return throng_fail(error, "recording to '%s' stopped: %s; the file keeps the first %d frame%s", path,
                           cause.text, kept, kept == 1 ? "" : "s");
    return throng_fail(error, "recording to '%s' failed: %s; nothing was kept", path, cause.text);
}

static void *write_frames(void *argument)
{
    throng_recorder *r = argument;
    bool failed = false;
    queued_frame *next;
    while ((next = take_frame(r))) {
        throng_error error;
        bool ok = failed || r->format->write(r->store, &next->frame, &error);
        if (!ok)
            explain_failure(r->path, r->format->frames(r->store), &error);
        failed = failed || !ok;
        finish_frame(r, next, ok ? NULL : &error);
    }
    return NULL;
}

/* Signals go to the host's own threads: Ctrl-C must not land here. */
static bool start_writer(throng_recorder *r, throng_error *error)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int code = pthread_create(&r->writer, NULL, write_frames, r);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return code == 0 || throng_fail(error, "cannot record to '%s': no thread: %s", r->path, strerror(code));
}

static void release(throng_recorder *r)
{
    for (queued_frame *next; r->spare; r->spare = next) {
        next = r->spare->next;
        free(r->spare);
    }
    pthread_cond_destroy(&r->room);
    pthread_cond_destroy(&r->work);
    pthread_mutex_destroy(&r->lock);
    free(r->path);
    free(r);
}

static throng_recorder *allocate(const char *path)
{
    throng_recorder *r = calloc(1, sizeof *r);
    char *name = strdup(path);
    if (!r || !name) {
        free(name);
        free(r);
        return NULL;
    }
    r->path = name;
    r->last = &r->first;
    pthread_mutex_init(&r->lock, NULL);
    pthread_cond_init(&r->work, NULL);
    pthread_cond_init(&r->room, NULL);
    return r;
}

static const throng_record_format *format_of(const char *path, throng_error *error)
{
    static const throng_record_format *const formats[] = {&throng_record_sqlite, &throng_record_compact};
    const char *extension = strrchr(path, '.');
    for (size_t f = 0; extension && f < sizeof formats / sizeof *formats; f++)
        if (strcmp(extension, formats[f]->extension) == 0)
            return formats[f];
    throng_fail(error, "cannot record to '%s': its name must end in .sqlite (JuPedSim SQLite) or .throng (compact)",
                path);
    return NULL;
}

static bool open_store(throng_recorder *r, double fps, const char *wkt, throng_error *error)
{
    if (r->format->open(&r->store, r->part, fps, wkt, error))
        return true;
    return throng_fail_in(error, "cannot record to '%s'", r->path);
}

throng_recorder *throng_recorder_open_wkt(const char *path, double fps, const char *wkt, throng_error *error)
{
    if (!(fps > 0) || !isfinite(fps)) {
        throng_fail(error, "cannot record to '%s': %g frames per second; expected a positive number", path, fps);
        return NULL;
    }
    int32_t frames;
    throng_recorder *r = allocate(path);
    if (!r) {
        throng_output_fail(path, ENOMEM, error);
        return NULL;
    }
    r->part = throng_output_begin(path, error);
    if (r->part && (r->format = format_of(path, error)) && open_store(r, fps, wkt, error)) {
        if (start_writer(r, error))
            return r;
        r->format->close(r->store, &frames, NULL);
    }
    throng_output_discard(r->part);
    release(r);
    return NULL;
}

throng_recorder *throng_recorder_open(const char *path, double fps, const throng_map *map, throng_error *error)
{
    char *wkt = map ? throng_record_wkt(map) : NULL;
    if (map && !wkt) {
        throng_output_fail(path, ENOMEM, error);
        return NULL;
    }
    throng_recorder *r = throng_recorder_open_wkt(path, fps, wkt, error);
    free(wkt);
    return r;
}

/* Waits until the queue has room; a frame larger than the whole queue goes in alone. */
static bool enqueue(throng_recorder *r, queued_frame *frame, throng_error *error)
{
    pthread_mutex_lock(&r->lock);
    while (!r->failed && r->queued && (r->queued >= QUEUE_FRAMES || r->bytes + frame->size > queue_bytes))
        pthread_cond_wait(&r->room, &r->lock);
    bool ok = !r->failed;
    if (ok) {
        *r->last = frame;
        r->last = &frame->next;
        r->queued++;
        r->bytes += frame->size;
        pthread_cond_signal(&r->work);
    } else {
        throng_fail(error, "%s", r->failure.text);
    }
    pthread_mutex_unlock(&r->lock);
    return ok;
}

bool throng_recorder_add(throng_recorder *recorder, const throng_record_frame *frame, throng_error *error)
{
    queued_frame *copy = copy_frame(recorder, frame);
    if (!copy)
        return throng_fail(error, "recording to '%s': out of memory for frame %d of %d agents", recorder->path,
                           frame->frame, frame->count);
    bool ok = enqueue(recorder, copy, error);
    if (!ok)
        give_spare(recorder, copy);
    return ok;
}

static void join_writer(throng_recorder *r)
{
    pthread_mutex_lock(&r->lock);
    r->closing = true;
    pthread_cond_signal(&r->work);
    pthread_mutex_unlock(&r->lock);
    pthread_join(r->writer, NULL);
}

static bool close_store(throng_recorder *r, int32_t *frames, throng_error *error)
{
    throng_error cause;
    bool closed = r->format->close(r->store, frames, &cause);
    if (r->failed)
        return throng_fail(error, "%s", r->failure.text);
    if (!closed)
        explain_failure(r->path, *frames, &cause);
    return closed || throng_fail(error, "%s", cause.text);
}

bool throng_recorder_close(throng_recorder *recorder, throng_error *error)
{
    if (!recorder)
        return true;
    int32_t frames;
    join_writer(recorder);
    bool ok = close_store(recorder, &frames, error);
    if (ok || frames)
        ok = throng_output_commit(recorder->path, recorder->part, ok ? error : NULL) && ok;
    else
        throng_output_discard(recorder->part);
    release(recorder);
    return ok;
}

void throng_recorder_discard(throng_recorder *recorder)
{
    if (!recorder)
        return;
    int32_t frames;
    join_writer(recorder);
    recorder->format->close(recorder->store, &frames, NULL);
    throng_output_discard(recorder->part);
    release(recorder);
}
