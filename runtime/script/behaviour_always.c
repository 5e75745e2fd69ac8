/* Behaviours of a world: throng's own, which everybody has who gives the column none of its own, those who come later
 * too. */
#include "behaviours.h"
#include "column_values.h"
#include "world_methods.h"

bool throng_behaviour_is_always(const throng_lua_world *world, int target)
{
    return target < THRONG_COLUMN_COUNT && world->always[target];
}

void throng_behaviours_add_always(lua_State *L, int world, throng_behaviours *list)
{
    const throng_lua_world *owner = throng_check_world(L, world);
    throng_world_part_push(L, world, THRONG_PART_ALWAYS);
    int all = lua_gettop(L);
    for (int column = 0; column < THRONG_COLUMN_COUNT; column++) {
        bool given = !owner->always[column];
        for (int i = 0; i < list->count; i++)
            given = given || list->target[i] == column;
        if (given)
            continue;
        lua_rawgeti(L, all, column + 1);
        throng_behaviours_take(L, column, list);
    }
}

static void bind_all(lua_State *L, int world, const throng_behaviours *list)
{
    throng_error error;
    throng_agents_push(L, world);
    const throng_lua_group *everybody = throng_check_group(L, -1);
    if (!throng_behaviours_bind(L, world, everybody, list, &error))
        throng_raise_error(L, &error);
}

int throng_world_always(lua_State *L)
{
    throng_lua_world *world = throng_check_world(L, 1);
    int column = throng_column_named(throng_check_name(L, 2));
    throng_behaviours one = {.count = 0};
    luaL_argcheck(L, column >= 0, 2, "no column");
    lua_settop(L, 3);
    throng_behaviours_add(L, world, column, NULL, &one);
    throng_world_part_push(L, 1, THRONG_PART_ALWAYS);
    lua_pushvalue(L, one.prepared[0]);
    lua_rawseti(L, -2, column + 1);
    bind_all(L, 1, &one);
    world->always[column] = true;
    return 0;
}

void throng_behaviours_renew_always(lua_State *L, int world)
{
    int top = lua_gettop(L);
    throng_behaviours all = {.count = 0};
    throng_behaviours_add_always(L, world, &all);
    if (all.count)
        bind_all(L, world, &all);
    lua_settop(L, top);
}
