/* A lift of a running world's building: world.lifts.NAME. */
#include "binders.h"
#include "fields.h"
#include "map_value.h"

#include <math.h>
#include <string.h>

#include "map/map_sheets.h"

/*--- class throng.lift as lift
 * A lift of a world's building: world.lifts.NAME. It runs by itself; out of service it takes nobody, and paths no
 * longer lead through it.
 * @field capacity integer Persons that it holds.
 * @field direction string "up" or "down": the direction it serves; "" while nobody calls.
 * @field floor string The floor where its doors are, or that it left last.
 * @field is_running boolean Is it in service?
 * @field name string Its name in the map.
 * @field riders integer How many are in it.
 * @field speed number(m/s) How fast it rises; negative: it goes down.
 * @field state string "closed", "opening", "open", "closing" (its doors) or "moving".
 * @field world throng.world The world it stands in.
 * @field z number(m) Height of its floor. */

typedef struct lift {
    throng_world *world;
    int32_t number;
    const throng_map_sheets *sheets;
} lift;

static lift check_lift(lua_State *L)
{
    int32_t *number = throng_check_self(L, 1, THRONG_LUA_LIFT, "lift", "stop");
    lua_getiuservalue(L, 1, 1);
    throng_world *world = throng_check_world(L, -1)->world;
    lua_pop(L, 1);
    return (lift){world, *number, throng_world_map(world)->sheets};
}

static const char *name_of(const throng_map_sheets *s, int32_t lift)
{
    return s->list[s->stops[s->lifts[lift].first].sheet].name;
}

static int unknown_lift(lua_State *L)
{
    throng_raise_unknown_key(L, "world.lifts", "lift", throng_check_name(L, 2), 1);
}

void throng_lifts_push(lua_State *L, int world)
{
    world = lua_absindex(L, world);
    const throng_map *map = throng_world_map(throng_check_world(L, world)->world);
    const throng_map_sheets *s = map ? map->sheets : NULL;
    lua_newtable(L);
    for (int32_t i = 0; s && i < s->lift_count; i++) {
        *(int32_t *)lua_newuserdatauv(L, sizeof i, 1) = i;
        luaL_setmetatable(L, THRONG_LUA_LIFT);
        lua_pushvalue(L, world);
        lua_setiuservalue(L, -2, 1);
        lua_setfield(L, -2, name_of(s, i));
    }
    lua_createtable(L, 0, 1);
    lua_pushcfunction(L, unknown_lift);
    lua_setfield(L, -2, "__index");
    lua_setmetatable(L, -2);
}

static int serve(lua_State *L, bool in_service)
{
    lift l = check_lift(L);
    throng_world_serve_lift(l.world, l.number, in_service);
    lua_settop(L, 1);
    return 1;
}

/*--- lift:stop()
 * Takes the lift out of service, as for an evacuation: it halts at the next floor, lets everybody out and stays there;
 * people take other routes.
 * @return throng.lift self
 * @example
 * mall:at(20, function() mall.lifts.a:stop() end) */
static int stop(lua_State *L) { return serve(L, false); }

/*--- lift:start()
 * Takes the lift into service again.
 * @return throng.lift self
 * @example
 * mall.lifts.a:start() */
static int start(lua_State *L) { return serve(L, true); }

/* The stop of the lift at the floor whose name is on top of the stack, counted from its first. */
static int32_t check_floor(lua_State *L, const lift *l)
{
    const char *names[64];
    int count = 0;
    const throng_map_lift *map = &l->sheets->lifts[l->number];
    if (lua_type(L, -1) != LUA_TSTRING)
        throng_raise(L, "lift:shuttle: expected names of floors, like lift:shuttle({ \"third\" }, \"ground\"), got %s",
                     throng_describe(L, -1));
    const char *given = throng_check_name(L, -1);
    for (int32_t k = 0; k < map->count; k++) {
        const char *name = l->sheets->list[l->sheets->stops[map->first + k].floor].name;
        if (strcmp(name, given) == 0)
            return k;
        if (count < 63)
            names[count++] = name;
    }
    names[count] = NULL;
    throng_raise_unknown(L, "lift:shuttle", "floor", given, names);
}

/*--- lift:shuttle(from, to)
 * Evacuates floors by the lift: it takes people at these alone, and lets them out at one, to and fro, until
 * lift:start() or lift:stop().
 * @param from string[] Names of the floors where it is boarded.
 * @param to string Name of the floor where it is left.
 * @return throng.lift self
 * @error a floor that it does not serve; `to` among `from`
 * @example
 * mall.lifts.a:shuttle({ "first" }, "ground") */
static int shuttle(lua_State *L)
{
    lift l = check_lift(L);
    const throng_map_lift *map = &l.sheets->lifts[l.number];
    if (!lua_istable(L, 2))
        throng_raise(L, "lift:shuttle: expected names of floors, like lift:shuttle({ \"third\" }, \"ground\"), got %s",
                     throng_describe(L, 2));
    lua_settop(L, 3);
    int32_t to = check_floor(L, &l);
    bool *from = lua_newuserdatauv(L, (size_t)map->count, 0);
    memset(from, 0, (size_t)map->count);
    for (int i = 1; i <= (int)lua_rawlen(L, 2); i++) {
        lua_rawgeti(L, 2, i);
        from[check_floor(L, &l)] = true;
        lua_pop(L, 1);
    }
    if (from[to])
        throng_raise(L, "lift:shuttle: floor '%s' is where people get out, and cannot be boarded at",
                     lua_tostring(L, 3));
    throng_world_shuttle_lift(l.world, l.number, from, map->first + to);
    lua_settop(L, 1);
    return 1;
}

static int index_lift(lua_State *L)
{
    static const char *const names[] = {"start", "stop",   "shuttle", "capacity", "direction", "floor", "is_running",
                                        "name",  "riders", "speed",   "state",    "world",     "z",     NULL};
    static const char *const states[] = {[THRONG_LIFT_CLOSED] = "closed",
                                         [THRONG_LIFT_OPENING] = "opening",
                                         [THRONG_LIFT_OPEN] = "open",
                                         [THRONG_LIFT_CLOSING] = "closing",
                                         [THRONG_LIFT_MOVING] = "moving"};
    lift l = check_lift(L);
    throng_lift_state state = throng_world_lift(l.world, l.number);
    const char *key = throng_check_name(L, 2);
    if (strcmp(key, "start") == 0)
        lua_pushcfunction(L, start);
    else if (strcmp(key, "stop") == 0)
        lua_pushcfunction(L, stop);
    else if (strcmp(key, "shuttle") == 0)
        lua_pushcfunction(L, shuttle);
    else if (strcmp(key, "capacity") == 0)
        lua_pushinteger(L, l.sheets->lifts[l.number].capacity);
    else if (strcmp(key, "direction") == 0)
        lua_pushstring(L, state.direction > 0 ? "up" : state.direction < 0 ? "down" : "");
    else if (strcmp(key, "floor") == 0)
        lua_pushstring(L, l.sheets->list[l.sheets->stops[state.stop].floor].name);
    else if (strcmp(key, "is_running") == 0)
        lua_pushboolean(L, state.in_service);
    else if (strcmp(key, "name") == 0)
        lua_pushstring(L, name_of(l.sheets, l.number));
    else if (strcmp(key, "riders") == 0)
        lua_pushinteger(L, state.riders);
    else if (strcmp(key, "speed") == 0)
        lua_pushnumber(L, state.speed);
    else if (strcmp(key, "state") == 0)
        lua_pushstring(L, states[state.phase]);
    else if (strcmp(key, "world") == 0)
        lua_getiuservalue(L, 1, 1);
    else if (strcmp(key, "z") == 0)
        lua_pushnumber(L, state.z);
    else
        throng_raise_unknown(L, "lift", "field", key, names);
    return 1;
}

static int refuse_write(lua_State *L)
{
    throng_raise(L, "a lift's fields are read only; call lift:stop(), start() or shuttle()");
}

void throng_bind_lift(lua_State *L)
{
    static const luaL_Reg meta[] = {{"__index", index_lift}, {"__newindex", refuse_write}, {NULL, NULL}};
    luaL_newmetatable(L, THRONG_LUA_LIFT);
    luaL_setfuncs(L, meta, 0);
    lua_pushboolean(L, false);
    lua_setfield(L, -2, "__metatable");
    lua_pop(L, 1);
}
