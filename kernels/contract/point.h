/* A point of the plane, in double: maps, meshes and paths share it. */
#ifndef THRONG_POINT_H
#define THRONG_POINT_H

typedef struct throng_point {
    double x, y; /* m */
} throng_point;

#endif
