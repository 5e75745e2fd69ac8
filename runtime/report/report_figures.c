/* Figures of a run that more than one page has. */
#include <math.h>
#include <stdlib.h>

#include "report_parts.h"

int32_t throng_report_people_of(const throng_report *r)
{
    return r->facts.agents >= 0 ? r->facts.agents : r->people.count;
}

const throng_report_series *throng_report_arrivals(const throng_report *r)
{
    return r->arrived.count ? &r->arrived : &r->people.gone;
}

double throng_report_highest(const throng_report_series *series)
{
    double top = 0;
    for (int32_t i = 0; i < series->count; i++)
        top = fmax(top, (double)series->value[i]);
    return top;
}

double throng_report_mean(const double *values, int32_t count)
{
    double sum = 0;
    for (int32_t i = 0; i < count; i++)
        sum += values[i];
    return sum / count;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double *throng_report_travel_times(const throng_report *r, int32_t *count)
{
    double *times = malloc(((size_t)r->people.count + 1) * sizeof *times);
    *count = 0;
    for (int32_t p = 0; times && p < r->people.count; p++) {
        double done = throng_report_done(r, p);
        if (!isnan(done))
            times[(*count)++] = fmax(0, done - (double)r->noted[p].spawned);
    }
    if (times)
        qsort(times, (size_t)*count, sizeof *times, ascending);
    return times;
}

enum { FEWEST = 100 }; /* speeds that a class of density has, to be shown */

bool throng_report_speeds(const throng_report *r, throng_report_series *speeds, double *most)
{
    bool ok = true;
    for (int k = 0; k < THRONG_REPORT_DENSITIES - 1; k++)
        if (r->maps.dense[k] >= FEWEST) {
            *most = fmax(*most, (k + 1) * THRONG_REPORT_DENSITY);
            ok = ok && throng_report_point(speeds, (k + 0.5) * THRONG_REPORT_DENSITY, r->maps.dense_speed[k], NULL);
        }
    return ok;
}
