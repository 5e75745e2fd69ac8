/* What scripts put into a world for its agents to avoid or to seek: weights of pairs of groups, and hazards. */
#ifndef THRONG_INFLUENCES_H
#define THRONG_INFLUENCES_H

#include "array_table.h"

/* A place to keep away from, weight > 0, or to be drawn to, weight < 0: see hazards.h. */
typedef struct throng_hazard {
    float x, y;  /* m */
    float reach; /* m: who is farther away does not heed it */
    float weight;
    int32_t sheet; /* where it is: who is on another that is not joined to it does not heed it; 0: there is one plane */
} throng_hazard;

/* weight: [group of who avoids * groups + group of who is avoided] */
#define THRONG_INFLUENCES_ARRAYS(X)                                                                                    \
    X(float, weight, (size_t)t->groups *(size_t)t->groups)                                                             \
    X(throng_hazard, hazard, t->hazards)

typedef struct throng_influences {
    int32_t groups; /* of the table; who is of a later group weighs 1. 0: everybody does */
    int32_t hazards;
    THRONG_INFLUENCES_ARRAYS(THRONG_ARRAY_MEMBER)
} throng_influences;

#endif
