/* What the commands that open a window have in common: throng view, replay and edit. */
#ifndef THRONG_CLI_WINDOW_H
#define THRONG_CLI_WINDOW_H

#include "cli.h"
#include "view/view.h"

#define THRONG_WINDOW_DEFAULT                                                                                          \
    {                                                                                                                  \
        .frames = -1, .width = 1280, .height = 800, .scale = 1                                                         \
    }

/* Rows of the list that throng_cli_options takes; `o` points to the throng_window_def. */
#define THRONG_WINDOW_OPTIONS(o)                                                                                       \
    {"--dark", THRONG_OPTION_SWITCH, &(o)->dark, 0, 0}, {"--screenshot", THRONG_OPTION_TEXT, &(o)->screenshot, 0, 0},  \
        {"--do", THRONG_OPTION_TEXT, &(o)->actions, 0, 0}, {"--frames", THRONG_OPTION_WHOLE, &(o)->frames, 0, 1e9},    \
        {"--width", THRONG_OPTION_WHOLE, &(o)->width, 640, 16384},                                                     \
        {"--height", THRONG_OPTION_WHOLE, &(o)->height, 480, 16384},                                                   \
    {                                                                                                                  \
        "--scale", THRONG_OPTION_NUMBER, &(o)->scale, 0.5, 4                                                           \
    }

#endif
