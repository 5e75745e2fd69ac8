/* What the viewer offers. It is a shared object of its own (throng-view.so, made of view_*.c), because it needs SDL2
 * and nothing else does; `throng view` loads it, and it takes the rest of throng from the executable. */
#ifndef THRONG_VIEW_H
#define THRONG_VIEW_H

#include "script.h"

#define THRONG_VIEW_VERSION 1

typedef struct throng_view_def {
    const char *path; /* of the scenario */
    throng_script_def limits;
    throng_overrides overrides;
    double at;              /* s: steps to here first */
    const char *screenshot; /* saves the view at `at` as a PNG and ends; NULL: a window stays open */
    const char *actions;    /* what a user does, a word a frame (see view_actions.c); may be NULL */
    int64_t frames;         /* ends after so many, -1: when the user quits */
    const char *colour;     /* what agents are coloured by at first; NULL: their kind */
    int32_t width, height;  /* of the window */
    double scale;           /* of letters and lines */
} throng_view_def;

typedef struct throng_view_api {
    uint32_t version; /* THRONG_VIEW_VERSION */
    /* Opens the window and returns when it is closed. False when the scenario cannot be loaded, there is no display,
     * or a picture cannot be written. */
    bool (*run)(const throng_view_def *def, throng_error *error);
} throng_view_api;

#endif
