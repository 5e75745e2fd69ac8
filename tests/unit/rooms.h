/* Rooms with boxes in them, and their meshes, for the tests of navigation. Include it after <cmocka.h>. */
#ifndef THRONG_TEST_ROOMS_H
#define THRONG_TEST_ROOMS_H

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "navigation/navmesh.h"

#define assert_near(a, b, within) assert_true(fabs((double)(a) - (double)(b)) <= (within))

static inline void assert_says(const throng_error *error, const char *part)
{
    if (!strstr(error->text, part))
        fail_msg("\"%s\" does not say \"%s\"", error->text, part);
}

static inline double random_in(uint32_t *seed, double from, double to)
{
    *seed = *seed * 1664525 + 1013904223;
    return from + (*seed >> 8) * (to - from) / (1 << 24);
}

/* A square room with so many turned boxes in it; the same for the same seed. */
static inline throng_map *cluttered_room(double side, int count, uint32_t seed)
{
    throng_point square[4] = {{0, 0}, {side, 0}, {side, side}, {0, side}};
    throng_point boxes[64][4];
    const throng_point *boundary[] = {square}, *obstacles[64] = {NULL};
    int32_t sizes[64] = {0};
    for (int i = 0; i < count; i++) {
        double x = random_in(&seed, 1, side - 1), y = random_in(&seed, 1, side - 1);
        double w = random_in(&seed, 0.1, 1.5), h = random_in(&seed, 0.1, 0.8), a = random_in(&seed, 0, 3);
        for (int k = 0; k < 4; k++) {
            double u = k == 0 || k == 3 ? -w : w, v = k < 2 ? -h : h;
            boxes[i][k] = (throng_point){x + cos(a) * u - sin(a) * v, y + sin(a) * u + cos(a) * v};
        }
        obstacles[i] = boxes[i];
        sizes[i] = 4;
    }
    int32_t four = 4;
    throng_error error;
    throng_map *map = throng_map_from_polygons("room", boundary, &four, 1, obstacles, sizes, count, &error);
    assert_non_null(map);
    return map;
}

static inline throng_navmesh *mesh_of(const throng_map *map, double radius)
{
    throng_error error;
    throng_navmesh *mesh = throng_navmesh_build(map, radius, &error);
    if (!mesh)
        fail_msg("%s", error.text);
    return mesh;
}

/* Two rooms of 5 x 10 m with a door of `door` m in the middle of the wall between them. */
static inline throng_map *two_rooms(double door)
{
    throng_point rooms[4] = {{0, 0}, {10.2, 0}, {10.2, 10}, {0, 10}};
    throng_point low[4] = {{5, -1}, {5.2, -1}, {5.2, 5 - door / 2}, {5, 5 - door / 2}};
    throng_point high[4] = {{5, 5 + door / 2}, {5.2, 5 + door / 2}, {5.2, 11}, {5, 11}};
    const throng_point *boundary[] = {rooms}, *obstacles[] = {low, high};
    int32_t sizes[] = {4, 4};
    throng_error error;
    throng_map *map = throng_map_from_polygons("rooms", boundary, sizes, 1, obstacles, sizes, 2, &error);
    assert_non_null(map);
    return map;
}

static inline throng_map *willow(void)
{
    char path[512];
    const char *slash = strrchr(__FILE__, '/');
    snprintf(path, sizeof path, "%.*s/../../maps/willow.yaml", (int)(slash - __FILE__), __FILE__);
    throng_error error;
    throng_map *map = throng_map_read(path, NULL, &error);
    if (!map)
        fail_msg("%s", error.text);
    return map;
}

static inline throng_point from_of(const throng_navmesh *mesh, int32_t e)
{
    return (throng_point){mesh->ax[e], mesh->ay[e]};
}

static inline throng_point to_of(const throng_navmesh *mesh, int32_t e)
{
    return (throng_point){mesh->bx[e], mesh->by[e]};
}

#endif
