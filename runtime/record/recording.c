#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "record_compact.h"
#include "recording_format.h"

static bool read_start(const char *path, char *start, size_t size, throng_error *error)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return throng_fail(error, "cannot read '%s': %s", path, strerror(errno));
    size_t got = fread(start, 1, size, file);
    fclose(file);
    memset(start + got, 0, size - got);
    return true;
}

static const throng_recording_format *format_of(const char *path, throng_error *error)
{
    char start[16];
    if (!read_start(path, start, sizeof start, error))
        return NULL;
    if (memcmp(start, THRONG_COMPACT_BEGIN, 8) == 0)
        return &throng_recording_compact;
    if (memcmp(start, "SQLite format 3", 16) == 0)
        return &throng_recording_sqlite;
    throng_fail(error, "'%s' is no recording: expected a .throng or a JuPedSim SQLite file", path);
    return NULL;
}

throng_recording *throng_recording_open(const char *path, throng_error *error)
{
    const throng_recording_format *format = format_of(path, error);
    throng_recording *r = format ? calloc(1, sizeof *r) : NULL;
    if (!format)
        return NULL;
    if (!r || !(r->path = strdup(path))) {
        free(r);
        throng_fail(error, "out of memory for '%s'", path);
        return NULL;
    }
    r->format = format;
    if (format->open(r, error))
        return r;
    throng_recording_close(r);
    return NULL;
}

void throng_recording_close(throng_recording *r)
{
    if (!r)
        return;
    r->format->close(r);
    free(r->path);
    free(r->wkt);
    free(r->id);
    free(r->x);
    free(r->y);
    free(r->hx);
    free(r->hy);
    free(r);
}

int32_t throng_recording_frames(const throng_recording *r) { return r->frames; }
double throng_recording_fps(const throng_recording *r) { return r->fps; }
const char *throng_recording_wkt(const throng_recording *r) { return r->wkt; }

bool throng_recording_read(throng_recording *r, int32_t n, throng_record_frame *frame, throng_error *error)
{
    if (n < 0 || n >= r->frames)
        return throng_fail(error, "'%s' has frames 0 to %d, not %d", r->path, r->frames - 1, n);
    return r->format->read(r, n, frame, error);
}

bool throng_recording_reserve(throng_recording *r, int32_t count, throng_error *error)
{
    if (count <= r->room)
        return true;
    void **arrays[] = {(void **)&r->id, (void **)&r->x, (void **)&r->y, (void **)&r->hx, (void **)&r->hy};
    r->room = 0;
    for (size_t a = 0; a < sizeof arrays / sizeof *arrays; a++) {
        free(*arrays[a]);
        if (!(*arrays[a] = malloc((size_t)count * 4)))
            return throng_fail(error, "out of memory for %d agents of '%s'", count, r->path);
    }
    r->room = count;
    return true;
}
