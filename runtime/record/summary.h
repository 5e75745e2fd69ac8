/* What a run came to: the lines printed at its end, and summary.json. */
#ifndef THRONG_SUMMARY_H
#define THRONG_SUMMARY_H

#include <stdio.h>

#include "notes.h"
#include "run.h"

typedef struct throng_summary {
    const char *scenario;
    const char *path; /* of the scenario */
    const char *backend;
    throng_backend_info device;
    uint64_t seed;
    const char *const *params; /* [param_count] "name=value", of --set */
    int32_t param_count;
    const char *const *parameters; /* [parameter_count] "name=value", of all that the scenario has, with these */
    int32_t parameter_count;
    uint32_t steps;
    double time; /* s simulated */
    double wall; /* s taken, with Lua and files */
    throng_run_end end;
    throng_world_stats stats;
    uint64_t hash;
    const throng_stuck *stuck; /* [stuck_count] who is at the end, of the world's */
    int32_t stuck_count;
    throng_world *world; /* for its measures and agents, which are listed */
} throng_summary;

bool throng_summary_take(throng_world *world, const char *scenario, const char *path, throng_run_end end, double wall,
                         throng_summary *summary, throng_error *error);

void throng_summary_print(const throng_summary *summary, FILE *file);
/* What was run and how it ended, for its recording: what is the same whenever and wherever it is run. */
bool throng_summary_note(const throng_summary *summary, throng_notes *notes, throng_error *error);
void throng_summary_json(const throng_summary *summary, FILE *file);

#endif
