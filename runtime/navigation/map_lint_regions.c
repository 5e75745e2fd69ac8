/* Regions: in walls, or too small for whom they are for. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "map/map_findings.h"
#include "map/map_floor.h"
#include "map/map_geos.h"
#include "map_lint.h"
#include "map/map_readers.h"

typedef struct check {
    const throng_map *map;
    double radius;
    throng_findings *findings;
    throng_geos geos;
    GEOSGeometry *space;
    const GEOSPreparedGeometry *prepared;
} check;

static throng_point centre_of(const throng_region *region)
{
    throng_point sum = {0, 0};
    for (int32_t i = 0; i < region->count; i++) {
        sum.x += region->points[i].x / region->count;
        sum.y += region->points[i].y / region->count;
    }
    return sum;
}

/* The part of the region that is free, by itself; NULL on failure. */
static GEOSGeometry *free_part(check *c, const GEOSGeometry *region)
{
    if (GEOSPreparedContains_r(c->geos.handle, c->prepared, region) == 1)
        return GEOSGeom_clone_r(c->geos.handle, region);
    return GEOSIntersection_r(c->geos.handle, c->space, region);
}

static bool check_place(check *c, const throng_region *region, const GEOSGeometry *open)
{
    double all = throng_ring_area(region->points, region->count), part = 0;
    throng_point at = centre_of(region);
    GEOSArea_r(c->geos.handle, open, &part);
    if (part >= 0.5 * all)
        return true;
    if (part <= 1e-9 * all)
        return throng_findings_add(c->findings, THRONG_FINDING_REGION, at, at, "region \"%s\" lies in a wall",
                                   region->name);
    return throng_findings_add(c->findings, THRONG_FINDING_REGION, at, at,
                               "region \"%s\": %.0f %% of it lie in walls or outside", region->name,
                               100 * (1 - part / all));
}

/* Where the centre of an agent can be that stands in the region: the free space near it, shrunk, and the region. */
static GEOSGeometry *standing_room(check *c, const GEOSGeometry *polygon)
{
    GEOSContextHandle_t g = c->geos.handle;
    GEOSGeometry *room = GEOSBuffer_r(g, polygon, 2 * c->radius, 4);
    if (!room || !throng_geos_replace(&c->geos, &room, GEOSIntersection_r(g, c->space, room)) ||
        !throng_geos_replace(&c->geos, &room, GEOSBuffer_r(g, room, -c->radius, 8)) ||
        !throng_geos_replace(&c->geos, &room, GEOSIntersection_r(g, room, polygon)))
        return NULL;
    return room;
}

/* How many discs there can be at most with their centres in a convex area (Groemer, 1960): an upper bound. */
static double most_agents(check *c, const GEOSGeometry *room)
{
    double area = 0, rim = 0, apart = 2 * c->radius;
    GEOSArea_r(c->geos.handle, room, &area);
    GEOSLength_r(c->geos.handle, room, &rim);
    return floor(2 / sqrt(3) * area / (apart * apart) + rim / (2 * apart) + 1);
}

static bool is_exit(const throng_region *region)
{
    return (region->group && strcmp(region->group, "exits") == 0) || strcasestr(region->name, "exit");
}

static bool check_room(check *c, const throng_region *region, const GEOSGeometry *polygon)
{
    const throng_property *wanted = throng_properties_find(&region->properties, "count");
    throng_point at = centre_of(region);
    if (is_exit(region))
        return true;
    GEOSGeometry *room = standing_room(c, polygon);
    if (!room)
        return false;
    bool none = GEOSisEmpty_r(c->geos.handle, room) == 1, fine = true;
    double most = most_agents(c, room);
    if (none)
        fine = throng_findings_add(c->findings, THRONG_FINDING_SPAWN, at, at,
                                   "region \"%s\" has no room for a body of %.2g m radius", region->name, c->radius);
    else if (wanted && wanted->kind == THRONG_PROPERTY_NUMBER && strtod(wanted->value, NULL) > most)
        fine = throng_findings_add(c->findings, THRONG_FINDING_SPAWN, at, at,
                                   "region \"%s\" is to hold %s agents, but %.0f of %.2g m radius fit at most",
                                   region->name, wanted->value, most, c->radius);
    throng_geos_free(&c->geos, room);
    return fine;
}

static bool check_region(check *c, const throng_region *region)
{
    GEOSGeometry *polygon = throng_geos_polygon(&c->geos, region->points, region->count);
    GEOSGeometry *open = polygon ? free_part(c, polygon) : NULL;
    int32_t before = c->findings->count;
    bool fine = open && check_place(c, region, open);
    if (fine && c->findings->count == before)
        fine = check_room(c, region, polygon);
    throng_geos_free(&c->geos, open);
    throng_geos_free(&c->geos, polygon);
    return fine;
}

/* An open map's floor is cut off beyond all regions. */
static double margin_of(const throng_map *map)
{
    double margin = 1;
    for (int32_t r = 0; r < map->region_count; r++)
        for (int32_t i = 0; i < map->regions[r].count; i++) {
            throng_point p = map->regions[r].points[i];
            margin = fmax(margin, 1 + fmax(fmax(map->bounds.x0 - p.x, p.x - map->bounds.x1),
                                           fmax(map->bounds.y0 - p.y, p.y - map->bounds.y1)));
        }
    return margin;
}

bool throng_map_lint_regions(const throng_map *map, double radius, throng_findings *findings, throng_error *error)
{
    check c = {.map = map, .radius = radius, .findings = findings};
    if (map->region_count == 0)
        return true;
    if (!throng_geos_init(&c.geos, error))
        return false;
    c.space = throng_geos_free_space(&c.geos, map, margin_of(map) + 4 * radius);
    c.prepared = c.space ? GEOSPrepare_r(c.geos.handle, c.space) : NULL;
    bool fine = c.prepared != NULL;
    for (int32_t i = 0; fine && i < map->region_count; i++)
        fine = throng_map_is_part_region(map, i) || check_region(&c, &map->regions[i]);
    if (!fine)
        throng_geos_fail(&c.geos, map->name, error);
    if (c.prepared)
        GEOSPreparedGeom_destroy_r(c.geos.handle, c.prepared);
    throng_geos_free(&c.geos, c.space);
    throng_geos_fini(&c.geos);
    return fine;
}
