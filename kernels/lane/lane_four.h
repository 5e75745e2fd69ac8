/* Four values that lie together, p[4 i] .. p[4 i + 3], of each lane. */
#ifndef THRONG_LANE_FOUR_H
#define THRONG_LANE_FOUR_H

#include "lane.h"

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

#endif
