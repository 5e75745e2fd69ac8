#include "record.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/output.h"
#include "record_format.h"
#include "record_wkt.h"

struct throng_recorder {
    char *path;
    throng_output *output;
    const throng_record_format *format;
    void *store;
    throng_record_own own;
    bool failed;
    throng_error failure;
};

static bool check_own(const throng_record_frame *frame, const char *name, const float *values, throng_error *error)
{
    for (int32_t i = 0; i < frame->count; i++)
        if (!isfinite(values[i]))
            return throng_fail(error, "frame %d: %s of agent %d is %g, which is not finite", frame->frame, name,
                               frame->id[i], values[i]);
    return true;
}

bool throng_record_check(const throng_record_frame *frame, const throng_record_own *own, throng_error *error)
{
    for (int32_t k = 0; k < own->count; k++)
        if (!check_own(frame, own->name[k], frame->own[k], error))
            return false;
    for (int32_t i = 0; i < frame->count; i++) {
        float sum = frame->x[i] + frame->y[i] + frame->hx[i] + frame->hy[i];
        if (!isfinite(sum))
            return throng_fail(error, "frame %d: agent %d is at (%g, %g) heading (%g, %g), which is not finite",
                               frame->frame, frame->id[i], frame->x[i], frame->y[i], frame->hx[i], frame->hy[i]);
    }
    return true;
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

static void release(throng_recorder *r)
{
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
    if (r->format->open(&r->store, r->output, fps, wkt, &r->own, error))
        return true;
    return throng_fail_in(error, "cannot record to '%s'", r->path);
}

throng_recorder *throng_recorder_open_wkt(const char *path, double fps, const char *wkt, const throng_record_own *own,
                                          throng_error *error)
{
    if (!(fps > 0) || !isfinite(fps)) {
        throng_fail(error, "cannot record to '%s': %g frames per second; expected a positive number", path, fps);
        return NULL;
    }
    throng_recorder *r = allocate(path);
    if (!r) {
        throng_output_fail(path, ENOMEM, error);
        return NULL;
    }
    if (own)
        r->own = *own;
    r->output = throng_output_begin(path, error);
    if (r->output && (r->format = format_of(path, error)) && open_store(r, fps, wkt, error))
        return r;
    throng_output_discard(r->output);
    release(r);
    return NULL;
}

throng_recorder *throng_recorder_open(const char *path, double fps, const throng_map *map, const throng_record_own *own,
                                      throng_error *error)
{
    char *wkt = map ? throng_record_wkt(map) : NULL;
    if (map && !wkt) {
        throng_output_fail(path, ENOMEM, error);
        return NULL;
    }
    throng_recorder *r = throng_recorder_open_wkt(path, fps, wkt, own, error);
    free(wkt);
    return r;
}

bool throng_recorder_add(throng_recorder *r, const throng_record_frame *frame, throng_error *error)
{
    if (!r->failed &&
        (!throng_record_check(frame, &r->own, &r->failure) || !r->format->write(r->store, frame, &r->failure))) {
        r->failed = true;
        explain_failure(r->path, r->format->frames(r->store), &r->failure);
    }
    return !r->failed || throng_fail(error, "%s", r->failure.text);
}

bool throng_recorder_note(throng_recorder *r, const throng_notes *notes, throng_error *error)
{
    if (!r->failed && !r->format->note(r->store, notes, &r->failure)) {
        r->failed = true;
        explain_failure(r->path, r->format->frames(r->store), &r->failure);
    }
    return !r->failed || throng_fail(error, "%s", r->failure.text);
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
    bool ok = close_store(recorder, &frames, error);
    if (ok || frames)
        ok = throng_output_commit(recorder->output, ok ? error : NULL) && ok;
    else
        throng_output_discard(recorder->output);
    release(recorder);
    return ok;
}

void throng_recorder_discard(throng_recorder *recorder)
{
    if (!recorder)
        return;
    int32_t frames;
    recorder->format->close(recorder->store, &frames, NULL);
    throng_output_discard(recorder->output);
    release(recorder);
}
