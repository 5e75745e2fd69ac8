/* The phases of a frame: in turn or alone, with their times, hooks and parameters. */
#include <math.h>

#include "base/clock.h"
#include "base/watchdog.h"
#include "world_parts.h"

const char *const throng_phase_names[THRONG_PHASE_COUNT] = {
#define X(name, text) #name,
    THRONG_HOST_PHASES(X) THRONG_STAGES(X)
#undef X
};

const char *const throng_phase_texts[THRONG_PHASE_COUNT] = {
#define X(name, text) text,
    THRONG_HOST_PHASES(X) THRONG_STAGES(X)
#undef X
};

/* --- parameters ---------------------------------------------------------------------------- */

enum { MOVE = THRONG_HOST_PHASE_COUNT + THRONG_STAGE_move };

enum { CAPACITY, BUDGET, ITERATIONS, TOLERANCE };

/* The capacity is what gets through doors of 0.8 to 1.2 m here (design.md), a little less than people do (Seyfried and
 * others, 2009). */
static const double INITIAL_CAPACITY = 1.5;

const throng_phase_parameter throng_phase_parameters[THRONG_PHASE_PARAMETERS] = {
    [CAPACITY] = {THRONG_PHASE_routing, "capacity", "1/(m s)", "agents that get through a metre of portal", 0.01, 100,
                  false},
    [BUDGET] = {THRONG_PHASE_paths, "budget", "", "expansions a frame, for all searches together", 1, INT32_MAX, true},
    [ITERATIONS] = {(throng_phase)MOVE, "iterations", "", "contact iterations at most", 1, 1024, true},
    [TOLERANCE] = {(throng_phase)MOVE, "tolerance", "", "contacts: worst violation to stop at, of the sum of radii",
                   1e-6, 0.1, false},
};

void throng_world_init_phases(throng_world *w)
{
    w->phases = (world_phases){.iterations = 40, .tolerance = 0.002, .capacity = INITIAL_CAPACITY};
    for (int p = 0; p < THRONG_PHASE_COUNT; p++)
        w->phases.seconds[p] = NAN;
}

double throng_world_phase_parameter(const throng_world *w, int parameter)
{
    switch (parameter) {
    case CAPACITY: return w->phases.capacity;
    case BUDGET: return w->paths.budget;
    case ITERATIONS: return w->phases.iterations;
    default: return w->phases.tolerance;
    }
}

void throng_world_set_phase_parameter(throng_world *w, int parameter, double value)
{
    switch (parameter) {
    case CAPACITY: w->phases.capacity = value; break;
    case BUDGET: throng_world_set_path_budget(w, (int32_t)value); break;
    case ITERATIONS: w->phases.iterations = (int32_t)value; break;
    default: w->phases.tolerance = value;
    }
}

/* --- hooks --------------------------------------------------------------------------------- */

void throng_world_set_hook(throng_world *w, throng_hook hook, void *context, uint32_t wanted)
{
    w->phases.hook = hook;
    w->phases.context = context;
    w->phases.wanted = wanted;
}

/* What a hook writes before or after a phase of the host goes to the backend with the rest. */
static bool call_hook(throng_world *w, throng_phase phase, bool after, throng_error *error)
{
    if (!(w->phases.wanted >> (2 * (int)phase + after) & 1))
        return true;
    bool of_backend = phase >= THRONG_HOST_PHASE_COUNT;
    double start = throng_clock();
    w->phases.called = w->step + 1;
    if (of_backend)
        throng_agents_stepped(w->agents, throng_world_written_columns(w));
    w->phases.hooked = of_backend;
    bool fine =
        w->phases.hook(w->phases.context, phase, after, error) && (!of_backend || throng_world_sync_backend(w, error));
    w->phases.hooked = false;
    w->phases.hook_seconds += throng_clock() - start;
    return fine;
}

/* --- a phase ------------------------------------------------------------------------------- */

double throng_world_phase_ms(throng_world *w, throng_phase phase)
{
    w->phases.timed = true;
    return 1e3 * w->phases.seconds[phase];
}

/* Those that are timed on a device are timed by it. */
static bool ask_backend(throng_world *w, throng_stage stage, throng_error *error)
{
    const throng_backend_api *api = w->stages.api;
    double seconds;
    if (!w->times.stages_wanted || !api->time_stage)
        return api->stage(w->stages.backend, stage, &w->frame, error);
    if (!api->time_stage(w->stages.backend, stage, &w->frame, &seconds, error))
        return false;
    w->times.stage[stage] += seconds;
    return true;
}

static bool run_stage(throng_world *w, throng_stage stage, throng_error *error)
{
    const throng_backend_api *api = w->stages.api;
    float fastest = w->frame.max_speed; /* of those whom no body pushes */
    bool moved = stage != THRONG_STAGE_move || throng_world_move_bodies(w, error);
    if (!moved || !ask_backend(w, stage, error))
        return throng_fail_in(error, "stage %s of step %u", throng_stage_names[stage], w->step);
    w->frame.max_speed = fastest;
    if (stage == THRONG_STAGE_desire)
        throng_world_find_undefined(w);
    if (stage == THRONG_STAGE_sense) {
        w->sensed.capacity = throng_agents_capacity(w->agents);
        w->sensed.neighbours = w->frame.neighbours;
        w->sensed.walls = true;
    }
    if (stage == THRONG_STAGE_plan && !throng_world_keep_choice(w, error))
        return false;
    if (stage >= THRONG_STAGE_sense)
        w->phases.ready = stage == THRONG_STAGE_move ? 0 : (int32_t)stage + 1;
    return (!w->times.stages_wanted && !w->phases.timed) || api->finish(w->stages.backend, error);
}

static bool run(throng_world *w, throng_phase phase, throng_error *error)
{
    switch ((int)phase) {
    case THRONG_PHASE_routing:
        return throng_world_run_lifts(w, error) && throng_world_follow_doors(w, error) &&
               throng_world_follow_standing(w, error) && throng_world_follow_congestion(w, error);
    case THRONG_PHASE_paths: return throng_world_run_paths(w, error);
    default: return run_stage(w, (throng_stage)(phase - THRONG_HOST_PHASE_COUNT), error);
    }
}

static bool run_with_hooks(throng_world *w, throng_phase phase, throng_error *error)
{
    if (throng_given_up())
        return throng_fail(error, "%s in the middle of step %u", throng_interrupted_text(), w->step);
    if (!call_hook(w, phase, false, error))
        return false;
    bool on_host = phase < THRONG_HOST_PHASE_COUNT || w->stages.api == &throng_cpu_backend;
    bool known = on_host || w->times.stages_wanted || w->phases.timed;
    double start = known ? throng_clock() : NAN;
    if (!run(w, phase, error))
        return false;
    double seconds = known ? throng_clock() - start : NAN;
    w->phases.seconds[phase] = seconds;
    if (w->times.stages_wanted && phase >= THRONG_HOST_PHASE_COUNT && !w->stages.api->time_stage)
        w->times.stage[phase - THRONG_HOST_PHASE_COUNT] += seconds;
    return call_hook(w, phase, true, error);
}

bool throng_world_phase(throng_world *w, throng_phase phase, throng_error *error)
{
    bool fine = run_with_hooks(w, phase, error);
    w->phases.torn = w->phases.torn || (!fine && phase >= THRONG_HOST_PHASE_COUNT && throng_given_up());
    return fine;
}
