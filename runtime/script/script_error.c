/* Errors of scripts: the user's line, tracebacks without the host's frames. */
#include "script_parts.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { FRAMES_SHOWN = 12, FRAMES_SEARCHED = 1024 };

void throng_raise(lua_State *L, const char *format, ...)
{
    if (throng_given_up())
        throng_script_check(L); /* what was given up in its middle failed by that, whatever it says */
    throng_position_push(L);
    lua_pushstring(L, lua_rawlen(L, -1) ? ": " : "");
    va_list args;
    va_start(args, format);
    lua_pushvfstring(L, format, args);
    va_end(args);
    luaL_gsub(L, lua_tostring(L, -1), "\n", "\\n"); /* of a name in it: behind its first line is the stack */
    lua_remove(L, -2);
    lua_concat(L, 3);
    lua_error(L);
    abort(); /* lua_error does not return */
}

void throng_raise_error(lua_State *L, const throng_error *error) { throng_raise(L, "%s", error->text); }

static void add_frame(lua_State *L, luaL_Buffer *text, lua_Debug *frame)
{
    lua_getinfo(L, "n", frame);
    lua_pushfstring(L, "\n  %s:%d: ", frame->short_src, frame->currentline);
    luaL_addvalue(text);
    if (*frame->namewhat)
        lua_pushfstring(L, "in %s '%s'", frame->namewhat, frame->name);
    else if (*frame->what == 'm')
        lua_pushliteral(L, "in the main chunk");
    else
        lua_pushfstring(L, "in the function of line %d", frame->linedefined);
    luaL_addvalue(text);
}

/* Calls that are going on. Each look walks there. */
static int levels(lua_State *L)
{
    lua_Debug frame;
    int low = 0, high = 1;
    while (lua_getstack(L, high, &frame)) {
        low = high;
        high *= 2;
    }
    while (low < high) {
        int middle = (low + high) / 2;
        if (lua_getstack(L, middle, &frame))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Calls inside of the outermost `outside`, as far as they are searched: when the stack overflowed there are 200,000. */
static int levels_inside(lua_State *L, int outside)
{
    lua_Debug frame;
    return lua_getstack(L, outside + FRAMES_SEARCHED, &frame) ? FRAMES_SEARCHED : levels(L) - outside;
}

/* The message without the line of our part of the sandbox, whose functions stand for Lua's own. */
static const char *without_sandbox(const char *message)
{
    static const char sandbox[] = "[throng] sandbox.lua:";
    const char *line = message + sizeof sandbox - 1;
    if (strncmp(message, sandbox, sizeof sandbox - 1) != 0)
        return message;
    line += strspn(line, "0123456789");
    return strncmp(line, ": ", 2) == 0 ? line + 2 : message;
}

/* Does the first line of the message name a line, "file.lua:3: "? */
static bool names_line(const char *message)
{
    size_t length = strcspn(message, "\n");
    for (const char *at = message; (at = memchr(at, ':', length - (size_t)(at - message))) != NULL; at++) {
        size_t digits = strspn(at + 1, "0123456789");
        if (digits > 0 && strncmp(at + 1 + digits, ": ", 2) == 0)
            return true;
    }
    return false;
}

/* Was it raised by the script's error, which may have been told to name no line? */
static bool is_scripts_own(lua_State *L)
{
    lua_Debug raiser;
    if (!lua_getstack(L, 1, &raiser) || !lua_getinfo(L, "f", &raiser))
        return true;
    lua_getglobal(L, "error");
    bool same = lua_rawequal(L, -1, -2);
    lua_pop(L, 2);
    return same;
}

/* The file that is being run and is inside of itself, which is what overflowed. [-0, +1 where there is one] */
static bool push_loop(lua_State *L)
{
    lua_Debug frame, first = {.source = NULL};
    for (int level = 1; level < FRAMES_SEARCHED && lua_getstack(L, level, &frame); level++) {
        lua_getinfo(L, "S", &frame);
        if (*frame.what != 'm' || *frame.source != '@' || (first.source && strcmp(frame.source, first.source) != 0))
            continue;
        if (first.source) {
            throng_position_push(L);
            lua_pushfstring(L, ": '%s' loads itself, again and again; dofile, require and throng.load are for others",
                            frame.short_src);
            lua_concat(L, 2);
            return true;
        }
        first = frame;
    }
    return false;
}

/* What Lua's functions say names no line where one of ours in C calls them. Who loads files knows what overflowed. */
static void push_text(lua_State *L, const char *message)
{
    static const char overflow[] = "C stack overflow";
    if (strstr(message, overflow) && push_loop(L))
        return;
    const char *said = without_sandbox(message);
    bool whole = names_line(message) || strncmp(message, overflow, sizeof overflow - 1) == 0 || is_scripts_own(L);
    if (said == message && whole)
        lua_pushliteral(L, "");
    else
        throng_position_push(L);
    lua_pushfstring(L, "%s%s", *lua_tostring(L, -1) ? ": " : "", said);
    lua_concat(L, 2);
}

/* The text of what was raised, at 1. [-0, +1] */
static void push_message(lua_State *L)
{
    if (lua_type(L, 1) == LUA_TSTRING) {
        push_text(L, lua_tostring(L, 1));
    } else if (luaL_getmetafield(L, 1, "__tostring") != LUA_TNIL) {
        lua_pop(L, 1);
        throng_text_push(L, 1);
    } else {
        throng_position_push(L);
        const char *place = lua_tostring(L, -1), *what = throng_describe(L, 1);
        lua_pushfstring(L, "%s%serror was called with %s, which says nothing: give it a text, error(\"what is wrong\")",
                        place, *place ? ": " : "", what);
    }
}

/* A loop over the numbers of a group's agents that removes some of them: the others move up. */
static void add_cure(lua_State *L, luaL_Buffer *text, const char *message)
{
    static const char nobody[] = ": attempt to index a nil value";
    const throng_script *script = throng_script_of(L);
    size_t place = strlen(script->beyond_place);
    if (!place || strncmp(message, script->beyond_place, place) != 0 ||
        strncmp(message + place, nobody, sizeof nobody - 1) != 0)
        return;
    lua_pushfstring(L,
                    "\n  %s: who is removed leaves it, and the others move up; `for _, agent in ipairs(group) do` goes "
                    "over all who are there when it begins, and group:remove() removes all at once",
                    script->beyond_group);
    luaL_addvalue(text);
}

/* Adds what the callback was and the user's frames to the message. [-1, +1] */
static int add_traceback(lua_State *L)
{
    const throng_script *script = throng_script_of(L);
    char doing[THRONG_DOING_TEXT];
    push_message(L);
    const char *message = lua_tostring(L, -1);
    if (strstr(message, "\nstack:"))
        return 1; /* it has one, from a call inside */
    luaL_Buffer text;
    luaL_buffinit(L, &text);
    luaL_addstring(&text, message);
    add_cure(L, &text, message);
    throng_doing_text(&script->doing, doing);
    if (*doing) {
        lua_pushfstring(L, "\n  %s", doing);
        luaL_addvalue(&text);
    }
    lua_Debug frame;
    int shown = 0, last = levels_inside(L, script->outside);
    for (int level = 1; level < last && shown < FRAMES_SHOWN && lua_getstack(L, level, &frame); level++)
        if (throng_is_user_frame(L, &frame)) {
            luaL_addstring(&text, shown++ ? "" : "\nstack:");
            add_frame(L, &text, &frame);
        }
    if (shown == FRAMES_SHOWN)
        luaL_addstring(&text, "\n  ...");
    luaL_pushresult(&text);
    return 1;
}

/* Of a text in C. [-1, +1] */
static int push_string(lua_State *L)
{
    lua_pushstring(L, lua_touserdata(L, 1));
    return 1;
}

/* Where there is no memory for that either, what is on the stack is Lua's own text, which it keeps ready. */
void throng_script_memory_push(lua_State *L)
{
    throng_script *script = throng_script_of(L);
    char doing[THRONG_DOING_TEXT], limit[64] = "", text[sizeof script->place + sizeof doing + sizeof limit + 32];
    throng_doing_text(&script->doing, doing);
    if (script->beyond)
        snprintf(limit, sizeof limit, ": more than %d MiB (limit: --memory MIB)", (int)(script->limits.memory >> 20));
    snprintf(text, sizeof text, "%s%sout of memory%s%s%s", script->place, *script->place ? ": " : "", limit,
             *doing ? "\n  " : "", doing);
    script->telling = true;
    lua_pushcfunction(L, push_string);
    lua_pushlightuserdata(L, text);
    lua_pcall(L, 1, 1, 0);
    script->telling = false;
}

/* The outermost call's limits are those of all that it calls. */
static int call(lua_State *L, throng_task work, int args, int results)
{
    throng_watched watched;
    throng_script *script = throng_script_of(L);
    lua_State *running = script->running;
    int handler = lua_gettop(L) - args, outside = script->outside;
    lua_pushcfunction(L, add_traceback);
    lua_insert(L, handler);
    if (script->depth++ == 0) {
        script->stopped[0] = script->place[0] = 0;
        script->budget = script->limits.instructions;
        script->printed = 0;
    }
    script->beyond_place[0] = 0;
    script->outside = levels(L);
    script->running = L;
    throng_script_begin(script, &watched, work);
    int status = lua_pcall(L, args, results, handler);
    script->running = running;
    throng_script_end(script, &watched);
    script->outside = outside;
    script->depth--;
    lua_remove(L, handler);
    if (status == LUA_ERRMEM) {
        lua_pop(L, 1);
        throng_script_memory_push(L);
    }
    return status;
}

int throng_script_call(lua_State *L, int args, int results) { return call(L, THRONG_TASK_CALLBACK, args, results); }

int throng_script_call_loading(lua_State *L, int args, int results) { return call(L, THRONG_TASK_LOAD, args, results); }

bool throng_script_fail(lua_State *L, throng_error *error)
{
    throng_script *script = throng_script_of(L);
    const char *text = lua_tostring(L, -1);
    free(script->message);
    script->message = throng_failure_shown(text ? text : "an error without a message");
    lua_pop(L, 1);
    if (!script->message)
        return throng_fail(error, "out of memory");
    return throng_fail(error, "%.*s", (int)strcspn(script->message, "\n"), script->message);
}

const char *throng_script_message(const throng_script *script) { return script->message ? script->message : ""; }

const char *throng_script_error_text(const throng_script *script, const throng_error *error)
{
    const char *message = script ? throng_script_message(script) : "";
    size_t first = strcspn(message, "\n");
    return *message && strncmp(message, error->text, first < 200 ? first : 200) == 0 ? message : error->text;
}
