/* What scripts put into a world for its agents to avoid or to seek: weights of pairs of kinds, and hazards. */
#ifndef THRONG_INFLUENCES_H
#define THRONG_INFLUENCES_H

#include <stdint.h>

/* A place to keep away from, weight > 0, or to be drawn to, weight < 0: see hazards.h. */
typedef struct throng_hazard {
    float x, y;  /* m */
    float reach; /* m: who is farther away does not heed it */
    float weight;
} throng_hazard;

typedef struct throng_influences {
    int32_t kinds;       /* of the table; who is of a later kind weighs 1. 0: everybody does */
    const float *weight; /* [kind of who avoids * kinds + kind of who is avoided] */
    int32_t hazards;
    const throng_hazard *hazard; /* [hazards] */
} throng_influences;

#endif
