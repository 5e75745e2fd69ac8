#include "body_outlines.h"

#include <math.h>
#include <stdlib.h>

#include "base/array.h"

void throng_body_outlines_fini(throng_body_outlines *outlines)
{
    free(outlines->start);
    free(outlines->points);
    *outlines = (throng_body_outlines){0};
}

void throng_body_outlines_clear(throng_body_outlines *outlines) { outlines->count = 0; }

static throng_point turned(throng_point p, double x, double y, double sine, double cosine)
{
    return (throng_point){x + cosine * p.x - sine * p.y, y + sine * p.x + cosine * p.y};
}

throng_body_form throng_body_form_of(const throng_bodies *bodies, throng_handle handle)
{
    throng_body body;
    throng_body_form shape = {0};
    throng_bodies_get(bodies, handle, &body);
    shape.radius = body.radius;
    if (body.radius > 0)
        return shape;
    shape.count = throng_bodies_outline(bodies, handle.slot, shape.corner);
    double sine = sin(-body.angle), cosine = cos(body.angle);
    for (int32_t i = 0; i < shape.count; i++) {
        throng_point from = {shape.corner[i].x - body.x, shape.corner[i].y - body.y};
        shape.corner[i] = turned(from, 0, 0, sine, cosine);
    }
    return shape;
}

bool throng_body_outlines_add(throng_body_outlines *o, const throng_body_form *shape, double x, double y, double angle,
                              throng_error *error)
{
    int32_t at = o->count ? o->start[o->count] : 0, count = shape->radius > 0 ? THRONG_BODY_CORNERS : shape->count;
    double sine = sin(angle), cosine = cos(angle);
    if (!throng_array_reserve((void **)&o->start, &o->room, (int64_t)o->count + 2, sizeof *o->start) ||
        !throng_array_reserve((void **)&o->points, &o->point_room, (int64_t)at + count, sizeof *o->points))
        return throng_fail(error, "out of memory for the outlines of %d bodies", o->count + 1);
    for (int32_t i = 0; i < count; i++) {
        double a = 2 * M_PI * i / THRONG_BODY_CORNERS;
        throng_point corner =
            shape->radius > 0 ? (throng_point){shape->radius * cos(a), shape->radius * sin(a)} : shape->corner[i];
        o->points[at + i] = turned(corner, x, y, sine, cosine);
    }
    o->start[o->count++] = at;
    o->start[o->count] = at + count;
    return true;
}

bool throng_body_outlines_take(throng_body_outlines *outlines, const throng_world *world, throng_error *error)
{
    const throng_bodies *bodies = throng_world_bodies(world);
    throng_body_outlines_clear(outlines);
    for (int32_t slot = 0; bodies && slot < throng_bodies_slots(bodies); slot++) {
        throng_handle handle = throng_bodies_handle(bodies, slot);
        throng_body body;
        if (!throng_bodies_alive(bodies, handle))
            continue;
        throng_body_form shape = throng_body_form_of(bodies, handle);
        throng_bodies_get(bodies, handle, &body);
        if (!throng_body_outlines_add(outlines, &shape, body.x, body.y, body.angle, error))
            return false;
    }
    return true;
}

void throng_body_outlines_show(const throng_body_outlines *outlines, throng_plan_picture *plan)
{
    plan->body_count = outlines->count;
    plan->body_start = outlines->start;
    plan->body_points = outlines->points;
}
