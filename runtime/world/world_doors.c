/* Doors that open and close while the world runs. */
#include <stdlib.h>

#include "navigation/path_net.h"
#include "world_parts.h"

bool throng_world_init_doors(throng_world *w, throng_error *error)
{
    if (!w->map || !w->map->door_count)
        return true;
    w->door_shut = calloc((size_t)w->map->door_count, sizeof *w->door_shut);
    return w->door_shut || throng_fail(error, "out of memory for %d doors", w->map->door_count);
}

/* m: a disc of this radius that is free round a door's end lets people through. */
static const double GAP = 0.2;

static bool check_end(const throng_world *w, const throng_door *door, throng_point end, throng_error *error)
{
    return !throng_map_fits(w->map, end, GAP) ||
           throng_fail(error,
                       "door \"%s\" ends in the open at (%g, %g), where people could walk round it; a door closes an "
                       "opening: move its end to the wall",
                       door->name, end.x, end.y);
}

bool throng_world_set_door(throng_world *w, int32_t door, bool open, throng_error *error)
{
    const throng_door *d = &w->map->doors[door];
    if (!open && (!check_end(w, d, d->a, error) || !check_end(w, d, d->b, error)))
        return false;
    w->doors_changed |= w->door_shut[door] == open;
    w->door_shut[door] = !open;
    return true;
}

bool throng_world_door_open(const throng_world *w, int32_t door) { return !w->door_shut[door]; }

/* Brings the mesh up to date; true when something changed. */
static bool update_mesh(const throng_world *w, throng_navmesh *mesh)
{
    bool changed = false;
    for (int32_t d = 0; d < w->map->door_count; d++)
        changed |= throng_navmesh_set_door(mesh, d, !w->door_shut[d]);
    return changed;
}

/* New routes to the goals on a mesh, but for those who wait. */
static bool update_goals(throng_world *w, int32_t mesh, throng_error *error)
{
    for (int32_t g = 0; g < w->goal_count; g++) {
        world_goal *goal = &w->goals[g];
        if (goal->mesh == mesh && goal->options.door_policy != THRONG_DOORS_WAIT &&
            !throng_world_renew_route(w, goal, error))
            return false;
    }
    return true;
}

bool throng_world_follow_doors(throng_world *w, throng_error *error)
{
    if (!w->doors_changed || w->phases.hooked) /* in the middle of a frame walls stay */
        return true;
    for (int32_t m = 0; m < w->mesh_count; m++) {
        throng_navmesh *mesh = w->meshes[m].mesh;
        w->meshes[m].stale |= update_mesh(w, mesh);
        if (!w->meshes[m].stale)
            continue;
        if (!throng_path_net_update(mesh->net, mesh))
            return throng_fail(error, "out of memory for the paths through doors");
        if (w->paths)
            throng_path_queue_replace(w->paths, mesh, mesh);
        w->own.stale = true;
        if (!update_goals(w, m, error))
            return false;
        w->goals_changed = true;
        w->meshes[m].stale = false;
    }
    w->doors_changed = !throng_world_build_walls(w, w->walls_reach, error);
    return !w->doors_changed;
}
