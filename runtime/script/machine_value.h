/* The state machines of scripts. */
#ifndef THRONG_MACHINE_VALUE_H
#define THRONG_MACHINE_VALUE_H

#include "world_value.h"

int throng_group_run_method(lua_State *L); /* group:run(machine) */
int throng_group_in_method(lua_State *L);  /* group:in_state(name) */
/* Names of all states by their index + 1, "" at 0. [-0, +1] */
void throng_state_names_push(lua_State *L, const throng_world *world);
/* Machines of the script by their numbers, from 1 to throng_script.machines; nil: used nowhere any more. [-0, +1] */
void throng_machines_push(lua_State *L);
/* Of the machine at `index`: its number, how many states it has, and their names, the first from 0. */
lua_Integer throng_machine_number(lua_State *L, int index);
int32_t throng_machine_states(lua_State *L, int index);
const char *throng_machine_state(lua_State *L, int index, int32_t at);
/* Calls the exit and enter hooks of the last step, and the conditions that are functions. The world's value is at
 * `index`. */
void throng_hooks_call(lua_State *L, int index);

#endif
