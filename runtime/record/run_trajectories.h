/* Trajectories of some of a crowd: where they went. */
#ifndef THRONG_RUN_TRAJECTORIES_H
#define THRONG_RUN_TRAJECTORIES_H

#include "map/map.h"

/* Paths of some agents: every n-th by id. */
typedef struct throng_trajectories {
    int32_t every;       /* ids between agents whose trajectory is kept, 0: not chosen yet */
    int32_t point_count; /* added so far, in order of time */
    int32_t rooms[3], group_room;
    int32_t *trajectory; /* [point_count] which trajectory the point belongs to */
    float *px, *py;      /* [point_count] m */
    float *x, *y;        /* flattened: one trajectory after the other */
    int32_t *start;      /* [count + 1] */
    int32_t *group;      /* [count] of the agent */
    int32_t count;
    throng_point wrap; /* m: of a world that wraps, else 0; given by the caller */
} throng_trajectories;

/* Adds where those are now whose trajectory is kept: about so many of the first `count`, and as many again who come
 * later. `group` may be NULL: all are of group 0. */
bool throng_trajectories_add(throng_trajectories *trajectories, const int32_t *id, const float *x, const float *y,
                             const int32_t *group, int32_t count, int32_t about, throng_error *error);
/* Fills x, y and start; a trajectory that crosses the seam of a world that wraps becomes several. */
bool throng_trajectories_flatten(throng_trajectories *trajectories, throng_error *error);
void throng_trajectories_fini(throng_trajectories *trajectories);

#endif
