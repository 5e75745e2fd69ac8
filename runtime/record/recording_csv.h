/* Rows of trajectories with a head that names their columns, as CSV files of throng, PedPy and pandas have it. */
#ifndef THRONG_RECORDING_CSV_H
#define THRONG_RECORDING_CSV_H

#include <stdbool.h>

#include "base/error.h"

enum { THRONG_CSV_ID, THRONG_CSV_FRAME, THRONG_CSV_X, THRONG_CSV_Y, THRONG_CSV_TIME, THRONG_CSV_COLUMNS };

/* At which place each stands, from 0 on; -1: there is none, which only the time may be. */
typedef struct throng_csv_head {
    int place[THRONG_CSV_COLUMNS];
    int floor; /* likewise: names of a building's floors */
    int count; /* of all columns */
} throng_csv_head;

/* Of the line, which is changed. The message says what it lacks, or has twice, and names no file. */
bool throng_csv_read_head(char *line, throng_csv_head *head, throng_error *error);

/* The values of a row, 0 where there is no column, and the name of its floor, which is in the line; "": none. False:
 * one of the values is no number, or there are not as many fields as columns. The line is changed. */
bool throng_csv_read_row(char *line, const throng_csv_head *head, double *values, const char **floor);

#endif
