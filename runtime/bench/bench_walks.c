/* Benchmarks from end to end: path searches on a map, and scenarios from their first step to their last. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench.h"
#include "bench_plans.h"
#include "map/map_random.h"
#include "navigation/path_search.h"
#include "record/run.h"

/* --- searches ------------------------------------------------------------------------------- */

typedef struct search_ends {
    throng_point from, to;
} search_ends;

static bool draw_ends(const throng_map *map, int32_t queries, search_ends *ends, throng_error *error)
{
    for (int32_t q = 0; q < queries; q++)
        if (!throng_map_random_point(map, NULL, 0, 0.25, 2 * (uint64_t)q, &ends[q].from) ||
            !throng_map_random_point(map, NULL, 0, 0.25, 2 * (uint64_t)q + 1, &ends[q].to))
            return throng_fail(error, "no free places on %s", map->name);
    return true;
}

static bool search_all(const throng_navmesh *mesh, const search_ends *ends, int32_t queries, throng_bench_row *row,
                       throng_error *error)
{
    enum { TIMES = 5 };
    double ms[TIMES];
    throng_path_search *search = throng_path_search_create();
    bool ok = search || throng_fail(error, "out of memory for a path search");
    for (int i = -1; ok && i < TIMES; i++) {
        double start = throng_now_ms();
        for (int32_t q = 0; q < queries; q++) {
            int32_t expansions = INT32_MAX;
            throng_path_search_begin(search, mesh, ends[q].from, ends[q].to);
            throng_path_search_step(search, &expansions);
        }
        if (i >= 0)
            ms[i] = throng_now_ms() - start;
    }
    if (ok) {
        row->bytes_per_agent = (double)throng_path_search_bytes(search) / queries;
        row->ms = throng_timing_of(ms, TIMES);
        row->us_per_agent = 1e3 * row->ms.median / queries;
    }
    throng_path_search_destroy(search);
    return ok;
}

bool throng_bench_searches(int32_t plan, int32_t queries, throng_bench_row *row, throng_error *error)
{
    throng_backend_info info;
    throng_stages stages;
    const throng_backend_options one = {.simd = 1, .threads = 1};
    throng_map *map = throng_bench_plan(plan, error);
    if (!map || !throng_stages_open("cpu", &one, &stages, error)) {
        throng_map_destroy(map);
        return false;
    }
    stages.api->info(stages.backend, &info);
    throng_stages_close(&stages);
    throng_bench_row_begin(row, "paths", "cpu", &info, queries);
    snprintf(row->stage, sizeof row->stage, "%s", throng_bench_plan_names[plan]);
    throng_navmesh *mesh = throng_navmesh_build(map, 0.25, error);
    search_ends *ends = malloc((size_t)queries * sizeof *ends);
    bool ok = mesh && (ends || throng_fail(error, "out of memory for %d queries", queries));
    ok = ok && draw_ends(map, queries, ends, error) && search_all(mesh, ends, queries, row, error);
    free(ends);
    throng_navmesh_destroy(mesh);
    throng_map_destroy(map);
    return ok;
}

/* --- a scenario ----------------------------------------------------------------------------- */

/* Runs it to its end and fills the row. */
static bool time_scenario(throng_script *script, const throng_scenario *scenario, throng_bench_row *row,
                          throng_error *error)
{
    throng_backend_info info;
    throng_world_stats stats;
    throng_run_def run = {.world = scenario->world,
                          .steps = throng_run_steps(scenario->world, scenario->seconds),
                          .until_done = scenario->until_done,
                          .step = throng_script_step,
                          .stopped = throng_script_stopped,
                          .context = script};
    double start = throng_now_ms();
    if (throng_run(&run, error) == THRONG_RUN_FAILED)
        return false;
    double ms = throng_now_ms() - start;
    if (!throng_world_get_stats(scenario->world, &stats, error))
        return false;
    throng_world_backend_info(scenario->world, &info);
    throng_bench_row_begin(row, scenario->name, throng_world_backend(scenario->world), &info, stats.spawned);
    snprintf(row->stage, sizeof row->stage, "whole");
    row->ms = throng_timing_of(&ms, 1);
    row->us_per_agent = 1e3 * ms / stats.spawned / throng_world_steps(scenario->world);
    return true;
}

/* The work of its first steps. */
static bool count_scenario(throng_script *script, const throng_scenario *scenario, throng_bench_row *row,
                           throng_error *error)
{
    enum { STEPS = 30 };
    (void)script;
    return throng_bench_count_world(scenario->world, STEPS, row, error);
}

typedef bool with_scenario(throng_script *script, const throng_scenario *scenario, throng_bench_row *row,
                           throng_error *error);

static bool load_scenario(const char *file, const throng_overrides *overrides, with_scenario *use,
                          throng_bench_row *row, throng_error *error)
{
    char path[4096];
    throng_scenario scenario;
    throng_script_def limits = throng_script_def_default();
    if (!throng_bench_find_file(file, path, sizeof path, error))
        return false;
    throng_script *script = throng_script_create(&limits, error);
    bool ok =
        script && throng_script_load(script, path, overrides, &scenario, error) && use(script, &scenario, row, error);
    throng_script_destroy(script);
    return ok;
}

bool throng_bench_evacuation(const char *backend, const throng_backend_options *options, throng_bench_row *row,
                             throng_error *error)
{
    static const char file[] = "scenarios/evacuation.lua";
    const throng_overrides timed = {.backend = backend, .simd = options->simd, .threads = options->threads};
    const throng_overrides counted = {.backend = "cpu", .simd = THRONG_LANES_COUNTED, .threads = 1};
    return load_scenario(file, &timed, time_scenario, row, error) &&
           load_scenario(file, &counted, count_scenario, row, error);
}

/* --- the papers' scenarios -------------------------------------------------------------------- */

const throng_bench_scenario throng_bench_scenarios[] = {
    {"back_and_forth", 80},
    {"crossing", 1000},
    {"office", 1000},
    {"streams", 2000},
    {"office", 10000},
    {"arena", 25000},
    {0},
};

/* Its mean frame, and what the planner left to the contacts. */
static bool time_frames(throng_script *script, const throng_scenario *scenario, throng_bench_row *row,
                        throng_error *error)
{
    throng_world_stats stats;
    if (!time_scenario(script, scenario, row, error) || !throng_world_get_stats(scenario->world, &stats, error))
        return false;
    double steps = throng_world_steps(scenario->world), ms = row->ms.median / steps;
    row->ms = throng_timing_of(&ms, 1);
    row->conflicts = (double)stats.counters.conflicts / steps;
    return true;
}

bool throng_bench_run_scenario(const throng_bench_scenario *scenario, int32_t planner, const char *backend,
                               const throng_backend_options *options, throng_bench_row *row, throng_error *error)
{
    char file[64], count[32], of[32];
    snprintf(file, sizeof file, "scenarios/%s.lua", scenario->name);
    snprintf(count, sizeof count, "count=%d", scenario->agents);
    snprintf(of, sizeof of, "planner=%s", throng_planner_names[planner]);
    const char *const params[] = {count, of};
    const throng_overrides overrides = {
        .backend = backend, .simd = options->simd, .threads = options->threads, .params = params, .param_count = 2};
    if (!load_scenario(file, &overrides, time_frames, row, error))
        return false;
    snprintf(row->stage, sizeof row->stage, "%s", throng_planner_names[planner]);
    return true;
}
