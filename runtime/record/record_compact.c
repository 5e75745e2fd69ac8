#include "record_compact.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/output.h"
#include "record_format.h"

typedef struct compact_store {
    FILE *file;
    uint64_t end; /* bytes of whole frames */
    int32_t frames, rooms[3];
    uint64_t *offset; /* [frames] */
    int32_t *ids;     /* [id_count] of the last frame */
    int32_t id_count, ids_of;
    uint32_t *heading; /* [count] of the frame that is written: x in the low half, y in the high one */
} compact_store;

static bool fail(int code, throng_error *error)
{
    const char *full = throng_output_disk_full(code);
    return full ? throng_fail(error, "%s", full) : throng_fail(error, "%s", strerror(code));
}

static bool put(compact_store *store, const void *data, size_t size, throng_error *error)
{
    return !size || fwrite(data, size, 1, store->file) == 1 || fail(errno, error);
}

static void release(compact_store *store)
{
    if (store->file)
        fclose(store->file);
    free(store->offset);
    free(store->ids);
    free(store->heading);
    free(store);
}

static bool write_start(compact_store *store, double fps, const char *wkt, throng_error *error)
{
    throng_compact_start start = {.magic = THRONG_COMPACT_BEGIN, .fps = fps, .wkt_bytes = (uint32_t)strlen(wkt)};
    size_t padding = -strlen(wkt) & 3;
    store->end = sizeof start + start.wkt_bytes + padding;
    return put(store, &start, sizeof start, error) && put(store, wkt, start.wkt_bytes, error) &&
           put(store, "\0\0\0", padding, error);
}

static bool compact_open(void **out, const char *path, double fps, const char *wkt, throng_error *error)
{
    compact_store *store = calloc(1, sizeof *store);
    bool ok = store || throng_fail(error, "out of memory");
    ok = ok && ((store->file = fopen(path, "wb")) || fail(errno, error)) &&
         write_start(store, fps, wkt ? wkt : "", error);
    if (ok)
        *out = store;
    else if (store)
        release(store);
    return ok;
}

static bool same_ids(const compact_store *store, const throng_record_frame *frame)
{
    return frame->count == store->id_count && store->frames &&
           (!frame->count || memcmp(frame->id, store->ids, (size_t)frame->count * sizeof *frame->id) == 0);
}

static bool reserve(compact_store *store, const throng_record_frame *frame)
{
    return throng_array_reserve((void **)&store->offset, &store->rooms[0], (int64_t)store->frames + 1,
                                sizeof *store->offset) &&
           throng_array_reserve((void **)&store->ids, &store->rooms[1], frame->count, sizeof *store->ids) &&
           throng_array_reserve((void **)&store->heading, &store->rooms[2], frame->count, sizeof *store->heading);
}

/* A component in units, rounded to the nearest, ties to even: added to 1.5 * 2^23, a float has no room for the rest.
 * (lrintf does the same, one at a time.) */
static uint32_t units(float component)
{
    float value = component * THRONG_COMPACT_UNIT, shift = 12582912, sum;
    value = value < -THRONG_COMPACT_UNIT ? -THRONG_COMPACT_UNIT : value;
    sum = (value > THRONG_COMPACT_UNIT ? THRONG_COMPACT_UNIT : value) + shift;
    uint32_t bits;
    memcpy(&bits, &sum, sizeof bits);
    return bits & 0xffff;
}

static void round_headings(compact_store *store, const throng_record_frame *frame)
{
    for (int32_t i = 0; i < frame->count; i++)
        store->heading[i] = units(frame->hx[i]) | units(frame->hy[i]) << 16;
}

static bool put_frame(compact_store *store, const throng_record_frame *frame, bool same, throng_error *error)
{
    size_t column = (size_t)frame->count * 4;
    throng_compact_head head = {THRONG_COMPACT_FRAME, frame->frame, frame->count, store->ids_of};
    store->offset[store->frames] = store->end;
    if (!put(store, &head, sizeof head, error) || (!same && !put(store, frame->id, column, error)) ||
        !put(store, frame->x, column, error) || !put(store, frame->y, column, error) ||
        !put(store, store->heading, column, error))
        return false;
    store->end += sizeof head + (same ? 3 : 4) * column;
    store->frames++;
    return true;
}

static bool compact_write(void *opaque, const throng_record_frame *frame, throng_error *error)
{
    compact_store *store = opaque;
    if (!throng_record_check(frame, error))
        return false;
    bool same = same_ids(store, frame);
    store->ids_of = same ? store->ids_of : store->frames;
    if (!reserve(store, frame))
        return throng_fail(error, "out of memory");
    round_headings(store, frame);
    if (!put_frame(store, frame, same, error))
        return false;
    if (!same && frame->count)
        memcpy(store->ids, frame->id, (size_t)frame->count * sizeof *frame->id);
    store->id_count = frame->count;
    return true;
}

static int32_t compact_frames(const void *store) { return ((const compact_store *)store)->frames; }

/* Takes off the frames that did not reach the disk. */
static bool keep_whole_frames(compact_store *store, throng_error *error)
{
    struct stat about;
    if (fstat(fileno(store->file), &about) != 0)
        return fail(errno, error);
    while (store->frames && store->end > (uint64_t)about.st_size)
        store->end = store->offset[--store->frames];
    return (ftruncate(fileno(store->file), (off_t)store->end) == 0 &&
            fseeko(store->file, (off_t)store->end, SEEK_SET) == 0) ||
           fail(errno, error);
}

/* False: there is no room for it. Readers do without. */
static bool put_index(compact_store *store)
{
    throng_compact_end end = {(uint64_t)store->frames, THRONG_COMPACT_END};
    return put(store, store->offset, (size_t)store->frames * sizeof *store->offset, NULL) &&
           put(store, &end, sizeof end, NULL) && fflush(store->file) == 0;
}

static bool compact_close(void *opaque, int32_t *frames, throng_error *error)
{
    compact_store *store = opaque;
    bool ok = fflush(store->file) == 0 || fail(errno, error);
    ok = keep_whole_frames(store, ok ? error : NULL) && ok;
    if (ok && !put_index(store))
        ok = keep_whole_frames(store, error);
    *frames = store->frames;
    release(store);
    return ok;
}

const throng_record_format throng_record_compact = {
    ".throng", compact_open, compact_write, compact_frames, compact_close,
};
