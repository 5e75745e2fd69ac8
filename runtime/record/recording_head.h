/* What lines that begin with # say of trajectories as text: the frame rate ("framerate: 25") and the unit, above the
 * columns ("x/m", "y/cm") or in words ("x[in m]", "in cm"). */
#ifndef THRONG_RECORDING_HEAD_H
#define THRONG_RECORDING_HEAD_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

enum { THRONG_UNIT_COLUMNS, THRONG_UNIT_WORDS, THRONG_UNIT_WAYS };
enum { THRONG_UNIT_M, THRONG_UNIT_CM, THRONG_UNITS };

typedef struct throng_text_head {
    double fps;                                        /* 0: not named yet */
    int32_t unit_line[THRONG_UNIT_WAYS][THRONG_UNITS]; /* the last that names it so; 0: none */
} throng_text_head;

/* Takes what such a line says. False and a message that names the file and the line: its rate is none. */
bool throng_text_head_read(throng_text_head *head, const char *line, const char *path, int32_t line_number,
                           throng_error *error);

/* m: of the unit; 0: none is named. What is above the columns counts, else what is said in words. False and a message
 * that names two lines which contradict each other. */
bool throng_text_head_scale(const throng_text_head *head, const char *path, double *scale, throng_error *error);

#endif
