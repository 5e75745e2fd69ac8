/* The CPU launcher's parts: what they share.
 *
 * cpu.c        the table the runtime calls, the stages over lanes and threads, lifetime
 * cpu_memory.c scratch                    cpu_paths.c  batches of paths
 * cpu_fixed.c  the world's fixed parts    cpu_probe.c  what one agent's planner saw
 * cpu_lanes.c  the kernels, compiled once a lane width (cpu.h)
 * cpu_copy.c   columns of one moment
 *
 * Columns are the agent store's own arrays, worked on in place. */
#ifndef THRONG_CPU_BACKEND_H
#define THRONG_CPU_BACKEND_H

#include "cpu.h"
#include "cpu_paths.h"
#include "kernels/behaviour/fsm.h"
#include "kernels/planners/latency.h"
#include "base/pool.h"
#include "kernels/behaviour/program.h"
#include "kernels/contacts/guard.h"

#include "stages/backend.h"

struct throng_backend {
    const cpu_lanes *lanes;
    pool *pool;
    crowd crowd;
    contacts contacts;
    throng_programs programs;
    throng_fsm fsm;
    latency_copies copies;            /* [copies_room] */
    int32_t copies_room, shapes_room; /* agents that there are copies, crowd.shape for, */
    int32_t places_room;              /* crowd.from_x, and room in the list of crossings */
    throng_crossing *crossings;
    int32_t crossing_count;
    int32_t crossings_begun;                     /* the step that crowd.from_x is of, + 1 */
    crowd ahead;                                 /* what the planners see where they are a frame late */
    int32_t active_count, next_count, everybody; /* of `contacts` */
    int32_t turn;                                /* of the iteration */
    int32_t moved;                               /* the step whose move stage ran last, + 1 */
    int32_t capacity, cells;
    size_t seen_size;
    int32_t *key;
    size_t bytes;
    throng_counters counters;
    cpu_tally *tally; /* [threads] */
    cpu_paths paths;
    int32_t *path_query; /* see throng_backend_api.path_queries */
    float beta;
};

/* --- scratch -------------------------------------------------------------------------- */

bool cpu_reserve_walls(throng_backend *b, int32_t from, int32_t to);
bool cpu_reserve(throng_backend *b, int32_t capacity, int32_t slots, const throng_agent_columns *host,
                 throng_error *error);
bool cpu_reserve_seen(throng_backend *b, int32_t neighbours, throng_error *error);
/* Blocks of agents that share a mark. */
static inline int32_t cpu_mark_blocks(int32_t agents) { return (agents >> CONTACTS_BLOCK_BITS) + 1; }
bool cpu_reserve_copies(throng_backend *b, throng_error *error);
bool cpu_reserve_shapes(throng_backend *b, throng_error *error);
bool cpu_reserve_places(throng_backend *b, throng_error *error);
bool cpu_grid(throng_backend *b, const throng_frame *f, throng_error *error);
void cpu_free_memory(throng_backend *b);

/* --- entries of the table; see backend.h ------------------------------------------------ */

bool cpu_copy(throng_backend *b, throng_column_set columns, int32_t slots, throng_copy *copy, throng_error *error);
bool cpu_copied(throng_copy *copy, throng_error *error);
void cpu_free_copy(throng_copy *copy);
bool cpu_set_walls(throng_backend *b, const throng_walls *w, throng_error *error);
bool cpu_set_sides(throng_backend *b, const throng_walls *w, throng_error *error);
bool cpu_set_navigation(throng_backend *b, const throng_navigation *w, throng_error *error);
bool cpu_set_goals(throng_backend *b, const throng_goals *g, throng_error *error);
bool cpu_set_waypoints(throng_backend *b, const throng_waypoints *c, throng_error *error);
bool cpu_set_planners(throng_backend *b, const throng_planner *planners, int32_t count, throng_error *error);
bool cpu_set_sheets(throng_backend *b, const throng_sheets *sheets, throng_error *error);
bool cpu_set_air(throng_backend *b, const throng_air *air, throng_error *error);
bool cpu_set_places(throng_backend *b, const throng_places *places, throng_error *error);
bool cpu_set_influences(throng_backend *b, const throng_influences *influences, throng_error *error);
bool cpu_set_programs(throng_backend *b, const throng_programs *given, throng_error *error);
bool cpu_set_fsm(throng_backend *b, const throng_fsm *given, throng_error *error);

#endif
