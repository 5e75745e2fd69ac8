/* Writing whole columns of a group: from a number, a sampler, a list, another column, or a behaviour function. What is
 * written is checked before anything changes. */
#include "column_values.h"
#include "planner_value.h"
#include "routing_value.h"

#include <string.h>

/*--- alias throng.values = throng.number|number[]|throng.column
 * A value that can be assigned to a column. */

/* NULL when nothing may be written there now. */
static const throng_range *range_now(const throng_lua_world *world, int column)
{
    bool may = throng_column_is_any(column, world->hooked >= 0 ? THRONG_SCRIPT | THRONG_HOOKS : THRONG_SCRIPT);
    return may ? &throng_columns[column].range : NULL;
}

/* A column that a planner's value gives; a behaviour that wrote it ends. */
static void sample_given(lua_State *L, const throng_lua_group *group, int column, bool given,
                         const throng_sampler *sampler)
{
    if (!given)
        return;
    throng_column_sample(L, group, column, sampler);
    throng_behaviour_drop(L, group, column);
}

/* The columns that come with a planner's value: bit each. */
static throng_column_set given_columns(const throng_planner_value *value)
{
    return THRONG_COLUMN_BIT(planner) | (throng_column_set)value->has_horizon << THRONG_COLUMN_horizon |
           (throng_column_set)value->has_wall_horizon << THRONG_COLUMN_wall_horizon |
           (throng_column_set)value->has_sight << THRONG_COLUMN_sight;
}

static void write_planner(lua_State *L, const throng_lua_group *group, int index, const char *what)
{
    throng_planner_value value = throng_check_planner(L, index, what);
    throng_behaviours behaviours = {.count = 0};
    lua_getiuservalue(L, 1, 1);
    int world = lua_gettop(L);
    throng_planner_behaviours(L, index, group->owner, NULL, &behaviours);
    throng_error error;
    if (!throng_world_planner_fits(group->owner->world, &value.planner, group->handles, group->count, &error))
        throng_raise(L, "%s of '%s': %s", what, throng_group_name(group), error.text);
    int32_t entry = throng_world_planner(group->owner->world, &value.planner, &error);
    if (entry < 0 || !throng_behaviours_reserve(L, group, &behaviours, &error) ||
        !throng_agents_use(throng_world_agents(group->owner->world), given_columns(&value), &error))
        throng_raise_error(L, &error);
    throng_sampler planner = {.kind = THRONG_CONSTANT, .a = entry, .b = 0};
    throng_sampler neighbours = {.kind = THRONG_CONSTANT, .a = (double)value.neighbours, .b = 0};
    throng_column_sample(L, group, THRONG_COLUMN_planner, &planner);
    sample_given(L, group, THRONG_COLUMN_horizon, value.has_horizon, &value.horizon);
    sample_given(L, group, THRONG_COLUMN_wall_horizon, value.has_wall_horizon, &value.wall_horizon);
    sample_given(L, group, THRONG_COLUMN_sight, value.has_sight, &value.sight);
    sample_given(L, group, THRONG_COLUMN_neighbours, value.neighbours >= 0, &neighbours);
    for (int parameter = 0; parameter < THRONG_PLANNER_VALUES; parameter++)
        throng_behaviour_drop(L, group, THRONG_COLUMN_COUNT + parameter);
    if (!throng_behaviours_bind(L, world, group, &behaviours, &error))
        throng_raise_error(L, &error);
}

_Noreturn static void refuse_column(lua_State *L, const throng_lua_world *world, int column)
{
    const char *more = throng_column_is_any(column, THRONG_HOOKS)
                           ? "; this one can in a hook of a stage, like world.stages.desire:after(fn)"
                           : "";
    char list[1024] = "";
    const char *names[THRONG_COLUMN_COUNT];
    int count = throng_world_column_names(world, names);
    for (int c = 0; c < count; c++)
        if (throng_column_is_any(c, THRONG_SCRIPT)) {
            strcat(list, *list ? ", " : "");
            strcat(list, names[c]);
        }
    throng_raise(L, "group.%s cannot be written; columns that can: %s%s", throng_columns[column].name, list, more);
}

/* Between sense and move the frame has its bounds and its sorted copies. */
static void check_hooked(lua_State *L, const throng_lua_world *world, int column)
{
    enum { BEFORE_MOVE = 2 * (THRONG_HOST_PHASE_COUNT + THRONG_STAGE_move), AFTER_SENSE = BEFORE_MOVE - 3 };
    if (world->hooked >= AFTER_SENSE && world->hooked <= BEFORE_MOVE && throng_world_is_sensed(column))
        throng_raise(L,
                     "group.%s cannot be written between the stages sense and move, which have read it: write it "
                     "in a hook before sense or after move",
                     throng_columns[column].name);
}

/* Or what can be nothing else there, and is refused as a name: a boolean, or a list of names, as lists are of numbers.
 */
static bool is_name(lua_State *L, int index)
{
    int type = lua_type(L, index);
    if (type == LUA_TTABLE) {
        type = lua_rawgeti(L, index, 1);
        lua_pop(L, 1);
    }
    return type == LUA_TSTRING || type == LUA_TBOOLEAN;
}

void throng_column_write(lua_State *L, const throng_lua_group *group, int column, int index)
{
    const throng_range *range = range_now(group->owner, column);
    if (!range)
        refuse_column(L, group->owner, column);
    check_hooked(L, group->owner, column);
    lua_pushfstring(L, "group.%s", throng_world_column(group->owner, column)->name);
    const char *what = lua_tostring(L, -1);
    if (throng_is_behaviour(L, index)) {
        if (throng_column_uncomputed(column))
            throng_raise(L, "%s takes no behaviour function: %s", what, throng_column_uncomputed(column));
        lua_getiuservalue(L, 1, 1);
        throng_behaviour_prepare(L, group->owner, index, column, NULL);
        throng_behaviour_bind(L, lua_gettop(L) - 1, group, column, lua_gettop(L));
        return;
    }
    if (column == THRONG_COLUMN_planner) {
        write_planner(L, group, index, what);
        return;
    }
    if ((column == THRONG_COLUMN_routing || column == THRONG_COLUMN_door_policy) && is_name(L, index)) {
        int32_t named = column == THRONG_COLUMN_routing ? throng_check_routing(L, index, what)
                                                        : throng_check_door_policy(L, index, what);
        throng_sampler all = {.kind = THRONG_CONSTANT, .a = named, .b = 0};
        throng_column_sample(L, group, column, &all);
        return;
    }
    if (column == THRONG_COLUMN_congestion && lua_isboolean(L, index)) {
        throng_sampler all = {.kind = THRONG_CONSTANT, .a = lua_toboolean(L, index), .b = 0};
        throng_column_sample(L, group, column, &all);
        return;
    }
    throng_column_store(L, group, column, throng_column_values(L, group, column, index, what, range));
    if (range == throng_column_range(column) && !throng_behaviour_is_always(group->owner, column))
        throng_behaviour_drop(L, group, column);
}
