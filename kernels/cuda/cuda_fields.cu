/* Fields of goals, by nested dissection (fronts.h): all fronts of a level at a time.
 *
 * Small fronts are eliminated in shared memory, a block each. Of large ones a strip of own rows at a time, by as many
 * blocks as its columns take, which all factor the strip's square for themselves; the result of that goes below the
 * diagonal, where nothing is, since others may still be reading what it was made of. Then tiles of registers subtract
 * the strip from the own rows behind it, and in the end all own rows from what is left for the ring.
 *
 * Sums are those of the host, term by term (runtime/ways/field_fronts.c).
 *
 * Willow takes 8.4 ms on an H200. An open hall of 1,024 x 1,024 cells takes 13.3: what is done before 0.9, small fronts
 * 1.5, strips 2.6, tiles 4.1, the way back to the cells 2.3, and that of the answer to the host 1.6. When every strip
 * subtracted all rows before it by itself, and small fronts were done as large ones, they took 12.2 and 23.3. */
#include "cuda.cuh"

#include <algorithm>
#include <new>

#include <cub/device/device_scan.cuh>

#include "kernels/field_ways.h"

enum {
    FIELDS_STRIP = 32,
    FIELDS_TILE = 32,
    FIELDS_EACH = 4, /* rows and columns of a tile a thread */
    FIELDS_TILE_THREADS = (FIELDS_TILE / FIELDS_EACH) * (FIELDS_TILE / FIELDS_EACH),
    FIELDS_DEPTH_MAX = 32,
    FIELDS_SMALL = 76,     /* size of a front that fits in shared memory */
    FIELDS_SIZE_MAX = 6000 /* of a front: what `follow` has in shared memory */
};

enum {
    FIELDS_CELLS,
    FIELDS_COUNTS,
    FIELDS_SHAPES,
    FIELDS_SUMS,
    FIELDS_SCAN,
    FIELDS_TOTALS,
    FIELDS_HOST_TOTALS, /* pinned */
    FIELDS_ROWS,
    FIELDS_OVER,
    FIELDS_LISTS,
    FIELDS_REST_A,
    FIELDS_REST_B,
    FIELDS_Q,
    FIELDS_U,
    FIELDS_RING,
    FIELDS_WAYS,
    FIELDS_HOST_WAYS, /* pinned */
    FIELDS_BLOCKS
};

struct cuda_fields {
    cuda_block block[FIELDS_BLOCKS];
};

/* Where things of a front begin: its own rows, its places, its own cells, what it leaves (from the level's first on).
 */
struct front_sums {
    long long rows, listed, own, rest;
};

struct add_front_sums {
    __host__ __device__ front_sums operator()(const front_sums &a, const front_sums &b) const
    {
        return {a.rows + b.rows, a.listed + b.listed, a.own + b.own, a.rest + b.rest};
    }
};

struct front_shape {
    int32_t own, size;
};

struct field_totals {
    front_sums at[FIELDS_DEPTH_MAX + 1]; /* of the first front of each level, and behind the last */
    int32_t own[FIELDS_DEPTH_MAX], size[FIELDS_DEPTH_MAX], ring[FIELDS_DEPTH_MAX]; /* the largest */
    int32_t reached, lost;
};

/* A field as the kernels see it. */
struct field_job {
    fronts g;
    const front_shape *shape; /* of all fronts, level after level */
    const front_sums *sums;
    double *rows;             /* own rows of all fronts, [own][size] each */
    double *over;             /* 1 / the diagonal of each own row */
    int32_t *cells;           /* of the fronts' places */
    int32_t *from_a, *from_b; /* where they are in what the halves left; -1: nowhere */
    double *q, *u;
    uint8_t *ring;
    float *x, *y, *aim, *level;
    field_totals *totals;
};

/* A level: `rest` is what its fronts leave, `halves` what those of the next left; the first front of either. */
struct field_level_job {
    int32_t depth, first, next;
    long long rest_begin, halves_begin;
    double *rest;
    const double *halves;
};

static __device__ int32_t depth_of(int32_t front) { return 31 - __clz(front + 1); }

/* --- counting -------------------------------------------------------------------------------------------- */

/* A warp a line: free cells before each place, and free cells with a free one before them in the last line. */
__global__ void kernel_field_count(const uint8_t *cells, int32_t lines, int32_t length, int32_t line_step, int32_t step,
                                   uint16_t *free, uint16_t *edge)
{
    int32_t line = (int32_t)(blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32), lane = threadIdx.x % 32;
    if (line > lines)
        return;
    uint16_t *to_free = free + (int64_t)line * (length + 1), *to_edge = edge + (int64_t)line * (length + 1);
    int32_t free_sum = 0, edge_sum = 0;
    for (int32_t from = 0; from < length; from += 32) {
        int32_t i = from + lane;
        bool in = i < length;
        bool here = in && line < lines && cells[(int64_t)line * line_step + (int64_t)i * step] == FRONTS_FREE;
        bool before = here && line > 0 && cells[(int64_t)(line - 1) * line_step + (int64_t)i * step] == FRONTS_FREE;
        unsigned frees = __ballot_sync(~0u, here), edges = __ballot_sync(~0u, before), mine = (2u << lane) - 1;
        if (in) {
            to_free[i + 1] = (uint16_t)(free_sum + __popc(frees & mine));
            to_edge[i + 1] = (uint16_t)(edge_sum + __popc(edges & mine));
        }
        free_sum += __popc(frees);
        edge_sum += __popc(edges);
    }
    if (lane == 0)
        to_free[0] = to_edge[0] = 0;
}

__global__ void kernel_field_shape(const field_job j, front_shape *shape, front_sums *sums, int32_t count)
{
    int32_t i = (int32_t)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i > count)
        return;
    if (i == count) {
        sums[i] = {};
        return;
    }
    int32_t depth = depth_of(i);
    front f = front_of(&j.g, depth, i - ((1 << depth) - 1));
    int32_t ring = f.size - f.own;
    shape[i] = {f.own, f.size};
    sums[i] = {(long long)f.own * f.size, f.size, f.own, (long long)ring * ring};
    atomicMax(&j.totals->own[depth], f.own);
    atomicMax(&j.totals->size[depth], f.size);
    atomicMax(&j.totals->ring[depth], ring);
}

__global__ void kernel_field_totals(const field_job j, int32_t levels)
{
    int32_t i = threadIdx.x;
    if (i <= levels)
        j.totals->at[i] = j.sums[(1 << i) - 1];
}

/* A block a front. */
__global__ void kernel_field_list(const field_job j)
{
    __shared__ front f, a, b;
    int32_t i = (int32_t)blockIdx.x, depth = depth_of(i), block = i - ((1 << depth) - 1);
    if (threadIdx.x == 0)
        f = front_of(&j.g, depth, block);
    if (threadIdx.x < 2 && depth < fronts_depth(&j.g))
        *(threadIdx.x ? &b : &a) = front_of(&j.g, depth + 1, front_half(&j.g, depth, block, (int32_t)threadIdx.x));
    __syncthreads();
    long long at = j.sums[i].listed;
    for (int32_t k = (int32_t)threadIdx.x, count = front_places(&f); k < count; k += (int32_t)blockDim.x) {
        front_place p;
        if (!front_place_at(&j.g, &f, &a, &b, k, &p))
            continue;
        j.cells[at + p.index] = p.cell;
        j.from_a[at + p.index] = p.a;
        j.from_b[at + p.index] = p.b;
    }
}

/* --- elimination ----------------------------------------------------------------------------------------- */

/* What the halves of a front left. */
struct front_halves {
    const double *a, *b;
    int32_t ring_a, ring_b;
};

static __device__ front_halves halves_of(const field_job &j, const field_level_job &l, int32_t block)
{
    front_halves h = {};
    if (!l.halves)
        return h;
    int32_t a = l.next + front_half(&j.g, l.depth, block, 0), b = l.next + front_half(&j.g, l.depth, block, 1);
    h.a = l.halves + (j.sums[a].rest - l.halves_begin);
    h.b = l.halves + (j.sums[b].rest - l.halves_begin);
    h.ring_a = j.shape[a].size - j.shape[a].own;
    h.ring_b = j.shape[b].size - j.shape[b].own;
    return h;
}

static __device__ double left_by(const double *half, int32_t ring, int32_t i, int32_t j)
{
    return i < j ? half[(int64_t)i * ring + j] : half[(int64_t)j * ring + i];
}

/* What the halves left between two places. */
static __device__ double gathered(const front_halves &h, const int32_t *from_a, const int32_t *from_b, int32_t i,
                                  int32_t k)
{
    double sum = 0;
    int32_t ia = from_a[i], ka = from_a[k], ib = from_b[i], kb = from_b[k];
    if (ia >= 0 && ka >= 0)
        sum += left_by(h.a, h.ring_a, ia, ka);
    if (ib >= 0 && kb >= 0)
        sum += left_by(h.b, h.ring_b, ib, kb);
    return sum;
}

/* Own rows: a block some rows of a front (y), a warp a row. */
__global__ void kernel_field_gather(const field_job j, const field_level_job l)
{
    int32_t block = (int32_t)blockIdx.x, i = l.first + block;
    front_shape s = j.shape[i];
    front_sums at = j.sums[i];
    front_halves h = halves_of(j, l, block);
    const int32_t *cells = j.cells + at.listed;
    for (int32_t row = (int32_t)(blockIdx.y * blockDim.y + threadIdx.y); row < s.own;
         row += (int32_t)(gridDim.y * blockDim.y))
        for (int32_t column = row + (int32_t)threadIdx.x; column < s.size; column += 32) {
            double sum = l.halves ? gathered(h, j.from_a + at.listed, j.from_b + at.listed, row, column) : 0;
            j.rows[at.rows + (int64_t)row * s.size + column] = sum + front_entry(&j.g, cells[row], cells[column]);
        }
}

/* The strip's own square, and its entries over their row's diagonal. */
struct strip_square {
    double d[FIELDS_STRIP][FIELDS_STRIP + 1], part[FIELDS_STRIP][FIELDS_STRIP + 1], over[FIELDS_STRIP];
};

/* Rows begin .. begin + STRIP of each front, from which all before are subtracted: a block so many of the columns
 * behind them (y) as it has threads. */
__global__ void __launch_bounds__(128) kernel_field_strip(const field_job j, const field_level_job l, int32_t begin)
{
    __shared__ strip_square q;
    int32_t i = l.first + (int32_t)blockIdx.x, thread = (int32_t)threadIdx.x, threads = (int32_t)blockDim.x;
    front_shape s = j.shape[i];
    int32_t n = min((int32_t)FIELDS_STRIP, s.own - begin), column = begin + n + (int32_t)blockIdx.y * threads + thread;
    if (n <= 0 || begin + n + (int32_t)blockIdx.y * threads >= s.size)
        return;
    double *rows = j.rows + j.sums[i].rows, *over = j.over + j.sums[i].own;
    double *strip = rows + (int64_t)begin * s.size;
    bool in = column < s.size;
    double v[FIELDS_STRIP];
#pragma unroll
    for (int a = 0; a < FIELDS_STRIP; a++)
        v[a] = in && a < n ? strip[(int64_t)a * s.size + column] : 0;
    for (int32_t e = thread; e < FIELDS_STRIP * FIELDS_STRIP; e += threads) {
        int32_t a = e / FIELDS_STRIP, b = e % FIELDS_STRIP;
        q.d[a][b] = a <= b && b < n ? strip[(int64_t)a * s.size + begin + b] : 0;
    }
    __syncthreads();
    for (int32_t p = 0; p < n; p++) {
        double o = 1 / q.d[p][p];
        for (int32_t e = thread; e < (n - p - 1) * FIELDS_STRIP; e += threads) {
            int32_t a = p + 1 + e / FIELDS_STRIP, b = e % FIELDS_STRIP;
            if (b >= a)
                q.d[a][b] -= (q.d[p][a] * o) * q.d[p][b];
        }
        if (thread == 0)
            q.over[p] = o;
        __syncthreads();
    }
    for (int32_t e = thread; e < FIELDS_STRIP * FIELDS_STRIP; e += threads) {
        int32_t p = e / FIELDS_STRIP, a = e % FIELDS_STRIP;
        q.part[p][a] = p < n && a < n ? q.d[p][a] * q.over[p] : 0;
    }
    __syncthreads();
#pragma unroll
    for (int p = 0; p < FIELDS_STRIP; p++)
        if (p < n) {
#pragma unroll
            for (int a = p + 1; a < FIELDS_STRIP; a++)
                v[a] -= q.part[p][a] * v[p];
        }
#pragma unroll
    for (int a = 0; a < FIELDS_STRIP; a++)
        if (in && a < n)
            strip[(int64_t)a * s.size + column] = v[a];
    if (blockIdx.y)
        return;
    for (int32_t e = thread; e < n * FIELDS_STRIP; e += threads) {
        int32_t p = e / FIELDS_STRIP, a = e % FIELDS_STRIP;
        if (a > p && a < n)
            strip[(int64_t)a * s.size + begin + p] = q.d[p][a];
    }
    for (int32_t p = thread; p < n; p += threads)
        over[begin + p] = q.over[p];
}

/* A tile of a front, EACH x EACH entries a thread: rows and columns from `row` and `column` on, up to `end`. */
struct front_tile {
    int32_t row, column, end;
    double sum[FIELDS_EACH][FIELDS_EACH];
};

/* What own rows have in the tile's rows, over their diagonal, and in its columns. */
struct tile_strip {
    double part[FIELDS_STRIP][FIELDS_TILE + 1], raw[FIELDS_STRIP][FIELDS_TILE + 1];
};

static __device__ __forceinline__ int32_t tile_row(const front_tile &t, int a)
{
    return t.row + (int32_t)threadIdx.x / (FIELDS_TILE / FIELDS_EACH) + a * (FIELDS_TILE / FIELDS_EACH);
}

static __device__ __forceinline__ int32_t tile_column(const front_tile &t, int b)
{
    return t.column + (int32_t)threadIdx.x % (FIELDS_TILE / FIELDS_EACH) + b * (FIELDS_TILE / FIELDS_EACH);
}

/* Subtracts `n` own rows from a tile. */
static __device__ __forceinline__ void subtract_strip(front_tile &t, tile_strip &q, const double *rows, int32_t stride,
                                                      const double *over, int32_t n)
{
    __syncthreads();
    for (int32_t e = (int32_t)threadIdx.x; e < n * FIELDS_TILE; e += FIELDS_TILE_THREADS) {
        int32_t p = e / FIELDS_TILE, k = e % FIELDS_TILE;
        const double *own = rows + (int64_t)p * stride;
        q.part[p][k] = t.row + k < t.end ? own[t.row + k] * over[p] : 0;
        q.raw[p][k] = t.column + k < t.end ? own[t.column + k] : 0;
    }
    __syncthreads();
    for (int32_t p = 0; p < n; p++)
#pragma unroll
        for (int a = 0; a < FIELDS_EACH; a++)
#pragma unroll
            for (int b = 0; b < FIELDS_EACH; b++)
                t.sum[a][b] -= q.part[p][tile_row(t, a) - t.row] * q.raw[p][tile_column(t, b) - t.column];
}

/* Own rows behind a strip, less that: a block a tile (y), `across` of them side by side. */
__global__ void __launch_bounds__(FIELDS_TILE_THREADS)
    kernel_field_update(const field_job j, const field_level_job l, int32_t begin, int32_t across)
{
    __shared__ tile_strip q;
    int32_t i = l.first + (int32_t)blockIdx.x, y = (int32_t)blockIdx.y / across, x = (int32_t)blockIdx.y % across;
    front_shape s = j.shape[i];
    front_tile t = {begin + FIELDS_STRIP + y * FIELDS_TILE, begin + FIELDS_STRIP + x * FIELDS_TILE, s.size, {}};
    if (x < y || t.row >= s.own || t.column >= s.size)
        return;
    double *rows = j.rows + j.sums[i].rows;
#pragma unroll
    for (int a = 0; a < FIELDS_EACH; a++)
#pragma unroll
        for (int b = 0; b < FIELDS_EACH; b++) {
            int32_t row = tile_row(t, a), column = tile_column(t, b);
            if (row < s.own && row <= column && column < s.size)
                t.sum[a][b] = rows[(int64_t)row * s.size + column];
        }
    subtract_strip(t, q, rows + (int64_t)begin * s.size, s.size, j.over + j.sums[i].own + begin, FIELDS_STRIP);
#pragma unroll
    for (int a = 0; a < FIELDS_EACH; a++)
#pragma unroll
        for (int b = 0; b < FIELDS_EACH; b++) {
            int32_t row = tile_row(t, a), column = tile_column(t, b);
            if (row < s.own && row <= column && column < s.size)
                rows[(int64_t)row * s.size + column] = t.sum[a][b];
        }
}

/* What a front leaves: a block a tile of it (y), from the diagonal on, of `across` rows of tiles. */
__global__ void __launch_bounds__(FIELDS_TILE_THREADS)
    kernel_field_rest(const field_job j, const field_level_job l, int32_t across)
{
    __shared__ tile_strip q;
    int32_t i = l.first + (int32_t)blockIdx.x, pair = (int32_t)blockIdx.y, y = 0;
    for (; pair >= across; pair -= across--)
        y++;
    front_shape s = j.shape[i];
    int32_t ring = s.size - s.own;
    front_tile t = {s.own + y * FIELDS_TILE, s.own + (y + pair) * FIELDS_TILE, s.size, {}};
    if (t.column >= s.size)
        return;
    front_sums at = j.sums[i];
    front_halves h = halves_of(j, l, (int32_t)blockIdx.x);
#pragma unroll
    for (int a = 0; a < FIELDS_EACH; a++)
#pragma unroll
        for (int b = 0; b < FIELDS_EACH; b++) {
            int32_t row = tile_row(t, a), column = tile_column(t, b);
            if (l.halves && row <= column && column < s.size)
                t.sum[a][b] = gathered(h, j.from_a + at.listed, j.from_b + at.listed, row, column);
        }
    for (int32_t from = 0; from < s.own; from += FIELDS_STRIP)
        subtract_strip(t, q, j.rows + at.rows + (int64_t)from * s.size, s.size, j.over + at.own + from,
                       min((int32_t)FIELDS_STRIP, s.own - from));
    double *rest = l.rest + (at.rest - l.rest_begin);
#pragma unroll
    for (int a = 0; a < FIELDS_EACH; a++)
#pragma unroll
        for (int b = 0; b < FIELDS_EACH; b++) {
            int32_t row = tile_row(t, a), column = tile_column(t, b);
            if (row <= column && column < s.size)
                rest[(int64_t)(row - s.own) * ring + column - s.own] = t.sum[a][b];
        }
}

/* All of a small front, in shared memory: a block a front, LANES_A_ROW threads a row. */
__global__ void kernel_field_small(const field_job j, const field_level_job l)
{
    extern __shared__ double m[];
    __shared__ double over[FIELDS_SMALL];
    enum { LANES_A_ROW = 16 };
    int32_t i = l.first + (int32_t)blockIdx.x;
    int32_t lane = (int32_t)threadIdx.x % LANES_A_ROW, step = (int32_t)blockDim.x / LANES_A_ROW;
    int32_t mine = (int32_t)threadIdx.x / LANES_A_ROW;
    front_shape s = j.shape[i];
    front_sums at = j.sums[i];
    front_halves h = halves_of(j, l, (int32_t)blockIdx.x);
    const int32_t *cells = j.cells + at.listed;
    for (int32_t row = mine; row < s.size; row += step)
        for (int32_t column = row + lane; column < s.size; column += LANES_A_ROW) {
            double sum = l.halves ? gathered(h, j.from_a + at.listed, j.from_b + at.listed, row, column) : 0;
            m[row * s.size + column] = row < s.own ? sum + front_entry(&j.g, cells[row], cells[column]) : sum;
        }
    __syncthreads();
    for (int32_t p = 0; p < s.own; p++) {
        double o = 1 / m[p * s.size + p];
        if (threadIdx.x == 0)
            over[p] = o;
        for (int32_t row = p + 1 + mine; row < s.size; row += step) {
            double part = m[p * s.size + row] * o;
            for (int32_t column = row + lane; column < s.size; column += LANES_A_ROW)
                m[row * s.size + column] -= part * m[p * s.size + column];
        }
        __syncthreads();
    }
    double *rows = j.rows + at.rows, *rest = l.rest + (at.rest - l.rest_begin);
    int32_t ring = s.size - s.own;
    for (int32_t row = mine; row < s.size; row += step)
        for (int32_t column = row + lane; column < s.size; column += LANES_A_ROW) {
            double value = m[row * s.size + column];
            bool square = column < s.own && column / FIELDS_STRIP == row / FIELDS_STRIP;
            if (row >= s.own)
                rest[(int64_t)(row - s.own) * ring + column - s.own] = value;
            else
                rows[square ? (int64_t)column * s.size + row : (int64_t)row * s.size + column] = value;
        }
    for (int32_t p = (int32_t)threadIdx.x; p < s.own; p += (int32_t)blockDim.x)
        j.over[at.own + p] = over[p];
}

/* --- from the ring to the cells -------------------------------------------------------------------------- */

/* A block a front, a warp a row for the part of the ring; q of its places lies in shared memory, the own rows' sums in
 * the place of their own q. */
__global__ void kernel_field_follow(const field_job j, int32_t first)
{
    extern __shared__ double q[];
    int32_t i = first + (int32_t)blockIdx.x, thread = (int32_t)threadIdx.x, threads = (int32_t)blockDim.x;
    int32_t lane = thread % 32;
    front_shape s = j.shape[i];
    const double *rows = j.rows + j.sums[i].rows, *over = j.over + j.sums[i].own;
    const int32_t *cells = j.cells + j.sums[i].listed;
    for (int32_t k = s.own + thread; k < s.size; k += threads)
        q[k] = cells[k] < 0 ? 1 : j.q[(int64_t)(cells[k] >> 16) * j.g.columns + (cells[k] & 0xffff)];
    __syncthreads();
    for (int32_t p = thread / 32; p < s.own; p += threads / 32) {
        double sum = 0;
        for (int32_t k = s.own + lane; k < s.size; k += FRONTS_PARTS)
            sum += rows[(int64_t)p * s.size + k] * q[k];
        for (int32_t half = FRONTS_PARTS / 2; half; half /= 2)
            sum += __shfl_down_sync(~0u, sum, half);
        if (lane == 0)
            q[p] = sum;
    }
    for (int32_t begin = (s.own - 1) / FIELDS_STRIP * FIELDS_STRIP; s.own && begin >= 0; begin -= FIELDS_STRIP) {
        int32_t n = min((int32_t)FIELDS_STRIP, s.own - begin);
        __syncthreads();
        if (thread < 32) {
            double sum = lane < n ? q[begin + lane] : 0, o = lane < n ? over[begin + lane] : 0;
            for (int32_t p = n - 1; p >= 0; p--) {
                double known = __shfl_sync(~0u, -sum * o, p);
                if (lane < p)
                    sum += rows[(int64_t)(begin + p) * s.size + begin + lane] * known;
                else if (lane == p)
                    q[begin + p] = known;
            }
        }
        __syncthreads();
        for (int32_t row = thread; row < begin; row += threads) {
            double sum = q[row];
            for (int32_t p = n - 1; p >= 0; p--)
                sum += rows[(int64_t)row * s.size + begin + p] * q[begin + p];
            q[row] = sum;
        }
    }
    __syncthreads();
    for (int32_t k = thread; k < s.own; k += threads)
        j.q[(int64_t)(cells[k] >> 16) * j.g.columns + (cells[k] & 0xffff)] = q[k];
}

/* --- ways ------------------------------------------------------------------------------------------------ */

static __device__ field_grid grid_of(const field_job &j) { return {j.g.columns, j.g.rows, j.g.cells, j.u, NULL}; }

__global__ void kernel_field_level(const field_job j, int32_t count)
{
    AGENT_OR_RETURN(count);
    uint8_t cell = j.g.cells[i];
    j.u[i] = cell == FRONTS_FREE ? field_level(j.q[i]) : cell == FRONTS_GOAL ? 0 : -INFINITY;
    j.level[i] = (float)j.u[i];
}

__global__ void kernel_field_way(const field_job j, int32_t count)
{
    AGENT_OR_RETURN(count);
    field_grid g = grid_of(j);
    bool reached = field_reached(&g, i);
    field_way way = {0, 0, 0};
    if (reached && g.cells[i] == FRONTS_FREE)
        way = field_way_from(&g, i);
    j.ring[i] = reached ? 0 : FIELD_NO_RING;
    j.x[i] = way.x;
    j.y[i] = way.y;
    j.aim[i] = way.aim;
    if (!field_holds(&g, i, FIELD_LOWEST))
        atomicOr(&j.totals->lost, 1);
    unsigned there = __activemask();
    unsigned many = __popc(__ballot_sync(there, reached));
    if (__ffs(there) - 1 == (int)(threadIdx.x % 32))
        atomicAdd(&j.totals->reached, (int)many);
}

__global__ void kernel_field_walls(const field_job j, int r, int32_t count)
{
    AGENT_OR_RETURN(count);
    field_grid g = grid_of(j);
    field_way way;
    if (j.ring[i] < r || !field_way_back(&g, j.ring, r, i, &way))
        return;
    j.x[i] = way.x;
    j.y[i] = way.y;
    j.aim[i] = way.aim;
    j.ring[i] = (uint8_t)r;
}

/* --- the host's side ------------------------------------------------------------------------------------- */

static bool no_room(throng_error *error) { return throng_fail(error, "cuda: no memory for a field"); }

static bool count_cells(cuda_fields *s, field_job *j, const uint8_t *cells, cudaStream_t stream, throng_error *error)
{
    int32_t w = j->g.columns, h = j->g.rows;
    size_t places = ((size_t)w + 1) * ((size_t)h + 1), count = (size_t)w * (size_t)h;
    j->g.cells = cuda_upload(&s->block[FIELDS_CELLS], cells, count, stream);
    uint16_t *counts = cuda_room<uint16_t>(&s->block[FIELDS_COUNTS], 4 * places, false);
    if (!j->g.cells || !counts)
        return no_room(error);
    kernel_field_count<<<h / 4 + 1, BLOCK, 0, stream>>>(j->g.cells, h, w, w, 1, counts, counts + places);
    kernel_field_count<<<w / 4 + 1, BLOCK, 0, stream>>>(j->g.cells, w, h, 1, w, counts + 2 * places,
                                                        counts + 3 * places);
    j->g.free_x = counts;
    j->g.edge_x = counts + places;
    j->g.free_y = counts + 2 * places;
    j->g.edge_y = counts + 3 * places;
    CHECK(cudaGetLastError());
    return true;
}

/* Sizes of all fronts; `t`: read back. */
static bool lay_out(cuda_fields *s, field_job *j, field_totals **t, cudaStream_t stream, throng_error *error)
{
    int32_t levels = fronts_depth(&j->g) + 1, count = (1 << levels) - 1;
    cuda_block *b = s->block;
    front_shape *shape = cuda_room<front_shape>(&b[FIELDS_SHAPES], (size_t)count, false);
    front_sums *sums = cuda_room<front_sums>(&b[FIELDS_SUMS], 2 * ((size_t)count + 1), false);
    j->totals = cuda_room<field_totals>(&b[FIELDS_TOTALS], 1, false);
    *t = cuda_room<field_totals>(&b[FIELDS_HOST_TOTALS], 1, true);
    if (!shape || !sums || !j->totals || !*t)
        return no_room(error);
    front_sums *each = sums + count + 1;
    CHECK(cudaMemsetAsync(j->totals, 0, sizeof *j->totals, stream));
    kernel_field_shape<<<count / BLOCK + 1, BLOCK, 0, stream>>>(*j, shape, each, count);
    size_t bytes = 0;
    CHECK(cub::DeviceScan::ExclusiveScan(NULL, bytes, each, sums, add_front_sums(), front_sums{}, count + 1, stream));
    void *scan = cuda_room<char>(&b[FIELDS_SCAN], bytes, false);
    if (!scan)
        return no_room(error);
    CHECK(cub::DeviceScan::ExclusiveScan(scan, bytes, each, sums, add_front_sums(), front_sums{}, count + 1, stream));
    j->shape = shape;
    j->sums = sums;
    kernel_field_totals<<<1, FIELDS_DEPTH_MAX + 1, 0, stream>>>(*j, levels);
    CHECK(cudaMemcpyAsync(*t, j->totals, sizeof **t, cudaMemcpyDeviceToHost, stream));
    CHECK(cudaStreamSynchronize(stream));
    return true;
}

static bool allocate_fronts(cuda_fields *s, field_job *j, const field_totals *t, double **rest, throng_error *error)
{
    int32_t levels = fronts_depth(&j->g) + 1;
    const front_sums *all = &t->at[levels];
    size_t cells = (size_t)j->g.columns * (size_t)j->g.rows, most[2] = {1, 1};
    for (int32_t d = 0; d < levels; d++)
        most[d % 2] = std::max(most[d % 2], (size_t)(t->at[d + 1].rest - t->at[d].rest));
    cuda_block *b = s->block;
    j->rows = cuda_room<double>(&b[FIELDS_ROWS], (size_t)all->rows, false);
    j->over = cuda_room<double>(&b[FIELDS_OVER], (size_t)all->own, false);
    j->cells = cuda_room<int32_t>(&b[FIELDS_LISTS], 3 * (size_t)all->listed, false);
    j->from_a = j->cells + all->listed;
    j->from_b = j->from_a + all->listed;
    rest[0] = cuda_room<double>(&b[FIELDS_REST_A], most[0], false);
    rest[1] = cuda_room<double>(&b[FIELDS_REST_B], most[1], false);
    j->q = cuda_room<double>(&b[FIELDS_Q], cells, false);
    j->u = cuda_room<double>(&b[FIELDS_U], cells, false);
    j->ring = cuda_room<uint8_t>(&b[FIELDS_RING], cells, false);
    j->x = cuda_room<float>(&b[FIELDS_WAYS], 4 * cells, false);
    j->y = j->x + cells;
    j->aim = j->y + cells;
    j->level = j->aim + cells;
    bool ok = j->rows && j->over && j->cells && rest[0] && rest[1] && j->q && j->u && j->ring && j->x;
    return ok || no_room(error);
}

/* Threads of a block that has something to do for each of so many. */
static int32_t threads_for(int32_t each, int32_t most) { return std::min(most, (each + 31) / 32 * 32); }

static void eliminate_large(const field_job *j, const field_totals *t, const field_level_job *l, cudaStream_t stream)
{
    unsigned fronts = 1u << l->depth;
    int32_t own = t->own[l->depth], size = t->size[l->depth], threads = threads_for(size, 128);
    int32_t tiles = (t->ring[l->depth] + FIELDS_TILE - 1) / FIELDS_TILE;
    if (own)
        kernel_field_gather<<<dim3(fronts, (unsigned)(own + 15) / 16), dim3(32, 8), 0, stream>>>(*j, *l);
    for (int32_t begin = 0; begin < own; begin += FIELDS_STRIP) {
        kernel_field_strip<<<dim3(fronts, (unsigned)((size - begin) / threads + 1)), (unsigned)threads, 0, stream>>>(
            *j, *l, begin);
        int32_t left = own - begin - FIELDS_STRIP, down = (left + FIELDS_TILE - 1) / FIELDS_TILE;
        int32_t across = (size - begin - FIELDS_STRIP + FIELDS_TILE - 1) / FIELDS_TILE;
        if (left > 0)
            kernel_field_update<<<dim3(fronts, (unsigned)(down * across)), FIELDS_TILE_THREADS, 0, stream>>>(
                *j, *l, begin, across);
    }
    kernel_field_rest<<<dim3(fronts, (unsigned)(tiles * (tiles + 1) / 2)), FIELDS_TILE_THREADS, 0, stream>>>(*j, *l,
                                                                                                             tiles);
}

static void eliminate(const field_job *j, const field_totals *t, double *const *rest, cudaStream_t stream)
{
    int32_t deepest = fronts_depth(&j->g);
    for (int32_t d = deepest; d >= 0; d--) {
        field_level_job l = {d,
                             (1 << d) - 1,
                             (2 << d) - 1,
                             t->at[d].rest,
                             t->at[d + 1].rest,
                             rest[d % 2],
                             d < deepest ? rest[(d + 1) % 2] : NULL};
        size_t size = (size_t)t->size[d];
        if (size <= FIELDS_SMALL)
            kernel_field_small<<<1u << d, size <= 40 ? 64 : 256, size * size * sizeof(double), stream>>>(*j, l);
        else
            eliminate_large(j, t, &l, stream);
    }
}

static void follow(const field_job *j, const field_totals *t, cudaStream_t stream)
{
    for (int32_t d = 0; d <= fronts_depth(&j->g); d++)
        if (t->own[d])
            kernel_field_follow<<<1u << d, (unsigned)threads_for(4 * t->own[d], 1024),
                                  (size_t)t->size[d] * sizeof(double), stream>>>(*j, (1 << d) - 1);
}

static void find_ways(const field_job *j, cudaStream_t stream)
{
    int32_t count = j->g.columns * j->g.rows;
    kernel_field_level<<<cuda_blocks(count), BLOCK, 0, stream>>>(*j, count);
    kernel_field_way<<<cuda_blocks(count), BLOCK, 0, stream>>>(*j, count);
    for (int r = 1; r <= FIELD_RINGS; r++)
        kernel_field_walls<<<cuda_blocks(count), BLOCK, 0, stream>>>(*j, r, count);
}

/* The ways as they come, in the host's pages, which are there by then; zero where the potential does not hold. */
static bool bring(cuda_fields *s, const field_job *j, field_totals *t, throng_field_answer *a, cudaStream_t stream,
                  throng_error *error)
{
    size_t cells = (size_t)j->g.columns * (size_t)j->g.rows;
    float *ways = cuda_room<float>(&s->block[FIELDS_HOST_WAYS], 4 * cells, true),
          *to[] = {a->x, a->y, a->aim, a->level};
    if (!ways)
        return no_room(error);
    CHECK(cudaMemcpyAsync(t, j->totals, sizeof *t, cudaMemcpyDeviceToHost, stream));
    CHECK(cudaMemcpyAsync(ways, j->x, 4 * cells * sizeof *ways, cudaMemcpyDeviceToHost, stream));
    for (float *array : to)
        memset(array, 0, cells * sizeof *array);
    CHECK(cudaStreamSynchronize(stream));
    for (int i = 0; i < 4 && !t->lost; i++)
        memcpy(to[i], ways + i * cells, cells * sizeof *ways);
    a->reached = t->reached;
    return true;
}

bool cuda_solve_field(throng_backend *b, const uint8_t *cells, int32_t columns, int32_t rows,
                      throng_field_answer *answer, throng_error *error)
{
    answer->solved = false;
    if (columns > FRONTS_SIDE_MAX || rows > FRONTS_SIDE_MAX)
        return true;
    if (!b->fields && !(b->fields = new (std::nothrow) cuda_fields()))
        return throng_fail(error, "out of memory for fields");
    field_job j = {};
    j.g.columns = columns;
    j.g.rows = rows;
    j.g.halvings_x = fronts_halvings(columns);
    j.g.halvings_y = fronts_halvings(rows);
    field_totals *t;
    double *rest[2];
    if (!count_cells(b->fields, &j, cells, b->stream, error) || !lay_out(b->fields, &j, &t, b->stream, error))
        return false;
    int32_t levels = fronts_depth(&j.g) + 1, fronts = (1 << levels) - 1;
    int32_t largest = *std::max_element(t->size, t->size + levels);
    if (t->at[levels].rows > FRONTS_ENTRIES_MAX || largest > FIELDS_SIZE_MAX)
        return true;
    if (!allocate_fronts(b->fields, &j, t, rest, error))
        return false;
    kernel_field_list<<<(unsigned)fronts, 64, 0, b->stream>>>(j);
    eliminate(&j, t, rest, b->stream);
    follow(&j, t, b->stream);
    find_ways(&j, b->stream);
    CHECK(cudaGetLastError());
    if (!bring(b->fields, &j, t, answer, b->stream, error))
        return false;
    answer->solved = !t->lost;
    return true;
}

void cuda_free_fields(throng_backend *b)
{
    if (!b->fields)
        return;
    for (cuda_block &block : b->fields->block)
        cuda_free_block(&block);
    delete b->fields;
    b->fields = NULL;
}
