/* What a run knew beyond the places of its people: tables of numbers and texts, which its recording keeps. JuPedSim
 * SQLite has each as a table of its own, called throng_NAME, which other tools leave alone; compact files have them
 * behind their frames (record_compact.h). People are told of by the id that frames have; a number that nobody knows is
 * NAN, NULL in SQLite. */
#ifndef THRONG_NOTES_H
#define THRONG_NOTES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

typedef enum throng_note {
    THRONG_NOTE_GROUP,   /* the groups by number; "#cc3333", or "" */
    THRONG_NOTE_PERSON,  /* everybody who was seen: the group at first, m, when it arrived and when it was spawned, s */
    THRONG_NOTE_TURN,    /* when somebody became one of another group */
    THRONG_NOTE_STATE,   /* states of behaviours by number */
    THRONG_NOTE_ENTERED, /* when somebody entered a state */
    THRONG_NOTE_REGION,  /* named areas of the plan, as WKT; of a layer, or "" */
    THRONG_NOTE_FLOOR,   /* floors and flights: their height at the middle and the box they have on the plan, m */
    THRONG_NOTE_SHEET,   /* of each of these: what its places have beyond the positions of the plan, m; m that it
                          * climbs in a metre */
    THRONG_NOTE_PART,    /* of each of these: what it is, which are of one part, the direction that climbs, m of half a
                          * flight, and m/s of its belt as the run begins */
    THRONG_NOTE_SEAM,    /* where sheets meet, by positions, m; inside a flight, between its halves */
    THRONG_NOTE_LIFT,    /* lifts by number: persons, the middle of the seams, a unit vector into the car, m */
    THRONG_NOTE_STOP,    /* the floors that each serves, the lowest first; a car's sheet there, m, and its door */
    THRONG_NOTE_CAR,     /* where a lift is from then on, m and m/s upwards, how its doors are, and who is in it */
    THRONG_NOTE_BELT,    /* from when on a flight's belt has another speed, m/s */
    THRONG_NOTE_DOOR,    /* from when on each is open or shut */
    THRONG_NOTE_STUCK,   /* when somebody began to be stuck, why, and where */
    THRONG_NOTE_ARRIVED, /* how many had arrived by then */
    THRONG_NOTE_MEASURE, /* what was measured, in words */
    THRONG_NOTE_VALUE,   /* values of measures over time */
    THRONG_NOTE_SMOKE,   /* the smoke from then on, by points from the lowest left one, m: how much of the light a metre
                          * of it takes, 0 to 255 each, in base64, row by row */
    THRONG_NOTE_FACT,    /* what else: "summary" is the run's summary.json */
    THRONG_NOTE_COUNT
} throng_note;

enum { THRONG_NOTE_COLUMNS = 8 };

typedef struct throng_note_column {
    const char *name;
    bool text;
} throng_note_column;

typedef struct throng_note_form {
    const char *name;
    throng_note_column columns[THRONG_NOTE_COLUMNS + 1]; /* ended by a NULL */
} throng_note_form;

extern const throng_note_form throng_note_forms[THRONG_NOTE_COUNT];
int32_t throng_note_width(throng_note table); /* columns */
/* How many of them recordings of all versions have: those behind, numbers, are NAN of earlier ones. */
int32_t throng_note_width_least(throng_note table);

typedef struct throng_note_table {
    double *cells; /* [rows * columns]; of a text: where it begins in `texts` */
    char *texts;   /* [text_size] each ended by a zero */
    int32_t rows, room, text_size, text_room;
} throng_note_table;

typedef struct throng_notes {
    throng_note_table tables[THRONG_NOTE_COUNT];
} throng_notes;

/* Of one row, in the order of its columns: numbers and, of texts, where `columns` says so, a pointer. */
typedef union throng_note_cell {
    double number;
    const char *text;
} throng_note_cell;

/* Appends a row: as many cells as the table has columns. */
bool throng_note_add(throng_notes *notes, throng_note table, const throng_note_cell *cells, throng_error *error);
#define THRONG_NOTE_ADD(notes, table, error, ...)                                                                      \
    throng_note_add(notes, table, (const throng_note_cell[]){__VA_ARGS__}, error)

double throng_note_number(const throng_notes *notes, throng_note table, int32_t row, int32_t column);
const char *throng_note_text(const throng_notes *notes, throng_note table, int32_t row, int32_t column);

void throng_notes_fini(throng_notes *notes);

#endif
