#include "bodies_parts.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "map/ring_list.h"

#define SLOP 0.002 /* m: overlap that is left alone, so that what touches goes on touching */
#define ITERATIONS                                                                                                     \
    20 /* of the physics: with its own 10 a chain of three bounces off a wall with a tenth of its speed */

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

throng_bodies *throng_bodies_create(double dt, throng_point wrap)
{
    throng_bodies *b = calloc(1, sizeof *b);
    if (!b)
        return NULL;
    b->dt = dt;
    b->wrap = wrap;
    b->space = quiet_space();
    cpSpaceSetCollisionSlop(b->space, SLOP);
    cpSpaceSetIterations(b->space, ITERATIONS);
    body_seam_init(b);
    body_agents_init(b);
    return b;
}

static void forget_walls(throng_bodies *b)
{
    for (int32_t i = 0; i < b->wall_count; i++) {
        body_leave(b, b->walls[i], NULL);
        cpShapeFree(b->walls[i]);
    }
    free(b->walls);
    b->walls = NULL;
    b->wall_count = 0;
}

/* The space goes first: whoever leaves it is looked for among all contacts, minutes of it for 20,000 in a heap. */
void throng_bodies_destroy(throng_bodies *b)
{
    if (!b)
        return;
    cpSpaceFree(b->space);
    b->space = NULL;
    for (int32_t i = 0; i < b->slots; i++)
        if (b->list[i].body)
            throng_bodies_remove(b, throng_bodies_handle(b, i));
    body_agents_free(b);
    forget_walls(b);
    free(b->list);
    free(b->unused);
    free(b);
}

/* --- bodies ------------------------------------------------------------------------------------ */

static body *body_of(const throng_bodies *b, throng_handle handle) { return &b->list[handle.slot]; }

/* Chipmunk holds pointers to the entries. */
static void tell_entries(throng_bodies *b)
{
    for (int32_t i = 0; i < b->slots; i++) {
        body *me = &b->list[i];
        if (me->body)
            cpBodySetUserData(me->body, me);
        for (int n = 0; n < BODY_IMAGES; n++)
            if (me->image[n].body)
                cpBodySetUserData(me->image[n].body, me);
    }
}

static bool reserve(throng_bodies *b)
{
    if (b->unused_count || b->slots < b->room)
        return true;
    int32_t room = b->room ? 2 * b->room : 16;
    bool ok = throng_array_resize((void **)&b->list, (size_t)room * sizeof *b->list);
    tell_entries(b);
    ok = ok && throng_array_resize((void **)&b->unused, (size_t)room * sizeof *b->unused);
    b->room = ok ? room : b->room;
    return ok;
}

static int32_t take_slot(throng_bodies *b)
{
    if (b->unused_count)
        return b->unused[--b->unused_count];
    b->list[b->slots] = (body){.generation = 0};
    return b->slots++;
}

/* A body made as `shape` is, with its centre of mass `at`. */
static bool insert(throng_bodies *b, const body *shape, cpVect at, double angle, throng_handle *handle,
                   throng_error *error)
{
    if (!reserve(b))
        return throng_fail(error, "out of memory for %d bodies", b->count + 1);
    int32_t slot = take_slot(b);
    body *me = &b->list[slot];
    uint32_t generation = me->generation;
    *me = *shape;
    me->generation = generation;
    me->body = me->fixed ? cpBodyNewStatic() : cpBodyNew(me->mass, body_moment(me));
    cpBodySetVelocityUpdateFunc(me->body, body_slide);
    cpBodySetPositionUpdateFunc(me->body, body_carry);
    body_place(me->body, at, angle);
    cpSpaceAddBody(b->space, me->body);
    me->shape =
        cpSpaceAddShape(b->space, body_shape(me, me->body, BODY_BODY, BODY_WALL | BODY_BODY | BODY_AGENT | BODY_IMAGE));
    cpBodySetUserData(me->body, me);
    body_shape_stays(b, me);
    body_seam_add(b, me);
    b->count++;
    b->sides += me->corners;
    *handle = (throng_handle){slot, me->generation};
    return true;
}

bool throng_bodies_add(throng_bodies *b, const throng_body_def *d, throng_handle *handle, throng_error *error)
{
    if (!body_check(d, error))
        return false;
    body shape = {.body = NULL};
    throng_point middle = body_make(&shape, d);
    double sine, cosine;
    body_turn_of(body_wrapped(d->angle), &sine, &cosine);
    cpVect at = cpv(d->x + cosine * middle.x - sine * middle.y, d->y + sine * middle.x + cosine * middle.y);
    if (!insert(b, &shape, at, d->angle, handle, error))
        return false;
    throng_bodies_send(b, *handle, d->vx, d->vy, d->spin);
    return true;
}

bool throng_bodies_copy(throng_bodies *b, const throng_bodies *from, throng_handle what, throng_error *error)
{
    throng_handle handle;
    const cpBody *was = body_of(from, what)->body;
    body shape = *body_of(from, what);
    shape.fx = shape.fy = 0;
    memset(shape.image, 0, sizeof shape.image);
    if (!insert(b, &shape, was->p, was->a, &handle, error))
        return false;
    throng_bodies_send(b, handle, was->v.x, was->v.y, was->w);
    return true;
}

bool throng_bodies_alive(const throng_bodies *b, throng_handle h)
{
    return b && h.slot >= 0 && h.slot < b->slots && b->list[h.slot].body && b->list[h.slot].generation == h.generation;
}

void throng_bodies_remove(throng_bodies *b, throng_handle handle)
{
    body *me = body_of(b, handle);
    body_seam_remove(b, me);
    body_leave(b, me->shape, me->body);
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
    *out = (throng_body){me->body->p.x, me->body->p.y, me->body->a, me->body->v.x, me->body->v.y, me->body->w,
                         me->mass,      me->friction,  me->radius,  me->fixed,     me->sheet};
}

static void weigh(const body *me, cpBody *of, cpShape *shape)
{
    if (!me->fixed) {
        cpBodySetMass(of, me->mass);
        cpBodySetMoment(of, body_moment(me));
    }
    cpShapeSetFriction(shape, me->friction);
}

void throng_bodies_weigh(throng_bodies *b, throng_handle handle, double mass, double friction)
{
    body *me = body_of(b, handle);
    me->mass = me->fixed ? me->mass : mass;
    me->friction = friction;
    weigh(me, me->body, me->shape);
    for (int n = 0; n < BODY_IMAGES; n++)
        if (me->image[n].body)
            weigh(me, me->image[n].body, me->image[n].shape);
}

double throng_bodies_area(const throng_bodies *b, throng_handle handle)
{
    const body *me = body_of(b, handle);
    return me->radius > 0 ? CP_PI * me->radius * me->radius : throng_ring_area(me->corner, me->corners);
}

void throng_bodies_put(throng_bodies *b, throng_handle handle, int32_t sheet, double x, double y, double angle)
{
    body *me = body_of(b, handle);
    me->sheet = sheet;
    body_place(me->body, cpv(x, y), angle);
    cpSpaceReindexShapesForBody(b->space, me->body);
}

void throng_bodies_send(throng_bodies *b, throng_handle handle, double vx, double vy, double spin)
{
    body *me = body_of(b, handle);
    double most = THRONG_BODY_FASTEST / me->reach;
    if (me->fixed)
        return;
    me->moved = true;
    me->body->v = body_within(cpv(vx, vy), THRONG_BODY_FASTEST);
    me->body->w = fmin(fmax(spin, -most), most);
}

void throng_bodies_push(throng_bodies *b, throng_handle handle, double fx, double fy)
{
    body *me = body_of(b, handle);
    me->fx += fx;
    me->fy += fy;
}

/* --- walls ------------------------------------------------------------------------------------- */

static cpVect vector(throng_point p) { return cpv(p.x, p.y); }

/* What meets it. */
static cpBitmask held_by(const throng_body_wall *wall) { return wall->passed ? BODY_BODY : BODY_BODY | BODY_AGENT; }

static bool is_wall(const cpShape *shape, const throng_body_wall *wall)
{
    return cpveql(cpSegmentShapeGetA(shape), vector(wall->from)) &&
           cpveql(cpSegmentShapeGetB(shape), vector(wall->to)) && cpShapeGetFilter(shape).mask == held_by(wall);
}

static bool has_walls(const throng_bodies *b, const throng_body_wall *walls, int32_t count)
{
    int32_t s = 0;
    while (s < count && count == b->wall_count && is_wall(b->walls[s], &walls[s]))
        s++;
    return count == b->wall_count && s == count;
}

bool throng_bodies_set_walls(throng_bodies *b, const throng_body_wall *walls, int32_t count, throng_error *error)
{
    if (has_walls(b, walls, count)) /* to take them out takes as many looks as they are times what touches */
        return true;
    cpShape **shapes = malloc(((size_t)count + 1) * sizeof *shapes);
    if (!shapes)
        return throng_fail(error, "out of memory for the %d walls that hold bodies", count);
    forget_walls(b);
    b->walls = shapes;
    for (int32_t s = 0; s < count; s++) {
        const throng_body_wall *w = &walls[s];
        cpShape *shape = cpSegmentShapeNew(cpSpaceGetStaticBody(b->space), vector(w->from), vector(w->to), 0);
        cpSegmentShapeSetNeighbors(shape, vector(w->before), vector(w->after));
        cpShapeSetFriction(shape, 0.4);
        cpShapeSetFilter(shape, cpShapeFilterNew(CP_NO_GROUP, BODY_WALL, held_by(w)));
        b->walls[b->wall_count++] = cpSpaceAddShape(b->space, shape);
    }
    return true;
}

/* --- plain answers ----------------------------------------------------------------------------- */

bool throng_bodies_cover(const throng_bodies *b, throng_point point, double reach)
{
    cpShapeFilter bodies = cpShapeFilterNew(CP_NO_GROUP, CP_ALL_CATEGORIES, BODY_BODY);
    int images = b->wrap.x > 0;
    for (int x = -images; x <= images; x++)
        for (int y = -images; y <= images; y++) {
            cpVect at = cpv(point.x + x * b->wrap.x, point.y + y * b->wrap.y);
            if (cpSpacePointQueryNearest(b->space, at, reach, bodies, NULL))
                return true;
        }
    return false;
}

bool throng_bodies_take_pressed(throng_bodies *b, int32_t slot)
{
    bool pressed = b->list[slot].pressed;
    b->list[slot].pressed = false;
    return pressed;
}

bool throng_bodies_take_moved(throng_bodies *b, int32_t slot)
{
    body *me = &b->list[slot];
    bool moved = me->body && (me->moved || me->body->v.x != 0 || me->body->v.y != 0 || me->body->w != 0);
    me->moved = false;
    return moved;
}

int32_t throng_bodies_slots(const throng_bodies *b) { return b->slots; }
int32_t throng_bodies_count(const throng_bodies *b) { return b->count; }
int32_t throng_bodies_sides(const throng_bodies *b) { return b->sides; }
int32_t throng_bodies_corners(const throng_bodies *b, int32_t slot) { return b->list[slot].corners; }
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

double throng_bodies_depth(const throng_bodies *b, int32_t slot, int32_t side) { return b->list[slot].depth[side]; }

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
