/* State machines of a world: all their states in one table for the backend, and who runs which.
 *
 * A machine is entered into the table once for every mesh and route options of its agents, since its goals
 * differ by that. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/random.h"
#include "map/map_random.h"
#include "world_parts.h"

#define PLACE_RADIUS 0.5 /* m: who is so near to a point of its own or a random place has arrived */

enum { PLACE_DRAWS = 64 };

/* --- the table -------------------------------------------------------------------------------- */

/* Room for `more` elements after `count`. */
static bool grow(void *array, int32_t *room, int32_t count, int32_t more, size_t size)
{
    return throng_array_reserve((void **)array, room, (int64_t)count + more + 1, size);
}

/* The table moves, and the backend must hear of that, whatever comes of the machine. */
static bool reserve(world_fsm *f, const throng_machine *m)
{
    throng_fsm *t = &f->table;
    f->changed = true;
    return grow(&t->state, &f->state_room, t->states, m->states, sizeof *t->state) &&
           grow(&t->option, &f->option_room, t->options, m->options, sizeof *t->option) &&
           grow(&t->condition, &f->condition_room, t->conditions, m->conditions, sizeof *t->condition) &&
           grow(&t->goal, &f->goal_room, t->goals, m->targets, sizeof *t->goal) &&
           grow(&f->leaders, &f->leader_room, f->leader_count, m->targets, sizeof *f->leaders) &&
           grow(&f->names, &f->name_room, t->states, m->states, sizeof *f->names) &&
           grow(&f->machines, &f->machine_room, f->machine_count, 1, sizeof *f->machines);
}

/* Copies of the names, or none. */
static bool copy_names(char **names, const throng_machine *m)
{
    for (int32_t s = 0; s < m->states; s++) {
        names[s] = strdup(m->name[s]);
        if (names[s])
            continue;
        while (s-- > 0)
            free(names[s]);
        return false;
    }
    return true;
}

static int32_t shifted(int32_t option, int32_t by) { return option < 0 ? option : option + by; }

/* steps: kernels count a state's time in 32 bits, and no run takes so many. */
static const double LONGEST = 1e9;

static void copy_states(throng_fsm *t, const throng_machine *m, int32_t path, double dt)
{
    for (int32_t s = 0; s < m->states; s++) {
        throng_fsm_state state = m->state[s];
        state.first_goal += t->goals;
        state.first_condition += t->conditions;
        state.arrived = shifted(state.arrived, t->options);
        state.path = state.path < 0 ? -1 : path;
        state.least = fminf(state.least, (float)(LONGEST * dt));
        state.most = fminf(state.most, (float)(LONGEST * dt));
        state.ready = shifted(state.ready, t->options);
        state.blocked = shifted(state.blocked, t->options);
        state.timeout = shifted(state.timeout, t->options);
        ((throng_fsm_state *)t->state)[t->states + s] = state;
    }
    for (int32_t k = 0; k < m->conditions; k++) {
        throng_fsm_condition condition = m->condition[k];
        condition.option += t->options;
        ((throng_fsm_condition *)t->condition)[t->conditions + k] = condition;
    }
    for (int32_t o = 0; o < m->options; o++)
        ((throng_fsm_option *)t->option)[t->options + o] =
            (throng_fsm_option){m->option[o].below, m->option[o].state + t->states};
}

/* --- goals ------------------------------------------------------------------------------------- */

/* A point on the mesh that is drawn by (machine, number), in the same part of it as face `from`. */
static int32_t random_place(throng_world *w, int64_t machine, int32_t number, int32_t mesh, int32_t from,
                            throng_error *error)
{
    const throng_navmesh *m = w->routing.meshes[mesh].mesh;
    for (uint32_t draw = 0; draw < PLACE_DRAWS; draw++) {
        uint32_t out[4];
        throng_point p;
        throng_philox(w->seed, (const uint32_t[4]){(uint32_t)machine, (uint32_t)number, draw, THRONG_RANDOM_POINT},
                      out);
        if (!throng_map_random_point(w->map, NULL, 0, m->radius, (uint64_t)out[0] << 32 | out[1], &p))
            break;
        int32_t face = throng_navmesh_face_at(m, (float)p.x, (float)p.y);
        if (face >= 0 && m->component[face] == m->component[from])
            return throng_world_goal_point(w, p, PLACE_RADIUS, error);
    }
    throng_fail(error, "no place on the map was found that the agents can walk to; give random_path places to go to");
    return -1;
}

enum { NOBODY = -2 };

/* The radius of the state whose goal it is. */
static double leader_radius(const throng_machine *m, int32_t target)
{
    int32_t s = 0;
    while (target >= m->state[s].first_goal + m->state[s].goals)
        s++;
    return (double)m->state[s].reach;
}

/* The target where a group's leader is, which is noted after those that are there. */
static int32_t leader_target(throng_world *w, const throng_machine *m, int32_t target, world_route_profile profile,
                             int32_t *noted, throng_error *error)
{
    world_leader *leader = &w->fsm.leaders[w->fsm.leader_count + (*noted)++];
    *leader = (world_leader){.goal = w->fsm.table.goals + target,
                             .kind = -2 - m->target[target],
                             .radius = leader_radius(m, target),
                             .profile = profile,
                             .agent = {-1, 0}};
    return throng_world_lead(w, leader, error);
}

/* The entries of the backend's goals for those of the machine; `from`: the face where the first agent stands. */
static bool find_goals(throng_world *w, const throng_machine *m, world_route_profile profile, int32_t from,
                       int32_t *goals, throng_error *error)
{
    int32_t mesh = profile.mesh, leaders = 0;
    for (int32_t g = 0; g < m->targets; g++) {
        int32_t target = m->target[g];
        if (target < -1 && (target = leader_target(w, m, g, profile, &leaders, error)) < 0)
            return false;
        if (target < 0 && from == NOBODY)
            return throng_fail(error, "nobody is in it, and a random path begins where somebody stands; run it when "
                                      "somebody is, or give random_path places to go to");
        if (target < 0 && mesh < 0)
            return throng_fail(error, "a random path without places to go to needs a map with walls");
        if (target < 0 && from < 0)
            return throng_fail(error,
                               "the first agent stands where no free space is wide enough for a radius of %.2f m",
                               w->routing.meshes[mesh].mesh->radius);
        if (target < 0)
            target = random_place(w, m->number, g, mesh, from, error);
        if (target < 0 || (goals[g] = throng_world_goal_entry(w, target, profile, error)) < 0)
            return false;
    }
    w->fsm.leader_count += leaders;
    return true;
}

static const world_machine *find_machine(const world_fsm *f, int64_t number, world_route_profile profile)
{
    for (int32_t i = 0; i < f->machine_count; i++)
        if (f->machines[i].number == number && memcmp(&f->machines[i].profile, &profile, sizeof profile) == 0)
            return &f->machines[i];
    return NULL;
}

/* Point goals of your own: the same entry for all machines. */
static bool find_own(throng_world *w, throng_error *error)
{
    int32_t target = throng_world_goal_own(w, PLACE_RADIUS, error);
    int32_t own = target < 0 ? -1 : throng_world_goal_entry(w, target, throng_world_straight, error);
    if (own >= 0)
        w->fsm.table.own = own;
    return own >= 0;
}

/* The columns that its conditions look at. */
static throng_column_set columns_read(const throng_machine *m)
{
    throng_column_set columns = 0;
    for (int32_t k = 0; k < m->conditions; k++)
        columns |= m->condition[k].column >= 0 ? THRONG_COLUMN_SET(m->condition[k].column) : 0;
    return columns;
}

/* Own paths: the entry for them, -1 when no state asks for any, -2 on failure. */
static int32_t find_path_entry(throng_world *w, const throng_machine *m, world_route_profile profile,
                               throng_error *error)
{
    bool asks = false;
    for (int32_t s = 0; s < m->states; s++)
        asks |= m->state[s].path >= 0;
    if (!asks)
        return -1;
    int32_t target = throng_world_goal_own(w, PLACE_RADIUS, error);
    int32_t entry = target < 0 ? -1 : throng_world_path_entry(w, target, profile, error);
    if (entry < 0 || !throng_world_open_path_queue(w, error))
        return -2;
    world_paths_by_machines(&w->paths);
    return entry;
}

/* Those of goals from this one on. */
static void drop_leaders(world_fsm *f, int32_t first_goal)
{
    while (f->leader_count && f->leaders[f->leader_count - 1].goal >= first_goal)
        f->leader_count--;
}

static const world_machine *add_machine(throng_world *w, const throng_machine *m, world_route_profile profile,
                                        int32_t from, throng_error *error)
{
    world_fsm *f = &w->fsm;
    throng_fsm *t = &f->table;
    if (!reserve(f, m)) {
        throng_fail(error, "out of memory for a machine of %d states", m->states);
        return NULL;
    }
    int32_t path = find_path_entry(w, m, profile, error);
    if (path == -2 || !throng_agents_use(w->agents, columns_read(m), error) || !find_own(w, error) ||
        !find_goals(w, m, profile, from, (int32_t *)t->goal + t->goals, error))
        return NULL;
    if (!copy_names(f->names + t->states, m)) {
        drop_leaders(f, t->goals);
        throng_fail(error, "out of memory for a machine of %d states", m->states);
        return NULL;
    }
    copy_states(t, m, path, w->dt);
    f->machines[f->machine_count] = (world_machine){.number = m->number,
                                                    .profile = profile,
                                                    .first_state = t->states,
                                                    .states = m->states,
                                                    .first_goal = t->goals,
                                                    .goals = m->targets,
                                                    .first_option = t->options};
    t->states += m->states;
    t->options += m->options;
    t->conditions += m->conditions;
    t->goals += m->targets;
    return &f->machines[f->machine_count++];
}

/* Takes back the one that was added last. */
static void drop_machine(world_fsm *f, const throng_machine *m)
{
    const world_machine *last = &f->machines[--f->machine_count];
    for (int32_t s = 0; s < last->states; s++)
        free(f->names[last->first_state + s]);
    f->table.states = last->first_state;
    f->table.options = last->first_option;
    f->table.conditions -= m->conditions;
    f->table.goals = last->first_goal;
    drop_leaders(f, last->first_goal);
}

/* --- who runs what ------------------------------------------------------------------------------- */

/* Nobody has a goal or has arrived before the machine says so. */
static bool forget_goals(throng_world *w, const throng_handle *handles, int32_t count, int32_t mesh,
                         const int32_t *faces, throng_error *error)
{
    int32_t *goal = throng_agents_write(w->agents, THRONG_COLUMN_goal, error);
    int32_t *arrived = throng_agents_write(w->agents, THRONG_COLUMN_arrived, error);
    int32_t *face = throng_agents_write(w->agents, THRONG_COLUMN_face, error);
    if (!goal || !arrived || !face)
        return false;
    for (int32_t i = 0; i < count; i++) {
        int32_t s = handles[i].slot;
        if (!throng_agents_alive(w->agents, handles[i]))
            continue;
        goal[s] = arrived[s] = -1;
        face[s] = mesh >= 0 && faces[i] >= 0 ? w->routing.meshes[mesh].first_face + faces[i] : -1;
    }
    return true;
}

static int32_t first_living(const throng_world *w, const throng_handle *handles, int32_t count)
{
    for (int32_t i = 0; i < count; i++)
        if (throng_agents_alive(w->agents, handles[i]))
            return i;
    return -1;
}

/* Of the first state: where agents are when they enter another nobody knows yet. */
static bool check_straight(throng_world *w, const throng_handle *handles, int32_t count, const world_machine *m,
                           throng_error *error)
{
    const throng_fsm_state *s = &w->fsm.table.state[m->first_state];
    const world_target point = {.kind = THRONG_GOAL_POINT, .point = {(double)s->x, (double)s->y}};
    if (s->action >= THRONG_FSM_SEEK && s->kind == THRONG_FSM_POINT)
        return throng_world_check_straight(w, handles, count, &point, NULL, true, error);
    for (int32_t g = 0; g < s->goals; g++) {
        const world_goal *goal = &w->routing.goals[w->fsm.table.goal[s->first_goal + g]];
        if (goal->mesh < 0 &&
            !throng_world_check_straight(w, handles, count, &w->routing.targets[goal->target], NULL, true, error))
            return false;
    }
    return true;
}

static bool start_machine(throng_world *w, const throng_handle *handles, int32_t count, const world_machine *m,
                          int32_t *faces, throng_error *error)
{
    for (int32_t g = 0; g < m->goals; g++)
        if (!throng_world_check_routes(w, handles, count, w->fsm.table.goal[m->first_goal + g], faces, error))
            return false;
    const throng_column_set columns = THRONG_COLUMN_BIT(face) | THRONG_COLUMN_BIT(fsm_state) |
                                      THRONG_COLUMN_BIT(fsm_until) | THRONG_COLUMN_BIT(fsm_asked);
    return check_straight(w, handles, count, m, error) && throng_agents_use(w->agents, columns, error) &&
           forget_goals(w, handles, count, m->profile.mesh, faces, error) &&
           throng_world_ask_machine(w, handles, count, m->first_state, error);
}

static int32_t run_machine(throng_world *w, const throng_handle *handles, int32_t count, const throng_machine *machine,
                           world_route_profile profile, int32_t *faces, throng_error *error)
{
    int32_t mesh = profile.mesh, first = first_living(w, handles, count);
    if (mesh >= 0 && !throng_world_faces(w, handles, count, mesh, faces, error))
        return -1;
    const world_machine *known = find_machine(&w->fsm, machine->number, profile), *m = known;
    int32_t from = first < 0 ? NOBODY : mesh >= 0 ? faces[first] : -1;
    if (!m && !(m = add_machine(w, machine, profile, from, error)))
        return -1;
    if (start_machine(w, handles, count, m, faces, error))
        return m->first_state;
    if (!known)
        drop_machine(&w->fsm, machine);
    return -1;
}

int32_t throng_world_run_machine(throng_world *w, const throng_handle *handles, int32_t count,
                                 const throng_machine *machine, throng_error *error)
{
    world_route_profile profile = throng_world_straight;
    if (machine->targets && !throng_world_find_profile(w, handles, count, &profile, error))
        return -1;
    int32_t *faces = malloc(((size_t)count + 1) * sizeof *faces);
    if (!faces) {
        throng_fail(error, "out of memory for the machine of %d agents", count);
        return -1;
    }
    int32_t state = run_machine(w, handles, count, machine, profile, faces, error);
    free(faces);
    return state;
}

bool throng_world_ask(throng_world *w, const throng_handle *handles, int32_t count, int32_t state, int32_t option,
                      throng_error *error)
{
    const world_fsm *f = &w->fsm;
    int32_t *asked = throng_agents_write(w->agents, THRONG_COLUMN_fsm_asked, error);
    for (int32_t m = 0; asked && m < f->machine_count; m++)
        if (state >= f->machines[m].first_state && state < f->machines[m].first_state + f->machines[m].states)
            for (int32_t i = 0; i < count; i++)
                if (throng_agents_alive(w->agents, handles[i]))
                    asked[handles[i].slot] = -2 - (f->machines[m].first_option + option);
    return asked;
}

int32_t throng_world_states(const throng_world *w) { return w->fsm.table.states; }

const char *throng_world_state_name(const throng_world *w, int32_t state) { return w->fsm.names[state]; }

/* --- leaders ------------------------------------------------------------------------------------ */

static const double EVERY = 0.5; /* s */
static const double MOVED = 0.5; /* m: by less than this nobody changes its way */

/* Those who go to the leader's goal go to `entry`. */
static bool send_followers(throng_world *w, const world_leader *leader, int32_t entry, throng_error *error)
{
    const throng_fsm *t = &w->fsm.table;
    const int32_t *state = throng_agents_read(w->agents, THRONG_COLUMN_fsm_state, error);
    int32_t *goal = throng_agents_write(w->agents, THRONG_COLUMN_goal, error);
    int32_t *arrived = throng_agents_write(w->agents, THRONG_COLUMN_arrived, error);
    int32_t *exit_edge = throng_agents_write(w->agents, THRONG_COLUMN_exit_edge, error);
    if (!state || !goal || !arrived || !exit_edge)
        return false;
    for (int32_t s = 0, slots = throng_agents_slots(w->agents); s < slots; s++) {
        const throng_fsm_state *in = state[s] < 0 ? NULL : &t->state[state[s]];
        if (!in || goal[s] != t->goal[leader->goal] || leader->goal < in->first_goal ||
            leader->goal >= in->first_goal + in->goals)
            continue;
        goal[s] = entry;
        arrived[s] = exit_edge[s] = -1;
    }
    ((int32_t *)t->goal)[leader->goal] = entry;
    w->fsm.changed = true;
    return throng_world_count_pending(w, error);
}

/* Where none of the followers' size can stand they go on to where the leader was. */
static bool follow(throng_world *w, world_leader *leader, throng_error *error)
{
    const float *x, *y;
    throng_error nowhere;
    throng_point was = leader->at;
    int32_t slot = throng_world_leader(w, leader, error);
    if (slot < 0)
        return true;
    if (!throng_world_places(w, &x, &y, error))
        return false;
    if (hypot((double)x[slot] - was.x, (double)y[slot] - was.y) < MOVED)
        return true;
    int32_t target = throng_world_lead(w, leader, error);
    if (target < 0)
        return false;
    int32_t entry = throng_world_goal_entry(w, target, leader->profile, &nowhere);
    return entry < 0 || send_followers(w, leader, entry, error);
}

bool throng_world_follow_leaders(throng_world *w, throng_error *error)
{
    if (w->step % (uint32_t)fmax(1, round(EVERY / w->dt)) != 0)
        return true;
    for (int32_t i = 0; i < w->fsm.leader_count; i++)
        if (!follow(w, &w->fsm.leaders[i], error))
            return false;
    return true;
}

/* --- the backend ------------------------------------------------------------------------------- */

throng_column_set throng_world_fsm_columns(const throng_world *w)
{
    return w->fsm.table.states ? throng_columns_with(THRONG_BY_MACHINES) : 0;
}

bool throng_world_upload_fsm(throng_world *w, throng_error *error)
{
    world_fsm *f = &w->fsm;
    uint32_t moves = throng_agents_moves(w->agents);
    if (!f->table.states || (!f->changed && f->moves == moves))
        return true;
    if (!w->stages.api->set_fsm(w->stages.backend, &f->table, error))
        return false;
    f->changed = false;
    f->moves = moves;
    return true;
}

void throng_world_free_fsm(throng_world *w)
{
    world_fsm *f = &w->fsm;
    for (int32_t s = 0; s < f->table.states; s++)
        free(f->names[s]);
    free(f->names);
    free(f->machines);
    free(f->leaders);
    free((void *)f->table.state);
    free((void *)f->table.option);
    free((void *)f->table.condition);
    free((void *)f->table.goal);
}
