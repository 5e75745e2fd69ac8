/* A roadmap that comes with the map: the graph that agents with routing = "roadmap" walk by, in the place of the
 * corners that throng finds itself. Edges go both ways; without any, all nodes that see each other are joined. */
#ifndef THRONG_MAP_GRAPH_H
#define THRONG_MAP_GRAPH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "kernels/contract/point.h"

typedef struct throng_map_node {
    char *name;
    throng_point at;   /* m */
    double max_radius; /* m: larger bodies do not walk by it; 0: any does that fits there */
    double cost;       /* m: what passing it costs beside the length */
} throng_map_node;

typedef struct throng_map_edge {
    int32_t from, to; /* nodes */
    double cost;      /* m: beside its length */
} throng_map_edge;

typedef struct throng_map_graph {
    throng_map_node *nodes;
    throng_map_edge *edges;
    int32_t node_count, node_room, edge_count, edge_room; /* node_count 0: the map has none */
} throng_map_graph;

struct throng_map;

/* Both copy; an error names the node or edge. */
bool throng_map_add_node(struct throng_map *map, const throng_map_node *node, throng_error *error);
bool throng_map_add_edge(struct throng_map *map, const throng_map_edge *edge, throng_error *error);

/* Into one of nothing yet; false when memory is out. */
bool throng_map_graph_copy(throng_map_graph *to, const throng_map_graph *from);
void throng_map_graph_fini(throng_map_graph *graph);

#endif
