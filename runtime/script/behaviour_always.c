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

static bool bind_all(lua_State *L, int world, const throng_behaviours *list, throng_error *error)
{
    throng_agents_push(L, world);
    return throng_behaviours_bind(L, world, throng_check_group(L, -1), list, error);
}

int throng_world_always(lua_State *L)
{
    throng_error error;
    throng_lua_world *world = throng_check_world(L, 1);
    throng_behaviours all = {.count = 0};
    luaL_checktype(L, 2, LUA_TTABLE);
    lua_settop(L, 2);
    for (lua_Integer i = 1; i < (lua_Integer)lua_rawlen(L, 2); i += 2) {
        lua_rawgeti(L, 2, i);
        int column = throng_column_named(throng_check_name(L, -1));
        luaL_argcheck(L, column >= 0, 2, "no column");
        lua_rawgeti(L, 2, i + 1);
        throng_behaviours_add(L, world, column, NULL, &all);
    }
    throng_world_part_push(L, 1, THRONG_PART_ALWAYS);
    for (int i = 0; i < all.count; i++) { /* not looked at before `always` says so */
        lua_pushvalue(L, all.prepared[i]);
        lua_rawseti(L, -2, all.target[i] + 1);
    }
    if (!bind_all(L, 1, &all, &error))
        throng_raise_error(L, &error);
    for (int i = 0; i < all.count; i++)
        world->always[all.target[i]] = true;
    return 0;
}

void throng_behaviours_renew_always(lua_State *L, int world)
{
    throng_error error;
    int top = lua_gettop(L);
    throng_behaviours all = {.count = 0};
    throng_behaviours_add_always(L, world, &all);
    if (all.count && !bind_all(L, world, &all, &error))
        throng_raise_error(L, &error);
    lua_settop(L, top);
}
