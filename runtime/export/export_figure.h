/* A figure of a person for 3D scenes: about 140 triangles, 1.75 m tall, its shoulders .5 m wide, its front to +z, y up.
 */
#ifndef THRONG_EXPORT_FIGURE_H
#define THRONG_EXPORT_FIGURE_H

#include <stdint.h>

enum {
    THRONG_FIGURE_RINGS = 9,
    THRONG_FIGURE_SIDES = 10,
    THRONG_FIGURE_POINTS = THRONG_FIGURE_RINGS * THRONG_FIGURE_SIDES,
    THRONG_FIGURE_INDICES = (THRONG_FIGURE_RINGS - 1) * THRONG_FIGURE_SIDES * 6
};

/* m: the radius of a person as wide as the figure. */
#define THRONG_FIGURE_RADIUS 0.25

typedef struct throng_figure {
    float points[THRONG_FIGURE_POINTS][3];
    float normals[THRONG_FIGURE_POINTS][3];
    uint16_t indices[THRONG_FIGURE_INDICES];
} throng_figure;

void throng_figure_make(throng_figure *figure);

#endif
