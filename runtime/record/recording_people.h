/* Groups and sizes of the people of a .csv, as notes. */
#ifndef THRONG_RECORDING_PEOPLE_H
#define THRONG_RECORDING_PEOPLE_H

#include "notes.h"

typedef struct throng_text_turn {
    int32_t frame, id, group;
} throng_text_turn;

/* Begins as {.id = -1}. */
typedef struct throng_text_people {
    int32_t id, group; /* of who was seen last */
    throng_text_turn *turns;
    int32_t count, room;
} throng_text_people;

/* Somebody in a row: -1, NAN: nobody knows the group, the radius (m). Rows come by id, then frame. */
bool throng_text_people_see(throng_text_people *people, throng_text_turn row, float radius, throng_notes *notes,
                            throng_error *error);

/* After all rows: notes who changed groups, in the order of time. */
bool throng_text_people_note_turns(throng_text_people *people, double fps, throng_notes *notes, throng_error *error);
void throng_text_people_fini(throng_text_people *people);

#endif
