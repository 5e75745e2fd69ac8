/* The clock that times are measured with; results never depend on it. */
#ifndef THRONG_CLOCK_H
#define THRONG_CLOCK_H

#include <time.h>

/* s, from some moment on */
static inline double throng_clock(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

#endif
