/* Local maps as tiles of a warp's threads: what is around, relaxation; see cuda_bvp.cu. */
#ifndef THRONG_CUDA_BVP_CUH
#define THRONG_CUDA_BVP_CUH

#include <type_traits>

#include "cuda.cuh"
#include "cuda_thread_group.cuh"

#include "kernels/planners/bvp.h"
#include "kernels/planners/plan.h"

/* Warps with maps, a block; blocks that draw, a processor: registers are shared out by that. */
enum { BVP_WARPS = 4, BVP_DRAWING = 5 };

/* Maps of at most SIDE cells a side. COLUMNS: of a tile, which is as high as the map. */
template <int SIDE> struct bvp_shape {
    static constexpr int COLUMNS = SIDE > 32 ? 2 : 4, THREADS = (SIDE + COLUMNS - 1) / COLUMNS, MAPS = 32 / THREADS;
    typedef typename std::conditional<(SIDE > 32), uint64_t, uint32_t>::type rows;
};

/* Bit j of a column: its cell in row j. */
template <int SIDE> using bvp_rows = typename bvp_shape<SIDE>::rows;
static __device__ int bvp_lowest(uint32_t rows) { return __ffs(rows) - 1; }
static __device__ int bvp_lowest(uint64_t rows) { return __ffsll(rows) - 1; }

/* What a group has found around its agent and not yet drawn, and the cells of the u-zone that each may touch: columns x
 * to z, rows y to w. */
enum { BVP_LISTED = 32 };
struct bvp_others {
    bvp_other one[BVP_LISTED];
    char4 box[BVP_LISTED];
};
struct bvp_walls {
    bvp_wall one[BVP_LISTED];
    char4 box[BVP_LISTED];
};
union bvp_scene { /* one after the other */
    bvp_others others;
    bvp_walls walls;
};

/* A thread's place: in the group that has a map, and its tile's first column. */
template <int SIDE> struct bvp_place {
    thread_group<bvp_shape<SIDE>::THREADS> group;
    int left;
    bool there; /* the group has an agent */
};

template <int SIDE> struct bvp_tile {
    float q[bvp_shape<SIDE>::COLUMNS][SIDE];
    bvp_rows<SIDE> changes[bvp_shape<SIDE>::COLUMNS];
};

/* A tile before the first sweep, bit j of a column its cell in row j: it changes; q is BVP_ONE there, else 0. */
template <int SIDE> struct alignas(16) bvp_start {
    bvp_rows<SIDE> changes[bvp_shape<SIDE>::COLUMNS], ones[bvp_shape<SIDE>::COLUMNS];
};

/* What the one kernel leaves for the other of an agent. */
template <int SIDE> struct alignas(16) bvp_drawn {
    bvp_map map;
    bvp_start<SIDE> tile[bvp_shape<SIDE>::THREADS];
};

/* --- what is around ---------------------------------------------------------------------------------------- */

/* Cells beyond what may be touched, which rounding is far from. */
#define BVP_BEYOND 0.1f

/* The cells of the u-zone between x0 and x1 and y0 and y1, in m from the agent. */
static __device__ char4 bvp_box(const bvp_map *m, float x0, float x1, float y0, float y1)
{
    const float most = BVP_CELLS_MAX;
    int right = m->width - 1 - m->zone, top = m->height - 1 - m->zone, zones = m->zone;
    float over = 1 / m->cell;
    x0 = fminf(fmaxf(x0 * over - BVP_BEYOND, -most), most);
    y0 = fminf(fmaxf(y0 * over - BVP_BEYOND, -most), most);
    x1 = fminf(fmaxf(x1 * over + BVP_BEYOND, -most), most);
    y1 = fminf(fmaxf(y1 * over + BVP_BEYOND, -most), most);
    return make_char4(max((int)ceilf(x0) + m->column, zones), max((int)ceilf(y0) + m->row, zones),
                      min((int)floorf(x1) + m->column, right), min((int)floorf(y1) + m->row, top));
}

static __device__ bool bvp_box_holds(char4 box) { return box.x <= box.z && box.y <= box.w; }

/* Appends to the group's list what its threads have found, if anything; its new length. */
template <int SIDE, typename LIST, typename T>
static __device__ int bvp_append(const bvp_place<SIDE> *place, bool found, const T &one, char4 box, LIST *list,
                                 int count)
{
    unsigned all = group_ballot(place->group, found);
    int at = count + __popc(all & ((1u << place->group.rank) - 1));
    if (found) {
        list->one[at] = one;
        list->box[at] = box;
    }
    return count + __popc(all);
}

/* Must the lists be drawn, since one is full, or nobody has more? All groups of a warp do so together. */
template <int SIDE> static __device__ bool bvp_must_draw(bool more, int count)
{
    return __any_sync(~0u, count > BVP_LISTED - bvp_shape<SIDE>::THREADS) || !__any_sync(~0u, more);
}

/* Those of a list whose boxes meet the tile. Everything is only looked at in its own cells: to look at all in all of
 * them took half of a map's time. */
template <int SIDE>
static __device__ uint32_t bvp_overlapping(const bvp_place<SIDE> *place, const char4 *boxes, int count)
{
    uint32_t overlapping = 0;
    for (int s = 0; s < count; s++) {
        char4 box = boxes[s];
        bool meets =
            box.x < place->left + bvp_shape<SIDE>::COLUMNS && box.z >= place->left && box.y < SIDE && box.w >= 0;
        overlapping |= (uint32_t)meets << s;
    }
    return overlapping;
}

/* Bit j of a column: the cell is an obstacle, if it is seen. */
template <int SIDE, typename LIST, typename F>
static __device__ void bvp_block(const bvp_map *m, const bvp_place<SIDE> *place, const LIST *list, int count, F touches,
                                 bvp_rows<SIDE> blocked[bvp_shape<SIDE>::COLUMNS])
{
    __syncwarp();
    float x = (float)(place->left - m->column);
    for (uint32_t rest = bvp_overlapping<SIDE>(place, list->box, count); rest; rest &= rest - 1) {
        int s = __ffs(rest) - 1;
        auto one = list->one[s];
        for (int j = list->box[s].y, to = min(list->box[s].w, SIDE - 1); j <= to; j++)
#pragma unroll
            for (int a = 0; a < bvp_shape<SIDE>::COLUMNS; a++)
                blocked[a] |= (bvp_rows<SIDE>)touches(&one, (x + a) * m->cell, (float)(j - m->row) * m->cell) << j;
    }
    __syncwarp();
}

/* --- relaxation -------------------------------------------------------------------------------------------- */

/* A colour's turn; the largest change of a cell of the tile's, if that is asked for. Cells on the rim, whose neighbours
 * are none or another map's, do not change. */
template <int SIDE, bool BENDS, bool WATCH>
static __device__ __forceinline__ float bvp_turn(const bvp_factors *f, int colour, bvp_tile<SIDE> *t)
{
    constexpr int COLUMNS = bvp_shape<SIDE>::COLUMNS;
    float largest = 0;
#pragma unroll
    for (int j = 1; j < SIDE - 1; j++) {
        int first = (j + colour) & 1;
        float beside = first == 0 ? __shfl_up_sync(~0u, t->q[COLUMNS - 1][j], 1) //
                                  : __shfl_down_sync(~0u, t->q[0][j], 1);
#pragma unroll
        for (int a = first; a < COLUMNS; a += 2) {
            float left = a > 0 ? t->q[a - 1][j] : beside, right = a < COLUMNS - 1 ? t->q[a + 1][j] : beside;
            float q = bvp_relaxed(f, BENDS, t->q[a][j], left, right, t->q[a][j - 1], t->q[a][j + 1]);
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

/* Each has its own: maps that are relaxed do not change any more. */
template <int SIDE, bool BENDS, bool WATCH>
static __device__ void bvp_relax(const bvp_map *m, const bvp_place<SIDE> *place, int sweeps, bvp_tile<SIDE> *t);

/* All of a warp's maps. */
template <int SIDE>
static __device__ void bvp_relax_all(const bvp_map *m, const bvp_place<SIDE> *place, bvp_tile<SIDE> *t)
{
    int sweeps = place->there ? m->sweeps : 0;
    if (__any_sync(~0u, place->there && m->residual > 0))
        bvp_relax<SIDE, true, true>(m, place, sweeps, t);
    else if (__any_sync(~0u, place->there && m->bends))
        bvp_relax<SIDE, true, false>(m, place, sweeps, t);
    else
        bvp_relax<SIDE, false, false>(m, place, sweeps, t);
}

/* --- groups ------------------------------------------------------------------------------------------------ */

/* All groups of a warp make the same calls. */
template <int SIDE> static __device__ bvp_place<SIDE> bvp_place_of(bool there)
{
    thread_group<bvp_shape<SIDE>::THREADS> group = group_of_warp<bvp_shape<SIDE>::THREADS>();
    return {group, group.rank * bvp_shape<SIDE>::COLUMNS, there};
}

/* Those whose maps need SIDE: smaller ones have a kernel with less. */
static __device__ bool bvp_needs(const crowd *c, const bvp_layout *l, int more_than, int side)
{
    int longer = max(l->width, l->height);
    return crowd_planner_kind(c, l->entry) == THRONG_PLANNER_bvp && longer > more_than && longer <= side;
}

#endif
