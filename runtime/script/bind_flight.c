/* A flight of a running world's building: world.map:flight(name). */
#include "binders.h"
#include "fields.h"
#include "map_value.h"

#include <math.h>
#include <string.h>

#include "map/map_sheets.h"

/*--- class throng.flight as flight
 * A flight of a world's building: stairs, a ramp, an escalator or a moving walkway: world.map:flight(name). Those that
 * move carry people from foot to head, or back; they stop, start and turn round while the world runs, and paths over
 * them follow.
 * @field direction string "up" or "down": the way it carries people, from the foot to the head or back; "" while it
 *   stands.
 * @field is_running boolean Does it move?
 * @field name string Its name in the map.
 * @field speed number(m/s) How fast it moves along the slope; 0: it stands. Writable: it goes on in its direction.
 * @field world throng.world The world it stands in. */

typedef struct flight {
    throng_world *world;
    int32_t sheet;
    const throng_map_sheet *map; /* as the map has it */
} flight;

static flight check_flight(lua_State *L)
{
    int32_t *sheet = throng_check_self(L, 1, THRONG_LUA_FLIGHT, "flight", "stop");
    lua_getiuservalue(L, 1, 1);
    throng_world *world = throng_check_world(L, -1)->world;
    lua_pop(L, 1);
    return (flight){world, *sheet, &throng_world_map(world)->sheets->list[*sheet]};
}

void throng_flight_push(lua_State *L, int world, int32_t sheet)
{
    world = lua_absindex(L, world);
    *(int32_t *)lua_newuserdatauv(L, sizeof sheet, 1) = sheet;
    luaL_setmetatable(L, THRONG_LUA_FLIGHT);
    lua_pushvalue(L, world);
    lua_setiuservalue(L, -2, 1);
}

/* What a metre of the plan is along the slope. */
static double incline_of(const throng_map_sheet *s)
{
    return sqrt(1 + s->slope.x * s->slope.x + s->slope.y * s->slope.y);
}

/* Sets the belt's speed on the plan. */
static int set_belt(lua_State *L, const flight *f, double belt)
{
    if (f->map->belt == 0)
        throng_raise(L, "flight '%s' does not move: only escalators and walkways do", f->map->name);
    throng_world_set_belt(f->world, f->sheet, belt);
    lua_settop(L, 1);
    return 1;
}

/*--- flight:stop()
 * Stops an escalator or a walkway: it is walked on like stairs or a floor, both ways.
 * @return throng.flight self
 * @error stairs or a ramp
 * @example
 * mall:at(20, function() mall.map:flight("up"):stop() end) */
static int stop(lua_State *L)
{
    flight f = check_flight(L);
    return set_belt(L, &f, 0);
}

/*--- flight:start()
 * Starts an escalator or a walkway as the map has it.
 * @return throng.flight self
 * @error stairs or a ramp
 * @example
 * mall.map:flight("up"):start() */
static int start(lua_State *L)
{
    flight f = check_flight(L);
    return set_belt(L, &f, f.map->belt);
}

/*--- flight:reverse()
 * Turns an escalator or a walkway round: it carries people the other way, as fast as it did; one that stands starts so.
 * @return throng.flight self
 * @error stairs or a ramp
 * @example
 * mall.map:flight("up"):reverse() */
static int reverse(lua_State *L)
{
    flight f = check_flight(L);
    double belt = throng_world_belt(f.world, f.sheet);
    return set_belt(L, &f, belt != 0 ? -belt : -f.map->belt);
}

static int index_flight(lua_State *L)
{
    static const char *const names[] = {"start", "stop",  "reverse", "direction", "is_running",
                                        "name",  "speed", "world",   NULL};
    flight f = check_flight(L);
    double belt = throng_world_belt(f.world, f.sheet);
    const char *key = throng_check_name(L, 2);
    if (strcmp(key, "start") == 0)
        lua_pushcfunction(L, start);
    else if (strcmp(key, "stop") == 0)
        lua_pushcfunction(L, stop);
    else if (strcmp(key, "reverse") == 0)
        lua_pushcfunction(L, reverse);
    else if (strcmp(key, "direction") == 0)
        lua_pushstring(L, belt > 0 ? "up" : belt < 0 ? "down" : "");
    else if (strcmp(key, "is_running") == 0)
        lua_pushboolean(L, belt != 0);
    else if (strcmp(key, "name") == 0)
        lua_pushstring(L, f.map->name);
    else if (strcmp(key, "speed") == 0)
        lua_pushnumber(L, fabs(belt) * incline_of(f.map));
    else if (strcmp(key, "world") == 0)
        lua_getiuservalue(L, 1, 1);
    else
        throng_raise_unknown(L, "flight", "field", key, names);
    return 1;
}

static int write_flight(lua_State *L)
{
    flight f = check_flight(L);
    const char *key = throng_check_name(L, 2);
    if (strcmp(key, "speed") != 0)
        throng_raise(L, "a flight's fields are read only, but for speed; call flight:stop(), start() or reverse()");
    if (lua_type(L, 3) != LUA_TNUMBER || !(lua_tonumber(L, 3) >= 0 && lua_tonumber(L, 3) <= THRONG_BELT_MOST))
        throng_raise(L, "flight.speed must be a number from 0 to %d m/s, got %s", THRONG_BELT_MOST,
                     throng_describe(L, 3));
    double belt = throng_world_belt(f.world, f.sheet), speed = lua_tonumber(L, 3) / incline_of(f.map);
    set_belt(L, &f, copysign(speed, belt != 0 ? belt : f.map->belt));
    return 0;
}

void throng_bind_flight(lua_State *L)
{
    static const luaL_Reg meta[] = {{"__index", index_flight}, {"__newindex", write_flight}, {NULL, NULL}};
    luaL_newmetatable(L, THRONG_LUA_FLIGHT);
    luaL_setfuncs(L, meta, 0);
    lua_pushboolean(L, false);
    lua_setfield(L, -2, "__metatable");
    lua_pop(L, 1);
}
