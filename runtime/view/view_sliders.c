/* Sliders for the parameters that a scenario gave a range, below the legend. */
#include "view_controls.h"

#include <math.h>

#include "script/script_sliders.h"

enum { MOST = 8, ROW = 38, PAD = 14 }; /* units */

typedef struct panel {
    throng_slider sliders[MOST];
    int32_t count;
    throng_box box;
    double x0, x1; /* pixels: their lines */
} panel;

static panel panel_of(throng_viewer *viewer)
{
    panel p = {.box = viewer->cards[THRONG_CARD_SLIDERS]};
    p.x0 = p.box.x + PAD * viewer->unit;
    p.x1 = p.box.x + p.box.width - PAD * viewer->unit;
    if (!viewer->past.replay)
        p.count = throng_script_sliders(viewer->session.live.script, p.sliders, MOST);
    return p;
}

double throng_sliders_height(const throng_viewer *viewer)
{
    throng_slider sliders[MOST];
    int32_t count = viewer->past.replay ? 0 : throng_script_sliders(viewer->session.live.script, sliders, MOST);
    return count ? (2 * PAD + ROW * count) * viewer->unit : 0;
}

static double line_of(const throng_viewer *viewer, const panel *p, int32_t i)
{
    return p->box.y + (PAD + ROW * i + 24) * viewer->unit;
}

/* ---- the pointer */

static void drag(throng_viewer *viewer, const panel *p, double x)
{
    const throng_slider *s = &p->sliders[viewer->slider - 1];
    double part = fmin(fmax((x - p->x0) / (p->x1 - p->x0), 0), 1);
    throng_error error;
    double value = s->least + part * (s->most - s->least);
    if (!throng_script_set_slider(viewer->session.live.script, viewer->slider - 1, value, &error))
        throng_viewer_fail(viewer, &error);
    else if (!s->told)
        throng_viewer_note(viewer, "%s acts where the scenario reads it as it runs; Home begins again with it",
                           s->name);
    throng_viewer_touched(viewer);
}

bool throng_sliders_press(throng_viewer *viewer, double x, double y)
{
    panel p = panel_of(viewer);
    double u = viewer->unit;
    viewer->slider = 0;
    for (int32_t i = 0; i < p.count; i++)
        if (x > p.x0 - 8 * u && x < p.x1 + 8 * u && fabs(y - line_of(viewer, &p, i)) < 11 * u)
            viewer->slider = i + 1;
    return throng_sliders_move(viewer, x);
}

bool throng_sliders_move(throng_viewer *viewer, double x)
{
    panel p = panel_of(viewer);
    if (viewer->slider == 0 || viewer->slider > p.count)
        return false;
    drag(viewer, &p, x);
    return true;
}

/* ---- drawn */

static void draw_slider(throng_viewer *viewer, const panel *p, int32_t i)
{
    const throng_slider *s = &p->sliders[i];
    double u = viewer->unit, y = line_of(viewer, p, i), part = (s->value - s->least) / (s->most - s->least);
    double x = p->x0 + (p->x1 - p->x0) * fmin(fmax(part, 0), 1);
    SDL_Color rule = throng_view_colour(THRONG_STYLE_RULE, 1), ink = throng_view_colour(THRONG_STYLE_LINE, 1);
    throng_view_text(viewer, p->x0, y - 12 * u, 12, THRONG_STYLE_FAINT_INK, false, THRONG_ALIGN_LEFT, "%s", s->name);
    throng_view_text(viewer, p->x1, y - 12 * u, 12, THRONG_STYLE_INK, false, THRONG_ALIGN_RIGHT, "%.4g", s->value);
    throng_batch_rect(&viewer->batch, p->x0, floor(y - u), p->x1, floor(y + 2 * u), rule);
    throng_batch_rect(&viewer->batch, p->x0, floor(y - u), x, floor(y + 2 * u), ink);
    throng_batch_disc(&viewer->batch, (float)x, (float)(y + u / 2), (float)(6 * u), throng_view_colour(0xffffff, 1));
    throng_batch_disc(&viewer->batch, (float)x, (float)(y + u / 2), (float)(5 * u), ink);
}

void throng_sliders_draw(throng_viewer *viewer)
{
    panel p = panel_of(viewer);
    if (p.count == 0)
        return;
    throng_hud_card(viewer, p.box.x, p.box.y, p.box.x + p.box.width, p.box.y + p.box.height);
    for (int32_t i = 0; i < p.count; i++)
        draw_slider(viewer, &p, i);
}
