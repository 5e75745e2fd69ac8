/* Who everybody is at a time of a recording, by its notes: groups, sizes. */
#ifndef THRONG_NOTES_PEOPLE_H
#define THRONG_NOTES_PEOPLE_H

#include "notes.h"

typedef struct throng_noted_person {
    int32_t id;
    int32_t first, group; /* rows of the notes' groups: at first, and at the time that was asked for */
    float radius;         /* m */
} throng_noted_person;

typedef struct throng_noted_people {
    throng_noted_person *list; /* [count] ascending by id */
    int32_t count;
    int32_t next; /* the first of the notes' turns after the time that was asked for */
} throng_noted_people;

/* Of notes that tell of nobody there is nobody. False and a message when they make no sense, or memory is out. */
bool throng_noted_people_init(throng_noted_people *people, const throng_notes *notes, throng_error *error);
void throng_noted_people_fini(throng_noted_people *people);

/* Makes groups those of that time, s. */
void throng_noted_people_at(throng_noted_people *people, const throng_notes *notes, double time);

/* NULL: nobody knows. */
const throng_noted_person *throng_noted_person_of(const throng_noted_people *people, int32_t id);

#endif
