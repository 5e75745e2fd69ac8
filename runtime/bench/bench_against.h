/* Rows of benchmarks against those of an earlier run. */
#ifndef THRONG_BENCH_AGAINST_H
#define THRONG_BENCH_AGAINST_H

#include "bench_table.h"

/* Reads the rows of a file that `throng bench --results` or --json wrote. False, and a message that names file, line
 * and field, when it is none. */
bool throng_bench_read_rows(const char *path, throng_bench_table *earlier, throng_error *error);

/* Prints how the median of each row compares with the row of the same name, stage, backend, SIMD width, threads and
 * agents earlier, and which rows have none. Returns how many take longer by more than `tolerance`, a part of the time
 * earlier; -1: no row has one. */
int32_t throng_bench_compare(const throng_bench_table *now, const throng_bench_table *earlier, double tolerance,
                             FILE *file);

#endif
