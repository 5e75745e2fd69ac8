/* Routes: meshes, roadmaps and trees are built when agents are sent, kept, and handed to the backend in one flat
 * table before the next step. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "navigation/cache_map.h"
#include "navigation/navmesh_lifts.h"
#include "navigation/navmesh_lines.h"
#include "navigation/path_net.h"
#include "world_parts.h"

enum { TOO_MANY = 1 << 30 }; /* entries of any table of the routes */

/* --- meshes and trees ---------------------------------------------------------------------- */

/* Clearances are rounded up to whole centimetres, so that a crowd of many radii shares few meshes. */
double throng_world_clearance(double radius) { return ceil(radius * 100 - 1e-6) / 100; }

uint8_t throng_world_set_mesh_doors(const throng_world *w, throng_navmesh *mesh)
{
    uint8_t changed = 0;
    for (int32_t d = 0; w->map && d < w->map->door_count; d++) {
        changed |= throng_navmesh_set_door(mesh, d, !w->doors.shut[d]) ? THRONG_MESH_MOVED : 0;
        changed |= throng_navmesh_set_cost(mesh, d, w->doors.cost[d]) ? THRONG_MESH_PRICED : 0;
        changed |= throng_navmesh_set_way(mesh, w->map, d, w->doors.way[d]) ? THRONG_MESH_PRICED : 0;
    }
    const throng_map_sheets *s = w->map ? w->map->sheets : NULL;
    for (int32_t q = 0; s && q < s->seam_count; q++) {
        double belt = (double)w->sheets.table.belt[throng_map_half_at(s, q)];
        changed |= throng_navmesh_set_belt(mesh, s, q, belt) ? THRONG_MESH_PRICED : 0;
    }
    for (int32_t i = 0; w->lifts.count && i < s->stop_count; i++)
        changed |= throng_navmesh_use_stop(mesh, i, w->lifts.use[i]) ? THRONG_MESH_PRICED : 0;
    return changed;
}

/* Would throng_world_set_mesh_doors leave a mesh as it was built? */
static bool as_built(const throng_world *w)
{
    const throng_map_sheets *s = w->map ? w->map->sheets : NULL;
    bool same = true;
    for (int32_t d = 0; w->map && d < w->map->door_count; d++)
        same = same && !w->doors.shut[d] && w->doors.cost[d] == w->map->doors[d].cost && !w->doors.way[d];
    for (int32_t i = 0; s && i < s->count; i++)
        same = same && w->sheets.table.belt[i] == (float)s->list[i].belt;
    for (int32_t i = 0; w->lifts.count && i < s->stop_count; i++)
        same = same && w->lifts.use[i] == THRONG_STOP_BOTH;
    return same;
}

bool throng_world_own_mesh(throng_world *w, world_mesh *m, throng_error *error)
{
    if (m->own || as_built(w))
        return true;
    if (!(m->own = throng_navmesh_copy(m->bare)))
        return throng_fail(error, "out of memory for a navigation mesh");
    if (w->paths.queue)
        throng_path_queue_replace(w->paths.queue, m->bare, m->own);
    throng_cache_release(w->cache, m->bare);
    m->mesh = m->covered ? m->covered : m->own;
    m->bare = m->own;
    return true;
}

bool throng_world_turn_mesh_doors(const throng_world *w, throng_navmesh *mesh, throng_error *error)
{
    return !throng_world_set_mesh_doors(w, mesh) || throng_path_net_update(mesh->net, mesh) ||
           throng_fail(error, "out of memory for the paths through doors");
}

static void free_mesh(throng_world *w, world_mesh *m)
{
    if (!m->own)
        throng_cache_release(w->cache, m->bare);
    throng_cache_release(w->cache, m->roadmap);
    throng_navmesh_destroy(m->own);
    throng_navmesh_destroy(m->covered);
    free(m->congestion);
    free(m->delay);
}

int32_t throng_world_mesh_for(throng_world *w, double radius, throng_error *error)
{
    double clearance = throng_world_clearance(radius);
    for (int32_t m = 0; m < w->routing.mesh_count; m++)
        if (w->routing.meshes[m].mesh->radius == clearance)
            return m;
    if (!throng_array_reserve((void **)&w->routing.meshes, &w->routing.mesh_room, (int64_t)w->routing.mesh_count + 1,
                              sizeof *w->routing.meshes)) {
        throng_fail(error, "out of memory for a navigation mesh");
        return -1;
    }
    world_mesh m = {.first_face = 0};
    if (!(m.bare = throng_cache_take_mesh(w->cache, w->floor, clearance, &m.bare_number, error)))
        return -1;
    m.mesh = m.bare;
    m.number = m.bare_number;
    if (!throng_world_own_mesh(w, &m, error) || (m.own && !throng_world_turn_mesh_doors(w, m.own, error))) {
        free_mesh(w, &m);
        return -1;
    }
    if (w->routing.mesh_count) {
        const world_mesh *last = &w->routing.meshes[w->routing.mesh_count - 1];
        m.first_face = last->first_face + last->mesh->face_count;
        m.first_edge = last->first_edge + last->mesh->edge_count;
    }
    w->routing.meshes[w->routing.mesh_count] = m;
    return w->routing.mesh_count++;
}

const throng_navmesh *throng_world_mesh(throng_world *w, double radius, throng_error *error)
{
    int32_t mesh = throng_world_mesh_for(w, radius, error);
    return mesh < 0 ? NULL : w->routing.meshes[mesh].mesh;
}

/* The target's polygons, or its point as a polygon of one. */
static const throng_region *regions_of(const world_target *t, throng_region *point, int32_t *count)
{
    *point = (throng_region){.points = (throng_point *)&t->point, .count = 1};
    *count = t->kind == THRONG_GOAL_REGION ? t->region_count : 1;
    return t->kind == THRONG_GOAL_REGION ? t->regions : point;
}

static bool find_tree(throng_world *w, world_mesh *m, world_goal *g, const throng_region *regions, int32_t count,
                      throng_error *error)
{
    bool heed_doors = g->options.door_policy == THRONG_DOORS_REROUTE;
    throng_path_map_rules rules = {heed_doors, m->delay};
    g->path_map = g->options.congestion ? throng_path_map_build(m->mesh, regions, count, &rules, error)
                                        : throng_world_take_tree(w, m, regions, count, heed_doors, error);
    return g->path_map != NULL;
}

/* A tree of one with congestion, which congestion changes, is its own. */
static void free_tree(throng_world *w, world_goal *g)
{
    if (g->options.congestion)
        throng_path_map_destroy(g->path_map);
    else
        throng_cache_release(w->cache, g->path_map);
    g->path_map = NULL;
}

/* Some, or all, come to the goal through bodies only: roadmaps and fields lead round them. */
static bool leads_through(const throng_navmesh *mesh, const throng_path_map *tree)
{
    bool open = false;
    for (int32_t f = 0; f < mesh->face_count && !open; f++)
        open = tree->holds[f] && !mesh->covered[f];
    return mesh->parted || !open;
}

static bool find_route(throng_world *w, world_mesh *m, world_goal *g, const throng_region *regions, int32_t count,
                       throng_error *error)
{
    bool heed_doors = g->options.door_policy == THRONG_DOORS_REROUTE,
         by_road = g->options.routing == THRONG_ROUTING_ROADMAP;
    if ((!by_road || m->mesh->covered) && !find_tree(w, m, g, regions, count, error))
        return false;
    if (g->options.routing == THRONG_ROUTING_NAVMESH || (m->mesh->covered && leads_through(m->mesh, g->path_map)))
        return true;
    if (!by_road) {
        if ((g->field = throng_world_take_field(w, m, regions, count, heed_doors, error)))
            return true;
        throng_world_free_route(w, g);
        return false;
    }
    free_tree(w, g);
    if (!m->roadmap && !(m->roadmap = throng_world_take_roadmap(w, m, error)))
        return false;
    return (g->road = throng_world_take_road_tree(w, m, regions, count, heed_doors, error)) != NULL;
}

throng_field *throng_world_field(const throng_world *w, int32_t goal, const throng_navmesh *mesh, throng_error *error)
{
    throng_region point;
    int32_t count;
    const world_target *target = &w->routing.targets[w->routing.goals[goal].target];
    const throng_region *regions = regions_of(target, &point, &count);
    if (target->kind != THRONG_GOAL_OWN)
        return throng_field_build(mesh, regions, count, true, &w->stages, error);
    throng_fail(error, "agents with goals of their own have no potential");
    return NULL;
}

bool throng_world_init_congestion(world_mesh *m, throng_error *error)
{
    size_t edges = (size_t)m->mesh->edge_count + 1;
    if (m->congestion)
        return true;
    m->delay = calloc(edges, sizeof *m->delay);
    m->congestion = m->delay ? calloc(edges, sizeof *m->congestion) : NULL;
    if (m->congestion)
        return true;
    free(m->delay);
    m->delay = NULL;
    return throng_fail(error, "out of memory for the congestion before %d portals", m->mesh->edge_count);
}

bool throng_world_find_route(throng_world *w, world_goal *g, throng_error *error)
{
    throng_region point, *tiled = NULL;
    int32_t count;
    const throng_region *regions = regions_of(&w->routing.targets[g->target], &point, &count);
    world_mesh *m = &w->routing.meshes[g->mesh];
    if (g->options.congestion && !throng_world_init_congestion(m, error))
        return false;
    if (throng_world_tiles(w) && !throng_world_regions_in_tiles(w, regions, &count, &tiled, error))
        return false;
    bool found = find_route(w, m, g, tiled ? tiled : regions, count, error);
    free(tiled);
    return found;
}

bool throng_world_renew_route(throng_world *w, world_goal *g, throng_error *error)
{
    world_goal fresh = *g;
    fresh.path_map = NULL;
    fresh.field = NULL;
    fresh.road = NULL;
    if (!throng_world_find_route(w, &fresh, error))
        return false;
    throng_world_free_route(w, g);
    *g = fresh;
    w->routing.changed = true;
    return true;
}

void throng_world_free_route(throng_world *w, world_goal *g)
{
    free_tree(w, g);
    throng_cache_release(w->cache, g->field);
    throng_cache_release(w->cache, g->road);
}

const int32_t *throng_world_goal_sides(const world_goal *g)
{
    return g->path_map ? g->path_map->side_start : g->road->sides.start;
}

/* --- the backend's table ------------------------------------------------------------------------------ */

static void free_navigation(throng_world *w)
{
    throng_navigation *t = &w->routing.navigation;
#define X(type, name, count) throng_array_abandon((void *)t->name);
    THRONG_NAVIGATION_ARRAYS(X)
#undef X
    *t = (throng_navigation){0};
}

void throng_world_free_navigation(throng_world *w)
{
    free_navigation(w);
    for (int32_t m = 0; m < w->routing.mesh_count; m++)
        free_mesh(w, &w->routing.meshes[m]);
    free(w->routing.meshes);
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

bool throng_world_flatten_navigation(throng_world *w, throng_error *error)
{
    free_navigation(w);
    throng_navigation *y = &w->routing.navigation;
    places at = {0};
    size_meshes(w, y);
    size_trees(w, y);
    if (!countable(y))
        return throng_fail(
            error, "%d goals on this map are more than their routes fit in; send agents to fewer different goals",
            y->trees);
    if (!allocate_navigation(y))
        return throng_fail(error, "out of memory for the routes to %d goals", y->trees);
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
