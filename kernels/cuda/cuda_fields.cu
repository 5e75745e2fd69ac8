/* Fields of goals, by nested dissection (fronts.h): the fronts are laid out here, eliminated and followed back to the
 * cells in cuda_fields_fronts.cu, and paths found from what they give.
 *
 * Willow takes 8.4 ms on an H200. An open hall of 1,024 x 1,024 cells takes 13.3: what is done before 0.9, small fronts
 * 1.5, strips 2.6, tiles 4.1, the way back to the cells 2.3, and that of the answer to the host 1.6. When every strip
 * subtracted all rows before it by itself, and small fronts were done as large ones, they took 12.2 and 23.3. */
#include "cuda_fields.cuh"

#include <algorithm>
#include <new>

#include <cub/device/device_scan.cuh>

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
    FIELDS_DIRECTIONS,
    FIELDS_HOST_DIRECTIONS, /* pinned */
    FIELDS_BLOCKS
};

struct cuda_fields {
    cuda_block block[FIELDS_BLOCKS];
};

struct add_front_sums {
    __host__ __device__ front_sums operator()(const front_sums &a, const front_sums &b) const
    {
        return {a.rows + b.rows, a.listed + b.listed, a.own + b.own, a.rest + b.rest};
    }
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

/* --- paths ------------------------------------------------------------------------------------------------ */

static __device__ field_grid grid_of(const field_job &j) { return {j.g.columns, j.g.rows, j.g.cells, j.u}; }

__global__ void kernel_field_level(const field_job j, int32_t count)
{
    AGENT_OR_RETURN(count);
    uint8_t cell = j.g.cells[i];
    j.u[i] = cell == FRONTS_FREE ? field_level(j.q[i]) : cell == FRONTS_GOAL ? 0 : -INFINITY;
    j.level[i] = (float)j.u[i];
}

__global__ void kernel_field_direction(const field_job j, int32_t count)
{
    AGENT_OR_RETURN(count);
    field_grid g = grid_of(j);
    bool reached = field_reached(&g, i);
    field_direction direction = {0, 0, 0};
    if (reached && g.cells[i] == FRONTS_FREE)
        direction = field_direction_from(&g, i);
    j.ring[i] = reached ? 0 : FIELD_NO_RING;
    j.x[i] = direction.x;
    j.y[i] = direction.y;
    j.aim[i] = direction.aim;
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
    field_direction direction;
    if (j.ring[i] < r || !field_direction_back(&g, j.ring, r, i, &direction))
        return;
    j.x[i] = direction.x;
    j.y[i] = direction.y;
    j.aim[i] = direction.aim;
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
    j->x = cuda_room<float>(&b[FIELDS_DIRECTIONS], 4 * cells, false);
    j->y = j->x + cells;
    j->aim = j->y + cells;
    j->level = j->aim + cells;
    bool ok = j->rows && j->over && j->cells && rest[0] && rest[1] && j->q && j->u && j->ring && j->x;
    return ok || no_room(error);
}

static void find_directions(const field_job *j, cudaStream_t stream)
{
    int32_t count = j->g.columns * j->g.rows;
    kernel_field_level<<<cuda_blocks(count), BLOCK, 0, stream>>>(*j, count);
    kernel_field_direction<<<cuda_blocks(count), BLOCK, 0, stream>>>(*j, count);
    for (int r = 1; r <= FIELD_RINGS; r++)
        kernel_field_walls<<<cuda_blocks(count), BLOCK, 0, stream>>>(*j, r, count);
}

/* The paths as they come, in the host's pages, which are there by then; zero where the potential does not hold. */
static bool bring(cuda_fields *s, const field_job *j, field_totals *t, throng_field_answer *a, cudaStream_t stream,
                  throng_error *error)
{
    size_t cells = (size_t)j->g.columns * (size_t)j->g.rows;
    float *directions = cuda_room<float>(&s->block[FIELDS_HOST_DIRECTIONS], 4 * cells, true),
          *to[] = {a->x, a->y, a->aim, a->level};
    if (!directions)
        return no_room(error);
    CHECK(cudaMemcpyAsync(t, j->totals, sizeof *t, cudaMemcpyDeviceToHost, stream));
    CHECK(cudaMemcpyAsync(directions, j->x, 4 * cells * sizeof *directions, cudaMemcpyDeviceToHost, stream));
    for (float *array : to)
        memset(array, 0, cells * sizeof *array);
    CHECK(cudaStreamSynchronize(stream));
    for (int i = 0; i < 4 && !t->lost; i++)
        memcpy(to[i], directions + i * cells, cells * sizeof *directions);
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
    if (!count_cells(b->fields, &j, cells, cuda_stream(b), error) || !lay_out(b->fields, &j, &t, cuda_stream(b), error))
        return false;
    int32_t levels = fronts_depth(&j.g) + 1, fronts = (1 << levels) - 1;
    int32_t largest = *std::max_element(t->size, t->size + levels);
    if (t->at[levels].rows > FIELDS_ENTRIES_MAX || largest > FIELDS_SIZE_MAX)
        return true;
    if (!allocate_fronts(b->fields, &j, t, rest, error))
        return false;
    kernel_field_list<<<(unsigned)fronts, 64, 0, cuda_stream(b)>>>(j);
    cuda_field_eliminate(&j, t, rest, cuda_stream(b));
    cuda_field_follow(&j, t, cuda_stream(b));
    find_directions(&j, cuda_stream(b));
    CHECK(cudaGetLastError());
    if (!bring(b->fields, &j, t, answer, cuda_stream(b), error))
        return false;
    answer->solved = !t->lost;
    return true;
}

size_t cuda_fields_bytes(const throng_backend *b)
{
    return b->fields ? cuda_blocks_bytes(b->fields->block, FIELDS_BLOCKS, false) : 0;
}

void cuda_end_fields(throng_backend *b)
{
    for (int i = 0; b->fields && i < FIELDS_BLOCKS; i++)
        if (!b->fields->block[i].pinned)
            cuda_free_block(&b->fields->block[i]);
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
