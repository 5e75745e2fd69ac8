/* Batches of paths on CUDA.
 *
 * Searches: persistent threads, a search each, which fetch the next query when they are done; a search's
 * memory is its thread's. Paths are written as they are found, into one array. Trees: a
 * block a goal, which looks at all nodes until nothing changes; costs and steps are in shared memory when they fit.
 * Then a thread a query walks. All memory stays for the next batch. */
#include "cuda.cuh"

#include <cub/device/device_scan.cuh>

#include <algorithm>
#include <new>

#include "paths.h"

enum { PATHS_BLOCK = 64, TREE_BLOCK = 256, TREE_SHARED_NODES = 4096 };

enum {
    PATHS_X,
    PATHS_Y,
    PATHS_FIRST,
    PATHS_NODE,
    PATHS_COST,
    PATHS_BACK_FIRST,
    PATHS_BACK_NODE,
    PATHS_BACK_COST,
    PATHS_COMPONENT,
    PATHS_FROM,
    PATHS_TO,
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
    PATHS_HOST_COST, /* pinned from here on */
    PATHS_HOST_COUNT,
    PATHS_HOST_FIRST,
    PATHS_HOST_NODE,
    PATHS_BLOCKS
};

struct cuda_paths {
    cuda_block block[PATHS_BLOCKS];
    uint32_t stamp; /* of the searches so far */
    int32_t stamped_nodes, stamped_threads;
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
    int32_t queries, threads;
    float *cost;
    int32_t *count, *node;
    int64_t *first, room;
    paths_counters *counters;
};

__global__ void __launch_bounds__(PATHS_BLOCK)
    kernel_paths_search(const paths_job j, paths_node *nodes, paths_open *heaps, uint32_t stamp)
{
    int32_t thread = (int32_t)(blockIdx.x * blockDim.x + threadIdx.x);
    if (thread >= j.threads)
        return;
    paths_search s;
    s.graph = &j.graph;
    s.node = nodes + (size_t)thread * (size_t)j.graph.nodes;
    s.heap = heaps + (size_t)thread * (size_t)j.graph.nodes;
    for (;;) {
        uint32_t q = atomicAdd(&j.counters->fetched, 1u);
        if (q >= (uint32_t)j.queries)
            return;
        s.stamp = stamp + q; /* a stamp is never used twice */
        float cost = paths_find(&s, j.from[q], j.to[q]);
        int32_t count = cost < INFINITY ? paths_length(&s, j.from[q]) : 0;
        int64_t at = (int64_t)atomicAdd(&j.counters->written, (unsigned long long)count);
        if (count && at + count <= j.room)
            paths_write(&s, j.from[q], j.node + at);
        j.cost[q] = cost;
        j.count[q] = count;
        j.first[q] = at;
    }
}

/* Trees of goals goal[0 .. goals), one after the other in tree.*. */
__global__ void __launch_bounds__(TREE_BLOCK)
    kernel_paths_trees(const throng_graph graph, const int32_t *goal, int32_t goals, paths_tree tree)
{
    extern __shared__ float shared[];
    bool fits = graph.nodes <= TREE_SHARED_NODES;
    for (int32_t t = (int32_t)blockIdx.x; t < goals; t += (int32_t)gridDim.x) {
        size_t base = (size_t)t * (size_t)graph.nodes;
        volatile float *cost = fits ? shared : tree.cost + base;
        volatile int32_t *steps = fits ? (int32_t *)(shared + graph.nodes) : tree.steps + base;
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
            if (fits) {
                tree.cost[base + n] = cost[n];
                tree.steps[base + n] = steps[n];
            }
        }
        __syncthreads();
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
    return cuda_room<T>(&p->block[which], count, which >= PATHS_HOST_COST);
}

template <typename T>
static const T *paths_upload(cuda_paths *p, int which, const T *from, size_t count, cudaStream_t stream)
{
    return cuda_upload(&p->block[which], from, count, stream);
}

static bool paths_upload_graph(cuda_paths *p, const throng_graph *g, throng_graph *to, cudaStream_t stream)
{
    size_t n = (size_t)g->nodes, e = (size_t)g->edges;
    *to = *g;
    to->x = paths_upload(p, PATHS_X, g->x, n, stream);
    to->y = paths_upload(p, PATHS_Y, g->y, n, stream);
    to->first = paths_upload(p, PATHS_FIRST, g->first, n + 1, stream);
    to->node = paths_upload(p, PATHS_NODE, g->node, e, stream);
    to->cost = paths_upload(p, PATHS_COST, g->cost, e, stream);
    to->back_first = paths_upload(p, PATHS_BACK_FIRST, g->back_first, n + 1, stream);
    to->back_node = paths_upload(p, PATHS_BACK_NODE, g->back_node, e, stream);
    to->back_cost = paths_upload(p, PATHS_BACK_COST, g->back_cost, e, stream);
    to->component = paths_upload(p, PATHS_COMPONENT, g->component, n, stream);
    return to->component && to->x && to->y && to->first && to->node && to->cost && to->back_first && to->back_node &&
           to->back_cost;
}

static bool paths_begin(cuda_paths *p, const throng_graph *g, const throng_path_batch *batch, paths_job *j,
                        cudaStream_t stream)
{
    size_t q = (size_t)batch->queries;
    if (!paths_upload_graph(p, g, &j->graph, stream))
        return false;
    j->queries = batch->queries;
    j->from = paths_upload(p, PATHS_FROM, batch->from, q, stream);
    j->to = paths_upload(p, PATHS_TO, batch->to, q, stream);
    j->cost = paths_room<float>(p, PATHS_OUT_COST, q);
    j->count = paths_room<int32_t>(p, PATHS_OUT_COUNT, q + 1);
    j->first = paths_room<int64_t>(p, PATHS_OUT_FIRST, q + 1);
    j->counters = paths_room<paths_counters>(p, PATHS_COUNTERS, 1);
    return j->from && j->to && j->cost && j->count && j->first && j->counters;
}

/* Threads that search at a time: what the device keeps busy, less when their memory takes more than half of what is
 * free. */
static int32_t paths_threads(const cuda_paths *p, const throng_graph *g, int32_t queries, int processors)
{
    size_t free_bytes = 0, all;
    cudaMemGetInfo(&free_bytes, &all);
    free_bytes += p->block[PATHS_SEARCHES].size + p->block[PATHS_HEAPS].size;
    size_t each = (size_t)g->nodes * (sizeof(paths_node) + sizeof(paths_open));
    size_t threads = (size_t)processors * 512;
    threads = threads < free_bytes / 2 / each ? threads : free_bytes / 2 / each;
    threads = threads < (size_t)queries ? threads : (size_t)queries;
    return threads < 1 ? 1 : (int32_t)threads;
}

/* The searches' memory; a node's stamp tells whether what it holds is of this search. */
static bool paths_ready_searches(cuda_paths *p, const paths_job *j, paths_node **nodes, paths_open **heaps,
                                 cudaStream_t stream)
{
    size_t n = (size_t)j->threads * (size_t)j->graph.nodes, before = p->block[PATHS_SEARCHES].size;
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
    j->threads = paths_threads(p, &j->graph, j->queries, processors);
    if (!paths_ready_searches(p, j, &nodes, &heaps, stream))
        return false;
    int64_t room = (int64_t)(p->block[PATHS_OUT_NODE].size / sizeof(int32_t));
    int64_t guess = (int64_t)j->queries * (int64_t)(2 * sqrt((double)j->graph.nodes) + 1);
    for (room = room > guess ? room : guess;; room = (int64_t)counters.written) {
        j->node = paths_room<int32_t>(p, PATHS_OUT_NODE, (size_t)room);
        j->room = room;
        if (!j->node || cudaMemsetAsync(j->counters, 0, sizeof counters, stream) != cudaSuccess)
            return false;
        kernel_paths_search<<<(j->threads + PATHS_BLOCK - 1) / PATHS_BLOCK, PATHS_BLOCK, 0, stream>>>(*j, nodes, heaps,
                                                                                                      p->stamp);
        p->stamp += (uint32_t)j->queries + 1;
        cudaMemcpyAsync(&counters, j->counters, sizeof counters, cudaMemcpyDeviceToHost, stream);
        if (cudaStreamSynchronize(stream) != cudaSuccess)
            return false;
        j->room = (int64_t)counters.written;
        if (j->room <= room)
            return true;
    }
}

/* The distinct goals, and the tree that each node's is, on the device. Returns how many, -1: no room. */
static int32_t paths_upload_goals(cuda_paths *p, const throng_graph *g, const throng_path_batch *batch,
                                  const int32_t **goals, const int32_t **tree_of, cudaStream_t stream)
{
    int32_t *of = new (std::nothrow) int32_t[(size_t)g->nodes], *list = new (std::nothrow) int32_t[(size_t)g->nodes];
    int32_t count = 0;
    if (of && list) {
        std::fill(of, of + g->nodes, -1);
        for (int32_t q = 0; q < batch->queries; q++)
            if (of[batch->to[q]] < 0) {
                of[batch->to[q]] = count;
                list[count++] = batch->to[q];
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
    size_t shared = g->nodes <= TREE_SHARED_NODES ? (size_t)g->nodes * 8 : 0;
    int32_t blocks = goals < processors * 8 ? goals : processors * 8;
    kernel_paths_trees<<<blocks, TREE_BLOCK, shared, stream>>>(j->graph, goal, goals, tree);
    int32_t each = (j->queries + 255) / 256;
    kernel_paths_count<<<each, 256, 0, stream>>>(*j, tree_of, tree);
    if (!paths_place(p, j, stream))
        return false;
    kernel_paths_walk<<<each, 256, 0, stream>>>(*j, tree_of, tree);
    return cudaGetLastError() == cudaSuccess;
}

/* Trees pay where their memory is small and several queries share one; beyond shared memory they are slow. */
static int32_t paths_choose(const throng_graph *g, const throng_path_batch *batch)
{
    if (batch->method != THRONG_PATHS_AUTO)
        return batch->method;
    bool small = g->nodes <= TREE_SHARED_NODES && batch->queries >= g->nodes / 4;
    return small ? THRONG_PATHS_TREES : THRONG_PATHS_SEARCH;
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
    *results = {cost, count, first, node, results->method};
    return cudaStreamSynchronize(stream) == cudaSuccess;
}

static bool paths_run(cuda_paths *p, int processors, const throng_graph *g, const throng_path_batch *batch,
                      throng_path_results *results, cudaStream_t stream)
{
    paths_job j = {};
    results->method = paths_choose(g, batch);
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
