/* Who is who: which agents of the old world go on as which of the fresh one's. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "world_migrate_parts.h"

/* The fresh world's group that goes on as the old one's, -1: none does. */
static int32_t successor(const migrating *c, int32_t group)
{
    int32_t now = throng_world_group_named(c->fresh, c->old->groups.list[group].name);
    bool first = group < c->before->groups;
    return now >= 0 && (!first || c->before->count[group] == c->after->count[now]) ? now : -1;
}

static void note_kinds(migrating *c)
{
    size_t used = 0;
    for (int32_t k = 0; k < c->out->group_count; k++)
        c->out->successors[k] = successor(c, k);
    for (int32_t k = 0; k < c->before->groups; k++) {
        const char *name = c->old->groups.list[k].name;
        if (successor(c, k) >= 0 || throng_world_group_named(c->fresh, name) < 0 ||
            used + strlen(name) + 3 > sizeof c->out->groups)
            continue;
        used += (size_t)snprintf(c->out->groups + used, sizeof c->out->groups - used, "%s%s", used ? ", " : "", name);
    }
}

static bool was_there(const throng_baseline *b, const throng_world *w, int32_t slot)
{
    return slot < b->slots && throng_baseline_has(b, slot) && throng_agents_alive(w->agents, b->agent[slot]);
}

/* By group and rank, the slots of the fresh world's agents. */
static int32_t *slots_by_kind(const throng_baseline *b, int32_t *start)
{
    int32_t *list = malloc(((size_t)b->slots + 1) * sizeof *list);
    start[0] = 0;
    for (int32_t k = 0; k < b->groups; k++)
        start[k + 1] = start[k] + b->count[k];
    for (int32_t s = 0; list && s < b->slots; s++)
        if (throng_baseline_has(b, s))
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
        int32_t group = throng_baseline_has(c->before, s) ? successor(c, c->before->group[s]) : -1;
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
    now = throng_world_add_group(c->fresh, c->old->groups.list[group].name, error);
    c->out->successors[group] = now;
    if (now >= 0)
        c->fresh->groups.list[now].colour = c->old->groups.list[group].colour;
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

bool throng_migrate_agents(migrating *c, throng_error *error)
{
    note_kinds(c);
    return pair_first(c, error) && pair_later(c, error) && migrate_become(c, error);
}

bool throng_migrate_stay(migrating *c, throng_error *error)
{
    const int32_t *state = throng_agents_read(c->old->agents, THRONG_COLUMN_state, error);
    note_kinds(c);
    for (int32_t k = c->before->groups; k < c->old->groups.count; k++)
        if (throng_migrate_group_of(c, k, error) < 0)
            return false;
    for (int32_t s = 0; state && s < throng_agents_slots(c->old->agents); s++)
        if (state[s])
            join(c, s, throng_agents_handle(c->old->agents, s), !was_there(c->before, c->old, s));
    return state != NULL;
}

/* Who starts over is born now, with numbers that nobody had. */
bool throng_migrate_number(const migrating *c, throng_error *error)
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

/* As the old world has it, unless the file says another than before; that gets numbers that no company had. */
static int32_t company_of(const migrating *c, const pair *p, const int32_t *was, int32_t now)
{
    int32_t first = p && !p->later ? (int32_t)throng_baseline_value(c->before, THRONG_COLUMN_company, p->from) : -1;
    if (p && (p->later || now == first))
        return was ? was[p->from] : -1;
    return now < 0 ? -1 : now + c->old->companies;
}

bool throng_migrate_companies(const migrating *c, throng_error *error)
{
    throng_agents *from = c->old->agents, *to = c->fresh->agents;
    bool known = throng_agents_uses(from, THRONG_COLUMN_company);
    if (!known && !throng_agents_uses(to, THRONG_COLUMN_company))
        return true;
    int32_t slots = throng_agents_slots(to);
    const int32_t *was = known ? throng_agents_read(from, THRONG_COLUMN_company, error) : NULL;
    int32_t *now = throng_agents_write(to, THRONG_COLUMN_company, error);
    const pair **of = calloc((size_t)slots + 1, sizeof *of);
    bool ok = of || throng_fail(error, "out of memory for %d agents", slots);
    ok = ok && now && (was || !known);
    for (int32_t i = 0; ok && i < c->count; i++)
        of[c->pairs[i].to] = &c->pairs[i];
    for (int32_t s = 0; ok && s < slots; s++)
        now[s] = company_of(c, of[s], was, now[s]);
    free(of);
    c->fresh->companies += c->old->companies;
    return ok && throng_world_link_companies(c->fresh, error);
}
