/* The frame rate of a .csv by its column "time". */
#ifndef THRONG_RECORDING_TIMES_H
#define THRONG_RECORDING_TIMES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

typedef struct throng_frame_time {
    int32_t frame, line; /* of the file, for messages */
    double time;         /* s */
} throng_frame_time;

typedef struct throng_frame_times {
    throng_frame_time *list;
    int32_t count, room;
} throng_frame_times;

/* Keeps what a row says. False: out of memory. */
bool throng_frame_times_add(throng_frame_times *times, int32_t frame, double time, int32_t line);
void throng_frame_times_fini(throng_frame_times *times);

/* Frames a second from the first frame to the last, or, where there is one alone, from frame 0 at 0 s; 0: the times do
 * not tell. False and a message that names the line where times and frames contradict each other by more than times are
 * rounded. */
bool throng_frame_times_rate(const throng_frame_times *times, const char *path, double *fps, throng_error *error);

#endif
