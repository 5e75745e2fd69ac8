/* Avoidance forces: B. O'Sullivan, "Dynamic object avoidance" (2009), section 4.6.2.
 *
 * An agent looks at everybody in its rectangle of influence, which lies ahead of
 * it in the direction it wants to walk in: `length` m far, `width` m wide. What
 * it wants, what it did last, and a push from each of them make its direction (the paper
 * weighs what it did last by 1, and knows no walls):
 *     F_i[n]  = w_memory F_i[n-1] + w_attraction F_at + w_avoidance sum_j F_ji + w_walls F_walls    (4.1)
 *     f_i     = F_i / |F_i|, scaled by its speed                                                   (4.2)
 *     t_j     = unit(unit(d_ji) + unit(v_i))    sideways past j, d_ji from j to i                  (4.3)
 *     F_ji    = t_j w_d w_o m_j                                                                    (4.4)
 *     w_d     = (D_i - |d_ji|) / D_i            D_i the length, never below 0                      (4.5)
 *     w_o     = (v_i . -v_j) / 2 + 1.5          of the directions of both                          (4.6)
 * F_i[n-1] is kept normalised, so that it weighs the same whatever pushed; m_j is counted in
 * FORCES_MASS, a person's. Somebody straight ahead gives t_j no direction: it is then passed on its left,
 * which two who meet head-on both do.
 *
 * Rigid bodies push like agents, each once, wherever a part of them is in the rectangle; the less the more frustrated
 * the agent is (yield.h): it comes up to them, and slides along or shoves them. (Where bodies pushed in full for ever,
 * one of 200 people among 600 boxes walked round in a circle of 0.4 m between four of them, in 2 of 40 seeds.)
 *
 * Where a script weighs pairs of groups (world:avoidance) F_ji counts so many times. Who is drawn to j, by a weight
 * below 0, is pulled straight at it, t_j = unit(d_ji): past it would lead around it.
 *
 * In the thesis the pushes of a crowd add up to more than what the agent wants, and turn it round: one way through a
 * corridor at 3 persons/m^2 it walked backwards at 1 m/s. So, unless `published`, their sum is cut at FORCES_LESS of
 * the attraction, and who is turned aside slows down by the cosine: it brakes before it turns (as forces by the
 * time to a collision have it: I. Karamouzas, B. Skinner and S. Guy, "Universal power law governing
 * pedestrian interactions", 2014).
 *
 * Walls push straight away from them, from `comfort` m on (the paper leaves
 * them to future work). Last, the heading turns by `max_turn` at most and the
 * speed changes by `max_acceleration` at most.
 *
 * The rectangle is searched by cells and holds what a scan of all agents and bodies finds,
 * however many. Their pushes are summed in units of 1/FORCES_UNIT as integers:
 * then the sum does not depend on the order in which they were met. */

/*--- throng.forces(settings)
 * Avoidance forces: pushes sideways past every agent and body in a rectangle ahead, and away from walls (O'Sullivan,
 * 2009).
 * @example
 * group.planner = throng.forces { avoidance = 0.5 } */

#ifndef THRONG_FORCES_H
#define THRONG_FORCES_H

#include "facing.h"
#include "kernels/sense/walls.h"

#define FORCES_MASS 80.0f    /* kg */
#define FORCES_UNIT 65536.0f /* parts that a push of 1 is counted in */
#define FORCES_BODY 4.0f     /* persons: a body pushes as much as these at most; those that stand weigh without end */
#define FORCES_LESS 0.9f     /* of the attraction: what the pushes of others add up to at most */
#define FORCES_MOST 32.0f    /* a single push counts no more than this, so that a thousand of them never overflow */

/* What an agent brings to its search. */
typedef struct forces_self {
    lane_i index, slot, group;
    lane_f x, y, ahead_x, ahead_y; /* of the rectangle, a unit vector */
    lane_f length, half_width;     /* m */
    lane_f going_x, going_y;       /* unit(v_i), 0 when it stands */
    lane_f shoved;                 /* kg: bodies lighter than this it does not heed, */
    lane_f heed;                   /* and others so much, 0 to 1 */
    lane_i sum_x, sum_y;           /* of the pushes so far, in units */
} forces_self;

/* (x, y) / its length; (0, 0) when it has none to speak of. */
LANE_FN void forces_unit(lane_f *x, lane_f *y)
{
    lane_f length = lane_sqrt(lane_dot(*x, *y, *x, *y));
    lane_m some = length > 1e-6f;
    *x = lane_select(some, *x / length, lane_set(0));
    *y = lane_select(some, *y / length, lane_set(0));
}

LANE_FN lane_i forces_count(lane_f push)
{
    return lane_truncate(lane_clamp(push, lane_set(-FORCES_MOST), lane_set(FORCES_MOST)) * FORCES_UNIT);
}

/* The push (4.3) to (4.6) on `lanes` of somebody `distance` off, in the direction of the unit vector (ux, uy) from it,
 * who moves with (vx, vy) and is as heavy as `persons`; below 0 they are pulled straight at it. */
LANE_FN void forces_add(lane_f distance, lane_f ux, lane_f uy, lane_f vx, lane_f vy, lane_f persons, lane_m lanes,
                        forces_self *me)
{
    lane_f near = lane_max((me->length - distance) / me->length, lane_set(0));
    forces_unit(&vx, &vy);
    lane_f facing = -0.5f * lane_dot(me->going_x, me->going_y, vx, vy) + 1.5f;
    lane_f tx = ux + me->going_x, ty = uy + me->going_y;
    lane_m straight = lane_dot(tx, ty, tx, ty) <= 1e-6f;
    tx = lane_select(straight, me->going_y, tx);
    ty = lane_select(straight, -me->going_x, ty);
    lane_m drawn = persons < 0;
    tx = lane_select(drawn, ux, tx);
    ty = lane_select(drawn, uy, ty);
    forces_unit(&tx, &ty);
    lane_f push = near * facing * persons;
    me->sum_x = me->sum_x + lane_select_i(lanes, forces_count(tx * push), lane_set_i(0));
    me->sum_y = me->sum_y + lane_select_i(lanes, forces_count(ty * push), lane_set_i(0));
}

/* The push of the agent at sorted index j on `lanes`, which have it in their rectangles, (dx, dy) from it to them. */
LANE_FN void forces_push(const crowd *c, int32_t j, lane_f dx, lane_f dy, lane_m lanes, forces_self *me)
{
    lane_f distance = lane_sqrt(lane_dot(dx, dy, dx, dy));
    lane_m together = distance <= 1e-6f; /* who stands in the same place parts along x */
    lane_f side = lane_select(me->slot < c->slot[j], lane_set(-1), lane_set(1));
    lane_f ux = lane_select(together, side, dx / distance), uy = lane_select(together, lane_set(0), dy / distance);
    lane_f persons = lane_set(crowd_mass_of(c, c->slot[j]) / FORCES_MASS);
    if (c->influences.groups)
        persons = persons * crowd_avoidance(c, me->group, c->group ? c->group[c->slot[j]] : 0);
    forces_add(distance, ux, uy, lane_set(c->svx[j]), lane_set(c->svy[j]), persons, lanes, me);
}

/* The lanes in whose rectangles the agent at sorted index j is; (dx, dy) from it to them. */
LANE_FN lane_m forces_inside(const crowd *c, int32_t j, const forces_self *me, lane_m lanes, lane_f *dx, lane_f *dy)
{
    *dx = me->x - c->sx[j];
    *dy = me->y - c->sy[j];
    crowd_nearest_image(c, dx, dy);
    lane_f along = -lane_dot(*dx, *dy, me->ahead_x, me->ahead_y);
    lane_f across = lane_abs(lane_det(*dx, *dy, me->ahead_x, me->ahead_y));
    return lanes & (along >= 0) & (along <= me->length) & (across <= me->half_width) & (me->index != j);
}

LANE_FN void forces_row(const crowd *c, int32_t x0, int32_t width, int32_t y, int32_t sheet, lane_m lanes,
                        forces_self *me)
{
    cell_runs runs = neighbours_runs(c, x0, width, y);
    for (int r = 0; r < 2; r++)
        for (int32_t j = runs.from[r]; j < runs.to[r]; j++) {
            lane_f dx, dy;
            if (!sheets_hold(c, j, sheet))
                continue;
            lane_m inside = forces_inside(c, j, me, lanes, &dx, &dy);
            if (lane_any(inside))
                forces_push(c, j, dx, dy, inside, me);
        }
}

/* --- bodies ----------------------------------------------------------------------------------- */

/* Cuts a segment's part [from, to] of a + t d, one of its coordinates, to what lies within least .. most. */
LANE_FN void forces_cut(lane_f a, lane_f d, lane_f least, lane_f most, lane_f *from, lane_f *to)
{
    lane_f enters = (least - a) / d, leaves = (most - a) / d;
    lane_m flat = d == 0, outside = flat & ((a < least) | (a > most));
    *from = lane_max(*from, lane_select(flat, lane_set(0), lane_min(enters, leaves)));
    *to = lane_min(*to, lane_select(flat, lane_set(1), lane_max(enters, leaves)));
    *to = lane_select(outside, lane_set(-1), *to);
}

/* How far the nearest point of side s is from the agents, squared, of what lies in their rectangles; INFINITY: nothing.
 * Those behind it are taken out of `within`. */
LANE_FN lane_f forces_side(const throng_walls *w, int32_t s, const forces_self *me, lane_m *within)
{
    lane_f ax = w->ax[s] - me->x, ay = w->ay[s] - me->y, bx = w->bx[s] - me->x, by = w->by[s] - me->y;
    *within = *within & lane_not(lane_det(ax, ay, bx, by) < 0);
    lane_f along = lane_dot(ax, ay, me->ahead_x, me->ahead_y), across = lane_det(me->ahead_x, me->ahead_y, ax, ay);
    lane_f ex = lane_dot(bx, by, me->ahead_x, me->ahead_y) - along;
    lane_f ey = lane_det(me->ahead_x, me->ahead_y, bx, by) - across;
    lane_f from = lane_set(0), to = lane_set(1);
    forces_cut(along, ex, lane_set(0), me->length, &from, &to);
    forces_cut(across, ey, -me->half_width, me->half_width, &from, &to);
    lane_f t = lane_clamp(-lane_dot(along, across, ex, ey) / lane_dot(ex, ey, ex, ey), from, to);
    along = along + t * ex;
    across = across + t * ey;
    return lane_select(from <= to, lane_dot(along, across, along, across), lane_set(INFINITY));
}

/* Those of `lanes` in whose rectangles a part of the body may be whose first side is `at`, if it reached `slack` m
 * farther. Of its images only the nearest counts. */
LANE_FN lane_m forces_may_meet(const crowd *c, int32_t at, const forces_self *me, lane_f slack, lane_m lanes)
{
    const throng_walls *w = &c->walls;
    lane_f dx = me->x - w->middle_x[at], dy = me->y - w->middle_y[at], reach = w->reach[at] + slack;
    lane_f along = -lane_dot(dx, dy, me->ahead_x, me->ahead_y);
    lane_f across = lane_abs(lane_det(dx, dy, me->ahead_x, me->ahead_y));
    lanes = lanes & (along >= -reach) & (along <= me->length + reach) & (across <= me->half_width + reach);
    lanes = lanes & (w->mass[at] >= me->shoved);
    if (c->frame.wrap_x > 0)
        lanes = lanes & (dx > -0.5f * c->frame.wrap_x) & (dx <= 0.5f * c->frame.wrap_x) &
                (dy > -0.5f * c->frame.wrap_y) & (dy <= 0.5f * c->frame.wrap_y);
    return lanes;
}

/* The push of the body whose first side is `at`, if any of it is in the rectangles of `lanes`: as far off as the
 * nearest point of that, in the direction from its middle, which leads round the shorter path. */
LANE_FN void forces_body(const crowd *c, int32_t at, lane_f slack, lane_m lanes, forces_self *me)
{
    const throng_walls *w = &c->walls;
    lanes = forces_may_meet(c, at, me, slack, lanes);
    if (!lane_any(lanes))
        return;
    lane_f nearest = lane_set(INFINITY);
    lane_i side = lane_set_i(at);
    lane_m within = lanes;
    for (int32_t s = at; s < at + w->corners[at]; s++) {
        lane_f distance = forces_side(w, w->count - w->sides + s, me, &within);
        lane_m nearer = distance < nearest;
        nearest = lane_select(nearer, distance, nearest);
        side = lane_select_i(nearer, lane_set_i(s), side);
    }
    nearest = lane_select(within, lane_set(0), nearest);
    lanes = lanes & (nearest < INFINITY);
    if (!lane_any(lanes))
        return;
    lane_f ux = me->x - w->middle_x[at], uy = me->y - w->middle_y[at];
    forces_unit(&ux, &uy);
    lane_f persons = lane_min(lane_set(w->mass[at] / FORCES_MASS), lane_set(FORCES_BODY));
    forces_add(lane_sqrt(nearest), ux, uy, lane_gather(w->vx, side), lane_gather(w->vy, side), me->heed * persons,
               lanes, me);
}

/* --- the search ------------------------------------------------------------------------------- */

/* A box about the rectangles, and what rounding may have misplaced. m */
typedef struct forces_box {
    lane_f x0, x1, y0, y1, slack;
} forces_box;

LANE_FN forces_box forces_box_of(const crowd *c, const forces_self *me)
{
    /* the rectangle's corners: its near side is through the agent */
    lane_f side_x = lane_abs(me->ahead_y) * me->half_width, side_y = lane_abs(me->ahead_x) * me->half_width;
    lane_f far_x = me->x + me->ahead_x * me->length, far_y = me->y + me->ahead_y * me->length;
    lane_f slack = 1e-5f * (lane_abs(me->x) + lane_abs(me->y) + me->length + c->extent);
    forces_box box = {lane_min(me->x, far_x) - side_x - slack, lane_max(me->x, far_x) + side_x + slack,
                      lane_min(me->y, far_y) - side_y - slack, lane_max(me->y, far_y) + side_y + slack, slack};
    return box;
}

/* The line of cells of a grid that a coordinate is in, or the one towards `side` where rounding leaves it open; beyond
 * its ends the last. */
LANE_FN lane_i forces_line(lane_f at, float side, float origin, float cell, int32_t lines)
{
    at = at - origin + side * 1e-6f * lane_abs(lane_set(origin));
    return lane_floor_i(lane_clamp(at / cell, lane_set(0), lane_set((float)(lines - 1))));
}

/* The bodies on a sheet in the rectangles of `lanes`: one that is in several cells counts in the first of those
 * searched. */
LANE_FN void forces_bodies(const crowd *c, const forces_box *box, int32_t sheet, lane_m lanes, forces_self *me)
{
    const throng_wall_grid *g = &c->walls.boxes;
    const int32_t *on = c->walls.sheet + (c->walls.count - c->walls.sides);
    float off_x = sheets_off_x(c, sheet), off_y = sheets_off_y(c, sheet);
    int32_t x0 = -lane_most_i(-forces_line(box->x0 + off_x, -1, g->origin_x, g->cell, g->columns), lanes);
    int32_t x1 = lane_most_i(forces_line(box->x1 + off_x, 1, g->origin_x, g->cell, g->columns), lanes);
    int32_t y0 = -lane_most_i(-forces_line(box->y0 + off_y, -1, g->origin_y, g->cell, g->rows), lanes);
    int32_t y1 = lane_most_i(forces_line(box->y1 + off_y, 1, g->origin_y, g->cell, g->rows), lanes);
    for (int32_t y = y0; y <= y1; y++) {
        const int32_t *start = g->start + y * g->columns;
        for (int32_t e = start[x0]; e < start[x1 + 1]; e++) {
            int32_t entry = g->list[e];
            if ((entry & 1 || e < start[x0 + 1]) && (entry & 2 || y == y0) && (sheet < 0 || on[entry >> 2] == sheet))
                forces_body(c, entry >> 2, box->slack, lanes, me);
        }
    }
}

/* Those on a sheet. */
LANE_FN void forces_agents(const crowd *c, const forces_box *box, int32_t sheet, lane_m lanes, forces_self *me)
{
    float off_x = sheets_off_x(c, sheet), off_y = sheets_off_y(c, sheet);
    int32_t left = -lane_most_i(-crowd_column(c, box->x0 + off_x), lanes);
    int32_t low = -lane_most_i(-crowd_row(c, box->y0 + off_y), lanes);
    int32_t width = lane_most_i(crowd_column(c, box->x1 + off_x), lanes) - left + 1;
    int32_t height = lane_most_i(crowd_row(c, box->y1 + off_y), lanes) - low + 1;
    width = width < c->frame.grid_width ? width : c->frame.grid_width;
    height = height < c->frame.grid_height ? height : c->frame.grid_height;
    for (int32_t y = low; y < low + height; y++)
        forces_row(c, left, width, y, sheet, lanes, me);
}

/* Searches the rectangles of all lanes, group by group of those that stand close together. */
LANE_FN void forces_search(const crowd *c, lane_m lanes, forces_self *me)
{
    forces_box box = forces_box_of(c, me);
    lane_f x = me->x, y = me->y;
    sheets_lay_out(c, me->slot, &x, &y);
    lane_i column = crowd_column(c, x), row = crowd_row(c, y), on = sheets_of(c, me->slot);
    while (lane_any(lanes)) {
        lane_m group = neighbours_group(column, row, lanes);
        int32_t sheet = lane_first_i(on, group);
        group = group & (on == sheet);
        for (int32_t n = 0, at; (at = sheets_looked_at(c, sheet, n)) != SHEETS_NONE; n++) {
            forces_agents(c, &box, at, group, me);
            if (c->walls.sides)
                forces_bodies(c, &box, at, group, me);
        }
        lanes = lanes & lane_not(group);
    }
}

/* --- walls ------------------------------------------------------------------------------------ */

/* What walls add: away from each that is nearer than `comfort`, from 1 at a touch to 0. */
LANE_FN void forces_walls(const crowd *c, int32_t first, lane_m lanes, const forces_self *me, lane_f comfort,
                          lane_f *sum_x, lane_f *sum_y)
{
    *sum_x = *sum_y = lane_set(0);
    lane_f radius = lane_load(c->sr + first);
    for (int s = 0; s < THRONG_WALLS_MAX; s++) {
        lane_m there = lanes & (lane_load_i(c->wall_count + first) > s);
        if (!lane_any(there))
            return;
        lane_i wall = lane_select_i(there, lane_load_i(c->wall + (int64_t)s * c->stride + first), lane_set_i(0));
        lane_f nx, ny;
        lane_f distance = lane_sqrt(walls_nearest(&c->walls, wall, me->x, me->y, &nx, &ny));
        lane_f near = lane_clamp(1.0f - (distance - radius) / comfort, lane_set(0), lane_set(1));
        forces_unit(&nx, &ny);
        *sum_x = *sum_x - lane_select(there, nx * near, lane_set(0));
        *sum_y = *sum_y - lane_select(there, ny * near, lane_set(0));
    }
}

/* What agents `first` .. in slots `slot` bring, who prefer the velocity (want_x, want_y). */
LANE_FN forces_self forces_begin(const crowd *c, int32_t first, lane_i slot, lane_f want_x, lane_f want_y)
{
    lane_i entry = lane_gather_i(c->planner, slot);
    forces_unit(&want_x, &want_y);
    lane_m wants = lane_dot(want_x, want_y, want_x, want_y) > 0;
    forces_self me = {.index = lane_iota(first),
                      .slot = slot,
                      .group = crowd_group(c, slot),
                      .x = lane_load(c->sx + first),
                      .y = lane_load(c->sy + first),
                      .ahead_x = lane_select(wants, want_x, lane_gather(c->hx, slot)),
                      .ahead_y = lane_select(wants, want_y, lane_gather(c->hy, slot)),
                      .length = crowd_planner_value(c, entry, slot, THRONG_forces_length),
                      .half_width = 0.5f * crowd_planner_value(c, entry, slot, THRONG_forces_width),
                      .going_x = lane_load(c->svx + first),
                      .going_y = lane_load(c->svy + first),
                      .shoved = c->walls.sides ? walls_shoved(c, slot) : lane_set(0),
                      .heed = c->walls.sides ? 1.0f - lane_gather(c->frustration, slot) : lane_set(1),
                      .sum_x = lane_set_i(0),
                      .sum_y = lane_set_i(0)};
    forces_unit(&me.going_x, &me.going_y);
    return me;
}

/* New velocities of agents `first` .. in slots `slot`, which prefer (dx, dy) and whose rectangles were searched. */
LANE_FN void forces_decide(const crowd *c, int32_t first, lane_m lanes, lane_i slot, lane_f dx, lane_f dy,
                           const forces_self *self)
{
    lane_i entry = lane_gather_i(c->planner, slot);
#define VALUE(name) crowd_planner_value(c, entry, slot, THRONG_forces_##name)
    lane_f hx, hy;
    facing_way(c, first, slot, &hx, &hy);
    lane_f want_x = dx, want_y = dy, vx = lane_load(c->svx + first), vy = lane_load(c->svy + first);
    forces_unit(&want_x, &want_y);
    lane_f memory = VALUE(memory), attraction = VALUE(attraction), avoidance = VALUE(avoidance) / FORCES_UNIT;
    lane_f push_x = avoidance * lane_to_f(self->sum_x), push_y = avoidance * lane_to_f(self->sum_y);
    lane_f push = lane_sqrt(lane_dot(push_x, push_y, push_x, push_y)), most = FORCES_LESS * attraction;
    lane_m wants = lane_dot(want_x, want_y, want_x, want_y) > 0;
    lane_m bounded = (VALUE(published) == 0) & wants & (avoidance > 0);
    lane_f part = lane_select(bounded & (push > most), most / push, lane_set(1));
    lane_f fx = memory * lane_gather(c->force_x, slot) + attraction * want_x + part * push_x;
    lane_f fy = memory * lane_gather(c->force_y, slot) + attraction * want_y + part * push_y;
    if (c->walls.count) {
        lane_f wall_x, wall_y, weight = VALUE(walls);
        forces_walls(c, first, lanes, self, VALUE(comfort), &wall_x, &wall_y);
        fx = fx + weight * wall_x;
        fy = fy + weight * wall_y;
    }
    forces_unit(&fx, &fy);
    lane_m none = lane_dot(fx, fy, fx, fy) < 0.5f; /* what balances goes on */
    fx = lane_select(none, hx, fx);
    fy = lane_select(none, hy, fy);
    lane_scatter(c->force_x, slot, fx, lanes);
    lane_scatter(c->force_y, slot, fy, lanes);
    limits_face(hx, hy, VALUE(max_turn) * c->frame.dt, &fx, &fy);
    lane_f speed = lane_sqrt(lane_dot(vx, vy, vx, vy)), change = VALUE(max_acceleration) * c->frame.dt;
    lane_f wanted = lane_min(lane_sqrt(lane_dot(dx, dy, dx, dy)), lane_gather(c->max_speed, slot));
    lane_f ahead = lane_clamp(lane_dot(fx, fy, want_x, want_y), lane_set(0), lane_set(1));
    lane_f arc = lane_min(wanted, lane_set(LIMITS_ARC)); /* who stands with its back to where it wants to go turns */
    wanted = lane_select(bounded, lane_max(wanted * ahead, arc), wanted);
    speed = lane_clamp(wanted, speed - change, speed + change);
    lane_store(c->nx + first, fx * speed, lanes);
    lane_store(c->ny + first, fy * speed, lanes);
#undef VALUE
}

LANE_FN void plan_forces(const crowd *c, int32_t first, lane_m lanes, lane_i slot, lane_f dx, lane_f dy)
{
    forces_self me = forces_begin(c, first, slot, dx, dy);
    forces_search(c, lanes, &me);
    forces_decide(c, first, lanes, slot, dx, dy, &me);
}

#endif
