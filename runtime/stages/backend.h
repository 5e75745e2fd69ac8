/* The stage table: what a backend offers, and all the runtime knows of one.
 *
 * A backend owns the memory the stages work on: agent columns in order of slot,
 * the walls, the routes, the goals, and scratch of its own. The CPU backend works
 * on the agent store's own arrays; the CUDA backend is a shared object, loaded
 * when a device is there. Every backend gives the same bits. */
#ifndef THRONG_BACKEND_H
#define THRONG_BACKEND_H

#include "base/error.h"
#include "kernels/contract/choice.h"
#include "kernels/contract/columns.h"
#include "kernels/contract/frame.h"
#include "kernels/contract/goals.h"
#include "kernels/contract/graph.h"
#include "kernels/contract/influences.h"
#include "kernels/contract/air.h"
#include "kernels/contract/sheets.h"
#include "kernels/contract/local_map.h"
#include "kernels/contract/machines.h"
#include "kernels/contract/navigation.h"
#include "kernels/contract/path_net.h"
#include "kernels/contract/places.h"
#include "kernels/contract/programs.h"
#include "kernels/contract/walls.h"
#include "planner.h"

#ifdef __cplusplus
extern "C" {
#endif

#define THRONG_BACKEND_VERSION 20

/* The frame, in order. */
#define THRONG_STAGES(X)                                                                                               \
    X(goals, "arrivals, state machines -> goal of each agent")                                                         \
    X(desire, "behaviour functions, goal and path -> preferred velocity")                                              \
    X(sense, "sort by cell; nearest neighbours, walls")                                                                \
    X(plan, "the planners: preferred velocity -> new velocity")                                                        \
    X(move, "contacts, walls hold -> position")

typedef enum throng_stage {
#define X(name, text) THRONG_STAGE_##name,
    THRONG_STAGES(X)
#undef X
        THRONG_STAGE_COUNT
} throng_stage;

extern const char *const throng_stage_names[THRONG_STAGE_COUNT];

/* Counted since the last reset; all exact, so equal on every backend. */
typedef struct throng_counters {
    uint64_t overlaps;    /* pairs seen closer than 0.99 of the sum of radii, summed over steps */
    uint64_t conflicts;   /* pairs that would be if all had their wish: what planners (and pushers, yield.h) leave to
                             the contacts; summed over steps */
    float worst;          /* least distance / sum of radii of any pair seen, at most 1 */
    uint32_t iterations;  /* contact iterations of the last step */
    uint64_t held;        /* agents that the contact guard let go less far, summed over steps */
    uint64_t arrivals;    /* agents that reached their goal, and nothing follows */
    uint64_t transitions; /* states of machines that were entered */
    uint64_t stuck;       /* agents that began to be stuck: no progress in THRONG_STUCK_LOOKS looks */
    uint64_t undefined;   /* results of behaviour functions that were no finite numbers, summed over steps */
    uint64_t limited;     /* that were outside of what they are for may be, and cut off to it; summed over steps */
    /* Conflicts with somebody who has this planner: those of two planners count for both. */
    uint64_t conflicts_of[THRONG_PLANNER_COUNT];
    int32_t hidden; /* agents whom nobody saw in the last step: too many stood in one cell
                       (kernels/sense/overfull_cells.h) */
} throng_counters;

typedef struct throng_backend_options {
    int32_t simd;    /* CPU: 1, 4, 8 or 16; 0: the best this processor has */
    int32_t threads; /* CPU: 0: one a processor */
    int32_t device;  /* CUDA: which of the machine's, counted from 0; of the CPU there is one */
    /* Asked by who takes memory that is not the host's: may there be so many bytes more, or less? NULL: yes; else why
     * not. On any thread; may itself be NULL. */
    const char *(*claim)(int64_t bytes);
    /* Worlds that are stepped together are of two halves (base/fibers.h). Of which is the world that calls the backend,
     * 0 or 1? -1: of none. What one of them launches may wait until all of its half have to, and `wait` returns after
     * `serve` was called, while the other half goes on. NULL: there are none. */
    int32_t (*half)(void);
    void (*wait)(void (*serve)(int32_t half));
} throng_backend_options;

typedef struct throng_backend_info {
    char device[128]; /* "Intel(R) Xeon(R) ...", "NVIDIA H200" */
    int32_t simd, threads;
} throng_backend_info;

/* What a machine can do at most, as measured with this SIMD width and these threads; a second. */
typedef struct throng_ceilings {
    double bytes;      /* read and written in memory */
    double operations; /* on floats, each rounded, as kernels must */
    double fused;      /* two for each fused multiply-add; 0: there are none */
    double link;       /* bytes from the device's memory to the host's; 0: there is no device */
} throng_ceilings;

/* What the kernel bodies did in the last run of a stage, sorting left out; only on THRONG_LANES_COUNTED and one thread,
 * which is slow. */
enum { THRONG_LANES_COUNTED = -1 };
typedef struct throng_work {
    uint64_t operations; /* on floats: + - * / sqrt */
    uint64_t bytes;      /* in lines of 64 that were read or written, each counted once */
} throng_work;

/* The routes of a field (navigation/field.h), and how many cells are connected to the goal. */
typedef struct throng_field_answer {
    float *x, *y, *aim, *level; /* [rows * columns] */
    int32_t reached;
    bool solved; /* false: the host has to go on piece by piece, and the arrays hold nothing */
} throng_field_answer;

typedef struct throng_backend throng_backend;

/* Columns of one moment, copied while the stages go on. All zero before its first use; the arrays may be written to. */
typedef struct throng_copy {
    const struct throng_backend_api *api; /* whose it is; NULL: it was never used */
    throng_agent_columns columns;         /* [slots] those asked for, the others are NULL */
    int32_t slots;
    size_t room; /* bytes */
    void *block, *ready;
} throng_copy;

typedef struct throng_backend_api {
    uint32_t version; /* THRONG_BACKEND_VERSION */
    const char *name; /* "cpu", "cuda" */
    bool (*create)(const throng_backend_options *options, throng_backend **backend, throng_error *error);
    void (*destroy)(throng_backend *backend);
    void (*info)(const throng_backend *backend, throng_backend_info *info);
    int32_t (*devices)(void); /* that this process may take */

    /* Room for `capacity` slots. `host` are the store's arrays: a backend on the
     * host works on them in place, another allocates its own and keeps the
     * contents of `slots` slots. */
    bool (*reserve)(throng_backend *backend, int32_t capacity, int32_t slots, const throng_agent_columns *host,
                    throng_error *error);
    /* Columns between the store's arrays and the backend's (nothing on the host): whole ones, and from `first` on. */
    bool (*put)(throng_backend *backend, int column, int32_t slots, throng_error *error);
    bool (*get)(throng_backend *backend, int column, int32_t first, int32_t slots, throng_error *error);

    /* Where the device has a column, until the next `reserve`, and which device that is. NULL: there is none, and the
     * store's array is the column. */
    const void *(*column)(const throng_backend *backend, int column, int32_t *device);

    /* Begins to copy columns (bit each) as the stages asked for so far leave them, and returns at once; stages asked
     * for later go on beside it. The copy outlives the backend. */
    bool (*copy)(throng_backend *backend, throng_column_set columns, int32_t slots, throng_copy *copy,
                 throng_error *error);
    /* Waits until the copy is there, on any thread. */
    bool (*copied)(throng_copy *copy, throng_error *error);
    void (*free_copy)(throng_copy *copy);

    /* Kept by the caller until the next; none: a world of one sheet. */
    bool (*set_sheets)(throng_backend *backend, const throng_sheets *sheets, throng_error *error);
    bool (*set_walls)(throng_backend *backend, const throng_walls *walls, throng_error *error);
    /* The sides of bodies have moved, as many as were set last: their places, velocities and grid. */
    bool (*set_sides)(throng_backend *backend, const throng_walls *walls, throng_error *error);
    /* Between the stages plan and move: who may touch a body, ascending by slot; `count` in: room, out: how many there
     * are. And their wishes, as the bodies leave them. */
    bool (*near_bodies)(throng_backend *backend, throng_near *list, int32_t *count, throng_error *error);
    bool (*push)(throng_backend *backend, const throng_near *list, int32_t count, throng_error *error);
    bool (*set_navigation)(throng_backend *backend, const throng_navigation *navigation, throng_error *error);
    bool (*set_goals)(throng_backend *backend, const throng_goals *goals, throng_error *error);
    bool (*set_waypoints)(throng_backend *backend, const throng_waypoints *corners, throng_error *error);
    /* The table that the agents' column `planner` indexes; kept by the caller until the next. */
    bool (*set_planners)(throng_backend *backend, const throng_planner *planners, int32_t count, throng_error *error);
    /* Kept by the caller until the next. */
    bool (*set_influences)(throng_backend *backend, const throng_influences *influences, throng_error *error);
    /* Kept by the caller until the next. */
    bool (*set_air)(throng_backend *backend, const throng_air *air, throng_error *error);
    /* Kept by the caller until the next. */
    bool (*set_places)(throng_backend *backend, const throng_places *places, throng_error *error);
    /* After every change of programs, bindings or capacity. */
    bool (*set_programs)(throng_backend *backend, const throng_programs *programs, throng_error *error);

    /* After every change of machines or capacity. */
    bool (*set_fsm)(throng_backend *backend, const throng_fsm *fsm, throng_error *error);

    bool (*stage)(throng_backend *backend, throng_stage stage, const throng_frame *frame, throng_error *error);
    /* The same, waited for; `seconds` by the device's clock, from when it is done with what was asked for before to
     * when the stage is done, as in a frame, where nobody waits in between: neither launches nor waiting are in it.
     * NULL: there is no device, and the host's clock says it. */
    bool (*time_stage)(throng_backend *backend, throng_stage stage, const throng_frame *frame, double *seconds,
                       throng_error *error);

    /* Slots that arrived in the last step, ascending; `count` in: room, out: how many there are. This and the next wait
     * for the goals stage, not for what follows: the host can go on while agents are planned and moved. */
    bool (*arrivals)(throng_backend *backend, int32_t *slots, int32_t *count, throng_error *error);
    /* Once, after a frame's stages: whose ways in it led into one of the places of set_places, or out of one, ascending
     * by slot. The list is valid until the next frame. */
    bool (*crossings)(throng_backend *backend, const throng_crossing **list, int32_t *count, throng_error *error);
    /* Arrivals, transitions and stuck alone. */
    bool (*goal_counters)(throng_backend *backend, throng_counters *counters, throng_error *error);
    bool (*counters)(throng_backend *backend, throng_counters *counters, throng_error *error);
    /* The neighbour lists of the last sense stage, for tests and inspection: [agents][k] slots,
     * nearest first, -1 beyond the last; k = frame.neighbours. */
    bool (*seen)(throng_backend *backend, int32_t slot, int32_t *neighbours, int32_t *neighbour_count, int32_t *walls,
                 int32_t *wall_count, throng_error *error);
    /* The local map of an agent whose planner is bvp and who took part in the last step: from where it stood then, with
     * what it saw and wanted then, and the heading that it has now. */
    bool (*local_map)(throng_backend *backend, int32_t slot, throng_local_map *map, throng_error *error);
    /* Between the stages plan and move: what the agent's planner saw and chose, all but bvp's map. */
    bool (*choice)(throng_backend *backend, int32_t slot, throng_choice *choice, throng_error *error);
    /* Cheapest paths for every query of a batch (see graph.h). Results are valid until the next batch. Fails also when
     * a query's node is none of the graph's. */
    bool (*paths)(throng_backend *backend, const throng_graph *graph, const throng_path_batch *batch,
                  throng_path_results *results, throng_error *error);
    /* Room for a batch's queries where `paths` reads them fastest, `from` and `to` [queries]; what was there is gone.
     */
    bool (*path_queries)(throng_backend *backend, int32_t queries, int32_t **from, int32_t **to, throng_error *error);
    /* Shortest paths on a navigation mesh, a search each: exactly what the body of kernels/routing/portals.h finds, for
     * which memory sufficed. The corners are valid until the next batch. NULL: there is no device, and the host's
     * threads do as well. */
    bool (*searches)(throng_backend *backend, const throng_path_net *net, const throng_search_query *queries,
                     int32_t count, throng_search_result *results, const throng_point **corners, throng_error *error);
    /* The field of a goal (navigation/field.h), bit by bit as the host finds it. NULL: there is no device. */
    bool (*field)(throng_backend *backend, const uint8_t *cells, int32_t columns, int32_t rows,
                  throng_field_answer *answer, throng_error *error);
    /* Waits until everything asked for is done. */
    bool (*finish)(throng_backend *backend, throng_error *error);
    size_t (*bytes)(const throng_backend *backend); /* held, beside the store's own arrays */
    /* Measures what the machine can do at most, which takes some tenths of a second. */
    bool (*ceilings)(throng_backend *backend, throng_ceilings *ceilings, throng_error *error);
} throng_backend_api;

/* A backend that was opened: the table and its state. */
typedef struct throng_stages {
    const throng_backend_api *api;
    throng_backend *backend;
    void *library;
    double waited;  /* s, by the functions below that wait */
    void *suffixes; /* of the last batch of paths (navigation/graph_paths.c); NULL: none */
    void (*free_suffixes)(void *suffixes);
} throng_stages;

/* `name` is "auto" (CUDA when a device is there, else the CPU), "cpu" or "cuda". */
bool throng_stages_open(const char *name, const throng_backend_options *options, throng_stages *stages,
                        throng_error *error);
void throng_stages_close(throng_stages *stages);

/* Devices that "cuda" has here, at least 1; 1 also when it is not here. */
int32_t throng_cuda_devices(void);
/* From now on this process has but that one of them, counted from 0, and sees it as its first. Only before any
 * throng_stages_open and throng_cuda_devices, as the driver looks once (CUDA_VISIBLE_DEVICES). */
bool throng_cuda_take_device(int32_t device, throng_error *error);

/* Waits until everything asked for is done, before something is read back: the part of the frames' time that their
 * launch does not see. */
bool throng_stages_wait(throng_stages *stages, throng_error *error);

/* Waits until the copy is there, on any thread. */
bool throng_copy_wait(throng_copy *copy, throng_error *error);
/* Also when it was never used, or its backend is gone. */
void throng_copy_free(throng_copy *copy);

/* The backend's counters of now; those of the goals stage; who arrived in it: see throng_backend_api. */
bool throng_stages_counters(throng_stages *stages, throng_counters *counters, throng_error *error);
bool throng_stages_goal_counters(throng_stages *stages, throng_counters *counters, throng_error *error);
bool throng_stages_arrivals(throng_stages *stages, int32_t *slots, int32_t *count, throng_error *error);
bool throng_stages_crossings(throng_stages *stages, const throng_crossing **list, int32_t *count, throng_error *error);

extern const throng_backend_api throng_cpu_backend;
extern throng_work throng_cpu_work[THRONG_STAGE_COUNT], throng_cpu_paths_work; /* of the last batch of paths */

#ifdef __cplusplus
}
#endif

#endif
