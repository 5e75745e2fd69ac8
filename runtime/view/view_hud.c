#include "view_controls.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LETTERS = 13 };

/* ---- the bar */

static void draw_state(throng_viewer *viewer, double x, double middle)
{
    double u = viewer->unit;
    SDL_Color ink = throng_view_colour(THRONG_STYLE_INK, 1);
    SDL_FPoint triangle[] = {
        {(float)x, (float)(middle - 6 * u)}, {(float)(x + 11 * u), (float)middle}, {(float)x, (float)(middle + 6 * u)}};
    if (viewer->playing) {
        throng_batch_convex(&viewer->batch, triangle, 3, ink);
        return;
    }
    throng_batch_rect(&viewer->batch, floor(x), middle - 6 * u, floor(x + 4 * u), middle + 6 * u, ink);
    throng_batch_rect(&viewer->batch, floor(x + 7 * u), middle - 6 * u, floor(x + 11 * u), middle + 6 * u, ink);
}

/* Text from x on; where the next may begin. */
static double put(throng_viewer *viewer, double x, double baseline, uint32_t rgb, bool bold, const char *text)
{
    return x + throng_view_text(viewer, x, baseline, LETTERS, rgb, bold, THRONG_ALIGN_LEFT, "%s", text) +
           22 * viewer->unit;
}

void throng_hud_note(throng_viewer *viewer)
{
    double baseline = viewer->height - (THRONG_BAR_HEIGHT - 25) * viewer->unit;
    if (viewer->clock < viewer->note_until)
        put(viewer, viewer->note_x, baseline, THRONG_STYLE_LINE, false, viewer->note);
    else if (viewer->past.shown && !viewer->past.replay)
        put(viewer, viewer->note_x, baseline, THRONG_STYLE_LINE, false, "the past; End shows now");
    else if (viewer->session.ended)
        put(viewer, viewer->note_x, baseline, THRONG_STYLE_EXIT, false, viewer->session.ending);
}

static void draw_left(throng_viewer *viewer, double baseline)
{
    char text[THRONG_TEXT_LONGEST];
    const throng_session *session = &viewer->session;
    double x = 42 * viewer->unit;
    snprintf(text, sizeof text, "%.1f s", throng_shown_time(viewer));
    put(viewer, x, baseline, THRONG_STYLE_INK, true, text);
    x += 78 * viewer->unit; /* the digits move, what follows does not */
    x = put(viewer, x, baseline, THRONG_STYLE_INK, false, session->live.scenario.name);
    snprintf(text, sizeof text, "%d agent%s%s", viewer->crowd.count, viewer->crowd.count == 1 ? "" : "s",
             viewer->crowd.massed ? ", as density" : "");
    x = put(viewer, x, baseline, THRONG_STYLE_FAINT_INK, false, text);
    viewer->note_x = x;
    if (!viewer->film) /* else it is shown beside what is filmed */
        throng_hud_note(viewer);
}

static void draw_right(throng_viewer *viewer, double baseline)
{
    char text[THRONG_TEXT_LONGEST];
    double x = viewer->width - 16 * viewer->unit, asked = viewer->speed, u = viewer->unit;
    const throng_session *session = &viewer->session;
    throng_view_text(viewer, x, baseline, LETTERS, THRONG_STYLE_FAINT_INK, false, THRONG_ALIGN_RIGHT, "? keys");
    x -= 66 * u;
    snprintf(text, sizeof text, "×%g", asked);
    if (viewer->playing && !viewer->fixed_clock && session->pace > 0 && session->pace < 0.9 * asked)
        snprintf(text, sizeof text, "×%g, held at ×%.2g", asked, session->pace);
    x -= throng_view_text(viewer, x, baseline, LETTERS, THRONG_STYLE_INK, true, THRONG_ALIGN_RIGHT, "%s", text);
    if (viewer->fixed_clock ||
        viewer->past.replay) /* figures of the machine have no place in pictures that should come out alike */
        return;
    throng_view_text(viewer, x - 22 * u, baseline, LETTERS, THRONG_STYLE_FAINT_INK, false, THRONG_ALIGN_RIGHT,
                     "%.3g ms a step, %.3g ms a frame", session->step_ms, viewer->frame_ms);
}

static void draw_bar(throng_viewer *viewer)
{
    double u = viewer->unit, top = viewer->height - THRONG_BAR_HEIGHT * u, baseline = top + 25 * u;
    throng_batch_rect(&viewer->batch, 0, top - u, viewer->width, top, throng_view_colour(THRONG_STYLE_RULE, 1));
    throng_batch_rect(&viewer->batch, 0, top, viewer->width, viewer->height, throng_view_colour(0xffffff, 1));
    draw_state(viewer, 17 * u, top + THRONG_BAR_HEIGHT / 2.0 * u);
    draw_left(viewer, baseline);
    draw_right(viewer, baseline);
}

static void draw_scale_bar(throng_viewer *viewer)
{
    if (viewer->ride.mode)
        return; /* what is near is larger */
    double u = viewer->unit, metres = throng_style_round_up(60 * u / viewer->camera.scale);
    double length = metres * viewer->camera.scale, x1 = viewer->width - 20 * u;
    double y = viewer->height - throng_hud_bar_height(viewer) - 18 * u;
    SDL_Color ink = throng_view_colour(THRONG_STYLE_INK, 0.8f);
    throng_batch_rect(&viewer->batch, floor(x1 - length), floor(y), floor(x1), floor(y + 2 * u), ink);
    throng_view_text(viewer, x1, y - 6 * u, 12, THRONG_STYLE_INK, false, THRONG_ALIGN_RIGHT, "%g m", metres);
}

/* ---- keys, in the middle */

static void draw_help(throng_viewer *viewer)
{
    enum { WIDTH = 430, ROW = 25, PAD = 28 };
    int rows = 0;
    while (throng_view_keys[rows].keys)
        rows++;
    double u = viewer->unit, x = floor((viewer->width - WIDTH * u) / 2);
    double most = viewer->height - throng_hud_bar_height(viewer) - 16 * u, row = ROW * u; /* closer in low windows */
    row = fmin(row, (most - (2 * PAD + 34) * u) / rows);
    double height = (2 * PAD + 34) * u + rows * row, y = floor(fmax((most + 16 * u - height) / 2, 0));
    throng_hud_card(viewer, x, y, x + WIDTH * u, y + height);
    throng_view_text(viewer, x + PAD * u, y + (PAD + 14) * u, 17, THRONG_STYLE_INK, true, THRONG_ALIGN_LEFT, "Keys");
    for (int i = 0; i < rows; i++) {
        double baseline = y + (PAD + 34 + 18) * u + i * row;
        throng_view_text(viewer, x + PAD * u, baseline, LETTERS, THRONG_STYLE_INK, true, THRONG_ALIGN_LEFT, "%s",
                         throng_view_keys[i].keys);
        throng_view_text(viewer, x + (PAD + 118) * u, baseline, LETTERS, THRONG_STYLE_FAINT_INK, false,
                         THRONG_ALIGN_LEFT, "%s", throng_view_keys[i].text);
    }
}

/* ---- trouble, across the top */

enum { TROUBLE_ROWS = 12, TROUBLE_COLUMNS = 140 };

/* The next line of at most TROUBLE_COLUMNS bytes, broken between words; moves on. */
static bool next_line(const char **text, char *line)
{
    if (!**text)
        return false;
    size_t length = strcspn(*text, "\n"), taken = length;
    if (length > TROUBLE_COLUMNS) {
        taken = TROUBLE_COLUMNS;
        while (taken > 60 && (*text)[taken] != ' ')
            taken--;
    }
    memcpy(line, *text, taken);
    line[taken] = 0;
    *text += taken;
    while (**text == ' ' && taken < length)
        (*text)++;
    if (**text == '\n')
        (*text)++;
    return true;
}

static void draw_trouble(throng_viewer *viewer)
{
    char lines[TROUBLE_ROWS][TROUBLE_COLUMNS + 1];
    const char *text = viewer->session.trouble;
    int count = 0;
    while (count < TROUBLE_ROWS && next_line(&text, lines[count]))
        count++;
    double u = viewer->unit, x = 16 * u, y = x, width = viewer->width - 2 * x, height = (62 + 20 * count) * u;
    throng_hud_card(viewer, x, y, x + width, y + height);
    throng_batch_rect(&viewer->batch, x, y, x + 5 * u, y + height, throng_view_colour(0xd55e00, 1));
    for (int i = 0; i < count; i++)
        throng_view_text(viewer, x + 24 * u, y + (28 + 20 * i) * u, 14, i ? THRONG_STYLE_FAINT_INK : THRONG_STYLE_INK,
                         i == 0, THRONG_ALIGN_LEFT, "%s", lines[i]);
    throng_view_text(viewer, x + 24 * u, y + height - 16 * u, LETTERS, THRONG_STYLE_LINE, false, THRONG_ALIGN_LEFT,
                     "%s", "Save the scenario again and it is reloaded. Esc puts this text away.");
}

void throng_hud_draw(throng_viewer *viewer)
{
    draw_scale_bar(viewer);
    throng_colouring_legend(viewer);
    throng_sliders_draw(viewer);
    throng_heat_layer_legend(viewer);
    throng_agent_panel(viewer);
    draw_bar(viewer);
    throng_timeline_draw(viewer);
    throng_console_draw(viewer);
    if (viewer->session.trouble)
        draw_trouble(viewer);
    if (viewer->help)
        draw_help(viewer);
    throng_batch_flush(&viewer->batch);
}
