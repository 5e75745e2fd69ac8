/* The walls near an agent on CUDA: the lists that walls_sense makes, by a team of threads an agent; without sides of
 * bodies. */
#ifndef THRONG_CUDA_WALLS_CUH
#define THRONG_CUDA_WALLS_CUH

#include "cuda_neighbours.cuh"
#include "kernels/sense/walls.h"

/* The list of the agent of this thread of block `block`. */
template <int TEAM> static __device__ __forceinline__ void list_walls(const crowd &c, int32_t block)
{
    int32_t i = (block * BLOCK + (int32_t)threadIdx.x) / TEAM, rank = (int32_t)threadIdx.x % TEAM, at, to, count = 0;
    bool there = i < c.frame.agents;
    i = there ? i : 0; /* whole warps exchange what they found */
    float x = c.sx[i], y = c.sy[i], reach = walls_reach(&c, c.slot[i]);
    nearest_keys<THRONG_WALLS_MAX> list;
    list.free = key_of(reach * reach, 0);
#pragma unroll
    for (int s = 0; s < THRONG_WALLS_MAX; s++)
        list.key[s] = list.free;
    walls_range(&c.walls.still, x, y, there, &at, &to);
    for (at += rank; at < to; at += TEAM) {
        int32_t segment = c.walls.still.list[at];
        float to_x, to_y, distance = walls_nearest(&c.walls, segment, x, y, &to_x, &to_y);
        if (key_of(distance, segment) < list.key[THRONG_WALLS_MAX - 1] && walls_open_side(&c.walls, segment, x, y))
            keys_insert(&list, key_of(distance, segment));
    }
    join_lists<THRONG_WALLS_MAX, TEAM>(&list);
#pragma unroll
    for (int s = 0; s < THRONG_WALLS_MAX; s++) {
        bool in = list.key[s] != list.free;
        count += in;
        if (there && s % TEAM == rank)
            c.wall[(int64_t)s * c.stride + i] = in ? (int32_t)(uint32_t)list.key[s] : -1;
    }
    if (there && rank == 0)
        c.wall_count[i] = count;
}

#endif
