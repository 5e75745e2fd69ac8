#include "watchdog.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "fibers.h"
#include "output.h"

enum { LONGER = 10 };                                 /* deadlines that loading and tests have */
static const double TICK = 0.025, SHORT_TICK = 0.005, /* s; once something is asked to come back */
    MOST_TICK = 0.1;                                  /* s: what a tick counts for at most: the process was stopped */
static const double GRACE = 0.075, LONG_GRACE = 0.5,
                    UNREAD_GRACE = 2; /* s until what was asked to come back is ended, of its own time */
static const double WAITED = 0.15;    /* s, of anybody's, for a signal: somebody waits */
static const double PATIENCE = 0.03;  /* s until a frame is given up */
static const double TWICE = 0.25;     /* s: timeout(1) sends its signal twice */
static const double ANSWERING = 2;    /* s until it has said where it is */
static const double CLOSING = 10;     /* s that closing files may take */
enum { SAYING = 200 };                /* ms for the last words */
enum { LIMIT_CODE = 2, SIGNAL_CODE = 128 };

static struct {
    throng_watchdog_def def;
    pthread_t main;
    bool started;
    int statm, schedstat, stat; /* files: of the process, and the main thread */
    _Atomic size_t own;         /* bytes that count for nothing */
    _Atomic int64_t elsewhere;  /* bytes that devices hold */
    sem_t wake, told;
    _Atomic int stop, signal;
    _Atomic bool late;       /* it was asked to come back a while ago */
    _Atomic int work;        /* throng_task of `now` */
    _Atomic int timed;       /* of the outermost callback or load; else as `work` */
    _Atomic unsigned serial; /* of that: another one, another time */
    _Atomic bool ending;
    throng_watched *now; /* the main thread's own, also in its handlers */
    _Atomic bool wants_place;
    throng_watched_place place;
    pthread_mutex_t files;
    void (*close)(void *context);
    void *closes;
} dog = {.files = PTHREAD_MUTEX_INITIALIZER};

throng_stop throng_interrupted(void) { return (throng_stop)atomic_load_explicit(&dog.stop, memory_order_relaxed); }

throng_stop throng_given_up(void)
{
    throng_stop stop = throng_interrupted();
    bool waits = stop && atomic_load(&dog.work) == THRONG_TASK_FRAME && !atomic_load(&dog.late);
    return waits ? THRONG_STOP_NONE : stop;
}

int throng_interrupted_by(void) { return atomic_load_explicit(&dog.signal, memory_order_relaxed); }

static const char *memory_text(void)
{
    static _Thread_local char text[128];
    snprintf(text, sizeof text, "out of memory: more than %zu MiB (limit: --memory MIB)", dog.def.memory >> 20);
    return text;
}

const char *throng_interrupted_text(void)
{
    static char text[128];
    switch (throng_interrupted()) {
    case THRONG_STOP_DEADLINE:
        snprintf(text, sizeof text, "stopped after %g s without coming back: an endless loop? (limit: --deadline S)",
                 dog.def.deadline * (atomic_load(&dog.timed) == THRONG_TASK_CALLBACK ? 1 : LONGER));
        return text;
    case THRONG_STOP_MEMORY: return memory_text();
    default: return "interrupted";
    }
}

void throng_interrupted_forget(void)
{
    if (throng_interrupted() == THRONG_STOP_SIGNAL)
        atomic_store(&dog.signal, 0);
    atomic_store(&dog.stop, throng_interrupted_by() ? THRONG_STOP_SIGNAL : THRONG_STOP_NONE);
}

/* ---- the main thread's side */

/* What is done now; `inside`: of what was timed before, whose time goes on. */
static void show(throng_watched *now, bool inside)
{
    int work = now ? now->work : THRONG_TASK_NONE;
    dog.now = now;
    atomic_store_explicit(&dog.work, work, memory_order_relaxed);
    if (inside)
        return;
    atomic_store_explicit(&dog.timed, work, memory_order_relaxed);
    atomic_store_explicit(&dog.serial, dog.serial + 1, memory_order_relaxed);
}

/* A program's own threads may run worlds side by side, and so do fibers: no one thing is done now. */
static bool watches(void) { return dog.started && !fibers_inside(); }

void throng_watchdog_begin(throng_watched *watched)
{
    if (!watches())
        return;
    watched->outside = dog.now;
    bool inside = watched->outside && watched->outside->timed;
    watched->timed = inside || watched->work == THRONG_TASK_LOAD || watched->work == THRONG_TASK_CALLBACK;
    if (!watched->ask && watched->outside) {
        watched->ask = watched->outside->ask;
        watched->context = watched->outside->context;
    }
    show(watched, inside);
}

void throng_watchdog_end(throng_watched *watched)
{
    if (!watches())
        return;
    while (atomic_load(&dog.ending)) /* the process is being ended: no file is touched any more */
        pause();
    bool inside = watched->outside && watched->outside->timed;
    if (!inside && watched->work != THRONG_TASK_FRAME && throng_interrupted() > THRONG_STOP_SIGNAL)
        throng_interrupted_forget(); /* it has come back */
    show(watched->outside, inside);
}

void throng_watchdog_at_end(void (*close)(void *context), void *context)
{
    pthread_mutex_lock(&dog.files);
    dog.close = close;
    dog.closes = context;
    pthread_mutex_unlock(&dog.files);
}

/* SIGURG, which nobody else sends: the watchdog wants the main thread's attention. */
static void attend(int signal_number)
{
    (void)signal_number;
    int code = errno;
    const throng_watched *now = dog.now;
    bool wants_place = atomic_load(&dog.wants_place);
    if (now && now->ask)
        now->ask(now->context, wants_place ? &dog.place : NULL);
    if (wants_place)
        sem_post(&dog.told);
    errno = code;
}

static void heard(int signal_number)
{
    static double first;
    int code = errno;
    double now = throng_clock();
    if (signal_number == SIGINT && dog.def.ignores_int && atomic_load(&dog.work) == THRONG_TASK_NONE)
        return;
    if (atomic_load(&dog.signal) && now - first > TWICE)
        _exit(SIGNAL_CODE + signal_number);
    if (!atomic_load(&dog.signal))
        first = now;
    atomic_store(&dog.signal, signal_number);
    atomic_store(&dog.stop, THRONG_STOP_SIGNAL);
    sem_post(&dog.wake);
    errno = code;
}

/* ---- memory */

size_t throng_memory_taken(void)
{
    char text[128];
    size_t pages;
    ssize_t length = dog.started ? pread(dog.statm, text, sizeof text - 1, 0) : 0;
    text[length > 0 ? length : 0] = 0;
    return sscanf(text, "%*u %zu", &pages) == 1 ? pages * (size_t)sysconf(_SC_PAGESIZE) : 0;
}

void throng_memory_allow(size_t bytes) { dog.own += bytes; }

bool throng_memory_fits(size_t bytes)
{
    if (!dog.started || !dog.def.memory)
        return true;
    size_t most = dog.def.memory + dog.own, already = throng_memory_taken() + (size_t)atomic_load(&dog.elsewhere);
    return already <= most && bytes <= most - already;
}

const char *throng_memory_claim(int64_t bytes)
{
    if (bytes > 0 && !throng_memory_fits((size_t)bytes))
        return memory_text();
    atomic_fetch_add(&dog.elsewhere, bytes);
    return NULL;
}

static size_t group_limit(void)
{
    size_t limit = 0;
    FILE *file = fopen("/sys/fs/cgroup/memory.max", "r");
    if (file && fscanf(file, "%zu", &limit) != 1) /* "max" */
        limit = 0;
    if (file)
        fclose(file);
    return limit;
}

size_t throng_memory_default(void)
{
    size_t machine = (size_t)sysconf(_SC_PHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE), group = group_limit();
    return (group && group < machine ? group : machine) / 4 * 3;
}

/* ---- the watchdog's side */

/* Does whatever is written there soon go on? A pipe that nobody reads, and a terminal that was halted, fill. */
static bool is_read(int stream, int ms)
{
    struct pollfd asked = {.fd = stream, .events = POLLOUT};
    return poll(&asked, 1, ms) != 0;
}

static void say(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void say(const char *format, ...)
{
    char text[1024];
    va_list args;
    va_start(args, format);
    int length = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (!is_read(STDERR_FILENO, SAYING))
        return;
    if (write(STDERR_FILENO, text, (size_t)length < sizeof text ? (size_t)length : sizeof text - 1) < 0)
        return; /* nobody is left to hear it */
}

/* Where the main thread is. It says so at once, but where others have the processor; in the kernel it may never. */
static throng_watched_place place(void)
{
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += (time_t)ANSWERING;
    atomic_store(&dog.wants_place, true);
    pthread_kill(dog.main, SIGURG);
    return sem_clockwait(&dog.told, CLOCK_MONOTONIC, &until) == 0 ? dog.place : (throng_watched_place){"", ""};
}

static void *close_files(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&dog.files);
    if (dog.close)
        dog.close(dog.closes);
    pthread_mutex_unlock(&dog.files);
    if (ftrylockfile(stdout) == 0)
        fflush_unlocked(stdout);
    throng_output_clean();
    sem_post(&dog.told);
    return NULL;
}

/* On a thread of its own: what it waits for may never come. */
static void close_in_time(void)
{
    pthread_t thread;
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += (time_t)CLOSING;
    while (sem_trywait(&dog.told) == 0)
        ;
    if (pthread_create(&thread, NULL, close_files, NULL) == 0)
        sem_clockwait(&dog.told, CLOCK_MONOTONIC, &until);
}

_Noreturn static void end_process(void)
{
    int by = throng_interrupted_by();
    atomic_store(&dog.ending, true);
    throng_watched_place at = place();
    say("%sthrong %s: %s%s%s%s%s\n", isatty(STDERR_FILENO) ? "\n" : "", dog.def.name, at.line, *at.line ? ": " : "",
        throng_interrupted_text(), *at.doing ? "\n  " : "", at.doing);
    close_in_time();
    _exit(throng_interrupted() == THRONG_STOP_SIGNAL ? SIGNAL_CODE + by : LIMIT_CODE);
}

static double deadline_of(int work)
{
    if (work == THRONG_TASK_CALLBACK)
        return dog.def.deadline;
    return work == THRONG_TASK_LOAD || work == THRONG_TASK_TEST ? LONGER * dog.def.deadline : 0;
}

static void ask(throng_stop why)
{
    atomic_store(&dog.stop, why);
    pthread_kill(dog.main, SIGURG);
}

/* What is over a limit is asked to come back. */
static void look(double spent)
{
    double deadline = deadline_of(atomic_load(&dog.timed));
    if (deadline > 0 && spent > deadline && atomic_load(&dog.work) != THRONG_TASK_FRAME)
        ask(THRONG_STOP_DEADLINE);
    else if (dog.def.memory && atomic_load(&dog.work) != THRONG_TASK_NONE && !throng_memory_fits(0))
        ask(THRONG_STOP_MEMORY);
}

/* s until what was asked to come back is ended; below 0: it may take what it wants. */
static double grace(void)
{
    int work = atomic_load(&dog.work);
    bool by_signal = throng_interrupted() == THRONG_STOP_SIGNAL;
    bool idle = work == THRONG_TASK_NONE || work == THRONG_TASK_TEST;
    if (by_signal && idle && dog.def.ends_idle)
        return 0;
    if (work == THRONG_TASK_NONE)
        return by_signal && !(is_read(STDOUT_FILENO, 0) && is_read(STDERR_FILENO, 0)) ? UNREAD_GRACE : -1;
    return by_signal ? GRACE : LONG_GRACE;
}

static void wait_for_tick(double tick)
{
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += (long)(1e9 * tick);
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    sem_clockwait(&dog.wake, CLOCK_MONOTONIC, &until);
}

static const char *text_of(int file, char *text, size_t size)
{
    ssize_t length = pread(file, text, size - 1, 0);
    text[length > 0 ? length : 0] = 0;
    return text;
}

/* s: for which the main thread has had a processor so far; below 0: the kernel does not say. */
static double ran(void)
{
    char text[128];
    double ns;
    return sscanf(text_of(dog.schedstat, text, sizeof text), "%lf", &ns) == 1 ? 1e-9 * ns : -1;
}

/* Would it go on, if it had one? Else it waits for something. */
static bool is_ready(void)
{
    char text[512];
    const char *name = strrchr(text_of(dog.stat, text, sizeof text), ')');
    return name && strncmp(name, ") R", 3) == 0;
}

static void *watch(void *unused)
{
    double last = throng_clock(), had = ran(), spent = 0, waited = 0, own_waited = 0;
    unsigned seen = 0;
    int asked = THRONG_STOP_NONE;
    (void)unused;
    for (;;) {
        wait_for_tick(throng_interrupted() ? SHORT_TICK : TICK);
        double now = throng_clock(), tick = fmin(now - last, MOST_TICK), has = ran();
        double own =
            has >= 0 && is_ready() ? has - had : tick; /* others may have the processor: that is not its time */
        unsigned serial = atomic_load(&dog.serial);
        last = now;
        had = has;
        spent = serial != seen ? 0 : spent + (atomic_load(&dog.work) == THRONG_TASK_FRAME ? 0 : own);
        if (throng_interrupted() == THRONG_STOP_NONE)
            look(spent);
        else if (throng_interrupted() == THRONG_STOP_SIGNAL && asked != THRONG_STOP_SIGNAL)
            ask(THRONG_STOP_SIGNAL);
        bool by_signal = throng_interrupted() == THRONG_STOP_SIGNAL, again = asked == (int)throng_interrupted();
        waited = again ? waited + tick : 0;
        own_waited = again ? own_waited + own : 0;
        asked = throng_interrupted();
        atomic_store(&dog.late, asked && (atomic_load(&dog.late) ||
                                          (by_signal ? waited : own_waited) > PATIENCE - SHORT_TICK / 2));
        seen = serial;
        double allowed = grace();
        if (asked && allowed >= 0 && (own_waited >= allowed || (by_signal && waited >= fmax(allowed, WAITED))))
            end_process();
    }
    return NULL;
}

static void listen(int signal_number, void (*handler)(int))
{
    struct sigaction before, action = {.sa_handler = handler, .sa_flags = SA_RESTART};
    sigaction(signal_number, NULL, &before);
    if (signal_number != SIGHUP || before.sa_handler != SIG_IGN) /* nohup(1) */
        sigaction(signal_number, &action, NULL);
}

bool throng_watchdog_start(const throng_watchdog_def *def, throng_error *error)
{
    pthread_t thread;
    sigset_t all, before;
    dog.def = *def;
    dog.main = pthread_self();
    dog.statm = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    dog.schedstat = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
    dog.stat = open("/proc/thread-self/stat", O_RDONLY | O_CLOEXEC);
    dog.started = true;
    dog.own = throng_memory_taken();
    sem_init(&dog.wake, 0, 0);
    sem_init(&dog.told, 0, 0);
    sigfillset(&all); /* signals go to the host's own threads */
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int code = pthread_create(&thread, NULL, watch, NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (code != 0)
        return throng_fail(error, "cannot start a thread to watch with: %s (raise ulimit -u)", strerror(code));
    pthread_detach(thread);
    listen(SIGURG, attend);
    listen(SIGINT, heard);
    listen(SIGTERM, heard);
    listen(SIGHUP, heard);
    return true;
}
