/* What lies over the plan: cards, the scale, the list of keys, trouble. */
#include "view_controls.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LETTERS = 13 };

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
    throng_floor_list_draw(viewer);
    throng_heat_layer_legend(viewer);
    throng_agent_panel(viewer);
    throng_bar_draw(viewer);
    throng_timeline_draw(viewer);
    throng_console_draw(viewer);
    if (viewer->session.trouble)
        draw_trouble(viewer);
    if (viewer->help)
        draw_help(viewer);
    throng_bar_hint(viewer);
    throng_batch_flush(&viewer->batch);
}
