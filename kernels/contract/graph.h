/* Graphs for batches of paths, and what a batch asks and answers: plain structs that the runtime and the backends
 * share. Nodes are counted from 0. */
#ifndef THRONG_GRAPH_H
#define THRONG_GRAPH_H

#include <stdbool.h>
#include <stdint.h>

/* All arrays lie in one block, which begins with `first` and ends with `back_cost`. */
typedef struct throng_graph {
    int32_t nodes, edges;
    const float *x, *y; /* [nodes] m */
    /* Edges out of node n: entries first[n] .. first[n + 1], to node[...], at cost[...] >= 0 in m or s. */
    const int32_t *first, *node; /* [nodes + 1], [edges] */
    const float *cost;           /* [edges] */
    /* The same edges by where they lead to: into node n, from back_node[...]. */
    const int32_t *back_first, *back_node; /* [nodes + 1], [edges] */
    const float *back_cost;                /* [edges] */
    const int32_t *component;              /* [nodes] nodes of unequal numbers do not reach each other */
    /* Between two nodes no path costs less than longer * max(|dx|, |dy|) + shorter * min(|dx|, |dy|). */
    float longer, shorter;
    /* All costs are multiples of `unit`, and no sum of as many as there are nodes is 2^50 of them or more: doubles sum
     * them exactly, in whatever order. 0: there is no such unit; sums from the goal on are rounded. */
    double unit;
    float most; /* of the costs */
} throng_graph;

enum throng_path_method {
    THRONG_PATHS_AUTO,
    THRONG_PATHS_SEARCH, /* A* for each query */
    THRONG_PATHS_TREES,  /* all paths to each distinct goal, then every query walks */
    THRONG_PATH_METHODS
};

typedef struct throng_path_batch {
    int32_t queries;
    const int32_t *from, *to; /* [queries] nodes; see throng_graph_queries */
    int32_t method;           /* THRONG_PATHS_...; backends are asked for one */
} throng_path_batch;

/* Are all queries' nodes the graph's? Without a branch in the loop: there may be hundreds of thousands. */
static inline bool throng_graph_has(const throng_graph *graph, const throng_path_batch *batch)
{
    uint32_t most = 0;
    for (int32_t q = 0; q < batch->queries; q++) {
        most = (uint32_t)batch->from[q] > most ? (uint32_t)batch->from[q] : most;
        most = (uint32_t)batch->to[q] > most ? (uint32_t)batch->to[q] : most;
    }
    return most < (uint32_t)graph->nodes;
}

/* Arrays of the backend's, valid until the next batch. */
typedef struct throng_path_results {
    const float *cost;     /* [queries] summed as doubles, and then rounded; INFINITY: there is no path */
    const int32_t *count;  /* [queries] nodes on the path, both ends included; 0: there is none */
    const uint32_t *first; /* [queries] where its nodes begin in `node`, from the start to the goal, one after the
                             other; paths may share them */
    const int32_t *node;   /* [nodes] */
    int64_t nodes;
    int32_t method;   /* that was taken */
    int32_t suffixes; /* queries that took the rest of another's path */
    /* Memory that the batch took at most, beside the caller's graph and queries: searches, trees, answers; pinned
     * memory is the host's, a copy of the graph the device's. */
    uint64_t host_bytes, device_bytes;
} throng_path_results;

#endif
