/* What each kind of measure does with a step. */
#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/watchdog.h"
#include "map/geometry.h"
#include "measure_parts.h"

static const double MOVING = 0.1;      /* m/s: who is slower stands, and is in no lane */
static const double TURNED_BACK = 0.5; /* m: who leaves a region so near to where it came in has turned back */

/* ---- whom and where */

static bool is_within(const throng_region *regions, int32_t count, float x, float y)
{
    for (int32_t i = 0; i < count; i++)
        if (throng_polygon_holds(regions[i].points, regions[i].count, (throng_point){(double)x, (double)y}))
            return true;
    return false;
}

static bool is_in(const throng_measure *m, float x, float y)
{
    return is_within(m->regions, m->def.region_count, x, y);
}

/* What happened at one time, kept over the run. */
static bool keep_event(throng_measure *m, double time, double value)
{
    if (!throng_array_reserve((void **)&m->event_times, &m->event_times_room, (int64_t)m->event_count + 1,
                              sizeof *m->event_times) ||
        !throng_array_reserve((void **)&m->events, &m->events_room, (int64_t)m->event_count + 1, sizeof *m->events))
        return false;
    m->event_times[m->event_count] = time;
    m->events[m->event_count++] = value;
    return true;
}

static void add_sample(throng_measure *m, double value, double time)
{
    throng_measured *got = &m->got;
    got->samples++;
    got->now = value;
    m->sum += value;
    m->recent += value;
    m->recent_samples++;
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
    int32_t had = m->net_room, room = had, also = had;
    if (!throng_array_reserve((void **)&m->net, &room, slots, sizeof *m->net) ||
        !throng_array_reserve((void **)&m->passed_at, &also, slots, sizeof *m->passed_at) ||
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
        return (int)is_in(m, v->x[slot], v->y[slot]) - (int)is_in(m, v->was_x[slot], v->was_y[slot]);
    throng_point from = {(double)v->before_x[slot], (double)v->before_y[slot]};
    throng_point to = {(double)v->x[slot], (double)v->y[slot]};
    from.x = to.x - shorter(to.x - from.x, v->wrap.x);
    from.y = to.y - shorter(to.y - from.y, v->wrap.y);
    return over_line(m, from, to, part);
}

/* Who has gone on from where it came into or out of a region does not turn back any more: passing through is a passage
 * in, and one out. */
static void forget_passage(throng_measure *m, const measure_view *v, int32_t slot)
{
    double dx = (double)v->x[slot] - m->passed_at[slot].x, dy = (double)v->y[slot] - m->passed_at[slot].y;
    if (m->def.region_count > 0 && m->net[slot] && dx * dx + dy * dy > TURNED_BACK * TURNED_BACK)
        m->net[slot] = 0;
}

/* Is it one, and not one that undoes the last? */
static bool note_passage(throng_measure *m, int32_t slot, int way, double time)
{
    throng_measured *got = &m->got;
    bool undone = m->net[slot] * way < 0;
    m->net[slot] += way;
    if (undone) {
        *(way > 0 ? &got->back : &got->forth) -= 1;
        return false;
    }
    *(way > 0 ? &got->forth : &got->back) += 1;
    got->first = got->first <= time ? got->first : time;
    got->last = got->last >= time ? got->last : time;
    return true;
}

static bool keep_passage(throng_measure *m, double time)
{
    if (!throng_array_reserve((void **)&m->passages, &m->passage_room, (int64_t)m->passage_count + 1,
                              sizeof *m->passages))
        return false;
    m->passages[m->passage_count++] = time;
    return true;
}

/* Counts the passages of a step, and keeps when they were. */
static bool take_passages(throng_measure *m, const measure_view *v)
{
    m->passage_count = 0;
    if (!reserve_net(m, v->slots))
        return false;
    for (int32_t slot = 0; slot < v->slots && !throng_given_up(); slot++) {
        double part;
        if (!throng_measure_counts(m, v, slot))
            continue;
        if (m->net_of[slot] != v->id[slot]) {
            m->net_of[slot] = v->id[slot];
            m->net[slot] = 0;
        }
        int way = passes(m, v, slot, &part);
        double time = v->time - (1 - part) * v->dt;
        if (!way) {
            forget_passage(m, v, slot);
            continue;
        }
        m->passed_at[slot] = (throng_point){(double)v->x[slot], (double)v->y[slot]};
        if (note_passage(m, slot, way, time) && !keep_passage(m, time))
            return false;
    }
    return true;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Those of the step, in the order of their times. */
static bool sort_passages(throng_measure *m, const measure_view *v)
{
    if (!take_passages(m, v))
        return false;
    if (m->passage_count > 1)
        qsort(m->passages, (size_t)m->passage_count, sizeof *m->passages, ascending);
    return true;
}

bool throng_measure_flow(throng_measure *m, const measure_view *v)
{
    if (!sort_passages(m, v))
        return false;
    for (int32_t i = 0; i < m->passage_count; i++)
        if (!keep_event(m, m->passages[i], 1))
            return false;
    return true;
}

bool throng_measure_time_gap(throng_measure *m, const measure_view *v)
{
    double last = m->got.last;
    if (!sort_passages(m, v))
        return false;
    for (int32_t i = 0; i < m->passage_count; last = m->passages[i++]) {
        if (isnan(last))
            continue;
        add_sample(m, m->passages[i] - last, m->passages[i]);
        if (!keep_event(m, m->passages[i], m->passages[i] - last))
            return false;
    }
    return true;
}

/* ---- density */

const double throng_fruin[THRONG_FRUIN_LEVELS] = {0, 0.308, 0.431, 0.719, 1.075, 2.174};

/* 0: A, to 5: F */
static int fruin_level(double density)
{
    int level = 0;
    while (level + 1 < THRONG_FRUIN_LEVELS && density >= throng_fruin[level + 1])
        level++;
    return level;
}

static int32_t count_in(const throng_measure *m, const measure_view *v)
{
    int32_t count = 0;
    for (int32_t slot = 0; slot < v->slots && !throng_given_up(); slot++)
        count += throng_measure_counts(m, v, slot) && is_in(m, v->x[slot], v->y[slot]);
    return count;
}

/* NAN: not in this step. */
static double density_of(throng_measure *m, const measure_view *v)
{
    if (m->cells)
        return v->due ? throng_cells_density(m, v) : NAN;
    return count_in(m, v) / m->got.area;
}

bool throng_measure_count(throng_measure *m, const measure_view *v)
{
    add_sample(m, count_in(m, v), v->time);
    return true;
}

bool throng_measure_density(throng_measure *m, const measure_view *v)
{
    double density = density_of(m, v);
    if (!isnan(density))
        add_sample(m, density, v->time);
    return true;
}

bool throng_measure_level(throng_measure *m, const measure_view *v)
{
    double density = density_of(m, v);
    if (isnan(density))
        return true;
    int level = fruin_level(density);
    m->got.levels[level]++;
    add_sample(m, level + 1, v->time);
    return true;
}

/* ---- speed */

bool throng_measure_speed(throng_measure *m, const measure_view *v)
{
    double sum = 0;
    int32_t count = 0;
    for (int32_t slot = 0; slot < v->slots && !throng_given_up(); slot++) {
        if (!throng_measure_counts(m, v, slot) || (m->def.region_count > 0 && !is_in(m, v->x[slot], v->y[slot])))
            continue;
        double dx = shorter((double)v->x[slot] - (double)v->before_x[slot], v->wrap.x);
        double dy = shorter((double)v->y[slot] - (double)v->before_y[slot], v->wrap.y);
        sum += sqrt(dx * dx + dy * dy) / v->dt;
        count++;
    }
    if (count > 0)
        add_sample(m, sum / count, v->time);
    return true;
}

/* ---- travel times */

static bool reserve_trips(throng_measure *m, int32_t slots)
{
    int32_t had = m->trip_room;
    if (!throng_array_reserve((void **)&m->trips, &m->trip_room, slots, sizeof *m->trips))
        return false;
    for (int32_t slot = had; slot < m->trip_room; slot++)
        m->trips[slot] = (measure_trip){-1, NAN};
    return true;
}

bool throng_measure_travel_time(throng_measure *m, const measure_view *v)
{
    if (!reserve_trips(m, v->slots))
        return false;
    for (int32_t slot = 0; slot < v->slots && !throng_given_up(); slot++) {
        measure_trip *trip = &m->trips[slot];
        if (!throng_measure_counts(m, v, slot))
            continue;
        if (trip->id != v->id[slot])
            *trip = (measure_trip){v->id[slot], m->def.since_count ? NAN : v->born[slot] * v->dt};
        if (m->def.since_count && is_within(m->since, m->def.since_count, v->x[slot], v->y[slot]))
            trip->since = v->time;
        else if (!isnan(trip->since) && is_in(m, v->x[slot], v->y[slot])) {
            add_sample(m, v->time - trip->since, v->time);
            if (!keep_event(m, v->time, v->time - trip->since))
                return false;
            trip->since = NAN;
        }
    }
    return true;
}

/* ---- inside */

bool throng_measure_inside(throng_measure *m, const measure_view *v)
{
    int32_t outside = 0;
    for (int32_t slot = 0; slot < v->slots && !throng_given_up(); slot++) {
        if (!throng_measure_counts(m, v, slot) || is_in(m, v->x[slot], v->y[slot]))
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
    if (!throng_measure_counts(m, v, slot) || (m->def.region_count > 0 && !is_in(m, v->x[slot], v->y[slot])))
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
