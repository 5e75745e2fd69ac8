#include "map_graph.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "map.h"

static bool is_cost(double cost) { return cost >= 0 && isfinite(cost); }

bool throng_map_add_node(throng_map *map, const throng_map_node *node, throng_error *error)
{
    throng_map_graph *g = &map->graph;
    if (!isfinite(node->at.x) || !isfinite(node->at.y))
        return throng_fail(error, "node %s lies at (%g, %g): coordinates must be finite numbers", node->name,
                           node->at.x, node->at.y);
    if (!is_cost(node->max_radius) || !is_cost(node->cost))
        return throng_fail(error, "node %s has a max_radius of %g m and a cost of %g m: give 0 or more", node->name,
                           node->max_radius, node->cost);
    if (!throng_array_reserve((void **)&g->nodes, &g->node_room, (int64_t)g->node_count + 1, sizeof *g->nodes))
        return throng_fail(error, "%s: out of memory", map->name);
    throng_map_node *added = &g->nodes[g->node_count];
    *added = *node;
    if (!(added->name = strdup(node->name)))
        return throng_fail(error, "%s: out of memory", map->name);
    g->node_count++;
    return true;
}

bool throng_map_add_edge(throng_map *map, const throng_map_edge *edge, throng_error *error)
{
    throng_map_graph *g = &map->graph;
    const char *from = g->nodes[edge->from].name, *to = g->nodes[edge->to].name;
    if (edge->from == edge->to)
        return throng_fail(error, "edge %s - %s joins a node with itself", from, to);
    if (!is_cost(edge->cost))
        return throng_fail(error, "edge %s - %s has a cost of %g m: give 0 or more", from, to, edge->cost);
    if (!throng_array_reserve((void **)&g->edges, &g->edge_room, (int64_t)g->edge_count + 1, sizeof *g->edges))
        return throng_fail(error, "%s: out of memory", map->name);
    g->edges[g->edge_count++] = *edge;
    return true;
}

bool throng_map_graph_copy(throng_map_graph *to, const throng_map_graph *from)
{
    to->nodes = calloc((size_t)from->node_count + 1, sizeof *to->nodes);
    to->edges = calloc((size_t)from->edge_count + 1, sizeof *to->edges);
    if (!to->nodes || !to->edges)
        return false;
    to->node_room = from->node_count + 1;
    to->edge_room = from->edge_count + 1;
    for (; to->node_count < from->node_count; to->node_count++) {
        throng_map_node *node = &to->nodes[to->node_count];
        *node = from->nodes[to->node_count];
        if (!(node->name = strdup(node->name)))
            return false;
    }
    for (; to->edge_count < from->edge_count; to->edge_count++)
        to->edges[to->edge_count] = from->edges[to->edge_count];
    return true;
}

void throng_map_graph_fini(throng_map_graph *g)
{
    for (int32_t n = 0; n < g->node_count; n++)
        free(g->nodes[n].name);
    free(g->nodes);
    free(g->edges);
    *g = (throng_map_graph){0};
}
