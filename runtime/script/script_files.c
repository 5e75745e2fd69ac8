/* Which files scripts name, and which of those they may see. A load's settings are its context, a table in the registry
 * while the scenario's main chunk runs (and after it, under `throng run`):
 *   path, folder, random, overrides = { seed, backend, simd, threads, params }, declared */
#include "script_files.h"
#include "script_parts.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/suggest.h"

#define CONTEXT "throng.context"

void throng_context_push(lua_State *L) { lua_getfield(L, LUA_REGISTRYINDEX, CONTEXT); }

void throng_context_set(lua_State *L) { lua_setfield(L, LUA_REGISTRYINDEX, CONTEXT); }

void throng_script_folder(const char *path, char *folder, size_t size)
{
    const char *slash = strrchr(path, '/');
    if (slash)
        snprintf(folder, size, "%.*s", (int)(slash - path), path);
    else
        snprintf(folder, size, ".");
}

bool throng_is_file(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && S_ISREG(about.st_mode);
}

/* The folder of the load that is going on. */
static bool loading_folder(lua_State *L, char *folder, size_t size)
{
    int top = lua_gettop(L);
    throng_context_push(L);
    bool known = lua_istable(L, -1) && lua_getfield(L, -1, "folder") == LUA_TSTRING;
    snprintf(folder, size, "%s", known ? lua_tostring(L, -1) : "");
    lua_settop(L, top);
    return known;
}

/* The folder of the calling script; of one that returns the call, whose line is gone then, by what is loaded. */
static bool calling_folder(lua_State *L, char *folder, size_t size)
{
    char caller[512];
    if (!throng_script_caller(L, caller, sizeof caller))
        return loading_folder(L, folder, size);
    throng_script_folder(caller, folder, size);
    return true;
}

static void find(lua_State *L, const char *name, char *found, size_t size)
{
    char folder[512];
    snprintf(found, size, "%s", name);
    if (name[0] == '/' || !calling_folder(L, folder, sizeof folder))
        return;
    snprintf(found, size, "%s/%s", folder, name);
    if (throng_is_file(found) || throng_is_file(name)) {
        if (!throng_is_file(found))
            snprintf(found, size, "%s", name);
        return;
    }
    snprintf(found, size, "%s/../%s", folder, name);
    if (!throng_is_file(found))
        snprintf(found, size, "%s", name);
}

/* ---- what scenarios may see of the file system */

#define CONFINED "throng.confined" /* folders of scenarios, by the paths of their files */

void throng_script_confine(lua_State *L, const char *path, const char *folder)
{
    luaL_getsubtable(L, LUA_REGISTRYINDEX, CONFINED);
    lua_pushstring(L, folder);
    lua_setfield(L, -2, path);
    lua_pop(L, 1);
}

/* The folder of the scenario whose code calls; false: it is no scenario's, or trusted. */
static bool confining_folder(lua_State *L, char *folder, size_t size)
{
    char caller[512];
    const throng_script *script = throng_script_of(L);
    if (script->limits.trust)
        return false;
    if (!throng_script_caller(L, caller, sizeof caller)) { /* in a coroutine's own call, or a line of the REPL's */
        loading_folder(L, folder, size);
        return !script->lines && (!script->limits.commanding || script->depth > 0);
    }
    luaL_getsubtable(L, LUA_REGISTRYINDEX, CONFINED);
    bool confined = lua_getfield(L, -1, caller) == LUA_TSTRING;
    if (confined)
        snprintf(folder, size, "%s", lua_tostring(L, -1));
    lua_pop(L, 2);
    return confined;
}

/* Is the path, whose links were followed, that folder or below it? */
static bool is_below(const char *path, const char *folder)
{
    char real[PATH_MAX];
    if (!realpath(folder, real))
        return false;
    size_t length = strcmp(real, "/") == 0 ? 0 : strlen(real);
    return strncmp(path, real, length) == 0 && (path[length] == '/' || !path[length]);
}

/* Did the user name it, by --set or params? */
static bool is_given(lua_State *L, const char *name)
{
    int top = lua_gettop(L);
    bool given = false;
    throng_context_push(L);
    if (lua_istable(L, -1) && lua_getfield(L, -1, "overrides") == LUA_TTABLE &&
        lua_getfield(L, -1, "params") == LUA_TTABLE)
        for (lua_pushnil(L); !given && lua_next(L, -2); lua_pop(L, 1))
            given = lua_type(L, -1) == LUA_TSTRING && strcmp(lua_tostring(L, -1), name) == 0;
    lua_settop(L, top);
    return given;
}

/* May the calling code know what is there? Of what is not there, its folder tells. */
static bool may_see(lua_State *L, const char *name, const char *found)
{
    char folder[512], above[PATH_MAX], real[PATH_MAX], own[PATH_MAX];
    if (!confining_folder(L, folder, sizeof folder) || is_given(L, name))
        return true;
    if (!realpath(found, real)) {
        throng_script_folder(found, above, sizeof above);
        if (!realpath(*above ? above : "/", real))
            return name[0] != '/' && !strstr(name, "..");
    }
    snprintf(above, sizeof above, "%s/../maps", folder);
    if (is_below(real, folder) || is_below(real, above) || is_below(real, "maps"))
        return true;
    return realpath(folder, own) && !is_below("/", ".") && is_below(own, ".") && is_below(real, ".");
}

void throng_script_find(lua_State *L, const char *owner, const char *name, char *found, size_t size)
{
    find(L, name, found, size);
    if (may_see(L, name, found))
        return;
    if (name[0] != '/' && !strstr(name, "..")) /* and so it is for the script */
        throng_script_raise_missing(L, owner, name);
    throng_raise(L,
                 "%s: '%s' is outside of the folders that this scenario sees: its own, the current one above that, "
                 "and maps beside them; name the file by --set, or allow all with --trust",
                 owner, name);
}

enum { FILES_COMPARED = 256 };

/* Adds the names of the files in a folder that end as `like` does. */
static int list_files(lua_State *L, const char *folder, const char *like, const char **names, int count)
{
    const char *ending = strrchr(like, '.');
    DIR *open = opendir(folder);
    for (struct dirent *file; open && count < FILES_COMPARED && (file = readdir(open));) {
        const char *dot = strrchr(file->d_name, '.');
        if (ending && dot && strcmp(dot, ending) == 0)
            names[count++] = lua_pushstring(L, file->d_name);
        luaL_checkstack(L, 1, NULL);
    }
    if (open)
        closedir(open);
    return count;
}

_Noreturn void throng_script_raise_missing(lua_State *L, const char *owner, const char *name)
{
    const char *names[FILES_COMPARED + 1];
    char base[512] = ".", folder[2048];
    const char *slash = strrchr(name, '/'), *last = slash ? slash + 1 : name;
    int length = (int)(last - name), count = 0;
    if (!calling_folder(L, base, sizeof base))
        snprintf(base, sizeof base, ".");
    const char *const before[] = {"", base, base}, *const between[] = {"", "/", "/../"};
    for (int i = name[0] == '/' ? 0 : 2; i >= 0; i--) {
        snprintf(folder, sizeof folder, "%s%s%.*s%s", before[i], between[i], length, name, i || length ? "" : ".");
        if (may_see(L, folder, folder))
            count = list_files(L, folder, last, names, count);
    }
    names[count] = NULL;
    const char *meant = throng_suggest(last, names);
    const char *where =
        name[0] == '/' ? "" : ", beside the script, in the current folder or in the folder above the script's";
    if (meant)
        throng_raise(L, "%s: there is no file '%s'%s; did you mean '%s%s'?", owner, name, where,
                     lua_pushlstring(L, name, (size_t)length), meant);
    throng_raise(L, "%s: there is no file '%s'%s", owner, name, where);
}
