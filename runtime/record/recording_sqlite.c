#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "recording_format.h"

typedef struct reader {
    sqlite3 *db;
    sqlite3_stmt *count, *rows;
    int32_t *number; /* of every frame */
    int32_t room;
} reader;

static bool fail(const throng_recording *r, throng_error *error)
{
    const reader *from = r->store;
    return throng_fail(error, "'%s' is no JuPedSim trajectory that can be read: %s", r->path, sqlite3_errmsg(from->db));
}

static bool prepare(const throng_recording *r, const char *sql, sqlite3_stmt **statement, throng_error *error)
{
    const reader *from = r->store;
    return sqlite3_prepare_v2(from->db, sql, -1, statement, NULL) == SQLITE_OK || fail(r, error);
}

/* The first column of the first row, as text; NULL when there is none. */
static bool query_text(const throng_recording *r, const char *sql, char **text, throng_error *error)
{
    sqlite3_stmt *get = NULL;
    if (!prepare(r, sql, &get, error))
        return false;
    const char *found = sqlite3_step(get) == SQLITE_ROW ? (const char *)sqlite3_column_text(get, 0) : NULL;
    *text = found ? strdup(found) : NULL;
    sqlite3_finalize(get);
    return true;
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
    if (!(r->fps > 0))
        return throng_fail(error, "'%s' does not say how many frames a second it has (metadata 'fps')", r->path);
    return (r->wkt || (r->wkt = strdup(""))) || throng_fail(error, "out of memory for '%s'", r->path);
}

static bool list_frames(throng_recording *r, throng_error *error)
{
    reader *from = r->store;
    sqlite3_stmt *list = NULL;
    if (!prepare(r, "SELECT frame FROM frame_data UNION SELECT frame FROM trajectory_data ORDER BY 1", &list, error))
        return false;
    bool ok = true;
    while (ok && sqlite3_step(list) == SQLITE_ROW) {
        ok = throng_array_reserve((void **)&from->number, &from->room, (int64_t)r->frames + 1, sizeof *from->number);
        if (ok)
            from->number[r->frames++] = sqlite3_column_int(list, 0);
    }
    sqlite3_finalize(list);
    return ok || throng_fail(error, "out of memory for the frames of '%s'", r->path);
}

static bool sqlite_open(throng_recording *r, throng_error *error)
{
    reader *from = r->store = calloc(1, sizeof *from);
    if (!from)
        return throng_fail(error, "out of memory for '%s'", r->path);
    if (sqlite3_open_v2(r->path, &from->db, SQLITE_OPEN_READONLY, NULL) != SQLITE_OK)
        return fail(r, error);
    return read_head(r, error) && list_frames(r, error) &&
           prepare(r, "SELECT count(*) FROM trajectory_data WHERE frame=?", &from->count, error) &&
           prepare(r, "SELECT id,pos_x,pos_y,ori_x,ori_y FROM trajectory_data WHERE frame=? ORDER BY id", &from->rows,
                   error);
}

static bool sqlite_read(throng_recording *r, int32_t n, throng_record_frame *frame, throng_error *error)
{
    reader *from = r->store;
    sqlite3_reset(from->count);
    sqlite3_reset(from->rows);
    sqlite3_bind_int(from->count, 1, from->number[n]);
    sqlite3_bind_int(from->rows, 1, from->number[n]);
    if (sqlite3_step(from->count) != SQLITE_ROW)
        return fail(r, error);
    int32_t count = sqlite3_column_int(from->count, 0), i = 0;
    if (!throng_recording_reserve(r, count, error))
        return false;
    for (; i < count && sqlite3_step(from->rows) == SQLITE_ROW; i++) {
        r->id[i] = sqlite3_column_int(from->rows, 0);
        r->x[i] = (float)sqlite3_column_double(from->rows, 1);
        r->y[i] = (float)sqlite3_column_double(from->rows, 2);
        r->hx[i] = (float)sqlite3_column_double(from->rows, 3);
        r->hy[i] = (float)sqlite3_column_double(from->rows, 4);
    }
    *frame = (throng_record_frame){from->number[n], count, r->id, r->x, r->y, r->hx, r->hy};
    return i == count || fail(r, error);
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

const throng_recording_format throng_recording_sqlite = {sqlite_open, sqlite_read, sqlite_close};
