/* Where agents that go on are going: goals that stand are kept, and the others are sent again. */
#include <stdlib.h>
#include <string.h>

#include "world_migrate_parts.h"

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
    return goal < 0 || throng_migrate_target_of(c->old, goal)->kind != THRONG_GOAL_OWN ||
           (x == throng_baseline_value(c->before, THRONG_COLUMN_goal_x, p->from) &&
            y == throng_baseline_value(c->before, THRONG_COLUMN_goal_y, p->from));
}

enum { SENT_NOWHERE = -1 };

/* Decides by pair: goals that stand are kept, or `send` has the old world's that the agent is to be sent to. */
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
            send[i] = goal;
    }
}

typedef struct batch {
    throng_handle *handles; /* [count] */
    throng_point *points;
    world_route_options *options;
    int32_t *pairs;
    int32_t count;
} batch;

static bool send_batch(const migrating *c, const batch *b, int32_t target, throng_error *error)
{
    const world_target *t = &c->old->routing.targets[target];
    int32_t goal = throng_migrate_target(c->fresh, t, error);
    const throng_point *points = t->kind == THRONG_GOAL_OWN ? b->points : NULL;
    if (goal < 0 || !throng_world_send_as(c->fresh, b->handles, b->count, goal, points, b->options, error))
        return throng_fail_in(error, "agents that go on");
    const int32_t *from = throng_agents_read(c->old->agents, THRONG_COLUMN_arrived, error);
    int32_t *to = throng_agents_write(c->fresh->agents, THRONG_COLUMN_arrived, error);
    if (!from || !to)
        return false;
    for (int32_t i = 0; i < b->count; i++)
        to[b->handles[i].slot] = from[c->pairs[b->pairs[i]].from];
    return true;
}

/* As it was sent, whatever was written into its columns since; but as they say where the file has changed those. */
static world_route_options options_of(const migrating *c, const pair *p, int32_t goal)
{
    world_route_options was = throng_world_route_options_of(c->old, p->from),
                        is = throng_world_route_options_of(c->fresh, p->to);
    return memcmp(&was, &is, sizeof is) == 0 ? throng_world_route_options_to(c->old, goal)
                                             : (world_route_options){.routing = THRONG_ROUTING_OWN};
}

static bool send_all(const migrating *c, const route_columns *from, const int32_t *send, batch *b, throng_error *error)
{
    for (int32_t target = 0; target < c->old->routing.target_count; target++) {
        b->count = 0;
        for (int32_t i = 0; i < c->count; i++) {
            if (send[i] < 0 || c->old->routing.goals[send[i]].target != target)
                continue;
            const pair *p = &c->pairs[i];
            b->handles[b->count] = c->out->became[p->from];
            b->points[b->count] = (throng_point){(double)from->goal_x[p->from], (double)from->goal_y[p->from]};
            b->options[b->count] = options_of(c, p, send[i]);
            b->pairs[b->count++] = i;
        }
        if (b->count && !send_batch(c, b, target, error))
            return false;
    }
    return true;
}

bool throng_migrate_goals(const migrating *c, throng_error *error)
{
    route_columns from, to;
    if (!throng_migrate_routes(c->old, false, &from, error) || !throng_migrate_routes(c->fresh, true, &to, error))
        return false;
    size_t room = (size_t)c->count + 1;
    int32_t *send = malloc(room * sizeof *send);
    batch b = {malloc(room * sizeof *b.handles), malloc(room * sizeof *b.points), malloc(room * sizeof *b.options),
               malloc(room * sizeof *b.pairs), 0};
    bool ok = (send && b.handles && b.points && b.options && b.pairs) ||
              throng_fail(error, "out of memory for %d agents", c->count);
    if (ok) {
        decide_goals(c, &from, &to, send);
        ok = send_all(c, &from, send, &b, error);
    }
    free(send);
    free(b.handles);
    free(b.points);
    free(b.options);
    free(b.pairs);
    return ok;
}
