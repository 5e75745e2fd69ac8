#include "path_lifts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/watchdog.h"
#include "map/geometry.h"
#include "navmesh_lifts.h"
#include "path_floors.h"

enum { AT_ONCE = 4096 /* expansions between looks at what interrupts */, START = -1, GOAL = -1 };

/* How one comes to a car on foot, and out of it after a ride. */
typedef struct stop {
    double boards, leaves; /* m: what it costs to get there; INFINITY: not known */
    bool boarded, left;    /* that is final */
    int32_t walked_from;   /* the stop left before, START: from the start */
    int32_t rode_from;
    throng_path walk; /* to the car */
} stop;

/* An end of a walk. */
typedef struct place {
    throng_point at; /* on the map */
    int32_t sheet;
} place;

/* Walks from one place, to the goal and then to every car that may be boarded. */
typedef struct walks {
    int32_t from; /* the stop that was left there, START: none was */
    int32_t to;   /* the next: GOAL, or a stop; `count` of them: all are done */
    bool begun;   /* the search for it has */
} walks;

struct throng_lift_search {
    throng_path_search *search; /* lent */
    const throng_navmesh *mesh;
    const throng_map *map;
    const throng_mesh_lifts *lifts;
    throng_point from, to; /* places */
    stop *stops;
    int32_t count, room;
    walks now;
    double arrives; /* m: what the best way to the goal costs */
    int32_t last;   /* the stop left last on it */
    throng_path walk;
    throng_path on;
    throng_planned_ride first;
    bool failed; /* memory is out */
};

typedef throng_lift_search journey;

static place place_of(const journey *j, int32_t stop)
{
    const throng_mesh_stop *s = &j->lifts->stops[stop];
    return (place){throng_navmesh_place(j->mesh, s->face, s->at), j->lifts->map.stops[stop].sheet};
}

static place start_of(const journey *j) { return (place){j->from, throng_map_sheet_at(j->map, j->from)}; }
static place goal_of(const journey *j) { return (place){j->to, throng_map_sheet_at(j->map, j->to)}; }

static place from_of(const journey *j) { return j->now.from == START ? start_of(j) : place_of(j, j->now.from); }
static double so_far(const journey *j) { return j->now.from == START ? 0 : j->stops[j->now.from].leaves; }

/* Is the next walk none that could be of use? One to a car of the lift that was left, to one that may not be boarded,
 * or one that is dearer even in a straight line. */
static bool is_idle(const journey *j)
{
    double least = j->now.to == GOAL ? j->arrives : j->stops[j->now.to].boards;
    if (j->now.to != GOAL) {
        int32_t i = j->now.to, from = j->now.from;
        bool same = from != START && j->lifts->map.stops[i].lift == j->lifts->map.stops[from].lift;
        if (same || j->stops[i].boarded || j->lifts->stops[i].face < 0 || !(j->lifts->use[i] & THRONG_STOP_BOARD))
            return true;
    }
    place a = from_of(j), b = j->now.to == GOAL ? goal_of(j) : place_of(j, j->now.to); /* which has a face */
    double straight =
        throng_distance(throng_map_position(j->map, a.sheet, a.at), throng_map_position(j->map, b.sheet, b.at));
    return !(so_far(j) + straight < least);
}

/* The walk that was found is kept where it is cheaper than what was known. */
static bool take_walk(journey *j)
{
    place a = from_of(j), b = j->now.to == GOAL ? goal_of(j) : place_of(j, j->now.to);
    double cost = so_far(j) + throng_path_search_cost(j->search);
    double *least = j->now.to == GOAL ? &j->arrives : &j->stops[j->now.to].boards;
    throng_path on, *walk = j->now.to == GOAL ? &j->walk : &j->stops[j->now.to].walk;
    if (!(cost < *least))
        return true;
    if (!throng_path_on_floors(j->map, a.sheet, b.sheet, throng_path_search_path(j->search), &on))
        return false;
    throng_path_fini(walk);
    *walk = on;
    *least = cost;
    *(j->now.to == GOAL ? &j->last : &j->stops[j->now.to].walked_from) = j->now.from;
    return true;
}

/* All walks from where they begin: open while there are more than the expansions were enough for. */
static throng_path_state walk_on(journey *j, int32_t *expansions)
{
    for (; j->now.to < j->count; j->now.to++) {
        if (!j->now.begun && is_idle(j))
            continue;
        place to = j->now.to == GOAL ? goal_of(j) : place_of(j, j->now.to);
        if (!j->now.begun)
            throng_path_search_begin(j->search, j->mesh, from_of(j).at, to.at);
        j->now.begun = true;
        throng_path_state state = throng_path_search_step(j->search, expansions);
        if (state == THRONG_PATH_OPEN)
            return state;
        if (state == THRONG_PATH_FAILED || (state == THRONG_PATH_FOUND && !take_walk(j)))
            return THRONG_PATH_FAILED;
        j->now.begun = false;
    }
    return THRONG_PATH_FOUND;
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
static bool write(journey *j)
{
    int32_t *rides = malloc(((size_t)j->count + 1) * sizeof *rides), count = 0, room = 0, sheet_room = 0;
    for (int32_t left = j->last; rides && left != START; left = j->stops[rides[count - 1]].walked_from) {
        rides[count++] = j->stops[left].rode_from;
        const throng_mesh_stop *car = &j->lifts->stops[rides[count - 1]];
        j->first = (throng_planned_ride){rides[count - 1],
                                         left,
                                         j->stops[rides[count - 1]].walk.count,
                                         {0.5 * (car->a.x + car->b.x), 0.5 * (car->a.y + car->b.y)}};
    }
    bool fine = rides != NULL;
    while (fine && count > 0)
        fine = append(&j->on, &room, &sheet_room, &j->stops[rides[--count]].walk);
    fine = fine && append(&j->on, &room, &sheet_room, &j->walk);
    free(rides);
    return fine;
}

/* --- the search --- */

throng_lift_search *throng_lift_search_create(void) { return calloc(1, sizeof(throng_lift_search)); }

static void forget(journey *j)
{
    for (int32_t i = 0; i < j->count; i++)
        throng_path_fini(&j->stops[i].walk);
    throng_path_fini(&j->walk);
    throng_path_fini(&j->on);
    j->count = 0;
}

void throng_lift_search_destroy(throng_lift_search *j)
{
    if (!j)
        return;
    forget(j);
    free(j->stops);
    free(j);
}

void throng_lift_search_begin(throng_lift_search *j, throng_path_search *by, const throng_navmesh *mesh,
                              const throng_map *map, throng_point from, throng_point to)
{
    int32_t count = mesh->lifts->map.stop_count;
    forget(j);
    j->search = by;
    j->mesh = mesh;
    j->map = map;
    j->lifts = mesh->lifts;
    j->from = from;
    j->to = to;
    j->now = (walks){START, GOAL, false};
    j->arrives = INFINITY;
    j->last = START;
    j->first = (throng_planned_ride){.board = -1, .leave = -1};
    j->failed = !throng_array_reserve((void **)&j->stops, &j->room, count, sizeof *j->stops);
    for (; !j->failed && j->count < count; j->count++)
        j->stops[j->count] = (stop){.boards = INFINITY, .leaves = INFINITY};
}

void throng_lift_search_move(throng_lift_search *j, const throng_map *map) { j->map = map; }

throng_path_state throng_lift_search_step(throng_lift_search *j, int32_t *expansions)
{
    int32_t at;
    bool boards;
    for (;;) {
        throng_path_state state = j->failed ? THRONG_PATH_FAILED : walk_on(j, expansions);
        if (state != THRONG_PATH_FOUND)
            return state;
        if (!take_next(j, &at, &boards))
            break;
        *(boards ? &j->stops[at].boarded : &j->stops[at].left) = true;
        if (boards)
            ride(j, at);
        else
            j->now = (walks){at, GOAL, false};
    }
    if (isinf(j->arrives))
        return THRONG_PATH_NONE;
    return j->on.count > 0 || write(j) ? THRONG_PATH_FOUND : THRONG_PATH_FAILED;
}

const throng_path *throng_lift_search_path(const throng_lift_search *j) { return &j->on; }
throng_planned_ride throng_lift_search_ride(const throng_lift_search *j) { return j->first; }

bool throng_path_by_lifts(throng_path_search *search, const throng_navmesh *mesh, const throng_map *map,
                          throng_point from, throng_point to, throng_path *on)
{
    throng_lift_search *j = throng_lift_search_create();
    throng_path_state state = j ? THRONG_PATH_OPEN : THRONG_PATH_FAILED;
    *on = (throng_path){0};
    if (j)
        throng_lift_search_begin(j, search, mesh, map, from, to);
    while (state == THRONG_PATH_OPEN && !throng_given_up()) {
        int32_t expansions = AT_ONCE;
        state = throng_lift_search_step(j, &expansions);
    }
    if (state == THRONG_PATH_FOUND) {
        *on = j->on;
        j->on = (throng_path){0};
    }
    throng_lift_search_destroy(j);
    return state == THRONG_PATH_FOUND || state == THRONG_PATH_NONE;
}
