/* What must hold of every map, and of every message about a file. */
#ifndef THRONG_TEST_MAP_CHECKS_H
#define THRONG_TEST_MAP_CHECKS_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "map/map.h"
#include "map/map_geos.h"

#define assert_near(a, b, within) assert_true(fabs((a) - (b)) <= (within))

static inline void assert_says(const throng_error *error, const char *part)
{
    if (!strstr(error->text, part))
        fail_msg("\"%s\" does not say \"%s\"", error->text, part);
}

/* The first region of that name, or NULL. */
static inline const throng_region *region_of(const throng_map *map, const char *name)
{
    for (int32_t i = 0; i < map->region_count; i++)
        if (strcmp(map->regions[i].name, name) == 0)
            return &map->regions[i];
    return NULL;
}

/* Every ring is simple, outer rings lead, areas add up, and GEOS finds the whole valid. */
static inline void assert_sound(const throng_map *map)
{
    double area = 0;
    for (int32_t r = 0; r < map->ring_count; r++) {
        int32_t count = map->ring_start[r + 1] - map->ring_start[r];
        assert_true(count >= 3);
        area += throng_ring_area(map->points + map->ring_start[r], count);
    }
    if (!map->open)
        assert_near(area, map->area, 1e-9 * area);
    throng_geos geos;
    throng_error error;
    assert_true(throng_geos_init(&geos, &error));
    GEOSGeometry *space = throng_geos_free_space(&geos, map, 1);
    assert_non_null(space);
    assert_int_equal(GEOSisValid_r(geos.handle, space), 1);
    throng_geos_free(&geos, space);
    throng_geos_fini(&geos);
}

static inline void assert_read_fails(const char *path, const char *part)
{
    throng_error error = {""};
    throng_map *map = throng_map_read(path, NULL, &error);
    if (map)
        fail_msg("%s was read", path);
    assert_says(&error, part);
}

#endif
