/* The viewer: private to view_*.c, which alone know SDL2, and to the map maker. Each of its parts has a header with
 * what it holds and what others may call. */
#ifndef THRONG_VIEW_PARTS_H
#define THRONG_VIEW_PARTS_H

#include "record/film.h"
#include "view_agent.h"
#include "view_console.h"
#include "view_crowd.h"
#include "view_draw.h"
#include "view_floors.h"
#include "view_layers.h"
#include "view_run.h"

/* ---- cards on the left of the window, one below the other (view_column.c) */

typedef enum throng_card {
    THRONG_CARD_LEGEND,
    THRONG_CARD_SLIDERS,
    THRONG_CARD_FLOORS,
    THRONG_CARD_DENSITY,
    THRONG_CARDS
} throng_card;

/* Pixels. */
typedef struct throng_box {
    double x, y, width, height;
} throng_box;

/* ---- the viewer */

struct throng_viewer {
    const throng_window_def *wanted;
    const throng_view_def *def; /* NULL: it is the map maker's */
    SDL_Window *window;
    SDL_Renderer *renderer;
    int width, height; /* pixels */
    double ratio;      /* pixels a window coordinate, which mouse events are in */
    double unit;       /* pixels a unit */
    throng_plan_view camera;
    throng_batch batch;
    throng_ink ink;
    throng_text_store text;
    throng_session session;
    throng_past past;
    throng_timeline timeline;
    throng_console console;
    throng_crowd crowd;
    throng_mass mass;
    throng_colouring colouring;
    throng_floors floors;
    throng_ground ground;
    throng_heat_layer heat;
    throng_smoke_layer smoke;
    throng_trails trails;
    throng_mesh_layer mesh;
    throng_chosen chosen;
    throng_ride ride;
    throng_asked asked;
    bool fixed_clock;  /* frames are 1/60 s, whatever they take: what comes out does not depend on the machine */
    throng_film *film; /* NULL: none runs */
    double film_due;   /* s of the clock: its next picture */
    int32_t slider;    /* dragged, counted from 1; 0: none */
    bool playing, fitted, help, quit, shot;
    bool refits;                    /* the plan is fitted into the window again, when the cards are laid out */
    throng_box cards[THRONG_CARDS]; /* of height 0: there is none now */
    bool held[4];                   /* keys that steer the player: right, left, up, down */
    double speed;                   /* s of the world a second */
    double frame_ms;
    struct {
        double step, prepare, present, processor;
    } spent;      /* ms, of all frames; processor: of one, for the two before it */
    bool hurries; /* another step follows before anything is drawn */
    int64_t frame;
    const char *next_action;
    int64_t waiting;          /* frames until it */
    char note[256];           /* shown for a while */
    double note_until, clock; /* s */
    double note_x;            /* pixels */
    throng_point pointer;     /* pixels: where the mouse is */
    struct {
        bool down, moved, turns; /* turns: it turns stacked floors; else it pans */
        double x, y;
    } drag;
};

static inline throng_world *throng_viewer_world(const throng_viewer *viewer)
{
    return viewer->session.live.scenario.world;
}

/* ---- view_panel.c */

/* A row of the list of keys. */
typedef struct throng_key {
    const char *keys, *text;
} throng_key;

enum { THRONG_BAR_HEIGHT = 40 }; /* units, without the timeline */

double throng_hud_bar_height(const throng_viewer *viewer);
/* A white card with a fine rim. */
void throng_hud_card(throng_viewer *viewer, double x0, double y0, double x1, double y1);
bool throng_box_holds(const throng_box *box, double x, double y);
/* Which rows of a list are shown, at its right side; nothing when all are. */
void throng_column_bar(throng_viewer *viewer, const throng_box *box, int32_t first, int32_t rows, int32_t all);
/* In the bar, for a while. */
void throng_viewer_note(throng_viewer *viewer, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* ---- view_things.c: what stands on the plan; of one floor, or of all: -1 */

void throng_viewer_draw_doors(throng_viewer *viewer, int32_t floor);
void throng_viewer_draw_bodies(throng_viewer *viewer, int32_t floor); /* -1: all */

/* ---- view_camera.c */

throng_plan_view throng_camera_whole(const throng_viewer *viewer); /* all that there is to see */
void throng_camera_fit(throng_viewer *viewer);
void throng_camera_zoom(throng_viewer *viewer, double x, double y, double factor);
void throng_camera_pan(throng_viewer *viewer, double dx, double dy);
void throng_camera_centre(throng_viewer *viewer, double map_x, double map_y);
/* The pixel's place on the map. */
throng_point throng_camera_map(const throng_viewer *viewer, double x, double y);

#endif
