/* Where new agents stand.
 *
 * Places are drawn at random among those that are free; where that finds none
 * any more, the gaps are filled on a fine lattice; where that is not enough, the
 * whole group is put on a dense lattice, a hexagonal one of discs. All from the
 * world's seed. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "base/watchdog.h"
#include "map/geometry.h"
#include "map/map_sheets.h"
#include "map/ring_list.h"
#include "world_parts.h"

enum {
    DARTS = 60,
    FAR_APART = 100000000, /* places side by side in the box round all areas: more are not gone through one by one */
};

/* --- areas ------------------------------------------------------------------------------------ */

typedef struct placing {
    throng_world *world;
    const throng_spawn_def *def;
    const world_sizes *sizes;           /* [count] */
    throng_point *out;                  /* [count] */
    throng_place_grid *grid;            /* who is there, those before first */
    int32_t others;                     /* so many were */
    double largest;                     /* m: how far any reaches from its middle */
    const throng_navmesh *mesh;         /* NULL: no walls to be shut in by */
    double *roominess;                  /* [mesh->component_count] m^2 */
    throng_bounds bounds, *area_bounds; /* of all areas; [area_count] of each */
    bool far_apart;                     /* areas that are hardly any of those bounds: each is gone through alone */
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

static bool place_fits(const placing *s, const throng_occupant *f)
{
    throng_point p = f->at;
    double reach = throng_occupant_reach(f);
    return in_areas(s, p) && off_seam(s->world, p, reach + 1e-4) &&
           (!s->world->map || throng_map_fits(s->world->map, p, reach + 1e-4)) &&
           !throng_world_body_near(s->world, p, reach) && throng_place_grid_free(s->grid, f) && !in_lift(s->world, p) &&
           can_leave(s, p, reach);
}

static throng_bounds cut(const throng_world *w, throng_bounds b)
{
    throng_point size = throng_world_wrap(w);
    if (size.x > 0) /* as floats: all of the world is to stay all of it */
        b = throng_bounds_common(b, (throng_bounds){0, 0, size.x * (1 + 1e-6), size.y * (1 + 1e-6)});
    return !w->map || w->map->open ? b : throng_bounds_common(b, w->map->bounds);
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
    return cut(w, b);
}

throng_bounds throng_world_draw_area(const throng_world *w, const throng_region *areas, int32_t count, double random)
{
    double left = 0;
    for (int32_t a = 0; a < count; a++)
        left += random * throng_bounds_area(throng_world_areas_bounds(w, &areas[a], 1));
    throng_bounds b = throng_world_areas_bounds(w, &areas[0], 1);
    for (int32_t a = 1; a < count && left >= throng_bounds_area(b); a++) {
        left -= throng_bounds_area(b);
        b = throng_world_areas_bounds(w, &areas[a], 1);
    }
    return b;
}

/* Of a square lattice. */
static double points_in(throng_bounds b, double spacing) { return (b.x1 - b.x0) / spacing * ((b.y1 - b.y0) / spacing); }

/* In the areas' boxes. */
static double points_in_areas(const placing *s, double spacing)
{
    double points = 0;
    for (int32_t a = 0; a < s->def->area_count; a++)
        points += points_in(s->area_bounds[a], spacing);
    return points;
}

static bool are_far_apart(const placing *s)
{
    double all = points_in(s->bounds, 2 * s->largest);
    return s->def->area_count > 1 && all > FAR_APART && 1000 * points_in_areas(s, 2 * s->largest) < all;
}

static bool find_bounds(placing *s, throng_error *error)
{
    const throng_spawn_def *d = s->def;
    s->area_bounds = malloc(((size_t)d->area_count + 1) * sizeof *s->area_bounds);
    for (int32_t a = 0; s->area_bounds && a < d->area_count; a++)
        s->area_bounds[a] = throng_world_areas_bounds(s->world, &d->areas[a], 1);
    if (!s->area_bounds)
        return throng_fail(error, "out of memory for %d areas", d->area_count);
    s->far_apart = are_far_apart(s);
    return true;
}

/* --- the three ways of placing ------------------------------------------------------------------- */

static throng_point dart(const placing *s, int32_t i, uint32_t attempt)
{
    uint32_t id = (uint32_t)(s->world->groups.spawned + i);
    double u = throng_random(s->world->seed, id, attempt, 0, THRONG_RANDOM_PLACE);
    double v = throng_random(s->world->seed, id, attempt, 1, THRONG_RANDOM_PLACE);
    throng_bounds b = s->bounds;
    if (s->far_apart)
        b = throng_world_draw_area(s->world, s->def->areas, s->def->area_count,
                                   throng_random(s->world->seed, id, attempt, 2, THRONG_RANDOM_PLACE));
    return (throng_point){b.x0 + u * (b.x1 - b.x0), b.y0 + v * (b.y1 - b.y0)};
}

static bool put(placing *s, int32_t i, throng_point p)
{
    double radius = s->sizes->radius[i];
    throng_occupant f = {p, {0, throng_world_reach(s->sizes, i) - radius}, radius};
    if (!place_fits(s, &f))
        return false;
    s->out[i] = p;
    throng_place_grid_add(s->grid, &f);
    return true;
}

/* How many darts are worth throwing, DARTS at least: areas fill a part of their bounding box only. */
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
    uint32_t darts = DARTS;
    bool known = false; /* it takes as long as many find a place in */
    for (int32_t i = 0; i < s->def->count && !throng_given_up(); i++) {
        uint32_t attempt = 0;
        while (attempt < darts && !put(s, i, dart(s, i, attempt))) {
            if (++attempt == darts && !known) {
                darts = darts_for(s);
                known = true;
            }
        }
        if (attempt == darts)
            return i;
    }
    return throng_given_up() ? 0 : s->def->count;
}

/* Walks a lattice of the given spacing, row by row, and puts agents where they fit. */
static int32_t walk_lattice(placing *s, throng_bounds b, int32_t from, double dx, double dy, bool hexagonal)
{
    int32_t i = from, row = 0;
    int64_t turn = 0;
    for (double y = b.y0; y <= b.y1 && i < s->def->count && !throng_given_up(); y += dy, row++)
        for (double x = b.x0 + (hexagonal && row & 1 ? dx / 2 : 0);
             x <= b.x1 && i < s->def->count && !throng_given_up_at(turn++); x += dx)
            i += put(s, i, (throng_point){x, y});
    return i;
}

static int32_t place_lattice(placing *s, int32_t from, double dx, double dy, bool hexagonal)
{
    if (!s->far_apart)
        return walk_lattice(s, s->bounds, from, dx, dy, hexagonal);
    for (int32_t a = 0; a < s->def->area_count; a++)
        from = walk_lattice(s, s->area_bounds[a], from, dx, dy, hexagonal);
    return from;
}

/* Of bodies that are wider than deep, side by side, one behind the other. */
static int32_t place_densely(placing *s)
{
    double deepest = 0, apart = 2.0002 * s->largest + 2e-5;
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
        double fine = s->largest / 4;
        while ((s->far_apart ? points_in_areas(s, fine) : points_in(s->bounds, fine)) > 4e6)
            fine *= 2;
        placed = place_lattice(s, placed, fine, fine, false);
    }
    if (placed < s->def->count) {
        throng_place_grid_shrink(s->grid, s->others);
        int32_t dense = place_densely(s);
        placed = dense > placed ? dense : placed;
    }
    return placed;
}

/* The areas in words: "into 'offices' and 15 more", "into the area", "into the map". */
static void name_areas(const throng_spawn_def *d, char *text, size_t size)
{
    const char *name = d->area_count ? d->areas[0].name : NULL;
    char more[32] = "";
    if (d->area_count > 1)
        snprintf(more, sizeof more, " and %d more", d->area_count - 1);
    if (name && *name)
        snprintf(text, size, "'%.80s'%s", name, more);
    else
        snprintf(text, size, "the %s%s", d->area_count ? "area" : "map", more);
}

static bool beside(throng_bounds a, throng_bounds b)
{
    return a.x1 <= b.x0 || a.x0 >= b.x1 || a.y1 <= b.y0 || a.y0 >= b.y1;
}

/* Why fewer fit than were asked for, as far as sizes tell. */
static bool do_not_fit(const placing *s, int32_t placed, throng_error *error)
{
    const throng_spawn_def *d = s->def;
    const throng_map *map = s->world->map;
    char where[128];
    double floor = 0, bodies = 0;
    name_areas(d, where, sizeof where);
    if (d->area_count && map && !map->open && beside(s->bounds, map->bounds))
        return throng_fail(error,
                           "only %d of %d agents fit into %s, which lies outside of the map, (%g, %g) to (%g, %g) m; "
                           "give a place on its floor",
                           placed, d->count, where, map->bounds.x0, map->bounds.y0, map->bounds.x1, map->bounds.y1);
    for (int32_t i = 0; i < d->area_count; i++)
        floor +=
            fmin(fabs(throng_ring_area(d->areas[i].points, d->areas[i].count)), throng_bounds_area(s->area_bounds[i]));
    for (int32_t i = 0; i < d->count; i++)
        bodies += 2 * sqrt(3) * throng_world_reach(s->sizes, i) * throng_world_reach(s->sizes, i);
    char room[128] = "";
    if (d->area_count)
        snprintf(room, sizeof room, ", %.3g m² with what stands there; side by side they take %.3g m²", floor, bodies);
    return throng_fail(error,
                       "only %d of %d agents fit into %s%s; spawn fewer, make them smaller, or give them more room",
                       placed, d->count, where, room);
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
    for (int32_t i = 0; i < d->count; i++)
        s.largest = fmax(s.largest, throng_world_reach(sizes, i));
    bool ok = throng_world_take_in(w, d->count, &s.largest, error);
    s.grid = &w->taken.grid;
    s.others = s.grid->count;
    ok = ok && find_bounds(&s, error) && measure_rooms(&s, error);
    int32_t placed = ok ? place_all(&s) : 0;
    throng_place_grid_shrink(s.grid, s.others);
    if (ok && placed < d->count)
        ok = do_not_fit(&s, placed, error);
    free(s.area_bounds);
    free(s.roominess);
    return ok;
}

bool throng_world_holds(const throng_world *w, throng_point p)
{
    throng_point size = throng_world_wrap(w);
    return size.x == 0 || (p.x >= 0 && (float)p.x < (float)size.x && p.y >= 0 && (float)p.y < (float)size.y);
}

bool throng_world_takes(const throng_world *w, throng_point p, int32_t number, throng_error *error)
{
    if (!isfinite((float)p.x) || !isfinite((float)p.y))
        return throng_fail(error, "position %d is (%g, %g); positions must be finite", number, p.x, p.y);
    if (!throng_world_holds(w, p))
        return throng_fail(error, "position %d, (%g, %g), lies outside of the world, which is %g x %g m from (0, 0)",
                           number, p.x, p.y, throng_world_wrap(w).x, throng_world_wrap(w).y);
    return true;
}

bool throng_world_beyond(const throng_world *w, throng_point p)
{
    const throng_bounds *b = w->map && !w->map->open && !w->map->sheets ? &w->map->bounds : NULL;
    return b && (p.x < b->x0 || p.x > b->x1 || p.y < b->y0 || p.y > b->y1);
}

bool throng_world_refuse_wall(const throng_world *w, const world_sizes *sizes, int32_t i, throng_point p,
                              int32_t number, const char *more, throng_error *error)
{
    double reach = throng_world_reach(sizes, i);
    if (throng_world_beyond(w, p))
        return throng_fail(error, "position %d, (%g, %g), lies beyond the map, which is from (%g, %g) to (%g, %g)",
                           number, p.x, p.y, w->map->bounds.x0, w->map->bounds.y0, w->map->bounds.x1,
                           w->map->bounds.y1);
    p = throng_map_position_at(w->map, p);
    return throng_fail(error, "position %d, (%g, %g), with a %s of %g m lies in a wall%s", number, p.x, p.y,
                       reach > sizes->radius[i] ? "half width" : "radius", reach, more);
}

/* The place nearest to a recorded head, to a centimetre or two, where its body fits: people lean over what they stand
 * beside. False: there is none near. Ways are turned by products alone, which have the same bits everywhere. */
static bool fit_recorded(const throng_map *floor, double reach, throng_point *p)
{
    enum { RINGS = 50, WAYS = 32 };
    const double cosine = 0.98078528040323044, sine = 0.19509032201612827; /* of a turn / WAYS */
    throng_point way = {1, 0};
    for (int ring = 1; ring <= RINGS; ring++)
        for (int n = 0; n < WAYS; n++) {
            double off = THRONG_RECORDED_OFF * ring / RINGS;
            throng_point at = {(float)(p->x + off * way.x), (float)(p->y + off * way.y)};
            if (throng_map_fits(floor, at, reach)) {
                *p = at;
                return true;
            }
            way = (throng_point){way.x * cosine - way.y * sine, way.x * sine + way.y * cosine};
        }
    return false;
}

/* Exact positions are taken as they are, but not into walls, of which a world that wraps has none at its seams. */
static bool place_exactly(const throng_world *w, const throng_spawn_def *d, const world_sizes *sizes, throng_point *out,
                          throng_error *error)
{
    for (int32_t i = 0; i < d->count; i++) {
        throng_point p = d->positions[i];
        if (!throng_world_takes(w, p, i + 1, error))
            return false;
        double reach = throng_world_reach(sizes, i);
        if (w->floor && !throng_map_fits(w->floor, (throng_point){(float)p.x, (float)p.y}, reach * 0.999) &&
            !(d->recorded && fit_recorded(w->floor, reach, &p)))
            return throng_world_refuse_wall(w, sizes, i, p, i + 1, "", error);
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
