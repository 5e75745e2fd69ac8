/* Callbacks of scripts, and what errors in them say. */
#ifndef THRONG_CALLBACK_H
#define THRONG_CALLBACK_H

#include "group_value.h"
#include "script_parts.h"
#include "world_value.h"

/* What errors say is being done, from _begin to _end: that callback, of that group (or ""), in a step of the world. It
 * gives what was being done before, to which _end goes back: callbacks may step worlds whose callbacks run then. */
throng_doing throng_doing_begin(lua_State *L, const throng_lua_world *world, const char *callback, const char *group);
void throng_doing_end(lua_State *L, const throng_doing *before);
/* Calls what is on the stack as such a callback; a group that is its first argument is named. [-args - 1, +results] */
void throng_callback_call(lua_State *L, const throng_lua_world *world, const char *callback, const char *group,
                          int args, int results);

/* Of what listens, the table {group, callback} at `entry`: the callback, and those of the agents that are of the group;
 * false in its place stands for everybody. Returns the latter; nobody needs to be called when it is empty. [-0, +2] */
const throng_lua_group *throng_listener_push(lua_State *L, int world, int entry, const throng_handle *agents,
                                             int32_t count);

#endif
