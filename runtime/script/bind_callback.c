/* Calling functions of the script: what the callback is, for errors, and what happens when it fails. */
#include "callback.h"
#include "group_value.h"

#include <string.h>

throng_doing throng_doing_begin(lua_State *L, const throng_lua_world *world, const char *callback, const char *group)
{
    throng_doing *doing = &throng_script_of(L)->doing, before = *doing;
    *doing = (throng_doing){
        .steps = true, .step = throng_world_steps(world->world), .time = throng_world_time(world->world)};
    memcpy(doing->callback, callback, strnlen(callback, sizeof doing->callback - 1));
    memcpy(doing->group, group, strnlen(group, sizeof doing->group - 1));
    return before;
}

void throng_doing_end(lua_State *L, const throng_doing *before) { throng_script_of(L)->doing = *before; }

/* Whom the callback is about, while they are there. */
static void name_agents(throng_doing *doing, const throng_lua_group *group)
{
    const throng_agents *agents = throng_world_agents(group->owner->world);
    doing->count = group->count;
    for (int32_t i = 0; i < group->count && i < THRONG_AGENTS_NAMED; i++)
        doing->agents[i] = throng_agents_id(agents, group->handles[i].slot);
}

void throng_callback_call(lua_State *L, const throng_lua_world *world, const char *callback, const char *group,
                          int args, int results)
{
    throng_doing before = throng_doing_begin(L, world, callback, group);
    const throng_lua_group *batch = args ? luaL_testudata(L, -args, THRONG_LUA_GROUP) : NULL;
    if (batch)
        name_agents(&throng_script_of(L)->doing, batch);
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
