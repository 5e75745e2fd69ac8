#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "map/geometry.h"
#include "picture/picture_layers.h"
#include "report_parts.h"

/* m: who was seen last so near to an exit has left by it: as far as people come between two frames. */
static const double NEAR = 1.5, REGION = 0.75; /* of other regions: half of that */

static int32_t place_named(throng_report_places *places, const char *name, bool door)
{
    int32_t p = 0;
    while (p < places->count && (places->list[p].door != door || strcmp(places->list[p].name, name) != 0))
        p++;
    if (p == places->count) {
        throng_report_place *place = &places->list[places->count++];
        *place = (throng_report_place){.door = door, .first = NAN, .last = NAN, .emptied = NAN};
        snprintf(place->name, sizeof place->name, "%s", name);
    }
    return p;
}

static throng_bounds box_of(const throng_region *region)
{
    throng_bounds box = {INFINITY, INFINITY, -INFINITY, -INFINITY};
    for (int32_t i = 0; i < region->count; i++) {
        throng_point p = region->points[i];
        box = (throng_bounds){fmin(box.x0, p.x), fmin(box.y0, p.y), fmax(box.x1, p.x), fmax(box.y1, p.y)};
    }
    return box;
}

/* Exits are counted one by one, those that share a name, too. */
static int32_t place_of_region(throng_report_places *places, const throng_map *map, int32_t region)
{
    char name[sizeof places->list->name];
    const throng_bounds *box = &places->boxes[region];
    bool shared = false, exit = throng_region_is_exit(map, region, NULL);
    for (int32_t r = 0; r < map->region_count; r++)
        shared |= r != region && strcmp(map->regions[r].name, map->regions[region].name) == 0;
    snprintf(name, sizeof name, shared && exit ? "%.100s at %.1f, %.1f" : "%.100s", map->regions[region].name,
             (box->x0 + box->x1) / 2, (box->y0 + box->y1) / 2);
    int32_t place = place_named(places, name, false);
    places->list[place].exit |= exit;
    return place;
}

bool throng_report_places_init(throng_report_places *places, const throng_map *map, throng_error *error)
{
    size_t regions = map ? (size_t)map->region_count : 0, doors = map ? (size_t)map->door_count : 0;
    *places = (throng_report_places){.list = calloc(regions + doors + 1, sizeof *places->list),
                                     .of_region = calloc(regions + 1, sizeof *places->of_region),
                                     .of_door = calloc(doors + 1, sizeof *places->of_door),
                                     .boxes = calloc(regions + 1, sizeof *places->boxes),
                                     .in = calloc(regions + doors + 1, 1)};
    if (!places->list || !places->of_region || !places->of_door || !places->boxes || !places->in)
        return throng_fail(error, "out of memory for the exits of the report");
    for (int32_t r = 0; map && r < map->region_count; r++) {
        places->boxes[r] = box_of(&map->regions[r]);
        places->of_region[r] = place_of_region(places, map, r);
    }
    for (int32_t d = 0; map && d < map->door_count; d++)
        places->of_door[d] = place_named(places, map->doors[d].name, true);
    return true;
}

void throng_report_places_fini(throng_report_places *places)
{
    free(places->list);
    free(places->of_region);
    free(places->of_door);
    free(places->boxes);
    free(places->in);
}

static void note(throng_report_place *place, double time)
{
    place->first = fmin(place->first, time); /* NAN is no minimum */
    place->last = fmax(place->last, time);
}

/* Does who walks from p to q cross the door, and to which side: 1 to its right, as one looks from a to b, -1, 0. */
static int crosses(const throng_door *door, throng_point p, throng_point q)
{
    double before = throng_turn(door->a, door->b, p), after = throng_turn(door->a, door->b, q);
    if ((before > 0) == (after > 0) || (throng_turn(p, q, door->a) > 0) == (throng_turn(p, q, door->b) > 0))
        return 0;
    return before > 0 ? 1 : -1;
}

void throng_report_places_add(throng_report_places *places, const throng_map *map, const throng_report_walk *walk,
                              double time)
{
    for (int32_t i = 0; map && map->door_count > 0 && i < walk->count; i++)
        for (int32_t d = 0; !isnan(walk->speed[i]) && d < map->door_count; d++) {
            int32_t p = walk->person[i];
            int side = crosses(&map->doors[d], walk->from[p], walk->to[p]);
            throng_report_place *place = &places->list[places->of_door[d]];
            place->count += side > 0;
            place->back += side < 0;
            if (side)
                note(place, time);
        }
}

static double distance(const throng_region *region, throng_point p)
{
    double nearest = INFINITY;
    if (throng_polygon_holds(region->points, region->count, p))
        return 0;
    for (int32_t i = 0, k = region->count - 1; i < region->count; k = i++)
        nearest = fmin(nearest, throng_segment_distance(region->points[k], region->points[i], p));
    return nearest;
}

/* Of the exits, or of the other regions, the nearest within `most` m; -1: none is. */
static int32_t nearest_of(const throng_report_places *places, const throng_map *map, throng_point p, bool exits,
                          double most)
{
    int32_t found = -1;
    for (int32_t r = 0; r < map->region_count; r++) {
        bool is_exit = places->list[places->of_region[r]].exit;
        double away = is_exit == exits ? distance(&map->regions[r], p) : INFINITY;
        if (away < most) {
            most = away;
            found = places->of_region[r];
        }
    }
    return found;
}

void throng_report_places_leave(throng_report_places *places, const throng_map *map, throng_point place, double time)
{
    int32_t at = map ? nearest_of(places, map, place, true, NEAR) : -1;
    if (map && at < 0)
        at = nearest_of(places, map, place, false, REGION);
    places->elsewhere += at < 0;
    if (at < 0)
        return;
    places->list[at].count++;
    note(&places->list[at], time);
}

/* ---- who is in regions */

/* Into `in`: which places a point is in. */
static void find_in(throng_report_places *places, const throng_map *map, throng_point p)
{
    memset(places->in, 0, (size_t)places->count);
    for (int32_t r = 0; r < map->region_count; r++) {
        const throng_bounds *box = &places->boxes[r];
        if (p.x >= box->x0 && p.x <= box->x1 && p.y >= box->y0 && p.y <= box->y1 &&
            throng_polygon_holds(map->regions[r].points, map->regions[r].count, p))
            places->in[places->of_region[r]] = 1;
    }
}

void throng_report_places_see(throng_report_places *places, const throng_map *map, const throng_report_walk *walk,
                              double time)
{
    if (!map || map->region_count == 0)
        return;
    for (int32_t k = 0; k < places->count; k++)
        places->list[k].here = 0;
    for (int32_t i = 0; i < walk->count; i++) {
        find_in(places, map, walk->to[walk->person[i]]);
        for (int32_t k = 0; k < places->count; k++)
            places->list[k].here += places->in[k];
    }
    for (int32_t k = 0; k < places->count; k++) {
        throng_report_place *place = &places->list[k];
        place->emptied = place->here ? time : place->emptied;
        place->most = place->here > place->most ? place->here : place->most;
    }
}

void throng_report_places_stay(throng_report_places *places, const throng_map *map, throng_point place)
{
    if (!map || map->region_count == 0)
        return;
    find_in(places, map, place);
    for (int32_t k = 0; k < places->count; k++)
        places->list[k].stayed += places->in[k];
}
