/* Commands for rooms and walls: floor is laid and taken away, and the faces follow. */
#include "edit_parts.h"

#include <string.h>

static const double REACH = 0.6;  /* m: a doorway leads through walls up to that thick */
static const double LEAST = 0.01; /* m^2 of a room */
static const double MITRE = 2;    /* sharp corners have walls up to that many times as thick */

static bool is_face(const throng_edit *edit, int32_t slot)
{
    return edit->things[slot] && edit->things[slot]->kind == THRONG_EDIT_FACE;
}

/* ---- floors as GEOS has them */

/* The faces for which `wanted` is true, as one; NULL: memory is out. */
static GEOSGeometry *floor_of(throng_edit *edit, bool (*wanted)(const throng_edit_thing *face, const void *what),
                              const void *what)
{
    GEOSContextHandle_t handle = edit->geos.handle;
    GEOSGeometry *all = GEOSGeom_createEmptyCollection_r(handle, GEOS_MULTIPOLYGON);
    for (int32_t slot = 1; all && slot < edit->slots; slot++) {
        if (!is_face(edit, slot) || !wanted(edit->things[slot], what))
            continue;
        GEOSGeometry *face = throng_geos_polygon(&edit->geos, edit->things[slot]->points, edit->things[slot]->count);
        throng_geos_replace(&edit->geos, &all, face ? GEOSUnion_r(handle, all, face) : NULL);
        throng_geos_free(&edit->geos, face);
    }
    return all;
}

static bool lies_near(const throng_edit_thing *face, const void *place)
{
    const throng_bounds *a = &face->bounds, *b = place;
    return a->x0 <= b->x1 && b->x0 <= a->x1 && a->y0 <= b->y1 && b->y0 <= a->y1;
}

static bool overlaps(const throng_edit_thing *face, const void *other) { return throng_edit_overlap(face, other); }

/* `area` less what is taken, as another; both are given up. NULL: memory is out. */
static GEOSGeometry *less(throng_edit *edit, GEOSGeometry *area, GEOSGeometry *taken)
{
    GEOSGeometry *left = area && taken ? GEOSDifference_r(edit->geos.handle, area, taken) : NULL;
    throng_geos_free(&edit->geos, area);
    throng_geos_free(&edit->geos, taken);
    return left;
}

static double area_of(throng_edit *edit, const GEOSGeometry *shape)
{
    double area = 0;
    return GEOSArea_r(edit->geos.handle, shape, &area) ? area : 0;
}

/* Ends the change with the area's faces put into it (given up; NULL: memory is out). */
static bool finish(throng_edit *edit, throng_edit_change *change, GEOSGeometry *area, throng_edit_refusal *why)
{
    bool put = area && throng_edit_put_area(edit, change, area);
    throng_geos_free(&edit->geos, area);
    return put ? throng_edit_commit(edit, change, why) : throng_edit_no_memory(edit, change, why);
}

/* ---- rooms */

bool throng_edit_add_room(throng_edit *edit, const throng_point *points, int32_t count, throng_edit_refusal *why)
{
    throng_error error;
    if (!throng_geos_check_polygon(&edit->geos, "the room", points, count, &error))
        return throng_edit_refuse(why, points[0], -1, "%.230s", error.text);
    double reach = MITRE * THRONG_EDIT_WALL;
    throng_bounds place = {INFINITY, INFINITY, -INFINITY, -INFINITY};
    for (int32_t i = 0; i < count; i++)
        place = (throng_bounds){fmin(place.x0, points[i].x - reach), fmin(place.y0, points[i].y - reach),
                                fmax(place.x1, points[i].x + reach), fmax(place.y1, points[i].y + reach)};
    GEOSGeometry *others = floor_of(edit, lies_near, &place);
    if (others)
        throng_geos_replace(&edit->geos, &others,
                            GEOSBufferWithStyle_r(edit->geos.handle, others, THRONG_EDIT_WALL, 1, GEOSBUF_CAP_FLAT,
                                                  GEOSBUF_JOIN_MITRE, MITRE));
    GEOSGeometry *room = less(edit, throng_geos_polygon(&edit->geos, points, count), others);
    if (room && area_of(edit, room) < LEAST) {
        throng_geos_free(&edit->geos, room);
        return throng_edit_refuse(why, points[0], -1, "there is a room already: W draws walls in it");
    }
    throng_edit_change change = {.what = "draw a room"};
    return finish(edit, &change, room, why);
}

/* ---- walls */

/* A strip from a to b, half its thickness longer at both ends, so that it reaches what it ends on. */
static throng_edit_thing *strip(throng_point a, throng_point b)
{
    double half = THRONG_EDIT_WALL / 2, x = (b.x - a.x) * half / throng_distance(a, b),
           y = (b.y - a.y) * half / throng_distance(a, b);
    const throng_point corners[] = {
        {a.x - x + y, a.y - y - x}, {b.x + x + y, b.y + y - x}, {b.x + x - y, b.y + y + x}, {a.x - x - y, a.y - y + x}};
    return throng_edit_thing_new(THRONG_EDIT_FACE, corners, 4);
}

static bool take_faces(throng_edit *edit, throng_edit_change *change, const throng_edit_thing *wall, bool *any)
{
    *any = false;
    for (int32_t slot = 1, end = edit->slots; slot < end; slot++)
        if (is_face(edit, slot) && throng_edit_overlap(edit->things[slot], wall)) {
            *any = true;
            if (!throng_edit_put(edit, change, slot, NULL))
                return false;
        }
    return true;
}

bool throng_edit_add_wall(throng_edit *edit, throng_point a, throng_point b, throng_edit_refusal *why)
{
    throng_error error;
    throng_edit_change change = {.what = "draw a wall"};
    const throng_point ends[] = {a, b};
    bool any;
    if (!throng_geos_check_points("the wall", ends, 2, &error))
        return throng_edit_refuse(why, (throng_point){NAN, NAN}, -1, "%.230s", error.text);
    if (throng_distance(a, b) < THRONG_EDIT_LEAST)
        return throng_edit_refuse(why, a, -1, "a wall reaches from one place to another");
    throng_edit_thing *wall = strip(a, b);
    GEOSGeometry *left =
        wall ? less(edit, floor_of(edit, overlaps, wall), throng_geos_polygon(&edit->geos, wall->points, wall->count))
             : NULL;
    bool taken = left && take_faces(edit, &change, wall, &any);
    throng_edit_thing_free(wall);
    if (taken && any)
        return finish(edit, &change, left, why);
    throng_geos_free(&edit->geos, left);
    if (!taken)
        return throng_edit_no_memory(edit, &change, why);
    return throng_edit_refuse(why, a, -1, "a wall parts a floor, and there is none: draw a room first");
}

/* ---- doorways */

/* Seen from a, along b and across: what is between two floors there. */
typedef struct doorway {
    throng_point across; /* a unit vector */
    double low, high;    /* m: the wall's sides */
    GEOSGeometry *gap;   /* to be laid with floor; NULL: there is no wall between floors */
} doorway;

/* From where to where the shape reaches across. */
static bool measure(throng_edit *edit, const GEOSGeometry *shape, throng_point a, doorway *way)
{
    throng_ring_list rings = {0};
    bool fine = throng_geos_rings(&edit->geos, shape, &rings);
    way->low = INFINITY;
    way->high = -INFINITY;
    for (int32_t i = 0; i < rings.point_count; i++) {
        double d = (rings.points[i].x - a.x) * way->across.x + (rings.points[i].y - a.y) * way->across.y;
        way->low = fmin(way->low, d);
        way->high = fmax(way->high, d);
    }
    throng_ring_list_fini(&rings);
    return fine;
}

/* The part of `gaps` that begins at the middle of the doorway, and ends before REACH on both sides. */
static bool choose(throng_edit *edit, const GEOSGeometry *gaps, throng_point a, throng_point middle, doorway *way)
{
    GEOSContextHandle_t handle = edit->geos.handle;
    GEOSGeometry *at = GEOSGeom_createPointFromXY_r(handle, middle.x, middle.y);
    bool fine = at != NULL;
    for (int k = 0; fine && !way->gap && k < GEOSGetNumGeometries_r(handle, gaps); k++) {
        const GEOSGeometry *gap = GEOSGetGeometryN_r(handle, gaps, k);
        double off = INFINITY;
        fine = GEOSDistance_r(handle, gap, at, &off) && measure(edit, gap, a, way);
        bool between = way->low > THRONG_EDIT_LEAST - REACH && way->high < REACH - THRONG_EDIT_LEAST;
        if (fine && off < THRONG_EDIT_LEAST && between && way->high - way->low > THRONG_EDIT_LEAST)
            fine = (way->gap = GEOSGeom_clone_r(handle, gap)) != NULL;
    }
    throng_geos_free(&edit->geos, at);
    return fine;
}

/* Looks for a wall between floors where somebody wants to go through from a to b. False: memory is out. */
static bool look_through(throng_edit *edit, throng_point a, throng_point b, doorway *way)
{
    double length = throng_distance(a, b);
    throng_point n = {(a.y - b.y) / length, (b.x - a.x) / length};
    *way = (doorway){.across = n};
    const throng_point corners[] = {{a.x - n.x * REACH, a.y - n.y * REACH},
                                    {b.x - n.x * REACH, b.y - n.y * REACH},
                                    {b.x + n.x * REACH, b.y + n.y * REACH},
                                    {a.x + n.x * REACH, a.y + n.y * REACH}};
    throng_edit_thing *all = throng_edit_thing_new(THRONG_EDIT_FACE, corners, 4);
    GEOSGeometry *gaps =
        all ? less(edit, throng_geos_polygon(&edit->geos, corners, 4), floor_of(edit, lies_near, &all->bounds)) : NULL;
    bool fine = gaps && choose(edit, gaps, a, throng_between(a, b, 0.5), way);
    throng_geos_free(&edit->geos, gaps);
    throng_edit_thing_free(all);
    return fine;
}

bool throng_edit_open_door(throng_edit *edit, const char *name, throng_point a, throng_point b, int32_t *slot,
                           throng_edit_refusal *why)
{
    throng_edit_change change = {.what = "draw a door"};
    doorway way = {.gap = NULL};
    if (throng_distance(a, b) < THRONG_EDIT_LEAST || !isfinite(throng_distance(a, b)))
        return throng_edit_add_door(edit, name, a, b, slot, why);
    if (!look_through(edit, a, b, &way))
        return throng_edit_no_memory(edit, &change, why);
    if (!way.gap)
        return throng_edit_add_door(edit, name, a, b, slot, why);
    double in = (way.low + way.high) / 2;
    throng_point ends[] = {{a.x + in * way.across.x, a.y + in * way.across.y},
                           {b.x + in * way.across.x, b.y + in * way.across.y}};
    throng_edit_thing *door = throng_edit_thing_new(THRONG_EDIT_DOOR, ends, 2);
    if (!door || !throng_edit_thing_name(door, name)) {
        throng_edit_thing_free(door);
        throng_geos_free(&edit->geos, way.gap);
        return throng_edit_no_memory(edit, &change, why);
    }
    if (!throng_edit_put(edit, &change, -1, door)) {
        throng_geos_free(&edit->geos, way.gap);
        return throng_edit_no_memory(edit, &change, why);
    }
    int32_t at = change.swaps[0].slot;
    if (!finish(edit, &change, way.gap, why))
        return false;
    if (slot)
        *slot = at;
    return true;
}
