#include "view_parts.h"

#include <math.h>

#include "picture/picture_page.h"
#include "record/run_sample.h"

static const double PLAN_LETTERS = 0.6; /* labels of the plan: pictures are 1600 units wide, and looked at smaller */

/* What there is to see: the floor, or on open ground everybody and their surroundings. */
static throng_bounds world_bounds(const throng_viewer *viewer)
{
    const throng_map *map = throng_world_map(throng_viewer_world(viewer));
    if (throng_floors_sheets(viewer) && viewer->floors.mode != THRONG_FLOORS_ASIDE)
        return throng_floors_bounds(viewer);
    if (map && !map->open)
        return throng_page_map_bounds(map);
    const throng_crowd *crowd = &viewer->crowd;
    throng_sample people = {.count = crowd->count, .x = crowd->x, .y = crowd->y};
    throng_bounds b = throng_sample_bounds(&people);
    if (map && map->point_count > 0) {
        throng_bounds m = throng_page_map_bounds(map);
        b = (throng_bounds){fmin(b.x0, m.x0), fmin(b.y0, m.y0), fmax(b.x1, m.x1), fmax(b.y1, m.y1)};
    }
    return b;
}

/* Fitted into the window right of `left`, and below `top`. pixels */
static throng_plan_view fit(const throng_viewer *viewer, throng_bounds b, double left, double top)
{
    double margin = 20 * viewer->unit, height = viewer->height - throng_hud_bar_height(viewer);
    double scale =
        fmin((viewer->width - left - 2 * margin) / (b.x1 - b.x0), (height - top - 2 * margin) / (b.y1 - b.y0));
    scale = scale > 1e-3 ? scale : 1e-3;
    return (throng_plan_view){.scale = scale,
                              .x = (left + viewer->width) / 2.0 - (b.x0 + b.x1) / 2 * scale,
                              .y = (top + height) / 2 + (b.y0 + b.y1) / 2 * scale,
                              .unit = PLAN_LETTERS * viewer->unit,
                              .frame = {0, 0, viewer->width, viewer->height}};
}

/* The cards on the left cover nothing of it: it is where it is largest beside or below them, or under nobody. */
throng_plan_view throng_camera_whole(const throng_viewer *viewer)
{
    throng_bounds b = world_bounds(viewer);
    double right = 0, bottom = 0;
    for (int i = 0; i < THRONG_CARDS; i++)
        if (viewer->cards[i].height > 0) {
            right = viewer->cards[i].x + viewer->cards[i].width;
            bottom = viewer->cards[i].y + viewer->cards[i].height;
        }
    throng_plan_view all = fit(viewer, b, 0, 0), beside = fit(viewer, b, right, 0), below = fit(viewer, b, 0, bottom);
    bool covered = all.x + b.x0 * all.scale < right && all.y - b.y1 * all.scale < bottom;
    return !covered ? all : below.scale > beside.scale ? below : beside;
}

void throng_camera_fit(throng_viewer *viewer)
{
    viewer->camera = throng_camera_whole(viewer);
    viewer->fitted = true;
    viewer->chosen.followed = false;
}

void throng_camera_zoom(throng_viewer *viewer, double x, double y, double factor)
{
    throng_plan_view *c = &viewer->camera;
    double scale = fmin(fmax(c->scale * factor, 0.02), 4000), f = scale / c->scale;
    c->x = x + (c->x - x) * f;
    c->y = y + (c->y - y) * f;
    c->scale = scale;
    viewer->fitted = false;
}

void throng_camera_pan(throng_viewer *viewer, double dx, double dy)
{
    viewer->camera.x += dx;
    viewer->camera.y += dy;
    viewer->fitted = false;
    viewer->chosen.followed = false;
}

void throng_camera_centre(throng_viewer *viewer, double map_x, double map_y)
{
    throng_plan_view *c = &viewer->camera;
    c->x = viewer->width / 2.0 - map_x * c->scale;
    c->y = (viewer->height - throng_hud_bar_height(viewer)) / 2 + map_y * c->scale;
    viewer->fitted = false;
}

throng_point throng_camera_map(const throng_viewer *viewer, double x, double y)
{
    const throng_plan_view *c = &viewer->camera;
    return (throng_point){(x - c->x) / c->scale, (c->y - y) / c->scale};
}
