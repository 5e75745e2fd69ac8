#include "map_compare.h"

#include <math.h>

#include "map_geos.h"

static const double LEAST = 0.01, AROUND = 10; /* m^2; m */

static bool measure(throng_geos *geos, const GEOSGeometry *more, throng_map_extra *extra)
{
    GEOSGeometry *inside = NULL;
    bool ok = more && GEOSArea_r(geos->handle, more, &extra->area);
    if (ok && extra->area < LEAST)
        extra->area = 0;
    else if (ok) {
        inside = GEOSPointOnSurface_r(geos->handle, more);
        ok = inside && GEOSGeomGetX_r(geos->handle, inside, &extra->at.x) == 1 &&
             GEOSGeomGetY_r(geos->handle, inside, &extra->at.y) == 1;
    }
    throng_geos_free(geos, inside);
    return ok;
}

/* The free space, of an open map as far as the box, b, reaches; NULL on failure. */
static GEOSGeometry *floor_in(throng_geos *geos, const throng_map *map, throng_bounds b, const GEOSGeometry *box)
{
    GEOSGeometry *space = throng_geos_free_space(geos, map, b.x1 - b.x0 + b.y1 - b.y0);
    GEOSGeometry *cut = space && map->open ? GEOSIntersection_r(geos->handle, space, box) : NULL;
    if (!space || !map->open)
        return space;
    throng_geos_free(geos, space);
    return cut;
}

bool throng_map_compare(const throng_map *first, const throng_map *second, throng_map_extra *of_first,
                        throng_map_extra *of_second, throng_error *error)
{
    throng_geos geos;
    throng_bounds a = first->bounds, b = second->bounds;
    throng_bounds around = {fmin(a.x0, b.x0) - AROUND, fmin(a.y0, b.y0) - AROUND, fmax(a.x1, b.x1) + AROUND,
                            fmax(a.y1, b.y1) + AROUND};
    *of_first = *of_second = (throng_map_extra){0};
    if (!throng_geos_init(&geos, error))
        return false;
    GEOSGeometry *box = throng_geos_box(&geos, around);
    GEOSGeometry *x = box ? floor_in(&geos, first, around, box) : NULL,
                 *y = x ? floor_in(&geos, second, around, box) : NULL;
    GEOSGeometry *only_x = y ? GEOSDifference_r(geos.handle, x, y) : NULL;
    GEOSGeometry *only_y = only_x ? GEOSDifference_r(geos.handle, y, x) : NULL;
    bool ok = only_y && measure(&geos, only_x, of_first) && measure(&geos, only_y, of_second);
    if (!ok)
        throng_geos_fail(&geos, "comparing the plans", error);
    throng_geos_free(&geos, box);
    throng_geos_free(&geos, x);
    throng_geos_free(&geos, y);
    throng_geos_free(&geos, only_x);
    throng_geos_free(&geos, only_y);
    throng_geos_fini(&geos);
    return ok;
}
