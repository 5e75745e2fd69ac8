/* Threads of a warp that share an agent on CUDA: thread `rank` of a team of `team`, a power of two, has looked at every
 * team-th of something, and all of them agree on what they found. All of a team call these together. Where an agent has
 * one thread or lane nothing is left to do. */
#ifndef THRONG_TEAMS_H
#define THRONG_TEAMS_H

#include "lane.h"

#if defined(__CUDACC__)
static __device__ __forceinline__ unsigned teams_mask(int32_t rank, int32_t team)
{
    return ~0u >> (32 - team) << ((int32_t)threadIdx.x % 32 - rank);
}

/* Has any of them found something? */
static __device__ __forceinline__ bool teams_any(bool found, int32_t rank, int32_t team)
{
    return team == 1 ? found : __any_sync(teams_mask(rank, team), found);
}

/* The least of their values, and the first of those with equal ones; its place may say what that is. */
static __device__ __forceinline__ void teams_least(float *least, int32_t *at, int32_t rank, int32_t team)
{
    for (int q = 1; q < team; q *= 2) {
        float value = __shfl_xor_sync(teams_mask(rank, team), *least, q);
        int32_t place = __shfl_xor_sync(teams_mask(rank, team), *at, q);
        bool better = value < *least || (value == *least && place < *at);
        *least = better ? value : *least;
        *at = better ? place : *at;
    }
}

/* All of them have read what one is to write. */
static __device__ __forceinline__ void teams_meet(int32_t rank, int32_t team) { __syncwarp(teams_mask(rank, team)); }
#else
#define teams_any(found, rank, team)       (found)
#define teams_least(least, at, rank, team) ((void)(least), (void)(at))
#define teams_meet(rank, team)             ((void)0)
#endif

#endif
