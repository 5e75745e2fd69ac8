/* Calling functions of the script: what the callback is, for errors, and what happens when it fails. */
#include "callback.h"
#include "group_value.h"

#include <stdio.h>
#include <string.h>

throng_doing throng_doing_begin(lua_State *L, const throng_lua_world *world, const char *callback, const char *group)
{
    throng_script *script = throng_script_of(L);
    throng_doing before = script->doing;
    snprintf(script->doing.text, sizeof script->doing.text, "in %s%s%.80s%s, step %u (%.4g s)", callback,
             *group ? " of group '" : "", group, *group ? "'" : "", throng_world_steps(world->world),
             throng_world_time(world->world));
    return before;
}

void throng_doing_end(lua_State *L, const throng_doing *before) { throng_script_of(L)->doing = *before; }

enum { AGENTS_NAMED = 5 };

/* Adds whom the callback is about: the numbers of the first agents of the group. */
static void name_agents(throng_script *script, const throng_lua_group *group)
{
    const throng_agents *agents = throng_world_agents(group->owner->world);
    size_t used = strlen(script->doing.text), size = sizeof script->doing.text;
    for (int32_t i = 0; i < group->count && i < AGENTS_NAMED && used < size; i++)
        used += (size_t)snprintf(script->doing.text + used, size - used, "%s %d",
                                 i ? "," : (group->count > 1 ? ", agents" : ", agent"),
                                 throng_agents_id(agents, group->handles[i].slot));
    if (group->count > AGENTS_NAMED && used < size)
        snprintf(script->doing.text + used, size - used, " and %d more", group->count - AGENTS_NAMED);
}

void throng_callback_call(lua_State *L, const throng_lua_world *world, const char *callback, const char *group,
                          int args, int results)
{
    throng_doing before = throng_doing_begin(L, world, callback, group);
    const throng_lua_group *batch = args ? luaL_testudata(L, -args, THRONG_LUA_GROUP) : NULL;
    if (batch)
        name_agents(throng_script_of(L), batch);
    int status = throng_script_call(L, args, results);
    throng_doing_end(L, &before);
    if (status == LUA_OK)
        return;
    if (!throng_script_suppress_error(L))
        lua_error(L);
    for (int i = 0; i < results; i++)
        lua_pushnil(L);
}

const throng_lua_group *throng_listener_push(lua_State *L, int world, int entry, const throng_handle *agents,
                                             int32_t count)
{
    lua_rawgeti(L, entry, 2); /* the callback */
    lua_rawgeti(L, entry, 1); /* the group that listens */
    const throng_lua_group *batch = throng_group_select(L, world, lua_gettop(L), agents, count);
    lua_remove(L, -2);
    return batch;
}
