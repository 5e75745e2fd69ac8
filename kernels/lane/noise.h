/* Gradient noise: a smooth function of space, 0 at whole coordinates, within -1 .. 1, that repeats itself
 * nowhere near (K. Perlin, "Improving noise", 2002, with a hash for the table of permutations). */
#ifndef THRONG_NOISE_H
#define THRONG_NOISE_H

#include "lane.h"

/* A corner's gradient, one of twelve, times the way there from the point. */
LANE_FN lane_f noise_corner(lane_u hash, lane_f x, lane_f y, lane_f z)
{
    hash = (hash ^ (hash >> 15)) * 0x2c1b3c6du;
    hash = (hash ^ (hash >> 12)) * 0x297a2d39u;
    lane_i h = (lane_i)((hash ^ (hash >> 15)) & 15);
    lane_f u = lane_select(h < 8, x, y);
    lane_f v = lane_select(h < 4, y, lane_select((h == 12) | (h == 14), x, z));
    return lane_select((h & 1) != 0, -u, u) + lane_select((h & 2) != 0, -v, v);
}

LANE_FN lane_f noise_fade(lane_f t) { return t * t * t * (t * (t * 6.0f - 15.0f) + 10.0f); }

LANE_FN lane_f noise_mix(lane_f t, lane_f a, lane_f b) { return a + t * (b - a); }

/* What `x` is above its whole number `i`: large floats, some of which no integer holds, are whole. */
LANE_FN lane_f noise_fraction(lane_f x, lane_i i)
{
    return lane_select(lane_abs(x) >= 8388608.0f, lane_set(0), x - lane_to_f(i));
}

LANE_FN lane_f noise_at(lane_f x, lane_f y, lane_f z)
{
    lane_i i = lane_floor_i(x), j = lane_floor_i(y), k = lane_floor_i(z);
    x = noise_fraction(x, i);
    y = noise_fraction(y, j);
    z = noise_fraction(z, k);
    lane_u a[2], b[2], c[2];
    for (int n = 0; n < 2; n++) {
        a[n] = ((lane_u)i + (uint32_t)n) * 0x8da6b343u;
        b[n] = ((lane_u)j + (uint32_t)n) * 0xd8163841u;
        c[n] = ((lane_u)k + (uint32_t)n) * 0xcb1ab31fu;
    }
    lane_f u = noise_fade(x), v = noise_fade(y), w = noise_fade(z), layer[2];
    for (int n = 0; n < 2; n++) {
        lane_u front = b[0] ^ c[n], back = b[1] ^ c[n];
        lane_f dz = z - (float)n;
        lane_f near = noise_mix(u, noise_corner(a[0] ^ front, x, y, dz), noise_corner(a[1] ^ front, x - 1.0f, y, dz));
        lane_f far =
            noise_mix(u, noise_corner(a[0] ^ back, x, y - 1.0f, dz), noise_corner(a[1] ^ back, x - 1.0f, y - 1.0f, dz));
        layer[n] = noise_mix(v, near, far);
    }
    return noise_mix(w, layer[0], layer[1]);
}

#endif
