#include "picture.h"

#include <math.h>
#include <stdio.h>

#include "kernels/contract/local_map.h"
#include "map/map_floor.h"
#include "canvas.h"
#include "picture_layers.h"
#include "picture_legend.h"
#include "picture_page.h"
#include "picture_smoke.h"
#include "picture_style.h"

static throng_bounds grow(throng_bounds b, double x, double y)
{
    if (!isfinite(x) || !isfinite(y))
        return b;
    return (throng_bounds){fmin(b.x0, x), fmin(b.y0, y), fmax(b.x1, x), fmax(b.y1, y)};
}

/* What agents and trajectories cover, with a metre around. */
static throng_bounds crowd_bounds(const throng_plan_picture *plan)
{
    throng_bounds b = {INFINITY, INFINITY, -INFINITY, -INFINITY};
    for (int32_t i = 0; i < plan->count; i++)
        b = grow(b, plan->x[i], plan->y[i]);
    int32_t points = plan->trajectory_count ? plan->trajectory_start[plan->trajectory_count] : 0;
    for (int32_t i = 0; i < points; i++)
        b = grow(b, plan->trajectory_x[i], plan->trajectory_y[i]);
    int32_t corners = plan->body_count ? plan->body_start[plan->body_count] : 0;
    for (int32_t i = 0; i < corners; i++)
        b = grow(b, (float)plan->body_points[i].x, (float)plan->body_points[i].y);
    double margin = 1 + 0.03 * fmax(b.x1 - b.x0, b.y1 - b.y0);
    return (throng_bounds){b.x0 - margin, b.y0 - margin, b.x1 + margin, b.y1 + margin};
}

/* Is somebody of the group in the picture? */
static bool is_there(const throng_plan_picture *plan, int32_t group)
{
    for (int32_t i = 0; plan->group && i < plan->count; i++)
        if (plan->group[i] == group)
            return true;
    for (int32_t t = 0; plan->trajectory_group && t < plan->trajectory_count; t++)
        if (plan->trajectory_group[t] == group)
            return true;
    return false;
}

enum { GROUPS_MOST = 12 }; /* in a legend */

/* The groups in the picture; of many the first, so that the legend is no taller than the plan. */
static void add_groups(throng_legend *legend, const throng_plan_picture *plan, throng_legend_mark mark)
{
    static _Thread_local char more[32];
    int32_t listed = 0, there = 0;
    for (int32_t k = 0; k < plan->group_count; k++) {
        if (!is_there(plan, k) || ++there > GROUPS_MOST)
            continue;
        throng_legend_add(legend, (throng_legend_entry){mark, plan->group_names[k], throng_plan_group(plan, k),
                                                        mark == THRONG_LEGEND_LINE ? 3 : 0, listed++ == 0});
    }
    snprintf(more, sizeof more, "and %d more", there - listed);
    if (there > listed)
        throng_legend_add(legend,
                          (throng_legend_entry){mark, more, throng_colour_hex(THRONG_STYLE_FAINT_INK), 3, false});
}

static void add_kinds(throng_legend *legend, const throng_plan_picture *plan)
{
    if (plan->group_names && plan->group_count && plan->group)
        add_groups(legend, plan, THRONG_LEGEND_AGENT);
    else
        throng_legend_add(legend,
                          (throng_legend_entry){THRONG_LEGEND_AGENT, "agent", throng_plan_group(plan, 0), 0, true});
}

static void add_trajectories(throng_legend *legend, const throng_plan_picture *plan)
{
    throng_colour haze = throng_colour_fade(throng_colour_hex(THRONG_STYLE_TRAJECTORY), 0.7f);
    if (plan->trajectory_group && plan->group_names && plan->group_count)
        add_groups(legend, plan, THRONG_LEGEND_LINE);
    else
        throng_legend_add(legend, (throng_legend_entry){THRONG_LEGEND_LINE, "path walked", haze, 1.8, false});
}

static void add_local_map(throng_legend *legend)
{
    static const char *const names[] = {"taken for an obstacle", "goal, 1 − p = 1", "1 − p = 0.01", "1 − p = 0.0001"};
    const throng_colour colours[] = {
        throng_local_map_colour(THRONG_ZONE_OBSTACLE, 0), throng_local_map_colour(THRONG_ZONE_GOAL, 1),
        throng_local_map_colour(THRONG_ZONE_FREE, 0.01), throng_local_map_colour(THRONG_ZONE_FREE, 0.0001)};
    for (int i = 0; i < 4; i++)
        throng_legend_add(legend, (throng_legend_entry){THRONG_LEGEND_AREA, names[i], colours[i], 0, i == 0});
    throng_legend_add(legend, (throng_legend_entry){THRONG_LEGEND_LINE, "down the potential",
                                                    throng_colour_hex(THRONG_STYLE_INK), 1.2, false});
    throng_legend_add(legend,
                      (throng_legend_entry){THRONG_LEGEND_LINE, "preferred direction",
                                            throng_colour_fade(throng_colour_hex(THRONG_STYLE_EXIT), 0.6f), 3, false});
}

static void add_smoke(throng_legend *legend)
{
    throng_legend_add(legend,
                      (throng_legend_entry){THRONG_LEGEND_AREA, "smoke, 0.3/m", throng_smoke_colour(0.3), 0, true});
    throng_legend_add(legend,
                      (throng_legend_entry){THRONG_LEGEND_AREA, "smoke, 1/m", throng_smoke_colour(1), 0, false});
    throng_legend_add(legend,
                      (throng_legend_entry){THRONG_LEGEND_AREA, "smoke, 3/m", throng_smoke_colour(3), 0, false});
}

static bool any_shut(const throng_plan_picture *plan)
{
    for (int32_t d = 0; plan->shut && d < plan->map->door_count; d++)
        if (plan->shut[d])
            return true;
    return false;
}

static bool any_open(const throng_plan_picture *plan)
{
    for (int32_t d = 0; plan->map && d < plan->map->door_count; d++)
        if (!throng_door_is_lift(plan->map, d) && !(plan->shut && plan->shut[d]))
            return true;
    return false;
}

static throng_legend plan_legend(const throng_plan_picture *plan, const throng_heat *heat)
{
    throng_legend legend = {.count = 0};
    if (plan->count)
        add_kinds(&legend, plan);
    int32_t before = legend.count;
    if (plan->map)
        throng_page_map_legend(&legend, plan->map, plan->exits);
    if (plan->trajectory_count)
        add_trajectories(&legend, plan);
    if (any_open(plan))
        throng_legend_add(
            &legend, (throng_legend_entry){THRONG_LEGEND_LINE, "door", throng_colour_hex(THRONG_STYLE_DOOR), 2, false});
    if (any_shut(plan))
        throng_legend_add(&legend, (throng_legend_entry){THRONG_LEGEND_LINE, "closed door",
                                                         throng_colour_hex(THRONG_STYLE_DOOR), 5, false});
    if (plan->cars && plan->map->sheets->lift_count)
        throng_legend_add(&legend, (throng_legend_entry){THRONG_LEGEND_AREA, "car of a lift, and who rides",
                                                         throng_colour_hex(THRONG_STYLE_CAR), 0, false});
    if (plan->body_count)
        throng_legend_add(&legend, (throng_legend_entry){THRONG_LEGEND_AREA, "rigid body",
                                                         throng_colour_hex(THRONG_STYLE_BODY), 0, false});
    if (plan->smoke && plan->smoke->extinction)
        add_smoke(&legend);
    if (plan->local)
        add_local_map(&legend);
    if (before < legend.count)
        legend.entries[before].starts_group = true;
    if (heat->density && heat->top > 0)
        throng_legend_add(&legend, (throng_legend_entry){THRONG_LEGEND_RAMP, "mean density",
                                                         throng_colour_hex(THRONG_STYLE_INK), heat->top, true});
    return legend;
}

static bool draw_layers(const throng_page *page, const throng_plan_picture *plan, const throng_heat *heat)
{
    throng_canvas *canvas = page->canvas;
    const throng_plan_view *view = &page->view;
    bool ok = throng_layer_ground(canvas, view, plan->map);
    if (ok && plan->map)
        ok = throng_layer_regions(canvas, view, plan->map, plan->exits, false);
    ok = ok && throng_layer_smoke(canvas, view, plan);
    ok = ok && throng_layer_heat(canvas, view, plan->map, heat);
    ok = ok && throng_layer_trajectories(canvas, view, plan);
    if (ok && plan->map)
        ok = throng_layer_regions(canvas, view, plan->map, plan->exits, true);
    throng_layer_doors(canvas, view, plan);
    throng_layer_cars(canvas, view, plan);
    ok = ok && throng_layer_bodies(canvas, view, plan);
    if (plan->local)
        throng_layer_local_map(canvas, view, plan->local);
    throng_layer_agents(canvas, view, plan);
    if (plan->local)
        throng_layer_preferred(canvas, view, plan->local);
    if (ok && plan->map)
        ok = throng_layer_labels(canvas, view, plan->map, plan->exits);
    return ok;
}

static throng_bounds place_of(const throng_plan_picture *plan)
{
    if (plan->place.x1 > plan->place.x0)
        return plan->place;
    if (plan->local)
        return throng_local_map_bounds(plan->local);
    if (plan->map && !plan->map->open)
        return throng_page_map_bounds(plan->map);
    throng_bounds b = crowd_bounds(plan);
    if (!plan->map || plan->map->bounds.x1 <= plan->map->bounds.x0)
        return b;
    throng_bounds walls = throng_page_map_bounds(plan->map);
    return (throng_bounds){fmin(b.x0, walls.x0), fmin(b.y0, walls.y0), fmax(b.x1, walls.x1), fmax(b.y1, walls.y1)};
}

static throng_canvas *draw_plan(const throng_plan_picture *plan, const throng_heat *heat, throng_error *error)
{
    char note[64];
    snprintf(note, sizeof note, "t = %.1f s", plan->time);
    throng_page_head head = {plan->title, plan->subtitle, plan->time >= 0 ? note : NULL};
    throng_legend legend = plan_legend(plan, heat);
    throng_page page;
    if (!throng_page_open(&page, &head, place_of(plan), &legend, plan->width, error))
        return NULL;
    if (draw_layers(&page, plan, heat)) {
        if (plan->local)
            throng_page_trim(&page, &head, place_of(plan), &legend);
        return page.canvas;
    }
    throng_canvas_destroy(page.canvas);
    throng_fail(error, "out of memory");
    return NULL;
}

throng_canvas *throng_picture_draw(const throng_plan_picture *plan, throng_error *error)
{
    throng_heat heat;
    if (!throng_heat_init(&heat, plan)) {
        throng_fail(error, "out of memory");
        return NULL;
    }
    throng_canvas *canvas = draw_plan(plan, &heat, error);
    throng_heat_fini(&heat);
    return canvas;
}

bool throng_picture_plan(const char *path, const throng_plan_picture *plan, throng_error *error)
{
    throng_canvas *canvas = throng_picture_draw(plan, error);
    if (!canvas)
        return throng_fail_in(error, "cannot draw '%s'", path);
    bool saved = throng_canvas_save(canvas, path, error);
    throng_canvas_destroy(canvas);
    return saved;
}
