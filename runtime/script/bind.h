/* Shared by the binding files only: the lua_State side of script.h.
 *
 * Errors: throng_raise() puts the file and line of the innermost line of the
 * USER's code before the message, also when part of the API is written in Lua.
 * Stack effects are noted as [-popped, +pushed]. */
#ifndef THRONG_BIND_H
#define THRONG_BIND_H

#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>

#include "base/heap.h"
#include "base/watchdog.h"
#include "script.h"

/* ---- script.c */

/* What the running callback is, for error texts; "": there is none. */
typedef struct throng_doing {
    char text[288];
} throng_doing;

struct throng_script {
    lua_State *L;
    lua_State *running; /* L, or the coroutine that runs */
    throng_script_def limits;
    struct throng_cache *cache; /* of maps and routes: limits.cache, or its own */
    size_t used;                /* bytes allocated by Lua */
    int64_t budget;             /* instructions left to the running callback */
    int depth;                  /* nested throng_script_call */
    int outside;                /* Lua's call levels outside the innermost of those: no part of its traceback */
    bool recording;             /* a behaviour function is being recorded */
    int64_t printed;            /* bytes that the running callback has printed */
    int64_t printed_in_all;     /* and all callbacks */
    int worlds;                 /* that are not closed */
    lua_Integer machines;       /* that were made */
    int world;                  /* registry reference of the scenario's world, or LUA_NOREF */
    char library[512];          /* folder of throng's own Lua files */
    throng_doing doing;
    char place[288];   /* the user's line that wanted memory and got none */
    char stopped[512]; /* why the callback is being stopped, which pcall must not catch; "": it is not */
    char *message;     /* the last failure in full */
    /* `throng test`: see bind_test.c */
    throng_watched test;
    char test_name[256];             /* "": none runs */
    bool test_failed;                /* it was told that its time is up */
    struct throng_lua_world *latest; /* stepped last; NULL: none, or it was closed */
    throng_world *kept_world;        /* the one that was closed */
    struct throng_history *kept_history;
    struct throng_failure *failures; /* [failure_count] that --keep-going has passed over */
    int32_t failure_count;
    bool names_wanted; /* unknown fields raise the list of those that there are */
    const struct throng_lines *lines;
    char **files; /* [file_count] that were read: see throng_script_files */
    int32_t file_count;
};

/* ---- script_limits.c */

throng_script *throng_script_of(lua_State *L);

/* May Lua take so many bytes more (--memory)? What is garbage goes first. Being out of memory would name no line. */
bool throng_script_has_room(lua_State *L, size_t bytes);

/* From now on the instructions of the main thread are counted. */
void throng_script_count_instructions(throng_script *script);

/* The watchdog's: the main thread works for the script until _end. */
void throng_script_begin(throng_script *script, throng_watched *watched, throng_task work);
void throng_script_end(throng_script *script, throng_watched *watched);

#define THRONG_RESUME "throng.resume" /* in the registry: Lua's own coroutine.resume */

/* Raises when the watchdog wants what is running to come back; no pcall of a scenario catches that. */
void throng_script_check(lua_State *L);

/* resume(coroutine, ...): coroutine.resume under the limits */
int throng_script_resume(lua_State *L);

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
/* Path of the user's code that is running: its chunk's file, or NULL. */
const char *throng_script_caller(lua_State *L, char *path, size_t size);
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

/* ---- script_library.c */

/* The folder of throng's own Lua files. False: they are missing. */
bool throng_script_find_library(char *library, size_t size, throng_error *error);
/* Loads <library>/<name>.lua as a function. [-0, +1] */
void throng_script_library(lua_State *L, const char *name);
/* Adds a file to those of throng_script_files. */
void throng_script_note_file(throng_script *script, const char *path);

#define THRONG_HOST "throng.host" /* in the registry; throng_bind_host makes it */

/* The functions that throng's own Lua files use. [-0, +1] */
void throng_host_push(lua_State *L);
/* The throng module, made on first use. [-0, +1] */
void throng_module_push(lua_State *L);

/* ---- script_files.c */

/* The table of the load that is going on: path, folder, overrides, random; nil when none is. [-0, +1] */
void throng_context_push(lua_State *L);
void throng_context_set(lua_State *L); /* the table at the top [-1, +0] */
bool throng_is_file(const char *path);
void throng_script_folder(const char *path, char *folder, size_t size); /* the one that the path is in */

/* The file is a scenario's, or one that it requires: it sees files of the scenario's folder. */
void throng_script_confine(lua_State *L, const char *path, const char *folder);

/* Finds a file that a script names: beside the calling script, in the current
 * directory, in the folder above the script's. `found` is `name` itself when there is none.
 * Raises of a file that the script may not see: a scenario sees those in its own folder, in the current one if that is
 * above, in a folder `maps` beside either, and what --set or throng.load's params name. */
void throng_script_find(lua_State *L, const char *owner, const char *name, char *found, size_t size);
/* "owner: there is no file 'name' ..., did you mean ...?": of those that a script could name with that ending. */
_Noreturn void throng_script_raise_missing(lua_State *L, const char *owner, const char *name);

/* ---- script_sandbox.c */

typedef struct throng_generator {
    uint64_t state[4]; /* xoshiro256** */
} throng_generator;

void throng_generator_seed(throng_generator *random, uint64_t seed);

/* For scenarios that are trusted: math.random of all that the state runs is of a throng_generator, which is the
 * registry's THRONG_RANDOM. [-0, +0] */
#define THRONG_RANDOM "throng.random"
void throng_random_add(lua_State *L);

/* A fresh environment for a scenario in `folder`: no files, no clock, no
 * addresses. [-0, +1] the environment, [+1] its throng_generator */
void throng_sandbox_push(lua_State *L, const char *folder);
/* The same for that file, which is confined to its folder. [-0, +2] */
void throng_script_confined_push(lua_State *L, const char *path);

/* pairs(t), in the order of the keys */
int throng_ordered_pairs(lua_State *L);

/* ---- script_print.c */

/* print(...) of scenarios: to stderr, so much in a callback and in a run */
int throng_print(lua_State *L);
/* Prints a warning of the user's line. lua_pushfstring formats. [-0, +0] */
void throng_warn(lua_State *L, const char *format, ...);

/* undeclared(name, names, written): warns, once a place, of a global that was never declared; in script_globals.c */
int throng_undeclared(lua_State *L);

/* ---- script_load.c */

/* The generator of the scenario's math.random; NULL: it has none of its own. */
throng_generator *throng_script_generator(const throng_script *script);

/* throng.load(path, overrides) */
int throng_lua_load(lua_State *L);

/* ---- bind_fields.c: checked arguments */

/* Raises unless every key of the table is one of `names` (ends with NULL). */
void throng_fields_check(lua_State *L, int index, const char *what, const char *const *names);

/* "owner: unknown WHAT 'word', did you mean ...? Expected one of: ..." */
_Noreturn void throng_raise_unknown(lua_State *L, const char *owner, const char *what, const char *word,
                                    const char *const *names);

/* The same with the string keys of the table at `table` as what is expected, in their order. */
_Noreturn void throng_raise_unknown_key(lua_State *L, const char *owner, const char *what, const char *word, int table);

/* The number at `index`, finite and in range; `what` names it in the message. */
double throng_check_number(lua_State *L, int index, const char *what, const throng_range *range);
int64_t throng_check_integer(lua_State *L, int index, const char *what, int64_t least, int64_t most);

/* Pushes the field and, below it, its name for messages; false (nothing pushed) when it is absent. */
bool throng_field_push(lua_State *L, int table, const char *owner, const char *name);
/* Fields of a definition table; absent (nil) ones leave `*value` as it is and give false. */
bool throng_field_number(lua_State *L, int table, const char *owner, const char *name, const throng_range *range,
                         double *value);
bool throng_field_integer(lua_State *L, int table, const char *owner, const char *name, int64_t least, int64_t most,
                          int64_t *value);
bool throng_field_boolean(lua_State *L, int table, const char *owner, const char *name, bool *value);
/* The text stays valid while the table holds it. */
bool throng_field_string(lua_State *L, int table, const char *owner, const char *name, const char **value);

/* A field that a definition table may have. It is declared once: checks and documentation come from here. */
typedef struct throng_setting {
    const char *name;
    const char *type;    /* as LuaLS has it: "integer", "throng.place"; a number's unit is its range's */
    const char *initial; /* what it is when it is absent, NULL: nothing, or `text` says so */
    const char *text; /* what it is; NULL: as the agents' column of that name, with its unit, range and initial value */
    throng_range range; /* of numbers; most = 0: any, or the column's */
} throng_setting;

typedef struct throng_settings {
    const char *class;          /* in the documentation: "throng.map.settings" */
    const char *owner;          /* in messages: "throng.map" */
    const throng_setting *list; /* ends with a name of NULL */
} throng_settings;

/* Each stands in bind_document.c's list, too. The planners' come from kernels/contract/planners.h. */
extern const throng_settings throng_world_settings, throng_record_settings, throng_map_settings, throng_spawn_settings,
    throng_go_to_settings, throng_run_settings, throng_behaviour_settings, throng_path_settings, throng_load_settings,
    throng_measure_settings, throng_batch_settings, throng_hazard_settings;

/* Raises unless every key of the table is one of the settings. */
void throng_settings_check(lua_State *L, int table, const throng_settings *settings);
/* As throng_field_number and throng_field_integer, with the range that the setting has. */
bool throng_setting_number(lua_State *L, int table, const throng_settings *settings, const char *name, double *value);
bool throng_setting_integer(lua_State *L, int table, const throng_settings *settings, const char *name, int64_t *value);

/* ---- bind_sampler.c */

/* A number, throng.uniform or throng.normal. */
throng_sampler throng_check_sampler(lua_State *L, int index, const char *what, const throng_range *range);
bool throng_field_sampler(lua_State *L, int table, const char *owner, const char *name, const throng_range *range,
                          throng_sampler *value);

/* ---- bind_shape.c: points, polygons, lists of them */

typedef struct throng_shapes {
    int32_t count, room;
    throng_region *list;
} throng_shapes;

struct throng_lua_world;

/* An empty list, freed by Lua. [-0, +1] */
throng_shapes *throng_shapes_push(lua_State *L);
void throng_shapes_add(lua_State *L, throng_shapes *shapes, const char *name, const throng_point *points,
                       int32_t count);
/* Reads a region's name, a shape, or a list of those into a new list. [-0, +1] */
throng_shapes *throng_shapes_read(lua_State *L, int index, const struct throng_lua_world *world, const char *what);

/* Names of the script's regions and of the map's, then of the map's groups, each once, NULL at the end; either list
 * may be NULL. Owned by the value pushed. */
const char **throng_region_names(lua_State *L, const throng_shapes *regions, const throng_map *map);

throng_point throng_check_point(lua_State *L, int index, const char *what);
/* Reads a list of points into memory owned by the value pushed. [-0, +1] */
throng_point *throng_points_read(lua_State *L, int index, const char *what, int32_t *count);
bool throng_is_shape(lua_State *L, int index);
/* {x, y}: a table whose first entry is a number. */
bool throng_is_point(lua_State *L, int index);

void throng_point_push(lua_State *L, throng_point point);                        /* {x, y} [-0, +1] */
void throng_shape_push(lua_State *L, const throng_point *points, int32_t count); /* [-0, +1] */

/* ---- bind_regions.c: regions and doors of definition tables (`owner` names them in messages) and of maps */

/* The table's field `regions`, by name. [-0, +1] */
throng_shapes *throng_regions_read(lua_State *L, int table, const char *owner);
/* The table's fields `regions` and `doors` are added to the map. */
void throng_map_take_regions(lua_State *L, int table, const char *owner, throng_map *map);
void throng_map_take_doors(lua_State *L, int table, const char *owner, throng_map *map);
/* bind_map_graph.c: and its field `roadmap`. */
void throng_map_take_graph(lua_State *L, int table, const char *owner, throng_map *map);

/* Values for scripts. [-0, +1] */
void throng_properties_push(lua_State *L, const throng_properties *properties);
void throng_doors_push(lua_State *L, const throng_map *map);
void throng_findings_push(lua_State *L, const throng_map *map);
void throng_region_names_push(lua_State *L, const throng_map *map);
void throng_region_push(lua_State *L, const throng_map *map, const char *name); /* of that name or group */

/* ---- bind_planner.c */

struct throng_behaviours;
struct throng_lua_world;

/* A planner and those of its agents' columns that were given. */
typedef struct throng_planner_value {
    throng_planner planner;
    int64_t neighbours; /* -1: not given */
    bool has_horizon, has_wall_horizon, has_sight;
    throng_sampler horizon, wall_horizon, sight;
} throng_planner_value;

/* Behaviours that the planner at `index` was made with, prepared. [-0, +list's] */
void throng_planner_behaviours(lua_State *L, int index, const struct throng_lua_world *world, const char *name,
                               struct throng_behaviours *list);
/* "orca" or throng.orca{...} */
throng_planner_value throng_check_planner(lua_State *L, int index, const char *what);

/* ---- bind_routing.c: how agents find their paths */

/* The method that the name at `index` stands for: THRONG_ROUTING_... */
int32_t throng_check_routing(lua_State *L, int index, const char *what);
extern const char *const throng_routing_names[]; /* by THRONG_ROUTING_..., ends with NULL */
/* What agents do about closed doors: THRONG_DOORS_... */
int32_t throng_check_door_policy(lua_State *L, int index, const char *what);
extern const char *const throng_door_policy_names[]; /* by THRONG_DOORS_..., ends with NULL */

/* ---- bind_map.c */

/* Takes the map for a world out of a throng.map value or reads the named file.
 * The value pushed frees it unless the holder is set to NULL. [-0, +1] */
throng_map **throng_map_hold(lua_State *L, int index, const char *what);
/* The map of the world at `world`, as a value that goes with it; nil when it has none. [-0, +1] */
void throng_world_map_push(lua_State *L, int world);
/* The map of the throng.map value at `index`: the world's; or the value's own, made again when a world has taken it. */
const throng_map *throng_map_peek(lua_State *L, int index);
/* The world that `world.map` at `index` belongs to, NULL for a map of its own. [-0, +1] the world or something else */
struct throng_lua_world *throng_map_owner_push(lua_State *L, int index);
/* Its mesh for a radius in m, which it keeps; in bind_map_queries.c. */
const struct throng_navmesh *throng_map_mesh(lua_State *L, int index, double radius);
/* {x0, y0, x1, y1} by name. [-0, +1] */
void throng_bounds_push(lua_State *L, const throng_bounds *bounds);

/* ---- bind_door.c */

/* A door of the world's map. [-0, +1] */
void throng_door_push(lua_State *L, int world, int32_t door);

/* The door value at `index`, or NULL when it is something else. [-0, +0] */
const throng_door *throng_test_door(lua_State *L, int index);

/* ---- bind_test.c */

/* Before and after each step of the world: samples it, for the files of a test that fails. */
void throng_test_note(lua_State *L, struct throng_lua_world *world);
/* The world is closed: true when its throng_world and history are kept instead of freed, until the next note. */
bool throng_test_keep(throng_script *script, struct throng_lua_world *world);
void throng_test_forget(throng_script *script);

/* ---- bind_measure.c */

/* world:measure{...} */
int throng_world_measure_method(lua_State *L);

/* ---- bind_influences.c */

int throng_world_avoidance_method(lua_State *L);
int throng_world_hazard_method(lua_State *L);

/* ---- world_value.c */

typedef struct throng_lua_world {
    throng_world *world;          /* NULL: closed */
    throng_shapes *regions;       /* of the script; owned by the user value */
    uint32_t removals;            /* groups drop removed agents when this has moved on */
    bool stepping;                /* inside world:step or world:run */
    bool stopped;                 /* world:stop() was called */
    bool watches_steps;           /* there are on_step callbacks */
    bool watches_arrivals;        /* there are "arrived" callbacks */
    bool watches_stuck;           /* there are "stuck" callbacks */
    bool watches_states;          /* there are enter or exit hooks */
    bool has_timers;              /* there were world:at or world:every */
    throng_heap timers;           /* numbers of timers, by when they are due: see bind_timers.c */
    throng_heap late_timers;      /* those that callbacks of the step made, and are due in it */
    int32_t timers_made;          /* the number of the last */
    uint32_t hooks;               /* of stages: bit 2 * phase + after, see throng_world_set_hook */
    int hooked;                   /* the one that is running, -1: none */
    bool calls_behaviours;        /* there are behaviour functions that are called from Lua */
    bool watches_paths;           /* there were path requests */
    double seconds, record_every; /* s */
    bool until_done, record_compact, people;
    throng_sampler own[THRONG_OWN_COLUMNS]; /* what agents have at first in columns of the script's own */
    struct throng_lua_spawned *spawned;     /* by group, all of the world's: what removed agents had done */
    int32_t spawned_count, spawned_room;
    struct throng_history *history; /* `throng test` only; NULL before the first step */
} throng_lua_world;

/* What the removed agents of a spawn had done. */
typedef struct throng_lua_spawned {
    int32_t spawned, removed, arrived;
    int32_t first, last; /* steps of the first and last arrival, -1 */
} throng_lua_spawned;

/* A world's user value is a table of these tables. */
enum throng_world_part {
    THRONG_PART_GROUPS = 1, /* groups by name */
    THRONG_PART_BY_GROUP,   /* by column `group` + 1 */
    THRONG_PART_ARRIVED,    /* list of {group, function} */
    THRONG_PART_STUCK,      /* list of {group, function} */
    THRONG_PART_ON_STEP,    /* list of functions */
    THRONG_PART_MACHINES,   /* numbers of machines, by machine */
    THRONG_PART_HOOKS,      /* by state + 1: {enter =, exit =} */
    THRONG_PART_SLOW,       /* list of {group, function, column}: behaviour functions that are called */
    THRONG_PART_TIMERS,     /* timers by their numbers: see bind_timers.c */
    THRONG_PART_TAGS,       /* groups by tag */
    THRONG_PART_TALLIES,    /* list of {name =, made =}: what sources have spawned */
    THRONG_PART_PATHS,      /* see bind_paths.c */
    THRONG_PART_MEASURES,   /* measures, in order and by name */
    THRONG_PART_STAGES,     /* see bind_stages.c */
    THRONG_PART_REGIONS     /* keeps the throng_shapes of the script's regions alive */
};

#define THRONG_LUA_WORLD    "throng.world"
#define THRONG_LUA_GROUP    "throng.group"
#define THRONG_LUA_COLUMN   "throng.column"
#define THRONG_LUA_MAP      "throng.map"
#define THRONG_LUA_RECORDED "throng.recorded"
#define THRONG_LUA_DOOR     "throng.door"
#define THRONG_LUA_MEASURE  "throng.measure"

throng_lua_world *throng_check_world(lua_State *L, int index);
/* A part of the world's user value. [-0, +1] */
void throng_world_part_push(lua_State *L, int world, int part);
/* Raises when a hook of a stage is running: `method` would add or remove agents. */
void throng_refuse_hooked(lua_State *L, const throng_lua_world *world, const char *method);
/* Room for so many groups; and an entry for each that the world has, for which there is room. */
void throng_spawned_reserve(lua_State *L, throng_lua_world *world, int32_t groups);
throng_lua_spawned *throng_spawned_follow(throng_lua_world *world);

/* ---- bind_callback.c */

/* What errors say is being done, from _begin to _end: that callback, of that group (or ""), in a step of the world. It
 * gives what was being done before, to which _end goes back: callbacks may step worlds whose callbacks run then. */
throng_doing throng_doing_begin(lua_State *L, const throng_lua_world *world, const char *callback, const char *group);
void throng_doing_end(lua_State *L, const throng_doing *before);
/* Calls what is on the stack as such a callback; a group that is its first argument is named. [-args - 1, +results] */
void throng_callback_call(lua_State *L, const throng_lua_world *world, const char *callback, const char *group,
                          int args, int results);

/* ---- methods of worlds, and what a step calls */

/* world.paths and the callbacks of finished requests, in bind_paths.c. [-0, +1] and [-0, +0] */
void throng_paths_push(lua_State *L, int world);
void throng_call_paths(lua_State *L, int world);
/* world:stuck() and the "stuck" callbacks of the last step, in bind_stuck.c. [-0, +0] */
int throng_world_stuck_method(lua_State *L);
void throng_call_stuck(lua_State *L, int world);
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
void throng_hooks_set(throng_hook_call *call, lua_State *L, int index);
/* In bind_world_settings.c: throng.world's settings, the table at 1, and what the command line puts in their place.
 * What depends on the map (NULL: there is none) is read once that is known. */
void throng_world_settings_read(lua_State *L, throng_lua_world *world, throng_world_def *def);
void throng_world_wrap_read(lua_State *L, const throng_map *map, throng_world_def *def);
/* Methods of worlds, in bind_step.c, bind_spawn.c, bind_timers.c, bind_sets.c and bind_probe.c */
int throng_world_step_method(lua_State *L);
int throng_world_run_method(lua_State *L);
int throng_world_on_step_method(lua_State *L);
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
int throng_world_probe_method(lua_State *L);
/* Timers that are due, before a step; the world's value is at `index`. */
void throng_timers_call(lua_State *L, int index);

/* ---- group_value.c */

typedef struct throng_lua_group {
    throng_lua_world *owner; /* kept alive by user value 1 */
    int32_t count;
    int32_t kind;        /* of the spawn, -1: a group made otherwise */
    int32_t named_after; /* kind whose name messages use, -1: none */
    uint32_t removals;
    throng_handle *handles; /* [count] ascending by slot; kept alive by user value 2 */
} throng_lua_group;

/* The kind that was spawned under the name; -1 (any) for an empty one. `owner` names who asks in messages. */
int32_t throng_kind_named(lua_State *L, const throng_world *world, const char *owner, const char *name);
/* A group of copies of the handles. [-0, +1] */
throng_lua_group *throng_group_push(lua_State *L, int world, const throng_handle *handles, int32_t count, int32_t kind);
/* Adds agents to the group at `index`; they are in no order and not in it yet. */
void throng_group_extend(lua_State *L, int index, const throng_handle *handles, int32_t count);
/* Brings the handles of a group into their order. */
void throng_group_sort(lua_State *L, int index);
/* The group at `index`, without removed agents. */
throng_lua_group *throng_check_group(lua_State *L, int index);
const char *throng_group_name(const throng_lua_group *group);
bool throng_group_has(const char *name); /* a method or field that is no column */
/* Those of `handles` that are alive and belong to the group at `group`, as a group. [-0, +1] */
const throng_lua_group *throng_group_select(lua_State *L, int world, int group, const throng_handle *handles,
                                            int32_t count);
/* All living agents as a group. [-0, +2]: what keeps them, the group */
void throng_agents_push(lua_State *L, int world);

/* ---- methods of groups */

/* in bind_company.c */
int throng_company_size(lua_State *L); /* of a world and what `company` says: of the next agent's */
throng_sampler throng_check_company(lua_State *L, int index);
int throng_group_walk_together(lua_State *L);
int throng_group_walk_alone(lua_State *L);

/* group:filter, group:inside, group:tag, group:untag, in bind_sets.c */
int throng_group_filter(lua_State *L);
int throng_group_inside(lua_State *L);
int throng_group_tag(lua_State *L);
int throng_group_untag(lua_State *L);
/* group:go_to(...), in bind_goal.c */
int throng_group_go_to(lua_State *L);
/* The world's goal for a point, a region's name, a shape, or a list of those. */
int32_t throng_check_goal(lua_State *L, int index, const throng_lua_world *world, const char *what, double radius,
                          bool straight);

/* ---- bind_fsm.c */

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

/* ---- bind_column.c */

typedef union throng_cell {
    float f;
    int32_t i;
} throng_cell;

/* A column that was read. */
typedef struct throng_lua_column {
    int column;
    char name[THRONG_COLUMN_NAME], unit[THRONG_COLUMN_NAME];
    int32_t count;
    throng_cell cells[];
} throng_lua_column;

/* The column of a group, copied. [-0, +1] */
void throng_column_push(lua_State *L, const throng_lua_group *group, int column);
double throng_column_number(const throng_lua_column *value, int32_t at);

/* ---- bind_column_write.c */

/* Writes the value at `index` (number, sampler, list or column) to the group's column. Hooks of stages may write some
 * that others may not. */
void throng_column_write(lua_State *L, const throng_lua_group *group, int column, int index);
/* ---- column_values.c */

bool throng_column_is_any(int column, int attributes); /* has it one of these attributes? */
/* What a script may write there, NULL: nothing. */
const throng_range *throng_column_range(int column);
/* Why no behaviour function may compute the column, NULL: one may. */
const char *throng_column_uncomputed(int column);

/* The values that writing the value at `index` to the group's column would store, checked against `range`; `what` names
 * the column in messages. [-0, +1] the userdata that holds them */
const double *throng_column_values(lua_State *L, const throng_lua_group *group, int column, int index, const char *what,
                                   const throng_range *range);
/* Writes plain numbers, one for each agent of the group: no checks. */
void throng_column_store(lua_State *L, const throng_lua_group *group, int column, const double *values);
/* Writes a number for each agent, without looking at its range. */
void throng_column_sample(lua_State *L, const throng_lua_group *group, int column, const throng_sampler *sampler);

/* ---- own_columns.c */

/* The world's column of that name, or -1; what is known of a column. */
int throng_world_column_named(const throng_lua_world *world, const char *name);
const throng_column_info *throng_world_column(const throng_lua_world *world, int column);
/* The names of the world's columns, into `names`. How many there are. */
int throng_world_column_names(const throng_lua_world *world, const char **names);
/* The names of those that it has declared, as a list. [-0, +1] */
void throng_own_columns_push(lua_State *L, const throng_lua_world *world);
int throng_world_own_columns(lua_State *L); /* (world): that list */

/* ---- bind_own_column.c */

int throng_world_column_method(lua_State *L); /* world:column(name, settings) */
extern const throng_settings throng_column_settings;

/* ---- bind_math.c */

/* Makes math's functions take recorded values. [-0, +0] */
void throng_bind_math(lua_State *L);
/* Raises while a behaviour function is recorded. */
void throng_refuse_recording(lua_State *L, const char *what);

/* ---- bind_program_recorder.c */

/* Calls function `name` of lua/throng/program_recorder.lua. [-args, +results] */
void throng_program_recorder_call(lua_State *L, const char *name, int args, int results);

/* ---- bind_program.c: behaviour functions */

/* A function, or throng.behaviour(...)? */
bool throng_is_behaviour(lua_State *L, int index);
/* A target is a column that behaviours may write, or THRONG_COLUMN_COUNT + a planner's parameter. Raises, with the
 * reason, when none may. */
void throng_behaviour_check_target(lua_State *L, int target);
const char *throng_behaviour_refusal(int target); /* the reason, NULL: they may write it */
/* Behaviours on their way from a definition to agents: prepared, each lies at a place of the stack. */
typedef struct throng_behaviours {
    int target[16], prepared[16], count;
} throng_behaviours;
/* Prepares the behaviour at the top and keeps it there. [-1, +1] */
void throng_behaviours_add(lua_State *L, const throng_lua_world *world, int target, const char *name,
                           throng_behaviours *list);
/* Binds all of them, or none. What it takes can be made ready before, so that it does not fail. */
bool throng_behaviours_reserve(lua_State *L, const throng_lua_group *group, const throng_behaviours *list,
                               throng_error *error);
bool throng_behaviours_bind(lua_State *L, int world, const throng_lua_group *group, const throng_behaviours *list,
                            throng_error *error);
/* Records the behaviour at `index` for a target of the world's agents and looks up what it names; raises when the
 * target takes none. `name` is that of the spawn that is being made, or NULL. [-0, +1] */
void throng_behaviour_prepare(lua_State *L, const throng_lua_world *world, int index, int target, const char *name);
/* The program of what was prepared, at `index`; NULL when it is called from Lua. */
const throng_program_def *throng_behaviour_program(lua_State *L, int index);
/* Gives what was prepared, at `index`, to the agents of the group; the world's value is at `world`. [-0, +0] */
void throng_behaviour_bind(lua_State *L, int world, const throng_lua_group *group, int target, int index);
/* No behaviour writes this of these agents any more. */
void throng_behaviour_drop(lua_State *L, const throng_lua_group *group, int target);
/* Calls the slow ones, before a step; the world's value is at `index`. */
void throng_behaviours_call(lua_State *L, int index);
/* group.desired: written from a behaviour, {vx, vy} or nil, and read as {vx, vy}. */
void throng_desired_write(lua_State *L, int index);
void throng_desired_push(lua_State *L, const throng_lua_group *group); /* [-0, +1] */

/* Each makes its metatable and adds its functions to the host table at the top. [-0, +0] */
void throng_bind_sampler(lua_State *L);
void throng_bind_shape(lua_State *L);
void throng_bind_planner(lua_State *L);
void throng_bind_map(lua_State *L);
void throng_bind_map_queries(lua_State *L); /* after it */
void throng_bind_door(lua_State *L);
void throng_bind_measure(lua_State *L);
void throng_bind_test(lua_State *L);
void throng_bind_body(lua_State *L);
void throng_bind_world(lua_State *L);
void throng_bind_group(lua_State *L);
void throng_bind_column(lua_State *L);
void throng_bind_fsm(lua_State *L);
void throng_bind_program(lua_State *L);
void throng_bind_program_recorder(lua_State *L);
void throng_bind_sets(lua_State *L);
void throng_bind_paths(lua_State *L);
void throng_bind_batch(lua_State *L);
/* throng.paths of the settings at 1, with a map. (bind_batch_map.c) */
int throng_batch_on_map(lua_State *L);
void throng_bind_stages(lua_State *L);
void throng_bind_influences(lua_State *L);
void throng_bind_document(lua_State *L);
/* All of them: makes THRONG_HOST. (bind_module.c) */
void throng_bind_host(lua_State *L);

#endif
