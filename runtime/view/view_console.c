/* A line of Lua below the plan, evaluated as in throng repl, about the world as it is now. */
#include "view_controls.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROW = 19, SHOWN = 12, PAD = 14, LETTERS = 13, COLUMNS = 150 };

void throng_console_fini(throng_console *console)
{
    for (int i = 0; i < console->said_count; i++)
        free(console->said[i]);
    for (int i = 0; i < console->past_count; i++)
        free(console->past[i]);
    *console = (throng_console){0};
}

/* ---- what was said */

/* At the end of one of the lists, whose first entry goes when it is full. */
static void append(char **list, int *count, int room, const char *text, size_t size)
{
    char *copy = strndup(text, size);
    if (!copy)
        return; /* a line less to be seen */
    if (*count == room) {
        free(list[0]);
        memmove(list, list + 1, (size_t)(room - 1) * sizeof *list);
        --*count;
    }
    list[(*count)++] = copy;
}

/* As much of a line as is shown in one row, broken between words. */
static size_t fitting(const char *text, size_t length, size_t columns)
{
    if (length <= columns)
        return length;
    size_t shown = columns;
    while (shown > columns / 2 && text[shown] != ' ')
        shown--;
    return shown > columns / 2 ? shown : columns;
}

static void say(void *context, const char *text, size_t size)
{
    throng_console *console = context;
    const char *end = text + size;
    while (text < end) {
        size_t line = strcspn(text, "\n"), shown = fitting(text, line, console->columns);
        append(console->said, &console->said_count, THRONG_CONSOLE_LINES, text, shown);
        text += shown + strspn(text + shown, shown < line ? " " : "");
        text += shown == line && text < end; /* its end */
    }
}

/* ---- a line */

static bool begin(throng_viewer *viewer, throng_error *error)
{
    throng_console *console = &viewer->console;
    console->lines = (throng_lines){.write = say, .context = console};
    if (!console->begun)
        console->begun = throng_script_begin_lines(viewer->session.live.script, &console->lines, error);
    return console->begun;
}

static void evaluate(throng_viewer *viewer)
{
    throng_console *console = &viewer->console;
    throng_error error;
    char shown[THRONG_CONSOLE_LONGEST + 4];
    double letters = (viewer->width - (32 + 2 * PAD) * viewer->unit) / (7.2 * viewer->unit);
    console->columns = (size_t)fmin(fmax(letters, 20), COLUMNS);
    snprintf(shown, sizeof shown, "%s%s", console->more ? ">> " : "> ", console->line);
    say(console, shown, strlen(shown));
    if (*console->line)
        append(console->past, &console->past_count, THRONG_CONSOLE_LINES, console->line, strlen(console->line));
    viewer->past.shown = NULL; /* it is about now */
    if (!begin(viewer, &error) ||
        !throng_script_take_line(viewer->session.live.script, console->line, &console->more, &error))
        say(console, error.text, strlen(error.text));
    console->line[0] = 0;
    console->at = console->past_count;
    throng_viewer_touched(viewer);
}

/* What all that the last word may become have in common. */
static void complete(throng_viewer *viewer)
{
    throng_console *console = &viewer->console;
    throng_error error;
    size_t length = strlen(console->line), start = length;
    while (start > 0 && !strchr(" \t\"'`(){}[]=<>,;+-*/%^#~|&", console->line[start - 1]))
        start--;
    char **names =
        begin(viewer, &error) ? throng_script_complete(viewer->session.live.script, console->line + start) : NULL;
    size_t common = names ? strlen(names[0]) : 0;
    for (int i = 0; names && names[i]; i++) {
        size_t same = 0;
        while (same < common && names[i][same] == names[0][same])
            same++;
        common = same;
    }
    if (names && start + common > length && start + common < sizeof console->line) {
        memcpy(console->line + start, names[0], common);
        console->line[start + common] = 0;
    }
    for (int i = 0; names && names[i]; i++)
        free(names[i]);
    free(names);
}

/* A line of before, or the empty one after the last. */
static void recall(throng_console *console, int step)
{
    int at = console->at + step;
    if (at < 0 || at > console->past_count)
        return;
    console->at = at;
    snprintf(console->line, sizeof console->line, "%s", at < console->past_count ? console->past[at] : "");
}

static void erase(throng_console *console)
{
    size_t length = strlen(console->line);
    while (length > 0 && (console->line[length - 1] & 0xc0) == 0x80) /* the rest of a letter of several bytes */
        length--;
    console->line[length > 0 ? length - 1 : 0] = 0;
}

/* ---- keys */

void throng_console_open(throng_viewer *viewer)
{
    if (viewer->past.replay)
        throng_viewer_note(viewer, "a recording has no world to run Lua in");
    viewer->console.open = !viewer->past.replay;
    viewer->console.at = viewer->console.past_count;
}

void throng_console_text(throng_viewer *viewer, const char *text)
{
    throng_console *console = &viewer->console;
    size_t length = strlen(console->line);
    if (length + strlen(text) < sizeof console->line)
        memcpy(console->line + length, text, strlen(text) + 1);
}

void throng_console_key(throng_viewer *viewer, SDL_Keycode code)
{
    switch (code) {
    case SDLK_RETURN:
    case SDLK_KP_ENTER: evaluate(viewer); break;
    case SDLK_BACKSPACE: erase(&viewer->console); break;
    case SDLK_TAB: complete(viewer); break;
    case SDLK_UP: recall(&viewer->console, -1); break;
    case SDLK_DOWN: recall(&viewer->console, 1); break;
    case SDLK_ESCAPE: viewer->console.open = false; break;
    default: break;
    }
}

/* ---- drawn */

/* The rows of a table, each word ending where it does in letters of one width. */
static void draw_row(throng_viewer *viewer, double x, double baseline, const char *text)
{
    for (const char *c = text; *c;) {
        size_t length = strcspn(c + strspn(c, " "), " ");
        c += strspn(c, " ");
        throng_view_text(viewer, x + 7.4 * viewer->unit * (double)(c + length - text), baseline, LETTERS,
                         THRONG_STYLE_INK, false, THRONG_ALIGN_RIGHT, "%.*s", (int)length, c);
        c += length;
    }
}

static void draw_said(throng_viewer *viewer, double x, double baseline, const char *text)
{
    if (strncmp(text, "   ", 3) == 0)
        draw_row(viewer, x, baseline, text);
    else
        throng_view_text(viewer, x, baseline, LETTERS, *text == '>' ? THRONG_STYLE_FAINT_INK : THRONG_STYLE_INK, false,
                         THRONG_ALIGN_LEFT, "%s", text);
}

void throng_console_draw(throng_viewer *viewer)
{
    throng_console *console = &viewer->console;
    if (!console->open)
        return;
    int rows = console->said_count < SHOWN ? console->said_count : SHOWN;
    double u = viewer->unit, x0 = 16 * u, x1 = viewer->width - 16 * u, left = x0 + PAD * u;
    double y1 = viewer->height - throng_hud_bar_height(viewer) - 12 * u,
           y0 = y1 - (30 + ROW * rows + (rows ? 12 : 0)) * u;
    double baseline = y1 - 10.5 * u;
    throng_hud_card(viewer, x0, y0, x1, y1);
    for (int i = 0; i < rows; i++)
        draw_said(viewer, left, y0 + (20 + ROW * i) * u, console->said[console->said_count - rows + i]);
    if (rows)
        throng_batch_rect(&viewer->batch, x0, y1 - 31 * u, x1, y1 - 30 * u, throng_view_colour(THRONG_STYLE_RULE, 1));
    double x = left +
               throng_view_text(viewer, left, baseline, LETTERS, THRONG_STYLE_LINE, true, THRONG_ALIGN_LEFT, "%s",
                                console->more ? ">>" : ">") +
               8 * u;
    if (*console->line)
        x += throng_view_text(viewer, x, baseline, LETTERS, THRONG_STYLE_INK, false, THRONG_ALIGN_LEFT, "%s",
                              console->line) +
             2 * u;
    else
        throng_view_text(viewer, x + 6 * u, baseline, LETTERS, THRONG_STYLE_FAINT_INK, false, THRONG_ALIGN_LEFT, "%s",
                         "Lua: a group's name, world, step(10); Tab completes, Esc closes");
    throng_batch_rect(&viewer->batch, floor(x), y1 - 23 * u, floor(x) + fmax(floor(1.5 * u), 1), y1 - 7 * u,
                      throng_view_colour(THRONG_STYLE_LINE, 1));
}
