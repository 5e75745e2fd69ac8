#include "jobs.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct job {
    pid_t pid; /* 0: not started */
    int output, results;
    int status;
    bool over;
} job;

/* In the child: what it writes goes to the files, and it goes with its parent. */
_Noreturn static void become(const job *j, char *const *argv, pid_t parent)
{
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    int null = open("/dev/null", O_RDONLY);
    bool ready = getppid() == parent && null >= 0 && dup2(null, 0) >= 0 && dup2(j->output, 1) >= 0 &&
                 dup2(j->output, 2) >= 0 && dup2(j->results, THRONG_JOB_RESULTS) >= 0;
    if (j->results == THRONG_JOB_RESULTS) /* it is there already, and would be closed */
        fcntl(THRONG_JOB_RESULTS, F_SETFD, 0);
    if (ready)
        execv("/proc/self/exe", argv);
    _exit(127);
}

static bool start(job *j, char *const *argv, throng_error *error)
{
    pid_t parent = getpid();
    j->output = memfd_create("throng-output", MFD_CLOEXEC);
    j->results = memfd_create("throng-results", MFD_CLOEXEC);
    j->pid = j->output >= 0 && j->results >= 0 ? fork() : -1;
    if (j->pid == 0)
        become(j, argv, parent);
    if (j->pid > 0)
        return true;
    j->pid = 0;
    return throng_fail(error, "cannot start another process: %s (fewer --jobs may do)", strerror(errno));
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
    throng_job_end end = {.code = WIFEXITED(j->status) ? WEXITSTATUS(j->status) : 0,
                          .signal = WIFSIGNALED(j->status) ? WTERMSIG(j->status) : 0};
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
            if (jobs[i].pid == pid) {
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
