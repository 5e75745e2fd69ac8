/* A pool of threads for loops over ranges. */
#ifndef THRONG_POOL_H
#define THRONG_POOL_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct pool pool;

/* Work on [begin, end) by thread `thread`, 0 .. threads - 1. */
typedef void pool_work(void *context, int32_t begin, int32_t end, int thread);

/* With the caller as one of the threads; with fewer when the system gives no more. NULL when memory is out. */
pool *pool_create(int threads);
void pool_destroy(pool *pool);
int pool_threads(const pool *pool);

/* Runs `work` over [0, count) in pieces of `grain`, and waits. Each thread starts
 * with its own part of the range, but which thread gets which piece is not fixed:
 * results must not depend on it. */
void pool_run(pool *pool, int32_t count, int32_t grain, pool_work *work, void *context);

#ifdef __cplusplus
}
#endif

#endif
