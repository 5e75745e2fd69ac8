/* Corners: how a crowd gets round them.
 *
 * The shortest way of everybody leads round the inner corner of a bend. Who is alone walks it; but a crowd in which all
 * do so queues along the inner wall. Who has somebody in its way there, within its time gap, keeps its lane instead: it
 * walks along the wall that leads to the corner, and turns where it is as far from that wall as it will be from the
 * wall behind the corner, or less, in proportion, where the passage narrows. So does everybody, whatever the planner.
 *
 * Through a right-angled bend of 2.4 m, to which 6 persons/s come, go 3.6 / 3.6 / 2.9 persons/s under ORCA, ClearPath
 * and RVO; when all went the shortest way 1.5 / 1.9 / 1.7. People: 3.8 (tests/people/RESULTS.md). Where 2.5 come they
 * walk 1.1 m/s in the 4 m before it, people about 1.2.
 *
 * Where two crowds meet in a T-junction, each sees all of the stem's width as its own: two who want to turn beside each
 * other would stand face to face. Who is past the corner, and is stopped by somebody who wants to go where it does,
 * turns at once. (Of 1.9 persons/s from each side the slowest needs 28 / 25 / 39 s: scenarios/t_junction.lua.)
 *
 * The end of a wall, whose sides are those of passages, is a turn by 180 degrees: of 6 persons/s who come through 2.4 m
 * to one of 0.2 m, 3.1 / 3.2 / 2.7 get round it, and 1.1 when it was none.
 *
 * There are lanes between walls that are longer than what is between them is wide (runtime/map/wall_widths.h), and none
 * where a passage narrows to less than half, as at doors. When every corner counted, people beside pillars and in the
 * jagged rooms of scenarios/evacuation.lua walked away from where they wanted to go: 176 s in place of 132. */
#ifndef THRONG_CORNERS_H
#define THRONG_CORNERS_H

#include "kernels/sense/walls.h"
#include "time_gap.h"

#define CORNERS_WALKS 0.1f  /* m/s: who is slower along its lane does not walk on */
#define CORNERS_BACK  0.7f  /* minus the cosine of how far a way turns from the wall before a wall's end, at most */
#define CORNERS_SLACK 0.01f /* sine of the angle by which a way may miss the turn from one wall to the other */

/* A corner, and the walls that lead to it and on. Directions are unit vectors. */
typedef struct corners_turn {
    lane_f x, y;              /* m: from the agent */
    lane_f in_x, in_y, in;    /* along the wall before it; how wide the passage beside that is, m */
    lane_f out_x, out_y, out; /* the same of the wall behind it */
    lane_f last_x, last_y;    /* along that wall or, where it is the end of a wall, along the other side */
    lane_f side;              /* 1: the way turns left, -1: right */
} corners_turn;

/* The lane along the wall to the nearest corner so far. */
typedef struct corners_lane {
    lane_f distance; /* m: of the corner */
    lane_f x, y;     /* a unit vector */
    lane_f part;     /* 0 to 1: less where the passage narrows */
    lane_m beyond;   /* the agent is past the corner, on its way to where it turns */
} corners_lane;

/* For those in `lanes` who want to walk along (ex, ey) round the corner, and are not yet where they turn. */
LANE_FN void corners_take(corners_lane *lane, const corners_turn *t, lane_m lanes, lane_f ex, lane_f ey)
{
    lane_f in = t->side * lane_det(t->in_x, t->in_y, t->x, t->y);
    lane_f out = t->side * lane_det(t->out_x, t->out_y, t->x, t->y);
    lane_f narrows = t->in / t->out, distance = in - lane_min(out, lane_set(0));
    lanes = lanes & (t->in > 0) & (t->out > 0) & (narrows < 2.0f) & (distance < lane->distance);
    lanes = lanes & (in > 0) & (in < t->in) & (out * lane_max(narrows, lane_set(1)) < in);
    lanes = lanes & (t->side * lane_det(ex, ey, t->x, t->y) > 0); /* else their way does not lead past it */
    lanes = lanes & (t->side * lane_det(t->in_x, t->in_y, ex, ey) > -CORNERS_SLACK) &
            (t->side * lane_det(ex, ey, t->last_x, t->last_y) > -CORNERS_SLACK) &
            (lane_dot(t->in_x, t->in_y, ex, ey) > lane_select(out > 0, lane_set(-CORNERS_BACK), lane_set(0)));
    lane->distance = lane_select(lanes, distance, lane->distance);
    lane->beyond = (lane->beyond & lane_not(lanes)) | (lanes & (out > 0));
    lane->x = lane_select(lanes, t->in_x, lane->x);
    lane->y = lane_select(lanes, t->in_y, lane->y);
    lane->part = lane_select(lanes, lane_min(2.0f - narrows, lane_set(1)), lane->part);
}

/* The corners between walls s and `out`, behind which come `last`: on the way along s, or backwards, `side` -1. */
LANE_FN void corners_of(const throng_walls *w, lane_i s, lane_i out, lane_i last, float side, lane_m lanes, lane_f x,
                        lane_f y, lane_f ex, lane_f ey, corners_lane *lane)
{
    bool left = side > 0;
    lane_f behind = lane_gather(left ? w->width_a : w->width_b, out);
    last = lane_select_i(behind < 0, last, out);
    corners_turn t = {lane_gather(left ? w->bx : w->ax, s) - x,
                      lane_gather(left ? w->by : w->ay, s) - y,
                      side * lane_gather(w->dx, s),
                      side * lane_gather(w->dy, s),
                      lane_abs(lane_gather(left ? w->width_b : w->width_a, s)),
                      side * lane_gather(w->dx, out),
                      side * lane_gather(w->dy, out),
                      lane_abs(behind),
                      side * lane_gather(w->dx, last),
                      side * lane_gather(w->dy, last),
                      lane_set(side)};
    corners_take(lane, &t, lanes & (lane_gather_i(w->convex, left ? out : s) != 0), ex, ey);
}

/* Who of agents `first` .., who want to walk along the unit vectors (ex, ey), has somebody ahead along (ax, ay), less
 * than `gap` from it, who does not want to walk the other way, unless `oncoming`? */
LANE_FN lane_m corners_blocked(const crowd *c, int k, int32_t first, lane_m lanes, lane_f gap, bool oncoming, lane_f ax,
                               lane_f ay, lane_f ex, lane_f ey)
{
    lane_f x = lane_load(c->sx + first), y = lane_load(c->sy + first), radius = lane_load(c->sr + first);
    lane_m blocked = lane_none();
    for (int s = 0; s < k; s++) {
        lane_i other = lane_load_i(c->seen + (int64_t)s * c->stride + first);
        lane_m there = lanes & lane_not(blocked) & (other >= 0);
        if (!lane_any(there))
            break;
        other = lane_select_i(there, other, lane_set_i(first));
        lane_f px = lane_gather(c->sx, other) - x, py = lane_gather(c->sy, other) - y;
        crowd_nearest_image(c, &px, &py);
        lane_f radii = radius + lane_gather(c->sr, other), along = lane_dot(ax, ay, px, py);
        there =
            there & (along > 0) & (along < gap + radii) & (lane_abs(lane_det(ax, ay, px, py)) < TIME_GAP_STRIP * radii);
        if (!oncoming && lane_any(there))
            there = there & (lane_dot(ex, ey, lane_gather(c->swx, other), lane_gather(c->swy, other)) >= 0);
        blocked = blocked | there;
    }
    return blocked;
}

/* Turns preferred velocities (dx, dy) of agents `first` .., in slots `slot`, who see `k` neighbours at most, to their
 * lanes. */
LANE_FN void corners_keep_lane(const crowd *c, int k, int32_t first, lane_m lanes, lane_i slot, lane_f *dx, lane_f *dy)
{
    lane_f wish = lane_sqrt(lane_dot(*dx, *dy, *dx, *dy)), ex = *dx / wish, ey = *dy / wish;
    lane_f gap = wish * crowd_time_gap(c, slot);
    lanes = lanes & (gap > 0);
    lanes = lanes & lane_not(crowd_passive(c, slot, lanes));
    if (!lane_any(lanes))
        return;
    const throng_walls *w = &c->walls;
    lane_f x = lane_load(c->sx + first), y = lane_load(c->sy + first);
    corners_lane lane = {lane_set(INFINITY), ex, ey, lane_set(0), lane_none()};
    for (int n = 0; n < THRONG_WALLS_MAX; n++) {
        lane_i s = lane_load_i(c->wall + (int64_t)n * c->stride + first);
        lane_m there = lanes & (s >= 0);
        if (!lane_any(there))
            break;
        s = lane_select_i(there, s, lane_set_i(0));
        lane_m on = there & lane_not(lane_gather(w->width_b, s) == lane_set(0)),
               back = there & lane_not(lane_gather(w->width_a, s) == lane_set(0));
        if (lane_any(on)) {
            lane_i next = lane_gather_i(w->next, s);
            corners_of(w, s, next, lane_gather_i(w->next, next), 1, on, x, y, ex, ey, &lane);
        }
        if (lane_any(back)) {
            lane_i previous = lane_gather_i(w->previous, s);
            corners_of(w, s, previous, lane_gather_i(w->previous, previous), -1, back, x, y, ex, ey, &lane);
        }
    }
    lanes = lanes & (lane.distance < INFINITY);
    if (!lane_any(lanes))
        return;
    lanes = corners_blocked(c, k, first, lanes, gap, true, ex, ey, ex, ey);
    lane_f walks = lane_dot(lane.x, lane.y, lane_load(c->svx + first), lane_load(c->svy + first));
    lane_m stands = lanes & lane.beyond & (walks < CORNERS_WALKS);
    if (lane_any(stands))
        lanes = lanes & lane_not(corners_blocked(c, k, first, stands, gap, false, lane.x, lane.y, ex, ey));
    ex = ex + lane.part * (lane.x - ex);
    ey = ey + lane.part * (lane.y - ey);
    lane_f scale = wish / lane_sqrt(lane_dot(ex, ey, ex, ey));
    *dx = lane_select(lanes, ex * scale, *dx);
    *dy = lane_select(lanes, ey * scale, *dy);
}

#endif
