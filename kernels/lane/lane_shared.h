/* Words of memory that several threads look at and write in the same loop: whichever comes first, the same comes of it.
 * They are read and written whole and in no order, which costs nothing. AVX-512's gathers and scatters do so too, word
 * by word. */
#ifndef THRONG_LANE_SHARED_H
#define THRONG_LANE_SHARED_H

#include "lane.h"

#if defined(__CUDACC__)
LANE_FN int32_t lane_shared_load(const int32_t *p) { return *p; }
#else
LANE_FN int32_t lane_shared_load(const int32_t *p) { return __atomic_load_n(p, __ATOMIC_RELAXED); }
#endif

/* Makes a word at least `a`, which it was seen to be less than. Returns whether it still was; on CUDA whether it may
 * have been, which nobody has to wait for. */
#if defined(__CUDACC__)
LANE_FN bool lane_shared_raise(int32_t *p, int32_t a)
{
    atomicMax(p, a);
    return true;
}
#else
LANE_FN bool lane_shared_raise(int32_t *p, int32_t a)
{
    int32_t now = lane_shared_load(p);
    while (now < a)
        if (__atomic_compare_exchange_n(p, &now, a, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
            return true;
    return false;
}
#endif

/* Sets bits of a word. Returns what it was. */
#if defined(__CUDACC__)
LANE_FN int32_t lane_shared_set(int32_t *p, int32_t bits) { return atomicOr(p, bits); }
#else
LANE_FN int32_t lane_shared_set(int32_t *p, int32_t bits) { return __atomic_fetch_or(p, bits, __ATOMIC_RELAXED); }
#endif

#if defined(__CUDACC__) || (LANES == 16 && defined(__AVX512F__))
LANE_FN lane_i lane_shared_gather(const int32_t *p, lane_i i) { return lane_gather_i(p, i); }
#elif LANES == 1
LANE_FN lane_i lane_shared_gather(const int32_t *p, lane_i i)
{
    LANE_TOUCH(p + i);
    return lane_shared_load(p + i);
}
#else
LANE_FN lane_i lane_shared_gather(const int32_t *p, lane_i i)
{
    lane_i a;
    for (int l = 0; l < LANES; l++)
        a[l] = lane_shared_load(p + i[l]);
    return a;
}
#endif

#if defined(__CUDACC__) || (LANES == 16 && defined(__AVX512F__))
LANE_FN void lane_shared_scatter(int32_t *p, lane_i i, lane_i a, lane_m m) { lane_scatter_i(p, i, a, m); }
#elif LANES == 1
LANE_FN void lane_shared_scatter(int32_t *p, lane_i i, lane_i a, lane_m m)
{
    LANE_TOUCH(p + i);
    if (m)
        __atomic_store_n(p + i, a, __ATOMIC_RELAXED);
}
#else
LANE_FN void lane_shared_scatter(int32_t *p, lane_i i, lane_i a, lane_m m)
{
    for (int bits = lane_bits(m); bits; bits &= bits - 1) {
        int l = __builtin_ctz(bits);
        __atomic_store_n(p + i[l], a[l], __ATOMIC_RELAXED);
    }
}
#endif

#endif
