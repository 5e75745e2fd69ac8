#include <math.h>
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
    if (p == places->count)
        places->list[places->count++] = (throng_report_place){.name = name, .door = door, .first = NAN, .last = NAN};
    return p;
}

bool throng_report_places_init(throng_report_places *places, const throng_map *map, throng_error *error)
{
    size_t regions = map ? (size_t)map->region_count : 0, doors = map ? (size_t)map->door_count : 0;
    *places = (throng_report_places){.list = calloc(regions + doors + 1, sizeof *places->list),
                                     .of_region = calloc(regions + 1, sizeof *places->of_region),
                                     .of_door = calloc(doors + 1, sizeof *places->of_door)};
    if (!places->list || !places->of_region || !places->of_door)
        return throng_fail(error, "out of memory for the exits of the report");
    for (int32_t r = 0; map && r < map->region_count; r++) {
        places->of_region[r] = place_named(places, map->regions[r].name, false);
        places->list[places->of_region[r]].exit |= throng_region_is_exit(map, r, NULL);
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
