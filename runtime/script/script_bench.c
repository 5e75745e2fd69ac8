/* Benchmarks of behaviour functions, compiled and called, and of hooks: lua/throng/bench.lua. */
#include "behaviours.h"
#include "machine_value.h"
#include "script_files.h"
#include "script_parts.h"

#include "base/clock.h"

/* A field of the benchmark's table. [-0, +1] */
static void push_bench(lua_State *L, const char *name)
{
    throng_module_push(L); /* math takes recorded values from here on */
    throng_script_library(L, "bench");
    lua_call(L, 0, 1);
    lua_getfield(L, -1, name);
    lua_replace(L, -3);
    lua_pop(L, 1);
}

typedef struct binding {
    throng_world *world;
    const throng_handle *handles;
    int32_t count;
} binding;

static int bind(lua_State *L)
{
    throng_error error;
    const binding *b = lua_touserdata(L, 1);
    push_bench(L, "speed");
    throng_lua_world world = {.world = b->world};
    throng_behaviour_prepare(L, &world, lua_gettop(L), THRONG_COLUMN_speed, NULL);
    const throng_program_def *def = throng_behaviour_program(L, lua_gettop(L));
    int32_t program = throng_world_program(b->world, def, &error);
    if (program < 0 || !throng_world_bind(b->world, b->handles, b->count, THRONG_COLUMN_speed, program, &error))
        throng_raise_error(L, &error);
    return 0;
}

bool throng_script_bench_bind(throng_script *script, throng_world *world, const throng_handle *handles, int32_t count,
                              throng_error *error)
{
    lua_State *L = script->L;
    binding b = {world, handles, count};
    lua_pushcfunction(L, bind);
    lua_pushlightuserdata(L, &b);
    return throng_script_call(L, 1, 0) == LUA_OK || throng_script_fail(L, error);
}

static int call(lua_State *L)
{
    double *ms = lua_touserdata(L, 2);
    push_bench(L, "call");
    lua_pushvalue(L, 1);
    double start = throng_clock();
    lua_call(L, 1, 0);
    *ms = 1e3 * (throng_clock() - start);
    return 0;
}

bool throng_script_bench_call(throng_script *script, int32_t count, double *ms, throng_error *error)
{
    lua_State *L = script->L;
    lua_pushcfunction(L, call);
    lua_pushinteger(L, count);
    lua_pushlightuserdata(L, ms);
    return throng_script_call(L, 2, 0) == LUA_OK || throng_script_fail(L, error);
}

/* ---- hooks of state machines */

/* The world of the benchmark. [-0, +1] */
static throng_lua_world *push_machine_world(lua_State *L, const throng_bench_hooks_def *def)
{
    push_bench(L, "machine");
    throng_module_push(L);
    lua_createtable(L, 0, 3);
    lua_pushstring(L, def->backend);
    lua_setfield(L, -2, "backend");
    lua_pushinteger(L, def->options.simd);
    lua_setfield(L, -2, "simd");
    lua_pushinteger(L, def->options.threads);
    lua_setfield(L, -2, "threads");
    lua_pushinteger(L, def->agents);
    lua_call(L, 3, 1);
    return throng_check_world(L, -1);
}

static int time_hooks(lua_State *L)
{
    throng_error error;
    const throng_phase goals = (throng_phase)(THRONG_HOST_PHASE_COUNT + THRONG_STAGE_goals);
    const throng_bench_hooks_def *def = lua_touserdata(L, 1);
    double *ms = lua_touserdata(L, 2);
    throng_world *world = push_machine_world(L, def)->world;
    throng_world_phase_ms(world, goals); /* from now on it is timed */
    for (int32_t i = -1; i < def->steps; i++) {
        if (!throng_world_step(world, &error))
            throng_raise_error(L, &error);
        double start = throng_clock();
        throng_hooks_call(L, -1);
        if (i >= 0)
            ms[i] = 1e3 * (throng_clock() - start) + throng_world_phase_ms(world, goals);
    }
    return 0;
}

bool throng_script_bench_hooks(throng_script *script, const throng_bench_hooks_def *def, double *ms,
                               throng_error *error)
{
    lua_State *L = script->L;
    lua_pushcfunction(L, time_hooks);
    lua_pushlightuserdata(L, (void *)def);
    lua_pushlightuserdata(L, ms);
    return throng_script_call(L, 2, 0) == LUA_OK || throng_script_fail(L, error);
}
