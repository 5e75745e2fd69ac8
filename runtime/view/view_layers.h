/* What is drawn beside the crowd: the floor plan, and the layers that are switched on. */
#ifndef THRONG_VIEW_LAYERS_H
#define THRONG_VIEW_LAYERS_H

#include <SDL2/SDL.h>
#include "map/triangulate.h"
#include "navigation/field.h"
#include "navigation/navmesh.h"
#include "navigation/roadmap.h"
#include "picture/picture_heat.h"
#include "picture/picture_layers.h"
#include "record/run_occupancy.h"
#include "record/run_smoke.h"

typedef struct throng_viewer throng_viewer;

/* ---- view_ground.c: the floor plan, drawn as pictures draw it, again when the view has come to rest */

typedef struct throng_ground {
    SDL_Texture *floor, *walls; /* of the window; the walls alone, for what lies between */
    SDL_Texture *whole;         /* of the fitted view: what shows where `floor` does not reach */
    throng_plan_view drawn, whole_view;
    double cost;     /* s that the last drawing took */
    uint64_t moved;  /* ticks, ms: when the camera last moved */
    uint64_t redrew; /* ticks, ms */
    throng_plan_view last;
} throng_ground;

void throng_ground_draw(throng_viewer *viewer);
void throng_ground_draw_walls(throng_viewer *viewer);
void throng_ground_forget(throng_ground *ground);

/* ---- view_heat.c, view_trails.c, view_mesh.c: layers that are switched on */

typedef enum throng_heat_mode { THRONG_HEAT_OFF, THRONG_HEAT_NOW, THRONG_HEAT_MEAN } throng_heat_mode;

typedef struct throng_heat_layer {
    throng_heat_mode mode;
    throng_occupancy now, mean;
    double since; /* s of the world that `mean` is of */
    uint32_t drawn_step;
    uint64_t drawn; /* ticks, ms */
    throng_heat heat;
    SDL_Texture *texture;
} throng_heat_layer;

bool throng_heat_layer_step(throng_viewer *viewer, throng_error *error); /* after each step */
bool throng_heat_layer_draw(throng_viewer *viewer, throng_error *error);
/* The same for stacked floors: before the first one, and on each, which is cut into triangles, by places. */
bool throng_heat_layer_prepare(throng_viewer *viewer, throng_error *error);
void throng_heat_layer_slab(throng_viewer *viewer, int32_t floor, const throng_triangles *area);
void throng_heat_layer_legend(throng_viewer *viewer);
double throng_heat_layer_height(const throng_viewer *viewer); /* pixels: of the legend, 0: there is none */
void throng_heat_layer_next(throng_viewer *viewer);
void throng_heat_layer_fini(throng_heat_layer *layer);

/* ---- view_smoke.c: smoke, wherever the world has some */

typedef struct throng_smoke_layer {
    throng_smoke_picture smoke;
    SDL_Texture *texture; /* NULL: there is none */
    uint32_t step;        /* that it shows */
} throng_smoke_layer;

/* Of the step that is shown, if that is the world's own, of whose earlier ones nobody knows it any more; or as it was
 * recorded. */
bool throng_smoke_layer_prepare(throng_viewer *viewer, throng_error *error);
bool throng_smoke_layer_draw(throng_viewer *viewer, throng_error *error);
void throng_smoke_layer_slab(throng_viewer *viewer, int32_t floor,
                             const throng_triangles *area); /* of a stacked floor */
void throng_smoke_layer_fini(throng_smoke_layer *layer);

/* A texture of a grid's cells, row 0 at the bottom. */
typedef throng_colour throng_view_cell(const void *context, size_t cell);
SDL_Texture *throng_view_grid(throng_viewer *viewer, int32_t columns, int32_t rows, throng_view_cell *colour,
                              const void *context);
/* Draws on the floor that is shown alone, or everywhere again. */
void throng_view_clip(throng_viewer *viewer, bool on);
/* A texture over a box of the map's places, on a stacked floor that is cut into triangles. */
void throng_view_slab(throng_viewer *viewer, int32_t floor, const throng_triangles *area, SDL_Texture *texture,
                      throng_bounds box);

enum { THRONG_TRAIL_POINTS = 48, THRONG_TRAILS = 3000 };

typedef struct throng_trails {
    bool on;
    double last; /* s: when points were added last */
    int32_t every, count;
    struct throng_trail *list; /* [THRONG_TRAILS] */
} throng_trails;

void throng_trails_toggle(throng_viewer *viewer);
bool throng_trails_step(throng_viewer *viewer, throng_error *error);
void throng_trails_draw(throng_viewer *viewer);
void throng_trails_fini(throng_trails *trails);

typedef enum throng_mesh_mode {
    THRONG_MESH_OFF,
    THRONG_MESH_FACES, /* and portals */
    THRONG_MESH_ROADMAP,
    THRONG_MESH_FIELD,
    THRONG_MESH_MODES
} throng_mesh_mode;

typedef struct throng_mesh_layer {
    throng_mesh_mode mode;
    throng_navmesh *mesh;
    throng_roadmap *roadmap;
    throng_field *field;
    SDL_Texture *texture; /* of the field */
} throng_mesh_layer;

bool throng_mesh_layer_next(throng_viewer *viewer, throng_error *error);
void throng_mesh_layer_draw(throng_viewer *viewer);
void throng_mesh_layer_fini(throng_mesh_layer *layer);

#endif
