/* For lua/throng/choose.lua: how far agents have to places, who is sent where, and those of a group that chose alike.
 */
#include "binders.h"
#include "fields.h"
#include "group_methods.h"
#include "routing_value.h"

#include <string.h>

#include "world/route_lengths.h"

/* target_of(world, place, what): its number */
static int target_of(lua_State *L)
{
    const throng_lua_world *world = throng_check_world(L, 1);
    lua_pushinteger(L, throng_check_goal(L, 2, world, luaL_checkstring(L, 3), 0.5, false));
    return 1;
}

/* route_lengths(group, target): a list, m; infinite where no route leads */
static int route_lengths(lua_State *L)
{
    throng_error error;
    const throng_lua_group *group = throng_check_group(L, 1);
    double *lengths = lua_newuserdatauv(L, (size_t)group->count * sizeof *lengths + 1, 0);
    if (!throng_world_route_lengths(group->owner->world, group->handles, group->count, (int32_t)luaL_checkinteger(L, 2),
                                    lengths, &error))
        throng_raise(L, "group:choose: %s", error.text);
    lua_createtable(L, group->count, 0);
    for (int32_t i = 0; i < group->count; i++) {
        lua_pushnumber(L, lengths[i]);
        lua_rawseti(L, -2, i + 1);
    }
    return 1;
}

/* targets_of(group): a list of numbers, -1: none */
static int targets_of(lua_State *L)
{
    throng_error error;
    const throng_lua_group *group = throng_check_group(L, 1);
    int32_t *targets = lua_newuserdatauv(L, (size_t)group->count * sizeof *targets + 1, 0);
    if (!throng_world_targets_of(group->owner->world, group->handles, group->count, targets, &error))
        throng_raise_error(L, &error);
    lua_createtable(L, group->count, 0);
    for (int32_t i = 0; i < group->count; i++) {
        lua_pushinteger(L, targets[i]);
        lua_rawseti(L, -2, i + 1);
    }
    return 1;
}

/* pick(group, list, value): the agents whose entries in the list are that number */
static int pick(lua_State *L)
{
    const throng_lua_group *group = throng_check_group(L, 1);
    lua_Integer value = luaL_checkinteger(L, 3);
    throng_handle *handles = lua_newuserdatauv(L, (size_t)group->count * sizeof *handles + 1, 0);
    int32_t count = 0;
    for (int32_t i = 0; i < group->count; i++) {
        lua_rawgeti(L, 2, i + 1);
        if (lua_isinteger(L, -1) && lua_tointeger(L, -1) == value)
            handles[count++] = group->handles[i];
        lua_pop(L, 1);
    }
    lua_getiuservalue(L, 1, 1);
    throng_group_push(L, lua_gettop(L), handles, count, -1)->named_after = group->named_after;
    return 1;
}

/* has_floors(world) */
static int has_floors(lua_State *L)
{
    const throng_map *map = throng_world_map(throng_check_world(L, 1)->world);
    lua_pushboolean(L, map && map->sheets);
    return 1;
}

void throng_bind_choose(lua_State *L)
{
    static const luaL_Reg functions[] = {{"target_of", target_of},   {"route_lengths", route_lengths},
                                         {"targets_of", targets_of}, {"pick", pick},
                                         {"has_floors", has_floors}, {NULL, NULL}};
    luaL_setfuncs(L, functions, 0);
}
