/* Maps from polygons: the boundaries' union less the obstacles' union. */
#include "map.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "map_geos.h"

/* Polygons of one kind, as the caller gave them. */
typedef struct polygons {
    const char *kind; /* "boundary", "obstacle" */
    const throng_point *const *points;
    const int32_t *sizes;
    int32_t count;
} polygons;

static bool check(throng_geos *geos, const char *name, const polygons *p, throng_error *error)
{
    for (int32_t i = 0; i < p->count; i++) {
        char what[256];
        snprintf(what, sizeof what, "%s: %s %d (of %d)", name, p->kind, (int)i + 1, (int)p->count);
        if (!throng_geos_check_polygon(geos, what, p->points[i], p->sizes[i], error))
            return false;
    }
    return true;
}

static GEOSGeometry *unite(throng_geos *geos, const polygons *p)
{
    GEOSGeometry **parts = malloc(((size_t)p->count + 1) * sizeof *parts);
    if (!parts)
        return NULL;
    for (int32_t i = 0; i < p->count; i++)
        parts[i] = throng_geos_polygon(geos, p->points[i], p->sizes[i]);
    GEOSGeometry *all = throng_geos_collect(geos, GEOS_MULTIPOLYGON, parts, p->count);
    free(parts);
    if (all)
        throng_geos_replace(geos, &all, GEOSUnaryUnion_r(geos->handle, all));
    return all;
}

/* An open world is cut from a box round the obstacles, whose rim is taken off again afterwards. */
static GEOSGeometry *box_round(throng_geos *geos, const GEOSGeometry *obstacles, throng_bounds *box)
{
    *box = (throng_bounds){-1, -1, 1, 1};
    if (!GEOSisEmpty_r(geos->handle, obstacles)) {
        GEOSGeom_getXMin_r(geos->handle, obstacles, &box->x0);
        GEOSGeom_getYMin_r(geos->handle, obstacles, &box->y0);
        GEOSGeom_getXMax_r(geos->handle, obstacles, &box->x1);
        GEOSGeom_getYMax_r(geos->handle, obstacles, &box->y1);
        *box = (throng_bounds){box->x0 - 1, box->y0 - 1, box->x1 + 1, box->y1 + 1};
    }
    return throng_geos_box(geos, *box);
}

static bool is_rim(const throng_ring_list *rings, int32_t ring, throng_bounds box)
{
    for (int32_t i = rings->start[ring]; i < throng_ring_list_end(rings, ring); i++)
        if (rings->points[i].x == box.x0)
            return true;
    return false;
}

static bool copy_ring(throng_ring_list *to, const throng_ring_list *from, int32_t ring)
{
    if (!throng_ring_list_begin(to))
        return false;
    for (int32_t i = from->start[ring]; i < throng_ring_list_end(from, ring); i++)
        if (!throng_ring_list_add(to, from->points[i]))
            return false;
    return true;
}

/* The holes of the rim's polygon first, then the courtyards, the rim left out. */
static bool open_up(throng_ring_list *rings, throng_bounds box)
{
    throng_ring_list opened = {0};
    int32_t rim = 0;
    while (rim < rings->count && !is_rim(rings, rim, box))
        rim++;
    int32_t after = rim + 1;
    bool fine = true;
    for (; after < rings->count; after++) {
        int32_t size = throng_ring_list_end(rings, after) - rings->start[after];
        if (throng_ring_area(rings->points + rings->start[after], size) > 0)
            break;
        fine = fine && copy_ring(&opened, rings, after);
    }
    for (int32_t r = 0; r < rings->count; r++)
        if (r < rim || r >= after)
            fine = fine && copy_ring(&opened, rings, r);
    throng_ring_list_fini(rings);
    *rings = opened;
    return fine;
}

static bool collect(throng_geos *geos, const char *name, const GEOSGeometry *outer, const GEOSGeometry *solid,
                    throng_ring_list *rings, throng_error *error)
{
    throng_bounds box = {0};
    GEOSGeometry *space = outer ? GEOSGeom_clone_r(geos->handle, outer) : box_round(geos, solid, &box);
    bool fine = space && throng_geos_replace(geos, &space, GEOSDifference_r(geos->handle, space, solid)) &&
                GEOSNormalize_r(geos->handle, space) == 0 && throng_geos_rings(geos, space, rings) &&
                (outer || open_up(rings, box));
    if (!fine)
        throng_geos_fail(geos, name, error);
    throng_geos_free(geos, space);
    if (fine && outer && rings->count == 0)
        return throng_fail(error, "%s: nothing is left free: the obstacles cover all of the boundary", name);
    return fine;
}

throng_map *throng_geos_map(throng_geos *geos, const char *name, const GEOSGeometry *outer, const GEOSGeometry *solid,
                            throng_error *error)
{
    throng_ring_list rings = {0};
    throng_map *map = NULL;
    if (collect(geos, name, outer, solid, &rings, error))
        map = throng_map_from_ring_list(name, outer == NULL, &rings, error);
    throng_ring_list_fini(&rings);
    return map;
}

static throng_map *build(throng_geos *geos, const char *name, const polygons *outer, const polygons *inner,
                         throng_error *error)
{
    GEOSGeometry *solid = unite(geos, inner), *floor = outer->count ? unite(geos, outer) : NULL;
    throng_map *map = NULL;
    if (!solid || (outer->count && !floor))
        throng_geos_fail(geos, name, error);
    else
        map = throng_geos_map(geos, name, floor, solid, error);
    throng_geos_free(geos, solid);
    throng_geos_free(geos, floor);
    return map;
}

throng_map *throng_map_from_polygons(const char *name, const throng_point *const *boundaries,
                                     const int32_t *boundary_sizes, int32_t boundary_count,
                                     const throng_point *const *obstacles, const int32_t *obstacle_sizes,
                                     int32_t obstacle_count, throng_error *error)
{
    polygons outer = {"boundary", boundaries, boundary_sizes, boundary_count};
    polygons inner = {"obstacle", obstacles, obstacle_sizes, obstacle_count};
    throng_map *map = NULL;
    throng_geos geos;
    if (!throng_geos_init(&geos, error))
        return NULL;
    if (check(&geos, name, &outer, error) && check(&geos, name, &inner, error))
        map = build(&geos, name, &outer, &inner, error);
    throng_geos_fini(&geos);
    return map;
}
