/* Shoulders: who turns them, and how far.
 *
 * A person's shoulders are across the way it wants to go, unless what is ahead is too narrow: people turn their
 * shoulders in gaps of less than 1.3 times their width, the more the narrower (W. Warren and S. Whang, "Visual guidance
 * of walking through apertures: body-scaled information for affordances", 1987). So
 *     2 (half cos turn + radius) = gap / 1.3,
 * half and radius those of the body (kernels/stadium.h), turn from 0 to a quarter turn. The gap is what walls, and
 * people who do not walk the same way, leave free to the left and to the right of the straight way ahead, as far as
 * SHOULDERS_AHEAD; what stands in the middle of the way is no gap, and somebody else's business. Of the two ways to
 * turn the shorter is taken.
 *
 * How wide a body is does not depend on its speed here: in the ellipses of M. Chraibi, A. Seyfried and A.
 * Schadschneider
 * ("Generalized centrifugal-force model for pedestrian dynamics", 2010) and of Q. Xu, M. Chraibi, A. Tordeux and J.
 * Zhang ("Generalized collision-free velocity model for pedestrian dynamics", 2019) that stands for the room of steps
 * and of swaying, not for the body, and planners keep it.
 *
 * A turn makes no overlap. At the start of the move stage, while everybody stands, each turns as far as its gaps
 * allow, at most TRIALS_RATE: beyond the line that parts it from another, across the normal of the pair, it may
 * reach at most half of the gap, as the other may turn, too; where they touch it turns only if it comes to reach less
 * far. (Turned first, and left to the contacts as negative gaps, bodies in a jam would have to be pushed apart by more
 * than a step can: overlaps.) Walls do not turn: what comes to touch them is measured. */
#ifndef THRONG_SHOULDERS_H
#define THRONG_SHOULDERS_H

#include "detect.h"

#define SHOULDERS_ROOM  1.3f /* widths */
#define SHOULDERS_AHEAD 0.8f /* m: beyond one's own reach */
#define SHOULDERS_SAME  0.5f /* cosine: whose wishes differ by less than 60 degrees walk the same way */

/* What is free beside the straight way ahead. m */
typedef struct shoulders_gap {
    lane_f left, right;
} shoulders_gap;

/* Something in the window ahead reaches from `low` to `high`, to the left of the middle of the way. */
LANE_FN void shoulders_see(shoulders_gap *gap, lane_f low, lane_f high, lane_m lanes)
{
    gap->left = lane_select(lanes & (low > 0) & (low < gap->left), low, gap->left);
    gap->right = lane_select(lanes & (high < 0) & (-high < gap->right), -high, gap->right);
}

/* Others who walk another way. */
LANE_FN void shoulders_see_others(const crowd *c, const contacts *k, int32_t first, lane_m lanes, lane_f ex, lane_f ey,
                                  lane_f ahead, shoulders_gap *gap)
{
    lane_four me = lane_load_four(k->body, first);
    for (int s = 0; s < c->k; s++) {
        lane_i j = lane_load_i(c->seen + (int64_t)s * c->stride + first);
        lanes = lanes & (j >= 0);
        if (!lane_any(lanes))
            return;
        j = lane_select_i(lanes, j, lane_set_i(first));
        lane_four body = lane_gather_four(k->body, j), shape = lane_gather_four(c->shape, j);
        lane_f px = body.a - me.a, py = body.b - me.b;
        crowd_nearest_image(c, &px, &py);
        lane_f along = lane_dot(ex, ey, px, py), aside = lane_det(ex, ey, px, py);
        lane_f deep = body.c + lane_abs(lane_dot(ex, ey, shape.a, shape.b));
        lane_f wide = body.c + lane_abs(lane_det(ex, ey, shape.a, shape.b));
        lane_m there = lanes & (along > -deep) & (along < ahead + deep);
        lane_i slot = lane_gather_i(c->slot, j);
        lane_f wx = lane_gather(c->desired_vx, slot), wy = lane_gather(c->desired_vy, slot);
        lane_f wish = lane_sqrt(lane_dot(wx, wy, wx, wy));
        there = there & lane_not(lane_dot(ex, ey, wx, wy) > SHOULDERS_SAME * wish);
        shoulders_see(gap, aside - wide, aside + wide, there);
    }
}

LANE_FN void shoulders_see_walls(const crowd *c, const contacts *k, int32_t first, lane_m lanes, lane_f ex, lane_f ey,
                                 lane_f ahead, shoulders_gap *gap)
{
    lane_four me = lane_load_four(k->body, first);
    for (int s = 0; s < THRONG_WALLS_MAX; s++) {
        lane_i wall = lane_load_i(c->wall + (int64_t)s * c->stride + first);
        lanes = lanes & (wall >= 0);
        if (!lane_any(lanes))
            return;
        wall = lane_select_i(lanes, wall, lane_set_i(0));
        lane_f ax = lane_gather(c->walls.ax, wall) - me.a, ay = lane_gather(c->walls.ay, wall) - me.b;
        lane_f bx = lane_gather(c->walls.bx, wall) - me.a, by = lane_gather(c->walls.by, wall) - me.b;
        lane_f from = lane_dot(ex, ey, ax, ay), to = lane_dot(ex, ey, bx, by), length = to - from;
        lane_f a = lane_det(ex, ey, ax, ay), b = lane_det(ex, ey, bx, by);
        lane_f low = lane_max(lane_min(from, to), -me.c), high = lane_min(lane_max(from, to), ahead);
        lane_m there = lanes & (low < high);
        lane_f start = lane_select(length == 0, a, a + (b - a) * ((low - from) / length));
        lane_f end = lane_select(length == 0, b, a + (b - a) * ((high - from) / length));
        shoulders_see(gap, lane_min(start, end), lane_max(start, end), there);
    }
}

/* By how much agents `first` .., who have these arms, want to turn in this step. rad */
LANE_FN lane_f shoulders_wish(const crowd *c, const contacts *k, int32_t first, lane_m lanes, lane_i slot,
                              const lane_four *shape)
{
    lane_f half = lane_sqrt(lane_dot(shape->a, shape->b, shape->a, shape->b)), radius = lane_gather(c->radius, slot);
    lane_f ex, ey, enough = 2.0f * SHOULDERS_ROOM * (half + radius);
    stadium_way(c, slot, &ex, &ey);
    shoulders_gap gap = {enough, enough};
    lane_f ahead = half + radius + SHOULDERS_AHEAD;
    shoulders_see_others(c, k, first, lanes, ex, ey, ahead, &gap);
    if (c->walls.count)
        shoulders_see_walls(c, k, first, lanes, ex, ey, ahead, &gap);
    lane_f room = (gap.left + gap.right) * (0.5f / SHOULDERS_ROOM) - radius;
    lane_f cosine = lane_clamp(room / half, lane_set(0), lane_set(1));
    lane_f sine = lane_sqrt(1.0f - cosine * cosine), x = shape->a / half, y = shape->b / half;
    lane_m other = lane_abs(lane_dot(x, y, ex * -sine - ey * cosine, ex * cosine - ey * sine)) >
                   lane_abs(lane_dot(x, y, ex * sine - ey * cosine, ex * cosine + ey * sine));
    sine = lane_select(other, -sine, sine);
    lane_f to_x = ex * sine - ey * cosine, to_y = ex * cosine + ey * sine;
    lane_f dot = lane_dot(x, y, to_x, to_y), det = lane_det(x, y, to_x, to_y);
    lane_f turn = lane_atan2(lane_select(dot < 0, -det, det), lane_abs(dot)),
           most = lane_set(TRIALS_RATE) * c->frame.dt;
    return lane_clamp(turn, -most, most);
}

/* Which of the arms walls and the sides of bodies forbid. */
LANE_FN void shoulders_try_walls(const crowd *c, const throng_wall_grid *grid, lane_i slot, lane_m lanes,
                                 const lane_four *body, const lane_four *shape, shape_trials *trials)
{
    lane_i at, to;
    walls_range(c, grid, slot, body->a, body->b, shape->d, lanes, &at, &to);
    for (lane_m more = lanes & (at < to); lane_any(more); at = at + 1, more = lanes & (at < to)) {
        lane_i s = lane_gather_i(grid->list, lane_select_i(more, at, lane_set_i(0)));
        lane_f x, y, square = walls_nearest(&c->walls, s, body->a, body->b, &x, &y);
        lane_m near = more & (square < shape->d * shape->d) & walls_open_side(&c->walls, s, body->a, body->b);
        near = walls_meet(c, slot, s, near);
        if (lane_any(near))
            trials_wall(c, s, body, shape, near, trials);
    }
}

/* Turns the shoulders of agents `first` .. : what is theirs in crowd.shape follows when all have (shoulders_keep). */
LANE_FN void shoulders_turn(const crowd *c, contacts *k, int32_t first, lane_m lanes)
{
    lane_i i = lane_select_i(lanes, lane_iota(first), lane_set_i(first)), slot = crowd_slots(c, first, lanes);
    lane_four body = lane_load_four(k->body, first), shape = lane_load_four(c->shape, first);
    lanes = lanes & ((shape.a != 0) | (shape.b != 0));
    if (!lane_any(lanes))
        return;
    lane_f wish = shoulders_wish(c, k, first, lanes, slot, &shape), turn = lane_set(0), sine, cosine;
    shape_trials trials;
    trials.held = trials_held(c, slot, &shape);
    lane_f less = lane_select(trials.held, lane_set(TRIALS_LITTLE), lane_set(TRIALS_LESS)), tried = wish;
    for (int t = 0; t < TRIALS; t++, tried = tried * less) {
        lane_sincos(tried, &sine, &cosine);
        trials.x[t] = shape.a * cosine - shape.b * sine;
        trials.y[t] = shape.a * sine + shape.b * cosine;
        trials.blocked[t] = lane_none();
    }
    contacts_visitor v;
    v.trials = &trials;
    contacts_visit_all(c, k, CONTACTS_TURN, i, lanes, &v);
    if (c->walls.count) {
        shoulders_try_walls(c, &c->walls.still, slot, lanes, &body, &shape, &trials);
        if (c->walls.sides)
            shoulders_try_walls(c, &c->walls.moving, slot, lanes, &body, &shape, &trials);
    }
    for (int t = 0; t < TRIALS; t++, wish = wish * less)
        turn = lane_select(trials.blocked[t] | lane_not(turn == 0), turn, wish);
    lane_f angle = CROWD_FLOAT(c, shoulders, slot) + turn;
    angle = lane_select(angle > 1.57079633f, angle - 3.14159265f, angle);
    angle = lane_select(angle < -1.57079633f, angle + 3.14159265f, angle);
    lane_scatter(c->shoulders, slot, angle, lanes);
}

/* The shapes of agents `first` .. as they have turned. */
LANE_FN void shoulders_keep(const crowd *c, int32_t first, lane_m lanes)
{
    shape_store(c, first, lanes, crowd_slots(c, first, lanes), lane_load_four(c->shape, first).c);
}

#endif
