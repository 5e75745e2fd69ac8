/* The k nearest neighbours on CUDA: the lists that neighbours_sense makes, by a thread or a team of threads an agent.
 *
 * A thread goes through the cells around its agent, or a team of threads together, and first only notes who is within
 * the guess. What was noted goes into the sorted list when all is noted: then the threads of a warp insert
 * together. One that inserts at once keeps the other 31 waiting for nearly every candidate. */
#ifndef THRONG_CUDA_NEIGHBOURS_CUH
#define THRONG_CUDA_NEIGHBOURS_CUH

#include "cuda.cuh"

#include "kernels/sense/neighbours.h"

/* Up to so many agents get a team of so many threads each, beyond that a thread: with a thread each the search of 1,000
 * is nearly all waiting. */
enum { NEIGHBOURS_TEAM = 8, NEIGHBOURS_TEAMS_MOST = 1 << 15 };

/* How many a thread notes before it inserts them. */
enum { NEIGHBOURS_NOTED = 24 };

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

/* What the team's thread `rank` has of a value. */
template <int TEAM> static __device__ __forceinline__ int32_t of_thread(int32_t value, int32_t rank)
{
    return TEAM == 1 ? value : __shfl_sync(~0u >> (32 - TEAM) << threadIdx.x % 32 / TEAM * TEAM, value, rank, TEAM);
}

/* Everybody within `radius` of agent i at (x, y), or one in TEAM of them. Each thread finds out about a row of cells,
 * and then they go through the rows together. */
template <int K, int TEAM>
static __device__ __forceinline__ void search_rows(const crowd &c, int32_t i, float x, float y, float radius,
                                                   int32_t rank, neighbours_noted *noted, nearest_keys<K> *list)
{
    float reach = radius + 1e-6f * (fabsf(x) + fabsf(y) + c.extent), bound = radius * radius;
    int32_t x0 = crowd_column(&c, x - reach), width = min(crowd_column(&c, x + reach) - x0 + 1, c.frame.grid_width);
    int32_t y0 = crowd_row(&c, y - reach), height = min(crowd_row(&c, y + reach) - y0 + 1, c.frame.grid_height);
    int count = 0;
    list->free = key_of(bound, 0);
#pragma unroll
    for (int s = 0; s < K; s++)
        list->key[s] = list->free;
    for (int32_t first = 0; first < height; first += TEAM) {
        cell_runs own = neighbours_runs(&c, x0, width, y0 + min(first + rank, height - 1));
        for (int32_t run = 0; run < 2 * min(TEAM, height - first); run++) {
            int32_t from = of_thread<TEAM>(run % 2 ? own.from[1] : own.from[0], run / 2);
            int32_t to = of_thread<TEAM>(run % 2 ? own.to[1] : own.to[0], run / 2);
            for (int32_t j = from + rank; j < to; j += TEAM) {
                if (j == i || !(squared_distance(c, x, y, j) <= bound))
                    continue;
                noted->sorted[count++][threadIdx.x] = j;
                if (count == NEIGHBOURS_NOTED) {
                    insert_noted(c, noted, count, x, y, list);
                    bound = distance_of(list->key[K - 1]);
                    count = 0;
                }
            }
        }
    }
    insert_noted(c, noted, count, x, y, list);
}

/* The lists of a team's threads become the team's: its best, K times, is that of a thread's head, which takes it off.
 * Done when none of the warp's teams has more. */
template <int K, int TEAM> static __device__ __forceinline__ void join_lists(nearest_keys<K> *list)
{
    nearest_keys<K> own = *list;
    bool more = true;
#pragma unroll
    for (int s = 0; s < K; s++) {
        nearest_key best = own.key[0];
        if (more) {
#pragma unroll
            for (int q = 1; q < TEAM; q *= 2) {
                nearest_key theirs = __shfl_xor_sync(~0u, best, q, TEAM);
                best = theirs < best ? theirs : best;
            }
            more = __any_sync(~0u, best != own.free);
        }
        list->key[s] = best;
        if (own.key[0] == best && best != own.free) {
#pragma unroll
            for (int e = 0; e + 1 < K; e++)
                own.key[e] = own.key[e + 1];
            own.key[K - 1] = own.free;
        }
    }
}

/* The list of the agent of this thread of block `block`. */
template <int K, int TEAM> static __device__ __forceinline__ void list_neighbours(const crowd &c, int32_t block)
{
    __shared__ neighbours_noted noted;
    int32_t i = (block * BLOCK + (int32_t)threadIdx.x) / TEAM, rank = (int32_t)threadIdx.x % TEAM;
    bool there = i < c.frame.agents;
    i = there ? i : 0; /* whole warps exchange what they found */
    int32_t slot = c.slot[i], limit = c.neighbours[slot], count = 0;
    float x = c.sx[i], y = c.sy[i], sight = c.sight[slot], radius = fminf(c.reach[slot] + 2 * c.largest_step, sight);
    nearest_keys<K> list;
    for (bool again = true; again; radius = sight) {
        search_rows<K, TEAM>(c, i, x, y, radius, rank, &noted, &list);
        if (TEAM > 1)
            join_lists<K, TEAM>(&list);
        again = list.key[K - 1] == list.free && radius < sight;
        again = TEAM > 1 ? __any_sync(~0u, again) : again;
    }
    float complete = limit > 0 ? sight * sight : 0;
#pragma unroll
    for (int s = 0; s < K; s++) {
        bool in = list.key[s] != list.free && limit > s;
        count += in;
        complete = in && (s == K - 1 || limit == s + 1) ? distance_of(list.key[s]) : complete;
        if (there && s % TEAM == rank)
            c.seen[(int64_t)s * c.stride + i] = in ? c.rank[(uint32_t)list.key[s]] : -1;
    }
    if (!there || rank)
        return;
    c.seen_count[i] = count;
    c.seen_reach[i] = complete;
    c.reach[slot] = list.key[K - 1] != list.free ? lane_sqrt(distance_of(list.key[K - 1])) : sight;
}

#endif
