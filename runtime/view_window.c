/* The window, its renderer, its size and its clock. */
#include "view_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

bool throng_window_open(throng_viewer *viewer, const char *name, throng_error *error)
{
    const throng_view_def *def = viewer->def;
    throng_theme_choose(def->dark);
    bool display = getenv("DISPLAY") || getenv("WAYLAND_DISPLAY");
    if (!display && def->screenshot) /* pictures need none */
        SDL_SetHint(SDL_HINT_VIDEODRIVER, "dummy");
    SDL_SetHint(SDL_HINT_RENDER_SCALE_QUALITY, "linear");
    if (SDL_Init(SDL_INIT_VIDEO) != 0)
        return throng_fail(error, "cannot open a window: %s; without a display, `throng run --png` draws pictures",
                           SDL_GetError());
    char title[200];
    snprintf(title, sizeof title, "%s - throng", name);
    viewer->window = SDL_CreateWindow(title, SDL_WINDOWPOS_CENTERED, SDL_WINDOWPOS_CENTERED, def->width, def->height,
                                      SDL_WINDOW_RESIZABLE | SDL_WINDOW_ALLOW_HIGHDPI);
    uint32_t kind = def->screenshot       ? SDL_RENDERER_SOFTWARE /* pictures come out alike on every machine */
                    : viewer->fixed_clock ? 0
                                          : SDL_RENDERER_PRESENTVSYNC;
    viewer->renderer = viewer->window ? SDL_CreateRenderer(viewer->window, -1, kind) : NULL;
    if (!viewer->renderer && viewer->window)
        viewer->renderer = SDL_CreateRenderer(viewer->window, -1, SDL_RENDERER_SOFTWARE);
    if (!viewer->renderer)
        return throng_fail(error, "cannot open a window: %s", SDL_GetError());
    SDL_SetRenderDrawBlendMode(viewer->renderer, SDL_BLENDMODE_BLEND);
    SDL_StartTextInput();
    return throng_batch_init(&viewer->batch, viewer->renderer, error);
}

void throng_window_close(throng_viewer *viewer)
{
    throng_text_store_fini(&viewer->text);
    throng_batch_fini(&viewer->batch);
    if (viewer->renderer)
        SDL_DestroyRenderer(viewer->renderer);
    if (viewer->window)
        SDL_DestroyWindow(viewer->window);
    SDL_Quit();
}

bool throng_window_measure(throng_viewer *viewer)
{
    int width = 0, height = 0;
    SDL_GetWindowSize(viewer->window, &width, &height);
    int before_width = viewer->width, before_height = viewer->height;
    SDL_GetRendererOutputSize(viewer->renderer, &viewer->width, &viewer->height);
    viewer->ratio = width > 0 ? (double)viewer->width / width : 1;
    viewer->unit = viewer->ratio * viewer->def->scale;
    if (viewer->width == before_width && viewer->height == before_height)
        return false;
    viewer->camera.frame = (throng_bounds){0, 0, viewer->width, viewer->height};
    return true;
}

bool throng_window_event(const throng_viewer *viewer, bool wait, SDL_Event *event)
{
    return SDL_PollEvent(event) || (wait && !viewer->fixed_clock && SDL_WaitEventTimeout(event, 100));
}

/* Seconds since the last frame: of the clock, or always the same. */
double throng_window_elapsed(throng_viewer *viewer, uint64_t *last)
{
    uint64_t now = SDL_GetPerformanceCounter();
    double seconds = (double)(now - *last) / (double)SDL_GetPerformanceFrequency();
    if (!viewer->fixed_clock && seconds < 1 / 62.0) { /* a renderer that does not wait for the display */
        SDL_Delay((uint32_t)(1000 * (1 / 60.0 - seconds)));
        now = SDL_GetPerformanceCounter();
        seconds = (double)(now - *last) / (double)SDL_GetPerformanceFrequency();
    }
    *last = now;
    viewer->frame_ms = viewer->frame_ms > 0 ? 0.95 * viewer->frame_ms + 50 * seconds : 1000 * seconds;
    seconds = viewer->fixed_clock ? 1 / 60.0 : fmin(seconds, 0.25);
    viewer->clock += seconds;
    return seconds;
}
