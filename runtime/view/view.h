/* What the windows offer, the viewer's and the map maker's. They are a shared object of their own (throng-view.so, made
 * of view_*.c and editor_*.c), because they need SDL2 and nothing else does; `throng view` and `throng edit` load it,
 * and it takes the rest of throng from the executable. */
#ifndef THRONG_VIEW_H
#define THRONG_VIEW_H

#include "script/script.h"

#define THRONG_VIEW_VERSION 5

/* What every window can be asked for. */
typedef struct throng_window_def {
    const char *screenshot; /* saves what is shown as a PNG and ends; NULL: the window stays open */
    const char *actions;    /* what a user does, a word a frame (see view_actions.c); may be NULL */
    int64_t frames;         /* ends after so many, -1: when the user quits */
    int64_t width, height;  /* of the window */
    double scale;           /* of letters and lines */
    bool dark;              /* light letters on dark ground */
} throng_window_def;

typedef struct throng_view_def {
    const char *path; /* of the scenario; of a recording, or a folder that holds one, when `replay` */
    bool replay;
    throng_script_def limits;
    throng_overrides overrides;
    double at;          /* s: steps to here first, before a screenshot, too */
    const char *colour; /* what agents are coloured by at first; NULL: their group */
    throng_window_def window;
} throng_view_def;

typedef struct throng_editor_def {
    const char *path;     /* of the map; the map maker's XML may be of one that is not there yet */
    const char *underlay; /* an image to draw over; NULL: the one that the map names */
    throng_window_def window;
} throng_editor_def;

typedef struct throng_view_api {
    uint32_t version; /* THRONG_VIEW_VERSION */
    /* Opens the window and returns when it is closed. False when the scenario or the recording cannot be loaded, there
     * is no display, or a picture cannot be written. */
    bool (*run)(const throng_view_def *def, throng_error *error);
    /* The same with the map maker; false when the map cannot be read. */
    bool (*edit)(const throng_editor_def *def, throng_error *error);
} throng_view_api;

/* Loads it. NULL and a message when it is not there, was not built, or is of another version. */
const throng_view_api *throng_view_load(throng_error *error);

#endif
