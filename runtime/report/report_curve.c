/* Curves as SVG: no library, text that can be searched, colours from the page's own style. */
#include <math.h>

#include "base/xml.h"
#include "picture/picture_style.h"
#include "report_parts.h"

enum { WIDTH = 640, HEIGHT = 260, LEFT = 56, RIGHT = 16, TOP = 18, BOTTOM = 38, MOST_POINTS = 1600, MOST_ROWS = 120 };

static const double FAR = 1e300; /* a recording may say anything; the axes have ends */

typedef struct frame {
    double till, low, top; /* of the axes */
} frame;

static double x_of(const frame *f, double time) { return LEFT + (WIDTH - LEFT - RIGHT) * time / f->till; }

static double y_of(const frame *f, double value)
{
    return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (value - f->low) / (f->top - f->low);
}

static double highest(const throng_report_curve *c)
{
    double top = c->total;
    for (int32_t i = 0; i < c->series->count; i++)
        top = fmax(top, (double)c->series->value[i]);
    for (int32_t i = 0; c->other && i < c->other->count; i++)
        top = fmax(top, (double)c->other->value[i]);
    return top > 0 ? fmin(top, FAR) : 1;
}

/* 0, but for values that are less. */
static double lowest(const throng_report_curve *c)
{
    double low = 0;
    for (int32_t i = 0; i < c->series->count; i++)
        low = fmin(low, (double)c->series->value[i]);
    return fmax(1.05 * low, -FAR);
}

/* Round ticks, four to eight of them. */
static double tick(double most) { return throng_style_round_up(most / 8); }

static const char *across(const throng_report_curve *c) { return c->across ? c->across : "time"; }
static const char *across_unit(const throng_report_curve *c) { return c->across_unit ? c->across_unit : "s"; }

static void draw_axes(FILE *file, const throng_report_curve *c, const frame *f)
{
    double dx = tick(f->till), dy = tick(f->top - f->low);
    fputs("<g class=\"axes\">", file);
    for (int i = (int)ceil(f->low / dy); i * dy <= f->top * 1.001; i++)
        fprintf(file, "<path d=\"M%d %.1fH%d\"/><text x=\"%d\" y=\"%.1f\" class=\"y\">%.6g</text>", LEFT,
                y_of(f, i * dy), WIDTH - RIGHT, LEFT - 8, y_of(f, i * dy) + 4, i * dy);
    for (int i = 0; i * dx <= f->till * 1.001; i++)
        fprintf(file, "<path d=\"M%.1f %dv5\" class=\"tick\"/><text x=\"%.1f\" y=\"%d\" class=\"x\">%.6g</text>",
                x_of(f, i * dx), HEIGHT - BOTTOM, x_of(f, i * dx), HEIGHT - BOTTOM + 18, i * dx);
    fprintf(file, "<text x=\"%d\" y=\"%d\" class=\"x unit\">%s / %s</text><text x=\"%d\" y=\"11\" class=\"unit\">",
            (WIDTH + LEFT) / 2, HEIGHT - 4, across(c), across_unit(c), LEFT);
    throng_xml_text(file, c->unit);
    fputs("</text></g>", file);
}

/* Every so many points, and the last one. */
static int32_t next(const throng_report_series *s, int32_t i, int32_t every)
{
    return i + every < s->count || i == s->count - 1 ? i + every : s->count - 1;
}

/* Steps for counts would look the same at this width. */
static void draw_line(FILE *file, const throng_report_series *s, const frame *f, const char *name)
{
    int32_t every = s->count / MOST_POINTS + 1;
    if (s->count == 0)
        return;
    fprintf(file, "<path class=\"%s\" d=\"", name);
    for (int32_t i = 0; i < s->count; i = next(s, i, every))
        fprintf(file, "%s%.1f %.1f", i ? "L" : "M", x_of(f, (double)s->time[i]), y_of(f, (double)s->value[i]));
    fputs("\"/>", file);
}

static void draw_bars(FILE *file, const throng_report_series *s, const frame *f)
{
    fputs("<path class=\"bars\" d=\"", file);
    for (int32_t i = 0; i < s->count; i++) {
        double from = x_of(f, (double)s->time[i]);
        double to = x_of(f, i + 1 < s->count ? (double)s->time[i + 1] : f->till);
        if (s->value[i] > 0)
            fprintf(file, "M%.1f %dV%.1fH%.1fV%dz", from + 0.5, HEIGHT - BOTTOM, y_of(f, (double)s->value[i]), to - 0.5,
                    HEIGHT - BOTTOM);
    }
    fputs("\"/>", file);
}

static const int PERCENTS[] = {50, 80, 95};

static void mark_percents(FILE *file, const throng_report_curve *c, const frame *f)
{
    for (int i = 0; i < 3; i++) {
        double value = c->total * PERCENTS[i] / 100, time = throng_report_reach(c->series, value);
        if (isnan(time))
            continue;
        double x = x_of(f, time), y = y_of(f, value);
        bool left = x > WIDTH - 150; /* there is no room to the right */
        fprintf(file,
                "<g class=\"mark\"><path d=\"M%d %.1fH%.1fV%d\"/><circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\"/>"
                "<text x=\"%.1f\" y=\"%.1f\"%s>%d %% at %.1f s</text></g>",
                LEFT, y, x, HEIGHT - BOTTOM, x, y, left ? x - 10 : x + 9, left ? y - 6 : y + 14,
                left ? " text-anchor=\"end\"" : "", PERCENTS[i], time);
    }
}

static void draw_table(FILE *file, const throng_report_curve *c, const throng_report_series *s, const char *label)
{
    int32_t every = s->count / MOST_ROWS + 1;
    fprintf(file, "<details><summary>Values%s%s%s</summary><table><thead><tr><th scope=\"col\">%s (%s)</th>",
            label ? ": " : "", label ? label : "", every > 1 ? ", some of them" : "", across(c), across_unit(c));
    fputs("<th scope=\"col\">", file);
    throng_xml_text(file, c->unit);
    fputs("</th></tr></thead><tbody>", file);
    for (int32_t i = 0; i < s->count; i = next(s, i, every))
        fprintf(file, "<tr><td>%.6g</td><td>%.4g</td></tr>", (double)s->time[i], (double)s->value[i]);
    fputs("</tbody></table></details>\n", file);
}

void throng_report_draw_curve(FILE *file, const throng_report_curve *c)
{
    frame f = {.till = fmin(fmax(c->till, 1e-6), FAR), .low = lowest(c), .top = 1.05 * highest(c)};
    fputs("<figure class=\"curve\"><figcaption>", file);
    throng_xml_text(file, c->title);
    fprintf(file, "</figcaption><svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"", WIDTH, HEIGHT);
    throng_xml_text(file, c->title);
    fputs("\"", file);
    if (!c->across)
        fprintf(file, " data-left=\"%d\" data-right=\"%d\" data-till=\"%.9g\"", LEFT, WIDTH - RIGHT, f.till);
    fputs("><title>", file);
    throng_xml_text(file, c->title);
    fputs("</title>", file);
    draw_axes(file, c, &f);
    if (c->bars)
        draw_bars(file, c->series, &f);
    else
        draw_line(file, c->series, &f, "line");
    if (c->other)
        draw_line(file, c->other, &f, "line other");
    if (c->total > 0)
        mark_percents(file, c, &f);
    fprintf(file, "<path class=\"now\" d=\"M%d %dV%d\"/></svg>", LEFT, TOP, HEIGHT - BOTTOM);
    if (c->other)
        fprintf(file,
                "<div class=\"legend\"><span><i class=\"line\"></i>%s</span><span><i class=\"line "
                "other\"></i>%s</span></div>",
                c->label, c->other_label);
    if (c->note) {
        fputs("<p class=\"note\">", file);
        throng_xml_text(file, c->note);
        fputs("</p>", file);
    }
    draw_table(file, c, c->series, c->label);
    if (c->other)
        draw_table(file, c, c->other, c->other_label);
    fputs("</figure>\n", file);
}
