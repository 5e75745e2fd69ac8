/* The length of lists, in scenarios.
 *
 * Lua may give any border of a list with holes, and which one depends on how the table's hash part has grown: where
 * names or objects come and go beside the numbers, on the process's hash seed and on addresses. No metamethod is asked
 * for tables without one, so the operator is another one in a scenario's text: `#x` is read as `true^x`, which binds as
 * `#` does, on both sides, and comes here by the metatable of booleans. The border given follows from what is in the
 * list alone; without holes it is the only one. */
#include "bind.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"

/* ---- lengths */

static bool has(lua_State *L, int list, lua_Integer at)
{
    bool there = lua_rawgeti(L, list, at) != LUA_TNIL;
    lua_pop(L, 1);
    return there;
}

/* Doubling, then halving: looks at about 2 log2 of it entries. */
static lua_Integer border(lua_State *L, int list)
{
    lua_Integer low = 0, high = 1;
    while (has(L, list, high)) {
        low = high;
        if (high > LUA_MAXINTEGER / 2)
            return high;
        high *= 2;
    }
    while (high - low > 1) {
        lua_Integer middle = low + (high - low) / 2;
        if (has(L, list, middle))
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* What is named behind the only `#` of the user's line, with a bracket before; "": that is not so simple. [-0, +1] */
static const char *operand_push(lua_State *L)
{
    char line[512] = "", path[512];
    int number = throng_script_line(L, path, sizeof path);
    FILE *file = number ? throng_file_open(path, THRONG_FILE_MOST_TEXT, NULL) : NULL;
    for (int i = 0; file && i < number && fgets(line, sizeof line, file); i++)
        ;
    if (file)
        fclose(file);
    const char *mark = strchr(line, '#');
    size_t size = mark ? strspn(mark + 1, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.") : 0;
    if (!size || strchr(mark + 1, '#'))
        return lua_pushliteral(L, "");
    lua_pushlstring(L, mark + 1, size);
    return lua_pushfstring(L, " ('%s')", lua_tostring(L, -1));
}

_Noreturn static void refuse(lua_State *L)
{
    const char *what = throng_describe(L, 1), *operand = operand_push(L);
    throng_raise(L, "attempt to get length of %s%s", what, operand);
}

/* length(list): as `#` gives it */
int throng_length(lua_State *L)
{
    lua_settop(L, 1);
    int type = lua_type(L, 1);
    if (luaL_getmetafield(L, 1, "__len") != LUA_TNIL)
        lua_len(L, 1);
    else if (type == LUA_TTABLE)
        lua_pushinteger(L, border(L, 1));
    else if (type == LUA_TSTRING)
        lua_pushinteger(L, (lua_Integer)lua_rawlen(L, 1));
    else
        refuse(L);
    return 1;
}

/* true ^ x, and what scripts may mean by a power with true or false */
static int power(lua_State *L)
{
    if (!lua_isboolean(L, 1) || !lua_toboolean(L, 1))
        throng_raise(L, "attempt to perform arithmetic on a boolean value");
    lua_remove(L, 1);
    return throng_length(L);
}

/* rawlen(list) */
int throng_raw_length(lua_State *L)
{
    if (lua_istable(L, 1))
        lua_pushinteger(L, border(L, 1));
    else
        lua_pushinteger(L, (lua_Integer)luaL_len(L, 1));
    return 1;
}

void throng_length_add(lua_State *L)
{
    lua_pushboolean(L, true);
    lua_createtable(L, 0, 2);
    lua_pushcfunction(L, power);
    lua_setfield(L, -2, "__pow");
    lua_pushboolean(L, false);
    lua_setfield(L, -2, "__metatable");
    lua_setmetatable(L, -2);
    lua_pop(L, 1);
}

/* ---- the text */

/* Where the long bracket that opens at `at` ends; NULL: none opens there. */
static const char *long_bracket(const char *at, const char *end)
{
    const char *inside = at + 1;
    while (inside < end && *inside == '=')
        inside++;
    if (*at != '[' || inside >= end || *inside != '[')
        return NULL;
    size_t level = (size_t)(inside - at - 1);
    for (const char *close = inside + 1; close < end; close++) {
        size_t marks = 0;
        while (*close == ']' && close + 1 + marks < end && close[1 + marks] == '=')
            marks++;
        if (*close == ']' && marks == level && close + 1 + marks < end && close[1 + marks] == ']')
            return close + level + 2;
    }
    return end;
}

/* Past the escape at `at`: of a line's end, too, and of all white space after \z. */
static const char *escaped(const char *at, const char *end)
{
    const char *next = at + 2 < end ? at + 2 : end;
    while (next < end && at[1] == 'z' && isspace((unsigned char)*next))
        next++;
    return next;
}

static const char *quoted(const char *at, const char *end)
{
    char quote = *at++;
    while (at < end && *at != quote && *at != '\n')
        at = *at == '\\' ? escaped(at, end) : at + 1;
    return at < end ? at + 1 : end;
}

static const char *comment(const char *at, const char *end)
{
    const char *block = at + 2 < end ? long_bracket(at + 2, end) : NULL;
    const char *line = memchr(at, '\n', (size_t)(end - at));
    return block ? block : line ? line : end;
}

/* Past the string or comment at `at`, or one character. */
static const char *past(const char *at, const char *end)
{
    if (*at == '"' || *at == '\'')
        return quoted(at, end);
    if (*at == '-' && at + 1 < end && at[1] == '-')
        return comment(at, end);
    const char *block = *at == '[' ? long_bracket(at, end) : NULL;
    return block ? block : at + 1;
}

const char *throng_length_text_push(lua_State *L, const char *text, size_t size, size_t *length)
{
    luaL_Buffer out;
    const char *end = text + size, *at = text;
    luaL_buffinit(L, &out);
    if (size >= 3 && memcmp(at, "\xEF\xBB\xBF", 3) == 0)
        at += 3;
    if (at < end && *at == '#') /* a first line for the shell */
        at = memchr(at, '\n', (size_t)(end - at)) ? memchr(at, '\n', (size_t)(end - at)) : end;
    while (at < end) {
        const char *next = past(at, end);
        if (*at == '#')
            luaL_addstring(&out, " true^");
        else
            luaL_addlstring(&out, at, (size_t)(next - at));
        at = next;
    }
    luaL_pushresult(&out);
    return lua_tolstring(L, -1, length);
}

/* readable(text): as scenarios' chunks are loaded */
int throng_length_text(lua_State *L)
{
    size_t size, length;
    const char *text = luaL_checklstring(L, 1, &size);
    throng_length_text_push(L, text, size, &length);
    return 1;
}
