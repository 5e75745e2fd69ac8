#include "notes_people.h"

#include <stdlib.h>

static int by_id(const void *a, const void *b)
{
    const throng_noted_person *x = a, *y = b;
    return (x->id > y->id) - (x->id < y->id);
}

static bool whole(double value, double below) { return value >= 0 && value < below && value == (double)(int32_t)value; }

static bool read_person(const throng_notes *notes, int32_t row, throng_noted_person *person, throng_error *error)
{
    double id = throng_note_number(notes, THRONG_NOTE_PERSON, row, 0);
    double group = throng_note_number(notes, THRONG_NOTE_PERSON, row, 1);
    double radius = throng_note_number(notes, THRONG_NOTE_PERSON, row, 2);
    if (!whole(id, INT32_MAX) || !whole(group, notes->tables[THRONG_NOTE_GROUP].rows) ||
        !(radius >= 0 && radius <= 1e6))
        return throng_fail(error, "the notes of its people make no sense in row %d: id %g, group %g, radius %g m", row,
                           id, group, radius);
    *person = (throng_noted_person){(int32_t)id, (int32_t)group, (int32_t)group, (float)radius};
    return true;
}

bool throng_noted_people_init(throng_noted_people *people, const throng_notes *notes, throng_error *error)
{
    int32_t rows = notes->tables[THRONG_NOTE_PERSON].rows;
    *people = (throng_noted_people){.list = malloc(((size_t)rows + 1) * sizeof *people->list)};
    if (!people->list)
        return throng_fail(error, "out of memory for %d people", rows);
    for (; people->count < rows; people->count++)
        if (!read_person(notes, people->count, &people->list[people->count], error)) {
            throng_noted_people_fini(people);
            return false;
        }
    qsort(people->list, (size_t)rows, sizeof *people->list, by_id);
    return true;
}

void throng_noted_people_fini(throng_noted_people *people)
{
    free(people->list);
    *people = (throng_noted_people){0};
}

static throng_noted_person *find(const throng_noted_people *people, double id)
{
    if (people->count == 0 || !whole(id, INT32_MAX))
        return NULL;
    const throng_noted_person wanted = {.id = (int32_t)id};
    return bsearch(&wanted, people->list, (size_t)people->count, sizeof wanted, by_id);
}

const throng_noted_person *throng_noted_person_of(const throng_noted_people *people, int32_t id)
{
    return find(people, id);
}

static double time_of(const throng_notes *notes, int32_t turn)
{
    return throng_note_number(notes, THRONG_NOTE_TURN, turn, 0);
}

/* Back in time, turns are gone through from the first one on. */
void throng_noted_people_at(throng_noted_people *people, const throng_notes *notes, double time)
{
    if (people->next > 0 && time_of(notes, people->next - 1) > time) {
        people->next = 0;
        for (int32_t p = 0; p < people->count; p++)
            people->list[p].group = people->list[p].first;
    }
    for (; people->next < notes->tables[THRONG_NOTE_TURN].rows && time_of(notes, people->next) <= time;
         people->next++) {
        throng_noted_person *person = find(people, throng_note_number(notes, THRONG_NOTE_TURN, people->next, 1));
        double group = throng_note_number(notes, THRONG_NOTE_TURN, people->next, 2);
        if (person && whole(group, notes->tables[THRONG_NOTE_GROUP].rows))
            person->group = (int32_t)group;
    }
}
