/* What every panel is made of: cards, the height of the bar at the bottom, and its note. */
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
