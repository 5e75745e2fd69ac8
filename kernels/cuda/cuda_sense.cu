/* Stage sense on CUDA.
 *
 * Sorting by cell is a counting sort: every agent draws its place in its cell
 * with an atomic, so the order within a cell differs from run to run. No result
 * depends on it: lists are ordered by (distance, slot), sums run in the order of
 * lists, and counters are integers or maxima. */
#include "cuda.cuh"

#include <cub/block/block_scan.cuh>
#include <cub/device/device_scan.cuh>

#include "kernels/neighbours.h"
#include "kernels/walls.h"

/* Up to so many agents get a team of so many threads each. With a thread an agent the search of 1,000 takes 35 us on an
 * H200, nearly all of it waiting, and with a team 16; of 100,000, 59, and with teams of four 89. */
enum { NEIGHBOURS_TEAM = 8, NEIGHBOURS_TEAMS_MOST = 1 << 15 };

/* Cell of every living agent, and its place among those of the cell. */
__global__ void kernel_count(const crowd c, int32_t *key, int32_t *place, int32_t *cell_count)
{
    AGENT_OR_RETURN(c.slots);
    if (!c.state[i]) {
        key[i] = -1;
        return;
    }
    int32_t column = crowd_column(&c, c.x[i]) & (c.grid_width - 1);
    int32_t row = crowd_row(&c, c.y[i]) & (c.grid_height - 1);
    int32_t cell = row * c.grid_width + column;
    key[i] = cell;
    place[i] = atomicAdd(&cell_count[cell], 1);
}

/* How many cells one block sums up: a launch instead of two, 2 us of the 125 that a frame of 1,000 takes on an H200. */
enum { SCAN_BLOCK = 1024, SCAN_EACH = 8, SCAN_CELLS = SCAN_BLOCK * SCAN_EACH };

__global__ void __launch_bounds__(SCAN_BLOCK) kernel_scan(int32_t *cell_start, int32_t count)
{
    typedef cub::BlockScan<int32_t, SCAN_BLOCK> scan;
    __shared__ scan::TempStorage storage;
    int32_t cells[SCAN_EACH], first = (int32_t)threadIdx.x * SCAN_EACH;
#pragma unroll
    for (int e = 0; e < SCAN_EACH; e++)
        cells[e] = first + e < count ? cell_start[first + e] : 0;
    scan(storage).ExclusiveSum(cells, cells);
#pragma unroll
    for (int e = 0; e < SCAN_EACH; e++)
        if (first + e < count)
            cell_start[first + e] = cells[e];
}

/* What lies in each cell becomes where it begins. */
static bool scan_cells(throng_backend *b, throng_error *error)
{
    int32_t *cells = b->c.cell_start, count = b->cells + 1;
    if (count <= SCAN_CELLS)
        kernel_scan<<<1, SCAN_BLOCK, 0, b->stream>>>(cells, count);
    else
        CHECK(cub::DeviceScan::ExclusiveSum(b->scan, b->scan_bytes, cells, cells, count, b->stream));
    return true;
}

__global__ void kernel_gather(const crowd c, const int32_t *key, const int32_t *place)
{
    AGENT_OR_RETURN(c.slots);
    if (key[i] < 0)
        return;
    int32_t at = c.cell_start[key[i]] + place[i];
    c.slot[at] = i;
    c.rank[i] = at;
    c.sx[at] = c.x[i];
    c.sy[at] = c.y[i];
    c.svx[at] = c.vx[i];
    c.svy[at] = c.vy[i];
    c.sr[at] = c.radius[i];
}

template <int K, bool WRAPS> __global__ void __launch_bounds__(BLOCK) kernel_neighbours(const crowd c)
{
    AGENT_OR_RETURN(c.agents);
    const crowd own = cuda_crowd<WRAPS>(c);
    neighbours_sense(&own, K, i, true);
}

/* --- a team of threads an agent, where agents are few ------------------------------------------------------- */

/* The team's best so far, of the heads of its threads' lists; whose it is takes it off. Slot -1: all are empty. */
template <int K> static __device__ __forceinline__ void take_nearest(nearest_list *list, float *distance, int32_t *slot)
{
    bool any = list->slot[0] >= 0;
    *distance = any ? list->distance[0] : INFINITY;
    *slot = any ? list->slot[0] : INT32_MAX;
#pragma unroll
    for (int q = 1; q < NEIGHBOURS_TEAM; q *= 2) {
        float d = __shfl_xor_sync(~0u, *distance, q, NEIGHBOURS_TEAM);
        int32_t s = __shfl_xor_sync(~0u, *slot, q, NEIGHBOURS_TEAM);
        bool nearer = nearest_before(d, s, *distance, *slot);
        *distance = nearer ? d : *distance;
        *slot = nearer ? s : *slot;
    }
    if (any && *slot == list->slot[0]) {
#pragma unroll
        for (int e = 0; e + 1 < K; e++) {
            list->distance[e] = list->distance[e + 1];
            list->slot[e] = list->slot[e + 1];
        }
        list->slot[K - 1] = -1;
    }
    *slot = *slot == INT32_MAX ? -1 : *slot;
}

/* Everybody within `radius` of (x, y): a row of cells a thread. */
template <int K>
static __device__ __forceinline__ void team_search(const crowd &c, int32_t i, float x, float y, float radius,
                                                   nearest_list *list)
{
    float reach = radius + 1e-6f * (fabsf(x) + fabsf(y) + c.extent);
    int32_t x0 = crowd_column(&c, x - reach), width = crowd_column(&c, x + reach) - x0 + 1;
    int32_t y0 = crowd_row(&c, y - reach), height = crowd_row(&c, y + reach) - y0 + 1;
    nearest_init(list, K, radius * radius);
    for (int32_t row = (int32_t)threadIdx.x % NEIGHBOURS_TEAM; row < min(height, c.grid_height); row += NEIGHBOURS_TEAM)
        neighbours_row(&c, x0, min(width, c.grid_width), y0 + row, K, i, x, y, true, list);
}

/* neighbours_sense: the same lists. */
template <int K> __global__ void __launch_bounds__(BLOCK) kernel_neighbours_by_teams(const crowd c)
{
    int32_t i = (int32_t)(blockIdx.x * blockDim.x + threadIdx.x) / NEIGHBOURS_TEAM,
            rank = (int32_t)threadIdx.x % NEIGHBOURS_TEAM;
    bool there = i < c.agents;
    i = there ? i : 0; /* whole warps exchange what they found */
    int32_t slot = c.slot[i], limit = c.neighbours[slot], found[K], count = 0;
    float x = c.sx[i], y = c.sy[i], sight = c.sight[slot], distance[K];
    float radius = fminf(c.reach[slot] + 2 * c.largest_step, sight);
    for (bool again = true; again; radius = sight) {
        nearest_list list;
        team_search<K>(c, i, x, y, radius, &list);
#pragma unroll
        for (int s = 0; s < K; s++)
            take_nearest<K>(&list, &distance[s], &found[s]);
        again = __any_sync(~0u, found[K - 1] < 0 && radius < sight);
    }
    float complete = limit > 0 ? sight * sight : 0;
#pragma unroll
    for (int s = 0; s < K; s++) {
        bool in = found[s] >= 0 && limit > s;
        count += in;
        complete = in && (s == K - 1 || limit == s + 1) ? distance[s] : complete;
        if (there && s % NEIGHBOURS_TEAM == rank)
            c.seen[(int64_t)s * c.stride + i] = in ? c.rank[found[s]] : -1;
    }
    if (!there || rank)
        return;
    c.seen_count[i] = count;
    c.seen_reach[i] = complete;
    c.reach[slot] = found[K - 1] >= 0 ? lane_sqrt(distance[K - 1]) : sight;
}

template <int K> static void sense_neighbours(const throng_backend *b)
{
    const crowd &c = b->c;
    unsigned n = (unsigned)cuda_blocks(c.agents);
    if (c.agents <= NEIGHBOURS_TEAMS_MOST)
        kernel_neighbours_by_teams<K><<<(unsigned)cuda_blocks(c.agents * NEIGHBOURS_TEAM), BLOCK, 0, b->stream>>>(c);
    else if (c.wrap_x > 0)
        kernel_neighbours<K, true><<<n, BLOCK, 0, b->stream>>>(c);
    else
        kernel_neighbours<K, false><<<n, BLOCK, 0, b->stream>>>(c);
}

__global__ void __launch_bounds__(BLOCK) kernel_walls(const crowd c)
{
    AGENT_OR_RETURN(c.agents);
    walls_sense(&c, i, true);
}

/* Lists have as many rows as the kernels are unrolled for. */
static int32_t rows_for(int32_t neighbours)
{
    return neighbours == 0 ? 0 : neighbours <= 10 ? 10 : CROWD_NEIGHBOURS_MAX;
}

bool cuda_fit_grid(throng_backend *b, int32_t cells, int32_t neighbours, throng_error *error)
{
    int32_t rows = rows_for(neighbours);
    if (cells != b->cells) {
        if (!cuda_replace(b, &b->c.cell_start, (size_t)b->cells + 1, (size_t)cells + 1, error))
            return false;
        b->cells = cells;
        CHECK(
            cub::DeviceScan::ExclusiveSum(NULL, b->scan_bytes, b->c.cell_start, b->c.cell_start, cells + 1, b->stream));
        CHECK(cudaFree(b->scan));
        CHECK(cudaMalloc(&b->scan, b->scan_bytes));
    }
    if (rows > b->rows) {
        if (!cuda_replace(b, &b->c.seen, (size_t)b->rows * (size_t)b->capacity, (size_t)rows * (size_t)b->capacity,
                          error))
            return false;
        b->rows = rows;
    }
    b->c.k = rows;
    return true;
}

bool cuda_sense(throng_backend *b, throng_error *error)
{
    const crowd &c = b->c;
    CHECK(cudaMemsetAsync(c.cell_start, 0, ((size_t)b->cells + 1) * 4, b->stream));
    kernel_count<<<cuda_blocks(c.slots), BLOCK, 0, b->stream>>>(c, b->key, b->place, c.cell_start);
    if (!scan_cells(b, error))
        return false;
    kernel_gather<<<cuda_blocks(c.slots), BLOCK, 0, b->stream>>>(c, b->key, b->place);
    if (c.k == 10)
        sense_neighbours<10>(b);
    else if (c.k)
        sense_neighbours<CROWD_NEIGHBOURS_MAX>(b);
    if (c.walls.count)
        kernel_walls<<<cuda_blocks(c.agents), BLOCK, 0, b->stream>>>(c);
    CHECK(cudaGetLastError());
    return true;
}
