/* throng run: a scenario, headless, to its summary and files. */
#include <stdlib.h>
#include <string.h>

#include "cli_script.h"
#include "base/clock.h"
#include "base/watchdog.h"
#include "record/progress.h"

static bool one_of(const char *text, const char *const *names)
{
    for (; *names; names++)
        if (strcmp(text, *names) == 0)
            return true;
    return false;
}

static bool check_options(const throng_run_options *options)
{
    static const char *const backends[] = {"auto", "cpu", "cuda", NULL};
    int64_t simd = options->simd;
    if (options->scenario.count == 0)
        return throng_cli_misuse("run", "which scenario? Give the path of a .lua file") == 0;
    if (options->seconds >= 0 && options->steps >= 0)
        return throng_cli_misuse("run", "give --seconds or --steps, not both") == 0;
    if (options->backend && !one_of(options->backend, backends))
        return throng_cli_misuse("run", "--backend must be auto, cpu or cuda, got '%s'", options->backend) == 0;
    if (simd != -1 && simd != 1 && simd != 4 && simd != 8 && simd != 16)
        return throng_cli_misuse("run", "--simd must be 1, 4, 8 or 16, got %d", (int)simd) == 0;
    if (options->watch && options->keep_going)
        return throng_cli_misuse(
                   "run", "--watch waits at an error until it is fixed, so it does not go with --keep-going") == 0;
    if (options->watch && options->report)
        return throng_cli_misuse("run", "--watch runs again and again, so it does not go with --report; `throng "
                                        "report` makes one of a recording") == 0;
    if (options->at >= 0 && !options->png)
        return throng_cli_misuse("run", "--at says when --png draws; give --png FILE too") == 0;
    if (options->probe >= 0 && options->at < 0)
        return throng_cli_misuse("run", "--probe draws an agent's local map; give --png FILE and --at S too") == 0;
    return true;
}

static bool read_options(int argc, char **argv, throng_run_options *options)
{
    const throng_option list[] = {
        {"--seconds", THRONG_OPTION_NUMBER, &options->seconds, 0, 1e9},
        {"--steps", THRONG_OPTION_WHOLE, &options->steps, 0, UINT32_MAX},
        THRONG_SCRIPT_OPTIONS(options),
        {"--out", THRONG_OPTION_TEXT, &options->out, 0, 0},
        {"--png", THRONG_OPTION_TEXT, &options->png, 0, 0},
        {"--film", THRONG_OPTION_TEXT, &options->film, 0, 0},
        {"--at", THRONG_OPTION_NUMBER, &options->at, 0, 1e9},
        {"--probe", THRONG_OPTION_WHOLE, &options->probe, 0, INT32_MAX},
        {"--csv", THRONG_OPTION_TEXT, &options->csv, 0, 0},
        {"--report", THRONG_OPTION_SWITCH, &options->report, 0, 0},
        {"--json", THRONG_OPTION_SWITCH, &options->json, 0, 0},
        {"--watch", THRONG_OPTION_SWITCH, &options->watch, 0, 0},
        {"--keep-going", THRONG_OPTION_SWITCH, &options->keep_going, 0, 0},
        {NULL, THRONG_OPTION_SWITCH, NULL, 0, 0},
    };
    return throng_cli_options("run", argc, argv, list, &options->scenario, 1) && check_options(options);
}

static bool load(const throng_run_options *options, throng_script *script, throng_scenario *scenario,
                 throng_error *error)
{
    throng_overrides overrides = throng_run_overrides(options);
    return throng_script_load(script, options->scenario.list[0], &overrides, scenario, error);
}

/* What is called after each step. */
typedef struct watchers {
    throng_run_files *files;
    throng_progress progress;
} watchers;

static bool watch(void *context, throng_error *error)
{
    watchers *all = context;
    throng_progress_step(&all->progress);
    return !all->files || throng_run_files_watch(all->files, error);
}

static throng_run_end step_all(const throng_run_options *options, throng_script *script,
                               const throng_scenario *scenario, throng_run_files *files, throng_error *error)
{
    double seconds = options->seconds >= 0 ? options->seconds : scenario->seconds;
    watchers all = {.files = files};
    throng_run_def def = {.world = scenario->world,
                          .steps = options->steps >= 0 ? (uint32_t)options->steps
                                                       : throng_run_steps(scenario->world, seconds),
                          .until_done = scenario->until_done,
                          .step = throng_script_step,
                          .stopped = throng_script_stopped,
                          .context = script,
                          .watch = watch,
                          .watcher = &all};
    throng_progress_init(&all.progress, scenario->world, def.steps);
    throng_run_end end = throng_run(&def, error);
    throng_progress_end(&all.progress);
    return end;
}

static void complain(const throng_script *script, const throng_error *error)
{
    fprintf(stderr, "throng run: %s\n", throng_script_error_text(script, error));
}

static int run_scenario(const throng_run_options *options, throng_script *script, const throng_scenario *scenario,
                        throng_run_files *files, throng_report_run *report)
{
    throng_error error;
    throng_summary summary;
    double start = throng_clock();
    throng_run_end end = step_all(options, script, scenario, files, &error);
    if (end <= THRONG_RUN_UNWATCHED)
        complain(script, &error);
    if (throng_summary_take(scenario->world, scenario->name, options->scenario.list[0], end, throng_clock() - start,
                            &summary, &error)) {
        summary.parameters = throng_script_parameters(script, &summary.parameter_count);
        int code = throng_run_finish(options, &summary, files, report);
        throng_cli_warn_of_waiting(script, &summary);
        return code;
    }
    complain(NULL, &error);
    throng_run_files_finish(files, NULL, &error);
    return THRONG_EXIT_FAILED;
}

static throng_report_run *begin_report(const throng_scenario *scenario, const throng_run_files *files,
                                       throng_error *error)
{
    return throng_report_begin(scenario->world, throng_run_files_trajectory(files), error);
}

static int run_script(const throng_run_options *options, throng_script *script)
{
    throng_error error;
    throng_scenario scenario;
    if (!load(options, script, &scenario, &error)) {
        complain(script, &error);
        return THRONG_EXIT_USAGE;
    }
    throng_run_files *files = throng_run_open_files(options, &scenario, &error);
    throng_report_run *report = NULL;
    if (!files || (options->report && !(report = begin_report(&scenario, files, &error)))) {
        throng_run_files_destroy(files);
        complain(NULL, &error);
        return THRONG_EXIT_USAGE;
    }
    throng_cli_note_findings(throng_world_map(scenario.world), options->scenario.list[0]);
    throng_cli_warn_before(scenario.world);
    if (options->seconds < 0 && options->steps < 0)
        throng_cli_warn_of_timers(script, scenario.seconds);
    int code = run_scenario(options, script, &scenario, files, report);
    throng_report_destroy(report);
    throng_run_files_destroy(files);
    bool failed = throng_script_list_failures(script, stderr) > 0;
    return code == THRONG_EXIT_DONE && failed ? THRONG_EXIT_FAILED : code;
}

int throng_cli_run(int argc, char **argv)
{
    throng_error error;
    throng_run_options options = {
        .seconds = -1, .at = -1, .steps = -1, .seed = -1, .probe = -1, .deadline = -1, .simd = -1, .threads = -1};
    if (!read_options(argc, argv, &options))
        return THRONG_EXIT_USAGE;
    if (!throng_run_guard("run", &options, &error)) {
        complain(NULL, &error);
        return THRONG_EXIT_USAGE;
    }
    if (options.watch)
        return throng_run_watching(&options);
    throng_script_def limits = throng_run_limits(&options);
    throng_script *script = throng_script_create(&limits, &error);
    if (!script) {
        complain(NULL, &error);
        return THRONG_EXIT_USAGE;
    }
    int code = run_script(&options, script);
    if (throng_interrupted_by())
        exit(THRONG_EXIT_SIGNAL + throng_interrupted_by()); /* what the script holds goes with it: at once */
    throng_script_destroy(script);
    return code;
}
