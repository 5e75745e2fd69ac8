#include "map.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "map_draft.h"
#include "map_findings.h"
#include "map_geos.h"
#include "map_sheets.h"
#include "ring_list.h"
#include "wall_index.h"

throng_map_options throng_map_options_default(void)
{
    return (throng_map_options){
        .tolerance = 0.05, .speck = 0.02, .min_gap = 0.3, .min_area = 2, .thickness = 0.1, .level = NAN};
}

bool throng_map_is_beyond(const throng_map *map, const throng_point *points, int32_t count)
{
    throng_bounds all = {INFINITY, INFINITY, -INFINITY, -INFINITY};
    for (int32_t i = 0; i < count; i++) {
        all.x0 = fmin(all.x0, points[i].x);
        all.y0 = fmin(all.y0, points[i].y);
        all.x1 = fmax(all.x1, points[i].x);
        all.y1 = fmax(all.y1, points[i].y);
    }
    const throng_bounds *own = &map->bounds;
    return !map->open && !map->sheets && count > 0 &&
           (all.x1 < own->x0 || all.x0 > own->x1 || all.y1 < own->y0 || all.y0 > own->y1);
}

static bool copy_rings(throng_map *map, const throng_point *points, const int32_t *ring_start, int32_t ring_count)
{
    map->ring_count = ring_count;
    map->point_count = ring_start[ring_count];
    map->points = malloc(((size_t)map->point_count + 1) * sizeof *map->points);
    map->ring_start = malloc(((size_t)ring_count + 1) * sizeof *map->ring_start);
    if (!map->points || !map->ring_start)
        return false;
    if (map->point_count)
        memcpy(map->points, points, (size_t)map->point_count * sizeof *points);
    memcpy(map->ring_start, ring_start, ((size_t)ring_count + 1) * sizeof *ring_start);
    return true;
}

static throng_bounds bounds_of(const throng_point *points, int32_t count)
{
    if (count == 0)
        return (throng_bounds){0};
    throng_bounds b = {points[0].x, points[0].y, points[0].x, points[0].y};
    for (int32_t i = 1; i < count; i++) {
        b.x0 = fmin(b.x0, points[i].x);
        b.y0 = fmin(b.y0, points[i].y);
        b.x1 = fmax(b.x1, points[i].x);
        b.y1 = fmax(b.y1, points[i].y);
    }
    return b;
}

static double free_area(const throng_map *map)
{
    double area = 0;
    for (int32_t r = 0; r < map->ring_count; r++)
        area += throng_ring_area(map->points + map->ring_start[r], map->ring_start[r + 1] - map->ring_start[r]);
    return map->open ? INFINITY : area;
}

/* A map may be named after a file. */
static char *plain_name(const char *name)
{
    size_t room = 4 * strlen(name) + 1; /* of "\\x1b" for each */
    char *plain = malloc(room);
    if (plain) {
        memcpy(plain, name, strlen(name) + 1);
        throng_text_plain(plain, room);
    }
    return plain;
}

throng_map *throng_map_from_rings(const char *name, bool open, const throng_point *points, const int32_t *ring_start,
                                  int32_t ring_count, throng_error *error)
{
    for (int32_t i = 0; i < ring_start[ring_count]; i++)
        if (!isfinite(points[i].x) || !isfinite(points[i].y)) {
            throng_fail(error, "%s: a wall's corner is (%g, %g): coordinates must be finite numbers", name, points[i].x,
                        points[i].y);
            return NULL;
        }
    throng_map *map = calloc(1, sizeof *map);
    if (map && (map->name = plain_name(name)) && copy_rings(map, points, ring_start, ring_count)) {
        map->open = open;
        map->bounds = bounds_of(map->points, map->point_count);
        map->area = free_area(map);
        map->walls = throng_wall_index_create(map);
        if (map->walls)
            return map;
    }
    throng_map_destroy(map);
    throng_fail(error, "%s: out of memory", name);
    return NULL;
}

throng_map *throng_map_from_ring_list(const char *name, bool open, const throng_ring_list *list, throng_error *error)
{
    static const int32_t none[1] = {0};
    if (list->count)
        list->start[list->count] = list->point_count;
    return throng_map_from_rings(name, open, list->points, list->count ? list->start : none, list->count, error);
}

void throng_map_contents_fini(throng_map *map)
{
    for (int32_t i = 0; i < map->region_count; i++) {
        free(map->regions[i].name);
        free(map->regions[i].points);
        free(map->regions[i].group);
        throng_properties_fini(&map->regions[i].properties);
    }
    for (int32_t i = 0; i < map->door_count; i++) {
        free(map->doors[i].name);
        throng_properties_fini(&map->doors[i].properties);
    }
    throng_properties_fini(&map->properties);
    throng_findings_fini(&map->findings);
    if (map->faces)
        throng_ring_list_fini(map->faces);
    free(map->faces);
    free(map->doors);
    free(map->regions);
}

void throng_map_destroy(throng_map *map)
{
    if (!map)
        return;
    throng_map_contents_fini(map);
    throng_map_sheets_destroy(map->sheets);
    if (map->grid)
        free(map->grid->free);
    throng_wall_index_destroy(map->walls);
    free(map->grid);
    free(map->ring_start);
    free(map->points);
    throng_map_graph_fini(&map->graph);
    free(map->name);
    free(map);
}

static bool check_region(const throng_map *map, const char *name, const throng_point *points, int32_t count,
                         throng_error *error)
{
    if (!name || !name[0])
        return throng_fail(error, "a region of %s has no name", map->name);
    char what[256];
    snprintf(what, sizeof what, "a region of %s", map->name);
    if (!throng_name_check(what, name, error))
        return false;
    snprintf(what, sizeof what, "region \"%s\"", name);
    throng_geos geos;
    if (!throng_geos_init(&geos, error))
        return false;
    bool fine = throng_geos_check_polygon(&geos, what, points, count, error);
    throng_geos_fini(&geos);
    return fine;
}

static bool copy_region(throng_region *region, const char *name, const throng_point *points, int32_t count)
{
    *region = (throng_region){strdup(name), malloc((size_t)count * sizeof *points), count, NULL, {0}};
    if (!region->name || !region->points) {
        free(region->name);
        free(region->points);
        return false;
    }
    memcpy(region->points, points, (size_t)count * sizeof *points);
    if (throng_ring_area(points, count) < 0)
        throng_ring_reverse(region->points, count);
    return true;
}

bool throng_map_add_region(throng_map *map, const char *name, const throng_point *points, int32_t count,
                           throng_error *error)
{
    if (!check_region(map, name, points, count, error))
        return false;
    if (!throng_array_resize((void **)&map->regions, ((size_t)map->region_count + 1) * sizeof *map->regions) ||
        !copy_region(&map->regions[map->region_count], name, points, count))
        return throng_fail(error, "region \"%s\": out of memory", name);
    map->region_count++;
    return true;
}

static bool check_door(const throng_map *map, const char *name, throng_point a, throng_point b, throng_error *error)
{
    if (!name || !name[0])
        return throng_fail(error, "a door of %s has no name", map->name);
    char what[256];
    snprintf(what, sizeof what, "a door of %s", map->name);
    if (!throng_name_check(what, name, error))
        return false;
    for (int32_t i = 0; i < map->door_count; i++)
        if (strcmp(map->doors[i].name, name) == 0)
            return throng_fail(error, "door \"%s\": the map has a door of that name already; give it another", name);
    if (!isfinite(a.x) || !isfinite(a.y) || !isfinite(b.x) || !isfinite(b.y))
        return throng_fail(error, "door \"%s\" runs from (%g, %g) to (%g, %g): coordinates must be finite numbers",
                           name, a.x, a.y, b.x, b.y);
    if (a.x == b.x && a.y == b.y)
        return throng_fail(error, "door \"%s\" has no length: both its ends are (%g, %g)", name, a.x, a.y);
    return true;
}

bool throng_door_check_cost(const char *name, double cost, throng_error *error)
{
    return (cost >= 0 && cost <= THRONG_DOOR_COST_MAX) ||
           throng_fail(error, "door \"%s\": a cost of %g m is not valid: give 0 to %g", name, cost,
                       THRONG_DOOR_COST_MAX);
}

bool throng_map_set_passage(throng_map *map, int32_t door, double cost, double max_radius, throng_error *error)
{
    throng_door *d = &map->doors[door];
    if (!throng_door_check_cost(d->name, cost, error))
        return false;
    if (!(max_radius >= 0 && isfinite(max_radius)))
        return throng_fail(error,
                           "door \"%s\": max_radius = %g is not valid: give metres, or 0 where anybody passes who fits",
                           d->name, max_radius);
    d->cost = cost;
    d->max_radius = max_radius;
    return true;
}

/* m: a disc of this radius that is free round a door's end lets people through. */
static const double GAP = 0.2;

bool throng_map_door_closes(const throng_map *map, int32_t door, const char *why, throng_error *error)
{
    const throng_door *d = &map->doors[door];
    const throng_point ends[] = {d->a, d->b};
    for (int i = 0; i < 2; i++)
        if (throng_map_fits(map, ends[i], GAP))
            return throng_fail(error,
                               "door \"%s\" ends in the open at (%g, %g), where people could walk round it; %s: move "
                               "its end to the wall",
                               d->name, ends[i].x, ends[i].y, why);
    return true;
}

bool throng_map_check_passages(const throng_map *map, throng_error *error)
{
    for (int32_t d = 0; d < map->door_count; d++) {
        const throng_door *door = &map->doors[d];
        const char *why = door->cost > 0 ? "a cost counts from wall to wall" : "max_radius closes an opening";
        if ((door->cost > 0 || door->max_radius > 0) && !throng_map_door_closes(map, d, why, error))
            return false;
    }
    return true;
}

bool throng_map_add_door(throng_map *map, const char *name, throng_point a, throng_point b, throng_error *error)
{
    if (!check_door(map, name, a, b, error))
        return false;
    if (!throng_array_resize((void **)&map->doors, ((size_t)map->door_count + 1) * sizeof *map->doors))
        return throng_fail(error, "door \"%s\": out of memory", name);
    throng_door *added = &map->doors[map->door_count];
    *added = (throng_door){.a = a, .b = b};
    added->name = strdup(name);
    if (!added->name)
        return throng_fail(error, "door \"%s\": out of memory", name);
    map->door_count++;
    return true;
}

bool throng_properties_add(throng_properties *properties, const char *name, const char *value,
                           throng_property_kind kind)
{
    if (!throng_array_resize((void **)&properties->list, ((size_t)properties->count + 1) * sizeof *properties->list))
        return false;
    throng_property *added = &properties->list[properties->count];
    *added = (throng_property){strdup(name), strdup(value), kind};
    if (added->name && added->value) {
        properties->count++;
        return true;
    }
    free(added->name);
    free(added->value);
    return false;
}

bool throng_properties_copy(throng_properties *to, const throng_properties *from)
{
    for (int32_t i = 0; i < from->count; i++)
        if (!throng_properties_add(to, from->list[i].name, from->list[i].value, from->list[i].kind))
            return false;
    return true;
}

const throng_property *throng_properties_find(const throng_properties *properties, const char *name)
{
    for (int32_t i = 0; i < properties->count; i++)
        if (strcmp(properties->list[i].name, name) == 0)
            return &properties->list[i];
    return NULL;
}

void throng_properties_fini(throng_properties *properties)
{
    for (int32_t i = 0; i < properties->count; i++) {
        free(properties->list[i].name);
        free(properties->list[i].value);
    }
    free(properties->list);
    *properties = (throng_properties){0};
}
