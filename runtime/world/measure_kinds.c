/* What each kind of measure does with a step. */
#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/watchdog.h"
#include "map/geometry.h"
#include "measure_parts.h"

static const double MOVING = 0.1; /* m/s: who is slower stands, and is in no lane */

/* ---- whom and where */

static bool has_id(const throng_measure *m, int32_t id)
{
    int32_t low = 0, high = m->def.id_count;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (m->ids[middle] < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low < m->def.id_count && m->ids[low] == id;
}

static bool counts(const throng_measure *m, const measure_view *v, int32_t slot)
{
    return (v->state[slot] & THRONG_STATE_ALIVE) && (m->def.spawn < 0 || v->kind[slot] == m->def.spawn) &&
           (!m->ids || has_id(m, v->id[slot]));
}

static bool is_in(const throng_measure *m, float x, float y)
{
    for (int32_t i = 0; i < m->def.region_count; i++)
        if (throng_polygon_holds(m->regions[i].points, m->regions[i].count, (throng_point){(double)x, (double)y}))
            return true;
    return false;
}

static void add_sample(throng_measure *m, double value, double time)
{
    throng_measured *got = &m->got;
    got->samples++;
    got->now = value;
    m->sum += value;
    if (!(got->most >= value)) {
        got->most = value;
        got->most_at = time;
    }
    if (!(got->least <= value)) {
        got->least = value;
        got->least_at = time;
    }
}

/* ---- flow */

static bool reserve_net(throng_measure *m, int32_t slots)
{
    int32_t had = m->net_room, room = had;
    if (!throng_array_reserve((void **)&m->net, &room, slots, sizeof *m->net) ||
        !throng_array_reserve((void **)&m->net_of, &m->net_room, slots, sizeof *m->net_of))
        return false;
    for (int32_t slot = had; slot < m->net_room; slot++)
        m->net_of[slot] = -1;
    return true;
}

/* Over the line from its left to its right: 1; the other way: -1; not: 0. `part` of the step had gone by then. A point
 * on the line is on its left. */
static int over_line(const throng_measure *m, throng_point from, throng_point to, double *part)
{
    throng_point a = m->def.a, b = m->def.b;
    double before = throng_turn(a, b, from), after = throng_turn(a, b, to);
    if ((before >= 0) == (after >= 0))
        return 0;
    *part = before / (before - after);
    throng_point at = throng_between(from, to, *part);
    double along = (at.x - a.x) * (b.x - a.x) + (at.y - a.y) * (b.y - a.y);
    double length2 = (b.x - a.x) * (b.x - a.x) + (b.y - a.y) * (b.y - a.y);
    if (along < 0 || along > length2)
        return 0;
    return before >= 0 ? 1 : -1;
}

/* A step, which may have led across the seam of a world of that size. */
static double shorter(double step, double size)
{
    return size > 0 && fabs(step) > size / 2 ? step - copysign(size, step) : step;
}

static int passes(const throng_measure *m, const measure_view *v, int32_t slot, double *part)
{
    *part = 1;
    if (m->def.region_count > 0)
        return (int)is_in(m, v->x[slot], v->y[slot]) - (int)is_in(m, v->before_x[slot], v->before_y[slot]);
    throng_point from = {(double)v->before_x[slot], (double)v->before_y[slot]};
    throng_point to = {(double)v->x[slot], (double)v->y[slot]};
    from.x = to.x - shorter(to.x - from.x, v->wrap.x);
    from.y = to.y - shorter(to.y - from.y, v->wrap.y);
    return over_line(m, from, to, part);
}

static void note_passage(throng_measure *m, int32_t slot, int way, double time)
{
    throng_measured *got = &m->got;
    bool undone = m->net[slot] * way < 0;
    m->net[slot] += way;
    if (undone) {
        *(way > 0 ? &got->back : &got->forth) -= 1;
        return;
    }
    *(way > 0 ? &got->forth : &got->back) += 1;
    got->first = got->first <= time ? got->first : time;
    got->last = got->last >= time ? got->last : time;
}

bool throng_measure_flow(throng_measure *m, const measure_view *v)
{
    if (!reserve_net(m, v->slots))
        return false;
    for (int32_t slot = 0; slot < v->slots && !throng_given_up(); slot++) {
        double part;
        if (!counts(m, v, slot))
            continue;
        if (m->net_of[slot] != v->id[slot]) {
            m->net_of[slot] = v->id[slot];
            m->net[slot] = 0;
        }
        int way = passes(m, v, slot, &part);
        if (way)
            note_passage(m, slot, way, v->time - (1 - part) * v->dt);
    }
    return true;
}

/* ---- density */

static int32_t count_in(const throng_measure *m, const measure_view *v)
{
    int32_t count = 0;
    for (int32_t slot = 0; slot < v->slots && !throng_given_up(); slot++)
        count += counts(m, v, slot) && is_in(m, v->x[slot], v->y[slot]);
    return count;
}

bool throng_measure_density(throng_measure *m, const measure_view *v)
{
    add_sample(m, count_in(m, v) / m->got.area, v->time);
    return true;
}

bool throng_measure_count(throng_measure *m, const measure_view *v)
{
    add_sample(m, count_in(m, v), v->time);
    return true;
}

/* ---- inside */

bool throng_measure_inside(throng_measure *m, const measure_view *v)
{
    int32_t outside = 0;
    for (int32_t slot = 0; slot < v->slots && !throng_given_up(); slot++) {
        if (!counts(m, v, slot) || is_in(m, v->x[slot], v->y[slot]))
            continue;
        outside++;
        if (m->got.outsider >= 0)
            continue;
        m->got.outsider = v->id[slot];
        m->got.outsider_at = (throng_point){(double)v->x[slot], (double)v->y[slot]};
        m->got.first = v->time;
    }
    add_sample(m, outside, v->time);
    return true;
}

/* ---- lanes */

/* Which strip the agent moves in and which way (1, -1); 0: it does not count. */
static int strip_of(const throng_measure *m, const measure_view *v, int32_t slot, double *strip)
{
    throng_point along = m->def.along;
    if (!counts(m, v, slot) || (m->def.region_count > 0 && !is_in(m, v->x[slot], v->y[slot])))
        return 0;
    double speed = (double)v->vx[slot] * along.x + (double)v->vy[slot] * along.y;
    *strip = floor(((double)v->y[slot] * along.x - (double)v->x[slot] * along.y) / m->def.width);
    return speed > MOVING ? 1 : speed < -MOVING ? -1 : 0;
}

/* Clears the strips between those of the outermost agents; how many, -1 when memory is out. */
static int32_t lay_strips(throng_measure *m, const measure_view *v, double *first)
{
    double strip, last = -INFINITY;
    *first = INFINITY;
    for (int32_t slot = 0; slot < v->slots && !throng_given_up(); slot++)
        if (strip_of(m, v, slot, &strip)) {
            *first = fmin(*first, strip);
            last = fmax(last, strip);
        }
    if (last < *first)
        return 0;
    if (last - *first > 1e7 ||
        !throng_array_reserve((void **)&m->strips, &m->strip_room, (int64_t)(last - *first) + 1, sizeof *m->strips))
        return -1;
    int32_t count = (int32_t)(last - *first) + 1;
    for (int32_t i = 0; i < count; i++)
        m->strips[i] = (measure_strip){0};
    return count;
}

bool throng_measure_lanes(throng_measure *m, const measure_view *v)
{
    double first, strip, sum = 0;
    int32_t count = lay_strips(m, v, &first), all = 0;
    for (int32_t slot = 0; count > 0 && slot < v->slots; slot++) {
        int way = strip_of(m, v, slot, &strip);
        if (!way)
            continue;
        m->strips[(int32_t)(strip - first)].all++;
        m->strips[(int32_t)(strip - first)].excess += way;
        all++;
    }
    for (int32_t i = 0; i < count; i++) {
        double n = m->strips[i].all, excess = m->strips[i].excess;
        if (n > 1) /* n times ((excess / n)^2 - 1 / n) / (1 - 1 / n); nobody is a lane alone */
            sum += (excess * excess - n) / (n - 1);
    }
    if (all > 0)
        add_sample(m, sum / all, v->time);
    return count >= 0;
}
