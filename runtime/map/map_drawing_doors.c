#include "map_drawing_doors.h"

#include <math.h>

#include "geometry.h"

bool throng_drawing_door_ends(const throng_ring_list *lines, throng_point at, double width, double thickness,
                              throng_point ends[2])
{
    double nearest = thickness, along_x = 0, along_y = 0;
    bool found = false;
    for (int32_t r = 0; r < lines->count; r++)
        for (int32_t i = lines->start[r]; i < throng_ring_list_end(lines, r) - 1; i++) {
            throng_point a = lines->points[i], b = lines->points[i + 1];
            double ex = b.x - a.x, ey = b.y - a.y, length = hypot(ex, ey);
            double t = length > 0 ? ((at.x - a.x) * ex + (at.y - a.y) * ey) / (length * length) : 0;
            throng_point on = throng_between(a, b, fmax(0, fmin(1, t)));
            double far = hypot(on.x - at.x, on.y - at.y);
            if (length == 0 || far > nearest || (found && far == nearest))
                continue;
            found = true;
            nearest = far;
            along_x = 0.5 * width * ex / length;
            along_y = 0.5 * width * ey / length;
        }
    ends[0] = (throng_point){at.x - along_x, at.y - along_y};
    ends[1] = (throng_point){at.x + along_x, at.y + along_y};
    return found;
}

bool throng_drawing_cut(throng_draft *draft, const throng_point ends[2], double thickness, throng_error *error)
{
    throng_geos *geos = &draft->geos;
    GEOSGeometry *opening = throng_geos_line(geos, ends, 2);
    bool fine = opening && throng_geos_replace(geos, &opening,
                                               GEOSBufferWithStyle_r(geos->handle, opening, thickness, 4,
                                                                     GEOSBUF_CAP_FLAT, GEOSBUF_JOIN_MITRE, 2));
    for (int32_t i = 0; fine && i < draft->walls.count; i++) {
        GEOSGeometry **wall = &draft->walls.list[i].shape;
        if (GEOSIntersects_r(geos->handle, opening, *wall) == 1)
            fine = throng_geos_replace(geos, wall, GEOSDifference_r(geos->handle, *wall, opening));
    }
    if (opening)
        throng_geos_free(geos, opening);
    return fine || throng_geos_fail(geos, draft->path, error);
}
