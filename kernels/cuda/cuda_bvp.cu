/* BVP on CUDA: a thread has four neighbouring columns of a map, a warp as many maps as that makes room for. Gives what
 * plan_bvp gives.
 *
 * All cells live in registers. A turn of a colour takes a shuffle for two cells of it, and whether a cell lies in it
 * is known when this is compiled, as columns come in fours. (A thread a column, a warp a map, took 2.2 times as long a
 * sweep: four shuffles for two cells, a third of the threads without a column; in shared memory it was slower still.)
 * 100,000 maps of 21 x 21 on an H200, the whole stage: 0.65 ms and 0.0135 ms a sweep.
 *
 * Maps are drawn one after the other, by the whole warp, a thread a column. */
#include "cuda.cuh"

#include "kernels/bvp.h"
#include "kernels/plan.h"
#include "kernels/probe.h"

enum {
    BVP_WARPS = 4,           /* a block */
    BVP_COLUMNS = 4,         /* a thread */
    BVP_WARPS_ENOUGH = 2112, /* to keep a device busy: four a scheduler of an H200 */
};

#define BVP_THREADS(SIDE) (((SIDE) + BVP_COLUMNS - 1) / BVP_COLUMNS) /* a map */
#define BVP_MAPS(SIDE)    (32 / BVP_THREADS(SIDE))                   /* a warp */

/* A warp's maps, from when they are drawn to when they are relaxed. Bit j of a column: its cell in row j. */
template <int SIDE> struct bvp_shared {
    bvp_around around; /* of the one that is being drawn */
    bvp_map map[BVP_MAPS(SIDE)];
    int32_t slot[BVP_MAPS(SIDE)]; /* -1: nobody's */
    uint32_t changes[BVP_MAPS(SIDE)][BVP_THREADS(SIDE) * BVP_COLUMNS];
    uint32_t ones[BVP_MAPS(SIDE)][BVP_THREADS(SIDE) * BVP_COLUMNS];
    float slope_from[BVP_MAPS(SIDE)][4]; /* q left, right, down and up of the middle */
};

/* Four columns of a map whose side is at most SIDE cells. */
template <int SIDE> struct bvp_part {
    float q[BVP_COLUMNS][SIDE];
    uint32_t changes[BVP_COLUMNS];
};

static __device__ void bvp_look_around(const crowd *c, int32_t i, int lane, bvp_map *m, bvp_around *around)
{
    unsigned before = (1u << lane) - 1;
    bool other = false, wall = false, in_the_way = false;
    bvp_other o;
    bvp_wall w;
    if (lane < c->k)
        other = (o = bvp_see_other(c, i, lane, true, m)).there;
    if (other)
        in_the_way = bvp_in_the_way(m, &o);
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
    m->free = m->free && !__any_sync(~0u, in_the_way);
    m->around = around;
    __syncwarp();
}

/* The rows of the u-zone that lie between y0 and y1, in m from the agent. */
static __device__ int bvp_row_from(const bvp_map *m, float y0)
{
    return max((int)floorf(fmaxf(y0 / m->cell, -BVP_CELLS_MAX)) + m->middle, BVP_ZONES);
}

static __device__ int bvp_row_to(const bvp_map *m, float y1)
{
    return min((int)ceilf(fminf(y1 / m->cell, BVP_CELLS_MAX)) + m->middle, m->size - 1 - BVP_ZONES);
}

/* Bit j: the cell of column i and row j is an obstacle, if it is seen. Everything is only looked at in its own rows: to
 * look at all in all of them took half of a map's time. */
static __device__ uint32_t bvp_blocked_rows(const bvp_map *m, int i)
{
    uint32_t rows = 0;
    float x = (float)(i - m->middle) * m->cell, keep = bvp_keep_from_walls(m), radius = BVP_TOUCH * m->radius;
    for (int s = 0; s < m->around->others; s++) {
        const bvp_other *o = &m->around->other[s];
        float reach = lane_sqrt(o->keep);
        for (int j = bvp_row_from(m, o->y - reach), to = bvp_row_to(m, o->y + reach); j <= to; j++)
            rows |= (uint32_t)bvp_touches(o, x, (float)(j - m->middle) * m->cell) << j;
    }
    for (int s = 0; s < m->around->walls; s++) {
        const bvp_wall *w = &m->around->wall[s];
        float low = fminf(w->ay, w->ay + w->ey) - radius, high = fmaxf(w->ay, w->ay + w->ey) + radius;
        for (int j = bvp_row_from(m, low), to = bvp_row_to(m, high); j <= to; j++)
            rows |= (uint32_t)bvp_touches_wall(w, keep, x, (float)(j - m->middle) * m->cell) << j;
    }
    return rows;
}

/* What bvp_cell says of column i, the thread's; bit j: of row j. Columns and rows that the map does not have do not
 * change and are 0. */
static __device__ void bvp_draw_column(const bvp_map *m, int i, uint32_t *changes, uint32_t *ones)
{
    int last = m->size - 1;
    float x = (float)(i - m->middle), low = (float)-m->middle, high = (float)(last - m->middle);
    uint32_t left = __ballot_sync(~0u, i <= last && bvp_leads_on(m, low, x));
    uint32_t right = __ballot_sync(~0u, i <= last && bvp_leads_on(m, high, x));
    *changes = 0;
    *ones = i == 0 ? left : i == last ? right : 0;
    if (i == 0 || i >= last)
        return;
    *changes = (1u << last) - 2;
    *ones = (uint32_t)bvp_leads_on(m, x, low) | (uint32_t)bvp_leads_on(m, x, high) << last;
    if (i < BVP_ZONES || i > last - BVP_ZONES)
        return;
    uint32_t given = bvp_blocked_rows(m, i), goal = 0;
    if (m->goal_x == x && m->goal_y >= low + BVP_ZONES && m->goal_y <= high - BVP_ZONES)
        goal = 1u << ((int)m->goal_y + m->middle);
    for (uint32_t rest = given |= goal; rest; rest &= rest - 1) {
        int j = __ffs(rest) - 1;
        bool own = i == m->middle && j == m->middle;
        if (own || !bvp_seen(m, x, (float)(j - m->middle)))
            given ^= 1u << j;
    }
    *changes &= ~given;
    *ones |= goal & given;
}

/* Draws the map of sorted agent i, who is in `slot` and has planner `entry`, as number `at` of the warp's. */
template <int SIDE>
static __device__ void bvp_draw(const crowd *c, int32_t i, int32_t slot, int32_t entry, int lane, int at,
                                bvp_shared<SIDE> *s)
{
    float dx, dy;
    bvp_map m;
    plan_desired(c, i, true, slot, &dx, &dy);
    bvp_look(c, i, true, slot, entry, dx, dy, &m);
    bvp_look_around(c, i, lane, &m, &s->around);
    uint32_t changes, ones;
    bvp_draw_column(&m, lane, &changes, &ones);
    if (lane < BVP_THREADS(SIDE) * BVP_COLUMNS) {
        s->changes[at][lane] = changes;
        s->ones[at][lane] = ones;
    }
    if (lane == 0) {
        s->map[at] = m;
        s->slot[at] = slot;
    }
    __syncwarp();
}

/* A thread's part of map `at`, or, if that is not `there`, of one in which nothing changes. */
template <int SIDE>
static __device__ void bvp_take(const bvp_shared<SIDE> *s, int at, int thread, bool there, bvp_part<SIDE> *p)
{
#pragma unroll
    for (int a = 0; a < BVP_COLUMNS; a++) {
        uint32_t ones = there ? s->ones[at][BVP_COLUMNS * thread + a] : 0;
        p->changes[a] = there ? s->changes[at][BVP_COLUMNS * thread + a] : 0;
#pragma unroll
        for (int j = 0; j < SIDE; j++)
            p->q[a][j] = ones >> j & 1 ? 1.0f : 0.0f;
    }
}

/* A colour's turn; the largest change of a cell of the thread's, if that is asked for. Cells on the rim, whose
 * neighbours are none or another map's, do not change. */
template <int SIDE, bool BENDS, bool WATCH>
static __device__ __forceinline__ float bvp_turn(const bvp_factors *f, int colour, bvp_part<SIDE> *p)
{
    float largest = 0;
#pragma unroll
    for (int j = 1; j < SIDE - 1; j++) {
        int first = (j + colour) & 1;
        float beside = first == 0 ? __shfl_up_sync(~0u, p->q[BVP_COLUMNS - 1][j], 1) //
                                  : __shfl_down_sync(~0u, p->q[0][j], 1);
#pragma unroll
        for (int a = first; a < BVP_COLUMNS; a += 2) {
            float left = a > 0 ? p->q[a - 1][j] : beside, right = a < BVP_COLUMNS - 1 ? p->q[a + 1][j] : beside;
            float q = bvp_relaxed(f, BENDS, p->q[a][j], left, right, p->q[a][j - 1], p->q[a][j + 1]);
            q = p->changes[a] >> j & 1 ? q : p->q[a][j];
            if (WATCH)
                largest = lane_max(largest, lane_abs(q - p->q[a][j]));
            p->q[a][j] = q;
        }
    }
    return largest;
}

/* Maps that are relaxed do not change any more. `mine`: the threads of the own map. */
template <int SIDE, bool BENDS, bool WATCH>
static __device__ void bvp_relax(const bvp_map *m, uint32_t mine, int sweeps, bvp_part<SIDE> *p)
{
    for (int n = 0; __any_sync(~0u, n < sweeps); n++) {
        bvp_factors f = bvp_sweep_factors(m, n);
        float first = bvp_turn<SIDE, BENDS, WATCH>(&f, 0, p), second = bvp_turn<SIDE, BENDS, WATCH>(&f, 1, p);
        bool more = n + 1 < sweeps;
        if (WATCH) {
            uint32_t above = __ballot_sync(~0u, lane_max(first, second) > m->residual);
            more = more && (m->residual == 0 || above & mine);
        }
        if (!more) {
            sweeps = 0;
#pragma unroll
            for (int a = 0; a < BVP_COLUMNS; a++)
                p->changes[a] = 0;
        }
    }
}

/* All of a warp's maps. */
template <int SIDE> static __device__ void bvp_relax_all(const bvp_map *m, uint32_t mine, bool there, bvp_part<SIDE> *p)
{
    int sweeps = there ? m->sweeps : 0;
    if (__any_sync(~0u, there && m->residual > 0))
        bvp_relax<SIDE, true, true>(m, mine, sweeps, p);
    else if (__any_sync(~0u, there && m->bends))
        bvp_relax<SIDE, true, false>(m, mine, sweeps, p);
    else
        bvp_relax<SIDE, false, false>(m, mine, sweeps, p);
}

/* What is next to the middle. */
template <int SIDE>
static __device__ void bvp_leave(const bvp_part<SIDE> *p, int middle, int thread, float slope_from[4])
{
#pragma unroll
    for (int a = 0; a < BVP_COLUMNS; a++) {
        int column = BVP_COLUMNS * thread + a - middle;
#pragma unroll
        for (int j = 0; j < SIDE; j++) {
            if (j == middle && (column == -1 || column == 1))
                slope_from[column > 0] = p->q[a][j];
            if (column == 0 && (j == middle - 1 || j == middle + 1))
                slope_from[2 + (j > middle)] = p->q[a][j];
        }
    }
}

/* Those whose maps need SIDE: smaller ones have a kernel with less. */
static __device__ bool bvp_needs(const crowd *c, int32_t entry, int more_than, int side)
{
    int size = (int)c->planners[entry].value[THRONG_bvp_size];
    return crowd_planner_kind(c, entry) == THRONG_PLANNER_bvp && size > more_than && size <= side;
}

/* A warp has `maps` agents, at most BVP_MAPS(SIDE): fewer where there are few, who then have a warp more to
 * themselves. */
template <int MORE_THAN, int SIDE>
__global__ void __launch_bounds__(32 * BVP_WARPS) kernel_plan_bvp(const crowd c, int maps)
{
    __shared__ bvp_shared<SIDE> shared[BVP_WARPS];
    bvp_shared<SIDE> *s = &shared[threadIdx.x / 32];
    int32_t first = (blockIdx.x * BVP_WARPS + threadIdx.x / 32) * maps, lane = threadIdx.x % 32;
    bool any = false;
    for (int at = 0; at < maps; at++) {
        int32_t i = first + at, slot = i < c.agents ? c.slot[i] : -1, entry = slot < 0 ? 0 : c.planner[slot];
        bool needs = slot >= 0 && bvp_needs(&c, entry, MORE_THAN, SIDE);
        if (needs)
            bvp_draw(&c, i, slot, entry, lane, at, s);
        else if (lane == 0)
            s->slot[at] = -1;
        any |= needs;
    }
    if (!any)
        return;
    __syncwarp();
    int at = lane / BVP_THREADS(SIDE), thread = lane % BVP_THREADS(SIDE);
    bool there = at < maps && s->slot[at] >= 0;
    const bvp_map *m = &s->map[at < maps ? at : 0];
    bvp_part<SIDE> p;
    bvp_take(s, at, thread, there, &p);
    bvp_relax_all(m, ((1u << BVP_THREADS(SIDE)) - 1) << (lane - thread), there, &p);
    if (there)
        bvp_leave(&p, m->middle, thread, s->slope_from[at]);
    __syncwarp();
    if (there && thread == 0) {
        const float *q = s->slope_from[at];
        bvp_store(&c, m, first + at, true, s->slot[at], q[1] - q[0], q[3] - q[2]);
    }
}

/* `sizes`: bit size - 1 for each there is. As few maps a warp as keep the device's schedulers busy. */
template <int MORE_THAN, int SIDE> static void bvp_launch(const planning &p, uint32_t sizes)
{
    int few = p.c.agents / BVP_WARPS_ENOUGH + 1, maps = few < BVP_MAPS(SIDE) ? few : BVP_MAPS(SIDE);
    int n = (p.c.agents + BVP_WARPS * maps - 1) / (BVP_WARPS * maps);
    if (sizes & (uint32_t)((1ull << SIDE) - (1ull << MORE_THAN)))
        kernel_plan_bvp<MORE_THAN, SIDE><<<n, 32 * BVP_WARPS, 0, p.stream>>>(p.c, maps);
}

bool cuda_plan_bvp(const planning &p, uint32_t sizes, throng_error *error)
{
    bvp_launch<0, 11>(p, sizes);
    bvp_launch<11, 16>(p, sizes);
    bvp_launch<16, 21>(p, sizes);
    bvp_launch<21, BVP_CELLS_MAX>(p, sizes);
    CHECK(cudaGetLastError());
    return true;
}

/* One map, to look at; one warp. */
__global__ void kernel_local_map(const crowd c, int32_t slot, throng_local_map *map)
{
    const int SIDE = BVP_CELLS_MAX, THREADS = BVP_THREADS(SIDE);
    __shared__ bvp_shared<SIDE> s;
    bvp_part<SIDE> p;
    int lane = threadIdx.x;
    bool there = lane < THREADS;
    bvp_draw(&c, c.rank[slot], slot, c.planner[slot], lane, 0, &s);
    const bvp_map *m = &s.map[0];
    bvp_take(&s, 0, lane, there, &p);
    bvp_relax_all(m, (1u << THREADS) - 1, there, &p);
#pragma unroll
    for (int a = 0; a < BVP_COLUMNS; a++) {
        int i = BVP_COLUMNS * lane + a;
#pragma unroll
        for (int j = 0; j < SIDE; j++)
            if (there && i < m->size && j < m->size)
                probe_cell(m, i, j, p.q[a][j], s.changes[0][i] >> j & 1, map);
    }
    if (lane == 0)
        probe_head(m, map);
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
