/* Where two runs differ most. */
#include <math.h>

#include "report_parts.h"

static const double APART = 2, LEAST = 0.05; /* m; of the largest change */

double throng_report_largest_change(const throng_report_maps *maps, const float *first, const float *second)
{
    size_t cells = (size_t)maps->columns * (size_t)maps->rows;
    double top = 0;
    for (size_t i = 0; i < cells; i++)
        top = fmax(top, fabs((double)second[i] - (double)first[i]));
    return top;
}

static bool is_apart(const throng_report_change *changes, int32_t count, throng_point at)
{
    for (int32_t k = 0; k < count; k++)
        if (hypot(changes[k].at.x - at.x, changes[k].at.y - at.y) < APART)
            return false;
    return true;
}

int32_t throng_report_changes(const throng_report_maps *maps, const float *first, const float *second, bool up,
                              throng_report_change *changes, int32_t most)
{
    double least = LEAST * throng_report_largest_change(maps, first, second);
    int32_t count = 0;
    for (; count < most; count++) {
        double top = least;
        for (int32_t i = 0; i < maps->columns * maps->rows; i++) {
            double change = (up ? 1 : -1) * ((double)second[i] - (double)first[i]);
            throng_point at = {maps->x0 + (i % maps->columns + 0.5) * maps->cell,
                               maps->y0 + (i / maps->columns + 0.5) * maps->cell}; /* the cell's middle */
            if (!(change > top) || !is_apart(changes, count, at))
                continue;
            top = change;
            changes[count] = (throng_report_change){at, (double)first[i], (double)second[i]};
        }
        if (top <= least)
            break;
    }
    return count;
}
