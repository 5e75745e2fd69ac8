/* Shared by the fuzz targets of recordings: any bytes as one. Nothing may crash, leak or hang; what is read is whole
 * and finite, in order of id, is the same when it is read again, and can be recorded; or it is said why not. */
#ifndef THRONG_FUZZ_RECORDING_H
#define THRONG_FUZZ_RECORDING_H

#include <math.h>

#include "fuzz_file.h"
#include "record/recording.h"

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
        throng_notes notes;
        if (throng_recording_notes(recording, &notes, &error) && copy)
            throng_recorder_note(copy, &notes, &error);
        throng_notes_fini(&notes);
        throng_recorder_close(copy, &error);
        unlink(fuzz_path("copy.throng"));
    }
    throng_recording_close(recording);
    unlink(fuzz_path(name));
    return 0;
}

#endif
