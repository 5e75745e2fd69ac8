#include <stdlib.h>

#include "recording_format.h"

throng_record_frame throng_recording_frame(const throng_recording *r, int32_t number, int32_t count)
{
    throng_record_frame frame = {number, count, r->id, r->x, r->y, r->hx, r->hy, {NULL}};
    for (int32_t k = 0; k < r->own_columns.count; k++)
        frame.own[k] = r->own[k];
    return frame;
}

enum { MOST_AGENTS = 1 << 27 }; /* in a frame, as in a world */

bool throng_recording_reserve(throng_recording *r, int32_t count, throng_error *error)
{
    if (count <= r->room)
        return true;
    void **arrays[5 + THRONG_OWN_COLUMNS] = {(void **)&r->id, (void **)&r->x, (void **)&r->y, (void **)&r->hx,
                                             (void **)&r->hy};
    int32_t array_count = 5;
    for (int32_t k = 0; k < r->own_columns.count; k++)
        arrays[array_count++] = (void **)&r->own[k];
    if (count > MOST_AGENTS)
        return throng_fail(error, "'%s' is damaged: a frame of %d agents; expected at most %d", r->path, count,
                           MOST_AGENTS);
    r->room = 0;
    for (int32_t a = 0; a < array_count; a++) {
        free(*arrays[a]);
        if (!(*arrays[a] = malloc((size_t)count * 4)))
            return throng_fail(error, "out of memory for %d agents of '%s'", count, r->path);
    }
    r->room = count;
    return true;
}
