/* A frame of the physics: in steps so short that nothing moves through anything. */
#include <math.h>

#include "base/watchdog.h"
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

/* So many that nothing moves through anything; and how fast the fastest body is. */
static int32_t count_steps(const throng_bodies *b, const throng_near *agents, int32_t count, double *fastest)
{
    double steps = b->dt / SUBSTEP;
    *fastest = 0;
    for (int32_t i = 0; i < b->slots; i++) {
        const body *me = &b->list[i];
        double speed = me->body ? body_rim_speed(b, me) : 0;
        if (speed == 0) /* most lie still */
            continue;
        *fastest = fmax(*fastest, speed);
        steps = fmax(steps, speed * b->dt / (PART * me->thickness));
    }
    for (int32_t i = 0; i < count; i++) {
        double speed = sqrt((double)agents[i].vx * (double)agents[i].vx + (double)agents[i].vy * (double)agents[i].vy);
        steps = fmax(steps, speed * b->dt / (2 * PART * (double)agents[i].radius));
    }
    return (int32_t)ceil(fmin(steps, SUBSTEPS) - 1e-9);
}

#define GIANT       10.0 /* m: what reaches farther */
#define GIANT_CELLS 64   /* a giant is at most so many wide */

static void move_over(void *shape, void *to) { cpSpatialIndexInsert(to, shape, ((cpShape *)shape)->hashid); }

/* In Chipmunk's tree whatever moves under a giant is put beside it, one below the other: every search in it took as
 * many steps as there are bodies (8,000 under a disc of 100 m, 1.2 s a frame; .08 s with a hash). */
static void suit_giants(throng_bodies *b)
{
    double reach = 0;
    if (b->largest <= GIANT || (b->largest <= b->hashed_for && b->count <= b->hashed_count))
        return;
    for (int32_t i = 0; i < b->slots; i++)
        reach += b->list[i].body ? b->list[i].reach / b->count : 0;
    cpSpatialIndex *moving = b->space->dynamicShapes, *still = b->space->staticShapes;
    b->hashed_for = b->largest;
    b->hashed_count = 2 * b->count;
    b->space->staticShapes = cpBBTreeNew(still->bbfunc, NULL); /* the old one's leaves know those of the moving */
    cpSpatialIndexEach(still, move_over, b->space->staticShapes);
    b->space->dynamicShapes = cpSpaceHashNew(fmax(2 * reach, 2 * b->largest / GIANT_CELLS), 10 * b->hashed_count,
                                             moving->bbfunc, b->space->staticShapes);
    cpSpatialIndexEach(moving, move_over, b->space->dynamicShapes);
    cpSpatialIndexFree(moving);
    cpSpatialIndexFree(still);
}

bool throng_bodies_step(throng_bodies *b, throng_near *agents, int32_t count, double limit, throng_error *error)
{
    double fastest;
    int32_t steps = count_steps(b, agents, count, &fastest);
    double step = b->dt / steps;
    suit_giants(b);
    body_seam_begin(b);
    if (!body_agents_enter(b, agents, count, fastest))
        return throng_fail(error, "out of memory for %d agents near bodies", count);
    for (int32_t i = 0; i < steps && !throng_given_up(); i++) {
        cpSpaceStep(b->space, step);
        body_seam_share(b);
    }
    body_seam_end(b);
    if (throng_given_up())
        return throng_fail(error, "%s", throng_interrupted_text());
    body_agents_obey(b, agents, limit);
    for (int32_t i = 0; i < b->slots; i++)
        b->list[i].fx = b->list[i].fy = 0;
    return true;
}
