/* Lifts: who waits before them, boards, rides and gets out, and where their cars go.
 *
 * Once a frame, on the host, in order of lift and of agent: everybody whose path leads through a car next (path maps
 * know) and who is near its door waits for it; who is in a car goes to the floor where its path leaves it. Cars go by
 * collective control: on in their direction while somebody rides or calls there, and then back. A car's door at a floor
 * is a door of the map, which holds back everybody but those who board, ride or leave while it is open there, so that
 * nobody boards who was not let in. Who rides is on the sheet of the floor that the car left, and comes to that of the
 * next when it is there. */
#include "world_lifts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "navigation/navmesh_lifts.h"
#include "world_parts.h"

static const double NEAR = 12;      /* m: who is farther from a door waits for no lift yet */
static const double FREE = 1.2;     /* m from the door, where those who wait let others out */
static const double STANDING = 0.3; /* m^2 that somebody who waits takes */
static const double LINGER = 0.4;   /* m: who stands and is pushed away by less stands on */
static const double PATIENCE = 5;   /* s: then the doors close though somebody is in the way, or does not come; */
static const double BOARDING = 2;   /* s: and for each who was let in */

/* Somebody in a car, or near one. */
typedef struct lift_passenger {
    int32_t slot, id;
    int32_t stop; /* of the car that it is in, or waits for */
    int32_t to;   /* the stop that it rides to, -1: none */
    bool aboard;  /* behind the door */
    bool leaves;  /* it is aboard, and its path leads out */
    bool in_doorway;
    double ahead; /* m: of its path, to the car; aboard: to the goal */
} lift_passenger;

/* What is read of everybody, and once somebody is in a lift or near one: of those. */
typedef struct lift_columns {
    const int32_t *state, *floor, *lift;
    const float *x, *y;
    bool has_people;
    const int32_t *id, *face, *goal, *arrived, *born, *waypoint;
    const float *radius, *pre_movement;
} lift_columns;

/* --- lifetime --- */

static uint32_t steps_of(const throng_world *w, double seconds) { return (uint32_t)ceil(seconds / w->dt - 1e-9); }

static const throng_map_sheets *sheets_of(const throng_world *w) { return w->map->sheets; }

static const throng_lift_stop *stop_of(const throng_world *w, int32_t stop) { return &w->map->sheets->stops[stop]; }

bool throng_world_init_lifts(throng_world *w, throng_error *error)
{
    const throng_map_sheets *s = w->map ? w->map->sheets : NULL;
    if (!s || !s->lift_count)
        return true;
    w->lifts.list = calloc((size_t)s->lift_count, sizeof *w->lifts.list);
    if (!w->lifts.list)
        return throng_fail(error, "out of memory for %d lifts", s->lift_count);
    if (!(w->lifts.use = malloc((size_t)s->stop_count)))
        return throng_fail(error, "out of memory for %d lifts", s->lift_count);
    if (!(w->lifts.car = malloc((size_t)s->count * sizeof *w->lifts.car)))
        return throng_fail(error, "out of memory for %d lifts", s->lift_count);
    memset(w->lifts.use, THRONG_STOP_BOTH, (size_t)s->stop_count);
    for (int32_t sheet = 0; sheet < s->count; sheet++)
        w->lifts.car[sheet] = throng_map_stop_of(s, sheet);
    w->lifts.count = s->lift_count;
    for (int32_t i = 0; i < s->lift_count; i++)
        w->lifts.list[i] =
            (world_lift){.z = s->stops[s->lifts[i].first].z, .stop = s->lifts[i].first, .target = s->lifts[i].first};
    for (int32_t i = 0; i < s->stop_count; i++)
        if (!throng_world_hold_door(w, s->stops[i].door, true, error))
            return false;
    return throng_agents_use(w->agents, THRONG_COLUMN_BIT(lift), error);
}

void throng_world_free_lifts(throng_world *w)
{
    free(w->lifts.list);
    free(w->lifts.use);
    free(w->lifts.car);
    free(w->lifts.people);
    free(w->lifts.value);
}

throng_lift_state throng_world_lift(const throng_world *w, int32_t lift)
{
    const world_lift *l = &w->lifts.list[lift];
    double up = stop_of(w, l->target)->z >= l->z ? 1 : -1;
    return (throng_lift_state){.phase = (throng_lift_phase)l->phase,
                               .z = l->z,
                               .speed = l->phase == THRONG_LIFT_MOVING ? up * l->v : 0,
                               .stop = l->stop,
                               .direction = l->direction,
                               .riders = l->riders,
                               .in_service = !l->stopped};
}

void throng_world_serve_lift(throng_world *w, int32_t lift, bool in_service)
{
    const throng_map_lift *map = &sheets_of(w)->lifts[lift];
    memset(w->lifts.use + map->first, in_service ? THRONG_STOP_BOTH : 0, (size_t)map->count);
    w->lifts.list[lift].stopped = !in_service;
    throng_world_renew_paths(w);
}

void throng_world_shuttle_lift(throng_world *w, int32_t lift, const bool *from, int32_t to)
{
    const throng_map_lift *map = &sheets_of(w)->lifts[lift];
    for (int32_t k = 0; k < map->count; k++)
        w->lifts.use[map->first + k] = from[k] ? THRONG_STOP_BOARD : 0;
    w->lifts.use[to] |= THRONG_STOP_LEAVE;
    w->lifts.list[lift].stopped = false;
    throng_world_renew_paths(w);
}

uint64_t throng_world_mix_lifts(const throng_world *w, uint64_t hash)
{
    for (int32_t i = 0; i < w->lifts.count; i++) {
        const world_lift *l = &w->lifts.list[i];
        const double moves[] = {l->z, l->v};
        uint64_t bits[2];
        memcpy(bits, moves, sizeof bits);
        hash = throng_world_mix(throng_world_mix(hash, bits[0]), bits[1]);
        hash = throng_world_mix(throng_world_mix(hash, (uint64_t)l->stop), (uint64_t)l->target);
        hash = throng_world_mix(throng_world_mix(hash, (uint64_t)l->phase), (uint64_t)(l->direction + 1));
        hash = throng_world_mix(throng_world_mix(hash, l->until), l->stopped);
        for (int32_t k = 0; k < sheets_of(w)->lifts[i].count; k++)
            hash = throng_world_mix(hash, w->lifts.use[sheets_of(w)->lifts[i].first + k]);
    }
    return hash;
}

/* --- who is there --- */

#define READ(name) (c->name = throng_agents_read(a, THRONG_COLUMN_##name, error))

static bool read_places(throng_world *w, lift_columns *c, throng_error *error)
{
    throng_agents *a = w->agents;
    *c = (lift_columns){0};
    return READ(state) && READ(floor) && READ(lift) && READ(x) && READ(y);
}

static bool read_people(throng_world *w, lift_columns *c, throng_error *error)
{
    throng_agents *a = w->agents;
    if (c->has_people)
        return true;
    if (throng_agents_uses(a, THRONG_COLUMN_pre_movement) && !(READ(pre_movement) && READ(born)))
        return false;
    if (w->paths.own.walking && !READ(waypoint))
        return false;
    return c->has_people = READ(id) && READ(face) && READ(goal) && READ(arrived) && READ(radius);
}

#undef READ

static bool has_started(const throng_world *w, const lift_columns *c, int32_t s)
{
    return !c->pre_movement || ((double)w->step - c->born[s]) * w->dt >= (double)c->pre_movement[s];
}

/* The path that somebody follows; `ahead` is INFINITY for those who want to get nowhere, or cannot. */
static throng_path_ride ride_of(const throng_world *w, const lift_columns *c, int32_t s)
{
    static const throng_path_ride none = {-1, -1, INFINITY};
    const world_goal *g = c->goal[s] >= 0 ? &w->routing.goals[c->goal[s]] : NULL;
    if (!g || c->arrived[s] >= 0 || !has_started(w, c, s))
        return none;
    if (g->path_mesh >= 0)
        return throng_world_own_ride(w, s, c->waypoint ? c->waypoint[s] : -1, (throng_point){c->x[s], c->y[s]});
    if (g->mesh < 0 || (!g->path_map && !g->road))
        return (throng_path_ride){-1, -1, 0}; /* it goes straight, and rides nowhere */
    const world_mesh *m = &w->routing.meshes[g->mesh];
    int32_t face = c->face[s] - m->first_face;
    if (face < 0 || face >= m->mesh->face_count)
        return none;
    if (g->road)
        return throng_roadmap_ride(m->mesh, m->roadmap, g->road, face, (throng_point){c->x[s], c->y[s]});
    return throng_path_map_ride(g->path_map, face, c->x[s], c->y[s]);
}

static throng_point place_of(const lift_columns *c, int32_t s) { return (throng_point){c->x[s], c->y[s]}; }

/* m: how far behind the lift's seams a position is, and to the right. */
static throng_point behind(const throng_map_lift *l, throng_point p)
{
    double x = p.x - l->at.x, y = p.y - l->at.y;
    return (throng_point){x * l->in.x + y * l->in.y, x * l->in.y - y * l->in.x};
}

static bool is_in_doorway(const throng_map_lift *l, throng_point at, double radius)
{
    return fabs(at.x - THRONG_LIFT_SILL) < radius && fabs(at.y) < 0.5 * l->width;
}

static bool add_passenger(throng_world *w, int32_t *count, lift_passenger p, throng_error *error)
{
    if (!throng_array_reserve((void **)&w->lifts.people, &w->lifts.room, (int64_t)*count + 1, sizeof p))
        return throng_fail(error, "out of memory for the riders of lifts");
    w->lifts.people[(*count)++] = p;
    return true;
}

/* Somebody on a car's sheet. */
static bool find_in_car(throng_world *w, lift_columns *c, int32_t s, int32_t stop, int32_t *count, throng_error *error)
{
    if (!read_people(w, c, error))
        return false;
    const throng_map_lift *l = &sheets_of(w)->lifts[stop_of(w, stop)->lift];
    throng_point at = behind(l, place_of(c, s));
    throng_path_ride ride = ride_of(w, c, s);
    bool aboard = at.x > THRONG_LIFT_SILL, rides = ride.stop == stop;
    lift_passenger p = {.slot = s,
                        .id = c->id[s],
                        .stop = stop,
                        .to = rides ? ride.to : -1,
                        .aboard = aboard,
                        .leaves = aboard && !rides && isfinite(ride.ahead),
                        .in_doorway = is_in_doorway(l, at, (double)c->radius[s]),
                        .ahead = ride.ahead};
    return add_passenger(w, count, p, error);
}

/* The stop of a lift at a floor, -1: it does not stop there. */
static int32_t stop_at(const throng_world *w, const throng_map_lift *l, int32_t floor)
{
    for (int32_t stop = l->first; stop < l->first + l->count; stop++)
        if (stop_of(w, stop)->floor == floor)
            return stop;
    return -1;
}

/* Somebody on a floor: most are near no lift. */
static bool find_on_floor(throng_world *w, lift_columns *c, int32_t s, int32_t *count, throng_error *error)
{
    bool asked = false;
    throng_path_ride ride = {-1, -1, INFINITY};
    for (int32_t i = 0; i < w->lifts.count; i++) {
        const throng_map_lift *l = &sheets_of(w)->lifts[i];
        throng_point at = behind(l, place_of(c, s));
        int32_t stop = at.x * at.x + at.y * at.y > NEAR * NEAR ? -1 : stop_at(w, l, c->floor[s]);
        if (stop < 0)
            continue;
        if (!read_people(w, c, error))
            return false;
        if (!asked)
            ride = ride_of(w, c, s);
        asked = true;
        lift_passenger p = {.slot = s,
                            .id = c->id[s],
                            .stop = stop,
                            .to = ride.stop == stop ? ride.to : -1,
                            .in_doorway = is_in_doorway(l, at, (double)c->radius[s]),
                            .ahead = ride.ahead};
        if ((p.to >= 0 || p.in_doorway) && !add_passenger(w, count, p, error))
            return false;
    }
    return true;
}

/* By stop; those who ride on first, then by the path ahead. */
static int by_stop(const void *a, const void *b)
{
    const lift_passenger *p = a, *q = b;
    if (p->stop != q->stop)
        return p->stop < q->stop ? -1 : 1;
    if (p->aboard != q->aboard)
        return p->aboard ? -1 : 1;
    if (p->ahead != q->ahead)
        return p->ahead < q->ahead ? -1 : 1;
    return (p->id > q->id) - (p->id < q->id);
}

static bool find_people(throng_world *w, lift_columns *c, int32_t *count, throng_error *error)
{
    *count = 0;
    for (int32_t s = 0; s < throng_agents_slots(w->agents); s++) {
        if (!c->state[s])
            continue;
        int32_t stop = w->lifts.car[c->floor[s]];
        if (!(stop >= 0 ? find_in_car(w, c, s, stop, count, error) : find_on_floor(w, c, s, count, error)))
            return false;
    }
    if (*count)
        qsort(w->lifts.people, (size_t)*count, sizeof *w->lifts.people, by_stop);
    return true;
}

/* --- what they want --- */

enum { MOST_STOPS = 1000 }; /* throng.building has no more floors */

/* Of one lift, its stops counted from its first. */
typedef struct lift_calls {
    const throng_map_lift *lift;
    int32_t first, end; /* its people: people[first] .. people[end) */
    bool want[MOST_STOPS], up[MOST_STOPS], down[MOST_STOPS];
    /* Here: who gets out; who has, and is in the doorway; who rides on; who was let in and is not aboard. */
    int32_t leaving, clearing, riding, admitted;
    bool doorway; /* somebody is in it here */
} lift_calls;

/* Are those who wait, `before` of whom are nearer, to stand there? They take a half disc before the door. */
static bool stands(const throng_map_lift *l, const lift_passenger *p, int32_t before, int32_t value)
{
    double from = FREE + 0.5 * (l->depth + THRONG_LIFT_SILL), linger = value != 0 ? LINGER : 0;
    double reach = sqrt(FREE * FREE + 2 * before * STANDING / M_PI) - FREE;
    return p->ahead < from + reach + linger;
}

/* Who stands gets the number of the lift, and stays let in who was; who calls is heard. */
static void hear(throng_world *w, const lift_columns *c, int32_t lift, lift_calls *calls)
{
    const world_lift *l = &w->lifts.list[lift];
    int32_t before = 0, stop = -1, number = lift + 1;
    for (int32_t i = calls->first; i < calls->end; i++) {
        const lift_passenger *p = &w->lifts.people[i];
        int32_t at = p->stop - calls->lift->first, to = p->to - calls->lift->first, was = c->lift[p->slot];
        int32_t *value = &w->lifts.value[p->slot];
        bool here = p->stop == l->stop, open = here && l->phase == THRONG_LIFT_OPEN;
        before = p->stop == stop ? before : 0;
        stop = p->stop;
        calls->doorway |= here && p->in_doorway;
        if (p->aboard && here) {
            calls->leaving += p->leaves;
            calls->riding += !p->leaves;
            if (p->to >= 0)
                calls->want[to] = true;
            *value = p->to < 0 && !p->leaves ? 0 : open ? -number : number;
        } else if (p->aboard) { /* it is where the car is not: it is fetched */
            calls->up[at] = calls->down[at] = true;
        } else if (p->to >= 0 && stands(calls->lift, p, before, was)) {
            before++;
            bool in = open && was == -number;
            calls->admitted += in;
            *value = in ? -number : number;
            (p->to > p->stop ? calls->up : calls->down)[at] = true;
        } else if (p->in_doorway && open && was == -number) {
            *value = was; /* on its way out; others may still push it back in */
            calls->clearing++;
        }
    }
}

/* The nearest stop beyond height z in a direction for which somebody rides or calls so, -1: none. */
static int32_t nearest(const throng_world *w, const lift_calls *c, const bool *asked, double z, int32_t direction)
{
    int32_t count = c->lift->count;
    for (int32_t k = direction > 0 ? 0 : count - 1; k >= 0 && k < count; k += direction)
        if (asked[k] && (stop_of(w, c->lift->first + k)->z - z) * direction > 1e-9)
            return k;
    return -1;
}

/* The farthest, likewise. */
static int32_t farthest(const throng_world *w, const lift_calls *c, const bool *asked, double z, int32_t direction)
{
    int32_t count = c->lift->count;
    for (int32_t k = direction > 0 ? count - 1 : 0; k >= 0 && k < count; k -= direction)
        if (asked[k] && (stop_of(w, c->lift->first + k)->z - z) * direction > 1e-9)
            return k;
    return -1;
}

static int32_t nearer(int32_t a, int32_t b, int32_t direction)
{
    return a < 0 ? b : b < 0 ? a : (a - b) * direction < 0 ? a : b;
}

/* Where to go next in a direction: the first floor for which somebody rides, or from where somebody calls to go on so,
 * or else the last from where somebody calls to go back; -1: nowhere. A full car stops for nobody who calls. */
static int32_t next_in(const throng_world *w, const lift_calls *c, double z, int32_t direction, bool full)
{
    int32_t to = nearest(w, c, c->want, z, direction);
    if (full)
        return to;
    to = nearer(to, nearest(w, c, direction > 0 ? c->up : c->down, z, direction), direction);
    return to >= 0 ? to : farthest(w, c, direction > 0 ? c->down : c->up, z, direction);
}

static bool is_full(const lift_calls *c) { return c->leaving + c->riding >= c->lift->capacity; }

/* The direction in which the car goes on from where it stands, 0: nobody asks. It is kept while somebody asks for it.
 */
static int32_t direct(const throng_world *w, const world_lift *l, const lift_calls *c)
{
    int32_t here = l->stop - c->lift->first;
    bool up = c->up[here] || next_in(w, c, l->z, 1, false) >= 0;
    bool down = c->down[here] || next_in(w, c, l->z, -1, false) >= 0;
    if (l->direction > 0 ? up : l->direction < 0 ? down : false)
        return l->direction;
    if (up && down) { /* it stands idle: to where the ride is shorter, up where both are */
        if (c->up[here] || c->down[here])
            return c->up[here] ? 1 : -1;
        double above = stop_of(w, c->lift->first + next_in(w, c, l->z, 1, false))->z - l->z;
        double below = l->z - stop_of(w, c->lift->first + next_in(w, c, l->z, -1, false))->z;
        return below < above ? -1 : 1;
    }
    return up ? 1 : down ? -1 : 0;
}

/* --- what it does --- */

static void set_phase(const throng_world *w, world_lift *l, throng_lift_phase phase, double seconds)
{
    l->phase = phase;
    l->until = w->step + steps_of(w, seconds);
    l->late = l->until + steps_of(w, PATIENCE);
}

static void depart(throng_world *w, world_lift *l, const lift_calls *c)
{
    l->direction = l->stopped ? 0 : direct(w, l, c);
    int32_t to = l->direction ? next_in(w, c, l->z, l->direction, is_full(c)) : -1;
    if (to < 0)
        return;
    l->target = c->lift->first + to;
    l->phase = THRONG_LIFT_MOVING;
    l->v = 0;
}

static void stand_closed(throng_world *w, world_lift *l, const lift_calls *c)
{
    int32_t here = l->stop - c->lift->first;
    bool called = !l->stopped && !is_full(c) && (c->up[here] || c->down[here]);
    if (c->leaving || called)
        set_phase(w, l, THRONG_LIFT_OPENING, c->lift->door_time);
    else
        depart(w, l, c);
}

/* The doors wait for so many more. */
static void have_patience(const throng_world *w, world_lift *l, int32_t people)
{
    uint32_t late = w->step + steps_of(w, PATIENCE + people * BOARDING);
    l->late = late > l->late ? late : l->late;
}

/* Lets in who waits, the nearest first, once those are out who leave. */
static void admit(throng_world *w, const lift_columns *columns, int32_t lift, world_lift *l, lift_calls *c)
{
    int32_t room = c->lift->capacity - c->riding - c->leaving - c->admitted, number = lift + 1;
    if (l->stopped || c->leaving || c->clearing || !l->direction)
        return;
    for (int32_t i = c->first; i < c->end && room > 0; i++) {
        const lift_passenger *p = &w->lifts.people[i];
        if (p->stop != l->stop || p->aboard || w->lifts.value[p->slot] != number ||
            (p->to > p->stop) != (l->direction > 0))
            continue;
        w->lifts.value[p->slot] = -number;
        c->admitted++;
        room--;
        if (columns->lift[p->slot] != -number)
            have_patience(w, l, c->admitted);
    }
}

static void stand_open(throng_world *w, const lift_columns *columns, int32_t lift, world_lift *l, lift_calls *c)
{
    if (c->leaving < l->leaving)
        have_patience(w, l, 0);
    l->direction = direct(w, l, c);
    admit(w, columns, lift, l, c);
    bool asked = c->leaving || c->admitted || c->doorway;
    if (w->step >= (asked ? l->late : l->until))
        set_phase(w, l, THRONG_LIFT_CLOSING, c->lift->door_time);
}

/* Everybody in the car comes to the sheet of the stop where it is. */
static bool arrive(throng_world *w, const lift_columns *c, world_lift *l, const lift_calls *calls, throng_error *error)
{
    int32_t *floor = throng_agents_write(w->agents, THRONG_COLUMN_floor, error),
            *face = floor ? throng_agents_write(w->agents, THRONG_COLUMN_face, error) : NULL,
            *edge = face ? throng_agents_write(w->agents, THRONG_COLUMN_exit_edge, error) : NULL;
    if (!edge)
        return false;
    for (int32_t i = calls->first; i < calls->end; i++) {
        const lift_passenger *p = &w->lifts.people[i];
        if (p->stop != l->stop || !p->aboard)
            continue;
        const world_goal *g = c->goal[p->slot] >= 0 ? &w->routing.goals[c->goal[p->slot]] : NULL;
        const world_mesh *m = g && g->mesh >= 0 ? &w->routing.meshes[g->mesh] : NULL;
        int32_t local = m ? throng_navmesh_face_in_car(m->mesh, l->target, place_of(c, p->slot)) : -1;
        if (m && local < 0)
            local = m->mesh->lifts->stops[l->target].face;
        floor[p->slot] = stop_of(w, l->target)->sheet;
        face[p->slot] = local < 0 ? -1 : m->first_face + local;
        edge[p->slot] = -1;
        if (g && g->path_mesh >= 0)
            throng_world_rode(w, p->slot);
    }
    l->stop = l->target;
    l->v = 0;
    set_phase(w, l, THRONG_LIFT_OPENING, calls->lift->door_time);
    return true;
}

/* The first stop on the way at which it can still halt, and somebody asks for, or any when it is out of service. */
static void choose_stop(const throng_world *w, world_lift *l, const lift_calls *c, int32_t direction)
{
    static const bool none[MOST_STOPS];
    double halt = fmax(l->v * l->v / (2 * c->lift->acceleration), 1e-9);
    const bool *calls = is_full(c) ? none : direction > 0 ? c->up : c->down;
    int32_t to = l->target - c->lift->first, count = c->lift->count;
    for (int32_t k = direction > 0 ? 0 : count - 1; k != to; k += direction)
        if ((l->stopped || c->want[k] || calls[k]) && (stop_of(w, c->lift->first + k)->z - l->z) * direction >= halt) {
            l->target = c->lift->first + k;
            return;
        }
}

/* It speeds up, and slows down where the rest of the way is what it takes to halt. */
static bool travel(throng_world *w, const lift_columns *columns, world_lift *l, const lift_calls *c,
                   throng_error *error)
{
    int32_t direction = stop_of(w, l->target)->z > l->z ? 1 : -1;
    choose_stop(w, l, c, direction);
    double rest = (stop_of(w, l->target)->z - l->z) * direction;
    l->v = fmin(fmin(l->v + c->lift->acceleration * w->dt, c->lift->speed), sqrt(2 * c->lift->acceleration * rest));
    if (l->v * w->dt < rest) {
        l->z += direction * l->v * w->dt;
        return true;
    }
    l->z = stop_of(w, l->target)->z;
    return arrive(w, columns, l, c, error);
}

static bool run_lift(throng_world *w, const lift_columns *columns, int32_t lift, lift_calls *c, throng_error *error)
{
    world_lift *l = &w->lifts.list[lift];
    bool due = w->step >= l->until, fine = true;
    switch ((throng_lift_phase)l->phase) {
    case THRONG_LIFT_CLOSED: stand_closed(w, l, c); break;
    case THRONG_LIFT_OPENING:
        if (due)
            set_phase(w, l, THRONG_LIFT_OPEN, c->lift->dwell);
        break;
    case THRONG_LIFT_OPEN: stand_open(w, columns, lift, l, c); break;
    case THRONG_LIFT_CLOSING:
        if (due) {
            l->phase = THRONG_LIFT_CLOSED;
            depart(w, l, c);
        }
        break;
    case THRONG_LIFT_MOVING: fine = travel(w, columns, l, c, error); break;
    }
    l->riders = c->leaving + c->riding;
    l->leaving = c->leaving;
    return fine;
}

/* --- all of them --- */

/* Writes the column where it changes. */
static bool tell(throng_world *w, const int32_t *was, throng_error *error)
{
    int32_t slots = throng_agents_slots(w->agents);
    if (memcmp(was, w->lifts.value, (size_t)slots * sizeof *was) == 0)
        return true;
    int32_t *column = throng_agents_write(w->agents, THRONG_COLUMN_lift, error);
    if (column)
        memcpy(column, w->lifts.value, (size_t)slots * sizeof *column);
    return column != NULL;
}

bool throng_world_run_lifts(throng_world *w, throng_error *error)
{
    lift_columns c;
    int32_t people, at = 0, slots = throng_agents_slots(w->agents);
    if (!w->lifts.count || w->phases.hooked)
        return true;
    if (!read_places(w, &c, error))
        return false;
    if (!throng_array_reserve((void **)&w->lifts.value, &w->lifts.value_room, (int64_t)slots + 1,
                              sizeof *w->lifts.value))
        return throng_fail(error, "out of memory for the riders of lifts");
    memset(w->lifts.value, 0, (size_t)slots * sizeof *w->lifts.value);
    if (!find_people(w, &c, &people, error))
        return false;
    for (int32_t i = 0; i < w->lifts.count; i++) {
        lift_calls calls = {.lift = &sheets_of(w)->lifts[i], .first = at};
        while (at < people && stop_of(w, w->lifts.people[at].stop)->lift == i)
            at++;
        calls.end = at;
        hear(w, &c, i, &calls);
        if (!run_lift(w, &c, i, &calls, error))
            return false;
    }
    return tell(w, c.lift, error);
}
