/* throng bench: what frames, searches and scenarios cost, on each backend that is here. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "bench/bench_against.h"
#include "bench/bench_plans.h"
#include "bench/bench_table.h"
#include "cli.h"
#include "base/output.h"
#include "navigation/graph.h"
#include "navigation/graph_devices.h"
#include "picture/picture.h"
#include "base/suggest.h"

/* Benchmarks that are not of one planner. */
#define OTHERS(X)                                                                                                      \
    X(neighbours, "neighbours")                                                                                        \
    X(fsm, "fsm")                                                                                                      \
    X(program, "program")                                                                                              \
    X(paths, "paths")                                                                                                  \
    X(batch, "batch-paths")                                                                                            \
    X(maps, "local-maps")                                                                                              \
    X(bodies, "bodies")                                                                                                \
    X(floors, "floors") X(fields, "fields") X(evacuation, "evacuation") X(scenarios, "scenarios")
enum {
#define X(name, text) OTHER_##name,
    OTHERS(X)
#undef X
        OTHER_COUNT
};
static const char *const other_names[OTHER_COUNT + 1] = {
#define X(name, text) text,
    OTHERS(X)
#undef X
        NULL,
};

typedef struct bench_request {
    const char *backend, *csv, *png, *results, *against;
    double tolerance; /* per cent */
    int64_t simd, threads, agents, steps;
    int64_t devices;                                          /* that answer a batch together; 0: one */
    bool json, quick, profile, maps_alone;                    /* maps_alone: nothing else is measured */
    bool planners[THRONG_PLANNER_COUNT], others[OTHER_COUNT]; /* which to measure */
    throng_bench_table table;
} bench_request;

/* Where a benchmark runs. */
typedef struct place {
    const char *backend;
    throng_backend_options options;
} place;

static bool keep(bench_request *q, const throng_bench_row *rows, int count, throng_error *error)
{
    for (int i = 0; i < count; i++) {
        if (!throng_bench_table_add(&q->table, &rows[i], error))
            return false;
        if (q->json)
            continue;
        if (q->table.count == 1)
            throng_bench_print_head();
        throng_bench_print_row(&q->table.rows[q->table.count - 1]);
        fflush(stdout);
    }
    return true;
}

/* Is the work of the rows known? Those that were measured before had the same. */
static bool know_work(const bench_request *q, throng_bench_row *rows, int count)
{
    bool known = true;
    for (int i = 0; i < count; i++)
        known = throng_bench_table_work(&q->table, &rows[i]) && known;
    return known;
}

static bool run_crowd(bench_request *q, const throng_bench_def *def, throng_bench_row *rows, throng_error *error)
{
    return throng_bench_planner(def, rows, error) &&
           (know_work(q, rows, THRONG_BENCH_ROWS) || throng_bench_count(def, rows, error));
}

static bool run_planner(bench_request *q, throng_bench_def def, double *ms, throng_error *error)
{
    throng_bench_row rows[THRONG_BENCH_ROWS] = {0};
    for (int random = 0; random < (q->quick ? 1 : 2); random++) {
        def.random = random;
        if (!run_crowd(q, &def, rows, error) || !keep(q, rows, THRONG_BENCH_ROWS, error))
            return false;
    }
    *ms = rows[0].ms.median;
    def.random = false;
    def.copies = true;
    return def.planner != THRONG_PLANNER_bvp || (throng_bench_whole(&def, rows, error) && keep(q, rows, 1, error));
}

static bool run_neighbours(bench_request *q, throng_bench_def def, double *ms, throng_error *error)
{
    static const int32_t most[] = {5, 10, 16};
    throng_bench_row rows[THRONG_BENCH_ROWS] = {0};
    for (int i = 0; i < 3; i++) {
        def.neighbours = most[i];
        if (!run_crowd(q, &def, rows, error) || !keep(q, &rows[1 + THRONG_STAGE_sense], 1, error))
            return false;
    }
    *ms = rows[0].ms.median;
    return true;
}

/* --- sizes ---------------------------------------------------------------------------------- */

enum { SIZES = 8 };

/* ms that a frame may take; sizes that are likely to take more are left out. */
static double patience(const bench_request *q) { return q->quick ? 150 : 1000; }

static int sizes_for(const bench_request *q, const char *backend, int32_t *sizes)
{
    static const int32_t all[SIZES] = {10, 100, 500, 1000, 10000, 100000, 1000000, 4000000},
                         quick[] = {10, 500, 1000, 10000};
    if (q->agents) {
        sizes[0] = (int32_t)q->agents;
        return 1;
    }
    memcpy(sizes, q->quick ? quick : all, q->quick ? sizeof quick : sizeof all);
    return q->quick ? 4 : strcmp(backend, "cuda") == 0 ? SIZES : SIZES - 1;
}

static throng_bench_def crowd_of(const bench_request *q, const place *p, int32_t planner, int32_t agents)
{
    return (throng_bench_def){
        .backend = p->backend, .options = p->options, .planner = planner, .agents = agents, .steps = (int32_t)q->steps};
}

/* The values of a planner's main parameter that are measured: the paper's sizes of local maps; as many samples as
 * DetourCrowd takes, and as the paper. */
static const int32_t *values_of(int32_t planner)
{
    static const int32_t sizes[] = {11, 16, 21, 0}, samples[] = {64, 250, 0}, initial[] = {0, 0};
    return planner == THRONG_PLANNER_bvp ? sizes : planner == THRONG_PLANNER_rvo ? samples : initial;
}

/* One planner with one value of its parameter (or 0), or another benchmark of a crowd, at one size. */
typedef bool sized(bench_request *q, throng_bench_def def, double *ms, throng_error *error);

static bool run_fsm(bench_request *q, throng_bench_def def, double *ms, throng_error *error)
{
    throng_bench_row rows[THRONG_BENCH_FSM_ROWS] = {0};
    throng_script_def limits = throng_script_def_default();
    throng_script *script = throng_script_create(&limits, error);
    bool ok = script && throng_bench_fsm(&def, script, rows, error) &&
              (know_work(q, rows, THRONG_BENCH_FSM_ROWS - 1) || throng_bench_count_fsm(&def, rows, error)) &&
              keep(q, rows, THRONG_BENCH_FSM_ROWS, error);
    *ms = rows[0].ms.median;
    throng_script_destroy(script);
    return ok;
}

static bool run_program(bench_request *q, throng_bench_def def, double *ms, throng_error *error)
{
    throng_bench_row rows[THRONG_BENCH_PROGRAM_ROWS] = {0};
    throng_script_def limits = throng_script_def_default();
    throng_script *script = throng_script_create(&limits, error);
    bool ok = script && throng_bench_program(&def, script, rows, error) &&
              (know_work(q, rows, 1) || throng_bench_count_program(&def, script, rows, error)) &&
              keep(q, rows, THRONG_BENCH_PROGRAM_ROWS, error);
    *ms = rows[0].ms.median;
    throng_script_destroy(script);
    return ok;
}

/* Agents among rigid bodies. */
static bool run_bodies(bench_request *q, throng_bench_def def, double *ms, throng_error *error)
{
    for (const int32_t *bodies = throng_bench_bodies_counts; *bodies >= 0; bodies++) {
        throng_bench_row row;
        def.bodies = *bodies;
        if (!throng_bench_bodies(&def, &row, error) || !keep(q, &row, 1, error))
            return false;
        *ms = row.ms.median;
    }
    return true;
}

/* Of as many agents as the user chose, every tower that they fill. */
static bool run_floors(bench_request *q, const place *p, throng_error *error)
{
    int32_t agents = (int32_t)q->agents, most = q->quick ? 10000 : INT32_MAX, last = 0;
    for (const throng_bench_storeys *t = throng_bench_towers; t->agents && t->agents <= most; t++) {
        bool again = agents && t->storeys <= last;
        throng_bench_def def = crowd_of(q, p, THRONG_PLANNER_orca, agents ? agents : t->agents);
        throng_bench_row row;
        if (again || def.agents < THRONG_BENCH_FLOOR_LEAST * (int64_t)t->storeys)
            continue;
        last = t->storeys;
        if (!throng_bench_floors(&def, t->storeys, &row, error) || !keep(q, &row, 1, error))
            return false;
    }
    return true;
}

/* ms of a frame of the next size, on the line through the last two (what does not grow with agents is not small). */
static double foresee(const int32_t *sizes, const double *ms, int s)
{
    return s < 2 ? 0 : ms[s - 1] + (ms[s - 1] - ms[s - 2]) / (sizes[s - 1] - sizes[s - 2]) * (sizes[s] - sizes[s - 1]);
}

/* From small to large. */
static bool run_sizes(bench_request *q, const place *p, sized *bench, throng_bench_def def, throng_error *error)
{
    int32_t sizes[SIZES];
    int count = sizes_for(q, p->backend, sizes);
    double ms[SIZES] = {0};
    for (int s = 0; s < count && foresee(sizes, ms, s) < patience(q); s++) {
        def.agents = sizes[s];
        if (!bench(q, def, &ms[s], error))
            return false;
    }
    return true;
}

/* Local maps of 21 x 21 with twice as many sweeps as are made by default. */
static bool run_more_sweeps(bench_request *q, const place *p, throng_bench_def def, throng_error *error)
{
    def.value = 21;
    def.sweeps = 64;
    return run_sizes(q, p, run_planner, def, error);
}

static bool run_planners(bench_request *q, const place *p, throng_error *error)
{
    for (int32_t planner = 0; planner < THRONG_PLANNER_COUNT; planner++) {
        throng_bench_def def = crowd_of(q, p, planner, 0);
        def.parameter = planner == THRONG_PLANNER_bvp ? THRONG_bvp_width : THRONG_rvo_samples;
        const int32_t *value = values_of(planner);
        for (bool more = q->planners[planner]; more; more = *++value && !q->quick) {
            def.value = *value;
            if (!run_sizes(q, p, run_planner, def, error))
                return false;
        }
        bool bvp = planner == THRONG_PLANNER_bvp && q->planners[planner] && !q->quick;
        if (bvp && !run_more_sweeps(q, p, def, error))
            return false;
    }
    return true;
}

/* The plan stage on one lane of one thread, and at its fastest. */
static bool run_maps(bench_request *q, bool cuda, throng_error *error)
{
    const place places[] = {{"cpu", {.simd = 1, .threads = 1}}, {cuda ? "cuda" : "cpu", {.simd = 0}}};
    throng_bench_row rows[THRONG_BENCH_ROWS];
    for (const int32_t *size = throng_bench_map_sizes; *size; size++)
        for (const int32_t *agents = throng_bench_map_agents; *agents; agents++)
            for (int p = 0; p < 2 && (!q->agents || *agents <= q->agents); p++) {
                throng_bench_def def = crowd_of(q, &places[p], THRONG_PLANNER_bvp, *agents);
                def.parameter = THRONG_bvp_width;
                def.value = *size;
                if (!run_crowd(q, &def, rows, error) || !keep(q, &rows[1 + THRONG_STAGE_plan], 1, error))
                    return false;
            }
    return true;
}

/* What the sweeps of local maps buy, and cost. */
static bool run_residuals(bench_request *q, const place *p, throng_error *error)
{
    static const int32_t sweeps[] = {8, 16, 32, 64};
    throng_bench_def def = crowd_of(q, p, THRONG_PLANNER_bvp, q->agents ? (int32_t)q->agents : q->quick ? 1000 : 10000);
    throng_bench_row rows[THRONG_BENCH_ROWS];
    throng_bench_residual residual;
    def.parameter = THRONG_bvp_width;
    def.value = 21;
    printf("\nbvp-21 on %s, %d agents: what is left after so many sweeps, of 200 maps against solved ones\n",
           p->backend, def.agents);
    printf("%8s %10s %16s %15s %10s\n", "sweeps", "plan ms", "worst potential", "median rad off", "> 0.1 rad");
    for (size_t i = 0; i < sizeof sweeps / sizeof *sweeps; i++) {
        def.sweeps = sweeps[i];
        if (!throng_bench_planner(&def, rows, error) || !throng_bench_bvp_residual(&def, &residual, error))
            return false;
        printf("%8d %10.4f %16.2g %15.2g %9.1f%%\n", sweeps[i], rows[1 + THRONG_STAGE_plan].ms.median,
               residual.potential, residual.angle, 100 * residual.wrong);
    }
    return true;
}

/* --- fields and paths ------------------------------------------------------------------------------- */

/* Queries of a batch: a search of the last grid takes 10 ms of a thread. */
static int32_t queries_of(const bench_request *q, const place *p, int32_t which)
{
    bool slow = which == THRONG_BENCH_GRIDS - 1 && strcmp(p->backend, "cpu") == 0;
    return q->agents ? (int32_t)q->agents : slow ? 200 * p->options.threads : 0;
}

/* Trees of the largest grids' goals are no way to answer their queries; they are left out of quick runs. */
static bool run_batches(bench_request *q, const place *p, throng_error *error)
{
    int32_t grids = THRONG_BENCH_GRIDS - (q->quick ? 2 : 0);
    for (int32_t which = 0; which < grids; which++)
        for (int32_t method = THRONG_PATHS_SEARCH; method < THRONG_PATH_METHODS; method++) {
            throng_bench_row row;
            bool large = which >= THRONG_BENCH_GRIDS - 2;
            if (method == THRONG_PATHS_TREES && large)
                continue;
            const throng_bench_batch batch = {which, method, queries_of(q, p, which), (int32_t)q->devices};
            if (!throng_bench_paths(p->backend, &p->options, &batch, &row, error) || !keep(q, &row, 1, error))
                return false;
        }
    return true;
}

static bool run_searches(bench_request *q, throng_error *error)
{
    throng_bench_row row;
    const int32_t most = q->agents ? q->agents : q->quick ? 100 : 10000;
    for (int32_t queries = 10; queries <= most; queries *= 10)
        if (!throng_bench_searches(THRONG_BENCH_WILLOW, queries, &row, error) || !keep(q, &row, 1, error))
            return false;
    for (int32_t plan = THRONG_BENCH_HALL; plan < THRONG_BENCH_PLANS; plan++)
        if (!throng_bench_searches(plan, most, &row, error) || !keep(q, &row, 1, error))
            return false;
    return true;
}

static bool run_fields(bench_request *q, const char *backend, throng_error *error)
{
    for (int32_t which = 0; which < THRONG_BENCH_FIELDS; which++) {
        throng_bench_row row;
        if (!throng_bench_field(backend, which, &row, error) || !keep(q, &row, 1, error))
            return false;
    }
    return true;
}

static bool run_evacuation(bench_request *q, const place *p, throng_error *error)
{
    throng_bench_row row;
    return throng_bench_evacuation(p->backend, &p->options, &row, error) && keep(q, &row, 1, error);
}

/* On CPUs the small ones, and when time matters, two. */
static bool is_wanted(const bench_request *q, const place *p, const throng_bench_scenario *scenario)
{
    if (q->agents)
        return q->agents == scenario->agents;
    bool small = scenario->agents <= 2000 || strcmp(p->backend, "cuda") == 0;
    return q->quick ? scenario < throng_bench_scenarios + 2 : small;
}

static bool run_scenarios(bench_request *q, const place *p, throng_error *error)
{
    static const int32_t planners[] = {THRONG_PLANNER_orca, THRONG_PLANNER_clearpath, THRONG_PLANNER_rvo};
    for (const throng_bench_scenario *s = throng_bench_scenarios; s->name; s++)
        for (int i = 0; is_wanted(q, p, s) && i < 3; i++) {
            throng_bench_row row;
            if (!throng_bench_run_scenario(s, planners[i], p->backend, &p->options, &row, error) ||
                !keep(q, &row, 1, error))
                return false;
        }
    return true;
}

/* --- places ----------------------------------------------------------------------------------- */

static bool run_place(bench_request *q, const place *p, throng_error *error)
{
    throng_bench_def def = crowd_of(q, p, THRONG_PLANNER_orca, 0);
    const bool *others = q->others;
    return run_planners(q, p, error) && (!others[OTHER_neighbours] || run_sizes(q, p, run_neighbours, def, error)) &&
           (!others[OTHER_fsm] || run_sizes(q, p, run_fsm, def, error)) &&
           (!others[OTHER_program] || run_sizes(q, p, run_program, def, error)) &&
           (!others[OTHER_batch] || run_batches(q, p, error)) &&
           (!others[OTHER_bodies] || run_sizes(q, p, run_bodies, def, error)) &&
           (!others[OTHER_floors] || run_floors(q, p, error)) &&
           (!others[OTHER_evacuation] || run_evacuation(q, p, error)) &&
           (!others[OTHER_scenarios] || run_scenarios(q, p, error));
}

/* Planners on one thread with narrower SIMD than there is: what its width gains. Only at one size. */
static bool run_narrow(bench_request *q, throng_error *error)
{
    static const int32_t simd[] = {1, 4, 8};
    int64_t agents = q->agents;
    throng_stages stages;
    throng_backend_info info;
    const throng_backend_options any = {.threads = 1};
    if (!throng_stages_open("cpu", &any, &stages, error))
        return false;
    stages.api->info(stages.backend, &info);
    throng_stages_close(&stages);
    bool ok = true;
    q->agents = agents ? agents : q->quick ? 1000 : 10000;
    for (int i = 0; ok && i < (q->quick ? 1 : 3) && simd[i] < info.simd; i++)
        ok = run_planners(q, &(place){"cpu", {.simd = simd[i], .threads = 1}}, error);
    q->agents = agents;
    return ok;
}

static bool has_cuda(void)
{
    throng_stages stages;
    throng_backend_options none = {0};
    if (!throng_stages_open("cuda", &none, &stages, NULL))
        return false;
    throng_stages_close(&stages);
    return true;
}

/* On the CPU narrower SIMD, one thread, then all of them, unless the user chose. */
static bool run_all(bench_request *q, throng_error *error)
{
    bool cpu = strcmp(q->backend, "cuda") != 0;
    bool cuda = strcmp(q->backend, "cuda") == 0 || (strcmp(q->backend, "auto") == 0 && has_cuda());
    int32_t processors = (int32_t)sysconf(_SC_NPROCESSORS_ONLN), simd = (int32_t)q->simd;
    place one = {"cpu", {.simd = simd, .threads = q->threads ? (int32_t)q->threads : 1}};
    place all = {"cpu", {.simd = simd, .threads = processors}};
    if (cpu && !q->simd && !q->threads && !run_narrow(q, error))
        return false;
    if (cpu && q->others[OTHER_paths] && !run_searches(q, error))
        return false;
    if (cpu && q->others[OTHER_fields] && !run_fields(q, "cpu", error))
        return false;
    if (cpu && !run_place(q, &one, error))
        return false;
    if (cpu && !q->threads && processors > 1 && !run_place(q, &all, error))
        return false;
    if (cuda && q->others[OTHER_fields] && !run_fields(q, "cuda", error))
        return false;
    const place device = {"cuda", {0}};
    if (cuda && !run_place(q, &device, error))
        return false;
    if (q->others[OTHER_maps] && !run_maps(q, cuda, error))
        return false;
    return !q->planners[THRONG_PLANNER_bvp] || q->json || run_residuals(q, cuda ? &device : &one, error);
}

/* --- the command ------------------------------------------------------------------------------ */

static bool known_backend(const char *name)
{
    return strcmp(name, "auto") == 0 || strcmp(name, "cpu") == 0 || strcmp(name, "cuda") == 0;
}

/* Every planner but "none" has a benchmark by its name. */
static const char *list_planners(char *text, size_t size)
{
    throng_list_names(text, size, throng_planner_names + 1);
    return text;
}

static const char *list_others(char *text, size_t size)
{
    throng_list_names(text, size, other_names);
    return text;
}

static bool choose(bench_request *q, const char *name)
{
    for (int i = 0; i < OTHER_COUNT; i++)
        if (strcmp(name, other_names[i]) == 0)
            return q->others[i] = true;
    for (int32_t planner = 1; planner < THRONG_PLANNER_COUNT; planner++)
        if (strcmp(name, throng_planner_names[planner]) == 0) {
            q->others[OTHER_bodies] |= planner == THRONG_PLANNER_forces;
            return q->planners[planner] = true;
        }
    return false;
}

static void choose_all(bench_request *q)
{
    for (int i = 0; i < OTHER_COUNT; i++)
        q->others[i] = true;
    for (int32_t planner = 1; planner < THRONG_PLANNER_COUNT; planner++)
        q->planners[planner] = true;
}

/* What was measured is written also when a later benchmark failed. */
static bool write_results(const bench_request *q, throng_error *error)
{
    if (q->json) {
        throng_bench_write_json(&q->table, stdout);
        putchar('\n');
    }
    if (!q->json && q->table.count) {
        throng_bench_print_bodies(&q->table);
        throng_bench_print_bvp(&q->table);
        if (q->others[OTHER_maps])
            throng_bench_print_map_speed_ups(&q->table);
        throng_bench_print_searches(&q->table);
        throng_bench_print_conflicts(&q->table);
        throng_bench_print_crossovers(&q->table);
        throng_bench_print_limits(&q->table);
        if (q->profile)
            throng_bench_print_profile(&q->table);
    }
    return (!q->results || throng_bench_write_results(&q->table, q->results, error)) &&
           (!q->csv || throng_bench_write_csv(&q->table, q->csv, error)) &&
           (!q->png || (q->maps_alone ? throng_bench_draw_map_speed_ups : throng_bench_draw)(&q->table, q->png, error));
}

enum { TOLERANCE = 10 }; /* per cent: medians of a quiet machine differ by less */

/* Can a file be written there (NULL: none is)? Asked before all is measured. */
static bool may_write(const char *path, throng_error *error) { return !path || throng_output_check(path, error); }

/* The exit status: rows that are slower than those of the earlier run fail, and so does a file without any of them. */
static int compare(const bench_request *q, const throng_bench_table *earlier)
{
    if (!q->against || q->table.count == 0)
        return THRONG_EXIT_DONE;
    double tolerance = q->tolerance >= 0 ? q->tolerance : TOLERANCE;
    int32_t slower = throng_bench_compare(&q->table, earlier, tolerance / 100, q->json ? stderr : stdout);
    if (slower < 0)
        fprintf(stderr,
                "throng bench: %s has no row that was measured now; name benchmarks, --backend, --simd, --threads and "
                "--agents as for it\n",
                q->against);
    return slower < 0 ? THRONG_EXIT_USAGE : slower > 0 ? THRONG_EXIT_FAILED : THRONG_EXIT_DONE;
}

int throng_cli_bench(int argc, char **argv)
{
    bench_request q = {.backend = "auto", .tolerance = -1};
    throng_texts names = {.count = 0};
    char planners[256], others[256];
    const throng_option options[] = {{"--backend", THRONG_OPTION_TEXT, &q.backend, 0, 0},
                                     {"--simd", THRONG_OPTION_WHOLE, &q.simd, 1, 16},
                                     {"--threads", THRONG_OPTION_WHOLE, &q.threads, 1, 256},
                                     {"--agents", THRONG_OPTION_WHOLE, &q.agents, 1, 1 << 27},
                                     {"--steps", THRONG_OPTION_WHOLE, &q.steps, 1, 100000},
                                     {"--devices", THRONG_OPTION_WHOLE, &q.devices, 1, THRONG_GRAPH_DEVICES_MAX},
                                     {"--quick", THRONG_OPTION_SWITCH, &q.quick, 0, 0},
                                     {"--profile", THRONG_OPTION_SWITCH, &q.profile, 0, 0},
                                     {"--json", THRONG_OPTION_SWITCH, &q.json, 0, 0},
                                     {"--results", THRONG_OPTION_TEXT, &q.results, 0, 0},
                                     {"--against", THRONG_OPTION_TEXT, &q.against, 0, 0},
                                     {"--tolerance", THRONG_OPTION_NUMBER, &q.tolerance, 0, 1000},
                                     {"--csv", THRONG_OPTION_TEXT, &q.csv, 0, 0},
                                     {"--png", THRONG_OPTION_TEXT, &q.png, 0, 0},
                                     {0}};
    if (!throng_cli_options("bench", argc, argv, options, &names, 16))
        return THRONG_EXIT_USAGE;
    for (int32_t i = 0; i < names.count; i++)
        if (!choose(&q, names.list[i]))
            return throng_cli_misuse("bench", "there is no benchmark \"%s\"; there are: %s, %s", names.list[i],
                                     list_planners(planners, sizeof planners), list_others(others, sizeof others));
    q.maps_alone = names.count == 1 && q.others[OTHER_maps];
    if (names.count == 0)
        choose_all(&q);
    if (!known_backend(q.backend))
        return throng_cli_misuse("bench", "--backend must be auto, cpu or cuda, not \"%s\"", q.backend);
    if (q.tolerance >= 0 && !q.against)
        return throng_cli_misuse("bench", "--tolerance is of --against: name the file of an earlier run");
    if (q.devices && (strcmp(q.backend, "cuda") != 0 || !q.others[OTHER_batch]))
        return throng_cli_misuse("bench",
                                 "--devices is of batch-paths: throng bench batch-paths --backend cuda "
                                 "--devices %lld",
                                 (long long)q.devices);
    throng_error error, unwritten;
    throng_bench_table earlier = {0};
    const throng_output_name outputs[] = {{"--csv", q.csv}, {"--png", q.png}, {"--results", q.results}};
    if (!throng_output_apart(outputs, 3, &error) || !may_write(q.csv, &error) ||
        (q.png && !throng_picture_check(q.png, &error)) || !may_write(q.results, &error) ||
        (q.against && !throng_bench_read_rows(q.against, &earlier, &error))) {
        fprintf(stderr, "throng bench: %s\n", error.text);
        return THRONG_EXIT_USAGE;
    }
    bool ok = run_all(&q, &error) &&
              (q.table.count > 0 ||
               throng_fail(&error, "nothing was measured: none of these has %lld agents; leave out --agents",
                           (long long)q.agents));
    bool written = write_results(&q, &unwritten);
    int code = compare(&q, &earlier);
    throng_bench_table_fini(&earlier);
    throng_bench_table_fini(&q.table);
    if (!ok)
        fprintf(stderr, "throng bench: %s\n", error.text);
    if (!written)
        fprintf(stderr, "throng bench: %s\n", unwritten.text);
    return ok && written ? code : THRONG_EXIT_USAGE;
}
