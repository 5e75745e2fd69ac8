/* The limits under which scripts run: memory, instructions, the watchdog's deadlines. */
#include "script_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    LOOK_EVERY = 10000, /* instructions between looks at the budget */
    METER_EVERY = 100,  /* in coroutines, each of which counts from 0 */
};

const char throng_script_key;

throng_script *throng_script_of(lua_State *L)
{
    lua_rawgetp(L, LUA_REGISTRYINDEX, &throng_script_key);
    throng_script *script = lua_touserdata(L, -1);
    lua_pop(L, 1);
    return script;
}

bool throng_script_has_room(lua_State *L, size_t bytes)
{
    const throng_script *script = throng_script_of(L);
    if (bytes > script->limits.memory - script->used)
        lua_gc(L, LUA_GCCOLLECT);
    return bytes <= script->limits.memory - script->used;
}

static void count_instructions(lua_State *L, lua_Debug *debug);

static void look(lua_State *L, int every)
{
    if (lua_gethookcount(L) != every)
        lua_sethook(L, count_instructions, LUA_MASKCOUNT, every);
}

void throng_script_count_instructions(throng_script *script)
{
    if (!script->guest)
        look(script->L, LOOK_EVERY);
}

/* throng_watchdog_ask: in a signal's handler, as lua.c does it */
static void come_back(void *context, throng_watched_place *place)
{
    throng_script *script = context;
    lua_sethook(script->L, count_instructions, LUA_MASKCOUNT, 1);
    lua_sethook(script->running, count_instructions, LUA_MASKCOUNT, 1);
    if (!place)
        return;
    throng_script_place(script->running, place->line, sizeof place->line);
    throng_doing_text(&script->doing, place->doing);
    if (!*place->doing)
        snprintf(place->doing, sizeof place->doing, "%s", script->test_name);
}

void throng_script_begin(throng_script *script, throng_watched *watched, throng_task work)
{
    *watched = (throng_watched){.work = work, .ask = come_back, .context = script};
    throng_watchdog_begin(watched);
}

void throng_script_end(throng_script *script, throng_watched *watched)
{
    throng_watchdog_end(watched);
    if (!throng_interrupted())
        throng_script_count_instructions(script);
}

/* A test that is stopped goes on, so that it can report. Once: who catches that again and again is ended from outside.
 */
static void go_on(throng_script *script)
{
    if (script->depth > 0 || script->test_failed || !*script->test_name || throng_interrupted_by())
        return;
    script->test_failed = true;
    throng_script_end(script, &script->test);
    script->stopped[0] = 0;
    throng_script_begin(script, &script->test, THRONG_TASK_TEST);
}

/* Once it is stopped it is stopped for the first reason, wherever it looks again on its way out. */
_Noreturn static void stop(lua_State *L, const char *why)
{
    throng_script *script = throng_script_of(L);
    size_t size = sizeof script->stopped;
    if (!*script->stopped) {
        throng_script_place(L, script->stopped, size);
        size_t used = strlen(script->stopped);
        snprintf(script->stopped + used, size - used, "%s%s", used ? ": " : "", why);
    }
    lua_pushstring(L, script->stopped);
    go_on(script);
    lua_error(L);
    abort(); /* lua_error does not return */
}

void throng_script_check(lua_State *L)
{
    if (throng_interrupted())
        stop(L, throng_interrupted_text());
}

static void charge(lua_State *L, int64_t instructions)
{
    char why[128];
    throng_script *script = throng_script_of(L);
    throng_script_check(L);
    if (script->depth == 0 || (script->budget -= instructions) > 0)
        return;
    snprintf(why, sizeof why,
             "stopped after %lld instructions without coming back: an endless loop? (limit: --instructions N)",
             (long long)script->limits.instructions);
    stop(L, why);
}

static void count_instructions(lua_State *L, lua_Debug *debug)
{
    (void)debug;
    charge(L, lua_gethookcount(L));
}

int throng_script_resume(lua_State *L)
{
    throng_script *script = throng_script_of(L);
    lua_State *thread = lua_tothread(L, 1), *before = script->running;
    luaL_argexpected(L, thread, 1, "coroutine");
    charge(L, METER_EVERY);
    look(thread, METER_EVERY); /* many short coroutines are no way round the limit */
    lua_getfield(L, LUA_REGISTRYINDEX, THRONG_RESUME);
    lua_insert(L, 1);
    script->running = thread;
    int status = lua_pcall(L, lua_gettop(L) - 1, LUA_MULTRET, 0);
    script->running = before;
    return status == LUA_OK ? lua_gettop(L) : lua_error(L);
}
