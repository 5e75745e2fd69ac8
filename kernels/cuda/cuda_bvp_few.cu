/* BVP on CUDA where agents are few, who would leave schedulers without a warp: tiles are low, and a map has a warp for
 * itself. What counts is how long one warp takes, so memory is asked for all at once, the cells of a map are shared out
 * evenly, no root nor choice takes a branch, and up to BVP_FEWEST agents have three warps, each of which draws a part
 * of the map that does not wait for the others.
 *
 * The whole stage for 500 agents on an H200, by its own clock, with maps of 21 x 21, 32 and 64 sweeps: 12.9 and 16.3
 * us, of which 4 are those of any stage. When one warp drew all of the map, each thread what was in its tile, and tiles
 * were of six rows: 20.2 and 25.8; a sweep took 345 cycles of a warp then, and takes 210. Prefetches of what is read
 * made it 16.5 and 19.9. */
#include "cuda_bvp.cuh"

#include "kernels/planners/probe.h"

enum {
    BVP_FEWEST = 528, /* a scheduler of an H200 each */
    BVP_FEW = 2112,   /* a quarter of one */
};

/* Rows of cells: bit i is the cell in column i. */
template <int SIDE> struct bvp_rows {
    uint32_t blocked[SIDE], ones[SIDE];
};

template <int SIDE> struct bvp_shared {
    bvp_scene scene;
    bvp_rows<SIDE> rows;
    bvp_map map;
    float near_middle[3][3]; /* q of the cells next to the middle, by row and column */
};

/* --- what is around ---------------------------------------------------------------------------------------- */

/* What a thread reads of its agent and its neighbours before it knows what map it draws: an agent is a chain of reads
 * from memory, each of which waits for the last, and where it has a warp for itself nobody else computes meanwhile. */
struct bvp_found {
    bvp_map map;
    bvp_other other;
    bvp_wall wall;
};

static __device__ bvp_found bvp_find(const crowd *c, int32_t i, int32_t slot, const bvp_slot *thread_slot)
{
    bvp_found f = {};
    int s = thread_slot->thread;
    if (!thread_slot->there)
        return f;
    bvp_read(c, i, slot, &f.map);
    if (s < c->k)
        f.other = bvp_find_other(c, i, s, true);
    if (s < THRONG_WALLS_MAX && c->walls.count)
        f.wall = bvp_find_wall(c, i, s, true);
    return f;
}

/* Is anybody in the way? */
static __device__ bool bvp_hindered(const crowd *c, const bvp_slot *thread_slot, const bvp_found *found,
                                    const bvp_map *m)
{
    bvp_other o = bvp_see_other(c, m, found->other);
    return __ballot_sync(~0u, bvp_in_the_way(m, &o)) & thread_slot->team;
}

static __device__ void bvp_look_around(const crowd *c, const bvp_slot *thread_slot, const bvp_found *found,
                                       const bvp_map *m, bvp_scene *scene)
{
    bvp_other o = found->other;
    bvp_wall w = found->wall;
    char4 box = {};
    if (o.there && (o = bvp_see_other(c, m, o)).there) {
        float reach = lane_sqrt(o.keep);
        box = bvp_box(m, o.x - reach, o.x + reach, o.y - reach, o.y + reach);
    }
    int others = bvp_append(thread_slot, o.there && bvp_box_holds(box), o, box, scene->around.other, scene->other, 0);
    if (w.there) {
        w = bvp_see_wall(m, w);
        float reach = BVP_TOUCH * m->radius;
        box = bvp_box(m, fminf(w.ax, w.ax + w.ex) - reach, fmaxf(w.ax, w.ax + w.ex) + reach,
                      fminf(w.ay, w.ay + w.ey) - reach, fmaxf(w.ay, w.ay + w.ey) + reach);
    }
    int walls = bvp_append(thread_slot, w.there && bvp_box_holds(box), w, box, scene->around.wall, scene->wall, 0);
    if (thread_slot->thread == 0 && thread_slot->there) {
        scene->around.others = others;
        scene->around.walls = walls;
    }
    __syncwarp();
}

/* --- the map ----------------------------------------------------------------------------------------------- */

/* Marks the cells that things touch: a thread of the team has eight cells of a row of a thing's box, and goes on to
 * those of the eighth thread after it. Were each thread to look at the things in its tile, all would wait for the one
 * with the most of them. */
template <int THREADS, typename T, typename F>
static __device__ __forceinline__ void bvp_mark(const bvp_map *m, int thread, int count, const T *things,
                                                const char4 *boxes, F touches, uint32_t *blocked)
{
    for (int job = thread; job < 8 * count; job += THREADS) {
        T thing = things[job / 8];
        char4 box = boxes[job / 8];
#pragma unroll 1
        for (int j = box.y + job % 8; j <= box.w; j += 8)
#pragma unroll 1
            for (int i = box.x; i <= box.z; i += 8) {
                uint32_t touched = 0;
#pragma unroll
                for (int a = 0; a < 8; a++)
                    touched |= (uint32_t)touches(&thing, (float)(i + a - m->middle) * m->cell,
                                                 (float)(j - m->middle) * m->cell)
                               << a;
                atomicOr(&blocked[j], touched << i);
            }
    }
}

template <int SIDE, int THREADS>
static __device__ void bvp_block(const bvp_map *m, int thread, const bvp_scene *scene, bvp_rows<SIDE> *rows)
{
    const bvp_around *around = &scene->around;
    float keep = bvp_keep_from_walls(m);
    auto other = [](const bvp_other *o, float x, float y) { return bvp_touches(o, x, y); };
    auto wall = [keep](const bvp_wall *w, float x, float y) { return bvp_touches_wall(w, keep, x, y); };
    bvp_mark<THREADS>(m, thread, around->others, around->other, scene->other, other, rows->blocked);
    bvp_mark<THREADS>(m, thread, around->walls, around->wall, scene->wall, wall, rows->blocked);
}

/* The same of what the lists lack, which is rare: each thread of the team takes one thing after the other. */
template <int SIDE, int THREADS>
static __device__ __noinline__ void bvp_block_beyond(const crowd *c, int32_t i, int32_t slot, const bvp_map m,
                                                     int thread, bvp_rows<SIDE> *rows)
{
    float keep = bvp_keep_from_walls(&m);
    int count = 0;
    auto mark = [&](char4 box, auto touches) {
        if (count++ % THREADS != thread)
            return;
        for (int j = box.y; j <= box.w; j++) {
            uint32_t touched = 0;
            for (int a = box.x; a <= box.z; a++)
                touched |= (uint32_t)touches((float)(a - m.middle) * m.cell, (float)(j - m.middle) * m.cell) << a;
            atomicOr(&rows->blocked[j], touched);
        }
    };
    bvp_visit_beyond(
        c, i, slot, &m,
        [&](bvp_other o, char4 box) { mark(box, [&](float x, float y) { return bvp_touches(&o, x, y); }); },
        [&](bvp_wall w, char4 box) { mark(box, [&](float x, float y) { return bvp_touches_wall(&w, keep, x, y); }); });
}

/* Marks the cells of the rim that are the intermediate goal. */
template <int SIDE, int THREADS> static __device__ void bvp_lead_on(const bvp_map *m, int thread, bvp_rows<SIDE> *rows)
{
    int last = m->size - 1;
    float low = (float)-m->middle, high = (float)(last - m->middle);
    for (int l = thread; l <= last; l += THREADS) {
        float along = (float)(l - m->middle);
        uint32_t sides = bvp_leads_on(m, low, along) | (uint32_t)bvp_leads_on(m, high, along) << last;
        if (sides)
            atomicOr(&rows->ones[l], sides);
        if (bvp_leads_on(m, along, low))
            atomicOr(&rows->ones[0], 1u << l);
        if (bvp_leads_on(m, along, high))
            atomicOr(&rows->ones[last], 1u << l);
    }
}

/* lane_sqrt of a whole number, not 0. It is what that is compiled to, but for the branch for what is tiny or huge,
 * which keeps several from being computed at once. */
static __device__ __forceinline__ float bvp_root(float a)
{
    float over;
    asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(over) : "f"(a));
    float root = a * over;
    return __fmaf_rn(__fmaf_rn(-root, root, a), 0.5f * over, root);
}

/* Bits from column `first` to `last`, of those that the tile has. */
static __device__ uint32_t bvp_columns(const bvp_slot *thread_slot, int first, int last)
{
    return (uint32_t)((2ull << last) - (1ull << first)) >> thread_slot->left & ((1u << BVP_COLUMNS) - 1);
}

/* What bvp_cell says of the tile's cells, when all that is marked is. Columns and rows that the map does not have do
 * not change and are 0. */
template <int SIDE, int ROWS>
static __device__ void bvp_draw(const bvp_map *m, const bvp_slot *thread_slot, const bvp_rows<SIDE> *rows,
                                bvp_tile<ROWS> *t)
{
    int last = m->size - 1, inmost = last - m->zone;
    uint32_t all = bvp_columns(thread_slot, 0, last), within = bvp_columns(thread_slot, 1, last - 1);
    uint32_t inner = bvp_columns(thread_slot, m->zone, inmost), own = bvp_columns(thread_slot, m->middle, m->middle),
             goal = 0;
    float x = (float)(thread_slot->left - m->middle);
#pragma unroll
    for (int a = 0; a < BVP_COLUMNS; a++)
        goal |= (uint32_t)(m->goal_x == x + (float)a) << a;
    goal &= inner;
    uint32_t changes[BVP_COLUMNS] = {}, ones[BVP_COLUMNS] = {};
#pragma unroll 1
    for (int k = 0, count = min(ROWS, last + 1 - thread_slot->low); k < count; k++) {
        int j = thread_slot->low + k;
        float y = (float)(j - m->middle);
        bool zoned = j >= m->zone && j <= inmost;
        uint32_t goals = zoned && m->goal_y == y ? goal : 0;
        uint32_t given = zoned ? (rows->blocked[j] >> thread_slot->left & inner) | goals : 0;
        given &= j == m->middle ? ~own : ~0u;
        if (given) {
            uint32_t seen = 0;
#pragma unroll
            for (int a = 0; a < BVP_COLUMNS; a++)
                seen |= (uint32_t)bvp_seen_at(m, x + (float)a, y, bvp_root((x + (float)a) * (x + (float)a) + y * y))
                        << a;
            given &= seen;
        }
        uint32_t change = j > 0 && j < last ? within & ~given : 0;
        uint32_t one = (rows->ones[j] >> thread_slot->left & all) | (goals & given);
#pragma unroll
        for (int a = 0; a < BVP_COLUMNS; a++) {
            changes[a] |= (change >> a & 1) << k;
            ones[a] |= (one >> a & 1) << k;
        }
    }
#pragma unroll
    for (int a = 0; a < BVP_COLUMNS; a++) {
        t->changes[a] = changes[a];
        t->below[a] = rows->ones[0] >> thread_slot->left >> a & 1 ? 1.0f : 0.0f;
#pragma unroll
        for (int j = 0; j < ROWS; j++)
            t->q[a][j] = ones[a] >> j & 1 ? 1.0f : 0.0f;
    }
}

/* A map's parts that do not wait for each other: what its agent wants and where that leads, what is around, and the
 * equation and the goal. Where there are few agents, each part is drawn by a warp of its own. */
enum { BVP_OWN, BVP_AROUND, BVP_BEND, BVP_PARTS };

/* Draws the tile of sorted agent i's map, who is in `slot` and has planner `entry`. With PARTS = BVP_PARTS only `part`
 * of the map, and then all of it in the first part's warp; else PARTS = 1. */
template <int SIDE, int ROWS, int PARTS>
static __device__ void bvp_begin(const crowd *c, int32_t i, int32_t slot, int32_t entry, const bvp_slot *thread_slot,
                                 int part, const bvp_found *found, bvp_shared<SIDE> *s, bvp_tile<ROWS> *t)
{
    const int THREADS = bvp_shape<SIDE, ROWS>::THREADS;
    static_assert(THREADS >= THRONG_NEIGHBOURS_MAX && THREADS >= THRONG_WALLS_MAX, "each thread finds one of each");
    bool there = thread_slot->there, together = PARTS == 1;
    bvp_map m = found->map;
    if (there)
        bvp_lay_out(c, entry, &m);
    if (together || part == BVP_OWN) {
        for (int j = thread_slot->thread; there && j < SIDE; j += THREADS)
            s->rows.ones[j] = 0;
        __syncwarp();
        if (there) {
            float dx, dy;
            plan_desired(c, i, true, slot, &dx, &dy);
            bvp_face(c, true, slot, entry, dx, dy, &m);
        }
        bool hindered = bvp_hindered(c, thread_slot, found, &m);
        m.free = m.free && !hindered;
        if (there && m.free && bvp_has_beyond(c, i, slot, &m))
            m.free = !bvp_hindered_beyond(c, i, slot, m);
        if (there)
            bvp_lead_on<SIDE, THREADS>(&m, thread_slot->thread, &s->rows);
    }
    if (together || part == BVP_AROUND) {
        for (int j = thread_slot->thread; there && j < SIDE; j += THREADS)
            s->rows.blocked[j] = 0;
        bvp_look_around(c, thread_slot, found, &m, &s->scene);
        if (there)
            bvp_block<SIDE, THREADS>(&m, thread_slot->thread, &s->scene, &s->rows);
        if (there && bvp_has_beyond(c, i, slot, &m))
            bvp_block_beyond<SIDE, THREADS>(c, i, slot, m, thread_slot->thread, &s->rows);
    }
    if (together || part == BVP_BEND) {
        if (there)
            bvp_bend(c, true, slot, entry, &m);
        if (!together && there && thread_slot->thread == 0)
            s->map = m;
    }
    if (together) {
        __syncwarp();
    } else {
        __syncthreads();
        if (part != BVP_OWN)
            return;
        m.bend_x = s->map.bend_x;
        m.bend_y = s->map.bend_y;
        m.bends = s->map.bends;
        m.over = s->map.over;
        m.goal_x = s->map.goal_x;
        m.goal_y = s->map.goal_y;
        __syncwarp();
    }
    if (there)
        bvp_draw<SIDE, ROWS>(&m, thread_slot, &s->rows, t);
    else
        *t = {};
    if (there && thread_slot->thread == 0)
        s->map = m;
    __syncwarp();
}

/* --- relaxation -------------------------------------------------------------------------------------------- */

template <int ROWS> static __device__ __forceinline__ void bvp_unfold(const bvp_tile<ROWS> *t, bvp_masks<ROWS> *masks)
{
    if constexpr (bvp_masks<ROWS>::ROOM)
#pragma unroll
        for (int a = 0; a < BVP_COLUMNS; a++)
#pragma unroll
            for (int j = 0; j < ROWS; j++) {
                uint32_t all = t->changes[a] >> j & 1 ? ~0u : 0;
                asm volatile("" : "+r"(all)); /* else it is a bit again, and choosing two operations */
                masks->changes[a][j] = all;
            }
}

/* Factors take a division, so each thread of the warp, whose map is its only one, has those of another sweep. */
template <int SIDE, int ROWS, bool BENDS, bool WATCH>
static __device__ void bvp_relax(const bvp_map *m, const bvp_slot *thread_slot, int sweeps, bvp_tile<ROWS> *t)
{
    typedef bvp_shape<SIDE, ROWS> shape;
    static_assert(shape::MAPS == 1, "a warp has a map");
    const bool LOW = bvp_masks<ROWS>::ROOM;
    const int AT_ONCE = 32;
    int lane = (int)threadIdx.x % 32;
    bool lowest = thread_slot->low == shape::FROM;
    bvp_masks<ROWS> masks;
    bvp_unfold(t, &masks);
    sweeps = __shfl_sync(~0u, sweeps, 0); /* known to be the same in all threads */
    for (int from = 0; from < sweeps; from += AT_ONCE) {
        bvp_factors mine = bvp_sweep_factors(m, from + lane);
        bvp_factors next = bvp_factors_of<BENDS>(mine, 0);
#pragma unroll(LOW && !WATCH ? 2 : 1)
        for (int n = 0, count = min(sweeps - from, AT_ONCE); n < count; n++) {
            bvp_factors f = LOW ? next : bvp_factors_of<BENDS>(mine, n);
            if (LOW)
                next = bvp_factors_of<BENDS>(mine, n + 1);
            float first = bvp_turn<SIDE, ROWS, BENDS, WATCH>(&f, 0, lowest, &masks, t);
            float second = bvp_turn<SIDE, ROWS, BENDS, WATCH>(&f, 1, lowest, &masks, t);
            if (!WATCH)
                continue;
            uint32_t above = __ballot_sync(~0u, lane_max(first, second) > m->residual);
            if (!__any_sync(~0u, m->residual == 0 || above & thread_slot->team))
                return;
        }
    }
}

/* The cells about the middle, of its three columns and rows, that are next to it. */
template <int FROM, int ROWS>
static __device__ void bvp_leave(const bvp_tile<ROWS> *t, const bvp_slot *thread_slot, int middle,
                                 float near_middle[3][3])
{
    int column = thread_slot->left - middle, row = thread_slot->low - middle;
#pragma unroll
    for (int a = 0; a < BVP_COLUMNS; a++)
#pragma unroll
        for (int j = (a + FROM + 1) & 1; j < ROWS; j += 2) /* they have the other colour than the middle */
            if (abs(column + a) + abs(row + j) == 1)
                near_middle[row + j + 1][column + a + 1] = t->q[a][j];
}

/* --- kernels ----------------------------------------------------------------------------------------------- */

template <int MORE_THAN, int SIDE, int ROWS, int PARTS>
__global__ void __launch_bounds__(32 * BVP_WARPS * PARTS, PARTS > 1) kernel_plan_bvp_of_few(const crowd c)
{
    typedef bvp_shape<SIDE, ROWS> shape;
    __shared__ bvp_shared<SIDE> shared[BVP_WARPS][shape::MAPS];
    await_previous_launch();
    int lane = (int)threadIdx.x % 32, warp = (int)threadIdx.x / 32 % BVP_WARPS, at = lane / shape::THREADS;
    int part = (int)threadIdx.x / (32 * BVP_WARPS);
    int32_t i = (int32_t)(blockIdx.x * BVP_WARPS + warp) * shape::MAPS + at;
    bvp_slot thread_slot = bvp_slot_of<SIDE, ROWS>(lane, at < shape::MAPS && i < c.frame.agents);
    int32_t slot = thread_slot.there ? c.slot[i] : 0, entry = thread_slot.there ? c.planner[slot] : 0;
    bvp_found found = bvp_find(&c, i, slot, &thread_slot);
    thread_slot.there = thread_slot.there && bvp_needs(&c, entry, MORE_THAN, SIDE);
    if (!__any_sync(~0u, thread_slot.there))
        return;
    bvp_shared<SIDE> *s = &shared[warp][at < shape::MAPS ? at : 0];
    bvp_tile<ROWS> t;
    bvp_begin<SIDE, ROWS, PARTS>(&c, i, slot, entry, &thread_slot, part, &found, s, &t);
    if (part > 0)
        return;
    bvp_relax_all<SIDE, ROWS>(&s->map, &thread_slot, &t);
    if (thread_slot.there)
        bvp_leave<shape::FROM, ROWS>(&t, &thread_slot, s->map.middle, s->near_middle);
    __syncwarp();
    if (thread_slot.there && thread_slot.thread == 0) {
        float(*q)[3] = s->near_middle;
        bvp_store(&c, &s->map, i, true, slot, q[1][2] - q[1][0], q[2][1] - q[0][1]);
    }
}

template <int MORE_THAN, int SIDE, int ROWS, int PARTS> static void bvp_launch(const planning &p)
{
    const int maps = BVP_WARPS * bvp_shape<SIDE, ROWS>::MAPS;
    cuda_launch(kernel_plan_bvp_of_few<MORE_THAN, SIDE, ROWS, PARTS>, (p.c.frame.agents + maps - 1) / maps,
                32 * BVP_WARPS * PARTS, p.stream, p.c);
}

/* Of SIDE cells a side, in tiles of ROWS, if there are any. */
template <int MORE_THAN, int SIDE, int ROWS> static void bvp_launch_fitting(const planning &p, uint32_t sizes)
{
    if (!(sizes & (uint32_t)((1ull << SIDE) - (1ull << MORE_THAN))))
        return;
    if (p.c.frame.agents <= BVP_FEWEST)
        bvp_launch<MORE_THAN, SIDE, ROWS, BVP_PARTS>(p);
    else
        bvp_launch<MORE_THAN, SIDE, ROWS, 1>(p);
}

bool cuda_plan_bvp_of_few(const planning &p, uint32_t sizes)
{
    if (p.c.frame.agents > BVP_FEW)
        return false;
    bvp_launch_fitting<0, 11, 2>(p, sizes);
    bvp_launch_fitting<11, 16, 2>(p, sizes);
    bvp_launch_fitting<16, 21, 4>(p, sizes);
    bvp_launch_fitting<21, BVP_CELLS_MAX, 8>(p, sizes);
    return true;
}

/* One map, to look at; one warp. */
__global__ void kernel_local_map(const crowd c, int32_t slot, throng_local_map *map)
{
    const int SIDE = BVP_CELLS_MAX, ROWS = 8;
    __shared__ bvp_shared<SIDE> s;
    bvp_tile<ROWS> t;
    bvp_slot thread_slot = bvp_slot_of<SIDE, ROWS>((int)threadIdx.x, true);
    bvp_found found = bvp_find(&c, c.rank[slot], slot, &thread_slot);
    bvp_begin<SIDE, ROWS, 1>(&c, c.rank[slot], slot, c.planner[slot], &thread_slot, 0, &found, &s, &t);
    uint32_t changes[BVP_COLUMNS];
    memcpy(changes, t.changes, sizeof changes);
    bvp_relax_all<SIDE, ROWS>(&s.map, &thread_slot, &t);
#pragma unroll
    for (int a = 0; a < BVP_COLUMNS; a++)
#pragma unroll
        for (int j = 0; j < ROWS; j++)
            if (thread_slot.left + a < s.map.size && thread_slot.low + j < s.map.size)
                probe_cell(&s.map, thread_slot.left + a, thread_slot.low + j, t.q[a][j], changes[a] >> j & 1, map);
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
