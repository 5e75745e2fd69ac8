/* Counter-based random numbers in lanes: Philox 4x32-10 (Salmon, Moraes, Dror and Shaw, 2011), the same
 * numbers as runtime/random.h gives. */
#ifndef THRONG_PHILOX_H
#define THRONG_PHILOX_H

#include "lane.h"

/* The upper word of a * b. */
LANE_FN lane_u philox_high(lane_u a, uint32_t b)
{
#if defined(__CUDACC__)
    return __umulhi(a, b);
#else
    lane_u low = a & 0xffff, high = a >> 16;
    uint32_t b_low = b & 0xffff, b_high = b >> 16;
    lane_u cross = high * b_low + (low * b_low >> 16);
    return high * b_high + (cross >> 16) + ((low * b_high + (cross & 0xffff)) >> 16);
#endif
}

/* The first word of (key, counter). */
LANE_FN lane_u philox_word(uint32_t k0, uint32_t k1, lane_u c0, uint32_t counter1, uint32_t counter2, uint32_t counter3)
{
    lane_u zero = c0 ^ c0, c1 = zero + counter1, c2 = zero + counter2, c3 = zero + counter3;
    for (int round = 0; round < 10; round++) {
        lane_u high0 = philox_high(c0, 0xD2511F53u), high2 = philox_high(c2, 0xCD9E8D57u);
        lane_u low0 = c0 * 0xD2511F53u, low2 = c2 * 0xCD9E8D57u;
        c0 = high2 ^ c1 ^ k0;
        c2 = high0 ^ c3 ^ k1;
        c1 = low2;
        c3 = low0;
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
    }
    return c0;
}

/* The word as a number in [0, 1), 24 bits. */
LANE_FN lane_f philox_unit(lane_u word) { return lane_to_f((lane_i)(word >> 8)) * 0x1p-24f; }

#endif
