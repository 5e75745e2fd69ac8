/* Doors that open and close while the world runs. */
#include <stdlib.h>

#include "navigation/path_net.h"
#include "world_parts.h"

bool throng_world_init_doors(throng_world *w, throng_error *error)
{
    if (!w->map || !w->map->door_count)
        return true;
    w->doors.shut = calloc((size_t)w->map->door_count, sizeof *w->doors.shut);
    w->doors.held = calloc((size_t)w->map->door_count, sizeof *w->doors.held);
    w->doors.cost = calloc((size_t)w->map->door_count, sizeof *w->doors.cost);
    w->doors.way = calloc((size_t)w->map->door_count, sizeof *w->doors.way);
    if (!w->doors.shut || !w->doors.held || !w->doors.cost || !w->doors.way)
        return throng_fail(error, "out of memory for %d doors", w->map->door_count);
    for (int32_t d = 0; d < w->map->door_count; d++)
        w->doors.cost[d] = w->map->doors[d].cost;
    return true;
}

bool throng_world_set_door(throng_world *w, int32_t door, bool open, throng_error *error)
{
    if (!open && !throng_map_door_closes(w->map, door, "a door closes an opening", error))
        return false;
    w->doors.changed |= w->doors.shut[door] == open;
    w->doors.shut[door] = !open;
    return true;
}

bool throng_world_hold_door(throng_world *w, int32_t door, bool hold, throng_error *error)
{
    if (hold && !throng_map_door_closes(w->map, door, "people are held back at an opening", error))
        return false;
    w->doors.changed |= w->doors.held[door] != hold;
    w->doors.held[door] = hold;
    return true;
}

void throng_world_renew_paths(throng_world *w) { w->doors.changed = true; }

bool throng_world_door_open(const throng_world *w, int32_t door) { return !w->doors.shut[door]; }

double throng_world_door_cost(const throng_world *w, int32_t door) { return w->doors.cost[door]; }

int throng_world_door_way(const throng_world *w, int32_t door) { return w->doors.way[door]; }

static bool heeds_doors(int32_t routing)
{
    return routing != THRONG_ROUTING_ROADMAP && routing != THRONG_ROUTING_FIELD;
}

static bool fail_to_heed(const char *door, const char *what, int32_t routing, throng_error *error)
{
    return throng_fail(error, "door \"%s\": %s on the navmesh only: they do not go with routing = \"%s\"", door, what,
                       routing == THRONG_ROUTING_ROADMAP ? "roadmap" : "field");
}

#define COSTS "costs of doors count"
#define WAYS  "one-way doors are heeded"

bool throng_world_check_doors(const throng_world *w, int32_t routing, throng_error *error)
{
    for (int32_t d = 0; !heeds_doors(routing) && w->map && d < w->map->door_count; d++)
        if (w->doors.cost[d] > 0 || w->doors.way[d])
            return fail_to_heed(w->map->doors[d].name, w->doors.way[d] ? WAYS : COSTS, routing, error);
    return true;
}

/* Does everybody's routing heed what doors cost, and which way they lead? */
static bool check_routes(const throng_world *w, int32_t door, const char *what, throng_error *error)
{
    for (int32_t g = 0; g < w->routing.goal_count; g++)
        if (!heeds_doors(w->routing.goals[g].options.routing))
            return fail_to_heed(w->map->doors[door].name, what, w->routing.goals[g].options.routing, error);
    return true;
}

bool throng_world_set_door_way(throng_world *w, int32_t door, int way, throng_error *error)
{
    if (way && (!throng_map_door_closes(w->map, door, "a one-way door holds people back from wall to wall", error) ||
                !check_routes(w, door, WAYS, error)))
        return false;
    w->doors.changed |= w->doors.way[door] != way;
    w->doors.way[door] = way;
    return true;
}

bool throng_world_set_door_cost(throng_world *w, int32_t door, double cost, throng_error *error)
{
    const char *name = w->map->doors[door].name;
    if (!throng_door_check_cost(name, cost, error) ||
        (cost > 0 && !throng_map_door_closes(w->map, door, "a cost counts from wall to wall", error)))
        return false;
    if (cost > 0 && !check_routes(w, door, COSTS, error))
        return false;
    w->doors.changed |= w->doors.cost[door] != cost;
    w->doors.cost[door] = cost;
    return true;
}

/* New routes to the goals on a mesh, but for those who wait where doors have but moved. */
static bool update_goals(throng_world *w, int32_t mesh, throng_error *error)
{
    bool all = w->routing.meshes[mesh].stale & THRONG_MESH_PRICED;
    for (int32_t g = 0; g < w->routing.goal_count; g++) {
        world_goal *goal = &w->routing.goals[g];
        if (goal->mesh == mesh && (all || goal->options.door_policy != THRONG_DOORS_WAIT) &&
            !throng_world_renew_route(w, goal, error))
            return false;
    }
    return true;
}

bool throng_world_follow_doors(throng_world *w, throng_error *error)
{
    if (!w->doors.changed || w->phases.hooked) /* in the middle of a frame walls stay */
        return true;
    for (int32_t m = 0; m < w->routing.mesh_count; m++) {
        world_mesh *of = &w->routing.meshes[m];
        if (!of->covered && !throng_world_own_mesh(w, of, error))
            return false;
        throng_navmesh *mesh = of->covered ? of->covered : of->own;
        of->stale |= mesh ? throng_world_set_mesh_doors(w, mesh) : 0;
        if (!of->stale)
            continue;
        if (!throng_path_net_update(mesh->net, mesh))
            return throng_fail(error, "out of memory for the paths through doors");
        if (w->paths.queue)
            throng_path_queue_replace(w->paths.queue, mesh, mesh);
        world_paths_doors_moved(&w->paths);
        if (of->stale & THRONG_MESH_PRICED)
            world_paths_remeshed(&w->paths);
        if (!update_goals(w, m, error))
            return false;
        w->routing.changed = true;
        of->stale = 0;
    }
    w->doors.changed = !throng_world_build_walls(w, w->walls.reach, error);
    return !w->doors.changed;
}
