/* Pictures of a run: the floor plan with agents, trajectories and density, and the
 * evacuation curve; drawn in memory without a display, saved as PNG.
 *
 * A canvas is RGB, anti-aliased, with text from an embedded font. */
#ifndef THRONG_PICTURE_H
#define THRONG_PICTURE_H

#include "canvas.h"
#include "map/map.h"

/* Where a lift's car is. */
typedef struct throng_plan_car {
    int32_t stop;  /* of the map: at it, or on its way from there to the next */
    int32_t going; /* 1: up, -1: down, 0: it stands */
    int32_t riders;
    bool in_service;
} throng_plan_car;

/* How thick smoke is, on a grid of points. */
typedef struct throng_smoke_picture {
    float *extinction; /* [rows * columns] 1/m, row 0 at the bottom; NULL: there is no smoke */
    int32_t columns, rows;
    double cell, x0, y0; /* m: between points, and the first */
} throng_smoke_picture;

/* Everything a plan picture can show; zero what it should not. */
typedef struct throng_plan_picture {
    const throng_map *map; /* may be NULL: bounds are then those of agents and trajectories */
    const char *title;     /* "evacuation" */
    const char *subtitle;  /* "500 agents, 83.2 s" */
    double time;           /* s, shown when >= 0 */
    /* agents at one moment, drawn as oriented discs or stadiums coloured by group */
    int32_t count;
    const float *x, *y, *radius, *hx, *hy;
    const float *arm_x, *arm_y; /* m: half the line across the shoulders; NULL: all are discs */
    const int32_t *group;       /* 0, 1, 2, ...: colour and legend entry; may be NULL */
    const char *const *group_names;
    const uint32_t *group_colours; /* [group_count] 0xRRGGBB; UINT32_MAX, or NULL: those of throng_style_group */
    int32_t group_count;
    /* how long people stood where: person-seconds a cell; drawn as a heat map
     * of mean density (persons/m^2) over `seconds` */
    const float *occupancy; /* [rows * columns], row 0 at the bottom; may be NULL */
    int32_t columns, rows;
    double cell;               /* m */
    double origin_x, origin_y; /* m, lower left corner */
    double seconds;
    /* trajectories: polylines, one after the other */
    const float *trajectory_x, *trajectory_y;
    const int32_t *trajectory_start; /* [trajectory_count + 1] */
    const int32_t *trajectory_group; /* [trajectory_count]: colour and legend entry; NULL: all are of one colour */
    int32_t trajectory_count;
    /* rigid bodies: outlines, one after the other, m */
    const throng_point *body_points;
    const int32_t *body_start; /* [body_count + 1] */
    int32_t body_count;
    const throng_smoke_picture *smoke;    /* may be NULL */
    const bool *shut;                     /* [map->door_count]: is a door closed? NULL: none is */
    const throng_plan_car *cars;          /* [lifts of the map]; NULL: nobody knows */
    const struct throng_local_map *local; /* of one of the agents; may be NULL */
    throng_bounds place; /* m: what is shown; empty: the local map, the map, or without one everybody */
    int32_t width;       /* pixels; 0: 1600. The height follows from the map */
    const bool *exits;   /* [map->region_count] regions drawn as exits; NULL: those with "exit" in their name */
} throng_plan_picture;

/* Tells before the work whether a picture can be written there: what is drawn is a PNG, and bears that name or none. */
bool throng_picture_check(const char *path, throng_error *error);

/* Draws and saves: walls, regions with their names, heat map, trajectories, agents, a
 * legend for all of it and a scale bar. False and a message when the file
 * cannot be written (nothing is left behind). */
bool throng_picture_plan(const char *path, const throng_plan_picture *plan, throng_error *error);
/* The same, not saved; NULL and a message when memory is out. */
throng_canvas *throng_picture_draw(const throng_plan_picture *plan, throng_error *error);

/* A line chart of `count` points (time in s, people out) with axes, ticks and
 * labels, and marks at 50 %, 95 % and 100 % of `total`. */
typedef struct throng_curve_picture {
    const char *title, *subtitle;
    const float *time;
    const float *value;
    int32_t count;
    double total;
    double last; /* s: when the last of all was out, to the step; points may be later. 0: as the points have it */
} throng_curve_picture;

bool throng_picture_curve(const char *path, const throng_curve_picture *curve, throng_error *error);

/* The map itself for `throng map FILE --png`: free space, walls, regions, the
 * faces of a mesh when given (struct throng_navmesh, may be NULL), unreachable
 * components hatched, and what to look at, numbered from 1 as listed. */
struct throng_navmesh;
bool throng_picture_map(const char *path, const throng_map *map, const struct throng_navmesh *mesh,
                        const throng_findings *findings, throng_error *error);

#endif
