/* The backend's table of goals. */
#include <stdlib.h>

#include "base/array.h"
#include "world_parts.h"

void throng_world_free_goal_table(throng_world *w)
{
    throng_goals *t = &w->routing.goal_table;
#define X(type, name, count) throng_array_abandon((void *)t->name);
    THRONG_GOALS_ARRAYS(X)
#undef X
    throng_world_free_fields(&t->fields);
    *t = (throng_goals){0};
}

static int32_t count_edges(const throng_world *w)
{
    int32_t edges = 0;
    for (int32_t g = 0; g < w->routing.goal_count; g++) {
        const world_target *t = &w->routing.targets[w->routing.goals[g].target];
        for (int32_t r = 0; r < t->region_count; r++)
            edges += t->regions[r].count;
    }
    return edges;
}

static int32_t flatten_region(const throng_goals *g, int32_t at, const throng_region *region)
{
    for (int32_t p = 0; p < region->count; p++, at++) {
        const throng_point *a = &region->points[p], *b = &region->points[(p + 1) % region->count];
        ((float *)g->ax)[at] = (float)a->x;
        ((float *)g->ay)[at] = (float)a->y;
        ((float *)g->bx)[at] = (float)b->x;
        ((float *)g->by)[at] = (float)b->y;
        ((int32_t *)g->last)[at] = p == region->count - 1;
    }
    return at;
}

static bool allocate_goals(throng_goals *t)
{
#define X(type, name, count) &&(t->name = calloc((size_t)(count) + 1, sizeof(type)))
    return true THRONG_GOALS_ARRAYS(X);
#undef X
}

static bool flatten_goals(throng_world *w, throng_error *error)
{
    throng_world_free_goal_table(w);
    throng_goals *g = &w->routing.goal_table;
    g->count = w->routing.goal_count;
    g->edge_count = count_edges(w);
    if (!allocate_goals(g))
        return throng_fail(error, "out of memory for %d goals", g->count);
    throng_goal *table = (throng_goal *)g->goal;
    for (int32_t i = 0, tree = 0, field = 0, edge = 0; i < g->count; i++) {
        const world_target *t = &w->routing.targets[w->routing.goals[i].target];
        int32_t first = edge;
        for (int32_t r = 0; r < t->region_count; r++)
            edge = flatten_region(g, edge, &t->regions[r]);
        table[i] = (throng_goal){
            .kind = t->kind,
            .x = (float)t->point.x,
            .y = (float)t->point.y,
            .radius = (float)t->radius,
            .place = t->place,
            .tree = w->routing.goals[i].mesh >= 0        ? tree++
                    : w->routing.goals[i].path_mesh >= 0 ? THRONG_BY_WAYPOINTS
                                                         : -1,
            .field = w->routing.goals[i].field ? field++ : -1,
            .first_edge = first,
            .edges = edge - first,
        };
    }
    return throng_world_flatten_fields(w, &g->fields, error);
}

static int32_t count_routes(const throng_world *w)
{
    int32_t routes = 0;
    for (int32_t g = 0; g < w->routing.goal_count; g++)
        routes += w->routing.goals[g].mesh >= 0;
    return routes;
}

/* Of each goal: do agents or machines have it? NULL on failure. */
static bool *find_used(throng_world *w, throng_error *error)
{
    const int32_t *goal = throng_agents_read(w->agents, THRONG_COLUMN_goal, error);
    bool *used = goal ? calloc((size_t)w->routing.goal_count + 1, sizeof *used) : NULL;
    if (goal && !used)
        throng_fail(error, "out of memory for %d goals", w->routing.goal_count);
    for (int32_t s = 0, slots = throng_agents_slots(w->agents); used && s < slots; s++)
        if (goal[s] >= 0)
            used[goal[s]] = true;
    for (int32_t k = 0; used && k < w->fsm.table.goals; k++)
        used[w->fsm.table.goal[k]] = true;
    return used;
}

/* Who is sent somewhere else in each step leaves routes behind that nobody walks. Once there are twice as many routes
 * as were walked the last time, those are given back: the goals of which nobody has are straight from then on. */
static bool give_back_routes(throng_world *w, throng_error *error)
{
    enum { SPARE = 32 };
    if (count_routes(w) <= 2 * w->routing.walked + SPARE)
        return true;
    bool *used = find_used(w, error);
    for (int32_t g = 0; used && g < w->routing.goal_count; g++) {
        world_goal *goal = &w->routing.goals[g];
        if (used[g] || goal->mesh < 0)
            continue;
        throng_world_free_route(w, goal);
        *goal = throng_world_straight_to(goal->target);
    }
    w->routing.walked = count_routes(w);
    free(used);
    return used != NULL;
}

bool throng_world_upload_goals(throng_world *w, throng_error *error)
{
    if (!w->routing.changed)
        return true;
    if (!give_back_routes(w, error) || !throng_world_take_navigation(w, error) || !flatten_goals(w, error) ||
        !w->stages.api->set_navigation(w->stages.backend, &w->routing.navigation, error) ||
        !w->stages.api->set_goals(w->stages.backend, &w->routing.goal_table, error))
        return false;
    w->routing.changed = false;
    return true;
}
