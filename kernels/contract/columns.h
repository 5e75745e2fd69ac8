/* The agents' columns, each declared once. The arrays and what they hold at first, the kernels' pointers (crowd.h) and
 * the transfers to and from backends, the state hash, what scripts may read and write, and their texts, what
 * world:spawn takes, and what a reload keeps all come from THRONG_COLUMNS. */
#ifndef THRONG_COLUMNS_H
#define THRONG_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sizes.h"
#include "planners.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What is true of a column. */
enum throng_column_attribute {
    /* Many worlds have no use for it. It takes memory, here and on the backend, from when somebody first reads or
     * writes it; until then everybody has its initial value, and kernels do without it: CROWD_FLOAT, CROWD_INT. */
    THRONG_RARE = 1 << 0,
    /* Stages that write it; THRONG_BY_MACHINES: stage goals, where there are state machines. */
    THRONG_BY_GOALS = 1 << 1,
    THRONG_BY_MACHINES = 1 << 2,
    THRONG_BY_DESIRE = 1 << 3,
    THRONG_BY_PLAN = 1 << 4,
    THRONG_BY_MOVE = 1 << 5,
    /* Read before stage sense runs: the frame's bounds come from it (world_limits.c); or by sense, which keeps a copy.
     */
    THRONG_BOUNDS = 1 << 6,
    THRONG_SENSED = 1 << 7,
    /* Scripts may write it; only hooks of stages may; nobody, without either. */
    THRONG_SCRIPT = 1 << 8,
    THRONG_HOOKS = 1 << 9,
    /* What a reload does with it: an agent keeps its value; unless the script gives another than before; or code of its
     * own decides (world_migrate.c), which may need to know what it was at first. */
    THRONG_KEPT_UNCHANGED = 1 << 10,
    THRONG_MIGRATED = 1 << 11,
    THRONG_REMEMBERED = 1 << 12,
    /* The viewer's inspector does not list it: its number means nothing to people, or is told in words; or does so only
     * once somebody in the world uses it, since its initial value means that an agent has none. */
    THRONG_HIDDEN = 1 << 13,
    THRONG_OPTIONAL = 1 << 14
};

#define THRONG_LEAST_RADIUS 1e-3 /* m: what is less is lost in the rounding of positions */

/* X(name, type, initial, unit, spawned, attributes, least, most, form, what it is, why no behaviour function)
 * spawned: spawn: world:spawn takes it, a number that may differ from agent to agent; spawn_so: likewise, and says by
 * itself what it is when it is not given (bind_spawn.c); planner: the planner's constructor takes it (planners.h);
 * no: neither.
 * least, most, form (THRONG_FROM: >= least; THRONG_ABOVE: > least): what scripts may write.
 * why no behaviour function may compute it, of those that scripts may write; NULL: one may. */
/* clang-format off */
#define THRONG_COLUMNS(X) \
    X(id, int32_t, -1, "", no, THRONG_HIDDEN, 0, 0, THRONG_FROM, \
      "number in the order of spawning, counted from 0 and never used again", NULL) \
    X(x, float, 0, "m", no, THRONG_BY_MOVE | THRONG_SENSED | THRONG_HOOKS, -1e6, 1e6, THRONG_FROM, \
      "position", "only hooks of stages write it") \
    X(y, float, 0, "m", no, THRONG_BY_MOVE | THRONG_SENSED | THRONG_HOOKS, -1e6, 1e6, THRONG_FROM, \
      "position", "only hooks of stages write it") \
    X(vx, float, 0, "m/s", no, THRONG_BY_GOALS | THRONG_BY_MOVE | THRONG_SENSED | THRONG_SCRIPT, -1000, 1000, THRONG_FROM, \
      "velocity", "velocities are the planner's; give group.desired the function") \
    X(vy, float, 0, "m/s", no, THRONG_BY_GOALS | THRONG_BY_MOVE | THRONG_SENSED | THRONG_SCRIPT, -1000, 1000, THRONG_FROM, \
      "velocity", "velocities are the planner's; give group.desired the function") \
    X(hx, float, 1, "", no, THRONG_BY_GOALS | THRONG_BY_PLAN | THRONG_BY_MOVE, 0, 0, THRONG_FROM, \
      "heading, a unit vector: where it looks, which is where it walks or, the slower it does, where it wants to go", NULL) \
    X(hy, float, 0, "", no, THRONG_BY_GOALS | THRONG_BY_PLAN | THRONG_BY_MOVE, 0, 0, THRONG_FROM, \
      "heading, a unit vector: where it looks, which is where it walks or, the slower it does, where it wants to go", NULL) \
    X(desired_vx, float, 0, "m/s", no, THRONG_BY_DESIRE | THRONG_HOOKS, -1000, 1000, THRONG_FROM, \
      "preferred velocity", "give group.desired one that returns vx, vy") \
    X(desired_vy, float, 0, "m/s", no, THRONG_BY_DESIRE | THRONG_HOOKS, -1000, 1000, THRONG_FROM, \
      "preferred velocity", "give group.desired one that returns vx, vy") \
    X(radius, float, 0.25, "m", spawn_so, THRONG_BOUNDS | THRONG_SCRIPT | THRONG_KEPT_UNCHANGED, \
      THRONG_LEAST_RADIUS, 100, THRONG_FROM, \
      "radius of the body: half its depth, and half its width where that is not given", \
      "a body that grows would enter its neighbours, and routes are found for one size") \
    X(mass, float, 80, "kg", spawn, THRONG_RARE | THRONG_SCRIPT | THRONG_KEPT_UNCHANGED, 0, 1e6, THRONG_ABOVE, \
      "mass; the lighter of two agents in contact gives way more", NULL) \
    X(speed, float, 1.34, "m/s", spawn, THRONG_SCRIPT | THRONG_KEPT_UNCHANGED, 0, 1000, THRONG_FROM, \
      "preferred speed", NULL) \
    X(max_speed, float, 2, "m/s", spawn_so, THRONG_BOUNDS | THRONG_SCRIPT | THRONG_KEPT_UNCHANGED, 0, 1000, THRONG_FROM, \
      "largest speed, whatever the planner", \
      "the search for contacts reaches as far as the fastest agent can get, which must be known before the frame; " \
      "give the function to `speed`") \
    X(horizon, float, 3, "s", planner, THRONG_RARE | THRONG_SCRIPT | THRONG_KEPT_UNCHANGED, 0, 1e6, THRONG_ABOVE, \
      "time horizon: collisions with agents this far ahead are avoided", NULL) \
    X(wall_horizon, float, 1, "s", planner, THRONG_RARE | THRONG_BOUNDS | THRONG_SCRIPT | THRONG_KEPT_UNCHANGED, \
      0, 1e6, THRONG_ABOVE, \
      "time horizon for walls", \
      "the walls' grid is sized by the longest horizon, which must be known before the frame") \
    X(time_gap, float, 0.6, "s", spawn, THRONG_RARE | THRONG_SCRIPT | THRONG_KEPT_UNCHANGED, 0, 1e6, THRONG_FROM, \
      "time gap to the agent ahead that walks the same way; who it holds to less than 0.4 m/s stops and goes; 0: none " \
      "is kept", NULL) \
    X(relaxation, float, 0.5, "s", spawn, THRONG_RARE | THRONG_SCRIPT | THRONG_KEPT_UNCHANGED, 0, 1e6, THRONG_FROM, \
      "time to accelerate from standing to the preferred speed; 0: at once, and steps backwards are allowed", NULL) \
    X(sight, float, 5, "m", planner, THRONG_BOUNDS | THRONG_SCRIPT | THRONG_KEPT_UNCHANGED, 0, 1e6, THRONG_FROM, \
      "distance within which neighbours are seen", \
      "the neighbour grid is sized by the farthest sight, which must be known before the frame") \
    X(neighbours, int32_t, 10, "", no, THRONG_BOUNDS | THRONG_SCRIPT | THRONG_KEPT_UNCHANGED, \
      0, THRONG_NEIGHBOURS_MAX, THRONG_FROM, \
      "at most this many nearest neighbours are seen", "it is a whole number, by which neighbour lists are sized") \
    X(planner, int32_t, 0, "", no, \
      THRONG_BOUNDS | THRONG_SCRIPT | THRONG_MIGRATED | THRONG_REMEMBERED | THRONG_HIDDEN, \
      0, INT32_MAX, THRONG_FROM, \
      "how it avoids others: an index into the world's planners; in Lua a name", "planners are chosen by name") \
    X(routing, int32_t, 0, "", no, THRONG_RARE | THRONG_SCRIPT | THRONG_KEPT_UNCHANGED | THRONG_HIDDEN, \
      0, THRONG_ROUTING_COUNT - 1, THRONG_FROM, \
      "how it finds its paths, applied at the next `go_to`; in Lua a name", "it is chosen by name, like \"field\"") \
    X(door_policy, int32_t, 0, "", no, THRONG_RARE | THRONG_SCRIPT | THRONG_KEPT_UNCHANGED | THRONG_HIDDEN, \
      0, THRONG_DOORS_COUNT - 1, THRONG_FROM, \
      "closed-door policy, applied at the next `go_to`; in Lua a name", "it is chosen by name, like \"wait\"") \
    X(congestion, int32_t, 0, "", no, THRONG_RARE | THRONG_SCRIPT | THRONG_KEPT_UNCHANGED | THRONG_HIDDEN, \
      0, 1, THRONG_FROM, \
      "1: it looks for routes round congestion, applied at the next `go_to`; in Lua true or false", \
      "it is true or false") \
    X(goal, int32_t, -1, "", no, THRONG_BY_MACHINES | THRONG_MIGRATED | THRONG_REMEMBERED | THRONG_HIDDEN, \
      0, 0, THRONG_FROM, \
      "index into the world's goals, -1: none", NULL) \
    X(goal_x, float, 0, "m", no, \
      THRONG_RARE | THRONG_BY_MACHINES | THRONG_SCRIPT | THRONG_MIGRATED | THRONG_REMEMBERED | THRONG_OPTIONAL, \
      -1e6, 1e6, THRONG_FROM, \
      "goal of its own, used when it was sent to a list of points", NULL) \
    X(goal_y, float, 0, "m", no, \
      THRONG_RARE | THRONG_BY_MACHINES | THRONG_SCRIPT | THRONG_MIGRATED | THRONG_REMEMBERED | THRONG_OPTIONAL, \
      -1e6, 1e6, THRONG_FROM, \
      "goal of its own, used when it was sent to a list of points", NULL) \
    X(waypoint, int32_t, -1, "", no, \
      THRONG_RARE | THRONG_BY_GOALS | THRONG_BY_DESIRE | THRONG_MIGRATED | THRONG_HIDDEN, \
      0, 0, THRONG_FROM, \
      "next waypoint of its own path in the world's table, -1: it has none", NULL) \
    X(face, int32_t, -1, "", no, THRONG_RARE | THRONG_BY_DESIRE | THRONG_MIGRATED | THRONG_HIDDEN, \
      0, 0, THRONG_FROM, \
      "navmesh face it stands in, -1: not known", NULL) \
    X(exit_edge, int32_t, -1, "", no, THRONG_RARE | THRONG_BY_DESIRE | THRONG_MIGRATED | THRONG_HIDDEN, \
      0, 0, THRONG_FROM, \
      "half-edge of the navmesh through which it leaves its face, -1: none", NULL) \
    X(frustration, float, 0, "", no, THRONG_BY_GOALS | THRONG_BY_MOVE | THRONG_HOOKS, 0, 1, THRONG_FROM, \
      "0 to 1: how long it has been held up by others", "only hooks of stages write it") \
    X(last_progress_cell, int32_t, 0, "", no, THRONG_BY_GOALS | THRONG_HIDDEN, 0, 0, THRONG_FROM, \
      "place where it last made progress, packed", NULL) \
    X(last_progress_step, int32_t, -1, "step", no, THRONG_BY_GOALS | THRONG_HIDDEN, 0, 0, THRONG_FROM, \
      "step at which it last made progress, exact to a second; -1: it does not want to move", NULL) \
    X(force_x, float, 0, "", no, THRONG_RARE | THRONG_BY_PLAN | THRONG_OPTIONAL, 0, 0, THRONG_FROM, \
      "direction that the planner remembers, a unit vector; collision_free_speed: its turn, rad", NULL) \
    X(force_y, float, 0, "", no, THRONG_RARE | THRONG_BY_PLAN | THRONG_OPTIONAL, 0, 0, THRONG_FROM, \
      "direction that the planner remembers, a unit vector", NULL) \
    X(state, int32_t, 0, "", no, THRONG_BOUNDS | THRONG_MIGRATED | THRONG_HIDDEN, 0, 0, THRONG_FROM, \
      "1: alive", NULL) \
    X(group, int32_t, 0, "", no, THRONG_RARE | THRONG_MIGRATED | THRONG_HIDDEN, 0, 0, THRONG_FROM, \
      "index of the spawn it came from", NULL) \
    X(born, int32_t, 0, "step", no, THRONG_RARE | THRONG_HIDDEN, 0, 0, THRONG_FROM, \
      "step at which it was spawned", NULL) \
    X(arrived, int32_t, -1, "step", no, THRONG_BY_GOALS | THRONG_MIGRATED | THRONG_HIDDEN, 0, 0, THRONG_FROM, \
      "step at which it reached its goal, -1: not yet", NULL) \
    X(fsm_state, int32_t, -1, "", no, THRONG_RARE | THRONG_BY_MACHINES | THRONG_MIGRATED | THRONG_HIDDEN, \
      0, 0, THRONG_FROM, \
      "state of its machine, -1: it has none; in Lua its name, \"\"", NULL) \
    X(fsm_before, int32_t, -1, "", no, THRONG_RARE | THRONG_BY_MACHINES | THRONG_MIGRATED | THRONG_HIDDEN, \
      0, 0, THRONG_FROM, \
      "the state before that; in Lua its name", NULL) \
    X(fsm_since, int32_t, -1, "step", no, THRONG_RARE | THRONG_BY_MACHINES | THRONG_MIGRATED | THRONG_HIDDEN, \
      0, 0, THRONG_FROM, \
      "step at which it entered its state, -1: never", NULL) \
    X(fsm_until, int32_t, -1, "step", no, THRONG_RARE | THRONG_BY_MACHINES | THRONG_MIGRATED | THRONG_HIDDEN, \
      0, 0, THRONG_FROM, \
      "step at which it leaves its state because its time is over, -1: never", NULL) \
    X(fsm_asked, int32_t, -1, "", no, \
      THRONG_RARE | THRONG_BY_MACHINES | THRONG_MIGRATED | THRONG_REMEMBERED | THRONG_HIDDEN, \
      0, 0, THRONG_FROM, \
      "next state of its machine; or -2 - n: a random choice whose first option is n", NULL) \
    X(fsm_leg, int32_t, 0, "", no, THRONG_RARE | THRONG_BY_MACHINES | THRONG_HIDDEN, 0, 0, THRONG_FROM, \
      "index, from 0, of its goal among those of its state", NULL) \
    X(home_x, float, 0, "m", no, THRONG_RARE | THRONG_BY_MACHINES | THRONG_HIDDEN, 0, 0, THRONG_FROM, \
      "where it began to wander", NULL) \
    X(home_y, float, 0, "m", no, THRONG_RARE | THRONG_BY_MACHINES | THRONG_HIDDEN, 0, 0, THRONG_FROM, \
      "where it began to wander", NULL) \
    X(planned_vx, float, 0, "m/s", no, THRONG_RARE | THRONG_BY_MOVE | THRONG_OPTIONAL, 0, 0, THRONG_FROM, \
      "velocity planned for the next step, in worlds with latency = 1", NULL) \
    X(planned_vy, float, 0, "m/s", no, THRONG_RARE | THRONG_BY_MOVE | THRONG_OPTIONAL, 0, 0, THRONG_FROM, \
      "velocity planned for the next step, in worlds with latency = 1", NULL) \
    X(company, int32_t, -1, "", no, THRONG_RARE | THRONG_MIGRATED | THRONG_REMEMBERED | THRONG_OPTIONAL, \
      0, 0, THRONG_FROM, \
      "number of the company it walks with, -1: it walks alone", NULL) \
    X(mate, int32_t, -1, "", no, THRONG_RARE | THRONG_MIGRATED | THRONG_HIDDEN, 0, 0, THRONG_FROM, \
      "slot of the next member of its company by id, the first after the last; -1: it walks alone", NULL) \
    X(turn_rate, float, 1e6, "rad/s", spawn, THRONG_RARE | THRONG_SCRIPT | THRONG_KEPT_UNCHANGED | THRONG_OPTIONAL, \
      0, 1e6, THRONG_ABOVE, \
      "fastest turn, whatever the planner; 1e6: any", NULL) \
    X(pre_movement, float, 0, "s", spawn, THRONG_RARE | THRONG_SCRIPT | THRONG_KEPT_UNCHANGED | THRONG_OPTIONAL, \
      0, 1e6, THRONG_FROM, \
      "pre-movement time: until so long after it was spawned it only gives way to others, whatever its goal", NULL) \
    X(floor, int32_t, 0, "", no, THRONG_RARE | THRONG_BY_MOVE | THRONG_SENSED | THRONG_OPTIONAL, 0, 0, THRONG_FROM, \
      "the floor or flight that it is on, a sheet (sheets.h); in Lua its name", NULL) \
    X(lift, int32_t, 0, "", no, THRONG_RARE | THRONG_OPTIONAL, 0, 0, THRONG_FROM, \
      "number, from 1, of the lift that it waits for or rides in; negative: of the lift whose open door it may pass; " \
      "0: none", NULL) \
    X(tolerance, float, 1, "", spawn, THRONG_RARE | THRONG_SCRIPT | THRONG_KEPT_UNCHANGED | THRONG_OPTIONAL, 0, 1e6, THRONG_ABOVE, \
      "dose at which smoke or heat overcome it: what `fed`, `fec` or `heat_dose` must reach", NULL) \
    X(fed, float, 0, "", no, THRONG_RARE | THRONG_SCRIPT | THRONG_KEPT_UNCHANGED | THRONG_OPTIONAL, 0, 1e6, THRONG_FROM, \
      "fractional effective dose of what it has breathed in smoke; 1 overcomes half of all people", NULL) \
    X(fed_rest, float, 0, "", no, THRONG_RARE | THRONG_SCRIPT | THRONG_KEPT_UNCHANGED | THRONG_HIDDEN, -1, 1, THRONG_FROM, \
      "what of that dose is left beside whole millionths", NULL) \
    X(fec, float, 0, "", no, THRONG_RARE | THRONG_SCRIPT | THRONG_KEPT_UNCHANGED | THRONG_OPTIONAL, 0, 1e6, THRONG_FROM, \
      "fractional effective concentration of the irritants where it is", NULL) \
    X(heat_dose, float, 0, "", no, THRONG_RARE | THRONG_SCRIPT | THRONG_KEPT_UNCHANGED | THRONG_OPTIONAL, 0, 1e6, THRONG_FROM, \
      "fractional effective dose of heat", NULL) \
    X(pace, float, 1, "", spawn, THRONG_RARE | THRONG_SCRIPT | THRONG_KEPT_UNCHANGED | THRONG_OPTIONAL, 0, 100, THRONG_FROM, \
      "what of its preferred speed it walks, as smoke has it; 0: it stands, whatever its planner or script wants", NULL) \
    X(width, float, 0, "m", spawn, \
      THRONG_RARE | THRONG_OPTIONAL | THRONG_BOUNDS | THRONG_SCRIPT | THRONG_KEPT_UNCHANGED, \
      0, 100, THRONG_FROM, \
      "width of the body across the shoulders, which is twice its radius deep; less than that: it is a disc", \
      "a body that grows would enter its neighbours, and routes are found for one size") \
    X(shoulders, float, 1.57079633, "rad", no, THRONG_RARE | THRONG_OPTIONAL | THRONG_BY_MOVE, 0, 0, THRONG_FROM, \
      "direction of the line across the shoulders, an angle from the x axis, -pi/2 to pi/2", NULL) \
    X(stairs_up, float, 0, "m/s", spawn, THRONG_RARE | THRONG_SCRIPT | THRONG_KEPT_UNCHANGED | THRONG_OPTIONAL, \
      0, 100, THRONG_FROM, \
      "speed up stairs, along their slope, where it would walk `speed` on the level; 0: the share of that which the " \
      "flight keeps. Drawn for the person that `speed` is drawn for: who is fast there is fast here", NULL) \
    X(stairs_down, float, 0, "m/s", spawn, THRONG_RARE | THRONG_SCRIPT | THRONG_KEPT_UNCHANGED | THRONG_OPTIONAL, \
      0, 100, THRONG_FROM, \
      "speed down stairs, likewise", NULL) \
    THRONG_OWN_COLUMN(X, own_1) \
    THRONG_OWN_COLUMN(X, own_2) \
    THRONG_OWN_COLUMN(X, own_3) \
    THRONG_OWN_COLUMN(X, own_4) \
    THRONG_OWN_COLUMN(X, own_5) \
    THRONG_OWN_COLUMN(X, own_6) \
    THRONG_OWN_COLUMN(X, own_7) \
    THRONG_OWN_COLUMN(X, own_8)

/* Columns for scripts to declare (world:column), the last ones: nobody has a use for them before, and they count in no
 * hash. The agent store knows their names and units (throng_agents_column). */
#define THRONG_OWN_COLUMN(X, name) \
    X(name, float, 0, "", no, THRONG_RARE | THRONG_SCRIPT | THRONG_KEPT_UNCHANGED, -1e9, 1e9, THRONG_FROM, \
      "a column of the script's own", NULL)
/* clang-format on */

typedef enum throng_column {
#define X(name, ...) THRONG_COLUMN_##name,
    THRONG_COLUMNS(X)
#undef X
        THRONG_COLUMN_COUNT
} throng_column;

enum {
    THRONG_COLUMN_GIVEN = THRONG_COLUMN_own_1, /* those that every world has come before */
    THRONG_OWN_COLUMNS = THRONG_COLUMN_COUNT - THRONG_COLUMN_GIVEN
};

/* A set of columns: a bit for each, of which there are 127 at most. */
__extension__ typedef unsigned __int128 throng_column_set;

#define THRONG_COLUMN_SET(column) ((throng_column_set)1 << (column))
#define THRONG_COLUMN_BIT(name)   THRONG_COLUMN_SET(THRONG_COLUMN_##name)

static inline bool throng_column_in(throng_column_set set, int column) { return set >> column & 1; }

static inline int throng_column_set_size(throng_column_set set)
{
    return __builtin_popcountll((uint64_t)set) + __builtin_popcountll((uint64_t)(set >> 64));
}

/* Those that have any of these attributes: a constant, where these are one. */
static inline throng_column_set throng_columns_with(int any)
{
#define X(name, type, initial, unit, spawned, attributes, ...)                                                         \
    | ((attributes)&any ? THRONG_COLUMN_BIT(name) : (throng_column_set)0)
    return 0 THRONG_COLUMNS(X);
#undef X
}

/* What follows for those that are `spawned` so. */
#define THRONG_IF_SPAWNED_spawn(...)    __VA_ARGS__
#define THRONG_IF_SPAWNED_spawn_so(...) __VA_ARGS__
#define THRONG_IF_SPAWNED_planner(...)
#define THRONG_IF_SPAWNED_no(...)
#define THRONG_IF_DRAWN_spawn(...)    __VA_ARGS__
#define THRONG_IF_DRAWN_spawn_so(...) __VA_ARGS__
#define THRONG_IF_DRAWN_planner(...)  __VA_ARGS__
#define THRONG_IF_DRAWN_no(...)

enum { THRONG_STATE_ALIVE = 1 };

enum throng_routing_method {
    THRONG_ROUTING_NAVMESH,
    THRONG_ROUTING_ROADMAP,
    THRONG_ROUTING_FIELD,
    THRONG_ROUTING_DIRECT,
    THRONG_ROUTING_COUNT
};

/* Where a door on the way is closed: go another way, while there is one, or go up to it and wait. */
enum throng_door_policy { THRONG_DOORS_REROUTE, THRONG_DOORS_WAIT, THRONG_DOORS_COUNT };

/* What numbers may be. */
typedef struct throng_range {
    double least, most;
    bool above;       /* greater than `least`, not equal */
    const char *unit; /* "m", "" */
} throng_range;

typedef struct throng_column_info {
    const char *name, *unit, *text;
    bool is_float; /* float, else int32_t; both are four bytes */
    double initial;
    int attributes;         /* of throng_column_attribute */
    throng_range range;     /* what scripts may write */
    const char *uncomputed; /* why no behaviour function may, NULL: one may */
} throng_column_info;

/* The columns' arrays, in their order. A rare column that nobody has used yet is NULL. */
#define THRONG_COLUMN_ARRAY(name, type, ...) type *name;
typedef struct throng_agent_columns {
    THRONG_COLUMNS(THRONG_COLUMN_ARRAY)
} throng_agent_columns;

static inline void **throng_column_of(throng_agent_columns *columns, int column) { return (void **)columns + column; }

extern const throng_column_info throng_columns[THRONG_COLUMN_COUNT];

/* The column of that name which every world has, or -1. */
int throng_column_named(const char *name);

/* The number that keeps a column's random numbers, or a planner parameter's (THRONG_COLUMN_COUNT + THRONG_bvp_width
 * ...), apart from those of others. A new row of THRONG_COLUMNS changes nobody's. */
uint32_t throng_column_stream(int column);

#ifdef __cplusplus
}
#endif

#endif
