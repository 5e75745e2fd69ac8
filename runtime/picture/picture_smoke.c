#include "picture_smoke.h"

#include <math.h>
#include <stdlib.h>

#include "picture_style.h"

#define OPACITY 0.75f

throng_colour throng_smoke_colour(double extinction)
{
    return throng_colour_fade(throng_colour_hex(THRONG_STYLE_SMOKE), OPACITY * (float)(1 - exp(-fmax(extinction, 0))));
}

/* Bilinear between points; beyond the last as there. */
static double extinction_at(const throng_smoke_picture *s, double x, double y)
{
    double gx = fmin(fmax((x - s->x0) / s->cell, 0), s->columns - 1);
    double gy = fmin(fmax((y - s->y0) / s->cell, 0), s->rows - 1);
    int32_t c = (int32_t)gx, r = (int32_t)gy, next = c + 1 < s->columns, above = r + 1 < s->rows ? s->columns : 0;
    const float *v = s->extinction + (size_t)r * (size_t)s->columns + c;
    double low = (double)v[0] + (gx - c) * (double)(v[next] - v[0]);
    double high = (double)v[above] + (gx - c) * (double)(v[above + next] - v[above]);
    return low + (gy - r) * (high - low);
}

typedef struct smoke_paint {
    const throng_smoke_picture *smoke;
    const throng_plan_view *view;
} smoke_paint;

static throng_colour paint(const void *context, int32_t x, int32_t y)
{
    const smoke_paint *p = context;
    return throng_smoke_colour(
        extinction_at(p->smoke, (x + 0.5 - p->view->x) / p->view->scale, (p->view->y - y - 0.5) / p->view->scale));
}

bool throng_layer_smoke(throng_canvas *canvas, const throng_plan_view *view, const throng_plan_picture *plan)
{
    if (!plan->smoke || !plan->smoke->extinction)
        return true;
    const smoke_paint painted = {plan->smoke, view};
    return throng_layer_fill(canvas, view, plan->map && !plan->map->open ? plan->map : NULL, paint, &painted);
}
