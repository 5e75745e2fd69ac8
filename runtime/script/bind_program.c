/* Behaviour functions: recorded by lua/throng/program_recorder.lua, their programs bound to columns of a group's
 * agents; or, slow, called from Lua for each agent before every step. */
#include "bind.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/*--- alias throng.behaviour_like = throng.behaviour|fun(t: number, a: throng.behaviour.agent): number, number?
 * A function that computes a number (or vx, vy) for each agent in every frame. It is called once, with values that
 * stand for all agents, and recorded as a program for the backend. Arithmetic and math's abs, floor, ceil, sqrt,
 * sin,
 * cos, tan, exp, log, atan, min and max take those values; use throng.select for comparisons. */

/*--- class throng.behaviour
 * A behaviour function as a value: throng.behaviour. */

#define BEHAVIOUR "throng.behaviour"

/* throng.behaviour(fn, {slow =}); user value 1 is the function */
typedef struct behaviour {
    bool slow;
} behaviour;

/* A behaviour for one column of one world. User value 1: the function, when it is slow. */
typedef struct prepared {
    bool slow;
    throng_program_def program;
    throng_instruction code[];
} prepared;

/* Slow functions' marks in the table of bindings: no program, and kept by the desire stage. */
static int32_t mark_of(lua_Integer entry) { return THRONG_KEPT - (int32_t)entry; }

/* ---- which columns */

/* Beside those of throng_column_uncomputed. */
static const struct refused {
    int target;
    const char *why;
} REFUSED[] = {
    {THRONG_COLUMN_COUNT + THRONG_bvp_cell, "it is the same for all of a planner, whose maps have one size"},
    {THRONG_COLUMN_COUNT + THRONG_bvp_residual, "it is the same for all of a planner, whose maps are solved together"},
};

static const throng_range VELOCITY = {-1000, 1000, false, "m/s"};

static bool is_desired(int column) { return column == THRONG_COLUMN_desired_vx; }

static bool is_parameter(int target) { return target >= THRONG_COLUMN_COUNT; }

static const throng_parameter_info *parameter_of(int target)
{
    return &throng_parameters[target - THRONG_COLUMN_COUNT];
}

static const char *target_name(int target)
{
    return is_desired(target)     ? "desired"
           : is_parameter(target) ? parameter_of(target)->name
                                  : throng_columns[target].name;
}

/* What a target may hold. */
static throng_range target_range(int target)
{
    if (is_desired(target))
        return VELOCITY;
    if (!is_parameter(target))
        return *throng_column_range(target);
    const throng_parameter_info *p = parameter_of(target);
    bool above = p->form == THRONG_ABOVE || p->form == THRONG_BETWEEN;
    bool below = p->form == THRONG_BELOW || p->form == THRONG_BETWEEN;
    return (throng_range){p->least, below ? nextafterf((float)p->most, 0) : p->most, above, p->unit};
}

const char *throng_behaviour_refusal(int target)
{
    if (is_desired(target))
        return NULL;
    if (!is_parameter(target))
        return throng_column_uncomputed(target);
    for (size_t i = 0; i < sizeof REFUSED / sizeof *REFUSED; i++)
        if (REFUSED[i].target == target)
            return REFUSED[i].why;
    return parameter_of(target)->form == THRONG_WHOLE ? "it is a whole number" : NULL;
}

void throng_behaviour_check_target(lua_State *L, int target)
{
    const char *why = throng_behaviour_refusal(target);
    if (why)
        throng_raise(L, "%s takes no behaviour function: %s", target_name(target), why);
}

/* ---- throng.behaviour */

bool throng_is_behaviour(lua_State *L, int index)
{
    return lua_isfunction(L, index) || luaL_testudata(L, index, BEHAVIOUR);
}

/* The function of a behaviour or function. [-0, +1] */
static bool push_function(lua_State *L, int index)
{
    const behaviour *value = luaL_testudata(L, index, BEHAVIOUR);
    if (value)
        lua_getiuservalue(L, index, 1);
    else if (lua_isfunction(L, index))
        lua_pushvalue(L, index);
    else
        throng_raise(L, "expected a behaviour function(t, a), got %s", throng_describe(L, index));
    return value && value->slow;
}

/*--- class throng.behaviour.settings
 * Options of throng.behaviour. */
static const throng_setting SETTINGS[] = {
    {"slow", "boolean", "false", .text = "Called from Lua for each agent before every frame, and not compiled."},
    {.name = NULL},
};

const throng_settings throng_behaviour_settings = {"throng.behaviour.settings", "throng.behaviour", SETTINGS};

/*--- throng.behaviour(f, options)
 * A behaviour function with options. With `slow = true` Lua calls it for each agent before every frame: it may use
 * all of Lua, runs at a hundredth of the speed, and sees columns only.
 * @param f fun(t: number(s), a: throng.behaviour.agent): number(any), number(any)? The function of time and agent.
 * @param options? throng.behaviour.settings Options.
 * @return throng.behaviour
 * @error no function; it is recorded, and errors of that come, when it is given to agents
 * @example
 * guests.speed = throng.behaviour(function(t, a)
 *   if a.x < 3 then return 0.8 end
 *   return 1.3
 * end, { slow = true }) */
static int new_behaviour(lua_State *L)
{
    if (!lua_isfunction(L, 1))
        throng_raise(L, "throng.behaviour: expected a function(t, a), got %s", throng_describe(L, 1));
    behaviour value = {false};
    if (!lua_isnoneornil(L, 2)) {
        if (!lua_istable(L, 2))
            throng_raise(L, "throng.behaviour: options must be a table like {slow = true}, got %s",
                         throng_describe(L, 2));
        throng_settings_check(L, 2, &throng_behaviour_settings);
        throng_field_boolean(L, 2, "throng.behaviour", "slow", &value.slow);
    }
    *(behaviour *)lua_newuserdatauv(L, sizeof value, 1) = value;
    luaL_setmetatable(L, BEHAVIOUR);
    lua_pushvalue(L, 1);
    lua_setiuservalue(L, -2, 1);
    return 1;
}

static int behaviour_to_string(lua_State *L)
{
    const behaviour *value = luaL_checkudata(L, 1, BEHAVIOUR);
    lua_pushstring(L, value->slow ? "behaviour function, called from Lua" : "behaviour function");
    return 1;
}

/* ---- from the recorder's table to a program */

/* Field of the instruction's table at the top; -1 when it is absent. */
static int field(lua_State *L, const char *name)
{
    int value = lua_getfield(L, -1, name) == LUA_TNUMBER ? (int)lua_tointeger(L, -1) : -1;
    lua_pop(L, 1);
    return value;
}

/* The text at the top; "" when a script has meddled with the notes. */
static const char *text(lua_State *L) { return lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : ""; }

/* The goal entry of place number `number` of the program at `program`. */
static int32_t place_index(lua_State *L, const throng_lua_world *world, int program, lua_Integer number)
{
    throng_error error;
    int top = lua_gettop(L);
    lua_getfield(L, program, "places");
    lua_rawgeti(L, -1, number);
    const throng_shapes *shapes = throng_shapes_read(L, lua_gettop(L), world, "a behaviour function: the place");
    int32_t goal = throng_world_goal_regions(world->world, shapes->list, shapes->count, &error);
    goal = goal < 0 ? -1 : throng_world_place(world->world, goal, &error);
    if (goal < 0)
        throng_raise(L, "a behaviour function: the place: %s", error.text);
    lua_settop(L, top);
    return goal;
}

/* The kind of that name; the next one for the spawn that is being made. */
static int32_t kind_index(lua_State *L, const throng_world *world, const char *wanted, const char *name)
{
    if (name && strcmp(name, wanted) == 0)
        return throng_world_group_count(world);
    return throng_kind_named(L, world, "a behaviour function (spawn whom it names first)", wanted);
}

/* The instruction whose table is at the top. */
static throng_instruction read_instruction(lua_State *L, const throng_lua_world *world, int program, const char *name)
{
    lua_getfield(L, -1, "op");
    int op = throng_program_op_named(text(L));
    lua_pop(L, 1);
    throng_instruction in = {.op = (uint8_t)op, .to = (uint8_t)field(L, "to")};
    int a = field(L, "a"), b = field(L, "b"), third = field(L, "c");
    in.a = (uint8_t)(a < 0 ? 0 : a);
    in.b = (uint8_t)(b < 0 ? 0 : b);
    in.index = third < 0 ? 0 : third;
    lua_getfield(L, -1, "index");
    if (op == THRONG_PROGRAM_value)
        in.value = (float)lua_tonumber(L, -1);
    else if (op == THRONG_PROGRAM_column || op == THRONG_PROGRAM_whole)
        in.index = throng_world_column_named(world, text(L));
    else if (op == THRONG_PROGRAM_random)
        in.index = (int32_t)lua_tointeger(L, -1);
    else if (op == THRONG_PROGRAM_to_place)
        in.index = place_index(L, world, program, lua_tointeger(L, -1));
    else if (op == THRONG_PROGRAM_to_nearest)
        in.index = kind_index(L, world->world, text(L), name);
    lua_pop(L, 1);
    return in;
}

/* Results are cut off to what the column may hold. */
static void set_limits(throng_program_def *def, const throng_range *range)
{
    def->least = (float)range->least + (range->above ? 1e-3f : 0);
    def->most = (float)range->most;
}

void throng_behaviour_prepare(lua_State *L, const throng_lua_world *world, int index, int column, const char *name)
{
    index = lua_absindex(L, index);
    throng_behaviour_check_target(L, column);
    int32_t wanted = is_desired(column) ? 2 : 1;
    bool slow = push_function(L, index);
    int function = lua_gettop(L);
    if (slow && is_parameter(column))
        throng_raise(L,
                     "%s takes no slow behaviour function: the parameters of planners are not columns, and Lua writes "
                     "columns alone",
                     target_name(column));
    if (slow) {
        prepared *p = lua_newuserdatauv(L, sizeof *p, 1);
        *p = (prepared){.slow = true};
        lua_insert(L, function);
        lua_setiuservalue(L, function, 1);
        return;
    }
    lua_pushinteger(L, wanted);
    throng_own_columns_push(L, world);
    throng_program_recorder_call(L, "compile", 3, 1); /* in the function's place */
    lua_getfield(L, function, "code");
    int32_t count = (int32_t)lua_rawlen(L, -1);
    prepared *p = lua_newuserdatauv(L, sizeof *p + (size_t)count * sizeof *p->code, 1);
    *p = (prepared){.program = {.code = p->code, .count = count, .results = wanted}};
    const throng_range range = target_range(column);
    set_limits(&p->program, &range);
    for (int32_t i = 0; i < count; i++) {
        lua_rawgeti(L, function + 1, i + 1);
        p->code[i] = read_instruction(L, world, function, name);
        lua_pop(L, 1);
    }
    lua_getfield(L, function, "results");
    for (int32_t k = 0; k < wanted; k++) {
        lua_rawgeti(L, -1, k + 1);
        p->program.result[k] = (int32_t)lua_tointeger(L, -1);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    lua_replace(L, function);
    lua_settop(L, function);
}

/* ---- binding */

static void bind(lua_State *L, const throng_lua_group *group, int column, int32_t program)
{
    throng_error error;
    if (!throng_world_bind(group->owner->world, group->handles, group->count, column, program, &error))
        throng_raise_error(L, &error);
}

/* Remembers the function of the prepared value to be called. Returns its mark. */
static int32_t add_slow(lua_State *L, int world, const throng_lua_group *group, int column, int index)
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

const throng_program_def *throng_behaviour_program(lua_State *L, int index)
{
    const prepared *p = lua_touserdata(L, index);
    return p->slow ? NULL : &p->program;
}

static bool bind_prepared(lua_State *L, int world, const throng_lua_group *group, int column, int index,
                          throng_error *error)
{
    const throng_program_def *def = throng_behaviour_program(L, index);
    int32_t program =
        def ? throng_world_program(group->owner->world, def, error) : add_slow(L, world, group, column, index);
    return (!def || program >= 0) &&
           throng_world_bind(group->owner->world, group->handles, group->count, column, program, error);
}

void throng_behaviour_drop(lua_State *L, const throng_lua_group *group, int column)
{
    bind(L, group, column, THRONG_UNBOUND);
}

void throng_behaviours_add(lua_State *L, const throng_lua_world *world, int target, const char *name,
                           throng_behaviours *list)
{
    luaL_checkstack(L, LUA_MINSTACK, NULL);
    if (list->count == (int)(sizeof list->target / sizeof *list->target))
        throng_raise(L, "more than %d behaviour functions at once", list->count);
    throng_behaviour_prepare(L, world, -1, target, name);
    lua_remove(L, -2);
    list->target[list->count] = target;
    list->prepared[list->count++] = lua_gettop(L);
}

bool throng_behaviours_reserve(lua_State *L, const throng_lua_group *group, const throng_behaviours *list,
                               throng_error *error)
{
    const throng_program_def *defs[sizeof list->target / sizeof *list->target];
    for (int i = 0; i < list->count; i++)
        defs[i] = throng_behaviour_program(L, list->prepared[i]);
    return throng_world_reserve_programs(group->owner->world, defs, list->target, list->count, error);
}

bool throng_behaviours_bind(lua_State *L, int world, const throng_lua_group *group, const throng_behaviours *list,
                            throng_error *error)
{
    if (list->count && !throng_behaviours_reserve(L, group, list, error))
        return false;
    for (int i = 0; i < list->count; i++)
        if (!bind_prepared(L, world, group, list->target[i], list->prepared[i], error))
            return false;
    return true;
}

void throng_behaviour_bind(lua_State *L, int world, const throng_lua_group *group, int column, int index)
{
    throng_error error;
    const throng_behaviours one = {{column}, {index}, 1};
    if (!throng_behaviours_bind(L, world, group, &one, &error))
        throng_raise_error(L, &error);
}

/* ---- slow ones */

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
             is_desired(column) ? "desired" : throng_world_column(group->owner, column)->name);
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
        lua_pushinteger(L, is_desired(column) ? 2 : 1);
        throng_program_recorder_call(L, "call", 4, 2);
        const throng_range range = target_range(column);
        store_list(L, marked, column, lua_gettop(L) - 1, &range);
        if (is_desired(column))
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

/* ---- group.desired */

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
        const double *vx = throng_column_values(L, group, columns[0], world + 1, "group.desired: vx", &VELOCITY);
        const double *vy = throng_column_values(L, group, columns[1], world + 2, "group.desired: vy", &VELOCITY);
        throng_column_store(L, group, columns[0], vx);
        throng_column_store(L, group, columns[1], vy);
        bind(L, group, THRONG_COLUMN_desired_vx, THRONG_KEPT);
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

/* function_of(behaviour or function) */
static int function_of(lua_State *L)
{
    push_function(L, 1);
    return 1;
}

void throng_bind_program(lua_State *L)
{
    static const luaL_Reg functions[] = {{"behaviour", new_behaviour}, {"function_of", function_of}, {NULL, NULL}};
    luaL_newmetatable(L, BEHAVIOUR);
    lua_pushcfunction(L, behaviour_to_string);
    lua_setfield(L, -2, "__tostring");
    lua_pushboolean(L, false);
    lua_setfield(L, -2, "__metatable");
    lua_pop(L, 1);
    luaL_setfuncs(L, functions, 0);
}
