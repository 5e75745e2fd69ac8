/* Goals: what agents are sent to, who can get there, and the backend's table of them. The routes there are in
 * routing.c. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "world_parts.h"

/* --- targets ---------------------------------------------------------------------------- */

static bool same_regions(const world_target *t, const throng_region *regions, int32_t count)
{
    if (t->region_count != count)
        return false;
    for (int32_t r = 0; r < count; r++) {
        const throng_region *a = &t->regions[r], *b = &regions[r];
        if (a->count != b->count || memcmp(a->points, b->points, (size_t)a->count * sizeof *a->points) != 0)
            return false;
    }
    return true;
}

bool throng_world_same_target(const world_target *t, const world_target *like)
{
    return t->kind == like->kind && t->direct == like->direct && t->point.x == like->point.x &&
           t->point.y == like->point.y && t->radius == like->radius &&
           same_regions(t, like->regions, like->region_count);
}

static int32_t find_target(const throng_world *w, const world_target *like)
{
    for (int32_t i = 0; i < w->routing.target_count; i++)
        if (throng_world_same_target(&w->routing.targets[i], like))
            return i;
    return -1;
}

static void free_regions(throng_region *regions, int32_t count)
{
    for (int32_t r = 0; r < count; r++) {
        free(regions[r].name);
        free(regions[r].points);
    }
    free(regions);
}

static throng_region *copy_regions(const throng_region *regions, int32_t count)
{
    throng_region *copy = calloc((size_t)count + 1, sizeof *copy);
    for (int32_t r = 0; copy && r < count; r++) {
        copy[r].name = strdup(regions[r].name ? regions[r].name : "");
        copy[r].count = regions[r].count;
        copy[r].points = malloc((size_t)regions[r].count * sizeof *copy[r].points);
        if (!copy[r].name || !copy[r].points) {
            free_regions(copy, count);
            return NULL;
        }
        memcpy(copy[r].points, regions[r].points, (size_t)regions[r].count * sizeof *copy[r].points);
    }
    return copy;
}

static int32_t add_target(throng_world *w, const world_target *like, throng_error *error)
{
    int32_t found = find_target(w, like);
    if (found >= 0)
        return found;
    throng_region *regions = copy_regions(like->regions, like->region_count);
    if (!regions || !throng_array_reserve((void **)&w->routing.targets, &w->routing.target_room,
                                          (int64_t)w->routing.target_count + 1, sizeof *w->routing.targets)) {
        free_regions(regions, regions ? like->region_count : 0);
        throng_fail(error, "out of memory for a goal");
        return -1;
    }
    w->routing.targets[w->routing.target_count] = *like;
    w->routing.targets[w->routing.target_count].regions = regions;
    return w->routing.target_count++;
}

static bool check_radius(double radius, throng_error *error)
{
    if (!(radius > 0) || isinf(radius))
        return throng_fail(error, "a goal's radius must be more than 0 m, not %g", radius);
    return true;
}

int32_t throng_world_goal_point(throng_world *w, throng_point point, double radius, throng_error *error)
{
    if (!isfinite(point.x) || !isfinite(point.y)) {
        throng_fail(error, "a goal must be a finite point, not (%g, %g)", point.x, point.y);
        return -1;
    }
    world_target t = {.kind = THRONG_GOAL_POINT, .point = point, .radius = radius};
    return check_radius(radius, error) ? add_target(w, &t, error) : -1;
}

int32_t throng_world_goal_regions(throng_world *w, const throng_region *regions, int32_t count, throng_error *error)
{
    if (count < 1) {
        throng_fail(error, "a goal needs at least one region");
        return -1;
    }
    world_target t = {.kind = THRONG_GOAL_REGION, .regions = (throng_region *)regions, .region_count = count};
    return add_target(w, &t, error);
}

int32_t throng_world_goal_own(throng_world *w, double radius, throng_error *error)
{
    world_target t = {.kind = THRONG_GOAL_OWN, .radius = radius};
    return check_radius(radius, error) ? add_target(w, &t, error) : -1;
}

int32_t throng_world_goal_direct(throng_world *w, int32_t goal, throng_error *error)
{
    world_target t = w->routing.targets[goal];
    t.direct = true;
    return add_target(w, &t, error);
}

/* --- sending ---------------------------------------------------------------------------------- */

static bool same_options(const world_route_options *a, const world_route_options *b)
{
    return a->routing == b->routing && a->door_policy == b->door_policy && a->congestion == b->congestion;
}

static world_goal straight_to(int32_t target)
{
    return (world_goal){.target = target, .mesh = -1, .path_mesh = -1, .options = {.routing = THRONG_ROUTING_DIRECT}};
}

/* The goal entry of a target on a mesh (-1: straight). */
static int32_t goal_for(throng_world *w, world_goal goal, throng_error *error)
{
    for (int32_t g = 0; g < w->routing.goal_count; g++)
        if (w->routing.goals[g].target == goal.target && w->routing.goals[g].mesh == goal.mesh &&
            w->routing.goals[g].path_mesh == goal.path_mesh &&
            same_options(&w->routing.goals[g].options, &goal.options))
            return g;
    if (!throng_array_reserve((void **)&w->routing.goals, &w->routing.goal_room, (int64_t)w->routing.goal_count + 1,
                              sizeof *w->routing.goals)) {
        throng_fail(error, "out of memory for a goal");
        return -1;
    }
    if (goal.mesh >= 0 && !throng_world_find_route(w, &goal, error))
        return -1;
    w->routing.goals[w->routing.goal_count] = goal;
    w->routing.changed = true;
    return w->routing.goal_count++;
}

int32_t throng_world_place(throng_world *w, int32_t goal, throng_error *error)
{
    return goal_for(w, straight_to(goal), error);
}

/* --- sending ---------------------------------------------------------------------------------- */

static double largest_radius(throng_world *w, const throng_handle *handles, int32_t count, throng_error *error)
{
    const float *radius = throng_agents_read(w->agents, THRONG_COLUMN_radius, error);
    double largest = 0;
    for (int32_t i = 0; radius && i < count; i++)
        if (throng_agents_alive(w->agents, handles[i]))
            largest = fmax(largest, radius[handles[i].slot]);
    return radius ? largest : -1;
}

int32_t throng_world_face_near(const throng_navmesh *mesh, float x, float y, float radius)
{
    float on_x, on_y;
    int32_t face = throng_navmesh_face_at(mesh, x, y);
    return face >= 0 ? face : throng_navmesh_nearest(mesh, x, y, radius + 1, &on_x, &on_y);
}

/* Agents that are sent together, and what is found out of them before anybody goes. */
typedef struct sending {
    const throng_handle *handles;
    int32_t count;
    int32_t *face; /* [count] of the mesh */
    int32_t *goal; /* [count] -1: gone */
    world_route_options *options;
} sending;

enum { UNDECIDED = -2 };

/* Which parts of the mesh hold some of the goal. NULL when memory is out. */
static uint8_t *parts_with(const throng_navmesh *mesh, const int32_t *side_start)
{
    uint8_t *parts = calloc((size_t)mesh->component_count + 1, 1);
    for (int32_t f = 0; parts && f < mesh->face_count; f++)
        parts[mesh->component[f]] |= side_start[f] < side_start[f + 1];
    return parts;
}

static bool fail_to_reach(throng_world *w, const sending *s, int32_t lost, int32_t first, const throng_navmesh *mesh,
                          throng_error *error)
{
    int32_t slot = s->handles[first].slot;
    const float *x = throng_agents_read(w->agents, THRONG_COLUMN_x, error);
    const float *y = throng_agents_read(w->agents, THRONG_COLUMN_y, error);
    if (!x || !y)
        return false;
    return throng_fail(error,
                       "%d of %d agents cannot reach the goal: the first, at (%.2f, %.2f), %s for a radius of %.2f m; "
                       "move the goal or the agents, widen the way, or make the agents smaller",
                       lost, s->count, x[slot], y[slot],
                       s->face[first] < 0 ? "stands where no free space is wide enough"
                                          : "has no path there wide enough",
                       mesh->radius);
}

/* Sends those who find their way as `like` says to its target, on its mesh; an error when some have none. */
static bool find_goal(throng_world *w, sending *s, world_goal like, throng_error *error)
{
    int32_t goal = -1, lost = 0, first = -1;
    const throng_navmesh *m = w->routing.meshes[like.mesh].mesh;
    uint8_t *parts = NULL;
    for (int32_t i = 0; i < s->count; i++) {
        if (s->goal[i] != UNDECIDED || !same_options(&s->options[i], &like.options))
            continue;
        if (goal < 0 && ((goal = goal_for(w, like, error)) < 0 ||
                         !(parts = parts_with(m, throng_world_goal_sides(&w->routing.goals[goal])))))
            return goal < 0 ? false : throng_fail(error, "out of memory for sending %d agents", s->count);
        bool ok = s->face[i] >= 0 && parts[m->component[s->face[i]]];
        first = !ok && first < 0 ? i : first;
        lost += !ok;
        s->goal[i] = goal;
    }
    free(parts);
    return lost == 0 || fail_to_reach(w, s, lost, first, m, error);
}

static bool find_faces(throng_world *w, sending *s, int32_t mesh, throng_error *error)
{
    const float *x = throng_agents_read(w->agents, THRONG_COLUMN_x, error);
    const float *y = throng_agents_read(w->agents, THRONG_COLUMN_y, error);
    const float *radius = throng_agents_read(w->agents, THRONG_COLUMN_radius, error);
    if (!x || !y || !radius)
        return false;
    for (int32_t i = 0; i < s->count; i++) {
        int32_t slot = s->handles[i].slot;
        if (throng_agents_alive(w->agents, s->handles[i]))
            s->face[i] = throng_world_face_near(w->routing.meshes[mesh].mesh, x[slot], y[slot], radius[slot]);
    }
    return true;
}

/* Is there anything to walk around? */
static bool has_routes(const throng_world *w, const world_target *t)
{
    return w->map && w->map->point_count && !t->direct;
}

/* Columns that sending writes are there before it begins. */
static bool use_columns(throng_world *w, const sending *s, bool points, throng_error *error)
{
    uint64_t columns = points ? THRONG_COLUMN_BIT(goal_x) | THRONG_COLUMN_BIT(goal_y) : 0;
    for (int32_t i = 0; i < s->count; i++)
        if (s->goal[i] >= 0 && w->routing.goals[s->goal[i]].mesh >= 0)
            columns |= THRONG_COLUMN_BIT(face);
    if (w->fsm.table.states)
        columns |= THRONG_COLUMN_BIT(fsm_state) | THRONG_COLUMN_BIT(fsm_until) | THRONG_COLUMN_BIT(fsm_asked);
    return throng_agents_use(w->agents, columns, error);
}

static bool assign(throng_world *w, const sending *s, const throng_point *points, throng_error *error)
{
    int32_t *goals = throng_agents_write(w->agents, THRONG_COLUMN_goal, error);
    int32_t *arrived = throng_agents_write(w->agents, THRONG_COLUMN_arrived, error);
    float *x = points ? throng_agents_write(w->agents, THRONG_COLUMN_goal_x, error) : NULL;
    float *y = points ? throng_agents_write(w->agents, THRONG_COLUMN_goal_y, error) : NULL;
    bool on_mesh = throng_agents_uses(w->agents, THRONG_COLUMN_face);
    for (int32_t i = 0; i < s->count; i++)
        on_mesh = on_mesh || (s->goal[i] >= 0 && w->routing.goals[s->goal[i]].mesh >= 0);
    int32_t *face = on_mesh ? throng_agents_write(w->agents, THRONG_COLUMN_face, error) : NULL;
    if (!goals || !arrived || (points && (!x || !y)) || (on_mesh && !face) ||
        !throng_agents_set(w->agents, THRONG_COLUMN_exit_edge, s->handles, s->count, -1, error))
        return false;
    for (int32_t i = 0; i < s->count; i++) {
        int32_t slot = s->handles[i].slot;
        if (s->goal[i] < 0)
            continue;
        int32_t mesh = w->routing.goals[s->goal[i]].mesh;
        goals[slot] = s->goal[i];
        arrived[slot] = -1;
        if (face)
            face[slot] = mesh < 0 ? -1 : w->routing.meshes[mesh].first_face + s->face[i];
        if (!points)
            continue;
        x[slot] = (float)points[i].x;
        y[slot] = (float)points[i].y;
    }
    return w->fsm.table.states ? throng_world_ask_machine(w, s->handles, s->count, -1, error)
                               : throng_world_count_pending(w, error);
}

/* Sends everybody to a point of its own by a path of its own, unless it walks straight; an error when some have no way.
 */
static bool find_own_goals(throng_world *w, sending *s, const throng_point *points, int32_t target, int32_t mesh,
                           throng_error *error)
{
    int32_t lost = 0, first = -1;
    const throng_navmesh *m = w->routing.meshes[mesh].mesh;
    if (!throng_world_check_own_path(w, error))
        return false;
    for (int32_t i = 0; i < s->count; i++) {
        if (s->goal[i] != UNDECIDED)
            continue;
        int32_t there = throng_world_face_near(m, (float)points[i].x, (float)points[i].y, (float)m->radius);
        if (there < 0)
            return throng_fail(error,
                               "goal %d of %d, at (%.6g, %.6g), lies where no agent of radius %g m can stand: "
                               "move it off the walls",
                               i + 1, s->count, points[i].x, points[i].y, m->radius);
        bool ok = s->face[i] >= 0 && m->component[s->face[i]] == m->component[there];
        first = !ok && first < 0 ? i : first;
        lost += !ok;
        world_goal own = {
            .target = target, .mesh = -1, .path_mesh = mesh, .options = {.door_policy = s->options[i].door_policy}};
        s->goal[i] = goal_for(w, own, error);
        if (s->goal[i] < 0)
            return false;
    }
    return lost == 0 || fail_to_reach(w, s, lost, first, m, error);
}

/* One of an agent's whole numbers; 0 where nobody has used that rare column, as it begins. */
static int32_t option_value(throng_world *w, int column, int32_t slot)
{
    const int32_t *values = throng_agents_uses(w->agents, column) ? throng_agents_read(w->agents, column, NULL) : NULL;
    return values ? values[slot] : 0;
}

world_route_options throng_world_manner(throng_world *w, int32_t slot)
{
    return (world_route_options){option_value(w, THRONG_COLUMN_routing, slot),
                                 option_value(w, THRONG_COLUMN_door_policy, slot),
                                 option_value(w, THRONG_COLUMN_congestion, slot)};
}

static bool read_manner(throng_world *w, int32_t slot, world_route_options *options, throng_error *error)
{
    *options = throng_world_manner(w, slot);
    bool known = options->routing != THRONG_ROUTING_ROADMAP && options->routing != THRONG_ROUTING_FIELD;
    return !options->congestion || known ||
           throng_fail(error,
                       "congestion is known on the navmesh only: congestion = true does not go with routing = \"%s\"",
                       options->routing == THRONG_ROUTING_ROADMAP ? "roadmap" : "field");
}

static bool read_manners(throng_world *w, sending *s, const world_route_options *manners, throng_error *error)
{
    for (int32_t i = 0; i < s->count; i++) {
        bool lives = throng_agents_alive(w->agents, s->handles[i]);
        s->goal[i] = lives ? UNDECIDED : -1;
        if (manners && manners[i].routing != THRONG_ROUTING_OWN)
            s->options[i] = manners[i];
        else if (lives && !read_manner(w, s->handles[i].slot, &s->options[i], error))
            return false;
    }
    return true;
}

/* Everybody's goal, with everybody's own route options. */
static bool find_goals(throng_world *w, sending *s, int32_t target, const throng_point *points,
                       const world_route_options *manners, throng_error *error)
{
    double radius = largest_radius(w, s->handles, s->count, error);
    if (radius < 0 || !read_manners(w, s, manners, error))
        return false;
    bool around = radius > 0 && has_routes(w, &w->routing.targets[target]);
    world_goal like = straight_to(target);
    for (int32_t i = 0; i < s->count; i++)
        if (s->goal[i] == UNDECIDED && (!around || s->options[i].routing == THRONG_ROUTING_DIRECT) &&
            (s->goal[i] = goal_for(w, like, error)) < 0)
            return false;
    for (int32_t i = 0; i < s->count; i++) {
        if (s->goal[i] != UNDECIDED)
            continue;
        if (like.mesh < 0 &&
            ((like.mesh = throng_world_mesh_for(w, radius, error)) < 0 || !find_faces(w, s, like.mesh, error)))
            return false;
        if (w->routing.targets[target].kind == THRONG_GOAL_OWN)
            return find_own_goals(w, s, points, target, like.mesh, error);
        like.options = s->options[i];
        if (!find_goal(w, s, like, error))
            return false;
    }
    return true;
}

bool throng_world_send(throng_world *w, const throng_handle *handles, int32_t count, int32_t target,
                       const throng_point *points, throng_error *error)
{
    return throng_world_send_as(w, handles, count, target, points, NULL, error);
}

bool throng_world_send_as(throng_world *w, const throng_handle *handles, int32_t count, int32_t target,
                          const throng_point *points, const world_route_options *manners, throng_error *error)
{
    size_t room = (size_t)count + 1;
    sending s = {handles, count, malloc(room * sizeof(int32_t)), malloc(room * sizeof(int32_t)),
                 malloc(room * sizeof(world_route_options))};
    bool fine = s.face && s.goal && s.options
                    ? find_goals(w, &s, target, points, manners, error) && use_columns(w, &s, points, error) &&
                          (!points || throng_world_ask_for_paths(w, handles, s.goal, points, count, error)) &&
                          assign(w, &s, points, error)
                    : throng_fail(error, "out of memory for sending %d agents", count);
    free(s.face);
    free(s.goal);
    free(s.options);
    return fine;
}

world_route_options throng_world_manner_to(const throng_world *w, int32_t goal)
{
    const world_goal *g = &w->routing.goals[goal];
    if (g->mesh < 0 && g->path_mesh < 0 && !has_routes(w, &w->routing.targets[g->target]))
        return (world_route_options){.routing = THRONG_ROUTING_OWN};
    return g->options;
}

/* --- for machines ----------------------------------------------------------------------------- */

const world_route_profile throng_world_straight = {-1, {.routing = THRONG_ROUTING_DIRECT}};

int32_t throng_world_goal_entry(throng_world *w, int32_t target, world_route_profile profile, throng_error *error)
{
    if (w->routing.targets[target].direct || profile.mesh < 0 || w->routing.targets[target].kind == THRONG_GOAL_OWN)
        profile = throng_world_straight;
    return goal_for(
        w, (world_goal){.target = target, .mesh = profile.mesh, .options = profile.options, .path_mesh = -1}, error);
}

int32_t throng_world_path_entry(throng_world *w, int32_t target, world_route_profile profile, throng_error *error)
{
    world_goal own = straight_to(target);
    if (profile.mesh >= 0 && !throng_world_check_own_path(w, error))
        return -1;
    if (profile.mesh >= 0)
        own = (world_goal){.target = target,
                           .mesh = -1,
                           .path_mesh = profile.mesh,
                           .options = {.door_policy = profile.options.door_policy}};
    return goal_for(w, own, error);
}

bool throng_world_find_profile(throng_world *w, const throng_handle *handles, int32_t count,
                               world_route_profile *profile, throng_error *error)
{
    double radius = largest_radius(w, handles, count, error);
    *profile = throng_world_straight;
    if (radius < 0)
        return false;
    int32_t first = 0;
    while (first < count && !throng_agents_alive(w->agents, handles[first]))
        first++;
    world_route_options options = {0};
    if (first < count && !read_manner(w, handles[first].slot, &options, error))
        return false;
    if (first == count || !w->map || !w->map->point_count || options.routing == THRONG_ROUTING_DIRECT)
        return true;
    profile->options = options;
    profile->mesh = throng_world_mesh_for(w, radius, error);
    return profile->mesh >= 0;
}

bool throng_world_faces(throng_world *w, const throng_handle *handles, int32_t count, int32_t mesh, int32_t *faces,
                        throng_error *error)
{
    sending s = {handles, count, faces, NULL, NULL};
    memset(faces, -1, (size_t)count * sizeof *faces);
    return find_faces(w, &s, mesh, error);
}

bool throng_world_check_routes(throng_world *w, const throng_handle *handles, int32_t count, int32_t goal,
                               int32_t *faces, throng_error *error)
{
    if (w->routing.goals[goal].mesh < 0)
        return true;
    const throng_navmesh *m = w->routing.meshes[w->routing.goals[goal].mesh].mesh;
    uint8_t *parts = parts_with(m, throng_world_goal_sides(&w->routing.goals[goal]));
    if (!parts)
        return throng_fail(error, "out of memory for sending %d agents", count);
    int32_t lost = 0, first = -1;
    for (int32_t i = 0; i < count; i++) {
        bool ok = !throng_agents_alive(w->agents, handles[i]) || (faces[i] >= 0 && parts[m->component[faces[i]]]);
        first = !ok && first < 0 ? i : first;
        lost += !ok;
    }
    free(parts);
    sending s = {handles, count, faces, NULL, NULL};
    return lost == 0 || fail_to_reach(w, &s, lost, first, m, error);
}

bool throng_world_ask_machine(throng_world *w, const throng_handle *handles, int32_t count, int32_t asked,
                              throng_error *error)
{
    int32_t *state = throng_agents_write(w->agents, THRONG_COLUMN_fsm_state, error);
    int32_t *until = throng_agents_write(w->agents, THRONG_COLUMN_fsm_until, error);
    int32_t *ask = throng_agents_write(w->agents, THRONG_COLUMN_fsm_asked, error);
    if (!state || !until || !ask)
        return false;
    for (int32_t i = 0; i < count; i++) {
        int32_t s = handles[i].slot;
        if (!throng_agents_alive(w->agents, handles[i]))
            continue;
        state[s] = until[s] = -1;
        ask[s] = asked;
    }
    return throng_world_count_pending(w, error);
}

bool throng_world_locate(throng_world *w, throng_error *error)
{
    if (!w->routing.mesh_count)
        return true;
    const int32_t *goal = throng_agents_read(w->agents, THRONG_COLUMN_goal, error);
    const int32_t *state = throng_agents_read(w->agents, THRONG_COLUMN_state, error);
    const float *x = throng_agents_read(w->agents, THRONG_COLUMN_x, error);
    const float *y = throng_agents_read(w->agents, THRONG_COLUMN_y, error);
    const float *radius = throng_agents_read(w->agents, THRONG_COLUMN_radius, error);
    int32_t *face = throng_agents_write(w->agents, THRONG_COLUMN_face, error);
    if (!goal || !state || !x || !y || !radius || !face)
        return false;
    for (int32_t s = 0; s < throng_agents_slots(w->agents); s++) {
        if (!state[s] || goal[s] < 0 || w->routing.goals[goal[s]].mesh < 0)
            continue;
        const world_mesh *m = &w->routing.meshes[w->routing.goals[goal[s]].mesh];
        int32_t at = face[s] - m->first_face;
        if (at >= 0 && at < m->mesh->face_count)
            continue;
        at = throng_world_face_near(m->mesh, x[s], y[s], radius[s]);
        face[s] = at < 0 ? -1 : m->first_face + at;
    }
    return true;
}

/* --- the backend's table ------------------------------------------------------------------------------ */

static void free_goal_table(throng_world *w)
{
    throng_goals *t = &w->routing.goal_table;
#define X(type, name, count) throng_array_abandon((void *)t->name);
    THRONG_GOALS_ARRAYS(X)
#undef X
    throng_world_free_fields(&t->fields);
    *t = (throng_goals){0};
}

void throng_world_free_goals(throng_world *w)
{
    free_goal_table(w);
    for (int32_t g = 0; g < w->routing.goal_count; g++)
        throng_world_free_route(w, &w->routing.goals[g]);
    for (int32_t t = 0; t < w->routing.target_count; t++)
        free_regions(w->routing.targets[t].regions, w->routing.targets[t].region_count);
    free(w->routing.goals);
    free(w->routing.targets);
}

static int32_t count_edges(const throng_world *w)
{
    int32_t edges = 0;
    for (int32_t g = 0; g < w->routing.goal_count; g++) {
        const world_target *t = &w->routing.targets[w->routing.goals[g].target];
        for (int32_t r = 0; r < t->region_count; r++)
            edges += t->regions[r].count;
    }
    return edges;
}

static int32_t flatten_region(const throng_goals *g, int32_t at, const throng_region *region)
{
    for (int32_t p = 0; p < region->count; p++, at++) {
        const throng_point *a = &region->points[p], *b = &region->points[(p + 1) % region->count];
        ((float *)g->ax)[at] = (float)a->x;
        ((float *)g->ay)[at] = (float)a->y;
        ((float *)g->bx)[at] = (float)b->x;
        ((float *)g->by)[at] = (float)b->y;
        ((int32_t *)g->last)[at] = p == region->count - 1;
    }
    return at;
}

static bool allocate_goals(throng_goals *t)
{
#define X(type, name, count) &&(t->name = calloc((size_t)(count) + 1, sizeof(type)))
    return true THRONG_GOALS_ARRAYS(X);
#undef X
}

static bool flatten_goals(throng_world *w, throng_error *error)
{
    free_goal_table(w);
    throng_goals *g = &w->routing.goal_table;
    g->count = w->routing.goal_count;
    g->edge_count = count_edges(w);
    if (!allocate_goals(g))
        return throng_fail(error, "out of memory for %d goals", g->count);
    throng_goal *table = (throng_goal *)g->goal;
    for (int32_t i = 0, tree = 0, field = 0, edge = 0; i < g->count; i++) {
        const world_target *t = &w->routing.targets[w->routing.goals[i].target];
        int32_t first = edge;
        for (int32_t r = 0; r < t->region_count; r++)
            edge = flatten_region(g, edge, &t->regions[r]);
        table[i] = (throng_goal){
            .kind = t->kind,
            .x = (float)t->point.x,
            .y = (float)t->point.y,
            .radius = (float)t->radius,
            .tree = w->routing.goals[i].mesh >= 0        ? tree++
                    : w->routing.goals[i].path_mesh >= 0 ? THRONG_BY_WAYPOINTS
                                                         : -1,
            .field = w->routing.goals[i].field ? field++ : -1,
            .first_edge = first,
            .edges = edge - first,
        };
    }
    return throng_world_flatten_fields(w, &g->fields, error);
}

bool throng_world_upload_goals(throng_world *w, throng_error *error)
{
    if (!w->routing.changed)
        return true;
    if (!throng_world_flatten_navigation(w, error) || !flatten_goals(w, error) ||
        !w->stages.api->set_navigation(w->stages.backend, &w->routing.navigation, error) ||
        !w->stages.api->set_goals(w->stages.backend, &w->routing.goal_table, error))
        return false;
    w->routing.changed = false;
    return true;
}
