/* The remaining path of one agent, for scripts and the viewer; the stages follow paths without ever storing a whole
 * one. */
#include <stdlib.h>

#include "map/geometry.h"
#include "navigation/path_floors.h"
#include "route_lengths.h"
#include "world_parts.h"

/* NULL when the transfer failed. */
static const void *column(throng_world *w, int which, throng_error *error)
{
    return throng_agents_read(w->agents, which, error);
}

static bool straight(const throng_world *w, throng_point from, throng_point to, throng_path *path, throng_error *error)
{
    throng_point *corners = malloc(2 * sizeof *corners);
    if (!corners)
        return throng_fail(error, "out of memory for a path");
    corners[0] = throng_map_position_at(w->map, from);
    corners[1] = throng_map_position_at(w->map, to);
    path->corners = corners;
    path->count = 2;
    path->length = throng_distance(corners[0], corners[1]);
    return true;
}

bool throng_world_path_along(const throng_world *w, const world_goal *goal, throng_point from, throng_path *path,
                             throng_error *error)
{
    const throng_navmesh *mesh = w->routing.meshes[goal->mesh].mesh;
    float x = (float)from.x, y = (float)from.y;
    int32_t face = throng_navmesh_nearest(mesh, x, y, (float)mesh->radius, &x, &y);
    throng_point at = face >= 0 ? throng_navmesh_position(mesh, face, (throng_point){x, y}) : from;
    return (face >= 0 && throng_path_map_path(goal->path_map, face, (float)at.x, (float)at.y, path)) ||
           throng_fail(error, "no path leads from (%.2f, %.2f)", from.x, from.y);
}

/* The corners of its own path that it has not passed yet. */
static bool along_corners(throng_world *w, int32_t corner, throng_point from, throng_path *path, throng_error *error)
{
    int32_t last = corner, count = 1;
    while (w->paths.own.turn[last] != 0)
        last++;
    throng_point *corners = malloc((size_t)(last - corner + 2) * sizeof *corners);
    if (!corners)
        return throng_fail(error, "out of memory for a path");
    corners[0] = throng_map_position_at(w->map, from);
    path->length = 0;
    for (int32_t c = corner; c <= last; c++, count++) {
        corners[count] = (throng_point){(double)w->paths.own.x[c], (double)w->paths.own.y[c]};
        path->length += throng_distance(corners[count - 1], corners[count]);
    }
    path->corners = corners;
    path->count = count;
    return true;
}

static bool to_own_goal(throng_world *w, const world_goal *goal, int32_t slot, throng_point from, throng_path *path,
                        throng_error *error)
{
    const float *x = column(w, THRONG_COLUMN_goal_x, error), *y = column(w, THRONG_COLUMN_goal_y, error);
    const int32_t *waypoint = column(w, THRONG_COLUMN_waypoint, error);
    if (!x || !y || !waypoint)
        return false;
    if (waypoint[slot] >= 0 && waypoint[slot] < w->paths.own.count)
        return along_corners(w, waypoint[slot], from, path, error);
    if (goal->path_mesh >= 0)
        return throng_fail(error, "the agent waits for its path");
    return straight(w, from, (throng_point){(double)x[slot], (double)y[slot]}, path, error);
}

/* The path by positions. */
static bool find(throng_world *w, int32_t slot, throng_path *path, throng_error *error)
{
    const float *x, *y;
    const int32_t *goals = column(w, THRONG_COLUMN_goal, error);
    if (!goals || !throng_world_places(w, &x, &y, error))
        return false;
    *path = (throng_path){0};
    if (goals[slot] < 0 || goals[slot] >= w->routing.goal_count)
        return throng_fail(error, "the agent has no goal");
    const world_goal *goal = &w->routing.goals[goals[slot]];
    const world_target *target = &w->routing.targets[goal->target];
    throng_point from = {(double)x[slot], (double)y[slot]};
    if (target->kind == THRONG_GOAL_OWN)
        return to_own_goal(w, goal, slot, from, path, error);
    if (goal->road)
        return throng_fail(error, "the agent walks by the roadmap");
    if (goal->path_map)
        return throng_world_path_along(w, goal, from, path, error);
    if (target->kind == THRONG_GOAL_POINT)
        return straight(w, from, target->point, path, error);
    return throng_fail(error, "the agent walks straight to a region");
}

bool throng_world_remaining_path(throng_world *w, int32_t slot, throng_path *path, throng_error *error)
{
    throng_path found;
    const int32_t *floor = w->sheets.table.count ? column(w, THRONG_COLUMN_floor, error) : NULL;
    if ((w->sheets.table.count && !floor) || !find(w, slot, &found, error))
        return false;
    bool fine = throng_path_on_floors(w->map, floor ? floor[slot] : 0, -1, &found, path);
    throng_path_fini(&found);
    return fine || throng_fail(error, "out of memory for a path");
}
