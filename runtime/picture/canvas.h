/* A canvas: RGB, anti-aliased, drawn without a display and saved as PNG.
 *
 * Lengths are pixels, (0, 0) is the upper left corner of the upper left pixel
 * and y is down. Whatever leaves the canvas is clipped. */
#ifndef THRONG_CANVAS_H
#define THRONG_CANVAS_H

#include "raster.h"

typedef struct throng_colour {
    float r, g, b, a; /* 0 to 1, sRGB; `a` is opacity, not multiplied in */
} throng_colour;

/* 0xRRGGBB as an opaque colour, and a colour at another opacity. */
throng_colour throng_colour_hex(uint32_t rgb);
throng_colour throng_colour_fade(throng_colour colour, float opacity);

typedef struct throng_canvas {
    int32_t width, height;
    float *rgb;       /* [height * width * 3] */
    float *mask;      /* [height * (width + 2)] coverage of the shape being drawn, zero in between */
    int32_t *touched; /* [height * width] pixels of `mask` that a stroke reached */
    float *row;       /* [width] */
} throng_canvas;

/* NULL when memory runs out. */
throng_canvas *throng_canvas_create(int32_t width, int32_t height, throng_colour paper);
void throng_canvas_destroy(throng_canvas *canvas);

/* The colour of a pixel, for fills that are not of one colour. */
typedef throng_colour throng_paint(const void *context, int32_t x, int32_t y);

/* Fills contours by the even-odd rule. */
void throng_canvas_fill(throng_canvas *canvas, const throng_outline *outline, throng_colour colour);
void throng_canvas_fill_with(throng_canvas *canvas, const throng_outline *outline, throng_paint *paint,
                             const void *context);

/* A line through points, round at joints and ends; where it crosses itself it is not darker. */
void throng_canvas_stroke(throng_canvas *canvas, const throng_point *points, int32_t count, bool closed, double width,
                          throng_colour colour);
void throng_canvas_line(throng_canvas *canvas, double x0, double y0, double x1, double y1, double width,
                        throng_colour colour);

void throng_canvas_rect(throng_canvas *canvas, double x0, double y0, double x1, double y1, throng_colour colour);
void throng_canvas_disc(throng_canvas *canvas, double x, double y, double radius, throng_colour colour);

/* Blends one pixel; nothing outside the canvas. */
void throng_canvas_blend(throng_canvas *canvas, int32_t x, int32_t y, throng_colour colour, float coverage);

typedef enum throng_align { THRONG_ALIGN_LEFT, THRONG_ALIGN_CENTRE, THRONG_ALIGN_RIGHT } throng_align;

typedef struct throng_lettering {
    double size; /* pixels an em */
    throng_colour colour;
    bool bold;
    throng_align align;
} throng_lettering;

/* One line of UTF-8 with its baseline at `y`; a character the font lacks is
 * drawn as its empty box. Returns the width. */
double throng_canvas_text(throng_canvas *canvas, const throng_lettering *style, double x, double y, const char *text);
double throng_text_width(const throng_lettering *style, const char *text);

/* Saves as PNG. False and a message when `path` cannot be written; nothing is left behind then. */
bool throng_canvas_save(const throng_canvas *canvas, const char *path, throng_error *error);

#endif
