/* Sheets of a building (contract/sheets.h): who sees whom, where they are in the grids, how people walk on them, and
 * when they come to the next. */
#ifndef THRONG_SHEETS_H
#define THRONG_SHEETS_H

#include "crowd.h"
#include "kernels/lane/philox.h"

/* The sheets of the agents in these slots. */
LANE_FN lane_i sheets_of(const crowd *c, lane_i slot) { return CROWD_INT(c, floor, slot); }

/* Those of the agents from sorted index `first` on, when the frame begins. Other lanes have the first one's. */
LANE_FN lane_i sheets_sorted(const crowd *c, int32_t first, lane_m lanes)
{
    return lane_select_i(lanes, lane_load_i(c->sheet + first), lane_set_i(c->sheet[first]));
}

/* Heights of the agents in these slots. m */
LANE_FN lane_f sheets_height(const crowd *c, lane_i slot)
{
    const throng_sheets *s = &c->sheets;
    if (!s->count)
        return lane_set(0);
    lane_i sheet = sheets_of(c, slot);
    lane_f x = lane_gather(c->x, slot) - lane_gather(s->x0, sheet),
           y = lane_gather(c->y, slot) - lane_gather(s->y0, sheet);
    return lane_gather(s->z, sheet) + (lane_gather(s->slope_x, sheet) * x + lane_gather(s->slope_y, sheet) * y);
}

/* What they stand on: a sheet's kind, as a number; 0 in a world of one sheet. */
LANE_FN lane_f sheets_ground(const crowd *c, lane_i slot)
{
    return c->sheets.count ? lane_to_f(lane_gather_i(c->sheets.kind, sheets_of(c, slot))) : lane_set(0);
}

/* Positions of the agents in these slots become places in the grids, which have the sheets side by side. */
LANE_FN void sheets_lay_out(const crowd *c, lane_i slot, lane_f *x, lane_f *y)
{
    if (!c->sheets.count)
        return;
    lane_i sheet = lane_gather_i(c->floor, slot);
    *x = *x + lane_gather(c->sheets.off_x, sheet);
    *y = *y + lane_gather(c->sheets.off_y, sheet);
}

/* Sheets whose agents are looked at from one: itself, then those joined to it, the n-th of them; SHEETS_NONE: there
 * are no more. In a world of one sheet that is SHEETS_ONLY. */
enum { SHEETS_ONLY = -1, SHEETS_NONE = -2 };
LANE_FN int32_t sheets_looked_at(const crowd *c, int32_t from, int32_t n)
{
    const throng_sheets *s = &c->sheets;
    if (n == 0)
        return s->count ? from : SHEETS_ONLY;
    if (!s->count || s->seam_start[from] + n > s->seam_start[from + 1])
        return SHEETS_NONE;
    return s->beyond[s->seam_start[from] + n - 1];
}

/* What is added to positions on a sheet for their places in the grids. m */
LANE_FN float sheets_off_x(const crowd *c, int32_t sheet) { return sheet < 0 ? 0 : c->sheets.off_x[sheet]; }
LANE_FN float sheets_off_y(const crowd *c, int32_t sheet) { return sheet < 0 ? 0 : c->sheets.off_y[sheet]; }

/* Is the agent at sorted index j on that sheet? */
LANE_FN bool sheets_hold(const crowd *c, int32_t j, int32_t sheet) { return sheet < 0 || c->sheet[j] == sheet; }

/* Squared distance to the bounds of a sheet, 0 inside. */
LANE_FN lane_f sheets_distance(const crowd *c, int32_t sheet, lane_f x, lane_f y)
{
    const throng_sheets *s = &c->sheets;
    if (sheet < 0)
        return lane_set(0);
    lane_f dx = lane_max(lane_max(s->x0[sheet] - x, x - s->x1[sheet]), lane_set(0));
    lane_f dy = lane_max(lane_max(s->y0[sheet] - y, y - s->y1[sheet]), lane_set(0));
    return dx * dx + dy * dy;
}

/* Those in `lanes` whose sheets, of the agents in these slots, are joined to sheets `other`, or are the same. */
LANE_FN lane_m sheets_meet(const crowd *c, lane_i slot, lane_i other, lane_m lanes)
{
    const throng_sheets *s = &c->sheets;
    if (!s->count)
        return lanes;
    lane_i sheet = lane_gather_i(c->floor, slot), q = lane_gather_i(s->seam_start, sheet);
    lane_i end = lane_gather_i(s->seam_start, sheet + 1);
    lane_m joined = sheet == other, apart = lanes & lane_not(joined);
    for (lane_m more = apart & (q < end); lane_any(more); q = q + 1, more = apart & (q < end))
        joined = joined | (more & (lane_gather_i(s->beyond, lane_select_i(more, q, lane_set_i(0))) == other));
    return lanes & joined;
}

/* How far beyond a seam, m, and beside its ends, as a part of its length, somebody can have come in a step. */
#define SHEETS_DEPTH  1.5f
#define SHEETS_BESIDE 0.01f

/* The sheets of agents who were on `sheet` and came to (x, y). */
LANE_FN lane_i sheets_cross(const crowd *c, lane_i sheet, lane_f x, lane_f y, lane_m lanes)
{
    const throng_sheets *s = &c->sheets;
    lane_i q = lane_gather_i(s->seam_start, sheet), end = lane_gather_i(s->seam_start, sheet + 1), to = sheet;
    for (lane_m more = lanes & (q < end); lane_any(more); q = q + 1, more = lanes & (q < end)) {
        lane_i at = lane_select_i(more, q, lane_set_i(0));
        lane_f ax = lane_gather(s->ax, at), ay = lane_gather(s->ay, at);
        lane_f ex = lane_gather(s->bx, at) - ax, ey = lane_gather(s->by, at) - ay, square = lane_dot(ex, ey, ex, ey);
        lane_f over = lane_det(x - ax, y - ay, ex, ey), along = lane_dot(x - ax, y - ay, ex, ey);
        lane_m beyond = more & (over > 0) & (over * over < SHEETS_DEPTH * SHEETS_DEPTH * square) &
                        (along > -SHEETS_BESIDE * square) & (along < (1 + SHEETS_BESIDE) * square);
        to = lane_select_i(beyond, lane_gather_i(s->beyond, at), to);
    }
    return to;
}

/* What of their speed the agents in these slots keep on these sheets who walk along (vx, vy); on the plan. */
LANE_FN lane_f sheets_keep(const crowd *c, lane_i slot, lane_i sheet, lane_f vx, lane_f vy)
{
    const throng_sheets *s = &c->sheets;
    lane_m climbs = lane_dot(vx, vy, lane_gather(s->up_x, sheet), lane_gather(s->up_y, sheet)) > 0;
    lane_f keep = lane_select(climbs, lane_gather(s->climb, sheet), lane_gather(s->descend, sheet));
    if (!c->stairs_up && !c->stairs_down)
        return keep;
    lane_f own = lane_select(climbs, CROWD_FLOAT(c, stairs_up, slot), CROWD_FLOAT(c, stairs_down, slot));
    lane_f speed = lane_gather(c->speed, slot);
    own = own * lane_gather(s->incline, sheet);
    return lane_select((own > 0) & (speed > 0), own / speed, keep);
}

/* Of velocities (vx, vy) what those ahead do not slow down: the ground's and, on belts, what leads across, to the side
 * that people keep to. */
LANE_FN void sheets_carry(const crowd *c, lane_i slot, lane_f vx, lane_f vy, lane_f *x, lane_f *y)
{
    const throng_sheets *s = &c->sheets;
    lane_i sheet = sheets_of(c, slot);
    lane_f up_x = lane_gather(s->up_x, sheet), up_y = lane_gather(s->up_y, sheet), belt = lane_gather(s->belt, sheet);
    lane_m carried = lane_not(belt == lane_set(0));
    belt = belt - lane_dot(vx, vy, up_x, up_y);
    *x = lane_select(carried, vx + belt * up_x, lane_set(0));
    *y = lane_select(carried, vy + belt * up_y, lane_set(0));
}

/* The time gap that agents in these slots keep who walk along (vx, vy): where they are slower, on stairs, distances at
 * a speed are those that they keep on floors at that of floors, so that the flow falls as the speed does (SFPE and
 * Weidmann alike scale one diagram). s */
LANE_FN lane_f sheets_time_gap(const crowd *c, lane_i slot, lane_f vx, lane_f vy, lane_f gap)
{
    return c->sheets.count ? gap / sheets_keep(c, slot, sheets_of(c, slot), vx, vy) : gap;
}

#define SHEETS_ASIDE      0.8f  /* m/s: how fast people come to the side of a belt that they keep to, at most */
#define SHEETS_ASIDE_TIME 0.25f /* s: in which they would be there */
#define SHEETS_RANDOM     0x53484554u

/* What somebody does on belts, by his number in [0, 1): those below `walkers` walk on. */
LANE_FN lane_f sheets_draw(const crowd *c, lane_i slot)
{
    lane_u id = (lane_u)lane_gather_i(c->id, slot);
    return philox_unit(philox_random(c->frame.seed, id, (lane_u)lane_set_i(0), 0, SHEETS_RANDOM).a);
}

/* The velocity across a belt, to its half on the right as seen along the way it goes, or on the left. */
LANE_FN void sheets_keep_aside(const crowd *c, lane_i slot, lane_i sheet, lane_m right, lane_f *vx, lane_f *vy)
{
    const throng_sheets *s = &c->sheets;
    lane_i seam = lane_gather_i(s->seam_start, sheet); /* as wide as the belt, any of its two */
    lane_f ax = lane_gather(s->ax, seam), ay = lane_gather(s->ay, seam), bx = lane_gather(s->bx, seam),
           by = lane_gather(s->by, seam),
           along = lane_select(lane_gather(s->belt, sheet) > 0, lane_set(1), lane_set(-1));
    lane_f rx = along * lane_gather(s->up_y, sheet), ry = -(along * lane_gather(s->up_x, sheet)); /* to the right */
    lane_f quarter = 0.25f * lane_sqrt(lane_dot(bx - ax, by - ay, bx - ax, by - ay));
    lane_f x = lane_gather(c->x, slot) - 0.5f * (ax + bx), y = lane_gather(c->y, slot) - 0.5f * (ay + by);
    lane_f off = lane_select(right, quarter, -quarter) - lane_dot(x, y, rx, ry);
    off = lane_clamp(off * (1.0f / SHEETS_ASIDE_TIME), lane_set(-SHEETS_ASIDE), lane_set(SHEETS_ASIDE));
    *vx = off * rx;
    *vy = off * ry;
}

/* The velocity on their belts of agents who would walk so: some walk on, on the left where others stand; these stand on
 * the right, or two abreast where nobody walks. */
LANE_FN void sheets_ride(const crowd *c, lane_i slot, lane_i sheet, lane_f *vx, lane_f *vy)
{
    lane_f walkers = lane_gather(c->sheets.walkers, sheet), draw = sheets_draw(c, slot), x, y;
    lane_m walks = draw < walkers;
    sheets_keep_aside(c, slot, sheet, lane_not(walks) & ((walkers > 0) | (draw < 0.5f)), &x, &y);
    lane_m parts = walkers < 1;
    *vx = lane_select(walks, *vx, lane_set(0));
    *vy = lane_select(walks, *vy, lane_set(0));
    *vx = lane_select(parts, *vx + x, *vx);
    *vy = lane_select(parts, *vy + y, *vy);
    lane_f belt = lane_gather(c->sheets.belt, sheet);
    *vx = *vx + belt * lane_gather(c->sheets.up_x, sheet);
    *vy = *vy + belt * lane_gather(c->sheets.up_y, sheet);
}

/* The preferred velocity of the agents in these slots on their sheets: slower on stairs and ramps, up and down; carried
 * by belts, on which some walk on. m/s */
LANE_FN void sheets_walk(const crowd *c, lane_i slot, lane_f *vx, lane_f *vy)
{
    const throng_sheets *s = &c->sheets;
    if (!s->count)
        return;
    lane_i sheet = sheets_of(c, slot);
    lane_f keep = sheets_keep(c, slot, sheet, *vx, *vy);
    *vx = *vx * keep;
    *vy = *vy * keep;
    lane_m carried = lane_not(lane_gather(s->belt, sheet) == lane_set(0));
    if (!lane_any(carried))
        return;
    lane_f x = *vx, y = *vy;
    sheets_ride(c, slot, sheet, &x, &y);
    *vx = lane_select(carried, x, *vx);
    *vy = lane_select(carried, y, *vy);
}

#endif
