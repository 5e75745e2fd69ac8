/* The columns that a world has, those of the script's own among them. */
#include "column_values.h"

int throng_world_column_named(const throng_lua_world *world, const char *name)
{
    return throng_agents_column_named(throng_world_agents(world->world), name);
}

const throng_column_info *throng_world_column(const throng_lua_world *world, int column)
{
    return throng_agents_column(throng_world_agents(world->world), column);
}

void throng_own_columns_push(lua_State *L, const throng_lua_world *world)
{
    int count = throng_agents_columns(throng_world_agents(world->world));
    lua_createtable(L, count - THRONG_COLUMN_GIVEN, 0);
    for (int c = THRONG_COLUMN_GIVEN; c < count; c++) {
        lua_pushstring(L, throng_world_column(world, c)->name);
        lua_rawseti(L, -2, c - THRONG_COLUMN_GIVEN + 1);
    }
}

int throng_world_own_columns(lua_State *L)
{
    throng_own_columns_push(L, throng_check_world(L, 1));
    return 1;
}

int throng_world_column_names(const throng_lua_world *world, const char **names)
{
    int count = throng_agents_columns(throng_world_agents(world->world));
    for (int c = 0; c < count; c++)
        names[c] = throng_world_column(world, c)->name;
    return count;
}
