/* Lua's patterns with their steps counted.
 *
 * Lua's own matcher may go on for years inside one call ((".-"):rep(20) on a long text), where no instruction limit
 * sees it. This one takes its steps from the callback's budget. It follows lstrlib.c of Lua 5.4 (R. Ierusalimschy and
 * others, Lua.org, PUC-Rio; MIT licence) in every other respect; tests compare the two. */
#ifndef THRONG_SCRIPT_PATTERNS_H
#define THRONG_SCRIPT_PATTERNS_H

#include <lua.h>
#include <stddef.h>

enum { THRONG_CAPTURES = 32 };

typedef struct throng_matcher {
    lua_State *L;
    const char *text, *text_end, *pattern_end;
    int depth, level;
    struct {
        const char *at;
        ptrdiff_t length;
    } capture[THRONG_CAPTURES];
} throng_matcher;

throng_matcher throng_pattern_begin(lua_State *L, const char *text, size_t size, const char *pattern, size_t length);

/* Where the match ends that begins at `s`, in the text, or NULL: pattern `p` does not match there. */
const char *throng_pattern_match(throng_matcher *m, const char *s, const char *p);

/* Of the last match, from `start` to `end`. Pushes capture i; without captures, the whole match. [-0, +1] */
void throng_capture_push(const throng_matcher *m, int i, const char *start, const char *end);

/* Pushes all captures, or the whole match when there are none and `start` is given; how many. */
int throng_captures_push(const throng_matcher *m, const char *start, const char *end);

#endif
