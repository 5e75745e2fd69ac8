/* Processes of this program that take work line by line and answer by a line each, for `throng study`. A worker that
 * ends, whatever ended it, takes nothing with it but the lines that it has not answered. Others may join from
 * elsewhere, by TCP (meeting.h). Knows no Lua. */
#ifndef THRONG_WORKERS_H
#define THRONG_WORKERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "error.h"

typedef struct throng_workers throng_workers;

/* What a worker said. */
typedef struct throng_worker_news {
    int32_t worker;
    bool joined;      /* a worker from elsewhere, that was not there before */
    int32_t orders;   /* lines that it takes at a time */
    bool lost;        /* one from elsewhere has ended, and will not be there again */
    const char *line; /* [size] its answer, without the newline; NULL: it has ended, or joined */
    size_t size;
    int code, signal;   /* how it ended: exit code; the signal, 0: none */
    const char *output; /* at its end: the last of what it wrote to stderr since it was given its line */
} throng_worker_news;

/* `count` workers with the arguments argv[i] (NULL at the end; argv[i][0] is the program's name, and argv lives as long
 * as they), their stdin and stdout being the line to here. A worker starts with the first line that it is given. */
throng_workers *throng_workers_create(char *const *const *argv, int32_t count, throng_error *error);
/* Ends those that run. NULL is fine. */
void throng_workers_destroy(throng_workers *workers);

/* From now on, hear() hears those who connect to the socket, which stays the caller's, and greet with that, a space and
 * how many lines they take at a time. */
void throng_workers_let_join(throng_workers *workers, int listening, const char *greeting);

/* Gives a worker a line, to which a newline is added; one that has ended, or has not begun, is started. */
bool throng_workers_say(throng_workers *workers, int32_t worker, const char *line, size_t size, throng_error *error);

/* Waits for an answer, or the end of one that was given a line; news->worker is -1 when nobody says anything for so
 * many seconds (below 0: as long as it takes). The texts are valid until the next call. False: no worker runs, or
 * waiting fails. */
bool throng_workers_hear(throng_workers *workers, double seconds, throng_worker_news *news, throng_error *error);

#endif
