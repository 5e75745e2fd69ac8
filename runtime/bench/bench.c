#include "bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "world/world.h"

/* Crowds close up as they walk, and a frame takes longer each time: which are measured is the same for every size, on
 * every backend and every machine. */
enum { WARM_UP = 5, MEASURED = 15, BENCH_SEED = 1, PROGRAM_STEPS = 15 };

static const throng_phase DESIRE = (throng_phase)(THRONG_HOST_PHASE_COUNT + THRONG_STAGE_desire);

/* --- the crowd ------------------------------------------------------------------------------ */

static double uniform(int32_t i, uint32_t what) { return throng_random(BENCH_SEED, (uint32_t)i, what, 0, 77); }

static void place(const throng_bench_def *def, throng_point *at)
{
    int32_t side = (int32_t)ceil(sqrt(def->agents));
    for (int32_t i = 0; i < def->agents; i++)
        at[i] = def->random
                    ? (throng_point){side * uniform(i, 0), side * uniform(i, 1)}
                    : (throng_point){i % side + 0.25 + 0.5 * uniform(i, 0), i / side + 0.25 + 0.5 * uniform(i, 1)};
}

/* Goals so far away, all around, that everybody keeps walking in a direction of its own. */
static void point_away(const throng_bench_def *def, const throng_point *at, throng_point *goals)
{
    for (int32_t i = 0; i < def->agents; i++) {
        double angle = 2 * 3.14159265358979 * uniform(i, 2);
        goals[i] = (throng_point){at[i].x + 1e5 * cos(angle), at[i].y + 1e5 * sin(angle)};
    }
}

static bool populate(throng_world *world, const throng_bench_def *def, throng_point *at, throng_handle *handles,
                     throng_error *error)
{
    place(def, at);
    throng_spawn_def crowd = throng_spawn_def_default();
    crowd.count = def->agents;
    crowd.positions = at;
    crowd.planner = throng_planner_default(def->planner);
    if (def->value)
        crowd.planner.value[def->parameter] = (float)def->value;
    if (def->value && def->parameter == THRONG_bvp_width)
        crowd.planner.value[THRONG_bvp_height] = (float)def->value;
    if (def->neighbours)
        crowd.neighbours = def->neighbours;
    if (def->sweeps)
        crowd.planner.value[THRONG_bvp_sweeps] = (float)def->sweeps;
    crowd.speed.a = 1.3;
    crowd.max_speed.a = 1.6;
    return throng_world_spawn(world, &crowd, handles, error);
}

static bool send_away(throng_world *world, const throng_bench_def *def, const throng_point *at, throng_point *goals,
                      const throng_handle *handles, throng_error *error)
{
    point_away(def, at, goals);
    int32_t goal = throng_world_goal_own(world, 1, error);
    return goal >= 0 && throng_world_send(world, handles, def->agents, goal, goals, error);
}

throng_world *throng_bench_crowd(const throng_bench_def *def, bool walking, throng_handle *handles, throng_error *error)
{
    throng_world_def d = throng_world_def_default();
    d.backend = def->backend;
    d.options = def->options;
    throng_world *world = throng_world_create(&d, error);
    size_t n = (size_t)def->agents;
    throng_point *at = malloc(n * sizeof *at), *goals = malloc(n * sizeof *goals);
    bool ok = world && ((at && goals && handles) || throng_fail(error, "out of memory for %d agents", def->agents));
    ok = ok && populate(world, def, at, handles, error);
    ok = ok && (!walking || send_away(world, def, at, goals, handles, error));
    free(at);
    free(goals);
    if (ok)
        return world;
    throng_world_destroy(world);
    return NULL;
}

/* --- timing ----------------------------------------------------------------------------------- */

/* Everybody gets its goal again, before a frame. */
static bool send_goals(throng_world *world, throng_error *error)
{
    throng_agents *agents = throng_world_agents(world);
    return throng_agents_write(agents, THRONG_COLUMN_goal_x, error) &&
           throng_agents_write(agents, THRONG_COLUMN_goal_y, error);
}

static bool fetch_positions(throng_world *world, throng_error *error)
{
    throng_agents *agents = throng_world_agents(world);
    return throng_agents_read(agents, THRONG_COLUMN_x, error) && throng_agents_read(agents, THRONG_COLUMN_y, error);
}

/* Milliseconds of each of `steps` frames, from start to finish. */
static bool time_frames(throng_world *world, int32_t steps, bool copies, double *ms, throng_error *error)
{
    const throng_stages *stages = throng_world_stages(world);
    for (int32_t i = 0; i < steps; i++) {
        double start = throng_now_ms();
        if ((copies && !send_goals(world, error)) || !throng_world_step(world, error) ||
            (copies && !fetch_positions(world, error)) || !stages->api->finish(stages->backend, error))
            return false;
        ms[i] = throng_now_ms() - start;
    }
    return true;
}

/* Milliseconds that the stages took since they began to be timed. */
static bool read_stages(throng_world *world, double ms[THRONG_STAGE_COUNT], throng_error *error)
{
    throng_world_stats stats;
    uint32_t steps = throng_world_steps(world);
    if (!throng_world_get_stats(world, &stats, error))
        return false;
    for (int s = 0; s < THRONG_STAGE_COUNT; s++)
        ms[s] = stats.stage_ms[s] * (steps ? steps : 1);
    return true;
}

/* The same for every stage alone: stage_ms[stage][step]. */
static bool time_stages(throng_world *world, int32_t steps, double *stage_ms, throng_error *error)
{
    for (int32_t i = 0; i < steps; i++) {
        double ms[THRONG_STAGE_COUNT];
        throng_world_time_stages(world, true);
        if (!throng_world_step(world, error) || !read_stages(world, ms, error))
            return false;
        for (int s = 0; s < THRONG_STAGE_COUNT; s++)
            stage_ms[s * steps + i] = ms[s];
    }
    throng_world_time_stages(world, false);
    return true;
}

void throng_bench_row_begin(throng_bench_row *row, const char *name, const char *backend,
                            const throng_backend_info *info, int32_t agents)
{
    *row = (throng_bench_row){.simd = info->simd,
                              .threads = info->threads,
                              .agents = agents,
                              .bytes_per_agent = NAN,
                              .conflicts = NAN,
                              .operations = NAN,
                              .bytes = NAN,
                              .of_arithmetic = NAN,
                              .of_bandwidth = NAN,
                              .sent = NAN,
                              .received = NAN,
                              .of_link = NAN,
                              .growth = NAN};
    snprintf(row->name, sizeof row->name, "%s", name);
    snprintf(row->backend, sizeof row->backend, "%s", backend);
    snprintf(row->device, sizeof row->device, "%s", info->device);
}

static void fill_row(throng_bench_row *row, const char *name, const throng_bench_def *def, throng_world *world,
                     const char *stage, double *ms)
{
    throng_backend_info info;
    size_t host, device;
    char full[32];
    throng_world_backend_info(world, &info);
    throng_world_bytes(world, &host, &device);
    snprintf(full, sizeof full, "%s%s", name, def->random ? "-random" : "");
    throng_bench_row_begin(row, full, throng_world_backend(world), &info, def->agents);
    snprintf(row->stage, sizeof row->stage, "%s", stage);
    row->ms = throng_timing_of(ms, def->steps);
    row->us_per_agent = 1e3 * row->ms.median / def->agents;
    row->bytes_per_agent = (double)(device ? device : host) / def->agents;
}

/* Pairs a step so far that the planner alone would have let overlap. */
static bool count_conflicts(throng_world *world, double *conflicts, throng_error *error)
{
    throng_world_stats stats;
    if (!throng_world_get_stats(world, &stats, error))
        return false;
    *conflicts = (double)stats.counters.conflicts / throng_world_steps(world);
    return true;
}

static double *rows_room(const throng_bench_def *def, throng_error *error)
{
    double *ms = calloc((size_t)def->steps * THRONG_BENCH_ROWS, sizeof *ms);
    if (!ms)
        throng_fail(error, "out of memory for %d timings", def->steps);
    return ms;
}

/* The first frames, which are not measured; then settles how many are. */
static bool warm_up(throng_world *world, throng_bench_def *def, throng_error *error)
{
    double ms[WARM_UP];
    def->steps = def->steps ? def->steps : MEASURED;
    return time_frames(world, WARM_UP, def->copies, ms, error);
}

/* A row for the frame and one for each stage, and how many steps were measured for each. */
static bool time_rows(throng_world *world, const char *name, throng_bench_def *def, double **room,
                      throng_bench_row *rows, throng_error *error)
{
    if (!warm_up(world, def, error))
        return false;
    double *ms = *room = rows_room(def, error);
    if (!ms || !time_frames(world, def->steps, def->copies, ms, error))
        return false;
    fill_row(&rows[0], name, def, world, "frame", ms);
    if (!count_conflicts(world, &rows[0].conflicts, error) || !time_stages(world, def->steps, ms, error))
        return false;
    for (int s = 0; s < THRONG_STAGE_COUNT; s++)
        fill_row(&rows[s + 1], name, def, world, throng_stage_names[s], ms + (size_t)s * (size_t)def->steps);
    return true;
}

bool throng_bench_frames(throng_world *world, const char *name, const throng_bench_def *measured, throng_bench_row *row,
                         throng_error *error)
{
    throng_bench_def def = *measured;
    if (!warm_up(world, &def, error))
        return false;
    const throng_agents *agents = throng_world_agents(world);
    double *ms = rows_room(&def, error), each = (double)def.agents * def.steps;
    uint64_t fetched = throng_agents_fetched(agents), sent = throng_agents_sent(agents);
    bool ok = ms && time_frames(world, def.steps, def.copies, ms, error);
    if (ok)
        fill_row(row, name, &def, world, def.copies ? "copied" : "frame", ms);
    if (ok && def.copies && strcmp(row->backend, "cpu") != 0) {
        row->sent = (double)(throng_agents_fetched(agents) - fetched) / each;
        row->received = (double)(throng_agents_sent(agents) - sent) / each;
    }
    free(ms);
    return ok;
}

/* "orca", "bvp-21", "bvp-21-64": of 64 sweeps */
static void name_planner(const throng_bench_def *def, char *name, size_t size)
{
    int length = snprintf(name, size, "%s", throng_planner_names[def->planner]);
    if (def->value && def->sweeps)
        snprintf(name + length, size - (size_t)length, "-%d-%d", def->value, def->sweeps);
    else if (def->value)
        snprintf(name + length, size - (size_t)length, "-%d", def->value);
    else if (def->neighbours)
        snprintf(name, size, "neighbours-%d", def->neighbours);
}

bool throng_bench_planner(const throng_bench_def *crowd, throng_bench_row rows[THRONG_BENCH_ROWS], throng_error *error)
{
    char name[48];
    throng_bench_def def = *crowd;
    name_planner(&def, name, sizeof name);
    throng_handle *handles = malloc((size_t)def.agents * sizeof *handles);
    throng_world *world = throng_bench_crowd(&def, true, handles, error);
    double *ms = NULL;
    bool ok = world && time_rows(world, name, &def, &ms, rows, error);
    free(handles);
    free(ms);
    throng_world_destroy(world);
    return ok;
}

bool throng_bench_whole(const throng_bench_def *def, throng_bench_row *row, throng_error *error)
{
    char name[48];
    name_planner(def, name, sizeof name);
    throng_handle *handles = malloc((size_t)def->agents * sizeof *handles);
    throng_world *world = throng_bench_crowd(def, true, handles, error);
    bool ok = world && throng_bench_frames(world, name, def, row, error);
    free(handles);
    throng_world_destroy(world);
    return ok;
}

/* Adds what the world's stages do in a step; its backend counts. */
static bool add_work(throng_world *world, throng_bench_row *rows, double share, throng_error *error)
{
    if (!throng_world_step(world, error))
        return false;
    for (int s = 0; s < THRONG_STAGE_COUNT; s++) {
        rows[s + 1].operations += share * (double)throng_cpu_work[s].operations;
        rows[s + 1].bytes += share * (double)throng_cpu_work[s].bytes;
        rows[0].operations += share * (double)throng_cpu_work[s].operations;
        rows[0].bytes += share * (double)throng_cpu_work[s].bytes;
    }
    return true;
}

/* The def of the same crowd, or the first of it, on the kernels that count. */
static throng_bench_def counted_crowd(const throng_bench_def *crowd)
{
    throng_bench_def def = *crowd;
    def.backend = "cpu";
    def.options = (throng_backend_options){.simd = THRONG_LANES_COUNTED, .threads = 1};
    def.agents = def.agents < THRONG_BENCH_COUNTED ? def.agents : THRONG_BENCH_COUNTED;
    return def;
}

/* The work of some of the world's next steps, after a few that are not counted. */
static bool count_steps(throng_world *world, int32_t agents, throng_bench_row rows[THRONG_BENCH_ROWS],
                        throng_error *error)
{
    enum { STEPS = 3 };
    bool ok = true;
    for (int i = 0; ok && i < WARM_UP; i++)
        ok = throng_world_step(world, error);
    for (int r = 0; r < THRONG_BENCH_ROWS; r++)
        rows[r].operations = rows[r].bytes = 0;
    for (int i = 0; ok && i < STEPS; i++)
        ok = add_work(world, rows, 1.0 / STEPS / agents, error);
    return ok;
}

bool throng_bench_count(const throng_bench_def *crowd, throng_bench_row rows[THRONG_BENCH_ROWS], throng_error *error)
{
    throng_bench_def def = counted_crowd(crowd);
    throng_handle *handles = malloc((size_t)def.agents * sizeof *handles);
    throng_world *world = throng_bench_crowd(&def, true, handles, error);
    bool ok = world && count_steps(world, def.agents, rows, error);
    free(handles);
    throng_world_destroy(world);
    return ok;
}

bool throng_bench_count_world(throng_world *world, int32_t steps, throng_bench_row *row, throng_error *error)
{
    throng_bench_row rows[THRONG_BENCH_ROWS] = {0};
    double agents = 0;
    for (int32_t i = 0; i < steps; i++) {
        agents += throng_agents_count(throng_world_agents(world));
        if (!add_work(world, rows, 1, error))
            return false;
    }
    row->operations = rows[0].operations / agents;
    row->bytes = rows[0].bytes / agents;
    return true;
}

/* --- behaviour functions ------------------------------------------------------------------------ */

/* The desire stage alone, `steps` times. */
static bool time_desire(throng_world *world, int32_t steps, double *ms, throng_error *error)
{
    for (int32_t i = 0; i < steps; i++) {
        double stage_ms[THRONG_STAGE_COUNT];
        throng_world_time_stages(world, true);
        if (!throng_world_run_phase(world, DESIRE, error) || !read_stages(world, stage_ms, error))
            return false;
        ms[i] = stage_ms[THRONG_STAGE_desire];
    }
    throng_world_time_stages(world, false);
    return true;
}

static bool time_program(const throng_bench_def *def, throng_script *script, throng_world *world,
                         const throng_handle *handles, double *idle, double *ms, throng_error *error)
{
    double first[WARM_UP];
    if (!time_desire(world, WARM_UP, first, error) || !time_desire(world, def->steps, idle, error) ||
        !throng_script_bench_bind(script, world, handles, def->agents, error) ||
        !time_desire(world, WARM_UP, first, error) || !time_desire(world, def->steps, ms, error))
        return false;
    double without = throng_timing_of(idle, def->steps).median;
    for (int32_t i = 0; i < def->steps; i++)
        ms[i] = fmax(ms[i] - without, 0);
    return true;
}

bool throng_bench_program(const throng_bench_def *crowd, throng_script *script,
                          throng_bench_row rows[THRONG_BENCH_PROGRAM_ROWS], throng_error *error)
{
    throng_bench_def own = *crowd, *def = &own;
    own.steps = own.steps ? own.steps : PROGRAM_STEPS;
    throng_handle *handles = malloc((size_t)def->agents * sizeof *handles);
    throng_world *world = throng_bench_crowd(def, false, handles, error);
    double *ms = calloc((size_t)def->steps * 2, sizeof *ms);
    bool ok = world && (ms || throng_fail(error, "out of memory for %d timings", def->steps));
    ok = ok && time_program(def, script, world, handles, ms + def->steps, ms, error);
    if (ok)
        fill_row(&rows[0], "program", def, world, "program", ms);
    for (int32_t i = 0; ok && i < def->steps; i++)
        ok = throng_script_bench_call(script, def->agents, &ms[i], error);
    if (ok)
        fill_row(&rows[1], "program", def, world, "in lua", ms);
    free(handles);
    free(ms);
    throng_world_destroy(world);
    return ok;
}

bool throng_bench_count_program(const throng_bench_def *crowd, throng_script *script, throng_bench_row *row,
                                throng_error *error)
{
    throng_bench_def def = counted_crowd(crowd);
    throng_handle *handles = malloc((size_t)def.agents * sizeof *handles);
    throng_world *world = throng_bench_crowd(&def, false, handles, error);
    const throng_work *work = &throng_cpu_work[THRONG_STAGE_desire];
    bool ok = world && throng_world_run_phase(world, DESIRE, error);
    throng_work without = *work;
    ok = ok && throng_script_bench_bind(script, world, handles, def.agents, error) &&
         throng_world_run_phase(world, DESIRE, error);
    row->operations = (double)(work->operations - without.operations) / def.agents;
    row->bytes = (double)(work->bytes - without.bytes) / def.agents;
    free(handles);
    throng_world_destroy(world);
    return ok;
}

/* --- state machines ----------------------------------------------------------------------------- */

enum { WANDERS, WAITS, SEEKS, STATES };

/* Three states of `least` to `most` seconds; each of the others follows as often. */
static int32_t run_machine(throng_world *world, const throng_bench_def *def, const throng_handle *handles, float least,
                           float most, throng_error *error)
{
    static const char *const names[STATES] = {"wander", "wait", "seek"};
    static const throng_fsm_option options[2 * STATES] = {{0.5f, WAITS}, {2, SEEKS},      {0.5f, WANDERS},
                                                          {2, SEEKS},    {0.5f, WANDERS}, {2, WAITS}};
    static const int32_t actions[STATES] = {THRONG_FSM_WANDER, THRONG_FSM_WAIT, THRONG_FSM_SEEK};
    throng_fsm_state states[STATES];
    for (int32_t s = 0; s < STATES; s++)
        states[s] = (throng_fsm_state){.action = actions[s],
                                       .kind = THRONG_FSM_POINT,
                                       .reach = s == WANDERS ? 8 : 0.5f,
                                       .least = least,
                                       .most = most,
                                       .arrived = -1,
                                       .path = -1,
                                       .ready = -1,
                                       .blocked = -1,
                                       .timeout = 2 * s};
    throng_machine machine = {.number = most > least, .states = STATES, .options = 2 * STATES};
    machine.state = states;
    machine.name = names;
    machine.option = options;
    return throng_world_run_machine(world, handles, def->agents, &machine, error);
}

bool throng_bench_fsm(const throng_bench_def *crowd, throng_script *script,
                      throng_bench_row rows[THRONG_BENCH_FSM_ROWS], throng_error *error)
{
    throng_bench_def own = *crowd, *def = &own;
    throng_handle *handles = malloc((size_t)def->agents * sizeof *handles);
    throng_world *world = throng_bench_crowd(def, false, handles, error);
    double *ms = NULL;
    bool ok = world && run_machine(world, def, handles, 2, 6, error) >= 0 &&
              time_rows(world, "fsm", def, &ms, rows, error) && run_machine(world, def, handles, 0, 0, error) >= 0 &&
              time_stages(world, def->steps, ms, error);
    if (ok)
        fill_row(&rows[THRONG_BENCH_ROWS], "fsm", def, world, "changes", ms);
    const throng_bench_hooks_def hooks = {def->backend, def->options, def->agents, def->steps};
    ok = ok && throng_script_bench_hooks(script, &hooks, ms, error);
    if (ok)
        fill_row(&rows[THRONG_BENCH_ROWS + 1], "fsm", def, world, "hooked", ms);
    free(handles);
    free(ms);
    throng_world_destroy(world);
    return ok;
}

bool throng_bench_count_fsm(const throng_bench_def *crowd, throng_bench_row rows[THRONG_BENCH_FSM_ROWS],
                            throng_error *error)
{
    throng_bench_def def = counted_crowd(crowd);
    throng_bench_row changes[THRONG_BENCH_ROWS];
    throng_handle *handles = malloc((size_t)def.agents * sizeof *handles);
    throng_world *world = throng_bench_crowd(&def, false, handles, error);
    bool ok = world && run_machine(world, &def, handles, 2, 6, error) >= 0 &&
              count_steps(world, def.agents, rows, error) && run_machine(world, &def, handles, 0, 0, error) >= 0 &&
              count_steps(world, def.agents, changes, error);
    rows[THRONG_BENCH_ROWS].operations = ok ? changes[1 + THRONG_STAGE_goals].operations : NAN;
    rows[THRONG_BENCH_ROWS].bytes = ok ? changes[1 + THRONG_STAGE_goals].bytes : NAN;
    free(handles);
    throng_world_destroy(world);
    return ok;
}
