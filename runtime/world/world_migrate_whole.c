/* A file that says the same of who there is, and of where and how they go: the fresh world takes the old one's agents
 * with their backend, paths, machines, doors and bodies as they are, so that nothing of a frame has to be found again.
 * What may differ is the fresh world's: columns, programs, hooks, parameters of stages, measures. */
#include <string.h>

#include "navigation/path_queue.h"
#include "world_migrate_parts.h"

/* ---- does the file say the same? What was there when it was loaded is the beginning of what is there now. */

static bool same_backends(const migrating *c)
{
    throng_backend_info a, b;
    if (c->before->may_choose || c->after->may_choose)
        return c->before->may_choose == c->after->may_choose;
    if (c->old->stages.api != c->fresh->stages.api)
        return false;
    c->old->stages.api->info(c->old->stages.backend, &a);
    c->fresh->stages.api->info(c->fresh->stages.backend, &b);
    return strcmp(a.device, b.device) == 0 && a.simd == b.simd && a.threads == b.threads;
}

static bool same_columns(const throng_agents *a, const throng_agents *b)
{
    bool same = throng_agents_columns(a) == throng_agents_columns(b);
    for (int column = THRONG_COLUMN_GIVEN; same && column < throng_agents_columns(a); column++) {
        const throng_column_info *is = throng_agents_column(a, column), *was = throng_agents_column(b, column);
        same = strcmp(is->name, was->name) == 0 && strcmp(is->unit, was->unit) == 0;
    }
    return same;
}

/* Of the agents whom the file spawns: the same ones, in the same groups, sent to the same goals. And as many were
 * removed from each slot: who was removed now has a generation that nobody got later in the old world. */
static bool same_agents(const migrating *c)
{
    const throng_baseline *a = c->before, *b = c->after;
    bool same = a->slots == b->slots && a->groups == b->groups;
    for (int32_t k = 0; same && k < a->groups; k++)
        same = strcmp(c->old->groups.list[k].name, c->fresh->groups.list[k].name) == 0;
    for (int32_t s = 0; same && s < a->slots; s++)
        same = a->agent[s].generation == b->agent[s].generation && a->group[s] == b->group[s];
    for (int column = 0; column < THRONG_COLUMN_COUNT; column++)
        for (int32_t s = 0; same && throng_migrate_column_is(column, THRONG_REMEMBERED) && s < a->slots; s++)
            same = throng_baseline_value(a, column, s) == throng_baseline_value(b, column, s);
    return same;
}

static bool same_planners(const migrating *c)
{
    size_t size = (size_t)c->before->planner_count * sizeof *c->before->planners;
    return c->before->planner_count == c->fresh->planners.count &&
           (!size || memcmp(c->before->planners, c->fresh->planners.list, size) == 0);
}

static bool same_goals(const world_routing *is, const world_routing *was)
{
    bool same =
        is->mesh_count <= was->mesh_count && is->target_count <= was->target_count && is->goal_count <= was->goal_count;
    for (int32_t m = 0; same && m < is->mesh_count; m++)
        same = is->meshes[m].bare->radius == was->meshes[m].bare->radius;
    for (int32_t t = 0; same && t < is->target_count; t++)
        same = throng_world_same_target(&is->targets[t], &was->targets[t]);
    for (int32_t g = 0; same && g < is->goal_count; g++) {
        const world_goal *a = &is->goals[g], *b = &was->goals[g];
        same = a->target == b->target && a->mesh == b->mesh && a->path_mesh == b->path_mesh &&
               throng_world_same_options(&a->options, &b->options);
    }
    return same;
}

/* Of machines there are no others now: those that a callback gave are the script's to find again. */
static bool same_machines(const world_fsm *is, const world_fsm *was)
{
    const throng_fsm *t = &is->table, *other = &was->table;
    bool same = is->machine_count == was->machine_count && t->states == other->states && t->options == other->options &&
                t->conditions == other->conditions && t->goals == other->goals;
#define X(type, name, count)                                                                                           \
    same = same && (!(count) || memcmp(t->name, other->name, (size_t)(count) * sizeof *t->name) == 0);
    THRONG_FSM_ARRAYS(X)
#undef X
    for (int32_t s = 0; same && s < t->states; s++)
        same = strcmp(is->names[s], was->names[s]) == 0;
    for (int32_t m = 0; same && m < is->machine_count; m++)
        same = is->machines[m].number == was->machines[m].number &&
               memcmp(&is->machines[m].profile, &was->machines[m].profile, sizeof is->machines[m].profile) == 0;
    return same;
}

static bool same_passages(const migrating *c)
{
    const throng_baseline *a = c->before, *b = c->after;
    bool same = true;
    for (int32_t d = 0; same && c->fresh->doors.shut && d < c->fresh->map->door_count; d++)
        same = a->door_shut[d] == b->door_shut[d] && a->door_held[d] == b->door_held[d] &&
               a->door_cost[d] == b->door_cost[d] && a->door_way[d] == b->door_way[d];
    for (int32_t i = 0; same && i < c->fresh->sheets.table.count; i++)
        same = a->belt[i] == b->belt[i];
    for (int32_t i = 0; same && c->fresh->lifts.count && i < c->fresh->map->sheets->stop_count; i++)
        same = a->lift_use[i] == b->lift_use[i];
    return same;
}

static bool same_weights(const throng_baseline *a, const throng_baseline *b)
{
    size_t pairs = (size_t)a->weight_groups * (size_t)a->weight_groups;
    return a->weight_groups == b->weight_groups && memcmp(a->weights, b->weights, pairs * sizeof *a->weights) == 0;
}

/* Somebody in the script waits for answers of the fresh world's queue. */
static bool asks_for_paths(const throng_world *w)
{
    return w->paths.queue && throng_path_queue_has(w->paths.queue, THRONG_SCRIPT_PATH);
}

bool throng_migrate_says_the_same(const migrating *c)
{
    return !c->old->phases.torn && c->old->cache == c->fresh->cache && !asks_for_paths(c->fresh) &&
           c->old->frame.latency == c->fresh->frame.latency && c->old->frame.friction == c->fresh->frame.friction &&
           same_backends(c) && same_columns(c->old->agents, c->fresh->agents) && same_agents(c) && same_planners(c) &&
           same_goals(&c->fresh->routing, &c->old->routing) && same_machines(&c->fresh->fsm, &c->old->fsm) &&
           same_passages(c) && same_weights(c->before, c->after) &&
           throng_things_same(&c->before->things, &c->after->things);
}

/* ---- the parts change hands */

#define PARTS(X)                                                                                                       \
    X(stages)                                                                                                          \
    X(may_choose)                                                                                                      \
    X(chosen)                                                                                                          \
    X(agents)                                                                                                          \
    X(taken)                                                                                                           \
    X(frame)                                                                                                           \
    X(companies)                                                                                                       \
    X(planners)                                                                                                        \
    X(influences)                                                                                                      \
    X(limits)                                                                                                          \
    X(stuck)                                                                                                           \
    X(sheets)                                                                                                          \
    X(walls)                                                                                                           \
    X(bodies)                                                                                                          \
    X(doors)                                                                                                           \
    X(lifts)                                                                                                           \
    X(routing)                                                                                                         \
    X(paths)                                                                                                           \
    X(fsm)                                                                                                             \
    X(sensed)                                                                                                          \
    X(arrivals)

/* What points to the world's stages and map points to these; and programs and the air stay, which the backend has
 * others of. So do the places that are watched. */
static void settle(throng_world *w, const world_paths *paths, const world_arrivals *arrivals)
{
    throng_agents_set_stages(w->agents, &w->stages);
    if (w->paths.queue)
        throng_path_queue_move(w->paths.queue, &w->stages, w->map);
    w->programs.changed = true;
    w->air.changed = w->air.value != NULL;
    w->crossings.changed = true;
    w->paths.budget = paths->budget;           /* the file's, */
    w->arrivals.expected = arrivals->expected; /* and its sources' */
    w->arrivals.outside = arrivals->outside;
}

static void exchange(throng_world *a, throng_world *b)
{
    throng_world first = *a, second = *b;
#define X(part) a->part = second.part;
    PARTS(X)
#undef X
#define X(part) b->part = first.part;
    PARTS(X)
#undef X
    settle(a, &first.paths, &first.arrivals);
    settle(b, &second.paths, &second.arrivals);
}

/* What the file's programs and machines read is in the store that goes on, too. */
static bool use_columns(const throng_world *fresh, throng_agents *agents, throng_error *error)
{
    throng_column_set used = 0;
    for (int column = 0; column < THRONG_COLUMN_COUNT; column++)
        if (throng_agents_uses(fresh->agents, column))
            used |= THRONG_COLUMN_SET(column);
    return throng_agents_use(agents, used, error);
}

bool throng_migrate_take_over(migrating *c, throng_error *error)
{
    if (!throng_migrate_stay(c, error) || !use_columns(c->fresh, c->old->agents, error))
        return false;
    exchange(c->fresh, c->old);
    c->had = c->fresh;
    c->out->taken = true;
    c->fresh->groups.spawned = c->old->groups.spawned;
    for (int32_t i = 0; i < c->count; i++)
        if (c->pairs[i].later && !throng_world_unbind_all(c->fresh, &c->out->became[c->pairs[i].from], 1, error))
            return false;
    for (int32_t t = 0; t < c->old->programs.targets; t++) /* the backend must not go on with the old world's */
        if (!throng_world_bind(c->fresh, NULL, 0, c->old->programs.target[t].column, THRONG_KEPT, error))
            return false;
    return true;
}

/* ---- at the end: what the file says otherwise of columns */

static bool says_otherwise(const throng_baseline *after, const throng_baseline *before, int column)
{
    bool otherwise = false;
    for (int32_t s = 0; !otherwise && throng_migrate_column_is(column, THRONG_KEPT_UNCHANGED) && s < before->slots; s++)
        otherwise = throng_baseline_value(after, column, s) != throng_baseline_value(before, column, s);
    return otherwise;
}

static void write_column(throng_agents *agents, const throng_baseline *after, const throng_baseline *before, int column,
                         uint32_t *to)
{
    for (int32_t s = 0; s < before->slots; s++) {
        uint32_t now = throng_baseline_value(after, column, s);
        if (throng_agents_alive(agents, before->agent[s]) && now != throng_baseline_value(before, column, s))
            to[s] = now;
    }
}

bool throng_world_migrate_end(throng_world *world, const throng_baseline *after, const throng_baseline *before,
                              const throng_migration *migration, throng_error *error)
{
    uint32_t *to[THRONG_COLUMN_COUNT] = {NULL};
    if (!migration->taken)
        return true;
    for (int column = 0; column < THRONG_COLUMN_COUNT; column++)
        if (says_otherwise(after, before, column) && !(to[column] = throng_agents_write(world->agents, column, error)))
            return false;
    for (int column = 0; column < THRONG_COLUMN_COUNT; column++)
        if (to[column])
            write_column(world->agents, after, before, column, to[column]);
    return true;
}

void throng_world_migrate_undo(throng_world *fresh, throng_world *old, throng_migration *migration)
{
    if (migration->taken)
        exchange(fresh, old);
    migration->taken = false;
}
