#include "canvas.h"

#include <math.h>
#include <stdlib.h>

throng_colour throng_colour_hex(uint32_t rgb)
{
    return (throng_colour){(float)(rgb >> 16 & 255) / 255, (float)(rgb >> 8 & 255) / 255, (float)(rgb & 255) / 255, 1};
}

throng_colour throng_colour_fade(throng_colour colour, float opacity)
{
    colour.a = opacity;
    return colour;
}

throng_canvas *throng_canvas_create(int32_t width, int32_t height, throng_colour paper)
{
    throng_canvas *canvas = calloc(1, sizeof *canvas);
    if (!canvas)
        return NULL;
    size_t pixels = (size_t)width * (size_t)height;
    *canvas = (throng_canvas){.width = width,
                              .height = height,
                              .rgb = malloc(pixels * 3 * sizeof(float)),
                              .mask = calloc(pixels + 2 * (size_t)height, sizeof(float)),
                              .touched = malloc(pixels * sizeof(int32_t)),
                              .row = malloc((size_t)width * sizeof(float))};
    if (!canvas->rgb || !canvas->mask || !canvas->touched || !canvas->row) {
        throng_canvas_destroy(canvas);
        return NULL;
    }
    for (size_t i = 0; i < pixels; i++) {
        canvas->rgb[3 * i] = paper.r;
        canvas->rgb[3 * i + 1] = paper.g;
        canvas->rgb[3 * i + 2] = paper.b;
    }
    return canvas;
}

void throng_canvas_destroy(throng_canvas *canvas)
{
    if (!canvas)
        return;
    free(canvas->rgb);
    free(canvas->mask);
    free(canvas->touched);
    free(canvas->row);
    free(canvas);
}

static inline void blend(float *rgb, throng_colour colour, float coverage)
{
    float a = colour.a * coverage;
    rgb[0] += (colour.r - rgb[0]) * a;
    rgb[1] += (colour.g - rgb[1]) * a;
    rgb[2] += (colour.b - rgb[2]) * a;
}

static inline float *pixel(throng_canvas *canvas, int32_t x, int32_t y)
{
    return canvas->rgb + 3 * ((size_t)y * (size_t)canvas->width + (size_t)x);
}

void throng_canvas_blend(throng_canvas *canvas, int32_t x, int32_t y, throng_colour colour, float coverage)
{
    if (x >= 0 && y >= 0 && x < canvas->width && y < canvas->height)
        blend(pixel(canvas, x, y), colour, coverage);
}

static throng_colour one_colour(const void *context, int32_t x, int32_t y)
{
    (void)x, (void)y;
    return *(const throng_colour *)context;
}

void throng_canvas_fill(throng_canvas *canvas, const throng_outline *outline, throng_colour colour)
{
    throng_canvas_fill_with(canvas, outline, one_colour, &colour);
}

void throng_canvas_fill_with(throng_canvas *canvas, const throng_outline *outline, throng_paint *paint,
                             const void *context)
{
    throng_cells cells = throng_raster_edges(canvas->mask, canvas->width, canvas->height, outline);
    for (int32_t y = cells.y0; y < cells.y1; y++) {
        throng_raster_row(canvas->mask + (size_t)y * (size_t)(canvas->width + 2), canvas->row, canvas->width);
        for (int32_t x = cells.x0; x < cells.x1; x++)
            if (canvas->row[x] > 0)
                blend(pixel(canvas, x, y), paint(context, x, y), canvas->row[x]);
    }
}

/* A stroke being drawn: the coverage of each pixel is that of its nearest
 * segment, so joints and crossings are not painted twice. */
typedef struct stroke {
    throng_canvas *canvas;
    double reach;  /* half the width plus half a pixel */
    float ceiling; /* coverage at the middle: below 1 for lines thinner than a pixel */
    int32_t touched;
} stroke;

static void touch(stroke *s, int32_t x, int32_t y, float coverage)
{
    int32_t index = y * s->canvas->width + x;
    float *mask = s->canvas->mask + index;
    if (*mask == 0)
        s->canvas->touched[s->touched++] = index;
    if (coverage > *mask)
        *mask = coverage;
}

static int32_t inside(double value, int32_t end)
{
    return value > end ? end : value > 0 ? (int32_t)value : 0; /* 0 for NaN */
}

/* Pixels of row `y` from x0 to x1 that lie near the segment a-b. */
static void stroke_row(stroke *s, throng_point a, throng_point b, int32_t y, double x0, double x1)
{
    double dx = b.x - a.x, dy = b.y - a.y, length = dx * dx + dy * dy, inverse = length > 0 ? 1 / length : 0;
    int32_t end = inside(ceil(x1), s->canvas->width);
    for (int32_t x = inside(floor(x0), s->canvas->width); x < end; x++) {
        double px = x + 0.5 - a.x, py = y + 0.5 - a.y, t = (px * dx + py * dy) * inverse;
        t = t < 0 ? 0 : t > 1 ? 1 : t;
        double ex = px - t * dx, ey = py - t * dy, square = ex * ex + ey * ey;
        if (square < s->reach * s->reach)
            touch(s, x, y, (float)fmin(s->reach - sqrt(square), 1) * s->ceiling);
    }
}

/* Walks the rows that the segment reaches, on each only the columns near it:
 * a long diagonal costs its length, not its bounding box. */
static void stroke_segment(stroke *s, throng_point a, throng_point b)
{
    if (a.y > b.y) {
        throng_point t = a;
        a = b, b = t;
    }
    double slope = b.y > a.y ? (b.x - a.x) / (b.y - a.y) : 0;
    int32_t end = inside(ceil(b.y + s->reach), s->canvas->height);
    for (int32_t y = inside(floor(a.y - s->reach), s->canvas->height); y < end; y++) {
        double from = fmax(a.y, y - s->reach), to = fmin(b.y, y + 1 + s->reach);
        double x0 = a.x + (from - a.y) * slope, x1 = b.y > a.y ? a.x + (to - a.y) * slope : b.x;
        stroke_row(s, a, b, y, fmin(x0, x1) - s->reach, fmax(x0, x1) + s->reach);
    }
}

static void stroke_paint(stroke *s, throng_colour colour)
{
    for (int32_t i = 0; i < s->touched; i++) {
        int32_t index = s->canvas->touched[i];
        blend(s->canvas->rgb + 3 * (size_t)index, colour, s->canvas->mask[index]);
        s->canvas->mask[index] = 0;
    }
}

void throng_canvas_stroke(throng_canvas *canvas, const throng_point *points, int32_t count, bool closed, double width,
                          throng_colour colour)
{
    double drawn = width < 1 ? 1 : width;
    stroke s = {canvas, drawn / 2 + 0.5, (float)(width / drawn), 0};
    for (int32_t i = 0; i + 1 < count; i++)
        stroke_segment(&s, points[i], points[i + 1]);
    if (closed && count > 2)
        stroke_segment(&s, points[count - 1], points[0]);
    stroke_paint(&s, colour);
}

void throng_canvas_line(throng_canvas *canvas, double x0, double y0, double x1, double y1, double width,
                        throng_colour colour)
{
    throng_point ends[] = {{x0, y0}, {x1, y1}};
    throng_canvas_stroke(canvas, ends, 2, false, width, colour);
}

void throng_canvas_rect(throng_canvas *canvas, double x0, double y0, double x1, double y1, throng_colour colour)
{
    throng_point corners[] = {{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}};
    int32_t start[] = {0, 4};
    throng_canvas_fill(canvas, &(throng_outline){corners, start, 1}, colour);
}

void throng_canvas_disc(throng_canvas *canvas, double x, double y, double radius, throng_colour colour)
{
    throng_point centre = {x, y};
    stroke s = {canvas, radius + 0.5, 1, 0};
    stroke_segment(&s, centre, centre);
    stroke_paint(&s, colour);
}
