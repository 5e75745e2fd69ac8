/* A pool of threads for loops over ranges. */
#ifndef THRONG_POOL_H
#define THRONG_POOL_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Those who wait for each other follow within microseconds, and waking a thread takes longer: look for a while first.
 */
enum { POOL_SPINS = 4000 };
static inline void pool_pause(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

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

/* The same of at least one; a thread takes pieces of others' parts as long as `takes` says so (NULL: always), and calls
 * `rest` (NULL: nothing) when it takes no more. */
typedef bool pool_takes(void *context, int thread);
typedef void pool_rest(void *context, int thread);
void pool_run_on(pool *pool, int32_t count, int32_t grain, pool_work *work, pool_takes *takes, pool_rest *rest,
                 void *context);

#ifdef __cplusplus
}
#endif

#endif
