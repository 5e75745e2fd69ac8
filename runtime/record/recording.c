#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "record_compact.h"
#include "record_format.h"
#include "recording_format.h"

static bool read_start(const char *path, char *start, size_t size, throng_error *error)
{
    FILE *file = throng_file_open(path, THRONG_FILE_ANY_SIZE, error);
    if (!file)
        return false;
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
    if (throng_file_ends_in(path, ".txt") || throng_file_ends_in(path, ".csv"))
        return &throng_recording_text;
    if (memcmp(start, "\x89HDF\r\n", 6) == 0 || memcmp(start, "PAR1", 4) == 0)
        throng_fail(error,
                    "'%s' is one for the Python package: python3 -m throng '%s' trajectory.csv makes a .csv of it",
                    path, path);
    else
        throng_fail(error,
                    "'%s' is not a recording: expected a .throng, a JuPedSim SQLite file, or rows as a .txt or .csv",
                    path);
    return NULL;
}

/* Beyond these a frame's time is no time that a run can have. */
static bool check_rate(const throng_recording *r, throng_error *error)
{
    return (r->fps >= 1e-6 && r->fps <= 1e6) ||
           throng_fail(error, "'%s' is damaged: it has %g frames a second; expected 0.000001 to 1000000", r->path,
                       r->fps);
}

static throng_recording *open_file(const char *path, throng_error *error)
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
    if (format->open(r, error) && check_rate(r, error))
        return r;
    throng_recording_close(r);
    return NULL;
}

throng_recording *throng_recording_open(const char *path, throng_error *error)
{
    throng_recording *r = open_file(path, error);
    if (!r || !r->lies_over)
        return r;
    throng_fail(error,
                "'%s' is of a building, whose floors lie over each other in it: give the recording that it was made of",
                path);
    throng_recording_close(r);
    return NULL;
}

throng_recording *throng_recording_open_plan(const char *path, const char *floor, throng_error *error)
{
    throng_recording *r = open_file(path, error);
    if (!r || throng_recording_plan_init(r, floor, error))
        return r;
    throng_recording_close(r);
    return NULL;
}

void throng_recording_close(throng_recording *r)
{
    if (!r)
        return;
    r->format->close(r);
    throng_recording_plan_fini(r);
    free(r->path);
    free(r->wkt);
    free(r->id);
    free(r->x);
    free(r->y);
    free(r->hx);
    free(r->hy);
    for (int32_t k = 0; k < r->own_columns.count; k++)
        free(r->own[k]);
    free(r);
}

int32_t throng_recording_frames(const throng_recording *r) { return r->frames; }
bool throng_recording_is_cut(const throng_recording *r) { return r->cut; }
double throng_recording_fps(const throng_recording *r) { return r->fps; }
const char *throng_recording_wkt(const throng_recording *r) { return r->wkt; }
const throng_record_own *throng_recording_own(const throng_recording *r) { return &r->own_columns; }

bool throng_recording_read(throng_recording *r, int32_t n, throng_record_frame *frame, throng_error *error)
{
    if (n < 0 || n >= r->frames)
        return throng_fail(error, "'%s' has frames 0 to %d, not %d", r->path, r->frames - 1, n);
    if (!r->format->read(r, n, frame, error))
        return false;
    for (int32_t i = 1; i < frame->count; i++)
        if (frame->id[i] <= frame->id[i - 1])
            return throng_fail(error, "'%s' is damaged: agent %d is twice in frame %d", r->path, frame->id[i],
                               frame->frame);
    return (throng_recording_lay(r, frame, error) && throng_record_check(frame, &r->own_columns, error)) ||
           throng_fail_in(error, "'%s' is damaged", r->path);
}

bool throng_recording_notes(throng_recording *r, throng_notes *notes, throng_error *error)
{
    *notes = (throng_notes){0};
    return r->format->notes(r, notes, error);
}
