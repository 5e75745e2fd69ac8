#include "path_lifts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/watchdog.h"
#include "map/geometry.h"
#include "navmesh_lifts.h"
#include "path_floors.h"

enum { AT_ONCE = 4096 /* expansions between looks at what interrupts */, START = -1 };

/* How one comes to a car on foot, and out of it after a ride. */
typedef struct stop {
    double boards, leaves; /* m: what it costs to get there; INFINITY: not known */
    bool boarded, left;    /* that is final */
    int32_t walked_from;   /* the stop left before, START: from the start */
    int32_t rode_from;
    throng_path walk; /* to the car */
} stop;

typedef struct journey {
    throng_path_search *search;
    const throng_navmesh *mesh;
    const throng_map *map;
    const throng_mesh_lifts *lifts;
    throng_point from, to; /* places */
    stop *stops;
    int32_t count;
    double arrives; /* m: what the best way to the goal costs */
    int32_t last;   /* the stop left last on it */
    throng_path walk;
} journey;

/* An end of a walk. */
typedef struct place {
    throng_point at; /* on the map */
    int32_t sheet;
} place;

static place place_of(const journey *j, int32_t stop)
{
    const throng_mesh_stop *s = &j->lifts->stops[stop];
    return (place){throng_navmesh_place(j->mesh, s->face, s->at), j->lifts->map.stops[stop].sheet};
}

static place start_of(const journey *j) { return (place){j->from, throng_map_sheet_at(j->map, j->from)}; }
static place goal_of(const journey *j) { return (place){j->to, throng_map_sheet_at(j->map, j->to)}; }

/* Walks from one place to another when that makes it dearer than nothing, but cheaper than `*least`, which it becomes;
 * `*walk` is the way. `*better`: it did. */
static bool walk(journey *j, place from, place to, double so_far, double *least, throng_path *walk, bool *better)
{
    throng_path_state state = THRONG_PATH_OPEN;
    throng_point a = throng_map_position(j->map, from.sheet, from.at), b = throng_map_position(j->map, to.sheet, to.at);
    *better = false;
    if (!(so_far + throng_distance(a, b) < *least))
        return true;
    throng_path_search_begin(j->search, j->mesh, from.at, to.at);
    while (state == THRONG_PATH_OPEN && !throng_given_up()) {
        int32_t expansions = AT_ONCE;
        state = throng_path_search_step(j->search, &expansions);
    }
    if (state == THRONG_PATH_OPEN || state == THRONG_PATH_FAILED)
        return false;
    double cost = so_far + throng_path_search_cost(j->search);
    throng_path on;
    if (state == THRONG_PATH_NONE || !(cost < *least))
        return true;
    if (!throng_path_on_floors(j->map, from.sheet, to.sheet, throng_path_search_path(j->search), &on))
        return false;
    throng_path_fini(walk);
    *walk = on;
    *least = cost;
    *better = true;
    return true;
}

/* Walks on to every stop that may be boarded, but for those of the lift that was left. */
static bool walk_to_cars(journey *j, int32_t from, place at, double so_far)
{
    for (int32_t i = 0; i < j->count; i++) {
        stop *s = &j->stops[i];
        bool better, same = from != START && j->lifts->map.stops[i].lift == j->lifts->map.stops[from].lift;
        if (same || s->boarded || j->lifts->stops[i].face < 0 || !(j->lifts->use[i] & THRONG_STOP_BOARD))
            continue;
        if (!walk(j, at, place_of(j, i), so_far, &s->boards, &s->walk, &better))
            return false;
        if (better)
            s->walked_from = from;
    }
    return true;
}

static bool walk_to_goal(journey *j, int32_t from, place at, double so_far)
{
    bool better;
    if (!walk(j, at, goal_of(j), so_far, &j->arrives, &j->walk, &better))
        return false;
    if (better)
        j->last = from;
    return true;
}

static void ride(journey *j, int32_t from)
{
    const throng_map_lift *lift = &j->lifts->map.lifts[j->lifts->map.stops[from].lift];
    for (int32_t i = lift->first; i < lift->first + lift->count; i++) {
        double cost = j->stops[from].boards + throng_lift_wait(&j->lifts->map, lift) +
                      (i != from ? throng_lift_ride(&j->lifts->map, from, i) : 0);
        if (i == from || j->lifts->stops[i].face < 0 || !(j->lifts->use[i] & THRONG_STOP_LEAVE) ||
            !(cost < j->stops[i].leaves))
            continue;
        j->stops[i].leaves = cost;
        j->stops[i].rode_from = from;
    }
}

/* The cheapest that is not final, of what costs less than the best way to the goal; false: there is none. */
static bool take_next(journey *j, int32_t *at, bool *boards)
{
    double least = j->arrives;
    *at = -1;
    for (int32_t i = 0; i < j->count; i++) {
        const stop *s = &j->stops[i];
        if (!s->boarded && s->boards < least) {
            least = s->boards;
            *at = i;
            *boards = true;
        }
        if (!s->left && s->leaves < least) {
            least = s->leaves;
            *at = i;
            *boards = false;
        }
    }
    return *at >= 0;
}

static bool travel(journey *j)
{
    int32_t at;
    bool boards, fine = walk_to_goal(j, START, start_of(j), 0) && walk_to_cars(j, START, start_of(j), 0);
    while (fine && take_next(j, &at, &boards)) {
        *(boards ? &j->stops[at].boarded : &j->stops[at].left) = true;
        if (boards)
            ride(j, at);
        else
            fine = walk_to_goal(j, at, place_of(j, at), j->stops[at].leaves) &&
                   walk_to_cars(j, at, place_of(j, at), j->stops[at].leaves);
    }
    return fine;
}

/* --- the path --- */

static bool append(throng_path *to, int32_t *room, int32_t *sheet_room, const throng_path *part)
{
    if (!throng_array_reserve((void **)&to->corners, room, to->count + part->count, sizeof *to->corners) ||
        !throng_array_reserve((void **)&to->sheets, sheet_room, to->count + part->count, sizeof *to->sheets))
        return false;
    memcpy(to->corners + to->count, part->corners, (size_t)part->count * sizeof *part->corners);
    memcpy(to->sheets + to->count, part->sheets, (size_t)part->count * sizeof *part->sheets);
    to->count += part->count;
    to->length += part->length;
    return true;
}

/* The walks of the best way, one after the other: each begins in the car where the one before ended, elsewhere. */
static bool write(const journey *j, throng_path *on)
{
    int32_t *rides = malloc(((size_t)j->count + 1) * sizeof *rides), count = 0, room = 0, sheet_room = 0;
    for (int32_t left = j->last; rides && left != START; left = j->stops[rides[count - 1]].walked_from)
        rides[count++] = j->stops[left].rode_from;
    bool fine = rides != NULL;
    while (fine && count > 0)
        fine = append(on, &room, &sheet_room, &j->stops[rides[--count]].walk);
    fine = fine && append(on, &room, &sheet_room, &j->walk);
    free(rides);
    return fine;
}

bool throng_path_by_lifts(throng_path_search *search, const throng_navmesh *mesh, const throng_map *map,
                          throng_point from, throng_point to, throng_path *on)
{
    journey j = {.search = search,
                 .mesh = mesh,
                 .map = map,
                 .lifts = mesh->lifts,
                 .from = from,
                 .to = to,
                 .count = mesh->lifts->map.stop_count,
                 .arrives = INFINITY,
                 .last = START};
    *on = (throng_path){0};
    j.stops = calloc((size_t)j.count + 1, sizeof *j.stops);
    for (int32_t i = 0; j.stops && i < j.count; i++)
        j.stops[i].boards = j.stops[i].leaves = INFINITY;
    bool fine = j.stops && travel(&j) && (isinf(j.arrives) || write(&j, on));
    for (int32_t i = 0; j.stops && i < j.count; i++)
        throng_path_fini(&j.stops[i].walk);
    free(j.stops);
    throng_path_fini(&j.walk);
    if (!fine)
        throng_path_fini(on);
    return fine;
}
