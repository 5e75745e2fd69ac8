/* Methods of worlds and what a step calls: what bind_world.c and bind_step.c have of the other bindings. */
#ifndef THRONG_WORLD_METHODS_H
#define THRONG_WORLD_METHODS_H

#include "world_value.h"

/* ---- bind_test.c */

/* Before and after each step of the world: samples it, for the files of a test that fails. */
void throng_test_note(lua_State *L, throng_lua_world *world);
/* The world is closed: true when its throng_world and history are kept instead of freed, until the next note. */
bool throng_test_keep(throng_script *script, throng_lua_world *world);
void throng_test_forget(throng_script *script);

/* ---- bind_measure.c */

/* world:measure{...} */
int throng_world_measure_method(lua_State *L);
/* Two lists of so many numbers. [-0, +2] */
void throng_lists_push(lua_State *L, int32_t count, const double *times, const double *values);

/* ---- bind_influences.c */

int throng_world_avoidance_method(lua_State *L);
int throng_world_hazard_method(lua_State *L);

/* ---- methods of worlds, and what a step calls */

/* world.paths and the callbacks of finished requests, in bind_paths.c. [-0, +1] and [-0, +0] */
void throng_paths_push(lua_State *L, int world);
void throng_call_paths(lua_State *L, int world);
/* world:stuck() and the "stuck" callbacks of the last step, in bind_stuck.c. [-0, +0] */
int throng_world_stuck_method(lua_State *L);
void throng_call_stuck(lua_State *L, int world);
void throng_call_floors(lua_State *L, int world); /* bind_floors.c */
/* In bind_entered.c. What listens, the table at the top, gets to know the place at 3, and the event: "entered", "left",
 * or "present", of those who have entered or began in it; `on` is the method, for messages. [-0, +0] */
void throng_entered_begin(lua_State *L, const char *on, throng_lua_world *world, const char *event);
void throng_call_entered(lua_State *L, int world); /* the "entered" and "left" callbacks, in bind_entered.c [-0, +0] */
/* {cause = times} of a run. [-0, +1] */
void throng_stuck_counts_push(lua_State *L, const throng_world_stats *stats);
/* world.stages, in bind_stages.c. [-0, +1] */
void throng_stages_push(lua_State *L, int world);
/* Gives the world its hooks, for the frame or phase that comes now: `call` must outlive it, then take them away with
 * throng_world_set_hook. `failed` is set when one fails; the script's last failure tells how. The world's value is at
 * `index`. */
typedef struct throng_hook_call {
    lua_State *L;
    int index;
    bool failed;
} throng_hook_call;
void throng_hooks_set(throng_hook_call *call, lua_State *L, int index, const throng_lua_world *world);
/* In bind_world_settings.c: throng.world's settings, the table at 1, and what the command line puts in their place.
 * What depends on the map (NULL: there is none) is read once that is known. */
void throng_world_settings_read(lua_State *L, throng_lua_world *world, throng_world_def *def);
void throng_world_wrap_read(lua_State *L, const throng_map *map, throng_world_def *def);
/* Methods of worlds, in bind_step.c, bind_spawn.c, bind_timers.c, bind_sets.c and bind_probe.c */
int throng_world_environment_method(lua_State *L); /* bind_environment.c */
int throng_world_step_method(lua_State *L);
int throng_world_run_method(lua_State *L);
int throng_world_on_step_method(lua_State *L);
int throng_world_on(lua_State *L);       /* bind_on.c */
int throng_world_on_first(lua_State *L); /* the same, called before those that are there */
int throng_on_present(lua_State *L);     /* of a world or a group, for the library: the event "present" */
int throng_world_spawn_method(lua_State *L);
int throng_world_spawn_more(lua_State *L);    /* the same, also into a group that there is, and of nobody */
int throng_world_spawn_fields(lua_State *L);  /* (world): the names of its fields, as a list */
int throng_world_body_method(lua_State *L);   /* in bind_body.c */
int throng_world_bodies_method(lua_State *L); /* likewise */
int throng_world_at_method(lua_State *L);
int throng_world_every_method(lua_State *L);
int throng_world_tagged_method(lua_State *L);
int throng_world_repeat_now(lua_State *L);
int throng_world_repeat_later(lua_State *L);
/* Timers that were due before the world's time are called no more; the world's value is at `index`. */
void throng_timers_pass(lua_State *L, int index);
/* How many timers of the script are first due after `time`; `*first`: when the first of them is. */
int32_t throng_timers_after(lua_State *L, int index, double time, double *first);
/* How many wait that throng_script_timers_waiting counts. */
int32_t throng_timers_waiting(lua_State *L, int index);
int throng_world_probe_method(lua_State *L);
/* Timers that are due, before a step; the world's value is at `index`. */
bool throng_timers_due(const throng_lua_world *world);
void throng_timers_call(lua_State *L, int index);

#endif
