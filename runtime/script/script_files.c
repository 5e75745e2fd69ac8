/* Which files scripts name, and which of those they may see. A load's settings are its context, a table in the registry
 * while the scenario's main chunk runs (and after it, under `throng run`):
 *   path, folder, random, overrides = { seed, backend, simd, threads, params }, declared */
#include "fields.h"
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

const char *throng_script_folder_push(lua_State *L, const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? lua_pushlstring(L, path, (size_t)(slash - path)) : lua_pushliteral(L, ".");
}

bool throng_is_file(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && S_ISREG(about.st_mode);
}

/* The folder of the load that is going on, NULL: there is none. [-0, +1] */
static const char *loading_folder_push(lua_State *L)
{
    throng_context_push(L);
    if (lua_istable(L, -1)) {
        lua_getfield(L, -1, "folder");
        lua_remove(L, -2);
    }
    return lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : NULL;
}

/* The folder of the calling script; of one that returns the call, whose line is gone then, by what is loaded. [-0, +1]
 */
static const char *calling_folder_push(lua_State *L)
{
    const char *caller = throng_script_caller(L);
    return caller ? throng_script_folder_push(L, caller) : loading_folder_push(L);
}

/* Is there such a file? */
static bool is_file_in(const char *folder, const char *between, const char *name, char found[PATH_MAX])
{
    int length = snprintf(found, PATH_MAX, "%s%s%s", folder, between, name);
    return length < PATH_MAX && throng_is_file(found);
}

static void find(lua_State *L, const char *name, char found[PATH_MAX])
{
    const char *folder = calling_folder_push(L);
    if (name[0] == '/' || !folder ||
        !(is_file_in(folder, "/", name, found) || is_file_in("", "", name, found) ||
          is_file_in(folder, "/../", name, found)))
        snprintf(found, PATH_MAX, "%s", name);
    lua_pop(L, 1);
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

/* The folder of the scenario whose code calls; NULL: it is no scenario's, or trusted. [-0, +1] */
static const char *confining_folder_push(lua_State *L)
{
    const throng_script *script = throng_script_of(L);
    const char *caller = throng_script_caller(L);
    bool confines = !script->lines && (!script->limits.commanding || script->depth > 0);
    if (script->limits.trust || (!caller && !confines)) {
        lua_pushnil(L);
        return NULL;
    }
    if (!caller) { /* in a coroutine's own call, or a line of the REPL's */
        const char *folder = loading_folder_push(L);
        return folder ? folder : "";
    }
    luaL_getsubtable(L, LUA_REGISTRYINDEX, CONFINED);
    lua_getfield(L, -1, caller);
    lua_remove(L, -2);
    return lua_tostring(L, -1);
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

/* May a scenario in the folder know what is there? Of what is not there, its folder tells. */
static bool is_seen_from(const char *folder, const char *name, const char *found)
{
    char above[PATH_MAX], real[PATH_MAX], own[PATH_MAX];
    if (!realpath(found, real)) {
        const char *slash = strrchr(found, '/');
        snprintf(above, sizeof above, "%.*s", slash ? (int)(slash - found) : 1, slash ? found : ".");
        if (!realpath(*above ? above : "/", real))
            return name[0] != '/' && !strstr(name, "..");
    }
    snprintf(above, sizeof above, "%s/../maps", folder);
    if (is_below(real, folder) || is_below(real, above) || is_below(real, "maps"))
        return true;
    return realpath(folder, own) && !is_below("/", ".") && is_below(own, ".") && is_below(real, ".");
}

static bool may_see(lua_State *L, const char *name, const char *found)
{
    const char *folder = confining_folder_push(L);
    bool sees = !folder || is_given(L, name) || is_seen_from(folder, name, found);
    lua_pop(L, 1);
    return sees;
}

void throng_script_find(lua_State *L, const char *owner, const char *name, char found[PATH_MAX])
{
    if (strlen(name) >= PATH_MAX)
        throng_raise(L, "%s: the file's name is longer than %d bytes", owner, PATH_MAX - 1);
    find(L, name, found);
    if (may_see(L, name, found))
        return;
    if (name[0] != '/' && !strstr(name, "..")) /* and so it is for the script */
        throng_script_raise_missing(L, owner, name);
    throng_raise(L,
                 "%s: '%s' is outside of the folders that this scenario sees: its own, the current one above that, "
                 "and maps beside them; %s",
                 owner, name,
                 throng_script_of(L)->limits.commanding ? "run from a folder above both"
                                                        : "name the file by --set, or allow all with --trust");
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

void throng_script_find_file(lua_State *L, const char *owner, int index, char found[PATH_MAX])
{
    const char *name = throng_check_text(L, index, lua_pushfstring(L, "%s: the file's name", owner));
    lua_pop(L, 1);
    throng_script_find(L, owner, name, found);
    if (!throng_is_file(found))
        throng_script_raise_missing(L, owner, name);
}

_Noreturn void throng_script_raise_missing(lua_State *L, const char *owner, const char *name)
{
    const char *names[FILES_COMPARED + 1];
    char folder[PATH_MAX];
    const char *slash = strrchr(name, '/'), *last = slash ? slash + 1 : name;
    int length = (int)(last - name), count = 0;
    const char *base = calling_folder_push(L);
    base = base ? base : ".";
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
