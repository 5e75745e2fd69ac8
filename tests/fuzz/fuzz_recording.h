/* Shared by the fuzz targets of recordings: any bytes as one. Nothing may crash, leak or hang; what is read is whole
 * and finite, in order of id, is the same when it is read again, and can be recorded; or it is said why not. */
#ifndef THRONG_FUZZ_RECORDING_H
#define THRONG_FUZZ_RECORDING_H

#include <math.h>

#include "fuzz_file.h"
#include "record/playback.h"
#include "record/recording.h"
#include "map/map_floor.h"
#include "map/map_readers.h"
#include "record/notes_sheets.h"

enum { FUZZ_FRAMES = 64 };

static inline void fuzz_expect(bool fine)
{
    if (!fine)
        abort();
}

/* A number that depends on all of the frame. */
static inline double fuzz_sum(const throng_record_frame *frame)
{
    double sum = frame->frame;
    for (int32_t i = 0; i < frame->count; i++) {
        fuzz_expect(isfinite(frame->x[i]) && isfinite(frame->y[i]) && isfinite(frame->hx[i]) && isfinite(frame->hy[i]));
        fuzz_expect(i == 0 || frame->id[i - 1] < frame->id[i]);
        sum = 0.5 * sum + frame->id[i] + frame->x[i] + 2.0 * frame->y[i] + 3.0 * frame->hx[i] + 5.0 * frame->hy[i];
    }
    return sum;
}

/* All of its frames, on and back; NAN where one cannot be read. */
static inline void fuzz_frames(throng_recording *recording, throng_recorder *copy)
{
    throng_error error;
    throng_record_frame frame;
    double sums[FUZZ_FRAMES];
    int32_t frames = throng_recording_frames(recording), count = frames < FUZZ_FRAMES ? frames : FUZZ_FRAMES;
    for (int32_t n = 0; n < count; n++) {
        bool read = throng_recording_read(recording, n, &frame, &error);
        sums[n] = read ? fuzz_sum(&frame) : NAN;
        if (read && copy)
            throng_recorder_add(copy, &frame, &error);
    }
    for (int32_t n = count - 1; n >= 0; n--) {
        bool read = throng_recording_read(recording, n, &frame, &error);
        fuzz_expect(read == !isnan(sums[n]) && (!read || fuzz_sum(&frame) == sums[n]));
    }
}

/* Its people at times from before the first frame to after the last. */
static inline void fuzz_playback(throng_recording *recording)
{
    throng_error error;
    throng_played at;
    throng_playback *playback = throng_playback_open(recording, (throng_point){0, 4}, &error);
    double seconds = playback ? throng_playback_seconds(playback) : 0;
    for (int32_t k = 0; playback && k <= FUZZ_FRAMES; k++) {
        if (!throng_playback_seek(playback, seconds * 1.1 * k / FUZZ_FRAMES, &at, &error))
            break;
        for (int32_t s = 0; s < at.count; s++) {
            fuzz_expect(s == 0 || at.id[s - 1] < at.id[s]);
            fuzz_expect(isfinite(at.first[s]) && at.first[s] >= 0 && at.first[s] <= seconds);
            fuzz_expect(!at.there[s] || (isfinite(at.x[s]) && isfinite(at.y[s])));
        }
    }
    throng_playback_close(playback);
}

/* The building that notes tell of, with doors of the stops' names somewhere in the plan. */
static inline void fuzz_building(const throng_recording *recording, const throng_notes *notes)
{
    throng_error error;
    throng_map *map = throng_map_from_wkt("plan", throng_recording_wkt(recording), &error);
    for (int32_t i = 0; map && i < notes->tables[THRONG_NOTE_STOP].rows && i < 8; i++)
        throng_map_add_door(map, throng_note_text(notes, THRONG_NOTE_STOP, i, 4), (throng_point){0, 0},
                            (throng_point){1, 0}, &error);
    if (map && throng_notes_add_sheets(notes, map, &error) && map->sheets)
        for (int32_t i = 0; i < map->sheets->count; i++)
            fuzz_expect(throng_map_floor_of(map->sheets, i) < throng_map_floors(map->sheets));
    throng_map_destroy(map);
}

/* Reads the bytes as a recording, and records what is read. */
static inline int fuzz_recording(const char *name, const uint8_t *data, size_t size)
{
    throng_error error;
    fuzz_write(name, data, size);
    throng_recording *recording = throng_recording_open(fuzz_path(name), &error);
    if (recording) {
        const char *wkt = throng_recording_wkt(recording);
        throng_recorder *copy = throng_recorder_open_wkt(fuzz_path("copy.throng"), throng_recording_fps(recording),
                                                         *wkt ? wkt : NULL, throng_recording_own(recording), &error);
        fuzz_frames(recording, copy);
        if (throng_recording_frames(recording) <= 4 * FUZZ_FRAMES)
            fuzz_playback(recording);
        throng_notes notes;
        bool noted = throng_recording_notes(recording, &notes, &error);
        if (noted && copy)
            throng_recorder_note(copy, &notes, &error);
        if (noted)
            fuzz_building(recording, &notes);
        throng_notes_fini(&notes);
        throng_recorder_close(copy, &error);
        unlink(fuzz_path("copy.throng"));
    }
    throng_recording_close(recording);
    unlink(fuzz_path(name));
    return 0;
}

#endif
