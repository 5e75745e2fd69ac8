#include "route_lengths.h"

#include <math.h>

#include "base/watchdog.h"
#include "map/geometry.h"
#include "map/map_sheets.h"
#include "world_parts.h"

static double straight_to(const world_target *t, throng_point from)
{
    double least = t->kind == THRONG_GOAL_POINT ? throng_distance(from, t->point) : INFINITY;
    if (t->region_count && throng_world_in_areas(t->regions, t->region_count, from))
        return 0;
    for (int32_t r = 0; r < t->region_count; r++) {
        const throng_region *region = &t->regions[r];
        for (int32_t i = 0; i < region->count; i++) {
            throng_point next = region->points[(i + 1) % region->count];
            least = fmin(least, throng_segment_distance(region->points[i], next, from));
        }
    }
    return least;
}

static bool of_lift(const throng_world *w, int32_t door)
{
    const throng_map_sheets *s = w->map->sheets;
    for (int32_t i = 0; s && i < s->stop_count; i++)
        if (s->stops[i].door == door)
            return true;
    return false;
}

static bool cross(throng_point a, throng_point b, throng_point c, throng_point d)
{
    return throng_turn(a, b, c) * throng_turn(a, b, d) < 0 && throng_turn(c, d, a) * throng_turn(c, d, b) < 0;
}

/* Does it lead through a door that is closed, as routes do where there is no other way? */
static bool is_shut(const throng_world *w, const throng_path *path)
{
    for (int32_t d = 0; d < w->map->door_count; d++) {
        const throng_door *door = &w->map->doors[d];
        if (throng_world_door_open(w, d) || of_lift(w, d))
            continue;
        for (int32_t i = 1; i < path->count; i++)
            if (cross(path->corners[i - 1], path->corners[i], door->a, door->b))
                return true;
    }
    return false;
}

static double along(const throng_world *w, const world_goal *goal, throng_point from)
{
    throng_path path = {0};
    bool found = throng_world_path_along(w, goal, from, &path, NULL) && !is_shut(w, &path);
    double length = found ? path.length : INFINITY;
    throng_path_fini(&path);
    return length;
}

bool throng_world_route_lengths(throng_world *w, const throng_handle *handles, int32_t count, int32_t target,
                                double *lengths, throng_error *error)
{
    const float *x, *y;
    world_route_profile profile;
    int32_t entry = -1;
    if (count == 0)
        return true;
    if (!throng_world_places(w, &x, &y, error))
        return false;
    if (w->map && w->map->point_count &&
        (!throng_world_find_profile(w, handles, count, &profile, error) ||
         (entry = throng_world_goal_entry(w, target, profile, error)) < 0))
        return false;
    const world_goal *goal = entry >= 0 ? &w->routing.goals[entry] : NULL;
    for (int32_t i = 0; i < count; i++) {
        if (throng_given_up())
            return throng_fail(error, "%s", throng_interrupted_text());
        throng_point from = {(double)x[handles[i].slot], (double)y[handles[i].slot]};
        lengths[i] = goal && goal->path_map ? along(w, goal, from) : straight_to(&w->routing.targets[target], from);
    }
    return true;
}

bool throng_world_targets_of(throng_world *w, const throng_handle *handles, int32_t count, int32_t *targets,
                             throng_error *error)
{
    const int32_t *goal = throng_agents_read(w->agents, THRONG_COLUMN_goal, error);
    for (int32_t i = 0; goal && i < count; i++)
        targets[i] = goal[handles[i].slot] < 0 ? -1 : w->routing.goals[goal[handles[i].slot]].target;
    return goal != NULL;
}
