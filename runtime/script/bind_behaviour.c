/* throng.behaviour: a behaviour function as a value. */
#include "behaviours.h"
#include "binders.h"
#include "fields.h"

/*--- alias throng.behaviour_like = throng.behaviour|fun(t: number, a: throng.behaviour.agent): number, number?
 * A function that computes a number (or vx, vy) for each agent in every frame. It is called once, with values that
 * stand for all agents, and recorded as a program for the backend. Arithmetic and math's abs, floor, ceil, sqrt, sin,
 * cos, tan, exp, log, atan, min and max take those values; use throng.select for comparisons. */

/*--- class throng.behaviour
 * A behaviour function as a value: throng.behaviour. */

#define BEHAVIOUR "throng.behaviour"

/* throng.behaviour(fn, {slow =}); user value 1 is the function */
typedef struct behaviour {
    bool slow;
} behaviour;

bool throng_is_behaviour(lua_State *L, int index)
{
    return lua_isfunction(L, index) || luaL_testudata(L, index, BEHAVIOUR);
}

bool throng_behaviour_function_push(lua_State *L, int index)
{
    const behaviour *value = luaL_testudata(L, index, BEHAVIOUR);
    if (value)
        lua_getiuservalue(L, index, 1);
    else if (lua_isfunction(L, index))
        lua_pushvalue(L, index);
    else
        throng_raise(L, "expected a behaviour function(t, a), got %s", throng_describe(L, index));
    return value && value->slow;
}

/*--- class throng.behaviour.settings
 * Options of throng.behaviour. */
static const throng_setting SETTINGS[] = {
    {"slow", "boolean", "false", .text = "Called from Lua for each agent before every frame, and not compiled."},
    {.name = NULL},
};

const throng_settings throng_behaviour_settings = {"throng.behaviour.settings", "throng.behaviour", SETTINGS};

/*--- throng.behaviour(f, options)
 * A behaviour function with options. With `slow = true` Lua calls it for each agent before every frame: it may use
 * all of Lua, runs at a hundredth of the speed, and sees columns only.
 * @param f fun(t: number(s), a: throng.behaviour.agent): number(any), number(any)? The function of time and agent.
 * @param options? throng.behaviour.settings Options.
 * @return throng.behaviour
 * @error no function; errors of recording come when it is given to agents
 * @example
 * guests.speed = throng.behaviour(function(t, a)
 *   if a.x < 3 then return 0.8 end
 *   return 1.3
 * end, { slow = true }) */
static int new_behaviour(lua_State *L)
{
    if (!lua_isfunction(L, 1))
        throng_raise(L, "throng.behaviour: expected a function(t, a), got %s", throng_describe(L, 1));
    behaviour value = {false};
    if (!lua_isnoneornil(L, 2)) {
        if (!lua_istable(L, 2))
            throng_raise(L, "throng.behaviour: options must be a table like {slow = true}, got %s",
                         throng_describe(L, 2));
        throng_settings_check(L, 2, &throng_behaviour_settings);
        throng_field_boolean(L, 2, "throng.behaviour", "slow", &value.slow);
    }
    *(behaviour *)lua_newuserdatauv(L, sizeof value, 1) = value;
    luaL_setmetatable(L, BEHAVIOUR);
    lua_pushvalue(L, 1);
    lua_setiuservalue(L, -2, 1);
    return 1;
}

static int behaviour_to_string(lua_State *L)
{
    const behaviour *value = luaL_checkudata(L, 1, BEHAVIOUR);
    lua_pushstring(L, value->slow ? "behaviour function, called from Lua" : "behaviour function");
    return 1;
}

/* function_of(behaviour or function) */
static int function_of(lua_State *L)
{
    throng_behaviour_function_push(L, 1);
    return 1;
}

void throng_bind_behaviour(lua_State *L)
{
    static const luaL_Reg functions[] = {{"behaviour", new_behaviour}, {"function_of", function_of}, {NULL, NULL}};
    luaL_newmetatable(L, BEHAVIOUR);
    lua_pushcfunction(L, behaviour_to_string);
    lua_setfield(L, -2, "__tostring");
    lua_pushboolean(L, false);
    lua_setfield(L, -2, "__metatable");
    lua_pop(L, 1);
    luaL_setfuncs(L, functions, 0);
}
