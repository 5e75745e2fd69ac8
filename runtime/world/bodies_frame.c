/* A frame of the physics: in steps so short that nothing moves through anything. */
#include <math.h>

#include "bodies_parts.h"

#define SUBSTEP  0.05 /* s: no step of the physics is longer */
#define SUBSTEPS 32   /* a frame at most */
#define PART     0.5  /* of its thickness: no body moves farther in a step of the physics, so it passes no wall */

double throng_bodies_fastest(const throng_bodies *b)
{
    double fastest = 0;
    for (int32_t i = 0; i < b->slots; i++)
        if (b->list[i].body)
            fastest = fmax(fastest, body_rim_speed(b, &b->list[i]));
    return fastest;
}

/* So many that nothing moves through anything. */
static int32_t count_steps(const throng_bodies *b, const throng_near *agents, int32_t count)
{
    double steps = b->dt / SUBSTEP;
    for (int32_t i = 0; i < b->slots; i++)
        if (b->list[i].body)
            steps = fmax(steps, body_rim_speed(b, &b->list[i]) * b->dt / (PART * b->list[i].thickness));
    for (int32_t i = 0; i < count; i++) {
        double speed = sqrt((double)agents[i].vx * (double)agents[i].vx + (double)agents[i].vy * (double)agents[i].vy);
        steps = fmax(steps, speed * b->dt / (2 * PART * (double)agents[i].radius));
    }
    return (int32_t)ceil(fmin(steps, SUBSTEPS) - 1e-9);
}

bool throng_bodies_step(throng_bodies *b, throng_near *agents, int32_t count, double limit, throng_error *error)
{
    int32_t steps = count_steps(b, agents, count);
    double step = b->dt / steps;
    if (!body_agents_enter(b, agents, count, step, steps))
        return throng_fail(error, "out of memory for %d agents near bodies", count);
    body_seam_begin(b);
    for (int32_t i = 0; i < steps; i++) {
        cpSpaceStep(b->space, step);
        body_seam_share(b);
    }
    body_seam_end(b);
    body_agents_obey(b, agents, count, limit);
    for (int32_t i = 0; i < b->slots; i++)
        b->list[i].fx = b->list[i].fy = 0;
    return true;
}
