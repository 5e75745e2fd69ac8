/* What the commands that run a script share: cli_run.c, cli_watch.c, cli_repl.c and cli_view.c. */
#ifndef THRONG_CLI_SCRIPT_H
#define THRONG_CLI_SCRIPT_H

#include "cli.h"
#include "record/run.h"
#include "record/run_files.h"
#include "report/report.h"
#include "script/script.h"

typedef struct throng_run_options {
    double seconds, at, deadline;
    int64_t steps, seed, probe, simd, threads, instructions, memory;
    const char *backend, *out, *png, *csv, *film;
    bool json, trust, watch, keep_going, report;
    throng_texts params, scenario;
} throng_run_options;

/* Rows of the list that throng_cli_options takes: those of them that throng_run_limits and throng_run_overrides look
 * at.
 */
#define THRONG_SCRIPT_OPTIONS(o)                                                                                       \
    {"--seed", THRONG_OPTION_WHOLE, &(o)->seed, 0, (double)INT64_MAX},                                                 \
        {"--backend", THRONG_OPTION_TEXT, &(o)->backend, 0, 0}, {"--simd", THRONG_OPTION_WHOLE, &(o)->simd, 1, 16},    \
        {"--threads", THRONG_OPTION_WHOLE, &(o)->threads, 1, 256}, {"--set", THRONG_OPTION_LIST, &(o)->params, 0, 0},  \
        {"--trust", THRONG_OPTION_SWITCH, &(o)->trust, 0, 0},                                                          \
        {"--deadline", THRONG_OPTION_NUMBER, &(o)->deadline, 0, 1e6},                                                  \
        {"--instructions", THRONG_OPTION_WHOLE, &(o)->instructions, 10000, 1e15},                                      \
    {                                                                                                                  \
        "--memory", THRONG_OPTION_WHOLE, &(o)->memory, 8, 1e6                                                          \
    }

throng_script_def throng_run_limits(const throng_run_options *options);
/* The watchdog for a command of that name, with these limits. */
bool throng_run_guard(const char *name, const throng_run_options *options, throng_error *error);
throng_overrides throng_run_overrides(const throng_run_options *options);
throng_run_files *throng_run_open_files(const throng_run_options *options, const throng_scenario *scenario,
                                        throng_error *error);

/* Closes the files, writes the report (NULL: there is to be none) and tells how it went; the exit code. */
int throng_run_finish(const throng_run_options *options, throng_summary *summary, throng_run_files *files,
                      throng_report_run *report);

/* cli_warn.c: says on stderr what is legal and hardly meant: before a run speeds and plans that are no people's, after
 * it that nobody was there, or was sent anywhere. */
void throng_cli_warn_before(throng_world *world);
/* Of timers that are due after the run's end, as the scenario has it. */
void throng_cli_warn_of_timers(throng_script *script, double seconds);
/* Of those, and of stories, that wait still where everybody has arrived. */
void throng_cli_warn_of_waiting(throng_script *script, const throng_summary *summary);
void throng_cli_warn_after(const throng_summary *summary);

/* throng run --watch; the exit code. */
int throng_run_watching(const throng_run_options *options);

#endif
