/* throng's own Lua files, what they get of the host, and the files that were read. */
#include "script_files.h"
#include "script_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/cache.h"
#include "base/file.h"
#include "base/library.h"
#include "base/output.h"

static bool readable(const char *folder, const char *below, char *library, size_t size)
{
    char probe[640];
    snprintf(probe, sizeof probe, "%s%s/throng/init.lua", folder, below);
    if (access(probe, R_OK) != 0)
        return false;
    snprintf(library, size, "%.480s%s", folder, below);
    return true;
}

/* The lua/ folder lies beside the executable (a release), above it (the build tree), or in share/ (make install); of
 * the Lua module, which is in lib/lua/5.4, in share/ (make install) or beside other modules' (a rock). */
bool throng_script_find_library(char *library, size_t size, throng_error *error)
{
    static const char *const below[] = {"/lua",
                                        "/../lua",
                                        "/../../lua",
                                        "/../../../lua",
                                        "/../share/throng/lua",
                                        "/../../../share/throng/lua",
                                        "/../../../share/lua/5.4/throng/lua"};
    char folder[480];
    if (!throng_library_folder(folder, sizeof folder))
        return throng_fail(error, "cannot tell where throng is installed");
    for (size_t i = 0; i < sizeof below / sizeof *below; i++)
        if (readable(folder, below[i], library, size))
            return true;
    return throng_fail(error,
                       "throng's own Lua files are missing: no lua/throng/init.lua in %.300s, above it, or in "
                       "../share/throng",
                       folder);
}

/* ---- loading them */

#define OWN "throng.own"

/* The environment of these files: the globals, with a tostring that shows no addresses. [-0, +1] */
static void own_push(lua_State *L)
{
    if (lua_getfield(L, LUA_REGISTRYINDEX, OWN) != LUA_TNIL)
        return;
    lua_pop(L, 1);
    lua_createtable(L, 0, 2);
    lua_pushcfunction(L, throng_to_text);
    lua_setfield(L, -2, "tostring");
    lua_createtable(L, 0, 2);
    lua_pushglobaltable(L);
    lua_pushvalue(L, -1);
    lua_setfield(L, -3, "__index");
    lua_setfield(L, -2, "__newindex");
    lua_setmetatable(L, -2);
    lua_pushvalue(L, -1);
    lua_setfield(L, LUA_REGISTRYINDEX, OWN);
}

/* The file's chunk, by reading it. [-0, +1] */
static void parse(lua_State *L, const char *name, const char *chunk)
{
    char path[600];
    throng_bytes file;
    throng_error error;
    snprintf(path, sizeof path, "%s/throng/%s.lua", throng_script_of(L)->library, name);
    if (!throng_file_read(path, THRONG_FILE_MOST_TEXT, &file, &error))
        luaL_error(L, "%s", error.text);
    int status = luaL_loadbufferx(L, (const char *)file.data, file.size, chunk, "t");
    free(file.data);
    if (status != LUA_OK)
        lua_error(L);
}

/* What other states of the same cache take: parsing takes 11 ms for all that a study needs, this 0.7 ms. */
typedef struct compiled {
    int32_t size, room;
    char *bytes;
} compiled;

static void destroy_compiled(void *value)
{
    compiled *c = value;
    free(c->bytes);
    free(c);
}

/* lua_Writer */
static int write_compiled(lua_State *L, const void *bytes, size_t size, void *to)
{
    (void)L;
    compiled *c = to;
    if (!throng_array_reserve((void **)&c->bytes, &c->room, c->size + (int64_t)size, 1))
        return 1;
    memcpy(c->bytes + c->size, bytes, size);
    c->size += (int32_t)size;
    return 0;
}

/* Keeps the chunk at the top; without memory it does not. [-0, +0] */
static void keep_compiled(lua_State *L, throng_cache *cache, const throng_key *key)
{
    compiled *c = calloc(1, sizeof *c);
    if (!c)
        return;
    if (lua_dump(L, write_compiled, c, false) == 0 &&
        throng_cache_put(cache, key, c, (size_t)c->size, destroy_compiled))
        throng_cache_release(cache, c);
    else
        destroy_compiled(c);
}

/* The file's chunk, by way of a cache that scripts share. [-0, +1] */
static void load_shared(lua_State *L, throng_cache *cache, const char *name, const char *chunk)
{
    throng_key key = throng_key_of(THRONG_CACHE_LIBRARY);
    throng_key_add(&key, name, strlen(name));
    compiled *c = throng_cache_take(cache, &key);
    int status = c ? luaL_loadbufferx(L, c->bytes, (size_t)c->size, chunk, "b") : LUA_OK;
    throng_cache_release(cache, c);
    if (!c) {
        parse(L, name, chunk);
        keep_compiled(L, cache, &key);
    }
    throng_key_fini(&key);
    if (status != LUA_OK)
        lua_error(L);
}

void throng_script_library(lua_State *L, const char *name)
{
    throng_cache *shared = throng_script_of(L)->limits.cache;
    /* "[throng]" marks the chunk as the host's: error positions and tracebacks pass over it */
    const char *chunk = lua_pushfstring(L, "=[throng] %s.lua", name);
    if (shared)
        load_shared(L, shared, name, chunk);
    else
        parse(L, name, chunk);
    lua_remove(L, -2);
    own_push(L);
    if (!lua_setupvalue(L, -2, 1)) /* it names no globals */
        lua_pop(L, 1);
}

/* ---- what they get */

void throng_host_push(lua_State *L) { lua_getfield(L, LUA_REGISTRYINDEX, THRONG_HOST); }

int throng_host_call(lua_State *L, const char *name)
{
    throng_host_push(L);
    lua_getfield(L, -1, name);
    lua_remove(L, -2);
    lua_insert(L, 1);
    lua_call(L, lua_gettop(L) - 1, 1);
    return 1;
}

#define MODULE "throng.module"

void throng_module_push(lua_State *L)
{
    if (lua_getfield(L, LUA_REGISTRYINDEX, MODULE) != LUA_TNIL)
        return;
    lua_pop(L, 1);
    throng_script_library(L, "init");
    throng_host_push(L);
    lua_call(L, 1, 1);
    lua_pushvalue(L, -1);
    lua_setfield(L, LUA_REGISTRYINDEX, MODULE);
}

/* ---- files that were read */

void throng_script_note_file(throng_script *script, const char *path)
{
    throng_output_spare(path);
    for (int32_t i = 0; i < script->file_count; i++)
        if (strcmp(script->files[i], path) == 0)
            return;
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
