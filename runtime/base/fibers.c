#undef _FORTIFY_SOURCE /* its longjmp stays on one stack */

#include "fibers.h"

#include <assert.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>
#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#elif defined(__SANITIZE_THREAD__)
#include <sanitizer/tsan_interface.h>
#endif

#include "pool.h"

/* As threads have: at the depth of C calls that Lua allows string.gsub in itself takes 404 KiB, throng.map in
 * itself 1.2 MiB, and with sanitizers more. What is not touched is no memory. */
enum { STACK = 8 << 20, GUARD = 4096 };

/* Where a stack is left. setjmp costs 20 ns; ucontext, which sanitizers know, asks the kernel for the signals. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
typedef ucontext_t place;
static void go_first(place *from, const ucontext_t *to) { swapcontext(from, to); }
static void go(place *from, const place *to) { swapcontext(from, to); }
#else
typedef struct place {
    jmp_buf at;
} place;
static void go_first(place *from, const ucontext_t *to)
{
    if (_setjmp(from->at) == 0)
        setcontext(to);
}
static void go(place *from, place *to)
{
    if (_setjmp(from->at) == 0)
        _longjmp(to->at, 1);
}
#endif

typedef struct fiber fiber;
struct fiber {
    fibers *of;
    int32_t i, half;
    bool ended;
    fibers_own keeps;
    place own, outside;    /* where it goes on, and its thread */
    fiber *next;           /* of those that wait, or are free */
    fibers_service *serve; /* while it waits */
    fiber *asks_next;      /* of those that wait with other functions */
#if defined(__SANITIZE_ADDRESS__)
    void *fake, *outside_fake; /* what the sanitizer has beside a stack */
    const void *outside_bottom;
    size_t outside_size;
#elif defined(__SANITIZE_THREAD__)
    void *tsan, *outside_tsan;
#endif
};

/* Stacks end with their fiber. */
static char *block_of(fiber *f) { return (char *)(f + 1) - STACK; }
static char *bottom_of(fiber *f) { return block_of(f) + GUARD; }
static size_t size_of(fiber *f) { return (size_t)((char *)f - bottom_of(f)); }

/* Work of a half that a thread has begun. */
typedef struct fibers_part {
    fiber *waiting, **last; /* in the order in which they began to */
    fiber *asks;            /* of these, one for each function */
    enum { PART_WORKS, PART_WAITS, PART_ENDED } is;
    uint32_t before; /* how often its half was served when it began to wait */
} fibers_part;

/* What a thread has, on a cache line of its own. */
typedef struct fibers_thread {
    _Alignas(64) fiber *free; /* at least one, while none of the thread's waits */
    fibers_part part[FIBERS_HALVES];
    int32_t begins; /* the half that the next is of */
    uint32_t turns; /* atomic: how often one has waited or ended */
} fibers_thread;

typedef struct fibers_half {
    fibers *of;
    int32_t working; /* atomic: parts that may yet begin something or go on before the next service */
    int32_t staying; /* atomic: the others, without those that have ended */
    uint32_t served; /* atomic: how often all have waited */
    bool due;        /* atomic: all wait */
    pthread_cond_t called;
    pthread_t server;
} fibers_half;

struct fibers {
    pool *pool;
    int32_t threads, servers;
    fibers_thread *thread; /* [threads] */
    fibers_half half[FIBERS_HALVES];
    fibers_work *work;
    void *context;
    bool ends;
    pthread_mutex_t lock;
    pthread_cond_t again;
    int32_t asleep;
};

static _Thread_local fiber *current;

/* ---- switching */

#if defined(__SANITIZE_ADDRESS__)
static void leave_thread(fiber *f) { __sanitizer_start_switch_fiber(&f->outside_fake, bottom_of(f), size_of(f)); }
static void enter_fiber(fiber *f) { __sanitizer_finish_switch_fiber(f->fake, &f->outside_bottom, &f->outside_size); }
static void leave_fiber(fiber *f) { __sanitizer_start_switch_fiber(&f->fake, f->outside_bottom, f->outside_size); }
static void enter_thread(fiber *f) { __sanitizer_finish_switch_fiber(f->outside_fake, NULL, NULL); }
static void begin_stack(fiber *f)
{
    f->fake = NULL;
    __asan_unpoison_memory_region(bottom_of(f), size_of(f)); /* of what lay there before */
}
static void end_stack(fiber *f) { (void)f; }
#elif defined(__SANITIZE_THREAD__)
static inline __attribute__((always_inline)) void leave_thread(fiber *f)
{
    f->outside_tsan = __tsan_get_current_fiber();
    __tsan_switch_to_fiber(f->tsan, 0);
}
static void enter_fiber(fiber *f) { (void)f; }
static inline __attribute__((always_inline)) void leave_fiber(fiber *f) { __tsan_switch_to_fiber(f->outside_tsan, 0); }
static void enter_thread(fiber *f) { (void)f; }
static void begin_stack(fiber *f) { f->tsan = __tsan_create_fiber(0); }
static void end_stack(fiber *f) { __tsan_destroy_fiber(f->tsan); }
#else
static void leave_thread(fiber *f) { (void)f; }
static void enter_fiber(fiber *f) { (void)f; }
static void leave_fiber(fiber *f) { (void)f; }
static void enter_thread(fiber *f) { (void)f; }
static void begin_stack(fiber *f) { (void)f; }
static void end_stack(fiber *f) { (void)f; }
#endif

/* From its thread into the fiber, until it waits or ends; `first`: where that begins, or NULL. */
static void enter(fiber *f, const ucontext_t *first)
{
    fiber *outside = current;
    current = f;
    leave_thread(f);
    if (first)
        go_first(&f->outside, first);
    else
        go(&f->outside, &f->own);
    enter_thread(f);
    current = outside;
}

static void leave(fiber *f)
{
    leave_fiber(f);
    go(&f->own, &f->outside);
    enter_fiber(f);
}

/* One piece of work after another, on one stack. */
static void live(void)
{
    fiber *f = current;
    enter_fiber(f);
    for (;;) {
        f->ended = true;
        leave(f);
        f->of->work(f->of->context, f->i);
    }
}

/* ---- stacks */

static void bring_to_life(fiber *f)
{
    ucontext_t first;
    getcontext(&first);
    first.uc_stack = (stack_t){.ss_sp = bottom_of(f), .ss_size = size_of(f)};
    makecontext(&first, live, 0);
    enter(f, &first);
}

static fiber *stack_create(void)
{
    char *block =
        mmap(NULL, STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK | MAP_NORESERVE, -1, 0);
    if (block == MAP_FAILED)
        return NULL;
    madvise(block, STACK, MADV_NOHUGEPAGE); /* 2 MiB for the first touch */
    if (mprotect(block, GUARD, PROT_NONE) != 0) {
        munmap(block, STACK);
        return NULL;
    }
    fiber *f = (fiber *)(void *)(block + STACK) - 1;
    begin_stack(f);
    bring_to_life(f);
    return f;
}

static void stack_destroy(fiber *f)
{
    end_stack(f);
    munmap(block_of(f), STACK);
}

/* NULL: there is no memory for it now. */
static fiber *stack_take(fibers_thread *t)
{
    fiber *f = t->free;
    if (!f)
        return stack_create();
    t->free = f->next;
    return f;
}

static void stack_give_back(fibers_thread *t, fiber *f)
{
    f->next = t->free;
    t->free = f;
}

/* ---- a thread */

static void begin(fibers *of, fibers_thread *t, fiber *f, int32_t i)
{
    int32_t half = t->begins;
    if (t->part[half].is == PART_WAITS)
        half = (half + 1) % FIBERS_HALVES;
    t->begins = (half + 1) % FIBERS_HALVES;
    f->of = of;
    f->i = i;
    f->half = half;
    f->ended = false;
    f->keeps = (fibers_own){.turns = &t->turns};
}

static fiber *who_asks(fiber *list, fibers_service *serve)
{
    while (list && list->serve != serve)
        list = list->asks_next;
    return list;
}

static void add_asking(fiber **list, fiber *f)
{
    if (who_asks(*list, f->serve))
        return;
    f->asks_next = *list;
    *list = f;
}

static void go_on_with(fibers_thread *t, fiber *f)
{
    enter(f, NULL);
    __atomic_store_n(&t->turns, t->turns + 1, __ATOMIC_RELAXED);
    if (f->ended) {
        stack_give_back(t, f);
        return;
    }
    fibers_part *part = &t->part[f->half];
    f->next = NULL;
    *part->last = f;
    part->last = &f->next;
    add_asking(&part->asks, f);
}

static void forget_waiting(fibers_part *part)
{
    part->waiting = NULL;
    part->last = &part->waiting;
}

/* ---- a half of which nobody works */

static void serve_all(fibers *of, int32_t half)
{
    fibers_half *h = &of->half[half];
    fiber *asks = NULL;
    for (int32_t t = 0; t < of->threads; t++)
        for (fiber *f; (f = of->thread[t].part[half].asks);) {
            of->thread[t].part[half].asks = f->asks_next;
            add_asking(&asks, f);
        }
    for (const fiber *f = asks; f; f = f->asks_next)
        f->serve(half);
    __atomic_store_n(&h->working, h->staying, __ATOMIC_RELAXED);
    __atomic_store_n(&h->staying, 0, __ATOMIC_RELAXED);
    pthread_mutex_lock(&of->lock);
    __atomic_store_n(&h->served, h->served + 1, __ATOMIC_RELEASE);
    if (of->asleep > 0)
        pthread_cond_broadcast(&of->again);
    pthread_mutex_unlock(&of->lock);
}

static void call_server(fibers_half *h)
{
    pthread_mutex_lock(&h->of->lock);
    __atomic_store_n(&h->due, true, __ATOMIC_RELEASE);
    pthread_cond_signal(&h->called);
    pthread_mutex_unlock(&h->of->lock);
}

/* False: there is nothing more to serve. */
static bool await_call(fibers_half *h)
{
    fibers *of = h->of;
    for (int i = 0; i < POOL_SPINS && !__atomic_load_n(&h->due, __ATOMIC_ACQUIRE); i++)
        pool_pause();
    pthread_mutex_lock(&of->lock);
    while (!h->due && !of->ends)
        pthread_cond_wait(&h->called, &of->lock);
    bool due = h->due;
    __atomic_store_n(&h->due, false, __ATOMIC_RELAXED);
    pthread_mutex_unlock(&of->lock);
    return due;
}

static void *server(void *argument)
{
    fibers_half *h = argument;
    while (await_call(h))
        serve_all(h->of, (int32_t)(h - h->of->half));
    return NULL;
}

/* ---- a thread's parts of them */

static fibers_part *served_part(fibers *of, fibers_thread *t)
{
    for (int32_t half = 0; half < FIBERS_HALVES; half++)
        if (t->part[half].is == PART_WAITS &&
            __atomic_load_n(&of->half[half].served, __ATOMIC_ACQUIRE) != t->part[half].before)
            return &t->part[half];
    return NULL;
}

static fibers_part *await_service(fibers *of, fibers_thread *t)
{
    fibers_part *part = NULL;
    for (int i = 0; i < POOL_SPINS && !(part = served_part(of, t)); i++)
        pool_pause();
    if (part)
        return part;
    pthread_mutex_lock(&of->lock);
    of->asleep++;
    while (!(part = served_part(of, t)))
        pthread_cond_wait(&of->again, &of->lock);
    of->asleep--;
    pthread_mutex_unlock(&of->lock);
    return part;
}

/* Nothing of the part goes on by itself, and the last part of its half of which that is true has it served. `stays`: it
 * has something left. */
static void settle(fibers_half *h, fibers_part *part, bool stays)
{
    part->is = stays ? PART_WAITS : PART_ENDED;
    part->before = __atomic_load_n(&h->served, __ATOMIC_RELAXED);
    __atomic_fetch_add(&h->staying, stays, __ATOMIC_RELAXED);
    if (__atomic_sub_fetch(&h->working, 1, __ATOMIC_ACQ_REL) == 0 && __atomic_load_n(&h->staying, __ATOMIC_RELAXED) > 0)
        call_server(h);
}

/* `begins`: the thread may begin more. False: it has nothing left. */
static bool settle_all(fibers *of, fibers_thread *t, bool begins)
{
    bool stays = false;
    for (int32_t half = 0; half < FIBERS_HALVES; half++) {
        fibers_part *part = &t->part[half];
        if (part->is == PART_WORKS)
            settle(&of->half[half], part, begins || part->waiting);
        stays = stays || part->is == PART_WAITS;
    }
    return stays;
}

/* With what is served first. */
static void go_on(fibers *of, fibers_thread *t)
{
    fibers_part *part = await_service(of, t);
    part->is = PART_WORKS;
    fiber *f = part->waiting;
    forget_waiting(part);
    while (f) {
        fiber *next = f->next;
        go_on_with(t, f);
        f = next;
    }
}

/* pool_work */
static void begin_some(void *context, int32_t from, int32_t to, int thread)
{
    fibers *of = context;
    fibers_thread *t = &of->thread[thread];
    for (int32_t i = from; i < to; i++) {
        fiber *f;
        while (!(f = stack_take(t))) { /* once one that waits has ended there is a stack again */
            settle_all(of, t, true);
            go_on(of, t);
        }
        begin(of, t, f, i);
        go_on_with(t, f);
    }
}

/* pool_takes: who has woken first leaves theirs to those who wake later, unless nothing waits */
static bool takes_more(void *context, int thread)
{
    const fibers *of = context;
    const fibers_part *part = of->thread[thread].part;
    return !part[0].waiting && !part[1].waiting;
}

/* pool_rest */
static void end_all(void *context, int thread)
{
    fibers *of = context;
    fibers_thread *t = &of->thread[thread];
    while (settle_all(of, t, false))
        go_on(of, t);
}

/* ---- for callers */

static bool start_servers(fibers *of)
{
    for (; of->servers < FIBERS_HALVES; of->servers++)
        if (pthread_create(&of->half[of->servers].server, NULL, server, &of->half[of->servers]) != 0)
            return false;
    return true;
}

static void end_servers(fibers *of)
{
    pthread_mutex_lock(&of->lock);
    of->ends = true;
    for (int32_t half = 0; half < of->servers; half++)
        pthread_cond_signal(&of->half[half].called);
    pthread_mutex_unlock(&of->lock);
    for (int32_t half = 0; half < of->servers; half++)
        pthread_join(of->half[half].server, NULL);
}

fibers *fibers_create(int32_t threads)
{
    fibers *of = calloc(1, sizeof *of);
    if (!of)
        return NULL;
    pthread_mutex_init(&of->lock, NULL);
    pthread_cond_init(&of->again, NULL);
    for (int32_t half = 0; half < FIBERS_HALVES; half++) {
        of->half[half].of = of;
        pthread_cond_init(&of->half[half].called, NULL);
    }
    of->pool = pool_create(threads > 0 ? threads : 1);
    int32_t count = of->pool ? pool_threads(of->pool) : 0;
    of->thread = aligned_alloc(_Alignof(fibers_thread), (size_t)count * sizeof *of->thread);
    bool fine = of->pool && of->thread;
    for (int32_t t = 0; fine && t < count; t++) {
        of->thread[t] = (fibers_thread){.free = stack_create(), .begins = t % FIBERS_HALVES};
        of->threads++;
        fine = of->thread[t].free != NULL;
    }
    if (fine && start_servers(of))
        return of;
    fibers_destroy(of);
    return NULL;
}

void fibers_destroy(fibers *of)
{
    if (!of)
        return;
    end_servers(of);
    pool_destroy(of->pool);
    for (int32_t t = 0; t < of->threads; t++)
        for (fiber *f; (f = of->thread[t].free);) {
            of->thread[t].free = f->next;
            stack_destroy(f);
        }
    for (int32_t half = 0; half < FIBERS_HALVES; half++)
        pthread_cond_destroy(&of->half[half].called);
    pthread_cond_destroy(&of->again);
    pthread_mutex_destroy(&of->lock);
    free(of->thread);
    free(of);
}

void fibers_run_on(fibers *of, int32_t count, fibers_work *work, void *context)
{
    of->work = work;
    of->context = context;
    for (int32_t half = 0; half < FIBERS_HALVES; half++) {
        of->half[half].working = count < of->threads ? count : of->threads;
        for (int32_t t = 0; t < of->threads; t++) {
            of->thread[t].part[half] = (fibers_part){.is = PART_WORKS};
            forget_waiting(&of->thread[t].part[half]);
        }
    }
    if (count > 0)
        pool_run_on(of->pool, count, 1, begin_some, takes_more, end_all, of);
}

bool fibers_run(int32_t count, int32_t threads, fibers_work *work, void *context, throng_error *error)
{
    fibers *of = fibers_create(threads < count ? threads : count);
    if (!of)
        return throng_fail(error, "out of memory for the stacks of %d threads", (int)threads);
    fibers_run_on(of, count, work, context);
    fibers_destroy(of);
    return true;
}

bool fibers_inside(void) { return current != NULL; }

int32_t fibers_half_of(void) { return current ? current->half : -1; }

fibers_own *fibers_own_of(void) { return current ? &current->keeps : NULL; }

void fibers_wait(fibers_service *serve)
{
    fiber *f = current;
    assert(f);
    f->serve = serve;
    leave(f);
}
