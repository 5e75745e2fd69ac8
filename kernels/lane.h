/* The lane type: what every planner's mathematics is written in.
 *
 *   CUDA                 a lane is one float of one thread
 *   THRONG_LANES 1       plain scalar C: the reference
 *   THRONG_LANES 4 8 16  a GCC/Clang vector of that many floats (SSE2, AVX2, AVX-512)
 *
 * Divergence is written as masks and selects, loops run while lane_any(mask).
 * Only correctly rounded operations are used (+ - * / sqrt, no contraction),
 * and min, max and floor are selects, so that every width gives the same bits.
 * What libm would do differently from machine to machine (sin, cos) is written
 * here as polynomials. */
#ifndef THRONG_LANE_H
#define THRONG_LANE_H

#include <math.h>
#include <stddef.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#if defined(__CUDACC__)
#define LANES       1
#define LANE_FN     static __device__ __forceinline__
#define LANE_UNROLL _Pragma("unroll")
#else
#ifndef THRONG_LANES
#define THRONG_LANES 1
#endif
#define LANES   THRONG_LANES
#define LANE_FN static inline __attribute__((always_inline, unused))
#define LANE_UNROLL
#endif

#if LANES == 1

typedef float lane_f;
typedef int32_t lane_i;
typedef bool lane_m;

LANE_FN lane_f lane_set(float a) { return a; }
LANE_FN lane_i lane_set_i(int32_t a) { return a; }
LANE_FN lane_i lane_iota(int32_t from) { return from; }
LANE_FN lane_m lane_not(lane_m m) { return !m; }
LANE_FN bool lane_any(lane_m m) { return m; }
LANE_FN lane_f lane_select(lane_m m, lane_f a, lane_f b) { return m ? a : b; }
LANE_FN lane_i lane_select_i(lane_m m, lane_i a, lane_i b) { return m ? a : b; }
LANE_FN lane_f lane_to_f(lane_i a) { return (float)a; }
LANE_FN lane_i lane_truncate(lane_f a) { return (int32_t)a; }
LANE_FN lane_f lane_load(const float *p) { return *p; }
LANE_FN lane_i lane_load_i(const int32_t *p) { return *p; }
LANE_FN lane_f lane_gather(const float *p, lane_i i) { return p[i]; }
LANE_FN lane_i lane_gather_i(const int32_t *p, lane_i i) { return p[i]; }
/* The values of the lanes in `m`, to consecutive or scattered places. */
LANE_FN void lane_store(float *p, lane_f a, lane_m m)
{
    if (m)
        *p = a;
}
LANE_FN void lane_store_i(int32_t *p, lane_i a, lane_m m)
{
    if (m)
        *p = a;
}
LANE_FN void lane_scatter(float *p, lane_i i, lane_f a, lane_m m)
{
    if (m)
        p[i] = a;
}
LANE_FN void lane_scatter_i(int32_t *p, lane_i i, lane_i a, lane_m m)
{
    if (m)
        p[i] = a;
}
/* The value of the first lane in `m`, which has at least one. */
LANE_FN int32_t lane_first_i(lane_i a, lane_m m)
{
    (void)m;
    return a;
}
LANE_FN int32_t lane_most_i(lane_i a, lane_m m)
{
    (void)m;
    return a;
}
LANE_FN lane_m lane_none(void) { return false; }
/* Only the first lane of `m`, which has at least one. */
LANE_FN lane_m lane_only_first(lane_m m) { return m; }
/* The greatest value of the lanes in `m`, at least `floor`. */
LANE_FN float lane_greatest(lane_f a, lane_m m, float floor) { return m && a > floor ? a : floor; }
LANE_FN int lane_count(lane_m m) { return m ? 1 : 0; }

#if defined(__CUDACC__)
LANE_FN lane_f lane_sqrt(lane_f a) { return __fsqrt_rn(a); }
#else
LANE_FN lane_f lane_sqrt(lane_f a) { return sqrtf(a); }
#endif
LANE_FN lane_f lane_abs(lane_f a) { return fabsf(a); }
/* The same bits, read as the other type. */
LANE_FN lane_i lane_as_i(lane_f a)
{
    lane_i bits;
    memcpy(&bits, &a, sizeof bits);
    return bits;
}
LANE_FN lane_f lane_as_f(lane_i bits)
{
    lane_f a;
    memcpy(&a, &bits, sizeof a);
    return a;
}

#else /* vectors */

#if defined(__x86_64__)
#include <immintrin.h>
#endif

typedef float lane_f __attribute__((vector_size(4 * LANES)));
typedef int32_t lane_i __attribute__((vector_size(4 * LANES)));
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
LANE_FN lane_f lane_abs(lane_f a) { return (lane_f)((lane_i)a & 0x7fffffff); }
LANE_FN lane_i lane_as_i(lane_f a) { return (lane_i)a; }
LANE_FN lane_f lane_as_f(lane_i bits) { return (lane_f)bits; }

#if LANES == 16 && defined(__AVX512F__)
LANE_FN int lane_bits(lane_m m) { return _mm512_movepi32_mask((__m512i)m); }
LANE_FN lane_f lane_select(lane_m m, lane_f a, lane_f b)
{
    return (lane_f)_mm512_mask_blend_ps(_mm512_movepi32_mask((__m512i)m), (__m512)b, (__m512)a);
}
LANE_FN lane_i lane_select_i(lane_m m, lane_i a, lane_i b)
{
    return (lane_i)_mm512_mask_blend_epi32(_mm512_movepi32_mask((__m512i)m), (__m512i)b, (__m512i)a);
}
LANE_FN lane_f lane_sqrt(lane_f a) { return (lane_f)_mm512_sqrt_ps((__m512)a); }
LANE_FN lane_f lane_gather(const float *p, lane_i i) { return (lane_f)_mm512_i32gather_ps((__m512i)i, p, 4); }
LANE_FN lane_i lane_gather_i(const int32_t *p, lane_i i) { return (lane_i)_mm512_i32gather_epi32((__m512i)i, p, 4); }
#elif LANES == 8 && defined(__AVX2__)
LANE_FN int lane_bits(lane_m m) { return _mm256_movemask_ps((__m256)m); }
LANE_FN lane_f lane_select(lane_m m, lane_f a, lane_f b)
{
    return (lane_f)_mm256_blendv_ps((__m256)b, (__m256)a, (__m256)m);
}
LANE_FN lane_i lane_select_i(lane_m m, lane_i a, lane_i b)
{
    return (lane_i)_mm256_blendv_ps((__m256)b, (__m256)a, (__m256)m);
}
LANE_FN lane_f lane_sqrt(lane_f a) { return (lane_f)_mm256_sqrt_ps((__m256)a); }
LANE_FN lane_f lane_gather(const float *p, lane_i i) { return (lane_f)_mm256_i32gather_ps(p, (__m256i)i, 4); }
LANE_FN lane_i lane_gather_i(const int32_t *p, lane_i i) { return (lane_i)_mm256_i32gather_epi32(p, (__m256i)i, 4); }
#else
LANE_FN int lane_bits(lane_m m)
{
    int bits = 0;
    for (int l = 0; l < LANES; l++)
        bits |= (m[l] & 1) << l;
    return bits;
}
LANE_FN lane_i lane_select_i(lane_m m, lane_i a, lane_i b) { return (m & a) | (~m & b); }
LANE_FN lane_f lane_select(lane_m m, lane_f a, lane_f b) { return (lane_f)lane_select_i(m, (lane_i)a, (lane_i)b); }
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

#endif /* vectors */

/* Four values that lie together, p[4 i] .. p[4 i + 3]. */
typedef struct lane_four {
    lane_f a, b, c, d;
} lane_four;

#if defined(__CUDACC__)
LANE_FN lane_four lane_gather_four(const float *p, lane_i i)
{
    float4 v = *(const float4 *)(p + 4 * i);
    lane_four four = {v.x, v.y, v.z, v.w};
    return four;
}
LANE_FN void lane_scatter_four(float *p, lane_i i, lane_four v, lane_m m)
{
    if (m)
        *(float4 *)(p + 4 * i) = make_float4(v.a, v.b, v.c, v.d);
}
#else
LANE_FN lane_four lane_gather_four(const float *p, lane_i i)
{
    lane_four four = {lane_gather(p, 4 * i), lane_gather(p + 1, 4 * i), lane_gather(p + 2, 4 * i),
                      lane_gather(p + 3, 4 * i)};
    return four;
}
LANE_FN void lane_scatter_four(float *p, lane_i i, lane_four v, lane_m m)
{
    lane_scatter(p, 4 * i, v.a, m);
    lane_scatter(p + 1, 4 * i, v.b, m);
    lane_scatter(p + 2, 4 * i, v.c, m);
    lane_scatter(p + 3, 4 * i, v.d, m);
}
#endif

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
LANE_FN lane_f lane_clamp(lane_f a, lane_f lo, lane_f hi) { return lane_min(lane_max(a, lo), hi); }

#if LANES > 1
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

/* Greatest integer not above `a`, which is first clamped to what an int32 holds. */
LANE_FN lane_i lane_floor_i(lane_f a)
{
    lane_f c = lane_clamp(a, lane_set(-1e9f), lane_set(1e9f));
    lane_i i = lane_truncate(c);
    return i - lane_select_i(lane_to_f(i) > c, lane_set_i(1), lane_set_i(0));
}

/* Sine and cosine of `a` radians, |a| <= 8192, within 2e-7: Cody-Waite
 * reduction by pi/2 in three steps, then minimax polynomials (Cephes). */
LANE_FN void lane_sincos(lane_f a, lane_f *s, lane_f *c)
{
    lane_i q = lane_floor_i(a * 0.63661977f + 0.5f);
    lane_f k = lane_to_f(q);
    lane_f r = a - k * 1.5703125f;
    r = r - k * 4.837512969970703125e-4f;
    r = r - k * 7.54978995489188216e-8f;
    lane_f z = r * r;
    lane_f sine = r + r * z * ((z * -1.9515295891e-4f + 8.3321608736e-3f) * z - 1.6666654611e-1f);
    lane_f cosine =
        1.0f - 0.5f * z + z * z * ((z * 2.443315711809948e-5f - 1.388731625493765e-3f) * z + 4.166664568298827e-2f);
    lane_m odd = (q & 1) != 0;
    lane_f u = lane_select(odd, cosine, sine), v = lane_select(odd, sine, cosine);
    *s = lane_select((q & 2) != 0, -u, u);
    *c = lane_select(((q + 1) & 2) != 0, -v, v);
}

/* --- random numbers: Philox 4x32-10 (see runtime/random.h), a stream a lane --------------- */

#if LANES == 1
typedef uint32_t lane_u;
LANE_FN lane_u lane_multiply_high(lane_u a, uint32_t b) { return (lane_u)((uint64_t)a * b >> 32); }
#else
typedef uint32_t lane_u __attribute__((vector_size(4 * LANES)));
#if LANES == 16 && defined(__AVX512F__)
LANE_FN lane_u lane_multiply_high(lane_u a, uint32_t b)
{
    __m512i factor = _mm512_set1_epi64(b), even = _mm512_mul_epu32((__m512i)a, factor);
    __m512i odd = _mm512_mul_epu32(_mm512_srli_epi64((__m512i)a, 32), factor);
    return (lane_u)_mm512_mask_blend_epi32(0xAAAA, _mm512_srli_epi64(even, 32), odd);
}
#elif LANES == 8 && defined(__AVX2__)
LANE_FN lane_u lane_multiply_high(lane_u a, uint32_t b)
{
    __m256i factor = _mm256_set1_epi64x(b), even = _mm256_mul_epu32((__m256i)a, factor);
    __m256i odd = _mm256_mul_epu32(_mm256_srli_epi64((__m256i)a, 32), factor);
    return (lane_u)_mm256_blend_epi32(_mm256_srli_epi64(even, 32), odd, 0xAA);
}
#else
LANE_FN lane_u lane_multiply_high(lane_u a, uint32_t b)
{
    for (int l = 0; l < LANES; l++)
        a[l] = (uint32_t)((uint64_t)a[l] * b >> 32);
    return a;
}
#endif
#endif

typedef struct lane_philox {
    lane_u a, b, c, d;
} lane_philox;

/* The four words of (seed; id, step, block, purpose). */
LANE_FN lane_philox lane_random(uint64_t seed, lane_u id, uint32_t step, uint32_t block, uint32_t purpose)
{
    lane_u none = id & 0u;
    lane_philox p = {id, none + step, none + block, none + purpose};
    uint32_t k0 = (uint32_t)seed, k1 = (uint32_t)(seed >> 32);
    for (int round = 0; round < 10; round++, k0 += 0x9E3779B9u, k1 += 0xBB67AE85u) {
        lane_u high = lane_multiply_high(p.a, 0xD2511F53u), low = p.a * 0xD2511F53u;
        p.a = lane_multiply_high(p.c, 0xCD9E8D57u) ^ p.b ^ k0;
        p.b = p.c * 0xCD9E8D57u;
        p.c = high ^ p.d ^ k1;
        p.d = low;
    }
    return p;
}

LANE_FN lane_f lane_dot(lane_f ax, lane_f ay, lane_f bx, lane_f by) { return ax * bx + ay * by; }
LANE_FN lane_f lane_det(lane_f ax, lane_f ay, lane_f bx, lane_f by) { return ax * by - ay * bx; }

#endif
