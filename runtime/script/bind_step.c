/* world:step, world:run, world:on_step: a frame and its callbacks.
 *
 * The order in a frame: timers, on_step callbacks, slow behaviour functions, the world's
 * stages with their hooks, then the callbacks of the paths that were finished, the "arrived", "stuck", "floor",
 * "entered" and "left" callbacks and the hooks of state machines, each once with everybody it concerns. */
#include "behaviours.h"
#include "callback.h"
#include "fields.h"
#include "machine_value.h"
#include "world_methods.h"

#include <math.h>
#include <string.h>

#include "record/run.h"

static void call_on_step(lua_State *L, int index, const throng_lua_world *world)
{
    throng_world_part_push(L, index, THRONG_PART_ON_STEP);
    int list = lua_gettop(L);
    for (lua_Integer i = 1; i <= (lua_Integer)lua_rawlen(L, list); i++) {
        lua_rawgeti(L, list, i);
        lua_pushvalue(L, index);
        lua_pushnumber(L, throng_world_time(world->world));
        throng_callback_call(L, world, "a world:on_step callback", "", 2, 0);
    }
    lua_pop(L, 1);
}

/* Copies of handles, since callbacks may change the world's. [-0, +1] */
static const throng_handle *push_handles(lua_State *L, const throng_handle *handles, int32_t count)
{
    size_t size = (size_t)count * sizeof *handles;
    throng_handle *copy = lua_newuserdatauv(L, size + 1, 0);
    if (size)
        memcpy(copy, handles, size);
    return copy;
}

/* Calls the listeners of a part, each with those of the agents that belong to its group. */
static void call_listeners(lua_State *L, int index, const throng_lua_world *world, int part, const char *what,
                           const throng_handle *agents, int32_t count)
{
    const throng_handle *handles = push_handles(L, agents, count);
    throng_world_part_push(L, index, part);
    int list = lua_gettop(L);
    for (lua_Integer i = 1; count > 0 && i <= (lua_Integer)lua_rawlen(L, list); i++) {
        lua_rawgeti(L, list, i);
        const throng_lua_group *batch = throng_listener_push(L, index, lua_gettop(L), handles, count);
        if (batch->count > 0)
            throng_callback_call(L, world, what, throng_group_name(batch), 1, 0);
        lua_settop(L, list);
    }
    lua_pop(L, 2);
}

static void call_arrived(lua_State *L, int index, const throng_lua_world *world)
{
    throng_error error;
    int32_t count;
    const throng_handle *handles;
    if (!throng_world_arrivals(world->world, &handles, &count, &error))
        throng_raise_error(L, &error);
    call_listeners(L, index, world, THRONG_PART_ARRIVED, "the \"arrived\" callback", handles, count);
}

static void call_overcome(lua_State *L, int index, const throng_lua_world *world)
{
    throng_error error;
    int32_t count;
    const throng_handle *handles;
    if (!throng_world_newly_overcome(world->world, &handles, &count, &error))
        throng_raise_error(L, &error);
    call_listeners(L, index, world, THRONG_PART_OVERCOME, "the \"incapacitated\" callback", handles, count);
}

static int call_behaviours_of(lua_State *L)
{
    throng_behaviours_call(L, 1);
    return 0;
}

static void call_behaviours(lua_State *L, int index, const throng_lua_world *world)
{
    lua_pushcfunction(L, call_behaviours_of);
    lua_pushvalue(L, index);
    throng_callback_call(L, world, "a behaviour function with slow = true", "", 1, 0);
}

/* Is Lua called before the frame? */
static bool calls_before(const throng_lua_world *world)
{
    return world->watches_steps || world->calls_behaviours || throng_timers_due(world);
}

/* Of the world's value at 1. */
static int call_before(lua_State *L)
{
    const throng_lua_world *world = throng_check_world(L, 1);
    throng_timers_call(L, 1);
    if (world->watches_steps)
        call_on_step(L, 1, world);
    if (world->calls_behaviours)
        call_behaviours(L, 1, world);
    return 0;
}

static bool compute_frame(lua_State *L, int index, const throng_lua_world *world, throng_error *error)
{
    throng_hook_call hooks;
    throng_hooks_set(&hooks, L, index, world);
    bool stepped = throng_world_step(world->world, error);
    throng_world_set_hook(world->world, NULL, NULL, 0);
    if (!stepped && !hooks.failed)
        throng_fail_in(error, "step %u", throng_world_steps(world->world));
    return stepped;
}

/* Is Lua called after the frame? Only where there is somebody to tell of, or what looks for them is Lua's. */
static bool find_news(const throng_lua_world *world, bool *news, throng_error *error)
{
    throng_world *w = world->world;
    const throng_handle *handles;
    const throng_crossed *crossed;
    int32_t paths = 0, arrived = 0, stuck = 0, floors = 0, crossings = 0;
    if (world->watches_paths)
        throng_world_paths(w, &paths);
    if (world->watches_arrivals && !throng_world_arrivals(w, &handles, &arrived, error))
        return false;
    if (world->watches_stuck)
        throng_world_newly_stuck(w, &stuck);
    if (world->watches_floors)
        throng_world_floor_changes(w, &floors);
    if (world->watches_places && !throng_world_crossings(w, &crossed, &crossings, error))
        return false;
    *news = paths || arrived || stuck || floors || crossings || world->watches_overcome || world->watches_states;
    return true;
}

/* Of the world's value at 1. */
static int call_after(lua_State *L)
{
    const throng_lua_world *world = throng_check_world(L, 1);
    if (world->watches_paths)
        throng_call_paths(L, 1);
    if (world->watches_arrivals)
        call_arrived(L, 1, world);
    if (world->watches_stuck)
        throng_call_stuck(L, 1);
    if (world->watches_floors)
        throng_call_floors(L, 1);
    if (world->watches_places)
        throng_call_entered(L, 1);
    if (world->watches_overcome)
        call_overcome(L, 1, world);
    if (world->watches_states)
        throng_hooks_call(L, 1);
    return 0;
}

/* What a step needs at hand; the world's value is at `index`. Where nobody is called Lua's memory is not touched: of
 * ten thousand worlds it is in no cache. */
typedef struct stepping {
    lua_State *L;
    int index;
    throng_lua_world *world;
    throng_script *script;
} stepping;

static stepping stepping_of(lua_State *L, int index)
{
    return (stepping){L, lua_absindex(L, index), lua_touserdata(L, index), throng_script_of(L)};
}

static bool call_protected(const stepping *s, lua_CFunction call, throng_error *error)
{
    lua_pushcfunction(s->L, call);
    lua_pushvalue(s->L, s->index);
    int status = lua_pcall(s->L, 1, 0, 0); /* callbacks have their tracebacks already */
    return status == LUA_OK || throng_script_fail(s->L, error);
}

static bool try_step(const stepping *s, throng_error *error)
{
    bool news;
    return (!calls_before(s->world) || call_protected(s, call_before, error)) &&
           compute_frame(s->L, s->index, s->world, error) && find_news(s->world, &news, error) &&
           (!news || call_protected(s, call_after, error));
}

/* One frame with callbacks. False: the message is the script's last failure, or the error. */
static bool step_watched(const stepping *s, throng_error *error)
{
    throng_watched watched;
    throng_script_begin(s->script, &watched, THRONG_TASK_FRAME);
    s->world->stepping = true;
    bool stepped = try_step(s, error);
    s->world->stepping = false;
    throng_script_end(s->script, &watched);
    return stepped;
}

/* A step that specs asked for. */
static bool step_noted(const stepping *s, throng_error *error)
{
    bool testing = s->script->limits.testing;
    if (testing)
        throng_test_note(s->L, s->world);
    bool stepped = step_watched(s, error);
    if (testing && stepped)
        throng_test_note(s->L, s->world);
    return stepped;
}

static throng_lua_world *check_steppable(lua_State *L, const char *method)
{
    throng_lua_world *world = throng_check_world(L, 1);
    if (world->stepping)
        throng_raise(L, "%s cannot be called in a callback of the same world", method);
    return world;
}

/* Raises what step_watched left. */
_Noreturn static void raise_failure(lua_State *L, const throng_error *error)
{
    const char *text = throng_script_error_text(throng_script_of(L), error);
    if (text == error->text)
        throng_raise_error(L, error);
    lua_pushstring(L, text);
    lua_error(L);
    abort(); /* lua_error does not return */
}

/*--- world:step()
 * Computes one frame.
 * @return throng.world self
 * @example
 * for _ = 1, 100 do world:step() end */
int throng_world_step_method(lua_State *L)
{
    throng_error error;
    check_steppable(L, "world:step");
    const stepping step = stepping_of(L, 1);
    if (!step_noted(&step, &error))
        raise_failure(L, &error);
    lua_settop(L, 1);
    return 1;
}

/* ---- world:run */

static bool step_running(void *context, throng_error *error) { return step_noted(context, error); }

static bool stop_asked(void *context)
{
    const stepping *step = context;
    return step->world->stopped;
}

/*--- class throng.run.settings
 * Settings of world:run. */
static const throng_setting SETTINGS[] = {
    {"seconds",
     "number",
     NULL,
     "Simulated time; none, and no `steps`: as long as `seconds` of throng.world says.",
     {0, 1e9, false, "s"}},
    {"steps", "integer", NULL, "Number of frames instead.", {0, UINT32_MAX, false, ""}},
    {"until_done", "boolean", NULL,
     .text = "Stop when all agents have arrived; none: true when neither `seconds` nor `steps` is given."},
    {.name = NULL},
};

const throng_settings throng_run_settings = {"throng.run.settings", "world:run", SETTINGS};

static throng_run_def read_run(lua_State *L, const throng_lua_world *world)
{
    double seconds = world->seconds;
    int64_t steps = 0;
    if (lua_isnoneornil(L, 2)) {
        lua_settop(L, 1);
        lua_newtable(L);
    }
    if (!lua_istable(L, 2))
        throng_raise(L, "world:run: expected a table like {seconds = 60}, got %s", throng_describe(L, 2));
    throng_settings_check(L, 2, &throng_run_settings);
    bool timed = throng_setting_number(L, 2, &throng_run_settings, "seconds", &seconds);
    bool counted = throng_setting_integer(L, 2, &throng_run_settings, "steps", &steps);
    if (timed && counted)
        throng_raise(L, "world:run: give 'seconds' or 'steps', not both");
    throng_run_def def = {.world = world->world,
                          .steps = counted ? (uint32_t)steps : throng_run_steps(world->world, seconds),
                          .until_done = !timed && !counted,
                          .step = step_running,
                          .stopped = stop_asked};
    throng_field_boolean(L, 2, "world:run", "until_done", &def.until_done);
    return def;
}

/*--- world:run(settings)
 * Computes frames, for `seconds` or `steps`. Without either, or with `until_done`, it runs until all agents have
 * arrived.
 * @param settings? throng.run.settings How long.
 * @return "arrived"|"time"|"stopped" Why it ended.
 * @error both `seconds` and `steps`; called in a callback of this world; what a callback raises
 * @example
 * print(world:run { seconds = 10 }) */
int throng_world_run_method(lua_State *L)
{
    throng_error error;
    throng_lua_world *world = check_steppable(L, "world:run");
    throng_run_def def = read_run(L, world);
    stepping step = stepping_of(L, 1);
    def.context = &step;
    world->stopped = false;
    throng_run_end end = throng_run(&def, &error);
    throng_script_check(L);
    if (end == THRONG_RUN_FAILED)
        raise_failure(L, &error);
    lua_pushstring(L, throng_run_end_names[end]);
    return 1;
}

/*--- world:on_step(callback)
 * Calls a function before each step.
 * @param callback fun(world: throng.world, time: number(s)) Called with the simulated time.
 * @return throng.world self
 * @error no function
 * @example
 * world:on_step(function(_, time) if time > 30 then guests:go_to "exit" end end) */
int throng_world_on_step_method(lua_State *L)
{
    throng_lua_world *world = throng_check_world(L, 1);
    if (!lua_isfunction(L, 2))
        throng_raise(L, "world:on_step: expected a function(world, time), got %s", throng_describe(L, 2));
    throng_world_part_push(L, 1, THRONG_PART_ON_STEP);
    lua_pushvalue(L, 2);
    lua_rawseti(L, -2, (lua_Integer)lua_rawlen(L, -2) + 1);
    world->watches_steps = true;
    lua_settop(L, 1);
    return 1;
}

bool throng_script_step(void *context, throng_error *error)
{
    throng_script *script = context;
    lua_rawgeti(script->L, LUA_REGISTRYINDEX, script->world);
    const stepping step = stepping_of(script->L, -1);
    bool stepped = step_watched(&step, error);
    lua_pop(script->L, 1);
    return stepped;
}

int32_t throng_script_timers_after(throng_script *script, double time, double *first)
{
    lua_rawgeti(script->L, LUA_REGISTRYINDEX, script->world);
    int32_t count = throng_timers_after(script->L, lua_gettop(script->L), time, first);
    lua_pop(script->L, 1);
    return count;
}

int32_t throng_script_timers_waiting(throng_script *script)
{
    lua_rawgeti(script->L, LUA_REGISTRYINDEX, script->world);
    int32_t count = throng_timers_waiting(script->L, lua_gettop(script->L));
    lua_pop(script->L, 1);
    return count;
}

bool throng_script_stopped(void *context)
{
    throng_script *script = context;
    lua_rawgeti(script->L, LUA_REGISTRYINDEX, script->world);
    const throng_lua_world *world = lua_touserdata(script->L, -1);
    lua_pop(script->L, 1);
    return world->stopped;
}
