/* Sheets of a building (contract/sheets.h): who sees whom, where they are in the grids, how people walk on them, and
 * when they come to the next. */
#ifndef THRONG_SHEETS_H
#define THRONG_SHEETS_H

#include "crowd.h"

/* The sheets of the agents in these slots. */
LANE_FN lane_i sheets_of(const crowd *c, lane_i slot) { return CROWD_INT(c, floor, slot); }

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
LANE_FN bool sheets_hold(const crowd *c, int32_t j, int32_t sheet)
{
    return sheet < 0 || c->floor[c->slot[j]] == sheet;
}

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
    lane_m joined = sheet == other;
    for (lane_m more = lanes & (q < end); lane_any(more); q = q + 1, more = lanes & (q < end))
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

/* The preferred velocity of the agents in these slots on their sheets: slower on stairs and ramps, up and down; carried
 * by belts, on which they walk on as they do beside them. m/s */
LANE_FN void sheets_walk(const crowd *c, lane_i slot, lane_f *vx, lane_f *vy)
{
    const throng_sheets *s = &c->sheets;
    if (!s->count)
        return;
    lane_i sheet = sheets_of(c, slot);
    lane_f up_x = lane_gather(s->up_x, sheet), up_y = lane_gather(s->up_y, sheet), belt = lane_gather(s->belt, sheet);
    lane_m climbs = lane_dot(*vx, *vy, up_x, up_y) > 0;
    lane_f keep = lane_select(climbs, lane_gather(s->climb, sheet), lane_gather(s->descend, sheet));
    *vx = *vx * keep + belt * up_x;
    *vy = *vy * keep + belt * up_y;
}

#endif
