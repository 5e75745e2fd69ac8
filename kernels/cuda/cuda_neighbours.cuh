/* The k nearest neighbours on CUDA: the lists that neighbours_sense makes, by a thread an agent.
 *
 * A thread goes through the cells around its agent and first only notes who is within the guess. What was noted goes
 * into the sorted list when all is noted: then the threads of a warp insert together. One that inserts at once keeps
 * the other 31 waiting for nearly every candidate.
 *
 * Who has few neighbours and sees a jam from afar has hundreds to go through: a warp does that together, for one of its
 * agents after the other. (Of 10,000 in an office with a jam some took four times as long as all others.) */
#ifndef THRONG_CUDA_NEIGHBOURS_CUH
#define THRONG_CUDA_NEIGHBOURS_CUH

#include "cuda.cuh"
#include "cuda_thread_group.cuh"

#include "kernels/sense/neighbours.h"

/* How many a thread notes before it inserts them, and among how many it searches alone. */
enum { NEIGHBOURS_NOTED = 24, NEIGHBOURS_ALONE = 192 };
typedef thread_group<32> search_group;

/* The best so far, in order; an entry: the bits of the squared distance, then the slot. That of the bound and slot 0 is
 * free, and whoever is at the bound itself stays out. */
typedef unsigned long long nearest_key;

template <int K> struct nearest_keys {
    nearest_key key[K], free;
};

struct neighbours_noted {
    int32_t sorted[NEIGHBOURS_NOTED][BLOCK];
};

static __device__ __forceinline__ nearest_key key_of(float distance, int32_t slot)
{
    return (nearest_key)__float_as_uint(distance) << 32 | (uint32_t)slot;
}

static __device__ __forceinline__ float distance_of(nearest_key key) { return __uint_as_float((uint32_t)(key >> 32)); }

template <int K> static __device__ __forceinline__ void keys_insert(nearest_keys<K> *list, nearest_key key)
{
#pragma unroll
    for (int s = 0; s < K; s++) {
        nearest_key old = list->key[s];
        bool before = key < old;
        list->key[s] = before ? key : old;
        key = before ? old : key;
    }
}

static __device__ __forceinline__ float squared_distance(const crowd &c, float x, float y, int32_t j)
{
    float dx = c.sx[j] - x, dy = c.sy[j] - y;
    crowd_nearest_image(&c, &dx, &dy);
    return dx * dx + dy * dy;
}

template <int K>
static __device__ __forceinline__ void insert_noted(const crowd &c, const neighbours_noted *noted, int count, float x,
                                                    float y, nearest_keys<K> *list)
{
    for (int e = 0; e < count; e++) {
        int32_t j = noted->sorted[e][threadIdx.x];
        keys_insert(list, key_of(squared_distance(c, x, y, j), c.slot[j]));
    }
}

/* What is looked for: the agents within `radius` of agent i, which is at (x, y), on its sheet and those joined to it.
 */
struct neighbours_sought {
    int32_t i;
    float x, y, radius;
};

/* Calls visit(from, to, sheet) for the runs of agents in sorted order among whom they are. */
template <typename Visit>
static __device__ __forceinline__ void search_rows(const crowd &c, const neighbours_sought &s, Visit visit)
{
    int32_t own = c.sheets.count ? c.sheet[s.i] : SHEETS_ONLY;
    for (int32_t n = 0, sheet; (sheet = sheets_looked_at(&c, own, n)) != SHEETS_NONE; n++) {
        if (n > 0 && sheets_distance(&c, sheet, s.x, s.y) > s.radius * s.radius)
            continue;
        float at_x = s.x + sheets_off_x(&c, sheet), at_y = s.y + sheets_off_y(&c, sheet);
        float reach = s.radius + 1e-6f * (fabsf(at_x) + fabsf(at_y) + c.extent);
        int32_t x0 = crowd_column(&c, at_x - reach), y0 = crowd_row(&c, at_y - reach);
        int32_t width = min(crowd_column(&c, at_x + reach) - x0 + 1, c.frame.grid_width);
        int32_t height = min(crowd_row(&c, at_y + reach) - y0 + 1, c.frame.grid_height);
        for (int32_t row = 0; row < height; row++) {
            cell_runs runs = neighbours_runs(&c, x0, width, y0 + row);
            for (int32_t run = 0; run < 2; run++)
                visit(run ? runs.from[1] : runs.from[0], run ? runs.to[1] : runs.to[0], sheet);
        }
    }
}

/* The nearest of those whom thread `rank` of `threads` looks at. */
template <int K>
static __device__ __forceinline__ void search_share(const crowd &c, const neighbours_sought &s, int32_t rank,
                                                    int32_t threads, neighbours_noted *noted, nearest_keys<K> *list)
{
    float bound = s.radius * s.radius;
    int32_t count = 0;
    list->free = key_of(bound, 0);
#pragma unroll
    for (int e = 0; e < K; e++)
        list->key[e] = list->free;
    search_rows(c, s, [&](int32_t from, int32_t to, int32_t sheet) {
        for (int32_t j = from + rank; j < to; j += threads) {
            if (j == s.i || !(squared_distance(c, s.x, s.y, j) <= bound) || !sheets_hold(&c, j, sheet))
                continue;
            noted->sorted[count++][threadIdx.x] = j;
            if (count == NEIGHBOURS_NOTED) {
                insert_noted(c, noted, count, s.x, s.y, list);
                bound = distance_of(list->key[K - 1]);
                count = 0;
            }
        }
    });
    insert_noted(c, noted, count, s.x, s.y, list);
}

/* The nearest of what the threads of a warp have found each, to thread `whose`: the least of those that are left, again
 * and again. */
template <int K>
static __device__ __forceinline__ void merge_shares(const search_group &g, nearest_keys<K> *found, bool whose,
                                                    nearest_keys<K> *list)
{
#pragma unroll
    for (int e = 0; e < K; e++) {
        nearest_key least = found->key[0];
#pragma unroll
        for (int bit = 1; bit < 32; bit *= 2)
            least = min(least, group_swap(g, least, bit));
        bool mine = found->key[0] == least; /* or it is free, as all that are left */
#pragma unroll
        for (int d = 0; d < K - 1; d++)
            found->key[d] = mine ? found->key[d + 1] : found->key[d];
        found->key[K - 1] = mine ? found->free : found->key[K - 1];
        list->key[e] = whose ? least : list->key[e];
    }
    list->free = whose ? found->free : list->free;
}

/* For those of a warp's agents that are `wanted`, one after the other, by all of its threads. */
template <int K>
static __device__ __forceinline__ void search_together(const crowd &c, const neighbours_sought &own, bool wanted,
                                                       neighbours_noted *noted, nearest_keys<K> *list)
{
    search_group g = group_of_thread<32>();
    for (unsigned left = group_ballot(g, wanted); left; left &= left - 1) {
        int32_t whose = __ffs((int)left) - 1;
        neighbours_sought s = {group_take(g, own.i, whose), group_take(g, own.x, whose), group_take(g, own.y, whose),
                               group_take(g, own.radius, whose)};
        nearest_keys<K> found;
        search_share<K>(c, s, g.rank, 32, noted, &found);
        group_meet(g);
        merge_shares(g, &found, g.rank == whose, list);
    }
}

/* Would a thread go through too many? Within the width of a cell there are not. */
static __device__ __forceinline__ bool is_far(const crowd &c, const neighbours_sought &s)
{
    int32_t agents = 0;
    if (s.radius > c.frame.cell_x)
        search_rows(c, s, [&](int32_t from, int32_t to, int32_t) { agents += to - from; });
    return agents > NEIGHBOURS_ALONE;
}

/* The list of agent i, if there `is` one; by all threads of a warp. */
template <int K>
static __device__ __forceinline__ void list_neighbours(const crowd &c, int32_t i, bool is, neighbours_noted *noted)
{
    int32_t slot = c.slot[is ? i : 0], limit = c.neighbours[slot], count = 0;
    float sight = c.sight[slot], radius = fminf(c.reach[slot] + 2 * c.largest_step, sight);
    neighbours_sought s = {is ? i : 0, c.sx[is ? i : 0], c.sy[is ? i : 0], radius};
    nearest_keys<K> list;
    bool wanted = is && is_far(c, s);
    if (is && !wanted)
        search_share<K>(c, s, 0, 1, noted, &list);
    for (;; wanted = false) {
        if (is && !wanted && list.key[K - 1] == list.free && s.radius < sight) {
            s.radius = sight;
            wanted = true;
        }
        if (!__any_sync(~0u, wanted))
            break;
        search_together<K>(c, s, wanted, noted, &list);
    }
    if (!is)
        return;
    float complete = limit > 0 ? sight * sight : 0;
#pragma unroll
    for (int e = 0; e < K; e++) {
        bool in = list.key[e] != list.free && limit > e;
        count += in;
        complete = in && (e == K - 1 || limit == e + 1) ? distance_of(list.key[e]) : complete;
        c.seen[(int64_t)e * c.stride + i] = in ? c.rank[(uint32_t)list.key[e]] : -1;
    }
    c.seen_count[i] = count;
    c.seen_reach[i] = complete;
    c.reach[slot] = list.key[K - 1] != list.free ? lane_sqrt(distance_of(list.key[K - 1])) : sight;
}

#endif
