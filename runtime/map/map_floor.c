#include "map_floor.h"

#include <stdlib.h>
#include <string.h>

#include "ring_list.h"

int32_t throng_map_floors(const throng_map_sheets *s)
{
    int32_t count = 0;
    while (count < s->count && !s->list[count].flight && throng_map_stop_of(s, count) < 0)
        count++;
    return count;
}

/* A flight's seams follow each other: foot, middle, head. */
static int32_t middle_of(const throng_map_sheets *s, int32_t half)
{
    int32_t q = 0;
    while (!s->seams[q].inside || (s->seams[q].left != half && s->seams[q].right != half))
        q++;
    return q;
}

int32_t throng_map_end_of(const throng_map_sheets *s, int32_t half)
{
    int32_t middle = middle_of(s, half);
    return s->seams[middle].left == half ? middle - 1 : middle + 1;
}

int32_t throng_map_far_end_of(const throng_map_sheets *s, int32_t half)
{
    int32_t middle = middle_of(s, half);
    return s->seams[middle].left == half ? middle + 1 : middle - 1;
}

int32_t throng_map_floor_of(const throng_map_sheets *s, int32_t sheet)
{
    int32_t stop = throng_map_stop_of(s, sheet);
    if (stop >= 0)
        return s->stops[stop].floor;
    if (!s->list[sheet].flight)
        return sheet;
    const throng_seam *end = &s->seams[throng_map_end_of(s, sheet)];
    return end->left == sheet ? end->right : end->left;
}

bool throng_door_is_lift(const throng_map *map, int32_t door)
{
    for (int32_t i = 0; map->sheets && i < map->sheets->stop_count; i++)
        if (map->sheets->stops[i].door == door)
            return true;
    return false;
}

bool throng_map_is_part_region(const throng_map *map, int32_t region)
{
    const throng_map_sheets *s = map->sheets;
    const char *name = map->regions[region].name, *slash = strchr(name, '/');
    for (int32_t i = 0; s && i < s->count; i++)
        if (strcmp(slash && throng_map_stop_of(s, i) >= 0 ? slash + 1 : name, s->list[i].name) == 0)
            return true;
    return false;
}

/* Each point less `by`. */
static bool add_outlines(const throng_map *from, int32_t floor, throng_point by, throng_ring_list *rings)
{
    bool fine = true;
    for (int32_t r = 0; fine && r < from->ring_count; r++) {
        int32_t first = from->ring_start[r], end = from->ring_start[r + 1];
        if (throng_map_sheet_at(from, from->points[first]) != floor)
            continue;
        fine = throng_ring_list_begin(rings);
        for (int32_t i = first; fine && i < end; i++)
            fine = throng_ring_list_add(rings, (throng_point){from->points[i].x - by.x, from->points[i].y - by.y});
    }
    return fine;
}

/* What a floor's region, door or node is called there. */
static const char *own_name(const char *name)
{
    const char *slash = strchr(name, '/');
    return slash ? slash + 1 : name;
}

static bool add_regions(const throng_map *from, int32_t floor, throng_point by, throng_map *to, throng_error *error)
{
    for (int32_t r = 0; r < from->region_count; r++) {
        const throng_region *region = &from->regions[r];
        if (throng_map_sheet_at(from, region->points[0]) != floor || throng_map_is_part_region(from, r))
            continue;
        if (!throng_map_add_region(to, own_name(region->name), region->points, region->count, error))
            return false;
        throng_region *added = &to->regions[to->region_count - 1];
        for (int32_t i = 0; i < added->count; i++)
            added->points[i] = (throng_point){added->points[i].x - by.x, added->points[i].y - by.y};
        if (!throng_properties_copy(&added->properties, &region->properties))
            return throng_fail(error, "out of memory for the plan of a floor");
    }
    return true;
}

static throng_map *floor_less(const throng_map *from, int32_t floor, throng_point by, throng_error *error)
{
    throng_ring_list rings = {0};
    throng_map *map = NULL;
    if (add_outlines(from, floor, by, &rings))
        map = throng_map_from_ring_list(from->sheets->list[floor].name, false, &rings, error);
    else
        throng_fail(error, "out of memory for the plan of a floor");
    throng_ring_list_fini(&rings);
    if (map && !add_regions(from, floor, by, map, error)) {
        throng_map_destroy(map);
        map = NULL;
    }
    return map;
}

throng_map *throng_map_of_floor(const throng_map *from, int32_t floor, throng_error *error)
{
    return floor_less(from, floor, (throng_point){0, 0}, error);
}

static bool add_doors(const throng_map *from, int32_t floor, throng_map *to, throng_error *error)
{
    for (int32_t d = 0; d < from->door_count; d++) {
        const throng_door *door = &from->doors[d];
        throng_point middle = {(door->a.x + door->b.x) / 2, (door->a.y + door->b.y) / 2};
        if (throng_door_is_lift(from, d) || throng_map_sheet_at(from, middle) != floor)
            continue;
        if (!throng_map_add_door(to, own_name(door->name), throng_map_position(from, floor, door->a),
                                 throng_map_position(from, floor, door->b), error) ||
            !throng_map_set_passage(to, to->door_count - 1, door->cost, door->max_radius, error))
            return false;
        if (!throng_properties_copy(&to->doors[to->door_count - 1].properties, &door->properties))
            return throng_fail(error, "out of memory for the plan of a floor");
    }
    return true;
}

/* Those of the building that lie on the floor. */
static bool add_faces(const throng_map *from, int32_t floor, throng_map *to, throng_error *error)
{
    bool fine = !from->faces || (to->faces = calloc(1, sizeof *to->faces));
    for (int32_t f = 0; fine && from->faces && f < from->faces->count; f++) {
        int32_t first = from->faces->start[f], end = throng_ring_list_end(from->faces, f);
        if (throng_map_sheet_at(from, from->faces->points[first]) != floor)
            continue;
        fine = throng_ring_list_begin(to->faces);
        for (int32_t i = first; fine && i < end; i++)
            fine = throng_ring_list_add(to->faces, throng_map_position(from, floor, from->faces->points[i]));
    }
    return fine || throng_fail(error, "out of memory for the plan of a floor");
}

int32_t throng_map_floor_of_node(const throng_map *map, int32_t node)
{
    const throng_map_node *n = &map->graph.nodes[node];
    for (int32_t i = 0; i < throng_map_floors(map->sheets); i++) {
        const char *floor = map->sheets->list[i].name;
        size_t length = strlen(floor);
        if (strncmp(n->name, floor, length) == 0 && n->name[length] == '/')
            return i;
    }
    return throng_map_sheet_at(map, n->at);
}

/* The nodes of the floor, and the edges between them. */
static bool add_graph(const throng_map *from, int32_t floor, throng_map *to, throng_error *error)
{
    const throng_map_graph *g = &from->graph;
    int32_t *number = malloc(((size_t)g->node_count + 1) * sizeof *number);
    bool fine = number || throng_fail(error, "out of memory for the plan of a floor");
    for (int32_t n = 0; fine && n < g->node_count; n++) {
        throng_map_node node = g->nodes[n];
        number[n] = throng_map_floor_of_node(from, n) == floor ? to->graph.node_count : -1;
        node.name = (char *)own_name(node.name);
        node.at = throng_map_position(from, floor, node.at);
        fine = number[n] < 0 || throng_map_add_node(to, &node, error);
    }
    for (int32_t e = 0; fine && e < g->edge_count; e++) {
        throng_map_edge edge = {number[g->edges[e].from], number[g->edges[e].to], g->edges[e].cost};
        fine = edge.from < 0 || edge.to < 0 || throng_map_add_edge(to, &edge, error);
    }
    free(number);
    return fine;
}

throng_map *throng_map_plan_of_floor(const throng_map *from, int32_t floor, throng_error *error)
{
    throng_map *map = floor_less(from, floor, from->sheets->list[floor].offset, error);
    if (map && !(add_doors(from, floor, map, error) && add_faces(from, floor, map, error) &&
                 add_graph(from, floor, map, error))) {
        throng_map_destroy(map);
        map = NULL;
    }
    return map;
}
