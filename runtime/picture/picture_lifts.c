/* Lifts on the floors that they serve, and where their cars are. */
#include "picture_layers.h"

#include <math.h>
#include <stdio.h>

#include "map/map_sheets.h"
#include "picture_style.h"

static throng_point pixel(const throng_plan_view *view, const throng_map *map, int32_t stop, double behind,
                          double right)
{
    const throng_map_sheets *s = map->sheets;
    throng_point at = throng_lift_point(&s->lifts[s->stops[stop].lift], behind, right);
    at = throng_map_place(map, s->stops[stop].floor, at);
    return throng_view_point(view, at.x, at.y);
}

void throng_layer_lifts(throng_canvas *canvas, const throng_plan_view *view, const throng_map *map)
{
    const throng_map_sheets *s = map->sheets;
    throng_colour ink = throng_colour_fade(throng_colour_hex(THRONG_STYLE_WALL), 0.6f);
    for (int32_t i = 0; s && i < s->stop_count; i++) {
        double depth = s->lifts[s->stops[i].lift].depth, side = 0.5 * s->lifts[s->stops[i].lift].width;
        for (int k = -1; k <= 1; k += 2) {
            throng_point a = pixel(view, map, i, 0, k * side), b = pixel(view, map, i, depth, -k * side);
            throng_canvas_line(canvas, a.x, a.y, b.x, b.y, 1.5 * view->unit, ink);
        }
    }
}

/* An arrow the way that it goes, or how many are in it. */
static void draw_state(throng_canvas *canvas, const throng_plan_view *view, const throng_plan_car *car, throng_point at,
                       double size)
{
    throng_colour ink = throng_colour_hex(car->in_service ? THRONG_STYLE_LINE : THRONG_STYLE_DOOR);
    char text[16];
    if (car->going) {
        double up = -0.3 * size * car->going;
        throng_point arrow[] = {
            {at.x - 0.25 * size, at.y - up / 2}, {at.x + 0.25 * size, at.y - up / 2}, {at.x, at.y + up}};
        int32_t start[] = {0, 3};
        throng_canvas_fill(canvas, &(throng_outline){arrow, start, 1}, ink);
        return;
    }
    throng_lettering style = {
        .size = fmin(0.7 * size, 13 * view->unit), .colour = ink, .bold = true, .align = THRONG_ALIGN_CENTRE};
    snprintf(text, sizeof text, "%d", car->riders);
    throng_canvas_text(canvas, &style, at.x, at.y + 0.36 * style.size, text);
}

void throng_layer_cars(throng_canvas *canvas, const throng_plan_view *view, const throng_plan_picture *plan)
{
    const throng_map_sheets *s = plan->map ? plan->map->sheets : NULL;
    for (int32_t l = 0; s && plan->cars && l < s->lift_count; l++) {
        const throng_plan_car *car = &plan->cars[l];
        double depth = s->lifts[l].depth, side = 0.5 * s->lifts[l].width;
        throng_point corner[] = {
            pixel(view, plan->map, car->stop, 0, side), pixel(view, plan->map, car->stop, depth, side),
            pixel(view, plan->map, car->stop, depth, -side), pixel(view, plan->map, car->stop, 0, -side)};
        int32_t start[] = {0, 4};
        throng_canvas_fill(canvas, &(throng_outline){corner, start, 1}, throng_colour_hex(THRONG_STYLE_CAR));
        throng_canvas_stroke(canvas, corner, 4, true, 1.5 * view->unit,
                             throng_colour_hex(car->in_service ? THRONG_STYLE_LINE : THRONG_STYLE_DOOR));
        draw_state(canvas, view, car, pixel(view, plan->map, car->stop, depth / 2, 0),
                   view->scale * fmin(depth, 2 * side));
    }
}
