#include "near_points.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static uint32_t bucket(const near_points *n, int32_t column, int32_t row)
{
    return ((uint32_t)column * 0x9E3779B1u ^ (uint32_t)row * 0x85EBCA77u) >> 7 & n->mask;
}

bool throng_near_points_open(near_points *n, double cell, int32_t count, throng_error *error)
{
    uint32_t buckets = 64;
    while (buckets < (uint32_t)count)
        buckets *= 2;
    *n = (near_points){cell, buckets - 1, malloc(buckets * sizeof *n->first),
                       malloc(((size_t)count + 1) * sizeof *n->point)};
    if (!n->first || !n->point)
        return throng_fail(error, "out of memory for the neighbours of %d agents", count);
    memset(n->first, -1, buckets * sizeof *n->first);
    return true;
}

void throng_near_points_close(near_points *n)
{
    free(n->first);
    free(n->point);
}

void throng_near_points_add(near_points *n, throng_point at, int32_t number)
{
    uint32_t b = bucket(n, (int32_t)floor(at.x / n->cell), (int32_t)floor(at.y / n->cell));
    n->point[number] = (near_point){at, n->first[b]};
    n->first[b] = number;
}

bool throng_near_points_visit(const near_points *n, throng_point at, bool (*visit)(void *context, int32_t number),
                              void *context)
{
    int32_t column = (int32_t)floor(at.x / n->cell), row = (int32_t)floor(at.y / n->cell);
    double most = n->cell * n->cell * (1 + 1e-9); /* as `visit` may measure it otherwise */
    for (int32_t r = row - 1; r <= row + 1; r++)
        for (int32_t k = column - 1; k <= column + 1; k++)
            for (int32_t i = n->first[bucket(n, k, r)]; i >= 0; i = n->point[i].next) {
                double x = n->point[i].at.x - at.x, y = n->point[i].at.y - at.y;
                if (x * x + y * y <= most && visit(context, i))
                    return true;
            }
    return false;
}
