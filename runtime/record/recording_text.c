/* Trajectories as text, as Forschungszentrum Juelich's data archive has them and PedPy reads them: lines "id frame x y"
 * with more columns or not, after lines that begin with # and name the frame rate ("framerate: 25") and the unit
 * ("x/m", "in cm"). A .csv has commas between them, a line that names its columns, "id", "frame", "x" and "y" in
 * whatever order, and its frame rate in such a line or by a column "time"; of what throng writes beside these, it is
 * also read who is where, of which group and size, and faces which way. All of it is held in memory. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/file.h"
#include "recording_csv.h"
#include "recording_format.h"
#include "recording_head.h"
#include "recording_people.h"
#include "recording_times.h"

#define MOST_BYTES (INT64_C(1) << 30)

typedef struct row {
    int32_t id, frame;
    float x, y, hx, hy;   /* hx is NAN until it is known */
    int32_t floor, group; /* rows of the store's notes; -1: none */
    float radius;         /* m; NAN: nobody knows */
} row;

typedef struct text_store {
    row *rows; /* by frame, then id */
    int32_t count, room;
    int32_t *start; /* [frames + 1] */
    double scale;   /* m: of the unit; 0: not named yet */
    throng_text_head head;
    bool is_csv, has_columns;
    throng_csv_head columns;
    throng_frame_times times; /* of a .csv */
    throng_notes notes;       /* of floors, groups and people */
} text_store;

/* ---- the head */

/* After the first row, too: two files in one may have two units. */
static bool read_head_line(throng_recording *r, char *line, int32_t line_number, throng_error *error)
{
    text_store *t = r->store;
    double scale;
    if (!throng_text_head_read(&t->head, line, r->path, line_number, error) ||
        !throng_text_head_scale(&t->head, r->path, &scale, error))
        return false;
    r->fps = t->head.fps;
    t->scale = scale;
    return true;
}

static bool check_head(const throng_recording *r, throng_error *error)
{
    const text_store *t = r->store;
    if (!(r->fps > 0))
        return throng_fail(error,
                           "'%s' names no frame rate; expected a line like \"# framerate: 25\" before the first "
                           "row: add it",
                           r->path);
    return t->scale > 0 ||
           throng_fail(error,
                       "'%s' does not say whether lengths are in m or cm; expected a line like \"# id frame x/cm "
                       "y/cm\" before the first row: add it",
                       r->path);
}

/* ---- rows */

/* A whole number, also as "12.0" and "1.2e1". */
static bool whole(char **at, int32_t *value)
{
    char *end;
    double found = strtod(*at, &end);
    bool ok = end > *at && found == floor(found) && fabs(found) < 2147483647;
    *value = ok ? (int32_t)found : 0;
    *at = end;
    return ok;
}

static bool number(char **at, double *value)
{
    char *end;
    *value = strtod(*at, &end);
    bool ok = end > *at && isfinite(*value) && fabs(*value) < 1e9;
    *at = end;
    return ok;
}

static bool keep_row(throng_recording *r, row new, double x, double y, throng_error *error)
{
    text_store *t = r->store;
    if (!throng_array_reserve((void **)&t->rows, &t->room, (int64_t)t->count + 1, sizeof *t->rows))
        return throng_fail(error, "out of memory for the rows of '%s'", r->path);
    new.x = (float)(x * t->scale);
    new.y = (float)(y * t->scale);
    t->rows[t->count++] = new;
    return true;
}

/* Of a floor that lies where the plan has it, or a group. */
static bool add_name(throng_notes *notes, throng_note table, const char *name, throng_error *error)
{
    if (table == THRONG_NOTE_FLOOR)
        return THRONG_NOTE_ADD(notes, table, error, {.text = name}, {0}, {0}, {0}, {0}, {0}, {0});
    return THRONG_NOTE_ADD(notes, table, error, {notes->tables[table].rows}, {.text = name}, {.text = ""});
}

/* The row of a floor's or group's name, which is added where it is new; -1: of none. */
static bool find_name(throng_notes *notes, throng_note table, const char *name, int32_t *found, throng_error *error)
{
    int32_t rows = notes->tables[table].rows, row = 0, column = table == THRONG_NOTE_FLOOR ? 0 : 1;
    while (row < rows && strcmp(throng_note_text(notes, table, row, column), name) != 0)
        row++;
    *found = *name ? row : -1;
    return !*name || row < rows || add_name(notes, table, name, error);
}

/* Other programs may call something else so. */
static void take_heading(const throng_csv_row *read, row *new)
{
    double hx = read->number[THRONG_CSV_HX], hy = read->number[THRONG_CSV_HY];
    bool fine = fabs(hypot(hx, hy) - 1) < 1e-3;
    new->hx = fine ? (float)hx : NAN;
    new->hy = fine ? (float)hy : 0;
}

static bool read_csv_line(throng_recording *r, char *line, int32_t line_number, throng_error *error)
{
    text_store *t = r->store;
    throng_csv_row read;
    if (!t->has_columns) {
        t->has_columns = throng_csv_read_head(line, &t->columns, error);
        return t->has_columns || throng_fail_in(error, "%s:%d", r->path, line_number);
    }
    bool fine = throng_csv_read_row(line, &t->columns, &read);
    double id = read.number[THRONG_CSV_ID], frame = read.number[THRONG_CSV_FRAME], time = read.number[THRONG_CSV_TIME];
    if (!fine || id != floor(id) || frame != floor(frame) || !(id >= 0 && id < 2147483647 && fabs(frame) < 2147483647))
        return throng_fail(error, "%s:%d: expected a row of as many numbers as columns, whole ones for id and frame",
                           r->path, line_number);
    t->scale = t->scale > 0 ? t->scale : 1;
    row new = {.id = (int32_t)id, .frame = (int32_t)frame, .radius = (float)read.number[THRONG_CSV_RADIUS]};
    const char *group = isnan(new.radius) ? "" : read.text[THRONG_CSV_GROUP]; /* notes have nobody without a size */
    take_heading(&read, &new);
    if (!isnan(time) && !throng_frame_times_add(&t->times, new.frame, time, line_number))
        return throng_fail(error, "out of memory for the times of '%s'", r->path);
    return find_name(&t->notes, THRONG_NOTE_FLOOR, read.text[THRONG_CSV_FLOOR], &new.floor, error) &&
           find_name(&t->notes, THRONG_NOTE_GROUP, group, &new.group, error) &&
           keep_row(r, new, read.number[THRONG_CSV_X], read.number[THRONG_CSV_Y], error);
}

/* Without a line that says it, by times. */
static bool find_rate(throng_recording *r, throng_error *error)
{
    const text_store *t = r->store;
    if (!(r->fps > 0) && !throng_frame_times_rate(&t->times, r->path, &r->fps, error))
        return false;
    return r->fps > 0 || throng_fail(error,
                                     "'%s' names no frame rate; expected a column 'time' (s), or a line like \"# "
                                     "framerate: 25\" before the first row: add it",
                                     r->path);
}

static bool read_row(throng_recording *r, char *line, int32_t line_number, throng_error *error)
{
    text_store *t = r->store;
    double x, y;
    row new = {.hx = NAN, .floor = -1, .group = -1, .radius = NAN};
    if (t->count == 0 && !check_head(r, error))
        return false;
    if (!whole(&line, &new.id) || !whole(&line, &new.frame) || !number(&line, &x) || !number(&line, &y) || new.id < 0)
        return throng_fail(error, "%s:%d: expected a row \"id frame x y\", of two whole numbers and two lengths",
                           r->path, line_number);
    return keep_row(r, new, x, y, error);
}

typedef bool line_reader(throng_recording *r, char *line, int32_t line_number, throng_error *error);

static bool read_lines(throng_recording *r, char *text, throng_error *error)
{
    text_store *t = r->store;
    int32_t line_number = 0;
    t->is_csv = throng_file_ends_in(r->path, ".csv");
    for (char *line = text; line;) {
        char *next = strchr(line, '\n');
        if (next)
            *next++ = 0;
        line_number++;
        while (isspace((unsigned char)*line))
            line++;
        line_reader *read = *line == '#' ? read_head_line : t->is_csv ? read_csv_line : read_row;
        if (*line && !read(r, line, line_number, error))
            return false;
        line = next;
    }
    if (t->count == 0)
        return throng_fail(error, "'%s' has no rows \"id frame x y\"", r->path);
    return !t->is_csv || find_rate(r, error);
}

/* ---- in their order */

static int by_id(const void *a, const void *b)
{
    const row *p = a, *q = b;
    return p->id != q->id ? (p->id > q->id) - (p->id < q->id) : (p->frame > q->frame) - (p->frame < q->frame);
}

static int by_frame(const void *a, const void *b)
{
    const row *p = a, *q = b;
    return p->frame != q->frame ? (p->frame > q->frame) - (p->frame < q->frame) : (p->id > q->id) - (p->id < q->id);
}

/* Who is not said to face another way faces that in which they walk, from the row before to the one after. Rows are by
 * id here. */
static void find_headings(text_store *t)
{
    for (int32_t i = 0; i < t->count; i++) {
        if (!isnan(t->rows[i].hx))
            continue;
        const row *before = i > 0 && t->rows[i - 1].id == t->rows[i].id ? &t->rows[i - 1] : &t->rows[i];
        const row *after = i + 1 < t->count && t->rows[i + 1].id == t->rows[i].id ? &t->rows[i + 1] : &t->rows[i];
        float dx = after->x - before->x, dy = after->y - before->y, length = sqrtf(dx * dx + dy * dy);
        t->rows[i].hx = length > 0 ? dx / length : 1;
        t->rows[i].hy = length > 0 ? dy / length : 0;
    }
}

/* Rows are by id here, too. */
static bool find_people(throng_recording *r, throng_error *error)
{
    text_store *t = r->store;
    throng_text_people people = {.id = -1};
    bool ok = true;
    for (const row *from = t->rows; ok && from < t->rows + t->count; from++)
        ok = throng_text_people_see(&people, (throng_text_turn){from->frame, from->id, from->group}, from->radius,
                                    &t->notes, error);
    ok = ok && throng_text_people_note_turns(&people, r->fps, &t->notes, error);
    throng_text_people_fini(&people);
    return ok;
}

static bool list_frames(throng_recording *r, throng_error *error)
{
    text_store *t = r->store;
    for (int32_t i = 0; i < t->count; i++)
        r->frames += i == 0 || t->rows[i].frame != t->rows[i - 1].frame;
    t->start = malloc(((size_t)r->frames + 1) * sizeof *t->start);
    if (!t->start)
        return throng_fail(error, "out of memory for the frames of '%s'", r->path);
    for (int32_t i = 0, n = 0; i < t->count; i++)
        if (i == 0 || t->rows[i].frame != t->rows[i - 1].frame)
            t->start[n++] = i;
    t->start[r->frames] = t->count;
    return true;
}

static bool text_open(throng_recording *r, throng_error *error)
{
    throng_bytes file;
    text_store *t = r->store = calloc(1, sizeof *t);
    if (!t || !(r->wkt = strdup("")))
        return throng_fail(error, "out of memory for '%s'", r->path);
    if (!throng_file_read(r->path, MOST_BYTES, &file, error))
        return false;
    bool fine = read_lines(r, (char *)file.data, error);
    free(file.data);
    if (!fine)
        return false;
    r->lies_over = t->notes.tables[THRONG_NOTE_FLOOR].rows > 0;
    if (r->lies_over)
        r->own_columns = (throng_record_own){1, {"sheet"}};
    qsort(t->rows, (size_t)t->count, sizeof *t->rows, by_id);
    find_headings(t);
    if (!find_people(r, error))
        return false;
    qsort(t->rows, (size_t)t->count, sizeof *t->rows, by_frame);
    return list_frames(r, error);
}

static bool text_read(throng_recording *r, int32_t n, throng_record_frame *frame, throng_error *error)
{
    const text_store *t = r->store;
    int32_t first = t->start[n], count = t->start[n + 1] - first;
    if (!throng_recording_reserve(r, count, error))
        return false;
    for (int32_t i = 0; i < count; i++) {
        const row *from = &t->rows[first + i];
        r->id[i] = from->id;
        r->x[i] = from->x;
        r->y[i] = from->y;
        r->hx[i] = from->hx;
        r->hy[i] = from->hy;
        if (r->lies_over)
            r->own[0][i] = (float)from->floor;
    }
    *frame = throng_recording_frame(r, t->rows[first].frame, count);
    return true;
}

static bool copy_note(const throng_notes *from, throng_note table, int32_t row, throng_notes *to, throng_error *error)
{
    throng_note_cell cells[THRONG_NOTE_COLUMNS];
    for (int32_t c = 0; c < throng_note_width(table); c++)
        if (throng_note_forms[table].columns[c].text)
            cells[c].text = throng_note_text(from, table, row, c);
        else
            cells[c].number = throng_note_number(from, table, row, c);
    return throng_note_add(to, table, cells, error);
}

static bool text_notes(throng_recording *r, throng_notes *notes, throng_error *error)
{
    const text_store *t = r->store;
    bool ok = true;
    for (throng_note table = 0; table < THRONG_NOTE_COUNT; table++)
        for (int32_t row = 0; ok && row < t->notes.tables[table].rows; row++)
            ok = copy_note(&t->notes, table, row, notes, error);
    return ok;
}

static void text_close(throng_recording *r)
{
    text_store *t = r->store;
    if (!t)
        return;
    throng_notes_fini(&t->notes);
    throng_frame_times_fini(&t->times);
    free(t->rows);
    free(t->start);
    free(t);
}

const throng_recording_format throng_recording_text = {text_open, text_read, text_notes, text_close};
