/* Limits: which velocities an agent can have after a step. */
#ifndef THRONG_LIMITS_H
#define THRONG_LIMITS_H

#include "crowd.h"

/* From the velocity (vx, vy), changed by at most `reach`, and at most `speed`; m/s. */
typedef struct limits {
    lane_f vx, vy, reach, speed;
} limits;

/* Pulls a velocity into the limits: towards the present one, then towards zero. */
LANE_FN void limits_pull(const limits *l, lane_f *vx, lane_f *vy)
{
    lane_f ex = *vx - l->vx, ey = *vy - l->vy, change = lane_sqrt(lane_dot(ex, ey, ex, ey));
    lane_f scale = l->reach / change;
    *vx = lane_select(change > l->reach, l->vx + ex * scale, *vx);
    *vy = lane_select(change > l->reach, l->vy + ey * scale, *vy);
    lane_f speed = lane_sqrt(lane_dot(*vx, *vy, *vx, *vy)), slower = l->speed / speed;
    *vx = lane_select(speed > l->speed, *vx * slower, *vx);
    *vy = lane_select(speed > l->speed, *vy * slower, *vy);
}

/* Is a velocity within the limits, times `margin`? */
LANE_FN lane_m limits_hold(const limits *l, lane_f vx, lane_f vy, float margin)
{
    lane_f ex = vx - l->vx, ey = vy - l->vy, reach = l->reach * margin, speed = l->speed * margin;
    return (lane_dot(ex, ey, ex, ey) <= reach * reach) & (lane_dot(vx, vy, vx, vy) <= speed * speed);
}

#endif
