/* How bodies move: the hooks that Chipmunk calls in a step, with sines of our own. */
#include <math.h>

#include "bodies_parts.h"

#define GRAVITY 9.81 /* m/s^2 */
/* What a spinning body's floor takes off its speed where its mass is, about: 0.94 for discs, 0.96 for squares. */
#define SPINNING 0.95

void body_turn_of(double angle, double *sine, double *cosine)
{
    double quarter = rint(angle * (2 / M_PI)), x = angle - quarter * (M_PI / 2), y = x * x;
    double s = x * (1 + y * (-1.0 / 6 + y * (1.0 / 120 + y * (-1.0 / 5040 + y * (1.0 / 362880 - y / 39916800)))));
    double c = 1 + y * (-1.0 / 2 + y * (1.0 / 24 + y * (-1.0 / 720 + y * (1.0 / 40320 - y / 3628800))));
    switch ((int)quarter & 3) {
    case 0: *sine = s, *cosine = c; break;
    case 1: *sine = c, *cosine = -s; break;
    case 2: *sine = -s, *cosine = -c; break;
    default: *sine = -c, *cosine = s; break;
    }
}

double body_wrapped(double angle)
{
    angle -= 2 * M_PI * floor(angle / (2 * M_PI) + 0.5);
    return fmin(fmax(angle, -M_PI), M_PI);
}

/* Chipmunk's own turns by libm, whose sines differ between machines. */
void body_place(cpBody *b, cpVect at, double angle)
{
    double sine, cosine;
    body *me = b->userData;
    if (me)
        me->moved = me->placed = true;
    b->p = at;
    b->a = body_wrapped(angle);
    body_turn_of(b->a, &sine, &cosine);
    b->transform = cpTransformNewTranspose(cosine, -sine, at.x, sine, cosine, at.y);
}

void body_carry_image(cpBody *b, cpFloat dt)
{
    body_place(b, cpvadd(b->p, cpvmult(cpvadd(b->v, b->v_bias), dt)), b->a + (b->w + b->w_bias) * dt);
    b->v_bias = cpvzero;
    b->w_bias = 0;
}

static cpFloat meet_wall(void *line, void *shape, void *nearest)
{
    const cpVect *ends = line;
    cpSegmentQueryInfo hit;
    double *first = nearest;
    if (((cpShape *)shape)->filter.categories == BODY_WALL && cpShapeSegmentQuery(shape, ends[0], ends[1], 0, &hit) &&
        hit.alpha < *first)
        *first = hit.alpha;
    return *first;
}

/* Where on its way the middle of a body meets a wall, as a part of it; 1: nowhere. Walls are where nothing moves. */
static double free_part(const cpSpace *space, cpVect from, cpVect to)
{
    cpVect ends[] = {from, to};
    double first = 1;
    cpSpatialIndexSegmentQuery(space->staticShapes, ends, from, to, first, meet_wall, &first);
    return first;
}

/* However hard a body is pressed, its middle stays on its side of a wall, and so the wall pushes it back there. */
void body_carry(cpBody *b, cpFloat dt)
{
    cpVect from = b->p, to = cpvadd(from, cpvmult(cpvadd(b->v, b->v_bias), dt));
    bool moves = to.x != from.x || to.y != from.y;
    if (!moves && b->w == 0 && b->w_bias == 0) { /* most lie still */
        b->v_bias = cpvzero;
        return;
    }
    body_carry_image(b, dt);
    double part = moves ? free_part(b->space, from, to) : 1;
    if (part < 1)
        body_place(b, cpvlerp(from, to, 0.5 * part), b->a);
}

cpVect body_within(cpVect v, double limit)
{
    double length = cpvlength(v);
    return length > limit ? cpvmult(v, limit / length) : v;
}

/* Most do, in most steps. */
static bool lies_still(const body *me, const cpBody *b)
{
    return b->v.x == 0 && b->v.y == 0 && b->w == 0 && me->fx == 0 && me->fy == 0;
}

/* The floor slows a body down; what it was pushed with speeds it up. */
void body_slide(cpBody *b, cpVect gravity, cpFloat damping, cpFloat dt)
{
    (void)gravity, (void)damping;
    body *me = b->userData;
    if (lies_still(me, b)) {
        b->v = me->free_v = cpvzero;
        b->w = me->free_w = 0;
        return;
    }
    me->moved = true;
    cpVect v = body_within(cpvadd(b->v, cpvmult(cpv(me->fx, me->fy), dt / me->mass)), THRONG_BODY_FASTEST);
    double speed = cpvlength(v), lost = me->friction * GRAVITY * dt;
    b->v = speed > lost ? cpvmult(v, 1 - lost / speed) : cpvzero;
    double spin = fmin(fabs(b->w), THRONG_BODY_FASTEST / me->reach) - SPINNING * lost / me->gyration;
    b->w = spin > 0 ? copysign(spin, b->w) : 0;
    me->free_v = b->v;
    me->free_w = b->w;
}

double body_rim_speed(const throng_bodies *b, const body *me)
{
    if (me->fixed || lies_still(me, me->body))
        return 0;
    cpVect v = cpvadd(me->body->v, cpvmult(cpv(me->fx, me->fy), b->dt / me->mass));
    return fmin(cpvlength(v), THRONG_BODY_FASTEST) + fabs(me->body->w) * me->reach;
}
