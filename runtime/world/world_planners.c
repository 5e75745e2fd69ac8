/* The world's table of planners: equal ones are one entry, and an entry that nobody has is used again. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "world_parts.h"

/* Marks the entries that living agents have. */
static bool mark_used(throng_world *w, bool *used, throng_error *error)
{
    const int32_t *planner = throng_agents_read(w->agents, THRONG_COLUMN_planner, error);
    const int32_t *state = throng_agents_read(w->agents, THRONG_COLUMN_state, error);
    if (!planner || !state)
        return false;
    for (int32_t s = 0; s < throng_agents_slots(w->agents); s++)
        if (state[s])
            used[planner[s]] = true;
    return true;
}

/* An entry that nobody has, or a new one at the end; -1 on failure. */
static int32_t vacant_entry(throng_world *w, throng_error *error)
{
    bool *used = calloc((size_t)w->planner_count + 1, sizeof *used);
    throng_planner *grown = realloc(w->planners, ((size_t)w->planner_count + 1) * sizeof *grown);
    if (grown) {
        w->planners = grown;
        w->planners_changed = true; /* it may have moved */
    }
    int32_t entry = -1;
    if (!used || !grown)
        throng_fail(error, "out of memory for %d planners", w->planner_count + 1);
    else if (mark_used(w, used, error))
        for (entry = 0; used[entry];)
            entry++;
    free(used);
    if (entry == w->planner_count)
        w->planner_count++;
    return entry;
}

/* A local map is a small part of the world. */
static bool check_map(const throng_world *w, const throng_planner *p, throng_error *error)
{
    if (p->kind != THRONG_PLANNER_bvp || !w->map || w->map->open)
        return true;
    double side = p->value[THRONG_bvp_size] * p->value[THRONG_bvp_cell];
    double width = w->map->bounds.x1 - w->map->bounds.x0, height = w->map->bounds.y1 - w->map->bounds.y0;
    return side <= fmax(width, height) ||
           throng_fail(error,
                       "throng.bvp: a local map of %g cells of %g m is larger than the world, which is %g x %g m: give "
                       "it fewer or smaller cells",
                       p->value[THRONG_bvp_size], p->value[THRONG_bvp_cell], width, height);
}

int32_t throng_world_planner(throng_world *w, const throng_planner *planner, throng_error *error)
{
    if (planner->kind < 0 || planner->kind >= THRONG_PLANNER_COUNT) {
        throng_fail(error, "there is no planner %d", planner->kind);
        return -1;
    }
    if (!check_map(w, planner, error))
        return -1;
    for (int32_t i = 0; i < w->planner_count; i++)
        if (memcmp(&w->planners[i], planner, sizeof *planner) == 0)
            return i;
    int32_t entry = vacant_entry(w, error);
    if (entry < 0)
        return -1;
    w->planners[entry] = *planner;
    return entry;
}

int32_t throng_world_planner_kind(const throng_world *w, int32_t entry) { return w->planners[entry].kind; }

bool throng_world_upload_planners(throng_world *w, throng_error *error)
{
    if (!w->planners_changed)
        return true;
    if (!w->stages.api->set_planners(w->stages.backend, w->planners, w->planner_count, error))
        return false;
    w->planners_changed = false;
    return true;
}
