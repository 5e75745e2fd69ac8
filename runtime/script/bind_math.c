/* math's functions, which also take the values that a behaviour function is recorded with
 * (lua/throng/program_notes.lua): on those they note what would be computed. */
#include "behaviours.h"
#include "binders.h"
#include "script_files.h"
#include "script_parts.h"

#include <string.h>

/* Is an argument a recorded value? Upvalue 3 is the metatable of those. */
static bool any_recorded(lua_State *L)
{
    for (int i = 1; i <= lua_gettop(L); i++) {
        if (!lua_istable(L, i) || !lua_getmetatable(L, i))
            continue;
        bool recorded = lua_rawequal(L, -1, lua_upvalueindex(3));
        lua_pop(L, 1);
        if (recorded)
            return true;
    }
    return false;
}

/* Upvalues: the function, its name. */
static int call_or_note(lua_State *L)
{
    if (!any_recorded(L))
        return lua_tocfunction(L, lua_upvalueindex(1))(L);
    int count = lua_gettop(L);
    throng_host_push(L);
    lua_getfield(L, -1, "recorded_math");
    lua_remove(L, -2);
    lua_pushvalue(L, lua_upvalueindex(2));
    lua_rotate(L, 1, 2);
    lua_call(L, count + 1, 1);
    return 1;
}

/* Drawn while a function is recorded a number would be the same for all agents for ever. */
static int draw(lua_State *L)
{
    throng_refuse_recording(L, "math.random");
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_insert(L, 1);
    lua_call(L, lua_gettop(L) - 1, 1);
    return 1;
}

void throng_refuse_recording(lua_State *L, const char *what)
{
    if (throng_script_of(L)->recording)
        throng_raise(L, "%s in a behaviour function would be called only once, for all agents; use throng.random()",
                     what);
}

void throng_bind_math(lua_State *L)
{
    lua_getglobal(L, LUA_MATHLIBNAME);
    int math = lua_gettop(L);
    luaL_newmetatable(L, THRONG_LUA_RECORDED);
    lua_newtable(L); /* the functions now, since the library is changed on the way */
    lua_pushnil(L);
    while (lua_next(L, math)) {
        lua_pushvalue(L, -2);
        lua_insert(L, -2);
        lua_rawset(L, math + 2);
    }
    lua_pushnil(L);
    while (lua_next(L, math + 2)) {
        bool random = strcmp(lua_tostring(L, -2), "random") == 0;
        bool has_state = !random && lua_getupvalue(L, -1, 1); /* randomseed */
        lua_settop(L, math + 4);
        if (lua_iscfunction(L, -1) && !has_state) {
            lua_pushvalue(L, -2); /* name function name */
            lua_pushvalue(L, math + 1);
            lua_pushcclosure(L, random ? draw : call_or_note, 3);
            lua_pushvalue(L, -2);
            lua_insert(L, -2);
            lua_rawset(L, math);
        } else {
            lua_pop(L, 1);
        }
    }
    lua_settop(L, math - 1);
}
