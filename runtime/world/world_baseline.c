/* What a file says of its agents: what they are before the first step. */
#include "world_migrate.h"

#include <stdlib.h>
#include <string.h>

#include "world_migrate_parts.h"

static uint32_t initial_bits(int column)
{
    union {
        float real;
        int32_t whole;
        uint32_t bits;
    } value;
    if (throng_columns[column].is_float)
        value.real = (float)throng_columns[column].initial;
    else
        value.whole = (int32_t)throng_columns[column].initial;
    return value.bits;
}

uint32_t throng_baseline_value(const throng_baseline *b, int column, int32_t slot)
{
    return b->value[column] ? b->value[column][slot] : initial_bits(column);
}

bool throng_baseline_bound(const throng_baseline *b, int column, int32_t slot)
{
    for (int32_t t = 0; t < b->targets; t++)
        if (b->column[t] == column)
            return b->bound[(size_t)t * (size_t)b->slots + (size_t)slot];
    return false;
}

static void *copy_of(const void *from, size_t count, size_t size)
{
    void *copy = calloc(count + 1, size);
    if (copy && count)
        memcpy(copy, from, count * size);
    return copy;
}

static bool remember_columns(throng_baseline *b, throng_world *w, throng_error *error)
{
    for (int c = 0; c < THRONG_COLUMN_COUNT; c++) {
        if (!throng_migrate_column_is(c, THRONG_KEPT_UNCHANGED | THRONG_REMEMBERED) ||
            !throng_agents_uses(w->agents, c))
            continue;
        const void *values = throng_agents_read(w->agents, c, error);
        if (!values)
            return false;
        if (!(b->value[c] = copy_of(values, (size_t)b->slots, 4)))
            return throng_fail(error, "out of memory for the first values of %d agents", b->slots);
    }
    return true;
}

static bool remember_bound(throng_baseline *b, const throng_world *w, throng_error *error)
{
    b->targets = w->programs.targets;
    b->bound = malloc((size_t)b->targets * (size_t)b->slots + 1);
    for (int32_t t = 0; b->bound && t < b->targets; t++) {
        b->column[t] = w->programs.target[t].column;
        for (int32_t s = 0; s < b->slots; s++)
            b->bound[(size_t)t * (size_t)b->slots + (size_t)s] = w->programs.target[t].bound[s] != THRONG_UNBOUND;
    }
    return b->bound || throng_fail(error, "out of memory for the first values of %d agents", b->slots);
}

static bool remember_agents(throng_baseline *b, throng_world *w, throng_error *error)
{
    const int32_t *state = throng_agents_read(w->agents, THRONG_COLUMN_state, error);
    const int32_t *group = throng_agents_read(w->agents, THRONG_COLUMN_group, error);
    if (!state || !group)
        return false;
    for (int32_t s = 0; s < b->slots; s++) {
        b->agent[s] = throng_agents_handle(w->agents, s);
        b->group[s] = state[s] ? group[s] : -1;
        if (state[s])
            b->rank[s] = b->count[group[s]]++;
    }
    return true;
}

/* What is one table a world, as the file has left it. */
static bool copy_tables(throng_baseline *b, const throng_world *w)
{
    size_t doors = w->doors.shut ? (size_t)w->map->door_count : 0, groups = (size_t)w->influences.groups;
    size_t stops = w->lifts.count ? (size_t)w->map->sheets->stop_count : 0;
    b->planner_count = w->planners.count;
    b->weight_groups = w->influences.groups;
    b->planners = copy_of(w->planners.list, (size_t)w->planners.count, sizeof *b->planners);
    b->weights = copy_of(w->influences.weights, groups * groups, sizeof *b->weights);
    b->door_shut = copy_of(w->doors.shut, doors, sizeof *b->door_shut);
    b->door_held = copy_of(w->doors.held, doors, sizeof *b->door_held);
    b->door_cost = copy_of(w->doors.cost, doors, sizeof *b->door_cost);
    b->door_way = copy_of(w->doors.way, doors, sizeof *b->door_way);
    b->belt = copy_of(w->sheets.table.belt, (size_t)w->sheets.table.count, sizeof *b->belt);
    b->lift_use = copy_of(w->lifts.use, stops, sizeof *b->lift_use);
    return b->planners && b->weights && b->door_shut && b->door_held && b->door_cost && b->door_way && b->belt &&
           b->lift_use;
}

throng_baseline *throng_baseline_take(throng_world *w, throng_error *error)
{
    throng_baseline *b = calloc(1, sizeof *b);
    if (!b) {
        throng_fail(error, "out of memory");
        return NULL;
    }
    b->slots = throng_agents_slots(w->agents);
    b->groups = w->groups.count;
    size_t slots = (size_t)b->slots + 1;
    b->agent = calloc(slots, sizeof *b->agent);
    b->group = calloc(slots, sizeof *b->group);
    b->rank = calloc(slots, sizeof *b->rank);
    b->count = calloc((size_t)b->groups + 1, sizeof *b->count);
    b->may_choose = w->may_choose;
    for (int p = 0; p < THRONG_PHASE_PARAMETERS; p++)
        b->parameters[p] = throng_world_phase_parameter(w, p);
    bool ok = b->agent && b->group && b->rank && b->count && copy_tables(b, w);
    if (!ok)
        throng_fail(error, "out of memory for the first values of %d agents", b->slots);
    if (ok && remember_agents(b, w, error) && remember_columns(b, w, error) && remember_bound(b, w, error) &&
        throng_things_take(&b->things, w, error))
        return b;
    throng_baseline_destroy(b);
    return NULL;
}

void throng_baseline_destroy(throng_baseline *b)
{
    if (!b)
        return;
    for (int c = 0; c < THRONG_COLUMN_COUNT; c++)
        free(b->value[c]);
    free(b->agent);
    free(b->group);
    free(b->rank);
    free(b->count);
    throng_things_fini(&b->things);
    free(b->bound);
    free(b->planners);
    free(b->weights);
    free(b->belt);
    free(b->lift_use);
    free(b->door_shut);
    free(b->door_held);
    free(b->door_cost);
    free(b->door_way);
    free(b);
}
