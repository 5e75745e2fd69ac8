/* What a format of trajectories offers the recorder. One thread owns a store. */
#ifndef THRONG_RECORD_FORMAT_H
#define THRONG_RECORD_FORMAT_H

#include "base/output.h"
#include "record.h"

typedef struct throng_record_format {
    const char *extension; /* ".sqlite": by which a path asks for it */
    /* Begins the file, which is empty and stays the caller's. `wkt`: the free space, NULL: an open world. */
    bool (*open)(void **store, throng_output *output, double fps, const char *wkt, const throng_record_own *own,
                 throng_error *error);
    /* Appends a frame. After a failure the store holds whole frames only, and takes nothing more. */
    bool (*write)(void *store, const throng_record_frame *frame, throng_error *error);
    /* The frames that a reader of the file will find, now or once it is closed. */
    int32_t (*frames)(const void *store);
    /* Puts what the run knew behind the frames, once, before the file is closed. */
    bool (*note)(void *store, const throng_notes *notes, throng_error *error);
    /* Completes the file and is done with it, also after a failed write, and frees the store; `frames` in the file. */
    bool (*close)(void *store, int32_t *frames, throng_error *error);
} throng_record_format;

extern const throng_record_format throng_record_sqlite, throng_record_compact;

/* A coordinate, heading or value of the `own` columns that is not finite fails a recording, in every format. */
bool throng_record_check(const throng_record_frame *frame, const throng_record_own *own, throng_error *error);

#endif
