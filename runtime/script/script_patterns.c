#include "script_patterns.h"

#include "bind.h"

#include <ctype.h>
#include <string.h>

enum {
    UNFINISHED = -1, /* lengths of captures */
    POSITION = -2,
    DEPTH = 200 /* nested matches: the C stack is finite */
};

static void count_step(const throng_matcher *m) { throng_script_charge(m->L, 1); }

/* ---- captures */

static int captured_at(const throng_matcher *m, int digit)
{
    int i = digit - '1';
    if (i < 0 || i >= m->level || m->capture[i].length == UNFINISHED)
        throng_raise(m->L, "invalid capture index %%%d in a pattern", i + 1);
    return i;
}

static int open_capture(const throng_matcher *m)
{
    for (int level = m->level - 1; level >= 0; level--)
        if (m->capture[level].length == UNFINISHED)
            return level;
    throng_raise(m->L, "invalid pattern capture: a ) without its (");
}

void throng_capture_push(const throng_matcher *m, int i, const char *start, const char *end)
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

int throng_captures_push(const throng_matcher *m, const char *start, const char *end)
{
    int count = m->level == 0 && start ? 1 : m->level;
    luaL_checkstack(m->L, count, "too many captures");
    for (int i = 0; i < count; i++)
        throng_capture_push(m, i, start, end);
    return count;
}

/* ---- one character */

/* Where the single-character class at p ends. */
static const char *class_end(const throng_matcher *m, const char *p)
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

static bool matches_one(const throng_matcher *m, const char *s, const char *p, const char *end)
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

static const char *match(throng_matcher *m, const char *s, const char *p);

/* %bxy at p */
static const char *match_balance(const throng_matcher *m, const char *s, const char *p)
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

static const char *expand_most(throng_matcher *m, const char *s, const char *p, const char *end)
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

static const char *expand_least(throng_matcher *m, const char *s, const char *p, const char *end)
{
    for (;; s++) {
        const char *found = match(m, s, end + 1);
        if (found)
            return found;
        if (!matches_one(m, s, p, end))
            return NULL;
    }
}

static const char *start_capture(throng_matcher *m, const char *s, const char *p, ptrdiff_t what)
{
    if (m->level >= THRONG_CAPTURES)
        throng_raise(m->L, "too many captures in a pattern");
    m->capture[m->level].at = s;
    m->capture[m->level++].length = what;
    const char *found = match(m, s, p);
    if (!found)
        m->level--;
    return found;
}

static const char *end_capture(throng_matcher *m, const char *s, const char *p)
{
    int i = open_capture(m);
    m->capture[i].length = s - m->capture[i].at;
    const char *found = match(m, s, p);
    if (!found)
        m->capture[i].length = UNFINISHED;
    return found;
}

/* %1 .. %9 */
static const char *match_captured(const throng_matcher *m, const char *s, int digit)
{
    int i = captured_at(m, digit);
    size_t length = (size_t)m->capture[i].length; /* of a position: larger than what is left */
    if ((size_t)(m->text_end - s) < length)
        return NULL;
    throng_script_charge(m->L, (int64_t)(length / 16));
    return memcmp(m->capture[i].at, s, length) == 0 ? s + length : NULL;
}

/* %f[set] at p: between a character that is not in the set and one that is */
static bool at_frontier(const throng_matcher *m, const char *s, const char *p, const char *end)
{
    int before = s == m->text ? 0 : (unsigned char)s[-1], after = s < m->text_end ? (unsigned char)*s : 0;
    return !in_set(before, p, end - 1) && in_set(after, p, end - 1);
}

/* The item at p, which is a class with what follows it. NULL in *next when the match has ended as returned. */
static const char *match_class(throng_matcher *m, const char *s, const char *p, const char **next)
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
static const char *match_escape(throng_matcher *m, const char *s, const char *p, const char **next)
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

static const char *match_items(throng_matcher *m, const char *s, const char *p)
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

static const char *match(throng_matcher *m, const char *s, const char *p)
{
    if (m->depth-- == 0)
        throng_raise(m->L, "pattern too complex");
    const char *found = match_items(m, s, p);
    m->depth++;
    return found;
}

const char *throng_pattern_match(throng_matcher *m, const char *s, const char *p)
{
    m->level = 0;
    m->depth = DEPTH;
    return match(m, s, p);
}

throng_matcher throng_pattern_begin(lua_State *L, const char *text, size_t size, const char *pattern, size_t length)
{
    return (throng_matcher){.L = L, .text = text, .text_end = text + size, .pattern_end = pattern + length};
}
