/* States of machines in a world that goes on. */
#include <string.h>

#include "world_migrate_parts.h"

/* The machine that begins with the state, or has it. */
static const world_machine *machine_with(const throng_world *w, int32_t state)
{
    for (int32_t m = 0; m < w->fsm.machine_count; m++) {
        const world_machine *machine = &w->fsm.machines[m];
        if (state >= machine->first_state && state < machine->first_state + machine->states)
            return machine;
    }
    return NULL;
}

/* What the agent in slot `s` runs, or has been told to. */
static const world_machine *running(const throng_world *w, const route_columns *c, int32_t s)
{
    return machine_with(w, c->asked[s] >= 0 ? c->asked[s] : c->state[s]);
}

int64_t throng_migrate_machine(const migrating *c, const pair *p, const route_columns *from)
{
    const world_machine *now = running(c->old, from, p->from), *first = NULL;
    if (!p->later)
        first = machine_with(c->old, (int32_t)throng_baseline_value(c->before, THRONG_COLUMN_fsm_asked, p->from));
    return now && (!first || now->number != first->number) ? now->number : 0;
}

static int32_t state_named(const throng_world *w, const world_machine *m, const char *name)
{
    for (int32_t s = m->first_state; s < m->first_state + m->states; s++)
        if (strcmp(w->fsm.names[s], name) == 0)
            return s;
    return -1;
}

/* Do agents in these states do the same? What they go on to may differ. */
static bool same_doing(const migrating *c, const throng_fsm_state *a, const throng_fsm_state *b)
{
    bool same = a->action == b->action && a->x == b->x && a->y == b->y && a->reach == b->reach &&
                a->least == b->least && a->most == b->most && a->goals == b->goals && (a->path < 0) == (b->path < 0);
    for (int32_t g = 0; same && g < a->goals; g++)
        same = throng_migrate_same_goal(c->old, c->old->fsm.table.goal[a->first_goal + g], c->fresh,
                                        c->fresh->fsm.table.goal[b->first_goal + g]);
    return same;
}

/* The goal of the old state as the fresh one has it; false when it is none of its goals. */
static bool state_goal(const migrating *c, const throng_fsm_state *a, const throng_fsm_state *b, int32_t old,
                       int32_t *now)
{
    const throng_fsm *before = &c->old->fsm.table, *after = &c->fresh->fsm.table;
    *now = old < 0 ? -1 : after->own;
    if (old < 0 || old == before->own)
        return true;
    for (int32_t g = 0; g < a->goals; g++)
        if (before->goal[a->first_goal + g] == old) {
            *now = after->goal[b->first_goal + g];
            return true;
        }
    return false;
}

typedef struct state_columns {
    int32_t *before, *since, *until;
} state_columns;

static bool state_columns_of(throng_world *w, bool write, state_columns *c, throng_error *error)
{
    static const int columns[] = {THRONG_COLUMN_fsm_before, THRONG_COLUMN_fsm_since, THRONG_COLUMN_fsm_until};
    void *array[3];
    for (int i = 0; i < 3; i++) {
        array[i] = write ? throng_agents_write(w->agents, columns[i], error)
                         : (void *)throng_agents_read(w->agents, columns[i], error);
        if (!array[i])
            return false;
    }
    *c = (state_columns){array[0], array[1], array[2]};
    return true;
}

/* Its state goes on when one of its name does the same; it is entered again when that does something else. */
static void migrate_state(const migrating *c, const pair *p, const route_columns *from, const route_columns *to,
                          const state_columns *old, const state_columns *now)
{
    const world_machine *machine = machine_with(c->fresh, to->asked[p->to]);
    int32_t was = from->state[p->from], goal;
    int32_t state = machine ? state_named(c->fresh, machine, c->old->fsm.names[was]) : -1;
    c->out->restarted += machine && state < 0;
    if (state < 0)
        return;
    const throng_fsm_state *a = &c->old->fsm.table.state[was], *b = &c->fresh->fsm.table.state[state];
    if (!same_doing(c, a, b) || !state_goal(c, a, b, from->goal[p->from], &goal)) {
        to->asked[p->to] = state;
        return;
    }
    int32_t before = old->before[p->from];
    to->state[p->to] = state;
    to->asked[p->to] = -1;
    now->before[p->to] = before < 0 ? -1 : state_named(c->fresh, machine, c->old->fsm.names[before]);
    now->since[p->to] = old->since[p->from];
    now->until[p->to] = old->until[p->from];
    throng_migrate_keep_goal(c, p, from, to, goal);
}

typedef struct all_columns {
    route_columns from, to;
    state_columns old, now;
} all_columns;

static bool all_columns_of(const migrating *c, all_columns *all, throng_error *error)
{
    return throng_migrate_routes(c->old, false, &all->from, error) &&
           throng_migrate_routes(c->fresh, true, &all->to, error) &&
           state_columns_of(c->old, false, &all->old, error) && state_columns_of(c->fresh, true, &all->now, error);
}

bool throng_migrate_states(const migrating *c, throng_error *error)
{
    all_columns a;
    if (!c->old->fsm.table.states)
        return true;
    if (!all_columns_of(c, &a, error))
        return false;
    for (int32_t i = 0; i < c->count; i++) {
        const pair *p = &c->pairs[i];
        int64_t machine = throng_migrate_machine(c, p, &a.from);
        c->out->machine[p->from] = machine;
        if (!machine && a.from.state[p->from] >= 0 && a.to.asked[p->to] >= 0)
            migrate_state(c, p, &a.from, &a.to, &a.old, &a.now);
    }
    return true;
}

/* The mesh that the agent walks on; who stands in a state of its machine, on that of the other states. NULL: on none */
static const world_mesh *mesh_of(const throng_world *w, const route_columns *c, int32_t s)
{
    const world_machine *machine = running(w, c, s);
    int32_t mesh = machine ? machine->profile.mesh : c->goal[s] < 0 ? -1 : w->routing.goals[c->goal[s]].mesh;
    return mesh < 0 ? NULL : &w->routing.meshes[mesh];
}

bool throng_migrate_locate(throng_world *w, throng_error *error)
{
    if (!w->routing.mesh_count)
        return true;
    route_columns c;
    const int32_t *state = throng_agents_read(w->agents, THRONG_COLUMN_state, error);
    const float *x, *y, *radius = throng_agents_read(w->agents, THRONG_COLUMN_radius, error);
    if (!state || !radius || !throng_world_places(w, &x, &y, error) || !throng_migrate_routes(w, true, &c, error))
        return false;
    for (int32_t s = 0; s < throng_agents_slots(w->agents); s++) {
        const world_mesh *m = state[s] ? mesh_of(w, &c, s) : NULL;
        int32_t at = m ? c.face[s] - m->first_face : 0;
        if (!m || (at >= 0 && at < m->mesh->face_count))
            continue;
        at = throng_world_face_near(m->mesh, x[s], y[s], radius[s]);
        c.face[s] = at < 0 ? -1 : m->first_face + at;
        c.exit_edge[s] = -1;
    }
    return true;
}

bool throng_world_migrate_machine(throng_world *fresh, throng_world *old, throng_migration *migration, int64_t machine,
                                  throng_error *error)
{
    all_columns a;
    migrating c = {.old = old, .fresh = fresh, .out = migration, .same_meshes = throng_migrate_same_meshes(old, fresh)};
    if (!all_columns_of(&c, &a, error))
        return false;
    for (int32_t s = 0; s < migration->slots; s++) {
        pair p = {.from = s, .to = migration->became[s].slot};
        if (migration->became[s].generation && migration->machine[s] == machine && a.from.state[s] >= 0)
            migrate_state(&c, &p, &a.from, &a.to, &a.old, &a.now);
    }
    return throng_migrate_locate(fresh, error) && throng_world_count_pending(fresh, error);
}
