/* What every file that knows the lua_State has: errors at the user's line, calls under the script's limits, values as
 * text. script.h is what others know of a script.
 *
 * Errors: throng_raise() puts the file and line of the innermost line of the USER's code before the message, also when
 * part of the API is written in Lua. Stack effects are noted as [-popped, +pushed]. */
#ifndef THRONG_BIND_H
#define THRONG_BIND_H

#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>
#include "script.h"

/* ---- script_error.c, script_failures.c */

/* lua_pcall with a traceback of user code, under the limits of a callback; a call inside of another one spends what
 * that has left. [-(args + 1), +results or +1 message] */
int throng_script_call(lua_State *L, int args, int results);
/* The same under the limits of loading a scenario. */
int throng_script_call_loading(lua_State *L, int args, int results);

/* Keeps the message at the top of the stack as the script's last failure and
 * puts its first line into `error`. Returns false. [-1, +0] */
bool throng_script_fail(lua_State *L, throng_error *error);

/* With --keep-going: shows the message at the top when it is a new one, counts it, and gives true. [-1, +0]; else false
 * and [-0, +0] */
bool throng_script_suppress_error(lua_State *L);
void throng_script_forget_failures(throng_script *script);

/* Raises "file:line: message" at the user's line. lua_pushfstring formats. */
_Noreturn void throng_raise(lua_State *L, const char *format, ...);
/* Raises the text of `error` at the user's line. */
_Noreturn void throng_raise_error(lua_State *L, const throng_error *error);

/* What to say when memory is out: Lua's own text names no line and no limit. [-0, +1] */
void throng_script_memory_push(lua_State *L);

/* ---- script_place.c */

/* Code of a scenario or a spec: not C, not throng's own Lua, not what runs specs. */
bool throng_is_user_frame(lua_State *L, lua_Debug *frame);
/* What the C function that runs was called as, `otherwise` when that is not known. */
const char *throng_method_name(lua_State *L, const char *otherwise);

/* "file:line" of the user's code that is running, "" when there is none. [-0, +1] */
void throng_position_push(lua_State *L);
/* Path of the user's code that is running: its chunk's file, or NULL; there as long as that runs. */
const char *throng_script_caller(lua_State *L);
/* "file:line" of it, "" when there is none; allocates nothing. */
void throng_script_place(lua_State *L, char *place, size_t size);

/* ---- script_text.c */

/* The value as text without addresses: "table", not "table: 0x5581...". [-0, +1] */
const char *throng_text_push(lua_State *L, int index);
int throng_to_text(lua_State *L); /* tostring(value): that */
/* Takes control characters out of what a script wrote, but for ends of lines and tabs: it goes to a terminal. */
void throng_text_tame(char *text, size_t size);
/* The same of a failure, which may be as long as memory allows and is shown so far as somebody would read it; the
 * caller frees it. NULL when memory is out. */
char *throng_failure_shown(const char *text);
/* A short text for the value: "12", "\"text\"", "a table", "nil", "not a number (NaN)". [-0, +1] */
const char *throng_describe(lua_State *L, int index);

#endif
