#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "map/map_readers.h"
#include "report_parts.h"

/* ---- all that is made of the recording */

static bool see_frame(throng_report *r, const throng_report_span *span, int32_t n, throng_error *error)
{
    double time = n / r->fps, mean = throng_report_walk_mean(&r->walk);
    throng_report_places_add(&r->places, r->map, &r->walk, time);
    throng_report_places_see(&r->places, r->map, &r->walk, time);
    if (time <= span->seconds)
        throng_report_maps_add(&r->maps, &r->walk, time, 1 / r->fps);
    return (isnan(mean) || throng_report_point(&r->speed, time, mean, error)) &&
           (n % r->pack.every || throng_report_pack_frame(&r->pack, &r->walk, r->people.count, error));
}

static bool go_through(throng_report *r, const throng_report_span *span, throng_error *error)
{
    for (int32_t n = 0; n < r->frames; n++) {
        throng_record_frame frame;
        if (!throng_recording_read(r->recording, n, &frame, error))
            return false;
        throng_report_walk_on(&r->walk, &r->people, &frame, n, r->fps);
        if (!see_frame(r, span, n, error))
            return false;
    }
    for (int32_t p = 0; p < r->people.count; p++) {
        double done = throng_report_done(r, p);
        throng_point place = r->people.list[p].place;
        if (!isnan(done))
            throng_report_places_leave(&r->places, r->map, place, done);
        else {
            throng_report_places_stay(&r->places, r->map, place);
            throng_report_maps_stay(&r->maps, place);
        }
    }
    return throng_report_maps_end(&r->maps, r->map, span->seconds + 1 / r->fps, error);
}

/* Of the table beside it, where there is one. */
static bool read_doors(throng_report *r, const char *file, throng_error *error)
{
    return throng_run_doors_read(file, &r->turns, &r->turn_count, error) &&
           (r->turn_count || throng_notes_doors(&r->notes, &r->turns, &r->turn_count, error));
}

static bool read_all(throng_report *r, const char *file, throng_error *error)
{
    r->recording = throng_recording_open(file, error);
    if (!r->recording)
        return false;
    r->fps = throng_recording_fps(r->recording);
    r->frames = throng_recording_frames(r->recording);
    if (r->frames == 0)
        return throng_fail(error, "'%s' holds no frames", file);
    r->seconds = (r->frames - 1) / r->fps;
    if (!throng_recording_notes(r->recording, &r->notes, error) || !throng_noted_smoke_check(&r->notes, error))
        return false;
    throng_report_facts_of_recording(&r->facts, &r->notes, file);
    r->end = r->facts.everyone ? r->facts.time : NAN;
    return read_doors(r, file, error) && throng_body_log_read(file, &r->bodies, error) &&
           throng_report_look(r->recording, &r->people, error) && throng_report_know(r, error);
}

bool throng_report_count(throng_report *r, const throng_report_span *span, throng_error *error)
{
    return throng_report_pack_init(&r->pack, &r->people, error) &&
           throng_report_maps_init(&r->maps, r->map, &span->bounds, error) &&
           throng_report_places_init(&r->places, r->map, error) &&
           throng_report_walk_init(&r->walk, &r->people, error) && go_through(r, span, error);
}

static bool count_all(throng_report *r, throng_error *error)
{
    return throng_report_count(r, &(throng_report_span){.bounds = r->people.bounds, .seconds = r->seconds}, error);
}

void throng_report_fini(throng_report *r)
{
    throng_report_series_fini(&r->speed);
    throng_report_known_fini(r);
    throng_recording_close(r->recording);
    throng_map_destroy(r->own_map);
    throng_report_people_fini(&r->people);
    throng_report_walk_fini(&r->walk);
    throng_report_pack_fini(&r->pack);
    throng_report_maps_fini(&r->maps);
    throng_report_places_fini(&r->places);
    throng_body_log_fini(&r->bodies);
    free(r->turns);
}

/* ---- of a run */

bool throng_report_end(throng_report_run *run, const throng_summary *summary, const throng_report_asked *asked,
                       throng_error *error)
{
    throng_output *output = run->output;
    throng_report *r = calloc(1, sizeof *r);
    run->output = NULL;
    bool ok = r || throng_fail(error, "out of memory for the report");
    if (ok) {
        r->map = throng_world_map(run->world);
        ok = read_all(r, run->recording, error);
        throng_report_facts_of_run(&r->facts, summary, asked);
        ok = ok && count_all(r, error);
    }
    if (ok)
        throng_report_page(throng_output_stream(output), r);
    if (r)
        throng_report_fini(r);
    free(r);
    if (ok)
        return throng_output_commit(output, error);
    throng_output_discard(output);
    return throng_fail_in(error, "the report");
}

/* ---- of a recording */

/* What the recording and the tables beside it tell of the plan. */
static bool find_map(throng_report *r, const char *file, throng_error *error)
{
    const char *wkt = throng_recording_wkt(r->recording);
    if (!*wkt || r->facts.open)
        return true;
    r->own_map = throng_map_from_wkt(file, wkt, error);
    r->map = r->own_map;
    return r->own_map && throng_run_doors_add(r->own_map, r->turns, r->turn_count, error) &&
           ((throng_notes_add_regions(&r->notes, r->own_map, error) &&
             throng_notes_add_sheets(&r->notes, r->own_map, error)) ||
            throng_fail_in(error, "'%s'", file));
}

bool throng_report_open(throng_report *r, const char *path, throng_error *error)
{
    char file[4096];
    if (!throng_recording_find(path, file, sizeof file, error))
        return false;
    throng_recording_name(path, r->facts.name, sizeof r->facts.name);
    return read_all(r, file, error) && find_map(r, file, error);
}

bool throng_report_recording(const char *path, const char *out, char *written, size_t size, throng_error *error)
{
    char file[4096];
    if (!throng_recording_find(path, file, sizeof file, error))
        return false;
    const char *slash = strrchr(file, '/');
    int folder = slash ? (int)(slash + 1 - file) : 0;
    if (out)
        snprintf(written, size, "%s", out);
    else
        snprintf(written, size, "%.*sreport.html", folder, file);
    throng_report *r = calloc(1, sizeof *r);
    throng_output *output = NULL;
    bool ok = r ? throng_report_open(r, path, error) && count_all(r, error) &&
                      (output = throng_output_begin(written, error)) != NULL
                : throng_fail(error, "out of memory for the report");
    if (ok)
        throng_report_page(throng_output_stream(output), r);
    if (r)
        throng_report_fini(r);
    free(r);
    return ok && throng_output_commit(output, error);
}
