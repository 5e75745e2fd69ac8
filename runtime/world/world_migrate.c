#include "world_migrate.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "map/map_sheets.h"
#include "world_migrate_parts.h"

/* ---- columns */

/* A column of the fresh world, from that of the same name in the old, whose number may be another. */
static bool migrate_column(const migrating *c, int column, int was, throng_error *error)
{
    bool compared = throng_migrate_column_is(column, THRONG_KEPT_UNCHANGED);
    if (!throng_agents_uses(c->old->agents, was) && !throng_agents_uses(c->fresh->agents, column))
        return true;
    const uint32_t *from = throng_agents_read(c->old->agents, was, error);
    uint32_t *to = throng_agents_write(c->fresh->agents, column, error);
    if (!from || !to)
        return false;
    for (int32_t i = 0; i < c->count; i++) {
        const pair *p = &c->pairs[i];
        if (!compared || p->later || to[p->to] == throng_baseline_value(c->before, was, p->from))
            to[p->to] = from[p->from];
    }
    return true;
}

static bool migrate_columns(const migrating *c, throng_error *error)
{
    for (int column = 0; column < throng_agents_columns(c->fresh->agents); column++) {
        int was = throng_agents_column_named(c->old->agents, throng_agents_column(c->fresh->agents, column)->name);
        if (was >= 0 && !throng_migrate_column_is(column, THRONG_MIGRATED) && !migrate_column(c, column, was, error))
            return false;
    }
    return true;
}

static bool same_planner(const throng_planner *a, const throng_planner *b) { return memcmp(a, b, sizeof *a) == 0; }

static bool migrate_planners(const migrating *c, throng_error *error)
{
    const int32_t *from = throng_agents_read(c->old->agents, THRONG_COLUMN_planner, error);
    if (!from)
        return false;
    for (int32_t i = 0; i < c->count; i++) {
        const pair *p = &c->pairs[i];
        int32_t *to = throng_agents_write(c->fresh->agents, THRONG_COLUMN_planner, error);
        if (!to)
            return false;
        const throng_planner *now = &c->old->planners.list[from[p->from]], *said = NULL;
        if (to[p->to] < c->fresh->planners.count) /* the file may spawn nobody */
            said = &c->fresh->planners.list[to[p->to]];
        int32_t first = p->later ? 0 : (int32_t)throng_baseline_value(c->before, THRONG_COLUMN_planner, p->from);
        if (said && (same_planner(now, said) || (!p->later && !same_planner(&c->before->planners[first], said))))
            continue;
        int32_t entry = throng_world_planner(c->fresh, now, error);
        if (entry < 0)
            return false;
        to[p->to] = entry;
    }
    return true;
}

/* ---- the world */

static bool same_doors(const throng_map *a, const throng_map *b)
{
    for (int32_t d = 0; d < a->door_count; d++)
        if (a->doors[d].max_radius != b->doors[d].max_radius)
            return false;
    return true;
}

static bool same_point(throng_point a, throng_point b) { return a.x == b.x && a.y == b.y; }

static bool same_sheet(const throng_map_sheet *a, const throng_map_sheet *b)
{
    return strcmp(a->name, b->name) == 0 && a->part == b->part && same_point(a->offset, b->offset) && a->z == b->z &&
           same_point(a->slope, b->slope) && same_point(a->up, b->up) && a->climb == b->climb &&
           a->descend == b->descend && a->belt == b->belt && a->walkers == b->walkers && a->cost == b->cost;
}

static bool same_seam(const throng_seam *a, const throng_seam *b)
{
    return a->left == b->left && a->right == b->right && same_point(a->a, b->a) && same_point(a->b, b->b);
}

/* Are floors of the same numbers the same, joined in the same way? */
static bool same_floors(const throng_map_sheets *a, const throng_map_sheets *b)
{
    if (!a || !b)
        return !a && !b;
    bool same = a->count == b->count && a->seam_count == b->seam_count;
    for (int32_t i = 0; same && i < a->count; i++)
        same = same_sheet(&a->list[i], &b->list[i]);
    for (int32_t q = 0; same && q < a->seam_count; q++)
        same = same_seam(&a->seams[q], &b->seams[q]);
    same = same && a->lift_count == b->lift_count && a->stop_count == b->stop_count;
    for (int32_t i = 0; same && i < a->lift_count; i++)
        same = a->lifts[i].first == b->lifts[i].first && a->lifts[i].count == b->lifts[i].count;
    return same;
}

static bool same_map(const throng_map *a, const throng_map *b)
{
    if (!a || !b)
        return !a && !b;
    return a->open == b->open && a->point_count == b->point_count && a->ring_count == b->ring_count &&
           a->door_count == b->door_count && a->pillars == b->pillars && same_doors(a, b) &&
           same_floors(a->sheets, b->sheets) &&
           (a->point_count == 0 || memcmp(a->points, b->points, (size_t)a->point_count * sizeof *a->points) == 0);
}

static const char *what_differs(const throng_world *a, const throng_world *b)
{
    bool same_size = a->frame.wrap_x == b->frame.wrap_x && a->frame.wrap_y == b->frame.wrap_y;
    return !same_map(a->map, b->map) ? "the map"
           : !same_size              ? "wrap"
           : a->dt != b->dt          ? "dt"
           : a->seed != b->seed      ? "the seed"
                                     : NULL;
}

static bool migrate_doors(const migrating *c, throng_error *error)
{
    for (int32_t d = 0; c->old->doors.shut && d < c->old->map->door_count; d++) {
        if (c->fresh->doors.shut[d] == c->before->door_shut[d] &&
            !throng_world_set_door(c->fresh, d, !c->old->doors.shut[d], error))
            return false;
        if (c->fresh->doors.cost[d] == c->before->door_cost[d] &&
            !throng_world_set_door_cost(c->fresh, d, c->old->doors.cost[d], error))
            return false;
        if (c->fresh->doors.way[d] == c->before->door_way[d] &&
            !throng_world_set_door_way(c->fresh, d, c->old->doors.way[d], error))
            return false;
    }
    return true;
}

/* Belts that the new file leaves as its map has them run on as they did. */
static void migrate_belts(const migrating *c)
{
    for (int32_t i = 0; i < c->fresh->sheets.table.count; i++)
        if (c->fresh->sheets.table.belt[i] == (float)c->fresh->map->sheets->list[i].belt)
            throng_world_set_belt(c->fresh, i, (double)c->old->sheets.table.belt[i]);
}

/* Lifts that the new file leaves in service go on as they did. */
static void migrate_lifts(const migrating *c)
{
    for (int32_t i = 0; i < c->fresh->lifts.count; i++) {
        const throng_map_lift *map = &c->fresh->map->sheets->lifts[i];
        bool stopped = c->fresh->lifts.list[i].stopped;
        c->fresh->lifts.list[i] = c->old->lifts.list[i];
        if (stopped)
            throng_world_serve_lift(c->fresh, i, false);
        else
            memcpy(c->fresh->lifts.use + map->first, c->old->lifts.use + map->first, (size_t)map->count);
        throng_world_renew_paths(c->fresh);
    }
}

static bool migrate_gone(const migrating *c, throng_error *error)
{
    world_gone *gone = &c->fresh->gone, fresh = *gone;
    *gone = c->old->gone;
    gone->list = fresh.list;
    gone->room = fresh.room;
    if (!throng_array_reserve((void **)&gone->list, &gone->room, gone->count, sizeof *gone->list))
        return throng_fail(error, "out of memory for the arrivals of %d agents", gone->count);
    if (gone->count)
        memcpy(gone->list, c->old->gone.list, (size_t)gone->count * sizeof *gone->list);
    return true;
}

static bool migrate_totals(const migrating *c, throng_error *error)
{
    throng_world *w = c->fresh;
    const throng_world *old = c->old;
    w->step = old->step;
    w->times.steps = old->times.steps;
    w->arrivals.known = true; /* of the last step: those were told */
    c->out->kept = c->count;
    c->out->lost = throng_agents_count(c->had->agents) - c->count;
    return migrate_gone(c, error) && throng_world_count_pending(w, error);
}

static bool migrate_all(migrating *c, throng_error *error)
{
    c->fresh->stages.waited = c->old->stages.waited;
    migrate_belts(c);
    migrate_lifts(c);
    c->same_meshes = throng_migrate_same_meshes(c->old, c->fresh);
    return throng_migrate_agents(c, error) && migrate_columns(c, error) && migrate_planners(c, error) &&
           throng_migrate_number(c, error) && throng_migrate_companies(c, error) && migrate_doors(c, error) &&
           throng_migrate_goals(c, error) && throng_migrate_states(c, error) && throng_migrate_congestion(c, error) &&
           throng_migrate_programs(c, error) &&
           throng_migrate_things(c, &c->before->things, &c->after->things, error) && migrate_totals(c, error) &&
           throng_migrate_locate(c->fresh, error);
}

static bool migrate_whole(migrating *c, throng_error *error)
{
    return throng_migrate_take_over(c, error) && throng_migrate_programs(c, error) && migrate_totals(c, error);
}

/* Those that the file gives as before go on as callbacks have set them. */
static void migrate_parameters(const migrating *c)
{
    for (int p = 0; p < THRONG_PHASE_PARAMETERS; p++)
        if (c->before->parameters[p] == c->after->parameters[p])
            throng_world_set_phase_parameter(c->fresh, p, throng_world_phase_parameter(c->old, p));
}

/* Who lives in which slot. */
static void note_living(const migrating *c)
{
    const throng_agents *agents = c->old->agents;
    for (int32_t s = 0; s < c->out->slots; s++)
        c->out->was[s] = throng_agents_handle(agents, s);
}

throng_handle throng_migration_successor(const throng_migration *migration, throng_handle of)
{
    bool same = of.slot >= 0 && of.slot < migration->slots && migration->was[of.slot].generation == of.generation;
    return same ? migration->became[of.slot] : (throng_handle){0};
}

bool throng_world_migrate(throng_world *fresh, const throng_baseline *after, throng_world *old,
                          const throng_baseline *before, throng_migration *out, throng_error *error)
{
    *out = (throng_migration){.restart_reason = what_differs(old, fresh),
                              .slots = throng_agents_slots(old->agents),
                              .group_count = old->groups.count};
    size_t slots = (size_t)out->slots + 1;
    if (out->restart_reason) {
        out->fresh = throng_agents_count(fresh->agents);
        return true;
    }
    migrating c = {old, fresh, old, before, after, out, malloc(slots * sizeof(pair)), 0, false};
    out->was = calloc(slots, sizeof *out->was);
    out->became = calloc(slots, sizeof *out->became);
    out->machine = calloc(slots, sizeof *out->machine);
    out->successors = calloc((size_t)out->group_count + 1, sizeof *out->successors);
    bool ok = (c.pairs && out->was && out->became && out->machine && out->successors) ||
              throng_fail(error, "out of memory for %d agents", out->slots);
    if (ok) {
        note_living(&c);
        migrate_parameters(&c);
        ok = throng_migrate_says_the_same(&c) ? migrate_whole(&c, error) : migrate_all(&c, error);
    }
    free(c.pairs);
    if (!ok) {
        throng_world_migrate_undo(fresh, old, out);
        throng_migration_fini(out);
    }
    return ok;
}

void throng_migration_fini(throng_migration *out)
{
    free(out->was);
    free(out->became);
    free(out->machine);
    free(out->successors);
    out->was = NULL;
    out->became = NULL;
    out->machine = NULL;
    out->successors = NULL;
}
