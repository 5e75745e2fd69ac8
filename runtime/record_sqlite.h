/* Trajectories as JuPedSim SQLite, version 2: what JuPedSim 1.4.2 writes and
 * PedPy reads.
 *
 * One thread owns a store. Frames go in through a virtual table that reads the
 * caller's arrays, so a frame is one statement: 2.3 million rows a second,
 * against 0.9 million with a bound INSERT a row. The index is there from the
 * start: rows arrive in (frame, id) order, so it is appended to, which costs
 * less than sorting it at the end (1.2-1.8 million rows a second over all) and
 * lets a run that is interrupted close at once. */
#ifndef THRONG_RECORD_SQLITE_H
#define THRONG_RECORD_SQLITE_H

#include <sqlite3.h>

#include "record.h"

typedef struct throng_record_source throng_record_source;

typedef struct throng_record_store {
    sqlite3 *db;
    sqlite3_stmt *insert_rows, *insert_frame;
    throng_record_source *source; /* the frame that insert_rows reads */
    bool has_map;
    throng_bounds bounds; /* of the map, or of what was written so far */
    int64_t geometry;     /* hash of the geometry's WKT */
    int64_t pending_rows; /* written since the last commit */
    int32_t pending_frames;
    int32_t frames;     /* committed */
    int32_t last_frame; /* number of the last committed frame; -1 before the first */
    int32_t pending_last;
} throng_record_store;

/* Creates the database file `path`, which must not exist, and its tables. */
bool throng_record_store_open(throng_record_store *store, const char *path, double fps, const throng_map *map,
                              throng_error *error);

/* Appends a frame; commits now and then. After a failure the store holds what
 * was committed before, and takes nothing more. */
bool throng_record_store_write(throng_record_store *store, const throng_record_frame *frame, throng_error *error);

/* Commits, completes metadata and geometry, closes the file. To be called
 * after a failed write too: what was committed stays readable. Afterwards only
 * `store->frames` counts: the frames in the file. */
bool throng_record_store_close(throng_record_store *store, throng_error *error);

#endif
