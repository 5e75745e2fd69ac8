#include "edit_parts.h"

#include <stdarg.h>
#include <stdio.h>

bool throng_edit_refuse(throng_edit_refusal *why, throng_point at, int32_t slot, const char *format, ...)
{
    if (!why)
        return false;
    va_list args;
    va_start(args, format);
    vsnprintf(why->text, sizeof why->text, format, args);
    va_end(args);
    why->at = at;
    why->slot = slot;
    return false;
}

/* How far q lies on the left of the line a -> b, m. */
static double left_of(throng_point a, throng_point b, throng_point q)
{
    return throng_turn(a, b, q) / throng_distance(a, b);
}

static bool far_apart(const throng_point *p, int32_t n, throng_edit_refusal *why)
{
    for (int32_t i = 0; i < n; i++)
        for (int32_t j = 0; j < i; j++)
            if (throng_distance(p[i], p[j]) < THRONG_EDIT_LEAST)
                return throng_edit_refuse(why, p[i], -1, "two of its corners lie on one another");
    return true;
}

/* The outline turns left, or goes straight on, in every corner. */
static bool turns_left(const throng_point *p, int32_t n, throng_edit_refusal *why)
{
    for (int32_t i = 0; i < n; i++) {
        throng_point a = p[(i + n - 1) % n], b = p[i], c = p[(i + 1) % n];
        double ahead = (b.x - a.x) * (c.x - b.x) + (b.y - a.y) * (c.y - b.y);
        if (left_of(a, b, c) < -THRONG_EDIT_SLACK)
            return throng_edit_refuse(why, b, -1, "it is not convex: the corner that is marked points inwards");
        if (left_of(a, b, c) <= THRONG_EDIT_SLACK && ahead < 0)
            return throng_edit_refuse(why, b, -1, "it runs back along itself in the corner that is marked");
    }
    return true;
}

/* Every corner on the left of every side, and some well away from it. */
static bool goes_round_once(const throng_point *p, int32_t n, throng_edit_refusal *why)
{
    for (int32_t i = 0; i < n; i++) {
        double width = 0;
        for (int32_t j = 0; j < n; j++) {
            double left = left_of(p[i], p[(i + 1) % n], p[j]);
            width = fmax(width, left);
            if (left < -THRONG_EDIT_SLACK)
                return throng_edit_refuse(why, p[j], -1, "it crosses itself: give its corners in order, once round");
        }
        if (width < THRONG_EDIT_LEAST)
            return throng_edit_refuse(why, p[i], -1, "it is too thin");
    }
    return true;
}

bool throng_edit_convex(const throng_point *points, int32_t count, throng_edit_refusal *why)
{
    throng_error error;
    if (count < 3)
        return throng_edit_refuse(why, (throng_point){NAN, NAN}, -1, "a face has three corners or more");
    if (!throng_geos_check_points("the face", points, count, &error))
        return throng_edit_refuse(why, (throng_point){NAN, NAN}, -1, "%.230s", error.text);
    if (throng_points_on_line(points, count))
        return throng_edit_refuse(why, points[0], -1, "it has no area: its corners lie on one line");
    return far_apart(points, count, why) && turns_left(points, count, why) && goes_round_once(points, count, why);
}

static bool parts(const throng_edit_thing *a, const throng_edit_thing *b)
{
    for (int32_t i = 0; i < a->count; i++) {
        double most = -INFINITY;
        for (int32_t j = 0; j < b->count; j++)
            most = fmax(most, left_of(a->points[i], a->points[(i + 1) % a->count], b->points[j]));
        if (most <= THRONG_EDIT_SLACK)
            return true;
    }
    return false;
}

bool throng_edit_overlap(const throng_edit_thing *a, const throng_edit_thing *b)
{
    const throng_bounds *p = &a->bounds, *q = &b->bounds;
    if (p->x1 <= q->x0 || q->x1 <= p->x0 || p->y1 <= q->y0 || q->y1 <= p->y0)
        return false;
    return !parts(a, b) && !parts(b, a);
}
