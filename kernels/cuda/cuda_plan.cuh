/* What the planners' launchers share. */
#ifndef THRONG_CUDA_PLAN_CUH
#define THRONG_CUDA_PLAN_CUH

#include "cuda.cuh"

#include "kernels/planners/plan.h"

/* Launches the instance of a body for the rows of the neighbour lists, with or without walls. */
#define LAUNCH_FITTING(body, p, threads, at_once, blocks, ...)                                                         \
    do {                                                                                                               \
        const planning &p_ = (p);                                                                                      \
        if (p_.c.k == 0)                                                                                               \
            LAUNCH_ROWS(body, 0, threads, at_once, blocks, ##__VA_ARGS__);                                             \
        else if (p_.c.k == 10)                                                                                         \
            LAUNCH_ROWS(body, 10, threads, at_once, blocks, ##__VA_ARGS__);                                            \
        else                                                                                                           \
            LAUNCH_ROWS(body, THRONG_NEIGHBOURS_MAX, threads, at_once, blocks, ##__VA_ARGS__);                         \
    } while (0)
#define LAUNCH_ROWS(body, rows, threads, at_once, blocks, ...)                                                         \
    (p_.c.walls.count > 0 ? cuda_launch<body<rows, true>, threads, at_once>(p_.queue, blocks, p_.c, ##__VA_ARGS__)     \
                          : cuda_launch<body<rows, false>, threads, at_once>(p_.queue, blocks, p_.c, ##__VA_ARGS__))

#endif
