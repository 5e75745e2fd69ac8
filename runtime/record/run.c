#include "run.h"

#include <math.h>

#include "base/watchdog.h"

const char *const throng_run_end_names[] = {"failed", "unwritten", "arrived", "time", "stopped", "interrupted"};

uint32_t throng_run_steps(const throng_world *world, double seconds)
{
    double steps = floor(seconds / throng_world_dt(world) + 0.5);
    return steps >= UINT32_MAX ? UINT32_MAX : (uint32_t)steps;
}

static bool take_step(const throng_run_def *def, throng_error *error)
{
    return def->step ? def->step(def->context, error) : throng_world_step(def->world, error);
}

static bool watch(const throng_run_def *def, throng_error *error)
{
    return !def->watch || def->watch(def->watcher, error);
}

throng_run_end throng_run(const throng_run_def *def, throng_error *error)
{
    if (!watch(def, error))
        return THRONG_RUN_UNWATCHED;
    for (uint32_t taken = 0; taken < def->steps; taken++) {
        bool done = false;
        throng_stop why = throng_interrupted();
        if (why == THRONG_STOP_SIGNAL)
            return THRONG_RUN_INTERRUPTED;
        if (why) {
            throng_fail(error, "%s", throng_interrupted_text());
            return THRONG_RUN_FAILED;
        }
        if (!take_step(def, error))
            return throng_interrupted() == THRONG_STOP_SIGNAL ? THRONG_RUN_INTERRUPTED : THRONG_RUN_FAILED;
        if (!watch(def, error))
            return THRONG_RUN_UNWATCHED;
        if (def->stopped && def->stopped(def->context))
            return THRONG_RUN_STOPPED;
        if (def->until_done && !throng_world_done(def->world, &done, error))
            return THRONG_RUN_FAILED;
        if (done)
            return THRONG_RUN_ARRIVED;
    }
    return THRONG_RUN_TIME;
}
