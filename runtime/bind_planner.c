/* Planners as values: "orca", or throng.orca{...} with its parameters. */
#include "bind.h"

#include <math.h>
#include <string.h>

#define PLANNER "throng.planner"

const char *const throng_planner_names[] = {"none", "orca", NULL};

static const throng_range SECONDS = {0, 1e6, true, "s"};
static const throng_range METRES = {0, 1e6, false, "m"};

/* throng.orca{ horizon =, wall_horizon =, sight =, neighbours = } */
static int orca(lua_State *L)
{
    static const char *const names[] = {"horizon", "wall_horizon", "sight", "neighbours", NULL};
    throng_planner_value value = {.planner = THRONG_PLANNER_ORCA, .neighbours = -1};
    if (lua_isnoneornil(L, 1)) {
        lua_settop(L, 0);
        lua_newtable(L);
    }
    luaL_checktype(L, 1, LUA_TTABLE);
    throng_fields_check(L, 1, "throng.orca", names);
    value.has_horizon = throng_field_sampler(L, 1, "throng.orca", "horizon", &SECONDS, &value.horizon);
    value.has_wall_horizon = throng_field_sampler(L, 1, "throng.orca", "wall_horizon", &SECONDS, &value.wall_horizon);
    value.has_sight = throng_field_sampler(L, 1, "throng.orca", "sight", &METRES, &value.sight);
    throng_field_integer(L, 1, "throng.orca", "neighbours", 0, THRONG_NEIGHBOURS_MAX, &value.neighbours);
    *(throng_planner_value *)lua_newuserdatauv(L, sizeof value, 0) = value;
    luaL_setmetatable(L, PLANNER);
    return 1;
}

throng_planner_value throng_check_planner(lua_State *L, int index, const char *what)
{
    const throng_planner_value *value = luaL_testudata(L, index, PLANNER);
    if (value)
        return *value;
    if (lua_type(L, index) != LUA_TSTRING)
        throng_raise(L, "%s must be a planner's name (none, orca) or throng.orca{...}, got %s", what,
                     throng_describe(L, index));
    for (int i = 0; throng_planner_names[i]; i++)
        if (strcmp(throng_planner_names[i], lua_tostring(L, index)) == 0)
            return (throng_planner_value){.planner = i, .neighbours = -1};
    throng_raise_unknown(L, what, "planner", lua_tostring(L, index), throng_planner_names);
}

static int to_string(lua_State *L)
{
    const throng_planner_value *value = luaL_checkudata(L, 1, PLANNER);
    lua_pushfstring(L, "throng.%s", throng_planner_names[value->planner]);
    return 1;
}

void throng_bind_planner(lua_State *L)
{
    luaL_newmetatable(L, PLANNER);
    lua_pushcfunction(L, to_string);
    lua_setfield(L, -2, "__tostring");
    lua_pushboolean(L, false);
    lua_setfield(L, -2, "__metatable");
    lua_pop(L, 1);
    lua_pushcfunction(L, orca);
    lua_setfield(L, -2, "orca");
}
