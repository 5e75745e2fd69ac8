/* BVP on CUDA: a thread group has a map, each thread a tile of it, four columns wide, or two where those would
 * not fit, in registers. Gives what plan_bvp gives.
 *
 * A turn of a colour takes a shuffle for two cells of a tile's sides and one for each of its lower and upper cells, and
 * whether a cell lies in the colour is known when this is compiled, as tiles begin in even columns and rows.
 *
 * Tiles are as high as the map: fewest shuffles, and a warp has as many maps as that makes room for. (A thread a
 * column, a warp a map, took 2.2 times as long a sweep: four shuffles for two cells, a third of the threads without a
 * column; in shared memory it was slower still.)
 *
 * What is on a map is looked for by all threads of its group, a candidate each, and all groups of a warp in step; what
 * they find is listed in shared memory, and drawn by each thread on its tile when a list is full. That is a kernel of
 * its own, which waits for memory and needs few registers, so that many warps take turns; it leaves the tile's bits and
 * the map to the one that relaxes, which keeps cells in registers. In one kernel both had the few warps of the second.
 *
 * The whole stage on an H100, by its own clock, with maps of 21 x 21 cells of 0.25 m and 32 sweeps: 0.84 ms for 100,000
 * agents, in one kernel 1.13. (On an H200 in one kernel: 1.12 ms, with 64 sweeps 1.51, and 0.137 and 0.19 for 10,000.)
 */
#include "cuda_bvp.cuh"

#include "kernels/planners/probe.h"

struct bvp_shared {
    bvp_map map;
    float slope_from[4]; /* q left, right, down and up of the middle */
};

/* --- what is around ---------------------------------------------------------------------------------------- */

/* Everybody on the map: those that sense listed, and who is beyond. True: somebody is in the way. */
template <int SIDE>
static __device__ bool bvp_draw_others(const crowd *c, int32_t i, int32_t slot, const bvp_place<SIDE> *place,
                                       const bvp_map *m, bvp_others *list, bvp_rows<SIDE> blocked[])
{
    int count = 0, listed = 0, k = place->there ? c->k : 0;
    bool more, in_the_way = false;
    float farthest = k ? bvp_farthest(c, slot, m) : 0;
    bool beyond = k && bvp_lacks_others(c, i, slot, farthest);
    bvp_beyond b = {};
    if (beyond)
        b = bvp_look_beyond(c, i, slot, m->x, m->y, c->seen_reach[i], farthest, c->sight[slot]);
    do {
        bvp_other o = {};
        if (listed < k) {
            int s = listed + place->group.rank;
            if (s < k)
                o = bvp_see_other(c, m, bvp_find_other(c, i, s, true));
            listed += bvp_shape<SIDE>::THREADS;
        } else if (beyond && (b.at < b.until || (beyond = bvp_next_candidates(c, &b)))) {
            float dx, dy;
            int32_t at = b.at + place->group.rank, j = at < b.until ? bvp_candidate(c, &b, at, &dx, &dy) : -1;
            if (j >= 0) {
                float keep = BVP_TOUCH * (m->radius + c->sr[j]);
                o = {dx, dy, keep * keep, true};
            }
            b.at += bvp_shape<SIDE>::THREADS;
        }
        more = listed < k || beyond;
        char4 box = {};
        if (o.there) {
            float reach = lane_sqrt(o.keep);
            box = bvp_box(m, o.x - reach, o.x + reach, o.y - reach, o.y + reach);
            in_the_way |= bvp_in_the_way(m, &o);
        }
        count = bvp_append(place, o.there && bvp_box_holds(box), o, box, list, count);
        if (bvp_must_draw<SIDE>(more, count)) {
            bvp_block<SIDE>(
                m, place, list, count, [](const bvp_other *one, float x, float y) { return bvp_touches(one, x, y); },
                blocked);
            count = 0;
        }
    } while (__any_sync(~0u, more));
    return __ballot_sync(~0u, in_the_way) & place->group.mask;
}

/* Sides of walls that may be on the map: those that sense listed, or, when it had no room for all, all there are. */
struct bvp_sides {
    int32_t at, to, grid; /* 0: listed by sense, 1: what stands, 2: what moves */
    float shoved;
};

static __device__ bool bvp_next_sides(const crowd *c, int32_t slot, const bvp_map *m, bvp_sides *b)
{
    while (b->at >= b->to && b->grid < 1 + (c->walls.sides > 0)) {
        const throng_wall_grid *grid = ++b->grid == 1 ? &c->walls.still : &c->walls.moving;
        walls_range(c, grid, slot, m->x, m->y, walls_reach(c, slot), true, &b->at, &b->to);
    }
    return b->at < b->to;
}

static __device__ bvp_wall bvp_side_at(const crowd *c, int32_t i, int32_t slot, const bvp_map *m, const bvp_sides *b,
                                       int32_t at)
{
    bvp_side s;
    if (b->grid == 0)
        return bvp_see_wall(m, bvp_find_wall(c, i, at, true));
    int32_t side = (b->grid == 1 ? c->walls.still : c->walls.moving).list[at];
    if (!bvp_sees_side(c, slot, side, m->x, m->y, b->shoved, &s))
        return {};
    return {s.ax, s.ay, s.ex, s.ey, s.over, true};
}

template <int SIDE>
static __device__ void bvp_draw_walls(const crowd *c, int32_t i, int32_t slot, const bvp_place<SIDE> *place,
                                      const bvp_map *m, bvp_walls *list, bvp_rows<SIDE> blocked[])
{
    int count = 0;
    bool more, beyond = place->there && c->wall_count[i] == THRONG_WALLS_MAX;
    float touch = BVP_TOUCH * m->radius, keep = bvp_keep_from_walls(m);
    bvp_sides b = {0, place->there ? c->wall_count[i] : 0, 0, 0};
    if (beyond)
        b.shoved = walls_shoved(c, slot);
    do {
        bvp_wall w = {};
        if (b.at < b.to || (beyond && (beyond = bvp_next_sides(c, slot, m, &b)))) {
            int32_t at = b.at + place->group.rank;
            if (at < b.to)
                w = bvp_side_at(c, i, slot, m, &b, at);
            b.at += bvp_shape<SIDE>::THREADS;
        }
        more = b.at < b.to || beyond;
        char4 box = {};
        if (w.there)
            box = bvp_box(m, fminf(w.ax, w.ax + w.ex) - touch, fmaxf(w.ax, w.ax + w.ex) + touch,
                          fminf(w.ay, w.ay + w.ey) - touch, fmaxf(w.ay, w.ay + w.ey) + touch);
        count = bvp_append(place, w.there && bvp_box_holds(box), w, box, list, count);
        if (bvp_must_draw<SIDE>(more, count)) {
            bvp_block<SIDE>(
                m, place, list, count,
                [=](const bvp_wall *one, float x, float y) { return bvp_touches_wall(one, keep, x, y); }, blocked);
            count = 0;
        }
    } while (__any_sync(~0u, more));
}

/* --- the map ----------------------------------------------------------------------------------------------- */

/* Cells of the rim that are the intermediate goal. */
template <int SIDE>
static __device__ void bvp_lead_on(const bvp_map *m, const bvp_place<SIDE> *place,
                                   bvp_rows<SIDE> ones[bvp_shape<SIDE>::COLUMNS])
{
    typedef bvp_rows<SIDE> rows;
    constexpr int COLUMNS = bvp_shape<SIDE>::COLUMNS;
    int right = m->width - 1, top = m->height - 1,
        edge = place->left == 0 ? 0 : right - place->left; /* the column of the rim's, if it is one */
    float low = (float)-m->row, high = (float)(top - m->row);
    rows side = 0;
    if (edge >= 0 && edge < COLUMNS)
        for (int j = 0, to = min(top, SIDE - 1); j <= to; j++)
            side |= (rows)bvp_leads_on(m, (float)(place->left + edge - m->column), (float)(j - m->row)) << j;
#pragma unroll
    for (int a = 0; a < COLUMNS; a++) {
        float x = (float)(place->left + a - m->column);
        ones[a] = a == edge ? side : 0;
        if (place->left + a > right || a == edge)
            continue;
        ones[a] |= (rows)bvp_leads_on(m, x, low);
        if (top < SIDE)
            ones[a] |= (rows)bvp_leads_on(m, x, high) << top;
    }
}

/* What bvp_cell says of the tile's cells. Columns and rows that the map does not have do not change and are 0. */
template <int SIDE>
static __device__ void bvp_draw(const bvp_map *m, const bvp_place<SIDE> *place,
                                const bvp_rows<SIDE> blocked[bvp_shape<SIDE>::COLUMNS], bvp_start<SIDE> *t)
{
    typedef bvp_rows<SIDE> rows;
    constexpr int COLUMNS = bvp_shape<SIDE>::COLUMNS;
    int right = m->width - 1, top = m->height - 1, own_row = m->row, goal_row = 0;
    bvp_lead_on<SIDE>(m, place, t->ones);
    float goal_y = m->goal_y + (float)m->row;
    bool goal = goal_y >= (float)m->zone && goal_y <= (float)(top - m->zone);
    if (goal)
        goal_row = (int)goal_y;
    goal = goal && goal_row >= 0 && goal_row < SIDE;
#pragma unroll
    for (int a = 0; a < COLUMNS; a++) {
        int i = place->left + a;
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
        t->ones[a] |= goals & given;
    }
}

template <int SIDE> static __device__ void bvp_fill(const bvp_start<SIDE> *from, bvp_tile<SIDE> *t)
{
#pragma unroll
    for (int a = 0; a < bvp_shape<SIDE>::COLUMNS; a++) {
        t->changes[a] = from->changes[a];
#pragma unroll
        for (int j = 0; j < SIDE; j++)
            t->q[a][j] = from->ones[a] >> j & 1 ? BVP_ONE : 0.0f;
    }
}

/* Draws the tile of the map of sorted agent i, who is in `slot`; the map. */
template <int SIDE>
static __device__ bvp_map bvp_begin(const crowd *c, int32_t i, int32_t slot, const bvp_layout *l,
                                    const bvp_place<SIDE> *place, bvp_scene *scene, bvp_start<SIDE> *t)
{
    bvp_map m = {};
    if (place->there) {
        bvp_read(c, i, slot, &m);
        bvp_lay_out(c, true, slot, l, &m);
        bvp_face(c, true, slot, l->entry, c->nx[i], c->ny[i], &m);
        bvp_bend(c, true, slot, l->entry, &m);
    }
    bvp_rows<SIDE> blocked[bvp_shape<SIDE>::COLUMNS] = {};
    if (bvp_draw_others<SIDE>(c, i, slot, place, &m, &scene->others, blocked))
        m.free = false;
    if (c->walls.count)
        bvp_draw_walls<SIDE>(c, i, slot, place, &m, &scene->walls, blocked);
    *t = {};
    if (place->there)
        bvp_draw<SIDE>(&m, place, blocked, t);
    return m;
}

/* --- relaxation -------------------------------------------------------------------------------------------- */

/* Maps that are relaxed do not change any more. Factors take a division, so each thread of a group has those of another
 * sweep. */
template <int SIDE, bool BENDS, bool WATCH>
static __device__ void bvp_relax(const bvp_map *m, const bvp_place<SIDE> *place, int sweeps, bvp_tile<SIDE> *t)
{
    int most = sweeps;
#pragma unroll
    for (int q = 1; q < 32; q *= 2)
        most = max(most, __shfl_xor_sync(~0u, most, q));
    bvp_factors mine = {};
    for (int n = 0; n < most; n++) {
        int whose = n % bvp_shape<SIDE>::THREADS;
        if (whose == 0)
            mine = bvp_sweep_factors(m, n + place->group.rank);
        bvp_factors f = bvp_factors_of<BENDS>(mine, (int)threadIdx.x % 32 - place->group.rank + whose);
        float first = bvp_turn<SIDE, BENDS, WATCH>(&f, 0, t);
        float second = bvp_turn<SIDE, BENDS, WATCH>(&f, 1, t);
        bool more = n + 1 < sweeps;
        if (WATCH) {
            uint32_t above = __ballot_sync(~0u, lane_max(first, second) > m->residual);
            more = more && (m->residual == 0 || above & place->group.mask);
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
static __device__ void bvp_leave(const bvp_tile<SIDE> *t, const bvp_place<SIDE> *place, const bvp_map *m,
                                 float slope_from[4])
{
#pragma unroll
    for (int a = 0; a < bvp_shape<SIDE>::COLUMNS; a++) {
        int column = place->left + a - m->column;
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

/* A thread of kernels that have a group an agent, and a warp MAPS of them. */
template <int SIDE> struct bvp_agent {
    int32_t i, slot; /* sorted agent and slot, -1: nobody's */
    int of_warp;     /* the group's number */
    bvp_layout layout;
    bvp_place<SIDE> place;
};

template <int MORE_THAN, int SIDE> static __device__ bvp_agent<SIDE> bvp_agent_of(const crowd *c)
{
    typedef bvp_shape<SIDE> shape;
    bvp_agent<SIDE> a;
    int warp = (int)threadIdx.x / 32, at = (int)threadIdx.x % 32 / shape::THREADS;
    a.i = (int32_t)(blockIdx.x * BVP_WARPS + warp) * shape::MAPS + at;
    a.slot = at < shape::MAPS && a.i < c->frame.agents ? c->slot[a.i] : -1;
    a.of_warp = at < shape::MAPS ? at : 0;
    a.layout = a.slot < 0 ? bvp_layout() : bvp_layout_of(c, a.slot);
    a.place = bvp_place_of<SIDE>(a.slot >= 0 && bvp_needs(c, &a.layout, MORE_THAN, SIDE));
    return a;
}

/* What is out of line reads `c` where it is: to copy it there, 2 KB a thread, took up to three quarters of the stage.
 */
template <int MORE_THAN, int SIDE>
__global__ void __launch_bounds__(32 * BVP_WARPS, BVP_DRAWING)
    kernel_draw_bvp(const __grid_constant__ crowd c, bvp_drawn<SIDE> *drawn)
{
    __shared__ bvp_scene scene[BVP_WARPS][bvp_shape<SIDE>::MAPS];
    await_previous_launch();
    bvp_agent<SIDE> a = bvp_agent_of<MORE_THAN, SIDE>(&c);
    if (!__any_sync(~0u, a.place.there))
        return;
    bvp_start<SIDE> t;
    bvp_map m = bvp_begin<SIDE>(&c, a.i, a.slot, &a.layout, &a.place, &scene[threadIdx.x / 32][a.of_warp], &t);
    if (!a.place.there)
        return;
    drawn[a.i].tile[a.place.group.rank] = t;
    if (a.place.group.rank == 0)
        drawn[a.i].map = m;
}

template <int MORE_THAN, int SIDE>
__global__ void __launch_bounds__(32 * BVP_WARPS)
    kernel_plan_bvp(const __grid_constant__ crowd c, const bvp_drawn<SIDE> *drawn)
{
    __shared__ bvp_shared shared[BVP_WARPS][bvp_shape<SIDE>::MAPS];
    await_previous_launch();
    bvp_agent<SIDE> a = bvp_agent_of<MORE_THAN, SIDE>(&c);
    if (!__any_sync(~0u, a.place.there))
        return;
    bvp_shared *s = &shared[threadIdx.x / 32][a.of_warp];
    bvp_start<SIDE> from = {};
    if (a.place.there) {
        from = drawn[a.i].tile[a.place.group.rank];
        if (a.place.group.rank == 0)
            s->map = drawn[a.i].map;
    }
    __syncwarp();
    bvp_tile<SIDE> t;
    bvp_fill<SIDE>(&from, &t);
    bvp_relax_all<SIDE>(&s->map, &a.place, &t);
    if (a.place.there)
        bvp_leave<SIDE>(&t, &a.place, &s->map, s->slope_from);
    __syncwarp();
    if (a.place.there && a.place.group.rank == 0) {
        const float *q = s->slope_from;
        bvp_store(&c, &s->map, a.i, true, a.slot, q[1] - q[0], q[3] - q[2]);
    }
}

/* Of SIDE cells along the longer side and more than MORE_THAN; `sizes`: bit cells - 1 for each there is. */
template <int MORE_THAN, int SIDE>
static bool bvp_launch(throng_backend *b, const planning &p, uint64_t sizes, throng_error *error)
{
    const int maps = BVP_WARPS * bvp_shape<SIDE>::MAPS, blocks = (p.c.frame.agents + maps - 1) / maps;
    if (!(sizes >> MORE_THAN & (~0ull >> (64 - (SIDE - MORE_THAN)))))
        return true;
    size_t bytes = (size_t)b->capacity * sizeof(bvp_drawn<SIDE>);
    if (bytes > b->drawn_bytes) {
        if (!cuda_replace(b, &b->drawn, b->drawn_bytes, bytes, error))
            return false;
        b->drawn_bytes = bytes;
    }
    bvp_drawn<SIDE> *drawn = (bvp_drawn<SIDE> *)b->drawn;
    cuda_launch_kernel(kernel_draw_bvp<MORE_THAN, SIDE>, blocks, 32 * BVP_WARPS, cuda_stream(p.queue), p.c, drawn);
    cuda_launch_kernel(kernel_plan_bvp<MORE_THAN, SIDE>, blocks, 32 * BVP_WARPS, cuda_stream(p.queue), p.c,
                       (const bvp_drawn<SIDE> *)drawn);
    return true;
}

bool cuda_plan_bvp(throng_backend *b, const planning &p, throng_error *error)
{
    uint64_t sizes = b->bvp_sizes;
    if (p.c.computed[THRONG_bvp_width] || p.c.computed[THRONG_bvp_height])
        sizes = ~0ull;
    if (!bvp_launch<0, 11>(b, p, sizes, error) || !bvp_launch<11, 16>(b, p, sizes, error) ||
        !bvp_launch<16, 21>(b, p, sizes, error) || !bvp_launch<21, 32>(b, p, sizes, error) ||
        !bvp_launch<32, BVP_CELLS_MAX>(b, p, sizes, error))
        return false;
    CHECK(cudaGetLastError());
    return true;
}

/* One map, to look at, by the first group of one warp. */
__global__ void kernel_local_map(const __grid_constant__ crowd c, int32_t slot, throng_local_map *map)
{
    const int SIDE = BVP_CELLS_MAX;
    __shared__ bvp_scene scene;
    __shared__ bvp_map shared;
    bvp_start<SIDE> start;
    bvp_tile<SIDE> t;
    bvp_place<SIDE> place = bvp_place_of<SIDE>(threadIdx.x < bvp_shape<SIDE>::THREADS);
    bvp_layout layout = bvp_layout_of(&c, slot);
    bvp_map m = bvp_begin<SIDE>(&c, c.rank[slot], slot, &layout, &place, &scene, &start);
    if (threadIdx.x == 0)
        shared = m;
    __syncwarp();
    bvp_fill<SIDE>(&start, &t);
    bvp_relax_all<SIDE>(&shared, &place, &t);
#pragma unroll
    for (int a = 0; a < bvp_shape<SIDE>::COLUMNS; a++)
#pragma unroll
        for (int j = 0; j < SIDE; j++)
            if (place.there && place.left + a < shared.width && j < shared.height)
                probe_cell(&shared, place.left + a, j, t.q[a][j], start.changes[a] >> j & 1, map);
    if (threadIdx.x == 0)
        probe_head(&shared, map);
}

bool cuda_local_map(throng_backend *b, int32_t slot, throng_local_map *map, throng_error *error)
{
    throng_local_map *copy;
    const crowd *c = cuda_planning_crowd(b, error);
    if (!c)
        return false;
    CHECK(cuda_malloc(&copy, sizeof *copy));
    cudaMemsetAsync(copy, 0, sizeof *copy, cuda_stream(b)); /* what there is none of stays so */
    kernel_local_map<<<1, 32, 0, cuda_stream(b)>>>(*c, slot, copy);
    cudaError_t status = cudaMemcpyAsync(map, copy, sizeof *map, cudaMemcpyDeviceToHost, cuda_stream(b));
    if (status == cudaSuccess)
        status = cudaStreamSynchronize(cuda_stream(b));
    cuda_free(copy);
    CHECK(status);
    return true;
}
