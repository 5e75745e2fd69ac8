#include "bench_time.h"

#include <stdlib.h>

#include "base/clock.h"

double throng_now_ms(void) { return 1e3 * throng_clock(); }

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
