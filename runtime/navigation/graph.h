/* Graphs for batches of paths: made from lists of nodes and edges, or grids; checked once, then only read. */
#ifndef THRONG_RUNTIME_GRAPH_H
#define THRONG_RUNTIME_GRAPH_H

#include <stdbool.h>

#include "kernels/contract/graph.h"
#include "stages/backend.h"
#include "base/error.h"

typedef struct throng_graph_edge {
    int32_t from, to;
    float cost; /* >= 0; INFINITY: closed, left out */
} throng_graph_edge;

/* Edges are one-way; any number may join the same nodes. `x`, `y`: [nodes] m. NULL, with an error that names the
 * edge or node, when a cost is negative or not a number, a node is not there, or a position not finite. */
throng_graph *throng_graph_create(int32_t nodes, const float *x, const float *y, int32_t edges,
                                  const throng_graph_edge *edge, throng_error *error);

/* A grid of unit cells, node = row * width + column; `blocked` [width * height] cells have no edges, NULL: none.
 * Neighbours share a side, or, `diagonal`, also a corner, at a cost of sqrt 2 and never past a blocked corner. `extra`
 * [width * height], NULL: 0, is what entering a cell costs more. */
throng_graph *throng_graph_grid(int32_t width, int32_t height, const bool *blocked, bool diagonal, const float *extra,
                                throng_error *error);

/* Room for a batch's queries, to be filled by the caller; any other will do, but backends read this fastest. Valid
 * until asked for again. */
bool throng_graph_queries(throng_stages *stages, int32_t queries, int32_t **from, int32_t **to, throng_error *error);

/* Cheapest paths for a batch of queries, on the backend; an error names a query whose nodes are not there.
 * THRONG_PATHS_AUTO takes trees where 64 queries or more share a goal in the mean, else searches, and where 2 or more
 * do, those who start on a known path take its suffix (the wish of the GPU A* paper). */
bool throng_graph_paths(throng_stages *stages, const throng_graph *graph, const throng_path_batch *batch,
                        throng_path_results *results, throng_error *error);

void throng_graph_destroy(throng_graph *graph);

#endif
