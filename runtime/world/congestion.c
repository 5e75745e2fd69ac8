/* Congestion: what the crowds before portals cost, for those who look for routes round them.
 *
 * Once a second everybody who walks on a mesh and is slower than it wants to be is counted, by the part of its speed
 * that it loses, at the narrowest of the portals ahead of it: that is what holds it up. The count over the portal's
 * capacity is the time that the crowd takes to get through; smoothed over a few seconds it is added to the portal's
 * length, as the path that could be walked in that time. Routes are found again only when some time has changed
 * clearly; and in the desire stage who stands in the crowd waits only for those before it, and turns to another way
 * only when that is clearly shorter. Without these three crowds flap from door to door.
 *
 * Everything is summed on the host in order of slot, from columns that are the same on every backend. */
#include <math.h>
#include <stdlib.h>

#include "world_parts.h"

enum { PORTALS_AHEAD = 16 };

static const double EVERY = 1;        /* s */
static const double SMOOTHING = 3;    /* s */
static const double WALKING = 1.34;   /* m/s: what a metre of path costs in time (Weidmann, 1993) */
static const double CLEARLY = 1;      /* s, */
static const double CLEAR_PART = 0.2; /* or this part of it: smaller changes leave the routes as they are */

static double width_of(const throng_navmesh *m, int32_t e)
{
    return hypot((double)m->bx[e] - (double)m->ax[e], (double)m->by[e] - (double)m->ay[e]);
}

/* The narrowest of the portals ahead, the first of those. */
static int32_t bottleneck(const throng_navmesh *m, const throng_path_map *tree, int32_t exit_edge)
{
    int32_t narrowest = exit_edge;
    double least = INFINITY;
    for (int32_t e = exit_edge, i = 0; e >= 0 && i < PORTALS_AHEAD; e = tree->next[e], i++) {
        double width = width_of(m, e);
        narrowest = width < least ? e : narrowest;
        least = fmin(width, least);
    }
    return narrowest;
}

typedef struct counted {
    const int32_t *state, *goal, *exit_edge;
    const float *x, *y, *vx, *vy, *wx, *wy;
} counted;

static bool read_columns(throng_agents *a, counted *c, throng_error *error)
{
#define READ(field, column) (c->field = throng_agents_read(a, THRONG_COLUMN_##column, error))
    return READ(state, state) && READ(goal, goal) && READ(exit_edge, exit_edge) && READ(x, x) && READ(y, y) &&
           READ(vx, vx) && READ(vy, vy) && READ(wx, desired_vx) && READ(wy, desired_vy);
#undef READ
}

/* The part of its speed that an agent loses. */
static double lost_speed(const counted *c, int32_t s)
{
    double wx = (double)c->wx[s], wy = (double)c->wy[s], wanted = wx * wx + wy * wy;
    double progress = wanted > 0 ? ((double)c->vx[s] * wx + (double)c->vy[s] * wy) / wanted : 1;
    return 1 - fmin(fmax(progress, 0), 1);
}

static void count_agent(const throng_world *w, const counted *c, int32_t s)
{
    const world_goal *g = &w->routing.goals[c->goal[s]];
    if (g->mesh < 0 || !g->path_map || !w->routing.meshes[g->mesh].congestion)
        return;
    const world_mesh *m = &w->routing.meshes[g->mesh];
    int32_t exit_edge = c->exit_edge[s] - m->first_edge;
    if (exit_edge < 0 || exit_edge >= m->mesh->edge_count)
        return;
    int32_t e = bottleneck(m->mesh, g->path_map, exit_edge);
    double x = 0.5 * ((double)m->mesh->ax[e] + (double)m->mesh->bx[e]) - (double)c->x[s];
    double y = 0.5 * ((double)m->mesh->ay[e] + (double)m->mesh->by[e]) - (double)c->y[s];
    double lost = lost_speed(c, s);
    m->congestion[e].lost += lost;
    m->congestion[e].square += lost * (x * x + y * y);
}

/* A half disc that is full of people reaches, squared, twice as far as their mean square distance. */
static bool settle_portal(const throng_navmesh *mesh, int32_t e, double capacity, world_congestion *q, float *delay)
{
    double through = q->lost / (capacity * (width_of(mesh, e) + 2 * mesh->radius));
    q->seconds += EVERY / SMOOTHING * (through - q->seconds);
    if (q->lost > 0)
        q->reach += EVERY / SMOOTHING * (2 * q->square / q->lost - q->reach);
    q->lost = q->square = 0;
    double known = (double)*delay / WALKING;
    if (fabs(q->seconds - known) <= fmax(CLEARLY, CLEAR_PART * known))
        return false;
    *delay = (float)(q->seconds * WALKING);
    return true;
}

static bool settle_portals(world_mesh *m, double capacity)
{
    bool changed = false;
    for (int32_t e = 0; m->congestion && e < m->mesh->edge_count; e++)
        if (m->mesh->twin[e] >= 0)
            changed |= settle_portal(m->mesh, e, capacity, &m->congestion[e], &m->delay[e]);
    return changed;
}

static bool update_routes(throng_world *w, int32_t mesh, throng_error *error)
{
    for (int32_t g = 0; g < w->routing.goal_count; g++)
        if (w->routing.goals[g].mesh == mesh && w->routing.goals[g].options.congestion &&
            !throng_world_renew_route(w, &w->routing.goals[g], error))
            return false;
    return true;
}

bool throng_world_follow_congestion(throng_world *w, throng_error *error)
{
    uint32_t steps = (uint32_t)fmax(round(EVERY / w->dt), 1);
    bool heeded = false;
    for (int32_t m = 0; m < w->routing.mesh_count; m++)
        heeded |= w->routing.meshes[m].congestion != NULL;
    counted c;
    if (!heeded || w->step % steps != 0)
        return true;
    if (!read_columns(w->agents, &c, error))
        return false;
    for (int32_t s = 0; s < throng_agents_slots(w->agents); s++)
        if (c.state[s] && c.goal[s] >= 0)
            count_agent(w, &c, s);
    for (int32_t m = 0; m < w->routing.mesh_count; m++)
        if (settle_portals(&w->routing.meshes[m], w->phases.capacity) && !update_routes(w, m, error))
            return false;
    return true;
}
