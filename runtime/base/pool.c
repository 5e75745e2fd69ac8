#include "pool.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

/* A thread's share of a loop, on a cache line of its own. */
typedef struct share {
    _Alignas(64) int32_t next; /* atomic: where the next piece begins */
    int32_t end;
    bool asleep; /* atomic: its thread waits for `wake` */
    pthread_cond_t wake;
} share;

struct pool {
    int threads;        /* with the caller */
    share *shares;      /* [threads] */
    pthread_t *workers; /* threads - 1 */
    pthread_mutex_t lock;
    pthread_cond_t done;
    /* Atomic: the number of the loop, and how many threads take part in it: as many as it has pieces. Who takes part is
     * waited for, so that the rest of what is said of a loop stays as it is for them. */
    uint64_t job;
    int busy; /* atomic */
    bool stop;
    pool_work *work;
    pool_takes *takes; /* NULL: always */
    pool_rest *rest;   /* NULL: there is none */
    void *context;
    int32_t grain;
    int taking_part;
};

enum { JOB_THREADS = 1 << 16 }; /* a job is its number times this, and the threads that take part */

typedef struct pool_slot {
    pool *pool;
    int thread;
} pool_slot;

static void run_share(pool *p, share *s, int thread)
{
    while (s == &p->shares[thread] || !p->takes || p->takes(p->context, thread)) {
        int32_t begin = __atomic_fetch_add(&s->next, p->grain, __ATOMIC_RELAXED);
        if (begin >= s->end)
            return;
        int32_t end = s->end - begin < p->grain ? s->end : begin + p->grain;
        p->work(p->context, begin, end, thread);
    }
}

/* Its own share first, which loop after loop is the same part of the arrays and so in its cache; then what others
 * have left. */
static void run_pieces(pool *p, int thread)
{
    for (int t = 0; t < p->taking_part; t++)
        run_share(p, &p->shares[(thread + t) % p->taking_part], thread);
    if (p->rest)
        p->rest(p->context, thread);
}

/* Shares are whole pieces, but for the last. */
static void deal(pool *p, int32_t count, int32_t grain)
{
    int32_t pieces = (count + grain - 1) / grain;
    p->taking_part = pieces < p->threads ? pieces : p->threads;
    for (int t = 0; t < p->taking_part; t++) {
        int64_t begin = (int64_t)pieces * t / p->taking_part * grain;
        int64_t end = (int64_t)pieces * (t + 1) / p->taking_part * grain;
        p->shares[t].next = (int32_t)begin;
        p->shares[t].end = end < count ? (int32_t)end : count;
    }
}

/* Is there a loop after `seen`, which receives it, that the thread takes part in? */
static bool called(const pool *p, int thread, uint64_t *seen)
{
    uint64_t job = __atomic_load_n(&p->job, __ATOMIC_SEQ_CST);
    bool other = job != *seen;
    *seen = job;
    return other && thread < (int)(job % JOB_THREADS);
}

/* False: the pool stops. */
static bool await_job(pool *p, int thread, uint64_t *seen)
{
    share *mine = &p->shares[thread];
    for (int i = 0; i < POOL_SPINS; i++) {
        if (called(p, thread, seen))
            return true;
        pool_pause();
    }
    pthread_mutex_lock(&p->lock);
    __atomic_store_n(&mine->asleep, true, __ATOMIC_SEQ_CST);
    bool comes = called(p, thread, seen);
    for (; !comes && !p->stop; comes = called(p, thread, seen))
        pthread_cond_wait(&mine->wake, &p->lock);
    __atomic_store_n(&mine->asleep, false, __ATOMIC_SEQ_CST);
    pthread_mutex_unlock(&p->lock);
    return comes;
}

static void wake(pool *p, int thread)
{
    share *s = &p->shares[thread];
    if (!__atomic_load_n(&s->asleep, __ATOMIC_SEQ_CST))
        return;
    pthread_mutex_lock(&p->lock);
    pthread_cond_signal(&s->wake);
    pthread_mutex_unlock(&p->lock);
}

static void await_others(pool *p)
{
    for (int i = 0; i < POOL_SPINS; i++) {
        if (!__atomic_load_n(&p->busy, __ATOMIC_ACQUIRE))
            return;
        pool_pause();
    }
    pthread_mutex_lock(&p->lock);
    while (__atomic_load_n(&p->busy, __ATOMIC_ACQUIRE))
        pthread_cond_wait(&p->done, &p->lock);
    pthread_mutex_unlock(&p->lock);
}

static void *worker(void *argument)
{
    pool_slot s = *(pool_slot *)argument;
    free(argument);
    pool *p = s.pool;
    uint64_t seen = 0;
    while (await_job(p, s.thread, &seen)) {
        run_pieces(p, s.thread);
        if (__atomic_sub_fetch(&p->busy, 1, __ATOMIC_RELEASE))
            continue;
        pthread_mutex_lock(&p->lock);
        pthread_cond_signal(&p->done);
        pthread_mutex_unlock(&p->lock);
    }
    return NULL;
}

static bool start_worker(pool *p, int thread)
{
    pool_slot *s = malloc(sizeof *s);
    if (!s)
        return false;
    *s = (pool_slot){p, thread};
    p->shares[thread].asleep = false;
    pthread_cond_init(&p->shares[thread].wake, NULL);
    if (pthread_create(&p->workers[thread - 1], NULL, worker, s) == 0)
        return true;
    pthread_cond_destroy(&p->shares[thread].wake);
    free(s);
    return false;
}

pool *pool_create(int threads)
{
    pool *p = calloc(1, sizeof *p);
    if (!p)
        return NULL;
    p->workers = calloc((size_t)threads, sizeof *p->workers);
    p->shares = aligned_alloc(_Alignof(share), (size_t)threads * sizeof *p->shares);
    pthread_mutex_init(&p->lock, NULL);
    pthread_cond_init(&p->done, NULL);
    p->threads = 1;
    if (!p->workers || !p->shares) {
        pool_destroy(p);
        return NULL;
    }
    while (p->threads < threads && start_worker(p, p->threads))
        p->threads++;
    return p;
}

void pool_destroy(pool *p)
{
    if (!p)
        return;
    pthread_mutex_lock(&p->lock);
    p->stop = true;
    for (int t = 1; t < p->threads; t++)
        pthread_cond_signal(&p->shares[t].wake);
    pthread_mutex_unlock(&p->lock);
    for (int t = 1; t < p->threads; t++)
        pthread_join(p->workers[t - 1], NULL);
    pthread_cond_destroy(&p->done);
    for (int t = 1; t < p->threads; t++)
        pthread_cond_destroy(&p->shares[t].wake);
    pthread_mutex_destroy(&p->lock);
    free(p->workers);
    free(p->shares);
    free(p);
}

int pool_threads(const pool *p) { return p->threads; }

void pool_run(pool *p, int32_t count, int32_t grain, pool_work *work, void *context)
{
    if (count > grain)
        pool_run_on(p, count, grain, work, NULL, NULL, context);
    else if (count > 0)
        work(context, 0, count, 0);
}

void pool_run_on(pool *p, int32_t count, int32_t grain, pool_work *work, pool_takes *takes, pool_rest *rest,
                 void *context)
{
    p->work = work;
    p->takes = takes;
    p->rest = rest;
    p->context = context;
    p->grain = grain;
    deal(p, count, grain);
    __atomic_store_n(&p->busy, p->taking_part - 1, __ATOMIC_RELAXED);
    uint64_t job = (p->job / JOB_THREADS + 1) * JOB_THREADS + (uint64_t)p->taking_part;
    __atomic_store_n(&p->job, job, __ATOMIC_SEQ_CST);
    for (int t = 1; t < p->taking_part; t++)
        wake(p, t);
    run_pieces(p, 0);
    await_others(p);
}
