/* Agents near bodies, as discs. Chipmunk knows nothing of them: what keeps them out of bodies and walls is a constraint
 * of ours that it solves among its contacts, in the way of these. (As shapes of its own, which it moved and compared in
 * every step, they took most of the physics.) */
#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "bodies_parts.h"

/* It never turns. */
struct body_disc {
    cpVect p, v, aside;       /* m; m/s; in this step, out of what it overlaps */
    cpVect wish;              /* m/s */
    cpVect free_p, free_v;    /* if nothing were in its way */
    double radius, lightness; /* m; 1/kg */
};

/* A disc and a shape that may touch in this frame. */
struct body_meeting {
    body_disc *disc;
    cpShape *shape;
    cpVect n;                /* from the shape to the disc */
    double lever, mass;      /* m: of a push along n, about the body's middle; kg: that it has to move */
    double wanted;           /* m/s: of moving apart */
    double impulse, parting; /* N s: that stops them; that moves them apart */
};

/* --- who may meet whom ------------------------------------------------------------------------- */

typedef struct search {
    throng_bodies *bodies;
    body_disc *disc;
    bool ok;
} search;

static void add_meeting(cpShape *shape, void *to)
{
    search *s = to;
    throng_bodies *b = s->bodies;
    s->ok = s->ok &&
            throng_array_reserve((void **)&b->meetings, &b->meeting_room, b->meeting_count + 1, sizeof *b->meetings);
    if (s->ok)
        b->meetings[b->meeting_count++] = (body_meeting){.disc = s->disc, .shape = shape};
}

/* Bodies may be pushed as fast as agents go. */
static bool find_meetings(throng_bodies *b, double fastest)
{
    cpShapeFilter whom = cpShapeFilterNew(CP_NO_GROUP, BODY_AGENT, BODY_WALL | BODY_BODY | BODY_IMAGE);
    search s = {b, NULL, true};
    b->meeting_count = 0;
    for (int32_t i = 0; i < b->disc_count; i++)
        fastest = fmax(fastest, fmin(cpvlength(b->discs[i].v) + THRONG_PUSH * b->dt, THRONG_BODY_FASTEST));
    for (int32_t i = 0; i < b->disc_count; i++) {
        s.disc = &b->discs[i];
        cpBB box = cpBBNewForCircle(s.disc->p, s.disc->radius + 2 * b->dt * fastest);
        cpSpaceBBQuery(b->space, box, whom, add_meeting, &s);
    }
    return s.ok;
}

static void enter(const throng_near *a, body_disc *d)
{
    *d = (body_disc){.p = cpv((double)a->x, (double)a->y),
                     .v = cpv((double)a->vx, (double)a->vy),
                     .wish = cpv((double)a->wish_x, (double)a->wish_y),
                     .radius = (double)a->radius,
                     .lightness = 1 / (double)a->mass};
    d->free_p = d->p;
    d->free_v = d->v;
}

bool body_agents_enter(throng_bodies *b, const throng_near *agents, int32_t count, double fastest)
{
    if (count > b->disc_room && !throng_array_reserve((void **)&b->discs, &b->disc_room, count, sizeof *b->discs))
        return false;
    b->disc_count = count;
    for (int32_t i = 0; i < count; i++)
        enter(&agents[i], &b->discs[i]);
    return find_meetings(b, fastest);
}

/* --- the constraint ---------------------------------------------------------------------------- */

/* An agent does what it can to have its wish. */
static cpVect walk(cpVect v, cpVect wish, double dt)
{
    return cpvadd(v, body_within(cpvsub(wish, v), THRONG_PUSH * dt));
}

/* With nothing in its way a disc is where it would be if nothing were: each moves, then speeds up. */
static void carry(body_disc *d, double dt)
{
    d->p = cpvadd(d->p, cpvmult(cpvadd(d->v, d->aside), dt));
    d->v = walk(d->v, d->wish, dt);
    d->aside = cpvzero;
    d->free_p = cpvadd(d->free_p, cpvmult(d->free_v, dt));
    d->free_v = walk(d->free_v, d->wish, dt);
}

/* Do the two touch, and how? Of an overlap the part is to go in this step. */
static bool look(body_meeting *m, double part, double dt)
{
    const body_disc *d = m->disc;
    const cpBody *body = m->shape->body;
    cpPointQueryInfo at;
    if (!cpBBIntersects(m->shape->bb, cpBBNewForCircle(d->p, d->radius)) ||
        cpShapePointQuery(m->shape, d->p, &at) > d->radius)
        return false;
    m->n = at.gradient;
    m->lever = cpvcross(cpvsub(at.point, body->p), m->n);
    m->mass = 1 / (d->lightness + body->m_inv + m->lever * m->lever * body->i_inv);
    m->wanted = part * fmax(d->radius - at.distance - cpSpaceGetCollisionSlop(m->shape->space), 0) / dt;
    m->parting = 0;
    return true;
}

/* As bodies have moved, discs do; those who touch come first. */
static void begin(cpConstraint *c, cpFloat dt)
{
    throng_bodies *b = c->userData;
    double part = 1 - pow(cpSpaceGetCollisionBias(b->space), dt);
    for (int32_t i = 0; i < b->disc_count; i++)
        carry(&b->discs[i], dt);
    b->touching = b->rounds = 0;
    for (int32_t i = 0; i < b->meeting_count; i++) {
        body_meeting m = b->meetings[i];
        if (!look(&m, part, dt)) {
            b->meetings[i].impulse = 0;
            continue;
        }
        b->meetings[i] = b->meetings[b->touching];
        b->meetings[b->touching++] = m;
    }
}

static void push(const body_meeting *m, double impulse)
{
    cpBody *body = m->shape->body;
    m->disc->v = cpvadd(m->disc->v, cpvmult(m->n, impulse * m->disc->lightness));
    body->v = cpvsub(body->v, cpvmult(m->n, impulse * body->m_inv));
    body->w -= impulse * m->lever * body->i_inv;
}

static void push_aside(const body_meeting *m, double impulse)
{
    cpBody *body = m->shape->body;
    m->disc->aside = cpvadd(m->disc->aside, cpvmult(m->n, impulse * m->disc->lightness));
    body->v_bias = cpvsub(body->v_bias, cpvmult(m->n, impulse * body->m_inv));
    body->w_bias -= impulse * m->lever * body->i_inv;
}

/* What stopped those who touch in the last step is where this one begins. */
static void resume(cpConstraint *c, cpFloat ratio)
{
    throng_bodies *b = c->userData;
    (void)ratio; /* of this step and the last: of a frame, 1 */
    for (int32_t i = 0; i < b->touching; i++)
        push(&b->meetings[i], b->meetings[i].impulse);
}

/* m/s: of disc and body, where they touch. */
static double nearing(const body_meeting *m, cpVect v, double w, cpVect disc)
{
    return cpvdot(m->n, cpvsub(v, disc)) + w * m->lever;
}

static void solve(body_meeting *m)
{
    const body_disc *d = m->disc;
    const cpBody *body = m->shape->body;
    double impulse = m->impulse + m->mass * nearing(m, body->v, body->w, d->v);
    double parting = m->parting + m->mass * (nearing(m, body->v_bias, body->w_bias, d->aside) + m->wanted);
    impulse = impulse > 0 ? impulse : 0;
    parting = parting > 0 ? parting : 0;
    push(m, impulse - m->impulse);
    push_aside(m, parting - m->parting);
    m->impulse = impulse;
    m->parting = parting;
}

/* The last round is Chipmunk's: it keeps bodies out of walls. */
static void solve_all(cpConstraint *c, cpFloat dt)
{
    throng_bodies *b = c->userData;
    (void)dt;
    b->rounds++;
    for (int32_t i = 0; b->rounds < cpSpaceGetIterations(b->space) && i < b->touching; i++)
        solve(&b->meetings[i]);
}

void body_agents_init(throng_bodies *b)
{
    static const cpConstraintClass apart = {.preStep = begin, .applyCachedImpulse = resume, .applyImpulse = solve_all};
    cpBody *ground = cpSpaceGetStaticBody(b->space);
    b->apart = cpSpaceAddConstraint(b->space, cpSimpleMotorNew(ground, ground, 0)); /* a motor in name */
    b->apart->klass = &apart;
    b->apart->userData = b;
}

/* --- what comes of it -------------------------------------------------------------------------- */

/* What stopped or pushed an agent's disc does so to the agent: its wish is at least as fast in that direction. */
static void obey(const body_disc *d, double dt, throng_near *a, double limit)
{
    cpVect way = cpvsub(d->p, cpv((double)a->x, (double)a->y)), off = cpvsub(d->p, d->free_p);
    double push = cpvlength(off);
    if (push < 1e-6)
        return;
    cpVect n = cpvmult(off, 1 / push);
    double lacks = cpvdot(n, cpvsub(cpvmult(way, 1 / dt), d->wish));
    cpVect wish = body_within(lacks > 0 ? cpvadd(d->wish, cpvmult(n, lacks)) : d->wish, limit);
    a->wish_x = (float)wish.x;
    a->wish_y = (float)wish.y;
}

void body_agents_obey(const throng_bodies *b, throng_near *agents, double limit)
{
    for (int32_t i = 0; i < b->disc_count; i++)
        obey(&b->discs[i], b->dt, &agents[i], limit);
    for (int32_t i = 0; i < b->touching; i++) {
        const body_meeting *m = &b->meetings[i];
        body *met = cpBodyGetUserData(m->shape->body);
        if (met && (m->impulse > 0 || m->parting > 0))
            met->pressed = true;
    }
}

void body_agents_free(throng_bodies *b)
{
    cpConstraintFree(b->apart);
    free(b->discs);
    free(b->meetings);
}
