/* What the planners' launchers share. */
#ifndef THRONG_CUDA_PLAN_CUH
#define THRONG_CUDA_PLAN_CUH

#include "cuda.cuh"

#include "kernels/planners/plan.h"

/* Launches the instance of a kernel, which begins with await_previous_launch, for the rows of the neighbour lists, with
 * or without walls. */
#define LAUNCH_FITTING(kernel, p, grid, block, ...)                                                                    \
    do {                                                                                                               \
        bool walls_ = (p).c.walls.count > 0;                                                                           \
        auto fitting_ = (p).c.k == 0    ? (walls_ ? kernel<0, true> : kernel<0, false>)                                \
                        : (p).c.k == 10 ? (walls_ ? kernel<10, true> : kernel<10, false>)                              \
                        : walls_        ? kernel<THRONG_NEIGHBOURS_MAX, true>                                          \
                                        : kernel<THRONG_NEIGHBOURS_MAX, false>;                                               \
        cuda_launch(fitting_, grid, block, (p).stream, (p).c, ##__VA_ARGS__);                                          \
    } while (0)

#endif
