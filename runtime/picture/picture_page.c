#include "picture_page.h"

#include <math.h>

#include "map/map_floor.h"

enum { MARGIN = 56, LEGEND = 280, LEGEND_GAP = 44, SMALLEST = 320, LARGEST = 16384 };

/* Regions may reach beyond the floor, but a careless one must not shrink it to
 * a dot: they add at most a tenth of the floor's size on each side. */
throng_bounds throng_page_map_bounds(const throng_map *map)
{
    throng_bounds b = map->bounds, shown = b;
    double most = 0.1 * fmax(b.x1 - b.x0, b.y1 - b.y0), wall = 0.3;
    for (int32_t r = 0; r < map->region_count; r++)
        for (int32_t i = 0; i < map->regions[r].count; i++) {
            throng_point p = map->regions[r].points[i];
            shown = (throng_bounds){fmin(shown.x0, p.x), fmin(shown.y0, p.y), fmax(shown.x1, p.x), fmax(shown.y1, p.y)};
        }
    double names = map->sheets ? 0.25 * most : 0; /* of floors, above them */
    return (throng_bounds){fmax(shown.x0, b.x0 - most) - wall, fmax(shown.y0, b.y0 - most) - wall,
                           fmin(shown.x1, b.x1 + most) + wall, fmin(shown.y1, b.y1 + most) + wall + names};
}

void throng_page_map_legend(throng_legend *legend, const throng_map *map, const bool *exits)
{
    bool has[2] = {false, false};
    for (int32_t r = 0; r < map->region_count; r++)
        if (!throng_map_is_part_region(map, r))
            has[throng_region_is_exit(map, r, exits)] = true;
    throng_legend_add(
        legend, (throng_legend_entry){THRONG_LEGEND_LINE, "wall", throng_colour_hex(THRONG_STYLE_WALL), 6, false});
    if (has[1])
        throng_legend_add(legend,
                          (throng_legend_entry){THRONG_LEGEND_AREA, "exit",
                                                throng_colour_fade(throng_region_colour(true), 0.3f), 0, false});
    if (has[0])
        throng_legend_add(
            legend, (throng_legend_entry){THRONG_LEGEND_AREA, "region",
                                          throng_colour_fade(throng_region_colour(false), THRONG_STYLE_REGION_OPACITY),
                                          0, false});
}

/* Everything of a layout in pixels. */
typedef struct layout {
    double unit, width, height;
    throng_bounds plan;
    double scale;
    bool beside; /* the legend stands beside the plan */
    double legend_x, legend_y;
} layout;

static layout make_layout(double width, double head, throng_bounds shown, const throng_legend *legend)
{
    double u = width / 1600, across = shown.x1 - shown.x0, up = shown.y1 - shown.y0;
    layout l = {.unit = u, .width = width, .beside = across < 1.9 * up};
    double room = width - (2 * MARGIN + (l.beside ? LEGEND + LEGEND_GAP : 0)) * u, top = MARGIN * u + head;
    l.scale = fmin(room / across, width / up); /* a tall plan: no higher than the page is wide */
    double left = MARGIN * u + (room - l.scale * across) / 2;
    l.plan = (throng_bounds){left, top, left + l.scale * across, top + l.scale * up};
    double legend_height = l.beside ? throng_legend_column_height(legend) : throng_legend_row_height(legend);
    l.legend_x = l.beside ? width - (MARGIN + LEGEND) * u : MARGIN * u;
    l.legend_y = l.beside ? top : l.plan.y1 + LEGEND_GAP * u;
    l.height = fmax(l.plan.y1, l.legend_y + legend_height) + MARGIN * u;
    return l;
}

static void draw_margins(const throng_page *page, const layout *l, const throng_page_head *head,
                         const throng_legend *legend)
{
    double left = MARGIN * l->unit, right = l->width - MARGIN * l->unit;
    throng_page_head_draw(page->canvas, head, left, right, MARGIN * l->unit, l->unit);
    if (l->beside)
        throng_legend_draw_column(legend, page->canvas, l->legend_x, l->legend_y, l->plan.y1);
    else
        throng_legend_draw_row(legend, page->canvas, left, right, l->legend_y);
}

void throng_page_trim(const throng_page *page, const throng_page_head *head, throng_bounds shown,
                      const throng_legend *legend)
{
    throng_canvas *canvas = page->canvas;
    throng_colour paper = throng_colour_hex(THRONG_STYLE_PAPER);
    throng_bounds f = page->view.frame;
    layout l = make_layout(canvas->width, throng_page_head_height(head, page->view.unit), shown, legend);
    throng_canvas_rect(canvas, 0, 0, canvas->width, f.y0, paper);
    throng_canvas_rect(canvas, 0, f.y1, canvas->width, canvas->height, paper);
    throng_canvas_rect(canvas, 0, f.y0, f.x0, f.y1, paper);
    throng_canvas_rect(canvas, f.x1, f.y0, canvas->width, f.y1, paper);
    draw_margins(page, &l, head, legend);
}

bool throng_page_open(throng_page *page, const throng_page_head *head, throng_bounds shown, throng_legend *legend,
                      int32_t width, throng_error *error)
{
    if (!(shown.x1 - shown.x0 > 0) || !(shown.y1 - shown.y0 > 0) || !isfinite(shown.x1 - shown.x0) ||
        !isfinite(shown.y1 - shown.y0))
        return throng_fail(error,
                           "there is nothing to show: no map, and no agents or trajectories with finite positions");
    double pixels = width <= 0 ? 1600 : width < SMALLEST ? SMALLEST : width > LARGEST ? LARGEST : width;
    legend->unit = pixels / 1600;
    throng_legend_add(legend,
                      (throng_legend_entry){THRONG_LEGEND_SCALE, NULL, throng_colour_hex(THRONG_STYLE_INK), 1, true});
    layout l = make_layout(pixels, throng_page_head_height(head, pixels / 1600), shown, legend);
    legend->entries[legend->count - 1].value = l.scale;
    page->canvas =
        throng_canvas_create((int32_t)l.width, (int32_t)ceil(l.height), throng_colour_hex(THRONG_STYLE_PAPER));
    if (!page->canvas)
        return throng_fail(error, "out of memory for %.0f x %.0f pixels", l.width, l.height);
    page->view =
        (throng_plan_view){l.scale, l.plan.x0 - shown.x0 * l.scale, l.plan.y1 + shown.y0 * l.scale, l.unit, l.plan};
    draw_margins(page, &l, head, legend);
    return true;
}
