/* throng.params lists all parameters in the load's context: { params, name } each. */
#include "script_files.h"
#include "script_parts.h"

#include <stdlib.h>
#include <string.h>

void throng_script_forget_parameters(throng_script *script)
{
    for (int32_t i = 0; i < script->parameter_count; i++)
        free(script->parameters[i]);
    free(script->parameters);
    script->parameters = NULL;
    script->parameter_count = 0;
}

/* (list) -> list of texts; the script may have put anything where a value was. */
static int tell_all(lua_State *L)
{
    int count = (int)lua_rawlen(L, 1);
    lua_createtable(L, count, 0);
    for (int i = 1; i <= count; i++) {
        lua_rawgeti(L, 1, i);
        lua_getfield(L, -1, "name");
        lua_getfield(L, -2, "params");
        lua_pushvalue(L, -2);
        lua_rawget(L, -2);
        lua_pushfstring(L, "%s=%s", lua_tostring(L, 4), luaL_tolstring(L, 6, NULL));
        lua_rawseti(L, 2, i);
        lua_settop(L, 2);
    }
    return 1;
}

/* Of the texts at the top. */
static void keep(throng_script *script, lua_State *L)
{
    int32_t count = (int32_t)lua_rawlen(L, -1);
    script->parameters = calloc((size_t)count + 1, sizeof *script->parameters);
    for (int32_t i = 0; script->parameters && i < count; i++) {
        lua_rawgeti(L, -1, i + 1);
        char *text = strdup(lua_tostring(L, -1));
        if (text)
            script->parameters[script->parameter_count++] = text;
        lua_pop(L, 1);
    }
}

const char *const *throng_script_parameters(throng_script *script, int32_t *count)
{
    lua_State *L = script->L;
    int top = lua_gettop(L);
    throng_script_forget_parameters(script);
    lua_pushcfunction(L, tell_all);
    throng_context_push(L);
    if (lua_istable(L, -1) && lua_getfield(L, -1, "parameters") == LUA_TTABLE) {
        lua_remove(L, -2);
        if (throng_script_call(L, 1, 1) == LUA_OK)
            keep(script, L);
    }
    lua_settop(L, top);
    *count = script->parameter_count;
    return (const char *const *)script->parameters;
}
