#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "map/map_floor.h"
#include "picture_layers.h"
#include "picture_style.h"

typedef struct label {
    throng_bounds box; /* pixels */
    double baseline;
} label;

static throng_bounds region_box(const throng_plan_view *view, const throng_region *region)
{
    throng_bounds b = {INFINITY, INFINITY, -INFINITY, -INFINITY};
    for (int32_t i = 0; i < region->count; i++) {
        throng_point p = throng_view_point(view, region->points[i].x, region->points[i].y);
        b = (throng_bounds){fmin(b.x0, p.x), fmin(b.y0, p.y), fmax(b.x1, p.x), fmax(b.y1, p.y)};
    }
    return b;
}

static double overlap(throng_bounds a, throng_bounds b)
{
    double x = fmin(a.x1, b.x1) - fmax(a.x0, b.x0), y = fmin(a.y1, b.y1) - fmax(a.y0, b.y0);
    return x > 0 && y > 0 ? x * y : 0;
}

static label label_at(double x, double y, double width, double height)
{
    return (label){{x - width / 2, y - height / 2, x + width / 2, y + height / 2}, y + 0.36 * height};
}

/* Less is better: covering other labels or leaving the frame is bad, and the
 * middle of a region that is wide enough is the natural place. */
static double cost(const label *candidate, const label *placed, int32_t count, throng_bounds frame, int rank)
{
    throng_bounds b = candidate->box;
    double area = (b.x1 - b.x0) * (b.y1 - b.y0), bad = 0.02 * rank * area;
    for (int32_t i = 0; i < count; i++)
        bad += 4 * overlap(b, placed[i].box);
    return bad + 8 * (area - overlap(b, frame));
}

/* Names of floors and flights stand above them, in as many lines as narrow flights beside each other need. */
static label place_above(throng_bounds region, double width, double height, const label *placed, int32_t count,
                         throng_bounds frame)
{
    enum { LINES = 4 };
    double x = fmax((region.x0 + region.x1) / 2, frame.x0 + width / 2);
    label best = label_at(x, region.y0 - 0.9 * height, width, height);
    for (int line = 1; line < LINES; line++) {
        label other = label_at(x, region.y0 - (0.9 + line) * height, width, height);
        if (cost(&other, placed, count, frame, line) < cost(&best, placed, count, frame, line - 1))
            best = other;
    }
    return best;
}

/* Tries the middle, then below, above, right and left of the region. */
static label place(throng_bounds region, double width, double height, const label *placed, int32_t count,
                   throng_bounds frame)
{
    double x = (region.x0 + region.x1) / 2, y = (region.y0 + region.y1) / 2, gap = 0.4 * height;
    double beside = width / 2 + gap, beyond = height / 2 + gap;
    label tries[] = {label_at(x, y, width, height), label_at(x, region.y1 + beyond, width, height),
                     label_at(x, region.y0 - beyond, width, height), label_at(region.x1 + beside, y, width, height),
                     label_at(region.x0 - beside, y, width, height)};
    bool fits = region.x1 - region.x0 > width && region.y1 - region.y0 > height;
    int best = fits ? 0 : 1;
    for (int i = best; i < 5; i++)
        if (cost(&tries[i], placed, count, frame, i) < cost(&tries[best], placed, count, frame, best))
            best = i;
    return tries[best];
}

static void draw_label(throng_canvas *canvas, const label *at, const char *text, throng_lettering style, double u)
{
    double x = (at->box.x0 + at->box.x1) / 2;
    throng_lettering halo = style;
    halo.colour = throng_colour_fade(throng_colour_hex(THRONG_STYLE_FREE), 0.8f);
    for (int i = 0; i < 8; i++)
        throng_canvas_text(canvas, &halo, x + 2.2 * u * cos(i * M_PI / 4), at->baseline + 2.2 * u * sin(i * M_PI / 4),
                           text);
    throng_canvas_text(canvas, &style, x, at->baseline, text);
}

/* Regions may be in several pieces, of which the first is labelled; those of a building's floors are in its picture. */
static bool is_labelled(const throng_map *map, int32_t region)
{
    for (int32_t r = 0; r < region; r++)
        if (strcmp(map->regions[r].name, map->regions[region].name) == 0)
            return true;
    return false;
}

/* Regions are labelled without their floor, in whose picture they are; a lift's car, which has one of its own at each
 * floor, with it. */
static const char *label_text(const throng_map *map, const throng_region *region)
{
    const char *slash = map->sheets ? strchr(region->name, '/') : NULL;
    if (slash && throng_map_stop_of(map->sheets, throng_map_sheet_at(map, region->points[0])) >= 0)
        return region->name;
    return slash ? slash + 1 : region->name;
}

static uint32_t label_ink(bool is_exit) { return is_exit ? 0x00583e : 0x463a66; }

/* Doors' names, smaller, beside them. */
static void draw_doors(throng_canvas *canvas, const throng_plan_view *view, const throng_map *map, label *placed,
                       int32_t count, throng_bounds room)
{
    throng_lettering style = throng_style_bold(16 * view->unit, THRONG_STYLE_DOOR, THRONG_ALIGN_CENTRE);
    for (int32_t d = 0; d < map->door_count; d++) {
        const throng_door *door = &map->doors[d];
        if (throng_door_is_lift(map, d))
            continue;
        const char *slash = map->sheets ? strchr(door->name, '/') : NULL, *text = slash ? slash + 1 : door->name;
        throng_point a = throng_view_point(view, door->a.x, door->a.y),
                     b = throng_view_point(view, door->b.x, door->b.y);
        double gap = 5 * view->unit; /* of its bar, and of the letters' rims */
        throng_bounds box = {fmin(a.x, b.x) - gap, fmin(a.y, b.y) - gap, fmax(a.x, b.x) + gap, fmax(a.y, b.y) + gap};
        placed[count] = place(box, throng_text_width(&style, text), 18 * view->unit, placed, count, room);
        draw_label(canvas, &placed[count++], text, style, view->unit);
    }
}

static void draw_region(throng_canvas *canvas, const throng_plan_view *view, const throng_map *map, int32_t r,
                        bool exit, label *placed, int32_t count, throng_bounds room)
{
    const char *text = label_text(map, &map->regions[r]);
    throng_lettering style = throng_style_bold(20 * view->unit, label_ink(exit), THRONG_ALIGN_CENTRE);
    double width = throng_text_width(&style, text), height = 22 * view->unit;
    throng_bounds box = region_box(view, &map->regions[r]);
    bool above = throng_map_is_part_region(map, r);
    placed[count] = (above ? place_above : place)(box, width, height, placed, count, room);
    draw_label(canvas, &placed[count], text, style, view->unit);
}

bool throng_layer_labels(throng_canvas *canvas, const throng_plan_view *view, const throng_map *map, const bool *exits)
{
    double margin = 40 * view->unit;
    throng_bounds room = {view->frame.x0 - margin, view->frame.y0 - margin, view->frame.x1 + margin,
                          view->frame.y1 + margin};
    label *placed = malloc(((size_t)map->region_count + (size_t)map->door_count + 1) * sizeof *placed);
    if (!placed)
        return false;
    int32_t count = 0;
    for (int32_t r = 0; r < map->region_count; r++)
        if (!is_labelled(map, r))
            draw_region(canvas, view, map, r, throng_region_is_exit(map, r, exits), placed, count++, room);
    draw_doors(canvas, view, map, placed, count, room);
    free(placed);
    return true;
}
