/* What the viewer is made of: private to view_*.c, which alone know SDL2.
 *
 * Lengths on screen are pixels of the output, (0, 0) upper left; a unit is a
 * pixel on an ordinary display and more on one of high density. */
#ifndef THRONG_VIEW_PARTS_H
#define THRONG_VIEW_PARTS_H

#include <SDL2/SDL.h>

#include "record/body_outlines.h"
#include "picture/canvas.h"
#include "navigation/field.h"
#include "record/film.h"
#include "script/live.h"
#include "picture/picture_heat.h"
#include "picture/picture_layers.h"
#include "picture/picture_style.h"
#include "navigation/navmesh.h"
#include "navigation/roadmap.h"
#include "record/run_occupancy.h"
#include "view.h"

typedef struct throng_viewer throng_viewer;

/* ---- view_window.c: the window, which the viewer and the map maker open */

bool throng_window_open(throng_viewer *viewer, const char *name, throng_error *error);
void throng_window_close(throng_viewer *viewer);
/* True when the size has changed. */
bool throng_window_measure(throng_viewer *viewer);
/* The next event; `wait`: when there is none yet, waits a moment for it, but for a fixed clock. */
bool throng_window_event(const throng_viewer *viewer, bool wait, SDL_Event *event);
/* Seconds since the last frame: of the clock, or always the same. */
double throng_window_elapsed(throng_viewer *viewer, uint64_t *last);

/* ---- view_draw.c: quads in one batch over one atlas of discs and lines */

enum { THRONG_BATCH_QUADS = 8192 };

typedef struct throng_batch {
    SDL_Renderer *renderer;
    SDL_Texture *atlas;
    SDL_Vertex *vertices; /* [4 * THRONG_BATCH_QUADS] */
    int *indices;         /* [6 * THRONG_BATCH_QUADS] */
    int32_t count;        /* quads */
} throng_batch;

bool throng_batch_init(throng_batch *batch, SDL_Renderer *renderer, throng_error *error);
void throng_batch_fini(throng_batch *batch);
void throng_batch_flush(throng_batch *batch);

/* A texture of white with the canvas's first channel as opacity; NULL when memory is out. */
SDL_Texture *throng_view_mask(SDL_Renderer *renderer, const throng_canvas *canvas);

/* A texture stretched over a place that may reach far beyond the window; only what is in sight is handed over, because
 * software renderers stretch all that they are given. */
void throng_view_copy(const throng_viewer *viewer, SDL_Texture *texture, double x, double y, double width,
                      double height);

SDL_Color throng_view_colour(uint32_t rgb, float opacity);
SDL_Color throng_view_shade(throng_colour colour);

void throng_batch_disc(throng_batch *batch, float x, float y, float radius, SDL_Color colour);
void throng_batch_ring(throng_batch *batch, float x, float y, float radius, SDL_Color colour);
void throng_batch_rect(throng_batch *batch, double x0, double y0, double x1, double y1, SDL_Color colour);
void throng_batch_line(throng_batch *batch, double x0, double y0, double x1, double y1, double width, SDL_Color from,
                       SDL_Color to);
/* A convex polygon. */
void throng_batch_convex(throng_batch *batch, const SDL_FPoint *points, int32_t count, SDL_Color colour);

/* ---- view_ink.c: discs and lines in any number, in one texture */

typedef struct throng_ink {
    SDL_Texture *texture;
    int width, height, stride; /* pixels */
    uint32_t *argb;            /* [height * stride]; NULL: nothing is drawn that is not shown yet */
} throng_ink;

/* To draw with; NULL when memory is out. */
throng_ink *throng_ink_take(throng_viewer *viewer);
/* Shows what was drawn, over all that was drawn in other ways, and takes it away. */
void throng_ink_show(throng_viewer *viewer);
void throng_ink_fini(throng_ink *ink);

/* A small disc follows soon: of many that lie anywhere, most of the time goes by until memory answers. */
void throng_ink_expect(const throng_ink *ink, float x, float y);
void throng_ink_disc(throng_ink *ink, float x, float y, float radius, SDL_Color colour);
/* As opaque as `from` at a, as `to` at b; in the colour of `from`. */
void throng_ink_line(throng_ink *ink, throng_point a, throng_point b, double width, SDL_Color from, SDL_Color to);

/* ---- view_theme.c: light and dark */

void throng_theme_choose(bool dark);
bool throng_theme_is_dark(void);
throng_colour throng_theme_turn(throng_colour colour); /* one of the light theme, as it is in this one */
throng_colour throng_theme_hex(uint32_t rgb);
throng_colour throng_theme_ramp(double t); /* throng_style_ramp */
throng_colour throng_theme_group(int32_t group);
void throng_theme_clear(SDL_Renderer *renderer);

/* ---- view_text.c: lines of text as textures, kept while they are used */

enum { THRONG_TEXT_KEPT = 512, THRONG_TEXT_LONGEST = 160 };

typedef struct throng_text_line {
    char text[THRONG_TEXT_LONGEST];
    double size;
    bool bold;
    SDL_Texture *texture;
    int width, height;
    double ascent, advance;
    uint64_t used;
} throng_text_line;

typedef struct throng_text_store {
    throng_text_line lines[THRONG_TEXT_KEPT];
    uint64_t clock;
} throng_text_store;

/* One line with its baseline at `y`, letters of `size` units; returns its width in pixels. */
double throng_view_text(throng_viewer *viewer, double x, double y, double size, uint32_t rgb, bool bold,
                        throng_align align, const char *format, ...) __attribute__((format(printf, 8, 9)));
void throng_text_store_fini(throng_text_store *store);

/* ---- view_session.c: the scenario, its steps and its reloading */

typedef struct throng_session {
    throng_live live;
    char *trouble;      /* what went wrong, in full; NULL: nothing */
    bool stuck;         /* a step failed: nothing goes on until a reload */
    bool ended;         /* the run's end was reached */
    const char *ending; /* "everyone has arrived", ... */
    double debt;        /* s of the world that are due */
    double step_ms;     /* a step, on average of late */
    double pace;        /* s of the world a second, of late */
} throng_session;

/* Of a scenario; the world of a replay is put into `live` by whoever opens it, and has no script. */
bool throng_session_open(throng_session *session, const throng_view_def *def, throng_error *error);
void throng_session_close(throng_session *session);
/* The files as they are now; the world goes on where it was, or from its beginning when `restart` or when it had come
 * to its end. `said` gets a line about that. On failure the old world stays, with the trouble told. */
bool throng_session_reload(throng_session *session, bool restart, char *said, size_t size);
/* One step; false when there was trouble or the run came to its end. */
bool throng_session_step(throng_session *session);

/* ---- view_past.c: frames that are kept; view_shown.c: the one that is shown; view_replay.c: of a recording */

/* Columns by slot, as in the agent store; NULL: everybody has the initial value, or it is not known. */
typedef struct throng_moment {
    uint32_t step;
    int32_t slots;
    uint64_t known; /* columns, a bit each, that were kept or recorded */
    char *block;    /* the arrays of a kept frame */
    void *column[THRONG_COLUMN_COUNT];
    bool *open; /* [doors of the map]; NULL: not known */
    throng_body_outlines bodies;
} throng_moment;

typedef struct throng_replay throng_replay;

typedef struct throng_past {
    throng_moment *kept; /* a ring: the last frames, as many as 256 MiB hold; none of over 32 MiB */
    int32_t first, count;
    size_t bytes;
    throng_body_outlines bodies; /* of now */
    throng_replay *replay;       /* frames are read from there instead; NULL: of the world */
    const throng_moment *shown;  /* NULL: the world as it is now */
} throng_past;

/* Keeps the world as it is now; after each of its steps. Of a crowd on a GPU, only the columns that are drawn. */
bool throng_past_keep(throng_viewer *viewer, throng_error *error);
void throng_past_fini(throng_past *past); /* but for the replay */
/* Is nothing fetched from a GPU for it? */
bool throng_past_is_cheap(const throng_viewer *viewer);
/* Shows the frame of that step, or the nearest that there is; the world's last step is now. */
bool throng_past_show(throng_viewer *viewer, int64_t step, throng_error *error);

/* ---- view_shown.c */

/* The frames that can be shown, by step. */
uint32_t throng_past_first(const throng_viewer *viewer);
uint32_t throng_past_last(const throng_viewer *viewer);
/* NULL and no message: as in throng_moment. */
const void *throng_shown_column(throng_viewer *viewer, int column, throng_error *error);
bool throng_shown_knows(const throng_viewer *viewer, int column);
bool throng_shown_holds(const throng_viewer *viewer, int column); /* false: there is no array to be read */
int32_t throng_shown_slots(throng_viewer *viewer);
/* False: how it stood is not known. */
bool throng_shown_door(const throng_viewer *viewer, int32_t door, bool *open);
const throng_body_outlines *throng_shown_bodies(throng_viewer *viewer);
uint32_t throng_shown_step(const throng_viewer *viewer);
double throng_shown_dt(const throng_viewer *viewer);   /* s from a step, or a frame of a recording, to the next */
double throng_shown_time(const throng_viewer *viewer); /* s */

/* ---- view_replay.c */

/* A .throng or SQLite recording, or a folder that holds one; `scenario` gets its name and a world of its map where
 * nobody lives, which is the caller's. NULL and a message that names the file. */
throng_replay *throng_replay_open(const char *path, throng_scenario *scenario, throng_error *error);
void throng_replay_close(throng_replay *replay);
/* What the doors did, on the timeline. */
bool throng_replay_mark_doors(throng_viewer *viewer, throng_error *error);
double throng_replay_dt(const throng_replay *replay);      /* s between its frames */
int32_t throng_replay_frames(const throng_replay *replay); /* > 0 */
/* Frame n, counted from 0, with velocities since the frame before; valid until the next call. */
const throng_moment *throng_replay_read(throng_replay *replay, int32_t n, throng_error *error);

/* ---- view_events.c: what happened; view_timeline.c: the run as a line at the bottom; dragged along it, what was is
 * shown */

typedef struct throng_mark {
    uint32_t step;
    enum { THRONG_MARK_LOADED, THRONG_MARK_OPENED, THRONG_MARK_CLOSED, THRONG_MARK_STUCK } kind;
    char text[60];
} throng_mark;

typedef struct throng_timeline {
    throng_mark *marks;
    int32_t mark_count, mark_room;
    int32_t *arrived; /* [seconds] who arrived in each second */
    int32_t seconds, second_room;
    bool *open; /* [doors] as they were after the last step; NULL: not looked at yet */
    bool dragged;
    double pointer_x, pointer_y; /* pixels */
} throng_timeline;

bool throng_timeline_step(throng_viewer *viewer, throng_error *error); /* after each step of the world */
bool throng_timeline_mark(throng_viewer *viewer, uint32_t step, int kind, const char *text, throng_error *error);
void throng_timeline_draw(throng_viewer *viewer);
/* True when the pointer is on it, or drags along it. */
bool throng_timeline_press(throng_viewer *viewer, double x, double y);
bool throng_timeline_move(throng_viewer *viewer, double x, double y);
void throng_timeline_release(throng_viewer *viewer);
void throng_timeline_fini(throng_timeline *timeline);
enum { THRONG_TIMELINE_HEIGHT = 30 }; /* units */

/* ---- view_console.c: a line of Lua, evaluated as in throng repl */

enum { THRONG_CONSOLE_LINES = 64, THRONG_CONSOLE_LONGEST = 512 };

typedef struct throng_console {
    bool open, begun, more; /* begun: the script takes lines; more: the statement is not whole yet */
    char line[THRONG_CONSOLE_LONGEST];
    char *said[THRONG_CONSOLE_LINES], *past[THRONG_CONSOLE_LINES]; /* what was shown; what was typed */
    size_t columns;                                                /* letters a row */
    int said_count, past_count, at;                                /* at: the past line that is shown again */
    throng_lines lines;
} throng_console;

void throng_console_open(throng_viewer *viewer);
void throng_console_text(throng_viewer *viewer, const char *text);
void throng_console_key(throng_viewer *viewer, SDL_Keycode code);
void throng_console_draw(throng_viewer *viewer);
void throng_console_fini(throng_console *console);

/* ---- view_crowd.c: who is drawn where, this frame */

typedef struct throng_crowd {
    int32_t count, room;
    int32_t *slot;
    float *x, *y, *hx, *hy, *radius; /* m; between two steps while the world moves */
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
uint64_t throng_crowd_columns(const throng_viewer *viewer);
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

enum { THRONG_LEGEND_ROWS = 12 };

typedef struct throng_colouring {
    int32_t mode;     /* THRONG_COLOUR_...; from THRONG_COLOUR_COLUMN on: a column */
    double low, high; /* of the values seen since it was chosen; low > high: none */
    struct {
        int32_t value, count;
    } listed[THRONG_LEGEND_ROWS]; /* classes of agents, and how many are of each */
    int32_t classes;
} throng_colouring;

/* By a column's name or "walking", the speed walked at; false and a message that lists what there is. */
bool throng_colouring_choose(throng_viewer *viewer, const char *name, throng_error *error);
/* After a reload: by group, where the column is no longer declared. */
void throng_colouring_keep(throng_viewer *viewer);
/* The next one by which agents differ. */
void throng_colouring_next(throng_viewer *viewer, int step);
bool throng_colouring_paint(throng_viewer *viewer, throng_error *error);
uint64_t throng_colouring_columns(const throng_viewer *viewer); /* a bit each */
void throng_colouring_legend(throng_viewer *viewer);

double throng_colouring_bottom(throng_viewer *viewer); /* pixels: where its legend ends */

/* ---- view_sliders.c: the parameters that the scenario gave a range */

void throng_sliders_draw(throng_viewer *viewer);
/* True when the pointer is on one; when one is dragged. */
bool throng_sliders_press(throng_viewer *viewer, double x, double y);
bool throng_sliders_move(throng_viewer *viewer, double x);

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
void throng_heat_layer_legend(throng_viewer *viewer);
void throng_heat_layer_next(throng_viewer *viewer);
void throng_heat_layer_fini(throng_heat_layer *layer);

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

/* ---- view_agent.c: the agent that was clicked */

typedef struct throng_chosen {
    bool any, followed;
    int32_t id;
} throng_chosen;

/* The agent under a pixel, -1: none. */
int32_t throng_agent_at(const throng_viewer *viewer, double x, double y);
/* The entry of the chosen one in the crowd; -1: nobody is chosen, or not there now. */
int32_t throng_agent_entry(throng_viewer *viewer);
void throng_agent_choose(throng_viewer *viewer, int32_t entry, bool follow);
void throng_agent_mark(throng_viewer *viewer);  /* on the plan: ring, goal, neighbours */
void throng_agent_panel(throng_viewer *viewer); /* beside it: its columns */

/* ---- view_ride.c: a camera that rides with the chosen agent */

enum { THRONG_RIDE_OFF, THRONG_RIDE_BEHIND, THRONG_RIDE_EYES, THRONG_RIDE_MODES };

typedef struct throng_ride_scene throng_ride_scene;

typedef struct throng_ride {
    int mode;      /* THRONG_RIDE_... */
    bool begun;    /* (hx, hy) is known: */
    double hx, hy; /* where it looks, which follows the agent's heading */
    throng_ride_scene *scene;
} throng_ride;

/* Draws what it sees in place of the plan; false: the plan is shown, or nobody is chosen any more. */
bool throng_ride_draw(throng_viewer *viewer);
void throng_ride_next(throng_viewer *viewer); /* plan, behind, eyes */
void throng_ride_fini(throng_ride *ride);

/* ---- view_asked.c: what the world says of the chosen agent, of its last step; view_choice.c: its planner's part */

typedef struct throng_asked {
    bool known; /* of `id`, after `step` */
    uint32_t step;
    int32_t id;
    int32_t neighbour[THRONG_NEIGHBOURS_MAX], neighbours; /* slots */
    float value[THRONG_COLUMN_COUNT];
    bool path_known, chose;
    throng_path path;
    throng_choice choice; /* of the last step, if it was watched then */
} throng_asked;

/* Of the chosen one, whose entry this is; NULL while the past is shown, of which it is not kept. */
const throng_asked *throng_asked_of(throng_viewer *viewer, int32_t entry);
void throng_asked_forget(throng_viewer *viewer);
/* The panel, left of `right`, pixels. */
void throng_choice_draw(throng_viewer *viewer, const throng_asked *asked, double right);

/* ---- view_hud.c: bar, legend, help, trouble */

void throng_hud_draw(throng_viewer *viewer);
void throng_hud_note(throng_viewer *viewer); /* in the bar: what was done, or what is shown */

/* ---- view_panel.c */

enum { THRONG_BAR_HEIGHT = 40 }; /* units, without the timeline */

double throng_hud_bar_height(const throng_viewer *viewer);
/* A white card with a fine rim. */
void throng_hud_card(throng_viewer *viewer, double x0, double y0, double x1, double y1);
/* In the bar, for a while. */
void throng_viewer_note(throng_viewer *viewer, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* ---- view_input.c: what keys and the mouse do */

typedef struct throng_key {
    const char *keys, *text; /* for the list */
} throng_key;

extern const throng_key throng_view_keys[]; /* ends with keys of NULL */

void throng_input_event(throng_viewer *viewer, const SDL_Event *event);
/* Saves the picture that was asked for, of what is drawn. */
void throng_input_picture(throng_viewer *viewer);

/* ---- view_actions.c: a user's actions, from the command line */

/* Pushes the next action's events; false when none is left. */
bool throng_actions_next(throng_viewer *viewer);
/* A word that is not an action is an error. */
bool throng_actions_check(const char *actions, throng_error *error);

/* ---- view_shot.c */

/* Saves what is drawn. */
bool throng_shot_save(throng_viewer *viewer, const char *path, throng_error *error);
void throng_shot_picture(throng_viewer *viewer); /* into the scenario's folder */
/* Begins a film there, or ends it. */
void throng_shot_film(throng_viewer *viewer);
void throng_shot_end_film(throng_viewer *viewer);
void throng_shot_add(throng_viewer *viewer); /* what is drawn, to the film */
void throng_shot_dot(throng_viewer *viewer); /* says that it runs; not in the film */

/* ---- view_camera.c */

throng_plan_view throng_camera_whole(const throng_viewer *viewer); /* all that there is to see */
void throng_camera_fit(throng_viewer *viewer);
void throng_camera_zoom(throng_viewer *viewer, double x, double y, double factor);
void throng_camera_pan(throng_viewer *viewer, double dx, double dy);
void throng_camera_centre(throng_viewer *viewer, double map_x, double map_y);
/* The pixel's place on the map. */
throng_point throng_camera_map(const throng_viewer *viewer, double x, double y);

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
    throng_ground ground;
    throng_heat_layer heat;
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
    bool held[4]; /* keys that steer the player: right, left, up, down */
    double speed; /* s of the world a second */
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
    struct {
        bool down, moved;
        double x, y;
    } drag;
};

/* ---- view_main.c */

bool throng_view_run(const throng_view_def *def, throng_error *error);

static inline throng_world *throng_viewer_world(const throng_viewer *viewer)
{
    return viewer->session.live.scenario.world;
}

/* ---- view_commands.c */

/* Something of the viewer's own failed (memory, a transfer): said, and the world stands still. */
void throng_viewer_fail(throng_viewer *viewer, const throng_error *error);
/* Steps until that time, in s; false when there was trouble or the run came to its end. */
bool throng_viewer_step_to(throng_viewer *viewer, double time);
/* What is drawn of a world that goes; and what has been kept and marked of a run that begins again. */
void throng_viewer_forget_world(throng_viewer *viewer);
void throng_viewer_forget_run(throng_viewer *viewer);
/* One step and what follows from it, or the next frame of what was; false when it stands still now. */
bool throng_viewer_step(throng_viewer *viewer);
void throng_viewer_turn_theme(throng_viewer *viewer);
/* After a line or a slider has changed the world, perhaps by steps: what is kept follows. */
void throng_viewer_touched(throng_viewer *viewer);
/* Shows the frame so many steps from the one that is shown, and stands still. */
void throng_viewer_go(throng_viewer *viewer, int64_t steps);
/* The scenario's files as they are now, going on where the world is, or from t = 0. */
void throng_viewer_reload(throng_viewer *viewer, bool restart);

#endif
