/* The crowd as it is drawn: who is where, in which colours. */
#ifndef THRONG_VIEW_CROWD_H
#define THRONG_VIEW_CROWD_H

#include <SDL2/SDL.h>
#include "picture/picture_layers.h"
#include "view_run.h"

/* ---- view_crowd.c: who is drawn where, this frame */

typedef struct throng_crowd {
    int32_t count, room;
    int32_t *slot;
    float *x, *y, *hx, *hy, *radius; /* m; between two steps while the world moves; x, y: on the plane that is drawn,
                                        NAN where a floor is not shown */
    float *place_x, *place_y;        /* m: on the map; x, y where all of it is shown as it is */
    int32_t *sheet;                  /* of a building; NULL: there is one plane */
    float *apart_x, *apart_y;        /* what place_x, place_y and sheet are kept in, of a building */
    int32_t *sheets;
    float *arm_x, *arm_y; /* m: half the line across the shoulders; of a disc 0, 0 */
    SDL_Color *colour;
    float disc;  /* m: the mean radius, 0: not known yet */
    bool massed; /* too many and too small to be told apart: no headings, all radii are `disc` (view_mass.c) */
    struct {
        bool known;
        const throng_moment *shown;
        uint32_t step;
        float part;
        int32_t mode;
        bool massed;
    } taken;         /* what was taken last */
    uint32_t taking; /* how often one was */
    /* where everybody was before the last step */
    int32_t before_room, before_slots;
    uint32_t before_step;
    float *before_x, *before_y;
    int32_t *before_id;
} throng_crowd;

bool throng_crowd_take(throng_viewer *viewer, throng_error *error);
/* The columns, a bit each, that it is drawn by now. */
throng_column_set throng_crowd_columns(const throng_viewer *viewer);
/* They are taken again although no step was made: something else has changed. */
void throng_crowd_forget(throng_crowd *crowd);
/* Keeps the positions of now, to be drawn between them and those after the next step. */
bool throng_crowd_keep(throng_viewer *viewer, throng_error *error);
void throng_crowd_fini(throng_crowd *crowd);
void throng_crowd_draw(throng_viewer *viewer);
/* The entry of a slot, or -1. */
int32_t throng_crowd_find(const throng_crowd *crowd, int32_t slot);

/* ---- view_mass.c: crowds beyond what pixels can show, as the mean of their colours */

typedef struct throng_mass {
    SDL_Texture *texture;
    int32_t columns, rows, cell; /* pixels a cell */
    uint32_t *sum;               /* [4 * columns * rows] agents, red, green, blue */
    uint32_t *argb;              /* [columns * rows] */
    throng_plan_view camera;     /* what is drawn: from where, */
    uint32_t taking;             /* and which crowd */
} throng_mass;

/* Are so many agents, of `radius` m, drawn as a mass? */
bool throng_mass_wanted(const throng_viewer *viewer, int32_t agents, float radius);
void throng_mass_draw(throng_viewer *viewer);
void throng_mass_fini(throng_mass *mass);

/* ---- view_colour.c: what agents are coloured by */

enum {
    THRONG_COLOUR_GROUP,
    THRONG_COLOUR_SPEED,
    THRONG_COLOUR_PLANNER,
    THRONG_COLOUR_GOAL,
    THRONG_COLOUR_STATE,
    THRONG_COLOUR_COLUMN
};

enum { THRONG_LEGEND_ROWS = 256 };

typedef struct throng_colouring {
    int32_t mode;     /* THRONG_COLOUR_...; from THRONG_COLOUR_COLUMN on: a column */
    double low, high; /* of the values seen since it was chosen; low > high: none */
    struct {
        int32_t value, count;
    } listed[THRONG_LEGEND_ROWS]; /* classes of agents, and how many are of each */
    int32_t classes;
    int32_t first; /* row of the legend */
    bool folded;   /* only its title is shown */
} throng_colouring;

/* By a column's name or "walking", the speed walked at; false and a message that lists what there is. */
bool throng_colouring_choose(throng_viewer *viewer, const char *name, throng_error *error);
/* After a reload: by group, where the column is no longer declared. */
void throng_colouring_keep(throng_viewer *viewer);
/* The next one by which agents differ. */
void throng_colouring_next(throng_viewer *viewer, int step);
bool throng_colouring_paint(throng_viewer *viewer, throng_error *error);
throng_column_set throng_colouring_columns(const throng_viewer *viewer); /* a bit each */
bool throng_colouring_is_ramp(int32_t mode);
throng_colour throng_colouring_ramp(double t);
SDL_Color throng_colouring_class(const throng_viewer *viewer, int32_t value);

/* ---- view_legend.c */

void throng_colouring_legend(throng_viewer *viewer);
double throng_colouring_height(const throng_viewer *viewer, double room); /* pixels; of as many rows as fit */
/* True when the pointer is on it: its title folds it, the wheel scrolls it. */
bool throng_colouring_press(throng_viewer *viewer, double x, double y);
bool throng_colouring_wheel(throng_viewer *viewer, double x, double y, double turns);

#endif
