/* What reads a format of trajectories. */
#ifndef THRONG_RECORDING_FORMAT_H
#define THRONG_RECORDING_FORMAT_H

#include "recording.h"

struct throng_recording {
    char *path, *wkt;
    double fps;
    int32_t frames, room; /* room: agents in the arrays */
    int32_t *id;
    float *x, *y, *hx, *hy;
    throng_record_own own_columns;
    float *own[THRONG_OWN_COLUMNS];
    const struct throng_recording_format *format;
    void *store; /* the format's own */
};

typedef struct throng_recording_format {
    bool (*open)(throng_recording *recording, throng_error *error); /* sets fps, wkt, frames, store */
    bool (*read)(throng_recording *recording, int32_t n, throng_record_frame *frame, throng_error *error);
    bool (*notes)(throng_recording *recording, throng_notes *notes, throng_error *error); /* into empty ones */
    void (*close)(throng_recording *recording);                                           /* also after a failed open */
} throng_recording_format;

extern const throng_recording_format throng_recording_compact, throng_recording_sqlite, throng_recording_text;

/* The frame that was read into the arrays. */
throng_record_frame throng_recording_frame(const throng_recording *recording, int32_t number, int32_t count);

/* Room for so many agents in the arrays. */
bool throng_recording_reserve(throng_recording *recording, int32_t count, throng_error *error);

#endif
