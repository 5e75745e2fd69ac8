/* Searches on a navigation mesh, many at a time: the body of portals.h.
 *
 * Persistent threads, a search each, which fetch the next query when they are done. A thread's memory is a share of one
 * block and large enough for nearly all searches of such a mesh; one that needs more says so, and the host does it.
 * Paths are written as they are found, into one array. */
#include "cuda.cuh"

#include <new>

#include "kernels/routing/portals.h"

enum { SEARCHES_BLOCK = 64, SEARCHES_A_PROCESSOR = 256, SEARCHES_CORNERS = 32 };

enum {
    SEARCHES_PORTALS,
    SEARCHES_FACES,
    SEARCHES_NET_CORNERS,
    SEARCHES_NUMBERS,
    SEARCHES_BRANCHES,
    SEARCHES_LENGTHS,
    SEARCHES_QUERIES,
    SEARCHES_NODES,
    SEARCHES_HEAPS,
    SEARCHES_ROOTS,
    SEARCHES_TABLES,
    SEARCHES_COUNTERS,
    SEARCHES_RESULTS,
    SEARCHES_CORNERS_FOUND,
    SEARCHES_HOST_CORNERS, /* pinned */
    SEARCHES_BLOCKS
};

struct cuda_searches {
    cuda_block block[SEARCHES_BLOCKS];
};

/* Queries fetched, corners written. */
struct searches_counters {
    unsigned int fetched;
    unsigned long long written;
};

/* A batch as the kernel sees it; a thread's share of the memory is so many of each. */
struct searches_job {
    throng_path_net net;
    const throng_search_query *query;
    throng_search_result *result;
    throng_point *corner;
    int64_t corner_room;
    portal_node *nodes;
    portal_open *heaps;
    portal_root *roots;
    int32_t *tables; /* all -1 */
    int32_t count, threads, node_room, heap_room, root_room, table_size;
    searches_counters *counters;
};

static __device__ void search(const searches_job &j, portal_search *s, const throng_search_query &q,
                              throng_search_result *r)
{
    int32_t left = INT32_MAX, starts = 0;
    while (starts < THRONG_SEARCH_STARTS && q.starts[starts] >= 0)
        starts++;
    portals_begin(s, &j.net, q.from, q.to, q.to_face);
    r->count = 0;
    r->first = 0;
    r->state = portals_start(s, q.starts, starts) ? portals_step(s, &left) : THRONG_SEARCH_FULL;
    r->expansions = INT32_MAX - left;
    if (r->state != THRONG_SEARCH_FOUND)
        return;
    int32_t most = portals_most_corners(s);
    r->first = (int64_t)atomicAdd(&j.counters->written, (unsigned long long)most);
    if (r->first + most <= j.corner_room)
        r->count = portals_write(s, j.corner + r->first);
    else
        r->state = THRONG_SEARCH_FULL;
}

__global__ void __launch_bounds__(SEARCHES_BLOCK) kernel_searches(const searches_job j)
{
    size_t thread = blockIdx.x * blockDim.x + threadIdx.x;
    if (thread >= (size_t)j.threads)
        return;
    portal_search s = {};
    s.nodes = j.nodes + thread * (size_t)j.node_room;
    s.heap = j.heaps + thread * (size_t)j.heap_room;
    s.roots = j.roots + thread * (size_t)j.root_room;
    s.table = j.tables + thread * (size_t)j.table_size;
    s.node_room = j.node_room;
    s.heap_room = j.heap_room;
    s.root_room = j.root_room;
    s.table_size = j.table_size;
    for (;;) {
        unsigned int q = atomicAdd(&j.counters->fetched, 1u);
        if (q >= (unsigned int)j.count)
            return;
        throng_search_result r;
        search(j, &s, j.query[q], &r);
        j.result[q] = r;
    }
}

/* --- the host's side ------------------------------------------------------------------------------------- */

static bool searches_upload(cuda_searches *s, const throng_path_net *net, const throng_search_query *queries,
                            searches_job *j, cudaStream_t stream)
{
    cuda_block *b = s->block;
    size_t faces = (size_t)net->face_count, portals = (size_t)net->first[net->face_count];
    j->net = *net;
    j->net.portals = (throng_path_portal *)cuda_upload(&b[SEARCHES_PORTALS], net->portals, portals, stream);
    j->net.first = (int32_t *)cuda_upload(&b[SEARCHES_FACES], net->first, faces + 1, stream);
    j->net.corners =
        (throng_path_corner *)cuda_upload(&b[SEARCHES_NET_CORNERS], net->corners, (size_t)net->corner_count, stream);
    j->net.number = (int32_t *)cuda_upload(&b[SEARCHES_NUMBERS], net->number, faces, stream);
    j->net.branches =
        (throng_path_branch *)cuda_upload(&b[SEARCHES_BRANCHES], net->branches, (size_t)net->branch_count, stream);
    j->net.lengths =
        (uint16_t *)cuda_upload(&b[SEARCHES_LENGTHS], net->lengths, (size_t)net->row_count * THRONG_LANDMARKS, stream);
    j->query = cuda_upload(&b[SEARCHES_QUERIES], queries, (size_t)j->count, stream);
    return j->net.portals && j->net.first && j->net.corners && j->net.number && j->net.branches && j->net.lengths &&
           j->query;
}

/* A search opens a third of the half-edges of an office building at the most (measured: 2,105 nodes and 115 open ones,
 * 502 roots, of 6,374 half-edges). */
static void searches_size(const throng_path_net *net, searches_job *j)
{
    int32_t half = net->edge_count / 2;
    int32_t nodes = half < 1024 ? 1024 : half > 16384 ? 16384 : half;
    j->node_room = nodes + 3 * net->most_portals;
    j->heap_room = nodes / 4 + 3 * net->most_portals;
    j->root_room = nodes / 3;
    for (j->table_size = 64; j->table_size < 2 * j->root_room; j->table_size *= 2)
        ;
}

/* Threads that search at a time: fewer when their memory takes more than half of what is free. */
static bool searches_reserve(cuda_searches *s, searches_job *j, int processors, cudaStream_t stream)
{
    cuda_block *b = s->block;
    size_t free_bytes = 0, all, threads = (size_t)processors * SEARCHES_A_PROCESSOR;
    cudaMemGetInfo(&free_bytes, &all);
    for (int i = SEARCHES_NODES; i <= SEARCHES_TABLES; i++)
        free_bytes += b[i].size;
    size_t each = (size_t)j->node_room * sizeof *j->nodes + (size_t)j->heap_room * sizeof *j->heaps +
                  (size_t)j->root_room * sizeof *j->roots + (size_t)j->table_size * sizeof *j->tables;
    threads = threads < free_bytes / 2 / each ? threads : free_bytes / 2 / each;
    threads = threads < (size_t)j->count ? threads : (size_t)j->count;
    j->threads = threads < 1 ? 1 : (int32_t)threads;
    threads = (size_t)j->threads;
    j->nodes = cuda_room<portal_node>(&b[SEARCHES_NODES], threads * (size_t)j->node_room, false);
    j->heaps = cuda_room<portal_open>(&b[SEARCHES_HEAPS], threads * (size_t)j->heap_room, false);
    j->roots = cuda_room<portal_root>(&b[SEARCHES_ROOTS], threads * (size_t)j->root_room, false);
    j->tables = cuda_room<int32_t>(&b[SEARCHES_TABLES], threads * (size_t)j->table_size, false);
    j->counters = cuda_room<searches_counters>(&b[SEARCHES_COUNTERS], 1, false);
    j->result = cuda_room<throng_search_result>(&b[SEARCHES_RESULTS], (size_t)j->count, false);
    j->corner_room = (int64_t)j->count * SEARCHES_CORNERS;
    j->corner = cuda_room<throng_point>(&b[SEARCHES_CORNERS_FOUND], (size_t)j->corner_room, false);
    if (!j->nodes || !j->heaps || !j->roots || !j->tables || !j->counters || !j->result || !j->corner)
        return false;
    cudaMemsetAsync(j->tables, 0xff, threads * (size_t)j->table_size * sizeof *j->tables, stream);
    return cudaMemsetAsync(j->counters, 0, sizeof *j->counters, stream) == cudaSuccess;
}

static bool searches_download(cuda_searches *s, const searches_job *j, throng_search_result *results,
                              const throng_point **corners, cudaStream_t stream)
{
    searches_counters counters;
    cudaMemcpyAsync(&counters, j->counters, sizeof counters, cudaMemcpyDeviceToHost, stream);
    cudaMemcpyAsync(results, j->result, (size_t)j->count * sizeof *results, cudaMemcpyDeviceToHost, stream);
    if (cudaStreamSynchronize(stream) != cudaSuccess)
        return false;
    size_t written = (int64_t)counters.written < j->corner_room ? (size_t)counters.written : (size_t)j->corner_room;
    throng_point *found = cuda_room<throng_point>(&s->block[SEARCHES_HOST_CORNERS], written, true);
    if (!found)
        return false;
    cudaMemcpyAsync(found, j->corner, written * sizeof *found, cudaMemcpyDeviceToHost, stream);
    *corners = found;
    return cudaStreamSynchronize(stream) == cudaSuccess;
}

static bool searches_run(cuda_searches *s, int processors, const throng_path_net *net,
                         const throng_search_query *queries, int32_t count, throng_search_result *results,
                         const throng_point **corners, cudaStream_t stream)
{
    searches_job j = {};
    j.count = count;
    searches_size(net, &j);
    if (!searches_upload(s, net, queries, &j, stream) || !searches_reserve(s, &j, processors, stream))
        return false;
    kernel_searches<<<(j.threads + SEARCHES_BLOCK - 1) / SEARCHES_BLOCK, SEARCHES_BLOCK, 0, stream>>>(j);
    return cudaGetLastError() == cudaSuccess && searches_download(s, &j, results, corners, stream);
}

size_t cuda_searches_bytes(const throng_backend *b)
{
    return b->searches ? cuda_blocks_bytes(b->searches->block, SEARCHES_BLOCKS, false) : 0;
}

void cuda_free_searches(throng_backend *b)
{
    if (!b->searches)
        return;
    for (cuda_block &block : b->searches->block)
        cuda_free_block(&block);
    delete b->searches;
    b->searches = NULL;
}

bool cuda_run_searches(throng_backend *b, const throng_path_net *net, const throng_search_query *queries, int32_t count,
                       throng_search_result *results, const throng_point **corners, throng_error *error)
{
    if (!b->searches)
        b->searches = new (std::nothrow) cuda_searches();
    if (b->searches && searches_run(b->searches, b->processors, net, queries, count, results, corners, cuda_stream(b)))
        return true;
    cudaError_t status = cudaGetLastError();
    return throng_fail(error, "the device cannot make %d searches (%s)", count,
                       status == cudaSuccess ? "no memory left" : cudaGetErrorString(status));
}
