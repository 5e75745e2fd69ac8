/* group.desired: the preferred velocity of agents. */
#include "behaviours.h"
#include "column_values.h"
#include "group_methods.h"

/* The preferred velocity of a group: a behaviour, {vx, vy}, or nil to follow goals again. The group is at 1. */
void throng_desired_write(lua_State *L, int index)
{
    const throng_lua_group *group = throng_check_group(L, 1);
    lua_getiuservalue(L, 1, 1);
    int world = lua_gettop(L);
    if (throng_is_behaviour(L, index)) {
        throng_behaviour_prepare(L, group->owner, index, THRONG_COLUMN_desired_vx, NULL);
        throng_behaviour_bind(L, world, group, THRONG_COLUMN_desired_vx, lua_gettop(L));
    } else if (lua_isnil(L, index)) {
        throng_behaviour_drop(L, group, THRONG_COLUMN_desired_vx);
    } else if (lua_istable(L, index) && lua_rawlen(L, index) == 2) {
        lua_rawgeti(L, index, 1);
        lua_rawgeti(L, index, 2);
        const int columns[] = {THRONG_COLUMN_desired_vx, THRONG_COLUMN_desired_vy};
        const throng_range range = throng_behaviour_range(columns[0]);
        const double *vx = throng_column_values(L, group, columns[0], world + 1, "group.desired: vx", &range);
        const double *vy = throng_column_values(L, group, columns[1], world + 2, "group.desired: vy", &range);
        throng_column_store(L, group, columns[0], vx);
        throng_column_store(L, group, columns[1], vy);
        throng_behaviour_hold(L, group, THRONG_COLUMN_desired_vx);
    } else {
        throng_raise(L,
                     "group.desired: expected a function(t, a) that returns vx, vy; or {vx, vy}, each a number, a "
                     "list or a column; or nil, to follow goals again; got %s",
                     throng_describe(L, index));
    }
}

void throng_desired_push(lua_State *L, const throng_lua_group *group)
{
    lua_createtable(L, 2, 0);
    throng_column_push(L, group, THRONG_COLUMN_desired_vx);
    lua_rawseti(L, -2, 1);
    throng_column_push(L, group, THRONG_COLUMN_desired_vy);
    lua_rawseti(L, -2, 2);
}
