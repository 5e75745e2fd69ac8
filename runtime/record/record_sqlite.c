/* Trajectories as JuPedSim SQLite, version 2: what JuPedSim 1.4.2 writes and
 * PedPy reads.
 *
 * Frames go in through a virtual table that reads the caller's arrays, so a
 * frame is one statement: 2.3 million rows a second, against 0.9 million with a
 * bound INSERT a row. The index is there from the start: rows arrive in (frame,
 * id) order, so it is appended to, which costs less than sorting it at the end
 * (1.2-1.8 million rows a second over all) and lets a run that is interrupted
 * close at once. */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sqlite3.h>

#include "base/hash.h"
#include "base/output.h"
#include "notes_sqlite.h"
#include "record_format.h"
#include "record_source.h"
#include "record_wkt.h"
#include "sqlite_problem.h"

typedef struct sqlite_store {
    sqlite3 *db;
    sqlite3_stmt *insert_rows, *insert_frame;
    throng_record_source *source; /* the frame that insert_rows reads */
    bool has_map;
    throng_bounds bounds; /* of the map, or of what was written so far */
    int64_t geometry;     /* hash of the geometry's WKT */
    int file;
    throng_record_own own;
    int64_t committed;    /* bytes */
    int64_t reserved;     /* bytes of the file that the disk has room for */
    int64_t pending_rows; /* written since the last commit */
    int32_t pending_frames;
    int32_t frames; /* committed */
} sqlite_store;

enum { COMMIT_ROWS = 200000, COMMIT_FRAMES = 100, PAGE = 32768 };
static const int64_t UNLIMITED = INT64_MAX; /* of `reserved`: the file system reserves nothing */

/* At most, in the table and the index with their pages filled to two thirds; and pages that are begun. */
enum { ROW_BYTES = 96, OWN_BYTES = 16, FRAME_BYTES = 32, SPARE = 8 * PAGE, RESERVE = 4 << 20 };

/* The journal stays in memory: rows are only appended, so it holds a handful of
 * pages, and what fails rolls back to the last commit instead of leaving a torn
 * file. That no frame is lost so when the disk is full, room for it is reserved
 * before it is taken in. Nothing waits for the disk: until it is closed and renamed the
 * file is not a result. */
static const char schema[] = "PRAGMA page_size=32768; PRAGMA journal_mode=MEMORY; PRAGMA synchronous=OFF;"
                             "PRAGMA locking_mode=EXCLUSIVE; PRAGMA cache_size=-16384;"
                             "BEGIN;"
                             "CREATE TABLE trajectory_data(frame INTEGER NOT NULL,id INTEGER NOT NULL,"
                             " pos_x REAL NOT NULL,pos_y REAL NOT NULL,ori_x REAL NOT NULL,ori_y REAL NOT NULL);"
                             "CREATE TABLE metadata(key TEXT NOT NULL UNIQUE PRIMARY KEY,value TEXT NOT NULL);"
                             "CREATE TABLE geometry(hash INTEGER NOT NULL,wkt TEXT NOT NULL);"
                             "CREATE UNIQUE INDEX geometry_hash ON geometry(hash);"
                             "CREATE TABLE frame_data(frame INTEGER NOT NULL,geometry_hash INTEGER NOT NULL);"
                             "CREATE INDEX frame_id_idx ON trajectory_data(frame,id);";

static bool fail(const sqlite_store *store, throng_error *error) { return throng_sqlite_problem(store->db, error); }

static bool execute(sqlite_store *store, const char *sql, throng_error *error)
{
    return sqlite3_exec(store->db, sql, NULL, NULL, NULL) == SQLITE_OK || fail(store, error);
}

static bool step(sqlite_store *store, sqlite3_stmt *statement, throng_error *error)
{
    bool done = sqlite3_step(statement) == SQLITE_DONE;
    if (!done)
        fail(store, error); /* before the reset, which clears the errno */
    sqlite3_reset(statement);
    return done;
}

static bool prepare(sqlite_store *store, const char *sql, sqlite3_stmt **statement, throng_error *error)
{
    return sqlite3_prepare_v2(store->db, sql, -1, statement, NULL) == SQLITE_OK || fail(store, error);
}

static bool set_metadata(sqlite_store *store, const char *key, const char *value, throng_error *error)
{
    sqlite3_stmt *put = NULL;
    if (!prepare(store, "INSERT OR REPLACE INTO metadata VALUES(?,?)", &put, error))
        return false;
    sqlite3_bind_text(put, 1, key, -1, SQLITE_STATIC);
    sqlite3_bind_text(put, 2, value, -1, SQLITE_STATIC);
    bool ok = step(store, put, error);
    sqlite3_finalize(put);
    return ok;
}

static bool set_number(sqlite_store *store, const char *key, double value, throng_error *error)
{
    char text[32];
    throng_record_number(text, value);
    return set_metadata(store, key, text, error);
}

static bool set_bounds(sqlite_store *store, throng_bounds b, throng_error *error)
{
    return set_number(store, "xmin", b.x0, error) && set_number(store, "xmax", b.x1, error) &&
           set_number(store, "ymin", b.y0, error) && set_number(store, "ymax", b.y1, error);
}

static bool set_geometry(sqlite_store *store, const char *wkt, throng_error *error)
{
    sqlite3_stmt *put = NULL;
    if (!prepare(store, "INSERT OR REPLACE INTO geometry VALUES(?,?)", &put, error))
        return false;
    sqlite3_bind_int64(put, 1, store->geometry);
    sqlite3_bind_text(put, 2, wkt, -1, SQLITE_STATIC);
    bool ok = step(store, put, error);
    sqlite3_finalize(put);
    return ok;
}

/* The box around all coordinates of a WKT. */
static throng_bounds wkt_bounds(const char *wkt)
{
    throng_bounds b = {INFINITY, INFINITY, -INFINITY, -INFINITY};
    while (*(wkt += strcspn(wkt, "+-.0123456789"))) {
        char *after;
        double x = strtod(wkt, &after), y = strtod(after, &after);
        b = (throng_bounds){fmin(b.x0, x), fmin(b.y0, y), fmax(b.x1, x), fmax(b.y1, y)};
        wkt = after > wkt ? after : wkt + 1;
    }
    return b;
}

static bool write_map_geometry(sqlite_store *store, const char *wkt, throng_error *error)
{
    store->has_map = true;
    store->bounds = wkt_bounds(wkt);
    /* (JuPedSim stores Python's hash, which nobody can compute again.) */
    store->geometry = (int64_t)throng_hash(wkt, strlen(wkt));
    return set_bounds(store, store->bounds, error) && set_geometry(store, wkt, error);
}

/* An open world: the box of what was recorded, 1 m wider, so that it has an
 * area; numbers are set with room to spare, so that completing them needs no
 * new page on a disk that is full by then. */
static bool write_box_geometry(sqlite_store *store, throng_error *error)
{
    throng_bounds b = store->bounds;
    b = b.x0 <= b.x1 ? (throng_bounds){b.x0 - 1, b.y0 - 1, b.x1 + 1, b.y1 + 1} : (throng_bounds){-1, -1, 1, 1};
    char wkt[320];
    snprintf(wkt, sizeof wkt, "POLYGON ((%.9g %.9g, %.9g %.9g, %.9g %.9g, %.9g %.9g, %.9g %.9g))%96s", b.x0, b.y0, b.x1,
             b.y0, b.x1, b.y1, b.x0, b.y1, b.x0, b.y0, "");
    wkt[strlen(wkt) - (store->frames ? 96 : 0)] = '\0';
    return set_bounds(store, b, error) && set_geometry(store, wkt, error);
}

/* Names hold nothing but letters, digits and _. */
static bool add_own(sqlite_store *store, throng_error *error)
{
    char sql[80 + THRONG_COLUMN_NAME];
    for (int32_t k = 0; k < store->own.count; k++) {
        snprintf(sql, sizeof sql, "ALTER TABLE trajectory_data ADD COLUMN \"%s\" REAL NOT NULL DEFAULT 0",
                 store->own.name[k]);
        if (!execute(store, sql, error))
            return false;
    }
    return true;
}

static bool write_head(sqlite_store *store, double fps, const char *wkt, throng_error *error)
{
    if (!execute(store, schema, error) || !add_own(store, error) || !set_metadata(store, "version", "2", error) ||
        !set_number(store, "fps", fps, error))
        return false;
    bool geometry = wkt ? write_map_geometry(store, wkt, error) : write_box_geometry(store, error);
    return geometry && execute(store, "COMMIT", error);
}

static bool prepare_inserts(sqlite_store *store, throng_error *error)
{
    store->source = calloc(1, sizeof *store->source);
    if (!store->source || throng_record_source_register(store->db, store->source) != SQLITE_OK)
        return throng_fail(error, "out of memory");
    char sql[160] = "INSERT INTO trajectory_data SELECT frame,id,x,y,hx,hy";
    for (int32_t k = 0; k < store->own.count; k++)
        snprintf(sql + strlen(sql), sizeof sql - strlen(sql), ",own%d", k + 1);
    strcat(sql, " FROM throng_frame");
    return prepare(store, sql, &store->insert_rows, error) &&
           prepare(store, "INSERT INTO frame_data VALUES(?,?)", &store->insert_frame, error);
}

static void release(sqlite_store *store)
{
    sqlite3_finalize(store->insert_rows);
    sqlite3_finalize(store->insert_frame);
    sqlite3_close(store->db);
    if (store->source)
        free(store->source->order);
    free(store->source);
    free(store);
}

/* Pages of the file, as bytes. */
static int64_t size_of(const sqlite_store *store)
{
    sqlite3_stmt *count = NULL;
    int64_t pages = 0;
    if (sqlite3_prepare_v2(store->db, "PRAGMA page_count", -1, &count, NULL) == SQLITE_OK &&
        sqlite3_step(count) == SQLITE_ROW)
        pages = sqlite3_column_int64(count, 0);
    sqlite3_finalize(count);
    return pages * PAGE;
}

static bool sqlite_open(void **out, throng_output *output, double fps, const char *wkt, const throng_record_own *own,
                        throng_error *error)
{
    sqlite_store *store = calloc(1, sizeof *store);
    if (!store)
        return throng_fail(error, "out of memory");
    store->own = *own;
    store->bounds = (throng_bounds){INFINITY, INFINITY, -INFINITY, -INFINITY};
    store->file = throng_output_descriptor(output);
    bool ok = sqlite3_open_v2(throng_output_part(output), &store->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOFOLLOW,
                              NULL) == SQLITE_OK ||
              fail(store, error);
    *out = store;
    if (ok && write_head(store, fps, wkt, error) && prepare_inserts(store, error)) {
        store->committed = size_of(store);
        return true;
    }
    release(store);
    return false;
}

static void grow_bounds(throng_bounds *b, const throng_record_frame *frame)
{
    for (int32_t i = 0; i < frame->count; i++) {
        b->x0 = fmin(b->x0, frame->x[i]);
        b->x1 = fmax(b->x1, frame->x[i]);
        b->y0 = fmin(b->y0, frame->y[i]);
        b->y1 = fmax(b->y1, frame->y[i]);
    }
}

/* 0 or an errno. */
static int extend(sqlite_store *store, int64_t size)
{
    int code;
    do
        code = fallocate(store->file, 0, store->reserved, size - store->reserved) == 0 ? 0 : errno;
    while (code == EINTR);
    if (code == 0)
        store->reserved = size;
    return code;
}

static bool commit(sqlite_store *store, throng_error *error)
{
    if (!store->pending_frames)
        return true;
    if (!execute(store, "COMMIT", error))
        return false;
    store->committed = size_of(store);
    store->frames += store->pending_frames;
    store->pending_frames = 0;
    store->pending_rows = 0;
    return true;
}

/* Bytes that the file has at most with so many rows more. */
static int64_t size_with(const sqlite_store *store, int32_t rows)
{
    return store->committed + SPARE + (ROW_BYTES + OWN_BYTES * store->own.count) * (store->pending_rows + rows) +
           FRAME_BYTES * ((int64_t)store->pending_frames + 1);
}

/* Room for what is pending and so many rows more; when that gets scarce, what is pending is committed, which takes less
 * than it may. Where a file system cannot reserve, every frame is committed. */
static bool reserve(sqlite_store *store, int32_t rows, throng_error *error)
{
    int64_t need = size_with(store, rows);
    if (need <= store->reserved || extend(store, need + RESERVE) == 0)
        return true;
    if (!commit(store, error))
        return false;
    need = size_with(store, rows);
    int code = need <= store->reserved ? 0 : extend(store, need);
    if (throng_output_cure(code))
        return throng_fail(error, "%s", throng_output_cure(code));
    if (code)
        store->reserved = UNLIMITED;
    return true;
}

static void roll_back(sqlite_store *store)
{
    sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
    store->pending_frames = 0;
    store->pending_rows = 0;
}

static bool insert_frame(sqlite_store *store, const throng_record_frame *frame, throng_error *error)
{
    if (!store->pending_frames && !execute(store, "BEGIN", error))
        return false;
    store->pending_frames++;
    store->pending_rows += frame->count;
    sqlite3_bind_int(store->insert_frame, 1, frame->frame);
    sqlite3_bind_int64(store->insert_frame, 2, store->geometry);
    return step(store, store->insert_rows, error) && step(store, store->insert_frame, error);
}

static bool sqlite_write(void *opaque, const throng_record_frame *frame, throng_error *error)
{
    sqlite_store *store = opaque;
    if (!throng_record_source_set(store->source, frame))
        return throng_fail(error, "out of memory");
    if (!reserve(store, frame->count, error))
        return false;
    bool ok = insert_frame(store, frame, error);
    bool full =
        store->pending_rows >= COMMIT_ROWS || store->pending_frames >= COMMIT_FRAMES || store->reserved == UNLIMITED;
    if (ok && full)
        ok = commit(store, error);
    if (!ok)
        roll_back(store);
    else if (!store->has_map)
        grow_bounds(&store->bounds, frame);
    return ok;
}

static int32_t sqlite_frames(const void *opaque)
{
    const sqlite_store *store = opaque;
    return store->frames + store->pending_frames;
}

static bool sqlite_note(void *opaque, const throng_notes *notes, throng_error *error)
{
    sqlite_store *store = opaque;
    bool ok = commit(store, error) && execute(store, "BEGIN", error) &&
              (throng_notes_insert(store->db, notes) == SQLITE_OK || fail(store, error)) &&
              execute(store, "COMMIT", error);
    if (!ok)
        roll_back(store);
    return ok;
}

static bool sqlite_end(void *opaque, int32_t *frames, throng_error *error)
{
    sqlite_store *store = opaque;
    bool ok = commit(store, error);
    if (!ok)
        roll_back(store);
    if (!store->has_map && store->frames) {
        bool boxed = execute(store, "BEGIN", ok ? error : NULL) && write_box_geometry(store, ok ? error : NULL) &&
                     execute(store, "COMMIT", ok ? error : NULL);
        if (!boxed)
            roll_back(store);
        ok = ok && boxed;
    }
    *frames = store->frames;
    int64_t size = size_of(store);
    int file = store->file;
    release(store);
    bool cut = ftruncate(file, size) == 0;
    return ok && (cut || throng_fail(error, "%s", strerror(errno)));
}

const throng_record_format throng_record_sqlite = {
    ".sqlite", sqlite_open, sqlite_write, sqlite_frames, sqlite_note, sqlite_end,
};
