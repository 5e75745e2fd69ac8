/* Functions whose results would differ from one libm to the next, as polynomials. */
#ifndef THRONG_LANE_MATH_H
#define THRONG_LANE_MATH_H

#include "lane.h"

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

#endif
