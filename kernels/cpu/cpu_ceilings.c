/* Bytes a second by the triad a = b + s c of McCalpin's STREAM, on arrays far larger than caches; operations a second
 * by independent chains of multiply-adds that stay in registers, enough of them to fill two pipes of four cycles. */
#include "cpu_ceilings.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"

enum { CHAINS = 12, ROUNDS = 100000, PIECES = 8, REPEATS = 5, TRIAD = 1 << 24 };

#define EACH_CHAIN _Pragma("GCC unroll 12") for (int i = 0; i < CHAINS; i++)

typedef float vector_1; /* as a vector it would pass through memory */
typedef float vector_4 __attribute__((vector_size(16)));
typedef float vector_8 __attribute__((vector_size(32)));
typedef float vector_16 __attribute__((vector_size(64)));

/* One width: the kernels' two roundings, or one. Widths are what they say: nothing else is made a vector. */
#define CHAINS_OF(lanes, kind, contract, ...)                                                                          \
    __attribute__((noinline, optimize("fp-contract=" contract, "no-tree-vectorize"),                                   \
                   ##__VA_ARGS__)) static float chains_##kind##_##lanes(int32_t rounds)                                \
    {                                                                                                                  \
        vector_##lanes x[CHAINS], scale = (vector_##lanes){0} + 0.999999f, shift = (vector_##lanes){0} + 1e-6f;        \
        EACH_CHAIN x[i] = (vector_##lanes){0} + (float)i;                                                              \
        for (int32_t r = 0; r < rounds; r++)                                                                           \
            EACH_CHAIN x[i] = x[i] * scale + shift;                                                                    \
        vector_##lanes sum = {0};                                                                                      \
        EACH_CHAIN sum += x[i];                                                                                        \
        float first;                                                                                                   \
        memcpy(&first, &sum, sizeof first);                                                                            \
        return first;                                                                                                  \
    }

CHAINS_OF(1, unfused, "off")
CHAINS_OF(4, unfused, "off")
#if defined(__x86_64__)
CHAINS_OF(8, unfused, "off", target("avx2"))
CHAINS_OF(16, unfused, "off", target("avx512f"))
CHAINS_OF(1, fused, "fast", target("fma"))
CHAINS_OF(4, fused, "fast", target("fma"))
CHAINS_OF(8, fused, "fast", target("avx2,fma"))
CHAINS_OF(16, fused, "fast", target("avx512f"))
#else
CHAINS_OF(1, fused, "fast")
CHAINS_OF(4, fused, "fast")
#endif

typedef float chains(int32_t rounds);

/* NULL: this processor has no such instructions. */
static chains *chains_for(int lanes, bool fused)
{
    switch (lanes) {
#if defined(__x86_64__)
    case 16: return fused ? chains_fused_16 : chains_unfused_16;
    case 8: return !fused ? chains_unfused_8 : __builtin_cpu_supports("fma") ? chains_fused_8 : NULL;
    case 4: return !fused ? chains_unfused_4 : __builtin_cpu_supports("fma") ? chains_fused_4 : NULL;
    default: return !fused ? chains_unfused_1 : __builtin_cpu_supports("fma") ? chains_fused_1 : NULL;
#else
    case 4: return fused ? chains_fused_4 : chains_unfused_4;
    default: return fused ? chains_fused_1 : chains_unfused_1;
#endif
    }
}

typedef struct ceiling_job {
    chains *chains;
    float *a, *b, *c;
} ceiling_job;

static void work_chains(void *context, int32_t begin, int32_t end, int thread)
{
    ceiling_job *j = context;
    volatile float sink;
    (void)thread;
    for (int32_t piece = begin; piece < end; piece++)
        sink = j->chains(ROUNDS);
    (void)sink;
}

static void work_fill(void *context, int32_t begin, int32_t end, int thread)
{
    ceiling_job *j = context;
    (void)thread;
    for (int32_t i = begin; i < end; i++)
        j->a[i] = j->b[i] = j->c[i] = 1;
}

static void work_triad(void *context, int32_t begin, int32_t end, int thread)
{
    ceiling_job *j = context;
    float *restrict a = j->a;
    const float *restrict b = j->b, *restrict c = j->c;
    (void)thread;
    for (int32_t i = begin; i < end; i++)
        a[i] = b[i] + 3.0f * c[i];
}

/* Seconds of the fastest of several runs: a ceiling is what was reached once. */
static double fastest(pool *pool, int32_t count, int32_t grain, pool_work *work, ceiling_job *j)
{
    double least = 1e30;
    for (int i = 0; i < REPEATS; i++) {
        double start = throng_clock();
        pool_run(pool, count, grain, work, j);
        double seconds = throng_clock() - start;
        least = seconds < least ? seconds : least;
    }
    return least;
}

static double operations(pool *pool, int lanes, bool fused)
{
    ceiling_job j = {.chains = chains_for(lanes, fused)};
    int32_t pieces = PIECES * pool_threads(pool);
    if (!j.chains)
        return 0;
    return 2.0 * CHAINS * lanes * ROUNDS * pieces / fastest(pool, pieces, 1, work_chains, &j);
}

bool cpu_ceilings_measure(pool *pool, int lanes, throng_ceilings *ceilings)
{
    ceiling_job j = {.a = malloc(3 * sizeof(float) * TRIAD)};
    if (!j.a)
        return false;
    j.b = j.a + TRIAD;
    j.c = j.b + TRIAD;
    pool_run(pool, TRIAD, 1 << 16, work_fill, &j);
    ceilings->bytes = 3.0 * sizeof(float) * TRIAD / fastest(pool, TRIAD, 1 << 16, work_triad, &j);
    ceilings->operations = operations(pool, lanes, false);
    ceilings->fused = operations(pool, lanes, true);
    ceilings->link = 0;
    free(j.a);
    return true;
}
