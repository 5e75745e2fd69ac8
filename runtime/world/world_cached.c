/* What is made of a world's meshes and is the same in the next world of these: roadmaps, routes and fields. */
#include <string.h>

#include "base/cache.h"
#include "navigation/navmesh_lifts.h"
#include "world_parts.h"

/* What is asked for. */
typedef struct asked {
    const world_mesh *mesh;
    const throng_region *goals;
    int32_t count;
    bool heed_doors;
    const throng_stages *stages;   /* that solve fields */
    const throng_map_graph *graph; /* of roadmaps */
} asked;

/* A value made, and about how many bytes it is; NULL when that failed. */
typedef void *maker(const asked *a, size_t *bytes, throng_error *error);

static void add_graph(throng_key *key, const throng_map_graph *graph)
{
    for (int32_t n = 0; n < graph->node_count; n++) {
        const throng_map_node *node = &graph->nodes[n];
        const double values[] = {node->at.x, node->at.y, node->max_radius, node->cost};
        throng_key_add(key, values, sizeof values);
    }
    for (int32_t e = 0; e < graph->edge_count; e++) {
        const throng_map_edge *edge = &graph->edges[e];
        const double values[] = {edge->from, edge->to, edge->cost};
        throng_key_add(key, values, sizeof values);
    }
}

/* Of the mesh as it is: doors count where they are heeded. */
static throng_key key_of(throng_cache_kind kind, const asked *a)
{
    throng_key key = throng_key_of(kind);
    int32_t sizes[] = {a->count, a->heed_doors};
    throng_key_add(&key, &a->mesh->number, sizeof a->mesh->number);
    throng_key_add(&key, sizes, sizeof sizes);
    for (int32_t i = 0; i < a->count; i++) {
        const throng_region *goal = &a->goals[i];
        const char *name = goal->name ? goal->name : "";
        throng_key_add(&key, name, strlen(name) + 1);
        throng_key_add(&key, &goal->count, sizeof goal->count);
        throng_key_add(&key, goal->points, (size_t)goal->count * sizeof *goal->points);
    }
    if (a->heed_doors)
        throng_key_add(&key, a->mesh->mesh->shut, (size_t)a->mesh->mesh->edge_count);
    throng_key_add(&key, a->mesh->mesh->against, (size_t)a->mesh->mesh->edge_count);
    if (a->mesh->mesh->lifts)
        throng_key_add(&key, a->mesh->mesh->lifts->use, (size_t)a->mesh->mesh->lifts->map.stop_count);
    if (a->graph)
        add_graph(&key, a->graph);
    throng_key_add(&key, a->mesh->mesh->cost, (size_t)a->mesh->mesh->edge_count * sizeof *a->mesh->mesh->cost);
    return key;
}

static void *take(throng_world *w, throng_cache_kind kind, const asked *a, maker *make, void (*destroy)(void *),
                  throng_error *error)
{
    size_t bytes;
    throng_key key = key_of(kind, a);
    void *value = throng_cache_take(w->cache, &key);
    if (!value && (value = make(a, &bytes, error)) && !throng_cache_put(w->cache, &key, value, bytes, destroy)) {
        destroy(value);
        value = NULL;
        throng_fail(error, "out of memory for routes");
    }
    throng_key_fini(&key);
    return value;
}

/* ---- roadmaps */

static void *make_roadmap(const asked *a, size_t *bytes, throng_error *error)
{
    throng_roadmap *roadmap = throng_roadmap_build(a->mesh->mesh, a->graph, error);
    if (roadmap)
        *bytes = 40 * (size_t)roadmap->node_count + 4 * (size_t)roadmap->edge_start[roadmap->node_count] +
                 4 * (size_t)roadmap->face_start[a->mesh->mesh->face_count];
    return roadmap;
}

static void destroy_roadmap(void *roadmap) { throng_roadmap_destroy(roadmap); }

throng_roadmap *throng_world_take_roadmap(throng_world *w, const world_mesh *mesh, throng_error *error)
{
    asked a = {.mesh = mesh, .graph = &w->map->graph};
    return take(w, THRONG_CACHE_ROADMAP, &a, make_roadmap, destroy_roadmap, error);
}

static void *make_road_tree(const asked *a, size_t *bytes, throng_error *error)
{
    *bytes = 8 * (size_t)a->mesh->roadmap->node_count;
    return throng_roadmap_tree_build(a->mesh->mesh, a->mesh->roadmap, a->goals, a->count, a->heed_doors, error);
}

static void destroy_road_tree(void *tree) { throng_roadmap_tree_destroy(tree); }

throng_roadmap_tree *throng_world_take_road_tree(throng_world *w, const world_mesh *mesh, const throng_region *goals,
                                                 int32_t count, bool heed_doors, throng_error *error)
{
    asked a = {mesh, goals, count, heed_doors, NULL, &w->map->graph};
    return take(w, THRONG_CACHE_ROAD_TREE, &a, make_road_tree, destroy_road_tree, error);
}

/* ---- trees and fields */

static void *make_tree(const asked *a, size_t *bytes, throng_error *error)
{
    throng_path_map_rules rules = {.heed_doors = a->heed_doors};
    *bytes = 48 * (size_t)a->mesh->mesh->edge_count;
    return throng_path_map_build(a->mesh->mesh, a->goals, a->count, &rules, error);
}

static void destroy_tree(void *tree) { throng_path_map_destroy(tree); }

throng_path_map *throng_world_take_tree(throng_world *w, const world_mesh *mesh, const throng_region *goals,
                                        int32_t count, bool heed_doors, throng_error *error)
{
    asked a = {mesh, goals, count, heed_doors, NULL, NULL};
    return take(w, THRONG_CACHE_TREE, &a, make_tree, destroy_tree, error);
}

static void *make_field(const asked *a, size_t *bytes, throng_error *error)
{
    throng_field *field = throng_field_build(a->mesh->mesh, a->goals, a->count, a->heed_doors, a->stages, error);
    if (field)
        *bytes = 16 * (size_t)field->columns * (size_t)field->rows;
    return field;
}

static void destroy_field(void *field) { throng_field_destroy(field); }

throng_field *throng_world_take_field(throng_world *w, const world_mesh *mesh, const throng_region *goals,
                                      int32_t count, bool heed_doors, throng_error *error)
{
    asked a = {mesh, goals, count, heed_doors, &w->stages, NULL};
    return take(w, THRONG_CACHE_FIELD, &a, make_field, destroy_field, error);
}
