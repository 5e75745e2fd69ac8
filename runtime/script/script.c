/* The Lua state: memory limit, instruction limit, library files. */
#include "bind.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cache.h"
#include "base/file.h"

#define THRONG_RESUME "throng.resume" /* Lua's own coroutine.resume */

enum {
    LOOK_EVERY = 10000, /* instructions between looks at the budget */
    METER_EVERY = 100,  /* in coroutines, each of which counts from 0 */
};

throng_script_def throng_script_def_default(void)
{
    return (throng_script_def){.instructions = 200000000, .memory = throng_memory_default()};
}

throng_script *throng_script_of(lua_State *L) { return *(throng_script **)lua_getextraspace(L); }

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
    bool fits = new_size <= old_size || script->used + (new_size - old_size) <= script->limits.memory;
    void *moved = fits ? realloc(block, new_size) : NULL;
    if (moved)
        script->used += new_size - old_size;
    else
        remember_place(script);
    return moved;
}

bool throng_script_has_room(lua_State *L, size_t bytes)
{
    const throng_script *script = throng_script_of(L);
    if (bytes > script->limits.memory - script->used)
        lua_gc(L, LUA_GCCOLLECT);
    return bytes <= script->limits.memory - script->used;
}

/* ---- the time that a call takes */

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
    throng_test_go_on(script);
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

static void look(lua_State *L, int every)
{
    if (lua_gethookcount(L) != every)
        lua_sethook(L, count_instructions, LUA_MASKCOUNT, every);
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
    snprintf(place->doing, sizeof place->doing, "%s", *script->doing.text ? script->doing.text : script->test_name);
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
        look(script->L, LOOK_EVERY);
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

/* ---- library files */

static bool readable(const char *folder, const char *below, char *library, size_t size)
{
    char probe[640];
    snprintf(probe, sizeof probe, "%s%s/throng/init.lua", folder, below);
    if (access(probe, R_OK) != 0)
        return false;
    snprintf(library, size, "%.480s%s", folder, below);
    return true;
}

/* The lua/ folder lies beside the executable (a release) or above it (the build tree). */
static bool find_library(char *library, size_t size, throng_error *error)
{
    char folder[480];
    ssize_t length = readlink("/proc/self/exe", folder, sizeof folder - 1);
    if (length < 0)
        return throng_fail(error, "cannot tell where throng is installed: %s", strerror(errno));
    folder[length] = 0;
    char *slash = strrchr(folder, '/');
    if (slash)
        *slash = 0;
    if (readable(folder, "/lua", library, size) || readable(folder, "/../lua", library, size) ||
        readable(folder, "/../../lua", library, size) || readable(folder, "/../../../lua", library, size))
        return true;
    return throng_fail(error, "throng's own Lua files are missing: no lua/throng/init.lua in %.300s or above it",
                       folder);
}

void throng_script_library(lua_State *L, const char *name)
{
    char path[600];
    throng_bytes file;
    throng_error error;
    snprintf(path, sizeof path, "%s/throng/%s.lua", throng_script_of(L)->library, name);
    if (!throng_file_read(path, THRONG_FILE_MOST_TEXT, &file, &error))
        luaL_error(L, "%s", error.text);
    /* "[throng]" marks the chunk as the host's: error positions and tracebacks pass over it */
    lua_pushfstring(L, "=[throng] %s.lua", name);
    int status = luaL_loadbufferx(L, (const char *)file.data, file.size, lua_tostring(L, -1), "t");
    free(file.data);
    lua_remove(L, -2);
    if (status != LUA_OK)
        lua_error(L);
    throng_own_push(L);
    if (!lua_setupvalue(L, -2, 1)) /* it names no globals */
        lua_pop(L, 1);
}

void throng_script_note_file(throng_script *script, const char *path)
{
    char **grown = realloc(script->files, ((size_t)script->file_count + 1) * sizeof *grown);
    if (!grown)
        return; /* it is not watched */
    script->files = grown;
    if ((grown[script->file_count] = strdup(path)))
        script->file_count++;
}

int32_t throng_script_files(const throng_script *script, const char *const **files)
{
    *files = (const char *const *)script->files;
    return script->file_count;
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
    bool everything = script->limits.trust || script->limits.testing;
    open_libraries(L, everything);
    lua_getglobal(L, LUA_COLIBNAME);
    lua_getfield(L, -1, "resume");
    lua_setfield(L, LUA_REGISTRYINDEX, THRONG_RESUME);
    throng_bind_math(L);
    if (script->limits.trust)
        throng_random_add(L);
    if (everything) {
        lua_getglobal(L, LUA_OSLIBNAME);
        lua_pushcfunction(L, keep_locale);
        lua_setfield(L, -2, "setlocale");
        luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_PRELOAD_TABLE);
        lua_pushcfunction(L, open_module);
        lua_setfield(L, -2, "throng");
    }
    return 0;
}

throng_script *throng_script_create(const throng_script_def *def, throng_error *error)
{
    throng_script *script = calloc(1, sizeof *script);
    if (!script) {
        throng_fail(error, "out of memory");
        return NULL;
    }
    script->limits = *def;
    script->world = LUA_NOREF;
    script->cache = def->cache ? def->cache : throng_cache_create(THRONG_SCRIPT_CACHE);
    if (!script->cache) {
        throng_fail(error, "out of memory");
        throng_script_destroy(script);
        return NULL;
    }
    script->L = lua_newstate(allocate, script);
    if (!script->L || !find_library(script->library, sizeof script->library, error)) {
        if (!script->L)
            throng_fail(error, "cannot start Lua: out of memory");
        throng_script_destroy(script);
        return NULL;
    }
    *(throng_script **)lua_getextraspace(script->L) = script;
    script->running = script->L;
    look(script->L, LOOK_EVERY);
    lua_pushcfunction(script->L, set_up);
    if (lua_pcall(script->L, 0, 0, 0) != LUA_OK) {
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
    if (script->L)
        lua_close(script->L);
    throng_test_forget(script);
    for (int32_t i = 0; i < script->file_count; i++)
        free(script->files[i]);
    free(script->files);
    throng_script_forget_failures(script);
    if (!script->limits.cache)
        throng_cache_destroy(script->cache);
    free(script->message);
    free(script);
}
