/* Values of agents that lie close to each other, in ascending places, as those of a list do: of each lane p[at].
 * In a jam four of five vectors of a list lie within two of memory, which are loaded whole and picked from: on AVX-512
 * 1.6 ns where a gather takes 3.2, and to store 2.4 where a scatter takes 4.4 (a Xeon). */
#ifndef THRONG_LANE_ROW_H
#define THRONG_LANE_ROW_H

#include "lane.h"

typedef struct lane_row {
    lane_i at;    /* ascending, but for lanes that are not in */
    lane_m lanes; /* those that are: the first ones */
    bool near;    /* all within 2 LANES from the first on */
#if LANES == 16 && defined(__AVX512F__)
    int32_t first;
    lane_i from;         /* at, from the first on */
    lane_i next;         /* which lane is the n-th beyond the first LANES places */
    __mmask16 low, high; /* which of the first LANES places are anybody's, and of the next */
#endif
} lane_row;

#if LANES == 16 && defined(__AVX512F__)
LANE_FN lane_row lane_row_of(lane_i at, lane_m lanes)
{
    lane_row r = {.at = at, .lanes = lanes};
    if (!lane_any(lanes))
        return r;
    r.first = lane_first_i(at, lanes);
    r.from = at - r.first;
    __mmask16 in = (__mmask16)lane_bits(lanes);
    r.near = _mm512_mask_cmp_epu32_mask(in, (__m512i)r.from, _mm512_set1_epi32(2 * LANES), _MM_CMPINT_NLT) == 0;
    __m512i after = _mm512_alignr_epi32((__m512i)r.from, (__m512i)r.from, 1); /* that of the next lane */
    r.near = r.near && _mm512_mask_cmpge_epi32_mask(in & in >> 1, (__m512i)r.from, after) == 0;
    if (!r.near)
        return r;
    uint32_t places =
        (uint32_t)_mm512_mask_reduce_or_epi32(in, _mm512_sllv_epi32(_mm512_set1_epi32(1), (__m512i)r.from));
    r.low = (__mmask16)places;
    r.high = (__mmask16)(places >> LANES);
    r.next = lane_iota(__builtin_popcount(places & 0xffff));
    return r;
}

LANE_FN lane_f lane_row_load(const float *p, const lane_row *r)
{
    if (!r->near)
        return lane_gather(p, r->at);
    p += r->first;
    __m512 low = _mm512_maskz_loadu_ps(r->low, p), high = _mm512_maskz_loadu_ps(r->high, p + LANES);
    return (lane_f)_mm512_permutex2var_ps(low, (__m512i)r->from, high);
}

LANE_FN lane_i lane_row_load_i(const int32_t *p, const lane_row *r)
{
    return lane_as_i(lane_row_load((const float *)(const void *)p, r));
}

/* Of all that are in. */
LANE_FN void lane_row_store(float *p, const lane_row *r, lane_f a)
{
    if (!r->near) {
        lane_scatter(p, r->at, a, r->lanes);
        return;
    }
    p += r->first;
    _mm512_mask_storeu_ps(p, r->low, _mm512_maskz_expand_ps(r->low, (__m512)a));
    _mm512_mask_storeu_ps(p + LANES, r->high, _mm512_maskz_expand_ps(r->high, (__m512)lane_permute(a, r->next)));
}

LANE_FN void lane_row_store_i(int32_t *p, const lane_row *r, lane_i a)
{
    lane_row_store((float *)(void *)p, r, lane_as_f(a));
}
#else
LANE_FN lane_row lane_row_of(lane_i at, lane_m lanes)
{
    lane_row r = {at, lanes, true};
    return r;
}
LANE_FN lane_f lane_row_load(const float *p, const lane_row *r) { return lane_gather(p, r->at); }
LANE_FN lane_i lane_row_load_i(const int32_t *p, const lane_row *r) { return lane_gather_i(p, r->at); }
LANE_FN void lane_row_store(float *p, const lane_row *r, lane_f a) { lane_scatter(p, r->at, a, r->lanes); }
LANE_FN void lane_row_store_i(int32_t *p, const lane_row *r, lane_i a) { lane_scatter_i(p, r->at, a, r->lanes); }
#endif

#endif
