#include "graph_devices.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/pool.h"
#include "graph.h"

/* A device, and what of a batch it answers. */
typedef struct share {
    throng_stages stages;
    int32_t *query; /* [queries] which of the batch */
    int32_t queries, room;
    int64_t before; /* nodes of earlier shares' paths */
    throng_path_results found;
    throng_error error;
    bool ok;
} share;

typedef struct devices {
    share share[THRONG_GRAPH_DEVICES_MAX];
    int32_t count;
    pool *pool;
    const throng_graph *graph; /* of the batch that is being answered */
    const throng_path_batch *batch;
    int32_t *ends; /* [2 * ends_room] where callers put their queries */
    float *cost;   /* [room], and so on: the answers */
    int32_t *nodes, *node;
    uint32_t *first;
    int32_t ends_room, room, node_room;
} devices;

static void destroy(throng_backend *backend)
{
    devices *d = (devices *)backend;
    if (!d)
        return;
    pool_destroy(d->pool);
    for (int32_t i = 0; i < d->count; i++) {
        free(d->share[i].query);
        throng_stages_close(&d->share[i].stages);
    }
    free(d->ends);
    free(d->cost);
    free(d->nodes);
    free(d->node);
    free(d->first);
    free(d);
}

/* Whose query q is. Trees are of goals: those who have one share it. */
static int32_t owner(const devices *d, const throng_path_batch *batch, int32_t q)
{
    return batch->method == THRONG_PATHS_TREES ? batch->to[q] % d->count
                                               : (int32_t)((int64_t)q * d->count / batch->queries);
}

static bool share_out(devices *d, const throng_path_batch *batch)
{
    for (int32_t i = 0; i < d->count; i++)
        d->share[i].queries = 0;
    for (int32_t q = 0; q < batch->queries; q++) {
        share *s = &d->share[owner(d, batch, q)];
        if (!throng_array_reserve((void **)&s->query, &s->room, (int64_t)s->queries + 1, sizeof *s->query))
            return false;
        s->query[s->queries++] = q;
    }
    return true;
}

static bool answer(share *s, const throng_graph *graph, const throng_path_batch *batch)
{
    int32_t *from, *to;
    s->found = (throng_path_results){0};
    if (!s->queries)
        return true;
    if (!throng_graph_queries(&s->stages, s->queries, &from, &to, &s->error))
        return false;
    for (int32_t i = 0; i < s->queries; i++) {
        from[i] = batch->from[s->query[i]];
        to[i] = batch->to[s->query[i]];
    }
    const throng_path_batch part = {s->queries, from, to, batch->method};
    return throng_graph_paths(&s->stages, graph, &part, &s->found, &s->error);
}

static void answer_shares(void *context, int32_t begin, int32_t end, int thread)
{
    (void)thread;
    devices *d = context;
    for (int32_t i = begin; i < end; i++)
        d->share[i].ok = answer(&d->share[i], d->graph, d->batch);
}

static void join_shares(void *context, int32_t begin, int32_t end, int thread)
{
    (void)thread;
    devices *d = context;
    for (const share *s = d->share + begin; s < d->share + end; s++) {
        if (s->found.nodes)
            memcpy(d->node + s->before, s->found.node, (size_t)s->found.nodes * sizeof *d->node);
        for (int32_t i = 0; i < s->queries; i++) {
            int32_t q = s->query[i];
            d->cost[q] = s->found.cost[i];
            d->nodes[q] = s->found.count[i];
            d->first[q] = (uint32_t)s->before + s->found.first[i];
        }
    }
}

/* Room for all answers; false: there is none, or no number for a node's place. */
static bool make_room(devices *d, int32_t queries, int64_t nodes)
{
    if (nodes > INT32_MAX || !throng_array_reserve((void **)&d->node, &d->node_room, nodes, sizeof *d->node))
        return false;
    if (queries <= d->room)
        return true;
    size_t q = (size_t)queries;
    if (!throng_array_resize((void **)&d->cost, q * sizeof *d->cost) ||
        !throng_array_resize((void **)&d->nodes, q * sizeof *d->nodes) ||
        !throng_array_resize((void **)&d->first, q * sizeof *d->first))
        return false;
    d->room = queries;
    return true;
}

static bool find_paths(throng_backend *backend, const throng_graph *graph, const throng_path_batch *batch,
                       throng_path_results *results, throng_error *error)
{
    devices *d = (devices *)backend;
    uint64_t host_bytes = 0, device_bytes = 0;
    int64_t nodes = 0;
    if (!throng_graph_has(graph, batch))
        return throng_fail(error, "a query names a node that is not in the graph");
    if (!share_out(d, batch))
        return throng_fail(error, "out of memory for %d queries", batch->queries);
    d->graph = graph;
    d->batch = batch;
    pool_run(d->pool, d->count, 1, answer_shares, d);
    for (share *s = d->share; s < d->share + d->count; s++) {
        if (!s->ok)
            return throng_fail(error, "%s", s->error.text);
        s->before = nodes;
        nodes += s->found.nodes;
        host_bytes += s->found.host_bytes + (uint64_t)s->queries * sizeof *s->query;
        device_bytes += s->found.device_bytes;
    }
    if (!make_room(d, batch->queries, nodes))
        return throng_fail(error, "no room for the %lld nodes of %d paths", (long long)nodes, batch->queries);
    pool_run(d->pool, d->count, 1, join_shares, d);
    host_bytes += (uint64_t)batch->queries * (sizeof *d->cost + sizeof *d->nodes + sizeof *d->first) +
                  (uint64_t)nodes * sizeof *d->node;
    *results =
        (throng_path_results){d->cost, d->nodes, d->first, d->node, nodes, batch->method, 0, host_bytes, device_bytes};
    return true;
}

static bool path_queries(throng_backend *backend, int32_t queries, int32_t **from, int32_t **to, throng_error *error)
{
    devices *d = (devices *)backend;
    if (!throng_array_reserve((void **)&d->ends, &d->ends_room, 2 * (int64_t)queries, sizeof *d->ends))
        return throng_fail(error, "out of memory for %d queries", queries);
    *from = d->ends;
    *to = d->ends + queries;
    return true;
}

static const throng_backend_api shared = {
    .version = THRONG_BACKEND_VERSION,
    .name = "devices",
    .destroy = destroy,
    .paths = find_paths,
    .path_queries = path_queries,
};

static bool open_all(devices *d, const char *backend, const int32_t *device, int32_t count, throng_error *error)
{
    for (; d->count < count; d->count++) {
        const throng_backend_options options = {.device = device[d->count]};
        if (!throng_stages_open(backend, &options, &d->share[d->count].stages, error))
            return false;
    }
    return true;
}

bool throng_graph_devices_open(const char *backend, const int32_t *device, int32_t count, throng_stages *stages,
                               throng_error *error)
{
    if (count == 1)
        return throng_stages_open(backend, &(throng_backend_options){.device = device[0]}, stages, error);
    if (count < 1 || count > THRONG_GRAPH_DEVICES_MAX)
        return throng_fail(error, "1 to %d devices answer a batch, not %d", THRONG_GRAPH_DEVICES_MAX, count);
    devices *d = calloc(1, sizeof *d);
    if (!d || !(d->pool = pool_create(count))) {
        free(d);
        return throng_fail(error, "out of memory for %d devices", count);
    }
    if (!open_all(d, backend, device, count, error)) {
        destroy((throng_backend *)d);
        return false;
    }
    *stages = (throng_stages){.api = &shared, .backend = (throng_backend *)d};
    return true;
}
