/* What lua/throng/program_recorder.lua and program_*.lua ask the host, and how the host calls it. */
#include "behaviours.h"
#include "binders.h"
#include "script_files.h"
#include "script_parts.h"

#include "kernels/lane/noise.h"

void throng_program_recorder_call(lua_State *L, const char *name, int args, int results)
{
    int at = lua_gettop(L) - args + 1;
    throng_host_push(L);
    lua_getfield(L, -1, "recorder");
    lua_getfield(L, -1, name);
    lua_insert(L, at);
    lua_pop(L, 2);
    lua_call(L, args, results);
}

/* position(): "file:line" of the user's code that is running */
static int position(lua_State *L)
{
    throng_position_push(L);
    return 1;
}

/* About the function at 1, or whose result it is: the upvalue of bind_planner.c's. */
static void about_function(lua_State *L, lua_Debug *about)
{
    luaL_checktype(L, 1, LUA_TFUNCTION);
    lua_pushvalue(L, 1);
    if (lua_iscfunction(L, 1) && lua_getupvalue(L, 1, 1) && !lua_isfunction(L, -1))
        lua_pop(L, 1);
    lua_getinfo(L, ">S", about);
}

/* text_of(fn): path, first and last line of its text; nothing when it came from no file */
static int text_of(lua_State *L)
{
    lua_Debug about;
    about_function(L, &about);
    if (about.source[0] != '@')
        return 0;
    lua_pushstring(L, about.source + 1);
    lua_pushinteger(L, about.linedefined);
    lua_pushinteger(L, about.lastlinedefined);
    return 3;
}

/* place_of(fn): where its text is; of Lua's own functions, like type, the user's line that runs */
static int place_of(lua_State *L)
{
    lua_Debug about;
    about_function(L, &about);
    if (*about.what != 'C') {
        lua_pushfstring(L, "%s:%d", about.short_src, about.linedefined);
        return 1;
    }
    throng_position_push(L);
    if (lua_rawlen(L, -1) == 0)
        lua_pushliteral(L, "[C]");
    return 1;
}

static int set_recording(lua_State *L)
{
    throng_script_of(L)->recording = lua_toboolean(L, 1);
    return 0;
}

/* identity_of(world): a value that only this world has */
static int identity_of(lua_State *L)
{
    lua_pushlightuserdata(L, throng_check_world(L, 1));
    return 1;
}

static int noise(lua_State *L)
{
    float x = (float)luaL_checknumber(L, 1), y = (float)luaL_checknumber(L, 2), z = (float)luaL_checknumber(L, 3);
    lua_pushnumber(L, (lua_Number)noise_at(x, y, z));
    return 1;
}

static void push_columns(lua_State *L)
{
    lua_createtable(L, THRONG_COLUMN_GIVEN, 0);
    for (int c = 0; c < THRONG_COLUMN_GIVEN; c++) {
        lua_createtable(L, 0, 2);
        lua_pushstring(L, throng_columns[c].name);
        lua_setfield(L, -2, "name");
        lua_pushboolean(L, throng_columns[c].is_float);
        lua_setfield(L, -2, "is_float");
        lua_rawseti(L, -2, c + 1);
    }
}

void throng_bind_program_recorder(lua_State *L)
{
    static const luaL_Reg functions[] = {{"position", position},
                                         {"text_of", text_of},
                                         {"place_of", place_of},
                                         {"recording", set_recording},
                                         {"noise", noise},
                                         {"identity_of", identity_of},
                                         {NULL, NULL}};
    luaL_setfuncs(L, functions, 0);
    luaL_getmetatable(L, THRONG_LUA_RECORDED);
    lua_setfield(L, -2, "recorded");
    push_columns(L);
    lua_setfield(L, -2, "columns");
}
