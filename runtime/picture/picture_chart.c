/* The evacuation curve: how many people are out by when. */
#include "picture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "canvas.h"
#include "picture_style.h"

enum { WIDTH = 1600, MARGIN = 56, PLOT_HEIGHT = 600, LABELS_LEFT = 84, LABELS_BELOW = 74, TICK_LETTERS = 22 };

typedef struct chart {
    const throng_curve_picture *curve;
    throng_canvas *canvas;
    double u;              /* pixels a style unit */
    double x0, y0, x1, y1; /* pixels of the plot; y0 is its upper edge */
    double time_end, value_end;
    int32_t drawn; /* points with finite coordinates at the start of the curve */
} chart;

static throng_point chart_point(const chart *c, double time, double value)
{
    return (throng_point){c->x0 + (c->x1 - c->x0) * time / c->time_end, c->y1 - (c->y1 - c->y0) * value / c->value_end};
}

static double tick_step(double range, int most) { return throng_style_round_up(range / most); }

static void draw_value_axis(const chart *c)
{
    double step = fmax(tick_step(c->curve->total, 6), 1);
    throng_lettering letters = throng_style_letters(TICK_LETTERS * c->u, THRONG_STYLE_FAINT_INK, THRONG_ALIGN_RIGHT);
    for (double value = 0; value <= c->value_end; value += step) {
        char text[32];
        double y = chart_point(c, 0, value).y;
        snprintf(text, sizeof text, "%.0f", value);
        throng_canvas_line(c->canvas, c->x0, y, c->x1, y, (value > 0 ? 1.2 : 2) * c->u,
                           throng_colour_hex(value > 0 ? THRONG_STYLE_RULE : THRONG_STYLE_FAINT_INK));
        throng_canvas_text(c->canvas, &letters, c->x0 - 16 * c->u, y + 8 * c->u, text);
    }
    letters.align = THRONG_ALIGN_LEFT;
    throng_canvas_text(c->canvas, &letters, MARGIN * c->u, c->y0 - 22 * c->u, "people out");
}

static void draw_time_axis(const chart *c)
{
    double step = tick_step(c->time_end, 9);
    int digits = step < 1 ? (int)ceil(-log10(step) - 1e-9) : 0;
    throng_lettering letters = throng_style_letters(TICK_LETTERS * c->u, THRONG_STYLE_FAINT_INK, THRONG_ALIGN_CENTRE);
    for (int tick = 0; tick * step <= c->time_end; tick++) {
        char text[32];
        double x = chart_point(c, tick * step, 0).x;
        snprintf(text, sizeof text, "%.*f", digits, tick * step);
        throng_canvas_line(c->canvas, x, c->y1, x, c->y1 + 8 * c->u, 2 * c->u,
                           throng_colour_hex(THRONG_STYLE_FAINT_INK));
        throng_canvas_text(c->canvas, &letters, x, c->y1 + 36 * c->u, text);
    }
    letters.align = THRONG_ALIGN_RIGHT;
    throng_canvas_text(c->canvas, &letters, c->x1, c->y1 + 70 * c->u, "time, s");
}

/* The curve as the staircase it is: nobody is out between two arrivals. With
 * three more points for the area below it; returns the staircase's own count. */
static int32_t make_stairs(const chart *c, throng_point *stairs)
{
    int32_t count = 0;
    double level = 0;
    stairs[count++] = chart_point(c, 0, 0);
    for (int32_t i = 0; i < c->drawn; i++) {
        stairs[count++] = chart_point(c, c->curve->time[i], level);
        level = (double)c->curve->value[i];
        stairs[count++] = chart_point(c, c->curve->time[i], level);
    }
    stairs[count] = (throng_point){stairs[count - 1].x, c->y1};
    return count;
}

static bool draw_curve(const chart *c)
{
    throng_point *stairs = malloc((2 * (size_t)c->drawn + 2) * sizeof *stairs);
    if (!stairs)
        return false;
    int32_t count = make_stairs(c, stairs), start[] = {0, count + 1};
    throng_colour line = throng_colour_hex(THRONG_STYLE_LINE);
    throng_canvas_fill(c->canvas, &(throng_outline){stairs, start, 1}, throng_colour_fade(line, 0.12f));
    throng_canvas_stroke(c->canvas, stairs, count, false, 3.2 * c->u, line);
    free(stairs);
    return true;
}

static void draw_dots(const chart *c, double x, double from, double to)
{
    for (double y = from; y < to; y += 9 * c->u)
        throng_canvas_disc(c->canvas, x, y, 1.3 * c->u, throng_colour_hex(THRONG_STYLE_FAINT_INK));
}

/* The label of a mark stands left of it and above: a curve that only rises is
 * never there. At the left edge, where there is no room, it stands to the right. */
static double draw_mark_label(const chart *c, throng_point at, int percent, double time, double below)
{
    char share[32], when[64];
    snprintf(share, sizeof share, "%d %%", percent);
    snprintf(when, sizeof when, "%.1f s", time);
    throng_lettering bold = throng_style_bold(24 * c->u, THRONG_STYLE_INK, THRONG_ALIGN_LEFT);
    throng_lettering plain = throng_style_letters(24 * c->u, THRONG_STYLE_INK, THRONG_ALIGN_LEFT);
    double gap = 10 * c->u, wide = throng_text_width(&bold, share) + gap + throng_text_width(&plain, when);
    double x = at.x - 16 * c->u - wide, y = at.y - 8 * c->u;
    if (x < c->x0 + gap) {
        x = at.x + 18 * c->u;
        y = at.y + 30 * c->u;
    }
    y = y > below - 30 * c->u ? fmin(y, below - 30 * c->u) : y; /* over that of the mark before */
    x += throng_canvas_text(c->canvas, &bold, x, y, share) + gap;
    throng_canvas_text(c->canvas, &plain, x, y, when);
    return y;
}

/* The first point where so many per cent were out; `drawn` when they never were. */
static int32_t moment_of(const chart *c, int percent)
{
    double goal = c->curve->total * percent / 100 * (1 - 1e-6);
    int32_t i = 0;
    while (i < c->drawn && c->curve->value[i] < goal)
        i++;
    return i;
}

/* Marks the moment `percent` of the people were out, its label over `below`; returns where that is. */
static double draw_mark(const chart *c, int32_t i, int percent, double below)
{
    throng_point at = chart_point(c, c->curve->time[i], c->curve->value[i]);
    draw_dots(c, at.x, at.y + 14 * c->u, c->y1);
    throng_canvas_disc(c->canvas, at.x, at.y, 9 * c->u, throng_colour_hex(THRONG_STYLE_LINE));
    throng_canvas_disc(c->canvas, at.x, at.y, 5.5 * c->u, throng_colour_hex(THRONG_STYLE_FREE));
    double time = percent == 100 && c->curve->last > 0 ? c->curve->last : (double)c->curve->time[i];
    return draw_mark_label(c, at, percent, time, below);
}

static void draw_marks(const chart *c)
{
    static const int percents[] = {50, 95, 100};
    double below = INFINITY;
    for (int i = 0; i < 3; i++) {
        int32_t at = moment_of(c, percents[i]);
        bool same = i < 2 && moment_of(c, percents[i + 1]) == at; /* of one and the same moment, the most */
        if (at < c->drawn && !same)
            below = draw_mark(c, at, percents[i], below);
    }
    if (c->drawn)
        return;
    throng_lettering note = throng_style_letters(26 * c->u, THRONG_STYLE_FAINT_INK, THRONG_ALIGN_CENTRE);
    throng_canvas_text(c->canvas, &note, (c->x0 + c->x1) / 2, (c->y0 + c->y1) / 2, "nobody is out yet");
}

static int32_t finite_points(const throng_curve_picture *curve)
{
    int32_t count = 0;
    while (count < curve->count && isfinite(curve->time[count]) && isfinite(curve->value[count]))
        count++;
    return count;
}

static bool open_chart(chart *c, const throng_page_head *head)
{
    double u = c->u, top = MARGIN * u + throng_page_head_height(head, u) + 40 * u;
    c->x0 = (MARGIN + LABELS_LEFT) * u;
    c->x1 = (WIDTH - MARGIN) * u;
    c->y0 = top;
    c->y1 = top + PLOT_HEIGHT * u;
    double last = c->drawn ? c->curve->time[c->drawn - 1] : 0;
    c->time_end = last > 0 ? 1.04 * last : 1;
    c->value_end = c->curve->total * 1.07;
    c->canvas = throng_canvas_create((int32_t)(WIDTH * u), (int32_t)(c->y1 + (LABELS_BELOW + MARGIN) * u),
                                     throng_colour_hex(THRONG_STYLE_PAPER));
    return c->canvas != NULL;
}

bool throng_picture_curve(const char *path, const throng_curve_picture *curve, throng_error *error)
{
    if (!(curve->total > 0) || !isfinite(curve->total))
        return throng_fail(error, "cannot draw '%s': a total of %g people; expected a positive number", path,
                           curve->total);
    throng_page_head head = {curve->title, curve->subtitle, NULL};
    chart c = {.curve = curve, .u = 1, .drawn = finite_points(curve)};
    if (!open_chart(&c, &head))
        return throng_fail(error, "cannot draw '%s': out of memory", path);
    throng_page_head_draw(c.canvas, &head, MARGIN, WIDTH - MARGIN, MARGIN, 1);
    throng_canvas_rect(c.canvas, c.x0, c.y0, c.x1, c.y1, throng_colour_hex(THRONG_STYLE_FREE));
    draw_value_axis(&c);
    draw_time_axis(&c);
    bool ok = draw_curve(&c);
    draw_marks(&c);
    ok = ok ? throng_canvas_save(c.canvas, path, error) : throng_fail(error, "cannot draw '%s': out of memory", path);
    throng_canvas_destroy(c.canvas);
    return ok;
}
