/* BVP: a boundary value problem an agent (L. Fischer, R. Silveira, L. Nedel, "GPU accelerated path-planning for
 * multi-agents in virtual environments", 2009). A local map of cells around the agent, which is in its middle
 * one, of width w in column (w - 1) / 2, in three zones from the rim inwards:
 *   - b-zone: obstacles, but for the cells where the preferred direction meets the rim: the intermediate goal;
 *   - f-zone: free, whatever is there, so that the intermediate goal always connects;
 *   - u-zone: cells in the view cone in which the agent's centre would touch a wall or somebody are obstacles, the one
 *     with the goal is a goal; the rest is free.
 * On it equation 2 is relaxed, and the agent goes down the potential, by equations 3 to 5.
 *
 * Two things beside the paper, without which 41 of 4,000 walkers in 1,000 cluttered rooms did not arrive: they turned
 * round, lost sight of the wall that they had turned for, and turned back; or took the f-zone for a way. Who stands
 * looks all round; and if nobody is in the way, it goes where it prefers, which is right where paths are a field.
 *
 * Kept is q = 1 - p, for which the equation is the same: where p is nearly 1, among obstacles, q keeps its precision.
 * Relaxation is in red-black order, over-relaxed, by less from sweep to sweep. The best factor for the free map, which
 * is known (the eigenvalues of constant coefficients are), is too much for a crowd: q falls by orders of magnitude
 * from the rim to the middle between people, and what is left of an error falls by factor - 1 a sweep, no faster, all
 * over the map. Of the first maps of 1,000 people of 1 a square metre, of the same at random places and after 30
 * steps, the directions at the agent that are more than 0.1 rad off, the worst of the three, in percent, after 24, 32
 * and 48 sweeps of 21 x 21 cells of 0.25 m:
 *   the factor of the free map, 1.73: 83, 62, 27; 1.45: 10, 1.0, 0; falling from 1.80 to 1.07: 3.4, 0.3, 0.
 * In cells of 0.6 radii, the default, of 400 who want to one place, after 30 steps:
 *   16 x 16 cells: 12, 1.2, 0; 21 x 21: 23, 11, 2.5; 32 x 32: 48, 35, 24, and after 192 sweeps still 2.6.
 * So larger maps have more sweeps, a seventh of the square of their side, and begin lower, at 0.6 of the best factor:
 * of 2,258 maps of 24 to 64 cells in four such crowds (at random, crossing, at 0.5 and 2 a square metre) one is off.
 * For that q is counted in units of 2^-100: round the crowd and back to its middle it falls to 1e-38 of what it is at
 * the goal, and less. A power of two, it leaves the bits of all that is not as small. (Elimination by columns is exact,
 * but comes to as many operations as 64 sweeps, and each pivot waits for the last.)
 *
 * On CPU lanes a lane is an agent, and its map's cells lie a vector apart: no shuffles, no cells to spare. On CUDA a
 * thread has a tile of a map in registers, four columns wide (cuda_bvp.cu). Cells
 * of a colour do not read each other, so both orders give the same bits. */

/*--- throng.bvp(settings)
 * A potential field around every agent: a boundary value problem, solved each step (Fischer and others, 2009). With
 * routing = "field" its cells must be smaller than those of the field, which are 0.7 of the agent's radius (results of
 * behaviour functions are not checked against that). The map holds all walls and all agents within `sight`, whatever
 * `neighbours` is; with neighbours = 0, no agents. An agent that stands and has a free way sets out straight in its
 * preferred direction; epsilon and v bend its path from the next step on.
 * @example
 * dancers.planner = throng.bvp { epsilon = -1, v = function(t) return 1, math.sin(0.6 * t) end } */

/*--- class throng.bvp.settings
 * What throng.bvp takes.
 * @field v? number(1)[]|throng.behaviour_like The behaviour vector, { x, y }, or a function with two results, of any
 * length but 0; instead of v_x and v_y.
 * @field size? integer(cells)|throng.behaviour_like Cells along both sides; instead of width and height. */

#ifndef THRONG_BVP_H
#define THRONG_BVP_H

#include "bvp_beyond.h"
#include "limits.h"
#include "kernels/routing/goals.h"
#include "kernels/sense/walls.h"
#include "kernels/lane/lane_math.h"

enum { BVP_CELLS_MAX = 64 };

#define BVP_RAY        1.1f /* cells of the rim as near as this to the ray are the intermediate goal: two or three */
#define BVP_ONE        0x1p100f /* what goals have for q: in a crowd the middle has as little as 1e-38 of it, and less */
#define BVP_ROOT       0x1p50f  /* its square root */
#define BVP_SMALL      21       /* cells of the longer side: up to here maps settle in the sweeps of the default */
#define BVP_OVER_FIRST 1.1f     /* parts of the best over-relaxation of the free map in the first sweep, */
#define BVP_OVER_LARGE 0.6f     /* in that of larger maps, */
#define BVP_OVER_LAST  0.1f     /* and in the last */
#define BVP_TOUCH      0.98f    /* of the distances to be kept: who touches is not in a cell of obstacles */

/* Somebody, or a wall a -> a + e, as seen from the agent. m */
typedef struct bvp_other {
    lane_f x, y, keep;
    lane_m there;
} bvp_other;
typedef struct bvp_wall {
    lane_f ax, ay, ex, ey, over; /* over: 1 / length^2 */
    lane_m there;
} bvp_wall;

typedef struct bvp_around {
    bvp_other other[THRONG_NEIGHBOURS_MAX];
    bvp_wall wall[THRONG_WALLS_MAX];
    int others, walls;
} bvp_around;

/* What maps share that are relaxed together. */
typedef struct bvp_layout {
    lane_i entry, width, height, zone; /* of the world's planners; cells */
} bvp_layout;

/* An agent and its map. */
typedef struct bvp_map {
    int width, height, zone, sweeps;
    int column, row; /* the agent's */
    float residual;  /* of q: no sweeps after one that changed no cell by more */
    lane_f x, y, hx, hy, radius, speed, inertia;
    lane_f cell;
    lane_f to_x, to_y;     /* preferred direction, a unit vector */
    lane_f cone;           /* cosine of half the view cone's aperture */
    lane_f goal_x, goal_y; /* the goal's cell, counted from the agent's */
    lane_f bend_x, bend_y; /* epsilon v / 8 */
    bool bends;            /* somebody's is not 0 */
    lane_f over;           /* best over-relaxation of the free map */
    lane_m free;           /* go where they prefer, whatever the potential */
    const bvp_around *around;
} bvp_map;

/* A sweep: q of a cell becomes keep q + quarter (sum of its neighbours) + bend_x (right - left) + bend_y (up - down).
 */
typedef struct bvp_factors {
    lane_f keep, quarter, bend_x, bend_y;
} bvp_factors;

/* --- what is around ---------------------------------------------------------------------------- */

/* The agents' neighbours in row s of the lists: where they are, and `.keep` their radius. */
LANE_FN bvp_other bvp_find_other(const crowd *c, int32_t first, int s, lane_m lanes)
{
    lane_i j = lane_load_i(c->seen + (int64_t)s * c->stride + first);
    lane_m there = lanes & (j >= 0);
    j = lane_select_i(there, j, lane_set_i(0));
    bvp_other o = {lane_gather(c->sx, j), lane_gather(c->sy, j), lane_gather(c->sr, j), there};
    return o;
}

LANE_FN int bvp_longer(const bvp_map *m) { return m->width > m->height ? m->width : m->height; }

/* The same, as seen from the agent. `.there`: those that matter on the map. */
LANE_FN bvp_other bvp_see_other(const crowd *c, const bvp_map *m, bvp_other o)
{
    lane_f reach = m->cell * (float)bvp_longer(m);
    o.x = o.x - m->x;
    o.y = o.y - m->y;
    crowd_nearest_image(c, &o.x, &o.y);
    lane_f keep = BVP_TOUCH * (m->radius + o.keep);
    o.keep = keep * keep;
    o.there = o.there & (lane_abs(o.x) < reach + keep) & (lane_abs(o.y) < reach + keep);
    return o;
}

/* Does somebody stand where the agent would go if it went straight where it prefers? */
LANE_FN lane_m bvp_in_the_way(const bvp_map *m, const bvp_other *o)
{
    lane_f along = lane_dot(m->to_x, m->to_y, o->x, o->y), off = lane_det(m->to_x, m->to_y, o->x, o->y);
    return o->there & (along > 0) & (off * off < o->keep);
}

/* The same for walls; there are some. */
LANE_FN bvp_wall bvp_find_wall(const crowd *c, int32_t first, int s, lane_m lanes)
{
    bvp_wall w;
    lane_i j = lane_load_i(c->wall + (int64_t)s * c->stride + first);
    w.there = lanes & (j >= 0);
    j = lane_select_i(w.there, j, lane_set_i(0));
    w.ax = lane_gather(c->walls.ax, j);
    w.ay = lane_gather(c->walls.ay, j);
    w.ex = lane_gather(c->walls.bx, j) - w.ax;
    w.ey = lane_gather(c->walls.by, j) - w.ay;
    w.over = 1.0f / lane_dot(w.ex, w.ey, w.ex, w.ey);
    return w;
}

LANE_FN bvp_wall bvp_see_wall(const bvp_map *m, bvp_wall w)
{
    w.ax = w.ax - m->x;
    w.ay = w.ay - m->y;
    return w;
}

/* m: how far the centre of somebody may be who touches a cell of the inner zone, and is seen; but for the largest. */
LANE_FN lane_f bvp_farthest(const crowd *c, lane_i slot, const bvp_map *m)
{
    lane_f corner = THRONG_BVP_CORNER((float)bvp_longer(m), m->cell) + m->radius + c->frame.bulk_radius;
    return lane_min(corner, lane_gather(c->sight, slot));
}

/* Does the list of the agents from sorted index `first` on end before that? */
LANE_FN lane_m bvp_lacks_others(const crowd *c, int32_t first, lane_i slot, lane_f reach)
{
    return (lane_gather_i(c->neighbours, slot) > 0) & (reach * reach > lane_load(c->seen_reach + first));
}

/* The cell that the goal lies in; far away: none. */
LANE_FN void bvp_see_goal(const crowd *c, lane_i slot, lane_m lanes, bvp_map *m)
{
    lane_i goal = lane_gather_i(c->goal, slot);
    lanes = lanes & (goal >= 0);
    lane_f x = m->x, y = m->y;
    if (lane_any(lanes))
        goals_target(c, lane_select_i(lanes, goal, lane_set_i(0)), slot, lanes, m->x, m->y, &x, &y);
    lane_f none = lane_set(1e6f);
    m->goal_x = lane_select(lanes, lane_to_f(lane_floor_i((x - m->x) / m->cell + 0.5f)), none);
    m->goal_y = lane_select(lanes, lane_to_f(lane_floor_i((y - m->y) / m->cell + 0.5f)), none);
}

/* pi / (cells - 1), of which the cosine counts */
LANE_FN lane_f bvp_cosine(int cells)
{
    lane_f sine, cosine;
    lane_sincos(lane_set(3.14159265f / (float)(cells - 1)), &sine, &cosine);
    return cosine;
}

/* Equation 2 with epsilon and v, which need not be a unit vector; the best over-relaxation for it (D. Young, 1954),
 * where both are given of oblong maps nearly. */
LANE_FN void bvp_weigh(lane_f epsilon, lane_f vx, lane_f vy, bvp_map *m)
{
    lane_f length = lane_sqrt(lane_dot(vx, vy, vx, vy));
    lane_f scale = lane_select(length > 0, 0.125f * epsilon / length, lane_set(0));
    m->bend_x = vx * scale;
    m->bend_y = vy * scale;
    m->bends = lane_any((m->bend_x != 0) | (m->bend_y != 0));
    lane_f cosine = 0.5f * (bvp_cosine(m->width) + bvp_cosine(m->height));
    lane_f across = lane_sqrt(0.0625f - m->bend_x * m->bend_x), along = lane_sqrt(0.0625f - m->bend_y * m->bend_y);
    lane_f radius = 2.0f * cosine * (across + along);
    m->over = 2.0f / (1.0f + lane_sqrt(1.0f - radius * radius));
}

/* Of sweep s, counted from 0. */
LANE_FN bvp_factors bvp_sweep_factors(const bvp_map *m, int s)
{
    float done = (float)s / (float)(m->sweeps > 1 ? m->sweeps - 1 : 1);
    float first = bvp_longer(m) > BVP_SMALL ? BVP_OVER_LARGE : BVP_OVER_FIRST;
    lane_f over = 1.0f + (first + (BVP_OVER_LAST - first) * done) * (m->over - 1.0f);
    bvp_factors f = {1.0f - over, 0.25f * over, over * m->bend_x, over * m->bend_y};
    return f;
}

/* What columns say of agents `first` .. and their maps. */
LANE_FN void bvp_read(const crowd *c, int32_t first, lane_i slot, bvp_map *m)
{
    m->x = lane_load(c->sx + first);
    m->y = lane_load(c->sy + first);
    m->hx = lane_gather(c->hx, slot);
    m->hy = lane_gather(c->hy, slot);
    m->radius = lane_load(c->sr + first);
    m->speed = lane_gather(c->max_speed, slot);
    m->free = (lane_load(c->svx + first) == 0) & (lane_load(c->svy + first) == 0);
}

LANE_FN bvp_layout bvp_layout_of(const crowd *c, lane_i slot)
{
    bvp_layout l;
    l.entry = lane_gather_i(c->planner, slot);
    l.width = crowd_planner_whole(c, l.entry, slot, THRONG_bvp_width);
    l.height = crowd_planner_whole(c, l.entry, slot, THRONG_bvp_height);
    l.zone = crowd_planner_whole(c, l.entry, slot, THRONG_bvp_zone);
    return l;
}

/* Those of `lanes` whose maps are laid out as the first's. */
LANE_FN lane_m bvp_alike(const bvp_layout *l, lane_m lanes)
{
    return lanes & (l->entry == lane_first_i(l->entry, lanes)) & (l->width == lane_first_i(l->width, lanes)) &
           (l->height == lane_first_i(l->height, lanes)) & (l->zone == lane_first_i(l->zone, lanes));
}

/* The sweeps that a map settles in where none are given. */
LANE_FN int bvp_enough_sweeps(int longer) { return longer > BVP_SMALL ? longer * longer / 7 : 32; }

/* The rest of the maps of those in `lanes`, who are alike, without what is around: their cells, */
LANE_FN void bvp_lay_out(const crowd *c, lane_m lanes, lane_i slot, const bvp_layout *l, bvp_map *m)
{
    const float *value = c->planners[lane_first_i(l->entry, lanes)].value;
    m->width = lane_first_i(l->width, lanes);
    m->height = lane_first_i(l->height, lanes);
    m->zone = lane_first_i(l->zone, lanes);
    m->column = (m->width - 1) / 2;
    m->row = (m->height - 1) / 2;
    m->sweeps = (int)value[THRONG_bvp_sweeps];
    if (m->sweeps == 0)
        m->sweeps = bvp_enough_sweeps(bvp_longer(m));
    m->residual = BVP_ONE * value[THRONG_bvp_residual];
    lane_f given = crowd_planner_value(c, l->entry, slot, THRONG_bvp_cell);
    m->cell = walls_local_cell(given, c->width ? stadium_reach(c, slot) : m->radius); /* no other when it turns */
}

/* what agents who prefer velocities (dx, dy) do and see, */
LANE_FN void bvp_face(const crowd *c, lane_m lanes, lane_i slot, lane_i entry, lane_f dx, lane_f dy, bvp_map *m)
{
    lane_f speed = lane_sqrt(lane_dot(dx, dy, dx, dy)), sine;
    m->speed = lane_min(speed, m->speed);
    m->to_x = lane_select(speed > 0, dx / speed, m->hx);
    m->to_y = lane_select(speed > 0, dy / speed, m->hy);
    m->inertia = crowd_planner_value(c, entry, slot, THRONG_bvp_inertia);
    lane_sincos(0.5f * crowd_planner_value(c, entry, slot, THRONG_bvp_view), &sine, &m->cone);
    m->cone = lane_select(m->free, lane_set(-1), m->cone); /* who stands */
    m->free = m->free & lanes;
}

/* and what does not take those, but the cells: the equation, and the goal. */
LANE_FN void bvp_bend(const crowd *c, lane_m lanes, lane_i slot, lane_i entry, bvp_map *m)
{
    bvp_weigh(crowd_planner_value(c, entry, slot, THRONG_bvp_epsilon),
              crowd_planner_value(c, entry, slot, THRONG_bvp_v_x), crowd_planner_value(c, entry, slot, THRONG_bvp_v_y),
              m);
    bvp_see_goal(c, slot, lanes, m);
}

/* --- the map ----------------------------------------------------------------------------------- */

/* Would the agent, at (x, y) from where it is, touch somebody? A wall, `keep` the square of its own distance to keep?
 */
LANE_FN lane_m bvp_touches(const bvp_other *o, lane_f x, lane_f y)
{
    lane_f dx = o->x - x, dy = o->y - y;
    return o->there & (lane_dot(dx, dy, dx, dy) < o->keep);
}

LANE_FN lane_m bvp_touches_wall(const bvp_wall *w, lane_f keep, lane_f x, lane_f y)
{
    lane_f ax = w->ax - x, ay = w->ay - y;
    lane_f t = lane_clamp(-lane_dot(ax, ay, w->ex, w->ey) * w->over, lane_set(0), lane_set(1));
    lane_f dx = ax + t * w->ex, dy = ay + t * w->ey;
    return w->there & (lane_dot(dx, dy, dx, dy) < keep);
}

LANE_FN lane_f bvp_keep_from_walls(const bvp_map *m)
{
    lane_f keep = BVP_TOUCH * m->radius;
    return keep * keep;
}

LANE_FN lane_m bvp_blocked(const bvp_map *m, lane_f x, lane_f y)
{
    lane_m blocked = lane_none();
    lane_f keep = bvp_keep_from_walls(m);
    for (int s = 0; s < m->around->others; s++)
        blocked = blocked | bvp_touches(&m->around->other[s], x, y);
    for (int s = 0; s < m->around->walls; s++)
        blocked = blocked | bvp_touches_wall(&m->around->wall[s], keep, x, y);
    return blocked;
}

/* Is cell (x, y) from the agent's one of the intermediate goal, if it is on the rim? In the view cone? The goal's? */
LANE_FN lane_m bvp_leads_on(const bvp_map *m, float x, float y)
{
    lane_f along = m->to_x * x + m->to_y * y, off = m->to_x * y - m->to_y * x;
    return (along > 0) & (lane_abs(off) < BVP_RAY);
}

LANE_FN lane_m bvp_seen_at(const bvp_map *m, float x, float y, lane_f distance)
{
    return m->hx * x + m->hy * y >= m->cone * distance - 1e-4f;
}

LANE_FN lane_m bvp_seen(const bvp_map *m, float x, float y)
{
    return bvp_seen_at(m, x, y, lane_sqrt(lane_set(x * x + y * y)));
}

LANE_FN lane_m bvp_goal_at(const bvp_map *m, float x, float y) { return (m->goal_x == x) & (m->goal_y == y); }

/* q of cell (i, j) before relaxation, and whether that changes it; else it is given. `blocked`: by what is beyond the
 * lists. */
LANE_FN lane_f bvp_cell(const bvp_map *m, int i, int j, lane_m blocked, lane_m *changes)
{
    float x = (float)(i - m->column), y = (float)(j - m->row);
    int right = m->width - 1, top = m->height - 1;
    lane_f zero = lane_set(0), one = lane_set(BVP_ONE);
    if (i == 0 || j == 0 || i == right || j == top) {
        *changes = lane_none();
        return lane_select(bvp_leads_on(m, x, y), one, zero);
    }
    *changes = lane_not(lane_none());
    bool inner = i >= m->zone && j >= m->zone && i <= right - m->zone && j <= top - m->zone;
    if (!inner || (x == 0 && y == 0))
        return zero;
    lane_m seen = bvp_seen(m, x, y);
    if (!lane_any(seen))
        return zero;
    lane_m goal = seen & bvp_goal_at(m, x, y);
    *changes = lane_not(goal | (seen & (blocked | bvp_blocked(m, x * m->cell, y * m->cell))));
    return lane_select(goal, one, zero);
}

/* One step of a cell of q between its four neighbours. What does not bend has the same bits without the last terms. */
LANE_FN lane_f bvp_relaxed(const bvp_factors *f, bool bends, lane_f q, lane_f left, lane_f right, lane_f down,
                           lane_f up)
{
    lane_f next = f->keep * q + f->quarter * ((left + right) + (down + up));
    return bends ? next + (f->bend_x * (right - left) + f->bend_y * (up - down)) : next;
}

/* The first cell of row j in a colour's turn; then every other. */
LANE_FN int bvp_first(int j, int colour) { return 1 + ((j + 1 + colour) & 1); }

/* --- motion ------------------------------------------------------------------------------------ */

/* Velocities and new headings from the slope of q at the middle, equations 3 to 5. Who sees no way stays, and turns to
 * where it wants to go. */
LANE_FN void bvp_move(const bvp_map *m, lane_f slope_x, lane_f slope_y, lane_f *vx, lane_f *vy, lane_f *hx, lane_f *hy)
{
    lane_m large = (lane_abs(slope_x) > BVP_ROOT) | (lane_abs(slope_y) > BVP_ROOT);
    /* so that their squares are neither 0 nor infinite */
    lane_f scale = lane_select(large, lane_set(1 / BVP_ONE), lane_set(1));
    slope_x = slope_x * scale;
    slope_y = slope_y * scale;
    lane_f steep = lane_sqrt(lane_dot(slope_x, slope_y, slope_x, slope_y));
    lane_m way = (steep > 0) & lane_not(m->free);
    lane_f zx = lane_select(way, slope_x / steep, m->to_x), zy = lane_select(way, slope_y / steep, m->to_y);
    lane_f cosine = lane_dot(m->hx, m->hy, zx, zy), sine = lane_det(m->hx, m->hy, zx, zy), s, t;
    lane_sincos((1.0f - m->inertia) * lane_atan2(sine, cosine), &s, &t);
    lane_f x = m->hx * t - m->hy * s, y = m->hx * s + m->hy * t;
    lane_f length = lane_sqrt(lane_dot(x, y, x, y));
    *hx = x / length;
    *hy = y / length;
    lane_f speed = lane_select(way | m->free, m->speed * lane_clamp(cosine, lane_set(0), lane_set(1)), lane_set(0));
    *vx = *hx * speed;
    *vy = *hy * speed;
}

LANE_FN void bvp_store(const crowd *c, const bvp_map *m, int32_t first, lane_m lanes, lane_i slot, lane_f slope_x,
                       lane_f slope_y)
{
    lane_f vx, vy, hx, hy;
    bvp_move(m, slope_x, slope_y, &vx, &vy, &hx, &hy);
    lane_store(c->nx + first, vx, lanes);
    lane_store(c->ny + first, vy, lanes);
    lane_m goes = lanes & (m->speed > 0);
    if (c->turn_rate)
        limits_face(m->hx, m->hy, crowd_turn_rate(c, slot) * c->frame.dt, &hx, &hy);
    lane_scatter(c->hx, slot, hx, goes);
    lane_scatter(c->hy, slot, hy, goes);
}

#if !defined(__CUDACC__)

LANE_FN void bvp_look_around(const crowd *c, int32_t first, lane_m lanes, bvp_map *m, bvp_around *around)
{
    around->others = around->walls = 0;
    m->around = around;
    for (int s = 0; s < c->k; s++) {
        bvp_other o = bvp_see_other(c, m, bvp_find_other(c, first, s, lanes));
        m->free = m->free & lane_not(bvp_in_the_way(m, &o));
        around->other[around->others] = o;
        around->others += lane_any(o.there);
    }
    for (int s = 0; c->walls.count && s < THRONG_WALLS_MAX; s++) {
        bvp_wall w = bvp_see_wall(m, bvp_find_wall(c, first, s, lanes));
        around->wall[around->walls] = w;
        around->walls += lane_any(w.there);
    }
}

/* A map for every lane, cell (i, j) at [j * width + i]. */
typedef struct bvp_maps {
    lane_f q[BVP_CELLS_MAX * BVP_CELLS_MAX];
    lane_m changes[BVP_CELLS_MAX * BVP_CELLS_MAX];
    bool beyond;                                    /* is anything on a map that is not in the lists? */
    int32_t blocked[BVP_CELLS_MAX * BVP_CELLS_MAX]; /* by that: a bit for each lane */
} bvp_maps;

LANE_FN lane_m bvp_lanes_of(int32_t bits) { return ((lane_set_i(bits) >> lane_iota(0)) & 1) != 0; }

/* The map of one lane, as plain numbers. */
typedef struct bvp_one {
    int lane, width, column, row;         /* the agent's */
    int first_x, last_x, first_y, last_y; /* cells of the inner zone, counted from the agent's */
    float x, y, radius, cell, to_x, to_y;
    int32_t *blocked;
} bvp_one;

LANE_FN float bvp_of_lane(lane_f values, int lane)
{
    float v[LANES];
    memcpy(v, &values, sizeof v);
    return v[lane];
}

LANE_FN int32_t bvp_of_lane_i(lane_i values, int lane)
{
    int32_t v[LANES];
    memcpy(v, &values, sizeof v);
    return v[lane];
}

static bvp_one bvp_one_of(const bvp_map *m, int lane, int32_t *blocked)
{
    bvp_one o = {lane,
                 m->width,
                 m->column,
                 m->row,
                 m->zone - m->column,
                 m->width - 1 - m->zone - m->column,
                 m->zone - m->row,
                 m->height - 1 - m->zone - m->row,
                 0,
                 0,
                 0,
                 0,
                 0,
                 0,
                 blocked};
    o.x = bvp_of_lane(m->x, lane);
    o.y = bvp_of_lane(m->y, lane);
    o.radius = bvp_of_lane(m->radius, lane);
    o.cell = bvp_of_lane(m->cell, lane);
    o.to_x = bvp_of_lane(m->to_x, lane);
    o.to_y = bvp_of_lane(m->to_y, lane);
    return o;
}

/* Marks what others touch; is anybody in the way? As bvp_in_the_way and bvp_touches have it. */
static bool bvp_mark_others(const crowd *c, const bvp_one *o, bvp_beyond *beyond)
{
    float dx, dy;
    bool hindered = false;
    int x0, x1, y0, y1;
    for (int32_t n; (n = bvp_next_beyond(c, beyond, &dx, &dy)) >= 0;) {
        float reach = BVP_TOUCH * (o->radius + c->sr[n]), keep = reach * reach;
        float along = o->to_x * dx + o->to_y * dy, off = o->to_x * dy - o->to_y * dx;
        hindered = hindered || (along > 0 && off * off < keep);
        bvp_cells_between(dx - reach, dx + reach, o->cell, o->first_x, o->last_x, &x0, &x1);
        bvp_cells_between(dy - reach, dy + reach, o->cell, o->first_y, o->last_y, &y0, &y1);
        for (int j = y0; j <= y1; j++)
            for (int i = x0; i <= x1; i++) {
                float ex = dx - (float)i * o->cell, ey = dy - (float)j * o->cell;
                o->blocked[(j + o->row) * o->width + i + o->column] |= (ex * ex + ey * ey < keep) << o->lane;
            }
    }
    return hindered;
}

/* Marks what sides of walls touch, of entries `from` .. `to` of a grid's list. */
static void bvp_mark_sides(const crowd *c, const bvp_one *o, int32_t slot, const int32_t *list, int32_t from,
                           int32_t to, float shoved)
{
    float reach = BVP_TOUCH * o->radius, keep = reach * reach;
    int x0, x1, y0, y1;
    bvp_side w;
    for (int32_t n = from; n < to; n++) {
        if (!bvp_sees_side(c, slot, list[n], o->x, o->y, shoved, &w))
            continue;
        bvp_cells_between((w.ex < 0 ? w.ax + w.ex : w.ax) - reach, (w.ex > 0 ? w.ax + w.ex : w.ax) + reach, o->cell,
                          o->first_x, o->last_x, &x0, &x1);
        bvp_cells_between((w.ey < 0 ? w.ay + w.ey : w.ay) - reach, (w.ey > 0 ? w.ay + w.ey : w.ay) + reach, o->cell,
                          o->first_y, o->last_y, &y0, &y1);
        for (int j = y0; j <= y1; j++)
            for (int i = x0; i <= x1; i++)
                o->blocked[(j + o->row) * o->width + i + o->column] |=
                    bvp_touches_side(&w, keep, (float)i * o->cell, (float)j * o->cell) << o->lane;
    }
}

/* Marks what is on the maps and not in the lists. */
static __attribute__((noinline)) void bvp_mark_beyond(const crowd *c, int32_t first, lane_i slot, lane_m others,
                                                      lane_m walls, lane_f reach, bvp_map *m, bvp_maps *maps)
{
    lane_f sight = lane_gather(c->sight, slot), from = lane_load(c->seen_reach + first);
    lane_f shoved = walls_shoved(c, slot);
    lane_i still = lane_set_i(0), still_to = still, moving = still, moving_to = still;
    int32_t hindered = 0;
    memset(maps->blocked, 0, (size_t)(m->width * m->height) * sizeof *maps->blocked);
    if (lane_any(walls))
        walls_range(c, &c->walls.still, slot, m->x, m->y, walls_reach(c, slot), walls, &still, &still_to);
    if (lane_any(walls) && c->walls.sides)
        walls_range(c, &c->walls.moving, slot, m->x, m->y, walls_reach(c, slot), walls, &moving, &moving_to);
    for (int bits = lane_bits(others | walls); bits; bits &= bits - 1) {
        int lane = lane_lowest(bits);
        bvp_one o = bvp_one_of(m, lane, maps->blocked);
        if (lane_bits(others) >> lane & 1) {
            bvp_beyond beyond =
                bvp_look_beyond(c, first + lane, bvp_of_lane_i(slot, lane), o.x, o.y, bvp_of_lane(from, lane),
                                bvp_of_lane(reach, lane), bvp_of_lane(sight, lane));
            hindered |= bvp_mark_others(c, &o, &beyond) << lane;
        }
        int32_t own = bvp_of_lane_i(slot, lane);
        bvp_mark_sides(c, &o, own, c->walls.still.list, bvp_of_lane_i(still, lane), bvp_of_lane_i(still_to, lane), 0);
        bvp_mark_sides(c, &o, own, c->walls.moving.list, bvp_of_lane_i(moving, lane), bvp_of_lane_i(moving_to, lane),
                       bvp_of_lane(shoved, lane));
    }
    m->free = m->free & lane_not(bvp_lanes_of(hindered));
}

/* Looks for what the lists may lack. */
LANE_FN void bvp_look_farther(const crowd *c, int32_t first, lane_m lanes, lane_i slot, bvp_map *m, bvp_maps *maps)
{
    lane_m walls = lane_none(), others = lane_none();
    lane_f reach = bvp_farthest(c, slot, m);
    if (c->k)
        others = lanes & bvp_lacks_others(c, first, slot, reach);
    if (c->walls.count)
        walls = lanes & (lane_load_i(c->wall_count + first) == THRONG_WALLS_MAX);
    maps->beyond = lane_any(others | walls);
    if (maps->beyond)
        bvp_mark_beyond(c, first, slot, others, walls, reach, m, maps);
}

LANE_FN void bvp_fill(const bvp_map *m, bvp_maps *maps)
{
    for (int k = 0; k < m->width * m->height; k++) {
        lane_m blocked = maps->beyond ? bvp_lanes_of(maps->blocked[k]) : lane_none();
        maps->q[k] = bvp_cell(m, k % m->width, k / m->width, blocked, &maps->changes[k]);
    }
}

LANE_FN void bvp_turn(const bvp_map *m, const bvp_factors *f, bool bends, int colour, bvp_maps *maps)
{
    int l = m->width;
    for (int j = 1; j < m->height - 1; j++)
        for (int i = bvp_first(j, colour); i < l - 1; i += 2) {
            lane_f *q = maps->q + j * l + i;
            lane_f next = bvp_relaxed(f, bends, *q, q[-1], q[1], q[-l], q[l]);
            *q = lane_select(maps->changes[j * l + i], next, *q);
        }
}

/* The same in `lanes`; the largest change of a cell. */
LANE_FN lane_f bvp_turn_some(const bvp_map *m, const bvp_factors *f, int colour, lane_m lanes, bvp_maps *maps)
{
    int l = m->width;
    lane_f largest = lane_set(0);
    for (int j = 1; j < m->height - 1; j++)
        for (int i = bvp_first(j, colour); i < l - 1; i += 2) {
            lane_f *q = maps->q + j * l + i;
            lane_f next = bvp_relaxed(f, true, *q, q[-1], q[1], q[-l], q[l]);
            next = lane_select(lanes & maps->changes[j * l + i], next, *q);
            largest = lane_max(largest, lane_abs(next - *q));
            *q = next;
        }
    return largest;
}

LANE_FN void bvp_relax(const bvp_map *m, bvp_maps *maps, lane_m lanes)
{
    for (int s = 0; s < m->sweeps && lane_any(lanes); s++) {
        bvp_factors f = bvp_sweep_factors(m, s);
        if (m->residual > 0) {
            lane_f first = bvp_turn_some(m, &f, 0, lanes, maps), second = bvp_turn_some(m, &f, 1, lanes, maps);
            lanes = lanes & (lane_max(first, second) > m->residual);
            continue;
        }
        for (int colour = 0; colour < 2; colour++)
            if (m->bends)
                bvp_turn(m, &f, true, colour, maps);
            else
                bvp_turn(m, &f, false, colour, maps);
    }
}

/* The local maps of agents `first` .., who are alike, relaxed. */
LANE_FN void bvp_solve(const crowd *c, int32_t first, lane_m lanes, lane_i slot, const bvp_layout *l, lane_f dx,
                       lane_f dy, bvp_map *m, bvp_maps *maps)
{
    bvp_around around;
    bvp_read(c, first, slot, m);
    bvp_lay_out(c, lanes, slot, l, m);
    bvp_face(c, lanes, slot, l->entry, dx, dy, m);
    bvp_bend(c, lanes, slot, l->entry, m);
    bvp_look_around(c, first, lanes, m, &around);
    bvp_look_farther(c, first, lanes, slot, m, maps);
    bvp_fill(m, maps);
    bvp_relax(m, maps, lanes);
}

/* New velocities and headings of agents `first` .. */
LANE_FN void plan_bvp(const crowd *c, int32_t first, lane_m lanes, lane_i slot, lane_f dx, lane_f dy)
{
    bvp_layout layout = bvp_layout_of(c, slot);
    bvp_maps maps;
    bvp_map m;
    while (lane_any(lanes)) {
        lane_m mine = bvp_alike(&layout, lanes);
        lanes = lanes & lane_not(mine);
        bvp_solve(c, first, mine, slot, &layout, dx, dy, &m, &maps);
        const lane_f *q = maps.q + m.row * m.width + m.column;
        bvp_store(c, &m, first, mine, slot, q[1] - q[-1], q[m.width] - q[-m.width]);
    }
}

#endif

#endif
