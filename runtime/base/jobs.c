#include "jobs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "process.h"

typedef struct job {
    pid_t pid; /* 0: not started */
    int output, results;
    int status;
    bool over;
} job;

static bool start(job *j, char *const *argv, throng_error *error)
{
    j->output = throng_process_file(error);
    j->results = j->output < 0 ? -1 : throng_process_file(error);
    if (j->results >= 0)
        j->pid = throng_process_start(argv, (const int[]){-1, j->output, j->output, j->results}, error);
    return j->pid > 0;
}

/* All that was written to the file, with a 0 behind it; to be freed. */
static char *read_all(int file, size_t *size)
{
    off_t length = lseek(file, 0, SEEK_END);
    char *text = malloc((size_t)(length > 0 ? length : 0) + 1);
    *size = 0;
    while (text && length > 0 && *size < (size_t)length) {
        ssize_t got = pread(file, text + *size, (size_t)length - *size, (off_t)*size);
        if (got <= 0)
            break;
        *size += (size_t)got;
    }
    if (text)
        text[*size] = 0;
    return text;
}

static void close_files(job *j)
{
    if (j->output >= 0)
        close(j->output);
    if (j->results >= 0)
        close(j->results);
    j->output = j->results = -1;
}

static bool tell(const throng_jobs_def *def, job *j, int32_t index, throng_error *error)
{
    throng_job_end end = {.code = 0};
    throng_process_ended(j->status, &end.code, &end.signal);
    char *output = read_all(j->output, &end.output_size), *results = read_all(j->results, &end.results_size);
    bool read = output && results;
    end.output = output;
    end.results = results;
    close_files(j);
    bool on = read && def->ended(def->context, index, &end);
    free(output);
    free(results);
    return read ? on : throng_fail(error, "out of memory");
}

static bool wait_for_one(job *jobs, int32_t started, throng_error *error)
{
    for (;;) {
        int status;
        pid_t pid = waitpid(-1, &status, 0);
        if (pid < 0 && errno == EINTR)
            continue;
        if (pid < 0)
            return throng_fail(error, "cannot wait for a process: %s", strerror(errno));
        for (int32_t i = 0; i < started; i++)
            if (jobs[i].pid == pid && !jobs[i].over) { /* the system gives the numbers of those again */
                jobs[i].status = status;
                jobs[i].over = true;
                return true;
            }
    }
}

static bool run_all(const throng_jobs_def *def, job *jobs, throng_error *error)
{
    int32_t started = 0, over = 0, told = 0;
    bool on = true;
    while (on && told < def->count) {
        while (on && started < def->count && started - over < def->at_once) {
            on = start(&jobs[started], def->argv[started], error);
            started += on;
        }
        on = on && wait_for_one(jobs, started, error);
        over += on;
        for (; on && told < started && jobs[told].over; told++)
            on = tell(def, &jobs[told], told, error);
    }
    while (over < started && wait_for_one(jobs, started, error)) /* of those that still run */
        over++;
    return on;
}

bool throng_jobs_run(const throng_jobs_def *def, throng_error *error)
{
    error->text[0] = 0;
    job *jobs = calloc((size_t)def->count + 1, sizeof *jobs);
    if (!jobs)
        return throng_fail(error, "out of memory");
    for (int32_t i = 0; i < def->count; i++)
        jobs[i].output = jobs[i].results = -1;
    bool done = run_all(def, jobs, error);
    for (int32_t i = 0; i < def->count; i++)
        close_files(&jobs[i]);
    free(jobs);
    return done;
}
