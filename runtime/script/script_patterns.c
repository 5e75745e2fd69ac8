/* string.find, match, gmatch and gsub of scenarios: Lua's patterns with their steps counted.
 *
 * Lua's own matcher may go on for years inside one call ((".-"):rep(20) on a long text), where no instruction limit
 * sees it. This one takes its steps from the callback's budget. It follows lstrlib.c of Lua 5.4 (R. Ierusalimschy and
 * others, Lua.org, PUC-Rio; MIT licence) in every other respect; tests compare the two. */
#include "bind.h"

#include <ctype.h>
#include <string.h>

enum {
    UNFINISHED = -1, /* lengths of captures */
    POSITION = -2,
    CAPTURES = 32,
    DEPTH = 200 /* nested matches: the C stack is finite */
};

typedef struct matcher {
    lua_State *L;
    const char *text, *text_end, *pattern_end;
    int depth, level;
    struct {
        const char *at;
        ptrdiff_t length;
    } capture[CAPTURES];
} matcher;

static void count_step(const matcher *m) { throng_script_charge(m->L, 1); }

/* ---- captures */

static int captured_at(const matcher *m, int digit)
{
    int i = digit - '1';
    if (i < 0 || i >= m->level || m->capture[i].length == UNFINISHED)
        throng_raise(m->L, "invalid capture index %%%d in a pattern", i + 1);
    return i;
}

static int open_capture(const matcher *m)
{
    for (int level = m->level - 1; level >= 0; level--)
        if (m->capture[level].length == UNFINISHED)
            return level;
    throng_raise(m->L, "invalid pattern capture: a ) without its (");
}

/* Pushes capture i; without captures, the whole match. [-0, +1] */
static void push_capture(const matcher *m, int i, const char *start, const char *end)
{
    if (i >= m->level) {
        if (i != 0)
            throng_raise(m->L, "invalid capture index %%%d", i + 1);
        lua_pushlstring(m->L, start, (size_t)(end - start));
    } else if (m->capture[i].length == POSITION) {
        lua_pushinteger(m->L, m->capture[i].at - m->text + 1);
    } else if (m->capture[i].length == UNFINISHED) {
        throng_raise(m->L, "unfinished capture: a ( without its )");
    } else {
        lua_pushlstring(m->L, m->capture[i].at, (size_t)m->capture[i].length);
    }
}

/* Pushes all captures, or the whole match when there are none and `start` is given. */
static int push_captures(const matcher *m, const char *start, const char *end)
{
    int count = m->level == 0 && start ? 1 : m->level;
    luaL_checkstack(m->L, count, "too many captures");
    for (int i = 0; i < count; i++)
        push_capture(m, i, start, end);
    return count;
}

/* ---- one character */

/* Where the single-character class at p ends. */
static const char *class_end(const matcher *m, const char *p)
{
    if (*p++ == '%') {
        if (p == m->pattern_end)
            throng_raise(m->L, "malformed pattern: it ends with %%");
        return p + 1;
    }
    if (p[-1] != '[')
        return p;
    p += *p == '^';
    do {
        if (p == m->pattern_end)
            throng_raise(m->L, "malformed pattern: a [ without its ]");
        p += *p == '%' ? 2 : 1;
        if (p > m->pattern_end)
            throng_raise(m->L, "malformed pattern: a [ without its ]");
    } while (p == m->pattern_end || *p != ']');
    return p + 1;
}

static bool in_class(int c, int letter)
{
    bool found;
    switch (tolower(letter)) {
    case 'a': found = isalpha(c); break;
    case 'c': found = iscntrl(c); break;
    case 'd': found = isdigit(c); break;
    case 'g': found = isgraph(c); break;
    case 'l': found = islower(c); break;
    case 'p': found = ispunct(c); break;
    case 's': found = isspace(c); break;
    case 'u': found = isupper(c); break;
    case 'w': found = isalnum(c); break;
    case 'x': found = isxdigit(c); break;
    default: return letter == c;
    }
    return isupper(letter) ? !found : found;
}

/* Is c in the set from p (its '[') to last (its ']')? */
static bool in_set(int c, const char *p, const char *last)
{
    bool meant = true;
    if (p[1] == '^') {
        meant = false;
        p++;
    }
    while (++p < last) {
        if (*p == '%') {
            if (in_class(c, (unsigned char)*++p))
                return meant;
        } else if (p[1] == '-' && p + 2 < last) {
            p += 2;
            if ((unsigned char)p[-2] <= c && c <= (unsigned char)*p)
                return meant;
        } else if ((unsigned char)*p == c) {
            return meant;
        }
    }
    return !meant;
}

static bool matches_one(const matcher *m, const char *s, const char *p, const char *end)
{
    count_step(m);
    if (s >= m->text_end)
        return false;
    int c = (unsigned char)*s;
    switch (*p) {
    case '.': return true;
    case '%': return in_class(c, (unsigned char)p[1]);
    case '[': return in_set(c, p, end - 1);
    default: return (unsigned char)*p == c;
    }
}

/* ---- patterns: each gives where the match ends, or NULL */

static const char *match(matcher *m, const char *s, const char *p);

/* %bxy at p */
static const char *match_balance(const matcher *m, const char *s, const char *p)
{
    if (p + 1 >= m->pattern_end)
        throng_raise(m->L, "malformed pattern: %%b needs two characters");
    if (s >= m->text_end || *s != *p)
        return NULL;
    int open = 1;
    while (++s < m->text_end) {
        count_step(m);
        if (*s == p[1]) {
            if (--open == 0)
                return s + 1;
        } else if (*s == *p) {
            open++;
        }
    }
    return NULL;
}

static const char *expand_most(matcher *m, const char *s, const char *p, const char *end)
{
    ptrdiff_t i = 0;
    while (matches_one(m, s + i, p, end))
        i++;
    for (; i >= 0; i--) {
        const char *found = match(m, s + i, end + 1);
        if (found)
            return found;
    }
    return NULL;
}

static const char *expand_least(matcher *m, const char *s, const char *p, const char *end)
{
    for (;; s++) {
        const char *found = match(m, s, end + 1);
        if (found)
            return found;
        if (!matches_one(m, s, p, end))
            return NULL;
    }
}

static const char *start_capture(matcher *m, const char *s, const char *p, ptrdiff_t what)
{
    if (m->level >= CAPTURES)
        throng_raise(m->L, "too many captures in a pattern");
    m->capture[m->level].at = s;
    m->capture[m->level++].length = what;
    const char *found = match(m, s, p);
    if (!found)
        m->level--;
    return found;
}

static const char *end_capture(matcher *m, const char *s, const char *p)
{
    int i = open_capture(m);
    m->capture[i].length = s - m->capture[i].at;
    const char *found = match(m, s, p);
    if (!found)
        m->capture[i].length = UNFINISHED;
    return found;
}

/* %1 .. %9 */
static const char *match_captured(const matcher *m, const char *s, int digit)
{
    int i = captured_at(m, digit);
    size_t length = (size_t)m->capture[i].length; /* of a position: larger than what is left */
    if ((size_t)(m->text_end - s) < length)
        return NULL;
    throng_script_charge(m->L, (int64_t)(length / 16));
    return memcmp(m->capture[i].at, s, length) == 0 ? s + length : NULL;
}

/* %f[set] at p: between a character that is not in the set and one that is */
static bool at_frontier(const matcher *m, const char *s, const char *p, const char *end)
{
    int before = s == m->text ? 0 : (unsigned char)s[-1], after = s < m->text_end ? (unsigned char)*s : 0;
    return !in_set(before, p, end - 1) && in_set(after, p, end - 1);
}

/* The item at p, which is a class with what follows it. NULL in *next when the match has ended as returned. */
static const char *match_class(matcher *m, const char *s, const char *p, const char **next)
{
    const char *end = class_end(m, p);
    *next = NULL;
    char suffix = end < m->pattern_end ? *end : 0;
    if (suffix == '*')
        return expand_most(m, s, p, end);
    if (suffix == '-')
        return expand_least(m, s, p, end);
    if (!matches_one(m, s, p, end)) {
        *next = suffix == '?' ? end + 1 : NULL;
        return suffix == '?' ? s : NULL;
    }
    if (suffix == '+')
        return expand_most(m, s + 1, p, end);
    if (suffix == '?') {
        const char *found = match(m, s + 1, end + 1);
        *next = found ? NULL : end + 1;
        return found ? found : s;
    }
    *next = end;
    return s + 1;
}

/* The same for items that begin with %. */
static const char *match_escape(matcher *m, const char *s, const char *p, const char **next)
{
    char kind = p + 1 < m->pattern_end ? p[1] : 0;
    if (kind == 'b') {
        *next = p + 4;
        return match_balance(m, s, p + 2);
    }
    if (kind == 'f') {
        if (p + 2 >= m->pattern_end || p[2] != '[')
            throng_raise(m->L, "malformed pattern: %%f needs a set in [ ]");
        *next = class_end(m, p + 2);
        return at_frontier(m, s, p + 2, *next) ? s : NULL;
    }
    if (isdigit((unsigned char)kind)) {
        *next = p + 2;
        return match_captured(m, s, (unsigned char)kind);
    }
    return match_class(m, s, p, next);
}

static const char *match_items(matcher *m, const char *s, const char *p)
{
    while (s && p && p != m->pattern_end) {
        count_step(m);
        if (*p == '(') {
            bool position = p + 1 < m->pattern_end && p[1] == ')';
            return start_capture(m, s, p + (position ? 2 : 1), position ? POSITION : UNFINISHED);
        }
        if (*p == ')')
            return end_capture(m, s, p + 1);
        if (*p == '$' && p + 1 == m->pattern_end)
            return s == m->text_end ? s : NULL;
        const char *next;
        s = *p == '%' ? match_escape(m, s, p, &next) : match_class(m, s, p, &next);
        p = next;
    }
    return s;
}

static const char *match(matcher *m, const char *s, const char *p)
{
    if (m->depth-- == 0)
        throng_raise(m->L, "pattern too complex");
    const char *found = match_items(m, s, p);
    m->depth++;
    return found;
}

static const char *match_at(matcher *m, const char *s, const char *p)
{
    m->level = 0;
    m->depth = DEPTH;
    return match(m, s, p);
}

static matcher prepare(lua_State *L, const char *text, size_t size, const char *pattern, size_t length)
{
    return (matcher){.L = L, .text = text, .text_end = text + size, .pattern_end = pattern + length};
}

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
    matcher m = prepare(L, text, size, pattern, length);
    bool anchored = *pattern == '^';
    const char *s = text + from;
    do {
        const char *end = match_at(&m, s, pattern + anchored);
        if (!end)
            continue;
        if (!find)
            return push_captures(&m, s, end);
        lua_pushinteger(L, s - text + 1);
        lua_pushinteger(L, end - text);
        return push_captures(&m, NULL, NULL) + 2;
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
    matcher m = prepare(L, text, size, pattern, length);
    for (; w->at <= size; w->at++) {
        const char *end = match_at(&m, text + w->at, pattern);
        if (!end || (size_t)(end - text) == w->last)
            continue;
        const char *start = text + w->at;
        w->at = w->last = (size_t)(end - text);
        return push_captures(&m, start, end);
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
static void add_text(matcher *m, luaL_Buffer *out, const char *start, const char *end)
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
            push_capture(m, what - '1', start, end);
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
static void add_value(matcher *m, luaL_Buffer *out, const char *start, const char *end)
{
    lua_State *L = m->L;
    int kind = lua_type(L, 3);
    if (kind == LUA_TNUMBER || kind == LUA_TSTRING) {
        add_text(m, out, start, end);
        return;
    }
    if (kind == LUA_TFUNCTION) {
        lua_pushvalue(L, 3);
        lua_call(L, push_captures(m, start, end), 1);
    } else {
        push_capture(m, 0, start, end);
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
    matcher m = prepare(L, text, size, pattern, length);
    bool anchored = *pattern == '^';
    const char *last = NULL;
    luaL_Buffer out;
    luaL_buffinit(L, &out);
    while (count < most) {
        const char *end = match_at(&m, text, pattern + anchored);
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
