#include <math.h>
#include <stdlib.h>

#include "report_parts.h"

bool throng_report_walk_init(throng_report_walk *walk, const throng_report_people *people, throng_error *error)
{
    size_t count = (size_t)people->count + 1;
    *walk = (throng_report_walk){.from = calloc(count, sizeof *walk->from),
                                 .to = calloc(count, sizeof *walk->to),
                                 .speed = calloc(count, sizeof *walk->speed),
                                 .person = calloc(count, sizeof *walk->person),
                                 .frame = malloc(count * sizeof *walk->frame)};
    if (!walk->from || !walk->to || !walk->speed || !walk->person || !walk->frame)
        return throng_fail(error, "out of memory for the steps of %d agents", people->count);
    for (int32_t p = 0; p < people->count; p++)
        walk->frame[p] = -2;
    return true;
}

void throng_report_walk_fini(throng_report_walk *walk)
{
    free(walk->from);
    free(walk->to);
    free(walk->speed);
    free(walk->person);
    free(walk->frame);
}

void throng_report_walk_on(throng_report_walk *walk, const throng_report_people *people,
                           const throng_record_frame *frame, int32_t n, double fps)
{
    walk->count = frame->count;
    for (int32_t i = 0, p = 0; i < frame->count; i++, p++) {
        while (people->list[p].id != frame->id[i])
            p++;
        throng_point at = {(double)frame->x[i], (double)frame->y[i]}, from = walk->to[p];
        double speed = hypot(at.x - from.x, at.y - from.y) * fps;
        bool walked = walk->frame[p] == n - 1 && speed <= THRONG_REPORT_FASTEST;
        walk->speed[i] = walked ? speed : NAN;
        walk->from[p] = from;
        walk->to[p] = at;
        walk->person[i] = p;
        walk->frame[p] = n;
    }
}

double throng_report_walk_mean(const throng_report_walk *walk)
{
    double sum = 0;
    int32_t walking = 0;
    for (int32_t i = 0; i < walk->count; i++) {
        sum += isnan(walk->speed[i]) ? 0 : walk->speed[i];
        walking += !isnan(walk->speed[i]);
    }
    return walking ? sum / walking : NAN;
}
