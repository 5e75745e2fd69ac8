/* Where new agents stand.
 *
 * Places are drawn at random among those that are free; where that finds none
 * any more, the gaps are filled on a fine lattice; where that is not enough, the
 * whole group is put on a dense lattice, a hexagonal one of discs. All from the
 * world's seed. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "base/watchdog.h"
#include "map/geometry.h"
#include "map/map_sheets.h"
#include "world_parts.h"

enum { DARTS = 60, GRID_CELLS_MAX = 1 << 24 };

/* --- who stands where: a grid of buckets ------------------------------------------------------ */

/* A body: all points within `radius` of the segment at +- `arm` from its middle. m */
typedef struct figure {
    throng_point at, arm;
    double radius;
} figure;

/* The same of somebody who has a place, as its columns will have it. */
typedef struct placed {
    float x, y, arm_x, arm_y, radius;
} placed;

typedef struct place_grid {
    throng_bounds bounds;
    double cell;
    int32_t columns, rows;
    int32_t *head;   /* [cells] last agent put there, -1: none */
    int32_t *before; /* [agents] the one put there before */
    placed *list;    /* [agents] */
    int32_t count, room;
    double largest; /* m: how far any reaches from its middle */
} place_grid;

static bool grid_init(place_grid *g, throng_bounds bounds, double largest, int32_t room)
{
    *g = (place_grid){.bounds = bounds, .cell = 2 * largest, .largest = largest, .room = room};
    while ((bounds.x1 - bounds.x0) / g->cell * ((bounds.y1 - bounds.y0) / g->cell) > GRID_CELLS_MAX)
        g->cell *= 2;
    g->columns = (int32_t)((bounds.x1 - bounds.x0) / g->cell) + 1;
    g->rows = (int32_t)((bounds.y1 - bounds.y0) / g->cell) + 1;
    size_t cells = (size_t)g->columns * (size_t)g->rows;
    g->head = malloc(cells * sizeof *g->head);
    g->before = malloc((size_t)room * sizeof *g->before);
    g->list = malloc((size_t)room * sizeof *g->list);
    if (g->head)
        memset(g->head, -1, cells * sizeof *g->head);
    return g->head && g->before && g->list;
}

static void grid_fini(place_grid *g)
{
    free(g->head);
    free(g->before);
    free(g->list);
}

static int32_t grid_column(const place_grid *g, double x)
{
    double c = floor((x - g->bounds.x0) / g->cell);
    return c < 0 ? 0 : c >= g->columns ? g->columns - 1 : (int32_t)c;
}

static int32_t grid_row(const place_grid *g, double y)
{
    double r = floor((y - g->bounds.y0) / g->cell);
    return r < 0 ? 0 : r >= g->rows ? g->rows - 1 : (int32_t)r;
}

static void grid_add(place_grid *g, const figure *f)
{
    placed *to = &g->list[g->count];
    *to = (placed){(float)f->at.x, (float)f->at.y, (float)f->arm.x, (float)f->arm.y, (float)f->radius};
    int32_t cell = grid_row(g, (double)to->y) * g->columns + grid_column(g, (double)to->x);
    g->before[g->count] = g->head[cell];
    g->head[cell] = g->count++;
}

/* Forgets all but the first `count`. */
static void grid_shrink(place_grid *g, int32_t count)
{
    while (g->count > count) {
        g->count--;
        const placed *last = &g->list[g->count];
        int32_t cell = grid_row(g, (double)last->y) * g->columns + grid_column(g, (double)last->x);
        g->head[cell] = g->before[g->count];
    }
}

static figure figure_of_placed(const placed *p)
{
    return (figure){{(double)p->x, (double)p->y}, {(double)p->arm_x, (double)p->arm_y}, (double)p->radius};
}

static bool is_disc(const figure *f) { return f->arm.x == 0 && f->arm.y == 0; }

static throng_point end_of(const figure *f, double side)
{
    return (throng_point){f->at.x + side * f->arm.x, f->at.y + side * f->arm.y};
}

/* The square of how far the segments of two are apart; 0: they cross. m^2 */
static double apart_squared(const figure *a, const figure *b)
{
    if (is_disc(a) && is_disc(b)) {
        double dx = b->at.x - a->at.x, dy = b->at.y - a->at.y;
        return dx * dx + dy * dy;
    }
    throng_point p = end_of(a, -1), q = end_of(a, 1), r = end_of(b, -1), s = end_of(b, 1);
    if (throng_turn(p, q, r) * throng_turn(p, q, s) < 0 && throng_turn(r, s, p) * throng_turn(r, s, q) < 0)
        return 0;
    double least = fmin(fmin(throng_segment_distance(p, q, r), throng_segment_distance(p, q, s)),
                        fmin(throng_segment_distance(r, s, p), throng_segment_distance(r, s, q)));
    return least * least;
}

static double reach_of(const figure *f) { return f->radius + hypot(f->arm.x, f->arm.y); }

/* Agents start apart by a hair more than touching, so that floats do not overlap. */
static bool grid_free(const place_grid *g, const figure *f)
{
    throng_point p = f->at;
    double reach = reach_of(f) + g->largest;
    for (int32_t r = grid_row(g, p.y - reach); r <= grid_row(g, p.y + reach); r++)
        for (int32_t c = grid_column(g, p.x - reach); c <= grid_column(g, p.x + reach); c++)
            for (int32_t i = g->head[r * g->columns + c]; i >= 0; i = g->before[i]) {
                figure other = figure_of_placed(&g->list[i]);
                double apart = (f->radius + other.radius) * 1.0001 + 1e-5;
                if (apart_squared(&other, f) < apart * apart)
                    return false;
            }
    return true;
}

/* --- areas ------------------------------------------------------------------------------------ */

typedef struct placing {
    throng_world *world;
    const throng_spawn_def *def;
    const world_sizes *sizes; /* [count] */
    throng_point *out;        /* [count] */
    place_grid grid;
    int32_t others;                     /* agents there before, the first in the grid */
    const throng_navmesh *mesh;         /* NULL: no walls to be shut in by */
    double *roominess;                  /* [mesh->component_count] m^2 */
    throng_bounds bounds, *area_bounds; /* of all areas; [area_count] of each */
} placing;

bool throng_world_in_areas(const throng_region *areas, int32_t count, throng_point p)
{
    for (int32_t a = 0; a < count; a++)
        if (throng_polygon_holds(areas[a].points, areas[a].count, p))
            return true;
    return count == 0;
}

static bool in_areas(const placing *s, throng_point p)
{
    for (int32_t a = 0; a < s->def->area_count; a++) {
        const throng_bounds *b = &s->area_bounds[a];
        if (p.x >= b->x0 && p.x <= b->x1 && p.y >= b->y0 && p.y <= b->y1 &&
            throng_polygon_holds(s->def->areas[a].points, s->def->areas[a].count, p))
            return true;
    }
    return s->def->area_count == 0;
}

#define ROOM_LEAST 1.0 /* m^2: who stands in a nook smaller than this between walls could go nowhere */

static double face_area(const throng_navmesh *m, int32_t f)
{
    double twice = 0;
    for (int32_t e = m->face_start[f]; e < m->face_start[f + 1]; e++)
        twice += (double)m->ax[e] * m->by[e] - (double)m->ay[e] * m->bx[e];
    return twice / 2;
}

static bool measure_rooms(placing *s, throng_error *error)
{
    throng_world *w = s->world;
    if (!w->map || w->map->open || !s->def->count)
        return true;
    double largest = 0;
    for (int32_t i = 0; i < s->def->count; i++)
        largest = fmax(largest, throng_world_needs(s->sizes, i));
    if (!(s->mesh = throng_world_mesh(w, largest, error)))
        return false;
    s->roominess = calloc((size_t)s->mesh->component_count + 1, sizeof *s->roominess);
    for (int32_t f = 0; s->roominess && f < s->mesh->face_count; f++)
        s->roominess[s->mesh->component[f]] += face_area(s->mesh, f);
    return s->roominess || throng_fail(error, "out of memory for the rooms of %s", w->map->name);
}

static bool can_leave(const placing *s, throng_point p, double radius)
{
    if (!s->mesh)
        return true;
    float x, y;
    int32_t face = throng_navmesh_nearest(s->mesh, (float)p.x, (float)p.y, (float)radius, &x, &y);
    return face >= 0 && s->roominess[s->mesh->component[face]] >= ROOM_LEAST;
}

/* In a world that wraps nobody is put onto the seam, where the grid does not see across. */
static bool off_seam(const throng_world *w, throng_point p, double radius)
{
    throng_point size = throng_world_wrap(w);
    return size.x == 0 || (p.x >= radius && p.x <= size.x - radius && p.y >= radius && p.y <= size.y - radius);
}

/* Is that in a lift? Nobody begins there: its car is at one of its floors. */
static bool in_lift(const throng_world *w, throng_point p)
{
    const throng_map_sheets *sheets = w->map ? w->map->sheets : NULL;
    return sheets && sheets->lift_count && throng_map_stop_of(sheets, throng_map_sheet_at(w->map, p)) >= 0;
}

bool throng_world_body_near(const throng_world *w, throng_point point, double reach)
{
    return w->bodies.all && throng_bodies_cover(w->bodies.all, point, reach);
}

static bool place_fits(const placing *s, const figure *f)
{
    throng_point p = f->at;
    double reach = reach_of(f);
    return in_areas(s, p) && off_seam(s->world, p, reach + 1e-4) &&
           (!s->world->map || throng_map_fits(s->world->map, p, reach + 1e-4)) &&
           !throng_world_body_near(s->world, p, reach) && grid_free(&s->grid, f) && !in_lift(s->world, p) &&
           can_leave(s, p, reach);
}

throng_bounds throng_world_areas_bounds(const throng_world *w, const throng_region *areas, int32_t count)
{
    if (count == 0)
        return w->map->bounds;
    throng_bounds b = {INFINITY, INFINITY, -INFINITY, -INFINITY};
    for (int32_t a = 0; a < count; a++)
        for (int32_t i = 0; i < areas[a].count; i++) {
            throng_point p = areas[a].points[i];
            b = (throng_bounds){fmin(b.x0, p.x), fmin(b.y0, p.y), fmax(b.x1, p.x), fmax(b.y1, p.y)};
        }
    return b;
}

static bool find_bounds(placing *s, throng_error *error)
{
    const throng_spawn_def *d = s->def;
    s->area_bounds = malloc(((size_t)d->area_count + 1) * sizeof *s->area_bounds);
    for (int32_t a = 0; s->area_bounds && a < d->area_count; a++)
        s->area_bounds[a] = throng_world_areas_bounds(s->world, &d->areas[a], 1);
    return s->area_bounds || throng_fail(error, "out of memory for %d areas", d->area_count);
}

/* --- the three ways of placing ------------------------------------------------------------------- */

static throng_point dart(const placing *s, int32_t i, uint32_t attempt)
{
    uint32_t id = (uint32_t)(s->world->groups.spawned + i);
    double u = throng_random(s->world->seed, id, attempt, 0, THRONG_RANDOM_PLACE);
    double v = throng_random(s->world->seed, id, attempt, 1, THRONG_RANDOM_PLACE);
    return (throng_point){s->bounds.x0 + u * (s->bounds.x1 - s->bounds.x0),
                          s->bounds.y0 + v * (s->bounds.y1 - s->bounds.y0)};
}

static bool put(placing *s, int32_t i, throng_point p)
{
    double radius = s->sizes->radius[i];
    figure f = {p, {0, throng_world_reach(s->sizes, i) - radius}, radius};
    if (!place_fits(s, &f))
        return false;
    s->out[i] = p;
    grid_add(&s->grid, &f);
    return true;
}

/* How many darts are worth throwing: areas fill a part of their bounding box only. */
static uint32_t darts_for(const placing *s)
{
    uint32_t hits = 0, tries = 2000;
    for (uint32_t t = 0; t < tries; t++)
        hits += in_areas(s, dart(s, 0, t));
    return hits ? DARTS * tries / hits : DARTS * tries;
}

/* Stops at the first agent that finds no place: the area is full for a body like that. */
static int32_t place_darts(placing *s)
{
    uint32_t darts = darts_for(s);
    for (int32_t i = 0; i < s->def->count && !throng_given_up(); i++) {
        uint32_t attempt = 0;
        while (attempt < darts && !put(s, i, dart(s, i, attempt)))
            attempt++;
        if (attempt == darts)
            return i;
    }
    return throng_given_up() ? 0 : s->def->count;
}

/* Walks a lattice of the given spacing, row by row, and puts agents where they fit. */
static int32_t place_lattice(placing *s, int32_t from, double dx, double dy, bool hexagonal)
{
    int32_t i = from, row = 0;
    for (double y = s->bounds.y0; y <= s->bounds.y1 && i < s->def->count && !throng_given_up(); y += dy, row++)
        for (double x = s->bounds.x0 + (hexagonal && row & 1 ? dx / 2 : 0); x <= s->bounds.x1 && i < s->def->count;
             x += dx)
            i += put(s, i, (throng_point){x, y});
    return i;
}

/* Of bodies that are wider than deep, side by side, one behind the other. */
static int32_t place_densely(placing *s)
{
    double deepest = 0, apart = 2.0002 * s->grid.largest + 2e-5;
    bool discs = true;
    for (int32_t i = 0; i < s->def->count; i++) {
        deepest = fmax(deepest, s->sizes->radius[i]);
        discs = discs && throng_world_reach(s->sizes, i) == s->sizes->radius[i];
    }
    return discs ? place_lattice(s, 0, apart, apart * 0.8660255, true)
                 : place_lattice(s, 0, 2.0002 * deepest + 2e-5, apart, false);
}

/* How many of `count` found a place. */
static int32_t place_all(placing *s)
{
    int32_t placed = place_darts(s);
    if (placed < s->def->count) {
        double fine = s->grid.largest / 4;
        while ((s->bounds.x1 - s->bounds.x0) / fine * ((s->bounds.y1 - s->bounds.y0) / fine) > 4e6)
            fine *= 2;
        placed = place_lattice(s, placed, fine, fine, false);
    }
    if (placed < s->def->count) {
        grid_shrink(&s->grid, s->others);
        int32_t dense = place_densely(s);
        placed = dense > placed ? dense : placed;
    }
    return placed;
}

static void add_other(placing *s, const world_sizes *sizes, int32_t slot, throng_point at, double angle)
{
    double radius = (double)sizes->radius[slot], arm = (double)throng_world_reach(sizes, slot) - radius;
    figure f = {at, {arm > 0 ? arm * cos(angle) : 0, arm > 0 ? arm * sin(angle) : 0}, radius};
    grid_add(&s->grid, &f);
}

static bool add_others(placing *s, throng_error *error)
{
    throng_agents *a = s->world->agents;
    world_sizes sizes;
    bool turned = throng_agents_uses(a, THRONG_COLUMN_shoulders);
    const float *x, *y, *angle = turned ? throng_agents_read(a, THRONG_COLUMN_shoulders, error) : NULL;
    const int32_t *state = throng_agents_read(a, THRONG_COLUMN_state, error);
    if (!throng_world_places(s->world, &x, &y, error) || !throng_world_read_sizes(a, &sizes, error) ||
        (turned && !angle) || !state)
        return false;
    double largest = s->grid.largest, straight = throng_columns[THRONG_COLUMN_shoulders].initial;
    for (int32_t i = 0; i < throng_agents_slots(a); i++)
        if (state[i] && x[i] > s->bounds.x0 - 2 * largest && x[i] < s->bounds.x1 + 2 * largest &&
            y[i] > s->bounds.y0 - 2 * largest && y[i] < s->bounds.y1 + 2 * largest)
            add_other(s, &sizes, i, (throng_point){(double)x[i], (double)y[i]}, angle ? (double)angle[i] : straight);
    s->others = s->grid.count;
    return true;
}

static double largest_of(const throng_world *w, const world_sizes *sizes, int32_t count)
{
    double largest = w->agents && throng_agents_count(w->agents) ? w->frame.radius : 0;
    for (int32_t i = 0; i < count; i++)
        largest = fmax(largest, throng_world_reach(sizes, i));
    world_sizes others;
    bool known = throng_world_read_sizes(w->agents, &others, NULL);
    for (int32_t i = 0; known && i < throng_agents_slots(w->agents); i++)
        largest = fmax(largest, throng_world_reach(&others, i));
    return largest;
}

static bool place_in_areas(throng_world *w, const throng_spawn_def *d, const world_sizes *sizes, throng_point *out,
                           throng_error *error)
{
    if (d->area_count == 0 && (!w->map || w->map->open))
        return throng_fail(error, "say where to spawn: an open world has no free space of its own to choose from");
    if (d->count == 0)
        return true;
    placing s = {.world = w,
                 .def = d,
                 .sizes = sizes,
                 .out = out,
                 .bounds = throng_world_areas_bounds(w, d->areas, d->area_count)};
    int32_t room = d->count + throng_agents_count(w->agents) + 1;
    bool ok = grid_init(&s.grid, s.bounds, largest_of(w, sizes, d->count), room) ||
              throng_fail(error, "out of memory for placing %d agents", d->count);
    ok = ok && find_bounds(&s, error) && measure_rooms(&s, error) && add_others(&s, error);
    int32_t placed = ok ? place_all(&s) : 0;
    if (ok && placed < d->count)
        ok = throng_fail(error, "only %d of %d agents fit%s; spawn fewer, make them smaller, or give them more room",
                         placed, d->count, d->area_count ? " into the area" : " into the map");
    grid_fini(&s.grid);
    free(s.area_bounds);
    free(s.roominess);
    return ok;
}

bool throng_world_holds(const throng_world *w, throng_point p)
{
    throng_point size = throng_world_wrap(w);
    return size.x == 0 || (p.x >= 0 && (float)p.x < (float)size.x && p.y >= 0 && (float)p.y < (float)size.y);
}

/* Exact positions are taken as they are, but not into walls, of which a world that wraps has none at its seams. */
static bool place_exactly(const throng_world *w, const throng_spawn_def *d, const world_sizes *sizes, throng_point *out,
                          throng_error *error)
{
    for (int32_t i = 0; i < d->count; i++) {
        throng_point p = d->positions[i];
        if (!isfinite((float)p.x) || !isfinite((float)p.y))
            return throng_fail(error, "position %d is (%g, %g); positions must be finite", i + 1, p.x, p.y);
        if (!throng_world_holds(w, p))
            return throng_fail(error,
                               "position %d, (%g, %g), lies outside of the world, which is %g x %g m from (0, 0)",
                               i + 1, p.x, p.y, throng_world_wrap(w).x, throng_world_wrap(w).y);
        double reach = throng_world_reach(sizes, i);
        if (w->floor && !throng_map_fits(w->floor, (throng_point){(float)p.x, (float)p.y}, reach * 0.999))
            return throng_fail(error, "position %d, (%g, %g), with a %s of %g m lies in a wall", i + 1, p.x, p.y,
                               reach > sizes->radius[i] ? "half width" : "radius", reach);
        if (in_lift(w, p))
            return throng_fail(error, "position %d, (%g, %g), lies in a lift; spawn people on its floors", i + 1, p.x,
                               p.y);
        out[i] = p;
    }
    return true;
}

bool throng_spawn_place(throng_world *w, const throng_spawn_def *d, const world_sizes *sizes, throng_point *out,
                        throng_error *error)
{
    return d->positions ? place_exactly(w, d, sizes, out, error) : place_in_areas(w, d, sizes, out, error);
}
