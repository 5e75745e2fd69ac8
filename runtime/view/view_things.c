#include "view_parts.h"

#include <math.h>

static void draw_body(throng_viewer *viewer, const throng_point *corner, int32_t count)
{
    SDL_Color fill = throng_view_colour(THRONG_STYLE_BODY, 1), rim = throng_view_colour(THRONG_STYLE_BODY_RIM, 1);
    SDL_FPoint p[THRONG_BODY_CORNERS];
    for (int32_t i = 0; i < count; i++) {
        throng_point at = throng_floors_place(viewer, corner[i]);
        if (!isfinite(at.x))
            return;
        at = throng_view_point(&viewer->camera, at.x, at.y);
        p[i] = (SDL_FPoint){(float)at.x, (float)at.y};
    }
    throng_batch_convex(&viewer->batch, p, count, fill);
    for (int32_t i = 0; i < count; i++) { /* sides go on a little beyond their corners, where they would gape */
        throng_point a = {(double)p[i].x, (double)p[i].y},
                     b = {(double)p[(i + 1) % count].x, (double)p[(i + 1) % count].y};
        double side = fmax(hypot(b.x - a.x, b.y - a.y), 1);
        double width = fmin(viewer->unit, fmax(side / 12, 0.4)), beyond = width / 2 / side;
        throng_point d = {beyond * (b.x - a.x), beyond * (b.y - a.y)};
        throng_batch_line(&viewer->batch, a.x - d.x, a.y - d.y, b.x + d.x, b.y + d.y, width, rim, rim);
    }
}

void throng_viewer_draw_bodies(throng_viewer *viewer, int32_t floor)
{
    const throng_body_outlines *bodies = throng_shown_bodies(viewer);
    const throng_map *map = throng_world_map(throng_viewer_world(viewer));
    for (int32_t b = 0; b < bodies->count; b++)
        if (floor < 0 || viewer->floors.floor_of[throng_map_sheet_at(map, bodies->points[bodies->start[b]])] == floor)
            draw_body(viewer, bodies->points + bodies->start[b], bodies->start[b + 1] - bodies->start[b]);
}

/* Open doors are a fine line, closed ones a bar of the same colour; those of lifts are drawn with them. */
static void draw_door(throng_viewer *viewer, const throng_door *door, bool open)
{
    throng_point a = throng_floors_place(viewer, door->a), b = throng_floors_place(viewer, door->b);
    SDL_Color colour = throng_view_colour(THRONG_STYLE_DOOR, open ? 0.8f : 1);
    if (!isfinite(a.x) || !isfinite(b.x))
        return;
    a = throng_view_point(&viewer->camera, a.x, a.y);
    b = throng_view_point(&viewer->camera, b.x, b.y);
    throng_batch_line(&viewer->batch, a.x, a.y, b.x, b.y, (open ? 1.5 : 4) * viewer->unit, colour, colour);
}

void throng_viewer_draw_doors(throng_viewer *viewer, int32_t floor)
{
    const throng_map *map = throng_world_map(throng_viewer_world(viewer));
    for (int32_t d = 0; map && d < map->door_count; d++) {
        const throng_door *door = &map->doors[d];
        bool open;
        if (!throng_shown_door(viewer, d, &open))
            return;
        if (floor < 0 || throng_map_sheet_at(map, door->a) == floor)
            draw_door(viewer, door, open);
    }
}
