/* Lua that a program runs about the loaded scenario's world, beside the scenario (runtime/throng.h). */
#include "group_value.h"
#include "script_files.h"
#include "script_parts.h"
#include "world_methods.h"

#include <string.h>

#define ENVIRONMENT "throng.do"
#define VALUE       "throng.value"

/* The environment of all chunks: a scenario's, with `throng` and `world`. [-0, +1] */
static void push_environment(lua_State *L)
{
    if (lua_getfield(L, LUA_REGISTRYINDEX, ENVIRONMENT) == LUA_TTABLE)
        return;
    lua_pop(L, 1);
    throng_context_push(L);
    lua_getfield(L, -1, "path");
    throng_script_confined_push(L, lua_tostring(L, -1));
    lua_pop(L, 1);      /* its generator */
    lua_replace(L, -3); /* the context */
    lua_pop(L, 1);
    lua_getfield(L, -1, "require");
    lua_pushliteral(L, "throng");
    lua_call(L, 1, 1);
    lua_setfield(L, -2, "throng");
    lua_rawgeti(L, LUA_REGISTRYINDEX, throng_script_of(L)->world);
    lua_setfield(L, -2, "world");
    lua_pushvalue(L, -1);
    lua_setfield(L, LUA_REGISTRYINDEX, ENVIRONMENT);
}

/* The chunk as a function, in the environment, with its agents as `group`. [-0, +1] */
static void push_function(lua_State *L, const throng_script_chunk *chunk)
{
    const char *text = chunk->expression ? lua_pushfstring(L, "return %s", chunk->text) : chunk->text;
    if (luaL_loadbufferx(L, text, strlen(text), "=(program)", "t") != LUA_OK)
        lua_error(L);
    push_environment(L);
    lua_pushliteral(L, "group");
    if (chunk->group) {
        lua_rawgeti(L, LUA_REGISTRYINDEX, throng_script_of(L)->world);
        throng_group_push(L, lua_gettop(L), chunk->group, chunk->count, -1);
        throng_group_sort(L, -1);
        lua_remove(L, -2);
    } else {
        lua_pushnil(L);
    }
    lua_rawset(L, -3);
    lua_setupvalue(L, -2, 1);
}

static double number_of(lua_State *L, int index)
{
    if (lua_isboolean(L, index))
        return lua_toboolean(L, index);
    if (lua_type(L, index) != LUA_TNUMBER)
        luaL_error(L, "the value is %s, no number", throng_describe(L, index));
    return lua_tonumber(L, index);
}

static const char *keep_text(lua_State *L, int index)
{
    if (!lua_isstring(L, index))
        luaL_error(L, "the value is %s, no text", throng_describe(L, index));
    const char *text = lua_tostring(L, index);
    lua_pushvalue(L, index);
    lua_setfield(L, LUA_REGISTRYINDEX, VALUE);
    return text;
}

/* The chunk's points into the settings at the top, on their `floor`. [-0, +0] */
static void set_points(lua_State *L, const throng_script_chunk *chunk)
{
    int settings = lua_gettop(L);
    lua_createtable(L, chunk->count, 0);
    for (int32_t i = 0; i < chunk->count; i++) {
        lua_createtable(L, 2, 0);
        lua_pushnumber(L, chunk->points[2 * i]);
        lua_rawseti(L, -2, 1);
        lua_pushnumber(L, chunk->points[2 * i + 1]);
        lua_rawseti(L, -2, 2);
        lua_getfield(L, settings, "floor");
        lua_setfield(L, -2, "floor");
        lua_rawseti(L, -2, i + 1);
    }
    lua_setfield(L, settings, "at");
    lua_pushnil(L);
    lua_setfield(L, settings, "floor");
}

/* world:spawn of the settings at the top. [-1, +0] */
static void spawn(lua_State *L, const throng_script_chunk *chunk)
{
    int settings = lua_gettop(L);
    if (!lua_istable(L, settings))
        luaL_error(L, "the settings of a spawn are a table like {planner = \"orca\"}, got %s",
                   throng_describe(L, settings));
    if (chunk->points) {
        set_points(L, chunk);
    } else {
        lua_pushinteger(L, chunk->count);
        lua_setfield(L, settings, "count");
    }
    lua_rawgeti(L, LUA_REGISTRYINDEX, throng_script_of(L)->world);
    lua_getfield(L, -1, "spawn");
    lua_insert(L, -2);
    lua_pushvalue(L, settings);
    lua_call(L, 2, 1);
    const throng_lua_group *group = throng_check_group(L, -1);
    memcpy(chunk->spawned, group->handles, (size_t)group->count * sizeof *group->handles);
    lua_settop(L, settings - 1);
}

static int run(lua_State *L)
{
    throng_script_chunk *chunk = lua_touserdata(L, 1);
    push_function(L, chunk);
    lua_call(L, 0, chunk->expression ? 1 : 0);
    if (chunk->spawned)
        spawn(L, chunk);
    else if (chunk->string)
        chunk->value = keep_text(L, -1);
    else if (chunk->expression)
        chunk->number = number_of(L, -1);
    return 0;
}

bool throng_script_do(throng_script *script, throng_script_chunk *chunk, throng_error *error)
{
    lua_State *L = script->L;
    lua_pushcfunction(L, run);
    lua_pushlightuserdata(L, chunk);
    return throng_script_call(L, 1, 0) == LUA_OK || throng_script_fail(L, error);
}

/* ---- events */

typedef struct listener {
    const char *event, *place;
    throng_script_heard *heard;
    void *context;
    int32_t number;
} listener;

/* The callback: a group, and what group:on tells beside it. */
static int hear(lua_State *L)
{
    const listener *l = lua_touserdata(L, lua_upvalueindex(1));
    const throng_lua_group *group = throng_check_group(L, 1);
    lua_settop(L, 3);
    if (!l->heard(l->context, l->number, group->handles, group->count, lua_tostring(L, 2), lua_tostring(L, 3)))
        throng_raise(L, "out of memory for events");
    return 0;
}

static int listen(lua_State *L)
{
    const listener *l = lua_touserdata(L, 1);
    lua_pushcfunction(L, throng_world_on_first);
    lua_rawgeti(L, LUA_REGISTRYINDEX, throng_script_of(L)->world);
    lua_pushstring(L, l->event);
    if (l->place)
        lua_pushstring(L, l->place);
    *(listener *)lua_newuserdatauv(L, sizeof *l, 0) = *l;
    lua_pushcclosure(L, hear, 1);
    lua_call(L, 3 + (l->place != NULL), 0);
    return 0;
}

bool throng_script_listen(throng_script *script, const char *event, const char *place, throng_script_heard *heard,
                          void *context, int32_t number, throng_error *error)
{
    listener l = {event, place, heard, context, number};
    lua_State *L = script->L;
    lua_pushcfunction(L, listen);
    lua_pushlightuserdata(L, &l);
    return throng_script_call(L, 1, 0) == LUA_OK || throng_script_fail(L, error);
}
