#include <stdlib.h>
#include <string.h>

#include "record/run.h"
#include "view_parts.h"

static void tell(throng_session *session, const char *text)
{
    free(session->trouble);
    session->trouble = text ? strdup(text) : NULL;
}

bool throng_session_open(throng_session *session, const throng_view_def *def, throng_error *error)
{
    *session = (throng_session){0};
    return throng_live_open(&session->live, def->path, &def->limits, &def->overrides, error);
}

void throng_session_close(throng_session *session)
{
    throng_live_close(&session->live);
    tell(session, NULL);
}

bool throng_session_reload(throng_session *session, bool restart, char *said, size_t size)
{
    if (!throng_live_reload(&session->live, restart || session->ended, said, size)) {
        tell(session, session->live.trouble);
        return false;
    }
    tell(session, NULL);
    session->stuck = session->ended = false;
    session->ending = NULL;
    session->debt = session->step_ms = session->pace = 0;
    return true;
}

/* Whether the run that `throng run` would make ends here, and why. */
static bool ended(throng_session *session, throng_error *error)
{
    const throng_scenario *scenario = &session->live.scenario;
    throng_world_stats stats;
    bool done = false;
    if (throng_script_stopped(session->live.script))
        session->ending = "the script stopped it";
    else if (scenario->until_done && !throng_world_done(scenario->world, &done, error))
        return false;
    else if (done && !throng_world_get_stats(scenario->world, &stats, error))
        return false;
    else if (done)
        session->ending = stats.arrived < stats.spawned ? THRONG_RUN_EMPTIED : "everyone has arrived";
    else if (throng_world_steps(scenario->world) >= throng_run_steps(scenario->world, scenario->seconds))
        session->ending = "the scenario's time is up";
    session->ended = session->ending != NULL;
    return true;
}

bool throng_session_step(throng_session *session)
{
    throng_error error;
    if (session->stuck)
        return false;
    uint64_t start = SDL_GetPerformanceCounter();
    if (!throng_script_step(session->live.script, &error) || (!session->ended && !ended(session, &error))) {
        tell(session, throng_script_error_text(session->live.script, &error));
        session->stuck = true;
        return false;
    }
    double ms = 1000.0 * (double)(SDL_GetPerformanceCounter() - start) / (double)SDL_GetPerformanceFrequency();
    session->step_ms = session->step_ms > 0 ? 0.9 * session->step_ms + 0.1 * ms : ms;
    return true;
}
