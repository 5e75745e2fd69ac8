/* Globals that nobody declared: mostly names that were mistyped, so they are warned of, once a place. */
#include "script_parts.h"

#include <stdio.h>
#include <string.h>

#include "base/suggest.h"

#define WARNED "throng.warned"

enum { NAMES_COMPARED = 255 };

/* Parts of Lua that scenarios lack. */
static const char *const LACKING[] = {"io", "os", "debug", "package", "dofile", "loadfile", "collectgarbage", NULL};

static bool is_lacking(const char *name)
{
    for (int i = 0; LACKING[i]; i++)
        if (strcmp(LACKING[i], name) == 0)
            return true;
    return false;
}

/* True the first time for the place and name at the top. [-1, +0] */
static bool is_new(lua_State *L)
{
    luaL_getsubtable(L, LUA_REGISTRYINDEX, WARNED);
    lua_pushvalue(L, -2);
    bool known = lua_rawget(L, -2) != LUA_TNIL;
    lua_pop(L, 1);
    lua_pushvalue(L, -2);
    lua_pushboolean(L, true);
    lua_rawset(L, -3);
    lua_pop(L, 2);
    return !known;
}

/* The nearest of the names in the list at `index`, NULL: none is near. */
static const char *nearest(lua_State *L, int index, const char *name)
{
    const char *names[NAMES_COMPARED + 1];
    int count = 0;
    for (; count < NAMES_COMPARED && lua_rawgeti(L, index, count + 1) == LUA_TSTRING; count++) {
        names[count] = lua_tostring(L, -1); /* the list keeps it alive */
        lua_pop(L, 1);
    }
    names[count] = NULL;
    return throng_suggest(name, names);
}

/* Are the user's innermost lines outside of functions? */
static bool in_main_chunk(lua_State *L)
{
    lua_Debug frame;
    for (int level = 0; lua_getstack(L, level, &frame); level++) {
        lua_getinfo(L, "S", &frame);
        if (*frame.what != 'C' && strncmp(frame.source, "=[throng]", 9) != 0)
            return *frame.what == 'm';
    }
    return true;
}

int throng_undeclared(lua_State *L)
{
    const char *name = luaL_checkstring(L, 1);
    luaL_checktype(L, 2, LUA_TTABLE);
    bool written = lua_toboolean(L, 3);
    lua_settop(L, 2);
    if (written && in_main_chunk(L))
        return 0;
    throng_position_push(L);
    lua_pushfstring(L, "%s %s", lua_tostring(L, 3), name);
    if (!is_new(L))
        return 0;
    if (is_lacking(name)) {
        throng_warn(L, "'%s' is not there for scenarios: they have no files, processes or clock%s", name,
                    throng_script_of(L)->limits.commanding ? "" : " (--trust gives all)");
        return 0;
    }
    if (strcmp(name, "throng") == 0) {
        throng_warn(L, "nothing is called 'throng' yet: begin the file with `local throng = require \"throng\"`");
        return 0;
    }
    if (written) {
        throng_warn(L,
                    "'%s' becomes a global of the whole scenario in a function; write `local %s`, or set it once "
                    "outside of functions",
                    name, name);
        return 0;
    }
    const char *meant = nearest(L, 2, name);
    throng_warn(L, "nothing is called '%s'%s%s%s", name, meant ? ", did you mean '" : "", meant ? meant : "",
                meant ? "'?" : "");
    return 0;
}
