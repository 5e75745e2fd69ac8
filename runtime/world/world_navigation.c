/* Meshes, roadmaps and routes in one flat table, which is handed to the backend before the next step. Worlds that have
 * all of these from one cache have the table from there, too. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/cache.h"
#include "navigation/navmesh_lines.h"
#include "world_parts.h"

enum { TOO_MANY = 1 << 30 }; /* entries of any array of the table */

static void free_arrays(throng_navigation *t)
{
#define X(type, name, count) throng_array_abandon((void *)t->name);
    THRONG_NAVIGATION_ARRAYS(X)
#undef X
    *t = (throng_navigation){0};
}

/* Copies `count` elements of four bytes to `at` of a block. */
static void put(const void *block, int64_t at, const void *values, int32_t count)
{
    memcpy((char *)block + at * 4, values, (size_t)count * 4);
}

/* Where the next mesh or tree goes in the table. */
typedef struct places {
    int32_t line, cell, listed, node, node_entry;              /* meshes */
    int32_t entry, side_entry, side, window, root, road, tree; /* trees */
} places;

static int32_t part_of(const throng_navmesh *mesh, int32_t face) { return mesh->sheet ? mesh->sheet[face] : 0; }

static void flatten_mesh(throng_navigation *y, const world_mesh *m)
{
    const throng_navmesh *n = m->mesh;
    int32_t f0 = m->first_face, e0 = m->first_edge;
    put(y->ax, e0, n->ax, n->edge_count);
    put(y->ay, e0, n->ay, n->edge_count);
    put(y->bx, e0, n->bx, n->edge_count);
    put(y->by, e0, n->by, n->edge_count);
    for (int32_t f = 0; f < n->face_count; f++)
        ((int32_t *)y->part)[f0 + f] = part_of(n, f);
    for (int32_t e = 0; e < n->edge_count; e++) {
        ((int32_t *)y->twin)[e0 + e] = throng_navmesh_ends_at(n, e) ? -1 : e0 + n->twin[e];
        ((int32_t *)y->face)[e0 + e] = f0 + n->face[e];
        ((int32_t *)y->shut)[e0 + e] = throng_navmesh_on_seam(n, e) ? THRONG_SIDE_ON_SEAM : n->shut[e];
        ((float *)y->delay)[e0 + e] = m->delay ? m->delay[e] : 0;
        ((float *)y->congestion_square)[e0 + e] = m->congestion ? (float)fmax(m->congestion[e].reach, 1) : 1;
    }
}

static void flatten_lines(throng_navigation *y, const world_mesh *m, places *at)
{
    int32_t faces = m->mesh->face_count, *side = (int32_t *)y->line_side, first = at->line;
    for (int32_t f = 0; f < faces; f++) {
        ((int32_t *)y->line_start)[m->first_face + f] = at->line;
        at->line += throng_navmesh_lines(m->mesh, f, side + at->line, (float *)y->line_x + at->line,
                                         (float *)y->line_y + at->line, (float *)y->line_least + at->line);
    }
    ((int32_t *)y->line_start)[m->first_face + faces] = at->line;
    side[at->line] = m->mesh->edge_count;
    for (int32_t i = first; i <= at->line; i++)
        side[i] += m->first_edge;
}

static void flatten_face_grid(throng_navigation *y, int32_t mesh, const world_mesh *m, places *at)
{
    const throng_face_grid *grid = m->mesh->grid;
    int32_t cells = grid->columns * grid->rows;
    ((float *)y->mesh_x)[mesh] = (float)grid->origin_x;
    ((float *)y->mesh_y)[mesh] = (float)grid->origin_y;
    ((float *)y->mesh_cell)[mesh] = (float)grid->cell;
    ((int32_t *)y->mesh_columns)[mesh] = grid->columns;
    ((int32_t *)y->mesh_rows)[mesh] = grid->rows;
    ((int32_t *)y->mesh_cells)[mesh] = at->cell;
    for (int32_t c = 0; c <= cells; c++)
        ((int32_t *)y->face_cell)[at->cell + c] = at->listed + grid->start[c];
    for (int32_t i = 0; i < grid->start[cells]; i++)
        ((int32_t *)y->face_list)[at->listed + i] = m->first_face + grid->list[i];
    at->cell += cells;
    at->listed += grid->start[cells];
}

static void flatten_roadmap(throng_navigation *y, const world_mesh *m, places *at)
{
    const throng_roadmap *r = m->roadmap;
    int32_t faces = m->mesh->face_count, first = at->node_entry;
    for (int32_t f = 0; f <= faces; f++)
        ((int32_t *)y->node_start)[m->first_face + f] = first + (r ? r->face_start[f] : 0);
    for (int32_t i = 0; r && i < r->face_start[faces]; i++)
        ((int32_t *)y->node_list)[at->node_entry++] = at->node + r->face_node[i];
    for (int32_t n = 0; r && n < r->node_count; n++) {
        throng_point by = r->sheet ? m->mesh->offset[r->sheet[n]] : (throng_point){0, 0};
        ((int32_t *)y->node_part)[at->node] = r->sheet ? r->sheet[n] : 0;
        ((float *)y->node_x)[at->node] = (float)(r->beside[n].x - by.x);
        ((float *)y->node_y)[at->node++] = (float)(r->beside[n].y - by.y);
    }
}

/* Those of face f are start[f] .. start[f + 1). */
static void flatten_sides(throng_navigation *y, const throng_navmesh *mesh, const int32_t *start, const throng_point *a,
                          const throng_point *b, places *at)
{
    for (int32_t f = 0; f < mesh->face_count; f++)
        for (int32_t s = start[f]; s < start[f + 1]; s++)
            ((int32_t *)y->side_part)[at->side + s] = part_of(mesh, f);
    for (int32_t s = 0; s < start[mesh->face_count]; s++, at->side++) {
        ((float *)y->side_ax)[at->side] = (float)a[s].x;
        ((float *)y->side_ay)[at->side] = (float)a[s].y;
        ((float *)y->side_bx)[at->side] = (float)b[s].x;
        ((float *)y->side_by)[at->side] = (float)b[s].y;
    }
}

static void flatten_roots(throng_navigation *y, const throng_path_map *t, places *at)
{
    for (int32_t i = 0; i < t->root_count; i++, at->root++) {
        const throng_path_map_root *r = &t->roots[i];
        ((float *)y->root_ax)[at->root] = (float)r->a.x;
        ((float *)y->root_ay)[at->root] = (float)r->a.y;
        ((float *)y->root_bx)[at->root] = (float)r->b.x;
        ((float *)y->root_by)[at->root] = (float)r->b.y;
        ((float *)y->root_on_x)[at->root] = (float)r->on.x;
        ((float *)y->root_on_y)[at->root] = (float)r->on.y;
        ((float *)y->root_rest)[at->root] = (float)r->rest;
    }
}

#define WINDOW_HAIR 0.02 /* m: who is a little outside its face has less to walk, and floats are rounded */

static void flatten_windows(throng_navigation *y, const world_mesh *m, const throng_path_map *t, places *at)
{
    int32_t first = at->window;
    for (int32_t i = 0; i < t->window_count; i++, at->window++) {
        const throng_path_map_window *w = &t->windows[i];
        ((float *)y->right_x)[at->window] = (float)w->right.x;
        ((float *)y->right_y)[at->window] = (float)w->right.y;
        ((float *)y->left_x)[at->window] = (float)w->left.x;
        ((float *)y->left_y)[at->window] = (float)w->left.y;
        ((int32_t *)y->window_edge)[at->window] = m->first_edge + w->edge;
        ((int32_t *)y->window_root)[at->window] = at->root + w->root;
        ((int32_t *)y->window_next)[at->window] = w->next < 0 ? -1 : first + w->next;
        ((float *)y->window_least)[at->window] = (float)(w->least - WINDOW_HAIR);
    }
}

static void flatten_tree(throng_navigation *y, const world_mesh *m, const throng_path_map *t, places *at)
{
    int32_t edges = m->mesh->edge_count, faces = m->mesh->face_count, entry = at->entry;
    ((int32_t *)y->road_side)[at->tree] = -1;
    ((int32_t *)y->tree_base)[at->tree] = entry - m->first_edge;
    ((int32_t *)y->side_base)[at->tree] = at->side_entry - m->first_face;
    for (int32_t f = 0; f <= faces; f++, at->side_entry++) {
        ((int32_t *)y->side_start)[at->side_entry] = at->side + t->side_start[f];
        ((int32_t *)y->window_start)[at->side_entry] = at->window + t->window_start[f];
    }
    flatten_sides(y, m->mesh, t->side_start, t->side_a, t->side_b, at);
    flatten_windows(y, m, t, at);
    flatten_roots(y, t, at);
    for (int32_t e = 0; e < edges; e++)
        ((int32_t *)y->next)[entry + e] = t->next[e] < 0 ? -1 : m->first_edge + t->next[e];
    at->entry += edges;
}

static void flatten_road(throng_navigation *y, const world_mesh *m, const throng_roadmap_tree *t, places *at)
{
    ((int32_t *)y->road_side)[at->tree] = at->side;
    flatten_sides(y, m->mesh, t->sides.start, t->sides.a, t->sides.b, at);
    ((int32_t *)y->road_side_end)[at->tree] = at->side;
    ((int32_t *)y->road_base)[at->tree] = at->road - m->first_node;
    ((int32_t *)y->road_heeds)[at->tree] = t->heed_doors;
    put(y->road_cost, at->road, t->cost, m->roadmap->node_count);
    at->road += m->roadmap->node_count;
}

static bool allocate_navigation(throng_navigation *t)
{
#define X(type, name, count) &&(t->name = calloc((size_t)(count) + 1, sizeof(type)))
    return true THRONG_NAVIGATION_ARRAYS(X);
#undef X
}

/* A sum that may be too large stays so. */
static void add(int32_t *sum, int64_t more)
{
    int64_t all = *sum + more;
    *sum = (int32_t)(all < TOO_MANY ? all : TOO_MANY);
}

static void size_meshes(const throng_world *w, throng_navigation *y)
{
    y->meshes = w->routing.mesh_count;
    for (int32_t i = 0; i < w->routing.mesh_count; i++) {
        const world_mesh *m = &w->routing.meshes[i];
        const throng_face_grid *grid = m->mesh->grid;
        add(&y->faces, m->mesh->face_count);
        add(&y->edges, m->mesh->edge_count);
        for (int32_t f = 0; f < m->mesh->face_count; f++)
            add(&y->lines, throng_navmesh_lines(m->mesh, f, NULL, NULL, NULL, NULL));
        add(&y->cells, grid->columns * grid->rows);
        add(&y->listed, grid->start[grid->columns * grid->rows]);
        add(&y->nodes, m->roadmap ? m->roadmap->node_count : 0);
        add(&y->node_entries, m->roadmap ? m->roadmap->face_start[m->mesh->face_count] : 0);
    }
}

static void size_trees(const throng_world *w, throng_navigation *y)
{
    for (int32_t i = 0; i < w->routing.goal_count; i++) {
        const world_goal *g = &w->routing.goals[i];
        if (g->mesh < 0)
            continue;
        const world_mesh *m = &w->routing.meshes[g->mesh];
        y->trees++;
        add(&y->sides, throng_world_goal_sides(g)[m->mesh->face_count]);
        add(&y->side_entries, g->path_map ? m->mesh->face_count + 1 : 0);
        add(&y->tree_entries, g->path_map ? m->mesh->edge_count : 0);
        add(&y->windows, g->path_map ? g->path_map->window_count : 0);
        add(&y->roots, g->path_map ? g->path_map->root_count : 0);
        add(&y->road_entries, g->road ? m->roadmap->node_count : 0);
    }
}

/* Can all of it be numbered? */
static bool countable(const throng_navigation *y)
{
    const int32_t sums[] = {y->faces,   y->edges,        y->lines,       y->cells,        y->listed,
                            y->nodes,   y->node_entries, y->sides,       y->side_entries, y->tree_entries,
                            y->windows, y->roots,        y->road_entries};
    bool fine = true;
    for (size_t i = 0; i < sizeof sums / sizeof *sums; i++)
        fine = fine && sums[i] < TOO_MANY;
    return fine;
}

static bool flatten(throng_world *w, throng_navigation *y, throng_error *error)
{
    places at = {0};
    *y = (throng_navigation){0};
    size_meshes(w, y);
    size_trees(w, y);
    bool fits = countable(y);
    if (!fits || !allocate_navigation(y)) {
        throng_fail(error,
                    fits ? "out of memory for the routes to %d goals"
                         : "%d goals on this map are more than their routes fit in; send agents to fewer different "
                           "goals",
                    y->trees);
        free_arrays(y);
        return false;
    }
    for (int32_t i = 0; i < w->routing.mesh_count; i++) {
        world_mesh *m = &w->routing.meshes[i];
        m->first_node = at.node;
        flatten_mesh(y, m);
        flatten_lines(y, m, &at);
        flatten_face_grid(y, i, m, &at);
        flatten_roadmap(y, m, &at);
    }
    for (int32_t i = 0; i < w->routing.goal_count; i++) {
        const world_goal *g = &w->routing.goals[i];
        if (g->mesh < 0)
            continue;
        const world_mesh *m = &w->routing.meshes[g->mesh];
        ((int32_t *)y->tree_mesh)[at.tree] = g->mesh;
        ((int32_t *)y->tree_congestion)[at.tree] = g->options.congestion;
        if (g->path_map)
            flatten_tree(y, m, g->path_map, &at);
        else
            flatten_road(y, m, g->road, &at);
        at.tree++;
    }
    return true;
}

/* --- shared --- */

/* Is every mesh and every route the cache's? */
static bool all_cached(const throng_world *w)
{
    bool all = true;
    for (int32_t m = 0; m < w->routing.mesh_count; m++) {
        const world_mesh *mesh = &w->routing.meshes[m];
        all = all && !mesh->own && !mesh->covered && !mesh->congestion;
    }
    return all;
}

static throng_key navigation_key(throng_world *w)
{
    throng_key key = throng_key_of(THRONG_CACHE_NAVIGATION);
    throng_key_add(&key, &w->routing.mesh_count, sizeof w->routing.mesh_count);
    for (int32_t m = 0; m < w->routing.mesh_count; m++) {
        const world_mesh *mesh = &w->routing.meshes[m];
        uint64_t roadmap = mesh->roadmap ? throng_cache_number(w->cache, mesh->roadmap) : UINT64_MAX;
        throng_key_add(&key, &mesh->bare_number, sizeof mesh->bare_number);
        throng_key_add(&key, &roadmap, sizeof roadmap);
    }
    for (int32_t g = 0; g < w->routing.goal_count; g++) {
        const world_goal *goal = &w->routing.goals[g];
        if (goal->mesh < 0)
            continue;
        throng_key_add(&key, &goal->mesh, sizeof goal->mesh);
        throng_key_add(&key, &goal->number, sizeof goal->number);
    }
    return key;
}

static void destroy_navigation(void *navigation)
{
    free_arrays(navigation);
    free(navigation);
}

/* Puts it under the key; NULL when that failed. */
static throng_navigation *make_navigation(throng_world *w, const throng_key *key, throng_error *error)
{
    throng_navigation *made = malloc(sizeof *made);
    if (!made)
        throng_fail(error, "out of memory for routes");
    if (!made || !flatten(w, made, error)) {
        free(made);
        return NULL;
    }
    if (throng_cache_put(w->cache, key, made, THRONG_CACHE_WHILE_HELD, destroy_navigation))
        return made;
    destroy_navigation(made);
    throng_fail(error, "out of memory for routes");
    return NULL;
}

void throng_world_free_navigation(throng_world *w)
{
    if (w->routing.flattened)
        throng_cache_release(w->cache, w->routing.flattened);
    else
        free_arrays(&w->routing.navigation);
    w->routing.flattened = NULL;
    w->routing.navigation = (throng_navigation){0};
}

bool throng_world_take_navigation(throng_world *w, throng_error *error)
{
    throng_world_free_navigation(w);
    if (!all_cached(w))
        return flatten(w, &w->routing.navigation, error);
    throng_key key = navigation_key(w);
    const throng_navigation *y = throng_cache_take(w->cache, &key);
    y = y ? y : make_navigation(w, &key, error);
    throng_key_fini(&key);
    if (!y)
        return false;
    w->routing.flattened = y;
    w->routing.navigation = *y;
    return true;
}
