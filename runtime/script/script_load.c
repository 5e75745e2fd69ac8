/* Loading a scenario: its chunk in a sandbox, what the caller overrides, the
 * world it returns. */
#include "fields.h"
#include "script_files.h"
#include "script_parts.h"
#include "script_sliders.h"
#include "world_value.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/suggest.h"

/* A new context for the file; overrides are the table at `overrides`. [-0, +1] */
static void push_context(lua_State *L, const char *path, int overrides)
{
    lua_newtable(L);
    lua_pushstring(L, path);
    lua_setfield(L, -2, "path");
    throng_script_folder_push(L, path);
    lua_setfield(L, -2, "folder");
    lua_pushvalue(L, overrides);
    lua_setfield(L, -2, "overrides");
}

/* A trusted scenario's require finds its folder too, as in the sandbox. */
static void add_to_path(lua_State *L, const char *folder)
{
    lua_getglobal(L, LUA_LOADLIBNAME);
    lua_getfield(L, -1, "path");
    lua_pushfstring(L, "%s/?.lua;%s", folder, lua_tostring(L, -1));
    lua_setfield(L, -3, "path");
    lua_pop(L, 2);
}

/* Raises the message on the stack; a word of Lua's own in a name's place is explained. Of what is nested too deeply Lua
 * names no place. */
static void raise_syntax(lua_State *L, const char *path)
{
    static const char expected[] = "<name> expected near '";
    const char *message = lua_tostring(L, -1);
    if (message && strstr(message, "C stack overflow") == message)
        luaL_error(L, "%s: brackets, tables or blocks are nested too deeply in it", path);
    const char *at = message ? strstr(message, expected) : NULL;
    char word[16];
    if (at && sscanf(at + sizeof expected - 1, "%15[a-z]'", word) == 1)
        lua_pushfstring(L, "%s: '%s' is a word of Lua's own and names nothing%s", message, word,
                        strcmp(word, "goto") == 0 ? "; agents are sent with go_to" : "");
    lua_error(L);
}

/* The file's chunk. [-0, +1] */
static void load_text(lua_State *L, const char *path)
{
    throng_error error;
    FILE *file = throng_file_open(path, THRONG_FILE_MOST_TEXT, &error);
    if (!file)
        luaL_error(L, "%s", error.text);
    fclose(file);
    if (luaL_loadfilex(L, path, "t") != LUA_OK)
        raise_syntax(L, path);
}

void throng_script_confined_push(lua_State *L, const char *path)
{
    const char *folder = throng_script_folder_push(L, path);
    throng_script_confine(L, path, folder);
    throng_sandbox_push(L, folder); /* two */
    lua_remove(L, -3);
}

/* The scenario's chunk in its environment. [-0, +1] */
static void push_chunk(lua_State *L, const char *path, int context)
{
    const throng_script *script = throng_script_of(L);
    size_t size;
    lua_getfield(L, context, "overrides");
    if (lua_getfield(L, -1, "source") == LUA_TSTRING) {
        const char *text = lua_tolstring(L, -1, &size);
        if (luaL_loadbufferx(L, text, size, lua_pushfstring(L, "@%s", path), "t") != LUA_OK)
            raise_syntax(L, path);
    } else {
        throng_script_note_file(throng_script_of(L), path);
        load_text(L, path);
    }
    if (script->limits.trust) {
        add_to_path(L, throng_script_folder_push(L, path));
        lua_pop(L, 1);
        lua_pushnil(L); /* its environment is Lua's own */
        lua_getfield(L, LUA_REGISTRYINDEX, THRONG_RANDOM);
    } else {
        throng_script_confined_push(L, path);
    }
    lua_getfield(L, context, "overrides");
    if (lua_getfield(L, -1, "seed") == LUA_TNUMBER)
        throng_generator_seed(lua_touserdata(L, -3), (uint64_t)lua_tointeger(L, -1));
    lua_pop(L, 2);
    lua_setfield(L, context, "random");
    if (lua_isnil(L, -1) || !lua_setupvalue(L, -2, 1)) /* the chunk's _ENV */
        lua_pop(L, 1);
}

/* Settings for parameters that the scenario never asked for are mistakes. */
static void check_parameters(lua_State *L, const char *path, int context)
{
    lua_getfield(L, context, "overrides");
    bool given = lua_getfield(L, -1, "params") == LUA_TTABLE;
    lua_pushnil(L);
    if (given && lua_next(L, -2)) {
        lua_getfield(L, context, "declared");
        if (!lua_toboolean(L, -1))
            throng_raise(L, "%s takes no parameters (it does not call throng.params), but '%s' is set", path,
                         lua_tostring(L, -3));
    }
}

/* (path, overrides) -> what the file returns, at 4; its context at 3 */
static int run_file(lua_State *L)
{
    const char *path = lua_tostring(L, 1);
    push_context(L, path, 2);
    push_chunk(L, path, 3);
    lua_pushvalue(L, 3);
    throng_context_set(L);
    lua_call(L, 0, 1);
    return 1;
}

/* (path, overrides) -> world; under the script's protection */
static int run_scenario(lua_State *L)
{
    const char *path = lua_tostring(L, 1);
    run_file(L);
    int world = lua_gettop(L);
    if (throng_is_study(L, world))
        luaL_error(L, "%s is a study: `throng study %s` runs it", path, path);
    if (!luaL_testudata(L, world, THRONG_LUA_WORLD))
        luaL_error(L, "%s returned %s, not a world: end the scenario with `return world`", path,
                   throng_describe(L, world));
    check_parameters(L, path, 3);
    lua_settop(L, world);
    return 1;
}

/* Runs the file by `run` with the overrides' table at the top. [-1, +1] the result, or the message */
static int load_file(lua_State *L, lua_CFunction run, const char *path)
{
    lua_pushcfunction(L, run);
    lua_insert(L, -2);
    lua_pushstring(L, path);
    lua_insert(L, -2);
    return throng_script_call_loading(L, 2, 1);
}

/* ---- throng.load */

/*--- class throng.overrides
 * Values that throng.load puts in place of a scenario's own. */
static const throng_setting SETTINGS[] = {
    {"seed", "integer", NULL, "Another seed.", {0, 1e18, false, ""}},
    {"backend", "\"auto\"|\"cpu\"|\"cuda\"", NULL, .text = "Another backend."},
    {"simd", "0|1|4|8|16", NULL, "CPU: SIMD width, agents computed at once.", {0, 16, false, ""}},
    {"threads", "integer", NULL, "CPU: threads.", {0, 256, false, ""}},
    {"params", "table<string, number(any)|string|boolean>", NULL, .text = "Values for throng.params."},
    {.name = NULL},
};

const throng_settings throng_load_settings = {"throng.overrides", "throng.load", SETTINGS};

static void check_overrides(lua_State *L, int index)
{
    int64_t number;
    const char *text;
    luaL_checktype(L, index, LUA_TTABLE);
    throng_settings_check(L, index, &throng_load_settings);
    throng_setting_integer(L, index, &throng_load_settings, "seed", &number);
    throng_setting_integer(L, index, &throng_load_settings, "simd", &number);
    throng_setting_integer(L, index, &throng_load_settings, "threads", &number);
    throng_field_string(L, index, "throng.load", "backend", &text);
    if (lua_getfield(L, index, "params") != LUA_TNIL && !lua_istable(L, -1))
        throng_raise(L, "throng.load: field 'params' must be a table of names and values, got %s",
                     throng_describe(L, -1));
    lua_pop(L, 1);
}

/* Raises the message at the top, at whose end is the scenario's stack, with the line that loads it. */
static int raise_from_load(lua_State *L)
{
    throng_position_push(L);
    if (lua_type(L, -2) != LUA_TSTRING || !lua_rawlen(L, -1)) {
        lua_pop(L, 1);
        return lua_error(L);
    }
    lua_pushfstring(L, "%s\n  %s: in throng.load", lua_tostring(L, -2), lua_tostring(L, -1));
    return lua_error(L);
}

/*--- throng.load(path, overrides)
 * Runs a scenario file in its sandbox and gives the world it returns.
 * @param path string Relative to the calling file, then to the current folder.
 * @param overrides? throng.overrides Values that replace the scenario's own.
 * @return throng.world
 * @error no such file; what the scenario raises; a scenario that returns no world
 * @example
 * local world = throng.load("scenarios/door.lua", { seed = 3, params = { width = 0.8 } }) */
int throng_lua_load(lua_State *L)
{
    char path[PATH_MAX];
    if (lua_type(L, 1) != LUA_TSTRING)
        throng_raise(L, "throng.load: the path of a scenario is missing, got %s", throng_describe(L, 1));
    lua_settop(L, 2);
    if (lua_isnil(L, 2)) {
        lua_newtable(L);
        lua_replace(L, 2);
    }
    check_overrides(L, 2);
    throng_script_find_file(L, "throng.load", 1, path);
    throng_context_push(L); /* 3: restored whatever happens */
    lua_pushvalue(L, 2);
    int status = load_file(L, run_scenario, path);
    lua_pushvalue(L, 3);
    throng_context_set(L);
    return status == LUA_OK ? 1 : raise_from_load(L);
}

/* ---- for throng's own Lua files */

static int run_by(lua_State *L, lua_CFunction run)
{
    const char *path = throng_check_text(L, 1, "the file's name");
    luaL_checktype(L, 2, LUA_TTABLE);
    lua_settop(L, 2);
    return load_file(L, run, path) == LUA_OK ? 1 : lua_error(L);
}

int throng_lua_run_file(lua_State *L) { return run_by(L, run_file); }

int throng_lua_run_scenario(lua_State *L) { return run_by(L, run_scenario); }

/* ---- the scenario of the command line */

/* "name=value" texts as params; text = true makes throng.params read them. [-0, +0], table at the top */
static void add_parameters(lua_State *L, const throng_overrides *overrides)
{
    lua_newtable(L);
    for (int32_t i = 0; i < overrides->param_count; i++) {
        const char *equals = strchr(overrides->params[i], '=');
        if (!equals)
            luaL_error(L, "--set %s: expected NAME=VALUE", overrides->params[i]);
        lua_pushlstring(L, overrides->params[i], (size_t)(equals - overrides->params[i]));
        lua_pushstring(L, equals + 1);
        lua_settable(L, -3);
    }
    lua_setfield(L, -2, "params");
    lua_pushboolean(L, true);
    lua_setfield(L, -2, "text");
}

/* What sliders were set to: { value, what the file gave } by name. [-0, +0], table at the top */
static void add_set(lua_State *L, const throng_overrides *overrides)
{
    lua_newtable(L);
    for (int32_t i = 0; i < overrides->set_count; i++) {
        lua_createtable(L, 2, 0);
        lua_pushnumber(L, overrides->set[i].value);
        lua_rawseti(L, -2, 1);
        lua_pushnumber(L, overrides->set[i].given);
        lua_rawseti(L, -2, 2);
        lua_setfield(L, -2, overrides->set[i].name);
    }
    lua_setfield(L, -2, "set");
}

static void push_overrides(lua_State *L, const throng_overrides *overrides)
{
    lua_newtable(L);
    if (overrides->backend) {
        lua_pushstring(L, overrides->backend);
        lua_setfield(L, -2, "backend");
    }
    if (overrides->has_seed) {
        lua_pushinteger(L, (lua_Integer)overrides->seed);
        lua_setfield(L, -2, "seed");
    }
    if (overrides->simd >= 0) {
        lua_pushinteger(L, overrides->simd);
        lua_setfield(L, -2, "simd");
    }
    if (overrides->threads >= 0) {
        lua_pushinteger(L, overrides->threads);
        lua_setfield(L, -2, "threads");
    }
    add_parameters(L, overrides);
    add_set(L, overrides);
}

static int load_from_command_line(lua_State *L)
{
    const char *path = lua_touserdata(L, 1);
    const throng_overrides *overrides = lua_touserdata(L, 2);
    const char *text = lua_touserdata(L, 3); /* NULL: the file's own */
    push_overrides(L, overrides);
    if (text) {
        lua_pushlstring(L, text, (size_t)lua_tointeger(L, 4));
        lua_setfield(L, -2, "source");
    }
    lua_pushstring(L, path);
    lua_insert(L, -2);
    lua_pushcfunction(L, run_scenario);
    lua_insert(L, -3);
    lua_call(L, 2, 1);
    lua_gc(L, LUA_GCCOLLECT); /* what the map was made of: many worlds may lie beside this one */
    return 1;
}

static void name_of(const char *path, char *name, size_t size)
{
    const char *slash = strrchr(path, '/');
    snprintf(name, size, "%s", slash ? slash + 1 : path);
    char *dot = strrchr(name, '.');
    if (dot && dot != name)
        *dot = 0;
    throng_text_plain(name, size);
}

bool throng_script_load(throng_script *script, const char *path, const throng_overrides *overrides,
                        throng_scenario *scenario, throng_error *error)
{
    if (throng_is_file(path))
        return throng_script_load_text(script, path, NULL, 0, overrides, scenario, error);
    lua_pushfstring(script->L, "cannot open the scenario '%s': %s", path,
                    access(path, F_OK) == 0 ? "it is not a file" : "there is no such file");
    return throng_script_fail(script->L, error);
}

bool throng_script_load_text(throng_script *script, const char *path, const char *text, size_t size,
                             const throng_overrides *overrides, throng_scenario *scenario, throng_error *error)
{
    lua_State *L = script->L;
    lua_pushcfunction(L, load_from_command_line);
    lua_pushlightuserdata(L, (void *)(uintptr_t)path);
    lua_pushlightuserdata(L, (void *)(uintptr_t)overrides);
    lua_pushlightuserdata(L, (void *)(uintptr_t)text);
    lua_pushinteger(L, (lua_Integer)size);
    if (throng_script_call_loading(L, 4, 1) != LUA_OK)
        return throng_script_fail(L, error);
    const throng_lua_world *world = lua_touserdata(L, -1);
    *scenario = (throng_scenario){.world = world->world,
                                  .seconds = world->seconds,
                                  .until_done = world->until_done,
                                  .record_every = world->record_every,
                                  .record_compact = world->record_compact};
    name_of(path, scenario->name, sizeof scenario->name);
    script->world = luaL_ref(L, LUA_REGISTRYINDEX);
    if (!scenario->world)
        return throng_fail(error, "%s returned a world that was closed", path);
    return true;
}

throng_generator *throng_script_generator(const throng_script *script)
{
    lua_State *L = script->L;
    throng_context_push(L);
    throng_generator *random = NULL;
    if (lua_istable(L, -1)) {
        lua_getfield(L, -1, "random");
        random = lua_touserdata(L, -1);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    return random;
}

/* ---- commands that are written in Lua */

/* name, arguments -> the exit code */
static int run_command(lua_State *L)
{
    throng_script_library(L, lua_tostring(L, 1));
    lua_replace(L, 1);
    luaL_checkstack(L, LUA_MINSTACK, NULL);
    throng_host_push(L);
    lua_insert(L, 2);
    lua_pushstring(L, throng_script_of(L)->library);
    lua_insert(L, 3);
    lua_call(L, lua_gettop(L) - 1, 1);
    return 1;
}

int throng_script_command(throng_script *script, const char *name, int argc, char **argv, throng_error *error)
{
    lua_State *L = script->L;
    if (!lua_checkstack(L, argc + LUA_MINSTACK)) {
        throng_fail(error, "too many arguments");
        return 2;
    }
    lua_pushcfunction(L, run_command);
    lua_pushstring(L, name);
    for (int i = 0; i < argc; i++)
        lua_pushstring(L, argv[i]);
    /* lua_pcall: the limits are for callbacks and scenarios, not for specs */
    if (lua_pcall(L, argc + 1, 1, 0) != LUA_OK) {
        throng_script_fail(L, error);
        return 2;
    }
    return (int)lua_tointeger(L, -1);
}
