/* What every panel is made of: cards, boxes, the height of the bar at the bottom, and its note. */
#include "view_parts.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

enum { NOTE_SECONDS = 4 };

void throng_viewer_note(throng_viewer *viewer, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(viewer->note, sizeof viewer->note, format, args);
    va_end(args);
    viewer->note_until = viewer->clock + NOTE_SECONDS;
}

double throng_hud_bar_height(const throng_viewer *viewer)
{
    return (THRONG_BAR_HEIGHT + THRONG_TIMELINE_HEIGHT) * viewer->unit;
}

void throng_hud_card(throng_viewer *viewer, double x0, double y0, double x1, double y1)
{
    double u = viewer->unit;
    x0 = floor(x0), y0 = floor(y0), x1 = floor(x1), y1 = floor(y1);
    throng_batch_rect(&viewer->batch, x0 - u, y0 - u, x1 + u, y1 + u, throng_view_colour(THRONG_STYLE_RULE, 1));
    throng_batch_rect(&viewer->batch, x0, y0, x1, y1, throng_view_colour(0xffffff, 0.96f));
}

bool throng_box_holds(const throng_box *box, double x, double y)
{
    return x >= box->x && x < box->x + box->width && y >= box->y && y < box->y + box->height;
}

void throng_column_bar(throng_viewer *viewer, const throng_box *box, int32_t first, int32_t rows, int32_t all)
{
    double u = viewer->unit, x = box->x + box->width - 5 * u, high = box->height - 8 * u, y = box->y + 4 * u;
    if (rows >= all)
        return;
    throng_batch_rect(&viewer->batch, x, y + high * first / all, x + 3 * u, y + high * (first + rows) / all,
                      throng_view_colour(THRONG_STYLE_FAINT_INK, 0.45f));
}
