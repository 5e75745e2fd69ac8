/* Slow behaviour functions, which are called from Lua for each agent before every step. */
#include "behaviours.h"
#include "column_values.h"

#include <stdio.h>

/* Slow functions' marks in the table of bindings: no program, and kept by the desire stage. */
static int32_t mark_of(lua_Integer entry) { return THRONG_KEPT - (int32_t)entry; }

/* Remembers the function of the prepared value to be called. Returns its mark. */
int32_t throng_behaviour_add_slow(lua_State *L, int world, const throng_lua_group *group, int column, int index)
{
    lua_Integer entry = 0;
    throng_world_part_push(L, world, THRONG_PART_SLOW);
    do
        lua_pop(L, entry > 0);
    while (lua_rawgeti(L, -1, ++entry) == LUA_TTABLE);
    lua_pop(L, 1);
    lua_createtable(L, 3, 0);
    throng_group_push(L, world, group->handles, group->count, -1)->named_after = group->named_after;
    lua_rawseti(L, -2, 1);
    lua_getiuservalue(L, index, 1);
    lua_rawseti(L, -2, 2);
    lua_pushinteger(L, column);
    lua_rawseti(L, -2, 3);
    lua_rawseti(L, -2, entry);
    lua_pop(L, 1);
    group->owner->calls_behaviours = true;
    return mark_of(entry);
}

/* Those of the entry's agents that it still writes. [-0, +1] */
static const throng_lua_group *push_marked(lua_State *L, int world, const throng_lua_group *group, int column,
                                           int32_t mark)
{
    const int32_t *bound = throng_world_bound(group->owner->world, column);
    throng_lua_group *marked = throng_group_push(L, world, group->handles, group->count, -1);
    int32_t kept = 0;
    for (int32_t i = 0; bound && i < group->count; i++)
        if (bound[group->handles[i].slot] == mark)
            marked->handles[kept++] = group->handles[i];
    marked->count = kept;
    marked->named_after = group->named_after;
    return marked;
}

static void store_list(lua_State *L, const throng_lua_group *group, int column, int list, const throng_range *range)
{
    char what[80];
    double *values = lua_newuserdatauv(L, ((size_t)group->count + 1) * sizeof *values, 0);
    snprintf(what, sizeof what, "group.%s, from its behaviour function,",
             throng_behaviour_is_desired(column) ? "desired" : throng_world_column(group->owner, column)->name);
    for (int32_t i = 0; i < group->count; i++) {
        lua_rawgeti(L, list, i + 1);
        values[i] = throng_check_number(L, -1, what, range);
        lua_pop(L, 1);
    }
    throng_column_store(L, group, column, values);
    lua_pop(L, 1);
}

/* Calls entry `at` of the list at the top: {group, function, column}. */
static void call_slow(lua_State *L, int world, lua_Integer at)
{
    int top = lua_gettop(L);
    if (lua_rawgeti(L, top, at) != LUA_TTABLE) {
        lua_pop(L, 1);
        return;
    }
    lua_rawgeti(L, -1, 3);
    int column = (int)lua_tointeger(L, -1);
    lua_rawgeti(L, -2, 2); /* the function */
    lua_rawgeti(L, -3, 1);
    const throng_lua_group *group = throng_check_group(L, -1);
    const throng_lua_group *marked = push_marked(L, world, group, column, mark_of(at));
    lua_remove(L, -2);
    if (marked->count > 0) {
        lua_pushvalue(L, -1); /* keeps it alive */
        lua_insert(L, top + 1);
        lua_pushnumber(L, throng_world_time(group->owner->world));
        lua_pushinteger(L, throng_behaviour_is_desired(column) ? 2 : 1);
        throng_program_recorder_call(L, "call", 4, 2);
        const throng_range range = throng_behaviour_range(column);
        store_list(L, marked, column, lua_gettop(L) - 1, &range);
        if (throng_behaviour_is_desired(column))
            store_list(L, marked, THRONG_COLUMN_desired_vy, lua_gettop(L), &range);
    } else { /* another value took its place: nobody is marked again */
        lua_pushboolean(L, false);
        lua_rawseti(L, top, at);
    }
    lua_settop(L, top);
}

void throng_behaviours_call(lua_State *L, int index)
{
    index = lua_absindex(L, index);
    throng_world_part_push(L, index, THRONG_PART_SLOW);
    lua_Integer count = (lua_Integer)lua_rawlen(L, -1);
    for (lua_Integer at = 1; at <= count; at++)
        call_slow(L, index, at);
    lua_pop(L, 1);
}
