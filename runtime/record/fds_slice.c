#include "fds_slice.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/file.h"
#include "base/watchdog.h"

enum { TEXT = 30, NODES_MOST = 1 << 20, POINTS_MOST = 1 << 22, FRAMES_MOST = 1 << 20 };

struct throng_fds_file {
    FILE *stream;
    char *path;
    long long begin, frame_bytes;
};

/* ---- records */

/* Reads a record of exactly `size` bytes; false: there is none. */
static bool read_record(FILE *stream, void *data, uint32_t size)
{
    uint32_t before, behind;
    return fread(&before, sizeof before, 1, stream) == 1 && before == size && fread(data, 1, size, stream) == size &&
           fread(&behind, sizeof behind, 1, stream) == 1 && behind == size;
}

/* Without the blanks behind it; what is no letter or sign of ASCII becomes a question mark. */
static bool read_text(FILE *stream, char text[TEXT + 1])
{
    if (!read_record(stream, text, TEXT))
        return false;
    int32_t length = TEXT;
    while (length > 0 && text[length - 1] == ' ')
        length--;
    text[length] = 0;
    for (int32_t i = 0; i < length; i++)
        if (text[i] < ' ' || text[i] > '~')
            text[i] = '?';
    return true;
}

static bool read_nodes(throng_fds_slice *slice, FILE *stream, throng_error *error)
{
    int32_t nodes[6];
    int64_t points = 1;
    const char *path = slice->file->path;
    if (!read_record(stream, nodes, sizeof nodes))
        return throng_fail(error, "'%s' is no slice file of FDS: the record of its nodes is missing", path);
    for (int axis = 0; axis < 3; axis++) {
        slice->first[axis] = nodes[2 * axis];
        slice->last[axis] = nodes[2 * axis + 1];
        if (slice->first[axis] < 0 || slice->last[axis] < slice->first[axis] || slice->last[axis] > NODES_MOST)
            return throng_fail(error, "'%s' is damaged: it has nodes %d to %d along %c", path, slice->first[axis],
                               slice->last[axis], 'x' + axis);
        points *= (int64_t)slice->last[axis] - slice->first[axis] + 1;
        if (points > POINTS_MOST)
            return throng_fail(error, "'%s' has more than %d points; a slice of one plane has fewer", path,
                               (int)POINTS_MOST);
    }
    slice->points = (int32_t)points;
    return true;
}

/* ---- times */

static bool read_time(const throng_fds_slice *slice, int32_t frame, float *time)
{
    const struct throng_fds_file *f = slice->file;
    return fseeko(f->stream, f->begin + frame * f->frame_bytes, SEEK_SET) == 0 &&
           read_record(f->stream, time, sizeof *time);
}

static bool read_times(throng_fds_slice *slice, throng_error *error)
{
    struct throng_fds_file *f = slice->file;
    f->begin = ftello(f->stream);
    f->frame_bytes = 5 * (long long)sizeof(uint32_t) + (long long)slice->points * (long long)sizeof(float);
    if (f->begin < 0 || fseeko(f->stream, 0, SEEK_END) != 0)
        return throng_fail(error, "'%s' cannot be read", f->path);
    long long frames = (ftello(f->stream) - f->begin) / f->frame_bytes;
    if (frames < 1)
        return throng_fail(error, "'%s' has no whole frame yet", f->path);
    if (frames > FRAMES_MOST)
        return throng_fail(error, "'%s' has more than %d frames", f->path, (int)FRAMES_MOST);
    slice->times = malloc((size_t)frames * sizeof *slice->times);
    if (!slice->times)
        return throng_fail(error, "out of memory for the times of '%s'", f->path);
    for (slice->frames = 0; slice->frames < frames; slice->frames++) {
        float time;
        if (throng_given_up())
            return throng_fail(error, "%s", throng_interrupted_text());
        if (!read_time(slice, slice->frames, &time))
            return throng_fail(error, "'%s' is damaged: frame %d has no record of its time", f->path, slice->frames);
        if (!isfinite(time) || (slice->frames > 0 && !((double)time > slice->times[slice->frames - 1])))
            return throng_fail(error, "'%s' is damaged: frame %d is at %g s, not later than the one before", f->path,
                               slice->frames, (double)time);
        slice->times[slice->frames] = (double)time;
    }
    return true;
}

/* ---- life */

static bool open_stream(throng_fds_slice *slice, const char *path, throng_error *error)
{
    slice->file = calloc(1, sizeof *slice->file);
    if (!slice->file || !(slice->file->path = strdup(path)))
        return throng_fail(error, "out of memory for '%s'", path);
    slice->file->stream = throng_file_open(path, THRONG_FILE_ANY_SIZE, error);
    return slice->file->stream != NULL;
}

static bool read_head(throng_fds_slice *slice, throng_error *error)
{
    char name[TEXT + 1];
    FILE *stream = slice->file->stream;
    if (!read_text(stream, slice->quantity) || !read_text(stream, name) || !read_text(stream, slice->units))
        return throng_fail(error,
                           "'%s' is no slice file of FDS: it must begin with three records of 30 bytes, as FDS writes "
                           "them on machines like this one",
                           slice->file->path);
    return read_nodes(slice, stream, error) && read_times(slice, error);
}

throng_fds_slice *throng_fds_slice_open(const char *path, throng_error *error)
{
    throng_fds_slice *slice = calloc(1, sizeof *slice);
    if (!slice) {
        throng_fail(error, "out of memory for '%s'", path);
        return NULL;
    }
    if (open_stream(slice, path, error) && read_head(slice, error))
        return slice;
    throng_fds_slice_close(slice);
    return NULL;
}

void throng_fds_slice_close(throng_fds_slice *slice)
{
    if (!slice)
        return;
    if (slice->file) {
        if (slice->file->stream)
            fclose(slice->file->stream);
        free(slice->file->path);
    }
    free(slice->file);
    free(slice->times);
    free(slice);
}

bool throng_fds_slice_read(throng_fds_slice *slice, int32_t frame, float *values, throng_error *error)
{
    float time;
    const struct throng_fds_file *f = slice->file;
    uint32_t size = (uint32_t)slice->points * (uint32_t)sizeof *values;
    if (frame < 0 || frame >= slice->frames)
        return throng_fail(error, "'%s' has frames 0 to %d, not %d", f->path, slice->frames - 1, frame);
    if (!read_time(slice, frame, &time) || !read_record(f->stream, values, size))
        return throng_fail(error, "'%s' is damaged: frame %d has no record of %d values", f->path, frame,
                           slice->points);
    for (int32_t i = 0; i < slice->points; i++)
        if (!isfinite(values[i]))
            return throng_fail(error, "'%s' is damaged: value %d of the frame at %g s is not finite", f->path, i,
                               (double)time);
    return true;
}
