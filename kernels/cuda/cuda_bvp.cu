/* BVP on CUDA: a team of threads of one warp has a map, each a tile of it, four columns wide, in registers. Gives what
 * plan_bvp gives.
 *
 * A turn of a colour takes a shuffle for two cells of a tile's sides and one for each of its lower and upper cells, and
 * whether a cell lies in the colour is known when this is compiled, as tiles begin in even columns and rows.
 *
 * There are two shapes of tile. Where there are many agents, tiles are as high as the map: fewest shuffles, and a warp
 * has as many maps as that makes room for. (A thread a column, a warp a map, took 2.2 times as long a sweep: four
 * shuffles for two cells, a third of the threads without a column; in shared memory it was slower still.) Up to BVP_FEW
 * agents, who leave schedulers without a warp, tiles are low, and a map has a warp for itself.
 *
 * The whole stage on an H200 with maps of 21 x 21, 32 and 64 sweeps: 0.70 and 1.13 ms for 100,000 agents, 0.10 and 0.14
 * for 10,000, 0.027 and 0.033 for 500. When a warp drew its maps one after the other, a column a thread, and all tiles
 * were as high as the map, with cells of 0.25 m: 1.08 and 1.5, 0.16 and 0.21, 0.040 and 0.052. Of the 27 us of 500, 9
 * are those of any stage that is run and waited for. Of the cycles of a warp, 33,000, 2,200 are for finding the agent,
 * 7,000 for what it wants and its parameters, 2,600 for what is around, 4,700 for drawing, 13,000 for the sweeps, 2,300
 * for the velocity. */
#include "cuda.cuh"

#include "kernels/bvp.h"
#include "kernels/plan.h"
#include "kernels/probe.h"

enum {
    BVP_WARPS = 4,   /* a block */
    BVP_COLUMNS = 4, /* a tile */
    BVP_FEW = 2112,  /* four maps a scheduler of an H200 */
};

/* Maps of at most SIDE cells a side in tiles of ROWS rows: even, or all. Tile (x, y) is thread y * ACROSS + x's. */
template <int SIDE, int ROWS> struct bvp_shape {
    static constexpr int ACROSS = (SIDE + BVP_COLUMNS - 1) / BVP_COLUMNS, UP = (SIDE + ROWS - 1) / ROWS;
    static constexpr int THREADS = ACROSS * UP, MAPS = 32 / THREADS;
    static_assert(THREADS <= 32 && (UP == 1 || ROWS % 2 == 0), "a map in a warp, its colours as in its tiles");
};

/* What is around an agent, and the cells of the u-zone that each may touch: columns x to z, rows y to w. */
struct bvp_scene {
    bvp_around around;
    char4 other[CROWD_NEIGHBOURS_MAX], wall[CROWD_WALLS_MAX];
};

struct bvp_shared {
    bvp_scene scene;
    bvp_map map;
    float slope_from[4]; /* q left, right, down and up of the middle */
};

/* A thread in its team, whose map has the warp's threads `team`, and its tile's lower left cell. */
struct bvp_seat {
    int thread, left, low;
    uint32_t team;
    bool there; /* the team has an agent */
};

/* A tile: bit j of a column is its cell in row j. */
template <int ROWS> struct bvp_tile {
    float q[BVP_COLUMNS][ROWS];
    uint32_t changes[BVP_COLUMNS];
};

/* --- what is around ---------------------------------------------------------------------------------------- */

/* The cells of the u-zone between x0 and x1 and y0 and y1, in m from the agent, and perhaps one more on each side. */
static __device__ char4 bvp_box(const bvp_map *m, float x0, float x1, float y0, float y1)
{
    const float most = BVP_CELLS_MAX;
    int last = m->size - 1 - BVP_ZONES, zones = BVP_ZONES;
    x0 = fminf(fmaxf(x0 / m->cell, -most), most);
    y0 = fminf(fmaxf(y0 / m->cell, -most), most);
    x1 = fminf(fmaxf(x1 / m->cell, -most), most);
    y1 = fminf(fmaxf(y1 / m->cell, -most), most);
    return make_char4(max((int)floorf(x0) + m->middle, zones), max((int)floorf(y0) + m->middle, zones),
                      min((int)ceilf(x1) + m->middle, last), min((int)ceilf(y1) + m->middle, last));
}

static __device__ bool bvp_box_holds(char4 box) { return box.x <= box.z && box.y <= box.w; }

/* Appends to the team's list what its threads have found, if anything; its new length. */
template <typename T>
static __device__ int bvp_append(const bvp_seat *seat, bool found, const T &one, char4 box, T *list, char4 *boxes,
                                 int count)
{
    uint32_t all = __ballot_sync(~0u, found) & seat->team;
    int at = count + __popc(all & ((1u << threadIdx.x % 32) - 1));
    if (found) {
        list[at] = one;
        boxes[at] = box;
    }
    return count + __popc(all);
}

template <int THREADS>
static __device__ void bvp_look_around(const crowd *c, int32_t i, const bvp_seat *seat, bvp_map *m, bvp_scene *scene)
{
    int others = 0, walls = 0;
    bool in_the_way = false;
    for (int from = 0; from < c->k; from += THREADS) {
        int s = from + seat->thread;
        bvp_other o = {};
        char4 box = {};
        if (seat->there && s < c->k && (o = bvp_see_other(c, i, s, true, m)).there) {
            float reach = lane_sqrt(o.keep);
            box = bvp_box(m, o.x - reach, o.x + reach, o.y - reach, o.y + reach);
            in_the_way |= bvp_in_the_way(m, &o);
        }
        others = bvp_append(seat, o.there && bvp_box_holds(box), o, box, scene->around.other, scene->other, others);
    }
    for (int from = 0; c->walls.count && from < CROWD_WALLS_MAX; from += THREADS) {
        int s = from + seat->thread;
        bvp_wall w = {};
        char4 box = {};
        if (seat->there && s < CROWD_WALLS_MAX && (w = bvp_see_wall(c, i, s, true, m)).there) {
            float reach = BVP_TOUCH * m->radius;
            box = bvp_box(m, fminf(w.ax, w.ax + w.ex) - reach, fmaxf(w.ax, w.ax + w.ex) + reach,
                          fminf(w.ay, w.ay + w.ey) - reach, fmaxf(w.ay, w.ay + w.ey) + reach);
        }
        walls = bvp_append(seat, w.there && bvp_box_holds(box), w, box, scene->around.wall, scene->wall, walls);
    }
    uint32_t hindered = __ballot_sync(~0u, in_the_way) & seat->team;
    m->free = m->free && !hindered;
    if (seat->thread == 0 && seat->there) {
        scene->around.others = others;
        scene->around.walls = walls;
    }
    __syncwarp();
}

/* --- the map ----------------------------------------------------------------------------------------------- */

/* Those of `count` boxes that meet the tile. Everything is only looked at in its own cells: to look at all in all of
 * them took half of a map's time. */
template <int ROWS> static __device__ uint32_t bvp_meeting(const bvp_seat *seat, const char4 *boxes, int count)
{
    uint32_t meeting = 0;
    for (int s = 0; s < count; s++) {
        char4 box = boxes[s];
        bool meets = box.x < seat->left + BVP_COLUMNS && box.z >= seat->left && box.y < seat->low + ROWS;
        meeting |= (uint32_t)(meets && box.w >= seat->low) << s;
    }
    return meeting;
}

/* Bit j of a column: the cell is an obstacle, if it is seen. */
template <int ROWS>
static __device__ void bvp_block(const bvp_map *m, const bvp_seat *seat, const bvp_scene *scene,
                                 uint32_t blocked[BVP_COLUMNS])
{
    float x = (float)(seat->left - m->middle), keep = bvp_keep_from_walls(m);
    for (uint32_t rest = bvp_meeting<ROWS>(seat, scene->other, scene->around.others); rest; rest &= rest - 1) {
        int s = __ffs(rest) - 1;
        bvp_other o = scene->around.other[s];
        for (int j = max(scene->other[s].y, seat->low), to = min(scene->other[s].w, seat->low + ROWS - 1); j <= to; j++)
#pragma unroll
            for (int a = 0; a < BVP_COLUMNS; a++)
                blocked[a] |= (uint32_t)bvp_touches(&o, (x + a) * m->cell, (float)(j - m->middle) * m->cell)
                              << (j - seat->low);
    }
    for (uint32_t rest = bvp_meeting<ROWS>(seat, scene->wall, scene->around.walls); rest; rest &= rest - 1) {
        int s = __ffs(rest) - 1;
        bvp_wall w = scene->around.wall[s];
        for (int j = max(scene->wall[s].y, seat->low), to = min(scene->wall[s].w, seat->low + ROWS - 1); j <= to; j++)
#pragma unroll
            for (int a = 0; a < BVP_COLUMNS; a++)
                blocked[a] |= (uint32_t)bvp_touches_wall(&w, keep, (x + a) * m->cell, (float)(j - m->middle) * m->cell)
                              << (j - seat->low);
    }
}

/* Cells of the rim that are the intermediate goal. */
template <int ROWS>
static __device__ void bvp_lead_on(const bvp_map *m, const bvp_seat *seat, uint32_t ones[BVP_COLUMNS])
{
    int last = m->size - 1, edge = seat->left == 0 ? 0 : last - seat->left; /* the column of the rim's, if it is one */
    float low = (float)-m->middle, high = (float)(last - m->middle);
    uint32_t side = 0;
    if (edge >= 0 && edge < BVP_COLUMNS)
        for (int j = seat->low, to = min(last, seat->low + ROWS - 1); j <= to; j++)
            side |= (uint32_t)bvp_leads_on(m, (float)(seat->left + edge - m->middle), (float)(j - m->middle))
                    << (j - seat->low);
#pragma unroll
    for (int a = 0; a < BVP_COLUMNS; a++) {
        float x = (float)(seat->left + a - m->middle);
        ones[a] = a == edge ? side : 0;
        if (seat->left + a > last || a == edge)
            continue;
        if (seat->low == 0)
            ones[a] |= (uint32_t)bvp_leads_on(m, x, low);
        if (last >= seat->low && last < seat->low + ROWS)
            ones[a] |= (uint32_t)bvp_leads_on(m, x, high) << (last - seat->low);
    }
}

/* What bvp_cell says of the tile's cells. Columns and rows that the map does not have do not change and are 0. */
template <int ROWS>
static __device__ void bvp_draw(const bvp_map *m, const bvp_seat *seat, const bvp_scene *scene, bvp_tile<ROWS> *t)
{
    int last = m->size - 1, own_row = m->middle - seat->low, goal_row = 0;
    uint32_t blocked[BVP_COLUMNS] = {}, ones[BVP_COLUMNS];
    bvp_block<ROWS>(m, seat, scene, blocked);
    bvp_lead_on<ROWS>(m, seat, ones);
    float goal_y = m->goal_y + (float)m->middle;
    bool goal = goal_y >= BVP_ZONES && goal_y <= (float)(last - BVP_ZONES);
    if (goal)
        goal_row = (int)goal_y - seat->low;
    goal = goal && goal_row >= 0 && goal_row < ROWS;
#pragma unroll
    for (int a = 0; a < BVP_COLUMNS; a++) {
        int i = seat->left + a;
        float x = (float)(i - m->middle);
        uint32_t goals = goal && m->goal_x == x ? 1u << goal_row : 0;
        uint32_t given = i >= BVP_ZONES && i <= last - BVP_ZONES ? blocked[a] | goals : 0;
        if (i == m->middle && own_row >= 0 && own_row < ROWS)
            given &= ~(1u << own_row);
        for (uint32_t rest = given; rest; rest &= rest - 1) {
            int j = __ffs(rest) - 1;
            if (!bvp_seen(m, x, (float)(j - own_row)))
                given ^= 1u << j;
        }
        t->changes[a] = i > 0 && i < last ? ((1u << last) - 2) >> seat->low & ~given : 0;
        ones[a] |= goals & given;
#pragma unroll
        for (int j = 0; j < ROWS; j++)
            t->q[a][j] = ones[a] >> j & 1 ? 1.0f : 0.0f;
    }
}

/* Draws the tile of sorted agent i's map, who is in `slot` and has planner `entry`. */
template <int SIDE, int ROWS>
static __device__ void bvp_begin(const crowd *c, int32_t i, int32_t slot, int32_t entry, const bvp_seat *seat,
                                 bvp_shared *s, bvp_tile<ROWS> *t)
{
    float dx, dy;
    bvp_map m = {};
    if (seat->there) {
        plan_desired(c, i, true, slot, &dx, &dy);
        bvp_look(c, i, true, slot, entry, dx, dy, &m);
    }
    bvp_look_around<bvp_shape<SIDE, ROWS>::THREADS>(c, i, seat, &m, &s->scene);
    if (seat->there)
        bvp_draw<ROWS>(&m, seat, &s->scene, t);
    else
        *t = {};
    if (seat->there && seat->thread == 0)
        s->map = m;
    __syncwarp();
}

/* --- relaxation -------------------------------------------------------------------------------------------- */

/* A colour's turn; the largest change of a cell of the tile's, if that is asked for. Cells on the rim, whose neighbours
 * are none or another map's, do not change. */
template <int SIDE, int ROWS, bool BENDS, bool WATCH>
static __device__ __forceinline__ float bvp_turn(const bvp_factors *f, int colour, bvp_tile<ROWS> *t)
{
    const int ACROSS = bvp_shape<SIDE, ROWS>::ACROSS;
    const bool ALONE = bvp_shape<SIDE, ROWS>::UP == 1;
    float largest = 0;
#pragma unroll
    for (int j = ALONE; j < ROWS - ALONE; j++) {
        int first = (j + colour) & 1;
        float beside = first == 0 ? __shfl_up_sync(~0u, t->q[BVP_COLUMNS - 1][j], 1) //
                                  : __shfl_down_sync(~0u, t->q[0][j], 1);
#pragma unroll
        for (int a = first; a < BVP_COLUMNS; a += 2) {
            float left = a > 0 ? t->q[a - 1][j] : beside, right = a < BVP_COLUMNS - 1 ? t->q[a + 1][j] : beside;
            float down = j > 0 ? t->q[a][j - 1] : __shfl_up_sync(~0u, t->q[a][ROWS - 1], ACROSS);
            float up = j < ROWS - 1 ? t->q[a][j + 1] : __shfl_down_sync(~0u, t->q[a][0], ACROSS);
            float q = bvp_relaxed(f, BENDS, t->q[a][j], left, right, down, up);
            q = t->changes[a] >> j & 1 ? q : t->q[a][j];
            if (WATCH)
                largest = lane_max(largest, lane_abs(q - t->q[a][j]));
            t->q[a][j] = q;
        }
    }
    return largest;
}

/* Those that thread `from` of the warp has. */
template <bool BENDS> static __device__ __forceinline__ bvp_factors bvp_factors_of(const bvp_factors &mine, int from)
{
    bvp_factors f = {__shfl_sync(~0u, mine.keep, from), __shfl_sync(~0u, mine.quarter, from), 0, 0};
    if (BENDS) {
        f.bend_x = __shfl_sync(~0u, mine.bend_x, from);
        f.bend_y = __shfl_sync(~0u, mine.bend_y, from);
    }
    return f;
}

/* Maps that are relaxed do not change any more. Factors take a division, so each thread of a team has those of another
 * sweep. */
template <int SIDE, int ROWS, bool BENDS, bool WATCH>
static __device__ void bvp_relax(const bvp_map *m, const bvp_seat *seat, int sweeps, bvp_tile<ROWS> *t)
{
    int most = sweeps;
#pragma unroll
    for (int q = 1; q < 32; q *= 2)
        most = max(most, __shfl_xor_sync(~0u, most, q));
    bvp_factors mine = {};
    for (int n = 0; n < most; n++) {
        int whose = n % bvp_shape<SIDE, ROWS>::THREADS;
        if (whose == 0)
            mine = bvp_sweep_factors(m, n + seat->thread);
        bvp_factors f = bvp_factors_of<BENDS>(mine, (int)threadIdx.x % 32 - seat->thread + whose);
        float first = bvp_turn<SIDE, ROWS, BENDS, WATCH>(&f, 0, t);
        float second = bvp_turn<SIDE, ROWS, BENDS, WATCH>(&f, 1, t);
        bool more = n + 1 < sweeps;
        if (WATCH) {
            uint32_t above = __ballot_sync(~0u, lane_max(first, second) > m->residual);
            more = more && (m->residual == 0 || above & seat->team);
        }
        if (!more) {
            sweeps = 0;
#pragma unroll
            for (int a = 0; a < BVP_COLUMNS; a++)
                t->changes[a] = 0;
        }
        if (WATCH && !__any_sync(~0u, more))
            break;
    }
}

/* All of a warp's maps. */
template <int SIDE, int ROWS>
static __device__ void bvp_relax_all(const bvp_map *m, const bvp_seat *seat, bvp_tile<ROWS> *t)
{
    int sweeps = seat->there ? m->sweeps : 0;
    if (__any_sync(~0u, seat->there && m->residual > 0))
        bvp_relax<SIDE, ROWS, true, true>(m, seat, sweeps, t);
    else if (__any_sync(~0u, seat->there && m->bends))
        bvp_relax<SIDE, ROWS, true, false>(m, seat, sweeps, t);
    else
        bvp_relax<SIDE, ROWS, false, false>(m, seat, sweeps, t);
}

/* What is next to the middle. */
template <int ROWS>
static __device__ void bvp_leave(const bvp_tile<ROWS> *t, const bvp_seat *seat, int middle, float slope_from[4])
{
#pragma unroll
    for (int a = 0; a < BVP_COLUMNS; a++) {
        int column = seat->left + a - middle;
#pragma unroll
        for (int j = 0; j < ROWS; j++) {
            int row = seat->low + j - middle;
            if (row == 0 && (column == -1 || column == 1))
                slope_from[column > 0] = t->q[a][j];
            if (column == 0 && (row == -1 || row == 1))
                slope_from[2 + (row > 0)] = t->q[a][j];
        }
    }
}

/* --- kernels ----------------------------------------------------------------------------------------------- */

template <int SIDE, int ROWS> static __device__ bvp_seat bvp_sit(int lane, bool there)
{
    typedef bvp_shape<SIDE, ROWS> shape;
    int thread = lane % shape::THREADS;
    uint32_t team = (uint32_t)((1ull << shape::THREADS) - 1) << (lane - thread);
    return {thread, thread % shape::ACROSS * BVP_COLUMNS, thread / shape::ACROSS * ROWS, team, there};
}

/* Those whose maps need SIDE: smaller ones have a kernel with less. */
static __device__ bool bvp_needs(const crowd *c, int32_t entry, int more_than, int side)
{
    int size = (int)c->planners[entry].value[THRONG_bvp_size];
    return crowd_planner_kind(c, entry) == THRONG_PLANNER_bvp && size > more_than && size <= side;
}

template <int MORE_THAN, int SIDE, int ROWS>
__global__ void __launch_bounds__(32 * BVP_WARPS) kernel_plan_bvp(const crowd c)
{
    typedef bvp_shape<SIDE, ROWS> shape;
    __shared__ bvp_shared shared[BVP_WARPS][shape::MAPS];
    await_earlier();
    int lane = (int)threadIdx.x % 32, warp = (int)threadIdx.x / 32, at = lane / shape::THREADS;
    int32_t i = (int32_t)(blockIdx.x * BVP_WARPS + warp) * shape::MAPS + at;
    int32_t slot = at < shape::MAPS && i < c.agents ? c.slot[i] : -1, entry = slot < 0 ? 0 : c.planner[slot];
    bvp_seat seat = bvp_sit<SIDE, ROWS>(lane, slot >= 0 && bvp_needs(&c, entry, MORE_THAN, SIDE));
    if (!__any_sync(~0u, seat.there))
        return;
    bvp_shared *s = &shared[warp][at < shape::MAPS ? at : 0];
    bvp_tile<ROWS> t;
    bvp_begin<SIDE, ROWS>(&c, i, slot, entry, &seat, s, &t);
    bvp_relax_all<SIDE, ROWS>(&s->map, &seat, &t);
    if (seat.there)
        bvp_leave<ROWS>(&t, &seat, s->map.middle, s->slope_from);
    __syncwarp();
    if (seat.there && seat.thread == 0) {
        const float *q = s->slope_from;
        bvp_store(&c, &s->map, i, true, slot, q[1] - q[0], q[3] - q[2]);
    }
}

template <int MORE_THAN, int SIDE, int ROWS> static void bvp_launch(const planning &p)
{
    const int maps = BVP_WARPS * bvp_shape<SIDE, ROWS>::MAPS;
    cuda_launch(kernel_plan_bvp<MORE_THAN, SIDE, ROWS>, (p.c.agents + maps - 1) / maps, 32 * BVP_WARPS, p.stream, p.c);
}

/* Of SIDE cells a side, in tiles of ROWS where there are few. `sizes`: bit size - 1 for each there is. */
template <int MORE_THAN, int SIDE, int ROWS> static void bvp_launch_either(const planning &p, uint32_t sizes)
{
    if (!(sizes & (uint32_t)((1ull << SIDE) - (1ull << MORE_THAN))))
        return;
    if (p.c.agents <= BVP_FEW)
        bvp_launch<MORE_THAN, SIDE, ROWS>(p);
    else
        bvp_launch<MORE_THAN, SIDE, SIDE>(p);
}

bool cuda_plan_bvp(const planning &p, uint32_t sizes, throng_error *error)
{
    bvp_launch_either<0, 11, 2>(p, sizes);
    bvp_launch_either<11, 16, 2>(p, sizes);
    bvp_launch_either<16, 21, 6>(p, sizes);
    bvp_launch_either<21, BVP_CELLS_MAX, 8>(p, sizes);
    CHECK(cudaGetLastError());
    return true;
}

/* One map, to look at; one warp. */
__global__ void kernel_local_map(const crowd c, int32_t slot, throng_local_map *map)
{
    const int SIDE = BVP_CELLS_MAX, ROWS = 8;
    __shared__ bvp_shared s;
    bvp_tile<ROWS> t;
    bvp_seat seat = bvp_sit<SIDE, ROWS>((int)threadIdx.x, true);
    bvp_begin<SIDE, ROWS>(&c, c.rank[slot], slot, c.planner[slot], &seat, &s, &t);
    uint32_t changes[BVP_COLUMNS];
    memcpy(changes, t.changes, sizeof changes);
    bvp_relax_all<SIDE, ROWS>(&s.map, &seat, &t);
#pragma unroll
    for (int a = 0; a < BVP_COLUMNS; a++)
#pragma unroll
        for (int j = 0; j < ROWS; j++)
            if (seat.left + a < s.map.size && seat.low + j < s.map.size)
                probe_cell(&s.map, seat.left + a, seat.low + j, t.q[a][j], changes[a] >> j & 1, map);
    if (threadIdx.x == 0)
        probe_head(&s.map, map);
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
