#include "view_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The atlas: discs of several sizes, so that one near the size drawn is there (no mipmaps needed); a soft-edged line; a
 * solid patch. Drawn by the canvas, white, coverage as opacity. Discs are never turned: software renderers smooth
 * upright rectangles only. Solid and line are in the corner: software renderers multiply texels by areas, in 32 bits.
 */
enum { ATLAS_WIDTH = 256, ATLAS_HEIGHT = 256, DISCS = 6, LINE_X = 8, LINE_Y = 2, LINE_HEIGHT = 12 };

static const struct {
    float radius;
    int x, y, side;
} discs[DISCS] = {{2, 150, 128, 8},  {4, 136, 112, 12}, {8, 136, 88, 20},
                  {16, 160, 88, 36}, {32, 136, 16, 68}, {64, 0, 16, 132}};

/* Rings, their lines in the middle of the radius given. */
enum { RINGS = 2, RING_POINTS = 64 };
static const struct {
    float radius, width;
    int x, y, side;
} rings[RINGS] = {{8, 2, 72, 152, 24}, {28, 3, 0, 152, 68}};

static void draw_ring(throng_canvas *canvas, int i)
{
    throng_point circle[RING_POINTS];
    double half = rings[i].side / 2.0, r = (double)rings[i].radius;
    for (int k = 0; k < RING_POINTS; k++)
        circle[k] = (throng_point){rings[i].x + half + r * cos(2 * M_PI * k / RING_POINTS),
                                   rings[i].y + half + r * sin(2 * M_PI * k / RING_POINTS)};
    throng_canvas_stroke(canvas, circle, RING_POINTS, true, (double)rings[i].width, throng_colour_hex(0xffffff));
}

static void draw_atlas(throng_canvas *canvas)
{
    throng_colour white = throng_colour_hex(0xffffff);
    for (int i = 0; i < DISCS; i++)
        throng_canvas_disc(canvas, discs[i].x + discs[i].side / 2.0, discs[i].y + discs[i].side / 2.0,
                           (double)discs[i].radius, white);
    for (int i = 0; i < RINGS; i++)
        draw_ring(canvas, i);
    throng_canvas_rect(canvas, 0, 0, 4, 4, white);
    for (int row = 0; row < LINE_HEIGHT; row++) /* full in the middle, a pixel's fall-off on a line 2 pixels wide */
        throng_canvas_rect(canvas, LINE_X, LINE_Y + row, LINE_X + 4, LINE_Y + row + 1,
                           throng_colour_fade(white, (float)fmin(1, 1.8 * (1 - fabs(row + 0.5 - 6) / 6))));
}

SDL_Texture *throng_view_mask(SDL_Renderer *renderer, const throng_canvas *canvas)
{
    size_t pixels = (size_t)canvas->width * (size_t)canvas->height;
    uint32_t *argb = malloc(pixels * sizeof *argb);
    SDL_Texture *texture = argb ? SDL_CreateTexture(renderer, SDL_PIXELFORMAT_ARGB8888, SDL_TEXTUREACCESS_STATIC,
                                                    canvas->width, canvas->height)
                                : NULL;
    for (size_t i = 0; texture && i < pixels; i++)
        argb[i] = (uint32_t)lrintf(fminf(fmaxf(canvas->rgb[3 * i], 0), 1) * 255) << 24 | 0xffffff;
    if (texture) {
        SDL_UpdateTexture(texture, NULL, argb, canvas->width * 4);
        SDL_SetTextureBlendMode(texture, SDL_BLENDMODE_BLEND);
        SDL_SetTextureScaleMode(texture, SDL_ScaleModeLinear);
    }
    free(argb);
    return texture;
}

/* The texels from..to that a stretch of `count` of them, `size` pixels each and beginning at `start`, shows in a window
 * of `room` pixels, and one more for smoothing. */
static void in_sight(double start, double size, int count, int room, int *from, int *to)
{
    double first = floor(-start / size) - 1, last = ceil((room - start) / size) + 1;
    *from = first < 0 ? 0 : first > count ? count : (int)first;
    *to = last < 0 ? 0 : last > count ? count : (int)last;
}

void throng_view_copy(const throng_viewer *viewer, SDL_Texture *texture, double x, double y, double width,
                      double height)
{
    int columns, rows, x0, x1, y0, y1;
    if (!texture || SDL_QueryTexture(texture, NULL, NULL, &columns, &rows) != 0)
        return;
    double across = width / columns, down = height / rows;
    in_sight(x, across, columns, viewer->width, &x0, &x1);
    in_sight(y, down, rows, viewer->height, &y0, &y1);
    SDL_Rect from = {x0, y0, x1 - x0, y1 - y0};
    SDL_FRect to = {(float)(x + x0 * across), (float)(y + y0 * down), (float)(from.w * across), (float)(from.h * down)};
    if (from.w > 0 && from.h > 0)
        SDL_RenderCopyF(viewer->renderer, texture, &from, &to);
}

bool throng_batch_init(throng_batch *batch, SDL_Renderer *renderer, throng_error *error)
{
    throng_canvas *canvas = throng_canvas_create(ATLAS_WIDTH, ATLAS_HEIGHT, throng_colour_hex(0));
    *batch = (throng_batch){.renderer = renderer,
                            .vertices = malloc(4 * THRONG_BATCH_QUADS * sizeof(SDL_Vertex)),
                            .indices = malloc(6 * THRONG_BATCH_QUADS * sizeof(int))};
    if (canvas) {
        draw_atlas(canvas);
        batch->atlas = throng_view_mask(renderer, canvas);
    }
    throng_canvas_destroy(canvas);
    if (!batch->atlas || !batch->vertices || !batch->indices)
        return throng_fail(error, "cannot draw: out of memory (%s)", SDL_GetError());
    throng_batch_plain(batch);
    static const int corners[] = {0, 1, 2, 0, 2, 3};
    for (int i = 0; i < 6 * THRONG_BATCH_QUADS; i++)
        batch->indices[i] = i / 6 * 4 + corners[i % 6];
    return true;
}

void throng_batch_fini(throng_batch *batch)
{
    if (batch->atlas)
        SDL_DestroyTexture(batch->atlas);
    free(batch->vertices);
    free(batch->indices);
    *batch = (throng_batch){0};
}

void throng_batch_flush(throng_batch *batch)
{
    if (batch->count)
        SDL_RenderGeometry(batch->renderer, batch->texture, batch->vertices, 4 * batch->count, batch->indices,
                           6 * batch->count);
    batch->count = 0;
}

SDL_Color throng_view_colour(uint32_t rgb, float opacity)
{
    return throng_view_shade(throng_colour_fade(throng_theme_hex(rgb), opacity));
}

static SDL_Vertex *next_quad(throng_batch *batch)
{
    if (batch->count == THRONG_BATCH_QUADS)
        throng_batch_flush(batch);
    return batch->vertices + 4 * (size_t)batch->count++;
}

#define FAR 8000.0 /* px: areas between corners farther off are beyond the 32 bits of software renderers */

static double near(double x) { return fmin(fmax(x, -FAR), FAR); }

static SDL_Vertex vertex(double x, double y, SDL_Color colour, float u, float v)
{
    return (SDL_Vertex){{(float)near(x), (float)near(y)}, colour, {u / ATLAS_WIDTH, v / ATLAS_HEIGHT}};
}

/* Where on the way from `a` to `b` it comes into [-FAR, FAR] and goes out again, as far as `*in` and `*out` do not say
 * so already. */
static void cut_way(double a, double b, double *in, double *out)
{
    double low = (-FAR - a) / (b - a), high = (FAR - a) / (b - a);
    if (a != b) {
        *in = fmax(*in, fmin(low, high));
        *out = fmin(*out, fmax(low, high));
    } else if (fabs(a) > FAR)
        *out = -1;
}

/* The smallest disc of the atlas that is no smaller. */
static int disc_for(float radius)
{
    int i = 0;
    while (i + 1 < DISCS && discs[i].radius < radius)
        i++;
    return i;
}

/* The square of the atlas at (u, v), upright, `half` pixels to each side of (x, y). */
static void put_sprite(throng_batch *batch, float x, float y, float half, int u, int v, int side, SDL_Color colour)
{
    float s0 = (float)u, t0 = (float)v, s1 = (float)(u + side), t1 = (float)(v + side);
    SDL_Vertex *quad = next_quad(batch);
    quad[0] = vertex((double)(x - half), (double)(y - half), colour, s0, t0);
    quad[1] = vertex((double)(x + half), (double)(y - half), colour, s1, t0);
    quad[2] = vertex((double)(x + half), (double)(y + half), colour, s1, t1);
    quad[3] = vertex((double)(x - half), (double)(y + half), colour, s0, t1);
}

void throng_batch_disc(throng_batch *batch, float x, float y, float radius, SDL_Color colour)
{
    int i = disc_for(radius);
    put_sprite(batch, x, y, radius * (float)discs[i].side / (2 * discs[i].radius), discs[i].x, discs[i].y,
               discs[i].side, colour);
}

void throng_batch_ring(throng_batch *batch, float x, float y, float radius, SDL_Color colour)
{
    int i = radius > 12;
    put_sprite(batch, x, y, radius * (float)rings[i].side / (2 * rings[i].radius), rings[i].x, rings[i].y,
               rings[i].side, colour);
}

static const float SOLID_U = 1, SOLID_V = 1;

void throng_batch_rect(throng_batch *batch, double x0, double y0, double x1, double y1, SDL_Color colour)
{
    SDL_Vertex *quad = next_quad(batch);
    quad[0] = vertex(x0, y0, colour, SOLID_U, SOLID_V);
    quad[1] = vertex(x1, y0, colour, SOLID_U, SOLID_V);
    quad[2] = vertex(x1, y1, colour, SOLID_U, SOLID_V);
    quad[3] = vertex(x0, y1, colour, SOLID_U, SOLID_V);
}

void throng_batch_line(throng_batch *batch, double x0, double y0, double x1, double y1, double width, SDL_Color from,
                       SDL_Color to)
{
    double dx = x1 - x0, dy = y1 - y0, length = hypot(dx, dy), in = 0, out = 1;
    cut_way(x0, x1, &in, &out);
    cut_way(y0, y1, &in, &out);
    if (!(length > 0 && in < out))
        return;
    x1 = x0 + out * dx, y1 = y0 + out * dy;
    x0 += in * dx, y0 += in * dy;
    double half = (width + 1) / 2 / length, nx = -dy * half, ny = dx * half;
    float u = LINE_X + 2, v0 = LINE_Y, v1 = LINE_Y + LINE_HEIGHT;
    SDL_Vertex *quad = next_quad(batch);
    quad[0] = vertex(x0 + nx, y0 + ny, from, u, v0);
    quad[1] = vertex(x1 + nx, y1 + ny, to, u, v0);
    quad[2] = vertex(x1 - nx, y1 - ny, to, u, v1);
    quad[3] = vertex(x0 - nx, y0 - ny, from, u, v1);
}

/* Software renderers multiply areas (in quarters of a pixel) by texels in 32 bits and read beyond the texture where
 * that is too much. */
static bool fits_32_bits(throng_bounds b, double texels)
{
    return 8 * (b.x1 - b.x0) * (b.y1 - b.y0) * texels < INT32_MAX;
}

static bool in_sight_of(const throng_batch *batch, throng_bounds b)
{
    return b.x1 >= 0 && b.y1 >= 0 && b.x0 <= batch->width && b.y0 <= batch->height;
}

static throng_bounds bounds_of(const SDL_FPoint *p, int32_t count)
{
    throng_bounds b = {(double)p[0].x, (double)p[0].y, (double)p[0].x, (double)p[0].y};
    for (int32_t i = 1; i < count; i++)
        b = (throng_bounds){fmin(b.x0, (double)p[i].x), fmin(b.y0, (double)p[i].y), fmax(b.x1, (double)p[i].x),
                            fmax(b.y1, (double)p[i].y)};
    return b;
}

static SDL_Vertex halfway(SDL_Vertex a, SDL_Vertex b)
{
    return (SDL_Vertex){{(a.position.x + b.position.x) / 2, (a.position.y + b.position.y) / 2},
                        a.color,
                        {(a.tex_coord.x + b.tex_coord.x) / 2, (a.tex_coord.y + b.tex_coord.y) / 2}};
}

static float far_apart(SDL_Vertex a, SDL_Vertex b)
{
    return hypotf(a.position.x - b.position.x, a.position.y - b.position.y);
}

static void put_triangle(throng_batch *batch, SDL_Vertex a, SDL_Vertex b, SDL_Vertex c);

static void halve(throng_batch *batch, SDL_Vertex a, SDL_Vertex b, SDL_Vertex c)
{
    put_triangle(batch, a, halfway(a, b), c);
    put_triangle(batch, halfway(a, b), b, c);
}

/* A triangle, halved across its longest side until each part is out of sight or small enough. */
static void put_triangle(throng_batch *batch, SDL_Vertex a, SDL_Vertex b, SDL_Vertex c)
{
    throng_bounds bounds = bounds_of((SDL_FPoint[]){a.position, b.position, c.position}, 3);
    float ab = far_apart(a, b), bc = far_apart(b, c), ca = far_apart(c, a);
    if (!in_sight_of(batch, bounds) || !(ab + bc + ca < 1e8f))
        return;
    if (fits_32_bits(bounds, batch->texels)) {
        SDL_Vertex *quad = next_quad(batch);
        quad[0] = a, quad[1] = b, quad[2] = quad[3] = c;
    } else if (ab >= bc && ab >= ca)
        halve(batch, a, b, c);
    else if (bc >= ca)
        halve(batch, b, c, a);
    else
        halve(batch, c, a, b);
}

void throng_batch_textured(throng_batch *batch, SDL_Texture *texture, const SDL_Vertex corner[3])
{
    int columns = 0, rows = 0;
    if (batch->texture != texture) {
        throng_batch_flush(batch);
        SDL_QueryTexture(texture, NULL, NULL, &columns, &rows);
        batch->texture = texture;
        batch->texels = columns > rows ? columns : rows;
    }
    put_triangle(batch, corner[0], corner[1], corner[2]);
}

void throng_batch_plain(throng_batch *batch)
{
    throng_batch_flush(batch);
    batch->texture = batch->atlas;
    batch->texels = 2;
}

void throng_batch_convex(throng_batch *batch, const SDL_FPoint *p, int32_t count, SDL_Color colour)
{
    SDL_Vertex corner[4];
    for (int32_t i = 1; i + 1 < count; i += 2) {
        SDL_FPoint place[4] = {p[0], p[i], p[i + 1], p[i + 2 < count ? i + 2 : i + 1]};
        throng_bounds b = bounds_of(place, 4);
        for (int k = 0; k < 4; k++)
            corner[k] = (SDL_Vertex){place[k], colour, {SOLID_U / ATLAS_WIDTH, SOLID_V / ATLAS_HEIGHT}};
        if (!in_sight_of(batch, b))
            continue;
        if (fits_32_bits(b, batch->texels))
            memcpy(next_quad(batch), corner, sizeof corner);
        else {
            put_triangle(batch, corner[0], corner[1], corner[2]);
            put_triangle(batch, corner[0], corner[2], corner[3]);
        }
    }
}
