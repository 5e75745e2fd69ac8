/* throng convert: a recording in the other format. */
#include "cli.h"
#include "record/record.h"
#include "record/recording.h"

static bool copy(throng_recording *from, throng_recorder *to, throng_error *error)
{
    throng_record_frame frame;
    for (int32_t n = 0; n < throng_recording_frames(from); n++)
        if (!throng_recording_read(from, n, &frame, error) || !throng_recorder_add(to, &frame, error))
            return false;
    throng_notes notes;
    bool ok = throng_recording_notes(from, &notes, error) && throng_recorder_note(to, &notes, error);
    throng_notes_fini(&notes);
    return ok;
}

static bool convert(throng_recording *from, const char *path, throng_error *error)
{
    const char *wkt = throng_recording_wkt(from);
    throng_recorder *to = throng_recorder_open_wkt(path, throng_recording_fps(from), *wkt ? wkt : NULL,
                                                   throng_recording_own(from), error);
    if (!to)
        return false;
    if (copy(from, to, error))
        return throng_recorder_close(to, error);
    throng_recorder_discard(to);
    return false;
}

int throng_cli_convert(int argc, char **argv)
{
    throng_texts files = {.count = 0};
    throng_error error;
    if (!throng_cli_options("convert", argc, argv, (const throng_option[]){{0}}, &files, 2))
        return THRONG_EXIT_USAGE;
    if (files.count < 2)
        return throng_cli_misuse("convert", "give the recording to read and the file to write");
    throng_recording *from = throng_recording_open(files.list[0], &error);
    bool ok = from && convert(from, files.list[1], &error);
    if (ok) {
        char text[1024];
        snprintf(text, sizeof text, "%s: %d frames from %s", files.list[1], throng_recording_frames(from),
                 files.list[0]);
        throng_text_plain(text, sizeof text);
        puts(text);
    }
    throng_recording_close(from);
    if (!ok)
        fprintf(stderr, "throng convert: %s\n", error.text);
    return ok ? THRONG_EXIT_DONE : THRONG_EXIT_USAGE;
}
