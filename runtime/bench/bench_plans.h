/* The plans that paths are searched on by benchmarks. */
#ifndef THRONG_BENCH_PLANS_H
#define THRONG_BENCH_PLANS_H

#include "map/map.h"

enum {
    THRONG_BENCH_WILLOW,  /* maps/willow.yaml */
    THRONG_BENCH_HALL,    /* 28 m with 36 pillars of 0.4 m, in the mesh */
    THRONG_BENCH_PILLARS, /* and left out of it */
    THRONG_BENCH_OFFICE,  /* 1,000 rooms of 5 m along ten corridors: doors of 0.9 m, to the corridor, to three of ten
                             neighbours, and to two of ten behind */
    THRONG_BENCH_ROOMS,   /* 32 x 32 rooms of 5 m: doors of 0.9 m in eight of ten walls */
    THRONG_BENCH_BOXES,   /* 400 boxes of 1 to 8 m in 200 m */
    THRONG_BENCH_PLANS
};

/* How a plan is called, and us of a query to Detour there: findNearestPoly of both ends, findPath, findStraightPath on
 * Recast's mesh of cells of 0.1 m, one thread of an EPYC of 2.4 GHz, in turns with throng. NAN: not measured. */
extern const char *const throng_bench_plan_names[THRONG_BENCH_PLANS];
extern const double throng_bench_detour_us[THRONG_BENCH_PLANS];

/* NULL and a message when it cannot be read or memory is out. */
throng_map *throng_bench_plan(int32_t plan, throng_error *error);

#endif
