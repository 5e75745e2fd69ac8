/* The Lua state: memory limit, instruction limit, library files. */
#include "binders.h"
#include "script_files.h"
#include "script_parts.h"
#include "world_methods.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cache.h"

throng_script_def throng_script_def_default(void)
{
    return (throng_script_def){.instructions = 200000000, .memory = throng_memory_default()};
}

/* ---- memory */

/* Lua's own error names no line. More may fail on its way out, when no frame is left: the place is then the first one.
 */
static void remember_place(throng_script *script)
{
    char place[sizeof script->place] = "";
    if (script->running)
        throng_script_place(script->running, place, sizeof place);
    if (*place)
        memcpy(script->place, place, sizeof place);
}

enum { TELLING = 1 << 16 }; /* bytes beyond the limit, for the text that says so */

static void *allocate(void *context, void *block, size_t old_size, size_t new_size)
{
    throng_script *script = context;
    if (!block)
        old_size = 0; /* it is a type tag then */
    if (new_size == 0) {
        free(block);
        script->used -= old_size;
        return NULL;
    }
    bool fits = new_size <= old_size ||
                script->used + (new_size - old_size) <= script->limits.memory + (script->telling ? TELLING : 0);
    void *moved = fits ? realloc(block, new_size) : NULL;
    if (moved) {
        script->used += new_size - old_size;
    } else {
        remember_place(script);
        script->beyond = !fits || !throng_memory_fits(new_size);
    }
    return moved;
}

/* ---- life */

static void open_libraries(lua_State *L, bool everything)
{
    static const luaL_Reg safe[] = {{LUA_GNAME, luaopen_base},          {LUA_STRLIBNAME, luaopen_string},
                                    {LUA_TABLIBNAME, luaopen_table},    {LUA_MATHLIBNAME, luaopen_math},
                                    {LUA_COLIBNAME, luaopen_coroutine}, {LUA_UTF8LIBNAME, luaopen_utf8}};
    if (everything) {
        luaL_openlibs(L);
        return;
    }
    for (size_t i = 0; i < sizeof safe / sizeof *safe; i++) {
        luaL_requiref(L, safe[i].name, safe[i].func, 1);
        lua_pop(L, 1);
    }
}

/* `require "throng"` in code with the full libraries */
static int open_module(lua_State *L)
{
    throng_module_push(L);
    return 1;
}

/* os.setlocale: with another locale, C and Lua would read 0.05 as 0 and write 0,05, in maps and recordings, too. */
static int keep_locale(lua_State *L)
{
    const char *wanted = luaL_optstring(L, 1, "C");
    if (strcmp(wanted, "C") != 0 && strcmp(wanted, "POSIX") != 0)
        throng_raise(L, "os.setlocale: the locale stays \"C\", or numbers in maps and recordings would be read and "
                        "written with another decimal point");
    lua_pushliteral(L, "C");
    return 1;
}

static int set_up(lua_State *L)
{
    throng_script *script = throng_script_of(L);
    bool everything = script->limits.trust || script->limits.commanding;
    if (!script->guest)
        open_libraries(L, everything);
    lua_getglobal(L, LUA_COLIBNAME);
    lua_getfield(L, -1, "resume");
    lua_setfield(L, LUA_REGISTRYINDEX, THRONG_RESUME);
    throng_bind_math(L);
    throng_bind_host(L);
    if (script->limits.trust)
        throng_trusted_add(L);
    if (everything && !script->guest) {
        lua_getglobal(L, LUA_OSLIBNAME);
        lua_pushcfunction(L, keep_locale);
        lua_setfield(L, -2, "setlocale");
        luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_PRELOAD_TABLE);
        lua_pushcfunction(L, open_module);
        lua_setfield(L, -2, "throng");
    }
    return 0;
}

throng_script *throng_script_begin_state(const throng_script_def *def, throng_error *error)
{
    throng_script *script = calloc(1, sizeof *script);
    if (!script) {
        throng_fail(error, "out of memory");
        return NULL;
    }
    script->limits = *def;
    script->world = LUA_NOREF;
    script->cache = def->cache ? def->cache : throng_cache_create(THRONG_SCRIPT_CACHE);
    bool found = script->cache ? throng_script_find_library(script->library, sizeof script->library, error)
                               : throng_fail(error, "out of memory");
    if (found)
        return script;
    throng_script_destroy(script);
    return NULL;
}

void throng_script_bind(throng_script *script, lua_State *L)
{
    lua_pushlightuserdata(L, script);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &throng_script_key);
    set_up(L);
}

static int bind_own(lua_State *L)
{
    throng_script_bind(lua_touserdata(L, 1), L);
    return 0;
}

throng_script *throng_script_create(const throng_script_def *def, throng_error *error)
{
    throng_script *script = throng_script_begin_state(def, error);
    if (!script)
        return NULL;
    script->L = lua_newstate(allocate, script);
    if (!script->L) {
        throng_fail(error, "cannot start Lua: out of memory");
        throng_script_destroy(script);
        return NULL;
    }
    script->running = script->L;
    throng_script_count_instructions(script);
    lua_pushcfunction(script->L, bind_own);
    lua_pushlightuserdata(script->L, script);
    if (lua_pcall(script->L, 1, 0, 0) != LUA_OK) {
        throng_fail(error, "cannot start Lua: %s", lua_tostring(script->L, -1));
        throng_script_destroy(script);
        return NULL;
    }
    return script;
}

void throng_script_destroy(throng_script *script)
{
    if (!script)
        return;
    script->running = NULL;
    if (script->L && !script->guest)
        lua_close(script->L);
    throng_test_forget(script);
    for (int32_t i = 0; i < script->file_count; i++)
        free(script->files[i]);
    free(script->files);
    throng_script_forget_parameters(script);
    throng_script_forget_failures(script);
    if (!script->limits.cache)
        throng_cache_destroy(script->cache);
    free(script->message);
    free(script);
}
