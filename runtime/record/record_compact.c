#include "record_compact.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/array.h"
#include "base/output.h"
#include "record_format.h"

typedef struct compact_store {
    int file;
    uint64_t end;   /* bytes of whole frames, and of notes */
    uint64_t notes; /* where they begin, 0: there are none */
    int32_t frames, rooms[3];
    uint64_t *offset; /* [frames] */
    int32_t *ids;     /* [id_count] of the last frame */
    int32_t id_count, ids_of, own;
    uint32_t *heading; /* [count] of the frame that is written: x in the low half, y in the high one */
} compact_store;

static bool fail(int code, throng_error *error) { return throng_fail(error, "%s", throng_output_cause(code)); }

/* Writes all parts behind what is whole, without a buffer between, and counts them to it; or leaves it as it was. */
static bool put(compact_store *store, struct iovec *parts, int count, throng_error *error)
{
    uint64_t at = store->end;
    while (count > 0) {
        ssize_t written = parts->iov_len ? pwritev(store->file, parts, count, (off_t)at) : 0;
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0 || (written == 0 && parts->iov_len))
            return fail(written ? errno : EIO, error);
        at += (uint64_t)written;
        for (; count > 0 && (size_t)written >= parts->iov_len; parts++, count--)
            written -= (ssize_t)parts->iov_len;
        if (count > 0) {
            parts->iov_base = (char *)parts->iov_base + written;
            parts->iov_len -= (size_t)written;
        }
    }
    store->end = at;
    return true;
}

static struct iovec part(const void *data, size_t size) { return (struct iovec){(void *)(uintptr_t)data, size}; }

static void release(compact_store *store)
{
    free(store->offset);
    free(store->ids);
    free(store->heading);
    free(store);
}

static bool write_start(compact_store *store, double fps, const char *wkt, const throng_record_own *own,
                        throng_error *error)
{
    throng_compact_start start = {THRONG_COMPACT_BEGIN, fps, (uint32_t)strlen(wkt), (uint32_t)own->count};
    struct iovec parts[] = {part(&start, sizeof start), part(wkt, start.wkt_bytes), part("\0\0\0", -strlen(wkt) & 3),
                            part(own->name, start.own * sizeof *own->name)};
    return put(store, parts, 4, error);
}

static bool compact_open(void **out, throng_output *output, double fps, const char *wkt, const throng_record_own *own,
                         throng_error *error)
{
    compact_store *store = calloc(1, sizeof *store);
    bool ok = store || throng_fail(error, "out of memory");
    if (store) {
        store->file = throng_output_descriptor(output);
        store->own = own->count;
    }
    ok = ok && write_start(store, fps, wkt ? wkt : "", own, error);
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
    struct iovec parts[5 + THRONG_OWN_COLUMNS] = {part(&head, sizeof head), part(frame->id, same ? 0 : column),
                                                  part(frame->x, column), part(frame->y, column),
                                                  part(store->heading, column)};
    for (int32_t k = 0; k < store->own; k++)
        parts[5 + k] = part(frame->own[k], column);
    store->offset[store->frames] = store->end;
    if (!put(store, parts, 5 + store->own, error))
        return false;
    store->frames++;
    return true;
}

static bool compact_write(void *opaque, const throng_record_frame *frame, throng_error *error)
{
    compact_store *store = opaque;
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

static bool put_table(compact_store *store, const throng_notes *notes, throng_note table, throng_error *error)
{
    const throng_note_table *t = &notes->tables[table];
    throng_compact_table head = {{0}, (uint32_t)throng_note_width(table), (uint32_t)t->rows, (uint32_t)t->text_size, 0};
    snprintf(head.name, sizeof head.name, "%s", throng_note_forms[table].name);
    struct iovec parts[] = {part(&head, sizeof head), part(t->cells, (size_t)head.rows * head.columns * sizeof(double)),
                            part(t->texts, head.text_bytes), part("\0\0\0\0\0\0\0", -head.text_bytes & 7)};
    return put(store, parts, 4, error);
}

/* All of them or none. */
static bool compact_note(void *opaque, const throng_notes *notes, throng_error *error)
{
    compact_store *store = opaque;
    uint64_t before = store->end;
    bool ok = true;
    for (int table = 0; ok && table < THRONG_NOTE_COUNT; table++)
        ok = !notes->tables[table].rows || put_table(store, notes, (throng_note)table, error);
    store->notes = ok ? before : 0;
    store->end = ok ? store->end : before;
    return ok;
}

/* Readers do without an index where there is no room for it. */
static bool compact_close(void *opaque, int32_t *frames, throng_error *error)
{
    compact_store *store = opaque;
    throng_compact_end end = {store->notes ? store->notes : store->end, (uint64_t)store->frames, THRONG_COMPACT_END};
    struct iovec index[] = {part(store->offset, (size_t)store->frames * sizeof *store->offset), part(&end, sizeof end)};
    *frames = store->frames;
    put(store, index, 2, NULL);
    bool ok = ftruncate(store->file, (off_t)store->end) == 0 || fail(errno, error);
    release(store);
    return ok;
}

const throng_record_format throng_record_compact = {
    ".throng", compact_open, compact_write, compact_frames, compact_note, compact_close,
};
