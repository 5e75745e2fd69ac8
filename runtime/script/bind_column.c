/* Whole columns of a group that were read: a value of its own. */
#include "binders.h"
#include "column_values.h"
#include "machine_value.h"
#include "map_value.h"
#include "routing_value.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/*--- class throng.column as column
 * A copy of the values of a column, with numbers from 1, `#` and ipairs.
 * @field name string Its name.
 * @field unit string Its unit, "" for a number without one.
 * @field [integer] number(any)|string|boolean The value of the i-th agent; nil beyond the last. */

static throng_lua_column *check_column(lua_State *L, int index) { return luaL_checkudata(L, index, THRONG_LUA_COLUMN); }

double throng_column_number(const throng_lua_column *value, int32_t at)
{
    return throng_columns[value->column].is_float ? (double)value->cells[at].f : (double)value->cells[at].i;
}

/* A script sees the names of what it holds, which are the world's. */
static bool has_names(int column)
{
    return column == THRONG_COLUMN_fsm_state || column == THRONG_COLUMN_fsm_before || column == THRONG_COLUMN_floor;
}

/* The whole column. Reading changes nothing: where nobody uses it, and no stage would write it, it stays unused, since
 * kernels heed a column that is there. */
static const throng_cell *read_column(lua_State *L, const throng_lua_group *group, int column, throng_cell *initial,
                                      int32_t *stride)
{
    enum { BY_STAGES = THRONG_BY_GOALS | THRONG_BY_MACHINES | THRONG_BY_DESIRE | THRONG_BY_PLAN | THRONG_BY_MOVE };
    throng_error error;
    throng_agents *agents = throng_world_agents(group->owner->world);
    bool written = throng_world_column(group->owner, column)->attributes & BY_STAGES;
    const void *whole = NULL;
    if (!written || throng_agents_use(agents, THRONG_COLUMN_SET(column), &error))
        whole = throng_agents_peek(agents, column, (uint32_t *)initial, stride, &error);
    if (!whole)
        throng_raise_error(L, &error);
    return whole;
}

void throng_column_push(lua_State *L, const throng_lua_group *group, int column)
{
    throng_cell initial;
    int32_t stride;
    const throng_cell *whole = read_column(L, group, column, &initial, &stride);
    throng_lua_column *value = lua_newuserdatauv(L, sizeof *value + (size_t)group->count * sizeof(throng_cell), 1);
    const throng_column_info *info = throng_world_column(group->owner, column);
    value->column = column;
    snprintf(value->name, sizeof value->name, "%s", info->name);
    snprintf(value->unit, sizeof value->unit, "%s", info->unit);
    value->count = group->count;
    for (int32_t i = 0; i < group->count; i++) {
        value->cells[i] = whole[stride * group->handles[i].slot];
        if (column == THRONG_COLUMN_planner) /* a script sees kinds */
            value->cells[i].i = throng_world_planner_kind(group->owner->world, value->cells[i].i);
    }
    luaL_setmetatable(L, THRONG_LUA_COLUMN);
    if (has_names(column)) { /* and names */
        if (column == THRONG_COLUMN_floor)
            throng_floor_names_push(L, throng_world_map(group->owner->world));
        else
            throng_state_names_push(L, group->owner->world);
        lua_setiuservalue(L, -2, 1);
    }
}

/* The column is at stack position 1. */
static void push_cell(lua_State *L, const throng_lua_column *value, int32_t at)
{
    if (has_names(value->column)) {
        lua_getiuservalue(L, 1, 1);
        lua_rawgeti(L, -1, value->cells[at].i + 1); /* "": none */
        lua_remove(L, -2);
    } else if (value->column == THRONG_COLUMN_planner)
        lua_pushstring(L, throng_planner_names[value->cells[at].i]);
    else if (value->column == THRONG_COLUMN_routing)
        lua_pushstring(L, throng_routing_names[value->cells[at].i]);
    else if (value->column == THRONG_COLUMN_door_policy)
        lua_pushstring(L, throng_door_policy_names[value->cells[at].i]);
    else if (value->column == THRONG_COLUMN_congestion)
        lua_pushboolean(L, value->cells[at].i);
    else if (throng_columns[value->column].is_float)
        lua_pushnumber(L, (lua_Number)value->cells[at].f);
    else
        lua_pushinteger(L, value->cells[at].i);
}

static int size_of(lua_State *L)
{
    lua_pushinteger(L, check_column(L, 1)->count);
    return 1;
}

/*--- column:min()
 * The least value; nil when there is none.
 * @return number(any)?
 * @example
 * print(guests.x:min()) */
static int least(lua_State *L)
{
    const throng_lua_column *value = check_column(L, 1);
    double least_one = INFINITY;
    for (int32_t i = 0; i < value->count; i++)
        least_one = fmin(least_one, throng_column_number(value, i));
    if (value->count == 0)
        return 0;
    lua_pushnumber(L, least_one);
    return 1;
}

/*--- column:max()
 * The greatest value; nil when there is none.
 * @return number(any)?
 * @example
 * print(guests.frustration:max()) */
static int greatest(lua_State *L)
{
    const throng_lua_column *value = check_column(L, 1);
    double greatest_one = -INFINITY;
    for (int32_t i = 0; i < value->count; i++)
        greatest_one = fmax(greatest_one, throng_column_number(value, i));
    if (value->count == 0)
        return 0;
    lua_pushnumber(L, greatest_one);
    return 1;
}

static double sum_of(const throng_lua_column *value)
{
    double sum = 0;
    for (int32_t i = 0; i < value->count; i++)
        sum += throng_column_number(value, i);
    return sum;
}

/*--- column:sum()
 * The sum.
 * @return number(any)
 * @example
 * print(guests.mass:sum()) */
static int sum(lua_State *L)
{
    lua_pushnumber(L, sum_of(check_column(L, 1)));
    return 1;
}

/*--- column:mean()
 * The mean; nil when there is none.
 * @return number(any)?
 * @example
 * print(guests.speed:mean()) */
static int mean(lua_State *L)
{
    const throng_lua_column *value = check_column(L, 1);
    if (value->count == 0)
        return 0;
    lua_pushnumber(L, sum_of(value) / value->count);
    return 1;
}

/*--- column:list()
 * The values as a plain list.
 * @return (number(any)|string|boolean)[]
 * @example
 * for i, x in ipairs(guests.x:list()) do print(i, x) end */
static int to_list(lua_State *L)
{
    const throng_lua_column *value = check_column(L, 1);
    lua_createtable(L, value->count, 0);
    for (int32_t i = 0; i < value->count; i++) {
        push_cell(L, value, i);
        lua_rawseti(L, -2, i + 1);
    }
    return 1;
}

static const luaL_Reg METHODS[] = {{"min", least}, {"max", greatest}, {"mean", mean},
                                   {"sum", sum},   {"list", to_list}, {NULL, NULL}};

static int index_column(lua_State *L)
{
    static const char *const names[] = {"min", "max", "mean", "sum", "list", "name", "unit", NULL};
    const throng_lua_column *value = check_column(L, 1);
    if (lua_isinteger(L, 2)) {
        lua_Integer at = lua_tointeger(L, 2);
        if (at < 1)
            throng_raise(L, "column[%I]: values of a column are counted from 1 to #column", (LUAI_UACINT)at);
        if (at > value->count)
            return 0; /* nil beyond the end, as ipairs expects */
        push_cell(L, value, (int32_t)at - 1);
        return 1;
    }
    const char *key = throng_check_name(L, 2);
    for (const luaL_Reg *method = METHODS; method->name; method++)
        if (strcmp(method->name, key) == 0) {
            lua_pushcfunction(L, method->func);
            return 1;
        }
    if (strcmp(key, "name") == 0)
        lua_pushstring(L, value->name);
    else if (strcmp(key, "unit") == 0)
        lua_pushstring(L, value->unit);
    else
        throng_raise_unknown(L, "column", "field", key, names);
    return 1;
}

static int refuse_write(lua_State *L)
{
    const throng_lua_column *value = check_column(L, 1);
    throng_raise(L,
                 "a column that was read is a copy; write the whole column back: group.%s = ..., or one agent's: "
                 "group[i].%s = ...",
                 value->name, value->name);
}

static int to_string(lua_State *L)
{
    const throng_lua_column *value = check_column(L, 1);
    if (value->count == 1) { /* of group[1].x: the value, and how it is had as a number */
        push_cell(L, value, 0);
        lua_pushfstring(L, "%s: %s%s%s (one value, %s[1])", value->name, luaL_tolstring(L, -1, NULL),
                        *value->unit ? " " : "", value->unit, value->name);
    } else
        lua_pushfstring(L, "%s: %d values%s%s", value->name, (int)value->count, *value->unit ? " in " : "",
                        value->unit);
    return 1;
}

static int next_value(lua_State *L)
{
    const throng_lua_column *value = check_column(L, 1);
    lua_Integer at = luaL_optinteger(L, 2, 0);
    if (at >= value->count)
        return 0;
    lua_pushinteger(L, at + 1);
    push_cell(L, value, (int32_t)at);
    return 2;
}

static int pairs_of(lua_State *L)
{
    lua_pushcfunction(L, next_value);
    lua_pushvalue(L, 1);
    lua_pushinteger(L, 0);
    return 3;
}

static int refuse_comparison(lua_State *L)
{
    throng_raise(L, "a column holds a value for each agent and cannot be compared: compare its :max(), :min() or "
                    ":mean(), or one value, like column[1]; or take some agents, group:filter(function(a) return "
                    "a.speed > 1 end)");
}

static int refuse_arithmetic(lua_State *L)
{
    throng_raise(L,
                 "a column holds a value for each agent and cannot be computed with: give a function, "
                 "group.speed = function(t, a) return 2 * a.speed end, or compute with column[1], column:mean() ...");
}

void throng_bind_column(lua_State *L)
{
    static const luaL_Reg meta[] = {{"__index", index_column},
                                    {"__newindex", refuse_write},
                                    {"__len", size_of},
                                    {"__tostring", to_string},
                                    {"__pairs", pairs_of},
                                    {"__lt", refuse_comparison},
                                    {"__le", refuse_comparison},
                                    {"__add", refuse_arithmetic},
                                    {"__sub", refuse_arithmetic},
                                    {"__mul", refuse_arithmetic},
                                    {"__div", refuse_arithmetic},
                                    {"__unm", refuse_arithmetic},
                                    {"__mod", refuse_arithmetic},
                                    {"__pow", refuse_arithmetic},
                                    {"__idiv", refuse_arithmetic},
                                    {NULL, NULL}};
    luaL_newmetatable(L, THRONG_LUA_COLUMN);
    luaL_setfuncs(L, meta, 0);
    lua_pushboolean(L, false);
    lua_setfield(L, -2, "__metatable");
    lua_pop(L, 1);
}
