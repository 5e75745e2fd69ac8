/* The agent store: structure of arrays, one entry a slot.
 *
 * THRONG_COLUMNS declares every column once: the arrays, their transfer to and
 * from the backend, the state hash and the names Lua sees all come from it.
 * A slot stays an agent's for its whole life; handles carry the slot's
 * generation, so a handle to a removed agent is an error and never another
 * agent. Sorting by cell happens in the backend's scratch memory and moves
 * nothing here. */
#ifndef THRONG_AGENTS_H
#define THRONG_AGENTS_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

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
    X(sight, float, 5, "m", "distance within which neighbours are seen")                                               \
    X(neighbours, int32_t, 10, "", "at most this many nearest neighbours are seen")                                    \
    X(planner, int32_t, 0, "", "how it avoids others: an index into the world's planners; in Lua a name")              \
    X(ways, int32_t, 0, "", "how it finds its way from the next time it is sent on; in Lua a name")                    \
    X(closed, int32_t, 0, "", "what it does about closed doors from the next time it is sent on; in Lua a name")       \
    X(congestion, int32_t, 0, "",                                                                                      \
      "1: it looks for ways round queues from the next time it is sent on; in Lua true or false")                      \
    X(goal, int32_t, -1, "", "index into the world's goals, -1: none")                                                 \
    X(goal_x, float, 0, "m", "goal of its own, used when it was sent to a list of points")                             \
    X(goal_y, float, 0, "m", "goal of its own, used when it was sent to a list of points")                             \
    X(corner, int32_t, -1, "", "next corner of its own path in the world's table, -1: it has none")                    \
    X(face, int32_t, -1, "", "navmesh face it stands in, -1: not known")                                               \
    X(via, int32_t, -1, "", "half-edge of the navmesh by which it is leaving its face, -1: none")                      \
    X(frustration, float, 0, "", "0 to 1: how long it has been held up by others")                                     \
    X(still_at, int32_t, 0, "", "where it was when it last made headway, packed")                                      \
    X(still_since, int32_t, -1, "step", "step of that, looked at once a second; -1: it wants to get nowhere")          \
    X(force_x, float, 0, "", "direction of the last avoidance force, a unit vector")                                   \
    X(force_y, float, 0, "", "direction of the last avoidance force, a unit vector")                                   \
    X(state, int32_t, 0, "", "1: alive")                                                                               \
    X(kind, int32_t, 0, "", "index of the spawn it came from")                                                         \
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
    X(mass) X(horizon) X(wall_horizon) X(ways) X(closed) X(congestion) X(goal_x) X(goal_y) X(corner) X(face) X(via) \
    X(force_x) X(force_y) X(kind) X(born) X(planned_vx) X(planned_vy) X(fsm_state) X(fsm_before) X(fsm_since) \
    X(fsm_until) X(fsm_asked) X(fsm_leg) X(home_x) X(home_y)
/* clang-format on */

typedef enum throng_column {
#define X(name, type, initial, unit, text) THRONG_COLUMN_##name,
    THRONG_COLUMNS(X)
#undef X
        THRONG_COLUMN_COUNT
} throng_column;

enum { THRONG_STATE_ALIVE = 1 };

enum throng_ways_method {
    THRONG_WAYS_NAVMESH,
    THRONG_WAYS_ROADMAP,
    THRONG_WAYS_FIELD,
    THRONG_WAYS_DIRECT,
    THRONG_WAYS_COUNT
};

/* Where a door on the way is closed: go another way, while there is one, or go up to it and wait. */
enum throng_closed { THRONG_CLOSED_REROUTE, THRONG_CLOSED_WAIT, THRONG_CLOSED_COUNT };

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

typedef struct throng_handle {
    int32_t slot;
    uint32_t generation;
} throng_handle;

typedef struct throng_agents throng_agents;
struct throng_stages;
struct throng_copy;

/* An empty store whose columns live on the backend of `stages`, which outlives it. */
throng_agents *throng_agents_create(struct throng_stages *stages, throng_error *error);
void throng_agents_destroy(throng_agents *agents);

/* Makes `count` agents with every column at its initial value and writes their
 * handles. Free slots are used first, lowest first; capacity grows by doubling. */
bool throng_agents_add(throng_agents *agents, int32_t count, throng_handle *handles, throng_error *error);

/* Removes the agent. False when the handle is stale: the agent is gone already. */
bool throng_agents_remove(throng_agents *agents, throng_handle handle);

bool throng_agents_alive(const throng_agents *agents, throng_handle handle);

int32_t throng_agents_count(const throng_agents *agents);    /* living */
int32_t throng_agents_slots(const throng_agents *agents);    /* slots in use: every living agent's slot is below */
int32_t throng_agents_capacity(const throng_agents *agents); /* slots there is room for */

/* The handle of the agent that lives in a slot. */
throng_handle throng_agents_handle(const throng_agents *agents, int32_t slot);

/* The agent's `id` column. */
int32_t throng_agents_id(const throng_agents *agents, int32_t slot);

/* The number that the next agent gets. Who sets it writes the column `id` of those whose numbers change. */
int32_t throng_agents_next_id(const throng_agents *agents);
void throng_agents_set_next_id(throng_agents *agents, int32_t id);

/* The whole column on the host, for reading: fetched from the backend when the
 * backend has newer values. Valid until the next step or add. NULL when the transfer failed. */
const void *throng_agents_read(throng_agents *agents, int column, throng_error *error);

/* The same for writing (current values are kept); sent to the backend, whole, before the next step. */
void *throng_agents_write(throng_agents *agents, int column, throng_error *error);

/* What a column holds for the agent in a slot, as a float; nothing else is fetched. False when the transfer failed. */
bool throng_agents_value(throng_agents *agents, int column, int32_t slot, float *value, throng_error *error);

/* Makes room for rare columns (bit each) that the stages will write. */
bool throng_agents_use(throng_agents *agents, uint64_t columns, throng_error *error);

/* False: a rare column in which everybody still has the initial value, so that nobody needs to read it. */
bool throng_agents_uses(const throng_agents *agents, int column);

/* One value for all of these that live, in a column of whole numbers. A rare column stays unused when it is its
 * initial value. */
bool throng_agents_set(throng_agents *agents, int column, const throng_handle *handles, int32_t count, int32_t value,
                       throng_error *error);

/* Columns (bit each) that were written since the last flush. */
uint64_t throng_agents_written(const throng_agents *agents);

/* Sends what was written, before a step; marks columns in `written` (bit per column)
 * as newer on the backend, after one. */
bool throng_agents_flush(throng_agents *agents, throng_error *error);
void throng_agents_stepped(throng_agents *agents, uint64_t written);

/* Begins to copy columns (bit each) of all slots as they are now, and returns at once: see throng_copy. */
bool throng_agents_copy(throng_agents *agents, uint64_t columns, struct throng_copy *copy, throng_error *error);

/* 64-bit hash of all columns of living agents with their ids, in order of slot. */
bool throng_agents_hash(throng_agents *agents, uint64_t *hash, throng_error *error);

/* Bytes of columns that were read after the stages had written them; they were copied, unless the backend works on the
 * host's own arrays. */
uint64_t throng_agents_fetched(const throng_agents *agents);
/* Bytes of columns that the host had written and the stages were given before a step; likewise. */
uint64_t throng_agents_sent(const throng_agents *agents);

/* Bytes held on the host. */
size_t throng_agents_bytes(const throng_agents *agents);

#ifdef __cplusplus
}
#endif

#endif
