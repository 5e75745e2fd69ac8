/* What is drawn with: the window, shapes, letters, colours. The viewer and the map maker share it.
 *
 * Lengths on screen are pixels of the output, (0, 0) upper left; a unit is a pixel on an ordinary display and more on
 * one of high density. */
#ifndef THRONG_VIEW_DRAW_H
#define THRONG_VIEW_DRAW_H

#include <SDL2/SDL.h>
#include "picture/canvas.h"
#include "picture/picture_style.h"

typedef struct throng_viewer throng_viewer;

/* ---- view_window.c: the window, which the viewer and the map maker open */

bool throng_window_open(throng_viewer *viewer, const char *name, throng_error *error);
void throng_window_close(throng_viewer *viewer);
/* True when the size has changed. */
bool throng_window_measure(throng_viewer *viewer);
/* The next event; `wait`: when there is none yet, waits a moment for it, but for a fixed clock. */
bool throng_window_event(const throng_viewer *viewer, bool wait, SDL_Event *event);
/* Seconds since the last frame: of the clock, or always the same. */
double throng_window_elapsed(throng_viewer *viewer, uint64_t *last);

/* ---- view_draw.c: quads in one batch over one atlas of discs and lines */

enum { THRONG_BATCH_QUADS = 8192 };

typedef struct throng_batch {
    SDL_Renderer *renderer;
    SDL_Texture *atlas, *texture; /* the one drawn from: the atlas, or that of throng_batch_textured */
    int texels, width, height;    /* the largest texel drawn from; the window, pixels */
    SDL_Vertex *vertices;         /* [4 * THRONG_BATCH_QUADS] */
    int *indices;                 /* [6 * THRONG_BATCH_QUADS] */
    int32_t count;                /* quads */
} throng_batch;

bool throng_batch_init(throng_batch *batch, SDL_Renderer *renderer, throng_error *error);
void throng_batch_fini(throng_batch *batch);
void throng_batch_flush(throng_batch *batch);

/* A texture of white with the canvas's first channel as opacity; NULL when memory is out. */
SDL_Texture *throng_view_mask(SDL_Renderer *renderer, const throng_canvas *canvas);

/* A texture stretched over a place that may reach far beyond the window; only what is in sight is handed over, because
 * software renderers stretch all that they are given. */
void throng_view_copy(const throng_viewer *viewer, SDL_Texture *texture, double x, double y, double width,
                      double height);

SDL_Color throng_view_colour(uint32_t rgb, float opacity);
SDL_Color throng_view_shade(throng_colour colour);

void throng_batch_disc(throng_batch *batch, float x, float y, float radius, SDL_Color colour);
void throng_batch_ring(throng_batch *batch, float x, float y, float radius, SDL_Color colour);
void throng_batch_rect(throng_batch *batch, double x0, double y0, double x1, double y1, SDL_Color colour);
void throng_batch_line(throng_batch *batch, double x0, double y0, double x1, double y1, double width, SDL_Color from,
                       SDL_Color to);
/* A convex polygon. */
void throng_batch_convex(throng_batch *batch, const SDL_FPoint *points, int32_t count, SDL_Color colour);

/* A triangle of a texture of the caller's; throng_batch_plain after the last, before anything else is drawn. */
void throng_batch_textured(throng_batch *batch, SDL_Texture *texture, const SDL_Vertex corner[3]);
void throng_batch_plain(throng_batch *batch);

/* ---- view_ink.c: discs and lines in any number, in one texture */

typedef struct throng_ink {
    SDL_Texture *texture;
    int width, height, stride; /* pixels */
    uint32_t *argb;            /* [height * stride]; NULL: nothing is drawn that is not shown yet */
} throng_ink;

/* To draw with; NULL when memory is out. */
throng_ink *throng_ink_take(throng_viewer *viewer);
/* Shows what was drawn, over all that was drawn in other ways, and takes it away. */
void throng_ink_show(throng_viewer *viewer);
void throng_ink_fini(throng_ink *ink);

/* A small disc follows soon: of many that lie anywhere, most of the time goes by until memory answers. */
void throng_ink_expect(const throng_ink *ink, float x, float y);
void throng_ink_disc(throng_ink *ink, float x, float y, float radius, SDL_Color colour);
/* As opaque as `from` at a, as `to` at b; in the colour of `from`. */
void throng_ink_line(throng_ink *ink, throng_point a, throng_point b, double width, SDL_Color from, SDL_Color to);

/* ---- view_theme.c: light and dark */

void throng_theme_choose(bool dark);
bool throng_theme_is_dark(void);
throng_colour throng_theme_turn(throng_colour colour); /* one of the light theme, as it is in this one */
throng_colour throng_theme_hex(uint32_t rgb);
throng_colour throng_theme_ramp(double t); /* throng_style_ramp */
throng_colour throng_theme_group(int32_t group);
void throng_theme_clear(SDL_Renderer *renderer);

/* ---- view_text.c: lines of text as textures, kept while they are used */

enum { THRONG_TEXT_KEPT = 512, THRONG_TEXT_LONGEST = 160 };

typedef struct throng_text_line {
    char text[THRONG_TEXT_LONGEST];
    double size;
    bool bold;
    SDL_Texture *texture;
    int width, height;
    double ascent, advance;
    uint64_t used;
} throng_text_line;

typedef struct throng_text_store {
    throng_text_line lines[THRONG_TEXT_KEPT];
    uint64_t clock;
} throng_text_store;

/* One line with its baseline at `y`, letters of `size` units; returns its width in pixels. */
double throng_view_text(throng_viewer *viewer, double x, double y, double size, uint32_t rgb, bool bold,
                        throng_align align, const char *format, ...) __attribute__((format(printf, 8, 9)));
void throng_text_store_fini(throng_text_store *store);

#endif
