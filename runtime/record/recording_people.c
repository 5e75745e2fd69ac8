#include "recording_people.h"

#include <math.h>
#include <stdlib.h>

#include "base/array.h"

/* Notes have nobody without a group or a radius. */
bool throng_text_people_see(throng_text_people *people, throng_text_turn row, float radius, throng_notes *notes,
                            throng_error *error)
{
    bool is_first = row.id != people->id;
    if (row.group < 0 || !(radius >= 0 && radius <= 1e6f) || (!is_first && row.group == people->group))
        return true;
    people->id = row.id;
    people->group = row.group;
    if (is_first)
        return THRONG_NOTE_ADD(notes, THRONG_NOTE_PERSON, error, {row.id}, {row.group}, {(double)radius}, {NAN}, {NAN});
    if (!throng_array_reserve((void **)&people->turns, &people->room, (int64_t)people->count + 1,
                              sizeof *people->turns))
        return throng_fail(error, "out of memory for people who change their group");
    people->turns[people->count++] = row;
    return true;
}

static int by_frame(const void *a, const void *b)
{
    const throng_text_turn *p = a, *q = b;
    return p->frame != q->frame ? (p->frame > q->frame) - (p->frame < q->frame) : (p->id > q->id) - (p->id < q->id);
}

bool throng_text_people_note_turns(throng_text_people *people, double fps, throng_notes *notes, throng_error *error)
{
    bool ok = true;
    if (people->count > 0)
        qsort(people->turns, (size_t)people->count, sizeof *people->turns, by_frame);
    for (const throng_text_turn *t = people->turns; ok && t < people->turns + people->count; t++)
        ok = THRONG_NOTE_ADD(notes, THRONG_NOTE_TURN, error, {t->frame / fps}, {t->id}, {t->group});
    return ok;
}

void throng_text_people_fini(throng_text_people *people) { free(people->turns); }
