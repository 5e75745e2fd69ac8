#include "workers.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "output.h"
#include "process.h"

enum { OUTPUT_SHOWN = 2000, READ_AT_ONCE = 1 << 16, MOST_JOINED = 4096 };

typedef struct worker {
    pid_t pid;   /* 0: it is not of this machine, or does not run */
    int line;    /* the socket to it; -1: it does not run */
    bool remote; /* from elsewhere */
    bool known;  /* it has greeted */
    int output;  /* file of its stderr */
    char *heard; /* [size of capacity] what came and was not given on; the first `taken` bytes were */
    size_t size, capacity, taken;
} worker;

struct throng_workers {
    char *const *const *argv; /* [count when they were made] */
    int32_t count, next;      /* whom to hear first, so that nobody waits for others */
    int32_t capacity;
    worker *list;          /* [count of capacity] */
    struct pollfd *polled; /* [capacity + 1], the last for who would join */
    int listening;         /* -1: nobody may join */
    const char *greeting;
    char output[OUTPUT_SHOWN + 1];
};

throng_workers *throng_workers_create(char *const *const *argv, int32_t count, throng_error *error)
{
    throng_workers *workers = calloc(1, sizeof *workers);
    if (workers) {
        *workers = (throng_workers){.argv = argv, .count = count, .capacity = count + MOST_JOINED, .listening = -1};
        workers->list = calloc((size_t)workers->capacity, sizeof *workers->list);
        workers->polled = calloc((size_t)workers->capacity + 1, sizeof *workers->polled);
    }
    if (workers && workers->list && workers->polled) {
        for (int32_t i = 0; i < workers->capacity; i++)
            workers->list[i].line = -1;
        return workers;
    }
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
        throng_fail(error, "cannot be connected with another process: %s (fewer --jobs may do)",
                    throng_output_cause(errno));
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
    w->line = -1;
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
        } else if (w->line >= 0)
            close(w->line);
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
    if (!w->remote && !w->pid && !start(w, workers->argv[index], error))
        return false;
    if (!w->remote && ftruncate(w->output, 0) != 0) /* what it wrote for the lines before is told to nobody */
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
    worker *w = &workers->list[index];
    if (w->remote) {
        close(w->line);
        w->line = -1;
        return (throng_worker_news){.worker = index, .lost = true, .output = ""};
    }
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
    const char *line = w->line >= 0 ? take_line(w, &size) : NULL;
    if (!line)
        return false;
    if (w->remote && !w->known) {
        size_t length = strlen(workers->greeting);
        w->known = size > length && memcmp(line, workers->greeting, length) == 0 && line[length] == ' ';
        int orders = w->known ? atoi(line + length) : 0; /* it ends at the newline */
        *news = (throng_worker_news){.worker = index, .joined = true, .orders = orders > 0 ? orders : 1, .output = ""};
        if (!w->known)
            shutdown(w->line, SHUT_RDWR); /* it will be heard to end */
        return w->known;
    }
    *news = (throng_worker_news){.worker = index, .line = line, .size = size, .output = ""};
    workers->next = index + 1;
    return true;
}

/* *any: there is something to read; after so many seconds nothing. */
static bool wait_for_any(throng_workers *workers, double seconds, bool *any, throng_error *error)
{
    int running = 0;
    for (int32_t i = 0; i < workers->count; i++) {
        const worker *w = &workers->list[i];
        workers->polled[i] = (struct pollfd){.fd = w->line, .events = POLLIN};
        running += w->line >= 0;
    }
    if (!running)
        return throng_fail(error, "no process runs");
    workers->polled[workers->count] = (struct pollfd){.fd = workers->listening, .events = POLLIN};
    int polled;
    while ((polled = poll(workers->polled, (nfds_t)workers->count + 1, seconds < 0 ? -1 : (int)(1e3 * seconds))) < 0)
        if (errno != EINTR)
            return throng_fail(error, "cannot wait for a process: %s", strerror(errno));
    *any = polled > 0;
    return true;
}

void throng_workers_let_join(throng_workers *workers, int listening, const char *greeting)
{
    workers->listening = listening;
    workers->greeting = greeting;
}

/* Somebody connects. A machine that is switched off is missed after half a minute. */
static void let_in(throng_workers *workers)
{
    int line = accept4(workers->listening, NULL, NULL, SOCK_CLOEXEC), on = 1, idle = 10, between = 5, times = 4;
    if (line < 0 || workers->count == workers->capacity) {
        if (line >= 0)
            close(line);
        return;
    }
    setsockopt(line, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
    setsockopt(line, IPPROTO_TCP, TCP_KEEPIDLE, &idle, sizeof idle);
    setsockopt(line, IPPROTO_TCP, TCP_KEEPINTVL, &between, sizeof between);
    setsockopt(line, IPPROTO_TCP, TCP_KEEPCNT, &times, sizeof times);
    setsockopt(line, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    workers->list[workers->count++] = (worker){.line = line, .remote = true};
}

bool throng_workers_hear(throng_workers *workers, double seconds, throng_worker_news *news, throng_error *error)
{
    bool any;
    for (;;) {
        for (int32_t i = 0; i < workers->count; i++)
            if (has_news(workers, (workers->next + i) % workers->count, news))
                return true;
        if (!wait_for_any(workers, seconds, &any, error))
            return false;
        if (!any) {
            *news = (throng_worker_news){.worker = -1};
            return true;
        }
        int32_t polled = workers->count;
        if (workers->polled[polled].revents)
            let_in(workers);
        for (int32_t i = 0; i < polled; i++) {
            if (!workers->polled[i].revents || read_more(&workers->list[i], error))
                continue;
            if (*error->text)
                return false;
            bool stranger = workers->list[i].remote && !workers->list[i].known;
            *news = ended(workers, i);
            if (!stranger)
                return true;
        }
    }
}
