/* What the commands that run a script share: limits, the watchdog, the files of a run, how it ended. */
#include <string.h>

#include "cli_script.h"
#include "base/watchdog.h"

throng_script_def throng_run_limits(const throng_run_options *options)
{
    throng_script_def def = throng_script_def_default();
    def.trust = options->trust;
    def.keep_going = options->keep_going;
    if (options->instructions > 0)
        def.instructions = options->instructions;
    if (options->memory > 0)
        def.memory = (size_t)options->memory << 20;
    return def;
}

bool throng_run_guard(const char *name, const throng_run_options *options, throng_error *error)
{
    bool lines = strcmp(name, "repl") == 0;
    throng_watchdog_def def = {.name = name,
                               .deadline = options->deadline >= 0 ? options->deadline : THRONG_DEADLINE,
                               .memory = throng_run_limits(options).memory,
                               .ends_idle = lines,
                               .ignores_int = lines};
    return throng_watchdog_start(&def, error);
}

throng_overrides throng_run_overrides(const throng_run_options *options)
{
    return (throng_overrides){.backend = options->backend,
                              .simd = (int32_t)options->simd,
                              .threads = (int32_t)options->threads,
                              .has_seed = options->seed >= 0,
                              .seed = (uint64_t)options->seed,
                              .params = options->params.list,
                              .param_count = options->params.count};
}

throng_run_files *throng_run_open_files(const throng_run_options *options, const throng_scenario *scenario,
                                        throng_error *error)
{
    char folder[256];
    snprintf(folder, sizeof folder, "out/%s", scenario->name);
    const char *out = options->out ? options->out : folder;
    throng_run_files_def def = {.world = scenario->world,
                                .name = scenario->name,
                                .out = strcmp(out, "none") == 0 ? NULL : out,
                                .record_every = scenario->record_every,
                                .record_compact = scenario->record_compact,
                                .png = options->png,
                                .png_at = options->at,
                                .probe = options->probe,
                                .csv = options->csv,
                                .film = options->film};
    return throng_run_files_open(&def, error);
}

static void tell(const throng_run_options *options, const throng_summary *summary, const throng_run_files *files,
                 const throng_report_run *report)
{
    char path[1024];
    if (options->json) {
        throng_summary_json(summary, stdout);
        return;
    }
    throng_summary_print(summary, stdout);
    if (files)
        throng_run_files_list(files, stdout);
    if (!files || !report)
        return;
    snprintf(path, sizeof path, "%s", throng_report_path(report));
    throng_text_plain(path, sizeof path);
    printf("  wrote        %s\n", path);
}

static bool end_report(const throng_run_options *options, const throng_summary *summary, throng_report_run *report,
                       throng_error *error)
{
    const throng_report_asked asked = {.seconds = options->seconds, .steps = options->steps};
    return !report || throng_report_end(report, summary, &asked, error);
}

int throng_run_finish(const throng_run_options *options, throng_summary *summary, throng_run_files *files,
                      throng_report_run *report)
{
    throng_error error;
    summary->params = options->params.list;
    summary->param_count = options->params.count;
    if (summary->end <= THRONG_RUN_UNWATCHED) { /* that was complained of */
        throng_run_files_finish(files, summary, &error);
        return summary->end == THRONG_RUN_FAILED ? THRONG_EXIT_FAILED : THRONG_EXIT_USAGE;
    }
    bool written = throng_run_files_finish(files, summary, &error) && end_report(options, summary, report, &error);
    tell(options, summary, written ? files : NULL, report);
    throng_cli_warn_after(summary);
    if (!written)
        fprintf(stderr, "throng run: %s\n", error.text);
    if (!written)
        return THRONG_EXIT_USAGE;
    bool idle = summary->stats.spawned == 0 && !throng_world_was_asked_paths(summary->world);
    return idle ? THRONG_EXIT_FAILED : THRONG_EXIT_DONE; /* nothing was simulated */
}
