/* ClearPath's mathematics, one lane wide, against what the geometry says: a dense search of the velocity plane with
 * rays and discs, no half-planes. */
#include <string.h>

#include "crowds.h"

#include "kernels/planners/clearpath.h"

enum { AGENTS = 12, WALLS = 4 };

#define TOLERANCE 2e-3 /* m/s */
#define NOTHING   1e9  /* m/s: no velocity is permitted */

typedef struct scene {
    crowd crowd;
    throng_planner planner;
    float x[AGENTS], y[AGENTS], vx[AGENTS], vy[AGENTS], radius[AGENTS];
    float max_speed[AGENTS], horizon[AGENTS], wall_horizon[AGENTS], frustration[AGENTS];
    int32_t slot[AGENTS], entry[AGENTS], seen[AGENTS * AGENTS], seen_count[AGENTS];
    float ax[WALLS], ay[WALLS], bx[WALLS], by[WALLS];
    int32_t wall[WALLS * AGENTS], wall_count[AGENTS];
    double wanted_x[AGENTS], wanted_y[AGENTS];
} scene;

static double draw(int32_t scene, int32_t i, uint32_t what, double least, double most)
{
    return least + (most - least) * throng_random(9, (uint32_t)scene, (uint32_t)i, what, 98);
}

/* Everybody sees everybody, nearest first. */
static void see(scene *s, int32_t me)
{
    int32_t n = 0;
    for (int32_t j = 0; j < s->crowd.frame.agents; j++) {
        if (j == me)
            continue;
        int32_t at = n++;
        float d = hypotf(s->x[j] - s->x[me], s->y[j] - s->y[me]);
        for (; at > 0; at--) {
            int32_t before = s->seen[(at - 1) * AGENTS + me];
            if (hypotf(s->x[before] - s->x[me], s->y[before] - s->y[me]) <= d)
                break;
            s->seen[at * AGENTS + me] = before;
        }
        s->seen[at * AGENTS + me] = j;
    }
    s->seen_count[me] = n;
}

/* `agents` within a disc of `size` metres, apart; what they want and what they do is random. */
static void make_scene(scene *s, int32_t number, int32_t agents, double size)
{
    *s = (scene){.planner = throng_planner_default(THRONG_PLANNER_clearpath)};
    s->crowd = (crowd){.x = s->x, .frame = {.agents = agents, .dt = 0.1f}, .stride = AGENTS, .k = agents - 1};
    crowd *c = &s->crowd;
    c->sx = s->x, c->sy = s->y, c->svx = s->vx, c->svy = s->vy, c->sr = s->radius, c->slot = s->slot;
    c->seen = s->seen, c->seen_count = s->seen_count, c->wall = s->wall, c->wall_count = s->wall_count;
    c->max_speed = s->max_speed, c->horizon = s->horizon, c->wall_horizon = s->wall_horizon;
    c->frustration = s->frustration, c->planner = s->entry, c->planners = &s->planner;
    c->frame.planners = 1u << THRONG_PLANNER_clearpath;
    for (int32_t i = 0, tries = 0; i < agents; tries++) {
        s->x[i] = (float)draw(number, tries, 0, -size, size);
        s->y[i] = (float)draw(number, tries, 1, -size, size);
        s->radius[i] = (float)draw(number, tries, 2, 0.2, 0.4);
        bool free = true;
        for (int32_t j = 0; j < i; j++)
            free = free && hypotf(s->x[i] - s->x[j], s->y[i] - s->y[j]) > s->radius[i] + s->radius[j] + 0.01f;
        if (!free)
            continue;
        s->slot[i] = i;
        s->vx[i] = (float)draw(number, tries, 3, -1.2, 1.2);
        s->vy[i] = (float)draw(number, tries, 4, -1.2, 1.2);
        s->wanted_x[i] = draw(number, tries, 5, -1.2, 1.2);
        s->wanted_y[i] = draw(number, tries, 6, -1.2, 1.2);
        s->max_speed[i] = 2;
        s->horizon[i] = (float)draw(number, 0, 7, 0.5, 4);
        s->wall_horizon[i] = (float)draw(number, 0, 8, 0.5, 2);
        i++;
    }
    for (int32_t i = 0; i < agents; i++)
        see(s, i);
}

static clearpath_task first_task(const scene *s, int32_t i)
{
    return clearpath_first_task(&s->crowd, i, true, (float)s->wanted_x[i], (float)s->wanted_y[i]);
}

static clearpath_task plan(const scene *s, int32_t i)
{
    clearpath_task t = first_task(s, i);
    while (clearpath_solve(&s->crowd, s->crowd.k, s->crowd.walls.count > 0, true, &t))
        ;
    return t;
}

/* --- what the geometry says --------------------------------------------------------------- */

/* Would (wx, wy), as a velocity relative to somebody at (px, py), lead into the disc of radius r at last? */
static bool ray_hits(double px, double py, double r, double wx, double wy)
{
    return wx * px + wy * py > 0 && fabs(wx * py - wy * px) < r * hypot(wx, wy);
}

/* Does variant 1 forbid v because of agent j? It does on the other side of the axis, and where v, faster by what the
 * other can be inside, hits. Deeper than `margin`, m/s. */
static bool agent_forbids_sided(const scene *s, int32_t i, int32_t j, double vx, double vy, double margin)
{
    double px = s->x[j] - s->x[i], py = s->y[j] - s->y[i], d = hypot(px, py), r = s->radius[i] + s->radius[j];
    double wx = 2 * vx - s->vx[i] - s->vx[j], wy = 2 * vy - s->vy[i] - s->vy[j], cut = (d - r) / s->horizon[i];
    double turn = px * (s->vy[i] - s->vy[j]) - py * (s->vx[i] - s->vx[j]);
    double side = (px * wy - py * wx) / d * (turn > 0 ? 1 : -1); /* m/s, off the axis */
    if (side < -2 * margin)
        return true;
    wx += cut * px / d, wy += cut * py / d;
    double lean = r * hypot(wx, wy) - fabs(wx * py - wy * px);
    return ray_hits(px, py, r, wx, wy) && (wx * px + wy * py) / d - 2 * cut > 2 * margin && lean > 2 * margin * d;
}

/* Is v forbidden by agent j? Deeper than `margin`, m/s. */
static bool agent_forbids(const scene *s, int32_t i, int32_t j, double vx, double vy, double margin)
{
    double px = s->x[j] - s->x[i], py = s->y[j] - s->y[i], d = hypot(px, py), r = s->radius[i] + s->radius[j];
    double wx = 2 * vx - s->vx[i] - s->vx[j], wy = 2 * vy - s->vy[i] - s->vy[j];
    double forward = (wx * px + wy * py) / d - (d - r) / s->horizon[i];
    double lean = r * hypot(wx, wy) - fabs(wx * py - wy * px); /* > 0: hits */
    return ray_hits(px, py, r, wx, wy) && forward > 2 * margin && lean > 2 * margin * d;
}

static double point_segment(double x, double y, double ax, double ay, double bx, double by)
{
    double t = ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / ((bx - ax) * (bx - ax) + (by - ay) * (by - ay));
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    return hypot(ax + t * (bx - ax) - x, ay + t * (by - ay) - y);
}

/* The wall is hit at last when its nearest end to the ray is nearer than the radius, or the ray crosses it. */
static bool wall_forbids(const scene *s, int32_t i, int32_t w, double vx, double vy, double margin)
{
    double ax = s->ax[w] - s->x[i], ay = s->ay[w] - s->y[i], bx = s->bx[w] - s->x[i], by = s->by[w] - s->y[i];
    double r = s->radius[i], gap = point_segment(0, 0, ax, ay, bx, by) - r, speed = hypot(vx, vy), far = 1e4;
    double nearest = 1e9;
    if (speed == 0)
        return false;
    double x = vx / speed * far, y = vy / speed * far;
    nearest = fmin(point_segment(ax, ay, 0, 0, x, y), point_segment(bx, by, 0, 0, x, y));
    double sa = x * ay - y * ax, sb = x * by - y * bx, so = ax * by - ay * bx,
           st = (ax - x) * (by - y) - (ay - y) * (bx - x);
    if (sa * sb < 0 && so * st < 0)
        nearest = 0;
    double t = (-ax * (bx - ax) - ay * (by - ay)) / ((bx - ax) * (bx - ax) + (by - ay) * (by - ay));
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    double qx = ax + t * (bx - ax), qy = ay + t * (by - ay), q = hypot(qx, qy);
    return nearest < r - margin && (vx * qx + vy * qy) / q > fmax(gap, 0) / s->wall_horizon[i] + margin;
}

/* Would both be in each other after the step, if agent j went towards i as fast as i may towards j? */
static bool step_forbids(const scene *s, int32_t i, int32_t j, double vx, double vy, double margin)
{
    double px = s->x[j] - s->x[i], py = s->y[j] - s->y[i], d = hypot(px, py), r = s->radius[i] + s->radius[j];
    double room = (d - r) / (2 * (double)s->crowd.frame.dt);
    double together = ((s->vx[i] + s->vx[j]) * px + (s->vy[i] + s->vy[j]) * py) / (2 * d);
    together = fmax(-room, fmin(room, together));
    return (vx * px + vy * py) / d > together + room + margin;
}

static bool forbidden(const scene *s, int32_t i, int32_t used, double vx, double vy, double margin)
{
    bool sided = s->planner.value[THRONG_clearpath_variant] == 1;
    int32_t cones = sided ? used : used - s->seen_count[i];
    for (int32_t n = 0; n < cones; n++)
        if ((sided ? agent_forbids_sided : agent_forbids)(s, i, s->seen[n * AGENTS + i], vx, vy, margin))
            return true;
    for (int32_t n = 0; !sided && n < used && n < s->seen_count[i]; n++)
        if (step_forbids(s, i, s->seen[n * AGENTS + i], vx, vy, margin))
            return true;
    for (int32_t w = 0; w < s->crowd.walls.count; w++)
        if (wall_forbids(s, i, w, vx, vy, margin))
            return true;
    return false;
}

/* Can agent i have this velocity after a step? */
static bool reachable(const scene *s, int32_t i, double most, double vx, double vy)
{
    double reach = s->planner.value[THRONG_clearpath_max_acceleration] * s->crowd.frame.dt;
    return hypot(vx, vy) <= most && hypot(vx - s->vx[i], vy - s->vy[i]) <= reach;
}

/* Samples a square of the velocity plane for the permitted velocity nearest to what agent i wants. */
static void sample(const scene *s, int32_t i, int32_t used, double most, throng_point centre, double half, double step,
                   throng_point *best, double *best_distance)
{
    for (double vx = centre.x - half; vx <= centre.x + half; vx += step)
        for (double vy = centre.y - half; vy <= centre.y + half; vy += step) {
            double distance = hypot(vx - s->wanted_x[i], vy - s->wanted_y[i]);
            if (distance < *best_distance && reachable(s, i, most, vx, vy) && !forbidden(s, i, used, vx, vy, 0)) {
                *best_distance = distance;
                *best = (throng_point){vx, vy};
            }
        }
}

/* The least distance to what agent i wants of the velocities up to `most` that `used` neighbours permit. */
static double search(const scene *s, int32_t i, int32_t used, double most)
{
    double distance = NOTHING;
    throng_point best = {0, 0};
    sample(s, i, used, most, best, most, 0.03, &best, &distance);
    sample(s, i, used, most, best, 0.03, 0.001, &best, &distance);
    return distance;
}

/* --- the definition: every candidate tried, in double precision ------------------------------------ */

/* Rounding, gaps that are passed over (CLEARPATH_SLIT), and that who is on the left costs half a per cent more. */
#define GAP           4e-4 /* m/s */
#define ROUND         2e-4 /* m/s */
#define AT_MOST(cost) (1.0051 * (cost) + ROUND)

/* Forbids the velocities with n . v > d of all its lines. */
typedef struct forbidden_region {
    int lines;
    double nx[3], ny[3], d[3];
} forbidden_region;

/* What agent i may not choose, with all regions larger and limits smaller by `margin`; within `speed` of 0 and `reach`
 * of (vx, vy). */
typedef struct definition {
    forbidden_region region[2 * AGENTS];
    int regions;
    double wx, wy, vx, vy, speed, reach;
} definition;

static void forbid(forbidden_region *r, double nx, double ny, double d)
{
    int n = r->lines++;
    r->nx[n] = nx, r->ny[n] = ny, r->d[n] = d;
}

static forbidden_region *new_region(definition *p)
{
    p->region[p->regions] = (forbidden_region){0};
    return &p->region[p->regions++];
}

/* The truncated cone of agent j, its cut across the axis where both touch at the horizon; of variant 1 with the side
 * that is left alone, and both legs moved back but as published. */
static void forbid_agent(definition *p, const scene *s, int32_t i, int32_t j, double part, double margin)
{
    bool sided = s->planner.value[THRONG_clearpath_variant] == 1, letter = s->planner.value[THRONG_clearpath_published];
    double px = s->x[j] - s->x[i], py = s->y[j] - s->y[i], d = hypot(px, py), r = s->radius[i] + s->radius[j];
    double axis = atan2(py, px), half = asin(r / d), cut = (d - r) / (2 * (s->horizon[i] * part));
    double ax = ((double)s->vx[i] + s->vx[j]) / 2, ay = ((double)s->vy[i] + s->vy[j]) / 2;
    double back = sided && !letter ? cut * sin(half) : 0;
    forbidden_region *cone = new_region(p);
    forbid(cone, cos(axis), sin(axis), ax * cos(axis) + ay * sin(axis) + cut - margin);
    for (int side = -1; side <= 1; side += 2) {
        double nx = cos(axis + side * (half - M_PI / 2)), ny = sin(axis + side * (half - M_PI / 2));
        forbid(cone, nx, ny, ax * nx + ay * ny - back - margin);
    }
    if (!sided)
        return;
    double hand = px * ((double)s->vy[i] - s->vy[j]) - py * ((double)s->vx[i] - s->vx[j]) > 0 ? 1 : -1;
    double nx = hand * sin(axis), ny = -hand * cos(axis);
    forbid(new_region(p), nx, ny, ax * nx + ay * ny - margin);
}

/* What would make both meet within the step. */
static void forbid_step(definition *p, const scene *s, int32_t i, int32_t j, double margin)
{
    double px = s->x[j] - s->x[i], py = s->y[j] - s->y[i], d = hypot(px, py), r = s->radius[i] + s->radius[j];
    double room = (d - r) / (2 * (double)s->crowd.frame.dt);
    double together = (((double)s->vx[i] + s->vx[j]) * px + ((double)s->vy[i] + s->vy[j]) * py) / (2 * d);
    together = fmax(-room, fmin(room, together));
    forbid(new_region(p), px / d, py / d, together + room - margin);
}

static bool within(const definition *p, double x, double y, double margin)
{
    return hypot(x, y) <= p->speed + margin && hypot(x - p->vx, y - p->vy) <= p->reach + margin;
}

/* Is (x, y) deeper than `depth` in a region? */
static bool taken(const definition *p, double x, double y, double depth)
{
    for (int r = 0; r < p->regions; r++) {
        bool in = true;
        for (int n = 0; n < p->region[r].lines; n++)
            in = in && p->region[r].nx[n] * x + p->region[r].ny[n] * y > p->region[r].d[n] + depth;
        if (in)
            return true;
    }
    return false;
}

typedef struct candidate {
    double x, y, cost;
} candidate;

/* Keeps (x, y) if it is free and the nearest to what is wanted; `limited`: 1 within the limits, 0 outside them, -1 all
 * the same. */
static void consider(const definition *p, int limited, double x, double y, candidate *best)
{
    double cost = hypot(x - p->wx, y - p->wy);
    bool fits = limited < 0 || (limited ? within(p, x, y, 1e-7) : !within(p, x, y, -10 * GAP));
    if (cost < best->cost && fits && !taken(p, x, y, 1e-9))
        *best = (candidate){x, y, cost};
}

static void consider_circle(const definition *p, double nx, double ny, double d, double cx, double cy, double radius,
                            candidate *best)
{
    double off = d - nx * cx - ny * cy, half = sqrt(radius * radius - off * off);
    if (!(fabs(off) <= radius))
        return;
    for (int sign = -1; sign <= 1; sign += 2)
        consider(p, 1, cx + off * nx - sign * half * ny, cy + off * ny + sign * half * nx, best);
}

/* What is wanted, clamped to the limits: to the one, the other, or where their circles meet. */
static void consider_clamped(const definition *p, candidate *best)
{
    double w = hypot(p->wx, p->wy), e = hypot(p->wx - p->vx, p->wy - p->vy), v = hypot(p->vx, p->vy);
    consider(p, 1, p->wx, p->wy, best);
    consider(p, 1, p->wx / w * p->speed, p->wy / w * p->speed, best);
    consider(p, 1, p->vx + (p->wx - p->vx) / e * p->reach, p->vy + (p->wy - p->vy) / e * p->reach, best);
    double along = (p->speed * p->speed - p->reach * p->reach + v * v) / (2 * v);
    consider_circle(p, p->vx / v, p->vy / v, along, 0, 0, p->speed, best);
}

static candidate nearest_within(const definition *p)
{
    candidate best = {0, 0, NOTHING};
    consider_clamped(p, &best);
    return best;
}

static definition define(const scene *s, int32_t i, const clearpath_task *t, double margin)
{
    bool sided = s->planner.value[THRONG_clearpath_variant] == 1, letter = s->planner.value[THRONG_clearpath_published];
    int32_t seen = s->seen_count[i], cones = sided || letter ? t->used : t->used - seen;
    definition p = {.wx = (float)s->wanted_x[i], .wy = (float)s->wanted_y[i], .vx = s->vx[i], .vy = s->vy[i]};
    p.speed = s->max_speed[i];
    p.reach = s->planner.value[THRONG_clearpath_max_acceleration] * s->crowd.frame.dt;
    if (letter) { /* whose preferred velocities keep to the limits */
        candidate clamped = nearest_within(&p);
        p.wx = clamped.x, p.wy = clamped.y;
    }
    p.speed -= fmax(margin, 0), p.reach -= fmax(margin, 0);
    for (int32_t n = 0; n < cones; n++)
        forbid_agent(&p, s, i, s->seen[n * AGENTS + i], t->part, margin);
    for (int32_t n = 0; !sided && !letter && n < seen && n < t->used; n++)
        forbid_step(&p, s, i, s->seen[n * AGENTS + i], margin);
    return p;
}

/* The least distance to what is wanted of the candidates: what is wanted, clamped; the nearest point of every line;
 * where lines meet each other, and the limits' circles. */
static double least(const definition *p, int limited)
{
    candidate best = {0, 0, NOTHING};
    double nx[8 * AGENTS], ny[8 * AGENTS], d[8 * AGENTS];
    int lines = 0;
    consider(p, limited, p->wx, p->wy, &best);
    if (limited == 1)
        consider_clamped(p, &best);
    for (int r = 0; r < p->regions; r++)
        for (int n = 0; n < p->region[r].lines; n++, lines++)
            nx[lines] = p->region[r].nx[n], ny[lines] = p->region[r].ny[n], d[lines] = p->region[r].d[n];
    for (int a = 0; a < lines; a++) {
        double off = d[a] - nx[a] * p->wx - ny[a] * p->wy;
        consider(p, limited, p->wx + off * nx[a], p->wy + off * ny[a], &best);
        for (int b = 0; b < a; b++) {
            double slope = nx[a] * ny[b] - ny[a] * nx[b];
            consider(p, limited, (d[a] * ny[b] - d[b] * ny[a]) / slope, (d[b] * nx[a] - d[a] * nx[b]) / slope, &best);
        }
        if (limited == 1) {
            consider_circle(p, nx[a], ny[a], d[a], 0, 0, p->speed, &best);
            consider_circle(p, nx[a], ny[a], d[a], p->vx, p->vy, p->reach, &best);
        }
    }
    return best.cost;
}

typedef struct tally {
    int blocked, given_up, wrong, unlike, exact;
    double worst; /* m/s farther than the best */
} tally;

static void count_wrong(tally *n, double excess)
{
    n->wrong++;
    n->worst = fmax(n->worst, excess);
}

/* An attempt that was given up: was there something within the limits? As published, what is best must break them. */
static void check_given_up(const scene *s, int32_t i, const clearpath_task *t, tally *n)
{
    definition wide = define(s, i, t, GAP), narrow = define(s, i, t, -GAP);
    double best = least(&wide, 1);
    n->given_up++;
    if (best < NOTHING && !(s->planner.value[THRONG_clearpath_published] && least(&narrow, 0) <= AT_MOST(best)))
        count_wrong(n, NOTHING);
}

/* All attempts of agent i; the last one, with what came of it. */
static clearpath_task check_by_definition(const scene *s, int32_t i, tally *n)
{
    clearpath_task t = first_task(s, i), tried = t;
    while (tried = t, clearpath_solve(&s->crowd, s->crowd.k, false, true, &t))
        check_given_up(s, i, &tried, n);
    definition wide = define(s, i, &tried, GAP), exact = define(s, i, &tried, 0);
    candidate clamped = nearest_within(&(definition){
        .wx = exact.wx, .wy = exact.wy, .vx = exact.vx, .vy = exact.vy, .speed = exact.speed, .reach = exact.reach});
    n->blocked += taken(&exact, clamped.x, clamped.y, 0);
    double cost = hypot(t.vx - exact.wx, t.vy - exact.wy);
    double best = least(&wide, s->planner.value[THRONG_clearpath_published] ? -1 : 1);
    bool forbidden = taken(&exact, t.vx, t.vy, ROUND) || !within(&exact, t.vx, t.vy, ROUND);
    if (clamped.cost < NOTHING && best < NOTHING &&
        (forbidden || cost > AT_MOST(best))) /* else there is none to choose */
        count_wrong(n, forbidden ? NOTHING : cost - best);
    return t;
}

/* The same with left and right exchanged. */
static void mirror(const scene *s, scene *m)
{
    *m = *s;
    crowd *c = &m->crowd;
    for (int32_t i = 0; i < c->frame.agents; i++)
        m->y[i] = -s->y[i], m->vy[i] = -s->vy[i], m->wanted_y[i] = -s->wanted_y[i];
    c->x = c->sx = m->x, c->sy = m->y, c->svx = m->vx, c->svy = m->vy, c->sr = m->radius, c->slot = m->slot;
    c->seen = m->seen, c->seen_count = m->seen_count, c->wall = m->wall, c->wall_count = m->wall_count;
    c->max_speed = m->max_speed, c->horizon = m->horizon, c->wall_horizon = m->wall_horizon;
    c->frustration = m->frustration, c->planner = m->entry, c->planners = &m->planner;
}

/* Mirrored problems have mirrored answers, but for ties, which go to the right in both. */
static void check_mirrored(const scene *s, int32_t i, const clearpath_task *t, tally *n)
{
    scene m;
    mirror(s, &m);
    clearpath_task other = check_by_definition(&m, i, n);
    double cost = hypot(t->vx - s->wanted_x[i], t->vy - s->wanted_y[i]);
    double mirrored = hypot(other.vx - s->wanted_x[i], -other.vy - s->wanted_y[i]);
    n->exact += t->vx == other.vx && t->vy == -other.vy;
    if (!s->planner.value[THRONG_clearpath_published]) /* where ties decide whether the limits are broken */
        n->unlike += t->used != other.used || cost > AT_MOST(mirrored) || mirrored > AT_MOST(cost);
}

/* --- tests ---------------------------------------------------------------------------------- */

static void check_best(const scene *s, int32_t i)
{
    clearpath_task t = plan(s, i);
    assert_true(hypotf(t.vx, t.vy) <= 2.002f);
    assert_false(forbidden(s, i, t.used, t.vx, t.vy, TOLERANCE));
    double cost = hypot(t.vx - s->wanted_x[i], t.vy - s->wanted_y[i]);
    double found = search(s, i, t.used, 2);
    if (cost > 1.006 * found + TOLERANCE) /* 1.005: who is on the left costs so much more */
        fail_msg("agent %d, %d neighbours: (%g, %g) is %g from (%g, %g), a sample %g", i, t.used, t.vx, t.vy, cost,
                 s->wanted_x[i], s->wanted_y[i], found);
    if (t.used < first_task(s, i).used) /* with one more there was none */
        assert_true(search(s, i, t.used + 1, 2) == NOTHING);
}

static void nothing_sampled_is_better(void **state)
{
    (void)state;
    for (int32_t number = 0; number < 60; number++) {
        scene s;
        make_scene(&s, number, 2 + number % (AGENTS - 2), 1 + 0.15 * (number % 20));
        for (int32_t i = 0; i < s.crowd.frame.agents; i++)
            check_best(&s, i);
    }
}

static void nothing_sampled_is_better_on_the_side_taken(void **state)
{
    (void)state;
    int feasible = 0;
    for (int32_t number = 0; number < 60; number++) {
        scene s;
        make_scene(&s, number, 2 + number % 6, 2 + 0.15 * (number % 20));
        s.planner.value[THRONG_clearpath_variant] = 1;
        for (int32_t i = 0; i < s.crowd.frame.agents; i++) {
            if (plan(&s, i).part < 1) /* with half the horizon, other regions */
                continue;
            check_best(&s, i);
            feasible++;
        }
    }
    assert_true(feasible > 100);
}

static void nothing_sampled_is_better_of_what_can_be_reached(void **state)
{
    (void)state;
    for (int32_t number = 0; number < 60; number++) {
        scene s;
        make_scene(&s, number, 2 + number % 6, 2);
        s.planner.value[THRONG_clearpath_max_acceleration] = 5;
        for (int32_t i = 0; i < s.crowd.frame.agents; i++) {
            s.wanted_x[i] = s.vx[i] + draw(number, i, 40, -0.3, 0.3); /* within reach */
            s.wanted_y[i] = s.vy[i] + draw(number, i, 41, -0.3, 0.3);
            check_best(&s, i);
        }
    }
}

static void nothing_sampled_is_better_among_walls(void **state)
{
    (void)state;
    for (int32_t number = 0; number < 60; number++) {
        scene s;
        make_scene(&s, number, 1 + number % 5, 2);
        crowd *c = &s.crowd;
        c->walls = (throng_walls){.count = 1 + number % WALLS, .ax = s.ax, .ay = s.ay, .bx = s.bx, .by = s.by};
        for (int32_t w = 0; w < c->walls.count; w++) {
            double turn = draw(number, w, 20, 0, 6.28), away = draw(number, w, 21, 2.5, 4),
                   half = draw(number, w, 22, 0.1, 3);
            s.ax[w] = (float)(away * cos(turn) - half * sin(turn)),
            s.ay[w] = (float)(away * sin(turn) + half * cos(turn));
            s.bx[w] = (float)(away * cos(turn) + half * sin(turn)),
            s.by[w] = (float)(away * sin(turn) - half * cos(turn));
            for (int32_t i = 0; i < c->frame.agents; i++)
                s.wall[w * AGENTS + i] = w;
        }
        for (int32_t i = 0; i < c->frame.agents; i++) {
            s.wall_count[i] = c->walls.count;
            check_best(&s, i);
        }
    }
}

/* Where limits bind, too, the definition's best is chosen, and mirrored problems have mirrored answers. */
static void nothing_of_the_definition_is_better(void **state)
{
    (void)state;
    static const struct {
        float variant, published, acceleration;
        bool fast; /* prefers its greatest speed */
    } settings[] = {{2, 0, 1e6f, false}, {2, 0, 1e6f, true}, {2, 0, 4, false},   {2, 0, 10, false},
                    {2, 0, 4, true},     {2, 0, 10, true},   {1, 0, 1e6f, true}, {1, 0, 10, true},
                    {1, 1, 1e6f, true},  {1, 1, 10, true},   {2, 1, 1e6f, true}, {2, 1, 10, true}};
    for (int n = 0; n < (int)(sizeof settings / sizeof *settings); n++) {
        tally count = {0};
        int cases = 0;
        for (int32_t number = 0; count.blocked < 10000; number++) {
            scene s;
            make_scene(&s, number, 7, 1.6 + 0.1 * (number % 20));
            s.planner.value[THRONG_clearpath_variant] = settings[n].variant;
            s.planner.value[THRONG_clearpath_published] = settings[n].published;
            s.planner.value[THRONG_clearpath_max_acceleration] = settings[n].acceleration;
            for (int32_t i = 0; i < s.crowd.frame.agents; i++, cases++) {
                if (settings[n].fast)
                    s.max_speed[i] = hypotf((float)s.wanted_x[i], (float)s.wanted_y[i]);
                clearpath_task t = check_by_definition(&s, i, &count);
                check_mirrored(&s, i, &t, &count);
            }
        }
        if (count.wrong || count.unlike || count.exact < cases / 2)
            fail_msg("variant %g, published %g, acceleration %g, %s: of %d blocked cases %d wrong, by %g m/s at most, "
                     "%d unlike their mirror images; %d of %d exactly like them; %d given up",
                     settings[n].variant, settings[n].published, settings[n].acceleration,
                     settings[n].fast ? "fast" : "slow", count.blocked, count.wrong, count.worst, count.unlike,
                     count.exact, cases, count.given_up);
        assert_true(count.given_up > 10); /* it was tested */
    }
}

static bool beyond(const clearpath_line *l, float vx, float vy) { return lane_dot(l->nx, l->ny, vx, vy) > l->d; }

/* Is (vx, vy) in some region of agent i? */
static bool in_region(const scene *s, int32_t i, float vx, float vy)
{
    clearpath_task t = first_task(s, i);
    clearpath_self me = clearpath_look_at_self(&s->crowd, &t);
    clearpath_line line[CLEARPATH_LINES];
    clearpath_lines g = {line, 0, 0};
    clearpath_collect(&s->crowd, s->crowd.k, false, &me, &t, true, &g);
    for (int r = 0; r < g.regions; r++) {
        bool in = true;
        for (int side = 0; side < CLEARPATH_SIDES; side++)
            in = in && beyond(&line[CLEARPATH_SIDES * r + side], vx, vy);
        if (in)
            return true;
    }
    for (int half = 0; half < g.halves; half++)
        if (beyond(clearpath_half_line(&g, half), vx, vy))
            return true;
    return false;
}

/* Agents 0 and 1 both change their velocity alike: when do they touch? INFINITY: never. */
static double time_to_touch(const scene *s, int32_t i, int32_t j, double vx, double vy, double ux, double uy)
{
    double px = s->x[j] - s->x[i], py = s->y[j] - s->y[i], r = s->radius[i] + s->radius[j];
    double wx = vx - ux, wy = vy - uy, a = wx * wx + wy * wy, b = px * wx + py * wy, c = px * px + py * py - r * r;
    return b > 0 && b * b > a * c ? (b - sqrt(b * b - a * c)) / a : INFINITY;
}

static void the_cut_is_where_both_touch_at_the_horizon(void **state)
{
    (void)state;
    for (int32_t number = 0; number < 200; number++) {
        scene s;
        make_scene(&s, number, 2, 3);
        double px = s.x[1] - s.x[0], py = s.y[1] - s.y[0], d = hypot(px, py);
        double ax = 0.5 * (s.vx[0] + s.vx[1]), ay = 0.5 * (s.vy[0] + s.vy[1]);
        double beyond = (d - s.radius[0] - s.radius[1]) / (2 * s.horizon[0]);
        for (int inside = 0; inside < 2; inside++) {
            double off = beyond * (inside ? 1.05 : 0.95) / d;
            double vx = ax + off * px, vy = ay + off * py, ux = ax - off * px, uy = ay - off * py;
            double touch = time_to_touch(&s, 0, 1, vx, vy, ux, uy);
            assert_int_equal(in_region(&s, 0, (float)vx, (float)vy), inside);
            assert_int_equal(in_region(&s, 1, (float)ux, (float)uy), inside);
            assert_int_equal(touch < s.horizon[0], inside);
        }
    }
}

/* Theorem 1: when all find a velocity under ClearPath-1, no pair collides within the horizon. */
static void feasible_for_all_means_no_collision(void **state)
{
    (void)state;
    int feasible = 0, near = 0;
    for (int32_t number = 0; number < 4000; number++) {
        scene s;
        make_scene(&s, number, 2 + number % 5, 1 + 0.1 * (number % 30));
        s.planner.value[THRONG_clearpath_variant] = 1;
        float vx[AGENTS], vy[AGENTS];
        bool all = true;
        for (int32_t i = 0; i < s.crowd.frame.agents && all; i++) {
            s.max_speed[i] = 20;
            clearpath_task t = first_task(&s, i);
            all = !clearpath_solve(&s.crowd, s.crowd.k, false, true, &t);
            vx[i] = t.vx;
            vy[i] = t.vy;
        }
        feasible += all;
        for (int32_t i = 0; all && i < s.crowd.frame.agents; i++)
            for (int32_t j = 0; j < i; j++) {
                double wanted = time_to_touch(&s, i, j, s.wanted_x[i], s.wanted_y[i], s.wanted_x[j], s.wanted_y[j]);
                near += wanted < s.horizon[i];
                s.radius[i] -= 1e-3f; /* what rounding may do */
                assert_true(time_to_touch(&s, i, j, vx[i], vy[i], vx[j], vy[j]) > s.horizon[i]);
                s.radius[i] += 1e-3f;
            }
    }
    assert_true(feasible > 500 && near > 500); /* it was tested */
}

/* Who does not collide, and sees all who are near, does not after the step. */
static void nobody_meets_within_the_step(void **state)
{
    (void)state;
    int dropped = 0, near = 0;
    for (int32_t number = 0; number < 4000; number++) {
        scene s;
        int32_t agents = 2 + number % (AGENTS - 1);
        make_scene(&s, number, agents, 0.6 + 0.08 * agents + 0.005 * (number % 60));
        double x[AGENTS], y[AGENTS];
        for (int32_t i = 0; i < s.crowd.frame.agents; i++) {
            clearpath_task t = plan(&s, i);
            dropped += t.used < 2 * s.seen_count[i];
            x[i] = s.x[i] + (double)s.crowd.frame.dt * t.vx;
            y[i] = s.y[i] + (double)s.crowd.frame.dt * t.vy;
        }
        for (int32_t i = 0; i < s.crowd.frame.agents; i++)
            for (int32_t j = 0; j < i; j++) {
                near += hypot(x[i] - x[j], y[i] - y[j]) < s.radius[i] + s.radius[j] + 0.02;
                assert_true(hypot(x[i] - x[j], y[i] - y[j]) > s.radius[i] + s.radius[j] - 1e-4);
            }
    }
    assert_true(dropped > 100 && near > 100);
}

static void variant_1_shortens_the_horizon_and_finds_a_way(void **state)
{
    (void)state;
    int shortened = 0;
    for (int32_t number = 0; number < 200; number++) {
        scene s;
        make_scene(&s, number, 8, 1.3);
        s.planner.value[THRONG_clearpath_variant] = 1;
        for (int32_t i = 0; i < s.crowd.frame.agents; i++) {
            clearpath_task t = plan(&s, i);
            shortened += t.part < 1;
            assert_true(isfinite(t.vx) && hypotf(t.vx, t.vy) <= 2.002f);
        }
    }
    assert_true(shortened > 100);
}

static void those_who_collide_part_and_want_nothing_else(void **state)
{
    (void)state;
    for (int32_t number = 0; number < 100; number++) {
        scene s;
        make_scene(&s, number, 2, 3);
        s.x[1] = s.x[0] + (float)draw(number, 0, 30, -0.1, 0.1); /* one in the other */
        s.y[1] = s.y[0] + (float)draw(number, 0, 31, 0, 0.3);
        if (number % 10 == 0)
            s.x[1] = s.x[0], s.y[1] = s.y[0];
        s.vx[0] = s.vy[0] = s.vx[1] = s.vy[1] = 0; /* so that both leave by the same tangent */
        s.max_speed[0] = s.max_speed[1] = 20;
        clearpath_task a = plan(&s, 0), b = plan(&s, 1);
        double x = s.x[1] - s.x[0] + 0.1 * (b.vx - a.vx), y = s.y[1] - s.y[0] + 0.1 * (b.vy - a.vy);
        assert_int_equal(a.used, 2);
        assert_true(hypot(x, y) > 0.999 * (s.radius[0] + s.radius[1])); /* in one step */
        s.wanted_x[0] += 1;
        assert_true(plan(&s, 0).vx == a.vx && plan(&s, 0).vy == a.vy);
    }
}

/* A change of velocity is at most what the acceleration allows, and those who need more give up the farthest. */
static void acceleration_has_its_limit(void **state)
{
    (void)state;
    int dropped = 0;
    for (int32_t number = 0; number < 100; number++) {
        scene s;
        make_scene(&s, number, 6, 2);
        s.planner.value[THRONG_clearpath_max_acceleration] = 2;
        for (int32_t i = 0; i < s.crowd.frame.agents; i++) {
            clearpath_task t = plan(&s, i);
            assert_true(hypotf(t.vx - s.vx[i], t.vy - s.vy[i]) <= 2 * 0.1f * 1.001f);
            dropped += t.used < first_task(&s, i).used;
        }
    }
    assert_true(dropped > 50);
}

/* As CUDA makes them: every attempt on its own, eased as often as there are attempts before it. */
static void attempts_made_at_once_are_those_made_in_turn(void **state)
{
    (void)state;
    int eased = 0;
    for (int32_t number = 0; number < 100; number++) {
        scene s;
        make_scene(&s, number, 10, 1.3);
        s.planner.value[THRONG_clearpath_variant] = (float)(1 + number % 2);
        for (int32_t i = 0; i < s.crowd.frame.agents; i++) {
            clearpath_task in_turn = plan(&s, i), t;
            int before = 0, n;
            do {
                t = first_task(&s, i);
                for (n = 0; n < before && clearpath_ease(&s.crowd, &t, true, false); n++)
                    ;
                assert_int_equal(n, before);
                before++;
            } while (clearpath_solve(&s.crowd, s.crowd.k, false, true, &t));
            eased += n > 1;
            assert_true(t.vx == in_turn.vx && t.vy == in_turn.vy && t.used == in_turn.used && t.part == in_turn.part);
        }
    }
    assert_true(eased > 50);
}

/* A change of nothing, added, would make it positive; lanes and CUDA take what was found by the same function. */
static void a_zero_that_is_free_keeps_its_sign(void **state)
{
    (void)state;
    float vx, vy;
    clearpath_goal w = {-0.0f, 0, -0.0f, 0};
    clearpath_take(false, &w, 0, 0, &vx, &vy);
    assert_true(vx == 0 && signbit(vx) && vy == 0 && !signbit(vy));
    w.wy = 1;
    clearpath_take(true, &w, 0.5f, 0.25f, &vx, &vy);
    assert_true(vx == 0.5f && vy == 1.25f);
    scene s;
    make_scene(&s, 0, 1, 3);
    s.vx[0] = s.vy[0] = 0;
    s.wanted_x[0] = -0.0;
    assert_true(signbit(plan(&s, 0).vx));
}

/* Head-on, and crossing: who mirror each other must not both give way to the same side. */
static void mirrored_pairs_pass_on_the_right(void **state)
{
    (void)state;
    for (int32_t turn = 0; turn < 100; turn++) {
        scene s;
        make_scene(&s, 0, 2, 3);
        float x = cosf(0.0628f * (float)turn), y = sinf(0.0628f * (float)turn);
        for (int32_t i = 0; i < 2; i++) {
            float side = i ? -1 : 1;
            s.x[i] = -2 * side * x, s.y[i] = -2 * side * y;
            s.radius[i] = 0.25f, s.horizon[i] = 3;
            s.vx[i] = (float)(s.wanted_x[i] = side * x);
            s.vy[i] = (float)(s.wanted_y[i] = side * y);
        }
        see(&s, 0);
        see(&s, 1);
        for (int32_t i = 0; i < 2; i++) {
            clearpath_task t = plan(&s, i);
            assert_true(s.wanted_x[i] * t.vy - s.wanted_y[i] * t.vx < -0.01);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_sampled_is_better),
        cmocka_unit_test(nothing_sampled_is_better_on_the_side_taken),
        cmocka_unit_test(nothing_sampled_is_better_of_what_can_be_reached),
        cmocka_unit_test(nothing_sampled_is_better_among_walls),
        cmocka_unit_test(nothing_of_the_definition_is_better),
        cmocka_unit_test(the_cut_is_where_both_touch_at_the_horizon),
        cmocka_unit_test(feasible_for_all_means_no_collision),
        cmocka_unit_test(nobody_meets_within_the_step),
        cmocka_unit_test(variant_1_shortens_the_horizon_and_finds_a_way),
        cmocka_unit_test(those_who_collide_part_and_want_nothing_else),
        cmocka_unit_test(acceleration_has_its_limit),
        cmocka_unit_test(attempts_made_at_once_are_those_made_in_turn),
        cmocka_unit_test(a_zero_that_is_free_keeps_its_sign),
        cmocka_unit_test(mirrored_pairs_pass_on_the_right),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
