#include "map_random.h"

#include "geometry.h"
#include "base/random.h"
#include "ring_list.h"

enum { DRAWS = 1000 };

/* Of what lies on the map. */
static throng_bounds bounds_of(const throng_map *map, const throng_region *area)
{
    throng_bounds b = {INFINITY, INFINITY, -INFINITY, -INFINITY};
    for (int32_t i = 0; i < area->count; i++)
        b = (throng_bounds){fmin(b.x0, area->points[i].x), fmin(b.y0, area->points[i].y), fmax(b.x1, area->points[i].x),
                            fmax(b.y1, area->points[i].y)};
    return map->open ? b : throng_bounds_common(b, map->bounds);
}

/* Of one that reaches beyond the map, what is there does not count. */
static double size_of(const throng_map *map, const throng_region *area)
{
    double size = fabs(throng_ring_area(area->points, area->count)), most = throng_bounds_area(bounds_of(map, area));
    return size > 1.000001 * most ? most : size; /* not of the last bits: draws are to stay what they are */
}

/* One of the areas, each with the likelihood of its size. */
static const throng_region *choose(const throng_map *map, const throng_region *areas, int32_t count, double random)
{
    double all = 0;
    for (int32_t i = 0; i < count; i++)
        all += size_of(map, &areas[i]);
    double left = random * all;
    for (int32_t i = 0; i + 1 < count; i++) {
        left -= size_of(map, &areas[i]);
        if (left < 0)
            return &areas[i];
    }
    return &areas[count - 1];
}

bool throng_map_random_point(const throng_map *map, const throng_region *areas, int32_t count, double radius,
                             uint64_t key, throng_point *point)
{
    for (uint32_t draw = 0; draw < DRAWS; draw++) {
        const throng_region *area =
            count ? choose(map, areas, count, throng_random(key, draw, 2, 0, THRONG_RANDOM_POINT)) : NULL;
        throng_bounds b = area ? bounds_of(map, area) : map->bounds;
        throng_point p = {b.x0 + (b.x1 - b.x0) * throng_random(key, draw, 0, 0, THRONG_RANDOM_POINT),
                          b.y0 + (b.y1 - b.y0) * throng_random(key, draw, 1, 0, THRONG_RANDOM_POINT)};
        if ((area && !throng_polygon_holds(area->points, area->count, p)) || !throng_map_fits(map, p, radius))
            continue;
        *point = p;
        return true;
    }
    return false;
}
