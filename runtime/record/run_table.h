/* Tables beside a recording, as .csv: what the doors did, where the bodies were. */
#ifndef THRONG_RUN_TABLE_H
#define THRONG_RUN_TABLE_H

#include <stdbool.h>
#include <stdio.h>

#include "base/output.h"

/* Of one second and the time: what a time may lack of a frame's, as nine digits of it are written. */
#define THRONG_RUN_TABLE_TIME 1e-8

/* All zero: one that nobody wants. */
typedef struct throng_run_table {
    char path[1024];
    throng_output *output;
    FILE *file; /* NULL: not begun */
} throng_run_table;

/* It is to be FOLDER/NAME. */
void throng_run_table_name(throng_run_table *table, const char *folder, const char *name);
/* Opens it and writes the head, a line of column names. */
bool throng_run_table_begin(throng_run_table *table, const char *head, throng_error *error);
/* Completes the table, or drops it. Where none was begun, one that an earlier run left is removed when the run is kept.
 * False and a message when it cannot be written. */
bool throng_run_table_end(throng_run_table *table, bool keep, throng_error *error);

/* Hands every row of the table NAME beside a recording to `take`, in order; there may be none. False and a message that
 * names the file and the row that `take` said no to, with what it said. */
typedef bool throng_run_row(void *context, const char *row, throng_error *error);
bool throng_run_table_read(const char *recording, const char *name, const char *head, throng_run_row *take,
                           void *context, throng_error *error);

#endif
