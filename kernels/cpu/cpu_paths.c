#include "cpu_paths.h"

#include <stdlib.h>
#include <string.h>

#include "base/watchdog.h"

#define PATHS_GIVEN_UP() throng_given_up()
#include "kernels/routing/paths.h"

/* A thread's memory: that of a search, a tree, and the paths it found. */
typedef struct worker {
    paths_search search;
    paths_tree tree;
    int32_t *queue;
    int32_t *node;
    int64_t used, room;
    bool failed; /* out of memory, or given up */
} worker;

typedef struct job {
    const throng_graph *graph;
    const throng_path_batch *batch;
    cpu_paths *paths;
    worker *worker;
    int32_t *owner;            /* [queries] whose memory its path is in */
    int32_t *by_goal, *starts; /* queries in order of their goals; where those of a node start, [nodes + 1] */
} job;

static int32_t *room_for(worker *w, int32_t count)
{
    if (w->used + count > w->room) {
        int64_t room = 2 * w->room + count + 1024;
        int32_t *node = realloc(w->node, (size_t)room * sizeof *node);
        if (!node) {
            w->failed = true;
            return NULL;
        }
        w->node = node;
        w->room = room;
    }
    w->used += count;
    return w->node + w->used - count;
}

static void answer(job *j, int32_t q, int thread, float cost, int32_t count, const int32_t *nodes)
{
    j->owner[q] = thread;
    j->paths->cost[q] = cost;
    j->paths->count[q] = count;
    j->paths->first[q] = nodes ? (uint32_t)(nodes - j->worker[thread].node) : 0;
}

static void search(void *context, int32_t begin, int32_t end, int thread)
{
    job *j = context;
    worker *w = &j->worker[thread];
    for (int32_t q = begin; q < end && !w->failed; q++) {
        int32_t from = j->batch->from[q];
        float cost = (float)paths_find(&w->search, from, j->batch->to[q]);
        int32_t count = cost < INFINITY ? paths_length(&w->search, from) : 0;
        int32_t *nodes = room_for(w, count);
        if (nodes && count)
            paths_write(&w->search, from, nodes);
        answer(j, q, thread, cost, nodes ? count : 0, count ? nodes : NULL);
        w->failed = w->failed || throng_given_up();
    }
}

/* Dijkstra from the goal: a search that looks for nobody. */
static void grow_costs(worker *w, const throng_graph *graph, int32_t goal)
{
    throng_graph blind = *graph;
    blind.longer = blind.shorter = 0;
    paths_search *s = &w->search;
    s->graph = &blind;
    s->stamp++;
    s->open = 0;
    s->x = s->y = 0;
    paths_reach(s, goal, -1, 0);
    while (s->open && !throng_given_up()) {
        paths_open best = paths_take(s);
        lane_d cost = s->node[best.node].cost;
        for (int32_t e = graph->back_first[best.node]; e < graph->back_first[best.node + 1]; e++)
            paths_reach(s, graph->back_node[e], best.node, cost + graph->back_cost[e]);
    }
    for (int32_t n = 0; n < graph->nodes; n++)
        w->tree.cost[n] = s->node[n].stamp == s->stamp ? s->node[n].cost : INFINITY;
    s->graph = graph;
}

/* The fewest steps along cheapest paths, breadth first from the goal, and where to go on. */
static void grow_steps(worker *w, const throng_graph *graph, int32_t goal)
{
    paths_tree *t = &w->tree;
    for (int32_t n = 0; n < graph->nodes; n++)
        t->steps[n] = -1;
    t->steps[goal] = 0;
    w->queue[0] = goal;
    for (int32_t at = 0, last = 1; at < last; at++) {
        int32_t n = w->queue[at];
        for (int32_t e = graph->back_first[n]; e < graph->back_first[n + 1]; e++) {
            int32_t before = graph->back_node[e];
            if (t->steps[before] < 0 && t->cost[n] + graph->back_cost[e] == t->cost[before]) {
                t->steps[before] = t->steps[n] + 1;
                w->queue[last++] = before;
            }
        }
    }
    for (int32_t n = 0; n < graph->nodes; n++)
        t->next[n] = paths_next(graph, t->cost, t->steps, n);
}

/* The trees of goals `begin` .., each walked by all that go there. */
static void walk_trees(void *context, int32_t begin, int32_t end, int thread)
{
    job *j = context;
    worker *w = &j->worker[thread];
    for (int32_t goal = begin; goal < end && !w->failed; goal++) {
        if (j->starts[goal] == j->starts[goal + 1])
            continue;
        grow_costs(w, j->graph, goal);
        if ((w->failed = throng_given_up()))
            return;
        grow_steps(w, j->graph, goal);
        for (int32_t i = j->starts[goal]; i < j->starts[goal + 1]; i++) {
            int32_t q = j->by_goal[i], from = j->batch->from[q];
            float cost = (float)w->tree.cost[from];
            int32_t count = cost < INFINITY ? w->tree.steps[from] + 1 : 0;
            int32_t *nodes = room_for(w, count);
            for (int32_t at = from, n = 0; nodes && n < count; at = w->tree.next[at]) {
                LANE_TOUCH(&w->tree.next[at]);
                LANE_TOUCH(&nodes[n]);
                nodes[n++] = at;
            }
            answer(j, q, thread, cost, nodes ? count : 0, count ? nodes : NULL);
        }
    }
}

/* Counting sort of the queries by goal. */
static bool sort_by_goal(job *j)
{
    const throng_path_batch *batch = j->batch;
    j->by_goal = malloc(((size_t)batch->queries + 1) * sizeof *j->by_goal);
    j->starts = calloc((size_t)j->graph->nodes + 1, sizeof *j->starts);
    if (!j->by_goal || !j->starts)
        return false;
    for (int32_t q = 0; q < batch->queries; q++)
        j->starts[batch->to[q] + 1]++;
    for (int32_t n = 0; n < j->graph->nodes; n++)
        j->starts[n + 1] += j->starts[n];
    for (int32_t q = batch->queries - 1; q >= 0; q--)
        j->by_goal[--j->starts[batch->to[q] + 1]] = q;
    /* starts[goal + 1] moved to where goal's begin */
    memmove(j->starts, j->starts + 1, (size_t)j->graph->nodes * sizeof *j->starts);
    j->starts[j->graph->nodes] = batch->queries;
    return true;
}

static bool make_worker(worker *w, const throng_graph *graph)
{
    size_t n = (size_t)graph->nodes;
    w->search.graph = graph;
    w->search.node = calloc(n, sizeof *w->search.node);
    w->search.heap = malloc(n * sizeof *w->search.heap);
    w->tree.cost = malloc(n * sizeof *w->tree.cost);
    w->tree.steps = malloc(n * sizeof *w->tree.steps);
    w->tree.next = malloc(n * sizeof *w->tree.next);
    w->queue = malloc(n * sizeof *w->queue);
    return w->search.node && w->search.heap && w->tree.cost && w->tree.steps && w->tree.next && w->queue;
}

static void free_worker(worker *w)
{
    free(w->search.node);
    free(w->search.heap);
    free(w->tree.cost);
    free(w->tree.steps);
    free(w->tree.next);
    free(w->queue);
    free(w->node);
}

/* The threads' paths one after the other. */
static bool gather_paths(job *j, int threads)
{
    int64_t total = 0;
    for (int t = 0; t < threads; t++) {
        if (j->worker[t].failed)
            return false;
        total += j->worker[t].used;
    }
    cpu_paths *p = j->paths;
    p->nodes = total;
    if (total > UINT32_MAX)
        return false;
    free(p->node);
    p->node = malloc(((size_t)total + 1) * sizeof *p->node);
    int64_t *base = malloc((size_t)threads * sizeof *base);
    if (p->node && base) {
        int64_t at = 0;
        for (int t = 0; t < threads; t++) {
            base[t] = at;
            if (j->worker[t].used)
                memcpy(p->node + at, j->worker[t].node, (size_t)j->worker[t].used * sizeof *p->node);
            at += j->worker[t].used;
        }
        for (int32_t q = 0; q < j->batch->queries; q++)
            p->first[q] += (uint32_t)base[j->owner[q]];
    }
    bool ok = p->node && base;
    free(base);
    return ok;
}

/* What the job holds when its paths are gathered, which is when it holds most. */
static uint64_t job_bytes(const job *j, int threads)
{
    const worker *w = j->worker;
    uint64_t nodes = (uint64_t)j->graph->nodes, queries = (uint64_t)j->batch->queries + 1, paths = 0;
    uint64_t node = sizeof *w->search.node + sizeof *w->search.heap + sizeof *w->tree.cost + sizeof *w->tree.steps +
                    sizeof *w->tree.next + sizeof *w->queue;
    uint64_t query = sizeof *j->paths->cost + sizeof *j->paths->count + sizeof *j->paths->first + sizeof *j->owner;
    for (int t = 0; t < threads; t++)
        paths += (uint64_t)w[t].room + (uint64_t)w[t].used;
    uint64_t sorted = j->by_goal ? queries * sizeof *j->by_goal + (nodes + 1) * sizeof *j->starts : 0;
    return (uint64_t)threads * (sizeof *w + nodes * node) + queries * query + paths * sizeof *w->node + sorted;
}

static bool begin_results(cpu_paths *p, int32_t queries)
{
    cpu_paths_free(p);
    size_t n = (size_t)queries + 1;
    p->cost = malloc(n * sizeof *p->cost);
    p->count = malloc(n * sizeof *p->count);
    p->first = malloc(n * sizeof *p->first);
    return p->cost && p->count && p->first;
}

static bool run_job(job *j, pool *pool, int32_t method)
{
    bool ok = true;
    for (int t = 0; t < pool_threads(pool); t++)
        ok = make_worker(&j->worker[t], j->graph) && ok;
    if (!ok)
        return false;
    if (method == THRONG_PATHS_SEARCH)
        pool_run(pool, j->batch->queries, 16, search, j);
    else if (sort_by_goal(j))
        pool_run(pool, j->graph->nodes, 4, walk_trees, j);
    else
        return false;
    return gather_paths(j, pool_threads(pool));
}

bool cpu_paths_run(cpu_paths *p, pool *pool, const throng_graph *graph, const throng_path_batch *batch,
                   throng_path_results *results)
{
    int threads = pool_threads(pool);
    job j = {.graph = graph, .batch = batch, .paths = p};
    j.worker = calloc((size_t)threads, sizeof *j.worker);
    j.owner = calloc((size_t)batch->queries + 1, sizeof *j.owner);
    bool ok = throng_graph_has(graph, batch) && j.worker && j.owner && begin_results(p, batch->queries) &&
              run_job(&j, pool, batch->method);
    uint64_t bytes = ok ? job_bytes(&j, threads) : 0;
    *results = (throng_path_results){p->cost, p->count, p->first, p->node, p->nodes, batch->method, 0, bytes, 0};
    for (int t = 0; j.worker && t < threads; t++)
        free_worker(&j.worker[t]);
    free(j.worker);
    free(j.owner);
    free(j.by_goal);
    free(j.starts);
    return ok;
}

void cpu_paths_free(cpu_paths *p)
{
    free(p->cost);
    free(p->count);
    free(p->first);
    free(p->node);
    *p = (cpu_paths){0};
}
