#include "view_parts.h"

#include <math.h>
#include <stdlib.h>

/* Drawing the floor takes the canvas some milliseconds, so while the view moves the last drawing is shown moved along
 * and stretched, over one of the whole plan; when it rests, it is drawn for good. */
enum { REST = 70, LONGEST = 350 }; /* ms */
static const double CHEAP = 0.006; /* s: drawn again at once */

static bool same_view(const throng_plan_view *a, const throng_plan_view *b)
{
    return a->scale == b->scale && a->x == b->x && a->y == b->y && a->frame.x1 == b->frame.x1 &&
           a->frame.y1 == b->frame.y1;
}

static uint32_t pixel_of(const float *rgb, float opacity)
{
    throng_colour c = {fminf(fmaxf(rgb[0], 0), 1), fminf(fmaxf(rgb[1], 0), 1), fminf(fmaxf(rgb[2], 0), 1), opacity};
    SDL_Color p = throng_view_shade(throng_theme_turn(c));
    return (uint32_t)p.a << 24 | (uint32_t)p.r << 16 | (uint32_t)p.g << 8 | p.b;
}

/* A texture of the canvas; where `floor` is given, as transparent as that is light. */
static SDL_Texture *to_texture(throng_viewer *viewer, const throng_canvas *canvas, const throng_canvas *floor)
{
    size_t pixels = (size_t)canvas->width * (size_t)canvas->height;
    uint32_t *argb = malloc(pixels * sizeof *argb);
    SDL_Texture *texture = SDL_CreateTexture(viewer->renderer, SDL_PIXELFORMAT_ARGB8888, SDL_TEXTUREACCESS_STATIC,
                                             canvas->width, canvas->height);
    for (size_t i = 0; argb && i < pixels; i++)
        argb[i] = pixel_of(canvas->rgb + 3 * i, floor ? 1 - fminf(floor->rgb[3 * i], 1) : 1);
    if (argb && texture) {
        SDL_UpdateTexture(texture, NULL, argb, canvas->width * 4);
        SDL_SetTextureBlendMode(texture, floor ? SDL_BLENDMODE_BLEND : SDL_BLENDMODE_NONE);
        SDL_SetTextureScaleMode(texture, SDL_ScaleModeLinear);
    }
    free(argb);
    return texture;
}

static void replace(SDL_Texture **texture, SDL_Texture *fresh)
{
    if (*texture)
        SDL_DestroyTexture(*texture);
    *texture = fresh;
}

static throng_canvas *draw_floor(throng_viewer *viewer, const throng_plan_view *view, bool labels)
{
    const throng_map *map = throng_floors_map(viewer);
    const throng_map *walled = map && !map->open ? map : NULL;
    throng_canvas *canvas = throng_canvas_create(viewer->width, viewer->height, throng_colour_hex(THRONG_STYLE_PAPER));
    if (!canvas)
        return NULL;
    throng_layer_ground(canvas, view, walled);
    if (map && !walled) { /* obstacles on open ground */
        throng_point *pixels = throng_view_points(view, map->points, map->point_count);
        if (pixels)
            throng_canvas_fill(canvas, &(throng_outline){pixels, map->ring_start, map->ring_count},
                               throng_colour_hex(THRONG_STYLE_WALL));
        free(pixels);
    }
    if (map) {
        throng_layer_regions(canvas, view, map, NULL, false);
        throng_layer_regions(canvas, view, map, NULL, true);
        if (labels)
            throng_layer_labels(canvas, view, map, NULL);
    }
    return canvas;
}

/* White where people can walk. */
static throng_canvas *draw_free(throng_viewer *viewer, const throng_plan_view *view)
{
    const throng_map *map = throng_floors_map(viewer);
    throng_canvas *canvas = throng_canvas_create(viewer->width, viewer->height, throng_colour_hex(0));
    throng_point *pixels = canvas ? throng_view_points(view, map->points, map->point_count) : NULL;
    if (pixels)
        throng_canvas_fill(canvas, &(throng_outline){pixels, map->ring_start, map->ring_count},
                           throng_colour_hex(0xffffff));
    free(pixels);
    return canvas;
}

static void redraw(throng_viewer *viewer)
{
    throng_ground *ground = &viewer->ground;
    const throng_map *map = throng_floors_map(viewer);
    uint64_t start = SDL_GetPerformanceCounter();
    throng_canvas *canvas = draw_floor(viewer, &viewer->camera, true);
    if (!canvas)
        return;
    replace(&ground->floor, to_texture(viewer, canvas, NULL));
    throng_canvas *free_space = map && !map->open ? draw_free(viewer, &viewer->camera) : NULL;
    replace(&ground->walls, free_space ? to_texture(viewer, canvas, free_space) : NULL);
    throng_canvas_destroy(free_space);
    throng_canvas_destroy(canvas);
    ground->drawn = viewer->camera;
    ground->cost = (double)(SDL_GetPerformanceCounter() - start) / (double)SDL_GetPerformanceFrequency();
    ground->redrew = SDL_GetTicks64();
}

static void draw_whole(throng_viewer *viewer)
{
    throng_plan_view view = throng_camera_whole(viewer);
    throng_canvas *canvas = draw_floor(viewer, &view, false);
    if (!canvas)
        return;
    replace(&viewer->ground.whole, to_texture(viewer, canvas, NULL));
    viewer->ground.whole_view = view;
    throng_canvas_destroy(canvas);
}

static bool due(throng_viewer *viewer)
{
    throng_ground *ground = &viewer->ground;
    uint64_t now = SDL_GetTicks64();
    if (!same_view(&ground->last, &viewer->camera)) {
        ground->last = viewer->camera;
        ground->moved = now;
    }
    if (ground->floor && same_view(&ground->drawn, &viewer->camera))
        return false;
    return !ground->floor || viewer->fixed_clock || ground->cost < CHEAP || now - ground->moved > REST ||
           now - ground->redrew > LONGEST;
}

/* Shows what was drawn for one view in another. */
static void copy(throng_viewer *viewer, SDL_Texture *texture, const throng_plan_view *from)
{
    const throng_plan_view *to = &viewer->camera;
    double f = to->scale / from->scale;
    throng_view_copy(viewer, texture, to->x - from->x * f, to->y - from->y * f, from->frame.x1 * f, from->frame.y1 * f);
}

void throng_ground_draw(throng_viewer *viewer)
{
    throng_ground *ground = &viewer->ground;
    if (due(viewer))
        redraw(viewer);
    if (!same_view(&ground->drawn, &viewer->camera)) {
        if (!ground->whole)
            draw_whole(viewer);
        copy(viewer, ground->whole, &ground->whole_view);
    }
    copy(viewer, ground->floor, &ground->drawn);
}

void throng_ground_draw_walls(throng_viewer *viewer)
{
    throng_batch_flush(&viewer->batch);
    copy(viewer, viewer->ground.walls, &viewer->ground.drawn);
}

void throng_ground_forget(throng_ground *ground)
{
    replace(&ground->floor, NULL);
    replace(&ground->walls, NULL);
    replace(&ground->whole, NULL);
}
