/* Points of the plane, in double: maps, meshes, paths and places share them. */
#ifndef THRONG_POINT_H
#define THRONG_POINT_H

#include <stdbool.h>
#include <stdint.h>

/* A function of the host's that kernels call, too. */
#ifdef __CUDACC__
#define THRONG_SHARED_FN static __host__ __device__ inline
#else
#define THRONG_SHARED_FN static inline __attribute__((unused))
#endif

typedef struct throng_point {
    double x, y; /* m */
} throng_point;

/* Twice the area of the triangle a, b, c: positive when c is on the left of a -> b. */
THRONG_SHARED_FN double throng_turn(throng_point a, throng_point b, throng_point c)
{
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

/* True when a ray from p to the right crosses the side a, b, in either direction. An upper end is not part of a side,
 * and no ray crosses what it starts on. */
THRONG_SHARED_FN bool throng_ray_crosses(throng_point p, throng_point a, throng_point b)
{
    if ((a.y > p.y) == (b.y > p.y))
        return false;
    return (a.y < b.y ? throng_turn(a, b, p) : throng_turn(b, a, p)) > 0;
}

/* True when p is in the polygon points[count], of either orientation, by the even-odd rule. Left and lower sides belong
 * to it, right and upper ones do not: of two polygons that share a side, one has its points. */
THRONG_SHARED_FN bool throng_polygon_holds(const throng_point *points, int32_t count, throng_point p)
{
    bool inside = false;
    for (int32_t i = 0, j = count - 1; i < count; j = i++)
        inside ^= throng_ray_crosses(p, points[j], points[i]);
    return inside;
}

#endif
