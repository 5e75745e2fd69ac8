/* The sheets of a building's map (map_sheets.h), for the backend and for those who look at agents on the map:
 * world_sheets.c. */
#ifndef THRONG_WORLD_SHEETS_H
#define THRONG_WORLD_SHEETS_H

#include "world.h"

typedef struct world_sheets {
    throng_sheets table; /* its arrays are one block each, owned */
    bool changed;        /* the backend has none yet */
    float *x, *y;        /* [room] places, for who asks */
    int32_t room;
} world_sheets;

/* m: what is added to positions on a sheet for their places on the map. */
static inline throng_point throng_sheets_offset(const throng_sheets *table, int32_t sheet)
{
    return table->count ? (throng_point){(double)table->off_x[sheet], (double)table->off_y[sheet]}
                        : (throng_point){0, 0};
}

/* Where a position on a sheet is on the map, as floats. m */
static inline throng_point throng_sheets_place(const throng_sheets *table, int32_t sheet, float x, float y)
{
    return (throng_point){(double)(x + table->off_x[sheet]), (double)(y + table->off_y[sheet])};
}

/* The table of the world's map, if that is a building's. */
bool throng_world_init_sheets(throng_world *world, throng_error *error);
bool throng_world_upload_sheets(throng_world *world, throng_error *error);
void throng_world_free_sheets(throng_world *world);

#endif
