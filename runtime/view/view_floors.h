/* The floors of a building, and how they are shown: side by side, as the map has them; one at a time, with the flights
 * that begin there in their places; or over each other, seen from aside.
 *
 * Everything is drawn on a plane, metres, which the camera shows. A position on a sheet has a place on that plane, NAN
 * where it is not shown. */
#ifndef THRONG_VIEW_FLOORS_H
#define THRONG_VIEW_FLOORS_H

#include <SDL2/SDL.h>
#include "map/map_floor.h"
#include "map/triangulate.h"

typedef struct throng_viewer throng_viewer;

/* ---- view_plane.c: where on the plane they are */

typedef enum throng_floors_mode {
    THRONG_FLOORS_ASIDE,
    THRONG_FLOORS_ONE,
    THRONG_FLOORS_STACKED,
    THRONG_FLOORS_MODES
} throng_floors_mode;

/* A floor, cut into triangles. */
typedef struct throng_slab {
    throng_map *plan; /* by places */
    throng_triangles area;
} throng_slab;

typedef struct throng_floors {
    throng_floors_mode mode;
    int32_t shown;       /* the floor that is shown */
    double turn, tilt;   /* rad: from where the stacked floors are seen */
    int32_t *floor_of;   /* [sheets] throng_map_floor_of; NULL: not made yet */
    throng_point middle; /* m: what the stacked floors are turned about */
    double across, up;   /* m on the plane: a metre away from who looks, and one of height between floors */
    throng_map *plan;    /* of the floor that is shown; NULL: not made yet, or all are */
    int32_t planned;     /* whose plan it is */
    int32_t first;       /* row of the list */
    throng_slab *slabs;  /* [floors] of the stacked view; NULL: not made yet */
    int32_t slab_count;
    int32_t *people; /* [floors] who is there or on what is joined to it; of the crowd taken last */
    int32_t people_room;
} throng_floors;

/* NULL: the world has one plane. */
const throng_map_sheets *throng_floors_sheets(const throng_viewer *viewer);
/* Of a world that goes; and makes ready what its floors are drawn by, once. */
void throng_floors_forget(throng_viewer *viewer);
bool throng_floors_settle(throng_viewer *viewer, throng_error *error);
/* The same, after the floor that is shown, the turn or the tilt has changed. */
bool throng_floors_reckon(throng_viewer *viewer, throng_error *error);
void throng_slabs_fini(throng_floors *floors);

/* The map that is drawn as the ground: the world's, or that of the floor that is shown. May be NULL. */
const throng_map *throng_floors_map(throng_viewer *viewer);
/* What is to be seen of a building. m, on the plane */
throng_bounds throng_floors_bounds(const throng_viewer *viewer);
/* A position on a sheet, or above it, on the plane. */
throng_point throng_floors_point(const throng_viewer *viewer, int32_t sheet, throng_point position);
throng_point throng_floors_point_at(const throng_viewer *viewer, int32_t sheet, throng_point position, double z);
/* The same for a place on the map. */
throng_point throng_floors_place(const throng_viewer *viewer, throng_point place);
double throng_floors_upright(const throng_viewer *viewer); /* m on the plane that a metre of height is */

/* m: where a lift's car is whose riders are on a sheet, else `z`; twice the number of the floor that it is above. */
double throng_lift_height(const throng_viewer *viewer, int32_t sheet, double z);
int32_t throng_lift_level(const throng_viewer *viewer, int32_t lift);

/* ---- view_floors.c: which of them are shown, and how */

/* `floor` counts where one is shown. */
void throng_floors_show(throng_viewer *viewer, throng_floors_mode mode, int32_t floor);
void throng_floors_next(throng_viewer *viewer);                       /* mode */
void throng_floors_climb(throng_viewer *viewer, int by);              /* shows the floor above or below */
void throng_floors_turn(throng_viewer *viewer, double dx, double dy); /* pixels that the mouse was dragged */

/* ---- view_floor_list.c: the card to choose one by */

double throng_floor_list_height(const throng_viewer *viewer, double room); /* pixels; 0: there is one plane */
void throng_floor_list_draw(throng_viewer *viewer);
bool throng_floor_list_press(throng_viewer *viewer, double x, double y);
bool throng_floor_list_wheel(throng_viewer *viewer, double x, double y, double turns);

/* ---- view_flights.c: flights and lifts between floors */

/* Those of the floor that is shown: halves that begin there as they are, what is beyond as a ghost. */
void throng_flights_draw(throng_viewer *viewer);
/* Half a flight, and a lift's car where it is. */
void throng_flight_draw(throng_viewer *viewer, int32_t half, float opacity);
void throng_lift_draw(throng_viewer *viewer, int32_t lift);
void throng_lift_label(throng_viewer *viewer, int32_t lift); /* over it: who is in it */

/* ---- view_stack.c: floors over each other */

void throng_stack_draw(throng_viewer *viewer);

#endif
