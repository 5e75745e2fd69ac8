/* ORCA: optimal reciprocal collision avoidance (van den Berg, Guy, Lin,
 * Manocha, "Reciprocal n-body collision avoidance", 2011), with the semantics
 * of the RVO2 library: half-planes of permitted velocities from walls, then
 * from the nearest neighbours; the velocity nearest to the preferred one in all
 * of them (2-d linear program, incremental); where there is none, walls stay
 * hard and the worst violation of the others is made least (3-d linear
 * program).
 *
 * A line permits the velocities on its left. A line with direction (0, 0)
 * permits everything and stands for "no line": every test below finds it
 * satisfied. */

/*--- throng.orca(settings)
 * Optimal reciprocal collision avoidance (van den Berg and others, 2011). `horizon` is for those who come along;
 * people, who have a time gap, look a third of it ahead at all others.
 * @example
 * local guests = world:spawn { count = 60, where = "hall", planner = throng.orca { horizon = 3 } } */

#ifndef THRONG_ORCA_H
#define THRONG_ORCA_H

#include "kernels/sense/walls.h"
#include "yield.h"

#define ORCA_EPSILON 0.00001f

enum { ORCA_LINES_MAX = THRONG_WALLS_MAX + THRONG_NEIGHBOURS_MAX };

typedef struct LANE_ALIGNED(4) orca_line {
    lane_f px, py, dx, dy; /* point, unit direction */
} orca_line;

/* On CUDA in memory of the caller's: line i of a thread at i * stride. */
typedef struct orca_lines {
#if defined(__CUDACC__)
    orca_line *line;
    int stride;
#else
    lane_f px[ORCA_LINES_MAX], py[ORCA_LINES_MAX], dx[ORCA_LINES_MAX], dy[ORCA_LINES_MAX];
#endif
} orca_lines;

LANE_FN orca_line orca_line_of(const orca_lines *l, int i)
{
#if defined(__CUDACC__)
    return l->line[i * l->stride];
#else
    orca_line o = {l->px[i], l->py[i], l->dx[i], l->dy[i]};
    return o;
#endif
}

LANE_FN void orca_keep_line(orca_lines *l, int i, orca_line o)
{
#if defined(__CUDACC__)
    l->line[i * l->stride] = o;
#else
    l->px[i] = o.px;
    l->py[i] = o.py;
    l->dx[i] = o.dx;
    l->dy[i] = o.dy;
#endif
}

/* No line. */
LANE_FN orca_line orca_no_line(void)
{
    orca_line o = {lane_set(0), lane_set(0), lane_set(0), lane_set(0)};
    return o;
}

/* --- linear programs ------------------------------------------------------ */

/* The part of a line that is permitted: from `left` to `right` of its point. Not `ok`: none is. */
typedef struct orca_span {
    lane_f left, right;
    lane_m ok;
} orca_span;

/* What of line `o` is in the disc of `radius`. */
LANE_FN orca_span orca_span_of(orca_line o, lane_f radius)
{
    lane_f along = lane_dot(o.px, o.py, o.dx, o.dy);
    lane_f discriminant = along * along + radius * radius - lane_dot(o.px, o.py, o.px, o.py);
    lane_f half = lane_sqrt(lane_max(discriminant, lane_set(0)));
    orca_span span = {-along - half, -along + half, discriminant >= 0};
    return span;
}

/* Leaves what `other` permits of it. */
LANE_FN void orca_cut(orca_line o, orca_line other, orca_span *span)
{
    lane_f denominator = lane_det(o.dx, o.dy, other.dx, other.dy);
    lane_f numerator = lane_det(other.dx, other.dy, o.px - other.px, o.py - other.py);
    lane_m parallel = lane_abs(denominator) <= ORCA_EPSILON;
    span->ok = span->ok & lane_not(parallel & (numerator < 0));
    lane_f t = numerator / denominator;
    lane_m bounds_right = denominator >= 0;
    span->right = lane_select(lane_not(parallel) & bounds_right & (t < span->right), t, span->right);
    span->left = lane_select(lane_not(parallel | bounds_right) & (span->left < t), t, span->left);
}

/* The optimum on line `o` within `span`; false where there is none.
 * `direction`: (vx, vy) is a direction to go far in, else a velocity to be near to. */
LANE_FN lane_m orca_best(orca_line o, const orca_span *span, lane_f vx, lane_f vy, bool direction, lane_f *rx,
                         lane_f *ry)
{
    lane_f t;
    if (direction)
        t = lane_select(lane_dot(vx, vy, o.dx, o.dy) > 0, span->right, span->left);
    else
        t = lane_dot(o.dx, o.dy, vx - o.px, vy - o.py);
    t = lane_select(t < span->left, span->left, lane_select(t > span->right, span->right, t));
    *rx = o.px + t * o.dx;
    *ry = o.py + t * o.dy;
    return span->ok & lane_not(span->left > span->right);
}

/* Optimum on line i within the disc of `radius` and the lines before i. */
LANE_FN lane_m orca_program1(const orca_lines *l, int i, lane_f radius, lane_f vx, lane_f vy, bool direction,
                             lane_f *rx, lane_f *ry)
{
    orca_line o = orca_line_of(l, i);
    orca_span span = orca_span_of(o, radius);
    for (int j = 0; j < i; j++)
        orca_cut(o, orca_line_of(l, j), &span);
    return orca_best(o, &span, vx, vy, direction, rx, ry);
}

/* The optimum over `count` lines. `failed` receives the first line that no
 * velocity satisfies, or `count`; the result is then the optimum of those before. */
LANE_FN lane_i orca_program2(const orca_lines *l, int count, lane_f radius, lane_f vx, lane_f vy, bool direction,
                             lane_m lanes, lane_f *rx, lane_f *ry)
{
    lane_f x = vx, y = vy;
    if (direction) {
        x = vx * radius;
        y = vy * radius;
    } else {
        lane_f length = lane_dot(vx, vy, vx, vy);
        lane_m outside = length > radius * radius;
        lane_f scale = 1.0f / lane_sqrt(length);
        x = lane_select(outside, vx * scale * radius, vx);
        y = lane_select(outside, vy * scale * radius, vy);
    }
    lane_i failed = lane_set_i(count);
    for (int i = 0;; i++) {
        lane_m violated = lane_none();
        /* By a loop of its own: the threads of a warp meet after it, each at the next line that it violates. */
        for (; i < count; i++) {
            orca_line o = orca_line_of(l, i);
            violated = lanes & (lane_det(o.dx, o.dy, o.px - x, o.py - y) > 0);
            if (lane_any(violated))
                break;
        }
        if (i == count)
            break;
        lane_f nx, ny;
        lane_m ok = orca_program1(l, i, radius, vx, vy, direction, &nx, &ny);
        x = lane_select(violated & ok, nx, x);
        y = lane_select(violated & ok, ny, y);
        failed = lane_select_i(violated & lane_not(ok), lane_set_i(i), failed);
        lanes = lanes & lane_not(violated & lane_not(ok));
    }
    *rx = x;
    *ry = y;
    return failed;
}

/* The line on which violating line `o` weighs as much as violating line `other`. */
LANE_FN orca_line orca_bisector(orca_line o, orca_line other)
{
    lane_f determinant = lane_det(o.dx, o.dy, other.dx, other.dy);
    lane_m parallel = lane_abs(determinant) <= ORCA_EPSILON;
    lane_m none = (parallel & (lane_dot(o.dx, o.dy, other.dx, other.dy) > 0)) | ((other.dx == 0) & (other.dy == 0));
    lane_f t = lane_det(other.dx, other.dy, o.px - other.px, o.py - other.py) / determinant;
    lane_f px = lane_select(parallel, 0.5f * (o.px + other.px), o.px + t * o.dx);
    lane_f py = lane_select(parallel, 0.5f * (o.py + other.py), o.py + t * o.dy);
    lane_f ex = other.dx - o.dx, ey = other.dy - o.dy;
    lane_f scale = 1.0f / lane_sqrt(lane_dot(ex, ey, ex, ey)), zero = lane_set(0);
    orca_line between = {lane_select(none, zero, px), lane_select(none, zero, py), lane_select(none, zero, ex * scale),
                         lane_select(none, zero, ey * scale)};
    return between;
}

/* Does velocity (x, y) violate line `o` by more than `distance`, which may be below 0, by rounding? */
LANE_FN lane_m orca_violates(orca_line o, lane_f x, lane_f y, lane_f distance)
{
    return ((o.dx != 0) | (o.dy != 0)) & (lane_det(o.dx, o.dy, o.px - x, o.py - y) > distance);
}

/* For the lanes whose program failed on line `failed`: makes the worst violation
 * of lines `walls` .. `count` least, from the result so far. */
LANE_FN void orca_program3(const orca_lines *l, int walls, int count, lane_i failed, lane_f radius, lane_m lanes,
                           lane_f *rx, lane_f *ry)
{
    orca_lines projected;
#if defined(__CUDACC__)
    orca_line room[ORCA_LINES_MAX];
    projected.line = room;
    projected.stride = 1;
#endif
    for (int j = 0; j < walls; j++)
        orca_keep_line(&projected, j, orca_line_of(l, j));
    lane_f distance = lane_set(0);
    for (int i = 0;; i++) {
        lane_m violated = lane_none();
        for (; i < count; i++) {
            violated = lanes & (failed <= i) & orca_violates(orca_line_of(l, i), *rx, *ry, distance);
            if (lane_any(violated))
                break;
        }
        if (i == count)
            return;
        orca_line o = orca_line_of(l, i);
        for (int j = walls; j < i; j++)
            orca_keep_line(&projected, j, orca_bisector(o, orca_line_of(l, j)));
        int used = i > walls ? i : walls;
        lane_f x, y;
        lane_i bad = orca_program2(&projected, used, radius, -o.dy, o.dx, true, violated, &x, &y);
        lane_m better = violated & (bad >= used);
        *rx = lane_select(better, x, *rx);
        *ry = lane_select(better, y, *ry);
        distance = lane_select(violated, lane_det(o.dx, o.dy, o.px - *rx, o.py - *ry), distance);
    }
}

/* --- lines from neighbours ------------------------------------------------ */

typedef struct orca_self {
    lane_f x, y, vx, vy, radius;
} orca_self;

/* How far ahead an agent looks, as one over s: at those who come along, at the others, and at those it touches. */
typedef struct orca_ahead {
    lane_f x, y, least; /* where it wants to go, m/s; what the square of its product with theirs is at least */
    lane_f along, across, touching;
} orca_ahead;

#define ORCA_ALONG  0.25f /* the square of the cosine of how far a way may turn from another's that comes along */
#define ORCA_ACROSS 3.0f  /* the horizon, of that for others */

/* Of agents in slots `slot`, who want to go (x, y). People look farther ahead at those who come along: to pass them
 * takes long, and all others turn off or make way in their turn. Where two crowds meet in a T-junction and all of them
 * turn, those who looked as far at the ones who came towards them stopped for each other from afar: 1.2 persons/s from
 * each side walked .77 m/s there, and walk 1.23 (people: 1.26). Who has no time gap does as the paper says. */
LANE_FN orca_ahead orca_look_ahead(const crowd *c, lane_i slot, lane_f x, lane_f y)
{
    lane_f along = 1.0f / crowd_horizon(c, slot);
    orca_ahead ahead = {x,
                        y,
                        ORCA_ALONG * lane_dot(x, y, x, y),
                        along,
                        lane_select(crowd_time_gap(c, slot) > 0, ORCA_ACROSS * along, along),
                        lane_set(1.0f / c->frame.dt)};
    return ahead;
}

/* One over the horizon for those who go (x, y). */
LANE_FN lane_f orca_inverse_horizon(const orca_ahead *ahead, lane_f x, lane_f y)
{
    lane_f along = lane_dot(ahead->x, ahead->y, x, y);
    lane_m comes = (along > 0) & (along * along > ahead->least * lane_dot(x, y, x, y));
    return lane_select(comes, ahead->along, ahead->across);
}

/* Equation 5 of the paper: the half-plane that takes half of the least change u
 * out of the velocity obstacle of the neighbour. */
LANE_FN void orca_neighbour_line(const crowd *c, const orca_self *me, lane_i slot, lane_i other,
                                 const orca_ahead *ahead, lane_f *px, lane_f *py, lane_f *dx, lane_f *dy)
{
    lane_f rx = lane_gather(c->sx, other) - me->x, ry = lane_gather(c->sy, other) - me->y;
    crowd_nearest_image(c, &rx, &ry);
    lane_f theirs_x = lane_gather(c->svx, other), theirs_y = lane_gather(c->svy, other);
    lane_f vx = me->vx - theirs_x, vy = me->vy - theirs_y;
    lane_f r = me->radius + lane_gather(c->sr, other);
    lane_f distance = lane_dot(rx, ry, rx, ry);
    lane_m apart = distance > r * r;
    lane_f inverse = lane_select(apart, orca_inverse_horizon(ahead, theirs_x, theirs_y), ahead->touching);
    lane_f wx = vx - inverse * rx, wy = vy - inverse * ry; /* from the cut-off centre */
    lane_f w = lane_dot(wx, wy, wx, wy);
    lane_f along = lane_dot(wx, wy, rx, ry);
    lane_m cut_off = lane_not(apart) | ((along < 0) & (along * along > r * r * w));

    /* cut-off circle; two agents in one place with one velocity part by slot */
    lane_f length = lane_sqrt(w);
    lane_f one_over = 1.0f / length;
    lane_f ux = wx * one_over, uy = wy * one_over;
    lane_m together = lane_not(length > 0);
    if (lane_any(together)) {
        lane_f side = lane_select(slot < lane_gather_i(c->slot, other), lane_set(1), lane_set(-1));
        ux = lane_select(together, side, ux);
        uy = lane_select(together, lane_set(0), uy);
    }
    lane_f change = r * inverse - length;

    /* legs */
    lane_f leg = lane_sqrt(lane_max(distance - r * r, lane_set(0)));
    lane_f over = 1.0f / distance;
    lane_m left = lane_det(rx, ry, wx, wy) > 0;
    lane_f lx = lane_select(left, (rx * leg - ry * r) * over, -((rx * leg + ry * r) * over));
    lane_f ly = lane_select(left, (rx * r + ry * leg) * over, -((-rx * r + ry * leg) * over));
    lane_f on = lane_dot(vx, vy, lx, ly);

    *dx = lane_select(cut_off, uy, lx);
    *dy = lane_select(cut_off, -ux, ly);
    *px = me->vx + 0.5f * lane_select(cut_off, change * ux, on * lx - vx);
    *py = me->vy + 0.5f * lane_select(cut_off, change * uy, on * ly - vy);
}

/* --- lines from walls ------------------------------------------------------ */

/* One end of the wall as the agent sees it. */
typedef struct orca_corner {
    lane_f x, y;   /* from the agent, m */
    lane_f dx, dy; /* direction of the segment that starts here */
    lane_m convex;
} orca_corner;

LANE_FN orca_corner orca_corner_select(lane_m m, orca_corner a, orca_corner b)
{
    lane_m convex = (m & a.convex) | (lane_not(m) & b.convex);
    orca_corner o = {lane_select(m, a.x, b.x), lane_select(m, a.y, b.y), lane_select(m, a.dx, b.dx),
                     lane_select(m, a.dy, b.dy), convex};
    return o;
}

/* Are both ends, of a wall that moves with (vx, vy), beyond a line that is there already? */
LANE_FN lane_m orca_wall_covered(const orca_lines *l, int lines, orca_corner a, orca_corner b, lane_f inverse,
                                 lane_f radius, lane_f vx, lane_f vy)
{
    lane_m covered = lane_none();
    for (int j = 0; j < lines; j++) {
        orca_line o = orca_line_of(l, j);
        lane_m line = (o.dx != 0) | (o.dy != 0);
        lane_f px = o.px - vx, py = o.py - vy;
        lane_f da = lane_det(inverse * a.x - px, inverse * a.y - py, o.dx, o.dy);
        lane_f db = lane_det(inverse * b.x - px, inverse * b.y - py, o.dx, o.dy);
        covered =
            covered | (line & (da - inverse * radius >= -ORCA_EPSILON) & (db - inverse * radius >= -ORCA_EPSILON));
    }
    return covered;
}

/* Sets line s where `m`. */
LANE_FN void orca_set_line(orca_lines *l, int s, lane_m m, lane_f px, lane_f py, lane_f dx, lane_f dy)
{
    orca_line old = orca_line_of(l, s), o = {lane_select(m, px, old.px), lane_select(m, py, old.py),
                                             lane_select(m, dx, old.dx), lane_select(m, dy, old.dy)};
    orca_keep_line(l, s, o);
}

/* A line along the tangent at the agent's velocity, through the origin: the wall is touched. */
LANE_FN void orca_touch_line(orca_lines *l, int s, lane_m m, lane_f x, lane_f y)
{
    lane_f scale = 1.0f / lane_sqrt(lane_dot(x, y, x, y));
    orca_set_line(l, s, m, lane_set(0), lane_set(0), -y * scale, x * scale);
}

/* A line on the circle of radius / horizon around `centre`, where the velocity is nearest to it. */
LANE_FN void orca_circle_line(orca_lines *l, int s, lane_m m, const orca_self *me, lane_f cx, lane_f cy, lane_f radius)
{
    lane_f wx = me->vx - cx, wy = me->vy - cy;
    lane_f scale = 1.0f / lane_sqrt(lane_dot(wx, wy, wx, wy));
    lane_f ux = wx * scale, uy = wy * scale;
    orca_set_line(l, s, m, cx + radius * ux, cy + radius * uy, uy, -ux);
}

/* A line in the given direction at `radius` to the left of `centre`. */
LANE_FN void orca_leg_line(orca_lines *l, int s, lane_m m, lane_f cx, lane_f cy, lane_f radius, lane_f dx, lane_f dy)
{
    orca_set_line(l, s, m, cx + radius * -dy, cy + radius * dx, dx, dy);
}

/* A wall a -> b as the agent sees it. */
typedef struct orca_wall {
    orca_corner a, b;
    lane_f before_x, before_y; /* direction of the wall that ends at a */
    lane_f aa, bb;             /* m^2: how far the ends are, squared */
    lane_f on;                 /* where its line is nearest: 0 at a .. 1 at b */
    lane_m near;               /* its line is within the agent's radius */
} orca_wall;

LANE_FN orca_wall orca_see_wall(const throng_walls *w, const orca_self *me, lane_i segment)
{
    lane_i next = lane_gather_i(w->next, segment), previous = lane_gather_i(w->previous, segment);
    orca_wall o;
    o.a =
        (orca_corner){lane_gather(w->ax, segment) - me->x, lane_gather(w->ay, segment) - me->y,
                      lane_gather(w->dx, segment), lane_gather(w->dy, segment), lane_gather_i(w->convex, segment) != 0};
    o.b = (orca_corner){lane_gather(w->bx, segment) - me->x, lane_gather(w->by, segment) - me->y,
                        lane_gather(w->dx, next), lane_gather(w->dy, next), lane_gather_i(w->convex, next) != 0};
    o.before_x = lane_gather(w->dx, previous);
    o.before_y = lane_gather(w->dy, previous);
    o.aa = lane_dot(o.a.x, o.a.y, o.a.x, o.a.y);
    o.bb = lane_dot(o.b.x, o.b.y, o.b.x, o.b.y);
    lane_f ex = o.b.x - o.a.x, ey = o.b.y - o.a.y;
    o.on = lane_dot(-o.a.x, -o.a.y, ex, ey) / lane_dot(ex, ey, ex, ey);
    lane_f qx = -o.a.x - o.on * ex, qy = -o.a.y - o.on * ey;
    o.near = lane_dot(qx, qy, qx, qy) <= me->radius * me->radius;
    return o;
}

/* Sets line s of those in `lanes` who touch the wall: at its left corner, its right corner or between. Returns them. */
LANE_FN lane_m orca_wall_touched(const orca_wall *w, lane_f radius, lane_m lanes, int s, orca_lines *l)
{
    lane_f rr = radius * radius;
    lane_m touch_a = lanes & (w->on < 0) & (w->aa <= rr);
    orca_touch_line(l, s, touch_a & w->a.convex, w->a.x, w->a.y);
    lane_m touch_b = lanes & (w->on > 1) & (w->bb <= rr);
    lane_m last = lane_det(w->b.x, w->b.y, w->b.dx, w->b.dy) >= 0;
    orca_touch_line(l, s, touch_b & w->b.convex & last, w->b.x, w->b.y);
    lane_m touch = lanes & (w->on >= 0) & (w->on <= 1) & w->near;
    orca_set_line(l, s, touch, lane_set(0), lane_set(0), -w->a.dx, -w->a.dy);
    return touch_a | touch_b | touch;
}

/* The cone of the velocities that lead into a wall: its corners, and the legs along its sides. */
typedef struct orca_cone {
    orca_corner left, right;
    lane_m one;                  /* the wall is seen obliquely: one corner makes both legs */
    lane_f lx, ly, mx, my;       /* the left leg's direction, the right leg's */
    lane_m foreign_l, foreign_r; /* it points into the neighbouring wall, whose business it is */
} orca_cone;

/* At a corner that is not convex the leg prolongs the wall. */
LANE_FN orca_cone orca_wall_cone(const orca_wall *w, lane_f radius, lane_m only_a, lane_m only_b)
{
    orca_cone o = {.left = orca_corner_select(only_b, w->b, w->a), .right = orca_corner_select(only_a, w->a, w->b)};
    orca_corner left = o.left, right = o.right;
    lane_f rr = radius * radius;
    lane_f ll = lane_select(only_b, w->bb, w->aa), rl = lane_select(only_a, w->aa, w->bb);
    lane_f left_leg = lane_sqrt(lane_max(ll - rr, lane_set(0))), right_leg = lane_sqrt(lane_max(rl - rr, lane_set(0)));
    lane_f over_l = 1.0f / ll, over_r = 1.0f / rl;
    o.one = only_a | only_b;
    o.lx = lane_select(left.convex, (left.x * left_leg - left.y * radius) * over_l, -w->a.dx);
    o.ly = lane_select(left.convex, (left.x * radius + left.y * left_leg) * over_l, -w->a.dy);
    o.mx = lane_select(right.convex, (right.x * right_leg + right.y * radius) * over_r, w->a.dx);
    o.my = lane_select(right.convex, (-right.x * radius + right.y * right_leg) * over_r, w->a.dy);

    lane_f before_x = lane_select(only_b, w->a.dx, w->before_x), before_y = lane_select(only_b, w->a.dy, w->before_y);
    o.foreign_l = left.convex & (lane_det(o.lx, o.ly, -before_x, -before_y) >= 0);
    o.lx = lane_select(o.foreign_l, -before_x, o.lx);
    o.ly = lane_select(o.foreign_l, -before_y, o.ly);
    o.foreign_r = right.convex & (lane_det(o.mx, o.my, right.dx, right.dy) <= 0);
    o.mx = lane_select(o.foreign_r, right.dx, o.mx);
    o.my = lane_select(o.foreign_r, right.dy, o.my);
    return o;
}

/* Projects the velocity on the cone, cut off at the time horizon: line s is at its circles, its cut-off or a leg. */
LANE_FN void orca_cone_line(const orca_cone *o, const orca_self *me, lane_f inverse, lane_m lanes, int s, orca_lines *l)
{
    lane_f cut_lx = inverse * o->left.x, cut_ly = inverse * o->left.y;
    lane_f cut_rx = inverse * o->right.x, cut_ry = inverse * o->right.y;
    lane_f cx = cut_rx - cut_lx, cy = cut_ry - cut_ly;
    lane_f from_lx = me->vx - cut_lx, from_ly = me->vy - cut_ly, from_rx = me->vx - cut_rx, from_ry = me->vy - cut_ry;
    lane_f t = lane_select(o->one, lane_set(0.5f), lane_dot(from_lx, from_ly, cx, cy) / lane_dot(cx, cy, cx, cy));
    lane_f tl = lane_dot(from_lx, from_ly, o->lx, o->ly), tr = lane_dot(from_rx, from_ry, o->mx, o->my);
    lane_f cut_radius = me->radius * inverse;

    lane_m circle_l = lanes & (((t < 0) & (tl < 0)) | (o->one & (tl < 0) & (tr < 0)));
    orca_circle_line(l, s, circle_l, me, cut_lx, cut_ly, cut_radius);
    lane_m circle_r = lanes & lane_not(circle_l) & (t > 1) & (tr < 0);
    orca_circle_line(l, s, circle_r, me, cut_rx, cut_ry, cut_radius);
    lanes = lanes & lane_not(circle_l | circle_r);

    lane_f far = lane_set(INFINITY);
    lane_f kx = from_lx - t * cx, ky = from_ly - t * cy;
    lane_f to_cut = lane_select((t < 0) | (t > 1) | o->one, far, lane_dot(kx, ky, kx, ky));
    kx = from_lx - tl * o->lx, ky = from_ly - tl * o->ly;
    lane_f to_left = lane_select(tl < 0, far, lane_dot(kx, ky, kx, ky));
    kx = from_rx - tr * o->mx, ky = from_ry - tr * o->my;
    lane_f to_right = lane_select(tr < 0, far, lane_dot(kx, ky, kx, ky));

    lane_m cut = lanes & (to_cut <= to_left) & (to_cut <= to_right);
    orca_leg_line(l, s, cut, cut_lx, cut_ly, cut_radius, -o->left.dx, -o->left.dy);
    lane_m on_left = lanes & lane_not(cut) & (to_left <= to_right);
    orca_leg_line(l, s, on_left & lane_not(o->foreign_l), cut_lx, cut_ly, cut_radius, o->lx, o->ly);
    lane_m on_right = lanes & lane_not(cut | on_left) & lane_not(o->foreign_r);
    orca_leg_line(l, s, on_right, cut_rx, cut_ry, cut_radius, -o->mx, -o->my);
}

/* The line of one wall segment a -> b, s-th nearest, which moves with (wall_vx, wall_vy): of velocities relative to
 * it. */
LANE_FN void orca_wall_line(const throng_walls *w, const orca_self *me, lane_i segment, lane_m lanes, lane_f inverse,
                            lane_f wall_vx, lane_f wall_vy, int s, orca_lines *l)
{
    orca_wall wall = orca_see_wall(w, me, segment);
    lanes = lanes & lane_not(orca_wall_covered(l, s, wall.a, wall.b, inverse, me->radius, wall_vx, wall_vy));
    if (!lane_any(lanes))
        return;
    lanes = lanes & lane_not(orca_wall_touched(&wall, me->radius, lanes, s, l));
    lane_m only_a = lanes & (wall.on < 0) & wall.near, only_b = lanes & (wall.on > 1) & wall.near;
    lanes = lanes & lane_not((only_a & lane_not(wall.a.convex)) | (only_b & lane_not(wall.b.convex)));
    if (!lane_any(lanes))
        return;
    orca_cone cone = orca_wall_cone(&wall, me->radius, only_a, only_b);
    orca_cone_line(&cone, me, inverse, lanes, s, l);
}

/* --- the planner ------------------------------------------------------------ */

/* What an agent asks of the linear programs, and what came of them. */
typedef struct orca_problem {
    orca_lines lines;
    lane_f max_speed;
    lane_f vx, vy;    /* the best velocity so far */
    lane_i failed;    /* the first line that cannot be satisfied, or the number of lines */
    int walls, count; /* wall lines, all lines */
} orca_problem;

/* Builds the lines of agents `first` .. and solves them. Lanes in `lanes` with
 * failed < count need orca_program3. `k`: neighbours looked at, `walls`: wall lists are looked at. */
LANE_FN void orca_solve(const crowd *c, int k, bool walls, int32_t first, lane_m lanes, lane_f desired_x,
                        lane_f desired_y, orca_problem *p)
{
    lane_i slot = crowd_slots(c, first, lanes);
    orca_self self = {lane_load(c->sx + first), lane_load(c->sy + first), lane_load(c->svx + first),
                      lane_load(c->svy + first), lane_load(c->sr + first)};
    p->max_speed = lane_gather(c->max_speed, slot);
    int count = 0;
    orca_lines *l = &p->lines;
    if (walls) {
        lane_f inverse = 1.0f / yield_wall_horizon(c, slot);
        lane_i in_list = lane_select_i(lanes, lane_load_i(c->wall_count + first), lane_set_i(0));
        for (int s = 0; s < THRONG_WALLS_MAX && lane_any(in_list > s); s++) {
            orca_keep_line(l, s, orca_no_line());
            lane_m there = in_list > s;
            lane_i segment = lane_load_i(c->wall + (int64_t)s * c->stride + first);
            lane_f vx, vy;
            segment = lane_select_i(there, segment, lane_set_i(0));
            walls_velocity(&c->walls, segment, there, &vx, &vy);
            orca_self relative = {self.x, self.y, self.vx - vx, self.vy - vy, self.radius};
            orca_wall_line(&c->walls, &relative, segment, there, inverse, vx, vy, s, l);
            orca_line o = orca_line_of(l, s);
            o.px = o.px + vx;
            o.py = o.py + vy;
            orca_keep_line(l, s, o);
            count = s + 1;
        }
    }
    p->walls = count;
    orca_ahead ahead = orca_look_ahead(c, slot, desired_x, desired_y);
    crowd_fetch_seen(c, k, first + LANES);
    crowd_seen seen = crowd_see(c, k, first);
    for (int s = 0; s < k; s++) {
        lane_i other = crowd_see_next(c, &seen);
        lane_m there = lanes & (other >= 0);
        if (!lane_any(there))
            break;
        lane_f px, py, dx, dy;
        orca_neighbour_line(c, &self, slot, lane_select_i(there, other, lane_set_i(0)), &ahead, &px, &py, &dx, &dy);
        orca_line o = {lane_select(there, px, lane_set(0)), lane_select(there, py, lane_set(0)),
                       lane_select(there, dx, lane_set(0)), lane_select(there, dy, lane_set(0))};
        orca_keep_line(l, count++, o);
    }
    p->count = count;
    p->failed = orca_program2(l, count, p->max_speed, desired_x, desired_y, false, lanes, &p->vx, &p->vy);
}

#endif
