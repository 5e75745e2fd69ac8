#include "pool.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

/* A thread's share of a loop, on a cache line of its own. */
typedef struct share {
    _Alignas(64) int32_t next; /* atomic: where the next piece begins */
    int32_t end;
} share;

struct pool {
    int threads;        /* with the caller */
    share *shares;      /* [threads] */
    pthread_t *workers; /* threads - 1 */
    pthread_mutex_t lock;
    pthread_cond_t start, done;
    uint64_t job; /* counts the loops */
    int busy;
    bool stop;
    pool_work *work;
    void *context;
    int32_t grain;
};

typedef struct seat {
    pool *pool;
    int thread;
} seat;

static void run_share(pool *p, share *s, int thread)
{
    for (;;) {
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
    for (int t = 0; t < p->threads; t++)
        run_share(p, &p->shares[(thread + t) % p->threads], thread);
}

/* Shares are whole pieces, but for the last. */
static void deal(pool *p, int32_t count, int32_t grain)
{
    int32_t pieces = (count + grain - 1) / grain;
    for (int t = 0; t < p->threads; t++) {
        int64_t begin = (int64_t)pieces * t / p->threads * grain, end = (int64_t)pieces * (t + 1) / p->threads * grain;
        p->shares[t] = (share){(int32_t)begin, end < count ? (int32_t)end : count};
    }
}

/* Loops follow each other within microseconds, and waking a thread takes longer: look for a while first. */
enum { SPINS = 4000 };

static void pause_briefly(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

static void await_job(pool *p, uint64_t seen)
{
    for (int i = 0; i < SPINS && __atomic_load_n(&p->job, __ATOMIC_ACQUIRE) == seen; i++)
        pause_briefly();
}

static void await_others(pool *p)
{
    for (int i = 0; i < SPINS && __atomic_load_n(&p->busy, __ATOMIC_ACQUIRE); i++)
        pause_briefly();
}

static void *worker(void *argument)
{
    seat s = *(seat *)argument;
    free(argument);
    pool *p = s.pool;
    uint64_t seen = 0;
    for (;;) {
        await_job(p, seen);
        pthread_mutex_lock(&p->lock);
        while (p->job == seen && !p->stop)
            pthread_cond_wait(&p->start, &p->lock);
        bool stop = p->stop;
        seen = p->job;
        pthread_mutex_unlock(&p->lock);
        if (stop)
            return NULL;
        run_pieces(p, s.thread);
        pthread_mutex_lock(&p->lock);
        if (__atomic_sub_fetch(&p->busy, 1, __ATOMIC_RELEASE) == 0)
            pthread_cond_signal(&p->done);
        pthread_mutex_unlock(&p->lock);
    }
}

pool *pool_create(int threads)
{
    pool *p = calloc(1, sizeof *p);
    if (!p)
        return NULL;
    p->workers = calloc((size_t)threads, sizeof *p->workers);
    p->shares = aligned_alloc(_Alignof(share), (size_t)threads * sizeof *p->shares);
    pthread_mutex_init(&p->lock, NULL);
    pthread_cond_init(&p->start, NULL);
    pthread_cond_init(&p->done, NULL);
    p->threads = 1;
    for (int t = 1; p->workers && p->shares && t < threads; t++) {
        seat *s = malloc(sizeof *s);
        if (!s)
            break;
        *s = (seat){p, t};
        if (pthread_create(&p->workers[t - 1], NULL, worker, s) != 0) {
            free(s);
            break;
        }
        p->threads++;
    }
    if (p->workers && p->shares && p->threads == threads)
        return p;
    pool_destroy(p);
    return NULL;
}

void pool_destroy(pool *p)
{
    if (!p)
        return;
    pthread_mutex_lock(&p->lock);
    p->stop = true;
    pthread_cond_broadcast(&p->start);
    pthread_mutex_unlock(&p->lock);
    for (int t = 1; t < p->threads; t++)
        pthread_join(p->workers[t - 1], NULL);
    pthread_cond_destroy(&p->start);
    pthread_cond_destroy(&p->done);
    pthread_mutex_destroy(&p->lock);
    free(p->workers);
    free(p->shares);
    free(p);
}

int pool_threads(const pool *p) { return p->threads; }

void pool_run(pool *p, int32_t count, int32_t grain, pool_work *work, void *context)
{
    if (p->threads == 1 || count <= grain) {
        if (count > 0)
            work(context, 0, count, 0);
        return;
    }
    pthread_mutex_lock(&p->lock);
    p->work = work;
    p->context = context;
    p->grain = grain;
    deal(p, count, grain);
    p->busy = p->threads - 1;
    __atomic_store_n(&p->job, p->job + 1, __ATOMIC_RELEASE);
    pthread_cond_broadcast(&p->start);
    pthread_mutex_unlock(&p->lock);
    run_pieces(p, 0);
    await_others(p);
    pthread_mutex_lock(&p->lock);
    while (p->busy)
        pthread_cond_wait(&p->done, &p->lock);
    pthread_mutex_unlock(&p->lock);
}
