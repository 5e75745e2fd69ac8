/* What a local map holds beyond the lists of the sense stage, which are of the nearest neighbours and sides of walls:
 * everybody in sight whom a cell of its inner zone may touch, and every side of a wall. Where the lists reach as far,
 * which is nearly everywhere, nothing is looked for. It differs from agent to agent, so it is done one by one, in plain
 * numbers, and by the expressions of bvp.h, whose bits it shares. */
#ifndef THRONG_BVP_BEYOND_H
#define THRONG_BVP_BEYOND_H

#include "kernels/sense/walls.h"

/* An agent, and where in the grids is looked for others. */
typedef struct bvp_beyond {
    int32_t agent, slot; /* agent: sorted index */
    float x, y;
    float from, to;        /* m^2: who is nearer is in the list; who is farther touches no cell, or is out of sight */
    float sight;           /* m^2 */
    float reach;           /* m: the root of `to` */
    int32_t sheet, sheets; /* being looked at; how many have been begun */
    int32_t column, row, width, rows; /* of the grid: the rows from `row` to `rows` */
    cell_runs runs;
    int run;           /* of the row */
    bool large;        /* the largest agents are the candidates, who come last */
    int32_t at, until; /* candidates: sorted indices, or numbers of the largest */
} bvp_beyond;

LANE_FN int32_t bvp_whole(float a)
{
    int32_t whole = (int32_t)a;
    return whole - (a < (float)whole);
}

/* The cells of the next sheet. False: there is none. */
LANE_FN bool bvp_next_sheet(const crowd *c, bvp_beyond *b)
{
    b->sheet = sheets_looked_at(c, c->floor ? c->floor[b->slot] : 0, b->sheets);
    if (b->sheet == SHEETS_NONE)
        return false;
    b->sheets++;
    float x = b->x + sheets_off_x(c, b->sheet), y = b->y + sheets_off_y(c, b->sheet);
    b->column = bvp_whole((x - b->reach) * c->inverse_cell_x);
    b->row = bvp_whole((y - b->reach) * c->inverse_cell_y);
    b->width = bvp_whole((x + b->reach) * c->inverse_cell_x) - b->column + 1;
    int32_t rows = bvp_whole((y + b->reach) * c->inverse_cell_y) - b->row + 1;
    b->width = b->width < c->frame.grid_width ? b->width : c->frame.grid_width;
    b->rows = b->row + (rows < c->frame.grid_height ? rows : c->frame.grid_height);
    return true;
}

/* Those of agent `agent` at (x, y) whose centres are within `reach` and farther than `from`, both squared and m. */
LANE_FN bvp_beyond bvp_look_beyond(const crowd *c, int32_t agent, int32_t slot, float x, float y, float from,
                                   float reach, float sight)
{
    bvp_beyond b = {agent, slot,  x, y, from, reach * reach, sight * sight, reach, 0, 0, 0, 0, 0, 0, {{0, 0}, {0, 0}},
                    1,     false, 0, 0};
    bvp_next_sheet(c, &b);
    return b;
}

/* The next candidates. False: there are no more. */
LANE_FN bool bvp_next_candidates(const crowd *c, bvp_beyond *b)
{
    while (!b->large) {
        if (b->run == 0) {
            b->run = 1;
        } else if (b->row < b->rows) {
            b->runs = neighbours_runs(c, b->column, b->width, b->row++);
            b->run = 0;
        } else if (bvp_next_sheet(c, b)) {
            continue;
        } else {
            b->large = true;
            b->at = 0;
            b->until = c->frame.large_count;
            return b->until > 0;
        }
        b->at = b->runs.from[b->run];
        b->until = b->runs.to[b->run];
        if (b->at < b->until)
            return true;
    }
    return false;
}

LANE_FN float bvp_shorter(float d, float size) { return d > 0.5f * size ? d - size : d < -0.5f * size ? d + size : d; }

LANE_FN bool bvp_is_within(const crowd *c, const bvp_beyond *b, int32_t j, float to, float *dx, float *dy)
{
    *dx = c->sx[j] - b->x;
    *dy = c->sy[j] - b->y;
    if (c->frame.wrap_x > 0) {
        *dx = bvp_shorter(*dx, c->frame.wrap_x);
        *dy = bvp_shorter(*dy, c->frame.wrap_y);
    }
    float distance = *dx * *dx + *dy * *dy;
    return j != b->agent && distance >= b->from && distance <= to;
}

/* Does the agent in a slot look at that sheet? */
LANE_FN bool bvp_sees_sheet(const crowd *c, int32_t slot, int32_t sheet)
{
    for (int32_t n = 0, at; (at = sheets_looked_at(c, c->floor[slot], n)) != SHEETS_NONE; n++)
        if (at == sheet)
            return true;
    return false;
}

/* Candidate `at` by sorted index, and where it is from the agent; -1: it is none of them. The largest agents may reach
 * the map from farther away. */
LANE_FN int32_t bvp_candidate(const crowd *c, const bvp_beyond *b, int32_t at, float *dx, float *dy)
{
    if (!b->large)
        return sheets_hold(c, at, b->sheet) && bvp_is_within(c, b, at, b->to, dx, dy) ? at : -1;
    int32_t slot = c->frame.large[at], j = c->rank[slot];
    bool there = c->state[slot] && (!c->sheets.count || bvp_sees_sheet(c, b->slot, c->floor[slot]));
    return there && bvp_is_within(c, b, j, b->sight, dx, dy) ? j : -1;
}

/* The next of them; -1: there is no more. */
LANE_FN int32_t bvp_next_beyond(const crowd *c, bvp_beyond *b, float *dx, float *dy)
{
    for (;;) {
        if (b->at >= b->until && !bvp_next_candidates(c, b))
            return -1;
        int32_t j = bvp_candidate(c, b, b->at++, dx, dy);
        if (j >= 0)
            return j;
    }
}

/* A side of a wall as an agent sees it. */
typedef struct bvp_side {
    float ax, ay, ex, ey, over;
} bvp_side;

/* Is segment s one that the agent in a slot, at (x, y), who shoves bodies of less than `shoved` kg, sees? */
LANE_FN bool bvp_sees_side(const crowd *c, int32_t slot, int32_t s, float x, float y, float shoved, bvp_side *side)
{
    const throng_walls *w = &c->walls;
    if (c->sheets.count && !bvp_sees_sheet(c, slot, w->sheet[s]))
        return false;
    side->ax = w->ax[s];
    side->ay = w->ay[s];
    side->ex = w->bx[s] - side->ax;
    side->ey = w->by[s] - side->ay;
    side->over = 1.0f / (side->ex * side->ex + side->ey * side->ey);
    side->ax = side->ax - x;
    side->ay = side->ay - y;
    int32_t first = w->count - w->sides;
    return side->ax * side->ey - side->ay * side->ex < 0 && (s < first || w->mass[s - first] >= shoved);
}

/* Would the agent, at (x, y) from where it is, touch the side, when it keeps the square root of `keep` from it? */
LANE_FN bool bvp_touches_side(const bvp_side *w, float keep, float x, float y)
{
    float ax = w->ax - x, ay = w->ay - y;
    float t = -(ax * w->ex + ay * w->ey) * w->over;
    t = t > 0 ? t : 0;
    t = t < 1 ? t : 1;
    float dx = ax + t * w->ex, dy = ay + t * w->ey;
    return dx * dx + dy * dy < keep;
}

/* The cells of the map's inner zone, counted from the agent's, that something between x0 and x1 m may touch: from
 * `from` to `to`. `last` is the zone's last. */
LANE_FN void bvp_cells_between(float x0, float x1, float cell, int first, int last, int *from, int *to)
{
    float low = x0 / cell - 1.0f, high = x1 / cell + 1.0f;
    bool meets = low <= (float)last && high >= (float)first;
    *from = meets && low > (float)first ? (int)(int32_t)low : first;
    *to = !meets ? first - 1 : high < (float)last ? (int)(int32_t)high : last;
}

#endif
