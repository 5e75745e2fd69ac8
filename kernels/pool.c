#include "pool.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

struct pool {
    int threads;        /* with the caller */
    pthread_t *workers; /* threads - 1 */
    pthread_mutex_t lock;
    pthread_cond_t start, done;
    uint64_t job; /* counts the loops */
    int busy;
    bool stop;
    pool_work *work;
    void *context;
    int32_t count, grain;
    int32_t next; /* atomic: where the next piece begins */
};

typedef struct seat {
    pool *pool;
    int thread;
} seat;

static void run_pieces(pool *p, int thread)
{
    for (;;) {
        int32_t begin = __atomic_fetch_add(&p->next, p->grain, __ATOMIC_RELAXED);
        if (begin >= p->count)
            return;
        int32_t end = p->count - begin < p->grain ? p->count : begin + p->grain;
        p->work(p->context, begin, end, thread);
    }
}

static void *worker(void *argument)
{
    seat s = *(seat *)argument;
    free(argument);
    pool *p = s.pool;
    uint64_t seen = 0;
    pthread_mutex_lock(&p->lock);
    for (;;) {
        while (p->job == seen && !p->stop)
            pthread_cond_wait(&p->start, &p->lock);
        if (p->stop)
            break;
        seen = p->job;
        pthread_mutex_unlock(&p->lock);
        run_pieces(p, s.thread);
        pthread_mutex_lock(&p->lock);
        if (--p->busy == 0)
            pthread_cond_signal(&p->done);
    }
    pthread_mutex_unlock(&p->lock);
    return NULL;
}

pool *pool_create(int threads)
{
    pool *p = calloc(1, sizeof *p);
    if (!p)
        return NULL;
    p->workers = calloc((size_t)threads, sizeof *p->workers);
    pthread_mutex_init(&p->lock, NULL);
    pthread_cond_init(&p->start, NULL);
    pthread_cond_init(&p->done, NULL);
    p->threads = 1;
    for (int t = 1; p->workers && t < threads; t++) {
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
    if (p->threads == threads)
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
    p->count = count;
    p->grain = grain;
    p->next = 0;
    p->busy = p->threads - 1;
    p->job++;
    pthread_cond_broadcast(&p->start);
    pthread_mutex_unlock(&p->lock);
    run_pieces(p, 0);
    pthread_mutex_lock(&p->lock);
    while (p->busy)
        pthread_cond_wait(&p->done, &p->lock);
    pthread_mutex_unlock(&p->lock);
}
