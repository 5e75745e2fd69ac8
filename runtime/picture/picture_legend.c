#include "picture_legend.h"

#include <math.h>
#include <stdio.h>

#include "picture_style.h"

enum {
    COLUMN = 280,
    LINE = 36,
    GROUP_GAP = 22,
    MARK = 26,
    LETTERS = 22,
    RAMP_HEIGHT = 96,
    SCALE_HEIGHT = 44,
    MOST_BELOW = 4
};

void throng_legend_add(throng_legend *legend, throng_legend_entry entry)
{
    if (legend->count < THRONG_LEGEND_ROOM)
        legend->entries[legend->count++] = entry;
}

static double entry_height(const throng_legend_entry *entry)
{
    return entry->mark == THRONG_LEGEND_RAMP ? RAMP_HEIGHT : entry->mark == THRONG_LEGEND_SCALE ? SCALE_HEIGHT : LINE;
}

/* One past the last entry of the group that starts at `first`. */
static int32_t group_end(const throng_legend *legend, int32_t first)
{
    int32_t end = first + 1;
    while (end < legend->count && !legend->entries[end].starts_group)
        end++;
    return end;
}

/* Entries of a group that stand below each other where groups stand side by side: four at most, and columns of one
 * height. */
static int32_t entries_below(const throng_legend *legend, int32_t first)
{
    int32_t entries = group_end(legend, first) - first, columns = (entries + MOST_BELOW - 1) / MOST_BELOW;
    return (entries + columns - 1) / columns;
}

static double group_height(const throng_legend *legend, int32_t first)
{
    double height = 0;
    for (int32_t i = first; i < group_end(legend, first); i++)
        height += entry_height(&legend->entries[i]);
    return height * legend->unit;
}

double throng_legend_column_height(const throng_legend *legend)
{
    double height = 0;
    for (int32_t g = 0; g < legend->count; g = group_end(legend, g))
        height += group_height(legend, g) + (g ? GROUP_GAP * legend->unit : 0);
    return height;
}

double throng_legend_row_height(const throng_legend *legend)
{
    double height = 0;
    for (int32_t g = 0; g < legend->count; g = group_end(legend, g)) {
        int32_t below = entries_below(legend, g), entries = group_end(legend, g) - g;
        height = fmax(height, group_height(legend, g) * below / entries);
    }
    return height;
}

throng_colour throng_hatch_paint(const void *context, int32_t x, int32_t y)
{
    const throng_hatch *hatch = context;
    double at = fmod((x + y) / M_SQRT2, hatch->period), edge = fabs(at - hatch->period / 2) - hatch->period / 8;
    return throng_colour_fade(hatch->colour, hatch->colour.a * (float)(edge < -0.5 ? 1 : edge > 0.5 ? 0 : 0.5 - edge));
}

static void draw_box(throng_canvas *canvas, const throng_legend_entry *e, double x, double y, double u)
{
    throng_point corners[] = {{x, y - 9 * u}, {x + MARK * u, y - 9 * u}, {x + MARK * u, y + 9 * u}, {x, y + 9 * u}};
    int32_t start[] = {0, 4};
    throng_outline box = {corners, start, 1};
    throng_hatch hatch = {throng_colour_fade(e->colour, 0.7f), 7 * u};
    if (e->mark == THRONG_LEGEND_HATCH)
        throng_canvas_fill_with(canvas, &box, throng_hatch_paint, &hatch);
    else
        throng_canvas_fill(canvas, &box, e->colour);
    throng_canvas_stroke(canvas, corners, 4, true, 1.5 * u, throng_colour_fade(e->colour, 0.9f));
}

static void draw_mark(throng_canvas *canvas, const throng_legend_entry *e, double x, double y, double u)
{
    double middle = x + MARK * u / 2;
    if (e->mark == THRONG_LEGEND_AGENT) {
        throng_canvas_disc(canvas, middle, y, 9 * u, e->colour);
        throng_canvas_line(canvas, middle, y, middle + 7 * u, y, 2.6 * u, throng_colour_hex(THRONG_STYLE_FREE));
    } else if (e->mark == THRONG_LEGEND_LINE) {
        double cap = e->value / 2 * u; /* the round ends stay in the column */
        throng_canvas_line(canvas, x + cap, y, x + MARK * u - cap, y, e->value * u, e->colour);
    } else {
        draw_box(canvas, e, x, y, u);
    }
}

static throng_colour ramp_paint(const void *context, int32_t x, int32_t y)
{
    (void)y;
    const double *ends = context;
    return throng_style_ramp((x + 0.5 - ends[0]) / (ends[1] - ends[0]));
}

/* Ticks at 0, a quarter and all of `top`: the ramp goes by the square root. */
static void draw_ramp_ticks(throng_canvas *canvas, double x, double y, double width, double top, double u)
{
    throng_colour ink = throng_colour_hex(THRONG_STYLE_FAINT_INK);
    for (int tick = 0; tick <= 2; tick++) {
        double at = x + width * tick / 2;
        throng_align align = tick == 0 ? THRONG_ALIGN_LEFT : tick == 1 ? THRONG_ALIGN_CENTRE : THRONG_ALIGN_RIGHT;
        throng_lettering letters = throng_style_letters(20 * u, THRONG_STYLE_FAINT_INK, align);
        char text[32];
        snprintf(text, sizeof text, "%s%.3g", tick == 2 ? "≥ " : "", top * tick * tick / 4);
        throng_canvas_line(canvas, at, y, at, y + 5 * u, 1.2 * u, ink);
        throng_canvas_text(canvas, &letters, at, y + 25 * u, text);
    }
}

static void draw_ramp(throng_canvas *canvas, const throng_legend_entry *e, double x, double y, double u)
{
    double ends[] = {x, x + COLUMN * u}, top = y + 36 * u, bottom = y + 56 * u;
    throng_lettering name = throng_style_letters(LETTERS * u, THRONG_STYLE_INK, THRONG_ALIGN_LEFT);
    throng_lettering unit = throng_style_letters(19 * u, THRONG_STYLE_FAINT_INK, THRONG_ALIGN_RIGHT);
    throng_canvas_text(canvas, &name, x, y + 24 * u, e->text);
    throng_canvas_text(canvas, &unit, ends[1], y + 24 * u, "persons/m²");
    throng_point corners[] = {{x, top}, {ends[1], top}, {ends[1], bottom}, {x, bottom}};
    int32_t start[] = {0, 4};
    throng_outline bar = {corners, start, 1};
    throng_canvas_fill(canvas, &bar, throng_colour_hex(THRONG_STYLE_FREE));
    throng_canvas_fill_with(canvas, &bar, ramp_paint, ends);
    throng_canvas_stroke(canvas, corners, 4, true, 1.2 * u, throng_colour_hex(THRONG_STYLE_FAINT_INK));
    draw_ramp_ticks(canvas, x, bottom, COLUMN * u, e->value, u);
}

static void draw_scale(throng_canvas *canvas, const throng_legend_entry *e, double x, double y, double u)
{
    double metres = throng_style_round_down(COLUMN * u / e->value), width = metres * e->value, base = y + 36 * u;
    throng_colour ink = throng_colour_hex(THRONG_STYLE_INK);
    throng_lettering letters = throng_style_letters(LETTERS * u, THRONG_STYLE_INK, THRONG_ALIGN_CENTRE);
    char text[32];
    snprintf(text, sizeof text, metres >= 1000 ? "%.4g km" : "%.3g m", metres >= 1000 ? metres / 1000 : metres);
    throng_canvas_text(canvas, &letters, x + width / 2, base - 12 * u, text);
    throng_point bar[] = {{x, base - 8 * u}, {x, base}, {x + width, base}, {x + width, base - 8 * u}};
    throng_canvas_stroke(canvas, bar, 4, false, 2.4 * u, ink);
}

static void draw_entry(throng_canvas *canvas, const throng_legend_entry *e, double x, double y, double u)
{
    throng_lettering letters = throng_style_letters(LETTERS * u, THRONG_STYLE_INK, THRONG_ALIGN_LEFT);
    switch (e->mark) {
    case THRONG_LEGEND_RAMP: draw_ramp(canvas, e, x, y, u); break;
    case THRONG_LEGEND_SCALE: draw_scale(canvas, e, x, y, u); break;
    default:
        draw_mark(canvas, e, x, y + LINE * u / 2, u);
        throng_canvas_text(canvas, &letters, x + (MARK + 14) * u, y + (LINE / 2 + 8) * u, e->text);
    }
}

static void draw_entries(const throng_legend *legend, throng_canvas *canvas, int32_t first, int32_t end, double x,
                         double y)
{
    for (int32_t i = first; i < end; i++) {
        draw_entry(canvas, &legend->entries[i], x, y, legend->unit);
        y += entry_height(&legend->entries[i]) * legend->unit;
    }
}

void throng_legend_draw_column(const throng_legend *legend, throng_canvas *canvas, double x, double y, double bottom)
{
    for (int32_t g = 0; g < legend->count; g = group_end(legend, g)) {
        bool last = group_end(legend, g) == legend->count;
        double height = group_height(legend, g);
        draw_entries(legend, canvas, g, group_end(legend, g), x, last ? fmax(y, bottom - height) : y);
        y += height + GROUP_GAP * legend->unit;
    }
}

static double entry_width(const throng_legend_entry *e, double u)
{
    if (e->mark == THRONG_LEGEND_RAMP)
        return COLUMN * u;
    if (e->mark == THRONG_LEGEND_SCALE)
        return throng_style_round_down(COLUMN * u / e->value) * e->value;
    throng_lettering letters = throng_style_letters(LETTERS * u, THRONG_STYLE_INK, THRONG_ALIGN_LEFT);
    return (MARK + 14) * u + throng_text_width(&letters, e->text);
}

/* Of the entries from `first` to before `end`. */
static double column_width(const throng_legend *legend, int32_t first, int32_t end)
{
    double width = 0;
    for (int32_t i = first; i < end; i++)
        width = fmax(width, entry_width(&legend->entries[i], legend->unit));
    return width;
}

/* Draws a group in its columns, or (no canvas) only says how wide it is. */
static double draw_columns(const throng_legend *legend, throng_canvas *canvas, int32_t first, double x, double y)
{
    int32_t end = group_end(legend, first), below = entries_below(legend, first);
    double at = x;
    for (int32_t from = first; from < end; from += below) {
        int32_t to = from + below < end ? from + below : end;
        at += from > first ? 2 * GROUP_GAP * legend->unit : 0;
        if (canvas)
            draw_entries(legend, canvas, from, to, at, y);
        at += column_width(legend, from, to);
    }
    return at - x;
}

void throng_legend_draw_row(const throng_legend *legend, throng_canvas *canvas, double x0, double x1, double y)
{
    double used = 0;
    int32_t groups = 0;
    for (int32_t g = 0; g < legend->count; g = group_end(legend, g), groups++)
        used += draw_columns(legend, NULL, g, 0, 0);
    double gap = groups > 1 ? fmax((x1 - x0 - used) / (groups - 1), GROUP_GAP * legend->unit) : 0;
    for (int32_t g = 0; g < legend->count; g = group_end(legend, g)) {
        x0 += draw_columns(legend, canvas, g, x0, y) + gap;
    }
}
