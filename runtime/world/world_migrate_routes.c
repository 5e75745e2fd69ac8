/* Goals and routes of both worlds: whether they are the same, and keeping them. */
#include <string.h>

#include "world_migrate_parts.h"

const world_target *throng_migrate_target_of(const throng_world *w, int32_t goal)
{
    return &w->routing.targets[w->routing.goals[goal].target];
}

bool throng_migrate_same_goal(const throng_world *a, int32_t goal_a, const throng_world *b, int32_t goal_b)
{
    if (goal_a < 0 || goal_b < 0)
        return goal_a < 0 && goal_b < 0;
    return throng_world_same_target(throng_migrate_target_of(a, goal_a), throng_migrate_target_of(b, goal_b));
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

static bool take_congestion(const world_mesh *from, world_mesh *to)
{
    bool known = from->congestion && to->congestion && from->mesh->edge_count == to->mesh->edge_count;
    if (known) {
        memcpy(to->congestion, from->congestion, (size_t)to->mesh->edge_count * sizeof *to->congestion);
        memcpy(to->delay, from->delay, (size_t)to->mesh->edge_count * sizeof *to->delay);
    }
    return known;
}

bool throng_migrate_congestion(const migrating *c, throng_error *error)
{
    throng_world *w = c->fresh;
    for (int32_t m = 0; c->same_meshes && m < c->old->routing.mesh_count; m++) {
        bool known = take_congestion(&c->old->routing.meshes[m], &w->routing.meshes[m]);
        for (int32_t g = 0; known && g < w->routing.goal_count; g++)
            if (w->routing.goals[g].mesh == m && w->routing.goals[g].options.congestion &&
                !throng_world_renew_route(w, &w->routing.goals[g], error))
                return false;
    }
    return true;
}

/* The same target in the fresh world, -1 on failure. */
int32_t throng_migrate_target(throng_world *w, const world_target *t, throng_error *error)
{
    int32_t goal = t->kind == THRONG_GOAL_POINT    ? throng_world_goal_point(w, t->point, t->radius, error)
                   : t->kind == THRONG_GOAL_REGION ? throng_world_goal_regions(w, t->regions, t->region_count, error)
                                                   : throng_world_goal_own(w, t->radius, error);
    return goal >= 0 && t->direct ? throng_world_goal_direct(w, goal, error) : goal;
}
