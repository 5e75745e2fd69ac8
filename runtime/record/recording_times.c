#include "recording_times.h"

#include <math.h>
#include <stdlib.h>

#include "base/array.h"

/* Of a frame: times that a program added up are not quite even. */
static const double UNEVEN = 0.1;

/* Rows of a frame follow each other as a rule: one of them is enough. */
bool throng_frame_times_add(throng_frame_times *times, int32_t frame, double time, int32_t line)
{
    const throng_frame_time *last = times->count ? &times->list[times->count - 1] : NULL;
    if (last && last->frame == frame && last->time == time)
        return true;
    if (!throng_array_reserve((void **)&times->list, &times->room, (int64_t)times->count + 1, sizeof *times->list))
        return false;
    times->list[times->count++] = (throng_frame_time){frame, line, time};
    return true;
}

void throng_frame_times_fini(throng_frame_times *times) { free(times->list); }

/* s: of the last digit that times are written with. */
static double last_digit(const throng_frame_times *times)
{
    double digit = 1;
    for (int32_t i = 0; i < times->count; i++)
        while (digit > 1e-9 && fabs(times->list[i].time - round(times->list[i].time / digit) * digit) > 1e-6 * digit)
            digit /= 10;
    return digit;
}

static bool contradict(const char *path, const throng_frame_time *at, const throng_frame_time *first,
                       const throng_frame_time *last, throng_error *error)
{
    return throng_fail(error,
                       "%s:%d: times and frames contradict each other: frame %d is at %g s here, where frame %d is at "
                       "%g s and frame %d at %g s; correct them, or give a line like \"# framerate: 25\" instead of "
                       "the column 'time'",
                       path, at->line, at->frame, at->time, first->frame, first->time, last->frame, last->time);
}

bool throng_frame_times_rate(const throng_frame_times *times, const char *path, double *fps, throng_error *error)
{
    const throng_frame_time *first = times->list, *last = first;
    *fps = 0;
    for (const throng_frame_time *t = first; t < times->list + times->count; t++) {
        first = t->frame < first->frame ? t : first;
        last = t->frame > last->frame ? t : last;
    }
    if (times->count == 0)
        return true;
    double seconds = last->time - first->time, frames = (double)last->frame - first->frame;
    if (frames > 0 && !(seconds > 0))
        return contradict(path, last, first, last, error);
    double period = frames > 0 ? seconds / frames : 0, bound = last_digit(times) + UNEVEN * period;
    for (const throng_frame_time *t = times->list; t < times->list + times->count; t++)
        if (!(fabs(t->time - first->time - period * ((double)t->frame - first->frame)) <= bound))
            return contradict(path, t, first, last, error);
    if (frames > 0)
        *fps = frames / seconds;
    else if (last->frame > 0 && last->time > 0)
        *fps = last->frame / last->time;
    return true;
}
