#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/array.h"
#include "base/file.h"
#include "record_compact.h"
#include "recording_format.h"

typedef struct reader {
    FILE *file;
    uint64_t size;             /* bytes */
    uint64_t notes, notes_end; /* bytes from the beginning; both 0: none */
    uint64_t *offset;
    int32_t offset_room;
    int16_t *heading;
    int32_t heading_room;
    int32_t ids_of, id_count; /* `id` holds those of this frame, sorted; -1: none */
    bool sorted;              /* they are in the file */
    uint64_t *order;          /* otherwise [count]: an id in the high half, where it is in the file in the low one */
    uint32_t *column;         /* [count] as in the file */
    int32_t order_room, column_room;
} reader;

static bool damaged(const throng_recording *r, const char *what, throng_error *error)
{
    return throng_fail(error, "'%s' is damaged: %s", r->path, what);
}

static bool get(const throng_recording *r, void *data, size_t size, throng_error *error)
{
    const reader *from = r->store;
    return !size || fread(data, size, 1, from->file) == 1 || damaged(r, "it ends within a frame", error);
}

static bool seek(const throng_recording *r, uint64_t offset, throng_error *error)
{
    const reader *from = r->store;
    return (offset <= from->size && fseeko(from->file, (off_t)offset, SEEK_SET) == 0) ||
           damaged(r, "it ends within a frame", error);
}

static uint64_t own_bytes(const throng_recording *r, const throng_compact_head *head)
{
    return (uint64_t)head->count * 4 * (uint64_t)r->own_columns.count;
}

static uint64_t frame_bytes(const throng_recording *r, const throng_compact_head *head, int32_t n)
{
    return sizeof *head + (uint64_t)head->count * (head->ids_of == n ? 16 : 12) + own_bytes(r, head);
}

static bool read_head(const throng_recording *r, uint64_t offset, int32_t n, throng_compact_head *head,
                      throng_error *error)
{
    const reader *from = r->store;
    if (!seek(r, offset, error) || !get(r, head, sizeof *head, error))
        return false;
    if (head->tag != THRONG_COMPACT_FRAME || head->count < 0 || head->ids_of < 0 || head->ids_of > n)
        return damaged(r, "a frame does not begin where it should", error);
    return frame_bytes(r, head, n) <= from->size - offset || damaged(r, "it ends within a frame", error);
}

/* The offsets at its end, when they are there. */
static bool read_index(throng_recording *r, uint64_t begin)
{
    reader *from = r->store;
    throng_compact_end end;
    if (from->size < begin + sizeof end || !seek(r, from->size - sizeof end, NULL) || !get(r, &end, sizeof end, NULL) ||
        memcmp(end.magic, THRONG_COMPACT_END, 8) != 0)
        return false;
    if (end.frames > INT32_MAX || end.frames > (from->size - begin - sizeof end) / sizeof *from->offset)
        return false;
    if (!throng_array_reserve((void **)&from->offset, &from->offset_room, (int64_t)end.frames, sizeof *from->offset) ||
        !seek(r, from->size - sizeof end - end.frames * sizeof *from->offset, NULL) ||
        !get(r, from->offset, end.frames * sizeof *from->offset, NULL))
        return false;
    r->frames = (int32_t)end.frames;
    from->notes_end = from->size - sizeof end - end.frames * sizeof *from->offset;
    from->notes = end.notes;
    return true;
}

/* Frame by frame, as far as they are whole. */
static bool find_frames(throng_recording *r, uint64_t at, throng_error *error)
{
    reader *from = r->store;
    throng_compact_head head;
    r->frames = 0;
    for (; read_head(r, at, r->frames, &head, NULL); at += frame_bytes(r, &head, r->frames++)) {
        if (!throng_array_reserve((void **)&from->offset, &from->offset_room, (int64_t)r->frames + 1,
                                  sizeof *from->offset))
            return throng_fail(error, "out of memory for the frames of '%s'", r->path);
        from->offset[r->frames] = at;
    }
    return true;
}

static bool read_wkt(throng_recording *r, const throng_compact_start *start, throng_error *error)
{
    const reader *from = r->store;
    if (!(start->fps > 0) || !isfinite(start->fps) || start->wkt_bytes > from->size)
        return damaged(r, "its head makes no sense", error);
    r->fps = start->fps;
    r->wkt = calloc((size_t)start->wkt_bytes + 1, 1);
    if (!r->wkt)
        return throng_fail(error, "out of memory for the geometry of '%s'", r->path);
    return get(r, r->wkt, start->wkt_bytes, error);
}

/* Whoever wrote the file, a name is one that a script could have given, and is there once. */
static bool read_own(throng_recording *r, uint64_t at, uint32_t count, throng_error *error)
{
    throng_record_own own = {0};
    if (count > THRONG_OWN_COLUMNS)
        return damaged(r, "its head makes no sense", error);
    if (!seek(r, at, error) || !get(r, own.name, count * sizeof *own.name, error))
        return false;
    for (; own.count < (int32_t)count; own.count++) {
        const char *name = own.name[own.count];
        bool fine = name[sizeof *own.name - 1] == '\0' && throng_column_may_be_named(name);
        for (int32_t k = 0; fine && k < own.count; k++)
            fine = strcmp(own.name[k], name) != 0;
        if (!fine)
            return damaged(r, "a column has a name that none can have", error);
    }
    r->own_columns = own;
    return true;
}

static bool compact_open(throng_recording *r, throng_error *error)
{
    reader *from = r->store = calloc(1, sizeof *from);
    struct stat about;
    throng_compact_start start;
    if (!from)
        return throng_fail(error, "out of memory for '%s'", r->path);
    from->ids_of = -1;
    from->file = throng_file_open(r->path, THRONG_FILE_ANY_SIZE, error);
    if (!from->file)
        return false;
    if (fstat(fileno(from->file), &about) != 0)
        return throng_fail(error, "cannot read '%s': %s", r->path, strerror(errno));
    from->size = (uint64_t)about.st_size;
    if (!get(r, &start, sizeof start, error) || !read_wkt(r, &start, error))
        return false;
    uint64_t begin = sizeof start + (((uint64_t)start.wkt_bytes + 3) & ~(uint64_t)3);
    if (!read_own(r, begin, start.own, error))
        return false;
    begin += start.own * sizeof *r->own_columns.name;
    r->cut = !read_index(r, begin);
    return !r->cut || find_frames(r, begin, error);
}

static int by_key(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* They lie there by slot, which newcomers take over from those who went. */
static bool sort_ids(throng_recording *r, int32_t count, throng_error *error)
{
    reader *from = r->store;
    int32_t ascending = 1;
    while (ascending < count && r->id[ascending - 1] < r->id[ascending])
        ascending++;
    from->sorted = ascending >= count;
    if (from->sorted)
        return true;
    if (!throng_array_reserve((void **)&from->order, &from->order_room, count, sizeof *from->order))
        return throng_fail(error, "out of memory for %d agents of '%s'", count, r->path);
    for (int32_t i = 0; i < count; i++)
        from->order[i] = (uint64_t)((uint32_t)r->id[i] ^ 0x80000000u) << 32 | (uint32_t)i;
    qsort(from->order, (size_t)count, sizeof *from->order, by_key);
    for (int32_t i = 0; i < count; i++)
        r->id[i] = (int32_t)((uint32_t)(from->order[i] >> 32) ^ 0x80000000u);
    return true;
}

/* The next column of four bytes an agent, in order of id. */
static bool read_column(throng_recording *r, int32_t count, void *column, throng_error *error)
{
    reader *from = r->store;
    uint32_t *to = column;
    if (from->sorted)
        return get(r, column, (size_t)count * 4, error);
    if (!throng_array_reserve((void **)&from->column, &from->column_room, count, 4))
        return throng_fail(error, "out of memory for %d agents of '%s'", count, r->path);
    if (!get(r, from->column, (size_t)count * 4, error))
        return false;
    for (int32_t i = 0; i < count; i++)
        to[i] = from->column[(uint32_t)from->order[i]];
    return true;
}

static bool read_ids(throng_recording *r, const throng_compact_head *head, int32_t n, throng_error *error)
{
    reader *from = r->store;
    throng_compact_head theirs = *head;
    int32_t at = head->ids_of;
    bool known = from->ids_of == at && at != n;
    if (at != n && !known && !read_head(r, from->offset[at], at, &theirs, error))
        return false;
    if ((known ? from->id_count : theirs.count) != head->count || theirs.ids_of != at)
        return damaged(r, "the ids of a frame are missing", error);
    if (known)
        return true;
    from->ids_of = -1;
    if (!get(r, r->id, (size_t)head->count * sizeof *r->id, error))
        return false;
    if (!sort_ids(r, head->count, error))
        return false;
    from->ids_of = at;
    from->id_count = head->count;
    return true;
}

static bool compact_read(throng_recording *r, int32_t n, throng_record_frame *frame, throng_error *error)
{
    reader *from = r->store;
    throng_compact_head head;
    if (!read_head(r, from->offset[n], n, &head, error))
        return false;
    size_t column = (size_t)head.count * 4;
    uint64_t columns = from->offset[n] + frame_bytes(r, &head, n) - own_bytes(r, &head) - 3 * column;
    if (head.count > r->room)
        from->ids_of = -1;
    if (!throng_recording_reserve(r, head.count, error) || !read_ids(r, &head, n, error) || !seek(r, columns, error))
        return false;
    if (!throng_array_reserve((void **)&from->heading, &from->heading_room, 2 * (int64_t)head.count, 2))
        return throng_fail(error, "out of memory for %d agents of '%s'", head.count, r->path);
    if (!read_column(r, head.count, r->x, error) || !read_column(r, head.count, r->y, error) ||
        !read_column(r, head.count, from->heading, error))
        return false;
    for (int32_t k = 0; k < r->own_columns.count; k++)
        if (!read_column(r, head.count, r->own[k], error))
            return false;
    for (int32_t i = 0; i < head.count; i++) {
        r->hx[i] = (float)from->heading[2 * i] / THRONG_COMPACT_UNIT;
        r->hy[i] = (float)from->heading[2 * i + 1] / THRONG_COMPACT_UNIT;
    }
    *frame = throng_recording_frame(r, head.frame, head.count);
    return true;
}

/* ---- notes */

/* Texts are ended, and begin where cells say. */
static bool fits(const throng_note_table *t, throng_note table)
{
    if (t->text_size > 0 && t->texts[t->text_size - 1] != '\0')
        return false;
    for (int32_t row = 0; row < t->rows; row++)
        for (int32_t c = 0, width = throng_note_width(table); c < width; c++) {
            double at = t->cells[(size_t)row * (size_t)width + (size_t)c];
            if (throng_note_forms[table].columns[c].text && !(at >= 0 && at < t->text_size && at == floor(at)))
                return false;
        }
    return true;
}

static int table_named(const char *name)
{
    int table = 0;
    while (table < THRONG_NOTE_COUNT && strncmp(throng_note_forms[table].name, name, 24) != 0)
        table++;
    return table;
}

/* Rows as they are in the file get the columns that came later. */
static void widen(throng_note_table *t, int32_t columns, int32_t width)
{
    for (int32_t row = t->rows; columns < width && row-- > 0;) {
        double *to = t->cells + (size_t)row * (size_t)width;
        memmove(to, t->cells + (size_t)row * (size_t)columns, (size_t)columns * sizeof *to);
        for (int32_t c = columns; c < width; c++)
            to[c] = NAN;
    }
}

static bool read_table(const throng_recording *r, const throng_compact_table *head, int32_t width, throng_note_table *t,
                       throng_error *error)
{
    size_t cells = (size_t)head->rows * head->columns * sizeof *t->cells;
    t->cells = malloc((size_t)head->rows * (size_t)width * sizeof *t->cells + 1);
    t->texts = malloc((size_t)head->text_bytes + 1);
    if (!t->cells || !t->texts)
        return throng_fail(error, "out of memory for the notes of '%s'", r->path);
    t->rows = t->room = (int32_t)head->rows;
    t->text_size = t->text_room = (int32_t)head->text_bytes;
    if (!get(r, t->cells, cells, error) || !get(r, t->texts, head->text_bytes, error))
        return false;
    widen(t, (int32_t)head->columns, width);
    return true;
}

/* One table, and where the next begins; one that this throng does not know is passed over. */
static bool read_notes_at(const throng_recording *r, uint64_t *at, throng_notes *notes, throng_error *error)
{
    static const char *const wrong = "what it notes of its run makes no sense";
    const reader *from = r->store;
    throng_compact_table head;
    if (from->notes_end - *at < sizeof head)
        return damaged(r, wrong, error);
    if (!seek(r, *at, error) || !get(r, &head, sizeof head, error))
        return false;
    uint64_t cells = (uint64_t)head.rows * head.columns, left = from->notes_end - *at - sizeof head;
    uint64_t texts = ((uint64_t)head.text_bytes + 7) & ~(uint64_t)7;
    if (head.rows > INT32_MAX || head.text_bytes > INT32_MAX || cells > left / 8 || texts > left - cells * 8)
        return damaged(r, wrong, error);
    *at += sizeof head + cells * 8 + texts;
    int table = table_named(head.name);
    if (table == THRONG_NOTE_COUNT)
        return true;
    int32_t width = throng_note_width((throng_note)table);
    if (head.columns > (uint32_t)width || head.columns < (uint32_t)throng_note_width_least((throng_note)table) ||
        notes->tables[table].cells)
        return damaged(r, wrong, error);
    return read_table(r, &head, width, &notes->tables[table], error) &&
           (fits(&notes->tables[table], (throng_note)table) || damaged(r, wrong, error));
}

static bool compact_notes(throng_recording *r, throng_notes *notes, throng_error *error)
{
    const reader *from = r->store;
    for (uint64_t at = from->notes; at < from->notes_end;)
        if (!read_notes_at(r, &at, notes, error))
            return false;
    return true;
}

static void compact_close(throng_recording *r)
{
    reader *from = r->store;
    if (!from)
        return;
    if (from->file)
        fclose(from->file);
    free(from->offset);
    free(from->heading);
    free(from->order);
    free(from->column);
    free(from);
}

const throng_recording_format throng_recording_compact = {compact_open, compact_read, compact_notes, compact_close};
