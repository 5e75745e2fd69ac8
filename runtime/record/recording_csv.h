/* Rows of trajectories with a head that names their columns, as CSV files of throng, PedPy and pandas have it. */
#ifndef THRONG_RECORDING_CSV_H
#define THRONG_RECORDING_CSV_H

#include <stdbool.h>

#include "base/error.h"

/* Numbers, and texts behind them; all from the time on may be missing. */
enum {
    THRONG_CSV_ID,
    THRONG_CSV_FRAME,
    THRONG_CSV_X,
    THRONG_CSV_Y,
    THRONG_CSV_TIME,
    THRONG_CSV_HX,
    THRONG_CSV_HY,
    THRONG_CSV_RADIUS,
    THRONG_CSV_FLOOR,
    THRONG_CSV_GROUP,
    THRONG_CSV_COLUMNS
};

/* At which place each stands, from 0 on; -1: there is none. */
typedef struct throng_csv_head {
    int place[THRONG_CSV_COLUMNS];
    int count; /* of all columns */
} throng_csv_head;

typedef struct throng_csv_row {
    double number[THRONG_CSV_FLOOR];      /* NAN: there is no such column, or, from HX on, no number in it */
    const char *text[THRONG_CSV_COLUMNS]; /* from FLOOR on; in the line; "": there is none */
} throng_csv_row;

/* Of the line, which is changed. The message says what it lacks, or has twice, and names no file. */
bool throng_csv_read_head(char *line, throng_csv_head *head, throng_error *error);

/* False: one of the values up to the time is no number, or there are not as many fields as columns. The line is
 * changed.
 */
bool throng_csv_read_row(char *line, const throng_csv_head *head, throng_csv_row *row);

#endif
