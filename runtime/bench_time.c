#include "bench_time.h"

#include <stdlib.h>
#include <time.h>

double throng_now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

throng_timing throng_timing_of(double *ms, int32_t count)
{
    qsort(ms, (size_t)count, sizeof *ms, ascending);
    return (throng_timing){count, ms[count / 2], ms[0], ms[count / 4], ms[(3 * count) / 4]};
}
