#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report_parts.h"

throng_report_run *throng_report_begin(throng_world *world, const char *recording, throng_error *error)
{
    if (!recording) {
        throng_fail(error, "--report shows what was recorded, and this run records nothing: run it without --out none, "
                           "and without record = false in throng.world");
        return NULL;
    }
    throng_report_run *run = calloc(1, sizeof *run);
    if (!run) {
        throng_fail(error, "out of memory for the report");
        return NULL;
    }
    const char *slash = strrchr(recording, '/');
    run->world = world;
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
    free(run);
}

const char *throng_report_path(const throng_report_run *run) { return run->path; }
