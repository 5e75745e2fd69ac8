/* Counter-based random numbers: Philox 4x32-10 (J. Salmon, M. Moraes, R. Dror,
 * D. Shaw, "Parallel random numbers: as easy as 1, 2, 3", 2011). A number is a
 * function of what it is for, so no order of drawing can change it. */
#ifndef THRONG_RANDOM_H
#define THRONG_RANDOM_H

#include <stdint.h>

/* What numbers are for: the fourth counter word, so that no two uses share a stream. */
enum throng_purpose {
    THRONG_RANDOM_PLACE = 1,
    THRONG_RANDOM_SAMPLE,
    THRONG_RANDOM_SCRIPT,
    THRONG_RANDOM_POINT,
    THRONG_RANDOM_BODY,
    THRONG_RANDOM_RVO = 16, /* drawn by kernels/planners/rvo.h */
    THRONG_RANDOM_TIME_GAP  /* by kernels/planners/time_gap.h */
};

/* Four words of (key, counter). */
static inline void throng_philox(uint64_t key, const uint32_t counter[4], uint32_t out[4])
{
    uint32_t k0 = (uint32_t)key, k1 = (uint32_t)(key >> 32);
    uint32_t c0 = counter[0], c1 = counter[1], c2 = counter[2], c3 = counter[3];
    for (int round = 0; round < 10; round++) {
        uint64_t p0 = (uint64_t)0xD2511F53u * c0, p1 = (uint64_t)0xCD9E8D57u * c2;
        uint32_t n0 = (uint32_t)(p1 >> 32) ^ c1 ^ k0, n2 = (uint32_t)(p0 >> 32) ^ c3 ^ k1;
        c1 = (uint32_t)p1;
        c3 = (uint32_t)p0;
        c0 = n0;
        c2 = n2;
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
    }
    out[0] = c0;
    out[1] = c1;
    out[2] = c2;
    out[3] = c3;
}

/* The value in [0, 1), 53 bits, of (seed, a, b, c, purpose). */
static inline double throng_random(uint64_t seed, uint32_t a, uint32_t b, uint32_t c, uint32_t purpose)
{
    uint32_t out[4];
    throng_philox(seed, (const uint32_t[4]){a, b, c, purpose}, out);
    return (double)(((uint64_t)out[0] << 32 | out[1]) >> 11) * 0x1p-53;
}

#endif
