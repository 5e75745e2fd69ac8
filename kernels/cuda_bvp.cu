/* BVP on CUDA: a warp an agent, a thread a column of its map in shared memory. The two cells of a column that lie in a
 * pair of rows differ in colour, so in each turn every thread has one. Gives what plan_bvp gives. */
#include "cuda.cuh"

#include "bvp.h"
#include "plan.h"
#include "probe.h"

enum { BVP_AGENTS = 4 }; /* a block */

struct bvp_shared {
    float q[BVP_CELLS_MAX][BVP_CELLS_MAX], rate[BVP_CELLS_MAX][BVP_CELLS_MAX];
};

/* The largest change of a cell of the thread's. */
static __device__ float bvp_turn(const bvp_map *m, bvp_shared *s, int i, int colour)
{
    float largest = 0;
    if (i > 0 && i < m->size - 1)
        for (int j = 1 + ((i + 1 + colour) & 1); j < m->size - 1; j += 2) {
            float q = s->q[j][i];
            s->q[j][i] =
                bvp_relaxed(m, q, s->rate[j][i], s->q[j][i - 1], s->q[j][i + 1], s->q[j - 1][i], s->q[j + 1][i]);
            largest = lane_max(largest, lane_abs(s->q[j][i] - q));
        }
    __syncwarp();
    return largest;
}

/* The map of sorted agent i, who is in `slot` and has planner `entry`, relaxed. */
static __device__ void bvp_solve(const crowd *c, int32_t i, int32_t slot, int32_t entry, int column, bvp_map *m,
                                 bvp_shared *s)
{
    float dx, dy;
    plan_desired(c, i, true, slot, &dx, &dy);
    bvp_look(c, i, true, slot, entry, dx, dy, m);
    __syncwarp(); /* all have read the heading before one writes it */
    for (int j = 0; column < m->size && j < m->size; j++)
        s->q[j][column] = bvp_cell(m, column, j, &s->rate[j][column]);
    __syncwarp();
    for (int n = 0; n < m->sweeps; n++) {
        float first = bvp_turn(m, s, column, 0), second = bvp_turn(m, s, column, 1);
        if (m->residual > 0 && !__any_sync(~0u, lane_max(first, second) > m->residual))
            break;
    }
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
    bvp_map m;
    bvp_solve(&c, i, slot, entry, column, &m, s);
    int at = m.middle;
    if (column == 0)
        bvp_store(&c, &m, i, true, slot, s->q[at][at + 1] - s->q[at][at - 1], s->q[at + 1][at] - s->q[at - 1][at]);
}

bool cuda_plan_bvp(const planning &p, throng_error *error)
{
    int n = (p.c.agents + BVP_AGENTS - 1) / BVP_AGENTS;
    kernel_plan_bvp<<<n, 32 * BVP_AGENTS, 0, p.stream>>>(p.c);
    CHECK(cudaGetLastError());
    return true;
}

__global__ void kernel_probe_restore(const crowd c)
{
    AGENT_OR_RETURN(c.agents);
    probe_restore(&c, i);
}

/* One map, to look at; one warp. */
__global__ void kernel_local_map(const crowd c, int32_t slot, throng_local_map *map)
{
    __shared__ bvp_shared shared;
    bvp_map m;
    int column = threadIdx.x;
    bvp_solve(&c, c.rank[slot], slot, c.planner[slot], column, &m, &shared);
    for (int j = 0; column < m.size && j < m.size; j++)
        probe_cell(&m, column, j, shared.q[j][column], shared.rate[j][column], map);
    if (column == 0)
        probe_head(&m, map);
}

bool cuda_local_map(throng_backend *b, int32_t slot, throng_local_map *map, throng_error *error)
{
    throng_local_map *copy;
    CHECK(cudaMalloc(&copy, sizeof *copy));
    kernel_probe_restore<<<cuda_blocks(b->c.agents), BLOCK, 0, b->stream>>>(b->c);
    kernel_local_map<<<1, 32, 0, b->stream>>>(b->c, slot, copy);
    cudaError_t status = cudaMemcpyAsync(map, copy, sizeof *map, cudaMemcpyDeviceToHost, b->stream);
    if (status == cudaSuccess)
        status = cudaStreamSynchronize(b->stream);
    cudaFree(copy);
    CHECK(status);
    return true;
}
