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
#include "kernels/contract/graph.h"
#include "kernels/contract/influences.h"
#include "kernels/contract/local_map.h"
#include "kernels/contract/path_net.h"
#include "kernels/contract/program_code.h"
#include "columns.h"
#include "planner.h"

#ifdef __cplusplus
extern "C" {
#endif

#define THRONG_BACKEND_VERSION 11

/* The frame, in order. */
#define THRONG_STAGES(X)                                                                                               \
    X(goals, "arrivals, state machines -> goal of each agent")                                                         \
    X(desire, "behaviour functions, goal and way -> preferred velocity")                                               \
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

enum {
    THRONG_NEIGHBOURS_MAX = 16, /* most neighbours an agent can see */
    THRONG_WALLS_MAX = 16,      /* nearest wall segments that planners see */
    THRONG_STUCK_LOOKS = 10,  /* looks, a second apart, without progress: from then on an agent is stuck (progress.h) */
    THRONG_CONTACTS_MAX = 12, /* pairs that the contact solver keeps an agent */
    THRONG_LARGE_MAX = 32     /* agents that are much larger than all others */
};

/* What every stage is told of the step. */
typedef struct throng_frame {
    int32_t slots;  /* slots in use */
    int32_t agents; /* living agents among them */
    uint32_t step;  /* counted from 0 */
    float dt;       /* s */
    float time;     /* s: at the beginning of the step */
    uint64_t seed;
    float cell_x, cell_y; /* m: sides of a cell of the neighbour grid */
    float wrap_x, wrap_y; /* m: of a world that wraps, whose width is grid_width cells; 0: it does not */
    int32_t grid_width;   /* cells, a power of two; the grid wraps, so the world has no bounds */
    int32_t grid_height;
    int32_t neighbours;                           /* largest `neighbours` of any agent */
    float sight;                                  /* m: largest `sight` of any agent */
    float radius;                                 /* m: largest radius of any agent, */
    float bulk_radius;                            /* of any but the large */
    int32_t large_count, large[THRONG_LARGE_MAX]; /* slots of the large, who may have died: see world_limits.c */
    float max_speed;                              /* m/s: largest of any agent */
    float wall_reach;                             /* m: largest wall_horizon * max_speed + radius */
    uint32_t planners;                            /* bit for each kind of planner in use */
    int32_t latency;    /* frames by which what is planned is late, 0 or 1 (kernels/planners/latency.h) */
    int32_t iterations; /* contact iterations at most */
    float tolerance;    /* contacts: worst violation to stop at, as a part of the sum of radii */
    int32_t look;       /* steps between looks at who makes progress (kernels/routing/progress.h): about a second */
    bool sensed;        /* the last step's neighbour lists are there: not when the store grew or lists got longer */
} throng_frame;

/* A regular grid over segments: cell c lists those that come within `reach` metres of it as
 * list[start[c] .. start[c + 1]). `start` has columns * rows + 1 entries, two at least. */
typedef struct throng_wall_grid {
    float origin_x, origin_y, cell, reach;
    int32_t columns, rows;
    const int32_t *start, *list;
} throng_wall_grid;

/* Wall segments, the solid side on the left of a -> b (van den Berg's convention). The last `sides` of them are the
 * sides of rigid bodies, those of a body one after the other. */
typedef struct throng_walls {
    int32_t count, sides;
    const float *ax, *ay, *bx, *by; /* m */
    const float *dx, *dy;           /* unit direction a -> b */
    const int32_t *next, *previous; /* neighbouring segment of the ring */
    const int32_t *convex;          /* 1: the corner at a is a convex corner of the solid */
    /* [sides]: velocity, m/s; mass of the body, kg, infinite where nothing moves it; how far the body reaches behind
     * the side, and from its middle, m; middle of the body, m; how many sides it has */
    const float *vx, *vy, *mass, *depth, *reach, *middle_x, *middle_y;
    const int32_t *corners;
    float body_step; /* m: no body moves farther in a step */
    /* Over the walls; over the sides of bodies; over the boxes about bodies, which lists a body in all cells that its
     * box comes into: 4 times its first side, counted from the first of all bodies, and 1 in the first column of these
     * cells, and 2 in the first row. */
    throng_wall_grid still, moving, boxes;
} throng_walls;

/* An agent that may touch a body in this step. */
typedef struct throng_near {
    int32_t slot;
    float x, y, vx, vy;   /* m, m/s: where it is, how it moved in the last step */
    float wish_x, wish_y; /* m/s: what its planner wants */
    float radius, mass;   /* m, kg */
} throng_near;

/* Meshes and shortest-path maps, flattened: half-edge and face indices are global. */
typedef struct throng_navigation {
    int32_t faces, edges, trees, tree_entries;
    const int32_t *face_start;      /* [faces + 1] */
    const float *ax, *ay, *bx, *by; /* [edges] */
    const int32_t *twin, *face;     /* [edges] */
    const int32_t *shut;            /* [edges] 1: on a closed door */
    /* [tree_entries]: tree t has an entry for every half-edge e of its mesh at tree_base[t] + e
     * (tree_base takes the mesh's first half-edge off) */
    const int32_t *tree_base; /* [trees] */
    const int32_t *next;      /* the half-edge that those who leave by this one leave the next face by, -1: none */
    /* Windows (throng_path_map_window): face f of tree t has window_start[side_base[t] + f] up to the next entry's */
    int32_t windows, roots;
    const int32_t *window_start;                            /* [side_entries] */
    const float *right_x, *right_y, *left_x, *left_y;       /* [windows] m */
    const int32_t *window_edge, *window_root, *window_next; /* [windows] */
    const float *root_ax, *root_ay, *root_bx, *root_by;     /* [roots] m: see throng_path_map_root */
    const float *root_on_x, *root_on_y, *root_rest;         /* [roots] m */
    /* The goal cut to each face that holds some of it: face f of tree t has the sides side_start[side_base[t] + f]
     * up to the next entry's (side_base takes the mesh's first face off). */
    const int32_t *side_base; /* [trees] */
    int32_t side_entries, sides;
    const int32_t *side_start;                          /* [side_entries]: faces + 1 for each tree */
    const float *side_ax, *side_ay, *side_bx, *side_by; /* [sides] m; a point twice when the goal is one */
    /* To find the face nearest to a point: mesh m has a grid of cells (row by row from the lower left corner),
     * cell c of it lists the faces that overlap it as face_list[face_cell[c] .. face_cell[c + 1]), c counted
     * from mesh_cells[m] on. */
    int32_t meshes, cells, listed;
    const int32_t *tree_mesh;                             /* [trees] */
    const float *mesh_x, *mesh_y, *mesh_cell;             /* [meshes] m: lower left corner, side of a cell */
    const int32_t *mesh_columns, *mesh_rows, *mesh_cells; /* [meshes] */
    const int32_t *face_cell;                             /* [cells + 1] */
    const int32_t *face_list;                             /* [listed] */
    /* Congestion, for the trees that heed it (tree_congestion 1): what passing a half-edge costs beside its length, and
     * the square of how far the crowd before it reaches. */
    const int32_t *tree_congestion;         /* [trees] */
    const float *delay, *congestion_square; /* [edges] m, m^2 */
    /* Roadmaps: face f lists the nodes seen from somewhere in it as node_list[node_start[f] .. node_start[f + 1]). */
    int32_t nodes, node_entries, road_entries;
    const float *node_x, *node_y; /* [nodes] m: what is steered for */
    const int32_t *node_start;    /* [faces + 1] */
    const int32_t *node_list;     /* [node_entries] */
    /* A tree over a roadmap has no portals (its entries above are not used): its goal's sides are side_ax ..
     * [road_side .. road_side_end), road_side is -1 for a tree over portals. Node n's length to the goal is
     * road_cost[road_base + n]. */
    const int32_t *road_side, *road_side_end, *road_base; /* [trees] */
    const int32_t *road_heeds;                            /* [trees] 1: closed doors hide what is behind */
    const float *road_cost;                               /* [road_entries] m */
} throng_navigation;

enum throng_goal_kind {
    THRONG_GOAL_POINT,  /* everyone to one point */
    THRONG_GOAL_REGION, /* everyone into one of some polygons */
    THRONG_GOAL_OWN     /* each agent to its own goal_x, goal_y */
};

enum { THRONG_BY_WAYPOINTS = -2 };

typedef struct throng_goal {
    int32_t kind;
    float x, y;         /* m: THRONG_GOAL_POINT */
    float radius;       /* m: arrived within this of a point; a region is entered instead */
    int32_t tree;       /* shortest-path map, -1: straight, THRONG_BY_WAYPOINTS: by the agent's own path */
    int32_t field;      /* where it has an answer it goes before the tree; -1: none */
    int32_t first_edge; /* region: edges first_edge .. first_edge + edges of throng_goals */
    int32_t edges;
} throng_goal;

/* Fields over regular grids, cell after cell: field f has its cells from base[f] on (see field.h). */
typedef struct throng_fields {
    int32_t count, cells;
    const float *x, *y, *cell;              /* [count] m: lower left corner, side of a cell */
    const int32_t *columns, *rows;          /* [count] */
    const int32_t *base;                    /* [count] */
    const float *direction_x, *direction_y; /* [cells] direction, in cells */
    const float *aim;                       /* [cells] 1: from the cell's centre */
} throng_fields;

typedef struct throng_goals {
    int32_t count;
    const throng_goal *goal;
    int32_t edge_count;
    const float *ax, *ay, *bx, *by; /* m: edges of all the regions' polygons */
    const int32_t *last;            /* 1 at the last edge of a polygon */
    throng_fields fields;
} throng_goals;

/* A column that programs write, or a parameter of a planner. */
typedef struct throng_program_target {
    int32_t column[2];    /* THRONG_COLUMN_..., THRONG_COLUMN_COUNT + THRONG_clearpath_...; -1: no second result */
    const int32_t *bound; /* [capacity] program of the agent in a slot, THRONG_UNBOUND or THRONG_KEPT */
    /* [capacity] of a parameter, NaN: as the agent's planner has it; NULL of a column. Programs write it. A backend
     * that computes elsewhere keeps its own values over set_programs, but for those that are NaN here, and zeroes this.
     */
    float *values;
} throng_program_target;

typedef struct throng_programs {
    int32_t code_count, count, targets, parameters; /* targets from `parameters` on are written after desire */
    const throng_instruction *code;
    const throng_program *list;
    throng_program_target target[THRONG_PROGRAM_TARGETS];
} throng_programs;

/* The corners of agents' own paths, one path after the other, starts left out. Column `corner` is the index of the
 * one to walk to. Who crosses the line through it and the next, beyond it, sees the next and goes on to that. */
typedef struct throng_waypoints {
    int32_t count;
    const float *x, *y; /* m */
    const float *turn;  /* 1: the path turns left there, -1: right, 0: it ends */
} throng_waypoints;

/* What a state of a machine has its agent do. The same list as that of kernels/behaviour/fsm.h. */
typedef enum throng_fsm_action {
    THRONG_FSM_STAND,  /* nothing */
    THRONG_FSM_GO,     /* to one of some goals, picked at random; arrives there */
    THRONG_FSM_FOLLOW, /* to all of them, in order; arrives at the last */
    THRONG_FSM_ON,     /* go on with the goal that it has */
    THRONG_FSM_WAIT,   /* stay, and come back when pushed away */
    THRONG_FSM_WANDER, /* from point to point within `reach` of where it began */
    THRONG_FSM_SEEK,   /* straight to a point, or the nearest agent of a group, without slowing down */
    THRONG_FSM_FLEE    /* straight away from it; arrives at `reach` */
} throng_fsm_action;

enum {
    THRONG_FSM_POINT = -2, /* in place of a kind: the state's own point */
    THRONG_FSM_NEAR = -1   /* in place of a condition's column */
};

/* Options are taken in ascending order of `below` by a random number in [0, 1); the last of a transition is above 1. A
 * transition is named by its first option; -1: none. */
typedef struct throng_fsm_option {
    float below;
    int32_t state;
} throng_fsm_option;

typedef struct throng_fsm_condition {
    int32_t column; /* THRONG_COLUMN_..., THRONG_FSM_NEAR: an agent of `kind` is nearer than `value` metres */
    int32_t kind;   /* -1: any; of a column: 0 floats, 1 whole numbers */
    int32_t above;  /* of a column: 1 greater than `value`, 0 less */
    float value;
    int32_t option;
} throng_fsm_condition;

typedef struct throng_fsm_state {
    int32_t action;
    int32_t first_goal, goals; /* THRONG_FSM_GO, _FOLLOW: goals[first_goal .. first_goal + goals) of the table */
    int32_t path;              /* THRONG_FSM_GO: the entry (kind THRONG_GOAL_OWN) by which it walks there by a path of
                                  its own, -1: as its goals say */
    float x, y;                /* m: THRONG_FSM_SEEK, _FLEE when kind is THRONG_FSM_POINT */
    int32_t kind;              /* THRONG_FSM_SEEK, _FLEE: the nearest of it, -1: of any */
    float reach;               /* m */
    float least, most;         /* s: its time is between these; least < 0: it does not end */
    int32_t arrived, ready, blocked, timeout; /* ready: its own path is there */
    int32_t first_condition, conditions;      /* tested in order in every step */
    int32_t last;                             /* 1: nothing follows */
} throng_fsm_state;

/* The states of all machines of a world: what the column `fsm_state` indexes. */
typedef struct throng_fsm {
    int32_t states, options, conditions, goals;
    int32_t own; /* the goal entry of kind THRONG_GOAL_OWN that agents have who walk to points of their own */
    const throng_fsm_state *state;
    const throng_fsm_option *option;
    const throng_fsm_condition *condition;
    const int32_t *goal; /* entries of throng_goals */
} throng_fsm;

/* Counted since the last reset; all exact, so equal on every backend. */
typedef struct throng_counters {
    uint64_t overlaps;    /* pairs seen closer than 0.99 of the sum of radii, summed over steps */
    uint64_t conflicts;   /* pairs that would be if all had their wish: what planners (and pushers, yield.h) leave to
                             the contacts; summed over steps */
    float worst;          /* least distance / sum of radii of any pair seen, at most 1 */
    uint32_t iterations;  /* contact iterations of the last step */
    uint64_t held;        /* agents that the contact guard held still, summed over steps */
    uint64_t arrivals;    /* agents that reached their goal, and nothing follows */
    uint64_t transitions; /* states of machines that were entered */
    uint64_t stuck;       /* agents that began to be stuck: no headway for THRONG_STUCK_LOOKS looks */
    uint64_t undefined;   /* results of behaviour functions that were no finite numbers, summed over steps */
    uint64_t limited;     /* that were outside of what they are for may be, and cut off to it; summed over steps */
    /* Conflicts with somebody who has this planner: those of two planners count for both. */
    uint64_t conflicts_of[THRONG_PLANNER_COUNT];
} throng_counters;

typedef struct throng_backend_options {
    int32_t simd;    /* CPU: 1, 4, 8 or 16; 0: the best this processor has */
    int32_t threads; /* CPU: 0: one a processor */
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
    bool solved; /* false: it has to be relaxed, and the arrays hold nothing */
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

    /* Room for `capacity` slots. `host` are the store's arrays: a backend on the
     * host works on them in place, another allocates its own and keeps the
     * contents of `slots` slots. */
    bool (*reserve)(throng_backend *backend, int32_t capacity, int32_t slots, const throng_agent_columns *host,
                    throng_error *error);
    /* Columns between the store's arrays and the backend's (nothing on the host): whole ones, and from `first` on. */
    bool (*put)(throng_backend *backend, int column, int32_t slots, throng_error *error);
    bool (*get)(throng_backend *backend, int column, int32_t first, int32_t slots, throng_error *error);

    /* Begins to copy columns (bit each) as the stages asked for so far leave them, and returns at once; stages asked
     * for later go on beside it. The copy outlives the backend. */
    bool (*copy)(throng_backend *backend, uint64_t columns, int32_t slots, throng_copy *copy, throng_error *error);
    /* Waits until the copy is there, on any thread. */
    bool (*copied)(throng_copy *copy, throng_error *error);
    void (*free_copy)(throng_copy *copy);

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

extern const throng_backend_api throng_cpu_backend;
extern throng_work throng_cpu_work[THRONG_STAGE_COUNT], throng_cpu_paths_work; /* of the last batch of paths */

#ifdef __cplusplus
}
#endif

#endif
