/* The floors and flights of a building in notes, and its lifts. */
#ifndef THRONG_NOTES_SHEETS_H
#define THRONG_NOTES_SHEETS_H

#include "map/map_sheets.h"
#include "notes.h"
#include "record.h"

/* A map without sheets has nothing to tell. */
bool throng_notes_sheets(throng_notes *notes, const throng_map *map, throng_error *error);

/* Gives a map that was recorded, which has its doors already, the sheets that the notes tell of; none, where they tell
 * of none. What only walking goes by (paces, costs, how fast lifts are) is not told. False and a message when what they
 * tell is no building. */
bool throng_notes_add_sheets(const throng_notes *notes, throng_map *map, throng_error *error);

/* The columns of a recording: the script's own, and those that tell of floors. */
typedef struct throng_noted_columns {
    throng_record_own own;
    int32_t own_at[THRONG_OWN_COLUMNS]; /* which columns of the recording they are */
    int32_t sheet_at, z_at;             /* and those; -1: one plane */
} throng_noted_columns;

throng_noted_columns throng_noted_columns_of(const throng_notes *notes, const throng_record_own *all);

typedef struct throng_noted_spot {
    double x, y, z; /* m */
} throng_noted_spot;

/* Where a place, on the map whose floors lie side by side, is on the plan that all floors share. `floor` is the row of
 * the notes' floors that it is on; -1: one plane. */
throng_noted_spot throng_noted_spot_of(const throng_notes *notes, int32_t floor, throng_point place);

/* The row that the column for it tells of somebody in a frame; -1: one plane. */
int32_t throng_noted_floor_of(const throng_notes *notes, const throng_noted_columns *columns,
                              const throng_record_frame *frame, int32_t i);

#endif
