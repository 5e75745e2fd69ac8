/* Lanes that are vectors of 4, 8 or 16 floats. Included by lane.h; what each does is said in lane_one.h, where it is
 * short. */
#ifndef THRONG_LANE_VECTORS_H
#define THRONG_LANE_VECTORS_H

#if defined(__x86_64__)
#include <immintrin.h>
#endif

typedef float lane_f __attribute__((vector_size(4 * LANES)));
typedef int32_t lane_i __attribute__((vector_size(4 * LANES)));
typedef uint32_t lane_u __attribute__((vector_size(4 * LANES)));
typedef lane_i lane_m; /* 0 or -1 */
typedef float lane_f_any __attribute__((vector_size(4 * LANES), aligned(4)));
typedef int32_t lane_i_any __attribute__((vector_size(4 * LANES), aligned(4)));

LANE_FN lane_f lane_set(float a) { return a - (lane_f){0}; } /* keeps -0 */
LANE_FN lane_i lane_set_i(int32_t a) { return a + (lane_i){0}; }
LANE_FN lane_i lane_iota(int32_t from)
{
#if LANES == 4
    return from + (lane_i){0, 1, 2, 3};
#elif LANES == 8
    return from + (lane_i){0, 1, 2, 3, 4, 5, 6, 7};
#else
    return from + (lane_i){0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
#endif
}
LANE_FN lane_m lane_not(lane_m m) { return ~m; }
LANE_FN lane_m lane_none(void) { return (lane_m){0}; }
LANE_FN lane_f lane_to_f(lane_i a) { return __builtin_convertvector(a, lane_f); }
LANE_FN lane_i lane_truncate(lane_f a) { return __builtin_convertvector(a, lane_i); }
LANE_FN lane_f lane_load(const float *p) { return *(const lane_f_any *)p; }
LANE_FN lane_i lane_load_i(const int32_t *p) { return *(const lane_i_any *)p; }
LANE_FN void lane_put(float *p, lane_f a) { *(lane_f_any *)p = a; }
LANE_FN lane_f lane_abs(lane_f a) { return (lane_f)((lane_i)a & 0x7fffffff); }
LANE_FN lane_i lane_as_i(lane_f a) { return (lane_i)a; }
LANE_FN lane_f lane_as_f(lane_i bits) { return (lane_f)bits; }

#if LANES == 8 && defined(__AVX2__)
LANE_FN lane_f lane_select(lane_m m, lane_f a, lane_f b)
{
    return (lane_f)_mm256_blendv_ps((__m256)b, (__m256)a, (__m256)m);
}
LANE_FN lane_i lane_select_i(lane_m m, lane_i a, lane_i b)
{
    return (lane_i)_mm256_blendv_ps((__m256)b, (__m256)a, (__m256)m);
}
#else /* of a comparison gcc makes masked instructions of these, and not of intrinsics that take a mask */
LANE_FN lane_i lane_select_i(lane_m m, lane_i a, lane_i b) { return (m & a) | (~m & b); }
LANE_FN lane_f lane_select(lane_m m, lane_f a, lane_f b) { return (lane_f)lane_select_i(m, (lane_i)a, (lane_i)b); }
#endif

#if LANES == 16 && defined(__AVX512F__)
LANE_FN int lane_bits(lane_m m) { return _mm512_movepi32_mask((__m512i)m); }
LANE_FN lane_f lane_sqrt(lane_f a) { return (lane_f)_mm512_sqrt_ps((__m512)a); }
LANE_FN lane_f lane_permute(lane_f a, lane_i from) { return (lane_f)_mm512_permutexvar_ps((__m512i)from, (__m512)a); }
/* Into zeros: with a destination left undefined a gather waits for whatever was last put there. */
LANE_FN lane_f lane_gather(const float *p, lane_i i)
{
    return (lane_f)_mm512_mask_i32gather_ps(_mm512_setzero_ps(), (__mmask16)-1, (__m512i)i, p, 4);
}
LANE_FN lane_i lane_gather_i(const int32_t *p, lane_i i)
{
    return (lane_i)_mm512_mask_i32gather_epi32(_mm512_setzero_si512(), (__mmask16)-1, (__m512i)i, p, 4);
}
#elif LANES == 8 && defined(__AVX2__)
LANE_FN int lane_bits(lane_m m) { return _mm256_movemask_ps((__m256)m); }
LANE_FN lane_f lane_sqrt(lane_f a) { return (lane_f)_mm256_sqrt_ps((__m256)a); }
LANE_FN lane_f lane_permute(lane_f a, lane_i from)
{
    return (lane_f)_mm256_permutevar8x32_ps((__m256)a, (__m256i)from);
}
/* One by one: the processor's own gather takes 1.5 to 2.4 times as long (AMD EPYC; tests/bench/tried.txt). */
LANE_FN lane_f lane_gather(const float *p, lane_i i)
{
    return (lane_f){p[i[0]], p[i[1]], p[i[2]], p[i[3]], p[i[4]], p[i[5]], p[i[6]], p[i[7]]};
}
LANE_FN lane_i lane_gather_i(const int32_t *p, lane_i i)
{
    return (lane_i){p[i[0]], p[i[1]], p[i[2]], p[i[3]], p[i[4]], p[i[5]], p[i[6]], p[i[7]]};
}
#else
LANE_FN int lane_bits(lane_m m)
{
    int bits = 0;
    for (int l = 0; l < LANES; l++)
        bits |= (m[l] & 1) << l;
    return bits;
}
LANE_FN lane_f lane_sqrt(lane_f a)
{
#if LANES == 4 && defined(__SSE2__)
    return (lane_f)_mm_sqrt_ps((__m128)a);
#else
    for (int l = 0; l < LANES; l++)
        a[l] = sqrtf(a[l]);
    return a;
#endif
}
LANE_FN lane_f lane_permute(lane_f a, lane_i from)
{
    lane_f b;
    for (int l = 0; l < LANES; l++)
        b[l] = a[from[l]];
    return b;
}
LANE_FN lane_f lane_gather(const float *p, lane_i i)
{
    lane_f a;
    for (int l = 0; l < LANES; l++)
        a[l] = p[i[l]];
    return a;
}
LANE_FN lane_i lane_gather_i(const int32_t *p, lane_i i)
{
    lane_i a;
    for (int l = 0; l < LANES; l++)
        a[l] = p[i[l]];
    return a;
}
#endif

LANE_FN int lane_lowest(int bits) { return __builtin_ctz(bits); }
LANE_FN bool lane_any(lane_m m) { return lane_bits(m) != 0; }

#if LANES == 16 && defined(__AVX512F__)
LANE_FN void lane_scatter(float *p, lane_i i, lane_f a, lane_m m)
{
    _mm512_mask_i32scatter_ps(p, (__mmask16)lane_bits(m), (__m512i)i, (__m512)a, 4);
}
LANE_FN void lane_scatter_i(int32_t *p, lane_i i, lane_i a, lane_m m)
{
    _mm512_mask_i32scatter_epi32(p, (__mmask16)lane_bits(m), (__m512i)i, (__m512i)a, 4);
}
/* In two: by one instruction it takes 22 ns on an AMD EPYC, so 1.4. */
LANE_FN int lane_pack_i(int32_t *p, lane_i a, lane_m m)
{
    int bits = lane_bits(m), n = __builtin_popcount((unsigned)bits);
    _mm512_mask_storeu_epi32(p, (__mmask16)((1 << n) - 1), _mm512_maskz_compress_epi32((__mmask16)bits, (__m512i)a));
    return n;
}
LANE_FN void lane_store(float *p, lane_f a, lane_m m) { _mm512_mask_storeu_ps(p, (__mmask16)lane_bits(m), (__m512)a); }
LANE_FN void lane_store_i(int32_t *p, lane_i a, lane_m m)
{
    _mm512_mask_storeu_epi32(p, (__mmask16)lane_bits(m), (__m512i)a);
}
#else
LANE_FN void lane_scatter(float *p, lane_i i, lane_f a, lane_m m)
{
    for (int bits = lane_bits(m); bits; bits &= bits - 1) {
        int l = __builtin_ctz(bits);
        p[i[l]] = a[l];
    }
}
LANE_FN void lane_scatter_i(int32_t *p, lane_i i, lane_i a, lane_m m)
{
    for (int bits = lane_bits(m); bits; bits &= bits - 1) {
        int l = __builtin_ctz(bits);
        p[i[l]] = a[l];
    }
}
LANE_FN int lane_pack_i(int32_t *p, lane_i a, lane_m m)
{
    int bits = lane_bits(m), n = 0;
    for (int l = 0; l < LANES; l++, bits >>= 1) {
        p[n] = a[l]; /* without branches, which would be mispredicted */
        n += bits & 1;
    }
    return n;
}
LANE_FN void lane_store(float *p, lane_f a, lane_m m)
{
    if (lane_bits(m) == (1 << LANES) - 1)
        *(lane_f_any *)p = a;
    else
        lane_scatter(p, lane_iota(0), a, m);
}
LANE_FN void lane_store_i(int32_t *p, lane_i a, lane_m m)
{
    if (lane_bits(m) == (1 << LANES) - 1)
        *(lane_i_any *)p = a;
    else
        lane_scatter_i(p, lane_iota(0), a, m);
}
#endif
LANE_FN int32_t lane_first_i(lane_i a, lane_m m) { return a[__builtin_ctz(lane_bits(m))]; }
LANE_FN int32_t lane_most_i(lane_i a, lane_m m)
{
    lane_i masked = lane_select_i(m, a, lane_set_i(INT32_MIN));
    int32_t v[LANES], most = INT32_MIN;
    memcpy(v, &masked, sizeof v); /* so written it becomes a tree of vector maxima */
    for (int l = 0; l < LANES; l++)
        most = v[l] > most ? v[l] : most;
    return most;
}

LANE_FN lane_m lane_only_first(lane_m m) { return lane_iota(0) == __builtin_ctz(lane_bits(m)); }
LANE_FN int lane_count(lane_m m) { return __builtin_popcount((unsigned)lane_bits(m)); }

#if LANES == 16 && defined(__AVX512F__) /* the instructions are these very selects, also for NaN and -0 */
LANE_FN lane_f lane_min(lane_f a, lane_f b) { return (lane_f)_mm512_min_ps((__m512)a, (__m512)b); }
LANE_FN lane_f lane_max(lane_f a, lane_f b) { return (lane_f)_mm512_max_ps((__m512)a, (__m512)b); }
#elif LANES == 8 && defined(__AVX2__)
LANE_FN lane_f lane_min(lane_f a, lane_f b) { return (lane_f)_mm256_min_ps((__m256)a, (__m256)b); }
LANE_FN lane_f lane_max(lane_f a, lane_f b) { return (lane_f)_mm256_max_ps((__m256)a, (__m256)b); }
#elif LANES == 4 && defined(__SSE2__)
LANE_FN lane_f lane_min(lane_f a, lane_f b) { return (lane_f)_mm_min_ps((__m128)a, (__m128)b); }
LANE_FN lane_f lane_max(lane_f a, lane_f b) { return (lane_f)_mm_max_ps((__m128)a, (__m128)b); }
#else
LANE_FN lane_f lane_min(lane_f a, lane_f b) { return lane_select(a < b, a, b); }
LANE_FN lane_f lane_max(lane_f a, lane_f b) { return lane_select(a > b, a, b); }
#endif

LANE_FN float lane_greatest(lane_f a, lane_m m, float floor)
{
    lane_f masked = lane_max(lane_select(m, a, lane_set(floor)), lane_set(floor)); /* a NaN is not above it */
    float v[LANES];
    memcpy(v, &masked, sizeof v);
    for (int w = LANES / 2; w; w /= 2)
        for (int l = 0; l < w; l++)
            v[l] = v[l] > v[l + w] ? v[l] : v[l + w];
    return v[0];
}

#endif
