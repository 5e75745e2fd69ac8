/* world.stages: the stages of a frame as values, with their times, parameters and hooks.
 *
 * THRONG_PART_STAGES of a world is a list with the hooks, at 2 * phase + after + 1 a list of functions or nothing; its
 * entry "stages" is the value of world.stages: the stages in order, and by name. */
#include "binders.h"
#include "callback.h"
#include "fields.h"
#include "group_value.h"
#include "world_methods.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/*--- class throng.stages
 * The stages of a frame: in order, and by name.
 * @field [integer] throng.stage The i-th.
 * @field routing throng.stage Doors and congestion -> routes. Parameter: `capacity`, agents that get through a
 * metre of portal in a second.
 * @field paths throng.stage The path queue. Parameter: `budget`, expansions a frame.
 * @field goals throng.stage Arrivals, state machines -> goal of each agent.
 * @field desire throng.stage Behaviour functions, goal and path -> preferred velocity.
 * @field sense throng.stage Neighbours and walls.
 * @field plan throng.stage The planners: preferred velocity -> new velocity. Their parameters are those of
 * throng.orca{...} and the others.
 * @field move throng.stage Contacts, walls hold -> position. Parameters: `iterations` of the contacts at most;
 * `tolerance`, the worst violation to stop at, as a part of the sum of radii. */

/*--- class throng.stage as stage
 * A stage of a frame: world.stages.plan. Its parameters are fields that may be written.
 * @field name string One of those in throng.stages.
 * @field does string Its inputs -> its outputs.
 * @field ms number(ms)? Time it took in the last frame, without hooks. nil before the first. With CUDA, frames wait for
 * every stage from the first time it is read, and the value comes with the next frame.
 * @field parameters table<string, number(any)> Its parameters and their values.
 * @field capacity? number(1/m/s) Of the stage `routing`: agents that get through a metre of portal in a second.
 * @field budget? integer Of the stage `paths`: expansions a frame.
 * @field iterations? integer Of the stage `move`, see throng.stages.
 * @field tolerance? number(1) Of the stage `move`, see throng.stages. */

#define STAGE "throng.stage"

/* User value 1 is the world's value. */
typedef struct stage_value {
    throng_phase phase;
} stage_value;

static throng_phase check_stage(lua_State *L, int index, throng_lua_world **world)
{
    const stage_value *stage = luaL_testudata(L, index, STAGE);
    if (!stage)
        throng_raise(L, "expected a stage, got %s (methods are called with a colon: world.stages.plan:run())",
                     throng_describe(L, index));
    lua_getiuservalue(L, index, 1);
    *world = throng_check_world(L, -1);
    lua_pop(L, 1);
    return stage->phase;
}

/* ---- parameters */

static int parameter_named(throng_phase phase, const char *name)
{
    for (int p = 0; p < THRONG_PHASE_PARAMETERS; p++)
        if (throng_phase_parameters[p].phase == phase && strcmp(throng_phase_parameters[p].name, name) == 0)
            return p;
    return -1;
}

static void push_parameter(lua_State *L, const throng_world *world, int parameter)
{
    double value = throng_world_phase_parameter(world, parameter);
    if (throng_phase_parameters[parameter].whole)
        lua_pushinteger(L, (lua_Integer)value);
    else
        lua_pushnumber(L, value);
}

/* {name = value} of all that the stage has. [-0, +1] */
static void push_parameters(lua_State *L, const throng_world *world, throng_phase phase)
{
    lua_newtable(L);
    for (int p = 0; p < THRONG_PHASE_PARAMETERS; p++)
        if (throng_phase_parameters[p].phase == phase) {
            push_parameter(L, world, p);
            lua_setfield(L, -2, throng_phase_parameters[p].name);
        }
}

/* Writes the value at 3. */
static void write_parameter(lua_State *L, throng_world *world, int parameter)
{
    char what[96];
    const throng_phase_parameter *p = &throng_phase_parameters[parameter];
    const throng_range range = {p->least, p->most, false, p->unit};
    snprintf(what, sizeof what, "world.stages.%s.%s", throng_phase_names[p->phase], p->name);
    double value = p->whole ? (double)throng_check_integer(L, 3, what, (int64_t)p->least, (int64_t)p->most)
                            : throng_check_number(L, 3, what, &range);
    throng_world_set_phase_parameter(world, parameter, value);
}

static int write_stage(lua_State *L)
{
    throng_lua_world *world;
    char owner[64];
    const char *names[THRONG_PHASE_PARAMETERS + 1];
    int count = 0;
    throng_phase phase = check_stage(L, 1, &world);
    const char *key = throng_check_name(L, 2);
    int parameter = parameter_named(phase, key);
    if (parameter >= 0) {
        write_parameter(L, world->world, parameter);
        return 0;
    }
    for (int p = 0; p < THRONG_PHASE_PARAMETERS; p++)
        if (throng_phase_parameters[p].phase == phase)
            names[count++] = throng_phase_parameters[p].name;
    names[count] = NULL;
    snprintf(owner, sizeof owner, "world.stages.%s", throng_phase_names[phase]);
    if (count == 0)
        throng_raise(L, "%s.%s cannot be written: this stage has no parameters", owner, key);
    throng_raise_unknown(L, owner, "parameter", key, names);
}

/* ---- hooks */

/* The list of hooks at `bit`; nil when there is none and it is not to be made. [-0, +1] */
static void push_hooks(lua_State *L, int world, int bit, bool make)
{
    throng_world_part_push(L, world, THRONG_PART_STAGES);
    if (lua_rawgeti(L, -1, bit + 1) == LUA_TNIL && make) {
        lua_pop(L, 1);
        lua_newtable(L);
        lua_pushvalue(L, -1);
        lua_rawseti(L, -3, bit + 1);
    }
    lua_remove(L, -2);
}

static int add_hook(lua_State *L, bool after)
{
    throng_lua_world *world;
    int bit = 2 * (int)check_stage(L, 1, &world) + after;
    if (!lua_isfunction(L, 2))
        throng_raise(L, "stage:%s: expected a function(agents, stage), got %s", after ? "after" : "before",
                     throng_describe(L, 2));
    lua_getiuservalue(L, 1, 1);
    push_hooks(L, lua_gettop(L), bit, true);
    lua_pushvalue(L, 2);
    lua_rawseti(L, -2, (lua_Integer)lua_rawlen(L, -2) + 1);
    world->hooks |= 1u << bit;
    lua_settop(L, 1);
    return 1;
}

/*--- stage:before(callback)
 * Calls a function before the stage in every frame, until it returns false. The function sees whole columns of all
 * agents. Beside the columns that scripts may write it may write x, y, desired_vx, desired_vy and frustration. Between
 * sense and move it may not write the columns that sense has read. It may not add or remove agents.
 * @param callback fun(agents: throng.group, stage: throng.stage): boolean? The function.
 * @return throng.stage self
 * @error no function
 * @example
 * world.stages.plan:before(function(agents) agents.desired_vx = 1 end) */
static int add_before(lua_State *L) { return add_hook(L, false); }

/*--- stage:after(callback)
 * Calls a function after the stage in every frame, like stage:before.
 * @param callback fun(agents: throng.group, stage: throng.stage): boolean? The function.
 * @return throng.stage self
 * @error no function
 * @example
 * world.stages.plan:after(function(agents) print(agents.count) end) */
static int add_after(lua_State *L) { return add_hook(L, true); }

/* Takes entry `at` off the list at the top. */
static void drop_hook(lua_State *L, lua_Integer at)
{
    for (lua_Integer count = (lua_Integer)lua_rawlen(L, -1); at <= count; at++) {
        lua_rawgeti(L, -1, at + 1);
        lua_rawseti(L, -2, at);
    }
}

/* Calls the hooks of the list at 2 with all agents and the stage at 3; those that return false go. */
static int call_all(lua_State *L)
{
    for (lua_Integer at = 1, count = (lua_Integer)lua_rawlen(L, 2); at <= count; at++) {
        lua_rawgeti(L, 2, at);
        throng_agents_push(L, 1);
        lua_remove(L, -2); /* what keeps the handles until they are copied */
        lua_pushvalue(L, 3);
        lua_call(L, 2, 1);
        if (lua_isboolean(L, -1) && !lua_toboolean(L, -1)) {
            lua_settop(L, 3);
            lua_pushvalue(L, 2);
            drop_hook(L, at--);
            count--;
        }
        lua_settop(L, 3);
    }
    return 0;
}

/* throng_hook */
static bool call_hooks(void *context, throng_phase phase, bool after, throng_error *error)
{
    throng_hook_call *call = context;
    lua_State *L = call->L;
    char doing[64];
    throng_lua_world *world = throng_check_world(L, call->index);
    int top = lua_gettop(L), bit = 2 * (int)phase + after;
    lua_pushcfunction(L, call_all);
    lua_pushvalue(L, call->index);
    push_hooks(L, call->index, bit, false);
    throng_stages_push(L, call->index);
    lua_getfield(L, -1, throng_phase_names[phase]);
    lua_remove(L, -2);
    snprintf(doing, sizeof doing, "a hook %s the stage %s", after ? "after" : "before", throng_phase_names[phase]);
    throng_doing before = throng_doing_begin(L, world, doing, "");
    world->hooked = bit;
    bool fine = throng_script_call(L, 3, 0) == LUA_OK;
    world->hooked = -1;
    throng_doing_end(L, &before);
    call->failed = !fine;
    if (!fine)
        throng_script_fail(L, error);
    push_hooks(L, call->index, bit, true);
    if (lua_rawlen(L, -1) == 0)
        world->hooks &= ~(1u << bit);
    lua_settop(L, top);
    return fine;
}

void throng_hooks_set(throng_hook_call *call, lua_State *L, int index, const throng_lua_world *world)
{
    *call = (throng_hook_call){L, lua_absindex(L, index), false};
    throng_world_set_hook(world->world, call_hooks, call, world->hooks);
}

/* ---- stages */

/*--- stage:run()
 * Runs the stage alone, with its hooks. Columns change, time does not. Run sense before plan, and plan before move.
 * @return throng.stage self
 * @error the stage before it did not run
 * @example
 * world.stages.sense:run()
 * world.stages.plan:run() */
static int run_stage(lua_State *L)
{
    throng_error error;
    throng_lua_world *world;
    throng_hook_call hooks;
    throng_phase phase = check_stage(L, 1, &world);
    if (world->stepping)
        throng_raise(L, "stage:run cannot be called in a callback of the same world");
    lua_settop(L, 1);
    lua_getiuservalue(L, 1, 1);
    throng_hooks_set(&hooks, L, 2, world);
    world->stepping = true;
    bool fine = throng_world_run_phase(world->world, phase, &error);
    throng_world_set_hook(world->world, NULL, NULL, 0);
    world->stepping = false;
    if (hooks.failed) {
        lua_pushstring(L, throng_script_message(throng_script_of(L)));
        return lua_error(L);
    }
    if (!fine)
        throng_raise(L, "world.stages.%s:run: %s", throng_phase_names[phase], error.text);
    lua_settop(L, 1);
    return 1;
}

static const luaL_Reg METHODS[] = {{"run", run_stage}, {"before", add_before}, {"after", add_after}, {NULL, NULL}};

static int index_stage(lua_State *L)
{
    static const char *const fixed[] = {"run", "before", "after", "name", "does", "ms", "parameters"};
    const char *names[THRONG_PHASE_PARAMETERS + 8];
    int count = 0;
    throng_lua_world *world;
    throng_phase phase = check_stage(L, 1, &world);
    const char *key = throng_check_name(L, 2);
    int parameter = parameter_named(phase, key);
    for (const luaL_Reg *method = METHODS; method->name; method++)
        if (strcmp(method->name, key) == 0) {
            lua_pushcfunction(L, method->func);
            return 1;
        }
    if (parameter >= 0)
        push_parameter(L, world->world, parameter);
    else if (strcmp(key, "name") == 0)
        lua_pushstring(L, throng_phase_names[phase]);
    else if (strcmp(key, "does") == 0)
        lua_pushstring(L, throng_phase_texts[phase]);
    else if (strcmp(key, "parameters") == 0)
        push_parameters(L, world->world, phase);
    else if (strcmp(key, "ms") == 0) {
        double ms = throng_world_phase_ms(world->world, phase);
        isnan(ms) ? lua_pushnil(L) : lua_pushnumber(L, ms);
    } else {
        for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
            names[count++] = fixed[i];
        for (int p = 0; p < THRONG_PHASE_PARAMETERS; p++)
            if (throng_phase_parameters[p].phase == phase)
                names[count++] = throng_phase_parameters[p].name;
        names[count] = NULL;
        throng_raise_unknown(L, "a stage", "field", key, names);
    }
    return 1;
}

static int stage_to_string(lua_State *L)
{
    throng_lua_world *world;
    throng_phase phase = check_stage(L, 1, &world);
    lua_pushfstring(L, "stage %s: %s", throng_phase_names[phase], throng_phase_texts[phase]);
    return 1;
}

/* ---- world.stages */

static int unknown_stage(lua_State *L)
{
    const char *names[THRONG_PHASE_COUNT + 1];
    if (lua_type(L, 2) == LUA_TNUMBER)
        return 0; /* nil beyond the end, as ipairs expects */
    memcpy(names, throng_phase_names, sizeof throng_phase_names);
    names[THRONG_PHASE_COUNT] = NULL;
    throng_raise_unknown(L, "world.stages", "stage", throng_check_name(L, 2), names);
}

static int refuse_stage(lua_State *L)
{
    throng_raise(L,
                 "world.stages cannot be written; its stages have parameters that can: world.stages.move.iterations");
}

/* [-0, +1] */
static void make_stages(lua_State *L, int world)
{
    lua_newtable(L);
    for (int p = 0; p < THRONG_PHASE_COUNT; p++) {
        stage_value *stage = lua_newuserdatauv(L, sizeof *stage, 1);
        stage->phase = (throng_phase)p;
        luaL_setmetatable(L, STAGE);
        lua_pushvalue(L, world);
        lua_setiuservalue(L, -2, 1);
        lua_pushvalue(L, -1);
        lua_setfield(L, -3, throng_phase_names[p]);
        lua_rawseti(L, -2, p + 1);
    }
    static const luaL_Reg meta[] = {{"__index", unknown_stage}, {"__newindex", refuse_stage}, {NULL, NULL}};
    luaL_newlib(L, meta);
    lua_pushliteral(L, "list of stages");
    lua_setfield(L, -2, "__name");
    lua_pushboolean(L, false);
    lua_setfield(L, -2, "__metatable");
    lua_setmetatable(L, -2);
}

void throng_stages_push(lua_State *L, int world)
{
    world = lua_absindex(L, world);
    throng_world_part_push(L, world, THRONG_PART_STAGES);
    if (lua_getfield(L, -1, "stages") == LUA_TNIL) {
        lua_pop(L, 1);
        make_stages(L, world);
        lua_pushvalue(L, -1);
        lua_setfield(L, -3, "stages");
    }
    lua_remove(L, -2);
}

void throng_bind_stages(lua_State *L)
{
    static const luaL_Reg meta[] = {
        {"__index", index_stage}, {"__newindex", write_stage}, {"__tostring", stage_to_string}, {NULL, NULL}};
    luaL_newmetatable(L, STAGE);
    luaL_setfuncs(L, meta, 0);
    lua_pushboolean(L, false);
    lua_setfield(L, -2, "__metatable");
    lua_pop(L, 1);
}
