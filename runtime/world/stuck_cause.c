/* Why one agent is stuck: its path, its goal, its route, a door, a body, others, or a wall. */
#include <math.h>

#include "map/geometry.h"
#include "map/map_random.h"
#include "stuck_parts.h"

static const double DOOR_AHEAD = 2; /* m straight ahead, or on the way, in which a closed door is waited at */
static const double DOOR_ASIDE = 1; /* m: who was pushed aside from a closed door on its own path waits at it still */

enum { PORTALS_AHEAD = 16 };

static bool waits_for_path(const stuck_agent *a)
{
    return a->goal->path_mesh >= 0 && stuck_value(a->c->waypoint, a->slot) < 0 && a->slot < a->w->paths.own.slot_room &&
           a->w->paths.own.requests[a->slot].ticket;
}

/* Seeks or flees: its own goal is only a direction. */
static bool is_steered(const stuck_agent *a)
{
    int32_t state = stuck_value(a->c->machine, a->slot);
    return state >= 0 && a->w->fsm.table.state[state].action >= THRONG_FSM_SEEK;
}

/* Regions that are walked to on a mesh have some of it; who walks straight to one may not find any. */
static bool goal_in_wall(const stuck_agent *a)
{
    throng_point free_point;
    const world_target *t = a->target;
    if (!a->w->map || is_steered(a))
        return false;
    if (t->kind == THRONG_GOAL_REGION)
        return a->goal->mesh < 0 && !throng_map_random_point(a->w->map, t->regions, t->region_count, 0, 1, &free_point);
    throng_point to = t->kind == THRONG_GOAL_POINT
                          ? t->point
                          : (throng_point){(double)a->c->goal_x[a->slot], (double)a->c->goal_y[a->slot]};
    return !throng_map_fits(a->w->floor, to, fmax((double)a->c->radius[a->slot] - t->radius, 0));
}

static int32_t face_of(const throng_navmesh *mesh, throng_point p)
{
    float x, y;
    return throng_navmesh_nearest(mesh, (float)p.x, (float)p.y, (float)mesh->radius + 1, &x, &y);
}

static bool component_has_goal(const throng_navmesh *mesh, const int32_t *side_start, int32_t component)
{
    for (int32_t f = 0; f < mesh->face_count; f++)
        if (mesh->component[f] == component && side_start[f] < side_start[f + 1])
            return true;
    return false;
}

/* Its tree leads nowhere from there. */
static bool tree_ends(const stuck_agent *a, const throng_navmesh *m, int32_t face)
{
    throng_point at = throng_navmesh_position(m, face, a->at);
    return isinf(throng_path_map_ride(a->goal->path_map, face, (float)at.x, (float)at.y).ahead);
}

static bool has_no_route(const stuck_agent *a)
{
    int32_t mesh = a->goal->mesh >= 0 ? a->goal->mesh : a->goal->path_mesh;
    if (mesh < 0) /* points of its own are ahead of it */
        return !throng_world_shares_floor(a->w, a->target, a->at, a->at);
    if (a->goal->mesh < 0 && stuck_value(a->c->waypoint, a->slot) >= 0)
        return false;
    const throng_navmesh *m = a->w->routing.meshes[mesh].mesh;
    int32_t face = face_of(m, a->at);
    if (face < 0)
        return true;
    if (a->goal->path_map && m->sheet) /* lifts join what is apart, while they run, and belts lead one way */
        return tree_ends(a, m, face);
    if (a->goal->mesh >= 0)
        return !component_has_goal(m, throng_world_goal_sides(a->goal), m->component[face]);
    int32_t there = face_of(m, (throng_point){(double)a->c->goal_x[a->slot], (double)a->c->goal_y[a->slot]});
    return there < 0 || m->component[there] != m->component[face];
}

/* --- doors --- */

static bool crosses(throng_point a, throng_point b, throng_point c, throng_point d)
{
    return throng_turn(a, b, c) * throng_turn(a, b, d) <= 0 && throng_turn(c, d, a) * throng_turn(c, d, b) <= 0;
}

/* Closed, or leads the other way. */
static bool is_shut_from(const throng_world *w, int32_t door, throng_point from)
{
    const throng_door *d = &w->map->doors[door];
    int way = w->doors.way[door], side = throng_turn(d->a, d->b, from) >= 0 ? 1 : -1;
    return w->doors.shut[door] || (way && way != side);
}

static bool crosses_shut(const throng_world *w, throng_point a, throng_point b)
{
    for (int32_t d = 0; d < w->map->door_count; d++)
        if (is_shut_from(w, d, a) && crosses(a, b, w->map->doors[d].a, w->map->doors[d].b))
            return true;
    return false;
}

static bool passes_shut(const throng_world *w, throng_point a, throng_point b)
{
    for (int32_t d = 0; d < w->map->door_count; d++)
        if (w->doors.shut[d] && fmin(throng_segment_distance(a, b, w->map->doors[d].a),
                                     throng_segment_distance(a, b, w->map->doors[d].b)) < DOOR_ASIDE)
            return true;
    return false;
}

/* By the tree the path leads through a closed door, or through a body, though it may be far ahead: a crowd stands
 * before it. */
static bool shut_on_tree(const stuck_agent *a, bool by_body)
{
    const world_mesh *m = a->goal->mesh >= 0 ? &a->w->routing.meshes[a->goal->mesh] : NULL;
    int32_t e = m && a->goal->path_map ? stuck_value(a->c->exit_edge, a->slot) - m->first_edge : -1;
    for (int32_t i = 0; e >= 0 && e < m->mesh->edge_count && i < PORTALS_AHEAD; i++, e = a->goal->path_map->next[e])
        if (m->mesh->shut[e])
            return (m->mesh->door[e] == THRONG_NAVMESH_BODY) == by_body;
    return false;
}

/* No other way is known, or its own path was found as if nothing stood there. */
static bool waits_at_body(const stuck_agent *a)
{
    int32_t own = a->goal->path_mesh;
    return shut_on_tree(a, true) || (own >= 0 && a->w->routing.meshes[own].mesh->covered &&
                                     a->slot < a->w->paths.own.slot_room && a->w->paths.own.requests[a->slot].through);
}

static bool shut_on_path(const stuck_agent *a)
{
    const world_path_own *own = &a->w->paths.own;
    int32_t k = a->goal->path_mesh >= 0 ? stuck_value(a->c->waypoint, a->slot) : -1;
    throng_point from = a->at;
    for (bool more = k >= 0 && k < own->count; more; k++) {
        throng_point to = {(double)own->x[k], (double)own->y[k]};
        if (crosses_shut(a->w, from, to) || passes_shut(a->w, from, to))
            return true;
        from = to;
        more = own->turn[k] != 0;
    }
    return false;
}

/* Asked for a path and has none, though there is a path: the doors are why. */
static bool shut_everywhere(const stuck_agent *a)
{
    bool some = false;
    for (int32_t d = 0; d < a->w->map->door_count; d++)
        some |= is_shut_from(a->w, d, a->at);
    return some && a->goal->path_mesh >= 0 && stuck_value(a->c->waypoint, a->slot) < 0;
}

static bool waits_at_door(const stuck_agent *a)
{
    if (!a->w->map || !a->w->map->door_count)
        return false;
    throng_point ahead = {a->at.x + DOOR_AHEAD * a->dx, a->at.y + DOOR_AHEAD * a->dy};
    return shut_everywhere(a) || shut_on_tree(a, false) || shut_on_path(a) || crosses_shut(a->w, a->at, ahead);
}

/* --- bodies and walls --- */

/* One of the segments in `grid`: the walls', or the sides of bodies. */
static bool wall_before(const stuck_agent *a, const throng_wall_grid *grid)
{
    const throng_walls *k = &a->w->walls.table;
    double reach = (double)a->c->radius[a->slot] + STUCK_GAP;
    int32_t column = throng_cell_of(a->at.x, (double)grid->origin_x, (double)grid->cell, grid->columns);
    int32_t row = throng_cell_of(a->at.y, (double)grid->origin_y, (double)grid->cell, grid->rows);
    int32_t cell = row * grid->columns + column;
    for (int32_t i = grid->start[cell]; i < grid->start[cell + 1]; i++) {
        int32_t s = grid->list[i];
        throng_point q = throng_nearest_on((throng_point){(double)k->ax[s], (double)k->ay[s]},
                                           (throng_point){(double)k->bx[s], (double)k->by[s]}, a->at);
        double x = q.x - a->at.x, y = q.y - a->at.y, distance = hypot(x, y);
        if (distance <= reach && x * a->dx + y * a->dy >= STUCK_AHEAD * distance)
            return true;
    }
    return false;
}

/* It walks straight on to a goal that doors lead away from, and to which no other way leads. */
static bool is_cut_off(const stuck_agent *a)
{
    const throng_navmesh *m = a->goal->path_map ? a->w->routing.meshes[a->goal->mesh].mesh : NULL;
    int32_t face = m ? face_of(m, a->at) : -1;
    return face >= 0 && tree_ends(a, m, face);
}

throng_stuck_cause throng_stuck_cause_of(stuck_agent *a)
{
    if (waits_for_path(a))
        return THRONG_STUCK_PATH;
    if (goal_in_wall(a))
        return THRONG_STUCK_GOAL;
    if (has_no_route(a))
        return THRONG_STUCK_ROUTE;
    if (waits_at_door(a))
        return THRONG_STUCK_DOOR;
    if (waits_at_body(a))
        return THRONG_STUCK_BODY;
    stuck_before before = throng_stuck_look_before(a);
    if (before != STUCK_BEFORE_NOBODY)
        return before == STUCK_BEFORE_OPPOSED ? THRONG_STUCK_STANDOFF : THRONG_STUCK_CROWD;
    if (is_cut_off(a))
        return THRONG_STUCK_ROUTE;
    const throng_walls *walls = &a->w->walls.table;
    if (walls->sides && wall_before(a, &walls->moving))
        return THRONG_STUCK_BODY;
    return walls->count > walls->sides && wall_before(a, &walls->still) ? THRONG_STUCK_WALL : THRONG_STUCK_PLANNER;
}
