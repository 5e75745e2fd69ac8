#include "history.h"

#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "record.h"

enum { MOST_BYTES = 16 << 20, AGENT_BYTES = 28 };

struct throng_history {
    uint32_t first, every; /* steps: of the first sample, between samples */
    uint32_t next;         /* of the next sample */
    throng_sample *list;
    int32_t count, room;
    size_t bytes;
};

throng_history *throng_history_create(const throng_world *world, double seconds)
{
    throng_history *history = calloc(1, sizeof *history);
    if (!history)
        return NULL;
    history->first = history->next = throng_world_steps(world);
    history->every = (uint32_t)fmax(1, floor(seconds / throng_world_dt(world) + 0.5));
    return history;
}

void throng_history_destroy(throng_history *history)
{
    if (!history)
        return;
    for (int32_t i = 0; i < history->count; i++)
        throng_sample_fini(&history->list[i]);
    free(history->list);
    free(history);
}

static void thin_out(throng_history *history)
{
    int32_t kept = 0;
    history->bytes = 0;
    for (int32_t i = 0; i < history->count; i++) {
        if (i % 2) {
            throng_sample_fini(&history->list[i]);
            continue;
        }
        history->list[kept++] = history->list[i];
        history->bytes += (size_t)history->list[i].count * AGENT_BYTES;
    }
    history->count = kept;
    history->every *= 2;
}

bool throng_history_note(throng_history *history, throng_world *world, throng_error *error)
{
    if (throng_world_steps(world) != history->next)
        return true;
    if (!throng_array_reserve((void **)&history->list, &history->room, history->count + 1, sizeof *history->list))
        return throng_fail(error, "out of memory for the frames that a failing test shows");
    throng_sample *sample = &history->list[history->count];
    *sample = (throng_sample){0};
    if (!throng_sample_take(sample, world, error))
        return false;
    history->count++;
    history->bytes += (size_t)sample->count * AGENT_BYTES;
    if (history->bytes > MOST_BYTES)
        thin_out(history);
    history->next = history->first + (uint32_t)history->count * history->every;
    return true;
}

bool throng_history_write(const throng_history *history, const throng_world *world, const char *path,
                          throng_error *error)
{
    double fps = 1 / (history->every * throng_world_dt(world));
    throng_recorder *recorder = throng_recorder_open(path, fps, throng_world_map(world), NULL, error);
    if (!recorder)
        return false;
    for (int32_t i = 0; i < history->count; i++) {
        const throng_sample *sample = &history->list[i];
        throng_record_frame frame = {.frame = i,
                                     .count = sample->count,
                                     .id = sample->id,
                                     .x = sample->x,
                                     .y = sample->y,
                                     .hx = sample->hx,
                                     .hy = sample->hy};
        if (!throng_recorder_add(recorder, &frame, error))
            break; /* closing says why again */
    }
    return throng_recorder_close(recorder, error);
}

const throng_sample *throng_history_at(const throng_history *history, double time)
{
    const throng_sample *nearest = NULL;
    for (int32_t i = 0; i < history->count; i++)
        if (!nearest || fabs(history->list[i].time - time) < fabs(nearest->time - time))
            nearest = &history->list[i];
    return nearest;
}
