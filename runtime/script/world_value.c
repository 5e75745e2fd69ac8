/* What scripts hold of a world: the value that arguments are checked for, and its tables. */
#include "world_value.h"

#include "fields.h"

/* Finalizers run wherever Lua allocates: in the middle of functions, too, that go on with what they would change. In
 * them, and nowhere else, lua_gc has no answer. */
void throng_refuse_finalizer(lua_State *L)
{
    if (lua_gc(L, LUA_GCISRUNNING) < 0)
        throng_raise(L, "a finalizer (__gc) cannot use worlds and groups: it may run in the middle of any call; note "
                        "what is to be done, and do it in world:on_step");
}

throng_lua_world *throng_check_world(lua_State *L, int index)
{
    throng_refuse_finalizer(L);
    throng_lua_world *world = throng_check_self(L, index, THRONG_LUA_WORLD, "world", "run");
    if (!world->world)
        throng_raise(L, "this world was closed");
    return world;
}

void throng_world_part_push(lua_State *L, int world, int part)
{
    lua_getiuservalue(L, world, 1);
    lua_rawgeti(L, -1, part);
    lua_remove(L, -2);
}

void throng_refuse_hooked(lua_State *L, const throng_lua_world *world, const char *method)
{
    if (world->hooked >= 0)
        throng_raise(L,
                     "%s cannot be called in a hook of a stage, while the frame is going on; do it in a "
                     "world:on_step, world:at or \"arrived\" callback",
                     method);
}

void throng_spawned_reserve(lua_State *L, throng_lua_world *world, int32_t groups)
{
    if (!throng_array_reserve((void **)&world->spawned, &world->spawned_room, groups, sizeof *world->spawned))
        throng_raise(L, "out of memory for %d groups", (int)groups);
}

throng_lua_spawned *throng_spawned_follow(throng_lua_world *world)
{
    while (world->spawned_count < throng_world_group_count(world->world))
        world->spawned[world->spawned_count++] = (throng_lua_spawned){.first = -1, .last = -1};
    return world->spawned;
}

const int32_t *throng_world_read(lua_State *L, const throng_lua_world *world, int column)
{
    throng_error error;
    const int32_t *values = throng_agents_read(throng_world_agents(world->world), column, &error);
    if (!values)
        throng_raise_error(L, &error);
    return values;
}
