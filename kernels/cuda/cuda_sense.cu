/* Stage sense on CUDA.
 *
 * Sorting by cell is a counting sort: every agent draws its place in its cell
 * with an atomic, so the order within a cell differs from run to run. No result
 * depends on it: lists are ordered by (distance, slot), sums run in the order of
 * lists, and counters are integers or maxima. */
#include "cuda.cuh"

#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>

#include "cuda_neighbours.cuh"
#include "kernels/sense/overfull_cells.h"

static __device__ __forceinline__ int32_t cell_of(const crowd *c, int32_t slot)
{
    float x = c->x[slot], y = c->y[slot];
    sheets_lay_out(c, slot, &x, &y);
    int32_t column = crowd_column(c, x) & (c->frame.grid_width - 1), row = crowd_row(c, y) & (c->frame.grid_height - 1);
    return row * c->frame.grid_width + column;
}

/* Who is in no cell. */
enum { KEY_DEAD = -1, KEY_HIDDEN = -2 };

/* Behind the cells and what scan_cells' blocks tell each other; 0 before. */
struct sort_overfull {
    int32_t some, hidden; /* some cell holds too many; how many are hidden */
};

/* Four words a thread. */
BODY clear_cells(const crowd &c, int32_t fours)
{
    AGENT_OR_RETURN(fours);
    ((int4 *)c.cell_start)[i] = int4();
}

/* Cell of every living agent, and its place among those of the cell. */
BODY count_cells(const crowd &c, int32_t *key, int32_t *place, int32_t *cell_count, sort_overfull *overfull)
{
    AGENT_OR_RETURN(c.frame.slots);
    if (!c.state[i]) {
        key[i] = KEY_DEAD;
        return;
    }
    int32_t cell = cell_of(&c, i);
    key[i] = cell;
    place[i] = atomicAdd(&cell_count[cell], 1);
    if (place[i] == OVERFULL_SHOWN)
        overfull->some = 1;
}

/* How many cells a block sums up. */
enum { SCAN_BLOCK = 256, SCAN_EACH = 8, SCAN_CELLS = SCAN_BLOCK * SCAN_EACH };

static int scan_blocks(int32_t cells) { return (cells + 1 + SCAN_CELLS - 1) / SCAN_CELLS; }

/* In the overfull ones of this block's cells, gives those who show their places again, and hides the others. By all
 * threads of the block, for each of its cells. */
static __device__ __forceinline__ void hide_overfull(const crowd &c, int32_t *key, int32_t *place, int32_t *cells,
                                                     int32_t all_cells, int32_t *hidden)
{
    static_assert((int)SCAN_CELLS == (int)OVERFULL_BLOCK, "a block's cells are one of those");
    __shared__ int32_t held[SCAN_CELLS], bins[SCAN_CELLS], shown[SCAN_CELLS];
    int32_t own = (int32_t)threadIdx.x * SCAN_EACH, first = (int32_t)blockIdx.x * SCAN_CELLS;
    auto in_heap = [&](int32_t slot) {
        int32_t cell = key[slot] - first;
        return key[slot] >= 0 && cell >= 0 && cell < SCAN_CELLS && held[cell] > OVERFULL_SHOWN;
    };
    for (int e = 0; e < SCAN_EACH; e++) {
        held[own + e] = cells[e];
        bins[own + e] = shown[own + e] = 0;
    }
    __syncthreads();
    for (int32_t slot = (int32_t)threadIdx.x; slot < c.frame.slots; slot += SCAN_BLOCK)
        if (in_heap(slot))
            atomicAdd(&bins[overfull_bin(&c, c.x[slot], c.y[slot], key[slot], all_cells) - first], 1);
    __syncthreads();
    for (int32_t slot = (int32_t)threadIdx.x; slot < c.frame.slots; slot += SCAN_BLOCK) {
        if (!in_heap(slot))
            continue;
        if (overfull_shows(slot, bins[overfull_bin(&c, c.x[slot], c.y[slot], key[slot], all_cells) - first])) {
            place[slot] = atomicAdd(&shown[key[slot] - first], 1);
        } else {
            place[slot] = atomicAdd(hidden, 1);
            key[slot] = KEY_HIDDEN;
        }
    }
    __syncthreads();
    for (int e = 0; e < SCAN_EACH; e++)
        if (cells[e] > OVERFULL_SHOWN)
            cells[e] = shown[own + e];
}

/* What lies in each cell becomes where it begins. A block tells the later ones how many agents it has, plus one; they
 * wait for all before them, which began earlier. `sums` is 0 before. */
BODY scan_cells(const crowd &c, int32_t *key, int32_t *place, int32_t count, int32_t *sums, sort_overfull *overfull)
{
    int32_t *cell_start = c.cell_start;
    typedef cub::BlockScan<int32_t, SCAN_BLOCK> scan;
    typedef cub::BlockReduce<int32_t, SCAN_BLOCK> reduce;
    __shared__ union {
        scan::TempStorage scan;
        reduce::TempStorage reduce;
        int32_t before;
    } shared;
    int32_t cells[SCAN_EACH], own, first = (int32_t)blockIdx.x * SCAN_CELLS + (int32_t)threadIdx.x * SCAN_EACH;
#pragma unroll
    for (int e = 0; e < SCAN_EACH; e++)
        cells[e] = first + e < count ? cell_start[first + e] : 0;
    if (overfull->some)
        hide_overfull(c, key, place, cells, count - 1, &overfull->hidden);
    scan(shared.scan).ExclusiveSum(cells, cells, own);
    if (threadIdx.x == 0)
        atomicExch(&sums[blockIdx.x], own + 1);
    int32_t before = 0;
    for (int32_t block = (int32_t)threadIdx.x; block < (int32_t)blockIdx.x; block += SCAN_BLOCK) {
        int32_t theirs;
        while ((theirs = *(volatile int32_t *)&sums[block]) == 0)
            ;
        before += theirs - 1;
    }
    __syncthreads();
    before = reduce(shared.reduce).Sum(before);
    __syncthreads();
    if (threadIdx.x == 0)
        shared.before = before;
    __syncthreads();
#pragma unroll
    for (int e = 0; e < SCAN_EACH; e++)
        if (first + e < count)
            cell_start[first + e] = cells[e] + shared.before;
}

/* Who stands where in sorted order, and what the sorted columns hold of them. Reading columns of slots from all over is
 * faster than writing sorted ones all over: a million agents take 124 us with the latter. */
BODY place_agents(const crowd &c, int32_t cells, const int32_t *key, const int32_t *place)
{
    AGENT_OR_RETURN(c.frame.slots);
    if (key[i] == KEY_DEAD)
        return;
    int32_t at = c.cell_start[key[i] == KEY_HIDDEN ? cells : key[i]] + place[i];
    c.slot[at] = i;
    c.rank[i] = at;
}

BODY gather(const crowd &c)
{
    AGENT_OR_RETURN(c.frame.agents);
    int32_t slot = c.slot[i];
    float x = c.x[slot], y = c.y[slot], vx = c.vx[slot], vy = c.vy[slot], radius = stadium_planned(&c, slot);
    c.sx[i] = x;
    c.sy[i] = y;
    c.svx[i] = vx;
    c.svy[i] = vy;
    c.sr[i] = radius;
    if (c.sheets.count)
        c.sheet[i] = sheets_of(&c, slot);
}

/* --- neighbours and walls --------------------------------------------------------------------------------------- */

template <int K, bool PLAIN> BODY find_neighbours(const crowd &given)
{
    __shared__ neighbours_noted noted;
    const crowd c = cuda_crowd<PLAIN>(given);
    AGENT_OR_RETURN(c.frame.agents);
    list_neighbours<K>(c, i, &noted);
}

BODY find_walls(const crowd &c)
{
    AGENT_OR_RETURN(c.frame.agents);
    walls_sense(&c, i, true);
}

template <int K> static void sense_neighbours(throng_backend *b)
{
    enum { AT_ONCE = K > 10 ? 5 : 7 }; /* left alone the compiler takes registers for 3 to 6 */
    const crowd &c = b->c;
    int blocks = cuda_blocks(c.frame.agents);
    if (cuda_is_plain(c))
        cuda_launch<find_neighbours<K, true>, BLOCK, AT_ONCE>(&b->queue, blocks, c);
    else
        cuda_launch<find_neighbours<K, false>, BLOCK, AT_ONCE>(&b->queue, blocks, c);
}

/* Lists have as many rows as the kernels are unrolled for. */
static int32_t rows_for(int32_t neighbours)
{
    return neighbours == 0 ? 0 : neighbours <= 10 ? 10 : THRONG_NEIGHBOURS_MAX;
}

/* Behind the cells, what scan_cells' blocks tell each other, and sort_overfull; a multiple of four. */
static size_t cells_and_sums(int32_t cells)
{
    return ((size_t)cells + 1 + (size_t)scan_blocks(cells) + sizeof(sort_overfull) / 4 + 3) / 4 * 4;
}

bool cuda_fit_grid(throng_backend *b, int32_t cells, int32_t neighbours, throng_error *error)
{
    int32_t rows = rows_for(neighbours);
    if (cells != b->cells) {
        if (!cuda_replace(b, &b->c.cell_start, cells_and_sums(b->cells), cells_and_sums(cells), error))
            return false;
        b->cells = cells;
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

static void sort_by_cell(throng_backend *b)
{
    const crowd &c = b->c;
    int32_t *sums = c.cell_start + b->cells + 1;
    sort_overfull *overfull = (sort_overfull *)(sums + scan_blocks(b->cells));
    int32_t fours = (int32_t)(cells_and_sums(b->cells) / 4);
    cuda_launch<clear_cells>(&b->queue, cuda_blocks(fours), c, fours);
    cuda_launch<count_cells>(&b->queue, cuda_blocks(c.frame.slots), c, b->key, b->place, c.cell_start, overfull);
    cuda_launch<scan_cells, SCAN_BLOCK, 1>(&b->queue, scan_blocks(b->cells), c, b->key, b->place, b->cells + 1, sums,
                                           overfull);
    cuda_launch<place_agents>(&b->queue, cuda_blocks(c.frame.slots), c, b->cells, b->key, b->place);
    cuda_launch<gather>(&b->queue, cuda_blocks(c.frame.agents), c);
}

bool cuda_sense(throng_backend *b, throng_error *error)
{
    const crowd &c = b->c;
    sort_by_cell(b);
    b->sensed = c.frame.agents;
    if (c.k == 10)
        sense_neighbours<10>(b);
    else if (c.k)
        sense_neighbours<THRONG_NEIGHBOURS_MAX>(b);
    if (c.walls.count)
        cuda_launch<find_walls, BLOCK, 1>(&b->queue, cuda_blocks(c.frame.agents), c);
    CHECK(cudaGetLastError());
    return true;
}
