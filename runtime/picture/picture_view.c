/* Places of a map on the canvas. */
#include <stdlib.h>

#include "picture_layers.h"

throng_point throng_view_point(const throng_plan_view *view, double x, double y)
{
    return (throng_point){view->x + x * view->scale, view->y - y * view->scale};
}

throng_point *throng_view_points(const throng_plan_view *view, const throng_point *points, int32_t count)
{
    throng_point *pixels = malloc(((size_t)count + 1) * sizeof *pixels);
    for (int32_t i = 0; pixels && i < count; i++)
        pixels[i] = throng_view_point(view, points[i].x, points[i].y);
    return pixels;
}
