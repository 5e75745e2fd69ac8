/* Agents near bodies, as discs. Chipmunk knows nothing of them: what keeps them out of bodies and walls is a constraint
 * of ours that it solves among its contacts, in the way of these. (As shapes of its own, which it moved and compared in
 * every step, they took most of the physics.) */
#include <math.h>
#include <stdlib.h>
#include <string.h>

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
    cpBody *body;            /* its own, when they touch */
    cpVect n;                /* from the shape to the disc */
    double lever, mass;      /* m: of a push along n, about the body's middle; kg: that it has to move */
    double wanted;           /* m/s: of moving apart */
    double impulse, parting; /* N s: that stops them; that moves them apart */
};

/* --- moving shapes by cells ----------------------------------------------------------------------
 * Whatever is looked for in Chipmunk's tree, it finds shapes in one order, which is that of the meetings. A search for
 * all of them tells it; one for each agent takes .7 us among 1,500 bodies. */

struct body_listed {
    cpBB box;
    cpShape *shape;
};

enum { CELLS_EACH = 4, FOUND_MOST = 16 };

static cpCollisionID list_shape(void *bodies, void *shape, cpCollisionID id, void *ok)
{
    body_cells *g = &((throng_bodies *)bodies)->cells;
    *(bool *)ok = *(bool *)ok && throng_array_reserve((void **)&g->shape, &g->room, g->count + 1, sizeof *g->shape);
    if (*(bool *)ok)
        g->shape[g->count++] = (body_listed){((cpShape *)shape)->bb, shape};
    return id;
}

static int32_t line_at(double at, double cell, int32_t lines)
{
    double line = at / cell;
    return line < 0 ? 0 : line >= lines ? lines - 1 : (int32_t)line;
}

typedef struct cell_range {
    int32_t x0, x1, y0, y1;
} cell_range;

static cell_range cells_of(const body_cells *g, cpBB b)
{
    return (cell_range){line_at(b.l - g->box.l, g->cell, g->columns), line_at(b.r - g->box.l, g->cell, g->columns),
                        line_at(b.b - g->box.b, g->cell, g->rows), line_at(b.t - g->box.b, g->cell, g->rows)};
}

/* Cells about twice as wide as shapes, or so wide that there are but a few for each. */
static void size_cells(body_cells *g)
{
    double most = CELLS_EACH * (double)g->count + 1, width = 0;
    g->box = g->shape[0].box;
    for (int32_t i = 0; i < g->count; i++) {
        g->box = cpBBMerge(g->box, g->shape[i].box);
        width += g->shape[i].box.r - g->shape[i].box.l;
    }
    g->cell = 2 * width / g->count;
    while ((g->box.r - g->box.l) / g->cell * ((g->box.t - g->box.b) / g->cell) > most)
        g->cell *= 2;
    g->columns = (int32_t)((g->box.r - g->box.l) / g->cell) + 1;
    g->rows = (int32_t)((g->box.t - g->box.b) / g->cell) + 1;
}

/* Counts the shapes of each cell into the one behind it, or writes them to its list. */
static void visit_cells(body_cells *g, bool write)
{
    for (int32_t i = 0; i < g->count; i++) {
        cell_range in = cells_of(g, g->shape[i].box);
        for (int32_t y = in.y0; y <= in.y1; y++)
            for (int32_t x = in.x0; x <= in.x1; x++) {
                int32_t *end = &g->start[y * g->columns + x + 1];
                if (write)
                    g->list[*end] = i;
                ++*end;
            }
    }
}

static bool list_shapes(throng_bodies *b)
{
    body_cells *g = &b->cells;
    bool ok = true;
    g->count = 0;
    cpSpatialIndexQuery(b->space->dynamicShapes, b, cpBBNew(-INFINITY, -INFINITY, INFINITY, INFINITY), list_shape, &ok);
    if (!ok || !g->count)
        return ok;
    size_cells(g);
    int32_t cells = g->columns * g->rows, total = 0;
    if (!throng_array_reserve((void **)&g->start, &g->start_room, cells + 1, sizeof *g->start))
        return false;
    memset(g->start, 0, ((size_t)cells + 1) * sizeof *g->start);
    visit_cells(g, false);
    for (int32_t c = 1; c <= cells; c++) {
        int32_t count = g->start[c];
        g->start[c] = total;
        total += count;
    }
    if (!throng_array_reserve((void **)&g->list, &g->list_room, total, sizeof *g->list))
        return false;
    visit_cells(g, true);
    return true;
}

/* Those in a box, in order; how many, or -1: too many. */
static int32_t find_shapes(const body_cells *g, cpBB box, int32_t *found)
{
    cell_range in = cells_of(g, box);
    int32_t count = 0;
    for (int32_t y = in.y0; y <= in.y1; y++)
        for (int32_t e = g->start[y * g->columns + in.x0]; e < g->start[y * g->columns + in.x1 + 1]; e++) {
            int32_t shape = g->list[e], at = count;
            if (!cpBBIntersects(g->shape[shape].box, box))
                continue;
            while (at > 0 && found[at - 1] > shape)
                at--;
            if (at > 0 && found[at - 1] == shape)
                continue;
            if (count == FOUND_MOST)
                return -1;
            memmove(found + at + 1, found + at, (size_t)(count++ - at) * sizeof *found);
            found[at] = shape;
        }
    return count;
}

/* --- who may meet whom ------------------------------------------------------------------------- */

typedef struct search {
    throng_bodies *bodies;
    body_disc *disc;
    cpBB box;
    bool ok;
} search;

static void add_meeting(search *s, cpShape *shape)
{
    throng_bodies *b = s->bodies;
    s->ok = s->ok &&
            throng_array_reserve((void **)&b->meetings, &b->meeting_room, b->meeting_count + 1, sizeof *b->meetings);
    if (s->ok)
        b->meetings[b->meeting_count++] = (body_meeting){.disc = s->disc, .shape = shape};
}

/* What a tree has near a box. */
static cpCollisionID meet(void *to, void *found, cpCollisionID id, void *unused)
{
    search *s = to;
    cpShape *shape = found;
    (void)unused;
    if (shape->filter.mask & BODY_AGENT && cpBBIntersects(s->box, shape->bb))
        add_meeting(s, shape);
    return id;
}

static void find_meetings_of(search *s, bool listed)
{
    const throng_bodies *b = s->bodies;
    int32_t found[FOUND_MOST], count = listed ? find_shapes(&b->cells, s->box, found) : -1;
    for (int32_t i = 0; i < count; i++)
        add_meeting(s, b->cells.shape[found[i]].shape);
    if (count < 0)
        cpSpatialIndexQuery(b->space->dynamicShapes, s, s->box, meet, NULL);
    cpSpatialIndexQuery(b->space->staticShapes, s, s->box, meet, NULL);
}

/* Bodies may be pushed as fast as agents go. */
static bool find_meetings(throng_bodies *b, double fastest)
{
    enum { FEW = 16 }; /* bodies an agent, from which on cells take longer */
    search s = {.bodies = b, .ok = true};
    bool listed = b->count < FEW * b->disc_count && !b->hashed_for;
    b->meeting_count = b->cells.count = 0;
    if (listed && !list_shapes(b))
        return false;
    for (int32_t i = 0; i < b->disc_count; i++)
        fastest = fmax(fastest, fmin(cpvlength(b->discs[i].v) + THRONG_PUSH * b->dt, THRONG_BODY_FASTEST));
    for (int32_t i = 0; i < b->disc_count; i++) {
        s.disc = &b->discs[i];
        s.box = cpBBNewForCircle(s.disc->p, s.disc->radius + 2 * b->dt * fastest);
        find_meetings_of(&s, b->cells.count > 0);
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
    cpBody *body = m->shape->body;
    cpPointQueryInfo at;
    if (!cpBBIntersects(m->shape->bb, cpBBNewForCircle(d->p, d->radius)) ||
        cpShapePointQuery(m->shape, d->p, &at) > d->radius)
        return false;
    m->body = body;
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
        body_meeting *m = &b->meetings[i];
        if (!look(m, part, dt)) {
            m->impulse = 0;
            continue;
        }
        body_meeting touching = *m;
        *m = b->meetings[b->touching];
        b->meetings[b->touching++] = touching;
    }
}

static void push(const body_meeting *m, double impulse)
{
    cpBody *body = m->body;
    m->disc->v = cpvadd(m->disc->v, cpvmult(m->n, impulse * m->disc->lightness));
    body->v = cpvsub(body->v, cpvmult(m->n, impulse * body->m_inv));
    body->w -= impulse * m->lever * body->i_inv;
}

static void push_aside(const body_meeting *m, double impulse)
{
    cpBody *body = m->body;
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
    const cpBody *body = m->body;
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
        body *met = cpBodyGetUserData(m->body);
        if (met && (m->impulse > 0 || m->parting > 0))
            met->pressed = true;
    }
}

void body_agents_free(throng_bodies *b)
{
    cpConstraintFree(b->apart);
    free(b->cells.shape);
    free(b->cells.start);
    free(b->cells.list);
    free(b->discs);
    free(b->meetings);
}
