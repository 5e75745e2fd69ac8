/* Benchmarks: what a frame costs, stage by stage. */
#ifndef THRONG_BENCH_H
#define THRONG_BENCH_H

#include "bench_time.h"
#include "script/script.h"

/* One row: a stage ("frame": all of them) of one benchmark on one backend. What is not known is NAN. */
typedef struct throng_bench_row {
    char name[48]; /* "orca", "orca-random", "clearpath", "bvp-21", "rvo-64", "program", ... */
    char backend[8];
    char device[128];
    char stage[16];
    int32_t simd, threads, agents;
    throng_timing ms;
    double us_per_agent;    /* of the median */
    double bytes_per_agent; /* held on the side the stages run on */
    double conflicts;       /* frames and scenarios: pairs a step that the planner alone would have let overlap */
    /* Counted, an agent: operations on floats, and bytes that must pass at the least (see throng_work). */
    double operations, bytes;
    double sent;     /* bytes an agent from the device to the host; NAN: not asked, or it is the host */
    double received; /* "copied": from the host to the device */
    /* The parts of the machine's limits that these come to in the time measured, and how cost grows with agents: d log
     * ms / d log agents since the next smaller size. The caller's, who knows limits and other sizes. */
    double of_arithmetic, of_bandwidth, of_link, growth;
} throng_bench_row;

/* Clears a row and says what it is of. */
void throng_bench_row_begin(throng_bench_row *row, const char *name, const char *backend,
                            const throng_backend_info *info, int32_t agents);

typedef struct throng_bench_def {
    const char *backend; /* "auto", "cpu", "cuda" */
    throng_backend_options options;
    int32_t planner; /* THRONG_PLANNER_..., with its initial parameters */
    int32_t agents;
    bool random;        /* uniform random positions instead of a jittered grid */
    int32_t steps;      /* measured, after five that are not; 0: 15 */
    int32_t parameter;  /* THRONG_bvp_width, THRONG_rvo_samples, ...: the one that is `value`, */
    int32_t value;      /* or 0: all are at their initial values */
    int32_t neighbours; /* seen at most; 0: 10 */
    int32_t bodies;
    int32_t sweeps; /* THRONG_bvp_sweeps; 0: initial */
    bool copies;    /* frames send everybody's goal to the backend and fetch positions */
} throng_bench_def;

enum { THRONG_BENCH_ROWS = THRONG_STAGE_COUNT + 1 };

/* A uniform crowd of one agent a square metre: 10 nearest within 5 m, dt 0.1 s, radius
 * 0.25 m, preferred 1.3 m/s in a direction of its own, at most 1.6 m/s, time horizon 3 s. Writes a
 * row a stage, by a device's clock if there is one, and one for the whole frame, which is timed by the host's without
 * stopping between stages. */
bool throng_bench_planner(const throng_bench_def *def, throng_bench_row rows[THRONG_BENCH_ROWS], throng_error *error);

/* The world of such a crowd; with room for `def->agents` in `handles`. `walking`: to goals of their own. */
throng_world *throng_bench_crowd(const throng_bench_def *def, bool walking, throng_handle *handles,
                                 throng_error *error);

/* Whole frames of such a crowd, as `def` says; stage "frame", "copied" when they copy. */
bool throng_bench_whole(const throng_bench_def *def, throng_bench_row *row, throng_error *error);

/* Counts the work of such a crowd, of at most THRONG_BENCH_COUNTED agents of it, and writes `operations` and `bytes` of
 * the rows; those of the frame are the sums. Sorting agents by cell is not counted. */
enum { THRONG_BENCH_COUNTED = 1000 };
bool throng_bench_count(const throng_bench_def *def, throng_bench_row rows[THRONG_BENCH_ROWS], throng_error *error);

/* The same of the next steps of a world that counts, an agent and a step: the row's. */
bool throng_bench_count_world(throng_world *world, int32_t steps, throng_bench_row *row, throng_error *error);

/* Agents under forces cross a floor of 2 m^2 for each of them and 4 m^2 for each of `bodies` boxes of 0.3 to 0.9 m and
 * 5 to 100 kg: the whole frame, "bodies-500". */
bool throng_bench_bodies(const throng_bench_def *def, throng_bench_row *row, throng_error *error);
extern const int32_t throng_bench_bodies_counts[]; /* how many bodies that is measured among; ends with -1 */

/* People under orca walk about on one floor ("floors-1"), or on the floors of a tower with two stairs between each
 * ("floors-40"), at one person a square metre between the stairs: the whole frame. */
bool throng_bench_floors(const throng_bench_def *def, int32_t storeys, throng_bench_row *row, throng_error *error);
typedef struct throng_bench_storeys {
    int32_t agents, storeys;
} throng_bench_storeys;
extern const throng_bench_storeys throng_bench_towers[]; /* that are measured; ends with no agents */
enum { THRONG_BENCH_FLOOR_LEAST = 100 };                 /* agents of a floor that has room for the stairs */

/* The row of the whole frame of a world. */
bool throng_bench_frames(throng_world *world, const char *name, const throng_bench_def *def, throng_bench_row *row,
                         throng_error *error);

/* A behaviour function of ten operations for the speed of everybody: a row for the program alone (the desire stage with
 * it, less the same without), and one for calling the function from Lua for each agent instead. */
enum { THRONG_BENCH_PROGRAM_ROWS = 2 };
bool throng_bench_program(const throng_bench_def *def, throng_script *script,
                          throng_bench_row rows[THRONG_BENCH_PROGRAM_ROWS], throng_error *error);

/* The work of the program alone: the first row's. */
bool throng_bench_count_program(const throng_bench_def *def, throng_script *script, throng_bench_row *row,
                                throng_error *error);

/* Random queries on grid `which`, 0 .. THRONG_BENCH_GRIDS - 1, by `method` (THRONG_PATHS_SEARCH or THRONG_PATHS_TREES,
 * which is the row's stage); a query counts as an agent, and there are `most` at most (0: as many as belong to the
 * grid). Of more than one `devices` (those numbered from 0) each answers a share, and the row is called "paths-G5 on
 * 2". */
enum { THRONG_BENCH_GRIDS = 11 };
typedef struct throng_bench_batch {
    int32_t which, method, most, devices;
} throng_bench_batch;
bool throng_bench_paths(const char *backend, const throng_backend_options *options, const throng_bench_batch *batch,
                        throng_bench_row *row, throng_error *error);

/* The same crowd under a state machine of three states (wander, wait, seek a point; each for some seconds, the next
 * picked at random): the rows of throng_bench_planner; then one for the goals stage when everybody changes its state
 * in every step, and one for that stage and a hook in Lua that is called with all of them (see
 * throng_script_bench_hooks). */
enum { THRONG_BENCH_FSM_ROWS = THRONG_BENCH_ROWS + 2 };
bool throng_bench_fsm(const throng_bench_def *def, throng_script *script, throng_bench_row rows[THRONG_BENCH_FSM_ROWS],
                      throng_error *error);

/* Their work, but for the hook's. */
bool throng_bench_count_fsm(const throng_bench_def *def, throng_bench_row rows[THRONG_BENCH_FSM_ROWS],
                            throng_error *error);

/* Path searches one after the other on the navigation mesh of a plan (bench_plans.h) between random points, as the path
 * queue makes them: `queries` of them, for a row of their own. */
bool throng_bench_searches(int32_t plan, int32_t queries, throng_bench_row *row, throng_error *error);

/* scenarios/evacuation.lua, from its first step to its last: a row for all of it, of as many agents as there were,
 * whose us_per_agent is of an agent and a step; so is the work, which is that of its first steps. `simd` and `threads`
 * of 0 are the best there are. */
bool throng_bench_evacuation(const char *backend, const throng_backend_options *options, throng_bench_row *row,
                             throng_error *error);

/* A scenario of the papers on velocity obstacles from its first step to its last, under a planner, which is the row's
 * stage: `ms` of its mean frame, and `conflicts`. */
typedef struct throng_bench_scenario {
    const char *name; /* "crossing" for scenarios/crossing.lua */
    int32_t agents;
} throng_bench_scenario;
extern const throng_bench_scenario throng_bench_scenarios[]; /* ends with a name of NULL */
bool throng_bench_run_scenario(const throng_bench_scenario *scenario, int32_t planner, const char *backend,
                               const throng_backend_options *options, throng_bench_row *row, throng_error *error);

/* How far the local maps of such a crowd under bvp are from solved after def->sweeps. */
typedef struct throng_bench_residual {
    double potential; /* the greatest difference of a cell's from its value after 1,000 sweeps */
    double angle;     /* rad: median over the agents, between the directions of descent */
    double wrong;     /* the part of the agents whose direction is more than 0.1 rad off */
} throng_bench_residual;
bool throng_bench_bvp_residual(const throng_bench_def *def, throng_bench_residual *residual, throng_error *error);

/* Fields (field.h) of one goal, by the million of cells: a row each, a cell connected to the goal counting as an agent.
 */
enum { THRONG_BENCH_FIELD_WILLOW, THRONG_BENCH_FIELD_MAZE, THRONG_BENCH_FIELD_OPEN, THRONG_BENCH_FIELDS };
bool throng_bench_field(const char *backend, int32_t which, throng_bench_row *row, throng_error *error);

/* A file of the release, beside the executable or above it. */
bool throng_bench_find_file(const char *name, char *path, size_t size, throng_error *error);

#endif
