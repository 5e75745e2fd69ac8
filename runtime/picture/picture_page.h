/* A page with a plan on it: head, plan, and legend in the margin. */
#ifndef THRONG_PICTURE_PAGE_H
#define THRONG_PICTURE_PAGE_H

#include "picture_layers.h"
#include "picture_legend.h"
#include "picture_style.h"

typedef struct throng_page {
    throng_canvas *canvas;
    throng_plan_view view;
} throng_page;

/* Lays out and begins a page `width` pixels wide (0: 1600) that shows `shown`
 * (m), draws its head, and the legend with a scale bar as its last entry:
 * beside the plan, or below it when the plan is wide. The caller draws the plan
 * and destroys the canvas. False and a message when `shown` is empty or memory
 * runs out. */
bool throng_page_open(throng_page *page, const throng_page_head *head, throng_bounds shown, throng_legend *legend,
                      int32_t width, throng_error *error);

/* Draws the margins again, over what a plan of more than is shown has left there; with what the page was opened with.
 */
void throng_page_trim(const throng_page *page, const throng_page_head *head, throng_bounds shown,
                      const throng_legend *legend);

/* What a page shows of a map: the floor with its walls, and the regions. */
throng_bounds throng_page_map_bounds(const throng_map *map);

/* Legend entries for the walls and the kinds of region that the map has. */
void throng_page_map_legend(throng_legend *legend, const throng_map *map, const bool *exits);

#endif
