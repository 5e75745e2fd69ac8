/* Runs this program several times side by side, for `throng test --jobs`. Knows no Lua. */
#ifndef THRONG_JOBS_H
#define THRONG_JOBS_H

#include <stddef.h>
#include <stdint.h>

#include "error.h"

/* How a job ended. */
typedef struct throng_job_end {
    int code;            /* exit code; 0 when a signal ended it */
    int signal;          /* 0: none */
    const char *output;  /* [output_size] what it wrote to stdout and stderr */
    const char *results; /* [results_size] what it wrote to THRONG_JOB_RESULTS */
    size_t output_size, results_size;
} throng_job_end;

enum { THRONG_JOB_RESULTS = 3 }; /* a job's file descriptor for its results */

typedef struct throng_jobs_def {
    char *const *const *argv; /* [count] arguments of each, NULL at the end; argv[i][0] is the program's name */
    int32_t count, at_once;
    /* Called in the order of the jobs, for each as soon as it and those before it have ended. False: no further job is
     * started, those that run are waited for. */
    bool (*ended)(void *context, int32_t index, const throng_job_end *end);
    void *context;
} throng_jobs_def;

/* False and a message when a job could not be started or waited for; false without one (an empty text) when `ended`
 * said so. */
bool throng_jobs_run(const throng_jobs_def *def, throng_error *error);

#endif
