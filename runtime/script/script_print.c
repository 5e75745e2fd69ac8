/* What scripts say: to stderr, for stdout belongs to results; without what steers a terminal; and not without end, for
 * a script that prints in a loop would bury its errors and fill a disk. */
#include "script_parts.h"

#include <stdio.h>
#include <string.h>

enum {
    CALL_MOST = 256 << 10,  /* bytes that one callback may print */
    SCRIPT_MOST = 64 << 20, /* and all callbacks of a script */
};

/* Bytes that may still be printed; without end outside of callbacks, as in specs' own files. */
static int64_t left(const throng_script *script)
{
    if (script->depth == 0)
        return INT64_MAX;
    int64_t call = CALL_MOST - script->printed, all = SCRIPT_MOST - script->printed_in_all;
    return call < all ? call : all;
}

static void say(const throng_script *script, const char *text, size_t size)
{
    const throng_lines *print = script->limits.print;
    if (print)
        print->write(print->context, text, size);
    else
        fwrite(text, 1, size, stderr);
}

/* As much of it as may still be printed. */
static void print_text(throng_script *script, const char *text, size_t size)
{
    char part[4096];
    int64_t most = left(script);
    size = most < (int64_t)size ? (size_t)(most > 0 ? most : 0) : size;
    for (size_t at = 0, length; at < size; at += length) {
        length = size - at < sizeof part ? size - at : sizeof part;
        if (length > 1 && (unsigned char)text[at + length - 1] == 0xc2) /* with what follows it */
            length--;
        memcpy(part, text + at, length);
        throng_text_tame(part, length);
        say(script, part, length);
    }
    script->printed += (int64_t)size;
    script->printed_in_all += script->depth > 0 ? (int64_t)size : 0;
}

/* Ends a line, and says so where it is the last. */
static void end_line(throng_script *script)
{
    say(script, "\n", 1);
    script->printed++;
    script->printed_in_all += script->depth > 0;
    if (left(script) > 0)
        return;
    char text[96];
    bool all = script->printed_in_all >= SCRIPT_MOST;
    int size = snprintf(text, sizeof text, "print: more than %d %s; the rest of it is left out\n",
                        all ? SCRIPT_MOST >> 20 : CALL_MOST >> 10, all ? "MiB in one run" : "KiB in one callback");
    say(script, text, (size_t)size);
}

int throng_print(lua_State *L)
{
    int count = lua_gettop(L);
    throng_script *script = throng_script_of(L);
    if (left(script) <= 0)
        return 0;
    for (int i = 1; i <= count; i++) {
        size_t size;
        throng_text_push(L, i);
        const char *text = lua_tolstring(L, -1, &size);
        if (i > 1)
            print_text(script, "\t", 1);
        print_text(script, text, size);
        lua_pop(L, 1);
    }
    end_line(script);
    return 0;
}

void throng_warn(lua_State *L, const char *format, ...)
{
    throng_script *script = throng_script_of(L);
    if (left(script) <= 0)
        return;
    throng_position_push(L);
    lua_pushfstring(L, "warning: %s%s", lua_tostring(L, -1), lua_rawlen(L, -1) ? ": " : "");
    va_list args;
    va_start(args, format);
    lua_pushvfstring(L, format, args);
    va_end(args);
    lua_concat(L, 2);
    print_text(script, lua_tostring(L, -1), lua_rawlen(L, -1));
    end_line(script);
    lua_pop(L, 2);
}
