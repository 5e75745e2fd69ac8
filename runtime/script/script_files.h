/* Files: throng's own Lua, and those that scripts name and may see. */
#ifndef THRONG_SCRIPT_FILES_H
#define THRONG_SCRIPT_FILES_H

#include <limits.h>

#include "bind.h"

/* ---- script_library.c */

/* The folder of throng's own Lua files. False: they are missing. */
bool throng_script_find_library(char *library, size_t size, throng_error *error);
/* Loads <library>/<name>.lua as a function. [-0, +1] */
void throng_script_library(lua_State *L, const char *name);
/* Adds a file to those of throng_script_files; nothing that the process makes is written over it. */
void throng_script_note_file(throng_script *script, const char *path);

#define THRONG_HOST "throng.host" /* in the registry; throng_bind_host makes it */

/* The functions that throng's own Lua files use. [-0, +1] */
void throng_host_push(lua_State *L);
/* Calls that function with all that is on the stack, and leaves its result. [-all, +1] */
int throng_host_call(lua_State *L, const char *name);
/* The throng module, made on first use. [-0, +1] */
void throng_module_push(lua_State *L);

/* ---- script_files.c */

/* The table of the load that is going on: path, folder, overrides, random; nil when none is. [-0, +1] */
void throng_context_push(lua_State *L);
void throng_context_set(lua_State *L); /* the table at the top [-1, +0] */
bool throng_is_file(const char *path);
const char *throng_script_folder_push(lua_State *L, const char *path); /* the one that the path is in [-0, +1] */

/* The file is a scenario's, or one that it requires: it sees files of the scenario's folder. */
void throng_script_confine(lua_State *L, const char *path, const char *folder);

/* Finds a file that a script names: beside the calling script, in the current
 * directory, in the folder above the script's. `found` is `name` itself when there is none.
 * Raises of a file that the script may not see: a scenario sees those in its own folder, in the current one if that is
 * above, in a folder `maps` beside either, and what --set or throng.load's params name. */
void throng_script_find(lua_State *L, const char *owner, const char *name, char found[PATH_MAX]);
/* The same of the string at `index`; raises unless it is a file. */
void throng_script_find_file(lua_State *L, const char *owner, int index, char found[PATH_MAX]);
/* "owner: there is no file 'name' ..., did you mean ...?": of those that a script could name with that ending. */
_Noreturn void throng_script_raise_missing(lua_State *L, const char *owner, const char *name);

#endif
