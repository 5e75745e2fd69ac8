#include "view_controls.h"

#include <math.h>
#include <stdlib.h>

enum { EVERY = 250 }; /* ms between drawings of a moving crowd */

void throng_heat_layer_fini(throng_heat_layer *layer)
{
    throng_occupancy_fini(&layer->now);
    throng_occupancy_fini(&layer->mean);
    throng_heat_fini(&layer->heat);
    if (layer->texture)
        SDL_DestroyTexture(layer->texture);
    *layer = (throng_heat_layer){.mode = layer->mode};
}

void throng_heat_layer_next(throng_viewer *viewer)
{
    static const char *const names[] = {"no density", "density now", "mean density from here on"};
    throng_heat_layer *layer = &viewer->heat;
    layer->mode = (throng_heat_mode)((layer->mode + 1) % 3);
    throng_heat_layer_fini(layer);
    throng_viewer_note(viewer, "%s", names[layer->mode]);
}

static throng_bounds grid_bounds(const throng_viewer *viewer)
{
    throng_plan_view whole = throng_camera_whole(viewer);
    double half_x = viewer->width / whole.scale / 2, half_y = viewer->height / whole.scale / 2;
    throng_point middle = {(viewer->width / 2.0 - whole.x) / whole.scale,
                           (whole.y - viewer->height / 2.0) / whole.scale};
    const throng_map *map = throng_world_map(throng_viewer_world(viewer));
    if (map && !map->open)
        return map->bounds;
    return (throng_bounds){middle.x - half_x, middle.y - half_y, middle.x + half_x, middle.y + half_y};
}

static bool add(throng_viewer *viewer, throng_occupancy *grid, double seconds, throng_error *error)
{
    throng_bounds bounds = grid_bounds(viewer);
    const throng_map *map = throng_world_map(throng_viewer_world(viewer));
    if (!grid->seconds && !throng_occupancy_init(grid, &bounds, map && !map->open ? map : NULL, error))
        return false;
    return throng_occupancy_add(grid, viewer->crowd.place_x, viewer->crowd.place_y, viewer->crowd.count, seconds,
                                error);
}

bool throng_heat_layer_step(throng_viewer *viewer, throng_error *error)
{
    throng_heat_layer *layer = &viewer->heat;
    double dt = throng_shown_dt(viewer);
    if (layer->mode != THRONG_HEAT_MEAN)
        return true;
    layer->since += dt;
    return throng_crowd_take(viewer, error) && add(viewer, &layer->mean, dt, error);
}

SDL_Texture *throng_view_grid(throng_viewer *viewer, int32_t columns, int32_t rows, throng_view_cell *colour,
                              const void *context)
{
    uint32_t *argb = malloc((size_t)columns * (size_t)rows * sizeof *argb);
    SDL_Texture *texture =
        SDL_CreateTexture(viewer->renderer, SDL_PIXELFORMAT_ARGB8888, SDL_TEXTUREACCESS_STATIC, columns, rows);
    for (int32_t row = 0; argb && row < rows; row++)
        for (int32_t column = 0; column < columns; column++) {
            SDL_Color c = throng_view_shade(colour(context, (size_t)row * (size_t)columns + (size_t)column));
            argb[(size_t)(rows - 1 - row) * (size_t)columns + (size_t)column] =
                (uint32_t)c.a << 24 | (uint32_t)c.r << 16 | (uint32_t)c.g << 8 | c.b;
        }
    if (argb && texture) {
        SDL_UpdateTexture(texture, NULL, argb, columns * 4);
        SDL_SetTextureBlendMode(texture, SDL_BLENDMODE_BLEND);
        SDL_SetTextureScaleMode(texture, SDL_ScaleModeLinear);
    }
    free(argb);
    return texture;
}

static throng_colour cell_colour(const void *context, size_t cell)
{
    const throng_heat *heat = context;
    return throng_theme_ramp(heat->top > 0 ? sqrt((double)heat->density[cell] / heat->top) : 0);
}

static bool redraw(throng_viewer *viewer, throng_error *error)
{
    throng_heat_layer *layer = &viewer->heat;
    bool mean = layer->mode == THRONG_HEAT_MEAN && layer->since > 0;
    throng_occupancy *grid = mean ? &layer->mean : &layer->now;
    if (!mean) {
        throng_occupancy_fini(grid);
        if (!add(viewer, grid, 1, error))
            return false;
    }
    const throng_map *map = throng_world_map(throng_viewer_world(viewer));
    throng_plan_picture plan = {.map = map && !map->open ? map : NULL,
                                .occupancy = grid->seconds,
                                .columns = grid->columns,
                                .rows = grid->rows,
                                .cell = grid->cell,
                                .origin_x = grid->x0,
                                .origin_y = grid->y0,
                                .seconds = mean ? layer->since : 1};
    throng_heat_fini(&layer->heat);
    if (!throng_heat_init(&layer->heat, &plan))
        return throng_fail(error, "out of memory for the density map");
    if (layer->texture)
        SDL_DestroyTexture(layer->texture);
    layer->texture = throng_view_grid(viewer, layer->heat.columns, layer->heat.rows, cell_colour, &layer->heat);
    layer->drawn = SDL_GetTicks64();
    layer->drawn_step = throng_shown_step(viewer);
    return true;
}

bool throng_heat_layer_prepare(throng_viewer *viewer, throng_error *error)
{
    throng_heat_layer *layer = &viewer->heat;
    if (layer->mode == THRONG_HEAT_OFF)
        return true;
    bool moved = layer->drawn_step != throng_shown_step(viewer);
    bool rested = viewer->fixed_clock || !viewer->playing || SDL_GetTicks64() - layer->drawn > EVERY;
    return (layer->texture && !(moved && rested)) || redraw(viewer, error);
}

/* Of one floor, what is beyond is of others. */
void throng_view_clip(throng_viewer *viewer, bool on)
{
    throng_bounds b = on ? throng_floors_bounds(viewer) : (throng_bounds){0, 0, 0, 0};
    throng_point low = throng_view_point(&viewer->camera, b.x0, b.y0),
                 high = throng_view_point(&viewer->camera, b.x1, b.y1);
    double x0 = fmax(low.x, 0), x1 = fmin(high.x, viewer->width), y0 = fmax(high.y, 0),
           y1 = fmin(low.y, viewer->height);
    SDL_Rect rect = {(int)x0, (int)y0, (int)fmax(x1 - x0, 1), (int)fmax(y1 - y0, 1)};
    SDL_RenderSetClipRect(viewer->renderer, on ? &rect : NULL);
}

bool throng_heat_layer_draw(throng_viewer *viewer, throng_error *error)
{
    throng_heat_layer *layer = &viewer->heat;
    if (layer->mode == THRONG_HEAT_OFF)
        return true;
    if (!throng_heat_layer_prepare(viewer, error))
        return false;
    const throng_plan_view *c = &viewer->camera;
    const throng_heat *heat = &layer->heat;
    throng_batch_flush(&viewer->batch);
    throng_view_clip(viewer, viewer->floors.mode == THRONG_FLOORS_ONE);
    throng_view_copy(viewer, layer->texture, c->x + heat->origin_x * c->scale,
                     c->y - (heat->origin_y + heat->rows * heat->cell) * c->scale,
                     heat->columns * heat->cell * c->scale, heat->rows * heat->cell * c->scale);
    throng_view_clip(viewer, false);
    throng_ground_draw_walls(viewer);
    return true;
}

void throng_heat_layer_slab(throng_viewer *viewer, int32_t floor, const throng_triangles *area)
{
    const throng_heat_layer *layer = &viewer->heat;
    const throng_heat *heat = &layer->heat;
    if (layer->mode == THRONG_HEAT_OFF || !layer->texture)
        return;
    throng_bounds box = {heat->origin_x, heat->origin_y, heat->origin_x + heat->columns * heat->cell,
                         heat->origin_y + heat->rows * heat->cell};
    throng_view_slab(viewer, floor, area, layer->texture, box);
}

void throng_view_slab(throng_viewer *viewer, int32_t floor, const throng_triangles *area, SDL_Texture *texture,
                      throng_bounds box)
{
    const throng_map *map = throng_world_map(throng_viewer_world(viewer));
    SDL_Vertex corner[3];
    for (int32_t i = 0; i < area->count; i++) {
        for (int k = 0; k < 3; k++) {
            throng_point place = area->corners[3 * i + k];
            throng_point at = throng_floors_point(viewer, floor, throng_map_position(map, floor, place));
            at = throng_view_point(&viewer->camera, at.x, at.y);
            corner[k] = (SDL_Vertex){
                {(float)at.x, (float)at.y},
                {255, 255, 255, 255},
                {(float)((place.x - box.x0) / (box.x1 - box.x0)), 1 - (float)((place.y - box.y0) / (box.y1 - box.y0))}};
        }
        throng_batch_textured(&viewer->batch, texture, corner);
    }
    throng_batch_plain(&viewer->batch);
}

enum { PAD = 14, HEIGHT = 76 }; /* units */

double throng_heat_layer_height(const throng_viewer *viewer)
{
    return viewer->heat.mode == THRONG_HEAT_OFF ? 0 : HEIGHT * viewer->unit;
}

void throng_heat_layer_legend(throng_viewer *viewer)
{
    const throng_heat_layer *layer = &viewer->heat;
    if (layer->mode == THRONG_HEAT_OFF)
        return;
    throng_box box = viewer->cards[THRONG_CARD_DENSITY];
    double u = viewer->unit, width = box.width - 2 * PAD * u, left = box.x + PAD * u, y = box.y;
    throng_hud_card(viewer, box.x, y, box.x + box.width, y + box.height);
    throng_view_text(viewer, left, y + (PAD + 11) * u, 12, THRONG_STYLE_FAINT_INK, false, THRONG_ALIGN_LEFT,
                     layer->mode == THRONG_HEAT_NOW ? "density now, persons/m²" : "mean density, persons/m²");
    for (int i = 0; i < 48; i++)
        throng_batch_rect(&viewer->batch, floor(left + width * i / 48), y + (PAD + 20) * u,
                          floor(left + width * (i + 1) / 48), y + (PAD + 30) * u,
                          throng_view_shade(throng_theme_ramp((i + 0.5) / 48)));
    double top = layer->heat.top;
    throng_view_text(viewer, left, y + (PAD + 45) * u, 12, THRONG_STYLE_INK, false, THRONG_ALIGN_LEFT, "0");
    throng_view_text(viewer, left + width / 2, y + (PAD + 45) * u, 12, THRONG_STYLE_INK, false, THRONG_ALIGN_CENTRE,
                     "%.3g", top / 4);
    throng_view_text(viewer, left + width, y + (PAD + 45) * u, 12, THRONG_STYLE_INK, false, THRONG_ALIGN_RIGHT, "%.3g",
                     top);
}
