#include "playback.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/watchdog.h"

/* One frame of the recording, by slot. */
typedef struct moment {
    double time; /* s */
    bool *there;
    float *x, *y;
} moment;

struct throng_playback {
    throng_recording *recording;
    throng_point wrap;
    int32_t first_frame, count, room;
    int32_t *id;
    double *first, seconds;
    moment before,
        after;    /* frames next - 2 and next - 1; of the time asked for, `before` is the last that is not later */
    int32_t next; /* the frame that is read next */
    bool *there;
    float *x, *y;
};

static bool read_frame(throng_playback *p, int32_t n, throng_record_frame *frame, double *time, throng_error *error)
{
    if (!throng_recording_read(p->recording, n, frame, error))
        return false;
    if (n == 0)
        p->first_frame = frame->frame;
    *time = ((double)frame->frame - p->first_frame) / throng_recording_fps(p->recording);
    return true;
}

/* ---- who there is */

static int32_t slot_of(const throng_playback *p, int32_t id)
{
    int32_t low = 0, high = p->count;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (p->id[middle] < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool add_person(throng_playback *p, int32_t slot, int32_t id, double time)
{
    int32_t room = p->room;
    if (!throng_array_reserve((void **)&p->id, &room, (int64_t)p->count + 1, sizeof *p->id) ||
        !throng_array_reserve((void **)&p->first, &p->room, (int64_t)p->count + 1, sizeof *p->first))
        return false;
    memmove(&p->id[slot + 1], &p->id[slot], (size_t)(p->count - slot) * sizeof *p->id);
    memmove(&p->first[slot + 1], &p->first[slot], (size_t)(p->count - slot) * sizeof *p->first);
    p->id[slot] = id;
    p->first[slot] = time;
    p->count++;
    return true;
}

static bool find_people(throng_playback *p, throng_error *error)
{
    throng_record_frame frame;
    for (int32_t n = 0; n < throng_recording_frames(p->recording); n++) {
        if (throng_given_up())
            return throng_fail(error, "%s", throng_interrupted_text());
        double before = p->seconds;
        if (!read_frame(p, n, &frame, &p->seconds, error))
            return false;
        if (n > 0 && !(p->seconds > before))
            return throng_fail(error, "frame %d comes after one that is not earlier", frame.frame);
        for (int32_t i = 0; i < frame.count; i++) {
            int32_t slot = slot_of(p, frame.id[i]);
            if ((slot == p->count || p->id[slot] != frame.id[i]) && !add_person(p, slot, frame.id[i], p->seconds))
                return throng_fail(error, "out of memory for the people of a recording");
        }
    }
    return true;
}

/* ---- frames, by slot */

static bool moment_init(moment *m, int32_t count)
{
    m->time = -1;
    m->there = calloc((size_t)count + 1, sizeof *m->there);
    m->x = calloc((size_t)count + 1, sizeof *m->x);
    m->y = calloc((size_t)count + 1, sizeof *m->y);
    return m->there && m->x && m->y;
}

static void moment_fini(moment *m)
{
    free(m->there);
    free(m->x);
    free(m->y);
}

/* The next frame becomes `after`, and what that was `before`. */
static bool advance(throng_playback *p, throng_error *error)
{
    throng_record_frame frame;
    moment was = p->before;
    p->before = p->after;
    p->after = was;
    if (!read_frame(p, p->next, &frame, &p->after.time, error))
        return false;
    p->next++;
    memset(p->after.there, 0, (size_t)p->count * sizeof *p->after.there);
    for (int32_t i = 0; i < frame.count; i++) {
        int32_t slot = slot_of(p, frame.id[i]);
        p->after.there[slot] = true;
        p->after.x[slot] = frame.x[i];
        p->after.y[slot] = frame.y[i];
    }
    return true;
}

throng_playback *throng_playback_open(throng_recording *recording, throng_point wrap, throng_error *error)
{
    throng_playback *p = calloc(1, sizeof *p);
    if (!p) {
        throng_fail(error, "out of memory for a recording");
        return NULL;
    }
    p->recording = recording;
    p->wrap = wrap;
    bool ok = find_people(p, error);
    size_t slots = (size_t)p->count + 1;
    p->there = malloc(slots * sizeof *p->there);
    p->x = malloc(slots * sizeof *p->x);
    p->y = malloc(slots * sizeof *p->y);
    bool room = moment_init(&p->before, p->count) && moment_init(&p->after, p->count) && p->there && p->x && p->y;
    if (ok && (room || throng_fail(error, "out of memory for the people of a recording")) && advance(p, error))
        return p;
    throng_playback_close(p);
    return NULL;
}

void throng_playback_close(throng_playback *p)
{
    if (!p)
        return;
    moment_fini(&p->before);
    moment_fini(&p->after);
    free(p->id);
    free(p->first);
    free(p->there);
    free(p->x);
    free(p->y);
    free(p);
}

double throng_playback_seconds(const throng_playback *p) { return p->seconds; }

/* ---- at a time */

#define SAME_TIME 1e-6 /* s */

static float between(float from, float to, double part, double size)
{
    double step = (double)to - (double)from;
    if (size > 0 && fabs(step) > size / 2)
        step -= copysign(size, step);
    return (float)((double)from + part * step);
}

/* Who is in one of the two frames alone comes with it, or is seen in it last. */
static void place(throng_playback *p, double time)
{
    const moment *a = &p->before, *b = &p->after;
    bool at_after = time >= b->time - SAME_TIME;
    double part = at_after ? 1 : (time - a->time) / (b->time - a->time);
    for (int32_t s = 0; s < p->count; s++) {
        bool both = a->there[s] && b->there[s];
        const moment *one = at_after ? b : a;
        p->there[s] = both || (one->there[s] && fabs(time - one->time) <= SAME_TIME);
        p->x[s] = both ? between(a->x[s], b->x[s], part, p->wrap.x) : one->x[s];
        p->y[s] = both ? between(a->y[s], b->y[s], part, p->wrap.y) : one->y[s];
    }
}

bool throng_playback_seek(throng_playback *p, double time, throng_played *played, throng_error *error)
{
    if (throng_given_up())
        return throng_fail(error, "%s", throng_interrupted_text());
    while (p->after.time < time - SAME_TIME && p->next < throng_recording_frames(p->recording))
        if (!advance(p, error))
            return false;
    place(p, fmin(time, p->after.time));
    *played = (throng_played){p->count, p->id, p->there, p->x, p->y, p->first};
    return true;
}
