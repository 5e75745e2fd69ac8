/* The callbacks of group:on("floor", fn): who came to another floor. */
#include "callback.h"
#include "group_value.h"
#include "map/map_sheets.h"
#include "world_methods.h"

/* Those of the list's first pair of floors. [-0, +1] */
static const throng_handle *push_batch(lua_State *L, const throng_floor_change *list, int32_t all, int32_t *count)
{
    throng_handle *handles = lua_newuserdatauv(L, (size_t)all * sizeof *handles + 1, 0);
    for (*count = 0; *count < all && list[*count].from == list->from && list[*count].to == list->to; ++*count)
        handles[*count] = list[*count].agent;
    return handles;
}

/* Entry `at` of the list at `list` hears of those of its group. */
static void call_listener(lua_State *L, int index, int list, lua_Integer at, const throng_handle *handles,
                          int32_t count, const throng_floor_change *change)
{
    int top = lua_gettop(L);
    const throng_lua_world *world = throng_check_world(L, index);
    const throng_map_sheet *sheets = throng_world_map(world->world)->sheets->list;
    lua_rawgeti(L, list, at);
    const throng_lua_group *batch = throng_listener_push(L, index, lua_gettop(L), handles, count);
    if (batch->count > 0) {
        lua_pushstring(L, sheets[change->from].name);
        lua_pushstring(L, sheets[change->to].name);
        throng_callback_call(L, world, "the \"floor\" callback", throng_group_name(batch), 3, 0);
    }
    lua_settop(L, top);
}

void throng_call_floors(lua_State *L, int index)
{
    int32_t left, count;
    const throng_world *world = throng_check_world(L, index)->world;
    const throng_floor_change *list = throng_world_floor_changes(world, &left);
    if (left == 0)
        return;
    index = lua_absindex(L, index);
    throng_world_part_push(L, index, THRONG_PART_FLOORS);
    for (int listeners = lua_gettop(L); left > 0; list += count, left -= count) {
        const throng_handle *handles = push_batch(L, list, left, &count);
        for (lua_Integer at = 1; at <= (lua_Integer)lua_rawlen(L, listeners); at++)
            call_listener(L, index, listeners, at, handles, count, list);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
}
