#include "workers.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "process.h"

enum { OUTPUT_SHOWN = 2000, READ_AT_ONCE = 1 << 16 };

typedef struct worker {
    pid_t pid;   /* 0: it does not run */
    int line;    /* the socket to it */
    int output;  /* file of its stderr */
    char *heard; /* [size of capacity] what came and was not given on; the first `taken` bytes were */
    size_t size, capacity, taken;
} worker;

struct throng_workers {
    char *const *argv;
    int32_t count, next; /* whom to hear first, so that nobody waits for others */
    worker *list;        /* [count] */
    struct pollfd *polled;
    char output[OUTPUT_SHOWN + 1];
};

throng_workers *throng_workers_create(char *const *argv, int32_t count, throng_error *error)
{
    throng_workers *workers = calloc(1, sizeof *workers);
    if (workers) {
        *workers = (throng_workers){.argv = argv, .count = count};
        workers->list = calloc((size_t)count, sizeof *workers->list);
        workers->polled = calloc((size_t)count, sizeof *workers->polled);
    }
    if (workers && workers->list && workers->polled)
        return workers;
    throng_workers_destroy(workers);
    throng_fail(error, "out of memory");
    return NULL;
}

/* ---- starting and ending */

static bool start(worker *w, char *const *argv, throng_error *error)
{
    int ends[2] = {-1, -1};
    pid_t pid = 0;
    int output = throng_process_file(error);
    /* what is cut off by the parent is written on from where it was cut */
    if (output >= 0 && fcntl(output, F_SETFL, O_APPEND) == 0 &&
        socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0)
        pid = throng_process_start(argv, (const int[]){ends[1], ends[1], output, -1}, error);
    else if (output >= 0)
        throng_fail(error, "cannot be connected with another process: %s", strerror(errno));
    if (ends[1] >= 0)
        close(ends[1]);
    if (pid > 0) {
        *w = (worker){.pid = pid, .line = ends[0], .output = output, .heard = w->heard, .capacity = w->capacity};
        return true;
    }
    if (output >= 0)
        close(output);
    if (ends[0] >= 0)
        close(ends[0]);
    return false;
}

/* Waits for its end. The last of what it wrote goes to `output`. */
static int end(worker *w, char *output)
{
    int status = 0;
    close(w->line);
    while (waitpid(w->pid, &status, 0) < 0 && errno == EINTR)
        ;
    off_t length = lseek(w->output, 0, SEEK_END), from = length > OUTPUT_SHOWN ? length - OUTPUT_SHOWN : 0;
    ssize_t got = output ? pread(w->output, output, OUTPUT_SHOWN, from) : 0;
    if (output)
        output[got > 0 ? got : 0] = 0;
    close(w->output);
    w->pid = 0;
    return status;
}

void throng_workers_destroy(throng_workers *workers)
{
    if (!workers)
        return;
    for (int32_t i = 0; workers->list && i < workers->count; i++) {
        worker *w = &workers->list[i];
        if (w->pid) {
            kill(w->pid, SIGTERM);
            end(w, NULL);
        }
        free(w->heard);
    }
    free(workers->list);
    free(workers->polled);
    free(workers);
}

/* ---- lines */

bool throng_workers_say(throng_workers *workers, int32_t index, const char *line, size_t size, throng_error *error)
{
    worker *w = &workers->list[index];
    if (!w->pid && !start(w, workers->argv, error))
        return false;
    if (ftruncate(w->output, 0) != 0) /* what it wrote for the lines before is told to nobody */
        return throng_fail(error, "cannot empty the output of a process: %s", strerror(errno));
    const char newline = '\n';
    for (size_t sent = 0; sent <= size;) {
        const char *from = sent < size ? line + sent : &newline;
        ssize_t got = send(w->line, from, sent < size ? size - sent : 1, MSG_NOSIGNAL);
        if (got < 0 && errno != EINTR)
            return true; /* it has ended, as will be heard */
        sent += got > 0 ? (size_t)got : 0;
    }
    return true;
}

/* The next whole line of what came, or NULL. */
static const char *take_line(worker *w, size_t *size)
{
    const char *from = w->heard + w->taken, *found = w->size > w->taken ? memchr(from, '\n', w->size - w->taken) : NULL;
    if (!found)
        return NULL;
    *size = (size_t)(found - from);
    w->taken += *size + 1;
    return from;
}

static bool make_room(worker *w, throng_error *error)
{
    if (w->taken > 0)
        memmove(w->heard, w->heard + w->taken, w->size - w->taken);
    w->size -= w->taken;
    w->taken = 0;
    if (w->capacity - w->size >= READ_AT_ONCE)
        return true;
    size_t capacity = 2 * w->capacity + READ_AT_ONCE;
    char *grown = realloc(w->heard, capacity);
    if (!grown)
        return throng_fail(error, "out of memory");
    w->heard = grown;
    w->capacity = capacity;
    return true;
}

/* False and no text: nothing more comes. */
static bool read_more(worker *w, throng_error *error)
{
    error->text[0] = 0;
    if (!make_room(w, error))
        return false;
    ssize_t got;
    do
        got = recv(w->line, w->heard + w->size, w->capacity - w->size, 0);
    while (got < 0 && errno == EINTR);
    w->size += got > 0 ? (size_t)got : 0;
    return got > 0;
}

static throng_worker_news ended(throng_workers *workers, int32_t index)
{
    int status = end(&workers->list[index], workers->output);
    throng_worker_news news = {.worker = index, .output = workers->output};
    throng_process_ended(status, &news.code, &news.signal);
    return news;
}

/* News of a worker without waiting for it. */
static bool has_news(throng_workers *workers, int32_t index, throng_worker_news *news)
{
    worker *w = &workers->list[index];
    size_t size;
    const char *line = w->pid ? take_line(w, &size) : NULL;
    if (!line)
        return false;
    *news = (throng_worker_news){.worker = index, .line = line, .size = size, .output = ""};
    workers->next = index + 1;
    return true;
}

static bool wait_for_any(throng_workers *workers, throng_error *error)
{
    int running = 0;
    for (int32_t i = 0; i < workers->count; i++) {
        const worker *w = &workers->list[i];
        workers->polled[i] = (struct pollfd){.fd = w->pid ? w->line : -1, .events = POLLIN};
        running += w->pid != 0;
    }
    if (!running)
        return throng_fail(error, "no process runs");
    while (poll(workers->polled, (nfds_t)workers->count, -1) < 0)
        if (errno != EINTR)
            return throng_fail(error, "cannot wait for a process: %s", strerror(errno));
    return true;
}

bool throng_workers_hear(throng_workers *workers, throng_worker_news *news, throng_error *error)
{
    for (;;) {
        for (int32_t i = 0; i < workers->count; i++)
            if (has_news(workers, (workers->next + i) % workers->count, news))
                return true;
        if (!wait_for_any(workers, error))
            return false;
        for (int32_t i = 0; i < workers->count; i++) {
            if (!workers->polled[i].revents || read_more(&workers->list[i], error))
                continue;
            if (*error->text)
                return false;
            *news = ended(workers, i);
            return true;
        }
    }
}
