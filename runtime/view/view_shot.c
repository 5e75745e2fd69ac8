#include "view_controls.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const double FILM_RATE = 30; /* pictures a second */

/* What is drawn; NULL and a message. */
static throng_canvas *read_back(throng_viewer *viewer, throng_error *error)
{
    size_t pixels = (size_t)viewer->width * (size_t)viewer->height;
    throng_canvas *canvas = throng_canvas_create(viewer->width, viewer->height, throng_colour_hex(0));
    uint32_t *argb = malloc(pixels * sizeof *argb);
    bool read = canvas && argb &&
                SDL_RenderReadPixels(viewer->renderer, NULL, SDL_PIXELFORMAT_ARGB8888, argb, viewer->width * 4) == 0;
    for (size_t i = 0; read && i < pixels; i++)
        for (int k = 0; k < 3; k++)
            canvas->rgb[3 * i + (size_t)k] = (float)(argb[i] >> (16 - 8 * k) & 255) / 255;
    free(argb);
    if (read)
        return canvas;
    throng_canvas_destroy(canvas);
    throng_fail(error, "the picture cannot be read back (%s)", SDL_GetError());
    return NULL;
}

bool throng_shot_save(throng_viewer *viewer, const char *path, throng_error *error)
{
    throng_canvas *canvas = read_back(viewer, error);
    if (!canvas)
        return throng_fail_in(error, "cannot save '%s'", path);
    bool saved = throng_canvas_save(canvas, path, error);
    throng_canvas_destroy(canvas);
    return saved;
}

/* out/NAME/view-12.4s.png, beside the files of `throng run`. */
static bool name_file(throng_viewer *viewer, const char *ending, char *path, size_t size)
{
    const char *name = viewer->session.live.scenario.name;
    snprintf(path, size, "out/%s", name);
    mkdir("out", 0777);
    if (mkdir(path, 0777) != 0 && errno != EEXIST) {
        throng_viewer_note(viewer, "cannot make the folder %.120s: %s", path, strerror(errno));
        return false;
    }
    snprintf(path, size, "out/%s/view-%.1fs%s", name, throng_shown_time(viewer), ending);
    return true;
}

void throng_shot_picture(throng_viewer *viewer)
{
    char path[400];
    throng_error error;
    if (!name_file(viewer, ".png", path, sizeof path))
        return;
    if (throng_shot_save(viewer, path, &error))
        throng_viewer_note(viewer, "saved %.200s", path);
    else
        throng_viewer_note(viewer, "%.200s", error.text);
}

/* ---- films */

void throng_shot_end_film(throng_viewer *viewer)
{
    throng_error error;
    char path[400];
    if (!viewer->film)
        return;
    snprintf(path, sizeof path, "%.399s", throng_film_path(viewer->film));
    int32_t frames = throng_film_frames(viewer->film);
    bool mp4 = throng_film_is_mp4(viewer->film), closed = throng_film_close(viewer->film, &error);
    if (closed && mp4)
        throng_viewer_note(viewer, "filmed %.1f s: %.200s", frames / FILM_RATE, path);
    else if (closed)
        throng_viewer_note(viewer, "filmed %.1f s: %d PNGs in %.160s; with ffmpeg installed it is an MP4",
                           frames / FILM_RATE, frames, path);
    else
        throng_viewer_note(viewer, "%.200s", error.text);
    viewer->film = NULL;
}

void throng_shot_film(throng_viewer *viewer)
{
    char path[400];
    throng_error error;
    if (viewer->film) {
        throng_shot_end_film(viewer);
        return;
    }
    if (!name_file(viewer, ".mp4", path, sizeof path))
        return;
    viewer->film = throng_film_open(path, FILM_RATE, &error);
    viewer->film_due = viewer->clock;
    if (!viewer->film)
        throng_viewer_note(viewer, "%.200s", error.text);
    else
        throng_viewer_note(viewer, "filming to %.200s%s", throng_film_path(viewer->film),
                           throng_film_is_mp4(viewer->film) ? "" : ", as PNGs");
}

/* A picture for every thirtieth of a second that has gone by; slow frames count as several. */
static bool add_pictures(throng_viewer *viewer, const throng_canvas *canvas, throng_error *error)
{
    for (; viewer->film_due <= viewer->clock; viewer->film_due += 1 / FILM_RATE)
        if (!throng_film_add(viewer->film, canvas, error))
            return false;
    return true;
}

void throng_shot_add(throng_viewer *viewer)
{
    throng_error error;
    if (!viewer->film || viewer->film_due > viewer->clock)
        return;
    throng_canvas *canvas = read_back(viewer, &error);
    bool added = canvas && add_pictures(viewer, canvas, &error);
    throng_canvas_destroy(canvas);
    if (added)
        return;
    throng_film_close(viewer->film, NULL);
    viewer->film = NULL;
    throng_viewer_note(viewer, "%.200s", error.text);
}

void throng_shot_dot(throng_viewer *viewer)
{
    double u = viewer->unit;
    if (viewer->film) {
        throng_hud_note(viewer);
        throng_batch_disc(&viewer->batch, (float)(viewer->width - 100 * u), (float)(viewer->height - 20 * u),
                          (float)(5 * u), throng_view_colour(0xd55e00, 1));
    }
    throng_batch_flush(&viewer->batch);
}
