/* Doors that open and close while the world runs. */
#include <stdlib.h>

#include "navigation/path_net.h"
#include "world_parts.h"

bool throng_world_init_doors(throng_world *w, throng_error *error)
{
    if (!w->map || !w->map->door_count)
        return true;
    w->doors.shut = calloc((size_t)w->map->door_count, sizeof *w->doors.shut);
    return w->doors.shut || throng_fail(error, "out of memory for %d doors", w->map->door_count);
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
    w->doors.changed |= w->doors.shut[door] == open;
    w->doors.shut[door] = !open;
    return true;
}

bool throng_world_door_open(const throng_world *w, int32_t door) { return !w->doors.shut[door]; }

/* Brings the mesh up to date; true when something changed. */
static bool update_mesh(const throng_world *w, throng_navmesh *mesh)
{
    bool changed = false;
    for (int32_t d = 0; d < w->map->door_count; d++)
        changed |= throng_navmesh_set_door(mesh, d, !w->doors.shut[d]);
    return changed;
}

/* New routes to the goals on a mesh, but for those who wait. */
static bool update_goals(throng_world *w, int32_t mesh, throng_error *error)
{
    for (int32_t g = 0; g < w->routing.goal_count; g++) {
        world_goal *goal = &w->routing.goals[g];
        if (goal->mesh == mesh && goal->options.door_policy != THRONG_DOORS_WAIT &&
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
        throng_navmesh *mesh = w->routing.meshes[m].mesh;
        w->routing.meshes[m].stale |= update_mesh(w, mesh);
        if (!w->routing.meshes[m].stale)
            continue;
        if (!throng_path_net_update(mesh->net, mesh))
            return throng_fail(error, "out of memory for the paths through doors");
        if (w->paths.queue)
            throng_path_queue_replace(w->paths.queue, mesh, mesh);
        world_paths_doors_moved(&w->paths);
        if (!update_goals(w, m, error))
            return false;
        w->routing.changed = true;
        w->routing.meshes[m].stale = false;
    }
    w->doors.changed = !throng_world_build_walls(w, w->walls.reach, error);
    return !w->doors.changed;
}
