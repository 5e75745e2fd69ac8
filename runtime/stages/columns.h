/* The agents' columns, each declared once: the arrays, their transfer to and from the backend, the state hash and the
 * names Lua sees all come from THRONG_COLUMNS. */
#ifndef THRONG_COLUMNS_H
#define THRONG_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* X(name, type, initial, unit, what it is) */
#define THRONG_COLUMNS(X)                                                                                              \
    X(id, int32_t, -1, "", "number in the order of spawning, counted from 0 and never used again")                     \
    X(x, float, 0, "m", "position")                                                                                    \
    X(y, float, 0, "m", "position")                                                                                    \
    X(vx, float, 0, "m/s", "velocity")                                                                                 \
    X(vy, float, 0, "m/s", "velocity")                                                                                 \
    X(hx, float, 1, "", "heading, a unit vector: the direction last walked in")                                        \
    X(hy, float, 0, "", "heading, a unit vector: the direction last walked in")                                        \
    X(desired_vx, float, 0, "m/s", "preferred velocity, written by the desire stage")                                  \
    X(desired_vy, float, 0, "m/s", "preferred velocity, written by the desire stage")                                  \
    X(radius, float, 0.25f, "m", "radius of the body's disc")                                                          \
    X(mass, float, 80, "kg", "mass: who gives way to whom when bodies touch")                                          \
    X(speed, float, 1.34f, "m/s", "preferred speed")                                                                   \
    X(max_speed, float, 2, "m/s", "speed that no planner exceeds")                                                     \
    X(horizon, float, 3, "s", "time horizon: collisions with agents this far ahead are avoided")                       \
    X(wall_horizon, float, 1, "s", "time horizon for walls")                                                           \
    X(time_gap, float, 0.6f, "s", "time gap kept to who walks ahead the same way, 0: none")                            \
    X(relaxation, float, 0.5f, "s", "time to get from a stand to one's own speed, 0: none, and steps back")            \
    X(sight, float, 5, "m", "distance within which neighbours are seen")                                               \
    X(neighbours, int32_t, 10, "", "at most this many nearest neighbours are seen")                                    \
    X(planner, int32_t, 0, "", "how it avoids others: an index into the world's planners; in Lua a name")              \
    X(routing, int32_t, 0, "", "how it finds its paths, applied at the next `go_to`; in Lua a name")                   \
    X(door_policy, int32_t, 0, "", "closed-door policy, applied at the next `go_to`; in Lua a name")                   \
    X(congestion, int32_t, 0, "",                                                                                      \
      "1: it looks for routes round congestion, applied at the next `go_to`; in Lua true or false")                    \
    X(goal, int32_t, -1, "", "index into the world's goals, -1: none")                                                 \
    X(goal_x, float, 0, "m", "goal of its own, used when it was sent to a list of points")                             \
    X(goal_y, float, 0, "m", "goal of its own, used when it was sent to a list of points")                             \
    X(waypoint, int32_t, -1, "", "next waypoint of its own path in the world's table, -1: it has none")                \
    X(face, int32_t, -1, "", "navmesh face it stands in, -1: not known")                                               \
    X(exit_edge, int32_t, -1, "", "half-edge of the navmesh by which it is leaving its face, -1: none")                \
    X(frustration, float, 0, "", "0 to 1: how long it has been held up by others")                                     \
    X(last_progress_cell, int32_t, 0, "", "place where it last made progress, packed")                                 \
    X(last_progress_step, int32_t, -1, "step",                                                                         \
      "step at which it last made progress, to the second; -1: it does not want to move")                              \
    X(force_x, float, 0, "",                                                                                           \
      "what a planner remembers of its direction, a unit vector; collision_free_speed: its turn, rad")                 \
    X(force_y, float, 0, "", "what a planner remembers of its direction, a unit vector")                               \
    X(state, int32_t, 0, "", "1: alive")                                                                               \
    X(group, int32_t, 0, "", "index of the spawn it came from")                                                        \
    X(born, int32_t, 0, "step", "step at which it was spawned")                                                        \
    X(arrived, int32_t, -1, "step", "step at which it reached its goal, -1: not yet")                                  \
    X(fsm_state, int32_t, -1, "", "state of its machine, -1: it has none; in Lua its name, \"\"")                      \
    X(fsm_before, int32_t, -1, "", "the state before that; in Lua its name")                                           \
    X(fsm_since, int32_t, -1, "step", "step at which it entered its state, -1: never")                                 \
    X(fsm_until, int32_t, -1, "step", "step at which its time in the state is over, -1: never")                        \
    X(fsm_asked, int32_t, -1, "", "what its machine does next: a state, or -2 - the first option of a transition")     \
    X(fsm_leg, int32_t, 0, "", "which goal of its state it walks to, counted from 0")                                  \
    X(home_x, float, 0, "m", "where it began to wander")                                                               \
    X(home_y, float, 0, "m", "where it began to wander")                                                               \
    X(planned_vx, float, 0, "m/s", "velocity that was planned for the next step, where the world's latency is 1")      \
    X(planned_vy, float, 0, "m/s", "velocity that was planned for the next step, where the world's latency is 1")

/* The columns that many worlds have no use for. One takes memory, here and on the backend, from when somebody first
 * reads or writes it; until then everybody has its initial value, and the kernels do without it. */
/* clang-format off */
#define THRONG_RARE_COLUMNS(X) \
    X(mass) X(horizon) X(wall_horizon) X(time_gap) X(relaxation) X(routing) X(door_policy) X(congestion) X(goal_x) X(goal_y) X(waypoint) X(face) X(exit_edge) \
    X(force_x) X(force_y) X(group) X(born) X(planned_vx) X(planned_vy) X(fsm_state) X(fsm_before) X(fsm_since) \
    X(fsm_until) X(fsm_asked) X(fsm_leg) X(home_x) X(home_y)
/* clang-format on */

typedef enum throng_column {
#define X(name, type, initial, unit, text) THRONG_COLUMN_##name,
    THRONG_COLUMNS(X)
#undef X
        THRONG_COLUMN_COUNT
} throng_column;

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

typedef struct throng_column_info {
    const char *name, *unit, *text;
    size_t offset; /* of the pointer in throng_agent_columns */
    bool is_float; /* float, else int32_t; both are four bytes */
    double initial;
} throng_column_info;

/* A rare column that nobody has used yet is NULL. */
typedef struct throng_agent_columns {
#define X(name, type, initial, unit, text) type *name;
    THRONG_COLUMNS(X)
#undef X
} throng_agent_columns;

extern const throng_column_info throng_columns[THRONG_COLUMN_COUNT];

/* The column of that name, or -1. */
int throng_column_named(const char *name);

#ifdef __cplusplus
}
#endif

#endif
