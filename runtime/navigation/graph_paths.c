/* What a batch of paths is asked for, and how: the same on every backend, so that paths are, too. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "graph.h"

static bool fail_query(const throng_graph *graph, const throng_path_batch *batch, throng_error *error)
{
    int32_t q = 0, nodes = graph->nodes;
    while (batch->from[q] >= 0 && batch->from[q] < nodes && batch->to[q] >= 0 && batch->to[q] < nodes)
        q++;
    return throng_fail(error, "query %d: from node %d to node %d, but nodes are 0 .. %d", q, batch->from[q],
                       batch->to[q], nodes - 1);
}

/* --- by goals -------------------------------------------------------------------------------- */

/* Trees pay where goals are shared by so many: a tree looks at every node, a search at few. Measured on one thread: 32
 * queries a goal took trees 2.4 times as long as searches (2,025 nodes), 16 equally long (64 nodes), 144 a quarter (144
 * nodes), 256 a seventh (256 nodes); on an H200, 32 three quarters, 144 a third, 750 a fourteenth. The number is the
 * same on every backend, so that paths are. */
enum { QUERIES_A_TREE = 64 };

/* Queries in order of their goals, of equal ones by number. */
typedef struct goals {
    int32_t *query;  /* [queries] */
    int32_t *starts; /* [nodes + 1] where those to a node begin */
    int32_t count;   /* nodes that somebody goes to */
} goals;

static void free_goals(goals *g)
{
    free(g->query);
    free(g->starts);
}

static bool sort_goals(const throng_graph *graph, const throng_path_batch *batch, goals *g)
{
    size_t nodes = (size_t)graph->nodes;
    *g = (goals){malloc(((size_t)batch->queries + 1) * sizeof *g->query), calloc(nodes + 2, sizeof *g->starts), 0};
    if (!g->query || !g->starts) {
        free_goals(g);
        return false;
    }
    int32_t *next = g->starts + 1;
    for (int32_t q = 0; q < batch->queries; q++)
        next[batch->to[q] + 1]++;
    for (int32_t n = 0; n < graph->nodes; n++) {
        g->count += next[n + 1] > 0;
        next[n + 1] += next[n];
    }
    for (int32_t q = 0; q < batch->queries; q++)
        g->query[next[batch->to[q]]++] = q; /* next[n] moves to where those of n + 1 begin: starts[n + 1] */
    return true;
}

/* --- shared suffixes ------------------------------------------------------------------------------------
 *
 * Who starts on a path that is known to the same goal takes its suffix. So first come, of each goal's queries, those
 * from the farthest, and then those that no known path passes. */

/* Of so many queries to a goal one leads. */
enum { LEADS = 4 };

/* What such a batch's results live in, until the next. */
typedef struct path_suffixes {
    float *cost;
    int32_t *count, *node;
    uint32_t *first;
    int64_t used, room;
    int32_t nodes, queries;
    uint64_t host_bytes, device_bytes; /* of the largest part */
    /* A batch's part that is asked for, and which queries it is. */
    int32_t *part, *from, *to;
    /* By node: whose known path passes it, where it goes on, what the rest costs; of an earlier goal when the stamp is
     * another. */
    int32_t *stamp;
    int64_t *suffix;
    float *suffix_cost;
} path_suffixes;

static void destroy_suffixes(void *suffixes)
{
    path_suffixes *r = suffixes;
    if (!r)
        return;
    void *const blocks[] = {r->cost, r->count, r->node,  r->first,  r->part,
                            r->from, r->to,    r->stamp, r->suffix, r->suffix_cost};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        free(blocks[i]);
    free(r);
}

static path_suffixes *create_suffixes(int32_t nodes, int32_t queries)
{
    path_suffixes *r = calloc(1, sizeof *r);
    size_t n = (size_t)nodes, q = (size_t)queries;
    if (!r)
        return NULL;
    r->nodes = nodes;
    r->queries = queries;
    r->cost = malloc(q * sizeof *r->cost);
    r->count = malloc(q * sizeof *r->count);
    r->first = malloc(q * sizeof *r->first);
    r->part = malloc(q * sizeof *r->part);
    r->from = malloc(q * sizeof *r->from);
    r->to = malloc(q * sizeof *r->to);
    r->stamp = calloc(n, sizeof *r->stamp);
    r->suffix = malloc(n * sizeof *r->suffix);
    r->suffix_cost = malloc(n * sizeof *r->suffix_cost);
    if (r->cost && r->count && r->first && r->part && r->from && r->to && r->stamp && r->suffix && r->suffix_cost)
        return r;
    destroy_suffixes(r);
    return NULL;
}

static path_suffixes *renew_suffixes(throng_stages *stages, int32_t nodes, int32_t queries)
{
    destroy_suffixes(stages->suffixes);
    stages->free_suffixes = destroy_suffixes;
    return stages->suffixes = create_suffixes(nodes, queries);
}

/* Room for so many nodes more, from r->used on; false: there is none, or no number for it. */
static bool has_room(path_suffixes *r, int64_t count)
{
    if (r->used + count > UINT32_MAX)
        return false;
    if (r->used + count > r->room) {
        int64_t room = 2 * r->room + count;
        if (!throng_array_resize((void **)&r->node, (size_t)room * sizeof *r->node))
            return false;
        r->room = room;
    }
    return true;
}

/* Asks for the first `count` queries of the part, and keeps what was found. */
static bool find_part(throng_stages *stages, const throng_graph *graph, path_suffixes *r, int32_t count, int32_t method,
                      const throng_path_batch *batch, throng_error *error)
{
    throng_path_results found;
    int64_t used = r->used;
    for (int32_t i = 0; i < count; i++) {
        r->from[i] = batch->from[r->part[i]];
        r->to[i] = batch->to[r->part[i]];
    }
    const throng_path_batch part = {count, r->from, r->to, method};
    if (!stages->api->paths(stages->backend, graph, &part, &found, error))
        return false;
    r->host_bytes = found.host_bytes > r->host_bytes ? found.host_bytes : r->host_bytes;
    r->device_bytes = found.device_bytes > r->device_bytes ? found.device_bytes : r->device_bytes;
    for (int32_t i = 0; i < count; i++) {
        int32_t q = r->part[i];
        r->cost[q] = found.cost[i];
        r->count[q] = found.count[i];
        r->first[q] = (uint32_t)r->used;
        if (!has_room(r, found.count[i])) {
            r->used = used; /* fewer may do */
            return throng_fail(error, "no room for the nodes of %d paths; ask for fewer at a time", r->queries);
        }
        r->used += found.count[i];
        if (found.count[i])
            memcpy(r->node + r->first[q], found.node + found.first[i], (size_t)found.count[i] * sizeof *r->node);
    }
    return true;
}

/* What was found in all parts. */
static throng_path_results results_of(const path_suffixes *r, int32_t method, int32_t suffixes)
{
    uint64_t query = sizeof *r->cost + sizeof *r->count + sizeof *r->first + sizeof *r->part + sizeof *r->from +
                     sizeof *r->to,
             node = sizeof *r->stamp + sizeof *r->suffix + sizeof *r->suffix_cost;
    uint64_t own = (uint64_t)r->queries * query + (uint64_t)r->nodes * node + (uint64_t)r->room * sizeof *r->node;
    return (throng_path_results){
        r->cost, r->count, r->first, r->node, r->used, method, suffixes, own + r->host_bytes, r->device_bytes};
}

static float span(const throng_graph *g, int32_t from, int32_t to)
{
    float dx = fabsf(g->x[from] - g->x[to]), dy = fabsf(g->y[from] - g->y[to]);
    return g->longer * fmaxf(dx, dy) + g->shorter * fminf(dx, dy);
}

/* Farther queries first, of equals by number. */
static int farther(const void *a, const void *b, void *spans)
{
    int32_t qa = *(const int32_t *)a, qb = *(const int32_t *)b;
    float far_a = ((const float *)spans)[qa], far_b = ((const float *)spans)[qb];
    return far_a != far_b ? (far_a < far_b) - (far_a > far_b) : (qa > qb) - (qa < qb);
}

static int32_t leaders_of(int32_t count) { return (count + LEADS - 1) / LEADS; }

static float edge_cost(const throng_graph *g, int32_t from, int32_t to)
{
    float least = INFINITY;
    for (int32_t e = g->first[from]; e < g->first[from + 1]; e++)
        least = g->node[e] == to && g->cost[e] < least ? g->cost[e] : least;
    return least;
}

/* Notes the query's path, from its goal back, as far as no other is known; costs are summed as searches sum them. */
static void know_path(const throng_graph *graph, path_suffixes *r, int32_t q, int32_t stamp)
{
    double cost = 0;
    for (int64_t i = r->count[q] - 1; i >= 0; i--) {
        const int32_t *node = r->node + r->first[q] + i;
        if (i + 1 < r->count[q])
            cost += (double)edge_cost(graph, node[0], node[1]);
        if (r->stamp[*node] == stamp)
            continue;
        r->stamp[*node] = stamp;
        r->suffix[*node] = (int64_t)q << 32 | i;
        r->suffix_cost[*node] = (float)cost;
    }
}

/* The nodes themselves are shared. */
static void take_suffix(path_suffixes *r, int32_t q, int32_t from)
{
    int32_t known = (int32_t)(r->suffix[from] >> 32), at = (int32_t)r->suffix[from];
    r->cost[q] = r->suffix_cost[from];
    r->count[q] = r->count[known] - at;
    r->first[q] = r->first[known] + (uint32_t)at;
}

/* Sorts every goal's queries, and lists the first of them. */
static int32_t list_leaders(const throng_graph *graph, const throng_path_batch *batch, const goals *g, path_suffixes *r)
{
    int32_t count = 0;
    for (int32_t q = 0; q < batch->queries; q++)
        r->cost[q] = span(graph, batch->from[q], batch->to[q]);
    for (int32_t goal = 0; goal < graph->nodes; goal++) {
        int32_t *query = g->query + g->starts[goal], queries = g->starts[goal + 1] - g->starts[goal];
        qsort_r(query, (size_t)queries, sizeof *query, farther, r->cost);
        memcpy(r->part + count, query, (size_t)leaders_of(queries) * sizeof *query);
        count += leaders_of(queries);
    }
    return count;
}

/* Gives who can have one a shared suffix, and lists the others. */
static int32_t list_others(const throng_graph *graph, const throng_path_batch *batch, const goals *g, path_suffixes *r)
{
    int32_t count = 0;
    for (int32_t goal = 0; goal < graph->nodes; goal++) {
        int32_t begin = g->starts[goal], end = g->starts[goal + 1], leaders = leaders_of(end - begin);
        for (int32_t k = begin; k < begin + leaders; k++)
            know_path(graph, r, g->query[k], goal + 1);
        for (int32_t k = begin + leaders; k < end; k++) {
            int32_t q = g->query[k], from = batch->from[q];
            if (r->stamp[from] == goal + 1)
                take_suffix(r, q, from);
            else
                r->part[count++] = q;
        }
    }
    return count;
}

static bool search_with_suffixes(throng_stages *stages, const throng_graph *graph, const throng_path_batch *batch,
                                 const goals *g, throng_path_results *results, throng_error *error)
{
    path_suffixes *r = renew_suffixes(stages, graph->nodes, batch->queries);
    if (!r)
        return throng_fail(error, "out of memory for the shared suffixes of %d paths", batch->queries);
    int32_t leaders = list_leaders(graph, batch, g, r), others;
    if (!find_part(stages, graph, r, leaders, THRONG_PATHS_SEARCH, batch, error))
        return false;
    others = list_others(graph, batch, g, r);
    if (!find_part(stages, graph, r, others, THRONG_PATHS_SEARCH, batch, error))
        return false;
    *results = results_of(r, THRONG_PATHS_SEARCH, batch->queries - leaders - others);
    return true;
}

/* --- the batch ------------------------------------------------------------------------------------ */

/* In parts, as large as the backend has room for; queries to the same goal stay together. */
static bool find_in_parts(throng_stages *stages, const throng_graph *graph, const throng_path_batch *batch,
                          throng_path_results *results, throng_error *error)
{
    goals g;
    path_suffixes *r = renew_suffixes(stages, graph->nodes, batch->queries);
    if (!r || !sort_goals(graph, batch, &g))
        return throng_fail(error, "out of memory for %d paths", batch->queries);
    int32_t size = batch->queries / 2;
    for (int32_t done = 0; size > 0 && done < batch->queries;) {
        int32_t count = batch->queries - done < size ? batch->queries - done : size;
        memcpy(r->part, g.query + done, (size_t)count * sizeof *r->part);
        if (find_part(stages, graph, r, count, batch->method, batch, error))
            done += count;
        else
            size /= 2;
    }
    free_goals(&g);
    *results = results_of(r, batch->method, 0);
    return size > 0;
}

static bool find_all(throng_stages *stages, const throng_graph *graph, const throng_path_batch *batch,
                     throng_path_results *results, throng_error *error)
{
    if (stages->api->paths(stages->backend, graph, batch, results, error))
        return true;
    if (!throng_graph_has(graph, batch))
        return fail_query(graph, batch, error);
    return find_in_parts(stages, graph, batch, results, error);
}

/* What nobody chose: trees, or searches that share suffixes, or searches. */
static bool find_by_goals(throng_stages *stages, const throng_graph *graph, const throng_path_batch *batch,
                          throng_path_results *results, throng_error *error)
{
    goals g;
    throng_path_batch asked = *batch;
    asked.method = THRONG_PATHS_TREES;
    if (batch->queries / QUERIES_A_TREE >= graph->nodes) /* there are no more goals */
        return find_all(stages, graph, &asked, results, error);
    if (!throng_graph_has(graph, batch))
        return fail_query(graph, batch, error);
    if (!sort_goals(graph, batch, &g))
        return throng_fail(error, "out of memory for %d queries", batch->queries);
    bool trees = batch->queries / QUERIES_A_TREE >= g.count;
    asked.method = trees ? THRONG_PATHS_TREES : THRONG_PATHS_SEARCH;
    bool found =
        !trees && batch->queries / 2 >= g.count && search_with_suffixes(stages, graph, batch, &g, results, error);
    free_goals(&g);
    return found || find_all(stages, graph, &asked, results, error);
}

bool throng_graph_queries(throng_stages *stages, int32_t queries, int32_t **from, int32_t **to, throng_error *error)
{
    return stages->api->path_queries(stages->backend, queries, from, to, error);
}

bool throng_graph_paths(throng_stages *stages, const throng_graph *graph, const throng_path_batch *batch,
                        throng_path_results *results, throng_error *error)
{
    *results = (throng_path_results){.method = batch->method};
    if (batch->queries == 0)
        return true;
    return (batch->method == THRONG_PATHS_AUTO ? find_by_goals : find_all)(stages, graph, batch, results, error);
}
