/* What is said of a body, checked; its corners, sizes and moment. */
#include <math.h>

#include "bodies_parts.h"

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

bool body_check(const throng_body_def *d, throng_error *error)
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
    body_turn_of(M_PI / THRONG_CIRCLE_SIDES, &sine, &out);
    b->corners = THRONG_CIRCLE_SIDES;
    for (int32_t i = 0; i < b->corners; i++) {
        body_turn_of(body_wrapped(2 * M_PI * i / THRONG_CIRCLE_SIDES), &sine, &cosine);
        b->corner[i] = (throng_point){radius / out * cosine, radius / out * sine};
    }
}

/* m: from the line of side s to the inside. */
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
        b->depth[i] = 0;
        for (int32_t k = 0; k < b->corners; k++)
            b->depth[i] = fmax(b->depth[i], behind(b, i, b->corner[k]));
    }
}

double body_moment(const body *b)
{
    cpVect points[THRONG_BODY_CORNERS];
    if (b->fixed)
        return INFINITY;
    if (b->radius > 0)
        return cpMomentForCircle(b->mass, 0, b->radius, cpvzero);
    for (int32_t i = 0; i < b->corners; i++)
        points[i] = cpv(b->corner[i].x, b->corner[i].y);
    return cpMomentForPoly(b->mass, b->corners, points, cpvzero, 0);
}

cpShape *body_shape(const body *b, cpBody *of, cpBitmask kind, cpBitmask meets)
{
    cpVect points[THRONG_BODY_CORNERS];
    for (int32_t i = 0; i < b->corners; i++)
        points[i] = cpv(b->corner[i].x, b->corner[i].y);
    cpShape *shape =
        b->radius > 0 ? cpCircleShapeNew(of, b->radius, cpvzero) : cpPolyShapeNewRaw(of, b->corners, points, 0);
    cpShapeSetFriction(shape, b->friction);
    cpShapeSetFilter(shape, cpShapeFilterNew(CP_NO_GROUP, kind, meets));
    cpShapeSetCollisionType(shape, kind);
    return shape;
}

static cpBB bring(cpShape *shape, cpTransform to)
{
    body *me = shape->body->userData;
    cpBB box = me->placed ? me->bring(shape, to) : shape->bb;
    me->placed = false;
    return box;
}

void body_shape_stays(throng_bodies *b, body *me)
{
    if (me->radius > 0)
        return;
    me->bring = me->shape->klass->cacheData;
    b->polygon = *me->shape->klass;
    b->polygon.cacheData = bring;
    me->shape->klass = &b->polygon;
}

void body_leave(throng_bodies *b, cpShape *shape, cpBody *its)
{
    if (!b->space)
        return;
    cpSpaceRemoveShape(b->space, shape);
    if (its)
        cpSpaceRemoveBody(b->space, its);
}

throng_point body_make(body *b, const throng_body_def *d)
{
    throng_point middle = {0, 0};
    b->radius = d->count ? 0 : d->radius;
    b->mass = d->fixed ? INFINITY : d->mass;
    b->friction = d->friction;
    b->fixed = d->fixed;
    b->sheet = d->sheet;
    if (d->count)
        middle = centre_corners(b, d);
    else
        circle_corners(b, d->radius);
    measure(b);
    b->gyration = sqrt(body_moment(b) / b->mass);
    return middle;
}
