/* Walls near an agent: the segments within its reach whose open side it is on,
 * nearest first, ties by segment. The grid over the walls lists for every cell
 * all segments that come within the reach of all but a few agents of it, so one
 * list is looked through; those few look through all segments.
 *
 * The sides of rigid bodies are walls that move: the last segments, with a grid
 * of their own and a velocity each. Agents heed those of bodies of some mass;
 * lighter ones they shove aside. */
#ifndef THRONG_KERNEL_WALLS_H
#define THRONG_KERNEL_WALLS_H

#include "kernels/stadium.h"
#include "neighbours.h"

#define WALLS_SHOVED 0.25f /* of an agent's mass: bodies lighter than this it does not avoid, */
#define WALLS_HELD   1.0f  /* and so much more when it is frustrated */

/* What may be within `reach` of (x, y), for the agents in these slots: the cell's list, empty outside the grid. */
LANE_FN void walls_range(const crowd *c, const throng_wall_grid *w, lane_i slot, lane_f x, lane_f y, lane_f reach,
                         lane_m lanes, lane_i *from, lane_i *to)
{
    sheets_lay_out(c, slot, &x, &y);
    lane_i column = lane_floor_i((x - w->origin_x) / w->cell), row = lane_floor_i((y - w->origin_y) / w->cell);
    lane_m inside = lanes & (column >= 0) & (column < w->columns) & (row >= 0) & (row < w->rows);
    row = lane_select_i(inside, row, lane_set_i(0)); /* far out it would be too large to multiply */
    lane_i cell = lane_select_i(inside, row * w->columns + column, lane_set_i(0));
    lane_m far = lanes & (reach > w->reach);
    cell = lane_select_i(far, lane_set_i(w->columns * w->rows), cell);
    inside = inside | far;
    *from = lane_select_i(inside, lane_gather_i(w->start, cell), lane_set_i(0));
    *to = lane_select_i(inside, lane_gather_i(w->start, cell + 1), lane_set_i(0));
}

/* The vector from (x, y) to the nearest point of segment s; what it is long, squared. */
LANE_FN lane_f walls_nearest(const throng_walls *w, lane_i s, lane_f x, lane_f y, lane_f *to_x, lane_f *to_y)
{
    lane_f ax = lane_gather(w->ax, s), ay = lane_gather(w->ay, s);
    lane_f ex = lane_gather(w->bx, s) - ax, ey = lane_gather(w->by, s) - ay;
    lane_f t = lane_dot(x - ax, y - ay, ex, ey) / lane_dot(ex, ey, ex, ey);
    t = lane_clamp(t, lane_set(0), lane_set(1));
    *to_x = ax + t * ex - x;
    *to_y = ay + t * ey - y;
    return lane_dot(*to_x, *to_y, *to_x, *to_y);
}

/* Is (x, y) on the open side, the right of a -> b? */
LANE_FN lane_m walls_open_side(const throng_walls *w, lane_i s, lane_f x, lane_f y)
{
    lane_f ax = lane_gather(w->ax, s), ay = lane_gather(w->ay, s);
    lane_f bx = lane_gather(w->bx, s), by = lane_gather(w->by, s);
    return lane_det(ax - x, ay - y, bx - ax, by - ay) < 0;
}

/* The place of segments s among the sides of bodies; of others 0, and they are not in `*sides`. */
LANE_FN lane_i walls_side(const throng_walls *w, lane_i s, lane_m lanes, lane_m *sides)
{
    int32_t first = w->count - w->sides;
    *sides = lanes & (s >= first);
    return lane_select_i(*sides, s - first, lane_set_i(0));
}

/* Those in `lanes` whose segments s may stand in a path: sides of bodies and of pillars. */
LANE_FN lane_m walls_in_paths(const throng_walls *w, lane_i s, lane_m lanes)
{
    return lanes & (s >= w->count - w->sides - w->pillars);
}

/* The velocity of segments s, 0 of walls that stand. m/s */
LANE_FN void walls_velocity(const throng_walls *w, lane_i s, lane_m lanes, lane_f *vx, lane_f *vy)
{
    *vx = *vy = lane_set(0);
    if (!w->sides)
        return;
    lane_m sides;
    lane_i side = walls_side(w, s, lanes, &sides);
    *vx = lane_select(sides, lane_gather(w->vx, side), *vx);
    *vy = lane_select(sides, lane_gather(w->vy, side), *vy);
}

/* Those in `lanes`, whose nearest point of side s of a body is at the root of `distance`, who may be inside the body or
 * come within `touch` of it in this step. */
LANE_FN lane_m walls_touchable(const crowd *c, lane_i s, lane_m open, lane_f distance, lane_f touch, lane_m lanes)
{
    lane_m sides;
    lane_i side = walls_side(&c->walls, s, lanes, &sides);
    lane_f margin = lane_select(open, touch, lane_max(touch, lane_gather(c->walls.depth, side)));
    return sides & (distance <= margin * margin);
}

/* kg: bodies lighter than this the agents in these slots shove aside. */
LANE_FN lane_f walls_shoved(const crowd *c, lane_i slot)
{
    return crowd_mass(c, slot) * (WALLS_SHOVED + WALLS_HELD * lane_gather(c->frustration, slot));
}

/* Those in `lanes` who avoid segment s: not those who shove bodies of less than `shoved` kg. */
LANE_FN lane_m walls_heeded(const throng_walls *w, lane_i s, lane_f shoved, lane_m lanes)
{
    lane_m sides;
    lane_i side = walls_side(w, s, lanes, &sides);
    return lanes & lane_not(sides & (lane_gather(w->mass, side) < shoved));
}

/* Those in `lanes`, in these slots, to whom segments s are walls: on their sheets, and no door of a lift that is open
 * to them. */
LANE_FN lane_m walls_meet(const crowd *c, lane_i slot, lane_i s, lane_m lanes)
{
    if (!c->sheets.count)
        return lanes;
    lanes = sheets_meet(c, slot, lane_gather_i(c->walls.sheet, s), lanes);
    if (c->lift) {
        lane_i lift = lane_gather_i(c->walls.lift, s);
        lanes = lanes & lane_not((lift > 0) & (lift + lane_gather_i(c->lift, slot) == 0));
    }
    return lanes;
}

/* Lists the sides of bodies that agents heed; notes who may touch one. */
LANE_FN void walls_sense_bodies(const crowd *c, lane_i slot, lane_f x, lane_f y, lane_f reach, lane_m lanes,
                                nearest_list *list)
{
    lane_f radius = stadium_reach(c, slot), shoved = walls_shoved(c, slot);
    lane_f touch = radius + c->largest_step + c->walls.body_step;
    lane_m touchable = lane_none();
    lane_i at, to;
    walls_range(c, &c->walls.moving, slot, x, y, lane_max(touch, reach), lanes, &at, &to);
    for (lane_m more = lanes & (at < to); lane_any(more); at = at + 1, more = lanes & (at < to)) {
        lane_i s = lane_gather_i(c->walls.moving.list, lane_select_i(more, at, lane_set_i(0)));
        lane_f to_x, to_y;
        lane_f distance = walls_nearest(&c->walls, s, x, y, &to_x, &to_y);
        lane_m open = walls_open_side(&c->walls, s, x, y);
        lane_m here = walls_meet(c, slot, s, more);
        touchable = touchable | walls_touchable(c, s, open, distance, touch, here);
        lane_m near = here & open & (distance <= list->distance[THRONG_WALLS_MAX - 1]);
        near = walls_heeded(&c->walls, s, shoved, near);
        if (lane_any(near))
            nearest_insert(list, THRONG_WALLS_MAX, distance, s, near);
    }
    lane_scatter_i(c->near_body, slot, lane_select_i(touchable, lane_set_i(1), lane_set_i(0)), lanes);
}

/* What the physics is told of the agent in a slot. */
LANE_FN throng_near walls_near(const crowd *c, int32_t slot)
{
    int32_t i = c->rank[slot];
    throng_near near = {slot,
                        c->sx[i],
                        c->sy[i],
                        c->svx[i],
                        c->svy[i],
                        c->nx[i],
                        c->ny[i],
                        c->sr[i],
                        crowd_mass_of(c, slot),
                        c->sheets.count ? c->floor[slot] : 0};
    return near;
}

/* m: side of a cell of bvp's local map, which is `given`, or 0. */
LANE_FN lane_f walls_local_cell(lane_f given, lane_f radius)
{
    return lane_select(given > 0, given, THRONG_BVP_CELL * radius);
}

/* m: how far from the agents in these slots walls are listed: within their time horizon, and on all of a local map.
 * The grids go by the largest of all but a few (world_limits.c). */
LANE_FN lane_f walls_reach(const crowd *c, lane_i slot)
{
    lane_f radius = stadium_reach(c, slot);
    lane_f reach = crowd_wall_horizon(c, slot) * lane_gather(c->max_speed, slot) + radius;
    if (!(c->frame.planners >> THRONG_PLANNER_bvp & 1))
        return reach;
    lane_i entry = lane_gather_i(c->planner, slot);
    lane_f longer = lane_max(lane_to_f(crowd_planner_whole(c, entry, slot, THRONG_bvp_width)),
                             lane_to_f(crowd_planner_whole(c, entry, slot, THRONG_bvp_height)));
    lane_f side = walls_local_cell(crowd_planner_value(c, entry, slot, THRONG_bvp_cell), radius);
    lane_f corner = THRONG_BVP_CORNER(longer, side) + radius;
    return lane_select((crowd_planner_kind(c, entry) == THRONG_PLANNER_bvp) & (corner > reach), corner, reach);
}

LANE_FN void walls_sense(const crowd *c, int32_t first, lane_m lanes)
{
    lane_i slot = crowd_slots(c, first, lanes);
    lane_f x = lane_load(c->sx + first), y = lane_load(c->sy + first);
    lane_f reach = walls_reach(c, slot);
    nearest_list list;
    nearest_init(&list, THRONG_WALLS_MAX, reach * reach);
    lane_i at, to;
    walls_range(c, &c->walls.still, slot, x, y, reach, lanes, &at, &to);
    for (lane_m more = lanes & (at < to); lane_any(more); at = at + 1, more = lanes & (at < to)) {
        lane_i s = lane_gather_i(c->walls.still.list, lane_select_i(more, at, lane_set_i(0)));
        lane_f to_x, to_y;
        lane_f distance = walls_nearest(&c->walls, s, x, y, &to_x, &to_y);
        lane_m near = more & (distance <= list.distance[THRONG_WALLS_MAX - 1]);
        if (!lane_any(near))
            continue;
        near = near & walls_open_side(&c->walls, s, x, y);
        near = walls_meet(c, slot, s, near);
        if (lane_any(near))
            nearest_insert(&list, THRONG_WALLS_MAX, distance, s, near);
    }
    if (c->walls.sides)
        walls_sense_bodies(c, slot, x, y, reach, lanes, &list);
    lane_i count = lane_set_i(0);
    for (int s = 0; s < THRONG_WALLS_MAX; s++) {
        lane_store_i(c->wall + (int64_t)s * c->stride + first, list.slot[s], lanes);
        count = count + lane_select_i(list.slot[s] >= 0, lane_set_i(1), lane_set_i(0));
    }
    lane_store_i(c->wall_count + first, count, lanes);
}

#endif
