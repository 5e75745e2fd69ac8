#include "view_controls.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LEFT = 17, RIGHT = 20, LINE = 22, TALLEST = 14, HIT = 7 }; /* units: margins, baseline from its top, ... */

/* ---- time and pixels */

typedef struct scale {
    double x0, x1, y; /* pixels: the line */
    double steps;     /* along it */
} scale;

/* A recording fills the line; a run that goes on doubles it now and then. */
static scale scale_of(const throng_viewer *viewer)
{
    double u = viewer->unit, last = throng_past_last(viewer), dt = throng_shown_dt(viewer);
    scale s = {LEFT * u, viewer->width - RIGHT * u, viewer->height - throng_hud_bar_height(viewer) + LINE * u,
               fmax(last, 1)};
    if (!viewer->past.replay)
        for (s.steps = 60 / dt; s.steps < last;)
            s.steps *= 2;
    return s;
}

static double place(const scale *s, double step) { return s->x0 + (s->x1 - s->x0) * fmin(step / s->steps, 1); }

static int64_t step_at(const scale *s, double x)
{
    return llround(fmin(fmax((x - s->x0) / (s->x1 - s->x0), 0), 1) * s->steps);
}

static bool within(const throng_viewer *viewer, double y)
{
    double top = viewer->height - throng_hud_bar_height(viewer);
    return y >= top && y < top + THRONG_TIMELINE_HEIGHT * viewer->unit;
}

/* ---- the pointer */

static void scrub(throng_viewer *viewer, double x)
{
    scale s = scale_of(viewer);
    throng_viewer_go(viewer, step_at(&s, x) - throng_shown_step(viewer));
}

bool throng_timeline_press(throng_viewer *viewer, double x, double y)
{
    viewer->timeline.dragged = within(viewer, y);
    if (viewer->timeline.dragged)
        scrub(viewer, x);
    return viewer->timeline.dragged;
}

bool throng_timeline_move(throng_viewer *viewer, double x, double y)
{
    viewer->timeline.pointer_x = x;
    viewer->timeline.pointer_y = y;
    if (viewer->timeline.dragged)
        scrub(viewer, x);
    return viewer->timeline.dragged;
}

void throng_timeline_release(throng_viewer *viewer) { viewer->timeline.dragged = false; }

/* ---- drawn */

static void rect(throng_viewer *viewer, double x0, double y0, double x1, double y1, uint32_t rgb, float opacity)
{
    throng_batch_rect(&viewer->batch, floor(x0), floor(y0), floor(x1), floor(y1), throng_view_colour(rgb, opacity));
}

/* What the columns above the line tell: arrivals of some seconds each, or of one floor, most people in them. */
typedef struct series {
    const int32_t *value; /* [seconds * stride] */
    int32_t seconds, stride, each;
    bool sums;
    const char *floor; /* NULL: arrivals */
} series;

static series series_of(const throng_viewer *viewer, const scale *s)
{
    const throng_timeline *t = &viewer->timeline;
    const throng_map_sheets *sheets = throng_floors_sheets(viewer);
    double second = (s->x1 - s->x0) / (s->steps * throng_shown_dt(viewer));
    int32_t each = (int32_t)fmax(ceil(3 * viewer->unit / second), 1);
    if (!sheets || viewer->floors.mode != THRONG_FLOORS_ONE || !t->people)
        return (series){t->arrived, t->seconds, 1, each, true, NULL};
    return (series){t->people + viewer->floors.shown,       t->people_seconds, throng_map_floors(sheets), each, false,
                    sheets->list[viewer->floors.shown].name};
}

static int32_t value_of(const series *of, int32_t from)
{
    int32_t value = 0;
    for (int32_t i = from; i < from + of->each && i < of->seconds; i++) {
        int32_t here = of->value[(size_t)i * (size_t)of->stride];
        value = of->sums ? value + here : here > value ? here : value;
    }
    return value;
}

/* Wide enough to be seen, and what they are. */
static void draw_columns(throng_viewer *viewer, const scale *s)
{
    series t = series_of(viewer, s);
    double u = viewer->unit, second = (s->x1 - s->x0) / (s->steps * throng_shown_dt(viewer));
    int32_t each = t.each, most = 0;
    for (int pass = 0; pass < 2; pass++)
        for (int32_t from = 0; from < t.seconds; from += each) {
            int32_t count = value_of(&t, from);
            most = pass == 0 && count > most ? count : most;
            if (pass == 1 && count > 0)
                rect(viewer, s->x0 + from * second, s->y - fmax(TALLEST * u * count / most, u),
                     s->x0 + (from + each) * second - u / 2, s->y, THRONG_STYLE_LINE, 0.45f);
        }
    if (most)
        throng_view_text(viewer, s->x1, s->y - 12 * u, 10, THRONG_STYLE_FAINT_INK, false, THRONG_ALIGN_RIGHT,
                         "%s%.40s, at most %d", t.floor ? "people on " : "arrivals", t.floor ? t.floor : "", most);
}

static uint32_t mark_colour(const throng_mark *mark)
{
    static const uint32_t colours[] = {[THRONG_MARK_LOADED] = THRONG_STYLE_INK,
                                       [THRONG_MARK_OPENED] = THRONG_STYLE_EXIT,
                                       [THRONG_MARK_CLOSED] = THRONG_STYLE_DOOR,
                                       [THRONG_MARK_STUCK] = 0xe69f00};
    return colours[mark->kind];
}

static void draw_marks(throng_viewer *viewer, const scale *s)
{
    const throng_timeline *t = &viewer->timeline;
    double u = viewer->unit, last = -INFINITY;
    for (int32_t i = 0; i < t->mark_count; i++) {
        double x = place(s, t->marks[i].step);
        bool again = t->marks[i].kind == THRONG_MARK_STUCK && x < last + 3 * u;
        if (again) /* many get stuck in a jam: one dot */
            continue;
        if (t->marks[i].kind == THRONG_MARK_STUCK) {
            throng_batch_disc(&viewer->batch, (float)x, (float)(s->y - 8 * u), (float)(2.5 * u),
                              throng_view_colour(mark_colour(&t->marks[i]), 1));
            last = x;
        } else
            rect(viewer, x - u, s->y - TALLEST * u, x + u, s->y, mark_colour(&t->marks[i]), 1);
    }
}

static const throng_mark *mark_near(const throng_viewer *viewer, const scale *s, double x)
{
    const throng_mark *nearest = NULL;
    double best = HIT * viewer->unit;
    for (int32_t i = 0; i < viewer->timeline.mark_count; i++) {
        double away = fabs(place(s, viewer->timeline.marks[i].step) - x);
        if (away < best) {
            best = away;
            nearest = &viewer->timeline.marks[i];
        }
    }
    return nearest;
}

/* The time under the pointer, and what happened there. */
static void draw_hint(throng_viewer *viewer, const scale *s)
{
    const throng_timeline *t = &viewer->timeline;
    char text[THRONG_TEXT_LONGEST];
    double u = viewer->unit, dt = throng_shown_dt(viewer);
    if (!t->dragged && !within(viewer, t->pointer_y))
        return;
    const throng_mark *mark = mark_near(viewer, s, t->pointer_x);
    int64_t step = mark ? mark->step : step_at(s, t->pointer_x);
    series of = series_of(viewer, s);
    int32_t from = (int32_t)((double)step * dt) / of.each * of.each;
    if (mark)
        snprintf(text, sizeof text, "%.1f s: %s", (double)step * dt, mark->text);
    else if (from >= of.seconds)
        snprintf(text, sizeof text, "%.1f s", (double)step * dt);
    else if (of.floor)
        snprintf(text, sizeof text, "%.1f s: %d on %.60s", (double)step * dt, value_of(&of, from), of.floor);
    else
        snprintf(text, sizeof text, "%.1f s: %d arrived from %d to %d s", (double)step * dt, value_of(&of, from), from,
                 from + of.each);
    throng_hud_hint(viewer, place(s, (double)step), s->y - (LINE + 6) * u, text);
}

void throng_timeline_draw(throng_viewer *viewer)
{
    scale s = scale_of(viewer);
    double u = viewer->unit, top = viewer->height - throng_hud_bar_height(viewer),
           x = place(&s, throng_shown_step(viewer));
    double first = viewer->past.replay ? 0 : throng_past_first(viewer);
    rect(viewer, 0, top - u, viewer->width, top, THRONG_STYLE_RULE, 1);
    rect(viewer, 0, top, viewer->width, top + THRONG_TIMELINE_HEIGHT * u, 0xffffff, 1);
    draw_columns(viewer, &s);
    draw_marks(viewer, &s);
    rect(viewer, s.x0, s.y, s.x1, s.y + 3 * u, THRONG_STYLE_RULE, 1);
    rect(viewer, place(&s, first), s.y, place(&s, throng_past_last(viewer)), s.y + 3 * u, THRONG_STYLE_LINE, 0.35f);
    rect(viewer, place(&s, first), s.y, x, s.y + 3 * u, THRONG_STYLE_LINE, 1);
    throng_batch_disc(&viewer->batch, (float)x, (float)(s.y + 1.5 * u), (float)(6 * u),
                      throng_view_colour(0xffffff, 1));
    throng_batch_disc(&viewer->batch, (float)x, (float)(s.y + 1.5 * u), (float)(5 * u),
                      throng_view_colour(THRONG_STYLE_LINE, 1));
    draw_hint(viewer, &s);
}
