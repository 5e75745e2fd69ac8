/* Fields: directions to a goal by its potential on a grid over the whole environment, solved before the run
 * (runtime/navigation/field.h).
 */
#ifndef THRONG_KERNEL_FIELDS_H
#define THRONG_KERNEL_FIELDS_H

#include "goals.h"

/* The point to walk to from (x, y) on the way to `goal`, for those in these slots; the lanes that have one. The others
 * keep theirs. Fields of buildings have the floors side by side. */
LANE_FN lane_m fields_follow(const crowd *c, lane_i slot, lane_i goal, lane_m lanes, lane_f x, lane_f y, lane_f *to_x,
                             lane_f *to_y)
{
    const throng_fields *f = &c->goals.fields;
    lane_i field = GOALS_INT(c, goal, field);
    lanes = lanes & (field >= 0);
    if (!lane_any(lanes))
        return lanes;
    field = lane_select_i(lanes, field, lane_set_i(0));
    lane_f side = lane_gather(f->cell, field), at_x = x, at_y = y;
    sheets_lay_out(c, slot, &at_x, &at_y);
    lane_f u = (at_x - lane_gather(f->x, field)) / side, v = (at_y - lane_gather(f->y, field)) / side;
    lane_i column = lane_floor_i(u), row = lane_floor_i(v), columns = lane_gather_i(f->columns, field);
    lanes = lanes & (column >= 0) & (column < columns) & (row >= 0) & (row < lane_gather_i(f->rows, field));
    lane_i cell = lane_select_i(lanes, lane_gather_i(f->base, field) + row * columns + column, lane_set_i(0));
    lane_f direction_x = lane_gather(f->direction_x, cell), direction_y = lane_gather(f->direction_y, cell),
           aim = lane_gather(f->aim, cell);
    lanes = lanes & ((direction_x != 0) | (direction_y != 0));
    direction_x = direction_x + aim * (lane_to_f(column) + 0.5f - u);
    direction_y = direction_y + aim * (lane_to_f(row) + 0.5f - v);
    *to_x = lane_select(lanes, x + side * direction_x, *to_x);
    *to_y = lane_select(lanes, y + side * direction_y, *to_y);
    return lanes;
}

#endif
