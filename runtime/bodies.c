#include "bodies.h"

#include <chipmunk/chipmunk.h>
#include <chipmunk/chipmunk_structs.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define GRAVITY  9.81  /* m/s^2 */
#define SUBSTEP  0.05  /* s: no step of the physics is longer */
#define SLOP     0.002 /* m: overlap that is left alone, so that what touches goes on touching */
#define SUBSTEPS 32    /* a frame at most */
#define ITERATIONS                                                                                                     \
    20           /* of the physics: with its own 10 a chain of three bounces off a wall with a tenth of its speed */
#define PART 0.5 /* of its thickness: no body moves farther in a step of the physics, so it passes no wall */
/* What a spinning body's floor takes off its speed where its mass is, about: 0.94 for discs, 0.96 for squares. */
#define SPINNING 0.95

/* Kinds of shapes, for what collides with what: agents do not among themselves, the contacts see to that. */
enum { WALL = 1, BODY = 2, AGENT = 4 };

typedef struct body {
    cpBody *body; /* NULL: removed */
    cpShape *shape;
    uint32_t generation;
    int32_t corners;
    throng_point corner[THRONG_BODY_CORNERS]; /* about the centre of mass */
    double radius, reach, thickness;          /* m: 0 or a circle's; of the farthest corner; of the nearest side */
    double mass, friction, gyration;          /* kg; m: radius of gyration */
    double fx, fy;                            /* N: asked for in the next frame */
    bool fixed;
} body;

/* The disc of the agent in a slot. */
typedef struct disc {
    cpBody *body; /* NULL: it never was near a body */
    cpShape *shape;
    bool present; /* in the space */
    double radius;
    cpVect wish, free; /* m/s; m: how far it would have come this frame if nothing had been in its way */
} disc;

struct throng_bodies {
    double dt;
    cpSpace *space;
    body *list;
    int32_t slots, room, count, sides;
    int32_t *unused, unused_count;
    cpShape **walls;
    int32_t wall_count;
    disc **discs; /* [disc_room] by slot of the agent */
    int32_t disc_room;
    int32_t *present, present_count, present_room; /* slots of the discs in the space */
};

/* --- motion ------------------------------------------------------------------------------------ */

/* Sine and cosine of an angle in [-pi, pi] by sums and products alone, which every machine rounds alike. */
static void turn_of(double angle, double *sine, double *cosine)
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

static double wrapped(double angle)
{
    angle -= 2 * M_PI * floor(angle / (2 * M_PI) + 0.5);
    return fmin(fmax(angle, -M_PI), M_PI);
}

/* Chipmunk's own turns by libm, whose sines differ between machines. */
static void place(cpBody *b, cpVect at, double angle)
{
    double sine, cosine;
    b->p = at;
    b->a = wrapped(angle);
    turn_of(b->a, &sine, &cosine);
    b->transform = cpTransformNewTranspose(cosine, -sine, at.x, sine, cosine, at.y);
}

static void carry(cpBody *b, cpFloat dt)
{
    place(b, cpvadd(b->p, cpvmult(cpvadd(b->v, b->v_bias), dt)), b->a + (b->w + b->w_bias) * dt);
    b->v_bias = cpvzero;
    b->w_bias = 0;
}

/* However hard a body is pressed, its middle stays on its side of a wall, and so the wall pushes it back there. */
static void carry_body(cpBody *b, cpFloat dt)
{
    cpVect from = b->p, to = cpvadd(from, cpvmult(cpvadd(b->v, b->v_bias), dt));
    cpShapeFilter walls = cpShapeFilterNew(CP_NO_GROUP, CP_ALL_CATEGORIES, WALL);
    cpSegmentQueryInfo hit;
    bool moves = to.x != from.x || to.y != from.y;
    carry(b, dt);
    if (moves && cpSpaceSegmentQueryFirst(b->space, from, to, 0, walls, &hit))
        place(b, cpvlerp(from, to, 0.5 * hit.alpha), b->a);
}

static cpVect within(cpVect v, double limit)
{
    double length = cpvlength(v);
    return length > limit ? cpvmult(v, limit / length) : v;
}

/* The floor slows a body down; what it was pushed with speeds it up. */
static void slide(cpBody *b, cpVect gravity, cpFloat damping, cpFloat dt)
{
    (void)gravity, (void)damping;
    const body *me = cpBodyGetUserData(b);
    cpVect v = within(cpvadd(b->v, cpvmult(cpv(me->fx, me->fy), dt / me->mass)), THRONG_BODY_FASTEST);
    double speed = cpvlength(v), lost = me->friction * GRAVITY * dt;
    b->v = speed > lost ? cpvmult(v, 1 - lost / speed) : cpvzero;
    double spin = fmin(fabs(b->w), THRONG_BODY_FASTEST / me->reach) - SPINNING * lost / me->gyration;
    b->w = spin > 0 ? copysign(spin, b->w) : 0;
}

/* An agent does what it can to have its wish. */
static void walk(cpBody *b, cpVect gravity, cpFloat damping, cpFloat dt)
{
    (void)gravity, (void)damping;
    const disc *me = cpBodyGetUserData(b);
    b->v = cpvadd(b->v, within(cpvsub(me->wish, b->v), THRONG_PUSH * dt));
}

/* --- lifetime ---------------------------------------------------------------------------------- */

/* Debian's library is built to print its version with the first space; nothing of ours may be printed meanwhile. */
static cpSpace *quiet_space(void)
{
    fflush(stdout);
    int out = dup(STDOUT_FILENO), nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    bool away = out >= 0 && nowhere >= 0 && dup2(nowhere, STDOUT_FILENO) >= 0;
    cpSpace *space = cpSpaceNew();
    fflush(stdout);
    if (away)
        dup2(out, STDOUT_FILENO);
    if (out >= 0)
        close(out);
    if (nowhere >= 0)
        close(nowhere);
    return space;
}

throng_bodies *throng_bodies_create(double dt)
{
    throng_bodies *b = calloc(1, sizeof *b);
    if (!b)
        return NULL;
    b->dt = dt;
    b->space = quiet_space();
    cpSpaceSetCollisionSlop(b->space, SLOP);
    cpSpaceSetIterations(b->space, ITERATIONS);
    return b;
}

static void forget_walls(throng_bodies *b)
{
    for (int32_t i = 0; i < b->wall_count; i++) {
        cpSpaceRemoveShape(b->space, b->walls[i]);
        cpShapeFree(b->walls[i]);
    }
    free(b->walls);
    b->walls = NULL;
    b->wall_count = 0;
}

static void leave(throng_bodies *b, disc *d)
{
    cpSpaceRemoveShape(b->space, d->shape);
    cpSpaceRemoveBody(b->space, d->body);
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

void throng_bodies_destroy(throng_bodies *b)
{
    if (!b)
        return;
    for (int32_t i = 0; i < b->slots; i++)
        if (b->list[i].body)
            throng_bodies_remove(b, throng_bodies_handle(b, i));
    for (int32_t i = 0; i < b->disc_room; i++)
        free_disc(b, b->discs[i]);
    forget_walls(b);
    cpSpaceFree(b->space);
    free(b->list);
    free(b->unused);
    free(b->discs);
    free(b->present);
    free(b);
}

/* --- shapes ------------------------------------------------------------------------------------ */

throng_body_def throng_body_def_default(void) { return (throng_body_def){.mass = 20, .friction = 0.4}; }

static double turn(throng_point a, throng_point b, throng_point c)
{
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

static bool check_polygon(const throng_body_def *d, throng_error *error)
{
    double turned = 0;
    for (int32_t i = 0; i < d->count; i++) {
        throng_point a = d->points[i], b = d->points[(i + 1) % d->count], c = d->points[(i + 2) % d->count];
        double ex = b.x - a.x, ey = b.y - a.y, fx = c.x - b.x, fy = c.y - b.y;
        if (!(ex * ex + ey * ey >= 1e-6))
            return throng_fail(error, "corners %d and %d are in one place", i + 1, (i + 1) % d->count + 1);
        if (!(turn(a, b, c) > 1e-9))
            return throng_fail(error,
                               "the polygon is not convex, or not counter-clockwise, at corner %d (%g, %g); make a "
                               "body of several, or give the corners the other way round",
                               (i + 1) % d->count + 1, b.x, b.y);
        turned += atan2(ex * fy - ey * fx, ex * fx + ey * fy);
    }
    return turned < 7 || throng_fail(error, "the polygon goes round more than once; give each corner once");
}

static bool check(const throng_body_def *d, throng_error *error)
{
    if (!d->fixed && !(d->mass > 0 && d->mass <= 1e9))
        return throng_fail(error, "mass must be more than 0 and at most 1e9 kg, not %g", d->mass);
    if (!(d->friction >= 0 && d->friction <= 100))
        return throng_fail(error, "friction must be 0 .. 100, not %g", d->friction);
    if (!(fabs(d->x) <= 1e6 && fabs(d->y) <= 1e6 && fabs(d->angle) <= 1e6))
        return throng_fail(error, "a body must be within 1e6 m of the origin, and turned by at most 1e6 rad");
    if (d->count == 0 && !(d->radius >= 0.01 && d->radius <= 1000))
        return throng_fail(error, "circle: the radius must be 0.01 .. 1000 m, not %g", d->radius);
    if (d->count && (d->count < 3 || d->count > THRONG_BODY_CORNERS))
        return throng_fail(error, "a polygon has 3 .. %d corners, not %d", THRONG_BODY_CORNERS, d->count);
    return d->count == 0 || check_polygon(d, error);
}

/* Corners about the middle, which is returned. */
static throng_point centre_corners(body *b, const throng_body_def *d)
{
    double area = 0;
    throng_point m = {0, 0}, o = d->points[0];
    for (int32_t i = 1; i + 1 < d->count; i++) {
        double part = turn(o, d->points[i], d->points[i + 1]);
        area += part;
        m.x += part * (d->points[i].x - o.x + d->points[i + 1].x - o.x) / 3;
        m.y += part * (d->points[i].y - o.y + d->points[i + 1].y - o.y) / 3;
    }
    m = (throng_point){o.x + m.x / area, o.y + m.y / area};
    b->corners = d->count;
    for (int32_t i = 0; i < d->count; i++)
        b->corner[i] = (throng_point){d->points[i].x - m.x, d->points[i].y - m.y};
    return m;
}

/* Planners see a circle as the polygon about it. */
static void circle_corners(body *b, double radius)
{
    double sine, cosine, out;
    turn_of(M_PI / THRONG_CIRCLE_SIDES, &sine, &out);
    b->corners = THRONG_CIRCLE_SIDES;
    for (int32_t i = 0; i < b->corners; i++) {
        turn_of(wrapped(2 * M_PI * i / THRONG_CIRCLE_SIDES), &sine, &cosine);
        b->corner[i] = (throng_point){radius / out * cosine, radius / out * sine};
    }
}

/* How far the point is from the line of side s, to the inside. */
static double behind(const body *b, int32_t s, throng_point p)
{
    throng_point a = b->corner[s], c = b->corner[(s + 1) % b->corners];
    double ex = c.x - a.x, ey = c.y - a.y;
    return turn(a, c, p) / sqrt(ex * ex + ey * ey);
}

static void measure(body *b)
{
    b->reach = 0;
    b->thickness = 1e9;
    for (int32_t i = 0; i < b->corners; i++) {
        b->reach = fmax(b->reach, sqrt(b->corner[i].x * b->corner[i].x + b->corner[i].y * b->corner[i].y));
        b->thickness = fmin(b->thickness, behind(b, i, (throng_point){0, 0}));
    }
}

static double moment_of(const body *b)
{
    cpVect points[THRONG_BODY_CORNERS];
    if (b->radius > 0)
        return cpMomentForCircle(b->mass, 0, b->radius, cpvzero);
    for (int32_t i = 0; i < b->corners; i++)
        points[i] = cpv(b->corner[i].x, b->corner[i].y);
    return cpMomentForPoly(b->mass, b->corners, points, cpvzero, 0);
}

static cpShape *shape_of(const body *b)
{
    cpVect points[THRONG_BODY_CORNERS];
    for (int32_t i = 0; i < b->corners; i++)
        points[i] = cpv(b->corner[i].x, b->corner[i].y);
    cpShape *shape = b->radius > 0 ? cpCircleShapeNew(b->body, b->radius, cpvzero)
                                   : cpPolyShapeNewRaw(b->body, b->corners, points, 0);
    cpShapeSetFriction(shape, b->friction);
    cpShapeSetFilter(shape, cpShapeFilterNew(CP_NO_GROUP, BODY, WALL | BODY | AGENT));
    return shape;
}

/* --- bodies ------------------------------------------------------------------------------------ */

static body *body_of(const throng_bodies *b, throng_handle handle) { return &b->list[handle.slot]; }

/* Chipmunk holds pointers to the entries. */
static void tell_entries(throng_bodies *b)
{
    for (int32_t i = 0; i < b->slots; i++)
        if (b->list[i].body)
            cpBodySetUserData(b->list[i].body, &b->list[i]);
}

static bool reserve(throng_bodies *b)
{
    if (b->unused_count || b->slots < b->room)
        return true;
    int32_t room = b->room ? 2 * b->room : 16;
    body *list = realloc(b->list, (size_t)room * sizeof *list);
    if (list)
        b->list = list;
    int32_t *unused = list ? realloc(b->unused, (size_t)room * sizeof *unused) : NULL;
    tell_entries(b);
    if (!unused)
        return false;
    b->unused = unused;
    b->room = room;
    return true;
}

static int32_t take_slot(throng_bodies *b)
{
    if (b->unused_count)
        return b->unused[--b->unused_count];
    b->list[b->slots] = (body){.generation = 0};
    return b->slots++;
}

bool throng_bodies_add(throng_bodies *b, const throng_body_def *d, throng_handle *handle, throng_error *error)
{
    if (!check(d, error))
        return false;
    if (!reserve(b))
        return throng_fail(error, "out of memory for %d bodies", b->count + 1);
    int32_t slot = take_slot(b);
    body *me = &b->list[slot];
    *me = (body){.generation = me->generation,
                 .radius = d->count ? 0 : d->radius,
                 .mass = d->fixed ? INFINITY : d->mass,
                 .friction = d->friction,
                 .fixed = d->fixed};
    throng_point middle = {0, 0};
    if (d->count)
        middle = centre_corners(me, d);
    else
        circle_corners(me, d->radius);
    measure(me);
    double moment = d->fixed ? INFINITY : moment_of(me), sine, cosine;
    me->gyration = sqrt(moment / me->mass);
    me->body = d->fixed ? cpBodyNewStatic() : cpBodyNew(me->mass, moment);
    cpBodySetVelocityUpdateFunc(me->body, slide);
    cpBodySetPositionUpdateFunc(me->body, carry_body);
    turn_of(wrapped(d->angle), &sine, &cosine);
    place(me->body, cpv(d->x + cosine * middle.x - sine * middle.y, d->y + sine * middle.x + cosine * middle.y),
          d->angle);
    cpSpaceAddBody(b->space, me->body);
    me->shape = cpSpaceAddShape(b->space, shape_of(me));
    cpBodySetUserData(me->body, me);
    b->count++;
    b->sides += me->corners;
    *handle = (throng_handle){slot, me->generation};
    throng_bodies_send(b, *handle, d->vx, d->vy, d->spin);
    return true;
}

bool throng_bodies_alive(const throng_bodies *b, throng_handle h)
{
    return h.slot >= 0 && h.slot < b->slots && b->list[h.slot].body && b->list[h.slot].generation == h.generation;
}

void throng_bodies_remove(throng_bodies *b, throng_handle handle)
{
    body *me = body_of(b, handle);
    cpSpaceRemoveShape(b->space, me->shape);
    cpSpaceRemoveBody(b->space, me->body);
    cpShapeFree(me->shape);
    cpBodyFree(me->body);
    b->sides -= me->corners;
    b->count--;
    *me = (body){.generation = me->generation + 1};
    b->unused[b->unused_count++] = handle.slot;
}

void throng_bodies_get(const throng_bodies *b, throng_handle handle, throng_body *out)
{
    const body *me = body_of(b, handle);
    *out = (throng_body){me->body->p.x, me->body->p.y, me->body->a,  me->body->v.x, me->body->v.y,
                         me->body->w,   me->mass,      me->friction, me->radius,    me->fixed};
}

void throng_bodies_put(throng_bodies *b, throng_handle handle, double x, double y, double angle)
{
    body *me = body_of(b, handle);
    place(me->body, cpv(x, y), angle);
    cpSpaceReindexShapesForBody(b->space, me->body);
}

void throng_bodies_send(throng_bodies *b, throng_handle handle, double vx, double vy, double spin)
{
    body *me = body_of(b, handle);
    double most = THRONG_BODY_FASTEST / me->reach;
    if (me->fixed)
        return;
    me->body->v = within(cpv(vx, vy), THRONG_BODY_FASTEST);
    me->body->w = fmin(fmax(spin, -most), most);
}

void throng_bodies_push(throng_bodies *b, throng_handle handle, double fx, double fy)
{
    body *me = body_of(b, handle);
    me->fx += fx;
    me->fy += fy;
}

/* --- walls ------------------------------------------------------------------------------------- */

bool throng_bodies_set_walls(throng_bodies *b, const throng_walls *w, throng_error *error)
{
    forget_walls(b);
    int32_t count = w->count - w->sides;
    b->walls = malloc(((size_t)count + 1) * sizeof *b->walls);
    if (!b->walls)
        return throng_fail(error, "out of memory for the %d walls that hold bodies", count);
    for (int32_t s = 0; s < count; s++) {
        cpVect from = cpv((double)w->ax[s], (double)w->ay[s]), to = cpv((double)w->bx[s], (double)w->by[s]);
        cpShape *shape = cpSegmentShapeNew(cpSpaceGetStaticBody(b->space), from, to, 0);
        int32_t p = w->previous[s], n = w->next[s];
        cpSegmentShapeSetNeighbors(shape, cpv((double)w->ax[p], (double)w->ay[p]),
                                   cpv((double)w->bx[n], (double)w->by[n]));
        cpShapeSetFriction(shape, 0.4);
        cpShapeSetFilter(shape, cpShapeFilterNew(CP_NO_GROUP, WALL, BODY | AGENT));
        b->walls[b->wall_count++] = cpSpaceAddShape(b->space, shape);
    }
    return true;
}

/* --- agents ------------------------------------------------------------------------------------ */

static bool reserve_discs(throng_bodies *b, const throng_near *agents, int32_t count)
{
    int32_t slots = count ? agents[count - 1].slot + 1 : 0;
    if (slots > b->disc_room) {
        disc **discs = realloc(b->discs, 2 * (size_t)slots * sizeof *discs);
        if (!discs)
            return false;
        memset(discs + b->disc_room, 0, (2 * (size_t)slots - (size_t)b->disc_room) * sizeof *discs);
        b->discs = discs;
        b->disc_room = 2 * slots;
    }
    if (count > b->present_room) {
        int32_t *present = realloc(b->present, 2 * (size_t)count * sizeof *present);
        if (!present)
            return false;
        b->present = present;
        b->present_room = 2 * count;
    }
    return true;
}

static disc *make_disc(const throng_near *a)
{
    disc *d = calloc(1, sizeof *d);
    if (!d)
        return NULL;
    d->radius = (double)a->radius;
    d->body = cpBodyNew((double)a->mass, INFINITY);
    d->shape = cpCircleShapeNew(d->body, d->radius, cpvzero);
    cpShapeSetFilter(d->shape, cpShapeFilterNew(CP_NO_GROUP, AGENT, WALL | BODY));
    cpBodySetVelocityUpdateFunc(d->body, walk);
    cpBodySetPositionUpdateFunc(d->body, carry);
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
        v = cpvadd(v, within(cpvsub(d->wish, v), THRONG_PUSH * step));
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
    cpBodySetMass(d->body, (double)a->mass);
    place(d->body, cpv((double)a->x, (double)a->y), 0);
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

/* What stopped or pushed an agent's disc does so to the agent: its wish is at least as fast in that direction. */
static void obey(const throng_bodies *b, throng_near *a, double limit)
{
    const disc *d = b->discs[a->slot];
    cpVect way = cpvsub(d->body->p, cpv((double)a->x, (double)a->y)), off = cpvsub(way, d->free);
    double push = cpvlength(off);
    if (push < 1e-6)
        return;
    cpVect n = cpvmult(off, 1 / push);
    double lacks = cpvdot(n, cpvsub(cpvmult(way, 1 / b->dt), d->wish));
    cpVect wish = within(lacks > 0 ? cpvadd(d->wish, cpvmult(n, lacks)) : d->wish, limit);
    a->wish_x = (float)wish.x;
    a->wish_y = (float)wish.y;
}

/* --- the frame --------------------------------------------------------------------------------- */

/* How fast its rim may be in the next frame. */
static double rim_speed(const throng_bodies *b, const body *me)
{
    if (me->fixed)
        return 0;
    cpVect v = cpvadd(me->body->v, cpvmult(cpv(me->fx, me->fy), b->dt / me->mass));
    return fmin(cpvlength(v), THRONG_BODY_FASTEST) + fabs(me->body->w) * me->reach;
}

double throng_bodies_fastest(const throng_bodies *b)
{
    double fastest = 0;
    for (int32_t i = 0; i < b->slots; i++)
        if (b->list[i].body)
            fastest = fmax(fastest, rim_speed(b, &b->list[i]));
    return fastest;
}

/* So many that nothing moves through anything. */
static int32_t count_steps(const throng_bodies *b, const throng_near *agents, int32_t count)
{
    double steps = b->dt / SUBSTEP;
    for (int32_t i = 0; i < b->slots; i++)
        if (b->list[i].body)
            steps = fmax(steps, rim_speed(b, &b->list[i]) * b->dt / (PART * b->list[i].thickness));
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
    bool ok = reserve_discs(b, agents, count);
    if (ok)
        part(b, agents, count);
    for (int32_t i = 0; ok && i < count; i++)
        ok = enter(b, &agents[i], step, steps);
    if (!ok)
        return throng_fail(error, "out of memory for %d agents near bodies", count);
    for (int32_t i = 0; i < steps; i++)
        cpSpaceStep(b->space, step);
    for (int32_t i = 0; i < count; i++)
        obey(b, &agents[i], limit);
    for (int32_t i = 0; i < b->slots; i++)
        b->list[i].fx = b->list[i].fy = 0;
    return true;
}

/* --- plain answers ----------------------------------------------------------------------------- */

bool throng_bodies_cover(const throng_bodies *b, throng_point point, double reach)
{
    cpShapeFilter bodies = cpShapeFilterNew(CP_NO_GROUP, CP_ALL_CATEGORIES, BODY);
    return cpSpacePointQueryNearest(b->space, cpv(point.x, point.y), reach, bodies, NULL) != NULL;
}

int32_t throng_bodies_slots(const throng_bodies *b) { return b->slots; }
int32_t throng_bodies_count(const throng_bodies *b) { return b->count; }
int32_t throng_bodies_sides(const throng_bodies *b) { return b->sides; }
double throng_bodies_reach(const throng_bodies *b, int32_t slot) { return b->list[slot].reach; }

throng_handle throng_bodies_handle(const throng_bodies *b, int32_t slot)
{
    return (throng_handle){slot, b->list[slot].generation};
}

int32_t throng_bodies_outline(const throng_bodies *b, int32_t slot, throng_point *corners)
{
    const body *me = &b->list[slot];
    for (int32_t i = 0; i < me->corners; i++) {
        cpVect p = cpTransformPoint(me->body->transform, cpv(me->corner[i].x, me->corner[i].y));
        corners[i] = (throng_point){p.x, p.y};
    }
    return me->body ? me->corners : 0;
}

double throng_bodies_depth(const throng_bodies *b, int32_t slot, int32_t side)
{
    const body *me = &b->list[slot];
    double depth = 0;
    for (int32_t i = 0; i < me->corners; i++)
        depth = fmax(depth, behind(me, side, me->corner[i]));
    return depth;
}

static uint64_t mix(uint64_t hash, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    hash = (hash ^ bits) * 0x9E3779B97F4A7C15u;
    return hash ^ hash >> 32;
}

uint64_t throng_bodies_hash(const throng_bodies *b)
{
    uint64_t hash = (uint64_t)b->count;
    for (int32_t i = 0; i < b->slots; i++) {
        const cpBody *c = b->list[i].body;
        if (!c)
            continue;
        const double state[] = {i, c->p.x, c->p.y, c->a, c->v.x, c->v.y, c->w};
        for (size_t k = 0; k < sizeof state / sizeof *state; k++)
            hash = mix(hash, state[k]);
    }
    return hash;
}
