#include "view_parts.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static throng_lettering lettering(double size, bool bold)
{
    return (throng_lettering){size, throng_colour_hex(0xffffff), bold, THRONG_ALIGN_LEFT};
}

static void forget(throng_text_line *line)
{
    if (line->texture)
        SDL_DestroyTexture(line->texture);
    *line = (throng_text_line){0};
}

static void letter(throng_viewer *viewer, throng_text_line *line, const char *text, double size, bool bold)
{
    throng_lettering style = lettering(size, bold);
    double advance = throng_text_width(&style, text), ascent = ceil(size * 1.05);
    throng_canvas *canvas =
        throng_canvas_create((int32_t)ceil(advance) + 4, (int32_t)ceil(size * 1.4) + 1, throng_colour_hex(0));
    forget(line);
    *line = (throng_text_line){.size = size, .bold = bold, .ascent = ascent, .advance = advance};
    snprintf(line->text, sizeof line->text, "%s", text);
    if (!canvas)
        return;
    throng_canvas_text(canvas, &style, 2, ascent, text);
    line->texture = throng_view_mask(viewer->renderer, canvas);
    line->width = canvas->width;
    line->height = canvas->height;
    throng_canvas_destroy(canvas);
}

/* The line, lettered again in place of the one unused for longest when it is not kept. */
static throng_text_line *line_of(throng_viewer *viewer, const char *text, double size, bool bold)
{
    throng_text_store *store = &viewer->text;
    throng_text_line *oldest = &store->lines[0];
    for (int i = 0; i < THRONG_TEXT_KEPT; i++) {
        throng_text_line *line = &store->lines[i];
        if (line->size == size && line->bold == bold && strcmp(line->text, text) == 0)
            return line;
        if (line->used < oldest->used)
            oldest = line;
    }
    letter(viewer, oldest, text, size, bold);
    return oldest;
}

double throng_view_text(throng_viewer *viewer, double x, double y, double size, uint32_t rgb, bool bold,
                        throng_align align, const char *format, ...)
{
    char text[THRONG_TEXT_LONGEST];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    throng_text_line *line = line_of(viewer, text, size * viewer->unit, bold);
    line->used = ++viewer->text.clock;
    throng_batch_flush(&viewer->batch); /* what lies below */
    double left = align == THRONG_ALIGN_RIGHT    ? x - line->advance
                  : align == THRONG_ALIGN_CENTRE ? x - line->advance / 2
                                                 : x;
    SDL_FRect to = {(float)(floor(left + 0.5) - 2), (float)(floor(y + 0.5) - line->ascent), (float)line->width,
                    (float)line->height};
    if (line->texture) {
        SDL_Color colour = throng_view_colour(rgb, 1);
        SDL_SetTextureColorMod(line->texture, colour.r, colour.g, colour.b);
        SDL_RenderCopyF(viewer->renderer, line->texture, NULL, &to);
    }
    return line->advance;
}

void throng_text_store_fini(throng_text_store *store)
{
    for (int i = 0; i < THRONG_TEXT_KEPT; i++)
        forget(&store->lines[i]);
}
