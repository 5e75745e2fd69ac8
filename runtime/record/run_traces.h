/* Traces of some of a crowd: where they went. */
#ifndef THRONG_RUN_TRACES_H
#define THRONG_RUN_TRACES_H

#include "map/map.h"

/* Paths of some agents: every n-th by id. */
typedef struct throng_traces {
    int32_t every;       /* ids between traced agents, 0: not chosen yet */
    int32_t point_count; /* added so far, in order of time */
    int32_t rooms[3], group_room;
    int32_t *trace; /* [point_count] which trace the point belongs to */
    float *px, *py; /* [point_count] m */
    float *x, *y;   /* flattened: one trace after the other */
    int32_t *start; /* [count + 1] */
    int32_t *group; /* [count] of the agent */
    int32_t count;
    throng_point wrap; /* m: of a world that wraps, else 0; given by the caller */
} throng_traces;

/* Adds where those are now who are traced: about so many of the first `count`, and as many again who come later.
 * `group` may be NULL: all are of group 0. */
bool throng_traces_add(throng_traces *traces, const int32_t *id, const float *x, const float *y, const int32_t *group,
                       int32_t count, int32_t about, throng_error *error);
/* Fills x, y and start; a trace that crosses the seam of a world that wraps becomes several. */
bool throng_traces_flatten(throng_traces *traces, throng_error *error);
void throng_traces_fini(throng_traces *traces);

#endif
