/* Behaviour functions: recorded as programs, or called from Lua, and bound to agents. */
#ifndef THRONG_BEHAVIOURS_H
#define THRONG_BEHAVIOURS_H

#include "group_value.h"

/* What a behaviour computes, its target: a column that behaviours may write, THRONG_COLUMN_desired_vx for both
 * components of the preferred velocity, or THRONG_COLUMN_COUNT + a planner's parameter. */

/* ---- behaviour_targets.c */

static inline bool throng_behaviour_is_desired(int target) { return target == THRONG_COLUMN_desired_vx; }

const char *throng_behaviour_target_name(int target);
throng_range throng_behaviour_range(int target); /* what it may hold */
/* Why no behaviour may compute it; NULL: one may. _check_target raises that. */
const char *throng_behaviour_refusal(int target);
void throng_behaviour_check_target(lua_State *L, int target);

/* ---- bind_math.c, bind_program_recorder.c: what is recorded */

/* Raises while a behaviour function is recorded. */
void throng_refuse_recording(lua_State *L, const char *what);
/* Calls function `name` of lua/throng/program_recorder.lua. [-args, +results] */
void throng_program_recorder_call(lua_State *L, const char *name, int args, int results);

/* ---- bind_behaviour.c */

/* A function, or throng.behaviour(...)? */
bool throng_is_behaviour(lua_State *L, int index);
/* Its function; true: it is slow. [-0, +1] */
bool throng_behaviour_function_push(lua_State *L, int index);

/* ---- behaviour_program.c */

/* Records the behaviour at `index` for a target of the world's agents and looks up what it names; raises when the
 * target takes none. `name` is that of the spawn that is being made, or NULL. [-0, +1] */
void throng_behaviour_prepare(lua_State *L, const throng_lua_world *world, int index, int target, const char *name);
/* The program of what was prepared, at `index`; NULL when it is called from Lua: user value 1 is the function. */
const throng_program_def *throng_behaviour_program(lua_State *L, int index);

/* ---- behaviour_bind.c */

/* Behaviours on their way from a definition to agents: prepared, each lies at a place of the stack. */
typedef struct throng_behaviours {
    int target[16], prepared[16], count;
} throng_behaviours;

/* Prepares the behaviour at the top and keeps it there. [-1, +1] */
void throng_behaviours_add(lua_State *L, const throng_lua_world *world, int target, const char *name,
                           throng_behaviours *list);
/* The same of what has been prepared, at the top. [-0, +0] */
void throng_behaviours_take(lua_State *L, int target, throng_behaviours *list);
/* Binds all of them, or none. What it takes can be made ready before, so that it does not fail. */
bool throng_behaviours_reserve(lua_State *L, const throng_lua_group *group, const throng_behaviours *list,
                               throng_error *error);
bool throng_behaviours_bind(lua_State *L, int world, const throng_lua_group *group, const throng_behaviours *list,
                            throng_error *error);
/* Gives what was prepared, at `index`, to the agents of the group; the world's value is at `world`. [-0, +0] */
void throng_behaviour_bind(lua_State *L, int world, const throng_lua_group *group, int target, int index);
/* No behaviour writes this of these agents any more; nor does the desire stage: what was written is held. */
void throng_behaviour_drop(lua_State *L, const throng_lua_group *group, int target);
void throng_behaviour_hold(lua_State *L, const throng_lua_group *group, int target);

/* ---- behaviour_always.c */

/* always(world, {column, function, ...}): everybody's from now on, all of them or none. */
int throng_world_always(lua_State *L);
bool throng_behaviour_is_always(const throng_lua_world *world, int target);
/* Adds the world's, at `world`, but those whose columns the list has already. [-0, +any] */
void throng_behaviours_add_always(lua_State *L, int world, throng_behaviours *list);
/* Binds them to everybody. [-0, +0] */
void throng_behaviours_renew_always(lua_State *L, int world);

/* ---- behaviour_slow.c */

/* The prepared value at `index` is called from now on. Returns its mark, to be bound. [-0, +0] */
int32_t throng_behaviour_add_slow(lua_State *L, int world, const throng_lua_group *group, int target, int index);
/* Calls them, before a step; the world's value is at `index`. */
void throng_behaviours_call(lua_State *L, int index);

#endif
