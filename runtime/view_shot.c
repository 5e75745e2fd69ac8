#include "view_parts.h"

#include <stdlib.h>

bool throng_shot_save(throng_viewer *viewer, const char *path, throng_error *error)
{
    size_t pixels = (size_t)viewer->width * (size_t)viewer->height;
    throng_canvas *canvas = throng_canvas_create(viewer->width, viewer->height, throng_colour_hex(0));
    uint32_t *argb = malloc(pixels * sizeof *argb);
    bool read = canvas && argb &&
                SDL_RenderReadPixels(viewer->renderer, NULL, SDL_PIXELFORMAT_ARGB8888, argb, viewer->width * 4) == 0;
    for (size_t i = 0; read && i < pixels; i++)
        for (int k = 0; k < 3; k++)
            canvas->rgb[3 * i + (size_t)k] = (float)(argb[i] >> (16 - 8 * k) & 255) / 255;
    bool saved =
        read ? throng_canvas_save(canvas, path, error)
             : throng_fail(error, "cannot save '%s': the picture cannot be read back (%s)", path, SDL_GetError());
    free(argb);
    throng_canvas_destroy(canvas);
    return saved;
}
