/* An agent's local map: what it takes for obstacles and goals, the potential between them, the way down from each cell.
 */
#include <math.h>

#include "kernels/contract/local_map.h"
#include "picture_layers.h"
#include "picture_style.h"

#define DIMMEST 9.0f /* powers of ten of 1 - p that shades tell apart */
#define BEYOND  1.5  /* cells shown around it */

throng_bounds throng_local_map_bounds(const throng_local_map *m)
{
    double cell = (double)m->cell, x = (double)m->x - ((m->width - 1) / 2 + 0.5 + BEYOND) * cell,
           y = (double)m->y - ((m->height - 1) / 2 + 0.5 + BEYOND) * cell;
    return (throng_bounds){x, y, x + (m->width + 2 * BEYOND) * cell, y + (m->height + 2 * BEYOND) * cell};
}

/* The middle of a cell, from the lower left one on. */
static throng_point middle_of(const throng_plan_view *view, const throng_local_map *m, int column, int row)
{
    return throng_view_point(view, (double)m->x + (column - (m->width - 1) / 2) * (double)m->cell,
                             (double)m->y + (row - (m->height - 1) / 2) * (double)m->cell);
}

/* 1 - p falls by powers of ten from the goal on: so do the shades. */
throng_colour throng_local_map_colour(uint8_t zone, double rest)
{
    if (zone == THRONG_ZONE_OBSTACLE)
        return throng_colour_fade(throng_colour_hex(THRONG_STYLE_WALL), 0.55f);
    if (zone == THRONG_ZONE_GOAL)
        return throng_colour_fade(throng_colour_hex(THRONG_STYLE_EXIT), 0.8f);
    float shade = rest > 0 ? 1 + (float)log10(rest) / DIMMEST : 0;
    return throng_colour_fade(throng_colour_hex(THRONG_STYLE_LINE), 0.65f * fmaxf(0, fminf(shade, 1)));
}

/* From the middle of a free cell down the potential, by central differences as the agent's own direction. */
static void draw_descent(throng_canvas *canvas, const throng_plan_view *view, const throng_local_map *m, int column,
                         int row)
{
    const double *q = m->rest + row * m->width + column;
    double dx = q[1] - q[-1], dy = q[m->width] - q[-m->width], length = hypot(dx, dy);
    throng_point at = middle_of(view, m, column, row);
    double reach = 0.42 * (double)m->cell * view->scale;
    throng_colour ink = throng_colour_fade(throng_colour_hex(THRONG_STYLE_INK), 0.7f);
    if (length == 0)
        return;
    throng_point to = {at.x + reach * dx / length, at.y - reach * dy / length};
    throng_canvas_line(canvas, at.x - 0.6 * (to.x - at.x), at.y - 0.6 * (to.y - at.y), to.x, to.y, 1.2 * view->unit,
                       ink);
    throng_canvas_disc(canvas, to.x, to.y, 2.6 * view->unit, ink);
}

void throng_layer_local_map(throng_canvas *canvas, const throng_plan_view *view, const throng_local_map *m)
{
    double half = 0.5 * (double)m->cell * view->scale - 0.6 * view->unit;
    for (int k = 0; k < m->width * m->height; k++) {
        throng_point at = middle_of(view, m, k % m->width, k / m->width);
        throng_canvas_rect(canvas, at.x - half, at.y - half, at.x + half, at.y + half,
                           throng_local_map_colour(m->zone[k], m->rest[k]));
    }
    for (int row = 1; row < m->height - 1; row++)
        for (int column = 1; column < m->width - 1; column++)
            if (m->zone[row * m->width + column] == THRONG_ZONE_FREE)
                draw_descent(canvas, view, m, column, row);
}

void throng_layer_preferred(throng_canvas *canvas, const throng_plan_view *view, const throng_local_map *m)
{
    double far = ((m->width < m->height ? m->width : m->height) / 2 - 0.5) * (double)m->cell;
    throng_point from = throng_view_point(view, (double)m->x, (double)m->y),
                 to = throng_view_point(view, (double)m->x + far * (double)m->to_x,
                                        (double)m->y + far * (double)m->to_y);
    throng_canvas_line(canvas, from.x, from.y, to.x, to.y, 3 * view->unit,
                       throng_colour_fade(throng_colour_hex(THRONG_STYLE_EXIT), 0.6f));
}
