/* Who is where in a recording at any time: between its frames people walk straight on. Each has a slot from first to
 * last, by ascending id. */
#ifndef THRONG_PLAYBACK_H
#define THRONG_PLAYBACK_H

#include "recording.h"

typedef struct throng_playback throng_playback;

/* Of a recording, which it does not own. `wrap`, m: of a world that wraps, else 0. NULL and a message when the
 * recording is damaged or memory is out. */
throng_playback *throng_playback_open(throng_recording *recording, throng_point wrap, throng_error *error);
void throng_playback_close(throng_playback *playback);

typedef struct throng_played {
    int32_t count;       /* of slots */
    const int32_t *id;   /* [count] */
    const bool *there;   /* [count] */
    const float *x, *y;  /* [count] m, of those who are there */
    const double *first; /* [count] s: when each is seen first */
} throng_played;

/* Those at a time, s from the first frame; times must not fall from call to call. Valid until the next call. */
bool throng_playback_seek(throng_playback *playback, double time, throng_played *played, throng_error *error);

/* s: from the first frame to the last. */
double throng_playback_seconds(const throng_playback *playback);

#endif
