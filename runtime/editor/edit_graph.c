/* The roadmap that came with a map, which is kept as it is: nodes stay where they are in the document, and in buildings
 * have the names that their floors know them by. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "edit_parts.h"
#include "map/map_floor.h"

/* As it was drawn but for a nanometre. */
static throng_point drawn(throng_point p) { return (throng_point){round(p.x * 1e9) / 1e9, round(p.y * 1e9) / 1e9}; }

bool throng_edit_take_graph(throng_edit_thing *plan, const throng_map *map)
{
    if (!throng_map_graph_copy(&plan->graph, &map->graph))
        return false;
    for (int32_t n = 0; map->sheets && n < plan->graph.node_count; n++) {
        throng_map_node *node = &plan->graph.nodes[n];
        int32_t floor = throng_map_floor_of_node(map, n);
        throng_point at = drawn(throng_map_position(map, floor, node->at)), by = throng_edit_floor_offset(floor);
        char *slash = strchr(node->name, '/');
        if (slash)
            memmove(node->name, slash + 1, strlen(slash));
        node->at = (throng_point){at.x + by.x, at.y + by.y};
    }
    return true;
}

/* As a node of the building that was made of the document. */
static bool put_in_building(const throng_edit *edit, const throng_map_node *node, throng_map *map, throng_error *error)
{
    char name[512];
    throng_map_node put = *node;
    int32_t floor = throng_edit_floor_at(edit, node->at), sheet = 0;
    const char *storey = edit->things[throng_edit_floor_slot(edit, floor)]->name;
    while (strcmp(map->sheets->list[sheet].name, storey) != 0) /* which is not as high in the document, perhaps */
        sheet++;
    snprintf(name, sizeof name, "%s/%s", storey, node->name);
    put.name = name;
    throng_point by = throng_edit_floor_offset(floor);
    put.at = throng_map_place(map, sheet, drawn((throng_point){node->at.x - by.x, node->at.y - by.y}));
    return throng_map_add_node(map, &put, error);
}

throng_map *throng_edit_put_graph(const throng_edit *edit, throng_map *map, throng_error *error)
{
    const throng_map_graph *g = &edit->things[0]->graph;
    bool fine = map != NULL;
    for (int32_t n = 0; fine && n < g->node_count; n++)
        fine = map->sheets ? put_in_building(edit, &g->nodes[n], map, error)
                           : throng_map_add_node(map, &g->nodes[n], error);
    for (int32_t e = 0; fine && e < g->edge_count; e++)
        fine = throng_map_add_edge(map, &g->edges[e], error);
    if (fine)
        return map;
    throng_map_destroy(map);
    return NULL;
}
