/* The worlds of scripts: what their values hold. */
#ifndef THRONG_WORLD_VALUE_H
#define THRONG_WORLD_VALUE_H

#include "base/heap.h"
#include "shapes.h"

typedef struct throng_lua_world {
    throng_world *world;              /* NULL: closed */
    throng_shapes *regions;           /* of the script; owned by the user value */
    uint32_t removals;                /* groups drop removed agents when this has moved on */
    bool stepping;                    /* inside world:step or world:run */
    bool stopped;                     /* world:stop() was called */
    bool watches_steps;               /* there are on_step callbacks */
    bool watches_arrivals;            /* there are "arrived" callbacks */
    bool watches_stuck;               /* there are "stuck" callbacks */
    bool watches_floors;              /* there are "floor" callbacks */
    bool watches_overcome;            /* there are "incapacitated" callbacks */
    bool watches_places;              /* there are "entered" or "left" callbacks */
    bool watches_states;              /* there are enter or exit hooks */
    throng_heap timers;               /* numbers of timers, by when they are due: see bind_timers.c */
    throng_heap late_timers;          /* those that callbacks of the step made, and are due in it */
    int32_t timers_made;              /* the number of the last */
    uint32_t hooks;                   /* of stages: bit 2 * phase + after, see throng_world_set_hook */
    int hooked;                       /* the one that is running, -1: none */
    bool always[THRONG_COLUMN_COUNT]; /* everybody has a behaviour for this column */
    bool calls_behaviours;            /* there are behaviour functions that are called from Lua */
    bool watches_paths;               /* there were path requests */
    double seconds, record_every;     /* s; record_every: 0: nothing, below 0: by the number of agents */
    bool until_done, record_compact, people;
    throng_sampler own[THRONG_OWN_COLUMNS]; /* what agents have at first in columns of the script's own */
    struct throng_lua_spawned *spawned;     /* by group, all of the world's: what removed agents had done */
    int32_t spawned_count, spawned_room;
    int32_t announced;              /* announcements so far */
    struct throng_history *history; /* `throng test` only; NULL before the first step */
} throng_lua_world;

/* What the removed agents of a spawn had done. */
typedef struct throng_lua_spawned {
    int32_t spawned, removed, arrived;
    int32_t first, last; /* steps of the first and last arrival, -1 */
} throng_lua_spawned;

/* A world's user value is a table of these tables. */
enum throng_world_part {
    THRONG_PART_GROUPS = 1,  /* groups by name */
    THRONG_PART_BY_GROUP,    /* by column `group` + 1 */
    THRONG_PART_ARRIVED,     /* list of {group, function}; false for a group: everybody */
    THRONG_PART_STUCK,       /* list of {group, function} */
    THRONG_PART_FLOORS,      /* list of {group, function} */
    THRONG_PART_OVERCOME,    /* list of {group, function} */
    THRONG_PART_PLACES,      /* list of what "entered" and "left" callbacks know: see bind_entered.c */
    THRONG_PART_ON_STEP,     /* list of functions */
    THRONG_PART_MACHINES,    /* numbers of machines, by machine */
    THRONG_PART_HOOKS,       /* by state + 1: {enter =, exit =} */
    THRONG_PART_SLOW,        /* list of {group, function, column}: behaviour functions that are called */
    THRONG_PART_TIMERS,      /* timers by their numbers: see bind_timers.c */
    THRONG_PART_TAGS,        /* groups by tag */
    THRONG_PART_TALLIES,     /* list of what host.tally made: what survives a reload */
    THRONG_PART_PATHS,       /* see bind_paths.c */
    THRONG_PART_MEASURES,    /* measures, in order and by name */
    THRONG_PART_STAGES,      /* see bind_stages.c */
    THRONG_PART_ENVIRONMENT, /* see bind_environment.c */
    THRONG_PART_ALWAYS,      /* by column + 1: prepared behaviours of everybody (behaviour_always.c) */
    THRONG_PART_REGIONS,     /* keeps the throng_shapes of the script's regions alive */
    THRONG_PART_MAP          /* world.map, once it was asked for */
};

#define THRONG_LUA_WORLD    "throng.world"
#define THRONG_LUA_GROUP    "throng.group"
#define THRONG_LUA_COLUMN   "throng.column"
#define THRONG_LUA_MAP      "throng.map"
#define THRONG_LUA_RECORDED "throng.recorded"
#define THRONG_LUA_DOOR     "throng.door"
#define THRONG_LUA_FLIGHT   "throng.flight"
#define THRONG_LUA_LIFT     "throng.lift"
#define THRONG_LUA_MEASURE  "throng.measure"

void throng_refuse_finalizer(lua_State *L); /* raises in one */
throng_lua_world *throng_check_world(lua_State *L, int index);
/* A part of the world's user value. [-0, +1] */
void throng_world_part_push(lua_State *L, int world, int part);
/* Raises when a hook of a stage is running: `method` would add or remove agents. */
void throng_refuse_hooked(lua_State *L, const throng_lua_world *world, const char *method);
/* Room for so many groups; and an entry for each that the world has, for which there is room. */
void throng_spawned_reserve(lua_State *L, throng_lua_world *world, int32_t groups);
throng_lua_spawned *throng_spawned_follow(throng_lua_world *world);

/* Is a function of throng's at work on the world, or on something of it, so that it cannot be closed? Such a function
 * calls the script's where it is given some, and metamethods of the tables that it reads. */
bool throng_world_is_held(lua_State *L, const throng_lua_world *world);

/* A column of whole numbers, by slot; raises when it cannot be read. */
const int32_t *throng_world_read(lua_State *L, const throng_lua_world *world, int column);

#endif
