#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "export_parts.h"
#include "map/map_readers.h"
#include "record/notes_plan.h"

/* m/s: nobody walks faster. Who was there and is here crossed the seam of a world that wraps, or was put here. */
static const double FASTEST = 20;

/* ---- life */

/* Numbers of floors, that everybody's place goes by. */
static bool check_floors(const throng_notes *notes, throng_error *error)
{
    for (throng_note table = THRONG_NOTE_FLOOR; table <= THRONG_NOTE_SHEET; table++)
        for (int32_t row = 0; row < notes->tables[table].rows; row++)
            for (int32_t c = table == THRONG_NOTE_FLOOR; c < throng_note_width(table); c++)
                if (!isfinite(throng_note_number(notes, table, row, c)))
                    return throng_fail(error, "the recording is damaged: its table of %s has no %s in row %d",
                                       throng_note_forms[table].name, throng_note_forms[table].columns[c].name, row);
    return true;
}

bool throng_export_source_init(throng_export_source *source, throng_recording *recording, const throng_export_def *def,
                               throng_error *error)
{
    const char *wkt = throng_recording_wkt(recording);
    *source = (throng_export_source){.recording = recording, .def = def, .first = -1};
    if (!throng_recording_notes(recording, &source->notes, error) ||
        !throng_noted_people_init(&source->known, &source->notes, error) || !check_floors(&source->notes, error))
        return false;
    source->columns = throng_noted_columns_of(&source->notes, throng_recording_own(recording));
    if (*wkt && !(source->map = throng_map_from_wkt("its plan", wkt, error)))
        return false;
    return !source->map || throng_notes_add_regions(&source->notes, source->map, error);
}

void throng_export_source_fini(throng_export_source *source)
{
    throng_notes_fini(&source->notes);
    throng_noted_people_fini(&source->known);
    throng_map_destroy(source->map);
    free(source->now.people);
    free(source->before.people);
}

void throng_export_rewind(throng_export_source *source)
{
    source->next = source->told = 0;
    source->first = -1;
    source->now.count = source->before.count = 0;
}

/* ---- who is where */

static bool reserve(throng_export_moment *moment, int32_t count, throng_error *error)
{
    return throng_array_reserve((void **)&moment->people, &moment->room, count, sizeof *moment->people) ||
           throng_fail(error, "out of memory for %d people", count);
}

static void place(const throng_export_source *source, const throng_record_frame *frame, int32_t i,
                  throng_export_person *person)
{
    int32_t floor = throng_noted_floor_of(&source->notes, &source->columns, frame, i);
    const throng_noted_person *known = throng_noted_person_of(&source->known, frame->id[i]);
    throng_noted_spot at =
        throng_noted_spot_of(&source->notes, floor, (throng_point){(double)frame->x[i], (double)frame->y[i]});
    *person = (throng_export_person){
        .id = frame->id[i],
        .group = known ? known->group : -1,
        .floor = floor,
        .x = at.x,
        .y = at.y,
        .z = source->columns.z_at >= 0 ? (double)frame->own[source->columns.z_at][i] : at.z,
        .hx = (double)frame->hx[i],
        .hy = (double)frame->hy[i],
        .speed = NAN,
        .radius = known ? (double)known->radius : NAN,
    };
}

/* By the moment before; people of both ascend by id. */
static void find_speeds(throng_export_moment *now, const throng_export_moment *before)
{
    double seconds = now->time - before->time;
    for (int32_t i = 0, b = 0; i < now->count; i++) {
        throng_export_person *p = &now->people[i];
        while (b < before->count && before->people[b].id < p->id)
            b++;
        if (b == before->count)
            return;
        const throng_export_person *was = &before->people[b];
        double speed = was->id == p->id ? hypot(p->x - was->x, p->y - was->y) / seconds : NAN;
        p->speed = speed <= FASTEST ? speed : NAN;
    }
}

static bool read_frame(throng_export_source *source, throng_error *error)
{
    throng_export_moment past = source->before, *now = &source->now;
    throng_record_frame frame;
    source->before = source->now;
    source->now = past;
    if (!throng_recording_read(source->recording, source->next++, &frame, error) || !reserve(now, frame.count, error))
        return false;
    now->frame = frame.frame;
    now->time = frame.frame / throng_recording_fps(source->recording);
    now->count = frame.count;
    throng_noted_people_at(&source->known, &source->notes, now->time);
    for (int32_t i = 0; i < frame.count; i++)
        place(source, &frame, i, &now->people[i]);
    for (int32_t k = 0; k < source->columns.own.count; k++)
        now->own[k] = frame.own[source->columns.own_at[k]];
    find_speeds(now, &source->before);
    return true;
}

/* Frames are chosen by their number, so that no rounding of times adds up. */
static bool is_asked_for(const throng_export_source *source)
{
    double fps = throng_recording_fps(source->recording), half = 0.5 / fps;
    double stride = fmin(fmax(1, round(source->def->every * fps)), INT32_MAX);
    return source->now.time >= source->def->from - half && source->now.time < source->def->to + half &&
           (source->first < 0 || (source->now.frame - source->first) % (int32_t)stride == 0);
}

bool throng_export_next(throng_export_source *source, const throng_export_moment **moment, throng_error *error)
{
    *moment = NULL;
    while (source->next < throng_recording_frames(source->recording)) {
        if (!read_frame(source, error))
            return false;
        if (!is_asked_for(source))
            continue;
        source->first = source->first < 0 ? source->now.frame : source->first;
        source->told++;
        *moment = &source->now;
        break;
    }
    return true;
}

/* ---- names */

const char *throng_export_group(const throng_export_source *source, int32_t group)
{
    return group < 0 ? "" : throng_note_text(&source->notes, THRONG_NOTE_GROUP, group, 1);
}

const char *throng_export_floor(const throng_export_source *source, int32_t floor)
{
    return floor < 0 ? "" : throng_note_text(&source->notes, THRONG_NOTE_FLOOR, floor, 0);
}

bool throng_export_has_floors(const throng_export_source *source) { return source->columns.sheet_at >= 0; }
