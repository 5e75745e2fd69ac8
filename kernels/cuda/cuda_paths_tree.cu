/* Batches of paths on CUDA by trees: all paths to each goal, from which each query takes its own.
 *
 * A block a goal looks at all nodes until nothing changes, with costs and steps in shared memory; where they do not
 * fit, the whole device does. Of the queries to a goal only those write their path that no other's path passes: the
 * others' are the ends of these (300,000 paths of 14 nodes on 20 x 20 cells are 4.3 million nodes, of which 0.26
 * million are written; the bus would need longer for the rest than all else takes). */
#include "cuda_paths.cuh"

#include <algorithm>
#include <new>

enum { TREE_BLOCK_MOST = 1024, TREE_SHARED_NODES = 4096 };

/* Trees of goals, one after the other; entry t * nodes + n is node n of the t-th. */
struct paths_trees {
    paths_tree all;
    int32_t count;
    const int32_t *goal, *of; /* of the trees; of the nodes, which tree it is. NULL: every node is a goal */
    uint8_t *state;           /* TREE_WANTED, TREE_PASSED */
    uint32_t *where;          /* in the paths written */
    int64_t *entry;           /* of the queries; -1: there is no path */
};

enum { TREE_WANTED = 1, TREE_PASSED = 2 }; /* a query's path begins there; another's passes */

static __device__ int32_t tree_goal(const paths_trees &t, int64_t tree)
{
    return t.goal ? t.goal[tree] : (int32_t)tree;
}

/* --- in shared memory --------------------------------------------------------------------------------------
 *
 * A node's cost, in units (throng_graph.unit), and its steps to the goal are one whole number: the least is the
 * cheapest path, of equals the one of the fewest steps. */

typedef unsigned long long tree_key;

enum { KEY_STEPS = 12 /* bits */, KEY_STEP = 1 << KEY_STEPS };

/* More than any way's: costs are below 2^50 units. */
static const tree_key KEY_NO_PATH = 1ull << 62;

static __device__ double key_cost(tree_key key, double unit)
{
    return key < KEY_NO_PATH ? (double)(key >> KEY_STEPS) * unit : INFINITY;
}

/* By an edge of so many units to where the key is `there`. */
template <typename Units> static __device__ tree_key key_through(tree_key there, Units edge)
{
    return there + (tree_key)edge * KEY_STEP + 1;
}

/* A thread's nodes, every blockDim.x-th, at most NODES, and their edges. Few edges are held in registers (trees of 400
 * nodes took 22 us, and 53 when they were read each time), missing ones as such to the node itself. */
template <int NODES, int EDGES> struct tree_held {
    enum { MOST = NODES };
    int32_t node[NODES][EDGES];
    uint32_t units[NODES][EDGES];

    __device__ explicit tree_held(const throng_graph &g)
    {
        const double of_cost = 1 / g.unit; /* units; a power of two */
#pragma unroll
        for (int i = 0; i < NODES * EDGES; i++) {
            int32_t n = (int32_t)(threadIdx.x + i / EDGES * blockDim.x);
            int32_t e = n < g.nodes ? g.first[n] + i % EDGES : 0;
            bool there = n < g.nodes && e < g.first[n + 1];
            node[i / EDGES][i % EDGES] = there ? g.node[e] : n < g.nodes ? n : 0;
            units[i / EDGES][i % EDGES] = there ? (uint32_t)(g.cost[e] * of_cost) : 0;
        }
    }

    /* Calls look(node, units) for the edges out of the thread's k-th node. */
    template <typename Look> __device__ void each(int k, Look look) const
    {
#pragma unroll
        for (int i = 0; i < EDGES; i++)
            look(node[k][i], units[k][i]);
    }
};

template <int NODES> struct tree_held<NODES, 0> {
    enum { MOST = NODES };
    const throng_graph &g;
    const double of_cost;

    __device__ explicit tree_held(const throng_graph &graph) : g(graph), of_cost(1 / graph.unit) {}

    template <typename Look> __device__ void each(int k, Look look) const
    {
        int32_t n = (int32_t)(threadIdx.x + k * blockDim.x);
        for (int32_t e = g.first[n]; e < g.first[n + 1]; e++)
            look(g.node[e], (tree_key)(g.cost[e] * of_cost));
    }
};

/* Calls with(k, n) for the thread's nodes. */
template <int NODES, typename With> static __device__ void tree_nodes(int32_t nodes, With with)
{
#pragma unroll
    for (int k = 0; k < NODES; k++) {
        int32_t n = (int32_t)(threadIdx.x + k * blockDim.x);
        if (n < nodes)
            with(k, n);
    }
}

template <typename Edges> static __device__ void tree_settle(const Edges &edges, int32_t nodes, volatile tree_key *key)
{
    for (int changed = 1; changed;) {
        changed = 0;
        tree_nodes<Edges::MOST>(nodes, [&](int k, int32_t n) {
            tree_key before = key[n], least = before;
            edges.each(k, [&](int32_t to, auto units) { least = min(least, key_through(key[to], units)); });
            if (least < before) {
                key[n] = least;
                changed = 1;
            }
        });
        changed = __syncthreads_or(changed);
    }
}

/* Notes where paths go on. */
template <typename Edges>
static __device__ void tree_go_on(const Edges &edges, int32_t nodes, const volatile tree_key *key, int32_t *next)
{
    tree_nodes<Edges::MOST>(nodes, [&](int k, int32_t n) {
        tree_key own = key[n];
        bool leads = own < KEY_NO_PATH;
        int32_t on = -1;
        edges.each(k, [&](int32_t to, auto units) {
            if (leads && key_through(key[to], units) == own && (on < 0 || to < on))
                on = to;
        });
        next[n] = on;
    });
}

/* A block a tree. */
template <typename Edges>
__global__ void __launch_bounds__(TREE_BLOCK_MOST) kernel_paths_trees(const throng_graph g, const paths_trees t)
{
    extern __shared__ tree_key shared[];
    volatile tree_key *key = shared;
    const Edges edges(g);
    int32_t goal = tree_goal(t, blockIdx.x);
    size_t base = (size_t)blockIdx.x * (size_t)g.nodes;
    tree_nodes<Edges::MOST>(g.nodes, [&](int, int32_t n) { key[n] = n == goal ? 0 : KEY_NO_PATH; });
    __syncthreads();
    tree_settle(edges, g.nodes, key);
    tree_go_on(edges, g.nodes, key, t.all.next + base);
    tree_nodes<Edges::MOST>(g.nodes, [&](int, int32_t n) {
        t.all.cost[base + n] = key_cost(key[n], g.unit);
        t.all.steps[base + n] = (int32_t)(key[n] % KEY_STEP);
        t.state[base + n] = 0;
    });
}

template <int NODES, int EDGES>
static void tree_launch(const throng_graph &g, const paths_trees &t, cudaStream_t stream)
{
    unsigned int threads = (unsigned int)(g.nodes + NODES * 32 - 1) / (NODES * 32) * 32;
    kernel_paths_trees<tree_held<NODES, EDGES>>
        <<<(unsigned int)t.count, threads, (size_t)g.nodes * sizeof(tree_key), stream>>>(g, t);
}

/* `edges`: the most out of a node. */
static void tree_grow(const throng_graph &g, int32_t edges, const paths_trees &t, cudaStream_t stream)
{
    if (g.nodes > 2 * TREE_BLOCK_MOST || edges > 8 || g.most / g.unit > UINT32_MAX)
        tree_launch<TREE_SHARED_NODES / TREE_BLOCK_MOST, 0>(g, t, stream);
    else if (g.nodes <= TREE_BLOCK_MOST)
        (edges <= 4 ? tree_launch<1, 4> : tree_launch<1, 8>)(g, t, stream);
    else
        (edges <= 4 ? tree_launch<2, 4> : tree_launch<2, 8>)(g, t, stream);
}

/* --- over the whole device; a thread a node of a tree ------------------------------------------------------- */

enum { SWEEP_BEGIN, SWEEP_COSTS, SWEEP_STEPS, SWEEP_NEXT };

__global__ void kernel_paths_sweep(const throng_graph g, const paths_trees t, int what, unsigned int *changed)
{
    int64_t at = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= (int64_t)t.count * g.nodes)
        return;
    int32_t n = (int32_t)(at % g.nodes);
    size_t base = (size_t)(at - n);
    if (what == SWEEP_BEGIN) {
        bool goal = n == tree_goal(t, at / g.nodes);
        t.all.cost[at] = goal ? 0 : (double)INFINITY;
        t.all.steps[at] = goal ? 0 : -1;
        t.state[at] = 0;
    } else if (what == SWEEP_NEXT) {
        t.all.next[at] = paths_next(&g, t.all.cost + base, t.all.steps + base, n);
    } else if (what == SWEEP_COSTS ? paths_relax(&g, t.all.cost + base, n)
                                   : paths_step(&g, t.all.cost + base, t.all.steps + base, n)) {
        *changed = 1;
    }
}

static unsigned int blocks_of(int64_t threads) { return (unsigned int)((threads + 255) / 256); }

/* Sweeps of one kind, until several in a row change nothing. */
static bool tree_sweep(const paths_job *j, const paths_trees &t, int what, cudaStream_t stream)
{
    enum { SWEEPS = 16 };
    unsigned int changed = 1, *on_device = &j->counters->changed;
    while (changed) {
        cudaMemsetAsync(on_device, 0, sizeof changed, stream);
        for (int i = 0; i < SWEEPS; i++)
            kernel_paths_sweep<<<blocks_of((int64_t)t.count * j->graph.nodes), 256, 0, stream>>>(j->graph, t, what,
                                                                                                 on_device);
        cudaMemcpyAsync(&changed, on_device, sizeof changed, cudaMemcpyDeviceToHost, stream);
        if (cudaStreamSynchronize(stream) != cudaSuccess)
            return false;
    }
    return true;
}

static bool tree_sweep_all(const paths_job *j, const paths_trees &t, cudaStream_t stream)
{
    unsigned int blocks = blocks_of((int64_t)t.count * j->graph.nodes);
    kernel_paths_sweep<<<blocks, 256, 0, stream>>>(j->graph, t, SWEEP_BEGIN, NULL);
    if (!tree_sweep(j, t, SWEEP_COSTS, stream) || !tree_sweep(j, t, SWEEP_STEPS, stream))
        return false;
    kernel_paths_sweep<<<blocks, 256, 0, stream>>>(j->graph, t, SWEEP_NEXT, NULL);
    return true;
}

/* --- the queries' paths ------------------------------------------------------------------------------------- */

/* Costs and lengths, and where queries begin. In so few threads that while some read over the bus, others write. */
__global__ void kernel_paths_ask(const paths_job j, const paths_trees t)
{
    for (int32_t q = (int32_t)(blockIdx.x * blockDim.x + threadIdx.x); q < j.queries; q += gridDim.x * blockDim.x) {
        int32_t from = j.from[q], to = j.to[q];
        if (!paths_has(j.graph, from, to)) {
            j.counters->bad = 1;
            t.entry[q] = -1;
            continue;
        }
        int64_t at = (int64_t)(t.of ? t.of[to] : to) * j.graph.nodes + from;
        float cost = (float)t.all.cost[at];
        bool leads = cost < INFINITY;
        j.answer.cost[q] = cost;
        j.answer.count[q] = leads ? t.all.steps[at] + 1 : 0;
        t.entry[q] = leads ? at : -1;
        if (leads)
            t.state[at] = TREE_WANTED;
    }
}

/* From where queries begin on, up to where another has been. */
__global__ void kernel_paths_pass(const paths_trees t, int32_t nodes)
{
    int64_t at = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= (int64_t)t.count * nodes || !(t.state[at] & TREE_WANTED))
        return;
    int64_t base = at / nodes * nodes;
    volatile uint8_t *state = t.state + base;
    for (int32_t n = t.all.next[at]; n >= 0 && !(state[n] & TREE_PASSED); n = t.all.next[base + n])
        state[n] = state[n] | TREE_PASSED; /* whoever else does so writes the same */
}

/* Writes the paths that no other passes. */
__global__ void kernel_paths_write(const paths_job j, const paths_trees t)
{
    __shared__ unsigned long long used, begin;
    int64_t at = (int64_t)blockIdx.x * blockDim.x + threadIdx.x, nodes = j.graph.nodes;
    bool writes = at < t.count * nodes && t.state[at] == TREE_WANTED;
    if (threadIdx.x == 0)
        used = 0;
    __syncthreads();
    int32_t count = writes ? t.all.steps[at] + 1 : 0;
    int64_t place = writes ? (int64_t)atomicAdd(&used, (unsigned long long)count) : 0;
    __syncthreads();
    if (threadIdx.x == 0)
        begin = used ? atomicAdd(&j.counters->written, used) : 0;
    __syncthreads();
    place += (int64_t)begin;
    if (place + count > j.room)
        return;
    int64_t base = at / nodes * nodes;
    for (int32_t n = (int32_t)(at - base), i = 0; i < count; i++, n = t.all.next[base + n]) {
        j.node[place + i] = n;
        t.where[base + n] = (uint32_t)(place + i);
    }
}

/* Says where paths begin, and takes them and the counters to the host. */
__global__ void kernel_paths_bring(const paths_job j, const paths_trees t, int4 *node, paths_counters *counters)
{
    int64_t at = (int64_t)blockIdx.x * blockDim.x + threadIdx.x, step = (int64_t)gridDim.x * blockDim.x;
    int64_t written = (int64_t)j.counters->written;
    if (at == 0)
        *counters = *j.counters;
    if (written > j.room)
        return;
    for (int64_t i = at; i < (written + 3) / 4; i += step)
        node[i] = ((const int4 *)j.node)[i];
    for (int64_t q = at; q < j.queries; q += step)
        j.answer.first[q] = t.entry[q] < 0 ? 0 : t.where[t.entry[q]];
}

/* --- the host's side ---------------------------------------------------------------------------------------- */

/* Do the trees fit into shared memory? */
static bool tree_shares(const throng_graph &g) { return g.nodes <= TREE_SHARED_NODES && g.unit > 0; }

/* The distinct goals, and the tree that each node's is (-1: none), on the device. Where trees take little and queries
 * are many, all nodes are goals: most will be, and looking would take longer than the trees. */
static bool tree_goals(cuda_paths *p, const paths_job *j, paths_trees *t, cudaStream_t stream)
{
    int32_t nodes = t->count = j->graph.nodes;
    if (tree_shares(j->graph) && j->queries / 8 > nodes)
        return true;
    int32_t *of = new (std::nothrow) int32_t[(size_t)nodes], *list = new (std::nothrow) int32_t[(size_t)nodes];
    bool ok = of && list;
    t->count = 0;
    if (ok)
        std::fill(of, of + nodes, -1);
    for (int32_t q = 0; ok && q < j->queries; q++) {
        int32_t goal = j->to[q];
        ok = (uint32_t)goal < (uint32_t)nodes;
        if (ok && of[goal] < 0) {
            of[goal] = t->count;
            list[t->count++] = goal;
        }
    }
    if (ok) {
        t->goal = paths_upload<int32_t>(p, PATHS_GOALS, list, (size_t)t->count, stream);
        t->of = paths_upload<int32_t>(p, PATHS_TREE_OF, of, (size_t)nodes, stream);
        cudaStreamSynchronize(stream);
    }
    delete[] of;
    delete[] list;
    return ok && t->goal && t->of;
}

static bool tree_room(cuda_paths *p, const paths_job *j, paths_trees *t)
{
    size_t n = (size_t)t->count * (size_t)j->graph.nodes;
    t->all = {paths_room<double>(p, PATHS_TREE_COST, n), paths_room<int32_t>(p, PATHS_TREE_STEPS, n),
              paths_room<int32_t>(p, PATHS_TREE_NEXT, n)};
    t->state = paths_room<uint8_t>(p, PATHS_TREE_STATE, n);
    t->where = paths_room<uint32_t>(p, PATHS_TREE_WHERE, n);
    t->entry = paths_room<int64_t>(p, PATHS_ENTRY, (size_t)j->queries);
    return t->all.cost && t->all.steps && t->all.next && t->state && t->where && t->entry;
}

/* Where more is written than was guessed, the paths are written again. */
static bool tree_write(cuda_paths *p, paths_job *j, const paths_trees &t, int processors, cudaStream_t stream)
{
    int64_t all = (int64_t)t.count * j->graph.nodes;
    int64_t room = (int64_t)(std::min(p->block[PATHS_NODES].size, p->block[PATHS_HOST_NODES].size) / sizeof(int4) * 4);
    paths_counters *counters = paths_room<paths_counters>(p, PATHS_HOST_COUNTERS, 1);
    unsigned int bring = std::max(blocks_of(j->queries), (unsigned int)processors * 4);
    for (room = std::max(room, std::min(2 * all, paths_guess(j))); counters && room <= UINT32_MAX;
         room = (int64_t)counters->written) {
        size_t fours = (size_t)(room + 3) / 4;
        j->node = (int32_t *)paths_room<int4>(p, PATHS_NODES, fours);
        int4 *node = paths_room<int4>(p, PATHS_HOST_NODES, fours);
        j->room = (int64_t)fours * 4;
        if (!j->node || !node)
            return false;
        kernel_paths_write<<<blocks_of(all), 256, 0, stream>>>(*j, t);
        kernel_paths_bring<<<bring, 256, 0, stream>>>(*j, t, node, counters);
        if (cudaStreamSynchronize(stream) != cudaSuccess)
            return false;
        if (counters->bad || (int64_t)counters->written <= j->room)
            return !counters->bad;
        cudaMemsetAsync(&j->counters->written, 0, sizeof j->counters->written, stream);
    }
    return false;
}

bool cuda_walk_trees(cuda_paths *p, paths_job *j, int processors, cudaStream_t stream)
{
    paths_trees t = {};
    if (!tree_goals(p, j, &t, stream) || !tree_room(p, j, &t) ||
        !paths_answers_in(p, PATHS_HOST_ANSWERS, j->queries, &j->answer))
        return false;
    if (tree_shares(j->graph))
        tree_grow(j->graph, j->edges, t, stream);
    else if (!tree_sweep_all(j, t, stream))
        return false;
    kernel_paths_ask<<<std::min(blocks_of(j->queries), (unsigned int)processors), 256, 0, stream>>>(*j, t);
    kernel_paths_pass<<<blocks_of((int64_t)t.count * j->graph.nodes), 256, 0, stream>>>(t, j->graph.nodes);
    return tree_write(p, j, t, processors, stream);
}
