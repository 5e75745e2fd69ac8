/* Agents near bodies, as discs among them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "bodies_parts.h"

static void leave(throng_bodies *b, disc *d)
{
    body_leave(b, d->shape, d->body);
    d->present = false;
}

static void free_disc(throng_bodies *b, disc *d)
{
    if (!d)
        return;
    if (d->present)
        leave(b, d);
    cpShapeFree(d->shape);
    cpBodyFree(d->body);
    free(d);
}

static bool reserve_discs(throng_bodies *b, const throng_near *agents, int32_t count)
{
    int32_t slots = count ? agents[count - 1].slot + 1 : 0;
    int32_t room = b->disc_room;
    if (slots > room) {
        if (!throng_array_reserve((void **)&b->discs, &b->disc_room, slots, sizeof *b->discs))
            return false;
        memset(b->discs + room, 0, (size_t)(b->disc_room - room) * sizeof *b->discs);
    }
    return count <= b->present_room ||
           throng_array_reserve((void **)&b->present, &b->present_room, count, sizeof *b->present);
}

static disc *make_disc(const throng_near *a)
{
    disc *d = calloc(1, sizeof *d);
    if (!d)
        return NULL;
    d->radius = (double)a->radius;
    d->body = cpBodyNew((double)a->mass, INFINITY);
    d->shape = cpCircleShapeNew(d->body, d->radius, cpvzero);
    cpShapeSetFilter(d->shape, cpShapeFilterNew(CP_NO_GROUP, BODY_AGENT, BODY_WALL | BODY_BODY | BODY_IMAGE));
    cpBodySetVelocityUpdateFunc(d->body, body_walk);
    cpBodySetPositionUpdateFunc(d->body, body_carry_disc);
    cpBodySetUserData(d->body, d);
    return d;
}

/* Discs of those who are not near any more leave. */
static void part(throng_bodies *b, const throng_near *agents, int32_t count)
{
    int32_t next = 0;
    for (int32_t i = 0; i < b->present_count; i++) {
        while (next < count && agents[next].slot < b->present[i])
            next++;
        if (next == count || agents[next].slot != b->present[i])
            leave(b, b->discs[b->present[i]]);
    }
    b->present_count = 0;
}

/* Where its disc would come if nothing were in its way. */
static cpVect free_way(const disc *d, double step, int32_t steps)
{
    cpVect v = d->body->v, way = cpvzero;
    for (int32_t i = 0; i < steps; i++) {
        v = cpvadd(v, body_within(cpvsub(d->wish, v), THRONG_PUSH * step));
        way = cpvadd(way, cpvmult(v, step));
    }
    return way;
}

static bool enter(throng_bodies *b, const throng_near *a, double step, int32_t steps)
{
    disc **at = &b->discs[a->slot];
    if (*at && (*at)->radius != (double)a->radius) {
        free_disc(b, *at);
        *at = NULL;
    }
    if (!*at && !(*at = make_disc(a)))
        return false;
    disc *d = *at;
    b->widest = fmax(b->widest, d->radius);
    if (d->body->m != (double)a->mass)
        cpBodySetMass(d->body, (double)a->mass);
    body_shift(d->body, cpv((double)a->x, (double)a->y));
    d->body->v = cpv((double)a->vx, (double)a->vy);
    d->wish = cpv((double)a->wish_x, (double)a->wish_y);
    d->free = free_way(d, step, steps);
    if (!d->present) {
        cpSpaceAddBody(b->space, d->body);
        cpSpaceAddShape(b->space, d->shape);
        d->present = true;
    }
    b->present[b->present_count++] = a->slot;
    return true;
}

/* The disc was stopped or pushed: by bodies, among others? */
static void note_pressed(cpBody *disc, cpArbiter *arbiter, void *unused)
{
    CP_ARBITER_GET_BODIES(arbiter, a, b);
    CP_ARBITER_GET_SHAPES(arbiter, p, q);
    body *me = cpBodyGetUserData(a == disc ? b : a);
    (void)unused;
    if (((a == disc ? q : p)->filter.categories & (BODY_BODY | BODY_IMAGE)) && me)
        me->pressed = true;
}

/* What stopped or pushed an agent's disc does so to the agent: its wish is at least as fast in that direction. */
static void obey(const throng_bodies *b, throng_near *a, double limit)
{
    const disc *d = b->discs[a->slot];
    cpVect way = cpvsub(d->body->p, cpv((double)a->x, (double)a->y)), off = cpvsub(way, d->free);
    double push = cpvlength(off);
    if (push < 1e-6)
        return;
    cpBodyEachArbiter(d->body, note_pressed, NULL);
    cpVect n = cpvmult(off, 1 / push);
    double lacks = cpvdot(n, cpvsub(cpvmult(way, 1 / b->dt), d->wish));
    cpVect wish = body_within(lacks > 0 ? cpvadd(d->wish, cpvmult(n, lacks)) : d->wish, limit);
    a->wish_x = (float)wish.x;
    a->wish_y = (float)wish.y;
}

bool body_agents_enter(throng_bodies *b, const throng_near *agents, int32_t count, double step, int32_t steps)
{
    bool ok = reserve_discs(b, agents, count);
    if (ok)
        part(b, agents, count);
    for (int32_t i = 0; ok && i < count; i++)
        ok = enter(b, &agents[i], step, steps);
    return ok;
}

void body_agents_obey(const throng_bodies *b, throng_near *agents, int32_t count, double limit)
{
    for (int32_t i = 0; i < count; i++)
        obey(b, &agents[i], limit);
}

void body_agents_free(throng_bodies *b)
{
    for (int32_t i = 0; i < b->disc_room; i++)
        free_disc(b, b->discs[i]);
    free(b->discs);
    free(b->present);
}
