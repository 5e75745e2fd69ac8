#include "export_figure.h"

#include <math.h>

/* m: ellipses over each other: height, half width, half depth, and how far it is to the front. */
static const float profile[THRONG_FIGURE_RINGS][4] = {
    {0.00f, 0.11f, 0.13f, 0.04f}, {0.45f, 0.13f, 0.09f, 0.00f}, {0.95f, 0.18f, 0.12f, 0.00f},
    {1.35f, 0.25f, 0.13f, 0.00f}, {1.46f, 0.08f, 0.07f, 0.01f}, {1.52f, 0.08f, 0.10f, 0.03f},
    {1.63f, 0.09f, 0.12f, 0.03f}, {1.72f, 0.06f, 0.08f, 0.02f}, {1.75f, 0.01f, 0.01f, 0.02f},
};

static void minus(const float a[3], const float b[3], float out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = a[k] - b[k];
}

/* Square to the surface: to the neighbours along the ring and up the body. */
static void find_normal(throng_figure *figure, int ring, int side)
{
    enum { SIDES = THRONG_FIGURE_SIDES };
    int below = ring > 0 ? ring - 1 : 0, above = ring < THRONG_FIGURE_RINGS - 1 ? ring + 1 : ring;
    float along[3], up[3], *n = figure->normals[ring * SIDES + side];
    minus(figure->points[ring * SIDES + (side + 1) % SIDES], figure->points[ring * SIDES + (side + SIDES - 1) % SIDES],
          along);
    minus(figure->points[above * SIDES + side], figure->points[below * SIDES + side], up);
    n[0] = along[1] * up[2] - along[2] * up[1];
    n[1] = along[2] * up[0] - along[0] * up[2];
    n[2] = along[0] * up[1] - along[1] * up[0];
    float length = sqrtf(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    for (int k = 0; k < 3; k++)
        n[k] /= length;
}

void throng_figure_make(throng_figure *figure)
{
    enum { SIDES = THRONG_FIGURE_SIDES };
    uint16_t *next = figure->indices;
    for (int i = 0; i < THRONG_FIGURE_POINTS; i++) {
        const float *p = profile[i / SIDES];
        double angle = 6.283185307179586 * (i % SIDES) / SIDES;
        figure->points[i][0] = p[1] * (float)sin(angle);
        figure->points[i][1] = p[0];
        figure->points[i][2] = p[3] + p[2] * (float)cos(angle);
    }
    for (int i = 0; i < THRONG_FIGURE_POINTS; i++)
        find_normal(figure, i / SIDES, i % SIDES);
    for (int i = 0; i < (THRONG_FIGURE_RINGS - 1) * SIDES; i++) {
        int a = i, b = i / SIDES * SIDES + (i + 1) % SIDES;
        const int corners[6] = {a, b, b + SIDES, a, b + SIDES, a + SIDES};
        for (int k = 0; k < 6; k++)
            *next++ = (uint16_t)corners[k];
    }
}
