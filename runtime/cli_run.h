/* What throng run is made of: private to cli_run.c and cli_watch.c. */
#ifndef THRONG_CLI_RUN_H
#define THRONG_CLI_RUN_H

#include <signal.h>

#include "cli.h"
#include "run.h"
#include "run_files.h"
#include "script.h"

typedef struct throng_run_options {
    double seconds, at;
    int64_t steps, seed, lanes, threads, instructions, memory;
    const char *backend, *out, *png, *film;
    bool json, trust, watch, keep_going;
    throng_texts params, scenario;
} throng_run_options;

extern volatile sig_atomic_t throng_run_interrupted; /* by Ctrl-C */

throng_script_def throng_run_limits(const throng_run_options *options);
throng_overrides throng_run_overrides(const throng_run_options *options);
throng_run_files *throng_run_open_files(const throng_run_options *options, const throng_scenario *scenario,
                                        throng_error *error);

/* Closes the files and tells how it went; the exit code. */
int throng_run_finish(const throng_run_options *options, const throng_summary *summary, throng_run_files *files);

/* throng run --watch; the exit code. */
int throng_run_watching(const throng_run_options *options);

#endif
