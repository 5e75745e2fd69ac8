#include <stdlib.h>

#include "recording_format.h"

enum { MOST_AGENTS = 1 << 27 }; /* in a frame, as in a world */

bool throng_recording_reserve(throng_recording *r, int32_t count, throng_error *error)
{
    if (count <= r->room)
        return true;
    void **arrays[] = {(void **)&r->id, (void **)&r->x, (void **)&r->y, (void **)&r->hx, (void **)&r->hy};
    if (count > MOST_AGENTS)
        return throng_fail(error, "'%s' is damaged: a frame of %d agents; expected at most %d", r->path, count,
                           MOST_AGENTS);
    r->room = 0;
    for (size_t a = 0; a < sizeof arrays / sizeof *arrays; a++) {
        free(*arrays[a]);
        if (!(*arrays[a] = malloc((size_t)count * 4)))
            return throng_fail(error, "out of memory for %d agents of '%s'", count, r->path);
    }
    r->room = count;
    return true;
}
