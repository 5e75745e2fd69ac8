#include "watchdog.h"

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
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
enum { THREADS = 256 };               /* with fibers, that are looked after from outside */
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
    _Atomic unsigned tick; /* how often the watchdog has looked */
    throng_watched *now;   /* the main thread's own, also in its handlers */
    _Atomic bool wants_place;
    throng_watched_place place;
    pthread_mutex_t files;
    void (*close)(void *context);
    void *closes;
} dog = {.files = PTHREAD_MUTEX_INITIALIZER};

/* ---- work on fibers */

/* What such a thread does now, for who looks from outside. */
typedef struct fiber_thread {
    _Alignas(64) pthread_t thread;
    clockid_t clock;         /* of the processor time that it has had */
    _Atomic int timed;       /* as that of the main thread */
    _Atomic unsigned serial; /* another one whenever something is begun or ended */
    _Atomic int fibers;      /* on which something is done */
    const uint32_t *turns;   /* atomic: of the thread, while something is timed */
    unsigned seen, turned;   /* the watchdog's */
    double ran, spent;
} fiber_thread;

static fiber_thread fiber_threads[THREADS];
static _Atomic unsigned fiber_thread_count;

static fiber_thread *own_thread(void)
{
    static _Thread_local fiber_thread none, *own;
    if (own)
        return own;
    unsigned number = atomic_fetch_add(&fiber_thread_count, 1);
    own = number < THREADS ? &fiber_threads[number] : &none;
    own->thread = pthread_self();
    pthread_getcpuclockid(own->thread, &own->clock);
    return own;
}

/* s; below 0: its thread is no longer there. */
static double time_of(clockid_t clock)
{
    struct timespec time;
    return clock_gettime(clock, &time) == 0 ? (double)time.tv_sec + 1e-9 * (double)time.tv_nsec : -1;
}

static double deadline_of(int work)
{
    if (work == THRONG_TASK_CALLBACK)
        return dog.def.deadline;
    return work == THRONG_TASK_LOAD || work == THRONG_TASK_TEST ? LONGER * dog.def.deadline : 0;
}

static fiber_thread *last_thread(void)
{
    unsigned count = atomic_load(&fiber_thread_count);
    return fiber_threads + (count < THREADS ? count : THREADS);
}

/* Is something done on any? */
static bool any_fiber(void)
{
    const fiber_thread *t = fiber_threads;
    while (t < last_thread() && !t->fibers)
        t++;
    return t < last_thread();
}

static throng_watched *outermost_timed(throng_watched *now)
{
    while (now && now->outside && now->outside->timed)
        now = now->outside;
    return now && now->timed ? now : NULL;
}

static bool is_frame(const throng_watched *now) { return now->work == THRONG_TASK_FRAME; }

/* The processor's time since the last count; where it has waited others had most of that. */
static void count_own(throng_watched *timed, unsigned turns)
{
    double ran = time_of(CLOCK_THREAD_CPUTIME_ID), since = timed->own.ran >= 0 ? ran - timed->own.ran : 0;
    timed->own.spent += turns == timed->own.turns ? since : fmin(since, TICK);
    timed->own.ran = ran;
    timed->own.turns = turns;
}

static void show_fiber(fibers_own *own, throng_watched *now)
{
    fiber_thread *t = own_thread();
    throng_watched *before = own->value, *timed = outermost_timed(now);
    if (timed && timed == outermost_timed(before) && is_frame(before) != is_frame(now)) {
        if (is_frame(now))
            count_own(timed, *own->turns);
        else
            timed->own.ran = time_of(CLOCK_THREAD_CPUTIME_ID);
    }
    own->value = now;
    t->turns = own->turns;
    atomic_store_explicit(&t->fibers, t->fibers + (now != NULL) - (before != NULL), memory_order_relaxed);
    atomic_store_explicit(&t->serial, t->serial + 1, memory_order_relaxed);
    atomic_store_explicit(&t->timed, timed && !is_frame(now) ? timed->work : THRONG_TASK_NONE, memory_order_release);
}

static bool memory_is_out(void)
{
    if (throng_memory_fits(0))
        return false;
    malloc_trim(0); /* of those that it was taken from */
    return !throng_memory_fits(0);
}

/* Memory is out because of who takes it; those who have just begun are spared. */
static void look_at_own(throng_watched *timed, unsigned turns)
{
    double deadline = deadline_of(timed->work);
    count_own(timed, turns);
    if (deadline > 0 && timed->own.spent > deadline)
        timed->own.stop = THRONG_STOP_DEADLINE;
    else if (timed->own.spent > TICK && memory_is_out())
        timed->own.stop = THRONG_STOP_MEMORY;
}

static throng_stop own_stop(const fibers_own *own)
{
    throng_watched *now = own->value, *timed = outermost_timed(now);
    unsigned tick = atomic_load_explicit(&dog.tick, memory_order_relaxed);
    if (timed && !timed->own.stop && !is_frame(now) && tick != timed->own.tick) {
        timed->own.tick = tick;
        look_at_own(timed, *own->turns);
    }
    return timed ? timed->own.stop : THRONG_STOP_NONE;
}

/* ---- questions */

throng_stop throng_interrupted(void)
{
    throng_stop all = (throng_stop)atomic_load_explicit(&dog.stop, memory_order_relaxed);
    const fibers_own *own = all ? NULL : fibers_own_of();
    return own ? own_stop(own) : all;
}

throng_stop throng_given_up(void)
{
    throng_stop stop = throng_interrupted();
    const fibers_own *own = stop ? fibers_own_of() : NULL;
    const throng_watched *now = own ? own->value : NULL;
    int work = now ? (int)now->work : atomic_load(&dog.work);
    bool waits = stop && work == THRONG_TASK_FRAME && !atomic_load(&dog.late) && atomic_load(&dog.stop);
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
    static _Thread_local char text[128];
    const fibers_own *own = fibers_own_of();
    const throng_watched *timed = own ? outermost_timed(own->value) : NULL;
    switch (throng_interrupted()) {
    case THRONG_STOP_DEADLINE:
        snprintf(text, sizeof text, "stopped after %g s without coming back: an endless loop? (limit: --deadline S)",
                 deadline_of(timed ? (int)timed->work : atomic_load(&dog.timed)));
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

void throng_watchdog_begin(throng_watched *watched)
{
    if (!dog.started) /* a program's own threads may run worlds side by side */
        return;
    fibers_own *own = fibers_own_of();
    watched->outside = own ? own->value : dog.now;
    bool inside = watched->outside && watched->outside->timed;
    watched->timed = inside || watched->work == THRONG_TASK_LOAD || watched->work == THRONG_TASK_CALLBACK;
    memset(&watched->own, 0, sizeof watched->own);
    watched->own.ran = -1;
    watched->own.tick = atomic_load_explicit(&dog.tick, memory_order_relaxed);
    if (!watched->ask && watched->outside) {
        watched->ask = watched->outside->ask;
        watched->context = watched->outside->context;
    }
    if (own)
        show_fiber(own, watched);
    else
        show(watched, inside);
}

void throng_watchdog_end(throng_watched *watched)
{
    if (!dog.started)
        return;
    while (atomic_load(&dog.ending)) /* the process is being ended: no file is touched any more */
        pause();
    fibers_own *own = fibers_own_of();
    if (own) {
        show_fiber(own, watched->outside);
        return;
    }
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

/* SIGURG, which nobody else sends: the watchdog wants the thread's attention. */
static void attend(int signal_number)
{
    (void)signal_number;
    int code = errno;
    const fibers_own *own = fibers_own_of();
    const throng_watched *now = own ? own->value : dog.now;
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

/* SIGPIPE: one who writes to a stdout that nobody reads any more is ended. Else, as with stderr or a script's own pipe,
 * the write fails, and that is all. */
static void unread(int signal_number)
{
    int code = errno;
    struct pollfd asked = {.fd = STDOUT_FILENO};
    if (!atomic_load(&dog.signal) && poll(&asked, 1, 0) > 0 && asked.revents & POLLERR)
        heard(signal_number);
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

/* Where the thread is. It says so at once, but where others have the processor; in the kernel it may never. */
static throng_watched_place place_of(pthread_t thread)
{
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += (time_t)ANSWERING;
    atomic_store(&dog.wants_place, true);
    pthread_kill(thread, SIGURG);
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

/* What stands is on that thread. */
_Noreturn static void end_process(pthread_t thread)
{
    int by = throng_interrupted_by();
    atomic_store(&dog.ending, true);
    throng_watched_place at = place_of(thread);
    if (by != SIGPIPE)
        say("%sthrong %s: %s%s%s%s%s\n", isatty(STDERR_FILENO) ? "\n" : "", dog.def.name, at.line, *at.line ? ": " : "",
            throng_interrupted_text(), *at.doing ? "\n  " : "", at.doing);
    close_in_time();
    _exit(throng_interrupted() == THRONG_STOP_SIGNAL ? SIGNAL_CODE + by : LIMIT_CODE);
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
    bool by_signal = throng_interrupted() == THRONG_STOP_SIGNAL, none = work == THRONG_TASK_NONE && !any_fiber();
    if (by_signal && (none || work == THRONG_TASK_TEST) && dog.def.ends_idle)
        return 0;
    if (none)
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

/* Whoever asks on a fiber has come back by then. */
static void look_at_fibers(void)
{
    for (fiber_thread *t = fiber_threads; t < last_thread(); t++) {
        int timed = atomic_load_explicit(&t->timed, memory_order_acquire);
        unsigned serial = atomic_load(&t->serial), turns = timed ? __atomic_load_n(t->turns, __ATOMIC_RELAXED) : 0;
        double ran = timed ? time_of(t->clock) : 0, deadline = deadline_of(timed);
        t->spent = timed && serial == t->seen && turns == t->turned ? t->spent + ran - t->ran : 0;
        t->seen = serial;
        t->turned = turns;
        t->ran = ran;
        if (deadline <= 0 || t->spent <= deadline + LONG_GRACE)
            continue;
        atomic_store(&dog.timed, timed);
        atomic_store(&dog.stop, THRONG_STOP_DEADLINE);
        end_process(t->thread);
    }
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
        atomic_fetch_add(&dog.tick, 1);
        look_at_fibers();
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
            end_process(dog.main);
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
    listen(SIGPIPE, unread);
    return true;
}
