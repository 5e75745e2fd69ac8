#include "measure.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/watchdog.h"
#include "map/geometry.h"
#include "map/map_geos.h"
#include "measure_parts.h"
#include "world_parts.h"

const char *const throng_measure_names[] = {"flow",  "density",  "inside",      "lanes",           "count",
                                            "speed", "time_gap", "travel_time", "level_of_service"};
const char *const throng_measure_units[] = {
    "persons", "persons/m²", "persons outside", "lane index", "persons", "m/s", "s", "s", "level of service, 1 is A"};

throng_measure_def throng_measure_def_default(throng_measure_kind kind)
{
    return (throng_measure_def){.kind = kind,
                                .name = "",
                                .place = "",
                                .who = "",
                                .along = {1, 0},
                                .width = 0.6,
                                .spawn = -1,
                                .till = INFINITY,
                                .every = 0.5};
}

/* ---- life */

static void free_regions(throng_region *regions, int32_t count)
{
    for (int32_t i = 0; regions && i < count; i++)
        free(regions[i].points);
    free(regions);
}

void throng_measure_free(throng_measure *m)
{
    if (!m)
        return;
    free_regions(m->regions, m->def.region_count);
    free_regions(m->since, m->def.since_count);
    throng_cells_fini(m->cells);
    free(m->passages);
    free(m->event_times);
    free(m->events);
    free(m->trips);
    free(m->name);
    free(m->place);
    free(m->who);
    free(m->ids);
    free(m->net);
    free(m->net_of);
    free(m->passed_at);
    free(m->strips);
    free(m->times);
    free(m->values);
    free(m);
}

void throng_measures_free(throng_world *w)
{
    while (w->measures.first) {
        throng_measure *m = w->measures.first;
        w->measures.first = m->next;
        throng_measure_free(m);
    }
    free(w->measures.x);
    free(w->measures.y);
    free(w->measures.was_x);
    free(w->measures.was_y);
    w->measures = (world_measures){0};
}

static throng_region *copy_regions(const throng_region *regions, int32_t count)
{
    throng_region *copies = calloc((size_t)count + 1, sizeof *copies);
    for (int32_t i = 0; copies && i < count; i++) {
        size_t size = (size_t)regions[i].count * sizeof(throng_point);
        copies[i].count = regions[i].count;
        copies[i].points = malloc(size + 1);
        if (!copies[i].points) {
            free_regions(copies, count);
            return NULL;
        }
        memcpy(copies[i].points, regions[i].points, size);
    }
    return copies;
}

static bool copy_ids(throng_measure *m, const throng_measure_def *def)
{
    if (!def->ids)
        return true;
    m->ids = malloc((size_t)(def->id_count + 1) * sizeof *m->ids);
    if (m->ids)
        memcpy(m->ids, def->ids, (size_t)def->id_count * sizeof *m->ids);
    return m->ids != NULL;
}

/* A measure with copies of all that the definition points to. */
static throng_measure *copy(const throng_measure_def *def)
{
    throng_measure *m = calloc(1, sizeof *m);
    if (!m)
        return NULL;
    m->def = *def;
    m->name = strdup(def->name);
    m->place = strdup(def->place);
    m->who = strdup(def->who);
    m->regions = copy_regions(def->regions, def->region_count);
    m->since = copy_regions(def->since, def->since_count);
    if (!m->name || !m->place || !m->who || !m->regions || !m->since || !copy_ids(m, def)) {
        throng_measure_free(m);
        return NULL;
    }
    m->def.name = m->name;
    m->def.place = m->place;
    m->def.who = m->who;
    m->def.regions = m->regions;
    m->def.since = m->since;
    m->def.ids = m->ids;
    m->got = (throng_measured){.first = NAN,
                               .last = NAN,
                               .flow = NAN,
                               .now = NAN,
                               .mean = NAN,
                               .most = NAN,
                               .most_at = NAN,
                               .least = NAN,
                               .least_at = NAN,
                               .area = NAN,
                               .outsider = -1};
    return m;
}

/* ---- the free space in regions */

static bool cut_to_map(throng_geos *geos, const throng_map *map, GEOSGeometry **area)
{
    GEOSGeometry *free_space = throng_geos_free_space(geos, map, 1e4);
    bool cut = free_space && throng_geos_replace(geos, area, GEOSIntersection_r(geos->handle, *area, free_space));
    throng_geos_free(geos, free_space);
    return cut;
}

static bool find_area(const throng_world *w, throng_measure *m, throng_error *error)
{
    throng_geos geos;
    if (!throng_geos_init(&geos, error))
        return false;
    GEOSGeometry *area = throng_measure_place(&geos, m);
    bool found =
        area && (!w->map || cut_to_map(&geos, w->map, &area)) && GEOSArea_r(geos.handle, area, &m->got.area) == 1;
    throng_geos_free(&geos, area);
    if (!found)
        throng_geos_fail(&geos, "the free space of the region", error);
    throng_geos_fini(&geos);
    if (found && !(m->got.area > 0))
        return throng_fail(error, "there is no free space in %s", m->place);
    return found;
}

/* ---- beginning */

throng_measure *throng_measure_make(const throng_world *w, const throng_measure_def *def, throng_error *error)
{
    throng_measure *m = copy(def);
    bool dense = def->kind == THRONG_MEASURE_DENSITY || def->kind == THRONG_MEASURE_LEVEL;
    if (!m)
        throng_fail(error, "out of memory for a measure");
    else if (dense && (!find_area(w, m, error) || (def->voronoi && !throng_cells_init(m, w->map, error)))) {
        throng_measure_free(m);
        m = NULL;
    }
    return m;
}

throng_measure *throng_world_measure(throng_world *w, const throng_measure_def *def, throng_error *error)
{
    throng_measure **end = &w->measures.first;
    for (; *end; end = &(*end)->next)
        if (*def->name && strcmp((*end)->name, def->name) == 0) {
            throng_fail(error, "there is a measure '%s' already; give this one another name", def->name);
            return NULL;
        }
    if (!throng_name_check("a measure", def->name, error))
        return NULL;
    *end = throng_measure_make(w, def, error);
    if (*end) /* what has ended is over, in a recording that is compared, too */
        (*end)->def.from = fmax(def->from, throng_world_time(w) + throng_world_dt(w) / 2);
    return *end;
}

void throng_world_unmeasure(throng_world *w, throng_measure *last)
{
    throng_measure **end = &w->measures.first;
    while (*end != last)
        end = &(*end)->next;
    *end = NULL;
    throng_measure_free(last);
}

throng_measure *throng_world_measures(const throng_world *w) { return w->measures.first; }
throng_measure *throng_measure_next(const throng_measure *m) { return m->next; }
const throng_measure_def *throng_measure_def_of(const throng_measure *m) { return &m->def; }

throng_measured throng_measure_read(const throng_measure *m)
{
    throng_measured got = m->got;
    got.passed = got.forth + got.back;
    if (got.passed > 1 && got.last > got.first)
        got.flow = (got.passed - 1) / (got.last - got.first);
    if (got.samples > 0)
        got.mean = m->sum / got.samples;
    return got;
}

/* ---- over time */

int32_t throng_measure_series(const throng_measure *m, const double **times, const double **values)
{
    *times = m->times;
    *values = m->values;
    return m->points;
}

int32_t throng_measure_events(const throng_measure *m, const double **times, const double **values)
{
    *times = m->event_times;
    *values = m->events;
    return m->event_count;
}

/* Is this step one of those whose values are kept? */
static bool is_due(const throng_measure *m, double dt, int64_t steps)
{
    return steps % (int64_t)fmax(1, floor(fmin(m->def.every / dt, 1e9) + 0.5)) == 0;
}

/* A flow's is a count; what some people do in the time between two values, and none may, is their mean; the rest is as
 * it is now. NAN: nobody did. */
static double value_of(const throng_measure *m)
{
    switch (m->def.kind) {
    case THRONG_MEASURE_FLOW: return m->got.forth + m->got.back;
    case THRONG_MEASURE_SPEED:
    case THRONG_MEASURE_TIME_GAP:
    case THRONG_MEASURE_TRAVEL_TIME: return m->recent_samples ? m->recent / m->recent_samples : NAN;
    default: return m->got.now;
    }
}

static bool keep_value(throng_measure *m, double time, throng_error *error)
{
    double value = value_of(m);
    m->recent = 0;
    m->recent_samples = 0;
    if (isnan(value))
        return true;
    if (!throng_array_reserve((void **)&m->times, &m->times_room, (int64_t)m->points + 1, sizeof *m->times) ||
        !throng_array_reserve((void **)&m->values, &m->values_room, (int64_t)m->points + 1, sizeof *m->values))
        return throng_fail(error, "out of memory for the values of a measure");
    m->times[m->points] = time;
    m->values[m->points++] = value;
    return true;
}

/* ---- a step */

/* Where everybody is on the map: of buildings. */
static bool keep_places(throng_world *w, throng_error *error)
{
    world_measures *all = &w->measures;
    const float *x, *y;
    int32_t room = all->was_room;
    if (!w->sheets.table.count)
        return true;
    if (!throng_array_reserve((void **)&all->was_x, &room, all->slots, sizeof *all->was_x) ||
        !throng_array_reserve((void **)&all->was_y, &all->was_room, all->slots, sizeof *all->was_y))
        return throng_fail(error, "out of memory for measures of %d agents", all->slots);
    if (!throng_world_places(w, &x, &y, error))
        return false;
    memcpy(all->was_x, x, (size_t)all->slots * sizeof *x);
    memcpy(all->was_y, y, (size_t)all->slots * sizeof *y);
    return true;
}

bool throng_measures_before(throng_world *w, throng_error *error)
{
    world_measures *all = &w->measures;
    if (!all->first)
        return true;
    int32_t slots = throng_agents_slots(w->agents), room = all->room;
    if (!throng_array_reserve((void **)&all->x, &room, slots, sizeof *all->x) ||
        !throng_array_reserve((void **)&all->y, &all->room, slots, sizeof *all->y))
        return throng_fail(error, "out of memory for measures of %d agents", slots);
    all->slots = slots;
    if (slots == 0)
        return true;
    const float *x = throng_agents_read(w->agents, THRONG_COLUMN_x, error);
    const float *y = x ? throng_agents_read(w->agents, THRONG_COLUMN_y, error) : NULL;
    if (!y)
        return false;
    memcpy(all->x, x, (size_t)slots * sizeof *x);
    memcpy(all->y, y, (size_t)slots * sizeof *y);
    return keep_places(w, error);
}

/* Where people were before the step, on the map as they are on it now: who goes on to another sheet has walked as far
 * as on one. */
static bool lay_out_before(throng_world *w, throng_error *error)
{
    const throng_sheets *t = &w->sheets.table;
    const int32_t *sheet = t->count ? throng_agents_read(w->agents, THRONG_COLUMN_floor, error) : NULL;
    for (int32_t s = 0; sheet && s < w->measures.slots; s++) {
        w->measures.x[s] += t->off_x[sheet[s]];
        w->measures.y[s] += t->off_y[sheet[s]];
    }
    return !t->count || sheet;
}

static bool look(throng_world *w, measure_view *view, throng_error *error)
{
    *view = (measure_view){.slots = w->measures.slots,
                           .before_x = w->measures.x,
                           .before_y = w->measures.y,
                           .was_x = w->sheets.table.count ? w->measures.was_x : w->measures.x,
                           .was_y = w->sheets.table.count ? w->measures.was_y : w->measures.y,
                           .wrap = throng_world_wrap(w),
                           .dt = w->dt,
                           .time = throng_world_time(w)};
    if (view->slots == 0)
        return true;
    view->id = throng_agents_read(w->agents, THRONG_COLUMN_id, error);
    view->kind = throng_agents_read(w->agents, THRONG_COLUMN_group, error);
    view->state = throng_agents_read(w->agents, THRONG_COLUMN_state, error);
    view->vx = throng_agents_read(w->agents, THRONG_COLUMN_vx, error);
    view->vy = throng_agents_read(w->agents, THRONG_COLUMN_vy, error);
    view->born = throng_agents_read(w->agents, THRONG_COLUMN_born, error);
    return view->id && view->born && view->kind && view->state && view->vx && view->vy &&
           throng_world_places(w, &view->x, &view->y, error) && lay_out_before(w, error);
}

bool throng_measure_step(throng_measure *m, measure_view *view, int64_t steps, throng_error *error)
{
    static bool (*const take[])(throng_measure *, const measure_view *) = {
        throng_measure_flow,     throng_measure_density,     throng_measure_inside,
        throng_measure_lanes,    throng_measure_count,       throng_measure_speed,
        throng_measure_time_gap, throng_measure_travel_time, throng_measure_level};
    if (view->time < m->def.from - 5e-7 || view->time > m->def.till + 5e-7)
        return true;
    view->due = is_due(m, view->dt, steps);
    if (!take[m->def.kind](m, view))
        return throng_fail(error, "out of memory for a measure");
    return !view->due || keep_value(m, view->time, error);
}

bool throng_measures_after(throng_world *w, throng_error *error)
{
    measure_view view;
    if (!w->measures.first)
        return true;
    if (!look(w, &view, error))
        return false;
    for (throng_measure *m = w->measures.first; m; m = m->next)
        if (!throng_measure_step(m, &view, throng_world_steps(w), error))
            return false;
    return !throng_given_up() || throng_fail(error, "%s", throng_interrupted_text());
}

/* ---- text */

static void append(char *text, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));

static void append(char *text, size_t size, const char *format, ...)
{
    size_t used = strlen(text);
    va_list args;
    va_start(args, format);
    vsnprintf(text + used, size - used, format, args);
    va_end(args);
}

static void say_flow(const throng_measured *got, char *text, size_t size)
{
    if (!isnan(got->flow))
        append(text, size, "%.3g persons/s, ", got->flow);
    append(text, size, "%d passage%s", got->passed, got->passed == 1 ? "" : "s");
    if (got->passed > 1)
        append(text, size, " from %.1f s to %.1f s", got->first, got->last);
    else if (got->passed == 1)
        append(text, size, " at %.1f s", got->first);
    if (got->forth && got->back)
        append(text, size, " (%d one way, %d the other)", got->forth, got->back);
}

static void say_inside(const throng_measured *got, char *text, size_t size)
{
    if (got->outsider < 0)
        append(text, size, "nobody left it in %d steps", got->samples);
    else
        append(text, size, "agent %d was outside, at (%.2f, %.2f) at %.1f s; at most %.0f at once (at %.1f s)",
               got->outsider, got->outsider_at.x, got->outsider_at.y, got->first, got->most, got->most_at);
}

static void say_values(const throng_measured *got, const char *unit, const char *each, char *text, size_t size)
{
    if (got->samples == 0)
        append(text, size, "nothing was measured");
    else
        append(text, size, "mean %.3g%s, most %.3g%s (at %.1f s), least %.3g%s (at %.1f s) in %d %s", got->mean, unit,
               got->most, unit, got->most_at, got->least, unit, got->least_at, got->samples, each);
}

/* "A 60 %, C 40 % of the time; at worst C (at 3.1 s)" */
static void say_levels(const throng_measured *got, char *text, size_t size)
{
    const char *between = "";
    if (got->samples == 0)
        append(text, size, "nothing was measured");
    for (int level = 0; level < THRONG_FRUIN_LEVELS; level++)
        if (got->levels[level]) {
            append(text, size, "%s%c %.3g %%", between, 'A' + level, 100.0 * got->levels[level] / got->samples);
            between = ", ";
        }
    if (got->samples > 0)
        append(text, size, " of the time; at worst %c (at %.1f s)", 'A' + (int)got->most - 1, got->most_at);
}

void throng_measure_title(const throng_measure *m, char *text, size_t size)
{
    if (*m->def.name)
        snprintf(text, size, "%s", m->def.name);
    else
        snprintf(text, size, "%s: %s", throng_measure_names[m->def.kind], m->place);
}

void throng_measure_text(const throng_measure *m, char *text, size_t size)
{
    static const char *const what[] = {"flow through", "density in",     "staying in",
                                       "lanes in",     "people in",      "speed in",
                                       "time gaps at", "travel time to", "level of service in"};
    throng_measured got = throng_measure_read(m);
    snprintf(text, size, "%s %s%s%s: ", what[m->def.kind], m->place, *m->who ? " of " : "", m->who);
    switch (m->def.kind) {
    case THRONG_MEASURE_FLOW: say_flow(&got, text, size); break;
    case THRONG_MEASURE_INSIDE: say_inside(&got, text, size); break;
    case THRONG_MEASURE_DENSITY: say_values(&got, " /m^2", "steps", text, size); break;
    case THRONG_MEASURE_LANES:
    case THRONG_MEASURE_COUNT: say_values(&got, "", "steps", text, size); break;
    case THRONG_MEASURE_SPEED: say_values(&got, " m/s", "steps", text, size); break;
    case THRONG_MEASURE_TIME_GAP: say_values(&got, " s", "gaps", text, size); break;
    case THRONG_MEASURE_TRAVEL_TIME: say_values(&got, " s", "journeys", text, size); break;
    case THRONG_MEASURE_LEVEL: say_levels(&got, text, size); break;
    case THRONG_MEASURE_KINDS: break;
    }
}
