/* The air over a map (world/world_air.c), for lua/throng/smoke.lua: layers are counted from 0, moments are 0 and 1. */
#include "behaviours.h"
#include "binders.h"
#include "fields.h"
#include "world_methods.h"

#include <math.h>

#include "map/map_sheets.h"

/* air_make(world, cell, layers, x, y): how many points there are; one would be at (x, y), none: at the map's corner */
static int make(lua_State *L)
{
    throng_error error;
    throng_world *world = throng_check_world(L, 1)->world;
    const throng_map *map = throng_world_map(world);
    throng_point anchor = {luaL_optnumber(L, 4, map ? map->bounds.x0 : 0),
                           luaL_optnumber(L, 5, map ? map->bounds.y0 : 0)};
    if (!throng_world_make_air(world, luaL_checknumber(L, 2), anchor, (int32_t)luaL_checkinteger(L, 3), &error))
        throng_raise(L, "world:smoke: %s", error.text);
    lua_pushinteger(L, throng_world_air_points(world));
    return 1;
}

/* air_point(world, point): x, y, the name of the floor or flight, is it in the bounds of that? */
static int point(lua_State *L)
{
    int32_t sheet;
    bool inside;
    const throng_world *world = throng_check_world(L, 1)->world;
    const throng_map *map = throng_world_map(world);
    throng_point at = throng_world_air_point(world, (int32_t)luaL_checkinteger(L, 2), &sheet, &inside);
    lua_pushnumber(L, at.x);
    lua_pushnumber(L, at.y);
    lua_pushstring(L, map->sheets ? map->sheets->list[sheet].name : NULL);
    lua_pushboolean(L, inside);
    return 4;
}

/* Argument `index`: a layer of the world's air. */
static int32_t check_layer(lua_State *L, int index, const throng_world *world)
{
    lua_Integer layer = luaL_checkinteger(L, index);
    if (layer < 0 || layer >= throng_world_air_layers(world))
        throng_raise(L, "world:smoke: there is no layer %d of the air any more", (int)layer);
    return (int32_t)layer;
}

/* air_write(world, moment, layer, values): a list with a number for each point */
static int write(lua_State *L)
{
    throng_world *world = throng_check_world(L, 1)->world;
    float *to = throng_world_write_air(world, luaL_checkinteger(L, 2) != 0, check_layer(L, 3, world));
    for (int32_t i = 0; i < throng_world_air_points(world); i++) {
        lua_rawgeti(L, 4, i + 1);
        to[i] = (float)lua_tonumber(L, -1);
        lua_pop(L, 1);
    }
    return 0;
}

static int advance(lua_State *L)
{
    throng_world_advance_air(throng_check_world(L, 1)->world);
    return 0;
}

/* air_time(world, time, period) */
static int set_time(lua_State *L)
{
    throng_world_time_air(throng_check_world(L, 1)->world, luaL_checknumber(L, 2), luaL_checknumber(L, 3));
    return 0;
}

/* air_at(world, layer, place, what): now; a place is a point {x, y, floor =}; nothing when the layer is nil */
static int value_at(lua_State *L)
{
    const throng_world *world = throng_check_world(L, 1)->world;
    throng_point place = throng_check_place(L, 3, throng_world_map(world), throng_check_name(L, 4));
    if (lua_isnil(L, 2))
        return 0;
    lua_pushnumber(L, throng_world_air_at(world, check_layer(L, 2, world), place));
    return 1;
}

/* air_shows(world, layer, extinction): the layer that is smoke, or nil and one extinction everywhere */
static int air_shows(lua_State *L)
{
    throng_world *world = throng_check_world(L, 1)->world;
    throng_world_show_smoke(world, lua_isnil(L, 2) ? -1 : check_layer(L, 2, world), lua_tonumber(L, 3));
    return 0;
}

/* has_always(world, column): has everybody a behaviour for it? */
static int has_always(lua_State *L)
{
    const throng_lua_world *world = throng_check_world(L, 1);
    lua_pushboolean(L, throng_behaviour_is_always(world, throng_column_named(throng_check_name(L, 2))));
    return 1;
}

/* parameters_of(f): how many it names */
static int parameters_of(lua_State *L)
{
    lua_Debug about;
    luaL_checktype(L, 1, LUA_TFUNCTION);
    lua_settop(L, 1);
    lua_getinfo(L, ">u", &about);
    lua_pushinteger(L, about.isvararg ? 255 : about.nparams);
    return 1;
}

void throng_bind_air(lua_State *L)
{
    static const luaL_Reg functions[] = {{"air_make", make},
                                         {"air_point", point},
                                         {"air_write", write},
                                         {"air_advance", advance},
                                         {"air_shows", air_shows},
                                         {"has_always", has_always},
                                         {"air_time", set_time},
                                         {"air_at", value_at},
                                         {"always", throng_world_always},
                                         {"parameters_of", parameters_of},
                                         {NULL, NULL}};
    luaL_setfuncs(L, functions, 0);
}
