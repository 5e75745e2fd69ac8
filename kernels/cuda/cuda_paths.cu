/* Batches of paths on CUDA: the host's side of what cuda_paths_search.cu and cuda_paths_tree.cu find. */
#include "cuda_paths.cuh"

#include <new>

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

static bool paths_holds(const cuda_block &b, const int32_t *array)
{
    return (const char *)array >= (const char *)b.data && (const char *)array < (const char *)b.data + b.size;
}

/* Queries that lie elsewhere are copied to pinned memory, which takes half as long as the driver's own way. */
static bool paths_pin_queries(cuda_paths *p, const throng_path_batch *batch, paths_job *j)
{
    size_t q = (size_t)batch->queries;
    j->queries = batch->queries;
    j->from = batch->from;
    j->to = batch->to;
    if (paths_holds(p->block[PATHS_HOST_QUERIES], j->from) && paths_holds(p->block[PATHS_HOST_QUERIES], j->to))
        return true;
    int32_t *copy = paths_room<int32_t>(p, PATHS_HOST_COPIED, 2 * q);
    if (!copy)
        return false;
    memcpy(copy, batch->from, q * sizeof *copy);
    memcpy(copy + q, batch->to, q * sizeof *copy);
    j->from = copy;
    j->to = copy + q;
    return true;
}

static int32_t paths_edges(const throng_graph *g)
{
    int32_t most = 0;
    for (int32_t n = 0; n < g->nodes; n++)
        most = g->first[n + 1] - g->first[n] > most ? g->first[n + 1] - g->first[n] : most;
    return most;
}

static bool paths_run(cuda_paths *p, int processors, const throng_graph *g, const throng_path_batch *batch,
                      throng_path_results *results, cudaStream_t stream)
{
    paths_job j = {};
    paths_answers a;
    j.counters = paths_room<paths_counters>(p, PATHS_COUNTERS, 1);
    if (!j.counters || cudaMemsetAsync(j.counters, 0, sizeof *j.counters, stream) != cudaSuccess ||
        !paths_upload_graph(p, g, &j.graph, stream) || !paths_pin_queries(p, batch, &j))
        return false;
    bool trees = batch->method == THRONG_PATHS_TREES;
    j.edges = trees ? paths_edges(g) : 0;
    if (!(trees ? cuda_walk_trees : cuda_search_paths)(p, &j, processors, stream) ||
        !paths_answers_in(p, PATHS_HOST_ANSWERS, batch->queries, &a))
        return false;
    int64_t written = (int64_t)((paths_counters *)p->block[PATHS_HOST_COUNTERS].data)->written;
    *results = {a.cost,
                a.count,
                a.first,
                (const int32_t *)p->block[PATHS_HOST_NODES].data,
                written,
                batch->method,
                0,
                cuda_blocks_bytes(p->block, PATHS_BLOCKS, true),
                cuda_blocks_bytes(p->block, PATHS_BLOCKS, false)};
    return true;
}

size_t cuda_paths_bytes(const throng_backend *b)
{
    return b->paths ? cuda_blocks_bytes(b->paths->block, PATHS_BLOCKS, false) : 0;
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

static cuda_paths *paths_of(throng_backend *b)
{
    if (!b->paths)
        b->paths = new (std::nothrow) cuda_paths();
    return b->paths;
}

bool cuda_path_queries(throng_backend *b, int32_t queries, int32_t **from, int32_t **to, throng_error *error)
{
    cuda_on_device on(b->device);
    cuda_paths *p = paths_of(b);
    *from = p ? paths_room<int32_t>(p, PATHS_HOST_QUERIES, 2 * (size_t)queries) : NULL;
    if (!*from)
        return throng_fail(error, "no pinned memory for %d queries; ask for fewer at a time", queries);
    *to = *from + queries;
    return true;
}

bool cuda_find_paths(throng_backend *b, const throng_graph *graph, const throng_path_batch *batch,
                     throng_path_results *results, throng_error *error)
{
    cuda_on_device on(b->device);
    cuda_paths *p = paths_of(b);
    if (p && paths_run(p, b->processors, graph, batch, results, cuda_stream(b)))
        return true;
    cudaError_t status = cudaGetLastError();
    return throng_fail(error,
                       "the device cannot find %d paths on a graph of %d nodes (%s); ask for fewer at a time, or "
                       "use --backend cpu",
                       batch->queries, graph->nodes,
                       status == cudaSuccess ? "no memory left" : cudaGetErrorString(status));
}
