#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "report_parts.h"

enum { MOST_STUCK = 100000 };

throng_report_run *throng_report_begin(throng_world *world, const char *recording, double every, throng_error *error)
{
    if (!recording) {
        throng_fail(error, "--report shows what was recorded, and this run records nothing: leave --out none away, and "
                           "record = { every = 0 } in throng.world");
        return NULL;
    }
    throng_report_run *run = calloc(1, sizeof *run);
    if (!run) {
        throng_fail(error, "out of memory for the report");
        return NULL;
    }
    const char *slash = strrchr(recording, '/');
    run->world = world;
    run->every = (uint32_t)fmax(1, floor(every / throng_world_dt(world) + 0.5));
    snprintf(run->recording, sizeof run->recording, "%s", recording);
    snprintf(run->path, sizeof run->path, "%.*sreport.html", slash ? (int)(slash + 1 - recording) : 0, recording);
    run->output = throng_output_begin(run->path, error);
    if (run->output)
        return run;
    throng_report_destroy(run);
    return NULL;
}

void throng_report_destroy(throng_report_run *run)
{
    if (!run)
        return;
    throng_output_discard(run->output);
    for (int32_t m = 0; m < run->measure_count; m++)
        throng_report_series_fini(&run->measures[m]);
    throng_report_series_fini(&run->arrived);
    free(run->measures);
    free(run->noted);
    free(run->turns);
    free(run->stuck);
    free(run);
}

const char *throng_report_path(const throng_report_run *run) { return run->path; }

/* ---- notes */

static bool note_turn(throng_report_run *run, double time, int32_t id, int32_t group, throng_error *error)
{
    if (!throng_array_reserve((void **)&run->turns, &run->turn_room, (int64_t)run->turn_count + 1, sizeof *run->turns))
        return throng_fail(error, "out of memory for the groups of the report");
    run->turns[run->turn_count++] = (throng_report_turn){time, id, group};
    return true;
}

static bool note_person(throng_report_run *run, double time, int32_t id, throng_report_noted seen, throng_error *error)
{
    if (!throng_array_reserve((void **)&run->noted, &run->noted_room, (int64_t)id + 1, sizeof *run->noted))
        return throng_fail(error, "out of memory for the people of the report");
    for (; run->ids <= id; run->ids++)
        run->noted[run->ids] = (throng_report_noted){.group = -1};
    const throng_report_noted *before = &run->noted[id];
    if (before->group >= 0 && before->now != seen.now && !note_turn(run, time, id, seen.now, error))
        return false;
    if (before->group >= 0)
        seen.group = before->group;
    run->noted[id] = seen;
    return true;
}

static bool note_people(throng_report_run *run, double time, throng_error *error)
{
    throng_agents *agents = throng_world_agents(run->world);
    int32_t slots = throng_agents_slots(agents);
    double dt = throng_world_dt(run->world);
    if (slots == 0)
        return true;
    const int32_t *state = throng_agents_read(agents, THRONG_COLUMN_state, error);
    const int32_t *group = state ? throng_agents_read(agents, THRONG_COLUMN_group, error) : NULL;
    const int32_t *arrived = group ? throng_agents_read(agents, THRONG_COLUMN_arrived, error) : NULL;
    const float *radius = arrived ? throng_agents_read(agents, THRONG_COLUMN_radius, error) : NULL;
    for (int32_t s = 0; radius && s < slots; s++) {
        float when = arrived[s] >= 0 ? (float)(arrived[s] * dt) : NAN;
        if ((state[s] & THRONG_STATE_ALIVE) &&
            !note_person(run, time, throng_agents_id(agents, s),
                         (throng_report_noted){group[s], group[s], radius[s], when}, error))
            return false;
    }
    return radius != NULL;
}

/* Of those with a value then. */
static bool note_measures(throng_report_run *run, double time, throng_error *error)
{
    int32_t m = 0;
    for (const throng_measure *of = throng_world_measures(run->world); of; of = throng_measure_next(of), m++) {
        if (!throng_array_reserve((void **)&run->measures, &run->measure_room, (int64_t)m + 1, sizeof *run->measures))
            return throng_fail(error, "out of memory for the measures of the report");
        if (m == run->measure_count)
            run->measures[run->measure_count++] = (throng_report_series){0};
        throng_measured got = throng_measure_read(of);
        double value = throng_measure_def_of(of)->kind == THRONG_MEASURE_FLOW ? got.passed : got.now;
        if (isfinite(value) && !throng_report_point(&run->measures[m], time, value, error))
            return false;
    }
    return true;
}

static bool note_stuck(throng_report_run *run, double time, throng_error *error)
{
    int32_t count;
    const throng_agents *agents = throng_world_agents(run->world);
    const throng_stuck *newly = throng_world_newly_stuck(run->world, &count);
    for (int32_t i = 0; i < count && run->stuck_count < MOST_STUCK; i++) {
        if (!throng_array_reserve((void **)&run->stuck, &run->stuck_room, (int64_t)run->stuck_count + 1,
                                  sizeof *run->stuck))
            return throng_fail(error, "out of memory for the report");
        run->stuck[run->stuck_count++] =
            (throng_report_stuck){time, throng_agents_id(agents, newly[i].agent.slot), newly[i].cause, newly[i].place};
    }
    return true;
}

bool throng_report_watch(throng_report_run *run, throng_error *error)
{
    throng_world_stats stats;
    double time = throng_world_time(run->world);
    uint32_t step = throng_world_steps(run->world);
    if (step > 0 && !note_stuck(run, time, error))
        return false;
    return step % run->every != 0 || (note_people(run, time, error) && note_measures(run, time, error) &&
                                      throng_world_get_stats(run->world, &stats, error) &&
                                      throng_report_point(&run->arrived, time, stats.arrived, error));
}
