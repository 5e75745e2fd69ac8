/* What reads a format of trajectories. */
#ifndef THRONG_RECORDING_FORMAT_H
#define THRONG_RECORDING_FORMAT_H

#include "recording.h"

typedef struct throng_recording_plan throng_recording_plan;

struct throng_recording {
    char *path, *wkt;
    double fps;
    bool cut;             /* its end, with what is noted there, is missing: the frames are those that are whole */
    int32_t frames, room; /* room: agents in the arrays */
    int32_t *id;
    float *x, *y, *hx, *hy;
    throng_record_own own_columns;
    float *own[THRONG_OWN_COLUMNS];
    const struct throng_recording_format *format;
    void *store;                 /* the format's own */
    bool lies_over;              /* floors of a building lie over each other in the file itself */
    throng_recording_plan *plan; /* NULL: people are told where the file has them */
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

/* ---- recording_plan.c */

bool throng_recording_plan_init(throng_recording *recording, const char *floor, throng_error *error);
void throng_recording_plan_fini(throng_recording *recording);
/* Takes the frame that was read into the arrays to the plan; does nothing without one, or of one plane. */
bool throng_recording_lay(throng_recording *recording, throng_record_frame *frame, throng_error *error);

#endif
