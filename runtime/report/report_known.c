/* What the notes of a recording tell, as the report wants it: by person, by measure. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report_parts.h"

static bool out_of_memory(throng_error *error) { return throng_fail(error, "out of memory for the report"); }

/* ---- people */

static int by_id(const void *a, const void *b)
{
    const throng_report_person *x = a, *y = b;
    return (x->id > y->id) - (x->id < y->id);
}

/* The person's index; -1: it was in no frame. */
static int32_t person_of(const throng_report *report, double id)
{
    if (!(id >= INT32_MIN && id <= INT32_MAX))
        return -1;
    const throng_report_person wanted = {.id = (int32_t)id};
    const throng_report_person *found =
        bsearch(&wanted, report->people.list, (size_t)report->people.count, sizeof wanted, by_id);
    return found ? (int32_t)(found - report->people.list) : -1;
}

static int32_t group_of(const throng_report *report, double number)
{
    return number >= 0 && number < throng_report_group_count(report) ? (int32_t)number : 0;
}

/* Who was in no frame, came and went between two of them. */
static bool know_people(throng_report *report, throng_error *error)
{
    const throng_sampler people = THRONG_BODY_RADIUS;
    const throng_notes *notes = &report->notes;
    report->noted = malloc(((size_t)report->people.count + 1) * sizeof *report->noted);
    if (!report->noted)
        return out_of_memory(error);
    for (int32_t p = 0; p < report->people.count; p++)
        report->noted[p] = (throng_report_noted){.radius = (float)((people.a + people.b) / 2),
                                                 .arrived = NAN,
                                                 .spawned = (float)(report->people.list[p].first / report->fps)};
    for (int32_t row = 0; row < notes->tables[THRONG_NOTE_PERSON].rows; row++) {
        int32_t p = person_of(report, throng_note_number(notes, THRONG_NOTE_PERSON, row, 0));
        double radius = throng_note_number(notes, THRONG_NOTE_PERSON, row, 2);
        if (p < 0)
            continue;
        report->noted[p].group = group_of(report, throng_note_number(notes, THRONG_NOTE_PERSON, row, 1));
        report->noted[p].radius = radius > 0 && radius < 1000 ? (float)radius : report->noted[p].radius;
        report->noted[p].arrived = (float)throng_note_number(notes, THRONG_NOTE_PERSON, row, 3);
        report->noted[p].spawned =
            (float)fmin((double)report->noted[p].spawned, throng_note_number(notes, THRONG_NOTE_PERSON, row, 4));
    }
    return true;
}

int32_t throng_report_group_count(const throng_report *report)
{
    int32_t groups = report->notes.tables[THRONG_NOTE_GROUP].rows;
    return groups ? groups : 1;
}

const char *throng_report_group_name(const throng_report *report, int32_t group)
{
    return report->notes.tables[THRONG_NOTE_GROUP].rows ? throng_note_text(&report->notes, THRONG_NOTE_GROUP, group, 1)
                                                        : "people";
}

double throng_report_done(const throng_report *report, int32_t p)
{
    const throng_report_person *person = &report->people.list[p];
    double arrived = (double)report->noted[p].arrived, left = (person->last + 0.5) / report->fps;
    if (!isnan(arrived))
        return arrived;
    if (person->last < report->frames - 1)
        return left;
    return isnan(report->end) ? NAN : fmin(left, report->end);
}

bool throng_report_stuck_of(const throng_notes *notes, int32_t row, throng_report_stuck *stuck)
{
    double id = throng_note_number(notes, THRONG_NOTE_STUCK, row, 1);
    const char *cause = throng_note_text(notes, THRONG_NOTE_STUCK, row, 4);
    int known = 0;
    while (known < THRONG_STUCK_CAUSE_COUNT && strcmp(throng_stuck_causes[known], cause) != 0)
        known++;
    *stuck = (throng_report_stuck){.time = throng_note_number(notes, THRONG_NOTE_STUCK, row, 0),
                                   .id = id >= 0 && id <= INT32_MAX ? (int32_t)id : -1,
                                   .cause = (throng_stuck_cause)known,
                                   .place = {throng_note_number(notes, THRONG_NOTE_STUCK, row, 2),
                                             throng_note_number(notes, THRONG_NOTE_STUCK, row, 3)}};
    return known < THRONG_STUCK_CAUSE_COUNT && stuck->id >= 0 &&
           isfinite(stuck->time + stuck->place.x + stuck->place.y);
}

/* ---- values over time */

static bool know_arrivals(throng_report *report, throng_error *error)
{
    const throng_notes *notes = &report->notes;
    bool ok = true;
    for (int32_t i = 0; ok && i < notes->tables[THRONG_NOTE_ARRIVED].rows; i++)
        ok = throng_report_point(&report->arrived, throng_note_number(notes, THRONG_NOTE_ARRIVED, i, 0),
                                 throng_note_number(notes, THRONG_NOTE_ARRIVED, i, 1), error);
    return ok;
}

/* Values that are of no measure of the notes are passed over, and what is no number, too. */
static bool know_measures(throng_report *report, throng_error *error)
{
    const throng_notes *notes = &report->notes;
    int32_t count = notes->tables[THRONG_NOTE_MEASURE].rows;
    bool ok = true;
    report->measures = calloc((size_t)count + 1, sizeof *report->measures);
    if (!report->measures)
        return out_of_memory(error);
    for (int32_t i = 0; ok && i < notes->tables[THRONG_NOTE_VALUE].rows; i++) {
        double m = throng_note_number(notes, THRONG_NOTE_VALUE, i, 0);
        double time = throng_note_number(notes, THRONG_NOTE_VALUE, i, 1);
        double value = throng_note_number(notes, THRONG_NOTE_VALUE, i, 2);
        if (m >= 0 && m < count && isfinite(time) && isfinite(value))
            ok = throng_report_point(&report->measures[(int32_t)m], time, value, error);
    }
    return ok;
}

bool throng_report_know(throng_report *report, throng_error *error)
{
    return know_people(report, error) && know_arrivals(report, error) && know_measures(report, error);
}

void throng_report_known_fini(throng_report *report)
{
    for (int32_t m = 0; report->measures && m < report->notes.tables[THRONG_NOTE_MEASURE].rows; m++)
        throng_report_series_fini(&report->measures[m]);
    free(report->measures);
    free(report->noted);
    throng_report_series_fini(&report->arrived);
    throng_notes_fini(&report->notes);
}
