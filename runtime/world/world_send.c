/* Sending agents to a goal: who can get there, from which face of which mesh, and by which routes. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "navigation/navmesh_lifts.h"
#include "world_parts.h"

/* m: the clearance that all of them have room in. */
static double largest_radius(throng_world *w, const throng_handle *handles, int32_t count, throng_error *error)
{
    world_sizes sizes;
    double largest = 0;
    if (!throng_world_read_sizes(w->agents, &sizes, error))
        return -1;
    for (int32_t i = 0; i < count; i++)
        if (throng_agents_alive(w->agents, handles[i]))
            largest = fmax(largest, throng_world_needs(&sizes, handles[i].slot));
    return largest;
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

/* Which parts of the mesh hold some of the goal, or are joined to one that does by a lift. NULL when memory is out. */
static uint8_t *parts_with(const throng_navmesh *mesh, const int32_t *side_start)
{
    uint8_t *parts = calloc((size_t)mesh->component_count + 1, 1);
    int32_t *joined = malloc(((size_t)mesh->component_count + 1) * sizeof *joined);
    if (parts && joined) {
        throng_navmesh_join_by_lifts(mesh, joined);
        for (int32_t f = 0; f < mesh->face_count; f++)
            parts[joined[mesh->component[f]]] |= side_start[f] < side_start[f + 1];
        for (int32_t c = 0; c < mesh->component_count; c++)
            parts[c] |= parts[joined[c]];
    } else {
        free(parts);
        parts = NULL;
    }
    free(joined);
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

/* Sends those whose route options are those of `like` to its target, on its mesh; an error when some have none. */
static bool find_goal(throng_world *w, sending *s, world_goal like, throng_error *error)
{
    int32_t goal = -1, lost = 0, first = -1;
    const throng_navmesh *m = w->routing.meshes[like.mesh].mesh;
    uint8_t *parts = NULL;
    for (int32_t i = 0; i < s->count; i++) {
        if (s->goal[i] != UNDECIDED || !throng_world_same_options(&s->options[i], &like.options))
            continue;
        if (goal < 0 && ((goal = throng_world_goal_for(w, like, error)) < 0 ||
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
    const float *x, *y, *radius = throng_agents_read(w->agents, THRONG_COLUMN_radius, error);
    if (!radius || !throng_world_places(w, &x, &y, error))
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
    throng_column_set columns = points ? THRONG_COLUMN_BIT(goal_x) | THRONG_COLUMN_BIT(goal_y) : 0;
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

/* Of find_own_goals; `joined`: parts of the mesh, those one that lifts join. */
static bool find_joined_goals(throng_world *w, sending *s, const throng_point *points, int32_t target, int32_t mesh,
                              const int32_t *joined, throng_error *error)
{
    int32_t lost = 0, first = -1;
    const throng_navmesh *m = w->routing.meshes[mesh].mesh;
    for (int32_t i = 0; i < s->count; i++) {
        if (s->goal[i] != UNDECIDED)
            continue;
        int32_t there = throng_world_face_near(m, (float)points[i].x, (float)points[i].y, (float)m->radius);
        if (there < 0) {
            throng_point at = throng_map_position_at(w->map, points[i]);
            return throng_fail(error,
                               "goal %d of %d, at (%.6g, %.6g), lies where no agent of radius %g m can stand: "
                               "move it off the walls",
                               i + 1, s->count, at.x, at.y, m->radius);
        }
        bool ok = s->face[i] >= 0 && joined[m->component[s->face[i]]] == joined[m->component[there]];
        first = !ok && first < 0 ? i : first;
        lost += !ok;
        world_goal own = {
            .target = target, .mesh = -1, .path_mesh = mesh, .options = {.door_policy = s->options[i].door_policy}};
        s->goal[i] = throng_world_goal_for(w, own, error);
        if (s->goal[i] < 0)
            return false;
    }
    return lost == 0 || fail_to_reach(w, s, lost, first, m, error);
}

/* Sends everybody to a point of its own by a path of its own, unless it walks straight; an error when some have no
 * path. */
static bool find_own_goals(throng_world *w, sending *s, const throng_point *points, int32_t target, int32_t mesh,
                           throng_error *error)
{
    const throng_navmesh *m = w->routing.meshes[mesh].mesh;
    if (!throng_world_check_own_path(w, error))
        return false;
    int32_t *joined = malloc(((size_t)m->component_count + 1) * sizeof *joined);
    if (!joined)
        return throng_fail(error, "out of memory for sending %d agents", s->count);
    throng_navmesh_join_by_lifts(m, joined);
    bool found = find_joined_goals(w, s, points, target, mesh, joined, error);
    free(joined);
    return found;
}

/* One of an agent's whole numbers; 0 where nobody has used that rare column, as it begins. */
static int32_t option_value(throng_world *w, int column, int32_t slot)
{
    const int32_t *values = throng_agents_uses(w->agents, column) ? throng_agents_read(w->agents, column, NULL) : NULL;
    return values ? values[slot] : 0;
}

world_route_options throng_world_route_options_of(throng_world *w, int32_t slot)
{
    return (world_route_options){option_value(w, THRONG_COLUMN_routing, slot),
                                 option_value(w, THRONG_COLUMN_door_policy, slot),
                                 option_value(w, THRONG_COLUMN_congestion, slot)};
}

static bool read_options(throng_world *w, int32_t slot, world_route_options *options, throng_error *error)
{
    *options = throng_world_route_options_of(w, slot);
    bool known = options->routing != THRONG_ROUTING_ROADMAP && options->routing != THRONG_ROUTING_FIELD;
    if (!throng_world_check_doors(w, options->routing, error))
        return false;
    return !options->congestion || known ||
           throng_fail(error,
                       "congestion is known on the navmesh only: congestion = true does not go with routing = \"%s\"",
                       options->routing == THRONG_ROUTING_ROADMAP ? "roadmap" : "field");
}

static bool read_all_options(throng_world *w, sending *s, const world_route_options *options, throng_error *error)
{
    for (int32_t i = 0; i < s->count; i++) {
        bool lives = throng_agents_alive(w->agents, s->handles[i]);
        s->goal[i] = lives ? UNDECIDED : -1;
        if (options && options[i].routing != THRONG_ROUTING_OWN)
            s->options[i] = options[i];
        else if (lives && !read_options(w, s->handles[i].slot, &s->options[i], error))
            return false;
    }
    return true;
}

/* Everybody's goal, with everybody's own route options. */
static bool find_goals(throng_world *w, sending *s, int32_t target, const throng_point *points,
                       const world_route_options *options, throng_error *error)
{
    double radius = largest_radius(w, s->handles, s->count, error);
    if (radius < 0 || !read_all_options(w, s, options, error))
        return false;
    bool around = radius > 0 && has_routes(w, &w->routing.targets[target]);
    world_goal like = throng_world_straight_to(target);
    for (int32_t i = 0; i < s->count; i++)
        if (s->goal[i] == UNDECIDED && (!around || s->options[i].routing == THRONG_ROUTING_DIRECT) &&
            (s->goal[i] = throng_world_goal_for(w, like, error)) < 0)
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

/* The floor, flight or lift that a place is on. */
static int32_t part_at(const throng_map *map, throng_point place)
{
    return throng_map_first_of_part(map->sheets, throng_map_sheet_at(map, place));
}

bool throng_world_shares_floor(const throng_world *w, const world_target *t, throng_point own, throng_point from)
{
    if (!w->map || !w->map->sheets)
        return true;
    int32_t part = part_at(w->map, from);
    for (int32_t r = 0; t->kind == THRONG_GOAL_REGION && r < t->region_count; r++)
        if (part_at(w->map, t->regions[r].points[0]) == part)
            return true;
    return t->kind != THRONG_GOAL_REGION && part_at(w->map, t->kind == THRONG_GOAL_POINT ? t->point : own) == part;
}

bool throng_world_check_straight(throng_world *w, const throng_handle *handles, int32_t count, const world_target *t,
                                 const throng_point *points, bool all, throng_error *error)
{
    const float *x, *y;
    throng_point first = {0, 0};
    int32_t lost = 0;
    if (!w->map || !w->map->sheets)
        return true;
    if (!throng_world_places(w, &x, &y, error))
        return false;
    for (int32_t i = 0; i < count; i++) {
        int32_t slot = handles[i].slot;
        if (!throng_agents_alive(w->agents, handles[i]) ||
            !(all || option_value(w, THRONG_COLUMN_routing, slot) == THRONG_ROUTING_DIRECT))
            continue;
        throng_point from = {(double)x[slot], (double)y[slot]};
        if (!throng_world_shares_floor(w, t, points ? points[i] : from, from) && lost++ == 0)
            first = from;
    }
    return lost == 0 ||
           throng_fail(
               error,
               "%d of %d agents are on another floor than the goal, the first on \"%s\", and straight on they stay "
               "there; go_to takes them by stairs and lifts, but not with 'straight' or routing = \"direct\"",
               lost, count, w->map->sheets->list[throng_map_sheet_at(w->map, first)].name);
}

bool throng_world_send(throng_world *w, const throng_handle *handles, int32_t count, int32_t target,
                       const throng_point *points, throng_error *error)
{
    const world_target *t = &w->routing.targets[target];
    return throng_world_check_straight(w, handles, count, t, points, t->direct, error) &&
           throng_world_send_as(w, handles, count, target, points, NULL, error);
}

bool throng_world_send_as(throng_world *w, const throng_handle *handles, int32_t count, int32_t target,
                          const throng_point *points, const world_route_options *options, throng_error *error)
{
    size_t room = (size_t)count + 1;
    sending s = {handles, count, malloc(room * sizeof(int32_t)), malloc(room * sizeof(int32_t)),
                 malloc(room * sizeof(world_route_options))};
    bool fine = s.face && s.goal && s.options
                    ? find_goals(w, &s, target, points, options, error) && use_columns(w, &s, points, error) &&
                          (!points || throng_world_ask_for_paths(w, handles, s.goal, points, count, error)) &&
                          assign(w, &s, points, error)
                    : throng_fail(error, "out of memory for sending %d agents", count);
    free(s.face);
    free(s.goal);
    free(s.options);
    return fine;
}

world_route_options throng_world_route_options_to(const throng_world *w, int32_t goal)
{
    const world_goal *g = &w->routing.goals[goal];
    if (g->mesh < 0 && g->path_mesh < 0 && !has_routes(w, &w->routing.targets[g->target]))
        return (world_route_options){.routing = THRONG_ROUTING_OWN};
    return g->options;
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
    if (first < count && !read_options(w, handles[first].slot, &options, error))
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
