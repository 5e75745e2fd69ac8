/* Stage sense on CUDA.
 *
 * Sorting by cell is a counting sort: every agent draws its place in its cell
 * with an atomic, so the order within a cell differs from run to run. No result
 * depends on it: lists are ordered by (distance, slot), sums run in the order of
 * lists, and counters are integers or maxima. */
#include "cuda.cuh"

#include <cub/device/device_scan.cuh>

#include "neighbours.h"
#include "walls.h"

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
    CHECK(cub::DeviceScan::ExclusiveSum(b->scan, b->scan_bytes, c.cell_start, c.cell_start, b->cells + 1, b->stream));
    kernel_gather<<<cuda_blocks(c.slots), BLOCK, 0, b->stream>>>(c, b->key, b->place);
    bool wraps = c.wrap_x > 0;
    auto neighbours = c.k == 10 ? (wraps ? kernel_neighbours<10, true> : kernel_neighbours<10, false>)
                      : wraps   ? kernel_neighbours<CROWD_NEIGHBOURS_MAX, true>
                                : kernel_neighbours<CROWD_NEIGHBOURS_MAX, false>;
    if (c.k)
        neighbours<<<cuda_blocks(c.agents), BLOCK, 0, b->stream>>>(c);
    if (c.walls.count)
        kernel_walls<<<cuda_blocks(c.agents), BLOCK, 0, b->stream>>>(c);
    CHECK(cudaGetLastError());
    return true;
}
