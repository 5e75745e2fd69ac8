/* BVP on CUDA: a warp an agent, a thread a column of its map. Gives what plan_bvp gives.
 *
 * A column's cells of the one colour are half[0][t], those of the other half[1][t], from the bottom up. Beside cell t
 * of a colour lie, in the columns left and right, cells t of the other; above and below, in the same column, two
 * neighbouring ones of the other, t - 1 and t or t and t + 1, as the column is even or odd. So all of a map lives in
 * registers, and a cell's step takes two shuffles. (In shared memory it took seven accesses.) */
#include "cuda.cuh"

#include "bvp.h"
#include "plan.h"
#include "probe.h"

enum { BVP_AGENTS = 4 /* a block */, BVP_HALF_MAX = BVP_CELLS_MAX / 2 - 1 };

/* One agent's, as long as its map is being drawn and when it is read. */
template <int HALF> struct bvp_shared {
    float q[2 * HALF + 2][BVP_CELLS_MAX];
    bvp_around around;
};

/* A column of a map whose side is at most 2 HALF + 2 cells. */
template <int HALF> struct bvp_column {
    float half[2][HALF];
    float first, last; /* rows 0 and 2 HALF + 1 */
    uint32_t given[2]; /* bit 2 t: half[..][t] is given */
    int row[2];        /* of half[..][0] */
};

static __device__ void bvp_look_around(const crowd *c, int32_t i, int lane, bvp_map *m, bvp_around *around)
{
    unsigned before = (1u << lane) - 1;
    bool other = false, wall = false;
    bvp_other o;
    bvp_wall w;
    if (lane < c->k)
        other = (o = bvp_see_other(c, i, lane, true, m)).there;
    if (c->walls.count && lane < CROWD_WALLS_MAX)
        wall = (w = bvp_see_wall(c, i, lane, true, m)).there;
    unsigned others = __ballot_sync(~0u, other), walls = __ballot_sync(~0u, wall);
    if (other)
        around->other[__popc(others & before)] = o;
    if (wall)
        around->wall[__popc(walls & before)] = w;
    if (lane == 0) {
        around->others = __popc(others);
        around->walls = __popc(walls);
    }
    m->free = m->free && !others;
    m->around = around;
    __syncwarp();
}

/* Rows that the map does not have, and columns, are given and 0. */
template <int HALF>
static __device__ void bvp_draw(const bvp_map *m, bvp_shared<HALF> *s, int i, bvp_column<HALF> *column)
{
    uint32_t given = ~0u;
    for (int j = 0; j < 2 * HALF + 2; j++) {
        float q = 0, rate = 0;
        if (i < m->size && j < m->size)
            q = bvp_cell(m, i, j, &rate);
        s->q[j][i] = q;
        given ^= (uint32_t)(rate > 0) << j;
    }
#pragma unroll
    for (int colour = 0; colour < 2; colour++) {
        column->row[colour] = bvp_first(i, colour);
        column->given[colour] = given >> column->row[colour];
#pragma unroll
        for (int t = 0; t < HALF; t++)
            column->half[colour][t] = s->q[column->row[colour] + 2 * t][i];
    }
    column->first = s->q[0][i];
    column->last = s->q[2 * HALF + 1][i];
}

/* A colour's turn; the largest change of a cell of the thread's, if that is asked for. */
template <int HALF, bool WATCH> static __device__ float bvp_turn(const bvp_map *m, bvp_column<HALF> *column, int colour)
{
    float *own = column->half[colour], *other = column->half[1 - colour], largest = 0;
    bool lower = column->row[colour] == 1;
#pragma unroll
    for (int t = 0; t < HALF; t++) {
        float left = __shfl_up_sync(~0u, other[t], 1), right = __shfl_down_sync(~0u, other[t], 1);
        float down = !lower ? other[t] : t > 0 ? other[t - 1] : column->first;
        float up = lower ? other[t] : t < HALF - 1 ? other[t + 1] : column->last;
        float q = bvp_relaxed(m, own[t], m->over, left, right, down, up);
        q = column->given[colour] >> (2 * t) & 1 ? own[t] : q;
        if (WATCH)
            largest = lane_max(largest, lane_abs(q - own[t]));
        own[t] = q;
    }
    return largest;
}

template <int HALF> static __device__ void bvp_relax(const bvp_map *m, bvp_column<HALF> *column)
{
    if (m->residual > 0) {
        float first, second;
        int n = 0;
        do {
            first = bvp_turn<HALF, true>(m, column, 0);
            second = bvp_turn<HALF, true>(m, column, 1);
        } while (++n < m->sweeps && __any_sync(~0u, lane_max(first, second) > m->residual));
        return;
    }
    for (int n = 0; n < m->sweeps; n++) {
        bvp_turn<HALF, false>(m, column, 0);
        bvp_turn<HALF, false>(m, column, 1);
    }
}

/* The map of sorted agent i, who is in `slot` and has planner `entry`, relaxed. */
template <int HALF>
static __device__ void bvp_solve(const crowd *c, int32_t i, int32_t slot, int32_t entry, int lane, bvp_map *m,
                                 bvp_column<HALF> *column, bvp_shared<HALF> *s)
{
    float dx, dy;
    plan_desired(c, i, true, slot, &dx, &dy);
    bvp_look(c, i, true, slot, entry, dx, dy, m);
    bvp_look_around(c, i, lane, m, &s->around); /* all have read the heading before one writes it */
    bvp_draw(m, s, lane, column);
    bvp_relax(m, column);
#pragma unroll
    for (int colour = 0; colour < 2; colour++)
#pragma unroll
        for (int t = 0; t < HALF; t++)
            s->q[column->row[colour] + 2 * t][lane] = column->half[colour][t];
    __syncwarp();
}

/* Those whose maps need HALF: smaller ones have a kernel with less. */
static __device__ bool bvp_needs(const crowd *c, int32_t entry, int more_than, int half)
{
    int needed = ((int)c->planners[entry].value[THRONG_bvp_size] - 1) / 2;
    return crowd_planner_kind(c, entry) == THRONG_PLANNER_bvp && needed > more_than && needed <= half;
}

template <int MORE_THAN, int HALF> __global__ void __launch_bounds__(32 * BVP_AGENTS) kernel_plan_bvp(const crowd c)
{
    __shared__ bvp_shared<HALF> shared[BVP_AGENTS];
    int32_t i = blockIdx.x * BVP_AGENTS + threadIdx.x / 32, lane = threadIdx.x % 32;
    if (i >= c.agents)
        return;
    int32_t slot = c.slot[i], entry = c.planner[slot];
    if (!bvp_needs(&c, entry, MORE_THAN, HALF))
        return;
    bvp_shared<HALF> *s = &shared[threadIdx.x / 32];
    bvp_column<HALF> column;
    bvp_map m;
    bvp_solve(&c, i, slot, entry, lane, &m, &column, s);
    int at = m.middle;
    if (lane == 0)
        bvp_store(&c, &m, i, true, slot, s->q[at][at + 1] - s->q[at][at - 1], s->q[at + 1][at] - s->q[at - 1][at]);
}

template <int MORE_THAN, int HALF> static void bvp_launch(const planning &p, uint32_t halves)
{
    int n = (p.c.agents + BVP_AGENTS - 1) / BVP_AGENTS;
    if (halves & ((2u << HALF) - (2u << MORE_THAN)))
        kernel_plan_bvp<MORE_THAN, HALF><<<n, 32 * BVP_AGENTS, 0, p.stream>>>(p.c);
}

/* Sides of 11, 16 and 21 cells just fit. */
bool cuda_plan_bvp(const planning &p, uint32_t halves, throng_error *error)
{
    bvp_launch<0, 5>(p, halves);
    bvp_launch<5, 7>(p, halves);
    bvp_launch<7, 10>(p, halves);
    bvp_launch<10, BVP_HALF_MAX>(p, halves);
    CHECK(cudaGetLastError());
    return true;
}

/* One map, to look at; one warp. */
__global__ void kernel_local_map(const crowd c, int32_t slot, throng_local_map *map)
{
    __shared__ bvp_shared<BVP_HALF_MAX> shared;
    bvp_column<BVP_HALF_MAX> column;
    bvp_map m;
    int lane = threadIdx.x;
    bvp_solve(&c, c.rank[slot], slot, c.planner[slot], lane, &m, &column, &shared);
    for (int j = 0; lane < m.size && j < m.size; j++) {
        float rate;
        bvp_cell(&m, lane, j, &rate);
        probe_cell(&m, lane, j, shared.q[j][lane], rate, map);
    }
    if (lane == 0)
        probe_head(&m, map);
}

bool cuda_local_map(throng_backend *b, int32_t slot, throng_local_map *map, throng_error *error)
{
    throng_local_map *copy;
    const crowd *c = cuda_planning_crowd(b, error);
    if (!c)
        return false;
    CHECK(cudaMalloc(&copy, sizeof *copy));
    kernel_local_map<<<1, 32, 0, b->stream>>>(*c, slot, copy);
    cudaError_t status = cudaMemcpyAsync(map, copy, sizeof *map, cudaMemcpyDeviceToHost, b->stream);
    if (status == cudaSuccess)
        status = cudaStreamSynchronize(b->stream);
    cudaFree(copy);
    CHECK(status);
    return true;
}
