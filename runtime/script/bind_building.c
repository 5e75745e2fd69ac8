/* throng.building: the map of several floors, and of the flights between them. */
#include "binders.h"
#include "fields.h"
#include "map_value.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "map/building.h"

/*--- class throng.floor: throng.map.settings
 * A floor of a building: the settings of its map, or `map`; and its height.
 * @field z number(m) Height of the floor.
 * @field map? string|throng.map Path of its map, or the map, in place of the settings. */

/*--- class throng.flight.settings
 * Settings of a flight of stairs, or of a ramp, of throng.building. It is a rectangle of the plan, cut out of both
 * floors: these must leave room along all of its foot and its head. */

/*--- class throng.belt.settings
 * Settings of an escalator, or of a moving walkway, of throng.building: a flight that carries people. A walkway may
 * lead from a floor to the same one. */

/*--- class throng.lift.settings
 * Settings of a lift of throng.building. Its car is a rectangle of the plan, cut out of the floors that it serves, and
 * open to them along its whole width: these must leave room there. People whose paths lead through a lift wait before
 * its door, let others out, board up to its capacity, nearest first, and only when it goes their way: it goes on in its
 * direction while there are calls or riders for it, and then turns (collective control). Paths count a ride by the time
 * it takes, and by `wait`. All paths on navigation meshes lead through lifts: those that agents share, those of their
 * own, map:path and path requests. */

/*--- class throng.building.settings
 * Settings of throng.building. */

/* What every flight has. */
/* clang-format off */
#define FLIGHT_SETTINGS                                                                                                \
    {"name", "string", NULL, .text = "Its name, and that of its region; none: stairs 1, ramp 2, by its place in the list."}, \
    {"from", "string", NULL, .text = "Name of the floor that it leads from, the lower one."},                          \
    {"to", "string", NULL, .text = "Name of the floor that it leads to; none, for walkways: the same one."},           \
    {"foot", "throng.point", NULL, .text = "The middle of its lower end, on the plan."},                               \
    {"head", "throng.point", NULL, .text = "The middle of its upper end, on the plan."},                               \
    {"width", "number", NULL, "Between the handrails; none: 1.2, escalators and walkways 1.", {0.3, 1000, false, "m"}}, \
    {"climb", "number", NULL,                                                                                          \
     "Share of their speed that people keep on the way up, on the plan; none: stairs, and escalators that stand or are "     \
     "walked on, 0.455 (Weidmann: 0.61 m/s of 1.34), ramps and walkways by their slope: 0.84 at 5 %, 0.75 at 1:12 "    \
     "(Tobler, 1993).",                                                                                                \
     {0, 2, true, ""}},                                                                                                \
    {"descend", "number", NULL,                                                                                        \
     "Likewise on the way down; stairs and escalators 0.518 (Weidmann: 0.694 m/s of 1.34), ramps and walkways by "     \
     "their slope: 1 up to 10 %, 0.84 at 15 %.",                                                                       \
     {0, 2, true, ""}},                                                                                                \
    {"cost", "number", NULL,                                                                                           \
     "Cost that paths add to its length on the plan, like that of a door; none: the time it takes beyond that of a "    \
     "floor, at 1.34 m/s, and 0 while it carries people. 0: paths are the shortest, however slow it is.",                        \
     {0, 1e6, false, "m"}}

static const throng_setting FLIGHT[] = {
    FLIGHT_SETTINGS,
    {"flights", "integer", "1", "2: a switchback. The first flight leads from foot to head, where a landing begins that "
     "turns back; the second flight lies beside the first and ends where that begins. It is cut out of both floors as a "
     "whole. Its parts are \"name lower\", \"name landing\" and \"name upper\", and regions of its name.", {1, 2, false, ""}},
    {"landing", "number", NULL, "Depth of the landing of a switchback; none: the width of its flights.",
     {0.3, 1000, false, "m"}},
    {"turn", "string", "\"left\"", .text = "To which side a switchback turns on its landing, going up: \"left\" or "
     "\"right\"."},
    {"rise", "number", NULL, "What it climbs in all, as measured or by its steps: that must lead from one floor to the "
     "other within 0.05 m; none: it does.", {0, 1e4, false, "m"}},
    {.name = NULL},
};

static const throng_setting BELT[] = {
    FLIGHT_SETTINGS,
    {"speed", "number", "0.5", "How fast it moves, along the slope.", {0, THRONG_BELT_MOST, true, "m/s"}},
    {"direction", "string", "\"up\"", .text = "\"up\": it carries people from foot to head; \"down\": back. Nobody is led "
     "against it."},
    {"walkers", "number", NULL,
     "Share of people who walk on it, on its left, while the others stand on its right; none: escalators 0, walkways 1.",
     {0, 1, false, ""}},
    {.name = NULL},
};

static const throng_setting LIFT[] = {
    {"name", "string", NULL, .text = "Its name, and that of its region; none: lift 1, by its place in the list."},
    {"floors", "string[]", NULL, .text = "Names of the floors that it serves; none: all."},
    {"at", "throng.point", NULL, .text = "The middle of its door, on the plan."},
    {"back", "throng.point", NULL, .text = "The middle of the wall opposite, as far away as it is deep."},
    {"width", "number", "1.6", "Of the car and its door.", {0.6, 100, false, "m"}},
    {"capacity", "integer", "8", "Persons that it holds.", {1, 1000, false, ""}},
    {"speed", "number", "1", "How fast it travels.", {0, 20, true, "m/s"}},
    {"acceleration", "number", "1", "How it speeds up and slows down.", {0, 10, true, "m/s^2"}},
    {"door_time", "number", "2", "In which its doors open, and close.", {0, 60, false, "s"}},
    {"dwell", "number", "3", "For which its doors stay open at least.", {0, 600, false, "s"}},
    {"wait", "number", NULL, "What paths count for waiting before it; none: half a round trip from end to end.",
     {0, 1e5, false, "s"}},
    {.name = NULL},
};
/* clang-format on */

const throng_settings throng_lift_settings = {"throng.lift.settings", "a lift", LIFT};
const throng_settings throng_flight_settings = {"throng.flight.settings", "a flight", FLIGHT};
const throng_settings throng_belt_settings = {"throng.belt.settings", "an escalator", BELT};

static const throng_setting BUILDING[] = {
    {"floors", "table<string, throng.floor>", NULL, .text = "The floors, by their names."},
    {"file", "string", NULL,
     .text = "Path of a Tiled .tmx with a group layer for each floor, or of an .xml of the map maker with <floor>s, in "
             "place of all else."},
    {"stairs", "throng.flight.settings[]", NULL, .text = "Flights of stairs."},
    {"ramps", "throng.flight.settings[]", NULL, .text = "Ramps."},
    {"escalators", "throng.belt.settings[]", NULL, .text = "Escalators."},
    {"walkways", "throng.belt.settings[]", NULL, .text = "Moving walkways."},
    {"lifts", "throng.lift.settings[]", NULL, .text = "Lifts."},
    {"roadmap", "throng.roadmap", NULL,
     .text = "The roadmap of groups with routing = \"roadmap\", in place of the floors' corners: its nodes may name "
             "their floor, or the flight."},
    {"name", "string", "\"building\"", .text = "Name in pictures and messages."},
    {.name = NULL},
};

const throng_settings throng_building_settings = {"throng.building.settings", "throng.building", BUILDING};

/* Kinds of flights, and the field that lists them. */
typedef struct flight_kind {
    const char *list;
    throng_sheet_kind kind;
    const throng_settings *settings;
} flight_kind;

static const flight_kind KINDS[] = {
    {"stairs", THRONG_SHEET_STAIRS, &throng_flight_settings},
    {"ramps", THRONG_SHEET_RAMP, &throng_flight_settings},
    {"escalators", THRONG_SHEET_ESCALATOR, &throng_belt_settings},
    {"walkways", THRONG_SHEET_WALKWAY, &throng_belt_settings},
};
enum {
    KIND_COUNT = sizeof KINDS / sizeof *KINDS,
    MOST_FLOORS = 1000,
    MOST_FLIGHTS = 4000,
    MOST_LIFTS = 200,
    MOST_STOPS = 20000
};

typedef struct plans {
    throng_floor_plan floors[MOST_FLOORS];
    throng_flight_plan flights[MOST_FLIGHTS];
    throng_lift_plan lifts[MOST_LIFTS];
    int32_t served[MOST_STOPS]; /* floors of the lifts, one after the other */
    int32_t storeys;            /* floors that are no landings, which come behind them */
    int32_t floor_count, flight_count, lift_count, stops, switchbacks;
} plans;

/* ---- floors */

static int by_height(const void *a, const void *b)
{
    const throng_floor_plan *p = a, *q = b;
    return p->z != q->z ? (p->z > q->z) - (p->z < q->z) : strcmp(p->name, q->name);
}

/* Pushes the floor's settings without `z`, or its `map`. */
static void push_definition(lua_State *L, int floor)
{
    if (lua_getfield(L, floor, "map") != LUA_TNIL)
        return;
    lua_pop(L, 1);
    lua_newtable(L);
    for (lua_pushnil(L); lua_next(L, floor);) {
        lua_pushvalue(L, -2);
        lua_insert(L, -2); /* copy, key, key, value */
        if (lua_type(L, -2) == LUA_TSTRING && strcmp(throng_check_name(L, -2), "z") == 0)
            lua_pop(L, 2);
        else
            lua_rawset(L, -4);
    }
}

/* Reads the floor whose name and value are on top of the stack; its map's value stays in the table at `held`. */
static void read_floor(lua_State *L, int held, throng_floor_map *map_of, plans *p)
{
    static const throng_range height = {-1e4, 1e4, false, "m"};
    int floor = lua_gettop(L);
    if (lua_type(L, floor - 1) != LUA_TSTRING)
        throng_raise(L, "throng.building: floors need names, like floors = { ground = { z = 0, ... } }, got %s",
                     throng_describe(L, floor - 1));
    const char *name = throng_check_name(L, floor - 1);
    const char *what = lua_pushfstring(L, "throng.building: floor '%s'", name);
    if (!lua_istable(L, floor))
        throng_raise(L, "%s must be a table like { z = 0, boundary = throng.box(0, 0, 20, 10) }, got %s", what,
                     throng_describe(L, floor));
    double z;
    if (!throng_field_number(L, floor, what, "z", &height, &z))
        throng_raise(L, "%s needs its height, 'z'", what);
    if (p->floor_count == MOST_FLOORS)
        throng_raise(L, "throng.building: more than %d floors", MOST_FLOORS);
    push_definition(L, floor);
    p->floors[p->floor_count++] = (throng_floor_plan){name, map_of(L, lua_gettop(L)), z, 0};
    lua_rawseti(L, held, p->floor_count);
}

static void read_floors(lua_State *L, int table, int held, throng_floor_map *map_of, plans *p)
{
    int top = lua_gettop(L);
    if (lua_getfield(L, table, "floors") != LUA_TTABLE)
        throng_raise(L,
                     "throng.building needs 'floors', a table like { ground = { z = 0, ... }, first = { z = 3.5, ... } "
                     "}, got %s",
                     throng_describe(L, -1));
    for (lua_pushnil(L); lua_next(L, top + 1); lua_settop(L, top + 2))
        read_floor(L, held, map_of, p);
    lua_settop(L, top);
    if (!p->floor_count)
        throng_raise(L, "throng.building: 'floors' is empty");
    qsort(p->floors, (size_t)p->floor_count, sizeof *p->floors, by_height);
    p->storeys = p->floor_count;
}

/* ---- flights */

static int32_t find_floor(lua_State *L, const char *what, const char *name, const plans *p)
{
    const char *names[64];
    int count = 0;
    for (int32_t i = 0; i < p->storeys; i++) {
        if (strcmp(p->floors[i].name, name) == 0)
            return i;
        if (count < 63)
            names[count++] = p->floors[i].name;
    }
    names[count] = NULL;
    throng_raise_unknown(L, what, "floor", name, names);
}

static int32_t read_end(lua_State *L, int flight, const char *what, const char *field, const plans *p)
{
    const char *name = NULL;
    if (!throng_field_string(L, flight, what, field, &name))
        throng_raise(L, "%s needs '%s', the name of a floor", what, field);
    return find_floor(L, what, name, p);
}

static throng_point read_point(lua_State *L, int flight, const char *what, const char *field)
{
    const char *of = lua_pushfstring(L, "%s: field '%s'", what, field);
    lua_getfield(L, flight, field);
    throng_point point = throng_check_point(L, -1, of);
    lua_pop(L, 2);
    return point;
}

static void read_belt(lua_State *L, int flight, const char *what, throng_flight_plan *f)
{
    static const char *const ways[] = {"up", "down", NULL};
    const char *way = "up";
    f->belt = 0.5;
    throng_setting_number(L, flight, &throng_belt_settings, "speed", &f->belt);
    throng_setting_number(L, flight, &throng_belt_settings, "walkers", &f->walkers);
    throng_field_string(L, flight, what, "direction", &way);
    if (strcmp(way, ways[0]) != 0 && strcmp(way, ways[1]) != 0)
        throng_raise_unknown(L, what, "direction", way, ways);
    if (strcmp(way, ways[1]) == 0)
        f->belt = -f->belt;
}

/* ---- switchbacks */

/* The map of a landing; its value stays in the table at `held`. */
static const throng_map *make_landing(lua_State *L, const throng_point outline[5], int held, throng_floor_map *map_of,
                                      const plans *p)
{
    lua_createtable(L, 0, 1);
    throng_shape_push(L, outline, 5);
    lua_setfield(L, -2, "boundary");
    const throng_map *map = map_of(L, lua_gettop(L));
    lua_rawseti(L, held, p->floor_count + 1);
    return map;
}

/* A name that stays in the table at `held`. */
static const char *hold_name(lua_State *L, int held, const char *whole, const char *part)
{
    const char *name = lua_pushfstring(L, "%s %s", whole, part);
    lua_rawsetp(L, held, name);
    return name;
}

/* The last flight becomes the lower one of a switchback, and gets an upper one and a landing. */
static void turn_back(lua_State *L, bool left, double depth, int held, throng_floor_map *map_of, plans *p)
{
    if (p->flight_count == MOST_FLIGHTS || p->floor_count == MOST_FLOORS)
        throng_raise(L, "throng.building: more than %d flights, or %d floors and landings", MOST_FLIGHTS, MOST_FLOORS);
    throng_flight_plan *lower = &p->flights[p->flight_count - 1], *upper = &p->flights[p->flight_count++];
    double z = 0.5 * (p->floors[lower->from].z + p->floors[lower->to].z);
    throng_point outline[5];
    lower->whole = lower->name;
    throng_flight_turn_back(lower, upper, ++p->switchbacks, left, depth, outline);
    lower->name = hold_name(L, held, lower->whole, "lower");
    upper->name = hold_name(L, held, lower->whole, "upper");
    lower->to = upper->from = p->floor_count;
    const throng_map *map = make_landing(L, outline, held, map_of, p);
    p->floors[p->floor_count++] =
        (throng_floor_plan){hold_name(L, held, lower->whole, "landing"), map, z, lower->switchback};
}

static void read_turn(lua_State *L, int flight, const char *what, int held, throng_floor_map *map_of, plans *p)
{
    static const char *const sides[] = {"left", "right", NULL};
    throng_flight_plan *f = &p->flights[p->flight_count - 1];
    int64_t flights = 1;
    double depth = f->width;
    const char *side = sides[0];
    throng_setting_integer(L, flight, &throng_flight_settings, "flights", &flights);
    throng_setting_number(L, flight, &throng_flight_settings, "landing", &depth);
    throng_setting_number(L, flight, &throng_flight_settings, "rise", &f->rise);
    throng_field_string(L, flight, what, "turn", &side);
    if (strcmp(side, sides[0]) != 0 && strcmp(side, sides[1]) != 0)
        throng_raise_unknown(L, what, "side", side, sides);
    if (flights == 2)
        turn_back(L, strcmp(side, sides[0]) == 0, depth, held, map_of, p);
}

/* Agents, points and regions are told by the names of floors and flights. */
static void refuse_floor_name(lua_State *L, const char *what, const char *name, const plans *p)
{
    for (int32_t i = 0; i < p->storeys; i++)
        if (strcmp(p->floors[i].name, name) == 0)
            throng_raise(L, "%s: there is a floor '%s' already; give each a name of its own", what, name);
}

/* The flight on top of the stack, the `number`-th of its kind; its name stays in the table at `held`. */
static void read_flight(lua_State *L, const flight_kind *kind, int number, int held, throng_floor_map *map_of, plans *p)
{
    int flight = lua_gettop(L);
    const char *name = lua_pushfstring(L, "%s %d", throng_sheet_kinds[kind->kind], number);
    const char *what = lua_pushfstring(L, "throng.building: %s", name);
    if (!lua_istable(L, flight))
        throng_raise(L,
                     "%s must be a table like { from = \"ground\", to = \"first\", foot = {4, 2}, head = {9, 2} }, got "
                     "%s",
                     what, throng_describe(L, flight));
    throng_settings_check(L, flight, kind->settings);
    if (p->flight_count == MOST_FLIGHTS)
        throng_raise(L, "throng.building: more than %d flights", MOST_FLIGHTS);
    throng_flight_plan *f = &p->flights[p->flight_count];
    *f = throng_flight_plan_default(kind->kind);
    throng_field_string(L, flight, what, "name", &name);
    refuse_floor_name(L, what, name, p);
    f->name = name;
    lua_pushstring(L, name);
    lua_rawseti(L, held, MOST_FLOORS + ++p->flight_count);
    f->from = read_end(L, flight, what, "from", p);
    lua_getfield(L, flight, "to");
    bool level = kind->settings == &throng_belt_settings && lua_isnil(L, -1);
    lua_pop(L, 1);
    f->to = level ? f->from : read_end(L, flight, what, "to", p);
    f->at = read_point(L, flight, what, "foot");
    throng_point head = read_point(L, flight, what, "head");
    f->direction = atan2(head.y - f->at.y, head.x - f->at.x);
    f->length = hypot(head.x - f->at.x, head.y - f->at.y);
    throng_setting_number(L, flight, kind->settings, "width", &f->width);
    throng_setting_number(L, flight, kind->settings, "climb", &f->climb);
    throng_setting_number(L, flight, kind->settings, "descend", &f->descend);
    throng_setting_number(L, flight, kind->settings, "cost", &f->cost);
    if (kind->settings == &throng_belt_settings)
        read_belt(L, flight, what, f);
    else
        read_turn(L, flight, what, held, map_of, p);
}

/* Pushes the list of that name, if there is one; how many it has. [-0, +1] */
static int push_list(lua_State *L, int table, const char *list)
{
    int type = lua_getfield(L, table, list), at = lua_gettop(L);
    if (type == LUA_TNIL)
        return 0;
    const char *what = lua_pushfstring(L, "throng.building: '%s'", list);
    if (type != LUA_TTABLE)
        throng_raise(L, "%s must be a list, got %s", what, throng_describe(L, at));
    throng_refuse_names(L, at, what, "{ name = ..., ... }");
    lua_settop(L, at);
    return (int)lua_rawlen(L, at);
}

static void read_flights(lua_State *L, int table, const flight_kind *kind, int held, throng_floor_map *map_of, plans *p)
{
    int top = lua_gettop(L), count = push_list(L, table, kind->list);
    for (int i = 1; i <= count; i++) {
        lua_rawgeti(L, top + 1, i);
        read_flight(L, kind, i, held, map_of, p);
        lua_settop(L, top + 1);
    }
    lua_settop(L, top);
}

/* ---- lifts */

static int by_number(const void *a, const void *b)
{
    const int32_t *p = a, *q = b;
    return (*p > *q) - (*p < *q);
}

static void serve(lua_State *L, const char *what, int32_t floor, plans *p, throng_lift_plan *l)
{
    for (int32_t i = 0; i < l->count; i++)
        if (l->floors[i] == floor)
            throng_raise(L, "%s: field 'floors' names floor '%s' twice", what, p->floors[floor].name);
    if (p->stops == MOST_STOPS)
        throng_raise(L, "throng.building: lifts stop at more than %d floors in all", MOST_STOPS);
    p->served[p->stops++] = floor;
    l->count++;
}

/* The floors that the lift at `lift` of the stack serves, ascending. */
static void read_served(lua_State *L, int lift, const char *what, plans *p, throng_lift_plan *l)
{
    int type = lua_getfield(L, lift, "floors"), list = lua_gettop(L);
    l->floors = p->served + p->stops;
    if (type != LUA_TNIL && type != LUA_TTABLE)
        throng_raise(L, "%s: field 'floors' must be a list of names of floors, got %s", what, throng_describe(L, -1));
    for (int32_t i = 0; type == LUA_TNIL && i < p->storeys; i++)
        serve(L, what, i, p, l);
    for (int i = 1; type == LUA_TTABLE && i <= (int)lua_rawlen(L, list); i++) {
        if (lua_rawgeti(L, list, i) != LUA_TSTRING)
            throng_raise(L, "%s: field 'floors' must be a list of names of floors, got %s in it", what,
                         throng_describe(L, -1));
        serve(L, what, find_floor(L, what, throng_check_name(L, -1), p), p, l);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    if (l->count < 2)
        throng_raise(L, "%s serves %d floor: give its 'floors' two names or more", what, (int)l->count);
    qsort((int32_t *)l->floors, (size_t)l->count, sizeof *l->floors, by_number);
}

/* The lift on top of the stack; its name stays in the table at `held`. */
static void read_lift(lua_State *L, int number, int held, plans *p)
{
    int lift = lua_gettop(L);
    const char *name = lua_pushfstring(L, "lift %d", number);
    const char *what = lua_pushfstring(L, "throng.building: %s", name);
    if (!lua_istable(L, lift))
        throng_raise(L, "%s must be a table like { at = {4, 2}, back = {4, 4} }, got %s", what,
                     throng_describe(L, lift));
    throng_settings_check(L, lift, &throng_lift_settings);
    if (p->lift_count == MOST_LIFTS)
        throng_raise(L, "throng.building: more than %d lifts", MOST_LIFTS);
    throng_lift_plan *l = &p->lifts[p->lift_count++];
    throng_field_string(L, lift, what, "name", &name);
    refuse_floor_name(L, what, name, p);
    *l = (throng_lift_plan){.name = name, .lift = throng_lift_default()};
    for (int32_t i = 0; i < p->lift_count - 1; i++)
        if (strcmp(p->lifts[i].name, name) == 0)
            throng_raise(L, "%s: there is a lift '%s' already; give each a name of its own", what, name);
    lua_pushstring(L, name);
    lua_rawseti(L, held, MOST_FLOORS + MOST_FLIGHTS + p->lift_count);
    read_served(L, lift, what, p, l);
    throng_point back = read_point(L, lift, what, "back");
    int64_t capacity = l->lift.capacity;
    l->lift.at = read_point(L, lift, what, "at");
    l->lift.depth = hypot(back.x - l->lift.at.x, back.y - l->lift.at.y);
    l->lift.in = (throng_point){(back.x - l->lift.at.x) / l->lift.depth, (back.y - l->lift.at.y) / l->lift.depth};
    throng_setting_number(L, lift, &throng_lift_settings, "width", &l->lift.width);
    throng_setting_number(L, lift, &throng_lift_settings, "speed", &l->lift.speed);
    throng_setting_number(L, lift, &throng_lift_settings, "acceleration", &l->lift.acceleration);
    throng_setting_number(L, lift, &throng_lift_settings, "door_time", &l->lift.door_time);
    throng_setting_number(L, lift, &throng_lift_settings, "dwell", &l->lift.dwell);
    throng_setting_number(L, lift, &throng_lift_settings, "wait", &l->lift.wait);
    throng_setting_integer(L, lift, &throng_lift_settings, "capacity", &capacity);
    l->lift.capacity = (int32_t)capacity;
}

static void read_lifts(lua_State *L, int table, int held, plans *p)
{
    int top = lua_gettop(L), count = push_list(L, table, "lifts");
    for (int i = 1; i <= count; i++) {
        lua_rawgeti(L, top + 1, i);
        read_lift(L, i, held, p);
        lua_settop(L, top + 1);
    }
    lua_settop(L, top);
}

/* ---- */

bool throng_map_is_building(lua_State *L, int index)
{
    bool is = lua_istable(L, index) && lua_getfield(L, index, "floors") != LUA_TNIL;
    if (lua_istable(L, index))
        lua_pop(L, 1);
    return is;
}

throng_map *throng_map_make_building(lua_State *L, int table, throng_floor_map *map_of)
{
    throng_error error;
    const char *name = "building";
    int top = lua_gettop(L);
    throng_settings_check(L, table, &throng_building_settings);
    throng_field_string(L, table, "throng.building", "name", &name);
    plans *p = lua_newuserdatauv(L, sizeof *p, 0);
    p->storeys = p->floor_count = p->flight_count = p->lift_count = p->stops = p->switchbacks = 0;
    lua_newtable(L); /* maps and names, while they are needed */
    read_floors(L, table, top + 2, map_of, p);
    for (int k = 0; k < KIND_COUNT; k++)
        read_flights(L, table, &KINDS[k], top + 2, map_of, p);
    read_lifts(L, table, top + 2, p);
    throng_building_plan plan = {p->floors, p->flights, p->lifts, p->floor_count, p->flight_count, p->lift_count};
    throng_map *map = throng_map_build_building(name, &plan, &error);
    if (!map)
        throng_raise(L, "throng.building: %s", error.text);
    lua_settop(L, top);
    return map;
}

void throng_floor_names_push(lua_State *L, const throng_map *map)
{
    int32_t count = map && map->sheets ? map->sheets->count : 0;
    lua_createtable(L, count + 1, 0);
    for (int32_t i = 0; i < count; i++) {
        lua_pushstring(L, map->sheets->list[i].name);
        lua_rawseti(L, -2, i + 1);
    }
    if (!count) {
        lua_pushliteral(L, "");
        lua_rawseti(L, -2, 1);
    }
}

void throng_floors_push(lua_State *L, const throng_map *map)
{
    const throng_map_sheets *s = map ? map->sheets : NULL;
    int at = 0;
    lua_newtable(L);
    for (int32_t i = 0; s && i < s->count; i++) {
        int32_t stop = throng_map_stop_of(s, i);
        if (stop >= 0 ? stop > s->lifts[s->stops[stop].lift].first : i > 0 && s->list[i - 1].part == s->list[i].part)
            continue;
        lua_createtable(L, 0, 3);
        lua_pushstring(L, s->list[i].name);
        lua_setfield(L, -2, "name");
        lua_pushstring(L, throng_sheet_kinds[s->list[i].kind]);
        lua_setfield(L, -2, "kind");
        if (s->list[i].flight || stop >= 0)
            lua_pushboolean(L, true);
        else
            lua_pushnumber(L, s->list[i].z);
        lua_setfield(L, -2, stop >= 0 ? "lift" : s->list[i].flight ? "flight" : "z");
        lua_rawseti(L, -2, ++at);
    }
}
