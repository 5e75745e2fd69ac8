/* Is an agent's goal taken, by those who have arrived there? */
#include <math.h>

#include "map/geometry.h"
#include "stuck_parts.h"

static const double GOAL_NEAR = 2; /* s of walking: who is farther from its goal does not walk round it (progress.h) */

/* The nearest place of its goal. */
static throng_point goal_place(const stuck_agent *a)
{
    const world_target *t = a->target;
    if (t->kind == THRONG_GOAL_POINT)
        return t->point;
    if (t->kind == THRONG_GOAL_OWN)
        return (throng_point){(double)a->c->goal_x[a->slot], (double)a->c->goal_y[a->slot]};
    throng_point best = {INFINITY, INFINITY};
    for (int32_t r = 0; r < t->region_count; r++)
        for (int32_t i = 0, count = t->regions[r].count; i < count; i++) {
            const throng_point *p = t->regions[r].points;
            throng_point q = throng_nearest_on(p[i], p[(i + 1) % count], a->at);
            best = throng_distance(q, a->at) < throng_distance(best, a->at) ? q : best;
        }
    return best;
}

typedef struct goal_taken {
    const stuck_agent *agent;
    throng_point place;
} goal_taken;

static bool takes_goal(void *context, int32_t other)
{
    const goal_taken *g = context;
    const stuck_columns *c = g->agent->c;
    return throng_stuck_stands_at_goal(g->agent, other) &&
           throng_distance(stuck_place(c, other), g->place) <
               (double)c->radius[g->agent->slot] + (double)c->radius[other];
}

bool throng_stuck_goal_is_taken(const stuck_agent *a)
{
    goal_taken g = {a, goal_place(a)};
    double near = GOAL_NEAR * hypot((double)a->c->wx[a->slot], (double)a->c->wy[a->slot]);
    return stuck_value(a->c->machine, a->slot) < 0 && throng_distance(g.place, a->at) < near &&
           throng_near_points_visit(a->near, g.place, takes_goal, &g);
}
