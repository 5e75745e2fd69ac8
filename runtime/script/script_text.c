/* Values as texts: without addresses, which differ from run to run, and as messages describe them. */
#include "bind.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FAILURE_MOST = 16 << 10 }; /* bytes of a failure that are shown */

const char *throng_text_push(lua_State *L, int index)
{
    int top = lua_gettop(L);
    index = lua_absindex(L, index);
    switch (lua_type(L, index)) {
    case LUA_TNIL:
    case LUA_TBOOLEAN:
    case LUA_TNUMBER:
    case LUA_TSTRING: return luaL_tolstring(L, index, NULL);
    default:
        if (luaL_getmetafield(L, index, "__tostring") != LUA_TNIL)
            luaL_tolstring(L, index, NULL);
        else if (luaL_getmetafield(L, index, "__name") != LUA_TNIL)
            throng_describe(L, index); /* "a map" */
        else
            lua_pushstring(L, luaL_typename(L, index));
    }
    lua_copy(L, -1, top + 1); /* alone */
    lua_settop(L, top + 1);
    return lua_tostring(L, -1);
}

int throng_to_text(lua_State *L)
{
    luaL_checkany(L, 1);
    throng_text_push(L, 1);
    return 1;
}

void throng_text_tame(char *text, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        unsigned char c = (unsigned char)text[i], next = i + 1 < size ? (unsigned char)text[i + 1] : 0;
        if ((c < 0x20 && c != '\n' && c != '\t') || c == 0x7f)
            text[i] = '?';
        else if (c == 0xc2 && next >= 0x80 && next < 0xa0) /* by UTF-8 */
            text[i] = text[i + 1] = '?';
    }
}

char *throng_failure_shown(const char *text)
{
    size_t size = strlen(text), most = size;
    if (size > FAILURE_MOST)
        for (most = FAILURE_MOST; most > 0 && ((unsigned char)text[most] & 0xc0) == 0x80; most--)
            ; /* to the end of a character */
    char *shown = malloc(most + 64);
    if (!shown)
        return NULL;
    memcpy(shown, text, most);
    throng_text_tame(shown, most);
    shown[most] = 0;
    if (most < size)
        snprintf(shown + most, 64, " ... and %zu bytes more", size - most);
    return shown;
}

/* "a group" of throng's own values, else "a table", "a list of 3". */
static const char *describe_value(lua_State *L, int index)
{
    const char *kind = luaL_typename(L, index);
    size_t length = lua_istable(L, index) ? lua_rawlen(L, index) : 0;
    if (luaL_getmetafield(L, index, "__name") == LUA_TSTRING)
        kind = lua_tostring(L, -1) + (strncmp(lua_tostring(L, -1), "throng.", 7) == 0 ? 7 : 0);
    else if (length)
        return lua_pushfstring(L, "a list of %d", (int)length);
    return lua_pushfstring(L, "a %s", kind);
}

const char *throng_describe(lua_State *L, int index)
{
    switch (lua_type(L, index)) {
    case LUA_TNONE: return lua_pushliteral(L, "nothing");
    case LUA_TNIL: return lua_pushliteral(L, "nil");
    case LUA_TBOOLEAN: return lua_pushstring(L, lua_toboolean(L, index) ? "true" : "false");
    case LUA_TSTRING:
        if (lua_rawlen(L, index) > 60)
            return lua_pushliteral(L, "a long string");
        return lua_pushfstring(L, "\"%s\"", lua_tostring(L, index));
    case LUA_TNUMBER:
        if (isnan(lua_tonumber(L, index)))
            return lua_pushliteral(L, "not a number (NaN)");
        if (isinf(lua_tonumber(L, index)))
            return lua_pushstring(L, lua_tonumber(L, index) < 0 ? "-infinity" : "infinity");
        lua_pushvalue(L, index);
        return lua_tostring(L, -1);
    default: return describe_value(L, index);
    }
}
