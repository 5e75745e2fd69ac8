/* How large agents are: discs, and bodies that are wider than deep (kernels/stadium.h). */
#ifndef THRONG_WORLD_SIZES_H
#define THRONG_WORLD_SIZES_H

#include "agents.h"

/* The columns, as the host has them. */
typedef struct world_sizes {
    const float *radius, *width; /* m; width: NULL: all are discs */
} world_sizes;

bool throng_world_read_sizes(throng_agents *agents, world_sizes *sizes, throng_error *error);

/* Is anybody wider than deep, and turned as it is? */
bool throng_bodies_are_wide(const throng_agents *agents);

/* m: half of what a body is wider than deep; 0 of a disc. */
static inline float throng_world_arm(float radius, float width)
{
    float half = 0.5f * width - radius;
    return half > 0 ? half : 0;
}

/* m: how far the agent in a slot reaches from its middle. */
static inline float throng_world_reach(const world_sizes *sizes, int32_t slot)
{
    float radius = sizes->radius[slot];
    return sizes->width ? radius + throng_world_arm(radius, sizes->width[slot]) : radius;
}

/* m: the clearance that such an agent needs of its routes: half turned, it passes what is twice as wide. */
static inline float throng_world_clearance_of(float radius, float width)
{
    return radius + 0.5f * throng_world_arm(radius, width);
}

static inline float throng_world_needs(const world_sizes *sizes, int32_t slot)
{
    return throng_world_clearance_of(sizes->radius[slot], sizes->width ? sizes->width[slot] : 0);
}

#endif
