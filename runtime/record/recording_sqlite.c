/* Files come from anywhere, so SQLite is told to trust none: no views, triggers, virtual tables or computed columns are
 * run, and no statement does more work than a file of its size can ask for. */
#include <stdio.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/array.h"
#include "notes_sqlite.h"
#include "recording_format.h"
#include "sqlite_problem.h"

typedef struct reader {
    sqlite3 *db;
    sqlite3_stmt *count, *rows;
    int32_t *number; /* of every frame */
    int32_t room;
    int64_t budget, left; /* of a statement, in WORK steps of SQLite's machine */
} reader;

/* A row takes at least 20 bytes and less than 40 steps; small files may take a second all the same. */
enum { WORK = 1000, WORK_BYTES = 500, WORK_LEAST = 10000, TEXT_MOST = 1 << 28 };

static int work(void *context)
{
    reader *from = context;
    return --from->left < 0;
}

static bool fail(const throng_recording *r, throng_error *error)
{
    const reader *from = r->store;
    if (sqlite3_errcode(from->db) == SQLITE_INTERRUPT)
        throng_fail(error, "its tables have no end");
    else
        throng_sqlite_problem(from->db, error);
    return throng_fail_in(error, "'%s' is not a JuPedSim trajectory that can be read", r->path);
}

static bool prepare(const throng_recording *r, const char *sql, sqlite3_stmt **statement, throng_error *error)
{
    reader *from = r->store;
    from->left = from->budget;
    return sqlite3_prepare_v2(from->db, sql, -1, statement, NULL) == SQLITE_OK || fail(r, error);
}

/* ---- opening */

static bool open_database(throng_recording *r, throng_error *error)
{
    static const struct {
        int option, value;
    } settings[] = {{SQLITE_DBCONFIG_DEFENSIVE, 1},
                    {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
                    {SQLITE_DBCONFIG_ENABLE_VIEW, 0},
                    {SQLITE_DBCONFIG_ENABLE_TRIGGER, 0}};
    reader *from = r->store;
    struct stat about;
    if (sqlite3_open_v2(r->path, &from->db, SQLITE_OPEN_READONLY, NULL) != SQLITE_OK || stat(r->path, &about) != 0)
        return fail(r, error);
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        sqlite3_db_config(from->db, settings[i].option, settings[i].value, NULL);
    sqlite3_drop_modules(from->db, NULL);
    sqlite3_limit(from->db, SQLITE_LIMIT_LENGTH, TEXT_MOST);
    from->budget = WORK_LEAST + about.st_size / WORK_BYTES;
    sqlite3_progress_handler(from->db, WORK, work, from);
    return true;
}

/* The first column of the first row, as text; NULL when there is none. */
static bool query_text(const throng_recording *r, const char *sql, char **text, throng_error *error)
{
    sqlite3_stmt *get = NULL;
    if (!prepare(r, sql, &get, error))
        return false;
    int code = sqlite3_step(get);
    const char *found = code == SQLITE_ROW ? (const char *)sqlite3_column_text(get, 0) : NULL;
    *text = found ? strdup(found) : NULL;
    bool ok = (code == SQLITE_ROW || code == SQLITE_DONE) || fail(r, error);
    sqlite3_finalize(get);
    return ok;
}

/* A table, and none of its columns computed: whatever an expression costs, it is one step of SQLite's machine. */
static bool check_table(throng_recording *r, const char *name, throng_error *error)
{
    char sql[100], *type = NULL;
    sqlite3_stmt *list = NULL;
    int code = SQLITE_DONE;
    snprintf(sql, sizeof sql, "SELECT type FROM sqlite_schema WHERE lower(name)='%s'", name);
    if (!query_text(r, sql, &type, error))
        return false;
    bool plain = type && strcmp(type, "table") == 0;
    free(type);
    snprintf(sql, sizeof sql, "PRAGMA table_xinfo(%s)", name);
    if (plain && !prepare(r, sql, &list, error))
        return false;
    while (plain && (code = sqlite3_step(list)) == SQLITE_ROW)
        plain = sqlite3_column_int(list, 6) == 0;
    bool ok = !plain || code == SQLITE_DONE || fail(r, error);
    sqlite3_finalize(list);
    return ok &&
           (plain || throng_fail(error, "'%s' is not a JuPedSim trajectory that can be read: it has no plain table %s",
                                 r->path, name));
}

static bool read_head(throng_recording *r, throng_error *error)
{
    char *fps = NULL;
    if (!query_text(r, "SELECT value FROM metadata WHERE key='fps'", &fps, error) ||
        !query_text(r, "SELECT wkt FROM geometry LIMIT 1", &r->wkt, error)) {
        free(fps);
        return false;
    }
    r->fps = fps ? strtod(fps, NULL) : 0;
    free(fps);
    return (r->wkt || (r->wkt = strdup(""))) || throng_fail(error, "out of memory for '%s'", r->path);
}

/* Of a row: frames and ids are whole numbers of 32 bits. */
static bool read_whole(const throng_recording *r, sqlite3_stmt *row, int column, int32_t *value, throng_error *error)
{
    int64_t found = sqlite3_column_int64(row, column);
    const char *text = (const char *)sqlite3_column_text(row, column);
    *value = (int32_t)found;
    return (sqlite3_column_type(row, column) == SQLITE_INTEGER && *value == found) ||
           throng_fail(error, "'%s' is damaged: %s '%.40s' is not a whole number of -2^31 to 2^31 - 1", r->path,
                       sqlite3_column_name(row, column), text ? text : "NULL");
}

static bool read_number(const throng_recording *r, sqlite3_stmt *row, int column, float *value, throng_error *error)
{
    int type = sqlite3_column_type(row, column);
    *value = (float)sqlite3_column_double(row, column);
    return type == SQLITE_FLOAT || type == SQLITE_INTEGER ||
           throng_fail(error, "'%s' is damaged: %s of agent %d is not a number", r->path,
                       sqlite3_column_name(row, column), sqlite3_column_int(row, 0));
}

static bool list_frames(throng_recording *r, throng_error *error)
{
    reader *from = r->store;
    sqlite3_stmt *list = NULL;
    int code = SQLITE_DONE;
    if (!prepare(r, "SELECT frame FROM frame_data UNION SELECT frame FROM trajectory_data ORDER BY 1", &list, error))
        return false;
    bool ok = true;
    while (ok && (code = sqlite3_step(list)) == SQLITE_ROW) {
        ok = throng_array_reserve((void **)&from->number, &from->room, (int64_t)r->frames + 1, sizeof *from->number) ||
             throng_fail(error, "out of memory for the frames of '%s'", r->path);
        ok = ok && read_whole(r, list, 0, &from->number[r->frames++], error);
    }
    ok = ok && (code == SQLITE_DONE || fail(r, error));
    sqlite3_finalize(list);
    return ok;
}

/* Further columns of real numbers that are never missing, as throng records a script's own. */
static bool list_own(throng_recording *r, throng_error *error)
{
    throng_record_own *own = &r->own_columns;
    sqlite3_stmt *list = NULL;
    int code;
    if (!prepare(r, "PRAGMA table_info(trajectory_data)", &list, error))
        return false;
    while ((code = sqlite3_step(list)) == SQLITE_ROW && own->count < THRONG_OWN_COLUMNS) {
        const char *name = (const char *)sqlite3_column_text(list, 1),
                   *type = (const char *)sqlite3_column_text(list, 2);
        if (name && type && strcmp(type, "REAL") == 0 && sqlite3_column_int(list, 3) &&
            throng_column_may_be_named(name))
            snprintf(own->name[own->count++], sizeof *own->name, "%s", name);
    }
    bool ok = code == SQLITE_ROW || code == SQLITE_DONE || fail(r, error);
    sqlite3_finalize(list);
    return ok;
}

static bool prepare_rows(throng_recording *r, throng_error *error)
{
    reader *from = r->store;
    char sql[120 + THRONG_OWN_COLUMNS * (THRONG_COLUMN_NAME + 3)] = "SELECT id,pos_x,pos_y,ori_x,ori_y";
    for (int32_t k = 0; k < r->own_columns.count; k++) /* names hold nothing but letters, digits and _ */
        snprintf(sql + strlen(sql), sizeof sql - strlen(sql), ",\"%s\"", r->own_columns.name[k]);
    strcat(sql, " FROM trajectory_data WHERE frame=? ORDER BY id");
    return prepare(r, sql, &from->rows, error);
}

static bool sqlite_open(throng_recording *r, throng_error *error)
{
    reader *from = r->store = calloc(1, sizeof *from);
    if (!from)
        return throng_fail(error, "out of memory for '%s'", r->path);
    return open_database(r, error) && check_table(r, "metadata", error) && check_table(r, "geometry", error) &&
           check_table(r, "frame_data", error) && check_table(r, "trajectory_data", error) && read_head(r, error) &&
           list_own(r, error) && list_frames(r, error) &&
           prepare(r, "SELECT count(*) FROM trajectory_data WHERE frame=?", &from->count, error) &&
           prepare_rows(r, error);
}

/* ---- frames */

static bool read_row(throng_recording *r, int32_t i, throng_error *error)
{
    const reader *from = r->store;
    bool ok = read_whole(r, from->rows, 0, &r->id[i], error) && read_number(r, from->rows, 1, &r->x[i], error) &&
              read_number(r, from->rows, 2, &r->y[i], error) && read_number(r, from->rows, 3, &r->hx[i], error) &&
              read_number(r, from->rows, 4, &r->hy[i], error);
    for (int32_t k = 0; ok && k < r->own_columns.count; k++)
        ok = read_number(r, from->rows, 5 + k, &r->own[k][i], error);
    return ok;
}

static bool read_rows(throng_recording *r, int32_t count, throng_error *error)
{
    const reader *from = r->store;
    for (int32_t i = 0; i < count; i++)
        if (sqlite3_step(from->rows) != SQLITE_ROW)
            return fail(r, error);
        else if (!read_row(r, i, error))
            return false;
    return true;
}

static bool sqlite_read(throng_recording *r, int32_t n, throng_record_frame *frame, throng_error *error)
{
    reader *from = r->store;
    from->left = from->budget;
    sqlite3_bind_int(from->count, 1, from->number[n]);
    sqlite3_bind_int(from->rows, 1, from->number[n]);
    int32_t count = sqlite3_step(from->count) == SQLITE_ROW ? sqlite3_column_int(from->count, 0) : -1;
    bool ok = (count >= 0 || fail(r, error)) && throng_recording_reserve(r, count, error) && read_rows(r, count, error);
    sqlite3_reset(from->count);
    sqlite3_reset(from->rows);
    if (ok)
        *frame = throng_recording_frame(r, from->number[n], count);
    return ok;
}

/* ---- notes */

static bool has_table(const throng_recording *r, const char *name, bool *has, throng_error *error)
{
    char sql[100], *found = NULL;
    snprintf(sql, sizeof sql, "SELECT name FROM sqlite_schema WHERE lower(name)='%s'", name);
    if (!query_text(r, sql, &found, error))
        return false;
    *has = found != NULL;
    free(found);
    return true;
}

/* Those that it has of the columns. */
static int32_t columns_of(const throng_recording *r, throng_note table)
{
    const reader *from = r->store;
    char name[40];
    int32_t count = throng_note_width_least(table);
    throng_note_table_name(table, name, sizeof name);
    while (count < throng_note_width(table) &&
           sqlite3_table_column_metadata(from->db, NULL, name, throng_note_forms[table].columns[count].name, NULL, NULL,
                                         NULL, NULL, NULL) == SQLITE_OK)
        count++;
    return count;
}

static bool read_rows_of(const throng_recording *r, throng_note table, throng_notes *notes, throng_error *error)
{
    char sql[200];
    sqlite3_stmt *rows = NULL;
    int code = SQLITE_DONE;
    throng_note_select(table, columns_of(r, table), sql, sizeof sql);
    if (!prepare(r, sql, &rows, error))
        return false;
    bool ok = true;
    while (ok && (code = sqlite3_step(rows)) == SQLITE_ROW)
        ok = throng_note_take(notes, table, rows, error);
    ok = ok && (code == SQLITE_DONE || fail(r, error));
    sqlite3_finalize(rows);
    return ok;
}

static bool sqlite_notes(throng_recording *r, throng_notes *notes, throng_error *error)
{
    for (int table = 0; table < THRONG_NOTE_COUNT; table++) {
        char name[40];
        bool has;
        throng_note_table_name((throng_note)table, name, sizeof name);
        if (!has_table(r, name, &has, error) ||
            (has && (!check_table(r, name, error) || !read_rows_of(r, (throng_note)table, notes, error))))
            return false;
    }
    return true;
}

static void sqlite_close(throng_recording *r)
{
    reader *from = r->store;
    if (!from)
        return;
    sqlite3_finalize(from->count);
    sqlite3_finalize(from->rows);
    sqlite3_close(from->db);
    free(from->number);
    free(from);
}

const throng_recording_format throng_recording_sqlite = {sqlite_open, sqlite_read, sqlite_notes, sqlite_close};
