/* State machines: throng.fsm (lua/throng/fsm.lua) makes them, group:run hands them to the world. */
#include "binders.h"
#include "column_values.h"
#include "group_methods.h"
#include "machine_value.h"
#include "script_parts.h"

#include <stdio.h>
#include <string.h>

#define MACHINE "throng.machine"

/* ---- machines as values */

/* Of the script, by their numbers, for those that come after a reload; who is used nowhere is not kept. */
#define MACHINES "throng.machines"

void throng_machines_push(lua_State *L)
{
    if (luaL_getsubtable(L, LUA_REGISTRYINDEX, MACHINES))
        return;
    lua_createtable(L, 0, 1);
    lua_pushliteral(L, "v");
    lua_setfield(L, -2, "__mode");
    lua_setmetatable(L, -2);
}

/* machine(compiled): the value of throng.fsm; user value 1 is the table that was compiled */
static int new_machine(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_Integer *number = lua_newuserdatauv(L, sizeof *number, 1);
    *number = ++throng_script_of(L)->machines;
    luaL_setmetatable(L, MACHINE);
    lua_pushvalue(L, 1);
    lua_setiuservalue(L, -2, 1);
    throng_machines_push(L);
    lua_pushvalue(L, -2);
    lua_rawseti(L, -2, *number);
    lua_pop(L, 1);
    return 1;
}

lua_Integer throng_machine_number(lua_State *L, int index) { return *(lua_Integer *)lua_touserdata(L, index); }

/* The compiled states. [-0, +2] */
static void push_states(lua_State *L, int machine)
{
    lua_getiuservalue(L, machine, 1);
    lua_getfield(L, -1, "states");
}

int32_t throng_machine_states(lua_State *L, int index)
{
    push_states(L, index);
    int32_t count = (int32_t)lua_rawlen(L, -1);
    lua_pop(L, 2);
    return count;
}

const char *throng_machine_state(lua_State *L, int index, int32_t at)
{
    push_states(L, index);
    lua_rawgeti(L, -1, at + 1);
    lua_getfield(L, -1, "name");
    const char *name = lua_tostring(L, -1);
    lua_pop(L, 4);
    return name;
}

static int machine_to_string(lua_State *L)
{
    luaL_checkudata(L, 1, MACHINE);
    lua_getiuservalue(L, 1, 1);
    lua_getfield(L, -1, "states");
    lua_pushfstring(L, "state machine of %d states", (int)lua_rawlen(L, -1));
    return 1;
}

/* seconds(value): the least and the most of a number or throng.uniform */
static int read_seconds(lua_State *L)
{
    static const throng_range seconds = {0, 1e6, false, "s"};
    throng_sampler sampler = throng_check_sampler(L, 1, "(seconds)", &seconds);
    if (sampler.kind != THRONG_CONSTANT && sampler.kind != THRONG_UNIFORM)
        throng_raise(L, "(seconds) must be a number or throng.uniform(from, to), got another distribution");
    lua_pushnumber(L, sampler.a);
    lua_pushnumber(L, sampler.b);
    return 2;
}

/* ---- from the compiled table to the world's */

static double number_field(lua_State *L, int table, const char *name, double otherwise)
{
    double value = lua_getfield(L, table, name) == LUA_TNUMBER ? lua_tonumber(L, -1) : otherwise;
    lua_pop(L, 1);
    return value;
}

static int32_t whole_field(lua_State *L, int table, const char *name, int32_t otherwise)
{
    return (int32_t)number_field(L, table, name, otherwise);
}

/* The kind of the group that the value on top names. */
static int32_t named_kind(lua_State *L, const throng_world *world)
{
    return throng_kind_named(L, world, "group:run (spawn whom the machine names first)", throng_check_name(L, -1));
}

/* The kind in field `whom`, else in field `kind`. */
static int32_t kind_field(lua_State *L, int table, const throng_world *world)
{
    bool named = lua_getfield(L, table, "whom") != LUA_TNIL;
    int32_t kind = named ? named_kind(L, world) : whole_field(L, table, "kind", 0);
    lua_pop(L, 1);
    return kind;
}

static int32_t action_field(lua_State *L, int table)
{
    static const struct {
        const char *name;
        int32_t action;
    } actions[] = {{"stand", THRONG_FSM_STAND}, {"follow", THRONG_FSM_FOLLOW}, {"go", THRONG_FSM_GO},
                   {"on", THRONG_FSM_ON},       {"wait", THRONG_FSM_WAIT},     {"wander", THRONG_FSM_WANDER},
                   {"seek", THRONG_FSM_SEEK},   {"flee", THRONG_FSM_FLEE}};
    int32_t action = THRONG_FSM_STAND;
    lua_getfield(L, table, "action");
    for (size_t i = 0; i < sizeof actions / sizeof *actions; i++)
        if (strcmp(actions[i].name, lua_tostring(L, -1)) == 0)
            action = actions[i].action;
    lua_pop(L, 1);
    return action;
}

typedef char state_words[256];

/* The state's name and line, for errors. */
static const char *write_state(lua_State *L, int state, state_words what)
{
    lua_getfield(L, state, "name");
    lua_getfield(L, state, "at");
    snprintf(what, sizeof(state_words), "group:run: state '%.60s' (%.120s)", lua_tostring(L, -2),
             lua_isstring(L, -1) ? lua_tostring(L, -1) : "");
    lua_pop(L, 2);
    return what;
}

/* Appends the goals of the state at `state` to the targets; how many there are in all. */
static int32_t read_targets(lua_State *L, int state, const throng_lua_world *world, int32_t *target, int32_t count)
{
    state_words what;
    double radius = number_field(L, state, "radius", 0.5);
    lua_getfield(L, state, "straight");
    bool straight = lua_toboolean(L, -1);
    write_state(L, state, what);
    if (lua_getfield(L, state, "places") == LUA_TTABLE)
        for (lua_Integer i = 1; lua_rawgeti(L, -1, i) != LUA_TNIL; i++) {
            int place = lua_gettop(L);
            bool leads = lua_istable(L, place) && lua_getfield(L, place, "leader") == LUA_TSTRING;
            target[count++] = !lua_toboolean(L, place) ? -1
                              : leads                  ? -2 - named_kind(L, world->world)
                                                       : throng_check_goal(L, place, world, what, radius, straight);
            lua_settop(L, place - 1);
        }
    lua_settop(L, state);
    return count;
}

static bool is_last(const throng_fsm_state *s)
{
    return s->arrived < 0 && s->ready < 0 && s->blocked < 0 && s->timeout < 0 && s->conditions == 0;
}

/* The place of the point that the state seeks or flees. */
static throng_point point_field(lua_State *L, int state, const throng_world *world)
{
    state_words what;
    throng_point point = {0, 0};
    if (lua_getfield(L, state, "point") != LUA_TNIL)
        point = throng_check_place(L, lua_gettop(L), throng_world_map(world), write_state(L, state, what));
    lua_pop(L, 1);
    return point;
}

static throng_fsm_state read_state(lua_State *L, int at, const throng_world *world)
{
    throng_point point = point_field(L, at, world);
    throng_fsm_state s = {.action = action_field(L, at),
                          .kind = kind_field(L, at, world),
                          .x = (float)point.x,
                          .y = (float)point.y,
                          .reach = (float)number_field(L, at, "reach", 0),
                          .least = (float)number_field(L, at, "least", -1),
                          .most = (float)number_field(L, at, "most", -1),
                          .arrived = whole_field(L, at, "arrived", -1),
                          .ready = whole_field(L, at, "path_ready", -1),
                          .blocked = whole_field(L, at, "blocked", -1),
                          .timeout = whole_field(L, at, "timeout", -1),
                          .first_condition = whole_field(L, at, "first_condition", 0),
                          .conditions = whole_field(L, at, "conditions", 0)};
    lua_getfield(L, at, "own_path");
    s.path = lua_toboolean(L, -1) ? 0 : -1;
    lua_pop(L, 1);
    bool tested = lua_getfield(L, at, "tests") == LUA_TTABLE;
    lua_pop(L, 1);
    s.last = !tested && is_last(&s);
    return s;
}

/* An array of `count` elements that Lua frees. [-0, +1] */
static void *push_array(lua_State *L, size_t count, size_t size) { return lua_newuserdatauv(L, (count + 1) * size, 0); }

/* The list in a field of the compiled table, and its length. [-0, +1] */
static int32_t push_list(lua_State *L, int compiled, const char *name)
{
    lua_getfield(L, compiled, name);
    return (int32_t)lua_rawlen(L, -1);
}

static int32_t count_places(lua_State *L, int states, int32_t count)
{
    int32_t places = 0;
    for (int32_t s = 1; s <= count; s++) {
        lua_rawgeti(L, states, s);
        if (lua_getfield(L, -1, "places") == LUA_TTABLE)
            places += (int32_t)lua_rawlen(L, -1);
        lua_pop(L, 2);
    }
    return places;
}

static void read_states(lua_State *L, int compiled, const throng_lua_world *world, throng_machine *m)
{
    m->states = push_list(L, compiled, "states");
    int states = lua_gettop(L);
    throng_fsm_state *state = push_array(L, (size_t)m->states, sizeof *state);
    const char **names = push_array(L, (size_t)m->states, sizeof *names);
    int32_t *target = push_array(L, (size_t)count_places(L, states, m->states), sizeof *target);
    for (int32_t s = 0; s < m->states; s++) {
        lua_rawgeti(L, states, s + 1);
        int at = lua_gettop(L);
        state[s] = read_state(L, at, world->world);
        state[s].first_goal = m->targets;
        m->targets = read_targets(L, at, world, target, m->targets);
        state[s].goals = m->targets - state[s].first_goal;
        lua_getfield(L, at, "name");
        names[s] = throng_check_name(L, -1); /* the compiled table keeps it */
        lua_settop(L, at - 1);
    }
    m->state = state;
    m->name = names;
    m->target = target;
}

static void read_options(lua_State *L, int compiled, throng_machine *m)
{
    m->options = push_list(L, compiled, "options");
    int list = lua_gettop(L);
    throng_fsm_option *option = push_array(L, (size_t)m->options, sizeof *option);
    for (int32_t o = 0; o < m->options; o++) {
        lua_rawgeti(L, list, o + 1);
        int at = lua_gettop(L);
        option[o] = (throng_fsm_option){(float)number_field(L, at, "below", 2), whole_field(L, at, "state", 0)};
        lua_pop(L, 1);
    }
    m->option = option;
}

/* In field `own`, the name of a column of the script's own, else in field `column`. */
static int32_t column_field(lua_State *L, int table, const throng_lua_world *world)
{
    int32_t column = whole_field(L, table, "column", 0);
    if (lua_getfield(L, table, "own") == LUA_TSTRING) {
        const char *names[THRONG_COLUMN_COUNT + 1];
        column = throng_world_column_named(world, throng_check_name(L, -1));
        names[throng_world_column_names(world, names)] = NULL;
        lua_getfield(L, table, "at");
        if (column < 0)
            throng_raise_unknown(L, lua_tostring(L, -1), "column", lua_tostring(L, -2), names);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    return column;
}

static void read_conditions(lua_State *L, int compiled, const throng_lua_world *world, throng_machine *m)
{
    m->conditions = push_list(L, compiled, "conditions");
    int list = lua_gettop(L);
    throng_fsm_condition *condition = push_array(L, (size_t)m->conditions, sizeof *condition);
    for (int32_t k = 0; k < m->conditions; k++) {
        lua_rawgeti(L, list, k + 1);
        int at = lua_gettop(L);
        condition[k] = (throng_fsm_condition){column_field(L, at, world), kind_field(L, at, world->world),
                                              whole_field(L, at, "above", 0), (float)number_field(L, at, "value", 0),
                                              whole_field(L, at, "option", 0)};
        lua_pop(L, 1);
    }
    m->condition = condition;
}

/* The number, in a world's list of machines at `list`, of the one at the top, 0: none. [-1, +0] */
static int64_t number_in(lua_State *L, int list)
{
    lua_rawget(L, list);
    int64_t number = lua_tointeger(L, -1);
    lua_pop(L, 1);
    return number;
}

/* The machine's number in its world, from 1 on; `known`: it has run there before. */
static int64_t number_of(lua_State *L, int world, int machine, bool *known)
{
    throng_world_part_push(L, world, THRONG_PART_MACHINES);
    int list = lua_gettop(L);
    lua_pushvalue(L, machine);
    int64_t number = number_in(L, list), last = (int64_t)lua_rawlen(L, list);
    *known = number > 0;
    if (last > 0 && lua_rawgeti(L, list, last) && number_in(L, list) == 0)
        last--; /* memory was out when it was to have its number */
    lua_settop(L, list - 1);
    return *known ? number : last + 1;
}

/* Keeps the machine under that number, or takes it back. */
static void keep_number(lua_State *L, int world, int machine, int64_t number, bool kept)
{
    throng_world_part_push(L, world, THRONG_PART_MACHINES);
    if (kept)
        lua_pushvalue(L, machine);
    else
        lua_pushnil(L);
    lua_rawseti(L, -2, number);
    lua_pushvalue(L, machine);
    if (kept)
        lua_pushinteger(L, number);
    else
        lua_pushnil(L);
    lua_rawset(L, -3);
    lua_pop(L, 1);
}

/* Remembers the hooks of the states, the first of which will be `first` in the world's table; true: there are some. */
static bool keep_hooks(lua_State *L, int world, int compiled, int32_t first)
{
    int top = lua_gettop(L);
    bool any = false;
    throng_world_part_push(L, world, THRONG_PART_HOOKS);
    int32_t count = push_list(L, compiled, "states");
    for (int32_t s = 1; s <= count; s++) {
        lua_rawgeti(L, top + 2, s);
        any = any || lua_getfield(L, -1, "enter") != LUA_TNIL || lua_getfield(L, -2, "exit") != LUA_TNIL ||
              lua_getfield(L, -3, "tests") == LUA_TTABLE;
        lua_settop(L, top + 3);
        lua_rawseti(L, top + 1, first + s); /* states without hooks too: the list has no holes */
    }
    lua_settop(L, top);
    return any;
}

/*--- group:run(machine)
 * Runs a state machine from the next step on, from its first state. group:go_to ends it. All agents must be able to
 * reach all places of the machine.
 * @param machine throng.machine throng.fsm{...} or throng.goals.idle_walker().
 * @return throng.group self
 * @error an unknown region; a place that cannot be reached from where an agent stands
 * @example
 * guests:run(throng.fsm { start = "stroll", stroll = { goal = throng.random_path() } }) */
int throng_group_run_method(lua_State *L)
{
    throng_error error;
    const throng_lua_group *group = throng_check_members(L, 1, "group:run");
    if (!luaL_testudata(L, 2, MACHINE))
        throng_raise(L, "group:run: expected a state machine, throng.fsm{...} or throng.goals.idle_walker(), got %s",
                     throng_describe(L, 2));
    lua_settop(L, 2);
    lua_getiuservalue(L, 1, 1); /* 3: the world */
    lua_getiuservalue(L, 2, 1); /* 4: the compiled table */
    bool known;
    throng_machine machine = {.number = number_of(L, 3, 2, &known)};
    read_states(L, 4, group->owner, &machine);
    read_options(L, 4, &machine);
    read_conditions(L, 4, group->owner, &machine);
    throng_lua_world *owner = throng_check_world(L, 3);                   /* the group's, to be written */
    bool hooked = keep_hooks(L, 3, 4, throng_world_states(owner->world)); /* where there are none yet */
    if (!known)
        keep_number(L, 3, 2, machine.number, true);
    if (throng_world_run_machine(owner->world, group->handles, group->count, &machine, &error) < 0) {
        if (!known)
            keep_number(L, 3, 2, machine.number, false);
        throng_raise(L, "group '%s':run: %s", throng_group_name(group), error.text);
    }
    owner->watches_states = owner->watches_states || hooked;
    lua_settop(L, 1);
    return 1;
}

void throng_bind_fsm(lua_State *L)
{
    static const luaL_Reg functions[] = {{"machine", new_machine}, {"seconds", read_seconds}, {NULL, NULL}};
    luaL_newmetatable(L, MACHINE);
    lua_pushcfunction(L, machine_to_string);
    lua_setfield(L, -2, "__tostring");
    lua_pushboolean(L, false);
    lua_setfield(L, -2, "__metatable");
    lua_pop(L, 1);
    luaL_setfuncs(L, functions, 0);
}
