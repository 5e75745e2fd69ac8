/* A line of Lua in the window, evaluated as in throng repl. */
#ifndef THRONG_VIEW_CONSOLE_H
#define THRONG_VIEW_CONSOLE_H

#include <SDL2/SDL.h>
#include "script/script.h"

typedef struct throng_viewer throng_viewer;

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

#endif
