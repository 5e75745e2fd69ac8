#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "run.h"
#include "view_parts.h"

static void note_file(throng_session *session)
{
    struct stat about;
    if (stat(session->def->path, &about) == 0) {
        session->saved = about.st_mtim;
        session->size = about.st_size;
    }
}

bool throng_session_saved(throng_session *session)
{
    struct stat about;
    if (stat(session->def->path, &about) != 0) /* an editor may be replacing it */
        return false;
    return about.st_mtim.tv_sec != session->saved.tv_sec || about.st_mtim.tv_nsec != session->saved.tv_nsec ||
           about.st_size != session->size;
}

/* The script's whole message, or the error of something else. */
static const char *words(const throng_script *script, const throng_error *error)
{
    const char *message = script ? throng_script_message(script) : "";
    size_t first = strcspn(message, "\n");
    return *message && strncmp(message, error->text, first < 200 ? first : 200) == 0 ? message : error->text;
}

static void tell(throng_session *session, const char *text)
{
    free(session->trouble);
    session->trouble = text ? strdup(text) : NULL;
}

bool throng_session_open(throng_session *session, const throng_view_def *def, throng_error *error)
{
    throng_error first;
    *session = (throng_session){.def = def};
    note_file(session);
    session->script = throng_script_create(&def->limits, error);
    if (!session->script)
        return false;
    if (throng_script_load(session->script, def->path, &def->overrides, &session->scenario, &first))
        return true;
    throng_fail(error, "%s", words(session->script, &first));
    throng_script_destroy(session->script);
    session->script = NULL;
    return false;
}

void throng_session_close(throng_session *session)
{
    throng_script_destroy(session->script);
    tell(session, NULL);
    session->script = NULL;
}

bool throng_session_reload(throng_session *session)
{
    throng_session fresh;
    throng_error error;
    if (!throng_session_open(&fresh, session->def, &error)) {
        tell(session, error.text);
        note_file(session);
        return false;
    }
    throng_session_close(session);
    *session = fresh;
    return true;
}

/* Whether the run that `throng run` would make ends here, and why. */
static bool ended(throng_session *session, throng_error *error)
{
    const throng_scenario *scenario = &session->scenario;
    bool done = false;
    if (throng_script_stopped(session->script))
        session->ending = "the script stopped it";
    else if (scenario->until_done && !throng_run_everyone_arrived(scenario->world, &done, error))
        return false;
    else if (done)
        session->ending = "everyone has arrived";
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
    if (!throng_script_step(session->script, &error) || (!session->ended && !ended(session, &error))) {
        tell(session, words(session->script, &error));
        session->stuck = true;
        return false;
    }
    double ms = 1000.0 * (double)(SDL_GetPerformanceCounter() - start) / (double)SDL_GetPerformanceFrequency();
    session->step_ms = session->step_ms > 0 ? 0.9 * session->step_ms + 0.1 * ms : ms;
    return true;
}
