/* The world's table of planners: equal ones are one entry, and an entry that nobody has is used again. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "world_parts.h"

/* Marks the entries that living agents have; those of a world without planners, whom a reload has just moved there,
 * name one that is not there yet. */
static bool mark_used(throng_world *w, bool *used, throng_error *error)
{
    const int32_t *planner = throng_agents_read(w->agents, THRONG_COLUMN_planner, error);
    const int32_t *state = throng_agents_read(w->agents, THRONG_COLUMN_state, error);
    if (!planner || !state)
        return false;
    for (int32_t s = 0; s < throng_agents_slots(w->agents); s++)
        if (state[s] && planner[s] < w->planners.count)
            used[planner[s]] = true;
    return true;
}

/* An entry that nobody has, or a new one at the end; -1 on failure. */
static int32_t vacant_entry(throng_world *w, throng_error *error)
{
    bool *used = calloc((size_t)w->planners.count + 1, sizeof *used);
    w->planners.changed = true; /* it may move, and an entry will be another */
    bool room = throng_array_reserve((void **)&w->planners.list, &w->planners.room, (int64_t)w->planners.count + 1,
                                     sizeof *w->planners.list);
    int32_t entry = -1;
    if (!used || !room)
        throng_fail(error, "out of memory for %d planners", w->planners.count + 1);
    else if (mark_used(w, used, error))
        for (entry = 0; used[entry];)
            entry++;
    free(used);
    if (entry == w->planners.count)
        w->planners.count++;
    return entry;
}

/* --- local maps ------------------------------------------------------------------------------------ */

/* As kernels/sense/walls.h has it. */
static float local_cell(const throng_planner *p, float radius)
{
    float given = p->value[THRONG_bvp_cell];
    return given > 0 ? given : THRONG_BVP_CELL * radius;
}

/* A local map is a small part of the world. */
static bool check_sides(const throng_world *w, const throng_planner *p, float cell, throng_error *error)
{
    double across = (double)(p->value[THRONG_bvp_width] * cell), along = (double)(p->value[THRONG_bvp_height] * cell);
    if (!w->map || w->map->open)
        return true;
    double width = w->map->bounds.x1 - w->map->bounds.x0, height = w->map->bounds.y1 - w->map->bounds.y0;
    return fmax(across, along) <= fmax(width, height) ||
           throng_fail(error,
                       "throng.bvp: a local map of %g x %g cells of %g m is larger than the world, which is %g x %g m: "
                       "give it fewer or smaller cells",
                       p->value[THRONG_bvp_width], p->value[THRONG_bvp_height], cell, width, height);
}

/* It shows more than the global one (Fischer and others, 2009, section 4.2). */
static bool check_cell(const throng_world *w, float cell, float radius, throng_error *error)
{
    double field = THRONG_FIELD_CELL * throng_world_clearance(radius);
    return !w->map || cell < field ||
           throng_fail(error,
                       "throng.bvp: the cells of a local map must be smaller than those of the global map that "
                       "routing = \"field\" leads by, which are %g m (0.7 of the agent's radius), not %g m: give it a "
                       "smaller 'cell', or leave it out for 0.6 of the radius",
                       field, cell);
}

bool throng_world_local_map_fits(const throng_world *w, const throng_planner *p, float radius, int32_t routing,
                                 throng_error *error)
{
    if (p->kind != THRONG_PLANNER_bvp)
        return true;
    float cell = local_cell(p, radius);
    return check_sides(w, p, cell, error) && (routing != THRONG_ROUTING_FIELD || check_cell(w, cell, radius, error));
}

/* Cells along the longer side; what programs give is not known before the frame. */
static float longer_side(const throng_world *w, const throng_planner *p)
{
    bool computed = throng_world_bound(w, THRONG_COLUMN_COUNT + THRONG_bvp_width) ||
                    throng_world_bound(w, THRONG_COLUMN_COUNT + THRONG_bvp_height);
    return computed ? THRONG_LOCAL_CELLS_MAX : fmaxf(p->value[THRONG_bvp_width], p->value[THRONG_bvp_height]);
}

/* What a local map must fit: sizes, and routes, or NULL where all have the first. */
static bool read_fitting(throng_agents *a, world_sizes *sizes, const int32_t **routing, throng_error *error)
{
    bool own_routing = throng_agents_uses(a, THRONG_COLUMN_routing);
    *routing = own_routing ? throng_agents_read(a, THRONG_COLUMN_routing, error) : NULL;
    return throng_world_read_sizes(a, sizes, error) && (*routing || !own_routing);
}

bool throng_world_planner_fits(throng_world *w, const throng_planner *planner, const throng_handle *handles,
                               int32_t count, throng_error *error)
{
    world_sizes sizes;
    const int32_t *routing;
    if (planner->kind != THRONG_PLANNER_bvp)
        return true;
    bool fits = read_fitting(w->agents, &sizes, &routing, error);
    for (int32_t i = 0; fits && i < count; i++) {
        int32_t s = handles[i].slot;
        fits = throng_world_local_map_fits(w, planner, throng_world_reach(&sizes, s), routing ? routing[s] : 0, error);
    }
    return fits;
}

bool throng_world_check_local_maps(throng_world *w, throng_error *error)
{
    throng_agents *a = w->agents;
    world_sizes sizes;
    const int32_t *routing;
    const int32_t *planner = throng_agents_read(a, THRONG_COLUMN_planner, error);
    const int32_t *state = throng_agents_read(a, THRONG_COLUMN_state, error);
    if (!read_fitting(a, &sizes, &routing, error) || !planner || !state)
        return false;
    for (int32_t s = 0, slots = throng_agents_slots(a); s < slots; s++) {
        const throng_planner *p = &w->planners.list[planner[s]];
        if (!state[s] || p->kind != THRONG_PLANNER_bvp)
            continue;
        float radius = throng_world_reach(&sizes, s);
        if (!throng_world_local_map_fits(w, p, radius, routing ? routing[s] : 0, error)) {
            const int32_t *kind = throng_agents_read(a, THRONG_COLUMN_group, NULL);
            return kind && throng_fail_in(error, "group '%s'", throng_world_group_name(w, kind[s]));
        }
        float reach = THRONG_BVP_CORNER(longer_side(w, p), local_cell(p, radius)) + radius;
        w->frame.wall_reach = fmaxf(w->frame.wall_reach, reach);
    }
    return true;
}

/* --- the table ------------------------------------------------------------------------------------- */

int32_t throng_world_planner(throng_world *w, const throng_planner *planner, throng_error *error)
{
    if (planner->kind < 0 || planner->kind >= THRONG_PLANNER_COUNT) {
        throng_fail(error, "there is no planner %d", planner->kind);
        return -1;
    }
    if (planner->kind == THRONG_PLANNER_bvp && !check_sides(w, planner, planner->value[THRONG_bvp_cell], error))
        return -1;
    for (int32_t i = 0; i < w->planners.count; i++)
        if (memcmp(&w->planners.list[i], planner, sizeof *planner) == 0)
            return i;
    int32_t entry = vacant_entry(w, error);
    if (entry < 0)
        return -1;
    w->planners.list[entry] = *planner;
    return entry;
}

int32_t throng_world_planner_kind(const throng_world *w, int32_t entry) { return w->planners.list[entry].kind; }

bool throng_world_upload_planners(throng_world *w, throng_error *error)
{
    if (!w->planners.changed)
        return true;
    if (!w->stages.api->set_planners(w->stages.backend, w->planners.list, w->planners.count, error))
        return false;
    w->planners.changed = false;
    return true;
}
