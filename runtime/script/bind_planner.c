/* Planners as values: "orca", or throng.orca{...} with its parameters. The constructors are all one function: what
 * each takes is in kernels/contract/planners.h. */
#include "binders.h"
#include "planner_value.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/suggest.h"

/*--- class throng.planner
 * A planner with its parameters, as the functions named like the planners give it: throng.orca and others. */

#define PLANNER "throng.planner"

enum { COLUMNS = 4 };

static const throng_range SECONDS = {0, 1e6, true, "s"};
static const throng_range METRES = {0, 1e6, false, "m"};

/* Names of the fields that a planner's constructor takes; ends with NULL. */
static void list_fields(int32_t kind, const char **names)
{
    static const char *const columns[COLUMNS] = {"horizon", "wall_horizon", "sight", "neighbours"};
    for (int i = 0; i < COLUMNS; i++)
        if (throng_planners[kind].columns & 1 << i)
            *names++ = columns[i];
    for (int i = 0; i < THRONG_PLANNER_VALUES; i++)
        if (throng_parameters[i].planner == kind)
            *names++ = throng_parameters[i].name;
    if (kind == THRONG_PLANNER_bvp) {
        *names++ = "v";
        *names++ = "size";
    }
    *names = NULL;
}

/* Result upvalue 2, 1 or 2, of the function that is upvalue 1. */
static int call_part(lua_State *L)
{
    int arguments = lua_gettop(L);
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_insert(L, 1);
    lua_call(L, arguments, LUA_MULTRET);
    if (lua_gettop(L) != 2)
        throng_raise(L, "throng.bvp: field 'v' must be a function with two results, x and y; it returned %d value%s",
                     lua_gettop(L), lua_gettop(L) == 1 ? "" : "s");
    lua_settop(L, (int)lua_tointeger(L, lua_upvalueindex(2)));
    return 1;
}

/* The parts of the vector at the top: { x, y } or a function with two results. [-0, +2] */
static void push_parts(lua_State *L, const char *owner)
{
    if (lua_isfunction(L, -1)) {
        for (int part = 1; part <= 2; part++) {
            lua_pushvalue(L, -part);
            lua_pushinteger(L, part);
            lua_pushcclosure(L, call_part, 2);
        }
        return;
    }
    if (!lua_istable(L, -1) || lua_rawlen(L, -1) != 2)
        throng_raise(L, "%s: field 'v' must be a vector, { x, y }, or a function with two results, got %s", owner,
                     throng_describe(L, -1));
    lua_geti(L, -1, 1);
    lua_geti(L, -2, 2);
    if (lua_isnumber(L, -1) && lua_isnumber(L, -2) && lua_tonumber(L, -1) == 0 && lua_tonumber(L, -2) == 0)
        throng_raise(L, "%s: field 'v' must point somewhere, got { 0, 0 }; epsilon = 0 leaves it out", owner);
}

/* bvp's v in the definition at 1 becomes v_x and v_y, and size width and height, in a copy of it. A vector's length
 * does not matter. */
static void split(lua_State *L, const char *owner)
{
    const throng_parameter_info *width = &throng_parameters[THRONG_bvp_width];
    lua_newtable(L);
    lua_pushnil(L);
    while (lua_next(L, 1)) {
        lua_pushvalue(L, -2);
        lua_insert(L, -2);
        lua_rawset(L, 2);
    }
    if (lua_getfield(L, 2, "v") != LUA_TNIL) {
        push_parts(L, owner);
        lua_setfield(L, 2, "v_y");
        lua_setfield(L, 2, "v_x");
        lua_pushnil(L);
        lua_setfield(L, 2, "v");
    }
    lua_settop(L, 2);
    if (lua_getfield(L, 2, "size") != LUA_TNIL) {
        int64_t cells;
        if (lua_getfield(L, 2, "width") != LUA_TNIL || lua_getfield(L, 2, "height") != LUA_TNIL)
            throng_raise(L, "%s: field 'size' stands for 'width' and 'height': leave out one or the other", owner);
        lua_settop(L, 3);
        if (!throng_is_behaviour(L, -1))
            throng_field_integer(L, 1, owner, "size", (int64_t)width->least, (int64_t)width->most, &cells);
        lua_pushvalue(L, -1);
        lua_setfield(L, 2, "width");
        lua_setfield(L, 2, "height");
        lua_pushnil(L);
        lua_setfield(L, 2, "size");
    }
    lua_settop(L, 2);
    lua_replace(L, 1);
}

/* Moves the behaviours of the definition at 1 into a table of their own: a plain copy is left at 1, without them.
 * [-0, +1] that table */
static void take_behaviours(lua_State *L)
{
    lua_newtable(L);
    lua_newtable(L);
    lua_pushnil(L);
    while (lua_next(L, 1)) {
        lua_pushvalue(L, -2);
        lua_insert(L, -2); /* copy, behaviours, key, key, value */
        lua_rawset(L, throng_is_behaviour(L, -1) ? -4 : -5);
    }
    lua_insert(L, 2);
    lua_replace(L, 1);
}

static int target_of(int32_t kind, const char *name)
{
    for (int i = 0; i < THRONG_PLANNER_VALUES; i++)
        if (throng_parameters[i].planner == kind && strcmp(throng_parameters[i].name, name) == 0)
            return THRONG_COLUMN_COUNT + i;
    return throng_column_named(name);
}

/* Raises when a field takes no behaviour. The table of them is at `index`. */
static void check_behaviours(lua_State *L, int index, int32_t kind)
{
    lua_pushnil(L);
    while (lua_next(L, index)) {
        lua_pop(L, 1);
        throng_behaviour_check_target(L, target_of(kind, lua_tostring(L, -1)));
    }
}

void throng_planner_behaviours(lua_State *L, int index, const throng_lua_world *world, const char *name,
                               throng_behaviours *list)
{
    const throng_planner_value *value = luaL_testudata(L, index, PLANNER);
    if (!value)
        return;
    const char *names[COLUMNS + THRONG_PLANNER_VALUES + 3];
    list_fields(value->planner.kind, names);
    lua_getiuservalue(L, index, 1);
    int table = lua_gettop(L);
    for (int i = 0; names[i]; i++) /* in the order of their targets, not that of the table */
        if (lua_getfield(L, table, names[i]) == LUA_TNIL)
            lua_pop(L, 1);
        else
            throng_behaviours_add(L, world, target_of(value->planner.kind, names[i]), name, list);
}

static void read_columns(lua_State *L, const char *owner, throng_planner_value *value)
{
    value->has_horizon = throng_field_sampler(L, 1, owner, "horizon", &SECONDS, &value->horizon);
    value->has_wall_horizon = throng_field_sampler(L, 1, owner, "wall_horizon", &SECONDS, &value->wall_horizon);
    value->has_sight = throng_field_sampler(L, 1, owner, "sight", &METRES, &value->sight);
    throng_field_integer(L, 1, owner, "neighbours", 0, THRONG_NEIGHBOURS_MAX, &value->neighbours);
}

/* A number that is less than the most. False when the field is absent. */
static bool read_below(lua_State *L, const char *owner, const throng_parameter_info *p, bool above, double *number)
{
    if (lua_getfield(L, 1, p->name) == LUA_TNIL) {
        lua_pop(L, 1);
        return false;
    }
    *number = lua_type(L, -1) == LUA_TNUMBER ? lua_tonumber(L, -1) : NAN;
    float stored = (float)*number;
    if (!((above ? stored > (float)p->least : stored >= (float)p->least) && stored < (float)p->most))
        throng_raise(L, "%s: field '%s' must be a number %s %f and < %f, got %s", owner, p->name,
                     above ? ">" : ">=", p->least, p->most, throng_describe(L, -1));
    lua_pop(L, 1);
    return true;
}

static void read_parameter(lua_State *L, const char *owner, const throng_parameter_info *p, float *value)
{
    if (p->form == THRONG_WHOLE || p->form == THRONG_ROUNDED) {
        int64_t whole;
        if (throng_field_integer(L, 1, owner, p->name, (int64_t)p->least, (int64_t)p->most, &whole))
            *value = (float)whole;
        return;
    }
    double number;
    bool above = p->form == THRONG_ABOVE || p->form == THRONG_BETWEEN;
    if (p->form == THRONG_BETWEEN || p->form == THRONG_BELOW) {
        if (!read_below(L, owner, p, above, &number))
            return;
    } else {
        const throng_range range = {p->least, p->most, above, p->unit};
        if (!throng_field_number(L, 1, owner, p->name, &range, &number))
            return;
    }
    *value = (float)number;
}

/* throng.NAME{ parameter = value, ... }; the upvalue is the kind. Documented in kernels/NAME.h. */
static int construct(lua_State *L)
{
    int32_t kind = (int32_t)lua_tointeger(L, lua_upvalueindex(1));
    const char *names[COLUMNS + THRONG_PLANNER_VALUES + 3];
    char owner[64];
    snprintf(owner, sizeof owner, "throng.%s", throng_planners[kind].name);
    throng_planner_value value = {.planner = throng_planner_default(kind), .neighbours = -1};
    if (lua_isnoneornil(L, 1)) {
        lua_settop(L, 0);
        lua_newtable(L);
    }
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_settop(L, 1);
    list_fields(kind, names);
    throng_fields_check(L, 1, owner, names);
    if (kind == THRONG_PLANNER_bvp)
        split(L, owner);
    take_behaviours(L);
    check_behaviours(L, 2, kind);
    read_columns(L, owner, &value);
    for (int i = 0; i < THRONG_PLANNER_VALUES; i++)
        if (throng_parameters[i].planner == kind)
            read_parameter(L, owner, &throng_parameters[i], &value.planner.value[i]);
    *(throng_planner_value *)lua_newuserdatauv(L, sizeof value, 1) = value;
    luaL_setmetatable(L, PLANNER);
    lua_pushvalue(L, 2);
    lua_setiuservalue(L, -2, 1);
    return 1;
}

throng_planner_value throng_check_planner(lua_State *L, int index, const char *what)
{
    const throng_planner_value *value = luaL_testudata(L, index, PLANNER);
    if (value)
        return *value;
    if (lua_type(L, index) != LUA_TSTRING) {
        char list[256];
        throng_list_names(list, sizeof list, throng_planner_names);
        throng_raise(L, "%s must be a planner's name (%s) or a planner like throng.orca{...}, got %s", what, list,
                     throng_describe(L, index));
    }
    const char *name = throng_check_name(L, index);
    for (int i = 0; throng_planner_names[i]; i++)
        if (strcmp(throng_planner_names[i], name) == 0)
            return (throng_planner_value){.planner = throng_planner_default(i), .neighbours = -1};
    throng_raise_unknown(L, what, "planner", name, throng_planner_names);
}

static int to_string(lua_State *L)
{
    const throng_planner_value *value = luaL_checkudata(L, 1, PLANNER);
    lua_pushfstring(L, "throng.%s", throng_planner_names[value->planner.kind]);
    return 1;
}

void throng_bind_planner(lua_State *L)
{
    luaL_newmetatable(L, PLANNER);
    lua_pushcfunction(L, to_string);
    lua_setfield(L, -2, "__tostring");
    lua_pushboolean(L, false);
    lua_setfield(L, -2, "__metatable");
    lua_pop(L, 1);
    lua_createtable(L, 0, THRONG_PLANNER_COUNT);
    for (int32_t kind = 0; kind < THRONG_PLANNER_COUNT; kind++) {
        if (kind == THRONG_PLANNER_none)
            continue; /* has nothing to be given */
        lua_pushinteger(L, kind);
        lua_pushcclosure(L, construct, 1);
        lua_setfield(L, -2, throng_planner_names[kind]);
    }
    lua_setfield(L, -2, "planners");
}
