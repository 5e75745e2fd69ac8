/* The fronts of a field on CUDA, all of a level at a time.
 *
 * Small fronts are eliminated in shared memory, a block each. Of large ones a strip of own rows at a time, by as many
 * blocks as its columns take, which all factor the strip's square for themselves; the result of that goes below the
 * diagonal, where nothing is, since others may still be reading what it was made of. Then tiles of registers subtract
 * the strip from the own rows behind it, and in the end all own rows from what is left for the ring.
 *
 * Sums are those of the host, term by term (runtime/navigation/field_fronts.c). */
#include "cuda_fields.cuh"

#include <algorithm>

enum {
    FIELDS_STRIP = 32,
    FIELDS_TILE = 32,
    FIELDS_EACH = 4, /* rows and columns of a tile a thread */
    FIELDS_TILE_THREADS = (FIELDS_TILE / FIELDS_EACH) * (FIELDS_TILE / FIELDS_EACH),
    FIELDS_SMALL = 76 /* size of a front that fits in shared memory */
};

/* A level: `rest` is what its fronts leave, `halves` what those of the next left; the first front of either. */
struct field_level_job {
    int32_t depth, first, next;
    long long rest_begin, halves_begin;
    double *rest;
    const double *halves;
};

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

/* --- launches ---------------------------------------------------------------------------------------- */

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

void cuda_field_eliminate(const field_job *j, const field_totals *t, double *const *rest, cudaStream_t stream)
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

void cuda_field_follow(const field_job *j, const field_totals *t, cudaStream_t stream)
{
    for (int32_t d = 0; d <= fronts_depth(&j->g); d++)
        if (t->own[d])
            kernel_field_follow<<<1u << d, (unsigned)threads_for(4 * t->own[d], 1024),
                                  (size_t)t->size[d] * sizeof(double), stream>>>(*j, (1 << d) - 1);
}
