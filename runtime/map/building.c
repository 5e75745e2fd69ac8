#include "building.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "box_pairs.h"
#include "geometry.h"
#include "map_findings.h"
#include "map_geos.h"
#include "map_sides.h"

/* Corners of flights lie on a grid (1/m), so that floats hold them exactly. */
static const double GRID = 4096;

const char *const throng_sheet_kinds[THRONG_SHEET_KINDS] = {"floor",   "stairs", "ramp",   "escalator",
                                                            "walkway", "lift",   "landing"};

/* m: an outline and a seam are as near as this where they are the same. */
static const double HAIR = 1e-6;

typedef struct building {
    const throng_floor_plan *floors;
    const throng_flight_plan *flights;
    const throng_lift_plan *lifts;
    int32_t floor_count, flight_count, lift_count;
    throng_geos geos;
    throng_map_sheets *sheets;
    throng_ring_list rings; /* by places */
    int32_t parts;
} building;

static throng_point on_grid(double x, double y)
{
    return (throng_point){round(x * GRID) / GRID, round(y * GRID) / GRID};
}

/* The flight's corners, counter-clockwise: the right and then the left end of its foot come first and last. */
static void flight_corners(const throng_flight_plan *f, throng_point corner[4])
{
    double x = cos(f->direction), y = sin(f->direction), side = 0.5 * f->width;
    throng_point head = {f->at.x + f->length * x, f->at.y + f->length * y};
    corner[0] = on_grid(f->at.x + side * y, f->at.y - side * x);
    corner[1] = on_grid(head.x + side * y, head.y - side * x);
    corner[2] = on_grid(head.x - side * y, head.y + side * x);
    corner[3] = on_grid(f->at.x - side * y, f->at.y + side * x);
}

void throng_flight_turn_back(throng_flight_plan *lower, throng_flight_plan *upper, int32_t switchback, bool left,
                             double depth, throng_point landing[5])
{
    double x = cos(lower->direction), y = sin(lower->direction), aside = left ? lower->width : -lower->width;
    lower->switchback = switchback;
    lower->rise *= 0.5;
    *upper = *lower;
    upper->at =
        (throng_point){lower->at.x + lower->length * x - aside * y, lower->at.y + lower->length * y + aside * x};
    upper->direction = atan2(-y, -x);
    throng_point low[4], high[4];
    flight_corners(lower, low);
    flight_corners(upper, high);
    landing[0] = left ? low[1] : high[3];
    landing[3] = left ? high[0] : low[2];
    landing[1] = (throng_point){landing[0].x + depth * x, landing[0].y + depth * y};
    landing[2] = (throng_point){landing[3].x + depth * x, landing[3].y + depth * y};
    landing[4] = left ? low[2] : low[1];
}

throng_flight_plan throng_flight_plan_default(throng_sheet_kind kind)
{
    bool steps = kind == THRONG_SHEET_STAIRS || kind == THRONG_SHEET_ESCALATOR;
    bool belt = kind == THRONG_SHEET_ESCALATOR || kind == THRONG_SHEET_WALKWAY;
    return (throng_flight_plan){.kind = kind,
                                .width = belt ? 1 : 1.2,
                                .climb = steps ? 0.61 / 1.34 : NAN, /* Weidmann (1993) */
                                .descend = steps ? 0.694 / 1.34 : NAN,
                                .walkers = kind == THRONG_SHEET_ESCALATOR ? 0 : 1,
                                .cost = -1,
                                .rise = NAN};
}

throng_map_lift throng_lift_default(void)
{
    return (throng_map_lift){
        .width = 1.6, .capacity = 8, .speed = 1, .acceleration = 1, .door_time = 2, .dwell = 3, .wait = -1};
}

/* What of their speed people keep on a slope that gains so many metres in a metre of the plan, below 0: that falls, but
 * no more than all, and at least a tenth: exp(-3.5 |slope + 0.05|) over that of level ground (W. Tobler, "Three
 * presentations on geographical analysis and modeling", NCGIA 93-1, 1993, who takes it from Imhof's measurements). */
static double slope_pace(double slope) { return fmin(fmax(exp(-3.5 * (fabs(slope + 0.05) - 0.05)), 0.1), 1); }

/* --- the sheets --- */

/* Shelves of about as much width as height; the first part stays where it is. */
static void lay_out(throng_map_sheets *s)
{
    double area = 0, widest = 0;
    for (int32_t i = 0; i < s->count; i++) {
        double width = s->list[i].bounds.x1 - s->list[i].bounds.x0 + THRONG_PARTS_APART;
        area += width * (s->list[i].bounds.y1 - s->list[i].bounds.y0 + THRONG_PARTS_APART);
        widest = fmax(widest, width);
    }
    double left = s->list[0].bounds.x0, limit = left + fmax(widest, 1.5 * sqrt(area)), x = left,
           y = s->list[0].bounds.y0, height = 0;
    for (int32_t i = 0; i < s->count; i++) {
        throng_map_sheet *sheet = &s->list[i];
        if (i > 0 && s->list[i - 1].part == sheet->part) {
            sheet->offset = s->list[i - 1].offset;
            continue;
        }
        throng_bounds b = sheet->bounds;
        for (int32_t k = i + 1; k < s->count && s->list[k].part == sheet->part; k++)
            b = (throng_bounds){fmin(b.x0, s->list[k].bounds.x0), fmin(b.y0, s->list[k].bounds.y0),
                                fmax(b.x1, s->list[k].bounds.x1), fmax(b.y1, s->list[k].bounds.y1)};
        if (x > left && x + (b.x1 - b.x0) > limit) {
            x = left;
            y += height + THRONG_PARTS_APART;
            height = 0;
        }
        if (i > 0)
            sheet->offset = (throng_point){ceil(x - b.x0), ceil(y - b.y0)};
        x = b.x1 + sheet->offset.x + THRONG_PARTS_APART;
        height = fmax(height, b.y1 - b.y0);
    }
}

static bool add_floor_sheet(building *b, int32_t floor)
{
    const throng_floor_plan *f = &b->floors[floor];
    throng_map_sheet *sheet = &b->sheets->list[b->sheets->count];
    *sheet = (throng_map_sheet){.name = strdup(f->name),
                                .kind = f->landing ? THRONG_SHEET_LANDING : THRONG_SHEET_FLOOR,
                                .part = b->parts++,
                                .bounds = f->map->bounds,
                                .z = f->z,
                                .climb = 1,
                                .descend = 1};
    b->sheets->count++;
    return sheet->name != NULL;
}

/* The two halves, and the three seams: at the foot, between them, at the head. */
static bool add_flight_sheets(building *b, int32_t flight)
{
    const throng_flight_plan *f = &b->flights[flight];
    throng_map_sheets *s = b->sheets;
    throng_point c[4], right, left;
    flight_corners(f, c);
    right = on_grid(0.5 * (c[0].x + c[1].x), 0.5 * (c[0].y + c[1].y));
    left = on_grid(0.5 * (c[3].x + c[2].x), 0.5 * (c[3].y + c[2].y));
    throng_point half[2][4] = {{c[0], right, left, c[3]}, {right, c[1], c[2], left}};
    double x = cos(f->direction), y = sin(f->direction), z0 = b->floors[f->from].z;
    double rise = (b->floors[f->to].z - z0) / f->length;
    int32_t lower = s->count, upper = lower + 1;
    bool fine = true;
    for (int i = 0; i < 2; i++) {
        s->list[s->count] = (throng_map_sheet){.name = strdup(f->name),
                                               .part = b->parts,
                                               .kind = f->kind,
                                               .flight = true,
                                               .bounds = throng_box_round(half[i], 4, 0),
                                               .z = z0 - rise * (f->at.x * x + f->at.y * y),
                                               .slope = {rise * x, rise * y},
                                               .up = {x, y},
                                               .length = 0.5 * f->length,
                                               .foot = f->at,
                                               .head = {f->at.x + f->length * x, f->at.y + f->length * y},
                                               .width = f->width,
                                               .cost = 0.5 * f->cost,
                                               .climb = isnan(f->climb) ? slope_pace(rise) : f->climb,
                                               .descend = isnan(f->descend) ? slope_pace(-rise) : f->descend,
                                               .belt = f->belt / sqrt(1 + rise * rise),
                                               .walkers = f->walkers};
        fine = s->list[s->count++].name && fine;
    }
    b->parts++;
    s->seams[s->seam_count++] = (throng_seam){f->from, lower, c[0], c[3], false};
    s->seams[s->seam_count++] = (throng_seam){lower, upper, right, left, true};
    s->seams[s->seam_count++] = (throng_seam){upper, f->to, c[1], c[2], false};
    return fine;
}

/* The lift's corners, as those of a flight. */
static void corners_of_lift(const throng_map_lift *l, throng_point corner[4])
{
    const double behind[4] = {0, l->depth, l->depth, 0}, right[4] = {0.5, 0.5, -0.5, -0.5};
    for (int i = 0; i < 4; i++) {
        throng_point p = throng_lift_point(l, behind[i], right[i] * l->width);
        corner[i] = on_grid(p.x, p.y);
    }
}

/* A sheet and a seam for each floor that it serves. */
static bool add_lift_sheets(building *b, int32_t lift)
{
    const throng_lift_plan *plan = &b->lifts[lift];
    throng_map_sheets *s = b->sheets;
    throng_point c[4];
    bool fine = true;
    corners_of_lift(&plan->lift, c);
    s->lifts[lift] = plan->lift;
    s->lifts[lift].first = s->stop_count;
    s->lifts[lift].count = plan->count;
    for (int32_t i = 0; i < plan->count; i++) {
        int32_t floor = plan->floors[i];
        s->stops[s->stop_count++] =
            (throng_lift_stop){.lift = lift, .sheet = s->count, .floor = floor, .z = b->floors[floor].z};
        s->list[s->count] = (throng_map_sheet){.name = strdup(plan->name),
                                               .kind = THRONG_SHEET_LIFT,
                                               .part = b->parts++,
                                               .bounds = throng_box_round(c, 4, 0),
                                               .z = b->floors[floor].z,
                                               .climb = 1,
                                               .descend = 1};
        s->seams[s->seam_count++] = (throng_seam){floor, s->count, c[0], c[3], false};
        fine = s->list[s->count++].name && fine;
    }
    return fine;
}

static bool make_sheets(building *b, throng_error *error)
{
    throng_map_sheets *s = b->sheets;
    size_t stops = 0;
    for (int32_t i = 0; i < b->lift_count; i++)
        stops += (size_t)b->lifts[i].count;
    s->list = calloc((size_t)b->floor_count + 2 * (size_t)b->flight_count + stops, sizeof *s->list);
    s->seams = calloc(3 * (size_t)b->flight_count + stops + 1, sizeof *s->seams);
    s->lifts = calloc((size_t)b->lift_count + 1, sizeof *s->lifts);
    s->stops = calloc(stops + 1, sizeof *s->stops);
    s->lift_count = b->lift_count;
    bool fine = s->list && s->seams && s->lifts && s->stops;
    for (int32_t i = 0; fine && i < b->floor_count; i++)
        fine = add_floor_sheet(b, i);
    for (int32_t i = 0; fine && i < b->flight_count; i++)
        fine = add_flight_sheets(b, i);
    for (int32_t i = 0; fine && i < b->lift_count; i++)
        fine = add_lift_sheets(b, i);
    if (!fine)
        return throng_fail(error, "out of memory for the floors of a building");
    lay_out(s);
    return true;
}

/* --- the outlines --- */

/* The flight's outline, with the ends of the seam in its middle: so the hole for it and the flight have the same sides.
 */
enum { OUTLINE = 6 };
static void outline_of(const building *b, int32_t flight, throng_point outline[OUTLINE])
{
    const throng_seam *middle = &b->sheets->seams[3 * flight + 1];
    throng_point c[4];
    flight_corners(&b->flights[flight], c);
    const throng_point points[OUTLINE] = {c[0], middle->a, c[1], c[2], middle->b, c[3]};
    memcpy(outline, points, sizeof points);
}

/* Adds a ring at its place; seams that end in the middle of a side get a corner there. */
static bool add_ring(building *b, int32_t sheet, const throng_point *points, int32_t count)
{
    throng_point by = b->sheets->list[sheet].offset;
    bool fine = throng_ring_list_begin(&b->rings);
    for (int32_t i = 0; fine && i < count; i++) {
        throng_point from = points[i], to = points[(i + 1) % count];
        fine = throng_ring_list_add(&b->rings, (throng_point){from.x + by.x, from.y + by.y});
        for (;;) { /* the nearest end of a seam on the rest of the side */
            throng_point next = to;
            for (int32_t q = 0; q < b->sheets->seam_count; q++) {
                const throng_seam *seam = &b->sheets->seams[q];
                const throng_point ends[2] = {seam->a, seam->b};
                for (int e = 0; e < 2; e++)
                    if (!seam->inside && (seam->left == sheet || seam->right == sheet) &&
                        throng_segment_distance(from, to, ends[e]) < HAIR && throng_distance(from, ends[e]) > HAIR &&
                        throng_distance(to, ends[e]) > HAIR &&
                        throng_distance(from, ends[e]) < throng_distance(from, next))
                        next = ends[e];
            }
            if (next.x == to.x && next.y == to.y)
                break;
            fine = fine && throng_ring_list_add(&b->rings, (throng_point){next.x + by.x, next.y + by.y});
            from = next;
        }
    }
    return fine;
}

static bool cut_out(throng_geos *g, const throng_point *outline, int32_t count, GEOSGeometry **space)
{
    GEOSGeometry *hole = throng_geos_polygon(g, outline, count);
    bool fine = hole && throng_geos_replace(g, space, GEOSDifference_r(g->handle, *space, hole));
    throng_geos_free(g, hole);
    return fine;
}

/* Does a switchback begin or end on the floor? */
static bool has_switchback(const building *b, int32_t switchback, int32_t floor)
{
    for (int32_t i = 0; switchback && i < b->flight_count; i++)
        if (b->flights[i].switchback == switchback && (b->flights[i].from == floor || b->flights[i].to == floor))
            return true;
    return false;
}

static bool cut_landings(building *b, int32_t floor, GEOSGeometry **space)
{
    throng_geos *g = &b->geos;
    bool fine = true;
    for (int32_t i = 0; fine && i < b->floor_count; i++) {
        if (!has_switchback(b, b->floors[i].landing, floor))
            continue;
        GEOSGeometry *landing = throng_geos_free_space(g, b->floors[i].map, 0);
        fine = landing && throng_geos_replace(g, space, GEOSDifference_r(g->handle, *space, landing));
        throng_geos_free(g, landing);
    }
    return fine;
}

/* The floor less all flights that begin or end there, whole switchbacks, and the lifts that serve it. */
static bool add_floor(building *b, int32_t floor, throng_error *error)
{
    throng_geos *g = &b->geos;
    throng_ring_list rings = {0};
    GEOSGeometry *space = throng_geos_free_space(g, b->floors[floor].map, 0);
    bool fine = space != NULL;
    for (int32_t i = 0; fine && !b->floors[floor].landing && i < b->flight_count; i++) {
        throng_point outline[OUTLINE];
        const throng_flight_plan *f = &b->flights[i];
        if (f->from != floor && f->to != floor && !has_switchback(b, f->switchback, floor))
            continue;
        outline_of(b, i, outline);
        fine = cut_out(g, outline, OUTLINE, &space);
    }
    fine = fine && (b->floors[floor].landing || cut_landings(b, floor, &space));
    for (int32_t i = 0; fine && i < b->sheets->stop_count; i++) {
        throng_point corner[4];
        corners_of_lift(&b->sheets->lifts[b->sheets->stops[i].lift], corner);
        fine = b->sheets->stops[i].floor != floor || cut_out(g, corner, 4, &space);
    }
    fine = fine && throng_geos_rings(g, space, &rings);
    throng_geos_free(g, space);
    if (!fine) {
        throng_ring_list_fini(&rings);
        return throng_geos_fail(g, b->floors[floor].name, error);
    }
    for (int32_t r = 0; fine && r < rings.count; r++)
        fine = add_ring(b, floor, rings.points + rings.start[r], throng_ring_list_end(&rings, r) - rings.start[r]);
    throng_ring_list_fini(&rings);
    return fine || throng_fail(error, "out of memory for the floors of a building");
}

static bool add_outlines(building *b, throng_error *error)
{
    for (int32_t i = 0; i < b->floor_count; i++)
        if (!add_floor(b, i, error))
            return false;
    for (int32_t i = 0; i < b->flight_count; i++) {
        throng_point outline[OUTLINE];
        outline_of(b, i, outline);
        if (!add_ring(b, b->floor_count + 2 * i, outline, OUTLINE))
            return throng_fail(error, "out of memory for the flights of a building");
    }
    for (int32_t i = 0; i < b->sheets->stop_count; i++) {
        throng_point corner[4];
        corners_of_lift(&b->sheets->lifts[b->sheets->stops[i].lift], corner);
        if (!add_ring(b, b->sheets->stops[i].sheet, corner, 4))
            return throng_fail(error, "out of memory for the lifts of a building");
    }
    return true;
}

/* The name of a flight or a lift, and where it is drawn, for messages. */
typedef struct part_name {
    char text[400];
} part_name;

static part_name name_of(throng_sheet_kind kind, const char *name, const char *where)
{
    part_name n;
    snprintf(n.text, sizeof n.text, "%s \"%s\"%s%s", throng_sheet_kinds[kind], name, where ? ", " : "",
             where ? where : "");
    return n;
}

/* The lift that has the seam, which is none of a flight. */
static int32_t lift_at(const building *b, int32_t seam) { return b->sheets->stops[seam - 3 * b->flight_count].lift; }

static bool fail_at_seam(const building *b, int32_t q, double met, throng_error *error)
{
    const throng_seam *seam = &b->sheets->seams[q];
    bool of_lift = q >= 3 * b->flight_count, foot = of_lift || q % 3 == 0;
    const throng_flight_plan *f = of_lift ? NULL : &b->flights[q / 3];
    const throng_lift_plan *l = of_lift ? &b->lifts[lift_at(b, q)] : NULL;
    return throng_fail(error,
                       "%s: floor \"%s\" must begin along all of the %s, from (%.4g, %.4g) to (%.4g, %.4g), and does "
                       "along %.3g of %.3g m; move the %s, or the walls there",
                       (l ? name_of(THRONG_SHEET_LIFT, l->name, l->where) : name_of(f->kind, f->name, f->where)).text,
                       b->floors[foot ? seam->left : seam->right].name,
                       of_lift ? "door"
                       : foot  ? "foot"
                               : "head",
                       seam->a.x, seam->a.y, seam->b.x, seam->b.y, met, throng_distance(seam->a, seam->b),
                       of_lift ? "lift" : "flight");
}

static int32_t floor_at_seam(const building *b, int32_t q)
{
    bool foot = q >= 3 * b->flight_count || q % 3 == 0;
    return foot ? b->sheets->seams[q].left : b->sheets->seams[q].right;
}

/* How much of each seam the rims of its floor lie along. m */
static void measure_seams(const building *b, const throng_map *map, double *met)
{
    for (int32_t r = 0; r < map->ring_count; r++) {
        int32_t first = map->ring_start[r], count = map->ring_start[r + 1] - first, on;
        int32_t sheet = throng_map_sheet_at(map, map->points[first]);
        for (int32_t i = 0; i < count; i++) {
            throng_point from = map->points[first + i], to = map->points[first + (i + 1) % count];
            if (throng_map_on_seam(map, from, to, &on) && floor_at_seam(b, on) == sheet)
                met[on] += throng_distance(from, to);
        }
    }
}

/* Does floor begin along all of a flight's foot, and of its head, and of a lift's door? */
static bool check_seams(const building *b, const throng_map *map, throng_error *error)
{
    double *met = calloc((size_t)b->sheets->seam_count + 1, sizeof *met);
    if (!met)
        return throng_fail(error, "out of memory for the seams of a building");
    measure_seams(b, map, met);
    bool fine = true;
    for (int32_t q = 0; fine && q < b->sheets->seam_count; q++) {
        const throng_seam *seam = &b->sheets->seams[q];
        if (!seam->inside && fabs(met[q] - throng_distance(seam->a, seam->b)) > 1e-3)
            fine = fail_at_seam(b, q, met[q], error);
    }
    free(met);
    return fine;
}

/* --- names --- */

static bool add_region(throng_map *map, const char *floor, const throng_region *r, throng_point by, throng_error *error)
{
    char name[512];
    throng_point *points = malloc(((size_t)r->count + 1) * sizeof *points);
    if (!points)
        return throng_fail(error, "out of memory for region \"%s\"", r->name);
    for (int32_t i = 0; i < r->count; i++)
        points[i] = (throng_point){r->points[i].x + by.x, r->points[i].y + by.y};
    snprintf(name, sizeof name, "%s/%s", floor, r->name);
    bool fine = throng_map_add_region(map, name, points, r->count, error);
    free(points);
    if (!fine)
        return false;
    throng_region *added = &map->regions[map->region_count - 1];
    added->group = strdup(r->group ? r->group : r->name);
    return (added->group && throng_properties_copy(&added->properties, &r->properties)) ||
           throng_fail(error, "out of memory for region \"%s\"", r->name);
}

static bool add_door(throng_map *map, const char *floor, const throng_door *d, throng_point by, throng_error *error)
{
    char name[512];
    throng_point a = {d->a.x + by.x, d->a.y + by.y}, b = {d->b.x + by.x, d->b.y + by.y};
    snprintf(name, sizeof name, "%s/%s", floor, d->name);
    return throng_map_add_door(map, name, a, b, error) &&
           throng_map_set_passage(map, map->door_count - 1, d->cost, d->max_radius, error) &&
           (throng_properties_copy(&map->doors[map->door_count - 1].properties, &d->properties) ||
            throng_fail(error, "out of memory for door \"%s\"", d->name));
}

/* The region that is a floor or a flight, at its place; the parts of a switchback have its name, too. */
static bool add_part(throng_map *map, const throng_map_sheet *s, const char *group, const throng_point *points,
                     int32_t count, throng_error *error)
{
    throng_point *places = malloc(((size_t)count + 1) * sizeof *places);
    for (int32_t i = 0; places && i < count; i++)
        places[i] = (throng_point){points[i].x + s->offset.x, points[i].y + s->offset.y};
    bool fine = places ? throng_map_add_region(map, s->name, places, count, error)
                       : throng_fail(error, "out of memory for region \"%s\"", s->name);
    free(places);
    return fine && (!group || (map->regions[map->region_count - 1].group = strdup(group)) ||
                    throng_fail(error, "out of memory for region \"%s\"", s->name));
}

/* The name of a switchback, of its landing. */
static const char *whole_of(const building *b, int32_t landing)
{
    for (int32_t i = 0; landing && i < b->flight_count; i++)
        if (b->flights[i].switchback == landing)
            return b->flights[i].whole;
    return NULL;
}

/* The region that is all of a floor: its bounds, or a landing's outline. */
static bool add_whole(const building *b, throng_map *map, int32_t floor, throng_error *error)
{
    const throng_floor_plan *f = &b->floors[floor];
    const throng_map_sheet *s = &b->sheets->list[floor];
    throng_bounds box = s->bounds;
    const throng_point corner[4] = {{box.x0, box.y0}, {box.x1, box.y0}, {box.x1, box.y1}, {box.x0, box.y1}};
    if (f->landing)
        return add_part(map, s, whole_of(b, f->landing), f->map->points, f->map->ring_start[1], error);
    return add_part(map, s, NULL, corner, 4, error);
}

/* The region that is a lift's car at a floor, and its door there. */
static bool add_stop(const building *b, throng_map *map, int32_t stop, throng_error *error)
{
    throng_lift_stop *s = &b->sheets->stops[stop];
    const throng_map_lift *l = &b->sheets->lifts[s->lift];
    const char *floor = b->floors[s->floor].name;
    char *name = (char *)b->lifts[s->lift].name; /* only read */
    throng_point corner[4], by = b->sheets->list[s->sheet].offset;
    corners_of_lift(l, corner);
    throng_region car = {.name = name, .points = corner, .count = 4};
    throng_door door = {.name = name,
                        .a = throng_lift_point(l, THRONG_LIFT_SILL, 0.5 * l->width),
                        .b = throng_lift_point(l, THRONG_LIFT_SILL, -0.5 * l->width)};
    s->door = map->door_count;
    return add_region(map, floor, &car, by, error) && add_door(map, floor, &door, by, error);
}

static bool add_names(const building *b, throng_map *map, throng_error *error)
{
    for (int32_t i = 0; i < b->floor_count; i++) {
        const throng_map *floor = b->floors[i].map;
        throng_point by = b->sheets->list[i].offset;
        if (!add_whole(b, map, i, error))
            return false;
        for (int32_t r = 0; r < floor->region_count; r++)
            if (!add_region(map, b->floors[i].name, &floor->regions[r], by, error))
                return false;
        for (int32_t d = 0; d < floor->door_count; d++)
            if (!add_door(map, b->floors[i].name, &floor->doors[d], by, error))
                return false;
    }
    for (int32_t i = 0; i < b->flight_count; i++) {
        throng_point corner[4];
        flight_corners(&b->flights[i], corner);
        if (!add_part(map, &b->sheets->list[b->floor_count + 2 * i], b->flights[i].whole, corner, 4, error))
            return false;
    }
    for (int32_t i = 0; i < b->sheets->stop_count; i++)
        if (!add_stop(b, map, i, error))
            return false;
    return true;
}

/* --- */

/* Floors and flights meet in height. */
static bool check_rise(const building *b, const throng_flight_plan *f, throng_error *error)
{
    throng_point corner[4];
    double from = b->floors[f->from].z, to = b->floors[f->to].z;
    flight_corners(f, corner);
    bool half = f->switchback != 0;
    if (isnan(f->rise) || fabs(from + f->rise - to) <= (half ? 0.5 : 1) * THRONG_SEAM_STEP)
        return true;
    return throng_fail(
        error,
        "%s climbs %g m from floor \"%s\" at (%.2f, %.2f), z = %g m, to z = %g m, but floor \"%s\" is at "
        "z = %g m where it ends, at (%.2f, %.2f): they must meet within %g m; mend its `rise`, or the "
        "floors' z",
        name_of(f->kind, f->name, f->where).text, f->rise, b->floors[f->from].name, 0.5 * (corner[0].x + corner[3].x),
        0.5 * (corner[0].y + corner[3].y), from, from + f->rise, b->floors[f->to].name, to,
        0.5 * (corner[1].x + corner[2].x), 0.5 * (corner[1].y + corner[2].y), THRONG_SEAM_STEP);
}

static bool check_flight(const building *b, const throng_flight_plan *f, throng_error *error)
{
    const throng_floor_plan *from = &b->floors[f->from], *to = &b->floors[f->to];
    if (!(f->length >= 1))
        return throng_fail(error, "%s is %g m long: its foot and its head must be at least 1 m apart",
                           name_of(f->kind, f->name, f->where).text, f->length);
    if (!check_rise(b, f, error))
        return false;
    if (from->z > to->z)
        return throng_fail(error,
                           "%s: `from` is floor \"%s\" (z = %g m), which lies above \"%s\" (z = %g m); give the lower "
                           "floor first",
                           name_of(f->kind, f->name, f->where).text, from->name, from->z, to->name, to->z);
    return true;
}

static bool check_lift(const building *b, const throng_lift_plan *l, throng_error *error)
{
    part_name name = name_of(THRONG_SHEET_LIFT, l->name, l->where);
    const double depth = l->lift.depth, person = THRONG_LIFT_PERSON;
    for (int32_t i = 1; i < l->count; i++)
        if (b->floors[l->floors[i]].z == b->floors[l->floors[i - 1]].z)
            return throng_fail(error, "%s serves floors \"%s\" and \"%s\", which are at one height", name.text,
                               b->floors[l->floors[i - 1]].name, b->floors[l->floors[i]].name);
    if (!(depth >= person + THRONG_LIFT_SILL))
        return throng_fail(error, "%s is %g m deep: its door and its back must be at least %g m apart", name.text,
                           depth, person + THRONG_LIFT_SILL);
    double room = floor(l->lift.width / person) * floor((depth - THRONG_LIFT_SILL) / person);
    return room >= l->lift.capacity ||
           throng_fail(error,
                       "%s has room for %.0f persons, who take %g m each way, not for a capacity of %d: make it wider, "
                       "or its back farther away",
                       name.text, room, person, (int)l->lift.capacity);
}

static bool check_plans(const building *b, throng_error *error)
{
    for (int32_t i = 0; i < b->floor_count; i++) {
        if (b->floors[i].map->open)
            return throng_fail(error, "floor \"%s\" has no boundary: a building's floors need one", b->floors[i].name);
        if (b->floors[i].map->sheets)
            return throng_fail(error, "floor \"%s\" is a building itself: give the maps of its floors",
                               b->floors[i].name);
    }
    for (int32_t i = 0; i < b->flight_count; i++)
        if (!check_flight(b, &b->flights[i], error))
            return false;
    for (int32_t i = 0; i < b->lift_count; i++)
        if (!check_lift(b, &b->lifts[i], error))
            return false;
    return true;
}

/* What was found when the floors were read. */
static bool add_findings(const building *b, throng_map *map, throng_error *error)
{
    for (int32_t i = 0; i < b->floor_count; i++) {
        const throng_findings *of = &b->floors[i].map->findings;
        throng_point by = b->sheets->list[i].offset;
        for (int32_t k = 0; k < of->count; k++) {
            const throng_finding *f = &of->list[k];
            throng_point at = {f->at.x + by.x, f->at.y + by.y}, to = {f->to.x + by.x, f->to.y + by.y};
            if (!throng_findings_add(&map->findings, f->kind, at, to, "floor \"%s\": %s", b->floors[i].name, f->text))
                return throng_fail(error, "out of memory for the findings of a building");
        }
    }
    return true;
}

/* The roadmaps that floors bring. */
static bool add_graphs(const building *b, throng_map *map, throng_error *error)
{
    for (int32_t i = 0; i < b->floor_count; i++) {
        const throng_map_graph *g = &b->floors[i].map->graph;
        int32_t first = map->graph.node_count;
        for (int32_t n = 0; n < g->node_count; n++) {
            char name[512];
            throng_map_node node = g->nodes[n];
            snprintf(name, sizeof name, "%s/%s", b->floors[i].name, node.name);
            node.name = name;
            node.at = throng_map_place(map, i, node.at);
            if (!throng_map_add_node(map, &node, error))
                return false;
        }
        for (int32_t e = 0; e < g->edge_count; e++) {
            throng_map_edge edge = {first + g->edges[e].from, first + g->edges[e].to, g->edges[e].cost};
            if (!throng_map_add_edge(map, &edge, error))
                return false;
        }
    }
    return true;
}

/* Where each floor has faces of its file, joined wherever they share a side, the building has them all. */
static bool add_faces(const building *b, throng_map *map, throng_error *error)
{
    for (int32_t i = 0; i < b->floor_count; i++) {
        const throng_map *floor = b->floors[i].map;
        if (!b->floors[i].landing && (!floor->faces || !floor->faces->count || throng_sides_parted(floor)))
            return true;
    }
    bool fine = (map->faces = calloc(1, sizeof *map->faces)) != NULL;
    for (int32_t i = 0; i < b->floor_count; i++) {
        const throng_ring_list *faces = b->floors[i].map->faces;
        for (int32_t f = 0; fine && faces && f < faces->count; f++) {
            fine = throng_ring_list_begin(map->faces);
            for (int32_t p = faces->start[f]; fine && p < throng_ring_list_end(faces, f); p++)
                fine = throng_ring_list_add(map->faces, throng_map_place(map, i, faces->points[p]));
        }
    }
    return fine || throng_fail(error, "out of memory for a building");
}

throng_map *throng_map_build_building(const char *name, const throng_building_plan *plan, throng_error *error)
{
    building b = {.floors = plan->floors,
                  .flights = plan->flights,
                  .lifts = plan->lifts,
                  .floor_count = plan->floor_count,
                  .flight_count = plan->flight_count,
                  .lift_count = plan->lift_count,
                  .sheets = calloc(1, sizeof *b.sheets)};
    throng_map *map = NULL;
    if (!check_plans(&b, error) || !b.sheets || !throng_geos_init(&b.geos, error)) {
        if (!b.sheets)
            throng_fail(error, "out of memory for a building");
        free(b.sheets);
        return NULL;
    }
    if (make_sheets(&b, error) && add_outlines(&b, error))
        map = throng_map_from_ring_list(name, false, &b.rings, error);
    if (map)
        map->sheets = b.sheets;
    else
        throng_map_sheets_destroy(b.sheets);
    if (map && !(check_seams(&b, map, error) && add_names(&b, map, error) && add_findings(&b, map, error) &&
                 add_graphs(&b, map, error) && add_faces(&b, map, error))) {
        throng_map_destroy(map);
        map = NULL;
    }
    throng_ring_list_fini(&b.rings);
    throng_geos_fini(&b.geos);
    return map;
}
