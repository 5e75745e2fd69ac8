/* BVP on CUDA: a team of threads of one warp has a map, each a tile of it, four columns wide, or two where those would
 * not fit, in registers. Gives what plan_bvp gives.
 *
 * A turn of a colour takes a shuffle for two cells of a tile's sides and one for each of its lower and upper cells, and
 * whether a cell lies in the colour is known when this is compiled, as tiles begin in even columns and rows.
 *
 * Tiles are as high as the map: fewest shuffles, and a warp has as many maps as that makes room for. (A thread a
 * column, a warp a map, took 2.2 times as long a sweep: four shuffles for two cells, a third of the threads without a
 * column; in shared memory it was slower still.)
 *
 * The whole stage on an H200, by its own clock, with maps of 21 x 21 cells of 0.25 m, 32 and 64 sweeps: 1.28 and 1.63
 * ms for 100,000 agents, 0.16 and 0.22 for 10,000; before it looked beyond the lists 0.67 and 1.09, 0.09 and 0.127.
 * (With what is beyond shared out, a thread each, 2.5 and 2.9: they part at every step.) When a warp drew its maps one
 * after the other, a column a thread, with cells of 0.25 m: 1.08 and 1.5, 0.16 and 0.21, by the host's clock. */
#include "cuda_bvp.cuh"

#include "kernels/planners/probe.h"

struct bvp_shared {
    bvp_scene scene;
    bvp_map map;
    float slope_from[4]; /* q left, right, down and up of the middle */
};

template <int THREADS>
static __device__ void bvp_look_around(const crowd *c, int32_t i, const bvp_slot *thread_slot, bvp_map *m,
                                       bvp_scene *scene)
{
    int others = 0, walls = 0;
    bool in_the_way = false;
    for (int from = 0; from < c->k; from += THREADS) {
        int s = from + thread_slot->thread;
        bvp_other o = {};
        char4 box = {};
        if (thread_slot->there && s < c->k && (o = bvp_see_other(c, m, bvp_find_other(c, i, s, true))).there) {
            float reach = lane_sqrt(o.keep);
            box = bvp_box(m, o.x - reach, o.x + reach, o.y - reach, o.y + reach);
            in_the_way |= bvp_in_the_way(m, &o);
        }
        others =
            bvp_append(thread_slot, o.there && bvp_box_holds(box), o, box, scene->around.other, scene->other, others);
    }
    for (int from = 0; c->walls.count && from < THRONG_WALLS_MAX; from += THREADS) {
        int s = from + thread_slot->thread;
        bvp_wall w = {};
        char4 box = {};
        if (thread_slot->there && s < THRONG_WALLS_MAX && (w = bvp_see_wall(m, bvp_find_wall(c, i, s, true))).there) {
            float reach = BVP_TOUCH * m->radius;
            box = bvp_box(m, fminf(w.ax, w.ax + w.ex) - reach, fmaxf(w.ax, w.ax + w.ex) + reach,
                          fminf(w.ay, w.ay + w.ey) - reach, fmaxf(w.ay, w.ay + w.ey) + reach);
        }
        walls = bvp_append(thread_slot, w.there && bvp_box_holds(box), w, box, scene->around.wall, scene->wall, walls);
    }
    uint32_t hindered = __ballot_sync(~0u, in_the_way) & thread_slot->team;
    m->free = m->free && !hindered;
    if (thread_slot->thread == 0 && thread_slot->there) {
        scene->around.others = others;
        scene->around.walls = walls;
    }
    __syncwarp();
}

/* --- the map ----------------------------------------------------------------------------------------------- */

/* Those of `count` boxes that meet the tile. Everything is only looked at in its own cells: to look at all in all of
 * them took half of a map's time. */
template <int SIDE>
static __device__ uint32_t bvp_overlapping(const bvp_slot *thread_slot, const char4 *boxes, int count)
{
    uint32_t overlapping = 0;
    for (int s = 0; s < count; s++) {
        char4 box = boxes[s];
        bool meets = box.x < thread_slot->left + bvp_shape<SIDE>::COLUMNS && box.z >= thread_slot->left &&
                     box.y < SIDE && box.w >= 0;
        overlapping |= (uint32_t)meets << s;
    }
    return overlapping;
}

/* Bit j of a column: the cell is an obstacle, if it is seen. */
template <int SIDE>
static __device__ void bvp_block(const bvp_map *m, const bvp_slot *thread_slot, const bvp_scene *scene,
                                 bvp_rows<SIDE> blocked[bvp_shape<SIDE>::COLUMNS])
{
    float x = (float)(thread_slot->left - m->column), keep = bvp_keep_from_walls(m);
    for (uint32_t rest = bvp_overlapping<SIDE>(thread_slot, scene->other, scene->around.others); rest;
         rest &= rest - 1) {
        int s = __ffs(rest) - 1;
        bvp_other o = scene->around.other[s];
        for (int j = scene->other[s].y, to = min(scene->other[s].w, SIDE - 1); j <= to; j++)
#pragma unroll
            for (int a = 0; a < bvp_shape<SIDE>::COLUMNS; a++)
                blocked[a] |= (bvp_rows<SIDE>)bvp_touches(&o, (x + a) * m->cell, (float)(j - m->row) * m->cell) << j;
    }
    for (uint32_t rest = bvp_overlapping<SIDE>(thread_slot, scene->wall, scene->around.walls); rest; rest &= rest - 1) {
        int s = __ffs(rest) - 1;
        bvp_wall w = scene->around.wall[s];
        for (int j = scene->wall[s].y, to = min(scene->wall[s].w, SIDE - 1); j <= to; j++)
#pragma unroll
            for (int a = 0; a < bvp_shape<SIDE>::COLUMNS; a++)
                blocked[a] |=
                    (bvp_rows<SIDE>)bvp_touches_wall(&w, keep, (x + a) * m->cell, (float)(j - m->row) * m->cell) << j;
    }
}

/* A tile's cells that are obstacles by what the lists lack: rare, and out of line. */
template <int SIDE> struct bvp_tile_blocked {
    bvp_rows<SIDE> column[bvp_shape<SIDE>::COLUMNS];
};

template <int SIDE>
static __device__ __noinline__ bvp_tile_blocked<SIDE> bvp_block_beyond(const crowd *c, int32_t i, int32_t slot,
                                                                       const bvp_map m, int left)
{
    constexpr int COLUMNS = bvp_shape<SIDE>::COLUMNS;
    bvp_tile_blocked<SIDE> blocked = {};
    float keep = bvp_keep_from_walls(&m);
    auto mark = [&](char4 box, auto touches) {
        if (box.x >= left + COLUMNS || box.z < left)
            return;
        for (int j = (int)box.y, to = min((int)box.w, SIDE - 1); j <= to; j++)
#pragma unroll
            for (int a = 0; a < COLUMNS; a++)
                blocked.column[a] |=
                    (bvp_rows<SIDE>)touches((float)(left + a - m.column) * m.cell, (float)(j - m.row) * m.cell) << j;
    };
    bvp_visit_beyond(
        c, i, slot, &m,
        [&](bvp_other o, char4 box) { mark(box, [&](float x, float y) { return bvp_touches(&o, x, y); }); },
        [&](bvp_wall w, char4 box) { mark(box, [&](float x, float y) { return bvp_touches_wall(&w, keep, x, y); }); });
    return blocked;
}

/* Cells of the rim that are the intermediate goal. */
template <int SIDE>
static __device__ void bvp_lead_on(const bvp_map *m, const bvp_slot *thread_slot,
                                   bvp_rows<SIDE> ones[bvp_shape<SIDE>::COLUMNS])
{
    typedef bvp_rows<SIDE> rows;
    constexpr int COLUMNS = bvp_shape<SIDE>::COLUMNS;
    int right = m->width - 1, top = m->height - 1,
        edge = thread_slot->left == 0 ? 0 : right - thread_slot->left; /* the column of the rim's, if it is one */
    float low = (float)-m->row, high = (float)(top - m->row);
    rows side = 0;
    if (edge >= 0 && edge < COLUMNS)
        for (int j = 0, to = min(top, SIDE - 1); j <= to; j++)
            side |= (rows)bvp_leads_on(m, (float)(thread_slot->left + edge - m->column), (float)(j - m->row)) << j;
#pragma unroll
    for (int a = 0; a < COLUMNS; a++) {
        float x = (float)(thread_slot->left + a - m->column);
        ones[a] = a == edge ? side : 0;
        if (thread_slot->left + a > right || a == edge)
            continue;
        ones[a] |= (rows)bvp_leads_on(m, x, low);
        if (top < SIDE)
            ones[a] |= (rows)bvp_leads_on(m, x, high) << top;
    }
}

/* What bvp_cell says of the tile's cells. Columns and rows that the map does not have do not change and are 0. */
template <int SIDE>
static __device__ void bvp_draw(const crowd *c, int32_t sorted, int32_t slot, const bvp_map *m,
                                const bvp_slot *thread_slot, const bvp_scene *scene, bvp_tile<SIDE> *t)
{
    typedef bvp_rows<SIDE> rows;
    constexpr int COLUMNS = bvp_shape<SIDE>::COLUMNS;
    int right = m->width - 1, top = m->height - 1, own_row = m->row, goal_row = 0;
    rows blocked[COLUMNS] = {}, ones[COLUMNS];
    bvp_block<SIDE>(m, thread_slot, scene, blocked);
    if (bvp_has_beyond(c, sorted, slot, m)) {
        bvp_tile_blocked<SIDE> more = bvp_block_beyond<SIDE>(c, sorted, slot, *m, thread_slot->left);
#pragma unroll
        for (int a = 0; a < COLUMNS; a++)
            blocked[a] |= more.column[a];
    }
    bvp_lead_on<SIDE>(m, thread_slot, ones);
    float goal_y = m->goal_y + (float)m->row;
    bool goal = goal_y >= (float)m->zone && goal_y <= (float)(top - m->zone);
    if (goal)
        goal_row = (int)goal_y;
    goal = goal && goal_row >= 0 && goal_row < SIDE;
#pragma unroll
    for (int a = 0; a < COLUMNS; a++) {
        int i = thread_slot->left + a;
        float x = (float)(i - m->column);
        rows goals = goal && m->goal_x == x ? (rows)1 << goal_row : 0;
        rows given = i >= m->zone && i <= right - m->zone ? blocked[a] | goals : 0;
        if (i == m->column && own_row >= 0 && own_row < SIDE)
            given &= ~((rows)1 << own_row);
        for (rows rest = given; rest; rest &= rest - 1) {
            int j = bvp_lowest(rest);
            if (!bvp_seen(m, x, (float)(j - own_row)))
                given ^= (rows)1 << j;
        }
        t->changes[a] = i > 0 && i < right ? (((rows)1 << top) - 2) & ~given : 0;
        ones[a] |= goals & given;
#pragma unroll
        for (int j = 0; j < SIDE; j++)
            t->q[a][j] = ones[a] >> j & 1 ? 1.0f : 0.0f;
    }
}

/* Draws the tile of the map of sorted agent i, who is in `slot`. */
template <int SIDE>
static __device__ void bvp_begin(const crowd *c, int32_t i, int32_t slot, const bvp_layout *l,
                                 const bvp_slot *thread_slot, bvp_shared *s, bvp_tile<SIDE> *t)
{
    float dx, dy;
    bvp_map m = {};
    if (thread_slot->there) {
        plan_desired(c, i, true, slot, &dx, &dy);
        bvp_read(c, i, slot, &m);
        bvp_lay_out(c, true, slot, l, &m);
        bvp_face(c, true, slot, l->entry, dx, dy, &m);
        bvp_bend(c, true, slot, l->entry, &m);
    }
    bvp_look_around<bvp_shape<SIDE>::THREADS>(c, i, thread_slot, &m, &s->scene);
    if (thread_slot->there)
        m.free = m.free && !(bvp_has_beyond(c, i, slot, &m) && bvp_hindered_beyond(c, i, slot, m));
    if (thread_slot->there)
        bvp_draw<SIDE>(c, i, slot, &m, thread_slot, &s->scene, t);
    else
        *t = {};
    if (thread_slot->there && thread_slot->thread == 0)
        s->map = m;
    __syncwarp();
}

/* --- relaxation -------------------------------------------------------------------------------------------- */

/* Maps that are relaxed do not change any more. Factors take a division, so each thread of a team has those of another
 * sweep. */
template <int SIDE, bool BENDS, bool WATCH>
static __device__ void bvp_relax(const bvp_map *m, const bvp_slot *thread_slot, int sweeps, bvp_tile<SIDE> *t)
{
    int most = sweeps;
#pragma unroll
    for (int q = 1; q < 32; q *= 2)
        most = max(most, __shfl_xor_sync(~0u, most, q));
    bvp_factors mine = {};
    for (int n = 0; n < most; n++) {
        int whose = n % bvp_shape<SIDE>::THREADS;
        if (whose == 0)
            mine = bvp_sweep_factors(m, n + thread_slot->thread);
        bvp_factors f = bvp_factors_of<BENDS>(mine, (int)threadIdx.x % 32 - thread_slot->thread + whose);
        float first = bvp_turn<SIDE, BENDS, WATCH>(&f, 0, t);
        float second = bvp_turn<SIDE, BENDS, WATCH>(&f, 1, t);
        bool more = n + 1 < sweeps;
        if (WATCH) {
            uint32_t above = __ballot_sync(~0u, lane_max(first, second) > m->residual);
            more = more && (m->residual == 0 || above & thread_slot->team);
        }
        if (!more) {
            sweeps = 0;
#pragma unroll
            for (int a = 0; a < bvp_shape<SIDE>::COLUMNS; a++)
                t->changes[a] = 0;
        }
        if (WATCH && !__any_sync(~0u, more))
            break;
    }
}

/* What is next to the middle. */
template <int SIDE>
static __device__ void bvp_leave(const bvp_tile<SIDE> *t, const bvp_slot *thread_slot, const bvp_map *m,
                                 float slope_from[4])
{
#pragma unroll
    for (int a = 0; a < bvp_shape<SIDE>::COLUMNS; a++) {
        int column = thread_slot->left + a - m->column;
#pragma unroll
        for (int j = 0; j < SIDE; j++) {
            int row = j - m->row;
            if (row == 0 && (column == -1 || column == 1))
                slope_from[column > 0] = t->q[a][j];
            if (column == 0 && (row == -1 || row == 1))
                slope_from[2 + (row > 0)] = t->q[a][j];
        }
    }
}

/* --- kernels ----------------------------------------------------------------------------------------------- */

/* What is out of line reads `c` where it is: to copy it there, 2 KB a thread, took up to three quarters of the stage.
 */
template <int MORE_THAN, int SIDE>
__global__ void __launch_bounds__(32 * BVP_WARPS) kernel_plan_bvp(const __grid_constant__ crowd c)
{
    typedef bvp_shape<SIDE> shape;
    __shared__ bvp_shared shared[BVP_WARPS][shape::MAPS];
    await_previous_launch();
    int lane = (int)threadIdx.x % 32, warp = (int)threadIdx.x / 32, at = lane / shape::THREADS;
    int32_t i = (int32_t)(blockIdx.x * BVP_WARPS + warp) * shape::MAPS + at;
    int32_t slot = at < shape::MAPS && i < c.frame.agents ? c.slot[i] : -1;
    bvp_layout layout = slot < 0 ? bvp_layout() : bvp_layout_of(&c, slot);
    bvp_slot thread_slot = bvp_slot_of<SIDE>(lane, slot >= 0 && bvp_needs(&c, &layout, MORE_THAN, SIDE));
    if (!__any_sync(~0u, thread_slot.there))
        return;
    bvp_shared *s = &shared[warp][at < shape::MAPS ? at : 0];
    bvp_tile<SIDE> t;
    bvp_begin<SIDE>(&c, i, slot, &layout, &thread_slot, s, &t);
    bvp_relax_all<SIDE>(&s->map, &thread_slot, &t);
    if (thread_slot.there)
        bvp_leave<SIDE>(&t, &thread_slot, &s->map, s->slope_from);
    __syncwarp();
    if (thread_slot.there && thread_slot.thread == 0) {
        const float *q = s->slope_from;
        bvp_store(&c, &s->map, i, true, slot, q[1] - q[0], q[3] - q[2]);
    }
}

/* Of SIDE cells along the longer side and more than MORE_THAN; `sizes`: bit cells - 1 for each there is. */
template <int MORE_THAN, int SIDE> static void bvp_launch(const planning &p, uint64_t sizes)
{
    const int maps = BVP_WARPS * bvp_shape<SIDE>::MAPS;
    if (sizes >> MORE_THAN & (~0ull >> (64 - (SIDE - MORE_THAN))))
        cuda_launch(kernel_plan_bvp<MORE_THAN, SIDE>, (p.c.frame.agents + maps - 1) / maps, 32 * BVP_WARPS, p.stream,
                    p.c);
}

bool cuda_plan_bvp(const planning &p, uint64_t sizes, throng_error *error)
{
    if (p.c.computed[THRONG_bvp_width] || p.c.computed[THRONG_bvp_height])
        sizes = ~0ull;
    bvp_launch<0, 11>(p, sizes);
    bvp_launch<11, 16>(p, sizes);
    bvp_launch<16, 21>(p, sizes);
    bvp_launch<21, 32>(p, sizes);
    bvp_launch<32, BVP_CELLS_MAX>(p, sizes);
    CHECK(cudaGetLastError());
    return true;
}

/* One map, to look at, by the first team of one warp. */
__global__ void kernel_local_map(const __grid_constant__ crowd c, int32_t slot, throng_local_map *map)
{
    const int SIDE = BVP_CELLS_MAX;
    __shared__ bvp_shared s;
    bvp_tile<SIDE> t;
    bvp_slot thread_slot = bvp_slot_of<SIDE>((int)threadIdx.x, threadIdx.x < bvp_shape<SIDE>::THREADS);
    bvp_layout layout = bvp_layout_of(&c, slot);
    bvp_begin<SIDE>(&c, c.rank[slot], slot, &layout, &thread_slot, &s, &t);
    bvp_rows<SIDE> changes[bvp_shape<SIDE>::COLUMNS];
    memcpy(changes, t.changes, sizeof changes);
    bvp_relax_all<SIDE>(&s.map, &thread_slot, &t);
#pragma unroll
    for (int a = 0; a < bvp_shape<SIDE>::COLUMNS; a++)
#pragma unroll
        for (int j = 0; j < SIDE; j++)
            if (thread_slot.there && thread_slot.left + a < s.map.width && j < s.map.height)
                probe_cell(&s.map, thread_slot.left + a, j, t.q[a][j], changes[a] >> j & 1, map);
    if (threadIdx.x == 0)
        probe_head(&s.map, map);
}

bool cuda_local_map(throng_backend *b, int32_t slot, throng_local_map *map, throng_error *error)
{
    throng_local_map *copy;
    const crowd *c = cuda_planning_crowd(b, error);
    if (!c)
        return false;
    CHECK(cuda_malloc(&copy, sizeof *copy));
    kernel_local_map<<<1, 32, 0, b->stream>>>(*c, slot, copy);
    cudaError_t status = cudaMemcpyAsync(map, copy, sizeof *map, cudaMemcpyDeviceToHost, b->stream);
    if (status == cudaSuccess)
        status = cudaStreamSynchronize(b->stream);
    cuda_free(copy);
    CHECK(status);
    return true;
}
