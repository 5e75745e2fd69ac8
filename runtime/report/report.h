/* A report of a run: report.html, one file that opens in any browser without a network. It is made of the recording of
 * the run, with its notes and the tables beside it. The same files give the same bytes. */
#ifndef THRONG_REPORT_H
#define THRONG_REPORT_H

#include <stdio.h>

#include "record/summary.h"

typedef struct throng_report_run throng_report_run;

/* Before the first step: begins report.html beside the recording, so that a report that cannot be written is an error
 * now, not after the run. NULL `recording` (the run writes none) is an error. The file is not read before the end. */
throng_report_run *throng_report_begin(throng_world *world, const char *recording, throng_error *error);

/* How the run was asked for, to tell how it is asked for again. */
typedef struct throng_report_asked {
    double seconds; /* negative: as the scenario says */
    int64_t steps;  /* likewise */
} throng_report_asked;

/* Writes the report, once the recording is closed. False and a message, and no file, when that fails. */
bool throng_report_end(throng_report_run *run, const throng_summary *summary, const throng_report_asked *asked,
                       throng_error *error);

/* The file that throng_report_end writes. */
const char *throng_report_path(const throng_report_run *run);

/* Frees it (NULL: nothing to do); a report that was not ended is dropped. */
void throng_report_destroy(throng_report_run *run);

/* A report of a recording, or of the folder of a run, in `out`; NULL: report.html beside it. Writes where it is into
 * `written`. */
bool throng_report_recording(const char *path, const char *out, char *written, size_t size, throng_error *error);

/* A comparison of two recordings, or folders of runs, on the same plan, in the file `out`. False and a message, and no
 * file, when their plans differ. */
bool throng_report_compare(const char *first, const char *second, const char *out, throng_error *error);

/* What many runs gave, of a study or of tests, as parts of a page: HTML, in which names are escaped already. */
typedef struct throng_report_results {
    const char *name, *subtitle;
    const char *tiles; /* <div><dt>name</dt><dd>value</dd></div> each */
    const char *main;  /* <section>s */
} throng_report_results;

/* Writes the page that they are on, which looks as the others do, and has no script. */
void throng_report_results_page(FILE *file, const throng_report_results *results);

#endif
