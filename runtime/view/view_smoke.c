#include "picture/picture_smoke.h"
#include "view_controls.h"

#include <math.h>
#include <stdlib.h>

void throng_smoke_layer_fini(throng_smoke_layer *layer)
{
    throng_smoke_fini(&layer->smoke);
    if (layer->texture)
        SDL_DestroyTexture(layer->texture);
    *layer = (throng_smoke_layer){0};
}

static throng_colour point_colour(const void *context, size_t point)
{
    return throng_smoke_colour((double)((const float *)context)[point]);
}

bool throng_smoke_layer_prepare(throng_viewer *viewer, throng_error *error)
{
    throng_smoke_layer *layer = &viewer->smoke;
    const throng_world *world = throng_viewer_world(viewer);
    uint32_t step = throng_shown_step(viewer);
    if (layer->texture && layer->step == step)
        return true;
    throng_smoke_layer_fini(layer);
    const throng_replay *replay = viewer->past.replay;
    if (!replay && step != throng_world_steps(world))
        return true;
    if (!(replay ? throng_replay_smoke(replay, step, &layer->smoke, error)
                 : throng_smoke_take(&layer->smoke, world, error)))
        return false;
    if (layer->smoke.extinction)
        layer->texture =
            throng_view_grid(viewer, layer->smoke.columns, layer->smoke.rows, point_colour, layer->smoke.extinction);
    layer->step = step;
    return true;
}

/* What the texture covers: half a cell beyond the outermost points; of one point, that is everywhere, the map, or what
 * the window shows. */
static throng_bounds box_of(const throng_viewer *viewer)
{
    const throng_smoke_picture *s = &viewer->smoke.smoke;
    const throng_plan_view *c = &viewer->camera;
    const throng_map *map = throng_world_map(throng_viewer_world(viewer));
    if (s->columns * s->rows > 1)
        return (throng_bounds){s->x0 - s->cell / 2, s->y0 - s->cell / 2, s->x0 + (s->columns - 0.5) * s->cell,
                               s->y0 + (s->rows - 0.5) * s->cell};
    if (map && !map->open)
        return map->bounds;
    return (throng_bounds){-c->x / c->scale, (c->y - viewer->height) / c->scale, (viewer->width - c->x) / c->scale,
                           c->y / c->scale};
}

bool throng_smoke_layer_draw(throng_viewer *viewer, throng_error *error)
{
    const throng_plan_view *c = &viewer->camera;
    if (!throng_smoke_layer_prepare(viewer, error))
        return false;
    if (!viewer->smoke.texture)
        return true;
    throng_bounds box = box_of(viewer);
    throng_batch_flush(&viewer->batch);
    throng_view_clip(viewer, viewer->floors.mode == THRONG_FLOORS_ONE);
    throng_view_copy(viewer, viewer->smoke.texture, c->x + box.x0 * c->scale, c->y - box.y1 * c->scale,
                     (box.x1 - box.x0) * c->scale, (box.y1 - box.y0) * c->scale);
    throng_view_clip(viewer, false);
    throng_ground_draw_walls(viewer);
    return true;
}

void throng_smoke_layer_slab(throng_viewer *viewer, int32_t floor, const throng_triangles *area)
{
    if (viewer->smoke.texture)
        throng_view_slab(viewer, floor, area, viewer->smoke.texture, box_of(viewer));
}
