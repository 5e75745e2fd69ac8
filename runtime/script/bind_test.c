/* What `throng test` needs of the host: the world that a failing test stepped last, with its history, as files; and
 * other processes of this program. */
#include "binders.h"
#include "script_parts.h"
#include "world_methods.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "record/history.h"
#include "base/jobs.h"
#include "record/run_moment.h"

/* ---- the world that was stepped last; a closed one is kept until another is stepped */

static void drop_kept(throng_script *script)
{
    throng_world_destroy(script->kept_world);
    throng_history_destroy(script->kept_history);
    script->kept_world = NULL;
    script->kept_history = NULL;
}

void throng_test_forget(throng_script *script)
{
    drop_kept(script);
    script->latest = NULL;
}

void throng_test_note(lua_State *L, throng_lua_world *world)
{
    throng_error error;
    throng_script *script = throng_script_of(L);
    if (script->latest != world) {
        drop_kept(script);
        script->latest = world;
    }
    if (!world->history)
        world->history = throng_history_create(world->world, world->record_every > 0 ? world->record_every : 0.5);
    if (!world->history)
        throng_raise(L, "out of memory");
    if (!throng_history_note(world->history, world->world, &error))
        throng_raise_error(L, &error);
}

bool throng_test_keep(throng_script *script, throng_lua_world *world)
{
    if (!world->world || script->latest != world)
        return false;
    drop_kept(script);
    script->kept_world = world->world;
    script->kept_history = world->history;
    script->latest = NULL;
    world->history = NULL;
    return true;
}

/* ---- for lua/throng/test*.lua */

/* forget_world(): a test begins */
static int forget_world(lua_State *L)
{
    throng_test_forget(throng_script_of(L));
    return 0;
}

static throng_world *latest_world(const throng_script *script)
{
    return script->latest ? script->latest->world : script->kept_world;
}

static const throng_history *latest_history(const throng_script *script)
{
    return script->latest ? script->latest->history : script->kept_history;
}

static bool write_moment(throng_world *world, const throng_history *history, double time, const char *path,
                         int32_t width, const char *title, throng_error *error)
{
    char subtitle[128];
    throng_sample now = {0};
    const throng_sample *sample = time >= 0 ? throng_history_at(history, time) : NULL;
    if (!sample && !throng_sample_take(&now, world, error))
        return false;
    sample = sample ? sample : &now;
    snprintf(subtitle, sizeof subtitle, "%d agents, seed %llu", sample->count,
             (unsigned long long)throng_world_seed(world));
    bool drawn = throng_moment_draw(path, world, sample, NULL, width, title, subtitle, error);
    throng_sample_fini(&now);
    return drawn;
}

/* write_world(png, trajectory, title, time): files of the world that the test stepped last, the picture of the moment
 * nearest to the time (negative: now). Its seed and time; nil when it stepped none; nil and a message when a file
 * cannot be written. */
static int write_world(lua_State *L)
{
    throng_error error;
    const throng_script *script = throng_script_of(L);
    throng_world *world = latest_world(script);
    const throng_history *history = latest_history(script);
    const char *png = luaL_checkstring(L, 1), *trajectory = luaL_checkstring(L, 2), *title = luaL_checkstring(L, 3);
    double time = luaL_checknumber(L, 4);
    if (!world || !history)
        return 0;
    if (!write_moment(world, history, time, png, 0, title, &error) ||
        !throng_history_write(history, world, trajectory, &error)) {
        lua_pushnil(L);
        lua_pushstring(L, error.text);
        return 2;
    }
    lua_pushinteger(L, (lua_Integer)throng_world_seed(world));
    lua_pushnumber(L, throng_world_time(world));
    return 2;
}

enum { SMALL = 1000 }; /* pixels: the width of a picture on a page */

/* look_at_world(png, title): the world that the test stepped last, {seed =, time =, hash =}, with a picture of it now,
 * for a page; nil when it stepped none, or the picture cannot be drawn. */
static int look_at_world(lua_State *L)
{
    throng_error error;
    const throng_script *script = throng_script_of(L);
    throng_world *world = latest_world(script);
    const throng_history *history = latest_history(script);
    const char *png = luaL_checkstring(L, 1), *title = luaL_checkstring(L, 2);
    uint64_t hash;
    char text[20];
    if (!world || !history || !throng_world_hash(world, &hash, &error) ||
        !write_moment(world, history, -1, png, SMALL, title, &error))
        return 0;
    snprintf(text, sizeof text, "%016llx", (unsigned long long)hash);
    lua_createtable(L, 0, 3);
    lua_pushinteger(L, (lua_Integer)throng_world_seed(world));
    lua_setfield(L, -2, "seed");
    lua_pushnumber(L, throng_world_time(world));
    lua_setfield(L, -2, "time");
    lua_pushstring(L, text);
    lua_setfield(L, -2, "hash");
    return 1;
}

/* executable(): this program as the user would call it from the current folder */
static int executable(lua_State *L)
{
    char path[1024], folder[1024];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    path[length > 0 ? length : 0] = 0;
    size_t above = getcwd(folder, sizeof folder) ? strlen(folder) : 0;
    bool below = above > 1 && strncmp(path, folder, above) == 0 && path[above] == '/';
    lua_pushstring(L, length <= 0 ? "throng" : below ? path + above + 1 : path);
    return 1;
}

/* cores(): that this process may use */
static int cores(lua_State *L)
{
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    lua_pushinteger(L, count > 0 ? count : 1);
    return 1;
}

/* guard(seconds): the watchdog over all that follows, with that deadline */
static int guard(lua_State *L)
{
    throng_error error;
    const throng_script *script = throng_script_of(L);
    throng_watchdog_def def = {
        .name = "test", .deadline = luaL_checknumber(L, 1), .memory = script->limits.memory, .ends_idle = true};
    if (throng_watchdog_start(&def, &error))
        return 0;
    lua_pushstring(L, error.text); /* no place of ours before it */
    return lua_error(L);
}

/* watch_test(name): what runs from now on is that test; nil: it is none any more */
static int watch_test(lua_State *L)
{
    throng_script *script = throng_script_of(L);
    if (*script->test_name)
        throng_script_end(script, &script->test);
    script->stopped[0] = script->place[0] = 0;
    script->test_failed = false;
    snprintf(script->test_name, sizeof script->test_name, "%s", luaL_optstring(L, 1, ""));
    if (*script->test_name)
        throng_script_begin(script, &script->test, THRONG_TASK_TEST);
    return 0;
}

/* out_of_memory(): what to say in the place of Lua's own message */
static int out_of_memory(lua_State *L)
{
    throng_script_memory_push(L);
    return 1;
}

/* limit{threads =, memory =, instructions =}: worlds that do not say how many threads take so many, 0: as many as there
 * are cores; MiB; of one callback. What is not there stays. Before guard(). */
static int limit(lua_State *L)
{
    throng_script_def *limits = &throng_script_of(L)->limits;
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_settop(L, 1);
    if (lua_getfield(L, 1, "threads") != LUA_TNIL)
        limits->threads = (int32_t)lua_tointeger(L, -1);
    if (lua_getfield(L, 1, "memory") != LUA_TNIL)
        limits->memory = (size_t)lua_tointeger(L, -1) << 20;
    if (lua_getfield(L, 1, "instructions") != LUA_TNIL)
        limits->instructions = lua_tointeger(L, -1);
    return 0;
}

/* sandbox(path): the environment that a scenario in that file would have, for a spec */
static int sandbox(lua_State *L)
{
    throng_script_confined_push(L, luaL_checkstring(L, 1));
    lua_pop(L, 1);
    return 1;
}

/* ---- run_jobs(list of lists of arguments, at_once, function(index, code, signal, output, results) -> go on?) */

static bool call_ended(void *context, int32_t index, const throng_job_end *end)
{
    lua_State *L = context;
    lua_pushvalue(L, 3);
    lua_pushinteger(L, index + 1);
    lua_pushinteger(L, end->code);
    lua_pushinteger(L, end->signal);
    lua_pushlstring(L, end->output, end->output_size);
    lua_pushlstring(L, end->results, end->results_size);
    if (lua_pcall(L, 5, 1, 0) != LUA_OK)
        return false; /* the message stays, for run_jobs */
    bool on = lua_toboolean(L, -1);
    lua_pop(L, 1);
    return on;
}

static int run_jobs(lua_State *L)
{
    throng_error error;
    luaL_checktype(L, 1, LUA_TTABLE);
    luaL_checktype(L, 3, LUA_TFUNCTION);
    lua_settop(L, 3);
    int32_t count;
    char *const *const *argv = throng_arguments_push(L, 1, &count);
    int top = lua_gettop(L);
    throng_jobs_def def = {
        .argv = argv, .count = count, .at_once = (int32_t)luaL_checkinteger(L, 2), .ended = call_ended, .context = L};
    fflush(NULL); /* nothing is written twice */
    if (throng_jobs_run(&def, &error))
        return 0;
    if (lua_gettop(L) > top)
        return lua_error(L);
    if (*error.text)
        throng_raise_error(L, &error);
    return 0;
}

void throng_bind_test(lua_State *L)
{
    static const luaL_Reg functions[] = {{"forget_world", forget_world},
                                         {"write_world", write_world},
                                         {"look_at_world", look_at_world},
                                         {"executable", executable},
                                         {"cores", cores},
                                         {"limit", limit},
                                         {"sandbox", sandbox},
                                         {"guard", guard},
                                         {"watch_test", watch_test},
                                         {"out_of_memory", out_of_memory},
                                         {"run_jobs", run_jobs},
                                         {NULL, NULL}};
    luaL_setfuncs(L, functions, 0);
}
