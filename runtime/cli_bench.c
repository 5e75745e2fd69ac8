/* throng bench: what a frame costs, stage by stage, on each backend that is here. */
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "bench.h"
#include "cli.h"
#include "graph.h"
#include "json.h"
#include "suggest.h"

typedef struct bench_request {
    const char *backend;
    int64_t lanes, threads, agents, steps;
    bool json, quick;
    bool planners[THRONG_PLANNER_COUNT], program, fsm, paths; /* which to measure */
    int printed;                                              /* rows so far */
} bench_request;

static void print_row(const throng_bench_row *r)
{
    printf("%-12s %-5s %5d %7d %9d  %-7s %10.3f %10.3f %10.4f %12.0f %8.0f", r->name, r->backend, r->lanes, r->threads,
           r->agents, r->stage, r->ms_median, r->ms_min, r->us_per_agent, 1e6 / r->us_per_agent, r->bytes_per_agent);
    if (isfinite(r->conflicts))
        printf(" %9.3g", r->conflicts);
    printf("\n");
}

static void print_head(void)
{
    printf("%-12s %-5s %5s %7s %9s  %-7s %10s %10s %10s %12s %8s %9s\n", "name", "where", "lanes", "threads", "agents",
           "stage", "ms median", "ms least", "us/agent", "agents/s", "B/agent", "conflicts");
}

static void print_row_json(const throng_bench_row *r)
{
    throng_json json = throng_json_open(stdout);
    throng_json_text(&json, "name", r->name);
    throng_json_text(&json, "backend", r->backend);
    throng_json_text(&json, "device", r->device);
    throng_json_whole(&json, "lanes", r->lanes);
    throng_json_whole(&json, "threads", r->threads);
    throng_json_whole(&json, "agents", r->agents);
    throng_json_whole(&json, "bodies", r->bodies);
    throng_json_text(&json, "stage", r->stage);
    throng_json_number(&json, "ms_median", r->ms_median);
    throng_json_number(&json, "ms_min", r->ms_min);
    throng_json_number(&json, "us_per_agent", r->us_per_agent);
    throng_json_number(&json, "agents_per_second", 1e6 / r->us_per_agent);
    throng_json_number(&json, "bytes_per_agent", r->bytes_per_agent);
    throng_json_number(&json, "conflicts", r->conflicts);
    throng_json_close(&json);
}

static void print_rows(bench_request *q, const throng_bench_row *rows, int count)
{
    for (int i = 0; i < count; i++, q->printed++) {
        if (q->json)
            printf(q->printed ? ",\n" : "[\n");
        else if (!q->printed)
            print_head();
        q->json ? print_row_json(&rows[i]) : print_row(&rows[i]);
    }
    fflush(stdout);
}

static bool run_planner(bench_request *q, throng_bench_def def, throng_error *error)
{
    throng_bench_row rows[THRONG_BENCH_ROWS];
    for (int random = 0; random < 2; random++) {
        def.random = random;
        if (!throng_bench_planner(&def, rows, error))
            return false;
        print_rows(q, rows, THRONG_BENCH_ROWS);
    }
    return true;
}

static bool run_program(bench_request *q, throng_bench_def def, throng_error *error)
{
    throng_bench_row rows[THRONG_BENCH_PROGRAM_ROWS];
    throng_script_def limits = throng_script_def_default();
    throng_script *script = throng_script_create(&limits, error);
    bool ok = script && throng_bench_program(&def, script, rows, error);
    if (ok)
        print_rows(q, rows, THRONG_BENCH_PROGRAM_ROWS);
    throng_script_destroy(script);
    return ok;
}

static bool run_fsm(bench_request *q, const throng_bench_def *def, throng_error *error)
{
    throng_bench_row rows[THRONG_BENCH_FSM_ROWS];
    throng_script_def limits = throng_script_def_default();
    throng_script *script = throng_script_create(&limits, error);
    bool ok = script && throng_bench_fsm(def, script, rows, error);
    if (ok) {
        const throng_bench_row *frame = rows, *goals = rows + 1 + THRONG_STAGE_goals,
                               *changes = rows + THRONG_BENCH_ROWS;
        print_rows(q, rows, THRONG_BENCH_FSM_ROWS);
        if (!q->json)
            printf("  the goals stage is %.1f %% of the frame; %.1f million transitions a second, %.1f with a hook in "
                   "Lua\n",
                   100 * goals->ms_median / frame->ms_median, 1 / changes[0].us_per_agent, 1 / changes[1].us_per_agent);
    }
    throng_script_destroy(script);
    return ok;
}

/* Sizes of the table: a hundred thousand steps' worth of agents each, within reason. */
static int sizes_for(const bench_request *q, const char *backend, int32_t *sizes)
{
    static const int32_t all[] = {10000, 100000, 1000000, 4000000};
    if (q->agents) {
        sizes[0] = (int32_t)q->agents;
        return 1;
    }
    int count = q->quick ? 2 : strcmp(backend, "cuda") == 0 ? 4 : 3;
    memcpy(sizes, all, sizeof all);
    return count;
}

/* Those of bvp, from the paper's ten on. */
static int map_sizes_for(const bench_request *q, const char *backend, int32_t *sizes)
{
    static const int32_t all[] = {10, 100, 500, 1000, 10000, 100000, 1000000};
    if (q->agents)
        return sizes_for(q, backend, sizes);
    memcpy(sizes, all, sizeof all);
    return q->quick ? 4 : strcmp(backend, "cuda") == 0 ? 7 : 5;
}

static int32_t steps_for(const bench_request *q, int32_t agents)
{
    if (q->steps)
        return (int32_t)q->steps;
    return agents >= 1000000 ? 9 : agents >= 100000 ? 15 : 31;
}

/* Trees of the largest grid's goals are no way to answer its queries. */
static bool run_paths(bench_request *q, const char *backend, int32_t threads, throng_error *error)
{
    throng_backend_options options = {0, threads};
    for (int32_t which = 0; q->paths && which < THRONG_BENCH_GRIDS; which++)
        for (int32_t method = THRONG_PATHS_SEARCH; method < THRONG_PATH_METHODS; method++) {
            throng_bench_row row;
            if (method == THRONG_PATHS_TREES && which == THRONG_BENCH_GRIDS - 1)
                continue;
            if (!throng_bench_paths(backend, &options, which, method, &row, error))
                return false;
            print_rows(q, &row, 1);
        }
    return true;
}

/* The values of a planner's main parameter that are measured: the paper's sizes of local maps; as many samples as
 * DetourCrowd takes, and as the paper. */
static bool run_values(bench_request *q, throng_bench_def def, throng_error *error)
{
    static const int32_t sizes[] = {11, 16, 21, 0}, samples[] = {64, 250, 0}, initial[] = {0, 0};
    const int32_t *values = def.planner == THRONG_PLANNER_bvp   ? sizes
                            : def.planner == THRONG_PLANNER_rvo ? samples
                                                                : initial;
    def.parameter = def.planner == THRONG_PLANNER_bvp ? THRONG_bvp_size : THRONG_rvo_samples;
    do {
        def.value = *values++;
        if (!run_planner(q, def, error))
            return false;
    } while (*values);
    return true;
}

/* Planners one lane wide: what the lanes gain. Only at the least size. */
static bool run_scalar(bench_request *q, throng_error *error)
{
    int32_t sizes[8];
    sizes_for(q, "cpu", sizes);
    for (int32_t planner = 0; planner < THRONG_PLANNER_COUNT; planner++) {
        throng_bench_def def = {"cpu", {1, 1}, planner, sizes[0], false, steps_for(q, sizes[0]), 0, 0, 0};
        if (q->planners[planner] && !run_values(q, def, error))
            return false;
    }
    return true;
}

static bool run_backend(bench_request *q, const char *backend, int32_t lanes, int32_t threads, throng_error *error)
{
    int32_t sizes[8];
    int count;
    for (int32_t planner = 0; planner < THRONG_PLANNER_COUNT; planner++) {
        count = planner == THRONG_PLANNER_bvp ? map_sizes_for(q, backend, sizes) : sizes_for(q, backend, sizes);
        for (int s = 0; q->planners[planner] && s < count; s++) {
            throng_bench_def def = {backend, {lanes, threads}, planner, sizes[s], false, steps_for(q, sizes[s]), 0, 0,
                                    0};
            if (!run_values(q, def, error))
                return false;
        }
    }
    count = sizes_for(q, backend, sizes);
    for (int s = 0; s < count; s++) {
        throng_bench_def def = {
            backend, {lanes, threads}, THRONG_PLANNER_orca, sizes[s], false, steps_for(q, sizes[s]), 0, 0, 0};
        if ((q->program && !run_program(q, def, error)) || (q->fsm && !run_fsm(q, &def, error)))
            return false;
    }
    return run_paths(q, backend, threads, error);
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

/* On the CPU one lane, one thread, then all of them, unless the user chose. */
static bool run_all(bench_request *q, throng_error *error)
{
    bool cpu = strcmp(q->backend, "cuda") != 0;
    bool cuda = strcmp(q->backend, "cuda") == 0 || (strcmp(q->backend, "auto") == 0 && has_cuda());
    int32_t processors = (int32_t)sysconf(_SC_NPROCESSORS_ONLN);
    if (cpu && !q->lanes && !q->threads && !run_scalar(q, error))
        return false;
    if (cpu && !run_backend(q, "cpu", (int32_t)q->lanes, q->threads ? (int32_t)q->threads : 1, error))
        return false;
    if (cpu && !q->threads && processors > 1 && !run_backend(q, "cpu", (int32_t)q->lanes, processors, error))
        return false;
    return !cuda || run_backend(q, "cuda", 0, 0, error);
}

/* --- agents among bodies: a table -------------------------------------------------------------- */

enum { TABLE_AGENTS = 5, TABLE_BODIES = 4 };
static const int32_t table_agents[TABLE_AGENTS] = {500, 2000, 10000, 50000, 200000};
static const int32_t table_bodies[TABLE_BODIES] = {0, 150, 500, 1500};

typedef struct bodies_table {
    throng_bench_row row[2][TABLE_AGENTS][TABLE_BODIES]; /* of the CPU, of CUDA */
    bool measured[2];
    int sizes; /* rows */
} bodies_table;

static bool measure_table(bench_request *q, bodies_table *t, bool cuda, throng_error *error)
{
    t->sizes = q->agents ? 1 : q->quick ? 2 : TABLE_AGENTS;
    t->measured[cuda] = true;
    for (int a = 0; a < t->sizes; a++)
        for (int b = 0; b < TABLE_BODIES; b++) {
            int32_t agents = q->agents ? (int32_t)q->agents : table_agents[a];
            throng_bench_def def = {cuda ? "cuda" : "cpu",
                                    {(int32_t)q->lanes, (int32_t)q->threads},
                                    THRONG_PLANNER_forces,
                                    agents,
                                    false,
                                    steps_for(q, agents),
                                    0,
                                    0,
                                    table_bodies[b]};
            if (!throng_bench_bodies(&def, &t->row[cuda][a][b], error))
                return false;
            if (q->json)
                print_rows(q, &t->row[cuda][a][b], 1);
        }
    return true;
}

static void print_cells(const bodies_table *t)
{
    const throng_bench_row *first = &t->row[!t->measured[0]][0][0];
    printf("\nforces among bodies: ms a frame (median), %s\n%9s", first->device, "agents");
    for (int b = 0; b < TABLE_BODIES; b++)
        for (int where = 0; where < 2; where++)
            if (t->measured[where])
                printf("  %4d on %-4s", table_bodies[b], where ? "cuda" : "cpu");
    for (int a = 0; a < t->sizes; a++) {
        printf("\n%9d", t->row[!t->measured[0]][a][0].agents);
        for (int b = 0; b < TABLE_BODIES; b++)
            for (int where = 0; where < 2; where++)
                if (t->measured[where])
                    printf("  %12.3f", t->row[where][a][b].ms_median);
    }
    printf("\n");
}

/* From how many agents on CUDA is faster. */
static void print_crossover(const bodies_table *t)
{
    for (int b = 0; b < TABLE_BODIES; b++) {
        int a = t->sizes;
        while (a > 0 && t->row[1][a - 1][b].ms_median < t->row[0][a - 1][b].ms_median)
            a--;
        if (a < t->sizes)
            printf("with %4d bodies cuda is faster from %d agents on\n", table_bodies[b], t->row[0][a][b].agents);
        else
            printf("with %4d bodies the cpu is faster up to %d agents\n", table_bodies[b], t->row[0][a - 1][b].agents);
    }
}

static bool run_table(bench_request *q, throng_error *error)
{
    bodies_table t = {.sizes = 0};
    bool cuda = strcmp(q->backend, "cpu") != 0 && has_cuda();
    if (strcmp(q->backend, "cuda") != 0 && !measure_table(q, &t, false, error))
        return false;
    if (cuda && !measure_table(q, &t, true, error))
        return false;
    if (!q->json && (t.measured[0] || t.measured[1]))
        print_cells(&t);
    if (!q->json && t.measured[0] && t.measured[1])
        print_crossover(&t);
    return true;
}

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

static bool choose(bench_request *q, const char *name)
{
    if (strcmp(name, "program") == 0)
        return q->program = true;
    if (strcmp(name, "batch-paths") == 0)
        return q->paths = true;
    if (strcmp(name, "fsm") == 0)
        return q->fsm = true;
    for (int32_t planner = 1; planner < THRONG_PLANNER_COUNT; planner++)
        if (strcmp(name, throng_planner_names[planner]) == 0)
            return q->planners[planner] = true;
    return false;
}

int throng_cli_bench(int argc, char **argv)
{
    bench_request q = {.backend = "auto"};
    throng_texts names = {0};
    char list[256];
    const throng_option options[] = {{"--backend", THRONG_OPTION_TEXT, &q.backend, 0, 0},
                                     {"--lanes", THRONG_OPTION_WHOLE, &q.lanes, 1, 16},
                                     {"--threads", THRONG_OPTION_WHOLE, &q.threads, 1, 256},
                                     {"--agents", THRONG_OPTION_WHOLE, &q.agents, 1, 1 << 27},
                                     {"--steps", THRONG_OPTION_WHOLE, &q.steps, 1, 100000},
                                     {"--quick", THRONG_OPTION_SWITCH, &q.quick, 0, 0},
                                     {"--json", THRONG_OPTION_SWITCH, &q.json, 0, 0},
                                     {0}};
    if (!throng_cli_options("bench", argc, argv, options, &names, 8))
        return THRONG_EXIT_USAGE;
    for (int32_t i = 0; i < names.count; i++)
        if (!choose(&q, names.list[i]))
            return throng_cli_misuse("bench", "there is no benchmark \"%s\"; there are: fsm, program, batch-paths, %s",
                                     names.list[i], list_planners(list, sizeof list));
    if (names.count == 0)
        choose(&q, "orca");
    if (!known_backend(q.backend))
        return throng_cli_misuse("bench", "--backend must be auto, cpu or cuda, not \"%s\"", q.backend);
    throng_error error;
    bool ok = run_all(&q, &error) && (!q.planners[THRONG_PLANNER_forces] || run_table(&q, &error));
    if (q.json)
        printf(q.printed ? "\n]\n" : "[]\n");
    if (!ok)
        fprintf(stderr, "throng bench: %s\n", error.text);
    return ok ? THRONG_EXIT_DONE : THRONG_EXIT_USAGE;
}
