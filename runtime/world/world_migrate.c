#include "world_migrate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "world_migrate_parts.h"

static bool is_any(int column, int attributes) { return throng_columns[column].attributes & attributes; }

/* ---- the baseline */

struct throng_baseline {
    int32_t slots, groups;
    throng_handle *agent;                 /* [slots] generation 0: nobody */
    int32_t *group;                       /* [slots] */
    int32_t *rank;                        /* [slots] which of its group it is, from 0 */
    int32_t *count;                       /* [groups] */
    uint32_t *value[THRONG_COLUMN_COUNT]; /* [slots] of remembered columns; NULL: everybody had the initial value */
    uint8_t *bound;                       /* [slots * targets] does a behaviour function write the column? */
    int column[THRONG_PROGRAM_TARGETS];
    int32_t targets;
    throng_planner *planners;
    bool *door_shut;
    world_things things;
};

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
        if (!is_any(c, THRONG_KEPT_UNCHANGED | THRONG_REMEMBERED) || !throng_agents_uses(w->agents, c))
            continue;
        const void *values = throng_agents_read(w->agents, c, error);
        if (!values)
            return false;
        if (!(b->value[c] = copy_of(values, (size_t)b->slots, 4)))
            return throng_fail(error, "out of memory for what %d agents were at first", b->slots);
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
    return b->bound || throng_fail(error, "out of memory for what %d agents were at first", b->slots);
}

static bool remember_agents(throng_baseline *b, throng_world *w, throng_error *error)
{
    const int32_t *state = throng_agents_read(w->agents, THRONG_COLUMN_state, error);
    const int32_t *group = throng_agents_read(w->agents, THRONG_COLUMN_group, error);
    if (!state || !group)
        return false;
    for (int32_t s = 0; s < b->slots; s++) {
        if (!state[s])
            continue;
        b->agent[s] = throng_agents_handle(w->agents, s);
        b->group[s] = group[s];
        b->rank[s] = b->count[group[s]]++;
    }
    return true;
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
    b->planners = copy_of(w->planners.list, (size_t)w->planners.count, sizeof *b->planners);
    b->door_shut = copy_of(w->doors.shut, w->doors.shut ? (size_t)w->map->door_count : 0, sizeof *b->door_shut);
    bool ok = b->agent && b->group && b->rank && b->count && b->planners && b->door_shut;
    if (!ok)
        throng_fail(error, "out of memory for what %d agents were at first", b->slots);
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
    free(b->door_shut);
    free(b);
}

/* ---- who is who */

/* The fresh world's group that goes on as the old one's, -1: none does. */
static int32_t successor(const migrating *c, int32_t group)
{
    int32_t now = throng_world_group_named(c->fresh, c->old->groups.names[group]);
    bool first = group < c->before->groups;
    return now >= 0 && (!first || c->before->count[group] == c->after->count[now]) ? now : -1;
}

static void note_kinds(migrating *c)
{
    size_t used = 0;
    for (int32_t k = 0; k < c->out->group_count; k++)
        c->out->successors[k] = successor(c, k);
    for (int32_t k = 0; k < c->before->groups; k++) {
        const char *name = c->old->groups.names[k];
        if (successor(c, k) >= 0 || throng_world_group_named(c->fresh, name) < 0 ||
            used + strlen(name) + 3 > sizeof c->out->groups)
            continue;
        used += (size_t)snprintf(c->out->groups + used, sizeof c->out->groups - used, "%s%s", used ? ", " : "", name);
    }
}

static bool was_there(const throng_baseline *b, const throng_world *w, int32_t slot)
{
    return slot < b->slots && b->agent[slot].generation && throng_agents_alive(w->agents, b->agent[slot]);
}

/* By group and rank, the slots of the fresh world's agents. */
static int32_t *slots_by_kind(const throng_baseline *b, int32_t *start)
{
    int32_t *list = malloc(((size_t)b->slots + 1) * sizeof *list);
    start[0] = 0;
    for (int32_t k = 0; k < b->groups; k++)
        start[k + 1] = start[k] + b->count[k];
    for (int32_t s = 0; list && s < b->slots; s++)
        if (b->agent[s].generation)
            list[start[b->group[s]] + b->rank[s]] = s;
    return list;
}

static void join(migrating *c, int32_t from, throng_handle to, bool later)
{
    c->pairs[c->count++] = (pair){from, to.slot, later};
    c->out->became[from] = to;
}

/* Those who were spawned when the files were loaded; who has been removed since is so in the fresh world, too. */
static bool pair_first(migrating *c, throng_error *error)
{
    int32_t *start = malloc(((size_t)c->after->groups + 1) * sizeof *start);
    int32_t *list = start ? slots_by_kind(c->after, start) : NULL;
    bool ok = list || throng_fail(error, "out of memory for %d agents", c->before->slots);
    for (int32_t s = 0; ok && s < c->before->slots; s++) {
        int32_t group = c->before->agent[s].generation ? successor(c, c->before->group[s]) : -1;
        if (group < 0)
            continue;
        throng_handle to = c->after->agent[list[start[group] + c->before->rank[s]]];
        if (was_there(c->before, c->old, s))
            join(c, s, to, false);
        else
            ok = throng_agents_remove(c->fresh->agents, to) || throng_fail(error, "an agent could not be removed");
    }
    free(start);
    free(list);
    return ok;
}

int throng_migrate_column_of(const migrating *c, int column)
{
    if (column < THRONG_COLUMN_GIVEN || column >= THRONG_COLUMN_COUNT) /* a parameter of planners */
        return column;
    return throng_agents_column_named(c->fresh->agents, throng_agents_column(c->old->agents, column)->name);
}

int32_t throng_migrate_group_of(const migrating *c, int32_t group, throng_error *error)
{
    int32_t now = successor(c, group);
    if (now >= 0 || group < c->before->groups)
        return now;
    now = throng_world_add_group(c->fresh, c->old->groups.names[group], error);
    c->out->successors[group] = now;
    return now >= 0 ? now : -2;
}

static bool pair_later(migrating *c, throng_error *error)
{
    throng_agents *a = c->old->agents;
    const int32_t *state = throng_agents_read(a, THRONG_COLUMN_state, error);
    const int32_t *groups = throng_agents_read(a, THRONG_COLUMN_group, error);
    if (!state || !groups)
        return false;
    for (int32_t s = 0; s < throng_agents_slots(a); s++) {
        throng_handle to;
        int32_t group =
            state[s] && !was_there(c->before, c->old, s) ? throng_migrate_group_of(c, groups[s], error) : -1;
        if (group == -2)
            return false;
        if (group < 0)
            continue;
        if (!throng_agents_add(c->fresh->agents, 1, &to, error) || !throng_world_unbind_all(c->fresh, &to, 1, error) ||
            !throng_agents_set(c->fresh->agents, THRONG_COLUMN_group, &to, 1, group, error))
            return false;
        join(c, s, to, true);
    }
    return true;
}

/* Who became another since the file was loaded is so in the fresh world, too. */
static bool migrate_become(const migrating *c, throng_error *error)
{
    const int32_t *groups = throng_agents_read(c->old->agents, THRONG_COLUMN_group, error);
    for (int32_t i = 0; groups && i < c->count; i++) {
        const pair *p = &c->pairs[i];
        if (p->later || groups[p->from] == c->before->group[p->from])
            continue;
        int32_t group = throng_migrate_group_of(c, groups[p->from], error);
        if (group == -2 || (group >= 0 && !throng_agents_set(c->fresh->agents, THRONG_COLUMN_group,
                                                             &c->out->became[p->from], 1, group, error)))
            return false;
    }
    return groups != NULL;
}

/* ---- columns */

/* A column of the fresh world, from that of the same name in the old, whose number may be another. */
static bool migrate_column(const migrating *c, int column, int was, throng_error *error)
{
    bool compared = is_any(column, THRONG_KEPT_UNCHANGED);
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
        if (was >= 0 && !is_any(column, THRONG_MIGRATED) && !migrate_column(c, column, was, error))
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

/* Who starts over is born now, with numbers that nobody had. */
static bool number_fresh(const migrating *c, throng_error *error)
{
    throng_agents *a = c->fresh->agents;
    int32_t slots = throng_agents_slots(a), next = throng_agents_next_id(c->old->agents);
    bool *known = calloc((size_t)slots + 1, sizeof *known);
    const int32_t *state = throng_agents_read(a, THRONG_COLUMN_state, error);
    int32_t *id = throng_agents_write(a, THRONG_COLUMN_id, error);
    int32_t *born = throng_agents_write(a, THRONG_COLUMN_born, error);
    bool ok = known || throng_fail(error, "out of memory for %d agents", slots);
    ok = ok && state && id && born;
    for (int32_t i = 0; ok && i < c->count; i++)
        known[c->pairs[i].to] = true;
    for (int32_t s = 0; ok && s < slots; s++) {
        if (!state[s] || known[s])
            continue;
        id[s] = next++;
        born[s] = (int32_t)c->old->step;
        c->out->fresh++;
    }
    throng_agents_set_next_id(a, next);
    c->fresh->groups.spawned = next;
    free(known);
    return ok;
}

/* ---- goals */

static const world_target *target_of(const throng_world *w, int32_t goal)
{
    return &w->routing.targets[w->routing.goals[goal].target];
}

bool throng_migrate_same_goal(const throng_world *a, int32_t goal_a, const throng_world *b, int32_t goal_b)
{
    if (goal_a < 0 || goal_b < 0)
        return goal_a < 0 && goal_b < 0;
    return throng_world_same_target(target_of(a, goal_a), target_of(b, goal_b));
}

bool throng_migrate_same_meshes(const throng_world *a, const throng_world *b)
{
    bool same = a->routing.mesh_count <= b->routing.mesh_count;
    for (int32_t m = 0; same && m < a->routing.mesh_count; m++)
        same = a->routing.meshes[m].first_face == b->routing.meshes[m].first_face &&
               a->routing.meshes[m].first_edge == b->routing.meshes[m].first_edge &&
               a->routing.meshes[m].mesh->face_count == b->routing.meshes[m].mesh->face_count &&
               a->routing.meshes[m].mesh->edge_count == b->routing.meshes[m].mesh->edge_count &&
               a->routing.meshes[m].mesh->radius == b->routing.meshes[m].mesh->radius;
    return same;
}

bool throng_migrate_routes(throng_world *w, bool write, route_columns *c, throng_error *error)
{
    static const int columns[] = {THRONG_COLUMN_goal,      THRONG_COLUMN_arrived,   THRONG_COLUMN_face,
                                  THRONG_COLUMN_exit_edge, THRONG_COLUMN_fsm_state, THRONG_COLUMN_fsm_asked,
                                  THRONG_COLUMN_goal_x,    THRONG_COLUMN_goal_y};
    void *array[8];
    for (int i = 0; i < 8; i++) {
        array[i] = write ? throng_agents_write(w->agents, columns[i], error)
                         : (void *)throng_agents_read(w->agents, columns[i], error);
        if (!array[i])
            return false;
    }
    *c = (route_columns){array[0], array[1], array[2], array[3], array[4], array[5], array[6], array[7]};
    return true;
}

/* The agent goes on to `goal` of the fresh world, which is the one it has in the old. */
void throng_migrate_keep_goal(const migrating *c, const pair *p, const route_columns *from, const route_columns *to,
                              int32_t goal)
{
    to->goal[p->to] = goal;
    to->goal_x[p->to] = from->goal_x[p->from];
    to->goal_y[p->to] = from->goal_y[p->from];
    to->arrived[p->to] = from->arrived[p->from];
    to->face[p->to] = c->same_meshes ? from->face[p->from] : -1;
    to->exit_edge[p->to] = c->same_meshes ? from->exit_edge[p->from] : -1;
}

static bool walks_by_corners(const throng_world *w, int32_t goal) { return w->routing.goals[goal].path_mesh >= 0; }

/* Does the file say of the agent's goal what it said before? */
static bool goal_stands(const migrating *c, const pair *p, const route_columns *to)
{
    if (p->later)
        return true;
    int32_t goal = (int32_t)throng_baseline_value(c->before, THRONG_COLUMN_goal, p->from);
    if (!throng_migrate_same_goal(c->old, goal, c->fresh, to->goal[p->to]))
        return false;
    uint32_t x, y;
    memcpy(&x, &to->goal_x[p->to], sizeof x);
    memcpy(&y, &to->goal_y[p->to], sizeof y);
    return goal < 0 || target_of(c->old, goal)->kind != THRONG_GOAL_OWN ||
           (x == throng_baseline_value(c->before, THRONG_COLUMN_goal_x, p->from) &&
            y == throng_baseline_value(c->before, THRONG_COLUMN_goal_y, p->from));
}

enum { SENT_NOWHERE = -1 };

/* Decides by pair: goals that stand are kept, or `send` has the old world's target that the agent is to be sent to. */
static void decide_goals(const migrating *c, const route_columns *from, const route_columns *to, int32_t *send)
{
    for (int32_t i = 0; i < c->count; i++) {
        const pair *p = &c->pairs[i];
        int32_t goal = from->goal[p->from], said = to->goal[p->to];
        bool by_machine = (from->state[p->from] >= 0 && (to->asked[p->to] != -1 || to->state[p->to] >= 0)) ||
                          throng_migrate_machine(c, p, from) > 0;
        send[i] = SENT_NOWHERE;
        if (by_machine || !goal_stands(c, p, to))
            continue;
        if (goal < 0 ||
            (said >= 0 && throng_migrate_same_goal(c->old, goal, c->fresh, said) && !walks_by_corners(c->old, goal)))
            throng_migrate_keep_goal(c, p, from, to, goal < 0 ? -1 : said);
        else
            send[i] = c->old->routing.goals[goal].target;
    }
}

/* The same target in the fresh world, -1 on failure. */
int32_t throng_migrate_target(throng_world *w, const world_target *t, throng_error *error)
{
    int32_t goal = t->kind == THRONG_GOAL_POINT    ? throng_world_goal_point(w, t->point, t->radius, error)
                   : t->kind == THRONG_GOAL_REGION ? throng_world_goal_regions(w, t->regions, t->region_count, error)
                                                   : throng_world_goal_own(w, t->radius, error);
    return goal >= 0 && t->direct ? throng_world_goal_direct(w, goal, error) : goal;
}

typedef struct batch {
    throng_handle *handles; /* [count] */
    throng_point *points;
    int32_t *pairs;
    int32_t count;
} batch;

static bool send_batch(const migrating *c, const batch *b, int32_t target, throng_error *error)
{
    const world_target *t = &c->old->routing.targets[target];
    int32_t goal = throng_migrate_target(c->fresh, t, error);
    const throng_point *points = t->kind == THRONG_GOAL_OWN ? b->points : NULL;
    if (goal < 0 || !throng_world_send(c->fresh, b->handles, b->count, goal, points, error))
        return throng_fail_in(error, "agents that go on");
    const int32_t *from = throng_agents_read(c->old->agents, THRONG_COLUMN_arrived, error);
    int32_t *to = throng_agents_write(c->fresh->agents, THRONG_COLUMN_arrived, error);
    if (!from || !to)
        return false;
    for (int32_t i = 0; i < b->count; i++)
        to[b->handles[i].slot] = from[c->pairs[b->pairs[i]].from];
    return true;
}

static bool send_all(const migrating *c, const route_columns *from, const int32_t *send, batch *b, throng_error *error)
{
    for (int32_t target = 0; target < c->old->routing.target_count; target++) {
        b->count = 0;
        for (int32_t i = 0; i < c->count; i++) {
            if (send[i] != target)
                continue;
            const pair *p = &c->pairs[i];
            b->handles[b->count] = c->out->became[p->from];
            b->points[b->count] = (throng_point){(double)from->goal_x[p->from], (double)from->goal_y[p->from]};
            b->pairs[b->count++] = i;
        }
        if (b->count && !send_batch(c, b, target, error))
            return false;
    }
    return true;
}

static bool migrate_goals(const migrating *c, throng_error *error)
{
    route_columns from, to;
    if (!throng_migrate_routes(c->old, false, &from, error) || !throng_migrate_routes(c->fresh, true, &to, error))
        return false;
    size_t room = (size_t)c->count + 1;
    int32_t *send = malloc(room * sizeof *send);
    batch b = {malloc(room * sizeof *b.handles), malloc(room * sizeof *b.points), malloc(room * sizeof *b.pairs), 0};
    bool ok = (send && b.handles && b.points && b.pairs) || throng_fail(error, "out of memory for %d agents", c->count);
    if (ok) {
        decide_goals(c, &from, &to, send);
        ok = send_all(c, &from, send, &b, error);
    }
    free(send);
    free(b.handles);
    free(b.points);
    free(b.pairs);
    return ok;
}

/* ---- the world */

static bool same_map(const throng_map *a, const throng_map *b)
{
    if (!a || !b)
        return !a && !b;
    return a->open == b->open && a->point_count == b->point_count && a->ring_count == b->ring_count &&
           a->door_count == b->door_count &&
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
    for (int32_t d = 0; c->old->doors.shut && d < c->old->map->door_count; d++)
        if (c->fresh->doors.shut[d] == c->before->door_shut[d] &&
            !throng_world_set_door(c->fresh, d, !c->old->doors.shut[d], error))
            return false;
    return true;
}

static bool migrate_totals(const migrating *c, throng_error *error)
{
    throng_world *w = c->fresh;
    const throng_world *old = c->old;
    w->step = old->step;
    w->gone.arrived = old->gone.arrived;
    w->gone.travel = old->gone.travel;
    w->gone.worst = old->gone.worst;
    w->gone.first = old->gone.first;
    w->gone.last = old->gone.last;
    w->gone.hash = old->gone.hash;
    w->times.steps = old->times.steps;
    w->stages.waited = old->stages.waited;
    w->arrivals.known = true; /* of the last step: those were told */
    c->out->kept = c->count;
    c->out->lost = throng_agents_count(old->agents) - c->count;
    return throng_world_count_pending(w, error);
}

static bool migrate_all(migrating *c, throng_error *error)
{
    note_kinds(c);
    c->same_meshes = throng_migrate_same_meshes(c->old, c->fresh);
    return pair_first(c, error) && pair_later(c, error) && migrate_become(c, error) && migrate_columns(c, error) &&
           migrate_planners(c, error) && number_fresh(c, error) && migrate_doors(c, error) && migrate_goals(c, error) &&
           throng_migrate_states(c, error) && throng_migrate_programs(c, error) &&
           throng_migrate_things(c, &c->before->things, &c->after->things, error) && migrate_totals(c, error) &&
           throng_world_locate(c->fresh, error);
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
    migrating c = {old, fresh, before, after, out, malloc(slots * sizeof(pair)), 0, false};
    out->became = calloc(slots, sizeof *out->became);
    out->machine = calloc(slots, sizeof *out->machine);
    out->successors = calloc((size_t)out->group_count + 1, sizeof *out->successors);
    bool ok = (c.pairs && out->became && out->machine && out->successors) ||
              throng_fail(error, "out of memory for %d agents", out->slots);
    ok = ok && migrate_all(&c, error);
    free(c.pairs);
    if (!ok)
        throng_migration_fini(out);
    return ok;
}

void throng_migration_fini(throng_migration *out)
{
    free(out->became);
    free(out->machine);
    free(out->successors);
    out->became = NULL;
    out->machine = NULL;
    out->successors = NULL;
}
