/* The window, its renderer, its size and its clock. */
#include "view_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Does OpenGL draw on the processor? SDL's own renderer then takes a half of the time. */
static bool is_slow_opengl(SDL_Renderer *renderer)
{
    enum { GL_RENDERER = 0x1f01 };
    SDL_RendererInfo info = {.name = ""};
    SDL_GetRendererInfo(renderer, &info);
    const unsigned char *(*get_string)(unsigned int) =
        strncmp(info.name, "opengl", 6) == 0 ? SDL_GL_GetProcAddress("glGetString") : NULL;
    const char *device = get_string ? (const char *)get_string(GL_RENDERER) : NULL;
    return device && (strstr(device, "llvmpipe") || strstr(device, "softpipe") || strstr(device, "Software"));
}

/* A GPU's where there is one. Pictures are drawn by the processor, so that they come out alike on every machine. */
static SDL_Renderer *create_renderer(const throng_viewer *viewer)
{
    uint32_t kind = viewer->fixed_clock ? 0 : SDL_RENDERER_PRESENTVSYNC;
    SDL_Renderer *renderer = viewer->wanted->screenshot ? NULL : SDL_CreateRenderer(viewer->window, -1, kind);
    if (renderer && !SDL_GetHint(SDL_HINT_RENDER_DRIVER) && is_slow_opengl(renderer)) {
        SDL_DestroyRenderer(renderer);
        renderer = NULL;
    }
    return renderer ? renderer : SDL_CreateRenderer(viewer->window, -1, SDL_RENDERER_SOFTWARE);
}

bool throng_window_open(throng_viewer *viewer, const char *name, throng_error *error)
{
    const throng_window_def *def = viewer->wanted;
    throng_theme_choose(def->dark);
    bool display = getenv("DISPLAY") || getenv("WAYLAND_DISPLAY");
    if (!display && def->screenshot) /* pictures need none */
        SDL_SetHint(SDL_HINT_VIDEODRIVER, "dummy");
    SDL_SetHint(SDL_HINT_RENDER_SCALE_QUALITY, "linear");
    SDL_SetHint(SDL_HINT_FRAMEBUFFER_ACCELERATION, "0"); /* else what is drawn in memory goes through OpenGL, too */
    if (SDL_Init(SDL_INIT_VIDEO) != 0)
        return throng_fail(error, "cannot open a window: %s; without a display, `throng run --png` draws pictures",
                           SDL_GetError());
    const char *driver = SDL_GetCurrentVideoDriver();
    if (!def->screenshot && !getenv("SDL_VIDEODRIVER") &&
        (strcmp(driver, "offscreen") == 0 || strcmp(driver, "dummy") == 0))
        return throng_fail(error,
                           "there is no display to open a window on; --screenshot FILE needs none, and `throng run "
                           "--png` draws pictures");
    char title[200];
    snprintf(title, sizeof title, "%s - throng", name);
    viewer->window = SDL_CreateWindow(title, SDL_WINDOWPOS_CENTERED, SDL_WINDOWPOS_CENTERED, (int)def->width,
                                      (int)def->height, SDL_WINDOW_RESIZABLE | SDL_WINDOW_ALLOW_HIGHDPI);
    viewer->renderer = viewer->window ? create_renderer(viewer) : NULL;
    if (!viewer->renderer)
        return throng_fail(error, "cannot open a window: %s", SDL_GetError());
    SDL_SetRenderDrawBlendMode(viewer->renderer, SDL_BLENDMODE_BLEND);
    SDL_StartTextInput();
    return throng_batch_init(&viewer->batch, viewer->renderer, error);
}

void throng_window_close(throng_viewer *viewer)
{
    throng_text_store_fini(&viewer->text);
    throng_ink_fini(&viewer->ink);
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
    viewer->unit = viewer->ratio * viewer->wanted->scale;
    if (viewer->width == before_width && viewer->height == before_height)
        return false;
    viewer->batch.width = viewer->width, viewer->batch.height = viewer->height;
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
