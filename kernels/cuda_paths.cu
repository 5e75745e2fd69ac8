/* Batches of paths on CUDA.
 *
 * Searches: persistent warps, a search each, which fetch the next query when they are done. A warp's heap has 32
 * children a node, which its lanes look at together, and the first of its entries in shared memory; lanes also look at
 * a node's edges together. Nodes leave such a heap in the order in which they leave that of paths.h, whose paths these
 * are (a search a thread, by that body, took two to ten times as long: every access waited for the one before). Paths
 * are written as they are found, into one array. Trees: a block a goal, which looks at all nodes until nothing changes,
 * with costs and steps in shared memory; where they do not fit, the whole device does. Then a thread a query walks. All
 * memory stays for the next batch. */
#include "cuda.cuh"

#include <cub/device/device_scan.cuh>

#include <algorithm>
#include <new>

#include "paths.h"

enum { PATHS_WARPS = 4, PATHS_WARPS_A_PROCESSOR = 48, PATHS_NEAR = 256, TREE_BLOCK = 256, TREE_SHARED_NODES = 4096 };

enum {
    PATHS_GRAPH,
    PATHS_QUERIES,
    PATHS_SEARCHES,
    PATHS_HEAPS,
    PATHS_COUNTERS,
    PATHS_GOALS,
    PATHS_TREE_OF,
    PATHS_TREE_COST,
    PATHS_TREE_STEPS,
    PATHS_TREE_NEXT,
    PATHS_SCAN,
    PATHS_OUT_COST,
    PATHS_OUT_COUNT,
    PATHS_OUT_FIRST,
    PATHS_OUT_NODE,
    PATHS_HOST_QUERIES, /* pinned from here on */
    PATHS_HOST_COST,
    PATHS_HOST_COUNT,
    PATHS_HOST_FIRST,
    PATHS_HOST_NODE,
    PATHS_BLOCKS
};

struct cuda_paths {
    cuda_block block[PATHS_BLOCKS];
    uint32_t stamp; /* of the searches so far */
};

/* What the kernels count: queries fetched, nodes written. */
struct paths_counters {
    unsigned int fetched;
    unsigned long long written;
};

/* A batch as the kernels see it. */
struct paths_job {
    throng_graph graph;
    const int32_t *from, *to;
    int32_t queries, warps;
    float *cost;
    int32_t *count, *node;
    int64_t *first, room;
    paths_counters *counters;
};

/* --- searches -------------------------------------------------------------------------------------------- */

/* A warp's search; all but the lane is the same in all lanes. */
struct paths_warp {
    const throng_graph *graph;
    paths_node *node;
    paths_open *near, *far; /* the heap: entries below PATHS_NEAR, in shared memory; others */
    int32_t open, lane;
    uint32_t stamp;
    paths_search from; /* for the bound */
};

static const unsigned ALL_LANES = 0xffffffffu;

static __device__ uint32_t warp_least(uint32_t a)
{
#if __CUDA_ARCH__ >= 800
    return __reduce_min_sync(ALL_LANES, a);
#else
    for (int turn = 16; turn; turn /= 2)
        a = min(a, __shfl_xor_sync(ALL_LANES, a, turn));
    return a;
#endif
}

static __device__ paths_open warp_entry(const paths_warp &w, int32_t at)
{
    return at < PATHS_NEAR ? w.near[at] : w.far[at];
}

/* By one lane. */
static __device__ void warp_put(const paths_warp &w, int32_t at, const paths_open &entry)
{
    if (w.lane)
        return;
    (at < PATHS_NEAR ? w.near : w.far)[at] = entry;
    w.node[entry.node].place = at;
}

static __device__ void warp_rise(const paths_warp &w, int32_t at, const paths_open &entry)
{
    __syncwarp();
    while (at > 0) {
        int32_t above = (at - 1) / 32;
        paths_open parent = warp_entry(w, above);
        __syncwarp(); /* all have read what the first lane may write next */
        if (!paths_before(&entry, &parent))
            break;
        warp_put(w, at, parent);
        at = above;
    }
    warp_put(w, at, entry);
    __syncwarp();
}

/* The first of the entries `at` .. at + 31 that there are, and where it is. */
static __device__ paths_open warp_first(const paths_warp &w, int32_t *at)
{
    bool there = *at + w.lane < w.open;
    paths_open own = {};
    if (there)
        own = warp_entry(w, *at + w.lane);
    uint32_t bound = there ? __float_as_uint(own.bound) : UINT32_MAX; /* ordered as floats of 0 or more are */
    uint32_t least = warp_least(bound);
    there = there && bound == least;
    uint32_t cost = there ? ~__float_as_uint(own.cost) : UINT32_MAX, most = warp_least(cost);
    there = there && cost == most;
    uint32_t node = warp_least(there ? (uint32_t)own.node : UINT32_MAX);
    *at += __ffs((int)__ballot_sync(ALL_LANES, there && (uint32_t)own.node == node)) - 1;
    paths_open first = {__uint_as_float(least), __uint_as_float(~most), (int32_t)node};
    return first;
}

static __device__ paths_open warp_take(paths_warp *w)
{
    paths_open top = warp_entry(*w, 0), last = warp_entry(*w, --w->open);
    __syncwarp();
    if (w->lane == 0)
        w->node[top.node].place = -1;
    int32_t at = 0;
    for (int32_t child = 1; child < w->open; child = 32 * at + 1) {
        paths_open first = warp_first(*w, &child);
        if (!paths_before(&first, &last))
            break;
        warp_put(*w, at, first);
        at = child;
    }
    if (w->open)
        warp_put(*w, at, last);
    __syncwarp();
    return top;
}

/* Of edges to the same node the cheapest counts, and of equal ones the first lane's. */
static __device__ bool warp_leads(const paths_warp &w, int32_t node, float cost)
{
    unsigned same = __match_any_sync(ALL_LANES, node);
    bool leads = true;
    if (!__any_sync(ALL_LANES, __popc(same) > 1))
        return leads;
    for (int other = 0; other < 32; other++) {
        float theirs = __shfl_sync(ALL_LANES, cost, other);
        if ((same >> other & 1) && other != w.lane && (theirs < cost || (theirs == cost && other < w.lane)))
            leads = false;
    }
    return leads;
}

/* Looks at 32 edges into the best node, as paths_reach does one by one. */
static __device__ void warp_reach(paths_warp *w, const paths_open &best, int32_t edge, int32_t end)
{
    const throng_graph *g = w->graph;
    bool there = edge + w->lane < end, known = false;
    int32_t node = there ? g->back_node[edge + w->lane] : -1 - w->lane;
    float cost = there ? best.cost + g->back_cost[edge + w->lane] : INFINITY;
    paths_open entry = {0, cost, node};
    there = warp_leads(*w, node, cost) && there;
    if (there) {
        paths_node *n = &w->node[node];
        known = n->stamp == w->stamp;
        there = !known || cost < n->cost;
        known = known && n->place >= 0;
        if (there) {
            entry.bound = cost + paths_bound(&w->from, node);
            n->cost = cost;
            n->next = best.node;
            n->stamp = w->stamp;
        }
    }
    unsigned known_lanes = __ballot_sync(ALL_LANES, known);
    for (unsigned todo = __ballot_sync(ALL_LANES, there); todo; todo &= todo - 1) {
        int lane = __ffs((int)todo) - 1;
        paths_open next = {__shfl_sync(ALL_LANES, entry.bound, lane), __shfl_sync(ALL_LANES, entry.cost, lane),
                           __shfl_sync(ALL_LANES, entry.node, lane)};
        warp_rise(*w, known_lanes >> lane & 1 ? w->node[next.node].place : w->open++, next);
    }
}

/* paths_find, by a warp. */
static __device__ float warp_find(paths_warp *w, int32_t from, int32_t to)
{
    const throng_graph *g = w->graph;
    if (g->component[from] != g->component[to])
        return INFINITY;
    w->from.x = g->x[from];
    w->from.y = g->y[from];
    w->open = 1;
    if (w->lane == 0)
        w->node[to] = {0, -1, 0, w->stamp};
    paths_open goal = {paths_bound(&w->from, to), 0, to};
    warp_put(*w, 0, goal);
    __syncwarp();
    while (w->open) {
        paths_open best = warp_take(w);
        if (best.node == from)
            return best.cost;
        int32_t end = g->back_first[best.node + 1];
        for (int32_t e = g->back_first[best.node]; e < end; e += 32)
            warp_reach(w, best, e, end);
    }
    return INFINITY;
}

/* Lists the path's nodes where the heap was, and returns how many. */
static __device__ int32_t warp_list(const paths_warp &w, int32_t from)
{
    int32_t count = 0, *near = (int32_t *)w.near, *far = (int32_t *)w.far;
    for (int32_t at = from; at >= 0; at = w.node[at].next, count++)
        if (w.lane == 0)
            (count < PATHS_NEAR ? near : far)[count] = at;
    __syncwarp();
    return count;
}

static __device__ void warp_answer(const paths_job &j, const paths_warp &w, int32_t q, float cost)
{
    int32_t count = cost < INFINITY ? warp_list(w, j.from[q]) : 0;
    unsigned long long first = 0;
    if (w.lane == 0)
        first = atomicAdd(&j.counters->written, (unsigned long long)count);
    int64_t at = (int64_t)__shfl_sync(ALL_LANES, first, 0);
    for (int32_t i = w.lane; at + count <= j.room && i < count; i += 32)
        j.node[at + i] = ((int32_t *)(i < PATHS_NEAR ? w.near : w.far))[i];
    if (w.lane == 0) {
        j.cost[q] = cost;
        j.count[q] = count;
        j.first[q] = at;
    }
    __syncwarp();
}

__global__ void __launch_bounds__(32 * PATHS_WARPS, PATHS_WARPS_A_PROCESSOR / PATHS_WARPS)
    kernel_paths_search(const paths_job j, paths_node *nodes, paths_open *heaps, uint32_t stamp)
{
    __shared__ paths_open near[PATHS_WARPS][PATHS_NEAR];
    int32_t warp = (int32_t)(blockIdx.x * PATHS_WARPS + threadIdx.x / 32);
    if (warp >= j.warps)
        return;
    paths_warp w = {};
    w.graph = w.from.graph = &j.graph;
    w.node = nodes + (size_t)warp * (size_t)j.graph.nodes;
    w.near = near[threadIdx.x / 32];
    w.far = heaps + (size_t)warp * (size_t)j.graph.nodes;
    w.lane = (int32_t)(threadIdx.x % 32);
    for (;;) {
        uint32_t q = 0;
        if (w.lane == 0)
            q = atomicAdd(&j.counters->fetched, 1u);
        q = __shfl_sync(ALL_LANES, q, 0);
        if (q >= (uint32_t)j.queries)
            return;
        w.stamp = stamp + q + 1; /* a stamp is never used twice */
        warp_answer(j, w, (int32_t)q, warp_find(&w, j.from[q], j.to[q]));
    }
}

/* --- trees ----------------------------------------------------------------------------------------------- */

/* Trees of goals goal[0 .. goals), one after the other in tree.*; a block each, in shared memory. */
__global__ void __launch_bounds__(TREE_BLOCK)
    kernel_paths_trees(const throng_graph graph, const int32_t *goal, int32_t goals, paths_tree tree)
{
    extern __shared__ float shared[];
    volatile float *cost = shared;
    volatile int32_t *steps = (int32_t *)(shared + graph.nodes);
    for (int32_t t = (int32_t)blockIdx.x; t < goals; t += (int32_t)gridDim.x) {
        size_t base = (size_t)t * (size_t)graph.nodes;
        for (int32_t n = (int32_t)threadIdx.x; n < graph.nodes; n += TREE_BLOCK) {
            cost[n] = n == goal[t] ? 0 : INFINITY;
            steps[n] = n == goal[t] ? 0 : -1;
        }
        __syncthreads();
        for (int changed = 1; changed;) {
            changed = 0;
            for (int32_t n = (int32_t)threadIdx.x; n < graph.nodes; n += TREE_BLOCK)
                changed |= paths_relax(&graph, cost, n);
            changed = __syncthreads_or(changed);
        }
        for (int changed = 1; changed;) {
            changed = 0;
            for (int32_t n = (int32_t)threadIdx.x; n < graph.nodes; n += TREE_BLOCK)
                changed |= paths_step(&graph, cost, steps, n);
            changed = __syncthreads_or(changed);
        }
        for (int32_t n = (int32_t)threadIdx.x; n < graph.nodes; n += TREE_BLOCK) {
            tree.next[base + n] = paths_next(&graph, cost, steps, n);
            tree.cost[base + n] = cost[n];
            tree.steps[base + n] = steps[n];
        }
        __syncthreads();
    }
}

/* The same of graphs that are too large for that, over the whole device; a thread a node of a tree. */
enum { SWEEP_BEGIN, SWEEP_COSTS, SWEEP_STEPS, SWEEP_NEXT };

__global__ void kernel_paths_sweep(const throng_graph graph, const int32_t *goal, int64_t all, paths_tree tree,
                                   int what, unsigned int *changed)
{
    int64_t at = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= all)
        return;
    int32_t n = (int32_t)(at % graph.nodes);
    size_t base = (size_t)(at - n);
    if (what == SWEEP_BEGIN) {
        tree.cost[at] = n == goal[at / graph.nodes] ? 0 : INFINITY;
        tree.steps[at] = n == goal[at / graph.nodes] ? 0 : -1;
    } else if (what == SWEEP_NEXT) {
        tree.next[at] = paths_next(&graph, tree.cost + base, tree.steps + base, n);
    } else if (what == SWEEP_COSTS ? paths_relax(&graph, tree.cost + base, n)
                                   : paths_step(&graph, tree.cost + base, tree.steps + base, n)) {
        *changed = 1;
    }
}

/* Costs and lengths of queries from `begin` on; tree_of: the tree of a goal. */
__global__ void kernel_paths_count(const paths_job j, const int32_t *tree_of, paths_tree tree)
{
    int32_t q = (int32_t)(blockIdx.x * blockDim.x + threadIdx.x);
    if (q >= j.queries)
        return;
    size_t at = (size_t)tree_of[j.to[q]] * (size_t)j.graph.nodes + (size_t)j.from[q];
    j.cost[q] = tree.cost[at];
    j.count[q] = tree.steps[at] + 1;
}

__global__ void kernel_paths_walk(const paths_job j, const int32_t *tree_of, paths_tree tree)
{
    int32_t q = (int32_t)(blockIdx.x * blockDim.x + threadIdx.x);
    if (q >= j.queries)
        return;
    const int32_t *next = tree.next + (size_t)tree_of[j.to[q]] * (size_t)j.graph.nodes;
    int32_t at = j.from[q], *out = j.node + j.first[q];
    for (int32_t n = 0; n < j.count[q]; n++, at = next[at])
        out[n] = at;
}

/* --- the host's side ------------------------------------------------------------------------------------- */

template <typename T> static T *paths_room(cuda_paths *p, int which, size_t count)
{
    return cuda_room<T>(&p->block[which], count, which >= PATHS_HOST_QUERIES);
}

template <typename T>
static const T *paths_upload(cuda_paths *p, int which, const T *from, size_t count, cudaStream_t stream)
{
    return cuda_upload(&p->block[which], from, count, stream);
}

/* Where one of the host's arrays of the graph lies in its copy. */
template <typename T> static const T *paths_moved(const T *array, const throng_graph *g, const char *copy)
{
    return (const T *)(copy + ((const char *)array - (const char *)g->first));
}

/* The graph's arrays are one block: one copy. */
static bool paths_upload_graph(cuda_paths *p, const throng_graph *g, throng_graph *to, cudaStream_t stream)
{
    const char *from = (const char *)g->first;
    const char *copy =
        paths_upload(p, PATHS_GRAPH, from, (size_t)((const char *)(g->back_cost + g->edges) - from), stream);
    *to = *g;
    to->x = paths_moved(g->x, g, copy);
    to->y = paths_moved(g->y, g, copy);
    to->first = paths_moved(g->first, g, copy);
    to->node = paths_moved(g->node, g, copy);
    to->cost = paths_moved(g->cost, g, copy);
    to->back_first = paths_moved(g->back_first, g, copy);
    to->back_node = paths_moved(g->back_node, g, copy);
    to->back_cost = paths_moved(g->back_cost, g, copy);
    to->component = paths_moved(g->component, g, copy);
    return copy != NULL;
}

/* By way of pinned memory, which takes half as long as the driver's own. */
static bool paths_upload_queries(cuda_paths *p, const throng_path_batch *batch, paths_job *j, cudaStream_t stream)
{
    size_t q = (size_t)batch->queries;
    int32_t *pinned = paths_room<int32_t>(p, PATHS_HOST_QUERIES, 2 * q);
    if (!pinned)
        return false;
    memcpy(pinned, batch->from, q * sizeof *pinned);
    memcpy(pinned + q, batch->to, q * sizeof *pinned);
    j->from = paths_upload<int32_t>(p, PATHS_QUERIES, pinned, 2 * q, stream);
    j->to = j->from + q;
    return j->from != NULL;
}

static bool paths_begin(cuda_paths *p, const throng_graph *g, const throng_path_batch *batch, paths_job *j,
                        cudaStream_t stream)
{
    size_t q = (size_t)batch->queries;
    if (!paths_upload_graph(p, g, &j->graph, stream))
        return false;
    j->queries = batch->queries;
    if (!paths_upload_queries(p, batch, j, stream))
        return false;
    j->cost = paths_room<float>(p, PATHS_OUT_COST, q);
    j->count = paths_room<int32_t>(p, PATHS_OUT_COUNT, q + 1);
    j->first = paths_room<int64_t>(p, PATHS_OUT_FIRST, q + 1);
    j->counters = paths_room<paths_counters>(p, PATHS_COUNTERS, 1);
    return j->cost && j->count && j->first && j->counters;
}

/* Warps that search at a time: what the device keeps busy, fewer when their memory takes more than three quarters of
 * what is free (which is asked only then: that takes longer than a small batch). */
static int32_t paths_warps(const cuda_paths *p, const throng_graph *g, int32_t queries, int processors)
{
    size_t each = (size_t)g->nodes * (sizeof(paths_node) + sizeof(paths_open)), free_bytes, all;
    size_t warps = (size_t)processors * PATHS_WARPS_A_PROCESSOR, held = p->block[PATHS_SEARCHES].size;
    warps = warps < (size_t)queries ? warps : (size_t)queries;
    if (warps * (size_t)g->nodes * sizeof(paths_node) > held && cudaMemGetInfo(&free_bytes, &all) == cudaSuccess) {
        free_bytes += held + p->block[PATHS_HEAPS].size;
        warps = warps < free_bytes / 4 * 3 / each ? warps : free_bytes / 4 * 3 / each;
    }
    return warps < 1 ? 1 : (int32_t)warps;
}

/* The searches' memory; a node's stamp tells whether what it holds is of this search. */
static bool paths_ready_searches(cuda_paths *p, const paths_job *j, paths_node **nodes, paths_open **heaps,
                                 cudaStream_t stream)
{
    size_t n = (size_t)j->warps * (size_t)j->graph.nodes, before = p->block[PATHS_SEARCHES].size;
    *nodes = paths_room<paths_node>(p, PATHS_SEARCHES, n);
    *heaps = paths_room<paths_open>(p, PATHS_HEAPS, n);
    if (!*nodes || !*heaps)
        return false;
    if (p->block[PATHS_SEARCHES].size != before || p->stamp > UINT32_MAX - (uint32_t)j->queries - 1) {
        cudaMemsetAsync(*nodes, 0, p->block[PATHS_SEARCHES].size, stream);
        p->stamp = 0;
    }
    return true;
}

/* Runs the searches; false when there is no room. Where their paths need more than was guessed they run again. */
static bool paths_search_all(cuda_paths *p, paths_job *j, int processors, cudaStream_t stream)
{
    paths_node *nodes;
    paths_open *heaps;
    paths_counters counters;
    j->warps = paths_warps(p, &j->graph, j->queries, processors);
    if (!paths_ready_searches(p, j, &nodes, &heaps, stream))
        return false;
    int64_t room = (int64_t)(p->block[PATHS_OUT_NODE].size / sizeof(int32_t));
    int64_t guess = (int64_t)j->queries * (int64_t)(2 * sqrt((double)j->graph.nodes) + 1);
    for (room = room > guess ? room : guess;; room = (int64_t)counters.written) {
        j->node = paths_room<int32_t>(p, PATHS_OUT_NODE, (size_t)room);
        j->room = room;
        if (!j->node || cudaMemsetAsync(j->counters, 0, sizeof counters, stream) != cudaSuccess)
            return false;
        kernel_paths_search<<<(j->warps + PATHS_WARPS - 1) / PATHS_WARPS, 32 * PATHS_WARPS, 0, stream>>>(
            *j, nodes, heaps, p->stamp);
        p->stamp += (uint32_t)j->queries + 1;
        cudaMemcpyAsync(&counters, j->counters, sizeof counters, cudaMemcpyDeviceToHost, stream);
        if (cudaStreamSynchronize(stream) != cudaSuccess)
            return false;
        j->room = (int64_t)counters.written;
        if (j->room <= room)
            return true;
    }
}

/* The distinct goals (all nodes, when there are so many queries), and the tree that each node's is, on the device.
 * Returns how many, -1: no room. */
static int32_t paths_upload_goals(cuda_paths *p, const throng_graph *g, const throng_path_batch *batch,
                                  const int32_t **goals, const int32_t **tree_of, cudaStream_t stream)
{
    int32_t *of = new (std::nothrow) int32_t[(size_t)g->nodes], *list = new (std::nothrow) int32_t[(size_t)g->nodes];
    int32_t count = 0;
    bool all = batch->queries / 8 > g->nodes; /* likely, and looking would take longer than the trees */
    if (of && list) {
        std::fill(of, of + g->nodes, -1);
        for (int32_t q = 0, most = all ? g->nodes : batch->queries; q < most; q++) {
            int32_t goal = all ? q : batch->to[q];
            if (of[goal] < 0) {
                of[goal] = count;
                list[count++] = goal;
            }
        }
        *goals = paths_upload<int32_t>(p, PATHS_GOALS, list, (size_t)count, stream);
        *tree_of = paths_upload<int32_t>(p, PATHS_TREE_OF, of, (size_t)g->nodes, stream);
        cudaStreamSynchronize(stream);
    }
    delete[] of;
    delete[] list;
    return of && list && *goals && *tree_of ? count : -1;
}

/* Offsets of the paths from their lengths; how many nodes in all. */
static bool paths_place(cuda_paths *p, paths_job *j, cudaStream_t stream)
{
    size_t bytes = 0, n = (size_t)j->queries + 1;
    cudaMemsetAsync(j->count + j->queries, 0, sizeof *j->count, stream);
    cuda::std::plus<int64_t> plus;
    cub::DeviceScan::ExclusiveScan(nullptr, bytes, j->count, j->first, plus, (int64_t)0, n, stream);
    char *scratch = paths_room<char>(p, PATHS_SCAN, bytes);
    if (!scratch ||
        cub::DeviceScan::ExclusiveScan(scratch, bytes, j->count, j->first, plus, (int64_t)0, n, stream) != cudaSuccess)
        return false;
    cudaMemcpyAsync(&j->room, j->first + j->queries, sizeof j->room, cudaMemcpyDeviceToHost, stream);
    if (cudaStreamSynchronize(stream) != cudaSuccess)
        return false;
    j->node = paths_room<int32_t>(p, PATHS_OUT_NODE, (size_t)j->room);
    return j->node != NULL;
}

/* Sweeps of one kind, until several in a row change nothing. */
static bool paths_sweep(const paths_job *j, const int32_t *goal, int64_t all, paths_tree tree, int what,
                        cudaStream_t stream)
{
    enum { SWEEPS = 16 };
    unsigned int changed = 1, *on_device = &j->counters->fetched;
    unsigned int blocks = (unsigned int)((all + 255) / 256);
    while (changed) {
        cudaMemsetAsync(on_device, 0, sizeof changed, stream);
        for (int i = 0; i < SWEEPS; i++)
            kernel_paths_sweep<<<blocks, 256, 0, stream>>>(j->graph, goal, all, tree, what, on_device);
        cudaMemcpyAsync(&changed, on_device, sizeof changed, cudaMemcpyDeviceToHost, stream);
        if (cudaStreamSynchronize(stream) != cudaSuccess)
            return false;
    }
    return true;
}

static bool paths_sweep_trees(const paths_job *j, const int32_t *goal, int32_t goals, paths_tree tree,
                              cudaStream_t stream)
{
    int64_t all = (int64_t)goals * j->graph.nodes;
    unsigned int blocks = (unsigned int)((all + 255) / 256);
    kernel_paths_sweep<<<blocks, 256, 0, stream>>>(j->graph, goal, all, tree, SWEEP_BEGIN, NULL);
    if (!paths_sweep(j, goal, all, tree, SWEEP_COSTS, stream) || !paths_sweep(j, goal, all, tree, SWEEP_STEPS, stream))
        return false;
    kernel_paths_sweep<<<blocks, 256, 0, stream>>>(j->graph, goal, all, tree, SWEEP_NEXT, NULL);
    return cudaGetLastError() == cudaSuccess;
}

static bool paths_grow_trees(cuda_paths *p, const throng_path_batch *batch, const throng_graph *g, paths_job *j,
                             int processors, cudaStream_t stream)
{
    const int32_t *goal, *tree_of;
    int32_t goals = paths_upload_goals(p, g, batch, &goal, &tree_of, stream);
    if (goals < 0)
        return false;
    size_t n = (size_t)goals * (size_t)g->nodes;
    paths_tree tree = {paths_room<float>(p, PATHS_TREE_COST, n), paths_room<int32_t>(p, PATHS_TREE_STEPS, n),
                       paths_room<int32_t>(p, PATHS_TREE_NEXT, n)};
    if (!tree.cost || !tree.steps || !tree.next)
        return false;
    int32_t blocks = goals < processors * 8 ? goals : processors * 8;
    if (g->nodes <= TREE_SHARED_NODES)
        kernel_paths_trees<<<blocks, TREE_BLOCK, (size_t)g->nodes * 8, stream>>>(j->graph, goal, goals, tree);
    else if (!paths_sweep_trees(j, goal, goals, tree, stream))
        return false;
    int32_t each = (j->queries + 255) / 256;
    kernel_paths_count<<<each, 256, 0, stream>>>(*j, tree_of, tree);
    if (!paths_place(p, j, stream))
        return false;
    kernel_paths_walk<<<each, 256, 0, stream>>>(*j, tree_of, tree);
    return cudaGetLastError() == cudaSuccess;
}

static bool paths_download(cuda_paths *p, const paths_job *j, throng_path_results *results, cudaStream_t stream)
{
    size_t q = (size_t)j->queries, n = (size_t)j->room;
    float *cost = paths_room<float>(p, PATHS_HOST_COST, q);
    int32_t *count = paths_room<int32_t>(p, PATHS_HOST_COUNT, q), *node = paths_room<int32_t>(p, PATHS_HOST_NODE, n);
    int64_t *first = paths_room<int64_t>(p, PATHS_HOST_FIRST, q);
    if (!cost || !count || !node || !first)
        return false;
    cudaMemcpyAsync(cost, j->cost, q * sizeof *cost, cudaMemcpyDeviceToHost, stream);
    cudaMemcpyAsync(count, j->count, q * sizeof *count, cudaMemcpyDeviceToHost, stream);
    cudaMemcpyAsync(first, j->first, q * sizeof *first, cudaMemcpyDeviceToHost, stream);
    cudaMemcpyAsync(node, j->node, n * sizeof *node, cudaMemcpyDeviceToHost, stream);
    *results = {cost, count, first, node, results->method, 0};
    return cudaStreamSynchronize(stream) == cudaSuccess;
}

static bool paths_run(cuda_paths *p, int processors, const throng_graph *g, const throng_path_batch *batch,
                      throng_path_results *results, cudaStream_t stream)
{
    paths_job j = {};
    results->method = batch->method;
    if (!paths_begin(p, g, batch, &j, stream))
        return false;
    bool found = results->method == THRONG_PATHS_TREES ? paths_grow_trees(p, batch, g, &j, processors, stream)
                                                       : paths_search_all(p, &j, processors, stream);
    return found && paths_download(p, &j, results, stream);
}

void cuda_free_paths(throng_backend *b)
{
    if (!b->paths)
        return;
    for (cuda_block &block : b->paths->block)
        cuda_free_block(&block);
    delete b->paths;
    b->paths = NULL;
}

bool cuda_find_paths(throng_backend *b, const throng_graph *graph, const throng_path_batch *batch,
                     throng_path_results *results, throng_error *error)
{
    if (!b->paths)
        b->paths = new (std::nothrow) cuda_paths();
    if (b->paths && paths_run(b->paths, b->processors, graph, batch, results, b->stream))
        return true;
    cudaError_t status = cudaGetLastError();
    return throng_fail(error,
                       "the device cannot find %d paths on a graph of %d nodes (%s); ask for fewer at a time, or "
                       "use --backend cpu",
                       batch->queries, graph->nodes,
                       status == cudaSuccess ? "no memory left" : cudaGetErrorString(status));
}
