/* The lane type: what every planner's mathematics is written in.
 *
 *   CUDA                 a lane is one float of one thread
 *   THRONG_LANES 1       plain scalar C: the reference
 *   THRONG_LANES 4 8 16  a GCC/Clang vector of that many floats (SSE2, AVX2, AVX-512)
 *
 * Divergence is written as masks and selects, loops run while lane_any(mask).
 * Only correctly rounded operations are used (+ - * / sqrt, no contraction),
 * and min, max and floor are selects, so that every width gives the same bits.
 * What libm would do differently from machine to machine (sin, cos, exp, log,
 * atan2) is written here as polynomials. */
#ifndef THRONG_LANE_H
#define THRONG_LANE_H

#include <math.h>
#include <stddef.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#if defined(__CUDACC__)
#define LANES            1
#define LANE_FN          static __device__ __forceinline__
#define LANE_UNROLL      _Pragma("unroll")
#define LANE_PREFETCH(p) (void)(p)
#else
#ifndef THRONG_LANES
#define THRONG_LANES 1
#endif
#define LANES   THRONG_LANES
#define LANE_FN static inline __attribute__((always_inline, unused))
#define LANE_UNROLL
#define LANE_PREFETCH(p) __builtin_prefetch(p)
#endif

#ifndef LANE_TOUCH
#define LANE_TOUCH(p) (void)(p) /* counts memory (cpu_counted.h) */
#endif

#if LANES == 1

typedef float lane_f;
typedef int32_t lane_i;
typedef uint32_t lane_u;
typedef bool lane_m;

LANE_FN lane_f lane_set(float a) { return a; }
LANE_FN lane_i lane_set_i(int32_t a) { return a; }
LANE_FN lane_i lane_iota(int32_t from) { return from; }
LANE_FN lane_m lane_not(lane_m m) { return !m; }
LANE_FN int lane_bits(lane_m m) { return m; }
LANE_FN int lane_lowest(int bits) /* the first lane of those that lane_bits gave, of which there is one */
{
    (void)bits;
    return 0;
}
LANE_FN bool lane_any(lane_m m) { return m; }
LANE_FN lane_f lane_select(lane_m m, lane_f a, lane_f b) { return m ? a : b; }
LANE_FN lane_i lane_select_i(lane_m m, lane_i a, lane_i b) { return m ? a : b; }
LANE_FN lane_f lane_to_f(lane_i a) { return (float)a; }
LANE_FN lane_i lane_truncate(lane_f a) { return (int32_t)a; }
LANE_FN lane_f lane_load(const float *p) { return *p; }
LANE_FN lane_i lane_load_i(const int32_t *p)
{
    LANE_TOUCH(p);
    return *p;
}
LANE_FN lane_f lane_gather(const float *p, lane_i i) { return p[i]; }
LANE_FN lane_i lane_gather_i(const int32_t *p, lane_i i)
{
    LANE_TOUCH(p + i);
    return p[i];
}
/* The values of the lanes in `m`, to consecutive or scattered places. */
LANE_FN void lane_put(float *p, lane_f a) { *p = a; } /* all lanes */
LANE_FN void lane_store(float *p, lane_f a, lane_m m)
{
    if (m)
        *p = a;
}
LANE_FN void lane_store_i(int32_t *p, lane_i a, lane_m m)
{
    LANE_TOUCH(p);
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
    LANE_TOUCH(p + i);
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
/* Each lane's value is that of lane `from`. */
LANE_FN lane_f lane_permute(lane_f a, lane_i from)
{
    (void)from;
    return a;
}
/* The values of the lanes in `m` side by side, in their order, how many; there is room for all. */
LANE_FN int lane_pack_i(int32_t *p, lane_i a, lane_m m)
{
    if (m)
        *p = a;
    return m;
}

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
LANE_FN int lane_pack_i(int32_t *p, lane_i a, lane_m m)
{
    int bits = lane_bits(m);
    _mm512_mask_compressstoreu_epi32(p, (__mmask16)bits, (__m512i)a);
    return __builtin_popcount((unsigned)bits);
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
    int n = 0;
    for (int bits = lane_bits(m); bits; bits &= bits - 1)
        p[n++] = a[__builtin_ctz(bits)];
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
#if LANES == 8 && defined(__AVX2__)
LANE_FN lane_four lane_gather_four(const float *p, lane_i i)
{
    __m256 v[4], t[4];
    for (int l = 0; l < 4; l++)
        v[l] =
            _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(p + 4 * i[l])), _mm_loadu_ps(p + 4 * i[l + 4]), 1);
    t[0] = _mm256_unpacklo_ps(v[0], v[1]), t[1] = _mm256_unpackhi_ps(v[0], v[1]);
    t[2] = _mm256_unpacklo_ps(v[2], v[3]), t[3] = _mm256_unpackhi_ps(v[2], v[3]);
    lane_four four = {(lane_f)_mm256_shuffle_ps(t[0], t[2], 0x44), (lane_f)_mm256_shuffle_ps(t[0], t[2], 0xee),
                      (lane_f)_mm256_shuffle_ps(t[1], t[3], 0x44), (lane_f)_mm256_shuffle_ps(t[1], t[3], 0xee)};
    return four;
}
#else
LANE_FN lane_four lane_gather_four(const float *p, lane_i i)
{
    lane_four four = {lane_gather(p, 4 * i), lane_gather(p + 1, 4 * i), lane_gather(p + 2, 4 * i),
                      lane_gather(p + 3, 4 * i)};
    return four;
}
#endif
LANE_FN void lane_scatter_four(float *p, lane_i i, lane_four v, lane_m m)
{
    lane_scatter(p, 4 * i, v.a, m);
    lane_scatter(p + 1, 4 * i, v.b, m);
    lane_scatter(p + 2, 4 * i, v.c, m);
    lane_scatter(p + 3, 4 * i, v.d, m);
}
#endif

/* Those of consecutive places, first .. */
#if LANES == 16 && defined(__AVX512F__)
/* Rows of four and columns of sixteen into each other, 128 bits at a time: twice it is the same again. */
LANE_FN void lane_transpose_four(__m512 v[4])
{
    __m512 t0 = _mm512_shuffle_f32x4(v[0], v[1], 0x44), t1 = _mm512_shuffle_f32x4(v[0], v[1], 0xee);
    __m512 t2 = _mm512_shuffle_f32x4(v[2], v[3], 0x44), t3 = _mm512_shuffle_f32x4(v[2], v[3], 0xee);
    v[0] = _mm512_shuffle_f32x4(t0, t2, 0x88);
    v[1] = _mm512_shuffle_f32x4(t0, t2, 0xdd);
    v[2] = _mm512_shuffle_f32x4(t1, t3, 0x88);
    v[3] = _mm512_shuffle_f32x4(t1, t3, 0xdd);
}
LANE_FN void lane_transpose_quarters(__m512 v[4])
{
    __m512 t0 = _mm512_unpacklo_ps(v[0], v[1]), t1 = _mm512_unpackhi_ps(v[0], v[1]);
    __m512 t2 = _mm512_unpacklo_ps(v[2], v[3]), t3 = _mm512_unpackhi_ps(v[2], v[3]);
    v[0] = _mm512_shuffle_ps(t0, t2, 0x44);
    v[1] = _mm512_shuffle_ps(t0, t2, 0xee);
    v[2] = _mm512_shuffle_ps(t1, t3, 0x44);
    v[3] = _mm512_shuffle_ps(t1, t3, 0xee);
}
LANE_FN lane_four lane_load_four(const float *p, int32_t first)
{
    __m512 v[4];
    for (int q = 0; q < 4; q++)
        v[q] = _mm512_loadu_ps(p + 4 * first + 16 * q);
    lane_transpose_four(v);
    lane_transpose_quarters(v);
    lane_four four = {(lane_f)v[0], (lane_f)v[1], (lane_f)v[2], (lane_f)v[3]};
    return four;
}
LANE_FN void lane_store_four(float *p, int32_t first, lane_four a, lane_m m)
{
    if (lane_bits(m) != 0xffff) {
        lane_scatter_four(p, lane_iota(first), a, m);
        return;
    }
    __m512 v[4] = {(__m512)a.a, (__m512)a.b, (__m512)a.c, (__m512)a.d};
    lane_transpose_quarters(v);
    lane_transpose_four(v);
    for (int q = 0; q < 4; q++)
        _mm512_storeu_ps(p + 4 * first + 16 * q, v[q]);
}
#else
LANE_FN lane_four lane_load_four(const float *p, int32_t first) { return lane_gather_four(p, lane_iota(first)); }
LANE_FN void lane_store_four(float *p, int32_t first, lane_four a, lane_m m)
{
    lane_scatter_four(p, lane_iota(first), a, m);
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

/* Greatest whole number not above `a`. */
LANE_FN lane_f lane_floor(lane_f a)
{
    lane_m whole = lane_not(lane_abs(a) < 8388608.0f); /* from here on floats have no fraction; NaN too */
    lane_f b = lane_select(whole, lane_set(0), a), f = lane_to_f(lane_truncate(b));
    return lane_select(whole | (f == b), a, f - lane_select(f > b, lane_set(1), lane_set(0)));
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

/* e^a within a part of 1.2e-7 (Cephes): reduction by ln 2 in two steps, a polynomial of degree 7. Too large
 * gives infinity, too small 0. */
LANE_FN lane_f lane_exp(lane_f a)
{
    lane_f x = lane_clamp(a, lane_set(-104), lane_set(89));
    lane_i n = lane_floor_i(x * 1.44269504f + 0.5f), half = n >> 1;
    lane_f k = lane_to_f(n);
    lane_f r = x - k * 0.693359375f;
    r = r + k * 2.12194440e-4f;
    lane_f p = ((1.9875691500e-4f * r + 1.3981999507e-3f) * r + 8.3334519073e-3f) * r + 4.1665795894e-2f;
    p = (p * r + 1.6666665459e-1f) * r + 5.0000001201e-1f;
    p = p * (r * r) + r + 1.0f;
    /* 2^n in two halves, neither of which overflows */
    p = p * lane_as_f((half + 127) << 23) * lane_as_f((n - half + 127) << 23);
    return lane_select(a == a, p, a);
}

/* Natural logarithm within 1.2e-7, or that part of the result (Cephes). Of 0 it is -infinity, below 0 NaN. */
LANE_FN lane_f lane_log(lane_f a)
{
    lane_m tiny = a < 1.17549435e-38f; /* denormals */
    lane_i bits = lane_as_i(lane_select(tiny, a * 8388608.0f, a));
    lane_f e = lane_to_f((bits >> 23) - 126 - lane_select_i(tiny, lane_set_i(23), lane_set_i(0)));
    lane_f m = lane_as_f((bits & 0x7fffff) | 0x3f000000); /* a = m 2^e, m in [1/2, 1) */
    lane_m low = m < 0.707106781f;
    e = e - lane_select(low, lane_set(1), lane_set(0));
    m = m - 1.0f + lane_select(low, m, lane_set(0));
    lane_f z = m * m;
    lane_f p = ((7.0376836292e-2f * m - 1.1514610310e-1f) * m + 1.1676998740e-1f) * m - 1.2420140846e-1f;
    p = ((p * m + 1.4249322787e-1f) * m - 1.6668057665e-1f) * m + 2.0000714765e-1f;
    p = ((p * m - 2.4999993993e-1f) * m + 3.3333331174e-1f) * m * z;
    p = p - e * 2.12194440e-4f - 0.5f * z;
    lane_f log = m + p + e * 0.693359375f;
    log = lane_select(a == 0, lane_set(-INFINITY), lane_select(a < INFINITY, log, a));
    return lane_select(a < 0, lane_set(NAN), log);
}

/* Angle of the direction (x, y), -pi .. pi, within 3e-7 rad (Cephes). Zeros and infinities are taken as C's
 * atan2f takes them. */
LANE_FN lane_f lane_atan2(lane_f y, lane_f x)
{
    lane_f u = lane_abs(x), v = lane_abs(y);
    lane_f q = lane_min(u, v) / lane_max(u, v);
    q = lane_select(u == v, lane_set(1), q); /* both infinite */
    q = lane_select(v == 0, lane_set(0), q); /* both zero */
    lane_m steep = q > 0.414213562f;
    lane_f r = lane_select(steep, (q - 1.0f) / (q + 1.0f), q), z = r * r;
    lane_f p = ((8.05374449538e-2f * z - 1.38776856032e-1f) * z + 1.99777106478e-1f) * z - 3.33329491539e-1f;
    p = p * z * r + r + lane_select(steep, lane_set(0.785398163f), lane_set(0));
    p = lane_select(v > u, 1.57079633f - p, p);
    p = lane_select(lane_as_i(x) < 0, 3.14159265f - p, p);
    p = lane_as_f(lane_as_i(p) | (lane_as_i(y) & INT32_MIN));
    return lane_select((x == x) & (y == y), p, x + y);
}

LANE_FN lane_f lane_dot(lane_f ax, lane_f ay, lane_f bx, lane_f by) { return ax * bx + ay * by; }
LANE_FN lane_f lane_det(lane_f ax, lane_f ay, lane_f bx, lane_f by) { return ax * by - ay * bx; }

#endif
