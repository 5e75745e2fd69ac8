/* The k nearest neighbours on CUDA: the lists that neighbours_sense makes, by a thread an agent.
 *
 * A thread goes through the cells around its agent and first only notes who is within the guess. What was noted goes
 * into the sorted list when all is noted: then the threads of a warp insert together. One that inserts at once keeps
 * the other 31 waiting for nearly every candidate. */
#ifndef THRONG_CUDA_NEIGHBOURS_CUH
#define THRONG_CUDA_NEIGHBOURS_CUH

#include "cuda.cuh"

#include "kernels/sense/neighbours.h"

enum { NEIGHBOURS_NOTED = 24 }; /* how many a thread notes before it inserts them */

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

/* The lesser of two keys first. (In C the compiler makes a minimum and a maximum of it, and compares twice.) */
static __device__ __forceinline__ void keys_order(nearest_key *first, nearest_key *second)
{
    nearest_key lesser, greater;
    asm("{\n\t"
        ".reg .pred less;\n\t"
        "setp.lt.u64 less, %3, %2;\n\t"
        "selp.b64 %0, %3, %2, less;\n\t"
        "selp.b64 %1, %2, %3, less;\n\t"
        "}"
        : "=&l"(lesser), "=&l"(greater)
        : "l"(*first), "l"(*second));
    *first = lesser;
    *second = greater;
}

template <int K> static __device__ __forceinline__ void keys_insert(nearest_keys<K> *list, nearest_key key)
{
#pragma unroll
    for (int s = 0; s < K; s++)
        keys_order(&list->key[s], &key);
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

/* The nearest of those. */
template <int K>
static __device__ __forceinline__ void search(const crowd &c, const neighbours_sought &s, neighbours_noted *noted,
                                              nearest_keys<K> *list)
{
    float bound = s.radius * s.radius;
    int32_t count = 0;
    list->free = key_of(bound, 0);
#pragma unroll
    for (int e = 0; e < K; e++)
        list->key[e] = list->free;
    search_rows(c, s, [&](int32_t from, int32_t to, int32_t sheet) {
        for (int32_t j = from; j < to; j++) {
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

/* The list of agent i. */
template <int K>
static __device__ __forceinline__ void list_neighbours(const crowd &c, int32_t i, neighbours_noted *noted)
{
    int32_t slot = c.slot[i], limit = c.neighbours[slot], count = 0;
    float sight = c.sight[slot], radius = fminf(c.reach[slot] + 2 * c.largest_step, sight);
    neighbours_sought s = {i, c.sx[i], c.sy[i], radius};
    nearest_keys<K> list;
    for (bool again = true; again;) {
        search(c, s, noted, &list);
        again = list.key[K - 1] == list.free && s.radius < sight;
        s.radius = again ? sight : s.radius;
    }
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
