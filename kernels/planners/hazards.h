/* Hazards: what agents turn away from whatever their planner, fire or a shot, or are drawn to.
 *
 * To the preferred velocity comes, for each hazard within reach,
 *     weight (1 - distance / reach) speed away
 * with `away` the unit vector from it: a weight of 1 at the place itself cancels what the agent wants, and more turns
 * it around. The sum is no faster than the agent wanted to be, or its preferred speed, where that is more. */
#ifndef THRONG_HAZARDS_H
#define THRONG_HAZARDS_H

#include "kernels/sheets.h"

/* Changes the preferred velocities (dx, dy) of agents `first` .., in slots `slot`. */
LANE_FN void hazards_turn(const crowd *c, int32_t first, lane_m lanes, lane_i slot, lane_f *dx, lane_f *dy)
{
    lane_f x = lane_load(c->sx + first), y = lane_load(c->sy + first), speed = lane_gather(c->speed, slot);
    lane_f sum_x = lane_set(0), sum_y = lane_set(0);
    for (int32_t h = 0; h < c->influences.hazards; h++) {
        const throng_hazard *hazard = &c->influences.hazard[h];
        lane_f ax = x - hazard->x, ay = y - hazard->y;
        crowd_nearest_image(c, &ax, &ay);
        lane_f distance = lane_sqrt(lane_dot(ax, ay, ax, ay));
        lane_m heeds = lanes & (distance < hazard->reach) & (distance > 1e-6f); /* in its middle no way is away */
        heeds = sheets_meet(c, slot, lane_set_i(hazard->sheet), heeds);
        lane_f push = hazard->weight * (1.0f - distance / hazard->reach) * speed;
        sum_x = sum_x + lane_select(heeds, push * (ax / distance), lane_set(0));
        sum_y = sum_y + lane_select(heeds, push * (ay / distance), lane_set(0));
    }
    lane_m turned = (sum_x != 0) | (sum_y != 0);
    lane_f limit = lane_max(lane_sqrt(lane_dot(*dx, *dy, *dx, *dy)), speed);
    sum_x = *dx + sum_x;
    sum_y = *dy + sum_y;
    lane_f length = lane_sqrt(lane_dot(sum_x, sum_y, sum_x, sum_y));
    lane_f scale = lane_select(length > limit, limit / length, lane_set(1));
    *dx = lane_select(turned, sum_x * scale, *dx);
    *dy = lane_select(turned, sum_y * scale, *dy);
}

#endif
