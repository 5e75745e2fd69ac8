/* The recorder: trajectories into a file. It writes on the thread that adds frames; throng_observer is one for that,
 * so that a world need not wait.
 *
 * Formats, by the extension of the path: `.sqlite`, JuPedSim SQLite version 2
 * (what JuPedSim 1.4.2 writes and PedPy reads), half a microsecond an agent and
 * frame; `.throng`, twelve bytes an agent and frame (record_compact.h), for the
 * crowds that this is too slow for. */
#ifndef THRONG_RECORD_H
#define THRONG_RECORD_H

#include "map/map.h"
#include "notes.h"
#include "world/agents.h"

typedef struct throng_recorder throng_recorder;

/* Columns of the script's own that a recording has, and further ones of the run's (run_keep.c), in its order. */
typedef struct throng_record_own {
    int32_t count;
    char name[THRONG_OWN_COLUMNS][THRONG_COLUMN_NAME];
} throng_record_own;

/* One recorded frame of `count` agents; every array has `count` entries. */
typedef struct throng_record_frame {
    int32_t frame; /* 0, 1, 2, ... */
    int32_t count;
    const int32_t *id;    /* an agent keeps its id; an id is never used again */
    const float *x, *y;   /* m */
    const float *hx, *hy; /* unit heading */
    const float *own[THRONG_OWN_COLUMNS];
} throng_record_frame;

/* Opens `path` for frames `1 / fps` seconds apart in the given map (NULL: an
 * open world; the geometry is then the bounding box of what was recorded, 1 m
 * wider), with these own columns (NULL: none). What is recorded goes to `path.part` and replaces `path` at close.
 * NULL and a message, and nothing left behind, when that cannot be written. */
throng_recorder *throng_recorder_open(const char *path, double fps, const throng_map *map, const throng_record_own *own,
                                      throng_error *error);

/* The same with the free space as WKT; NULL: an open world. */
throng_recorder *throng_recorder_open_wkt(const char *path, double fps, const char *wkt, const throng_record_own *own,
                                          throng_error *error);

/* Writes the frame. False when that failed (disk full, a position that is not finite): the message names the file, the
 * cause and what is kept, and is the same from every later call. */
bool throng_recorder_add(throng_recorder *recorder, const throng_record_frame *frame, throng_error *error);

/* Keeps what the run knew: once, after all frames. False when that failed, likewise. */
bool throng_recorder_note(throng_recorder *recorder, const throng_notes *notes, throng_error *error);

/* Closes the file and frees the recorder (NULL: nothing
 * to do). After a failure the file holds the frames committed before it and is
 * readable; when there are none nothing is left behind and a file that was
 * there before stays. False and the message of the first failure. */
bool throng_recorder_close(throng_recorder *recorder, throng_error *error);

/* Ends the recording and frees the recorder (NULL: nothing to do) without a
 * trace: for a run that did not start. A file that was there before stays. */
void throng_recorder_discard(throng_recorder *recorder);

#endif
