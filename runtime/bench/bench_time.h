/* Clocks and medians for benchmarks. */
#ifndef THRONG_BENCH_TIME_H
#define THRONG_BENCH_TIME_H

#include <stdint.h>

/* Milliseconds of a clock that only goes forward. */
double throng_now_ms(void);

/* What many timings of one thing come to. */
typedef struct throng_timing {
    int32_t count;
    double median, least, lower, upper; /* ms; lower and upper: the quartiles */
} throng_timing;

/* Sorts `ms`, [count], count > 0. */
throng_timing throng_timing_of(double *ms, int32_t count);

#endif
