#include "export_tracks.h"

#include <stdlib.h>

#include "base/array.h"

static int by_id(const void *a, const void *b)
{
    const throng_export_track *x = a, *y = b;
    return (x->id > y->id) - (x->id < y->id);
}

/* Whom the moment has, and was not seen before, at the end of the list; people and the first `known` tracks ascend by
 * id. */
static bool add_moment(throng_export_tracks *tracks, const throng_export_moment *moment, int32_t number,
                       throng_error *error)
{
    int32_t known = tracks->count;
    for (int32_t i = 0, t = 0; i < moment->count; i++) {
        const throng_export_person *p = &moment->people[i];
        while (t < known && tracks->list[t].id < p->id)
            t++;
        if (t < known && tracks->list[t].id == p->id) {
            tracks->list[t].last = number;
            continue;
        }
        if (!throng_array_reserve((void **)&tracks->list, &tracks->room, (int64_t)tracks->count + 1,
                                  sizeof *tracks->list))
            return throng_fail(error, "out of memory for the ways of %d people", tracks->count + 1);
        tracks->list[tracks->count++] = (throng_export_track){
            .id = p->id,
            .group = p->group,
            .first = number,
            .last = number,
            .next = number,
            .radius = p->radius,
            .at = {p->x, p->y, p->z},
        };
    }
    if (tracks->count > known)
        qsort(tracks->list, (size_t)tracks->count, sizeof *tracks->list, by_id);
    return true;
}

bool throng_export_tracks_init(throng_export_tracks *tracks, throng_export_source *source, throng_error *error)
{
    const throng_export_moment *moment;
    double start = 0;
    *tracks = (throng_export_tracks){0};
    while (throng_export_next(source, &moment, error)) {
        if (!moment) {
            throng_export_rewind(source);
            return true;
        }
        if (!throng_array_reserve((void **)&tracks->times, &tracks->time_room, (int64_t)tracks->moments + 1,
                                  sizeof *tracks->times))
            return throng_fail(error, "out of memory for %d moments", tracks->moments + 1);
        start = tracks->moments ? start : moment->time;
        tracks->times[tracks->moments] = (float)(moment->time - start);
        if (!add_moment(tracks, moment, tracks->moments++, error))
            return false;
    }
    return false;
}

void throng_export_tracks_fini(throng_export_tracks *tracks)
{
    free(tracks->list);
    free(tracks->times);
}
