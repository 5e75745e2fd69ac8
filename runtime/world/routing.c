/* Routes: meshes, roadmaps and trees are built when agents are sent, and kept. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "navigation/cache_map.h"
#include "navigation/navmesh_lifts.h"
#include "navigation/path_net.h"
#include "world_parts.h"

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

/* A point goal as a polygon of one. */
typedef struct point_region {
    throng_point point;
    throng_region region;
} point_region;

/* The target's polygons, or its point. Where nobody can stand there, as where somebody slimmer does, the nearest place
 * on the mesh, when it is well within the radius. */
static const throng_region *regions_of(const world_target *t, const throng_navmesh *mesh, point_region *one,
                                       int32_t *count)
{
    float px = (float)t->point.x, py = (float)t->point.y, x, y;
    *count = t->kind == THRONG_GOAL_REGION ? t->region_count : 1;
    if (t->kind == THRONG_GOAL_REGION)
        return t->regions;
    one->point = t->point;
    one->region = (throng_region){.points = &one->point, .count = 1};
    if (throng_navmesh_nearest(mesh, px, py, 0.9f * (float)t->radius, &x, &y) >= 0 && (x != px || y != py))
        one->point = (throng_point){(double)x, (double)y};
    return &one->region;
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
    point_region point;
    int32_t count;
    const world_target *target = &w->routing.targets[w->routing.goals[goal].target];
    const throng_region *regions = regions_of(target, mesh, &point, &count);
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
    point_region point;
    throng_region *tiled = NULL;
    int32_t count;
    world_mesh *m = &w->routing.meshes[g->mesh];
    const throng_region *regions = regions_of(&w->routing.targets[g->target], m->mesh, &point, &count);
    if (g->options.congestion && !throng_world_init_congestion(m, error))
        return false;
    if (throng_world_tiles(w) && !throng_world_regions_in_tiles(w, regions, &count, &tiled, error))
        return false;
    bool found = find_route(w, m, g, tiled ? tiled : regions, count, error);
    free(tiled);
    if (found && !g->options.congestion)
        g->number = throng_cache_number(w->cache, g->road ? (void *)g->road : g->path_map);
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

void throng_world_free_meshes(throng_world *w)
{
    for (int32_t m = 0; m < w->routing.mesh_count; m++)
        free_mesh(w, &w->routing.meshes[m]);
    free(w->routing.meshes);
}
