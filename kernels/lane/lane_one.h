/* A lane that is one float: of a thread of CUDA, or of plain C, the reference. Included by lane.h, which says what all
 * of it does. */
#ifndef THRONG_LANE_ONE_H
#define THRONG_LANE_ONE_H

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
/* The values of the lanes in `m` side by side, in their order, how many; there is room for a vector. */
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
LANE_FN lane_f lane_min(lane_f a, lane_f b) { return lane_select(a < b, a, b); }
LANE_FN lane_f lane_max(lane_f a, lane_f b) { return lane_select(a > b, a, b); }

#endif
