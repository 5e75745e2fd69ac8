/* What a plan is drawn of, one layer over the other: ground, regions, heat,
 * trajectories, agents, labels. */
#ifndef THRONG_PICTURE_LAYERS_H
#define THRONG_PICTURE_LAYERS_H

#include "canvas.h"
#include "picture.h"
#include "picture_heat.h"

/* Where the map lies on the canvas: pixel = (x + X scale, y - Y scale). */
typedef struct throng_plan_view {
    double scale;        /* pixels a metre */
    double x, y;         /* pixels, of the map's origin */
    double unit;         /* pixels a style unit */
    throng_bounds frame; /* pixels that the plan may cover: x0, y0 is the upper left */
} throng_plan_view;

/* picture_view.c */
throng_point throng_view_point(const throng_plan_view *view, double x, double y);

/* Points of the map as pixels, [count]; NULL when memory runs out. */
throng_point *throng_view_points(const throng_plan_view *view, const throng_point *points, int32_t count);

/* The floor in white inside dark walls; without a map a white field with a
 * faint metric grid. */
bool throng_layer_ground(throng_canvas *canvas, const throng_plan_view *view, const throng_map *map);

/* True for regions that people leave by: marked in `exits` ([region_count]) or, when that is NULL, named so.
 */
bool throng_region_is_exit(const throng_map *map, int32_t region, const bool *exits);
throng_colour throng_region_colour(bool is_exit);

/* What of the regions lies below heat and trajectories, and what lies above. */
bool throng_layer_regions(throng_canvas *canvas, const throng_plan_view *view, const throng_map *map, const bool *exits,
                          bool above);
/* Paints the floor of the map, or without one all of the frame. */
bool throng_layer_fill(throng_canvas *canvas, const throng_plan_view *view, const throng_map *map, throng_paint *paint,
                       const void *context);
bool throng_layer_heat(throng_canvas *canvas, const throng_plan_view *view, const throng_map *map,
                       const throng_heat *heat);
bool throng_layer_trajectories(throng_canvas *canvas, const throng_plan_view *view, const throng_plan_picture *plan);
/* Doors are lines, closed ones bars; those of lifts belong to these. */
void throng_layer_doors(throng_canvas *canvas, const throng_plan_view *view, const throng_plan_picture *plan);
/* picture_lifts.c: a box with a cross, as on architects' plans, on every floor that a lift serves; and its car, where
 * it is known. */
void throng_layer_lifts(throng_canvas *canvas, const throng_plan_view *view, const throng_map *map);
void throng_layer_cars(throng_canvas *canvas, const throng_plan_view *view, const throng_plan_picture *plan);
bool throng_layer_bodies(throng_canvas *canvas, const throng_plan_view *view, const throng_plan_picture *plan);
void throng_layer_agents(throng_canvas *canvas, const throng_plan_view *view, const throng_plan_picture *plan);

/* A local map (kernels/contract/local_map.h): obstacles, goals, the potential's powers of ten, the way down from every
 * free cell; and, over the agents, the line to where its agent prefers to go. What is shown of it and a little around;
 * the colour of a cell. */
void throng_layer_local_map(throng_canvas *canvas, const throng_plan_view *view, const struct throng_local_map *map);
void throng_layer_preferred(throng_canvas *canvas, const throng_plan_view *view, const struct throng_local_map *map);
throng_bounds throng_local_map_bounds(const struct throng_local_map *map);
throng_colour throng_local_map_colour(uint8_t zone, double rest);

/* The colour of agents of a group. */
throng_colour throng_plan_group(const throng_plan_picture *plan, int32_t group);

/* The regions' names, and those of the doors, moved aside where they would cover each other. */
bool throng_layer_labels(throng_canvas *canvas, const throng_plan_view *view, const throng_map *map, const bool *exits);

#endif
