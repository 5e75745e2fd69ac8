/* The files of a run: trajectory, pictures, summary; and what they are made
 * from: samples of the crowd every few steps. Knows no Lua. */
#ifndef THRONG_RUN_FILES_H
#define THRONG_RUN_FILES_H

#include "summary.h"
#include "world/world.h"

typedef struct throng_run_files throng_run_files;

typedef struct throng_run_files_def {
    throng_world *world;
    const char *name;    /* of the scenario */
    const char *out;     /* folder, made when missing; NULL: no trajectory, summary and pictures there */
    double record_every; /* s between recorded frames; 0: no trajectory; below 0: by the number of agents */
    bool record_compact; /* as .throng, not .sqlite */
    const char *png;     /* one more picture; may be NULL */
    double png_at;       /* s: its moment; negative: the end */
    int64_t probe;       /* id of the agent whose local map it shows at that moment; negative: none */
    const char *csv;     /* values of measures over time (measures_csv.h); may be NULL */
    const char *film;    /* of the whole run, as fast as it is; may be NULL */
} throng_run_files_def;

/* Makes the folder and opens the trajectory; what cannot be written is an error now, not after the run. */
throng_run_files *throng_run_files_open(const throng_run_files_def *def, throng_error *error);

/* Before the first step and after each: `files` is a throng_run_files. */
bool throng_run_files_watch(void *files, throng_error *error);

/* Before the world or its map goes: waits until all that was shown of them is kept. */
void throng_run_files_wait(const throng_run_files *files);

/* The run goes on in another world with the same map, steps and numbers of agents (a scenario was reloaded). Columns
 * of the script's own are recorded by name: 0 where it no longer has one. */
bool throng_run_files_follow(throng_run_files *files, throng_world *world, throng_error *error);

/* The trajectory that it writes; NULL: none. */
const char *throng_run_files_trajectory(const throng_run_files *files);

/* Closes the trajectory (also after a failure) and, unless the run failed, draws the pictures. */
bool throng_run_files_finish(throng_run_files *files, const throng_summary *summary, throng_error *error);
/* Names what was written, a line each. */
void throng_run_files_list(const throng_run_files *files, FILE *file);
void throng_run_files_destroy(throng_run_files *files);

#endif
