/* Goals: what agents can be sent to, and the entries of the table of goals: a target, a mesh and route options. Sending
 * is in world_send.c, the backend's table in world_goal_table.c, the routes in routing.c. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "world_parts.h"

/* --- targets ---------------------------------------------------------------------------- */

static bool same_regions(const world_target *t, const throng_region *regions, int32_t count)
{
    if (t->region_count != count)
        return false;
    for (int32_t r = 0; r < count; r++) {
        const throng_region *a = &t->regions[r], *b = &regions[r];
        if (a->count != b->count || memcmp(a->points, b->points, (size_t)a->count * sizeof *a->points) != 0)
            return false;
    }
    return true;
}

static bool same_place(const world_target *t, const world_target *like)
{
    return t->kind == like->kind && t->point.x == like->point.x && t->point.y == like->point.y &&
           same_regions(t, like->regions, like->region_count);
}

bool throng_world_same_target(const world_target *t, const world_target *like)
{
    return t->direct == like->direct && t->radius == like->radius && same_place(t, like);
}

static int32_t find_target(const throng_world *w, const world_target *like)
{
    for (int32_t i = 0; i < w->routing.target_count; i++)
        if (throng_world_same_target(&w->routing.targets[i], like))
            return i;
    return -1;
}

static int32_t find_place(const throng_world *w, const world_target *like)
{
    for (int32_t i = 0; i < w->routing.target_count; i++)
        if (same_place(&w->routing.targets[i], like))
            return w->routing.targets[i].place;
    return w->routing.target_count;
}

static void free_regions(throng_region *regions, int32_t count)
{
    for (int32_t r = 0; r < count; r++) {
        free(regions[r].name);
        free(regions[r].points);
    }
    free(regions);
}

static throng_region *copy_regions(const throng_region *regions, int32_t count)
{
    throng_region *copy = calloc((size_t)count + 1, sizeof *copy);
    for (int32_t r = 0; copy && r < count; r++) {
        copy[r].name = strdup(regions[r].name ? regions[r].name : "");
        copy[r].count = regions[r].count;
        copy[r].points = malloc((size_t)regions[r].count * sizeof *copy[r].points);
        if (!copy[r].name || !copy[r].points) {
            free_regions(copy, count);
            return NULL;
        }
        memcpy(copy[r].points, regions[r].points, (size_t)regions[r].count * sizeof *copy[r].points);
    }
    return copy;
}

static int32_t add_target(throng_world *w, const world_target *like, throng_error *error)
{
    int32_t found = find_target(w, like);
    if (found >= 0)
        return found;
    throng_region *regions = copy_regions(like->regions, like->region_count);
    if (!regions || !throng_array_reserve((void **)&w->routing.targets, &w->routing.target_room,
                                          (int64_t)w->routing.target_count + 1, sizeof *w->routing.targets)) {
        free_regions(regions, regions ? like->region_count : 0);
        throng_fail(error, "out of memory for a goal");
        return -1;
    }
    world_target *t = &w->routing.targets[w->routing.target_count];
    *t = *like;
    t->place = find_place(w, like);
    t->regions = regions;
    return w->routing.target_count++;
}

static bool check_radius(double radius, throng_error *error)
{
    if (!(radius > 0) || isinf(radius))
        return throng_fail(error, "a goal's radius must be more than 0 m, not %g", radius);
    return true;
}

int32_t throng_world_goal_point(throng_world *w, throng_point point, double radius, throng_error *error)
{
    if (!isfinite(point.x) || !isfinite(point.y)) {
        throng_fail(error, "a goal must be a finite point, not (%g, %g)", point.x, point.y);
        return -1;
    }
    world_target t = {.kind = THRONG_GOAL_POINT, .point = point, .radius = radius};
    return check_radius(radius, error) ? add_target(w, &t, error) : -1;
}

int32_t throng_world_goal_regions(throng_world *w, const throng_region *regions, int32_t count, throng_error *error)
{
    if (count < 1) {
        throng_fail(error, "a goal needs at least one region");
        return -1;
    }
    world_target t = {.kind = THRONG_GOAL_REGION, .regions = (throng_region *)regions, .region_count = count};
    return add_target(w, &t, error);
}

int32_t throng_world_goal_own(throng_world *w, double radius, throng_error *error)
{
    world_target t = {.kind = THRONG_GOAL_OWN, .radius = radius};
    return check_radius(radius, error) ? add_target(w, &t, error) : -1;
}

int32_t throng_world_goal_direct(throng_world *w, int32_t goal, throng_error *error)
{
    world_target t = w->routing.targets[goal];
    t.direct = true;
    return add_target(w, &t, error);
}

static const world_target *target_of(const throng_world *w, int32_t goal)
{
    return goal >= 0 && goal < w->routing.goal_count ? &w->routing.targets[w->routing.goals[goal].target] : NULL;
}

const char *throng_world_goal_name(const throng_world *w, int32_t goal)
{
    const world_target *t = target_of(w, goal);
    return t && t->kind == THRONG_GOAL_REGION && *t->regions[0].name ? t->regions[0].name : NULL;
}

bool throng_world_goal_place(const throng_world *w, int32_t goal, throng_point *point)
{
    const world_target *t = target_of(w, goal);
    if (!t || t->kind == THRONG_GOAL_OWN)
        return false;
    *point = t->kind == THRONG_GOAL_POINT ? t->point : t->regions[0].points[0];
    return true;
}

/* --- entries ---------------------------------------------------------------------------------- */

bool throng_world_same_options(const world_route_options *a, const world_route_options *b)
{
    return a->routing == b->routing && a->door_policy == b->door_policy && a->congestion == b->congestion;
}

world_goal throng_world_straight_to(int32_t target)
{
    return (world_goal){.target = target, .mesh = -1, .path_mesh = -1, .options = {.routing = THRONG_ROUTING_DIRECT}};
}

int32_t throng_world_goal_for(throng_world *w, world_goal goal, throng_error *error)
{
    for (int32_t g = 0; g < w->routing.goal_count; g++)
        if (w->routing.goals[g].target == goal.target && w->routing.goals[g].mesh == goal.mesh &&
            w->routing.goals[g].path_mesh == goal.path_mesh &&
            throng_world_same_options(&w->routing.goals[g].options, &goal.options))
            return g;
    if (!throng_array_reserve((void **)&w->routing.goals, &w->routing.goal_room, (int64_t)w->routing.goal_count + 1,
                              sizeof *w->routing.goals)) {
        throng_fail(error, "out of memory for a goal");
        return -1;
    }
    if (goal.mesh >= 0 && !throng_world_find_route(w, &goal, error))
        return -1;
    w->routing.goals[w->routing.goal_count] = goal;
    w->routing.changed = true;
    return w->routing.goal_count++;
}

int32_t throng_world_place(throng_world *w, int32_t goal, throng_error *error)
{
    return throng_world_goal_for(w, throng_world_straight_to(goal), error);
}

/* --- for machines ----------------------------------------------------------------------------- */

const world_route_profile throng_world_straight = {-1, {.routing = THRONG_ROUTING_DIRECT}};

int32_t throng_world_goal_entry(throng_world *w, int32_t target, world_route_profile profile, throng_error *error)
{
    if (w->routing.targets[target].direct || profile.mesh < 0 || w->routing.targets[target].kind == THRONG_GOAL_OWN)
        profile = throng_world_straight;
    return throng_world_goal_for(
        w, (world_goal){.target = target, .mesh = profile.mesh, .options = profile.options, .path_mesh = -1}, error);
}

int32_t throng_world_path_entry(throng_world *w, int32_t target, world_route_profile profile, throng_error *error)
{
    world_goal own = throng_world_straight_to(target);
    if (profile.mesh >= 0 && !throng_world_check_own_path(w, error))
        return -1;
    if (profile.mesh >= 0)
        own = (world_goal){.target = target,
                           .mesh = -1,
                           .path_mesh = profile.mesh,
                           .options = {.door_policy = profile.options.door_policy}};
    return throng_world_goal_for(w, own, error);
}

void throng_world_free_goals(throng_world *w)
{
    for (int32_t g = 0; g < w->routing.goal_count; g++)
        throng_world_free_route(w, &w->routing.goals[g]);
    for (int32_t t = 0; t < w->routing.target_count; t++)
        free_regions(w->routing.targets[t].regions, w->routing.targets[t].region_count);
    free(w->routing.goals);
    free(w->routing.targets);
}
