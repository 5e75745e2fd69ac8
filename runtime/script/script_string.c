/* string.find, match, gmatch and gsub of scenarios. */
#include <ctype.h>
#include <string.h>

#include "bind.h"
#include "script_patterns.h"

/* ---- string.find, string.match */

static size_t start_of(lua_Integer init, size_t size)
{
    if (init > 0)
        return (size_t)init - 1;
    if (init == 0 || init < -(lua_Integer)size)
        return 0;
    return size + (size_t)init;
}

static int find_plain(lua_State *L, const char *text, size_t size, size_t from, const char *word, size_t length)
{
    throng_script_charge(L, (int64_t)(size - from) / 16 + 1);
    const char *found = memmem(text + from, size - from, word, length);
    if (!found) {
        lua_pushnil(L);
        return 1;
    }
    lua_pushinteger(L, found - text + 1);
    lua_pushinteger(L, found - text + (lua_Integer)length);
    return 2;
}

static int search(lua_State *L, bool find)
{
    size_t size, length;
    const char *text = luaL_checklstring(L, 1, &size), *pattern = luaL_checklstring(L, 2, &length);
    size_t from = start_of(luaL_optinteger(L, 3, 1), size);
    if (from > size) {
        lua_pushnil(L);
        return 1;
    }
    if (find && (lua_toboolean(L, 4) || !strpbrk(pattern, "^$*+?.([%-")))
        if (lua_toboolean(L, 4) || strlen(pattern) == length)
            return find_plain(L, text, size, from, pattern, length);
    throng_matcher m = throng_pattern_begin(L, text, size, pattern, length);
    bool anchored = *pattern == '^';
    const char *s = text + from;
    do {
        const char *end = throng_pattern_match(&m, s, pattern + anchored);
        if (!end)
            continue;
        if (!find)
            return throng_captures_push(&m, s, end);
        lua_pushinteger(L, s - text + 1);
        lua_pushinteger(L, end - text);
        return throng_captures_push(&m, NULL, NULL) + 2;
    } while (s++ < m.text_end && !anchored);
    lua_pushnil(L);
    return 1;
}

static int find(lua_State *L) { return search(L, true); }

static int match_text(lua_State *L) { return search(L, false); }

/* ---- string.gmatch: upvalues are the text, the pattern, and where it is */

typedef struct walk {
    size_t at, last; /* offsets into the text; of the end of the last match, or none */
} walk;

static int next_match(lua_State *L)
{
    size_t size, length;
    const char *text = lua_tolstring(L, lua_upvalueindex(1), &size);
    const char *pattern = lua_tolstring(L, lua_upvalueindex(2), &length);
    walk *w = lua_touserdata(L, lua_upvalueindex(3));
    throng_matcher m = throng_pattern_begin(L, text, size, pattern, length);
    for (; w->at <= size; w->at++) {
        const char *end = throng_pattern_match(&m, text + w->at, pattern);
        if (!end || (size_t)(end - text) == w->last)
            continue;
        const char *start = text + w->at;
        w->at = w->last = (size_t)(end - text);
        return throng_captures_push(&m, start, end);
    }
    return 0;
}

static int gmatch(lua_State *L)
{
    size_t size;
    luaL_checklstring(L, 1, &size);
    luaL_checkstring(L, 2);
    size_t from = start_of(luaL_optinteger(L, 3, 1), size);
    lua_settop(L, 2);
    walk *w = lua_newuserdatauv(L, sizeof *w, 0);
    *w = (walk){from > size ? size + 1 : from, SIZE_MAX};
    lua_pushcclosure(L, next_match, 3);
    return 1;
}

/* ---- string.gsub */

/* The replacement text with its %0 .. %9. */
static void add_text(throng_matcher *m, luaL_Buffer *out, const char *start, const char *end)
{
    size_t length;
    lua_State *L = m->L;
    const char *text = lua_tolstring(L, 3, &length), *last = text + length;
    for (const char *percent; (percent = memchr(text, '%', (size_t)(last - text))) != NULL; text = percent + 2) {
        luaL_addlstring(out, text, (size_t)(percent - text));
        char what = percent + 1 < last ? percent[1] : 0;
        if (what == '%') {
            luaL_addchar(out, '%');
        } else if (what == '0') {
            luaL_addlstring(out, start, (size_t)(end - start));
        } else if (isdigit((unsigned char)what)) {
            throng_capture_push(m, what - '1', start, end);
            luaL_tolstring(L, -1, NULL);
            lua_remove(L, -2);
            luaL_addvalue(out);
        } else {
            throng_raise(L, "string.gsub: invalid use of '%%' in the replacement");
        }
    }
    luaL_addlstring(out, text, (size_t)(last - text));
}

/* Adds what the match from start to end is replaced by. */
static void add_value(throng_matcher *m, luaL_Buffer *out, const char *start, const char *end)
{
    lua_State *L = m->L;
    int kind = lua_type(L, 3);
    if (kind == LUA_TNUMBER || kind == LUA_TSTRING) {
        add_text(m, out, start, end);
        return;
    }
    if (kind == LUA_TFUNCTION) {
        lua_pushvalue(L, 3);
        lua_call(L, throng_captures_push(m, start, end), 1);
    } else {
        throng_capture_push(m, 0, start, end);
        lua_gettable(L, 3);
    }
    if (!lua_toboolean(L, -1)) {
        lua_pop(L, 1);
        luaL_addlstring(out, start, (size_t)(end - start));
        return;
    }
    if (!lua_isstring(L, -1))
        throng_raise(L, "string.gsub: invalid replacement value (%s)", throng_describe(L, -1));
    luaL_addvalue(out);
}

static int gsub(lua_State *L)
{
    size_t size, length;
    const char *text = luaL_checklstring(L, 1, &size), *pattern = luaL_checklstring(L, 2, &length);
    int kind = lua_type(L, 3);
    if (kind != LUA_TNUMBER && kind != LUA_TSTRING && kind != LUA_TTABLE && kind != LUA_TFUNCTION)
        throng_raise(L, "string.gsub: the replacement must be a string, a table or a function, got %s",
                     throng_describe(L, 3));
    lua_Integer most = luaL_optinteger(L, 4, (lua_Integer)size + 1), count = 0;
    throng_matcher m = throng_pattern_begin(L, text, size, pattern, length);
    bool anchored = *pattern == '^';
    const char *last = NULL;
    luaL_Buffer out;
    luaL_buffinit(L, &out);
    while (count < most) {
        const char *end = throng_pattern_match(&m, text, pattern + anchored);
        if (end && end != last) {
            count++;
            add_value(&m, &out, text, end);
            text = last = end;
        } else if (text < m.text_end) {
            luaL_addchar(&out, *text++);
        } else {
            break;
        }
        if (anchored)
            break;
    }
    luaL_addlstring(&out, text, (size_t)(m.text_end - text));
    luaL_pushresult(&out);
    lua_pushinteger(L, count);
    return 2;
}

void throng_patterns_add(lua_State *L)
{
    static const luaL_Reg functions[] = {
        {"find", find}, {"match", match_text}, {"gmatch", gmatch}, {"gsub", gsub}, {NULL, NULL}};
    luaL_setfuncs(L, functions, 0);
}
