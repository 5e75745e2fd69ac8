/* Spawning: what new agents are like; where they stand is in spawn_places.c. All from the world's seed. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/hash.h"
#include "base/random.h"
#include "map/map_sheets.h"
#include "world_parts.h"

throng_spawn_def throng_spawn_def_default(void)
{
    throng_spawn_def d = {.count = 1,
                          .neighbours = 10,
                          .colour = THRONG_NO_COLOUR,
                          .planner = throng_planner_default(THRONG_PLANNER_orca),
                          .company = {.kind = THRONG_CONSTANT, .a = 1, .b = 1}};
#define X(name, type, initial, unit, spawned, ...) THRONG_IF_DRAWN_##spawned(d.name.a = initial;)
    THRONG_COLUMNS(X)
#undef X
    d.radius = THRONG_BODY_RADIUS;
    return d;
}

throng_spawn_def throng_spawn_def_discs(void)
{
    throng_spawn_def d = throng_spawn_def_default();
    d.radius = (throng_sampler){.kind = THRONG_CONSTANT, .a = throng_columns[THRONG_COLUMN_radius].initial, .b = 0};
    d.time_gap.a = d.relaxation.a = 0;
    return d;
}

typedef struct parameter {
    int column;
    throng_sampler sampler;
} parameter;

#define X(name, type, initial, unit, spawned, ...) THRONG_IF_DRAWN_##spawned(+1)
enum { PARAMETERS = 0 THRONG_COLUMNS(X) };
#undef X

/* What was drawn for a column. */
static const float *drawn(const parameter *p, int column, const float *values, int32_t count)
{
    while (p->column != column) {
        p++;
        values += count;
    }
    return values;
}

/* How many there are. */
static int list_parameters(const throng_world *w, const throng_spawn_def *d, parameter *p)
{
    int own = throng_agents_columns(w->agents) - THRONG_COLUMN_GIVEN;
#define X(name, type, initial, unit, spawned, ...)                                                                     \
    THRONG_IF_DRAWN_##spawned(*p++ = ((parameter){THRONG_COLUMN_##name, d->name});)
    THRONG_COLUMNS(X)
#undef X
    for (int k = 0; k < own; k++)
        *p++ = (parameter){THRONG_COLUMN_GIVEN + k, d->own[k]};
    return PARAMETERS + own;
}

/* Speeds on the level and on stairs are drawn by the same numbers: they are of one person. */
static uint32_t stream_of(int column)
{
    bool stairs = column == THRONG_COLUMN_stairs_up || column == THRONG_COLUMN_stairs_down;
    return throng_column_stream(stairs ? THRONG_COLUMN_speed : column);
}

/* The parameter of so many agents, `part` of what is drawn for it, into `values` [count]. A constant is drawn once. */
static bool draw_parameter(const throng_world *w, const parameter *p, double part, int32_t count, float *values,
                           throng_error *error)
{
    const throng_column_info *info = throng_agents_column(w->agents, p->column);
    const throng_range *range = &info->range;
    bool constant = p->sampler.kind == THRONG_CONSTANT;
    for (int32_t i = 0; i < count; i++) {
        if (constant && i > 0) {
            values[i] = values[0];
            continue;
        }
        double v =
            part * throng_world_sample(&p->sampler, w->seed, (uint32_t)(w->groups.spawned + i), stream_of(p->column));
        bool ok = isfinite((float)v) && (v > range->least || (!range->above && v == range->least));
        if (!ok)
            return throng_fail(error, "%s must be %s %g%s%s, but came out as %g", info->name,
                               range->above ? "more than" : "at least", range->least, *info->unit ? " " : "",
                               info->unit, v);
        values[i] = (float)v;
    }
    return true;
}

/* Draws every parameter into values[parameter][agent]. */
static bool draw(const throng_world *w, const throng_spawn_def *d, const parameter *p, int parameters, float *values,
                 throng_error *error)
{
    for (int k = 0; k < parameters; k++) {
        double part = d->by_depth && p[k].column == THRONG_COLUMN_radius ? 0.5 : 1;
        if (!draw_parameter(w, &p[k], part, d->count, values + (size_t)k * (size_t)d->count, error))
            return false;
    }
    return true;
}

/* --- making the agents ---------------------------------------------------------------------------- */

/* The place of the index that has the group of that name, or is free for it. */
static int32_t *group_place(const world_groups *g, const char *name)
{
    uint32_t i = (uint32_t)throng_hash(name, strlen(name));
    while (g->index[i &= (uint32_t)g->index_room - 1] && strcmp(g->list[g->index[i] - 1].name, name) != 0)
        i++;
    return &g->index[i];
}

int32_t throng_world_group_named(const throng_world *w, const char *name)
{
    return w->groups.index_room ? *group_place(&w->groups, name) - 1 : -1;
}

/* Room for one group more: half of the index's places stay free. */
static bool reserve_group(world_groups *g)
{
    if (!throng_array_reserve((void **)&g->list, &g->room, (int64_t)g->count + 1, sizeof *g->list))
        return false;
    if (2 * ((int64_t)g->count + 1) <= g->index_room)
        return true;
    int32_t room = g->index_room ? 2 * g->index_room : 64;
    int32_t *index = calloc((size_t)room, sizeof *index);
    if (!index)
        return false;
    free(g->index);
    g->index = index;
    g->index_room = room;
    for (int32_t k = 0; k < g->count; k++)
        *group_place(g, g->list[k].name) = k + 1;
    return true;
}

int32_t throng_world_add_group(throng_world *w, const char *name, throng_error *error)
{
    int32_t known = name ? throng_world_group_named(w, name) : -1;
    if (known >= 0)
        return known;
    if (name && !throng_name_check("a group", name, error))
        return -1;
    char *copy = strdup(name ? name : "agents");
    if (!copy || !reserve_group(&w->groups)) {
        free(copy);
        throng_fail(error, "out of memory for the name of a spawn");
        return -1;
    }
    int32_t *place = group_place(&w->groups, copy);
    if (!*place) /* groups that were given no name have the same one: the first is found by it */
        *place = w->groups.count + 1;
    w->groups.list[w->groups.count] = (world_group){copy, THRONG_NO_COLOUR};
    return w->groups.count++;
}

void throng_world_paint_group(throng_world *w, int32_t group, uint32_t rgb) { w->groups.list[group].colour = rgb; }

/* Only the first `groups` are left: the last one's place of the index leads to no other's. */
static void drop_kinds(throng_world *w, int32_t groups)
{
    while (w->groups.count > groups) {
        char *name = w->groups.list[w->groups.count - 1].name;
        int32_t *place = group_place(&w->groups, name);
        if (*place == w->groups.count)
            *place = 0;
        w->groups.count--;
        free(name);
    }
}

/* Does nothing where everybody keeps the initial value of a rare column. */
static bool write_parameter(throng_agents *a, int column, const float *values, const throng_handle *handles,
                            int32_t count, throng_error *error)
{
    bool differs = throng_agents_uses(a, column);
    for (int32_t i = 0; i < count && !differs; i++)
        differs = values[i] != (float)throng_columns[column].initial;
    if (!differs)
        return true;
    float *to = throng_agents_write(a, column, error);
    for (int32_t i = 0; to && i < count; i++)
        to[handles[i].slot] = values[i];
    return to != NULL;
}

static bool write_agents(throng_world *w, const throng_spawn_def *d, const parameter *p, int parameters,
                         const float *values, const throng_point *at, int32_t group, int32_t entry,
                         const throng_handle *handles, throng_error *error)
{
    throng_agents *a = w->agents;
    float *x = throng_agents_write(a, THRONG_COLUMN_x, error), *y = throng_agents_write(a, THRONG_COLUMN_y, error);
    if (!x || !y)
        return false;
    int32_t *sheet = w->sheets.table.count ? throng_agents_write(a, THRONG_COLUMN_floor, error) : NULL;
    if (w->sheets.table.count && !sheet)
        return false;
    for (int32_t i = 0; i < d->count; i++) {
        int32_t on = throng_map_sheet_at(w->map, at[i]), slot = handles[i].slot;
        throng_point position = throng_map_position(w->map, on, at[i]);
        x[slot] = (float)position.x;
        y[slot] = (float)position.y;
        if (sheet)
            sheet[slot] = on;
    }
    const struct {
        int column;
        int32_t value;
    } same[] = {{THRONG_COLUMN_group, group},
                {THRONG_COLUMN_born, (int32_t)w->step},
                {THRONG_COLUMN_planner, entry},
                {THRONG_COLUMN_routing, d->routing},
                {THRONG_COLUMN_door_policy, d->door_policy},
                {THRONG_COLUMN_congestion, d->congestion},
                {THRONG_COLUMN_neighbours, d->neighbours}};
    for (size_t s = 0; s < sizeof same / sizeof *same; s++)
        if (!throng_agents_set(a, same[s].column, handles, d->count, same[s].value, error))
            return false;
    /* who comes to an empty group later is wide, and recordings that begin now are to have that */
    if (d->count == 0 && throng_sampler_most(&d->width) > 0 &&
        !throng_agents_use(a, THRONG_COLUMN_BIT(width) | THRONG_COLUMN_BIT(shoulders), error))
        return false;
    for (int k = 0; k < parameters; k++)
        if (!write_parameter(a, p[k].column, values + (size_t)k * (size_t)d->count, handles, d->count, error))
            return false;
    return true;
}

static bool maps_fit(const throng_world *w, const throng_spawn_def *d, const world_sizes *sizes, throng_error *error)
{
    for (int32_t i = 0; i < d->count; i++)
        if (!throng_world_local_map_fits(w, &d->planner, throng_world_reach(sizes, i), d->routing, error))
            return false;
    return true;
}

static bool check_spawn(const throng_spawn_def *d, throng_error *error)
{
    if (d->count < 0)
        return throng_fail(error, "count must be at least 0, not %d", d->count);
    if (d->neighbours < 0 || d->neighbours > THRONG_NEIGHBOURS_MAX)
        return throng_fail(error, "neighbours must be 0 .. %d, not %d", THRONG_NEIGHBOURS_MAX, d->neighbours);
    return true;
}

bool throng_world_spawn(throng_world *w, const throng_spawn_def *d, throng_handle *handles, throng_error *error)
{
    if (!check_spawn(d, error))
        return false;
    parameter p[PARAMETERS + THRONG_OWN_COLUMNS];
    int parameters = list_parameters(w, d, p);
    float *values = malloc(((size_t)d->count + 1) * (size_t)parameters * sizeof *values);
    throng_point *at = malloc(((size_t)d->count + 1) * sizeof *at);
    bool ok = (values && at) || throng_fail(error, "out of memory for %d agents", d->count);
    ok = ok && draw(w, d, p, parameters, values, error);
    world_sizes sizes = {0};
    if (ok)
        sizes = (world_sizes){drawn(p, THRONG_COLUMN_radius, values, d->count),
                              drawn(p, THRONG_COLUMN_width, values, d->count)};
    ok = ok && maps_fit(w, d, &sizes, error) && throng_spawn_place(w, d, &sizes, at, error);
    int32_t groups = w->groups.count, group = ok ? throng_world_add_group(w, d->name, error) : -1;
    int32_t entry = group >= 0 ? throng_world_planner(w, &d->planner, error) : -1;
    bool known = throng_world_taken_known(w);
    ok = ok && entry >= 0 && throng_agents_add(w->agents, d->count, handles, error);
    if (ok) {
        w->groups.spawned += d->count;
        world_phases_restart(&w->phases);
        ok = throng_world_unbind_all(w, handles, d->count, error) &&
             write_agents(w, d, p, parameters, values, at, group, entry, handles, error) &&
             throng_world_form_companies(w, d, handles, at, error);
        if (!ok)
            throng_world_unspawn(w, handles, d->count, groups);
        else if (d->colour != THRONG_NO_COLOUR)
            throng_world_paint_group(w, group, d->colour);
        if (ok && known)
            throng_world_take(w, handles, d->count);
    } else
        drop_kinds(w, groups);
    free(values);
    free(at);
    return ok;
}

void throng_world_unspawn(throng_world *w, const throng_handle *handles, int32_t count, int32_t groups)
{
    throng_agents_take_back(w->agents, handles, count);
    w->groups.spawned -= count;
    drop_kinds(w, groups);
}
