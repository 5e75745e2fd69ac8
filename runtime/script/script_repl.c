/* The REPL: lua/throng/repl.lua evaluates and prints, this runs what it compiles under the limits, and completes. */
#include "script_files.h"
#include "script_parts.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define COMPLETE "throng.complete"
#define TAKE     "throng.take"

/* run(f, ...): true and the results, or false and the message with its traceback */
static int run_protected(lua_State *L)
{
    int status = throng_script_call(L, lua_gettop(L) - 1, LUA_MULTRET);
    throng_interrupted_forget();
    lua_pushboolean(L, status == LUA_OK);
    lua_insert(L, 1);
    return lua_gettop(L);
}

static int is_interrupted(lua_State *L)
{
    lua_pushboolean(L, throng_interrupted() != THRONG_STOP_NONE);
    return 1;
}

/* write(text) */
static int write_text(lua_State *L)
{
    size_t size;
    const char *text = luaL_checklstring(L, 1, &size);
    const throng_lines *lines = throng_script_of(L)->lines;
    lines->write(lines->context, text, size);
    return 0;
}

/* failed(): a line did */
static int note_failed(lua_State *L)
{
    throng_script_of(L)->lines_failed = true;
    return 0;
}

/* The index of a field that no value has. */
static int index_value(lua_State *L)
{
    lua_getfield(L, 1, "?");
    return 1;
}

/* names(value): the fields of one of the host's values, or nil */
static int field_names(lua_State *L)
{
    throng_script *script = throng_script_of(L);
    script->names_wanted = true;
    lua_settop(L, 1);
    lua_pushcfunction(L, index_value);
    lua_pushvalue(L, 1);
    int status = lua_pcall(L, 1, 1, 0);
    script->names_wanted = false;
    if (status == LUA_OK || !lua_istable(L, -1))
        lua_pushnil(L);
    return 1;
}

/* completer(f): f(text) gives the list of what the text may become */
static int set_completer(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TFUNCTION);
    lua_setfield(L, LUA_REGISTRYINDEX, COMPLETE);
    return 0;
}

/* help(write, name): what `throng help name` prints */
static int help(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TFUNCTION);
    luaL_checkstring(L, 2);
    throng_script_library(L, "help");
    throng_host_push(L);
    lua_pushstring(L, throng_script_of(L)->library);
    lua_pushvalue(L, 1);
    lua_pushvalue(L, 2);
    lua_call(L, 4, 0);
    return 0;
}

/* The environment of the lines: the sandbox, or with --trust everything. [-0, +1] */
static void push_environment(lua_State *L)
{
    if (throng_script_of(L)->limits.trust) {
        lua_pushglobaltable(L);
        throng_module_push(L);
        lua_setfield(L, -2, "throng");
        return;
    }
    throng_sandbox_push(L, ".");
    lua_pop(L, 1);
}

static int begin_lines(lua_State *L)
{
    static const luaL_Reg functions[] = {
        {"run", run_protected}, {"interrupted", is_interrupted}, {"write", write_text}, {"failed", note_failed},
        {"names", field_names}, {"completer", set_completer},    {"help", help},        {NULL, NULL}};
    throng_script_library(L, "repl");
    luaL_newlib(L, functions);
    push_environment(L);
    lua_rawgeti(L, LUA_REGISTRYINDEX, throng_script_of(L)->world); /* nil without a scenario */
    lua_call(L, 3, 1);
    lua_setfield(L, LUA_REGISTRYINDEX, TAKE);
    return 0;
}

bool throng_script_begin_lines(throng_script *script, const throng_lines *lines, throng_error *error)
{
    script->lines = lines;
    lua_pushcfunction(script->L, begin_lines);
    return lua_pcall(script->L, 0, 0, 0) == LUA_OK || throng_script_fail(script->L, error);
}

/* (line or nil) -> more */
static int take_line(lua_State *L)
{
    const char *line = lua_touserdata(L, 1);
    lua_getfield(L, LUA_REGISTRYINDEX, TAKE);
    lua_pushstring(L, line); /* nil for NULL */
    lua_call(L, 1, 1);
    return 1;
}

bool throng_script_take_line(throng_script *script, const char *line, bool *more, throng_error *error)
{
    lua_State *L = script->L;
    lua_pushcfunction(L, take_line);
    lua_pushlightuserdata(L, (void *)(uintptr_t)line);
    if (lua_pcall(L, 1, 1, 0) != LUA_OK)
        return throng_script_fail(L, error);
    *more = lua_toboolean(L, -1);
    lua_pop(L, 1);
    return true;
}

bool throng_script_lines_failed(const throng_script *script) { return script->lines_failed; }

/* (text) -> the list, as strings of C in a block that the caller frees */
static int complete(lua_State *L)
{
    char ***found = lua_touserdata(L, 1);
    lua_getfield(L, LUA_REGISTRYINDEX, COMPLETE);
    lua_pushvalue(L, 2);
    lua_call(L, 1, 1);
    size_t count = lua_rawlen(L, -1);
    char **list = count ? calloc(count + 1, sizeof *list) : NULL;
    for (size_t i = 0; list && i < count; i++) {
        lua_rawgeti(L, -1, (lua_Integer)i + 1);
        list[i] = strdup(lua_tostring(L, -1));
        lua_pop(L, 1);
    }
    *found = list;
    return 0;
}

char **throng_script_complete(throng_script *script, const char *text)
{
    lua_State *L = script->L;
    char **found = NULL;
    lua_pushcfunction(L, complete);
    lua_pushlightuserdata(L, &found);
    lua_pushstring(L, text);
    if (throng_script_call(L, 2, 0) != LUA_OK)
        lua_pop(L, 1);
    return found;
}
