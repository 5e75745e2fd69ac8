/* Discs and lines by the ten and hundred thousand, drawn here into one texture of the window's size, which is handed
 * over once a frame: a software renderer takes a microsecond and more for each of them, a GPU its time for their
 * corners. Their rims are smoothed by the distance from it, taken linear in the squared distance from the middle, which
 * needs no root and keeps the area of the smallest discs.
 *
 * 100,000 discs of a pixel take 6 ms of one core in a window of 1280 x 800, half of it waiting for memory; a frame with
 * all else that is drawn takes 10. */
#include "view_parts.h"

#include <math.h>
#include <string.h>

void throng_ink_fini(throng_ink *ink)
{
    if (ink->texture)
        SDL_DestroyTexture(ink->texture);
    *ink = (throng_ink){0};
}

static bool fit(throng_viewer *viewer)
{
    throng_ink *ink = &viewer->ink;
    if (ink->texture && ink->width == viewer->width && ink->height == viewer->height)
        return true;
    throng_ink_fini(ink);
    ink->width = viewer->width;
    ink->height = viewer->height;
    ink->texture = SDL_CreateTexture(viewer->renderer, SDL_PIXELFORMAT_ARGB8888, SDL_TEXTUREACCESS_STREAMING,
                                     ink->width, ink->height);
    return ink->texture && SDL_SetTextureBlendMode(ink->texture, SDL_BLENDMODE_BLEND) == 0;
}

throng_ink *throng_ink_take(throng_viewer *viewer)
{
    throng_ink *ink = &viewer->ink;
    void *pixels;
    int pitch;
    if (ink->argb)
        return ink;
    if (!fit(viewer) || SDL_LockTexture(ink->texture, NULL, &pixels, &pitch) != 0) {
        throng_viewer_note(viewer, "cannot draw the crowd: %s", SDL_GetError());
        return NULL;
    }
    ink->argb = pixels;
    ink->stride = pitch / 4;
    memset(pixels, 0, (size_t)pitch * (size_t)ink->height);
    return ink;
}

void throng_ink_show(throng_viewer *viewer)
{
    throng_ink *ink = &viewer->ink;
    SDL_Rect all = {0, 0, ink->width, ink->height};
    throng_batch_flush(&viewer->batch);
    if (!ink->argb)
        return;
    SDL_UnlockTexture(ink->texture);
    SDL_RenderCopy(viewer->renderer, ink->texture, NULL, &all);
    ink->argb = NULL;
}

/* ---- pixels: colours that are not multiplied by their opacity, as software renderers want them */

static uint32_t mix(uint32_t over, uint32_t below, uint32_t a, uint32_t keep, uint32_t all, int shift)
{
    return ((over >> shift & 255) * a + (below >> shift & 255) * keep) / all << shift;
}

static inline void blend(uint32_t *pixel, uint32_t rgb, uint32_t a)
{
    uint32_t below = *pixel, keep = (below >> 24) * (255 - a) / 255, all = a + keep;
    if (a == 0)
        return;
    if (below == 0 || a == 255)
        *pixel = a << 24 | rgb;
    else if (all == 255) /* divided by a constant */
        *pixel = 255u << 24 | mix(rgb, below, a, keep, 255, 16) | mix(rgb, below, a, keep, 255, 8) |
                 mix(rgb, below, a, keep, 255, 0);
    else
        *pixel = all << 24 | mix(rgb, below, a, keep, all, 16) | mix(rgb, below, a, keep, all, 8) |
                 mix(rgb, below, a, keep, all, 0);
}

static uint32_t rgb_of(SDL_Color c) { return (uint32_t)c.r << 16 | (uint32_t)c.g << 8 | c.b; }

static int cut(float value, int most) { return value < 0 ? 0 : value > (float)most ? most : (int)value; }

/* ---- discs */

/* One row: covered by 1 where `t` minus `fall` times the squared distance from `x` is 1 and more. */
static void disc_row(uint32_t *row, int x0, int x1, float x, float t, float fall, uint32_t rgb, float opacity)
{
    for (int i = x0; i < x1; i++) {
        float dx = (float)i + 0.5f - x, part = t - dx * dx * fall;
        if (part > 0)
            blend(row + i, rgb, (uint32_t)(part < 1 ? part * opacity : opacity));
    }
}

void throng_ink_disc(throng_ink *ink, float x, float y, float radius, SDL_Color colour)
{
    float beyond = radius + 1, fall = 0.5f / radius, full = 0.5f + 0.5f * radius, opacity = (float)colour.a + 0.5f;
    int x0 = cut(x - radius, ink->width), x1 = cut(x + beyond, ink->width); /* middles of pixels half a one away */
    int y0 = cut(y - radius, ink->height), y1 = cut(y + beyond, ink->height);
    uint32_t rgb = rgb_of(colour);
    for (int j = y0; j < y1; j++) {
        float dy = (float)j + 0.5f - y, t = full - dy * dy * fall;
        uint32_t *row = ink->argb + (size_t)j * (size_t)ink->stride;
        if (t <= 0)
            continue;
        float inner = radius > 4 && t > 1 && colour.a == 255 ? sqrtf((t - 1) / fall) : 0;
        int from = inner > 1 ? cut(x - inner + 0.5f, x1) : x1, to = inner > 1 ? cut(x + inner - 0.5f, x1) : x1;
        disc_row(row, x0, from, x, t, fall, rgb, opacity);
        for (int i = from; i < to; i++)
            row[i] = 255u << 24 | rgb;
        disc_row(row, to, x1, x, t, fall, rgb, opacity);
    }
}

void throng_ink_expect(const throng_ink *ink, float x, float y)
{
    if (!(x >= 0 && y >= 1 && x < (float)ink->width && y < (float)(ink->height - 1)))
        return;
    const uint32_t *middle = ink->argb + (size_t)y * (size_t)ink->stride + (size_t)x;
    for (int row = -1; row <= 1; row++)
        __builtin_prefetch(middle + row * ink->stride, 1);
}

/* ---- lines */

/* Part of a pixel that something covers whose rim is `inside` pixels away. */
static float covered(float inside) { return inside <= -0.5f ? 0 : inside >= 0.5f ? 1 : inside + 0.5f; }

void throng_ink_line(throng_ink *ink, throng_point a, throng_point b, double width, SDL_Color from, SDL_Color to)
{
    float x = (float)a.x, y = (float)a.y, ux = (float)(b.x - a.x), uy = (float)(b.y - a.y);
    float length = sqrtf(ux * ux + uy * uy), half = (float)width / 2, reach = half + 0.5f;
    if (!(length > 0))
        return;
    ux /= length, uy /= length;
    float left = fminf(x, (float)b.x) - reach, right = fmaxf(x, (float)b.x) + reach + 1;
    int y0 = cut(fminf(y, (float)b.y) - reach, ink->height), y1 = cut(fmaxf(y, (float)b.y) + reach + 1, ink->height);
    uint32_t rgb = rgb_of(from);
    for (int j = y0; j < y1; j++) {
        float dy = (float)j + 0.5f - y, middle = x + dy * ux / uy, beside = reach / fabsf(uy) + 1;
        bool level = fabsf(uy) < 1e-3f;
        int x0 = cut(level ? left : fmaxf(left, middle - beside), ink->width),
            x1 = cut(level ? right : fminf(right, middle + beside), ink->width);
        uint32_t *row = ink->argb + (size_t)j * (size_t)ink->stride;
        for (int i = x0; i < x1; i++) {
            float dx = (float)i + 0.5f - x, along = dx * ux + dy * uy, away = fabsf(dx * uy - dy * ux);
            float part = covered(half - away) * covered(along) * covered(length - along);
            float opacity = (float)from.a + ((float)to.a - (float)from.a) * along / length;
            if (part * opacity >= 1)
                blend(row + i, rgb, (uint32_t)(part * fminf(opacity, 255)));
        }
    }
}
