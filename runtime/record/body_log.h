/* Where the rigid bodies of a run were, as a table beside its recording: bodies.csv, which run_bodies.h writes and
 * throng replay shows.
 *
 *     time,body,x,y,angle,shape
 *
 * A row says where a body is from that time on, s: its centre of mass, m, and how far it is turned, rad; empty when the
 * body is gone. Its first row has its shape, too: its corners as they are when it is not turned, from the centre of
 * mass, m, counter-clockwise, as "x y x y ..."; or the radius of a circle alone. Bodies are numbered from 0 in the
 * order in which they appear, and a number is not used again. All are told of at the beginning; then, in each frame
 * that is recorded, those that have come 1 mm farther, at their rim, since they were told of last. */
#ifndef THRONG_BODY_LOG_H
#define THRONG_BODY_LOG_H

#include "body_outlines.h"

#define THRONG_BODY_LOG_HEAD "time,body,x,y,angle,shape\n"

typedef struct throng_body_move {
    double time; /* s */
    int32_t body;
    bool gone;
    double x, y, angle; /* m, rad */
} throng_body_move;

typedef struct throng_body_log {
    throng_body_move *moves; /* [count] in order of time */
    int32_t count, room;
    throng_body_form *shapes; /* [bodies] */
    int32_t bodies, body_room;
    int32_t *at;  /* [bodies] the move that holds at the time that was asked for last; -1: it is not there */
    int32_t next; /* the first move after that time */
} throng_body_log;

/* The table beside a recording; all zero where there is none. False and a message that names the file and the row that
 * is none. */
bool throng_body_log_read(const char *recording, throng_body_log *log, throng_error *error);
void throng_body_log_fini(throng_body_log *log);

/* Replaces the outlines by those of all that are there `time` s into the run. */
bool throng_body_log_show(throng_body_log *log, double time, throng_body_outlines *outlines, throng_error *error);

#endif
