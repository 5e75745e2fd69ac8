/* Binding prepared behaviour functions to agents, one at a time or all of a definition. */
#include "behaviours.h"

static void bind(lua_State *L, const throng_lua_group *group, int column, int32_t program)
{
    throng_error error;
    if (!throng_world_bind(group->owner->world, group->handles, group->count, column, program, &error))
        throng_raise_error(L, &error);
}

static bool bind_prepared(lua_State *L, int world, const throng_lua_group *group, int column, int index,
                          throng_error *error)
{
    const throng_program_def *def = throng_behaviour_program(L, index);
    int32_t program = def ? throng_world_program(group->owner->world, def, error)
                          : throng_behaviour_add_slow(L, world, group, column, index);
    return (!def || program >= 0) &&
           throng_world_bind(group->owner->world, group->handles, group->count, column, program, error);
}

void throng_behaviour_drop(lua_State *L, const throng_lua_group *group, int column)
{
    bind(L, group, column, THRONG_UNBOUND);
}

void throng_behaviour_hold(lua_State *L, const throng_lua_group *group, int column)
{
    bind(L, group, column, THRONG_KEPT);
}

void throng_behaviours_add(lua_State *L, const throng_lua_world *world, int target, const char *name,
                           throng_behaviours *list)
{
    throng_behaviour_prepare(L, world, -1, target, name);
    lua_remove(L, -2);
    throng_behaviours_take(L, target, list);
}

void throng_behaviours_take(lua_State *L, int target, throng_behaviours *list)
{
    luaL_checkstack(L, LUA_MINSTACK, NULL);
    if (list->count == (int)(sizeof list->target / sizeof *list->target))
        throng_raise(L, "more than %d behaviour functions at once", list->count);
    list->target[list->count] = target;
    list->prepared[list->count++] = lua_gettop(L);
}

bool throng_behaviours_reserve(lua_State *L, const throng_lua_group *group, const throng_behaviours *list,
                               throng_error *error)
{
    const throng_program_def *defs[sizeof list->target / sizeof *list->target];
    for (int i = 0; i < list->count; i++)
        defs[i] = throng_behaviour_program(L, list->prepared[i]);
    return throng_world_reserve_programs(group->owner->world, defs, list->target, list->count, error);
}

bool throng_behaviours_bind(lua_State *L, int world, const throng_lua_group *group, const throng_behaviours *list,
                            throng_error *error)
{
    if (list->count && !throng_behaviours_reserve(L, group, list, error))
        return false;
    for (int i = 0; i < list->count; i++)
        if (!bind_prepared(L, world, group, list->target[i], list->prepared[i], error))
            return false;
    return true;
}

void throng_behaviour_bind(lua_State *L, int world, const throng_lua_group *group, int column, int index)
{
    throng_error error;
    const throng_behaviours one = {{column}, {index}, 1};
    if (!throng_behaviours_bind(L, world, group, &one, &error))
        throng_raise_error(L, &error);
}
