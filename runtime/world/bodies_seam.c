/* Bodies in a world that wraps: who is near the seam has images beyond it, which meet what is there.
 *
 * Body and images are one: after every step of the physics each has what all of them felt. So that nothing is felt
 * twice, of two bodies that meet across the seam only the image of the one with the lower slot meets the other, and
 * walls, which have images of their own, meet no image. What squeezes a body from both sides of the seam is balanced
 * from step to step, not within one. */
#include "bodies_parts.h"

#define MARGIN 2.0 /* m: the radius of agents, and how far they and bodies come in a frame, at most */

static bool wraps(const throng_bodies *b) { return b->wrap.x > 0; }

static cpBool image_meets(cpArbiter *arbiter, cpSpace *space, cpDataPointer data)
{
    (void)space, (void)data;
    CP_ARBITER_GET_BODIES(arbiter, original, image);
    return (const body *)cpBodyGetUserData(image) < (const body *)cpBodyGetUserData(original);
}

void body_seam_init(throng_bodies *b)
{
    if (wraps(b))
        cpSpaceAddCollisionHandler(b->space, BODY_BODY, BODY_IMAGE)->beginFunc = image_meets;
}

/* Where an image is: across in x, in y or in both, by the nearer way. */
static cpVect image_at(const throng_bodies *b, const body *me, int number)
{
    cpVect at = me->body->p;
    if (number != 1)
        at.x += at.x < 0.5 * b->wrap.x ? b->wrap.x : -b->wrap.x;
    if (number != 0)
        at.y += at.y < 0.5 * b->wrap.y ? b->wrap.y : -b->wrap.y;
    return at;
}

void body_seam_add(throng_bodies *b, body *me)
{
    b->largest = me->reach > b->largest ? me->reach : b->largest;
    for (int n = 0; wraps(b) && n < BODY_IMAGES; n++) {
        body_image *image = &me->image[n];
        image->body = me->fixed ? cpBodyNewStatic() : cpBodyNew(me->mass, body_moment(me));
        image->shape = body_shape(me, image->body, BODY_IMAGE, BODY_BODY | BODY_AGENT);
        cpBodySetVelocityUpdateFunc(image->body, body_slide);
        cpBodySetPositionUpdateFunc(image->body, body_carry_image);
        cpBodySetUserData(image->body, me);
    }
}

static void leave(throng_bodies *b, body_image *image)
{
    body_leave(b, image->shape, image->body);
    image->present = false;
}

void body_seam_remove(throng_bodies *b, body *me)
{
    for (int n = 0; n < BODY_IMAGES; n++) {
        body_image *image = &me->image[n];
        if (image->present)
            leave(b, image);
        if (image->body) {
            cpShapeFree(image->shape);
            cpBodyFree(image->body);
        }
    }
}

static void follow(const throng_bodies *b, const body *me, int number)
{
    cpBody *image = me->image[number].body;
    body_place(image, image_at(b, me, number), me->body->a);
    image->v = me->body->v;
    image->w = me->body->w;
    image->v_bias = me->body->v_bias;
    image->w_bias = me->body->w_bias;
}

/* Can something be there that is in the world, or reaches into it? */
static bool matters(const throng_bodies *b, const body *me, cpVect at)
{
    double far = me->reach + b->largest + MARGIN + 2 * THRONG_BODY_FASTEST * b->dt;
    return at.x > -far && at.x < b->wrap.x + far && at.y > -far && at.y < b->wrap.y + far;
}

static void begin_image(throng_bodies *b, body *me, int number)
{
    body_image *image = &me->image[number];
    bool wanted = matters(b, me, image_at(b, me, number));
    if (image->present && !wanted)
        leave(b, image);
    if (!wanted)
        return;
    follow(b, me, number);
    if (!image->present) {
        cpSpaceAddBody(b->space, image->body);
        cpSpaceAddShape(b->space, image->shape);
        image->present = true;
    }
    cpSpaceReindexShapesForBody(b->space, image->body);
}

void body_seam_begin(throng_bodies *b)
{
    for (int32_t i = 0; wraps(b) && i < b->slots; i++)
        for (int n = 0; b->list[i].body && n < BODY_IMAGES; n++)
            begin_image(b, &b->list[i], n);
}

static void share(const throng_bodies *b, body *me)
{
    cpBody *all = me->body;
    for (int n = 0; n < BODY_IMAGES; n++) {
        const cpBody *image = me->image[n].body;
        if (!me->image[n].present)
            continue;
        all->v = cpvadd(all->v, cpvsub(image->v, me->free_v));
        all->w += image->w - me->free_w;
        all->v_bias = cpvadd(all->v_bias, image->v_bias);
        all->w_bias += image->w_bias;
    }
    for (int n = 0; n < BODY_IMAGES; n++)
        if (me->image[n].present)
            follow(b, me, n);
}

void body_seam_share(throng_bodies *b)
{
    for (int32_t i = 0; wraps(b) && i < b->slots; i++)
        if (b->list[i].body && !b->list[i].fixed)
            share(b, &b->list[i]);
}

static double across(double x, double size) { return x < 0 ? x + size : x >= size ? x - size : x; }

void body_seam_end(throng_bodies *b)
{
    for (int32_t i = 0; wraps(b) && i < b->slots; i++) {
        cpBody *body = b->list[i].body;
        if (!body || b->list[i].fixed)
            continue;
        cpVect in = cpv(across(body->p.x, b->wrap.x), across(body->p.y, b->wrap.y));
        if (!cpveql(in, body->p)) {
            body_place(body, in, body->a);
            cpSpaceReindexShapesForBody(b->space, body);
        }
    }
}

/* --- plain answers ----------------------------------------------------------------------------- */

int32_t throng_bodies_images(const throng_bodies *b) { return wraps(b) ? BODY_IMAGES : 0; }

throng_point throng_bodies_image(const throng_bodies *b, int32_t slot, int32_t number)
{
    const body *me = &b->list[slot];
    cpVect at = image_at(b, me, number);
    return (throng_point){at.x - me->body->p.x, at.y - me->body->p.y};
}
