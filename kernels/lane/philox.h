/* Counter-based random numbers in lanes: Philox 4x32-10 (Salmon, Moraes, Dror and Shaw, 2011), the same
 * numbers as runtime/base/random.h gives. */
#ifndef THRONG_PHILOX_H
#define THRONG_PHILOX_H

#include "lane.h"

/* The upper word of a * b. */
#if LANES == 1
LANE_FN lane_u philox_high(lane_u a, uint32_t b) { return (lane_u)((uint64_t)a * b >> 32); }
#else
#if LANES == 16 && defined(__AVX512F__)
LANE_FN lane_u philox_high(lane_u a, uint32_t b)
{
    __m512i factor = _mm512_set1_epi64(b), even = _mm512_mul_epu32((__m512i)a, factor);
    __m512i odd = _mm512_mul_epu32(_mm512_srli_epi64((__m512i)a, 32), factor);
    return (lane_u)_mm512_mask_blend_epi32(0xAAAA, _mm512_srli_epi64(even, 32), odd);
}
#elif LANES == 8 && defined(__AVX2__)
LANE_FN lane_u philox_high(lane_u a, uint32_t b)
{
    __m256i factor = _mm256_set1_epi64x(b), even = _mm256_mul_epu32((__m256i)a, factor);
    __m256i odd = _mm256_mul_epu32(_mm256_srli_epi64((__m256i)a, 32), factor);
    return (lane_u)_mm256_blend_epi32(_mm256_srli_epi64(even, 32), odd, 0xAA);
}
#else
LANE_FN lane_u philox_high(lane_u a, uint32_t b)
{
    for (int l = 0; l < LANES; l++)
        a[l] = (uint32_t)((uint64_t)a[l] * b >> 32);
    return a;
}
#endif
#endif

typedef struct philox_words {
    lane_u a, b, c, d;
} philox_words;

/* The four words of (seed; id, step, block, purpose). */
LANE_FN philox_words philox_random(uint64_t seed, lane_u id, lane_u step, uint32_t block, uint32_t purpose)
{
    lane_u none = id & 0u;
    philox_words p = {id, step, none + block, none + purpose};
    uint32_t k0 = (uint32_t)seed, k1 = (uint32_t)(seed >> 32);
    for (int round = 0; round < 10; round++, k0 += 0x9E3779B9u, k1 += 0xBB67AE85u) {
        lane_u high = philox_high(p.a, 0xD2511F53u), low = p.a * 0xD2511F53u;
        p.a = philox_high(p.c, 0xCD9E8D57u) ^ p.b ^ k0;
        p.b = p.c * 0xCD9E8D57u;
        p.c = high ^ p.d ^ k1;
        p.d = low;
    }
    return p;
}

/* A word as a number in [0, 1), 24 bits. */
LANE_FN lane_f philox_unit(lane_u word) { return lane_to_f((lane_i)(word >> 8)) * 0x1p-24f; }

#endif
