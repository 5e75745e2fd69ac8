/* Overfull cells: more agents in a cell than fit there. At most so many of them are seen by others, or each of a
 * million agents in one place would look at all others. (A cell is hardly wider than ten radii, which has room for
 * thirty agents.) The others see, plan and move, but nobody meets them until there is room: sorting puts them behind
 * all cells.
 *
 * The grid wraps, so a cell may hold agents of many places, a line of a million for one. What is counted is who stands
 * in the same place: by a hash of the cell before it wraps, among the cells of a block of them. */
#ifndef THRONG_OVERFULL_CELLS_H
#define THRONG_OVERFULL_CELLS_H

#include "kernels/crowd.h"

enum { OVERFULL_SHOWN = 512, OVERFULL_BLOCK = 2048 /* cells, or as many as there are */ };

LANE_FN uint32_t overfull_mix(uint32_t x) /* C. Wellons' "lowbias32", as in yield.h */
{
    x = (x ^ (x >> 16)) * 0x7feb352du;
    x = (x ^ (x >> 15)) * 0x846ca68bu;
    return x ^ (x >> 16);
}

/* Where those who stand as the agent at (x, y) in wrapped cell `cell`, of `cells`, are counted. */
LANE_FN int32_t overfull_bin(const crowd *c, float x, float y, int32_t cell, int32_t cells)
{
    int32_t mask = (cells < OVERFULL_BLOCK ? cells : OVERFULL_BLOCK) - 1; /* powers of two */
    uint32_t place = overfull_mix((uint32_t)crowd_column(c, x) + 0x9E3779B9u * overfull_mix((uint32_t)crowd_row(c, y)));
    return (cell & ~mask) | (int32_t)(place & (uint32_t)mask);
}

/* Is the agent in a slot one of those who are seen, of `count` in one place? */
LANE_FN bool overfull_shows(int32_t slot, int32_t count)
{
    return count <= OVERFULL_SHOWN ||
           ((uint64_t)overfull_mix((uint32_t)slot + 0x9E3779B9u) * (uint32_t)count) >> 32 < OVERFULL_SHOWN;
}

#endif
