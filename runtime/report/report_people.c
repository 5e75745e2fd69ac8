#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "report_parts.h"

static void see(throng_report_person *person, const throng_record_frame *frame, int32_t i, int32_t n)
{
    person->last = n;
    person->place = (throng_point){(double)frame->x[i], (double)frame->y[i]};
}

/* How many of the frame are in the list; those are seen. */
static int32_t see_known(throng_report_people *people, const throng_record_frame *frame, int32_t n)
{
    int32_t known = 0;
    for (int32_t i = 0, k = 0; i < frame->count; i++) {
        while (k < people->count && people->list[k].id < frame->id[i])
            k++;
        if (k < people->count && people->list[k].id == frame->id[i]) {
            see(&people->list[k], frame, i, n);
            known++;
        }
    }
    return known;
}

/* Moves those of higher ids up from the end, as in a merge. */
static bool add_new(throng_report_people *people, const throng_record_frame *frame, int32_t n, int32_t fresh,
                    throng_error *error)
{
    int64_t wanted = (int64_t)people->count + fresh;
    if (!throng_array_reserve((void **)&people->list, &people->room, wanted, sizeof *people->list))
        return throng_fail(error, "out of memory for %lld agents", (long long)wanted);
    int32_t from = people->count - 1, to = (int32_t)wanted - 1;
    for (int32_t i = frame->count - 1; i >= 0 && to > from; i--) {
        while (from >= 0 && people->list[from].id > frame->id[i])
            people->list[to--] = people->list[from--];
        if (from >= 0 && people->list[from].id == frame->id[i])
            continue;
        throng_report_person *person = &people->list[to--];
        person->id = frame->id[i];
        person->first = n;
        see(person, frame, i, n);
    }
    people->count = (int32_t)wanted;
    return true;
}

static void stretch(throng_bounds *bounds, const throng_record_frame *frame)
{
    for (int32_t i = 0; i < frame->count; i++) {
        bounds->x0 = fmin(bounds->x0, (double)frame->x[i]);
        bounds->y0 = fmin(bounds->y0, (double)frame->y[i]);
        bounds->x1 = fmax(bounds->x1, (double)frame->x[i]);
        bounds->y1 = fmax(bounds->y1, (double)frame->y[i]);
    }
}

bool throng_report_look(throng_recording *recording, throng_report_people *people, throng_error *error)
{
    double fps = throng_recording_fps(recording);
    int32_t frames = throng_recording_frames(recording), left = 0, before = 0;
    *people = (throng_report_people){.bounds = {INFINITY, INFINITY, -INFINITY, -INFINITY}};
    for (int32_t n = 0; n < frames; n++) {
        throng_record_frame frame;
        if (!throng_recording_read(recording, n, &frame, error))
            return false;
        int32_t fresh = frame.count - see_known(people, &frame, n);
        if (fresh && !add_new(people, &frame, n, fresh, error))
            return false;
        left += before - (frame.count - fresh); /* who comes back has not left */
        before = frame.count;
        people->places += frame.count;
        stretch(&people->bounds, &frame);
        if (!throng_report_point(&people->here, n / fps, frame.count, error) ||
            !throng_report_point(&people->gone, n / fps, left, error))
            return false;
    }
    return true;
}

void throng_report_people_fini(throng_report_people *people)
{
    free(people->list);
    throng_report_series_fini(&people->here);
    throng_report_series_fini(&people->gone);
}
