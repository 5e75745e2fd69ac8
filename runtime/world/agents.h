/* The agent store: structure of arrays, one entry a slot.
 *
 * A slot stays an agent's for its whole life; handles carry the slot's
 * generation, so a handle to a removed agent is an error and never another
 * agent. Sorting by cell happens in the backend's scratch memory and moves
 * nothing here. */
#ifndef THRONG_AGENTS_H
#define THRONG_AGENTS_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "kernels/contract/columns.h"

#ifdef __cplusplus
extern "C" {
#endif

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

/* The store, which has columns on no device yet, gives them to the backend of `stages`, and all of their values before
 * the next step; the caller puts it in place of the one before. False, and nothing is changed: it has no room. */
bool throng_agents_change_backend(throng_agents *agents, const struct throng_stages *stages, throng_error *error);

/* The same stages are somewhere else now. */
void throng_agents_set_stages(throng_agents *agents, struct throng_stages *stages);

/* Makes `count` agents with every column at its initial value and writes their
 * handles. Free slots are used first, lowest first; capacity grows by doubling. */
bool throng_agents_add(throng_agents *agents, int32_t count, throng_handle *handles, throng_error *error);

/* Takes back those that were added last, as if they had never been. */
void throng_agents_take_back(throng_agents *agents, const throng_handle *handles, int32_t count);

/* So many agents can be removed now without failing. */
bool throng_agents_reserve_removals(throng_agents *agents, int32_t count, throng_error *error);

/* Removes the agent. False when the handle is stale: the agent is gone already. */
bool throng_agents_remove(throng_agents *agents, throng_handle handle);

bool throng_agents_alive(const throng_agents *agents, throng_handle handle);

int32_t throng_agents_count(const throng_agents *agents);    /* living */
int32_t throng_agents_slots(const throng_agents *agents);    /* slots in use: every living agent's slot is below */
int32_t throng_agents_capacity(const throng_agents *agents); /* slots there is room for */
/* How often the columns' arrays were others than before: whoever has told somebody where they are tells it again. */
uint32_t throng_agents_moves(const throng_agents *agents);

/* The handle of the agent that lives in a slot. */
throng_handle throng_agents_handle(const throng_agents *agents, int32_t slot);

/* The agent's `id` column. */
int32_t throng_agents_id(const throng_agents *agents, int32_t slot);

/* The number that the next agent gets. Who sets it writes the column `id` of those whose numbers change. */
int32_t throng_agents_next_id(const throng_agents *agents);
void throng_agents_set_next_id(throng_agents *agents, int32_t id);

/* --- columns of the script's own: those from THRONG_COLUMN_GIVEN on, in the order in which they were declared */

enum { THRONG_COLUMN_NAME = 32 }; /* bytes of a name, or unit, and its end */

/* May a column of a script's own be named so? Lower-case letters, digits and _, and no name that recordings use. */
bool throng_column_may_be_named(const char *name);

/* A column more, in which everybody has 0. -1 and a message when the name is none or taken, or there are
 * THRONG_OWN_COLUMNS already. */
int throng_agents_declare(throng_agents *agents, const char *name, const char *unit, throng_error *error);

/* How many columns have a name, these included: the first so many. */
int throng_agents_columns(const throng_agents *agents);

/* What is known of any of them; the text stays as long as the store. */
const throng_column_info *throng_agents_column(const throng_agents *agents, int column);

/* The column of that name, or -1. */
int throng_agents_column_named(const throng_agents *agents, const char *name);

/* The whole column on the host, for reading: fetched from the backend when the
 * backend has newer values. Valid until the next step or add. NULL when the transfer failed. */
const void *throng_agents_read(throng_agents *agents, int column, throng_error *error);

/* The same, but a rare column stays unused, which kernels do without: `*stride` is 0 then, and the initial value is
 * what is returned, in `*initial`. Else `*stride` is 1. */
const void *throng_agents_peek(throng_agents *agents, int column, uint32_t *initial, int32_t *stride,
                               throng_error *error);

/* The same for writing (current values are kept); sent to the backend, whole, before the next step. */
void *throng_agents_write(throng_agents *agents, int column, throng_error *error);

/* The column where the stages work on it, for reading, with all that was written, and the stages done: on CUDA device
 * `*device`, or on the host, -1. Valid as that of throng_agents_read is. */
const void *throng_agents_share(throng_agents *agents, int column, int32_t *device, throng_error *error);

/* What a column holds for the agent in a slot, as a float; nothing else is fetched. False when the transfer failed. */
bool throng_agents_value(throng_agents *agents, int column, int32_t slot, float *value, throng_error *error);

/* How often the column may have become another: by who writes it here, and by steps. */
uint32_t throng_agents_edits(const throng_agents *agents, int column);

/* Makes room for rare columns (bit each) that the stages will write. */
bool throng_agents_use(throng_agents *agents, throng_column_set columns, throng_error *error);

/* False: a rare column in which everybody still has the initial value, so that nobody needs to read it. */
bool throng_agents_uses(const throng_agents *agents, int column);

/* One value for all of these that live, in a column of whole numbers. A rare column stays unused when it is its
 * initial value. */
bool throng_agents_set(throng_agents *agents, int column, const throng_handle *handles, int32_t count, int32_t value,
                       throng_error *error);

/* Columns (bit each) that were written since the last flush. */
throng_column_set throng_agents_written(const throng_agents *agents);

/* Sends what was written, before a step; marks columns in `written` (bit per column)
 * as newer on the backend, after one. */
bool throng_agents_flush(throng_agents *agents, throng_error *error);
void throng_agents_stepped(throng_agents *agents, throng_column_set written);
/* The backend says that the last step wrote `value` in these slots of a whole column, and nothing else there: then who
 * had the column before the step need not fetch it. */
void throng_agents_follow(throng_agents *agents, int column, const int32_t *slots, int32_t count, int32_t value);

/* Begins to copy columns (bit each) of all slots as they are now, and returns at once: see throng_copy. */
bool throng_agents_copy(throng_agents *agents, throng_column_set columns, struct throng_copy *copy,
                        throng_error *error);

/* 64-bit hash of all columns that have a name, of living agents with their ids, in order of slot. A column in which all
 * of them have its initial value counts as if it were not there, so that a column more is another hash only to who uses
 * it. */
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
