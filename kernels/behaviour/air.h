/* What is in the air where agents stand: between the points of its grid (contract/air.h) bilinearly, between its two
 * moments linearly, and beyond its edges as at them. */
#ifndef THRONG_AIR_H
#define THRONG_AIR_H

#include "kernels/sheets.h"

/* The four points round an agent, and where it is between them. */
typedef struct air_points {
    lane_i low_left, low_right, high_left, high_right;
    lane_f across, up;
} air_points;

/* The column or row before a coordinate `at` in cells, of `count`, how far it is beyond, and the next one. */
LANE_FN lane_i air_before(lane_f at, int32_t count, lane_f *beyond, lane_i *next)
{
    at =
        lane_min(lane_max(at, lane_set(0)), lane_set((float)(count - 1))); /* in this order also of what is no number */
    lane_i before = lane_floor_i(at);
    lane_i last = lane_set_i(count - 1);
    *next = lane_select_i(before < last, before + 1, last);
    *beyond = at - lane_to_f(before);
    return before;
}

LANE_FN air_points air_find(const throng_air *air, lane_f x, lane_f y)
{
    air_points p;
    lane_i right, above;
    lane_i column = air_before((x - air->x0) * air->inverse_cell, air->columns, &p.across, &right);
    lane_i row = air_before((y - air->y0) * air->inverse_cell, air->rows, &p.up, &above);
    p.low_left = row * air->columns + column;
    p.low_right = row * air->columns + right;
    p.high_left = above * air->columns + column;
    p.high_right = above * air->columns + right;
    return p;
}

LANE_FN lane_f air_between(lane_f a, lane_f b, lane_f part) { return a + (b - a) * part; }

LANE_FN lane_f air_value(const float *layer, const air_points *p)
{
    lane_f low = air_between(lane_gather(layer, p->low_left), lane_gather(layer, p->low_right), p->across);
    lane_f high = air_between(lane_gather(layer, p->high_left), lane_gather(layer, p->high_right), p->across);
    return air_between(low, high, p->up);
}

/* Of the agents in slots `first` .. */
LANE_FN lane_f air_at(const crowd *c, int32_t layer, int32_t first)
{
    const throng_air *air = &c->air;
    int64_t points = (int64_t)air->columns * air->rows;
    lane_f x = lane_load(c->x + first), y = lane_load(c->y + first);
    sheets_lay_out(c, lane_iota(first), &x, &y);
    air_points p = air_find(air, x, y);
    lane_f value = air_value(air->value + layer * points, &p);
    float part = (c->frame.time - air->time) * air->inverse_period;
    if (!(part > 0))
        return value;
    part = part < 1 ? part : 1;
    return air_between(value, air_value(air->value + (air->layers + layer) * points, &p), lane_set(part));
}

#endif
