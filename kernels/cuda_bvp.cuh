/* BVP on CUDA: a warp an agent, a thread a column of its map in shared memory. The two cells of a column that lie in a
 * pair of rows differ in colour, so in each turn every thread has one. Gives what plan_bvp gives. */
#ifndef THRONG_CUDA_BVP_CUH
#define THRONG_CUDA_BVP_CUH

#include "bvp.h"
#include "plan.h"

enum { BVP_AGENTS = 4 }; /* a block */

struct bvp_shared {
    float q[BVP_CELLS_MAX][BVP_CELLS_MAX], rate[BVP_CELLS_MAX][BVP_CELLS_MAX];
};

static __device__ void bvp_turn(const bvp_map *m, bvp_shared *s, int i, int colour)
{
    if (i > 0 && i < m->size - 1)
        for (int j = 1 + ((i + 1 + colour) & 1); j < m->size - 1; j += 2)
            s->q[j][i] = bvp_relaxed(m, s->q[j][i], s->rate[j][i], s->q[j][i - 1], s->q[j][i + 1], s->q[j - 1][i],
                                     s->q[j + 1][i]);
    __syncwarp();
}

__global__ void __launch_bounds__(32 * BVP_AGENTS) kernel_plan_bvp(const crowd c)
{
    __shared__ bvp_shared shared[BVP_AGENTS];
    int32_t i = blockIdx.x * BVP_AGENTS + threadIdx.x / 32, column = threadIdx.x % 32;
    if (i >= c.agents)
        return;
    int32_t slot = c.slot[i], entry = c.planner[slot];
    if (crowd_planner_kind(&c, entry) != THRONG_PLANNER_bvp)
        return;
    bvp_shared *s = &shared[threadIdx.x / 32];
    float dx, dy;
    bvp_map m;
    plan_desired(&c, i, true, slot, &dx, &dy);
    bvp_look(&c, i, true, slot, entry, dx, dy, &m);
    __syncwarp(); /* all have read the heading before one writes it */
    for (int j = 0; column < m.size && j < m.size; j++)
        s->q[j][column] = bvp_cell(&m, column, j, &s->rate[j][column]);
    __syncwarp();
    for (int n = 0; n < (int)c.planners[entry].value[THRONG_bvp_sweeps]; n++) {
        bvp_turn(&m, s, column, 0);
        bvp_turn(&m, s, column, 1);
    }
    int at = m.middle;
    if (column == 0)
        bvp_store(&c, &m, i, true, slot, s->q[at][at + 1] - s->q[at][at - 1], s->q[at + 1][at] - s->q[at - 1][at]);
}

#endif
