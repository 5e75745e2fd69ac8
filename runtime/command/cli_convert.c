/* throng convert: a recording in another format, or as files of other tools. */
#include <math.h>
#include <stdlib.h>

#include "base/file.h"
#include "base/output.h"
#include "cli.h"
#include "export/export.h"
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

/* "13.74,51.05" */
static bool read_place(const char *text, double place[2])
{
    char *after;
    place[0] = strtod(text, &after);
    if (after == text || *after != ',')
        return false;
    const char *second = after + 1;
    place[1] = strtod(second, &after);
    return after > second && !*after && fabs(place[0]) <= 180 && fabs(place[1]) < 90;
}

typedef struct request {
    const char *from, *to, *place;
    throng_export_def def;
    double corner[2];
} request;

/* False, and said so, when what is asked for does not go together. */
static bool check(request *r)
{
    bool exported = throng_export_knows(r->to), some = r->def.from > 0 || r->def.to < INFINITY || r->def.every > 0;
    if (!exported && !throng_file_ends_in(r->to, ".sqlite") && !throng_file_ends_in(r->to, ".throng"))
        return throng_cli_misuse("convert", "cannot write '%s': its name must end in .sqlite, .throng, %s", r->to,
                                 throng_export_endings()) == THRONG_EXIT_DONE;
    if (!exported && some)
        return throng_cli_misuse("convert", "--from, --to and --every are for %s: recordings are copied whole",
                                 throng_export_endings()) == THRONG_EXIT_DONE;
    if (r->place && !throng_file_ends_in(r->to, ".geojson"))
        return throng_cli_misuse("convert", "--place is for .geojson") == THRONG_EXIT_DONE;
    if (r->place && !read_place(r->place, r->corner))
        return throng_cli_misuse("convert",
                                 "--place '%s': expected the longitude and latitude of (0, 0) in degrees, as in "
                                 "--place 13.74,51.05",
                                 r->place) == THRONG_EXIT_DONE;
    if (r->def.from > r->def.to)
        return throng_cli_misuse("convert", "--from %g is after --to %g", r->def.from, r->def.to) == THRONG_EXIT_DONE;
    r->def.path = r->to;
    r->def.place = r->place ? r->corner : NULL;
    return true;
}

static bool write_it(throng_recording *from, const request *r, int32_t *frames, throng_error *error)
{
    if (throng_export_knows(r->to))
        return throng_export(from, &r->def, frames, error);
    *frames = throng_recording_frames(from);
    return convert(from, r->to, error);
}

static void say(const request *r, int32_t frames, int32_t all)
{
    char text[1200], note[80] = "";
    if ((throng_file_ends_in(r->to, ".vtp") || throng_file_ends_in(r->to, ".vti")) && all > 1)
        snprintf(note, sizeof note, ", one of its %d: write a .pvd for more", all);
    snprintf(text, sizeof text, "%s: %d frame%s from %s%s", r->to, frames, frames == 1 ? "" : "s", r->from, note);
    throng_text_plain(text, sizeof text);
    puts(text);
}

int throng_cli_convert(int argc, char **argv)
{
    throng_texts files = {.count = 0};
    throng_error error;
    request r = {.def = {.from = -INFINITY, .to = INFINITY}}; /* frames may be numbered from below 0 */
    const throng_option list[] = {
        {"--from", THRONG_OPTION_NUMBER, &r.def.from, 0, 1e9},
        {"--to", THRONG_OPTION_NUMBER, &r.def.to, 0, 1e9},
        {"--every", THRONG_OPTION_NUMBER, &r.def.every, 0.001, 1e9},
        {"--place", THRONG_OPTION_TEXT, &r.place, 0, 0},
        {NULL, THRONG_OPTION_SWITCH, NULL, 0, 0},
    };
    throng_output_clean_at_signals();
    if (!throng_cli_options("convert", argc, argv, list, &files, 2))
        return THRONG_EXIT_USAGE;
    if (files.count < 2)
        return throng_cli_misuse("convert", "give the recording to read and the file to write");
    char path[4096];
    int32_t frames;
    r.from = files.list[0];
    r.to = files.list[1];
    if (!check(&r))
        return THRONG_EXIT_USAGE;
    throng_recording *from =
        throng_recording_find(r.from, path, sizeof path, &error) ? throng_recording_open(path, &error) : NULL;
    throng_output_spare(path);
    bool ok = from && write_it(from, &r, &frames, &error);
    if (ok)
        say(&r, frames, throng_recording_frames(from));
    if (ok && throng_recording_is_cut(from))
        fprintf(stderr,
                "throng convert: warning: %s ends before it was whole: groups, measures and events, which are noted at "
                "its end, are missing\n",
                path);
    throng_recording_close(from);
    if (!ok)
        fprintf(stderr, "throng convert: %s\n", error.text);
    return ok ? THRONG_EXIT_DONE : THRONG_EXIT_USAGE;
}
