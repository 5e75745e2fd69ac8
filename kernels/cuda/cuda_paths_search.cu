/* Batches of paths on CUDA by A*: persistent warps, a search each, which fetch the next query when they are done.
 *
 * A warp's heap has 32 children a node, which its lanes look at together, and the first of its entries in shared
 * memory; lanes also look at a node's edges together. Nodes leave such a heap in the order in which they leave that of
 * paths.h, whose paths these are (a search a thread, by that body, took two to ten times as long: every access waited
 * for the one before). Nodes know their place in it only where graphs are large: in small ones few become cheaper once
 * they are in, and entering those again takes less than noting all places. Paths are written as they are found, into
 * one array, and to the host at once if they are few. */
#include "cuda_paths.cuh"

#include <algorithm>

enum { PATHS_WARPS = 4, PATHS_WARPS_A_PROCESSOR = 40, PATHS_NEAR = 128, PATHS_DIRECT = 1 << 24, PATHS_LARGE = 8192 };

/* As paths_node, but for the place. */
struct warp_node {
    double cost;
    int32_t next;
    uint32_t stamp;
};

/* A warp's search; all but the lane is the same in all lanes. */
struct paths_warp {
    const throng_graph *graph;
    warp_node *node;
    int32_t *place; /* of nodes in the heap, -1: taken out. Without PLACES, what becomes cheaper is entered again */
    paths_open *near, *far;   /* the heap: entries below PATHS_NEAR, in shared memory; others */
    int32_t open, room, lane; /* entries that there are, and may be; room 0: there were more */
    uint32_t stamp;
    paths_search from; /* for the bound */
};

static const unsigned ALL_LANES = 0xffffffffu;

/* Of a path, in the memory of an entry. */
enum { WARP_NODES = sizeof(paths_open) / sizeof(int32_t) };

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
template <bool PLACES> static __device__ void warp_put(const paths_warp &w, int32_t at, const paths_open &entry)
{
    if (w.lane)
        return;
    (at < PATHS_NEAR ? w.near : w.far)[at] = entry;
    if (PLACES)
        w.place[entry.node] = at;
}

template <bool PLACES> static __device__ void warp_enter(const paths_warp &w, int32_t at, const paths_open &entry)
{
    __syncwarp();
    while (at > 0) {
        int32_t above = (at - 1) / 32;
        paths_open parent = warp_entry(w, above);
        __syncwarp(); /* all have read what the first lane may write next */
        if (!paths_before(&entry, &parent))
            break;
        warp_put<PLACES>(w, at, parent);
        at = above;
    }
    warp_put<PLACES>(w, at, entry);
    __syncwarp();
}

/* The least of the lanes that are there, of which those remain that have it. */
static __device__ uint32_t warp_keep(bool *there, uint32_t value)
{
    uint32_t least = warp_least(*there ? value : UINT32_MAX);
    *there = *there && value == least;
    return least;
}

/* The first of the entries `at` .. at + 31 that there are, and where it is. */
static __device__ paths_open warp_first(const paths_warp &w, int32_t *at)
{
    bool there = *at + w.lane < w.open;
    paths_open own = {};
    if (there)
        own = warp_entry(w, *at + w.lane);
    uint32_t high = warp_keep(&there, (uint32_t)__double2hiint(own.bound)); /* ordered as numbers of 0 or more are */
    uint32_t low = warp_keep(&there, (uint32_t)__double2loint(own.bound));
    uint32_t left = warp_keep(&there, __float_as_uint(own.left));
    uint32_t node = warp_keep(&there, (uint32_t)own.node);
    *at += __ffs((int)__ballot_sync(ALL_LANES, there)) - 1;
    paths_open first = {__hiloint2double((int)high, (int)low), __uint_as_float(left), (int32_t)node};
    return first;
}

/* Takes the first out. */
template <bool PLACES> static __device__ void warp_take(paths_warp *w)
{
    int32_t top = warp_entry(*w, 0).node;
    paths_open last = warp_entry(*w, --w->open);
    __syncwarp();
    if (PLACES && w->lane == 0)
        w->place[top] = -1;
    int32_t at = 0;
    for (int32_t child = 1; child < w->open; child = 32 * at + 1) {
        paths_open first = warp_first(*w, &child);
        if (!paths_before(&first, &last))
            break;
        warp_put<PLACES>(*w, at, first);
        at = child;
    }
    if (w->open)
        warp_put<PLACES>(*w, at, last);
    __syncwarp();
}

/* Of edges to the same node the cheapest counts, and of equal ones the first lane's. */
static __device__ bool warp_leads(const paths_warp &w, int32_t node, double cost)
{
    unsigned same = __match_any_sync(ALL_LANES, node);
    bool leads = true;
    if (!__any_sync(ALL_LANES, __popc(same) > 1))
        return leads;
    for (int other = 0; other < 32; other++) {
        double theirs = __shfl_sync(ALL_LANES, cost, other);
        if ((same >> other & 1) && other != w.lane && (theirs < cost || (theirs == cost && other < w.lane)))
            leads = false;
    }
    return leads;
}

/* Looks at 32 edges into the best node, as paths_reach does one by one. */
template <bool PLACES>
static __device__ void warp_reach(paths_warp *w, int32_t best, double sum, int32_t edge, int32_t end)
{
    const throng_graph *g = w->graph;
    bool there = edge + w->lane < end, known = false;
    int32_t node = there ? g->back_node[edge + w->lane] : -1 - w->lane;
    double cost = there ? sum + g->back_cost[edge + w->lane] : INFINITY;
    paths_open entry = {0, 0, node};
    there = warp_leads(*w, node, cost) && there;
    if (there) {
        warp_node *n = &w->node[node];
        known = n->stamp == w->stamp;
        there = !known || cost < n->cost;
        known = PLACES && known && w->place[node] >= 0;
        if (there) {
            double left = paths_left(&w->from, node);
            entry.bound = cost + left;
            entry.left = (float)left;
            n->cost = cost;
            n->next = best;
            n->stamp = w->stamp;
        }
    }
    unsigned todo = __ballot_sync(ALL_LANES, there), known_lanes = PLACES ? __ballot_sync(ALL_LANES, known) : 0;
    if (w->open + __popc(todo) > w->room)
        w->room = 0;
    for (; w->room && todo; todo &= todo - 1) {
        int lane = __ffs((int)todo) - 1;
        paths_open next = {__shfl_sync(ALL_LANES, entry.bound, lane), __shfl_sync(ALL_LANES, entry.left, lane),
                           __shfl_sync(ALL_LANES, entry.node, lane)};
        warp_enter<PLACES>(*w, known_lanes >> lane & 1 ? w->place[next.node] : w->open++, next);
    }
}

/* paths_find, by a warp. What it returns means nothing when it runs out of room. */
template <bool PLACES> static __device__ double warp_find(paths_warp *w, int32_t from, int32_t to)
{
    const throng_graph *g = w->graph;
    if (g->component[from] != g->component[to])
        return INFINITY;
    w->from.x = g->x[from];
    w->from.y = g->y[from];
    w->open = 1;
    if (w->lane == 0)
        w->node[to] = {0, -1, w->stamp};
    double left = paths_left(&w->from, to);
    paths_open goal = {left, (float)left, to};
    warp_put<PLACES>(*w, 0, goal);
    __syncwarp();
    while (w->open && w->room) {
        paths_open best = warp_entry(*w, 0);
        double cost = w->node[best.node].cost; /* on its way while the heap is put in order */
        int32_t e = g->back_first[best.node], end = g->back_first[best.node + 1];
        if (best.node == from)
            return cost;
        warp_take<PLACES>(w);
        if (!PLACES && cost + paths_left(&w->from, best.node) != best.bound) /* has become cheaper since */
            continue;
        for (; e < end; e += 32)
            warp_reach<PLACES>(w, best.node, cost, e, end);
    }
    return INFINITY;
}

/* Lists the path's nodes where the heap was, and returns how many; no more than there is room for. */
static __device__ int32_t warp_list(const paths_warp &w, int32_t from)
{
    int32_t count = 0, *near = (int32_t *)w.near, *far = (int32_t *)w.far;
    for (int32_t at = from; at >= 0; at = w.node[at].next, count++)
        if (w.lane == 0 && count < WARP_NODES * w.room)
            (count < WARP_NODES * PATHS_NEAR ? near : far)[count] = at;
    __syncwarp();
    return count;
}

static __device__ void warp_answer(const paths_job &j, const paths_warp &w, int32_t q, int32_t from, float cost)
{
    int32_t count = w.room && cost < INFINITY ? warp_list(w, from) : 0;
    if (!w.room || count > WARP_NODES * w.room) {
        j.counters->full = 1;
        count = 0;
    }
    unsigned long long first = 0;
    if (w.lane == 0)
        first = atomicAdd(&j.counters->written, (unsigned long long)count);
    int64_t at = (int64_t)__shfl_sync(ALL_LANES, first, 0);
    for (int32_t i = w.lane; at + count <= j.room && i < count; i += 32)
        j.node[at + i] = ((int32_t *)(i < WARP_NODES * PATHS_NEAR ? w.near : w.far))[i];
    if (w.lane == 0) {
        j.answer.cost[q] = cost;
        j.answer.count[q] = count;
        j.answer.first[q] = (uint32_t)at;
    }
    __syncwarp();
}

template <bool PLACES>
__global__ void __launch_bounds__(32 * PATHS_WARPS, PATHS_WARPS_A_PROCESSOR / PATHS_WARPS)
    kernel_paths_search(const paths_job j, int32_t warps, warp_node *nodes, int32_t *places, paths_open *heaps,
                        int32_t room, uint32_t stamp)
{
    __shared__ paths_open near[PATHS_WARPS][PATHS_NEAR];
    int32_t warp = (int32_t)(blockIdx.x * PATHS_WARPS + threadIdx.x / 32);
    if (warp >= warps)
        return;
    paths_warp w = {};
    w.graph = w.from.graph = &j.graph;
    w.node = nodes + (size_t)warp * (size_t)j.graph.nodes;
    w.near = near[threadIdx.x / 32];
    w.place = PLACES ? places + (size_t)warp * (size_t)j.graph.nodes : NULL;
    w.far = heaps + (size_t)warp * (size_t)room;
    w.lane = (int32_t)(threadIdx.x % 32);
    for (;;) {
        uint32_t q = 0;
        if (w.lane == 0)
            q = atomicAdd(&j.counters->fetched, 1u);
        q = __shfl_sync(ALL_LANES, q, 0);
        if (q >= (uint32_t)j.queries)
            return;
        w.stamp = stamp + q + 1; /* a stamp is never used twice */
        w.room = room;
        int32_t from = j.from[q], to = j.to[q];
        if (paths_has(j.graph, from, to))
            warp_answer(j, w, (int32_t)q, from, (float)warp_find<PLACES>(&w, from, to));
        else
            j.counters->bad = 1;
    }
}

/* --- the host's side ---------------------------------------------------------------------------------------- */

/* Entries that a search has room for at first: few are open at a time in a large graph, and the more searches fit, the
 * faster it goes (a map of a million cells: 8.8 s for 100,000 paths when all nodes had room). */
static int32_t paths_entries(int32_t nodes)
{
    return PATHS_NEAR + (nodes < PATHS_LARGE ? nodes : std::max((int32_t)PATHS_LARGE, nodes / 8));
}

/* Warps that search at a time: what the device keeps busy, fewer when their memory takes more than three quarters of
 * what is free (which is asked only then: that takes longer than a small batch). */
static int32_t paths_warps(const cuda_paths *p, const throng_graph *g, int32_t room, int32_t queries, int processors)
{
    size_t places = g->nodes < PATHS_LARGE ? 0 : sizeof(int32_t), free_bytes, all;
    size_t each = (size_t)g->nodes * (sizeof(warp_node) + places) + (size_t)room * sizeof(paths_open);
    size_t held = p->block[PATHS_SEARCHES].size + p->block[PATHS_PLACES].size + p->block[PATHS_HEAPS].size;
    size_t warps = (size_t)processors * PATHS_WARPS_A_PROCESSOR;
    warps = warps < (size_t)queries ? warps : (size_t)queries;
    if (warps * each > held && cudaMemGetInfo(&free_bytes, &all) == cudaSuccess) {
        size_t most = (free_bytes + held) / 4 * 3 / each;
        warps = warps < most ? warps : most;
    }
    return warps < 1 ? 1 : (int32_t)warps;
}

/* The searches' memory; a node's stamp tells whether what it holds is of this search. */
static bool paths_ready_searches(cuda_paths *p, const paths_job *j, int32_t warps, int32_t room, warp_node **nodes,
                                 int32_t **places, paths_open **heaps, cudaStream_t stream)
{
    size_t n = (size_t)warps * (size_t)j->graph.nodes, before = p->block[PATHS_SEARCHES].size;
    *nodes = paths_room<warp_node>(p, PATHS_SEARCHES, n);
    *places = j->graph.nodes < PATHS_LARGE ? NULL : paths_room<int32_t>(p, PATHS_PLACES, n);
    *heaps = paths_room<paths_open>(p, PATHS_HEAPS, (size_t)warps * (size_t)room);
    if (!*nodes || !*heaps || (!*places && j->graph.nodes >= PATHS_LARGE))
        return false;
    if (p->block[PATHS_SEARCHES].size != before || p->stamp > UINT32_MAX - 2 * ((uint32_t)j->queries + 1)) {
        cudaMemsetAsync(*nodes, 0, p->block[PATHS_SEARCHES].size, stream);
        p->stamp = 0;
    }
    return true;
}

static bool paths_upload_queries(cuda_paths *p, paths_job *j, cudaStream_t stream)
{
    size_t q = (size_t)j->queries;
    int32_t *to = paths_room<int32_t>(p, PATHS_QUERIES, 2 * q);
    if (!to)
        return false;
    cudaMemcpyAsync(to, j->from, q * sizeof *to, cudaMemcpyHostToDevice, stream);
    cudaMemcpyAsync(to + q, j->to, q * sizeof *to, cudaMemcpyHostToDevice, stream);
    j->from = to;
    j->to = to + q;
    return true;
}

/* Room for so many nodes of paths, pinned when they are few. */
static bool paths_make_room(cuda_paths *p, paths_job *j, int64_t room)
{
    if (room > UINT32_MAX) /* `first` could not say where they begin */
        return false;
    int which = room <= PATHS_DIRECT ? PATHS_HOST_NODES : PATHS_NODES;
    j->room = std::max(room, (int64_t)(p->block[which].size / sizeof *j->node));
    j->node = paths_room<int32_t>(p, which, (size_t)j->room);
    return j->node != NULL;
}

static bool paths_bring_nodes(cuda_paths *p, const paths_job *j, int64_t count, cudaStream_t stream)
{
    if (j->node == p->block[PATHS_HOST_NODES].data)
        return true;
    int32_t *node = paths_room<int32_t>(p, PATHS_HOST_NODES, (size_t)count);
    return node &&
           cudaMemcpyAsync(node, j->node, (size_t)count * sizeof *node, cudaMemcpyDeviceToHost, stream) ==
               cudaSuccess &&
           cudaStreamSynchronize(stream) == cudaSuccess;
}

/* Where paths or open lists need more room than was guessed, all are searched again. */
bool cuda_search_paths(cuda_paths *p, paths_job *j, int processors, cudaStream_t stream)
{
    warp_node *nodes;
    int32_t *places;
    paths_open *heaps;
    paths_answers answers;
    size_t answer_bytes = (size_t)j->queries * PATHS_ANSWER;
    int32_t room = paths_entries(j->graph.nodes);
    int64_t written = paths_guess(j);
    paths_counters *counters = paths_room<paths_counters>(p, PATHS_HOST_COUNTERS, 1);
    if (!counters || !paths_upload_queries(p, j, stream) ||
        !paths_answers_in(p, PATHS_ANSWERS, j->queries, &j->answer) ||
        !paths_answers_in(p, PATHS_HOST_ANSWERS, j->queries, &answers))
        return false;
    for (;; written = std::max(written, (int64_t)counters->written)) {
        int32_t warps = paths_warps(p, &j->graph, room, j->queries, processors);
        if (!paths_make_room(p, j, written) ||
            !paths_ready_searches(p, j, warps, room, &nodes, &places, &heaps, stream))
            return false;
        cudaMemsetAsync(j->counters, 0, sizeof *j->counters, stream);
        (places ? kernel_paths_search<true>
                : kernel_paths_search<false>)<<<(warps + PATHS_WARPS - 1) / PATHS_WARPS, 32 * PATHS_WARPS, 0, stream>>>(
            *j, warps, nodes, places, heaps, room, p->stamp);
        p->stamp += (uint32_t)j->queries + 1;
        cudaMemcpyAsync(counters, j->counters, sizeof *counters, cudaMemcpyDeviceToHost, stream);
        cudaMemcpyAsync(answers.first, j->answer.first, answer_bytes, cudaMemcpyDeviceToHost, stream);
        if (cudaStreamSynchronize(stream) != cudaSuccess || counters->bad || room > INT32_MAX / 16)
            return false;
        if (counters->full)
            room *= 4;
        else if ((int64_t)counters->written <= j->room)
            return paths_bring_nodes(p, j, (int64_t)counters->written, stream);
    }
}
