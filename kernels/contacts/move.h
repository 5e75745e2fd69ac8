/* Move: displacements become positions and velocities, in order of slot again. */
#ifndef THRONG_MOVE_H
#define THRONG_MOVE_H

#include "contacts.h"
#include "kernels/planners/facing.h"
#include "kernels/planners/yield.h"

/* `moves`: the displacements, as contacts.a has them. */
LANE_FN void move_stage(const crowd *c, const contacts *k, const float *moves, int32_t first, lane_m lanes)
{
    lane_i slot = crowd_slots(c, first, lanes);
    lane_f vx = lane_load(c->nx + first), vy = lane_load(c->ny + first);
    lane_four moved = lane_load_four(moves, first), body = lane_load_four(k->body, first);
    lane_f x = moved.a, y = moved.b;
    lane_i status = lane_load_i(k->status + first);
    lane_m pushed = (status != CONTACT_IDLE) & lane_not((x == vx * c->frame.dt) & (y == vy * c->frame.dt));
    vx = lane_select(pushed, x / c->frame.dt, vx);
    vy = lane_select(pushed, y / c->frame.dt, vy);
    lane_f to_x = body.a + x, to_y = body.b + y;
    if (c->frame.wrap_x > 0) {
        to_x = crowd_wrapped(to_x, c->frame.wrap_x);
        to_y = crowd_wrapped(to_y, c->frame.wrap_y);
    }
    if (c->sheets.count) {
        lane_i from = sheets_sorted(c, first, lanes), to = sheets_cross(c, from, to_x, to_y, lanes);
        lane_scatter_i(c->floor, slot, to, lanes & lane_not(to == from));
    }
    lane_scatter(c->x, slot, to_x, lanes);
    lane_scatter(c->y, slot, to_y, lanes);
    lane_scatter(c->vx, slot, vx, lanes);
    lane_scatter(c->vy, slot, vy, lanes);
    lane_f wx = lane_gather(c->desired_vx, slot), wy = lane_gather(c->desired_vy, slot);
    facing_look(c, slot, lanes, vx, vy, wx, wy);
    /* a touch is what changes a step by a hundredth of it, or more; walls that are grazed change it by rounding */
    lane_f want_x = lane_load(c->nx + first) * c->frame.dt, want_y = lane_load(c->ny + first) * c->frame.dt;
    lane_f off = lane_dot(x - want_x, y - want_y, x - want_x, y - want_y);
    lane_f hair = 1e-3f * body.c;
    lane_m touches = pushed & (off > 1e-4f * lane_dot(want_x, want_y, want_x, want_y) + hair * hair);
    lane_f before = lane_gather(c->frustration, slot);
    lane_m starts = touches | yield_stalls(vx, vy, wx, wy);
    lane_f after = yield_frustration(before, vx, vy, wx, wy, starts, c->frame.dt);
    lane_scatter(c->frustration, slot, after, lanes & lane_not(after == before));
}

#endif
