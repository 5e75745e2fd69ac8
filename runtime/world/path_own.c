/* Agents with goals of their own (THRONG_BY_WAYPOINTS): each walks by the corners of its own path, which the path queue
 * finds.
 *
 * The paths lie one after the other in one table, which the backend has a copy of; agents go on from corner to corner
 * in the desire stage. An agent's old path stays in the table until a third of it is in use at most. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "map/geometry.h"
#include "map/map_sheets.h"
#include "world_parts.h"

static const double LOOK_AFTER = 1; /* s: how often agents are looked after that may have lost their path */

enum { LEAST_GARBAGE = 4096 };

/* --- columns, fetched when somebody has such a goal --- */

typedef struct columns {
    const int32_t *state, *goal, *arrived;
    const float *x, *y, *goal_x, *goal_y; /* places */
    const int32_t *waypoint;
} columns;

static bool read_columns(throng_world *w, columns *c, throng_error *error)
{
    *c = (columns){throng_agents_read(w->agents, THRONG_COLUMN_state, error),
                   throng_agents_read(w->agents, THRONG_COLUMN_goal, error),
                   throng_agents_read(w->agents, THRONG_COLUMN_arrived, error),
                   NULL,
                   NULL,
                   throng_agents_read(w->agents, THRONG_COLUMN_goal_x, error),
                   throng_agents_read(w->agents, THRONG_COLUMN_goal_y, error),
                   throng_agents_read(w->agents, THRONG_COLUMN_waypoint, error)};
    return throng_world_places(w, &c->x, &c->y, error) && c->state && c->goal && c->arrived && c->goal_x && c->goal_y &&
           c->waypoint;
}

/* The goal by which the agent in a slot walks, when it has its own path and has not arrived; else NULL. */
static const world_goal *own_goal(const throng_world *w, const columns *c, int32_t slot)
{
    if (!c->state[slot] || c->goal[slot] < 0 || c->arrived[slot] >= 0)
        return NULL;
    const world_goal *goal = &w->routing.goals[c->goal[slot]];
    return goal->path_mesh >= 0 ? goal : NULL;
}

static bool reserve_slots(throng_world *w, throng_error *error)
{
    int32_t from = w->paths.own.slot_room, slots = throng_agents_slots(w->agents);
    if (!throng_array_reserve((void **)&w->paths.own.requests, &w->paths.own.slot_room, slots,
                              sizeof *w->paths.own.requests))
        return throng_fail(error, "out of memory for the paths of %d agents", slots);
    for (int32_t s = from; s < w->paths.own.slot_room; s++)
        w->paths.own.requests[s] = (world_path_request){.board = -1, .leave = -1};
    return true;
}

/* --- asking --- */

/* The point itself, or the nearest that the mesh has: agents may stand a little nearer to walls than it does. */
static throng_point on_mesh(const throng_navmesh *mesh, float x, float y)
{
    float on_x = x, on_y = y;
    throng_navmesh_nearest(mesh, x, y, (float)mesh->radius + 1, &on_x, &on_y);
    return (throng_point){on_x, on_y};
}

/* `through`: as if no body stood in the way. */
static bool ask(throng_world *w, const columns *c, int32_t slot, const world_goal *goal, bool through,
                throng_error *error)
{
    const world_mesh *m = &w->routing.meshes[goal->path_mesh];
    const throng_navmesh *mesh = through ? m->bare : m->mesh;
    throng_path_request request = {.mesh = mesh,
                                   .map = w->map,
                                   .from = on_mesh(mesh, c->x[slot], c->y[slot]),
                                   .to = on_mesh(mesh, c->goal_x[slot], c->goal_y[slot]),
                                   .tag = slot};
    world_path_request *wanted = &w->paths.own.requests[slot];
    throng_path_queue_cancel(w->paths.queue, wanted->ticket);
    *wanted = (world_path_request){throng_path_queue_add(w->paths.queue, &request),
                                   c->goal_x[slot],
                                   c->goal_y[slot],
                                   through,
                                   wanted->board,
                                   wanted->leave};
    return wanted->ticket || throng_fail(error, "out of memory for a path request");
}

/* Those who walk to one of `goals` by a path of their own. */
static bool walks_by_path(const throng_world *w, int32_t goal)
{
    return goal >= 0 && w->routing.goals[goal].path_mesh >= 0;
}

/* Writes a ticket for each; on failure there is none. */
static bool ask_all(throng_world *w, const columns *c, const throng_handle *handles, const int32_t *goals,
                    const throng_point *points, int32_t count, throng_path_ticket *tickets, throng_error *error)
{
    for (int32_t i = 0; i < count; i++) {
        tickets[i] = 0;
        if (!walks_by_path(w, goals[i]))
            continue;
        int32_t slot = handles[i].slot;
        const throng_navmesh *mesh = w->routing.meshes[w->routing.goals[goals[i]].path_mesh].mesh;
        throng_path_request request = {.mesh = mesh,
                                       .map = w->map,
                                       .from = on_mesh(mesh, c->x[slot], c->y[slot]),
                                       .to = on_mesh(mesh, (float)points[i].x, (float)points[i].y),
                                       .tag = slot};
        if ((tickets[i] = throng_path_queue_add(w->paths.queue, &request)))
            continue;
        while (i-- > 0)
            throng_path_queue_cancel(w->paths.queue, tickets[i]);
        return throng_fail(error, "out of memory for a path request");
    }
    return true;
}

bool throng_world_ask_for_paths(throng_world *w, const throng_handle *handles, const int32_t *goals,
                                const throng_point *points, int32_t count, throng_error *error)
{
    columns c;
    bool any = w->paths.own.walking;
    for (int32_t i = 0; i < count; i++)
        any = any || walks_by_path(w, goals[i]);
    if (!any)
        return true;
    int32_t *waypoint = throng_agents_write(w->agents, THRONG_COLUMN_waypoint, error);
    throng_path_ticket *tickets = malloc(((size_t)count + 1) * sizeof *tickets);
    bool ok = tickets || throng_fail(error, "out of memory for the paths of %d agents", count);
    ok = ok && waypoint && read_columns(w, &c, error) && throng_world_open_path_queue(w, error) &&
         reserve_slots(w, error) && ask_all(w, &c, handles, goals, points, count, tickets, error);
    for (int32_t i = 0; ok && i < count; i++) {
        int32_t slot = handles[i].slot;
        if (!throng_agents_alive(w->agents, handles[i]))
            continue;
        waypoint[slot] = -1; /* who is sent somewhere forgets the path it had */
        if (!tickets[i])
            continue;
        world_path_request *wanted = &w->paths.own.requests[slot];
        throng_path_queue_cancel(w->paths.queue, wanted->ticket);
        *wanted = (world_path_request){tickets[i], (float)points[i].x, (float)points[i].y, false, -1, -1};
        w->paths.own.walking = true;
    }
    free(tickets);
    return ok;
}

/* --- looking after those who walk --- */

static bool sees(throng_world *w, throng_path_search *search, const world_goal *goal, throng_point from,
                 throng_point to)
{
    int32_t expansions = INT32_MAX;
    const throng_navmesh *mesh = w->routing.meshes[goal->path_mesh].mesh;
    from = on_mesh(mesh, (float)from.x, (float)from.y);
    if (mesh->sheet) { /* a search would look for the place of `to`, which is a position */
        int32_t face = throng_navmesh_face_at(mesh, (float)from.x, (float)from.y);
        return face >= 0 && throng_navmesh_sees(mesh, face, throng_navmesh_position(mesh, face, from), to, true);
    }
    throng_path_search_begin_straight(search, mesh, from, to);
    return throng_path_search_step(search, &expansions) == THRONG_PATH_FOUND;
}

static bool has_lost_path(throng_world *w, throng_path_search *search, const columns *c, int32_t slot,
                          const world_goal *goal)
{
    int32_t at = c->waypoint[slot];
    return at < 0 || !sees(w, search, goal, (throng_point){c->x[slot], c->y[slot]},
                           (throng_point){w->paths.own.x[at], w->paths.own.y[at]});
}

/* `all`: those, too, that may have lost their path. */
static bool needs_path(throng_world *w, throng_path_search *search, const columns *c, int32_t slot,
                       const world_goal *goal, bool all)
{
    const world_path_request *wanted = &w->paths.own.requests[slot];
    if (wanted->x != c->goal_x[slot] || wanted->y != c->goal_y[slot])
        return true; /* the script has moved its goal */
    if (w->paths.own.remeshed || (w->paths.own.stale && goal->options.door_policy == THRONG_DOORS_REROUTE))
        return true;
    return all && !wanted->ticket && has_lost_path(w, search, c, slot, goal);
}

static bool look_after(throng_world *w, throng_path_search *search, bool all, throng_error *error)
{
    columns c;
    if (!read_columns(w, &c, error) || !reserve_slots(w, error))
        return false;
    for (int32_t slot = 0; slot < throng_agents_slots(w->agents); slot++) {
        const world_goal *goal = own_goal(w, &c, slot);
        if (goal && needs_path(w, search, &c, slot, goal, all) && !ask(w, &c, slot, goal, false, error))
            return false;
    }
    return true;
}

/* Have states of machines been entered since the last look? They may have given goals. */
static bool follow_machines(throng_world *w, bool *entered, throng_error *error)
{
    throng_counters counters;
    *entered = false;
    if (!w->paths.own.by_machines)
        return true;
    if (!throng_stages_counters(&w->stages, &counters, error))
        return false;
    *entered = counters.transitions != w->paths.own.transitions;
    w->paths.own.transitions = counters.transitions;
    return true;
}

static bool check_paths(throng_world *w, throng_error *error)
{
    uint32_t every = (uint32_t)fmax(1, round(LOOK_AFTER / w->dt));
    const throng_column_set goal_columns = THRONG_COLUMN_BIT(goal_x) | THRONG_COLUMN_BIT(goal_y);
    bool all = w->paths.own.stale || w->paths.own.remeshed || w->step % every == every - 1;
    bool entered;
    if (!follow_machines(w, &entered, error))
        return false;
    if (!w->paths.own.walking ||
        !(all || entered || w->paths.own.rode || (throng_agents_written(w->agents) & goal_columns)))
        return true;
    throng_path_search *search = throng_path_search_create();
    bool fine = search ? look_after(w, search, all, error) : throng_fail(error, "out of memory for a path search");
    throng_path_search_destroy(search);
    w->paths.own.stale = w->paths.own.remeshed = w->paths.own.rode = false;
    return fine;
}

/* --- the table --- */

static bool reserve_corners(world_path_own *own, int64_t count)
{
    float **columns[] = {&own->x, &own->y, &own->turn};
    int32_t room = own->room;
    own->changed = true; /* they may move */
    for (int i = 0; i < 3; i++) {
        room = own->room;
        if (!throng_array_reserve((void **)columns[i], &room, count, sizeof **columns[i]))
            return false;
    }
    own->room = room;
    return true;
}

/* Writes `count` corners of the path behind the others and returns where it begins. Those that lie in line are left
 * out. */
static int32_t add_path(world_path_own *own, const throng_path *path, int32_t count)
{
    if (!reserve_corners(own, (int64_t)own->count + count))
        return -1;
    int32_t first = own->count;
    throng_point before = path->corners[0];
    for (int32_t i = count > 1; i < count; i++) {
        throng_point at = path->corners[i];
        bool last = i + 1 == count;
        double turn = last ? 0 : throng_turn(before, at, path->corners[i + 1]);
        if (!last && turn == 0)
            continue;
        own->x[own->count] = (float)at.x;
        own->y[own->count] = (float)at.y;
        own->turn[own->count++] = turn > 0 ? 1 : turn < 0 ? -1 : 0;
        before = at;
    }
    return first;
}

/* Copies what is still ahead of somebody, in order of slot, and writes where it begins now. */
static bool copy_waypoints(const throng_world *w, const columns *c, world_path_own *to, int32_t *begins)
{
    for (int32_t s = 0; s < throng_agents_slots(w->agents); s++) {
        begins[s] = -1;
        if (c->waypoint[s] < 0 || !own_goal(w, c, s))
            continue;
        begins[s] = to->count;
        bool more = true;
        for (int32_t at = c->waypoint[s]; more; at++) {
            if (!reserve_corners(to, (int64_t)to->count + 1))
                return false;
            to->x[to->count] = w->paths.own.x[at];
            to->y[to->count] = w->paths.own.y[at];
            more = (to->turn[to->count++] = w->paths.own.turn[at]) != 0;
        }
    }
    return true;
}

static void free_waypoints(world_path_own *own)
{
    throng_array_abandon(own->x);
    throng_array_abandon(own->y);
    throng_array_abandon(own->turn);
}

static bool compact(throng_world *w, throng_error *error)
{
    columns c;
    int32_t slots = throng_agents_slots(w->agents);
    int32_t *waypoint = throng_agents_write(w->agents, THRONG_COLUMN_waypoint, error);
    if (!waypoint || !read_columns(w, &c, error))
        return false;
    world_path_own fresh = w->paths.own;
    fresh.x = fresh.y = fresh.turn = NULL;
    fresh.count = fresh.room = 0;
    int32_t *begins = malloc(((size_t)slots + 1) * sizeof *begins);
    if (!begins || !copy_waypoints(w, &c, &fresh, begins)) {
        free(begins);
        free_waypoints(&fresh);
        return throng_fail(error, "out of memory for the agents' paths");
    }
    memcpy(waypoint, begins, (size_t)slots * sizeof *waypoint);
    free(begins);
    free_waypoints(&w->paths.own);
    w->paths.own = fresh;
    w->paths.own.in_use = fresh.count;
    return true;
}

/* No way leads round what stands in between: then up to there. */
static bool ask_through(throng_world *w, int32_t slot, throng_error *error)
{
    columns c;
    if (!read_columns(w, &c, error))
        return false;
    const world_goal *goal = own_goal(w, &c, slot);
    return !goal || w->paths.own.requests[slot].through || !w->routing.meshes[goal->path_mesh].mesh->covered ||
           ask(w, &c, slot, goal, true, error);
}

static bool hand_out(throng_world *w, int32_t *waypoint, const throng_path_answer *answer, throng_error *error)
{
    int32_t slot = (int32_t)answer->tag;
    if (w->paths.own.requests[slot].ticket != answer->ticket)
        return true; /* somebody who is gone asked, or was sent elsewhere since */
    w->paths.own.requests[slot].ticket = 0;
    if (!answer->path) /* behind a closed door: it goes on by the path it has */
        return ask_through(w, slot, error);
    bool rides = answer->ride.board >= 0; /* then up to the car; it asks again where it comes out */
    int32_t first = add_path(&w->paths.own, answer->path, rides ? answer->ride.corners : answer->path->count);
    if (first < 0)
        return throng_fail(error, "out of memory for the agents' paths");
    waypoint[slot] = first;
    w->paths.own.requests[slot].board = answer->ride.board;
    w->paths.own.requests[slot].leave = answer->ride.leave;
    if (rides) { /* behind the middle, so that others have room */
        w->paths.own.x[w->paths.own.count - 1] = (float)answer->ride.back.x;
        w->paths.own.y[w->paths.own.count - 1] = (float)answer->ride.back.y;
    }
    return true;
}

throng_path_ride throng_world_own_ride(const throng_world *w, int32_t slot, int32_t waypoint, throng_point at)
{
    const world_path_own *own = &w->paths.own;
    throng_path_ride ride = {-1, -1, 0};
    if (waypoint < 0 || slot >= own->slot_room || own->requests[slot].board < 0)
        return ride;
    ride.stop = own->requests[slot].board;
    ride.to = own->requests[slot].leave;
    for (bool more = true; more; waypoint++) {
        throng_point corner = {(double)own->x[waypoint], (double)own->y[waypoint]};
        ride.ahead += throng_distance(at, corner);
        at = corner;
        more = own->turn[waypoint] != 0;
    }
    const throng_map_lift *lift = &w->map->sheets->lifts[w->map->sheets->stops[ride.stop].lift];
    ride.ahead -= throng_distance(at, throng_lift_point(lift, 0.5 * (lift->depth + THRONG_LIFT_SILL), 0));
    return ride;
}

void throng_world_rode(throng_world *w, int32_t slot)
{
    if (slot >= w->paths.own.slot_room)
        return;
    w->paths.own.requests[slot].x = NAN;
    w->paths.own.rode = true;
}

static bool take_paths(throng_world *w, throng_error *error)
{
    int32_t count, *waypoint = NULL;
    bool fine = true;
    const throng_path_answer *answers = throng_path_queue_answers(w->paths.queue, &count);
    for (int32_t i = 0; i < count; i++) {
        if (answers[i].tag == THRONG_SCRIPT_PATH)
            continue;
        if (!waypoint && !(waypoint = throng_agents_write(w->agents, THRONG_COLUMN_waypoint, error)))
            return false;
        fine &= hand_out(w, waypoint, &answers[i], error); /* who gets none asks again when it is looked after */
    }
    if (!fine)
        return false;
    return w->paths.own.count <= 3 * w->paths.own.in_use + LEAST_GARBAGE || compact(w, error);
}

bool throng_world_run_paths(throng_world *w, throng_error *error)
{
    w->paths.spent = 0;
    if (!w->paths.queue)
        return true;
    if (!check_paths(w, error))
        return false;
    if (!throng_path_queue_run(w->paths.queue, w->paths.budget, &w->paths.spent))
        return throng_fail(error, "out of memory for path searches");
    return take_paths(w, error);
}

bool throng_world_upload_waypoints(throng_world *w, throng_error *error)
{
    if (!w->paths.own.changed)
        return true;
    throng_waypoints table = {w->paths.own.count, w->paths.own.x, w->paths.own.y, w->paths.own.turn};
    if (!w->stages.api->set_waypoints(w->stages.backend, &table, error))
        return false;
    w->paths.own.changed = false;
    return true;
}

void throng_world_free_path_own(throng_world *w)
{
    free(w->paths.own.requests);
    free(w->paths.own.x);
    free(w->paths.own.y);
    free(w->paths.own.turn);
}
