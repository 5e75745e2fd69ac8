/* throng run --watch: a run whose files are edited meanwhile. What was saved is taken in between two steps; a mistake
 * in it is shown, and what runs goes on. After its end the run waits for the next save and starts again. */
#include <stdlib.h>
#include <string.h>

#include "cli_script.h"
#include "base/clock.h"
#include "base/watchdog.h"
#include "script/live.h"
#include "record/progress.h"

enum { WAIT = 200 }; /* ms between looks at Ctrl-C */

typedef struct watching {
    const throng_run_options *options;
    throng_live live;
    throng_run_files *files;
    throng_progress progress;
    double start; /* s, of the clock */
} watching;

static void say(const char *text) { fprintf(stderr, "throng run: %s\n", text); }

/* The run begins with the scenario's world; what one wrote that starts over is written again, and its world is gone. */
static bool begin(watching *w, throng_error *error)
{
    throng_run_files_destroy(w->files);
    w->files = throng_run_open_files(w->options, &w->live.scenario, error);
    w->start = throng_clock();
    return w->files && throng_run_files_watch(w->files, error);
}

static uint32_t last_step(const watching *w)
{
    const throng_scenario *scenario = &w->live.scenario;
    double seconds = w->options->seconds >= 0 ? w->options->seconds : scenario->seconds;
    return w->options->steps >= 0 ? (uint32_t)w->options->steps : throng_run_steps(scenario->world, seconds);
}

/* Takes in what was saved; true when the scenario's world is another one now. */
static bool reload(watching *w, bool restart)
{
    char said[640];
    if (w->files)
        throng_run_files_wait(w->files);
    if (!throng_live_reload(&w->live, restart, said, sizeof said)) {
        fprintf(stderr, "throng run: not loaded, what ran before goes on: %s\n", w->live.trouble);
        return false;
    }
    say(said);
    return true;
}

/* Waits until a file is saved that can be loaded; false after Ctrl-C. */
static bool wait_for_save(watching *w, bool restart)
{
    while (!throng_interrupted())
        if (throng_live_saved(&w->live, WAIT) && reload(w, restart))
            return true;
    return false;
}

/* The files and the progress go on with the world that the scenario has now, or begin again when that starts over. */
static bool follow(watching *w, throng_error *error)
{
    throng_world *world = w->live.scenario.world;
    throng_progress_init(&w->progress, world, last_step(w));
    if (throng_world_steps(world) == 0)
        return begin(w, error);
    return throng_run_files_follow(w->files, world, error);
}

/* A step failed: that is shown, and the run stands until it is mended. */
static bool mend(watching *w, const throng_error *problem)
{
    throng_progress_end(&w->progress);
    fprintf(stderr, "throng run: %s\nthe run stands at %.4g s until a file is saved\n",
            throng_script_error_text(w->live.script, problem), throng_world_time(w->live.scenario.world));
    return wait_for_save(w, false);
}

static bool has_ended(watching *w, throng_run_end *end, throng_error *error)
{
    bool done = false;
    const throng_scenario *scenario = &w->live.scenario;
    *end = throng_interrupted()                                  ? THRONG_RUN_INTERRUPTED
           : throng_script_stopped(w->live.script)               ? THRONG_RUN_STOPPED
           : throng_world_steps(scenario->world) >= last_step(w) ? THRONG_RUN_TIME
                                                                 : THRONG_RUN_FAILED;
    if (*end != THRONG_RUN_FAILED || !scenario->until_done || !throng_world_steps(scenario->world))
        return *end != THRONG_RUN_FAILED;
    if (!throng_world_done(scenario->world, &done, error))
        return true;
    *end = done ? THRONG_RUN_ARRIVED : THRONG_RUN_FAILED;
    return done;
}

/* Steps until the end; failures of the script only halt it. */
static throng_run_end run_on(watching *w, throng_error *error)
{
    throng_run_end end;
    throng_progress_init(&w->progress, w->live.scenario.world, last_step(w));
    while (!has_ended(w, &end, error)) {
        bool changed = throng_live_saved(&w->live, 0) && reload(w, false);
        if (!changed && !throng_script_step(w->live.script, error)) {
            if (!mend(w, error))
                return THRONG_RUN_INTERRUPTED;
            changed = true;
        }
        if (changed && !follow(w, error))
            return THRONG_RUN_UNWATCHED;
        throng_progress_step(&w->progress);
        if (!changed && !throng_run_files_watch(w->files, error))
            return THRONG_RUN_UNWATCHED;
    }
    throng_progress_end(&w->progress);
    return end;
}

/* One run to its end, and its files; the exit code. */
static int run_once(watching *w, throng_run_end *end)
{
    throng_error error;
    throng_summary summary;
    *end = run_on(w, &error);
    if (*end <= THRONG_RUN_UNWATCHED)
        say(throng_script_error_text(w->live.script, &error));
    const throng_scenario *scenario = &w->live.scenario;
    if (throng_summary_take(scenario->world, scenario->name, w->live.path, *end, throng_clock() - w->start, &summary,
                            &error)) {
        summary.parameters = throng_script_parameters(w->live.script, &summary.parameter_count);
        return throng_run_finish(w->options, &summary, w->files, NULL);
    }
    say(error.text);
    return THRONG_EXIT_FAILED;
}

static int run_again_and_again(watching *w)
{
    throng_error error;
    throng_run_end end;
    for (;;) {
        if (!begin(w, &error)) {
            say(error.text);
            return THRONG_EXIT_USAGE;
        }
        int code = run_once(w, &end);
        if (end <= THRONG_RUN_UNWATCHED || end == THRONG_RUN_INTERRUPTED)
            return code;
        fflush(stdout);
        fprintf(stderr, "watching %s: the run starts again when a file is saved; Ctrl-C ends this\n", w->live.path);
        if (!wait_for_save(w, true))
            return code;
    }
}

int throng_run_watching(const throng_run_options *options)
{
    throng_error error;
    watching w = {.options = options};
    throng_script_def limits = throng_run_limits(options);
    throng_overrides overrides = throng_run_overrides(options);
    if (!throng_live_open(&w.live, options->scenario.list[0], &limits, &overrides, &error)) {
        say(error.text);
        return THRONG_EXIT_USAGE;
    }
    throng_cli_note_findings(throng_world_map(w.live.scenario.world), options->scenario.list[0]);
    int code = run_again_and_again(&w);
    throng_run_files_destroy(w.files);
    throng_live_close(&w.live);
    return code;
}
