/* The lane type: what every planner's mathematics is written in.
 *
 *   CUDA                 a lane is one float of one thread
 *   THRONG_LANES 1       plain scalar C: the reference
 *   THRONG_LANES 4 8 16  a GCC/Clang vector of that many floats (SSE2, AVX2, AVX-512)
 *
 * Divergence is written as masks and selects, loops run while lane_any(mask).
 * Only correctly rounded operations are used (+ - * / sqrt, no contraction),
 * and min, max and floor are selects, so that every width gives the same bits.
 * What libm would do differently from machine to machine is in lane_math.h. */
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
#define LANE_RARE        static __device__ __noinline__    /* kept out of what calls it */
#define LANE_APART       static __device__ __forceinline__ /* where a call would put the crowd into memory */
#define LANE_UNROLL      _Pragma("unroll")
#define LANE_PREFETCH(p) (void)(p)
#define LANE_ALIGNED(n)  __align__(4 * n) /* n words that are read and written together */
#else
#ifndef THRONG_LANES
#define THRONG_LANES 1
#endif
#define LANES      THRONG_LANES
#define LANE_FN    static inline __attribute__((always_inline, unused))
#define LANE_RARE  static __attribute__((noinline, cold, unused)) /* kept out of what calls it */
#define LANE_APART static __attribute__((noinline, unused)) /* likewise, though often called by those who need it */
#define LANE_UNROLL
#define LANE_PREFETCH(p) __builtin_prefetch(p)
#define LANE_ALIGNED(n)
#endif

#ifndef LANE_TOUCH
#define LANE_TOUCH(p) (void)(p) /* counts memory (cpu_counted.h) */
#endif

#if LANES == 1
#include "lane_one.h"
#else
#include "lane_vectors.h"
#endif

LANE_FN lane_f lane_clamp(lane_f a, lane_f lo, lane_f hi) { return lane_min(lane_max(a, lo), hi); }

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

LANE_FN lane_f lane_dot(lane_f ax, lane_f ay, lane_f bx, lane_f by) { return ax * bx + ay * by; }
LANE_FN lane_f lane_det(lane_f ax, lane_f ay, lane_f bx, lane_f by) { return ax * by - ay * bx; }

#endif
